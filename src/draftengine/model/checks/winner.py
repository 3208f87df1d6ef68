"""Check that every tie-breaker can decide between tied seats."""

from __future__ import annotations

from typing import TYPE_CHECKING

from draftengine.model.diagnostics.catalog import diagnose
from draftengine.model.language.tree import Name

if TYPE_CHECKING:
    from collections.abc import Iterator

    from draftengine.model.cardset.records import TieBreaker
    from draftengine.model.checks.context import CheckContext
    from draftengine.model.diagnostics.diagnostic import Diagnostic


def check(table: CheckContext) -> Iterator[Diagnostic]:
    """Yield tie-breakers whose value is equal for every tied seat."""
    earlier: list[TieBreaker] = []
    for index, breaker in enumerate(table.model.winner.tie_breakers):
        path = f"/winner/tie_breakers/{index}/{'holder' if breaker.holder else breaker.order}"
        why = _useless(breaker, earlier, table)
        if why:
            yield diagnose("useless-tie-breaker", breaker.measure.span, path, why=why)
        earlier.append(breaker)


def _useless(breaker: TieBreaker, earlier: list[TieBreaker], table: CheckContext) -> str:
    expr = breaker.measure.expr
    if any(other.measure.expr == expr for other in earlier):
        return "an earlier one has compared the same"
    if isinstance(expr, Name) and expr.id == "points" and not table.model.chips:
        return "tied seats have the same points"
    checked = table.checked(breaker.measure)
    if checked.low == checked.high:
        return f"it is always {checked.low}"
    differs = any(table.seat.names[name].per_seat for name in checked.names)
    return "" if differs else "it is the same for every seat"
