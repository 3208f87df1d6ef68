"""Games that a command has opened are kept, and opened again only if a file of theirs has changed."""

from __future__ import annotations

from pathlib import Path

import pytest

import draftengine as de
from draftengine.api.packing import packed, unpacked
from draftengine.api.scenario import files
from draftengine.apps.cli import opening, preparing
from draftengine.apps.cli.errors import RefusedError
from draftengine.model import flow
from draftengine.model.shelf import shelf

CHILD = """
format: 2
id: kept
extends: parent
title: Kept
rounds: 2
"""


@pytest.fixture
def opened(monkeypatch, tmp_path, soups):
    """Return a function that opens a game that extends another, and the list of files that it reads."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    (tmp_path / "parent.yaml").write_text(soups, encoding="utf-8")
    (tmp_path / "child.yaml").write_text(CHILD, encoding="utf-8")
    read, reading = [], opening.document_in

    def document_in(name, label, data):
        read.append(label)
        return reading(name, label, data)

    monkeypatch.setattr(opening, "document_in", document_in)
    return lambda variants=(), players=3: opening.game_named(str(tmp_path / "child.yaml"), variants, players), read


def test_it_is_read_once_for_each_way_of_playing(opened):
    game_named, read = opened
    first = game_named()
    assert game_named().fingerprint == first.fingerprint
    assert len(read) == 1
    assert game_named(["to_the_right"]).variants == ("to_the_right",)
    assert game_named(players=2).players == 2
    assert len(read) == 3


def spoilt(folder):
    for entry in (folder / "draftengine").glob("game-*"):
        entry.write_bytes(entry.read_bytes()[:-1])


def of_another_version(folder):
    for entry in (folder / "draftengine").glob("game-*"):
        opening.keep(entry.name, b"no pickle")


def with_another_title(folder):
    for file in folder.glob("child.yaml"):
        file.write_text(CHILD.replace("Kept", "Changed"), encoding="utf-8")


def with_another_parent(folder):
    for file in folder.glob("parent.yaml"):
        file.write_text(file.read_text(encoding="utf-8") + "# changed\n", encoding="utf-8")


@pytest.mark.parametrize("change", [spoilt, of_another_version, with_another_title, with_another_parent])
def test_it_is_read_again_after_a_change(opened, tmp_path, change):
    game_named, read = opened
    game_named()
    change(tmp_path)
    game_named()
    assert len(read) == 2
    game_named()
    assert len(read) == 2


@pytest.fixture
def closed(monkeypatch):
    """Return a function after which no file of this name can be opened or looked for."""

    def close(name, method, patch=monkeypatch):
        usual = getattr(Path, method)

        def refusing(path, *args, **settings):
            if path.name == name:
                raise PermissionError(13, "Permission denied")
            return usual(path, *args, **settings)

        patch.setattr(Path, method, refusing)

    return close


@pytest.mark.parametrize("kept", [False, True])
@pytest.mark.parametrize("method", ["open", "is_file"])
def test_a_parent_that_cannot_be_read_any_more_is_a_finding(opened, closed, method, kept):
    game_named, _ = opened
    if kept:
        game_named()
    closed("parent.yaml", method)
    with pytest.raises(RefusedError) as refused:
        game_named()
    (finding,) = refused.value.findings
    span = finding.span
    assert (finding.code, span.source.text[span.start : span.end]) == ("extends-unknown", "parent")
    assert "Permission denied" in str(finding.message)


def test_a_parent_that_can_be_read_again_is_read(opened, closed, monkeypatch):
    game_named, _ = opened
    with monkeypatch.context() as patch:
        closed("parent.yaml", "open", patch)
        with pytest.raises(RefusedError):
            game_named()
    assert game_named().title == "Kept"


def played(game):
    """Return the events of a game in which everybody always makes the last move in the list."""
    state, events = game.start(seed=1), []
    while not state.over:
        for seat in state.waiting:
            moves = state.view(seat).moves
            state = state.commit(seat, moves[len(moves) - 1])
            events += map(str, state.events)
    return events


@pytest.mark.parametrize("name", shelf())
def test_it_is_the_same_game(name):
    """Check that a kept game plays alike, and that no dry run is needed for it."""
    game = de.load(name)
    again = unpacked(packed(game))
    assert (again.fingerprint, again.title, again.players) == (game.fingerprint, game.title, game.players)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(flow, "DryRun", None)
        assert flow.flow_bounds(again.model, again.players) == flow.flow_bounds(game.model, game.players)
        assert played(again) == played(game)


def test_examples_that_hold_are_not_played_again(opened, monkeypatch):
    """Check that worked examples are played until all hold, and again for other files."""
    game_named, _ = opened
    runs = []

    def failing_examples(document, _games):
        runs.append(document)
        return ["the first"] if len(runs) == 1 else []

    monkeypatch.setattr(files, "failing_examples", failing_examples)
    for _ in range(4):
        preparing.warn_of_failing_examples("child.yaml", game_named().ruleset)
    assert len(runs) == 2
    preparing.warn_of_failing_examples("parent.yaml", game_named().ruleset.base)
    assert len(runs) == 3
