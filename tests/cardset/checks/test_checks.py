"""Each check reports its mistake at the exact place, and nothing for valid games. The cases are data."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from conftest import sample
from draftengine.api.scenario.suite import check_first, check_rules
from draftengine.model.checks import run, run_all
from draftengine.model.diagnostics import has_errors
from draftengine.model.library import open_text
from draftengine.model.selection import Selection, open_document, resolve
from draftengine.support.source import Source
from written import cases_in

if TYPE_CHECKING:
    from draftengine.model.cardset.records import CardSet

DATA = cases_in(Path(__file__).parent / "cases.yaml")
GAMES = DATA["games"]
CASES = DATA["cases"]


def model_of(text: str, variants: tuple[str, ...] = ()) -> CardSet:
    """Return the model of a card set that loads without findings."""
    document, findings = open_document(text.encode("utf-8"), "game.yaml", lambda _name: None)
    assert not findings, [(finding.code, finding.message, finding.span.position) for finding in findings]
    assert document is not None
    model, findings = resolve(document, Selection(variants=variants))
    assert not findings, findings
    assert model is not None
    return model


def wrong_game(case: dict) -> tuple[str, tuple[int, int]]:
    """Return the text of an invalid game, and the line and column of its mistake."""
    text = GAMES[case["game"]]
    for old, new in case.get("also", {}).items():
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    assert text.count(case["old"]) == 1, case["old"]
    text = text.replace(case["old"], case["new"])
    at = text.index("«" if "«" in text else case["at"])
    source = Source("game.yaml", text)
    return text.replace("«", "").replace("»", ""), source.position(at)


@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
def test_a_wrong_game_is_found_out(case):
    """Check that an invalid game has one finding, with the expected code, severity, line and column."""
    text, position = wrong_game(case)
    findings = run(model_of(text))
    found = [(finding.code, finding.severity, finding.span.position) for finding in findings]
    assert (case["code"], case.get("severity", "error"), position) in found, findings
    assert case.get("more") or len(found) == 1, findings
    finding = next(finding for finding in findings if finding.code == case["code"])
    assert finding.message.endswith(".")
    assert finding.path.startswith("/")
    assert finding.message == case.get("message", finding.message)
    assert finding.hint == case.get("hint", finding.hint)


@pytest.mark.parametrize("case", sample(CASES, 40), ids=lambda case: case["name"])
def test_the_first_errors_are_among_all(case):
    """Check that errors which are found first stay when all is checked, at the same places."""
    text, _ = wrong_game(case)
    opened = open_text("game.yaml", text.encode("utf-8"), lambda _name: None)
    first, later = (
        {(finding.code, finding.span) for finding in check(opened) if finding.severity == "error"}
        for check in (check_first, check_rules)
    )
    assert first <= later


@pytest.mark.parametrize("name", GAMES)
def test_good_games_are_good(name):
    """Check that the games from which the cases are made have no findings."""
    assert run(model_of(GAMES[name])) == ()


def test_there_are_many_cases():
    """Check that every code of the checks has a case, and that names of cases are unique."""
    assert len(CASES) > 80
    assert len({case["name"] for case in CASES}) == len(CASES)


@pytest.mark.parametrize("variants", [(), ("more",), ("more", "less")])
def test_variants_are_checked_as_games_of_their_own(variants):
    """Check that an active variant can restrict the numbers of players and add parameters."""
    assert run(model_of(GAMES["kitchen"], variants)) == ()


def test_only_the_players_asked_for():
    """Check that only the given number of players is checked: a game invalid for others passes."""
    text, _ = wrong_game(next(case for case in CASES if case["name"].startswith("too few cards in the second round")))
    model = model_of(text)
    assert not has_errors(run(model, (3,)))
    (finding,) = run(model, (4,))
    assert finding.code == "deck-runs-out"
    assert finding.message.startswith("With 4 players: ")


def test_several_numbers_of_players_share_a_finding():
    """Check that a mistake with three and with four players is one finding that names both."""
    text = (
        GAMES["kitchen"]
        .replace("soup: {count: 12, family", "soup: {count: 1, family")
        .replace("bread: {count: 12", "bread: {count: 3")
    )
    (finding,) = [own for own in run(model_of(text)) if own.severity == "error"]
    assert finding.message == "With 3 players (and with 4): The deal needs 18 cards, but deck has 14 in round 2."


def test_mistakes_are_collected():
    """Check that several mistakes are found at once, in the order of their places."""
    text = GAMES["kitchen"].replace("card: spice,", "card: spise,").replace("{take: crown}", "{take: crwn}")
    assert [finding.code for finding in run(model_of(text))] == ["unknown-card", "unknown-marker"]


def test_a_round_that_is_scored_turn_by_turn_may_end_at_once():
    """Check that a round that may end early is no problem for rules that are scored in each turn."""
    flow = "  - deal: {to: hand, cards: 5}\n  - repeat:\n      until_empty: hand\n      do:\n"
    turns = "        - {end: round, when: total(soup) > 3}\n        - choose: {from: hand, to: tableau}\n"
    game = "format: 1\nid: stops\ntitle: Stops\nversion: 1.0.0\nplayers: 2\nrounds: 1\ncards: {soup: {count: 20}}\n"
    game += f"setup: [{{shuffle: deck}}]\nround:\n{flow}{turns}SCORED- score: round\n"
    game += "scoring: {soup: {kind: each, of: soup, points: 1}}\nwinner: {order: most}\n"
    found = [{own.code for own in run(model_of(game.replace("SCORED", scored)))} for scored in ("        ", "  ")]
    assert ["score-left-out" in codes for codes in found] == [False, True]


def test_what_a_variant_uses_is_used():
    """Check that a card used by a variant alone is not reported as unused."""
    text = GAMES["kitchen"].replace("note: {count: 2,", "salt: {count: 2}\n  note: {count: 2,")
    text = text.replace("changes: {rounds: 1}", "changes: {scoring: {soups: {of: soup + salt}}}")
    base, used = model_of(text), model_of(text, ("more",))
    assert [finding.code for finding in run_all([base])] == ["card-does-nothing"]
    assert run_all([base, used]) == ()


def test_a_parameter_without_use_is_found_in_a_game_with_variants():
    """Check that an unread parameter is reported although there are variants, unless one of them reads it."""
    text = GAMES["kitchen"].replace("{default: 6, values: [5, 6]}", "{default: 6, values: [5, 6]}\n  tip: {default: 1}")
    codes = {}
    for changes in ("{rounds: 1}", "{scoring: {soups: {points: tip}}}"):
        changed = text.replace("changes: {rounds: 1}", f"changes: {changes}")
        findings = run_all([model_of(changed), model_of(changed, ("more",))])
        codes[changes] = [(finding.code, finding.names) for finding in findings]
    assert list(codes.values()) == [[("never-used", ("tip",))], []]


def test_a_place_in_an_overlay_falls_back_to_the_declaration():
    """Check that a mistake from a variant's overlay is reported where the thing is declared."""
    text = GAMES["kitchen"].replace("changes: {rounds: 1}", "changes: {modifiers: {hot: {card: spise}}}")
    (finding,) = run(model_of(text, ("more",)))
    assert (finding.code, finding.path) == ("unknown-card", "/modifiers/hot/card")
