"""What stands behind the keys of a card set, beside names and numbers: texts, formulas, and what changes counters."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

if TYPE_CHECKING:
    from draftengine.model.language.tree import Expr
    from draftengine.support.source import Span

Texts = tuple[tuple[str, str], ...]
"""A text by language, as pairs (BCP-47 tag, text); a plain string has the single tag ``""``."""


class Formula(Struct, frozen=True):
    """A formula as written and as parsed. A plain number is a formula too."""

    text: str
    expr: Expr
    span: Span


class ByPlayerCount(Struct, frozen=True):
    """A number that may differ by player count: pairs (players, formula) or one formula for all (key ``None``)."""

    cases: tuple[tuple[int | None, Formula], ...]
    span: Span


class Amount(Struct, frozen=True):
    """`counter` changes by (or becomes) the value of `formula`."""

    counter: str
    formula: Formula
    span: Span
