"""The JSON Schema of card-set files: what editors complete and explain, and what `validate` holds a file against.

Two shapes of everything: of a game (``card``), and of a change to one (``card_change``), in which nothing is required
and ``null`` removes. The second is made from the first.
"""

from __future__ import annotations

import json
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from draftengine.cardset.build import BUILT_IN_ZONES
from draftengine.cardset.overlay import VERBS
from draftengine.rules import COMMON_KEYS, KINDS, schema_definitions

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

Schema = dict[str, Any]

ADDRESS = "https://draftengine.dev/schema/cardset-1.json"

ID = "^[a-z][a-z0-9_]*$"
CITATION = "^[A-Za-z0-9][A-Za-z0-9._-]*$"
LANGUAGE = "^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$"
PLAYERS = "^[1-9][0-9]?(-[1-9][0-9]?)?$"
PLAYER_COUNT = "^[1-9][0-9]?$"
VERSION = r"^(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)(-[0-9A-Za-z.-]+)?(\+[0-9A-Za-z.-]+)?$"
PLACE = "^r[1-9][0-9]?c[1-9][0-9]?$"
PLAY = "^[a-z][a-z0-9_]*(@[a-z][a-z0-9_]*)?$"
BASE = r"^[a-z0-9_-]+(\.ya?ml)?$"
ADDRESSES = "^https?://"

PATTERNS: Mapping[str, str] = MappingProxyType(
    {
        ID: "a name of small letters, digits and underscores that starts with a letter",
        CITATION: "a citation such as O-12: letters, digits, dots and hyphens",
        LANGUAGE: "a language such as en or pt-BR",
        PLAYERS: "a number of players or a range such as 2-5",
        PLAYER_COUNT: "a number of players, 1 to 99",
        VERSION: "a version such as 1.0.0",
        PLACE: "a place such as r1c2: row 1, column 2",
        PLAY: "a card, or a wild card with what it is played as (wild@soup)",
        BASE: "the id of a card set or the name of a file in the same folder",
        ADDRESSES: "a web address that starts with https:// or http://",
    }
)
"""What each pattern asks for, in words."""

MAX_NUMBER = 1_000_000
MAX_TEXT = 2000
MAX_FORMULA = 500
MAX_NAME = 40


# ── Pieces ────────────────────────────────────────────────────────────────────────────────────────────────────────────


def _described(schema: Schema, title: str, description: str, *examples: object, **more: object) -> Schema:
    """`schema` with what an editor shows."""
    shown: Schema = {"title": title, "description": description}
    if examples:
        shown["examples"] = list(examples)
    return {**shown, **schema, **more}


def _ref(name: str) -> Schema:
    return {"$ref": f"#/$defs/{name}"}


def _whole(lowest: int = -MAX_NUMBER, highest: int = MAX_NUMBER) -> Schema:
    return {"type": "integer", "minimum": lowest, "maximum": highest}


def _string(pattern: str | None = None, longest: int = MAX_TEXT) -> Schema:
    schema: Schema = {"type": "string", "minLength": 1, "maxLength": longest}
    return schema if pattern is None else {**schema, "pattern": pattern}


def _list(item: Schema, longest: int, shortest: int = 1) -> Schema:
    return {"type": "array", "items": item, "minItems": shortest, "maxItems": longest}


def _map(pattern: str, value: Schema, most: int, fewest: int = 0) -> Schema:
    """A mapping from names to `value`."""
    schema: Schema = {
        "type": "object",
        "propertyNames": {"pattern": pattern, "maxLength": MAX_NAME},
        "additionalProperties": value,
        "maxProperties": most,
    }
    return schema if not fewest else {**schema, "minProperties": fewest}


def _record(properties: Mapping[str, Schema], required: Iterable[str] = ()) -> Schema:
    """A mapping with just these keys."""
    return {
        "type": "object",
        "required": list(required),
        "properties": dict(properties),
        "additionalProperties": False,
    }


def _one_of(keys: Iterable[str]) -> Schema:
    """Exactly one of `keys` must be there."""
    return {"oneOf": [{"required": [key]} for key in keys]}


def _flag(title: str, description: str, *, default: bool) -> Schema:
    return _described({"type": "boolean"}, title, description, not default, default=default)


def _word(title: str, description: str, *words: str, default: str | None = None) -> Schema:
    schema = _described({"enum": list(words)}, title, description, *words)
    return schema if default is None else {**schema, "default": default}


def _number(title: str, description: str, lowest: int, highest: int, default: int) -> Schema:
    return _described(_whole(lowest, highest), title, description, max(default, 1), default=default)


def _name(title: str, description: str, *examples: str, **more: object) -> Schema:
    return _described(_ref("name"), title, description, *examples, **more)


def _formula(title: str, description: str, *examples: object) -> Schema:
    return _described(_ref("formula"), title, description, *examples)


LABEL = _described(_ref("text"), "Label", "What it is called on screen.", "Onion soup", {"en": "Soup", "pl": "Zupa"})
TEXT = _described(_ref("text"), "Text", "What is printed about it.", "Two make a set.")
SOURCE = _described(_ref("source"), "Source", "The rulebook statements it comes from (see sources).", "O-12", ["A-1"])


def _leaves() -> dict[str, Schema]:
    """What has no keys of its own."""
    formula: Schema = {
        "type": ["integer", "boolean", "string"],
        "minLength": 1,
        "maxLength": MAX_FORMULA,
        "minimum": -MAX_NUMBER,
        "maximum": MAX_NUMBER,
    }
    return {
        "name": {"type": "string", "pattern": ID, "maxLength": MAX_NAME},
        "names": {
            "type": ["string", "array"],
            "pattern": ID,
            "maxLength": MAX_NAME,
            "items": _ref("name"),
            "minItems": 1,
            "maxItems": 100,
        },
        "text": {
            "type": ["string", "object"],
            "maxLength": MAX_TEXT,
            "propertyNames": {"pattern": LANGUAGE},
            "additionalProperties": _string(),
            "minProperties": 1,
            "maxProperties": 50,
        },
        "source": {
            "type": ["string", "array"],
            "pattern": CITATION,
            "maxLength": MAX_NAME,
            "items": _string(CITATION, MAX_NAME),
            "minItems": 1,
            "maxItems": 30,
        },
        "formula": formula,
        "by_players": {
            **formula,
            "type": ["integer", "string", "object"],
            "minimum": 0,
            "maximum": 500,
            "propertyNames": {"pattern": PLAYER_COUNT},
            "additionalProperties": {**formula, "type": ["integer", "string"], "minimum": 0, "maximum": 500},
            "minProperties": 1,
            "maxProperties": 99,
        },
        "amounts": _map(ID, _ref("formula"), 20, 1),
    }


# ── Components ────────────────────────────────────────────────────────────────────────────────────────────────────────


def _card() -> Schema:
    adds = _map(ID, _whole(-1000, 1000), 20)
    forms = _record(
        {
            "of": _described(_ref("names"), "Forms", "The cards as which it can be played.", ["soup", "bread"]),
            "when": _formula("When", "Which of them are allowed; `card` is the seat's count of that card.", "card > 0"),
        },
        ["of"],
    )
    return _described(
        _record(
            {
                "count": _described(_whole(0, 500), "Count", "Copies in the deck; 0 keeps the card out.", 14),
                "label": LABEL,
                "icon": _described(_string(longest=16), "Icon", "A sign shown beside the name.", "🍲"),
                "text": TEXT,
                "family": _described(
                    _ref("names"), "Family", "A name under which such cards are counted together.", "drink"
                ),
                "adds": _described(adds, "Adds", "Amounts that it adds to counters when it is played.", {"icons": 3}),
                "keep": _flag("Keep", "The card stays when the tableau is cleared.", default=False),
                "face": _name("Face", "What it looks like until it is played, also to its holder.", "tea"),
                "starts_in": _name("Starts in", "The shared zone in which it lies at first.", "pile", default="deck"),
                "forms": _described(forms, "Forms", "A wild card: it is played as one of these cards."),
                "on_play": _described(
                    _list(_ref("effect"), 10), "On play", "What happens when it is played.", [{"roll": "fortune"}]
                ),
                "source": SOURCE,
            },
            ["count"],
        ),
        "Card",
        "A kind of card.",
        {"count": 14, "label": "Onion soup"},
    )


def _counter() -> Schema:
    return _described(
        _record(
            {
                "label": LABEL,
                "start": _number("Start", "Its value at the start.", -1000, 1000, 0),
                "keep": _described(
                    {"type": "boolean"},
                    "Keep",
                    "Whether it survives clearing; without it, amounts survive with the cards that made them.",
                ),
                "die": _described(_whole(2, 100), "Die", "It is a die with so many sides.", 6),
                "min": _described(_whole(), "Lowest", "No effect but a roll brings it below this.", 0),
                "max": _described(_whole(), "Highest", "No effect but a roll brings it above this.", 10),
                "source": SOURCE,
            }
        ),
        "Counter",
        "A number of each seat.",
        {"label": "stars"},
    )


def _modifier() -> Schema:
    return _described(
        _record(
            {
                "card": _name("Card", "Each such card, once played, lies open.", "spice"),
                "applies_to": _described(
                    _ref("names"), "Applies to", "The next card of this family, or this card, must go on it.", "drink"
                ),
                "then": _described(
                    _ref("amounts"),
                    "Then",
                    "What the card on it adds instead; `amount` is what it would add.",
                    {"stars": "3 * amount"},
                ),
                "capacity": _number("Capacity", "How many cards one modifier takes.", 1, 20, 1),
                "stacks": _flag("Stacks", "May a card use several modifiers at once.", default=False),
                "label": LABEL,
                "source": SOURCE,
            },
            ["card", "applies_to", "then"],
        ),
        "Modifier",
        "A card that changes the next card of some kind.",
    )


def _ability() -> Schema:
    return _described(
        _record(
            {
                "card": _name("Card", "It must lie in the tableau when the turn begins.", "ladle"),
                "take": _number("Take", "How many further cards are taken.", 1, 10, 1),
                "when": _word(
                    "When",
                    "before_reveal: with the first card; after_reveal: decided once everybody's cards are known.",
                    "before_reveal",
                    "after_reveal",
                    default="before_reveal",
                ),
                "per_turn": _number("Per turn", "How often a seat may use such cards in a turn.", 1, 10, 1),
                "returns_to": _word(
                    "Returns to",
                    "Where the used card goes: hand; place: where the last card was taken; discard; stays.",
                    "hand",
                    "place",
                    "discard",
                    "stays",
                ),
                "turns_up": _flag(
                    "Turns up",
                    "With place: does what the last card lay on turn up before it is covered again.",
                    default=False,
                ),
                "label": LABEL,
                "text": TEXT,
                "source": SOURCE,
            },
            ["card", "returns_to"],
        ),
        "Ability",
        "A card in the tableau with which a seat takes more.",
    )


def _zone() -> Schema:
    face = _word("Face", "Which way up the row lies.", "up", "down", default="up")
    row = _record({"cards": _described(_whole(1, 30), "Cards", "Places in the row.", 3), "face": face}, ["cards"])
    covers: Schema = {
        "type": ["string", "object"],
        "enum": ["pyramid"],
        "propertyNames": {"pattern": PLACE},
        "additionalProperties": _list(_string(PLACE, 6), 30),
        "maxProperties": 200,
    }
    covers["if"], covers["then"] = {"type": "string"}, {"enum": covers.pop("enum")}
    layout = _record(
        {
            "rows": _described(_list(row, 20), "Rows", "From the undermost row to the topmost.", [{"cards": 2}]),
            "covers": _described(
                covers,
                "Covers",
                "pyramid: each place lies under the two next to it in the row after; or places with what covers each.",
                "pyramid",
                {"r1c1": ["r2c1"]},
            ),
        },
        ["rows"],
    )
    return _described(
        _record(
            {
                "per": _word("Per", "seat: each seat has one; table: one for all.", "seat", "table"),
                "seen_by": _word(
                    "Seen by",
                    "Who may look; without it everyone at a shared zone, the owner at a seat's.",
                    "nobody",
                    "owner",
                    "everyone",
                ),
                "layout": _described(layout, "Layout", "A shared zone with places."),
                "label": LABEL,
            },
            ["per"],
        ),
        "Zone",
        "A place for cards. Every game has deck, hand, tableau and discard.",
        {"per": "seat", "seen_by": "nobody"},
    )


def _small_components() -> dict[str, Schema]:
    start: Schema = {"type": ["string", "integer"], "minimum": 0, "maximum": 98, "if": {"type": "string"}}
    start["then"] = {"enum": ["nobody", "first", "random"]}
    return {
        "extra_seat": _described(
            _record(
                {
                    "label": LABEL,
                    "wins": _flag("Wins", "May it win.", default=True),
                    "ranked": _flag("Ranked", "Is it compared with the other seats.", default=True),
                    "source": SOURCE,
                }
            ),
            "Extra seat",
            "A seat without a person; it has a tableau, is ranked and scored.",
        ),
        "marker": _described(
            _record(
                {
                    "label": LABEL,
                    "start": _described(
                        start, "Start", "Who has it first: a seat (from 0).", "first", default="nobody"
                    ),
                    "source": SOURCE,
                }
            ),
            "Marker",
            "Something that one seat holds, or nobody.",
        ),
        "chips": _described(
            _record(
                {
                    "label": LABEL,
                    "values": _described(_list(_whole(-1000, 1000), 100), "Values", "One for each chip.", [3, 4, 5]),
                    "source": SOURCE,
                },
                ["values"],
            ),
            "Chips",
            "A face-down pile of chips; only its owner knows what a chip is worth until the end.",
        ),
        "token": _described(
            _record(
                {
                    "label": LABEL,
                    "value": _described(_whole(1, 1000), "Value", "How many points it stands for.", 5),
                    "source": SOURCE,
                },
                ["value"],
            ),
            "Token",
            "What points are kept with: a cube, a coin. It changes nothing in the game.",
        ),
        "parameter": _described(
            _record(
                {
                    "default": _described(_whole(), "Default", "Its value if nobody sets it.", 9),
                    "values": _described(_list(_whole(), 100), "Values", "The values it can have.", [7, 8, 9]),
                    "label": LABEL,
                },
                ["default"],
            ),
            "Parameter",
            "A named number for formulas.",
            {"default": 9, "values": [7, 8, 9]},
        ),
    }


# ── Flow ──────────────────────────────────────────────────────────────────────────────────────────────────────────────


def _who() -> Schema:
    holder = _record({"holder": _name("Holder", "The marker whose holder it is.", "starter")}, ["holder"])
    schema = {**holder, "type": ["string", "object"], "if": {"type": "string"}, "then": {"enum": ["everyone"]}}
    return _described(
        schema, "Who", "All players, or the holder of a marker.", {"holder": "starter"}, default="everyone"
    )


def _cards(description: str) -> Schema:
    return _described(_ref("by_players"), "Cards", description, 7, "12 - players", {"2": 10, "3": 9})


def _arguments() -> dict[str, Schema]:
    """What the verbs with keys of their own take."""
    from_, to = _name("From", "The zone from which.", "deck"), _name("To", "The zone to which.", "hand")
    deal = {
        "from": {**from_, "default": "deck"},
        "to": to,
        "cards": _cards("How many each seat gets (or the shared zone); a layout is filled."),
        "who": _who(),
    }
    also = _record(
        {
            "seat": _name("Seat", "The extra seat.", "dummy"),
            "by": _name("By", "The marker whose holder chooses for it.", "controller"),
            "cards": _number("Cards", "How many.", 1, 10, 1),
        },
        ["seat", "by"],
    )
    return {
        "deal": _record(deal, ["to"]),
        "draw": _record(deal, ["to"]),
        "choose": _record(
            {
                "from": {**from_, "default": "hand"},
                "to": {**to, "default": "tableau"},
                "cards": _cards("How many each one chooses; 1 if not said."),
                "who": _who(),
                "also": _described(_list(also, 10), "Also", "Extra seats for which the holder of a marker chooses."),
            }
        ),
        "pass": _record(
            {"zone": _name("Zone", "What is passed on.", "hand", default="hand"), "to": _directions()}, ["to"]
        ),
        "move": _record({"from": from_, "to": to}, ["from", "to"]),
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
    return _described(schema, "To", "left, right, or a list by round.", "left", ["left", "right", "left"])


def _give() -> Schema:
    order = {
        "most": _formula("Most", "The seat with the highest value.", "soup"),
        "fewest": _formula("Fewest", "The seat with the lowest value.", "soup"),
    }
    words = {"if": {"type": "string"}, "then": {"enum": ["left", "right", "nobody"]}}
    to = {**_record(order), "type": ["string", "object"], **words, "else": _one_of(order)}
    return _record(
        {
            "marker": _name("Marker", "What is given.", "starter"),
            "to": _described(
                to, "To", "left, right, nobody, or the seat with most or fewest.", "left", {"most": "soup"}
            ),
            "tie": _word("Tie", "Who gets it on a tie.", "stays", "left", "right", "nobody", default="stays"),
        },
        ["marker", "to"],
    )


def _repeat() -> Schema:
    ends = {
        "until_empty": _name("Until empty", "Until nobody has cards in this zone.", "hand"),
        "times": _described(_ref("by_players"), "Times", "So many times.", 7),
        "until": _formula("Until", "Until this holds after a turn.", "turn == 5"),
    }
    do = _described(_ref("steps"), "Do", "The steps of one turn.")
    return {**_record({**ends, "do": do}, ["do"]), **_one_of(ends)}


def _verbs() -> dict[str, Schema]:
    arguments = _arguments()
    zone = _ref("name")
    return {
        "shuffle": _described(zone, "Shuffle", "Shuffle a shared zone.", "deck"),
        "deal": _described(
            arguments["deal"],
            "Deal",
            "Deal cards to each seat, to a shared zone or into a layout. Too few cards is an error found before play.",
            {"to": "hand", "cards": 7},
        ),
        "draw": _described(
            arguments["draw"], "Draw", "As deal, but as many as there are.", {"from": "pile", "to": "hand", "cards": 1}
        ),
        "choose": _described(
            arguments["choose"],
            "Choose",
            "Everyone chooses at once and in secret; in a zone that all see it is revealed together.",
            {"from": "hand", "to": "tableau"},
        ),
        "pass": _described(
            arguments["pass"], "Pass", "Every seat passes a zone to its neighbour.", {"zone": "hand", "to": "left"}
        ),
        "move": _described(
            arguments["move"], "Move", "Move all cards of a zone to another.", {"from": "kept", "to": "hand"}
        ),
        "give": _described(arguments["give"], "Give", "Give a marker.", {"marker": "starter", "to": "left"}),
        "score": _described(zone, "Score", "Score every rule whose `at` is this.", "round"),
        "clear": _described(
            {"enum": ["tableau"]}, "Clear", "Discard the tableaus except the cards with `keep`.", "tableau"
        ),
        "gather": _described(zone, "Gather", "Bring every card back into that zone.", "deck"),
        "repeat": _described(
            arguments["repeat"], "Repeat", "Turns: each pass through `do` is one.", {"until_empty": "hand", "do": []}
        ),
    }


def _step_keys() -> dict[str, Schema]:
    return {
        "id": _name("Id", "A name by which variants can change the step.", "pass_hands"),
        "when": _formula("When", "Only if this holds.", "round > 1"),
        "source": SOURCE,
    }


def _step() -> Schema:
    verbs = _verbs()
    step = {**_record({**_step_keys(), **{verb: verbs[verb] for verb in VERBS}}), **_one_of(VERBS)}
    return _described(step, "Step", "A step has exactly one verb, and optionally id, when and source.")


def _step_change(step: Schema) -> Schema:
    """A change to a step; the keys of its verb may stand there without the verb."""
    arguments = _arguments()
    short = {key: True for verb in arguments.values() for key in verb["properties"]}
    change = relaxed(step)
    return {**change, "properties": {**change["properties"], **short}, "description": "A change to a step."}


# ── Rules ─────────────────────────────────────────────────────────────────────────────────────────────────────────────


def _effect() -> Schema:
    amounts = _ref("amounts")
    effects = {
        "points": _formula("Points", "The seat gets so many points.", 2),
        "take": _name("Take", "The seat takes the marker.", "trophy"),
        "roll": _name("Roll", "Roll the die of this counter.", "fortune"),
        "add": _described(amounts, "Add", "Add to counters.", {"stars": 1}),
        "set": _described(amounts, "Set", "Set counters.", {"stars": 0}),
        "chip": _name("Chip", "Draw a chip of this pile.", "soup_chips"),
        "discard": _name("Discard", "Discard such a card from the seat's tableau.", "soup"),
    }
    return _described({**_record(effects), **_one_of(effects)}, "Effect", "Something that happens to a seat.")


def _trigger() -> Schema:
    return _described(
        _record(
            {
                "after": _name("After", "reveal (each revealed choice), or what a score step scores.", "reveal"),
                "who": _formula("Who", "The seats for which this holds.", "gained(stars) > 0"),
                "only": _word("Only", "single: exactly one such seat, else nothing.", "single", "each", default="each"),
                "unless": _formula("Unless", "But not the seats for which this holds.", "holds(trophy)"),
                "do": _described(_list(_ref("effect"), 10), "Do", "What happens to them.", [{"points": 2}]),
                "label": LABEL,
                "source": SOURCE,
            },
            ["after", "who", "do"],
        ),
        "Trigger",
        "Something that happens to seats for which a formula holds.",
    )


def _rules() -> dict[str, Schema]:
    """Scoring rules; the kinds describe themselves."""
    at = _name("At", "When it scores: the word of a score step.", "round", "game", default="round")
    when = _formula("When", "It scores only if this holds.", "round == rounds")
    return schema_definitions({"at": at, "label": LABEL, "when": when, "source": SOURCE})


def _rule_change(rule: Schema) -> Schema:
    """A change to a rule: its kind is often not said, then any kind's keys are possible."""
    keys = {key: True for kind in KINDS.values() for key in (*COMMON_KEYS, *kind.properties)}
    change = relaxed(rule)
    unsaid = {"properties": keys, "additionalProperties": False}
    return {**change, "if": {"not": {"required": ["kind"]}}, "then": unsaid, "description": "A change to a rule."}


def _winner() -> Schema:
    measures = {
        "most": _formula("Most", "Who has most of this wins the tie.", "soup"),
        "fewest": _formula("Fewest", "Who has fewest of this wins the tie.", "soup"),
    }
    breaker = {**_record({**measures, "source": SOURCE}), **_one_of(measures)}
    return _described(
        _record(
            {
                "order": _word("Order", "Who wins: most or fewest points.", "most", "fewest", default="most"),
                "tie_breakers": _described(
                    _list(_described(breaker, "Tie-breaker", "Compared among tied seats."), 20, 0),
                    "Tie-breakers",
                    "In order; seats that are still tied share the win.",
                    [{"most": "soup"}],
                ),
                "source": SOURCE,
            }
        ),
        "Winner",
        "Who wins.",
    )


# ── Overlays ──────────────────────────────────────────────────────────────────────────────────────────────────────────


def _variant() -> Schema:
    return _described(
        _record(
            {
                "title": _described(_ref("text"), "Title", "What the variant is called.", "Pass both ways"),
                "text": _described(_ref("text"), "Text", "Its rule, as one would print it."),
                "needs": _formula("Needs", "When it can be played: about players and parameters.", "players == 2"),
                "group": _name("Group", "At most one variant of a group is played.", "variant"),
                "excludes": _variants("Excludes", "Variants that can't be played with it."),
                "requires": _variants("Requires", "Variants without which it can't be played."),
                "builds_on": _variants(
                    "Builds on", "Variants after which it is applied; it may change what they change."
                ),
                "parameters": _parameters(),
                "changes": _described(_ref("changes"), "Changes", "What it changes in the game."),
                "source": SOURCE,
            },
            ["title"],
        ),
        "Variant",
        "A named change to the game that players can choose.",
    )


def _variants(title: str, description: str) -> Schema:
    return _described(_list(_ref("name"), 50, 0), title, description, ["other"])


def _parameters() -> Schema:
    parameters = _map(ID, _ref("parameter"), 50)
    return _described(parameters, "Parameters", "Named numbers for formulas.", {"hand_size": {"default": 9}})


def _reading() -> Schema:
    option = _record(
        {
            "text": _described(_ref("text"), "Text", "What this option says.", "At least one icon is needed."),
            "changes": _described(_ref("reading_changes"), "Changes", "What it changes in the game."),
        },
        ["text"],
    )
    return _described(
        _record(
            {
                "question": _described(_ref("text"), "Question", "What the rulebook leaves open."),
                "default": _name("Default", "The option that is played if nobody chooses.", "literal"),
                "options": _described(
                    _map(ID, _described(option, "Option", "An answer."), 20, 1), "Options", "The possible answers."
                ),
                "reason": _described(_ref("text"), "Reason", "Why the default is what it is."),
                "source": SOURCE,
            },
            ["question", "default", "options"],
        ),
        "Reading",
        "A question that the rulebook leaves open, and the answers.",
    )


# ── Worked examples ───────────────────────────────────────────────────────────────────────────────────────────────────


def _example() -> Schema:
    keys = {
        "name": _described(_string(longest=200), "Name", "What the example shows."),
        "source": SOURCE,
        "players": _described(_whole(1, 99), "Players", "How many play.", 4),
        "variants": _described(
            _list(_string(longest=100), 50, 0), "Variants", "Variants and readings as on the command line.", ["other"]
        ),
        "set": _described(_map(ID, _whole(), 50), "Set", "Values of parameters.", {"hand_size": 8}),
        "round": _described(_whole(1, 20), "Round", "Which round it is.", 1),
        **position_keys(),
        "moves": _described(
            _list(_list(_move(), 99), 500, 0), "Moves", "One entry a turn: what each seat chooses.", [["soup", "bread"]]
        ),
        "expect": _expect(),
    }
    return _described(_record(keys, ["name", "expect"]), "Example", "A position and what must come of it.")


def position_keys() -> dict[str, Schema]:
    """What lies where."""
    return {
        "tables": _tables("Tables", "What lies before each seat, in the order of play, or counts."),
        "hands": _hands("Hands", "What each seat holds."),
        "zones": _described(_map(ID, _contents(), 50), "Zones", "What lies in other zones."),
        "markers": _markers("Who holds what: a seat, or nobody."),
        "counters": _counters("Counters that were set otherwise than by cards, by seat."),
        "scores": _points("Scores", "The points so far, by seat."),
    }


def _expect() -> Schema:
    keys = {
        "points": _described(
            _map(ID, _points("Points", "By seat."), 100, 1), "Points", "Points of rules, by seat.", {"soup": [6, 0]}
        ),
        "round": _points("Round", "Points of the round that is scored now, by seat."),
        "game": _points("Game", "Points of the end of the game, by seat."),
        "total": _points("Total", "Points in all, by seat."),
        "winners": _described(_list(_whole(0, 98), 99, 0), "Winners", "The seats that win.", [0]),
        "tables": _tables("Tables", "What then lies before each seat."),
        "hands": _hands("Hands", "What each seat then holds."),
        "zones": _described(_map(ID, _contents(), 50), "Zones", "What then lies in other zones."),
        "legal": _described({"type": "boolean"}, "Legal", "false: the last move is refused."),
        "markers": _markers("Who then holds what."),
        "counters": _counters("What counters then are, by seat."),
    }
    return _described({**_record(keys), "minProperties": 1}, "Expect", "What must come of it.", {"total": [12, 9]})


def _counters(description: str) -> Schema:
    return _described(_map(ID, _points("Counter", "By seat."), 100), "Counters", description, {"die": [1, 6]})


def _pile() -> Schema:
    return _list(_string(PLAY, 2 * MAX_NAME), 500, 0)


def _tables(title: str, description: str) -> Schema:
    counts = _map(PLAY, _whole(0, 500), 200)
    table = {**counts, **_pile(), "type": ["array", "object"]}
    return _described(_list(table, 99), title, description, [["soup"], {"bread": 2}])


def _hands(title: str, description: str) -> Schema:
    return _described(_list(_pile(), 99), title, description, [["soup"], ["bread"]])


def _contents() -> Schema:
    """Cards of a shared zone, cards by seat, or cards by place of a layout."""
    card = {**_pile(), "type": ["string", "array"], "pattern": PLAY}
    by_place = _map(PLACE, _string(PLAY, 2 * MAX_NAME), 200)
    return {**by_place, **_list(card, 500, 0), "type": ["array", "object"]}


def _markers(description: str) -> Schema:
    seat: Schema = {"type": ["integer", "string"], "minimum": 0, "maximum": 98, "if": {"type": "string"}}
    return _described(_map(ID, {**seat, "then": {"enum": ["nobody"]}}, 50), "Markers", description, {"trophy": 0})


def _points(title: str, description: str) -> Schema:
    return _described(_list(_whole(), 99), title, description, [12, 9])


def _move() -> Schema:
    cards = {**_pile(), "type": ["string", "array"], "pattern": PLAY}
    other = _described(_map(ID, cards, 20, 1), "For", "What is chosen for extra seats.", {"dummy": "soup"})
    both = _record({"cards": _described(cards, "Cards", "What the seat chooses.", "soup"), "for": other}, ["for"])
    kinds = ["string", "array", "object", "null"]
    text = "A card, or several by an ability; null for a seat that has nothing to choose."
    return _described({**cards, **both, "type": kinds}, "Move", text, "soup")


# ── Files ─────────────────────────────────────────────────────────────────────────────────────────────────────────────


def _identity() -> dict[str, Schema]:
    return {
        "format": _described({"type": "integer", "const": 1}, "Format", "Version of the language; always first.", 1),
        "id": _name("Id", "The name of the card set for commands and other files.", "two_dishes"),
        "title": _described(_ref("text"), "Title", "The printed title.", "Two Dishes"),
        "version": _described(_string(VERSION, 40), "Version", "Version of the content.", "1.0.0"),
    }


def _about() -> Schema:
    about = _record(
        {
            "age": _described(_whole(0, 99), "Age", "From which age.", 8),
            "minutes": _described(_whole(1, 10_000), "Minutes", "How long a game takes.", 15),
            "author": _described(_string(longest=200), "Author", "Who invented it."),
            "publisher": _described(_string(longest=200), "Publisher", "Who published it."),
            "year": _described(_whole(1, 9999), "Year", "When it appeared.", 2012),
            "url": _described(_string(ADDRESSES), "Address", "Where there is more about it."),
            "text": _described(_ref("text"), "Text", "What it is about."),
        }
    )
    return _described(about, "About", "Facts about the game; never rules.")


def _named(kind: str, most: int, title: str, description: str) -> Schema:
    return _described(_map(ID, _ref(kind), most), title, description)


def _zones() -> Schema:
    zones = _named("zone", 20, "Zones", "Further places for cards, by name.")
    built_in = [name for name, _, _ in BUILT_IN_ZONES]
    return {**zones, "propertyNames": {**zones["propertyNames"], "not": {"enum": built_in}}}


def _rules_of_play() -> dict[str, Schema]:
    """The top-level keys that make the game."""
    players: Schema = {"type": ["integer", "string"], "pattern": PLAYERS, "minimum": 1, "maximum": 99}
    return {
        "players": _described(players, "Players", "How many can play.", "2-5", 3),
        "rounds": _described(_whole(1, 20), "Rounds", "How many rounds a game has.", 3),
        "parameters": _parameters(),
        "cards": _named("card", 200, "Cards", "The cards by name."),
        "counters": _named("counter", 100, "Counters", "What `adds` does not make clear about counters."),
        "modifiers": _named("modifier", 20, "Modifiers", "Cards that change the next card, in order of use."),
        "abilities": _named("ability", 20, "Abilities", "Cards with which a seat takes more."),
        "zones": _zones(),
        "extra_seats": _named("extra_seat", 10, "Extra seats", "Seats without a person."),
        "markers": _named("marker", 20, "Markers", "What one seat holds, or nobody."),
        "chips": _named("chips", 20, "Chips", "Face-down piles of chips."),
        "tokens": _named("token", 10, "Tokens", "What points are kept with."),
        "setup": _described(_ref("steps"), "Setup", "Steps before the first round.", [{"shuffle": "deck"}]),
        "round": _described(_ref("steps"), "Round", "Steps of each round.", [{"deal": {"to": "hand", "cards": 7}}]),
        "finish": _described(_ref("steps"), "Finish", "Steps after the last round.", [{"score": "game"}]),
        "triggers": _named("trigger", 50, "Triggers", "What happens to seats in the course of play."),
        "scoring": _named("rule", 100, "Scoring", "What scores."),
        "winner": _described(_ref("winner"), "Winner", "Who wins.", {"order": "most"}),
    }


def _overlays_and_texts() -> dict[str, Schema]:
    sources = _map(CITATION, _ref("text"), 500)
    examples = _list(_ref("example"), 200, 0)
    return {
        "variants": _named("variant", 50, "Variants", "Named changes that players can choose."),
        "readings": _named("reading", 50, "Readings", "Questions that the rulebook leaves open."),
        "sources": _described(sources, "Sources", "Rulebook statements by number; every source names one."),
        "examples": _described(examples, "Examples", "Worked examples, run by validate and test."),
    }


def _definitions() -> dict[str, Schema]:
    """All shapes, of games and of changes."""
    shapes = {
        **_leaves(),
        "about": _about(),
        "winner": _winner(),
        "effect": _effect(),
        "card": _card(),
        "counter": _counter(),
        "modifier": _modifier(),
        "ability": _ability(),
        "zone": _zone(),
        **_small_components(),
        "step": _step(),
        "steps": _list(_ref("step"), 100, 0),
        "trigger": _trigger(),
        **_rules(),
        "variant": _variant(),
        "reading": _reading(),
        "example": _example(),
    }
    changed = {f"{name}_change": relaxed(shape) for name, shape in shapes.items()}
    changed |= {"rule_change": _rule_change(shapes["rule"]), "step_change": _step_change(shapes["step"])}
    return shapes | changed


REQUIRED = ("format", "id", "title", "version", "players", "rounds", "cards", "round", "scoring", "winner")
"""The keys that every game has."""


def _files() -> dict[str, Schema]:
    """A whole game, a file that extends one, and the two kinds of changes."""
    game = {
        **_identity(),
        "about": _described(_ref("about"), "About", "Facts about the game; never rules."),
        **_rules_of_play(),
        **_overlays_and_texts(),
    }
    content = {key: relaxed(own) for key, own in game.items()} | {"steps": _steps_by_id()}
    extends = _described(
        _string(BASE, 64),
        "Extends",
        "The card set from which this file differs: an id, or a file beside it.",
        "two_dishes",
    )
    extension = {**content, **_identity(), "extends": extends}
    changes = {key: own for key, own in content.items() if key not in _NOT_CHANGED}
    return {
        "game": _record(game, REQUIRED),
        "extension": _record(extension, ("format", "id", "extends")),
        "changes": _record({key: own for key, own in changes.items() if key != "variants"}),
        "reading_changes": _record(changes),
    }


_NOT_CHANGED = frozenset({"format", "id", "version", "examples", "readings"})
"""What variants and readings can't change."""


def _steps_by_id() -> Schema:
    return _described(
        _map(ID, _ref("step_change"), 100),
        "Steps",
        "Changes to steps by their id.",
        {"pass_hands": {"pass": {"to": "right"}}},
    )


_STRICT = ("required", "minProperties", "oneOf", "default", "examples")
_KEEPS_SHAPE = ("changes", "reading_changes")


def relaxed(schema: Schema) -> Schema:
    """The shape of a change to something of shape `schema`: nothing is required, ``null`` removes.

    Lists replace, so their items keep their shape.
    """
    change = {key: value for key, value in schema.items() if key not in _STRICT}
    if "$ref" in change:
        change["$ref"] = _relaxed_ref(change["$ref"])
    if "type" in change:
        kinds = change["type"] if isinstance(change["type"], list) else [change["type"]]
        change["type"] = [*kinds, "null"]
    if "enum" in change:
        change["enum"] = [*change["enum"], None]
    if "properties" in change:
        change["properties"] = {key: _relaxed_any(own) for key, own in change["properties"].items()}
    if isinstance(change.get("additionalProperties"), dict):
        change["additionalProperties"] = relaxed(change["additionalProperties"])
    return _relaxed_branches(change)


def _relaxed_any(schema: Any) -> Any:
    return relaxed(schema) if isinstance(schema, dict) else schema


def _relaxed_ref(address: str) -> str:
    return address if address.rpartition("/")[2] in _KEEPS_SHAPE else f"{address}_change"


def _relaxed_branches(change: Schema) -> Schema:
    """Branches stay where they choose between shapes, and go where they only ask for keys."""
    if "allOf" in change:
        change["allOf"] = [{**own, "then": relaxed(own["then"])} for own in change["allOf"]]
    if "required" in change.get("then", {}):
        del change["if"], change["then"]
    change.pop("else", None)
    return change


def schema() -> Schema:
    """The JSON Schema (draft 2020-12) of a card-set file."""
    files = _files()
    shown = {
        key: {"title": own["title"], "description": own["description"]}
        for key, own in files["extension"]["properties"].items()
    }
    definitions = files | _definitions()
    used = _used(definitions, ("game", "extension"))
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": ADDRESS,
        "title": "Card set",
        "description": "A drafting card game for draftengine, as data.",
        "type": "object",
        "properties": shown,
        "if": {"required": ["extends"]},
        "then": _ref("extension"),
        "else": _ref("game"),
        "$defs": {name: definitions[name] for name in definitions if name in used},
    }


def example_keys() -> dict[str, Schema]:
    """The keys of a worked example."""
    keys: dict[str, Schema] = _example()["properties"]
    return keys


def file_schema(address: str, title: str, description: str, keys: dict[str, Schema], required: Iterable[str]) -> Schema:
    """The JSON Schema of another kind of file that is made of the pieces of card sets."""
    definitions = _definitions()
    root = _record(keys, required)
    used = _used(definitions, _named_in(root))
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": address,
        "title": title,
        "description": description,
        **root,
        "$defs": {name: definitions[name] for name in definitions if name in used},
    }


def _used(definitions: dict[str, Schema], first: Iterable[str]) -> set[str]:
    """The definitions that a file can come to."""
    used: set[str] = set()
    waiting = set(first)
    while waiting:
        used |= waiting
        waiting = {name for own in waiting for name in _named_in(definitions[own])} - used
    return used


def _named_in(part: Any) -> Iterator[str]:
    """The definitions to which a part of the schema refers."""
    if isinstance(part, dict):
        if "$ref" in part:
            yield part["$ref"].rpartition("/")[2]
        part = list(part.values())
    for own in part if isinstance(part, list) else ():
        yield from _named_in(own)


def schema_text() -> str:
    """The schema as it is published in ``schemas/cardset.schema.json``."""
    return json.dumps(schema(), indent=2, ensure_ascii=False) + "\n"
