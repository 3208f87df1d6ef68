"""Findings that said too much, too little, or something that no author wrote."""

import pytest

import draftengine as de

GAME = """
format: 2
id: stalls
title: Stalls
version: 1.0.0
players: 2-3
rounds: 1
markers: {mover: {start: first}}
cards: {soup: {count: 20}, bread: {count: 12}}
zones: {pile: {}, relics: {per: seat, counts: true}, shown: {per: seat, seen_by: everyone}}
setup:
  - shuffle: deck
  - draw: {to: pile, cards: 6}
round:
  - deal: {to: hand, cards: 4}
  - give: {mover: left}
  - choose: {from: hand, to: tableau}
  - STEP
  - score: round
scoring: {soup: {each: soup, points: 1}, bread: {each: bread, points: 2}}
winner: {order: most}
"""
WAYS = ", ".join(f"bid_{number}: {{do: [{{points: 400000 * {number}}}]}}" for number in range(1, 13))


def found(tmp_path, step, more=""):
    """Return the findings of the game with a step."""
    path = tmp_path / "stalls.yaml"
    path.write_text(GAME.replace("STEP", step) + more)
    return [(finding.code, finding.message, str(finding.hint)) for finding in de.check(path)]


@pytest.mark.parametrize("zone", ["tableau", "relics"])
def test_a_deal_to_some_players_becomes_a_draw(tmp_path, zone):
    """Check that the finding names the word with which the step is possible, and that this is so."""
    (code, message, hint), *_ = found(tmp_path, f"{{deal: {{to: {zone}}}, who: mover}}")
    assert (code, hint) == ("zone-misuse", "Write draw instead of deal.")
    assert f"“who” cannot bring cards to {zone}" in message
    assert not [code for code, *_ in found(tmp_path, f"{{draw: {{to: {zone}}}, who: mover}}") if code == "zone-misuse"]


@pytest.mark.parametrize(
    "step",
    ["deal: {from: shown, to: relics}", "in_turn: {do: [{move: {from: shown, to: pile, cards: 1}}]}"],
)
def test_findings_name_only_zones_of_the_file(tmp_path, step):
    """Check steps that stand for two: the zone between these is no matter for authors."""
    findings = found(tmp_path, step)
    assert findings
    assert "list:" not in str(findings)


def test_a_position_with_too_many_cards_says_where_they_lie(tmp_path):
    example = """
examples:
  - {name: too many, players: 2, tables: [[bread, bread, bread], [bread, bread]], hands: [[bread], [soup]],
     deck: [bread, bread, bread, bread, bread, bread, bread], expect: {points: {bread: [6, 4]}}}
"""
    ((code, message, _),) = [one for one in found(tmp_path, "give: {mover: left}", example) if "too many" in one[1]]
    assert code == "example-invalid"
    assert "cannot hold 7 bread: the box has 12, and this is what lies elsewhere: hand: 1, tableau: 5" in message


@pytest.mark.parametrize(("times", "codes"), [(2, set()), (3, {"points-unlimited"})])
def test_a_seat_takes_one_way_of_a_choice(tmp_path, times, codes):
    """Check that of the points of several ways only the most count: 4,800,000 for each choice."""
    step = f"repeat: {{times: {times}, do: [{{choose: {{as: {{{WAYS}}}}}}}]}}"
    assert {code for code, *_ in found(tmp_path, step)} & {"points-unlimited"} == codes


@pytest.mark.parametrize(
    ("turn", "ends"),
    [
        ("{who: mover, do: [{draw: {from: pile, to: hand}}]}, {give: {mover: left}}", True),
        ("{draw: {from: pile, to: relics}, who: mover}, {give: {mover: left}}", True),
        ("{who: mover, do: [{draw: {from: pile, to: hand}}, {choose: {to: discard}}]}, {give: {mover: left}}", True),
        ("{who: mover, do: [{draw: {from: pile, to: hand}}]}, {give: {mover: nobody}}", False),
        ("{who: soup > 1, do: [{draw: {from: pile, to: hand}}]}", False),
    ],
)
def test_turns_in_which_one_player_draws_have_an_end(tmp_path, turn, ends):
    """Check repeats whose turns use up cards because somebody holds the marker, and those that may not."""
    codes = {code for code, *_ in found(tmp_path, f"repeat: {{until: cards(pile) == 0, do: [{turn}]}}")}
    assert ("endless-turns" not in codes) == ends
