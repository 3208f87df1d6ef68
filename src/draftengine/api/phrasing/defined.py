"""Definitions referred to by name, on pages that explain the names."""

from __future__ import annotations

import re
from copy import copy
from types import MappingProxyType
from typing import TYPE_CHECKING

from draftengine.api.phrasing.counted import NounPhraser
from draftengine.model.language.evaluate import references
from draftengine.model.language.macros import is_condition
from draftengine.model.language.tree import Binary, Call, Conditional, LogicalOp, Name, Number, parts

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Self

    from draftengine.api.phrasing.counted import Person
    from draftengine.model.cardset.records import Define
    from draftengine.model.language.tree import Expr

_LONG = 5
"""Parts from which a formula is hard to follow in the middle of a sentence."""
_HEAD = ("op", "function")
"""The fields of a node that are not nodes."""


class DefinitionPhraser(NounPhraser):
    """Phrases that use the names of long definitions, if the page explains them (`by_name`)."""

    defined: Mapping[Expr, str] = MappingProxyType({})
    """Names of long definitions without parameters, by their formulas."""
    with_parameters: tuple[Define, ...] = ()
    """Long definitions with parameters: a formula that one of them matches has its name and its arguments."""
    met: dict[str, None]
    """Definitions whose names were used so far, in order."""

    def by_name(self) -> Self:
        """Return this phraser for a page that explains the names its sentences use, with `called`."""
        phraser = copy(self)
        phraser.met = {}
        long = [definition for definition in self.model.definitions if _is_long(definition.formula.expr)]
        phraser.defined = {one.formula.expr: one.id for one in long if not one.parameters}
        phraser.with_parameters = tuple(
            one
            for one in long
            if one.parameters and all(("name", name) in references(one.formula.expr) for name in one.parameters)
        )
        return phraser

    def name_of(self, expr: Expr, person: Person | None) -> str | None:
        """Return the name of a formula in a sentence about you; ``None`` if it has none.

        The name is noted in `met`.
        """
        if person is not None or not (self.defined or self.with_parameters):
            return None  # hashing a tree takes as long as phrasing it
        if (name := self.defined.get(expr)) is not None:
            self.met[name] = None
            return self._defined_as(name, [])
        for definition in self.with_parameters:
            values: dict[str, Expr] = {}
            if _matches(definition.formula.expr, expr, definition.parameters, values):
                self.met[definition.id] = None
                return self._defined_as(definition.id, [self._argument(values[name]) for name in definition.parameters])
        return None

    def _defined_as(self, name: str, arguments: list[str]) -> str:
        name = self.phrase("defined", name=name.replace("_", " "))
        return self.phrase("defined.with", name=name, list="; ".join(arguments)) if arguments else name

    def _argument(self, expr: Expr) -> str:
        """Return an argument of a definition: a zone, a condition or a number."""
        if isinstance(expr, Name) and any(zone.id == expr.id for zone in self.model.zones):
            return self.zone(expr.id)
        return self.condition(expr) if is_condition(expr) else self.amount(expr)

    def called(self) -> list[tuple[str, str]]:
        """Return (name, meaning) for every name used so far, in the order of the file."""
        meanings: dict[str, tuple[str, str]] = {}
        definitions = {definition.id: definition for definition in self.model.definitions}
        while waiting := [name for name in self.met if name not in meanings]:  # a meaning may use further names
            meanings |= {name: self._meaning(definitions[name]) for name in waiting}
        return [meanings[name] for name in definitions if name in meanings]

    def _meaning(self, definition: Define) -> tuple[str, str]:
        """Return the name of a definition, with its parameters, and its sentence."""
        expr = definition.formula.expr
        inner = copy(self)
        inner.defined = {defined: name for defined, name in self.defined.items() if name != definition.id}
        written = re.findall(r"\w+", definition.formula.text)
        inner.with_parameters = tuple(other for other in self.with_parameters if other.id in written)
        inner.parameters = frozenset(definition.parameters)
        name = definition.id.replace("_", " ")
        if definition.parameters:
            name = f"{name} ({'; '.join(definition.parameters)})"
        whose = ".of_a_card" if _is_about_a_card(expr) else ""
        if is_condition(expr):
            return name, self.phrase(f"defined.condition{whose}", condition=inner.condition(expr))
        return name, self.phrase(f"defined.number{whose}", text=inner.amount(expr))


def _matches(pattern: Expr, expr: Expr, parameters: Sequence[str], values: dict[str, Expr]) -> bool:
    """True if a formula is a definition with other `values`, which are added, in place of its parameters."""
    if isinstance(pattern, Name) and pattern.id in parameters:
        return values.setdefault(pattern.id, expr) == expr
    below, given = parts(pattern), parts(expr)
    if not below:
        return pattern == expr
    return (
        type(pattern) is type(expr)
        and [getattr(pattern, name, "") for name in _HEAD] == [getattr(expr, name, "") for name in _HEAD]
        and len(below) == len(given)
        and all(_matches(part, other, parameters, values) for part, other in zip(below, given, strict=True))
    )


def chooses(expr: Expr) -> bool:
    """True if the phrase of a number ends with two alternatives."""
    match expr:
        case Conditional():
            return True
        case Binary("+", _, right):
            return chooses(right)
    return False


def _is_long(expr: Expr) -> bool:
    """True if a formula would make a sentence hard to follow."""
    return isinstance(expr, LogicalOp) or chooses(expr) or _size(expr) >= _LONG


def _size(expr: Expr) -> int:
    """Return the number of parts of a formula that are said in sequence; a list of names is one."""
    if isinstance(expr, Call) and all(isinstance(argument, Name | Number) for argument in expr.arguments):
        return 1
    return 1 + sum(map(_size, parts(expr)))


def _is_about_a_card(expr: Expr) -> bool:
    return any(kind == "name" and name.startswith("its.") for kind, name in references(expr))
