"""Shapes of whole games, of files that extend one, and of changes to one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from draftengine.model import limits
from draftengine.model.loading.build import BUILT_IN_ZONES
from draftengine.model.records.schema_fragments import (
    ADDRESSES,
    ASSUMED,
    BASE,
    CARD,
    CITATION,
    DEFINED,
    ID,
    PART,
    PLAYERS,
    VERSION,
    described,
    formula,
    list_of,
    map_of,
    name,
    record,
    ref,
    string,
    whole,
)
from draftengine.model.schema.changes import relaxed
from draftengine.model.schema.overlays import parameters

if TYPE_CHECKING:
    from draftengine.model.records.schema_fragments import Schema


def _identity() -> dict[str, Schema]:
    return {
        "format": described({"type": "integer", "const": 1}, "Format", "Version of the language; always first.", 1),
        "id": name("Id", "The name of the card set for commands and other files.", "two_dishes"),
        "title": described(ref("text"), "Title", "The printed title.", "Two Dishes"),
        "version": described(string(VERSION, 40), "Version", "Version of the content.", "1.0.0"),
    }


def about() -> Schema:
    """Return the shape of the facts about a game."""
    facts = record(
        {
            "age": described(whole(0, 99), "Age", "From which age.", 8),
            "minutes": described(whole(1, 10_000), "Minutes", "How long a game takes.", 15),
            "author": described(string(longest=200), "Author", "Who invented it."),
            "publisher": described(string(longest=200), "Publisher", "Who published it."),
            "year": described(whole(1, 9999), "Year", "When it appeared.", 2012),
            "url": described(string(ADDRESSES), "Address", "Where there is more about it."),
            "text": described(ref("text"), "Text", "What it is about."),
            "assumed": ASSUMED,
        }
    )
    return described(facts, "About", "Facts about the game; never rules.")


def _named(kind: str, most: int, title: str, description: str) -> Schema:
    return described(map_of(ID, ref(kind), most), title, description)


def _zones() -> Schema:
    zones = _named("zone", limits.ZONES, "Zones", "Further places for cards, by name.")
    built_in = [name for name, _, _ in BUILT_IN_ZONES]
    return {**zones, "propertyNames": {**zones["propertyNames"], "not": {"enum": built_in}}}


def _rules_of_play() -> dict[str, Schema]:
    """Return the top-level keys that make the game."""
    players: Schema = {"type": ["integer", "string"], "pattern": PLAYERS, "minimum": 1, "maximum": limits.PLAYERS}
    return {
        "players": described(players, "Players", "How many can play.", "2-5", 3),
        "rounds": _rounds(),
        "wins": formula("Wins", "Whoever this holds for wins at once.", "crowns >= 3"),
        "turn_order": described(
            ref("name"), "Turn order", "Whose holder begins where players act one after the other.", "starter"
        ),
        "parameters": parameters(),
        "cards": described(map_of(CARD, ref("card"), limits.CARDS), "Cards", "The cards by name."),
        "counters": _named("counter", limits.COUNTERS, "Counters", "What `adds` does not make clear about counters."),
        "families": _named("family", limits.FAMILIES, "Families", "What cards are called together."),
        "values": _named("card_value", limits.CARD_VALUES, "Values", "What the numbers that cards have are called."),
        "define": described(
            map_of(DEFINED, ref("formula"), limits.DEFINITIONS),
            "Define",
            "Names for formulas, also with values that they ask for.",
            {"science(w, t)": "w * w + 7 * min(w, t)"},
        ),
        "modifiers": _named(
            "modifier", limits.MODIFIERS, "Modifiers", "Cards that change the next card, in order of use."
        ),
        "abilities": _named("ability", limits.ABILITIES, "Abilities", "Cards with which a seat takes more."),
        "zones": _zones(),
        "extra_seats": _named("extra_seat", limits.EXTRA_SEATS, "Extra seats", "Seats without a person."),
        "markers": _named("marker", limits.MARKERS, "Markers", "What one seat holds, or nobody."),
        "chips": _named("chips", limits.CHIPS, "Chips", "Face-down piles of chips."),
        "tokens": _named("token", limits.TOKENS, "Tokens", "What points are kept with."),
        "setup": described(ref("steps"), "Setup", "Steps before the first round.", [{"shuffle": "deck"}]),
        "round": described(ref("steps"), "Round", "Steps of each round.", [{"deal": {"to": "hand", "cards": 7}}]),
        "finish": described(ref("steps"), "Finish", "Steps after the last round.", [{"score": "game"}]),
        "triggers": _named("trigger", limits.TRIGGERS, "Triggers", "What happens to seats in the course of play."),
        "scoring": _named("rule", limits.RULES, "Scoring", "What scores."),
        "winner": described(ref("winner"), "Winner", "Who wins.", {"order": "most"}),
    }


def _rounds() -> Schema:
    """Return the shape of `rounds`: a number, or the condition that ends the game."""
    until = record(
        {
            "until": formula(
                "Until", "The game is over at the end of a round in which this holds.", "most(points) > 20"
            ),
            "at_most": described(whole(1, limits.ROUNDS), "At most", "There are no more rounds than that.", 12),
        },
        ["until", "at_most"],
    )
    shape = {**until, "type": ["integer", "object"], "minimum": 1, "maximum": limits.ROUNDS}
    return described(shape, "Rounds", "How many rounds a game has, or when it is over.", 3)


def _menus() -> Schema:
    """Return the shape of menus: lists of variants, the number of each group, and the default."""
    of = described(
        map_of(ID, whole(1, limits.VARIANTS), limits.VARIANTS),
        "Of",
        "How many variants of a group are played at most.",
        {"roll": 1},
    )
    names = described(
        list_of(ref("name"), limits.VARIANTS), "Menu", "The variants of which it consists.", ["pass_both_ways"]
    )
    shape = map_of(ID, names, limits.MENUS)
    text = "The menu that is played if nothing is chosen, and from which a choice of fewer is filled up."
    default = described(ref("name"), "Default", text, "short")
    shape = {**shape, "properties": {"of": of, "default": default}}
    return described(shape, "Menus", "Lists of variants that are played together, by name.", {"short": ["fast"]})


def _overlays_and_texts() -> dict[str, Schema]:
    sources = map_of(CITATION, ref("text"), limits.SOURCES)
    examples = list_of(ref("example"), limits.EXAMPLES, 0)
    return {
        "variants": _named("variant", limits.VARIANTS, "Variants", "Named changes that players can choose."),
        "menus": _menus(),
        "include": described(
            list_of(string(PART, 200), limits.INCLUDED, 0),
            "Include",
            "Files below the folder of this one, with variants of their own.",
            ["dishes/soup.yaml"],
        ),
        "readings": _named("reading", limits.READINGS, "Readings", "Questions that the rulebook leaves open."),
        "sources": described(sources, "Sources", "Rulebook statements by number; every source names one."),
        "examples": described(examples, "Examples", "Worked examples, run by validate and test."),
    }


REQUIRED = ("format", "id", "title", "version", "players", "rounds", "cards", "round", "winner")
"""Keys that every game has."""

_SCORING: Schema = {
    "if": {"properties": {"cards": map_of(CARD, {"not": {"required": ["scores"]}}, limits.CARDS)}},
    "then": {"required": ["scoring"]},
}
"""Condition of the schema: rules are in `scoring` unless cards carry them."""


def kinds_of_file() -> dict[str, Schema]:
    """Return the shapes of a whole game, of a file that extends one, and of the two kinds of changes."""
    game = {
        **_identity(),
        "about": described(ref("about"), "About", "Facts about the game; never rules."),
        "assumed": ASSUMED,
        **_rules_of_play(),
        **_overlays_and_texts(),
    }
    content = {key: relaxed(shape) for key, shape in game.items()} | {"steps": _steps_by_id()}
    extends = described(
        string(BASE, 64),
        "Extends",
        "The card set from which this file differs: an id, or a file beside it.",
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


def _steps_by_id() -> Schema:
    return described(
        map_of(ID, ref("step_change"), 100),
        "Steps",
        "Changes to steps by their id.",
        {"pass_hands": {"pass": {"to": "right"}}},
    )
