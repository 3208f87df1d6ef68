"""Worlds dealt for a seat: it cannot tell them from the real state, and all are equally likely."""

from __future__ import annotations

import json
from collections import Counter
from itertools import permutations, product
from math import comb, prod
from pathlib import Path
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings

import draftengine as de
from compiled import load_program
from conftest import NIGHTLY, sample
from draftengine.api.ruleset import rules_named
from draftengine.engine.chance import Stream
from draftengine.engine.game import commit, start, waiting
from draftengine.engine.moves import asked_now, legal_moves
from draftengine.engine.observe import observe
from draftengine.engine.position import Position, set_up
from draftengine.engine.redeal import HiddenCards, ImpossibleError
from draftengine.model.selection import Selection, open_document
from engine import gates
from engine.configurations import ENTERING, ODD, PAIRWISE, named
from engine.drawn import PAYING, SIDED, card_sets, programs_of, several_piles
from engine.worlds import another_world

GAMES = 20 if NIGHTLY else 1
OFTEN = 1.0 if NIGHTLY else 0.05
"""Share of moments at which worlds are dealt."""


def moments(program, chance, often=OFTEN):
    """Return random moments of random games, and the end of each."""
    for _ in range(GAMES):
        for _, _, _, state, _ in gates.steps(program, chance.randrange(10**6)):
            if state.over or chance.random() < often:
                yield state


@pytest.mark.parametrize("configuration", ODD, ids=str)
def test_a_seat_cannot_tell_a_world_from_the_real_one(configuration):
    """Check that a world gives an equal observation, has all cards, and can be played on."""
    cannot_be_told_apart(configuration.program, Random(str(configuration)))


FORMAT_2 = sorted((Path(__file__).parents[1] / "natural" / "format_2").glob("*.yaml"))


@pytest.mark.parametrize("path", sample(FORMAT_2, 5), ids=lambda path: path.stem)
def test_published_games_in_format_2(path):
    """Check names of places and cards, tracks, and zones with copies."""
    game = de.load(path, players=rules_named(path, ()).players[0])
    cannot_be_told_apart(game.program, Random(path.stem))


@settings(max_examples=1000 if NIGHTLY else 15, deadline=None, suppress_health_check=list(HealthCheck))
@given(card_sets() | card_sets(kinds=SIDED) | card_sets(kinds=PAYING))
def test_card_sets_that_nobody_wrote(text):
    for program in programs_of(text, (2, 3)):
        cannot_be_told_apart(program, Random(text))


@settings(max_examples=2000 if NIGHTLY else 25, deadline=None, suppress_health_check=list(HealthCheck))
@given(several_piles())
def test_several_piles_and_zones_that_not_everybody_sees(text):
    """Check several piles, cards dealt in the setup, and cards put where few or no seats look."""
    for program in programs_of(text, (2, 3)):
        cannot_be_told_apart(program, Random(text), often=0.3)


def cannot_be_told_apart(program, chance, often=OFTEN):
    for state in moments(program, chance, often):
        for seat in range(-1, program.seats):
            seen, stream = observe(state, seat), Stream(chance.getrandbits(64))
            knowledge = HiddenCards.of(seen)
            world = knowledge.world(stream, memory=True)
            assert observe(world, seat) == seen
            gates.cards_are_conserved(world)
            chips_are_conserved(world)
            could_be(state, knowledge)
            assert not {*world.chosen} - {seat}
        ended = gates.play_randomly(knowledge.world(stream), stream)
        assert ended.over
        gates.cards_are_conserved(ended)


def chips_are_conserved(state):
    held = Counter(chip for own in state.chips for chip in own)
    held.update((pile, chip) for pile, left in enumerate(state.piles) for chip in left)
    assert held == Counter(
        (pile, chip) for pile, values in enumerate(state.program.chip_values) for chip in range(len(values))
    )


def could_be(state, knowledge):
    """Assert that the state could be one of the worlds: known cards are there, the rest is what is dealt."""
    rest = [[Counter(cards) for cards in zone] for zone in state.zones]
    for own, certain in zip(rest, knowledge.template.zones, strict=True):
        for found, cards in zip(own, certain, strict=True):
            known = Counter(card for card in cards if card >= 0)
            assert known <= found
            found.subtract(known)
            found.pop(-1, None)
    dealt = Counter(card for part in knowledge.parts for card in part.pool)
    assert sum((found for own in rest for found in own), Counter()) == dealt
    for at, part in enumerate(knowledge.parts[:-1]):
        can_be_dealt = {card for own in knowledge.parts[: at + 1] for card in own.pool}
        for zone, owner, _, _ in part.runs:
            assert can_be_dealt & set(+rest[zone][owner])


def test_what_is_hidden_changes_nothing():
    """Check that states that differ only in hidden things give equal worlds."""
    chance = Random(3)
    for configuration in chance.sample(PAIRWISE, 15):
        for state in moments(configuration.program, chance):
            seat = chance.randrange(configuration.players)
            other = another_world(state, seat, chance)
            one, two = (HiddenCards.of(observe(own, seat)) for own in (state, other))
            assert one.template.digest() == two.template.digest()
            assert (one.parts, one.reshuffled_zones, one.chips) == (two.parts, two.reshuffled_zones, two.chips)
            key = chance.getrandbits(64)
            assert one.world(Stream(key)).digest() == two.world(Stream(key)).digest()


def test_what_others_have_chosen_is_not_known():
    program = named("sushi_go-3p").program
    state = start(program, 1).state
    for seat in (0, 1):
        state = commit(state, seat, observe(state, seat).moves[0]).state
    world = HiddenCards.of(observe(state, 1)).world(Stream(1))
    assert world.chosen == {1: state.chosen[1]}


def test_the_chance_of_a_world_is_its_own():
    state = start(named("anniversary-2p").program, 1).state
    knowledge, stream = HiddenCards.of(observe(state, 0)), Stream(1)
    worlds = [state, *(knowledge.world(stream) for _ in range(50))]
    assert len({own.key for world in worlds for own in (world.deal, world.chance)}) == 2 * len(worlds)


def test_worlds_are_the_callers_own():
    """Check that changing a world does not affect worlds dealt later."""
    for configuration in Random(4).sample(PAIRWISE, 8):
        state = start(configuration.program, 1).state
        knowledge, stream = HiddenCards.of(observe(state, 0)), Stream(1)
        before = knowledge.template.digest(), knowledge.memory.to_json(), knowledge.world(Stream(7)).digest()
        gates.play_randomly(knowledge.world(stream, memory=True), stream)
        assert (knowledge.template.digest(), knowledge.memory.to_json(), knowledge.world(Stream(7)).digest()) == before


def test_cards_that_start_apart_stay_apart():
    """Check that cards that start in different piles stay apart, as the rules tell: desserts are desserts."""
    for configuration in ENTERING:
        if configuration.cardset.startswith("party"):
            program, chance = configuration.program, Random(5)
            (zone, cards), *_ = [part for part in program.initial_cards if program.zones[part[0]].id == "desserts"]
            for state in moments(program, chance):
                world = HiddenCards.of(observe(state, 0)).world(Stream(chance.getrandbits(64)))
                assert {*world.zones[zone][0]} <= {*cards}


# ── small games ─────────────────────────────────────────────────────────────────────────────────────────────────────

PASSING = [
    {"deal": {"to": "hand", "cards": 2}},
    {
        "repeat": {
            "until_empty": "hand",
            "do": [{"choose": {"from": "hand", "to": "tableau"}}, {"pass": {"zone": "hand", "to": "left"}}],
        }
    },
    {"score": "round"},
]
SPARE = [
    {"deal": {"to": "hand", "cards": 3}},
    {"deal": {"to": "spare", "cards": 1}},
    {"choose": {"from": "hand", "to": "tableau"}},
    {"move": {"from": "hand", "to": "deck"}},
    {"choose": {"from": "spare", "to": "tableau"}},
    {"draw": {"to": "hand", "cards": 1}},
    {"choose": {"from": "hand", "to": "tableau"}},
    {"score": "round"},
]
PIT = [
    {"deal": {"to": "pit", "cards": 5}},
    {
        "repeat": {
            "until_empty": "pit",
            "do": [
                {"choose": {"from": "pit", "to": "tableau", "who": {"holder": "spoon"}}},
                {"give": {"marker": "spoon", "to": "left"}},
            ],
        }
    },
    {"score": "round"},
]
ROWS = [{"cards": 2, "face": "down"}, {"cards": 3}]
APART = [{"draw": {"from": "store", "to": "deck", "cards": 1}}, {"shuffle": "deck"}, *PASSING, {"clear": "tableau"}]
TABLE = {"store": {"per": "table", "seen_by": "nobody"}}
AGES = {
    "zones": {name: {"per": "table", "seen_by": "nobody"} for name in ("cities", "age")}
    | {"under": {"per": "seat", "seen_by": "owner"}},
    "setup": [
        *({"shuffle": name} for name in ("deck", "age", "cities")),
        {"draw": {"from": "cities", "to": "hand", "cards": 1}},
        {"move": {"from": "hand", "to": "tableau"}},
        {"draw": {"from": "deck", "to": "under", "cards": 1}},
    ],
    "round": [
        *({"draw": {"from": pile, "to": "hand", "cards": 1}} for pile in ("age", "deck")),
        {
            "repeat": {
                "times": 2,
                "do": [
                    {"choose": {"from": "hand", "as": {"build": {}, "stage": {"to": "under"}}}},
                    {"pass": {"zone": "hand", "to": "left"}},
                ],
            }
        },
        {"score": "round"},
    ],
}

SMALL = {
    "hands": (3, {"soup": 4, "bread": 3, "salad": 2}, {"round": PASSING}, (0, 3)),
    "faces": (2, {"soup": "pot", "stew": "pot", "bread": 3}, {"round": PASSING}, (0, 2)),
    "a pile that is drawn from": (
        2,
        {"soup": 4, "bread": 3, "salad": 2},
        {"round": SPARE, "zones": {"spare": {"per": "seat", "seen_by": "owner"}}},
        (2, 3),
    ),
    "a layout": (
        2,
        {"soup": "pot", "stew": "pot", "bread": 3},
        {
            "round": PIT,
            "markers": {"spoon": {"start": "first"}},
            "zones": {"pit": {"per": "table", "layout": {"rows": ROWS, "covers": "pyramid"}}},
        },
        (0, 2),
    ),
    "cards that start apart": (
        2,
        {"soup": 4, "bread": 3, "cake": ("store", 2), "pie": ("store", 1)},
        {"round": APART, "zones": TABLE, "rounds": 2},
        (0, 4),
    ),
    "faces that start apart": (
        2,
        {"soup": 5, "bread": 2, "cake": ("store", 2, "sweet"), "pie": ("store", 2, "sweet")},
        {"round": APART, "zones": TABLE, "rounds": 2},
        (0, 4),
    ),
    "several piles, cards dealt in the set-up, and a zone that its owner sees": (
        2,
        {"bread": 3, "roll": 2, "soup": ("age", 2), "stew": ("age", 1), "rome": ("cities", 2), "troy": ("cities", 1)},
        AGES,
        (0, 2, 3),
    ),
}


def _card(what):
    """Return a card for a number, for a face (of two copies), or for (zone, number, face)."""
    if isinstance(what, int):
        return {"count": what}
    if isinstance(what, str):
        return {"count": 2, "face": what}
    return dict(zip(("starts_in", "count", "face"), what, strict=False))


def small_game(players, cards, changes):
    data = {
        "format": 1,
        "id": "kitchen",
        "title": "Kitchen",
        "version": "1.0.0",
        "players": players,
        "rounds": 1,
        "cards": {name: _card(what) for name, what in cards.items()},
        "setup": [{"shuffle": "deck"}],
        "scoring": {name: {"kind": "each", "of": name, "points": 1} for name in cards},
        "winner": {"order": "most"},
        **changes,
    }
    document, findings = open_document(json.dumps(data).encode(), "kitchen.yaml", lambda _: None)
    assert not findings, findings
    return load_program(document, Selection(), players)


def after(program, commitments, seed):
    """Return a random game after this number of commitments."""
    state, stream = start(program, seed).state, Stream(seed)
    for _ in range(commitments):
        seat = waiting(state)[0]
        moves = observe(state, seat).moves
        state = commit(state, seat, moves[stream.below(len(moves))]).state
    return state


def arrangement(state):
    """Return the cards of all zones, ordered only where order matters: for drawing, or by place."""
    return tuple(
        tuple(own) if zone.seen_by == "nobody" or zone.layout else tuple(sorted(own))
        for zone, owners in zip(state.program.zones, state.zones, strict=True)
        for own in owners
    )


def orders(cards):
    """Yield every order of cards; equal cards are interchangeable."""
    if not cards:
        yield ()
    for card in sorted(set(cards)):
        rest = list(cards)
        rest.remove(card)
        for more in orders(rest):
            yield (card, *more)


def all_worlds(state, seat):
    """Count each arrangement among all orders of the cards outside tableaus that the seat could see so."""
    program, seen = state.program, observe(state, seat)
    tableau = program.zone_index("tableau")
    world = state.clone()
    places = [
        (own, at)
        for zone, owners in enumerate(world.zones)
        for own in owners
        for at, card in enumerate(own)
        if zone != tableau and card >= 0
    ]
    found = Counter()
    for order in orders([own[at] for own, at in places]):
        for (own, at), card in zip(places, order, strict=True):
            own[at] = card
        if allowed(world) and ways_to_remember(world, seen) and observe(world, seat) == seen:
            found[arrangement(world)] += ways_to_remember(world, seen)
    return found


def ways_to_remember(world, seen):
    """Return the number of ways in which cards of the zones can be those that the seat remembers.

    An observation repeats what is remembered, true or not. It remembers cards, not faces. If it saw one soup go to a
    zone, two soups there are twice as likely as one.
    """
    ways = 1
    for view in seen.zones:
        cards = world.zones[world.program.zone_index(view.zone)][max(view.owner, 0)]
        found = Counter(world.program.faces[card] for card in cards if card >= 0)
        if not view.open:
            ways *= prod(comb(found[name], copies) for name, copies in view.cards)
    return ways


def allowed(world):
    """True if cards that start apart are in zones that they can reach."""
    program = world.program
    fed = {getattr(step, "target", -1) for step in program.code}
    return all({*world.zones[zone][0]} <= {*cards} for zone, cards in program.initial_cards if zone not in fed)


def seem_uniform(found, expected):
    """True if counts fit their expected shares, within about five standard deviations of chi-square."""
    assert not {*found} - {*expected}
    total, shares = sum(found.values()), sum(expected.values())
    square = sum(
        (found[key] - total * share / shares) ** 2 / (total * share / shares) for key, share in expected.items()
    )
    freedom = len(expected) - 1
    return square < freedom + 5 * (2 * freedom) ** 0.5 + 10


@pytest.mark.parametrize("seed", range(3 if NIGHTLY else 1))
@pytest.mark.parametrize(
    ("players", "cards", "changes", "commitments"),
    [(*game[:3], count) for game in SMALL.values() for count in game[3]],
    ids=[f"{name}, {count} commitments" for name, game in SMALL.items() for count in game[3]],
)
def test_all_worlds_have_the_same_chance(players, cards, changes, commitments, seed):
    state = after(small_game(players, cards, changes), commitments, seed)
    knowledge, stream, expected = HiddenCards.of(observe(state, 0)), Stream(seed), all_worlds(state, 0)
    assert arrangement(state) in expected
    found = Counter(arrangement(knowledge.world(stream)) for _ in range(10 * len(expected) + 500))
    assert seem_uniform(found, expected)
    assert len(found) > len(expected) / 2


def test_a_pile_that_comes_to_hands_beside_one_that_does_not():
    """Check a seat that knows all hands: the cards of one pile are only in it, so no wider pile is dealt."""
    cards = {"bread": 3, "soup": ("age", 4), "stew": ("age", 4), "rome": ("cities", 3), "troy": ("cities", 3)}
    ages = [{"draw": {"from": "age", "to": "hand", "cards": 3}}, *AGES["round"][2:]]
    program = small_game(3, cards, {**AGES, "round": ages})
    for seed in range(3):
        cannot_be_told_apart(program, Random(seed), often=1.0)


COINS = (1, 2, 2, 3, 5)


def coins(commitments, seed):
    """Return a game with two piles of coins, whose values only their owners see."""
    cards = {"soup": 9, "bread": 9}
    changes = {
        "rounds": 3,
        "round": [*PASSING, {"clear": "tableau"}],
        "chips": {"coins": {"values": list(COINS)}, "notes": {"values": [10, 20, 50]}},
        "scoring": {
            "soup": {"kind": "majority", "of": "soup", "chip": "coins", "most": [2, 1], "tie": "full"},
            "bread": {"kind": "majority", "of": "bread", "chip": "notes", "most": [1], "tie": "nobody"},
        },
    }
    return after(small_game(2, cards, changes), commitments, seed)


def values(state):
    """Return the chips of the seats in the order drawn, and the piles."""
    found = state.program.chip_values
    held = tuple(tuple((pile, found[pile][chip]) for pile, chip in own) for own in state.chips)
    return held, tuple(tuple(found[pile][chip] for chip in left) for pile, left in enumerate(state.piles))


def all_values(state, seat):
    """Count the values for all ways to deal the chips that the seat does not know."""
    world = state.clone()
    slots = [(own, at) for other, own in enumerate(world.chips) for at in range(len(own)) if other != seat]
    free = [[*left, *(own[at][1] for own, at in slots if own[at][0] == pile)] for pile, left in enumerate(state.piles)]
    found = Counter()
    for dealt in product(*map(permutations, free)):
        piles = [list(order) for order in dealt]
        for own, at in slots:
            pile = own[at][0]
            own[at] = pile, piles[pile].pop()
        world.piles = [sorted(left) for left in piles]
        found[values(world)] += 1
    return found


@pytest.mark.parametrize("commitments", [4, 8])
@pytest.mark.parametrize("seed", range(4))
def test_hidden_chips_are_dealt_alike(commitments, seed):
    state = coins(commitments, seed)
    for seat in (-1, 0, 1):
        knowledge, stream, expected = HiddenCards.of(observe(state, seat)), Stream(seed), all_values(state, seat)
        found = Counter(values(knowledge.world(stream)) for _ in range(20 * len(expected) + 100))
        assert seem_uniform(found, expected)
        assert values(state) in expected


def test_some_chips_are_hidden():
    assert any(HiddenCards.of(observe(coins(8, seed), 0)).chips for seed in range(4))


def test_uneven_worlds_are_found():
    """Check that the test of chances fails if a quarter of the worlds is twice as likely."""
    expected = Counter(dict.fromkeys(range(20), 1))
    assert seem_uniform(Counter(dict.fromkeys(range(20), 100)), expected)
    assert not seem_uniform(Counter({key: 160 if key < 5 else 80 for key in range(20)}), expected)


# ── positions laid out by hand ──────────────────────────────────────────────────────────────────────────────────────


@pytest.fixture
def kitchen():
    return small_game(2, {"soup": 4, "bread": 6, "salad": 6}, {"round": PASSING})


def test_more_than_the_box_holds_may_lie_open(kitchen):
    state = set_up(kitchen, Position(tables=(("soup",) * 3, ("soup",) * 3), hands=(("soup",), ("bread",)))).state
    seen = observe(state, 0)
    assert observe(HiddenCards.of(seen).world(Stream(1), memory=True), 0) == seen


def test_more_than_the_box_holds_cannot_lie_hidden(kitchen):
    state = set_up(kitchen, Position(tables=(("soup",) * 4, ()), hands=(("bread",), ("soup",)))).state
    with pytest.raises(ImpossibleError):
        HiddenCards.of(observe(state, 0))


def test_a_position_may_have_cards_where_none_of_them_come():
    program = small_game(*SMALL["cards that start apart"][:3])
    for store in (("soup", "soup", "soup"), ("soup",)):
        seen = observe(set_up(program, Position(hands=(("cake",), ("pie",)), zones={"store": (store,)})).state, 0)
        assert observe(HiddenCards.of(seen).world(Stream(1), memory=True), 0) == seen


ASK = {"choose": {"from": "hand", "of": ["soup"], "to": "discard"}}
ASKING = {
    "in a list": {"choose": {"from": "hand", "as": {"ask": {"to": "discard", "do": [ASK]}, "lay": {"to": "tableau"}}}},
    "everybody": ASK,
}


@pytest.mark.parametrize("name", ASKING)
def test_every_world_asks_the_same_seats(name):
    """Check that just the seats that are asked for a soup have one, although nobody sees hands."""
    flow = {"round": [{"deal": {"to": "hand", "cards": 2}}, ASKING[name], ASK, {"score": "round"}]}
    program = small_game(3, {"soup": 10, "salad": 20}, flow)
    worlds = 0
    for state in moments(program, Random("asked"), 1.0):
        if state.pending not in {(), program.all_players}:
            for seat in {-1, 0, 1, 2} - {*state.pending}:
                knowledge, stream = HiddenCards.of(observe(state, seat)), Stream(7)
                for _ in range(10):
                    world, worlds = knowledge.world(stream), worlds + 1
                    assert all(legal_moves(world, asked) for asked in world.pending)
                    assert asked_now(world) == state.pending
    assert worlds > 0
