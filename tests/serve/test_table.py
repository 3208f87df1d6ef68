"""The table as a state machine: a fold over its entries, which refuses requests with codes."""

from __future__ import annotations

import asyncio
import json
import threading

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

import draftengine as de
from draftengine.apps.web import REASONS, RefusedError, messages
from draftengine.apps.web.bots import to_choose
from draftengine.apps.web.catalogue import head_of
from draftengine.apps.web.hub import TableServer
from draftengine.apps.web.live import AWAY, EMOTE_PAUSE, SILENCE, Client, LiveTable
from draftengine.apps.web.messages import story_shown, table_shown
from draftengine.apps.web.storage.chain import hashed
from draftengine.apps.web.storage.engines import SqliteStorage
from draftengine.apps.web.table import Request, Table
from loops import in_a_loop
from serve.harness import AT_ONCE

PLAYERS = 3


def head(game):
    return {
        "versions": {},
        "rules": game.ruleset.to_json(),
        "players": game.players,
        "fingerprint": game.fingerprint,
        "hints": True,
        "effects": True,
        "memory": True,
    }


@pytest.fixture(scope="module")
def game():
    return de.load("sushi_go", players=PLAYERS)


def do(table, kind, seat=-1, key="", /, **data):
    """Apply the entries of a request."""
    for entry in table.propose(Request(kind, seat, key, data)):
        table.apply(json.loads(json.dumps(entry)))


def refusal(table, kind, seat=-1, **data):
    with pytest.raises(RefusedError) as error:
        do(table, kind, seat, **data)
    return error.value.code


def seated(game):
    table = Table("t", head(game))
    for seat, name in enumerate(["Ada", "Ben", "Cy"]):
        do(table, "sit", seat=-1, name=name, token=hashed(name))
        assert table.seats[seat].name == name
    return table


@pytest.fixture
def table(game):
    own = seated(game)
    do(own, "start", 0, seed="s", salt="t")
    return own


def some(table, seat, at=0):
    return table.view(seat).moves[at].to_json()


def test_choices_wait_for_all(table):
    """No choice is carried out, or shown to others, before all seats have chosen and it is revealed."""
    before = table.state
    do(table, "choose", 0, decision=[1, 0], move=some(table, 0))
    do(table, "choose", 1, decision=[1, 0], move=some(table, 1))
    assert table.state is before
    assert refusal(table, "reveal", decision=0) == "late"
    assert '"chosen": null' in json.dumps(table_shown(table, 2, (), 0)["game"])
    do(table, "choose", 2, decision=[1, 0], move=some(table, 2))
    do(table, "reveal", decision=0)
    assert (table.decision, table.choices) == (1, {})
    assert [len(own) for own in table.view(-1).tableaus] == [1, 1, 1]


def test_a_choice_can_be_taken_back_and_replaced(table):
    do(table, "choose", 0, decision=[1, 0], move=some(table, 0))
    do(table, "withdraw", 0, decision=[1, 0])
    assert refusal(table, "withdraw", 0, decision=[1, 0]) == "nothing-to-take-back"
    do(table, "choose", 0, decision=[1, 0], move=some(table, 0, 0))
    do(table, "choose", 0, decision=[1, 0], move=some(table, 0, 1))
    assert table.choices[0] == table.view(0).moves[1]


def all_choose(table):
    for seat in table.waiting:
        do(table, "choose", seat, decision=[table.number, table.decision], move=some(table, seat))


def test_what_is_late_changes_nothing(table):
    """After a reveal, choices, withdrawals and reveals for the decision before are refused."""
    all_choose(table)
    do(table, "reveal", decision=0)
    assert refusal(table, "withdraw", 0, decision=[1, 1]) == "nothing-to-take-back"
    for _ in range(2):  # before any choice, and after all of them
        before = table.length, dict(table.choices), table.state
        assert refusal(table, "choose", 0, decision=[1, 0], move=some(table, 0, 1)) == "late"
        assert refusal(table, "withdraw", 0, decision=[1, 0]) == "late"
        assert refusal(table, "reveal", decision=0) == "late"
        assert (table.length, table.choices, table.state) == before
        all_choose(table)
    while table.playing:
        all_choose(table)
        do(table, "reveal", decision=table.decision)
    do(table, "start", 0, seed="another", salt="t")
    assert refusal(table, "choose", 0, decision=[1, 0], move=some(table, 0)) == "late", "it is of the game before"
    do(table, "choose", 0, decision=[2, 0], move=some(table, 0))
    assert refusal(table, "withdraw", 0, decision=[1, 0]) == "late"


@pytest.mark.parametrize("missing", range(PLAYERS))
@pytest.mark.parametrize("kinds", [("person", "person", "person"), ("person", "bot", "bot")])
def test_a_reveal_waits_for_every_seat(table, kinds, missing):
    """A reveal waits for all seats, people and bots, even after a choice is taken back late."""
    for sitter, kind in zip(table.seats, kinds, strict=True):
        sitter.kind = kind
    all_choose(table)
    assert table.complete
    do(table, "withdraw", missing, decision=[1, 0])
    before = table.state
    assert not table.complete
    assert refusal(table, "reveal", decision=0) == "late"
    assert table.state is before


def test_who_is_alone_with_bots_ends_the_pause(game):
    """One person among bots ends the pause of this choice, but no later one. Results are read first."""

    def choose():
        for seat in range(PLAYERS):
            do(table, "choose", seat, decision=[table.number, table.decision], move=some(table, seat))

    table = Table("t", head(game))
    do(table, "sit", seat=-1, name="Ada", token=hashed("Ada"))
    for seat in (1, 2):
        do(table, "seat", 0, seat=seat, to="bot", level="easy")
    do(table, "start", 0, seed="s", salt="t")
    hurry = Request("ready", 0, data={"decision": [table.number, table.decision]})
    assert not table.ends_pause(hurry), "not all have chosen"
    choose()
    assert table.ends_pause(hurry)
    assert table.ends_pause(Request("ready", 0))
    assert not table.ends_pause(Request("ready", 1))
    table.unread = {0}
    assert not table.ends_pause(hurry), "the results come first"
    table.unread = set()
    do(table, "reveal", decision=table.decision)
    choose()
    assert not table.ends_pause(hurry), "this was for the choice before"


def test_nobody_acts_for_another(table):
    """A request is for the seat that sends it; a token is for one seat, and its hash for none."""
    for named in range(PLAYERS):
        (entry,) = table.propose(Request("choose", 1, "", {"decision": [1, 0], "move": some(table, 1), "seat": named}))
        assert entry["seat"] == 1
    do(table, "choose", 0, decision=[1, 0], move=some(table, 0))
    table.unread = {0}
    for kind, code in (("withdraw", "nothing-to-take-back"), ("ready", "late")):
        assert refusal_of(table, Request(kind, 1, "", {"decision": [1, 0], "seat": 0})) == code
    assert [table.seat_of(name) for name in ("Ada", "Ben", "Cy")] == [0, 1, 2]
    for token in (hashed("Ben"), "", "Be", "Benn"):
        with pytest.raises(RefusedError, match="does not belong"):
            table.seat_of(token)


@pytest.mark.parametrize(
    ("here", "asking", "seconds", "allowed"),
    [([0, 1], 1, SILENCE, True), ([0, 1], 0, SILENCE - 1, False), ([0, 1, 2], 0, 0, False), ([0, 2], 2, 0, True)],
    ids=["anybody after a silence", "nor the host before it", "nobody for those present", "people themselves"],
)
def test_a_bot_replaces_those_who_are_away(here, asking, seconds, allowed):
    """Anybody may let a bot play for a person who has been away for long enough."""
    live = LiveTable(None, clients={Client(seat) for seat in here}, gone={2: 0.0}, clock=lambda: seconds)
    if allowed:
        live.check_replaced(asking, 2)
    else:
        with pytest.raises(RefusedError, match="is playing there"):
            live.check_replaced(asking, 2)


def test_a_page_offers_a_bot_no_sooner_than_the_server_allows_it(table):
    """The seconds that a page gets are rounded down: it compares them with the limit."""
    assert table_shown(table, 0, (), 0, gone={1: AWAY - 0.4})["seats"][1]["gone"] == AWAY - 1


def test_an_emote_is_shown_to_all_and_not_too_often():
    """Everybody gets an emote with its seat; a seat has to wait before the next one, others do not."""
    now, clients = [100.0], [Client(0), Client(-1)]
    live = LiveTable(None, clients={*clients}, clock=lambda: now[0])
    live.emote(0, "wow")
    live.emote(1, "nice")
    now[0] += EMOTE_PAUSE - 1
    with pytest.raises(RefusedError):
        live.emote(0, "wow")
    now[0] += 1
    live.emote(0, "think")
    for client in clients:
        heard = [json.loads(text) for text in client._waiting]
        assert [(message["seat"], message["emote"]) for message in heard] == [(0, "wow"), (1, "nice"), (0, "think")]


def test_who_was_put_out_neither_sees_nor_acts(tmp_path):
    """A seat given to another person is closed for its former page."""

    async def everything():
        server = TableServer(SqliteStorage(tmp_path / "t.sqlite"), AT_ONCE)
        seats = {"seats": [{"kind": "person", "name": name} for name in ("Ada", "Ben", "Cy")]}
        options = {"hints": True, "effects": True, "memory": True}
        name, tokens = await server.create(head_of(de.load("sushi_go", players=3)), {**seats, **options})
        live = await server.live(name)
        ben, screen, late = Client(1), Client(2, beside=[1]), Client(1)
        await server.enter(live, ben)
        await server.enter(live, screen)
        read = asyncio.Event()
        server._rules_in = lambda *_: read.wait()
        entering = asyncio.create_task(server.enter(live, late))
        await asyncio.sleep(0)
        await server.ask(live, Request("seat", 0, "", {"seat": 1, "to": "free", "level": "easy"}))
        read.set()
        with pytest.raises(RefusedError, match="does not belong"):
            await entering
        with pytest.raises(RefusedError, match="does not belong"):
            live.table.seat_of(tokens[1])
        assert (await server.sit(name, "Di", 1))[0] == 1
        await server.ask(live, Request("start", 0))
        assert live.here == {2}
        frame = json.loads(ben._waiting[-1])
        assert (ben.seat, frame["seat"], frame["game"]["hand"]) == (-1, -1, [])
        await server.disk.close()

    in_a_loop(everything())


def test_a_hand_that_comes_back_is_shown(table):
    """After the first reveal, a seat knows one hand at its neighbour: its own, less the passed card."""
    hand = dict(table.view(0).stock)
    for seat in table.waiting:
        do(table, "choose", seat, decision=[1, 0], move=some(table, seat))
    (card,) = table.choices[0].cards
    do(table, "reveal", decision=0)
    (coming,) = table_shown(table, 0, (), 0)["game"]["coming"]
    left = {name: copies - (name == card) for name, copies in hand.items()}
    assert dict(coming["cards"]) == {name: copies for name, copies in left.items() if copies}
    assert (coming["from"], coming["turns"], coming["size"]) == (1, PLAYERS - 1, sum(left.values()))
    assert table_shown(table, -1, (), 0)["game"]["coming"] == []
    table.head["memory"] = False
    table.shown.clear()
    assert table_shown(table, 0, (), 0)["game"]["coming"] == []


def test_news_are_made_once_for_those_who_know_as_much(table, monkeypatch):
    """News are shared by clients with equal knowledge; another language or a gap needs news of its own."""
    made = []
    usual = messages.story_shown
    monkeypatch.setattr(messages, "story_shown", lambda *asked: made.append(asked) or usual(*asked))
    live = LiveTable(table, clients={Client(-1) for _ in range(100)} | {Client(0), Client(-1, language="ja")})
    live.tell()
    assert len(made) == 3
    late = Client(-1)
    late.rules = {"title": "x"}
    live.clients.add(late)
    for seat in table.waiting:
        do(table, "choose", seat, decision=[1, 0], move=some(table, seat))
    do(table, "reveal", decision=0)
    live.tell()
    assert len(made) == 7
    heard = {client: [json.loads(text) for text in client._waiting] for client in live.clients}
    assert "rules" in heard[late][0]
    assert "rules" not in heard[next(client for client in live.clients if len(client._waiting) == 2)][1]
    for client in live.clients - {late}:
        assert [news["seat"] for news in heard[client]] == [client.seat] * 2
        assert [news["since"] for news in heard[client]] == [0, heard[client][0]["told"]]


def test_a_table_that_takes_long_to_read_delays_no_other(tmp_path, monkeypatch):
    """A table that is slow to read delays only those who open it, and they share one reading."""
    usual, read = Table.of, threading.Event()

    async def everything():
        server = TableServer(SqliteStorage(tmp_path / "t.sqlite"), AT_ONCE)
        wanted = {"seats": [{"kind": "person", "name": "Ada"}] * 2, "hints": True, "effects": True, "memory": True}
        slow, quick = [(await server.create(head_of(de.load("sushi_go", players=2)), wanted))[0] for _ in range(2)]
        monkeypatch.setattr(Table, "of", lambda name, *kept: (name == slow and read.wait(), usual(name, *kept))[1])
        opening = [asyncio.create_task(server.live(slow)) for _ in range(2)]
        try:
            assert (await asyncio.wait_for(server.live(quick), 60)).table.id == quick
            assert not any(task.done() for task in opening)
        finally:
            read.set()
        one, other = await asyncio.gather(*opening)
        assert one is other
        await server.disk.close()

    in_a_loop(everything())


def test_nobody_fills_the_disk_by_choosing_and_taking_back(table):
    """After several hundred entries, choices can no longer be taken back until the next reveal."""

    def times():
        count = 0
        while True:
            do(table, "choose", 0, decision=[1, table.decision], move=some(table, 0))
            try:
                do(table, "withdraw", 0, decision=[1, table.decision])
            except RefusedError as error:
                if error.code == "too-often":
                    return count
                raise
            count += 1

    first = times()
    assert 100 < first < 500
    for seat in set(table.waiting) - {0}:
        do(table, "choose", seat, decision=[1, table.decision], move=some(table, seat))
    do(table, "reveal", -1, decision=table.decision)
    assert times() == first


def test_a_request_happens_once(table):
    """A repeated key adds no entries, even with another request; each seat has its own keys."""
    do(table, "choose", 0, "k", decision=[1, 0], move=some(table, 0))
    length = table.length
    do(table, "withdraw", 0, "k", decision=[1, 0])
    assert (table.length, 0 in table.choices) == (length, True)
    do(table, "choose", 1, "k", decision=[1, 0], move=some(table, 1))
    assert 1 in table.choices


@pytest.mark.parametrize(
    ("kind", "seat", "data", "code"),
    [
        ("choose", 0, {"decision": [1, 1]}, "late"),
        ("choose", 0, {"decision": [2, 0]}, "late"),
        ("choose", 7, {"decision": [1, 0]}, "not-your-turn"),
        ("choose", 0, {"decision": [1, 0], "move": {"cards": ["nothing like that"]}}, "illegal-move"),
        ("choose", 0, {"decision": [1, 0], "move": {"cards": []}}, "illegal-move"),
        ("sit", -1, {"name": "Di", "token": ""}, "table-full"),
        ("again", 0, {"seats": [0], "yes": True, "same": False}, "not-over"),
        ("host", 1, {"seat": 1}, "not-the-host"),
        ("seat", 0, {"seat": 1, "to": "bot", "level": "easy"}, "already-started"),
        ("start", 0, {"seed": "s", "salt": "t"}, "already-started"),
        ("start", 1, {"seed": "s", "salt": "t"}, "not-the-host"),
        ("ready", 0, {}, "late"),
        ("replace", 0, {"seat": 99}, "not-yours"),
        ("return", 1, {}, "not-yours"),
    ],
)
def test_refused_by_name(table, kind, seat, data, code):
    """Refusals have codes from a closed list, and change nothing."""
    before = table.state.digest, table.length
    usual = {"move": some(table, 0)} if kind == "choose" else {}
    found = refusal_of(table, Request(kind, seat, "", {**usual, **data}))
    assert found == code
    assert code in REASONS
    assert (table.state.digest, table.length) == before


def refusal_of(table, request):
    with pytest.raises(RefusedError) as error:
        table.propose(request)
    return error.value.code


def test_nobody_else_takes_a_seat(game):
    table = seated(game)
    assert table.seat_of("Ben") == 1
    with pytest.raises(RefusedError, match="does not belong"):
        table.seat_of("ben")
    assert refusal_of(table, Request("sit", -1, "", {"name": "Di", "token": ""})) == "table-full"
    assert refusal_of(table, Request("sit", -1, "", {"name": "Di", "token": "", "seat": 1})) == "seat-taken"


def test_free_seats_are_for_bots(game):
    table = Table("t", head(game))
    do(table, "sit", name="Ada", token=hashed("Ada"))
    do(table, "start", 0, seed="s", salt="t")
    assert [own.kind for own in table.seats] == ["person", "bot", "bot"]
    assert len({own.name for own in table.seats}) == PLAYERS


def test_other_rules_are_refused(game, table):
    """A table made by a version with other rules is refused with a message."""
    with pytest.raises(RefusedError) as error:
        Table("t", {**head(game), "fingerprint": "0" * 64})
    assert error.value.code == "other-rules"
    entries = [{"kind": "start", "seed": "s", "salt": "t"}, {"kind": "reveal", "leads": "0" * 16}]
    with pytest.raises(RefusedError):
        Table.of("t", head(game), tuple(entries))


def test_the_part_of_the_host_passes_on(game):
    """Only a person can become host; the former host stays a guest, also after reloading."""
    table, entries = Table("t", head(game)), []
    for seat, name in enumerate(["Ada", "Ben"]):
        entries += table.propose(Request("sit", -1, "", {"seat": seat, "name": name, "token": hashed(name)}))
        table.apply(entries[-1])
    for seat in (-1, 0, 2, 3):
        assert refusal_of(table, Request("host", -1, "", {"seat": seat})) == "not-yours"
    assert (table.host, table.host_before) == (0, -1)
    entries += table.propose(Request("host", -1, "", {"seat": 1}))
    table.apply(entries[-1])
    assert refusal_of(table, Request("start", 0, "", {"seed": "s", "salt": "t"})) == "not-the-host"
    entries += table.propose(Request("start", 1, "", {"seed": "s", "salt": "t"}))
    again = Table.of("t", head(game), tuple(json.loads(json.dumps(entries))))
    assert (again.host, again.host_before, again.number) == (1, 0, 1)


def played(table):
    """Play the game of a table to its end, each seat with its first legal move; return it."""
    while table.playing:
        for seat in table.waiting:
            do(table, "choose", seat, decision=[table.number, table.decision], move=some(table, seat))
        do(table, "reveal", decision=table.decision)
    return table


def test_another_game_counts_wins(table):
    """Wins are counted by sitter; who has sat down since has none, and the record names who played."""
    won = [seat in played(table).state.result.winners for seat in range(PLAYERS)]
    assert [seat.wins for seat in table.seats] == [*map(int, won)]
    do(table, "again", 0, seats=[0, 1], yes=True, same=True)
    do(table, "again", 1, seats=[1], yes=False, same=False)
    assert [seat.again for seat in table.seats] == [True, False, False]
    assert table.same
    assert refusal(table, "start", 1, seed="s", salt="t") == "not-the-host"
    do(table, "start", seed="s", salt="u")
    assert (table.number, table.repeats, [seat.again for seat in table.seats]) == (2, True, [False] * PLAYERS)
    played(table)
    assert [seat.wins for seat in table.seats] == [*map(int, won)], "everybody knew this deal"
    do(table, "again", 1, seats=[1], yes=True, same=True)
    assert not table.same, "only the host may wish for it"
    do(table, "seat", 0, seat=2, to="free", level="easy")
    do(table, "sit", name="Di", token=hashed("Di"))
    assert [seat["name"] for seat in table.record()["seats"]] == table.names == ["Ada", "Ben", "Cy"]
    assert [(seat.name, seat.wins, seat.late) for seat in table.seats][2] == ("Di", 0, False)
    do(table, "start", 0, seed="v", salt="t")
    assert (table.names, table.repeats) == (["Ada", "Ben", "Di"], False)
    played(table)
    again = [seat in table.state.result.winners for seat in range(PLAYERS)]
    assert [seat.wins for seat in table.seats] == [won[0] + again[0], won[1] + again[1], again[2]]


def test_another_game_begins_when_all_present_want_it(table):
    """Nobody waits for those who have left; those at the results and those who just left count as present."""
    now, people = [0.0], [Client(seat) for seat in range(PLAYERS)]
    live = LiveTable(played(table), clients={*people}, clock=lambda: now[0])
    do(table, "again", 0, seats=[0], yes=True, same=False)
    do(table, "again", 1, seats=[1], yes=True, same=False)
    assert not live.all_want_another(), "one is at the results"
    live.clients.remove(people[2])
    assert not live.all_want_another(), "one has only just left"
    now[0] += AWAY
    assert live.all_want_another()
    do(table, "again", 1, seats=[1], yes=False, same=False)
    assert not live.all_want_another()
    live.clients.clear()
    now[0] += AWAY
    assert not live.all_want_another(), "nobody is there"


def test_a_late_friend_sees_the_hand_from_the_next_turn(game):
    """The bot's choice of this turn stands, and its hand is not shown before the next one."""
    table = Table("t", head(game))
    do(table, "sit", name="Ada", token=hashed("Ada"))
    do(table, "start", 0, seed="s", salt="t")
    do(table, "sit", name="Cy", token=hashed("Cy"), seat=2)
    assert to_choose(table) == [1, 2]
    late = table_shown(table, 2, (), 0)
    assert (late["seat"], late["seats"][2]["name"], late["game"]["hand"]) == (2, "Cy", [])
    assert {**late["game"], "names": []} == {**table_shown(table, -1, (), 0)["game"], "names": []}
    for seat in table.waiting:
        do(table, "choose", seat, decision=[1, 0], move=some(table, seat))
    assert table_shown(table, 2, (), 0)["game"]["chosen"] is None
    assert messages.tip_shown(table, 2, (), "touch") is None
    do(table, "reveal", decision=0)
    assert to_choose(table) == [1]
    assert table_shown(table, 2, (), 0)["game"]["hand"]


class Fold(RuleBasedStateMachine):
    """Random requests: entries always fold to an equal table, and refusals change nothing."""

    @initialize()
    def begin(self):
        self.game = de.load("sushi_go", players=PLAYERS)
        self.table, self.entries = Table("t", head(self.game)), []
        for name in ("Ada", "Ben"):
            self.ask("sit", -1, name=name, token=hashed(name))

    def ask(self, kind, seat, key="", /, **data):
        self.happen(Request(kind, seat, key, data))

    def happen(self, request):
        before = self.table.length
        try:
            found = self.table.propose(request)
        except RefusedError as error:
            found, code = [], error.code
        else:
            code = "bad-message"
        assert code in REASONS
        assert self.table.length == before
        for entry in json.loads(json.dumps(found)):
            self.table.apply(entry)
            self.entries.append(entry)

    @rule(seat=st.integers(-1, 2), seed=st.sampled_from("ab"))
    def start(self, seat, seed):
        self.ask("start", seat, seed=seed, salt="t")

    @precondition(lambda self: self.table.playing)
    @rule(seat=st.integers(0, 2), at=st.integers(0, 3), stale=st.booleans(), key=st.sampled_from(["", "x", "y"]))
    def choose(self, seat, at, stale, key):
        moves = self.table.view(seat).moves
        if moves:
            decision = [self.table.number, self.table.decision - stale]
            self.ask("choose", seat, key, decision=decision, move=moves[at % len(moves)].to_json())

    @precondition(lambda self: self.table.playing)
    @rule()
    def all_choose(self):
        for seat in self.table.waiting:
            decision = [self.table.number, self.table.decision]
            self.ask("choose", seat, decision=decision, move=self.table.view(seat).moves[0].to_json())

    @rule(seat=st.integers(0, 2))
    def withdraw(self, seat):
        self.ask("withdraw", seat, decision=[self.table.number, self.table.decision])

    @rule()
    def reveal(self):
        self.ask("reveal", -1, decision=self.table.decision)

    @rule(seat=st.integers(0, 3), kind=st.sampled_from(["replace", "return", "ready", "host"]))
    def come_and_go(self, seat, kind):
        self.happen(Request(kind, seat, "", {"seat": seat}))

    @rule(seat=st.integers(0, 2), yes=st.booleans(), same=st.booleans())
    def again(self, seat, yes, same):
        self.ask("again", seat, seats=[seat], yes=yes, same=same)

    @rule(seat=st.integers(0, 2), name=st.sampled_from(["Cy", "Di"]))
    def sit(self, seat, name):
        self.ask("sit", -1, seat=seat, name=name, token=hashed(name))

    @invariant()
    def the_entries_lead_here(self):
        if self.entries and len(self.entries) % 5 == 0:
            again = Table.of("t", head(self.game), tuple(self.entries))
            for seat in range(-1, PLAYERS):
                assert table_shown(again, seat, (), 0) == table_shown(self.table, seat, (), 0)
                assert story_shown(again, seat, 0) == story_shown(self.table, seat, 0)


TestFold = Fold.TestCase
TestFold.settings = settings(max_examples=10, stateful_step_count=25)
