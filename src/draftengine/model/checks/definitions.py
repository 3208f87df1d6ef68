"""Checks of definitions: each must be valid by itself and used somewhere."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from msgspec.structs import replace

from draftengine.model.checks.formula_uses import names_in
from draftengine.model.diagnostics.catalog import diagnose
from draftengine.model.language.builtins import LYING
from draftengine.model.language.check import NameInfo
from draftengine.model.language.check import check as check_formula

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from draftengine.model.cardset.records import CardSet, Define
    from draftengine.model.checks.formula_uses import FormulaUse
    from draftengine.model.diagnostics.diagnostic import Diagnostic
    from draftengine.model.language.check import Scope, TypeProblem

_NAMES = re.compile(r"[a-z][a-z0-9_]*")
_EVERYWHERE = frozenset({"unknown-name", "wrong-arguments"})
"""Codes of mistakes that depend neither on the place of use nor on the arguments."""
_ANY = NameInfo("anything", 1, 1, per_seat=False)


def mistakes_in(definition: Define, scope: Scope) -> Iterator[TypeProblem]:
    """Yield what is wrong with a definition regardless of its use; `scope` is that of a seat."""
    given = tuple(f"{name}." for name in definition.parameters)
    its = {name for name in names_in(definition.formula) if name.startswith(("its.", LYING, *given))}
    names = {**scope.names, **dict.fromkeys(its | {"card", *definition.parameters}, _ANY)}
    codes = _EVERYWHERE if definition.parameters else _EVERYWHERE | {"wrong-type"}
    for mistake in check_formula(definition.formula.expr, replace(scope, names=names, defined=True)).mistakes:
        if mistake.code in codes:
            yield mistake


def standing_on(mistaken: Iterable[str], model: CardSet) -> frozenset[str]:
    """Return the mistaken definitions and all that use them, directly or indirectly."""
    names = set(mistaken)
    while (
        more := {definition.id for definition in model.definitions if names & _words(definition.formula.text)} - names
    ):
        names |= more
    return frozenset(names)


def unused(model: CardSet, uses: Iterable[FormulaUse]) -> Iterator[Diagnostic]:
    """Yield a finding for each definition that no formula needs."""
    if not model.definitions:
        return
    needs = (variant.needs.text for variant in model.variants if variant.needs is not None)
    asked = set().union(*(_words(text) for text in (*(use.formula.text for use in uses), *needs)))
    by_name = {definition.id: definition for definition in model.definitions}
    waiting = [name for name in by_name if name in asked]
    while waiting:
        new = _words(by_name[waiting.pop()].formula.text) & by_name.keys() - asked
        asked |= new
        waiting += new
    for definition in (definition for definition in model.definitions if definition.id not in asked):
        yield diagnose(
            "never-used", definition.span, f"/define/{definition.id}", say="definition", definition=definition.id
        )


def _words(text: str) -> set[str]:
    return set(_NAMES.findall(text))
