"""Numbers of cards that choices move, in a dry run."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from draftengine.model.flow.positions import between, fewest, most

if TYPE_CHECKING:
    from collections.abc import Collection

    from draftengine.model.flow.dry_run import DryRun
    from draftengine.model.flow.positions import Count, Position
    from draftengine.model.records.values import ByPlayerCount
    from draftengine.model.verbs.choose import ChooseStep


def count_choose(step: ChooseStep, run: DryRun, positions: list[Position]) -> list[Position]:
    plays = step.plays(run.zone_named)
    if plays:
        run.counts.reveals += 2 if run.late else 1
    if step.as_:
        run.counts.choices += 1
    open_ways = _OpenWays.of(step, run) if step.as_ else None
    for position in positions:
        for seat in run.seats_of(step.who, position):
            if open_ways is None:
                run.counts.use(step, _take(step, run, position, seat, plays=plays))
            else:
                run.counts.use(step, _go(step, run, position, seat, open_ways))
    if step.as_:
        positions = run.triggered("way", run.lists.run_one_of(run.game.lists_of(step), positions))
    return run.triggered("reveal", run.lists.run_pending(positions)) if plays else positions


def _take(step: ChooseStep, run: DryRun, position: Position, seat: int, *, plays: bool) -> Count:
    """Take the cards that a seat chooses for itself and for extra seats; return their number."""
    source, target = run.zone_index[step.from_], run.zone_index[step.to]
    owner = seat if run.zones[source].per == "seat" else 0
    cards = run.numbers.count_for(step, step.cards, position, seat, 1, 1)
    wanted: list[tuple[int, Count]] = [(seat, run.maybe(step.who, cards))]
    wanted += [(run.extra[also.seat], also.cards) for also in step.also if run.holder(also.by, position) == seat]
    cards = 0
    for receiver, count in wanted:
        taken = position.take(source, owner, count)
        position.put(target, receiver if run.zones[target].per == "seat" else 0, taken)
        cards += taken
        if plays:
            run.counts.lay(position, receiver, taken, position.zones[source][owner] if receiver == seat else 0)
    return cards


class _OpenWays(Struct, frozen=True):
    """The actions of a choice for the dry run, which knows only numbers of cards.

    Actions that take equally many cards to the same zone are merged.
    """

    each: tuple[tuple[str, ByPlayerCount | None, bool], ...]
    """Target, number of cards, and whether fewer may be taken because not every card is allowed."""
    targets: tuple[tuple[str, bool], ...]
    """The zones to which cards can go, and whether cards are played there."""
    sure: bool
    """True if every seat with a card has an open action."""

    @classmethod
    def of(cls, step: ChooseStep, run: DryRun) -> _OpenWays:
        each = ((way.to or step.to, way.cards or step.cards, bool(way.of) and not way.exactly) for way in step.as_)
        known = {
            (to, cases and tuple((count, formula.text) for count, formula in cases.cases), fewer): (to, cases, fewer)
            for to, cases, fewer in each
        }
        targets = tuple((target, step.plays_into(target, run.zone_named)) for target in step.targets)
        return cls(tuple(known.values()), targets, _is_sure(step, run.game.names))


def _go(step: ChooseStep, run: DryRun, position: Position, seat: int, ways: _OpenWays) -> Count:
    """Let a seat take any action, or none if none is open; return the number of cards.

    An action without cards counts as one.
    """
    source = run.zone_index[step.from_]
    owner = seat if run.zones[source].per == "seat" else 0
    has = position.zones[source][owner]
    wanted = [run.maybe(step.who, run.numbers.count_for(step, cases, position, seat)) for _, cases, _ in ways.each]
    some = [fewer for _, _, fewer in ways.each]
    wanted = [
        between(min(1, fewest(count)), most(count)) if less else count for count, less in zip(wanted, some, strict=True)
    ]
    if not ways.sure:
        wanted = [between(0, most(count)) for count in wanted]
    taken = [between(min(fewest(has), fewest(count)), min(most(has), most(count))) for count in wanted]
    for target, plays in ways.targets:
        there = [cards if to == target else 0 for (to, _, _), cards in zip(ways.each, taken, strict=True)]
        cards = between(min(map(fewest, there)), max(map(most, there)))
        zone = run.zone_index[target]
        position.put(zone, seat if run.zones[zone].per == "seat" else 0, cards)
        if plays:
            run.counts.lay(position, seat, cards, position.zones[source][owner])
    gone = position.take(source, owner, between(min(map(fewest, wanted)), max(map(most, wanted))))
    return gone if all(map(most, wanted)) else 1


def _is_sure(step: ChooseStep, cards: Collection[frozenset[str]]) -> bool:
    """True if every seat with a card is certain to have an open action.

    That takes a free action for every card, or several that together allow every card. `cards` has one set for each
    card: the names by which actions can mean it.
    """
    free = [way for way in step.as_ if not (way.when or way.pay or way.exactly)]
    names = {name for way in free for name in way.of}
    return any(not way.of for way in free) or (bool(cards) and not any(map(names.isdisjoint, cards)))
