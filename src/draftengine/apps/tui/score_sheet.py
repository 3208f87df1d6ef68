"""A score sheet as lines: a row for each rule, a column for each seat, and reasons below open rules."""

from __future__ import annotations

from typing import TYPE_CHECKING

from draftengine.apps.play.score_board import lead, verdict
from draftengine.apps.tui.styles import blank, cropped, fitted, joined, wide, wrapped

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.text import Text

    from draftengine.api.records import Result
    from draftengine.api.scenario.score_tables import GameScores
    from draftengine.api.score_sheets import Row, Sheet
    from draftengine.apps.play.labels import Names
    from draftengine.apps.tui.scene import Faces
    from draftengine.apps.tui.styles import Pen

_WIDEST_COLUMN = 14
_INDENT = 6


class SheetView:
    """Score sheets of a game, opened at the newest, with one rule selected."""

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
        """Show the sheets of a game with its `result`. Without a result, the sentences `missing` say why."""
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
        """Return the line with the keys; `ends` names the keys that close the sheets."""
        return self._pen.say("screen.sheet_keys.rounds" if self.pages > 1 else "screen.sheet_keys", ends=ends)

    @property
    def _sheet(self) -> Sheet:
        return self._sheets[self._page]

    @property
    def title(self) -> str:
        """The title: round, end of the game, or result."""
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
        """Count one more rule. Return False once all rules are counted."""
        if self.counted is not None:
            self.counted = self.counted + 1 if self.counted < len(self._sheet.rows) else None
        return self.counted is not None

    def by(self, rows: int) -> None:
        """Move the selection by `rows`."""
        self._row = max(0, min(len(self._sheet.rows) - 1, self._row + rows))

    def turn(self, pages: int) -> None:
        """Turn by `pages` sheets, and select the first rule."""
        self._page = max(0, min(self.pages - 1, self._page + pages))
        self._row = 0

    def toggle(self) -> None:
        """Open the selected rule, or close it again."""
        self._open ^= {row.rule for row in self._sheet.rows[self._row : self._row + 1]}

    def toggle_all(self) -> None:
        """Open all rules; close them if all are open."""
        every = {row.rule for row in self._sheet.rows}
        self._open = set() if every <= self._open else every

    def lines(self, columns: int) -> tuple[list[Text], int]:
        """Return the lines of the sheet, and the line of the selected rule."""
        pen, seats = self._pen, self._names.game.seats
        each = max(5, min(_WIDEST_COLUMN, (columns - 18) // seats))
        first = min(26, columns - each * seats)
        total_columns = first + each * seats
        lines = [self._heads(first, each), pen.muted("─" * total_columns)]
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

    def _heads(self, first: int, each: int) -> Text:
        pen = self._pen
        heads = []
        for seat in range(self._names.game.seats):
            title = cropped(joined(pen.accent(f"{pen.mark(seat)} "), pen.bold(self._names.seat(seat))), each - 1)
            heads += [blank(each - wide(title)), title]
        return joined(blank(first), *heads)

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
