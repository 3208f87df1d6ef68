"""Why points were given, and how the game stands."""

from __future__ import annotations

from typing import TYPE_CHECKING

from draftengine.diagnostics.render.text import width_of
from draftengine.engine.game import result
from draftengine.play.style import padded, plain

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
        cited = f"  [{', '.join(found[0].source)}]" if sources and found[0].source else ""
        lines.append(f"  {names.style.bold(names.label(rule))}{names.style.faint(names.style.safe(cited))}")
        for event in found:
            title = padded(names.seat(event.seat), names.seat_columns)
            why = names.style.faint(names.style.safe(event.text))
            lines.append(f"    {title}  {_signed(event.amount, names)}  {why}")
    return lines


def proof_lines(lines: Iterable[Line], names: Names) -> list[str]:
    """The proof of points: a block for each rule with its citation; for each seat points, arithmetic and cards."""
    blocks: dict[str, list[Line]] = {}
    for line in lines:
        blocks.setdefault(line.rule, []).append(line)
    shown: list[str] = []
    for rule, found in blocks.items():
        cited = f"  [{', '.join(found[0].source)}]" if found[0].source else ""
        shown.append(f"  {names.style.bold(names.label(rule))}{names.style.faint(names.style.safe(cited))}")
        for line in found:
            first = f"    {padded(names.seat(line.seat), names.seat_columns)}  {_signed(line.points, names)}  "
            words = names.style.faint(names.style.safe(line.text))
            shown.append(first + words)
            if line.cards:
                cards = names.cards(line.cards)
                wide = width_of(plain(first))
                shown += names.style.wrapped([f"{card}," for card in cards[:-1]] + cards[-1:], wide, " " * wide)
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
    rules = [(names.label(rule), row) for rule, row in found.rules.items()]
    lines = [*grid("", [*rows, ("Total", found.scores)], names), "", *grid("By rule", rules, names)]
    return [*lines, "", f"  {names.style.bold(verdict(found.winners, found.scores, names))}"]


def verdict(winners: Sequence[int], scores: Sequence[int], names: Names) -> str:
    """Who won, in a sentence."""
    titles = [names.seat(seat) for seat in winners]
    points = scores[winners[0]]
    if len(titles) > 1:
        return f"{', '.join(titles[:-1])} and {titles[-1]} share the victory with {points} points."
    return f"{names.does(winners[0], 'win')} with {points} points."


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
