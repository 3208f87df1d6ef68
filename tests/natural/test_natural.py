"""Games as their authors would first write them: all are accepted and play alike in every engine."""

from pathlib import Path

import pytest

import draftengine as de
from conftest import NIGHTLY, sample
from draftengine.api.ruleset import rules_named
from draftengine.bots.search.searcher import Searcher, searcher_of
from draftengine.bots.worth.learning import learn, learner_of
from draftengine.engine.chance import root_of
from draftengine.engine.compilable import why_not_compiled
from draftengine.engine.compile import compile_game
from draftengine.engine.forms import FEW
from draftengine.engine.plan import Plan
from draftengine.engine.plan.base import TOO_LARGE, UnsupportedError
from draftengine.engine.policies import no_worth
from draftengine.render.rulebook import book_of
from draftengine.render.rulebook.formats import as_text
from draftengine.studies.draft import GAMES as GAMES_TOLD
from draftengine.studies.draft.summary import DraftTask, draft
from draftengine.studies.runner.playing import ReferencePlayer, player_of
from text.forms import as_it_stands, compiled, specialised

HERE = Path(__file__).parent
GAMES = sorted(path.stem for path in HERE.glob("*.yaml"))
SEVERAL = {"larder"}
"""Games where `greedy` would compare moves of several cards, which only the reference engine does."""


FOR_TWO = {"camels", "facing_cities"}
"""Games for two players only."""


def opened(name, players):
    """Load one of the games for this number of players, or for two where no more can play."""
    return de.load(HERE / f"{name}.yaml", players=2 if name in FOR_TWO else players)


@pytest.mark.parametrize("name", GAMES)
def test_nothing_is_wrong_with_them(name):
    """Every game is free of findings, and each of its worked examples comes out as written."""
    assert de.check(HERE / f"{name}.yaml") == ()


@pytest.mark.parametrize("name", GAMES if NIGHTLY else GAMES[::2])
def test_they_are_played_alike(name):
    """Reference engine and kernel play the same games, with random and with greedy bots."""
    game = opened(name, 3)
    for policy in ("random",) if name in SEVERAL else ("random", "greedy"):
        names, games = [policy] * game.players, 2 if NIGHTLY else 1
        reference = ReferencePlayer(game.program, names, logged=True).play(root_of(name), 0, games, rows=True)
        assert as_it_stands(game.program, names).play(root_of(name), 0, games, rows=True) == reference


@pytest.mark.parametrize("name", GAMES if NIGHTLY else GAMES[1::2])
def test_how_they_are_drafted_is_counted(name):
    """Studies of drafts count choices from any zone, including wild cards that lie there in a form."""
    game = opened(name, 3)
    bots = ("random",) * game.players
    assert draft(DraftTask(game, bots, name, 2)).tally[GAMES_TOLD] == 2


@pytest.mark.parametrize("name", sample(GAMES, 14))
def test_their_choices_have_room(name):
    """No game has more choices than bots that learn and search reserve room for."""
    game = opened(name, 3)
    state, made = game.start(seed=1), 0
    while not state.over:
        for seat in state.waiting:
            state = state.commit(seat, state.view(seat).moves[0])
            made += 1
    assert made <= Plan(game.program, ["random"] * 2).most_chosen


@pytest.mark.parametrize("name", GAMES if NIGHTLY else GAMES[::3])
def test_their_rulebooks_are_told(name):
    """Printed text holds none of the marks that set lists and rows inside a book."""
    book = book_of(rules_named(HERE / f"{name}.yaml", ()))
    assert not set("⁅¦⁆⟦‖⟧") & set(as_text(book))


def test_like_cards_are_one_move():
    """An action for equal cards has one move for each card and number, so few moves are listed."""
    program = opened("open_heap", 3).program
    items = Plan(program, ["table"] * 3).items
    (choice,) = items.choices
    assert items.most_moves(choice) == 5
    assert items.are_few(choice)


@pytest.mark.parametrize("policy", ["random", "greedy"])
def test_whoever_takes_few_of_many_has_room_for_more_of_them(policy):
    """An action that takes fewer cards than its maximum can be repeated, and kernel and reference agree."""
    program = opened("open_heap", 3).program
    reference = ReferencePlayer(program, [policy] * 3, logged=True).play(root_of("heap"), 0, 10, rows=True)
    assert as_it_stands(program, [policy] * 3).play(root_of("heap"), 0, 10, rows=True) == reference


@pytest.mark.parametrize("name", ["ohanami", "pegs", "craftsmen"])
def test_they_are_compiled(name):
    """Compiled games equal those of the reference where formulas decide on places and values of cards."""
    program = opened(name, 2).program
    reference = ReferencePlayer(program, ["random"] * 2, logged=True).play(root_of("rows"), 0, 20, rows=True)
    assert compiled(program, ["random"] * 2).play(root_of("rows"), 0, 20, rows=True) == reference


def test_what_names_stand_for_is_specialised_once(monkeypatch):
    """Nested definitions are specialised once: this game would otherwise need 7,000 functions."""
    monkeypatch.setattr("draftengine.jit.specializer.MOST_FUNCTIONS", 3000)
    names = ["random"] * 2
    program = opened("oxen", 2).program
    reference = ReferencePlayer(program, names, logged=True).play(root_of("oxen"), 0, 3, rows=True)
    assert specialised(program, names).play(root_of("oxen"), 0, 3, rows=True) == reference


@pytest.mark.filterwarnings("ignore:mines plays without being compiled")
def test_what_would_leave_too_much_is_played_as_it_stands(monkeypatch):
    """A game too large to specialise says so, and is played and searched without that, with equal results."""
    monkeypatch.setattr("draftengine.jit.specializer.MOST_STATEMENTS", 50)
    names = ("random", "random")
    program = opened("mines", 2).program
    reference = ReferencePlayer(program, names, logged=True).play(root_of("mines"), 0, FEW + 1, rows=True)
    with pytest.raises(UnsupportedError, match="depend on too many values"):
        compiled(program, names)
    for engine in ("compiled", "reference"):
        assert player_of(program, names, engine, logged=True).play(root_of("mines"), 0, FEW + 1, rows=True) == reference
    assert why_not_compiled(program) == ()  # asked in earnest only where formulas are long
    monkeypatch.setattr("draftengine.engine.compilable._LONG", 0)
    fresh = compile_game(program.model, 2)
    assert why_not_compiled(fresh) == (TOO_LARGE,)
    assert why_not_compiled(fresh, in_words=False) == ()
    assert type(searcher_of(program, no_worth(program), compiled=True)) is Searcher
    assert not learner_of(program).compiled
    assert learn(program).worth.values == no_worth(program).values
