"""Loads YAML. Only a strict part of the language is allowed.

First, the bytes of a file are decoded to a text, which is checked for its size and for invisible characters. Then the
text is read event by event.

Aliases, anchors, tags, merge keys, second documents and duplicate keys are refused. So is everything that YAML 1.1 and
1.2 read differently. Limits of size, depth, and number and length of values are checked before memory is used.

PyYAML has two parsers. The one in C is fast, and the one in Python has more precise errors. They disagree about a few
texts. The result of the fast parser is used only if it finds no mistake, and nothing in the text on which they can
disagree. Any other text is read again by the precise parser. So the result is the same if the fast parser is not
installed.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache, lru_cache
from itertools import islice
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from draftengine.model import limits
from draftengine.model.diagnostics import Diagnostic, Related, diagnose, ordered
from draftengine.model.yaml.checks import MAX_FINDINGS, EnoughError, Reading, offset
from draftengine.model.yaml.fixes import replaced
from draftengine.model.yaml.scalars import (
    DIRECTIONS,
    FORBIDDEN,
    LINE_ENDS,
    REFUSED_CODES,
    ScalarError,
    as_version,
    resolve,
    shortened,
    whole,
)
from draftengine.model.yaml.syntax_errors import ParserError, colon_without_space
from draftengine.model.yaml.tree import Key, Mapping, Node, OpenMapping, OpenSequence, Scalar, Sequence
from draftengine.support.locale.phrases import said
from draftengine.support.source import Source, Span

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    import yaml


OF_SINGLE_THINGS = frozenset({"duplicate-key", "anchor", "tag"}) | REFUSED_CODES
"""Codes of mistakes in single keys or values. A tree with such mistakes can still be used."""
_TWINS = {"round": "rounds", "rounds": "round"}
"""Keys of a file that authors often confuse."""
_LIMITS = frozenset({"too-deep", "too-many-values"})


class FileKind(Struct, frozen=True):
    """The kind of file that is expected. Messages use it if a file is of another kind."""

    name: str
    """The part of message keys that stands for this kind of file."""
    first_line: str
    """An example for the first line of such a file."""


class Builder:
    """Builds the tree of one text, event by event, and collects the findings."""

    def __init__(self, source: Source, kind: FileKind) -> None:
        self.reading = Reading(source)
        self._source, self._text, self._frames = source, source.text, self.reading.frames
        self._kind = kind
        self._root: Node | None = None
        self._values = 0
        self._documents = 0
        self._last = (0, 0)
        self._disputed = False

    # ── For the reader ──

    @property
    def can_be_trusted(self) -> bool:
        """True if the precise parser would certainly have the same result as the fast one."""
        return not self._disputed and all(finding.code in _LIMITS for finding in self.reading.findings)

    def take(self, event: yaml.Event) -> None:
        handle = _HANDLERS.get(type(event).__name__)
        if handle:
            handle(self, event)

    def finish(self) -> None:
        """Report an error if the file is empty or not a mapping."""
        root = self._root
        if root is None or (isinstance(root, Scalar) and root.span.start == root.span.end):
            self.reading.report("empty-file", (0, 0), hint=said(f"empty-file.{self._kind.name}"))
        elif not isinstance(root, Mapping):
            self._not_a_mapping(root)

    def result(self) -> tuple[Mapping | None, tuple[Diagnostic, ...]]:
        usable = all(finding.code in OF_SINGLE_THINGS for finding in self.reading.findings)
        root = self._root if isinstance(self._root, Mapping) and usable else None
        return root, ordered(self.reading.findings)

    def syntax_error(self, error: yaml.MarkedYAMLError) -> None:
        complaint = f"{error.context or ''}: {error.problem or ''}"
        if self._root is not None and not isinstance(self._root, Mapping) and "<document start>" in complaint:
            self._not_a_mapping(self._root)
            return
        position = offset(error.problem_mark or error.context_mark)
        since = offset(error.context_mark or error.problem_mark)
        brackets = tuple(frame.start for frame in self._frames if frame.has_bracket)
        self.reading.report_syntax(ParserError(self._text, complaint, position, since, self._last, brackets))

    def number_error(self) -> None:
        """Report the number in an escape sequence or directive that PyYAML could not convert."""
        code = re.compile(r"\\U(?!000|0010)[0-9A-Fa-f]{8}|^%.*$", re.MULTILINE).search(self._text, self._last[1])
        start, end = code.span() if code else (self._last[1], self._last[1] + 1)
        in_quotes = code and code[0].startswith("\\")
        complaint = "double-quoted scalar: unknown escape character" if in_quotes else "directive"
        self.reading.report_syntax(ParserError(self._text, complaint, end - 1, start, (0, 0), ()))

    # ── Events ──

    def on_document(self, event: yaml.DocumentStartEvent) -> None:
        start = offset(event.start_mark)
        self._documents += 1
        if self._documents > 1:
            self.reading.stop("several-documents", (start, start + 3))
        if self._text[start : start + 1] == "%":
            self.reading.report("directive", (start, start + 1))

    def on_alias(self, event: yaml.AliasEvent) -> None:
        place = self.reading.place_of(event)
        self._count(place)
        frame = self.reading.frame
        # `<<: *base` is only one mistake, and the key has been reported already.
        if not (isinstance(frame, OpenMapping) and frame.key and frame.key.text == "<<"):
            self.reading.report("alias", place, text=shortened(self._text[slice(*place)]))
        self._add(Scalar(None, self.reading.span(place)))

    def on_scalar(self, event: yaml.ScalarEvent) -> None:
        frame = self.reading.frame
        place = (
            self.reading.place_of(event) if event.value or event.style else self.reading.place_of_nothing(frame, event)
        )
        self._count(place)
        self.reading.check_properties(event, event.tag)
        event.value = whole(event.value)
        self.reading.check_characters(event, place)
        self._disputed |= self.reading.is_disputed(frame, event, place)
        if isinstance(frame, OpenMapping) and frame.key is None:
            self._take_key(frame, event, place)
        else:
            self.reading.check_glued(frame, event, place)
            self.reading.check_length(event, place)
            text, written = event.value, self._text[slice(*place)]
            scalar = Scalar(text, self.reading.span(place))
            if not event.implicit[0]:
                in_quotes = event.style in {"'", '"'} and written[1:-1] == text
                scalar = Scalar(text, scalar.span, place[0] + 1 if in_quotes else None)
            elif isinstance(meant := resolve(text), ScalarError):
                path = self._frames[-1].inner_path() if self._frames else ""
                hint = as_version(text) if path == "/version" else ""
                self.reading.report(meant.code, place, meant.say, hint=hint or meant.hint, text=meant.text)
            else:
                scalar = Scalar(meant, scalar.span, place[0] if text and written == str(meant) else None)
            self._add(scalar)
        self._last = place

    def on_list(self, event: yaml.SequenceStartEvent) -> None:
        self._open(event, OpenSequence)

    def on_mapping(self, event: yaml.MappingStartEvent) -> None:
        self._open(event, OpenMapping)

    def on_end(self, event: yaml.CollectionEndEvent) -> None:
        frame = self._frames.pop()
        self._add(frame.node(self._source, offset(event.end_mark)))

    # ── Collections ──

    def _open(self, event: yaml.CollectionStartEvent, kind: type[OpenSequence | OpenMapping]) -> None:
        start, end = self.reading.place_of(event)
        self._count((start, start + 1))
        self.reading.check_properties(event, event.tag)
        frame = self.reading.frame
        path = frame.inner_path() if frame else ""
        if len(self._frames) == limits.NESTING:
            self.reading.stop("too-deep", (start, start + 1), most=limits.NESTING)
        is_key = isinstance(frame, OpenMapping) and frame.key is None
        if is_key:
            self.reading.report("complex-key", (start, max(end, start + 1)))
        # A tag or anchor may precede the bracket. The mapping in `[a: 1]` has no bracket of its own.
        has_bracket = start < end and self._text[end - 1] in "[{"
        self._frames.append(kind(end - 1 if has_bracket else start, path, bool(event.flow_style), has_bracket, is_key))

    def _add(self, node: Node) -> None:
        if self._frames:
            self._frames[-1].add(node)
        else:
            self._root = node

    def _count(self, place: tuple[int, int]) -> None:
        self._values += 1
        if self._values > limits.VALUES:
            self.reading.stop("too-many-values", place, most=limits.VALUES)

    def _not_a_mapping(self, root: Node) -> None:
        glued = colon_without_space(self._text, root.span.start) if isinstance(root, Scalar) else None
        if glued:
            self.reading.report_glued(glued)
            return
        what = said("value.list" if isinstance(root, Sequence) else "value.single")
        place, kind = (root.span.start, root.span.start + 1), said(f"file.{self._kind.name}")
        self.reading.report("not-a-mapping", place, kind=kind, what=what, line=self._kind.first_line)

    # ── Keys and values ──

    def _take_key(self, frame: OpenMapping, event: yaml.ScalarEvent, place: tuple[int, int]) -> None:
        # The key is set before it is checked, because the paths of findings about it end with the key.
        frame.key = Key(event.value, self.reading.span(place))
        text = self.reading.key_text(event, place)
        if text is None:
            return
        frame.key = Key(text, frame.key.span)
        first = frame.keys.setdefault(text, frame.key)
        if first is not frame.key:
            related = (Related(said("finding.first-here"), first.span),)
            of_file, key = len(self._frames) == 1, shortened(text)
            hint = said("duplicate-key.file.hint" if of_file else "duplicate-key.it.hint")
            steps = any(entry.key is first and isinstance(entry.value, Sequence) for entry in frame.entries)
            number = re.compile(r" *: *\d").match(self._text, place[1]) is not None
            if not of_file or text not in _TWINS or steps != number:
                self.reading.report("duplicate-key", place, hint=hint, related=related, key=key)
                return
            misnamed = frame.key if steps == (text == "round") else first
            fix = replaced(misnamed.span, text, _TWINS[text], certain=False)
            hint = said("duplicate-key.rounds.hint")
            self.reading.report("duplicate-key", place, hint=hint, related=related, fix=fix, key=key)


_HANDLERS: dict[str, Callable[[Builder, Any], None]] = {
    "DocumentStartEvent": Builder.on_document,
    "AliasEvent": Builder.on_alias,
    "ScalarEvent": Builder.on_scalar,
    "SequenceStartEvent": Builder.on_list,
    "SequenceEndEvent": Builder.on_end,
    "MappingStartEvent": Builder.on_mapping,
    "MappingEndEvent": Builder.on_end,
}


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


@cache
def _fast() -> Any:
    """Return the fast parser; ``None`` if it is not installed."""
    import yaml  # noqa: PLC0415 (slow to import, and games that are kept do not need it)

    return yaml.CSafeLoader if yaml.__with_libyaml__ else None


CARD_SET = FileKind("card-set", "format: 2")


def read_source(data: bytes, name: str) -> tuple[Source, tuple[Diagnostic, ...]]:
    """Return the text of a file that is shown as `name`, and findings about its bytes.

    If there are findings, the text must not be loaded. It only serves to quote lines in them.
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
    """Return findings about a text: whether it is too long or has forbidden characters."""
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
    """Return the tree (``None`` if it cannot be used), and the findings in the order of their positions.

    Several mistakes are found at once, but a mistake in the syntax of YAML ends the search. The tree can still be used
    if only single keys and values are wrong (see `elsewhere`). The work is limited and no exception is raised,
    regardless of the text.
    """
    findings = check_text(source)
    if findings:
        return None, findings
    # The two parsers disagree about where tabs are allowed.
    builder = _read(source, _fast(), kind) if _fast() and "\t" not in source.text else None
    if builder is None or not builder.can_be_trusted:
        builder = _read(source, None, kind)
    return builder.result()


@lru_cache(1)
def load_last(source: Source) -> tuple[Mapping | None, tuple[Diagnostic, ...]]:
    """Return what `load` returns for a card set.

    The last result is cached, because one check needs it repeatedly.
    """
    return load(source)


def elsewhere(later: Iterable[Diagnostic], findings: Iterable[Diagnostic]) -> Iterator[Diagnostic]:
    """Yield the findings of a later check that are not consequences of earlier `findings`.

    A finding on a line with an earlier finding is left out, because the line is not what its author meant. On the line
    of a duplicate key, only findings about that key are left out. So is a finding about a missing key that the
    duplicate may have been meant for.
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
    """Read a text with a parser, by default the precise one."""
    import yaml  # noqa: PLC0415 (as above)

    builder = Builder(source, kind)
    try:
        for event in yaml.parse(source.text, Loader=loader or yaml.SafeLoader):
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
