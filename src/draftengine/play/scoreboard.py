"""Why points were given, and how the game stands."""

from __future__ import annotations

from typing import TYPE_CHECKING

from draftengine.diagnostics.render.text import width_of
from draftengine.engine.game import result
from draftengine.play.style import padded, plain
from draftengine.rules.words import counted, listed

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from draftengine.engine.events import Event
    from draftengine.engine.explain import Line
    from draftengine.engine.state import State
    from draftengine.play.names import Names


def reasons(events: Iterable[Event], names: Names, *, sources: bool = False) -> list[str]:
    """The points of rules with their arithmetic: a block for each rule, a line for each seat."""
    blocks: dict[str, list[Event]] = {}
    for event in events:
        if event.kind == "points" and event.text:
            blocks.setdefault(event.name, []).append(event)
    lines: list[str] = []
    for rule, found in blocks.items():
        lines.append(_heading(rule, found[0].source if sources else (), names))
        for event in found:
            lines += _why(event.seat, event.amount, event.text, names)
    return lines


def _heading(rule: str, source: Sequence[str], names: Names) -> str:
    """The name of a rule with what it cites."""
    cited = f"  [{', '.join(source)}]" if source else ""
    return f"  {names.style.bold(names.reason(rule))}{names.style.faint(names.style.safe(cited))}"


def _why(seat: int, points: int, text: str, names: Names, cards: Sequence[str] = ()) -> list[str]:
    """Why a seat gets points: the arithmetic, and below it the cards."""
    style = names.style
    first = f"    {padded(names.seat(seat), names.seat_columns)}  {_signed(points, names)}  "
    wide = width_of(plain(first))
    lines = style.wrapped([style.faint(word) for word in style.safe(text).split()], wide, first)
    return [*lines, *style.listed(names.cards(cards), " " * wide)] if cards else lines


def proof_lines(lines: Iterable[Line], names: Names) -> list[str]:
    """The proof of points: a block for each rule with its citation; for each seat points, arithmetic and cards."""
    blocks: dict[str, list[Line]] = {}
    for line in lines:
        blocks.setdefault(line.rule, []).append(line)
    shown: list[str] = []
    for rule, found in blocks.items():
        shown.append(_heading(rule, found[0].source, names))
        for line in found:
            shown += _why(line.seat, line.points, line.text, names, line.cards)
    return shown


def _signed(points: int, names: Names) -> str:
    text = f"{points:>4}"
    if points > 0:
        return names.style.good(text)
    return names.style.bad(text) if points < 0 else names.style.faint(text)


def final(state: State, names: Names) -> list[str]:
    """Points by round and rule, totals, and who won."""
    found = result(state)
    last = state.program.model.rounds
    rows = [(f"Round {number}" if number <= last else "End", row) for number, row in enumerate(found.rounds, 1)]
    rows = rows if any(any(row) for _, row in rows) else []
    chips = [row for name, row in found.rules.items() if name in {pile.id for pile in state.program.model.chips}]
    if chips:
        rows.append(("Chips", tuple(map(sum, zip(*chips, strict=True)))))
    rules = [(names.reason(rule), row) for rule, row in found.rules.items()]
    lines = [*grid("", [*rows, ("Total", found.scores)], names), "", *grid("By rule", rules, names)]
    return [*lines, "", f"  {names.style.bold(verdict(found.winners, found.scores, names))}"]


def verdict(winners: Sequence[int], scores: Sequence[int], names: Names) -> str:
    """Who won, in a sentence."""
    points = counted(scores[winners[0]], "point")
    if len(winners) > 1:
        said = f"{listed([names.seat(seat) for seat in winners])} share the victory with {points}"
    else:
        said = f"{names.does(winners[0], 'win')} with {points}"
    level = list(scores[: names.program.players]).count(scores[winners[0]]) > len(winners)
    return f"{said}, {_by_tie_breakers(names)}." if level else f"{said}."


def _by_tie_breakers(names: Names) -> str:
    """What decided among seats with as many points."""
    breakers = names.program.model.winner.tie_breakers
    return f"ahead by {listed([f'{own.order} {names.called(own.measure)}' for own in breakers])}"


def grid(title: str, rows: Sequence[tuple[str, Sequence[int]]], names: Names) -> list[str]:
    """A table of numbers with a column for each seat; the row called Total stands out."""
    wide = max(width_of(title), *(width_of(own) for own, _ in rows)) if rows else width_of(title)
    heads = names.heads(names.style.columns - wide - 2)
    columns = [max(5, width_of(head)) + 2 for head in heads]
    lines = [f"  {padded(title, wide)}{''.join(map(_right, heads, columns))}"]
    for own, row in rows:
        line = f"  {padded(own, wide)}{''.join(map(_right, map(str, row), columns))}"
        lines.append(names.style.bold(line) if own == "Total" else line)
    return lines


def _right(text: str, columns: int) -> str:
    return " " * (columns - width_of(text)) + text
