"""Numbers of cards that may differ from seat to seat, such as ``5 - cards(hand)``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from draftengine.model.language.evaluate import references
from draftengine.model.verbs.actions import about_the_card

if TYPE_CHECKING:
    from collections.abc import Callable

    from draftengine.model.records.values import ByPlayerCount, Formula
    from draftengine.model.verbs.verb import Step, Zones

CHANGING_NAMES = frozenset({"round", "turn"})
"""Names whose value changes during play but is equal for all seats."""


def depends_on_seat(step: Step, formula: Formula, zones: Zones, constant: Callable[[str], int | None]) -> bool:
    """True if a number of cards depends on the seat: it reads a name that can differ between seats."""
    if not step.is_for_each(zones) or about_the_card(formula.expr):
        return False
    read = {name for _, name in references(formula.expr)} - CHANGING_NAMES
    shared = {name for name, zone in zones.items() if zone.per == "table"}
    return any(constant(name) is None for name in read - shared)


def any_differs(step: Step, cases: ByPlayerCount | None, zones: Zones, constant: Callable[[str], int | None]) -> bool:
    """True if the number for some number of players depends on the seat."""
    return cases is not None and any(depends_on_seat(step, formula, zones, constant) for _, formula in cases.cases)
