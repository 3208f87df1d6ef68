"""Texts of the log, of pages over the table, and of score sheets.

Messages are shared with the line-by-line terminal. A score sheet has a row for each rule, a column for each seat, and
reasons below the rules that are opened.
"""

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
from draftengine.apps.play.score_board import lead, verdict
from draftengine.apps.play.terminal_style import padded
from draftengine.apps.tui import widgets as drawing
from draftengine.apps.tui.styles import blank, cropped, fitted, joined, separated, wide, wrapped
from draftengine.support.text import width_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from draftengine.api.phrasing.events import Happening
    from draftengine.api.records import Event, Result
    from draftengine.api.scenario.score_tables import GameScores
    from draftengine.api.score_sheets import Row, Sheet
    from draftengine.apps.play.labels import Names
    from draftengine.apps.play.move_builder import MoveBuilder
    from draftengine.apps.play.score_board import Scoring
    from draftengine.apps.tui.scene import Faces, Scene
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
    """Return a page with the lines that `lines_of` makes for the width of the page."""

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
    """Return a page with keys and their meanings (see `help_texts.in_words`)."""
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
    """Return the page with the best ways to go on and the keys for them."""
    return printed(lambda names: reviews.hint(picking, hints, names, keys), names, pen)


def why(scene: Scene, scored: Sequence[Scoring], names: Names, pen: Pen) -> Draw:
    """Return the page with the points that all cards would give now, and the reasons for points so far."""

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
    """Makes the lines of the log from events, with only what one seat may know."""

    def __init__(self, names: Names, viewer: int) -> None:
        self.names = names
        self.turn = 0
        self._teller = EventTeller(names.game, viewer)
        self._phraser = EventPhraser(names)

    def tell(self, events: Iterable[Event], pen: Pen) -> list[Text]:
        """Return lines about events. Cards revealed together share one line, and their effects follow."""
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
                pen.plain(self.names.style.comma.join(self.names.words(reveal.event.cards))),
            )
            for reveal in revealed
        ]
        lines = [joined(self._stamp(pen), separated(parts, pen.muted(" · ")))] if parts else []
        return [*lines, *(line for happening in following for line in self._other(happening, pen))]

    def goes_on_in(self, turn: int) -> None:
        """Set the turn of the events that follow, unless `turn` is 0.

        A choice after the last repetition is a turn, too, but no event says so.
        """
        self.turn = turn or self.turn

    def _stamp(self, pen: Pen) -> Text:
        return pen.muted(f"T{self.turn} ") if self.turn else pen.text("")

    def _other(self, happening: Happening, pen: Pen) -> list[Text]:
        """Return the lines about a happening other than a reveal, as on the table that is shown line by line."""
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


_WIDEST_COLUMN = 14
_INDENT = 6


class SheetView:
    """The score sheets of a game, beginning with the newest, and the rule that is selected in them."""

    def __init__(
        self,
        names: Names,
        faces: Faces,
        pen: Pen,
        sheets: Sequence[Sheet],
        *,
        result: Result | GameScores | None = None,
        missing: Sequence[str] = (),
    ) -> None:
        """Show the sheets of a game with its `result`. Without a result, sentences (`missing`) say why."""
        self._sheets = sheets
        self._names = names
        self._faces = faces
        self._pen = pen
        self._result = result
        self._missing = missing
        self._page = len(sheets) - 1
        self._row = 0
        self._open: set[str] = set()
        self.counted: int | None = None
        """The number of rules that are counted so far; ``None`` if all are counted and the sums are shown."""

    @property
    def pages(self) -> int:
        """The number of sheets."""
        return len(self._sheets)

    def key_line(self, ends: str) -> str:
        """Return the line that explains the keys. `ends` names the keys that close the sheets."""
        return self._pen.say("screen.sheet_keys.rounds" if self.pages > 1 else "screen.sheet_keys", ends=ends)

    @property
    def _sheet(self) -> Sheet:
        return self._sheets[self._page]

    @property
    def title(self) -> str:
        """The title of the sheet: its round, the end of the game, or the result."""
        rounds = self._names.game.model.rounds
        if self._result is not None and self._page == self.pages - 1:
            return self._names.say("sheet.over")
        if self._sheet.round > rounds:
            return self._names.say("h.end")
        if rounds > 1:
            key = "now.round" if self._names.game.model.last_round else "now.round.open"
            return self._names.say(key, number=self._sheet.round, rounds=rounds)
        return self._names.say("sheet.scores")

    def count(self) -> bool:
        """Show the points of one more rule. Return False once all are shown."""
        if self.counted is not None:
            self.counted = self.counted + 1 if self.counted < len(self._sheet.rows) else None
        return self.counted is not None

    def by(self, rows: int) -> None:
        """Move the selection down by `rows` rules."""
        self._row = max(0, min(len(self._sheet.rows) - 1, self._row + rows))

    def turn(self, pages: int) -> None:
        """Move `pages` sheets forward, or back if the number is negative, to the first rule."""
        self._page = max(0, min(self.pages - 1, self._page + pages))
        self._row = 0

    def toggle(self) -> None:
        """Open or close the line of the selected rule."""
        self._open ^= {row.rule for row in self._sheet.rows[self._row : self._row + 1]}

    def toggle_all(self) -> None:
        """Show the reasons for all rules, or hide them if all are shown."""
        every = {row.rule for row in self._sheet.rows}
        self._open = set() if every <= self._open else every

    def lines(self, columns: int) -> tuple[list[Text], int]:
        """Return the lines of the sheet, and the index of the selected rule's line."""
        pen, seats = self._pen, self._names.game.seats
        each = max(5, min(_WIDEST_COLUMN, (columns - 18) // seats))
        first = min(26, columns - each * seats)
        total_columns = first + each * seats
        heads = []
        for seat in range(seats):
            title = cropped(joined(pen.accent(f"{pen.mark(seat)} "), pen.bold(self._names.seat(seat))), each - 1)
            heads += [blank(each - wide(title)), title]
        lines = [joined(blank(first), *heads), pen.muted("─" * total_columns)]
        position = 0
        for number, row in enumerate(self._sheet.rows):
            current = number == self._row
            position = len(lines) if current else position
            line = self._row_line(row, first, each, current=current)
            lines.append(line if self.counted is None or number < self.counted else cropped(line, first, ""))
            if row.rule in self._open:
                lines += self._reasons(row, columns)
                position = len(lines) if current else position
        lines.append(pen.muted("─" * total_columns))
        counted = len(lines)
        given, earlier = self._sheet.total(seats), [sheet.total(seats) for sheet in self._sheets[: self._page]]
        before = [sum(total[seat] for total in earlier) for seat in range(seats)]
        if any((*given, *before)):
            lines.append(self._sum(pen.say("sheet.before"), before, first, each, strong=False))
            at_the_end = self._sheet.round > self._names.game.model.rounds
            moment = pen.say("at_the_end" if at_the_end else "this_round")
            lines.append(self._sum(moment, given, first, each, strong=False))
        points = [old + more for old, more in zip(before, given, strict=True)]
        if self._result is not None and self._page == self.pages - 1:
            chips = [score - amount for score, amount in zip(self._result.scores, points, strict=True)]
            if any(chips):
                lines.append(self._sum(pen.say("standing.chips"), chips, first, each, strong=False))
            points = list(self._result.scores)
        if any(points):
            lines.append(self._sum(pen.say("sheet.points.row"), points, first, each, strong=True))
        if self._result is not None:
            text = [verdict(self._result.winners, self._result.scores, self._names)]
        else:
            text = [*self._missing] or [lead(points, self._names)]
        lines += [blank(), *(line for own in text for line in wrapped(pen.accent(own), columns))]
        if self.counted is not None:  # the sums keep their room until then
            return [*lines[:counted], *(blank(wide(line)) for line in lines[counted:])], counted
        return lines, position

    def _row_line(self, row: Row, first: int, each: int, *, current: bool) -> Text:
        pen = self._pen
        opened = row.rule in self._open
        mark = "▾ " if opened else "▸ "
        reason = self._names.reason(row.rule)
        label = reason[:1].upper() + reason[1:]
        label = pen.say("sheet.chips.rule", rule=label) if row.chips else label
        title = fitted(joined(pen.focus(mark) if current else pen.muted(mark), pen.plain(label)), first)
        if current:
            title.stylize(f"reverse {pen.palette.focus}", 2, 2 + len(label))
        best = max(row.points)
        cells = []
        for amount in row.points:
            words = "–" if not amount else f"[{amount}]" if amount == best and amount > 0 else f"{amount} "
            write = pen.muted if not amount else pen.bad if amount < 0 else pen.good
            cells += [blank(each - wide(words.ljust(2))), write(words.ljust(2))]
        return joined(title, *cells)

    def _reasons(self, row: Row, columns: int) -> list[Text]:
        pen, names = self._pen, self._names
        lines: list[Text] = []
        for entry in row.entries:
            signs = " ".join(self._faces.sign(name) for name in entry.cards)
            text = names.style.safe(names.why(entry)) or names.decimal(f"{entry.points:+d}")
            line = joined(
                blank(4),
                pen.accent(f"{pen.mark(entry.seat)} "),
                pen.bold(f"{names.seat(entry.seat)}  "),
                pen.plain(f"{signs}  " if signs else ""),
                pen.muted(text),
            )
            lines += wrapped(line, columns, _INDENT)
        return lines

    def _sum(self, label: str, points: Sequence[int], first: int, each: int, *, strong: bool) -> Text:
        pen = self._pen
        write = pen.bold if strong else pen.plain
        return joined(fitted(write(f"  {label}"), first), *(write(f"{amount} ".rjust(each)) for amount in points))
