"""The section of a report about drafts."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from draftengine.studies.draft.conclusions import BIDS, number, part
from draftengine.studies.report.charts import Axis, Cell, Point, framed, graded, rows, shaded, table
from draftengine.studies.report.numbers import figure, percent

if TYPE_CHECKING:
    from collections.abc import Callable

    from draftengine.studies.draft.summary import DraftCard, DraftSummary, DraftTurn, MeanRegret

_FEW = 30
"""Shares of fewer copies than this say nothing, and are left out of the picture."""


def section(found: DraftSummary, of: int, seats: list[str]) -> str:
    """The section, for a simulation of so many games; seats as they are called."""
    games = f"the first {found.games:,} of {of:,}" if found.games < of else f"all {of:,}"
    about = (
        f"<p>From {found.choices:,} choices in {games} games. Taken before: the chance that a copy is taken before one "
        "of an average card in the same hand (Bradley and Terry’s model). In turn: the turn of the round in which it "
        f"is taken, on average.{_about_passing(found)}{f' {BIDS}' if found.bids else ''}</p>"
    )
    listed = table(_head(found), [_row(found, card) for card in found.cards.values()])
    return f"<h2>Draft</h2>{about}{listed}{_picks(found)}{_heats(found)}{_regret(found, seats)}"


def _about_passing(found: DraftSummary) -> str:
    if not found.passes:
        return ""
    return (
        " Comes back: the part of the copies passed on that is there when the seat next sees the same cards. Denies: "
        "how many points more the next seat would have gained at once with a copy that was taken than with what it got."
    )


def _head(found: DraftSummary) -> list[str]:
    head = ["Card", "Taken before", "In turn", "Seen", "Taken", "Of seen"]
    if _aside(found):
        head.append("Put aside")
    return [*head, "Passed", "Comes back", "Denies"] if found.passes else head


def _aside(found: DraftSummary) -> bool:
    """Does the game let seats put cards aside."""
    return any(card.aside for card in found.cards.values())


def _row(found: DraftSummary, card: DraftCard) -> list[str]:
    row = [card.label, percent(card.preferred, 1), number(card.pick), f"{card.seen:,}", f"{card.taken:,}"]
    row.append(percent(card.rate, 1))
    if _aside(found):
        row.append(f"{card.aside:,}")
    return [*row, f"{card.passed:,}", part(card.wheel), number(card.denied)] if found.passes else row


def _picks(found: DraftSummary) -> str:
    """When cards are taken, with intervals."""
    taken = [card for card in found.cards.values() if card.pick is not None and card.taken >= _FEW]
    points = [Point(card.label, card.pick or 0.0, card.pick_ci95 or (0.0, 0.0)) for card in taken]
    every = sum(card.taken for card in taken)
    mean = sum((card.pick or 0.0) * card.taken for card in taken) / max(every, 1)
    axis = Axis("turn of the round, on average; the dark line is all cards", mean, places=2)
    chart = rows(points, axis, ("Card", "Turn (interval)"))
    about = "The turn in which a card is taken, on average, with intervals of 95 %; the dark line is all cards."
    return framed("picks", "When cards are taken", about, chart)


def _heats(found: DraftSummary) -> str:
    parts = [_heat(found, "The part of the copies seen that is taken, by turn", _rate)]
    if found.passes:
        parts += [
            _heat(found, "The part of the copies passed on that comes back, by turn", _wheel),
            _heat(found, "Points denied to the next seat, by turn", _denied),
        ]
    return "".join(parts)


Value = tuple[float, str]
"""A number, and how it is written."""


def _rate(own: DraftTurn) -> Value | None:
    rate = own.taken / max(own.seen, 1)
    return (rate, percent(rate, 0)) if own.seen >= _FEW else None


def _wheel(own: DraftTurn) -> Value | None:
    return (own.wheel, percent(own.wheel, 0)) if own.wheel is not None and (own.passed or 0) >= _FEW else None


def _denied(own: DraftTurn) -> Value | None:
    return (own.denied, figure(own.denied)) if own.denied is not None and own.taken >= _FEW else None


def _heat(found: DraftSummary, title: str, value: Callable[[DraftTurn], Value | None]) -> str:
    """A table of cards and turns, shaded from the lowest to the highest."""
    cells = {name: {own.turn: (own, value(own)) for own in card.by_turn} for name, card in found.cards.items()}
    turns = sorted({turn for row in cells.values() for turn in row})
    known = [told[0] for row in cells.values() for _, told in row.values() if told is not None]
    if not known:
        return ""
    low, high = min(known), max(known)

    def cell(name: str, turn: int) -> Cell:
        own, told = cells[name].get(turn, (None, None))
        if own is None or told is None:
            return Cell("")
        passed = "" if own.passed is None else f", passed {own.passed:,}"
        return Cell(told[1], graded(told[0], low, high), f"seen {own.seen:,}, taken {own.taken:,}{passed}")

    lines = [(card.label, [cell(name, turn) for turn in turns]) for name, card in found.cards.items()]
    return f"<h3>{title}</h3>{shaded(('Card', *(f'Turn {turn}' for turn in turns)), lines)}"


def _regret(found: DraftSummary, seats: list[str]) -> str:
    if found.regret is None:
        return ""
    own = found.regret
    about = (
        f"<p>By how much what {escape(own.adviser)} would have done is worth more than what was done, on a sample of "
        f"{own.all.decisions:,} choices: {figure(own.all.mean)} points on average.</p>"
    )
    axis = Axis("points that a choice loses, with intervals of 95 %")
    turns = rows([_line(f"Turn {turn}", lost) for turn, lost in own.by_turn.items()], axis, ("Turn", "Points"))
    by_seat = rows([_line(seats[seat], lost) for seat, lost in own.by_seat.items()], axis, ("Seat", "Points"))
    return f"<h3>Regret</h3>{about}{turns}{by_seat}"


def _line(name: str, lost: MeanRegret) -> Point:
    return Point(f"{name} ({lost.decisions:,})", lost.mean, lost.ci95)
