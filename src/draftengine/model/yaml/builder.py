"""Builds the tree of a text from the events of the YAML parser."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import yaml
from msgspec import Struct

from draftengine.model import limits
from draftengine.model.diagnostics.diagnostic import Diagnostic, Related, ordered
from draftengine.model.yaml.checks import Reading, offset
from draftengine.model.yaml.fixes import replaced
from draftengine.model.yaml.scalars import REFUSED_CODES, ScalarError, as_version, resolve, shortened, whole
from draftengine.model.yaml.syntax_errors import ParserError, colon_without_space
from draftengine.model.yaml.tree import Key, Mapping, Node, OpenMapping, OpenSequence, Scalar, Sequence
from draftengine.support.locale.phrases import said

if TYPE_CHECKING:
    from collections.abc import Callable

    from draftengine.support.source import Source

OF_SINGLE_THINGS = frozenset({"duplicate-key", "anchor", "tag"}) | REFUSED_CODES
"""Codes of mistakes in a single key or value. In spite of them, the tree can be used."""
_TWINS = {"round": "rounds", "rounds": "round"}
"""Keys of a file that are often mistaken for each other."""
_LIMITS = frozenset({"too-deep", "too-many-values"})


class FileKind(Struct, frozen=True):
    """The kind of file that is expected, for messages about files of another kind."""

    name: str
    """The key of its messages in the catalogue."""
    first_line: str
    """An example of a line with which the file may begin."""


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
        """True if the precise parser would certainly give the same result as the fast parser."""
        return not self._disputed and all(finding.code in _LIMITS for finding in self.reading.findings)

    def take(self, event: yaml.Event) -> None:
        handle = _HANDLERS.get(type(event))
        if handle:
            handle(self, event)

    def finish(self) -> None:
        """Report an empty file, or one that is not a mapping."""
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
        """Report a number in an escape sequence or a directive that PyYAML cannot convert."""
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
            self._add(self._scalar(event, place))
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

    def _scalar(self, event: yaml.ScalarEvent, place: tuple[int, int]) -> Scalar:
        self.reading.check_length(event, place)
        if not event.implicit[0]:
            inside = self._text[place[0] + 1 : place[1] - 1]
            quoted_text_at = place[0] + 1 if event.style in {"'", '"'} and inside == event.value else None
            return Scalar(event.value, self.reading.span(place), quoted_text_at)
        value = resolve(event.value)
        if isinstance(value, ScalarError):
            path = self._frames[-1].inner_path() if self._frames else ""
            hint = as_version(event.value) if path == "/version" else ""
            self.reading.report(value.code, place, value.say, hint=hint or value.hint, text=value.text)
            return Scalar(event.value, self.reading.span(place))
        stands = event.value and self._text[slice(*place)] == str(value)
        return Scalar(value, self.reading.span(place), place[0] if stands else None)


_HANDLERS: dict[type[yaml.Event], Callable[[Builder, Any], None]] = {
    yaml.DocumentStartEvent: Builder.on_document,
    yaml.AliasEvent: Builder.on_alias,
    yaml.ScalarEvent: Builder.on_scalar,
    yaml.SequenceStartEvent: Builder.on_list,
    yaml.SequenceEndEvent: Builder.on_end,
    yaml.MappingStartEvent: Builder.on_mapping,
    yaml.MappingEndEvent: Builder.on_end,
}
