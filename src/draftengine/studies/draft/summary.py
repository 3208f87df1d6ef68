"""Draft studies: games of a simulation are repeated with the reference engine and counted.

*Regret* is the number of points that sampled choices lost in the judgement of an adviser. The adviser is asked twice,
with different random streams: first for its own choice, then for the values of that choice and of the choice made. With
a single stream, a searching adviser would overrate its own choice, which it makes partly because of lucky playouts. It
would then find regret even in the choices of an identical bot.

Strengths of cards are estimated from choices between cards that were seen together. The model is that of Bradley and
Terry (1952): a card of strength *s* is taken before one of strength *t* with probability ``s / (s + t)``. If seats take
cards with probabilities in proportion to strengths (Luce 1959), then the pairs of taken and left cards follow this
model. Strengths are fitted by Newman's iteration with his prior: each card has won and lost once against an average
card of strength 1. So a card that is always taken first has a finite strength. Source: M. E. J. Newman, Efficient
computation of rankings from pairwise comparisons, Journal of Machine Learning Research 24 (2023), 238.
"""

from __future__ import annotations

import time
from math import exp, log, sqrt
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from draftengine.bots import SeatedBot
from draftengine.bots.worth.tables import adopt
from draftengine.engine.accounting import MOST_TURNS
from draftengine.engine.chance import Stream, key_of, root_of
from draftengine.engine.choose import Choice
from draftengine.engine.instructions import Pass
from draftengine.engine.kernel.expected_gain import SCALE
from draftengine.engine.state import initial_state
from draftengine.model.cardset.facts import all_steps
from draftengine.model.verbs.choose import ChooseStep
from draftengine.studies import draft as at
from draftengine.studies.draft import Collector, DraftLayout, Sample, merge
from draftengine.studies.report.statistics import Interval, card_label, deviation, of_mean, wilson
from draftengine.studies.runner import Run, Work
from draftengine.studies.runner.playing import needs_memory, policies_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from draftengine.api.game import Game
    from draftengine.bots import Decision
    from draftengine.engine.moves import Move
    from draftengine.engine.program import Program
    from draftengine.studies.runner import Progress


def judge(
    sample: Sample, advisers: Sequence[tuple[SeatedBot, SeatedBot]], tally: list[int], shape: DraftLayout
) -> None:
    """Add the points that the sampled choices lost to `tally`.

    `advisers` has, for each seat, two copies of the adviser with different random streams.
    """
    for choice in sample.kept:
        first, second = advisers[choice.seen.seat]
        wanted = first.decide(choice.seen)
        if not wanted.considered:
            continue
        best = wanted.considered[0].move
        lost = (
            0.0 if sorted(best) == sorted(choice.move) else points_lost(second.decide(choice.seen), best, choice.move)
        )
        if lost is not None:
            parts = round(SCALE * lost)
            row = shape.choice(choice.seen.seat, choice.turn)
            tally[row + at.JUDGED] += 1
            tally[row + at.LOST] += parts
            tally[row + at.SQUARES] += parts * parts


def points_lost(decision: Decision, best: Move, move: Move) -> float | None:
    """Return the value of `best` minus the value of `move`; ``None`` if the decision lacks one of them.

    Moves that differ only in the order of their cards are equal.
    """
    values: dict[Move, float] = {}
    for option in decision.considered:
        values.setdefault(tuple(sorted(option.move)), option.value)
    one, two = values.get(tuple(sorted(best))), values.get(tuple(sorted(move)))
    return None if one is None or two is None else one - two


DECISIONS = 400
"""The default number of choices that an adviser judges."""


class DraftTask(Struct, frozen=True):
    """The games `first` to `last - 1` of a study with `games` games."""

    game: Game
    bots: tuple[str, ...]
    """The bots in the order of players, as options write them: ``greedy``, ``search:iterations=100``."""
    seed: int | str
    games: int
    adviser: str = ""
    """The bot that judges choices, as options write it; empty if no bot does."""
    decisions: int = DECISIONS
    """The number of choices to judge in all games together."""
    first: int = 0
    last: int = 0
    table: bytes = b""
    """The worth table of the game, so that workers need not learn one themselves."""

    def sample_of(self, game: int) -> int:
        """Return the number of choices to judge in a game."""
        each, more = divmod(self.decisions if self.adviser else 0, self.games)
        return each + (game < more)


class DraftChunk(Struct, frozen=True):
    """Counts over the games of a task."""

    first: int
    last: int
    tally: list[int]
    seconds: float


class DraftStatistics(Struct, frozen=True):
    """The result of a draft study."""

    tally: list[int]
    """The counts of all finished games, in the order of `DraftLayout`; empty if there are none."""
    interrupted: bool


def play_drafts(task: DraftTask) -> DraftChunk:
    """Play and count the games of a task."""
    program, bots, root = task.game.program, task.bots, root_of(task.seed)
    adopt(program, task.table)
    collector = Collector(program, DraftLayout.of(program))
    began = time.perf_counter()
    for game in range(task.first, task.last):
        size = task.sample_of(game)
        sample = Sample(size, Stream(key_of(root, game, "search"))) if size else None
        state = initial_state(program, root, game, memory=needs_memory(bots) or sample is not None)
        collector.walk(state, policies_of(program, bots, root, game), Stream(key_of(root, game, "bot")), sample)
        if sample is not None:
            keys = [key_of(root, game, "search", 1 + which) for which in range(2 * len(bots))]
            asked = [SeatedBot.of(task.adviser, key) for key in keys]
            judge(sample, list(zip(asked[::2], asked[1::2], strict=True)), collector.tally, collector.shape)
    return DraftChunk(task.first, task.last, collector.tally, time.perf_counter() - began)


def draft(
    task: DraftTask, *, jobs: int = 1, executor: str = "", tell: Callable[[Progress], None] = lambda _: None
) -> DraftStatistics:
    """Play the games of a task and count how they are drafted.

    The counts depend only on the task. After Ctrl-C, the finished games are kept up to the first one that is missing.
    Raises `ExecutorError`.
    """
    tally: list[int] = []

    def take(chunk: DraftChunk) -> bool:
        tally[:] = merge(tally, chunk.tally) if tally else chunk.tally
        return False

    work = Work(0, task.games, "reference", play_drafts, lambda first, last: replace(task, first=first, last=last))
    interrupted = Run(work, jobs, executor, tell, take).go()
    return DraftStatistics(tally, interrupted)


_CLOSE = 1e-9
_MOST = 10_000
_HALVINGS = 50


def strengths(won: Sequence[Sequence[float]]) -> list[float]:
    """Return the natural logarithm of each strength; 0 is average.

    ``won[a][b]`` is the number of times that card *a* was taken before card *b*.
    """
    values = [1.0] * len(won)
    lost = [list(column) for column in zip(*won, strict=True)]
    for _ in range(_MOST):
        before = values[:]
        for index in range(len(values)):
            # The factor makes one strength optimal while all others stay fixed.
            strength = values[index]
            up, down = 1 / (strength + 1), strength / (strength + 1)
            for other, its in enumerate(values):
                if other != index:
                    up += won[index][other] * its / (strength + its)
                    down += lost[index][other] * strength / (strength + its)
            values[index] *= up / down
        # Scale the strengths so that expected wins equal expected losses against average cards.
        low, high = 1 / max(values), 1 / min(values)
        for _ in range(_HALVINGS):
            middle = sqrt(low * high)
            if sum(middle * value / (1 + middle * value) for value in values) > len(values) / 2:
                high = middle
            else:
                low = middle
        values = [sqrt(low * high) * value for value in values]
        if max(abs(log(now / then)) for now, then in zip(values, before, strict=True)) < _CLOSE:
            break
    return [log(strength) for strength in values]


def share(rating: float) -> float:
    """Return the probability that a card is taken before an average one, given the log of its strength."""
    return 1 / (1 + exp(-rating))


class DraftTurn(Struct, frozen=True, omit_defaults=True):
    """Figures of a kind of card in one turn of the round.

    Copies are counted over all games and seats.
    """

    turn: int
    seen: int
    taken: int
    passed: int | None = None
    """The number of copies passed on; this and the next figures are ``None`` in games without passing."""
    back: int | None = None
    """The number of passed copies that were still there when the seat next saw these cards."""
    wheel: float | None = None
    """The share of `passed` that is `back`."""
    denied: float | None = None
    """The mean gain that the next seat would have had from a taken copy instead of the best one left."""


class DraftCard(Struct, frozen=True, omit_defaults=True):
    """Figures of a kind of card. Copies are counted over all games and seats."""

    label: str
    rating: float
    """The natural logarithm of the card's strength (see `share`); 0 is average."""
    preferred: float
    """The probability that it is taken before an average card that is seen together with it."""
    seen: int
    taken: int
    rate: float
    """The share of the seen copies that are taken."""
    aside: int
    """The number of copies put aside: given to another seat, or kept for a later choice."""
    pick: float | None = None
    """The mean turn in which a copy is taken; ``None`` if no copy is ever taken."""
    pick_ci95: Interval | None = None
    passed: int | None = None
    """The number of copies passed on. This and the following figures are ``None`` if no cards are passed."""
    wheel: float | None = None
    """The share of the passed copies that come back."""
    wheel_ci95: Interval | None = None
    denied: float | None = None
    """The mean number of points that the next seat loses because a copy is taken."""
    by_turn: list[DraftTurn] = []


class MeanRegret(Struct, frozen=True):
    """The mean number of points that judged choices lost."""

    decisions: int
    """Number of judged choices."""
    mean: float
    """The mean number of points that a choice lost."""
    ci95: Interval


class Regret(Struct, frozen=True):
    """Points that choices lost, according to the adviser's values of moves.

    The values of a bot that looks ahead are margins.
    """

    adviser: str
    all: MeanRegret
    by_turn: dict[int, MeanRegret]
    by_seat: dict[int, MeanRegret]


class DraftSummary(Struct, frozen=True, omit_defaults=True):
    """Figures of a draft study, for all cards."""

    games: int
    """Number of games counted."""
    choices: int
    passes: bool
    """True if hands are passed on in the game."""
    cards: dict[str, DraftCard]
    """The figures by face, the face with the highest rating first."""
    regret: Regret | None = None
    """The regret; ``None`` without an adviser, or if the adviser gives no values."""
    bids: bool = False
    """True if the game has actions without a card, which are not counted."""


def summarise_draft(program: Program, shape: DraftLayout, tally: Sequence[int], adviser: str = "") -> DraftSummary:
    """Compute the figures from a tally. Cards that no seat saw are left out."""
    passes = hands_go_round(program)
    kinds = range(len(shape.faces))
    ratings = strengths([tally[shape.duel(kind, 0) : shape.duel(kind, 0) + len(kinds)] for kind in kinds])
    cards = {}
    for kind in sorted(kinds, key=lambda face: (-ratings[face], face)):
        places = {turn: shape.card(kind, turn) for turn in range(MOST_TURNS)}
        rows = {turn: tally[place : place + at.COLUMNS] for turn, place in places.items()}
        turns = {turn: row for turn, row in rows.items() if any(row)}
        if any(row[at.SEEN] for row in turns.values()):
            name = program.faces[shape.faces[kind]]
            cards[name] = _card(card_label(program, name), ratings[kind], turns, passes=passes)
    judged = {
        (seat, turn): tally[shape.choice(seat, turn) : shape.choice(seat, turn) + at.JUDGED_COLUMNS]
        for seat in range(shape.players)
        for turn in range(MOST_TURNS)
    }
    by_turn = {turn: [row for (_, other), row in judged.items() if other == turn] for turn in range(MOST_TURNS)}
    by_seat = {seat: [row for (other, _), row in judged.items() if other == seat] for seat in range(shape.players)}
    regret = Regret(adviser, _lost(judged.values()), _known(by_turn), _known(by_seat))
    choices = [step for step in all_steps(program.model) if isinstance(step, ChooseStep)]
    bids = any(way.takes_none for step in choices for way in step.as_)
    known = regret if regret.all.decisions else None
    return DraftSummary(tally[at.GAMES], tally[at.CHOICES], passes, cards, known, bids)


def hands_go_round(program: Program) -> bool:
    """True if a zone from which seats choose is passed on."""
    zones = {zone for step in program.code if isinstance(step, Choice) for zone in step.sources}
    return any(isinstance(step, Pass) and step.zone in zones for step in program.code)


def _card(label: str, rating: float, turns: dict[int, Sequence[int]], *, passes: bool) -> DraftCard:
    total = [sum(column) for column in zip(*turns.values(), strict=True)]
    seen, taken, passed = total[at.SEEN], total[at.TAKEN], total[at.PASSED]
    sums = sum(turn * row[at.TAKEN] for turn, row in turns.items())
    squares = sum(turn * turn * row[at.TAKEN] for turn, row in turns.items())
    pick = sums / taken if taken else None
    wheel = _part(total[at.BACK], passed) if passes else None
    by_turn: list[DraftTurn] = []
    for turn, row in turns.items():
        by_passing = (
            (row[at.PASSED], row[at.BACK], _part(row[at.BACK], row[at.PASSED]), _part(row[at.DENIED], row[at.DENIALS]))
            if passes
            else ()
        )
        by_turn.append(DraftTurn(turn, row[at.SEEN], row[at.TAKEN], *by_passing))
    return DraftCard(
        label=label,
        rating=rating,
        preferred=share(rating),
        seen=seen,
        taken=taken,
        rate=taken / max(seen, 1),
        aside=total[at.ASIDE],
        pick=pick,
        pick_ci95=None if pick is None else of_mean(pick, deviation(sums, squares, taken), taken),
        passed=passed if passes else None,
        wheel=wheel,
        wheel_ci95=None if wheel is None else wilson(wheel, passed),
        denied=_part(total[at.DENIED], total[at.DENIALS]) if passes else None,
        by_turn=by_turn,
    )


def _part(part: int, of: int) -> float | None:
    return part / of if of else None


def _known(rows: dict[int, list[Sequence[int]]]) -> dict[int, MeanRegret]:
    losses = {key: _lost(group) for key, group in rows.items()}
    return {key: lost for key, lost in losses.items() if lost.decisions}


def _lost(rows: Iterable[Sequence[int]]) -> MeanRegret:
    count, points, squares = (sum(column) for column in zip(*rows, strict=True))
    mean = points / SCALE / max(count, 1)
    return MeanRegret(count, mean, of_mean(mean, deviation(points, squares, count) / SCALE, count))
