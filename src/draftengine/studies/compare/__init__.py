"""Comparison of two forms A and B of a game: paired games are played, and differences get intervals.

Both games of a pair have the same seed, so that common luck cancels out. Every game gives one integer for each *metric*
(see `quantities`). For each metric, a chunk adds up four sums: of A, of B, of the difference and of its square. The
winner's margin is a ratio, because only games with exactly one winner count; its sums are those of `report.moments`.
All sums are integers, so chunks can be merged in any order.
"""

from __future__ import annotations

import time
from math import sqrt
from operator import add as plus
from operator import mul
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from draftengine.bots.worth.tables import adopt
from draftengine.engine.accounting import SHARES
from draftengine.engine.chance import root_of
from draftengine.model.records import referenced_names
from draftengine.model.verbs.turns import EndStep
from draftengine.studies.report import figure, seat_named, seat_title
from draftengine.studies.report.moments import GameColumns, paired_ratios, sums_of
from draftengine.studies.report.statistics import (
    Z,
    deviation,
    giving_points,
    independent,
    rule_labels,
    summarise_cards,
    widening,
)
from draftengine.studies.runner import Progress, Run, Work
from draftengine.studies.runner.playing import add, player_of
from draftengine.support.locale import spoken
from draftengine.support.locale.phrases import in_language, said

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from draftengine.engine.program import Program
    from draftengine.model.verbs.verb import Step
    from draftengine.studies.runner.playing import Task

OF_A, OF_B, DIFFERENCE, SQUARES = range(4)
"""Indices of the four sums of each metric."""


class Metric(Struct, frozen=True):
    """A quantity to compare, such as a share of wins, a score or the points of a rule."""

    kind: str
    """Kind: ``win``, ``score``, ``average``, ``pace``, ``rule``, ``round``, ``margin`` or ``shared``.

    ``score`` is the score of a seat, and ``average`` the mean of all scores. ``round`` is a rule's points per round,
    and ``pace`` the points of all rules per round.
    """
    name: str
    unit: int
    """The number by which the integers of games are divided to get the quantity."""


class PairTask(Struct, frozen=True):
    """A range of games of one seed, to be played under both versions of the rules.

    The two tasks differ only in the game and the engine.
    """

    a: Task
    b: Task


class PairChunk(Struct, frozen=True):
    first: int
    last: int
    sums: list[list[int]]
    """For each metric, its sums in the order `OF_A`, `OF_B`, `DIFFERENCE`, `SQUARES`; see the module."""
    tally_a: list[int]
    tally_b: list[int]
    seconds: float


def quantities(one: Program, two: Program) -> list[Metric]:
    """Return the metrics to compare. A seat or rule that only one form has counts as zero in the other.

    If the forms differ in the number of rounds, points per round are also compared. Rules that score only at the end,
    and games that may end before their last round, have no points per round.
    """
    seats = range(max(one.seats, two.seats))
    rules = dict.fromkeys((*giving_points(one), *giving_points(two)))
    rounds = one.model.rounds, two.model.rounds
    by_round = rules if rounds[0] != rounds[1] and not (_may_end(one) or _may_end(two)) else {}
    return [
        *(Metric("win", f"{seat}", SHARES) for seat in seats),
        *(Metric("score", f"{seat}", 1) for seat in seats),
        Metric("average", "", 1),
        *(Metric("rule", name, 1) for name in rules),
        *([Metric("pace", "", rounds[0] * rounds[1])] if by_round else []),
        *(Metric("round", name, rounds[0] * rounds[1]) for name in by_round if not _at_the_end(name, one, two)),
        Metric("margin", "", 1),
        Metric("shared", "", 1),
    ]


def _may_end(program: Program) -> bool:
    """True if a game can end before all of its rounds are played."""
    return program.model.wins is not None or _ends(program.model.round)


def _ends(steps: Iterable[Step]) -> bool:
    return any((isinstance(step, EndStep) and step.what == "game") or _ends(step.within) for step in steps)


def _at_the_end(name: str, *programs: Program) -> bool:
    """True if the rule `name` is scored only at the end of the game, in any of the programs."""
    return any(
        rule.id == name and not _scores(program.model.round, rule.at)
        for program in programs
        for rule in program.model.scoring
    )


def _scores(steps: Iterable[Step], label: str) -> bool:
    return any(label in referenced_names(step, "label") or _scores(step.within, label) for step in steps)


def play_pair(pair: PairTask) -> PairChunk:
    """Play both forms of the games and sum their metrics game by game."""
    one, two = pair.a.game.program, pair.b.game.program
    for task in (pair.a, pair.b):
        adopt(task.game.program, task.table)
    players = [player_of(task.game.program, task.bots, task.engine, logged=task.logged) for task in (pair.a, pair.b)]
    began = time.perf_counter()
    root = root_of(pair.a.seed)
    (tally_a, rows_a), (tally_b, rows_b) = [
        player.play(root, pair.a.first, pair.a.last, rows=True) for player in players
    ]
    first, second = GameColumns(one, rows_a), GameColumns(two, rows_b)
    sums = []
    for metric in quantities(one, two):
        if metric.kind == "margin":
            sums.append(sums_of([second.margin()], [first.margin()]))
            continue
        mine, theirs = _measured(first, metric, two), _measured(second, metric, one)
        differences = [other - value for value, other in zip(mine, theirs, strict=True)]
        sums.append([sum(mine), sum(theirs), sum(differences), sum(map(mul, differences, differences))])
    return PairChunk(pair.a.first, pair.a.last, sums, tally_a, tally_b, time.perf_counter() - began)


def _measured(games: GameColumns, metric: Metric, other: Program) -> list[int]:
    """Return the values of a metric in every game, in its integer unit; `other` is the other form.

    Points per round are multiplied by the numbers of rounds of both forms, which makes them integers.
    """
    kind, name = metric.kind, metric.name
    if kind in {"win", "score"} and int(name) >= games.program.seats:
        return [0] * len(games.once)
    if kind in {"round", "pace"}:
        names = [name] if name else [rule for rule in games.sources if not _at_the_end(rule, games.program, other)]
        points = map(sum, zip(*map(games.points, names), strict=True)) if names else [0] * len(games.once)
        return [other.model.rounds * value for value in points]
    return {
        "win": lambda: games.wins(int(name)),
        "score": lambda: games.totals[int(name)],
        "average": games.score,
        "rule": lambda: games.points(name),
        "shared": games.shared,
    }[kind]()


def stretch(pair: PairTask, first: int, last: int) -> PairTask:
    """Return the task that plays the games `first` to `last - 1` with both versions of the rules."""
    return PairTask(replace(pair.a, first=first, last=last), replace(pair.b, first=first, last=last))


SHARES_OF_ALL = frozenset({"win", "shared", "card"})
"""The kinds of effects whose values are shares, shown in percent."""
_OF_ALL = frozenset({"average", "pace", "margin", "shared"})
"""The kinds of effects that do not belong to a seat, rule or card."""
FEWEST_GAMES = 1000
"""The number of games before the first check of the precision, and between two checks."""


class Effect(Struct, frozen=True):
    """A quantity, its value under both versions of the rules, and the difference."""

    kind: str
    """The kind of the metric (`Metric.kind`), or ``card``: the win rate of a seat that played the card."""
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
    """The sums over all chunks that were merged so far."""

    def __init__(self, wanted: list[Metric]) -> None:
        self.wanted = wanted
        self.games = 0
        self.sums: list[list[int]] = []
        self.tally_a: list[int] = []
        self.tally_b: list[int] = []

    def merge(self, chunk: PairChunk) -> None:
        self.games += chunk.last - chunk.first
        both = zip(self.sums, chunk.sums, strict=True)
        self.sums = [list(map(plus, one, two)) for one, two in both] if self.sums else chunk.sums
        self.tally_a = add(self.tally_a, chunk.tally_a) if self.tally_a else chunk.tally_a
        self.tally_b = add(self.tally_b, chunk.tally_b) if self.tally_b else chunk.tally_b

    def values(self, place: int) -> tuple[float, float, float, float]:
        """Return the metric at `place` in A and in B, the difference, and half the width of its interval.

        All values are in the integer unit of the metric.
        """
        sums, games = self.sums[place], max(self.games, 1)
        if self.wanted[place].kind == "margin":
            one, two, sd = paired_ratios(sums, games)
            return one, two, two - one, Z * sd / sqrt(games)
        sd = deviation(sums[DIFFERENCE], sums[SQUARES], self.games)
        return sums[OF_A] / games, sums[OF_B] / games, sums[DIFFERENCE] / games, Z * sd / sqrt(games)

    def is_precise(self, precision: float) -> bool:
        """True if the difference of every seat's win rate is known to within `precision`."""
        wins = [place for place, wish in enumerate(self.wanted) if wish.kind == "win"]
        return self.games >= FEWEST_GAMES and all(self.values(place)[3] <= precision * SHARES for place in wins)


def compare(
    pair: PairTask,
    *,
    precision: float,
    jobs: int = 1,
    executor: str = "",
    tell: Callable[[Progress], None] = lambda _: None,
) -> ComparisonResult:
    """Play pairs of games until every win rate is known to `precision` (0.01 = one percentage point).

    The games end because of the precision of the answer, never because of the answer itself, so stopping early favours
    no answer. The precision is checked after every `FEWEST_GAMES` games, regardless of jobs, so equal seeds give equal
    answers.
    """
    one, two = pair.a.game.program, pair.b.game.program
    sums = _Sums(quantities(one, two))

    def merge(chunk: PairChunk) -> bool:
        sums.merge(chunk)
        return sums.games % FEWEST_GAMES == 0 and sums.is_precise(precision)

    work = Work(
        pair.a.first,
        pair.a.last,
        "reference" if "reference" in {pair.a.engine, pair.b.engine} else "compiled",
        play_pair,
        lambda first, last: stretch(pair, first, last),
        FEWEST_GAMES,
    )
    run = Run(work, jobs, executor, tell, merge)
    interrupted = run.go()
    effects = _effects(pair, sums) if sums.games else []
    return ComparisonResult(
        sums.games, effects, sums.is_precise(precision), run.per_second(), interrupted, sums.tally_a, sums.tally_b
    )


def relabelled(compared: ComparisonResult, programs: Iterable[Program], language: str) -> ComparisonResult:
    """Return the comparison with the labels of its effects in another language."""
    words, labels = spoken(language), dict[str, str]()
    for program in programs:
        seats = {f"{seat}": seat_named(seat, program.seat_name(seat)) for seat in range(program.seats)}
        labels |= {**rule_labels(program, language), **{name: in_language(seat, words) for name, seat in seats.items()}}
    kinds = {kind: words.phrase(f"study.label.{kind}") for kind in _OF_ALL}
    effects = [replace(it, label=kinds.get(it.kind, labels.get(it.name, it.label))) for it in compared.effects]
    return replace(compared, effects=effects)


def _effects(pair: PairTask, sums: _Sums) -> list[Effect]:
    """Return the effect on each metric, then on each card."""
    one, two = pair.a.game.program, pair.b.game.program
    larger = one if one.seats > two.seats else two
    labels = {**rule_labels(one), **rule_labels(two)}
    labels |= {f"{seat}": seat_title(seat, larger.seat_name(seat)) for seat in range(larger.seats)}
    effects = []
    for place, metric in enumerate(sums.wanted):
        kind, name = metric.kind, metric.name
        unit = metric.unit * (larger.seats if kind in {"average", "pace", "rule", "round"} else 1)
        before, after, difference, half = (value / unit for value in sums.values(place))
        label = str(said(f"study.label.{kind}")) if kind in _OF_ALL else labels.get(name, name)
        ends = (difference - half, difference + half)
        effects.append(Effect(kind, name, label, before, after, difference, ends, certain=False))
    # Cards are not compared game by game, because a card is played by different seats in the two games of a pair.
    of_a, of_b = (
        summarise_cards(task.game.program, tally) for task, tally in ((pair.a, sums.tally_a), (pair.b, sums.tally_b))
    )
    for name, card_a in of_a.items():
        card_b = of_b.get(name)
        if card_b is not None:
            sides = ((card_a, pair.a.game.seats), (card_b, pair.b.game.seats))
            spread = sum(
                card.win_rate * (1 - card.win_rate) / independent(card.taken, sums.games, seats)
                for card, seats in sides
            )
            difference, half = card_b.win_rate - card_a.win_rate, Z * sqrt(spread)
            ends = (difference - half, difference + half)
            effects.append(
                Effect("card", name, card_a.label, card_a.win_rate, card_b.win_rate, difference, ends, certain=False)
            )
    # Among many intervals, some miss zero by chance, so they are widened before they are judged.
    wider = widening(len(effects))
    return [
        replace(
            effect,
            certain=abs(effect.difference) > wider * effect.half
            and figure(effect.difference * (100 if effect.kind in SHARES_OF_ALL else 1)) != "0.00",
        )
        for effect in effects
    ]
