"""Rows of games and of choices, for CSV or Parquet files."""

from __future__ import annotations

import csv
import errno
import io
import re
import shutil
import tempfile
from contextlib import ExitStack
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Self

from draftengine.api.moves import named
from draftengine.engine.accounting import sources_of
from draftengine.engine.chance import Stream, key_of, root_of
from draftengine.engine.observe import observe
from draftengine.engine.policies import play_by
from draftengine.engine.state import initial_state
from draftengine.studies.runner.playing import needs_memory, policies_of
from draftengine.support.files import about, replacing
from draftengine.support.locale.phrases import ReasonedError
from draftengine.support.optional import needed_for

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from types import TracebackType

    from draftengine.api.game import Game
    from draftengine.engine.choose import Choice
    from draftengine.engine.moves import Move
    from draftengine.engine.program import Program
    from draftengine.engine.state import GameState
    from draftengine.studies.runner.playing import Rows


class MissingExtraError(ReasonedError, RuntimeError):
    """A required package is not installed. The message says how to install it."""


def columns_of(program: Program) -> list[str]:
    """Return the names of the columns: game, totals by seat, winners (as seats), points by rule and seat."""
    seats = range(program.seats)
    names: dict[str, int] = {}
    columns = ["game", *(f"total_{seat}" for seat in seats), "winners"]
    for source in sources_of(program):
        names[source] = names.get(source, 0) + 1
        name = source if names[source] == 1 else f"{source}_{names[source]}"
        columns += [f"{name}_{seat}" for seat in seats]
    return columns


def cells_of(seats: int, first: int, rows: Rows, columns: int) -> list[list[int | str]]:
    """Return the cells of the rows of games from number `first` on, cut to `columns` columns."""
    end = columns - 1  # the first column is the number of the game, which rows lack
    return [
        [
            game,
            *row[:seats],
            " ".join(str(seat) for seat in range(seats) if row[seats] >> seat & 1),
            *row[seats + 1 : end],
        ]
        for game, row in enumerate(rows, first)
    ]


class RowWriter:
    """A context manager that writes rows to a file. A ``.parquet`` file is made at the end.

    The file keeps its old content until all rows are written, and also if writing fails or there are no rows. Raises
    `MissingExtraError` and `OSError`.
    """

    def __init__(self, path: Path, columns: Sequence[str], facts: dict[str, str], texts: Sequence[str] = ()) -> None:
        """Set the names of all columns, the names of columns with texts, and facts to store with the rows."""
        self.path = path
        self.columns = columns
        self.facts = facts
        self.texts = texts
        self.parquet = path.suffix == ".parquet"
        self._stack = ExitStack()
        self._writer: Any = None
        if self.parquet and find_spec("duckdb") is None:
            raise MissingExtraError(needed_for("parquet", "data"))

    def __enter__(self) -> Self:
        return self

    def write(self, rows: Iterable[Sequence[int | str]]) -> None:
        """Write some rows. The first call writes a heading before them."""
        if self._writer is None:
            if not self.parquet:
                file = self._stack.enter_context(replacing(self.path))
                stream: io.TextIOBase = io.TextIOWrapper(file, encoding="utf-8", newline="")
                self._stack.callback(stream.flush)
            else:
                folder = Path(self._stack.enter_context(tempfile.TemporaryDirectory(prefix="draftengine-")))

                def convert(kind: object, *_: object) -> None:
                    if kind is None:
                        self._to_parquet(folder / "rows.csv", folder / "rows.parquet")

                self._stack.push(convert)
                self._stack.enter_context(about(self.path))
                stream = self._stack.enter_context((folder / "rows.csv").open("w", newline="", encoding="utf-8"))
            self._writer = csv.writer(stream)
            self._writer.writerow(self.columns)
        self._writer.writerows(rows)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool | None:
        return self._stack.__exit__(kind, error, trace)

    def _to_parquet(self, text: Path, made: Path) -> None:
        """Convert the CSV file into a Parquet file. Raise `OSError` with the reason."""
        import duckdb  # noqa: PLC0415 (an extra)

        types = ", ".join(f"{_quoted(name)}: 'VARCHAR'" for name in self.texts)
        whole = ", ".join(map(_quoted, self.texts))  # no cards are an empty text, not NULL
        source = f"read_csv({_quoted(str(text))}, header = true, types = {{{types}}}, force_not_null = [{whole}])"
        metadata = ", ".join(f"{_quoted(key)}: {_quoted(value)}" for key, value in self.facts.items())
        try:
            with duckdb.connect() as connection:
                connection.execute("SET preserve_insertion_order = true")
                connection.execute(
                    f"COPY (SELECT * FROM {source}) TO {_quoted(str(made))} "  # noqa: S608 (nothing but our own names)
                    f"(FORMAT parquet, COMPRESSION zstd, KV_METADATA {{{metadata}}})"
                )
        except duckdb.Error as error:
            problem = str(error).splitlines()[0]
            number = re.search(r'"errno":"(\d+)"', problem)
            raise OSError(int(number[1]) if number else errno.EIO, problem, str(self.path)) from error
        with made.open("rb") as written, replacing(self.path) as file:
            shutil.copyfileobj(written, file)


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


class ChoiceRow(NamedTuple):
    """One choice of one seat. Cards are names separated by spaces, in alphabetical order."""

    game: int
    round: int
    turn: int
    seat: int
    bot: str
    offered: str
    """The cards from which the seat could choose."""
    move: str
    """The cards that the seat took, and how it took them."""
    tableau: str
    """The cards in front of the seat before its choice."""


CHOICE_TEXTS = ("bot", "offered", "move", "tableau")
"""The columns of choices that contain texts."""


def choices_of(game: Game, bots: Sequence[str], seed: int | str, first: int, last: int) -> Iterator[ChoiceRow]:
    """Yield the choices of the games `first` to `last - 1` of a seed, in the order of play."""
    for number in range(first, last):
        yield from _choices_in(game.program, bots, root_of(seed), number)


def write_choices(path: Path, game: Game, bots: Sequence[str], seed: int | str, games: int) -> None:
    """Write the choices of the first games of a seed to a file (see `RowWriter`)."""
    with RowWriter(path, ChoiceRow._fields, facts_of(game, bots, seed), CHOICE_TEXTS) as writer:
        writer.write(choices_of(game, bots, seed, 0, games))


def facts_of(game: Game, bots: Sequence[str], seed: int | str) -> dict[str, str]:
    """Return the facts to store with rows: what was played."""
    return {"cardset": game.id, "hash": game.fingerprint, "seed": str(seed), "bots": ",".join(bots)}


def _choices_in(program: Program, bots: Sequence[str], root: int, number: int) -> list[ChoiceRow]:
    state = initial_state(program, root, number, memory=needs_memory(bots))
    rows: list[ChoiceRow] = []

    def note(choice: Choice, chosen: Mapping[int, Move]) -> None:
        for seat, move in sorted(chosen.items()):
            zone, tableau = program.zones[choice.source], _names(state, state.zones[program.tableau][seat])
            if zone.layout:  # only the cards that lie face up can be chosen
                views = (view for view in observe(state, seat).zones if view.zone == zone.id)
                offered = " ".join(sorted(name for view in views for _, name, _ in view.places if name))
            else:
                lying = (state.zones[place] for place in choice.sources)
                offered = _names(state, [card for owners in lying for card in owners[seat if len(owners) > 1 else 0]])
            taken = str(named(program, choice, move))
            rows.append(ChoiceRow(number, state.round, state.turn, seat, bots[seat], offered, taken, tableau))

    play_by(state, policies_of(program, bots, root, number), Stream(key_of(root, number, "bot")), note=note)
    return rows


def _names(state: GameState, cards: Sequence[int]) -> str:
    return " ".join(sorted(state.program.plays[card].name for card in cards))
