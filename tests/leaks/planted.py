"""Leaks to plant: what to replace, and by what."""

from __future__ import annotations

import json
from random import Random

import pytest
from msgspec.structs import replace

import draftengine as de
from draftengine.api import state as api_state
from draftengine.apps.play import board, journal
from draftengine.apps.play import saved as save
from draftengine.apps.play.saved import SaveError
from draftengine.apps.tui.scene import Observer
from draftengine.bots import hints
from draftengine.bots import public as named
from draftengine.bots.hints.reasons import Reason
from draftengine.engine import events
from draftengine.engine.beliefs import Beliefs
from engine.configurations import named as configuration
from leaks.canaries import game_of


def find(monkeypatch, name, patches, message, search):
    """Plant a leak in a game, and assert that a search of one of a few games finds it."""
    game = game_of(configuration(name))
    for place, wrong in patches:
        monkeypatch.setattr(place, wrong)
    with pytest.raises(AssertionError, match=message):
        sum(search(game, Random(number)) for number in range(5))


def tell_all(*kinds):
    """Show the cards of events of these kinds to all seats."""

    def told_to(event, seat):
        return event if event.kind in kinds else events.view(event, seat)

    return "draftengine.api.state.event_for", told_to


def tell_the_whole_story():
    """Return the whole history as the story of every seat."""
    return "draftengine.api.state.State.story", lambda self, _: self.history


def tell_on_the_screen():
    """Show events on the screen of every seat as they are, with hidden cards."""
    return "draftengine.api.phrasing.events.told_to", lambda event, _: event


def tell_an_order(kind):
    """Hide the cards of events of this kind, but reveal something about their order to all seats."""

    def told_to(event, seat):
        found = events.view(event, seat)
        return replace(found, amount=event.cards[0] > event.cards[-1]) if event.kind == kind else found

    return "draftengine.api.state.event_for", told_to


def mark_all(module, kind):
    """Mark events of this kind in the engine as seen by all seats."""

    def event(*arguments, **more):
        made = events.Event(*arguments, **more)
        return replace(made, seen_by=events.EVERYONE) if made.kind == kind else made

    return f"{module.__name__}.Event", event


def remember_all():
    """Let the beliefs of all seats include every card that comes to a zone."""
    arrive = Beliefs.arrive

    def remember(self, zone, owner, card, _):
        return arrive(self, zone, owner, card, events.EVERYONE)

    return "draftengine.engine.beliefs.Beliefs.arrive", remember


def refuse_with(what):
    """Add something that depends on the state to the message of a refused move."""
    codes_of = api_state.codes_of

    def refused(position, seat, move):
        try:
            return codes_of(position, seat, move)
        except de.IllegalMove as error:
            raise de.IllegalMove(error.code, str(what(position))) from None

    return "draftengine.api.state.codes_of", refused


def change(what):
    """Change every view by `what`, which gets the view and the whole state."""
    original = de.State.view

    def view(self, seat):
        found = original(self, seat)
        what(found, self)
        return found

    return "draftengine.api.state.State.view", view


def show(what):
    """Add something that depends on the state to every view."""
    return change(lambda view, state: view.observation.update(more=what(state, view.seat)))


def knowing(place, wrong):
    """Replace `place` by ``wrong(truth)``, where ``truth()`` returns the state behind the latest view.

    A view has no reference to its state, so such a leak takes two patches.
    """
    latest, original = [], de.State.view

    def view(self, seat):
        latest[:] = [self]
        return original(self, seat)

    return ("draftengine.api.state.State.view", view), (place, wrong(lambda: latest[-1]))


def hint(what):
    """Add a reason that depends on the state to every hint; ``what`` returns its fields."""
    original = hints.Evaluator.hints

    def wrong(truth):
        def told(self, *arguments, **more):
            reason = Reason(**{"kind": "denies", **what(truth())})
            return [replace(own, reasons=(*own.reasons, reason)) for own in original(self, *arguments, **more)]

        return told

    return knowing("draftengine.bots.hints.Evaluator.hints", wrong)


def advise(what):
    """Put something that depends on the state into the decisions of bots."""
    original = named.PublicBot.decide

    def wrong(truth):
        def decide(self, view, *arguments, **more):
            return replace(original(self, view, *arguments, **more), unit=str(what(truth())))

        return decide

    return knowing("draftengine.bots.public.PublicBot.decide", wrong)


def explain(what):
    """Put something that depends on the state into explanations of points."""
    original = de.State.explain

    def wrong(self, *arguments, **more):
        return tuple(replace(line, text=str(what(self))) for line in original(self, *arguments, **more))

    return "draftengine.api.state.State.explain", wrong


def print_more(what):
    """Add a line that depends on the state to the printed table."""
    original = board.table

    def wrong(truth):
        return lambda *arguments, **more: [*original(*arguments, **more), str(what(truth()))]

    return knowing("draftengine.apps.play.board.table", wrong)


def draw_more(what):
    """Add something that depends on the state to the title of the full screen."""
    original = Observer.scene

    def wrong(self, state, *arguments):
        found = original(self, state, *arguments)
        return replace(found, title=f"{found.title} {what(state)}")

    return "draftengine.apps.tui.scene.Observer.scene", wrong


def draw_the_hand_of(seat):
    """Show the hand of one seat on the full screen of all viewers."""
    original = Observer.scene

    def wrong(self, state, viewer, *arguments):
        theirs = original(self, state, seat)
        return replace(original(self, state, viewer, *arguments), hand=theirs.hand)

    return "draftengine.apps.tui.scene.Observer.scene", wrong


def log_it_as_it_is():
    """Write events into the log of the full screen as they are, with hidden cards."""
    return "draftengine.api.phrasing.events.told_to", lambda event, _: event


def sum_up(what):
    """Add something to the titles in the list of games.

    ``what`` gets the first line of the file, with its last line as ``last``.
    """
    original = journal.summary

    def wrong(text):
        head, *_, last = map(json.loads, text.splitlines())
        found = original(text)
        return replace(found, title=f"{found.title} {what({**head, 'last': last})}")

    return "draftengine.apps.play.journal.summary", wrong


def refuse_saves():
    """Put the text of a damaged file into the message about it."""
    original = save._lines

    def wrong(head, text):
        try:
            return original(head, text)
        except SaveError as error:
            raise SaveError(error.code, f"{error} {text}") from None

    return "draftengine.apps.play.saved._lines", wrong
