"""Texts of the log and of the overlay pages. They share messages with the line-by-line terminal."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from msgspec.structs import replace
from rich.text import Text

from draftengine.api.phrasing.events import EventPhraser, EventTeller
from draftengine.apps.play import help_texts
from draftengine.apps.play import review as reviews
from draftengine.apps.play import score_board as scoreboard
from draftengine.apps.play.board import line as event_line
from draftengine.apps.play.terminal_style import padded
from draftengine.apps.tui import widgets as drawing
from draftengine.apps.tui.styles import blank, joined, separated, wrapped
from draftengine.support.text import width_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from draftengine.api.phrasing.events import Happening
    from draftengine.api.records import Event
    from draftengine.apps.play.labels import Names
    from draftengine.apps.play.move_builder import MoveBuilder
    from draftengine.apps.play.score_board import Scoring
    from draftengine.apps.tui.scene import Scene
    from draftengine.apps.tui.styles import Pen
    from draftengine.bots.hints.reasons import Hint

Draw = Callable[[int], list[Text]]
"""A function that draws a page for a number of columns."""

KEYS = (
    ("1–9, 0, a–k", "help.key.card"),
    ("← → Enter", "help.key.go"),
    ("/", "help.key.name"),
    ("u", "help.key.undo"),
    ("t", "help.key.two"),
    ("h", "help.hint"),
    ("v", "help.bars"),
    ("x", "help.tips"),
    ("r", "help.key.read"),
    ("w, s", "help.key.why"),
    ("o, l", "help.key.way"),
    ("p", "help.key.hide"),
    ("Ctrl-T", "help.key.light"),
    ("q, Ctrl-C", "help.key.quit"),
)


def printed(lines_of: Callable[[Names], list[str]], names: Names, pen: Pen) -> Draw:
    """Return a page with the lines that `lines_of` returns, fitted to the width."""

    def draw(columns: int) -> list[Text]:
        return pen.lines(_fitted(lines_of, names, columns))

    return draw


def _fitted(lines_of: Callable[[Names], list[str]], names: Names, columns: int) -> list[str]:
    before = names.style
    names.style = replace(before, color=True, columns=columns)
    try:
        return [part for line in lines_of(names) for part in names.style.fitted(line)]
    finally:
        names.style = before


def help_page(names: Names, pen: Pen) -> Draw:
    """Return the page with the rules, the cards and the keys."""

    def draw(columns: int) -> list[Text]:
        lines = pen.lines(_fitted(help_texts.about_game, names, columns))
        lines += [blank(), pen.accent(pen.say("screen.what_scores"))]
        lines += pen.lines(_fitted(help_texts.rules_in_short, names, columns)[1:])
        begins = pen.lines(_fitted(help_texts.counters_and_markers, names, columns)[1:])
        lines += [blank(), pen.accent(pen.say("screen.counters")), *begins] if begins else []
        lines += [blank(), pen.accent(pen.say("screen.cards"))]
        lines += pen.lines(_fitted(help_texts.cards_in_short, names, columns)[1:])
        return [*lines, blank(), pen.accent(pen.say("screen.keys")), *keys(KEYS, names, pen)(columns)]

    return draw


def keys(known: Sequence[tuple[str, str]], names: Names, pen: Pen) -> Draw:
    """Return a page with keys and what they do (see `help_texts.in_words`)."""
    described = help_texts.in_words(known, names)

    def draw(columns: int) -> list[Text]:
        wide = max(width_of(keys) for keys, _ in described) + 2
        texts = (joined(pen.focus(f"  {padded(keys, wide)}"), pen.plain(words)) for keys, words in described)
        return [line for text in texts for line in wrapped(text, columns, wide + 2)]

    return draw


def card(name: str, names: Names, pen: Pen) -> Draw:
    """Return the page with everything that the card set says about a card."""
    return printed(lambda names: help_texts.about_card(name, names), names, pen)


def log(entries: Sequence[Text], pen: Pen) -> Draw:
    """Return the page with the whole log, newest entry first."""

    def draw(columns: int) -> list[Text]:
        lines = [line for entry in reversed(entries) for line in wrapped(entry, columns, 4)]
        return lines or [pen.muted(pen.say("screen.log.empty"))]

    return draw


def hint(picking: MoveBuilder, hints: Sequence[Hint], names: Names, pen: Pen, keys: Mapping[str, str]) -> Draw:
    """Return the page with the best continuations and their keys."""
    return printed(lambda names: reviews.hint(picking, hints, names, keys), names, pen)


def why(scene: Scene, scored: Sequence[Scoring], names: Names, pen: Pen) -> Draw:
    """Return the page with the current worth of all cards and the reasons for points so far."""

    def draw(columns: int) -> list[Text]:
        lines = [pen.accent(pen.say("screen.why.now"))]
        for seat in scene.seats:
            now = f"{seat.standing:+d}" if seat.standing else pen.say("advice.nothing_more")
            points = pen.plain(f"  {pen.say('screen.why.seat', points=seat.points, amount=now)}")
            lines.append(joined(drawing.name(seat, pen), points))
            for group in seat.groups:
                text = joined(
                    pen.text("   "), drawing.icons(group, pen), pen.text("  "), drawing.caption(group, 0, pen)
                )
                lines += wrapped(text, columns, 6)
        for scoring in reversed(scored):
            lines += [blank(), *pen.lines(_fitted(partial(scoreboard.proof, scoring), names, columns))]
        if names.cites and any(event.source for scoring in scored for event in scoring.events):
            lines += [blank(), *wrapped(pen.muted(pen.say("standing.brackets")), columns)]
        return lines

    return draw


_SILENT = {"dealt", "passed"}
_MOMENTS = {"round", "start", "turn"}


class Log:
    """Describes events as a seat sees them, with the turn in which they happened."""

    def __init__(self, names: Names, viewer: int) -> None:
        self.names = names
        self.turn = 0
        self._teller = EventTeller(names.game, viewer)
        self._phraser = EventPhraser(names)

    def tell(self, events: Iterable[Event], pen: Pen) -> list[Text]:
        """Return lines about events. Simultaneous reveals share one line; their effects follow."""
        entries: list[Text] = []
        revealed: list[Happening] = []
        following: list[Happening] = []
        for happening in self._teller.tell(events):
            is_reveal = happening.id == "revealed"
            if not is_reveal and revealed and happening.id not in _MOMENTS:
                following.append(happening)
                continue
            if not is_reveal or any(other.event.seat == happening.event.seat for other in revealed):
                entries += self._turn(revealed, following, pen)
                revealed, following = [], []
            if is_reveal:
                revealed.append(happening)
            else:
                entries += self._other(happening, pen)
        return [*entries, *self._turn(revealed, following, pen)]

    def _turn(self, revealed: Sequence[Happening], following: Sequence[Happening], pen: Pen) -> list[Text]:
        """Return a line about cards that were revealed together, then lines about the effects."""
        parts = [
            joined(
                pen.muted(f"{self.names.seat(reveal.event.seat)} "),
                pen.plain(self.names.style.comma.join(map(self.names.word, reveal.event.cards))),
            )
            for reveal in revealed
        ]
        lines = [joined(self._stamp(pen), separated(parts, pen.muted(" · ")))] if parts else []
        return [*lines, *(line for happening in following for line in self._other(happening, pen))]

    def goes_on_in(self, turn: int) -> None:
        """Set the turn of the next events.

        After the last repetition a choice is a turn, too, but no event says so.
        """
        self.turn = turn or self.turn

    def _stamp(self, pen: Pen) -> Text:
        return pen.muted(f"T{self.turn} ") if self.turn else pen.text("")

    def _other(self, happening: Happening, pen: Pen) -> list[Text]:
        """Return the lines for news other than a reveal, in the words of the table that is shown line by line."""
        if happening.id == "turn":
            self.turn += 1
            return []
        if happening.id in _MOMENTS:
            self.turn = 0
            return [pen.accent(self._phraser.sentence(happening))] if happening.id == "round" else []
        if happening.event.kind in _SILENT:
            return []
        if happening.is_scoring:
            sentence = self._phraser.sentence(happening)
            return [pen.good(sentence)] if sentence else []
        return [joined(self._stamp(pen), pen.lines([event_line(happening, self._phraser, self.names)])[0])]
