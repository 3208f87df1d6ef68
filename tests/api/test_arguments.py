"""Wrong arguments of public functions: each raises an error of the package with a helpful sentence."""

from __future__ import annotations

from pathlib import Path

import pytest

import draftengine as de


@pytest.fixture(scope="module")
def game():
    return de.load("sushi_go", players=3)


@pytest.fixture(scope="module")
def state(game):
    return game.start(7)


def test_a_card_set_may_be_named_by_a_path():
    path = Path("cardsets/sushi_go.yaml")
    assert de.load(path, 3).fingerprint == de.load(str(path), 3).fingerprint
    assert de.check(path) == ()
    assert all(own.passed for own in de.run_scenarios(path))


@pytest.mark.parametrize("asked", [7, None, b"sushi_go", ["sushi_go"]])
@pytest.mark.parametrize("function", [de.load, de.check, de.run_scenarios])
def test_a_card_set_has_a_name(function, asked):
    with pytest.raises(de.NoSuchCardSetError, match="named by its path or its id"):
        function(asked)


@pytest.mark.parametrize("players", ["4", 2.0, True, [3]])
def test_players_are_counted(players):
    with pytest.raises(de.SelectionError, match="players is a whole number, such as 3"):
        de.load("sushi_go", players)


@pytest.mark.parametrize("variants", [7, [7], {"pass_both_ways": True}])
def test_variants_are_texts(variants):
    with pytest.raises(de.SelectionError, match="variants are texts"):
        de.load("sushi_go", 3, variants)


@pytest.mark.parametrize("seat", ["0", None, True, 1.0, 3, -2])
def test_a_seat_is_in_the_game(state, seat):
    with pytest.raises(de.NotInGameError, match="seats are the whole numbers 0 to 2, and -1 for a spectator"):
        state.view(seat)
    with pytest.raises(de.NotInGameError, match="no seat"):
        state.story(seat)
    for ask in (state.view(0).counters, state.view(0).waiting_cards):
        with pytest.raises(de.NotInGameError, match=r"whole numbers 0 to 2$"):
            ask(seat)


@pytest.mark.parametrize("name", ["xx", 7, None])
def test_cards_rules_and_moments_are_in_the_game(game, state, name):
    with pytest.raises(de.NotInGameError, match="There are tempura, sashimi"):
        game.rules_about(name)
    if name is not None:
        with pytest.raises(de.NotInGameError, match="There are maki, tempura"):
            state.explain(name)
        with pytest.raises(de.NotInGameError, match="There are round, game"):
            state.explain(moment=name)
    with pytest.raises(de.NotInGameError, match="Did you mean “tempura”"):
        game.rules_about("temprua")


@pytest.mark.parametrize("moves", ["xx", [(0,)], [7], 7, None, [("0", "tempura", 1)]])
def test_moves_come_with_their_seats(game, moves):
    with pytest.raises(de.IllegalMove, match="seat and a move") as refused:
        game.replay(7, moves)
    assert refused.value.code == "malformed-move"


@pytest.mark.parametrize(
    ("tables", "more", "said"),
    [
        (None, {}, "tables has an entry for each seat"),
        ([None], {}, "tables has"),
        (["tempura"], {}, "tables has"),
        ([[7]], {}, "tables has"),
        ([{"tempura": -1}], {}, "tables has"),
        ([{"tempura": 1.0}], {}, "tables has"),
        ([{"tempura": True}], {}, "tables has"),
        ([["tempura"]], {"scores": None}, "scores has a whole number"),
        ([["tempura"]], {"scores": ["1"]}, "scores has a whole number"),
        ([["tempura"]], {"markers": 7}, "markers says by name"),
        ([["tempura"]], {"markers": {"mover": 3}}, "who has mover is a seat from 0 to 2"),
        ([["tempura"]], {"markers": {"mover": "Ann"}}, "who has mover is a seat from 0 to 2"),
        ([["tempura"]], {"counters": {"maki_icons": 7}}, "counters has a whole number"),
        ([["tempura"]], {"counters": 7}, "counters has a whole number"),
        ([["tempura"]], {"round": 0}, "round is a whole number of at least 1"),
        ([["tempura"]], {"round": "2"}, "round is a whole number of at least 1"),
    ],
)
def test_tables_have_a_form(game, tables, more, said):
    """Check that the function refuses the tables that the command refuses in a file."""
    with pytest.raises(de.WrongPositionError, match=said):
        de.score(game, tables, **more)


@pytest.mark.parametrize("position", [7, None, {"tables": []}])
def test_a_position_is_one(game, position):
    for lay in (game.set_up, game.lay_out):
        with pytest.raises(de.WrongPositionError, match=r"a position is a draftengine\.Position"):
            lay(position)
    with pytest.raises(de.WrongPositionError, match="hands has the cards of each seat"):
        game.set_up(de.Position(hands=7))


def test_tables_may_come_from_anything_that_lists_them(game):
    tables = [["tempura", "tempura"], {"dumpling": 3}]
    assert de.score(game, iter(tables), scores=iter([1])) == de.score(game, tables, scores=[1])


@pytest.mark.parametrize("games", ["20", 1.5, 0, None])
def test_games_and_deals_are_counted(game, games):
    for play in (
        lambda: de.simulate(game, games, bots="random"),
        lambda: de.compare(game, game, games, bots="random"),
        lambda: de.arena(game, "random,greedy", games),
    ):
        with pytest.raises(de.WrongArgumentError, match="whole number of at least 1"):
            play()


@pytest.mark.parametrize("other", ["sushi_go", None])
def test_a_game_is_what_load_makes(game, other):
    for play in (
        lambda: de.simulate(other, 1),
        lambda: de.compare(game, other, 1),
        lambda: de.arena(other, "random,greedy", 1),
        lambda: de.score(other, []),
        lambda: de.envs.parallel(other),
        lambda: de.envs.sequential(other),
        lambda: de.envs.batch(other, 1),
    ):
        with pytest.raises(de.WrongArgumentError, match=r"draftengine\.load makes one"):
            play()


def test_other_numbers_and_seeds(game, state):
    with pytest.raises(de.WrongArgumentError, match="number of processes"):
        de.simulate(game, 1, bots="random", jobs=0)
    with pytest.raises(de.WrongArgumentError, match="precision is a number between 0 and 1"):
        de.compare(game, game, 1, bots="random", precision=0)
    with pytest.raises(de.WrongArgumentError, match="number of the game"):
        game.start(7, -1)
    greedy = de.bot("greedy")
    for wrong in ({"seed": None}, {"iterations": "9"}, {"milliseconds": -1}):
        with pytest.raises(de.WrongArgumentError):
            greedy.decide(state.view(0), **wrong)
    with pytest.raises(de.WrongArgumentError, match="a View is expected"):
        greedy.decide(state)
    for ask in (
        lambda: de.simulate(game, 1, bots="random", seed=None),
        lambda: de.compare(game, game, 1, bots="random", seed=1.5),
        lambda: de.arena(game, "random,greedy", 1, seed=None),
        lambda: game.set_up(de.Position(), seed=None),
    ):
        with pytest.raises(de.WrongArgumentError, match="whole number or a text"):
            ask()


@pytest.mark.parametrize("bots", [7, [7], None])
def test_bots_have_names(game, bots):
    for play in (lambda: de.simulate(game, 1, bots=bots), lambda: de.arena(game, bots, 1)):
        with pytest.raises(de.BotError, match="text"):
            play()
    with pytest.raises(de.BotError, match="text"):
        de.bot(bots)


def test_an_arena_takes_what_its_command_takes(game):
    """Check that `arena` takes a text with commas, and that a bot named twice plays itself to a draw."""
    found = de.arena(game, "random, greedy", 2, seed=3).to_dict()
    assert found == {**de.arena(game, ["random", "greedy"], 2, seed=3).to_dict(), **_clocks(found)}
    mirror = de.arena(game, "random,random", 2, seed=3)
    assert [(own["bot"], own["against"]) for own in mirror.to_dict()["matrix"]] == [("random", "random")]
    both = de.arena(game, ["random", "greedy"], 2, mirror=True, seed=3).to_dict()
    assert {(own["bot"], own["against"]) for own in both["matrix"]} >= {("random", "random"), ("greedy", "greedy")}


def _clocks(found):
    """Remove from a result the figures that depend on the speed of the machine."""
    return {key: found[key] for key in ("games_per_second", "bots")}
