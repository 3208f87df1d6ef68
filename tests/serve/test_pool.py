"""The pool of processes: late, dead or greedy ones are replaced, and others are not affected."""

from __future__ import annotations

import asyncio
import itertools
import json
import os
import threading
from types import SimpleNamespace

import pytest
from msgspec.structs import replace

import draftengine as de
from conftest import NIGHTLY
from draftengine.apps.web import RefusedError, work
from draftengine.apps.web.bots import Bots
from draftengine.apps.web.catalogue import Catalogue, bring
from draftengine.apps.web.pool import BOTS, FILES, PEOPLE, Once, Pool
from draftengine.apps.web.table import Table
from draftengine.bots.search import bot as search
from draftengine.bots.search.bot import SearchBot
from draftengine.engine.redeal import HiddenCards
from loops import in_a_loop
from serve.harness import AT_ONCE, BOT, InThreads, Page, ask, made, person, serving
from serve.tasks import die, grow, is_tidy, litter, sleep, wrong

pytestmark = pytest.mark.skipif(os.name != "posix", reason="processes are ended by signals here")


async def code_of(awaited):
    try:
        return await awaited
    except RefusedError as error:
        return error.code


def test_processes_are_ended_and_replaced(tmp_path):
    """A process that is late, dies or takes too much memory is replaced, and refusals are passed on."""

    async def asked():
        pool = Pool(2)
        first = await pool.do(BOTS, "t", 60, sleep, 0)
        assert first != os.getpid()
        assert await pool.do(BOTS, "t", 60, sleep, 0) == first, "a process is used again"
        assert await code_of(pool.do(BOTS, "t", 0.2, sleep, 600)) == "takes-too-long"
        with pytest.raises(ProcessLookupError):
            os.kill(first, 0)
        assert await pool.do(BOTS, "t", 60, die, str(tmp_path / "once")) == "alive", "nobody asked once more"
        assert await code_of(pool.do(BOTS, "t", 60, grow)) == "went-wrong"
        with pytest.raises(RefusedError, match="as it was said"):
            await pool.do(BOTS, "t", 60, wrong)
        assert await pool.do(BOTS, "t", 60, sleep, 0)

    in_a_loop(asked())


def test_garbage_is_looked_for_between_tasks():
    """Check that a process collects garbage soon after a task, not during the next ones."""

    async def asked():
        pool = Pool(2)
        assert await pool.do(BOTS, "t", 60, litter) is False
        for _ in range(200):
            await asyncio.sleep(0.1)
            if await pool.do(BOTS, "t", 60, is_tidy):
                return True
        return False

    assert in_a_loop(asked())


class Held(Pool):
    """A pool whose work ends only when the test allows it."""

    def __init__(self, count):
        super().__init__(count)
        self.begun, self.go = [], asyncio.Event()

    async def _done(self, deadline, work, given):
        self.begun.append(given[0])
        await self.go.wait()


def test_nobody_takes_every_process():
    """Card sets may use one process, a table or address two, people all but one, so bots always get one."""

    async def asked():
        pool = Held(5)
        tasks = [asyncio.ensure_future(pool.do(FILES, f"a{n % 2}", 60, sleep, f"file {n}")) for n in range(6)]
        tasks += [asyncio.ensure_future(pool.do(PEOPLE, "greedy", 60, sleep, f"greedy {n}")) for n in range(9)]
        await asyncio.sleep(0)
        tasks += [asyncio.ensure_future(pool.do(PEOPLE, f"p{n}", 60, sleep, f"p{n}")) for n in range(9)]
        tasks += [asyncio.ensure_future(pool.do(BOTS, "t", 60, sleep, "bot"))]
        for _ in range(20):
            await asyncio.sleep(0)
        assert sorted(pool.begun) == ["bot", "file 0", "greedy 0", "greedy 1", "p0"]
        full = [asyncio.ensure_future(code_of(pool.do(PEOPLE, "greedy", 60, sleep, "x"))) for _ in range(100)]
        await asyncio.sleep(0)
        pool.go.set()
        await asyncio.gather(*tasks)
        assert (await asyncio.gather(*full)).count("busy") == 100 - (64 - 9)
        assert not pool._turns, "what is over takes no room"

    in_a_loop(asked())


def test_the_queue_has_an_end():
    async def asked():
        pool = Held(2)
        tasks = [asyncio.ensure_future(code_of(pool.do(PEOPLE, str(n), 60, sleep, n))) for n in range(600)]
        await asyncio.sleep(0)
        pool.go.set()
        assert (await asyncio.gather(*tasks)).count("busy") == 100

    in_a_loop(asked())


def test_what_many_ask_for_is_made_once():
    """Equal requests share one result; failures are repeated, and the number of kept results is limited."""

    async def asked():
        made = []

        async def make():
            made.append(len(made))
            await asyncio.sleep(0)
            if len(made) == 1:
                raise RefusedError("busy")
            return made[-1]

        once = Once(2)
        first = await asyncio.gather(*(code_of(once.get("a", make)) for _ in range(5)))
        assert first == ["busy"] * 5
        assert await asyncio.gather(*(once.get("a", make) for _ in range(5))) == [1] * 5
        assert [await once.get(key, make) for key in "bca"] == [2, 3, 4]

    in_a_loop(asked())


# ── Card sets that take long ──────────────────────────────────────────────────────────────────────────────────────────


def heavy(cards, length):
    """Return a valid card set whose rules take too long to show."""
    names = [f"c{number}" for number in range(cards)]
    rules = [
        "+".join(f"total(max({names[(at + n) % cards]},{names[(at + n + 7) % cards]}))" for n in range(length))
        for at in range(3 * length)
    ]
    lines = [
        "format: 1", "id: heavy", "title: Heavy", "version: 1.0.0", "players: 2-9", "rounds: 20", "cards:",
        *(f"  {name}: {{count: 30}}" for name in names),
        "setup: [{shuffle: deck}]", "round:", "  - deal: {to: hand, cards: 20}",
        "  - repeat: {until_empty: hand, do: [{choose: {from: hand, to: tableau}}, {pass: {zone: hand, to: left}}]}",
        "  - score: round", "  - gather: deck", "  - shuffle: deck", "scoring:",
        *(f"  r{at}: {{kind: formula, points: 'min({rule},100)'}}" for at, rule in enumerate(rules)),
        "winner: {order: most}",
    ]  # fmt: skip
    return "\n".join(lines)


@pytest.mark.parametrize(("failures", "asked", "moves"), [(0, 1, {1: "soup"}), (1, 2, {1: "soup"}), (2, 2, {})])
def test_a_bot_that_fails_is_asked_once_more(failures, asked, moves):
    """A bot that fails is asked once more, but not a third time."""
    calls = []

    class FailingPool:
        async def do(self, kind, _table, _limit, task, *_arguments):
            if kind != BOTS:
                return None
            calls.append(task)
            if len(calls) <= failures:
                raise RuntimeError
            return {1: "soup"}

    table = SimpleNamespace(id="t", game=de.load("sushi_go", players=2), seed=1, decision=(1, 0))
    bots = Bots(FailingPool(), asyncio.ensure_future, 1.0, 1.0)
    assert in_a_loop(bots._decided(table, {1: ("easy", None)})) == moves
    assert len(calls) == asked


def test_a_step_that_everybody_would_wait_for_is_refused(monkeypatch):
    """A card set with a step that takes too long is refused, with the name of the step."""
    _, head = bring("{format: 1, extends: sushi_go, id: mine, title: Mine}")
    heads = []
    monkeypatch.setattr(work, "Table", lambda name, head: heads.append(head) or Table(name, head))
    work.tried(head)
    assert all(heads[0][option] is True for option in ("hints", "effects", "memory")), "everything is tried"
    monkeypatch.setattr(work, "_LONGEST", -1.0)
    monkeypatch.setattr(work._quick, "__defaults__", (-1.0,))
    with pytest.raises(RefusedError, match="Building the game takes"):
        work.tried(head)


class Slow(InThreads):
    """A pool in which checking a heavy card set exceeds its time."""

    checked = 0

    async def _done(self, deadline, work, given):
        if work is bring and "Heavy" in given[0]:
            Slow.checked += 1
            await asyncio.sleep(0.1)
            raise RefusedError("takes-too-long")
        return await super()._done(deadline, work, given)


def test_heavy_card_sets_keep_nobody_waiting(tmp_path):
    """Eight heavy card sets at once are refused with the slow step, and a table plays on meanwhile."""
    with serving(tmp_path / "t.sqlite", Catalogue(["sushi_go"]), replace(AT_ONCE, pool=Slow)) as address:
        table, tokens = made(address, "sushi_go", [person(), BOT])
        page = Page(address, table, tokens[0])
        page.ask("start")
        answers = []
        threads = [
            threading.Thread(target=lambda own=own: answers.append(ask(address, "/api/sets", {"upload": own})))
            for own in (f"{{title: Heavy, number: {number}}}" for number in range(8))
        ]
        for own in threads:
            own.start()
        while page.shown["decision"][1] < 8 and not page.game["over"]:
            decision = page.shown["decision"]
            page.choose(page.game["options"]["options"][0]["move"])
            while page.shown["decision"] == decision:
                page.until(lambda message: message["type"] == "table")
        for own in threads:
            own.join()
        page.close()
    told = [json.loads(body) for _, body in answers]
    assert Slow.checked == 8
    assert {own["error"] for own in told} == {"takes-too-long"}
    assert told[0]["message"].startswith("Checking this card set took more than")


@pytest.mark.skipif(not NIGHTLY, reason="learning and checking take a minute of a processor")
def test_a_heavy_card_set_is_refused_by_a_real_server(tmp_path):
    with serving(tmp_path / "t.sqlite", Catalogue(["sushi_go"]), replace(AT_ONCE, pool=Pool)) as address:
        status, body = ask(address, "/api/sets", {"upload": heavy(28, 20)})
    assert (status, json.loads(body)["error"]) == (503, "takes-too-long")


def test_a_bot_at_a_table_is_stopped_by_the_clock(monkeypatch):
    """Check that a level stops after 50 milliseconds, by a clock that advances by ten at each reading."""
    ticks, done, run = itertools.count(step=0.01), [], search._run
    monkeypatch.setattr(search, "time", SimpleNamespace(perf_counter=lambda: next(ticks), thread_time=lambda: 0.0))
    monkeypatch.setattr(search, "_run", lambda *given: done.append(run(*given)) or done[-1])
    monkeypatch.setattr(work, "bot_for", lambda level, _: de.bot(level))  # unprepared, since compiling takes seconds
    view = de.load("sushi_go", players=4).start(1).view(0)
    assert work.decisions({0: ("hard", view)}, "chance")[0] in view.moves
    searcher, _ = next(SearchBot().searches(view.seen, HiddenCards.of(view.seen)))
    assert done == [4 * searcher.step]


# ── Simple cards ──────────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_simple_card_is_legal_and_gains():
    """The simple card is the move among the first that gains most, or the first if gains are unknown."""
    for name in ("sushi_go", "go_nuts_for_donuts", "ohanami"):
        state = de.load(name, players=3).start("simple")
        while not state.over:
            for seat in state.waiting:
                move = work.simple(state.view(seat))
                assert move in state.view(seat).moves
                state = state.commit(seat, move)
    view = state.game.start("simple").view(0)
    view.brings = None
    assert work.simple(view) == view.moves[0]
