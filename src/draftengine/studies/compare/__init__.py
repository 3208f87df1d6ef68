"""Two card sets played with the same seeds: what a change does."""
