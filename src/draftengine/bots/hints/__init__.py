"""Hints for people: the best moves, their values, and the reasons."""
