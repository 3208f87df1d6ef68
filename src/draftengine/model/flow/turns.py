"""Repeats, seats acting in turn, scoring and ends of rounds and games, as a dry run follows them.

A repeat surely ends if a zone only shrinks: no step brings cards there, and every turn takes at least one card away
(`most_turns`). Cards may be put aside in another zone and come back, if both zones together shrink.
"""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

from draftengine.model.flow.positions import Position, between, fewest, most
from draftengine.model.language.builtins import HAS
from draftengine.model.language.certainty import one_holds
from draftengine.model.language.evaluate import references
from draftengine.model.language.tree import BooleanLiteral, Call, Comparison, Name, Number
from draftengine.model.records import formulas_in, referenced_names
from draftengine.model.verbs.choose import ChooseStep
from draftengine.model.verbs.dealing import Dealing
from draftengine.model.verbs.piles import FlipStep, MoveStep, ShuffleStep
from draftengine.model.verbs.turns import DoStep, InTurnStep

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from draftengine.model.flow.dry_run import DryRun
    from draftengine.model.flow.positions import Count
    from draftengine.model.flow.tally import TurnStart
    from draftengine.model.language.environment import Range
    from draftengine.model.language.tree import Expr
    from draftengine.model.records.reader import ByPlayerCount, Formula
    from draftengine.model.verbs.actions import Way
    from draftengine.model.verbs.turns import EndStep, RepeatStep, ScoreStep
    from draftengine.model.verbs.verb import Step


def most_turns(step: RepeatStep, run: DryRun, positions: list[Position]) -> int | None:
    """Return the most turns of a repeat that ends because a zone only shrinks; None for other repeats.

    At first, the zone has at most the cards that are not in other zones.
    """
    if id(step) not in run.termination:
        run.termination[id(step)] = tuple(_zones(step, run))
    turns = []
    for zones, left in run.termination[id(step)]:
        sizes = []
        for position in positions:
            inside = chain.from_iterable(position.zones[zone] for zone in zones)
            others = chain.from_iterable(cells for index, cells in enumerate(position.zones) if index not in zones)
            sizes.append(min(sum(map(most, inside)), run.apart.all_cards - sum(map(fewest, others))))
        turns.append(max(sizes) - left)
    return max(0, min(turns)) if turns else None


def _zones(step: RepeatStep, run: DryRun) -> Iterator[tuple[frozenset[int], int]]:
    """Yield the zones that only shrink, as (indices, number of cards with which the repeat surely ends).

    There are two indices if cards of one zone are put aside in another and come back.
    """
    inside = [*_with_branches(step.do)]
    lists = [inner for steps, _ in run.game.lists for inner in _with_branches(steps)]
    lists += [inner for lists in run.game.lists_after.values() for steps in lists for inner in _with_branches(steps)]
    always = {"tableau", "discard", *run.game.uncertain_zones}
    always = always.union(*(referenced_names(inner, "zone", "to") for inner in lists))
    for zone in run.zone_index.keys() - always:
        others = {inner.to for inner in inside if isinstance(inner, ChooseStep) and inner.sources == (zone,)} - always
        for aside in (frozenset[str](), *(frozenset({other}) for other in others)):
            together = aside | {zone}
            takes = not any(_fills(inner, together) for inner in inside) and _always_takes(step.do, zone, aside, run)
            ends = [left for left in range(run.apart.all_cards) if _ends_with(step, run, zone, left)] if takes else []
            if ends:
                yield frozenset(run.zone_index[name] for name in together), ends[-1]


def _fills(step: Step, zones: frozenset[str]) -> bool:
    """True if a step may bring cards to these zones from another zone."""
    to = referenced_names(step, "zone", "to")
    moves = isinstance(step, MoveStep) or (isinstance(step, ChooseStep) and (step.between or not step.as_))
    return not to.isdisjoint(zones) and not (moves and {*to, *referenced_names(step, "zone", "from")} == zones)


def _with_branches(steps: Iterable[Step]) -> Iterator[Step]:
    """Yield these steps, all steps within them, and all steps in their branches."""
    for step in steps:
        yield step
        yield from _with_branches(step.within)
        for _, branch in step.branches:
            yield from _with_branches(branch)


def _anything(run: DryRun, zone: str, cards: Count) -> Position:
    """Return a position in which `zone` has `cards` cards; everything else is unknown."""
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


def _always_takes(steps: Sequence[Step], zone: str, aside: frozenset[str], run: DryRun) -> bool:
    """True if every turn takes a card from the zone, provided that the zone has one when the turn begins.

    After a step has put cards into the zones `aside`, the zone may be empty until another step brings them back.
    """
    stretches: list[list[Step]] = [[]]
    is_there = True
    for step in steps:
        if any(not referenced_names(inner, "zone", "to").isdisjoint(aside) for inner in _with_branches([step])):
            is_there = False
        elif isinstance(step, MoveStep) and (step.from_, step.to, step.when, step.who) == (*aside, zone, None, None):
            is_there = True
            stretches.append([])
        elif is_there:
            stretches[-1].append(step)
    return any(_surely_takes(stretch, zone, run) for stretch in stretches)


def _surely_takes(steps: Sequence[Step], zone: str, run: DryRun, *, rolled: bool = False) -> bool:
    """True if the steps take a card from the zone, provided that it has one.

    Either one step always does, or several steps do whose conditions cover every case together. With `rolled`, all dice
    in the zone show a side.
    """
    taking = []
    for index, step in enumerate(steps):
        if isinstance(step, FlipStep) and step.at_random:
            rolled |= (step.zone, step.of, step.when, step.who) == (zone, (), None, None)
        taking += [index] if _takes(step, zone, run, rolled=rolled) else []
    for first in taking:
        conditions: list[Expr] = []
        for index in range(first, taking[-1] + 1):
            if index in taking:
                when = steps[index].when
                always = BooleanLiteral(value=True)
                conditions.append(always if when is None or _asked(when.expr, zone) == _ANY else when.expr)
                if one_holds(conditions):
                    return True
            if not all(_leaves_alone(steps[index], condition, run) for condition in conditions):
                break
    return False


def _leaves_alone(step: Step, condition: Expr, run: DryRun) -> bool:
    """True if a step cannot change a condition: it moves cards, but between zones that this does not read."""
    quiet = (ChooseStep, Dealing, MoveStep, ShuffleStep)
    zones = referenced_names(step, "zone")
    if not isinstance(step, quiet) or step.branches or any(run.zone_named[zone].counts for zone in zones):
        return False
    if isinstance(step, ChooseStep) and run.game.abilities:  # an ability used with the choice moves a card of its own
        return False
    return zones.isdisjoint(name for _, name in references(condition))


_ANY = ""
"""In place of the name of a kind of cards: cards of any kind."""


def _asked(expr: Expr, zone: str) -> str | None:
    """Return the kind of cards that a condition requires in the zone; ``None`` for other conditions."""
    match expr:
        case Comparison(">" | "!=", Call("cards", (Name(asked), *what)), Number(0)) | Comparison(
            ">=", Call("cards", (Name(asked), *what)), Number(1)
        ) if asked == zone and all(isinstance(name, Name) for name in what):
            return next((name.id.removeprefix(HAS) for name in what if isinstance(name, Name)), _ANY)
    return None


def _takes(step: Step, zone: str, run: DryRun, *, rolled: bool = False) -> bool:
    """True if a step takes a card from the zone whenever the zone has one and the step's condition holds."""
    of_seats = run.zone_named[zone].per == "seat"
    if isinstance(step, InTurnStep | DoStep):
        # Every seat that has cards there does the steps within: no extra seat does.
        of_seats &= run.seats == run.players
        who = step.who.condition(step.span).expr if step.who is not None and not step.who.is_everyone else None
        everybody = (who is None or _asked(who, zone) == _ANY) and getattr(step, "passes", None) is None
        return of_seats and everybody and _surely_takes(step.do, zone, run, rolled=rolled)
    if isinstance(step, ChooseStep) and step.as_:
        return step.who is None and of_seats and _every_way_takes(step, zone, run, rolled=rolled)
    if zone not in referenced_names(step, "zone", "from"):
        return False
    if isinstance(step, ChooseStep):
        one = not run.numbers.depends_on_seat(step, step.cards) or _at_least_one(step.cards, run, zone)
        return step.who is None and of_seats and one
    if isinstance(step, Dealing):
        return (
            step.who is None
            and not step.of
            and not step.such
            and not run.zone_named[step.to].layout
            and _at_least_one(step.cards, run, zone)
        )
    return isinstance(step, MoveStep)


def _every_way_takes(step: ChooseStep, zone: str, run: DryRun, *, rolled: bool) -> bool:
    """True if some action is open to every seat that has cards in the zone, and each takes one of these."""
    open_for = set[str]()
    for way in step.as_:
        kind = None if way.open_if is None else _asked(way.open_if.expr, zone)
        if way.ask or not _way_takes(way, step, zone, kind, run):
            return False
        if not (way.pay or way.exactly) and (way.open_if is None or kind is not None):
            open_for |= {*way.of} & ({kind} if kind else {*way.of}) if way.of else {kind or _ANY}
    kinds = run.game.kinds_in(zone, rolled=rolled)
    return _ANY in open_for or (bool(kinds) and not any(map(open_for.isdisjoint, kinds)))


def _way_takes(way: Way, step: ChooseStep, zone: str, kind: str | None, run: DryRun) -> bool:
    """True if an action takes a card from the zone. If `kind` is not ``None``, such a card is there."""
    if way.takes_none:
        draws = (inner for inner in way.do if isinstance(inner, Dealing | MoveStep) and inner.from_ == zone)
        return any(
            (inner.who, inner.when, inner.such) == (None, None, None)
            and (kind in inner.of if inner.of else kind is not None)
            and _at_least_one(inner.cards, run, zone)
            for inner in draws
        )
    cases = way.cards or step.cards
    numbers = [formula.expr for _, formula in cases.cases] if cases is not None else []
    all_of_kind = kind is not None and all(_asked(Comparison(">", it, Number(0)), zone) == kind for it in numbers)
    return (way.from_ or step.from_) == zone and (all_of_kind or _at_least_one(cases, run, zone))


def _at_least_one(cases: ByPlayerCount | None, run: DryRun, zone: str) -> bool:
    """True if a number of cards is at least 1 in every turn."""
    anything = _anything(run, zone, between(0, run.apart.all_cards))
    for players, formula in cases.cases if cases is not None else ():
        asked = players in {None, run.players} and ("name", "turn") in references(formula.expr)
        if asked or run.numbers.bounds_of(formula, anything)[0] < 1:
            return False
    return True


def count_repeat(step: RepeatStep, run: DryRun, positions: list[Position]) -> list[Position]:
    outer, run.turn = run.turn, 0
    limited = step.times is not None or step.at_most is not None
    enough = None if limited else most_turns(step, run, positions)
    stop = None if step.times is not None or enough is not None else run.stop_at(step)
    if step.times is None and step.at_most is not None and (step.until or step.until_empty):
        run.limited[run.places[id(step)]] = most(run.numbers.count(step.at_most, positions[0], 0, 0))
    bound = enough if stop is None else stop.turns
    limited |= bound is not None
    counted = _counted(*_all_in(step))
    if not limited:
        run.begin_unlimited(step, by_turn=_counted(step))
    done: list[Position] = []
    before: list[Position] = []
    seen: set[object] = set()
    last: TurnStart | None = None
    moved, active = run.counts.moved, 0
    while positions:
        ended: list[Position] = []
        going: list[Position] = []
        for position in run.apart.split(step, positions):
            ends, goes_on = (position, None) if run.turn == enough else _ends(step, run, position)
            ended += [ends] if ends else []
            going += [goes_on] if goes_on else []
        done = run.apart.limit(done + ended)
        if stop is not None and run.turn == bound:
            run.stop(going)
            break
        positions = []
        if going:
            if limited and not counted and run.apart.exhausted:
                going = run.apart.widen(going, before)
                before = [position.copy() for position in going]
            now = run.counts.begun(going)
            if not limited and not counted and frozenset(now.laid) in seen:
                run.doubt_turns(step, circle=True, endless=not done)
            left = _turns_left(step, run, going, bound) if limited and not counted and last is not None else 0
            if left and last is not None and now.laid.keys() == last.laid.keys():
                active += left * (active == run.turn)
                run.skip(step, left, last.tally, going, now.laid_since(last))
                positions = going
                continue
            seen.add(frozenset(now.laid))
            last = now
            run.count_turn(step, going)
            positions = run.run_all(step.do, going)
            positions = run.between_turns(run.moment("turn", positions) if outer == 0 else positions)
            if run.counts.moved != moved:
                moved, active = run.counts.moved, run.turn
    run.counts.repeated(step, active, run.turn)
    run.turn = outer
    run.end_unlimited(step)
    return done


def _turns_left(step: RepeatStep, run: DryRun, positions: list[Position], bound: int | None) -> int:
    """Return the number of turns that remain; 0 if it is uncertain or differs between positions."""
    numbers = [number for number in (step.times, step.at_most) if number is not None]
    counts = {run.numbers.count(number, position, 0, 0) for number in numbers for position in positions}
    turns = [*counts, *([] if bound is None else [bound])]
    if len(counts) > 1 or not turns or not all(isinstance(count, int) for count in turns):
        return 0
    return min(map(most, turns)) - run.turn


def _ends(step: RepeatStep, run: DryRun, position: Position) -> tuple[Position | None, Position | None]:
    """Return the position if the repeat now ends, and the position if it continues.

    An impossible case is ``None``. If the dry run cannot decide, there are both.
    """
    for number in (step.times, step.at_most):
        turns = None if number is None else run.numbers.count(number, position, 0, 0)
        if turns is not None and run.turn >= most(turns):
            return position, None
        if turns is not None and run.turn >= fewest(turns):
            return position.copy(), position
    if step.until_empty is not None:
        return position.emptied(run.zone_index[step.until_empty])
    ends = run.numbers.truth(step.until, position) if step.until is not None else False
    if ends is None:
        return position.copy(), position
    return (position, None) if ends else (None, position)


def _counted(*steps: Step) -> bool:
    """True if a formula of these steps reads ``turn``."""
    exprs = (formula.expr for step in steps for formula, *_ in formulas_in(step, ""))
    return any(("name", "turn") in references(expr) for expr in exprs)


def _all_in(step: Step) -> Iterator[Step]:
    """Yield a step and all steps within it at any depth."""
    yield step
    for inner in step.within:
        yield from _all_in(inner)


def count_in_turn(step: InTurnStep, run: DryRun, positions: list[Position]) -> list[Position]:
    ordered = step.by is not None or step.from_ is not None or step.back
    for _ in range(1 + step.back):
        run.counts.choices += 1
        positions = run.lists.run_in_turn(step.do, positions, perhaps=step.who is not None, ordered=ordered)
    return positions


def count_do(step: DoStep, run: DryRun, positions: list[Position]) -> list[Position]:
    if step.of_other_seats is not None and run.lists.seat is not None:
        return run.lists.run_between_seats(step, positions)
    if step.passes is not None:
        return _run_passes(step, step.passes, run, positions)
    if step.who is None:
        return run.run_all(step.do, positions)
    run.counts.choices += 1
    if run.lists.seat is not None:
        return run.lists.run_by_others(step.who, step.do, positions)
    if step.who.holder is None:
        some = not step.who.is_everyone
        return run.lists.run_in_turn(step.do, positions, perhaps=some, ordered=some)
    by_holder: dict[int, list[Position]] = {}
    for position in positions:
        by_holder.setdefault(run.holder(step.who.holder, position), []).append(position)
    players = range(run.players)
    return [
        after
        for holder, alike in by_holder.items()
        for after in run.lists.run_in_turn(step.do, alike, seats=[holder] if holder in players else [])
    ]


def _run_passes(step: DoStep, passes: Formula, run: DryRun, positions: list[Position]) -> list[Position]:
    """Run the passes of a repeat in a step list, as many as `passes` says in each position."""
    alike: dict[Range, list[Position]] = {}
    for position in positions:
        alike.setdefault(run.numbers.bounds_of(passes, position), []).append(position)
    done = []
    for (fewest_passes, most_passes), going in alike.items():
        now = going
        for number, part in enumerate(step.do[:most_passes]):
            done += [position.copy() for position in now if number >= fewest_passes]
            now = run.run_all((part,), now)
        done += now
    return run.apart.limit(done)


def count_score(step: ScoreStep, run: DryRun, positions: list[Position]) -> list[Position]:
    run.counts.score(step.label)
    return run.triggered(step.label, positions)


def count_end(step: EndStep, run: DryRun, positions: list[Position]) -> list[Position]:
    run.end(step, step.what, positions)
    return []
