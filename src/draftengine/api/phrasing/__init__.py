"""Card sets, formulas and events in words, as a person at the table would say them.

`phraser` makes the sentence of a rule or step with its kind or verb; `sentences` those of cards, modifiers, abilities
and triggers. `events` puts what happened into words. From `vocabulary` to `conditions` each module reads more
kinds of formulas aloud.

A formula speaks to the player for whom it is asked. What it asks of others (a neighbour, the holder of a marker, any
other player) is a `Person`. What has no pattern is set in signs, with labels for names.
"""

from draftengine.api.phrasing.conditions import FormulaPhraser
from draftengine.api.phrasing.counted import Person

__all__ = ["FormulaPhraser", "Person"]
