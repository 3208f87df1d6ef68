"""A score sheet as lines: rules down, seats across, and below a rule that is open why each seat got what it got."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from draftengine.apps.play.score_board import lead, verdict
from draftengine.apps.tui.lines import blank, cropped, fitted, joined, wide, wrapped

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.text import Text

    from draftengine.api.score_sheets import Row, Sheet
    from draftengine.apps.play.card_glyphs import Faces
    from draftengine.apps.play.labels import Names
    from draftengine.apps.tui.styles import Pen

_WIDEST_COLUMN = 14
_INDENT = 6


class Ending(Protocol):
    """How a game has ended."""

    @property
    def scores(self) -> tuple[int, ...]: ...
    @property
    def winners(self) -> tuple[int, ...]: ...


def sheet_view(
    names: Names, faces: Faces, pen: Pen, found: Sequence[Sheet], *, result: Ending | None = None
) -> SheetView | None:
    """The sheets of a game, the newest first to be seen; ``None`` if nothing was given yet."""
    total, before = [0] * names.game.seats, []
    for own in found:
        before.append(tuple(total))
        total = [sum(pair) for pair in zip(total, own.total(len(total)), strict=True)]
    return SheetView(found, names, faces, pen, before=before, result=result) if found else None


class SheetView:
    """The sheets of a game, one round at a time, with the rule at which the reader is."""

    def __init__(
        self,
        sheets: Sequence[Sheet],
        names: Names,
        faces: Faces,
        pen: Pen,
        *,
        before: Sequence[Sequence[int]] = (),
        result: Ending | None = None,
    ) -> None:
        """`before` are the points that seats had before each sheet; `result` is the end of a finished game."""
        self._sheets = sheets
        self._names = names
        self._faces = faces
        self._pen = pen
        self._before = before
        self._result = result
        self._page = len(sheets) - 1
        self._row = 0
        self._open: set[str] = set()

    @property
    def pages(self) -> int:
        """How many sheets there are."""
        return len(self._sheets)

    @property
    def _sheet(self) -> Sheet:
        return self._sheets[self._page]

    @property
    def title(self) -> str:
        """Which round it is."""
        rounds = self._names.game.model.rounds
        last = self._result is not None and self._page == self.pages - 1
        if last:
            return "The game is over"
        return f"Round {self._sheet.round} of {rounds}" if rounds > 1 else "Scores"

    def by(self, rows: int) -> None:
        """Go to another rule."""
        self._row = max(0, min(len(self._sheet.rows) - 1, self._row + rows))

    def turn(self, pages: int) -> None:
        """Go to another round."""
        self._page = max(0, min(self.pages - 1, self._page + pages))
        self._row = 0

    def toggle(self) -> None:
        """Open or close the rule."""
        self._open ^= {self._sheet.rows[self._row].rule}

    def toggle_all(self) -> None:
        """Open all rules; close them if they are open."""
        every = {row.rule for row in self._sheet.rows}
        self._open = set() if every <= self._open else every

    def lines(self, columns: int) -> tuple[list[Text], int]:
        """The sheet for a number of columns, and in which line the reader is."""
        pen, seats = self._pen, self._names.game.seats
        each = max(5, min(_WIDEST_COLUMN, (columns - 18) // seats))
        first = min(26, columns - each * seats)
        total_columns = first + each * seats
        lines = [self._heads(first, each), pen.muted("─" * total_columns)]
        at = 0
        for number, row in enumerate(self._sheet.rows):
            current = number == self._row
            at = len(lines) if current else at
            lines.append(self._row_line(row, first, each, current=current))
            if row.rule in self._open:
                lines += self._reasons(row, columns)
                at = len(lines) if current else at
        lines.append(pen.muted("─" * total_columns))
        given = self._sheet.total(seats)
        if self._before and any((*given, *self._before[self._page])):
            lines.append(self._sum("Before", self._before[self._page], first, each, strong=False))
            lines.append(self._sum("This round", given, first, each, strong=False))
        before = self._before[self._page] if self._before else [0] * seats
        points = [own + more for own, more in zip(before, given, strict=True)]
        if self._result is not None and self._page == self.pages - 1:
            chips = [score - own for score, own in zip(self._result.scores, points, strict=True)]
            if any(chips):
                lines.append(self._sum("Chips", chips, first, each, strong=False))
            points = list(self._result.scores)
        if any(points):
            lines.append(self._sum("Points", points, first, each, strong=True))
        if self._result is not None:
            said = verdict(self._result.winners, self._result.scores, self._names)
        else:
            said = lead(points, self._names)
        return [*lines, blank(), *wrapped(pen.accent(said), columns)], at

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
        label = reason[:1].upper() + reason[1:] + (" (chips)" if row.chips else "")
        shown = fitted(joined(pen.focus(mark) if current else pen.muted(mark), pen.plain(label)), first)
        if current:
            shown.stylize(f"reverse {pen.palette.focus}", 2, 2 + len(label))
        best = max(row.points)
        cells = []
        for own in row.points:
            words = "–" if not own else f"[{own}]" if own == best and own > 0 else f"{own} "
            write = pen.muted if not own else pen.bad if own < 0 else pen.good
            cells += [blank(each - wide(words.ljust(2))), write(words.ljust(2))]
        return joined(shown, *cells)

    def _reasons(self, row: Row, columns: int) -> list[Text]:
        pen, names = self._pen, self._names
        lines: list[Text] = []
        for own in row.entries:
            signs = " ".join(self._faces.sign(name) for name in own.cards)
            text = names.style.safe(own.text) or f"{own.points:+d}"
            said = joined(
                blank(4),
                pen.accent(f"{pen.mark(own.seat)} "),
                pen.bold(f"{names.seat(own.seat)}  "),
                pen.plain(f"{signs}  " if signs else ""),
                pen.muted(text),
            )
            lines += wrapped(said, columns, _INDENT)
        return lines

    def _sum(self, label: str, points: Sequence[int], first: int, each: int, *, strong: bool) -> Text:
        pen = self._pen
        write = pen.bold if strong else pen.plain
        return joined(fitted(write(f"  {label}"), first), *(write(f"{own} ".rjust(each)) for own in points))
