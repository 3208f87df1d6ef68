"""Saved games: exact, readable, loaded by all later versions, and refused if anything was changed."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

from conftest import NIGHTLY
from draftengine.apps.play.saved import (
    OPEN,
    STOPPED,
    Lines,
    Saved,
    SaveError,
    from_text,
    read,
    rendered,
    summary,
    written,
)
from draftengine.apps.play.session import HUMAN
from draftengine.model.shelf import shelf
from play.saving import to_text

FLIPS = 10_000 if NIGHTLY else 500
SAVES = Path(__file__).parent / "saves"
STATES = json.loads((SAVES / "states.json").read_text(encoding="utf-8"))
CORPUS = {version: sorted((SAVES / version).iterdir()) for version in ("v1", "v2")}
SOME = ["sushi_go-middle", "sushi_draft-nearly", "party_first_meal-middle", "sushi_go-people"]
REFUSED = {"not-a-save", "damaged-save", "other-version"}


def of(own, session):
    return Saved.of(own.rules, session)


@pytest.fixture
def saved(table, soups):
    """Return a game in the middle of its second round, as saved."""
    own = table(soups, [HUMAN, "greedy", "random"], ["to_the_right"])
    session = own.session("a word")
    found = of(own, session)
    session.let_bots_choose()
    for _ in range(7):
        session.commit(0, session.view(0).moves[0])
        session.let_bots_choose()
        found.catch_up()
    assert session.state.round == 2
    return found


# ── What is saved ─────────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_saved_game_goes_on_where_it_stopped(saved):
    restored = from_text(to_text(saved))
    assert restored.session.state.digest == saved.session.state.digest
    assert restored.session.moves == saved.session.moves
    assert restored.session.take_news() == []
    assert (restored.session.seats, restored.session.seed) == (saved.session.seats, saved.session.seed)
    assert restored.rules.selection == saved.rules.selection
    assert to_text(restored) == to_text(saved)


def test_a_game_that_extends_another_is_saved_whole(table):
    """A save holds the card set and all that it extends, so that nothing else is needed."""
    own = table("sushi_go_2014", [HUMAN, "greedy"], ["two_player_dummy"])
    session = own.session()
    session.let_bots_choose()
    text = to_text(of(own, session))
    assert len(json.loads(text.partition("\n")[0])["cardset"]) == 2
    assert from_text(text).session.state.digest == session.state.digest


def test_moves_stand_there_by_name(saved):
    """Moves are saved by name, independent of the engine's numbers for cards."""
    for line in to_text(saved).splitlines()[1:]:
        assert set(json.loads(line)["cards"]) <= {"soup", "bread", "salad"}


def test_what_people_are_called_is_saved(table):
    own = table("sushi_go", [HUMAN, "random", HUMAN])
    session = own.session()
    session.names = ("Ada", "Ben")
    assert from_text(to_text(of(own, session))).session.names == ("Ada", "Ben")


def test_what_a_file_is_about(saved):
    """The summary of a save is read without playing the game."""
    told = summary(to_text(saved))
    assert (told.id, told.title, told.status) == ("soups", "Soups", STOPPED)
    assert (told.seats, told.variants) == ((HUMAN, "greedy", "random"), ("to_the_right",))
    assert told.moves == len(saved.session.moves)
    assert summary(CORPUS["v1"][0].read_text(encoding="utf-8")).id == "anniversary"


def test_no_file(tmp_path):
    with pytest.raises(SaveError) as caught:
        read(tmp_path / "nothing.save")
    assert caught.value.code == "no-such-save"


# ── For ever ──────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_every_card_set_was_saved():
    """Saves of the current format exist for every card set, and of the older one for those of its time."""
    for paths in CORPUS.values():
        assert len(paths) >= 20
        assert {path.name.partition(".")[0] for path in paths} <= set(STATES)
    kept = [path.name.partition(".")[0] for path in CORPUS["v2"]]
    assert {name.partition("-")[0] for name in kept} >= set(shelf())
    assert set(kept) == set(STATES)


@pytest.mark.parametrize("path", [*CORPUS["v1"], *CORPUS["v2"]], ids=lambda path: f"{path.parent.name}/{path.name}")
def test_old_games_load_for_ever(path):
    """Old games load with the digest that they were left with, and are written in the current format."""
    found = read(path)
    assert found.session.state.digest == STATES[path.name.partition(".")[0]]
    again = from_text(to_text(found))
    assert again.session.state.digest == found.session.state.digest
    assert again.session.moves == found.session.moves


def test_games_are_written_as_those_that_were_kept():
    """Games are written exactly as in the corpus: another format needs a new version and a reader."""
    for path in CORPUS["v2"]:
        text = path.read_text(encoding="utf-8")
        found = from_text(text)
        assert written(found, found.status, Lines()) == text


# ── Never with a change ───────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("name", SOME)
@pytest.mark.parametrize("version", CORPUS)
def test_any_change_is_refused(version, name):
    """A changed byte, a missing end, a doubled or lost stretch: each is refused with its own code."""
    text = next(path for path in CORPUS[version] if path.name.startswith(name)).read_bytes()
    whole = json.loads(text.partition(b"\n")[0])["status"] != OPEN if version == "v2" else True
    chance = random.Random(f"{version} {name}")
    for _ in range(FLIPS // len(SOME)):
        at, length = chance.randrange(len(text)), chance.randrange(1, 40)
        doubled = text[:at] + text[at : at + length] + text[at:]
        spoilt = [
            text[:at] + bytes([text[at] ^ 1 << chance.randrange(8)]) + text[at + 1 :],
            text[:at] + bytes([(text[at] + chance.randrange(1, 256)) % 256]) + text[at + 1 :],
            text[:at] + text[at + length :] if whole or at + length < len(text) else doubled,
            doubled,
            text[:at] if whole else doubled,
        ]
        for changed in spoilt:
            assert refusal(changed) in REFUSED, (at, changed[at - 20 : at + 60])


def refusal(data):
    """Return the code with which a file is refused; empty if it is read."""
    try:
        from_text(data.decode())
    except UnicodeDecodeError:
        return "not-a-save"
    except SaveError as error:
        return error.code
    return ""


def test_what_was_cut_off_is_left_out(saved):
    """A file cut off in the last line, such as after a crash, ends with its last whole line."""
    saved.catch_up()
    text = written(saved, OPEN, Lines())
    *lines, _ = text.split("\n")
    start = len(lines[0]) + 1
    for at in range(start, len(text) + 1):
        whole = text[:at].count("\n") - 1 + (text[:at] + "\n" in text and text[at - 1] != "\n")
        assert summary(text[:at]).moves == whole
    assert len(from_text(text[:-9]).entries) == len(lines) - 2
    for at in (0, 1, start // 2, start - 1):
        assert refusal(text[:at].encode()) in REFUSED


def test_a_damaged_middle_is_refused(saved):
    """Lines that were removed, moved or doubled are refused, even with valid lines after them."""
    saved.catch_up()
    head, *lines = written(saved, OPEN, Lines()).splitlines(keepends=True)
    for changed in (lines[1:], [lines[1], lines[0], *lines[2:]], [lines[0], *lines], [*lines[:3], *lines[4:]]):
        assert refusal("".join([head, *changed]).encode()) == "damaged-save"
    assert refusal("".join([head, *lines, lines[-1]]).encode()) == "damaged-save"


def forged(saved, **changes):
    """Return a save with another first line, and hashes that fit it."""
    head, *moves = (json.loads(line) for line in to_text(saved).splitlines())
    lines = Lines()
    told = [{key: value for key, value in data.items() if key != "chain"} for data in ({**head, **changes}, *moves)]
    return "".join(map(lines.next, told))


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"seed": "another word"}, "other-rules"),
        ({"start": "0" * 64}, "other-rules"),
        ({"moves": 3}, "damaged-save"),
        ({"seats": ["human", "nobody", "random"]}, "unknown-bot"),
        ({"seats": 3}, "damaged-save"),
        ({"seats": []}, "other-rules"),
        ({"cardset": []}, "damaged-save"),
        ({"cardset": [{"asked": "", "name": "x", "text": "a: &a [*a]"}]}, "other-rules"),
        ({"variants": ["to_the_left"]}, "other-rules"),
        ({"version": 99}, "other-version"),
        ({"file": "a letter"}, "not-a-save"),
    ],
    ids=str,
)
def test_forged_saves_are_refused_by_name(saved, changes, code):
    assert refusal(forged(saved, **changes).encode()) == code


@pytest.mark.parametrize("other", [[], {"file": "a letter"}], ids=str)
def test_what_is_no_old_save_either(other):
    """Neither a list nor a file of another program passes as a game of the first version."""
    old = json.loads(CORPUS["v1"][0].read_text(encoding="utf-8"))
    assert refusal(json.dumps(old | other if other else other).encode()) == "not-a-save"


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ({"seat": 0, "cards": ["cake"]}, "other-rules"),
        ({"seat": 9, "cards": ["soup"]}, "other-rules"),
        ({"seat": 0, "cards": [7]}, "damaged-save"),
        ({"seat": 0, "cards": ["soup"], "with": {"ladle": ["soup"]}}, "other-rules"),
        ({"seat": 0, "cards": ["soup"], "state": "0" * 64}, "other-rules"),
        ({"cards": ["soup"]}, "damaged-save"),
    ],
    ids=str,
)
def test_forged_moves_are_refused_by_name(table, soups, line, code):
    own = table(soups, [HUMAN, "random"])
    lines = Lines()
    saved = of(own, own.session())
    text = written(saved, OPEN, lines) + lines.next(line)
    assert refusal(text.encode()) == code


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"seed": "another word"}, "other-rules"),
        ({"rules": "0" * 64}, "other-rules"),
        ({"state": "0" * 64}, "other-rules"),
        ({"moves": [[0, 999]]}, "other-rules"),
        ({"moves": [[9, 0]]}, "other-rules"),
        ({"moves": [[]]}, "damaged-save"),
        ({"version": 99}, "other-version"),
    ],
    ids=str,
)
def test_forged_saves_of_version_one_are_refused_by_name(changes, code):
    data = json.loads(CORPUS["v1"][-1].read_text(encoding="utf-8"))
    assert refusal(rendered(data | changes).encode()) == code
