"""Saved games: exact, readable, and refused if anything about them was changed."""

from __future__ import annotations

import json
import random

import pytest

from conftest import NIGHTLY
from draftengine.play.save import Saved, SaveError, free_path, from_text, read, to_text, write
from draftengine.play.session import HUMAN

FLIPS = 10_000 if NIGHTLY else 500


@pytest.fixture
def saved(table, soups):
    """A game in the middle of its second round."""
    own = table(soups, [HUMAN, "greedy", "random"], ["to_the_right"])
    session = own.session("a word")
    session.let_bots_choose()
    for _ in range(7):
        session.commit(0, session.view(0).moves[0])
        session.let_bots_choose()
    assert session.state.round == 2
    return Saved(own.document, own.selection, session)


def test_a_saved_game_goes_on_where_it_stopped(saved):
    restored = from_text(to_text(saved))
    assert restored.session.state.digest == saved.session.state.digest
    assert restored.session.moves == saved.session.moves
    assert (restored.session.seats, restored.session.seed) == (saved.session.seats, saved.session.seed)
    assert restored.selection == saved.selection
    assert to_text(restored) == to_text(saved)


def test_a_game_that_extends_another_is_saved_whole(table):
    """The card set and what it extends are in the file: nothing else is needed."""
    own = table("sushi_go_2014", [HUMAN, "greedy"], ["two_player_dummy"])
    session = own.session()
    session.let_bots_choose()
    data = json.loads(to_text(Saved(own.document, own.selection, session)))
    assert len(data["cardset"]) == 2
    assert from_text(to_text(Saved(own.document, own.selection, session))).session.state.digest


def test_any_change_is_refused(saved):
    """A flipped bit, a missing end, a doubled or lost stretch: each is refused by name."""
    text = to_text(saved).encode()
    chance = random.Random(20)
    for _ in range(FLIPS):
        at, length = chance.randrange(len(text)), chance.randrange(1, 40)
        spoilt = chance.choice(
            [
                text[:at] + bytes([text[at] ^ 1 << chance.randrange(8)]) + text[at + 1 :],
                text[:at],
                text[:at] + text[at : at + length] + text[at:],
                text[:at] + text[at + length :],
            ]
        )
        try:
            changed = spoilt.decode()
        except UnicodeDecodeError:
            continue
        with pytest.raises(SaveError) as caught:
            from_text(changed)
        assert caught.value.code in {"not-a-save", "damaged-save", "other-version"}


def forged(saved, **changes):
    """A save with other content and a matching checksum."""
    from draftengine.play.save import _rendered

    return _rendered(json.loads(to_text(saved)) | changes)


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"seed": "another word"}, "other-rules"),
        ({"rules": "0" * 64}, "other-rules"),
        ({"state": "0" * 64}, "other-rules"),
        ({"moves": [[0, 999]]}, "other-rules"),
        ({"moves": [[9, 0]]}, "other-rules"),
        ({"moves": [[]]}, "damaged-save"),
        ({"seats": ["human", "nobody", "random"]}, "unknown-bot"),
        ({"seats": 3}, "damaged-save"),
        ({"cardset": []}, "damaged-save"),
        ({"cardset": [{"asked": "", "name": "x", "text": "a: &a [*a]"}]}, "other-rules"),
        ({"variants": ["to_the_left"]}, "other-rules"),
        ({"version": 99}, "other-version"),
    ],
    ids=str,
)
def test_forged_saves_are_refused_by_name(saved, changes, code):
    with pytest.raises(SaveError) as caught:
        from_text(forged(saved, **changes))
    assert caught.value.code == code


def test_files(saved, tmp_path, monkeypatch):
    """A file is written whole, and the next one gets another name."""
    monkeypatch.chdir(tmp_path)
    path = free_path("soups")
    write(saved, path)
    assert path.name == "soups-1.save.json"
    assert free_path("soups").name == "soups-2.save.json"
    assert free_path("soups", tmp_path / "elsewhere") == tmp_path / "elsewhere" / "soups-1.save.json"
    assert read(path).session.state.digest == saved.session.state.digest
    assert [own.name for own in tmp_path.iterdir()] == [path.name]


def test_what_cannot_be_written_leaves_nothing(saved, tmp_path):
    path = tmp_path / "taken.json"
    path.mkdir()
    with pytest.raises(OSError, match="taken"):
        write(saved, path)
    assert list(tmp_path.iterdir()) == [path]


def test_no_file(tmp_path):
    with pytest.raises(SaveError) as caught:
        read(tmp_path / "nothing.json")
    assert caught.value.code == "no-such-save"
