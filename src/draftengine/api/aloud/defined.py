"""Definitions called by their names, where a page says what the names mean."""

from __future__ import annotations

from copy import copy
from types import MappingProxyType
from typing import TYPE_CHECKING

from draftengine.api.aloud.counted import Counted
from draftengine.language.evaluate import references
from draftengine.language.tree import Binary, Conditional, Logic

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Self

    from draftengine.api.aloud.counted import Person
    from draftengine.language.tree import Expr


class Defined(Counted):
    """Knows which parts of formulas are what a definition says. By itself it calls none of them by its name."""

    defined: Mapping[Expr, str] = MappingProxyType({})
    """What long definitions say, with their names."""
    met: dict[str, None]
    """Those that were called by their names until now."""

    def by_name(self) -> Self:
        """The same speech for a page that says what those `called` so mean: long ones have their names in sentences."""
        found = copy(self)
        found.met = {}
        found.defined = {
            own.formula.expr: own.id
            for own in self.model.definitions
            if not own.parameters and _is_long(own.formula.expr)
        }
        return found

    def name_of(self, expr: Expr, person: Person | None) -> str | None:
        """What a definition is called that says this of you, if it has its name in sentences."""
        name = self.defined.get(expr)
        if name is None or person is not None:
            return None
        self.met[name] = None
        return name.replace("_", " ")

    def called(self) -> list[tuple[str, str]]:
        """Each definition that was called by its name until now, in the order of the file, and what it means."""
        told: dict[str, str] = {}
        while waiting := [own for own in self.met if own not in told]:  # one may be explained with others
            told |= {own: self._meaning(own) for own in waiting}
        order = [own.id for own in self.model.definitions if own.id in told]
        return [(own.replace("_", " "), told[own]) for own in order]

    def _meaning(self, name: str) -> str:
        (expr,) = (own for own, found in self.defined.items() if found == name)
        plain = copy(self)
        plain.defined = {own: found for own, found in self.defined.items() if found != name}
        if isinstance(expr, Logic):
            return self.say("defined.condition", condition=plain.condition(expr))
        return self.say("defined.number", text=plain.amount(expr))


def chooses(expr: Expr) -> bool:
    """Does a number end with one of two."""
    match expr:
        case Conditional():
            return True
        case Binary("+", _, right):
            return chooses(right)
    return False


def _is_long(expr: Expr) -> bool:
    """Would it make a sentence hard to follow; what is about a card is about another one each time."""
    about_a_card = any(kind == "name" and name.startswith("its.") for kind, name in references(expr))
    return (isinstance(expr, Logic) or chooses(expr)) and not about_a_card
