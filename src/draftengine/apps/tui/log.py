"""The log: what happened, in lines as short as the table needs them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from draftengine.api.phrasing import story
from draftengine.api.records import told_to
from draftengine.apps.play import score_board as scoreboard
from draftengine.apps.play.terminal_style import plain
from draftengine.apps.tui.lines import joined, separated
from draftengine.support.locale.english_lists import counted, join_list

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from rich.text import Text

    from draftengine.api.records import Event
    from draftengine.apps.play.labels import Names
    from draftengine.apps.tui.styles import Pen

_SILENT = {"dealt", "passed"}


class Log:
    """Tells events to the eyes of a seat; knows in which round and turn they happened."""

    def __init__(self, names: Names, viewer: int) -> None:
        self.names = names
        self.viewer = viewer
        self.round = self.turn = 0

    def tell(self, events: Iterable[Event], pen: Pen) -> list[Text]:
        """Lines for what happened; reveals that belong together are one line."""
        entries: list[Text] = []
        reveal: list[Event] = []
        block: list[Event] = []
        for event in events:
            if event.kind == "revealed":
                entries += self._others(block, pen)
                block = []
                if any(other.seat == event.seat for other in reveal):
                    entries += self._reveal(reveal, pen)
                    reveal = []
                reveal.append(event)
                continue
            if event.kind in {"turn-started", "round-started", "round-ended"}:
                entries += [*self._reveal(reveal, pen), *self._others(block, pen)]
                reveal, block = [], []
                entries += self._moment(event, pen)
            elif event.kind not in _SILENT and not self._is_turn(event):
                block.append(event)
        return [*entries, *self._reveal(reveal, pen), *self._others(block, pen)]

    def goes_on_in(self, turn: int) -> None:
        """What is told next happens in this turn: a choice after the last repetition is a turn that no event begins."""
        self.turn = turn or self.turn

    def _is_turn(self, event: Event) -> bool:
        return event.kind == "marker" and event.name in self.names.game.turn_markers

    def _moment(self, event: Event, pen: Pen) -> list[Text]:
        if event.kind == "round-started":
            self.round, self.turn = event.amount, 0
            rounds = self.names.game.model.rounds
            return [pen.accent(f"Round {event.amount} of {rounds} begins")] if rounds > 1 else []
        if event.kind == "turn-started":
            self.turn += 1
        return []

    def _stamp(self, pen: Pen) -> Text:
        return pen.muted(f"T{self.turn} ") if self.turn else pen.text("")

    def _reveal(self, events: Sequence[Event], pen: Pen) -> list[Text]:
        if not events:
            return []
        parts = [
            joined(
                pen.muted(f"{self.names.seat(reveal.seat)} "), pen.plain(", ".join(map(self.names.word, reveal.cards)))
            )
            for reveal in (told_to(event, self.viewer) for event in events)
        ]
        return [joined(self._stamp(pen), separated(parts, pen.muted(" · ")))]

    def _others(self, events: Sequence[Event], pen: Pen) -> list[Text]:
        """Everything else as the plain table tells it; what rules gave, in a sentence for each."""
        scored = [event for event in events if scoreboard.is_reason(event)]
        lines = [
            joined(self._stamp(pen), pen.lines([line.strip()])[0])
            for line in story.tell([event for event in events if event not in scored], self.viewer, self.names)
            if plain(line).strip()
        ]
        given: dict[str, list[str]] = {}
        for event in scored:
            if event.amount:
                amount = counted(event.amount, "chip") if event.kind == "awarded" else event.amount
                given.setdefault(event.name, []).append(f"{self.names.seat(event.seat)} {amount}")
        return [
            *lines,
            *(
                joined(pen.muted(f"{self.names.reason(rule)}: "), pen.good(join_list(who)))
                for rule, who in given.items()
            ),
        ]
