"""Numbers of cards that deals and draws move, in a dry run."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from draftengine.model.diagnostics.catalog import diagnose
from draftengine.model.flow.positions import between, fewest, most

if TYPE_CHECKING:
    from collections.abc import Sequence

    from draftengine.model.flow.dry_run import DryRun
    from draftengine.model.flow.positions import Count, Position
    from draftengine.model.verbs.dealing import Dealing, DealStep, DrawStep


def count_deal(step: DealStep, run: DryRun, positions: list[Position]) -> list[Position]:
    return deal_all(step, run, positions, exact=True)


def count_draw(step: DrawStep, run: DryRun, positions: list[Position]) -> list[Position]:
    for position in positions:
        run.counts.use(step, sum(position.zones[run.zone_index[step.from_]]))
    return deal_all(step, run, positions, exact=False)


def deal_all(step: Dealing, run: DryRun, positions: list[Position], *, exact: bool) -> list[Position]:
    """Deal in every position; `exact` means that the source must hold enough cards."""
    if exact and not run.numbers.depends_on_seat(step, step.cards):
        positions = _with_enough(step, run, positions)
    dealt = max((_deal(step, run, position, exact=exact) for position in positions), default=0)
    run.counts.deal(step.to, dealt)
    return positions


def _deal(step: Dealing, run: DryRun, position: Position, *, exact: bool) -> int:
    """Deal in one position; return the most cards that this may be."""
    target = run.zone_index[step.to]
    places = len(run.zones[target].layout)
    if run.numbers.depends_on_seat(step, step.cards):
        # Deal a number of cards that depends on the seat; all numbers are read before the first deal.
        seats = run.seats_of(step.who, position)
        counts = [run.numbers.count_for(step, step.cards, position, seat) for seat in seats]
        return sum(_deal_to(step, run, position, seat, count) for seat, count in zip(seats, counts, strict=True))
    count = run.numbers.count(step.cards, position, places or 1, 0, or_none=not exact)
    if places and exact:
        _check_layout(step, run, position, count)
    if places:
        lying = position.zones[target][0]
        count = between(min(fewest(count), places - most(lying)), min(most(count), places - fewest(lying)))
    return sum(_deal_to(step, run, position, owner, count) for owner in _owners(step, run, position))


def _owners(step: Dealing, run: DryRun, position: Position) -> Sequence[int]:
    """Return the owners that get cards."""
    return (0,) if run.zone_named[step.to].per == "table" else run.seats_of(step.who, position)


def _deal_to(step: Dealing, run: DryRun, position: Position, owner: int, count: Count) -> int:
    """Deal to one owner; return the most cards that this may be."""
    source, target = run.zone_index[step.from_], run.zone_index[step.to]
    count = run.maybe(step.who, count)
    if step.of:  # the number of matching cards is unknown
        count = between(0, run.apart.all_cards if step.cards is None else most(count))
    taken = position.take(source, owner if run.zones[source].per == "seat" else 0, count)
    position.put(target, owner if run.zones[target].per == "seat" else 0, taken)
    return most(taken)


def _with_enough(step: Dealing, run: DryRun, positions: list[Position]) -> list[Position]:
    """Return the positions with enough cards; stop the others, or report the doubt."""
    short = [position for position in positions if _is_short(step, run, position)]
    if not short:
        return positions
    run.apart.tighten(short)
    short = [position for position in short if _is_short(step, run, position)]
    source = run.zone_index[step.from_]
    possible = [
        position
        for position in positions
        if position not in short or fewest(_needed(step, run, position)) <= sum(map(most, position.zones[source]))
    ]
    if short and run.stop_at(step) is None:
        needed, there = most(_needed(step, run, short[0])), sum(map(fewest, short[0].zones[source]))
        values: Any = {"needed": needed, "zone": step.from_, "there": there}
        perhaps = "" if short[0].exact else "-perhaps"
        if possible:
            run.doubt("deck-runs-out", step, f"doubt{perhaps}", **values)
        run.refuse("deck-runs-out", step, f"certain{perhaps}", **values)
    run.stop([position.copy() for position in short])
    for position in short if run.zones[source].per == "table" else ():
        least = fewest(_needed(step, run, position))
        (pile,) = position.zones[source]
        position.zones[source] = [between(max(fewest(pile), least), max(most(pile), least))]
    return possible


def _is_short(step: Dealing, run: DryRun, position: Position) -> bool:
    """True if there may be too few cards for the deal."""
    return most(_needed(step, run, position)) > sum(map(fewest, position.zones[run.zone_index[step.from_]]))


def _needed(step: Dealing, run: DryRun, position: Position) -> Count:
    """Return the number of cards that the deal needs, for all owners together."""
    count = run.numbers.count(step.cards, position, len(run.zone_named[step.to].layout) or 1, 0)
    owners = len(_owners(step, run, position))
    return between(fewest(count) * owners, most(count) * owners)


def _check_layout(step: Dealing, run: DryRun, position: Position, number: Count) -> None:
    target, count = run.zone_index[step.to], most(number)
    places = len(run.zones[target].layout)
    if count > places:
        run.refuse("layout-too-small", step, count=count, zone=step.to, places=places)
    if count < places and not any(finding.code == "layout-too-large" for finding in run.findings):
        run.findings.append(diagnose("layout-too-large", step.span, count=count, zone=step.to, places=places))
    if most(position.zones[target][0]):
        run.refuse("zone-misuse", step, "still-full", zone=step.to)
