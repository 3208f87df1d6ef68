"""Conditions that always or never hold, with any number of players.

Each condition in the text is compared using the bounds of its two sides. Conditions joined by `and` about one number
must leave a value for it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec import Struct

from draftengine.model.diagnostics.catalog import diagnose
from draftengine.model.language.bounds import UNKNOWN, bounds
from draftengine.model.language.evaluate import references
from draftengine.model.language.ranges import TRUTH, hull
from draftengine.model.language.tree import TURNED, Comparison, LogicalOp, Number, parts

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from draftengine.model.cardset.records import CardSet
    from draftengine.model.checks.context import CheckContext
    from draftengine.model.checks.formula_uses import FormulaUse
    from draftengine.model.diagnostics.diagnostic import Diagnostic
    from draftengine.model.language.check import Scope
    from draftengine.model.language.ranges import Range
    from draftengine.model.language.tree import Expr
    from draftengine.support.source import Span

CODES = frozenset({"condition-always-false", "condition-always-true"})


class ScopeFacts(Struct, frozen=True):
    """Bounds of the names in a scope, as `bounds` reads them."""

    scope: Scope
    seat_count: int
    player_count: int

    def range_of(self, function: str, name: str, _seat: int, /) -> Range:
        """Return the range of a name, or of a function of it."""
        if function == "holds":
            return TRUTH
        info = self.scope.names.get(name)
        return (info.low, info.high) if info is not None and function in {"name", "cards"} else UNKNOWN


def check(tables: Sequence[CheckContext], uses: Sequence[FormulaUse]) -> Iterator[Diagnostic]:
    """Yield the conditions that always or never hold at every table; formulas of a series are left out."""
    texts: dict[Span, set[str]] = {}
    for use in uses:
        texts.setdefault(use.formula.span, set()).add(use.formula.text)
    findings: dict[tuple[Span, int, int], list[Diagnostic | None]] = {}
    for use in uses:
        in_series = len(texts[use.formula.span]) > 1
        if use.where in {"seat", "table"} and use.players is None and not use.local and not in_series:
            waiting: list[Expr] = [use.formula.expr]
            while waiting:
                expr = waiting.pop()
                waiting += parts(expr)
                # The author wrote it: it does not come from a definition or function.
                if isinstance(expr, Comparison | LogicalOp) and expr.op in use.formula.text[expr.start : expr.end]:
                    place = use.formula.span, expr.start, expr.end
                    findings.setdefault(place, []).append(next(_certain(use, expr, tables), None))
    # A condition of `over` is asked about each card: it is wrong if it is wrong about all of them.
    for alike in findings.values():
        if len({finding and finding.code for finding in alike}) == 1 and alike[0]:
            yield alike[0]


def _certain(
    use: FormulaUse, condition: Comparison | LogicalOp, tables: Sequence[CheckContext]
) -> Iterator[Diagnostic]:
    if isinstance(condition, LogicalOp):
        clash = _clash(condition) if condition.op == "and" else None
        if clash:
            (low, high), about = clash
            texts: dict[str, Any] = {"severity": "error", "about": _text(use, about), "low": low, "high": high}
            yield diagnose("condition-always-false", use.formula.span, use.path, say="clash", **texts)
        return
    scopes = [table.seat if use.where == "seat" else table.whole for table in tables]
    facts = [ScopeFacts(scope, scope.max_seats, table.players) for scope, table in zip(scopes, tables, strict=True)]
    values = {bounds(condition, known) for known in facts}
    if values not in ({(0, 0)}, {(1, 1)}):
        return
    left, right = (hull([bounds(side, known) for known in facts]) for side in (condition.left, condition.right))
    names = {name for _, name in references(condition)}
    infos = [info for name in names if (info := tables[0].seat.names.get(name)) is not None]
    changing = any(info.kind not in {"fact", "parameter"} for info in infos) or names == {"players"}
    if left == (0, 0) or (values == {(1, 1)} and not changing) or _extended_for_fewer(use, tables[0].model):
        return
    texts = {
        "say": "number" if isinstance(condition.right, Number) else "both",
        "condition": use.formula.text[condition.start : condition.end],
        "left": _text(use, condition.left),
        "range": _range(left),
        "right": _text(use, condition.right),
        "other_range": _range(right),
    }
    if (1, 1) in values:
        yield diagnose("condition-always-true", use.formula.span, use.path, **texts)
    else:
        yield diagnose("condition-always-false", use.formula.span, use.path, severity="error", **texts)


def _extended_for_fewer(use: FormulaUse, model: CardSet) -> bool:
    """True if a file extends the one with the condition and gives other numbers of players than that."""
    formula, players = use.formula.span.source, model.players_at
    return players is not None and players.source is not formula and model.winner.span.source is formula


def _clash(condition: LogicalOp) -> tuple[Range, Expr] | None:
    """Return the empty range (lowest above highest) left by conditions joined by `and`, and its subject.

    ``None`` if they leave a value.
    """
    limits: dict[Expr, Range] = {}
    waiting: list[Expr] = [condition]
    while waiting:
        expr = waiting.pop()
        if isinstance(expr, LogicalOp) and expr.op == "and":
            waiting += parts(expr)
        elif isinstance(expr, Comparison) and (bound := _bound(expr)):
            about, (low, high) = bound
            before = limits.get(about, UNKNOWN)
            limits[about] = max(low, before[0]), min(high, before[1])
    return next(((limit, about) for about, limit in limits.items() if limit[0] > limit[1]), None)


def _bound(expr: Comparison) -> tuple[Expr, Range] | None:
    """Return the expression that a comparison with a number is about, and the range that it allows."""
    about, op, number = expr.left, expr.op, expr.right
    if isinstance(about, Number):
        about, op, number = number, TURNED[op], about
    if not isinstance(number, Number):
        return None
    value = number.value
    least = {"==": value, ">=": value, ">": value + 1}.get(op, UNKNOWN[0])
    most = {"==": value, "<=": value, "<": value - 1}.get(op, UNKNOWN[1])
    return about, (least, most)


def _text(use: FormulaUse, expr: Expr) -> str:
    return use.formula.text[expr.start : expr.end]


def _range(bound: Range) -> str:
    low, high = bound
    return f"always {low}" if low == high else f"from {low} to {high}"
