"""Loads YAML. Only a strict part of the language is allowed.

First, the bytes of a file are decoded to a text, which is checked for its size and for invisible characters. Then the
text is read event by event.

Aliases, anchors, tags, merge keys, second documents and duplicate keys are refused. So is everything that YAML 1.1 and
1.2 read differently. Limits of size, depth, and number and length of values are checked before memory is used.

PyYAML has two parsers. The one in C is fast, and the one in Python has more precise errors. They disagree about a few
texts. The result of the fast parser is used only if it finds no mistake, and nothing about which they can disagree. Any
other text is read again by the precise parser. So the result is the same if the fast parser is not installed.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from itertools import islice
from typing import TYPE_CHECKING, Any

import yaml

from draftengine.model import limits
from draftengine.model.diagnostics.catalog import diagnose
from draftengine.model.yaml.builder import Builder, FileKind
from draftengine.model.yaml.checks import MAX_FINDINGS, EnoughError
from draftengine.model.yaml.scalars import DIRECTIONS, FORBIDDEN, LINE_ENDS
from draftengine.support.source import Source, Span

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from draftengine.model.diagnostics.diagnostic import Diagnostic
    from draftengine.model.yaml.tree import Mapping

_IN_A_FILE = re.compile(rf"(?!\r\n){FORBIDDEN.pattern}")
_DIRECTION = re.compile(f"[{DIRECTIONS}]")
_BYTE_ORDER_MARK = "\ufeff"

# A card set begins with a letter, a quote or `#`, so zeros among its first bytes show the width of a character.
_OTHER_ENCODINGS = (
    (re.compile(rb"\xff\xfe\0\0|\0\0\xfe\xff"), "utf-32"),
    (re.compile(rb"[^\0]\0\0\0", re.DOTALL), "utf-32-le"),
    (re.compile(rb"\0\0\0[^\0]", re.DOTALL), "utf-32-be"),
    (re.compile(rb"\xff\xfe|\xfe\xff"), "utf-16"),
    (re.compile(rb"[^\0]\0[^\0]\0", re.DOTALL), "utf-16-le"),
    (re.compile(rb"\0[^\0]\0[^\0]", re.DOTALL), "utf-16-be"),
)

_FAST: Any = yaml.CSafeLoader if yaml.__with_libyaml__ else None
_PRECISE: Any = yaml.SafeLoader
CARD_SET = FileKind("card-set", "format: 2")


def read_source(data: bytes, name: str) -> tuple[Source, tuple[Diagnostic, ...]]:
    """Return the text of a file that is shown as `name`, and findings about its bytes.

    If there are findings, the text must not be loaded. It only serves to show them.
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
    """Return findings about a text that is too long or has forbidden characters."""
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


def load(source: Source, kind: FileKind = CARD_SET) -> tuple[Mapping | None, tuple[Diagnostic, ...]]:
    """Return the tree (``None`` if it cannot be used), and the findings in the order of their places.

    Several mistakes are found at once, but a mistake in the syntax of YAML ends the search. With mistakes in single
    keys and values, the tree can still be used (see `elsewhere`). For any text, the work is limited, and no exception
    is raised.
    """
    findings = check_text(source)
    if findings:
        return None, findings
    # The two parsers disagree about where tabs are allowed.
    builder = _read(source, _FAST, kind) if _FAST and "\t" not in source.text else None
    if builder is None or not builder.can_be_trusted:
        builder = _read(source, _PRECISE, kind)
    return builder.result()


@lru_cache(1)
def load_last(source: Source) -> tuple[Mapping | None, tuple[Diagnostic, ...]]:
    """Return what `load` returns for a card set.

    The last result is cached, because one check needs it repeatedly.
    """
    return load(source)


def elsewhere(later: Iterable[Diagnostic], findings: Iterable[Diagnostic]) -> Iterator[Diagnostic]:
    """Yield the findings of a later check that are not consequences of earlier `findings`.

    A finding on a line with an earlier finding is left out, because the text is not what its author meant. Beside a
    duplicate key it is, so there only a finding about that key is left out. So is one about a missing key for which the
    duplicate may have been meant.
    """
    known = [*findings]
    twice = [finding for finding in known if finding.code == "duplicate-key"]
    lines = {finding.span.position[0] for finding in known if finding not in twice}
    paths = {finding.path for finding in twice}
    meant = {edit.new_text for finding in twice if finding.fix for edit in finding.fix.edits}
    for finding in later:
        if meant.isdisjoint(finding.missing) and finding.path not in paths and finding.span.position[0] not in lines:
            yield finding


def _read(source: Source, loader: Any, kind: FileKind) -> Builder:
    builder = Builder(source, kind)
    try:
        for event in yaml.parse(source.text, Loader=loader):
            builder.take(event)
        builder.finish()
    except EnoughError:
        pass
    except yaml.MarkedYAMLError as error:
        builder.syntax_error(error)
    except (yaml.YAMLError, ValueError, OverflowError):
        # PyYAML converts the digits of "\Uffffffff" and of long version numbers without a check.
        builder.number_error()
    return builder
