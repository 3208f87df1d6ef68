"""Step lists started by actions and triggers: when and in which order they run, and what is refused."""

import pytest
import yaml

import draftengine as de
from draftengine.apps.play.help_texts import explained
from draftengine.apps.play.labels import Names
from draftengine.apps.play.terminal_style import Style
from draftengine.engine.chance import root_of
from draftengine.studies.runner.playing import ReferencePlayer
from text.forms import as_it_stands, compiled

GAME = """
format: 1
id: errands
title: Errands
version: 1.0.0
players: 2-3
rounds: 2
cards:
  soup: {count: 14, has: {price: 2}}
  bread: {count: 14, has: {price: 1}}
  cake: {count: 14, on_play: [{points: 1}, {choose: {from: hand, of: [soup, bread], to: discard}}]}
counters: {stars: {min: 0, max: 30, keep: true}}
setup: [{shuffle: deck}]
round:
  - draw: {to: hand, cards: 3}
  - repeat:
      times: 2
      do:
        - choose:
            as:
              play: {}
              swap: {to: discard, do: [{add: {stars: its(price)}}, {draw: {to: hand, cards: 1}}, {choose: {}}]}
  - {score: round, id: scored}
  - move: {from: hand, to: discard}
  - clear: tableau
triggers:
  fresh:
    after: reveal
    who: gained(soup) > 0
    do: [{points: 2}, {choose: {from: hand, to: discard}}]
  last_wish:
    after: scored
    who: stars > 0
    by: 0 - stars
    do:
      - draw: {to: hand, cards: 1}
      - choose:
          from: hand
          as:
            eat: {to: tableau, do: [{points: 1}]}
            change: {to: discard, do: [{draw: {to: hand, cards: 1}}]}
scoring:
  bread: {kind: each, of: bread, points: 1}
winner: {order: most}
"""


@pytest.fixture
def errands(tmp_path):
    """Return the game for this number of players, with some texts replaced."""

    def opened(players=2, change=lambda _: None):
        data = yaml.safe_load(GAME)
        change(data)
        path = tmp_path / "errands.yaml"
        path.write_text(yaml.safe_dump(data, sort_keys=False))
        return path, players

    return opened


def begun(opened, *hands, deck=()):
    """Return the first turn with these hands, and these cards on the deck."""
    path, players = opened
    return de.load(path, players=players).set_up(de.Position(hands=hands, zones={"deck": [deck]}))


def after(state, *chosen):
    """Commit the moves by seat, skipping None; return the state."""
    for seat, move in enumerate(chosen):
        state = state if move is None else state.commit(seat, move)
    return state


def test_a_list_of_a_way_waits_until_all_cards_are_laid_down(errands):
    """Check that an action's effects come at once, and its list after all cards are played."""
    state = begun(errands(), ["bread", "bread", "soup"], ["bread", "bread", "bread"], deck=["cake"])
    state = after(state, "soup@swap", "bread@play")
    assert [own["stars"] for own in state.counters] == [2, 0]
    assert state.waiting == (0,)
    assert state.tableaus[1] == ("bread",)
    assert {move.cards for move in state.view(0).moves} == {("bread",), ("cake",)}
    state = after(state, "cake")
    assert state.points == (1, 0), "what the card does at once"
    assert {move.cards for move in state.view(0).moves} == {("bread",)}, "then its own list, of which cake is not"
    state = after(state, "bread")
    assert state.waiting == (0, 1)


def test_triggers_run_when_lists_are_done_and_their_lists_behind_them(errands):
    """Check that triggers run after all lists, see what those played, and start their own lists together."""
    state = begun(errands(), ["bread", "soup", "bread"], ["soup", "bread", "cake"], deck=["bread"])
    state = after(after(state, "bread@swap", "soup@play"), "soup")
    assert state.points == (2, 2)
    assert state.waiting == (0, 1)
    state = after(state, "bread", "cake")
    assert [{move.cards[0].partition("@")[0] for move in state.view(seat).moves} for seat in (0, 1)] == [
        {"bread"},
        {"bread"},
    ]


def test_a_trigger_has_its_order(errands):
    """Check that lists that use the deck are carried out seat by seat, the smallest `by` first."""
    state = begun(errands(), ["bread", "bread", "bread"], ["soup", "bread", "cake"], deck=["bread"] * 6)
    state = after(after(state, "bread@swap", "soup@swap"), "bread")
    state = after(state, None, "bread")
    state = after(state, "bread@play", "bread@play")
    assert [own["stars"] for own in state.counters] == [1, 2]
    assert state.waiting == (1,)
    assert {move.cards for move in after(state, None, "cake@change").view(0).moves} == {
        ("bread@eat",),
        ("bread@change",),
    }


def test_every_form_plays_the_same(errands):
    """Check that all forms play alike at random, and with policies that compare moves."""
    path, players = errands(3)
    program = de.load(path, players=players).program
    for policy in ("random", "greedy"):
        reference = ReferencePlayer(program, [policy] * 3, logged=True).play(root_of("errands"), 0, 4, rows=True)
        assert as_it_stands(program, [policy] * 3).play(root_of("errands"), 0, 4, rows=True) == reference


def _late(data):
    swap = data["round"][1]["repeat"]["do"][0]["choose"]["as"]["swap"]
    swap["do"] = [{"draw": {"to": "hand", "cards": 1}}, {"points": "its(price)"}]


def _dummy(data):
    data["extra_seats"] = {"dummy": {}}


def _circle(data):
    data["cards"]["cake"]["on_play"] = [
        {"choose": {"from": "discard", "as": {"play": {}, "again": {"to": "hand", "do": [{"discard": "cake"}]}}}}
    ]


@pytest.mark.parametrize(
    ("change", "code", "word"),
    [
        (_late, "misplaced-step", "no longer knows for which card the way swap was chosen"),
        (_dummy, "misplaced-step", "The trigger fresh may apply to an extra seat"),
        (_circle, "endless-turns", "The list may never end"),
    ],
)
def test_what_is_refused(errands, change, code, word):
    """Check that mistakes are reported at their places."""
    path, _ = errands(change=change)
    found = [own for own in de.check(path) if own.severity == "error"]
    assert [own.code for own in found][:1] == [code], found
    assert word in found[0].message


def test_cards_are_named_by_themselves(errands):
    """Check that a move is a card without an action where only certain cards can be chosen."""
    state = begun(errands(), ["cake", "cake", "soup"], ["bread", "bread", "bread"])
    state = after(state, "cake@play", "bread@play")
    assert state.waiting == (0,)
    with pytest.raises(de.IllegalMove):
        state.commit(0, "cake")
    assert after(state, "soup").waiting == (0, 1)


def test_what_is_told_of_triggers_and_ways(errands):
    """Check that triggers and actions use the author's text in this language, else a generated sentence."""

    def change(data):
        data["triggers"]["fresh"]["text"] = {"en": "Fresh soup brings 2 points.", "pl": "Świeża zupa."}
        data["round"][1]["repeat"]["do"][0]["choose"]["as"]["swap"]["text"] = "Swap it."

    path, players = errands(change=change)
    names = Names(de.load(path, players=players), ["random"] * players, Style())
    assert explained("fresh", names)[-1].strip() == "Fresh soup brings 2 points."
    assert explained("swap", names)[-1].strip() == "Swap it."
    assert "scored" in " ".join(explained("last wish", names))


PANTRY = """
format: 2
id: pantry
title: Pantry
version: 1.0.0
players: 3
rounds: 2
cards: {soup: {count: 9}, bread: {count: 20}, cake: {count: 20}}
zones:
  shelf: {}
  jar: {per: seat, seen_by: everyone}
  gift: {per: seat, seen_by: owner}
setup: [{shuffle: deck}]
round:
  - draw: {to: shelf, cards: 6}
  - deal: {to: hand, cards: 2}
  - choose:
      as:
        wait: {}
        fill:
          do:
            - for: {i: 1-2}
              choose:
                as:
                  "take_{c}":
                    for: {c: any}
                    when: "cards(shelf, {c}) > 0"
                    do: [{when: cards(jar) < 9, do: [{move: {from: shelf, of: "{c}", cards: 1, to: jar}}]}]
            - {points: 5, when: "cards(jar, soup) > 0"}
            - when: cards(hand) > 1
              do: [{who: left, choose: {as: {treat: {do: [{who: others, draw: {to: hand}}]}, pass_by: {}}}}]
            - {points: 1, when: cards(hand) > 2}
  - score: round
  - move: {from: [hand, jar, shelf], to: discard}
scoring: {soup: {points: "cards(jar, soup)"}}
"""


@pytest.fixture
def pantry(tmp_path):
    """Return a game with choices in the lists of ways. Each of their ways has a list that waits."""
    path = tmp_path / "pantry.yaml"
    path.write_text(PANTRY)
    return path


def test_what_a_way_does_comes_before_the_next_step_of_the_list(pantry):
    """Check that a card that a way has just taken cannot be named again, and that the next `when` knows."""
    game = de.load(pantry, players=3)
    cards = {"deck": [["bread"] * 6], "shelf": [["soup", "bread"]]}
    state = game.set_up(de.Position(hands=[["cake", "cake"], [], []], zones=cards))
    state = after(state, "fill", "wait", "wait")
    assert {str(move) for move in state.view(0).moves} == {"take_soup", "take_bread"}
    state = after(state, "take_soup", None, None)
    assert {str(move) for move in state.view(0).moves} == {"take_bread"}, "the soup is gone"
    state = after(state, "take_bread", None, None)
    assert state.points[0] == 5, "the jar has it when the list goes on"
    assert state.waiting == (1,)
    state = after(state, None, "treat", None)
    assert state.points[0] == 5 + 1 + 1, "the way of the other player is done, too, and then the round is scored"


@pytest.mark.parametrize("policy", ["random", "greedy"])
def test_lists_within_lists_play_the_same(pantry, policy):
    """Check that all forms play lists within lists alike."""
    program = de.load(pantry, players=3).program
    reference = ReferencePlayer(program, [policy] * 3, logged=True).play(root_of("pantry"), 0, 6, rows=True)
    assert as_it_stands(program, [policy] * 3).play(root_of("pantry"), 0, 6, rows=True) == reference


@pytest.mark.parametrize(
    ("first", "second"), [("others", "turn"), ("who", "in_turn"), ("taken", "shown"), ("if", "do")]
)
def test_any_name_is_good_for_a_way(tmp_path, first, second):
    """Check that names of ways that are also those of hidden counters do no harm."""
    lists = "[{who: others, add: {stars: 1}}, {add: {gifts: 1}}]", "[{who: others, add: {stars: 2}}]"
    ways = ", ".join(f"{name}: {{to: tableau, do: {do}}}" for name, do in zip((first, second), lists, strict=True))
    path = tmp_path / "errands.yaml"
    path.write_text(
        "{format: 2, id: errands, title: Errands, version: 1.0.0, players: 2-3, cards: {soup: {count: 14}},"
        " counters: {stars: {max: 30}, gifts: {max: 30}}, scoring: {all: {each: stars, points: 1}},"
        f" round: [{{deal: {{to: hand, cards: 3}}}}, {{choose: {{as: {{{ways}}}}}}}, {{score: round}}]}}"
    )
    state = after(de.load(path, players=2).start(seed=1), f"soup@{first}", f"soup@{second}")
    assert state.points == (2, 1)


ECHO = """
format: 2
id: echo
title: Echo
version: 1.0.0
players: 2
cards:
  soup: {count: 20}
setup:
  - shuffle: deck
round:
  - deal: {to: hand, cards: 3}
  - in_turn: {do: [{choose: {from: hand, to: tableau}}, {choose: {from: hand, to: discard}}]}
  - score: round
triggers:
  echo: {after: reveal, do: [{draw: {to: hand}}]}
scoring:
  soup: {points: soup + 10 * cards(hand)}
"""


@pytest.mark.parametrize("form", [as_it_stands, compiled])
def test_lists_of_triggers_wait_behind_a_choice_in_turn(form, tmp_path):
    """Check that each seat's turn goes on as its own after lists that all seats owe."""
    path = tmp_path / "echo.yaml"
    path.write_text(ECHO, "utf-8")
    game = de.load(path, players=2)
    program, seats = game.program, ["random", "random"]
    reference = ReferencePlayer(program, seats, logged=True).play(root_of("echo"), 0, 8, rows=True)
    assert form(program, seats).play(root_of("echo"), 0, 8, rows=True) == reference
