"""What verbs that move cards have in common: for whom, how many, and between which zones."""

from __future__ import annotations

from typing import TYPE_CHECKING

from draftengine.records.pieces import name, record, ref
from draftengine.records.record import Key, key

if TYPE_CHECKING:
    from collections.abc import Iterator

    from draftengine.verbs.verb import Problem, Zones

_HOLDER = record({"holder": name("Holder", "The marker whose holder it is.", "starter")}, ["holder"])

WHO = key(
    "Who",
    "All players, or the holder of a marker.",
    {"holder": "starter"},
    schema={**_HOLDER, "type": ["string", "object"], "if": {"type": "string"}, "then": {"enum": ["everyone"]}},
    read=lambda reader, name: reader.at(name).optional_word("holder"),
    default="everyone",
)


def number_key(description: str) -> Key:
    """The key of a number of cards."""
    return key("Cards", description, 7, "12 - players", {"2": 10, "3": 9}, schema=ref("by_players"))


def uncounted(verb: str, names: tuple[str, ...], zones: Zones) -> Iterator[Problem]:
    """Zones that count are left alone."""
    for own in names:
        if own in zones and zones[own].counts:
            hint = "Use choose to play cards, move to bring them there, and clear or gather to remove them."
            yield own, f"A {verb} cannot change {own}, where cards count.", hint


def other_zone(source: str, target: str, zones: Zones) -> Iterator[Problem]:
    """Cards go from one zone to another one."""
    if source == target and source in zones:
        yield source, f"The cards would go from {source} to {source}.", "Name two different zones."
