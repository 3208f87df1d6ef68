"""Where card sets are found and opened."""
