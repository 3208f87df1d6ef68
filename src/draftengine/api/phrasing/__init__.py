"""Card sets, formulas and events in words, as a person at the table would say them.

`phraser` makes the sentences of rules and steps, and `sentences` those of cards, modifiers, abilities and triggers.
`events` puts events into words. From `vocabulary` to `conditions`, each module adds more kinds of formulas.

A formula addresses the player for whom it is evaluated, as “you”. Anyone else in it (a neighbour, the holder of a
marker, any other player) is a `Person`. A formula without a pattern is written in signs, with labels for names.
"""

from draftengine.api.phrasing.conditions import FormulaPhraser
from draftengine.api.phrasing.counted import Person

__all__ = ["FormulaPhraser", "Person"]
