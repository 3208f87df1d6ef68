"""House rules: texts follow the changed rules, and no finding is placed in the extended file."""

from __future__ import annotations

import pytest

from draftengine.api.facts import Things
from draftengine.api.labels import Labels
from draftengine.api.scenario.suite import check_bytes, run_scenarios
from draftengine.model.library import open_bytes
from draftengine.model.selection import parse_selection, resolve
from draftengine.model.yaml.fixes import certain_edits, edited

BASE = """format: 2
id: inn
title: Inn
version: 1.0.0
players: 2-4
rounds: 2
cards:
  soup: {count: 24, text: "{size} make a set worth {points} points."}
  roast: {count: 12, text: Two make a set worth 7 points.}
  spice: {count: 6}
  stew_3:
    count: 6
    family: stew
    adds: {bowls: 3}
    text: "{bowls} bowls, {spicy.bowls} with spice. Most score {most.1}, fewest lose {-fewest.1}."
  cake: {count: 12, keep: true}
counters: {bowls: {label: bowls}}
modifiers: {spicy: {card: spice, applies_to: stew, then: {bowls: 2 * amount}}}
setup: [{shuffle: deck}]
round:
  - deal: {to: hand, cards: 5}
  - repeat:
      until_empty: hand
      do:
        - choose: {from: hand, to: tableau}
        - {pass: {zone: hand, to: left}, id: pass_hands}
  - score: round
  - {clear: tableau, id: clear_up}
finish: [{score: game, id: last}]
scoring:
  soup: {set: soup, size: 2, points: 5}
  roast: {set: roast, size: 2, points: 7}
  stew: {majority: bowls, most: [6, 3], fewest: [-2 if players > 2 else 0]}
  cake: {each: cake, at: game, points: 1}
winner: {order: most, tie_breakers: [{most: cake}]}
variants:
  sweet: {title: Sweet, changes: {scoring: {cake: {points: 2}}}}
examples:
  - {name: two soups, tables: [[soup, soup], []], expect: {points: {soup: [5, 0]}}}
  - {name: cakes at the end, tables: [[cake], []], expect: {points: {cake: [1, 0]}}}
"""
HOUSE = "format: 2\nid: house\ntitle: House\nversion: 1.0.0\nextends: inn\n"


@pytest.fixture
def found(tmp_path):
    """Return a function that checks a house rule; it returns (severity, line, message, hint) by code."""

    def examined(text, base=BASE):
        (tmp_path / "inn.yaml").write_text(base, encoding="utf-8")
        path = tmp_path / "house.yaml"
        path.write_text(HOUSE + text, encoding="utf-8")
        findings = check_bytes(str(path), str(path), path.read_bytes())
        assert {finding.span.source.name for finding in findings} <= {str(path)}
        assert len({finding.code for finding in findings}) == len(findings)
        return {
            each.code: (each.severity, each.span.source.line(each.span.position[0]), each.message, each.hint)
            for each in findings
        }

    return examined


def texts_of(text, *variants):
    document = open_bytes("-", "inn.yaml", text.encode()).document
    assert document is not None
    model, findings = resolve(document, parse_selection(variants))
    assert model is not None, findings
    labels = Labels(model)
    return {card.id: Things(labels).card(card).plain for card in model.cards}


def test_texts_quote_the_numbers_of_the_game():
    """Check that texts contain the changed numbers, also by number of players; else the rule is phrased."""
    texts = texts_of(BASE)
    assert texts["soup"] == "2 make a set worth 5 points."
    assert texts["stew_3"] == "3 bowls, 6 with spice. Most score 6, fewest lose 2 (0 with two players)."
    assert texts["cake"] == "Each cake card scores 1 point."
    assert "counts twice" in texts["spice"]
    changed = texts_of(
        BASE.replace("size: 2, points: 5", "size: 3, points: 9").replace("bowls: 3}", "bowls: 4}"), "sweet"
    )
    assert changed["soup"] == "3 make a set worth 9 points."
    assert changed["stew_3"].startswith("4 bowls, 8 with spice.")
    assert changed["cake"] == "Each cake card scores 2 points."


def test_nothing_is_wrong_with_the_game_itself(found):
    assert found("rounds: 3\n") == {}


def test_a_text_that_contradicts_a_changed_rule(found):
    """Check the warning at a changed number that an inherited text contradicts, unless the text quotes it."""
    findings = found("scoring:\n  roast: {points: 9}\n  soup: {points: 8}\n")
    severity, line, message, _ = findings.pop("text-contradicts-rule")
    assert (severity, line) == ("warning", "  roast: {points: 9}")
    assert message == "The text of “roast” says 7, but that number does not occur in its rule “roast”."
    assert findings.keys() == {"example-set-aside"}
    again = found("scoring:\n  roast: {points: 9}\ncards:\n  roast: {text: Two make a set worth 9 points.}\n")
    assert again == {}


def test_a_text_that_stops_before_what_a_rule_adds(found):
    """Check the warning that an inherited text omits an added third place; a card's numbers do not count."""
    base = BASE.replace("Most score {most.1}, fewest", "Most score {most.1}, second {most.2}, fewest")
    more = "scoring:\n  stew: {most: [6, 4, 3]}\n"
    severity, line, message, hint = found(more, base)["text-contradicts-rule"]
    assert (severity, line) == ("warning", "  stew: {most: [6, 4, 3]}")
    assert message == "The text of “stew_3” mentions 6 and 4 of the rule “stew”, but not 3."
    assert "“text: null” under the card" in hint
    assert found(f"{more}cards: {{stew_3: {{text: null}}}}\n", base) == {}
    assert found("scoring:\n  stew: {most: [6, 4]}\n", base) == {}
    assert found(more) == {}


def test_a_text_that_contradicts_its_rule_from_the_start():
    findings = check_bytes("-", "inn.yaml", BASE.replace("worth 7 points", "worth 8 points").encode())
    (own,) = findings
    assert (own.code, own.severity) == ("text-contradicts-rule", "warning")
    assert own.span.source.text[own.span.start : own.span.end] == "Two make a set worth 8 points."
    assert [one.span.source.line(one.span.position[0]) for one in own.related] == [
        "  roast: {set: roast, size: 2, points: 7}"
    ]


def test_a_quote_of_nothing():
    (own,) = check_bytes("-", "inn.yaml", BASE.replace("{size} make", "{sise} make").encode())
    assert (own.code, own.hint) == ("text-quotes-nothing", "Did you mean “size”?")
    assert texts_of(BASE.replace("{size} make", "{sise} make"))["soup"].startswith("Each set of 2 soup")


def test_inherited_examples_are_set_aside(found, tmp_path):
    """Check that inherited examples that now fail are one note at `extends`, and no failures of `test`."""
    severity, line, message, _ = found("scoring: {soup: {points: 8}}\n")["example-set-aside"]
    assert (severity, line) == ("note", "extends: inn")
    assert "“two soups”" in message
    outcomes = run_scenarios(str(tmp_path / "house.yaml"))
    assert [(own.name, own.passed, bool(own.findings)) for own in outcomes] == [
        ("two soups", True, True),
        ("cakes at the end", True, False),
    ]


def test_own_examples_fail(found):
    own = "examples:\n  - {name: mine, tables: [[soup, soup], []], expect: {points: {soup: [5, 0]}}}\n"
    assert found("scoring: {soup: {points: 8}}\n" + own)["example-fails"][0] == "error"


def test_what_a_removal_leaves_behind(found, tmp_path):
    """Check that one finding lists all that a removal makes invalid, and that --fix writes the removals."""
    own = found("cards:\n  cake: null\n")
    severity, line, message, hint = own.pop("removal-incomplete")
    assert (severity, line) == ("error", "  cake: null")
    assert message == "This removes “cake”, which is still needed in 2 places."
    assert hint == "Also write: “scoring: {cake: null}” and “winner: {tie_breakers: null}”."
    assert own == {}
    text = mended(tmp_path / "house.yaml")
    assert "scoring:\n  cake: null\nwinner:\n  tie_breakers: null\n" in text
    assert "variants:\n  sweet: null\n" in text


@pytest.mark.parametrize(
    ("own", "expected"),
    [
        ("scoring:\n  soup: {points: 4}\n", "scoring:\n  cake: null\n  soup: {points: 4}\n"),
        ("scoring: {soup: {points: 4}}\n", "scoring: {soup: {points: 4}, cake: null}\n"),
    ],
)
def test_what_else_has_to_go_is_written_where_there_is_a_place_for_it(found, tmp_path, own, expected):
    """Check that further removals are added to a section that the author has begun."""
    found(f"cards:\n  cake: null\n{own}")
    assert expected in mended(tmp_path / "house.yaml")


def mended(path):
    """Apply all certain fixes to a file, which then has no errors or warnings; return its text."""
    for _ in range(5):
        text = path.read_text("utf-8")
        edits = certain_edits(check_bytes(str(path), str(path), text.encode()), str(path))
        path.write_text(edited(text, edits), encoding="utf-8")
    text = path.read_text("utf-8")
    assert {"error", "warning"}.isdisjoint(own.severity for own in check_bytes(str(path), str(path), text.encode()))
    return text


@pytest.mark.parametrize(
    ("text", "code", "line", "said"),
    [
        ("cards:\n  sopu: {count: 8}\n", "nearly-known-name", "  sopu: {count: 8}", "there is already a “soup”"),
        ("steps: {pass_hands: null}\n", "step-lost", "steps: {pass_hands: null}", "the last “pass”"),
        ("steps: {clear_up: null}\n", "step-lost", "steps: {clear_up: null}", "the last “clear”"),
        ("setup: []\n", "never-shuffled", "setup: []", "never shuffled"),
        (
            "scoring:\n  stew: {most: [9, 7, 5, 3, 1]}\n",
            "place-never-given",
            "  stew: {most: [9, 7, 5, 3, 1]}",
            "5 places",
        ),
        ("cards: {salad: null}\n", "overlay-patches-nothing", "cards: {salad: null}", "no “salad” here"),
        ("rounds: 2\n", "overlay-changes-nothing", "rounds: 2", "already has this value"),
        (
            "modifiers:\n  spicy:\n    then: {bowls: amount}\n",
            "modifier-does-nothing",
            "    then: {bowls: amount}",
            "no effect",
        ),
        ("steps: {pas_hands: null}\n", "overlay-patches-nothing", "steps: {pas_hands: null}", "No step"),
    ],
)
def test_reported_before_play(found, text, code, line, said):
    """Check that each mistake is reported once, at the line of the house rule."""
    own = found(text)
    assert own[code][1] == line
    assert said in own[code][2]


SALAD = """  salad:
    title: Salad
    changes:
      cards: {salad: {count: 12, text: Crisp.}}
      scoring: {salad: {each: salad, points: 1}}
"""
WITH_SALAD = BASE.replace("  sweet: {", f"{SALAD}  sweet: {{")


def test_what_a_variant_brings_is_changed_there(found):
    """Check the warning that a variant overrules a house rule, with advice what to write instead."""
    told = found("cards:\n  salad: {count: 20, label: Salad}\nscoring: {more: {each: salad, points: 1}}\n", WITH_SALAD)
    severity, line, message, hint = told["overlay-overruled"]
    assert (severity, line) == ("warning", "  salad: {count: 20, label: Salad}")
    assert "declares “salad” with its own “count”" in message
    instead = "variants: {salad: {changes: {cards: {salad: {count: 20}}}}}"
    assert f"write “{instead}”" in hint
    assert found(f"{instead}\n", WITH_SALAD) == {}


def test_what_no_variant_says_otherwise_is_not_overruled(found):
    """Check that no warning comes for new cards, or for keys that variants do not change."""
    assert "overlay-overruled" not in found("cards: {olives: {count: 9, label: Olives}}\n", WITH_SALAD)
    dear = WITH_SALAD.replace("cake: {points: 2}", "cake: {points: 2}}, cards: {soup: {count: 30}")
    assert found("cards: {soup: {count: 28}}\n", dear) == {}
    own = "scoring: {more: {each: soup, points: 1}}\n"
    own += "variants: {much: {title: Much, changes: {scoring: {more: {points: 2}}}}}\n"
    assert found(own) == {}


@pytest.mark.parametrize(
    ("score", "code", "line", "hint"),
    [
        ("- score: rond", "unknown-score-label", "  - score: rond", "Did you mean “round”?"),
        (
            "- score: round",
            "overlay-patches-nothing",
            "round:",
            "These steps replace all of “round”. To change one step, write “steps: {pass_hands",
        ),
        (
            "- shuffle: deck",
            "removal-incomplete",
            "round:",
            "These steps replace all of “round”. To change one step, write “steps: {pass_hands",
        ),
    ],
)
def test_a_round_written_anew(found, score, code, line, hint):
    """Check that mistakes in a replaced round are reported there, never at `extends`."""
    base = BASE.replace(
        "sweet: {", "back: {title: Back, changes: {steps: {pass_hands: {pass: {to: right}}}}}\n  sweet: {"
    )
    steps = "- deal: {to: hand, cards: 5}\n  - repeat: {until_empty: hand, do: [{choose: {from: hand, to: tableau}}]}"
    findings = found(f"round:\n  {steps}\n  {score}\n  - clear: tableau\n", base)
    assert findings[code][1] == line
    assert findings[code][3].startswith(hint)
    assert "extends: inn" not in {finding[1] for finding in findings.values() if finding[0] != "note"}


def test_a_rule_that_counts_something_else(found):
    """Check that a card no longer counted by any rule is reported at the line that changed the rule."""
    severity, line, message, hint = found("scoring: {soup: {set: roast}}\n")["card-does-nothing"]
    assert (severity, line) == ("warning", "scoring: {soup: {set: roast}}")
    assert message == "With what this file changes: Nothing in the game uses the card “soup”."
    assert hint == "Keep “soup” in the new version, or also write: “cards: {soup: null}”."


@pytest.mark.parametrize(
    ("text", "code", "line"),
    [
        ("scoring:\n  soup: {at: game}\n", "rule-never-scores", "  soup: {at: game}"),
        ("cards:\n  cake:\n    label: Tart\n    keep: false\n", "rule-never-scores", "    keep: false"),
        ("cards:\n  cake:\n    label: Tart\n    keep: null\n", "useless-tie-breaker", "    keep: null"),
        ("steps:\n  take:\n    choose: {cards: 12}\n", "zone-misuse", "    choose: {cards: 12}"),
        ("scoring:\n  soup: {points: 6}\nsteps:\n  count: null\n", "rule-never-scores", "  count: null"),
        ("steps: {pass_hands: {pass: {to: right}}}\nscoring:\n  stew: null\n", "unused-counter", "  stew: null"),
        (
            "steps: {pass_hands: {pass: {to: right}}}\ncards:\n  soup: {count: 2}\n  cake: {count: 1}\n",
            "deck-runs-out",
            "  soup: {count: 2}",
        ),
    ],
)
def test_the_line_that_causes_a_finding_elsewhere(found, text, code, line):
    """Check the place of findings about rules and steps that the house rule does not write itself."""
    base = BASE.replace("- choose: {from: hand, to: tableau}", "- {choose: {from: hand, to: tableau}, id: take}")
    findings = found(text, base.replace("- score: round", "- {score: round, id: count}"))
    assert findings.get(code, findings.get("removal-incomplete"))[1] == line


SETTLED = BASE.replace(
    "  sweet: {",
    """  back: {title: Back, changes: {rounds: 1, steps: {pass_hands: {pass: {to: right}}}}}
  sweet: {""",
).replace(
    "examples:",
    """readings:
  tarts:
    question: Is a tart a cake?
    default: "no"
    options:
      "no": {text: A tart is none.}
      "yes": {text: A tart is one., changes: {scoring: {soup: {points: 6}}}}
    reason: Nobody says so.
examples:""",
)


@pytest.mark.parametrize(
    ("text", "removal"),
    [
        ("scoring: {cake: {points: 2}}", "variants: {sweet: null}"),
        ("rounds: 1\nsteps: {pass_hands: {to: right}}", "variants: {back: null}"),
        ("scoring: {soup: {points: 6}}", "readings: {tarts: null}"),
    ],
)
def test_a_variant_that_a_house_rule_makes_the_standard(found, text, removal):
    """Check that the variant or question that makes no difference any more is reported, and not the line."""
    _, line, message, hint = found(f"{text}\n", SETTLED)["overlay-changes-nothing"]
    assert line in text.splitlines()
    assert "already has this value" not in message
    assert f"so also write: “{removal}”" in hint
    assert "overlay-changes-nothing" not in found(f"{text}\n{removal}\n", SETTLED)


def test_a_variant_that_still_changes_anything_is_not_settled(found):
    assert found("steps: {pass_hands: {to: right}}\n", SETTLED) == {}


def test_a_new_card_with_a_label_is_meant(found):
    assert "nearly-known-name" not in found("cards:\n  sopu: {count: 8, label: Sopu}\n")


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("scoring:\n  spice: {each: spice, points: 2}\n", "  spice: {each: spice, points: 2}"),
        ("cards:\n  bowls: {count: 2}\n", "  bowls: {count: 2}"),
        ("cards:\n  egg: {count: 2, family: bowls}\n", "  egg: {count: 2, family: bowls}"),
    ],
)
def test_a_name_that_is_taken_is_one_finding_at_the_new_meaning(found, text, line):
    """Check the place of name clashes, also where the extended file declares the later one of two things."""
    findings = found(text, BASE.replace("spice: {count: 6}", "spice: {count: 6, scores: {each: spice, points: 1}}"))
    assert {code: each[1] for code, each in findings.items()} == {"name-clash": line}


def test_markers_that_are_needed_cannot_vanish(found):
    base = BASE.replace("setup:", "markers: {cook: {start: first}}\nsetup:").replace(
        "to: tableau}", "to: tableau}\n          who: cook"
    )
    base = base.replace("        - {pass", "        - give: {marker: cook, to: left}\n        - {pass")
    own = found("markers: null\n", base)["removal-incomplete"]
    assert (own[0], own[1]) == ("error", "markers: null")


def test_variants_need_not_remove_what_is_gone_for_good():
    """Check that a house rule may remove what menus of *Sushi Go! Anniversary* remove as well."""
    text = (
        "format: 2\nid: calm\nextends: anniversary\ntitle: Calm\nversion: 1.0.0\n"
        "markers: {squishy: null}\ntriggers: {lead: null}\n"
    )
    opened = check_bytes("calm.yaml", "calm.yaml", text.encode())
    assert not [own for own in opened if own.severity == "error"]


def test_variants_of_ones_own_remove_what_is_there():
    text = (
        "format: 2\nid: calm\nextends: anniversary\ntitle: Calm\nversion: 1.0.0\n"
        "markers: {squishy: null}\ntriggers: {lead: null}\n"
        "variants: {calmer: {title: Calmer, changes: {markers: {squishy: null}, rounds: 2}}}\n"
    )
    assert [own.code for own in check_bytes("calm.yaml", "calm.yaml", text.encode()) if own.severity == "error"] == [
        "overlay-patches-nothing"
    ]
