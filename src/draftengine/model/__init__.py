"""From a YAML file to a checked card set, which consists of frozen records."""
