"""Cards with counters of their own: the tree of a game gets a card for each copy of such a card.

    cards:
      club: {count: 5, on_play: [{add: {marks: 1}}]}
    counters:
      marks: {per: card}

has the cards ``club_1`` to ``club_5``, all called “Club” and of the family ``club``. With ``per: card``, this is done
for cards whose own effects change the counter. Otherwise, `per` names the cards.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from draftengine.model.diagnostics import diagnose
from draftengine.model.language.parse import FormulaError
from draftengine.model.loading.macros import COPY_OF, player_range
from draftengine.model.loading.short import by_players
from draftengine.model.records import default_label
from draftengine.model.yaml.tree import Entry, Key, Mapping, Scalar, Sequence, below, entries_of, put

if TYPE_CHECKING:
    from draftengine.model.diagnostics import Diagnostic
    from draftengine.model.yaml.tree import Node

_NOT_APART = ("forms", "sides", "back", "face")
"""Keys of cards whose copies cannot be told apart."""


def with_copies_apart(root: Mapping, findings: list[Diagnostic]) -> Mapping:
    """Return the tree of a game in which every copy of a card with a counter of its own is a card.

    Other cards with the name of a copy are left out, and reported in `findings`.
    """
    cards = root.get("cards")
    per = {
        entry.key.text: str(stated.value)
        for entry in entries_of(root.get("counters"))
        if isinstance(stated := below(entry.value, ("per",)), Scalar)
    }
    names = {family for card in entries_of(cards) for family in (card.key.text, *_families(card.value, root))}
    on_cards = {counter: of for counter, of in per.items() if of == "card" or of in names}
    if not on_cards or not isinstance(cards, Mapping):
        return root
    made: list[Entry] = []
    apart: list[Entry] = []
    copied: dict[str, str] = {}
    for card in cards.entries:
        groups = {card.key.text, *_families(card.value, root)}
        meant = (of in groups or (of == "card" and _changes(card.value, counter)) for counter, of in on_cards.items())
        copies = _copies(card, *player_range(root)) if any(meant) else ()
        made += copies or (card,)
        apart += [card] if copies else []
        copied |= {copy.key.text: card.key.text for copy in copies}
    if not apart:
        return root
    for card in cards.entries:
        if (whole := copied.get(name := card.key.text)) is not None:
            findings.append(diagnose("name-clash", card.key.span, f"/cards/{name}", say="copy", name=name, card=whole))
            made.remove(card)
    families = [*entries_of(root.get("families"))]
    known = {family.key.text for family in families}
    families += [
        Entry(card.key, Mapping((Entry(Key("label", card.key.span), _label(card)),), card.key.span))
        for card in apart
        if card.key.text not in known
    ]
    root = put(root, Entry(Key("families", root.span), Mapping(tuple(families), root.span)))
    return put(root, Entry(Key("cards", cards.span), Mapping(tuple(made), cards.span)))


def _families(card: Node, root: Mapping) -> tuple[str, ...]:
    """Return the families of a card, and those to which they belong."""
    names = dict.fromkeys(_names(below(card, ("family",))))
    for name in (waiting := [*names]):
        more = [above for above in _names(below(root, ("families", name, "family"))) if above not in waiting]
        waiting += more
    return tuple(waiting)


def _names(node: Node | None) -> tuple[str, ...]:
    items = node.items if isinstance(node, Sequence) else () if node is None else (node,)
    return tuple(str(item.value) for item in items if isinstance(item, Scalar))


def _changes(node: Node | None, counter: str) -> bool:
    """True if a step in a part of the tree changes the counter."""
    if isinstance(node, Sequence):
        return any(_changes(item, counter) for item in node.items)
    return any(
        (entry.key.text in {"add", "set"} and below(entry.value, (counter,)) is not None)
        or _changes(entry.value, counter)
        for entry in entries_of(node)
    )


def _copies(card: Entry, fewest: int, most_players: int) -> tuple[Entry, ...]:
    """Return a card for each copy; none if there is only one, or if the copies cannot be told apart."""
    count = below(card.value, ("count",))
    if isinstance(count, Scalar) and isinstance(count.value, str):
        try:
            count = by_players(count, fewest, most_players)
        except FormulaError:  # this is reported where the card is read
            return ()
    if not isinstance(card.value, Mapping) or any(card.value.get(key) is not None for key in _NOT_APART):
        return ()
    counts = entries_of(count) or (Entry(Key("", card.key.span), count),) if count is not None else ()
    numbers = [(entry.key, entry.value.value) for entry in counts if isinstance(entry.value, Scalar)]
    most = max((number for _, number in numbers if isinstance(number, int)), default=0)
    if most <= 1 or not all(isinstance(number, int) for _, number in numbers):
        return ()
    copies, span = [], card.key.span
    for copy in range(1, most + 1):
        each = tuple(
            Entry(key, Scalar(int(isinstance(number, int) and number >= copy), span)) for key, number in numbers
        )
        one = put(card.value, Entry(Key("count", span), Mapping(each, span) if entries_of(count) else Scalar(1, span)))
        family = Sequence(
            tuple(Scalar(name, span) for name in (*_names(card.value.get("family")), card.key.text)), span
        )
        for key, value in (("label", _label(card)), ("family", family), (COPY_OF, Scalar(card.key.text, span))):
            one = put(one, Entry(Key(key, span), value))
        copies.append(Entry(Key(f"{card.key.text}_{copy}", span), one))
    return tuple(copies)


def _label(card: Entry) -> Node:
    stated = below(card.value, ("label",))
    return stated or Scalar(default_label(card.key.text)[0][1], card.key.span)
