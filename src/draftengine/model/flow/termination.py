"""Proves that a repeat ends because a zone only shrinks.

Nothing brings cards to such a zone, and every turn takes at least one card away.
"""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

from draftengine.model.flow.positions import Position, between, fewest, most
from draftengine.model.language.evaluate import references
from draftengine.model.language.every_case import one_holds
from draftengine.model.language.tree import BooleanLiteral
from draftengine.model.records.record import referenced_names
from draftengine.model.verbs.choose import ChooseStep
from draftengine.model.verbs.dealing import Dealing
from draftengine.model.verbs.piles import MoveStep, ShuffleStep

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from draftengine.model.flow.dry_run import DryRun
    from draftengine.model.flow.positions import Count
    from draftengine.model.language.tree import Expr
    from draftengine.model.verbs.turns import RepeatStep
    from draftengine.model.verbs.verb import Step


def most_turns(step: RepeatStep, run: DryRun, positions: list[Position]) -> int | None:
    """Return the most turns of a repeat that ends because a zone only shrinks; None for other repeats.

    The zone contains at most the cards that are not in other zones.
    """
    if id(step) not in run.termination:
        run.termination[id(step)] = tuple(_zones(step, run))
    turns = []
    for zone, left in run.termination[id(step)]:
        sizes = []
        for position in positions:
            others = chain.from_iterable(cells for index, cells in enumerate(position.zones) if index != zone)
            sizes.append(min(sum(map(most, position.zones[zone])), run.apart.all_cards - sum(map(fewest, others))))
        turns.append(max(sizes) - left)
    return max(0, min(turns)) if turns else None


def _zones(step: RepeatStep, run: DryRun) -> Iterator[tuple[int, int]]:
    """Yield the zones that only shrink, as (index, number of cards with which the repeat surely ends)."""
    inside = [*_all_in(step.do)]
    inside += [inner for steps, _ in run.game.lists for inner in _all_in(steps)]
    inside += [inner for lists in run.game.lists_after.values() for steps in lists for inner in _all_in(steps)]
    filled = {"tableau", "discard", *run.game.uncertain_zones}.union(
        *(referenced_names(inner, "zone", "to") for inner in inside)
    )
    for zone in run.zone_index.keys() - filled:
        takes = _always_takes(step.do, zone, run)
        ends = [left for left in range(run.apart.all_cards) if _ends_with(step, run, zone, left)] if takes else []
        if ends:
            yield run.zone_index[zone], ends[-1]


def _all_in(steps: Iterable[Step]) -> Iterator[Step]:
    """Yield the given steps, and all steps within them and in their branches."""
    for step in steps:
        yield step
        yield from _all_in(step.within)
        for _, branch in step.branches:
            yield from _all_in(branch)


def _anything(run: DryRun, zone: str, cards: Count) -> Position:
    """Return a position where `zone` has `cards` cards, and everything else is unknown."""
    anywhere, nothing = between(0, run.apart.all_cards), [0] * run.seats
    zones = [
        [cards if index == run.zone_index[zone] else anywhere] * len(sizes)
        for index, sizes in enumerate(run.counts.largest)
    ]
    position = Position(zones, [frozenset(range(-1, run.seats))] * len(run.markers), nothing[:], nothing[:])
    position.exact = False
    return position


def _ends_with(step: RepeatStep, run: DryRun, zone: str, cards: int) -> bool:
    """True if the repeat ends whenever the zone has at most `cards` cards, regardless of everything else."""
    if step.until is None:
        return step.until_empty == zone and cards == 0
    shared = run.zone_named[zone].per == "table"
    return (shared or cards == 0) and run.numbers.truth(step.until, _anything(run, zone, between(0, cards))) is True


def _always_takes(steps: Sequence[Step], zone: str, run: DryRun) -> bool:
    """True if every turn takes a card from the zone, provided that it has one.

    Either one step always does so, or several steps do so whose conditions together cover every case.
    """
    taking = [index for index, step in enumerate(steps) if _takes(step, zone, run)]
    for first in taking:
        conditions: list[Expr] = []
        for index in range(first, taking[-1] + 1):
            if index in taking:
                when = steps[index].when
                conditions.append(when.expr if when is not None else BooleanLiteral(value=True))
                if one_holds(conditions):
                    return True
            if not all(_leaves_alone(steps[index], condition, run) for condition in conditions):
                break
    return False


def _leaves_alone(step: Step, condition: Expr, run: DryRun) -> bool:
    """True if a step cannot change a condition, because it only moves cards in zones that are not read."""
    quiet = (ChooseStep, Dealing, MoveStep, ShuffleStep)
    zones = referenced_names(step, "zone")
    if not isinstance(step, quiet) or step.branches or any(run.zone_named[zone].counts for zone in zones):
        return False
    if isinstance(step, ChooseStep) and run.game.abilities:  # an ability used with the choice moves a card of its own
        return False
    return zones.isdisjoint(name for _, name in references(condition))


def _takes(step: Step, zone: str, run: DryRun) -> bool:
    """True if a step takes a card from the zone whenever the zone has one and the step's condition holds."""
    if zone not in referenced_names(step, "zone", "from"):
        return False
    if isinstance(step, ChooseStep):
        one = not run.numbers.depends_on_seat(step, step.cards) or _at_least_one(step, run, zone)
        return step.who is None and not step.as_ and run.zone_named[zone].per == "seat" and one
    if isinstance(step, Dealing):
        return (
            step.who is None
            and not step.of
            and not step.such
            and not run.zone_named[step.to].layout
            and _at_least_one(step, run, zone)
        )
    return isinstance(step, MoveStep)


def _at_least_one(step: Dealing | ChooseStep, run: DryRun, zone: str) -> bool:
    """True if the number of cards of the step is at least 1 in every turn."""
    anything = _anything(run, zone, between(0, run.apart.all_cards))
    for players, formula in step.cards.cases if step.cards is not None else ():
        asked = players in {None, run.players} and ("name", "turn") in references(formula.expr)
        if asked or run.numbers.bounds_of(formula, anything)[0] < 1:
            return False
    return True
