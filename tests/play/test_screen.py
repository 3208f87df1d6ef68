"""The screen shows only what its person may know, no control characters, and everything that happened."""

from __future__ import annotations

import contextlib
import re
from pathlib import Path

import pytest

from draftengine.api.phrasing.events import is_reason
from draftengine.api.records import Result
from draftengine.apps.play import board, help_texts
from draftengine.apps.play import score_board as scoreboard
from draftengine.apps.play.board import sentences
from draftengine.apps.play.labels import Names
from draftengine.apps.play.session import HUMAN
from draftengine.apps.play.table_view import TableView, decided_by
from draftengine.apps.play.terminal_style import Style, padded, plain
from draftengine.apps.terminal import QuitGame, Terminal, opening
from draftengine.engine.events import EVENT_KINDS, Event
from draftengine.engine.position import Position
from draftengine.render.rulebook import Rule, book_of
from draftengine.support.locale.catalogue import plain as without_marks
from draftengine.support.text import width_of

HARVEST = str(Path(__file__).parents[1] / "cli" / "harvest.yaml")
CROWNS = str(Path(__file__).with_name("crowns.yaml"))


class Script:
    """A person who types given lines; `screen` collects what was shown."""

    def __init__(self, *answers):
        self.answers = list(answers)
        self.screen = ""

    def ask(self, prompt):
        self.screen += prompt
        return self.answers.pop(0) if self.answers else None

    def show(self, text):
        self.screen += text


def sit_down(own, script, *, interactive=False, seed=1, **style):
    session = own.session(seed)
    return Terminal(session, own.names(**style), script.ask, script.show, lambda: None, interactive)


def play(own, script, **more):
    """Play while the script has lines; return the terminal."""
    terminal = sit_down(own, script, **more)
    with contextlib.suppress(QuitGame):
        terminal.play()
    return terminal


def test_confirming_and_taking_back(table):
    """At a keyboard every choice is confirmed; `u` takes it back, also halfway."""
    script = Script("1", "u", "2", "")
    terminal = play(table("sushi_go", [HUMAN, "greedy"]), script, interactive=True)
    mine = [move for seat, move in terminal.session.moves if seat == 0]
    assert len(mine) == 1
    assert script.screen.count("u to take it back") == 2


def test_the_screen_depends_on_nothing_hidden(table):
    """Two deals with equal visible cards give equal screens, regardless of hidden hands."""
    own = table("sushi_go", [HUMAN, "random", "random"])
    mine, one, other = ("tempura", "pudding"), ("sashimi", "wasabi"), ("dumpling", "maki_3")
    screens = set()
    for hands in ((mine, one, other), (mine, other, one)):
        view = own.game.set_up(Position(hands=hands)).view(0)
        screens.add("\n".join(board.table(TableView.of(view), own.names())))
    assert len(screens) == 1


def test_others_cards_are_not_told(table):
    """Cards dealt or passed to other seats have no names in a seat's story."""
    own = table("sushi_go", [HUMAN, "greedy"])
    names = own.names()
    theirs = Event("dealt", 1, ("wasabi",), seen_by=0b10, zone="hand", count=1)
    assert "Wasabi" not in "".join(sentences([theirs], 0, names))
    assert "a card" in "".join(sentences([theirs], 0, names))
    assert "Wasabi" in "".join(sentences([theirs], 1, names))
    chip = Event("chip", 1, seen_by=0b10, name="pile", amount=4, count=1)
    assert "4" not in "".join(sentences([chip], 0, names))


def test_every_kind_of_event_can_be_told(table):
    """Every kind of event has a sentence, or is one that the screen shows in another way."""
    shown_otherwise = {
        "game-started",
        "turn-started",
        "shuffled",
        "round-ended",
        "cleared",
        "game-over",
        "awarded",
    }
    names = table("sushi_go", [HUMAN, "greedy"]).names()
    for kind in EVENT_KINDS:
        event = Event(kind, 1, ("tempura",), zone="hand", other=0, name="maki", amount=1, count=1)
        assert bool(sentences([event], 0, names)) == (kind not in shown_otherwise), kind


def test_points_and_reasons(table):
    """Every scored point is shown with its arithmetic, and the final table adds up."""
    own = table("sushi_go", ["greedy", "greedy", "random"])
    script = Script()
    terminal = play(own, script, seed=3)
    state = terminal.session.state
    assert "make 1 set of 2" in script.screen
    final = "\n".join(scoreboard.final(state.result, own.names()))
    total = next(line for line in final.splitlines() if line.strip().startswith("Total"))
    assert [int(number) for number in re.findall(r"-?\d+", total)] == list(state.result.scores)


def reasons(scoring, names):
    """Return a scoring in short and in full."""
    return [*scoreboard.summary(filter(is_reason, scoring.events), names), *scoreboard.proof(scoring, names)]


@pytest.mark.parametrize("columns", [40, 60, 80, 100])
def test_nothing_is_wider_than_the_terminal(table, columns):
    """Introduction, help, tables, reasons and final scores fit the width."""
    own = table("anniversary", [HUMAN, "greedy", "greedy", "greedy", "greedy"], ["pass_both_ways", "frozen_yogurt"])
    names = own.names(columns=columns)
    terminal = play(
        table("anniversary", ["greedy"] * 5, ["pass_both_ways", "frozen_yogurt"]), Script(), columns=columns
    )
    scored = scoreboard.scorings(terminal.session.story, own.game)
    lines = [
        *opening(names, 123),
        *(line for scoring in scored for line in reasons(scoring, names)),
        *help_texts.cards_in_short(names),
        *help_texts.about_card("wasabi", names),
        *board.table(TableView.of(terminal.session.view(-1)), names),
        *scoreboard.final(terminal.session.state.result, names),
    ]
    assert [line for line in lines if width_of(line) > columns] == []


@pytest.mark.parametrize("columns", [40, 80])
@pytest.mark.parametrize(
    ("cardset", "variants", "players"),
    [
        ("anniversary", ["frozen_yogurt"], 5),
        ("anniversary", ["sushi_battle"], 2),
        ("sushi_draft", [], 4),
        ("party_first_meal", [], 4),
    ],
)
def test_a_whole_game_keeps_to_the_width(table, cardset, variants, players, columns):
    """All events and commands of a whole game fit the width; long lines break at their last space."""
    own = table(cardset, [HUMAN, *["greedy"] * (players - 1)], variants)
    script, shown = Script("t", "h", "w", "?", *["1", ""] * 80), []
    script.show = shown.append
    with contextlib.suppress(QuitGame):
        play(own, script, columns=columns, color=True)
    lines = "".join(shown).splitlines()
    assert [line for line in lines if width_of(plain(line)) > columns] == []
    assert sum("Round" in line for line in lines) > 2


def test_a_long_line_goes_on_below_its_last_gap():
    style = Style(columns=20)
    assert style.fitted("  h     one two three") == ["  h     one two", "        three"]
    assert style.fitted("  one two three four five") == ["  one two three four", "    five"]
    assert style.fitted("  fits  as it  is") == ["  fits  as it  is"]


def test_a_rule_named_like_what_it_counts(table):
    """The label of a rule is not used for a counter or card with an equal name."""
    own = table(HARVEST, [HUMAN, "greedy"])
    names = own.names(color=False)
    assert (names.reason("barrels"), names.label("barrels")) == ("Cellar master", "barrels of wine")
    assert (names.reason("gift"), names.at_once("gift")) == ("Generosity", "Gift")
    given = [Event("points", 0, name="gift", amount=3), Event("counter", 0, name="barrels", amount=2)]
    assert sentences(given, 0, names) == ["You got 3 points for Gift.", "You: barrels of wine now 2."]


def test_what_needs_no_telling(table):
    """Cards that come to lie in the open, and counters that decide nothing, are not announced."""
    names = table("go_nuts_for_donuts", ["easy"] * 3).names(color=False)
    bid, dealt = (
        Event("counter", 0, name="bid", amount=1),
        Event("dealt", -1, zone="place_1", cards=("jelly",), count=1),
    )
    assert sentences([bid, dealt], 0, names) == []
    won = Event("dealt", 0, zone="won", cards=("jelly", "glazed"), count=2)
    played = Event("revealed", 0, cards=("glazed", "jelly"))
    assert sentences([won, played], 0, names) == ["Player 1 (easy) played 🍩 Glazed and 🍇 Jelly."]
    assert len(sentences([won, Event("revealed", 1, cards=("glazed", "jelly"))], 0, names)) == 2
    thrown_away = Event("moved", -1, zone="discard", cards=("boston_cream",), count=1)
    assert sentences([thrown_away], 0, names) == ["Discarded: 🥧 Boston cream."]
    assert scoreboard.verdict([1], [12, 12, 11], names) == "Player 2 (easy) wins with 12 points, ahead by most donuts."


def test_a_bid_is_told_with_what_is_bid_for(table):
    """A bid shows what it bids for in help, hint and story; old bids vanish, and a turn has one heading."""
    own = table("go_nuts_for_donuts", [HUMAN, "greedy"])
    start = {"place_1": (("eclair",),), "place_2": (("glazed",),), "place_3": (("plain",),)}
    script = Script("? 1", "h", "1", "", "1", "", "t", "q")
    terminal = sit_down(own, script, interactive=True)
    terminal.session.state = own.game.set_up(Position(zones={**start, "discard": (("jelly", "plain"),)}))
    with contextlib.suppress(QuitGame):
        terminal.play()
    words = plain(script.screen)
    assert "Set your bid" not in words
    assert "brings" in words or "Eclair  3 in the box" in words
    assert "Place 1 (🥖 Eclair)" in words
    assert terminal.session.view(0).counters(0)["bid"]
    assert not re.search(r"\bbid \d", words)
    headings = [line for line in words.splitlines() if line.startswith("──")]
    assert len(headings) == len(set(headings)) + 1, "t shows the last one again"


def test_cards_with_numbers_lie_in_their_order(table):
    """Rows whose order depends on numbers alone are not sorted by colour."""
    own = table("ohanami", [HUMAN, "greedy"])
    rows = {"first_row": (("blue_61", "green_10", "pink_4"), ())}
    view = own.game.set_up(Position(zones=rows)).view(0)
    assert "🌸 Blossoms 4, 🌿 Plants 10, 💧 Water 61" in "\n".join(board.table(TableView.of(view), own.names()))
    narrow = board.table(TableView.of(view), own.names(columns=48))
    assert not any(line.endswith(("🌸", "🌿", "💧")) for line in narrow), "a card is not broken"
    assert all(width_of(line) <= 48 for line in narrow)


def test_why_somebody_wins(table):
    """A winner by a tie-breaker does not win by points; one point is singular."""
    names = table("sushi_go", [HUMAN, "greedy", "greedy"]).names(color=False)
    assert scoreboard.verdict([1], [9, 12, 11], names) == "Player 2 (greedy) wins with 12 points."
    assert (
        scoreboard.verdict([1], [12, 12, 11], names) == "Player 2 (greedy) wins with 12 points, ahead by most puddings."
    )
    assert scoreboard.verdict([0, 1], [1, 1, 0], names) == "You and Player 2 (greedy) share the victory with 1 point."


@pytest.mark.parametrize(
    ("language", "points", "one", "several"),
    [
        ("en", "Player 2 wins with 4 points.", "Player 2 wins.", "Player 1 and Player 2 share the victory."),
        ("pl", "Gracz 2 wygrywa, 4 punkty.", "Gracz 2 wygrywa.", "Wspólnie zwyciężają: Gracz 1 i Gracz 2."),
        ("ja", "プレイヤー2の勝ち、4点。", "プレイヤー2の勝ち。", "プレイヤー1、プレイヤー2が勝利を分け合います。"),
    ],
)
def test_who_wins_by_a_condition_does_not_win_by_points(table, language, points, one, several):
    """Points are named only if they decided: not if winners differ in them, or others have as many."""
    game = table(CROWNS, ["greedy"] * 3).game
    names = Names(game, ["greedy"] * 3, Style(color=False), levels=False, language=language)
    assert scoreboard.verdict([1], [0, 4, 2], names) == points
    for scores in ([6, 4, 2], [0, 4, 6], [4, 4, 2]):
        assert scoreboard.verdict([1], scores, names) == one
    for scores in ([4, 6, 2], [2, 2, 4]):
        assert scoreboard.verdict([0, 1], scores, names) == several


def test_the_condition_that_won_is_named(table):
    """The last page says by which rule somebody won; with tie-breakers, equal points do not tell."""
    played = table(CROWNS, ["greedy"] * 2)

    def ending(*scores):
        return scoreboard.final(Result(scores, (1,), (scores,), {"gems": scores}), played.names(color=False))[-2:]

    rule = "  If you have 3 or more crowns, you win at once."
    assert ending(6, 4) == ["  Player 2 (greedy) wins.", rule]
    assert ending(2, 4) == ["", "  Player 2 (greedy) wins with 4 points."]
    assert decided_by((1,), (4, 4), played.game) == "wins"
    tied = table(CROWNS, ["greedy"] * 2, ["by_gems"]).game
    assert decided_by((1,), (4, 4), tied) == "unknown"
    assert decided_by((1,), (6, 4), tied) == "wins"


def test_shared_cards_belong_to_nobody(table):
    """Cards that leave a shared zone are not told as those of a seat."""
    own = table(HARVEST, ["random", "random"])
    session = own.session()
    session.let_bots_choose()
    moved = [event for event in session.take_news() if event.kind == "moved"]
    assert {event.seat for event in moved if event.zone == "deck"} == {-1}
    assert {event.seat for event in moved if event.zone == "discard"} == {0, 1}


def test_card_texts_are_the_card_set_s(table):
    """`?` explains a card in the words of its card set, with the rules about it and their citations."""
    lines = "\n".join(help_texts.about_card("pudding", table("sushi_go", [HUMAN, "greedy"]).names()))
    for text in ("10 in the box", "Kept until the end", "Pudding:", "O-26"):
        assert text in lines


def test_citations_are_left_out_where_nobody_could_read_them(table):
    """In another language than that of the sources, `?` and `w` print no citations, and so no bare codes."""
    names = Names(table("sushi_go", [HUMAN, "greedy"]).game, [HUMAN, "greedy"], Style(), language="pl")
    assert "O-" not in "\n".join(help_texts.about_card("pudding", names))
    given = Event("points", 0, ("pudding",), name="pudding", amount=6, source=("O-28",))
    assert "O-" not in "\n".join(scoreboard.reasons([given], names))


def test_colors_only_where_wanted(table):
    own = table("sushi_go", [HUMAN, "greedy"])
    for color in (False, True):
        script = Script("1", "w")
        play(own, script, color=color)
        assert ("\x1b" in script.screen) == color


@pytest.mark.parametrize(
    ("text", "safe"),
    [("\x1b[2J", r"\x1b[2J"), ("a\nb", r"a\nb"), ("\u202eabc", r"\u202eabc"), ("Żurek", "Żurek"), ("🍲", "🍲")],
)
def test_texts_are_made_safe(text, safe):
    assert Style().safe(text) == safe


def test_text_for_plain_terminals():
    style = Style(unicode=False)
    assert style.safe("Maki ×2 – “two”") == 'Maki x2 - "two"'
    assert style.icon("🍲") == ""
    assert style.headline("Soup").isascii()


def test_colors_count_nothing():
    painted = Style(color=True).bold("soup")
    assert plain(painted) == "soup"
    assert len(plain(padded(painted, 10))) == 10


_PRICES = """
format: 1
id: prices
title: Prices
version: 1.0.0
players: 2
rounds: 1
cards: {hut: {count: 20, has: {price: 2}}}
counters: {coins: {start: 3, min: 0, max: 99}, pot: {per: table, start: 5}}
markers: {crown: {start: first}}
round:
  - deal: {to: hand, cards: 3}
  - repeat:
      until_empty: hand
      do: [choose: {as: {build: {pay: {coins: its(price)}}, sell: {to: discard, do: [{add: {coins: 1, pot: -1}}]}}}]
  - score: round
scoring: {coins: {kind: each, of: coins, points: 1}, pot: {kind: each, of: pot, points: 1}}
winner: {order: most, tie_breakers: [{holder: crown}]}
"""


def test_prices_starts_and_who_holds_what_are_seen(table, tmp_path):
    """Counters, the holder of the first player's marker and prices of cards are visible from the start."""
    path = tmp_path / "prices.yaml"
    path.write_text(_PRICES, "utf-8")
    script = Script("? coins", "? rules", "q")
    play(table(str(path), [HUMAN, "greedy"]), script)
    words = " ".join(plain(script.screen).split())
    assert re.search(r"You 0 – crown · coins 3\b", words, re.IGNORECASE)
    assert "Pot 5" in words
    assert "Hut: Build (3) price 2" in words
    assert words.count("Each player starts with 3 coins. Never below 0. Never above 99.") == 2
    assert "The player who starts takes “Crown”." in words


@pytest.mark.parametrize(("cardset", "language"), [("anniversary", "en"), ("anniversary", "pl"), ("sushi_draft", "ja")])
def test_the_rules_at_the_table_are_those_of_the_book(table, cardset, language):
    """Help about the rules has every rule of the rulebook: scoring, events, special cards, and who wins."""
    game = table(cardset, [HUMAN, "greedy", "greedy"]).game
    names = Names(game, [HUMAN, "greedy", "greedy"], Style(), language=language)
    helped = "".join(" ".join(help_texts.rules_in_short(names)).split())
    book = book_of(game.ruleset, language, game.players)
    events = names.labels.speech.phrase("h.events")
    blocks = [block for part in book.parts for block in part.blocks if part.title == events or isinstance(block, Rule)]
    texts = ["".join(without_marks(block.text).split()) for block in blocks]
    assert len(texts) > 6
    assert [text for text in texts if text not in helped] == []


def test_a_round_is_counted_rule_by_rule(table):
    """Rules are printed one after another, with a pause before each; Enter prints the rest at once."""
    game = table("sushi_go", [HUMAN, "greedy"])
    printed = []
    for skips in (False, True):
        script, waits = Script(*["1", ""] * 12), []
        terminal = sit_down(game, script, interactive=True)
        terminal.wait = lambda seconds, skips=skips, waits=waits, script=script: waits.append(script.screen) or skips
        with contextlib.suppress(QuitGame):
            terminal.play()
        printed.append(script.screen)
        assert len(waits) == 1 if skips else len(waits) > 2
        assert len(set(waits)) == len(waits), "each pause comes after another rule"
    assert printed[0] == printed[1]
