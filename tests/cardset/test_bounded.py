"""Validation takes bounded time: it checks the whole file, or a finding says what it skipped."""

from __future__ import annotations

import time

import pytest

from cardset.large import LARGE, file, rules, section, variants
from cardset.measuring import memory_of
from compiled import load_program
from conftest import NIGHTLY
from draftengine.api.ruleset import games_of
from draftengine.api.scenario.files import failing_examples, problems_of
from draftengine.api.scenario.suite import check
from draftengine.model.checks import scope as extent
from draftengine.model.library import CardSetError, examine, open_bytes
from draftengine.model.selection import parse_selection

GENEROUS = 12
"""Processor seconds for work that takes one or two; a busy machine may double that.

Without its budget, validation of 900 options did not end within a minute.
"""


@pytest.fixture
def validate(tmp_path):
    """Return the findings of ``validate`` for a text."""

    def validated(text):
        (tmp_path / "large.yaml").write_text(text, encoding="utf-8")
        return check(str(tmp_path / "large.yaml"))

    return validated


@pytest.mark.parametrize("name", LARGE if NIGHTLY else [*LARGE][2::4])
def test_time_is_bounded(validate, name):
    text, codes = LARGE[name]
    began = time.process_time()
    found = validate(text())
    assert time.process_time() - began < GENEROUS
    assert sorted({own.code for own in found if own.code != "example-fails"}) == codes
    assert all(own.span is not None and own.path for own in found if own.code == "not-all-checked")


def test_memory_is_bounded(tmp_path):
    """Check that validating one of the texts takes less than 256 MB; by night all of them together."""
    texts = [text() for text, _ in LARGE.values()]
    _, most = memory_of(texts if NIGHTLY else texts[4:5], tmp_path)
    assert most < 256_000_000


def opened(text):
    document = open_bytes("-", "large.yaml", text.encode()).document
    assert document is not None
    return document


def test_what_is_left_out_is_checked_when_it_is_played():
    """Check that a mistake in the last of many options, which validation skips, is found before play."""
    wrong = "  wrong: {title: Wrong, changes: {scoring: {r0: {points: 'missing'}}}}\n"
    document = opened(file(rules(100, 80), variants(49, 80) + wrong))
    found = examine(document)
    assert {own.code for own in found} == {"not-all-checked"}
    with pytest.raises(CardSetError) as error:
        load_program(document, parse_selection(["wrong"]), 3)
    assert [own.code for own in error.value.findings] == ["unknown-name"]
    load_program(document, parse_selection(["v7"]), 3)


def test_everything_is_checked_where_that_is_no_more_work_than_is_allowed(monkeypatch):
    """Check that a mistake in one selection alone is found within the budget, but not with half of it."""
    odd = section("variants", ["many: {title: Many, changes: {players: 2-9}}"])
    text = file(rules(5, 28), odd).replace("cards: 2}", "cards: '2 if players != 4 else 200'}")
    assert {own.code for own in examine(opened(text))} == {"deck-runs-out"}
    monkeypatch.setattr(extent, "BUDGET", 2_000)
    assert {own.code for own in examine(opened(text))} == {"not-all-checked"}


@pytest.mark.parametrize(
    ("budget", "told"),
    [
        (100_000, ""),
        (8_500, "all variants and answers with the fewest and the most players, and the base game with any number"),
        (7_500, "the base game and all variants and answers with the fewest and the most players"),
        (5_400, "the base game and the first 1 variants and answers with the fewest and the most players"),
        (1, "the base game with the fewest and the most players"),
    ],
)
def test_how_much_is_checked(monkeypatch, budget, told):
    """Check that a smaller budget checks less, and that a finding says what was checked."""
    monkeypatch.setattr(extent, "BUDGET", budget)
    document = opened(file(rules(5, 28), variants(2)))
    found = examine(document)
    if not told:
        assert found == ()
        return
    (own,) = found
    assert told in own.message
    assert (own.code, own.severity, own.path) == ("not-all-checked", "warning", "/variants")
    assert own.span.source.text[own.span.start : own.span.end] == "variants"


def test_flows_are_followed_within_bounds(validate):
    """Check that work is counted by step, zone and action, and that too much of it is refused by name."""
    found = validate(LARGE["rounds too long to follow"][0]())
    (refused,) = {own.message.partition(" in round")[0] for own in found if own.code == "endless-turns"}
    assert refused == "With 60 players: The game has too many steps to check them all"


def test_a_warning_before_playing_takes_no_longer_than_validation(monkeypatch):
    """Check that `play` and `simulate` run only the worked examples that `validate` runs."""
    expected = "tables: [[c0]], expect: {total: [9]}"
    examples = section("examples", (f"- {{name: e{count}, players: {count}, {expected}}}" for count in range(2, 10)))
    monkeypatch.setattr(extent, "_EXAMPLES", 3)
    monkeypatch.setattr(extent, "EXAMPLES_BUDGET", 0)
    document = opened(file(rules(5, 2), examples, players="2-9"))
    asked = []

    def games(selection, players):
        asked.append(players)
        return games_of(document)(selection, players)

    assert failing_examples(document, games) == ["e2", "e3", "e4"]
    assert [own.code for own in problems_of(document, games)][-1] == "not-all-checked"
    assert asked == [2, 3, 4] * 2


TAKING = """
format: 2
id: taking
title: Taking
version: 1.0.0
players: 3-7
cards: {"n{n}": {for: {n: 3-35}, has: {n: "{n}"}, scores: {points: its(n)}}}
zones: {middle: {}, box: {seen_by: nobody}}
counters: {chips: {start: 11, max: 55}, pot: {per: table, max: 55}}
markers: {mover: {start: random}}
setup: [{shuffle: deck}, {move: {from: deck, to: box, cards: 9}}]
round:
  - repeat:
      until_empty: deck
      do:
        - draw: {to: middle}
        - repeat:
            until_empty: middle
            at_most: 60
            do:
              - who: mover
                do:
                  - choose:
                      as:
                        take: {do: [{move: {from: middle, to: tableau}}, {add: {chips: pot}}, {set: {pot: 0}}]}
                        refuse: {pay: {chips: 1}, do: [{add: {pot: 1}}, {give: {mover: left}}]}
finish: [{score: game}]
"""


def test_fewer_players_are_less_work(validate):
    """Check that games with fewer players count as less work, so that all numbers are checked here."""
    assert "not-all-checked" not in [finding.code for finding in validate(TAKING)]
