"""Checks of a document before a game is made from it: names of overlays, defaults, and `needs`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from draftengine.model import limits
from draftengine.model.cardset.choices import read_parameters
from draftengine.model.diagnostics import Diagnostic, Related, diagnose
from draftengine.model.diagnostics.suggest import did_you_mean, known_names
from draftengine.model.language.check import check
from draftengine.model.language.environment import NameInfo, Scope
from draftengine.model.loading.macros import player_range
from draftengine.model.loading.overlay import pointer
from draftengine.model.records.reader import Reader
from draftengine.model.yaml.fixes import renamed
from draftengine.model.yaml.tree import Mapping, Node, Sequence
from draftengine.support.locale.phrases import said
from draftengine.support.source import Source, Span

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from draftengine.model.cardset.choices import Parameter, ReadingInfo, VariantInfo

Findings = tuple[Diagnostic, ...]


SELECTION = "selection"
"""The name of the source for texts that come from a command line and not from a file."""


def place_of(root: Mapping, *path: str | int) -> tuple[Span, str]:
    """Return the position and the JSON Pointer of a node.

    If there is no such node, the position is that of the innermost node around it.
    """
    node: Node = root
    for part in path:
        below = node.items[int(part)] if isinstance(node, Sequence) else None
        below = node.get(str(part)) if isinstance(node, Mapping) else below
        node = below or node
    return node.span, pointer(tuple(map(str, path)))


def impossible_value(parameter: Parameter, value: int, span: Span, path: str = "") -> Diagnostic:
    """Return the finding that a parameter cannot have a value."""
    related = (Related(said("finding.declared-here"), parameter.span),)
    return diagnose(
        "parameter-value",
        span,
        path,
        related=related,
        parameter=parameter.id,
        value=value,
        possible=", ".join(map(str, parameter.values)),
    )


def unknown_name(code: str, what: str, name: str, known: Iterable[str], span: Span, path: str = "") -> Diagnostic:
    """Return the finding that a name does not exist. Its hint is a similar name, or all known names."""
    known = tuple(known)
    thing = said(f"thing.{what}")
    hint = did_you_mean(name, known) or known_names(known, thing)
    fix = renamed(span, name, known)
    return diagnose(code, span, path, hint=hint, fix=fix, what=thing, name=name)


def place_said(text: str) -> Span:
    """Return the span of a text that comes from a command line."""
    return Span(Source(SELECTION, text), 0, len(text))


def unknown_names(
    root: Mapping, variants: tuple[VariantInfo, ...], readings: tuple[ReadingInfo, ...]
) -> Iterator[Diagnostic]:
    """Yield a finding for each variant, reading or default option that is named but does not exist."""
    names = [variant.id for variant in variants]
    overlays = [*names, *(reading.id for reading in readings)]
    for variant, key in ((variant, key) for variant in variants for key in ("excludes", "requires", "builds_on")):
        known = overlays if key == "builds_on" else names
        for index, name in enumerate(getattr(variant, key)):
            if name not in known:
                yield unknown_name(
                    "unknown-variant", "variant", name, known, *place_of(root, "variants", variant.id, key, index)
                )
    for reading in readings:
        for index, name in enumerate(reading.variants):
            if name not in names:
                place = place_of(root, "readings", reading.id, "variants", index)
                yield unknown_name("unknown-variant", "variant", name, names, *place)
        options = [option.id for option in reading.options]
        if reading.default not in options:
            place = place_of(root, "readings", reading.id, "default")
            yield unknown_name("unknown-option", "option", reading.default, options, *place)


def unsuitable_defaults(root: Mapping, variants: tuple[VariantInfo, ...]) -> Iterator[Diagnostic]:
    """Yield a finding for each parameter whose default is not among its values."""
    places = (("parameters",), *(("variants", variant.id, "parameters") for variant in variants))
    lists = [read_parameters(Reader(root, "")), *(variant.parameters for variant in variants)]
    for place, parameters in zip(places, lists, strict=True):
        for parameter in parameters:
            if parameter.values and parameter.default not in parameter.values:
                span, path = place_of(root, *place, parameter.id, "default")
                yield impossible_value(parameter, parameter.default, span, path)


def mistaken_needs(root: Mapping, variants: tuple[VariantInfo, ...]) -> Iterator[Diagnostic]:
    """Yield findings about the conditions of variants (`needs`), which are evaluated before a game exists."""
    most = max(player_range(root))
    for variant in variants:
        if variant.needs is not None:
            path = f"/variants/{variant.id}/needs"
            names = {"players": NameInfo("fact", 1, most, per_seat=False)}
            for parameter in parameters_of(root, [variant]):
                values = (parameter.default, *parameter.values) if parameter.values else (-limits.NUMBER, limits.NUMBER)
                names[parameter.id] = NameInfo("parameter", min(values), max(values), per_seat=False)
            scope = Scope(names, seat=False, max_seats=most)
            checked = check(variant.needs.expr, scope)
            span = variant.needs.span
            offset = span.source.text[span.start : span.end].find(variant.needs.text)
            for mistake in checked.mistakes:
                place = span
                if offset >= 0:  # else the text is not in one piece
                    start = span.start + offset + mistake.start
                    place = Span(span.source, start, max(start + 1, span.start + offset + mistake.end))
                yield Diagnostic(mistake.code, "error", mistake.text, place, path, mistake.hint)
            if not checked.mistakes and checked.type != "bool":
                yield diagnose("wrong-type", variant.needs.span, path, say="needs")


def parameters_of(root: Mapping, active: Iterable[VariantInfo]) -> Iterator[Parameter]:
    """Yield the parameters of the game, then those of the active variants."""
    yield from read_parameters(Reader(root, ""))
    for variant in active:
        yield from variant.parameters
