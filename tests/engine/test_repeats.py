"""Ends of a `repeat`: when a zone is empty, after a number of times, or on a condition."""

from __future__ import annotations

import pytest

import draftengine as de
from draftengine.engine.kernel import turns
from engine import gates
from engine.feasts import program_of
from text.forms import play_alike

GAME = """
format: 1
id: kettle
title: Kettle
version: 1.0.0
players: 2-3
rounds: 2
cards:
  soup: {count: 20}
  bread: {count: 20}
setup:
  - shuffle: deck
round:
  - deal: {to: hand, cards: 5}
  - repeat: {LOOP, do: [{choose: {from: hand, to: tableau}}, {pass: {zone: hand, to: left}}]}
  - score: round
  - gather: deck
  - shuffle: deck
scoring:
  soup: {kind: each, of: soup, points: 1}
  bread: {kind: each, of: bread, points: 2}
winner: {order: most}
"""
TURNS = {
    "until_empty: hand": [5, 5],
    "times: 2": [2, 2],
    "times: round + 1": [2, 3],
    "until: turn == 3": [3, 3],
    "until: most(cards(hand)) == 1": [4, 4],
    "until: turn >= 2 * round": [2, 4],
    "until: most(cards(hand)) < 3 and round == 1 or turn == 1": [1, 1],
    "until: turn != 1": [0, 0],
    "until_empty: hand, at_most: 3": [3, 3],
    "until_empty: hand, at_most: 9": [5, 5],
    "until: total(points) > 99, at_most: 2 * round": [2, 4],
    "times: 3, at_most: round": [1, 2],
}


@pytest.mark.parametrize(("loop", "turns"), TURNS.items())
def test_turns(loop, turns):
    """Check the number of turns and choices in each round; every hand shrinks by one card each turn."""
    program = program_of(GAME.replace("LOOP", loop))
    hand = program.zone_index("hand")
    told, sizes = [], []
    for state, seat, _, _, events in gates.steps(program, 3):
        told += [event for event in events if event.kind in {"round-started", "turn-started"}]
        if seat == 0:
            sizes.append((state.round, len(state.zones[hand][0])))
    assert [event.amount for event in told if event.kind == "turn-started"] == [
        turn for number in turns for turn in range(1, number + 1)
    ]
    assert sizes == [(number, 5 - turn) for number, most in enumerate(turns, 1) for turn in range(most)]


def test_a_condition_that_is_turned_round_is_found(monkeypatch):
    """Check that a repeat that runs while its condition holds, and not until it does, is found."""
    right = turns.not_finished
    monkeypatch.setattr(turns, "not_finished", lambda *given: not right(*given))
    with pytest.raises(AssertionError):
        test_turns("until: turn == 3", [3, 3])


LIST = """
format: 2
id: ladle
title: Ladle
version: 1.0.0
players: 2-3
cards:
  soup: {count: 40, on_play: [{repeat: {LOOP, do: [{choose: {from: hand, to: discard}}, {add: {hits: 1, coins: -1}}]}}]}
counters: {hits: {min: 0, max: 20}, coins: {start: 4, min: 0, max: 4}}
round:
  - shuffle: deck
  - deal: {to: hand, cards: 6}
  - choose: {from: hand, to: tableau}
  - score: round
scoring: {hits: {each: hits, points: 1}}
winner: {tie_breakers: [{most: coins}]}
"""
PASSES = {
    "times: 4": (4, 4),
    "times: 7": (7, 7),
    "times: {2: 3, 3: 2}": (3, 2),
    "times: players - 1": (1, 2),
    "times: coins, at_most: 9": (4, 4),
    "times: cards(hand), at_most: 9": (5, 5),
    "times: 3 - coins, at_most: 9": (0, 0),
    "until: hits >= 20, at_most: players": (2, 3),
    "until: hits >= 3, at_most: {2: 2, 3: 9}": (2, 3),
    "until: hits >= players - 2, at_most: 9": (0, 1),
    "until_empty: hand, at_most: 9": (5, 5),
}


@pytest.mark.parametrize("loop", PASSES)
def test_passes_in_a_list(tmp_path, loop):
    """Check how often a list repeats its steps. The number of passes is read once, before the first."""
    path = tmp_path / "ladle.yaml"
    path.write_text(LIST.replace("LOOP", loop))
    assert de.check(path) == ()
    for players, passes in zip((2, 3), PASSES[loop], strict=True):
        game = de.load(path, players=players)
        state = game.start(1)
        while state.waiting:
            state = state.commit(state.waiting[0], "soup")
        assert state.points == (passes,) * players
        play_alike(game.program, loop, 2)


@pytest.mark.parametrize(
    ("loop", "finding"),
    [
        ("times: 150", "endless-turns.too-many-passes"),
        ("until: hits >= 3, at_most: 40 * players", "endless-turns.too-many-passes"),
        ("until: hits >= 3", "endless-turns.passes"),
        ("times: coins", "endless-turns.passes"),
        ("times: {2: 3}", "missing-player-count.number"),
    ],
)
def test_passes_must_be_limited(tmp_path, loop, finding):
    """Check that a list's repeat needs a number of passes that is known before play."""
    path = tmp_path / "ladle.yaml"
    path.write_text(LIST.replace("LOOP", loop))
    assert [each.text.id for each in de.check(path)] == [finding]


def test_only_those_whom_who_names_repeat(tmp_path):
    """A repeat of the flow beside `who` is carried out by these seats, as a group around it would be."""
    repeat = "repeat: {times: 2, do: [{add: {hits: 1}}, {draw: {to: hand}}]}"
    outcomes = []
    for step in (f"{{who: seat == 1, {repeat}}}", f"{{who: seat == 1, do: [{{{repeat}}}]}}"):
        path = tmp_path / "ladle.yaml"
        path.write_text(LIST.replace("LOOP", "times: 1").replace("  - deal", f"  - {step}\n  - deal"))
        game = de.load(path, players=3)
        state = game.start(1)
        hands = state.describe()["zones"]["hand"]
        outcomes.append([(seat["hits"], len(hand)) for seat, hand in zip(state.counters, hands, strict=True)])
        play_alike(game.program, step, 2)
    assert [hits for hits, _ in outcomes[0]] == [0, 2, 0]
    assert outcomes[1] == outcomes[0]
