"""Nothing that a seat is told depends on what it cannot know; bots know no more than the seat they sit in.

Two worlds are made that are the same in everything a seat may know: the cards in places that it doesn't know the
contents of are dealt anew. Then every byte that it is told must be the same, now and as long as the worlds cannot be
told apart.
"""

from __future__ import annotations

from random import Random

import pytest

from conftest import NIGHTLY
from draftengine.bots import Decider
from draftengine.engine.game import commit
from draftengine.engine.moves import IllegalMoveError, check_move
from draftengine.engine.observe import Observation, observe
from engine import gates
from engine.configurations import CONFIGURATIONS

PAIRS = 100_000 if NIGHTLY else 1_000
EVERY = 5
"""Every so many commitments a pair of worlds is made."""


@pytest.mark.parametrize("configuration", [own for own in CONFIGURATIONS if "frozen_yogurt" in str(own)], ids=str)
def test_nothing_that_happens_names_what_a_face_hides(configuration):
    """A card that turns up, is dealt or passed on is told by its face until somebody plays it."""
    program = configuration.program
    hidden = {card.id for card in program.model.cards if card.face is not None}
    assert hidden
    for seed in range(3):
        for *_, events in gates.steps(program, seed):
            for event in events:
                if event.kind in {"flipped", "dealt", "passed", "moved"}:
                    assert not hidden & set(event.cards)


def another_world(state, seat, chance):
    """The same state with everything dealt anew that the seat cannot place."""
    world = state.clone()
    program = state.program
    places = [
        (zone, owner, at)
        for zone, owners in enumerate(world.zones)
        for owner, cards in enumerate(owners)
        for at in _unknown(state, seat, zone, owner, cards)
    ]
    cards = [world.zones[zone][owner][at] for zone, owner, at in places]
    chance.shuffle(cards)
    for (zone, owner, at), card in zip(places, cards, strict=True):
        world.zones[zone][owner][at] = card
    assert all(card < len(program.cards) for card in cards)
    return world


def _unknown(state, seat, zone, owner, cards):
    """The places of a zone whose cards the seat does not know."""
    program = state.program
    model = program.zones[zone]
    if model.layout:
        return [at for at in state.down[zone] if cards[at] >= 0]
    if model.id == "tableau" or model.seen_by == "everyone" or (model.seen_by == "owner" and owner == seat):
        return []
    known = dict(state.memory.known[seat][zone][owner]) if seat >= 0 else {}
    unknown = []
    for at, card in enumerate(cards):
        if known.get(program.face_of[card], 0):
            known[program.face_of[card]] -= 1
        else:
            unknown.append(at)
    return unknown


def told_differently(state, seat, chance):
    """What a seat is told of a state and of another world, if it is not the same."""
    world = another_world(state, seat, chance)
    here, there = gates.observation_of(state, seat), gates.observation_of(world, seat)
    return None if here == there else (here, there)


def worlds(chance):
    """States of random games of all configurations, with a seat in each; without end."""
    while True:
        configuration = chance.choice(CONFIGURATIONS)
        for number, (_, _, _, state, _) in enumerate(gates.steps(configuration.program, chance.randrange(10**6))):
            if number % EVERY == 0 and not state.over:
                yield state, chance.randrange(-1, configuration.players)


def test_observations():
    chance = Random(7)
    for (state, seat), _ in zip(worlds(chance), range(PAIRS), strict=False):
        assert told_differently(state, seat, chance) is None


def test_what_happens_next():
    """The seat's own moves are the same in both worlds, and what it is told when it makes one of them."""
    chance = Random(8)
    for (state, seat), _ in zip(worlds(chance), range(PAIRS // 4), strict=False):
        if seat in state.pending and seat not in state.chosen:
            world, move = another_world(state, seat, chance), chance.choice(observe(state, seat).moves)
            if len(state.pending) - len(state.chosen) > 1:
                here, there = commit(state, seat, move), commit(world, seat, move)
                assert gates.observation_of(here.state, seat) == gates.observation_of(there.state, seat)
                assert gates.story_for(here.events, seat) == gates.story_for(there.events, seat)


def test_refusals():
    """What is refused, and in what words, depends on nothing hidden either."""
    chance = Random(9)
    for (state, seat), _ in zip(worlds(chance), range(PAIRS // 4), strict=False):
        here = state.clone()
        here.chosen = {}  # what others chose may not be theirs to choose in another world
        there = another_world(here, seat, chance)
        move = (chance.randrange(2 * state.program.width),)
        assert _refusal(here, seat, move) == _refusal(there, seat, move)


def _refusal(state, seat, move):
    """Only asked, not done: in another world, what others have committed to may not be where they took it from."""
    try:
        check_move(state, seat, move)
    except IllegalMoveError as error:
        return str(error)
    return ""


@pytest.mark.parametrize("bot", ["random", "greedy"])
def test_bots_do_not_cheat(bot):
    """The same observation and the same chance: the same move."""
    chance = Random(bot)
    for (state, seat), _ in zip(worlds(chance), range(PAIRS // 2), strict=False):
        if seat in state.pending:
            decider = Decider.at(bot, 1, seat)
            world = another_world(state, seat, chance)
            assert decider.decide(observe(state, seat)) == decider.decide(observe(world, seat))


def test_others_commitments_are_not_known():
    """Whether and what others have chosen shows only when everybody has."""
    chance = Random(11)
    for (state, seat), _ in zip(worlds(chance), range(PAIRS // 4), strict=False):
        others = [own for own in state.pending if own not in {seat, *state.chosen}]
        if seat >= 0 and len(others) > 1:
            moves = observe(state, others[0]).moves
            seen = {gates.observation_of(commit(state, others[0], move).state, seat) for move in (moves[0], moves[-1])}
            assert seen == {gates.observation_of(state, seat)}


def test_worlds_differ():
    """The other worlds are worth the name: nearly all differ from the one they were made from."""
    chance = Random(12)
    pairs = [
        (state.digest(), another_world(state, seat, chance).digest())
        for (state, seat), _ in zip(worlds(chance), range(100), strict=False)
    ]
    assert sum(one != other for one, other in pairs) > 80


@pytest.mark.parametrize(
    "leak",
    [
        lambda seen, state: {**seen, "deck": len(state.zones[0][0]) and state.zones[0][0][0]},
        lambda seen, state: {**seen, "hands": [hand[:1] for hand in state.zones[1]]},
        lambda seen, state: {**seen, "size": len(str(state.zones[1]))},
    ],
    ids=["a card of the deck", "a card of each hand", "a length alone"],
)
def test_planted_leaks_are_found(monkeypatch, leak):
    chance, current = Random(13), []
    observed, to_json = gates.observe, gates.observation_json

    def remember(state, seat) -> Observation:
        current[:] = [state]
        return observed(state, seat)

    monkeypatch.setattr(gates, "observe", remember)
    monkeypatch.setattr(gates, "observation_json", lambda seen: leak(to_json(seen), current[0]))
    pairs = zip(worlds(chance), range(200), strict=False)
    assert any(told_differently(state, seat, chance) for (state, seat), _ in pairs)
