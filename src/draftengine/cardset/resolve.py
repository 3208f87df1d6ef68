"""The front door of card sets: from bytes to a document, from a document and a selection to a model.

Opens no files: whoever calls says how the name after `extends` becomes bytes.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from itertools import combinations as pairs_of
from typing import TYPE_CHECKING, Any

from draftengine.cardset.build import build, player_range, read_readings, read_variants
from draftengine.cardset.load import load, read_source
from draftengine.cardset.overlay import IDENTITY, Merged, Write, collide, merge, put
from draftengine.cardset.reader import Reader
from draftengine.cardset.tree import Entry, Key, Mapping, Scalar, plain
from draftengine.cardset.validate import validate
from draftengine.diagnostics.finding import Diagnostic, Related, has_errors, ordered
from draftengine.diagnostics.suggest import did_you_mean
from draftengine.language.evaluate import constant_value
from draftengine.source import Source, Span

if TYPE_CHECKING:
    from draftengine.cardset.model import CardSet, Formula, Parameter, ReadingInfo, VariantInfo

Findings = tuple[Diagnostic, ...]

Fetch = Callable[[str], tuple[str, bytes] | None]
"""From the name after `extends` to the name to show and the bytes; ``None`` if there is no such card set."""

MAX_DEPTH = 8
MAX_COMBINATIONS = 256

_BASE_NAME = re.compile(r"[a-z0-9_-]+(\.ya?ml)?")
_NUMBER = re.compile(r"[+-]?[0-9]{1,9}")


# ── Opening ───────────────────────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class File:
    """One file of a document: the name it was asked for by (``""`` for the document itself), its source."""

    asked: str
    source: Source


@dataclass(frozen=True, slots=True)
class Document:
    """A card set with everything it extends, before variants and readings. Its base game is valid."""

    root: Mapping
    files: tuple[File, ...]
    """The document itself first, then what it extends. Together they are all that a save needs."""
    variants: tuple[VariantInfo, ...]
    readings: tuple[ReadingInfo, ...]
    findings: Findings
    """What was found when it was opened (no errors)."""

    @property
    def examples(self) -> list[dict[str, Any]]:
        """The worked examples as plain data."""
        node = self.root.get("examples")
        return plain(node) if node else []

    @property
    def players(self) -> tuple[int, int]:
        """Fewest and most players, if no variant says otherwise."""
        return player_range(self.root)


def open_document(data: bytes, name: str, fetch: Fetch) -> tuple[Document | None, Findings]:
    """Load a card set and what it extends; the document is ``None`` if anything is wrong with its base game."""
    opener = _Opener(fetch)
    root = opener.open("", name, data)
    if root is None or has_errors(opener.findings):
        return None, ordered(opener.findings)
    if len(opener.files) > 1:
        opener.findings += validate(root)
    reader = Reader(root, "")
    variants, readings = read_variants(reader), read_readings(reader)
    opener.findings += [*reader.findings, *_unknown_in_variants(variants, readings)]
    findings = ordered(opener.findings)
    if has_errors(findings):
        return None, findings
    return Document(root, tuple(opener.files), variants, readings, findings), findings


@dataclass(slots=True)
class _Opener:
    fetch: Fetch
    files: list[File] = field(default_factory=list)
    findings: list[Diagnostic] = field(default_factory=list)

    def open(self, asked: str, name: str, data: bytes) -> Mapping | None:
        """The tree of a file, merged with what it extends; ``None`` if one of the files can't be read as a card set."""
        source, findings = read_source(data, name)
        self.files.append(File(asked, source))
        root = None if findings else self._load(source)
        self.findings += findings
        if root is None:
            return None
        entry = root.entry("extends")
        return root if entry is None else self._extend(root, entry)

    def _load(self, source: Source) -> Mapping | None:
        root, findings = load(source)
        self.findings += findings
        if root is None or has_errors(findings):
            return None
        self.findings += validate(root)
        return None if has_errors(self.findings) else root

    def _extend(self, root: Mapping, entry: Entry) -> Mapping | None:
        asked = str(entry.value.value) if isinstance(entry.value, Scalar) else ""
        found = self._fetched(asked, entry.value.span)
        base = self.open(asked, *found) if found else None
        if base is None:
            return None
        merged = merge(base, Mapping(tuple(own for own in root.entries if own is not entry), root.span), "", IDENTITY)
        self.findings += merged.findings
        return Mapping(merged.root.entries, root.span)

    def _fetched(self, asked: str, span: Span) -> tuple[str, bytes] | None:
        if not _BASE_NAME.fullmatch(asked):
            hint = "Write the id of a shipped card set, or the name of a file in the same folder."
            return self._refuse("extends-name", f"“{asked}” can't be extended: it is not a plain name.", span, hint)
        if len(self.files) > MAX_DEPTH:
            return self._refuse("extends-too-deep", f"More than {MAX_DEPTH} card sets extend one another.", span)
        found = self.fetch(asked)
        if found is None:
            hint = "Name a shipped card set (see `draftengine list`) or a file in the same folder."
            return self._refuse("extends-unknown", f"There is no card set “{asked}”.", span, hint)
        if found[0] in {file.source.name for file in self.files} or asked in {file.asked for file in self.files}:
            return self._refuse("extends-cycle", f"“{asked}” extends this card set, so they go round in a circle.", span)
        return found

    def _refuse(self, code: str, message: str, span: Span, hint: str = "") -> None:
        self.findings.append(Diagnostic(code, "error", message, span, "/extends", hint))


def _unknown_in_variants(variants: tuple[VariantInfo, ...], readings: tuple[ReadingInfo, ...]) -> Iterator[Diagnostic]:
    names = [variant.id for variant in variants]
    overlays = [*names, *(reading.id for reading in readings)]
    for variant in variants:
        for key in ("excludes", "requires", "builds_on"):
            known = overlays if key == "builds_on" else names
            for name in getattr(variant, key):
                if name not in known:
                    path = f"/variants/{variant.id}/{key}"
                    yield _unknown("unknown-variant", "variant", name, known, variant.span, path)
    for reading in readings:
        options = [option.id for option in reading.options]
        if reading.default not in options:
            path = f"/readings/{reading.id}/default"
            yield _unknown("unknown-option", "option", reading.default, options, reading.span, path)


def _unknown(
    code: str, what: str, name: str, known: Iterable[str], span: Span, path: str = ""
) -> Diagnostic:
    known = tuple(known)
    listed = f"Known: {', '.join(known)}." if known else f"This card set has no {what}s."
    return Diagnostic(code, "error", f"There is no {what} “{name}”.", span, path, did_you_mean(name, known) or listed)


# ── Selecting ─────────────────────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Selection:
    """Which variants, which options of readings, and which values of parameters."""

    variants: tuple[str, ...] = ()
    readings: tuple[tuple[str, str], ...] = ()
    parameters: tuple[tuple[str, int], ...] = ()


NOTHING_SELECTED = Selection()


def parse_selection(texts: Iterable[str]) -> Selection:
    """A selection from ``NAME``, ``NAME:parameter=3``, ``READING=option`` and ``parameter=3``.

    The last one counts where two contradict each other. Raises `ValueError` for a text that is none of these.
    """
    variants: dict[str, None] = {}
    readings: dict[str, str] = {}
    parameters: dict[str, int] = {}
    for text in texts:
        name, colon, rest = (part.strip() for part in text.partition(":"))
        if colon or "=" not in name:
            variants[name] = None
        for setting in (rest.split(",") if colon else [name] if "=" in name else []):
            key, value = _setting(setting, text)
            if _NUMBER.fullmatch(value):
                parameters[key] = int(value)
            elif colon:
                raise ValueError(f"“{value}” in “{text}” is not a whole number.")
            else:
                readings[key] = value
    return Selection(tuple(variants), tuple(readings.items()), tuple(parameters.items()))


def _setting(setting: str, text: str) -> tuple[str, str]:
    key, _, value = (part.strip() for part in setting.partition("="))
    if not key or not value:
        raise ValueError(f"“{text}” is not of the form NAME, NAME:PARAMETER=NUMBER or NAME=VALUE.")
    return key, value


def resolve(
    document: Document, selection: Selection = NOTHING_SELECTED, players: int | None = None
) -> tuple[CardSet | None, Findings]:
    """The game of a document under a selection; ``None`` if the selection or the game that results is wrong.

    With `players` it is also checked that the variants suit that many.
    """
    tree, findings = resolve_tree(document, selection, players)
    if tree is None:
        return None, findings
    model, more = build(tree, _order(document, selection.variants), dict(selection.readings))
    findings = ordered((*findings, *more))
    return (None if has_errors(findings) else model), findings


def resolve_tree(
    document: Document, selection: Selection = NOTHING_SELECTED, players: int | None = None
) -> tuple[Mapping | None, Findings]:
    """As `resolve`, but the merged tree instead of the model."""
    findings = [*_reading_findings(document, selection), *allowed(document, selection.variants, players, selection)]
    if findings:
        return None, ordered(findings)
    root, merge_findings = _apply(document, selection)
    findings += merge_findings
    if selection != NOTHING_SELECTED and not has_errors(findings):
        findings += validate(root)
    findings = list(ordered(findings))
    return (None if has_errors(findings) else root), tuple(findings)


def allowed(
    document: Document,
    names: Iterable[str],
    players: int | None = None,
    selection: Selection = NOTHING_SELECTED,
) -> Findings:
    """Why these variants can't be played together by so many players; empty if they can.

    The `selection` gives readings and parameters, which matter to what variants need and write.
    """
    names = tuple(names)
    known = {variant.id: variant for variant in document.variants}
    unknown = [name for name in names if name not in known]
    if unknown:
        return tuple(_unknown("unknown-variant", "variant", name, known, _said(name)) for name in unknown)
    active = tuple(known[name] for name in names)
    return ordered(
        (
            *_missing(active),
            *_excluded(active),
            *_unsuitable(document, active, players, selection),
            *_collisions(document, active, selection),
        )
    )


def _said(text: str) -> Span:
    """The place of what was said on a command line."""
    return Span(Source("selection", text), 0, len(text))


def _missing(active: tuple[VariantInfo, ...]) -> Iterator[Diagnostic]:
    names = {variant.id for variant in active}
    for variant in active:
        for name in variant.requires:
            if name not in names:
                message = f"The variant “{variant.id}” needs the variant “{name}” too."
                yield _selected("variant-needs", message, variant, "requires it here")


def _selected(code: str, message: str, variant: VariantInfo, related: str, hint: str = "") -> Diagnostic:
    return Diagnostic(
        code, "error", message, _said(variant.id), f"/variants/{variant.id}", hint, (Related(related, variant.span),)
    )


def _excluded(active: tuple[VariantInfo, ...]) -> Iterator[Diagnostic]:
    for one, other in pairs_of(active, 2):
        if other.id in one.excludes or one.id in other.excludes:
            message = f"The variants “{one.id}” and “{other.id}” exclude each other."
            yield _selected("variant-conflict", message, other, "declared here", "Choose one of them.")
        elif one.group is not None and one.group == other.group:
            message = f"The variants “{one.id}” and “{other.id}” are both of the group “{one.group}”: choose one."
            yield _selected("variant-conflict", message, other, "declared here", "Choose one of them.")


def _unsuitable(
    document: Document, active: tuple[VariantInfo, ...], players: int | None, selection: Selection
) -> Iterator[Diagnostic]:
    if players is None:
        return
    facts = _facts(document, active, players, selection)
    for variant in active:
        if variant.needs is not None and not _holds(variant.needs, facts):
            message = f"The variant “{variant.id}” needs {variant.needs.text}, and there are {players} players."
            related = (Related("needed here", variant.needs.span),)
            path = f"/variants/{variant.id}/needs"
            yield Diagnostic("variant-needs", "error", message, _said(variant.id), path, "", related)


def _facts(
    document: Document, active: tuple[VariantInfo, ...], players: int, selection: Selection
) -> dict[str, int]:
    """What a variant's needs can be about: the players and the parameters in force."""
    parameters = {own.id: own.default for own in _parameters(document, active)}
    return {"players": players, **parameters, **dict(selection.parameters)}


def _parameters(document: Document, active: Iterable[VariantInfo]) -> Iterator[Parameter]:
    from draftengine.cardset.build import read_parameters

    yield from read_parameters(Reader(document.root, ""))
    for variant in active:
        yield from variant.parameters


def _holds(formula: Formula, facts: dict[str, int]) -> bool:
    return bool(constant_value(formula.expr, facts))
