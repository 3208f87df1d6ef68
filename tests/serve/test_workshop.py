"""The workshop on a real server: findings, panes, files, quotas, and what a text can never read."""

from __future__ import annotations

import asyncio
import json
import re
import time
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256
from random import Random
from types import SimpleNamespace
from urllib.request import urlopen

import pytest

from conftest import NIGHTLY, sample
from draftengine.apps.web import RefusedError
from draftengine.apps.web.catalogue import Catalogue
from draftengine.apps.web.pool import Once
from draftengine.apps.web.storage import database
from draftengine.apps.web.storage.chain import MOST_SHELVED, Shelved
from draftengine.apps.workshop import routes, sessions, work
from draftengine.apps.workshop.routes import LocalFile, Workshop
from draftengine.apps.workshop.work import Draft
from draftengine.model import limits
from draftengine.support.locale import LANGUAGES, spoken
from loops import in_a_loop
from serve.harness import BOT, Page, Process, ask, made, person, serving
from serve.writing import Writer

HEAD = "format: 2\nid: tea_night\nextends: sushi_go\ntitle: Tea Night\nversion: 0.1.0\n"
TEA = f"{HEAD}cards:\n  tea: {{count: 6, label: Tea}}\nscoring:\n  tea: {{each: tea, points: 2}}\n"


@pytest.fixture(autouse=True, scope="module")
def quick():
    """Play few games, and none to look for findings."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sessions, "GAMES_PLAYED", (20,))
        patch.setattr(sessions, "PLAY_PAUSE", 600)
        patch.setattr(sessions, "PAUSE", 0)
        yield


def workshop_in(folder):
    """Start a server with a workshop, and yield its address."""
    return serving(folder / "t.sqlite", Catalogue(["sushi_go"]), workshop=lambda site: Workshop(site).routes())


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    with workshop_in(tmp_path_factory.mktemp("tables")) as running:
        yield running


@pytest.fixture
def folder(tmp_path):
    """A folder with a text, one that it may extend, and a link that leads out of it."""
    inside = tmp_path / "games"
    inside.mkdir()
    (inside / "tea_night.yaml").write_text(TEA)
    (inside / "plain.yaml").write_text(TEA.replace("tea_night", "plain").replace("Tea Night", "Plain tea"))
    (tmp_path / "secret.yaml").write_text(TEA.replace("tea", "canary"))
    (inside / "linked.yaml").symlink_to(tmp_path / "secret.yaml")
    (inside / "round.yaml").symlink_to(inside / "round.yaml")
    (inside / "drawer.yaml").mkdir()
    return inside


@pytest.fixture
def local(folder, tmp_path):
    """A server for a file of this machine, and the file."""
    file = LocalFile(folder / "tea_night.yaml")
    catalogue = Catalogue(["sushi_go"])
    with serving(tmp_path / "t.sqlite", catalogue, workshop=lambda site: Workshop(site, file).routes()) as running:
        yield running, file


def test_what_cannot_be_read_beside_a_file_is_named(folder):
    """A link out of the folder, a link to itself and a folder called like a file each have their reason."""
    texts, refused = LocalFile(folder / "tea_night.yaml").neighbours()
    assert [name for name, _, _ in texts] == ["plain"]
    assert dict(refused) == {
        "drawer": "shop.refused.unreadable",
        "linked": "shop.refused.outside",
        "round": "shop.refused.unreadable",
    }


# ── The editor ────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_findings_come_with_their_fixes(address):
    """A mistake is shown with an edit that mends it; without it there are no findings."""
    with Writer(address, "a", "language") as page:
        (finding,) = page.write(TEA.replace("each: tea", "each: teas"))
        assert (finding["code"], finding["range"]["start"]["line"]) == ("unknown-name", 8)
        assert finding["data"]["explanation"]
        (fix,) = finding["data"]["fixes"]
        (edit,) = fix["edit"]["changes"]["workshop:/rules.yaml"]
        assert edit["newText"] == "tea"
        assert page.write(TEA) == []


def test_the_errors_of_the_game_itself_come_first(address):
    """Errors in the text and the base game come before the findings of variants, and are among all."""
    wrong = TEA.replace("each: tea", "each: teas")
    variant = f"{TEA}variants:\n  dear:\n    title: Dear\n    changes: {{scoring: {{tea: {{points: teas}}}}}}\n"
    for text, early in ((wrong, ["unknown-name"]), (variant, []), (TEA, [])):
        with Writer(address, "a", "language") as page:
            whole = page.write(text)
            (first,) = (json.loads(message) for message in page.received if '"partial": true' in message)
        assert [finding["code"] for finding in first["params"]["diagnostics"]] == early
        assert all(finding in whole for finding in first["params"]["diagnostics"])
        assert bool(whole) == (text != TEA)


def test_findings_are_in_the_language_of_the_reader(address):
    """Findings, their fixes, refusals and conclusions of games are Polish on a Polish page."""
    with Writer(address, "a", "language", language="pl") as page, Writer(address, "a", "panes", language="pl") as panes:
        (finding,) = page.write(TEA.replace("each: tea", "each: teas"))
        assert "„teas”" in finding["message"]
        assert [fix["title"] for fix in finding["data"]["fixes"]] == ["Zamień „teas” na „tea”"]
        page.write(TEA)
        refused = page.ask("rename", position={"line": 6, "character": 3}, newName="7")["error"]["message"]
        assert "to nie nazwa" in refused
        weighed = panes.show(TEA, "balance")["balance"]
        words = " ".join(sentence["text"] for sentence in weighed["sentences"]).lower().split()
        assert not {"scores", "points", "games"} & {*words}
        assert "shared" not in {effect["label"] for effect in weighed["effects"]}


def test_an_unfinished_text_is_completed_and_explained(address):
    """Completion and hover use the last text without errors while there is an error; names can be changed."""
    unfinished = TEA.replace("each: tea,", "each: ,")
    at = {"line": 8, "character": len("  tea: {each: ")}
    with Writer(address, "a", "language") as page:
        page.write(TEA)
        page.write(unfinished)
        offered = page.ask("completion", position=at)["result"]["items"]
        assert {"tea", "tempura"} <= {item["label"] for item in offered}
        page.write(TEA)
        hovered = page.ask("hover", position={"line": 8, "character": 3})["result"]["contents"]["value"]
        assert "2 points" in hovered
        edit = page.ask("rename", position={"line": 6, "character": 3}, newName="matcha")["result"]
        assert {change["newText"] for change in edit["changes"]["workshop:/rules.yaml"]} == {"matcha"}
        refused = page.ask("rename", position={"line": 6, "character": 3}, newName="tempura")["error"]["message"]
        assert "tempura" in refused
        assert page.ask("hover", position={"line": -1})["error"]["code"] == -32602
        assert page.ask("formatting")["error"]["code"] == -32601


# ── The panes ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_panes_are_about_the_text_that_was_sent(address):
    """Each pane has the hash of its text. Changes are words of the reader's language, cards are drawings."""
    with Writer(address, "a", "panes", language="pl") as page:
        got = page.show(TEA, "changes", "cards", "book", "balance")
        assert {pane["hash"] for pane in got.values()} == {sha256(TEA.encode()).hexdigest()}
        lines = [line for part in got["changes"]["parts"] for thing in part["things"] for line in thing["lines"]]
        assert all(sign == "+" for sign, _ in lines)
        assert any("punkt" in text for _, text in lines)
        (card,) = got["cards"]["cards"]
        assert (card["name"], card["count"], card["new"]) == ("Tea", 6, True)
        assert card["svg"].startswith("<svg")
        assert got["balance"]["games"] == 20
        assert "Tea" in {effect["label"] for effect in got["balance"]["effects"]}
        assert got["balance"]["seldom"] == []
        begun = page.show(TEA, "balance", players=0)["balance"]
        assert begun["effects"] == got["balance"]["effects"], "without a number it is about the usual one, which is 3"
        with urlopen(f"{address}{got['book']['page']}") as answer:  # noqa: S310 (our own server)
            assert "Tea" in answer.read().decode()
            assert answer.headers["content-security-policy"].startswith("sandbox; default-src 'none'")


def test_a_rule_that_hardly_ever_scores_is_named(address):
    """Points that nobody gets are told from points that add up to nothing."""
    text = f"{TEA}  soy: {{points: '9 if tempura == 8 else 0'}}\n  duel: {{majority: tea, most: [3], fewest: [-3]}}\n"
    with Writer(address, "a", "panes") as page:
        assert page.show(text, "balance")["balance"]["seldom"] == [{"label": "Soy", "share": 0}]


@pytest.mark.parametrize(
    ("name", "value", "old", "new"),
    [
        ("scoring.tea.points", 9, "points: 2", "points: 9"),
        ("rounds", 2, "points: 2}\n", "points: 2}\nrounds: 2\n"),
        ("cards.tempura.count", 8, "cards:\n", "cards:\n  tempura: {count: 8}\n"),
        ("abilities.chopsticks.take", 2, "points: 2}\n", "points: 2}\nabilities:\n  chopsticks: {take: 2}\n"),
    ],
)
@pytest.mark.web
def test_another_number_is_tried_without_changing_the_text(name, value, old, new):
    """Games of both numbers have equal seeds, and come with a sound text that has the other one."""
    draft = Draft("tea_night.yaml", TEA)
    tried = work.other_number(draft, "en", 3, 20, name, value)
    assert tried["games"] == 20
    assert any(effect["difference"] for effect in tried["effects"])
    assert tried["text"] == TEA.replace(old, new)
    same = work.other_number(draft, "en", 3, 20, name, work.changes(draft, "en")["numbers"][name])
    assert not any(effect["difference"] for effect in same["effects"])


def test_numbers_that_cannot_be_tried_are_refused_in_words(address):
    """A sentence says that the rules lack or forbid a number; a malformed one is refused."""
    with Writer(address, "a", "panes") as page:
        assert "points" in page.show(TEA, "number", number=["scoring.tea.point", 1])["number"]["refused"]
        assert page.show(TEA, "number", number=["rounds", -1])["number"]["refused"]
        for value in (3, 5, 3):
            assert page.show(TEA, "number", number=["scoring.tea.points", value])["number"]["value"] == value
        page.send(text=TEA, version=99, panes=["number"], number=["rounds", "x"])
        assert page.until(lambda message: message["method"] == "refused")["params"]["error"] == "bad-message"


@pytest.mark.web
def test_a_card_that_nobody_wants_is_dead(address):
    """Bots that have learnt the rules leave a card that costs points, and the page says so."""
    with Writer(address, "a", "panes") as page:
        counted = page.show(TEA.replace("points: 2", "points: -3"), "wanted")["wanted"]
    assert counted["sentences"] == ["Tea is a dead card: in 20 of 20 choices an average card is taken before it."]
    assert counted["cards"][-1]["label"] == "Tea"
    assert counted["games"] == work._DRAFTED


@pytest.mark.web
def test_how_long_a_game_lasts_and_whether_knowing_it_pays(address):
    """The page says of a draft how many choices players make, and how often a bot that has learnt it wins."""
    with Writer(address, "a", "panes") as page:
        length, knowing = page.show(TEA, "course", players=3)["course"]["sentences"]
    assert length["text"] == "Every game is equally long: each player makes 27 choices in 3 rounds."
    assert knowing["text"].startswith("Knowing the game pays: the table bot wins ")
    assert knowing["sure"] == "certain"


@pytest.mark.web
def test_a_game_is_watched_with_the_reason_of_each_choice(address):
    """Every seat has a line in each turn, in the language of the reader, and its points in the end."""
    with Writer(address, "a", "panes", language="pl") as page:
        game = page.show(TEA.replace("version", "rounds: 1\nversion"), "watch", players=3)["watch"]
    assert [(turn["round"], turn["turn"]) for turn in game["turns"]] == [(1, turn) for turn in range(1, 10)]
    assert {tuple(line["who"] for line in turn["choices"]) for turn in game["turns"]} == {
        ("Gracz 1", "Gracz 2", "Gracz 3")
    }
    assert all(": " in line["text"] for turn in game["turns"] for line in turn["choices"])
    assert (game["over"], len(game["totals"])) == (True, 3)


def test_a_game_whose_choices_take_long_is_not_played_to_the_end(monkeypatch):
    """Only as many turns are watched as there is time for."""
    monkeypatch.setattr(work, "_LONGEST_WATCHED", 0.0)
    assert work.watch(Draft("tea.yaml", TEA), "en", 3)["over"] is False


def test_what_is_printed_is_what_differs(address):
    """The sheets hold the new cards, or nothing where no card is new."""
    with Writer(address, "a", "panes") as page:
        with urlopen(f"{address}{page.show(TEA, 'print')['print']['page']}") as answer:  # noqa: S310 (our own server)
            sheets = answer.read().decode()
        assert sheets.count('href="#card-tea"') == 6
        assert "card-tempura" not in sheets
        assert page.show(HEAD, "print")["print"]["page"] == ""


def test_a_variant_without_a_text_is_new():
    """A new variant without a text is named by its title."""
    text = f"{TEA}variants:\n  brief:\n    title: One round\n    changes: {{rounds: 1}}\n"
    (variants,) = (part for part in work.changes(Draft("t.yaml", text), "en")["parts"] if part["title"] == "Variants")
    assert variants["things"] == [{"about": "One round", "lines": (("+", "One round"),)}]


def test_cards_are_printed_on_either_paper(address):
    """Sheets are made for A4 and for Letter."""
    with Writer(address, "a", "panes") as page:
        made = page.show(TEA, "print", "print_letter")
        for pane, width in (("print", "210"), ("print_letter", "215.9")):
            with urlopen(f"{address}{made[pane]['page']}") as answer:  # noqa: S310 (our own server)
                assert f"size:{width}mm" in answer.read().decode()


def test_numbers_have_the_labels_of_their_cards_and_rules():
    """A number is called by its card or rule, and sentences are as precise as the figures of the page."""
    draft = Draft("tea_night.yaml", TEA.replace("label: Tea", "label: {en: Green tea, pl: Zielona herbata}"))
    called = work.changes(draft, "en")["called"]
    assert (called["cards.tea.count"], called["scoring.maki.most.0"]) == ("Green tea: count", "Maki: most 1")
    assert (called["rounds"], called["abilities.chopsticks.per_turn"]) == ("rounds", "abilities chopsticks per turn")
    assert work.changes(draft, "pl")["called"]["cards.tea.count"] == "Zielona herbata: count"
    tried = work.other_number(draft, "en", 3, 20, "scoring.tea.points", 9)
    text = " ".join(sentence["text"] for sentence in tried["sentences"])
    assert "points = 9" in text
    assert re.findall(r"[1-9]\d*\.\d\d", text) == []


def test_nothing_is_shown_of_a_text_with_an_error(address):
    """A text with an error has no panes but the one that says so, and a mended one has them again."""
    with Writer(address, "a", "panes") as page:
        panes = page.show(TEA.replace("each: tea", "each: teas"), "changes", "book")
        assert ({*panes}, panes["state"]["line"]) == ({"state"}, 9)
        assert panes["state"]["message"].startswith("There is no “teas” here.")
        assert page.show(TEA, "changes")["changes"]["title"] == "Tea Night"


def test_who_has_used_up_the_time_gets_findings_only(tmp_path, monkeypatch):
    """An address without processor time gets no panes, but its mistakes are found all the same."""
    monkeypatch.setattr(routes, "BURST", -1.0)
    with (
        workshop_in(tmp_path) as address,  # a server remembers who has used up the time
        Writer(address, "a", "panes") as panes,
        Writer(address, "a", "language") as page,
    ):
        assert {*panes.show(TEA, "changes")} == {"state", "quota"}
        assert len(page.write(TEA.replace("each: tea", "each: teas"))) == 1


# ── What a text can read ──────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("asked", ["../secret", "{above}/secret.yaml", "linked", "linked.yaml", "secret"])
@pytest.mark.parametrize("key", ["extends", "include", "cardset"])
def test_nothing_outside_of_the_folder_is_read(local, tmp_path, monkeypatch, key, asked):
    """No text reads a file but those beside it, for any path, link or address that it names."""
    address, file = local
    monkeypatch.chdir(tmp_path)
    value = asked.format(above=tmp_path)
    text = TEA.replace("extends: sushi_go", f"{key}: {value}" if key != "include" else f"include: [{value}]")
    with Writer(address, file.id, "language") as page, Writer(address, file.id, "panes") as panes:
        assert page.write(text, (tmp_path / "games" / "tea_night.yaml").as_uri())
        page.ask("completion", position={"line": 2, "character": 9})
        panes.show(text, "changes", "cards")
        received = "".join(page.received + panes.received)
    assert "canary" not in received
    assert str(tmp_path) not in received.replace((tmp_path / "games" / "tea_night.yaml").as_uri(), "").replace(
        value, ""
    )


HOSTILE = {
    "deep": ("[" * 60_000, "too-deep"),
    "aliases": ("a: &a [x, x]\nb: &b [*a, *a]\nc: [*b, *b]\n", "anchor"),
    "code": (f"{HEAD}about: !!python/object/apply:os.system [id]\n", "tag"),
    "control": (TEA.replace("label: Tea", 'label: "Tea\\u0007"'), "bad-escape"),
    "backwards": (TEA.replace("label: Tea", "label: Tea\u202e"), "control-character"),
    "huge number": (TEA.replace("count: 6", "count: 1000000000"), "number-too-large"),
    "deep formula": (
        TEA.replace("{each: tea, points: 2}", f'{{points: "{"(" * 3_000}1{")" * 3_000}"}}'),
        "formula-syntax",
    ),
    "endless power": (TEA.replace("{each: tea, points: 2}", "{points: 9 ** 9 ** 9 ** 9}"), "formula-syntax"),
}
"""Texts by what is hostile about them, each with the code of the finding that names it."""


@pytest.mark.parametrize("kind", sample(HOSTILE, 3, pytest.mark.web))
def test_hostile_texts_are_refused_by_name(address, kind):
    """A hostile text gets findings that name the fault, no panes, and leaves both connections at work."""
    text, code = HOSTILE[kind]
    with Writer(address, "a", "language") as page, Writer(address, "a", "panes") as panes:
        assert code in {finding["code"] for finding in page.write(text)}
        assert {*panes.show(text, "changes", "book")} == {"state"}
        assert page.write(TEA) == []
        assert panes.show(TEA, "changes")["changes"]["title"] == "Tea Night"


def test_texts_of_a_page_are_no_markup(address):
    """Labels and rules with markup are text in drawn cards and in the rulebook."""
    mark = "<img src=x onerror=alert(1)>"
    with Writer(address, "a", "panes") as panes:
        got = panes.show(TEA.replace("label: Tea", f"label: '{mark}', text: '{mark}'"), "cards", "book")
    drawn = [card["svg"] for card in got["cards"]["cards"]]
    assert "&lt;img" in json.dumps(drawn)
    assert mark not in json.dumps([drawn, got["book"]])


@pytest.mark.web
def test_the_chart_and_the_sentences_round_alike():
    """A difference of 2.848 points is 2.85 in reports: the page says 2.9 in the chart and in the sentence."""
    text = "id: mine\nextends: sushi_go\ntitle: Mine\nversion: 0.1.0\ncards: {tea: {count: 6, label: Tea}}\n"
    draft = Draft("mine.yaml", f"format: 2\n{text}scoring: {{tea: {{each: tea, points: 2}}}}\n")
    weighed = work.balance(draft, "en", 3, 5_000)
    sentences = " ".join(each["text"] for each in weighed["sentences"])
    rules = [effect for effect in weighed["effects"] if effect["kind"] == "rule" and effect["certain"]]
    assert "Tea" in {effect["label"] for effect in rules}
    for effect in rules:
        changed = f"{effect['a']:.1f} → {effect['b']:.1f} points per player ({effect['difference']:+.1f})"
        assert changed.replace("-", "−") in sentences


@pytest.mark.web
def test_a_file_that_is_not_read_is_named_with_the_reason(local, folder, monkeypatch):
    """A text that extends or includes a file which the server does not read learns why, at that line."""
    address, file = local
    (folder / "large.yaml").write_text("#" * (limits.UPLOAD + 1))
    (folder / "picture.yaml").write_bytes(b"\x89PNG")
    reasons = {
        "linked": "it is a link to something outside of this folder.",
        "large.yaml": "the file is larger than 64 KiB.",
        "picture": "the file is not text in UTF-8.",
    }

    def said(page, text):
        return [(each["range"]["start"]["line"], each["message"]) for each in page.write(text)]

    with Writer(address, file.id, "language") as page, Writer(address, "other", "language") as other:
        for name, reason in reasons.items():
            assert said(page, TEA.replace("sushi_go", name)) == [(2, f"“{name}” can't be extended: {reason}")]
        assert said(page, f"{TEA}include: [linked.yaml]\n") == [
            (9, f"“linked.yaml” can't be included: {reasons['linked']}")
        ]
        monkeypatch.setattr(routes, "MOST_FILES", 1)
        (message,) = said(page, TEA.replace("sushi_go", "plain"))
        assert message[1].endswith("files of its folder are read.")
        refused = spoken("en").phrase("shop.refused.files")
        assert refused.startswith("this page reads no files.")
        assert refused.endswith("but none from the shelf.")
        for name in ("plain", "/etc/plain.yaml", "file:///etc/plain"):
            assert said(other, TEA.replace("sushi_go", name)) == [(2, f"“{name}” can't be extended: {refused}")]
        for name in ("plain.yaml", "/etc/plain.yaml"):
            assert said(other, f"{TEA}include: [{name}]\n") == [(9, f"“{name}” can't be included: {refused}")]
        ((_, message),) = said(page, TEA.replace("sushi_go", "/etc/plain.yaml"))
        assert message.endswith("Write “plain.yaml”, and put the file in the same folder.")


def test_another_page_does_not_see_the_file(local):
    """The folder of the file is read for its own page only, whose address is secret."""
    address, file = local
    text = TEA.replace("extends: sushi_go", "extends: plain")
    with Writer(address, file.id, "language") as page, Writer(address, "other", "language") as other:
        assert [finding["code"] for finding in page.write(text) if finding["severity"] == 1] == []
        assert [finding["code"] for finding in other.write(text)] == ["extends-unknown"]
        assert "Plain tea" not in "".join(other.received)
    assert json.loads(ask(address, "/api/workshop/other")[1]) == {"local": False}
    status, body = ask(address, "/api/workshop/other/save", {"text": "x", "before": ""})
    assert (status, json.loads(body)["error"]) == (404, "no-such-file")


@pytest.mark.web
def test_no_word_of_one_page_is_in_the_bytes_of_another(address):
    """Pages that work at once get only what is about their own texts."""
    words = [f"canary{letter}" for letter in "abcd"]
    texts = [re.sub(r"\btea\b", word, TEA.replace("Tea", word)) for word in words]
    editors = [Writer(address, "a", "language") for _ in words]
    panes = [Writer(address, "a", "panes") for _ in words]
    for page, text in zip(panes, texts, strict=True):
        page.send(text=text, version=1, panes=["changes", "cards", "book"], players=3)
    for page, text in zip(editors, texts, strict=True):
        page.write(text)
        page.ask("completion", position={"line": 8, "character": 24})
    for page in panes:
        page.until(lambda message: message["params"]["pane"] == "book")
    for word, *pages in zip(words, editors, panes, strict=True):
        received = "".join(text for page in pages for text in page.received)
        assert word in received
        assert [other for other in words if other != word and other in received] == []
    for page in (*editors, *panes):
        page.left.close()


# ── Files, tables and links ───────────────────────────────────────────────────────────────────────────────────────────


def test_a_file_is_saved_over_the_version_that_the_page_knows(local):
    """A text is written whole, and not over what another program wrote meanwhile."""
    address, file = local
    kept = json.loads(ask(address, f"/api/workshop/{file.id}")[1])
    assert (kept["file"], kept["text"]) == ("tea_night.yaml", TEA)
    status, body = ask(address, f"/api/workshop/{file.id}/save", {"text": HEAD, "before": kept["hash"]})
    assert (status, file.path.read_text()) == (200, HEAD)
    file.path.write_text(TEA)
    status, body = ask(address, f"/api/workshop/{file.id}/save", {"text": "x", "before": json.loads(body)["hash"]})
    assert (status, json.loads(body)["error"], file.path.read_text()) == (409, "changed-elsewhere", TEA)


@pytest.mark.web
def test_a_table_plays_the_text_as_it_is(local):
    """A text that extends a file beside it can be played at once, and the table keeps it."""
    address, file = local
    text = (
        TEA.replace("extends: sushi_go", "extends: plain")
        .replace("points: 2", "points: 7")
        .replace("  tea: {c", "  milk: {c")
    )
    status, body = ask(address, f"/api/workshop/{file.id}/play", {"text": text})
    assert status == 200, body
    table, tokens = made(address, json.loads(body)["set"], [person(), BOT])
    page = Page(address, table, tokens[0])
    assert "Tea Night" in page.frames[-1]
    page.close()
    status, body = ask(address, f"/api/workshop/{file.id}/play", {"text": TEA.replace("each: tea", "each: teas")})
    assert json.loads(body)["error"] == "wrong-card-set"


def test_a_change_of_a_served_game_begins_with_a_text_that_is_sound(address):
    """The lobby offers a change of each game, and what it begins with has no errors."""
    listed = json.loads(ask(address, "/api/sets")[1])
    assert listed["workshop"] is True
    text = json.loads(ask(address, "/api/workshop/begin?extends=sushi_go&language=ja")[1])["text"]
    with Writer(address, "a", "language") as page:
        assert [finding for finding in page.write(text) if finding["severity"] == 1] == []
    assert ask(address, "/api/workshop/begin?extends=nothing")[0] == 404


def shelf_of(address):
    return json.loads(ask(address, "/api/shelf?language=en")[1])["sets"]


def shelved(address, **what):
    status, body = ask(address, "/api/shelf", what)
    return status, json.loads(body)


@pytest.mark.web
def test_a_house_rule_on_the_shelf_is_played_and_copied(address):
    """Everybody can play it; its author decides who reads its text, and alone replaces it."""
    status, mine = shelved(address, text=TEA, open=True)
    assert status == 201
    (entry,) = shelf_of(address)
    assert (entry["title"], entry["open"], entry["shelf"]) == ("Tea Night", True, mine["rule"])
    assert (entry["base"], entry["text"], next(iter(entry["drawn"]))) == ("Sushi Go!", "", "tea")
    assert "+ Tea: Each tea card scores 2 points." in entry["differs"]
    assert mine["token"] not in json.dumps(entry)
    assert json.loads(ask(address, f"/api/shelf/{mine['rule']}")[1]) == {"text": TEA}
    made(address, entry["id"], [person(), BOT])

    stranger = {"rule": mine["rule"], "token": "x", "text": HEAD}
    assert shelved(address, **stranger)[1]["error"] == "not-your-rule"
    assert shelved(address, **{**stranger, "text": None})[1]["error"] == "not-your-rule"
    text = TEA.replace("Tea Night", "Tea again")
    assert shelved(address, **mine, text=text, open=False) == (201, mine)
    assert [rule["title"] for rule in shelf_of(address)] == ["Tea again"]
    assert json.loads(ask(address, f"/api/shelf/{mine['rule']}")[1])["error"] == "not-to-change"
    assert shelved(address, text=TEA.replace("each: tea", "each: teas"))[1]["error"] == "wrong-card-set"
    assert shelved(address, **mine) == (200, {"rule": ""})
    assert shelf_of(address) == []
    assert ask(address, f"/api/shelf/{mine['rule']}")[0] == 404


def test_the_first_page_has_what_is_known_of_the_shelf(address):
    """Check that the list of games has the house rules that are described already."""
    _, mine = shelved(address, text=TEA, open=True)
    shelf_of(address)
    listed = json.loads(ask(address, "/api/sets?language=en")[1])
    assert ([rule["shelf"] for rule in listed["shelf"]], listed["waiting"]) == ([mine["rule"]], 0)
    shelved(address, **mine)


class ShelfSite:
    """A site with these house rules on its shelf, in place of one with processes and a database."""

    def __init__(self, *names):
        self.pool = self.hub = self.disk = self.storage = self
        self.shelf, self.on_shelf = [Shelved(name, name, "", may_change=True) for name in names], None
        self.described, self.compared = asyncio.Event(), []

    async def call(self, shelf):
        return shelf

    async def source(self, name):
        return name

    async def entry(self, _lane, _who, name, _source, _language):
        if name == "slow":
            await self.described.wait()
        return {"title": name}

    async def do(self, *given):
        self.compared.append(given)
        return {}


def test_a_slow_house_rule_holds_up_no_other():
    """Check that rules not described in time are counted, and finished for the next one who asks."""

    async def asked():
        site = ShelfSite("quick", "slow")
        shop = Workshop(site)
        first = await site.on_shelf("en", "x", 0.05)
        site.described.set()
        return first, await shop.on_shelf("en", "x", 5)

    (quick, waiting), (every, none) = in_a_loop(asked())
    assert ([rule["title"] for rule in quick], waiting) == (["quick"], 1)
    assert ([rule["title"] for rule in every], none) == (["quick", "slow"], 0)


def test_a_full_shelf_is_compared_once_in_each_language():
    async def asked():
        site = ShelfSite(*map(str, range(MOST_SHELVED)))
        shop = Workshop(site)
        for language in (*LANGUAGES, *LANGUAGES):
            await shop.on_shelf(language, "x", 5)
        return len(site.compared)

    assert in_a_loop(asked()) == MOST_SHELVED * len(LANGUAGES)


def test_nothing_waits_for_a_shelf_that_nobody_asks_for_any_more():
    async def left():
        asked = asyncio.ensure_future(Workshop(ShelfSite("slow")).on_shelf("en", "x", 5))
        await asyncio.sleep(0.01)
        asked.cancel()
        await asyncio.wait([asked])
        await asyncio.sleep(0)
        return asyncio.all_tasks() - {asyncio.current_task()}

    assert in_a_loop(left()) == set()


def test_nobody_fills_the_shelf(address, monkeypatch):
    """An address shares a few rules at once and then waits, and a full shelf takes no more."""
    monkeypatch.setattr(database, "MOST_SHELVED", 1)
    _, mine = shelved(address, text=TEA)
    assert shelved(address, text=TEA)[1]["error"] == "shelf-full"
    monkeypatch.setattr(routes, "BURST", -1.0)
    assert shelved(address, text=TEA)[1]["error"] == "too-fast"
    shelved(address, **mine)


def test_a_message_of_another_form_ends_the_connection(address):
    """A message that cannot be read is refused by name."""
    for door, message in (("panes", {"text": 7}), ("language", {"method": "textDocument/didOpen", "params": {}})):
        with Writer(address, "a", door) as page:
            page.send(**message)
            refused = page.until(lambda answer: answer.get("method") == "refused")
            assert refused["params"]["error"] == "bad-message"


def test_an_older_look_ends_when_a_newer_text_comes(monkeypatch):
    """An older text must not be taken for the newest while the pause before the newer one passes."""
    monkeypatch.setattr(sessions, "PAUSE", 0.05)
    begun, ended = [], []

    class Looking(sessions.Session):
        begun = asyncio.Event()

        async def look(self):
            begun.append(self.overtaken())
            self.begun.set()
            await asyncio.sleep(0.03)
            ended.append(self.overtaken())

    async def two_texts():
        session = Looking(None, SimpleNamespace(draft=str))
        working = asyncio.create_task(session._work())
        session.changed()
        await asyncio.wait_for(session.begun.wait(), 5)
        session.changed()
        await asyncio.sleep(0.2)
        working.cancel()

    in_a_loop(two_texts())
    assert (len(begun), len(ended)) == (2, 1)


def test_a_text_is_checked_once_and_a_stale_one_not_at_all():
    """Both connections of a page get the findings of one check; a text that nobody waits for is dropped."""
    checked = []

    async def texts():
        free = asyncio.Event()

        async def do(_lane, _who, _deadline, _measured, _task, draft, _language, wanted):
            await free.wait()
            if not wanted():
                raise RefusedError("busy")
            checked.append(draft.text)
            return 0.0, {"line": 0}

        desk = SimpleNamespace(
            pool=SimpleNamespace(do=do), checks=Once(8), allowances=routes.Allowances(), address="a", language="en",
            draft=str,
        )  # fmt: skip
        pages = [sessions.Session(None, desk) for _ in range(2)]
        stale = [asyncio.create_task(page.check(Draft("a.yaml", "old"))) for page in pages]
        await asyncio.sleep(0)
        for task in stale:
            task.cancel()
        newest = [asyncio.create_task(page.check(Draft("a.yaml", "new"))) for page in pages]
        await asyncio.sleep(0)
        free.set()
        assert await asyncio.gather(*newest) == [{"line": 0}] * 2
        assert checked == ["new"]
        await pages[0].check(Draft("a.yaml", "old"))

    in_a_loop(texts())
    assert checked == ["new", "old"]


WRITERS = 20


def seconds_of_edits(address, writer, edits):
    """Return how long each of some edits waits for its findings; one is made each second."""
    waits = []
    with Writer(address, f"page{writer}", "language") as page:
        time.sleep(writer / WRITERS)
        for edit in range(edits):
            began = time.monotonic()
            page.write(f"{TEA.replace('points: 2', f'points: {edit % 7 + 1}')}# {writer}, {edit}\n")
            waits.append(time.monotonic() - began)
            time.sleep(max(0, 1 - waits[-1]))
    return waits


def seconds_of_choices(address, writing):
    """Return how long each choice of a game waits for its acknowledgement, as long as others are writing."""
    table, tokens = made(address, "sushi_go", [person("Ada"), BOT])
    page, chance, waits = Page(address, table, tokens[0]), Random(1), []
    page.ask("start")
    while not all(each.done() for each in writing) and not page.game["over"]:
        if page.to_choose():
            decision, move = page.shown["decision"], page.some_move(chance)
            began = time.monotonic()
            page.ask("choose", decision=decision, move=move)
            waits.append(time.monotonic() - began)
        page.until(lambda message: message["type"] == "table")
    page.close()
    return waits


def nearly_all(waits):
    """Return the wait that 95 of 100 do not exceed."""
    return sorted(waits)[len(waits) * 95 // 100]


def test_twenty_people_write_beside_a_table(minutes, tmp_path):
    """Twenty people with an edit a second each get all findings; a table beside them answers in 250 ms."""
    server = Process("--workshop", "--data", str(tmp_path / "t.sqlite"))
    try:
        with ThreadPoolExecutor(WRITERS) as people:
            edits = 20 if NIGHTLY else 3
            writing = [people.submit(seconds_of_edits, server.address, each, edits) for each in range(WRITERS)]
            choices = seconds_of_choices(server.address, writing)
        waits = [wait for each in writing for wait in each.result()]
    finally:
        server.kill()
    assert len(waits) == WRITERS * edits
    assert nearly_all(choices) < 0.25
    if NIGHTLY:  # alone on the machine
        assert nearly_all(waits) < 1
