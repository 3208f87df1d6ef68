"""Upgrades files in an earlier format: their trees are converted to the present format before use.

Every node keeps its position, so that findings refer to the file as its author wrote it. A change to a rule need not
repeat the kind of the rule, so its conversion depends on the rule that it changes.
"""

from __future__ import annotations

from operator import is_
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from draftengine.model.loading.overlay import names_in
from draftengine.model.loading.sides import CHANGES
from draftengine.model.rules import COMMON_KEYS, FORMULA, RULE_KINDS, kind_named
from draftengine.model.yaml.tree import (
    Entry,
    Key,
    Mapping,
    Node,
    Scalar,
    Sequence,
    at_path,
    below,
    entries_of,
    plain,
    put,
    with_values,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator


class Around(Struct, frozen=True):
    """The trees in which the rule can be found to which a change applies."""

    whole: Mapping
    """The tree of the game to change. Its rules are complete."""
    below: Mapping
    """The changes that the file makes to the game at its top level."""
    beside: tuple[Mapping, ...]
    """Other changes, in which a new rule may be declared."""
    under: tuple[Mapping, ...] = ()
    """The changes of the variants on which a variant builds, nearest first."""

    def of_variant(self, name: str) -> Around:
        """Return the trees in which a rule can be found that a variant changes."""
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

    def declared(self, place: tuple[str, ...]) -> Iterator[Node]:
        """Yield what the trees have at a path, but not the other changes."""
        parts = (below(tree, place) for tree in (*self.under, self.below, self.whole))
        return (part for part in parts if part is not None)

    def rule(self, place: tuple[str, ...], change: Node) -> RuleBefore:
        """Return what is known about the rule at the path `place` before `change` is applied."""
        known = (*self.under, self.below, self.whole)
        for tree in known if below(change, ("kind",)) else (*known, *self.beside):
            rule = below(tree, place)
            if not isinstance(rule, Mapping):
                continue
            # In either format. A change may name no kind, but a whole rule without one is a formula.
            node = rule.get("kind")
            kind = str(node.value) if isinstance(node, Scalar) and node.value in RULE_KINDS else ""
            kind = kind or kind_named({entry.key.text for entry in rule.entries})
            if kind or tree is self.whole:
                return RuleBefore(kind or FORMULA, rule)
        return RuleBefore(is_new=bool(self.whole.entries))


class RuleBefore(Struct, frozen=True):
    """The known properties of a rule before a change."""

    kind: str = ""
    """The kind of the rule; empty if it is unknown."""
    parts: Mapping | None = None
    is_new: bool = False
    """True if the change probably adds the rule, because no tree has it."""

    def part(self, key: str) -> Node | None:
        """Return the value of a key. The value of ``of`` may be under the kind instead: ``set: soup``."""
        if self.parts is None:
            return None
        value = self.parts.get(key)
        return self.parts.get(self.kind) if key == "of" and value is None else value


def rule_with_kind(node: Node, before: RuleBefore) -> Node:
    """Return a rule, or a change to a rule, with its kind as a key: ``{set: soup}``."""
    if not isinstance(node, Mapping):
        return node
    stated = node.entry("kind")
    kind = str(stated.value.value) if stated is not None and isinstance(stated.value, Scalar) else before.kind
    counts = kind == FORMULA or "of" in {entry.key.text for entry in node.entries}
    if kind not in RULE_KINDS or (before.is_new and not counts):
        return node
    # ``set: soup`` replaces ``kind: set`` and ``of: soup``. It takes the place of `kind`. It takes that of `of` if
    # there is no `kind`, or if `of` directly follows.
    of = next((entry for entry in node.entries if entry.key.text == "of" and kind != FORMULA), None)
    beside = stated is not None and of in node.entries[node.entries.index(stated) + 1 :][:1]
    entries = []
    for entry in node.entries:
        if of is not None and entry is (of if stated is None or beside else stated):
            entries.append(Entry(Key(kind, entry.key.span), of.value))
        elif entry is not stated and entry is not of:
            entries.append(entry)
    if kind == FORMULA and before.is_new:  # a number alone would change the points of an existing rule
        entries = [
            Entry(entry.key, replace(entry.value, value=str(entry.value.value)))
            if entry.key.text == "points" and isinstance(entry.value, Scalar)
            else entry
            for entry in entries
        ]
    if stated is not None and before.kind not in {"", kind}:
        # In the present format, a change of the kind must also repeat everything that the rule keeps.
        has = (*COMMON_KEYS, *RULE_KINDS[kind].properties)
        entries = [entry for entry in entries if entry.key.text in has or plain(entry.value) is not None]
        if kind == FORMULA:
            entries.insert(0, Entry(Key(before.kind, stated.key.span), Scalar(None, stated.value.span)))
        stated_keys = {entry.key.text for entry in entries}
        for key in RULE_KINDS[kind].properties:
            kept = before.part("of" if key == kind else key)
            if key not in stated_keys and kept is not None:
                entries.insert(0 if key == kind else len(entries), Entry(Key(key, stated.key.span), kept))
    unchanged = len(entries) == len(node.entries) and all(map(is_, entries, node.entries))
    return node if unchanged else Mapping(tuple(entries), node.span)


FORMAT = 2
"""The number of the present format. Files of earlier formats are upgraded when they are opened."""

_RULES = (("scoring", "*"), ("cards", "*", "scores"))
"""The paths of the rules in a tree, or in changes to it; ``*`` stands for any key."""


def format_of(root: Mapping) -> int:
    """Return 1 if a file states format 1, otherwise the number of the present format."""
    node = root.get("format")
    return 1 if isinstance(node, Scalar) and node.value == 1 and node.value is not True else FORMAT


def upgraded(root: Mapping, base: Mapping | None = None) -> Mapping:
    """Return a tree of format 1 in the present format. Parts in the present format stay as they are.

    `base` is the tree that it changes, in the present format. First, repeated entries are converted to `for`. Then
    rules of the game get their kinds as keys. Rules in changes come last, because they may leave out parts that the
    changed rule has.
    """
    root = with_who_beside(with_for(root, base))
    root = with_values(root, tuple(Entry(entry.key, _with_hand(entry.value)) for entry in root.entries))
    root = at_path(root, ("format",), lambda node, _: replace(node, value=FORMAT) if isinstance(node, Scalar) else node)
    nothing = Mapping((), root.span)
    rules = _with_kinds(root, Around(base or nothing, nothing, tuple(_overlays(root))))
    whole = rules if base is None else base
    return _with_changes(rules, Around(whole, rules, (*_overlays(rules), *_overlays(whole))))


def with_for(root: Mapping, base: Mapping | None) -> Mapping:
    """Return a tree of format 1 with `for` in place of `series` and `each`."""
    # `each` repeated an entry in the order of the cards, not in the order of its list.
    root = with_series(root)
    cards = [entry for tree in (base, root) for entry in entries_of(below(tree, ("cards",)))]
    families = {
        card.key.text: tuple(names_in(family)) if (family := below(card.value, ("family",))) else ()
        for card in cards
        if not below(card.value, ("forms",))
    }

    def ordered(node: Node) -> Node:
        if not isinstance(node, Sequence):
            return node
        stated = {item.value: item for item in node.items if isinstance(item, Scalar)}
        meant = {
            card: next((stated[name] for name in (card, *around) if name in stated), None)
            for card, around in families.items()
        }
        items = tuple(replace(item, value=card) for card, item in meant.items() if item is not None)
        return Sequence(items or node.items, node.span)

    return _Repeats("each", ordered).rewrite(root)


def with_series(root: Mapping) -> Mapping:
    """Return a tree of format 1 with `for` in place of each `series`."""
    return _Repeats("series", lambda node: node).rewrite(root)


def with_who_beside(root: Mapping) -> Mapping:
    """Return a tree in which the key `who` of a step is next to its verb.

    In files of format 1, and in early files of format 2, `who` is within the verb.
    """
    return with_values(
        root, tuple(Entry(entry.key, _who_beside(entry.value, entry.key.text)) for entry in root.entries)
    )


_ABOUT_CARDS = frozenset({"from", "to", "of", "cards", "exactly", "ask"})
"""Keys of choices and actions that show that the choice is about cards."""
_ASKED_WHO = frozenset({"deal", "draw", "choose", "in_turn"})


def _who_beside(node: Node, key: str = "") -> Node:
    if isinstance(node, Sequence):
        items = tuple(map(_who_beside, node.items))
        return node if all(map(is_, items, node.items)) else Sequence(items, node.span)
    if not isinstance(node, Mapping) or key in {"examples", "sources", "scoring"}:
        return node
    entries: list[Entry] = []
    for entry in node.entries:
        value = _who_beside(entry.value, entry.key.text)
        who = value.entry("who") if isinstance(value, Mapping) and entry.key.text in _ASKED_WHO else None
        if who is not None and isinstance(value, Mapping):
            value = Mapping(tuple(other for other in value.entries if other is not who), value.span)
        entries.append(Entry(entry.key, value))
        entries += [] if who is None else [Entry(who.key, below(who.value, ("holder",)) or who.value)]
    same = len(entries) == len(node.entries)
    return with_values(node, tuple(entries)) if same else Mapping(tuple(entries), node.span)


def _with_hand(node: Node) -> Node:
    """Return a tree in which choices with actions state that cards leave the hand, as format 1 implies."""
    if isinstance(node, Sequence):
        items = tuple(map(_from_hand, map(_with_hand, node.items)))
        return node if all(map(is_, items, node.items)) else Sequence(items, node.span)
    if not isinstance(node, Mapping):
        return node
    return with_values(node, tuple(Entry(entry.key, _with_hand(entry.value)) for entry in node.entries))


def _from_hand(step: Node) -> Node:
    chosen = step.entry("choose") if isinstance(step, Mapping) else None
    if not isinstance(step, Mapping) or chosen is None or not isinstance(chosen.value, Mapping):
        return step
    ways = [way.value for way in entries_of(chosen.value.get("as"))]
    if _says_cards(chosen.value) or all(map(_says_cards, ways)):
        return step
    hand = Entry(Key("from", chosen.key.span), Scalar("hand", chosen.key.span))
    return put(step, Entry(chosen.key, put(chosen.value, hand)))


def _says_cards(node: Node) -> bool:
    return not _ABOUT_CARDS.isdisjoint(entry.key.text for entry in entries_of(node))


class _Repeats(Struct, frozen=True):
    """Converts repeated entries of format 1, which are cards and actions of choices, to `for`."""

    key: str
    """The key with which format 1 repeats an entry."""
    values: Callable[[Node], Node]
    """Converts the values of a letter."""

    def rewrite(self, root: Mapping) -> Mapping:
        """Return a tree in which all repeated entries are converted; the same object if there are none."""
        cards = at_path(root, ("cards", "*"), lambda node, _: self._own(node))
        return with_values(
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
        return with_values(node, tuple(map(Entry, (entry.key for entry in node.entries), values)))

    def _own(self, node: Node) -> Node:
        """Return an entry with the key `for` in place of `key`."""
        stated = node.entry(self.key) if isinstance(node, Mapping) else None
        if stated is None or not isinstance(node, Mapping) or not isinstance(stated.value, Mapping):
            return node
        letters = tuple(Entry(letter.key, self.values(letter.value)) for letter in stated.value.entries)
        spec = Entry(Key("for", stated.key.span), with_values(stated.value, letters))
        return Mapping(tuple(spec if entry is stated else entry for entry in node.entries), node.span)


def _with_kinds(root: Mapping, around: Around) -> Mapping:
    for path in _RULES:
        root = at_path(root, path, lambda node, place: rule_with_kind(node, around.rule(place, node)))
    return at_path(root, ("counters", "*"), lambda node, place: _with_lowest(node, around.declared(place)))


_LOWEST = -10_000


def _with_lowest(counter: Node, before: Iterable[Node]) -> Node:
    """Return a counter, or a change to one that was like `before`, with a `min` that it never reaches.

    In format 1, a counter with `max` alone has no lowest value.
    """
    limits = [{"min", "max", "die"} & {entry.key.text for entry in entries_of(node)} for node in (counter, *before)]
    if not isinstance(counter, Mapping) or limits[0] != {"max"} or any(limits[1:]):
        return counter
    return put(counter, Entry(Key("min", counter.span), Scalar(_LOWEST, counter.span)))


def _with_changes(root: Mapping, around: Around) -> Mapping:
    def change(node: Node, place: tuple[str, ...]) -> Node:
        here = around.of_variant(place[1]) if place[0] == "variants" else around
        return _with_changes(_with_kinds(node, here), here) if isinstance(node, Mapping) else node

    for path in CHANGES:
        root = at_path(root, path, change)
    return root


def _overlays(root: Mapping) -> Iterator[Mapping]:
    """Yield the changes of the variants and readings in a tree."""
    for variant in _values(root.get("variants")):
        yield from _mappings(variant, "changes")
    for reading in _values(root.get("readings")):
        for option in _values(below(reading, ("options",))):
            yield from _mappings(option, "changes")


def _values(node: Node | None) -> tuple[Node, ...]:
    return tuple(entry.value for entry in entries_of(node))


def _mappings(node: Node, key: str) -> Iterator[Mapping]:
    value = below(node, (key,))
    if isinstance(value, Mapping):
        yield value
