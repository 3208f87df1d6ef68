"""The report of a simulation as one page: what a designer wants to see."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from draftengine.simulate.charts import columns, figure, heat, intervals, page, table
from draftengine.simulate.draft.report import section

if TYPE_CHECKING:
    from draftengine.simulate.draft.summary import DraftSummary
    from draftengine.simulate.statistics import CardSummary, Summary

_FEW = 30
"""Fewer plays than this in a turn say nothing, and are left out of the picture."""


def report(title: str, facts: str, summary: Summary, draft: DraftSummary | None = None) -> str:
    """The page."""
    parts = [_seats(summary), _scores(summary), _rules(summary), _cards(summary), _ties(summary)]
    if draft:
        parts.append(section(draft, summary.games, [_seat(summary, own.seat) for own in summary.seats]))
    return page(title, facts, "".join(parts))


def _seats(summary: Summary) -> str:
    seats = summary.seats
    rows = [
        (_seat(summary, own.seat), 100 * own.win_rate, 100 * own.win_rate_ci95[0], 100 * own.win_rate_ci95[1])
        for own in seats
    ]
    listed = table(
        ("Seat", "Wins", "Win rate", "95 %", "Mean score", "95 %", "SD"),
        [
            (
                _seat(summary, own.seat), f"{own.wins:,.1f}", f"{own.win_rate:.2%}",
                f"{own.win_rate_ci95[0]:.2%} – {own.win_rate_ci95[1]:.2%}", f"{own.mean:.2f}",
                f"{own.ci95[0]:.2f} – {own.ci95[1]:.2f}", f"{own.sd:.2f}",
            )
            for own in seats
        ],
    )  # fmt: skip
    return f"<h2>Who wins</h2>{intervals(rows, 100 / max(len(seats), 1), ' %')}<div class=scroll>{listed}</div>"


def _seat(summary: Summary, seat: int) -> str:
    own = summary.seats[seat]
    return f"{own.name.capitalize()} ({own.bot})" if own.bot else own.name.capitalize()


def _scores(summary: Summary) -> str:
    drawn = "".join(
        f"<figure><figcaption>{escape(_seat(summary, seat))}</figcaption>"
        f"{columns(counts, f'Scores of seat {seat}')}</figure>"
        for seat, counts in enumerate(summary.histograms)
    )
    return f'<h2>Scores</h2><div class="grid">{drawn}</div>'


def _rules(summary: Summary) -> str:
    rows = [
        (
            own.label, figure(own.mean), f"{own.scored:.1%}", figure(own.margin, "+"), f"{own.margin_share:.1%}",
            *map(figure, own.by_seat),
        )
        for own in summary.rules.values()
    ]  # fmt: skip
    head = ("Rule", "Points", "Scores in", "Winner ahead by", "Of the margin", *(own.name for own in summary.seats))
    about = (
        "<p>Points for a seat in a game; how often a seat has any; what the winner has of it more than the runner-up, "
        f"and what part of the winner's margin ({summary.margin:.2f} points on average) that is.</p>"
    )
    return f"<h2>Rules</h2>{about}<div class=scroll>{table(head, rows)}</div>"


def _cards(summary: Summary) -> str:
    if not summary.cards:
        return ""
    turns = sorted({own.turn for card in summary.cards.values() for own in card.by_turn})
    rates = [own.win_rate for card in summary.cards.values() for own in card.by_turn if own.taken >= _FEW]
    low, high = min(rates, default=0), max(rates, default=1)
    head = "".join(f"<th>{turn}</th>" for turn in turns)
    rows = "".join(_card(card, turns, low, high) for card in summary.cards.values())
    about = (
        "<p>How often a seat wins, given that it played the card (once more for every further copy), its mean score "
        "then, and the win rate by the turn of the round in which it was played.</p>"
    )
    return (
        f"<h2>Cards</h2>{about}<div class=scroll><table><thead><tr><th>Card</th><th>Played</th><th>Win rate</th>"
        f"<th>95 %</th><th>Mean score</th>{head}</tr></thead><tbody>{rows}</tbody></table></div>"
    )


def _card(card: CardSummary, turns: list[int], low: float, high: float) -> str:
    by_turn = {own.turn: own for own in card.by_turn if own.taken >= _FEW}
    cells = "".join(
        f'<td style="{heat(by_turn[turn].win_rate, low, high)}">{by_turn[turn].win_rate:.0%}</td>'
        if turn in by_turn
        else "<td></td>"
        for turn in turns
    )
    first, last = card.win_rate_ci95
    return (
        f"<tr><th>{escape(card.label)}</th><td>{card.taken:,}</td><td>{card.win_rate:.1%}</td>"
        f"<td>{first:.1%} – {last:.1%}</td><td>{card.mean:.2f}</td>{cells}</tr>"
    )


def _ties(summary: Summary) -> str:
    rows = [
        ("Several have the best total", f"{summary.tied:.2%}"),
        ("… and the tie-breakers decide", f"{max(summary.tied - summary.shared, 0):.2%}"),
        ("… and the victory is shared", f"{summary.shared:.2%}"),
    ]
    return f"<h2>Ties</h2>{table(('', 'Games'), rows)}"
