"""Pieces of JSON Schema that the rule kinds are described with."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

Fragment = dict[str, Any]

ANY_NUMBER: Mapping[str, Any] = {"type": ["integer", "string"], "minLength": 1}
"""A number or a formula."""


def described(
    schema: Mapping[str, Any], title: str, description: str, examples: Sequence[object], **more: object
) -> Fragment:
    """`schema` with what an editor shows."""
    return {**schema, "title": title, "description": description, "examples": list(examples), **more}


def formula(description: str, examples: Sequence[object]) -> Fragment:
    """A formula with a value for each seat."""
    return described(ANY_NUMBER, "Counter or formula", description, examples)


def formulas(description: str, examples: Sequence[object], longest: int) -> Fragment:
    """A list of formulas with a value for each seat."""
    return described(list_of(ANY_NUMBER, longest), "Counters or formulas", description, examples)


def number(title: str, description: str, examples: Sequence[object], **more: object) -> Fragment:
    """A number, or a formula that stays the same all game."""
    return described(
        ANY_NUMBER, title, f"{description} A number, or a formula of players and parameters.", examples, **more
    )


def numbers(title: str, description: str, examples: Sequence[object], longest: int) -> Fragment:
    """A list of numbers or of formulas that stay the same all game."""
    text = f"{description} Numbers, or formulas of players and parameters."
    return described(list_of(ANY_NUMBER, longest), title, text, examples)


def list_of(item: Mapping[str, Any], longest: int) -> Fragment:
    """A list with at least one item."""
    return {"type": "array", "items": dict(item), "minItems": 1, "maxItems": longest}


def word(words: Mapping[str, str], default: str, title: str, description: str) -> Fragment:
    """One of `words`, each with its meaning."""
    meanings = "; ".join(f"{name}: {meaning}" for name, meaning in words.items())
    return described({"enum": list(words)}, title, f"{description} {meanings}.", list(words), default=default)


def flag(title: str, description: str, *, default: bool) -> Fragment:
    """True or false."""
    return described({"type": "boolean"}, title, description, [not default], default=default)
