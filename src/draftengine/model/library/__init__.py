"""Finding and opening card sets."""
