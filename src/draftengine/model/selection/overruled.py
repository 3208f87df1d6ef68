"""Finds what a file adds in vain, because variants of the extended file overrule it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from draftengine.model.diagnostics.catalog import diagnose
from draftengine.model.diagnostics.diagnostic import Related
from draftengine.model.loading.overlay import inside_overlay, pointer, same
from draftengine.model.yaml.tree import Mapping, Scalar, below, entries_of
from draftengine.support.locale.phrases import quoted, said

if TYPE_CHECKING:
    from collections.abc import Iterator

    from draftengine.model.diagnostics.diagnostic import Diagnostic
    from draftengine.model.yaml.tree import Entry, Key
    from draftengine.support.source import Span

_SHORT = 60
"""A hint shows a value in full if it is shorter than this."""


def variant_overrides(base: Mapping, changes: Mapping, merged: Mapping) -> Iterator[Diagnostic]:
    """Yield warnings about new entries that a variant overrules, because it is applied later."""
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
            stated = ", ".join(map(_on_a_line, differing))
            yield diagnose(
                "overlay-overruled",
                change.key.span,
                pointer((section, name)),
                related=(Related(said("finding.brought-here"), there),),
                variant=variant,
                name=name,
                other=quoted(entry.key.text for entry in differing),
                there=f"variants: {{{variant}: {{changes: {{{section}: {{{name}: {{{stated}}}}}}}}}}}",
            )


def _brought(root: Mapping, section: str, name: Key) -> tuple[str, Span, Mapping] | None:
    """Return the first variant of another file that adds `name` to `section`, with its place and value."""
    variants = root.get("variants")
    for variant in entries_of(variants):
        inside = below(variant.value, ("changes", section))
        entry = inside.entry(name.text) if isinstance(inside, Mapping) else None
        if entry is not None and isinstance(entry.value, Mapping) and entry.key.span.source is not name.span.source:
            return variant.key.text, entry.key.span, entry.value
    return None


def _on_a_line(entry: Entry) -> str:
    """Return an entry as text on one line, with “…” for a long value."""
    span = entry.value.span
    text = span.source.text[span.start : span.end].strip()
    short = len(text) < _SHORT and "\n" not in text
    return f"{entry.key.text}: {text if short else '…' if isinstance(entry.value, Scalar) else '{…}'}"
