"""Names that somebody may have meant."""

from __future__ import annotations

from difflib import SequenceMatcher, get_close_matches
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

_LONGEST = 64
"""No name is longer, and comparing long texts takes time."""


def closest(name: str, candidates: Iterable[str]) -> str | None:
    """The candidate most like `name`, or ``None`` if none is like it. Case, spaces and hyphens count little."""
    known = [candidate for candidate in dict.fromkeys(candidates) if candidate != name]
    if len(name) > _LONGEST:
        return None
    by_form: dict[str, list[str]] = {}
    for candidate in known:
        by_form.setdefault(_form(candidate), []).append(candidate)
    found = get_close_matches(_form(name), by_form, n=1)
    return max(by_form[found[0]], key=lambda candidate: _likeness(name, candidate)) if found else None


def did_you_mean(name: str, candidates: Iterable[str]) -> str:
    """A hint that names the closest candidate; empty if there is none."""
    found = closest(name, candidates)
    return f"Did you mean “{found}”?" if found else ""


def _form(name: str) -> str:
    return name.casefold().replace("-", "_").replace(" ", "_")


def _likeness(name: str, candidate: str) -> float:
    return SequenceMatcher(None, name, candidate).ratio()
