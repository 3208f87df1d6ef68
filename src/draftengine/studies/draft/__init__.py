"""How games are drafted: what is seen, taken and passed on, what comes back, what is taken first, what choices cost.

`collect` walks a game and counts in a tally of whole numbers (`tally`), which can be merged in any order; `regret` asks
an adviser about a sample of choices; `summary` says what a tally means, `preference` what is taken rather than what.
"""
