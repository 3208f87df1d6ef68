"""Parts of the full screen that adapt to the available room."""

from __future__ import annotations

import pytest

import draftengine as de
from draftengine.apps.play.labels import Names
from draftengine.apps.play.session import HUMAN
from draftengine.apps.play.terminal_style import Style
from draftengine.apps.tui import choosing as prompts
from draftengine.apps.tui import hand, pages
from draftengine.apps.tui import widgets as drawing
from draftengine.apps.tui.scene import Card, Seat, Signs
from draftengine.apps.tui.styles import PALETTES, Pen, wide
from draftengine.engine.events import Event

PEN = Pen(next(iter(PALETTES.values())), Style())


def group(label, progress, cards=1):
    count, _, rank = progress.partition(" · ")
    return Signs((("🍣", False),) * cards, 0, label, count, rank, progress, "3", "", 0)


def captions(groups, columns):
    seat = Seat(0, "Ada", 0, 0, None, tuple(groups), (), own=True)
    top, below = drawing._groups(seat, columns, 2, PEN)
    assert wide(top) == wide(below) == columns
    return below.plain


def test_names_of_groups_give_way_one_by_one():
    """If captions do not fit, the longest are shortened first, and others stay whole."""
    groups = [*(group(own, "1/2") for own in ("Tempura", "Eel", "Tofu", "Temaki", "Tea")), group("Pudding", "2 · most")]
    assert "pudding 2 · most →3" in captions(groups, 100)
    shown = captions(groups, 78)
    assert shown.rstrip() == ("tempura 1/2 →3  eel 1/2 →3  tofu 1/2 →3  temaki 1/2 →3  tea 1/2 →3  pudd. 2 →3")
    assert "eel 1/2 →3" in captions(groups, 60)
    assert captions([group("Green tea ice cream", "1/4")], 16).startswith("green. 1/4 →3")


def test_a_caption_is_never_shorter_than_its_cards_leave_room_for():
    """A caption is not shortened below the width of its group's cards."""
    groups = [group("Maki", "6", cards=8), *(group("Dumpling", "1") for _ in range(5))]
    assert captions(groups, 40).startswith("maki 6 →3")


def test_long_belongings_stand_above_each_other():
    """Long lists of belongings also use the line above; short ones share a line."""
    items = tuple((f"{own} row", ": 1 2 3 4 5 6") for own in ("First", "Second", "Third"))
    rows = ["".join(item) for item in items]
    top, below = drawing._groups(Seat(0, "Ada", 0, 0, None, (), items, own=True), 58, 2, PEN)
    assert top.plain.rstrip() == f"{rows[0]}   {rows[2]}"
    assert below.plain.rstrip() == rows[1]
    assert captions([group("Maki", "6")], 58).startswith("maki 6")
    top, below = drawing._groups(Seat(0, "Ada", 0, 0, None, (), (("Squishy", ""), ("Boat", "")), own=True), 58, 2, PEN)
    assert (top.plain.strip(), below.plain.rstrip()) == ("", "Squishy  Boat")


COINS = (("gem", " 4"), ("Coin for the red inn", ": 1 face down"), ("Coin for the old inn", ": 1 face down"))
WARES = [group(label, "2", cards=8) for label in ("Tempura", "Dumpling", "Eel")]


def test_labels_are_shortened_before_what_lies_there():
    """If not everything fits, labels are cut, and those that would be equal then keep their ends."""
    seat = Seat(0, "Ada", 0, 0, None, (group("Maki", "6"),), COINS, own=True)
    whole, cut = ("".join(line.plain for line in drawing._groups(seat, room, 2, PEN)) for room in (90, 54))
    assert all("".join(item) in whole for item in COINS)
    assert "red inn: 1 face down" in cut
    assert "old inn: 1 face down" in cut


def test_what_does_not_fit_beside_the_cards_gets_a_third_line():
    """A seat takes a third line for its belongings if the newest entries of the log still have room."""
    seats = tuple(Seat(at, "Ada", 0, 0, None, tuple(WARES), COINS, own=not at) for at in range(3))
    assert drawing.is_crowded(seats[0], 100)
    lines = [line.plain for line in drawing._groups(seats[0], 80, 3, PEN)]
    assert lines[2].startswith("gem 4  Coin for the red inn: 1 face down")
    assert len(drawing._groups(seats[0], 160, 3, PEN)) == 2
    scene = type("Scene", (), {"seats": seats, "hand": (), "layout": (), "piles": (), "coming": ()})()
    assert hand.planned(scene, 100, 32).seats == 9
    assert hand.planned(scene, 100, 17).seats == 6


def test_points_have_room():
    seats = tuple(Seat(at, "Ada", 33, standing, None, (), (), own=True) for at, standing in enumerate((6, 119)))
    lines = drawing.seats(type("Scene", (), {"seats": seats})(), 60, 4, PEN)
    assert " 33 +119 " in lines[2].plain
    assert wide(lines[0]) == wide(lines[2])


def card(text):
    return Card("a", "a", "🍣", "Maki", text, 0, "1", open=True, points=1)


def test_a_text_is_cut_only_where_there_is_no_room():
    """A text is cut only without room: a large face uses empty lines, up to its usual height."""
    long = "2 maki icons. Most icons score 6, second most 3."
    scene = type("Scene", (), {"layout": (), "hand": (card(long), card("Worth 1."))})()
    cut, whole = (hand.draw(scene, 82, lines, 0, PEN, rich=True).lines for lines in (6, 10))
    assert "…" in "".join(own.plain for own in cut)
    assert "…" not in "".join(own.plain for own in whole)
    assert hand.height_of(scene, 82, 30, rich=True) == hand.height_of(scene, 82, 10, rich=True) == 7
    assert hand.height_of(scene, 82, 6, rich=True) == 6


@pytest.mark.parametrize("word", ["of", "six", "maki", "rolls", "points", "dumplings"])
def test_a_text_is_cut_between_words(word):
    """A text is cut after a whole word."""
    scene = type("Scene", (), {"layout": (), "hand": (card(" ".join([word] * 30)),)})()
    drawn = "".join(own.plain for own in hand.draw(scene, 82, 6, 0, PEN, rich=True).lines)
    assert drawn.partition(" …")[0].split()[-1] == word


@pytest.mark.parametrize(("lines", "step"), [(5, 2), (4, 1), (2, 1)])
def test_a_pyramid_is_drawn_as_cards(lines, step):
    """With room, places are cards that overlap, else lines; a click hits a card at its place."""
    free = card("")
    rows = ((("🌿 Wasabi", None), ("", None)), (("🍣 Maki", free),))
    scene = type("Scene", (), {"layout": rows, "hand": (free,)})()
    drawn = hand.draw(scene, 60, lines, 0, PEN)
    plain = [line.plain for line in drawn.lines]
    assert list(map(wide, plain)) == [60] * lines
    assert sum("╰" in line for line in plain) == (2 if step > 1 else 0)
    (spot,) = drawn.spots
    assert (spot.y, spot.lines) == (step, step)
    first = plain[spot.y + step - 1]
    assert first.index("🍣") < spot.x + spot.columns
    assert "1" in plain[spot.y]


def test_narrow_screens_leave_out_keys_but_never_help_and_quit():
    known = [
        ("1–9", "choose", "go"),
        *((word, word, word[0]) for word in ("way", "why", "scores", "log", "help", "quit")),
    ]
    for columns in range(10, 90):
        keys = [does for _, _, does in prompts.in_words(known, columns, PEN)]
        assert keys[-2:] == ["h", "q"]
        assert (len(keys) == len(known)) == (columns >= 73)


@pytest.mark.parametrize("language", ["en", "pl", "ja"])
@pytest.mark.parametrize("columns", [42, 72])
def test_help_is_not_cut(language, columns):
    """No line of the help is wider than its page, also in a script without spaces between words."""
    game = de.load("sushi_go", players=3)
    names = Names(game, [HUMAN, "greedy", "greedy"], Style(columns=columns), language=language)
    lines = pages.help_page(names, Pen(PEN.palette, names.style, language))(columns)
    assert max(map(wide, lines)) <= columns
    assert "".join(line.plain for line in lines).replace(" ", "").count(names.reason("pudding").replace(" ", "")) > 1


def test_lines_end_where_a_script_without_spaces_allows_it():
    """Lines break between Japanese characters, but not before a comma, in a word or in a picture."""
    style = Style(columns=12)
    assert style.wrapped(["「pudding」を、持っていれば"], 0) == ["「pudding」", "を、持ってい", "れば"]
    assert style.wrapped(["🍣⋮⋮", "Maki", "🍣🍣🍣🍣🍣🍣🍣"], 0) == ["🍣⋮⋮ Maki", "🍣🍣🍣🍣🍣🍣🍣"]


def test_the_log_names_copies_of_a_card_once():
    """A line about revealed cards says how many copies of a card there are, as everywhere."""
    names = Names(de.load("sushi_go", players=2), [HUMAN, "greedy"], Style())
    cards = ("tempura", "tempura", "pudding", "tempura")
    (line,) = pages.Log(names, 0).tell([Event("revealed", seat=1, cards=cards, count=4)], PEN)
    assert line.plain.strip().endswith(" 3× Tempura, Pudding")
