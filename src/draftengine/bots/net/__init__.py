"""Learnt networks: a small network for a card set says how good each move is, as the search taught it."""
