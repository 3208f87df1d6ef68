"""The steps from a YAML tree to the records of a game: repeated entries, overlays, and reading."""
