"""Explains errors in a merged tree by the overlays that caused them, and gives hints about changes."""

from __future__ import annotations

import re
from types import MappingProxyType
from typing import TYPE_CHECKING

from msgspec.structs import replace

from draftengine.model.diagnostics.suggest import closest, did_you_mean, is_slip
from draftengine.model.rules import KIND_KEYS
from draftengine.model.yaml.fixes import renamed
from draftengine.model.yaml.tree import Mapping, Node, below, entries_of
from draftengine.support.locale.phrases import said

if TYPE_CHECKING:
    from collections.abc import Iterable

    from draftengine.model.diagnostics import Diagnostic
    from draftengine.model.loading.overlay import OverlayWrite, Path
    from draftengine.support.locale.phrases import Text
    from draftengine.support.source import Span

_WHOLE_WITH = MappingProxyType({"cards": ("count",), "scoring": (*KIND_KEYS, "points")})
"""The keys by which new cards and rules are recognised: each has at least one of them.

An entry without any of them must be a change to an existing card or rule.
"""


def explained(findings: Iterable[Diagnostic], root: Mapping, writes: Iterable[OverlayWrite]) -> tuple[Diagnostic, ...]:
    """Return findings about a merged tree, with the text and hint adapted if an overlay caused them."""
    by_path = {write.path: write for write in writes}
    paths = (
        tuple(part.replace("~1", "/").replace("~0", "~") for part in finding.path.split("/")[1:])
        for finding in findings
    )
    return tuple(_explained(finding, path, root, by_path) for finding, path in zip(findings, paths, strict=True))


def _explained(finding: Diagnostic, path: Path, root: Mapping, writes: dict[Path, OverlayWrite]) -> Diagnostic:
    if finding.code == "required-key":
        removed = (write for write in writes.values() if write.removes and write.path[:-1] == path)
        for write in (write for write in removed if write.path[-1] in finding.missing):
            name = write.path[-1]
            text, hint = said("required-key.removed", name=name), said("hint.delete-line")
            if is_unwritten(write.span):
                text, hint = said("overlay-patches-nothing.empty", name=name), said("hint.write-value")
            return replace(finding, text=text, span=write.span, advice=hint, fix=None, names=(name,))
        if path in writes:
            source = writes[path].span.source
            siblings = (entry.key.text for entry in entries_of(below(root, path[:-1])) if entry.key.text != path[-1])
            beside = {sibling: writes.get((*path[:-1], sibling)) for sibling in siblings}
            known = [name for name, write in beside.items() if write is None or write.span.source is not source]
            meant = closest(path[-1], known)
            slip = [meant] if meant and is_slip(path[-1], meant, known) else []
            meant_hint = did_you_mean(path[-1], slip) or where_it_is(root, path, writes[path].span)
            fix = renamed(finding.span, path[-1], slip) or finding.fix
            return replace(finding, advice=meant_hint or finding.advice, fix=fix)
    elif finding.code == "one-verb" and path in writes and finding.related:
        return replace(finding, advice=said("hint.instead-of-the-other"))
    return finding


def is_unwritten(key: Span) -> bool:
    """True if an entry is empty: nothing follows its key, not even ``null``."""
    return re.match(r"""["']?[ ]*:[ ]*(?:#.*)?(?:[,}\n]|$)""", key.source.text[key.end :]) is not None


def where_it_is(root: Mapping, path: Path, span: Span) -> Text:
    """Return a hint that a variant or card declares the entry at `path`; empty if none does."""
    if len(path) != 2:  # noqa: PLR2004 (a section and a name)
        return ""
    section, name = path
    if section == "scoring" and below(root, ("cards", name, "scores")) is not None:
        return said("hint.rule-on-card", text=f"cards: {{{name}: {{scores: {{…}}}}}}")
    section_node = root.get("variants")
    variants = entries_of(section_node)
    around = [
        variant
        for variant in variants
        if variant.value.span.source is span.source and variant.value.span.start < span.start
    ]
    inside = next((variant for variant in around if span.end <= variant.value.span.end), None)
    for variant in variants:
        if variant is not inside and is_whole_entry(section, below(variant.value, ("changes", *path))):
            if inside is not None:
                return said("hint.brought-by-required", variant=variant.key.text, name=name)
            change = f"variants: {{{variant.key.text}: {{changes: {{{section}: {{{name}: {{…}}}}}}}}}}"
            return said("hint.brought-by", variant=variant.key.text, name=name, text=change)
    return ""


def is_whole_entry(section: str, node: Node | None) -> bool:
    """True if an entry of a section can be new, because it has a key that every new entry has."""
    return any(below(node, (key,)) is not None for key in _WHOLE_WITH.get(section, ()))
