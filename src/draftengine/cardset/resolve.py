"""The front door of card sets: from bytes to a document, from a document and a selection to a model.

Opens no files: whoever calls says how the name after `extends` becomes bytes.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Iterable, Iterator
from itertools import combinations as pairs_of
from typing import TYPE_CHECKING, Any

from msgspec import Struct, field
from msgspec.structs import replace

from draftengine.cardset.build import build, player_range, read_parameters, read_readings, read_variants
from draftengine.cardset.load import load, read_source
from draftengine.cardset.overlay import IDENTITY, Merged, Write, collide, explained, merge, pointer, put
from draftengine.cardset.reader import Reader
from draftengine.cardset.schema import MAX_NUMBER, REQUIRED
from draftengine.cardset.tree import Entry, Key, Mapping, Node, Scalar, Sequence, plain
from draftengine.cardset.validate import validate
from draftengine.diagnostics.finding import Diagnostic, Related, has_errors, ordered
from draftengine.diagnostics.suggest import did_you_mean
from draftengine.language.check import NameInfo, Scope, check
from draftengine.language.evaluate import constant_value
from draftengine.source import Source, Span

if TYPE_CHECKING:
    from draftengine.cardset.model import CardSet, Formula, Parameter, ReadingInfo, VariantInfo
    from draftengine.language.check import Mistake

Findings = tuple[Diagnostic, ...]

Fetch = Callable[[str], tuple[str, bytes] | None]
"""From the name after `extends` to the name to show and the bytes; ``None`` if there is no such card set."""

MAX_DEPTH = 8
MAX_COMBINATIONS = 256

_BASE_NAME = re.compile(r"[a-z0-9_-]+(\.ya?ml)?")
_NUMBER = re.compile(r"[+-]?[0-9]{1,9}")


# ── Opening ───────────────────────────────────────────────────────────────────────────────────────────────────────────


class File(Struct, frozen=True):
    """One file of a document: the name it was asked for by (``""`` for the document itself), its source."""

    asked: str
    source: Source


class Document(Struct, frozen=True):
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
        opener.findings += explained(validate(root), root, opener.writes)
    reader = Reader(root, "")
    variants, readings = read_variants(reader), read_readings(reader)
    opener.findings += [*reader.findings, *_unknown_names(root, variants, readings)]
    if not has_errors(reader.findings):
        opener.findings += [*_mistaken_needs(root, variants), *_unsuitable_defaults(root, variants)]
    findings = ordered(opener.findings)
    if has_errors(findings):
        return None, findings
    return Document(root, tuple(opener.files), variants, readings, findings), findings


class _Opener(Struct):
    fetch: Fetch
    files: list[File] = field(default_factory=list)
    findings: list[Diagnostic] = field(default_factory=list)
    writes: list[Write] = field(default_factory=list)

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
        self.writes += merged.writes
        return Mapping(merged.root.entries, root.span)

    def _fetched(self, asked: str, span: Span) -> tuple[str, bytes] | None:
        found = self.fetch(asked) if _BASE_NAME.fullmatch(asked) else None
        objection = self._objection(asked, found)
        if objection is not None:
            code, message, hint = objection
            self.findings.append(Diagnostic(code, "error", message, span, "/extends", hint))
        return None if objection else found

    def _objection(self, asked: str, found: tuple[str, bytes] | None) -> tuple[str, str, str] | None:
        """Why that can't be extended: code, message, hint."""
        if not _BASE_NAME.fullmatch(asked):
            hint = "Write the id of a shipped card set, or the name of a file in the same folder."
            return "extends-name", f"“{asked}” can't be extended: it is not a plain name.", hint
        if found is None:
            hint = "Name a shipped card set, or a file in the same folder."
            return "extends-unknown", f"There is no card set “{asked}”.", hint
        if found[0] in {file.source.name for file in self.files} or asked in {file.asked for file in self.files}:
            return "extends-cycle", f"By extending “{asked}” this card set extends itself.", "Extend another one."
        if len(self.files) > MAX_DEPTH:
            return "extends-too-deep", f"More than {MAX_DEPTH} card sets extend one another.", "Extend an earlier one."
        return None


def _unknown_names(
    root: Mapping, variants: tuple[VariantInfo, ...], readings: tuple[ReadingInfo, ...]
) -> Iterator[Diagnostic]:
    """What overlays say about other overlays that are not there."""
    names = [variant.id for variant in variants]
    overlays = [*names, *(reading.id for reading in readings)]
    for variant, key in ((own, key) for own in variants for key in ("excludes", "requires", "builds_on")):
        known = overlays if key == "builds_on" else names
        for index, name in enumerate(getattr(variant, key)):
            if name not in known:
                yield _unknown(
                    "unknown-variant", "variant", name, known, *_at(root, "variants", variant.id, key, index)
                )
    for reading in readings:
        options = [option.id for option in reading.options]
        if reading.default not in options:
            place = _at(root, "readings", reading.id, "default")
            yield _unknown("unknown-option", "option", reading.default, options, *place)


def _at(root: Mapping, *path: str | int) -> tuple[Span, str]:
    """The place of a node and its JSON Pointer."""
    node: Node = root
    for part in path:
        below = node.items[int(part)] if isinstance(node, Sequence) else None
        below = node.get(str(part)) if isinstance(node, Mapping) else below
        node = below or node
    return node.span, pointer(tuple(map(str, path)))


def _unsuitable_defaults(root: Mapping, variants: tuple[VariantInfo, ...]) -> Iterator[Diagnostic]:
    """Parameters whose default is not among their values."""
    places = (("parameters",), *(("variants", variant.id, "parameters") for variant in variants))
    own = [read_parameters(Reader(root, "")), *(variant.parameters for variant in variants)]
    for place, parameters in zip(places, own, strict=True):
        for parameter in parameters:
            if parameter.values and parameter.default not in parameter.values:
                span, path = _at(root, *place, parameter.id, "default")
                yield _impossible(parameter, parameter.default, span, path)


def _impossible(parameter: Parameter, value: int, span: Span, path: str = "") -> Diagnostic:
    hint = f"Possible: {', '.join(map(str, parameter.values))}."
    related = (Related("declared here", parameter.span),)
    return Diagnostic("parameter-value", "error", f"“{parameter.id}” can't be {value}.", span, path, hint, related)


def _mistaken_needs(root: Mapping, variants: tuple[VariantInfo, ...]) -> Iterator[Diagnostic]:
    """Mistakes in what variants need, which is asked before there is a game whose formulas could be checked."""
    most = max(player_range(root))
    for variant in variants:
        if variant.needs is not None:
            path = f"/variants/{variant.id}/needs"
            names = {own.id: _info(own) for own in _parameters(root, [variant])}
            names["players"] = NameInfo("fact", 1, most, per_seat=False)
            scope = Scope(names, seat=False, max_seats=most)
            checked = check(variant.needs.expr, scope)
            for own in checked.mistakes:
                yield Diagnostic(own.code, "error", own.message, _part(variant.needs, own), path, own.hint)
            if not checked.mistakes and checked.type != "bool":
                message = "`needs` must be a condition, not a number."
                yield Diagnostic("wrong-type", "error", message, variant.needs.span, path, "Compare: players == 2.")


def _info(parameter: Parameter) -> NameInfo:
    values = (parameter.default, *parameter.values)
    low, high = (min(values), max(values)) if parameter.values else (-MAX_NUMBER, MAX_NUMBER)
    return NameInfo("parameter", low, high, per_seat=False)


def _part(formula: Formula, mistake: Mistake) -> Span:
    """The place of a mistake in a formula; the whole formula if it is not written in one piece."""
    span = formula.span
    offset = span.source.text[span.start : span.end].find(formula.text)
    if offset < 0:
        return span
    start = span.start + offset + mistake.start
    return Span(span.source, start, max(start + 1, span.start + offset + mistake.end))


def _unknown(code: str, what: str, name: str, known: Iterable[str], span: Span, path: str = "") -> Diagnostic:
    known = tuple(known)
    listed = f"Known: {', '.join(known)}." if known else f"This card set has no {what}s."
    return Diagnostic(code, "error", f"There is no {what} “{name}”.", span, path, did_you_mean(name, known) or listed)


# ── Selecting ─────────────────────────────────────────────────────────────────────────────────────────────────────────


class Selection(Struct, frozen=True):
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
            variants[_named(name, text)] = None
        for setting in rest.split(",") if colon else [name] if "=" in name else []:
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
    return _named(key, text), _named(value, text)


def _named(part: str, text: str) -> str:
    """A part of a selection that can't be left out."""
    if not part:
        raise ValueError(f"“{text}” is not of the form NAME, NAME:PARAMETER=NUMBER or NAME=VALUE.")
    return part


def resolve(
    document: Document, selection: Selection = NOTHING_SELECTED, players: int | None = None
) -> tuple[CardSet | None, Findings]:
    """The game of a document under a selection; ``None`` if the selection or the game that results is wrong.

    With `players` it is also checked that the variants suit that many.
    """
    tree, findings = resolve_tree(document, selection, players)
    if tree is None:
        return None, findings
    model, more = model_of(document, selection, tree)
    return model, ordered((*findings, *more))


def model_of(document: Document, selection: Selection, tree: Mapping) -> tuple[CardSet | None, Findings]:
    """The game that the merged tree of a selection describes; ``None`` if it is wrong."""
    model, findings = build(tree, _order(document, selection.variants), dict(selection.readings))
    return (None if has_errors(findings) else model), findings


def resolve_tree(
    document: Document, selection: Selection = NOTHING_SELECTED, players: int | None = None
) -> tuple[Mapping | None, Findings]:
    """As `resolve`, but the merged tree instead of the model."""
    findings = [
        *_reading_findings(document, selection),
        *allowed(document, selection.variants, players, selection),
        *_parameter_findings(document, selection),
    ]
    if findings:
        return None, ordered(findings)
    applied = _apply(document, selection)
    found = ordered((*applied.findings, *_revalidated(document, applied)))
    return (None if has_errors(found) else applied.root), found


def _revalidated(document: Document, applied: Merged) -> Findings:
    """What the schema has against what a selection changed; it had nothing against the document."""
    if applied.root is document.root:
        return ()
    before = {id(entry) for entry in document.root.entries}
    entries = [entry for entry in applied.root.entries if entry.key.text in REQUIRED or id(entry) not in before]
    changed = Mapping(tuple(entries), applied.root.span)
    return explained(validate(changed), applied.root, applied.writes)


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
    excluded = tuple(_excluded(active))
    return ordered(
        (
            *_missing(active),
            *excluded,
            *_unsuitable(document, active, players, selection),
            *(() if excluded else _collisions(document, active, selection)),
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
        if variant.needs is not None and not facts.hold(variant.needs):
            message = f"The variant “{variant.id}” needs {variant.needs.text}, and there are {players} players."
            related = (Related("needed here", variant.needs.span),)
            path = f"/variants/{variant.id}/needs"
            yield Diagnostic("variant-needs", "error", message, _said(variant.id), path, "", related)


class _Facts(Struct, frozen=True):
    """What a variant's needs can be about: the players and the parameters in force."""

    values: dict[str, int]
    seat_count: int

    def constant(self, name: str) -> int | None:
        return self.values.get(name)

    def hold(self, formula: Formula) -> bool:
        return bool(constant_value(formula.expr, self))


def _facts(document: Document, active: tuple[VariantInfo, ...], players: int, selection: Selection) -> _Facts:
    parameters = {own.id: own.default for own in _parameters(document.root, active)}
    return _Facts({"players": players, **parameters, **dict(selection.parameters)}, players)


def _parameters(root: Mapping, active: Iterable[VariantInfo]) -> Iterator[Parameter]:
    yield from read_parameters(Reader(root, ""))
    for variant in active:
        yield from variant.parameters


def _reading_findings(document: Document, selection: Selection) -> Iterator[Diagnostic]:
    known = {reading.id: [option.id for option in reading.options] for reading in document.readings}
    for name, option in selection.readings:
        if name not in known:
            yield _unknown("unknown-reading", "reading", name, known, _said(f"{name}={option}"))
        elif option not in known[name]:
            yield _unknown("unknown-option", "option", option, known[name], _said(option), f"/readings/{name}")


def _parameter_findings(document: Document, selection: Selection) -> Iterator[Diagnostic]:
    active = [variant for variant in document.variants if variant.id in selection.variants]
    known = {own.id: own for own in _parameters(document.root, active)}
    for name, value in selection.parameters:
        said = _said(f"{name}={value}")
        if name not in known:
            yield _unknown("unknown-parameter", "parameter", name, known, said)
        elif known[name].values and value not in known[name].values:
            yield _impossible(known[name], value, said)


# ── Overlays of a selection ───────────────────────────────────────────────────────────────────────────────────────────


class _Overlay(Struct, frozen=True):
    """A variant or an option of a reading as something that is merged."""

    id: str
    path: tuple[str, ...]
    """Where its changes stand."""
    builds_on: frozenset[str]

    def merge(self, root: Mapping, changes_in: Mapping) -> Merged:
        """Apply to `root` what is written in `changes_in` (the tree in which readings may have changed variants)."""
        node: Node | None = changes_in
        for key in self.path:
            node = node.get(key) if isinstance(node, Mapping) else None
        change = node if isinstance(node, Mapping) else Mapping((), root.span)
        return merge(root, change, "/" + "/".join(self.path))


def _overlays(document: Document, selection: Selection) -> tuple[list[_Overlay], list[_Overlay]]:
    """The readings and the variants of a selection, in order of application."""
    chosen = dict(selection.readings)
    readings = [
        _Overlay(own.id, ("readings", own.id, "options", chosen.get(own.id, own.default), "changes"), frozenset())
        for own in document.readings
    ]
    infos = {variant.id: variant for variant in document.variants}
    variants = [
        _Overlay(name, ("variants", name, "changes"), _foundations(name, infos))
        for name in _order(document, selection.variants)
    ]
    return readings, variants


def _foundations(name: str, infos: dict[str, VariantInfo]) -> frozenset[str]:
    """All overlays on which a variant builds, also by way of others."""
    found: set[str] = set()
    waiting = [name]
    while waiting:
        info = infos.get(waiting.pop())
        new = set(info.builds_on) - found if info else set()
        found |= new
        waiting += new
    return frozenset(found)


def _order(document: Document, names: Iterable[str]) -> tuple[str, ...]:
    """Variants in order of application: as declared, but each after those on which it builds."""
    infos = {variant.id: variant for variant in document.variants}
    wanted = set(names)
    left = [name for name in infos if name in wanted]
    done: list[str] = []
    while left:
        ready = (name for name in left if not _foundations(name, infos) & set(left) - {name})
        following = next(ready, left[0])
        left.remove(following)
        done.append(following)
    return tuple(done)


def _collisions(document: Document, active: tuple[VariantInfo, ...], selection: Selection) -> Iterator[Diagnostic]:
    """Overlays that write the same key, neither building on the other."""
    names = tuple(variant.id for variant in active)
    readings, variants = _overlays(document, replace(selection, variants=names))
    brought = {variant.id: _brought(variant) for variant in active}
    written = [
        (overlay, (*overlay.merge(document.root, document.root).writes, *brought.get(overlay.id, ())))
        for overlay in (*readings, *variants)
    ]
    for (one, first), (other, second) in pairs_of([own for own in written if own[1]], 2):
        clash = None if one.id in other.builds_on or other.id in one.builds_on else _clash(first, second)
        if clash is not None:
            yield _collision(one, other, *clash)


def _brought(variant: VariantInfo) -> tuple[Write, ...]:
    """The parameters that a variant declares are keys that it writes."""
    return tuple(Write(("parameters", own.id), own.span, removes=False) for own in variant.parameters)


def _clash(first: tuple[Write, ...], second: tuple[Write, ...]) -> tuple[Write, Write] | None:
    return next(((own, its) for own in first for its in second if collide(own.path, its.path)), None)


def _collision(one: _Overlay, other: _Overlay, first: Write, second: Write) -> Diagnostic:
    key = max(first.path, second.path, key=len)
    message = f"“{one.id}” and “{other.id}” can't be played together: both change {' > '.join(key)}."
    hint = f"Let one of them say `builds_on: [{one.id}]` (or the other way round), and it is applied after the other."
    related = (Related(f"changed by “{one.id}”", first.span), Related(f"changed by “{other.id}”", second.span))
    path = "/" + "/".join(other.path)
    return Diagnostic("variant-conflict", "error", message, _said(other.id), path, hint, related)


def _apply(document: Document, selection: Selection) -> Merged:
    """The tree with the overlays and parameters of a selection, and what was wrong with the overlays."""
    readings, variants = _overlays(document, selection)
    read = _merged_in_turn(readings, Merged(document.root, (), ()), document.root)
    varied = _merged_in_turn(variants, read, read.root)
    root = varied.root
    for overlay in variants:
        root = _with_parameters(root, read.root, overlay.id)
    return replace(varied, root=_with_values(root, selection))


def _merged_in_turn(overlays: list[_Overlay], base: Merged, source: Mapping) -> Merged:
    for overlay in overlays:
        merged = overlay.merge(base.root, source)
        base = Merged(merged.root, (*base.findings, *merged.findings), (*base.writes, *merged.writes))
    return base


def _with_parameters(root: Mapping, source: Mapping, variant: str) -> Mapping:
    """The tree with the parameters that a variant brings."""
    own = Reader(source, "").at("variants").at(variant).at("parameters").node
    if not own.entries:
        return root
    entry = root.entry("parameters")
    base = entry.value if entry and isinstance(entry.value, Mapping) else Mapping((), own.span)
    for parameter in own.entries:
        base = put(base, parameter)
    return put(root, Entry(entry.key if entry else Key("parameters", own.span), base))


def _with_values(root: Mapping, selection: Selection) -> Mapping:
    """The tree with the chosen values of parameters as their defaults."""
    entry = root.entry("parameters")
    for name, value in selection.parameters:
        if entry is not None and isinstance(entry.value, Mapping):
            entry = Entry(entry.key, _with_value(entry.value, name, value))
    return put(root, entry) if entry is not None and selection.parameters else root


def _with_value(parameters: Mapping, name: str, value: int) -> Mapping:
    entry = parameters.entry(name)
    if entry is None or not isinstance(entry.value, Mapping):
        return parameters
    default = entry.value.entry("default")
    key = default.key if default else Key("default", entry.key.span)
    chosen = Entry(key, Scalar(value, default.value.span if default else entry.key.span))
    return put(parameters, Entry(entry.key, put(entry.value, chosen)))


# ── Every configuration ───────────────────────────────────────────────────────────────────────────────────────────────


def combinations(document: Document, players: int, limit: int = MAX_COMBINATIONS) -> tuple[Selection, ...]:
    """All combinations of variants that so many can play, readings at their defaults; the small ones first."""
    names = [variant.id for variant in document.variants]
    apart = {
        frozenset(pair)
        for pair in pairs_of(names, 2)
        if any(own.code == "variant-conflict" for own in allowed(document, pair, players))
    }
    found = (
        Selection(chosen) for chosen in _together(names, apart, 64 * limit) if not allowed(document, chosen, players)
    )
    return tuple(own for own, _ in zip(found, range(limit), strict=False))


def _together(names: list[str], apart: set[frozenset[str]], limit: int) -> Iterator[tuple[str, ...]]:
    """Subsets of `names` in which no two are `apart`: the empty one, then by size; at most `limit`."""
    sets: list[tuple[str, ...]] = [()]
    for index, chosen in zip(range(limit), sets, strict=False):
        yield sets[index]
        start = names.index(chosen[-1]) + 1 if chosen else 0
        for name in names[start:]:
            if len(sets) < limit and all(frozenset((own, name)) not in apart for own in chosen):
                sets.append((*chosen, name))


def single_selections(document: Document) -> tuple[Selection, ...]:
    """The base game, each variant by itself (with those it requires), and each option of a reading by itself."""
    infos = {variant.id: variant for variant in document.variants}
    return (
        NOTHING_SELECTED,
        *(Selection(_order(document, _required(name, infos))) for name in infos),
        *(
            Selection(readings=((reading.id, option.id),))
            for reading in document.readings
            for option in reading.options
            if option.id != reading.default
        ),
    )


def _required(name: str, infos: dict[str, VariantInfo]) -> set[str]:
    found: set[str] = set()
    waiting = [name]
    while waiting:
        own = waiting.pop()
        found.add(own)
        waiting += [other for other in infos[own].requires if other in infos and other not in found]
    return found


def all_findings(document: Document) -> Findings:
    """What is wrong with the base game, with any variant and with any option of a reading, each finding once."""
    found = list(document.findings)
    for selection in single_selections(document):
        found += resolve(document, selection)[1]
    return ordered(found)


# ── As data ───────────────────────────────────────────────────────────────────────────────────────────────────────────

_NAMED = frozenset(
    {"cards", "counters", "modifiers", "abilities", "zones", "extra_seats", "markers", "chips"}
    | {"parameters", "triggers", "scoring", "adds", "then", "add", "set"}
)
"""Keys of mappings from names: their order counts, and their keys are not ours."""

_PRINTED = frozenset({"label", "text", "title", "icon", "source"})
_NOT_RULES = frozenset({"tokens", "title", "version", "about", "variants", "readings", "sources", "examples"})


def document_json(root: Mapping) -> dict[str, Any]:
    """A resolved tree as plain data."""
    data: dict[str, Any] = plain(root)
    return data


def rules_hash(root: Mapping) -> str:
    """SHA-256 of what a resolved tree says about the game, whatever it is called and however it is laid out."""
    rules = {key: _rules(key, value) for key, value in plain(root).items() if key not in _NOT_RULES}
    text = json.dumps(rules, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode("ascii")).hexdigest()


def _rules(key: str, value: Any) -> Any:
    """A value without what is only printed; mappings from names as pairs, so that sorting keeps their order."""
    if isinstance(value, list):
        return [_rules("", item) for item in value]
    if not isinstance(value, dict):
        return value
    if key in _NAMED:
        return [[name, _rules("", own)] for name, own in value.items()]
    return {name: _rules(name, own) for name, own in value.items() if name not in _PRINTED}
