"""Rule kind *table*: a list gives the points for 1 card, 2 cards, 3 cards and so on.

`beyond` decides about a count beyond the end of the list: it scores like the last entry (`last`), starts the table over
(`repeat`) or scores nothing (`nothing`). A count of 0 or less scores `none`.

soup: {table: soup, points: [1, 3, 6], beyond: repeat}      # 4 soups: 6 + 1 = 7
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

from draftengine.model.rules.kind import (
    CONSTANT,
    Count,
    N,
    OneSeatKind,
    QuickReference,
    count,
    number,
    numbers,
    rule_kind,
    word,
)
from draftengine.support.locale.catalogue import abridged, as_note, in_print, row, signed
from draftengine.support.locale.phrases import said, summed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from draftengine.model.rules.kind import Phraser
    from draftengine.support.locale.phrases import Phrase

Beyond = Literal["last", "repeat", "nothing"]

BEYOND = {
    "last": "counts as the last number of the table",
    "repeat": "the table starts over",
    "nothing": "scores nothing",
}


_MOST_SHOWN = 6
"""The largest number of cards for which an example gives the points."""


@rule_kind("table", "Points by number, from a table")
class Table(OneSeatKind[N], frozen=True, kw_only=True):
    of: Annotated[
        Count, count("The number to count, often the number of cards with a name.", "soup", "kinds(soup, bread)")
    ]
    points: Annotated[
        tuple[N, ...], CONSTANT, numbers("Points", "The points for 1, 2, 3 and so on.", [1, 3, 6, 10, 15], longest=100)
    ]
    beyond: Annotated[Beyond, word(BEYOND, "Beyond the table", "The points for a number beyond the table.")] = "last"
    none: Annotated[
        N | None, CONSTANT, number("Points for none", "The points for a number of 0 or less.", -2, default=0)
    ] = None

    def score(self: Table[int], values: Sequence[int]) -> int:
        (count,) = values
        if count <= 0:
            return self.none or 0
        return sum(self.points[part - 1] for part in self.parts(count))

    def parts(self: Table[int], count: int) -> list[int]:
        """Return the numbers of the table's entries, counted from 1, whose points are added up for a count.

        If a table with three entries starts over, the result for a count of 7 is 3, 3 and 1.
        """
        length = len(self.points)
        if count <= length:
            return [count]
        if self.beyond == "repeat":
            rounds, rest = divmod(count, length)
            return [length] * rounds + [rest] * (rest > 0)
        return [length] if self.beyond == "last" else []

    def sum_of_parts(self: Table[int], count: int) -> tuple[str, str]:
        """Return the entries of a count as a sum, ``3 + 3 + 1``, and their points, ``6 + 6 + 1``."""
        parts = self.parts(count)
        return summed(parts), summed([self.points[part - 1] for part in parts])

    def explain(self: Table[int], values: Sequence[int], points: int) -> Phrase:
        (count,) = values
        length, total = len(self.points), str(points)
        if count <= 0:
            return said("why.table.none", points=total)
        if count <= length:
            return said("why.table", count=count, points=total)
        if self.beyond != "repeat":
            return said(f"why.table.{self.beyond}", count=count, length=length, points=total)
        parts, added = self.sum_of_parts(count)
        return said("why.table.parts", count=count, parts=parts, sum=added, points=total)

    def sentence(self, numbers: Table[int], phraser: Phraser) -> str:
        of, points = phraser.noun(self.of), numbers.points
        cells = [(str(count), f"**{signed(value)}**") for count, value in enumerate(points, start=1)]
        if numbers.beyond == "last":
            cells[-1] = phraser.phrase("or_more", count=cells[-1][0]), cells[-1][1]
        rising = list(points) == sorted(set(points)) and points[0] > 0
        sentences = [phraser.phrase("table.rising" if rising else "table", of=of, row=row(cells))]
        sentences += numbers.beyond_table(phraser)
        if self.none is not None and numbers.none:
            key = "table.none_loses" if numbers.none < 0 else "table.none"
            sentences.append(phraser.phrase(key, of=of, points=abs(numbers.none)))
        return phraser.phrase("space").join(sentences)

    def beyond_table(self: Table[int], phraser: Phraser) -> list[str]:
        """Return a sentence about counts beyond the table; none if they score like the last entry."""
        if self.beyond == "last":
            return []
        return [phraser.phrase(f"table.{self.beyond}", count=len(self.points) + 1)]

    def quick_reference(self, numbers: Table[int], phraser: Phraser) -> QuickReference:
        cells = [(str(count), signed(points)) for count, points in enumerate(numbers.points, start=1)]
        heads = [head for head, _ in cells]
        if numbers.beyond == "last":
            heads[-1] = phraser.phrase("or_more", count=heads[-1])
            cells[-1] = f"{cells[-1][0]}+", cells[-1][1]
        if numbers.none:
            cells.insert(0, ("0", signed(numbers.none)))
            heads.insert(0, "0")
        counts = phraser.phrase("quick.number", list=phraser.join_list(abridged(heads), "comma"))
        return QuickReference(counts, tuple(cells), notes=tuple(map(as_note, numbers.beyond_table(phraser))))

    def example_text(self: Table[int], values: Sequence[int], _points: int, phraser: Phraser) -> str:
        (count,) = values
        if count > len(self.points) and self.beyond == "last":
            return phraser.phrase("told.as", count=count, limit=len(self.points))
        if count > len(self.points) and self.beyond == "repeat":
            parts, added = self.sum_of_parts(count)
            return phraser.phrase("told.parts", count=count, parts=parts, points=in_print(added))
        return phraser.phrase("told.count", count=max(count, 0))

    def example_values(self: Table[int]) -> tuple[tuple[int, ...], ...]:
        return ((min(len(self.points) + 1, _MOST_SHOWN),), (2,))
