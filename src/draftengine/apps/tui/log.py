"""The log: short lines about what happened."""

from __future__ import annotations

from typing import TYPE_CHECKING

from draftengine.api.phrasing.events import EventPhraser, EventTeller
from draftengine.apps.play import narrator
from draftengine.apps.tui.lines import joined, separated

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from rich.text import Text

    from draftengine.api.phrasing.events import Happening
    from draftengine.api.records import Event
    from draftengine.apps.play.labels import Names
    from draftengine.apps.tui.styles import Pen

_SILENT = {"dealt", "passed"}
_MOMENTS = {"round", "start", "turn"}


class Log:
    """Tells events as a seat sees them, with the turn in which they happened."""

    def __init__(self, names: Names, viewer: int) -> None:
        self.names = names
        self.turn = 0
        self._teller = EventTeller(names.game, viewer)
        self._phraser = EventPhraser(names)

    def tell(self, events: Iterable[Event], pen: Pen) -> list[Text]:
        """Return lines about events; simultaneous reveals share one, followed by their consequences."""
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
        others = (line for happening in following for line in self._other(happening, pen))
        return [*self._reveal(revealed, pen), *others]

    def goes_on_in(self, turn: int) -> None:
        """Set the turn of the next events.

        A choice after the last repetition is a turn that no event begins.
        """
        self.turn = turn or self.turn

    def _stamp(self, pen: Pen) -> Text:
        return pen.muted(f"T{self.turn} ") if self.turn else pen.text("")

    def _reveal(self, revealed: Sequence[Happening], pen: Pen) -> list[Text]:
        if not revealed:
            return []
        parts = [
            joined(
                pen.muted(f"{self.names.seat(reveal.event.seat)} "),
                pen.plain(", ".join(map(self.names.word, reveal.event.cards))),
            )
            for reveal in revealed
        ]
        return [joined(self._stamp(pen), separated(parts, pen.muted(" · ")))]

    def _other(self, happening: Happening, pen: Pen) -> list[Text]:
        """Return the lines for a happening other than a reveal, in the words of the line-by-line table."""
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
        return [joined(self._stamp(pen), pen.lines([narrator.line(happening, self._phraser, self.names)])[0])]
