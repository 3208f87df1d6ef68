"""Results of a draft study as text for the terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from draftengine.studies.report.numbers import figure, percent

if TYPE_CHECKING:
    from draftengine.studies.draft.summary import DraftSummary, MeanRegret, Regret


BIDS = "Only choices of cards are counted: no bids, nor other ways without a card."


def table(summary: DraftSummary) -> list[str]:
    """Return the lines of a table with the figures of each card, in the order of `summary.cards`."""
    heads = ["Taken before", "In turn", "Of seen", *(["Comes back", "Denies"] if summary.passes else [])]
    rows = [_row(f"Draft ({summary.games:,} games)", heads)]
    for card in summary.cards.values():
        cells = [percent(card.preferred, 1), number(card.pick), percent(card.rate, 1)]
        if summary.passes:
            cells += [part(card.wheel), number(card.denied)]
        rows.append(_row(card.label[:22], cells))
    return [*rows, *(["", f"  {BIDS}"] if summary.bids else [])]


def _row(name: str, cells: list[str]) -> str:
    return f"  {name:<22} " + " ".join(f"{cell:>12}" for cell in cells)


def sentences(regret: Regret) -> list[str]:
    """Return sentences on the points that choices lost: over all choices, by turn, by player."""
    low, high = regret.all.ci95
    loses = f"{figure(regret.all.mean)} points ({figure(low)} to {figure(high)})"
    return [
        f"A choice loses {loses}, says {regret.adviser} about {regret.all.decisions:,} of them.",
        f"In turn {_each(regret.by_turn)}.",
        f"For player {_each({seat + 1: lost for seat, lost in regret.by_seat.items()})}.",
    ]


def _each(lost: dict[int, MeanRegret]) -> str:
    return ", ".join(f"{number}: {figure(loss.mean)}" for number, loss in lost.items())


def number(value: float | None) -> str:
    """Format a number, or a dash for ``None``."""
    return "–" if value is None else figure(value)


def part(value: float | None) -> str:
    """Format a share in percent, or a dash for ``None``."""
    return "–" if value is None else percent(value, 1)
