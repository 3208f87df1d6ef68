"""Definitions referred to by name, on pages that explain the names."""

from __future__ import annotations

from copy import copy
from types import MappingProxyType
from typing import TYPE_CHECKING

from draftengine.api.phrasing.counted import NounPhraser
from draftengine.model.language.evaluate import references
from draftengine.model.language.macros import is_condition
from draftengine.model.language.tree import Binary, Call, Conditional, LogicalOp, Name, Number, parts

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Self

    from draftengine.api.phrasing.counted import Person
    from draftengine.model.language.tree import Expr

_LONG = 5
"""Parts from which a formula is hard to follow in the middle of a sentence."""


class DefinitionPhraser(NounPhraser):
    """Phrases that use the names of long definitions, if the page explains them (`by_name`)."""

    defined: Mapping[Expr, str] = MappingProxyType({})
    """Names of long definitions, by their formulas."""
    met: dict[str, None]
    """Definitions whose names were used so far, in order."""

    def by_name(self) -> Self:
        """Return this phraser for a page that explains the names its sentences use, with `called`."""
        phraser = copy(self)
        phraser.met = {}
        phraser.defined = {
            definition.formula.expr: definition.id
            for definition in self.model.definitions
            if not definition.parameters and _is_long(definition.formula.expr)
        }
        return phraser

    def name_of(self, expr: Expr, person: Person | None) -> str | None:
        """Return the name of a formula in a sentence about you; ``None`` if it has none.

        The name is noted in `met`.
        """
        name = self.defined.get(expr) if self.defined else None  # hashing a tree takes as long as phrasing it
        if name is None or person is not None:
            return None
        self.met[name] = None
        return name.replace("_", " ")

    def called(self) -> list[tuple[str, str]]:
        """Return (name, meaning) for every name used so far, in the order of the file."""
        meanings: dict[str, str] = {}
        while waiting := [name for name in self.met if name not in meanings]:  # a meaning may use further names
            meanings |= {name: self._meaning(name) for name in waiting}
        order = [definition.id for definition in self.model.definitions if definition.id in meanings]
        return [(name.replace("_", " "), meanings[name]) for name in order]

    def _meaning(self, name: str) -> str:
        (expr,) = (defined for defined, other in self.defined.items() if other == name)
        plain = copy(self)
        plain.defined = {defined: other for defined, other in self.defined.items() if other != name}
        whose = ".of_a_card" if _is_about_a_card(expr) else ""
        if is_condition(expr):
            return self.phrase(f"defined.condition{whose}", condition=plain.condition(expr))
        return self.phrase(f"defined.number{whose}", text=plain.amount(expr))


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
