"""The model of a game: from a YAML file to a checked, frozen card set."""
