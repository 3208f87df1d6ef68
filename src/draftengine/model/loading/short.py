"""Short spellings: before any other code reads a tree, they are replaced by the full spellings.

    cards:
      spice: {count: players, modifier: {applies_to: drink, then: {stars: 3 * amount}}}
    round:
      - give: {starter: left}

A modifier or ability on a card becomes an entry of `modifiers` or `abilities` with the card's id, label and sources. A
number of copies that depends on `players` becomes a table by number of players. A marker in ``give: {starter: left}``
becomes ``{marker: starter, to: left}``.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from draftengine.model import limits
from draftengine.model.cardset.facts import Constants
from draftengine.model.cardset.records import ON_CARDS, Card, CardValue
from draftengine.model.diagnostics import diagnose
from draftengine.model.language.evaluate import constant_value
from draftengine.model.language.parse import FormulaError, parse
from draftengine.model.loading.macros import player_range
from draftengine.model.loading.repeating import FOR
from draftengine.model.loading.sides import BACK, DICE, FACES, faces_in, sides_in
from draftengine.model.records import NamedRecord, definition_schema
from draftengine.model.verbs.give import KEYS
from draftengine.model.yaml.tree import Entry, Key, Mapping, Node, Scalar, Sequence, entries_of, put, with_values
from draftengine.support.identity import IdentityKey

if TYPE_CHECKING:
    from draftengine.model.diagnostics import Diagnostic

_OF_CARDS = frozenset({*definition_schema(Card)["properties"], *ON_CARDS, BACK, FOR})
"""Keys that a card may have."""
_INHERITED = tuple(key for key in CardValue.__struct_fields__ if key not in NamedRecord.__struct_fields__)
"""Keys whose values a modifier or ability takes from its card, unless it has the key, too."""
_REMEMBERED = 1 << 10

_WITHOUT_STEPS = frozenset({"examples", "lists"})
"""Sections in which no mapping is a step."""


_WITH_POINTS = ("cards", "triggers", "setup", "round", "finish")
"""Sections whose parts can give points without a section `scoring`."""


def in_long_form(root: Mapping) -> Mapping:
    """Return the tree of a file with steps in full spelling, and with the number of copies of each card.

    A card without `count` has one copy, and a side of a die none. In a file that changes another one, `count` is not
    added, because such a card may be a misspelt card of the other file.
    """
    root = _long(root, _WITHOUT_STEPS)
    if root.entry("extends") is not None:
        return root
    if root.entry("cards") is None and root.entry(DICE) is not None:  # each card may be the face of a die
        root = put(root, Entry(Key("cards", root.span), Mapping((), root.span)))
    sides = {**sides_in(root.get("cards")), **faces_in(root)}
    for section, keys in (("cards", _OF_CARDS), (DICE, _OF_CARDS | {FACES})):
        things = root.get(section)
        if isinstance(things, Mapping):
            counted = tuple(_counted(thing, keys, 0 if thing.key.text in sides else 1) for thing in things.entries)
            if not all(map(_same, counted, things.entries)):
                root = put(root, Entry(Key(section, things.span), Mapping(counted, things.span)))
    pays = root.entry("wins") is not None or any(_scores(root.get(section)) for section in _WITH_POINTS)
    if root.entry("scoring") is None and pays:
        root = put(root, Entry(Key("scoring", root.span), Mapping((), root.span)))
    return root


def _scores(node: Node | None) -> bool:
    """True if a part of the tree has a rule of a card, or an effect that gives points."""
    if isinstance(node, Sequence):
        return any(map(_scores, node.items))
    return any(entry.key.text in {"scores", "points"} or _scores(entry.value) for entry in entries_of(node))


def _counted(thing: Entry, keys: frozenset[str], count: int) -> Entry:
    """Return a card or die with a number of copies; unchanged with keys that belong to something else."""
    known = {entry.key.text for entry in entries_of(thing.value)}
    if not isinstance(thing.value, Mapping) or "count" in known or not known <= keys:
        return thing
    one = Entry(Key("count", thing.key.span), Scalar(count, thing.key.span))
    return Entry(thing.key, Mapping((one, *thing.value.entries), thing.value.span))


def _long(node: Mapping, without: frozenset[str] = frozenset()) -> Mapping:
    """Return a part of the tree with its steps in full spelling, also steps that are changed by their ids.

    Entries whose keys are in `without` stay as they are.
    """
    entries = []
    for entry in node.entries:
        inner = entry.value
        if entry.key.text == "steps" and isinstance(inner, Mapping):
            inner = with_values(inner, tuple(Entry(step.key, _long_step(step.value)) for step in inner.entries))
        entries.append(entry if entry.key.text in without else Entry(entry.key, _long_part(inner)))
    return with_values(node, tuple(entries))


def _long_part(node: Node) -> Node:
    if isinstance(node, Mapping):
        return _long(node)
    if not isinstance(node, Sequence):
        return node
    items = tuple(_long_part(_long_step(item)) for item in node.items)
    same = all(new is old for new, old in zip(items, node.items, strict=True))
    return node if same else Sequence(items, node.span)


def _long_step(step: Node) -> Node:
    """Return a step that gives a marker in full spelling.

    ``give: {starter: {most: soup, tie: left}}`` becomes ``give: {marker: starter, to: {most: soup}, tie: left}``. The
    key `tie` may also be next to the marker.
    """
    given = step.entry("give") if isinstance(step, Mapping) else None
    if given is None or not isinstance(step, Mapping) or not isinstance(given.value, Mapping):
        return step
    entries = given.value.entries
    named = [entry for entry in entries if entry.key.text not in KEYS]
    beside = [entry for entry in entries if entry.key.text == "tie"]
    if len(named) != 1 or len(beside) + 1 != len(entries):
        return step
    (only,) = named
    to: Node = only.value
    tie = [*beside, *(entry for entry in entries_of(to) if entry.key.text == "tie")]
    if tie and isinstance(to, Mapping):
        to = Mapping(tuple(entry for entry in to.entries if entry not in tie), to.span)
    marker = Entry(Key("marker", only.key.span), Scalar(only.key.text, only.key.span))
    whole = Mapping((marker, Entry(Key("to", only.key.span), to), *tie), given.value.span)
    return put(step, Entry(given.key, whole))


def in_full(root: Mapping, findings: list[Diagnostic]) -> Mapping:
    """Return the tree of a game with its cards in full spelling. Mistakes are added to `findings`."""
    whole = root.get("cards")
    fewest, most = player_range(root)
    cards, moved = [], dict[str, list[Entry]]()
    for entry in entries_of(whole):
        card, parts, mistakes = _card(IdentityKey(entry), fewest, most)
        cards.append(card)
        findings += mistakes
        for section, part in parts:
            moved.setdefault(section, []).append(part)
    if not isinstance(whole, Mapping) or all(map(_same, cards, whole.entries)):
        return root
    root = put(root, Entry(Key("cards", whole.span), Mapping(tuple(cards), whole.span)))
    for section, more in moved.items():
        known = {entry.key.text for entry in entries_of(root.get(section))}
        for entry in more:
            if entry.key.text in known:
                path = f"/cards/{entry.key.text}"
                findings.append(
                    diagnose("duplicate-key", entry.key.span, path, say="of_card", key=entry.key.text, section=section)
                )
        listed = Mapping((*entries_of(root.get(section)), *more), root.span)
        root = put(root, Entry(Key(section, root.span), listed))
    return root


def _same(new: Entry, old: Entry) -> bool:
    return new is old


@lru_cache(_REMEMBERED)
def _card(
    entry: IdentityKey[Entry], fewest: int, most: int
) -> tuple[Entry, tuple[tuple[str, Entry], ...], tuple[Diagnostic, ...]]:
    """Return a card's entry in full spelling, the parts of it for other sections, and the mistakes."""
    name, card = entry.own.key, entry.own.value
    kept: list[Entry] = []
    parts: list[tuple[str, Entry]] = []
    mistakes: list[Diagnostic] = []
    for part in entries_of(card):
        if part.key.text in ON_CARDS and isinstance(part.value, Mapping):
            known = {"card", *(key.key.text for key in part.value.entries)}
            more = [other for other in entries_of(card) if other.key.text in _INHERITED and other.key.text not in known]
            named = Entry(Key("card", part.key.span), Scalar(name.text, part.key.span))
            whole = Mapping((named, *more, *part.value.entries), part.value.span)
            parts.append((ON_CARDS[part.key.text][0], Entry(Key(name.text, part.key.span), whole)))
        elif part.key.text == "count" and isinstance(part.value, Scalar) and isinstance(part.value.value, str):
            try:
                kept.append(Entry(part.key, by_players(part.value, fewest, most)))
            except FormulaError as error:
                path = f"/cards/{name.text}/count"
                mistakes.append(diagnose("formula-syntax", part.value.span, path, hint=error.hint, why=error.text))
        else:
            kept.append(part)
    same = not parts and all(map(_same, kept, entries_of(card)))
    full = entry.own if same else Entry(name, Mapping(tuple(kept), card.span))
    return full, tuple(parts), tuple(mistakes)


def by_players(count: Scalar, fewest: int, most: int) -> Mapping:
    """Return the numbers of copies as a table by number of players. Raises `FormulaError`."""
    expr, entries = parse(str(count.value)), []
    for players in range(fewest, most + 1):
        number = constant_value(expr, Constants({"players": players}, players, players))
        if number is None or isinstance(number, bool) or not 0 <= number <= limits.COPIES:
            raise FormulaError("copies", expr.start, expr.end, {"most": limits.COPIES})
        entries.append(Entry(Key(str(players), count.span), Scalar(int(number), count.span)))
    return Mapping(tuple(entries), count.span)
