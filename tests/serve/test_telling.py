"""Events have equal sentences on a page, in a terminal and in a replay."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest

import draftengine as de
from draftengine.api.phrasing.events import EventPhraser, EventTeller, PlainNames
from draftengine.api.score_sheets import is_idle, sheets
from draftengine.apps.play import board, score_board
from draftengine.apps.play.labels import Names
from draftengine.apps.play.session import HUMAN
from draftengine.apps.play.terminal_style import Style
from draftengine.apps.web.messages import story_shown
from draftengine.apps.web.table import Table
from draftengine.support.locale import LANGUAGES

PEOPLE = ["Ann", "Ben", "Cem", "Dora"]


@pytest.mark.parametrize(
    ("kind", "zone", "sentence"),
    [
        ("placed", "hand", "Ann took Ikura into the hand."),
        ("placed", "discard", "Ann discarded Ikura."),
        ("placed", "kept", "Ann moved Ikura to “kept card”."),
        ("moved", "tableau", "Ann laid down Ikura."),
        ("moved", "hand", "Ann took Ikura into the hand."),
    ],
)
def test_where_cards_go(kind, zone, sentence):
    game = de.load("sushi_draft", players=3)
    event = de.Event(kind, seat=0, zone=zone, cards=("ikura",), count=1)
    (happening,) = EventTeller(game, 0).tell([event])
    assert EventPhraser(PlainNames(game.labels, PEOPLE[:3])).sentence(happening) == sentence


def test_cards_that_go_the_same_way_are_one_sentence():
    """A whole row that a seat takes is one sentence, and cards that leave the table together are another."""
    game = de.load("sushi_draft", players=3)
    taken = [
        de.Event(kind, seat=0, zone=zone, cards=(card,), count=1)
        for card in ("ikura", "ebi", "ebi")
        for kind, zone in (("dealt", "kept"), ("placed", "tableau"))
    ]
    left = [de.Event("moved", zone="discard", cards=(card,), count=1) for card in ("kappa", "tamago")]
    phraser = EventPhraser(PlainNames(game.labels, PEOPLE[:3]))
    sentences = [phraser.sentence(happening) for happening in EventTeller(game, 0).tell([*taken, *left])]
    assert sentences == ["Ann laid down Ikura and 2× Ebi.", "Discarded: Kappa and Tamago."]


def test_cards_from_several_places_that_nobody_sees_are_one_sentence():
    """Check that unseen cards of the table are added up, while those of seats are told for each of them."""
    game = de.load("point_salad", players=2)
    dealt = [de.Event("dealt", zone=zone, count=count) for zone, count in (("deck", 9), ("deck", 7), ("pile_1", 2))]
    drawn = [de.Event("dealt", seat=seat, zone="hand", count=2) for seat in (0, 1)]
    phraser = EventPhraser(PlainNames(game.labels, PEOPLE[:2]))
    sentences = [phraser.sentence(happening) for happening in EventTeller(game, -1).tell([*dealt, *drawn])]
    assert sentences[:2] == ["Dealt: 16 cards (deck).", "Dealt: 2 cards (pile 1)."]
    assert sentences[2:] == [phraser.sentence(EventTeller(game, -1).tell(drawn)[0])]
    assert "Ann and Ben" in sentences[2]
    assert "2 cards" in sentences[2]


def test_cards_that_gave_nobody_anything_have_no_rows():
    """Check that sheets and final boards leave out rules of cards without points, but no other rule."""
    game = de.load("point_salad", players=2)
    state = game.start(3)
    while not state.over:
        state = state.commit(state.waiting[0], state.view(state.waiting[0]).moves[0])
    points = {rule: row for rule, row in state.result.rules.items() if any(row)}
    assert 0 < len(points) < len(state.result.rules)
    names = Names(game, PEOPLE[:2], Style())
    wanted = {names.reason(rule) for rule in points}
    final = "\n".join(score_board.final(state.result, names)).partition("By rule")[2]
    assert {label for rule in state.result.rules if f"  {(label := names.reason(rule))}  " in final} == wanted
    assert {row.rule for sheet in sheets(game, state.story(-1)) for row in sheet.rows} == {*points}
    assert not is_idle(de.load("sushi_go", players=2), "maki", (0, 0))


def test_only_deals_before_the_first_choice_of_a_round_are_left_out():
    """The log names cards that a seat gets later, also in a round without turns."""
    game = de.load("sushi_draft", players=3)
    events = [
        de.Event("round-started", amount=1),
        de.Event("dealt", seat=0, zone="hand", cards=("tako",), count=1),
        de.Event("placed", seat=0, zone="kept", cards=("ikura",), count=1),
        de.Event("dealt", seat=0, zone="list:taken", cards=("ebi",), count=1),  # on the way to the next one
        de.Event("dealt", seat=0, zone="kept", cards=("ebi",), count=1),
    ]
    phraser = EventPhraser(PlainNames(game.labels, PEOPLE[:3]))
    sentences = [phraser.sentence(happening) for happening in EventTeller(game, 0).tell(events)]
    assert sentences == ["Round 1 of 3 begins.", "Ann moved Ikura to “kept card”.", "Ann got Ebi (kept card)."]


GAMES = [
    ("sushi_go", 3, ()),
    ("sushi_draft", 4, ()),
    ("anniversary", 2, ("sushi_battle",)),
    ("anniversary", 2, ("two_player_dummy",)),
    ("sushi_go_party", 4, ()),
]


@pytest.fixture(params=GAMES, ids=lambda row: "-".join([row[0], *row[2]]))
def played(request):
    """Return a finished table, and the lines that a terminal showed, by choice."""
    name, players, variants = request.param
    game = de.load(name, players=players, variants=variants)
    head = {
        "versions": {}, "rules": game.ruleset.to_json(), "players": players, "fingerprint": game.fingerprint,
        "hints": True, "effects": True, "memory": True,
    }  # fmt: skip
    table = Table("", head)
    for sitter, person in zip(table.seats, PEOPLE, strict=False):
        sitter.name = person
    style = Style(columns=10_000, pictures=False)
    names = Names(table.game, [HUMAN] * players, style, PEOPLE[:players])
    lines: list[str] = []
    teller = board.EventNarrator(names, 0, lines.extend, scored=lambda _events, _names: ["*scored*"])
    state = table.game.start("7")
    since = 0
    while True:
        history = state.history
        teller.tell(history[since:])
        table.parts.append(len(history))
        since = len(history)
        if state.over:
            break
        seat = state.waiting[0]
        state = state.commit(seat, state.view(seat).moves[len(history) % len(state.view(seat).moves)])
    table.state, table.number = state, 1
    return table, names, lines


def test_a_terminal_and_a_page_tell_the_same(played):
    """A terminal shows all sentences of the page in order, except those that it shows as a table."""
    table, _, lines = played
    page = story_shown(table, 0, 0)
    rows = [line.strip() for line in lines if line.strip() and not {"━", "─", "*"} & set(line)]
    tables = {"points", "awarded", "round-started"}
    sentences = [entry for entry in page if entry["kind"] not in tables or re.search(" got | lost ", entry["text"])]
    for line, entry in zip(rows, sentences, strict=True):
        if entry["kind"] == "revealed":
            row, parts = re.split("  +", line), re.split(" played ", entry["text"].removesuffix("."))
            assert [row[0], row[1].split(", ")] == [parts[0], re.split(", | and ", parts[1])]
        else:
            assert line == entry["text"]


def test_a_replay_tells_what_a_page_tells(played):
    table, names, _ = played
    bounds, history = [0, *table.parts], table.state.history
    retold = [
        sentence
        for start, end in pairwise(bounds)
        for sentence in board.sentences(history[start:end], 0, names, history[:start])
    ]
    assert retold == [entry["text"] for entry in story_shown(table, 0, 0)]


def test_news_tell_what_the_whole_story_tells(played):
    """Parts of a story that a page gets one by one join to the whole story."""
    table, _, _ = played
    whole = [(entry["part"], entry["text"]) for entry in story_shown(table, -1, 0)]
    parts: list[tuple[int, str]] = []
    bounds = [0, *table.parts]
    state, history = table.state, table.state.history
    for start, end in pairwise(bounds):
        table.state = _Until(state, end)
        parts += [(entry["part"], entry["text"]) for entry in story_shown(table, -1, start)]
    assert parts == whole
    assert len(history) == table.parts[-1]


class _Until:
    """A state as it was when its story was shorter."""

    def __init__(self, state, end):
        self._state, self._end = state, end
        self.history = state.history[:end]

    def story(self, seat, since=0):
        return self._state.story(seat)[since : self._end]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_happening_has_a_sentence(played, language):
    """Every kind of event has a sentence without gaps, in every language, with all names it carries."""
    table, _, _ = played
    names = PlainNames(table.game.labels_in(language), PEOPLE[: table.game.players])
    phraser = EventPhraser(names)
    for viewer in range(-1, table.game.players):
        for happening in EventTeller(table.game, viewer).tell(table.state.history):
            sentence = phraser.sentence(happening)
            assert "{" not in sentence
            if happening.event.seat >= 0 and sentence and happening.id != "passed.left":
                assert any(names.seat(event.seat) in sentence for event in happening.events)
