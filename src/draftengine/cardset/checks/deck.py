"""Are there cards enough, and does the game end: what the plan of the flow found."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from draftengine.cardset.checks.place import steps_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from draftengine.cardset.checks.table import Table
    from draftengine.diagnostics.finding import Diagnostic


def check(table: Table) -> Iterator[Diagnostic]:
    """The findings of the plan, with their paths."""
    if not table.plan.findings:
        return
    paths = {step.span: path for path, step in steps_of(table.model)}
    for finding in table.plan.findings:
        yield replace(finding, path=paths.get(finding.span, finding.path))
