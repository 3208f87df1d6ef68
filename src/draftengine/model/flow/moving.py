"""Numbers of cards that move together, and holders of markers, in a dry run."""

from __future__ import annotations

from typing import TYPE_CHECKING

from draftengine.model.flow.positions import between, distinct, fewest, most
from draftengine.model.verbs.give import NOBODY, Ranked

if TYPE_CHECKING:
    from draftengine.model.flow.dry_run import DryRun
    from draftengine.model.flow.positions import Count, Position
    from draftengine.model.verbs.give import GiveStep, Tie
    from draftengine.model.verbs.piles import ClearStep, GatherStep, MoveStep, PassStep


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
    """Discard the cards of a zone that counts, except those that stay."""
    run.counts.clearings += 1
    zone, after = run.zone_index[name], []
    for position in positions:
        waiting = sum(fewest(position.zones[larder][0]) for larder in run.larders)
        highest = min(run.game.kept_cards - waiting, sum(map(most, position.zones[zone])))
        possibly_kept = {0, highest} if run.game.recirculates or highest == 0 else {highest}
        for kept in possibly_kept:
            following = position.copy()
            _empty(run, following, zone, kept)
            after.append(following)
    return distinct(after)


def _empty(run: DryRun, position: Position, zone: int, kept: int) -> None:
    leaving = run.apart.all_cards - run.game.kept_cards
    larders = {id(position.zones[larder]) for larder in run.larders}
    elsewhere = sum(
        most(cell)
        for owners in position.zones
        if owners is not position.zones[zone] and id(owners) not in larders
        for cell in owners
    )
    discard = run.zone_index["discard"]
    before = position.zones[discard][0]
    for seat, size in enumerate(position.zones[zone]):
        position.put(discard, 0, position.take_all_but(zone, seat, kept))
        # Without recirculation no step depends on whose cards stay, so each seat may keep the most.
        if run.game.recirculates:
            kept -= min(most(size), kept)
    after = position.zones[discard][0]
    if not isinstance(after, int):
        # Cards without `keep` never lie in a larder. Those that do not fit elsewhere must lie here.
        low, high = fewest(before) + max(0, leaving - elsewhere), most(before) + leaving
        position.zones[discard][0] = between(max(fewest(after), low), max(low, min(most(after), high)))
    if zone == run.zone_index["tableau"]:
        position.laid = [0] * run.seats


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
    for position in positions:
        holder = run.holder(step.marker, position)
        ranked = isinstance(step.to, Ranked)
        takers = {_neighbour(holder, step.otherwise if isinstance(step.to, Ranked) else step.to, run.players)}
        position.hold(run.markers[step.marker], frozenset(takers.union(range(run.players) if ranked else ())))
    return positions


def _neighbour(holder: int, to: Tie, players: int) -> int:
    if to == "nobody":
        return NOBODY
    if holder == NOBODY or to == "stays":
        return holder
    return (holder + (1 if to == "left" else -1)) % players
