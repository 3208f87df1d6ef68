"""The shapes of steps: the verbs of setup, rounds and turns."""

from __future__ import annotations

from typing import TYPE_CHECKING

from draftengine.cardset.overlay import VERBS
from draftengine.cardset.schema.changes import relaxed
from draftengine.records.pieces import (
    CITED,
    described,
    formula,
    list_of,
    name,
    number,
    one_of,
    record,
    ref,
    word,
)

if TYPE_CHECKING:
    from draftengine.records.pieces import Schema


def _who() -> Schema:
    holder = record({"holder": name("Holder", "The marker whose holder it is.", "starter")}, ["holder"])
    schema = {**holder, "type": ["string", "object"], "if": {"type": "string"}, "then": {"enum": ["everyone"]}}
    return described(
        schema, "Who", "All players, or the holder of a marker.", {"holder": "starter"}, default="everyone"
    )


def _cards(description: str) -> Schema:
    return described(ref("by_players"), "Cards", description, 7, "12 - players", {"2": 10, "3": 9})


def _arguments() -> dict[str, Schema]:
    """What the verbs with keys of their own take."""
    from_, to = name("From", "The zone from which.", "deck"), name("To", "The zone to which.", "hand")
    deal = {
        "from": {**from_, "default": "deck"},
        "to": to,
        "cards": _cards("How many each seat gets (or the shared zone); a layout is filled."),
        "who": _who(),
    }
    also = record(
        {
            "seat": name("Seat", "The extra seat.", "dummy"),
            "by": name("By", "The marker whose holder chooses for it.", "controller"),
            "cards": number("Cards", "How many.", 1, 10, 1),
        },
        ["seat", "by"],
    )
    return {
        "deal": record(deal, ["to"]),
        "draw": record(deal, ["to"]),
        "choose": record(
            {
                "from": {**from_, "default": "hand"},
                "to": {**to, "default": "tableau"},
                "cards": _cards("How many each one chooses; 1 if not said."),
                "who": _who(),
                "also": described(list_of(also, 10), "Also", "Extra seats for which the holder of a marker chooses."),
            }
        ),
        "pass": record(
            {"zone": name("Zone", "What is passed on.", "hand", default="hand"), "to": _directions()}, ["to"]
        ),
        "move": record({"from": from_, "to": to}, ["from", "to"]),
        "give": _give(),
        "repeat": _repeat(),
    }


def _directions() -> Schema:
    schema: Schema = {
        "type": ["string", "array"],
        "if": {"type": "string"},
        "then": {"enum": ["left", "right"]},
        "items": {"enum": ["left", "right"]},
        "minItems": 1,
        "maxItems": 20,
    }
    return described(schema, "To", "left, right, or a list by round.", "left", ["left", "right", "left"])


def _give() -> Schema:
    order = {
        "most": formula("Most", "The seat with the highest value.", "soup"),
        "fewest": formula("Fewest", "The seat with the lowest value.", "soup"),
    }
    words = {"if": {"type": "string"}, "then": {"enum": ["left", "right", "nobody"]}}
    to = {**record(order), "type": ["string", "object"], **words, "else": one_of(order)}
    return record(
        {
            "marker": name("Marker", "What is given.", "starter"),
            "to": described(
                to, "To", "left, right, nobody, or the seat with most or fewest.", "left", {"most": "soup"}
            ),
            "tie": word("Tie", "Who gets it on a tie.", "stays", "left", "right", "nobody", default="stays"),
        },
        ["marker", "to"],
    )


def _repeat() -> Schema:
    ends = {
        "until_empty": name("Until empty", "Until nobody has cards in this zone.", "hand"),
        "times": described(ref("by_players"), "Times", "So many times.", 7),
        "until": formula("Until", "Until this holds after a turn.", "turn == 5"),
    }
    do = described(ref("steps"), "Do", "The steps of one turn.")
    return {**record({**ends, "do": do}, ["do"]), **one_of(ends)}


def _verbs() -> dict[str, Schema]:
    arguments = _arguments()
    zone = ref("name")
    return {
        "shuffle": described(zone, "Shuffle", "Shuffle a shared zone.", "deck"),
        "deal": described(
            arguments["deal"],
            "Deal",
            "Deal cards to each seat, to a shared zone or into a layout. Too few cards is an error found before play.",
            {"to": "hand", "cards": 7},
        ),
        "draw": described(
            arguments["draw"], "Draw", "As deal, but as many as there are.", {"from": "pile", "to": "hand", "cards": 1}
        ),
        "choose": described(
            arguments["choose"],
            "Choose",
            "Everyone chooses at once and in secret; in a zone that all see it is revealed together.",
            {"from": "hand", "to": "tableau"},
        ),
        "pass": described(
            arguments["pass"], "Pass", "Every seat passes a zone to its neighbour.", {"zone": "hand", "to": "left"}
        ),
        "move": described(
            arguments["move"], "Move", "Move all cards of a zone to another.", {"from": "kept", "to": "hand"}
        ),
        "give": described(arguments["give"], "Give", "Give a marker.", {"marker": "starter", "to": "left"}),
        "score": described(zone, "Score", "Score every rule whose `at` is this.", "round"),
        "clear": described(
            {"enum": ["tableau"]}, "Clear", "Discard the tableaus except the cards with `keep`.", "tableau"
        ),
        "gather": described(zone, "Gather", "Bring every card back into that zone.", "deck"),
        "repeat": described(
            arguments["repeat"], "Repeat", "Turns: each pass through `do` is one.", {"until_empty": "hand", "do": []}
        ),
    }


def _step_keys() -> dict[str, Schema]:
    return {
        "id": name("Id", "A name by which variants can change the step.", "pass_hands"),
        "when": formula("When", "Only if this holds.", "round > 1"),
        **CITED,
    }


def step() -> Schema:
    """A step: one verb, and what it takes."""
    verbs = _verbs()
    keys = {**_step_keys(), **{verb: verbs[verb] for verb in VERBS}}
    return described(
        {**record(keys), **one_of(VERBS)}, "Step", "A step has exactly one verb, and optionally id, when and source."
    )


def step_change(step: Schema) -> Schema:
    """A change to a step; the keys of its verb may stand there without the verb."""
    arguments = _arguments()
    short = {key: True for verb in arguments.values() for key in verb["properties"]}
    change = relaxed(step)
    return {**change, "properties": {**change["properties"], **short}, "description": "A change to a step."}
