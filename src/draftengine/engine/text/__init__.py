"""The game as one text: what steps, choices, effects and scoring do, written once for every way to play."""
