"""Random games of every configuration pass all gates at every step, and each gate can fail."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings

from compiled import load_program
from conftest import NIGHTLY
from draftengine.engine import instructions, observers
from draftengine.engine.kernel import moving, running, scoring, turns
from draftengine.engine.moves import legal_moves
from draftengine.engine.position import Position, set_up
from draftengine.engine.state import GameState
from draftengine.model.cardset.facts import steps_of
from draftengine.model.selection import NOTHING_SELECTED, open_document
from draftengine.model.verbs.turns import RepeatStep
from engine import gates
from engine.configurations import ENTERING, named, share
from engine.drawn import card_sets, programs_of

BY_DAY, BY_NIGHT = 5, 10_000
"""Games of each family by day, of each configuration by night."""
MOVES, PAST = (1, 1) if NIGHTLY else (5, 7)
"""Numbers of steps between trials of all legal moves, and between states compared again at the end."""


def pass_all_gates(program, seed):
    """Play one random game through all gates."""
    story, turns = [], 0
    past = []
    for number, (before, _seat, _move, after, events) in enumerate(gates.steps(program, seed), seed):
        story += events
        turns += sum(event.kind == "turn-started" for event in events)
        gates.cards_are_conserved(after)
        gates.story_keeps_secrets(events, program)
        if events:
            gates.counters_count(after)
            gates.pieces_add_up(after)
            gates.counters_keep_bounds(after)
            gates.points_are_explained(after, story)
        if after.over:
            gates.winners_are_right(after)
        elif not number % MOVES:
            gates.moves_are_sound(after)
        if not (after.over or after.chosen):
            gates.hands_are_even(after)
        if not number % PAST:
            past.append((before, gates.fingerprint(before)))
    gates.turns_are_bounded(after, turns)
    for state, known in past:
        assert gates.fingerprint(state) == known, "a later move changed an earlier state"


def pass_all_gates_often(configuration):
    for seed in range(20):
        pass_all_gates(configuration.program, seed)


@pytest.mark.parametrize("configuration", ENTERING, ids=str)
def test_random_games(configuration):
    for seed in range(share(configuration, BY_DAY, BY_NIGHT)):
        pass_all_gates(configuration.program, seed)


@settings(max_examples=1000 if NIGHTLY else 20, deadline=None, suppress_health_check=list(HealthCheck))
@given(card_sets())
def test_card_sets_that_nobody_wrote(text):
    for program in programs_of(text, (2, 3)):
        pass_all_gates(program, 1)


WILD_PAIR = """
format: 1
id: pair
title: Pair
version: 1.0.0
players: 2
rounds: 1
cards:
  soup: {count: 1}
  bread: {count: 1}
  stew: {count: 4, forms: {of: [soup, bread], when: card > 0}}
round:
  - deal: {to: hand, cards: 3}
  - repeat: {until_empty: hand, do: [{choose: {from: hand, to: tableau, cards: 2}}]}
  - score: round
scoring: {stews: {kind: each, of: stew, points: 1}}
winner: {order: most}
"""


def test_wild_cards_are_played_as_themselves_where_too_few_others_can_be():
    """Check that a wild card may be played as itself if too few other cards can be chosen."""
    document, findings = open_document(WILD_PAIR.encode(), "pair.yaml", lambda _: None)
    assert document is not None, findings
    program = load_program(document, NOTHING_SELECTED, 2)
    soup, bread, stew = (program.options_of[program.card_index(name)][-1] for name in ("soup", "bread", "stew"))
    hands = ["soup", "stew", "stew"], ["bread", "stew", "stew"]
    state = set_up(program, Position(hands=hands)).state
    assert tuple(legal_moves(state, 0)) == ((soup, stew), (stew, soup), (stew, stew))
    assert tuple(legal_moves(state, 1)) == ((bread, stew), (stew, bread), (stew, stew))


@pytest.mark.parametrize("configuration", ENTERING, ids=str)
def test_a_bound_on_turns_is_known(configuration):
    """Check that the maximum number of turns is known before the first deal; it is 0 without repeats."""
    program = configuration.program
    repeats = any(isinstance(step, RepeatStep) for _, step in steps_of(program.model))
    assert program.turn_bound in (range(1, 1001) if repeats else {0})


COLD = """
format: 1
id: cold
title: Cold
version: 1.0.0
players: 2
rounds: 3
cards:
  ice: {count: 15, adds: {heat: -1}, keep: true}
  fire: {count: 15, adds: {heat: 1}}
  bread: {count: 15}
counters:
  heat: {}
setup:
  - shuffle: deck
round:
  - deal: {to: hand, cards: 4}
  - repeat: {until_empty: hand, do: [{choose: {from: hand, to: tableau}}, {pass: {zone: hand, to: left}}]}
  - score: round
  - clear: tableau
scoring:
  heat: {kind: formula, points: heat}
  bread: {kind: each, of: bread, points: 1}
winner: {order: most}
"""


def test_what_is_kept_may_be_negative():
    """Check that a kept card subtracts again when tableaus are cleared, from its counter only."""
    document, findings = open_document(COLD.encode(), "cold.yaml", lambda _: None)
    assert document is not None, findings
    program = load_program(document, NOTHING_SELECTED, 2)
    fields = {field.name: field for field in program.fields}
    for _, _, _, after, _ in gates.steps(program, 1):
        gates.counters_count(after)
        for seat, tableau in enumerate(after.zones[program.tableau]):
            names = [program.plays[play].name for play in tableau]
            assert fields["heat"].read(after.words[seat]) == names.count("fire") - names.count("ice")


@pytest.fixture
def some():
    return named("sushi_go-3p")


def lose_a_card(state, plan, step):
    state.zones[step.zone][0].pop()
    moving.pass_on(state, plan, step)


def double_a_card(state, plan, step):
    state.zones[step.zone][0][0] = state.zones[step.zone][0][-1]
    moving.pass_on(state, plan, step)


def forget_to_pass(state, _plan, step):
    hands = state.zones[step.zone]
    hands[0], hands[1] = hands[0] + hands[1], []


def let_a_counter_drift(state, plan, step):
    state.words[0] += next(field.one for field in state.program.fields if field.name == "dumpling")
    return turns.next_turn(state, plan, step)


PLANTED = {
    "a card is lost": (running.STEPS, instructions.Pass, lose_a_card, "lost or made"),
    "a card is doubled": (running.STEPS, instructions.Pass, double_a_card, "lost or made"),
    "hands differ": (running.STEPS, instructions.Pass, forget_to_pass, "differ in size"),
    "a counter drifts": (running.FORKS, instructions.NextTurn, let_a_counter_drift, "miscounted"),
    "the wrong one wins": (
        scoring,
        "winners",
        lambda state, _plan, _step: 1 << state.scores.index(min(state.scores)),
        "winner",
    ),
    "moves are doubled": (gates, "legal_moves", lambda state, seat: ((0,), (0,)), "unique"),
    "a secret is told": (gates, "view", lambda event, seat: event, "is told"),
    "points are not told": (observers.Observer, "scored", lambda *_: None, "told points"),
}


@pytest.mark.parametrize(("place", "name", "wrong", "said"), PLANTED.values(), ids=PLANTED)
def test_planted_mistakes_are_found(some, monkeypatch, place, name, wrong, said):
    (monkeypatch.setitem if isinstance(place, dict) else monkeypatch.setattr)(place, name, wrong)
    with pytest.raises(AssertionError, match=said):
        pass_all_gates_often(some)


def test_a_changed_past_is_found(some, monkeypatch):
    """Check that the gate finds a commitment that changes the given state instead of a copy."""
    monkeypatch.setattr(GameState, "clone", lambda self: self)
    with pytest.raises(AssertionError, match="earlier state"):
        pass_all_gates(some.program, 0)


def test_a_game_that_goes_on_is_found(some):
    state = next(iter(gates.steps(some.program, 0)))[0]
    with pytest.raises(AssertionError, match="foreseen"):
        gates.turns_are_bounded(state, some.program.turn_bound + 1)
