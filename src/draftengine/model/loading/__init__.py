"""From a YAML tree to the records of a game: repeating entries, merging overlays, reading."""
