"""The fields that rule kinds declare: what an editor shows, what may be written, and how it is read.

A rule is written with formulas (``Each[Formula]``) and played with numbers (``Each[int]``): resolving it for a player
count replaces every field marked `CONSTANT` by its value.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, TypeVar

from draftengine.model.records.record import FieldSpec, FormulaScope, field
from draftengine.model.records.values import Formula

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from draftengine.model.loading.reader import Reader

N = TypeVar("N")
"""`Formula` in a rule as written, `int` in a resolved rule."""

Count = Annotated[Formula, FormulaScope("seat", "int")]
"""A formula that is evaluated for every seat whenever the rule is scored."""
Counts = Annotated[tuple[Formula, ...], FormulaScope("seat", "int")]
CONSTANT = FormulaScope("constant", "int")
"""Marks a field whose value never changes during a game."""

_EXPRESSION: Mapping[str, Any] = {"type": ["integer", "string"], "minLength": 1}


def count(description: str, *examples: object) -> FieldSpec:
    """Declare a `Count`."""
    return _field(_EXPRESSION, "Counter or formula", description, examples, _formula)


def counts(description: str, *examples: object, longest: int) -> FieldSpec:
    """Declare `Counts`: a list of at most `longest` formulas."""
    return _field(_list(longest), "Counters or formulas", description, examples, _formulas)


def number(title: str, description: str, *examples: object, **more: object) -> FieldSpec:
    """Declare a number, or a formula that is constant during a game."""
    text = f"{description} A number, or a formula of players and parameters."
    return _field({**_EXPRESSION, **more}, title, text, examples, _formula)


def numbers(title: str, description: str, *examples: object, longest: int) -> FieldSpec:
    """Declare a list of at most `longest` constant numbers."""
    text = f"{description} Numbers, or formulas of players and parameters."
    return _field(_list(longest), title, text, examples, _formulas)


def switch(title: str, description: str, *formulas: str) -> FieldSpec:
    """Declare a condition that is constant during a game: true, false, or a formula (with examples)."""
    schema = {"type": ["boolean", "integer", "string"], "minLength": 1, "default": False}
    text = f"{description} True, false, or a formula of players, parameters."
    return _field(schema, title, text, (True, *formulas), _formula)


def word(meanings: Mapping[str, str], title: str, description: str) -> FieldSpec:
    """Declare one of several words, each with its meaning."""
    text = f"{description} {'; '.join(f'{name}: {meaning}' for name, meaning in meanings.items())}."
    return field(title, text, *meanings, schema={"enum": list(meanings)})


def _field(
    schema: Mapping[str, Any],
    title: str,
    description: str,
    examples: tuple[object, ...],
    read: Callable[[Reader, str], Any],
) -> FieldSpec:
    return field(title, description, *examples, schema=dict(schema), read=read)


def _list(longest: int) -> dict[str, Any]:
    return {"type": "array", "items": dict(_EXPRESSION), "minItems": 1, "maxItems": longest}


def _formula(reader: Reader, name: str) -> Formula | None:
    return reader.optional_formula(name)


def _formulas(reader: Reader, name: str) -> tuple[Formula, ...]:
    return reader.formulas(name)
