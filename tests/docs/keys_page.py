"""Write ``docs/keys.md`` from the schemas, the verbs and the functions.

``python tests/docs/keys_page.py``
"""

from __future__ import annotations

import json
import sys
from itertools import product

import yaml

from draftengine.api.scenario import scenario_file
from draftengine.model.language.builtins import (
    BUILTINS,
    Aggregate,
    MacroFunction,
    NumericFunction,
    OtherSeatFunction,
    StateFunction,
    ZoneAggregate,
)
from draftengine.model.loading.build import BUILT_IN_ZONES
from draftengine.model.loading.steps import STEP_KEYS
from draftengine.model.records import NameReference, fields_of
from draftengine.model.records.reader import LayoutPlace, Zone
from draftengine.model.rules import KIND_KEYS, RULE_KINDS
from draftengine.model.schema import schema
from draftengine.model.verbs import VERBS

HEAD = """\
# Keys of card sets

Made by `make docs` from the same declarations as the schema and the checker. [The card-set language](language.md) says
what it all means; here is every key with its default and an example, what may move where, and every function of
formulas.

A key in **bold** must be there. A default in parentheses is what holds if the key is not there. In a file that extends
another, and in the `changes` of a variant, nothing has to be there: only what differs is said. Where it says *formula*,
a number will do; where it says *text*, so will a map by language (`{en: …, pl: …}`).

"""


MOVES = """
## What may move where

Whether there is a step of that verb that may name such a zone; which two zones go together is in
[the language](language.md#what-may-move-where). *Alone* means: where one seat at a time chooses, in a
[list of one seat](language.md#lists-of-one-seat) or [in turn](language.md#one-after-the-other), from a layout also with
`who: MARKER`. From a zone that nobody sees nobody chooses.

"""
FUNCTIONS = """
## Functions of formulas

Examples are for seat 0.

"""


# ── How a value is written ───────────────────────────────────────────────────────────────────────────────────────────

_KINDS = {
    "amounts": "amounts by counter, formulas",
    "by_players": "formula, or a map by number of players",
    "changes": "keys of a card set",
    "formula": "formula",
    "label": "label",
    "name": "name",
    "names": "name or list of names",
    "meant": "name or list of names",
    "reading_changes": "keys of a card set",
    "source": "statement or list of statements",
    "steps": "list of steps",
    "text": "text",
}


def written(own, defs):
    """Describe in a few words how a value of a schema is written."""
    if "$ref" in own:
        name = own["$ref"].rpartition("/")[2]
        return _KINDS.get(name) or written(defs[name], defs)
    if "enum" in own or "const" in own:
        return " or ".join(f"`{json.dumps(value)}`".replace('"', "") for value in own.get("enum", [own.get("const")]))
    kinds = own.get("type", "object")
    kinds = [kinds] if isinstance(kinds, str) else kinds
    found = list(dict.fromkeys(_kind(kind, own, kinds, defs) for kind in kinds))
    return " or ".join(own for own in found if own)


def _kind(kind, own, kinds, defs):
    if kind == "array":
        return f"list of {_several(written(own['items'], defs))}" if "items" in own else "list"
    if kind == "object":
        return "mapping"
    if kind == "string" and own.get("if") == {"type": "string"} and "enum" in own.get("then", {}):
        return " or ".join(f"`{value}`" for value in own["then"]["enum"])
    if kind == "string":
        return "formula" if "integer" in kinds and "pattern" not in own else "text"
    if kind == "integer":
        return "" if "string" in kinds and "pattern" not in own and "if" not in own else "whole number"
    return {"boolean": "true or false", "null": "`null`"}[kind]


def _several(kinds):
    """Return the plural of a description by `written`."""
    plurals = {"name": "names", "text": "texts", "mapping": "mappings", "formula": "formulas"}
    plurals |= {"whole number": "whole numbers"}
    return " or ".join(plurals.get(own, own.replace("list of", "lists of")) for own in kinds.split(" or "))


# ── Tables of keys ───────────────────────────────────────────────────────────────────────────────────────────────────


class Part:
    """A table of keys, and the parts nested in it."""

    def __init__(self, title, own, defs):
        self.title, self.own, self.defs = title, own, defs

    def properties(self):
        return {name: key for name, key in self.own.get("properties", {}).items() if key is not True}

    def example(self, name):
        """Return an example of a key's value: that of the schema, or one of `_EXAMPLES`."""
        found = self.properties()[name].get("examples") or _EXAMPLES.get(f"{self.title}: {name}") or _EXAMPLES[name]
        return found[0]

    def lines(self):
        yield "| key | what it says | written as | example |\n|---|---|---|---|\n"
        for name in self.properties():
            yield self.row(name)

    def row(self, name):
        """Return the row of one key."""
        key, defs = self.properties()[name], self.defs
        shown = f"**`{name}`**" if name in self.own.get("required", ()) else f"`{name}`"
        shown_default = "default" in key and (key["default"] is not False or "boolean" in key.get("type", ""))
        default = f" ({_flow(key['default'])})" if shown_default else ""
        said = key.get("description", key.get("title", "")).replace("|", "\\|")
        return f"| {shown} | {said} | {written(key, defs)}{default} | `{name}: {_flow(self.example(name))}` |\n"


_EXAMPLES = {
    "A worked example: zones": [{"pile": [["soup"], ["bread"]]}],
    "What an example expects: zones": [{"pile": [["soup"], ["bread"]]}],
    "legal": [False],
    "abilities": [{"ladle": {"card": "ladle", "take": 1, "returns_to": "hand"}}],
    "append": [["other"]],
    "about": [{"minutes": 15}],
    "also": [[{"seat": "dummy", "by": "controller"}]],
    "author": ["Ada Cook"],
    "cards": [{"soup": {"count": 14}}],
    "cardset": ["two_dishes"],
    "changes": [{"rounds": 2}],
    "chips": [{"soup_chips": {"values": [3, 4, 5]}}],
    "counters": [{"stars": {"label": "stars"}}],
    "counts": [True],
    "dice": [{"die": {"count": 5, "faces": {"sword": 3, "shield": 3}}}],
    "do": [[{"choose": {"from": "hand", "to": "tableau"}}]],
    "expect": [{"points": {"soup": [5, 0]}}],
    "extra_seats": [{"dummy": {"wins": False}}],
    "families": [{"drink": {"label": "Drinks"}}],
    "payments": [{"build": {"goods": ["wood", "clay"], "from": [{"makes": "self"}]}}],
    "A payment: from": [[{"makes": "self"}, {"counter": "gold", "stands_for": "any"}]],
    "values": [{"cost": {"label": "Price"}}],
    "forms": [{"of": ["soup", "bread"]}],
    "keep": [True],
    "layout": [{"rows": [{"cards": 9}]}],
    "markers": [{"starter": {"start": "first"}}],
    "modifiers": [{"spice": {"card": "spice", "applies_to": "drink", "then": {"stars": "3 * amount"}}}],
    "name": ["two soups are a set"],
    "options": [{"literal": {"text": "At least one is needed."}}],
    "publisher": ["Two Dishes Press"],
    "question": ["May somebody without any come second?"],
    "readings": [{"second_place": {"question": "…", "default": "literal", "options": {"literal": {"text": "…"}}}}],
    "reason": ["The older booklet says so."],
    "scoring": [{"soup": {"each": "soup", "points": 1}}],
    "sources": [{"A-1": "Two soups are a set."}],
    "tests": [[{"name": "two soups", "tables": [["soup", "soup"], []], "expect": {"points": {"soup": [5, 0]}}}]],
    "examples": [[{"name": "two soups", "tables": [["soup", "soup"], []], "expect": {"points": {"soup": [5, 0]}}}]],
    "text": ["Two make a set."],
    "tokens": [{"cube": {"value": 5}}],
    "triggers": [{"race": {"after": "reveal", "who": "soup >= 3", "do": [{"points": 1}]}}],
    "url": ["https://example.org/two_dishes"],
    "variants": [{"short": {"title": "A short game", "changes": {"rounds": 2}}}],
    "zones": [{"pile": {"per": "seat", "seen_by": "nobody"}}],
}
"""Examples of keys for which the schema has none: mostly mappings whose own keys have examples."""


def _flow(value):
    """Return a value in YAML, in one line."""
    text = yaml.safe_dump(value, default_flow_style=True, allow_unicode=True, width=1000, sort_keys=False)
    return text.strip().removesuffix("\n...").strip()


def _at(own, path, defs):
    """Return the schema at a path of keys; `*` stands for an author's name, `-` for an entry of a list."""
    for step in path:
        while "$ref" in own:
            own = defs[own["$ref"].rpartition("/")[2]]
        own = own["additionalProperties"] if step == "*" else own["items"] if step == "-" else own["properties"][step]
    while "$ref" in own:
        own = {**defs[own["$ref"].rpartition("/")[2]], **{key: value for key, value in own.items() if key != "$ref"}}
    return own


_PARTS = (
    ("about", "about: {…}", ("about",)),
    ("As many rounds as needed", "rounds: {…}", ("rounds",)),
    ("A parameter", "parameters: {NAME: {…}}", ("parameters", "*")),
    ("A card", "cards: {NAME: {…}}", ("cards", "*")),
    ("The forms of a wild card", "cards: {NAME: {forms: {…}}}", ("cards", "*", "forms")),
    ("A die", "dice: {NAME: {…}}", ("dice", "*")),
    ("A definition", "define: {NAME: {…}}", ("define", "*")),
    ("A payment", "payments: {NAME: {…}}", ("payments", "*")),
    ("A source of goods", "payments: {NAME: {from: [{…}]}}", ("payments", "*", "from", "-")),
    ("A counter", "counters: {NAME: {…}}", ("counters", "*")),
    ("A family", "families: {NAME: {…}}", ("families", "*")),
    ("A value", "values: {NAME: {…}}", ("values", "*")),
    ("A modifier", "modifiers: {NAME: {…}}", ("modifiers", "*")),
    ("An ability", "abilities: {NAME: {…}}", ("abilities", "*")),
    ("A zone", "zones: {NAME: {…}}", ("zones", "*")),
    ("A layout", "zones: {NAME: {layout: {…}}}", ("zones", "*", "layout")),
    ("A row of a layout", "zones: {NAME: {layout: {rows: [{…}]}}}", ("zones", "*", "layout", "rows", "-")),
    ("An extra seat", "extra_seats: {NAME: {…}}", ("extra_seats", "*")),
    ("A marker", "markers: {NAME: {…}}", ("markers", "*")),
    ("A pile of chips", "chips: {NAME: {…}}", ("chips", "*")),
    ("A token", "tokens: {NAME: {…}}", ("tokens", "*")),
    ("A trigger", "triggers: {NAME: {…}}", ("triggers", "*")),
    ("The winner", "winner: {…}", ("winner",)),
    ("A tie-breaker", "winner: {tie_breakers: [{…}]}", ("winner", "tie_breakers", "-")),
    ("A variant", "variants: {NAME: {…}}", ("variants", "*")),
    ("Menus", "menus: {…}", ("menus",)),
    ("A reading", "readings: {NAME: {…}}", ("readings", "*")),
    ("An answer of a reading", "readings: {NAME: {options: {NAME: {…}}}}", ("readings", "*", "options", "*")),
    ("A worked example", "examples: [{…}]", ("examples", "-")),
    ("A move in full", "examples: [{moves: [[{…}]]}]", ("examples", "-", "moves", "-", "-")),
    ("What an example expects", "examples: [{expect: {…}}]", ("examples", "-", "expect")),
)
_OF_STEPS = STEP_KEYS


def tables():
    """Yield every table of keys with its heading."""
    whole = schema()
    defs = whole["$defs"]
    game = defs["game"]
    yield "## A card set\n\n", Part("", game, defs)
    extension = defs["extension"]
    more = {name: extension["properties"][name] for name in ("extends", "steps")}
    yield (
        "### A file that extends another, and changes\n\nThe same keys, and:\n\n",
        Part("", {"properties": more, "required": ["extends"]}, defs),
    )
    appending = _at(extension, ("menus", "*"), defs)
    yield "A list that is there already may be written as a mapping:\n\n", Part("", appending, defs)
    for title, where, path in _PARTS:
        yield f"### {title}\n\n`{where}`\n\n", Part(title, _at(game, path, defs), defs)
    step = defs["step"]
    yield (
        "## Steps\n\nIn `setup`, `round`, `finish`, `on_play`, `do` and `else`. Every step may have:\n\n",
        Part("", {"properties": {name: step["properties"][name] for name in _OF_STEPS}}, defs),
    )
    verbs = {name: key for name, key in step["properties"].items() if name not in _OF_STEPS}
    yield "and has exactly one of these verbs:\n\n", Part("", {"properties": verbs}, defs)
    for name, own in verbs.items():
        if "properties" in own:
            yield f"### {name}\n\n`- {name}: {{…}}`\n\n", Part("", own, defs)
    for title, path in (
        ("give: {to: {…}}", ("give", "to")),
        ("choose: {also: [{…}]}", ("choose", "also", "-")),
        ("choose: {as: {NAME: {…}}}", ("choose", "as", "*")),
    ):
        yield f"### {title}\n\n", Part(title, _at(step, path, defs), defs)
    rule = defs["rule"]
    yield "## Rules\n\n`scoring: {NAME: {…}}`: a kind, or points alone. Every rule may have:\n\n", Part("", rule, defs)
    for name in RULE_KINDS:
        own = defs[f"rule_{name}"]
        heading = f"{name}: …" if name in KIND_KEYS else "points alone"
        yield f"### {heading}\n\n{own['title']}.\n\n", Part("", own, defs)
    yield (
        "## A file of scenarios\n\nFor `draftengine test`:\n\n",
        Part("", scenario_file(), scenario_file()["$defs"]),
    )


# ── What may move where ──────────────────────────────────────────────────────────────────────────────────────────────


def zones():
    """Return one zone of each kind, by name."""
    built_in = {
        name: Zone(name, per, seen_by, (), (), None, counts=name == "tableau") for name, per, seen_by in BUILT_IN_ZONES
    }
    place = (LayoutPlace("r1c1", False, ()),)
    return {
        **built_in,
        "pile": Zone("pile", "seat", "owner", (), (), None),
        "stock": Zone("stock", "table", "everyone", (), (), None),
        "relics": Zone("relics", "seat", "everyone", (), (), None, counts=True),
        "display": Zone("display", "table", "everyone", place, (), None),
    }


_CALLED = {
    "pile": "another zone of each seat",
    "stock": "another shared zone",
    "relics": "another zone that counts",
    "display": "a layout",
}


def movable():
    """Return for every verb and direction, by kind of zone, whether some step is allowed.

    A step can also be allowed only for one seat.
    """
    known = zones()
    found = {}
    for verb in VERBS.values():
        names = [
            own.attribute
            for own in fields_of(verb)
            if isinstance(own.meaning, NameReference) and own.meaning.kind == "zone" and verb.verb != "repeat"
        ]
        if not names:
            continue
        for chosen in product(known, repeat=len(names)):
            fields = dict(zip(names, chosen, strict=True))
            answer = _answer(verb, fields, known)
            for name, zone in zip(names, chosen, strict=True):
                role = {"from_": f"{verb.verb}: from", "to": f"{verb.verb}: to"}.get(name, verb.verb)
                found.setdefault(role, {}).setdefault(zone, "–")
                found[role][zone] = max(found[role][zone], answer, key=_ANSWERS.index)
    return found


_ANSWERS = ("–", "alone", "yes")


def _answer(verb, fields, known):
    """Return whether a step between zones is allowed: ``yes``, ``alone`` for one seat only, or a dash."""
    more = {"to": ("left",)} if verb.verb == "pass" else {}
    steps = [verb(span=None, **fields, **more)]
    if verb.verb == "choose" and known[fields["from_"]].seen_by != "nobody":
        steps.append(verb(span=None, for_one=True, **fields))
    allowed = [not any(True for _ in step.problems(known)) for step in steps]
    return "yes" if allowed[0] else "alone" if any(allowed) else "–"


def zone_table():
    """Return the table of zones and the verbs that may use them."""
    found = movable()
    names = list(zones())
    head = "| | " + " | ".join(_CALLED.get(name, f"`{name}`") for name in names) + " |\n|---|" + "---|" * len(names)
    rows = [f"| `{role}` | " + " | ".join(own[name] for name in names) + " |" for role, own in found.items()]
    return "\n".join([head, *rows]) + "\n"


# ── Functions ────────────────────────────────────────────────────────────────────────────────────────────────────────


def _seats(own):
    """Return the seats that a function is about, in words."""
    if isinstance(own, NumericFunction):
        return "none: it works on numbers"
    if isinstance(own, Aggregate):
        return "all but the one in question" if own.others else "all"
    if isinstance(own, OtherSeatFunction):
        return {
            "left": "the player to the left",
            "right": "the player to the right",
            "asking": "the one that asks",
            "holder": "the one that holds the marker",
        }[own.whose]
    if isinstance(own, MacroFunction):
        return (
            "the one in question"
            if own.means or own.name == "chosen"
            else "that of the names in x"
            if own.name == "over"
            else "none: it is about a card"
        )
    if isinstance(own, ZoneAggregate):
        return "the one in question; none for a shared zone"
    assert isinstance(own, StateFunction)
    return "the one in question"


def function_table():
    """Return the table of functions, each with its seats and an example that the tests run."""
    lines = ["| function | value | whose | example |\n|---|---|---|---|\n"]
    for own in BUILTINS.values():
        given = ", ".join(
            f"{name.removeprefix('name:')} {values[0]}"
            if len(values) == 1
            else f"{name} {', '.join(map(str, values))} by seat"
            for name, values in own.example.given
        )
        example = f"`{own.example.text}` is {own.example.value} with {given}"
        lines.append(f"| `{own.signature}` | {own.doc} | {_seats(own)} | {example} |\n")
    return "".join(lines)


def page():
    """Return the page of keys as Markdown."""
    parts = [HEAD]
    for heading, part in tables():
        parts += ["\n" if parts[-1] is not HEAD else "", heading, *part.lines()]
    return "".join([*parts, MOVES, zone_table(), FUNCTIONS, function_table()])


if __name__ == "__main__":
    sys.stdout.write(page())
