"""Nothing that goes over the wire depends on what a seat cannot know (R7), byte for byte.

The pairs of worlds are those of `leaks/test_non_interference.py`: equal in everything that the seat may know. Clock,
tokens and commitment are fixed; everything that a page is sent for a seat is compared in its order: tables, stories,
sheets, options, hints, refusals.
"""

from __future__ import annotations

from random import Random

import pytest

import draftengine as de
from conftest import NIGHTLY
from draftengine.serve import showing
from draftengine.serve.hub import Client, Hub
from draftengine.serve.refused import RefusedError
from draftengine.serve.table import PERSON, Request, Seat, Table
from engine.configurations import FAMILIES
from leaks import test_non_interference as worlds
from leaks.canaries import canary, game_of

PAIRS = 2_500 if NIGHTLY else 1
"""Pairs of games of each family."""


def table_of(game):
    """A table whose game has begun."""
    head = {
        "versions": {}, "rules": game.ruleset.to_json(), "players": game.players, "fingerprint": game.fingerprint,
        "hints": True, "effects": True, "memory": True,
    }  # fmt: skip
    own = Table("t", head)
    own.game, own.number, own.seed, own.salt = game, 1, "the seed", "the salt"
    own.seats = [Seat(PERSON, f"Player {seat}") for seat in range(game.players)]
    return own


def frames(game, states, seat):
    """Everything that a page of a seat is sent while a game goes through states."""
    table, client, sent = table_of(game), Client(seat), []
    for number, state in enumerate(states):
        table.state, table.decision, table.length = state, number, number
        table.unread = {seat} if number % 7 == 0 else set()
        client.send(Hub._news_for(table, client, showing.table_shown(table, seat, (0,), 1)))
        for request in asked(seat, number):
            try:
                table.propose(request)
            except RefusedError as error:
                client.send({"code": error.code, "message": error.message})
        sent += client._waiting
        client._waiting.clear()
    view = table.view(seat)
    if view.moves:
        client.send(showing.options_shown(view, view.next()[0]))
        sent += client._waiting
    return sent


def asked(seat, number):
    """What a seat may try."""
    yield Request("choose", seat, "", {"decision": [1, number], "move": {"cards": ["a card that nobody has"]}})
    yield Request("choose", seat, "", {"decision": [1, number + 1], "move": {"cards": []}})
    yield Request("reveal", seat, "", {"decision": number})


def pairs(game, chance):
    """What a seat is sent in two worlds that it cannot tell apart, and the states of both."""
    own = worlds.played(game, canary(chance), chance)
    seat = chance.randrange(-1, game.players)
    last = chance.randrange(len(own.states))
    there = worlds.another_world(own, seat, last, chance)
    here = own.states[: last + 1]
    return frames(game, here, seat), frames(game, there, seat), here, there


@pytest.mark.parametrize("family", FAMILIES)
def test_traffic_is_the_same(family, tmp_path):
    """Two games that differ in hidden cards alone are the same bytes to a seat and to a spectator."""
    chance = Random(family)
    game = game_of(FAMILIES[family][0], tmp_path, chance)
    differ = 0
    for _ in range(PAIRS):
        one, other, here, there = pairs(game, chance)
        assert one == other
        assert "the seed" not in "".join(one) or here[-1].over
        differ += any(state.describe() != world.describe() for state, world in zip(here, there, strict=True))
    assert differ or not NIGHTLY


def test_a_leak_is_found(tmp_path, monkeypatch):
    """If pages were told how the deck begins, or what another seat chose, the comparison would see it."""
    chance = Random(3)
    game = game_of(FAMILIES["sushi_go"][0], tmp_path, chance)
    shown = showing.game_shown

    def leaking(table, seat):
        return {**shown(table, seat), "deck": table.state.describe()["zones"]["deck"][:1]}

    monkeypatch.setattr(showing, "game_shown", leaking)
    found = [pairs(game, chance)[:2] for _ in range(5)]
    assert any(one != other for one, other in found)


def test_no_choice_of_others_before_the_reveal():
    """Whatever the others choose is told nobody: only that they have."""
    table = table_of(de.load("sushi_go", players=2))
    table.state = table.game.start("s")
    told = []
    for move in list(table.view(1).moves)[:3]:
        table.choices = {1: move}
        told.append([showing.table_shown(table, seat, (), 0) for seat in (0, -1)])
    assert told[0] == told[1] == told[2]
    assert told[0][0]["seats"][1]["chosen"]
