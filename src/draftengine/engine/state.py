"""The state of a game: everything that is needed to go on, and nothing else.

A state can be cloned, hashed and written as JSON. `draftengine.engine.game` treats states as values; only instructions
change a state in place.

Some fields are *scratch*: they serve one step and are not part of the state. `to_json` omits them.

`StateRecord` declares each field once. The Python object, the compiled record, copies and comparisons are all derived
from this declaration.
"""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, Any

from draftengine.engine.beliefs import Beliefs
from draftengine.engine.chance import Stream, key_of
from draftengine.engine.instructions import most_depth
from draftengine.jit.records import Record, array, fields, number, packed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from draftengine.engine.events import EventSink
    from draftengine.engine.offer import Move
    from draftengine.engine.program import Program


class StateRecord(Record):
    """The record of a game in progress.

    For a row declared by `fields` or `packed`, every index must be known before the game.
    """

    game: int = number("The number of the game under its seed.")
    base: int = number("The key from which this game's random streams are derived.")
    deal: int = number("The position of the stream of deals and shuffles.")
    chance: int = number("The position of the stream of dice, chips and random markers.")
    bot: int = number("The position of the policies' stream: that of the word in `ahead`.")
    ahead: int = number("The next word of the policies' stream, computed in advance.")
    pc: int = number("The step at which the game waits for choices.")
    round: int = number("The round, from 1; 0 before the first.")
    turn: int = number("The turn of the innermost repeat, from 1; 0 outside all repeats.")
    outer: list[int] = fields("depth", "The turns of the repeats around the innermost one, outermost first.")
    over: int = number("The seats that have won, as bits; 0 as long as the game goes on.")
    stopped: int = number("1 if the game ended because it could not go on (see `draftengine.engine.instructions.End`).")
    stops_at_round_end: int = number("1 if play stops at the end of a round.")
    words: list[int] = packed("seat", "The packed counters of a seat.")
    words_before_choice: list[int] = packed("seat", "`words` as they were when the last cards were chosen.")
    examined: list[int] = packed("examined", "Scratch: the packed counters of the seat whose cards are scored.")
    scores: list[int] = fields("seat", "The points of a seat, without its chips.")
    pending_points: list[int] = fields("seat", "Scratch: points collected while the rules of one label are scored.")
    bonus: list[int] = fields("seat", "The sum of the values of a seat's chips.")
    markers: list[int] = fields("marker", "The seat that holds a marker; -1 = nobody.")
    hand: list[int] = fields(
        "hand", "The cards of a small zone as lanes of one word, the first card in the lowest bits."
    )
    size: list[int] = fields(
        "lot", "The number of cards of an owner in a zone. Owners who always have equally many share one."
    )
    lying: list[int] = fields("layout", "The places of a layout where a card lies, as bits.")
    down: list[int] = fields("layout", "The places of a layout where a card lies face down, as bits.")
    left: list[int] = fields("pile", "The number of chips left in a pile.")
    pile: list[int] = fields(
        "pile", "The chips left in a short pile, as lanes of one word: each value less the lowest."
    )
    card: list[int] = fields("pick", "The cards (or places) that seats take, by seat and number; -1 = none.")
    play: list[int] = fields("pick", "The play that each taken card becomes, by seat and number; -1 = itself.")
    at: list[int] = fields("pick", "The position of each taken card in its zone, by seat and number.")
    own_picks: list[int] = fields("player", "The number of cards that a seat takes for itself.")
    ability: list[int] = fields("player", "The ability that a seat uses; -1 = none.")
    named: list[int] = fields(
        "player", "The move that a player has begun to name (see `draftengine.engine.plan.items`)."
    )
    free: int = number("The places of a layout that a player can still draw, as bits.")
    way: list[int] = fields("player", "The action that a seat takes, in a choice with actions.")
    accepted: list[int] = fields("way", "The cards that each action accepts, as bits by their number in the zone.")
    received_card: list[int] = fields("player", "The card that a seat got because it asked for it; -1 = none.")
    ability_picks: list[int] = fields("player", "The number of further cards that a seat takes with its ability.")
    policy: list[int] = fields("player", "The policy of a player, if it is drawn for every game.")
    placed: int = number("1 if chance drew positions of cards instead of cards.")
    root: int = number("The root of the seed, if one game is played after the other.")
    games: int = number("The number of games between this one and the next.")
    no_choice_yet: int = number("1 if nobody had to choose in this game so far.")
    ended: int = number("1 if a game ended in this step.")
    won: int = number("The winners of the game that ended, as bits.")
    result: list[int] = fields("result", "The points of the game that ended, by seat.")
    pending: int = number("The seats that have to choose, as bits.")
    ready: int = number("The pending seats with a complete move, as bits.")
    belief_slot: list[int] = fields("shelf", "The first cell of the beliefs about a zone that is passed on.")
    size_before_deal: list[int] = fields("watched", "The number of cards of each owner of a zone before a deal.")
    chips: list[int] = fields("chips", "The number of chips of a seat, by pile and seat.")
    formula_card: int = number("The card whose values a formula reads.")
    formula_zone_card: int = number("The card in a zone whose values a formula reads.")
    last_place: int = number("The place of a layout from which a card was taken last.")
    gauge: list[int] = fields("gauge", "Numbers about the cards in a zone (see `draftengine.engine.plan.zones`).")
    gauged: list[int] = fields("gauge", "1 plus the number of cards in each of these numbers; 0 = to be made anew.")
    card_array: list[int] = array(
        "i32", "heap", "The cards of zones that are neither layouts nor packed zones, owner after owner."
    )
    row: list[int] = array("i32", "row", "The cards of layouts, by place.")
    chip: list[int] = array(
        "i32", "chip", "The values of the chips left in piles that are not short, one pile after the other."
    )
    points: list[int] = array("i64", "points", "Points of this game by source and seat.")
    log: list[int] = array("i64", "log", "Plays of this game in their order: seat, turn and play in one number.")
    logged: int = number("The number of logged plays of this game.")
    beliefs: list[int] = array(
        "u8",
        "known",
        "Numbers of cards by face and place, as seats know them (see `draftengine.engine.plan.observations`).",
    )


class MoveScratch(Record):
    """Scratch: the moves of the deciding seat, with their values. Not part of the state."""

    move: list[int] = array("i64", "move", "The legal moves, in ascending order.")
    value: list[int] = array("i64", "move", "The value of each move.")
    order: list[int] = array("i64", "move", "The indices of the best moves, or of moves of equal value.")
    item: list[int] = array("i64", "item", "The items that a hand allows, in ascending order, by taker.")
    items: list[int] = array("i64", "taker", "The number of items that the hand allows, by taker.")
    copies: list[int] = array("i32", "kind_or_place", "The number of cards left of each kind (or place).")
    most: int = number("The largest number of moves that are compared one by one.")
    whole: int = number("1 if the codes that a seat has named so far are a complete move.")
    begun: list[int] = array("i64", "begun", "Beginnings of moves, then whole moves.")
    provisional_score: list[int] = array("i64", "rule", "The points that each rule would give the seat now.")
    worth: list[int] = array("i32", "", "The worth of cards beyond their points (see `Worth.worth`).", borrowed=True)
    lesson: list[int] = array("i64", "lesson", "The choices of a game from which the worth table learns.")
    noted: int = number("The number of choices in `lesson`.")
    closed: int = number("The number of choices in `lesson` from rounds that are over.")
    in_round: list[int] = array("i64", "", "Gains to the end of the round, by entry of the table.", borrowed=True)
    in_game: list[int] = array("i64", "", "Gains to the end of the game, by entry of the table.", borrowed=True)
    met: list[int] = array("i64", "", "The number of times that each entry was met.", borrowed=True)
    lead: list[int] = array("i64", "", "The sum of the winners' leads, in points.", borrowed=True)


# ── moves as numbers ────────────────────────────────────────────────────────────────────────────────────────────────


class Arrays(Record):
    """A record in memory that the caller owns: what players see, and their rewards, by table and player."""

    action: list[int] = array("i64", "", "The action of each player, by table.", borrowed=True)
    mask: list[int] = array("u8", "", "1 if an action is legal, else 0, by table, player and action.", borrowed=True)
    reward: list[float] = array("f32", "", "The return of each player if a game ended, by table.", borrowed=True)
    over: list[int] = array("u8", "", "1 if the game of a table ended, else 0.", borrowed=True)
    wide: list[float] = array("f32", "", "Observation vectors of 32-bit floats, by table and player.", borrowed=True)
    narrow: list[int] = array("i16", "", "Observation vectors of 16-bit integers, by table and player.", borrowed=True)
    tiny: list[int] = array("u8", "", "Observation vectors of 8-bit integers, by table and player.", borrowed=True)
    image: list[int] = array(
        "i32", "image", "Entries that every player sees, by seat (see `draftengine.engine.plan.observations`)."
    )
    left: list[int] = array("i32", "column", "The number of unseen cards of the box, by column.")


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
    """Scratch: for each seat, the codes of the cards that it is laying down, without actions.

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
    """The cards with effects that were laid down in this step, in order, as (seat, play)."""
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
    """The winning seats, as bits; 0 while the game goes on."""
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
        """Return the JSON data without the choices that seats observed, which would make up most of it."""
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
