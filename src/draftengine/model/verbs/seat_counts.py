"""Numbers of cards that may differ from seat to seat: who holds few draws many, who has soups throws as many away."""

from __future__ import annotations

from typing import TYPE_CHECKING

from draftengine.model.language.evaluate import references
from draftengine.model.verbs.actions import about_the_card

if TYPE_CHECKING:
    from collections.abc import Callable

    from draftengine.model.records.values import ByPlayerCount, Formula
    from draftengine.model.verbs.verb import Step, Zones

CHANGING_NAMES = frozenset({"round", "turn"})
"""What differs from one moment to another, and is the same for all."""


def depends_on_seat(step: Step, formula: Formula, zones: Zones, constant: Callable[[str], int | None]) -> bool:
    """Is a number of cards about each of those whom a step is for: does it read more than what is the same for all."""
    if not step.is_for_each(zones) or about_the_card(formula.expr):
        return False
    read = {name for _, name in references(formula.expr)} - CHANGING_NAMES
    shared = {name for name, zone in zones.items() if zone.per == "table"}
    return any(constant(name) is None for name in read - shared)


def any_differs(step: Step, cases: ByPlayerCount | None, zones: Zones, constant: Callable[[str], int | None]) -> bool:
    """Is one of the numbers about each of them, of which there may be another one for each number of players."""
    return cases is not None and any(depends_on_seat(step, formula, zones, constant) for _, formula in cases.cases)
