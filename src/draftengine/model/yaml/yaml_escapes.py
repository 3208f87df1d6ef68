"""Escapes in quoted YAML texts, and the characters they stand for."""

from __future__ import annotations

import re

from draftengine.model.yaml.decode import FORBIDDEN

_PAIR = r"u[dD][89abAB][0-9A-Fa-f]{2}\\u[dD][c-fC-F][0-9A-Fa-f]{2}"
"""A surrogate pair, as JSON escapes a character beyond U+FFFF; without the first backslash."""
ESCAPE = re.compile(rf"\\(?:{_PAIR}|x[0-9A-Fa-f]{{2}}|u[0-9A-Fa-f]{{4}}|U[0-9A-Fa-f]{{8}}|[^xuU])", re.DOTALL)
_HALF = re.compile("[\ud800-\udfff]")
_SHORTESCAPES = frozenset("0abvfreNLP")


def whole(text: str) -> str:
    """Return the text with surrogate pairs joined to characters; a lone surrogate stays."""
    if not _HALF.search(text):
        return text
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass")


def is_forbidden(escape: str) -> bool:
    """True if an escape in double quotes stands for a forbidden character."""
    if escape.count("\\") > 1:  # a pair; no character beyond U+FFFF is forbidden
        return False
    if len(escape) > len("\\n"):
        return FORBIDDEN.fullmatch(chr(int(escape.lstrip("\\xuU"), 16))) is not None
    return escape[1] in _SHORTESCAPES
