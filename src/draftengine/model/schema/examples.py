"""The shapes of worked examples, and of the positions in them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from draftengine.model import limits
from draftengine.model.records.schema_fragments import (
    ID,
    MOVED,
    PLACE,
    PLAY,
    SOURCE,
    described,
    list_of,
    map_of,
    record,
    string,
    whole,
)

if TYPE_CHECKING:
    from draftengine.model.records.schema_fragments import Schema


def example() -> Schema:
    """Return the shape of a worked example."""
    cards = {**_pile(MOVED), "type": ["string", "array"], "pattern": MOVED}
    other = described(
        map_of(ID, cards, 20, 1), "For", "The cards that the seat chooses for extra seats.", {"dummy": "soup"}
    )
    both = record(
        {"cards": described(cards, "Cards", "The cards that the seat chooses.", "soup"), "for": other}, ["for"]
    )
    kinds = ["string", "array", "object", "null"]
    text = "A card, or several by an ability; null for a seat that has nothing to choose."
    move = described({**cards, **both, "type": kinds}, "Move", text, "soup")
    keys = {
        "name": described(string(longest=200), "Name", "The thing that the example shows."),
        "source": SOURCE,
        "players": described(whole(1, 99), "Players", "The number of players.", 4),
        "variants": described(
            list_of(string(longest=100), 50, 0),
            "Variants",
            "Variants and readings, written as on the command line.",
            ["other"],
        ),
        "menu": described(
            {**list_of(string(longest=100), 20), "type": ["string", "array"]},
            "Menu",
            "The name of a menu, or the variants in it.",
            "short",
        ),
        "set": described(map_of(ID, whole(), 50), "Set", "Values of parameters.", {"hand_size": 8}),
        "round": described(whole(1, 20), "Round", "The number of the round.", 1),
        "at": described(
            string(ID, limits.NAME),
            "At",
            "The id of the step at which play begins. Default: the first choice.",
            "trade",
        ),
        **position_keys(),
        "moves": described(
            list_of(list_of(move, limits.PLAYERS), limits.STEP, 0),
            "Moves",
            "The choices of the seats, with one entry for each turn.",
            [["soup", "bread"]],
        ),
        "expect": _expect(),
    }
    return described(record(keys, ["name", "expect"]), "Example", "A position, and the result that it must lead to.")


def example_keys() -> dict[str, Schema]:
    """Return the keys that a worked example can have, with their shapes."""
    keys: dict[str, Schema] = example()["properties"]
    return keys


def position_keys() -> dict[str, Schema]:
    """Return the keys that describe a position in a game, with their shapes."""
    return {
        "tables": _tables("Tables", "The cards in front of each seat, in the order of play or as numbers of copies."),
        "hands": _hands("Hands", "The hand of each seat."),
        "deck": described(_pile(), "Deck", "The top cards of the deck, top card first.", ["soup"]),
        "zones": described(map_of(ID, _contents(), 50), "Zones", "The cards in other zones."),
        "markers": _markers("The holder of each marker: a seat, or nobody."),
        "counters": _counters("The values of counters that do not follow from cards, by seat."),
        "scores": _points("Scores", "The points so far, by seat."),
    }


def _expect() -> Schema:
    keys = {
        "points": described(
            map_of(ID, _points("Points", "By seat."), limits.RULES, 1),
            "Points",
            "The points of each rule, by seat.",
            {"soup": [6, 0]},
        ),
        "round": _points("Round", "The points of the round that is scored now, by seat."),
        "game": _points("Game", "The points at the end of the game, by seat."),
        "total": _points("Total", "The total points, by seat."),
        "winners": described(list_of(whole(0, 98), 99, 0), "Winners", "The seats that win.", [0]),
        "tables": _tables("Tables", "The cards in front of each seat afterwards."),
        "hands": _hands("Hands", "The hand of each seat afterwards."),
        "zones": described(map_of(ID, _contents(), 50), "Zones", "The cards in other zones afterwards."),
        "legal": described({"type": "boolean"}, "Legal", "false: the last move is refused."),
        "markers": _markers("The holder of each marker afterwards."),
        "counters": _counters("The values of counters afterwards, by seat."),
    }
    return described({**record(keys), "minProperties": 1}, "Expect", "The expected result.", {"total": [12, 9]})


def _counters(description: str) -> Schema:
    values: Schema = {"type": ["integer", "array"], "items": whole(), "minItems": 2, "maxItems": 2}
    text = "By seat; of a counter of the table there is one. Of a track, number and order of arrival."
    by_seat = described(list_of(values, limits.PLAYERS), "Counter", text)
    return described(map_of(ID, by_seat, limits.COUNTERS), "Counters", description, {"die": [1, 6]})


def _pile(named: str = PLAY) -> Schema:
    return list_of(string(named, 3 * limits.NAME), 500, 0)


def _tables(title: str, description: str) -> Schema:
    counts = map_of(PLAY, whole(0, limits.COPIES), limits.CARDS)
    table = {**counts, **_pile(), "type": ["array", "object"]}
    return described(list_of(table, 99), title, description, [["soup"], {"bread": 2}])


def _hands(title: str, description: str) -> Schema:
    return described(list_of(_pile(), 99), title, description, [["soup"], ["bread"]])


def _contents() -> Schema:
    """Return the shape of the cards in a zone: a list, a list for each seat, or by place of a layout."""
    card = {**_pile(), "type": ["string", "array"], "pattern": PLAY}
    by_place = map_of(PLACE, string(PLAY, 2 * limits.NAME), 200)
    return {**by_place, **list_of(card, 500, 0), "type": ["array", "object"]}


def _markers(description: str) -> Schema:
    seat: Schema = {"type": ["integer", "string"], "minimum": 0, "maximum": 98, "if": {"type": "string"}}
    return described(map_of(ID, {**seat, "then": {"enum": ["nobody"]}}, 50), "Markers", description, {"trophy": 0})


def _points(title: str, description: str) -> Schema:
    return described(list_of(whole(), 99), title, description, [12, 9])
