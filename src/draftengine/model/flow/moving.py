"""The steps that move cards or give markers, as a dry run follows them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec import Struct

from draftengine.model.cardset.records import DECK
from draftengine.model.diagnostics import diagnose
from draftengine.model.flow.positions import between, distinct, fewest, most
from draftengine.model.verbs.give import NOBODY, Ranked

if TYPE_CHECKING:
    from collections.abc import Sequence

    from draftengine.model.flow.dry_run import DryRun
    from draftengine.model.flow.positions import Count, Position
    from draftengine.model.records.reader import ByPlayerCount
    from draftengine.model.verbs.choose import ChooseStep
    from draftengine.model.verbs.dealing import Dealing, DealStep, DrawStep
    from draftengine.model.verbs.give import GiveStep
    from draftengine.model.verbs.piles import ClearStep, GatherStep, MoveStep, PassStep


# ── whole zones, and markers ──


def count_move(step: MoveStep, run: DryRun, positions: list[Position]) -> list[Position]:
    source, target = run.zone_index[step.from_], run.zone_index[step.to]
    shared = run.zones[target].per == "table"
    run.counts.reveals += step.played
    for position in positions:
        run.counts.use(step, sum(position.zones[source]))
        for owner, size in enumerate(position.zones[source]):
            if run.lists.seat not in {None, owner} and run.zones[source].per == "seat":
                continue
            position.zones[source][owner] = 0
            position.put(target, 0 if shared else owner, size)
            if run.zones[target].counts and not run.zones[source].counts:
                run.counts.lay(position, owner, size, 0)
    return run.triggered("reveal", run.lists.run_pending(positions)) if step.played else positions


def count_clear(step: ClearStep, run: DryRun, positions: list[Position]) -> list[Position]:
    return empty(step.zone, run, positions)


def count_gather(step: GatherStep, run: DryRun, positions: list[Position]) -> list[Position]:
    target, after = run.zone_index[step.zone], positions
    for kind in run.zones:
        if kind.counts:
            after = empty(kind.id, run, after)
    for position in after:
        total: Count = 0
        for zone, owners in enumerate(position.zones):
            if not run.zones[zone].counts:
                total = sum(owners, total)
                owners[:] = [0] * len(owners)
        for zone, begin, stay in run.game.begun_apart:
            if zone != target:
                position.put(zone, 0, between(begin - stay, begin))
                total = between(max(0, fewest(total) - begin), max(0, most(total) - begin + stay))
        position.put(target, 0, total)
        position.look()
    return distinct(after)


def empty(name: str, run: DryRun, positions: list[Position]) -> list[Position]:
    """Discard the cards of a zone where cards add to counters, except cards with `keep`."""
    run.counts.clearings += 1
    zone, discard, after = run.zone_index[name], run.zone_index["discard"], []
    leaving = run.apart.all_cards - run.game.kept_cards
    for position in positions:
        waiting = sum(fewest(position.zones[supply][0]) for supply in run.supply_zones)
        highest = min(run.game.kept_cards - waiting, sum(map(most, position.zones[zone])))
        possibly_kept = {0, highest} if run.game.recirculates or highest == 0 else {highest}
        for kept in possibly_kept:
            following = position.copy()
            elsewhere = sum(
                most(cell)
                for index, owners in enumerate(following.zones)
                if index != zone and index not in run.supply_zones
                for cell in owners
            )
            before, left = following.zones[discard][0], kept
            for seat, size in enumerate(following.zones[zone]):
                following.put(discard, 0, following.take_all_but(zone, seat, left))
                # If cards never come back, no step depends on whose cards stay, so each seat may keep the most.
                if run.game.recirculates:
                    left -= min(most(size), left)
            discarded = following.zones[discard][0]
            if not isinstance(discarded, int):
                # Cards without `keep` never lie in a supply zone. Those that do not fit elsewhere must lie here.
                low, high = fewest(before) + max(0, leaving - elsewhere), most(before) + run.game.cards_to_clear
                following.zones[discard][0] = between(max(fewest(discarded), low), max(low, min(most(discarded), high)))
            if zone == run.zone_index["tableau"]:
                following.laid = [0] * run.seats
            after.append(following)
    return distinct(after)


def count_pass(step: PassStep, run: DryRun, positions: list[Position]) -> list[Position]:
    zone, players = run.zone_index[step.zone], run.players
    left = step.to[(max(run.round, 1) - 1) % len(step.to)] == "left"
    for position in positions:
        sizes = position.zones[zone]
        run.counts.use(step, sum(sizes[:players]))
        if left:
            sizes[:players] = [sizes[players - 1], *sizes[: players - 1]]
        else:
            sizes[:players] = [*sizes[1:players], sizes[0]]
    return positions


def count_give(step: GiveStep, run: DryRun, positions: list[Position]) -> list[Position]:
    """Give a marker to a seat. In a ranking, any player may get it, or the seat that gets it in a tie."""
    ranked = isinstance(step.to, Ranked)
    to = step.otherwise if isinstance(step.to, Ranked) else step.to
    for position in positions:
        taker = holder = run.holder(step.marker, position)
        if to == "nobody":
            taker = NOBODY
        elif holder != NOBODY and to != "stays":
            taker = (holder + (1 if to == "left" else -1)) % run.players
        position.hold(run.markers[step.marker], frozenset({taker, *(range(run.players) if ranked else ())}))
    return positions


# ── deals and draws ──


def count_deal(step: DealStep, run: DryRun, positions: list[Position]) -> list[Position]:
    return deal_all(step, run, positions, exact=True)


def count_draw(step: DrawStep, run: DryRun, positions: list[Position]) -> list[Position]:
    for position in positions:
        run.counts.use(step, sum(position.zones[run.zone_index[step.from_]]))
    return deal_all(step, run, positions, exact=False)


def deal_all(step: Dealing, run: DryRun, positions: list[Position], *, exact: bool) -> list[Position]:
    """Deal cards in every position. With `exact`, the source must have enough cards."""
    if exact and not run.numbers.depends_on_seat(step, step.cards):
        positions = _with_enough(step, run, positions)
    dealt = max((_deal(step, run, position, exact=exact) for position in positions), default=0)
    run.counts.deal(step.to, dealt)
    return positions


def _deal(step: Dealing, run: DryRun, position: Position, *, exact: bool) -> int:
    """Deal cards in one position, and return the most cards that can have been dealt."""
    target = run.zone_index[step.to]
    places = len(run.zones[target].layout)
    if run.numbers.depends_on_seat(step, step.cards):
        # All numbers of cards are read before the first deal, which may change them.
        seats = run.seats_of(step.who, position)
        counts = [run.numbers.count_for(step, step.cards, position, seat) for seat in seats]
        return sum(_deal_to(step, run, position, seat, count) for seat, count in zip(seats, counts, strict=True))
    count = run.numbers.count(step.cards, position, places or 1, 0, or_none=not exact)
    if places:
        lying = position.zones[target][0]
        if exact and most(count) > places:
            run.refuse("layout-too-small", step, count=most(count), zone=step.to, places=places)
        if exact and most(count) < places and not any(finding.code == "layout-too-large" for finding in run.findings):
            finding = diagnose("layout-too-large", step.span, count=most(count), zone=step.to, places=places)
            run.findings.append(finding)
        if exact and most(lying):
            run.refuse("zone-misuse", step, "still-full", zone=step.to)
        count = between(min(fewest(count), places - most(lying)), min(most(count), places - fewest(lying)))
    return sum(_deal_to(step, run, position, owner, count) for owner in _owners(step, run, position))


def _owners(step: Dealing, run: DryRun, position: Position) -> Sequence[int]:
    """Return the owners who get cards; only owner 0 if the target is a shared zone."""
    return (0,) if run.zone_named[step.to].per == "table" else run.seats_of(step.who, position)


def _deal_to(step: Dealing, run: DryRun, position: Position, owner: int, count: Count) -> int:
    """Deal cards to one owner, and return the most cards that the owner can have got."""
    source, target = run.zone_index[step.from_], run.zone_index[step.to]
    count = run.maybe(step.who, count)
    if step.of or step.such:  # the number of matching cards is unknown
        count = between(0, run.apart.all_cards if step.cards is None else most(count))
    taken = position.take(source, owner if run.zones[source].per == "seat" else 0, count)
    position.put(target, owner if run.zones[target].per == "seat" else 0, taken)
    return most(taken)


def _with_enough(step: Dealing, run: DryRun, positions: list[Position]) -> list[Position]:
    """Return the positions in which there are enough cards for a deal.

    In the others, the game stops. A finding is reported if no `Stop` is known there. A deal that never has enough cards
    is refused if its pile is the deck or empty. From another pile, which may be just a part of the box, it deals what
    there is.
    """
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
        if step.from_ != DECK and any(most(pile) for position in short for pile in position.zones[source]):
            run.doubt("deck-runs-out", step, f"short{perhaps}", **values)
        run.refuse("deck-runs-out", step, f"certain{perhaps}" if step.from_ == DECK else "empty", **values)
    if (stop := run.stop_at(step)) and stop.short:
        return positions
    run.stop([position.copy() for position in short])
    for position in short if run.zones[source].per == "table" else ():
        least = fewest(_needed(step, run, position))
        (pile,) = position.zones[source]
        position.zones[source] = [between(max(fewest(pile), least), max(most(pile), least))]
    return possible


def _is_short(step: Dealing, run: DryRun, position: Position) -> bool:
    """True if the source may have fewer cards than the deal needs."""
    return most(_needed(step, run, position)) > sum(map(fewest, position.zones[run.zone_index[step.from_]]))


def _needed(step: Dealing, run: DryRun, position: Position) -> Count:
    """Return the number of cards that all owners together need for the deal."""
    count = run.numbers.count(step.cards, position, len(run.zone_named[step.to].layout) or 1, 0)
    owners = len(_owners(step, run, position))
    return between(fewest(count) * owners, most(count) * owners)


# ── choices ──


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
                source, target = run.zone_index[step.from_], run.zone_index[step.to]
                owner = seat if run.zones[source].per == "seat" else 0
                cards = run.numbers.count_for(step, step.cards, position, seat, least=1)
                wanted: list[tuple[int, Count]] = [(seat, run.maybe(step.who, cards))]
                wanted += [
                    (run.extra[also.seat], also.cards) for also in step.also if run.holder(also.by, position) == seat
                ]
                cards = 0
                for receiver, count in wanted:
                    taken = position.take(source, owner, count)
                    position.put(target, receiver if run.zones[target].per == "seat" else 0, taken)
                    cards += taken
                    if plays:
                        run.counts.lay(
                            position, receiver, taken, position.zones[source][owner] if receiver == seat else 0
                        )
                run.counts.use(step, cards)
            else:
                run.counts.use(step, _go(step, run, position, seat, open_ways))
    if step.as_:
        positions = run.triggered("way", run.lists.run_one_of(run.game.lists_of(step), positions))
    return run.triggered("reveal", run.lists.run_pending(positions)) if plays else positions


class _OpenWays(Struct, frozen=True):
    """The actions of a choice, as far as the numbers of cards depend on them.

    Actions that take equal numbers of cards to the same zone are merged.
    """

    each: tuple[tuple[str, str, ByPlayerCount | None, bool], ...]
    """For each action, its source, target and number of cards, and if a seat may have too few cards."""
    targets: tuple[tuple[str, bool], ...]
    """The zones to which cards can go, each with True if cards are played by going there."""
    sure: bool
    """True if some action is always open to a seat that has a card."""

    @classmethod
    def of(cls, step: ChooseStep, run: DryRun) -> _OpenWays:
        each = (
            (
                step.sources[0] if way.takes_none else way.from_ or step.from_,
                way.to or step.to,
                way.cards or step.cards,
                bool(way.of or way.such) and not way.exactly,
            )
            for way in step.as_
        )
        known = {
            (zone, to, cases and tuple((count, formula.text) for count, formula in cases.cases), fewer): way
            for way in each
            for zone, to, cases, fewer in (way,)
        }
        targets = tuple((target, step.plays_into(target, run.zone_named)) for target in step.targets)
        # Every seat that has a card surely has an open action if one without condition and cost allows any card, or if
        # several such actions together allow every card.
        free = [way for way in step.as_ if not (way.open_if or way.pay or way.exactly)]
        names, cards = {name for way in free for name in way.of}, run.game.names
        sure = any(not way.of for way in free) or (bool(cards) and not any(map(names.isdisjoint, cards)))
        return cls(tuple(known.values()), targets, sure)


def _go(step: ChooseStep, run: DryRun, position: Position, seat: int, ways: _OpenWays) -> Count:
    """Let a seat take any action, or none if it may have no open action. Return the number of cards.

    Return 1 if some action takes no card, because the choice then has an effect even without cards.
    """
    sources = [run.zone_index[source] for source, *_ in ways.each]
    owners = [seat if run.zones[source].per == "seat" else 0 for source in sources]
    lying = [position.zones[source][owner] for source, owner in zip(sources, owners, strict=True)]
    wanted = [run.maybe(step.who, run.numbers.count_for(step, cases, position, seat)) for *_, cases, _ in ways.each]
    some = [fewer for *_, fewer in ways.each]
    wanted = [
        between(min(1, fewest(count)), most(count)) if less else count for count, less in zip(wanted, some, strict=True)
    ]
    if not ways.sure:
        wanted = [between(0, most(count)) for count in wanted]
    if len({*sources}) > 1:  # cards of any of them may stay where they are
        wanted = [between(0, most(count)) for count in wanted]
    taken = [
        between(min(fewest(has), fewest(count)), min(most(has), most(count)))
        for has, count in zip(lying, wanted, strict=True)
    ]
    for target, plays in ways.targets:
        there = [cards if to == target else 0 for (_, to, _, _), cards in zip(ways.each, taken, strict=True)]
        cards = between(min(map(fewest, there)), max(map(most, there)))
        zone = run.zone_index[target]
        position.put(zone, seat if run.zones[zone].per == "seat" else 0, cards)
        if plays:
            run.counts.lay(position, seat, cards, max(lying, key=most))
    gone: Count = 0
    for source, owner in dict.fromkeys(zip(sources, owners, strict=True)):
        counts = [count for count, zone in zip(wanted, sources, strict=True) if zone == source]
        left = position.take(source, owner, between(min(map(fewest, counts)), max(map(most, counts))))
        gone = max(gone, left, key=most)
    return gone if all(map(most, wanted)) else 1
