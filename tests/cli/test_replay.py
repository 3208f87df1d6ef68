"""``draftengine replay``, and the records that ``play`` writes."""

from __future__ import annotations

import json

import pytest
from jsonschema import Draft202012Validator

SEATS = ("--seat", "human", "--seat", "greedy", "--name", "Ada")


@pytest.fixture
def game(draftengine, tmp_path, soups):
    """Return the record of a game of bots, and the output of ``play``."""
    (tmp_path / "soups.yaml").write_text(soups, encoding="utf-8")
    seats = ("--seat", "greedy", "--seat", "random")
    finished = draftengine("play", "soups.yaml", "--auto", "--json", "--seed", "5", *seats, "--record", "game.json")
    assert finished.status == 0
    (tmp_path / "soups.yaml").unlink()  # only the record is on standard output
    return finished.json


def test_a_record_is_seen_again(draftengine, game, tmp_path):
    """Check replays as JSON, from a file and from standard input: equal moves, equal scores."""
    finished = draftengine("replay", "game.json", "--json")
    found = finished.json
    assert (finished.status, finished.err) == (0, "")
    assert {key: found[key] for key in ("scores", "winners", "rounds", "rules")} == {
        key: game[key] for key in ("scores", "winners", "rounds", "rules")
    }
    assert [own for at in found["decisions"] for own in at["choices"]] == game["moves"]
    assert [sum(row[0] for row in own["points"].values()) for own in found["decisions"]][-1] == game["scores"][0]
    text = (tmp_path / "game.json").read_text(encoding="utf-8")
    Draft202012Validator(draftengine("schema", "game").json).validate(json.loads(text))
    assert draftengine("replay", "-", "--json", stdin=text).json == found


def test_it_is_told_from_beginning_to_end(draftengine, game):
    """Check that every turn, score sheets with reasons, final scores and the growth of points are shown."""
    finished = draftengine("replay", "game.json")
    assert finished.status == 0
    for text in ("Round 1 of 2", "Round 2 of 2", "Turn 1", "Player 2 (random)", "Final score", "Points over time"):
        assert text in finished.out
    assert all(f"  {score}" in finished.out for score in game["scores"])


def test_from_a_seat_only_its_hand_is_seen(draftengine, game):
    """Check the view of one seat: its hand and what it took, and on request a bot's analysis."""
    found = draftengine("replay", "game.json", "--seat", "2", "--json").json
    chosen = [own for own in found["decisions"] if any(choice["seat"] == 1 for choice in own["choices"])]
    assert chosen
    assert all(choice["cards"][0] in own["hand"] for own in chosen for choice in own["choices"] if choice["seat"] == 1)
    told = draftengine("replay", "game.json", "--seat", "2", "--opinion")
    assert "Player 2 (random) takes" in told.out
    assert "A bot’s opinion" in told.out
    assert "Player 1 (greedy) takes" not in told.out


@pytest.mark.parametrize(
    ("change", "code"),
    [
        (lambda data: data["moves"].pop(), "changed-record"),
        (lambda data: data["seats"][0].update(name="Eve"), "changed-record"),
        (lambda data: data.update(format=9), "other-version"),
        (lambda data: data.pop("moves"), "not-a-record"),
    ],
    ids=["a move", "a name", "the form", "no moves"],
)
def test_a_changed_record_is_refused(draftengine, game, tmp_path, change, code):
    """Check that a changed record is refused with a sentence and status 1."""
    path = tmp_path / "game.json"
    data = json.loads(path.read_text(encoding="utf-8"))
    change(data)
    path.write_text(json.dumps(data), encoding="utf-8")
    finished = draftengine("replay", "game.json", "--json")
    assert (finished.status, finished.out) == (1, "")
    assert f"[{code}]" in finished.err
    assert finished.err.count("\n") == 1


def test_a_kept_game_is_seen_again(draftengine, tmp_path, soups):
    """Check kept games, by name or the newest; an unfinished one shows the person's view, and no seed."""
    (tmp_path / "soups.yaml").write_text(soups, encoding="utf-8")
    stopped = draftengine("play", "soups.yaml", *SEATS, "--seed", "secret", "--record", "no.json", stdin="1\nq\n")
    assert stopped.status == 0
    assert not (tmp_path / "no.json").exists()
    found = draftengine("replay", "soups-1", "--json").json
    assert (found["over"], found["seat"], found["names"][0]) == (False, 0, "Ada")
    assert "seed" not in found
    assert {choice["seat"] for own in found["decisions"] for choice in own["choices"]} == {0}
    told = draftengine("replay", "soups-1")
    assert "it is not over yet" in told.out
    assert "secret" not in told.out
    refused = draftengine("replay", "soups-1", "--seat", "2")
    assert refused.status == 2
    assert "not over" in refused.err
    assert draftengine("play", "--resume", stdin="1\n" * 60).status == 0
    over = draftengine("replay", "--json").json
    assert (over["over"], over["seat"]) == (True, None)
    assert draftengine("replay", "soups-1", "--seat", "2").status == 0


@pytest.mark.parametrize(
    ("arguments", "stdin", "status", "said"),
    [
        (["replay", "nowhere.json"], "", 2, "no file and no saved game"),
        (["replay"], "", 2, "No games are saved"),
        (["replay", "-"], "nonsense", 1, "not-a-save"),
        (["replay", "game.json", "--seat", "9"], "", 2, "there are 3 players"),
        (["play", "soups", "--record", "nowhere/game.json"], "", 2, "nowhere"),
    ],
)
def test_what_makes_no_sense_is_said(draftengine, game, arguments, stdin, status, said):
    finished = draftengine(*arguments, stdin=stdin)
    assert finished.status == status
    assert said in finished.err
