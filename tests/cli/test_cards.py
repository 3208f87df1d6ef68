"""``draftengine cards``: every copy of every card, on sheets of the right size, in three formats."""

from __future__ import annotations

import json
import math
import re
from io import BytesIO

import pytest
from defusedxml.ElementTree import fromstring
from pypdf import PdfReader

from conftest import sample
from draftengine.api.phrasing import CardSetPhraser
from draftengine.api.ruleset import rules_named
from draftengine.model.cardset.facts import with_most_copies
from draftengine.model.shelf import shelf
from draftengine.render.faces.content import Arrow, Cells, Faces, PointsBadge, Sign
from draftengine.render.faces.elements import hue_of
from draftengine.render.faces.full import Strip
from draftengine.render.sheets import pdf, sheets_of
from draftengine.render.sheets.layout import PAPERS, as_html, as_svg, mirrored
from draftengine.render.sheets.pdf import as_pdf

HOSTILE = '"><script>alert(1)</script>&amp;'
A4 = PAPERS["a4"]
SVG = "{http://www.w3.org/2000/svg}"
LANGUAGES = {"sushi_draft": "ja", "sushi_go": "pl", "anniversary": "pl"}
HOUSE = {
    "format": 1,
    "extends": "sushi_go",
    "id": "sunday",
    "title": "Sunday",
    "version": "1.0.0",
    "rounds": 2,
    "cards": {"chopsticks": {"count": 8}, "soup": {"count": 6, "label": "Soup"}},
    "scoring": {
        "dumpling": {"points": [1, 3, 6, 10, 15, 21]},
        "soup": {"kind": "each", "of": "soup", "points": 2},
        "variety": {"kind": "collection", "of": ["tempura", "sashimi", "dumpling"], "points": 4},
    },
}


@pytest.fixture
def house(tmp_path):
    """Return a function that writes a house rule with changes and returns its rules."""

    def write(**changes):
        path = tmp_path / "sunday.yaml"
        path.write_text(json.dumps(HOUSE | changes))
        return rules_named(path)

    return write


def laid(sheets):
    """Return the number of copies of each card on the sheets."""
    found = [card for sheet in sheets.sheets for card in sheet.cards if card]
    return {card: found.count(card) for card in found}


def texts(markup):
    """Return every text of a drawing with its font size."""
    return [(own.text, float(own.get("font-size"))) for own in fromstring(f"<g>{markup}</g>").iter("text")]


@pytest.mark.parametrize("name", sample(shelf(), 4))
def test_as_many_copies_as_the_box_has(name):
    """Check every shipped set in each of its languages: all copies are there, no text too small to read."""
    rules = rules_named(name)
    counts = {card.id: card.count for card in with_most_copies(rules.model.cards) if card.count}
    for language in {"en", LANGUAGES.get(name, "en")}:
        sheets = sheets_of(rules, A4, language)
        assert laid(sheets) == counts
        assert len(sheets.sheets) == math.ceil(sum(counts.values()) / 9)
        assert fromstring(as_svg(sheets)).get("height") == f"{len(sheets.sheets) * 307 - 10}mm"
        for drawn in sheets.cards.values():
            assert min(size for _, size in texts(drawn)) * 72 / 25.4 >= 6  # points
            assert not any(said.endswith("…") for said, _ in texts(drawn))


def test_a_process_writes_each_format(draftengine, tmp_path):
    """Check that the file name chooses the format, and that a page needs no other file."""
    for file in ("c.pdf", "c.svg", "c.html"):
        process = draftengine("cards", "sushi_go", "--out", file, "--size", "letter", "--lang", "pl", "--one-each")
        assert (process.status, process.out, process.err) == (0, "", f"Zapisano {file}: 2 arkusze, Letter\n")
    pages = PdfReader(tmp_path / "c.pdf").pages
    assert [tuple(round(float(own)) for own in page.mediabox[2:]) for page in pages] == [(612, 792)] * 2
    assert "Nazwy i wydania należą do ich wydawców." in " ".join(pages[0].extract_text().split())
    html = (tmp_path / "c.html").read_text("utf-8")
    assert "@page{size:215.9mm 279.4mm" in html
    assert not re.findall(r"(?:src|href)=\"(?!#)|url\((?!#)|@import|<script", html)
    assert 'aria-label="Arkusz 1 z 2: 1 × Tempura' in html


def names_used(stream):
    """Return the names that a content stream uses, by the kind of resource."""
    kinds = {"gs": "/ExtGState", "Do": "/XObject", "Tf": "/Font", "scn": "/Pattern", "cs": "/ColorSpace"}
    for name, operator in re.findall(r"(/\w+)(?: [\d.]+)? (gs|Do|Tf|scn|cs)\b", stream.get_data().decode("latin-1")):
        if name != "/Pattern":
            yield kinds[operator], name


def test_a_pdf_has_the_resources_that_it_uses():
    """Check that each name used in a page, card or pattern is a declared resource, as PDF readers demand."""
    reader = PdfReader(BytesIO(as_pdf(sheets_of(rules_named("sushi_go"), A4, one_each=True))))
    checked = 0
    waiting = [(page.get_contents(), page["/Resources"]) for page in reader.pages]
    while waiting:
        stream, resources = waiting.pop()
        for kind, name in names_used(stream):
            assert name in resources.get(kind, {}), (kind, name)
            inner = resources[kind][name].get_object()
            checked += 1
            if kind in {"/XObject", "/Pattern"}:
                waiting.append((inner, inner["/Resources"]))
    assert checked > 100


def test_a_pdf_has_every_card_once_and_shows_it_often():
    """Check that a PDF draws each card once, 63 by 88 millimetres, and has reproducible bytes."""
    sheets = sheets_of(rules_named("sushi_go"), A4, backs=True)
    data = as_pdf(sheets)
    assert as_pdf(sheets) == data
    pages = PdfReader(BytesIO(data)).pages
    assert len(pages) == 24
    shown = {
        id(own): own for page in pages for own in (it.get_object() for it in page["/Resources"]["/XObject"].values())
    }
    assert len(shown) == 13  # the cards and the back
    assert {tuple(round(float(side) / 72 * 25.4, 1) for side in own["/BBox"][2:]) for own in shown.values()} == {
        (63, 88)
    }
    assert [page.get_contents().get_data().count(b" Do Q") for page in pages] == [9] * 24


def test_backs_lie_behind_their_cards():
    """Check that backs are mirrored for printing on both sides, also on a sheet that is not full."""
    assert mirrored(("a", "b", "c", "d"), "x") == ("x", "x", "x", "", "", "x")
    assert mirrored(("a", "b"), "x") == ("", "x", "x")


def test_a_house_rule_prints_only_what_it_adds(house):
    """Check that a house rule prints new and changed cards, further copies, and a list of changes."""
    rules = house()
    sheets = sheets_of(rules, A4, over=rules.base)
    assert laid(sheets) == {"dumpling": 14, "chopsticks": 4, "soup": 6, "-changes-1": 1}
    assert sheets.cards["dumpling"].count('stroke-width="0.7"') == 1  # the ring around the new number
    assert {"21", "6+"} <= {said for said, _ in texts(sheets.cards["dumpling"])}
    told = [said for said, _ in texts(sheets.cards["-changes-1"])]
    assert told[:5] == ["Sunday", "compared with Sushi Go!", "Chopsticks", "8", "4"]
    at = told.index("Rounds")
    assert "Variety" in told[:at]
    assert told[at + 1 : at + 3] == ["2", "3"]
    assert all("Sunday 1.0.0" in [said for said, _ in texts(drawn)] for drawn in sheets.cards.values())


def test_what_changes_is_told_to_the_end(house):
    """Check that long sentences on the card of changes continue on further cards, without being cut off."""
    long = "Whoever has most wins ten points, and whoever has fewest loses as many. " * 4
    rules = house(scoring={f"new_{at}": {"kind": "formula", "points": "1", "text": long} for at in range(3)})
    cards = sheets_of(rules, A4, over=rules.base).cards
    told = [[said for said, _ in texts(drawn)] for name, drawn in cards.items() if name.startswith("-changes")]
    assert len(told) > 1
    assert [own for words in told for own in words if "/" in own] == [
        f"{at} / {len(told)}" for at in range(1, len(told) + 1)
    ]
    assert " ".join(own for words in told for own in words).count("loses as many.") == 3 * 4


def test_words_of_an_author_that_are_no_longer_true_are_replaced(house, tmp_path):
    """Check that an author's text that no longer holds is replaced by the rule's sentence; others stay."""
    house(cards={"tempura": {"text": "Two are worth 5."}, "sashimi": {"text": "Three of a kind."}}, scoring={})
    monday = {"format": 1, "extends": "sunday", "id": "monday", "title": "Monday", "version": "1.0.0"}
    changed = {"tempura": {"points": 6}, "dumpling": {"points": [1, 3, 6, 10, 15, 21]}}
    path = tmp_path / "monday.yaml"
    path.write_text(json.dumps(monday | {"scoring": changed}))
    faces = {own.card: own for own in Faces(*spoken(path)).all()}
    assert faces["tempura"].line == "Each set of 2 tempura scores 6 points. A single tempura scores nothing."
    assert faces["sashimi"].line == "Three of a kind."
    assert "15, 21 points" in faces["dumpling"].line


def spoken(path):
    """Return rules, their phraser, and the rules that they extend."""
    rules = rules_named(path)
    return rules, CardSetPhraser(rules.model), [rules.base]


def test_a_rule_that_stands_on_a_card_is_drawn_there():
    """Check that a rule drawn on a counted card shows that card's points, not those of the counting card."""
    rules = rules_named("tides_of_time")
    strips = {own.card: own.strip for own in Faces(rules, CardSetPhraser(rules.model)).all()}
    assert strips["old_palace"] == ((Sign("old_library"), Arrow(), PointsBadge("3")),)
    assert strips["high_palace"] == ((Cells((("most", "7"),)),),)
    assert strips["great_palace"][0][-1] == PointsBadge("9")
    assert strips["wins_ties"] == strips["monument"] == ()


def test_a_strip_becomes_lower_but_stays_legible():
    """Lines of a strip become lower where there is little room, but never too low to read."""
    rows = [(Cells((("most", "6"), ("second", "3"), ("third", "1"))),)] * 3
    strip = Strip(rows, hue_of(0), lambda *_: "")
    heights = [strip.height(room) / len(strip.lines) for room in range(60)]
    assert min(heights) >= 9
    assert min(heights) < max(heights)


def test_events_without_numbers_need_no_strip(draftengine, tmp_path):
    """A card that something happens to is drawn with and without cells for it, in every menu."""
    for menu in ("points_platter", "dinner_for_two"):
        finished = draftengine("cards", "sushi_go_party", "--menu", menu, "--one-each", "-o", str(tmp_path / "x.html"))
        assert finished.status == 0, finished.err


def test_what_holds_for_several_rules_is_told_once():
    rules = rules_named("party_cutthroat")
    faces = {own.card: own for own in Faces(rules, CardSetPhraser(rules.model)).all()}
    assert [own.line.count("Only when the game ends") for own in faces.values() if "elons" in own.line] == [1, 1, 1]


def test_copies_for_so_many_players(tmp_path):
    """Check the number of copies: all in the box, or those used with this number of players."""
    cards = {"soup": {"count": {"2": 4, "3": 5, "4": 6, "5": 7}}}
    path = tmp_path / "soup.yaml"
    path.write_text(
        json.dumps({key: HOUSE[key] for key in ("format", "extends", "id", "title", "version")} | {"cards": cards})
    )
    rules = rules_named(path)
    assert laid(sheets_of(rules, A4))["soup"] == 7
    assert laid(sheets_of(rules, A4, players=3))["soup"] == 5


@pytest.mark.parametrize("make", [as_svg, as_html, lambda sheets: as_pdf(sheets).decode("latin-1")])
def test_what_a_card_set_says_stays_text(house, make):
    """Check that labels, texts and titles with any characters are printed as plain text."""
    soup = {"count": 3, "label": HOSTILE, "text": HOSTILE * 9, "icon": "<&"}
    title = f"A{HOSTILE}"
    rules = house(
        title=title,
        cards={"soup": soup},
        scoring=HOUSE["scoring"] | {"variety": {**HOUSE["scoring"]["variety"], "label": HOSTILE}},
    )
    sheets = sheets_of(rules, A4, over=rules.base, backs=True)
    made = make(sheets)
    if make in {as_svg, as_html}:
        assert "<script" not in made
        assert "&lt;script&gt;alert(1)&lt;/script&gt;&amp;amp;" in made
    if make is as_svg:
        names = {own.tag for own in fromstring(made).iter() if own.tag.startswith(SVG)}
        drawn = {"svg", "title", "desc", "defs", "pattern", "symbol", "g", "use", "rect", "circle", "path", "text"}
        assert names <= {f"{SVG}{own}" for own in drawn}


def test_without_fonts_a_pdf_is_set_in_those_of_its_reader(monkeypatch):
    """Check that without font files a PDF uses standard fonts, and names what else other languages need."""
    monkeypatch.setattr(pdf, "_everywhere", dict)
    english = PdfReader(BytesIO(as_pdf(sheets_of(rules_named("sushi_go"), A4, one_each=True))))
    assert {"Wasabi", "×3", "Chopsticks", "Pudding"} <= set(english.pages[1].extract_text().split())
    with pytest.raises(pdf.NoFontError, match="such as ż"):
        as_pdf(sheets_of(rules_named("sushi_go"), A4, "pl", one_each=True))


def test_an_icon_that_no_font_has_is_named(house, monkeypatch):
    """Check that letters replace an icon only if no font has it, and that it is then named."""
    rules, lettered = house(cards=HOUSE["cards"] | {"soup": {"count": 6, "label": "Soup", "icon": "🍲"}}), []
    pictures = [path for path in pdf._everywhere().values() if ord("🍲") in pdf._signs(path)]
    as_pdf(sheets_of(rules, A4, one_each=True), lettered=lettered.append)
    assert lettered == [[] if pictures else ["🍲"]]
    monkeypatch.setattr(pdf, "_everywhere", dict)
    as_pdf(sheets_of(rules, A4, one_each=True), lettered=lettered.append)
    assert lettered[1] == ["🍲"]


@pytest.mark.parametrize(
    ("icon", "printed"),
    sample([("🧑‍🍳", "🧑"), ("👍🏽", "👍"), ("🇯🇵", "JP"), ("5️⃣", "5"), ("☕️", "☕"), ("🍲", "🍲")], 3),
)
def test_an_icon_of_several_characters_is_one_sign_in_a_pdf(house, monkeypatch, icon, printed):
    """Check that a PDF never shows the characters of an icon side by side."""
    chosen, choose = [], pdf.Fonts.of
    monkeypatch.setattr(
        pdf.Fonts, "of", lambda fonts, text, **how: (chosen.append(text), choose(fonts, text, **how))[1]
    )
    as_pdf(sheets_of(house(cards=HOUSE["cards"] | {"soup": {"count": 1, "icon": icon}}), A4, one_each=True))
    assert printed in chosen
    assert printed == icon or icon not in chosen


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["sushi_go"], "--out"),
        (["sushi_go", "--out", "cards"], ".pdf, .svg or .html"),
        (["sushi_go", "--out", "c.svg", "--only-new"], "sushi_go extends no other card set"),
        (["sushi_go", "--out", "c.svg", "--size", "a5"], "a4"),
        (["sushi_go", "--out", "c.svg", "--players", "9"], "2 to 5 players"),
        (["sushi_go", "--out", "none/c.svg"], "There is no folder"),
        (["sushi_goo", "--out", "c.svg"], "sushi_go"),
    ],
)
def test_what_cannot_be_printed_is_said(draftengine, arguments, said):
    """Check that a wrong argument gives one sentence and status 2."""
    process = draftengine("cards", *arguments)
    assert (process.status, process.out) == (2, "")
    assert said in process.err


def test_every_player_gets_a_card_to_look_things_up():
    """Check that each player gets reference cards with all scoring rules and the condition to win."""
    rules = rules_named("sushi_go")
    sheets = sheets_of(rules, A4, aid=True)
    aids = {name for name in sheets.cards if name.startswith("-aid-")}
    assert {laid(sheets)[name] for name in aids} == {5}
    assert laid(sheets_of(rules, A4, players=2, aid=True))["-aid-1"] == 2
    drawn = [fromstring(f"<svg>{sheets.cards[name]}</svg>") for name in sorted(aids)]
    said = " ".join(text for own in drawn for text in own.itertext())
    for words in ("Tempura: set of 2", "1, 3, 6, 10, 15", "The most points win."):
        assert words in said


def test_the_foot_of_a_card_says_the_title_however_long_it_is(house):
    """Check the foot of a card: a long title displaces the version, except in a house rule."""
    sheets = sheets_of(rules_named("party_cutthroat"), A4)
    feet = [texts(own)[-1][0] for own in sheets.cards.values()]
    assert all(own.startswith("Sushi Go Party!: a cutthroat menu") for own in feet)
    rules = house(title="A Sunday at the table with all of our neighbours")
    feet = [texts(own)[-1][0] for own in sheets_of(rules, A4, over=rules_named("sushi_go")).cards.values()]
    assert all(own.startswith("A Sunday at the") and own.endswith("… 1.0.0") for own in feet)


def test_a_player_aid_says_what_a_card_that_scores_others_scores():
    drawn = sheets_of(rules_named("tides_of_time"), A4, aid=True).cards["-aid-1"]
    lines = [text for text, _ in texts(drawn)]
    assert lines[lines.index("Old palace") + 1] == "3 points for each Library."
    assert "Even scales: you win every tie" in lines


def test_what_a_player_aid_is_about_is_never_smaller_than_its_text():
    cards = sheets_of(rules_named("party_cutthroat"), A4, aid=True).cards
    sizes = [size for name, drawn in cards.items() if name.startswith("-aid") for _, size in texts(drawn)[:-2]]
    assert min(sizes) * 72 / 25.4 >= 8
