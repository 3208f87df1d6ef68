"""Words without quotes: numbers, truth values, nothing, text; and those that programs read in different ways.

YAML 1.1 reads ``no`` as false, ``010`` as 8 and ``1:30`` as 90; YAML 1.2 and the people who write card sets do not.
Whatever the two read differently, and every number that is not whole, is refused.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from msgspec import Struct

if TYPE_CHECKING:
    from collections.abc import Callable

MAX_DIGITS = 6

_VALUES = {"": None, "~": None, "null": None, "true": True, "false": False}
_WHOLE = re.compile(r"-?(?:0|[1-9][0-9]*)")
_LONGEST_SHOWN = 40
_NUMBERS_OF_A_VERSION = 3
_LONGEST_NUMBER = 64
"""No number that anybody writes is longer; a longer text is a text and not worth the search."""


RANGE = re.compile(r"\s*\d+\s*-\s*\d+\s*")
_DAY = re.compile(r"[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}")
ONE_NUMBER = (
    "Write one number: only `players` and the `cards` of a choice can be a range; in a formula it is a subtraction."
)
_REMEMBERED = 1 << 10
"""So many words are looked at only once: a card set says most of its words again and again."""


class ScalarError(Struct, frozen=True):
    """Why a word without quotes has no value here, and what to write instead."""

    code: str
    message: str
    hint: str


@lru_cache(_REMEMBERED)
def resolve(text: str) -> str | int | bool | ScalarError | None:
    """The value of a word written without quotes."""
    if text in _VALUES:
        return _VALUES[text]
    if _WHOLE.fullmatch(text):
        return int(text) if len(text.lstrip("-")) <= MAX_DIGITS else _too_large(text)
    if len(text) > _LONGEST_NUMBER:
        return text
    rule = next((rule for rule in _REFUSED if rule.pattern.fullmatch(text)), None)
    return ScalarError(rule.code, f"{named(text)} {rule.reason}.", rule.hint(text)) if rule else text


def named(text: str) -> str:
    """The text as a message names it."""
    return f"“{_shortened(text)}”"


def quoted(text: str) -> str:
    """The text as it is to be written in the file."""
    return f'"{_shortened(text)}"'


def as_version(text: str) -> str:
    """What to write instead of a version with too few numbers; empty for anything else."""
    numbers = [str(int(number)) for number in text.split("-")] if _DAY.fullmatch(text) else text.split(".")
    if numbers != text.split("."):
        return f"Write {'.'.join(numbers)}: a version has dots between its numbers."
    if len(numbers) >= _NUMBERS_OF_A_VERSION or not all(
        _WHOLE.fullmatch(number) and number[0] != "-" for number in numbers
    ):
        return ""
    return f"Write {'.'.join([*numbers, '0', '0'][:_NUMBERS_OF_A_VERSION])}: a version has three numbers."


def _shortened(text: str) -> str:
    return text if len(text) <= _LONGEST_SHOWN else f"{text[: _LONGEST_SHOWN - 1]}…"


def _too_large(text: str) -> ScalarError:
    hint = f"Numbers have at most {MAX_DIGITS} digits; put a text of digits in quotes."
    return ScalarError("number-too-large", f"The number {_shortened(text)} is too large.", hint)


def _or_quotes(value: str, text: str) -> str:
    return f"Write {value}, or {quoted(text)} in quotes if it is a text."


def _only_quotes(text: str) -> str:
    return f"Write {quoted(text)} in quotes if it is a text."


def _meant_word(text: str) -> str:
    return _or_quotes("true" if text.lower() in {"y", "yes", "on", "true"} else "false", text)


def _meant_digits(base: int) -> Callable[[str], str]:
    return lambda text: _or_quotes(str(int(text.replace("_", ""), base)), text)


def _meant_decimal(text: str) -> str:
    whole = re.fullmatch(r"(-?[1-9][0-9]*|-?0)\.0*", text)
    return _or_quotes(whole[1] if whole else "a whole number", text)


class _Refused(Struct, frozen=True):
    pattern: re.Pattern[str]
    code: str
    reason: str
    hint: Callable[[str], str]


_REFUSED = tuple(
    _Refused(re.compile(pattern), code, reason, hint)
    for pattern, code, reason, hint in (
        (
            "(?i:y|yes|on|true|n|no|off|false)",
            "ambiguous-word",
            "without quotes is a truth value to some programs and a text to others",
            _meant_word,
        ),
        (
            "(?i:null)",
            "ambiguous-word",
            "without quotes is nothing to some programs and a text to others",
            lambda text: _or_quotes("null", text),
        ),
        ("[-+]?0[0-9_]+", "leading-zero", "begins with a zero, which programs read differently", _meant_digits(10)),
        ("[-+]?0o[0-7_]*[0-7]", "octal-number", "is a number to some programs and a text to others", _meant_digits(8)),
        (
            "[-+]?0x[0-9a-fA-F_]*[0-9a-fA-F]",
            "hex-number",
            "is a number to some programs and a text to others",
            _meant_digits(16),
        ),
        ("[-+]?0b[01_]*[01]", "binary-number", "is a number to some programs and a text to others", _meant_digits(2)),
        (
            "[-+]?[1-9][0-9]*_[0-9_]*",
            "underscored-number",
            "is a number to some programs and a text to others",
            _meant_digits(10),
        ),
        (r"\+[0-9]+", "plus-sign", "has a plus sign", _meant_digits(10)),
        (
            r"[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?",
            "sexagesimal-number",
            "is a number to base 60 to some programs and a text to others",
            _only_quotes,
        ),
        (
            r"[-+]?(?:[0-9][0-9_]*\.[0-9_]*(?:[eE][-+]?[0-9]+)?|\.[0-9][0-9_]*(?:[eE][-+]?[0-9]+)?|[0-9]+[eE][-+]?[0-9]+)",
            "decimal-number",
            "is not a whole number",
            _meant_decimal,
        ),
        (r"(?i:[-+]?\.inf|\.nan)", "decimal-number", "is not a whole number", _meant_decimal),
        (
            r"[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}(?:(?:[Tt]|[ \t]+)[0-9]{1,2}:[0-9]{2}:[0-9]{2}.*)?",
            "date",
            "is a date to some programs and a text to others",
            lambda text: f"{_only_quotes(text)} A year is written alone: {text[:4]}.",
        ),
    )
)

REFUSED_CODES = frozenset({"number-too-large"} | {rule.code for rule in _REFUSED})
"""The codes of values that are refused."""
