"""The page of the workshop in a real browser: writing, mending, playing and sharing."""

from __future__ import annotations

import json
import os
import signal
from contextlib import suppress
from functools import partial
from hashlib import sha256
from pathlib import Path

import pytest

from draftengine.apps.web.catalogue import Catalogue
from draftengine.apps.workshop import sessions
from draftengine.apps.workshop.routes import LocalFile, Workshop
from serve.harness import SAME_DEAL, ask, serving
from serve.needed import EVERY, chromium
from serve.people import PHONE
from serve.playing import in_english

pytest.importorskip("playwright.sync_api")
axe = pytest.importorskip("axe_playwright_python.base")

pytestmark = pytest.mark.skipif(
    chromium() is None and not EVERY, reason="there is no Chromium here (make test-web installs it)"
)
every = pytest.mark.skipif(not EVERY, reason="make test-web runs this")
DESKTOP, TABLET = {"width": 1440, "height": 900}, {"width": 1024, "height": 768}
KEEP = """async ([key, text]) => {
  const own = document.querySelector("script[type=module]").src.replace("main.js", "keeping.js");
  await (await import(own)).keep(key, text);
}"""
"""Script that keeps a text in the browser, as a page does."""
TEA = (
    "format: 2\nid: tea_night\nextends: sushi_go\ntitle: Tea Night\nversion: 0.1.0\n"
    "cards:\n  tea: {count: 6, label: Tea}\nscoring:\n  tea: {each: tea, points: 2}\n"
)


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    """A server with a lobby, for a file of this machine, and the file."""
    folder = tmp_path_factory.mktemp("games")
    (folder / "tea_night.yaml").write_text(TEA)
    file = LocalFile(folder / "tea_night.yaml")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sessions, "GAMES_PLAYED", (20,))
        patch.setattr(sessions, "PLAY_PAUSE", 600)
        catalogue = Catalogue(["sushi_go"])
        with serving(
            folder / "t.sqlite", catalogue, SAME_DEAL, workshop=lambda site: Workshop(site, file).routes()
        ) as address:
            yield address, file


@pytest.fixture(autouse=True)
def as_it_was(written):
    """Let each test begin with the same file."""
    written[1].path.write_text(TEA)


@pytest.mark.web
def test_a_mistake_is_seen_and_mended(people, written):
    """An error greys what was shown before it; its button mends the text, and the file has it then."""
    address, file = written
    page = people(DESKTOP)
    page.goto(f"{address}/workshop/{file.id}")
    page.locator("#room-changes dd", has_text="Each tea card scores 2 points.").wait_for()
    page.get_by_text("each: tea").first.click()
    page.keyboard.press("End")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Backspace")
    page.keyboard.type("3, most: [1]")
    page.locator(".finding.error").first.wait_for()
    assert page.locator("body.stale .old").first.inner_text() == in_english("page.shop.old", line=9)
    page.locator("[aria-label='Undo']").click()
    page.locator("#how-many", has_text="No errors").wait_for()
    page.locator("body:not(.stale)").wait_for()
    page.get_by_text("each: tea").first.click()
    page.keyboard.press("Home")
    page.locator("button", has_text="+ Card").click()
    page.keyboard.type("milk")
    page.locator(".face figcaption", has_text="4 × New card").wait_for()
    page.locator("#saved[data-state=saved]").wait_for()
    assert "\n  milk:\n    count: 4\n" in file.path.read_text()
    page.locator("button", has_text="+ Rule").click()
    page.locator('[data-focus="rule each"]').click()
    page.locator("#room-changes dd", has_text="Each new card scores 2 points.").wait_for()


@every
def test_another_number_is_tried_and_taken_over(people, written):
    """Games tell what another number does; the text has it only after the button, and it can be dropped."""
    address, file = written
    page = people(DESKTOP)
    page.goto(f"{address}/workshop/{file.id}")
    page.locator("#number").select_option("scoring.tea.points")
    page.locator("#other").fill("9")
    page.locator("#other").press("Tab")
    page.locator("#tried li").first.wait_for()
    page.locator('[data-focus="drop number"]').click()
    page.locator("#tried").wait_for(state="detached")
    page.locator("#number").select_option("scoring.tea.points")
    page.locator("#other").fill("7")
    page.locator("#other").press("Tab")
    page.locator("#tried li", has_text="Tea: points = 7").first.wait_for()
    page.locator('[data-focus="take number"]').click()
    page.locator("#room-changes dd", has_text="Each tea card scores 7 points.").wait_for()
    page.locator("#saved[data-state=saved]").wait_for()
    assert file.path.read_text() == TEA.replace("points: 2", "points: 7")


@every
def test_a_fix_is_a_button(people, written):
    address, file = written
    file.path.write_text(TEA.replace("each: tea", "each: teas"))
    page = people(TABLET)
    page.goto(f"{address}/workshop/{file.id}")
    page.locator(".see .old", has_text=in_english("page.shop.never", line=9)).wait_for()
    assert page.locator(".see .soon:visible").count() == 0
    page.locator(".finding .ways button").first.click()
    page.locator("#how-many", has_text="No errors").wait_for()
    page.locator("#saved[data-state=saved]").wait_for()
    assert file.path.read_text() == TEA


@every
def test_the_picture_of_a_round_fits_into_its_pane(people, written):
    address, file = written
    page = people({"width": 1280, "height": 800})
    page.goto(f"{address}/workshop/{file.id}")
    page.locator("#tab-aid").click()
    frame = page.frame_locator("#room-aid iframe")
    assert frame.locator("svg.flow").bounding_box()["width"] <= frame.locator(".scroll").bounding_box()["width"]


@every
@pytest.mark.parametrize("viewport", [TABLET, PHONE], ids=str)
def test_rooms_and_printed_pages_on_small_screens(people, written, viewport):
    """Rooms lead to each other, pages open for the printer, and an error shows without an editor."""
    address, file = written
    page = people(viewport)
    page.goto(f"{address}/workshop/{file.id}")
    page.locator("#room-changes dd").first.wait_for()
    for room in ("balance", "book", "balance", "changes"):
        page.locator(f"#tab-{room}").click()
        page.locator(f"#room-{room}").wait_for()
    page.locator('[data-focus="print"]').click()
    with page.expect_popup() as opened:
        page.locator('[data-focus="print print"]').click()
    opened.value.locator(".sheet").first.wait_for()
    page.locator('[data-focus="print print_letter"]', has_text="Letter").wait_for()
    page.locator('[data-focus="print book"]').wait_for()
    page.keyboard.press("Escape")
    file.path.write_text(TEA.replace("each: tea", "each: teas"))
    page.locator(".see .old", has_text=in_english("page.shop.old", line=9)).wait_for()


@every
@pytest.mark.parametrize("viewport", [TABLET, PHONE], ids=str)
def test_what_an_error_prevents_is_known_before_anybody_asks(people, written, viewport):
    """Neither a table nor a page to print is offered; a page without findings names the error."""
    address, file = written
    page = people(viewport)
    page.goto(f"{address}/workshop/{file.id}")
    page.locator("#room-changes dd").first.wait_for()
    page.locator('[data-focus="print"]').click()
    page.locator('[data-focus="print book"]').wait_for()
    file.path.write_text(TEA.replace("each: tea", "each: teas"))
    page.locator("#printed", has_text=in_english("page.shop.never", line=9)).wait_for()
    assert page.locator("#printed a").count() == 0
    page.keyboard.press("Escape")
    assert ("“teas”" in page.locator(".see .old").inner_text()) == (viewport == PHONE)
    page.locator('[data-focus="play"]').click()
    assert page.locator("dialog .waits").inner_text() == in_english("page.shop.waits", line=9)
    assert page.locator("dialog .needs-sound:disabled").count() == 3
    file.path.write_text(TEA)
    page.locator("dialog .needs-sound:enabled").nth(2).wait_for()
    assert page.locator("dialog .waits").inner_text() == ""


@every
@pytest.mark.parametrize("width", [390, 1024, 1280])
def test_the_heads_of_the_page_fit_in(people, written, width):
    """Tabs are one row, and neither the title nor a warning about the text is cut off."""
    address, file = written
    page = people({"width": width, "height": 800})
    page.goto(f"{address}/workshop/{file.id}")
    page.locator("#room-changes dd").first.wait_for()
    tabs = [tab.bounding_box() for tab in page.locator("[role=tab]:visible").all()]
    assert len({tab["y"] for tab in tabs}) == 1
    assert max(tab["x"] + tab["width"] for tab in tabs) <= page.locator(".see").bounding_box()["width"] + tabs[0]["x"]
    if width >= 700:
        warning = in_english("page.shop.state.unsaved")
        page.evaluate("text => document.querySelector('#saved').textContent = text", warning)
    for place in page.locator("#title, #saved:visible").all():
        assert place.evaluate("place => place.scrollWidth <= place.clientWidth + 1")


@every
def test_both_texts_are_kept_when_both_have_changed(people, written):
    """A text that another program wrote meanwhile is shown beside the own one, and nothing is lost."""
    address, file = written
    page = people(TABLET)
    page.goto(f"{address}/workshop/{file.id}")
    page.locator("#room-changes dd").first.wait_for()
    file.path.write_text(TEA.replace("points: 2", "points: 5"))
    page.get_by_text("version: 0.1.0").click()
    page.keyboard.press("End")
    page.keyboard.type("1")
    page.locator("dialog .both pre").first.wait_for()
    mine, theirs = page.locator("dialog .both pre").all_inner_texts()
    assert ("0.1.01" in mine, "points: 5" in theirs) == (True, True)
    page.locator("dialog .both button").first.click()
    page.locator("#saved[data-state=saved]").wait_for()
    assert "0.1.01" in file.path.read_text()
    people.complaints = [text for text in people.complaints if "409" not in text]


@every
def test_what_was_not_saved_comes_back(people, written):
    """A text typed before the server died is saved later, or people are asked until they choose."""
    address, file = written
    page = people(TABLET)
    page.goto(f"{address}/workshop/{file.id}")
    page.locator("#room-changes dd").first.wait_for()
    key, before = sha256(str(file.path).encode()).hexdigest(), sha256(TEA.encode()).hexdigest()
    typed = TEA.replace("points: 2", "points: 9")
    page.evaluate(KEEP, [f"unsaved {key}", {"text": typed, "before": before}])
    page.reload()
    page.locator("#room-changes dd", has_text="9 points").wait_for()
    page.locator("#saved[data-state=saved]").wait_for()
    assert file.path.read_text() == typed
    file.path.write_text(TEA.replace("points: 2", "points: 3"))
    page.locator("#room-changes dd", has_text="3 points").wait_for()
    page.evaluate(KEEP, [f"unsaved {key}", {"text": typed, "before": before}])
    for _ in range(2):
        page.reload()
        page.locator("dialog .both mark").first.wait_for()
        mine, theirs = page.locator("dialog .both mark").all_inner_texts()
        assert ("points: 9" in mine, "points: 3" in theirs) == (True, True)
    page.keyboard.press("Escape")
    page.locator("dialog .both").wait_for(state="hidden")
    page.get_by_text("version: 0.1.0").click()
    page.keyboard.press("End")
    page.keyboard.type("1")
    page.locator("dialog .both mark", has_text="0.1.01").wait_for()
    page.locator("dialog .both button").first.click()
    page.locator("#saved[data-state=saved]").wait_for()
    assert file.path.read_text() == typed.replace("0.1.0", "0.1.01")
    page.locator('[data-focus="versions"]').click()
    assert page.locator("dialog .choice").count() > 1
    page.keyboard.press("Escape")
    people.complaints = [text for text in people.complaints if "409" not in text]


@every
def test_two_tabs_lose_neither_text_nor_token(people, written):
    """A tab asks before it writes over the text of another one, and keeps the token of the shelf."""
    address, _ = written
    page = people(DESKTOP)
    page.goto(f"{address}/workshop/new?extends=sushi_go")
    page.locator("#room-changes", has_text="Nothing differs").wait_for()
    deaf = page.context.new_page()
    deaf.add_init_script("BroadcastChannel = class extends EventTarget { postMessage() {} }")
    deaf.goto(page.url)
    deaf.locator("#room-changes", has_text="Nothing differs").wait_for()
    page.locator('[data-focus="share"]').click()
    page.locator('[data-focus="shelve"]').click()
    page.locator('[data-focus="unshelve"]').wait_for()
    page.keyboard.press("Escape")
    for tab, word in ((page, "first"), (deaf, "second")):
        tab.locator(".cm-line", has_text="version:").click()
        tab.keyboard.press("End")
        tab.keyboard.type(f" # {word}")
        tab.locator("#saved[data-state=saved]" if tab is page else "dialog .both pre").first.wait_for()
    mine, theirs = deaf.locator("dialog .both pre").all_inner_texts()
    assert ("# second" in mine, "# first" in theirs) == (True, True)
    deaf.locator("dialog .both button").first.click()
    deaf.locator("#saved[data-state=saved]").wait_for()
    page.reload()
    page.locator(".cm-line", has_text="# second").wait_for()
    page.locator('[data-focus="share"]').click()
    page.locator('[data-focus="unshelve"]').click()
    page.locator("#say", has_text="Taken off the shelf").wait_for(state="attached")


FAIL_TWICE = """async () => {
  const { openDraft } = await import(document.querySelector("script[type=module]").src.replace("main.js", "drafts.js"));
  const asked = [], put = IDBObjectStore.prototype.put;
  const draft = await openDraft(() => {}, (theirs) => asked.push(theirs));
  let failures = 2, second;
  IDBObjectStore.prototype.put = function (...given) {
    const request = put.apply(this, given);
    if (failures-- > 0) this.transaction.abort();
    second ??= draft.change("second");
    return request;
  };
  await draft.change("first");
  await second;
  IDBObjectStore.prototype.put = put;
  await draft.change("third");
  return [asked, draft.text, failures];
}"""
"""Script that changes a draft twice while the disk fails, and once after that."""


@every
def test_writes_that_fail_are_no_texts_of_another_page(people, written):
    """Check that no question is left by two failed writes that overlap."""
    address, _ = written
    page = people(DESKTOP)
    page.goto(f"{address}/workshop/new?extends=sushi_go")
    page.locator("#room-changes", has_text="Nothing differs").wait_for()
    assert page.evaluate(FAIL_TWICE) == [[], "third", 0]


@every
def test_two_tabs_follow_each_other(people, written):
    """A text that is typed in one tab is in the other one, which asks nothing."""
    address, _ = written
    page = people(DESKTOP)
    page.goto(f"{address}/workshop/new?extends=sushi_go")
    page.locator("#room-changes", has_text="Nothing differs").wait_for()
    other = page.context.new_page()
    other.goto(page.url)
    for tab, beside, word in ((page, other, "first"), (other, page, "second")):
        tab.locator(".cm-line", has_text="version:").click()
        tab.keyboard.press("End")
        tab.keyboard.type(f" # {word} and more", delay=5)
        beside.locator(".cm-line", has_text=f"# {word} and more").wait_for()
    for tab in (page, other):
        tab.locator("#saved[data-state=saved]").wait_for()
        assert tab.locator("dialog").count() == 0


@every
def test_texts_that_an_older_page_kept_are_still_there(people, written):
    """Texts of an older page are among the own games, and are deleted with their versions."""
    address, _ = written
    page = people(DESKTOP)
    page.goto(f"{address}/workshop/none")
    page.evaluate(KEEP, ["draft old", TEA])
    page.goto(f"{address}/workshop/old")
    page.locator("#title", has_text="Tea Night").wait_for()
    page.locator('[data-focus="versions"]').click()
    assert page.evaluate("localStorage.getItem('versions old')")
    page.goto(address)
    page.locator('[data-focus="drop old"]').click()
    page.locator("dialog [data-focus=drop]").click()
    page.locator("#mine + ul a[href='/workshop/old']").wait_for(state="detached")
    assert page.evaluate("localStorage.getItem('versions old')") is None


@pytest.mark.web
def test_the_lobby_asks_for_a_slow_shelf_after_pauses(people, written):
    """Check that a server which answers at once is asked again seldom, as long as something is missing."""
    address, _ = written
    page, asked = people(DESKTOP), []
    missing = {"shelf": [], "sets": [], "waiting": 1}

    def games(route):
        response = route.fetch()
        route.fulfill(response=response, json={**response.json(), **missing, "sets": response.json()["sets"]})

    def shelf(route):
        asked.append(route.request.url)
        route.fulfill(json=missing)

    page.route("**/api/sets*", games)
    page.route("**/api/shelf*", shelf)
    page.goto(address)
    page.locator("#shelf ~ p", has_text=in_english("page.shop.soon")).wait_for()
    page.wait_for_timeout(2_000)
    assert 1 < len(asked) < 4


@every
def test_the_shelf_does_not_wait_for_own_games(people, written):
    """A server that does not answer about a file holds up only the list of own games."""
    address, file = written
    page = people(DESKTOP)
    page.goto(f"{address}/workshop/{file.id}")
    page.locator("#room-changes dd").first.wait_for()
    _, rule = ask(address, "/api/shelf", {"text": TEA.replace("Tea Night", "Tea of others"), "open": True})
    page.route(f"**/api/workshop/{file.id}", lambda _: None)
    ask(address, "/api/shelf?language=en")
    requests = []
    page.on("request", lambda request: requests.append(request.url))
    page.goto(address)
    page.locator("[aria-labelledby=shelf] .tile", has_text="Tea of others").wait_for()
    assert not [url for url in requests if "/api/shelf" in url], "what is known of the shelf comes with the games"
    page.locator("[aria-labelledby=shelf] .tile", has_text="a house rule for Sushi Go!").click()
    page.locator(".new-game .differs", has_text="Each tea card scores 2 points.").wait_for()
    assert page.locator("#mine").count() == 0
    ask(address, "/api/shelf", json.loads(rule))


@every
def test_an_unchanged_game_is_not_compared_and_versions_say_what_changed(people, written):
    """Neither does an error hide the number of players, on a page that is opened again."""
    address, _ = written
    page = people(DESKTOP)
    page.goto(f"{address}/workshop/new?extends=sushi_go")
    page.locator("#room-balance .lead", has_text="The rules are the same as those of Sushi Go!").wait_for()
    assert page.locator("#room-balance .figure.same").count() == 0
    page.locator('[data-focus="versions"]').click()
    page.keyboard.press("Escape")
    page.locator(".cm-content").click()
    page.keyboard.press("Control+End")
    page.keyboard.insert_text("scoring:\n  soy: {points: 9 if tempura == 8 else 0}\n")
    page.locator("#room-balance li", has_text="Soy never scored.").wait_for()
    page.locator('[data-focus="versions"]').click()
    assert page.locator("dialog .changed").all_inner_texts() == ["+ soy: {points: 9 if tempura == 8 else 0}"]
    page.keyboard.press("Escape")
    page.keyboard.insert_text("soup\n")
    page.locator("#saved[data-state=saved]").wait_for()
    page.locator(".finding.error").first.wait_for()
    page.reload()
    page.locator(".weigh .old", has_text="Shown as soon as the error in line").wait_for()
    assert page.locator("#players").input_value() == "3"
    assert page.locator("#of").inner_text() == "a house rule for Sushi Go!"


@every
def test_a_long_text_from_elsewhere_is_taken(people, written):
    """A text of another program that is too long to be sent is shown and named."""
    address, file = written
    page = people(DESKTOP)
    page.goto(f"{address}/workshop/{file.id}")
    page.locator("#room-changes dd").first.wait_for()
    file.path.write_text(TEA.replace("points: 2", "points: 5") + "# tea\n" * 10_600)
    page.locator(".cm-line", has_text="points: 5").wait_for()
    page.locator("#alarm", has_text=in_english("page.shop.large.here", most=63)).wait_for()


@every
def test_what_a_server_refuses_to_show_is_said(people, written):
    """A page gives the reason why a server makes nothing of its text."""
    address, file = written
    page = people(PHONE)
    answers = []

    def refuse(line):
        line.on_message(lambda _: line.send(json.dumps({"method": "refused", "params": {"message": "No time."}})))
        answers.append(line)

    page.route_web_socket("**/panes?*", refuse)
    page.goto(f"{address}/workshop/{file.id}")
    page.locator(".see .old", has_text="No time.").wait_for()
    assert page.locator(".see .soon:visible").count() == 0


@every
def test_a_long_check_is_no_clean_bill(people, written):
    """A page claims no cleanness while a check goes on, and blames no line for one that is given up."""
    address, file = written
    page = people(DESKTOP)
    checked = []

    def check(line):
        def answer(text):
            message = json.loads(text)
            if message["method"] in {"textDocument/didOpen", "textDocument/didChange"}:
                version = message["params"]["textDocument"]["version"]
                params = {"version": version, "diagnostics": [], "partial": bool(checked)}
                line.send(json.dumps({"method": "textDocument/publishDiagnostics", "params": params}))
                checked.append(line)
            elif "id" in message:
                line.send(json.dumps({"id": message["id"], "result": None}))

        line.on_message(answer)

    page.route_web_socket("**/language?*", check)
    page.goto(f"{address}/workshop/{file.id}")
    page.locator("#how-many", has_text=in_english("page.shop.clean")).wait_for()
    page.get_by_text("each: tea").first.click()
    page.keyboard.press("End")
    page.keyboard.type(" ")
    page.locator("#how-many", has_text=in_english("page.shop.soon")).wait_for()
    checked[0].send(json.dumps({"method": "refused", "params": {"message": "No time."}}))
    page.locator("#how-many", has_text="No time.").wait_for()
    assert page.locator("#findings li, .stale").count() == 0


@every
def test_a_file_of_another_server_is_gone_until_it_is_back(people, written):
    """A page whose server has another file says so, and saves as soon as the file is back."""
    address, file = written
    page = people(DESKTOP)
    page.goto(f"{address}/workshop/{file.id}")
    page.locator("#room-changes dd").first.wait_for()
    kept, file.id = file.id, "elsewhere"
    try:
        page.get_by_text("version: 0.1.0").click()
        page.keyboard.press("End")
        page.evaluate("""() => {
          window.states = [];
          new MutationObserver(() => window.states.push(document.querySelector("#saved").dataset.state))
            .observe(document.querySelector("#saved"), { attributes: true });
        }""")
        page.keyboard.type("1")
        page.wait_for_timeout(5000)
    finally:
        file.id = kept
    page.locator("#saved[data-state=saved]").wait_for()
    assert {*page.evaluate("window.states")} == {"saving", "gone", "saved"}
    people.complaints = [text for text in people.complaints if "404" not in text]


@every
def test_a_file_keeps_its_address_and_other_texts_have_none(people, written):
    """A file always has the same address; a page without a text shows the way to texts."""
    address, file = written
    assert LocalFile(file.path, "secret").id == LocalFile(file.path, "secret").id
    assert len({LocalFile(file.path, "other").id, LocalFile(file.path, "secret").id, file.id}) == 3
    page = people(TABLET)
    page.goto(f"{address}/workshop/nothing")
    page.get_by_text("There is no text at this address").wait_for()
    assert page.locator("#editor").count() == 0
    page.goto(f"{address}/workshop/{file.id}")
    page.locator("#room-changes dd").first.wait_for()
    page.locator("#main").get_by_text("version: 0.1.0").wait_for()
    page.goto(address)
    page.locator("#mine + ul a", has_text="Tea Night").click()
    page.locator("#room-changes dd").first.wait_for()


@every
def test_typing_is_not_turned_into_something_else(people, written):
    """Comments complete nothing, Tab leaves the last gap, and too long a text is refused by size."""
    address, file = written
    page = people(DESKTOP)
    page.goto(f"{address}/workshop/{file.id}")
    page.get_by_text("version: 0.1.0").click()
    page.keyboard.press("End")
    page.keyboard.press("Enter")
    page.keyboard.type("# this is one")
    page.wait_for_timeout(500)
    page.keyboard.press("Enter")
    page.locator("button", has_text="+ Card").click()
    page.keyboard.type("milk")
    for _ in range(6):
        page.keyboard.press("Tab")
    page.locator("#saved[data-state=saved]").wait_for()
    written_text = file.path.read_text()
    assert "# this is one\n\ncards:\n  tea: {count: 6, label: Tea}\n  milk:\n    count: 4\n" in written_text
    assert "\n    label: New card\n" in written_text
    page.locator(".cm-content").evaluate(
        "(editor) => { const data = new DataTransfer(); data.setData('text/plain', '# tea\\n'.repeat(20000));"
        "editor.dispatchEvent(new ClipboardEvent('paste', {clipboardData: data, bubbles: true, cancelable: true})); }"
    )
    page.locator("#alarm", has_text="63 thousand").wait_for()
    assert page.locator(".cm-content", has_text="# tea").count() == 0


@every
def test_a_killed_browser_has_kept_what_it_said(people, written, tmp_path):
    """A browser that is killed as soon as it says that a text is kept has the text again."""
    address, _ = written
    make = people.browser.browser_type.launch_persistent_context
    begin = partial(make, tmp_path, executable_path=chromium(), args=["--no-sandbox"], viewport=DESKTOP)
    page = begin().pages[0]
    page.goto(f"{address}/workshop/new?extends=sushi_go")
    page.locator(".cm-line", has_text="title:").click()
    page.keyboard.press("End")
    page.keyboard.press("ArrowLeft")
    page.keyboard.type(" by night")
    page.locator("#title", has_text="My Sushi Go! by night").wait_for()
    page.locator("#saved[data-state=saved]").wait_for()
    link = page.url
    for line in Path("/proc").glob("[0-9]*/cmdline"):
        with suppress(OSError):
            if f"--user-data-dir={tmp_path}".encode() in line.read_bytes():
                os.kill(int(line.parent.name), signal.SIGKILL)
    again = begin()
    again.pages[0].goto(link)
    again.pages[0].locator("#title", has_text="My Sushi Go! by night").wait_for()
    again.close()


@every
def test_texts_with_markup_are_shown_as_text(people, written):
    """A label with markup is read as it is written, in every room of the page."""
    address, file = written
    mark = "<img src=x onerror=alert(1)>"
    file.path.write_text(TEA.replace("label: Tea", f"label: '{mark}', text: '{mark}'"))
    page = people(DESKTOP)
    page.goto(f"{address}/workshop/{file.id}")
    page.locator(".face figcaption", has_text=mark).wait_for()
    page.locator(".wanted meter").first.wait_for()
    assert page.locator("img[src=x]").count() == 0


@every
def test_a_wrong_file_is_mended_in_the_workshop(people, written, tmp_path):
    """The first page opens a file with errors in the workshop, as it was written."""
    address, _ = written
    (tmp_path / "house.yaml").write_text(TEA.replace("points: 2", "point: 2"), encoding="utf-8")
    page = people()
    page.goto(address)
    page.locator('[data-focus="upload"]').set_input_files(tmp_path / "house.yaml")
    page.locator('[data-focus="mend"]').click()
    page.locator("#findings .error", has_text="point").wait_for()
    people.complaints.clear()  # the refusal of the file


@every
def test_from_the_lobby_to_a_table_and_to_a_friend(people, written):
    """A house rule begins in the lobby, stays in the browser, fits into a link, and is played at once."""
    address, _ = written
    page = people(DESKTOP)
    page.goto(address)
    page.locator('[data-focus="change sushi_go"]').click()
    page.locator("#room-changes", has_text="Nothing differs from Sushi Go! yet.").wait_for()
    page.locator("button", has_text="+ Card").click()
    page.locator(".face").wait_for()
    page.goto(address)
    page.locator("#mine + ul a", has_text="My Sushi Go!").click()
    page.locator(".face figcaption", has_text="4 × New card").wait_for()
    page.locator('[data-focus="share"]').click()
    link = page.locator("dialog input[readonly]").input_value()
    page.keyboard.press("Escape")
    friend = people(PHONE)
    friend.goto(link)
    friend.locator(".face figcaption", has_text="4 × New card").wait_for()
    assert friend.locator(".write").is_hidden()
    assert friend.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.locator('[data-focus="share"]').click()
    page.locator("#shelf input").check()
    page.locator('[data-focus="shelve"]').click()
    page.locator('[data-focus="unshelve"]').wait_for()
    page.locator("#shelf", has_text="others may change a copy").wait_for()
    page.keyboard.press("Escape")
    friend.goto(address)
    friend.locator("[aria-labelledby=shelf] .change").click()
    friend.locator(".face figcaption", has_text="4 × New card").wait_for()
    page.locator('[data-focus="play"]').click()
    page.locator("dialog .choice button").first.click()
    page.locator(".hand-card").first.wait_for()
    assert "My Sushi Go!" in page.locator("#bar").inner_text()
    page.goto(address)
    page.locator("#mine + ul a", has_text="On the shelf").wait_for()
    assert page.locator("[aria-labelledby=shelf]").count() == 0


@every
@pytest.mark.parametrize("viewport", [DESKTOP, TABLET, PHONE], ids=str)
def test_no_rule_of_accessibility_is_broken(people, written, viewport):
    address, file = written
    page = people(viewport, color_scheme="dark" if viewport is TABLET else "light", bypass_csp=True)
    page.goto(f"{address}/workshop/{file.id}")
    page.locator("#room-changes .face").first.wait_for()
    page.evaluate(axe.AXE_FILE_PATH.read_text("utf-8"))
    seen = {"changes": page.evaluate("axe.run()")["violations"]}
    if viewport is not DESKTOP:
        page.locator("#tab-balance").click()
    page.locator(".chart").wait_for()
    page.locator(".wanted meter").first.wait_for()
    seen["balance"] = page.evaluate("axe.run()")["violations"]
    page.locator("#tab-watch").click()
    page.locator(".watched dd").first.wait_for()
    page.locator("#room-watch .lead", has_text="In the end: Player 1").wait_for()
    seen["watch"] = page.evaluate("axe.run()")["violations"]
    page.locator('[data-focus="play"]').click()
    seen["play"] = page.evaluate("axe.run()")["violations"]
    page.keyboard.press("Escape")
    page.goto(f"{address}/workshop/new?extends=sushi_go")
    page.locator("#room-changes", has_text="Nothing differs").wait_for()
    page.evaluate(axe.AXE_FILE_PATH.read_text("utf-8"))
    page.locator('[data-focus="share"]').click()
    page.locator('[data-focus="shelve"]').wait_for()
    seen["share"] = page.evaluate("axe.run()")["violations"]
    page.keyboard.press("Escape")
    page.goto(f"{address}/workshop/{file.id}")
    page.locator("#room-changes .face").first.wait_for()
    page.evaluate(axe.AXE_FILE_PATH.read_text("utf-8"))
    if viewport is not PHONE:
        file.path.write_text(TEA.replace("each: tea", "each: teas"))
        page.locator(".finding.error").first.wait_for()
        seen["error"] = page.evaluate("axe.run()")["violations"]
    broken = [(state, rule["id"], rule["nodes"][0]["html"]) for state, rules in seen.items() for rule in rules]
    assert broken == []
