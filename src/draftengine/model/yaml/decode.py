"""Decoding of bytes to a text that is safe to show and parse: size, encoding, invisible characters."""

from __future__ import annotations

import re
import unicodedata
from itertools import islice
from typing import TYPE_CHECKING

from draftengine.model import limits
from draftengine.model.diagnostics.catalog import diagnose
from draftengine.support.source import Source, Span

if TYPE_CHECKING:
    from draftengine.model.diagnostics.diagnostic import Diagnostic

MAX_FINDINGS = 100
"""The most mistakes that are listed."""

LINE_ENDS = "\r\x85\u2028\u2029"
DIRECTIONS = "\u202a-\u202e\u2066-\u2069"
FORBIDDEN = re.compile(f"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff\ud800-\udfff{DIRECTIONS}]")
"""Characters that no card set may contain: programs disagree about them, or they hide text."""

_IN_A_FILE = re.compile(rf"(?!\r\n){FORBIDDEN.pattern}")
_DIRECTION = re.compile(f"[{DIRECTIONS}]")
_BYTE_ORDER_MARK = "\ufeff"

# A card set begins with a letter, a quote or `#`, so zeros among its first bytes tell the width of a character.
_OTHER_ENCODINGS = (
    (re.compile(rb"\xff\xfe\0\0|\0\0\xfe\xff"), "utf-32"),
    (re.compile(rb"[^\0]\0\0\0", re.DOTALL), "utf-32-le"),
    (re.compile(rb"\0\0\0[^\0]", re.DOTALL), "utf-32-be"),
    (re.compile(rb"\xff\xfe|\xfe\xff"), "utf-16"),
    (re.compile(rb"[^\0]\0[^\0]\0", re.DOTALL), "utf-16-le"),
    (re.compile(rb"\0[^\0]\0[^\0]", re.DOTALL), "utf-16-be"),
)


def read_source(data: bytes, name: str) -> tuple[Source, tuple[Diagnostic, ...]]:
    """Return the text of a file shown as `name`, and the problems of its bytes.

    With findings, the text serves only to show them; do not load it.
    """
    if len(data) > limits.FILE_BYTES:
        return _too_large(Source(name, ""))
    encoding = next((encoding for start, encoding in _OTHER_ENCODINGS if start.match(data)), None)
    if encoding:
        source = Source(name, data.decode(encoding, "replace").removeprefix(_BYTE_ORDER_MARK))
        return source, (diagnose("wrong-encoding", Span(source, 0, 0), say="other", encoding=encoding[:6].upper()),)
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        before = data[: error.start].decode("utf-8").removeprefix(_BYTE_ORDER_MARK)
        source = Source(name, before + data[error.start :].decode("utf-8", "replace"))
        place = Span(source, len(before), len(before) + 1)
        return source, (diagnose("wrong-encoding", place, say="byte", byte=f"0x{data[error.start]:02X}"),)
    source = Source(name, text.removeprefix(_BYTE_ORDER_MARK))
    return source, check_text(source)


def check_text(source: Source) -> tuple[Diagnostic, ...]:
    """Return the problems of a text before it is parsed: too long, or forbidden characters."""
    if len(source.text) > limits.FILE_BYTES or len(source.text.encode("utf-8", "surrogatepass")) > limits.FILE_BYTES:
        return _too_large(source)[1]
    findings = []
    for match in islice(_IN_A_FILE.finditer(source.text), MAX_FINDINGS):
        char = match[0]
        name = unicodedata.name(char, "")
        label = f"U+{ord(char):04X}" + (f", {name.lower()}" if name else "")
        kind = "line" if char in LINE_ENDS else "direction" if _DIRECTION.match(char) else "control"
        findings.append(diagnose("control-character", Span(source, *match.span()), say=kind, label=label))
    return tuple(findings)


def _too_large(source: Source) -> tuple[Source, tuple[Diagnostic, ...]]:
    return source, (diagnose("file-too-large", Span(source, 0, 0), most=limits.FILE_BYTES // 1024),)
