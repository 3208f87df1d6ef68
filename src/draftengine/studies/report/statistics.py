"""Statistics of a simulation, computed from its counts: means, shares, and 95 percent intervals."""

from __future__ import annotations

from math import sqrt
from statistics import NormalDist
from typing import TYPE_CHECKING, Any

from msgspec import Struct
from msgspec.structs import replace

from draftengine.engine import accounting as at
from draftengine.engine.accounting import sources_of
from draftengine.engine.choose import Choice
from draftengine.engine.instructions import NextTurn
from draftengine.engine.program import RankedRule
from draftengine.model.cardset.records import text_in
from draftengine.model.records import default_label
from draftengine.studies.report import seat_named, seat_title
from draftengine.support.locale import spoken

if TYPE_CHECKING:
    from collections.abc import Sequence

    from draftengine.engine.accounting import TallyLayout
    from draftengine.engine.program import Program
    from draftengine.studies.simulation import Leads, Worth, Worths
    from draftengine.support.locale.phrases import Text

Z = NormalDist().inv_cdf(0.975)
Interval = tuple[float, float]


class SeatSummary(Struct, frozen=True):
    seat: int
    name: str
    bot: str
    """The bot in the seat; empty for an extra seat."""
    wins: float
    """The number of victories. A shared victory counts as a fraction."""
    win_rate: float
    win_rate_ci95: Interval
    mean: float
    sd: float
    ci95: Interval
    """The interval of the mean score."""

    @property
    def named(self) -> Text:
        """The title of the seat with its bot, for sentences."""
        return seat_named(self.seat, self.name, self.bot)

    @property
    def title(self) -> str:
        """The title of the seat with its bot, for English texts."""
        title = seat_title(self.seat, self.name)
        return f"{title} ({self.bot})" if self.bot else title


class RuleSummary(Struct, frozen=True):
    label: str
    mean: float
    """The mean number of points of a seat in a game."""
    by_seat: list[float]
    scored: float
    """The share of games in which a seat has points from the rule, averaged over the seats."""
    margin: float
    """The winner's lead over the runner-up in points from the rule, on average."""
    margin_share: float
    """The share of `margin` in the winner's whole margin."""
    margin_share_ci95: Interval | None = None
    """The interval of `margin_share`; ``None`` if too little is known."""


class CardSummary(Struct, frozen=True):
    label: str
    taken: int
    win_rate: float
    """The win rate of the seats that played the card. A seat counts once for each copy that it played."""
    win_rate_ci95: Interval
    mean: float
    """The mean score of the seats that played the card."""
    by_turn: list[CardTurn]
    worth: float | None = None
    """The points that a copy gives its seat, minus those of an average card; ``None`` if unknown."""
    worth_ci95: Interval | None = None


class CardTurn(Struct, frozen=True):
    turn: int
    taken: int
    win_rate: float
    mean: float


class Summary(Struct, frozen=True):
    """All figures of a simulation."""

    games: int
    seats: list[SeatSummary]
    rules: dict[str, RuleSummary]
    margin: float
    """The mean margin of the winner in games with exactly one winner."""
    tied: float
    """The share of games in which several seats have the best total."""
    shared: float
    """The share of games in which the victory is shared even after the tie-breakers."""
    cards: dict[str, CardSummary]
    histograms: list[dict[int, int]]
    """For each seat, the number of games by total."""
    digest: str
    """A hash of all games. It is the same on all machines and engines."""
    stopped: float = 0.0
    """The share of games that were stopped because they could not go on."""


def wilson(share: float, games: float) -> Interval:
    """Return Wilson's interval for a share of `games` games (Wilson 1927)."""
    if games <= 0:
        return 0.0, 1.0
    centre = (share + Z * Z / (2 * games)) / (1 + Z * Z / games)
    half = Z / (1 + Z * Z / games) * sqrt(max(share * (1 - share), 0) / games + Z * Z / (4 * games * games))
    return max(0.0, centre - half), min(1.0, centre + half)


def independent(plays: int, games: int, seats: int) -> int:
    """Return the number of plays that count as independent: at most one for each player and game.

    All plays of one player in one game win or lose together.
    """
    return min(plays, games * seats)


def of_mean(mean: float, sd: float, count: float) -> Interval:
    """Return the normal interval of a mean."""
    half = Z * sd / sqrt(count) if count > 0 else 0.0
    return mean - half, mean + half


def widening(effects: int) -> float:
    """Return the factor that widens intervals so that `effects` of them hold together (Bonferroni)."""
    return NormalDist().inv_cdf(1 - 0.025 / max(effects, 1)) / Z


def widened(value: float, interval: Interval, effects: int) -> Interval:
    """Widen a 95 percent interval around `value`, so that `effects` such intervals hold together."""
    wider = widening(effects)
    return value - wider * (value - interval[0]), value + wider * (interval[1] - value)


def deviation(total: float, squares: float, count: int) -> float:
    """Return the standard deviation of a sample from the sums of values and squares."""
    if count < 2:  # noqa: PLR2004 (one value has none)
        return 0.0
    return sqrt(max(squares - total * total / count, 0.0) / (count - 1))


def summarise(
    program: Program,
    bots: Sequence[str],
    tally: Sequence[int],
    leads: Leads | None = None,
    *,
    logged: bool = False,
    worths: Worths | None = None,
) -> Summary:
    """Compute the summary of a simulation from its tally.

    `logged` is true if the tally counts plays. `leads` and `worths` come from the rows of the first games. They give
    the intervals for the shares of the margin, and the worth of cards.
    """
    shape = at.TallyLayout.of(program, logged=logged)
    games = tally[at.GAMES]
    decisive = max(tally[at.DECISIVE], 1)
    seats: list[SeatSummary] = []
    for seat in range(shape.seats):
        row = shape.by_seat + seat * at.SEAT_COLUMNS
        counted = max(tally[at.GAMES], 1)
        wins = tally[row + at.WON] / at.SHARES
        mean = tally[row + at.TOTAL] / counted
        sd = deviation(tally[row + at.TOTAL], tally[row + at.SQUARES], tally[at.GAMES])
        bot = bots[seat] if seat < len(bots) else ""
        name = program.seat_name(seat)
        rate, interval = wins / counted, of_mean(mean, sd, counted)
        seats.append(SeatSummary(seat, name, bot, wins, rate, wilson(rate, counted), mean, sd, interval))
    return Summary(
        games=games,
        seats=seats,
        rules=_rules(program, shape, tally, leads),
        margin=tally[at.MARGIN] / decisive,
        tied=tally[at.TIED] / max(games, 1),
        shared=tally[at.SHARED] / max(games, 1),
        stopped=tally[at.STOPPED] / max(games, 1),
        cards=_cards(program, shape, tally, worths.found() if worths else []),
        histograms=[
            {at.LOWEST + bin_: count for bin_, count in enumerate(tally[row : row + at.BINS]) if count}
            for row in range(shape.histograms, shape.histograms + shape.seats * at.BINS, at.BINS)
        ],
        digest=f"{tally[at.DIGEST] & (1 << 64) - 1:016x}",
    )


def relabelled(summary: Summary, program: Program, language: str) -> Summary:
    """Return the summary with the labels of its rules and cards in another language."""
    labels = rule_labels(program, language)
    rules = {name: replace(rule, label=labels.get(name, rule.label)) for name, rule in summary.rules.items()}
    cards = {name: replace(card, label=card_label(program, name, language)) for name, card in summary.cards.items()}
    return replace(summary, rules=rules, cards=cards)


def _rules(program: Program, shape: TallyLayout, tally: Sequence[int], leads: Leads | None) -> dict[str, RuleSummary]:
    """Return the summaries of rules by name. Points of sources with the same name are added up."""
    games, margin = max(tally[at.GAMES], 1), tally[at.MARGIN]
    labels = rule_labels(program)
    points: dict[str, list[list[int]]] = {}
    margins: dict[str, int] = {}
    giving = giving_points(program)
    for source, name in enumerate(sources_of(program)):
        if name not in giving:
            continue
        margins[name] = margins.get(name, 0) + tally[shape.margins + source]
        for seat in range(shape.seats):
            row = shape.by_source + source * at.SOURCE_COLUMNS * shape.seats + seat
            points.setdefault(name, [[0, 0] for _ in range(shape.seats)])
            points[name][seat][0] += tally[row + at.POINTS * shape.seats]
            points[name][seat][1] += tally[row + at.TIMES * shape.seats]
    summaries = {}
    for name, by_seat in points.items():
        total, times = sum(gained for gained, _ in by_seat), sum(count for _, count in by_seat)
        share = margins[name] / margin if margin else 0.0
        error = leads.error(name, share, tally[at.DECISIVE]) if leads else None
        summaries[name] = RuleSummary(
            label=labels.get(name, name),
            mean=total / (games * shape.seats),
            by_seat=[gained / games for gained, _ in by_seat],
            scored=times / (games * shape.seats),
            margin=margins[name] / max(tally[at.DECISIVE], 1),
            margin_share=share,
            margin_share_ci95=None if error is None else (share - Z * error, share + Z * error),
        )
    return summaries


def giving_points(program: Program) -> list[str]:
    """Return the names of all sources of points.

    Rules that give chips are left out, because their points count for the piles.
    """
    chips = {rule.model.id for rule in program.rules if isinstance(rule, RankedRule) and rule.chip >= 0}
    return [name for name in sources_of(program) if name not in chips]


def rule_labels(program: Program, language: str = "en") -> dict[str, str]:
    """Return the labels of all sources of points: rules, triggers, chip piles, and cards in each form."""
    model, cards = program.model, {card.id: card for card in program.model.cards}
    labels = {play.name: card_label(program, play.name, language) for play in program.plays}
    things: list[Any] = [*model.chips, *model.triggers, *model.scoring]
    for thing in things:
        labels[thing.id] = _label(
            cards.get(thing.id, thing) if thing.label == default_label(thing.id) else thing, language
        )
    return labels


def card_label(program: Program, name: str, language: str = "en") -> str:
    """Return the label of a card, or of a card in a form (``triple@soup``)."""
    cards = {card.id: card for card in program.model.cards}
    label, *forms = [_label(cards[part], language) if part in cards else part for part in name.split("@", 1)]
    return spoken(language).phrase("expr.form", card=label, form=forms[0]) if forms else label


def _label(thing: Any, language: str) -> str:
    return text_in(thing.label, language) or thing.id.replace("_", " ").capitalize()


def summarise_cards(program: Program, tally: Sequence[int]) -> dict[str, CardSummary]:
    """Return the figures of each card from a tally that counts plays."""
    return _cards(program, at.TallyLayout.of(program, logged=True), tally, [])


def _cards(
    program: Program, shape: TallyLayout, tally: Sequence[int], worths: Sequence[Worth | None]
) -> dict[str, CardSummary]:
    summaries = {}
    # A tally counts choices outside repeats as turn 0. If all of these come after the repeats, they are the last turn.
    numbers = list(range(at.MOST_TURNS))
    inside = [range(begun, step.otherwise) for begun, step in enumerate(program.code) if isinstance(step, NextTurn)]
    outside = [
        place
        for place, step in enumerate(program.code)
        if isinstance(step, Choice) and step.plays and not any(place in loop for loop in inside)
    ]
    if inside and outside and min(outside) >= max(loop.stop for loop in inside):
        columns = at.PLAY_COLUMNS
        rows = range(shape.by_play, shape.by_play + shape.plays * at.MOST_TURNS * columns, columns)
        logged = ((row - shape.by_play) // columns % at.MOST_TURNS for row in rows if tally[row])
        numbers[0] = 1 + max(logged, default=0)  # a tally that is not logged counts no plays
    for play in range(shape.plays):
        turns = []
        total = [0, 0, 0]
        for turn in range(at.MOST_TURNS):
            row = shape.by_play + (play * at.MOST_TURNS + turn) * at.PLAY_COLUMNS
            taken, won, points = tally[row : row + at.PLAY_COLUMNS]
            if taken:
                turns.append(CardTurn(numbers[turn], taken, won / at.SHARES / taken, points / taken))
                total = [one + two for one, two in zip(total, (taken, won, points), strict=True)]
        turns.sort(key=lambda card_turn: card_turn.turn)
        if total[0]:
            rate = total[1] / at.SHARES / total[0]
            name = program.plays[play].name
            label = card_label(program, name)
            mean = total[2] / total[0]
            interval = wilson(rate, independent(total[0], tally[at.GAMES], shape.seats))
            worth = worths[play] if worths else None
            summaries[name] = CardSummary(
                label, total[0], rate, interval, mean, turns, worth and worth[0], worth and worth[1:]
            )
    return summaries
