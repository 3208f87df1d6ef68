"""Repeats that end because a zone only shrinks: nothing brings cards there, and every turn takes some away."""

from __future__ import annotations

from typing import TYPE_CHECKING

from draftengine.model.language.evaluate import references
from draftengine.model.language.every_case import one_holds
from draftengine.model.language.tree import BooleanLiteral
from draftengine.model.records.record import referenced_names
from draftengine.model.verbs import choose, deal, move, shuffle
from draftengine.model.verbs.positions import Position, between, fewest, most

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from draftengine.model.flow import DryRun
    from draftengine.model.language.tree import Expr
    from draftengine.model.verbs.positions import Count
    from draftengine.model.verbs.repeat import RepeatStep
    from draftengine.model.verbs.verb import Step


def most_turns(step: RepeatStep, run: DryRun, positions: list[Position]) -> int | None:
    """How many turns a repeat has at most because of the cards that lie in a zone; ``None`` if none only shrinks."""
    if id(step) not in run.termination:
        run.termination[id(step)] = tuple(_zones(step, run))
    turns = (max(_most_in(at, own, run) for own in positions) - left for at, left in run.termination[id(step)])
    return max(0, least) if (least := min(turns, default=None)) is not None else None


def _most_in(zone: int, position: Position, run: DryRun) -> int:
    """How many cards lie in a zone at most: no more than there are, but for those that lie elsewhere."""
    elsewhere = sum(fewest(own) for at, cells in enumerate(position.zones) if at != zone for own in cells)
    return min(sum(map(most, position.zones[zone])), run.apart.all_cards - elsewhere)


def _zones(step: RepeatStep, run: DryRun) -> Iterator[tuple[int, int]]:
    """The zones that only shrink, and with how many cards there at most the repeat ends."""
    inside = [*_all_in(step.do)]
    inside += [own for steps, _ in run.game.lists for own in _all_in(steps)]
    inside += [own for lists in run.game.lists_after.values() for steps in lists for own in _all_in(steps)]
    filled = {"tableau", "discard", *run.game.uncertain_zones}.union(*(referenced_names(own, "zone", "to") for own in inside))
    for zone in run.zone_index.keys() - filled:
        takes = _always_takes(step.do, zone, run)
        ends = [own for own in range(run.apart.all_cards) if _ends_with(step, run, zone, own)] if takes else []
        if ends:
            yield run.zone_index[zone], ends[-1]


def _all_in(steps: Iterable[Step]) -> Iterator[Step]:
    """Steps, and all steps within them and in their branches."""
    for own in steps:
        yield own
        yield from _all_in(own.within)
        for _, branch in own.branches:
            yield from _all_in(branch)


def _anything(run: DryRun, zone: str, cards: Count) -> Position:
    """Any position in which so many cards lie in a zone."""
    anywhere, nothing = between(0, run.apart.all_cards), [0] * run.seats
    zones = [[cards if at == run.zone_index[zone] else anywhere] * len(own) for at, own in enumerate(run.counts.largest)]
    found = Position(zones, [frozenset(range(-1, run.seats))] * len(run.markers), nothing[:], nothing[:])
    found.exact = False
    return found


def _ends_with(step: RepeatStep, run: DryRun, zone: str, cards: int) -> bool:
    """Does a repeat end if there are at most so many cards in a zone, whatever else holds."""
    if step.until is None:
        return step.until_empty == zone and cards == 0
    shared = run.zone_named[zone].per == "table"
    return (shared or cards == 0) and run.numbers.truth(step.until, _anything(run, zone, between(0, cards))) is True


def _always_takes(steps: Sequence[Step], zone: str, run: DryRun) -> bool:
    """Does a step always take a card away from a zone, if there is one: one in each case, if all have conditions."""
    taking = [at for at, own in enumerate(steps) if _takes(own, zone, run)]
    for first in taking:
        conditions: list[Expr] = []
        for at in range(first, taking[-1] + 1):
            if at in taking:
                when = steps[at].when
                conditions.append(when.expr if when is not None else BooleanLiteral(value=True))
                if one_holds(conditions):
                    return True
            if not all(_leaves_alone(steps[at], condition, run) for condition in conditions):
                break
    return False


def _leaves_alone(own: Step, condition: Expr, run: DryRun) -> bool:
    """Does a step certainly change nothing of what a condition asks: it only moves cards that it does not look at."""
    quiet = (choose.ChooseStep, deal.Dealing, move.MoveStep, shuffle.ShuffleStep)
    zones = referenced_names(own, "zone")
    if not isinstance(own, quiet) or own.branches or any(run.zone_named[zone].counts for zone in zones):
        return False
    if isinstance(own, choose.ChooseStep) and run.game.abilities:  # a card that counted may be used with it
        return False
    return zones.isdisjoint(name for _, name in references(condition))


def _takes(own: Step, zone: str, run: DryRun) -> bool:
    """Does a step take a card away from a zone, if there is one and its condition holds."""
    if zone not in referenced_names(own, "zone", "from"):
        return False
    if isinstance(own, choose.ChooseStep):
        one = not run.numbers.depends_on_seat(own, own.cards) or _at_least_one(own, run, zone)
        return own.who is None and not own.as_ and run.zone_named[zone].per == "seat" and one
    if isinstance(own, deal.Dealing):
        return own.who is None and not own.of and not run.zone_named[own.to].layout and _at_least_one(own, run, zone)
    return isinstance(own, move.MoveStep)


def _at_least_one(own: deal.Dealing | choose.ChooseStep, run: DryRun, zone: str) -> bool:
    """Is it at least one card that a step asks for, in every turn."""
    anything = _anything(run, zone, between(0, run.apart.all_cards))
    for players, formula in own.cards.cases if own.cards is not None else ():
        asked = players in {None, run.players} and ("name", "turn") in references(formula.expr)
        if asked or run.numbers.bounds_of(formula, anything)[0] < 1:
            return False
    return True
