"""The game as functions on a state record, written once for every way to play it."""
