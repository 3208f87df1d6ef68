"""Completions at a place: keys, values and all names of the game, also inside formulas."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from draftengine.apps.lsp.context import cursor
from draftengine.apps.lsp.names import declared
from draftengine.apps.lsp.shapes import place
from draftengine.model.checks.names import FACTS
from draftengine.model.language.builtins import BUILTINS
from draftengine.model.library.library import shipped

if TYPE_CHECKING:
    from collections.abc import Iterator

    from draftengine.apps.lsp.context import Cursor
    from draftengine.apps.lsp.names import Name
    from draftengine.apps.lsp.shapes import Place
    from draftengine.apps.lsp.texts import DocumentInfo

_SECTIONS = {
    "card": ("cards",), "applies_to": ("cards", "family"), "family": ("family",), "forms": ("cards",),
    "from": ("zones",), "to": ("zones",), "zone": ("zones",), "shuffle": ("zones",), "gather": ("zones",),
    "clear": ("zones",), "starts_in": ("zones",), "until_empty": ("zones",), "marker": ("markers",),
    "chip": ("chips",), "roll": ("counters",), "tables": ("cards",), "hands": ("cards",), "moves": ("cards",),
}  # fmt: skip
"""Keys whose values are names from certain sections only."""

_ZONES = ("deck", "hand", "tableau", "discard")
_OF_VARIANTS = frozenset({"excludes", "requires", "builds_on", "variants"})
_AMOUNTS = frozenset({"adds", "then", "add", "set"})


class CompletionItem(Struct, frozen=True):
    """Completion with its kind and description."""

    text: str
    kind: str
    detail: str = ""
    about: str = ""


def offers(known: DocumentInfo, offset: int) -> list[CompletionItem]:
    """Return all completions at an offset, each once."""
    where = cursor(known.source.text, offset)
    candidates = _values(known, where) if where.key is not None else _keys(known, where)
    return list({offer.text: offer for offer in candidates}.values())


def _keys(known: DocumentInfo, where: Cursor) -> Iterator[CompletionItem]:
    here = _place(known, where.path, where)
    for key, shape in here.keys.items():
        if key not in where.present:
            yield CompletionItem(key, "key", shape.get("title", ""), shape.get("description", ""))
    names = _names(known)
    last = where.path[-1] if where.path else ""
    inner = where.path[3:] if where.path[:1] == ("variants",) and where.path[2:3] == ("changes",) else where.path
    if last in _AMOUNTS:
        yield from (_named(name) for name in names if name.declares in {"counters", "adds"})
    elif len(inner) == 1:
        spaces = {"scoring": "rule", "modifiers": "modifier", "abilities": "ability", "triggers": "trigger"}
        spaces |= {"variants": "variant", "readings": "reading", "steps": "step"}
        wanted = spaces.get(last)
        for name in names:
            if (name.declares == last or (wanted and name.space == wanted)) and name.text not in where.present:
                yield _named(name)
    elif last == "points" and "expect" in where.path:
        yield from (_named(name) for name in names if name.space == "rule")
    elif "tables" in where.path:
        yield from (_named(name) for name in names if name.declares == "cards")


def _values(known: DocumentInfo, where: Cursor) -> Iterator[CompletionItem]:
    path = where.whole_path
    keys = [part for part in path if not part.isdecimal()]
    last = keys[-1] if keys else ""
    names = _names(known)
    if last in {"extends", "cardset"}:
        yield from (CompletionItem(name, "file", "card set") for name in shipped())
        return
    if last in _OF_VARIANTS:
        yield from (_named(name) for name in names if name.space == "variant")
        return
    if last == "source":
        yield from (_named(name) for name in names if name.space == "statement")
        return
    here = _place(known, path, where)
    yield from (CompletionItem(value, "value") for value in here.values)
    sections = _SECTIONS.get(last)
    if sections and not here.takes_formula:
        yield from (_named(name) for name in names if name.declares in sections)
        yield from (CompletionItem(zone, "zones", "zone") for zone in _ZONES if "zones" in sections)
    elif here.takes_formula or last in _AMOUNTS or "name" in here.names or "names" in here.names:
        yield from (_named(name) for name in names if name.space == "shared")
        yield from (CompletionItem(fact, "fact", "fact") for fact in sorted(FACTS))
        yield from (
            CompletionItem(function.name, "function", function.signature, function.doc)
            for function in BUILTINS.values()
        )


def _place(known: DocumentInfo, path: tuple[str, ...], where: Cursor) -> Place:
    tree = known.last_tree
    extends = "extends:" in known.source.text if tree is None else tree.get("extends") is not None
    return place(path, where.kinds, extends=extends, scenarios=known.is_scenarios)


def _names(known: DocumentInfo) -> list[Name]:
    """Return the names of the game, and those that the text itself already has."""
    names: dict[tuple[str, str], Name] = {}
    for tree in (known.merged, known.last_tree):
        if tree is not None:
            names |= declared(tree)
    return list(names.values())


def _named(name: Name) -> CompletionItem:
    return CompletionItem(name.text, name.declares, name.declares.removesuffix("s") if name.declares else name.space)
