"""What is said of drafts at the terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from draftengine.studies.report.numbers import figure, percent

if TYPE_CHECKING:
    from draftengine.studies.draft.summary import DraftSummary, MeanRegret, Regret


BIDS = "Only choices of cards are counted: no bids, nor other ways without a card."


def table(found: DraftSummary) -> list[str]:
    """How every card is drafted, what is taken first on top."""
    heads = ["Taken before", "In turn", "Of seen", *(["Comes back", "Denies"] if found.passes else [])]
    rows = [_row(f"Draft ({found.games:,} games)", heads)]
    for card in found.cards.values():
        cells = [percent(card.preferred, 1), number(card.pick), percent(card.rate, 1)]
        if found.passes:
            cells += [part(card.wheel), number(card.denied)]
        rows.append(_row(card.label[:22], cells))
    return [*rows, *(["", f"  {BIDS}"] if found.bids else [])]


def _row(name: str, cells: list[str]) -> str:
    return f"  {name:<22} " + " ".join(f"{cell:>12}" for cell in cells)


def sentences(own: Regret) -> list[str]:
    """What choices lost."""
    low, high = own.all.ci95
    loses = f"{figure(own.all.mean)} points ({figure(low)} to {figure(high)})"
    return [
        f"A choice loses {loses}, says {own.adviser} about {own.all.decisions:,} of them.",
        f"In turn {_each(own.by_turn)}.",
        f"For player {_each({seat + 1: lost for seat, lost in own.by_seat.items()})}.",
    ]


def _each(lost: dict[int, MeanRegret]) -> str:
    return ", ".join(f"{number}: {figure(own.mean)}" for number, own in lost.items())


def number(value: float | None) -> str:
    """A number in print; a dash where there is none."""
    return "–" if value is None else figure(value)


def part(value: float | None) -> str:
    """A share in print; a dash where there is none."""
    return "–" if value is None else percent(value, 1)
