"""Reads plain YAML scalars: numbers, truth values, null and texts. Ambiguous scalars are refused.

YAML 1.1 reads ``no`` as false, ``010`` as 8 and ``1:30`` as 90. YAML 1.2 reads them differently, and so do authors. All
scalars that the two versions read differently are refused, and so are numbers that are not whole. This module also
checks escape sequences in quoted texts, and finds texts that are cut short by a comment.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from msgspec import Struct

from draftengine.model import limits
from draftengine.model.diagnostics import diagnose
from draftengine.model.yaml.tree import Mapping, Scalar
from draftengine.support.locale.phrases import said
from draftengine.support.source import Span

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from draftengine.model.diagnostics import Diagnostic
    from draftengine.model.yaml.tree import Node
    from draftengine.support.locale.phrases import Phrase, Text

LINE_ENDS = "\r\x85\u2028\u2029"
DIRECTIONS = "\u202a-\u202e\u2066-\u2069"
FORBIDDEN = re.compile(f"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff\ud800-\udfff{DIRECTIONS}]")
"""Characters that no card set may contain, because programs disagree about them, or they hide text."""

MAX_DIGITS = len(str(limits.NUMBER))

_TOO_LARGE = said("number-too-large.it.hint", most=MAX_DIGITS)
_VALUES = {"": None, "~": None, "null": None, "true": True, "false": False}
_WHOLE = re.compile(r"-?(?:0|[1-9][0-9]*)")
_LONGEST_SHOWN = 40
_NUMBERS_OF_A_VERSION = 3
_LONGEST_NUMBER = 64
"""A longer text is never read as a number."""


RANGE = re.compile(r"\s*\d+\s*-\s*\d+\s*")
_DAY = re.compile(r"[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}")
_REMEMBERED = 1 << 10
"""The number of cached results. A card set repeats most of its words."""


class ScalarError(Struct, frozen=True):
    """The reason why a plain scalar is refused: a code, the key of the message, and a hint."""

    code: str
    text: str
    """The scalar as messages quote it."""
    hint: Phrase
    say: str = "it"


@lru_cache(_REMEMBERED)
def resolve(text: str) -> str | int | bool | ScalarError | None:
    """Return the value of a scalar without quotes, or the reason why it is refused."""
    if text in _VALUES:
        return _VALUES[text]
    if _WHOLE.fullmatch(text):
        return (
            int(text)
            if len(text.lstrip("-")) <= MAX_DIGITS
            else ScalarError("number-too-large", shortened(text), _TOO_LARGE)
        )
    if len(text) > _LONGEST_NUMBER:
        return text
    rule = next((rule for rule in _REFUSED if rule.pattern.fullmatch(text)), None)
    return ScalarError(rule.code, shortened(text), rule.hint(text), rule.say) if rule else text


def as_version(text: str) -> Text:
    """Return a hint for a version with too few numbers, or with hyphens like a date; empty otherwise."""
    numbers = [str(int(number)) for number in text.split("-")] if _DAY.fullmatch(text) else text.split(".")
    if numbers != text.split("."):
        return said("hint.version-dots", text=".".join(numbers))
    if len(numbers) >= _NUMBERS_OF_A_VERSION or not all(
        _WHOLE.fullmatch(number) and number[0] != "-" for number in numbers
    ):
        return ""
    return said("hint.version-numbers", text=".".join([*numbers, "0", "0"][:_NUMBERS_OF_A_VERSION]))


def shortened(text: str) -> str:
    """Return the text as messages quote it. A long text is cut."""
    return text if len(text) <= _LONGEST_SHOWN else f"{text[: _LONGEST_SHOWN - 1]}…"


def _or_quotes(value: Text, text: str) -> Phrase:
    return said("hint.value-or-quotes", value=value, text=shortened(text))


def _meant_word(text: str) -> Phrase:
    return _or_quotes("true" if text.lower() in {"y", "yes", "on", "true"} else "false", text)


def _meant_digits(base: int) -> Callable[[str], Phrase]:
    return lambda text: _or_quotes(str(int(text.replace("_", ""), base)), text)


def _meant_decimal(text: str) -> Phrase:
    whole = re.fullmatch(r"(-?[1-9][0-9]*|-?0)\.0*", text)
    return _or_quotes(whole[1] if whole else said("type.integer"), text)


class _Refused(Struct, frozen=True):
    pattern: re.Pattern[str]
    code: str
    hint: Callable[[str], Phrase]
    say: str = "it"


_REFUSED = tuple(
    _Refused(re.compile(pattern), code, hint, *say)
    for pattern, code, hint, *say in (
        ("(?i:y|yes|on|true|n|no|off|false)", "ambiguous-word", _meant_word),
        ("(?i:null)", "ambiguous-word", lambda text: _or_quotes("null", text), "null"),
        ("[-+]?0[0-9_]+", "leading-zero", _meant_digits(10)),
        ("[-+]?0o[0-7_]*[0-7]", "octal-number", _meant_digits(8)),
        ("[-+]?0x[0-9a-fA-F_]*[0-9a-fA-F]", "hex-number", _meant_digits(16)),
        ("[-+]?0b[01_]*[01]", "binary-number", _meant_digits(2)),
        ("[-+]?[1-9][0-9]*_[0-9_]*", "underscored-number", _meant_digits(10)),
        (r"\+[0-9]+", "plus-sign", _meant_digits(10)),
        (
            r"[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?",
            "sexagesimal-number",
            lambda text: said("hint.quotes-if-text", text=shortened(text)),
        ),
        (
            r"[-+]?(?:[0-9][0-9_]*\.[0-9_]*(?:[eE][-+]?[0-9]+)?|\.[0-9][0-9_]*(?:[eE][-+]?[0-9]+)?|[0-9]+[eE][-+]?[0-9]+)",
            "decimal-number",
            _meant_decimal,
        ),
        (r"(?i:[-+]?\.inf|\.nan)", "decimal-number", _meant_decimal),
        (
            r"[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}(?:(?:[Tt]|[ \t]+)[0-9]{1,2}:[0-9]{2}:[0-9]{2}.*)?",
            "date",
            lambda text: said("date.it.hint", text=shortened(text), year=text[:4]),
        ),
    )
)

REFUSED_CODES = frozenset({"number-too-large"} | {rule.code for rule in _REFUSED})
"""The codes of findings about refused scalars."""


_PAIR = r"u[dD][89abAB][0-9A-Fa-f]{2}\\u[dD][c-fC-F][0-9A-Fa-f]{2}"
"""A surrogate pair, without its first backslash. JSON writes a character beyond U+FFFF in this way."""
ESCAPE = re.compile(rf"\\(?:{_PAIR}|x[0-9A-Fa-f]{{2}}|u[0-9A-Fa-f]{{4}}|U[0-9A-Fa-f]{{8}}|[^xuU])", re.DOTALL)
_HALF = re.compile("[\ud800-\udfff]")
_SHORTESCAPES = frozenset("0abvfreNLP")


def whole(text: str) -> str:
    """Return the text with each surrogate pair replaced by its character. Lone surrogates stay."""
    if not _HALF.search(text):
        return text
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass")


def is_forbidden(escape: str) -> bool:
    """True if an escape sequence in double quotes stands for a forbidden character."""
    if escape.count("\\") > 1:  # a surrogate pair; no character beyond U+FFFF is forbidden
        return False
    if len(escape) > len("\\n"):
        return FORBIDDEN.fullmatch(chr(int(escape.lstrip("\\xuU"), 16))) is not None
    return escape[1] in _SHORTESCAPES


_GLUED = re.compile(r"[ \t]+#(?=[^\s#])")
"""A number sign without a space after it, which hardly anybody means to begin a comment."""


def cut_texts(node: Node, path: str = "") -> Iterator[Diagnostic]:
    """Yield a warning for each text without quotes that is followed by a comment such as ``#1``."""
    source = node.span.source
    if not path and not _GLUED.search(source.text):
        return
    if isinstance(node, Scalar):
        sign = _GLUED.match(source.text, node.span.end)
        plain = isinstance(node.value, str) and source.text[node.span.start : node.span.end] == node.value
        if sign and plain:
            place = Span(source, sign.end() - 1, sign.end())
            text = source.text[node.span.start : source.text.find("\n", sign.end())].rstrip()
            yield diagnose("comment-in-text", place, path, severity="warning", text=text, rest=str(node.value))
        return
    children = node.entries if isinstance(node, Mapping) else enumerate(node.items)
    for child in children:
        key, below = (child.key.text, child.value) if not isinstance(child, tuple) else child
        if below.span.source is source:
            yield from cut_texts(below, f"{path}/{key}")
