"""Texts that a comment cuts short, because ``#`` after a space begins one."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from draftengine.model.diagnostics.catalog import diagnose
from draftengine.model.yaml.tree import Mapping, Scalar
from draftengine.support.source import Span

if TYPE_CHECKING:
    from collections.abc import Iterator

    from draftengine.model.diagnostics.diagnostic import Diagnostic
    from draftengine.model.yaml.tree import Node

_GLUED = re.compile(r"[ \t]+#(?=[^\s#])")
"""A number sign without a space after it, hardly meant as a comment."""


def cut_texts(node: Node, path: str = "") -> Iterator[Diagnostic]:
    """Yield a warning for each text without quotes that is followed by ``#`` without a space."""
    source = node.span.source
    if not path and not _GLUED.search(source.text):
        return
    if isinstance(node, Scalar):
        behind = _GLUED.match(source.text, node.span.end)
        plain = isinstance(node.value, str) and source.text[node.span.start : node.span.end] == node.value
        if behind and plain:
            place = Span(source, behind.end() - 1, behind.end())
            text = source.text[node.span.start : source.text.find("\n", behind.end())].rstrip()
            yield diagnose("comment-in-text", place, path, severity="warning", text=text, rest=node.value)
        return
    children = node.entries if isinstance(node, Mapping) else enumerate(node.items)
    for child in children:
        key, below = (child.key.text, child.value) if not isinstance(child, tuple) else child
        if below.span.source is source:
            yield from cut_texts(below, f"{path}/{key}")
