"""Texts that are open in an editor, with their findings, YAML trees, rules and names."""

from __future__ import annotations

import re
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from draftengine.api.errors import SelectionError
from draftengine.api.labels import Labels
from draftengine.api.ruleset import rules_in
from draftengine.api.scenario.suite import check_opened, run_bytes
from draftengine.model.diagnostics import has_errors
from draftengine.model.library import CardSetError, open_text
from draftengine.model.selection import open_document
from draftengine.model.shelf import NoSuchCardSetError, fetcher
from draftengine.model.yaml.load import load_last, read_source
from draftengine.model.yaml.tree import Mapping, Node, Scalar, Sequence
from draftengine.studies.playtest import playtest
from draftengine.support.source import Source, Span

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from draftengine.model.diagnostics import Diagnostic
    from draftengine.model.library import LibraryEntry
    from draftengine.model.selection import Document

    Check = Callable[[LibraryEntry], tuple[Diagnostic, ...]]


class DocumentInfo(Struct):
    """Everything known about one text in an editor."""

    path: str
    source: Source
    tree: Mapping | None
    """The YAML tree of the present text; ``None`` while the text is not valid YAML."""
    findings: tuple[Diagnostic, ...]
    document: Document | None
    """The card set, with everything that it extends, in its latest version without errors."""
    labels: Labels | None
    """The labels of the latest version without errors."""
    last_tree: Mapping | None
    """The YAML tree of the latest version that was valid YAML."""

    base: Mapping | None = None
    """The YAML tree of the game that the text extends; ``None`` if it extends none."""
    opened: LibraryEntry | None = None
    """The present text as a card set; ``None`` for scenarios."""

    @property
    def is_scenarios(self) -> bool:
        """True if this is a file of scenarios, not a card set."""
        return self.last_tree is not None and self.last_tree.get("cardset") is not None

    @property
    def merged(self) -> Mapping | None:
        """The YAML tree of the card set with everything that it extends; if it has errors, of the text alone."""
        return self.document.root if self.document else self.last_tree

    def play(self) -> tuple[Diagnostic, ...]:
        """Return the findings from a few hundred test games; none if the text has errors."""
        if self.is_scenarios or self.tree is None or self.document is None or has_errors(self.findings):
            return ()
        return playtest(self.document, self.findings)


def from_disk(path: str, wanted: str) -> tuple[str, bytes] | None:
    """Return (name, content) of a file that the file at `path` extends, from its folder or the package.

    Raises `NoSuchCardSetError` if it cannot be read.
    """
    file = fetcher(path)(wanted)
    return (str(Path(file[0]).resolve()), file[1]) if file else None


class OpenDocuments:
    """The open texts of an editor, by path.

    Files that they extend come from the editor if they are open there, otherwise from the function `read`. Scenario
    files are run only if they are on disk, beside the card sets that they name.
    """

    def __init__(self, read: Callable[[str, str], tuple[str, bytes] | None] = from_disk) -> None:
        self._read = read
        self.known: dict[str, DocumentInfo] = {}
        self._open: dict[str, str] = {}

    def put(self, path: str, text: str, check: Check = check_opened) -> DocumentInfo:
        """Store a text that was opened or changed. Return what is known of it, with the findings of `check`."""
        self._open[path] = text
        before = self.known.get(path)
        source = Source(path, text)
        data = text.encode("utf-8", "surrogatepass")
        read, unreadable = read_source(data, path)
        tree = None if unreadable else load_last(read)[0]
        known = DocumentInfo(path, source, tree, (), None, None, tree or (before.last_tree if before else None))
        if known.is_scenarios and self._read is from_disk:
            try:
                outcomes = run_bytes(path, path, data)
                known.findings = tuple(finding for outcome in outcomes for finding in outcome.findings)
            except CardSetError as error:
                known.findings = error.findings
            except NoSuchCardSetError:
                known.findings = ()
            node, file = known.last_tree.get("cardset") if known.last_tree else None, None
            if isinstance(node, Scalar):
                with suppress(NoSuchCardSetError):
                    file = self._fetch(path, str(node.value))
            if file is not None:
                document, _ = open_document(file[1], file[0], lambda wanted: self._fetch(file[0], wanted))
                self._keep(known, document)
        else:
            known.opened = open_text(path, data, lambda wanted: self._fetch(path, wanted))
            known.findings = check(known.opened)
            self._keep(known, known.opened.document)
        if before is not None and known.document is None:
            known.document = before.document
        if before is not None and known.labels is None:
            known.labels = before.labels
        self.known[path] = known
        return known

    def close(self, path: str) -> None:
        """Forget a text that was closed."""
        self._open.pop(path, None)
        self.known.pop(path, None)

    def others(self, path: str) -> list[DocumentInfo]:
        """Check the other open texts that extend, or may extend, the text at `path`, and return the results."""
        waiting = [
            other
            for other in self.known.values()
            if other.path != path
            and (other.document is None or any(file.source.name == path for file in other.document.files))
        ]
        return [self.put(other.path, other.source.text) for other in waiting]

    def _fetch(self, path: str, wanted: str) -> tuple[str, bytes] | None:
        name = wanted if wanted.endswith((".yaml", ".yml")) else f"{wanted}.yaml"
        near = str(Path(path).parent / name)
        if near in self._open:
            return near, self._open[near].encode()
        return self._read(path, wanted)

    def _keep(self, known: DocumentInfo, document: Document | None) -> None:
        known.document = document
        if document is None:
            return
        if len(document.files) > 1:
            asked = document.files[1].asked
            file = self._fetch(document.files[0].source.name, asked)
            base = open_document(file[1], file[0], lambda wanted: self._fetch(file[0], wanted))[0] if file else None
            known.base = base.root if base else None
        try:
            known.labels = Labels(rules_in(document).model)
        except (CardSetError, SelectionError):
            known.labels = None


SHARED = ("cards", "counters", "payments", "parameters", "zones", "markers", "chips", "extra_seats")
"""Sections of a card set whose names must all differ, because formulas can use names of all of them."""

_OWN = {
    "scoring": "rule", "modifiers": "modifier", "abilities": "ability", "triggers": "trigger",
    "variants": "variant", "readings": "reading", "steps": "step", "sources": "statement", "lists": "list",
}  # fmt: skip
"""Sections of a card set whose names may be the same as in other sections, with the kind of each name."""

_PRINTED = frozenset(
    {"label", "text", "title", "about", "assumed", "question", "reason", "icon", "name", "id", "version", "format"}
    | {"order", "tie", "seen_by", "per", "extends", "tokens", "returns_to", "opens"}
)
"""Keys of a card set whose values do not refer to things by name."""

_AMOUNTS = frozenset({"adds", "then", "add", "set"})
_WORD = re.compile(r"[A-Za-z_]\w*")


class Name(Struct, frozen=True):
    """One occurrence of a name in a text.

    `space` is ``shared`` for names that formulas can use. For other names, it is the kind of the name.
    """

    text: str
    space: str
    span: Span
    declares: str = ""
    """The section in which this occurrence declares the name; empty if it only refers to it."""


def names_in(root: Mapping, path: tuple[str, ...] = ()) -> Iterator[Name]:
    """Yield every occurrence of a name in a YAML tree, in order. `path` is the path of the tree."""
    for entry in root.entries:
        inner = (*path, entry.key.text)
        plain = plain_path(inner)
        text, span = entry.key.text, entry.key.span
        parent = "".join(plain[-2:-1])
        if plain[:1] in {("examples",), ("tests",)}:
            if parent == "points":
                yield Name(text, "rule", span)
            elif parent in {"counters", "markers", "zones"} or (parent.isdecimal() and "tables" in plain[:-1]):
                yield Name(text, "shared", span)
        elif len(plain) == 2:  # noqa: PLR2004 (a section and a name)
            removed = isinstance(entry.value, Scalar) and entry.value.value is None
            section = "" if removed else plain[0]
            if plain[0] in SHARED:
                yield Name(text, "shared", span, section)
            elif plain[0] in _OWN:
                yield Name(text, _OWN[plain[0]], span, section if plain[0] != "steps" else "")
        elif parent in _AMOUNTS or (parent == "give" and text not in {"marker", "to", "tie"}):
            yield Name(text, "shared", span, parent if parent == "adds" else "")
        yield from _value(entry.value, inner)


def declared(root: Mapping) -> dict[tuple[str, str], Name]:
    """Return the first declaration of each name in a merged YAML tree, by (`Name.space`, `Name.text`)."""
    names: dict[tuple[str, str], Name] = {}
    for name in names_in(root):
        if name.declares:
            names.setdefault((name.space, name.text), name)
    return names


def plain_path(path: tuple[str, ...]) -> tuple[str, ...]:
    """Return a path without the part that leads into the changes of a variant or reading."""
    if path[:1] == ("variants",) and path[2:3] == ("changes",):
        return path[3:]
    if path[:1] == ("readings",) and path[4:5] == ("changes",):
        return path[5:]
    return path


def _value(node: Node, path: tuple[str, ...]) -> Iterator[Name]:
    if isinstance(node, Mapping):
        yield from names_in(node, path)
    elif isinstance(node, Sequence):
        for index, item in enumerate(node.items):
            yield from _value(item, (*path, str(index)))
    elif isinstance(node.value, str) and (start := node.text_at) is not None:
        keys = [part for part in path if not part.isdecimal()]
        last = keys[-1] if keys else ""
        space, declares = "shared", ""
        if last == "id" and keys != ["id"]:
            space, declares = "step", "steps"
        elif last == "source":
            space = "statement"
        elif last in {"excludes", "requires", "builds_on", "variants"}:
            space = "variant"
        elif last in _PRINTED or keys[:1] == ["sources"]:
            return
        elif last == "family":
            declares = "family"
        source = node.span.source
        word = re.compile(r"[\w.-]+") if space in {"statement", "variant"} else _WORD
        for match in word.finditer(str(node.value)):
            yield Name(match[0], space, Span(source, start + match.start(), start + match.end()), declares)


def name_at(root: Mapping, offset: int) -> Name | None:
    """Return the name at an offset, if there is one."""
    return next((name for name in names_in(root) if name.span.start <= offset <= name.span.end), None)


def locate(root: Mapping, offset: int) -> tuple[tuple[str, ...], Node, bool]:
    """Return the path to the innermost key or value at an offset, the value, and True if it hit the key."""
    node: Node = root
    path: tuple[str, ...] = ()
    while True:
        if isinstance(node, Mapping):
            parts = [(entry.key.text, entry.key.span.start, entry.value, entry.key.span.end) for entry in node.entries]
        elif isinstance(node, Sequence):
            parts = [(str(index), item.span.start, item, -1) for index, item in enumerate(node.items)]
        else:
            return path, node, False
        matches = [part for part in parts if part[1] <= offset <= max(part[2].span.end, part[3])]
        if not matches:
            return path, node, False
        text, _, value, key_end = matches[-1]
        path = (*path, text)
        if offset <= key_end:
            return path, value, True
        node = value


def at_path(root: Mapping, path: tuple[str, ...]) -> tuple[Span | None, Node | None]:
    """Return the span of the key and the value at a path of a YAML tree, each ``None`` if it is missing."""
    node: Node | None = root
    key: Span | None = None
    for part in path:
        if isinstance(node, Mapping):
            entry = node.entry(part)
            node, key = (entry.value, entry.key.span) if entry else (None, None)
        elif isinstance(node, Sequence) and part.isdecimal() and int(part) < len(node.items):
            node = node.items[int(part)]
            key = node.span
        else:
            return None, None
    return key, node
