"""The state of a game: everything that is needed to go on, and nothing else.

A state can be cloned, hashed and written as JSON. `draftengine.engine.game` treats states as values; only instructions
change a state in place.

Some fields are *scratch*: they serve one step and are not part of the state. `to_json` omits them.
"""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, Any

from draftengine.engine.beliefs import Beliefs
from draftengine.engine.chance import Stream, key_of
from draftengine.engine.instructions import most_depth

if TYPE_CHECKING:
    from collections.abc import Sequence

    from draftengine.engine.events import EventSink
    from draftengine.engine.offer import Move
    from draftengine.engine.program import Program

VERSION = 1


class GameState:
    """A game in progress. Seats are 0 to ``program.seats - 1``; ``-1`` in `markers` means nobody.

    - `words` holds a packed counter word per seat, and `words_before_choice` the words before the last choice.
    - `zones` holds the cards by zone and owner, with the top card last. A shared zone has the single owner 0. In a
      tableau the items are plays; an empty place of a layout is -1.
    - `down` holds the places of layouts that are face down.
    - `ledger` holds every line of points as (source of points, round, points by seat).
    """

    program: Program
    formula_card: int
    """Scratch: the card that a formula reads, set before the formula is evaluated."""
    formula_zone_card: int
    """Scratch: the card in a zone that a formula reads, set before the formula is evaluated."""
    pending_points: list[int]
    """Scratch: points collected while the rules of one label are scored."""
    taking: dict[int, Move]
    """Scratch: for each seat, the codes of the cards that it is laying down, without the codes of actions.

    All fields from here to `tell` are scratch.
    """
    way: list[int]
    received_card: list[int]
    """For each player, the card that another player gave because this player asked for it; -1 = none."""
    ability_picks: list[int]
    """For each player, the number of further cards that the player takes with an ability."""
    last_place: int
    """The place of a layout from which a card was taken last."""
    placed: list[tuple[int, int]]
    """(seat, play) of plays with effects that were laid down in this step, in order."""
    tell: EventSink
    """Scratch: the callback that receives events; ``None`` = nobody."""
    zones: list[list[list[int]]]
    down: list[list[int]]
    words: list[int]
    words_before_choice: list[int]
    scores: list[int]
    markers: list[int]
    chips: list[list[tuple[int, int]]]
    piles: list[list[int]]
    round: int
    turn: int
    """The turn of the innermost repeat, from 1; 0 outside all repeats."""
    outer: list[int]
    """The turns of the repeats around the innermost one, outermost first; 0 for repeats not under way."""
    pc: int
    pending: tuple[int, ...]
    chosen: dict[int, Move]
    deal: Stream
    chance: Stream
    ledger: list[tuple[int, int, tuple[int, ...]]]
    over: int
    """The seats that have won, as bits; 0 while the game goes on."""
    stopped: int
    """1 if the game ended because it could not go on (see `draftengine.engine.instructions.End`)."""
    memory: Beliefs | None

    __slots__ = tuple(__annotations__)

    @property
    def winners(self) -> tuple[int, ...]:
        """The seats that have won; empty while the game goes on."""
        return seats_in(self.over)

    @property
    def bonus(self) -> list[int]:
        """The total value of the chips of each seat."""
        values = self.program.chip_values
        return [sum([values[pile][chip] for pile, chip in held]) for held in self.chips]

    @property
    def left(self) -> list[int]:
        """The number of chips left in each pile."""
        return list(map(len, self.piles))

    @property
    def turns(self) -> tuple[int, ...]:
        """The turns of all repeats under way, outermost first."""
        return tuple([turn for turn in (*self.outer, self.turn) if turn])

    @turns.setter
    def turns(self, turns: Sequence[int]) -> None:
        *outer, self.turn = turns or (0,)
        self.outer = outer + [0] * (len(self.outer) - len(outer))

    def clone(self) -> GameState:
        """Return an independent copy. Its scratch fields are reset, except the cards that formulas read."""
        twin = object.__new__(GameState)
        twin.program = self.program
        twin.formula_card, twin.formula_zone_card = self.formula_card, self.formula_zone_card
        reset_scratch(twin)
        twin.zones = [[owner[:] for owner in zone] for zone in self.zones]
        twin.down = [places[:] for places in self.down]
        twin.words = self.words[:]
        twin.words_before_choice = self.words_before_choice[:]
        twin.scores = self.scores[:]
        twin.markers = self.markers[:]
        twin.chips = [held[:] for held in self.chips]
        twin.piles = [pile[:] for pile in self.piles]
        twin.round = self.round
        twin.turn = self.turn
        twin.outer = self.outer[:]
        twin.pc = self.pc
        twin.pending = self.pending
        twin.chosen = dict(self.chosen)
        twin.deal = self.deal.clone()
        twin.chance = self.chance.clone()
        twin.ledger = self.ledger[:]
        twin.over = self.over
        twin.stopped = self.stopped
        twin.memory = self.memory.clone() if self.memory else None
        return twin

    def with_commitments(self, chosen: dict[int, Move]) -> GameState:
        """Return a shallow copy with other commitments. Clone before continuing from either state."""
        twin = object.__new__(GameState)
        for name in self.__slots__:
            setattr(twin, name, getattr(self, name))
        twin.chosen = chosen
        return twin

    def to_json(self) -> dict[str, Any]:
        """Return the state as plain JSON data, with the hash of the rules that it belongs to."""
        return {**self._but_for_choices(), "choices": self.memory.choices_to_json() if self.memory else None}

    def _but_for_choices(self) -> dict[str, Any]:
        """Return the JSON data without observed choices, which would make up most of it."""
        return {
            "version": VERSION,
            "rules": self.program.rules_hash,
            "players": self.program.players,
            "zones": self.zones,
            "down": self.down,
            "words": [str(word) for word in self.words],
            "before": [str(word) for word in self.words_before_choice],
            "scores": self.scores,
            "markers": self.markers,
            "chips": [[list(chip) for chip in held] for held in self.chips],
            "piles": self.piles,
            "round": self.round,
            "turns": list(self.turns),
            "pc": self.pc,
            "pending": list(self.pending),
            "chosen": {str(seat): list(move) for seat, move in sorted(self.chosen.items())},
            "deal": [str(self.deal.key), self.deal.position],
            "chance": [str(self.chance.key), self.chance.position],
            "ledger": [[source, number, list(points)] for source, number, points in self.ledger],
            "winners": list(self.winners),
            "memory": self.memory.to_json() if self.memory else None,
            **({"stopped": 1} if self.stopped else {}),
        }

    def digest(self) -> str:
        """Return the SHA-256 of the canonical JSON without observed choices.

        Games that earlier versions saved have digests that were computed without these choices.
        """
        text = json.dumps(self._but_for_choices(), sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(text.encode()).hexdigest()


def seats_in(bits: int) -> tuple[int, ...]:
    """Return the seats whose bits are set, in ascending order."""
    return tuple([seat for seat in range(bits.bit_length()) if bits >> seat & 1])


def reset_scratch(state: GameState, tell: EventSink = None) -> None:
    """Reset the scratch fields, with `tell` as the callback for events."""
    players, seats = state.program.players, state.program.seats
    state.tell, state.pending_points, state.way, state.received_card = tell, [0] * seats, [-1] * players, [-1] * players
    state.taking, state.placed, state.ability_picks, state.last_place = {}, [], [0] * players, -1


def initial_state(program: Program, root: int, game: int, *, memory: bool) -> GameState:
    """Return the state before the game. All cards are where they begin, in the order of the box."""
    state = object.__new__(GameState)
    state.program = program
    state.formula_card = state.formula_zone_card = 0
    reset_scratch(state)
    state.zones = [[[] for _ in range(program.seats if zone.per == "seat" else 1)] for zone in program.zones]
    for contents, zone in zip(state.zones, program.zones, strict=True):
        if zone.layout:
            contents[0] = [-1] * len(zone.layout)
    for index, cards in program.initial_cards:
        state.zones[index][0] = list(cards)
    state.down = [[] for _ in program.zones]
    state.words = [program.start_word] * program.seats
    state.words_before_choice = state.words[:]
    state.scores = [0] * program.seats
    state.markers = [-1] * len(program.markers)
    state.chips = [[] for _ in range(program.seats)]
    state.piles = [list(range(len(values))) for values in program.chip_values]
    state.round = 0
    state.turn = 0
    state.outer = [0] * most_depth(program.code)
    state.pc = 0
    state.pending = ()
    state.chosen = {}
    state.deal = Stream(key_of(root, game, "deal"))
    state.chance = Stream(key_of(root, game, "chance"))
    state.ledger = []
    state.over = 0
    state.stopped = 0
    state.memory = Beliefs.empty(program) if memory else None
    return state
