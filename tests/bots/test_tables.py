"""Files of worth tables: written whole, read again, learnt anew if unreadable, borrowed between games."""

from __future__ import annotations

import zlib
from concurrent.futures import BrokenExecutor
from pathlib import Path

import msgspec
import pytest

from bots.quick import guessed, place_of, program_of
from compiled import load_program
from draftengine.bots.worth import learning, tables
from draftengine.bots.worth.learning import GRAIN
from draftengine.bots.worth.tables import WorthFile, decode, encode
from draftengine.engine.kernel.expected_gain import SCALE
from draftengine.engine.plan.base import TURNS
from draftengine.engine.policies import size_of
from draftengine.model.selection import NOTHING_SELECTED, open_document
from draftengine.model.shelf import fetcher
from draftengine.studies.runner import InProcessExecutor
from draftengine.support import processes


@pytest.fixture
def program():
    return program_of("sushi_go", 2)


class Lessons(list):
    """The games that were learnt; `begun` has the worths with which each started."""


@pytest.fixture
def lessons(monkeypatch):
    """Replace learning by made-up tables; return the games that asked for it."""
    found, begun = Lessons(), []
    found.begun = begun

    def learn(program, told, play, before):
        found.append(program)
        begun.append(before)
        told(1.0)
        return guessed(program)

    monkeypatch.setattr(learning, "learn", learn)
    return found


def forget(monkeypatch):
    """Forget the tables in memory, as a new process does."""
    for known in ("_known", "_borrowed"):
        monkeypatch.setattr(tables, known, {})


def same(one, other):
    return (one.worth.values, one.worth.counters, one.lead) == (other.worth.values, other.worth.counters, other.lead)


# ── The files ────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_written_and_read(monkeypatch, program, lessons, cache_folder):
    assert not tables.is_learned(program)
    found = tables.learned(program)
    assert tables.is_learned(program)
    assert tables.learned(program) is found
    assert [file.name for file in cache_folder.iterdir()] == ["worth-2.table"]
    forget(monkeypatch)
    assert tables.is_learned(program)
    assert same(tables.learned(program), found)
    assert lessons == [program]


def test_a_table_for_each_number_of_players(program, lessons):
    four = program_of("sushi_go", 4)
    assert [tables.learned(own).worth.program.players for own in (program, four)] == [2, 4]
    assert [own.players for own in lessons] == [2, 4]


def test_files_are_by_rules_players_and_version(monkeypatch):
    """Check that rules, players and version name a file; another variant is another game."""
    monkeypatch.undo()
    games = [("sushi_go", 2), ("sushi_go", 3), ("sushi_go", 2, "pass_both_ways"), ("anniversary", 2)]
    assert len({tables._file(program_of(*game)) for game in games}) == len(games)
    before = tables._file(program_of("sushi_go", 2))
    monkeypatch.setattr(tables, "VERSION", 99)
    assert tables._file(program_of("sushi_go", 2)) != before


def with_changes(**changes):
    """Return the bytes of a table file with some facts changed."""
    fields = msgspec.structs.asdict(WorthFile.of(guessed(program_of("sushi_go", 2)))) | changes
    return zlib.compress(msgspec.msgpack.encode(list(fields.values())))


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"{",
        zlib.compress(b""),
        zlib.compress(msgspec.msgpack.encode([1, 2, 3])),
        with_changes()[:-20],
        with_changes(version=2),
        with_changes(rules="0" * 64),
        with_changes(players=3),
        with_changes(plays=[["squid", "squid"]]),
        with_changes(worths=[1, 2, 3]),
        with_changes(worths=["many"]),
        with_changes(lead=None),
        with_changes(rounds=0),
    ],
)
def test_broken_files_are_replaced(monkeypatch, program, lessons, cache_folder, data):
    file = cache_folder / "worth-2.table"
    file.write_bytes(data)
    assert not tables.is_learned(program)
    found = tables.learned(program)
    assert lessons == [program]
    assert decode(file.read_bytes()).learned(program) == found
    forget(monkeypatch)
    assert same(tables.learned(program), found)
    assert lessons == [program]


def test_what_is_written_can_be_read(program):
    assert decode(with_changes()).learned(program) == guessed(program)


def test_no_place_to_write(monkeypatch, program, lessons, cache_folder):
    """Check that an unwritable folder means learning in each process, with no files left behind."""

    def refuse(*_, **__):
        raise PermissionError("this folder is somebody else's")

    with monkeypatch.context() as context:
        context.setattr(tables, "replacing", refuse)
        assert same(tables.learned(program), guessed(program))
    assert list(cache_folder.iterdir()) == []
    forget(monkeypatch)
    assert not tables.is_learned(program)
    (cache_folder / "worth-2.table").mkdir()
    assert same(tables.learned(program), guessed(program))
    assert [file.name for file in cache_folder.iterdir()] == ["worth-2.table"]
    assert lessons == [program, program]


def test_getting_ready(program, lessons):
    """Check that learning is reported once, and compiles nothing."""
    told = []
    for _ in range(2):
        tables.learn_cards(program, lambda *what: told.append(what))
    assert told == [(tables.LEARNING, 0.0), (tables.LEARNING, 1.0)]


# ── Tables of the package ────────────────────────────────────────────────────────────────────────────────────────────


def ship(*programs):
    """Return a function that adds tables to those of the package."""
    tables.SHIPPED.mkdir(exist_ok=True)
    for own in programs:
        data = encode(guessed(own))
        (tables.SHIPPED / tables.name_of(decode(data))).write_bytes(data)


def test_the_table_of_the_package_is_used(program, lessons, cache_folder):
    ship(program)
    assert same(tables.learned(program), guessed(program))
    assert tables.lender(program) is None
    assert lessons == []
    assert list(cache_folder.iterdir()) == []


HOUSE = """
format: 1
extends: sushi_go
id: house
title: House rule
cards:
  tempura: {count: 20}
  cocoa: {count: 5}
  big_roll: {count: 5, family: maki, adds: {maki_icons: 5}}
"""


def house(players, text=HOUSE):
    document, findings = open_document(text.encode(), "house.yaml", fetcher("-"))
    assert document is not None, findings
    return load_program(document, NOTHING_SELECTED, players)


def play_index(program, name):
    """Return the index of a play by its name."""
    return [play.name for play in program.plays].index(name)


def value(worth, name, word=0, turn=0):
    program = worth.program
    at = place_of(worth, (1, turn), play_index(program, name), word or program.start_word, aside=False)
    return worth.values[at]


def test_a_house_rule_borrows_the_nearest_table(lessons, program):
    """Check borrowing: from the same card set, with the nearest number of players.

    Cards correspond by name, else by what they count for.
    """
    ship(program, *(program_of("sushi_go", 5), program_of("sushi_go_2014", 5), program_of("anniversary", 5)))
    own = house(4)
    kept = tables.lender(own)
    assert (kept.cardset, kept.players) == ("sushi_go", 5)
    mine, theirs = tables.at_hand(own).worth, guessed(program_of("sushi_go", 5)).worth
    for turn in (0, 7, 23):
        assert value(mine, "tempura", turn=turn) == value(theirs, "tempura", turn=turn)
    assert value(mine, "cocoa") == 0
    assert value(mine, "big_roll") in {value(theirs, name) for name in ("maki_1", "maki_2", "maki_3")}
    assert lessons == []
    assert not tables.is_learned(own)


def test_turns_and_rounds_that_nobody_learnt_are_like_the_last_ones(program):
    """Check that a table of one round of three turns serves a longer game by repeating its last entries."""
    rows = [[1, 2, 3, *[0] * (TURNS - 3)] for _ in range(size_of(program) // TURNS)]
    worths = tuple(worth for row in rows for worth in row)
    kept = msgspec.structs.replace(WorthFile.of(guessed(program)), worths=worths, rounds=1, rules="others")
    worth = kept.learned(program).worth
    assert [value(worth, "tempura", turn=turn) for turn in (0, 1, 2, 3, 9)] == [GRAIN * own for own in (1, 2, 3, 3, 3)]
    assert set(worth.values) == {GRAIN, 2 * GRAIN, 3 * GRAIN}


def test_learning_begins_with_what_was_borrowed_and_replaces_it(lessons, program):
    ship(program)
    own = house(2)
    borrowed = tables.at_hand(own)
    assert same(borrowed, tables.lender(own).learned(own))
    tables.learned(own)
    assert [worth.values for worth in lessons.begun] == [borrowed.worth.values]
    assert lessons == [own]
    assert tables.lender(own) is None
    assert same(tables.at_hand(own), guessed(own))


def test_nothing_is_borrowed_from_a_game_with_other_cards(lessons, program):
    """Check that a game whose cards fit no table is learnt."""
    ship(program)
    other = house(2, ORCHARD.replace("STAYS", "keep: true"))
    assert tables.lender(other) is None
    tables.at_hand(other)
    assert lessons == [other]


def test_nothing_is_borrowed_from_a_game_with_the_opposite_aim(lessons):
    """Check that a game that the fewest points win borrows from a game with this aim, if there is one."""
    golf = program_of("anniversary", 2, "sushi_golf")
    ship(program_of("anniversary", 2))
    assert tables.lender(golf) is None
    ship(program_of("anniversary", 5, "mochi", "sushi_golf"))
    assert tables.lender(golf).selected == ("mochi", "sushi_golf")
    assert lessons == []


def test_what_another_process_has_learnt(monkeypatch, lessons, program):
    data = tables.encoded(program)
    assert data == b""
    tables.learned(program)
    data = tables.encoded(program)
    forget(monkeypatch)
    monkeypatch.setattr(tables, "_file", lambda _: Path("nowhere"))
    tables.adopt(program_of("sushi_go", 3), data)
    assert not tables.is_learned(program_of("sushi_go", 3))
    tables.adopt(program, data)
    assert same(tables.learned(program), guessed(program))
    assert lessons == [program]


# ── Learning ─────────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.usefixtures("uncompiled")
def test_learning_is_deterministic(monkeypatch, program):
    """Check that the learnt table does not depend on the number of games played at once."""
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


@pytest.mark.usefixtures("uncompiled")
def test_learning_begins_with_what_is_known_before(monkeypatch, program):
    """Check learning from a borrowed table: fewer games; entries not met stay, the others start near."""
    monkeypatch.setattr(learning, "GAMES", 20)
    before, shares = guessed(program).worth, []
    worth = learning.learn(program, shares.append, before=before).worth
    assert len(shares) == learning.ROUNDS_MORE < learning.ROUNDS
    same_as_before = sum(one == two for one, two in zip(worth.values, before.values, strict=True))
    assert 0.5 < same_as_before / len(before.values) < 1
    assert worth.values != learning.learn(program).worth.values


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


@pytest.mark.usefixtures("uncompiled")
@pytest.mark.parametrize("stays", ["keep: true", "on_play: [{add: {rings: 1}}]"])
def test_what_stays_is_learnt_to_the_end_of_the_game(monkeypatch, stays):
    """Check a tree that pays only in later rounds: the first scores nothing, the second twelve points.

    Either the tree stays in the tableau, or its counter does.
    """
    monkeypatch.setattr(learning, "ROUNDS", 2)
    monkeypatch.setattr(learning, "GAMES", 300)
    document, _ = open_document(ORCHARD.replace("STAYS", stays).encode(), "orchard.yaml", lambda _: None)
    worth = learning.learn(load_program(document, NOTHING_SELECTED, 2)).worth
    tree, leaf = value(worth, "tree"), value(worth, "leaf")
    assert tree > leaf + 2 * SCALE


@pytest.fixture
def short(monkeypatch, uncompiled):
    """Learn from few games, without compiling."""
    monkeypatch.setattr(learning, "GAMES", 40)
    monkeypatch.setattr(learning, "STRETCH", 20)
    monkeypatch.setattr(learning, "ROUNDS", 2)


@pytest.mark.usefixtures("short")
def test_several_processes_learn_the_same(program):
    """Check that processes share the results of the first round of learning before the second."""
    with learning.players(program) as play:
        assert play is learning.here
        alone = learning.learn(program, play=play)
    with learning.in_processes(2), learning.players(program) as play:
        assert play is not learning.here
        shares = []
        assert same(learning.learn(program, shares.append, play), alone)
    assert shares == [0.25, 0.5, 0.75, 1.0]


@pytest.mark.usefixtures("short")
def test_a_process_that_is_lost_is_done_without(monkeypatch, program):
    """Check that learning survives the loss of a process, during work or before it."""

    def lost():
        raise BrokenExecutor

    class Lost(InProcessExecutor):
        def submit(self, fn, /, *args, **kwargs):
            if args[-1].start >= 40:
                raise BrokenExecutor
            return super().submit(lost) if args[-1].start == 20 else super().submit(fn, *args, **kwargs)

    monkeypatch.setattr(processes, "open_processes", lambda _count: Lost())
    alone = learning.learn(program)
    with learning.in_processes(2), learning.players(program) as play:
        assert same(learning.learn(program, play=play), alone)


@pytest.mark.usefixtures("short")
def test_nothing_goes_on_after_an_interruption(monkeypatch, program):
    stopped = []

    class Watched(InProcessExecutor):
        def shutdown(self, wait=True, *, cancel_futures=False):
            stopped.append((wait, cancel_futures))

    def interrupt(_share):
        raise KeyboardInterrupt

    monkeypatch.setattr(processes, "open_processes", lambda _count: Watched())
    with (
        pytest.raises(KeyboardInterrupt),
        learning.in_processes(2),
        learning.players(program) as play,
    ):
        learning.learn(program, interrupt, play)
    assert stopped == [(True, True)]
    with learning.players(program) as play:
        assert play is learning.here
