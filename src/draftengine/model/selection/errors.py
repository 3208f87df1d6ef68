"""Helpers for findings about documents and selections."""

from __future__ import annotations

from typing import TYPE_CHECKING

from draftengine.model.diagnostics.catalog import diagnose
from draftengine.model.diagnostics.diagnostic import Diagnostic, Related
from draftengine.model.diagnostics.fixes import renamed
from draftengine.model.diagnostics.suggest import did_you_mean
from draftengine.model.loading.overlay import pointer
from draftengine.model.yaml.tree import Mapping, Node, Sequence
from draftengine.support.source import Source, Span

if TYPE_CHECKING:
    from collections.abc import Iterable

    from draftengine.model.cardset.records import Parameter

Findings = tuple[Diagnostic, ...]


SELECTION = "selection"
"""Source name for texts from a command line rather than from a file."""


def place_of(root: Mapping, *path: str | int) -> tuple[Span, str]:
    """Return the place of a node and its JSON Pointer; if there is no such node, the place around it."""
    node: Node = root
    for part in path:
        below = node.items[int(part)] if isinstance(node, Sequence) else None
        below = node.get(str(part)) if isinstance(node, Mapping) else below
        node = below or node
    return node.span, pointer(tuple(map(str, path)))


def impossible_value(parameter: Parameter, value: int, span: Span, path: str = "") -> Diagnostic:
    """Return the finding that a parameter cannot have this value."""
    related = (Related("declared here", parameter.span),)
    return diagnose(
        "parameter-value",
        span,
        path,
        related=related,
        parameter=parameter.id,
        value=value,
        possible=", ".join(map(str, parameter.values)),
    )


def unknown_name(code: str, what: str, name: str, known: Iterable[str], span: Span, path: str = "") -> Diagnostic:
    """Return the finding that no such name exists, with a suggestion or the known names."""
    known = tuple(known)
    listed = f"Known: {', '.join(known)}." if known else f"This card set has no {what}s."
    hint = did_you_mean(name, known) or listed
    fix = renamed(span, name, known)
    return diagnose(code, span, path, hint=hint, fix=fix, what=what, name=name)


def place_said(text: str) -> Span:
    """Return the place of a text from a command line."""
    return Span(Source(SELECTION, text), 0, len(text))
