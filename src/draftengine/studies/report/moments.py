"""Moments of a figure: mergeable sums over games, from which its value and interval are computed.

A figure has one or several *parts*. A part is a ratio of two means, *top* over *bottom*; the bottom is 1 in every game
if the part is a plain mean. Each part has four columns: top and bottom under the tried rules and, in paired games, top
and bottom under the present rules (*now*). The columns, and all products of two columns, are summed over the games. So
the difference between the rules is known far more precisely than either value. The interval of a ratio comes from
linearising it (the delta method).

An interval for a fixed number of games is too narrow if somebody looks at it repeatedly and stops when it shows the
hoped-for result. A *confidence sequence* covers all numbers of games together: with 95 percent probability it contains
the true value at every moment. So a study can look at any time and stop at any time.

The boundary is Robbins' normal mixture (1970). Estimating the deviation from the games makes it an asymptotic
confidence sequence. Like every interval by the central limit theorem, it holds from a few hundred games on. Source:
Waudby-Smith, Arbour, Sinha, Kennedy and Ramdas, "Time-uniform central limit theory and asymptotic confidence
sequences", Annals of Statistics 52 (2024), Theorem 2.2.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cached_property
from itertools import combinations_with_replacement
from math import inf, log, sqrt
from operator import mul
from typing import TYPE_CHECKING

from msgspec import Struct

from draftengine.engine.accounting import SHARES, sources_of
from draftengine.studies.report import figure as with_places
from draftengine.studies.report import seat_named
from draftengine.studies.report.statistics import rule_labels
from draftengine.support.locale.phrases import said

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from draftengine.engine.program import Program
    from draftengine.studies.runner.playing import Rows
    from draftengine.support.locale.phrases import Phrase

ERROR = 0.05
"""The probability that any interval of a study, looked at at any time, misses the true value."""
BEST_AT = 5_000
"""The number of games at which the intervals are narrowest. Far from it, they are a little too wide."""
MOST_GAMES = 20_000_000
"""The largest number of games for any question."""


class Estimate(Struct, frozen=True):
    """An estimated figure with its interval."""

    value: float
    low: float
    high: float

    def within(self, low: float, high: float) -> bool:
        """True if the whole interval lies between `low` and `high`."""
        return low <= self.low and self.high <= high

    def outside(self, low: float, high: float) -> bool:
        """True if the whole interval lies below `low` or above `high`."""
        return self.high < low or high < self.low


def half_width(games: int, error: float) -> float:
    """Return half the width of a mean's interval, in standard deviations of one game."""
    if games < 1:
        return inf
    mixing = (-2 * log(error) + log(1 - 2 * log(error))) / BEST_AT
    grown = games * mixing + 1
    return sqrt(2 * grown / (games * games * mixing) * log(sqrt(grown) / error))


def games_for(deviation: float, half: float, error: float) -> int:
    """Return the number of games after which half the interval is at most `half`; at most `MOST_GAMES`."""
    few, many = 0, 1
    while deviation * half_width(many, error) > half:
        few, many = many, 2 * many
        if many > MOST_GAMES:
            return MOST_GAMES
    while many - few > 1:
        middle = (few + many) // 2
        if deviation * half_width(middle, error) > half:
            few = middle
        else:
            many = middle
    return many


Part = tuple[list[int], list[int]]
"""The top and the bottom of a ratio, each by game."""

TOP, BOTTOM, TOP_NOW, BOTTOM_NOW = range(4)
PAIRS = list(combinations_with_replacement(range(4), 2))
"""The pairs of columns, each with itself too, whose products are summed."""
SIZE = 4 + len(PAIRS)
"""The number of sums that are stored for each part of a figure."""


def sums_of(parts: Sequence[Part], now: Sequence[Part]) -> list[int]:
    """Return the sums of columns and products for all parts, `SIZE` numbers for each part."""
    sums: list[int] = []
    for (top, bottom), (top_now, bottom_now) in zip(parts, now, strict=True):
        columns = (top, bottom, top_now, bottom_now)
        sums += map(sum, columns)
        sums += (sum(map(mul, columns[one], columns[two])) for one, two in PAIRS)
    return sums


class GameColumns:
    """Results of some games, as columns with one value for every game."""

    def __init__(self, program: Program, rows: Rows) -> None:
        columns, seats = list(map(list, zip(*rows, strict=True))), program.seats
        self.program = program
        self.once = [1] * len(rows)
        self.totals, self.winners = columns[:seats], columns[seats]
        self.sources: dict[str, list[list[list[int]]]] = {}
        """By rule, then by source of its points, then by seat: the points in every game."""
        for source, name in enumerate(sources_of(program), 1):
            self.sources.setdefault(name, []).append(columns[seats * source + 1 : seats * (source + 1) + 1])

    def wins(self, seat: int) -> list[int]:
        return [SHARES // bits.bit_count() if bits >> seat & 1 else 0 for bits in self.winners]

    def score(self) -> list[int]:
        return list(map(sum, zip(*self.totals, strict=True)))

    def winning(self) -> list[int]:
        return [self.totals[_first(bits)][game] for game, bits in enumerate(self.winners)]

    def shared(self) -> list[int]:
        return [int(bits.bit_count() > 1) for bits in self.winners]

    def points(self, rule: str) -> list[int]:
        """Return the points of a rule for all seats together; 0 if this form of the game lacks the rule."""
        columns = [column for by_seat in self.sources.get(rule, ()) for column in by_seat]
        return list(map(sum, zip(*columns, strict=True))) if columns else [0] * len(self.once)

    def margin(self) -> Part:
        """Return the winner's lead as a ratio, in which only games with exactly one winner count."""
        return self._leads(self.totals), [int(who is not None) for who in self._ahead]

    def share(self, rule: str) -> Part:
        leads = map(self._leads, self.sources[rule])
        return list(map(sum, zip(*leads, strict=True))), self._leads(self.totals)

    @cached_property
    def _ahead(self) -> list[tuple[int, int] | None]:
        """The sole winner and the next best seat of each game; ``None`` for several winners or a single seat."""
        sign, seats = self.program.direction, range(self.program.seats)
        pairs: list[tuple[int, int] | None] = []
        for totals, winners in zip(zip(*self.totals, strict=True), self.winners, strict=True):
            if winners.bit_count() != 1 or len(seats) == 1:
                pairs.append(None)
                continue
            winner = _first(winners)
            others = [sign * total if seat != winner else -inf for seat, total in enumerate(totals)]
            pairs.append((winner, max(seats, key=others.__getitem__)))
        return pairs

    def _leads(self, by_seat: Sequence[Sequence[int]]) -> list[int]:
        """Return the winner's lead in each game, computed from columns by seat; 0 for several winners."""
        sign = self.program.direction
        return [
            sign * (by_seat[who[0]][game] - by_seat[who[1]][game]) if who else 0 for game, who in enumerate(self._ahead)
        ]


def _first(winners: int) -> int:
    return (winners & -winners).bit_length() - 1


class Kind(Struct, frozen=True):
    """A kind of figure that a game can be tuned to."""

    phrase: str
    """The text that people write to ask for it. ``PLAYER`` and ``RULE`` stand for a number and a name."""
    meaning: str
    parts: Callable[[GameColumns, str], list[Part]]
    """The function from the games, and a player's number or a rule's name, to the parts of the figure."""
    percent: bool = False
    """True if the figure is a share in percent."""
    shares: bool = False
    """True if the contribution of one game lies between 0 and 1."""


TARGET_KINDS = {
    "score": Kind(
        "score", "the points of a player in a game, on average", lambda games, _: [(games.score(), games.once)]
    ),
    "score_of": Kind(
        "score of player PLAYER",
        "the points of one player, on average",
        lambda games, seat: [(games.totals[int(seat)], games.once)],
    ),
    "winning": Kind(
        "winning score", "the points of the winner, on average", lambda games, _: [(games.winning(), games.once)]
    ),
    "margin": Kind(
        "margin", "how far the winner is ahead, in games with one winner", lambda games, _: [games.margin()]
    ),
    "advantage": Kind(
        "seat advantage",
        "by how much the wins of the seat furthest from an even share differ from it, in percentage points",
        lambda games, _: [(games.wins(seat), games.once) for seat in range(games.program.players)],
        percent=True,
        shares=True,
    ),
    "wins": Kind(
        "wins of player PLAYER",
        "how often a player wins, in percent",
        lambda games, seat: [(games.wins(int(seat)), games.once)],
        percent=True,
        shares=True,
    ),
    "shared": Kind(
        "shared victories",
        "how often a victory is shared, in percent",
        lambda games, _: [(games.shared(), games.once)],
        percent=True,
        shares=True,
    ),
    "points": Kind(
        "points of RULE",
        "what a player gets of a rule in a game, on average",
        lambda games, rule: [(games.points(rule), games.once)],
    ),
    "share": Kind(
        "share of RULE",
        "what part of the winner's margin a rule makes, in percent",
        lambda games, rule: [games.share(rule)],
        percent=True,
    ),
}
"""The kinds of figures, by the names that `Figure.kind` uses."""


class Figure(Struct, frozen=True):
    """A figure of a game, such as a player's score or a rule's share in the margin."""

    kind: str
    of: str = ""
    """The player (a number from 0) or the rule (a name) that the figure is about; empty for other figures."""

    @property
    def percent(self) -> bool:
        return TARGET_KINDS[self.kind].percent

    @property
    def shares(self) -> bool:
        return TARGET_KINDS[self.kind].shares

    def title(self, program: Program, language: str = "en") -> Phrase:
        """Return the name of the figure for a sentence in a language."""
        if self.kind in {"score_of", "wins"}:
            seat = int(self.of)
            return said(f"study.figure.{self.kind}", player=seat_named(seat, program.seat_name(seat)))
        return said(f"study.figure.{self.kind}", rule=rule_labels(program, language).get(self.of, self.of))

    def shown(self, value: float) -> str:
        """Format a value of the figure."""
        return f"{with_places(value)} %" if self.percent and self.kind != "advantage" else with_places(value)


def parts_of(program: Program, figure: Figure, rows: Rows) -> list[Part]:
    """Return the parts of a figure, with their values in every game."""
    return TARGET_KINDS[figure.kind].parts(GameColumns(program, rows), figure.of)


def unit_of(program: Program, figure: Figure) -> float:
    """Return the factor from the ratio of the sums to the unit that people read, such as percent."""
    if figure.kind in {"wins", "advantage"}:
        return 100 / SHARES
    if figure.kind in {"score", "points"}:
        return 1 / program.seats
    return 100 if figure.percent else 1


class Moments:
    """The value, interval and change of a figure, computed from its sums.

    `error` is the probability that any interval, looked at at any time, misses the true value. It is divided among the
    parts.
    """

    def __init__(self, program: Program, figure: Figure, games: int, sums: Sequence[int], error: float) -> None:
        self.figure = figure
        self.games = games
        self.unit = unit_of(program, figure)
        self.most = SHARES if figure.kind in {"wins", "advantage"} else 1
        self.even = 100 / program.players
        count = len(sums) // SIZE
        self.parts = [sums[SIZE * part : SIZE * (part + 1)] for part in range(count)]
        self.half = half_width(games, error / max(count, 1))

    def estimate(self) -> Estimate:
        """Return the figure with its interval. A seat advantage is the largest deviation from an equal share."""
        estimates: list[Estimate] = []
        for part in self.parts:
            if not part[BOTTOM]:
                estimates.append(Estimate(0.0, -inf, inf))
            else:
                value = part[TOP] / part[BOTTOM] * self.unit
                half = self.half * _spread(self._weights(part), part, self.games, self._otherwise(part)) * self.unit
                low, high = value - half, value + half
                estimates.append(
                    Estimate(value, max(low, 0.0), min(high, 100.0))
                    if self.figure.shares
                    else Estimate(value, low, high)
                )
        if self.figure.kind != "advantage":
            return estimates[0]
        away = [(abs(estimate.value - self.even), estimate.high - estimate.value) for estimate in estimates]
        return Estimate(
            max(far for far, _ in away),
            max(0.0, *(far - half for far, half in away)),
            max(far + half for far, half in away),
        )

    def deviation(self) -> float:
        """Return the standard deviation of the figure in one game; of several parts, the largest."""
        return max(_spread(self._weights(part), part, self.games) for part in self.parts) * self.unit

    def change(self) -> Estimate | None:
        """Return the change of the figure from its value under the present rules, in paired games.

        The result is ``None`` for a figure with several parts.
        """
        if len(self.parts) != 1:
            return None
        (part,) = self.parts
        if not part[BOTTOM] or not part[BOTTOM_NOW]:
            return Estimate(0.0, -inf, inf)
        both = zip(self._weights(part), self._weights(part, TOP_NOW), strict=True)
        weights = [tried - now for tried, now in both]
        value = (part[TOP] / part[BOTTOM] - part[TOP_NOW] / part[BOTTOM_NOW]) * self.unit
        half = self.half * _spread(weights, part, self.games, self._otherwise(part)) * self.unit
        return Estimate(value, value - half, value + half)

    def _otherwise(self, part: Sequence[int]) -> float:
        """Return the deviation of one more, assumed game, which widens the interval.

        Something that never happened in a few hundred games may still happen. The spread of these games alone ignores
        that.
        """
        return self.most if self.figure.shares else max(1.0, abs(part[TOP]) / self.games)

    def _weights(self, part: Sequence[int], top: int = TOP) -> list[float]:
        """Return the weights of the four columns in the linearised ratio of `top` to the column after it."""
        weights = [0.0] * 4
        if part[top + 1]:
            bottom = part[top + 1] / self.games
            weights[top : top + 2] = 1 / bottom, -part[top] / part[top + 1] / bottom
        return weights


def _spread(weights: Sequence[float | Fraction], part: Sequence[int], games: int, otherwise: float = 0.0) -> float:
    """Return the standard deviation of a weighted sum of the four columns in one game.

    It includes one further, assumed game, whose top deviates by `otherwise`.
    """
    if games < 2:  # noqa: PLR2004 (one game varies by nothing)
        return inf
    squares = sum(
        weights[one] * weights[two] * product * (1 if one == two else 2)
        for (one, two), product in zip(PAIRS, part[4:], strict=True)
    )
    return sqrt((max(squares, 0.0) + (weights[TOP] * otherwise) ** 2) / (games - 1))


def paired_ratios(part: Sequence[int], games: int) -> tuple[float, float, float]:
    """Return the ratio under the present and the tried rules, and the deviation of their difference.

    The deviation is that of one game. Exact fractions make it exactly 0 for equal games. If the bottom is 0, so is
    the ratio.
    """
    weights, ratios = [Fraction(0)] * 4, []
    for top, sign in ((TOP_NOW, -1), (TOP, 1)):
        bottom = part[top + 1]
        ratios.append(part[top] / bottom if bottom else 0.0)
        if bottom:
            weights[top] = sign * Fraction(games, bottom)
            weights[top + 1] = -weights[top] * Fraction(part[top], bottom)
    now, tried = ratios
    return now, tried, _spread(weights, part, games) if games > 1 else 0.0
