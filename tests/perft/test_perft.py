"""Perft: two independent programs count the sequences of joint actions from a position to the end.

A vector gives hands (and tables) of the last round, or of another `round`, which then ends without the points of the
end of the game. An action names kinds of cards, so equal cards are one action. Two cards taken at once are one action
in either order, unless one may go on the other. A joint action is the actions of all pending seats. Where chopsticks
are offered after the reveal, using them or not is a joint action of its own.

The figures of a vector:

- ``nodes``: the number of joint sequences after each joint action;
- ``unique``: the number of different unfinished positions at that point;
- ``leaves``: the number of whole sequences;
- ``scores``: the number of different results;
- ``checksum``: the sum over leaves of each score times its seat's number from 1;
- ``divide``: the numbers of leaves after the first joint actions, each with its frequency.

Vectors with ``nightly`` are large.
"""

from __future__ import annotations

from collections import Counter
from itertools import chain
from pathlib import Path

import pytest

from compiled import load_program
from conftest import NIGHTLY
from draftengine.engine.choose import Choice
from draftengine.engine.instructions import Deal, Give, MoveAll, Pass
from draftengine.engine.kernel import choices, laying
from draftengine.engine.kernel.running import STEPS
from draftengine.engine.moves import legal_moves
from draftengine.engine.position import Position
from draftengine.model.selection import parse_selection
from draftengine.model.shelf import shelf
from engine.configurations import ONCE_BY_DAY, document_of
from perft import by_engine, by_hand, by_hand_others
from written import cases_in

VECTORS = cases_in(Path(__file__).parent / "vectors.yaml")
BY_ID = {vector["id"]: vector for vector in VECTORS}
FIGURES = ("nodes", "unique", "leaves", "scores", "checksum", "divide")
LAST_ROUND = 3


@pytest.fixture(params=[own for own in VECTORS if NIGHTLY or not own.get("nightly")], ids=lambda vector: vector["id"])
def vector(request):
    return request.param


def tables_of(vector):
    seats = vector["players"] + ("two_player_dummy" in vector.get("variants", ()))
    return vector.get("tables", [[] for _ in range(seats)])


def by_owner(cards):
    """Return cards by owner or by place; a plain list is a shared pile."""
    if isinstance(cards, dict):
        return cards
    return tuple(map(tuple, cards if cards and isinstance(cards[0], list) else [cards]))


def expected(vector):
    return {figure: vector[figure] for figure in FIGURES}


def summed_up(counted):
    return counted | {"divide": dict(Counter(counted["divide"]))}


def engine_counts(vector):
    selection = parse_selection(vector.get("variants", ()))
    program = load_program(document_of(vector["cardset"]), selection, vector["players"])
    position = Position(
        tables=tuple(map(tuple, tables_of(vector))),
        hands=tuple(map(tuple, vector.get("hands", ()))),
        zones={name: by_owner(cards) for name, cards in vector.get("zones", {}).items()},
        markers=vector.get("markers", {}),
        round=vector.get("round", LAST_ROUND),
    )
    return summed_up(by_engine.count(program, position))


def hand_counts(vector):
    if vector["cardset"] not in {"sushi_go", "sushi_go_2014", "sushi_go_summary"}:
        return summed_up(by_hand_others.count(vector))
    both_ways = "pass_both_ways" in vector.get("variants", ())
    rules = by_hand.rules_of(vector["cardset"], both_ways=both_ways, round_number=vector.get("round", LAST_ROUND))
    return summed_up(by_hand.count(rules, vector["hands"], tables_of(vector)))


def test_by_engine(vector):
    assert engine_counts(vector) == expected(vector)


def test_by_hand(vector):
    assert hand_counts(vector) == expected(vector)


# ── The vectors are what they should be ──────────────────────────────────────────────────────────────────────────


MOST_WALKED = {"go_nuts_for_donuts": 3}
"""Most players with whom the shortest position can be walked: two turns of four are 390,625 bids."""


def test_enough_vectors():
    """Each card set has daily vectors for every number of players, and no vector appears twice."""
    daily = [own for own in VECTORS if not own.get("nightly")]
    assert len(daily) >= 40
    players = {cardset: document_of(cardset).players for cardset in shelf() if cardset not in ONCE_BY_DAY}
    assert {(own["cardset"], own["players"]) for own in daily} == {
        (cardset, number)
        for cardset, (fewest, most) in players.items()
        for number in range(fewest, min(most, MOST_WALKED.get(cardset, most)) + 1)
    }
    forms = {"sushi_battle", "personal_draw_piles", "two_player_dummy", "advanced_triple", "advanced_wasabi"}
    assert {variant for own in daily for variant in own.get("variants", ())} >= forms
    assert len(BY_ID) == len(VECTORS)


def test_vectors_hold_together():
    """Figures of a vector are consistent; by day this includes the large vectors, which are not walked."""
    for own in VECTORS:
        seats = own["players"] + ("two_player_dummy" in own.get("variants", ()))
        assert len(own.get("hands", range(own["players"]))) == own["players"], own["id"]
        assert len(tables_of(own)) == seats, own["id"]
        divided = own["divide"].items()
        assert sum(leaves * copies for leaves, copies in divided) == own["leaves"], own["id"]
        assert sum(copies for _, copies in divided) == own["nodes"][0], own["id"]
        assert len(own["unique"]) == len(own["nodes"]) - 1, own["id"]
        assert all(one <= all_of_them for one, all_of_them in zip(own["unique"], own["nodes"], strict=False)), own["id"]


def test_vectors_cover_what_is_special():
    """Vectors include chopsticks and free wasabi at the start, and passing right among three or more."""
    on_tables = {card for own in VECTORS for card in chain(*own.get("tables", ()))}
    assert on_tables >= {"chopsticks", "wasabi", "pudding"}
    both_ways = [own for own in VECTORS if "pass_both_ways" in own.get("variants", ())]
    assert any(own.get("round") == 2 and own["players"] > 2 for own in both_ways)


# ── Both programs find mistakes ──────────────────────────────────────────────────────────────────────────────────


def mistaken_return(g, plan, step, seat, ability):
    """Return chopsticks to nobody: they leave the table and are lost."""


def leave_it(g, plan, step):
    """Skip a step."""


ENGINE_MISTAKES = {
    "hands stay": ("D", STEPS, Pass, leave_it),
    "chopsticks vanish": ("B", laying, "return_ability_card", mistaken_return),
    "both orders of every pair": ("B", by_engine, "actions", lambda state, seat: list(legal_moves(state, seat))),
    "one order of every pair": ("B", by_engine, "_order_counts", lambda _state, _cards: False),
    "a soup is never lost": ("first-meal-8p", choices, "trigger", lambda *_: None),
    "a place is free under one card": ("2024-battle-3", Choice, "open_places", lambda self, state, taken=(): [
        place for place, card in enumerate(state.zones[self.source][0]) if card >= 0 and place not in taken]),
    "the kept card stays": ("draft-3p-2", STEPS, MoveAll, leave_it),
    "no pile is drawn from": ("2024-piles-2", STEPS, Deal, leave_it),
    "the dummy keeps its controller": ("2024-dummy-3", STEPS, Give, leave_it),
    "chopsticks of this turn are offered": (
        "summary-2p-3", choices, "uses",
        lambda g, plan, step, ability, seat: plan.program.abilities[ability].field.read(g.words[seat]),
    ),
}  # fmt: skip
"""Mistakes in the engine: the vector that finds it, what is replaced, and the replacement."""

HAND_MISTAKES = {
    "hands stay": ("D", "passed", lambda hands, to_the_left: hands),
    "hands go to the right": ("D", "passed", lambda hands, to_the_left: (*hands[1:], hands[0])),
    "both orders of every pair": ("B", "order_counts", lambda one, other: one != other),
    "one order of every pair": ("B", "order_counts", lambda one, other: False),
}


OTHER_MISTAKES = {
    "hands stay": ("2024-3p-1", "passed", lambda hands: hands),
    "two may lead": ("2024-3p-1", "trophy", lambda _before, position: position),
    "soups are never lost": ("first-meal-8p", "PickAndPass.revealed", lambda _self, tables, _joint: tables),
    "nothing covers": ("2024-battle-3", "covering", lambda _place: set()),
}


@pytest.mark.parametrize(("name", "attribute", "wrong"), OTHER_MISTAKES.values(), ids=OTHER_MISTAKES)
def test_planted_mistakes_of_other_flows_are_found(monkeypatch, name, attribute, wrong):
    monkeypatch.setattr(f"perft.by_hand_others.{attribute}", wrong)
    assert hand_counts(BY_ID[name]) != expected(BY_ID[name])


@pytest.mark.parametrize(("name", "owner", "attribute", "wrong"), ENGINE_MISTAKES.values(), ids=ENGINE_MISTAKES)
def test_planted_mistakes_of_the_engine_are_found(monkeypatch, name, owner, attribute, wrong):
    (monkeypatch.setitem if owner is STEPS else monkeypatch.setattr)(owner, attribute, wrong)
    assert engine_counts(BY_ID[name]) != expected(BY_ID[name])


@pytest.mark.parametrize(("name", "attribute", "wrong"), HAND_MISTAKES.values(), ids=HAND_MISTAKES)
def test_planted_mistakes_of_the_other_program_are_found(monkeypatch, name, attribute, wrong):
    monkeypatch.setattr(by_hand, attribute, wrong)
    assert hand_counts(BY_ID[name]) != expected(BY_ID[name])
