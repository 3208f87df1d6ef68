"""The public API: its names and documentation, and what states, views and moves promise."""

from __future__ import annotations

import pickle
import pkgutil

import pytest

import draftengine as de
from draftengine.api.game import reopened
from draftengine.model.selection import NOTHING_SELECTED
from engine.feasts import feast

NAMES = [
    "Advice", "ArenaError", "Belonging", "BotError", "Brought", "CardSetError", "Comparison", "Event", "Finding",
    "Game", "Group", "Hint", "IllegalMove", "Labels", "Line", "Move", "Moves", "NoSuchCardSetError", "NotInGameError",
    "Outcome", "Position", "Result", "Ruleset", "Scored", "SelectionError", "Simulation", "State", "Tournament",
    "Tuning", "View", "WrongArgumentError", "WrongPositionError", "arena", "bars", "bot", "check", "compare", "envs",
    "hints", "load", "open_rules", "rules_in_json", "run_scenarios", "score", "simulate", "tune",
]  # fmt: skip


@pytest.fixture(scope="module")
def game():
    return de.load("sushi_go", players=3)


def test_what_is_public():
    """Check the list of public names; a change of it is announced one minor version ahead."""
    assert de.__all__ == NAMES
    assert set(NAMES) <= set(dir(de))


@pytest.mark.parametrize("name", NAMES)
def test_whatever_is_public_is_documented(name):
    assert getattr(de, name).__doc__


def test_there_is_nothing_else():
    with pytest.raises(AttributeError, match="shuffle"):
        _ = de.shuffle


def play(state):
    while not state.over:
        for seat in state.waiting:
            state = state.commit(seat, state.view(seat).moves[0])
    return state


def test_a_whole_game(game):
    state = play(game.start(seed=7))
    assert len(state.result.scores) == 3
    assert state.result.winners


def test_states_are_values(game):
    """Check that a move makes a new state and leaves the old one unchanged."""
    state = game.start(7)
    before = state.describe()
    after = state.commit(0, state.view(0).moves[0])
    assert state.describe() == before
    assert after.committed == {0: state.view(0).moves[0]}
    assert after.withdraw(0).describe() == before


def test_equal_states_are_equal(game):
    """Check that states with equal seeds and moves are equal, and that their views have the same moves."""
    one, two = game.start(7), game.start(7)
    assert one == two
    assert hash(one) == hash(two)
    assert one.view(0).moves == two.view(0).moves
    assert one != game.start(8)
    assert one.commit(0, one.view(0).moves[0]) != two


TURNS = {
    "sushi_draft": [5],
    "sushi_go": [9, 10],
    "sushi_go_2014": [9, 10],
    "anniversary": [9, 10],
    "ohanami": [5],
    "tides_of_time": [5],
    "go_nuts_for_donuts": [0],
}
"""The number of turns in a round, with two and three players; 0 if it depends on play."""


@pytest.mark.parametrize("players", [2, 3])
@pytest.mark.parametrize("name", TURNS)
def test_the_turns_of_a_round_are_counted_where_they_are_certain(name, players):
    """Check that all seats see one number of turns, constant in a round, and exactly that many follow."""
    fewest, most = de.open_rules(name).players
    if not fewest <= players <= most:
        return
    state = de.load(name, players=players).start(3)
    seen = {}
    while not state.over:
        view = state.view(state.waiting[0])
        if view.turn:
            assert view.turns == state.view(-1).turns
            seen.setdefault(state.round, []).append((view.turn, view.turns))
        state = state.commit(view.seat, view.moves[0])
    for turns in seen.values():
        assert {of for _, of in turns} <= {max(turn for turn, _ in turns), 0}, turns
        assert len({of for _, of in turns}) == 1
    assert {of for turns in seen.values() for _, of in turns} <= {*TURNS[name]}


UNEVEN = """
format: 1
id: uneven
title: Uneven
version: 1.0.0
players: 2
rounds: 1
cards: {apple: {count: 40}}
setup: [{shuffle: deck}]
round:
  - deal: {to: hand, cards: 7}
  - repeat: {until_empty: hand, do: [STEPS]}
  - score: round
scoring: {apple: {kind: each, of: apple, points: 1}}
winner: {order: most}
"""


@pytest.mark.parametrize(
    ("steps", "turns"),
    [
        ("{choose: {from: hand, to: tableau, cards: 1 if turn == 1 else 2}}", 4),
        ("{choose: {from: hand, to: tableau, cards: 2}}, {choose: {from: hand, to: discard}}", 3),
        ("{choose: {from: hand, to: tableau}}, {choose: {from: hand, to: discard}, when: most(apple) > 2}", 0),
    ],
)
def test_turns_that_are_not_alike_are_counted_too(tmp_path, steps, turns):
    """Check that turns of different sizes are counted, and that an optional step makes the number unknown."""
    path = tmp_path / "uneven.yaml"
    path.write_text(UNEVEN.replace("STEPS", steps), encoding="utf-8")
    state = de.load(path, players=2).start(3)
    while not state.over:
        assert state.view(0).turns == turns
        last = state.turn
        state = state.commit(state.waiting[0], state.view(state.waiting[0]).moves[0])
    assert turns in {0, last}


@pytest.mark.parametrize("seed", [None, 1.5, True])
def test_a_seed_is_a_number_or_a_text(game, seed):
    with pytest.raises(TypeError, match="whole number or a text"):
        game.start(seed)


def test_what_was_played_can_be_played_again(game):
    state = play(game.start(7))
    again = game.replay(7, [(seat, move.to_json()) for seat, move in state.moves])
    assert again.digest == state.digest
    assert again.history == state.history


def test_a_withdrawn_move_is_no_move(game):
    state = game.start(7)
    first, second = state.view(0).moves[:2]
    state = state.commit(0, first).withdraw(0).commit(0, second)
    assert state.moves == ((0, second),)


def sent(value):
    """Return an object as another process receives it."""
    return pickle.loads(pickle.dumps(value))  # noqa: S301 (it was made here)


def test_games_can_be_sent_to_other_processes(game):
    assert sent(game).start(3).digest == game.start(3).digest


@pytest.mark.parametrize(("name", "variants"), [("sushi_go", ()), ("anniversary", ("sushi_battle",))])
def test_views_can_be_sent_to_other_processes(name, variants):
    """Check that a pickled view is unchanged after any use: it shows equal data, and bots decide alike."""
    state = de.load(name, 2, variants).start(3)
    for _ in range(4):
        seat = state.waiting[0]
        view = state.view(seat)
        assert len(view.moves) > 0
        assert view.turn
        other = sent(view)
        assert (other.observation, other.moves, other.asked, other.events, other.turn) == (
            view.observation, view.moves, view.asked, view.events, view.turn,
        )  # fmt: skip
        assert sent(view.moves) == view.moves
        assert list(sent(view.moves)) == list(view.moves)
        assert de.bot("greedy").decide(other, 1) == de.bot("greedy").decide(view, 1)
        state = state.commit(seat, view.moves[0])
    assert list(sent(state.view(-1).moves)) == []


def test_a_view_that_is_sent_takes_nothing_hidden_along():
    """Check that equal views pickle to equal bytes, regardless of the hands of other seats."""
    game = de.load("sushi_go", 2)
    hand = ("tempura", "sashimi")
    one, two = (game.set_up(de.Position(hands=(hand, other))) for other in (("pudding",) * 2, ("wasabi",) * 2))
    assert pickle.dumps(one.view(0)) == pickle.dumps(two.view(0))


def test_states_can_be_sent_to_other_processes(game):
    """Check that states can be pickled, however many moves led to them."""
    state = game.start(7)
    moves = state.view(0).moves
    for number in range(600):
        state = state.commit(0, moves[number % 2])
    other = sent(state)
    assert other == state
    assert (other.moves, other.history) == (state.moves, state.history)
    assert play(other) == play(state)


def test_moves_may_be_written_in_several_ways(game):
    state = game.start(7)
    move = state.view(0).moves[0]
    (card,) = move.cards
    for written in (move, card, [card], {"cards": [card]}, {"cards": card}):
        assert state.commit(0, written).committed == {0: move}


@pytest.mark.parametrize(
    ("written", "code"),
    [
        ("nothing like it", "unknown-card"),
        ([], "too-few-cards"),
        ([1], "malformed-move"),
        (None, "malformed-move"),
        ({"card": "tempura"}, "malformed-move"),
        ({"cards": ["tempura"], "with": {"stilts": ["tempura"]}}, "ability-not-available"),
        ({"cards": ["tempura"], "for": {"seat 1": ["tempura"]}}, "wrong-seat"),
    ],
)
def test_illegal_moves_are_refused_by_name(game, written, code):
    with pytest.raises(de.IllegalMove) as refused:
        game.start(7).commit(0, written)
    assert refused.value.code == code


def test_whatever_can_be_committed_is_among_the_moves(game):
    """Check that `in` finds moves as they may be written, and rejects unknown names and other objects."""
    moves = game.start(7).view(0).moves
    (card,) = moves[0].cards
    for written in (moves[0], card, [card], (card,), {"cards": [card]}, {"cards": card}):
        assert written in moves
    for wrong in ("soup", "nothing like it", [card, card], [], {"cards": ["soup"]}, {"card": card}, 7, None, ""):
        assert wrong not in moves
    assert card not in game.start(7).view(-1).moves


def test_a_used_ability_is_named(game):
    """Check that a move names the ability that it uses, and is accepted as written."""
    state = game.start(7)
    while not any(move.abilities for move in state.view(state.waiting[0]).moves):
        seat = state.waiting[0]
        moves = state.view(seat).moves
        state = state.commit(seat, next((move for move in moves if "chopsticks" in move.cards), moves[0]))
    seat = state.waiting[0]
    move = next(move for move in state.view(seat).moves if move.abilities)
    assert move.abilities[0][0] == "chopsticks"
    assert state.commit(seat, move.to_json()).moves[-1] == (seat, move)
    cards = [*move.cards, *move.abilities[0][1]]
    assert state.commit(seat, cards).moves[-1] == (seat, move)
    for written in (cards, move, move.to_json()):
        assert written in state.view(seat).moves
    assert [*cards, *cards] not in state.view(seat).moves


def test_views_tell_nothing_that_is_hidden(game):
    """Check that seat 0 sees its own hand, and of other hands only the number of cards."""
    hands = {zone["owner"]: zone for zone in game.start(7).view(0).observation["zones"] if zone["zone"] == "hand"}
    assert sum(hands[0]["cards"].values()) == hands[0]["size"]
    assert not hands[1]["cards"]
    assert hands[1]["size"] == hands[0]["size"]


def test_a_spectator_has_no_moves(game):
    view = game.start(7).view(-1)
    assert not view.moves
    assert not any(zone["cards"] for zone in view.observation["zones"])


def test_explanations_add_up(game):
    state = game.start(7)
    for seat in state.waiting:
        state = state.commit(seat, state.view(seat).moves[0])
    lines = state.explain("maki")
    assert {line.rule for line in lines} == {"maki"}


@pytest.mark.parametrize(
    ("name", "players", "variants", "error"),
    [
        ("nothing_like_it", None, [], de.NoSuchCardSetError),
        ("", None, [], de.NoSuchCardSetError),
        ("sushi_go", 9, [], de.SelectionError),
        ("sushi_go", None, ["nothing_like_it"], de.SelectionError),
        ("sushi_go", None, ["=="], de.SelectionError),
    ],
)
def test_what_cannot_be_loaded(name, players, variants, error):
    with pytest.raises(error):
        de.load(name, players, variants)


def test_a_card_set_with_errors_says_where(tmp_path):
    path = tmp_path / "mistaken.yaml"
    path.write_text("format: 1\nid: mistaken\nextends: sushi_go\nscoring:\n  tempura: {of: temprua}\n")
    with pytest.raises(de.CardSetError) as refused:
        de.load(str(path))
    assert [(own.code, own.span.position) for own in refused.value.findings] == [("unknown-name", (5, 17))]
    assert de.check(str(path)) == refused.value.findings
    assert de.check("sushi_go") == ()


def test_a_bot_answers_by_name(game):
    """Check that equal view, seed and budget give equal advice, best move first."""
    view = game.start(7).view(0)
    advice = de.bot("greedy").decide(view, seed=3)
    assert advice == de.bot("greedy").decide(view, seed=3)
    assert advice.move in view.moves
    assert advice.considered[0].value == max(own.value for own in advice.considered)


def test_a_bot_has_nothing_to_decide_when_the_game_is_over(game):
    with pytest.raises(ValueError, match="nothing to choose"):
        de.bot("random").decide(play(game.start(7)).view(0))
    with pytest.raises(de.BotError):
        de.bot("nothing like it")


def test_tables_are_scored(game):
    scored = de.score(game, [["tempura", "tempura"], {"dumpling": 3}, []], scores=[1, 0, 0])
    assert scored.rules["tempura"] == (5, 0, 0)
    assert scored.rules["dumpling"] == (0, 6, 0)
    with pytest.raises(de.WrongPositionError):
        de.score(game, [["nothing like it"]])


def test_environments_take_games(game):
    pytest.importorskip("pettingzoo")
    env = de.envs.parallel(game, seed=1)
    seen, _ = env.reset()
    assert set(seen) == {"seat_0", "seat_1", "seat_2"}
    assert de.envs.sequential(game, seed=1).possible_agents == ["seat_0", "seat_1", "seat_2"]
    assert de.envs.batch(game, 2, engine="reference").reset(1)[0].shape[:2] == (2, 3)


def test_a_large_choice_is_made_card_by_card():
    """Check a choice of ten of twenty cards: its moves cannot be listed, but are counted, found and made."""
    game = reopened((("", "feast.yaml", feast().encode()),), NOTHING_SELECTED).game(2)
    state = game.start(1)
    view = state.view(0)
    chosen = de.Move()
    while chosen not in view.moves:
        chosen = view.next(chosen)[-1]
    assert len(chosen.cards) == 10
    assert view.moves[-1] == chosen
    assert view.moves.total > 10**10
    assert state.commit(0, chosen).committed == {0: chosen}
    assert view.next(["nothing like it"]) == view.moves.next("nothing like it") == ()
    with pytest.raises(de.IllegalMove):
        view.moves.next(5)
    assert de.Move(("nothing like it",)) not in view.moves


def test_scenarios_are_run(tmp_path):
    """Check that worked examples of a card set pass, and that a failing scenario says where it fails."""
    assert all(outcome.passed for outcome in de.run_scenarios("sushi_go"))
    path = tmp_path / "mine.yaml"
    path.write_text(
        "cardset: sushi_go\ntests:\n"
        "  - {name: a set, players: 2, tables: [[tempura, tempura], []], expect: {points: {tempura: [5, 0]}}}\n"
        "  - {name: no set, players: 2, tables: [[tempura], []], expect: {points: {tempura: [5, 0]}}}\n"
    )
    right, wrong = de.run_scenarios(str(path))
    assert right.passed
    assert [(own.code, own.span.position[0]) for own in wrong.findings] == [("example-fails", 4)]


def test_a_replaced_move_is_no_move(game):
    start = game.start(7)
    first, second = start.view(0).moves[:2]
    replaced = start.commit(0, first).commit(0, second)
    assert replaced.moves == ((0, second),)
    assert game.replay(7, replaced.moves).digest == replaced.digest
    assert replaced.withdraw(0).moves == ()


def test_a_single_variant_may_stand_alone():
    assert de.load("sushi_go", 3, "pass_both_ways").variants == ("pass_both_ways",)


def test_simulations_comparisons_and_tournaments(game):
    """Check that the functions return what the commands of these names print, one row for each game."""
    simulation = de.simulate(game, 20, bots=["greedy", "random"], seed=3, rows=True)
    told = simulation.to_dict()
    assert [seat["bot"] for seat in told["seats"]] == ["greedy", "random", "greedy"]
    assert told["games"] == len(simulation.rows) == 20
    assert told["seats"][0]["mean"] == sum(row["total_0"] for row in simulation.rows) / 20
    other = de.load("sushi_go_2014", 3)
    comparison = de.compare(game, other, 20, bots="random", seed=3)
    assert comparison.to_dict()["games"] == 20
    assert comparison.sentences
    two = de.load("sushi_go", 2)
    tournament = de.arena(two, ["greedy", "random"], 3, seed=3)
    assert tournament.to_dict()["deals"] == 3
    assert tournament.sentences
    with pytest.raises(ValueError, match="cannot be compared"):
        de.compare(game, two)
    with pytest.raises(de.BotError):
        de.simulate(game, bots="nobody")
    with pytest.raises(de.ArenaError):
        de.arena(two, ["greedy"])


def test_no_room_hides_a_public_name():
    """Check that no module has the name of a public object: importing it would replace that object."""
    rooms = {own.name for own in pkgutil.iter_modules(de.__path__)}
    assert not rooms & set(NAMES)
