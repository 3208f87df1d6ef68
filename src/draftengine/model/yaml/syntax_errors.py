"""Recognises typical mistakes in a text that is not YAML, from the error of the parser.

PyYAML says what it expected and where it stopped. The mistake is often somewhere else: an unclosed quote is noticed
lines later. Each row of the table `MISTAKES` searches for one kind of mistake and its position. The first row that
finds one is used.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from msgspec import Struct

from draftengine.model.yaml.tree import Scalar
from draftengine.support.locale.phrases import said

if TYPE_CHECKING:
    from collections.abc import Callable

    from draftengine.model.yaml.tree import Node

Place = tuple[int, int]

MISSING_SPACE = re.compile(r"""[A-Za-z_][\w-]*:(?!//)[^\s:]""")
"""A key without a space before its value (``count:20``), but not a web address."""

QUOTES_NEEDED = said("hint.formula-in-quotes")
"""The hint for a function call that YAML has wrongly split at a comma."""

TEXT_IN_QUOTES = said("hint.text-in-quotes")
"""The hint for a text that YAML has wrongly split at a comma."""

UNKNOWN = "yaml-syntax"
"""The code of a mistake that no row of the table finds."""

_WITH_LETTER = re.compile(r"\w[\w ]*(?P<letter>\{[^{}\n]*\})\w*")
"""A text without quotes such as ``row_{n}``, which YAML splits at its brace."""

_KEY_LINE = re.compile(r"""[ ]*+(?:-[ ]+)*+(?:[\w.-]+|"[^"\n]*"|'[^'\n]*')[ ]*:(?=\s|$)""")


def is_torn(text: str, before: str, after: str) -> bool:
    """True if YAML split a text at a comma in parentheses. `before` and `after` are the parts of the text."""
    unclosed = text.count("(") - text.count(")")
    return (unclosed > 0 and after.lstrip()[:1] == ",") or (unclosed < 0 and before.rstrip()[-1:] == ",")


def is_open(node: Node) -> bool:
    """True if a value is the beginning of a formula that YAML has split at a comma."""
    return isinstance(node, Scalar) and isinstance(node.value, str) and node.value.count("(") > node.value.count(")")


def is_sentence(node: Node) -> bool:
    """True if a value is a text of several words, which YAML may have split at a comma."""
    return isinstance(node, Scalar) and isinstance(node.value, str) and " " in node.value


class ParserError(Struct, frozen=True):
    """An error of the parser.

    `complaint` is its message. `at` is the offset where it stopped, and `since` is the offset where it began to read
    the value at hand. `last` is the range of the value before that. `brackets` has the offsets of the open brackets,
    outermost first.
    """

    text: str
    complaint: str
    at: int
    since: int
    last: Place
    brackets: tuple[int, ...]

    @property
    def char(self) -> str:
        return self.text[self.at : self.at + 1]

    @property
    def line_start(self) -> int:
        return self._line_start(self.at)

    @property
    def before_on_line(self) -> str:
        return self.text[self.line_start : self.at]

    def says(self, pattern: str) -> bool:
        return re.search(pattern, self.complaint) is not None

    def one(self) -> Place:
        """Return the range of the character at which the parser stopped."""
        return self.at, self.at + 1

    def rest(self, start: int) -> Place:
        """Return the range from `start` to the end of the text on its line."""
        end = self.text.find("\n", start)
        line = self.text[start : end if end >= 0 else len(self.text)]
        return start, start + len(line.rstrip())

    def line_before(self) -> Place:
        """Return the range of the nearest line above that has more than a comment; (0, 0) if there is none."""
        start = self.line_start
        while start:
            start = self._line_start(start - 1)
            place = self.rest(start)
            written = self.text[slice(*place)].lstrip()
            if written and not written.startswith("#"):
                return place[1] - len(written), place[1]
        return 0, 0

    def indent(self, offset: int) -> int:
        """Return the number of spaces at the start of the line that contains `offset`."""
        line = self.text[slice(*self.rest(self._line_start(offset)))]
        return len(line) - len(line.lstrip(" "))

    def _line_start(self, offset: int) -> int:
        return self.text.rfind("\n", 0, offset) + 1


class YamlMistake(Struct, frozen=True):
    """One kind of mistake. `find` returns its range, or ``None`` if the error has another cause.

    `say` is the key of its text in the catalogue. With `opened`, the message also points to the opening bracket.
    """

    code: str
    find: Callable[[ParserError], Place | None]
    say: str = "it"
    opened: bool = False


def recognise(trouble: ParserError) -> tuple[YamlMistake, Place]:
    """Return the first row of the table that explains an error of the parser, and the mistake's range."""
    candidates = ((mistake, mistake.find(trouble)) for mistake in MISTAKES)
    return next((mistake, place) for mistake, place in candidates if place)


# ── Finding the place ────────────────────────────────────────────────────────────────────────────────────────────────


def _unclosed_quote(trouble: ParserError) -> Place | None:
    if trouble.says("quoted scalar.*unexpected (end of stream|document separator)"):
        return trouble.rest(trouble.since)
    if trouble.says("could not find expected ':'") and trouble.text[trouble.since] in "\"'":
        return trouble.rest(trouble.since)
    swallowed = _follows_quotes(trouble) and "\n" in trouble.text[slice(*trouble.last)]
    return trouble.rest(trouble.last[0]) if swallowed else None


def _follows_quotes(trouble: ParserError) -> bool:
    start, end = trouble.last
    between = trouble.text[end : trouble.at]
    return trouble.text[start : start + 1] in {'"', "'"} and not between.strip(" ") and bool(trouble.char.strip())


def _bad_escape(trouble: ParserError) -> Place | None:
    if not trouble.says("double-quoted scalar.*escape (character|sequence)"):
        return None
    start = trouble.text.rfind("\\", 0, trouble.at)
    return start, trouble.at + 1


def _unclosed_bracket(trouble: ParserError) -> Place | None:
    if not trouble.brackets:
        return None
    bracket = trouble.brackets[-1]
    ended = trouble.says("(found|got) '<(stream end|document start|document end)>'")
    # A line after the bracket may look like the next key outside of the brackets.
    lines = re.compile("^.*$", re.MULTILINE).finditer(trouble.text, bracket + 1, trouble.rest(trouble.at)[1])
    indent = trouble.indent(bracket)
    below = (line for line in lines if line.start() > bracket + 1)
    key = any(_KEY_LINE.match(line[0]) and trouble.indent(line.start()) <= indent for line in below)
    return (bracket, bracket + 1) if ended or key else None


def _comment_in_text(trouble: ParserError) -> Place | None:
    """Return the range of the ``#`` of a comment that hides a closing bracket."""
    unclosed = _unclosed_bracket(trouble)
    closed = unclosed and re.compile(r"[^\n]*?\S[ \t]+(#)[^\n]*[]}]").match(trouble.text, unclosed[1])
    return closed.span(1) if closed else None


def _missing_space(trouble: ParserError) -> Place | None:
    if trouble.says("could not find expected ':'"):
        return colon_without_space(trouble.text, trouble.since)
    if trouble.says("mapping values are not allowed"):
        start, _ = trouble.line_before()
        dashes = re.compile("(?:- +)*+").match(trouble.text, start)
        return colon_without_space(trouble.text, dashes.end()) if dashes and _begins_line(trouble) else None
    return None


def _missing_space_after_dash(trouble: ParserError) -> Place | None:
    """Return the range of a hyphen without a space before a key, in the current list item or the next."""
    if not trouble.says("block (mapping|collection).*found '(-|<block (sequence|mapping) start>)'"):
        return None
    starts = (trouble.since, trouble.line_start + trouble.indent(trouble.at))
    glued = next((start for start in starts if re.compile("-[A-Za-z]").match(trouble.text, start)), None)
    return None if glued is None else (glued, glued + 1)


def colon_without_space(text: str, start: int) -> Place | None:
    """Return the range of the colon in ``key:value`` at `start`; None if there is a space or no key."""
    glued = MISSING_SPACE.match(text, start)
    return (glued.end() - 2, glued.end() - 1) if glued else None


def _missing_colon(trouble: ParserError) -> Place | None:
    if trouble.says("could not find expected ':'"):
        return trouble.rest(trouble.since)
    if not (trouble.says("mapping values are not allowed") and _begins_line(trouble)):
        return None
    words = re.compile(r"(?:- +)*+(?!.*:(?:\s|$))(.+)", re.MULTILINE).match(trouble.text, *trouble.line_before())
    return words.span(1) if words else None


def _slashes(trouble: ParserError) -> Place | None:
    place = _missing_colon(trouble)
    return place if place and trouble.text.startswith("//", place[0]) else None


def _begins_line(trouble: ParserError) -> bool:
    """True if the colon at which the parser stopped is the first on its line."""
    return not re.search(r":\s", trouble.before_on_line)


def _bad_indent(trouble: ParserError) -> Place | None:
    if trouble.says("mapping values are not allowed") and _begins_line(trouble) and trouble.line_before()[1]:
        start = trouble.line_start + trouble.indent(trouble.at)
        return start, trouble.at
    begins = trouble.before_on_line and not trouble.before_on_line.strip(" ")
    unexpected = trouble.says(
        r"but found '(<(block mapping start|block sequence start|scalar|alias|anchor|tag)>|[\[{])'"
    )
    return trouble.rest(trouble.at) if begins and unexpected else None


def _says(pattern: str, at: str = "") -> Callable[[ParserError], Place | None]:
    """Return a function that finds a mistake by the parser's message.

    The function returns the range of the character at which the parser stopped. With `at`, it must be one of these
    characters.
    """
    return lambda trouble: (
        trouble.one() if trouble.says(pattern) and (not at or (trouble.char and trouble.char in at)) else None
    )


def _began(pattern: str) -> Callable[[ParserError], Place | None]:
    """Return a function that finds a mistake by the parser's message, at an earlier position.

    The function returns the range where the parser began to read the value at hand.
    """
    return lambda trouble: (trouble.since, trouble.since + 1) if trouble.says(pattern) else None


def _text_after_bracket(trouble: ParserError) -> Place | None:
    follows = re.search(r"[\]}] *$", trouble.before_on_line) and trouble.char not in ",]}:"
    return trouble.rest(trouble.at) if follows and trouble.says("expected (<block end>|'<document start>')") else None


def _directive(trouble: ParserError) -> Place | None:
    if trouble.says("directive|incompatible YAML document|duplicate tag handle"):
        return trouble.rest(trouble.since)
    here = trouble.text.startswith("%", trouble.line_start)
    start, end = trouble.rest(trouble.line_start) if here else trouble.line_before()
    instead = trouble.says("expected '<document start>'") and trouble.text.startswith("%", start)
    return (start, end) if instead else None


MISTAKES = (
    YamlMistake(
        "tab",
        lambda trouble: tabs.span() if (tabs := re.compile("\t+").match(trouble.text, trouble.at)) else None,
    ),
    YamlMistake("unclosed-quote", _unclosed_quote),
    YamlMistake(
        "text-after-quote",
        lambda trouble: trouble.rest(trouble.at) if _follows_quotes(trouble) and trouble.char not in ",]}:" else None,
    ),
    YamlMistake("bad-escape", _bad_escape),
    YamlMistake("comment-in-text", _comment_in_text, say="bracket"),
    YamlMistake("unclosed-bracket", _unclosed_bracket),
    YamlMistake(
        "mismatched-bracket",
        _says(r"expected ',' or '\]', but got '\}'|expected ',' or '\}', but got '\]'"),
        opened=True,
    ),
    YamlMistake("reserved-character", _says("cannot start any token", at="@`%")),
    YamlMistake("block-text-in-brackets", _says("cannot start any token", at="|>")),
    YamlMistake(
        "bad-block-text",
        lambda trouble: trouble.rest(trouble.since) if trouble.says("scanning a block scalar") else None,
    ),
    YamlMistake("missing-space", _missing_space),
    YamlMistake("missing-space", _missing_space_after_dash, say="hyphen"),
    YamlMistake("missing-colon", _slashes, say="remark"),
    YamlMistake("missing-colon", _missing_colon),
    YamlMistake("bad-indent", _bad_indent),
    YamlMistake("colon-in-text", _says("mapping values are not allowed")),
    YamlMistake("text-after-bracket", _text_after_bracket),
    YamlMistake("list-on-key-line", _says("sequence entries are not allowed")),
    YamlMistake("dash-in-brackets", _says("node content, but found '-'")),
    YamlMistake("alias", _began("scanning an alias"), say="syntax"),
    YamlMistake("anchor", _began("scanning an anchor"), say="syntax"),
    YamlMistake("tag", _began("(scanning|parsing) a tag|undefined tag handle"), say="syntax"),
    YamlMistake("directive", _directive),
    YamlMistake("question-mark", _says("", at="?")),
    YamlMistake("stray-bracket", _says(r"found '[\]}]'")),
    YamlMistake("stray-comma", _says("found ','")),
    YamlMistake("missing-key", _says("found ':'")),
    YamlMistake(
        "missing-comma",
        lambda trouble: next(
            (
                text.span()
                for text in _WITH_LETTER.finditer(trouble.text, trouble.line_start)
                if trouble.says(r"expected ',' or '[\]}]'") and text.start("letter") == trouble.at
            ),
            None,
        ),
        say="letter",
    ),
    YamlMistake("missing-comma", _says(r"expected ',' or '[\]}]'")),
    YamlMistake("list-among-keys", _says("block mapping.*found '(-|<block sequence start>)'")),
    YamlMistake("key-among-items", _says("block collection.*found '([?]|<block mapping start>)'")),
    YamlMistake("text-after-end", _says("expected '<document start>'|found '<document end>'")),
    YamlMistake(UNKNOWN, lambda trouble: (min(trouble.at, len(trouble.text)), min(trouble.at + 1, len(trouble.text)))),
)
