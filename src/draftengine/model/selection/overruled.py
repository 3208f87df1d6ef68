"""Warnings about additions of a file that a variant of the extended game overrules."""

from __future__ import annotations

from typing import TYPE_CHECKING

from draftengine.model.diagnostics.catalog import diagnose
from draftengine.model.diagnostics.diagnostic import Diagnostic, Related
from draftengine.model.loading.overlay import inside_overlay, pointer, same
from draftengine.model.yaml.tree import Mapping, Scalar
from draftengine.support.locale.english_lists import join_list

if TYPE_CHECKING:
    from collections.abc import Iterator

    from draftengine.model.yaml.tree import Entry, Key

_SHORT = 60
"""The length below which a hint shows a value in full."""


def variant_overrides(base: Mapping, changes: Mapping, merged: Mapping) -> Iterator[Diagnostic]:
    """Yield warnings about new entries for which a variant, applied later, has other values."""
    for section, change in _named(changes):
        old = base.get(section)
        if section == "steps":
            continue  # `steps` changes existing steps and adds no entry of its own
        if inside_overlay((section, change.key.text, "changes")) or (
            isinstance(old, Mapping) and old.get(change.key.text)
        ):
            continue
        brings = _brought(merged, section, change.key)
        keys = [entry.key.text for entry in _entries(change) if brings is not None and _differs(entry, brings[1])]
        if brings is not None and keys:
            yield _told(section, change, keys, *brings)


def _named(root: Mapping) -> Iterator[tuple[str, Entry]]:
    """Yield all entries of a file's sections, each with its section."""
    for section in root.entries:
        for entry in section.value.entries if isinstance(section.value, Mapping) else ():
            yield section.key.text, entry


def _entries(entry: Entry) -> tuple[Entry, ...]:
    return entry.value.entries if isinstance(entry.value, Mapping) else ()


def _brought(root: Mapping, section: str, name: Key) -> tuple[str, Entry] | None:
    """Return the first variant of another file that brings this name, and its entry."""
    for variant, overlay in _named(root):
        changes = overlay.value.get("changes") if variant == "variants" and isinstance(overlay.value, Mapping) else None
        inside = changes.get(section) if isinstance(changes, Mapping) else None
        entry = inside.entry(name.text) if isinstance(inside, Mapping) else None
        if entry is not None and isinstance(entry.value, Mapping) and entry.key.span.source is not name.span.source:
            return overlay.key.text, entry
    return None


def _differs(entry: Entry, other: Entry) -> bool:
    """True if the other entry has another value under this key."""
    value = other.value.get(entry.key.text) if isinstance(other.value, Mapping) else None
    return value is not None and not same(entry.value, value)


def _told(section: str, change: Entry, keys: list[str], variant: str, brought: Entry) -> Diagnostic:
    name = change.key.text
    values = [_written(entry) for entry in _entries(change) if entry.key.text in keys]
    there = f"variants: {{{variant}: {{changes: {{{section}: {{{name}: {{{', '.join(values)}}}}}}}}}}}"
    other = join_list([f"“{key}”" for key in keys])
    related = (Related("it is brought here", brought.key.span),)
    path = pointer((section, name))
    return diagnose(
        "overlay-overruled",
        change.key.span,
        path,
        related=related,
        variant=variant,
        name=name,
        other=other,
        there=there,
    )


def _written(entry: Entry) -> str:
    """Return a key with its value, or with “…” if the value is long."""
    span = entry.value.span
    text = span.source.text[span.start : span.end].strip()
    short = len(text) < _SHORT and "\n" not in text
    return f"{entry.key.text}: {text if short else '…' if isinstance(entry.value, Scalar) else '{…}'}"
