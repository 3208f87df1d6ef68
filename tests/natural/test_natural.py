"""Games that people wanted to write, in the form in which they would write them: all are accepted, and played alike."""

from pathlib import Path

import pytest

import draftengine as de
from draftengine.api.ruleset import rules_named
from draftengine.bots.search.searcher import Searcher, searcher_of
from draftengine.bots.worth.learning import learner_of
from draftengine.engine.chance import root_of
from draftengine.engine.plan.limits import UnsupportedError
from draftengine.engine.plan.plan import Plan
from draftengine.engine.players import FEW
from draftengine.engine.worth_tables import no_worth
from draftengine.render.rulebook.contents import book_of
from draftengine.render.rulebook.text import as_text
from draftengine.studies.draft.playing import DraftTask, draft
from draftengine.studies.draft.tally import GAMES as GAMES_TOLD
from draftengine.studies.runner.playing import ReferencePlayer, player_of
from text.forms import as_it_stands, compiled, specialised

HERE = Path(__file__).parent
GAMES = sorted(path.stem for path in HERE.glob("*.yaml"))
SEVERAL = {"larder"}
"""Here moves of several cards would be compared, which only the reference engine does."""


FOR_TWO = {"camels", "facing_cities"}
"""Games that no more can play."""


def opened(name, players):
    """One of them for so many, or for as many as can play it."""
    return de.load(HERE / f"{name}.yaml", players=2 if name in FOR_TWO else players)


@pytest.mark.parametrize("name", GAMES)
def test_nothing_is_wrong_with_them(name):
    """No finding, and every worked example comes out as it says."""
    assert de.check(HERE / f"{name}.yaml") == ()


@pytest.mark.parametrize("name", GAMES)
def test_they_are_played_alike(name):
    """Reference engine and text agree, at random and where moves are compared."""
    game = opened(name, 3)
    for policy in ("random",) if name in SEVERAL else ("random", "greedy"):
        names = [policy] * game.players
        reference = ReferencePlayer(game.program, names, logged=True).play(root_of(name), 0, 3, rows=True)
        assert as_it_stands(game.program, names).play(root_of(name), 0, 3, rows=True) == reference


@pytest.mark.parametrize("name", GAMES)
def test_how_they_are_drafted_is_counted(name):
    """Whatever is chosen from wherever it lies, also wild cards from where they lie in a form."""
    game = opened(name, 3)
    bots = ("random",) * game.players
    assert draft(DraftTask(game, bots, name, 2)).tally[GAMES_TOLD] == 2


@pytest.mark.parametrize("name", GAMES)
def test_their_choices_have_room(name):
    """No game has more choices than there is room for where bots learn and search, in rounds without turns, too."""
    game = opened(name, 3)
    state, made = game.start(seed=1), 0
    while not state.over:
        for seat in state.waiting:
            state = state.commit(seat, state.view(seat).moves[0])
            made += 1
    assert made <= Plan(game.program, ["random"] * 2).most_chosen


@pytest.mark.parametrize("name", GAMES)
def test_their_rulebooks_are_told(name):
    """No mark of what is set as a list, or as a row, is left in the text."""
    book = book_of(rules_named(HERE / f"{name}.yaml", ()))
    assert not set("⁅¦⁆⟦‖⟧") & set(as_text(book))


def test_like_cards_are_one_move():
    """However many go a way that only like cards can go, there is one move for it: nobody looks for others."""
    program = opened("open_heap", 3).program
    items = Plan(program, ["table"] * 3).items
    (choice,) = items.choices
    assert items.most_moves(choice) == 5
    assert items.are_few(choice)


@pytest.mark.parametrize("policy", ["random", "greedy"])
def test_whoever_takes_few_of_many_has_room_for_more_of_them(policy):
    """Where only some cards can go a way, fewer than it takes may go it, so that it is gone more often."""
    program = opened("open_heap", 3).program
    reference = ReferencePlayer(program, [policy] * 3, logged=True).play(root_of("heap"), 0, 40, rows=True)
    assert as_it_stands(program, [policy] * 3).play(root_of("heap"), 0, 40, rows=True) == reference


@pytest.mark.parametrize("name", ["ohanami", "pegs", "craftsmen"])
def test_they_are_compiled(name):
    """Some of them through LLVM: what cards have, and what lies there, decides where they fit and what they are."""
    program = opened(name, 2).program
    reference = ReferencePlayer(program, ["random"] * 2, logged=True).play(root_of("rows"), 0, 20, rows=True)
    assert compiled(program, ["random"] * 2).play(root_of("rows"), 0, 20, rows=True) == reference


def test_what_names_stand_for_is_specialised_once(monkeypatch):
    """Names that stand for names say the same again and again, which would make 7,000 functions of this game."""
    monkeypatch.setattr("draftengine.jit.specializer.MOST_FUNCTIONS", 3000)
    names = ["random"] * 2
    program = opened("oxen", 2).program
    reference = ReferencePlayer(program, names, logged=True).play(root_of("oxen"), 0, 3, rows=True)
    assert specialised(program, names).play(root_of("oxen"), 0, 3, rows=True) == reference


def test_what_would_leave_too_much_is_played_as_it_stands(monkeypatch):
    """It is neither compiled nor specialised, and whoever asks for it gets the same games, and searches, without."""
    monkeypatch.setattr("draftengine.jit.specializer.MOST_STATEMENTS", 50)
    names = ("random", "random")
    program = opened("mines", 2).program
    reference = ReferencePlayer(program, names, logged=True).play(root_of("mines"), 0, FEW + 1, rows=True)
    with pytest.raises(UnsupportedError, match="depends on too much"):
        compiled(program, names)
    for engine in ("compiled", "reference"):
        assert player_of(program, names, engine, logged=True).play(root_of("mines"), 0, FEW + 1, rows=True) == reference
    assert type(searcher_of(program, no_worth(program), compiled=True)) is Searcher
    assert not learner_of(program).compiled
