"""What happened, told in lines: a headline for every round, blocks of sentences, and what rules gave."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from msgspec import Struct

from draftengine.api.phrasing import story
from draftengine.apps.play import score_board as scoreboard

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from draftengine.api.records import Event
    from draftengine.apps.play.labels import Names


class EventNarrator(Struct):
    """Tells news to the eyes of a seat (-1: nobody's in particular)."""

    names: Names
    viewer: int
    show: Callable[[Sequence[str]], None]
    """Takes lines, which may be too long for the screen."""
    turns: bool = False
    """Has every turn a headline of its own."""
    scored: Callable[[Sequence[Event], Names], list[str]] = scoreboard.summary
    """What is said of what rules gave."""
    paused: Callable[[], None] = lambda: None
    """Called after a scoring, for which people need time."""
    way: int = 0
    """Which way the cards were said to go in this round."""

    def tell(self, news: Iterable[Event]) -> None:
        """Tell the news: a block for every turn, scoring and new round."""
        block: list[Event] = []
        dealing = False
        for event in news:
            if event.kind in {"round-started", "turn-started", "round-ended", "cleared"}:
                self._tell_block(block)
                block = []
                dealing = event.kind == "round-started"
                self._begin(event)
            elif not (self._is_known(event) or (dealing and event.kind == "dealt" and event.seat >= 0)):
                block.append(event)  # a deal is seen in the hands
        self._tell_block(block)

    def _is_known(self, event: Event) -> bool:
        """Is it needless to tell: which way cards go, once it was said in a round; whose turn it is to choose."""
        if event.kind == "passed":
            known = self.way == event.amount
            self.way = event.amount
            return known
        return event.kind == "marker" and event.name in self.names.game.turn_markers

    def _begin(self, event: Event) -> None:
        """The headline of a round or a turn."""
        style, rounds = self.names.style, self.names.game.model.rounds
        if event.kind == "round-started":
            self.way = 0
            title = f"Round {event.amount} of {rounds}" if rounds > 1 else "The game begins"
            self.show(["", style.headline(title)])
        elif event.kind == "turn-started" and self.turns:
            self.show(["", style.faint(f"  Turn {event.amount}")])

    def _tell_block(self, events: Sequence[Event]) -> None:
        """What happened, and between what came before and after it the scoring of rules."""
        reasons = [index for index, event in enumerate(events) if scoreboard.is_reason(event)]
        first = reasons[0] if reasons else len(events)
        self._tell_some(events[:first])
        if reasons:
            self._tell_scoring([events[index] for index in reasons])
            self._tell_some([event for event in events[first:] if not scoreboard.is_reason(event)])
            self.paused()

    def _tell_some(self, events: Sequence[Event]) -> None:
        lines = story.tell(events, self.viewer, self.names)
        if lines:
            self.show(lines)

    def _tell_scoring(self, events: Sequence[Event]) -> None:
        """Every label has its own headline."""
        labels = {rule.id: rule.at for rule in self.names.game.model.scoring}
        for label in dict.fromkeys(labels[event.name] for event in events):
            block = [event for event in events if labels[event.name] == label]
            title = self.names.style.headline(self.names.moment(label), "─")
            self.show(["", title, *self.scored(block, self.names)])
