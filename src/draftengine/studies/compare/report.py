"""Results of a comparison: conclusions, rows of tables, and an HTML page.

A conclusion says as much as the intervals support. If an uncertain effect must be small, the sentence gives an upper
bound. Otherwise, the sentence says how many games would decide. All bounds hold together (Bonferroni).
"""

from __future__ import annotations

from functools import reduce
from math import ceil
from typing import TYPE_CHECKING

from draftengine.studies.compare import SHARES_OF_ALL
from draftengine.studies.report import FEW_WINS, Conclusion, about, between, charts, figure, ordered, percent, share
from draftengine.studies.report.charts import in_figures, language_of_page, say, worded
from draftengine.studies.report.statistics import widening
from draftengine.studies.simulation.words import caveat, who_played
from draftengine.support.locale import spoken
from draftengine.support.locale.phrases import decimal, said

if TYPE_CHECKING:
    from collections.abc import Sequence

    from draftengine.studies.compare import ComparisonResult, Effect
    from draftengine.studies.report.charts import Study
    from draftengine.support.locale.phrases import Phrase

SMALL_CHANGE = 0.02
"""The largest relative change of a score that counts as about unchanged."""
RULE_OF_THREE = 3
"""Rule of three: an event not seen in n games has a rate of at most 3/n, with 95 percent confidence."""

PARTS = (
    ("study.part.wins", ("win", "shared")),
    ("study.part.scores", ("score", "average", "pace", "margin")),
    ("study.part.rule", ("rule",)),
    ("study.part.round", ("round",)),
    ("study.part.card", ("card",)),
)
"""Sections of tables and reports: for each, its title as a message, and the kinds of effects in it."""


def sentences(compared: ComparisonResult, name_a: str, name_b: str, language: str = "en") -> list[str]:
    """Return the conclusions as sentences, in the order of `conclusions`."""
    return [conclusion.sentence(spoken(language)) for conclusion in conclusions(compared, name_a, name_b)]


def conclusions(compared: ComparisonResult, name_a: str, name_b: str) -> list[Conclusion]:
    """Return conclusions that say what the change does, sorted by `ordered`.

    Rules with large differences come first.
    """
    if not any((effect.difference or effect.half) and effect.kind != "card" for effect in compared.effects):
        games = decimal(f"{compared.games:,}")
        return [Conclusion("measured", said("study.no-difference", one=name_a, two=name_b, games=games))]
    rules = {effect.name: effect for effect in _of_kind(compared, "rule")}
    by_round = {effect.name: effect for effect in _of_kind(compared, "round")}
    changed = [
        effect
        for effect in rules.values()
        if effect.certain or (effect.name in by_round and by_round[effect.name].certain)
    ]
    others = [effect for kind in ("margin", "shared") for effect in _of_kind(compared, kind) if effect.certain]
    changed.sort(key=lambda effect: -abs(effect.difference))
    of_rules = [_of_rule(compared, effect, by_round.get(effect.name)) for effect in changed]
    of_pace = [
        Conclusion(
            "certain",
            said(f"study.round-worth-{_way(effect)}", points=decimal(figure(abs(effect.difference)))),
            said(
                "study.for-a-player",
                change=_change(effect),
                interval=between(figure(effect.ci95[0], "+"), figure(effect.ci95[1], "+")),
            ),
            figure="score",
        )
        for effect in _of_kind(compared, "pace")
        if effect.certain
    ]
    statements = [
        _of_winning(compared, name_b), *of_pace, _of_scores(compared, name_a, name_b), *of_rules,
    ]  # fmt: skip
    for effect in others:
        if effect.kind == "shared":
            text, figure_ = decimal(f"{percent(effect.a)} → {percent(effect.b)}"), "win"
        else:
            text, figure_ = said("study.points", change=_change(effect)), "score"
        statements.append(Conclusion("certain", said(f"study.{effect.kind}-{_way(effect)}"), text, figure=figure_))
    return ordered(statements)


def about_marks(compared: ComparisonResult) -> list[Phrase]:
    """Return two sentences: the meaning of the mark next to certain effects, and of the intervals."""
    marked = any(effect.certain for effect in compared.effects)
    lines = len(compared.effects)
    return [said("study.marked" if marked else "study.none-marked", lines=lines), said("study.each-interval")]


def row(effect: Effect) -> tuple[str, str, str, str, Phrase]:
    """Return an effect as cells of a table: label, A, B, difference and its interval."""
    low, high = effect.ci95
    if effect.kind in SHARES_OF_ALL:
        interval = between(percent(low, sign="+")[:-2], percent(high, sign="+"))
        return effect.label, percent(effect.a), percent(effect.b), percent(effect.difference, sign="+"), interval
    span = between(figure(low, "+"), figure(high, "+"))
    return effect.label, figure(effect.a), figure(effect.b), figure(effect.difference, "+"), span


def games_needed(compared: ComparisonResult) -> int:
    """Return the total number of games that decide whether any win rate changes by `FEW_WINS`.

    Returns 0 if that is already known.
    """
    wins = _of_kind(compared, "win")
    if any(win.certain for win in wins) or _most(compared, wins) <= FEW_WINS:
        return 0
    rare = ceil(2 * RULE_OF_THREE / FEW_WINS)
    return max(compared.games + 1, rare, *(_games_for(compared, win, FEW_WINS) for win in wins))


def precision_needed(compared: ComparisonResult) -> float:
    """Return the precision to reach with ``--precision`` to decide it, in percentage points.

    It is rounded down to one decimal.
    """
    return int(10 * 100 * FEW_WINS / (2 * widening(len(compared.effects)))) / 10


def _of_kind(compared: ComparisonResult, kind: str) -> list[Effect]:
    return [effect for effect in compared.effects if effect.kind == kind]


def _bound(compared: ComparisonResult, effect: Effect) -> float:
    """Return the largest absolute difference within the interval widened for all effects together."""
    return abs(effect.difference) + widening(len(compared.effects)) * effect.half


def _most(compared: ComparisonResult, wins: list[Effect]) -> float:
    """Return the largest possible change of any seat's win rate."""
    return max(RULE_OF_THREE / max(compared.games, 1), *(_bound(compared, win) for win in wins))


def _games_for(compared: ComparisonResult, effect: Effect, small: float) -> int:
    """Return the total number of games that either show an effect or limit it to `small`."""
    return ceil(compared.games * (2 * widening(len(compared.effects)) * effect.half / small) ** 2)


def _of_winning(compared: ComparisonResult, name: str) -> Conclusion:
    wins = _of_kind(compared, "win")
    certain = [win for win in wins if win.certain]
    if certain:
        phrases = [
            said(
                f"study.win-{_way(win)}",
                player=win.label,
                before=share(win.a, 1),
                after=share(win.b, 1),
                change=decimal(f"{100 * win.difference:+.2f} ± {100 * win.half:.2f}"),
            )
            for win in sorted(certain, key=lambda win: -abs(win.difference))
        ]
        wins_now = reduce(lambda first, second: said("study.both", first=first, second=second), phrases)
        return Conclusion("certain", said("study.with-change", name=name, changes=wins_now), figure="win")
    needed = games_needed(compared)
    if needed:
        games, points = about(needed - compared.games), decimal(f"{100 * FEW_WINS:g}")
        text = said("study.wins-unknown", games=games, points=points)
        return Conclusion("unknown", said("study.who-wins"), text, figure="win")
    text = said("study.nobody-over", points=decimal(f"{100 * _most(compared, wins):.2f}"))
    return Conclusion("certain", said("study.who-wins-same"), text, figure="win")


def _of_scores(compared: ComparisonResult, name_a: str, name_b: str) -> Conclusion:
    (average,) = _of_kind(compared, "average")
    before, after = decimal(figure(average.a)), decimal(figure(average.b))
    if average.certain:
        change = decimal(figure(average.difference, "+"))
        text = said("study.from-to", before=before, one=name_a, after=after, two=name_b, change=change)
        return Conclusion("certain", said(f"study.scores-{_way(average)}"), text, "space", "score")
    small = SMALL_CHANGE * max(abs(average.a), abs(average.b))
    players = [one for one in _of_kind(compared, "score") if one.certain]
    single = tuple(
        said("study.player-has", player=one.label, change=decimal(figure(one.difference, "+"))) for one in players
    )
    rest = said("study.rest", players=single) if single else ""
    if _bound(compared, average) <= small:
        bound = decimal(figure(_bound(compared, average)))
        text = said("study.at-most-apart", before=before, after=after, bound=bound, rest=rest)
        return Conclusion("certain", said("study.scores-same"), text, figure="score")
    games = about(_games_for(compared, average, small) - compared.games)
    points = decimal(figure(small))
    text = said("study.scores-unknown", before=before, after=after, games=games, points=points, rest=rest)
    return Conclusion("unknown", said("study.scores"), text, figure="score")


def _of_rule(compared: ComparisonResult, effect: Effect, by_round: Effect | None) -> Conclusion:
    if not effect.certain:
        assert by_round is not None, "one of both is certain"
        text = said("study.not-certain-a-game", change=_change(by_round))
        head = said(f"study.gives-{_way(by_round)}-a-round", rule=effect.label)
        return Conclusion("certain", head, text, figure="round")
    values, change = _change(effect), decimal(figure(effect.difference, "+"))
    head = said(f"study.gives-{_way(effect)}", rule=effect.label)
    if by_round is None:
        return Conclusion("certain", head, said("study.points-a-player", values=values, change=change), figure="rule")
    if by_round.certain:
        also = "also" if (effect.difference > 0) == (by_round.difference > 0) else "but"
        key = f"study.round-{also}-{_way(by_round)}"
    else:
        small = SMALL_CHANGE * max(abs(by_round.a), abs(by_round.b))
        key = "study.round-same" if _bound(compared, by_round) <= small else "study.round-uncertain"
    by_rounds = said(key, change=_change(by_round))
    text = said("study.points-and-round", values=values, change=change, round=by_rounds)
    return Conclusion("certain", head, text, figure="round")


def _way(effect: Effect) -> str:
    return "more" if effect.difference > 0 else "less"


def _change(effect: Effect) -> Phrase:
    return decimal(f"{figure(effect.a)} → {figure(effect.b)}")


_SIDES = frozenset({"rule", "round", "card"})
"""The kinds of effects that are drawn with both values. Other kinds are drawn as differences."""


def report(
    study: Study,
    names: tuple[str, str],
    bots: Sequence[str],
    differences: Sequence[tuple[str, str, str]],
    compared: ComparisonResult,
) -> str:
    """Return the HTML page for the result of a comparison.

    `names` are the names of A and B. `differences` are the differences in the rules, as (subject, text in A, text in
    B).
    """
    one, two = names
    changed = charts.part(say("compare.changed"), charts.changes(("", one, two), differences)) if differences else ""
    figures = "".join(_part(compared, worded(said(title)), kinds, names) for title, kinds in PARTS)
    learn = any(name.partition(":")[0] not in {"random", "greedy", "easy"} for name in bots)
    adaptation = Conclusion("care", say("compare.learnt"), say("compare.adapted", bot="greedy"), figure="validity")
    end = charts.validity(
        say("compare.worth"),
        rules=study.rules,
        games=say("compare.games", games=in_figures(f"{compared.games:,}"), seed=str(study.seed)),
        bots=who_played(bots, language_of_page()),
        holds_for=adaptation.sentence(spoken(language_of_page())) if learn else say("compare.alike"),
        intervals=" ".join(map(worded, about_marks(compared))),
        again=study.again,
    )
    body = f"{changed}{figures}{end}"
    statements = conclusions(compared, one, two)
    warning = caveat(bots)
    statements += [Conclusion("care", warning, figure="validity")] if warning else []
    statements += [adaptation] if learn else []
    heads = [
        say("head.pairs", games=in_figures(f"{compared.games:,}"), count=compared.games),
        say("head.bots", bots=tuple(dict.fromkeys(bots))),
        say("head.seed", seed=str(study.seed)),
    ]
    top = charts.listed(say("compare.does"), ordered(statements), body)
    return charts.page(say("compare"), study.title, heads, f"{top}{body}")


def _part(compared: ComparisonResult, title: str, kinds: tuple[str, ...], names: tuple[str, str]) -> str:
    effects = [effect for effect in compared.effects if effect.kind in kinds]
    if not effects:
        return ""
    shares = effects[0].kind in SHARES_OF_ALL
    sides = effects[0].kind in _SIDES
    effects = sorted(effects, key=lambda effect: -abs(effect.difference)) if sides else effects
    points, factor = [], 100 if shares else 1
    for effect in effects:
        state: charts.State = "none" if not effect.certain else "up" if effect.difference > 0 else "down"
        change, half = figure(factor * effect.difference, "+"), f"± {figure(factor * effect.half)}"
        value, ends, before = (effect.b, None, effect.a) if sides else (effect.difference, effect.ci95, None)
        points.append(charts.Point(effect.label, value, ends, state, change, half, before).times(factor))
    if sides:
        axis = charts.Axis(say("axis.share"), None, " %", places=1) if shares else charts.Axis(say("axis.points"))
    else:
        axis = charts.Axis(say(f"axis.{'percentage-points' if shares else 'points'}"), sign="+")
    about = say(f"compare.{'sides' if sides else 'differences'}", one=names[0], two=names[1])
    about = f"{about} {say('compare.colours')}"
    marks = [" *" if effect.certain else "" for effect in effects]
    lines = []
    for effect, mark in zip(effects, marks, strict=True):
        name, *values, interval = row(effect)
        lines.append((name, [*map(charts.Cell, values), charts.Cell(f"{worded(interval)}{mark}", printed=True)]))
    numbers = charts.shaded(("", *names, say("column.change"), "95 %"), lines)
    drawn = charts.rows(points, axis, (say("column.what"), say("column.change")))
    certain = sorted((effect for effect in effects if effect.certain), key=lambda effect: -abs(effect.difference))
    if not certain:
        heading = say("compare.none")
    else:
        phrases = []
        for effect in certain[:2]:
            moved = 100 * effect.difference if effect.kind in SHARES_OF_ALL else effect.difference
            phrases.append(f"{effect.label} {in_figures(figure(moved, '+'))}")
        named, more = ", ".join(phrases), len(certain) - 2
        named = say("compare.more", list=named, count=more) if more > 0 else named
        heading = say("compare.most" if sides else "compare.certainly", list=named)
    return charts.part(title, charts.framed(kinds[0], heading, about, drawn, numbers=numbers))
