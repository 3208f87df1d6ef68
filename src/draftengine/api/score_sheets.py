"""Score sheets: points by round, rule and seat, with the counted cards and the calculation."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

if TYPE_CHECKING:
    from collections.abc import Iterable

    from draftengine.api.game import Game
    from draftengine.engine.events import Event
    from draftengine.support.locale.catalogue import Catalogue
    from draftengine.support.locale.phrases import Phrase


class Entry(Struct, frozen=True):
    """Points or chips that a seat got from one source, with the reason."""

    seat: int
    points: int
    """The number of points, or of chips if the row is about chips."""
    cards: tuple[str, ...]
    text: str
    """The calculation in English; empty for points that no scoring rule gave."""
    why: Phrase | None = None
    """The calculation as a message for all languages; ``None`` if there is only `text`."""

    def within(self, catalogue: Catalogue) -> str:
        """Return the calculation in the language of a catalogue."""
        return self.why.within(catalogue) if self.why is not None else self.text


class Row(Struct, frozen=True):
    """Points or chips that all seats got in a round from one source: a rule, trigger, action or card."""

    rule: str
    chips: bool
    """True if the row is about chips instead of points."""
    points: tuple[int, ...]
    """The number of points, or of chips, by seat."""
    entries: tuple[Entry, ...]


class Sheet(Struct, frozen=True):
    """Points of one round. Points at the end of the game belong to the last round."""

    round: int
    rows: tuple[Row, ...]

    def total(self, seats: int) -> tuple[int, ...]:
        """Return the points of each seat, without chips."""
        rows = [row.points for row in self.rows if not row.chips]
        return tuple(sum(row[seat] for row in rows) for seat in range(seats))


def is_idle(game: Game, rule: str, points: Iterable[int]) -> bool:
    """True if a rule is that of a card and gave nobody anything, so that tables of points leave it out."""
    return not any(points) and any(scored.id == rule and scored.card for scored in game.model.scoring)


def sheets(game: Game, story: Iterable[Event]) -> tuple[Sheet, ...]:
    """Return a sheet for every round in which points or chips were given.

    `story` has the events of the game. Rows of cards that gave nobody anything are left out.
    """
    finished: list[Sheet] = []
    number, entries = 0, list[tuple[str, bool, Entry]]()
    for event in story:
        if event.kind == "round-started":
            finished += [_without_idle(game, sheet_of(game, number, entries))] if entries else []
            number, entries = event.amount, []
        elif event.kind in {"points", "awarded"} and number:
            given = Entry(event.seat, event.amount, event.cards, event.text, event.why)
            entries.append((event.name, event.kind == "awarded", given))
    return (*finished, *([_without_idle(game, sheet_of(game, number, entries))] if entries else []))


def _without_idle(game: Game, sheet: Sheet) -> Sheet:
    return Sheet(sheet.round, tuple(row for row in sheet.rows if not is_idle(game, row.rule, row.points)))


def sheet_of(game: Game, number: int, entries: Iterable[tuple[str, bool, Entry]]) -> Sheet:
    """Return the sheet of round `number`. `entries` has (source, True if it gave chips, entry)."""
    rows: dict[tuple[str, bool], list[Entry]] = {}
    for rule, chips, entry in entries:
        rows.setdefault((rule, chips), []).append(entry)
    return Sheet(
        number,
        tuple(
            Row(
                rule,
                chips,
                tuple(sum(entry.points for entry in given if entry.seat == seat) for seat in range(game.seats)),
                tuple(given),
            )
            for (rule, chips), given in rows.items()
        ),
    )
