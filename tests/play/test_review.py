"""Reviews of games: what a person's choices cost, judged by what the person knew."""

from __future__ import annotations

import contextlib
from threading import Event

import pytest
from msgspec.structs import replace

from conftest import sample
from draftengine.apps.play import review as looking_back
from draftengine.apps.play import review as reviews
from draftengine.apps.play.review import COSTLY, MOST, GameReview, ReviewedChoice, choices_of, review
from draftengine.apps.play.session import HUMAN
from draftengine.apps.terminal import QuitGame, Terminal
from draftengine.bots.hints import Evaluator
from draftengine.bots.hints.reasons import Hint
from draftengine.support.text import width_of
from engine.configurations import ENTERING
from play.conftest import game_of


def finish(session, chooser):
    """Play to the end; people choose with `chooser`."""
    session.let_bots_choose()
    while not session.over:
        seat = session.to_choose()[0]
        session.commit(seat, chooser(session.view(seat)))
        session.let_bots_choose()
    return session


def worst(view):
    return list(Evaluator(view).values)[-1]


def best(view):
    return view.name(Evaluator(view).decision.move)


@pytest.fixture
def own(table):
    return table("sushi_go", [HUMAN, "greedy", "random"])


def test_who_follows_the_adviser_gives_nothing_away(own):
    session = finish(own.session(3), best)
    found = review(session, 0)
    assert found.costly == ()
    assert found.cost == 0
    assert found.best is not None
    assert "gave nothing away" in " ".join(reviews.looking_back(found, own.names()))


def test_a_review_without_time_judges_choices_of_all_parts(table, monkeypatch):
    """When its time is up, a review has judged choices of all rounds, at least one, and counts the others."""
    session = finish(table("sushi_go", [HUMAN, "greedy", "random"]).session(3), worst)
    assert review(session, 0, seconds=0).choices == 1
    clock = iter(range(100))
    monkeypatch.setattr(reviews, "thread_time", lambda: next(clock))
    reviewed = review(session, 0, seconds=6)
    assert (reviewed.choices, {judged.view.round for judged in reviewed.costly}) == (6, {1, 2, 3})
    assert reviewed.choices + reviewed.left_out == review(session, 0).choices > 6


@pytest.mark.parametrize("costly", [True, False])
def test_choices_that_were_not_judged_are_counted(table, costly):
    """A review that was cut short says how many choices it left out; a whole one says nothing of that."""
    players = table("sushi_go", [HUMAN, "greedy", "random"])
    view = players.session(1).view(0)
    lost = ReviewedChoice(view, view.moves[-1], 2.5, -1.0, "margin", Hint(view.moves[0], 1.5, ()))
    whole = GameReview(0, 2, (lost,) if costly else (), None)
    for left_out in (1, 3):
        cut = [*reviews.where_lost(replace(whole, left_out=left_out), players.names())]
        assert cut.pop(1) == f"There was no time to judge {'one more choice' if left_out == 1 else '3 more choices'}."
        assert cut == reviews.where_lost(whole, players.names())


def test_costly_choices(own):
    """The cost is the difference of the adviser's values; the costliest come first, with the better move."""
    session = finish(own.session(3), worst)
    found = review(session, 0)
    assert len(found.costly) > MOST
    assert [judged.cost for judged in found.costly] == sorted((judged.cost for judged in found.costly), reverse=True)
    for judged in found.costly:
        values = Evaluator(judged.view).values
        assert judged.cost == max(values.values()) - values[judged.move] >= COSTLY
        assert judged.better.move == next(iter(values))
        assert judged.better.reasons
    assert found.cost == sum(judged.cost for judged in found.costly)


def test_it_sees_what_the_person_saw(own):
    """Each choice is judged by the observation of that moment, without anything that came later."""
    seen = []

    def choose(own_view):
        if len(own_view.moves) > 1:
            seen.append(own_view)
        return own_view.moves[0]

    session = finish(own.session(8), choose)
    told = [(view.seen, view.moves[0]) for view in seen]
    assert told == [(view.seen, move) for view, move in choices_of(session, 0)]


def test_the_deal_of_others_changes_no_judgement(own, monkeypatch):
    """The adviser gets one observation for each choice, and only those of the reviewed seat."""
    session, asked = finish(own.session(5), worst), []

    def spy(view):
        asked.append(view)
        return Evaluator(view)

    monkeypatch.setattr(looking_back, "Evaluator", spy)
    found = review(session, 0)
    assert len(asked) == found.choices
    assert {view.seat for view in asked} == {0}
    assert not any(view.over for view in asked)


def test_a_choice_taken_back_is_not_judged(table):
    """A choice that was taken back is not judged."""
    session = table("sushi_go", [HUMAN, HUMAN]).session(2)
    session.commit(0, worst(session.view(0)))
    assert session.take_back() == 0
    finish(session, best)
    assert review(session, 0).costly == ()


def test_what_is_said(own):
    """At most five choices are told, with when, what, instead of what, cost and reason; then a summary."""
    session = finish(own.session(3), worst)
    found, names = review(session, 0), own.names(columns=200)
    lines = reviews.looking_back(found, names)
    assert sum("instead of" in line for line in lines) == MOST
    first = found.costly[0]
    assert f"Round {first.view.round}, turn {first.view.turn}  {first.cost:.0f} points: " in lines[0]
    summary = " ".join(line.strip() for line in lines[2 * MOST :])
    assert f"You gave away about {found.cost:.0f} points in {len(found.costly)} of {found.choices} choices" in summary


def test_margins_and_a_good_turn(own):
    """The costliest choice is named with the better one, and the best turn with its lead."""
    view = own.session(1).view(0)
    good, bad = view.moves[0], view.moves[-1]
    lost = ReviewedChoice(view, bad, 2.5, -1.0, "margin", Hint(good, 1.5, ()))
    won = ReviewedChoice(view, good, 0.0, 1.25, "margin", None)
    text = " ".join(" ".join(reviews.looking_back(GameReview(0, 2, (lost,), won), own.names())).split())
    assert "You gave away about 2 points in 1 of 2 choices." in text
    assert "Most of it was lost in round 1, turn 1, with " in text
    assert "Your best turn was round 1, turn 1" in text


def test_several_people(table):
    """Every person is reviewed, by name."""
    own = table("sushi_go", [HUMAN, HUMAN])
    session = finish(own.session(3), lambda seen: seen.moves[0])
    for seat in (0, 1):
        assert f"Player {seat + 1}" in reviews.looking_back(review(session, seat), own.names())[1]


@pytest.mark.parametrize("columns", [40, 80])
@pytest.mark.parametrize("unicode", [True, False])
def test_the_screen(own, columns, unicode):
    found = review(finish(own.session(3), worst), 0)
    lines = reviews.looking_back(found, own.names(columns=columns, unicode=unicode))
    assert max(width_of(line) for line in lines) <= columns
    assert unicode or "".join(lines).isascii()


@pytest.mark.parametrize("configuration", sample(ENTERING, 8), ids=str)
def test_every_game_can_be_looked_back_at(configuration):
    from draftengine.apps.play.labels import Names
    from draftengine.apps.play.session import Session
    from draftengine.apps.play.terminal_style import Style

    seats = [HUMAN, *["random"] * (configuration.players - 1)]
    session = finish(Session.begin(game_of(configuration), seats, 6), lambda seen: seen.moves[-1])
    found = review(session, 0)
    assert found.choices
    assert reviews.looking_back(found, Names(session.game, seats, Style()))


PAUSES = 4
"""The number of pauses: after each of three rounds, and at the end of the game."""


@pytest.mark.parametrize(
    ("asked_for", "interactive", "typed", "shown"),
    [
        (True, False, (), True),
        (False, False, ("r",), False),
        (False, True, ("r",), True),
        (False, True, ("",), False),
        (False, True, (), False),
    ],
    ids=["wanted", "a pipe is not asked", "yes", "no", "no answer"],
)
def test_the_offer(own, asked_for, interactive, typed, shown):
    """A review is offered at the end to a person at a keyboard, unless it was requested."""
    session, answers, screen = finish(own.session(3), worst), [""] * PAUSES + list(typed), []

    def ask(prompt):
        screen.append(prompt)
        return answers.pop(0) if answers else None

    terminal = Terminal(session, own.names(), ask, screen.append, lambda: None, interactive, review=asked_for)
    with contextlib.suppress(QuitGame):
        terminal.play()
    assert ("Looking back" in "".join(screen)) == shown
    assert ("r to look back" in "".join(screen)) == (interactive and not asked_for)


def test_it_is_said_how_far_it_has_come(own):
    """A line of progress appears and vanishes before the results."""
    session, screen, busy = finish(own.session(3), worst), [], []
    terminal = Terminal(
        session, own.names(), None, screen.append, lambda: None, False, review=True,
        busy=lambda text: busy.append((text, len("".join(screen)))),
    )  # fmt: skip
    terminal.play()
    texts = [text for text, _ in busy]
    assert texts[0] == "  Looking back … 0%"
    assert len(set(texts)) == len(texts) == 1 + len(list(choices_of(session, 0)))
    assert texts[-1] == ""
    assert len({shown for _, shown in busy}) == 1 < len("".join(screen))


@pytest.mark.parametrize(
    ("answers", "more"), [(["n"], "again"), (["r", "n"], "again"), (["M"], "same"), ([""], ""), ([None], "")]
)
def test_playing_again(table, answers, more):
    """After the game `n` plays another one, also after looking back, `m` the same deal; else people leave."""
    game = table("sushi_go", [HUMAN, "greedy", "random"])
    session = finish(game.session(3), lambda view: view.moves[0])

    def ask(prompt):
        return answers.pop(0) if "play again" in prompt else ""

    assert Terminal(session, game.names(), ask, lambda _: None, lambda: None, True).play() == more
    assert not answers


def test_people_choose_while_bots_get_ready(table):
    """The first prompt comes before the bots are ready, which are awaited before they choose."""
    game = table("sushi_go", [HUMAN, "greedy", "random"])
    session, ready, asked = game.session(3), Event(), []
    session.prepare = ready.wait

    def ask(prompt):
        asked.append((ready.is_set(), dict(session.state.committed)))
        ready.set()
        return None if len(asked) > 1 else "1"

    with pytest.raises(QuitGame):
        Terminal(session, game.names(), ask, lambda _: None, lambda: None, False).play()
    assert asked[0] == (False, {})
    assert session.moves[0][0] == 0


def test_leaving_at_the_offer(own):
    """Ctrl-C at the offer means no: the game is over, and there is nothing to save."""
    session, screen = finish(own.session(3), worst), []

    def ask(prompt):
        if "Enter to leave" in prompt:
            raise KeyboardInterrupt
        return ""

    Terminal(session, own.names(), ask, screen.append, lambda: None, True).play()
    assert "Looking back" not in "".join(screen)


def test_bots_are_not_looked_at(table):
    own, screen = table("sushi_go", ["greedy", "random"]), []
    Terminal(own.session(1), own.names(), None, screen.append, lambda: None, True, review=True).play()
    assert "Looking back" not in "".join(screen)


def test_observations_of_a_replay_are_those_of_the_game(own):
    """The first choice of a record is observed as it was, before the cards of others were revealed."""
    session = own.session(4)
    session.let_bots_choose()
    before = session.view(0).seen
    finish(session, best)
    assert next(iter(choices_of(session, 0)))[0].seen == before
