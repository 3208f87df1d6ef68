"""The data from which a front end builds a table: labels, sentences, and named parts of a view."""

from __future__ import annotations

import pytest

import draftengine as de
from draftengine.api.facts import Things
from draftengine.api.moves import Move, PickedCard
from draftengine.model.shelf import shelf


@pytest.fixture(scope="module")
def anniversary():
    return de.load("anniversary", players=3)


@pytest.mark.parametrize("cardset", sorted(shelf()))
def test_whatever_is_told_has_a_label(cardset):
    """Check that every name in views and events has a label, which is not the bare id of a card.

    Cards that can be taken are in the seat's own stock, or in the shared zone that it takes from. An action without
    cards has a label of its own.
    """
    game = de.load(cardset)
    state, labels = game.start(1), game.labels
    faces = {name for card in game.model.cards for name in (card.id, card.face)}
    while not state.over:
        for seat in state.waiting:
            view = state.view(seat)
            for zone in view.zones:
                assert labels.thing(zone.zone)
            if not view.asked.places:
                shared = [zone.cards for zone in view.zones if zone.zone == view.asked.source and zone.owner < 0]
                there = dict(view.stock or next(iter(shared), ()))
                named = {name.partition("@")[0] for name in view.moves.names}
                assert named & faces <= there.keys()
                assert all(labels.card(way) != way for way in named - faces)
            state = state.commit(seat, view.moves[0])
    cards = {card.id: card for card in game.model.cards}
    for event in state.history:
        for name in event.cards:
            assert labels.card(name) != name
            assert labels.icon(name) == cards.get(name.partition("@")[0], game.model.cards[0]).icon
        if event.kind in {"points", "awarded"}:
            assert labels.rule(event.name) != event.name


def test_labels(anniversary):
    labels = anniversary.labels
    assert labels.title == anniversary.title == "Sushi Go! 10th Anniversary Edition"
    assert (labels.card("dumpling"), labels.icon("dumpling")) == ("Gyoza", "🥟")
    assert (labels.thing("strawberries"), labels.rule("maki"), labels.cause("lead")) == (
        "strawberries", "Futomaki", "taking the lead",
    )  # fmt: skip
    assert (labels.variant("mochi"), labels.moment("game")) == ("Mochi", "End of the game")
    assert labels.thing("nothing_like_that") == "nothing_like_that"
    assert labels.seat("dummy") == "dummy"
    dummy = de.load("anniversary", players=2, variants=["two_player_dummy"])
    assert dummy.labels.seat("dummy") == "Dummy"
    assert de.load("sushi_draft", players=3).labels.card("triple@ikura") == "Triple as Ikura"


def test_languages(tmp_path):
    """Check that texts come in the requested language where they exist in it."""
    path = tmp_path / "two.yaml"
    text = "{format: 1, extends: sushi_go, id: two, title: Two, cards: {pudding: {label: {en: Pudding, pl: Budyń}}}}"
    path.write_text(text, encoding="utf-8")
    game = de.load(str(path))
    assert (game.labels.card("pudding"), game.labels_in("pl").card("pudding")) == ("Pudding", "Budyń")
    assert game.labels_in("pl").card("tempura") == "Tempura"


def test_sentences(anniversary):
    """Check that every card and rule explains itself, and that a card knows the rules about it."""
    for card in anniversary.model.cards:
        assert Things(anniversary.labels).card(card).plain.endswith(".")
    texts = {own.id: own for own in Things(anniversary.labels).rules}
    assert set(texts) == {rule.id for rule in anniversary.model.scoring}
    assert texts["tempura"].plain.startswith("Each set of 2 tempura scores 5 points")
    assert texts["tempura"].source == ("A-27",)
    assert "Futomaki" in dict(anniversary.rules_about("maki_1"))
    assert "Chopsticks" in dict(anniversary.rules_about("chopsticks"))


def test_what_a_view_tells():
    """Check that the typed view has the data of the observation that is given as plain data."""
    game = de.load("anniversary", players=2, variants=["sushi_battle"])
    state = game.start(3)
    for _ in range(6):
        (seat,) = state.waiting
        view = state.view(seat)
        told = view.observation
        assert (view.round, list(view.scores)) == (told["round"], told["scores"])
        assert [list(own) for own in view.tableaus] == told["tableaus"]
        assert [view.counters(own) for own in range(game.seats)] == told["counters"]
        assert {name: None if own < 0 else own for name, own in view.markers.items()} == told["markers"]
        assert view.asked == state.asked
        assert (view.asked.source, view.asked.target, view.asked.places) == ("display", "tableau", True)
        assert view.turn == state.turn == told["turns"][0]
        assert set(view.moves.names) == {move.cards[0] for move in view.moves}
        assert view.stock == ()
        state = state.commit(seat, view.moves[0])
    assert game.turn_markers == {"mover"}
    assert game.chip_rules == frozenset()
    assert de.load("sushi_draft").chip_rules == {"ikura", "ebi", "maguro", "tamago", "kappa", "dessert"}


def test_cards_of_a_move():
    move = Move(("soup", "bread"), (("ladle", ("salt",)),), (("dummy", ("rice",)),))
    assert move.taken == (
        PickedCard("soup"),
        PickedCard("bread"),
        PickedCard("salt", ability="ladle"),
        PickedCard("rice", other="dummy"),
    )


def test_next_adds_one_card():
    """Check that `next` lists moves that add one card to a given move."""
    state = de.load("sushi_go_2014", players=2, variants=["two_player_dummy"]).start(5)
    view = state.view(next(seat for seat in state.waiting if state.view(seat).next((state.view(seat).moves.names[0],))))
    (first, *_) = view.next()
    assert first.taken == (PickedCard(view.moves.names[0]),)
    for move in view.next(first):
        assert move.taken[:-1] == first.taken
        assert move.taken[-1].other == "dummy"
        assert move in view.moves
        assert view.name(view.codes(move)) == move


def test_the_stock(anniversary):
    state = anniversary.start(1)
    view = state.view(0)
    assert dict(view.stock) == dict(next(zone.cards for zone in view.zones if zone.zone == "hand" and zone.owner == 0))
    assert sum(dict(view.stock).values()) == 9
    assert state.view(-1).stock == ()


def test_a_record_can_be_played_again(anniversary):
    state = anniversary.start(4)
    for _ in range(4):
        state = state.commit(state.waiting[0], state.view(state.waiting[0]).moves[0])
    record = state.record()
    moves = [(own["seat"], {key: own[key] for key in own if key != "seat"}) for own in record["moves"]]
    assert anniversary.replay(record["seed"], moves).digest == state.digest
