"""The state of a game: everything that is needed to go on, and nothing else.

A state can be cloned, hashed and written as JSON. `draftengine.engine.game` treats states as values;
the instructions change a state that is theirs.
"""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, Any

from draftengine.engine.beliefs import Beliefs
from draftengine.engine.chance import Stream, key_of

if TYPE_CHECKING:
    from draftengine.engine.instruction import EventSink
    from draftengine.engine.moves import Move
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

    __slots__ = (
        "ability_picks",
        "chance",
        "chips",
        "chosen",
        "deal",
        "down",
        "formula_card",
        "formula_zone_card",
        "last_place",
        "ledger",
        "markers",
        "memory",
        "pc",
        "pending",
        "pending_points",
        "piles",
        "placed",
        "program",
        "received_card",
        "round",
        "scores",
        "stopped",
        "taking",
        "tell",
        "turns",
        "way",
        "winners",
        "words",
        "words_before_choice",
        "zones",
    )  # fmt: skip

    program: Program
    formula_card: int
    """The card that formulas are about which ask what it has: set before they are asked, and no part of a state."""
    formula_zone_card: int
    """The card in a zone of which a formula asks what it has, likewise."""
    pending_points: list[int]
    """Points that are given together when all rules of a label are scored; no part of a state."""
    taking: dict[int, Move]
    """What seats take while it is laid down, of their ways the cards. This and what follows is no part of a state."""
    way: list[int]
    received_card: list[int]
    """The card that a seat got because it asked for it; -1 = none."""
    ability_picks: list[int]
    """How many further cards a seat has taken with an ability."""
    last_place: int
    """The place of a layout that was taken last."""
    placed: list[tuple[int, int]]
    """What was played by that: seats and plays, in their order."""
    tell: EventSink
    """Who hears what happens meanwhile; ``None`` = nobody. It is no part of a state either."""
    zones: list[list[list[int]]]
    down: list[list[int]]
    words: list[int]
    words_before_choice: list[int]
    scores: list[int]
    markers: list[int]
    chips: list[list[tuple[int, int]]]
    piles: list[list[int]]
    round: int
    turns: list[int]
    pc: int
    pending: tuple[int, ...]
    chosen: dict[int, Move]
    deal: Stream
    chance: Stream
    ledger: list[tuple[int, int, tuple[int, ...]]]
    winners: tuple[int, ...]
    stopped: int
    """1 if it ended because it could not go on (see `draftengine.engine.control.End`)."""
    memory: Beliefs | None

    @property
    def over(self) -> bool:
        """Is the game finished."""
        return bool(self.winners)

    @property
    def turn(self) -> int:
        """The turn of the round (from 1), or 0 outside turns."""
        return self.turns[-1] if self.turns else 0

    def clone(self) -> GameState:
        """An independent copy."""
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
        twin.turns = self.turns[:]
        twin.pc = self.pc
        twin.pending = self.pending
        twin.chosen = dict(self.chosen)
        twin.deal = self.deal.clone()
        twin.chance = self.chance.clone()
        twin.ledger = self.ledger[:]
        twin.winners = self.winners
        twin.stopped = self.stopped
        twin.memory = self.memory.clone() if self.memory else None
        return twin

    def with_commitments(self, chosen: dict[int, Move]) -> GameState:
        """This state with other choices; all else is shared, so neither of the two may go on without being copied."""
        twin = object.__new__(GameState)
        for name in self.__slots__:
            setattr(twin, name, getattr(self, name))
        twin.chosen = chosen
        return twin

    def to_json(self) -> dict[str, Any]:
        """The state as plain JSON data. It binds itself to the compiled rules by their hash."""
        return {**self._but_for_choices(), "choices": self.memory.choices_to_json() if self.memory else None}

    def _but_for_choices(self) -> dict[str, Any]:
        """As `to_json`, without what seats saw others choose, which is most of it."""
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
            "turns": self.turns,
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
        """SHA-256 of the state's canonical JSON, but for what is known of choices: saved games were written without."""
        text = json.dumps(self._but_for_choices(), sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(text.encode()).hexdigest()


def reset_scratch(state: GameState, tell: EventSink = None) -> None:
    """What is no part of a state is as where nothing happens; who hears of what will may stay."""
    players, seats = state.program.players, state.program.seats
    state.tell, state.pending_points, state.way, state.received_card = tell, [0] * seats, [-1] * players, [-1] * players
    state.taking, state.placed, state.ability_picks, state.last_place = {}, [], [0] * players, -1


def initial_state(program: Program, root: int, game: int, *, memory: bool) -> GameState:
    """The state before anything has happened: all cards in their first zone (the deck) in the order of the box."""
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
    state.turns = []
    state.pc = 0
    state.pending = ()
    state.chosen = {}
    state.deal = Stream(key_of(root, game, "deal"))
    state.chance = Stream(key_of(root, game, "chance"))
    state.ledger = []
    state.winners = ()
    state.stopped = 0
    state.memory = Beliefs.empty(program) if memory else None
    return state
