"""Paired games of two forms A and B: game by game with equal seeds, so that common luck cancels out.

Every game gives one integer for each metric (see `quantities`). For each metric a chunk counts four sums: of A, of B,
of the difference and of its square. The sums are integers, so chunks can be merged in any order.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from draftengine.bots.worth.tables import adopt
from draftengine.engine.accounting import SHARES, sources_of
from draftengine.engine.chance import root_of
from draftengine.model.records.record import referenced_names
from draftengine.model.verbs.turns import EndStep
from draftengine.studies.runner.playing import player_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from draftengine.engine.program import Program
    from draftengine.model.verbs.verb import Step
    from draftengine.studies.runner.playing import Rows
    from draftengine.studies.runner.task import Task

OF_A, OF_B, DIFFERENCE, SQUARES = range(4)
"""Positions of the four sums of each metric."""


class Metric(Struct, frozen=True):
    """Quantity to compare, such as a share of wins, a score or the points of a rule."""

    kind: str
    """Kind: ``win``, ``score``, ``average``, ``pace``, ``rule``, ``round``, ``margin`` or ``shared``.

    ``score`` is that of a seat and ``average`` that of all scores. ``round`` is a rule's points for each round, and
    ``pace`` those of all rules.
    """
    name: str
    unit: int
    """Divisor that turns the integer counts into the quantity."""


class PairTask(Struct, frozen=True):
    """The games `first` to `last - 1` of a seed in both forms. The tasks differ only in game and engine."""

    a: Task
    b: Task


class PairChunk(Struct, frozen=True):
    first: int
    last: int
    tally: list[int]
    """Four sums for each metric, in the order of `OF_A`, `OF_B`, `DIFFERENCE` and `SQUARES`."""
    tally_a: list[int]
    tally_b: list[int]
    seconds: float


def quantities(one: Program, two: Program) -> list[Metric]:
    """Return the metrics to compare. Seats and rules that only one form has count as zero in the other.

    If the forms differ in the number of rounds, points are also compared for each round. Rules that score only at the
    end are left out of that, and so are games that may end before their last round.
    """
    seats = range(max(one.seats, two.seats))
    rules = dict.fromkeys((*sources_of(one), *sources_of(two)))
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
    wanted = quantities(one, two)
    players = [player_of(task.game.program, task.bots, task.engine, logged=task.logged) for task in (pair.a, pair.b)]
    began = time.perf_counter()
    root = root_of(pair.a.seed)
    (tally_a, rows_a), (tally_b, rows_b) = [
        player.play(root, pair.a.first, pair.a.last, rows=True) for player in players
    ]
    first, second = _measured(one, wanted, rows_a, two), _measured(two, wanted, rows_b, one)
    sums = [0] * (4 * len(wanted))
    for place, (mine, theirs) in enumerate(zip(first, second, strict=True)):
        differences = [other - value for value, other in zip(mine, theirs, strict=True)]
        sums[4 * place : 4 * place + 4] = (
            sum(mine),
            sum(theirs),
            sum(differences),
            sum(difference * difference for difference in differences),
        )
    return PairChunk(pair.a.first, pair.a.last, sums, tally_a, tally_b, time.perf_counter() - began)


def _measured(program: Program, wanted: Sequence[Metric], rows: Rows, other: Program) -> list[list[int]]:
    """Return the values of each metric in every game, in its integer unit; `other` is the other form."""
    games = _Games(program, rows, other)
    return [_MEASURES[wish.kind](games, wish.name) for wish in wanted]


class _Games:
    """Rows of some games as columns, with one method for each kind of metric."""

    def __init__(self, program: Program, rows: Rows, other: Program) -> None:
        self.program = program
        self.other = other
        self.columns = list(map(list, zip(*rows, strict=True)))
        self.totals = self.columns[: program.seats]
        self.winners = self.columns[program.seats]
        self.nothing = [0] * len(rows)
        self.winner_margins: dict[str, list[int]] = {}
        for source, name in enumerate(sources_of(program)):
            start = program.seats + 1 + source * program.seats
            self.winner_margins.setdefault(name, []).extend(range(start, start + program.seats))

    def win(self, name: str) -> list[int]:
        seat = int(name)
        if seat >= self.program.seats:
            return self.nothing
        return [SHARES // bits.bit_count() if bits >> seat & 1 else 0 for bits in self.winners]

    def score(self, name: str) -> list[int]:
        return self.totals[int(name)] if int(name) < self.program.seats else self.nothing

    def average(self, _: str) -> list[int]:
        return list(map(sum, zip(*self.totals, strict=True)))

    def rule(self, name: str) -> list[int]:
        columns = [self.columns[place] for place in self.winner_margins.get(name, ())]
        return list(map(sum, zip(*columns, strict=True))) if columns else self.nothing

    def round(self, name: str) -> list[int]:
        """Return a rule's points for each round, multiplied by the rounds of both forms to stay integers."""
        return [points * self.other.model.rounds for points in self.rule(name)]

    def duration_estimate(self, _: str) -> list[int]:
        """Return the points of all rules for each round, without rules that score only at the end.

        Like those of `round`, the values are multiplied by the numbers of rounds of both forms.
        """
        names = [name for name in self.winner_margins if not _at_the_end(name, self.program, self.other)]
        return list(map(sum, zip(*(self.round(name) for name in names), strict=True))) if names else self.nothing

    def margin(self, _: str) -> list[int]:
        sign, totals = self.program.direction, zip(*self.totals, strict=True)
        return [sign * _margin(scores, bits, sign) for scores, bits in zip(totals, self.winners, strict=True)]

    def shared(self, _: str) -> list[int]:
        return [int(bits.bit_count() > 1) for bits in self.winners]


_MEASURES: dict[str, Callable[[_Games, str], list[int]]] = {
    "win": _Games.win,
    "score": _Games.score,
    "average": _Games.average,
    "pace": _Games.duration_estimate,
    "rule": _Games.rule,
    "round": _Games.round,
    "margin": _Games.margin,
    "shared": _Games.shared,
}


def _margin(totals: Sequence[int], winners: int, sign: int) -> int:
    """Return the absolute lead of the winner over the next seat; 0 if the victory is shared."""
    if winners.bit_count() != 1 or len(totals) == 1:
        return 0
    winner = winners.bit_length() - 1
    others = (sign * total for seat, total in enumerate(totals) if seat != winner)
    return totals[winner] - sign * max(others)


def stretch(pair: PairTask, first: int, last: int) -> PairTask:
    """Return the task for the games `first` to `last - 1` in both forms."""
    return PairTask(replace(pair.a, first=first, last=last), replace(pair.b, first=first, last=last))
