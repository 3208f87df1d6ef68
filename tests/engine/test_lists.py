"""Step lists of cards: what they do, which seats choose, in which order, and what others see."""

import pickle

import pytest

import draftengine as de
from draftengine.api.facts import Things
from draftengine.engine.chance import root_of
from draftengine.engine.plan import Plan
from draftengine.studies.runner.playing import ReferencePlayer
from text.forms import as_it_stands, compiled, play_alike

GAME = """
format: 1
id: canteen
title: Canteen
version: 1.0.0
players: 2-3
rounds: 1
zones: {tray: {per: seat, seen_by: owner}}
cards:
  soup: {count: 16}
  bread: {count: 16}
  spare:                       # at once: it touches nothing that the others have
    count: 6
    order: 1
    on_play: [{points: 1}, {choose: {to: discard}}, {points: 2, when: bread > soup}]
  menu:                        # in turn: from the deck, and back into it
    count: 8
    on_play:
      - draw: {to: tray, cards: 3}
      - choose: {from: tray, to: tableau}
      - move: {from: tray, to: deck}
      - shuffle: deck
  scraps:                      # in turn: from what all have thrown away
    count: 6
    on_play: [{choose: {from: discard, to: tableau}}]
setup: [{shuffle: deck}]
round:
  - draw: {to: discard, cards: 2}
  - deal: {to: hand, cards: 5}
  - repeat:
      until_empty: hand
      do:
        - choose: {}
        - pass: {zone: hand, to: left}
  - score: round
triggers:
  fresh: {after: reveal, who: gained(soup) > 0 and gained(scraps) > 0, do: [points: 3]}
scoring:
  soup: {kind: set, of: soup, size: 2, points: 5}
  bread: {kind: majority, of: bread, most: [6, 3]}
winner: {order: most}
"""


def begun(path, *hands, deck=(), discard=(), tables=(), players=2):
    """Return the first turn with these hands, this deck and these discards."""
    game = de.load(path, players=players)
    piles = {"discard": discard, "deck": deck}
    return game.set_up(
        de.Position(tables=tables, hands=hands, zones={name: [own] for name, own in piles.items() if own})
    )


def after(state, *chosen):
    """Return the state after the moves by seat; None for a seat that has no choice."""
    for seat, move in enumerate(chosen):
        state = state if move is None else state.commit(seat, move)
    return state


def offered(state, seat):
    """Return the legal moves by name."""
    return {move.cards[0] for move in state.view(seat).moves}


def test_nothing_is_wrong_with_it(path):
    """Check that the card set has no findings."""
    assert de.check(path) == ()


def test_all_who_owe_answer_at_once(path):
    """Check that lists without shared zones are carried out together, each seat with its present hand."""
    state = after(begun(path, ["spare", "soup"], ["spare", "bread"]), "spare", "spare")
    assert state.waiting == (0, 1)
    assert offered(state, 0) == {"soup"}
    assert offered(state, 1) == {"bread"}
    assert state.points == (1, 1)


def test_a_step_with_a_condition(path):
    """Check that a condition is evaluated when its step is reached."""
    state = begun(path, ["spare", "soup"], ["spare", "soup"], tables=[["bread"], []])
    state = after(after(state, "spare", "spare"), "soup", "soup")
    assert state.points[0] - state.points[1] == 2 + 6 - 3  # the majority is scored as well


def test_lists_that_share_a_pile_are_asked_in_turn(path):
    """Check that lists with a shared pile are carried out in turn: the second seat chooses from the rest."""
    state = begun(path, ["scraps", "soup"], ["scraps", "soup"], discard=["soup", "bread"])
    state = after(state, "scraps", "scraps")
    assert state.waiting == (0,)
    assert offered(state, 0) == {"soup", "bread"}
    state = state.commit(0, "bread")
    assert state.waiting == (1,)
    assert offered(state, 1) == {"soup"}


ORDERED = GAME.replace("rounds: 1", "rounds: 1\nmarkers: {starter: {start: 1}}\nturn_order: starter").replace(
    "  - score: round\n", "  - in_turn: {do: [{draw: {to: hand, cards: 1}}, {choose: {}}]}\n  - score: round\n"
)


def test_who_begins(tmp_path):
    """Check that the marker's holder begins, in lists and in steps in turn, and that the rulebook says so."""
    path = tmp_path / "ordered.yaml"
    path.write_text(ORDERED)
    assert de.check(path) == ()
    state = begun(path, ["scraps"], ["scraps"], discard=["soup", "bread"])
    state = after(state, "scraps", "scraps")
    assert state.waiting == (1,)
    state = state.commit(1, "bread")
    assert offered(state, 0) == {"soup"}
    state = state.commit(0, "soup")
    assert state.waiting == (1,)
    said = "Where players act one after the other, the holder of “Starter” begins."
    assert said in Things(state.game.labels).markers[0].plain
    program = de.load(path, players=3).program
    reference = ReferencePlayer(program, ["random"] * 3, logged=True).play(root_of("ordered"), 0, 5, rows=True)
    assert as_it_stands(program, ["random"] * 3).play(root_of("ordered"), 0, 5, rows=True) == reference


def test_a_turn_order_without_its_marker(tmp_path):
    path = tmp_path / "ordered.yaml"
    path.write_text(ORDERED.replace("turn_order: starter", "turn_order: startr"))
    found = de.check(path)
    assert [(own.code, own.span.position[0]) for own in found if own.severity == "error"] == [("unknown-marker", 9)]
    assert "starter" in found[0].hint


CROWNED = (
    GAME.replace("rounds: 1", "rounds: 1\nmarkers: {crown: {start: first}}")
    .replace(
        "on_play: [{choose: {from: discard, to: tableau}}]",
        "on_play: [{give: {marker: crown, to: left}}, {points: 4, when: holds(crown)}]",
    )
    .replace(
        "  - score: round\n",
        "  - in_turn: {do: [{give: {marker: crown, to: {next: soup > 0}}, when: soup == 0}]}\n  - score: round\n",
    )
)


def test_a_marker_is_given_in_a_list(tmp_path):
    """Check that a list passes a marker once for each seat that carries it out, starting at its holder."""
    path = tmp_path / "crowned.yaml"
    path.write_text(CROWNED)
    assert de.check(path) == ()
    first = begun(path, ["scraps", "soup"], ["scraps", "bread"], ["scraps", "bread"], players=3)
    state = after(first, "soup", "scraps", "bread")
    assert (state.points, state.describe()["markers"]["crown"]) == ((0, 4, 0), 1)
    state = after(first, "scraps", "scraps", "bread")
    assert (state.points, state.describe()["markers"]["crown"]) == ((0, 0, 0), 2)
    scraps = next(own for own in state.game.model.cards if own.id == "scraps")
    assert "“Crown” goes to the player on the left of its holder" in Things(state.game.labels).card(scraps).plain
    program = de.load(path, players=3).program
    reference = ReferencePlayer(program, ["random"] * 3, logged=True).play(root_of("crown"), 0, 5, rows=True)
    assert as_it_stands(program, ["random"] * 3).play(root_of("crown"), 0, 5, rows=True) == reference


def test_lists_come_by_order_and_start_others(path):
    """Check that lists with order 0 come before those with order 1, also when they start another list."""
    state = begun(path, ["menu", "soup"], ["spare", "soup"], deck=["menu", "spare", "soup", "bread", "bread", "bread"])
    state = after(state, "menu", "spare")
    assert state.waiting == (0,)
    state = state.commit(0, "spare")
    assert state.waiting == (0, 1)


def test_a_seat_with_several_answers_one_after_the_other(path):
    """Check that a seat with several lists gets a separate offer for each, while others wait."""
    state = begun(path, ["menu", "bread"], ["soup", "soup"], deck=["menu", "menu", "menu", "soup", "soup", "soup"])
    state = after(state, "menu", "soup")
    state = state.commit(0, "menu")
    assert state.waiting == (0,)
    assert state.turn == 1


def test_triggers_of_the_reveal_come_last_and_once(path):
    """Check that triggers of the reveal run once, last, with everything gained since the choice."""
    state = begun(path, ["scraps", "bread"], ["bread", "soup"], discard=["scraps", "soup"])
    state = after(after(state, "scraps", "bread"), "scraps")
    assert state.points == (0, 0)
    assert state.commit(0, "soup").points == (3, 0)


def test_only_the_chooser_sees_its_tray(path):
    """Check that no other seat sees the three cards of a menu."""
    state = begun(path, ["menu", "soup"], ["soup", "soup"], deck=["bread", "bread", "bread"])
    state = after(state, "menu", "soup")
    (own,), (other,) = (
        [zone for zone in state.view(seat).zones if (zone.zone, zone.owner) == ("tray", 0)] for seat in (0, 1)
    )
    assert own.cards == (("bread", 3),)
    assert (other.size, other.cards) == (3, ())


def test_saved_and_opened_again_between_two_answers(path):
    """Check that a save between two choices keeps the lists that are still to be carried out."""
    state = after(begun(path, ["spare", "soup"], ["spare", "bread"]), "spare", "spare").commit(0, "soup")
    again = pickle.loads(pickle.dumps(state))  # noqa: S301 (our own)
    assert again.digest == state.digest
    assert again.waiting == (1,)


@pytest.mark.parametrize("policy", ["random", "greedy"])
@pytest.mark.parametrize("players", [2, 3])
def test_they_are_played_alike(path, policy, players):
    """Check that the reference engine and the specialised game play alike."""
    program = de.load(path, players=players).program
    names = [policy] * players
    reference = ReferencePlayer(program, names, logged=True).play(root_of("lists"), 0, 12, rows=True)
    assert as_it_stands(program, names).play(root_of("lists"), 0, 12, rows=True) == reference


def test_they_are_compiled(path):
    """Check the compiled game, also with policies that compare moves."""
    program = de.load(path, players=2).program
    names = ["random", "greedy"]
    reference = ReferencePlayer(program, names, logged=True).play(root_of("lists"), 0, 40, rows=True)
    assert compiled(program, names).play(root_of("lists"), 0, 40, rows=True) == reference


def test_worlds_look_alike_and_have_every_card(path):
    """Check that worlds dealt in the middle of a list fit what the seats see."""
    state = after(begun(path, ["menu", "soup"], ["menu", "soup"]), "menu", "menu")
    for seat in (0, 1):
        assert de.bot("search").decide(state.view(state.waiting[0]), seed=seat, iterations=40)


TURNS = """
format: 1
id: auction
title: Auction
version: 1.0.0
players: 2-3
rounds: 1
counters: {bid: {min: 0, max: 2}}
markers: {hammer: {start: 1}}
zones:
  lot: {per: table, seen_by: everyone}
  won: {per: seat, seen_by: owner}
cards:
  soup: {count: 12}
  bread: {count: 12}
  lucky: {count: 6, on_play: [{draw: {to: won, cards: 1}}, {move: {from: won, to: tableau, played: true}}]}
setup: [{shuffle: deck}]
round:
  - deal: {to: lot, cards: 6}
  - repeat:
      times: 2
      do:
        - choose: {as: {low: {cards: 0, do: [{set: {bid: 1}}]}, high: {cards: 0, do: [{set: {bid: 2}}]}}}
        - in_turn:
            from: hammer
            by: 0 - bid
            do:
              - choose: {from: lot, to: won}
              - move: {from: won, to: tableau, played: true}
              - {points: 1, when: bid == 1}
        - in_turn: {who: bid == 2, do: [{draw: {to: won, cards: 1}}, {move: {from: won, to: discard}}]}
  - score: round
triggers:
  first: {after: reveal, who: gained(soup) > 0, do: [{points: 2}]}
scoring:
  bread: {kind: each, of: bread, points: 3}
winner: {order: most}
"""


@pytest.fixture(scope="module")
def auction(tmp_path_factory):
    """Write the auction and return its path."""
    path = tmp_path_factory.mktemp("turns") / "auction.yaml"
    path.write_text(TURNS)
    return path


def bids(auction, *made, lot=("soup", "bread", "lucky"), deck=("soup",), players=2):
    """Return the state in which the lot is open and all seats have bid."""
    state = de.load(auction, players=players).set_up(de.Position(zones={"lot": [lot], "deck": [deck]}))
    return after(state, *made)


def test_one_after_the_other(auction):
    """Check the order: highest bid first, then from the holder of the hammer, all within one turn."""
    assert de.check(auction) == ()
    state = bids(auction, "low", "high")
    assert state.waiting == (1,)
    state = state.commit(1, "bread")
    assert state.waiting == (0,)
    assert offered(state, 0) == {"soup", "lucky"}
    assert state.turn == 1
    assert bids(auction, "high", "high").waiting == (1,)
    assert bids(auction, "high", "high", "low", players=3).commit(1, "soup").waiting == (0,)
    assert bids(auction, "low", "low", "low", players=3).commit(1, "soup").waiting == (2,)


SNAKE = """
format: 2
id: snake
title: Snake
version: 1.0.0
players: 2-4
turn_order: first
markers: {first: {start: random}}
zones: {market: {}}
counters: {bid: {max: 90}}
cards:
  "n{n}": {for: {n: 1-30}, count: 1, adds: {value: "{n}"}, on_play: [{add: {bid: 1}}]}
setup: [{shuffle: deck}]
round:
  - draw: {to: market, cards: 2 * players}
  - in_turn: {by: 0 - bid, back: true, do: [{choose: {from: market, to: tableau}}, {add: {bid: value % 3}}]}
  - {who: bid > 3, in_turn: {back: true, do: [{points: 1}]}}
  - score: round
scoring: {value: {each: value, points: 1}}
"""


def test_the_last_goes_twice_and_the_first_last(tmp_path):
    """Check that `back` reverses the first order, also if bids have changed since."""
    (tmp_path / "snake.yaml").write_text(SNAKE)
    game = de.load(tmp_path / "snake.yaml", players=3)
    state, order = game.start(1), []
    while not state.over:
        order += state.waiting
        state = state.commit(state.waiting[0], state.view(state.waiting[0]).moves[0])
    assert sorted(order[:3]) == [0, 1, 2]
    assert order[3:] == order[2::-1]
    play_alike(game.program, "snake", 8)


def test_what_one_starts_ends_before_the_next(auction):
    """Check that a card played by a list acts, with its triggers, before the next player chooses."""
    state = bids(auction, "low", "high").commit(1, "lucky")
    assert state.tableaus == ((), ("lucky", "soup"))
    assert state.points == (0, 2)
    assert state.waiting == (0,)
    assert state.commit(0, "bread").points[0] == 1


@pytest.mark.parametrize("policy", ["random", "greedy"])
def test_turns_are_played_alike(auction, policy):
    """Check that in these turns the reference engine and the specialised game agree."""
    program = de.load(auction, players=3).program
    names = [policy] * 3
    reference = ReferencePlayer(program, names, logged=True).play(root_of("turns"), 0, 12, rows=True)
    assert as_it_stands(program, names).play(root_of("turns"), 0, 12, rows=True) == reference


def test_turns_are_compiled(auction):
    """Check that these turns also work compiled."""
    program = de.load(auction, players=2).program
    names = ["random", "greedy"]
    reference = ReferencePlayer(program, names, logged=True).play(root_of("turns"), 0, 40, rows=True)
    assert compiled(program, names).play(root_of("turns"), 0, 40, rows=True) == reference


UNASKED = """
format: 1
id: unasked
title: Unasked
version: 1.0.0
players: 3
rounds: 1
cards: {soup: {count: 30}}
setup: [{shuffle: deck}]
round:
  - deal: {to: hand, cards: 2}
  - choose: {from: hand, to: tableau}
  - in_turn: {do: [{move: {from: hand, to: tableau, played: true}}]}
  - score: round
triggers:
  glad: {after: reveal, who: gained(soup) > 0, do: [{points: 1}]}
scoring:
  soup: {kind: each, of: soup, points: 0}
winner: {order: most}
"""


def test_what_others_gained_before_is_not_told_again(tmp_path):
    """Check that cards played without a choice ignore what other seats gained before."""
    (tmp_path / "unasked.yaml").write_text(UNASKED)
    game = de.load(tmp_path / "unasked.yaml")
    assert after(game.start(1), "soup", "soup", "soup").points == (2, 2, 2)
    reference = ReferencePlayer(game.program, ["random"] * 3, logged=True).play(root_of("unasked"), 0, 2, rows=True)
    assert as_it_stands(game.program, ["random"] * 3).play(root_of("unasked"), 0, 2, rows=True) == reference


SCAVENGERS = """
format: 1
id: scavengers
title: Scavengers
version: 1.0.0
players: 3
rounds: 1
cards:
  soup: {count: 4}
  scavenger: {count: 12, on_play: [{choose: {from: discard, to: tableau}}]}
zones: {heap: {per: table, seen_by: nobody}}
setup: [{shuffle: deck}]
round:
  - deal: {to: hand, cards: 2}
  - draw: {to: heap, cards: 7}
  - move: {from: heap, to: discard}
  - choose: {from: hand, to: tableau}
  - score: round
scoring:
  soup: {kind: each, of: soup, points: 1}
winner: {order: most}
"""


def test_many_lists_have_room(tmp_path):
    """Check that lists started by lists, again and again, find room in the record."""
    (tmp_path / "scavengers.yaml").write_text(SCAVENGERS)
    game = de.load(tmp_path / "scavengers.yaml")
    plan = Plan(game.program, ["table"] * 3)
    most = chosen = 0
    for seed in range(20):
        state, choices = game.start(seed), 0
        while not state.over:
            seat, choices = state.waiting[0], choices + 1
            moves = state.view(seat).moves
            state = state.commit(seat, next((own for own in moves if "scavenger" in own.cards), moves[0]))
        most, chosen = max(most, *map(len, state.tableaus)), max(chosen, choices)
    assert 3 + 3 < chosen <= plan.most_chosen
    assert 4 < most <= plan.flow.plays
    names = ["table", "greedy", "random"]
    reference = ReferencePlayer(game.program, names, logged=True).play(root_of("lists"), 0, 10, rows=True)
    assert as_it_stands(game.program, names).play(root_of("lists"), 0, 10, rows=True) == reference


def test_an_ability_is_no_help_at_a_shared_pile(tmp_path):
    """Check that an ability is not offered at a shared pile: its card could not return to a hand."""
    text = TURNS.replace("  soup: {count: 12}", "  soup: {count: 12}\n  sticks: {count: 9}").replace(
        "markers:", "abilities: {sticks: {card: sticks, take: 1, returns_to: hand}}\nmarkers:"
    )
    (tmp_path / "sticks.yaml").write_text(text.replace("to: won}", "to: tableau}"))
    game = de.load(tmp_path / "sticks.yaml", players=2)
    state = game.set_up(de.Position(zones={"lot": [("soup", "bread", "soup")]}, tables=[("sticks",), ("sticks",)]))
    state = after(state, "low", "high")
    assert {own.cards for own in state.view(1).moves} == {("bread",), ("soup",)}
    assert not state.view(1).asked.abilities


WRONG = {
    "hidden": ("[{choose: {from: deck, to: tableau}}]", "blind-choice"),
    "who": ("[{choose: {from: discard, to: tableau, who: soup > 1}}]", "zone-misuse"),
    "circle": ("[{choose: {from: discard, to: tableau}}, {discard: scraps}]", "endless-turns"),
    "unknown": ("[{choose: {from: boxes, to: tableau}}]", "unknown-zone"),
}


@pytest.mark.parametrize(("of", "codes"), [("soup", []), ("scraps", ["endless-turns"])])
def test_only_cards_with_lists_make_a_circle(path, of, codes):
    """Check that a card without a list that comes back is no endless circle."""
    steps = f"[{{choose: {{from: discard, of: {of}, to: tableau}}}}, {{discard: {{of: [soup, scraps]}}}}]"
    circle = path.with_name("circle.yaml")
    circle.write_text(GAME.replace("[{choose: {from: discard, to: tableau}}]", steps))
    assert [finding.code for finding in de.check(circle) if finding.severity == "error"] == codes


@pytest.mark.parametrize("name", WRONG)
def test_what_is_wrong_is_found(path, name):
    """Check that each mistake is found once, at its place."""
    steps, code = WRONG[name]
    wrong = path.with_name(f"{name}.yaml")
    wrong.write_text(GAME.replace("[{choose: {from: discard, to: tableau}}]", steps))
    found = [own for own in de.check(wrong) if own.severity == "error"]
    assert [own.code for own in found] == [code]
