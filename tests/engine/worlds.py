"""States of random games, and other worlds that a seat cannot tell from them, for tests of what uses observations.

Cards in places that a seat does not know the contents of are dealt anew. That seats are told nothing else is another
matter: `leaks/` holds it, and trusts nothing that the engine says of what is known.
"""

from __future__ import annotations

from engine import gates
from engine.configurations import ENTERING

EVERY = 5
"""Every so many commitments a pair of worlds is made."""


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
    known = dict(state.memory.known_cards[seat][zone][owner]) if seat >= 0 else {}
    unknown = []
    for at, card in enumerate(cards):
        if known.get(program.face_of[card], 0):
            known[program.face_of[card]] -= 1
        else:
            unknown.append(at)
    return unknown


def worlds(chance):
    """States of random games of all configurations, with a seat in each; without end."""
    while True:
        configuration = chance.choice(ENTERING)
        for number, (_, _, _, state, _) in enumerate(gates.steps(configuration.program, chance.randrange(10**6))):
            if number % EVERY == 0 and not state.over:
                yield state, chance.randrange(-1, configuration.players)
