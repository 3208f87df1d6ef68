"""Places of words inside a declaration or a formula."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from draftengine.support.source import Span

if TYPE_CHECKING:
    from draftengine.model.records.values import Formula

_REACH = 4000
"""The number of characters of a declaration in which a word is looked for."""


@lru_cache(1 << 12)
def word_in(span: Span, word: str) -> Span:
    """Return the place of `word` in the declaration that starts at `span`.

    Returns `span` itself if the word is not there, because an overlay wrote it.
    """
    text = span.source.text
    whole = text.startswith("{", span.start)
    block, begin = (text[span.start : span.end], span.start) if whole else (_block(span), span.end)
    match = re.search(rf"(?<![\w@-]){re.escape(word)}(?![\w@])", block)
    if not word or match is None:
        return span
    start = begin + match.start()
    return Span(span.source, start, start + len(word))


def _block(span: Span) -> str:
    """Return what follows a key until a line that is not indented deeper, with comments blanked out.

    After a hyphen, the other keys of the entry belong to it too.
    """
    text = span.source.text
    line_start = text.rfind("\n", 0, span.start) + 1
    lead = text[line_start : span.start]
    indent = len(lead) - ("-" in lead) if not lead.strip(" -") else len(lead) - len(lead.lstrip(" "))
    lines = text[span.end : span.end + _REACH].split("\n")
    block = [lines[0]]
    for line in lines[1:]:
        if line.strip() and not line.lstrip().startswith("#") and _indent(line) <= indent:
            break
        block.append(line)
    return "\n".join(_without_comment(line) for line in block)


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" "))


def _without_comment(line: str) -> str:
    head, hash_, tail = line.partition(" #")
    return head + " " * len(hash_ + tail) if hash_ else line


def inside(formula: Formula, start: int, end: int) -> Span:
    """Return the place of a part of a formula's text.

    Returns the place of the whole formula if its text is not in the file verbatim.
    """
    span = formula.span
    for offset in (0, 1):  # plain, or in quotes
        first = span.start + offset
        length = span.end - span.start - 2 * offset
        if length == len(formula.text) and span.source.text.startswith(formula.text, first):
            return Span(span.source, first + start, max(first + start + 1, first + end))
    return span
