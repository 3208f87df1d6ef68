"""What a comparison found, in plain words: only what the intervals carry, and what it would take to know more.

An effect that is not certain is either small, and then the sentence says how large it can be at most; or nothing is
known of it yet, and then the sentence says how many games would tell. All bounds hold together (Bonferroni).
"""

from __future__ import annotations

from math import ceil
from typing import TYPE_CHECKING

from draftengine.studies.compare.compare import SHARES_OF_ALL
from draftengine.studies.report.conclusions import Conclusion, ordered
from draftengine.studies.report.numbers import FEW_WINS, NOT_KNOWN, about, figure, join_list, percent, percents
from draftengine.studies.report.statistics import widening

if TYPE_CHECKING:
    from draftengine.studies.compare.compare import ComparisonResult, Effect

SMALL_CHANGE = 0.02
"""A score that changes by no more than this part of what it was stays about the same."""
RULE_OF_THREE = 3
"""What never happened in n games happens, with 95 percent, in at most 3/n of them."""

PARTS = (
    ("Who wins", ("win", "shared")),
    ("Scores", ("score", "average", "pace", "margin")),
    ("Points of a rule, a player", ("rule",)),
    ("Points of a rule, a player and round", ("round",)),
    ("Wins of who plays a card", ("card",)),
)
"""The parts of tables and reports, and which effects stand in each."""


def sentences(compared: ComparisonResult, name_a: str, name_b: str) -> list[str]:
    """What the change does, in plain words, the largest effects first."""
    return [own.sentence for own in conclusions(compared, name_a, name_b)]


def conclusions(compared: ComparisonResult, name_a: str, name_b: str) -> list[Conclusion]:
    """What the change does, the largest effects first: as conclusions, each with how sure it is."""
    if not any((own.difference or own.half) and own.kind != "card" for own in compared.effects):
        return [Conclusion("measured", f"No difference between {name_a} and {name_b} was found in {compared.games:,} games")]
    rules = {own.name: own for own in _of_kind(compared, "rule")}
    by_round = {own.name: own for own in _of_kind(compared, "round")}
    changed = [own for own in rules.values() if own.certain or (own.name in by_round and by_round[own.name].certain)]
    others = [own for kind in ("margin", "shared") for own in _of_kind(compared, kind) if own.certain]
    changed.sort(key=lambda own: -abs(own.difference))
    of_rules = [_of_rule(compared, own, by_round.get(own.name)) for own in changed]
    said = [
        _of_winning(compared, name_b), *_of_pace(compared), _of_scores(compared, name_a, name_b), *of_rules,
        *map(_of_other, others),
    ]  # fmt: skip
    return ordered(said)


def about_marks(compared: ComparisonResult) -> list[str]:
    """What the mark beside an effect means, if there is one, and what intervals without a mark do not mean."""
    together = f"with 95 % for all {len(compared.effects)} lines together (Bonferroni)"
    marked = any(own.certain for own in compared.effects)
    return [
        f"* = certain: a difference {together}." if marked else f"No line is certain to differ, {together}.",
        "Each interval by itself is one of 95 %: about one in twenty misses zero by chance.",
    ]


def row(own: Effect) -> tuple[str, str, str, str, str]:
    """An effect as a line of a table: what it is, A, B, the difference and its interval."""
    low, high = own.ci95
    if own.kind in SHARES_OF_ALL:
        interval = percents(low, high, sign="+")
        return own.label, percent(own.a), percent(own.b), percent(own.difference, sign="+"), interval
    shown = f"{figure(low, '+')} to {figure(high, '+')}"
    return own.label, figure(own.a), figure(own.b), figure(own.difference, "+"), shown


def games_needed(compared: ComparisonResult) -> int:
    """So many games in all tell whether any seat wins more or less often by `FEW_WINS`; 0 if that is known."""
    wins = _of_kind(compared, "win")
    if any(own.certain for own in wins) or _most(compared, wins) <= FEW_WINS:
        return 0
    rare = ceil(2 * RULE_OF_THREE / FEW_WINS)
    return max(compared.games + 1, rare, *(_games_for(compared, own, FEW_WINS) for own in wins))


def precision_needed(compared: ComparisonResult) -> float:
    """How precise win rates then are, as of ``--precision``: in percentage points, rounded down."""
    return int(10 * 100 * FEW_WINS / (2 * widening(len(compared.effects)))) / 10


def _of_kind(compared: ComparisonResult, kind: str) -> list[Effect]:
    return [own for own in compared.effects if own.kind == kind]


def _bound(compared: ComparisonResult, own: Effect) -> float:
    """How large an effect can be at most."""
    return abs(own.difference) + widening(len(compared.effects)) * own.half


def _most(compared: ComparisonResult, wins: list[Effect]) -> float:
    """By how much any seat can win more or less often at most."""
    return max(RULE_OF_THREE / max(compared.games, 1), *(_bound(compared, own) for own in wins))


def _games_for(compared: ComparisonResult, own: Effect, small: float) -> int:
    """So many games in all either show an effect or show that it is no larger than `small`."""
    return ceil(compared.games * (2 * widening(len(compared.effects)) * own.half / small) ** 2)


def _of_winning(compared: ComparisonResult, name: str) -> Conclusion:
    wins = _of_kind(compared, "win")
    certain = [own for own in wins if own.certain]
    if certain:
        told = [
            f"{own.label} wins {'more' if own.difference > 0 else 'less'} often "
            f"({percent(own.a, 1)} → {percent(own.b, 1)}, {100 * own.difference:+.2f} ± {100 * own.half:.2f})"
            for own in sorted(certain, key=lambda own: -abs(own.difference))
        ]
        return Conclusion("certain", f"With {name}, {'; '.join(told)}", figure="win")
    needed = games_needed(compared)
    if needed:
        text = (
            f"{NOT_KNOWN}. About {about(needed - compared.games)} more games would tell whether any player wins "
            f"{100 * FEW_WINS:g} percentage points more or less often"
        )
        return Conclusion("unknown", "Who wins", text, figure="win")
    most = 100 * _most(compared, wins)
    text = f"no player wins more or less often by over {most:.2f} percentage points"
    return Conclusion("certain", "Who wins does not change much", text, figure="win")


def _of_pace(compared: ComparisonResult) -> list[Conclusion]:
    """What a round is worth, where the number of rounds differs."""
    return [
        Conclusion(
            "certain",
            f"A round is worth {figure(abs(own.difference))} points {_way(own)}",
            f"{_change(own)} for a player ({figure(own.ci95[0], '+')} to {figure(own.ci95[1], '+')})",
            figure="score",
        )
        for own in _of_kind(compared, "pace")
        if own.certain
    ]


def _of_scores(compared: ComparisonResult, name_a: str, name_b: str) -> Conclusion:
    (own,) = _of_kind(compared, "average")
    before, after = figure(own.a), figure(own.b)
    if own.certain:
        verb = "rise" if own.difference > 0 else "fall"
        text = f"from {before} with {name_a} to {after} with {name_b} ({figure(own.difference, '+')})"
        return Conclusion("certain", f"Scores {verb}", text, " ", "score")
    small = SMALL_CHANGE * max(abs(own.a), abs(own.b))
    players = [one for one in _of_kind(compared, "score") if one.certain]
    single = [f"{one.label} has {figure(one.difference, '+')}" for one in players]
    rest = f". {join_list(single)}" if single else ""
    if _bound(compared, own) <= small:
        bound = figure(_bound(compared, own))
        text = f"{before} and {after} points on average, at most {bound} apart{rest}"
        return Conclusion("certain", "Scores stay about the same", text, figure="score")
    needed = max(1, _games_for(compared, own, small) - compared.games)
    text = (
        f"{NOT_KNOWN} ({before} → {after} on average). About {about(needed)} more games would tell whether they change "
        f"by {figure(small)}{rest}"
    )
    return Conclusion("unknown", "Scores", text, figure="score")


def _of_rule(compared: ComparisonResult, own: Effect, by_round: Effect | None) -> Conclusion:
    if not own.certain:
        assert by_round is not None, "one of both is certain"
        text = f"{_change(by_round)}; a game, that is not certain"
        return Conclusion("certain", f"{own.label} gives {_way(by_round)} a round", text, figure="round")
    text = f"{figure(own.a)} → {figure(own.b)} points a player"
    change = figure(own.difference, "+")
    more = f"({change})" if by_round is None else f"({change} a game; {_of_round(compared, own, by_round)})"
    shown = "rule" if by_round is None else "round"
    return Conclusion("certain", f"{own.label} gives {_way(own)}", f"{text} {more}", figure=shown)


def _of_round(compared: ComparisonResult, own: Effect, by_round: Effect) -> str:
    if by_round.certain:
        also = "also " if (own.difference > 0) == (by_round.difference > 0) else "but "
        return f"{also}{_way(by_round)} a round, {_change(by_round)}"
    if _bound(compared, by_round) <= SMALL_CHANGE * max(abs(by_round.a), abs(by_round.b)):
        return f"about the same a round, {figure(by_round.a)} → {figure(by_round.b)}"
    return f"a round {_change(by_round)}, no certain difference"


def _way(own: Effect) -> str:
    return "more" if own.difference > 0 else "less"


def _change(own: Effect) -> str:
    return f"{figure(own.a)} → {figure(own.b)}"


def _of_other(own: Effect) -> Conclusion:
    if own.kind == "shared":
        text = f"{percent(own.a)} → {percent(own.b)}"
        return Conclusion("certain", f"A victory is shared {_way(own)} often", text, figure="win")
    verb = "grows" if own.difference > 0 else "shrinks"
    return Conclusion("certain", f"The winner's margin {verb}", f"{_change(own)} points", figure="score")
