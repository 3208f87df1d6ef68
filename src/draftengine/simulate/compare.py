"""What a change does to a game: paired games, differences with intervals, and sentences."""

from __future__ import annotations

from math import sqrt
from statistics import NormalDist
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from draftengine.simulate.charts import figure
from draftengine.simulate.pairs import DIFFERENCE, OF_A, OF_B, SQUARES, Pair, PairChunk, play_pair, quantities, stretch
from draftengine.simulate.playing import add
from draftengine.simulate.run import Progress, Run, Work
from draftengine.simulate.statistics import Z, deviation, rule_labels, summarise_cards

if TYPE_CHECKING:
    from collections.abc import Callable

    from draftengine.simulate.pairs import Quantity

PERCENTAGES = frozenset({"win", "shared", "card"})
"""Kinds of effects that are parts of a whole."""
FEWEST_GAMES = 1000
"""Nothing is certain before so many games, and after every so many it is asked again."""


class Effect(Struct, frozen=True):
    """One quantity in both forms."""

    kind: str
    """As of a quantity; ``card``: how often a seat wins, given that it played the card."""
    name: str
    label: str
    a: float
    b: float
    difference: float
    ci95: tuple[float, float]
    certain: bool
    """Is there a difference, with 95 percent for all effects of the comparison together (Bonferroni)."""


class Compared(Struct, frozen=True):
    """What was found."""

    games: int
    effects: list[Effect]
    precise: bool
    """Are all win rates known as precisely as asked."""
    per_second: float
    interrupted: bool
    tally_a: list[int]
    tally_b: list[int]


class _Sums:
    """The sums of all chunks so far."""

    def __init__(self, wanted: list[Quantity]) -> None:
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
        """Half the width of the interval of a difference."""
        own = self.sums[4 * place : 4 * place + 4]
        sd = deviation(own[DIFFERENCE], own[SQUARES], self.games)
        return Z * sd / sqrt(max(self.games, 1)) / self.wanted[place].unit

    def is_precise(self, precision: float) -> bool:
        """Is the win rate of every seat known to `precision`."""
        wins = [place for place, own in enumerate(self.wanted) if own.kind == "win"]
        return self.games >= FEWEST_GAMES and all(self.half_width(place) <= precision for place in wins)


def compare(
    pair: Pair,
    *,
    precision: float,
    jobs: int = 1,
    executor: str = "",
    tell: Callable[[Progress], None] = lambda _: None,
) -> Compared:
    """Play pairs of games until every win rate is known to `precision` (0.01 = one percentage point).

    It stops by how precise the answer is, never by what it is, so stopping early favours no answer. It looks after
    every so many games (`FEWEST_GAMES`), however they were shared out, so the same seed gives the same answer.
    """
    one, two = pair.a.game.program, pair.b.game.program
    found = _Sums(quantities(one, two))

    def merge(chunk: PairChunk) -> bool:
        found.merge(chunk)
        return found.games % FEWEST_GAMES == 0 and found.is_precise(precision)

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
    effects = [_effect(found, place, labels, (one.seats, two.seats)) for place in range(len(found.wanted))]
    effects = _judged([*effects, *_cards(pair, found)])
    return Compared(
        found.games, effects, found.is_precise(precision), run.per_second(), interrupted, found.tally_a, found.tally_b
    )


def _slower(pair: Pair) -> str:
    return "reference" if "reference" in {pair.a.engine, pair.b.engine} else "kernel"


def _effect(found: _Sums, place: int, labels: dict[str, str], seats: tuple[int, int]) -> Effect:
    wish, games = found.wanted[place], max(found.games, 1)
    own = found.sums[4 * place : 4 * place + 4]
    each = max(seats) if wish.kind == "rule" else 1
    scale = games * wish.unit * each
    difference, half = own[DIFFERENCE] / scale, found.half_width(place) / each
    label = {
        "win": f"Seat {wish.name} wins",
        "score": f"Score of seat {wish.name}",
        "rule": labels.get(wish.name, wish.name),
        "margin": "The winner's margin",
        "shared": "Shared victories",
    }[wish.kind]
    low, high = difference - half, difference + half
    return Effect(
        wish.kind, wish.name, label, own[OF_A] / scale, own[OF_B] / scale, difference, (low, high), certain=False
    )


def _judged(effects: list[Effect]) -> list[Effect]:
    """The effects with the word on which of them are certain: among many, some intervals miss zero by chance."""
    stretch_ = NormalDist().inv_cdf(1 - 0.025 / max(len(effects), 1)) / Z
    return [
        replace(
            own,
            certain=abs(own.difference) > stretch_ * (own.ci95[1] - own.ci95[0]) / 2
            and figure(own.difference * _shown_by(own)) != "0.00",
        )
        for own in effects
    ]


def _shown_by(own: Effect) -> int:
    return 100 if own.kind in PERCENTAGES else 1


def _cards(pair: Pair, found: _Sums) -> list[Effect]:
    """What playing each card is worth in both forms. These are not compared game by game: who plays a card changes."""
    before, after = (
        summarise_cards(own.game.program, own.bots, tally)
        for own, tally in ((pair.a, found.tally_a), (pair.b, found.tally_b))
    )
    effects = []
    for name, one in before.items():
        two = after.get(name)
        if two is not None:
            spread = sum(own.win_rate * (1 - own.win_rate) / own.taken for own in (one, two))
            difference, half = two.win_rate - one.win_rate, Z * sqrt(spread)
            ends = (difference - half, difference + half)
            effects.append(Effect("card", name, one.label, one.win_rate, two.win_rate, difference, ends, certain=False))
    return effects


def sentences(compared: Compared, name_a: str, name_b: str) -> list[str]:
    """What the change does, in plain words, the largest effects first."""
    wins, scores, rules = ([own for own in compared.effects if own.kind == kind] for kind in ("win", "score", "rule"))
    said = [_of_winning(wins, name_b), _of_scores(scores, name_a, name_b)]
    changed = sorted((own for own in rules if own.certain), key=lambda own: -abs(own.difference))
    said += [_of_rule(own) for own in changed]
    others = [own for own in compared.effects if own.kind in {"margin", "shared"} and own.certain]
    said += [_of_other(own) for own in others]
    if not changed and not any(own.certain for own in compared.effects):
        said = [f"No difference between {name_a} and {name_b} was found in {compared.games:,} games."]
    return said


def _of_winning(wins: list[Effect], name: str) -> str:
    certain = [own for own in wins if own.certain]
    if not certain:
        most = max(abs(end) for own in wins for end in own.ci95)
        return f"Who wins does not change much: no seat gains or loses more than {100 * most:.2f} points of percentage."
    told = [
        f"seat {own.name} wins {'more' if own.difference > 0 else 'less'} often "
        f"({own.a:.1%} → {own.b:.1%}, {100 * own.difference:+.2f} ± {50 * (own.ci95[1] - own.ci95[0]):.2f})"
        for own in sorted(certain, key=lambda own: -abs(own.difference))
    ]
    return f"With {name}, {'; '.join(told)}."


def _of_scores(scores: list[Effect], name_a: str, name_b: str) -> str:
    before, after = (sum(getattr(own, of) for own in scores) / max(len(scores), 1) for of in "ab")
    certain = any(own.certain for own in scores)
    if not certain:
        return f"Scores stay the same: {before:.2f} points on average."
    return (
        f"Scores {'rise' if after > before else 'fall'} from {before:.2f} with {name_a} to {after:.2f} with {name_b}."
    )


def _of_rule(own: Effect) -> str:
    verb = "gives more" if own.difference > 0 else "gives less"
    return f"{own.label} {verb}: {own.a:.2f} → {own.b:.2f} points a seat ({own.difference:+.2f})."


def _of_other(own: Effect) -> str:
    if own.kind == "shared":
        verb = "more" if own.difference > 0 else "less"
        return f"A victory is shared {verb} often: {own.a:.2%} → {own.b:.2%}."
    verb = "grows" if own.difference > 0 else "shrinks"
    return f"The winner's margin {verb}: {own.a:.2f} → {own.b:.2f} points."
