"""Links to tables: what chats show of them, and how friends from elsewhere come in."""

from __future__ import annotations

import asyncio
import json
import re
import ssl
import subprocess
import threading
from contextlib import contextmanager, suppress
from functools import partial
from socket import create_server
from urllib.request import urlopen

import pytest

from draftengine.apps.web.catalogue import Catalogue
from draftengine.apps.workshop.routes import Workshop
from serve.harness import AT_ONCE, BOT, Page, ask, made, person, serving
from serve.needed import EVERY, chromium
from serve.playing import CHOICES

PUBLIC = "https://play.example"
FROM_ELSEWHERE = {"Host": "play.example"}
FREE = {"kind": "free"}


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    def shop(site):
        return Workshop(site).routes()

    file = tmp_path_factory.mktemp("t") / "t.sqlite"
    with serving(file, Catalogue(["sushi_go"]), AT_ONCE, [PUBLIC], workshop=shop) as url:
        yield url


def shown_in_a_chat(address, table, **headers):
    """Return the properties of a link that a chat reads."""
    page = ask(address, f"/t/{table}", **headers)[1].decode()
    return dict(re.findall(r'<meta property="([^"]+)" content="([^"]*)">', page))


def test_a_link_invites_where_the_connection_is_secure(address):
    """Over TLS a chat shows host, game and free seats, and no other name; over plain HTTP nothing."""
    table, tokens = made(address, "sushi_go", [person('Ola "<O>"'), person("Ben"), FREE, FREE])
    link = shown_in_a_chat(address, table, **FROM_ELSEWHERE)
    assert link["og:title"] == "Ola &quot;&lt;O&gt;&quot; invites you: Sushi Go!"
    assert link["og:description"].startswith("2 seats free · about ")
    assert link["og:image"] == f"{PUBLIC}/t/{table}/preview.png?language=en"
    assert "Ben" not in "".join(link.values())
    assert shown_in_a_chat(address, table) == {}
    assert shown_in_a_chat(address, "nothing", **FROM_ELSEWHERE) == {}
    polish = shown_in_a_chat(address, table, **FROM_ELSEWHERE, **{"Accept-Language": "pl"})
    assert polish["og:description"].startswith("wolne miejsca: 2")
    before = ask(address, f"/t/{table}/preview.png")[1]
    assert before[1:4] == b"PNG"
    assert [int.from_bytes(before[at : at + 4], "big") for at in (16, 20)] == [1200, 630]
    Page(address, table, tokens[0]).ask("start")
    link = shown_in_a_chat(address, table, **FROM_ELSEWHERE)
    assert link["og:description"].startswith("2 seats free"), "those of the bots"


def test_a_link_says_nothing_of_a_game(address):
    """Page and picture of a link stay the same, to the byte, during a game at its table."""
    table, tokens = made(address, "sushi_go", [person("Ada"), BOT])
    page = Page(address, table, tokens[0])
    page.ask("start")

    def seen():
        return [ask(address, f"/t/{table}{part}", **FROM_ELSEWHERE)[1] for part in ("", "/preview.png")]

    first = seen()
    page.until(lambda message: message["type"] == "table" and "game" in message)
    page.choose({"cards": [page.game["hand"][0][0]]})
    page.until(lambda message: message["type"] == "table" and message["decision"] == [1, 1])
    assert seen() == first


def test_a_page_can_be_installed_where_browsers_allow_it(tmp_path):
    """The manifest is named over TLS and on this computer, with a worker that may serve the whole site."""
    plain = "http://192.0.2.7:8000"
    with serving(tmp_path / "t.sqlite", Catalogue(["sushi_go"]), AT_ONCE, [PUBLIC, plain]) as address:
        pages = [ask(address, "/", Host=host)[1].decode() for host in (address[7:], "play.example", plain[7:])]
        links = [re.findall(r'rel="manifest" href="([^"]+)"', page) for page in pages]
        assert [len(each) for each in links] == [1, 1, 0]
        manifest = json.loads(ask(address, links[0][0])[1])
        assert manifest["start_url"] == manifest["scope"] == "/"
        folder = links[0][0].rpartition("/")[0]
        for name in (manifest["icons"][0]["src"], "worker.js"):
            assert ask(address, f"{folder}/{name}")[0] == 200


def test_browsers_find_an_icon_where_they_look_for_it(address):
    status, body = ask(address, "/favicon.ico")
    assert status == 200
    assert body.startswith(b"<svg")


def test_the_rulebook_of_a_table(address):
    """The printed rulebook of a table is one link away, in the language that is asked for."""
    table, _ = made(address, "sushi_go", [person("Ada"), BOT])
    status, body = ask(address, f"/t/{table}/rules?language=en")
    assert status == 200
    assert b"<h1>Sushi Go!</h1>" in body
    assert b"<script" not in body
    assert ask(address, f"/t/{table}/rules?language=pl")[1] != body
    assert ask(address, "/t/nothing/rules")[0] == 404


# ── Friends from elsewhere ────────────────────────────────────────────────────────────────────────────────────────────


@contextmanager
def tunnel(folder, port):
    """Run a proxy that speaks TLS, as tunnels do: it passes everything on as it is. Yield its address."""
    names = [str(folder / name) for name in ("key.pem", "certificate.pem")]
    request = ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
    more = ["-keyout", names[0], "-out", names[1], "-days", "2", "-subj", "/CN=127.0.0.1"]
    subprocess.run([*request, *more], check=True, capture_output=True)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(names[1], names[0])
    listening = create_server(("127.0.0.1", 0))
    ends = []

    async def copy(source, target):
        with suppress(OSError):
            while data := await source.read(1 << 16):
                target.write(data)
        target.close()

    async def carry(reader, writer):
        inside = await asyncio.open_connection("127.0.0.1", port())
        await asyncio.gather(copy(reader, inside[1]), copy(inside[0], writer))

    async def run():
        end = asyncio.Event()
        ends.append(partial(asyncio.get_running_loop().call_soon_threadsafe, end.set))
        async with await asyncio.start_server(carry, sock=listening, ssl=context):
            await end.wait()

    thread = threading.Thread(target=asyncio.run, args=(run(),))
    thread.start()
    try:
        yield f"https://127.0.0.1:{listening.getsockname()[1]}"
    finally:
        ends[0]()
        thread.join()


@pytest.mark.skipif(not EVERY or chromium() is None, reason="make test-web plays this")
def test_a_friend_from_elsewhere_comes_through_a_tunnel(people, tmp_path):
    """A server behind a tunnel, started with its address, lets a friend from outside sit down and play."""
    ports = []
    with (
        tunnel(tmp_path, lambda: ports[0]) as outside,
        serving(tmp_path / "t.sqlite", Catalogue(["sushi_go"]), AT_ONCE, [outside]) as address,
    ):
        ports.append(int(address.rpartition(":")[2]))
        table, tokens = made(address, "sushi_go", [person("Ada"), FREE])
        ben = people(ignore_https_errors=True)
        ben.goto(f"{outside}/t/{table}")
        ben.locator('[data-focus="name"]').fill("Ben")
        ben.locator('[data-focus="sit"]').click()
        ada = Page(address, table, tokens[0])
        while ada.shown["seats"][1]["kind"] != "person":
            ada.until(lambda message: message["type"] == "table")
        ada.ask("start")
        ben.locator(CHOICES).first.click()
        ada.until(lambda message: message["type"] == "table" and message["seats"][1]["chosen"])
        people.leave()
        assert all("SSL certificate" in complaint for complaint in people.complaints), "of the worker's script"
        people.complaints.clear()


@pytest.mark.parametrize("path", ["/api/words", "/api/sets"])
def test_what_a_browser_has_is_not_sent_again(address, path):
    """An answer has a version; a browser that has it gets no second copy, except in another language."""
    with urlopen(f"{address}{path}?language=en") as answer:  # noqa: S310 (our own server)
        version = answer.headers["etag"]
        assert answer.headers["cache-control"] == "no-cache"
    assert ask(address, f"{path}?language=en", **{"If-None-Match": version}) == (304, b"")
    assert ask(address, f"{path}?language=pl", **{"If-None-Match": version})[0] == 200


SLOW_4G = {"offline": False, "latency": 150, "downloadThroughput": 200_000, "uploadThroughput": 94_000}
"""A slow network: milliseconds, and bytes per second."""


@pytest.mark.skipif(not EVERY or chromium() is None, reason="make test-web plays this")
def test_the_first_page_is_light_and_stays_without_a_connection(people, address):
    """The first page takes 12 requests, 120 KB and four trips at most, and says so without a connection."""
    page = people()
    network, asked, ended = page.context.new_cdp_session(page), {}, {}
    network.send("Network.enable")
    network.send("Network.emulateNetworkConditions", SLOW_4G)
    network.on("Network.requestWillBeSent", lambda event: asked.update({event["requestId"]: event}))
    network.on("Network.loadingFinished", lambda event: ended.update({event["requestId"]: event}))
    page.goto(address)
    page.locator(".tile").first.wait_for()
    paths = {key: event["request"]["url"].removeprefix(address) for key, event in asked.items()}
    assert len([path for path in paths.values() if path.startswith("/")]) <= 12
    assert sum(event["encodedDataLength"] for event in ended.values()) <= 120_000

    def together(*kinds):
        """Return whether all these are on their way before the first of them is there."""
        keys = [key for key, path in paths.items() if path.split("?")[0].endswith(kinds)]
        return max(asked[key]["timestamp"] for key in keys) < min(ended[key]["timestamp"] for key in keys)

    assert together(".js", ".css")
    assert together("/api/words", "/api/sets")
    network.send("Network.emulateNetworkConditions", {**SLOW_4G, "latency": 0, "downloadThroughput": -1})
    page.evaluate("navigator.serviceWorker.ready.then(() => null)")
    page.reload()
    page.locator(".tile").first.wait_for()
    page.context.set_offline(True)
    page.reload()
    page.get_by_text("Your tables are safe on the server.").wait_for()
    assert page.evaluate("getComputedStyle(document.querySelector('.button')).borderRadius") != "0px"
    page.context.set_offline(False)
    page.get_by_role("link").click()
    page.locator(".tile").first.wait_for()
