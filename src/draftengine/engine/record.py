"""The fields of a game in progress, declared once.

The Python object, the compiled record, copies and comparisons are all derived from this declaration.
"""

from __future__ import annotations

from draftengine.jit.records import Record, array, fields, number, packed


class StateRecord(Record):
    """The record of a game in progress.

    If `fields` or `packed` declares a row, the plan must know each index into it before the game.
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
    """A record of what players see and of their rewards, by table and player, in borrowed memory."""

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
