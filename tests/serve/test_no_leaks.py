"""Messages do not depend on what a seat cannot know (R7), byte for byte, and do not name it (R8).

The pairs of worlds are those of `leaks/test_non_interference.py`: equal in everything that the seat may know. Clock,
tokens and commitment are fixed. Everything sent to a seat's page is compared in order: tables, stories, sheets,
options, bars, hints, tips, emotes, refusals and what a chat shows of the link.
"""

from __future__ import annotations

import json
import re
from random import Random

import pytest

from conftest import NIGHTLY, sample
from draftengine.apps.web import RefusedError
from draftengine.apps.web import messages as showing
from draftengine.apps.web.live import EMOTE_PAUSE, Client, LiveTable, encoded
from draftengine.apps.web.table import BOT, PERSON, Request, Seat, Table
from draftengine.bots import hints
from engine.configurations import FAMILIES, one_of
from leaks import test_non_interference as worlds
from leaks.canaries import LABEL, NOTHING_EARNED, canary, earned, game_of, play
from leaks.screens import numbers_on

PAIRS = 2_500 if NIGHTLY else 1
"""The number of pairs of games for each family."""
GAMES = 35
"""The number of games for each configuration, nightly; they have a million frames."""
EVEN, ODD = (FAMILIES if NIGHTLY else sample([*FAMILIES][start::2], 4, pytest.mark.web) for start in (0, 1))
"""Families: every second one in all, and a third of these in `make test`."""


@pytest.fixture(autouse=True)
def _quick_adviser(monkeypatch):
    for adviser in ("ADVISER", "SLOW_ADVISER"):
        monkeypatch.setattr(hints, adviser, "greedy:aim=win")


def table_of(game):
    """Return a table whose game has begun."""
    head = {
        "versions": {}, "rules": game.ruleset.to_json(), "players": game.players, "fingerprint": game.fingerprint,
        "hints": True, "effects": True, "memory": True,
    }  # fmt: skip
    own = Table("t", head)
    own.game, own.number, own.seed, own.salt = game, 1, "the seed", "the salt"
    own.seats = [Seat(PERSON, f"Player {seat}") for seat in range(game.players)]
    return own


def frames(game, states, seat):
    """Return everything that a page of a seat is sent while a game passes through these states."""
    table, client, sent, now = table_of(game), Client(seat), [], [0.0]
    live = LiveTable(table, clients={client}, clock=lambda: now[0])
    for number, state in enumerate(states):
        table.state, table.decision, table.length = state, number, number
        table.unread = {seat} if number % 7 == 0 else set()
        client.tell(table, encoded(client.news(table, showing.table_shown(table, seat, (0,), 1))))
        for request in asked(seat, number):
            try:
                table.propose(request)
            except RefusedError as error:
                client.send({"code": error.code, "message": str(error)})
        now[0] += EMOTE_PAUSE
        live.emote(number % game.players, "wow")
        client.send(
            {"link": showing.link_shown(table, "/t/t", "en"), "tip": showing.tip_shown(table, seat, (), "mouse")}
        )
        sent += client._waiting
        client._waiting.clear()
    view = table.view(seat)
    if view.moves:
        client.send(showing.options_shown(view, view.next()[0]))
        client.send({"bars": showing.bars_shown(view, ()), "hints": showing.hints_shown(view, table.names)})
        sent += client._waiting
    return sent


def asked(seat, number):
    """Yield requests that a seat may try."""
    yield Request("choose", seat, "", {"decision": [1, number], "move": {"cards": ["a card that nobody has"]}})
    yield Request("choose", seat, "", {"decision": [1, number + 1], "move": {"cards": []}})
    yield Request("reveal", seat, "", {"decision": number})


def pairs(game, chance):
    """Return what a seat is sent in two worlds that it cannot distinguish, and the states of both."""
    own = worlds.played(game, canary(chance), chance)
    seat = chance.randrange(-1, game.players)
    last = chance.randrange(len(own.states))
    there = worlds.another_world(own, seat, last, chance)
    here = own.states[: last + 1]
    return frames(game, here, seat), frames(game, there, seat), here, there


@pytest.fixture(scope="module")
def family(request):
    """Return a family, with a game of it whose cards have unique names, and a random generator."""
    chance = Random(request.param)
    return request.param, game_of(one_of(request.param, chance)), chance


@pytest.mark.parametrize("family", ODD, indirect=True)
def test_traffic_is_the_same(family):
    """Games that differ in hidden cards alone send equal bytes to a seat or a spectator."""
    _, game, chance = family
    differ = 0
    for _ in range(PAIRS):
        one, other, here, there = pairs(game, chance)
        assert one == other
        assert not re.search("the seed|the salt", "".join(one)) or here[-1].over
        differ += any(state.describe() != world.describe() for state, world in zip(here, there, strict=True))
    assert differ or not NIGHTLY


def a_seed(chance):
    """Return a random seed of the form that servers use."""
    return f"{chance.getrandbits(256):064x}"


def search(game, seed, chance, seats):
    """Play a game, and assert that frames reveal nothing that seats have not seen; return their number."""
    table, frames = table_of(game), 0
    table.seed = seed
    clients = {seat: Client(seat) for seat in seats}
    known = dict.fromkeys(seats, NOTHING_EARNED)
    values = {value for pile in game.model.chips for value in pile.values}
    for number, state in enumerate(play(game, seed, chance)):
        table.state, table.decision, table.length = state, number, number
        table.unread = {*seats} if number % 7 == 0 else set()
        secrets = [seed, table.salt, *(str(key) for key, _ in state.describe()["chance"].values())]
        for seat, client in clients.items():
            known[seat] = mine = earned(known[seat], state, seat)
            client.tell(table, encoded(client.news(table, showing.table_shown(table, seat, (0,), 1))))
            text = client._waiting.pop()
            assert not strangers_on(text, mine), f"seat {seat} is sent cards that it has not seen"
            assert not numbers_on(text) & values - mine.chips, f"seat {seat} is sent what a chip is worth"
            assert state.over or not any(secret in text for secret in secrets), f"seat {seat} is sent the seed"
            assert not state.over or seed in text, "nobody is sent the seed at the end"
            frames += 1
    return frames


_RULE = re.compile('"rule":"[^"]*"')
"""The id of a rule that is named after a card, which is no secret."""


def strangers_on(text, known):
    """Return the names of cards in a frame that the seat has not seen, nor a card with that face."""
    return [own for own in {*LABEL.findall(_RULE.sub("", text))} if own not in known.cards | known.faces]


@pytest.mark.parametrize("family", EVEN, indirect=True)
def test_no_frame_names_what_was_not_earned(family):
    """No frame names an unseen card, in hands, tables, stories, sheets and options of all seats."""
    name, game, chance = family
    if not NIGHTLY:
        assert search(game, a_seed(chance), chance, [chance.randrange(-1, game.players)])
        return
    for configuration in FAMILIES[name]:
        game = game_of(configuration)
        for _ in range(GAMES):
            assert search(game, a_seed(chance), chance, range(-1, game.players))


def test_a_frame_that_names_a_card_is_found(monkeypatch):
    """A page that was sent the top of the deck would be found by the search."""
    chance = Random(4)
    game = game_of(FAMILIES["sushi_go"][0])
    shown = showing.game_shown
    monkeypatch.setattr(
        showing,
        "game_shown",
        lambda table, seat, *more: {**shown(table, seat, *more), "deck": table.state.describe()["zones"]["deck"][:1]},
    )
    with pytest.raises(AssertionError, match="has not seen"):
        search(game, a_seed(chance), chance, [0])


def test_a_leak_is_found(monkeypatch):
    """A page that was sent the top of the deck would be found by the comparison."""
    chance = Random(3)
    game = game_of(FAMILIES["sushi_go"][0])
    shown = showing.game_shown

    def leaking(table, seat, *more):
        return {**shown(table, seat, *more), "deck": table.state.describe()["zones"]["deck"][:1]}

    monkeypatch.setattr(showing, "game_shown", leaking)
    found = [pairs(game, chance)[:2] for _ in range(5)]
    assert any(one != other for one, other in found)


# ── Pending choices ───────────────────────────────────────────────────────────────────────────────────────────────────


def sent_while_pending(state, seat, choices):
    """Return what a page is sent for a seat while choices are pending: tables, refusals and lists."""
    table = table_of(state.game)
    table.state = state
    for sitter in table.seats[1::2]:
        sitter.kind = BOT
    frames = []
    for chooser, move in choices.items():
        table.apply({"kind": "choose", "seat": chooser, "move": move.to_json()})
    for kind in ("reveal", "choose", "withdraw"):
        try:
            table.propose(Request(kind, seat, data={"decision": 0 if kind == "reveal" else [1, 0], "move": {}}))
        except RefusedError as error:
            frames.append(f"{error.code}: {error}")
    client = Client(seat)
    client.tell(table, encoded(client.news(table, showing.table_shown(table, seat, (0,), 1))))
    return [*frames, *client._waiting, json.dumps(showing.summary_shown(table, "en"))]


def hold_pending(state, chance):
    """Compare what each seat is sent where the others chose differently; return the number of pairs."""
    moves = {
        seat: chance.sample(list(legal), min(2, len(legal)))
        for seat in state.waiting
        if (legal := state.view(seat).moves)
    }
    differ = 0
    for seat in range(-1, state.game.players):
        others = [chooser for chooser in moves if chooser != seat]
        for choosers in (others, [*moves]):
            one = {chooser: moves[chooser][0] for chooser in choosers}
            other = one | {chooser: moves[chooser][-1] for chooser in others}
            frames = sent_while_pending(state, seat, one)
            assert frames == sent_while_pending(state, seat, other), f"seat {seat} is sent what others chose"
            assert not re.search("the seed|the salt", "".join(frames)), f"seat {seat} is sent the seed too early"
            differ += one != other
    return differ


def kind_of(state):
    """Return the kinds of choices that a state waits for."""
    asked = [state.view(seat).asked for seat in state.waiting]
    return frozenset((each.source, each.target, bool(each.offer), bool(each.places)) for each in asked if each)


@pytest.mark.parametrize("family", ODD, indirect=True)
def test_no_frame_depends_on_a_pending_choice(family):
    """Frames do not depend on pending choices, at each kind of choice; after the game all get the seed."""
    _, game, chance = family
    state, kinds, differ = game.start(canary(chance)), set(), 0
    while not state.over:
        kind, after = kind_of(state), state
        for seat in state.waiting:
            after = after.commit(seat, chance.choice(list(state.view(seat).moves)))
        if kind not in kinds or after.over or NIGHTLY:
            kinds.add(kind)
            differ += hold_pending(state, chance)
        state = after
    assert differ
    for seat in range(-1, game.players):
        (*_, frame, _) = sent_while_pending(state, seat, {})
        assert '"seed":"the seed","salt":"the salt"' in frame
