"""From bytes to a text that can be shown and parsed: size, encoding, and characters that nobody can see."""

from __future__ import annotations

import re
import unicodedata
from itertools import islice

from draftengine.model.diagnostics.diagnostic import Diagnostic
from draftengine.support.source import Source, Span

MAX_BYTES = 256 * 1024
MAX_FINDINGS = 100
"""One more mistake than this and the rest is not listed."""

LINE_ENDS = "\r\x85\u2028\u2029"
DIRECTIONS = "\u202a-\u202e\u2066-\u2069"
FORBIDDEN = re.compile(f"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff\ud800-\udfff{DIRECTIONS}]")
"""Characters that no text of a card set may hold. Programs disagree about them, or they hide what is written."""

_IN_A_FILE = re.compile(rf"(?!\r\n){FORBIDDEN.pattern}")
_DIRECTION = re.compile(f"[{DIRECTIONS}]")
_BYTE_ORDER_MARK = "\ufeff"

# A card set begins with a letter, a quote or `#`; so zeros among its first bytes tell the width of a character.
_OTHER_ENCODINGS = (
    (re.compile(rb"\xff\xfe\0\0|\0\0\xfe\xff"), "utf-32"),
    (re.compile(rb"[^\0]\0\0\0", re.DOTALL), "utf-32-le"),
    (re.compile(rb"\0\0\0[^\0]", re.DOTALL), "utf-32-be"),
    (re.compile(rb"\xff\xfe|\xfe\xff"), "utf-16"),
    (re.compile(rb"[^\0]\0[^\0]\0", re.DOTALL), "utf-16-le"),
    (re.compile(rb"\0[^\0]\0[^\0]", re.DOTALL), "utf-16-be"),
)


def read_source(data: bytes, name: str) -> tuple[Source, tuple[Diagnostic, ...]]:
    """The text of a file shown as `name`, and what is wrong with its bytes.

    With findings the text is only good for showing them; do not load it.
    """
    if len(data) > MAX_BYTES:
        return _too_large(Source(name, ""))
    encoding = next((encoding for start, encoding in _OTHER_ENCODINGS if start.match(data)), None)
    if encoding:
        return _other_encoding(data, name, encoding)
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        return _not_utf8(data, name, error.start)
    source = Source(name, text.removeprefix(_BYTE_ORDER_MARK))
    return source, check_text(source)


def check_text(source: Source) -> tuple[Diagnostic, ...]:
    """What is wrong with a text before anything is known about its meaning: too long, or forbidden characters."""
    if len(source.text) > MAX_BYTES or len(source.text.encode("utf-8", "surrogatepass")) > MAX_BYTES:
        return _too_large(source)[1]
    matches = islice(_IN_A_FILE.finditer(source.text), MAX_FINDINGS)
    return tuple(_forbidden(match.group(), Span(source, match.start(), match.end())) for match in matches)


def _too_large(source: Source) -> tuple[Source, tuple[Diagnostic, ...]]:
    message = f"The file is larger than {MAX_BYTES // 1024} KiB."
    hint = "Put variants of the same game into files of their own that use extends."
    return source, (Diagnostic("file-too-large", "error", message, Span(source, 0, 0), hint=hint),)


def _other_encoding(data: bytes, name: str, encoding: str) -> tuple[Source, tuple[Diagnostic, ...]]:
    source = Source(name, data.decode(encoding, "replace").removeprefix(_BYTE_ORDER_MARK))
    message = f"The file is in {encoding[:6].upper()}, not in UTF-8."
    return source, (_wrong_encoding(message, Span(source, 0, 0)),)


def _not_utf8(data: bytes, name: str, start: int) -> tuple[Source, tuple[Diagnostic, ...]]:
    before = data[:start].decode("utf-8").removeprefix(_BYTE_ORDER_MARK)
    source = Source(name, before + data[start:].decode("utf-8", "replace"))
    message = f"The file is not in UTF-8: the byte 0x{data[start]:02X} is not part of a character here."
    return source, (_wrong_encoding(message, Span(source, len(before), len(before) + 1)),)


def _wrong_encoding(message: str, span: Span) -> Diagnostic:
    return Diagnostic("wrong-encoding", "error", message, span, hint="Save the file as UTF-8 in your editor.")


def _forbidden(char: str, span: Span) -> Diagnostic:
    name = unicodedata.name(char, "")
    label = f"U+{ord(char):04X}" + (f", {name.lower()}" if name else "")
    return Diagnostic("control-character", "error", _why_forbidden(char, label), span, hint="Delete it.")


def _why_forbidden(char: str, label: str) -> str:
    if char in LINE_ENDS:
        return f"The line ends with {label}, which some programs do not see as an end."
    if _DIRECTION.match(char):
        return f"The text contains {label}, which makes it look different from what it says."
    return f"The text contains the control character {label}."
