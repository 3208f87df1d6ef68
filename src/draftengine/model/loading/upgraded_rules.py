"""Converts rules of format 1: their kind becomes a key, as in ``{set: soup}``.

A change need not repeat the kind of a rule, so its conversion depends on the rule that it changes.
"""

from __future__ import annotations

from operator import is_
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from draftengine.model.loading.overlay import names_in
from draftengine.model.rules import COMMON_KEYS, FORMULA, RULE_KINDS, kind_named
from draftengine.model.yaml.tree import Entry, Key, Mapping, Node, Scalar, below, entries_of, plain

if TYPE_CHECKING:
    from collections.abc import Iterator


class Around(Struct, frozen=True):
    """The trees that are searched for the rule to which a change applies."""

    whole: Mapping
    """The tree of the game that is changed. Its rules are complete."""
    below: Mapping
    """The changes that the file itself makes to the game."""
    beside: tuple[Mapping, ...]
    """Other changes, which may contain new rules."""
    under: tuple[Mapping, ...] = ()
    """The changes of the variants on which a variant builds, nearest first."""

    def of_variant(self, name: str) -> Around:
        """Return the trees that are searched for rules that a variant changes."""
        variants = {
            entry.key.text: entry.value
            for tree in (self.whole, self.below)
            for entry in entries_of(tree.get("variants"))
        }
        names = [name]
        for lower in names:
            stated = below(variants.get(lower), ("builds_on",))
            names += [other for other in (names_in(stated) if stated is not None else ()) if other not in names]
        under = (below(variants.get(lower), ("changes",)) for lower in names[1:])
        return replace(self, under=tuple(tree for tree in under if isinstance(tree, Mapping)))

    def rule(self, place: tuple[str, ...], change: Node) -> RuleBefore:
        """Return the facts about the rule at `place`, to which `change` applies."""
        known = (*self.under, self.below, self.whole)
        for tree in known if below(change, ("kind",)) else (*known, *self.beside):
            rule = below(tree, place)
            if isinstance(rule, Mapping) and (kind := _kind(rule, whole=tree is self.whole)):
                return RuleBefore(kind, rule)
        return RuleBefore(is_new=bool(self.whole.entries))


class RuleBefore(Struct, frozen=True):
    """The known facts about a rule before a change."""

    kind: str = ""
    """The kind; empty if it is unknown."""
    parts: Mapping | None = None
    is_new: bool = False
    """True if the change adds the rule, as far as is known."""

    def part(self, key: str) -> Node | None:
        """Return the value of a key. For ``of``, it may be under the kind of the rule instead."""
        if self.parts is None:
            return None
        value = self.parts.get(key)
        return self.parts.get(self.kind) if key == "of" and value is None else value


def _kind(rule: Mapping, *, whole: bool) -> str:
    """Return the kind of a rule in either format; empty for a change that names no kind."""
    node = rule.get("kind")
    if isinstance(node, Scalar) and node.value in RULE_KINDS:
        return str(node.value)
    return kind_named({entry.key.text for entry in rule.entries}) or (FORMULA if whole else "")


def rule_with_kind(node: Node, before: RuleBefore) -> Node:
    """Return a rule, or a change to one, with its kind as a key, as in ``{set: soup}``."""
    if not isinstance(node, Mapping):
        return node
    stated = node.entry("kind")
    kind = str(stated.value.value) if stated is not None and isinstance(stated.value, Scalar) else before.kind
    counts = kind == FORMULA or "of" in {entry.key.text for entry in node.entries}
    if kind not in RULE_KINDS or (before.is_new and not counts):
        return node
    entries = list(_with_kind(node.entries, stated, kind))
    if kind == FORMULA and before.is_new:  # a number alone would change the points of an existing rule
        entries = [
            Entry(entry.key, replace(entry.value, value=str(entry.value.value)))
            if entry.key.text == "points" and isinstance(entry.value, Scalar)
            else entry
            for entry in entries
        ]
    if stated is not None and before.kind not in {"", kind}:
        entries = _of_another_kind(entries, stated, kind, before)
    unchanged = len(entries) == len(node.entries) and all(map(is_, entries, node.entries))
    return node if unchanged else Mapping(tuple(entries), node.span)


def _with_kind(entries: tuple[Entry, ...], stated: Entry | None, kind: str) -> Iterator[Entry]:
    """Yield the entries of a rule, with ``set: soup`` instead of ``kind: set`` and ``of: soup``.

    The new entry takes the place of `kind`. It takes that of `of` if there is no `kind`, or if `of` directly follows.
    """
    of = next((entry for entry in entries if entry.key.text == "of" and kind != FORMULA), None)
    beside = stated is not None and of in entries[entries.index(stated) + 1 :][:1]
    for entry in entries:
        if of is not None and entry is (of if stated is None or beside else stated):
            yield Entry(Key(kind, entry.key.span), of.value)
        elif entry is not stated and entry is not of:
            yield entry


def _of_another_kind(entries: list[Entry], stated: Entry, kind: str, before: RuleBefore) -> list[Entry]:
    """Return the entries of a change that gives a rule another kind.

    In the present format, the change must also repeat everything that the rule keeps.
    """
    has = (*COMMON_KEYS, *RULE_KINDS[kind].properties)
    entries = [entry for entry in entries if entry.key.text in has or plain(entry.value) is not None]
    if kind == FORMULA:
        entries.insert(0, Entry(Key(before.kind, stated.key.span), Scalar(None, stated.value.span)))
    stated_keys = {entry.key.text for entry in entries}
    for key in RULE_KINDS[kind].properties:
        kept = before.part("of" if key == kind else key)
        if key not in stated_keys and kept is not None:
            entries.insert(0 if key == kind else len(entries), Entry(Key(key, stated.key.span), kept))
    return entries
