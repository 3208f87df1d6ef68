"""The schema of card sets, and the findings where a file does not follow it."""

from __future__ import annotations

import json
import re
from pathlib import Path

import jsonschema
import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from conftest import sample
from draftengine.model.diagnostics import table
from draftengine.model.loading.repeating import written_out
from draftengine.model.records.schema_fragments import PATTERNS
from draftengine.model.rules import KIND_KEYS, RULE_KINDS
from draftengine.model.schema import schema, schema_text
from draftengine.model.schema.in_words import _KEYWORDS
from draftengine.model.schema.validate import _validator, validate
from draftengine.model.shelf import shelf
from draftengine.model.verbs import VERBS
from draftengine.model.yaml.tree import plain
from written import cases_in

ROOT = Path(__file__).parents[2]
SHIPPED = sorted(shelf().values())
HARBOUR = Path(__file__).with_name("harbour.yaml")
GAME = cases_in(HARBOUR)
REFERENCE = (ROOT / "docs/language.md").read_text("utf-8")
SILENT = {"$ref", "allOf", "anyOf", "if", "items", "properties", "propertyNames"}
"""Keywords that only refer to other schemas or occur in conditions."""


def parts(value):
    """Yield every mapping within the schema."""
    if isinstance(value, dict):
        yield value
        value = list(value.values())
    for own in value if isinstance(value, list) else ():
        yield from parts(own)


def found(findings):
    """Return the codes with the marked texts."""
    return [(own.code, own.span.source.text[own.span.start : own.span.end]) for own in findings]


# ── The schema ──


def test_it_is_published():
    """Check that the file in the repository is the schema of the program (`make docs` writes it)."""
    assert (ROOT / "schemas/cardset.schema.json").read_text("utf-8") == schema_text()


def test_it_is_a_schema():
    """Check that it is valid under draft 2020-12 and refers to nothing outside."""
    jsonschema.Draft202012Validator.check_schema(schema())
    known = schema()["$defs"]
    references = [part["$ref"] for part in parts(schema()) if isinstance(part.get("$ref"), str)]
    assert {own.removeprefix("#/$defs/") for own in references} == set(known)


def test_every_call_makes_its_own():
    """Check that every call returns a new schema, so changing one affects nobody else."""
    schema()["$defs"].clear()
    assert schema()["$defs"]


def test_editors_can_explain_every_key():
    """Check that each key of a game has a title and a description."""
    silent = [
        f"{name}: {key}"
        for name, definition in schema()["$defs"].items()
        if not name.endswith("_change")
        for part in parts(definition)
        if isinstance(part.get("properties"), dict)
        for key, own in part["properties"].items()
        if own is not True and not {"title", "description"} <= own.keys() and not _only_a_condition(own)
    ]
    assert silent == []


def _only_a_condition(own):
    """Return True if a key is part of a condition (``if kind is set``, ``if no card has scores``)."""
    return own.keys() == {"not"} or own == {"type": "null"} or "not" in own.get("additionalProperties", {})


def test_every_object_is_closed():
    """Check that no mapping accepts unknown keys."""
    for part in parts(schema()["$defs"]):
        if part.get("type") == "object" and "allOf" not in part:
            assert "additionalProperties" in part, part


def test_every_text_and_list_has_a_limit():
    """Check that every text and list has a maximum."""
    for part in parts(schema()["$defs"]):
        kinds = part.get("type", ())
        if "array" in kinds:
            assert "maxItems" in part, part
        if isinstance(part.get("additionalProperties"), dict):
            assert "maxProperties" in part, part


def test_every_pattern_has_words():
    """Check that every pattern has a message that says what would match."""
    assert {own["pattern"] for own in parts(schema()) if isinstance(own.get("pattern"), str)} <= PATTERNS.keys()


def test_every_keyword_has_words():
    """Check that no finding is in the words of the schema library."""
    names = {key for own in parts(schema()) for key in own.get("properties", ())}
    used = {key for own in parts(schema()["$defs"]) for key in own} - names
    assert used & set(jsonschema.Draft202012Validator.VALIDATORS) - _KEYWORDS.keys() == SILENT


def test_steps_and_rules_are_complete():
    """Check that every verb is a key of a step, and that every rule kind can be chosen."""
    definitions = schema()["$defs"]
    assert definitions["step"]["properties"].keys() == {
        "id",
        "who",
        "when",
        "else",
        "text",
        "source",
        "assumed",
        *VERBS,
    }
    assert [key for key in RULE_KINDS if key in definitions["rule"]["properties"]] == list(KIND_KEYS)
    assert {f"rule_{name}" for name in RULE_KINDS} <= definitions.keys()


@pytest.mark.parametrize("path", sample([HARBOUR, *SHIPPED], 8), ids=lambda path: path.stem)
def test_shipped_sets_follow_it(path, tree):
    """Check that shipped card sets follow the schema for other programs, too, as they are written."""
    root = tree(path.read_text("utf-8"))
    assert validate(written_out(root)[0]) == ()
    jsonschema.Draft202012Validator(json.loads(schema_text())).validate(plain(root))


def test_the_reference_follows_it(tree):
    """Check that the card set at the start of the reference follows the schema."""
    text = re.search(r"```yaml\n(.*?)```", REFERENCE, re.DOTALL).group(1)
    assert validate(tree(text)) == ()


def test_the_reference_names_every_top_level_key():
    """Check that the table of top-level keys has the keys of the schema."""
    table = REFERENCE.split("## 2.")[1].split("## 3.")[0]
    named = {key for row in re.findall(r"^\| (`.*?) \|", table, re.MULTILINE) for key in re.findall(r"`(\w+)`", row)}
    definitions = schema()["$defs"]
    assert named == definitions["game"]["properties"].keys() | definitions["extension"]["properties"].keys()


@pytest.mark.parametrize("value", [1.0, True, "1"])
def test_whole_numbers_only(value):
    """Check that neither 1.0 nor true is a whole number."""
    assert [error.validator for error in _validator(schema).iter_errors({**GAME, "rounds": value})] == ["type"]


# ── Mistakes ──

MISTAKES = [
    # keys
    (("count: 20", "cuont: 20"), ("unknown-key", "cuont"), "“count”"),
    (("rounds: 3", "ronds: 3"), ("unknown-key", "ronds"), "“rounds”"),
    (("{from: hand, to: tableau", "{from: hand, too: tableau"), ("unknown-key", "too"), "“to”"),
    (("until_empty: hand", "until_emty: hand"), ("unknown-key", "until_emty"), "“until_empty”"),
    (("size: 2, points", "sise: 2, points"), ("unknown-key", "sise"), "“size”"),
    (
        ("each: dark, at: game, points: 2", "each: dark, at: game, size: 2, points: 2"),
        ("unknown-key", "size"),
        "kind set",
    ),
    (("  fish: {set", "  fish: {of"), ("unknown-key", "of"), "fish: {set: fish, size: 2"),
    (("take: 1, returns_to: hand", "take: 1"), ("required-key", "crane"), "hand, place"),
    (("then: {leaves: 3 * amount}", "stacks: true"), ("required-key", "spice"), "then"),
    (("version: 1.2.0\n", ""), ("required-key", "format"), "version: 1.0.0"),
    # values
    (("count: 20", "count: many"), ("wrong-type", "many"), "a number in digits"),
    (("count: 20", "count: Ten"), ("wrong-type", "Ten"), "in digits: 10"),
    (("count: 20", "count: [20]"), ("wrong-type", "[20]"), "without brackets: 20"),
    (("count: 20", 'count: "20"'), ("wrong-type", '"20"'), "without quotes"),
    (("count: 20", "count: 501"), ("out-of-range", "501"), ""),
    (("count: 20", "count: -1"), ("out-of-range", "-1"), ""),
    (("count: 20", "count: null"), ("wrong-type", "count"), "that changes a game can remove keys"),
    (("rounds: 3", "rounds:"), ("wrong-type", "rounds"), "after the colon"),
    (("rounds: 3", "rounds: 101"), ("out-of-range", "101"), ""),
    (("author: Nobody", "author: 7"), ("wrong-type", "7"), "quotes"),
    (("adds: {leaves: 2}", "adds: [leaves]"), ("wrong-type", "[leaves]"), "Say how many: “adds: {leaves: 1}”"),
    (("family: tea,", "family: 5,"), ("wrong-type", "5"), ""),
    (("values: [3, 4, 5]", "values: 3"), ("wrong-type", "3"), "Write “values: [3]”."),
    (("values: [3, 4, 5]", "values: []"), ("wrong-length", "[]"), ""),
    (("label: Hand size", 'label: {english: "x"}'), ("bad-name", "english"), ""),
    (("{majority", "{majorty"), ("unknown-key", "majorty"), "leaves: {majority: leaves"),
    (("{majority: leaves,", "{majority: leaves, tie: splitt,"), ("not-allowed-value", "splitt"), "“split”"),
    (("per: seat, seen_by: nobody", "per: seat, seen_by: nobdy"), ("not-allowed-value", "nobdy"), "“nobody”"),
    (("to: left}\n          id", "to: lef}\n          id"), ("not-allowed-value", "lef"), "“left”"),
    (("start: first", "start: frist"), ("not-allowed-value", "frist"), "“first”"),
    (("covers: pyramid", "covers: pyramide"), ("not-allowed-value", "pyramide"), "“pyramid”"),
    (("players: 2-5", "players: 5-2"), ("out-of-range", "5-2"), "2-5"),
    (("players: 2-5", "players: two"), ("wrong-form", "two"), ""),
    (("version: 1.2.0", 'version: "1.2"'), ("wrong-form", '"1.2"'), "Write 1.2.0"),
    (("version: 1.2.0", "version: 2"), ("wrong-type", "2"), "Write 2.0.0"),
    (("version: 1.2.0", "version: one"), ("wrong-form", "one"), ""),
    (
        ("winner: {order: most, tie_breakers: [{most: coins}, {fewest: fish, source: H-2}]}", "winner: most"),
        ("wrong-type", "most"),
        "“winner: {order: most}”",
    ),
    (("  spice: {count: 6}", "  spice: 6"), ("wrong-type", "6"), "Write “spice: {count: 6}”."),
    (("count: 20", "count: 0-1"), ("wrong-type", "0-1"), "Write one number"),
    (("https://example.org/harbour", "example.org"), ("wrong-form", '"example.org"'), ""),
    (("  fish: {count", "  Fresh Fish: {count"), ("bad-name", "Fresh Fish"), "fresh_fish"),
    (("shuffle: deck", "choose: {as: {give: {to: left.hold}}}"), ("bad-name", "left.hold"), "“to” beside “as”"),
    (("{2: 9, 3", "{two: 9, 3"), ("wrong-form", "two"), ""),
    (("  hold: {per", "  hand: {per"), ("reserved-name", "hand"), ""),
    (("format: 2", "format: 3"), ("unsupported-format", "3"), "format 2"),
    (("format: 2", "format: 0"), ("not-allowed-value", "0"), "format: 2"),
    # exactly one of several keys
    (("shuffle: deck", "shufle: deck"), ("unknown-key", "shufle"), "“shuffle”"),
    (("- shuffle: deck", "- {shuffle: deck, gather: deck}"), ("one-verb", "gather"), "two steps"),
    (("- shuffle: deck", "- {id: first_step}"), ("one-verb", "id"), ""),
    (("- shuffle: deck", "- {}"), ("one-verb", "{}"), ""),
    (("- shuffle: deck", "- shuffle"), ("wrong-type", "shuffle"), ""),
    (("until_empty: hand", "times: 3\n      until: turn > 3"), ("one-verb", "until"), ""),
    (("{roll: weather}", "{roll: weather, take: flag}"), ("one-verb", "take"), ""),
    (("{most: coins}", "{most: coins, fewest: coins}"), ("one-verb", "fewest"), ""),
    (("to: {most: fish}", "to: {}"), ("one-verb", "to"), ""),
    (("to: {most: fish}", "to: 3"), ("wrong-type", "3"), ""),
]


@pytest.mark.parametrize(("change", "expected", "hint"), MISTAKES, ids=[row[0][1] for row in MISTAKES])
def test_one_mistake_is_one_finding(harbour, tree, change, expected, hint):
    """Check that a mistake is one finding, at the exact place, with advice."""
    findings = validate(tree(harbour(change)))
    assert found(findings) == [expected]
    assert hint in findings[0].hint
    assert findings[0].message[0].isupper() or findings[0].message[0] == "“" or findings[0].message[0].isdigit()
    assert findings[0].message.endswith(".")


def test_all_mistakes_are_reported(harbour, tree):
    """Check that all mistakes are reported in the order of their places."""
    text = harbour(("count: 20", "cuont: 20"), ("rounds: 3", "rounds: three"), ("order: most", "order: least"))
    assert found(validate(tree(text))) == [
        ("wrong-type", "three"),
        ("unknown-key", "cuont"),
        ("not-allowed-value", "least"),
    ]


def test_a_newer_format_is_all_there_is_to_say(harbour, tree):
    """Check that a newer format is the only finding: its contents are unknown."""
    text = harbour(("format: 2", "format: 3"), ("rounds: 3", "periods: 3"))
    assert [code for code, _ in found(validate(tree(text)))] == ["unsupported-format"]


def test_paths_are_json_pointers(harbour, tree):
    """Check that paths are JSON Pointers into the document."""
    text = harbour(("to: left}\n          id", "to: lef}\n          id"), ("  fish: {count", "  a/b: {count"))
    assert [finding.path for finding in validate(tree(text))] == ["/cards/a~1b", "/round/2/repeat/do/2/pass/to"]


@pytest.mark.parametrize(
    "change", ["{cards: {fish: {count: null}}}", "{scoring: {fish: {points: 3}}}", "{winner: null}"]
)
def test_overlays_require_nothing(harbour, tree, change):
    """Check that changes may lack any key, and may contain null."""
    assert validate(tree(harbour(("changes:\n      cards: {sack: {on_play: null}}", f"changes: {change}")))) == ()


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ("{cards: {fish: {cuont: 3}}}", ("unknown-key", "cuont")),
        ("{scoring: {fish: {pionts: 3}}}", ("unknown-key", "pionts")),
        ("{scoring: {fish: {set: fish, tie: split}}}", ("unknown-key", "tie")),
        ("{steps: {pass_hands: {too: left}}}", ("unknown-key", "too")),
        ("{steps: {pass_hands: {pass: {too: left}}}}", ("unknown-key", "too")),
        ("{steps: [pass_hands]}", ("wrong-type", "[pass_hands]")),
        ("{rounds: 199}", ("out-of-range", "199")),
        ("{round: [{shuffle: null}]}", ("wrong-type", "shuffle")),
        ("{id: other}", ("unknown-key", "id")),
        ("{variants: {}}", ("unknown-key", "variants")),
    ],
)
def test_overlays_are_held_to_the_rest(harbour, tree, change, expected):
    """Check that changes are checked for unknown keys and wrong values; their lists are whole."""
    text = harbour(("changes:\n      cards: {sack: {on_play: null}}", f"changes: {change}"))
    assert found(validate(tree(text))) == [expected]


def test_a_file_that_extends_says_only_what_differs(tree):
    """Check that an extending file needs only format, id and `extends`."""
    assert validate(tree("format: 2\nid: other\nextends: harbour\nsteps: {pass_hands: {to: right}}\n")) == ()
    assert found(validate(tree("extends: harbour\n"))) == [("required-key", "extends")] * 2
    assert found(validate(tree("format: 2\nid: other\nextends: ../harbour\n"))) == [("extends-name", "../harbour")]


# ── The catalogue ──

PART = {
    "format": 2,
    "id": "two_dishes",
    "title": "Two Dishes",
    "version": "1.0.0",
    "players": "2-4",
    "rounds": 2,
    "cards": {"soup": {"count": 20}, "bread": {"count": 20}},
    "round": [{"deal": {"to": "hand", "cards": 5}}],
    "scoring": {"soup": {"each": "soup", "points": 1}},
    "winner": {"order": "most"},
}


@pytest.mark.parametrize("entry", [entry for entry in table("structure") if entry.bad], ids=lambda entry: entry.code)
def test_examples_of_the_catalogue(opened, entry):
    """Check that a bad example has only its mistake, and a good one none."""
    from draftengine.model.selection import all_findings

    def codes(text):
        whole = {**PART, **yaml.safe_load(text)}
        soup = yaml.safe_dump({**PART, "id": "soup"}, sort_keys=False)
        document, findings = opened(yaml.safe_dump(whole, sort_keys=False), soup=soup, **{"../other/soup": ""})
        return {finding.code for finding in (all_findings(document) if document else findings)}

    assert codes(entry.bad) == {entry.code}
    assert codes(entry.good) - {"overlay-changes-nothing"} == set()


# ── Anything at all ──

SCALARS = st.sampled_from([None, True, 0, 1, -7, 999_999, "", "deck", "left", "x y", "1", "a" * 300])
VALUES = st.recursive(
    SCALARS,
    lambda own: st.lists(own, max_size=3) | st.dictionaries(st.sampled_from(["id", "to", "fish", "set", "?"]), own),
    max_leaves=5,
)


def places_in(value, path=()):
    """Yield the path of every value in a document."""
    yield path
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, own in inner:
        yield from places_in(own, (*path, key))


PLACES = list(places_in(GAME))[1:]


def altered(value, path, new):
    """Return a copy of a document in which one value is replaced."""
    if not path:
        return new
    copy = dict(value) if isinstance(value, dict) else list(value)
    copy[path[0]] = altered(copy[path[0]], path[1:], new)
    return copy


@given(st.sampled_from(PLACES), VALUES)
def test_any_value_anywhere(tree, path, value):
    """Check any value anywhere: no exception, and findings if and only if the schema rejects it."""
    data = altered(GAME, path, value)
    root = tree(json.dumps(data, ensure_ascii=False))
    findings = validate(root)
    assert bool(findings) == (not _validator(schema).is_valid(plain(root)))
    for finding in findings:
        assert 0 <= finding.span.start <= finding.span.end <= len(finding.span.source.text)
