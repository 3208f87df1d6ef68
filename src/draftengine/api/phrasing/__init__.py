"""Card sets, formulas and events in words, as a person at the table would say them.

`phraser` makes the sentences about rules and steps, and `sentences` those about cards, modifiers, abilities and
triggers. `events` puts events into words. Each module from `vocabulary` to `conditions` adds more kinds of formulas.

A formula addresses the player for whom it is evaluated as “you”. Anyone else in the formula (a neighbour, the holder of
a marker, any other player) is a `Person`. A formula that no pattern fits is written with mathematical signs and labels.
"""

from draftengine.api.phrasing.conditions import FormulaPhraser
from draftengine.api.phrasing.counted import Person

__all__ = ["FormulaPhraser", "Person"]
