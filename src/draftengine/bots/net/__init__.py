"""Learnt networks: a search has taught a small network how good the moves of a card set are."""
