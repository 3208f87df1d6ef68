"""Sessions of people and bots: order of choices, taking back, and replaying."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from draftengine.apps.play.session import HUMAN, Session
from draftengine.bots import BotError
from draftengine.engine.moves import IllegalMove


def finish(session, chooser):
    """Play to the end: people choose with `chooser`, bots by themselves."""
    session.let_bots_choose()
    while not session.over:
        seat = session.to_choose()[0]
        session.commit(seat, chooser(session.view(seat).moves))
        session.let_bots_choose()
    return session


def test_bots_choose_until_a_person_has_to(table):
    session = table("sushi_go", [HUMAN, "greedy", "random"]).session()
    session.let_bots_choose()
    assert session.to_choose() == (0,)
    assert sorted(session.state.committed) == [1, 2]


def test_bots_alone_play_to_the_end(table):
    session = table("sushi_go", ["greedy", "random"]).session()
    session.let_bots_choose()
    assert session.over


def test_an_unknown_bot_is_refused_at_once(table):
    with pytest.raises(BotError, match="nobody"):
        table("sushi_go", [HUMAN, "nobody"]).session()


def test_taking_back(table):
    """The last person's choice is undone until all have chosen; then nothing can be taken back."""
    session = table("sushi_go", [HUMAN, "greedy", HUMAN]).session()
    session.let_bots_choose()
    before = session.state.digest, session.moves
    assert session.take_back() is None
    session.commit(0, session.view(0).moves[0])
    assert session.take_back() == 0
    assert (session.state.digest, session.moves) == before
    session.commit(0, session.view(0).moves[0])
    session.commit(2, session.view(2).moves[0])
    assert session.take_back() is None


def test_an_illegal_move_changes_nothing(table):
    session = table("sushi_go", [HUMAN, "greedy"]).session()
    session.let_bots_choose()
    before = session.state.digest, session.moves
    with pytest.raises(IllegalMove):
        session.commit(0, "no such card")
    assert (session.state.digest, session.moves) == before


@given(seed=st.integers(0, 2**32), stop=st.integers(0, 60), choices=st.randoms(use_true_random=False))
def test_a_log_is_the_game(table_of_three, seed, stop, choices):
    """Replaying any prefix of a log, and continuing alike, gives an equal game."""
    whole = finish(table_of_three.session(seed), choices.choice)
    part = Session.replay(table_of_three.game, table_of_three.seats, seed, whole.moves[:stop])
    for seat, move in whole.moves[stop:]:
        part.commit(seat, move)
    assert part.state.digest == whole.state.digest


@pytest.fixture(scope="module")
def table_of_three():
    from play.conftest import Table

    return Table("sushi_go_summary", [HUMAN, "random", HUMAN])


def test_undoing_and_redoing_changes_no_game(table):
    """A choice that was taken back leaves no trace in the log or in later chance."""
    straight, wavering = (table("sushi_go", [HUMAN, "greedy", HUMAN]).session(9) for _ in range(2))
    finish(straight, lambda moves: moves[0])
    wavering.let_bots_choose()
    while not wavering.over:
        seat, *others = wavering.to_choose()
        moves = wavering.view(seat).moves
        if others:
            wavering.commit(seat, moves[-1])
            assert wavering.take_back() == seat
        wavering.commit(seat, moves[0])
        wavering.let_bots_choose()
    assert (wavering.state.digest, wavering.moves) == (straight.state.digest, straight.moves)


def test_another_game_of_the_same_people(table):
    session = finish(table("sushi_go", [HUMAN, "greedy"]).session(), lambda moves: moves[0])
    again = session.again("another seed")
    assert (again.seats, again.names, again.over) == (session.seats, session.names, False)
    assert again.view(0).stock != session.game.start(session.seed).view(0).stock


def test_bots_are_prepared_once_before_they_choose(table):
    session, prepared = table("sushi_go", [HUMAN, "greedy"]).session(), []
    session.prepare = lambda: prepared.append(session.state.committed)
    session.let_bots_choose()
    session.let_bots_choose()
    assert prepared == [{}]
