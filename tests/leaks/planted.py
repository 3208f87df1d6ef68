"""Leaks to plant: what to replace, and by what."""

from __future__ import annotations

from msgspec.structs import replace

import draftengine as de
from draftengine.api import state as api_state
from draftengine.engine import events
from draftengine.engine.memory import Memory


def tell_all(*kinds):
    """Everybody is told the cards of such events."""

    def told_to(event, seat):
        return event if event.kind in kinds else events.view(event, seat)

    return "draftengine.api.state.event_for", told_to


def tell_an_order(kind):
    """Nobody is told the cards of such events, and everybody something about their order."""

    def told_to(event, seat):
        found = events.view(event, seat)
        return replace(found, amount=event.cards[0] > event.cards[-1]) if event.kind == kind else found

    return "draftengine.api.state.event_for", told_to


def mark_all(module, kind):
    """The engine itself says that everybody sees the cards of such events."""

    def event(*arguments, **more):
        made = events.Event(*arguments, **more)
        return replace(made, seen_by=events.EVERYONE) if made.kind == kind else made

    return f"{module.__name__}.Event", event


def remember_all():
    """Everybody remembers what comes to a zone."""
    arrive = Memory.arrive

    def remember(self, zone, owner, card, eyes, *more):
        return arrive(self, zone, owner, card, [True] * len(eyes), *more)

    return "draftengine.engine.memory.Memory.arrive", remember


def refuse_with(what):
    """A refusal says something that follows from the state."""
    codes_of = api_state.codes_of

    def refused(position, seat, move):
        try:
            return codes_of(position, seat, move)
        except de.IllegalMove as error:
            raise de.IllegalMove(error.code, str(what(position))) from None

    return "draftengine.api.state.codes_of", refused


def change(what):
    """A view is changed by what is hidden."""
    original = de.State.view

    def view(self, seat):
        found = original(self, seat)
        what(found, self)
        return found

    return "draftengine.api.state.State.view", view


def show(what):
    """A view shows something of the state."""
    return change(lambda view, state: view.observation.update(more=what(state, view.seat)))
