"""What the counts of a simulation say: means, intervals, shares. All intervals are of 95 percent."""

from __future__ import annotations

from math import sqrt
from statistics import NormalDist
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from draftengine.engine import accounting as at
from draftengine.engine.accounting import sources_of
from draftengine.engine.choose import Choice
from draftengine.engine.control import NextTurn
from draftengine.engine.program import RankedRule
from draftengine.model.cardset.records import text_in
from draftengine.studies.report.numbers import seat_title

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from draftengine.engine.accounting import TallyLayout
    from draftengine.engine.program import Program
    from draftengine.studies.simulation.card_worth import Worth, Worths
    from draftengine.studies.simulation.leads import Leads

Z = NormalDist().inv_cdf(0.975)
Interval = tuple[float, float]


class SeatSummary(Struct, frozen=True):
    seat: int
    name: str
    bot: str
    """Empty for a seat that nobody sits at."""
    wins: float
    """A shared victory counts as a part of one."""
    win_rate: float
    win_rate_ci95: Interval
    mean: float
    sd: float
    ci95: Interval
    """Of the mean score."""

    @property
    def title(self) -> str:
        """What people call the seat, with its bot."""
        title = seat_title(self.seat, self.name)
        return f"{title} ({self.bot})" if self.bot else title


class RuleSummary(Struct, frozen=True):
    label: str
    mean: float
    """Points for a seat in a game."""
    by_seat: list[float]
    scored: float
    """In what part of games a seat has points of it."""
    margin: float
    """How many points of it the winner has more than the runner-up."""
    margin_share: float
    """What part of the winner's margin that is."""
    margin_share_ci95: Interval | None = None
    """`None` if too little is known."""


class CardSummary(Struct, frozen=True):
    label: str
    taken: int
    win_rate: float
    """How often a seat wins, given that it played the card once."""
    win_rate_ci95: Interval
    mean: float
    """Its mean score then."""
    by_turn: list[CardTurn]
    worth: float | None = None
    """How many points more than an average card a copy is worth (see `worths`); `None` if too little is known."""
    worth_ci95: Interval | None = None


class CardTurn(Struct, frozen=True):
    turn: int
    taken: int
    win_rate: float
    mean: float


class Summary(Struct, frozen=True):
    """Everything that is said of a simulation."""

    games: int
    seats: list[SeatSummary]
    rules: dict[str, RuleSummary]
    margin: float
    """The mean margin of games with one winner."""
    tied: float
    """In what part of games the best total is shared."""
    shared: float
    """In what part the victory is shared, after the tie-breakers."""
    cards: dict[str, CardSummary]
    histograms: list[dict[int, int]]
    """Games by total, for each seat."""
    digest: str
    """A hash of all games. It does not depend on where and how they were played."""
    stopped: float = 0.0
    """The part that could not go on, and ended where nothing proves that the flow can be played."""


def wilson(share: float, games: float) -> Interval:
    """Wilson's interval for a share of games (Wilson 1927)."""
    if games <= 0:
        return 0.0, 1.0
    centre = (share + Z * Z / (2 * games)) / (1 + Z * Z / games)
    half = Z / (1 + Z * Z / games) * sqrt(max(share * (1 - share), 0) / games + Z * Z / (4 * games * games))
    return max(0.0, centre - half), min(1.0, centre + half)


def independent(plays: int, games: int, seats: int) -> int:
    """So many plays say as much as independent ones: several by one player in one game win or lose together."""
    return min(plays, games * seats)


def of_mean(mean: float, sd: float, count: float) -> Interval:
    """The interval of a mean."""
    half = Z * sd / sqrt(count) if count > 0 else 0.0
    return mean - half, mean + half


def widening(effects: int) -> float:
    """So many times as wide as for one figure alone are intervals that hold for so many together (Bonferroni)."""
    return NormalDist().inv_cdf(1 - 0.025 / max(effects, 1)) / Z


def widened(value: float, interval: Interval, effects: int) -> Interval:
    """An interval of 95 percent made as wide as it must be for so many to hold together."""
    wider = widening(effects)
    return value - wider * (value - interval[0]), value + wider * (interval[1] - value)


def deviation(total: float, squares: float, count: int) -> float:
    """The standard deviation of a sample, from sums."""
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
    """What a tally says, `logged` with plays, and what rows of some games say of the winner's margin and of cards."""
    shape = at.TallyLayout.of(program, logged=logged)
    games = tally[at.GAMES]
    decisive = max(tally[at.DECISIVE], 1)
    return Summary(
        games=games,
        seats=[_seat(program, bots, shape, tally, seat) for seat in range(shape.seats)],
        rules=_rules(program, shape, tally, leads),
        margin=tally[at.MARGIN] / decisive,
        tied=tally[at.TIED] / max(games, 1),
        shared=tally[at.SHARED] / max(games, 1),
        stopped=tally[at.STOPPED] / max(games, 1),
        cards=_cards(program, shape, tally, worths.found() if worths else []),
        histograms=[_histogram(shape, tally, seat) for seat in range(shape.seats)],
        digest=f"{tally[at.DIGEST] & (1 << 64) - 1:016x}",
    )


def _seat(program: Program, bots: Sequence[str], shape: TallyLayout, tally: Sequence[int], seat: int) -> SeatSummary:
    row = shape.by_seat + seat * at.SEAT_COLUMNS
    games = max(tally[at.GAMES], 1)
    wins = tally[row + at.WON] / at.SHARES
    mean = tally[row + at.TOTAL] / games
    sd = deviation(tally[row + at.TOTAL], tally[row + at.SQUARES], tally[at.GAMES])
    bot = bots[seat] if seat < len(bots) else ""
    name = program.seat_name(seat)
    return SeatSummary(
        seat, name, bot, wins, wins / games, wilson(wins / games, games), mean, sd, of_mean(mean, sd, games)
    )


def _rules(program: Program, shape: TallyLayout, tally: Sequence[int], leads: Leads | None) -> dict[str, RuleSummary]:
    """By name; a rule and a card with effects may share one."""
    games, margin = max(tally[at.GAMES], 1), tally[at.MARGIN]
    labels = rule_labels(program)
    points: dict[str, list[list[int]]] = {}
    margins: dict[str, int] = {}
    chips = {rule.model.id for rule in program.rules if isinstance(rule, RankedRule) and rule.chip >= 0}
    for source, name in enumerate(sources_of(program)):
        if name in chips:  # they give no points: what the chips are worth is told of their piles
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


def rule_labels(program: Program) -> dict[str, str]:
    """What sources of points are called: rules, triggers, chip piles, and cards in whatever form."""
    model = program.model
    cards = {play.name: card_label(program, play.name) for play in program.plays}
    return cards | _labels((*model.chips, *model.triggers, *model.scoring))


def card_label(program: Program, name: str) -> str:
    """What a card is called, or a card in a form (``triple@soup``)."""
    labels = _labels(program.model.cards)
    return " as ".join(labels.get(part, part) for part in name.split("@"))


def _labels(labelled: Iterable[Any]) -> dict[str, str]:
    return {thing.id: text_in(thing.label) or thing.id.replace("_", " ").capitalize() for thing in labelled}


def summarise_cards(program: Program, tally: Sequence[int]) -> dict[str, CardSummary]:
    """What playing each card is worth, from a tally with plays."""
    return _cards(program, at.TallyLayout.of(program, logged=True), tally, [])


def _cards(
    program: Program, shape: TallyLayout, tally: Sequence[int], worths: Sequence[Worth | None]
) -> dict[str, CardSummary]:
    summaries = {}
    numbers = _turn_numbers(program, shape, tally)
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


def _turn_numbers(program: Program, shape: TallyLayout, tally: Sequence[int]) -> list[int]:
    """What each turn of a tally is called: choices behind all repetitions, its turn 0, are the last turn."""
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
        numbers[0] = 1 + max(logged, default=0)  # nothing is told where plays are not logged
    return numbers


def _histogram(shape: TallyLayout, tally: Sequence[int], seat: int) -> dict[int, int]:
    row = shape.histograms + seat * at.BINS
    return {at.LOWEST + bin_: count for bin_, count in enumerate(tally[row : row + at.BINS]) if count}
