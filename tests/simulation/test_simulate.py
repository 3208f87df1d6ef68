"""Simulations: equal counts in every engine and number of processes, and the meaning of the counts."""

import csv
import io
import os
import signal
import subprocess
import sys
import time
from contextlib import contextmanager
from itertools import product
from math import isclose
from multiprocessing import active_children
from pathlib import Path
from types import SimpleNamespace

import pytest
from msgspec.structs import replace

from conftest import NIGHTLY
from draftengine.api.ruleset import load
from draftengine.engine import accounting as at
from draftengine.engine.game import result
from draftengine.engine.policies import random_game
from draftengine.studies import runner
from draftengine.studies.report.statistics import summarise, wilson
from draftengine.studies.runner import ExecutorError, InProcessExecutor, open_executor
from draftengine.studies.runner.playing import Task, add, play_chunk
from draftengine.studies.simulation import simulate
from draftengine.studies.simulation.rows import RowWriter, cells_of, columns_of

SEED = "simulated"


def task_of(cardset="sushi_go", players=3, games=60, bots=("random",), *, engine="reference", variants=(), **more):
    seats = tuple(bots[seat % len(bots)] for seat in range(players))
    return Task(load(cardset, players, variants), seats, SEED, 0, games, engine, **more)


def summary_of(task, played):
    game = task.game
    return summarise(game.program, task.bots, played.tally, logged=task.logged)


def test_counts_are_those_of_the_games():
    task = task_of(games=40, logged=True)
    found = summary_of(task, simulate(task))
    games = [random_game(task.game.program, SEED, number) for number in range(40)]
    results = [result(state) for state in games]
    assert found.games == 40
    for seat in found.seats:
        scores = [own.scores[seat.seat] for own in results]
        assert isclose(seat.mean, sum(scores) / 40)
        assert isclose(seat.wins, sum(1 / len(own.winners) for own in results if seat.seat in own.winners))
        assert found.histograms[seat.seat] == {score: scores.count(score) for score in sorted(set(scores))}
    for name, rule in found.rules.items():
        assert isclose(rule.mean * 3 * 40, sum(sum(own.rules.get(name, ())) for own in results))
    decisive = [own for own in results if len(own.winners) == 1]
    margins = [own.scores[own.winners[0]] - sorted(own.scores)[-2] for own in decisive]
    assert isclose(found.margin, sum(margins) / len(margins))
    assert isclose(sum(rule.margin for rule in found.rules.values()), found.margin)
    assert isclose(found.shared, sum(len(own.winners) > 1 for own in results) / 40)
    # Nine cards a round for three rounds and players, and one more whenever chopsticks are used.
    plays = sum(card.taken for card in found.cards.values())
    assert plays >= 40 * 3 * 27
    assert sum(turn.taken for turn in found.cards["pudding"].by_turn) == found.cards["pudding"].taken


def test_the_choice_behind_all_repetitions_is_the_last_turn():
    """A choice after all repetitions is the last turn, not turn 0; rules that give chips are listed once."""
    task = task_of("sushi_draft", 3, 60, logged=True)
    found = summary_of(task, simulate(task))
    turns = [[own.turn for own in card.by_turn] for card in found.cards.values()]
    assert {turn for own in turns for turn in own} == {1, 2, 3, 4, 5}
    assert all(own == sorted(own) for own in turns)
    unlogged = task_of("sushi_draft", 3, 10)
    assert not any(card.by_turn for card in summary_of(unlogged, simulate(unlogged)).cards.values())
    piles = {"ikura_chips", "ebi_chips", "maguro_chips", "tamago_chips", "kappa_chips", "dessert_chips"}
    assert {*found.rules} == piles


def test_fewest_points_win():
    """If the fewest points win, the margin is the number of points that the winner has less."""
    task = task_of("anniversary", 3, variants=["sushi_golf"])
    found = summary_of(task, simulate(task))
    assert found.margin > 0
    assert sum(rule.margin_share for rule in found.rules.values()) == pytest.approx(1)


def test_jobs_change_nothing():
    task = task_of(games=50, bots=("greedy", "random"), logged=True, rows=True)
    alone, together = [], []
    one = simulate(task, jobs=1, keep=alone.append)
    two = simulate(task, jobs=2, keep=together.append)
    assert one.tally == two.tally
    assert [row for chunk in alone for row in chunk.rows] == [row for chunk in together for row in chunk.rows]


def test_only_finished_processes_are_waited_for(monkeypatch):
    """A finished run waits for its processes, as Python 3.11 needs; an interrupted one does not."""
    waited = []

    class Watched(InProcessExecutor):
        def shutdown(self, wait=True, *, cancel_futures=False):
            assert cancel_futures
            waited.append(wait)

    def stop(_progress):
        raise KeyboardInterrupt

    monkeypatch.setattr(runner, "open_executor", lambda *_: Watched())
    assert not simulate(task_of(games=40)).interrupted
    assert simulate(task_of(games=40), tell=stop).interrupted
    assert waited == [True, False]


def test_a_scheduler_that_is_not_there_is_named(monkeypatch):
    def refuse(_address, timeout):
        raise OSError(f"not within {timeout} s")

    monkeypatch.setitem(sys.modules, "distributed", SimpleNamespace(Client=refuse))
    with pytest.raises(ExecutorError, match=r"There is no scheduler at tcp://127\.0\.0\.1:9: not within 10 s"):
        open_executor("tcp://127.0.0.1:9", 1)


MIXED = ("table", "greedy", "random")


@pytest.mark.parametrize(
    ("cardset", "bots"),
    [("party_cutthroat", MIXED)]
    if not NIGHTLY
    else [*product(["sushi_go", "sushi_draft", "party_cutthroat"], [("random",), MIXED])],
)
def test_engines_change_nothing(cardset, bots):
    """Simulations count the same with each engine; `tests/text` compares the games themselves."""
    tallies = [
        simulate(task_of(cardset, 3, 50, bots, logged=True, engine=engine)).tally
        for engine in ("compiled", "reference")
    ]
    assert tallies[0] == tallies[1]


def test_bots_that_are_no_policies_are_given_observations(monkeypatch):
    from draftengine.bots import Decision, catalogue

    class Last:
        def decide(self, seen, _stream, _budget):
            return Decision(seen.moves[-1])

    monkeypatch.setattr(catalogue, "kind_named", lambda _: Last)
    found = summary_of(task_of(bots=("last", "random")), simulate(task_of(games=10, bots=("last", "random"))))
    assert found.games == 10


def write_rows(file, task, facts):
    """Play a task and write a row for every game."""
    columns = columns_of(task.game.program)
    with RowWriter(file, columns, facts, ("winners",)) as writer:
        return simulate(
            task, keep=lambda chunk: writer.write(cells_of(task.game.seats, chunk.first, chunk.rows, len(columns)))
        )


def test_rows_are_the_games(tmp_path):
    task = task_of("sushi_draft", 3, 30, rows=True)
    file = tmp_path / "rows.csv"
    played = write_rows(file, task, {})
    rows = list(csv.DictReader(io.StringIO(file.read_text(encoding="utf-8"))))
    assert [int(row["game"]) for row in rows] == list(range(30))
    sources = [name.removesuffix("_0") for name in rows[0] if name.endswith("_0") and name != "total_0"]
    for row in rows:
        for seat in range(3):
            assert int(row[f"total_{seat}"]) == sum(int(row[f"{source}_{seat}"]) for source in sources)
    first = result(random_game(task.game.program, SEED, 0))
    assert [int(rows[0][f"total_{seat}"]) for seat in range(3)] == list(first.scores)
    assert rows[0]["winners"] == " ".join(map(str, first.winners))
    assert played.tally[at.GAMES] == 30


def test_parquet_holds_the_same_rows(tmp_path):
    duckdb = pytest.importorskip("duckdb")
    task = task_of(games=30, rows=True)
    for name in ("rows.csv", "rows.parquet"):
        write_rows(tmp_path / name, task, {"seed": SEED})
    text = (tmp_path / "rows.csv").read_text(encoding="utf-8").splitlines()
    rows = duckdb.read_parquet(str(tmp_path / "rows.parquet")).fetchall()
    assert [",".join(map(str, row)) for row in rows] == text[1:]
    facts = duckdb.execute("SELECT key, value FROM parquet_kv_metadata(?)", [str(tmp_path / "rows.parquet")]).fetchall()
    assert (b"seed", SEED.encode()) in facts


def test_wilson_is_the_textbook_interval():
    """Wilson intervals agree with Newcombe (1998), table I: 81 of 263."""
    low, high = wilson(81 / 263, 263)
    assert (round(low, 4), round(high, 4)) == (0.2553, 0.3662)


def test_what_is_finished_is_kept(monkeypatch):
    """After Ctrl-C, all games up to some number are counted, without a gap."""
    task = task_of(games=100_000)
    merged = []

    def stop(chunk):
        merged.append(chunk)
        if len(merged) == 3:
            raise KeyboardInterrupt

    played = simulate(task, keep=stop)
    assert played.interrupted
    assert 0 < played.games < task.last
    assert played.tally[at.GAMES] == played.games == merged[-1].last


def test_a_worker_that_dies_is_replaced(tmp_path):
    """After a worker dies its chunk is played again, and nothing is counted twice."""
    task = task_of(games=400)
    lantern = tmp_path / "died"

    def kill_once(chunk):
        if not lantern.exists():
            lantern.touch()
            for child in active_children():
                child.kill()

    assert simulate(task, jobs=2, keep=kill_once).tally == simulate(task).tally
    assert lantern.exists()


def _children(parent):
    """Yield the process ids of the pool's workers, without its resource tracker."""
    for folder in Path("/proc").iterdir():
        try:
            is_worker = "spawn_main" in (folder / "cmdline").read_text(encoding="utf-8")
            if is_worker and int((folder / "stat").read_text(encoding="utf-8").rsplit(")", 1)[1].split()[1]) == parent:
                yield int(folder.name)
        except OSError:
            continue


@contextmanager
def running(*arguments):
    pipe = subprocess.PIPE
    process = subprocess.Popen(
        [sys.executable, *arguments], stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL, text=True
    )
    try:
        yield process
    finally:
        process.stdin.close()
        process.wait(30)
        process.stdout.close()


SCHEDULER = """
import sys
from distributed import LocalCluster
if __name__ == "__main__":
    with LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None) as cluster:
        print(cluster.scheduler_address, flush=True)
        sys.stdin.read()
"""


@pytest.mark.skipif(not NIGHTLY, reason="starts a cluster: make nightly")
def test_a_cluster_counts_the_same_and_survives_a_worker(tmp_path):
    """A cluster of two workers counts as one process does, even if one of them is killed."""
    pytest.importorskip("distributed")
    script = tmp_path / "cluster.py"
    script.write_text(SCHEDULER, encoding="utf-8")
    task = task_of(games=1500)
    killed = []
    with running(str(script)) as process:
        address = process.stdout.readline().strip()

        def kill_one(chunk):
            if not killed:
                workers = sorted(_workers(process.pid))
                os.kill(workers[0], signal.SIGKILL)
                killed.append(workers[0])

        tally = simulate(task, executor=address, keep=kill_one).tally
    assert killed
    assert tally == simulate(task).tally


def _workers(parent):
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline:
        found = list(_children(parent))
        if found:
            return found
        time.sleep(0.1)
    return []


def test_chunks_add_up():
    task = task_of(games=30)
    whole = play_chunk(task).tally
    parts = [play_chunk(replace(task, first=first, last=first + 10)).tally for first in (20, 0, 10)]
    assert add(add(parts[0], parts[1]), parts[2]) == whole
