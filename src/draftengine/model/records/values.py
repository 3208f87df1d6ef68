"""Values of a card set's keys, beside names and numbers: texts, formulas, and changes of counters."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeGuard

from msgspec import Struct

if TYPE_CHECKING:
    from draftengine.model.language.tree import Expr
    from draftengine.support.source import Span

Texts = tuple[tuple[str, str], ...]
"""A text by language, as pairs (BCP-47 tag, text); a plain string has the single tag ``""``."""


class Formula(Struct, frozen=True):
    """A formula as written and as parsed. A plain number is a formula as well."""

    text: str
    expr: Expr
    span: Span


class ByPlayerCount(Struct, frozen=True):
    """A number by number of players: pairs (players, formula); the key ``None`` is for all."""

    cases: tuple[tuple[int | None, Formula], ...]
    span: Span


class Amount(Struct, frozen=True):
    """A counter with the formula that it changes by, or becomes."""

    counter: str
    formula: Formula
    span: Span


def is_whole(value: object) -> TypeGuard[int]:
    """True if the value is a whole number, and not ``True`` or ``False``."""
    return isinstance(value, int) and not isinstance(value, bool)
