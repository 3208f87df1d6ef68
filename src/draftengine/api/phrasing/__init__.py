"""Formulas read aloud: conditions and numbers as a person at the table would say them.

Everything is said to the player for whom a formula is asked. What it asks of others (a neighbour, the holder of a
marker, any other player) is said of a `Person`. What has no pattern is set in signs, with labels for names.
"""

from draftengine.api.phrasing.conditions import FormulaPhraser
from draftengine.api.phrasing.counted import Person

__all__ = ["FormulaPhraser", "Person"]
