"""A server in its own thread, and clients that speak its protocol as a page does."""

from __future__ import annotations

import asyncio
import json
import pickle
import re
import signal
import socket
import subprocess
import threading
import time
import urllib.error
import urllib.request
from contextlib import ExitStack, contextmanager, suppress
from itertools import count

from msgspec.structs import replace
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from commands import processes
from draftengine.apps.web.app import make
from draftengine.apps.web.hub import Settings
from draftengine.apps.web.pool import Pool
from draftengine.apps.web.server import server_for
from draftengine.apps.web.storage.engines import SqliteStorage


class InThreads(Pool):
    """Pool without processes, which take seconds to start. Arguments and results are still serialised.

    Nothing has a deadline: as in the real pool the wait for a process would not count, and threads wait for one lock.
    """

    async def _done(self, deadline, work, given):
        def there():
            own, arguments = pickle.loads(pickle.dumps((work, given)))  # noqa: S301 (our own)
            with ALONE:
                return pickle.loads(pickle.dumps(own(*arguments)))  # noqa: S301 (our own)

        return await asyncio.to_thread(there)


ALONE = threading.Lock()
"""Lock that makes work run one at a time, as a process would do."""
AT_ONCE = Settings(pause=0, bot_pause=0, patience=600, pool=InThreads)
SAME_DEAL = replace(AT_ONCE, seeds=lambda: ("tests", "salt"))
"""Settings without waiting and with one fixed seed, so that no test of a page depends on the deal."""
LONGEST = 240
"""Seconds before a wait fails; long, because machines can be busy."""
PATIENT = {"open_timeout": LONGEST, "ping_interval": None, "max_queue": None}
"""Options of connections that never time out for slowness and queue any number of messages."""
_KEYS = count()


@contextmanager
def serving(path, catalogue, settings=AT_ONCE, public=(), workshop=None):
    """Start a server on a database file and yield its address.

    `public` are addresses of proxies before it, and `workshop` gives further routes.
    """
    listening = socket.create_server(("127.0.0.1", 0))
    name = f"127.0.0.1:{listening.getsockname()[1]}"
    origins = [f"http://{name}", *public]
    hosts = [origin.partition("://")[2] for origin in origins]
    app = make(SqliteStorage(path), catalogue, hosts, origins, settings, workshop)
    server = server_for(app, settings, log_level="error", ws_ping_interval=None, timeout_graceful_shutdown=1)
    thread = threading.Thread(target=server.run, args=([listening],))
    thread.start()
    while not server.started:
        time.sleep(0.005)
    try:
        yield f"http://{name}"
    finally:
        server.should_exit = True
        thread.join()


QUICKLY = """
from functools import partial
from draftengine.__main__ import start
from draftengine.apps.web import hub
hub.Settings = partial(hub.Settings, bot_pause=0)
start()
"""
"""A program that serves without pauses before the choices of bots."""


class Process:
    """A server of Sushi Go! in its own process, which can be killed and restarted."""

    def __init__(self, *arguments, **more):
        self.arguments, self.more = arguments, more
        self.start()

    def start(self):
        command = ("serve", "sushi_go", "--port", "0", "--pause", "0", *self.arguments)
        self.process = processes.python("-c", QUICKLY, *command, stdout=subprocess.PIPE, text=True, **self.more)
        self.address = re.search(r"http://\S+", self.process.stdout.readline()).group()

    def kill(self):
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()

    def stop(self):
        self.process.send_signal(signal.SIGSTOP)

    def go_on(self):
        self.process.send_signal(signal.SIGCONT)


def ask(address, path, data=None, **headers):
    """Send a request, as a POST if there is data, and return status and body."""
    body = None if data is None else json.dumps({"v": 1, **data}).encode()
    usual = {"Origin": address, "Content-Type": "application/json"} if data is not None else {}
    request = urllib.request.Request(f"{address}{path}", body, {**usual, **headers})  # noqa: S310 (our own server)
    try:
        with urllib.request.urlopen(request, timeout=LONGEST) as answer:  # noqa: S310 (as above)
            return answer.status, answer.read()
    except urllib.error.HTTPError as error:
        return error.code, error.read()


def made(address, name, seats, variants=(), **more):
    """Create a table; return its name and the tokens by seat."""
    status, body = ask(address, "/api/tables", {"set": name, "seats": seats, "variants": list(variants), **more})
    assert status == 201, body
    answer = json.loads(body)
    return answer["table"], {int(seat): token for seat, token in answer["tokens"].items()}


def person(name="Ada"):
    return {"kind": "person", "name": name}


BOT = {"kind": "bot", "level": "easy"}


class Page:
    """A client for one seat of a table; without a token it is a spectator."""

    def __init__(self, address, table, token=None, **greeting):
        self.address, self.table, self.token = address, table, token
        self.frames = []
        self.shown = self.last = None
        self.open(**greeting)

    def open(self, **greeting):
        url = f"{self.address.replace('http', 'ws', 1)}/api/tables/{self.table}/play"
        self.left = ExitStack()
        self.socket = self.left.enter_context(connect(url, origin=self.address, max_size=1 << 22, **PATIENT))
        with suppress(ConnectionClosed):  # the server closed the connection after giving a reason
            self.send(type="hello", token=self.token or "", **greeting)
        self.until(lambda message: message["type"] in {"table", "refused"})

    def send(self, **message):
        self.socket.send(json.dumps({"v": 1, **message}))

    def until(self, enough, timeout=LONGEST):
        """Read messages until `enough` is true for one, and return it."""
        while True:
            text = self.socket.recv(timeout=timeout)
            self.frames.append(text)
            message = json.loads(text)
            if message["type"] == "table":
                self.shown = message
            self.last = message
            if enough(message):
                return message

    def ask(self, kind, key=None, **more):
        """Send a request, and return its answer."""
        key = key or f"k{next(_KEYS)}"
        self.send(type=kind, key=key, **more)
        return self.until(lambda message: message.get("key") == key and message["type"] != "table")

    @property
    def game(self):
        return self.shown.get("game")

    def to_choose(self):
        return self.game and self.shown["seat"] in self.game["waiting"] and not self.game["chosen"]

    def some_move(self, chance):
        """Build a random legal move, option by option, and return it."""
        found = self.game["options"]
        while True:
            if found["whole"] and (not found["options"] or chance.random() < 0.5):
                return found.get("chosen", {"cards": []})
            option = chance.choice(found["options"])
            if option["whole"] and (not option["more"] or chance.random() < 0.8):
                return option["move"]
            found = {**self.ask("options", move=option["move"]), "chosen": option["move"]}

    def choose(self, move, **more):
        return self.ask("choose", decision=self.shown["decision"], move=move, **more)

    def play(self, chance):
        """Choose at random until the game is over."""
        while not (self.game and self.game["over"]):
            if self.to_choose():
                decision = self.shown["decision"]
                answer = self.ask("choose", decision=decision, move=self.some_move(chance))
                assert answer["type"] == "done", answer
                while self.shown["decision"] == decision and not self.game["chosen"]:
                    self.until(lambda message: message["type"] == "table")
            else:
                self.until(lambda message: message["type"] == "table")

    def close(self):
        self.left.close()


def opened(server, table, token):
    """Connect to a seat and return its page, once this server holds the table."""
    end = time.monotonic() + LONGEST
    while time.monotonic() < end:
        page = Page(server.address, table, token)
        if page.last["type"] == "table":
            return page
        assert page.last["code"] == "held-elsewhere", page.last
        page.close()
        time.sleep(0.2)
    raise AssertionError("the table is held elsewhere for ever")
