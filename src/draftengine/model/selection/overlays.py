"""Applying a selection: readings, then variants, as overlays of the tree."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from draftengine.model.loading.overlay import MergeResult, merge, put
from draftengine.model.loading.reader import Reader
from draftengine.model.selection.errors import place_said
from draftengine.model.selection.number_paths import with_number
from draftengine.model.yaml.tree import Entry, Key, Mapping, Node, Scalar
from draftengine.support.identity import IdentityKey

if TYPE_CHECKING:
    from collections.abc import Iterable

    from draftengine.model.cardset.records import VariantInfo
    from draftengine.model.selection.document import Document
    from draftengine.model.selection.selection import Selection


class Overlay(Struct, frozen=True):
    """A variant or an option of a reading, ready to be merged."""

    id: str
    path: tuple[str, ...]
    """Path of its changes."""
    builds_on: frozenset[str]

    def merge(self, root: Mapping, changes_in: Mapping) -> MergeResult:
        """Apply the overlay to `root`; its changes are read from `changes_in`.

        That is the tree in which readings may have changed the variants.
        """
        return _merged(self.path, IdentityKey(root), IdentityKey(changes_in))


@lru_cache(8)
def _merged(path: tuple[str, ...], root: IdentityKey[Mapping], changes_in: IdentityKey[Mapping]) -> MergeResult:
    """Return the merged tree; cached because the writes of an overlay are needed before it is applied."""
    node: Node | None = changes_in.own
    for key in path:
        node = node.get(key) if isinstance(node, Mapping) else None
    change = node if isinstance(node, Mapping) else Mapping((), root.own.span)
    return merge(root.own, change, "/" + "/".join(path))


def overlays_of(document: Document, selection: Selection) -> tuple[list[Overlay], list[Overlay]]:
    """Return the readings and the variants of a selection, in order of application."""
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
    """Return variants in order of application: as declared, but each after those on which it builds."""
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
    """Return the tree with the overlays and parameters of a selection, and the mistakes of the overlays."""
    readings, variants = overlays_of(document, selection)
    read = _merged_in_turn(readings, MergeResult(document.root, (), ()), document.root)
    varied = _merged_in_turn(variants, read, read.root)
    root = varied.root
    for overlay in variants:
        root = _with_parameters(root, read.root, overlay.id)
    return replace(varied, root=_with_values(root, selection))


def _merged_in_turn(overlays: list[Overlay], base: MergeResult, source: Mapping) -> MergeResult:
    for overlay in overlays:
        merged = overlay.merge(base.root, source)
        base = MergeResult(merged.root, (*base.findings, *merged.findings), (*base.writes, *merged.writes))
    return base


def _with_parameters(root: Mapping, source: Mapping, variant: str) -> Mapping:
    """Return the tree with the parameters that a variant brings."""
    parameters = Reader(source, "").at("variants").at(variant).at("parameters").node
    if not parameters.entries:
        return root
    entry = root.entry("parameters")
    base = entry.value if entry and isinstance(entry.value, Mapping) else Mapping((), parameters.span)
    for parameter in parameters.entries:
        base = put(base, parameter)
    return put(root, Entry(entry.key if entry else Key("parameters", parameters.span), base))


def _with_values(root: Mapping, selection: Selection) -> Mapping:
    """Return the tree with the chosen values: as defaults of parameters, or in place of other numbers."""
    for name, value in selection.parameters:
        entry = root.entry("parameters")
        parameters = entry.value if entry is not None and isinstance(entry.value, Mapping) else None
        if entry is not None and parameters is not None and parameters.get(name) is not None:
            root = put(root, Entry(entry.key, _with_value(parameters, name, value)))
        else:
            root = with_number(root, name, Scalar(value, place_said(f"{name}={value}")))
    return root


def _with_value(parameters: Mapping, name: str, value: int) -> Mapping:
    entry = parameters.entry(name)
    if entry is None or not isinstance(entry.value, Mapping):  # the schema reports it
        return parameters
    default = entry.value.entry("default")
    if default is None:  # the schema reports this too
        return parameters
    chosen = Entry(default.key, Scalar(value, default.value.span))
    return put(parameters, Entry(entry.key, put(entry.value, chosen)))
