"""Findings of the dry run: whether there are enough cards, and whether the game ends."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from draftengine.model.cardset.facts import steps_of
from draftengine.model.diagnostics.catalog import diagnose
from draftengine.model.records.record import walk
from draftengine.model.records.values import ByPlayerCount
from draftengine.model.verbs.dealing import Dealing

if TYPE_CHECKING:
    from collections.abc import Iterator

    from draftengine.model.cardset.records import CardSet
    from draftengine.model.checks.context import CheckContext
    from draftengine.model.diagnostics.diagnostic import Diagnostic
    from draftengine.support.source import Span


def check(table: CheckContext) -> Iterator[Diagnostic]:
    """Yield the findings of the dry run, with their paths."""
    yield from _placed(table.plan.findings, table.model)


def check_idle(table: CheckContext) -> Iterator[Diagnostic]:
    """Yield steps that never move a card, and rounds in which no seat has a turn."""
    yield from _placed(table.plan.idle, table.model)
    first, *later = table.plan.rounds or (None,)
    if first is not None and first.turns and later and table.plan.complete and not any(each.turns for each in later):
        dealing = [(path, step) for path, step in steps_of(table.model) if isinstance(step, Dealing)]
        once = all(path.startswith("/setup") for path, _ in dealing)
        for path, step in dealing[:1] if once else ():
            yield diagnose("idle-round", step.span, path, say="certain", rounds=table.model.rounds)


def _placed(findings: tuple[Diagnostic, ...], model: CardSet) -> Iterator[Diagnostic]:
    """Yield the findings with the JSON Pointers of their steps."""
    paths = dict(_paths(model)) if findings else {}
    for finding in findings:
        yield replace(finding, path=paths.get(finding.span, finding.path))


def _paths(model: CardSet) -> Iterator[tuple[Span, str]]:
    for path, step in steps_of(model):
        yield step.span, path
        for _, cases, place in walk(step, path.rpartition("/")[0]):
            if isinstance(cases, ByPlayerCount):
                yield cases.span, place
                yield from ((formula.span, place) for _, formula in cases.cases)
