"""Card sets, formulas and events in words, as a person at the table would say them.

`phraser` makes the sentences about rules and steps, and `sentences` those about cards, modifiers, abilities and
triggers. `events` puts events into words. Each module from `vocabulary` to `conditions` adds more kinds of formulas.

A sentence calls the player for whom a formula is evaluated “you”. Anyone else in the formula (a neighbour, the holder
of a marker, any other player) is a `Person`. Functions with an argument `person` make a phrase about that person, or
about “you” if it is ``None``. A formula that no pattern fits is written with mathematical signs and labels.
"""

from draftengine.api.phrasing.conditions import FormulaPhraser
from draftengine.api.phrasing.counted import Person

__all__ = ["FormulaPhraser", "Person"]
