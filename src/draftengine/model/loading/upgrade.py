"""Upgrade of the trees of files of an earlier format to the present one, before anything reads them.

Every node keeps its place, so that findings point into the file as its author wrote it. What becomes of a change may
depend on what it changes: it need not say again what kind a rule has.
"""

from __future__ import annotations

from operator import is_
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from draftengine.model.loading.overlay import names_in
from draftengine.model.rules import COMMON_KEYS, FORMULA, RULE_KINDS, kind_named
from draftengine.model.yaml.tree import Entry, Key, Mapping, Node, Scalar, Sequence, below, plain

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

FORMAT = 2
"""The version of the language; files of earlier ones are upgraded when they are opened."""

_CHANGES = (("variants", "*", "changes"), ("readings", "*", "options", "*", "changes"))
"""Paths of changes in a tree; ``*`` stands for every key."""
_RULES = (("scoring", "*"), ("cards", "*", "scores"))
"""Paths of rules in a tree, or in changes to one."""


def format_of(root: Mapping) -> int:
    """Return the format that a file states; the present one if it states no earlier one."""
    node = root.get("format")
    return 1 if isinstance(node, Scalar) and node.value == 1 and node.value is not True else FORMAT


def upgraded(root: Mapping, base: Mapping | None = None) -> Mapping:
    """Return a tree of format 1 in the present format; `base` is what it changes, in the present format.

    What is upgraded already stays as it is.
    """
    root = with_for(root, base)
    root = _at(root, ("format",), lambda node, _: replace(node, value=FORMAT) if isinstance(node, Scalar) else node)
    nothing = Mapping((), root.span)
    rules = _with_kinds(root, _Around(base or nothing, nothing, tuple(_overlays(root))))
    whole = rules if base is None else base
    return _with_changes(rules, _Around(whole, rules, (*_overlays(rules), *_overlays(whole))))


def with_for(root: Mapping, base: Mapping | None) -> Mapping:
    """Return a tree of format 1 with `for` in place of `series` and `each`."""
    return _with_each(with_series(root), base)


def with_series(root: Mapping) -> Mapping:
    """Return a tree of format 1 with `for` in place of each `series`."""
    return _Repeats("series", lambda node: node).root(root)


def _with_each(root: Mapping, base: Mapping | None) -> Mapping:
    """Return a tree of format 1 with `for` in place of each `each`.

    That went through the cards in their order, not in that of its list.
    """
    entries = [entry for tree in (base, root) for entry in _entries(below(tree, ("cards",)))]

    def ordered(node: Node) -> Node:
        if not isinstance(node, Sequence):
            return node
        named = {item.value: item for item in node.items if isinstance(item, Scalar)}
        cards = [entry for entry in entries if not below(entry.value, ("forms",))]
        family = {card.key.text: below(card.value, ("family",)) for card in cards}
        meant = [(card, [*names_in(node)] if node is not None else []) for card, node in family.items()]
        members = {
            card: named.get(card) or next(named[family] for family in families if family in named)
            for card, families in meant
            if card in named or not named.keys().isdisjoint(families)
        }
        return Sequence(tuple(replace(item, value=card) for card, item in members.items()) or node.items, node.span)

    return _Repeats("each", ordered).root(root)


class _Repeats(Struct, frozen=True):
    """A rewriter of the entries that stand for many: cards, and the ways of a choice."""

    key: str
    """Key of format 1 that says so."""
    values: Callable[[Node], Node]
    """Function from what stood behind a letter to what stands there now."""

    def root(self, root: Mapping) -> Mapping:
        cards = _at(root, ("cards", "*"), lambda node, _: self._own(node))
        return _shared(
            cards, tuple(Entry(entry.key, self._ways(entry.value, entry.key.text)) for entry in cards.entries)
        )

    def _ways(self, node: Node, key: str) -> Node:
        if isinstance(node, Sequence):
            items = tuple(self._ways(item, "") for item in node.items)
            return node if all(map(is_, items, node.items)) else Sequence(items, node.span)
        if not isinstance(node, Mapping) or key in {"examples", "sources"}:
            return node
        inside = (self._ways(entry.value, entry.key.text) for entry in node.entries)
        values = map(self._own, inside) if key == "as" else inside
        return _shared(node, tuple(map(Entry, (entry.key for entry in node.entries), values)))

    def _own(self, node: Node) -> Node:
        """Return an entry with `for` in place of the key."""
        stated = node.entry(self.key) if isinstance(node, Mapping) else None
        if stated is None or not isinstance(node, Mapping) or not isinstance(stated.value, Mapping):
            return node
        letters = tuple(Entry(letter.key, self.values(letter.value)) for letter in stated.value.entries)
        spec = Entry(Key("for", stated.key.span), _shared(stated.value, letters))
        return Mapping(tuple(spec if entry is stated else entry for entry in node.entries), node.span)


def _shared(node: Mapping, entries: tuple[Entry, ...]) -> Mapping:
    """Return a mapping with other values; the same one if no value differs."""
    same = all(one.value is other.value for one, other in zip(entries, node.entries, strict=True))
    return node if same else Mapping(entries, node.span)


def _entries(node: Node | None) -> tuple[Entry, ...]:
    return node.entries if isinstance(node, Mapping) else ()


class _Around(Struct, frozen=True):
    """The trees in which rules stand that a change may be about."""

    whole: Mapping
    """The game that is changed: its rules have all that they need."""
    below: Mapping
    """Changes of the file itself to that game."""
    beside: tuple[Mapping, ...]
    """Other changes, which may bring rules."""
    under: tuple[Mapping, ...] = ()
    """Changes of the variants that a change builds on, the nearest first."""

    def of_variant(self, name: str) -> _Around:
        """Return the trees around the changes of a variant."""
        variants = {
            entry.key.text: entry.value for tree in (self.whole, self.below) for entry in _entries(tree.get("variants"))
        }
        names = [name]
        for lower in names:
            stated = below(variants.get(lower), ("builds_on",))
            names += [other for other in (names_in(stated) if stated is not None else ()) if other not in names]
        under = (tree for lower in names[1:] if lower in variants for tree in _mappings(variants[lower], "changes"))
        return replace(self, under=tuple(under))

    def rule(self, place: tuple[str, ...], change: Node) -> _RuleBefore:
        """Return the rule at a place that is changed, as far as it is known."""
        known = (*self.under, self.below, self.whole)
        for tree in known if below(change, ("kind",)) else (*known, *self.beside):
            rule = below(tree, place)
            if isinstance(rule, Mapping) and (kind := _kind(rule, whole=tree is self.whole)):
                return _RuleBefore(kind, rule)
        return _RuleBefore(is_new=bool(self.whole.entries))


def _with_kinds(root: Mapping, around: _Around) -> Mapping:
    for path in _RULES:
        root = _at(root, path, lambda node, place: _rule(node, around.rule(place, node)))
    return root


def _with_changes(root: Mapping, around: _Around) -> Mapping:
    def change(node: Node, place: tuple[str, ...]) -> Node:
        here = around.of_variant(place[1]) if place[0] == "variants" else around
        return _with_changes(_with_kinds(node, here), here) if isinstance(node, Mapping) else node

    for path in _CHANGES:
        root = _at(root, path, change)
    return root


def _at(root: Mapping, path: tuple[str, ...], change: Callable[[Node, tuple[str, ...]], Node]) -> Mapping:
    """Return the tree with every node at a path changed; parts without any are shared."""

    def inside(node: Node, place: tuple[str, ...]) -> Node:
        if len(place) == len(path):
            return change(node, place)
        if not isinstance(node, Mapping):
            return node
        entries = tuple(
            Entry(entry.key, inside(entry.value, (*place, entry.key.text)))
            if path[len(place)] in {"*", entry.key.text}
            else entry
            for entry in node.entries
        )
        return _shared(node, entries)

    changed = inside(root, ())
    assert isinstance(changed, Mapping), "a path has at least one key"
    return changed


def _overlays(root: Mapping) -> Iterator[Mapping]:
    """Yield the changes of a tree's variants and readings."""
    for variant in _values(root.get("variants")):
        yield from _mappings(variant, "changes")
    for reading in _values(root.get("readings")):
        for option in _values(below(reading, ("options",))):
            yield from _mappings(option, "changes")


def _values(node: Node | None) -> tuple[Node, ...]:
    return tuple(entry.value for entry in _entries(node))


def _mappings(node: Node, key: str) -> Iterator[Mapping]:
    value = below(node, (key,))
    if isinstance(value, Mapping):
        yield value


class _RuleBefore(Struct, frozen=True):
    """The rule that a change is about, as far as it is known."""

    kind: str = ""
    """Empty if it is unknown."""
    parts: Mapping | None = None
    is_new: bool = False
    """True if a change brings the rule, as far as is known."""

    def part(self, key: str) -> Node | None:
        """Return the value of a key, or what is counted for ``of``."""
        if self.parts is None:
            return None
        value = self.parts.get(key)
        return self.parts.get(self.kind) if key == "of" and value is None else value


def _kind(rule: Mapping, *, whole: bool) -> str:
    """Return the kind that a rule of either format has; empty for a change that does not say it."""
    node = rule.get("kind")
    if isinstance(node, Scalar) and node.value in RULE_KINDS:
        return str(node.value)
    return kind_named({entry.key.text for entry in rule.entries}) or (FORMULA if whole else "")


def _rule(node: Node, before: _RuleBefore) -> Node:
    """Return a rule, or a change to one, with its kind as a key, as in ``{set: soup}``."""
    if not isinstance(node, Mapping):
        return node
    stated = node.entry("kind")
    kind = str(stated.value.value) if stated is not None and isinstance(stated.value, Scalar) else before.kind
    if kind not in RULE_KINDS:
        return node
    entries = list(_with_kind(node.entries, stated, kind))
    if kind == FORMULA and before.is_new:  # a number alone would change the points of another rule
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
    """Yield the entries of a rule; what it counts stands where its kind stood, if that is another place."""
    of = next((entry for entry in entries if entry.key.text == "of" and kind != FORMULA), None)
    beside = stated is not None and of in entries[entries.index(stated) + 1 :][:1]
    for entry in entries:
        if of is not None and entry is (of if stated is None or beside else stated):
            yield Entry(Key(kind, entry.key.span), of.value)
        elif entry is not stated and entry is not of:
            yield entry


def _of_another_kind(entries: list[Entry], stated: Entry, kind: str, before: _RuleBefore) -> list[Entry]:
    """Return a change of the kind with all that the rule keeps: now it says such a rule anew."""
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
