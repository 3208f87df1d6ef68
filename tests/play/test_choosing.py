"""From typed text to a move, for every kind of choice."""

from __future__ import annotations

from random import Random

import pytest

from conftest import sample
from draftengine.api.moves import PickedCard
from draftengine.apps.play.move_builder import MoveBuilder, NoSuchItemError, find, sentence, spelled
from draftengine.apps.play.session import HUMAN
from draftengine.engine.position import Position
from draftengine.model.shelf import shelf


@pytest.fixture
def picking(table):
    """Return a choice with chopsticks in the tableau and two squids and a pudding in hand."""
    own = table("sushi_go", [HUMAN, "greedy"])
    hands = (("nigiri_squid", "nigiri_squid", "pudding"), ("tempura",) * 3)
    state = own.game.set_up(Position(tables=(("chopsticks",), ()), hands=hands))
    return MoveBuilder.of(state.view(0)), own.names()


def test_the_menu(picking):
    """The menu lists every face once, numbered from 1, with the number of copies."""
    start, _ = picking
    assert [(item.number, item.name, item.copies) for item in start.items] == [
        (1, "nigiri_squid", 2),
        (2, "pudding", 1),
    ]
    assert start.ability() == ""
    assert not start.complete


def test_one_card_after_the_other(picking):
    start, _ = picking
    one = start.take(start.items[0])
    assert one.complete
    assert one.ability() == "chopsticks"
    two = one.take(one.now[0])
    assert two.complete
    assert two.following == ()
    assert two.taken in start.view.moves
    assert two.taken.taken == (PickedCard("nigiri_squid"), PickedCard("nigiri_squid", ability="chopsticks"))
    with pytest.raises(NoSuchItemError):
        two.take(two.items[1])


def test_all_or_nothing(picking):
    """A line with several cards is taken as a whole or not at all."""
    start, names = picking
    assert spelled(start, ["1", "pudding"], names).taken == spelled(spelled(start, ["1"], names), ["2"], names).taken
    for words, said in ((["1", "1", "2"], "more than can be taken here: 2 cards"), (["1", "9"], "no 9")):
        with pytest.raises(NoSuchItemError, match=said):
            spelled(start, words, names)


def test_copies_are_named_together(picking):
    """The text of a move names neighbouring copies of a card once, unless one has a note of its own."""
    start, names = picking
    squid, pudding = PickedCard("nigiri_squid"), PickedCard("pudding")
    assert sentence([squid, squid, squid, pudding], start, names) == "3× 🦑 Squid nigiri, 🍮 Pudding"
    one, other = sentence([squid, PickedCard("nigiri_squid", ability="chopsticks")], start, names).split(", ")
    assert one == "🦑 Squid nigiri" != other


def test_a_card_for_another_seat(table):
    own = table("sushi_go_2014", [HUMAN, "greedy"], ["two_player_dummy"])
    session = own.session()
    start = MoveBuilder.of(session.view(0))
    assert start.receiver() == ""
    one = start.take(start.items[0])
    assert one.receiver() == "dummy"
    assert not one.complete


@pytest.mark.parametrize(
    ("typed", "name"),
    [
        ("1", "nigiri_squid"),
        ("2", "pudding"),
        ("pudding", "pudding"),
        ("Pudding", "pudding"),
        ("PUDDING ", "pudding"),
        ("p", "pudding"),
        ("squid", "nigiri_squid"),
        ("Squid nigiri", "nigiri_squid"),
        ("nigiri-squid", "nigiri_squid"),
    ],
)
def test_names_and_numbers(picking, typed, name):
    start, names = picking
    assert find(typed, start.items, names).name == name


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("3", "type 1 or 2"),
        ("0", "type 1 or 2"),
        ("-1", "There is no -1 here"),
        ("+2", "There is no +2 here"),
        ("i", "could be"),
        ("puding", "Did you mean “Pudding”?"),
        ("xyz", "number or name"),
    ],
)
def test_what_means_nothing(picking, typed, said):
    start, names = picking
    with pytest.raises(NoSuchItemError, match=r".*") as caught:
        find(typed, start.items, names)
    assert said in str(caught.value)


@pytest.mark.parametrize("cardset", sample(sorted(shelf()), 8))
def test_every_legal_move_can_be_typed(table, cardset):
    """In every game each legal move can be typed card by card, and only legal moves can."""
    state, chance = table(cardset, [HUMAN] * table_size(cardset)).game.start(5), Random(1)
    while not state.over:
        seat = state.waiting[0]
        view = state.view(seat)
        reached, open_ends = set(), [MoveBuilder.of(view)]
        while open_ends:
            picking = open_ends.pop()
            if picking.complete:
                reached.add(picking.taken)
            open_ends += [picking.take(item) for item in picking.now]
        assert reached == set(view.moves)
        state = state.commit(seat, chance.choice(view.moves))


def table_size(cardset):
    from draftengine.model.library import open_set

    return open_set(cardset).document.players[0]
