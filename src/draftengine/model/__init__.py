"""What a game is: from a YAML file to a checked, frozen card set."""
