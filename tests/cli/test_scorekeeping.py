"""``draftengine score`` without ``--input``: the scorekeeper in a pipe, and what it keeps."""

from __future__ import annotations

import json

import pytest

KEEP = ("score", "sushi_go", "--plain", "--name", "Ann", "--name", "Ben", "--save", "evening.json")
FIRST = "2 tempura, wasabi, squid\n3x maki ×1\n"


def test_a_game_is_scored_line_by_line(draftengine):
    """Names and numbers, mistakes that are said, what stays, other points, the sheets and who has won."""
    rest = "nonsense\n1 1\n+2, dumpling\n\nsashimi, sashimi, sashimi, pudding\n"
    finished = draftengine(*KEEP, stdin=FIRST + rest)
    assert finished.status == 0
    assert "There is no “nonsense” here" in finished.out
    for text in ("9 × 1 = 9", "Round 3 of 3", "2 make 1 set of 2: 5", "Final score"):
        assert text in finished.out
    shown = draftengine("score", "sushi_go", "-i", "evening.json", "--json").json
    assert shown["names"] == ["Ann", "Ben"]
    assert [own["total"] for own in shown["rounds"]] == [[14, 6], [5, 3], [0, 16]]
    assert shown["total"] == [19, 25]
    assert shown["winners"] == [1]
    assert "Ben wins with 25 points" in finished.out


def test_whatever_ends_it_all_is_kept(draftengine, tmp_path):
    """A pipe that ends is status 1; the next call goes on, and does not ask again for what is there."""
    ended = draftengine(*KEEP, stdin=FIRST)
    assert ended.status == 1
    assert "Kept in evening.json" in ended.out
    kept = json.loads((tmp_path / "evening.json").read_text(encoding="utf-8"))
    assert kept["rounds"][0]["tables"] == [["tempura", "tempura", "wasabi", "nigiri_squid"], ["maki_1"] * 3]
    left = draftengine("score", "sushi_go", "--plain", "--save", "evening.json", stdin="?\ns\nback\n4\nq\n")
    assert left.status == 0
    assert "2 Tempura, Pudding  " in left.out
    assert "Ann: s" in left.out
    again = json.loads((tmp_path / "evening.json").read_text(encoding="utf-8"))
    assert again["rounds"][0] == kept["rounds"][0]
    assert again["rounds"][1]["tables"][0] == ["maki_1"]
    other = draftengine("score", "sushi_go", "--plain", "--save", "evening.json", "--players", "3")
    assert other.status == 2
    assert "another game" in other.err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("score", "sushi_go", "--plain", "--input", "x.yaml"), "--input"),
        (("score", "sushi_go", "--plain", "--json"), "--json"),
        (("score", "-", "--plain"), "Standard input"),
        (("score", "sushi_go", "--plain", "--players", "2", *("--name", "A") * 3), "2 players"),
        (("score", "sushi_go", "--plain", "--save", "other.json"), "no sheet"),
    ],
    ids=["input", "json", "stdin", "names", "another file"],
)
def test_what_makes_no_sense_is_said(draftengine, tmp_path, arguments, said):
    (tmp_path / "other.json").write_text("{}", encoding="utf-8")
    finished = draftengine(*arguments)
    assert finished.status == 2
    assert said in finished.err


def test_rounds_in_a_file(draftengine):
    """They stand in the place of tables."""
    rounds = {"rounds": [{"tables": [["soup", "soup"], ["bread"]], "points": [1, 0]}]}
    both = draftengine("score", "sushi_go", "-i", "-", stdin=json.dumps({**rounds, "tables": [[], []]}))
    assert both.status == 1
    assert "no place for “tables”" in both.err
    wrong = draftengine("score", "sushi_go", "-i", "-", stdin=json.dumps(rounds))
    assert wrong.status == 1
    assert "soup" in wrong.err
