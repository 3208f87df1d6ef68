"""Studies of drafts: which cards are seen, taken, passed on and come back, and what choices cost.

Here is the collector of counts: what each seat sees before a choice, takes in it, and passes on. `summary` computes the
figures from them, and asks an adviser about a sample of choices.

The counts are one vector of sums, the *tally*, so that chunks of games can be merged in any order.

The collector follows the flow step by step, so it knows which cards travel together under any rules. Copies of a card
are not distinguished: a copy that was put back counts like one that was passed. Taken cards also have *denied points*:
their value for the seat that receives the rest of the hand.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from msgspec import Struct

from draftengine.engine.accounting import MOST_TURNS
from draftengine.engine.choose import Choice, joins_later
from draftengine.engine.instructions import Deal, EndRound, MoveAll, Pass
from draftengine.engine.kernel.running import advance, settle
from draftengine.engine.moves import choice_of, legal_moves
from draftengine.engine.observe import observe
from draftengine.engine.policies import random_move, random_moves
from draftengine.engine.public_state import PublicState, forms_of, rises

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from draftengine.engine.chance import Stream
    from draftengine.engine.moves import Move
    from draftengine.engine.observe import Observation
    from draftengine.engine.policies import Policy
    from draftengine.engine.program import Program
    from draftengine.engine.state import GameState


GAMES, CHOICES = range(2)
"""Positions at the beginning of a tally: the number of games, and the number of choices."""
SEEN, TAKEN, ASIDE, ADDED, PASSED, BACK, DENIED, DENIALS = range(8)
"""The columns of each kind of card in each turn. They count copies.

A seat takes some of the copies that it sees, puts some aside and passes the rest on. To put a card aside means to give
it to another seat, or to keep it for a later choice. `ADDED` copies came in between: put back by an ability, or drawn.
If cards are passed, ``SEEN + ADDED = TAKEN + ASIDE + PASSED``; otherwise, the rest stays.

`BACK` counts copies passed in this turn that were present when their seat next saw these cards. `DENIALS` counts copies
that left before the rest was passed. In total, the next seat would have gained `DENIED` more points with these copies
than with the best of the rest.
"""
COLUMNS = 8
JUDGED, LOST, SQUARES = range(3)
"""The columns of each seat in each turn: judged choices, the points lost by them, and their squares.

Points are in units of 1 / `SCALE`.
"""
JUDGED_COLUMNS = 3


class DraftLayout(Struct, frozen=True):
    """The layout of a tally, the vector of all counts: where the columns of each subject start."""

    faces: tuple[int, ...]
    """The kinds of cards, each as a face and represented by its first card."""
    players: int

    @classmethod
    def of(cls, program: Program) -> DraftLayout:
        return cls(tuple(sorted(set(program.face_of))), program.players)

    @property
    def duels(self) -> int:
        """The start of a matrix: how often the row's kind of card was taken and the column's kind left."""
        return 2 + len(self.faces) * MOST_TURNS * COLUMNS

    @property
    def judged(self) -> int:
        """Start of the columns of judged choices."""
        return self.duels + len(self.faces) ** 2

    @property
    def size(self) -> int:
        return self.judged + self.players * MOST_TURNS * JUDGED_COLUMNS

    def card(self, kind: int, turn: int) -> int:
        """Return the start of the columns of a kind of card in a turn."""
        return 2 + (kind * MOST_TURNS + min(turn, MOST_TURNS - 1)) * COLUMNS

    def choice(self, seat: int, turn: int) -> int:
        """Return the start of the columns of the judged choices of a seat in a turn."""
        return self.judged + (seat * MOST_TURNS + min(turn, MOST_TURNS - 1)) * JUDGED_COLUMNS

    def duel(self, taken: int, left: int) -> int:
        """Return the index of the count of times that one kind was taken while another was left.

        Every copy that was left counts.
        """
        return self.duels + taken * len(self.faces) + left


def merge(tally: Sequence[int], other: Sequence[int]) -> list[int]:
    """Return the sums of two tallies."""
    return [one + two for one, two in zip(tally, other, strict=True)]


def denied(state: GameState, choice: Choice, receiver: int, gone: Sequence[int], rest: Sequence[int]) -> list[int]:
    """Return the points denied to `receiver` by each face in `gone`.

    They are the receiver's gain with that face minus its gain with the best face in `rest`, but at least 0. A gain is
    the rise of the provisional score in the current position, in the best form that the card can take.
    """
    playing = choice.as_played()
    forms = [forms_of(state, receiver, face) for face in [*gone, *rest]]
    moves = [(option,) for form in forms for option in form]
    sign = state.program.direction
    values = iter([sign * value for value in rises(PublicState.of_state(state), playing, receiver, moves)])
    gains = [max(next(values) for _ in form) for form in forms]
    instead = max(gains[len(gone) :])
    return [max(0, gain - instead) for gain in gains[: len(gone)]]


Kinds = dict[int, int]
"""The number of copies of each kind of card. Kinds are indices in `DraftLayout.faces`."""


class PassedHand:
    """A hand that is passed from seat to seat, with its history as far as the counts need it."""

    __slots__ = ("choice", "gone", "left", "looked", "passed", "seat", "turn")

    def __init__(self) -> None:
        self.passed: dict[int, tuple[int, Kinds]] = {}
        """For each seat, the turn in which it last passed this hand on, and the cards that it passed."""
        self.looked = 0
        """The number of the turn in which `seat` saw this hand; 0 if no seat has seen it since the last pass."""
        self.seat = self.turn = 0
        self.left: Kinds = {}
        self.gone: list[int] = []
        """The cards that left the hand since `seat` looked at it: a kind for each copy."""
        self.choice: Choice | None = None


class Chosen(Struct, frozen=True):
    """A choice that a seat made, with what the seat could see."""

    seen: Observation
    turn: int
    """The turn within the round."""
    move: Move


class Sample:
    """A uniform sample of a game's choices between several legal moves (Vitter's algorithm R)."""

    def __init__(self, size: int, stream: Stream) -> None:
        self.size = size
        self.stream = stream
        self.offered = 0
        self.kept: list[Chosen] = []

    def offer(self, state: GameState, seat: int, turn: int, move: Move) -> None:
        """Offer the choice that a seat makes to the sample, before the move is carried out."""
        if legal_moves(state, seat).total == 1:
            return
        self.offered += 1
        if len(self.kept) < self.size:
            self.kept.append(Chosen(observe(state, seat), turn, move))
        elif (place := self.stream.below(self.offered)) < self.size:
            self.kept[place] = Chosen(observe(state, seat), turn, move)


class Collector:
    """Counts the drafts of several games in one tally."""

    def __init__(self, program: Program, shape: DraftLayout) -> None:
        self.program = program
        self.shape = shape
        self.tally = [0] * shape.size
        self._kind = {face: kind for kind, face in enumerate(shape.faces)}
        self._aside = {id(step) for step in program.code if isinstance(step, Choice) and joins_later(program, step)}

    def walk(
        self, state: GameState, policies: Sequence[Policy], stream: Stream, sample: Sample | None = None
    ) -> GameState:
        """Play a game from a new state to its end, and count. Return the last state.

        It plays as `draftengine.engine.policies.play_by` does. If `sample` is given, it receives the choices to be
        judged.
        """
        zones = self.program.zones
        self._packets = [
            [PassedHand() for _ in range(self.program.seats if zone.per == "seat" else 1)] for zone in zones
        ]
        self._moment, self._turn, self._passes = 0, 0, 0
        self._now: object = None
        at_random = all(policy is random_move for policy in policies)
        follow = partial(self._follow, state)
        advance(state, None, follow)
        while state.pending:
            choice = choice_of(state)
            self._look(state, choice)
            chosen = (
                random_moves(state, choice, stream)
                if at_random
                else {seat: policies[seat](state, choice, seat, stream) for seat in state.pending}
            )
            if not choice.plays:
                self._renew(state, choice.target)
            for seat, move in chosen.items():
                if sample is not None:
                    sample.offer(state, seat, self._turn, move)
                self._take(state, choice, seat, move)
            self.tally[CHOICES] += len(chosen)
            state.chosen = chosen
            settle(state, choice, None)
            advance(state, None, follow)
        self.tally[GAMES] += 1
        return state

    # ── which cards travel together ─────────────────────────────────────────────────────────────────────────────────

    def _follow(self, state: GameState, number: int) -> bool:
        """Record what the step `number` is about to do with cards. Returns False, so that play goes on."""
        step = self.program.code[number]
        if isinstance(step, Pass):
            # Count the cards that seats pass on, and rotate the histories of their hands.
            self._passes += 1
            way = step.direction(state.round)
            players = state.program.players
            for giver in range(players):
                packet = self._packets[step.zone][giver]
                if packet.looked and packet.seat == giver:
                    going = self._counted(state.zones[step.zone][giver])
                    self._add(PASSED, packet.turn, going)
                    added = {kind: count - packet.left.get(kind, 0) for kind, count in going.items()}
                    self._add(ADDED, packet.turn, {kind: count for kind, count in added.items() if count > 0})
                    if going and packet.gone and packet.choice is not None:
                        faces, gone = self.shape.faces, sorted(set(packet.gone))
                        mine, theirs = [faces[kind] for kind in gone], [faces[kind] for kind in going]
                        lost = denied(state, packet.choice, (giver + way) % players, mine, theirs)
                        points = dict(zip(gone, lost, strict=True))
                        for kind in packet.gone:
                            row = self.shape.card(kind, packet.turn)
                            self.tally[row + DENIALS] += 1
                            self.tally[row + DENIED] += points[kind]
                    packet.passed[giver] = packet.turn, going
                packet.looked = 0
            packets = self._packets[step.zone]
            packets[:players] = [packets[(seat - way) % players] for seat in range(players)]
        elif isinstance(step, Deal):
            self._renew(state, step.target)
        elif isinstance(step, MoveAll):
            # The history of a hand moves with its cards. Cards that join other cards lose it.
            self._renew(state, step.target)
            source, target = self._packets[step.source], self._packets[step.target]
            for owner, cards in enumerate(state.zones[step.source]):
                if cards:
                    if len(target) == len(source) and not state.zones[step.target][owner]:
                        target[owner] = source[owner]
                    source[owner] = PassedHand()
        elif isinstance(step, EndRound):
            self._turn, self._now = 0, None
        return False

    def _renew(self, state: GameState, zone: int) -> None:
        """Start a new hand for each empty zone, because cards that come to it have not been seen together."""
        for owner, cards in enumerate(state.zones[zone]):
            if not cards:
                self._packets[zone][owner] = PassedHand()

    # ── what seats see and choose ───────────────────────────────────────────────────────────────────────────────────

    def _look(self, state: GameState, choice: Choice) -> None:
        """Count what every choosing seat sees, once per turn, and which of these cards have come back."""
        # Advance the turn if the game is in another repeat, or has passed hands since the last choice.
        now = tuple(state.turns), self._passes
        if now != self._now:
            self._now = now
            self._moment += 1
            self._turn += 1
        for seat in state.pending:
            packet = self._packet(state, choice, seat)
            packet.choice = choice
            if packet.looked == self._moment and packet.seat == seat:
                continue
            packet.looked, packet.seat, packet.turn = self._moment, seat, self._turn
            packet.left, packet.gone = self._stock(state, choice, seat), []
            self._add(SEEN, self._turn, packet.left)
            turn, passed = packet.passed.pop(seat, (0, {}))
            back = {kind: min(count, packet.left.get(kind, 0)) for kind, count in passed.items()}
            self._add(BACK, turn, back)

    def _packet(self, state: GameState, choice: Choice, seat: int) -> PassedHand:
        return self._packets[choice.source][choice.owner(state, seat)]

    def _stock(self, state: GameState, choice: Choice, seat: int) -> Kinds:
        """Return the cards that a seat can choose from, without cards that lie face down."""
        if not choice.layout:
            held, card_of = choice.held(state, seat), self.program.card_of
            return self._counted([card_of[play] for play in held] if choice.as_they_lie else held)
        down, cards = state.down[choice.source], state.zones[choice.source][0]
        return self._counted(cards[place] for place in choice.open_places(state) if place not in down)

    def _counted(self, cards: Iterable[int]) -> Kinds:
        face_of, counts = self.program.face_of, dict[int, int]()
        for card in cards:
            kind = self._kind[face_of[card]]
            counts[kind] = counts.get(kind, 0) + 1
        return counts

    def _take(self, state: GameState, choice: Choice, seat: int, move: Move) -> None:
        packet, stock = self._packet(state, choice, seat), self._stock(state, choice, seat)
        taken: list[int] = []
        for code in move:
            channel, item = divmod(code, self.program.width)
            option = choice.option_of(item)
            if option < 0:  # an action without cards
                continue
            card = state.zones[choice.source][0][item] if choice.layout else self.program.options[option].plays[0][0]
            kind = self._kind[self.program.face_of[card]]
            if choice.layout and not packet.left.get(kind):  # a card taken in this move covered it before
                self._add(SEEN, packet.turn, {kind: 1})
                packet.left[kind] = 1
            for_other = channel >= choice.first_other
            self._add(ASIDE if for_other or id(choice) in self._aside else TAKEN, packet.turn, {kind: 1})
            packet.left[kind] = packet.left.get(kind, 0) - 1
            packet.gone.append(kind)
            if not for_other:
                taken.append(kind)
                stock[kind] = stock.get(kind, 0) - 1
        if not choice.offer:
            # Count each taken card once against every copy of another kind that was left.
            for kind in taken:
                for other, count in stock.items():
                    if count > 0 and other not in taken:
                        self.tally[self.shape.duel(kind, other)] += count

    def _add(self, column: int, turn: int, counts: Kinds) -> None:
        for kind, count in counts.items():
            self.tally[self.shape.card(kind, turn) + column] += count
