"""Studies of drafts: which cards are seen, taken, passed on and come back, and what choices cost.

`collect` goes through a game and counts in a `tally` of integers, which can be merged in any order. `playing` repeats
the games of a simulation, counts them with `collect`, and asks an adviser about a sample of choices. `summary` computes
the figures.
"""
