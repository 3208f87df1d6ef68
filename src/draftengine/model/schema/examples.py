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
    other = described(map_of(ID, cards, 20, 1), "For", "What is chosen for extra seats.", {"dummy": "soup"})
    both = record({"cards": described(cards, "Cards", "What the seat chooses.", "soup"), "for": other}, ["for"])
    kinds = ["string", "array", "object", "null"]
    text = "A card, or several by an ability; null for a seat that has nothing to choose."
    move = described({**cards, **both, "type": kinds}, "Move", text, "soup")
    keys = {
        "name": described(string(longest=200), "Name", "What the example shows."),
        "source": SOURCE,
        "players": described(whole(1, 99), "Players", "How many play.", 4),
        "variants": described(
            list_of(string(longest=100), 50, 0), "Variants", "Variants and readings as on the command line.", ["other"]
        ),
        "menu": described(
            {**list_of(string(longest=100), 20), "type": ["string", "array"]},
            "Menu",
            "A menu by name, or its variants.",
            "short",
        ),
        "set": described(map_of(ID, whole(), 50), "Set", "Values of parameters.", {"hand_size": 8}),
        "round": described(whole(1, 20), "Round", "Which round it is.", 1),
        "at": described(
            string(ID, limits.NAME),
            "At",
            "The id of the step at which it begins, if that is not the first choice.",
            "trade",
        ),
        **position_keys(),
        "moves": described(
            list_of(list_of(move, limits.PLAYERS), limits.STEP, 0),
            "Moves",
            "One entry a turn: what each seat chooses.",
            [["soup", "bread"]],
        ),
        "expect": _expect(),
    }
    return described(record(keys, ["name", "expect"]), "Example", "A position and what must come of it.")


def example_keys() -> dict[str, Schema]:
    """Return the keys that a worked example can have, with their shapes."""
    keys: dict[str, Schema] = example()["properties"]
    return keys


def position_keys() -> dict[str, Schema]:
    """Return the keys that describe a position in a game, with their shapes."""
    return {
        "tables": _tables("Tables", "What lies before each seat, in the order of play, or counts."),
        "hands": _hands("Hands", "What each seat holds."),
        "deck": described(_pile(), "Deck", "What lies on top of the deck, the first to be drawn first.", ["soup"]),
        "zones": described(map_of(ID, _contents(), 50), "Zones", "What lies in other zones."),
        "markers": _markers("Who holds what: a seat, or nobody."),
        "counters": _counters("Counters that were set otherwise than by cards, by seat."),
        "scores": _points("Scores", "The points so far, by seat."),
    }


def _expect() -> Schema:
    keys = {
        "points": described(
            map_of(ID, _points("Points", "By seat."), limits.RULES, 1),
            "Points",
            "Points of rules, by seat.",
            {"soup": [6, 0]},
        ),
        "round": _points("Round", "Points of the round that is scored now, by seat."),
        "game": _points("Game", "Points of the end of the game, by seat."),
        "total": _points("Total", "Points in all, by seat."),
        "winners": described(list_of(whole(0, 98), 99, 0), "Winners", "The seats that win.", [0]),
        "tables": _tables("Tables", "What then lies before each seat."),
        "hands": _hands("Hands", "What each seat then holds."),
        "zones": described(map_of(ID, _contents(), 50), "Zones", "What then lies in other zones."),
        "legal": described({"type": "boolean"}, "Legal", "false: the last move is refused."),
        "markers": _markers("Who then holds what."),
        "counters": _counters("What counters then are, by seat."),
    }
    return described({**record(keys), "minProperties": 1}, "Expect", "What must come of it.", {"total": [12, 9]})


def _counters(description: str) -> Schema:
    by_seat = _points("Counter", "By seat; of a counter of the table there is one.")
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
