"""``draftengine score`` without ``--input``: the scorekeeper in a pipe, and the sheets that it keeps."""

from __future__ import annotations

import json
import re
import sys

import pytest

from conftest import NIGHTLY
from draftengine.apps.play.score_book import CARD, MARKER, names_for, things_of
from draftengine.apps.play.terminal_style import Style
from draftengine.model.shelf import shelf
from play.evenings import evening

pexpect = pytest.importorskip("pexpect") if sys.platform == "win32" else __import__("pexpect")

KEEP = ("score", "sushi_go", "--plain", "--name", "Ann", "--name", "Ben", "--save", "evening.json")
FIRST = "2 tempura, wasabi, squid\n3x maki ×1\n"


def test_a_game_is_scored_line_by_line(draftengine):
    """Check names, numbers, mistakes, cards that stay, other points, the sheets and the winner."""
    rest = "nonsense\n1 1\n+2, dumpling\n\nsashimi, sashimi, sashimi, pudding\n"
    finished = draftengine(*KEEP, stdin=FIRST + rest)
    assert finished.status == 0
    assert "There is no “nonsense” here" in finished.out
    for text in ("9 × 1 = 9", "Round 3 of 3", "2 make 1 set of 2: 5", "Final score"):
        assert text in finished.out
    shown = draftengine("score", "sushi_go", "-i", "evening.json", "--json").json
    assert shown["names"] == ["Ann", "Ben"]
    assert [own["total"] for own in shown["rounds"]] == [[14, 6], [5, 3], [0, 10]]
    assert shown["end"]["total"] == [0, 6]
    assert shown["total"] == [19, 25]
    assert shown["winners"] == [1]
    assert "Ben wins with 25 points" in finished.out


def test_whatever_ends_it_all_is_kept(draftengine, tmp_path):
    """Check that a pipe that ends gives status 1, and the next call resumes without asking again."""
    ended = draftengine(*KEEP, stdin=FIRST)
    assert ended.status == 1
    assert "Saved in evening.json" in ended.out
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
        (("score", "sushi_go", "--plain", "--save", "other.json"), "not a sheet"),
    ],
    ids=["input", "json", "stdin", "names", "another file"],
)
def test_what_makes_no_sense_is_said(draftengine, tmp_path, arguments, said):
    (tmp_path / "other.json").write_text("{}", encoding="utf-8")
    finished = draftengine(*arguments)
    assert finished.status == 2
    assert said in finished.err


def test_rounds_in_a_file(draftengine):
    """Check that a file may have rounds in place of tables, but not both."""
    rounds = {"rounds": [{"tables": [["soup", "soup"], ["bread"]], "points": [1, 0]}]}
    both = draftengine("score", "sushi_go", "-i", "-", stdin=json.dumps({**rounds, "tables": [[], []]}))
    assert both.status == 1
    assert "“tables” is not possible" in both.err
    wrong = draftengine("score", "sushi_go", "-i", "-", stdin=json.dumps(rounds))
    assert wrong.status == 1
    assert "soup" in wrong.err


def test_a_sheet_without_names_opens_again(draftengine, tmp_path):
    """Check that a sheet without names is opened without asking for them, also by --input."""
    keep = ("score", "sushi_go", "--plain", "-p", "3", "--save", "evening.json")
    assert draftengine(*keep, stdin="tempura, tempura\n").status == 1
    kept = json.loads((tmp_path / "evening.json").read_text(encoding="utf-8"))
    assert kept["names"] == ["", "", ""]
    assert draftengine("score", "sushi_go", "-i", "evening.json", "--json").json["rounds"][0]["total"] == [5, 0, 0]
    finished = draftengine("score", "sushi_go", "--plain", "--save", "evening.json", stdin="\ndumpling\n" + "\n" * 9)
    assert finished.status == 0
    assert "Player 1 [2× " in finished.out
    assert "Player 1 wins with 5 points." in finished.out


@pytest.mark.parametrize(
    "names",
    [["", "", ""], ["  ", "Ben", ""], [], ["A", "B", "C", "D"], ["\x07", "a\u2028b\x85", "\ufeff" * 41]],
    ids=ascii,
)
def test_whatever_names_a_sheet_has_it_opens(draftengine, tmp_path, names):
    """Check that old sheets open: with names that files cannot have, and points above their limit."""
    rounds = [{"tables": [["tempura", "tempura"], [], []], "points": [0, 0, -1000001]}]
    sheet = {"players": 3, "names": names, "variants": [], "rounds": rounds}
    (tmp_path / "old.json").write_text(json.dumps(sheet, ensure_ascii=False), encoding="utf-8")
    finished = draftengine("score", "sushi_go", "--plain", "--save", "old.json", stdin="\n" * 9)
    assert finished.status == 0
    assert "with 5 points." in finished.out


def test_what_is_typed_is_kept_so_that_it_opens_again(draftengine, tmp_path):
    """Check that a sheet with invisible or long names and too many points is kept so that it opens again."""
    typed = b"name \xff\x00\xc2\x85A\xf0\x9f\x8d\xa3\n+1000000\n+999999\nname " + b"B" * 99 + b"\n"
    keep = ("score", "sushi_go", "--plain", "-p", "2", "--save", "evening.json")
    finished = draftengine(*keep, stdin=typed)
    assert (finished.status, finished.err) == (1, "")
    assert "Numbers on a sheet can be at most 999999" in finished.out
    kept = json.loads((tmp_path / "evening.json").read_text(encoding="utf-8"))
    assert kept["names"][1] == "B" * 40
    assert kept["rounds"][0]["points"] == [999_999, 0]
    again = draftengine("score", "sushi_go", "--plain", "--save", "evening.json", stdin="q\n")
    assert (again.status, again.err) == (0, "")


OLD = {
    "players": 3,
    "names": ["A", "B", "C"],
    "rounds": [{"tables": [["triple@ikura", "ikura"], ["triple"], ["ebi"]]}, *[{"tables": [[], [], []]}] * 2],
}


def test_a_sheet_with_what_cannot_be_opens_and_is_mended(draftengine, tmp_path):
    """Check a sheet with impossible contents: it opens with an error, has no winner, and can be mended."""
    (tmp_path / "old.json").write_text(json.dumps({**OLD, "rounds": OLD["rounds"][:1]}), encoding="utf-8")
    keep = ("score", "sushi_draft", "--plain", "--save", "old.json")
    first = draftengine(*keep, stdin="ikura, triple@ikura\nq\n")
    assert first.status == 0
    wrong = draftengine("score", "sushi_draft", "-i", "old.json")
    assert "Triple needs a form as card 1 of player 2: say what it was played as." in wrong.err
    refused = draftengine(*keep, stdin="triple@ebi, ebi\nq\n")
    assert "Triple as Ebi cannot have this form as card 1 of player 1" in refused.out
    mended = draftengine(*keep, stdin="\nebi, triple@ebi\nmaguro\nq\n")
    assert mended.status == 0
    assert draftengine("score", "sushi_draft", "-i", "old.json").status == 0


def test_what_chips_are_worth_is_asked_for(draftengine, tmp_path):
    """Check that the worth of chips is asked for; impossible values are refused or stay open."""
    rounds = "ikura, ikura\nebi, chips = 3\nkappa\n" + "ikura\n\n\n" * 2
    keep = ("score", "sushi_draft", "--plain", "-p", "3", "--save", "evening.json")
    left = draftengine(*keep, stdin=rounds + "11\neleven\n\n\n")
    assert left.status == 0
    for text in (
        "Player 1 has 5 chips, worth 15 to 17 points: enter what they are worth.",
        "Player 1 has 5 chips, worth 15 to 17 points: the sheet says 11.",
        "There is no “chips = eleven” here",
        "Nobody has won yet.",
    ):
        assert text in left.out, text
    done = draftengine(*keep, stdin="\n\n\n16\n2\n")
    assert "Player 1 wins with 16 points." in done.out
    shown = draftengine("score", "sushi_draft", "-i", "evening.json", "--json").json
    assert (shown["end"]["total"], shown["total"], shown["winners"]) == ([16, 3, 2], [16, 3, 2], [0])


def test_what_decides_and_no_card_shows_is_missed(draftengine):
    """Check that nobody has won until the die of a rolled mochi is given, also given later as a 1."""
    keep = ("score", "anniversary", "-v", "mochi", "--plain", "-p", "3", "--save", "evening.json")
    first = draftengine(*keep, stdin="mochi\n" + "\n" * 9)
    assert "The effects of Mochi are missing: enter" in first.out
    assert "Nobody has won yet." in first.out
    told = draftengine(*keep, stdin="mochi die = 7\nmochi die = 1\n" + "\n" * 3)
    assert "can't be 7 here: it must be at most 6" in told.out
    assert "share the victory" in told.out


EVENINGS = (
    [(name, seed) for name in sorted({*shelf()} - {"medieval_academy"}) for seed in range(5)]  # it asks for no arrivals
    if NIGHTLY
    else [("sushi_draft", 1), ("sushi_go", 2), ("anniversary", 3)]
)


@pytest.mark.parametrize(("cardset", "seed"), EVENINGS, ids=str)
def test_an_evening_at_a_terminal(draftengine, environment, tmp_path, cardset, seed):
    """Check a random game typed in full, with and without names: the kept sheet gives its points."""
    from commands import terminals

    real = evening(seed, cardset)
    names = [["Ada", "Ben", "Cleo", "Dan", "Eve", "Fay", "Gus", "Hal"], [""] * 8][seed % 2][: real.game.players]
    titles = names_for(real.game, names, Style()).seats
    arguments = [part for name in real.game.variants for part in ("--variant", name)]
    arguments += [part for name in names if name for part in ("--name", name)]
    child = terminals.start(
        *("score", cardset, "--plain", "--players", f"{real.game.players}", "--save", "evening.json", *arguments),
        cwd=str(tmp_path),
        env=environment | {"TERM": "xterm", "NO_COLOR": "1"},
        encoding="utf-8",
        dimensions=(40, 80),
        timeout=60,
    )
    for number in range(len(real.rounds)):
        for seat, title in enumerate(titles):
            child.expect(f"{re.escape(title)}( \\[[^]]*\\])?: ")
            child.sendline(_typed(real, number, seat))
    while child.expect(["enter what they are worth. ", "Final score"]) == 0:
        seat = next(at for at, title in enumerate(titles) if title in child.before.splitlines()[-1])
        child.sendline(f"{real.chips[seat]}")
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 0
    kept = draftengine("score", cardset, "-i", "evening.json", "--json").json
    assert (kept["total"], kept["winners"], kept["missing"]) == (list(real.scores), list(real.winners), [])
    assert kept["names"] == names


def _typed(real, number, seat):
    """Return the input for a seat: cards and markers by number, counters by name, and points."""
    things = {(thing.kind, thing.name): thing for thing in things_of(real.game)}
    lying = real.rounds[number]
    parts = [f"{things[CARD, name].number}" for name in lying.tables[seat]]
    for name, holder in lying.markers.items():
        parts += [f"{things[MARKER, name].number}"] if holder == seat else []
    parts += [f"{name} = {values[seat]}" for name, values in lying.counters.items()]
    return ", ".join([*parts, *([f"{lying.points[seat]:+d}"] if lying.points and lying.points[seat] else [])])
