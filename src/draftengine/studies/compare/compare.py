"""Comparison of two forms of a game: paired games are played, and differences get intervals."""

from __future__ import annotations

from math import sqrt
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from draftengine.studies.compare.pairs import (
    DIFFERENCE,
    OF_A,
    OF_B,
    SQUARES,
    PairChunk,
    PairTask,
    play_pair,
    quantities,
    stretch,
)
from draftengine.studies.report.numbers import figure, seat_title
from draftengine.studies.report.statistics import Z, deviation, independent, rule_labels, summarise_cards, widening
from draftengine.studies.runner.playing import add
from draftengine.studies.simulation.run import Progress, Run, Work

if TYPE_CHECKING:
    from collections.abc import Callable

    from draftengine.studies.compare.pairs import Metric

SHARES_OF_ALL = frozenset({"win", "shared", "card"})
"""Kinds of effects whose values are shares, shown in percent."""
FEWEST_GAMES = 1000
"""Number of games between two checks of the precision, and before the first."""


class Effect(Struct, frozen=True):
    """Value of one quantity in both forms, and their difference."""

    kind: str
    """Kind of the metric (`Metric.kind`), or ``card``: how often a seat wins if it played the card."""
    name: str
    label: str
    a: float
    b: float
    difference: float
    ci95: tuple[float, float]
    certain: bool
    """True if the forms differ, with 95 percent confidence for all effects together (Bonferroni)."""

    @property
    def half(self) -> float:
        """Half the width of `ci95`."""
        return (self.ci95[1] - self.ci95[0]) / 2


class ComparisonResult(Struct, frozen=True):
    """Result of a comparison."""

    games: int
    effects: list[Effect]
    precise: bool
    """True if the win rates of all seats are known to the requested precision."""
    per_second: float
    interrupted: bool
    tally_a: list[int]
    tally_b: list[int]


class _Sums:
    """Sums over all chunks merged so far."""

    def __init__(self, wanted: list[Metric]) -> None:
        self.wanted = wanted
        self.games = 0
        self.sums = [0] * (4 * len(wanted))
        self.tally_a: list[int] = []
        self.tally_b: list[int] = []

    def merge(self, chunk: PairChunk) -> None:
        self.games += chunk.last - chunk.first
        self.sums = [one + two for one, two in zip(self.sums, chunk.tally, strict=True)]
        self.tally_a = add(self.tally_a, chunk.tally_a) if self.tally_a else chunk.tally_a
        self.tally_b = add(self.tally_b, chunk.tally_b) if self.tally_b else chunk.tally_b

    def half_width(self, place: int) -> float:
        """Return half the width of the interval of the difference of the metric at `place`."""
        columns = self.sums[4 * place : 4 * place + 4]
        sd = deviation(columns[DIFFERENCE], columns[SQUARES], self.games)
        return Z * sd / sqrt(max(self.games, 1)) / self.wanted[place].unit

    def is_precise(self, precision: float) -> bool:
        """True if the difference of every seat's win rate is known to ± `precision`."""
        wins = [place for place, wish in enumerate(self.wanted) if wish.kind == "win"]
        return self.games >= FEWEST_GAMES and all(self.half_width(place) <= precision for place in wins)


def compare(
    pair: PairTask,
    *,
    precision: float,
    jobs: int = 1,
    executor: str = "",
    tell: Callable[[Progress], None] = lambda _: None,
) -> ComparisonResult:
    """Play pairs of games until every win rate is known to `precision` (0.01 = one percentage point).

    Only the precision of the answer ends the games, never the answer itself, so stopping early favours no answer. The
    precision is checked after every `FEWEST_GAMES` games, regardless of jobs, so equal seeds give equal answers.
    """
    one, two = pair.a.game.program, pair.b.game.program
    sums = _Sums(quantities(one, two))

    def merge(chunk: PairChunk) -> bool:
        sums.merge(chunk)
        return sums.games % FEWEST_GAMES == 0 and sums.is_precise(precision)

    work = Work(
        pair.a.first,
        pair.a.last,
        _slower(pair),
        play_pair,
        lambda first, last: stretch(pair, first, last),
        FEWEST_GAMES,
    )
    run = Run(work, jobs, executor, tell, merge)
    interrupted = run.go()
    labels = {**rule_labels(one), **rule_labels(two)}
    larger = one if one.seats > two.seats else two
    labels |= {f"{seat}": seat_title(seat, larger.seat_name(seat)) for seat in range(larger.seats)}
    effects = [_effect(sums, place, labels, (one.seats, two.seats)) for place in range(len(sums.wanted))]
    effects = _judged([*effects, *_cards(pair, sums)])
    return ComparisonResult(
        sums.games, effects, sums.is_precise(precision), run.per_second(), interrupted, sums.tally_a, sums.tally_b
    )


def _slower(pair: PairTask) -> str:
    return "reference" if "reference" in {pair.a.engine, pair.b.engine} else "compiled"


def _effect(sums: _Sums, place: int, labels: dict[str, str], seats: tuple[int, int]) -> Effect:
    wish, games = sums.wanted[place], max(sums.games, 1)
    columns = sums.sums[4 * place : 4 * place + 4]
    each = max(seats) if wish.kind in {"average", "pace", "rule", "round"} else 1
    scale = games * wish.unit * each
    difference, half = columns[DIFFERENCE] / scale, sums.half_width(place) / each
    label = {
        "average": "All together",
        "pace": "All rules, a round",
        "margin": "The winner's margin",
        "shared": "Shared victories",
    }.get(wish.kind, labels.get(wish.name, wish.name))
    low, high = difference - half, difference + half
    return Effect(
        wish.kind,
        wish.name,
        label,
        columns[OF_A] / scale,
        columns[OF_B] / scale,
        difference,
        (low, high),
        certain=False,
    )


def _judged(effects: list[Effect]) -> list[Effect]:
    """Return the effects with `certain` set. Intervals are widened: among many, some miss zero by chance."""
    wider = widening(len(effects))
    return [
        replace(
            effect,
            certain=abs(effect.difference) > wider * effect.half
            and figure(effect.difference * _shown_by(effect)) != "0.00",
        )
        for effect in effects
    ]


def _shown_by(effect: Effect) -> int:
    return 100 if effect.kind in SHARES_OF_ALL else 1


def _cards(pair: PairTask, sums: _Sums) -> list[Effect]:
    """Return an effect for each card of both forms: the win rate of seats that played it.

    They are not compared game by game, because the seats that play a card differ between the forms.
    """
    before, after = (
        summarise_cards(task.game.program, tally) for task, tally in ((pair.a, sums.tally_a), (pair.b, sums.tally_b))
    )
    effects = []
    for name, one in before.items():
        two = after.get(name)
        if two is not None:
            sides = ((one, pair.a.game.seats), (two, pair.b.game.seats))
            spread = sum(
                card.win_rate * (1 - card.win_rate) / independent(card.taken, sums.games, seats)
                for card, seats in sides
            )
            difference, half = two.win_rate - one.win_rate, Z * sqrt(spread)
            ends = (difference - half, difference + half)
            effects.append(Effect("card", name, one.label, one.win_rate, two.win_rate, difference, ends, certain=False))
    return effects
