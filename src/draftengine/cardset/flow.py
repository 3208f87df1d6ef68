"""The flow played with card counts only: how long a game lasts, and whether there are cards enough.

Nobody chooses here. A position is how many cards lie in each zone and who holds which marker; where that depends on
play, every possible position is followed. What comes out is a `Plan`: proved bounds, and what is wrong with the flow.

Abilities are not played. They never lengthen a round: whoever takes further cards puts at most one back for them (which
is checked here), so at every moment at most as many cards are left to be chosen from as without them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn

from msgspec import Struct, field

from draftengine.cardset.facts import MAX_TURNS, constants, ranked_seats
from draftengine.cardset.facts import seats as seats_of
from draftengine.diagnostics.finding import Diagnostic, ordered
from draftengine.language.evaluate import compile_formula

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from draftengine.cardset.model import CardSet, Marker, Step, Zone
    from draftengine.records.values import ByPlayers, Formula
    from draftengine.source import Span

__all__ = ["Plan", "RoundPlan", "extra_plays", "plan"]

_MAX_POSITIONS = 400
MAX_FOLLOWED = 200_000
"""So much of a flow is followed, which takes a fifth of a second (see `Plan.followed`); games need a few thousand."""
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
    scored: tuple[tuple[str, int], ...]
    """How often each label is scored at most."""
    followed: int
    """How much there was to follow: piles of cards, after each step, in each way the game can go."""
    recirculates: bool
    """Can a card that has left a tableau be played again."""
    findings: tuple[Diagnostic, ...]

    @property
    def complete(self) -> bool:
        """Was the flow played to its end; if not, the bounds hold for its beginning only."""
        return not any(finding.severity == "error" for finding in self.findings)


def plan(model: CardSet, players: int) -> Plan:
    """Play the flow of `model` with card counts for a number of players."""
    return _Simulation(model, players).run()


def extra_plays(model: CardSet) -> tuple[int, int]:
    """How many more cards abilities bring to a tableau by one choice: for good, and for a moment (one goes back)."""
    cards = [(own.take * own.per_turn, own.take == 1 and own.returns_to != "stays") for own in model.abilities]
    return sum(count for count, back in cards if not back), sum(count for count, back in cards if back)


class _UndecidedError(Exception):
    """A formula depends on more than card counts."""


class _StopError(Exception):
    """There is no point in playing on; the findings say why."""


class _Position:
    """How many cards lie in each zone, by owner; who holds which marker; and how many cards each tableau has got."""

    __slots__ = ("laid", "laid_in_game", "markers", "zones")

    def __init__(self, zones: list[list[int]], markers: list[int], laid: list[int], laid_in_game: list[int]) -> None:
        self.zones = zones
        self.markers = markers
        self.laid = laid
        self.laid_in_game = laid_in_game

    def copy(self) -> _Position:
        zones = [owners[:] for owners in self.zones]
        return _Position(zones, self.markers[:], self.laid[:], self.laid_in_game[:])

    def key(self) -> tuple[object, ...]:
        """Equal keys go on in the same way."""
        return (*map(tuple, self.zones), tuple(self.markers))

    def absorb(self, other: _Position) -> None:
        """Stand for `other` too, which has the same key."""
        self.laid = list(map(max, self.laid, other.laid))
        self.laid_in_game = list(map(max, self.laid_in_game, other.laid_in_game))


def _distinct(positions: list[_Position]) -> list[_Position]:
    if len(positions) < 2:  # noqa: PLR2004 (nothing to compare)
        return positions
    found: dict[tuple[object, ...], _Position] = {}
    for position in positions:
        first = found.setdefault(position.key(), position)
        if first is not position:
            first.absorb(position)
    return list(found.values())


class _Facts:
    """What names in formulas of the flow mean (the environment of the formula language)."""

    def __init__(self, game: _Simulation) -> None:
        self.game = game
        model = game.model
        self.seat_count = ranked_seats(model, game.players)
        self.known = constants(model, game.players)

    def constant(self, name: str) -> int | None:
        return self.known.get(name)

    def value(self, name: str) -> Callable[[_Position, int], int]:
        if name == "round":
            return lambda _position, _seat: self.game.round
        if name == "turn":
            return lambda _position, _seat: self.game.turn
        raise _UndecidedError

    def gained(self, _counter: str) -> Callable[[_Position, int], int]:
        raise _UndecidedError

    def holds(self, marker: str) -> Callable[[_Position, int], int]:
        index = self.game.markers[marker]
        return lambda position, seat: position.markers[index] == seat

    def cards(self, zone: str) -> Callable[[_Position, int], int]:
        if zone in self.game.unsure:
            raise _UndecidedError
        index = self.game.zones[zone]
        shared = self.game.kinds[index].per == "table"
        return lambda position, seat: position.zones[index][0 if shared else seat]


class _Use(Struct):
    """How often a step was carried out, and how many cards it moved in all."""

    step: Step
    times: int = 0
    cards: int = 0


class _Round(Struct):
    number: int
    dealt: dict[str, int] = field(default_factory=dict)
    turns: int = 0
    hands: list[tuple[int, ...]] = field(default_factory=list)


class _Simulation:
    """One run. The steps turn a list of positions into the list of those that can follow."""

    def __init__(self, model: CardSet, players: int) -> None:
        self.model = model
        self.players = players
        self.seats = seats_of(model, players)
        self.kinds: tuple[Zone, ...] = model.zones
        self.zones = {zone.id: index for index, zone in enumerate(model.zones)}
        self.markers = {marker.id: index for index, marker in enumerate(model.markers)}
        self.extra = {seat.id: players + index for index, seat in enumerate(model.extra_seats)}
        self.steps = tuple(_all_steps((*model.setup, *model.round, *model.finish)))
        self.kept = sum(card.count for card in model.cards if card.keep)
        self.larders = tuple(self.zones[zone] for zone in _larders(model, self.steps))
        self.unsure = _unsure_zones(model)
        self.returns = _reads_discards(self.steps)
        self.extra_plays, self.extra_for_a_moment = extra_plays(model)
        self.late = any(own.when == "after_reveal" for own in model.abilities)
        self.facts = _Facts(self)
        self.formulas: dict[int, Callable[[_Position, int], int] | None] = {}
        self.round = 0
        self.turn = 0
        self.turns = 0
        self.now = _Round(1)
        self.rounds: list[RoundPlan] = []
        self.largest = [[0] * (1 if zone.per == "table" else self.seats) for zone in model.zones]
        self.most_laid = 0
        self.most_in_game = 0
        self.clearings = 0
        self.reveals = 0
        self.scored: dict[str, int] = {}
        self.uses: dict[int, _Use] = {}
        self.findings: list[Diagnostic] = []
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
        positions = self._run(self.model.setup, self._start())
        for number in range(1, self.model.rounds + 1):
            self.round = number
            self.now = _Round(number) if number > 1 else self.now
            positions = self._run(self.model.round, positions)
            self._end_round(positions)
        self._run(self.model.finish, positions)

    def _start(self) -> list[_Position]:
        zones = [[0] * len(owners) for owners in self.largest]
        for card in self.model.cards:
            zones[self.zones[card.starts_in]][0] += card.count
        nothing = [0] * self.seats
        holders: list[list[int]] = [[]]
        for marker in self.model.markers:
            holders = [[*before, seat] for before in holders for seat in self._first_holders(marker)]
            if len(holders) > _MAX_POSITIONS:
                self._refuse("endless-turns", "Too many ways to start to prove that the turns end.", marker.span)
        start = [_Position([own[:] for own in zones], own, nothing[:], nothing[:]) for own in holders]
        self._note(start)
        return start

    def _first_holders(self, marker: Marker) -> Sequence[int]:
        if isinstance(marker.start, int):
            return (marker.start if marker.start < self.seats else _NOBODY,)
        if marker.start == "random":
            return range(self.players)
        return (0 if marker.start == "first" else _NOBODY,)

    def _end_round(self, positions: list[_Position]) -> None:
        deck = self.zones["deck"]
        left = min(position.zones[deck][0] for position in positions)
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
            scored=tuple(self.scored.items()),
            followed=self.followed,
            recirculates=self.returns,
            findings=ordered(self.findings),
        )

    # ── steps ─────────────────────────────────────────────────────────────────────────────────────────────────────────

    def _run(self, steps: tuple[Step, ...], positions: list[_Position]) -> list[_Position]:
        for step in steps:
            positions = self._when(step, positions)
        return positions

    def _when(self, step: Step, positions: list[_Position]) -> list[_Position]:
        if step.when is None:
            return self._step(step, positions)
        taken: list[_Position] = []
        skipped: list[_Position] = []
        for position in positions:
            holds = self._decide(step.when, position)
            if holds is None:
                taken.append(position.copy())
                skipped.append(position)
            else:
                (taken if holds else skipped).append(position)
        after = self._step(step, taken) if taken else []
        return self._limited(step, after + skipped)

    def _step(self, step: Step, positions: list[_Position]) -> list[_Position]:
        after: list[_Position] = getattr(self, f"_{step.verb}")(step, positions)
        self._note(after)
        self.followed += len(after) * self.cells
        if self.followed > MAX_FOLLOWED:
            message = f"There are too many steps and turns{self._where()} to follow them all, with all that can happen."
            hint = "Leave steps out, or let fewer conditions, seats and turns multiply them."
            self._refuse("endless-turns", message, step.span, hint)
        return after

    def _limited(self, step: Step, positions: list[_Position]) -> list[_Position]:
        positions = _distinct(positions)
        if len(positions) > _MAX_POSITIONS:
            message = "Too much of the flow depends on play to prove that the turns end."
            self._refuse("endless-turns", message, step.span, "Let fewer markers and conditions decide who chooses.")
        return positions

    def _note(self, positions: list[_Position]) -> None:
        """Remember the largest sizes."""
        for position in positions:
            for sizes, owners in zip(self.largest, position.zones, strict=True):
                sizes[:] = map(max, sizes, owners)

    def _use(self, step: Step, cards: int) -> None:
        use = self.uses.get(id(step))
        if use is None:
            use = self.uses[id(step)] = _Use(step)
        use.times += 1
        use.cards += cards

    # ── numbers and conditions ────────────────────────────────────────────────────────────────────────────────────────

    def _value(self, formula: Formula, position: _Position) -> int | None:
        """The value of a formula; ``None`` if it depends on play."""
        if id(formula) not in self.formulas:
            try:
                self.formulas[id(formula)] = compile_formula(formula.expr, self.facts)
            except _UndecidedError:
                self.formulas[id(formula)] = None
        compiled = self.formulas[id(formula)]
        return None if compiled is None else int(compiled(position, 0))

    def _decide(self, formula: Formula, position: _Position) -> bool | None:
        value = self._value(formula, position)
        return None if value is None else bool(value)

    def _number(self, cases: ByPlayers | None, position: _Position, default: int, least: int) -> int:
        """The number of cards (or turns) that a step asks for."""
        if cases is None:
            return default
        by_count = dict(cases.cases)
        formula = by_count.get(self.players, by_count.get(None))
        if formula is None:
            message = "No number is given here."
            self._refuse("missing-player-count", message, cases.span, f"Add {self.players}: and a number.")
        value = self._value(formula, position)
        if value is None:
            hint = "Use numbers, parameters, players, round, turn or cards(zone)."
            self._refuse("bad-count", "This number must not depend on what was played.", formula.span, hint)
        if value < least:
            message = f"This number comes to {value}{self._where()}."
            self._refuse("bad-count", message, formula.span, f"It has to be at least {least}.")
        return value

    def _where(self) -> str:
        return f" in round {self.round}" if self.round else ""

    def _refuse(self, code: str, message: str, span: Span, hint: str = "") -> NoReturn:
        self.findings.append(Diagnostic(code, "error", message, span, hint=hint))
        raise _StopError

    # ── cards that nobody chooses ─────────────────────────────────────────────────────────────────────────────────────

    def _shuffle(self, step: Step, positions: list[_Position]) -> list[_Position]:  # noqa: ARG002 (a step of the table)
        return positions

    def _deal(self, step: Step, positions: list[_Position]) -> list[_Position]:
        dealt = max(self._deal_one(step, position) for position in positions)
        self.now.dealt[step.to or "hand"] = self.now.dealt.get(step.to or "hand", 0) + dealt
        return positions

    def _draw(self, step: Step, positions: list[_Position]) -> list[_Position]:
        self._use(step, sum(sum(position.zones[self.zones[step.from_ or "deck"]]) for position in positions))
        return self._deal(step, positions)

    def _deal_one(self, step: Step, position: _Position) -> int:
        source, target = self.zones[step.from_ or "deck"], self.zones[step.to or "hand"]
        places = len(self.kinds[target].layout)
        count = self._number(step.cards, position, places or 1, 0)
        owners = self._owners(step, target, position)
        if step.verb == "deal":
            self._check_deal(step, position, source, count * len(owners))
        if places:
            self._check_layout(step, position, count)
        dealt = 0
        for owner in owners:
            place = owner if self.kinds[source].per == "seat" else 0
            taken = min(count, position.zones[source][place])
            position.zones[source][place] -= taken
            position.zones[target][owner] += taken
            dealt += taken
        return dealt

    def _owners(self, step: Step, target: int, position: _Position) -> Sequence[int]:
        if self.kinds[target].per == "table":
            return (0,)
        return self._choosers(step, position)

    def _choosers(self, step: Step, position: _Position) -> Sequence[int]:
        if step.who is None:
            return range(self.players)
        holder = position.markers[self.markers[step.who]]
        return (holder,) if holder in range(self.players) else ()  # nobody sits at an extra seat

    def _check_deal(self, step: Step, position: _Position, source: int, needed: int) -> None:
        has = position.zones[source][0] if self.kinds[source].per == "table" else sum(position.zones[source])
        if needed > has:
            message = f"The deal needs {needed} cards, but {self.kinds[source].id} has {has}{self._where()}."
            self._refuse("deck-runs-out", message, step.span, "Deal fewer cards, add cards, or gather them before.")

    def _check_layout(self, step: Step, position: _Position, count: int) -> None:
        zone = self.kinds[self.zones[step.to or ""]]
        places = len(zone.layout)
        if count > places:
            message = f"{count} cards are dealt to {zone.id}, which has {places} places."
            self._refuse("layout-too-small", message, step.span, f"Deal {places} cards, or add places.")
        if count < places and not any(own.code == "layout-too-large" for own in self.findings):
            message = f"{count} cards are dealt to {zone.id}, which has {places} places."
            hint = "Leave the number out to fill every place."
            self.findings.append(Diagnostic("layout-too-large", "warning", message, step.span, hint=hint))
        if position.zones[self.zones[zone.id]][0]:
            message = f"{zone.id} still holds cards when new ones are laid out{self._where()}."
            self._refuse("zone-misuse", message, step.span, "Empty it first, for example with move or gather.")

    def _pass(self, step: Step, positions: list[_Position]) -> list[_Position]:
        zone = self.zones[step.zone or "hand"]
        left = step.directions[(max(self.round, 1) - 1) % len(step.directions)] == "left" if step.directions else True
        for position in positions:
            sizes, players = position.zones[zone], self.players
            self._use(step, sum(sizes[:players]))
            if left:
                sizes[:players] = [sizes[players - 1], *sizes[: players - 1]]
            else:
                sizes[:players] = [*sizes[1:players], sizes[0]]
        return positions

    def _move(self, step: Step, positions: list[_Position]) -> list[_Position]:
        source, target = self.zones[step.from_ or ""], self.zones[step.to or ""]
        shared = self.kinds[target].per == "table"
        for position in positions:
            self._use(step, sum(position.zones[source]))
            for owner, size in enumerate(position.zones[source]):
                position.zones[source][owner] = 0
                position.zones[target][0 if shared else owner] += size
        return positions

    def _clear(self, step: Step, positions: list[_Position]) -> list[_Position]:  # noqa: ARG002 (a step of the table)
        self.clearings += 1
        discard = self.zones["discard"]
        after = []
        for position in positions:
            for kept in self._possibly_kept(position):
                following = position.copy()
                self._empty_tableaus(following, kept, discard)
                after.append(following)
        return _distinct(after)

    def _possibly_kept(self, position: _Position) -> Iterable[int]:
        """How many cards may stay in all tableaus together: none, or as many as can be; the rest lies between."""
        waiting = sum(position.zones[zone][0] for zone in self.larders)
        most = min(self.kept - waiting, sum(position.zones[self.zones["tableau"]]))
        return {0, most} if self.returns or most == 0 else {most}

    def _empty_tableaus(self, position: _Position, kept: int, target: int) -> None:
        tableaus = position.zones[self.zones["tableau"]]
        for seat, size in enumerate(tableaus):
            stay = min(size, kept)
            tableaus[seat] = stay
            position.zones[target][0] += size - stay
            if self.returns:  # else whose cards stay is not known, and no step depends on it: as many as can be, each
                kept -= stay
        position.laid = [0] * self.seats

    def _gather(self, step: Step, positions: list[_Position]) -> list[_Position]:
        target, tableau = self.zones[step.zone or "deck"], self.zones["tableau"]
        after = self._clear(step, positions)
        for position in after:
            for zone, owners in enumerate(position.zones):
                if zone not in {target, tableau}:
                    position.zones[target][0] += sum(owners)
                    owners[:] = [0] * len(owners)
        return _distinct(after)

    # ── choosing ──────────────────────────────────────────────────────────────────────────────────────────────────────

    def _choose(self, step: Step, positions: list[_Position]) -> list[_Position]:
        revealed = (step.to or "tableau") == "tableau"
        if revealed:
            self.reveals += 2 if self.late else 1
        for position in positions:
            self._use(step, sum(self._take(step, position, seat) for seat in self._choosers(step, position)))
        return self._taken_by_triggers(step, "reveal", positions) if revealed else positions

    def _take(self, step: Step, position: _Position, seat: int) -> int:
        """A seat chooses for itself and for the seats it chooses for; how many cards it takes."""
        source, target = self.zones[step.from_ or "hand"], self.zones[step.to or "tableau"]
        own = seat if self.kinds[source].per == "seat" else 0
        wanted = [(seat, self._number(step.cards, position, 1, 1))]
        wanted += [
            (self.extra[also.seat], also.cards) for also in step.also if position.markers[self.markers[also.by]] == seat
        ]
        before = position.zones[source][own]
        for receiver, count in wanted:
            taken = min(count, position.zones[source][own])
            position.zones[source][own] -= taken
            position.zones[target][receiver if self.kinds[target].per == "seat" else 0] += taken
            if self.kinds[target].id == "tableau":
                self._lay(position, receiver, taken, position.zones[source][own] if receiver == seat else 0)
        return before - position.zones[source][own]

    def _lay(self, position: _Position, seat: int, cards: int, left: int) -> None:
        """Cards come to a tableau; of those that are `left`, abilities may bring more."""
        more = min(self.extra_plays, left)
        moment = min(self.extra_for_a_moment, left - more)
        position.laid[seat] += cards + more
        position.laid_in_game[seat] += cards + more
        self.most_laid = max(self.most_laid, position.laid[seat] + moment)
        self.most_in_game = max(self.most_in_game, position.laid_in_game[seat] + moment)

    # ── markers, points, turns ────────────────────────────────────────────────────────────────────────────────────────

    def _give(self, step: Step, positions: list[_Position]) -> list[_Position]:
        marker = self.markers[step.marker or ""]
        after = []
        for position in positions:
            for holder in self._takers(step, position.markers[marker]):
                following = position.copy()
                following.markers[marker] = holder
                after.append(following)
        return self._limited(step, after)

    def _takers(self, step: Step, holder: int) -> Iterable[int]:
        if step.measure is None:
            return (self._neighbour(holder, step.give_to or "nobody"),)
        return {*range(self.players), self._neighbour(holder, step.tie)}

    def _neighbour(self, holder: int, to: str) -> int:
        if to == "nobody":
            return _NOBODY
        if holder == _NOBODY or to == "stays":
            return holder
        return (holder + (1 if to == "left" else -1)) % self.players

    def _taken_by_triggers(self, step: Step, moment: str, positions: list[_Position]) -> list[_Position]:
        """Markers that a trigger may hand to any seat."""
        effects = [effect for trigger in self.model.triggers if trigger.after == moment for effect in trigger.do]
        if moment == "reveal":
            effects += [effect for card in self.model.cards for effect in card.on_play]
        for marker in {effect.target or "" for effect in effects if effect.kind == "take"}:
            if self._matters(marker):
                positions = self._limited(step, self._taken_by_anybody(marker, positions))
        return positions

    def _matters(self, marker: str) -> bool:
        """Does any step ask who holds it."""
        return any(step.who == marker or any(also.by == marker for also in step.also) for step in self.steps)

    def _taken_by_anybody(self, marker: str, positions: list[_Position]) -> list[_Position]:
        index = self.markers[marker]
        after = positions[:]
        for position in positions:
            for seat in range(self.seats):
                following = position.copy()
                following.markers[index] = seat
                after.append(following)
        return after

    def _score(self, step: Step, positions: list[_Position]) -> list[_Position]:
        label = step.label or ""
        self.scored[label] = self.scored.get(label, 0) + 1
        return self._taken_by_triggers(step, label, positions)

    def _repeat(self, step: Step, positions: list[_Position]) -> list[_Position]:
        outer, self.turn = self.turn, 0
        done: list[_Position] = []
        while positions:
            going = []
            for position in positions:
                ends = self._ends(step, position)
                if ends is not False:
                    done.append(position if ends else position.copy())
                if not ends:
                    going.append(position)
            if going:
                self._count_turn(step, going)
                going = _distinct(self._run(step.body, going))
            positions = going
        self.turn = outer
        return self._limited(step, done)

    def _ends(self, step: Step, position: _Position) -> bool | None:
        """Does the repeat end here; ``None`` if that depends on play."""
        if step.zone is not None:
            return not any(position.zones[self.zones[step.zone]])
        if step.times is not None:
            return self.turn >= self._number(step.times, position, 0, 0)
        return self._decide(step.until, position) if step.until else True

    def _count_turn(self, step: Step, positions: list[_Position]) -> None:
        self.turn += 1
        self.turns += 1
        self.now.turns += 1
        hand = self.zones["hand"]
        self.now.hands.append(tuple(map(max, *(own.zones[hand] for own in positions), [0] * self.seats)))
        if self.turns > MAX_TURNS:
            message = f"More than {MAX_TURNS} turns{self._where()}: this repeat has no end that can be proved."
            hint = "Every turn has to use up cards of the zone in until_empty; or give a number of times."
            self._refuse("endless-turns", message, step.span, hint)

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
            if use.cards == 0 and (use.step.zone or use.step.from_) not in self.unsure:
                self.findings.append(_never_moves(use.step))


def _never_moves(step: Step) -> Diagnostic:
    zone = step.zone or step.from_ or "deck"
    if step.verb == "choose":
        message = f"Nobody ever has a card in {zone} to choose from."
        return Diagnostic("zone-misuse", "error", message, step.span, hint=f"Deal cards to {zone} before this step.")
    message = f"This {step.verb} never moves a card, because {zone} is always empty here."
    hint = "Remove the step, or fill the zone before it."
    return Diagnostic("zone-misuse", "warning", message, step.span, hint=hint)


def _all_steps(steps: tuple[Step, ...]) -> Iterable[Step]:
    for step in steps:
        yield step
        yield from _all_steps(step.body)


def _larders(model: CardSet, steps: Iterable[Step]) -> Iterable[str]:
    """Zones with nothing but cards that stay when they are played, into which no card ever goes."""
    filled = {name for step in steps for name in (step.to, step.zone if step.verb == "gather" else None)}
    for zone in dict.fromkeys(card.starts_in for card in model.cards):
        if zone not in filled and all(card.keep for card in model.cards if card.starts_in == zone):
            yield zone


def _reads_discards(steps: tuple[Step, ...]) -> bool:
    """Can cards that have left a tableau come back."""
    return any(step.verb == "gather" or "discard" in {step.from_, step.zone} for step in steps)


def _unsure_zones(model: CardSet) -> frozenset[str]:
    """The zones whose sizes depend on how abilities and effects are used, not on the steps alone."""
    effects = [effect for card in model.cards for effect in card.on_play]
    effects += [effect for trigger in model.triggers for effect in trigger.do]
    discards = any(effect.kind == "discard" for effect in effects)
    unsure = set()
    if model.abilities or discards or any(card.keep for card in model.cards):
        unsure |= {"tableau", "discard"}
    if any(own.returns_to in {"stays", "discard"} or own.take > 1 for own in model.abilities):
        unsure |= {zone.id for zone in model.zones}
    return frozenset(unsure)
