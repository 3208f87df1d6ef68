"""Groups of cards on screens: tableaus by rule, progress, and what a move brings."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

import draftengine as de
from draftengine.api.groups import change_of
from draftengine.api.records import Position
from draftengine.model.rules.runs import Runs
from draftengine.model.rules.sets import Collection
from draftengine.model.shelf import shelf


def groups(name, tables, players=None, variants=()):
    """Return the groups of each seat with these tableaus, as (rule, cards, text, points)."""
    game = de.load(name, players=players or len(tables), variants=variants)
    view = game.lay_out(Position(tables=tuple(map(tuple, tables)))).view(0)
    return [
        [
            (own.rule, own.cards, own.progress.text if own.progress else own.change, own.points)
            for own in view.groups(at)
        ]
        for at in range(len(tables))
    ]


def test_every_kind_says_how_far_a_seat_has_come():
    """Check that sets say what is missing, rankings who leads, and numbers how many there are."""
    (first, second) = groups(
        "sushi_go",
        [["sashimi", "maki_2", "tempura", "sashimi", "tempura", "tempura"], ["maki_1", "dumpling", "chopsticks"]],
    )
    assert first == [
        ("sashimi", ("sashimi", "sashimi"), "2/3", 0),
        ("maki", ("maki_2",), "2 · most", 6),
        ("tempura", ("tempura", "tempura", "tempura"), "1/2", 5),
    ]
    assert second == [
        ("maki", ("maki_1",), "1 · second most", 3),
        ("dumpling", ("dumpling",), "1", 1),
        ("", ("chopsticks",), "", 0),
    ]


def test_a_complete_set_is_told_as_complete():
    (first, _) = groups("sushi_go", [["tempura", "tempura"], []])
    assert first == [("tempura", ("tempura", "tempura"), "2/2", 5)]


def test_a_rule_about_everything_groups_what_it_names():
    """Check that a rule that counts all kinds groups only the cards that it names."""
    (first, _) = groups("go_nuts_for_donuts", [["maple_bar", "eclair", "maple_bar"], []])
    assert [own[:2] for own in first] == [("maple_bar", ("maple_bar", "maple_bar")), ("", ("eclair",))]


def test_a_group_is_called_after_what_lies_there():
    (maki,) = de.load("sushi_go", players=2).lay_out(Position(tables=(("maki_1",), ()))).view(0).groups(0)
    assert maki.named


def test_a_rule_on_a_card_says_how_far_that_card_has_come():
    """Check that a rule on a card shows the progress of that card only, not of the cards that it counts."""
    tables = [["wins_ties", "great_palace", "old_garden", "high_garden"], ["high_palace"]]
    (first, second) = groups("tides_of_time", tables)
    assert first == [
        ("", ("wins_ties",), "", 0),
        ("great_palace", ("great_palace",), "1/3", 0),
        ("old_garden", ("old_garden",), "0", 0),
        ("high_garden", ("high_garden",), "½", 0),
    ]
    assert second == [("high_palace", ("high_palace",), "0", 0)]


LABELLED = """
{format: 1, extends: go_nuts_for_donuts, id: rings, title: Rings, version: 1.0.0, scoring: {plain_each: {label: Rings}}}
"""


def test_a_rule_that_nobody_named_names_no_group_of_one_card(tmp_path):
    """Check that a rule without a label names no group of one card; a written label does."""
    (tmp_path / "rings.yaml").write_text(LABELLED, "utf-8")
    for name, named in (("go_nuts_for_donuts", False), (tmp_path / "rings.yaml", True)):
        game = de.load(name, players=2)
        (group,) = game.lay_out(Position(tables=(("plain", "plain"), ()))).view(0).groups(0)
        assert (group.rule, group.named) == ("plain_each", named)


def test_a_used_modifier_stands_before_what_it_changed():
    """Check that a used modifier precedes its card, and that unused ones form a group with their effect."""
    (first, _) = groups("sushi_go", [["wasabi", "tempura", "nigiri_egg", "wasabi"], []])
    assert first == [
        ("tempura", ("tempura",), "1/2", 0),
        ("nigiri", ("wasabi", "nigiri_egg"), "3", 3),
        ("", ("wasabi",), "×3", 0),
    ]


def test_a_shared_place_says_so():
    (first, _) = groups("sushi_go", [["maki_1"], ["maki_1"]])
    assert first == [("maki", ("maki_1",), "1 · most (shared)", 3)]


@pytest.mark.parametrize(
    ("values", "have"), [((2, 3, 2), 1), ((2, 2, 2), 3), ((2, 3, 3), 2), ((0, 0, 0), 0), ((0, 1, 0), 1)]
)
def test_collections(values, have):
    """Check that the set begun last counts as unfinished; if none is, a complete one is shown."""
    found = Collection(of=(), points=7).progress(values)
    assert (found.have, found.need, found.text) == (have, 3, f"{have}/3")


@pytest.mark.parametrize(
    ("values", "text"), [((1, 1, 0, 1), "runs of 2 and 1"), ((1, 1, 1, 1), "run of 4"), ((0, 0, 0, 0), "0")]
)
def test_runs_tell_their_lengths(values, text):
    assert Runs(of=(), points=(1, 4, 8, 13)).progress(values).text == text


@pytest.mark.parametrize("cardset", sorted(shelf()))
def test_groups_hold_every_card_once(cardset):
    """Check in every shipped game that groups divide the tableau, and that moves bring what they announce."""
    game, chance = de.load(cardset), Random(cardset)
    state = game.start(1)
    while not state.over:
        for seat in state.waiting:
            view = state.view(seat)
            for owner in range(game.seats):
                cards = Counter(card for own in view.groups(owner) for card in own.cards)
                assert cards == Counter(view.tableaus[owner])
            moves = view.next()
            assert len(view.brings(moves)) == len(moves)
            state = state.commit(seat, view.moves[chance.randrange(len(view.moves))])


def test_what_a_move_brings():
    """Check the points of every rule, the progress of the seat, and the modifiers that the card goes on."""
    game = de.load("sushi_go", players=2)
    hands = (("nigiri_squid", "tempura", "pudding"), ("pudding",) * 3)
    view = game.set_up(Position(tables=(("wasabi", "tempura"), ()), hands=hands)).view(0)
    found = {str(move): own for move, own in zip(view.next(), view.brings(view.next()), strict=True)}
    assert (found["nigiri_squid"].points, found["nigiri_squid"].uses) == (9, ("wasabi",))
    assert (found["tempura"].points, found["tempura"].progress.text, found["tempura"].uses) == (5, "2/2", ())
    with pytest.raises(de.IllegalMove):
        view.brings(["a card that nobody has"])


def test_the_first_card_of_all_leads_nothing():
    """Check that a move shows a place among the seats only after somebody has played a card."""

    def places(*tables):
        position = Position(tables=tables, hands=(("maki_3",), ("pudding",)))
        view = de.load("sushi_go", players=2).set_up(position).view(0)
        (gain,) = view.brings(view.moves)
        return gain.progress.text

    assert (places((), ()), places((), ("pudding",))) == ("3", "3 · most")


def test_what_others_can_take_away_is_not_certain():
    """Points for a place among all seats, and a loss that is only spared for now, are no certain points."""
    game = de.load("sushi_go", players=3)
    hands = (("pudding", "tempura", "maki_3"), ("maki_1",) * 3, ("maki_2",) * 3)
    tables = (("tempura",), (), ("pudding", "pudding"))
    view = game.set_up(Position(tables=tables, hands=hands)).view(0)
    gains = {str(move): gain for move, gain in zip(view.next(), view.brings(view.next()), strict=True)}
    assert gains["pudding"].progress.ranks == (), "neither the most nor the fewest any more"
    assert {name: (gain.points, gain.certain) for name, gain in gains.items()} == {
        "pudding": (3, 0), "tempura": (5, 5), "maki_3": (6, 0)
    }  # fmt: skip


def test_a_hint_is_told_in_words():
    """Check that the best move has reasons in the names of the table, and that no choice means no hint."""
    game = de.load("sushi_go", players=2)
    hands = (("tempura", "chopsticks"), ("pudding", "pudding"))
    state = game.set_up(Position(tables=(("tempura",), ()), hands=hands))
    first, *_ = de.hints(state.view(0), ["Ada", "Ben"])
    assert str(first.move) == "tempura"
    assert first.text.startswith("completes Tempura: +5")
    with pytest.raises(ValueError, match="nothing to choose"):
        de.hints(state.view(-1))


def test_signs_of_modifiers():
    (wasabi,) = de.load("sushi_go").model.modifiers
    assert change_of(wasabi) == "×3"


def test_rules_are_kept_as_texts():
    """Check that a card set with its selection is written and read again, and that errors are sentences."""
    rules = de.open_rules("anniversary", ["mochi"])
    again = de.rules_in_json(rules.to_json())
    assert (again.fingerprint, again.game(3).variants) == (rules.fingerprint, ("mochi",))
    assert not rules.objections(["mochi"], 4)
    (objection,) = rules.objections(["sushi_battle"], 4)
    assert "Sushi Battle" in objection


def test_what_was_given_is_not_still_to_come():
    """Check that points given before a second choice are not announced as points to come."""
    state = de.load("tides_of_time", players=2).start(3)
    standing = []
    while not state.over:
        view = state.view(0)
        if view.asked.source == "hand":
            standing = [view.standing(seat) for seat in (0, 1)]
        else:
            assert [view.standing(seat) for seat in (0, 1)] == [0, 0]
            assert not any(own.points for seat in (0, 1) for own in view.groups(seat))
        state = state.commit(state.waiting[0], state.view(state.waiting[0]).moves[0])
    assert any(standing)
    assert not any(own.points for seat in (0, 1) for own in state.view(-1).groups(seat))


def test_what_a_card_lies_on_is_said_last():
    """Check that the modifier is named last, and that it is the one that is used up."""
    labels = de.load("sushi_go", players=2).labels
    assert labels.card("wasabi^tempura-0") == "Wasabi (used) on Tempura"


def test_what_a_later_card_takes_away_is_not_certain():
    """A formula that falls with further cards promises nothing."""
    game = de.load("tides_of_time")
    hands = (("great_temple", "old_palace"), ("old_garden", "high_garden"))
    view = game.set_up(Position(hands=hands)).view(0)
    gains = {str(move): gain for move, gain in zip(view.next(), view.brings(view.next()), strict=True)}
    assert (gains["great_temple"].points, gains["great_temple"].certain) == (12, 0)
