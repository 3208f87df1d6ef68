"""Does every definition say something, and does anything ask for it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from msgspec.structs import replace

from draftengine.model.checks.formula_uses import names_in
from draftengine.model.diagnostics.diagnostic import Diagnostic
from draftengine.model.language.builtins import LYING
from draftengine.model.language.check import NameInfo
from draftengine.model.language.check import check as check_formula

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from draftengine.model.cardset.records import CardSet, Define
    from draftengine.model.checks.formula_uses import FormulaUse
    from draftengine.model.language.check import TypeProblem, Scope

_NAMES = re.compile(r"[a-z][a-z0-9_]*")
_EVERYWHERE = frozenset({"unknown-name", "wrong-arguments"})
"""Mistakes that are none of the place where a definition is used, nor of the values that it asks for."""
_ANY = NameInfo("anything", 1, 1, per_seat=False)


def mistakes_in(own: Define, scope: Scope) -> Iterator[TypeProblem]:
    """What is wrong with a definition wherever it is used; `scope` is that of a seat."""
    given = tuple(f"{name}." for name in own.parameters)
    its = {name for name in names_in(own.formula) if name.startswith(("its.", LYING, *given))}
    names = {**scope.names, **dict.fromkeys(its | {"card", *own.parameters}, _ANY)}
    codes = _EVERYWHERE if own.parameters else _EVERYWHERE | {"wrong-type"}
    for mistake in check_formula(own.formula.expr, replace(scope, names=names, defined=True)).mistakes:
        if mistake.code in codes:
            yield mistake


def standing_on(mistaken: Iterable[str], model: CardSet) -> frozenset[str]:
    """The definitions that are mistaken, and those that use them."""
    found = set(mistaken)
    while more := {own.id for own in model.definitions if found & _words(own.formula.text)} - found:
        found |= more
    return frozenset(found)


def unused(model: CardSet, uses: Iterable[FormulaUse]) -> Iterator[Diagnostic]:
    """Definitions that no formula needs."""
    if not model.definitions:
        return
    needs = (own.needs.text for own in model.variants if own.needs is not None)
    asked = set().union(*(_words(text) for text in (*(use.formula.text for use in uses), *needs)))
    by_name = {own.id: own for own in model.definitions}
    waiting = [own for own in by_name if own in asked]
    while waiting:
        new = _words(by_name[waiting.pop()].formula.text) & by_name.keys() - asked
        asked |= new
        waiting += new
    for own in (own for own in model.definitions if own.id not in asked):
        message = f"Nothing ever uses the definition “{own.id}”."
        yield Diagnostic("never-used", "warning", message, own.span, f"/define/{own.id}", "Use it, or remove it.")


def _words(text: str) -> set[str]:
    return set(_NAMES.findall(text))
