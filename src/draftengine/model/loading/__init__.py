"""From a YAML tree to records: expand macros, apply overlays, read."""
