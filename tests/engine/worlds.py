"""States of random games, with other worlds that a seat cannot tell from them.

They serve tests of code that uses observations. Cards in places whose contents a seat does not know are dealt anew.
Whether observations leak more is tested in `leaks/`, which does not rely on the engine's own beliefs.
"""

from __future__ import annotations

from engine import gates
from engine.configurations import ENTERING

EVERY = 5
"""Number of commitments between two pairs of worlds."""


def another_world(state, seat, chance):
    """Return a copy of a state in which the cards that the seat cannot place are dealt anew."""
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
    """Return the places of a zone whose cards the seat does not know."""
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
    """Yield states of random games of all configurations, each with a seat, without end."""
    while True:
        configuration = chance.choice(ENTERING)
        for number, (_, _, _, state, _) in enumerate(gates.steps(configuration.program, chance.randrange(10**6))):
            if number % EVERY == 0 and not state.over:
                yield state, chance.randrange(-1, configuration.players)
