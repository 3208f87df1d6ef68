"""Parts that the card-moving verbs share: the number of cards, the zones, and the seats in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from draftengine.model.records.record import FieldSpec, field
from draftengine.model.records.schema_fragments import ref
from draftengine.model.verbs.verb import Problem

if TYPE_CHECKING:
    from collections.abc import Iterator

    from draftengine.model.verbs.verb import Words, Zones
    from draftengine.model.verbs.who import Who


def for_some(phrase: str, who: Who | None, words: Words) -> str:
    """Add the condition to the sentence of a step that only applies to some players."""
    if who is None or who.formula is None:
        return phrase
    return words.phrase("step.if", condition=words.condition(who.formula.expr), text=phrase)


def names_of(names: tuple[str, ...], words: Words) -> str:
    """Return the names of cards and families, joined with “or”."""
    nouns = [words.family(name) if words.is_family(name) else words.card_noun(name) for name in names]
    return words.join_list([noun.form("name") for noun in nouns], "or")


def holder_of(who: Who | None) -> str | None:
    """Return the marker whose holder a step is for; None if it is for other seats."""
    return None if who is None else who.holder


def number_key(description: str) -> FieldSpec:
    """Declare a key that holds a number of cards."""
    return field("Cards", description, 7, "12 - players", {"2": 10, "3": 9}, schema=ref("by_players"))


def uncounted(names: tuple[str, ...], zones: Zones) -> Iterator[Problem]:
    """Yield a problem for each named zone that counts: the verb cannot change it."""
    for zone in names:
        if zone in zones and zones[zone].counts:
            yield Problem(zone, "counted")


def other_zone(source: str, target: str, zones: Zones) -> Iterator[Problem]:
    """Yield a problem if source and target are the same zone."""
    if source == target and source in zones:
        yield Problem(source, "to-itself")
