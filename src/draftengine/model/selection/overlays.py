"""Applies a selection: first its readings, then its variants are merged into the tree.

*Menus* are named lists of variants that are played together. For each group of variants, a file can limit the number
that may be played together. This module also warns if a variant of an extended file overrules a new entry.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from draftengine.model.diagnostics import Diagnostic, Related, diagnose
from draftengine.model.loading.overlay import MergeResult, inside_overlay, merge, pointer, same
from draftengine.model.records.reader import Reader
from draftengine.model.selection.errors import place_said, unknown_name
from draftengine.model.selection.selection import with_node, with_number
from draftengine.model.yaml.tree import Entry, Key, Mapping, Scalar, Sequence, below, entries_of, put
from draftengine.support.identity import IdentityKey
from draftengine.support.locale.phrases import quoted, said

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from draftengine.model.cardset.choices import VariantInfo
    from draftengine.model.records.reader import Texts
    from draftengine.model.selection.document import Document
    from draftengine.model.selection.selection import Selection
    from draftengine.support.source import Span


class Overlay(Struct, frozen=True):
    """The changes of a variant, or of an option of a reading."""

    id: str
    path: tuple[str, ...]
    """The path of the changes in the tree."""
    builds_on: frozenset[str]

    def merge(self, root: Mapping, changes_in: Mapping) -> MergeResult:
        """Merge the changes of the overlay into `root`.

        The changes are read from the tree `changes_in`, because readings may have changed the changes of variants.
        """
        return _merged(self.path, IdentityKey(root), IdentityKey(changes_in))


@lru_cache(8)
def _merged(path: tuple[str, ...], root: IdentityKey[Mapping], changes_in: IdentityKey[Mapping]) -> MergeResult:
    """Return the merged tree. Cached, because it is needed twice: to compare and to apply the overlay."""
    node = below(changes_in.own, path)
    change = node if isinstance(node, Mapping) else Mapping((), root.own.span)
    return merge(root.own, change, "/" + "/".join(path))


def overlays_of(document: Document, selection: Selection) -> tuple[list[Overlay], list[Overlay]]:
    """Return the selected readings and the selected variants, each in the order of application."""
    chosen = dict(selection.readings)
    readings = [
        Overlay(
            reading.id,
            ("readings", reading.id, "options", chosen.get(reading.id, reading.default), "changes"),
            frozenset(),
        )
        for reading in document.readings
    ]
    infos = {variant.id: variant for variant in document.variants}
    variants = [
        Overlay(name, ("variants", name, "changes"), _foundations(name, infos))
        for name in in_order(document, selection.variants)
    ]
    return readings, variants


def _foundations(name: str, infos: dict[str, VariantInfo]) -> frozenset[str]:
    """Return all overlays on which a variant builds, directly or indirectly."""
    names: set[str] = set()
    waiting = [name]
    while waiting:
        info = infos.get(waiting.pop())
        new = set(info.builds_on) - names if info else set()
        names |= new
        waiting += new
    return frozenset(names)


def in_order(document: Document, names: Iterable[str]) -> tuple[str, ...]:
    """Return the variants in the order in which they are applied.

    This is the order in the file, but a variant comes after those on which it builds.
    """
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


def apply(document: Document, selection: Selection) -> MergeResult:
    """Return the tree with the overlays and parameters of a selection applied, and the mistakes.

    The selected value of a parameter becomes its default. Other selected numbers replace numbers in the tree.
    """
    readings, variants = overlays_of(document, selection)
    read = _merged_in_turn(readings, MergeResult(document.root, (), ()), document.root)
    varied = _merged_in_turn(variants, read, read.root)
    root = varied.root
    for overlay in variants:
        brought = Reader(read.root, "").at("variants").at(overlay.id).at("parameters").node
        for parameter in brought.entries:
            entry = root.entry("parameters") or Entry(Key("parameters", brought.span), Mapping((), brought.span))
            known = entry.value if isinstance(entry.value, Mapping) else Mapping((), brought.span)
            root = put(root, Entry(entry.key, put(known, parameter)))
    for name, value in selection.parameters:
        if below(root, ("parameters", name)) is None:
            root = with_number(root, name, Scalar(value, place_said(f"{name}={value}")))
        elif (default := below(root, ("parameters", name, "default"))) is not None:  # else the schema reports it
            root = with_node(root, ("parameters", name, "default"), Scalar(value, default.span))
    return replace(varied, root=root)


def _merged_in_turn(overlays: list[Overlay], base: MergeResult, source: Mapping) -> MergeResult:
    for overlay in overlays:
        merged = overlay.merge(base.root, source)
        base = MergeResult(merged.root, (*base.findings, *merged.findings), (*base.writes, *merged.writes))
    return base


OF, DEFAULT, TITLES = "of", "default", "titles"
"""Keys of `menus` that are no menus: limits for groups, the default menu, and titles."""


def menus_in(root: Mapping) -> dict[str, tuple[str, ...]]:
    """Return the variants of each named menu."""
    return {entry.key.text: tuple(name for name, _ in _named(entry)) for entry in _menus(root)}


def allowances_in(root: Mapping) -> dict[str, int]:
    """Return, for each group with a limit, the number of its variants that may be played together."""
    node = below(root, ("menus", OF))
    numbers = [(entry.key.text, entry.value) for entry in node.entries] if isinstance(node, Mapping) else []
    return {name: value.value for name, value in numbers if isinstance(value, Scalar) and isinstance(value.value, int)}


def menu_titles_in(root: Mapping) -> dict[str, Texts]:
    """Return the titles that the file states for menus and for groups of variants, by name."""
    titles = Reader(root, "").at("menus").at(TITLES)
    return {entry.key.text: titles.texts(entry.key.text) for entry in titles.node.entries}


def default_in(root: Mapping) -> Scalar | None:
    """Return the node with the name of the default menu; ``None`` if there is none."""
    node = below(root, ("menus", DEFAULT))
    return node if isinstance(node, Scalar) else None


def with_menus(document: Document, selection: Selection) -> Selection:
    """Return the selection with menus replaced by their variants, completed from the default menu.

    A variant of the default menu is added only if its group has too few variants, and if no chosen variant excludes it.
    """
    menus = menus_in(document.root)
    chosen = tuple(dict.fromkeys(variant for name in selection.variants for variant in menus.get(name, (name,))))
    groups = {variant.id: variant.group for variant in document.variants}
    excluded = {name for variant in document.variants if variant.id in chosen for name in variant.excludes}
    excluded |= {variant.id for variant in document.variants if not set(variant.excludes).isdisjoint(chosen)}
    missing = allowances_in(document.root)
    for group in map(groups.get, chosen):
        if group in missing:
            missing[group] -= 1
    default, added = default_in(document.root), list[str]()
    for name in menus.get(str(default.value), ()) if default is not None else ():
        group = groups.get(name)
        if name not in (*chosen, *added, *excluded) and group is not None and missing.get(group, 0) > 0:
            missing[group] -= 1
            added.append(name)
    return replace(selection, variants=(*chosen, *added))


def mistaken_menus(root: Mapping, variants: tuple[VariantInfo, ...]) -> Iterator[Diagnostic]:
    """Yield findings about `menus`: unknown names, too many variants of a group, names of variants."""
    known = {variant.id: variant for variant in variants}
    allowed = allowances_in(root)
    groups = {variant.group for variant in variants if variant.group is not None}
    for key, what, names in ((OF, "group-of-variants", groups), (TITLES, "menu", {*menus_in(root), *groups})):
        node = below(root, ("menus", key))
        for entry in entries_of(node):
            if entry.key.text not in names:
                yield unknown_name("unknown-variant", what, entry.key.text, names, entry.key.span, f"/menus/{key}")
    default, listed, path = default_in(root), menus_in(root), "/menus/default"
    name = "" if default is None else str(default.value)
    if default is not None and name not in listed:
        yield unknown_name("unknown-variant", "menu", name, listed, default.span, path)
    elif default is not None:  # without another choice, it must not have too few variants of a group
        of_default = [known[variant].group for variant in listed[name] if variant in known]
        for of, wanted in ((of, wanted) for of, wanted in allowed.items() if of_default.count(of) < wanted):
            number, span = of_default.count(of), default.span
            yield diagnose("variant-needs", span, path, say="menu", name=name, count=number, group=of, wanted=wanted)
    for entry in _menus(root):
        path = f"/menus/{entry.key.text}"
        if entry.key.text in known:
            related = (Related(said("finding.the-variant"), known[entry.key.text].span),)
            yield diagnose("name-clash", entry.key.span, path, say="menu", related=related, name=entry.key.text)
        count: dict[str, int] = {}
        for name, node in _named(entry):
            if name not in known:
                yield unknown_name("unknown-variant", "variant", name, known, node.span, path)
                continue
            group = known[name].group
            count[group or ""] = count.get(group or "", 0) + 1
            if group is not None and count[group] == allowed.get(group, 1) + 1:
                most, menu, say = allowed.get(group, 1), entry.key.text, "menu"
                place, more = node.span, most + 1
                yield diagnose("variant-conflict", place, path, say=say, menu=menu, most=most, group=group, more=more)


def _menus(root: Mapping) -> tuple[Entry, ...]:
    menus = root.get("menus")
    entries = entries_of(menus)
    return tuple(entry for entry in entries if entry.key.text not in {OF, DEFAULT, TITLES})


def _named(entry: Entry) -> Iterator[tuple[str, Scalar]]:
    for node in entry.value.items if isinstance(entry.value, Sequence) else ():
        if isinstance(node, Scalar):
            yield str(node.value), node


_SHORT = 60
"""The length from which a hint shortens a value."""


def variant_overrides(base: Mapping, changes: Mapping, merged: Mapping) -> Iterator[Diagnostic]:
    """Yield a warning for each new entry that a variant of the extended file overrules when it is applied."""
    for section, change in ((each.key.text, entry) for each in changes.entries for entry in entries_of(each.value)):
        name, old = change.key.text, base.get(section)
        if section == "steps":
            continue  # `steps` changes existing steps and adds no entry of its own
        if inside_overlay((section, name, "changes")) or (isinstance(old, Mapping) and old.get(name)):
            continue
        brings = _brought(merged, section, change.key)
        if brings is None:
            continue
        variant, there, values = brings
        others = [(entry, values.get(entry.key.text)) for entry in entries_of(change.value)]
        differing = [entry for entry, other in others if other is not None and not same(entry.value, other)]
        if differing:
            stated = []
            for entry in differing:  # on one line, with “…” for a long value
                span = entry.value.span
                text = span.source.text[span.start : span.end].strip()
                short = len(text) < _SHORT and "\n" not in text
                cut = "…" if isinstance(entry.value, Scalar) else "{…}"
                stated.append(f"{entry.key.text}: {text if short else cut}")
            yield diagnose(
                "overlay-overruled",
                change.key.span,
                pointer((section, name)),
                related=(Related(said("finding.brought-here"), there),),
                variant=variant,
                name=name,
                other=quoted(entry.key.text for entry in differing),
                there=f"variants: {{{variant}: {{changes: {{{section}: {{{name}: {{{', '.join(stated)}}}}}}}}}}}",
            )


def _brought(root: Mapping, section: str, name: Key) -> tuple[str, Span, Mapping] | None:
    """Return the first variant of another file that adds `name` to `section`, its position and its value."""
    variants = root.get("variants")
    for variant in entries_of(variants):
        inside = below(variant.value, ("changes", section))
        entry = inside.entry(name.text) if isinstance(inside, Mapping) else None
        if entry is not None and isinstance(entry.value, Mapping) and entry.key.span.source is not name.span.source:
            return variant.key.text, entry.key.span, entry.value
    return None
