"""The texts at a terminal: enough to understand the game, in its own words, and not too much to read."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from draftengine.api.records import Event, Position
from draftengine.apps.play import board, help_texts
from draftengine.apps.play.board import sentences
from draftengine.apps.play.labels import Names
from draftengine.apps.play.move_builder import NoSuchItemError
from draftengine.apps.play.session import HUMAN
from draftengine.apps.play.table_view import TableView
from draftengine.apps.play.terminal_style import Style
from draftengine.apps.terminal import QuitGame
from draftengine.support.text import width_of
from play.test_screen import Script, play, sit_down


class Reader(Script):
    """Plays the first card in every choice, and types its lines at the ends of rounds."""

    def ask(self, prompt):
        if "Enter to go on" in prompt:
            return super().ask(prompt)
        self.screen += prompt
        return "1" if "for help" in prompt else ""


ONE_ROUND = ["1"] * 9
"""Answers for all choices of the first round of Sushi Draft."""


@pytest.fixture
def draft(table):
    return table("sushi_draft", [HUMAN, "greedy", "greedy"], ["advanced_triple", "advanced_wasabi"])


# ── what was scored ─────────────────────────────────────────────────────────────────────────────────────────────────


def test_chips_are_explained(draft):
    """A rule that gives chips names the numbers that win them, when it scores and when it is asked for."""
    script = Script(*ONE_ROUND, "w")
    play(draft, script, seed=5)
    told, why = script.screen.split("── This round ─")[1].split("── Round 1 ─")
    assert "Ikura    You                1 chip   6 is the most held by one seat alone" in told
    assert "No points: Tamago." in told
    assert "You drew 3 chips: Ikura 5, Maguro 3 and Dessert 1." in told
    assert "Player 3 (greedy) drew a chip: Ebi.\n" in told, "nobody else knows what it is worth"
    assert "Player 2 (greedy)  0 chips  3 gets nothing" in why
    assert "🍣 Maguro, 🍱 Triple as Maguro" in why


def test_the_sums_of_a_round_have_what_was_given_at_once(table):
    """Points given at once are told again when the round is scored, so that its sums are complete."""
    script = Script(*["1"] * 9)
    play(table("anniversary", [HUMAN, "greedy", "greedy"]), script, seed=1)
    lines, _, sums = script.screen.split("── This round ─")[1].partition("━━ Round 2")[0].partition("Together")
    assert re.search(r"taking the lead +\S.* 2  at once\n", lines)
    points = re.findall(r"(?:You|\)) +(−?\d+)  ", lines)
    assert sum(map(int, re.findall(r" (\d+)(?=,|\n)", sums))) == sum(int(number.replace("−", "-")) for number in points)


def test_a_round_is_told_in_short(table):
    """A scored round lists only who got points; the reasons list everything, with the cards."""
    script = Script(*["1"] * 9, "w")
    play(table("sushi_go", [HUMAN, "greedy", "greedy"]), script, seed=5)
    told = script.screen.split("── This round ─")[1].partition("━━ Round 2")[0]
    assert len(told.strip().splitlines()) <= 10
    assert "0 of the 2" not in told
    assert "No points: Sashimi." in told
    assert "Together  You 15, Player 2 (greedy) 8, Player 3 (greedy) 9" in told
    why = script.screen.split("── Round 1 ─")[1]
    assert "0 of the 2 for a set: 0" in why
    assert "6 × 1 = 6 🍙 Salmon nigiri, 2× 🥚 Egg nigiri, 3× 🌿 Wasabi" in " ".join(why.split())
    assert "Brackets name the statements" in why


def test_there_is_time_to_read(table):
    """After a scoring a person continues with Enter, and may ask for reasons first; a pipe does not wait."""
    own = table("sushi_go", [HUMAN, "greedy"])
    script = Reader("w", "x", "")
    play(own, script, seed=2, interactive=True)
    assert script.screen.count("Enter to go on, w") == 3 + 1, "thrice after the first round, once after the second"
    assert "Press Enter to go on" in script.screen
    assert script.screen.index("── Round 1 ─") < script.screen.index("Round 2 of 3")
    piped = Script(*["1"] * 30)
    play(own, piped, seed=2)
    assert "Enter to go on" not in piped.screen


def test_nobody_sees_another_s_hand(table):
    """The screen is cleared between people at one keyboard, also after a choice was taken back."""
    script = Script("", "1", "", "", "u", "", "1", "", "", "1", "")
    play(table("sushi_go", [HUMAN, HUMAN]), script, interactive=True, lines=30)
    screens = script.screen.split("\n" * 30)
    for screen in screens:
        assert screen.count("Your hand") <= 1
        assert "Your hand" not in screen or "take the keyboard" not in screen.partition("Your hand")[2]
    assert script.screen.count("take the keyboard") == 5
    assert "Player 1 can choose again." in script.screen
    (revealed,) = [screen for screen in screens if "The cards go to the left" in screen]
    assert "Your hand" not in revealed


# ── help ────────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_help_fits_and_leaves_the_hand(table):
    """Help shows the keys and below them the hand, together on a screen of 24 lines."""
    script = Script("?")
    play(table("sushi_go", [HUMAN, "greedy"]), script)
    after = script.screen.split("for help): ")[1]
    assert "Your hand" in after
    assert len(after.splitlines()) <= 24


def test_long_texts_wait(table):
    """At a keyboard, text longer than the screen appears in parts, and can be left."""
    own = table("anniversary", [HUMAN, "greedy"])
    script = Script("? cards", "", "no more")
    play(own, script, interactive=True, lines=12)
    assert script.screen.count("Enter for more") == 2
    assert len(script.screen.split("Enter for more")[1].splitlines()) <= 12


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ("chop", "On a later turn take 1 more"),
        ("Taking the lead", "take the squishy"),
        ("squishy", "Nobody holds “Squishy” at first"),
        ("roll icons", "Counted on the table: 🍣 Futomaki ×1 +1"),
        ("roll icons", "The player with the most roll icons"),
        ("futomaki ×2", "2 roll icons"),
        ("pass both", "to the right in round 2"),
        ("gyoza", "1, 3, 6, 10, 15"),
        ("futomaki", "most roll icons"),
        ("Gyoza", "in the box"),
    ],
)
def test_whatever_has_a_name_can_be_asked_for(table, asked, told):
    assert told in "\n".join(help_texts.explained(asked, table("anniversary", [HUMAN, "greedy", "greedy"]).names()))


@pytest.mark.parametrize("asked", ["? 1", "? First", "? Place 1", "? place 1"])
def test_a_way_can_be_asked_for(table, asked):
    """An action is explained by number, id and label: a bid says what it bids for, by one name everywhere."""
    script = Script(asked, "1")
    play(table("go_nuts_for_donuts", [HUMAN, "greedy", "greedy"]), script)
    assert re.search(r"  Place 1\n\n  \S+ [A-Z].* in the box\n", script.screen)
    assert re.search(r"   1  Place 1  \S+ [A-Z]", script.screen)
    assert "You chose Place 1." in script.screen


def test_a_card_that_goes_a_way_can_be_asked_for(table):
    """An option with an action explains the card, and where it would go."""
    names = table("ohanami", [HUMAN, "greedy"]).names(color=False)
    told = " ".join("\n".join(help_texts.about_item("blue_1@first", names)).split())
    assert "Water 1" in told
    assert "put it into “First row”" in told


def test_it_is_said_where_one_chooses_from(table):
    """A choice from another zone than the hand names that zone above the options."""
    script = Script(*["1"] * 4)
    play(table("tides_of_time", [HUMAN, "random"]), script)
    assert "\n  Choose from the cards in front of you\n   1  " in script.screen


def test_a_way_with_a_text_of_its_own_is_told_in_it(table, tmp_path):
    path = tmp_path / "haggle.yaml"
    path.write_text(
        "{format: 1, id: haggle, title: Haggle, version: 1.0.0, players: 2, rounds: 1, cards: {hut: {count: 9}},"
        " counters: {bid: {min: 0, max: 2}}, round: [{choose: {as: {low: {text: Whoever bids less begins., cards: 0,"
        " do: [{set: {bid: 1}}]}, high: {cards: 0, do: [{set: {bid: 2}}]}}}}, {score: round}],"
        " scoring: {bid: {kind: each, of: bid, points: 1}}, winner: {order: most}}",
        encoding="utf-8",
    )
    script = Script("? 1", "? 2")
    play(table(str(path), [HUMAN, "random"]), script)
    assert "  Low\n    Whoever bids less begins.\n" in script.screen
    assert "  High\n    Set your bid to 2.\n" in script.screen


def test_what_is_asked_for_in_a_draft(draft):
    """Rules and chips can be asked for; an ambiguous or unknown name is answered with suggestions."""
    names = draft.names()
    assert "draws 1 chip" in "\n".join(help_texts.explained("Dessert", names))
    assert "drawn blind" in "\n".join(help_texts.explained("dessert_chips", names))
    for asked, said in (
        ("ma", "could be Maguro or"),
        ("desert", "Did you mean “Dessert”?"),
        ("soup", "no card or rule"),
    ):
        with pytest.raises(NoSuchItemError, match=said):
            help_texts.explained(asked, names)


def test_everything_named_can_be_explained(table):
    """Every topic of a rich game has an explanation that fits the width."""
    names = table("anniversary", [HUMAN, "greedy"], ["mochi", "sushi_battle"]).names(columns=60)
    for topic in help_texts.topics_of(names):
        lines = topic.lines(names)
        assert len(lines) > 2, topic.label
        assert max(map(width_of, lines)) <= 60


# ── the table ───────────────────────────────────────────────────────────────────────────────────────────────────────


def test_open_modifiers_are_marked(table):
    """Of three wasabi only the one played last is marked as open; used ones look like other cards."""
    own = table("sushi_go", [HUMAN, "greedy"])
    tables = (("wasabi", "wasabi", "nigiri_egg", "nigiri_squid", "wasabi"), ("wasabi", "nigiri_egg"))
    view = own.game.set_up(Position(tables=tables)).view(0)
    you, other = "\n".join(board.table(TableView.of(view), own.names())).split("Player 2")
    assert "2× 🌿 Wasabi, 🥚 Egg nigiri, 🦑 Squid nigiri, 🌿 Wasabi (open)" in " ".join(you.split())
    assert "open" not in other


def test_turns_are_numbered(draft):
    """A choice after the last repetition counts as a turn, too."""
    session = draft.session(5)
    turns = []
    session.let_bots_choose()
    while not session.over and len(turns) < len(ONE_ROUND):
        view = session.view(0)
        assert view.turn == session.state.turn
        turns.append(view.turn)
        session.commit(0, view.moves[0])
        session.let_bots_choose()
    assert turns == [1, 1, 2, 2, 3, 3, 4, 4, 5]


INNER = """
  - repeat:
      times: 2
      do:
        - repeat:
            times: 2
            do:
              - {choose: {from: hand, to: tableau}}
              - {pass: {zone: hand, to: left}, id: hand_on}
  - {choose: {from: hand, to: tableau}}
"""


def test_what_is_repeated_within_a_turn_is_no_turn(table, soups, tmp_path):
    text = Path(soups).read_text(encoding="utf-8")
    before, after = text.index("  - repeat:"), text.index("  - {score: round}")
    path = tmp_path / "inner.yaml"
    path.write_text(text[:before] + INNER.lstrip("\n") + text[after:], encoding="utf-8")
    own = table(str(path), [HUMAN, "greedy"])
    session, turns = own.session(), []
    while not session.over and session.state.round == 1:
        session.let_bots_choose()
        view = session.view(0)
        assert view.turn == session.state.turn
        turns.append(view.turn)
        session.commit(0, view.moves[0])
    assert turns == [1, 1, 2, 2, 3]
    assert [event.amount for event in session.story if event.kind == "turn-started"][:2] == [1, 2]
    script = Script()
    play(table(str(path), ["greedy", "greedy"]), script)
    assert script.screen.count("Turn 1\n") == script.screen.count("Turn 2\n") == 2


ELSEWHERE = """
  - {choose: {from: hand, to: tableau, cards: 2}}
  - {choose: {from: hand, to: discard}}
  - {choose: {from: tableau, to: hand}}
"""


def test_a_prompt_says_what_becomes_of_the_card(table, soups, tmp_path):
    text = Path(soups).read_text(encoding="utf-8")
    before, after = text.index("  - repeat:"), text.index("  - {score: round}")
    path = tmp_path / "elsewhere.yaml"
    path.write_text(text[:before] + ELSEWHERE.lstrip("\n") + text[after:], encoding="utf-8")
    script = Script("1, 2", "1", "1")
    play(table(str(path), [HUMAN, "greedy"]), script, seed=1)
    asked = re.findall(r"Your card.*?\(number or name", script.screen)
    assert asked[:3] == [f"Your card{what} (number or name" for what in ("", " to discard", " to take into your hand")]


def test_words_of_the_game(draft):
    """Moved cards are described in the words of the game, once for all seats with the same move."""
    script = Script("1", "1", "1")
    play(draft, script, seed=5)
    for text in (
        "All cards went into the deck.",
        "Your card to put aside (kept card; number or name, ? for help)",
        "You moved 🟠 Ikura to “kept card”.",
        "Player 2 (greedy) and Player 3 (greedy) moved a card to “kept card”.",
        "You took 🟠 Ikura into the hand.",
    ):
        assert text in script.screen
    assert script.screen.count("The cards go to the left") == 1


@pytest.mark.parametrize(
    ("zone", "said"),
    [
        ("hand", "Player 2 (greedy) took 🟠 Ikura into the hand."),
        ("discard", "Player 2 (greedy) discarded 🟠 Ikura."),
        ("tableau", "Player 2 (greedy) laid down 🟠 Ikura."),
        ("kept", "Player 2 (greedy) moved 🟠 Ikura to “kept card”."),
    ],
)
def test_cards_are_put_aside_only_where_they_lie_aside(draft, zone, said):
    """Only cards in a zone for kept cards are called put aside, whether chosen or moved."""
    names = draft.names()
    for kind in ("placed", "moved"):
        event = Event(kind, seat=1, zone=zone, cards=("ikura",), count=1)
        assert sentences([event], 0, names) == [said]


def test_a_layout_on_a_narrow_screen(table):
    """On a narrow screen a layout has a line of whole names for each row, with numbers and covers."""
    own = table("anniversary", [HUMAN, "greedy"], ["sushi_battle"])
    script = Script()
    play(own, script, columns=40, seed=5)
    text = " ".join(script.screen.partition("The table\n")[2].split())
    assert "2: ▒▒▒▒, ▒▒▒▒, ▒▒▒▒" in text
    assert "(🍣 Futomaki ×1)" in text
    assert re.search(r"5: 1 🍤 Tempura, 2 \S+ [\w ]+×\d, 3 🌿 Wasabi", text)
    assert "…×" not in text


@pytest.mark.parametrize(
    ("unicode", "joined"), [(True, "┌──────┴─────┬──────┴─────┬"), (False, "+------+-----+------+-----+")]
)
def test_a_layout_on_a_wide_screen(table, unicode, joined):
    """On a wide screen cards are boxes that share their lines, so that one sees which card covers which."""
    battle = table("anniversary", [HUMAN, "greedy"], ["sushi_battle"])
    layout = TableView.of(battle.session(5).view(0)).layouts[0]
    numbers = {place.id: number for number, place in enumerate(layout.rows[-1], 1)}
    lines = board.layout_of(layout, battle.names(unicode=unicode), numbers)
    assert len(lines) == 2 + 2 * len(layout.rows)
    assert joined in lines[3]
    assert {width_of(line) for line in lines[-3:]} == {80}
    assert lines[-2].count("│" if unicode else "|") == 7
    assert re.search(r"3 (🌿 )?Wasabi", lines[-2])


def test_what_turns_up_is_told_in_one_line(table):
    names = table("anniversary", [HUMAN, "greedy"], ["sushi_battle"]).names()
    turned = [Event("flipped", cards=(card,), zone="display") for card in ("tempura", "sashimi")]
    assert sentences(turned, 0, names) == ["Turned up: 🍤 Tempura and 🐟 Sashimi."]


def test_a_seat_takes_as_few_lines_as_it_needs(table):
    """Counters of a seat stand behind its cards if they fit, and else below them."""
    own = table("sushi_go", [HUMAN, "greedy"])
    tables = (("maki_2", "pudding"), ("maki_1", "maki_2", "maki_3", "tempura", "sashimi"))
    lines = board.table(TableView.of(own.game.set_up(Position(tables=tables)).view(0)), own.names())
    assert lines[0].endswith("🍣 Maki ×2, 🍮 Pudding   maki icons 2")
    assert lines[-1].strip().endswith("🐟 Sashimi   maki icons 6")
    assert len(lines) == 3


# ── characters ──────────────────────────────────────────────────────────────────────────────────────────────────────


def test_new_pictures_are_pictures():
    """A pictograph unknown to this Python is shown, and has a width of two columns like the others."""
    unknown = "\U0001faff"
    assert Style().safe(unknown) == Style().icon(unknown).strip() == unknown
    assert width_of(unknown) == 2
    assert Style().safe("\ue000\U000e0001") == r"\ue000\ue0001"


def test_what_cannot_be_written(table):
    """Without Unicode, icons become text, and letters and our signs become plain."""
    ascii_, latin = Style(unicode=False), Style(unicode=False, encoding="latin-1")
    assert ascii_.safe("🍲 Żurek “é” ×2").strip() == 'Zurek "e" x2'
    assert latin.safe("🍲 Żurek “é” ×2").strip() == 'Zurek "é" ×2'
    assert ascii_.safe("漢") == "?"
    own = table("sushi_go", [HUMAN, "greedy"])
    assert "?" not in "".join(help_texts.cards_in_short(Names(own.game, own.seats, ascii_)))
    assert Style(pictures=False).icon("🍲") == ""


def test_the_input_ends_while_reading(table):
    """End of input at a pause leaves the game."""
    terminal = sit_down(table("sushi_go", [HUMAN, "greedy"]), Reader(), interactive=True, seed=2)
    with pytest.raises(QuitGame) as left:
        terminal.play()
    assert left.value.input_ended
    assert terminal.session.state.round > 1
