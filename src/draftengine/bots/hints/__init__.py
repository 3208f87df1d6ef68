"""Advice for people: the best moves, what each is worth, and why."""
