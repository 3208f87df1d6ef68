"""An HTML page that reports a simulation to a designer, with the conclusions first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from draftengine.studies.report.charts import (
    Axis,
    Bar,
    Cell,
    Point,
    Span,
    by_turn,
    columns,
    framed,
    listed,
    page,
    panels,
    part,
    quantile,
    rows,
    shaded,
    stacked,
    state_of,
    table,
    tinted,
    validity,
)
from draftengine.studies.report.conclusions import Conclusion, figure, ordered, percent, percents
from draftengine.studies.report.statistics import independent, widened, wilson
from draftengine.studies.simulation.words import caveat, conclusions, who_played
from draftengine.support.locale.phrases import join_list

if TYPE_CHECKING:
    from collections.abc import Sequence

    from draftengine.studies.report.charts import Study
    from draftengine.studies.report.statistics import CardSummary, CardTurn, RuleSummary, SeatSummary, Summary
    from draftengine.studies.simulation.simulate import Places

_NOTICED = 0.1
"""The smallest difference in points that a player would notice."""
_FEW = 30
"""The smallest number of plays for a figure of a card or turn. With fewer, it is too uncertain."""


def report(study: Study, players: int, summary: Summary, places: Places | None = None, drafts: str = "") -> str:
    """Return the HTML page. `drafts` is its section about drafts (see `draft.report.section`)."""
    decides = part("What decides", _margin(summary), _by_place(summary, places))
    wins = part("Who wins, and how high", _scores(summary, places), _seats(summary))
    cards = part("Cards", _worth(summary), _cards(summary), _turns(summary))
    games = f"{summary.games:,}, seed {study.seed}; their hash is {summary.digest}"
    who = who_played(seat.bot for seat in summary.seats if seat.bot)
    end = validity(
        "What was simulated, and what that is worth",
        rules=study.rules,
        games=games,
        bots=who,
        holds_for=_HOLDS,
        intervals=_INTERVALS,
        again=study.again,
    )
    body = f"{decides}{wins}{cards}{drafts}{end}"
    bots = join_list(list(dict.fromkeys(seat.bot for seat in summary.seats if seat.bot)) or ["no bots"])
    heads = [f"*{summary.games:,}* games", f"*{players}* players", f"*{bots}* in the seats"]
    heads.append(f"seed *{study.seed}*")
    statements = ordered([*conclusions(summary), *_of_places(summary, places), *_of_cards(summary), *_of_bots(summary)])
    return page("Simulation", study.title, heads, f"{listed('What came out', statements, body)}{body}")


def _of_places(summary: Summary, places: Places | None) -> list[Conclusion]:
    """Return a conclusion about the rule in which the winner and the last seat differ most."""
    apart = _apart(summary, places)
    if places is None or not apart:
        return []
    first, last = places.means(apart)[0], places.means(apart)[-1]
    text = (
        f"the winner and the last differ most in {summary.rules[apart].label}, {first:.1f} and {last:.1f} points on "
        "average"
    )
    return [Conclusion("measured", _typical(places), text, figure="scores")]


def _of_cards(summary: Summary) -> list[Conclusion]:
    """Return conclusions about the worth of cards, their win rates, and cards left to the last turn."""
    statements = []
    worths = _worth_points(summary)
    if ends := _certain_ends(worths):
        each = [f"{figure(point.value, '+')} points for {point.label}" for point in ends]
        text = f"{join_list(each)}, beside an average card in the same company"
        statements.append(Conclusion("certain", _most_worth(worths), text, figure="worth"))
    points = _card_points(summary)
    if ends := _certain_ends(points):
        rates = join_list([percent(point.value / 100, 1) for point in ends])
        text = (
            f"{rates} of games; even is {percent(_even(summary), 1)}. This goes along with winning, it need not make it"
        )
        statements.append(Conclusion("certain", _best_card(points), text, figure="cards"))
    late = _late(summary)
    if late:
        name, share = late
        text = f"{name} comes nearest: {percent(share, 0)} of its copies are played in the last turn"
        if share > _MOSTLY:
            statements.append(
                Conclusion("measured", f"{name} is mostly left to the last turn", f"{percent(share, 0)} of its copies")
            )
        else:
            statements.append(Conclusion("measured", "No card is mostly left to the last turn", text, figure="turns"))
    return statements


def _of_bots(summary: Summary) -> list[Conclusion]:
    """Return a reminder that names the bots, unless they need a warning anyway."""
    bots = [seat.bot for seat in summary.seats if seat.bot]
    if not bots or caveat(bots):
        return []
    who = join_list(list(dict.fromkeys(bots)))
    return [Conclusion("care", f"This is how {who} plays", "people may play otherwise", figure="validity")]


_HOLDS = (
    "players who play like these bots. Who plays a card is not chance: what goes along with winning need not make it."
)
_INTERVALS = (
    "95 %, by games. “Certain” is what holds for all that stands beside it together (Bonferroni), “probably” what "
    "holds only by itself."
)


def _even(summary: Summary) -> float:
    """Return the win rate of each player if all are equally strong."""
    return 1 / max(len(_players(summary)), 1)


def _players(summary: Summary) -> list[SeatSummary]:
    return [seat for seat in summary.seats if seat.bot]


def _rates(named: Sequence[tuple[str, SeatSummary | CardSummary]], even: float) -> list[Point]:
    """Return win rates in percent as points of a figure. Their intervals hold for all of them together."""
    points = []
    for label, one in named:
        ends = widened(one.win_rate, one.win_rate_ci95, len(named))
        points.append(Point(label, one.win_rate, ends, state_of(ends, even)).times(100))
    return points


# ── What decides ──────────────────────────────────────────────────────────────────────────────────────────────────────


def _margin(summary: Summary) -> str:
    ranked = sorted(summary.rules.values(), key=lambda rule: -rule.margin_share)
    known = [rule for rule in ranked if rule.margin_share_ci95]
    ends = [widened(rule.margin_share, rule.margin_share_ci95 or (0.0, 0.0), len(known)) for rule in known]
    points = []
    for index, rule in enumerate(known):
        leads = not index and len(known) > 1 and ends[0][0] > ends[1][1]
        share, small = percent(rule.margin_share, 0), percents(*ends[index], 0)[:-2]
        points.append(
            Point(rule.label, rule.margin_share, ends[index], "up" if leads else "none", share, small).times(100)
        )
    axis = Axis("share of the winner’s margin", unit=" %", places=0, bars=True)
    numbers = table(
        ("Rule", "Points", "Scores in", "Winner ahead by", "Of the margin", *(seat.title for seat in summary.seats)),
        [
            (
                rule.label, figure(rule.mean), percent(rule.scored, 1), figure(rule.margin, "+"),
                percent(rule.margin_share, 1), *map(figure, rule.by_seat),
            )
            for rule in ranked
        ],
    )  # fmt: skip
    about = (
        "What part of the winner’s lead over the runner-up each rule makes, with intervals that hold for all rules "
        f"together (95 %); blue: certainly more than any other. The lead is {summary.margin:.1f} points on average."
    )
    title = _head_of(summary, "margin", "What makes the winner’s margin")
    drawn = rows(points, axis, ("Rule", "Share (interval)"))
    return framed("margin", title, about, drawn, note=_quiet(ranked), numbers=numbers)


def _head_of(summary: Summary, figure_: str, otherwise: str) -> str:
    """Return the title of a figure: the head of its conclusion, or `otherwise` if it has none."""
    return next((str(it.head) for it in conclusions(summary) if it.figure == figure_), otherwise)


def _quiet(ranked: Sequence[RuleSummary]) -> str:
    """Return a note if the rule with the most points has a small share in the margin; else empty."""
    largest = max(ranked, key=lambda rule: rule.mean, default=None)
    if largest is None or largest.mean <= 0 or largest.margin_share >= 1 / len(ranked):
        return ""
    return (
        f"A rule can give many points and decide little: {largest.label} gives {largest.mean:.1f} points to everybody, "
        f"and {percent(largest.margin_share, 0)} of the lead."
    )


def _by_place(summary: Summary, places: Places | None) -> str:
    if places is None or not places.games or places.seats < 2:  # noqa: PLR2004 (nobody is ahead of anybody)
        return ""
    names = [name for name in summary.rules if any(abs(mean) >= 0.05 for mean in places.means(name))]  # noqa: PLR2004 (shown as 0.1)
    names.sort(key=lambda name: -sum(places.means(name)))
    labels = [summary.rules[name].label for name in names]
    means = {name: places.means(name) for name in names}
    bars = [
        Bar(title, tuple(means[name][index] for name in names)) for index, title in enumerate(_titles(places.seats))
    ]
    apart = _apart(summary, places)
    if not apart:
        return ""
    about = f"Mean points a game by rule and place, from the winner to the last, in {places.games:,} games."
    if any(part_ < 0 for bar in bars for part_ in bar.parts):
        about += " Points lost lie left of zero."
    listed_ = table(
        ("Place", *labels, "Total"),
        [(bar.label, *(f"{part_:.2f}" for part_ in bar.parts), f"{sum(bar.parts):.2f}") for bar in bars],
    )
    title = f"The winner and the last differ most in {summary.rules[apart].label}"
    return framed(
        "places", title, about, stacked(bars, labels, Axis("points a game", places=1), ("Place", "Total")),
        numbers=listed_,
    )  # fmt: skip


def _apart(summary: Summary, places: Places | None) -> str:
    """Return the name of the rule in which the winner and the last seat differ most; empty without places."""
    if places is None or not places.games or places.seats < 2:  # noqa: PLR2004 (nobody is ahead of anybody)
        return ""
    means = {name: places.means(name) for name in summary.rules}
    return max(means, key=lambda name: abs(means[name][0] - means[name][-1]), default="")


def _typical(places: Places) -> str:
    won, lost = quantile(places.scores[0], 0.5), quantile(places.scores[-1], 0.5)
    return f"A typical game is won with {won} points; the last has {lost}"


def _titles(seats: int) -> list[str]:
    """Return the titles of all places."""
    words = ["Winner", "Second", "Third", "Fourth", "Fifth", "Sixth", "Seventh"]
    return [
        words[place] if place < min(seats - 1, len(words)) else "Last" if place == seats - 1 else f"Place {place + 1}"
        for place in range(seats)
    ]


# ── Who wins ──────────────────────────────────────────────────────────────────────────────────────────────────────────


def _seats(summary: Summary) -> str:
    even = _even(summary)
    points = _rates([(seat.title, seat) for seat in _players(summary)], even)
    numbers = table(
        ("Seat", "Wins", "Win rate", "95 %", "Mean score", "95 %", "SD"),
        [
            (
                seat.title, f"{seat.wins:,.1f}", percent(seat.win_rate), percents(*seat.win_rate_ci95),
                f"{seat.mean:.2f}", f"{seat.ci95[0]:.2f} to {seat.ci95[1]:.2f}", f"{seat.sd:.2f}",
            )
            for seat in summary.seats
        ],
    )  # fmt: skip
    about = (
        "Share of games won, with intervals that hold for all players together (95 %). The dark line is an even share."
    )
    note = (
        f"A shared victory is divided. {percent(summary.tied, 1)} of games end with several on the best total; "
        f"{percent(summary.shared, 1)} are shared after the tie-breakers."
    )
    axis = Axis("share of games won", 100 * even, " %", places=1)
    drawn = rows(points, axis, ("Seat", "Share (interval)"))
    return framed("seats", _head_of(summary, "seats", "Who wins"), about, drawn, note=note, numbers=numbers)


def _scores(summary: Summary, places: Places | None) -> str:
    """Return histograms of scores with the same axes: by place if known, else by seat."""
    if places is not None and places.games and places.seats > 1:
        pictures, of = list(zip(_titles(places.seats), places.scores, strict=True)), "place"
        title = _typical(places)
    else:
        pictures, of = (
            [(seat.title, counts) for seat, counts in zip(summary.seats, summary.histograms, strict=True)],
            "seat",
        )
        title = "Scores by seat"
    every = [counts for _, counts in pictures if counts]
    if not every:
        return ""
    span = Span(min(map(min, every)), max(map(max, every)))
    most = max(max(counts.values()) / sum(counts.values()) for counts in every)
    drawn = panels((name, columns(counts, f"Scores of {name}", span, most)) for name, counts in pictures)
    about = f"Games by final score and {of}; the mark is the median. All pictures have the same axes."
    numbers = table(
        ("Seat", *("10 % below", "Quarter", "Median", "Three quarters", "90 % below")),
        [
            (seat.title, *(str(quantile(counts, share)) for share in (0.1, 0.25, 0.5, 0.75, 0.9)))
            for seat, counts in zip(summary.seats, summary.histograms, strict=True)
            if counts
        ],
    )
    return framed("scores", title, about, drawn, numbers=numbers)


# ── Cards ─────────────────────────────────────────────────────────────────────────────────────────────────────────────


def _worth_points(summary: Summary) -> list[Point]:
    """Return the worth of each card as points of a figure, the highest first.

    Only differences that a player would notice are marked as certain.
    """
    known = [card for card in summary.cards.values() if card.worth is not None and card.worth_ci95 is not None]
    points = []
    for card in sorted(known, key=lambda card: -(card.worth or 0.0)):
        value = card.worth or 0.0
        ends = widened(value, card.worth_ci95 or (value, value), len(known))
        state = state_of(ends, 0.0)
        points.append(Point(card.label, value, ends, state if abs(value) >= _NOTICED else "none"))
    return points


def _most_worth(points: Sequence[Point]) -> str:
    most, least = "A copy of {} is worth most", ", {} least"
    return _ends_of(points, most, least) or "No card is certainly worth more than the others"


def _certain_ends(points: Sequence[Point]) -> list[Point]:
    """Return the first point if it is certainly above the reference, and the last if certainly below."""
    if not points or points[0].state != "up":
        return []
    return [points[0], points[-1]] if points[-1].state == "down" else [points[0]]


def _ends_of(points: Sequence[Point], *texts: str) -> str:
    """Return a sentence about the first and last points that are certain; empty if there are none."""
    return "".join(text.format(end.label) for text, end in zip(texts, _certain_ends(points), strict=False))


def _worth(summary: Summary) -> str:
    points = _worth_points(summary)
    about = (
        "How many points more than an average card a copy brings whoever plays it, beside the other cards that this "
        "player plays (regression within each game, intervals by games). Filled: certainly not 0, for all cards "
        "together, and enough to notice; blue above, orange below."
    )
    drawn = rows(points, Axis("points a copy", sign="+"), ("Card", "Worth (interval)"))
    return framed("worth", _most_worth(points), about, drawn)


def _card_points(summary: Summary) -> list[Point]:
    """Return the win rate of the players of each card as points of a figure, the highest first."""
    cards = sorted(summary.cards.values(), key=lambda card: -card.win_rate)
    return _rates([(card.label, card) for card in cards], _even(summary))


def _best_card(points: Sequence[Point]) -> str:
    most, least = "Who plays {} wins most often", ", who plays {} least"
    return _ends_of(points, most, least) or "Who plays what wins how often"


def _cards(summary: Summary) -> str:
    points, even = _card_points(summary), _even(summary)
    about = (
        "How often a player wins who played the card, once more for every further copy. Filled: certainly not the even "
        "share, for all cards together; blue above, orange below. This says what goes along with winning, not what "
        "makes it."
    )
    axis = Axis("share of games won", 100 * even, " %", places=1)
    drawn = rows(points, axis, ("Card", "Share (interval)"))
    return framed("cards", _best_card(points), about, drawn, numbers=_card_table(summary, even))


def _card_table(summary: Summary, even: float) -> str:
    """Return the table of cards. Win rates by turn are shaded by their difference from an equal share."""
    cards = sorted(summary.cards.values(), key=lambda card: -card.win_rate)
    turns = sorted({card_turn.turn for card in cards for card_turn in card.by_turn})
    known = [card_turn for card in cards for card_turn in card.by_turn if card_turn.taken >= _FEW]
    reach = max((abs(card_turn.win_rate - even) for card_turn in known), default=0.0)

    def cell(card_turn: CardTurn) -> Cell:
        share = card_turn.win_rate
        interval = wilson(share, independent(card_turn.taken, summary.games, len(summary.seats)))
        shade = tinted(share, widened(share, interval, len(known)), even, reach)
        return Cell(percent(share, 0), shade, f"{card_turn.taken:,} plays, {percents(*interval, 1)}")

    lines = []
    for card in cards:
        by_turn = {card_turn.turn: cell(card_turn) for card_turn in card.by_turn if card_turn.taken >= _FEW}
        figures = f"{card.taken:,}", percent(card.win_rate, 1), percents(*card.win_rate_ci95, 1), f"{card.mean:.2f}"
        lines.append((card.label, [*map(Cell, figures), *(by_turn.get(turn, Cell("")) for turn in turns)]))
    head = ("Card", "Played", "Win rate", "95 %", "Mean score", *(f"Turn {turn}" for turn in turns))
    return shaded(head, lines)


def _turns(summary: Summary) -> str:
    """Return the chart of how many cards are played in each turn; empty if all are played in one turn."""
    cards = [card for card in summary.cards.values() if card.taken >= _FEW]
    turns = sorted({card_turn.turn for card in cards for card_turn in card.by_turn})
    if len(turns) < 2 or not cards:  # noqa: PLR2004 (then there is nothing to choose)
        return ""
    means = {card.label: sum(it.turn * it.taken for it in card.by_turn) / card.taken for card in cards}
    cards.sort(key=lambda card: means[card.label])
    shares = []
    for card in cards:
        taken = {it.turn: it.taken for it in card.by_turn}
        parts = [taken.get(turn, 0) / card.taken for turn in turns]
        shares.append((card.label, parts, f"{means[card.label]:.1f}"))
    title = f"{shares[0][0]} goes first, {shares[-1][0]} last"
    about = "In which turn of the round each card is played: per cent of its copies, all rows on one scale."
    return framed("turns", title, about, by_turn(shares, turns, ("Card", "Mean turn")))


_MOSTLY = 0.5


def _late(summary: Summary) -> tuple[str, float] | None:
    """Return the card with the largest share of copies played in the last turn, and that share.

    The result is ``None`` if there is only one turn or no card was played often enough.
    """
    last = max((card_turn.turn for card in summary.cards.values() for card_turn in card.by_turn), default=0)
    shares = {
        card.label: sum(card_turn.taken for card_turn in card.by_turn if card_turn.turn == last) / card.taken
        for card in summary.cards.values()
        if card.taken >= _FEW
    }
    if last < 2 or not shares:  # noqa: PLR2004 (then every turn is the last one)
        return None
    name = max(shares, key=lambda label: shares[label])
    return name, shares[name]
