"""The shapes (JSON Schemas) of a game, its components, steps and rules, and of changes to these."""

from __future__ import annotations

from typing import TYPE_CHECKING

from draftengine.model import limits
from draftengine.model.cardset.choices import PARAMETERS, Parameter
from draftengine.model.cardset.payments import PaymentRecord
from draftengine.model.cardset.records import (
    ON_CARDS,
    Ability,
    About,
    Card,
    CardValue,
    ChipPile,
    Counter,
    ExtraSeat,
    Family,
    Marker,
    Modifier,
    Token,
)
from draftengine.model.loading.build import BUILT_IN_ZONES
from draftengine.model.loading.upgrade import FORMAT
from draftengine.model.records import definition_schema, schema_of
from draftengine.model.records.schema_fragments import (
    ASSUMED,
    BASE,
    CITATION,
    CITED,
    DEFINED,
    ID,
    LABEL,
    PART,
    PLACE,
    PLAYER_COUNT,
    SOURCE,
    TEXT,
    VERSION,
    by_player_count,
    described,
    formula,
    leaves,
    list_of,
    map_of,
    name,
    one_of,
    player_counts,
    record,
    ref,
    string,
    whole,
    word,
)
from draftengine.model.rules import COMMON_KEYS, KIND_KEYS, RULE_KINDS, kind_choices, no_kind, schema_definitions
from draftengine.model.verbs import VERBS
from draftengine.model.verbs.verb import Step

if TYPE_CHECKING:
    from collections.abc import Mapping

    from draftengine.model.records import NamedRecord
    from draftengine.model.records.schema_fragments import Schema


def _identity() -> dict[str, Schema]:
    return {
        "format": described(
            {"type": "integer", "const": FORMAT},
            "Format",
            "The version of the language. It must be the first key.",
            FORMAT,
        ),
        "id": name("Id", "The name of the card set for commands and other files.", "two_dishes"),
        "title": described(ref("text"), "Title", "The printed title.", "Two Dishes"),
        "version": described(string(VERSION, 40), "Version", "The version of the content.", "1.0.0"),
    }


def about() -> Schema:
    """Return the shape of `about`, which is information about the game."""
    facts = schema_of(About)
    facts["properties"]["assumed"] = ASSUMED
    return described(facts, "About", "Facts about the game that are not rules.")


def _named(kind: str, most: int, title: str, description: str) -> Schema:
    return described(map_of(ID, ref(kind), most), title, description)


def _rules_of_play() -> dict[str, Schema]:
    """Return the top-level keys for the components and the course of the game, with their shapes."""
    alone, formula_of = leaves()["formula"], formula("Is", "The formula.", "swords + 2 * shields")
    definition = alone | record({"is": formula_of, "label": LABEL, "text": TEXT}, ["is"])
    definition["type"] = [*alone["type"], "object"]
    zones = _named("zone", limits.ZONES, "Zones", "Further zones, which are places for cards, by name.")
    built_in = [name for name, _, _ in BUILT_IN_ZONES]
    return {
        "players": described(player_counts(), "Players", "The numbers of players that can play.", "2-5", 3),
        "rounds": _rounds(),
        "wins": formula("Wins", "A seat that meets this condition wins immediately.", "crowns >= 3"),
        "turn_order": described(
            ref("name"),
            "Turn order",
            "The marker whose holder comes first when players act one after the other.",
            "starter",
        ),
        "parameters": parameters(),
        "lists": _lists(),
        "cards": described(map_of(ID, ref("card"), limits.CARDS), "Cards", "The cards by name."),
        "dice": _named("die", limits.CARDS, "Dice", "The dice by name. They lie in zones as the faces that they show."),
        "counters": _named(
            "counter",
            limits.COUNTERS,
            "Counters",
            "Properties of counters, by name. A counter that cards add to needs no entry.",
        ),
        "families": _named("family", limits.FAMILIES, "Families", "Families of cards, by name."),
        "payments": _named("payment", limits.PAYMENTS, "Payments", "How the costs of cards are paid, by name."),
        "values": _named("card_value", limits.CARD_VALUES, "Values", "The names of the numbers on cards."),
        "define": described(
            map_of(DEFINED, definition, limits.DEFINITIONS),
            "Define",
            "Names for formulas, which may have parameters.",
            {"science(w, t)": "w * w + 7 * min(w, t)"},
        ),
        "modifiers": _named(
            "modifier", limits.MODIFIERS, "Modifiers", "Cards that change the next card of a kind, in the order of use."
        ),
        "abilities": _named("ability", limits.ABILITIES, "Abilities", "Cards that let a seat take further cards."),
        "zones": {**zones, "propertyNames": {**zones["propertyNames"], "not": {"enum": built_in}}},
        "extra_seats": _named("extra_seat", limits.EXTRA_SEATS, "Extra seats", "Seats without a person."),
        "markers": _named("marker", limits.MARKERS, "Markers", "Things that at most one seat holds."),
        "chips": _named("chips", limits.CHIPS, "Chips", "Face-down piles of chips."),
        "tokens": _named("token", limits.TOKENS, "Tokens", "Things that points are kept with."),
        "setup": described(ref("steps"), "Setup", "Steps before the first round.", [{"shuffle": "deck"}]),
        "round": described(ref("steps"), "Round", "Steps of each round.", [{"deal": {"to": "hand", "cards": 7}}]),
        "finish": described(ref("steps"), "Finish", "Steps after the last round.", [{"score": "game"}]),
        "triggers": _named("trigger", limits.TRIGGERS, "Triggers", "Effects on seats at certain moments of the game."),
        "scoring": _named("rule", limits.RULES, "Scoring", "The scoring rules, by name."),
        "winner": described(ref("winner"), "Winner", "The rules for winning.", {"order": "most"}),
    }


def _rounds() -> Schema:
    """Return the shape of `rounds`: a number, or the condition that ends the game."""
    until = record(
        {
            "until": formula("Until", "The game ends after a round if this condition holds.", "most(points) > 20"),
            "at_most": described(whole(1, limits.ROUNDS), "At most", "The largest number of rounds.", 12),
        },
        ["until"],
    )
    by_players = by_player_count(whole(1, limits.ROUNDS))
    shape = {
        "type": by_players.pop("type"),
        "if": {"propertyNames": {"pattern": PLAYER_COUNT}},
        "then": {**by_players, "examples": [3]},
        "else": until,
        "properties": until["properties"],
    }
    text = "The number of rounds, which may differ by number of players, or the condition that ends the game."
    return described(shape, "Rounds", text, 3, {"2": 4, "3": 2})


def _lists() -> Schema:
    """Return the shape of `lists`: values, values with labels, or rows of values, each under a name."""
    value: Schema = {"type": ["integer", "string", "object"], "maxLength": limits.NAME, "minProperties": 1}
    value |= {"maxProperties": 20}
    shape: Schema = {
        "type": ["array", "object"],
        "items": value,
        "minItems": 1,
        "maxItems": limits.CARDS,
        "additionalProperties": ref("label"),
        "minProperties": 1,
        "maxProperties": limits.CARDS,
    }
    text = "Lists for `for`, by name: values, values with labels, or rows of values."
    return described(map_of(ID, shape, 50), "Lists", text, {"colour": ["red", "blue"]})


def _overlays_and_texts() -> dict[str, Schema]:
    sources = map_of(CITATION, ref("text"), limits.SOURCES)
    examples = list_of(ref("example"), limits.EXAMPLES, 0)
    of = described(
        map_of(ID, whole(1, limits.VARIANTS), limits.VARIANTS),
        "Of",
        "The largest number of variants of a group that are played together.",
        {"roll": 1},
    )
    names = described(list_of(ref("name"), limits.VARIANTS), "Menu", "The variants in the menu.", ["pass_both_ways"])
    shape = map_of(ID, names, limits.MENUS)
    text = "The menu that is played if nothing is chosen. Its variants also complete a choice of too few."
    default = described(ref("name"), "Default", text, "short")
    titles = described(
        map_of(ID, ref("text"), 2 * limits.MENUS), "Titles", "The names of menus and groups.", {"short": "Half an hour"}
    )
    shape = {**shape, "properties": {"of": of, "default": default, "titles": titles}}
    menus = described(shape, "Menus", "Lists of variants that are played together, by name.", {"short": ["fast"]})
    return {
        "variants": _named("variant", limits.VARIANTS, "Variants", "Named changes that players can choose."),
        "menus": menus,
        "include": described(
            list_of(string(PART, 200), limits.INCLUDED, 0),
            "Include",
            "Files in this folder or below it that add variants.",
            ["dishes/soup.yaml"],
        ),
        "readings": _named("reading", limits.READINGS, "Readings", "Questions that the rulebook leaves open."),
        "sources": described(sources, "Sources", "Statements of the rulebook, by number. Each `source` refers to one."),
        "examples": described(examples, "Examples", "Worked examples. The commands validate and test run them."),
    }


REQUIRED = ("format", "id", "title", "version", "players", "cards", "round")
"""The keys that every game must have."""


_SCORING: Schema = {
    "if": {"properties": {"cards": map_of(ID, {"not": {"required": ["scores"]}}, limits.CARDS)}},
    "then": {"required": ["scoring"]},
}
"""A condition of the schema: `scoring` is required unless cards have rules.

The reader adds an empty section if sides or effects give points (see `draftengine.model.loading.short`).
"""


def kinds_of_file() -> dict[str, Schema]:
    """Return the shapes of a whole game, of a file that extends one, and of changes.

    Variants and readings have different shapes of changes.
    """
    game = {
        **_identity(),
        "about": described(ref("about"), "About", "Facts about the game that are not rules."),
        "assumed": ASSUMED,
        **_rules_of_play(),
        **_overlays_and_texts(),
    }
    content = {key: relaxed(shape) for key, shape in game.items()} | {
        "steps": described(
            map_of(ID, ref("step_change"), 100),
            "Steps",
            "Changes to steps, by the id of the step.",
            {"pass_hands": {"pass": {"to": "right"}}},
        )
    }
    extends = described(
        string(BASE, 64),
        "Extends",
        "The card set that this file changes: an id, or a file in the same folder.",
        "two_dishes",
    )
    extension = {**content, **_identity(), "extends": extends}
    changes = {key: shape for key, shape in content.items() if key not in _NOT_CHANGED}
    return {
        "game": {**record(game, REQUIRED), **_SCORING},
        "extension": record(extension, ("format", "id", "extends")),
        "changes": record({key: shape for key, shape in changes.items() if key != "variants"}),
        "reading_changes": record(changes),
    }


_NOT_CHANGED = frozenset({"format", "id", "version", "examples", "readings", "menus", "include"})
"""Keys that variants and readings cannot change."""


def components() -> dict[str, Schema]:
    """Return the shapes of cards, rules and all other entries whose ids the author chooses."""
    whole_card, of_the_front = card(), ("count", "starts_in", "sides", "back", "face")
    faces = described(
        map_of(ID, whole(1, 100), 20, 2),
        "Faces",
        "The cards that the die can show, each with the number of faces that show it.",
        {"heads": 1, "tails": 1},
    )
    of_a_die = {key: whole_card["properties"][key] for key in ("count", *_OF_DICE)}
    a_name: Schema = {"pattern": ID, "maxLength": limits.NAME}
    side = record({key: value for key, value in whole_card["properties"].items() if key not in of_the_front})
    return {
        "card": whole_card,
        "die": described(
            record({**of_a_die, "faces": faces}, ("count", "faces")),
            "Die",
            "A die.",
            {"faces": {"heads": 1, "tails": 1}},
        ),
        "counter": definition_schema(Counter),
        "family": definition_schema(Family),
        "card_value": definition_schema(CardValue),
        "payment": definition_schema(PaymentRecord),
        "modifier": definition_schema(Modifier),
        "ability": definition_schema(Ability),
        "card_modifier": _on_card(Modifier),
        "card_ability": _on_card(Ability),
        "card_back": {**side, **a_name, "type": ["string", "object"]},
        "card_side": {**side, **a_name, **whole(1, 100), "type": ["string", "object", "integer"]},
        "zone": zone(),
        "extra_seat": definition_schema(ExtraSeat),
        "marker": definition_schema(Marker),
        "chips": definition_schema(ChipPile),
        "token": definition_schema(Token),
        "parameter": definition_schema(Parameter),
    }


_OF_DICE = ("label", "icon", "text", "family", "starts_in", "source", "assumed")
"""The keys that dice have in common with cards, besides the number of copies."""


def card() -> Schema:
    """Return the shape of a card, which may be a modifier or have an ability."""
    shape = definition_schema(Card)
    instances = ({"applies_to": "drink", "then": {"stars": "3 * amount"}}, {"returns_to": "hand"})
    for (key, (_, kind)), instance in zip(ON_CARDS.items(), instances, strict=True):
        shape["properties"][key] = described(ref(f"card_{key}"), kind.said.title, kind.said.description, instance)
    text = "The other side of the card: a card of its own, called NAME_back, or a family to which that one belongs."
    shape["properties"]["back"] = described(ref("card_back"), "Back", text, "drink", {"adds": {"stars": 1}})
    return shape


def _on_card(kind: type[NamedRecord]) -> Schema:
    """Return the shape of a modifier or ability under a card. It does not name the card."""
    shape = definition_schema(kind)
    del shape["properties"]["card"]
    return {**shape, "required": [key for key in shape["required"] if key != "card"]}


def zone() -> Schema:
    """Return the shape of a zone."""
    face = word("Face", "The way the cards of the row lie: face up or face down.", "up", "down", default="up")
    row = record(
        {"cards": described(whole(1, 30), "Cards", "The number of places in the row.", 3), "face": face}, ["cards"]
    )
    covers: Schema = {
        "type": ["string", "object"],
        "enum": ["pyramid"],
        "propertyNames": {"pattern": PLACE},
        "additionalProperties": list_of(string(PLACE, 6), 30),
        "maxProperties": 200,
    }
    covers["if"], covers["then"] = {"type": "string"}, {"enum": covers.pop("enum")}
    layout = record(
        {
            "rows": described(
                list_of(row, 20), "Rows", "The rows, beginning with the one at the bottom of the pile.", [{"cards": 2}]
            ),
            "covers": described(
                covers,
                "Covers",
                "pyramid: each place is covered by its two neighbours in the next row; or, for each place, the places "
                "that cover it.",
                "pyramid",
                {"r1c1": ["r2c1"]},
            ),
        },
        ["rows"],
    )
    return described(
        record(
            {
                "per": word("Per", "seat: each seat has one; table: one for all.", "seat", "table"),
                "seen_by": word(
                    "Seen by",
                    "The seats that may look at the cards. Default: everyone for a shared zone, the owner for a zone "
                    "of a seat.",
                    "nobody",
                    "owner",
                    "everyone",
                ),
                "counts": described(
                    {"type": "boolean"}, "Counts", "True if its cards count for their seat, as in a tableau."
                ),
                "layout": described(
                    layout, "Layout", "Named places for the cards of a shared zone, which may cover each other."
                ),
                "copies": _copies(),
                "holds": described(
                    whole(1, 200), "Holds", "The largest number of cards in the zone, or in each copy of it.", 5
                ),
                "side": name("Side", "The side of cards that is up here. Default: they stay as they are.", "back"),
                "fits": formula(
                    "Fits", "The condition for a card to be put there, for each copy by itself.", "cards(row) < 3"
                ),
                "label": LABEL,
                "assumed": ASSUMED,
            }
        ),
        "Zone",
        "A place for cards. Every game has deck, hand, tableau and discard.",
        {"per": "seat", "seen_by": "nobody"},
    )


def _copies() -> Schema:
    """Return the shape of `copies`: a number, ``players``, a number by players, or rows and columns."""
    number = whole(1, limits.ZONES)
    shape = {
        **number,
        "if": {"type": "string"},
        "then": {"enum": ["players"]},
        **list_of(whole(1, 12), 2, 2),
        "type": ["integer", "string", "array", "object"],
        "propertyNames": {"pattern": PLAYER_COUNT},
        "additionalProperties": number,
        "minProperties": 1,
        "maxProperties": limits.PLAYERS,
    }
    text = "The number of copies of the zone: row_1, row_2, …; over(row, x) is the sum of x over all copies."
    return described(shape, "Copies", text, 4, "players", {"3": 3, "4": 4}, [3, 3])


def step() -> Schema:
    """Return the shape of a step: one verb with its arguments."""
    common = schema_of(Step)["properties"]
    otherwise = described(
        ref("steps"), "Else", "Steps that are carried out if `when` does not hold.", [{"end": "round"}]
    )
    keys = {**common, "else": otherwise, "assumed": ASSUMED, **{name: verb.schema() for name, verb in VERBS.items()}}
    return described(
        {**record(keys), **one_of(VERBS)},
        "Step",
        "A step has exactly one verb, and any of the keys that every step can have.",
    )


def step_change(step: Schema) -> Schema:
    """Return the shape of a change to a step. It may omit the verb and state only arguments."""
    short = {argument.key: True for verb in VERBS.values() if not verb.bare for argument in verb.arguments()}
    change = relaxed(step)
    beside = {
        key: described(ref("steps"), key.capitalize(), f"Steps to insert {key} it.", [{"shuffle": "deck"}])
        for key in ("before", "after")
    }
    return {**change, "properties": {**change["properties"], **short, **beside}, "description": "A change to a step."}


def rule_shapes() -> dict[str, Schema]:
    """Return the shapes of scoring rules, which follow from the fields of the rule kinds."""
    text = "The label of the score step that scores the rule. Default: that of the only score step, or else round."
    moment = name("At", text, "round", "game")
    when = formula("When", "The condition for the rule to score.", "round == rounds")
    return schema_definitions({"at": moment, "label": LABEL, "text": TEXT, "when": when, **CITED})


def rule_change(rule: Schema) -> Schema:
    """Return the shape of a change to a rule. A change that names no kind may have the keys of all kinds."""
    keys = {key: True for kind in RULE_KINDS.values() for key in (*COMMON_KEYS, *kind.properties)}
    unsaid = {"if": no_kind(), "then": {"properties": keys, "additionalProperties": False}}
    return {**relaxed(rule), "allOf": [*kind_choices("_change"), unsaid], "description": "A change to a rule."}


def kind_changes(shapes: Mapping[str, Schema]) -> dict[str, Schema]:
    """Return, for each kind, the shape of a change that names it. It may remove keys of another kind."""
    others = {"additionalProperties": {"type": "null"}, "maxProperties": 50}
    return {f"rule_{name}_change": {**relaxed(shapes[f"rule_{name}"]), **others} for name in KIND_KEYS}


def winner() -> Schema:
    """Return the shape of `winner`."""
    measures = {
        "most": formula("Most", "The tied seat with the most of this wins.", "soup"),
        "fewest": formula("Fewest", "The tied seat with the fewest of this wins.", "soup"),
        "holder": name("Holder", "The tied seat that holds this marker wins.", "starter"),
    }
    breaker = {**record({**measures, "source": SOURCE}), **one_of(measures)}
    return described(
        record(
            {
                "order": word(
                    "Order", "The points that win: the most or the fewest.", "most", "fewest", default="most"
                ),
                "tie_breakers": described(
                    list_of(described(breaker, "Tie-breaker", "A comparison of tied seats."), 20, 0),
                    "Tie-breakers",
                    "Comparisons of tied seats, in order. Seats that are still tied share the win.",
                    [{"most": "soup"}],
                ),
                **CITED,
            }
        ),
        "Winner",
        "The rules for winning.",
    )


def parameters() -> Schema:
    """Return the shape of `parameters`."""
    return described(PARAMETERS.schema or {}, PARAMETERS.title, PARAMETERS.description, *PARAMETERS.examples)


_STRICT = ("required", "minProperties", "oneOf", "default", "examples")
_KEEPS_SHAPE = ("changes", "reading_changes")


def relaxed(schema: Schema) -> Schema:
    """Return the shape of a change to `schema`: no key is required, and ``null`` removes a key.

    A list in a change replaces the old list, so its items keep their shape. ``append`` adds to the old list instead.
    """
    change = {key: value for key, value in schema.items() if key not in _STRICT}
    if change.get("$ref", "").rpartition("/")[2] not in ("", *_KEEPS_SHAPE):
        change["$ref"] += "_change"
    if "type" in change:
        kinds = change["type"] if isinstance(change["type"], list) else [change["type"]]
        change["type"] = [*kinds, "null"]
    if "enum" in change:
        change["enum"] = [*change["enum"], None]
    if "properties" in change:
        keys = change["properties"].items()
        change["properties"] = {key: relaxed(value) if isinstance(value, dict) else value for key, value in keys}
    if isinstance(change.get("additionalProperties"), dict):
        change["additionalProperties"] = relaxed(change["additionalProperties"])
    if "array" in change.get("type", ()) and "object" not in change["type"] and "items" in change:
        more = {"type": "array", "items": change["items"], "minItems": 1, "maxItems": change.get("maxItems", 100)}
        more |= {"title": "Append", "description": "Items that are added at the end of the list."}
        kinds = [*change["type"], "object"]
        change |= {"type": kinds, "properties": {"append": more}, "additionalProperties": False}
    if "allOf" in change:
        change["allOf"] = [{**branch, "then": relaxed(branch["then"])} for branch in change["allOf"]]
    if "required" in change.get("then", {}):  # a branch that only requires keys
        del change["if"], change["then"]
    change.pop("else", None)
    return change
