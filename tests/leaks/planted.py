"""Leaks to plant: what to replace, and by what."""

from __future__ import annotations

import json

from msgspec.structs import replace

import draftengine as de
from draftengine.api import state as api_state
from draftengine.apps.play import board, journal
from draftengine.apps.play import save_format as save
from draftengine.apps.play.saved import SaveError
from draftengine.apps.play.table_view import Observer
from draftengine.bots import public as named
from draftengine.bots.hints import hints
from draftengine.bots.hints.reasons import Reason
from draftengine.engine import events
from draftengine.engine.beliefs import Beliefs


def tell_all(*kinds):
    """Everybody is told the cards of such events."""

    def told_to(event, seat):
        return event if event.kind in kinds else events.view(event, seat)

    return "draftengine.api.state.event_for", told_to


def tell_the_whole_story():
    """Everybody is told all of what happened, once they ask for it all."""
    return "draftengine.api.state.State.story", lambda self, _: self.history


def tell_on_the_screen():
    """The screen takes the news as they are, whoever looks at it."""
    return "draftengine.api.phrasing.events.told_to", lambda event, _: event


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
    arrive = Beliefs.arrive

    def remember(self, zone, owner, card, _):
        return arrive(self, zone, owner, card, events.EVERYONE)

    return "draftengine.engine.beliefs.Beliefs.arrive", remember


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


def knowing(place, wrong):
    """Something that is asked for after a view knows the state behind that view: ``wrong(truth)`` is put in its place.

    There is no way from a view to its state, so such a leak takes two patches.
    """
    latest, original = [], de.State.view

    def view(self, seat):
        latest[:] = [self]
        return original(self, seat)

    return ("draftengine.api.state.State.view", view), (place, wrong(lambda: latest[-1]))


def hint(what):
    """A hint has a reason that follows from the state: ``what`` gives the parts of it."""
    original = hints.Evaluator.hints

    def wrong(truth):
        def told(self, *arguments, **more):
            reason = Reason(**{"kind": "denies", **what(truth())})
            return [replace(own, reasons=(*own.reasons, reason)) for own in original(self, *arguments, **more)]

        return told

    return knowing("draftengine.bots.hints.hints.Evaluator.hints", wrong)


def advise(what):
    """A bot says of its thoughts something that follows from the state."""
    original = named.PublicBot.decide

    def wrong(truth):
        def decide(self, view, *arguments, **more):
            return replace(original(self, view, *arguments, **more), unit=str(what(truth())))

        return decide

    return knowing("draftengine.bots.public.PublicBot.decide", wrong)


def explain(what):
    """An explanation says something that follows from the state."""
    original = de.State.explain

    def wrong(self, *arguments, **more):
        return tuple(replace(line, text=str(what(self))) for line in original(self, *arguments, **more))

    return "draftengine.api.state.State.explain", wrong


def print_more(what):
    """The table on the screen has a line that follows from the state."""
    original = board.table

    def wrong(truth):
        return lambda *arguments, **more: [*original(*arguments, **more), str(what(truth()))]

    return knowing("draftengine.apps.play.board.table", wrong)


def draw_more(what):
    """The full screen shows something that follows from the state, beside the title."""
    original = Observer.scene

    def wrong(self, state, *arguments):
        found = original(self, state, *arguments)
        return replace(found, title=f"{found.title} {what(state)}")

    return "draftengine.apps.play.table_view.Observer.scene", wrong


def draw_the_hand_of(seat):
    """The full screen shows the hand of a seat to everybody."""
    original = Observer.scene

    def wrong(self, state, viewer, *arguments):
        theirs = original(self, state, seat)
        return replace(original(self, state, viewer, *arguments), hand=theirs.hand)

    return "draftengine.apps.play.table_view.Observer.scene", wrong


def log_it_as_it_is():
    """The log of the full screen takes events as they are, whoever looks at it."""
    return "draftengine.api.phrasing.events.told_to", lambda event, _: event


def sum_up(what):
    """The list of games says something more of a file: ``what`` is given its first line, and its last as ``last``."""
    original = journal.summary

    def wrong(text):
        head, *_, last = map(json.loads, text.splitlines())
        found = original(text)
        return replace(found, title=f"{found.title} {what({**head, 'last': last})}")

    return "draftengine.apps.play.journal.summary", wrong


def refuse_saves():
    """What is said of a file that was changed shows it."""
    original = save._lines

    def wrong(head, text):
        try:
            return original(head, text)
        except SaveError as error:
            raise SaveError(error.code, f"{error} {text}") from None

    return "draftengine.apps.play.save_format._lines", wrong
