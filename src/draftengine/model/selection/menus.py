"""Menus: named lists of variants that are played together, and how many of a group a game allows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from draftengine.model.diagnostics.catalog import diagnose
from draftengine.model.diagnostics.diagnostic import Diagnostic, Related
from draftengine.model.selection.errors import unknown_name
from draftengine.model.yaml.tree import Mapping, Scalar, Sequence

if TYPE_CHECKING:
    from collections.abc import Iterator

    from draftengine.model.cardset.records import VariantInfo
    from draftengine.model.selection.document import Document
    from draftengine.model.selection.selection import Selection
    from draftengine.model.yaml.tree import Entry

OF, DEFAULT = "of", "default"
"""Keys of `menus`: the number of variants of each group, and the menu if nothing is chosen."""


def menus_in(root: Mapping) -> dict[str, tuple[str, ...]]:
    """Return the variants of each named menu."""
    return {entry.key.text: tuple(name for name, _ in _named(entry)) for entry in _menus(root)}


def allowances_in(root: Mapping) -> dict[str, int]:
    """Return how many variants of a group may be played together, for groups that allow other than one."""
    menus = root.get("menus")
    node = menus.get(OF) if isinstance(menus, Mapping) else None
    numbers = [(entry.key.text, entry.value) for entry in node.entries] if isinstance(node, Mapping) else []
    return {name: value.value for name, value in numbers if isinstance(value, Scalar) and isinstance(value.value, int)}


def default_in(root: Mapping) -> Scalar | None:
    """Return the node with the name of the default menu, or ``None``."""
    menus = root.get("menus")
    node = menus.get(DEFAULT) if isinstance(menus, Mapping) else None
    return node if isinstance(node, Scalar) else None


def with_menus(document: Document, selection: Selection) -> Selection:
    """Return the selection with menus replaced by their variants, filled up from the default menu."""
    menus = menus_in(document.root)
    named = (variant for name in selection.variants for variant in menus.get(name, (name,)))
    chosen = tuple(dict.fromkeys(named))
    return replace(selection, variants=(*chosen, *_filling(document, menus, chosen)))


def _filling(document: Document, menus: dict[str, tuple[str, ...]], chosen: tuple[str, ...]) -> Iterator[str]:
    """Yield the variants of the default menu that groups still lack, without those that a choice excludes."""
    default = default_in(document.root)
    if default is None:
        return
    groups = {variant.id: variant.group for variant in document.variants}
    excluded = {name for variant in document.variants if variant.id in chosen for name in variant.excludes}
    excluded |= {variant.id for variant in document.variants if not set(variant.excludes).isdisjoint(chosen)}
    missing = allowances_in(document.root)
    for group in map(groups.get, chosen):
        if group in missing:
            missing[group] -= 1
    for name in menus.get(str(default.value), ()):
        group = groups.get(name)
        if name not in (*chosen, *excluded) and group is not None and missing.get(group, 0) > 0:
            missing[group] -= 1
            yield name


def mistaken_menus(root: Mapping, variants: tuple[VariantInfo, ...]) -> Iterator[Diagnostic]:
    """Yield unknown groups or variants, too many of a group, and menus named like a variant."""
    known = {variant.id: variant for variant in variants}
    allowed = allowances_in(root)
    groups = {variant.group for variant in variants if variant.group is not None}
    menus = root.get("menus")
    of = menus.entry(OF) if isinstance(menus, Mapping) else None
    for entry in of.value.entries if of is not None and isinstance(of.value, Mapping) else ():
        if entry.key.text not in groups:
            yield unknown_name(
                "unknown-variant", "group of variants", entry.key.text, groups, entry.key.span, "/menus/of"
            )
    yield from _mistaken_default(root, known)
    for entry in _menus(root):
        path = f"/menus/{entry.key.text}"
        if entry.key.text in known:
            related = (Related("the variant", known[entry.key.text].span),)
            yield diagnose("name-clash", entry.key.span, path, say="menu", related=related, name=entry.key.text)
        count: dict[str, int] = {}
        for name, node in _named(entry):
            if name not in known:
                yield unknown_name("unknown-variant", "variant", name, known, node.span, path)
                continue
            group = known[name].group
            count[group or ""] = count.get(group or "", 0) + 1
            if group is not None and count[group] == allowed.get(group, 1) + 1:
                most = allowed.get(group, 1)
                yield diagnose(
                    "variant-conflict",
                    node.span,
                    path,
                    say="menu",
                    menu=entry.key.text,
                    most=most,
                    group=group,
                    more=most + 1,
                )


def _mistaken_default(root: Mapping, known: dict[str, VariantInfo]) -> Iterator[Diagnostic]:
    """Yield a finding if the default is no menu, or has too few variants of a group."""
    default, menus = default_in(root), menus_in(root)
    if default is None:
        return
    name, path = str(default.value), "/menus/default"
    if name not in menus:
        yield unknown_name("unknown-variant", "menu", name, menus, default.span, path)
        return
    groups = [known[variant].group for variant in menus[name] if variant in known]
    for group, wanted in allowances_in(root).items():
        if (count := groups.count(group)) < wanted:
            yield diagnose(
                "variant-needs", default.span, path, say="menu", name=name, count=count, group=group, wanted=wanted
            )


def _menus(root: Mapping) -> tuple[Entry, ...]:
    menus = root.get("menus")
    entries = menus.entries if isinstance(menus, Mapping) else ()
    return tuple(entry for entry in entries if entry.key.text not in {OF, DEFAULT})


def _named(entry: Entry) -> Iterator[tuple[str, Scalar]]:
    for node in entry.value.items if isinstance(entry.value, Sequence) else ():
        if isinstance(node, Scalar):
            yield str(node.value), node
