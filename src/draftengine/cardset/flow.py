"""The flow played with card counts only: how long a game lasts, and whether there are cards enough.

Nobody chooses here. A position is how many cards lie in each zone and who holds which marker; where that depends on
play, every possible position is followed. Where they would be too many, some are merged into one that knows how many
cards there are at least and at most; what a step asks for is told apart again, and the zones on which deals depend stay
apart as long as possible. Whatever is in doubt all the same is refused. What comes out is a `Plan`: proved bounds, and
what is wrong with the flow.

Abilities are not played. They never lengthen a round: whoever takes further cards puts at most one back for them (which
is checked here), so at every moment at most as many cards are left to be chosen from as without them.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import product
from operator import add
from typing import TYPE_CHECKING, NoReturn

from msgspec import Struct, field

from draftengine.cardset.effects import discarded, effect_lists
from draftengine.cardset.facts import MAX_TURNS, all_steps, constants, has_label, ranked_seats
from draftengine.cardset.facts import seats as seats_of
from draftengine.cardset.lists import later_lists
from draftengine.cardset.yaml_scalar import ONE_NUMBER, RANGE
from draftengine.diagnostics.finding import Diagnostic, ordered
from draftengine.language.bounds import UNKNOWN, bounds
from draftengine.language.evaluate import compile_formula, references
from draftengine.records.record import formulas_in, mentioned
from draftengine.verbs import VERBS, choose, clear, deal, gather
from draftengine.verbs.positions import Position, between, distinct, fewest, hull, merged, most

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from draftengine.cardset.model import CardSet, Marker, Zone
    from draftengine.language.ranges import Range
    from draftengine.records.values import ByPlayers, Formula
    from draftengine.source import Span
    from draftengine.verbs.moving import Who
    from draftengine.verbs.positions import Count
    from draftengine.verbs.verb import Step

__all__ = ["DryRun", "Plan", "Position", "RoundPlan", "Tally", "extra_plays", "plan"]

_FEW, _MAX_POSITIONS = 16, 128
"""So many positions are never merged; and so many are not if little had to be followed yet."""
MAX_FOLLOWED = 200_000
"""So much of a flow is followed, which takes a fifth of a second (see `Plan.followed`); games need a few thousand. The
more of it is used up, the fewer positions are told apart."""
_AT_ONCE = 8
"""So many exact numbers take no longer than one that is not exact."""
_MAX_WAYS = 256
"""So many ways positions are told apart in, where a step asks for what merged ones do not say."""
_LISTS = 3
"""So many lists that one choice may start are followed one by one."""
_NOBODY = -1


class RoundPlan(Struct, frozen=True):
    """One round in numbers. Where it depends on play, the largest (of `left`: the smallest) that can happen."""

    number: int
    dealt: tuple[tuple[str, int], ...]
    """Cards dealt and drawn into each zone, of all seats together, in the order of the steps."""
    turns: int
    hands: tuple[tuple[int, ...], ...]
    """How many cards each seat has in hand at the start of each turn."""
    left: int
    """Cards in the deck after the round."""


class Plan(Struct, frozen=True):
    """What the flow comes to for a number of players."""

    players: int
    seats: int
    turns: int
    """No game has more turns."""
    rounds: tuple[RoundPlan, ...]
    sizes: tuple[tuple[str, tuple[int, ...]], ...]
    """How many cards can lie in each zone at once, by owner; a shared zone has one owner."""
    plays: int
    """How many cards can come to lie in one tableau between two clearings."""
    plays_in_game: int
    """How many cards can come to lie in one tableau in a whole game."""
    clearings: int
    """How often the tableaus are cleared at most."""
    reveals: int
    """How often cards are revealed at most (the moments of ``reveal`` triggers)."""
    choices: int
    """How often a seat chooses a way at most."""
    scored: tuple[tuple[str, int], ...]
    """How often each label is scored at most."""
    followed: int
    """How much there was to follow: piles of cards, after each step, in each way the game can go."""
    recirculates: bool
    """Can a card that has left a tableau be played again."""
    findings: tuple[Diagnostic, ...]
    idle: tuple[Diagnostic, ...]
    """Steps that never move a card, which is a mistake if it is so with every number of players."""

    @property
    def complete(self) -> bool:
        """Was the flow played to its end; if not, the bounds hold for its beginning only."""
        return not any(finding.severity == "error" for finding in self.findings)


def plan(model: CardSet, players: int) -> Plan:
    """Play the flow of `model` with card counts for a number of players."""
    return _plan(_Flow(model, players))


class _Flow:
    """A game with a number of players, equal to any other whose flow is the same: most variants change only points."""

    __slots__ = ("_known_by", "model", "players")

    def __init__(self, model: CardSet, players: int) -> None:
        self.model = model
        self.players = players
        self._known_by = (
            players,
            *(model.rounds, model.setup, model.round, model.finish, model.zones, model.markers, model.extra_seats),
            *(model.parameters, model.abilities, model.triggers, model.cards),
        )

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Flow) and self._known_by == other._known_by

    def __hash__(self) -> int:
        return hash(self._known_by)


@lru_cache(maxsize=64)
def _plan(flow: _Flow) -> Plan:
    return DryRun(flow.model, flow.players).run()


def extra_plays(model: CardSet) -> tuple[int, int]:
    """How many more cards abilities bring to a tableau by one choice: for good, and for a moment (one goes back)."""
    cards = [(own.take * own.per_turn, own.take == 1 and own.returns_to != "stays") for own in model.abilities]
    return sum(count for count, back in cards if not back), sum(count for count, back in cards if back)


class _UndecidedError(Exception):
    """A formula depends on more than card counts."""


class _StopError(Exception):
    """There is no point in playing on; the findings say why."""


class _Facts:
    """What names in formulas of the flow mean (the environment of the formula language)."""

    def __init__(self, game: DryRun) -> None:
        self.game = game
        model = game.model
        self.seat_count = ranked_seats(model, game.players)
        self.player_count = game.players
        self.known = constants(model, game.players)

    def constant(self, name: str) -> int | None:
        return self.known.get(name)

    def value(self, name: str) -> Callable[[Position, int], int]:
        if name == "round":
            return lambda _position, _seat: self.game.round
        if name == "turn":
            return lambda _position, _seat: self.game.turn
        raise _UndecidedError

    def gained(self, _counter: str) -> Callable[[Position, int], int]:
        raise _UndecidedError

    best_of = gained

    def among(self, _zone: str, _what: str) -> Callable[[Position, int], list[int]]:
        raise _UndecidedError

    def holds(self, marker: str) -> Callable[[Position, int], int]:
        index = self.game.markers[marker]
        return lambda position, seat: position.markers[index] == seat

    def cards(self, zone: str) -> Callable[[Position, int], int]:
        """Of positions in which every number is known; `_Ranges` is for the others."""
        if zone in self.game.unsure:
            raise _UndecidedError
        index = self.game.zones[zone]
        shared = self.game.kinds[index].per == "table"
        return lambda position, seat: most(position.zones[index][0 if shared else seat])


class _Ranges(Struct, frozen=True):
    """Between which values names in formulas lie in a position."""

    game: DryRun
    position: Position

    @property
    def seat_count(self) -> int:
        return self.game.facts.seat_count

    @property
    def player_count(self) -> int:
        return self.game.players

    def range_of(self, function: str, name: str, seat: int) -> Range:
        game, position = self.game, self.position
        if function == "cards" and name not in game.unsure:
            size = position.zones[game.zones[name]][0 if game.by_name[name].per == "table" else seat]
            return fewest(size), most(size)
        if function == "holds":
            holders = position.holders(game.markers[name])
            return int(holders == {seat}), int(seat in holders)
        value = {"round": game.round, "turn": game.turn}.get(name, game.facts.constant(name))
        return UNKNOWN if value is None or function != "name" else (value, value)


class _Use(Struct):
    """How often a step was carried out, and how many cards it moved in all."""

    step: Step
    times: int = 0
    cards: int = 0


class Tally(Struct, frozen=True):
    """What a run has counted by some moment."""

    numbers: tuple[int, ...]
    scored: dict[str, int]
    dealt: dict[str, int]
    uses: dict[int, tuple[int, int]]
    hands: int


class _Round(Struct):
    number: int
    dealt: dict[str, int] = field(default_factory=dict)
    turns: int = 0
    hands: list[tuple[int, ...]] = field(default_factory=list)


class DryRun:
    """One run with card counts only. The steps turn a list of positions into the list of those that can follow."""

    def __init__(self, model: CardSet, players: int) -> None:
        self.model = model
        self.players = players
        self.seats = seats_of(model, players)
        self.kinds: tuple[Zone, ...] = model.zones
        self.zones = {zone.id: index for index, zone in enumerate(model.zones)}
        self.by_name = {zone.id: zone for zone in model.zones}
        self.markers = {marker.id: index for index, marker in enumerate(model.markers)}
        self.extra = {seat.id: players + index for index, seat in enumerate(model.extra_seats)}
        self.moments = {trigger.after for trigger in model.triggers}
        if has_label(model, "turn"):
            self.moments.discard("turn")
        self.lists = later_lists(model)
        self.one: int | None = None
        """The seat whose list is followed, if it is one."""
        self.steps = tuple(all_steps(model))
        self.kept = sum(card.count for card in model.cards if card.keep)
        self.larders = tuple(self.zones[zone] for zone in _larders(model, self.steps))
        self.unsure = _unsure_zones(model)
        self.returns = _reads_discards(self.steps)
        self.extra_plays, self.extra_for_a_moment = extra_plays(model)
        self.late = any(own.when == "after_reveal" for own in model.abilities)
        self.facts = _Facts(self)
        self.formulas: dict[int, Callable[[Position, int], int] | None] = {}
        self.focus = tuple(dict.fromkeys(self._telling_zones()))
        """The zones of which positions that are merged still tell the sizes, as far as can be."""
        self.loud = tuple(
            zone
            for name, zone in self.zones.items()
            if zone in self.focus or not (self.by_name[name].counts or name == "discard")
        )
        """The zones whose sizes matter to more than the total."""
        self.touched: dict[int, list[int]] = {}
        self.asked: dict[int, tuple[tuple[int, ...], tuple[int, ...]]] = {}
        self.all_cards = sum(card.count for card in model.cards)
        self.round = self.turn = self.turns = 0
        self.in_round = False
        self.unlimited: list[Step] = []
        """The repeats under way without a number that limits their turns, the outermost first."""
        self.ended: dict[str, list[Position]] = {"round": [], "game": []}
        """The positions in which a round, or the game, has ended early."""
        self.now = _Round(1)
        self.rounds: list[RoundPlan] = []
        self.largest = [[0] * (1 if zone.per == "table" else self.seats) for zone in model.zones]
        self.most_laid = self.most_in_game = 0
        self.clearings = self.reveals = self.choices = 0
        self.scored: dict[str, int] = {}
        self.takable: dict[str, list[str]] = {}
        self.uses: dict[int, _Use] = {}
        self.findings: list[Diagnostic] = []
        self.idle: list[Diagnostic] = []
        self.cells = sum(map(len, self.largest))
        """How many piles of cards there are."""
        self.followed = 0

    # ── the game ──────────────────────────────────────────────────────────────────────────────────────────────────────

    def run(self) -> Plan:
        self._check_abilities()
        try:
            self._play()
        except _StopError:
            pass
        else:
            self._check_uses()
        return self._plan()

    def _play(self) -> None:
        positions = self.run_all(self.model.setup, self._start())
        for number in range(1, self.model.rounds + 1):
            self.round = number
            self.now = _Round(number) if number > 1 else self.now
            self.in_round = True
            positions = self.run_all(self.model.round, positions)
            self.in_round = False
            positions = self.distinct(positions + self.ended["round"])
            self.ended["round"] = []
            self._end_round(positions + self.ended["game"])
            if not positions:
                break
        self.run_all(self.model.finish, self.distinct(positions + self.ended["game"]))

    def started(self, positions: list[Position]) -> list[Position]:
        """Cards were played: any seats may carry out their lists, as many as there can be."""
        if self.one is not None or not self.lists:
            return positions
        found = []
        for position in positions:
            reached = [position]
            while reached[-1].lists:
                reached.append(self._with_one_list(reached[-1]))
                if len(reached) > _LISTS and reached[-1].lists:
                    reached.append(self._with_any_lists(reached))
            found += [hull(reached)] if self.lists_come_back else reached
        return self._lists_back(found) if self.lists_come_back else self.limited(found)

    def _with_any_lists(self, reached: list[Position]) -> Position:
        """What positions come to by more lists than are followed one by one: what changes may then have any size."""
        *_, before, last = reached
        found = hull(reached)
        for zone, (cells, old) in enumerate(zip(last.zones, before.zones, strict=True)):
            for owner in range(len(cells)):
                if cells[owner] != old[owner]:
                    found.zones[zone][owner] = between(0, self.all_cards)
        found.exact = False
        more = self._with_one_list(found.copy())
        for laid, after in ((found.laid, more.laid), (found.laid_in_game, more.laid_in_game)):
            for seat, count in enumerate(after):
                laid[seat] += last.lists * (count - laid[seat])
        self.most_laid = max(self.most_laid, *found.laid)
        self.most_in_game = max(self.most_in_game, *found.laid_in_game)
        found.lists = 0
        found.look()
        return self.tightened([found])[0]

    def one_by_one(
        self, steps: tuple[Step, ...], positions: list[Position], *, perhaps: bool, ordered: bool
    ) -> list[Position]:
        """Each player carries out some steps, one after the other, or perhaps not; in any order, if it is `ordered`.

        Lists that cards start on the way may come before the steps of others, or behind them.
        """
        positions = self.started(positions)
        for seat in range(self.players):
            before = [own.copy() for own in positions]
            self.one = seat
            after = self.run_all(steps, [own.copy() for own in positions])
            self.one = None
            positions = [hull([*before, *after])] if perhaps else after
        return self.started([self._whoever(own) for own in positions] if ordered else positions)

    def _whoever(self, position: Position) -> Position:
        """The position, in which any player may have what another one has."""
        for cells, zone in zip(position.zones, self.kinds, strict=True):
            if zone.per == "seat":
                own = cells[: self.players]
                cells[: self.players] = [between(min(map(fewest, own)), max(map(most, own)))] * self.players
        position.laid[: self.players] = [max(position.laid[: self.players])] * self.players
        position.laid_in_game[: self.players] = [max(position.laid_in_game[: self.players])] * self.players
        position.look()
        return position

    def _with_one_list(self, position: Position) -> Position:
        """What a position comes to by one list of any seat."""
        after = []
        for own, alike in product(self.lists, self._alike(position)):
            self.one = alike[0]
            after += [self._by_any(alike, position, own) for own in self.run_all(own.steps, [position.copy()])]
        self.one = None
        found = hull(after)
        found.lists = position.lists - 1
        return found

    def _alike(self, position: Position) -> list[list[int]]:
        """The players in groups: those of a group have equally many cards everywhere."""
        groups: dict[object, list[int]] = {}
        for seat in range(self.players):
            own = tuple(
                cells[seat] for cells, zone in zip(position.zones, self.kinds, strict=True) if zone.per == "seat"
            )
            groups.setdefault(own, []).append(seat)
        return list(groups.values())

    def _by_any(self, alike: list[int], before: Position, after: Position) -> Position:
        """The position in which any of some players has done what the first of them did."""
        first = alike[0]
        for cells, old, zone in zip(after.zones, before.zones, self.kinds, strict=True):
            if zone.per == "seat" and len(alike) > 1:
                either = between(
                    min(fewest(cells[first]), fewest(old[first])), max(most(cells[first]), most(old[first]))
                )
                for seat in alike:
                    cells[seat] = either
        for laid, before_it in ((after.laid, before.laid), (after.laid_in_game, before.laid_in_game)):
            more = laid[first] - before_it[first]
            for seat in alike:
                laid[seat] = before_it[seat] + more
        after.look()
        return after

    @property
    def most_lists(self) -> int:
        """So many lists there are, one for each card that starts one."""
        return sum(own.copies for own in self.lists)

    @property
    def lists_come_back(self) -> bool:
        """Can lists bring cards back that were played."""
        return any(self._brings_back(step) for own in self.lists for step in own.steps)

    def _lists_back(self, positions: list[Position]) -> list[Position]:
        """Cards come back that were played: all lists can be started once more."""
        for position in positions:
            position.lists = self.most_lists
        return self.limited(positions)

    def end(self, step: Step, what: str, positions: list[Position]) -> None:
        """In these positions the round or the game ends here."""
        if not self.in_round:
            hint = "Let it stand among the steps of the round."
            self.refuse("misplaced-step", "Nothing can be ended here.", step.span, hint)
        self.ended[what] = self.limited(self.ended[what] + positions)

    def _start(self) -> list[Position]:
        zones = [[0] * len(owners) for owners in self.largest]
        for card in self.model.cards:
            zones[self.zones[card.starts_in]][0] += card.count
        nothing = [0] * self.seats
        position = Position([[*own] for own in zones], [_NOBODY] * len(self.markers), nothing[:], nothing[:])
        position.lists = self.most_lists
        for at, marker in enumerate(self.model.markers):
            position.hold(at, frozenset(self._first_holders(marker)))
        start = [position]
        self._note(start, range(len(zones)))
        return start

    def _first_holders(self, marker: Marker) -> Sequence[int]:
        if isinstance(marker.start, int):
            return (marker.start if marker.start < self.seats else _NOBODY,)
        if marker.start == "random":
            return range(self.players)
        return (0 if marker.start == "first" else _NOBODY,)

    def _end_round(self, positions: list[Position]) -> None:
        deck = self.zones["deck"]
        left = min(fewest(position.zones[deck][0]) for position in positions)
        now = self.now
        self.rounds.append(RoundPlan(now.number, tuple(now.dealt.items()), now.turns, tuple(now.hands), left))

    def _plan(self) -> Plan:
        return Plan(
            players=self.players,
            seats=self.seats,
            turns=self.turns,
            rounds=tuple(self.rounds),
            sizes=tuple((zone.id, tuple(own)) for zone, own in zip(self.kinds, self.largest, strict=True)),
            plays=self.most_laid,
            plays_in_game=self.most_in_game,
            clearings=self.clearings,
            reveals=self.reveals,
            choices=self.choices,
            scored=tuple(self.scored.items()),
            followed=self.followed,
            recirculates=self.returns,
            findings=ordered(self.findings),
            idle=ordered(self.idle),
        )

    # ── steps ─────────────────────────────────────────────────────────────────────────────────────────────────────────

    def run_all(self, steps: tuple[Step, ...], positions: list[Position]) -> list[Position]:
        for step in steps:
            if positions:
                positions = self._when(step, positions)
        return positions

    def _when(self, step: Step, positions: list[Position]) -> list[Position]:
        positions = self.told_apart(step, positions)
        if step.when is None:
            return self._step(step, positions)
        taken: list[Position] = []
        skipped: list[Position] = []
        for position in positions:
            holds = self.decide(step.when, position)
            if holds is None:
                taken.append(position.copy())
                skipped.append(position)
            else:
                (taken if holds else skipped).append(position)
        after = self._step(step, taken) if taken else []
        return self.limited(after + skipped)

    def _step(self, step: Step, positions: list[Position]) -> list[Position]:
        after: list[Position] = VERBS[step.verb].count_cards(step, self, positions)
        if step.id in self.moments:
            after = self.moment(step.id, after)
        if id(step) not in self.touched:
            every = isinstance(step, gather.Spec | clear.Spec)
            self.touched[id(step)] = [at for name, at in self.zones.items() if every or name in mentioned(step, "zone")]
        if self.lists and self.one is None and self._brings_back(step):
            after = self._lists_back(after)
        self._note(after, self.touched[id(step)])
        self._followed(after)
        if self.unlimited and self.followed > MAX_FOLLOWED:
            self.refuse_turns(self.unlimited[0])
        if self.followed > 2 * MAX_FOLLOWED:
            message = f"The game has too many steps to follow them all{self.where()}, each as often as it is repeated."
            self.refuse("endless-turns", message, step.span, "Leave steps out, or let fewer turns repeat them.")
        return self.limited(after)

    def _brings_back(self, step: Step) -> bool:
        """Can a step bring cards back that were played."""
        sources = mentioned(step, "zone", "from")
        return isinstance(step, gather.Spec) or any(own == "discard" or self.by_name[own].counts for own in sources)

    def moment(self, name: str, positions: list[Position]) -> list[Position]:
        """Triggers wait for this, if they do."""
        if name not in self.moments:
            return positions
        self.scored[name] = self.scored.get(name, 0) + 1
        return self.taken_by_triggers(name, positions)

    def between_turns(self, positions: list[Position]) -> list[Position]:
        """Fewer of them, because less is under way than within a turn."""
        return self.tightened(self.limited(positions, share=4))

    def limited(self, positions: list[Position], share: int = 1) -> list[Position]:
        """Each position once; where they are more than a share of what there is room for, some are merged."""
        positions = self.distinct(positions)
        used = 8 * self.followed // MAX_FOLLOWED
        if len(positions) <= max(1, _FEW >> used // 2):
            return positions
        self._followed(positions)
        room = max(1, _MAX_POSITIONS // share >> used)
        found = merged(positions, self.loud, room, markers=True)
        for markers, told in self._told_of() if found is None else ():
            found = merged(positions, told, max(1, room // 4), markers=markers)
            if found is not None:
                break
        return self.tightened(found or positions)

    def _followed(self, positions: list[Position]) -> None:
        """Count what there was to follow; where every number is known, many of them are soon done."""
        self.followed += sum(_AT_ONCE + self.cells // _AT_ONCE if own.exact else self.cells for own in positions)

    def tightened(self, positions: list[Position]) -> list[Position]:
        """The positions, of which each knows that no card is made or lost."""
        for position in positions:
            if not position.exact:
                position.tighten(self.all_cards)
        return positions

    def _told_of(self) -> Iterator[tuple[bool, tuple[int, ...]]]:
        """What positions that are merged say exactly, if there is room: less and less."""
        yield True, self.focus
        for count in range(len(self.focus), -1, -1):
            yield False, self.focus[:count]

    def _telling_zones(self) -> Iterator[int]:
        """The zones on which it depends how the flow goes on: where deals take cards, and of which formulas ask."""
        for step in self.steps:
            if isinstance(step, deal.Spec):
                yield self.zones[step.from_]
        for step in self.steps:
            yield from self._asked_by(step)[1]

    def _asked_by(self, step: Step) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """The markers and zones on which it depends what a step does."""
        read = {own for formula, *_ in formulas_in(step, "") for own in references(formula.expr)}
        holders = {name for function, name in read if function == "holds"} | mentioned(step, "marker")
        sizes = {name for function, name in read if function == "cards"} - self.unsure
        return (
            tuple(sorted(self.markers[name] for name in holders)),
            tuple(sorted(self.zones[name] for name in sizes)),
        )

    def told_apart(self, step: Step, positions: list[Position]) -> list[Position]:
        """The positions, with what a step asks for known in each of them, as far as can be."""
        if all(position.exact for position in positions):
            return positions
        if id(step) not in self.asked:
            self.asked[id(step)] = self._asked_by(step)
        markers, zones = self.asked[id(step)]
        if not markers and not zones:
            return positions
        if zones and len(positions) > _FEW:
            positions = self.limited(positions, share=8)
        ways = _MAX_WAYS // len(positions)
        return self.distinct([way for own in positions for way in own.told_apart(markers, zones, ways)])

    def tally(self) -> Tally:
        """What has been counted so far."""
        uses = {key: (own.times, own.cards) for key, own in self.uses.items()}
        numbers = (self.turns, self.now.turns, self.clearings, self.reveals, self.choices)
        return Tally(numbers, dict(self.scored), dict(self.now.dealt), uses, len(self.now.hands))

    def skip(self, step: Step, times: int, before: Tally, positions: list[Position], laid: Sequence[int]) -> None:
        """What has been counted since `before` is counted so many times more; each seat has got `laid` cards in it."""
        now = self.tally()
        rises = [times * (late - early) for early, late in zip(before.numbers, now.numbers, strict=True)]
        self.turn += times
        self.turns += rises[0]
        self._limit_turns(step)
        self.now.turns += rises[1]
        self.clearings += rises[2]
        self.reveals += rises[3]
        self.choices += rises[4]
        for own, early in ((self.scored, before.scored), (self.now.dealt, before.dealt)):
            for name in own:
                own[name] += times * (own[name] - early.get(name, 0))
        for key, use in self.uses.items():
            early_times, early_cards = before.uses.get(key, (0, 0))
            use.times += times * (use.times - early_times)
            use.cards += times * (use.cards - early_cards)
        self.now.hands += self.now.hands[before.hands :] * times
        more = [times * max(0, own) for own in laid]
        moment = self.extra_for_a_moment if any(more) else 0
        for position in positions:
            position.laid = [*map(add, position.laid, more[: self.seats])]
            position.laid_in_game = [*map(add, position.laid_in_game, more[self.seats :])]
            self.most_laid = max(self.most_laid, max(position.laid) + moment)
            self.most_in_game = max(self.most_in_game, max(position.laid_in_game) + moment)

    def refuse_turns(self, step: Step, *, circle: bool = False) -> NoReturn:
        """Nothing limits the turns of a step; in a circle, everything is as it was before."""
        reason = "a turn can leave everything as it was" if circle else f"it may go on after turn {self.turn}"
        message = f"Nothing proves that this repeat ends{self.where()}: {reason}."
        hint = "Say how many turns there are at most, for example at_most: 12; or let every turn use up cards."
        self.refuse("endless-turns", message, step.span, hint)

    def _note(self, positions: list[Position], zones: Iterable[int]) -> None:
        """Remember the largest sizes."""
        for position in positions:
            for zone in zones:
                sizes, owners = self.largest[zone], position.zones[zone]
                if owners != sizes:
                    sizes[:] = [max(old, most(own)) for old, own in zip(sizes, owners, strict=True)]

    def use(self, step: Step, cards: Count) -> None:
        use = self.uses.get(id(step))
        if use is None:
            use = self.uses[id(step)] = _Use(step)
        use.times += 1
        use.cards += most(cards)

    # ── numbers and conditions ────────────────────────────────────────────────────────────────────────────────────────

    def _range(self, formula: Formula, position: Position) -> Range:
        """Between which values a formula lies."""
        compiled = self._compiled(formula)
        if compiled is None or not position.exact:
            return bounds(formula.expr, _Ranges(self, position))
        value = int(compiled(position, 0))
        return value, value

    def _compiled(self, formula: Formula) -> Callable[[Position, int], int] | None:
        """The function of a formula; ``None`` if it depends on play."""
        if id(formula) not in self.formulas:
            try:
                self.formulas[id(formula)] = compile_formula(formula.expr, self.facts)
            except _UndecidedError:
                self.formulas[id(formula)] = None
        return self.formulas[id(formula)]

    def decide(self, formula: Formula, position: Position) -> bool | None:
        """Does a condition hold; ``None`` if that depends on play."""
        low, high = self._range(formula, position)
        return bool(low) if low == high else None

    def number(self, cases: ByPlayers | None, position: Position, default: int, least: int) -> Count:
        """The number of cards (or turns) that a step asks for."""
        if cases is None:
            return default
        by_count = dict(cases.cases)
        formula = by_count.get(self.players, by_count.get(None))
        if formula is None:
            message = "No number is given here."
            self.refuse("missing-player-count", message, cases.span, f"Add {self.players}: and a number.")
        if self._compiled(formula) is None:
            hint = "Use numbers, parameters, players, round, turn or cards(zone)."
            self.refuse("bad-count", "This number must not depend on what was played.", formula.span, hint)
        low, high = self._range(formula, position)
        if low < least:
            self.tightened([position])
            low, high = self._range(formula, position)
        if low < least:
            message = f"This number {'comes' if position.exact else 'may come'} to {low}{self.where()}."
            hint = ONE_NUMBER if RANGE.fullmatch(formula.text) else f"It has to be at least {least}."
            self.refuse("bad-count", message, formula.span, hint)
        return between(low, high)

    def where(self) -> str:
        return f" in round {self.round}" if self.round else ""

    def refuse(self, code: str, message: str, span: Span, hint: str = "") -> NoReturn:
        self.findings.append(Diagnostic(code, "error", message, span, hint=hint))
        raise _StopError

    # ── what steps need ───────────────────────────────────────────────────────────────────────────────────────────────

    distinct = staticmethod(distinct)

    def seats_of(self, who: Who | None, position: Position) -> Sequence[int]:
        """The players that a step may be for: who holds a marker, or all of them; nobody sits at an extra seat."""
        if self.one is not None:
            return (self.one,)
        if who is None or who.holder is None:
            return range(self.players)
        holder = self.holder(who.holder, position)
        return (holder,) if holder in range(self.players) else ()

    def perhaps(self, who: Who | None, cards: Count) -> Count:
        """So many cards, or none at a seat that the step may not be for."""
        return cards if who is None or who.formula is None else between(0, most(cards))

    def holder(self, marker: str, position: Position) -> int:
        (holder,) = position.holders(self.markers[marker])
        return holder

    def lay(self, position: Position, seat: int, cards: Count, left: Count) -> None:
        """Cards come to a tableau; of those that are `left`, abilities may bring more."""
        more = min(self.extra_plays, most(left))
        moment = min(self.extra_for_a_moment, most(left) - more)
        position.laid[seat] += most(cards) + more
        position.laid_in_game[seat] += most(cards) + more
        self.most_laid = max(self.most_laid, position.laid[seat] + moment)
        self.most_in_game = max(self.most_in_game, position.laid_in_game[seat] + moment)

    def taken_by_triggers(self, moment: str, positions: list[Position]) -> list[Position]:
        """Markers that a trigger may hand to any seat."""
        if moment not in self.takable:
            self.takable[moment] = self._takable(moment)
        for marker in self.takable[moment]:
            index, anybody = self.markers[marker], frozenset(range(self.seats))
            for position in positions:
                position.hold(index, position.holders(index) | anybody)
        return self.limited(positions)

    def _takable(self, moment: str) -> list[str]:
        """The markers that change hands at a moment, of those whose holder some step asks for."""
        at_once = {"reveal": {"play", "reveal"}}.get(moment, {moment})
        lists = [own for own in effect_lists(self.model) if own.moment in at_once]
        effects = [effect for own in lists for effect in own.effects]
        asked = frozenset[str]().union(*(mentioned(own, "marker", "asked") for own in self.steps))
        return sorted(asked & frozenset[str]().union(*(mentioned(own, "marker", "taken") for own in effects)))

    def count_turn(self, step: Step, positions: list[Position]) -> None:
        """One more turn begins in these positions."""
        self.turn += 1
        self.turns += 1
        self.now.turns += 1
        hand = self.zones["hand"]
        sizes = (map(most, own.zones[hand]) for own in positions)
        self.now.hands.append(tuple(map(max, *sizes, [0] * self.seats)))
        self._limit_turns(step)

    def _limit_turns(self, step: Step) -> None:
        if self.turns > MAX_TURNS:
            if step in self.unlimited and 2 * self.turn > MAX_TURNS:
                self.refuse_turns(step)
            message = f"The game comes to more than {MAX_TURNS} turns{self.where()}, the most that there can be."
            hint = "Let this or another repeat have fewer turns, or the game fewer rounds."
            self.refuse("endless-turns", message, step.span, hint)

    # ── what is wrong ─────────────────────────────────────────────────────────────────────────────────────────────────

    def _check_abilities(self) -> None:
        for ability in self.model.abilities:
            if ability.take < 1 or ability.per_turn < 1:
                message = f"The ability {ability.id} takes no card, so a turn could add cards."
                hint = "take and per_turn have to be at least 1."
                self.findings.append(Diagnostic("endless-turns", "error", message, ability.span, hint=hint))

    def _check_uses(self) -> None:
        """Choices from what is always empty, and steps that never move a card."""
        for use in self.uses.values():
            for zone in mentioned(use.step, "zone", "from") if use.cards == 0 else ():
                if zone not in self.unsure:
                    self.idle.append(_never_moves(use.step, zone))


def _never_moves(step: Step, zone: str) -> Diagnostic:
    if isinstance(step, choose.Spec):
        message = f"Nobody ever has a card in {zone} to choose from."
        return Diagnostic("zone-misuse", "error", message, step.span, hint=f"Deal cards to {zone} before this step.")
    message = f"This {step.verb} never moves a card, because {zone} is always empty here."
    hint = "Remove the step, or fill the zone before it."
    return Diagnostic("zone-misuse", "warning", message, step.span, hint=hint)


def _all_steps(steps: tuple[Step, ...]) -> Iterable[Step]:
    for step in steps:
        yield step
        yield from _all_steps(step.within)


def _larders(model: CardSet, steps: Iterable[Step]) -> Iterable[str]:
    """Zones with nothing but cards that stay when they are played, into which no card ever goes."""
    for zone in dict.fromkeys(card.starts_in for card in model.cards):
        stay = all(card.keep for card in model.cards if card.starts_in == zone)
        if stay and not any(zone in mentioned(step, "zone", "to") for step in steps):
            yield zone


def _reads_discards(steps: tuple[Step, ...]) -> bool:
    """Can cards that have left a tableau come back."""
    return any(isinstance(step, gather.Spec) or "discard" in mentioned(step, "zone", "", "from") for step in steps)


def _unsure_zones(model: CardSet) -> frozenset[str]:
    """The zones whose sizes depend on how abilities and effects are used, not on the steps alone."""
    discards = discarded(model)
    unsure = set()
    if model.abilities or discards or any(card.keep for card in model.cards):
        unsure |= {"tableau", "discard"}
    if any(own.returns_to in {"stays", "discard"} or own.take > 1 for own in model.abilities):
        unsure |= {zone.id for zone in model.zones}
    return frozenset(unsure)
