"""From YAML to the tree: a strict part of YAML, read from the parser's events and checked before anything is built.

Aliases, anchors, tags, merge keys, second documents and doubled keys are refused, and so is whatever YAML 1.1 and 1.2
read differently. There are limits on size, depth, number of values, texts and numbers; they hold before anything grows.

PyYAML has two parsers. The one in C is fast, but the one in Python complains more precisely, and of a few texts they
disagree. So the fast one is trusted only with a text in which it finds nothing wrong and nothing they disagree about;
every other text is read again by the other one. What comes out is the same with and without the fast parser.
"""

from __future__ import annotations

import re
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, cast

import yaml
from msgspec import Struct, field

from draftengine.cardset.decode import FORBIDDEN, MAX_BYTES, MAX_FINDINGS, check_text, read_source
from draftengine.cardset.tree import Entry, Key, Mapping, Node, Scalar, Sequence
from draftengine.cardset.yaml_mistakes import (
    MISSING_SPACE,
    QUOTES_NEEDED,
    TEXT_IN_QUOTES,
    UNKNOWN,
    Trouble,
    colon_without_space,
    is_sentence,
    is_torn,
    recognise,
)
from draftengine.cardset.yaml_scalar import MAX_DIGITS, REFUSED_CODES, Refusal, as_version, named, quoted, resolve
from draftengine.diagnostics.finding import Diagnostic, Related, ordered
from draftengine.diagnostics.fixes import spaced, without_tabs
from draftengine.source import Source, Span

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from draftengine.diagnostics.finding import Fix

__all__ = [
    "MAX_BYTES",
    "MAX_DEPTH",
    "MAX_DIGITS",
    "MAX_FINDINGS",
    "MAX_SCALAR_BYTES",
    "MAX_VALUES",
    "load",
    "read_source",
]

MAX_DEPTH = 32
MAX_VALUES = 50_000
MAX_SCALAR_BYTES = 4096

_FAST: Any = yaml.CSafeLoader if yaml.__with_libyaml__ else None
_PRECISE: Any = yaml.SafeLoader
_OF_SINGLE_THINGS = frozenset({"duplicate-key", "anchor", "tag"}) | REFUSED_CODES
"""The codes of mistakes in one key or value, which leave everything else as it was meant."""
_FIXES: MappingProxyType[str, Callable[[Span], Fix]] = MappingProxyType({"tab": without_tabs, "missing-space": spaced})
"""What can be written instead of a mistake, by its code."""
_LIMITS = frozenset({"too-deep", "too-many-values"})


class FileKind(Struct, frozen=True):
    """What a file is meant to be, for what is said of a file that is nothing of the kind."""

    name: str
    """At the beginning of a sentence."""
    empty: str
    """What to do about an empty file."""
    first_line: str
    """What the file may begin with."""


CARD_SET = FileKind("A card set", "A card set begins with format, id and title.", "format: 1")


def load(source: Source, kind: FileKind = CARD_SET) -> tuple[Mapping | None, tuple[Diagnostic, ...]]:
    """The document as a tree, and findings in the order of their places; ``None`` if there is no tree to go on with.

    As many mistakes are found at once as can be; one against YAML's own syntax ends the search. Mistakes about single
    keys and values leave the tree whole (see `elsewhere`). Any text may come in: a bad one is refused after limited
    work, and nothing is raised.
    """
    findings = check_text(source)
    if findings:
        return None, findings
    # The two parsers do not agree on where tabs may stand.
    builder = _read(source, _FAST, kind) if _FAST and "\t" not in source.text else None
    if builder is None or not builder.can_be_trusted:
        builder = _read(source, _PRECISE, kind)
    return builder.result()


def elsewhere(later: Iterable[Diagnostic], findings: Iterable[Diagnostic]) -> Iterator[Diagnostic]:
    """What a later check has against a tree, without what it says of lines that have findings already.

    What stands there is not what anybody meant, so nothing more can be said of it.
    """
    lines = {finding.span.position[0] for finding in findings}
    return (own for own in later if own.span.position[0] not in lines)


def _read(source: Source, loader: Any, kind: FileKind) -> _Builder:
    builder = _Builder(source, kind)
    try:
        for event in yaml.parse(source.text, Loader=loader):
            builder.take(event)
        builder.finish()
    except _EnoughError:
        pass
    except yaml.MarkedYAMLError as error:
        builder.syntax_error(error)
    except (yaml.YAMLError, ValueError, OverflowError):
        # PyYAML turns the digits of "\Uffffffff" and of long version numbers into numbers without a look at them.
        builder.number_error()
    return builder


class _EnoughError(Exception):
    """No more events are wanted."""


class _Frame(Struct):
    """A list or mapping whose end has not come yet. `is_key`: it has been reported for standing where a key should."""

    start: int
    path: str
    flow: bool
    has_bracket: bool
    is_key: bool


class _List(_Frame):
    items: list[Node] = field(default_factory=list)

    def inner_path(self) -> str:
        return f"{self.path}/{len(self.items)}"

    def add(self, node: Node) -> None:
        self.items.append(node)

    def node(self, source: Source, end: int) -> Node:
        last = self.items[-1].span.end if self.items else self.start
        return Sequence(tuple(self.items), Span(source, self.start, end if self.has_bracket else last))


class _Map(_Frame):
    entries: list[Entry] = field(default_factory=list)
    keys: dict[str, Key] = field(default_factory=dict)
    key: Key | None = None

    def inner_path(self) -> str:
        if not (self.key and self.key.text):
            return self.path
        return f"{self.path}/{self.key.text.replace('~', '~0').replace('/', '~1')}"

    def add(self, node: Node) -> None:
        """Take a value; or, where a key was expected, something that cannot be one and has been reported."""
        if self.key is None:
            self.key = Key("", node.span)
        else:
            self.entries.append(Entry(self.key, node))
            self.key = None

    def node(self, source: Source, end: int) -> Node:
        if self.has_bracket or not self.entries:
            return Mapping(tuple(self.entries), Span(source, self.start, end))
        span = Span(source, self.entries[0].key.span.start, self.entries[-1].value.span.end)
        return Mapping(tuple(self.entries), span)


class _Builder:
    """Takes the events of one text and makes the tree and the findings."""

    def __init__(self, source: Source, kind: FileKind) -> None:
        self._source = source
        self._kind = kind
        self._text = source.text
        self._findings: list[Diagnostic] = []
        self._frames: list[_List | _Map] = []
        self._root: Node | None = None
        self._values = 0
        self._documents = 0
        self._last = (0, 0)
        self._disputed = False
        self._torn = 0
        """Where the last piece ends of a text that was taken apart at its commas."""

    # ── For the reader ──

    @property
    def can_be_trusted(self) -> bool:
        """Whether both parsers say the same about this text."""
        return not self._disputed and all(finding.code in _LIMITS for finding in self._findings)

    def take(self, event: yaml.Event) -> None:
        handle = _HANDLERS.get(type(event))
        if handle:
            handle(self, event)

    def finish(self) -> None:
        """Judge the document as a whole."""
        root = self._root
        if root is None or (isinstance(root, Scalar) and root.span.start == root.span.end):
            self._report("empty-file", "The file is empty.", (0, 0), hint=self._kind.empty)
        elif not isinstance(root, Mapping):
            self._not_a_mapping(root)

    def result(self) -> tuple[Mapping | None, tuple[Diagnostic, ...]]:
        whole = all(finding.code in _OF_SINGLE_THINGS for finding in self._findings)
        root = self._root if isinstance(self._root, Mapping) and whole else None
        return root, ordered(self._findings)

    def syntax_error(self, error: yaml.MarkedYAMLError) -> None:
        complaint = f"{error.context or ''}: {error.problem or ''}"
        if self._root is not None and not isinstance(self._root, Mapping) and "<document start>" in complaint:
            self._not_a_mapping(self._root)
            return
        at = _offset(error.problem_mark or error.context_mark)
        since = _offset(error.context_mark or error.problem_mark)
        brackets = tuple(frame.start for frame in self._frames if frame.has_bracket)
        self._give_up(Trouble(self._text, complaint, at, since, self._last, brackets))

    def number_error(self) -> None:
        """Report a number in the YAML itself that is too large for anything."""
        code = re.compile(r"\\U(?!000|0010)[0-9A-Fa-f]{8}|^%.*$", re.MULTILINE).search(self._text, self._last[1])
        start, end = code.span() if code else (self._last[1], self._last[1] + 1)
        in_quotes = code and code[0].startswith("\\")
        complaint = "double-quoted scalar: unknown escape character" if in_quotes else "directive"
        self._give_up(Trouble(self._text, complaint, end - 1, start, (0, 0), ()))

    def _give_up(self, trouble: Trouble) -> None:
        mistake, (start, end) = recognise(trouble)
        line = self._source.position(trouble.at if mistake.code == UNKNOWN else start)[0]
        known = [finding.code for finding in self._findings if finding.span.position[0] == line]
        if known and mistake.code in {UNKNOWN, *known}:
            return
        related: tuple[Related, ...] = ()
        if mistake.opened and trouble.brackets:
            opened = trouble.brackets[-1]
            related = (Related("opened here", Span(self._source, opened, opened + 1)),)
        end = min(end, len(self._text))
        span = Span(self._source, min(start, end), end)
        fix = _FIXES[mistake.code](span) if mistake.code in _FIXES else None
        self._findings.append(
            Diagnostic(mistake.code, "error", mistake.message, span, self._path(), mistake.hint, related, fix)
        )

    def _path(self) -> str:
        """The path of what is being read; of the list, if it is an item that may not exist."""
        frame = self._frames[-1] if self._frames else None
        return frame.inner_path() if isinstance(frame, _Map) else frame.path if frame else ""

    # ── Events ──

    def on_document(self, event: yaml.DocumentStartEvent) -> None:
        start = _offset(event.start_mark)
        self._documents += 1
        if self._documents > 1:
            message = "A second document begins here."
            self._stop("several-documents", message, (start, start + 3), "Put it into a file of its own.")
        if self._text[start : start + 1] == "%":
            message = "Card sets have no lines for the YAML program itself."
            self._report("directive", message, (start, start + 1), hint="Delete the line that begins with %.")

    def on_alias(self, event: yaml.AliasEvent) -> None:
        place = self._place(event)
        self._count(place)
        frame = self._frames[-1] if self._frames else None
        # `<<: *base` is one mistake, and the key has been reported.
        if not (isinstance(frame, _Map) and frame.key and frame.key.text == "<<"):
            message = f"{named(self._text[slice(*place)])} repeats another value, which card sets cannot do."
            self._report("alias", message, place, hint="Write the value out, or put the text in quotes.")
        self._add(Scalar(None, self._span(place)))

    def on_scalar(self, event: yaml.ScalarEvent) -> None:
        frame = self._frames[-1] if self._frames else None
        place = self._place(event) if event.value or event.style else self._empty_place(frame, event)
        self._count(place)
        self._check_properties(event, event.tag)
        event.value = _whole(event.value)
        self._check_characters(event, place)
        self._disputed |= self._is_disputed(frame, event, place)
        if isinstance(frame, _Map) and frame.key is None:
            self._take_key(frame, event, place)
        else:
            self._check_glued(frame, event, place)
            self._add(self._scalar(event, place))
        self._last = place

    def on_list(self, event: yaml.SequenceStartEvent) -> None:
        self._open(event, _List)

    def on_mapping(self, event: yaml.MappingStartEvent) -> None:
        self._open(event, _Map)

    def on_end(self, event: yaml.CollectionEndEvent) -> None:
        frame = self._frames.pop()
        self._add(frame.node(self._source, _offset(event.end_mark)))

    # ── Collections ──

    def _open(self, event: yaml.CollectionStartEvent, kind: type[_List | _Map]) -> None:
        start, end = self._place(event)
        self._count((start, start + 1))
        self._check_properties(event, event.tag)
        path = self._frames[-1].inner_path() if self._frames else ""
        if len(self._frames) == MAX_DEPTH:
            message = f"Lists and keys are nested more than {MAX_DEPTH} deep here."
            self._stop("too-deep", message, (start, start + 1), "Card sets need much less; look for stray brackets.")
        is_key = self._refuse_as_key((start, max(end, start + 1)))
        # A tag or anchor may stand before the bracket; `[a: 1]` holds a mapping without a bracket.
        has_bracket = start < end and self._text[end - 1] in "[{"
        self._frames.append(kind(end - 1 if has_bracket else start, path, bool(event.flow_style), has_bracket, is_key))

    def _refuse_as_key(self, place: tuple[int, int]) -> bool:
        frame = self._frames[-1] if self._frames else None
        if not (isinstance(frame, _Map) and frame.key is None):
            return False
        hint = "Keys are single words; put quotes around a text that contains brackets."
        self._report("complex-key", "A list or mapping stands in the place of a key.", place, hint=hint)
        return True

    def _add(self, node: Node) -> None:
        if self._frames:
            self._frames[-1].add(node)
        else:
            self._root = node

    def _count(self, place: tuple[int, int]) -> None:
        self._values += 1
        if self._values > MAX_VALUES:
            message = f"The file holds more than {MAX_VALUES} keys and values."
            self._stop("too-many-values", message, place, "Split it, or let cards with equal text share a family.")

    def _not_a_mapping(self, root: Node) -> None:
        glued = colon_without_space(self._text, root.span.start) if isinstance(root, Scalar) else None
        if glued:
            self._report_glued(glued)
            return
        what = "a list" if isinstance(root, Sequence) else "a single value"
        message = f"{self._kind.name} consists of keys with values, and this is {what}."
        place = (root.span.start, root.span.start + 1)
        hint = f'Begin with "{self._kind.first_line}" on a line of its own.'
        self._report("not-a-mapping", message, place, hint=hint)

    # ── Keys and values ──

    def _take_key(self, frame: _Map, event: yaml.ScalarEvent, place: tuple[int, int]) -> None:
        # A finding about the key has the key in its path.
        frame.key = Key(event.value, self._span(place))
        text = self._key_text(event, place)
        if text is None:
            return
        frame.key = Key(text, frame.key.span)
        first = frame.keys.setdefault(text, frame.key)
        if first is not frame.key:
            message = f"The key {named(text)} stands here a second time."
            related = (Related("first here", first.span),)
            of_file = len(self._frames) == 1
            hint = "Put what belongs to it under the first one." if of_file else "Rename or delete one of them."
            self._report("duplicate-key", message, place, hint=hint, related=related)

    def _key_text(self, event: yaml.ScalarEvent, place: tuple[int, int]) -> str | None:
        """The text of a key, or ``None`` if it is reported as unusable."""
        self._check_length(event, place)
        if not event.implicit[0]:
            return event.value
        if event.value == "<<":
            hint = "Write the keys out, or build on another card set with extends."
            self._report("merge-key", "Card sets cannot merge mappings with <<.", place, hint=hint)
            return None
        if re.match(r"[\w-]+:[\[{\"']", event.value):
            self._report_glued((place[0] + event.value.index(":"), place[0] + event.value.index(":") + 1))
            return None
        return self._plain_key(event, place)

    def _plain_key(self, event: yaml.ScalarEvent, place: tuple[int, int]) -> str | None:
        value = event.value if event.value in _LETTERS else resolve(event.value)
        if isinstance(value, Refusal):
            self._report(value.code, value.message, place, hint=f"Write {quoted(event.value)} in quotes.")
        elif not event.value:
            self._report("missing-key", "There is no key before this colon.", place, hint='Write "key: value".')
        elif value is None or isinstance(value, bool):
            message = f"{named(event.value)} without quotes is not a text, and keys are texts."
            self._report("key-not-text", message, place, hint=f"Write {quoted(event.value)} in quotes.")
        else:
            return str(value)
        return None

    def _scalar(self, event: yaml.ScalarEvent, place: tuple[int, int]) -> Scalar:
        self._check_length(event, place)
        if not event.implicit[0]:
            return Scalar(event.value, self._span(place), self._quoted_text_at(event, place))
        value = resolve(event.value)
        if isinstance(value, Refusal):
            path = self._frames[-1].inner_path() if self._frames else ""
            hint = as_version(event.value) if path == "/version" else ""
            self._report(value.code, value.message, place, hint=hint or value.hint)
            return Scalar(event.value, self._span(place))
        stands = event.value and self._text[slice(*place)] == str(value)
        return Scalar(value, self._span(place), place[0] if stands else None)

    def _quoted_text_at(self, event: yaml.ScalarEvent, place: tuple[int, int]) -> int | None:
        """Where a quoted text begins, if it stands in the source letter for letter."""
        inside = self._text[place[0] + 1 : place[1] - 1]
        return place[0] + 1 if event.style in {"'", '"'} and inside == event.value else None

    # ── Checks ──

    def _is_disputed(self, frame: _List | _Map | None, event: yaml.ScalarEvent, place: tuple[int, int]) -> bool:
        """Whether the parsers disagree about this text."""
        if event.style in {"|", ">"}:
            return not re.compile(r"[|>][-+0-9]*(?=\s)").match(self._text, place[0])
        return bool(frame and frame.flow and event.implicit[0] and "?" in event.value)

    def _check_properties(self, event: yaml.NodeEvent, tag: str | None) -> None:
        start = _offset(event.start_mark)
        if event.anchor is not None:
            at = self._text.find(f"&{event.anchor}", start)
            place = (start, start) if at < 0 else (at, at + 1 + len(event.anchor))
            message = f"{named(self._text[slice(*place)])} names a value, which card sets cannot do."
            self._report("anchor", message, place, hint="Delete it, or put the text in quotes.")
        if tag is not None:
            place = self._found(r"!<[^>\s]*>|![^\s,\[\]{}]*", start)
            message = f"{named(self._text[slice(*place)])} names a type, which card sets cannot do."
            self._report("tag", message, place, hint="Delete it, or put the text in quotes.")

    def _found(self, pattern: str, start: int) -> tuple[int, int]:
        found = re.compile(pattern).search(self._text, start)
        return found.span() if found else (start, start)

    def _check_characters(self, event: yaml.ScalarEvent, place: tuple[int, int]) -> None:
        """Escapes must not bring in what may not stand in the file."""
        if event.style == '"' and FORBIDDEN.search(event.value):
            start, end = next(
                (code.span() for code in _ESCAPE.finditer(self._text, *place) if _is_forbidden(code[0])), place
            )
            message = f"{self._text[start:end]} stands for a character that card sets cannot hold."
            self._report("bad-escape", message, (start, end), hint="Delete it.")

    def _check_length(self, event: yaml.ScalarEvent, place: tuple[int, int]) -> None:
        if len(event.value.encode("utf-8", "surrogatepass")) > MAX_SCALAR_BYTES:
            message = f"This text is longer than {MAX_SCALAR_BYTES // 1024} KiB."
            self._report("text-too-long", message, place, hint="Shorten it, or look for a quote that is not closed.")

    def _check_glued(self, frame: _List | _Map | None, event: yaml.ScalarEvent, place: tuple[int, int]) -> None:
        """Find `key:value` where YAML sees a text, and keys in brackets that have no value."""
        if not (isinstance(frame, _Map) and frame.key and frame.key.text and event.implicit[0]):
            return
        between = self._text[frame.key.span.end : place[0]]
        if frame.flow and not event.value and not between:
            self._report_lone_key(frame.key, frame.entries)
        elif not frame.flow and "\n" in between and MISSING_SPACE.match(event.value):
            self._report_glued(cast("tuple[int, int]", colon_without_space(self._text, place[0])))

    def _report_lone_key(self, key: Key, before: list[Entry]) -> None:
        glued = colon_without_space(self._text, key.span.start)
        if glued and glued[1] < key.span.end:
            self._report_glued(glued)
        elif self._torn and self._text[self._torn : key.span.start].strip() == ",":
            self._torn = key.span.end  # one more piece of the same text
        else:
            message = f"The key {named(key.text)} has no value."
            hint = "Lists are written [a, b]; a key that takes something away is written {a: null}."
            if is_torn(key.text, self._text[: key.span.start], ""):
                hint = QUOTES_NEEDED
            elif before and is_sentence(before[-1].value):
                hint, self._torn = TEXT_IN_QUOTES, key.span.end
            self._report("missing-value", message, (key.span.start, key.span.end), hint=hint)

    def _report_glued(self, place: tuple[int, int]) -> None:
        message = "A space is missing after this colon."
        self._report("missing-space", message, place, hint='Write "key: value".')

    # ── Places and findings ──

    def _place(self, event: yaml.Event) -> tuple[int, int]:
        start, end = _offset(event.start_mark), _offset(event.end_mark)
        if isinstance(event, yaml.ScalarEvent) and event.style in {"|", ">"}:
            end = start + len(self._text[start:end].rstrip())
        return start, end

    def _empty_place(self, frame: _List | _Map | None, event: yaml.ScalarEvent) -> tuple[int, int]:
        """Where nothing is written: right after the colon, or after the key if there is no colon."""
        start = _offset(event.start_mark)
        if isinstance(frame, _Map) and frame.key:
            colon = re.compile(r"\s*:").match(self._text, frame.key.span.end)
            start = colon.end() if colon else frame.key.span.end
        return start, start

    def _span(self, place: tuple[int, int]) -> Span:
        return Span(self._source, *place)

    def _report(
        self, code: str, message: str, place: tuple[int, int], *, hint: str, related: tuple[Related, ...] = ()
    ) -> None:
        if any(frame.is_key for frame in self._frames):
            return
        path = self._frames[-1].inner_path() if self._frames else ""
        if len(self._findings) == MAX_FINDINGS:
            code, message = "too-many-findings", f"There are more than {MAX_FINDINGS} mistakes; the rest is not listed."
            hint, related = "Mend the first ones and look again.", ()
        span = self._span(place)
        fix = _FIXES[code](span) if code in _FIXES else None
        self._findings.append(Diagnostic(code, "error", message, span, path, hint, related, fix))
        if len(self._findings) > MAX_FINDINGS:
            raise _EnoughError

    def _stop(self, code: str, message: str, place: tuple[int, int], hint: str) -> None:
        self._report(code, message, place, hint=hint)
        raise _EnoughError


_PAIR = r"u[dD][89abAB][0-9A-Fa-f]{2}\\u[dD][c-fC-F][0-9A-Fa-f]{2}"
"""A character beyond the first 65,536 as JSON escapes it: in two halves, behind a backslash."""
_ESCAPE = re.compile(rf"\\(?:{_PAIR}|x[0-9A-Fa-f]{{2}}|u[0-9A-Fa-f]{{4}}|U[0-9A-Fa-f]{{8}}|[^xuU])", re.DOTALL)
_LETTERS = frozenset("nNyY")
"""Names of single letters that few programs take for truth values, and none where a key stands."""
_HALF = re.compile("[\ud800-\udfff]")
_SHORT_ESCAPES = frozenset("0abvfreNLP")


def _whole(text: str) -> str:
    """The text with the halves of characters put together that JSON escapes in pairs; a lone half stays as it is."""
    if not _HALF.search(text):
        return text
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass")


def _is_forbidden(escape: str) -> bool:
    """Whether an escape in double quotes means a forbidden character."""
    if escape.count("\\") > 1:  # a pair, and nothing beyond the first 65,536 is forbidden
        return False
    if len(escape) > len("\\n"):
        return FORBIDDEN.fullmatch(chr(int(escape.lstrip("\\xuU"), 16))) is not None
    return escape[1] in _SHORT_ESCAPES


def _offset(mark: Any) -> int:
    return cast("int", mark.index)


_HANDLERS: dict[type[yaml.Event], Callable[[_Builder, Any], None]] = {
    yaml.DocumentStartEvent: _Builder.on_document,
    yaml.AliasEvent: _Builder.on_alias,
    yaml.ScalarEvent: _Builder.on_scalar,
    yaml.SequenceStartEvent: _Builder.on_list,
    yaml.SequenceEndEvent: _Builder.on_end,
    yaml.MappingStartEvent: _Builder.on_mapping,
    yaml.MappingEndEvent: _Builder.on_end,
}
