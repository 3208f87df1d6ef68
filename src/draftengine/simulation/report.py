"""The report of a simulation as one page: what a designer wants to see."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from msgspec import Struct

from draftengine.simulation.charts import Cell, Point, Span, columns, intervals, page, shaded, table, tinted
from draftengine.simulation.draft.report import section
from draftengine.simulation.figures import figure, percent, percents
from draftengine.simulation.statistics import independent, widened, wilson
from draftengine.simulation.words import sentences

if TYPE_CHECKING:
    from draftengine.simulation.draft.summary import DraftSummary
    from draftengine.simulation.statistics import CardSummary, Summary

_FEW = 30
"""Fewer plays than this in a turn say nothing, and are left out of the picture."""


def report(title: str, facts: str, summary: Summary, draft: DraftSummary | None = None) -> str:
    """The report as one HTML page."""
    first, *rest = sentences(summary)
    said = f"<p class=found>{escape(first)}</p><ul>{''.join(f'<li>{escape(line)}</li>' for line in rest)}</ul>"
    parts = [said, _seats(summary), _rules(summary), _scores(summary), _cards(summary), _ties(summary)]
    if draft:
        parts.append(section(draft, summary.games, [own.title for own in summary.seats]))
    return page(title, facts, "".join(parts))


def _even(summary: Summary) -> float:
    """The win rate of each player if all are equally good."""
    return 1 / max(sum(bool(own.bot) for own in summary.seats), 1)


def _seats(summary: Summary) -> str:
    even = _even(summary)
    points = []
    for own in summary.seats:
        low, high = widened(own.win_rate, own.win_rate_ci95, len(summary.seats))
        certain = not low <= even <= high
        points.append(Point(own.title, own.win_rate, own.win_rate_ci95, certain).times(100))
    listed = table(
        ("Seat", "Wins", "Win rate", "95 %", "Mean score", "95 %", "SD"),
        [
            (
                own.title, f"{own.wins:,.1f}", percent(own.win_rate), percents(*own.win_rate_ci95), f"{own.mean:.2f}",
                f"{own.ci95[0]:.2f} to {own.ci95[1]:.2f}", f"{own.sd:.2f}",
            )
            for own in summary.seats
        ],
    )  # fmt: skip
    chart = intervals(points, 100 * even, title="Who wins how often, with 95 % intervals", unit=" %")
    return (
        f"<h2>Who wins</h2><p>The dashed line is where all are even. A point is filled if its player certainly wins "
        f"more or less often than that, for all players together.</p>{chart}{listed}"
    )


def _scores(summary: Summary) -> str:
    """Histograms with the same axes, so that seats can be compared."""
    every = [counts for counts in summary.histograms if counts]
    if not every:
        return ""
    span = Span(min(map(min, every)), max(map(max, every)))
    most = max(max(counts.values()) / sum(counts.values()) for counts in every)
    drawn = "".join(
        f"<figure><figcaption>{escape(own.title)}</figcaption>{columns(counts, f'Scores of {own.title}', span, most)}"
        "</figure>"
        for own, counts in zip(summary.seats, summary.histograms, strict=True)
    )
    return f'<h2>Scores</h2><p>Games by score; all pictures have the same axes.</p><div class="grid">{drawn}</div>'


def _rules(summary: Summary) -> str:
    rules = sorted(summary.rules.values(), key=lambda own: -own.margin_share)
    points = []
    for own in rules:
        if own.margin_share_ci95:
            low, high = widened(own.margin_share, own.margin_share_ci95, len(rules))
            certain = not low <= 0 <= high
            points.append(Point(own.label, own.margin_share, own.margin_share_ci95, certain).times(100))
    rows = [
        (
            own.label, figure(own.mean), percent(own.scored, 1), figure(own.margin, "+"),
            percent(own.margin_share, 1), percents(*own.margin_share_ci95, 1) if own.margin_share_ci95 else "–",
            *map(figure, own.by_seat),
        )
        for own in rules
    ]  # fmt: skip
    titles = (own.title for own in summary.seats)
    head = ("Rule", "Points", "Scores in", "Winner ahead by", "Of the margin", "95 %", *titles)
    about = (
        "<p>What part of the winner’s margin a rule makes: how much the winner has of it more than the runner-up. "
        f"The whole margin is {summary.margin:.2f} points on average.</p>"
    )
    table_about = (
        "<p>Points for a player in a game; how often a player has any; how far the winner is ahead by it; and each "
        "player’s points.</p>"
    )
    chart = intervals(points, 0.0, title="Part of the winner’s margin by rule, with 95 % intervals", unit=" %")
    return f"<h2>Rules</h2>{about}{chart}{table_about}{table(head, rows)}"


def _cards(summary: Summary) -> str:
    if not summary.cards:
        return ""
    turns = sorted({own.turn for card in summary.cards.values() for own in card.by_turn})
    even = _even(summary)
    told = [own for card in summary.cards.values() for own in card.by_turn if own.taken >= _FEW]
    reach = max((abs(own.win_rate - even) for own in told), default=0.0)
    scale = _Scale(even, reach, len(told), summary.games, len(summary.seats))
    rows = [(card.label, _card(card, turns, scale)) for card in summary.cards.values()]
    about = (
        "<p>How often a player wins, given that it played the card (once more for every further copy), its mean score "
        "then, and the win rate by the turn of the round in which it was played. A cell is coloured, blue above and "
        f"orange below, only if the rate is certainly not {percent(even, 1)}, for all cells together. Who plays a card "
        "is not chance: this says what goes along with winning, not what makes it.</p>"
    )
    head = ("Card", "Played", "Win rate", "95 %", "Mean score", *(f"Turn {turn}" for turn in turns))
    return f"<h2>Cards</h2>{about}{shaded(head, rows)}"


class _Scale(Struct, frozen=True):
    """What the cells of the table of cards have in common."""

    even: float
    reach: float
    cells: int
    games: int
    seats: int


def _card(card: CardSummary, turns: list[int], scale: _Scale) -> list[Cell]:
    by_turn = {own.turn: own for own in card.by_turn if own.taken >= _FEW}
    row = [
        Cell(f"{card.taken:,}"), Cell(percent(card.win_rate, 1)), Cell(percents(*card.win_rate_ci95, 1)),
        Cell(f"{card.mean:.2f}"),
    ]  # fmt: skip
    for turn in turns:
        own = by_turn.get(turn)
        if own is None:
            row.append(Cell(""))
            continue
        interval = wilson(own.win_rate, independent(own.taken, scale.games, scale.seats))
        shade = tinted(own.win_rate, widened(own.win_rate, interval, scale.cells), scale.even, scale.reach)
        row.append(Cell(percent(own.win_rate, 0), shade, f"{own.taken:,} plays, {percents(*interval, 1)}"))
    return row


def _ties(summary: Summary) -> str:
    rows = [
        ("Several have the best total", percent(summary.tied)),
        ("… and the tie-breakers decide", percent(max(summary.tied - summary.shared, 0))),
        ("… and the victory is shared", percent(summary.shared)),
    ]
    return f"<h2>Ties</h2>{table(('', 'Games'), rows)}"
