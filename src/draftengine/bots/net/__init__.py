"""Learnt networks: for a card set, a small network says how good each move is. A search taught it."""
