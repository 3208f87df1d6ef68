"""The fields of a game in progress, declared once.

The Python object, the compiled record, copies and comparisons all come from this declaration.
"""

from __future__ import annotations

from draftengine.jit.records import Record, array, fields, number, packed


class StateRecord(Record):
    """Record of a game in progress. Rows split by a dimension are read at statically known indices only."""

    game: int = number("The number of the game under its seed.")
    base: int = number("What the streams of chance of this game begin from.")
    deal: int = number("Where the stream of deals and shuffles is.")
    chance: int = number("Where the stream of dice, chips and random markers is.")
    bot: int = number("Where the stream that policies draw from is, with the word that is drawn next.")
    ahead: int = number("The next word that policies draw, made before it is asked for.")
    pc: int = number("The step at which the game waits for choices.")
    round: int = number("The round, from 1; 0 before the first.")
    turn: int = number("The turn of the innermost repetition, from 1; 0 outside of all.")
    outer: list[int] = fields("depth", "By depth: the turns of the repetitions around the innermost one, from outside.")
    over: int = number("Is the game over.")
    stopped: int = number("1 if the game ended because it could not go on (see `draftengine.engine.instructions.End`).")
    stops_at_round_end: int = number("Does play end where a round does.")
    words: list[int] = packed("seat", "The packed counters of a seat.")
    words_before_choice: list[int] = packed("seat", "`words` as they were when the last cards were chosen.")
    scores: list[int] = fields("seat", "The points of a seat without its chips.")
    pending_points: list[int] = fields("seat", "Points that are given together when all rules of a label are scored.")
    bonus: list[int] = fields("seat", "The values of a seat's chips together.")
    markers: list[int] = fields("marker", "Who holds a marker; -1 = nobody.")
    hand: list[int] = fields(
        "hand", "The cards of a small zone as lanes of one word, the first card in the lowest bits."
    )
    size: list[int] = fields(
        "lot", "How many cards a zone of an owner holds, or each of several that hold equally many."
    )
    lying: list[int] = fields("layout", "The places of a layout where a card lies, as bits.")
    down: list[int] = fields("layout", "The places of a layout where a card lies face down, as bits.")
    left: list[int] = fields("pile", "How many chips are left in a pile.")
    pile: list[int] = fields(
        "pile", "The chips left in a short pile, as lanes of one word: how much each is worth above the lowest."
    )
    card: list[int] = fields("pick", "The cards (or places) that seats take, by seat and number; -1 = none.")
    play: list[int] = fields(
        "pick", "The play that each card becomes which seats take, by seat and number; -1 = itself."
    )
    at: list[int] = fields("pick", "Where each card that seats take lies in its zone (a spot), by seat and number.")
    own_picks: list[int] = fields("player", "How many cards a seat takes for itself.")
    ability: list[int] = fields("player", "The ability that a seat uses; -1 = none.")
    named: list[int] = fields(
        "player", "The move that a player has begun to name (see `draftengine.engine.plan.items`)."
    )
    free: int = number("The places of a layout that a player can still draw, as bits.")
    way: list[int] = fields("player", "The way that a seat takes, in a choice with ways.")
    received_card: list[int] = fields("player", "The card that a seat got because it asked for it; -1 = none.")
    ability_picks: list[int] = fields("player", "How many further cards a seat takes with the ability that it uses.")
    policy: list[int] = fields("player", "How a player chooses, where that is drawn for every game.")
    placed: int = number("Did chance draw the spots of the cards, not the cards.")
    root: int = number("What all games of a seed begin from, where one game is played after the other.")
    games: int = number("The number of games between this one and the next.")
    no_choice_yet: int = number("Had nobody to choose in this game so far.")
    ended: int = number("Did a game end in this step.")
    won: int = number("Who won the game that ended, as bits.")
    result: list[int] = fields("result", "The points of the game that ended, by seat.")
    pending: int = number("The seats that have to choose, as bits.")
    ready: int = number("The seats that have to choose and whose move is whole, as bits.")
    belief_slot: list[int] = fields("shelf", "Where what is known of zones that are passed on is counted.")
    size_before_deal: list[int] = fields("watched", "How many cards the owners of a zone had before a deal.")
    chips: list[int] = fields("chips", "How many chips a seat has, by pile and seat.")
    formula_card: int = number("The card that formulas are about which ask what it has.")
    formula_zone_card: int = number("The card in a zone of which a formula asks what it has.")
    last_place: int = number("The place of a layout from which a card was taken last.")
    card_array: list[int] = array(
        "i32", "heap", "The cards of zones that are no layouts and not small, one zone of an owner after the other."
    )
    row: list[int] = array("i32", "row", "The cards of layouts, by place.")
    chip: list[int] = array(
        "i32", "chip", "The values of the chips left in piles that are not short, one pile after the other."
    )
    points: list[int] = array("i64", "points", "Points of this game by source and seat.")
    log: list[int] = array("i64", "log", "Plays of this game in their order: seat, turn and play in one number.")
    logged: int = number("How many plays of this game are logged.")
    beliefs: list[int] = array(
        "u8",
        "known",
        "How many cards of each face are known to lie where, see `draftengine.engine.plan.observations`.",
    )


class MoveScratch(Record):
    """Scratch: the moves of the deciding seat and their values. Not part of the state."""

    move: list[int] = array("i64", "move", "The legal moves, in ascending order.")
    value: list[int] = array("i64", "move", "What each of them is worth.")
    order: list[int] = array("i64", "move", "Numbers of moves: the best ones, or those of equal value.")
    item: list[int] = array("i64", "item", "What can be named of the cards of a hand, in ascending order, by taker.")
    items: list[int] = array("i64", "taker", "How many items can be named, by taker.")
    copies: list[int] = array("i32", "kind_or_place", "How many cards of each kind (or place) are left to take.")
    most: int = number("The largest number of moves that are looked at one by one.")
    whole: int = number("Is what a seat has begun a whole move.")
    begun: list[int] = array("i64", "begun", "Beginnings of moves that go on, and behind them whole moves.")
    provisional_score: list[int] = array("i64", "rule", "What each rule would give the seat as things lie.")
    worth: list[int] = array("i32", "", "What cards are worth beyond their points, see `Worth.worth`.", borrowed=True)
    lesson: list[int] = array("i64", "lesson", "The choices of a game that are learnt from.")
    noted: int = number("How many choices of the game are noted in `lesson`.")
    closed: int = number("How many of the choices in `lesson` were made in rounds that are over.")
    in_round: list[int] = array(
        "i64", "", "What was gained to the end of the round, by entry of the table.", borrowed=True
    )
    in_game: list[int] = array("i64", "", "As `in_round`, to the end of the game.", borrowed=True)
    met: list[int] = array("i64", "", "How often each entry was met.", borrowed=True)
    lead: list[int] = array("i64", "", "By how many points the best were ahead of the second, in all.", borrowed=True)


# ── moves as numbers ────────────────────────────────────────────────────────────────────────────────────────────────


class Arrays(Record):
    """Record of what players see and get, by table and player, in borrowed memory."""

    action: list[int] = array("i64", "", "By table and player: the number of the action that it takes.", borrowed=True)
    mask: list[int] = array("u8", "", "By table, player and action: 1 if it is legal, else 0.", borrowed=True)
    reward: list[float] = array("f32", "", "By table and player: what the game that ended is worth.", borrowed=True)
    over: list[int] = array("u8", "", "By table: 1 if its game ended, else 0.", borrowed=True)
    wide: list[float] = array("f32", "", "By table and player: observation vectors.", borrowed=True)
    narrow: list[int] = array("i16", "", "The same in 16 bits.", borrowed=True)
    tiny: list[int] = array("u8", "", "The same in 8 bits.", borrowed=True)
    image: list[int] = array(
        "i32", "image", "What everybody sees, by seat (see `draftengine.engine.plan.observations`)."
    )
    left: list[int] = array("i32", "column", "By column, the cards of the box that nobody sees.")
