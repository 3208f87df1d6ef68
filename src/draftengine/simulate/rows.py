"""A row for every game, written as they come: CSV, or Parquet."""

from __future__ import annotations

import csv
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

if TYPE_CHECKING:
    from draftengine.engine.program import Program
    from draftengine.simulate.playing import Chunk, Rows

from draftengine.simulate.playing import sources_of


class MissingExtraError(RuntimeError):
    """A package is needed that is not installed; the message says how to get it."""


def columns_of(program: Program) -> list[str]:
    """The columns: game, totals by seat, winners (as seats), points by rule and seat."""
    seats = range(program.seats)
    names: dict[str, int] = {}
    columns = ["game", *(f"total_{seat}" for seat in seats), "winners"]
    for source in sources_of(program):
        names[source] = names.get(source, 0) + 1
        name = source if names[source] == 1 else f"{source}_{names[source]}"
        columns += [f"{name}_{seat}" for seat in seats]
    return columns


class RowWriter:
    """Writes the rows of chunks to a file; ``.parquet`` files are made at the end. A context manager.

    Raises `MissingExtraError`, `OSError`.
    """

    def __init__(self, path: Path, program: Program, facts: dict[str, str]) -> None:
        self.path = path
        self.columns = columns_of(program)
        self.facts = facts
        self.seats = program.seats
        self.parquet = path.suffix == ".parquet"
        if self.parquet:
            _duckdb()
        with path.open("ab"):
            """Better now than after a million games: can the file be written at all."""

    def __enter__(self) -> Self:
        if self.parquet:
            self._folder = tempfile.TemporaryDirectory(prefix="draftengine-")
            self._text = Path(self._folder.name) / "rows.csv"
        else:
            self._text = self.path
        self._file = self._text.open("w", newline="", encoding="utf-8")
        self._writer = csv.writer(self._file)
        self._writer.writerow(self.columns)
        return self

    def write(self, chunk: Chunk) -> None:
        """Write the rows of a chunk."""
        self._writer.writerows(self._rows(chunk.first, chunk.rows))

    def _rows(self, first: int, rows: Rows) -> list[list[int | str]]:
        seats = self.seats
        return [
            [
                game,
                *row[:seats],
                " ".join(str(seat) for seat in range(seats) if row[seats] >> seat & 1),
                *row[seats + 1 :],
            ]
            for game, row in enumerate(rows, first)
        ]

    def __exit__(self, *_: object) -> None:
        self._file.close()
        if self.parquet:
            self._to_parquet()
            self._folder.cleanup()

    def _to_parquet(self) -> None:
        facts = ", ".join(f"{_quoted(key)}: {_quoted(value)}" for key, value in self.facts.items())
        connection = _duckdb().connect()
        connection.execute("SET preserve_insertion_order = true")
        source = f"read_csv({_quoted(str(self._text))}, header = true, types = {{'winners': 'VARCHAR'}})"
        connection.execute(
            f"COPY (SELECT * FROM {source}) TO {_quoted(str(self.path))} "  # noqa: S608 (nothing but our own names)
            f"(FORMAT parquet, COMPRESSION zstd, KV_METADATA {{{facts}}})"
        )
        connection.close()


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def _duckdb() -> Any:
    try:
        import duckdb  # noqa: PLC0415 (an extra)
    except ImportError:
        raise MissingExtraError("Parquet files need: pip install 'draftengine[data]' (or write a .csv).") from None
    return duckdb
