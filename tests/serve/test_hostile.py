"""Intruders fail: forged pages, guessed tokens, floods and malformed messages; others are undisturbed."""

from __future__ import annotations

import json
import urllib.request
from contextlib import suppress
from pathlib import Path
from random import Random

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect

from draftengine.apps.web import REASONS
from draftengine.apps.web.catalogue import Catalogue
from draftengine.apps.web.guard import LARGEST_BODY, TokenBucket
from draftengine.apps.web.storage.chain import hashed, new_id, new_token
from serve.harness import BOT, LONGEST, PATIENT, Page, ask, made, person, serving


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    return tmp_path_factory.mktemp("tables") / "t.sqlite"


@pytest.fixture(scope="module")
def address(path):
    with serving(path, Catalogue(["sushi_go"])) as own:
        yield own


def socket_of(address, table, origin, **more):
    return connect(f"{address.replace('http', 'ws', 1)}/api/tables/{table}/play", origin=origin, **PATIENT, **more)


@pytest.mark.parametrize("origin", [None, "http://evil.example", "null", "http://127.0.0.1:1", "https://127.0.0.1"])
def test_other_origins_are_refused(address, origin):
    """Sockets and requests with another origin, or with none, are refused."""
    table, _ = made(address, "sushi_go", [person(), BOT])
    with pytest.raises(InvalidStatus), socket_of(address, table, origin):
        pass
    headers = {} if origin is None else {"Origin": origin}
    request = urllib.request.Request(f"{address}/api/tables", b"{}", headers)  # noqa: S310 (our own server)
    with pytest.raises(urllib.error.HTTPError) as error:
        urllib.request.urlopen(request)  # noqa: S310 (as above)
    assert error.value.code == 403
    error.value.close()


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1", "localhost:80", ""])
def test_other_names_are_refused(address, host):
    """Other host names that lead to this machine are refused."""
    assert ask(address, "/", Host=host)[0] == 421


def test_pages_can_run_nothing_of_others(address):
    """Every response, errors included, has a strict policy, and pages load nothing from elsewhere."""
    for path in ("/", "/healthz", "/static/table.js", "/nothing"):
        with suppress(urllib.error.HTTPError):
            with urllib.request.urlopen(f"{address}{path}") as answer:  # noqa: S310 (as above)
                policy = answer.headers["content-security-policy"]
            assert "default-src 'none'" in policy
            assert "script-src 'self';" in policy
            assert "require-trusted-types-for 'script'" in policy
            assert answer.headers["x-content-type-options"] == "nosniff"
    static = Path(__file__).parents[2] / "src" / "draftengine" / "apps" / "web" / "static"
    for file in (path for path in static.rglob("*.*") if path.is_file() and "vendor" not in path.parts):
        text = file.read_text("utf-8").replace("http://www.w3.org/2000/svg", "")
        assert "http://" not in text, file
        assert "https://" not in text, file
        assert "innerHTML" not in text, file
        assert "insertAdjacentHTML" not in text, file


def test_bodies_have_a_limit(address):
    assert ask(address, "/api/tables", {"x": "y" * LARGEST_BODY})[0] == 413


@pytest.mark.parametrize("beside", ["x", 7, None, [7], [["x"]], ["A" * 101], ["x"] * 21])
def test_tokens_of_others_have_a_form(address, beside):
    table, tokens = made(address, "sushi_go", [person(), BOT])
    assert Page(address, table, tokens[0], beside=beside).last["code"] == "bad-message"
    assert Page(address, table, tokens[0], beside=["x", "0" * 43]).last["type"] == "table"


@pytest.mark.parametrize("token", ["x", "0" * 43, "../..", "A" * 101, 7, None, ["x"]])
def test_wrong_tokens_are_refused(address, table, token):
    """A wrong token is refused with a code, and the connection ends."""
    with socket_of(address, table[0], address) as socket:
        socket.send(json.dumps({"v": 1, "type": "hello", "token": token}))
        assert json.loads(socket.recv())["code"] in {"wrong-token", "bad-message"}
        with pytest.raises(ConnectionClosed):
            socket.recv()


@pytest.fixture
def table(address):
    return made(address, "sushi_go", [person("Ada"), person("Ben")])


def test_a_token_opens_its_own_seat_only(address, table):
    """A token opens only its seat of its table, and spectators cannot request anything."""
    name, tokens = table
    other, _ = made(address, "sushi_go", [person(), BOT])
    assert Page(address, name, tokens[1]).shown["seat"] == 1
    assert Page(address, other, tokens[1]).last["code"] == "wrong-token"
    watching = Page(address, name)
    assert (watching.shown["seat"], watching.ask("start")["code"]) == (-1, "not-yours")
    assert Page(address, name, tokens[1]).ask("start")["code"] == "not-the-host"


def test_tokens_are_kept_as_hashes_alone(address, path, table):
    """Tokens are stored as hashes only, so nobody who reads the file can take a seat."""
    _, tokens = table
    kept = b"".join(own.read_bytes() for own in path.parent.iterdir())
    assert hashed(tokens[0]).encode() in kept
    assert tokens[0].encode() not in kept
    assert len(new_token()) >= 43
    assert len({new_id() for _ in range(1000)}) == 1000


def test_messages_of_any_form(address, table):
    """Malformed messages get one answer each, with a known code, and change nothing at the table."""
    name, tokens = table
    page, chance = Page(address, name, tokens[0]), Random(7)
    page.ask("start")
    before = page.shown["at"]
    wrong = [None, -1, 2**70, 1.5, "x", "x" * 3000, [], {}, [[]], {"cards": 7}, {"cards": ["maki_1"] * 70}, {"for": {}}]
    for number in range(60):
        message = {key: chance.choice(wrong) for key in ("move", "decision", "seat", "to", "level")}
        kind = chance.choice(["choose", "withdraw", "seat", "replace", "options", "reveal", "sit", "__init__", "", 7])
        page.socket.send(json.dumps({"v": 1, "type": kind, "key": f"h{number}", **message}))
        answer = page.until(lambda own: own["type"] in {"refused", "done"})
        assert answer["type"] == "refused"
        assert answer["code"] in REASONS
        if number % 15 == 14:
            page.close()
            page = Page(address, name, tokens[0])
    assert Page(address, name, tokens[1]).shown["at"] == before


@pytest.mark.parametrize("data", [b"\x00\xff", "x" * (17 << 10)])
def test_frames_that_are_no_messages_end_the_connection(address, table, data):
    with socket_of(address, table[0], address) as socket:
        socket.send(data)
        assert ended(socket)


def ended(socket):
    """Return True if the server ends a connection, after anything it still says."""
    try:
        for _ in range(1000):
            socket.recv(timeout=LONGEST)
    except ConnectionClosed:
        return True
    return False


def test_a_flood_ends_itself(address, table):
    """A client that sends too much is disconnected, and the others play on."""
    name, tokens = table
    flood, calm = Page(address, name, tokens[0]), Page(address, name, tokens[1])
    with suppress(ConnectionClosed):
        for _ in range(10_000):  # a busy server receives some of them late enough to allow them
            flood.send(type="sheet", key="x")
    assert ended(flood.socket)
    assert calm.ask("sheet")["type"] == "sheet"


def test_buckets_fill_again():
    now = [0.0]
    bucket = TokenBucket(2, 1, clock=lambda: now[0])
    assert [bucket.take() for _ in range(3)] == [True, True, False]
    now[0] = 1.0
    assert [bucket.take() for _ in range(2)] == [True, False]


def test_what_is_not_there(address):
    assert (
        json.loads(ask(address, "/api/tables", {"set": "nothing", "seats": [person()], "variants": []})[1])["error"]
        == "no-such-set"
    )
    number = {"set": "sushi_go", "seats": [person(), person()], "variants": ["cards.wasabi.count=9"]}
    assert json.loads(ask(address, "/api/tables", number)[1])["error"] == "cannot-be-played", (
        "nobody rewrites the rules"
    )
    assert ask(address, "/api/games/nothing")[0] == 404
    assert ask(address, "/api/tables/nothing/sit", {"name": "x"})[0] == 404
    assert ask(address, "/static/../app.py")[0] == 404
    assert Page(address, "nothing").last["code"] == "no-such-table"
