"""Opens documents: bytes become a tree, merged with all that the file extends and includes."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from msgspec import Struct, field

from draftengine.model import limits
from draftengine.model.cardset.choices import read_readings, read_variants
from draftengine.model.diagnostics import Diagnostic, Related, diagnose, has_errors, ordered
from draftengine.model.loading.macros import player_range
from draftengine.model.loading.overlay import IDENTITY, OverlayWrite, merge
from draftengine.model.loading.overlay_hints import explained
from draftengine.model.loading.repeating import has_for, written_out
from draftengine.model.loading.short import in_long_form
from draftengine.model.loading.sides import with_dice
from draftengine.model.loading.upgrade import FORMAT, format_of, upgraded, with_for, with_series, with_who_beside
from draftengine.model.records.reader import Reader
from draftengine.model.schema import OLD_SHAPES, part_file, part_file_1, schema, schema_1
from draftengine.model.schema.validate import validate
from draftengine.model.selection.errors import mistaken_needs, unknown_names, unsuitable_defaults
from draftengine.model.selection.inherited_errors import place_key, relocate_to_author
from draftengine.model.selection.overlays import mistaken_menus, variant_overrides
from draftengine.model.selection.parts import without_removed
from draftengine.model.yaml.load import elsewhere, load, load_last, read_source
from draftengine.model.yaml.scalars import cut_texts
from draftengine.model.yaml.tree import Entry, Mapping, Scalar, Sequence, entries_of, plain, put
from draftengine.support.identity import IdentityKey
from draftengine.support.locale.phrases import ReasonedError, said

if TYPE_CHECKING:
    from draftengine.model.cardset.choices import ReadingInfo, VariantInfo
    from draftengine.model.selection.errors import Findings
    from draftengine.model.yaml.tree import Node
    from draftengine.support.locale.phrases import Text
    from draftengine.support.source import Source, Span

Fetch = Callable[[str], tuple[str, bytes] | None]
"""A function that gets the name in `extends` or `include` and finds the file.

It returns a name for messages and the bytes, or ``None`` if there is no such file. It raises `ReasonedError` if the
file may not or cannot be read.
"""
Shape = Callable[[], dict[str, Any]]

_PART_NAME = re.compile(r"([a-z0-9_-]+/)*[a-z0-9_-]+\.ya?ml")
_REMEMBERED = 32
"""The size of the cache for extended and included files."""
_BASE_NAME = re.compile(r"[a-z0-9_-]+(\.ya?ml)?")


class File(Struct, frozen=True):
    """One file of a document: its source, and its name in `extends` or `include` (the first has none)."""

    asked: str
    source: Source


class Document(Struct, frozen=True):
    """A card set with everything that it extends and includes. No variants and readings are applied yet.

    The game without any selection is valid.
    """

    root: Mapping
    files: tuple[File, ...]
    """The first file, then the files that it extends. Saves store these files and `parts`."""
    variants: tuple[VariantInfo, ...]
    readings: tuple[ReadingInfo, ...]
    findings: Findings
    """The findings of opening the files. None of them is an error."""
    extends: Span | None = None
    """The position where the first file names an extended file; ``None`` if it names none."""
    writes: tuple[OverlayWrite, ...] = ()
    """The changes that the first file makes to the tree of the extended files."""
    parts: tuple[File, ...] = ()
    """The files that are included."""
    inherited_errors: frozenset[Source] = frozenset()
    """The sources that the first file's author did not write: extended files and what these include."""
    upgraded: bool = False
    """True if some file is in an earlier form of the language (see `as_written`)."""

    @property
    def examples(self) -> list[dict[str, Any]]:
        """The worked examples as plain data."""
        node = self.root.get("examples")
        return plain(node) if node else []

    @property
    def players(self) -> tuple[int, int]:
        """The fewest and the most players of the game without variants."""
        return player_range(self.root)


def open_document(data: bytes, name: str, fetch: Fetch) -> tuple[Document | None, Findings]:
    """Open a card set with everything that it extends and includes. Return the document and the findings.

    The document is ``None`` if the game without variants has errors.
    """
    opener = Opener(fetch)
    root = opener.open("", name, data)
    if root is None or has_errors(opener.findings):
        return None, ordered(opener.findings)
    if len(opener.files) > 1 or opener.parts:
        opener.findings += explained(validate(root), root, opener.writes)
    reader = Reader(root, "")
    variants, readings = read_variants(reader), read_readings(reader)
    opener.findings += [*reader.findings, *unknown_names(root, variants, readings)]
    if not has_errors(reader.findings):
        opener.findings += [*mistaken_needs(root, variants), *unsuitable_defaults(root, variants)]
        opener.findings += mistaken_menus(root, variants)
    findings = ordered(opener.findings)
    first = opener.files[0].source
    writes = tuple(write for write in opener.writes if write.span.source is first)
    files, parts = tuple(opener.files), tuple(opener.parts)
    inherited = frozenset(file.source for file in (*files[1:], *parts[: opener.included]))
    old = opener.early if not opener.upgrades else len(opener.upgrades) == len(files) + len(parts)
    document = Document(root, files, variants, readings, findings, opener.extends, writes, parts, inherited, old)
    if not has_errors(findings):
        return document, findings

    def of_parent(document: Document) -> frozenset[object]:
        parent = document.files[1].source
        return frozenset(map(place_key, open_document(parent.text.encode(), parent.name, fetch)[1]))

    return None, ordered(relocate_to_author(document, findings, of_parent))


class _ReadFile(Struct, frozen=True):
    """The tree of one file with every `for` expanded, and the findings about this file."""

    root: Mapping | None
    """The tree of the file; ``None`` if it cannot be used."""
    findings: tuple[Diagnostic, ...]
    early: bool
    """True if the file had to be converted: it was in format 1, or had `who` within verbs."""


def _validated(written: Mapping, base: Mapping | None, known: Findings, shape: Shape) -> _ReadFile:
    """Check the tree of a file. `base` is the tree that it changes; `known` are the findings so far."""
    present = with_for(written, base) if shape in OLD_SHAPES else with_who_beside(written)
    root, mistakes = written_out(present, base)
    root = root if shape in OLD_SHAPES else in_long_form(root)
    problems = [*mistakes, *elsewhere(validate(root, shape), (*known, *mistakes))]
    root = root if has_errors(problems) else with_dice(root, problems)
    return _ReadFile(None if has_errors(problems) else root, tuple(problems), present is not written)


@lru_cache(_REMEMBERED)
def _loaded(source: Source) -> tuple[Mapping | None, Findings]:
    """Return the tree of a file that others extend or include, and the findings about its text."""
    return load(source)


@lru_cache(_REMEMBERED)
def _inherited(source: Source, base: IdentityKey[Mapping] | None, shape: Shape) -> _ReadFile:
    """Check a file that others extend or include.

    The result is cached, because the file stays the same while an author edits other files.
    """
    written, findings = _loaded(source)
    assert written is not None, "only a file with a tree is checked"
    return _validated(written, base.own if base is not None else None, findings, shape)


def spelt_out(root: Mapping) -> Mapping:
    """Return the tree of a file with every `for` expanded that needs no other file."""
    return written_out(with_for(root, None) if format_of(root) < FORMAT else root)[0]


class Upgrade(Struct, frozen=True):
    """The tree of a file in an earlier format, and the same tree in the present format."""

    source: Source
    written: Mapping
    upgraded: Mapping


class Opener(Struct):
    """Opens one file with everything that it extends and includes, and collects the findings."""

    fetch: Fetch
    files: list[File] = field(default_factory=list)
    findings: list[Diagnostic] = field(default_factory=list)
    writes: list[OverlayWrite] = field(default_factory=list)
    extends: Span | None = None
    """The position of `extends` in the first file; ``None`` without it."""
    parts: list[File] = field(default_factory=list)
    included: int = 0
    """The number of `parts` that the extended files include."""
    upgrades: list[Upgrade] = field(default_factory=list)
    early: bool = False
    """True if some file is in an earlier form of the language, which old saves and records contain."""
    as_written: bool = False
    """True if files in earlier forms are neither converted nor checked."""

    def open(self, asked: str, name: str, data: bytes) -> Mapping | None:
        """Return the tree of a file, merged with what it extends; ``None`` if there are errors.

        The fields of this object collect files, parts, findings and changes.
        """
        source, findings = read_source(data, name)
        first = not self.files
        written, findings = (load_last if first else _loaded)(source) if not findings else (None, findings)
        if written is not None:
            source = written.span.source  # the tree may have been read before, and places name the same source
        self.files.append(File(asked, source))
        self.findings += findings
        if written is None:
            return None
        if first:
            self.findings += cut_texts(written)
        entry = written.entry("extends")
        base = self._base(entry) if entry is not None else None
        old = format_of(written) < FORMAT
        root = self._read(source, written, base, schema_1 if old else schema, findings if first else None)
        if root is None or has_errors(self.findings):
            return None
        merged = root if base is None else self._merged(base, root)
        self.included = len(self.parts)  # the first file gets here last, so the number counts all extended files
        return self._with_parts(merged, root.get("include"), part_file_1 if old else part_file)

    def _read(
        self, source: Source, written: Mapping, base: Mapping | None, shape: Shape, findings: Findings | None = None
    ) -> Mapping | None:
        """Return a tree in the present format with every `for` expanded; ``None`` if it has mistakes.

        `base` is the tree that the file changes, and `shape` is the schema of its format. `findings` are about the text
        of the first file. For other files, they are None, and the result is cached.
        """
        old = shape in OLD_SHAPES
        if self.as_written:
            return written_out(with_series(written))[0] if old else written_out(written, base)[0]
        known = base if old or has_for(IdentityKey(written)) else None
        if findings is None:
            read = _inherited(source, known and IdentityKey(known), shape)
        else:
            read = _validated(written, known, findings, shape)
        self.findings += read.findings
        self.early |= read.early
        if not old or read.root is None:
            return read.root
        new = upgraded(written, base)
        self.upgrades.append(Upgrade(source, written, new))
        return written_out(new, base)[0]

    def _with_parts(self, root: Mapping, names: Node | None, shape: Shape) -> Mapping:
        """Return the tree with the variants, sources and examples of the included files added."""
        for index, node in enumerate(names.items if isinstance(names, Sequence) else ()):
            asked = str(node.value) if isinstance(node, Scalar) else ""
            crowded = len(self.parts) == limits.INCLUDED
            fetched, reason = self._fetched(asked) if _PART_NAME.fullmatch(asked) and not crowded else (None, "")
            if fetched is None:
                say = "crowded" if crowded else "refused" if reason else "it"
                path, most = f"/include/{index}", limits.INCLUDED
                self.findings.append(
                    diagnose("include-unknown", node.span, path, say=say, name=asked, most=most, reason=reason)
                )
                continue
            source, findings = read_source(fetched[1], fetched[0])
            self.parts.append(File(asked, source))
            written, findings = _loaded(source) if not findings else (None, findings)
            self.findings += findings
            part = written and self._read(source, written, root, shape)
            for section in part.entries if part is not None else ():
                root = self._with_section(root, section)
        return root

    def _with_section(self, root: Mapping, section: Entry) -> Mapping:
        """Return the tree with a section of an included file added. Report names that it already has."""
        old, new = root.entry(section.key.text), section.value
        if old is None:
            return put(root, section)
        if isinstance(old.value, Sequence) and isinstance(new, Sequence):
            return put(root, Entry(old.key, Sequence((*old.value.items, *new.items), old.value.span)))
        if not isinstance(old.value, Mapping) or not isinstance(new, Mapping):
            return root
        for entry in new.entries:
            first = old.value.entry(entry.key.text)
            if first is not None:
                related = (Related(said("finding.first-here"), first.key.span),)
                path = f"/{section.key.text}/{entry.key.text}"
                self.findings.append(
                    diagnose("include-clash", entry.key.span, path, related=related, name=entry.key.text)
                )
        return put(root, Entry(old.key, Mapping((*old.value.entries, *new.entries), old.value.span)))

    def _base(self, entry: Entry) -> Mapping | None:
        """Return the merged tree of the file that `extends` names; ``None`` if it cannot be read."""
        asked, span = plain(entry.value), entry.value.span
        if not isinstance(asked, str) or not _BASE_NAME.fullmatch(asked):
            return None  # the schema reports this
        if len(self.files) == 1:
            self.extends = span
        fetched, reason = self._fetched(asked)
        if fetched is None:
            code = "extends-unknown"
        elif fetched[0] in {file.source.name for file in self.files} or asked in {file.asked for file in self.files}:
            code = "extends-cycle"
        elif len(self.files) > limits.BASES:
            code = "extends-too-deep"
        else:
            return self.open(asked, *fetched)
        say = "refused" if reason else "it"
        self.findings.append(diagnose(code, span, "/extends", say=say, name=asked, most=limits.BASES, reason=reason))
        return None

    def _fetched(self, asked: str) -> tuple[tuple[str, bytes] | None, Text]:
        """Return the file that another file names, as in `Fetch`, and the reason if it cannot be read."""
        try:
            return self.fetch(asked), ""
        except ReasonedError as error:
            return None, error.reason

    def _merged(self, base: Mapping, root: Mapping) -> Mapping:
        """Return the tree of the extended file with the changes of a file applied.

        Report an id that is equal to that of the extended file, because an id identifies one game. Also report a change
        to a named list: it would come too late, because every `for` of the extended file is already expanded.
        """
        entry, other = root.entry("id"), base.entry("id")
        if entry is not None and other is not None and plain(entry.value) == plain(other.value):
            related = (Related(said("finding.there"), other.value.span),)
            name = str(plain(entry.value))
            self.findings.append(diagnose("extends-id", entry.value.span, "/id", related=related, name=name))
        lists, others = root.get("lists"), base.get("lists")
        for entry in entries_of(lists):
            name = entry.key.text
            other = others.entry(name) if isinstance(others, Mapping) else None
            if other is not None:
                related, place = (Related(said("finding.there"), other.key.span),), f"/lists/{name}"
                self.findings.append(diagnose("bad-for", entry.key.span, place, say="list", related=related, name=name))
        changes = Mapping(tuple(entry for entry in root.entries if entry.key.text != "extends"), root.span)
        merged = merge(base, changes, "", IDENTITY)
        lessened = without_removed(base, merged.writes)
        if lessened is not base:
            merged = merge(lessened, changes, "", IDENTITY)
        self.findings += [*merged.findings, *variant_overrides(base, changes, merged.root)]
        self.writes += merged.writes
        return Mapping(merged.root.entries, root.span)
