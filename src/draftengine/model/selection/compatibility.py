"""Checks whether variants can be played together, and lists the selections that can be played."""

from __future__ import annotations

from itertools import combinations as pairs_of
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from draftengine.model.cardset.facts import Constants
from draftengine.model.diagnostics import Diagnostic, Related, diagnose, ordered
from draftengine.model.diagnostics.suggest import did_you_mean
from draftengine.model.language.evaluate import constant_value
from draftengine.model.language.tree import Comparison, Name, Number
from draftengine.model.loading.overlay import OverlayWrite, collide
from draftengine.model.selection.errors import Findings, impossible_value, parameters_of, place_said, unknown_name
from draftengine.model.selection.overlays import (
    Overlay,
    allowances_in,
    apply,
    default_in,
    in_order,
    menus_in,
    overlays_of,
    with_menus,
)
from draftengine.model.selection.selection import NOTHING_SELECTED, Selection, numbers_of
from draftengine.support.identity import by_identity
from draftengine.support.locale.phrases import said

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from draftengine.model.cardset.choices import Parameter, VariantInfo
    from draftengine.model.selection.document import Document
    from draftengine.support.source import Span


def allowed(
    document: Document, names: Iterable[str], players: int | None = None, selection: Selection = NOTHING_SELECTED
) -> Findings:
    """Return the reasons why these variants cannot be played together; empty if they can.

    Their conditions (`needs`) are only checked if `players` is given. Readings and parameters of `selection` are taken
    into account, because they influence the needs and the changes of variants.
    """
    names = tuple(names)
    known = {variant.id: variant for variant in document.variants}
    unknown = [name for name in names if name not in known]
    if unknown:
        every = [*known, *menus_in(document.root)]
        return tuple(unknown_name("unknown-variant", "variant", name, every, place_said(name)) for name in unknown)
    active = tuple(known[name] for name in names)
    missing = [
        diagnose(
            "variant-needs",
            place_said(variant.id),
            f"/variants/{variant.id}",
            say="other",
            related=(Related(said("finding.requires-it-here"), variant.span),),
            variant=variant.id,
            name=name,
        )
        for variant in active
        for name in variant.requires
        if name not in names
    ]
    excluded = tuple(_excluded(active, allowances_in(document.root)))
    return ordered(
        (
            *missing,
            *excluded,
            *_too_many(active, allowances_in(document.root)),
            *_unsuitable(document, active, players, selection),
            *(() if excluded else _collisions(document, active, selection)),
        )
    )


def _declared(variant: VariantInfo) -> tuple[Span, str, tuple[Related, ...]]:
    """Return the position and path for findings about a selected variant, and its declaration as related."""
    return place_said(variant.id), f"/variants/{variant.id}", (Related(said("finding.declared-here"), variant.span),)


def _excluded(active: tuple[VariantInfo, ...], allowances: dict[str, int]) -> Iterator[Diagnostic]:
    for one, other in pairs_of(active, 2):
        place, path, related = _declared(other)
        if other.id in one.excludes or one.id in other.excludes:
            yield diagnose("variant-conflict", place, path, say="excluded", related=related, one=one.id, other=other.id)
        elif one.group is not None and one.group == other.group and one.group not in allowances:
            yield diagnose(
                "variant-conflict",
                place,
                path,
                say="group",
                related=related,
                one=one.id,
                other=other.id,
                group=one.group,
            )


def _too_many(active: tuple[VariantInfo, ...], allowances: dict[str, int]) -> Iterator[Diagnostic]:
    """Yield a finding for each group with more selected variants than `of` in `menus` allows."""
    for group, most in allowances.items():
        chosen = [variant for variant in active if variant.group == group]
        if len(chosen) > most:
            listed = ", ".join(variant.id for variant in chosen)
            place, path, related = _declared(chosen[most])
            yield diagnose(
                "variant-conflict",
                place,
                path,
                say="many",
                related=related,
                most=most,
                group=group,
                count=len(chosen),
                listed=listed,
            )


def _unsuitable(
    document: Document, active: tuple[VariantInfo, ...], players: int | None, selection: Selection
) -> Iterator[Diagnostic]:
    """Yield a finding for each variant whose `needs` is false for these players and parameters."""
    if players is None:
        return
    parameters = {parameter.id: parameter.default for parameter in parameters_of(document.root, active)}
    facts = Constants({"players": players, **parameters, **dict(selection.parameters)}, players, players)
    for variant in active:
        needs = variant.needs
        if needs is None or constant_value(needs.expr, facts):
            continue
        say = "formula"
        needed: dict[str, Any] = {"needed": needs.text}
        match needs.expr:
            case Comparison(op, Name("players"), Number(number)) if op in _SO_MANY:
                say, needed = _SO_MANY[op], {"number": number}

        yield diagnose(
            "variant-needs",
            place_said(variant.id),
            f"/variants/{variant.id}/needs",
            say=say,
            related=(Related(said("finding.needed-here"), needs.span),),
            variant=variant.id,
            players=players,
            **needed,
        )


_SO_MANY = {"==": "exactly", "<": "fewer", "<=": "at_most", ">": "more", ">=": "at_least"}


def reading_findings(document: Document, selection: Selection) -> Iterator[Diagnostic]:
    """Yield a finding for each selected reading, or option of a reading, that does not exist."""
    known = {reading.id: [option.id for option in reading.options] for reading in document.readings}
    for name, option in selection.readings:
        if name not in known:
            yield unknown_name("unknown-reading", "reading", name, known, place_said(f"{name}={option}"))
        elif option not in known[name]:
            yield unknown_name("unknown-option", "option", option, known[name], place_said(option), f"/readings/{name}")


def parameter_findings(document: Document, selection: Selection) -> Iterator[Diagnostic]:
    """Yield findings about selected parameters and numbers that do not exist, or have a wrong value."""
    active = [variant for variant in document.variants if variant.id in selection.variants]
    known = {parameter.id: parameter for parameter in parameters_of(document.root, active)}
    for name, value in selection.parameters:
        span = place_said(f"{name}={value}")
        if name not in known:
            numbers = numbers_of(apply(document, replace(selection, parameters=())).root)
            if name not in numbers:
                near = numbers if did_you_mean(name, numbers) else ()
                yield unknown_name("unknown-parameter", "parameter", name, [*known, *near], span)
        elif known[name].values and value not in known[name].values:
            yield impossible_value(known[name], value, span)


def _collisions(document: Document, active: tuple[VariantInfo, ...], selection: Selection) -> Iterator[Diagnostic]:
    """Yield a finding for each pair of overlays that change the same key, unless one builds on the other."""
    readings, variants = overlays_of(document, replace(selection, variants=tuple(variant.id for variant in active)))
    known = _written(document)
    writes: dict[Overlay, tuple[OverlayWrite, ...]] = {}
    for overlay in (*readings, *variants):
        if overlay not in known:
            known[overlay] = overlay.merge(document.root, document.root).writes
        brought = [parameter for variant in active if variant.id == overlay.id for parameter in variant.parameters]
        declared = (OverlayWrite(("parameters", each.id), each.span, removes=False) for each in brought)
        writes[overlay] = (*known[overlay], *declared)
    for (one, first), (other, second) in pairs_of([pair for pair in writes.items() if pair[1]], 2):
        if one.id in other.builds_on or other.id in one.builds_on:
            continue
        clash = next(((write, its) for write in first for its in second if collide(write.path, its.path)), None)
        if clash is not None:
            changed = zip((one, other), clash, strict=True)
            key = max(clash[0].path, clash[1].path, key=len)
            yield diagnose(
                "variant-conflict",
                place_said(other.id),
                "/" + "/".join(other.path),
                say="variants",
                related=tuple(Related(said("finding.changed-by", name=by.id), write.span) for by, write in changed),
                one=one.id,
                other=other.id,
                listed=" > ".join(key),
            )


@by_identity(4)
def _written(_document: Document) -> dict[Overlay, tuple[OverlayWrite, ...]]:
    """Return a dictionary for the changes of each overlay of a document. It is a cache, empty at first."""
    return {}


MAX_COMBINATIONS = 256


def combinations(document: Document, players: int, limit: int = MAX_COMBINATIONS) -> tuple[Selection, ...]:
    """Return up to `limit` combinations of variants for a number of players, smallest first.

    All readings have their defaults. In a game with a default menu, the variants of menus are combined only as in the
    menus.
    """
    menus = _menus_played(document)
    of_menus = {name for menu in menus for name in menu}
    names = [variant.id for variant in document.variants if variant.id not in of_menus]
    apart = {
        frozenset(pair)
        for pair in pairs_of(names, 2)
        if any(finding.code == "variant-conflict" for finding in allowed(document, pair, players))
    }
    selections = (
        Selection(chosen)
        for others in _together(names, apart, 64 * limit)
        for chosen in ([in_order(document, (*menu, *others)) for menu in menus] or [others])
        if not allowed(document, chosen, players)
    )
    return tuple(selection for selection, _ in zip(selections, range(limit), strict=False))


def _menus_played(document: Document) -> list[tuple[str, ...]]:
    """Return the variants of every menu, the default menu first; empty if the game has no default menu.

    For each variant of a group that is in no menu, a menu is made and completed from the default menu.
    """
    named = menus_in(document.root).values()
    if default_in(document.root) is None:
        return []
    listed, groups = {name for menu in named for name in menu}, allowances_in(document.root)
    others = [variant.id for variant in document.variants if variant.group in groups and variant.id not in listed]
    asked = [(), *named, *((name,) for name in others)]
    filled = [in_order(document, with_menus(document, Selection(chosen)).variants) for chosen in asked]
    return list(dict.fromkeys(filled))


def _together(names: list[str], apart: set[frozenset[str]], limit: int) -> Iterator[tuple[str, ...]]:
    """Yield up to `limit` subsets of `names`, smallest first. No pair in `apart` is in a subset."""
    sets: list[tuple[str, ...]] = [()]
    for index, chosen in zip(range(limit), sets, strict=False):
        yield sets[index]
        start = names.index(chosen[-1]) + 1 if chosen else 0
        for name in names[start:]:
            if len(sets) < limit and all(frozenset((other, name)) not in apart for other in chosen):
                sets.append((*chosen, name))


def single_selections(document: Document) -> tuple[Selection, ...]:
    """Return the smallest selections: none, each single variant, each menu, and each option of a reading.

    With a variant, the variants that it requires are selected, too.
    """
    infos = {variant.id: variant for variant in document.variants}
    menus = _menus_played(document)
    of_menus = {name for menu in menus for name in menu}
    named = menus[1:] if menus else [in_order(document, menu) for menu in menus_in(document.root).values()]
    return (
        NOTHING_SELECTED,
        *(Selection(in_order(document, _required(name, infos))) for name in infos if name not in of_menus),
        *map(Selection, named),
        *(
            Selection(readings=((reading.id, option.id),))
            for reading in document.readings
            for option in reading.options
            if option.id != reading.default
        ),
    )


def extreme_selections(document: Document) -> Iterator[Selection]:
    """Yield selections with the smallest and largest value of each parameter that lists its values."""
    infos = {variant.id: variant for variant in document.variants}
    declared: list[tuple[tuple[str, ...], Iterable[Parameter]]] = [
        ((), parameters_of(document.root, ())),
        *((in_order(document, _required(variant.id, infos)), variant.parameters) for variant in document.variants),
    ]
    for variants, parameters in declared:
        for parameter in parameters:
            for value in sorted(
                {min(parameter.values), max(parameter.values)} - {parameter.default} if parameter.values else ()
            ):
                yield Selection(variants, parameters=((parameter.id, value),))


def _required(name: str, infos: dict[str, VariantInfo]) -> set[str]:
    names: set[str] = set()
    waiting = [name]
    while waiting:
        current = waiting.pop()
        names.add(current)
        waiting += [other for other in infos[current].requires if other in infos and other not in names]
    return names
