"""The protocol detects cheats: a bot that sees hidden cards clearly beats its honest twin.

In ``guess.yaml`` a seat scores if it plays the kind of card that the other one hides. Both bots look one choice ahead,
and choose the best reply to the worst that the other may do. The cheat looks at the real state. The other bot looks at
a world dealt anew from its observation, as honest bots do.
"""

from __future__ import annotations

import pytest

from draftengine.bots.protocol import Decision
from draftengine.engine.chance import Stream, mix
from draftengine.engine.game import commit, total, waiting
from draftengine.engine.moves import legal_moves
from draftengine.engine.observe import observe
from draftengine.engine.redeal import HiddenCards
from draftengine.studies import arena
from draftengine.studies.arena.estimates import findings_of


def lead_after(state, seat, moves):
    """Return a seat's lead after both have moved and forced moves have followed."""
    round_ = state.round
    for own in waiting(state):
        state = commit(state, own, moves[own]).state
    while not state.over and state.round == round_ and all(len(legal_moves(state, own)) == 1 for own in state.pending):
        for own in waiting(state):
            state = commit(state, own, legal_moves(state, own)[0]).state
    return total(state, seat) - total(state, 1 - seat)


def best_reply(state, seat):
    """Return the move whose worst outcome is best."""
    return max(
        legal_moves(state, seat),
        key=lambda own: min(lead_after(state, seat, {seat: own, 1 - seat: reply}) for reply in replies(state, seat)),
    )


def replies(state, seat):
    return legal_moves(state, 1 - seat) or ((),)


@pytest.fixture
def with_a_cheat(monkeypatch):
    """Replace the bots: “peeks” gets the real state, and every other name an observation."""

    def seated(text, key, thinking):
        def choose(state, _choice, seat, _stream):
            if text == "peeks":
                return best_reply(state, seat)
            seen = observe(state, seat)
            world = HiddenCards.of(seen).world(Stream(mix(key ^ seen.round << 16 ^ seen.decision)))
            thinking.note(0.001, 1)
            return Decision(best_reply(world, seat)).move

        return choose

    monkeypatch.setattr(arena, "seated", seated)


def test_whoever_peeks_wins(with_a_cheat, held):
    found = findings_of(held("guess.yaml", ("peeks", "looks"), deals=25, mirrors=(1,)), 1)
    share = found.met(0, 1).share
    assert share.ci95[0] > 0.6
    assert found.duels[0].certain
    control = found.met(1, 1).share.ci95
    assert control[0] <= 0.5 <= control[1]


def test_who_cannot_peek_does_not_win(with_a_cheat, held):
    """Without the peek, the same bot under two names shows no difference."""
    found = findings_of(held("guess.yaml", ("looks", "looks:again"), deals=25), 1)
    low, high = found.met(0, 1).share.ci95
    assert low <= 0.5 <= high
    assert not found.duels[0].certain
