"""Connections that say nothing, too much or too little at a time never stop the others."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
from contextlib import ExitStack, suppress
from pathlib import Path
from random import Random

import pytest

from commands import processes
from draftengine.apps.web import guard
from draftengine.apps.web.catalogue import Catalogue
from draftengine.apps.web.guard import LARGEST_BODY, Connections, address_of
from draftengine.apps.web.hub import Settings
from draftengine.apps.web.storage.chain import hashed, new_seed, new_token
from draftengine.apps.web.storage.engines import SqliteStorage
from draftengine.apps.web.table import Table
from serve.harness import BOT, Page, Process, ask, made, person, serving

LONGEST = 60


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    with serving(tmp_path_factory.mktemp("tables") / "t.sqlite", Catalogue(["sushi_go"])) as own:
        yield own


def raw(address):
    """Return a plain connection, without a client for HTTP."""
    host, port = address.removeprefix("http://").split(":")
    return socket.create_connection((host, int(port)), timeout=LONGEST)


def answered(connection, data=b""):
    """Return status and text of an answer, read until the connection ends."""
    connection.sendall(data)
    heard = b""
    while part := connection.recv(1 << 16):
        heard += part
    head, _, body = heard.partition(b"\r\n\r\n")
    return int(head.split()[1]) if head else 0, body.decode()


def is_ended(connection):
    """Return True once the server ends a connection, after anything it still says."""
    with suppress(ConnectionError):
        while connection.recv(1):
            pass
    return True


def request(address, path, *headers, method="POST", body=b""):
    head = [f"{method} {path} HTTP/1.1", f"Host: {address.removeprefix('http://')}", f"Origin: {address}", *headers]
    return "\r\n".join([*head, "", ""]).encode() + body


# ── What is sent ──────────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_body_without_a_length_has_the_same_limit(address):
    """A body is refused with a message as soon as it is too large; the largest one is read."""
    for length, refusal in ((LARGEST_BODY, (400, "bad-message")), (LARGEST_BODY + 1, (413, "too-large"))):
        chunk = f"{length:x}\r\n".encode() + b"x" * length + b"\r\n"
        for header, body in (
            ("Transfer-Encoding: chunked", chunk + b"0\r\n\r\n"),
            (f"Content-Length: {length}", b"x" * length),
        ):
            with raw(address) as connection:
                asked = request(address, "/api/score", header, "Connection: close", body=body)
                status, text = answered(connection, asked)
            assert (status, json.loads(text)["error"]) == refusal, header


@pytest.mark.parametrize(
    "body",
    [
        rb'{"v": 1, "set": "sushi_go", "players": 2, "variants": ["\ud800"]}',
        rb'{"v": 1, "set": "\ud800", "players": 2, "variants": []}',
        rb'{"v": 1, "upload": "\ud800", "players": 2, "variants": []}',
        rb'{"v": 1, "upload": "a\u0000b", "players": 2, "variants": []}',
        b'{"v": 1, "set": "sushi_go", "players": 1e999, "variants": []}',
        b'{"v": 1, "set": "\xff", "players": 2, "variants": []}',
        b'{"v": 1, "set": "sushi_go", "players": 2, "variants": ["\x00"]}',
        b"\xff\xfe",
    ],
)
def test_bodies_that_cannot_be_kept_are_refused(address, body):
    """Unusable bodies are refused with a sentence, and never cause an error of the server."""
    for path in ("/api/problems", "/api/tables", "/api/sets", "/api/score", "/api/tables/x/sit"):
        asked = request(address, path, f"Content-Length: {len(body)}", "Connection: close", body=body)
        with raw(address) as connection:
            status, text = answered(connection, asked)
        answer = json.loads(text)
        assert (status, answer["error"]) == (400, "bad-message"), path
        assert answer["message"].endswith(".")


@pytest.mark.parametrize(
    "path",
    ["/api/tables/a%00b/code.svg", "/api/games/%00", "/api/games/%ed%a0%80", "/api/sets?language=%00",
     "/api/sets?language=%ed%a0%80", "/api/games/x/replay?seat=%00", "/static/%00", "/static/%ff", "/t/%1b",
     "/api/games/x/replay?seat=" + "9" * 5000, "/static/" + "x" * 5000],
)  # fmt: skip
def test_addresses_that_cannot_be_kept_are_refused(address, path):
    assert 400 <= ask(address, path)[0] < 500


@pytest.mark.parametrize("length", ["9" * 19, "-1", "x", "1e3"])
def test_lengths_that_are_none_are_refused(address, length):
    with raw(address) as connection:
        assert answered(connection, request(address, "/api/score", f"Content-Length: {length}"))[0] in {400, 413}


@pytest.mark.web
def test_halves_of_characters_stop_nobody(address):
    """Lone surrogates in keys and names are refused one by one, and both tables play to their end."""
    (mine, my_tokens), (other, tokens) = (made(address, "sushi_go", [person(), BOT]) for _ in range(2))
    page, calm = Page(address, mine, my_tokens[0]), Page(address, other, tokens[0])
    for own in (page, calm):
        own.ask("start")
    for number in range(20):
        half = rf"k{number}\ud800"
        page.socket.send(f'{{"v": 1, "type": "withdraw", "decision": [1, 0], "key": "{half}"}}')
        assert page.until(lambda message: message["type"] == "refused")["code"] == "bad-message"
        body = f'{{"v": 1, "name": "{half}"}}'.encode()
        asked = request(
            address, f"/api/tables/{mine}/sit", f"Content-Length: {len(body)}", "Connection: close", body=body
        )
        with raw(address) as connection:
            assert answered(connection, asked)[0] == 400
        time.sleep(0.03)  # more at once would exceed the rate limit
    for own in (calm, page):
        own.play(Random(5))
        assert own.game["over"]
        own.close()


# ── What is not sent ──────────────────────────────────────────────────────────────────────────────────────────────────


def test_headers_and_bodies_have_their_time(address, monkeypatch):
    """Silent connections, half heads and half bodies end after their time; a game in progress stays."""
    table, tokens = made(address, "sushi_go", [person(), BOT])
    page = Page(address, table, tokens[0])
    monkeypatch.setattr(guard, "SILENCE", 0.5)
    monkeypatch.setattr(guard, "_BODY", 0.5)
    with raw(address) as nothing, raw(address) as half, raw(address) as body:
        half.sendall(b"GET / HTTP/1.1\r\nHost: ")
        body.sendall(request(address, "/api/score", "Content-Length: 9", body=b"{"))
        status, text = answered(body)
        assert (status, json.loads(text)["error"]) == (408, "too-slow")
        for connection in (nothing, half):
            assert is_ended(connection)
    assert page.ask("start")["type"] == "done"
    page.close()


@pytest.mark.web
def test_a_server_full_of_silence_lets_people_in(tmp_path):
    """When no room is left, the oldest silent connection ends, and a game plays to its end."""
    with (
        serving(
            tmp_path / "t.sqlite", Catalogue(["sushi_go"]), Settings(pause=0, bot_pause=0, connections=4)
        ) as address,
        ExitStack() as left,
    ):
        table, tokens = made(address, "sushi_go", [person(), BOT])
        page = Page(address, table, tokens[0])
        page.ask("start")
        silent = [left.enter_context(raw(address)) for _ in range(40)]
        assert ask(address, "/healthz")[0] == 200
        page.play(Random(3))
        assert page.game["over"]
        assert is_ended(silent[0])


@pytest.mark.web
def test_too_many_tables_are_refused_in_words(tmp_path):
    """One address with too many pages of tables gets a message; its other pages play on."""
    with serving(tmp_path / "t.sqlite", Catalogue(["sushi_go"]), Settings(connections=2)) as address:
        table, tokens = made(address, "sushi_go", [person(), BOT])
        page, watching = Page(address, table, tokens[0]), Page(address, table)
        late = Page(address, table)
        assert (late.last["code"], late.last["message"].count(".")) == ("too-many-here", 1)
        assert page.ask("start")["type"] == "done"
        watching.close()
        assert wait_for(lambda: Page(address, table).last["type"] == "table")


def wait_for(met):
    end = time.monotonic() + LONGEST
    while not met() and time.monotonic() < end:
        time.sleep(0.05)
    return met


@pytest.mark.web
def test_a_class_plays_behind_one_address(address):
    """Fifty-one people behind one address can load all parts of the page, and sit at their tables."""
    parts = [
        "/",
        "/api/sets",
        *(f"/static/{name}" for name in ("main.js", "dom.js", "net.js", "table.js", "style.css")),
    ]
    statuses = {ask(address, part)[0] for _ in range(51) for part in parts}
    assert statuses == {200}
    with ExitStack() as left:
        for _ in range(17):
            table, tokens = made(address, "sushi_go", [person(name) for name in ("Ada", "Ben", "Cy")])
            pages = [Page(address, table, tokens[seat]) for seat in range(3)]
            for page in pages:
                left.callback(page.close)
            assert pages[0].ask("start")["type"] == "done"


class Wire:
    """A stand-in for a transport and its connection."""

    def __init__(self, address, silent=True):
        self.address, self.silent, self.was_silent, self.since = address, silent, True, 0.0
        self.transport, self.aborted = self, False

    def abort(self):
        self.aborted = True


def test_room_is_made_by_the_silent_of_the_fullest_address():
    """Silent connections of the fullest address end first; where all play, a new one is refused."""
    limits = Connections(4, 3)
    crowd = [Wire("crowd", silent) for silent in (False, True, True)]
    assert [limits.open(own) for own in (*crowd, Wire("crowd", silent=False))] == [True] * 4
    assert [own.aborted for own in crowd] == [False, True, False]
    one, other = Wire("one", silent=False), Wire("other", silent=False)
    assert limits.open(one)
    assert not crowd[2].aborted
    assert limits.open(other)
    assert crowd[2].aborted
    assert not limits.open(Wire("late"))
    limits.close("one", one)
    limits.close("one", one)
    assert limits.open(Wire("late"))


def test_networks_of_ipv6_are_one_address():
    assert address_of(("2001:db8::1", 1)) == address_of(("2001:db8::ffff:1", 2)) != address_of(("2001:db8:0:1::1", 1))
    assert address_of(("127.0.0.1", 1)) == "127.0.0.1"
    assert address_of(("fe80::1%eth0", 1)) == address_of(("fe80::2%eth0", 1))
    assert address_of(None) == ""


# ── A server of its own ───────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.skipif(os.name != "posix", reason="other systems have no limit of descriptors")
@pytest.mark.web
def test_more_silent_connections_than_descriptors(tmp_path):
    """A server with 100 descriptors answers beside 300 silent connections, and its log stays short."""
    import resource

    log, began = tmp_path / "log", time.monotonic()
    with log.open("w") as stderr:
        server = Process("--data", str(tmp_path / "t.sqlite"), "--connections", "4", stderr=stderr)
        with ExitStack() as left:
            left.callback(server.kill)
            resource.prlimit(server.process.pid, resource.RLIMIT_NOFILE, (100, 100))
            table, tokens = made(server.address, "sushi_go", [person(), BOT])
            page = Page(server.address, table, tokens[0])
            server.stop()
            for _ in range(100):  # which it finds all at once
                left.enter_context(raw(server.address))
            server.go_on()
            for _ in range(200):
                left.enter_context(raw(server.address))
            page.ask("start")
            assert page.choose(page.some_move(Random(4)))["type"] == "done"
            assert ask(server.address, "/healthz")[0] == 200
    assert 1 <= log.read_text().count("out of system resource") <= 1 + time.monotonic() - began


ESCAPED, OPEN = b'{"v":1,"set":"' + rb"\"" * 32_000, b'{"v":1,"variants":[' + b"[]," * 20_000
ATTACKS = {
    "escaped": ESCAPED, "brackets": b"[" * 65_000, "lists": OPEN + b"[]]}", "unclosed": OPEN, "quotes": b'"' * 65_000,
    "texts": b'{"v":1,"variants":[' + b'"",' * 20_000 + b'""]}', "digits": b'{"v":1,"players":' + b"9" * 65_000 + b"}",
    "halves": b'{"v":1,"variants":[' + rb'"\ud800",' * 7_000 + b'""]}',
    "numbers": b'{"v":1,"x":[' + b"1e5," * 16_000 + b"1]}",
    "controls": b'{"v":1,"set":"' + b"\x7f" * 65_000 + b'"}',
}  # fmt: skip


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux says what a process has used")
@pytest.mark.web
def test_an_attack_costs_little(tmp_path):
    """Each body of 64 KB costs at most 50 ms of processor time, and is refused with a reason."""
    server = Process("--data", str(tmp_path / "t.sqlite"))
    used = Path(f"/proc/{server.process.pid}/stat")

    def seconds():
        return sum(map(int, used.read_text().rpartition(")")[2].split()[11:13])) / os.sysconf("SC_CLK_TCK")

    try:
        table, tokens = made(server.address, "sushi_go", [person(), BOT])
        page = Page(server.address, table, tokens[0])
        page.ask("start")
        for name, body in ATTACKS.items():
            before = seconds()
            for _ in range(10):
                asked = request(server.address, "/api/problems", f"Content-Length: {len(body)}", "Connection: close")
                with raw(server.address) as connection:
                    status, text = answered(connection, asked + body)
                assert (status, json.loads(text)["error"]) == (400, "bad-message"), name
            assert seconds() - before < 10 * 0.05, name
            assert page.ask("sheet")["type"] == "sheet"
        page.close()
    finally:
        server.kill()


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux has prlimit")
def test_a_full_disk_says_so(tmp_path):
    """With a full disk, choices are refused and the table stays as it is; with room again it goes on."""
    import resource

    path, log = tmp_path / "t.sqlite", tmp_path / "log"
    with log.open("w") as stderr, ExitStack() as left:
        server = Process("--data", str(path), stderr=stderr)
        left.callback(server.kill)
        table, tokens = made(server.address, "sushi_go", [person(), person("Ben"), BOT])
        page, other = (Page(server.address, table, tokens[seat]) for seat in (0, 1))
        page.ask("start")
        other.until(lambda message: message.get("game"))
        move, theirs = page.some_move(Random(1)), other.some_move(Random(1))

        def room(size):
            limits = resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE)
            resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (size, limits[1]))

        room(path.stat().st_size)
        for _ in range(3):
            answer = page.choose(move)
            assert (answer["type"], answer["code"], answer["key"] is None) == ("refused", "not-saved", False)
        assert other.choose(theirs)["code"] == "not-saved"
        assert json.loads(ask(server.address, "/api/tables", NEW)[1])["error"] == "not-saved"
        room(resource.RLIM_INFINITY)
        assert other.choose(theirs)["type"] == page.choose(move)["type"] == "done"
        page.until(lambda message: message["type"] == "table" and message["decision"] == [1, 1])
        left.callback(other.close)
        page.close()
    assert "Traceback" not in log.read_text()


NEW = {"set": "sushi_go", "seats": [person(), BOT], "variants": []}


@pytest.mark.skipif(os.name != "posix", reason="other systems have no SIGTERM")
@pytest.mark.parametrize("name", ["SIGTERM", pytest.param("SIGINT", marks=pytest.mark.web)])
def test_a_server_ends_in_a_sentence(tmp_path, name):
    """SIGTERM ends a server without a traceback, even during a game, a request and a hint."""
    log = tmp_path / "log"
    with log.open("w") as stderr, ExitStack() as left:
        server = Process("--data", str(tmp_path / "t.sqlite"), stderr=stderr)
        left.callback(server.kill)
        table, tokens = made(server.address, "sushi_go", [person(), BOT])
        page = Page(server.address, table, tokens[0])
        page.ask("start")
        page.send(type="hint", key="h")
        left.enter_context(raw(server.address))
        begun = left.enter_context(raw(server.address))
        begun.sendall(request(server.address, "/api/score", "Content-Length: 9", body=b"{"))
        time.sleep(0.2)
        server.process.send_signal(getattr(signal, name))
        server.process.wait(LONGEST)
    assert "Traceback" not in log.read_text()


STUCK = """
import threading
from draftengine.__main__ import start
from draftengine.apps.web import server
from draftengine.apps.web.storage.engines import SqliteStorage
server.ENDING = 0.5
SqliteStorage.let_go = lambda self: threading.Event().wait()
start()
"""
"""Script of a server whose database never returns from closing."""


@pytest.mark.skipif(os.name != "posix", reason="other systems have no SIGTERM")
def test_a_server_ends_even_where_something_hangs(tmp_path):
    """A server whose shutdown hangs says where, and keeps all that it has stored."""
    arguments = ("serve", "sushi_go", "--port", "0", "--data", str(tmp_path / "t.sqlite"))
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    with processes.python("-c", STUCK, *arguments, **pipes) as server, ExitStack() as left:
        left.callback(server.kill)
        address = server.stdout.readline().split()[-1]
        table, tokens = made(address, "sushi_go", [person(), BOT])
        server.send_signal(signal.SIGTERM)
        assert server.wait(60) == 1
        assert "in <lambda>" in server.stderr.read()
    kept = SqliteStorage(tmp_path / "t.sqlite").take(table, time.time() + 100)
    assert Table.of(table, kept.head, kept.entries).seat_of(tokens[0]) == 0


def test_no_log_holds_what_is_secret():
    """Logs hold no secrets, in messages, errors and their causes, and repeated messages are limited."""
    seed, salt = new_seed()
    secrets = (seed, salt, new_token(), hashed(new_token()))
    code = f"""
import logging
from draftengine.apps.web import server
server.set_up()
try:
    try:
        raise ValueError({json.dumps(secrets)!r})
    except ValueError as error:
        raise KeyError({secrets[0]!r}) from error
except KeyError:
    logging.getLogger("asyncio").exception("Task exception was never retrieved %s", {secrets!r})
for number in range(10_000):
    logging.getLogger("uvicorn.error").warning("again and again %s", number)
"""
    environment = {**os.environ, "PYTHONPATH": str(processes.SOURCE)}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=environment)
    assert "never retrieved" in done.stderr
    assert "Traceback" in done.stderr
    assert not [secret for secret in secrets if secret in done.stderr or secret[:32] in done.stderr]
    assert len(done.stderr.splitlines()) < 400


def test_different_errors_with_the_same_message_are_logged():
    """Only what repeats in the same second is left out, not another error below the same headline."""
    code = """
import logging
from draftengine.apps.web import server
server.set_up()
for error in (OSError(24, "Too many open files"), OSError(24, "Too many open files"), KeyError("lost")):
    logging.getLogger("asyncio").error("Exception in callback", exc_info=error)
"""
    environment = {**os.environ, "PYTHONPATH": str(processes.SOURCE)}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=environment)
    assert (done.stderr.count("Too many open files"), done.stderr.count("KeyError")) == (1, 1)
