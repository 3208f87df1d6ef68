"""The flow played with card counts only: how long a game lasts, and whether there are cards enough.

Nobody chooses here. A position is how many cards lie in each zone and who holds which marker; where that depends on
play, every possible position is followed. What comes out is a `Plan`: proved bounds, and what is wrong with the flow.

Abilities are not played. They never lengthen a round: whoever takes further cards puts at most one back for them (which
is checked here), so at every moment at most as many cards are left to be chosen from as without them.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, NoReturn

from msgspec import Struct, field

from draftengine.cardset.facts import MAX_TURNS, constants, has_label, ranked_seats
from draftengine.cardset.facts import seats as seats_of
from draftengine.cardset.yaml_scalar import ONE_NUMBER, RANGE
from draftengine.diagnostics.finding import Diagnostic, ordered
from draftengine.language.evaluate import compile_formula
from draftengine.records.record import mentioned
from draftengine.verbs import VERBS, choose, discard, gather

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from draftengine.cardset.model import CardSet, Marker, Zone
    from draftengine.records.values import ByPlayers, Formula
    from draftengine.source import Span
    from draftengine.verbs.verb import Step

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


class Position:
    """How many cards lie in each zone, by owner; who holds which marker; and how many cards each tableau has got."""

    __slots__ = ("laid", "laid_in_game", "markers", "zones")

    def __init__(self, zones: list[list[int]], markers: list[int], laid: list[int], laid_in_game: list[int]) -> None:
        self.zones = zones
        self.markers = markers
        self.laid = laid
        self.laid_in_game = laid_in_game

    def copy(self) -> Position:
        zones = [owners[:] for owners in self.zones]
        return Position(zones, self.markers[:], self.laid[:], self.laid_in_game[:])

    def key(self) -> tuple[object, ...]:
        """Equal keys go on in the same way."""
        return (*map(tuple, self.zones), tuple(self.markers))

    def absorb(self, other: Position) -> None:
        """Stand for `other` too, which has the same key."""
        self.laid = list(map(max, self.laid, other.laid))
        self.laid_in_game = list(map(max, self.laid_in_game, other.laid_in_game))


def _distinct(positions: list[Position]) -> list[Position]:
    if len(positions) < 2:  # noqa: PLR2004 (nothing to compare)
        return positions
    found: dict[tuple[object, ...], Position] = {}
    for position in positions:
        first = found.setdefault(position.key(), position)
        if first is not position:
            first.absorb(position)
    return list(found.values())


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

    def holds(self, marker: str) -> Callable[[Position, int], int]:
        index = self.game.markers[marker]
        return lambda position, seat: position.markers[index] == seat

    def cards(self, zone: str) -> Callable[[Position, int], int]:
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
        self.steps = tuple(_all_steps((*model.setup, *model.round, *model.finish)))
        self.kept = sum(card.count for card in model.cards if card.keep)
        self.larders = tuple(self.zones[zone] for zone in _larders(model, self.steps))
        self.unsure = _unsure_zones(model)
        self.returns = _reads_discards(self.steps)
        self.extra_plays, self.extra_for_a_moment = extra_plays(model)
        self.late = any(own.when == "after_reveal" for own in model.abilities)
        self.facts = _Facts(self)
        self.formulas: dict[int, Callable[[Position, int], int] | None] = {}
        self.round = 0
        self.in_round = False
        self.ended: dict[str, list[Position]] = {"round": [], "game": []}
        """The positions in which a round, or the game, has ended early."""
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
        self.takable: dict[str, list[str]] = {}
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

    def end(self, step: Step, what: str, positions: list[Position]) -> None:
        """In these positions the round or the game ends here."""
        if not self.in_round:
            hint = "Let it stand among the steps of the round."
            self.refuse("misplaced-step", "Nothing can be ended here.", step.span, hint)
        self.ended[what] = self.limited(step, self.ended[what] + positions)

    def _start(self) -> list[Position]:
        zones = [[0] * len(owners) for owners in self.largest]
        for card in self.model.cards:
            zones[self.zones[card.starts_in]][0] += card.count
        nothing = [0] * self.seats
        holders: list[list[int]] = [[]]
        for marker in self.model.markers:
            holders = [[*before, seat] for before in holders for seat in self._first_holders(marker)]
            if len(holders) > _MAX_POSITIONS:
                self.refuse("endless-turns", "Too many ways to start to prove that the turns end.", marker.span)
        start = [Position([own[:] for own in zones], own, nothing[:], nothing[:]) for own in holders]
        self._note(start)
        return start

    def _first_holders(self, marker: Marker) -> Sequence[int]:
        if isinstance(marker.start, int):
            return (marker.start if marker.start < self.seats else _NOBODY,)
        if marker.start == "random":
            return range(self.players)
        return (0 if marker.start == "first" else _NOBODY,)

    def _end_round(self, positions: list[Position]) -> None:
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

    def run_all(self, steps: tuple[Step, ...], positions: list[Position]) -> list[Position]:
        for step in steps:
            if positions:
                positions = self._when(step, positions)
        return positions

    def _when(self, step: Step, positions: list[Position]) -> list[Position]:
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
        return self.limited(step, after + skipped)

    def _step(self, step: Step, positions: list[Position]) -> list[Position]:
        after: list[Position] = VERBS[step.verb].count_cards(step, self, positions)
        if step.id in self.moments:
            after = self.moment(step, step.id, after)
        self._note(after)
        self.followed += len(after) * self.cells
        if self.followed > MAX_FOLLOWED:
            message = f"There are too many steps and turns{self.where()} to follow them all, with all that can happen."
            hint = "Leave steps out, or let fewer conditions, seats and turns multiply them."
            self.refuse("endless-turns", message, step.span, hint)
        return after

    def moment(self, step: Step, name: str, positions: list[Position]) -> list[Position]:
        """Triggers wait for this, if they do."""
        if name not in self.moments:
            return positions
        self.scored[name] = self.scored.get(name, 0) + 1
        return self.taken_by_triggers(step, name, positions)

    def limited(self, step: Step, positions: list[Position]) -> list[Position]:
        positions = self.distinct(positions)
        if len(positions) > _MAX_POSITIONS:
            message = "Too much of the flow depends on play to prove that the turns end."
            self.refuse("endless-turns", message, step.span, "Let fewer markers and conditions decide who chooses.")
        return positions

    def _note(self, positions: list[Position]) -> None:
        """Remember the largest sizes."""
        for position in positions:
            for sizes, owners in zip(self.largest, position.zones, strict=True):
                sizes[:] = map(max, sizes, owners)

    def use(self, step: Step, cards: int) -> None:
        use = self.uses.get(id(step))
        if use is None:
            use = self.uses[id(step)] = _Use(step)
        use.times += 1
        use.cards += cards

    # ── numbers and conditions ────────────────────────────────────────────────────────────────────────────────────────

    def _value(self, formula: Formula, position: Position) -> int | None:
        """The value of a formula; ``None`` if it depends on play."""
        if id(formula) not in self.formulas:
            try:
                self.formulas[id(formula)] = compile_formula(formula.expr, self.facts)
            except _UndecidedError:
                self.formulas[id(formula)] = None
        compiled = self.formulas[id(formula)]
        return None if compiled is None else int(compiled(position, 0))

    def decide(self, formula: Formula, position: Position) -> bool | None:
        value = self._value(formula, position)
        return None if value is None else bool(value)

    def number(self, cases: ByPlayers | None, position: Position, default: int, least: int) -> int:
        """The number of cards (or turns) that a step asks for."""
        if cases is None:
            return default
        by_count = dict(cases.cases)
        formula = by_count.get(self.players, by_count.get(None))
        if formula is None:
            message = "No number is given here."
            self.refuse("missing-player-count", message, cases.span, f"Add {self.players}: and a number.")
        value = self._value(formula, position)
        if value is None:
            hint = "Use numbers, parameters, players, round, turn or cards(zone)."
            self.refuse("bad-count", "This number must not depend on what was played.", formula.span, hint)
        if value < least:
            message = f"This number comes to {value}{self.where()}."
            hint = ONE_NUMBER if RANGE.fullmatch(formula.text) else f"It has to be at least {least}."
            self.refuse("bad-count", message, formula.span, hint)
        return value

    def where(self) -> str:
        return f" in round {self.round}" if self.round else ""

    def refuse(self, code: str, message: str, span: Span, hint: str = "") -> NoReturn:
        self.findings.append(Diagnostic(code, "error", message, span, hint=hint))
        raise _StopError

    # ── what steps need ───────────────────────────────────────────────────────────────────────────────────────────────

    distinct = staticmethod(_distinct)

    def seats_of(self, marker: str | None, position: Position) -> Sequence[int]:
        """The players that hold a marker, or all of them; nobody sits at an extra seat."""
        if marker is None:
            return range(self.players)
        holder = self.holder(marker, position)
        return (holder,) if holder in range(self.players) else ()

    def holder(self, marker: str, position: Position) -> int:
        return position.markers[self.markers[marker]]

    def lay(self, position: Position, seat: int, cards: int, left: int) -> None:
        """Cards come to a tableau; of those that are `left`, abilities may bring more."""
        more = min(self.extra_plays, left)
        moment = min(self.extra_for_a_moment, left - more)
        position.laid[seat] += cards + more
        position.laid_in_game[seat] += cards + more
        self.most_laid = max(self.most_laid, position.laid[seat] + moment)
        self.most_in_game = max(self.most_in_game, position.laid_in_game[seat] + moment)

    def taken_by_triggers(self, step: Step, moment: str, positions: list[Position]) -> list[Position]:
        """Markers that a trigger may hand to any seat."""
        if moment not in self.takable:
            self.takable[moment] = self._takable(moment)
        for marker in self.takable[moment]:
            positions = self.limited(step, self._taken_by_anybody(marker, positions))
        return positions

    def _takable(self, moment: str) -> list[str]:
        """The markers that change hands at a moment, of those whose holder some step asks for."""
        effects = [effect for trigger in self.model.triggers if trigger.after == moment for effect in trigger.do]
        if moment == "reveal":
            effects += [effect for card in self.model.cards for effect in card.on_play]
        asked = frozenset[str]().union(*(mentioned(own, "marker", "asked") for own in self.steps))
        return sorted(asked & frozenset[str]().union(*(mentioned(own, "marker", "taken") for own in effects)))

    def _taken_by_anybody(self, marker: str, positions: list[Position]) -> list[Position]:
        index = self.markers[marker]
        after = positions[:]
        for position in positions:
            for seat in range(self.seats):
                following = position.copy()
                following.markers[index] = seat
                after.append(following)
        return after

    def count_turn(self, step: Step, positions: list[Position]) -> None:
        self.turn += 1
        self.turns += 1
        self.now.turns += 1
        hand = self.zones["hand"]
        self.now.hands.append(tuple(map(max, *(own.zones[hand] for own in positions), [0] * self.seats)))
        if self.turns > MAX_TURNS:
            message = f"More than {MAX_TURNS} turns{self.where()}: this repeat has no end that can be proved."
            hint = "Every turn has to use up cards of the zone in until_empty; or give a number of times."
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
                    self.findings.append(_never_moves(use.step, zone))


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
    effects = [effect for card in model.cards for effect in card.on_play]
    effects += [effect for trigger in model.triggers for effect in trigger.do]
    discards = any(isinstance(effect, discard.Spec) for effect in effects)
    unsure = set()
    if model.abilities or discards or any(card.keep for card in model.cards):
        unsure |= {"tableau", "discard"}
    if any(own.returns_to in {"stays", "discard"} or own.take > 1 for own in model.abilities):
        unsure |= {zone.id for zone in model.zones}
    return frozenset(unsure)
