"""Events told as lines: a headline for each round, blocks of sentences, and the results of scorings."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from draftengine.api.phrasing.events import EventPhraser, EventTeller, way_before
from draftengine.apps.play import score_board as scoreboard
from draftengine.apps.play.terminal_style import padded

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from draftengine.api.phrasing.events import Happening
    from draftengine.api.records import Event
    from draftengine.apps.play.labels import Names

_COLOURS = {
    "passed": "faint", "dealt": "faint", "moved": "faint", "modified": "good", "gained": "good", "lost": "bad",
    "marker": "accent", "rolled": "accent", "chips.drawn": "accent", "asked": "accent",
}  # fmt: skip
"""Colours of happenings, by their id or by the kind of their events."""


def line(happening: Happening, phraser: EventPhraser, names: Names) -> str:
    """Return a happening as a line of the terminal: a row of cards for a reveal, else a sentence."""
    style = names.style
    if happening.id == "revealed":
        cards = ", ".join(names.cards(happening.event.cards))
        title = padded(style.bold(names.seat(happening.event.seat)), names.seat_columns)
        return f"{title}  {cards}{style.faint(style.typed(phraser.chooser(happening.event)))}"
    sentence = style.typed(phraser.sentence(happening))
    colour = _COLOURS.get(happening.id) or _COLOURS.get(happening.event.kind)
    return getattr(style, colour)(sentence) if colour else sentence


def sentences(events: Iterable[Event], viewer: int, names: Names, before: Sequence[Event] = ()) -> list[str]:
    """Return what a seat learns from events, as sentences without colours; `before` are earlier events."""
    happenings = EventTeller(names.game, viewer, way_before(before)).tell(events)
    return [names.style.typed(text) for text in map(EventPhraser(names).sentence, happenings) if text]


class EventNarrator:
    """Tells news as one seat sees it (-1: a spectator)."""

    def __init__(
        self,
        names: Names,
        viewer: int,
        show: Callable[[Sequence[str]], None],
        *,
        turns: bool = False,
        scored: Callable[[Sequence[Event], Names], list[str]] = scoreboard.summary,
        paused: Callable[[], None] = lambda: None,
    ) -> None:
        """Pass lines to `show`, which may be wider than the screen; `scored` describes a scoring in lines.

        With `turns`, each turn gets its own headline. `paused` is called after each scoring, to give people time to
        read.
        """
        self.names, self.show, self.turns, self.scored, self.paused = names, show, turns, scored, paused
        self._teller = EventTeller(names.game, viewer)
        self._phraser = EventPhraser(names)

    def tell(self, news: Iterable[Event]) -> None:
        """Show the news: a block for each turn, scoring and new round."""
        for block in self._teller.blocks(news):
            parts = [(kind, list(part)) for kind, part in groupby(block, _part)]
            for kind, part in parts:
                self._show_part(kind, part)
            if any(kind == "scoring" for kind, _ in parts):
                self.paused()

    def _show_part(self, kind: str, part: Sequence[Happening]) -> None:
        style = self.names.style
        if kind == "moment":
            title = self._phraser.title(part[0])
            if part[0].id != "turn":
                self.show(["", style.headline(title)])
            elif self.turns:
                self.show(["", style.faint(f"  {title}")])
        elif kind == "scoring":
            self._tell_scoring([event for happening in part for event in happening.events])
        else:
            self.show([f"  {line(happening, self._phraser, self.names)}" for happening in part])

    def _tell_scoring(self, events: Sequence[Event]) -> None:
        """Show what rules gave, grouped by their labels."""
        labels = {rule.id: rule.at for rule in self.names.game.model.scoring}
        for label in dict.fromkeys(labels[event.name] for event in events):
            block = [event for event in events if labels[event.name] == label]
            title = self.names.style.headline(self.names.moment(label), "─")
            self.show(["", title, *self.scored(block, self.names)])


def _part(happening: Happening) -> str:
    """Return the kind of lines that a happening needs: a headline, a scoring, or sentences."""
    if happening.id in {"round", "start", "turn"}:
        return "moment"
    return "scoring" if happening.is_scoring else "sentences"
