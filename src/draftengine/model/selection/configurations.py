"""Selections of a document that can be played."""

from __future__ import annotations

from itertools import combinations as pairs_of
from typing import TYPE_CHECKING

from draftengine.model.selection.compatibility import allowed
from draftengine.model.selection.menus import allowances_in, default_in, menus_in, with_menus
from draftengine.model.selection.names import parameters_of
from draftengine.model.selection.overlays import in_order
from draftengine.model.selection.selection import NOTHING_SELECTED, Selection

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from draftengine.model.cardset.records import Parameter, VariantInfo
    from draftengine.model.selection.document import Document

MAX_COMBINATIONS = 256


def combinations(document: Document, players: int, limit: int = MAX_COMBINATIONS) -> tuple[Selection, ...]:
    """Return the variant combinations for this number of players, smallest first, readings at default.

    Where a game is always played with a menu, its variants are combined as in its menus. At most `limit` are returned.
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
    """Return the variants of every menu, the default first; empty if the game has no default menu.

    A variant of a group that no menu lists is added as well, filled up from the default.
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
    """Yield subsets of `names` in which no two are `apart`: the empty one, then by size; at most `limit`."""
    sets: list[tuple[str, ...]] = [()]
    for index, chosen in zip(range(limit), sets, strict=False):
        yield sets[index]
        start = names.index(chosen[-1]) + 1 if chosen else 0
        for name in names[start:]:
            if len(sets) < limit and all(frozenset((other, name)) not in apart for other in chosen):
                sets.append((*chosen, name))


def single_selections(document: Document) -> tuple[Selection, ...]:
    """Return the base game, then each variant (with those it requires), menu and option by itself."""
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
    """Yield the smallest and largest value of each parameter that lists its values, one at a time."""
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
