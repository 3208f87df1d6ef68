"""What was learnt is kept: written whole, read again, learnt anew if it cannot be read."""

from __future__ import annotations

import json
from concurrent.futures import BrokenExecutor
from pathlib import Path

import pytest

from bots.quick import guessed, program_of
from draftengine import processes
from draftengine.bots import learning, readiness, sharing, tables
from draftengine.cardset.resolve import NOTHING_SELECTED, open_document
from draftengine.engine.worth import SCALE, size_of
from draftengine.library import load_program
from draftengine.simulate.executors import Here


@pytest.fixture
def program():
    return program_of("sushi_go", 2)


@pytest.fixture
def lessons(monkeypatch):
    """What is learnt is made up; for which games it was."""
    found = []

    def learn(program, told, play):
        found.append(program)
        told(1.0)
        return guessed(program)

    monkeypatch.setattr(learning, "learn", learn)
    return found


def forget(monkeypatch):
    """As in a new process."""
    monkeypatch.setattr(tables, "_known", {})


def same(one, other):
    return (one.worth.values, one.worth.counters, one.lead) == (other.worth.values, other.worth.counters, other.lead)


# ── The files ────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_written_and_read(monkeypatch, program, lessons, cache_folder):
    assert not tables.is_learned(program)
    found = tables.learned(program)
    assert tables.is_learned(program)
    assert tables.learned(program) is found
    assert [file.name for file in cache_folder.iterdir()] == ["worth-2.json"]
    forget(monkeypatch)
    assert tables.is_learned(program)
    assert same(tables.learned(program), found)
    assert lessons == [program]


def test_a_table_for_each_number_of_players(program, lessons):
    four = program_of("sushi_go", 4)
    assert [tables.learned(own).worth.program.players for own in (program, four)] == [2, 4]
    assert [own.players for own in lessons] == [2, 4]


def test_files_are_by_rules_players_and_version(monkeypatch):
    """Another variant is another game."""
    monkeypatch.undo()
    games = [("sushi_go", 2), ("sushi_go", 3), ("sushi_go", 2, "pass_both_ways"), ("anniversary", 2)]
    assert len({tables._file(program_of(*game)) for game in games}) == len(games)
    before = tables._file(program_of("sushi_go", 2))
    monkeypatch.setattr(tables, "_version", lambda: "another")
    assert tables._file(program_of("sushi_go", 2)) != before


@pytest.mark.parametrize(
    "text",
    [b"", b"{", b"null", b"[]", b"{}", b"\xff\xfe\x00", b'{"lead": 5, "values": [1, 2]}', b'{"lead": 5, "values": 1}',
     b'{"values": []}', b'{"lead": null, "values": []}', b'{"lead": 5, "values": ["many"]}'],
)  # fmt: skip
def test_broken_files_are_replaced(monkeypatch, program, lessons, cache_folder, text):
    cache_folder.mkdir()
    file = cache_folder / "worth-2.json"
    file.write_bytes(text)
    assert not tables.is_learned(program)
    found = tables.learned(program)
    assert lessons == [program]
    assert tuple(json.loads(file.read_text(encoding="utf-8"))["values"]) == found.worth.values
    forget(monkeypatch)
    assert same(tables.learned(program), found)
    assert lessons == [program]


def test_no_place_to_write(monkeypatch, program, lessons, cache_folder):
    """It is learnt for this process, and again in the next one; nothing is left lying about."""

    def refuse(*_, **__):
        raise PermissionError("this folder is somebody else's")

    with monkeypatch.context() as context:
        context.setattr(Path, "write_text", refuse)
        assert same(tables.learned(program), guessed(program))
    assert list(cache_folder.iterdir()) == []
    forget(monkeypatch)
    assert not tables.is_learned(program)
    (cache_folder / "worth-2.json").mkdir()
    assert same(tables.learned(program), guessed(program))
    assert [file.name for file in cache_folder.iterdir()] == ["worth-2.json"]
    assert lessons == [program, program]


def test_getting_ready(monkeypatch, program, lessons):
    """Where there is no kernel, nothing is compiled; what is learnt is told, once."""
    monkeypatch.setattr(readiness, "is_installed", lambda: False)
    told = []
    assert not readiness.is_prepared(program)
    for _ in range(2):
        readiness.get_ready(program, lambda *what: told.append(what))
    assert readiness.is_prepared(program)
    assert told == [(readiness.LEARNING, 0.0), (readiness.LEARNING, 1.0)]


# ── Learning ─────────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.usefixtures("by_reference")
def test_learning_is_deterministic(monkeypatch, program):
    """However many games are played in one go."""
    monkeypatch.setattr(learning, "ROUNDS", 2)
    monkeypatch.setattr(learning, "GAMES", 60)
    shares, found = [], []
    for stretch in (30, 60):
        monkeypatch.setattr(learning, "STRETCH", stretch)
        found.append(learning.learn(program, shares.append))
    assert shares == [0.25, 0.5, 0.75, 1.0, 0.5, 1.0]
    assert same(*found)
    assert len(found[0].worth.values) == size_of(program)
    assert any(found[0].worth.values)
    assert found[0].lead > 0


ORCHARD = """
format: 1
id: orchard
title: Orchard
version: 1.0.0
players: 2
rounds: 3
cards:
  tree: {count: 24, STAYS}
  leaf: {count: 24}
counters:
  rings: {keep: true, max: 24}
setup: [{shuffle: deck}]
round:
  - {deal: {to: hand, cards: 2}}
  - {choose: {from: hand, to: tableau}}
  - {move: {from: hand, to: discard}}
  - {score: round}
  - {clear: tableau}
finish: [{score: game}]
scoring:
  leaf: {kind: each, of: leaf, points: 1}
  tree: {kind: table, at: game, of: "max(tree, rings)", points: [0, 12]}
winner: {order: most}
"""


@pytest.mark.usefixtures("by_reference")
@pytest.mark.parametrize("stays", ["keep: true", "on_play: [{add: {rings: 1}}]"])
def test_what_stays_is_learnt_to_the_end_of_the_game(monkeypatch, stays):
    """A first tree gives nothing in its round; a second gives twelve points, some rounds later.

    The tree may stay itself, or what it did.
    """
    monkeypatch.setattr(learning, "ROUNDS", 2)
    monkeypatch.setattr(learning, "GAMES", 300)
    document, _ = open_document(ORCHARD.replace("STAYS", stays).encode(), "orchard.yaml", lambda _: None)
    worth = learning.learn(load_program(document, NOTHING_SELECTED, 2)).worth
    tree, leaf = (
        worth.values[worth.place((1, 0), worth.program.play_index(name), worth.program.start_word, aside=False)]
        for name in ("tree", "leaf")
    )
    assert tree > leaf + 2 * SCALE


@pytest.fixture
def short(monkeypatch, by_reference):
    """Little is learnt; where no kernel is."""
    monkeypatch.setattr(sharing, "is_ready", lambda: False)
    for module in (learning, sharing):
        monkeypatch.setattr(module, "GAMES", 40)
        monkeypatch.setattr(module, "STRETCH", 20)
    monkeypatch.setattr(learning, "ROUNDS", 2)


@pytest.mark.usefixtures("short")
def test_several_processes_learn_the_same(program):
    """What the second round begins with comes from the processes of the first."""
    with sharing.players(program) as play:
        assert play is learning.here
        alone = learning.learn(program, play=play)
    with sharing.in_processes(2), sharing.players(program) as play:
        assert play is not learning.here
        shares = []
        assert same(learning.learn(program, shares.append, play), alone)
    assert shares == [0.25, 0.5, 0.75, 1.0]


@pytest.mark.usefixtures("short")
def test_a_process_that_is_lost_is_done_without(monkeypatch, program):
    """While it works, and also if nobody can be asked any more."""

    def lost():
        raise BrokenExecutor

    class Lost(Here):
        def submit(self, fn, /, *args, **kwargs):
            if args[-1].start >= 40:
                raise BrokenExecutor
            return super().submit(lost) if args[-1].start == 20 else super().submit(fn, *args, **kwargs)

    monkeypatch.setattr(processes, "open_processes", lambda _count: Lost())
    alone = learning.learn(program)
    with sharing.in_processes(2), sharing.players(program) as play:
        assert same(learning.learn(program, play=play), alone)


@pytest.mark.usefixtures("short")
def test_nothing_goes_on_after_an_interruption(monkeypatch, program):
    stopped = []

    class Watched(Here):
        def shutdown(self, wait=True, *, cancel_futures=False):
            stopped.append((wait, cancel_futures))

    def interrupt(_share):
        raise KeyboardInterrupt

    monkeypatch.setattr(processes, "open_processes", lambda _count: Watched())
    with (
        pytest.raises(KeyboardInterrupt),
        sharing.in_processes(2),
        sharing.players(program) as play,
    ):
        learning.learn(program, interrupt, play)
    assert stopped == [(True, True)]
    with sharing.players(program) as play:
        assert play is learning.here
