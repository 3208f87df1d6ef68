"""Finds conditions that always or never hold, and prices that nobody can pay.

Each condition in a formula is examined where it is: the `and`, `or` and `else` around it tell which other conditions
hold or fail there. A finding must be right for all numbers of players. The key `needs` of a variant is such a
condition, too.
"""

from __future__ import annotations

import re
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from draftengine.model.cardset.facts import constant, steps_of
from draftengine.model.cardset.records import DISCARD
from draftengine.model.checks.context import word_in
from draftengine.model.diagnostics import diagnose
from draftengine.model.language.bounds import UNKNOWN, bounds
from draftengine.model.language.certainty import Certainty, limit_of
from draftengine.model.language.environment import TRUTH, hull
from draftengine.model.language.evaluate import references
from draftengine.model.language.tree import Call, Comparison, Conditional, LogicalOp, Number, operands, parts
from draftengine.model.records import formulas_in
from draftengine.model.verbs.choose import ChooseStep
from draftengine.model.verbs.dealing import DealStep, DrawStep
from draftengine.model.verbs.piles import GatherStep, PassStep, ShuffleStep
from draftengine.support.locale.phrases import said

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from draftengine.model.cardset.records import CardSet
    from draftengine.model.checks.context import CheckContext, FormulaUse
    from draftengine.model.diagnostics import Diagnostic
    from draftengine.model.flow.counters import CounterBounds
    from draftengine.model.language.certainty import Form, Known
    from draftengine.model.language.environment import Range, Scope
    from draftengine.model.language.tree import Expr
    from draftengine.support.locale.phrases import Phrase
    from draftengine.support.source import Span

CODES = frozenset({"condition-always-false", "condition-always-true", "effect-does-nothing"})
_EFFECT = re.compile(r"/\d+/points$")
"""The end of the path of a formula for points that an effect gives."""
_SCOPES: Mapping[str, Callable[[CheckContext], Scope]] = {
    "seat": lambda table: table.seat,
    "constant": lambda table: table.seat,
    "table": lambda table: table.whole,
    "flow": lambda table: table.flow,
}
_SILENT = ShuffleStep, DealStep, DrawStep, GatherStep, PassStep
"""Steps that evaluate only their own formulas, and start nothing else that evaluates formulas."""


class ScopeFacts(Struct, frozen=True):
    """The ranges of the names in a scope, for `draftengine.model.language.bounds`."""

    scope: Scope
    seat_count: int
    player_count: int

    sizes: Mapping[str, int] = MappingProxyType({})
    """The largest number of cards for each zone where it is known."""
    first_round: int = 0
    """The first round in which the formula can be evaluated; 0 if it is evaluated in the setup."""
    bounds: CounterBounds | None = None

    def range_of(self, function: str, name: str, _seat: int, /) -> Range:
        """Return the range of a name or, for another function such as ``holds``, of its call with the name."""
        info = self.scope.names.get(name)
        if function == "holds":
            return TRUTH
        if info is None or function not in {"name", "cards"}:
            return UNKNOWN
        low = self.first_round if name == "round" else info.low
        return low, min(info.high, self.sizes.get(name, info.high))

    def together(self, name: str, /) -> int:
        """Return the largest total of a counter over all seats, as the scope states it."""
        info = self.scope.names.get(name)
        return info.together if info is not None else UNKNOWN[1]

    def most_of_sum(self, names: Mapping[str, int], /) -> int:
        """Return the largest sum of these counters at one seat; unbounded if anything but cards changes them."""
        infos = [self.scope.names.get(name) for name in names]
        by_cards = all(info is not None and info.low >= 0 and info.together < UNKNOWN[1] for info in infos)
        return self.bounds.most_of_sum(names) if self.bounds is not None and by_cards else UNKNOWN[1]


class _Asked(Struct, frozen=True):
    """A condition in a formula. The verdict is True if it always holds, False if it never does, or None."""

    condition: Comparison | LogicalOp
    verdict: bool | None
    by_itself: bool
    """True if the verdict is the same without the conditions that are evaluated before this one."""


def check(tables: Sequence[CheckContext], uses: Sequence[FormulaUse]) -> Iterator[Diagnostic]:
    """Yield findings about conditions that always or never hold, for all numbers of players.

    Effects that always give 0 points have findings, too.
    """
    findings: dict[tuple[Span, int], list[Diagnostic | None]] = {}
    facts: dict[tuple[str, bool], list[ScopeFacts]] = {}
    for use in uses:
        gives_points = _EFFECT.search(use.path) is not None
        if use.where not in _SCOPES or use.players is not None or use.local:
            continue
        if not gives_points and not references(use.formula.expr):
            continue
        early = use.path.startswith("/setup")
        if (use.where, early) not in facts:
            facts[use.where, early] = []
            for table in tables:
                scope, model = _SCOPES[use.where](table), table.model
                moments = {trigger.after for trigger in model.triggers}
                silent = all(isinstance(step, _SILENT) and step.id not in moments for step in model.setup)
                complete = table.plan.complete and not model.abilities
                piles = {zone.id for zone in model.zones if not zone.counts and zone.id != DISCARD}
                sizes = {zone: max(cards, default=0) for zone, cards in table.plan.sizes if complete and zone in piles}
                first = int(silent and not early)  # in the setup, the round is 0
                ranges = ScopeFacts(scope, scope.max_seats, table.players, sizes, first, table.bounds)
                facts[use.where, early].append(ranges)
        known = facts[use.where, early]
        for number, finding in enumerate(_certain(use, known, tables[0])):
            findings.setdefault((use.formula.span, number), []).append(finding)
        if gives_points:
            worthless = all(bounds(use.formula.expr, each) == (0, 0) for each in known)
            finding = diagnose("effect-does-nothing", use.formula.span, use.path, text=use.formula.text)
            findings.setdefault((use.formula.span, -1), []).append(finding if worthless else None)
    # A formula in `over` or in a repeated entry is judged for each card. It is wrong if it is so for all cards.
    for alike in findings.values():
        if len({finding and finding.code for finding in alike}) == 1 and alike[0]:
            yield alike[0]


def check_prices(table: CheckContext) -> Iterator[Diagnostic]:
    """Yield findings about prices that are negative, or higher than any seat's counter can become."""
    for payment in table.model.payments:
        for formula, path, *_ in formulas_in(payment, f"/payments/{payment.id}"):
            if table.checked(formula).low < 0:
                yield diagnose("wrong-payment", formula.span, path, say="negative")
    for path, step in steps_of(table.model):
        for way in step.as_ if isinstance(step, ChooseStep) else ():
            for amount in way.pay:
                price, most = table.checked(amount.formula).low, table.most[amount.counter]
                if price > most:
                    span, place = amount.formula.span, f"{path}/as/{way.id}/pay/{amount.counter}"
                    yield diagnose(
                        "way-never-used", span, place, say="certain", severity="error",
                        way=way.id, counter=amount.counter, price=price, most=most,
                    )  # fmt: skip


def _certain(use: FormulaUse, facts: Sequence[ScopeFacts], table: CheckContext) -> Iterator[Diagnostic | None]:
    """Yield, for each condition of a formula, a finding that it always or never holds, or ``None``.

    Inner conditions come before outer ones.
    """
    paths = _to_written(use, use.formula.expr)
    at_first, *at_others = facts
    together = list(_asked(use.formula.expr, Certainty(at_first), ({},), paths))
    for known in at_others if any(asked.verdict is not None for asked in together) else ():
        more = _asked(use.formula.expr, Certainty(known), ({},), paths)
        together = [
            _Asked(asked.condition, asked.verdict if asked.verdict is other.verdict else None, both)
            for asked, other in zip(together, more, strict=True)
            for both in (asked.by_itself and other.by_itself,)
        ]
    certain = [asked for asked in together if asked.verdict is not None]
    decided = [asked for asked in certain if asked.by_itself]
    for asked in together:
        inner = any(other is not asked and _within(other, asked) for other in (decided if asked.by_itself else certain))
        outer = not asked.by_itself and any(_within(asked, other) for other in decided)
        yield _finding(use, asked, facts, table) if asked in certain and not inner and not outer else None


def _within(inner: _Asked, outer: _Asked) -> bool:
    return outer.condition.start <= inner.condition.start and inner.condition.end <= outer.condition.end


def _finding(use: FormulaUse, asked: _Asked, facts: Sequence[ScopeFacts], table: CheckContext) -> Diagnostic | None:
    condition, holds = asked.condition, bool(asked.verdict)
    names = {name for _, name in references(condition)}
    infos = [info for name in names if (info := table.seat.names.get(name)) is not None]
    changing = any(info.kind not in {"fact", "parameter"} for info in infos) or names & {"players", "round"}
    players, file = table.model.players_at, use.formula.span.source
    # Another file may extend the file with the condition, and change the numbers of players.
    extended = players is not None and players.source is not file and table.model.winner.span.source is file
    if (holds and not changing) or extended:
        return None
    texts: dict[str, Any] = {"say": "certain" if asked.by_itself else "behind", "condition": _text(use, condition)}
    clash = _clash(condition) if asked.by_itself and not holds else None
    if clash:
        about, (low, high) = clash
        texts |= {"say": "clash", "about": about, "low": low, "high": high}
    elif isinstance(condition, Comparison):
        sides = condition.left, condition.right
        left, right = (hull([Certainty(known).range_of_sum(side) for known in facts]) for side in sides)
        if left == (0, 0):
            return None
        apart = all(bounds(condition, known) == (holds, holds) for known in facts)
        if asked.by_itself and (apart or isinstance(condition.right, Number)):
            texts["say"] = "number" if isinstance(condition.right, Number) else "both"
            texts |= {"left": _text(use, condition.left), "range": _range(left)}
            texts |= {"right": _text(use, condition.right), "other_range": _range(right)}
    if holds:
        return diagnose("condition-always-true", use.formula.span, use.path, **texts)
    texts["severity"] = "error" if asked.by_itself else "warning"
    return diagnose("condition-always-false", use.formula.span, use.path, **texts)


def _clash(condition: Comparison | LogicalOp) -> tuple[str, Range] | None:
    """Return something for which conditions joined by ``and`` allow no value, with the empty range left.

    The low end of the range is above its high end. Return None if the conditions allow a value for everything.
    """
    limits: dict[Form, Range] = {}
    for expr in operands(condition, "and"):
        if isinstance(expr, Comparison) and expr is not condition:
            form, (low, high) = limit_of(expr)
            before = limits.get(form, UNKNOWN)
            limits[form] = low, high = max(low, before[0]), min(high, before[1])
            if low > high and len(form) == 1 and form[0][1] == 1:
                return form[0][0].text, (low, high)
    return None


def _to_written(use: FormulaUse, expr: Expr) -> dict[int, bool]:
    """Return the nodes, by ``id``, that are conditions of the author in this formula, or contain one.

    The value is True for such a condition, and False for a node that contains one. All other conditions come from
    definitions and macros.
    """
    leading: dict[int, bool] = {}
    for part in parts(expr):
        leading |= _to_written(use, part)
    written = isinstance(expr, Comparison | LogicalOp) and re.search(
        rf"(?<![\w<>=!]){expr.op}(?![\w=])", _text(use, expr)
    )
    return leading | {id(expr): bool(written)} if leading or written else leading


def _asked(expr: Expr, certainty: Certainty, known: tuple[Known, ...], paths: Mapping[int, bool]) -> Iterator[_Asked]:
    """Yield the author's conditions in a formula with their verdicts, inner conditions first.

    `known` lists the cases in which the formula is evaluated, each with the ranges known then (see `Certainty.ways`).
    """
    if id(expr) not in paths:
        return
    match expr:
        case Conditional(then, condition, otherwise):
            yield from _asked(condition, certainty, known, paths)
            for branch, holds in ((then, True), (otherwise, False)):
                if id(branch) in paths:
                    yield from _asked(branch, certainty, _behind(condition, certainty, known, holds=holds), paths)
        case LogicalOp(op, left, right):
            yield from _asked(left, certainty, known, paths)
            if id(right) in paths and right not in operands(left, op):  # a repetition is a finding of its own
                yield from _asked(right, certainty, _behind(left, certainty, known, holds=op == "and"), paths)
        case _:  # the arguments of a function may be evaluated at another seat
            for part in parts(expr):
                yield from _asked(part, certainty, ({},) if isinstance(expr, Call) else known, paths)
    if isinstance(expr, Comparison | LogicalOp) and paths[id(expr)]:
        by_itself = [bool(certainty.ways(expr, {}, holds=holds)) for holds in (True, False)]
        if all(by_itself):
            possible = not known or any(certainty.ways(expr, way, holds=True) for way in known)
            yield _Asked(expr, None if possible else False, by_itself=False)
        else:
            yield _Asked(expr, by_itself[0], by_itself=True)


def _behind(condition: Expr, certainty: Certainty, known: tuple[Known, ...], *, holds: bool) -> tuple[Known, ...]:
    """Return the cases in which a condition holds (or fails), each within one of the cases `known`."""
    return tuple(way for before in known for way in certainty.ways(condition, before, holds=holds))


def _text(use: FormulaUse, expr: Expr) -> str:
    return use.formula.text[expr.start : expr.end]


def _range(bound: Range) -> Phrase:
    low, high = bound
    return said("range.always" if low == high else "range.between", low=low, high=high)


def check_needs(model: CardSet) -> Iterator[Diagnostic]:
    """Yield findings about variants that cannot be played, and readings that fit no number of players.

    The formulas in `needs` themselves were checked when the file was opened.
    """
    players = "-".join(map(str, dict.fromkeys((model.min_players, model.max_players))))
    for variant in model.variants:
        # Active variants may change which numbers of players are allowed.
        if variant.needs is not None and not model.active:
            defaults = {parameter.id: parameter.default for parameter in variant.parameters}
            counts = range(model.min_players, model.max_players + 1)
            if not any(constant(variant.needs, model, count, **defaults) for count in counts):
                path = f"/variants/{variant.id}/needs"
                yield diagnose("needs-never-met", variant.needs.span, path, variant=variant.id, range=players)
        others = {other.id: other for other in model.variants}
        for name in dict.fromkeys(variant.requires):
            other = others.get(name)
            if other is None:
                continue
            same_group = variant.group is not None and variant.group == other.group
            if same_group or name in {variant.id, *variant.excludes} or variant.id in other.excludes:
                place = word_in(variant.span, name)
                path = f"/variants/{variant.id}/requires"
                yield diagnose("variant-contradiction", place, path, variant=variant.id, name=name)
    for reading in model.readings:
        few, many = reading.players or (model.min_players, model.max_players)
        same_file = model.players_at is not None and model.players_at.source is reading.span.source
        if same_file and (many < model.min_players or few > model.max_players):
            path = f"/readings/{reading.id}"
            yield diagnose("never-used", reading.span, path, say="reading", name=reading.id, range=players)


def allowed_players(model: CardSet) -> tuple[int, ...]:
    """Return the numbers of players for which the condition `needs` of every active variant holds."""
    active = [variant.needs for variant in model.variants if variant.id in model.active and variant.needs]
    counts = range(model.min_players, model.max_players + 1)
    return tuple(count for count in counts if all(constant(needs, model, count) for needs in active))
