"""Learnt networks: a small network for a card set rates moves, as a search taught it."""
