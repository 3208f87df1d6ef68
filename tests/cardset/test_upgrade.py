"""Files of format 1: read as ever, and rewritten as text."""

from __future__ import annotations

from functools import reduce
from pathlib import Path

import pytest

from conftest import sample
from draftengine.api.game import Ruleset
from draftengine.model.checks import run
from draftengine.model.library import open_set
from draftengine.model.selection import open_document, parse_selection
from draftengine.model.selection.game import rewritten_files
from draftengine.model.shelf import fetcher
from draftengine.model.yaml.tree import plain
from written import TWO_DISHES

NATURAL = sorted((Path(__file__).parents[1] / "natural").glob("*.yaml"))

BAY = """\
format: 1      # the first
id: bay
title: Bay
version: 1.0.0
players: 2-4
rounds: 1
cards:
  fish: {count: 20, family: food}
  crab: {count: 20, family: food, scores: {kind: each, of: fish, points: 2}}   # a card's own
  "shell_{n}": {series: {n: 1-3}, count: 2, adds: {shells: "{n}"}}
counters: {kept: {}}
setup: [{shuffle: deck}]
round:
  - deal: {to: hand, cards: 3}
  - choose:
      from: hand
      as: {"keep_{c}": {each: {c: food}, of: "{c}", label: "Keep {c}", do: [{add: {kept: 1}}]}, lay: {}}
  - score: round
scoring:
  fish:
    label: Fish      # what it is called
    kind: set
    size: 2
    of: fish + crab
    points: 5
  # those with most
  shells: {kind: majority, at: round, of: shells, most: [3]}
  kept: {kind: formula, points: 2 * kept}
winner: {order: most}
variants:
  ranked:
    title: Ranked
    changes: {scoring: {fish: {kind: table, size: null, points: [1, 3]}, kept: {kind: each, of: kept}, shells: {of: 2}}}
readings:
  most_or_each:
    question: Which?
    default: most
    options:
      most: {text: Most.}
      each: {text: Each., changes: {scoring: {shells: {kind: formula, of: null, most: null, points: shells}}}}
"""
REWRITTEN = (
    ("format: 1 ", "format: 2 "),
    ("{kind: each, of: fish, points: 2}", "{each: fish, points: 2}"),
    ("{series: {n", "{for: {n"),
    ("{each: {c: food}", "{for: {c: food}"),
    ("kind: set\n    size: 2\n    of: fish + crab", "set: fish + crab\n    size: 2"),
    ("{kind: majority, at: round, of: shells,", "{majority: shells, at: round,"),
    ("{kind: formula, points: 2 * kept}", "{points: 2 * kept}"),
    ("changes: {scoring: {fish: {kind: table, size: null,", "changes:\n      scoring: {fish: {table: fish + crab,"),
    ("kept: {kind: each, of: kept}, shells: {of: 2}}}", "kept: {each: kept, points: 2 * kept}, shells: {majority: 2}}"),
    ("{kind: formula, of: null, most: null,", "{majority: null,"),
)
"""Pairs of texts in formats 1 and 2."""
IN_FORMAT_2 = reduce(lambda text, change: text.replace(*change), REWRITTEN, BAY)


def nothing(_name):
    return None


def test_a_text_keeps_comments_and_layout():
    """Check every rewriting, also where what a change keeps has to be said anew."""
    (file,), findings = rewritten_files(BAY.encode(), "bay.yaml", nothing)
    assert not findings
    assert file.text.splitlines() == IN_FORMAT_2.splitlines()


@pytest.mark.parametrize("selected", [(), ("most_or_each=each",)], ids=str)
def test_the_game_stays_the_same_and_so_does_what_identifies_it(selected):
    """Check that both texts give one tree; a game of format 1 has the hash that saves and records know."""
    old, new = (open_document(text.encode(), "bay.yaml", nothing)[0] for text in (BAY, IN_FORMAT_2))
    selection = parse_selection(selected)
    rules = Ruleset(old, selection), Ruleset(new, selection)
    assert plain(rules[0].tree) == plain(rules[1].tree)
    hashes = [each.fingerprint[:8] for each in rules]
    assert hashes == HASHES[selected]


HASHES = {(): ["81193942", "2423b6c5"], ("most_or_each=each",): ["2da485a5", "284b6461"]}
"""The beginnings of the hashes of both texts."""


@pytest.mark.parametrize("path", sample(NATURAL, 14), ids=lambda path: path.stem)
def test_games_of_format_1_say_the_same_when_they_are_rewritten(path):
    """Check the trees of games and of all their variants; equal trees are equal games."""
    (file,), _ = rewritten_files(path.read_bytes(), str(path), fetcher(str(path)))
    document, _ = open_document(file.text.encode(), str(path), fetcher(str(path)))
    assert plain(document.root) == plain(open_set(path).document.root)


def test_a_rule_in_other_words_points_into_the_file():
    """Check that findings after the upgrade are at the places that the author wrote."""
    text = BAY.replace("of: shells, most", "of: shels, most")
    document, _ = open_document(text.encode(), "bay.yaml", nothing)
    (finding,) = [finding for finding in run(Ruleset(document).model) if finding.severity == "error"]
    span = finding.span
    assert (finding.path, span.position) == ("/scoring/shells", (27, 43))
    assert span.source.text[span.start : span.end] == "shels"


@pytest.mark.parametrize(
    ("change", "result"),
    [
        ("kind: each, size: null", ("each", "fish", "5")),
        ("kind: formula, of: null, size: null, points: 3", ("formula", None, "3")),
        ("kind: set, points: 7", ("set", "fish", "7")),
    ],
)
def test_a_variant_changes_a_rule_that_another_one_brings(change, result):
    """Check that what a change keeps is known when only the variant brings it on which this one builds."""
    brings = "changes: {scoring: {food: {kind: set, of: fish, size: 2, points: 5}}}"
    text = BAY.replace(
        "readings:\n",
        f"  more: {{title: More, {brings}}}\n"
        f"  most: {{title: Most, requires: [more], builds_on: [more], changes: {{scoring: {{food: {{{change}}}}}}}}}\n"
        "readings:\n",
    )
    (file,), _ = rewritten_files(text.encode(), "bay.yaml", nothing)
    for written in (text, file.text):
        document, findings = open_document(written.encode(), "bay.yaml", nothing)
        assert not findings
        rules = Ruleset(document, parse_selection(["more", "most"])).model.scoring
        food = next(rule for rule in rules if rule.id == "food")
        of = getattr(food.spec, "of", None)
        assert (food.kind, of and of.text, food.spec.points.text) == result


def test_formats_extend_each_other():
    """Check files that change one of the other format, and one that has format 2 already."""
    changes = "id: mine\nextends: dishes\nscoring: {soup: "
    for base, change in (
        (TWO_DISHES, f"format: 1\n{changes}{{of: soup + bread}}}}"),
        (TWO_DISHES.replace("format: 2", "format: 1").replace("{set: soup", "{kind: set, of: soup")
         .replace("{majority: bread", "{kind: majority, of: bread"), f"format: 2\n{changes}{{set: soup + bread}}}}"),
    ):  # fmt: skip
        document, findings = open_document(
            change.encode(), "mine.yaml", lambda _, base=base: ("dishes.yaml", base.encode())
        )
        assert not findings
        (soup, _) = Ruleset(document).model.scoring
        assert (soup.kind, soup.spec.of.text, soup.spec.size.text) == ("set", "soup + bread", "2")
    assert rewritten_files(TWO_DISHES.encode(), "dishes.yaml", nothing) == ((), ())


SILENT = """\
format: 1
id: silent
title: Silent
version: 1.0.0
players: 2
rounds: 1
cards: {soup: {count: 9}}
round:
  - deal: {to: hand, cards: 3}
  - choose:
      as: {lay: {}, sell: {to: discard}}   # a card either way
  - choose: {as: {lay: {cards: 1}, sell: {to: discard}}}
  - score: round
scoring: {soup: {kind: each, of: soup, points: 1}}
winner: {order: most}
"""


def test_ways_that_say_nothing_about_cards_go_on_taking_them_from_the_hand():
    """Check that a choice of format 1 says so when it is rewritten, if any of its ways does not."""
    (file,), findings = rewritten_files(SILENT.encode(), "silent.yaml", nothing)
    assert not findings
    before, after = file.text.split("   # a card either way\n")
    assert after.startswith("      from: hand\n")
    assert (before + after).count("from: hand") == 1


@pytest.mark.parametrize(
    ("counter", "change", "lowest"),
    [
        ("{max: 9}", "{max: 9}", -10_000),
        ("{max: 9}", "{max: 8}", -10_000),
        ("{}", "{max: 9}", -10_000),
        ("{min: 0}", "{max: 9}", 0),
        ("{max: 9}", "{min: 1}", 1),
        ("{die: 6, max: 9}", "{keep: true}", None),
    ],
)
def test_a_counter_with_a_largest_value_has_no_smallest(counter, change, lowest):
    """Check that no effect of a game of format 1 stops at 0, where a counter has only a largest value."""
    text = BAY.replace("counters: {kept: {}}", f"counters: {{kept: {counter}}}")
    more = f"variants:\n  more: {{title: More, changes: {{counters: {{kept: {change}}}}}}}\n"
    text = text.replace("variants:\n", more)
    (file,), _ = rewritten_files(text.encode(), "bay.yaml", nothing)
    for written in (text, file.text):
        document, findings = open_document(written.encode(), "bay.yaml", nothing)
        assert not findings
        assert Ruleset(document, parse_selection(["more"])).model.counters[0].min == lowest
