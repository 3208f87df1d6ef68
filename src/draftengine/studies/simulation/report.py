"""An HTML page that reports a simulation to a designer, with the conclusions first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from draftengine.studies.report import Conclusion, charts, figure, ordered, percent, percents
from draftengine.studies.report.charts import in_figures, language_of_page, say, worded
from draftengine.studies.report.statistics import independent, widened, wilson
from draftengine.studies.simulation.words import caveat, conclusions, who_played
from draftengine.support.locale.phrases import decimal, said

if TYPE_CHECKING:
    from collections.abc import Sequence

    from draftengine.studies.report.charts import Study
    from draftengine.studies.report.statistics import CardSummary, CardTurn, SeatSummary, Summary
    from draftengine.studies.simulation import Places

_NOTICED = 0.1
"""The smallest difference in points that a player would notice."""
_FEW = 30
"""The smallest number of plays for which a figure of a card or turn is certain enough to show."""


def report(
    study: Study,
    players: int,
    summary: Summary,
    places: Places | None = None,
    drafts: str = "",
    course: Sequence[Conclusion] = (),
) -> str:
    """Return the HTML page for the results of a simulation.

    `drafts` is the section about drafts (see `draft.report.section`), and `course` has conclusions about the game as a
    whole (see `course_of`).
    """
    decides = charts.part(say("decides"), _margin(summary), _by_place(summary, places))
    wins = charts.part(say("wins"), _scores(summary, places), _seats(summary))
    points = _worth_points(summary)
    drawn = charts.rows(points, charts.Axis(say("worth.axis"), sign="+"), (say("card"), say("worth")))
    worth = charts.framed("worth", _most_worth(points), say("worth.about"), drawn)
    cards = charts.part(say("cards"), worth, _cards(summary), _turns(summary))
    games = say("games", games=_whole(summary.games), seed=str(study.seed), hash=f"{summary.digest}")
    who = who_played((seat.bot for seat in summary.seats if seat.bot), language_of_page())
    end = charts.validity(
        say("simulated"),
        rules=study.rules,
        games=games,
        bots=who,
        holds_for=say("holds"),
        intervals=say("intervals"),
        again=study.again,
    )
    body = f"{decides}{wins}{cards}{drafts}{end}"
    bots = tuple(dict.fromkeys(seat.bot for seat in summary.seats if seat.bot)) or (say("no-bots"),)
    heads = [
        say("head.games", games=_whole(summary.games), count=summary.games),
        say("head.players", count=players),
        say("head.bots", bots=bots),
        say("head.seed", seed=str(study.seed)),
    ]
    listed = charts.listed(say("came-out"), _came_out(summary, places, course), body)
    return charts.page(say("simulation"), study.title, heads, f"{listed}{body}")


def _came_out(summary: Summary, places: Places | None, course: Sequence[Conclusion]) -> Sequence[Conclusion]:
    """Return all conclusions in order.

    Those about cards are about their worth, their win rates, and the cards that are left to the last turn.
    """
    statements = [*conclusions(summary)]
    apart = _apart(summary, places)
    if places is not None and apart:
        low, high = places.means(apart)[0], places.means(apart)[-1]
        means = {"first": decimal(f"{low:.1f}"), "last": decimal(f"{high:.1f}")}
        text = said("report.places.text", rule=summary.rules[apart].label, **means)
        statements.append(Conclusion("measured", _typical(places), text, figure="scores"))
    worths = _worth_points(summary)
    if ends := _certain_ends(worths):
        each = tuple(
            said("report.worth.each", points=decimal(figure(point.value, "+")), card=point.label) for point in ends
        )
        text = said("report.worth.text", each=each)
        statements.append(Conclusion("certain", _most_worth(worths), text, figure="worth"))
    points = _card_points(summary)
    if ends := _certain_ends(points):
        rates = tuple(decimal(percent(point.value / 100, 1)) for point in ends)
        text = said("report.cards.text", rates=rates, even=decimal(percent(_even(summary), 1)))
        statements.append(Conclusion("certain", _best_card(points), text, figure="cards"))
    last = max((card_turn.turn for card in summary.cards.values() for card_turn in card.by_turn), default=0)
    shares = {
        card.label: sum(card_turn.taken for card_turn in card.by_turn if card_turn.turn == last) / card.taken
        for card in summary.cards.values()
        if card.taken >= _FEW
    }
    if last > 1 and shares:  # with a single turn, every turn is the last one
        name, share = max(shares.items(), key=lambda pair: pair[1])
        given = {"card": name, "share": percent(share, 0)}
        head, why = ("late", "late.text") if share > _MOSTLY else ("late.none", "late.nearest")
        linked = "" if share > _MOSTLY else "turns"
        statements.append(Conclusion("measured", say(head, **given), said(f"report.{why}", **given), figure=linked))
    statements += course
    bots = [seat.bot for seat in summary.seats if seat.bot]
    if bots and not caveat(bots):
        about = said("report.bots", bots=tuple(dict.fromkeys(bots)))
        statements.append(Conclusion("care", about, said("report.bots.text"), figure="validity"))
    return ordered(statements)


def _whole(number: float, places: int = 0) -> str:
    return in_figures(f"{number:,.{places}f}")


def _even(summary: Summary) -> float:
    """Return the win rate of each player if all players are equally strong."""
    return 1 / max(len(_players(summary)), 1)


def _players(summary: Summary) -> list[SeatSummary]:
    return [seat for seat in summary.seats if seat.bot]


def _rates(named: Sequence[tuple[str, SeatSummary | CardSummary]], even: float) -> list[charts.Point]:
    """Return win rates in percent as points of a figure. Their intervals hold for all rates together."""
    points = []
    for label, one in named:
        ends = widened(one.win_rate, one.win_rate_ci95, len(named))
        points.append(charts.Point(label, one.win_rate, ends, charts.state_of(ends, even)).times(100))
    return points


# ── What decides ──────────────────────────────────────────────────────────────────────────────────────────────────────


_MARGIN_COLUMNS = ("rule", "points", "scores-in", "ahead", "of-margin")


def _margin(summary: Summary) -> str:
    ranked = sorted(summary.rules.values(), key=lambda rule: -rule.margin_share)
    known = [rule for rule in ranked if rule.margin_share_ci95]
    ends = [widened(rule.margin_share, rule.margin_share_ci95 or (0.0, 0.0), len(known)) for rule in known]
    points = []
    for index, rule in enumerate(known):
        leads = not index and len(known) > 1 and ends[0][0] > ends[1][1]
        share, small = percent(rule.margin_share, 0), percents(*ends[index], 0)[:-2]
        points.append(
            charts.Point(rule.label, rule.margin_share, ends[index], "up" if leads else "none", share, small).times(100)
        )
    axis = charts.Axis(say("margin.axis"), unit=" %", places=0, bars=True)
    numbers = charts.table(
        (*map(say, _MARGIN_COLUMNS), *(worded(seat.named) for seat in summary.seats)),
        [
            (
                rule.label, figure(rule.mean), percent(rule.scored, 1), figure(rule.margin, "+"),
                percent(rule.margin_share, 1), *map(figure, rule.by_seat),
            )
            for rule in ranked
        ],
    )  # fmt: skip
    about = say("margin.about", margin=_whole(summary.margin, 1))
    title = _head_of(summary, "margin", say("margin.title"))
    drawn = charts.rows(points, axis, (say("rule"), say("share")))
    largest, note = max(ranked, key=lambda rule: rule.mean, default=None), ""
    if largest is not None and largest.mean > 0 and largest.margin_share < 1 / len(ranked):
        given = {"points": _whole(largest.mean, 1), "share": percent(largest.margin_share, 0)}
        note = say("margin.quiet", rule=largest.label, **given)
    return charts.framed("margin", title, about, drawn, note=note, numbers=numbers)


def _head_of(summary: Summary, figure_: str, otherwise: str) -> str:
    """Return the title of a figure: the head of the conclusion that it shows, or `otherwise` without one."""
    return next((worded(it.head) for it in conclusions(summary) if it.figure == figure_), otherwise)


def _by_place(summary: Summary, places: Places | None) -> str:
    if places is None or not places.games or places.seats < 2:  # noqa: PLR2004 (nobody is ahead of anybody)
        return ""
    names = [name for name in summary.rules if any(abs(mean) >= 0.05 for mean in places.means(name))]  # noqa: PLR2004 (shown as 0.1)
    names.sort(key=lambda name: -sum(places.means(name)))
    labels = [summary.rules[name].label for name in names]
    means = {name: places.means(name) for name in names}
    bars = [
        charts.Bar(title, tuple(means[name][index] for name in names))
        for index, title in enumerate(_titles(places.seats))
    ]
    apart = _apart(summary, places)
    if not apart:
        return ""
    about = say("places.about", games=_whole(places.games))
    if any(part_ < 0 for bar in bars for part_ in bar.parts):
        about += f" {say('places.lost')}"
    listed_ = charts.table(
        (say("place"), *labels, say("total")),
        [(bar.label, *(f"{part_:.2f}" for part_ in bar.parts), f"{sum(bar.parts):.2f}") for bar in bars],
    )
    title = say("places.title", rule=summary.rules[apart].label)
    drawn = charts.stacked(bars, labels, charts.Axis(say("places.axis"), places=1), (say("place"), say("total")))
    return charts.framed("places", title, about, drawn, numbers=listed_)


def _apart(summary: Summary, places: Places | None) -> str:
    """Return the rule whose points differ most between winner and last seat; empty without `places`."""
    if places is None or not places.games or places.seats < 2:  # noqa: PLR2004 (nobody is ahead of anybody)
        return ""
    means = {name: places.means(name) for name in summary.rules}
    return max(means, key=lambda name: abs(means[name][0] - means[name][-1]), default="")


def _typical(places: Places) -> str:
    won, lost = charts.quantile(places.scores[0], 0.5), charts.quantile(places.scores[-1], 0.5)
    return say("typical", won=won, lost=lost)


_NAMED = 7
"""The number of places in the ranking of a game (winner, second, ...) that have names."""


def _titles(seats: int) -> list[str]:
    """Return the titles of all places in the ranking: winner, second, and so on."""
    named = [say(f"place.{place}") if place <= _NAMED else say("place.other", place=place) for place in range(1, seats)]
    return [*named, say("place.last")]


# ── Who wins ──────────────────────────────────────────────────────────────────────────────────────────────────────────


def _seats(summary: Summary) -> str:
    even = _even(summary)
    points = _rates([(worded(seat.named), seat) for seat in _players(summary)], even)
    numbers = charts.table(
        (say("seat"), say("won"), say("win-rate"), "95 %", say("mean-score"), "95 %", say("sd")),
        [
            (
                worded(seat.named),
                f"{seat.wins:,.1f}",
                percent(seat.win_rate),
                percents(*seat.win_rate_ci95),
                f"{seat.mean:.2f}",
                say("interval", low=f"{seat.ci95[0]:.2f}", high=f"{seat.ci95[1]:.2f}"),
                f"{seat.sd:.2f}",
            )
            for seat in summary.seats
        ],
    )  # fmt: skip
    shares = {"tied": in_figures(percent(summary.tied, 1)), "shared": in_figures(percent(summary.shared, 1))}
    axis = charts.Axis(say("wins.axis"), 100 * even, " %", places=1)
    drawn = charts.rows(points, axis, (say("seat"), say("share")))
    title, note = _head_of(summary, "seats", say("seats.title")), say("seats.note", **shares)
    return charts.framed("seats", title, say("seats.about"), drawn, note=note, numbers=numbers)


def _scores(summary: Summary, places: Places | None) -> str:
    """Return histograms of scores with the same axes: by place if places are known, otherwise by seat."""
    if places is not None and places.games and places.seats > 1:
        pictures, of = list(zip(_titles(places.seats), places.scores, strict=True)), "scores.by-place"
        title = _typical(places)
    else:
        pictures, of = (
            [(worded(seat.named), counts) for seat, counts in zip(summary.seats, summary.histograms, strict=True)],
            "scores.by-seat",
        )
        title = say("scores.title")
    every = [counts for _, counts in pictures if counts]
    if not every:
        return ""
    span = charts.Span(min(map(min, every)), max(map(max, every)))
    most = max(max(counts.values()) / sum(counts.values()) for counts in every)
    drawn = charts.panels(
        (name, charts.columns(counts, say("scores.of", who=name), span, most)) for name, counts in pictures
    )
    about = say(of)
    numbers = charts.table(
        tuple(map(say, ("seat", "tenth", "quarter", "median", "three-quarters", "nine-tenths"))),
        [
            (worded(seat.named), *(str(charts.quantile(counts, share)) for share in (0.1, 0.25, 0.5, 0.75, 0.9)))
            for seat, counts in zip(summary.seats, summary.histograms, strict=True)
            if counts
        ],
    )
    return charts.framed("scores", title, about, drawn, numbers=numbers)


# ── Cards ─────────────────────────────────────────────────────────────────────────────────────────────────────────────


def _worth_points(summary: Summary) -> list[charts.Point]:
    """Return the worth of each card as points of a figure, the highest first.

    Only differences that a player would notice are marked as certain.
    """
    known = [card for card in summary.cards.values() if card.worth is not None and card.worth_ci95 is not None]
    points = []
    for card in sorted(known, key=lambda card: -(card.worth or 0.0)):
        value = card.worth or 0.0
        ends = widened(value, card.worth_ci95 or (value, value), len(known))
        state = charts.state_of(ends, 0.0)
        points.append(charts.Point(card.label, value, ends, state if abs(value) >= _NOTICED else "none"))
    return points


def _most_worth(points: Sequence[charts.Point]) -> str:
    return _ends_of(points, "worth.most") or say("worth.none")


def _certain_ends(points: Sequence[charts.Point]) -> list[charts.Point]:
    """Return the first point if it is certainly high, followed by the last one if it is certainly low."""
    if not points or points[0].state != "up":
        return []
    return [points[0], points[-1]] if points[-1].state == "down" else [points[0]]


def _ends_of(points: Sequence[charts.Point], key: str) -> str:
    """Return a sentence about the points of `_certain_ends`; empty if there are none."""
    match _certain_ends(points):
        case [most]:
            return say(key, most=most.label)
        case [most, least]:
            return say(f"{key}.least", most=most.label, least=least.label)
    return ""


def _card_points(summary: Summary) -> list[charts.Point]:
    """Return each card's win rate (of the seats that played it) as points of a figure, the highest first."""
    cards = sorted(summary.cards.values(), key=lambda card: -card.win_rate)
    return _rates([(card.label, card) for card in cards], _even(summary))


def _best_card(points: Sequence[charts.Point]) -> str:
    return _ends_of(points, "cards.most") or say("cards.title")


def _cards(summary: Summary) -> str:
    points, even = _card_points(summary), _even(summary)
    axis = charts.Axis(say("wins.axis"), 100 * even, " %", places=1)
    drawn = charts.rows(points, axis, (say("card"), say("share")))
    cards = sorted(summary.cards.values(), key=lambda card: -card.win_rate)
    turns = sorted({card_turn.turn for card in cards for card_turn in card.by_turn})
    known = [card_turn for card in cards for card_turn in card.by_turn if card_turn.taken >= _FEW]
    reach = max((abs(card_turn.win_rate - even) for card_turn in known), default=0.0)

    def cell(card_turn: CardTurn) -> charts.Cell:
        share = card_turn.win_rate
        interval = wilson(share, independent(card_turn.taken, summary.games, len(summary.seats)))
        shade = charts.tinted(share, widened(share, interval, len(known)), even, reach)
        return charts.Cell(
            percent(share, 0),
            shade,
            say("plays", plays=_whole(card_turn.taken), interval=in_figures(percents(*interval, 1))),
        )

    lines = []
    for card in cards:
        by_turn = {card_turn.turn: cell(card_turn) for card_turn in card.by_turn if card_turn.taken >= _FEW}
        figures = f"{card.taken:,}", percent(card.win_rate, 1), percents(*card.win_rate_ci95, 1), f"{card.mean:.2f}"
        lines.append(
            (card.label, [*map(charts.Cell, figures), *(by_turn.get(turn, charts.Cell("")) for turn in turns)])
        )
    columns_ = (say("card"), say("played"), say("win-rate"), "95 %", say("mean-score"))
    head = (*columns_, *(say("turn", turn=turn) for turn in turns))
    return charts.framed("cards", _best_card(points), say("cards.about"), drawn, numbers=charts.shaded(head, lines))


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
    title = say("turns.title", first=shares[0][0], last=shares[-1][0])
    drawn = charts.by_turn(shares, turns, (say("card"), say("mean-turn")))
    return charts.framed("turns", title, say("turns.about"), drawn)


_MOSTLY = 0.5
