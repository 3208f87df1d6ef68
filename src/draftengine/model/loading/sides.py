"""Dice and cards with several sides: the tree of a game gets a card for each side.

    dice:
      coin: {count: 3, faces: {heads: 1, tails: 1}}
    cards:
      lamp: {count: 8, back: {label: Lit lamp, adds: {light: 1}}}

A die is read as a card with the weights of its faces as `sides`. A side has no copies of its own. It is a card of the
family with the name of its die, such as ``coin``.

A `back` makes a two-sided card: it is short for the sides ``lamp`` and ``lamp_back`` of the card ``lamp``. Because the
card is also one of its sides, there is no family ``lamp``. Such a card begins the game with that side up. If the value
of `back` is just a name, the back is a card of the family with this name. A back without a label has the name of its
first family as label.

An overlay changes a side as it changes any card. It may name a back, too, and `with_change_of_back` rewrites such a
change.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from draftengine.model.diagnostics import diagnose
from draftengine.model.records import default_label
from draftengine.model.yaml.tree import Entry, Key, Mapping, Scalar, Sequence, at_path, below, entries_of, put
from draftengine.support.identity import IdentityKey, by_identity

if TYPE_CHECKING:
    from draftengine.model.diagnostics import Diagnostic
    from draftengine.model.records.reader import Reader
    from draftengine.model.yaml.tree import Node

SIDES = "sides"
BACK = "back"
SIDE_OF = "side_of"


CHANGES = (("variants", "*", "changes"), ("readings", "*", "options", "*", "changes"))
"""The paths of the changes in a tree; ``*`` stands for any key."""
DICE = "dice"
FACES = "faces"


def faces_in(root: Mapping) -> dict[str, Key]:
    """Return the keys that declare faces of dice, by the name of the face."""
    faces = (face.key for die in entries_of(root.get(DICE)) for face in entries_of(below(die.value, (FACES,))))
    return {face.text: face for face in faces}


def with_dice(root: Mapping, findings: list[Diagnostic]) -> Mapping:
    """Return the tree of a valid file with its dice as cards. Mistakes are added to `findings`."""
    dice = root.get(DICE)
    if isinstance(dice, Mapping):
        known = entries_of(root.get("cards"))
        for die in dice.entries:
            if any(card.key.text == die.key.text for card in known):
                path, name = f"/{DICE}/{die.key.text}", die.key.text
                findings.append(diagnose("duplicate-key", die.key.span, path, say="of_die", key=name))
        cards = Mapping((*map(_card_for, dice.entries), *known), dice.span)
        rest = Mapping(tuple(entry for entry in root.entries if entry.key.text != DICE), root.span)
        root = put(rest, Entry(Key("cards", dice.span), cards))
    for place in CHANGES:
        root = at_path(root, place, lambda node, _: with_dice(node, findings) if isinstance(node, Mapping) else node)
    return root


def _card_for(die: Entry) -> Entry:
    """Return a die as a card with sides."""
    if not isinstance(die.value, Mapping):
        return die
    entries = [
        Entry(Key(SIDES, entry.key.span), entry.value) if entry.key.text == FACES else entry
        for entry in die.value.entries
    ]
    return Entry(die.key, Mapping(tuple(entries), die.value.span))


def sides_in(cards: Node | None) -> dict[str, Key]:
    """Return the keys that declare sides and backs of cards, by the name of the side."""
    names = dict[str, Key]()
    for card in entries_of(cards):
        if isinstance(card.value, Mapping):
            sides = (side.key for side in entries_of(card.value.get(SIDES)))
            names |= {side.text: side for side in sides if side.text != card.key.text}
            if (back := card.value.entry(BACK)) is not None:
                names[f"{card.key.text}_{BACK}"] = back.key
    return names


def with_counts_of_sides(root: Mapping) -> Mapping:
    """Return a merged tree in which sides without `count` have 0 copies.

    In a file that extends no other file, they already have (see `short`). Other files may declare a side of a die in
    the extended file, so this is done after merging.
    """
    whole = root.get("cards")
    sides = sides_in(whole)
    cards = [
        Entry(card.key, put(card.value, Entry(Key("count", card.key.span), Scalar(0, card.key.span))))
        if card.key.text in sides and isinstance(card.value, Mapping) and card.value.entry("count") is None
        else card
        for card in entries_of(whole)
    ]
    if not isinstance(whole, Mapping) or all(new is old for new, old in zip(cards, whole.entries, strict=True)):
        return root
    return put(root, Entry(Key("cards", whole.span), Mapping(tuple(cards), whole.span)))


def with_change_of_back(cards: Mapping, change: Entry) -> tuple[Mapping, Entry] | None:
    """Return the cards with one back in full spelling, and a change to this back on the card in front.

    The change ``lamp_back: {label: Lit lamp}`` becomes ``lamp: {back: {label: Lit lamp}}``. Return ``None`` if the
    change is not about a back.
    """
    front = cards.entry(change.key.text.removesuffix(f"_{BACK}"))
    if front is None or front.key.text == change.key.text or not isinstance(front.value, Mapping):
        return None
    if (back := front.value.entry(BACK)) is None:
        return None
    whole = Entry(front.key, put(front.value, Entry(back.key, _in_full(back))))
    on_front = Mapping((Entry(Key(BACK, change.key.span), change.value),), change.value.span)
    return put(cards, whole), Entry(Key(front.key.text, change.key.span), on_front)


def most_copies(reader: Reader, *, unknown: int) -> dict[str, int]:
    """Return the largest possible number of copies of each card.

    A side can have as many as its die or coin.

    `unknown` stands for a number that is a formula or missing.
    """
    cards = list(reader.each("cards"))
    counts = {
        name: max((count for _, count in card.numbers("count")), default=card.int("count", unknown))
        for name, card in cards
    }
    return {name: counts.get(card.word(SIDE_OF), counts[name]) for name, card in cards}


def with_sides(root: Mapping, findings: list[Diagnostic]) -> Mapping:
    """Return the tree of a game with a card for each side of dice and cards. Mistakes go into `findings`."""
    whole = root.get("cards")
    if not isinstance(whole, Mapping) or not sides_in(whole):
        return root
    cards, wrong = _with_sides(whole, IdentityKey(root.get("families")))
    findings += wrong
    return put(root, Entry(Key("cards", whole.span), cards))


@by_identity(64)
def _with_sides(whole: Mapping, families: IdentityKey[Node | None]) -> tuple[Mapping, tuple[Diagnostic, ...]]:
    findings: list[Diagnostic] = []
    cards = {entry.key.text: entry for entry in whole.entries}
    for card in whole.entries:
        back = card.value.entry(BACK) if isinstance(card.value, Mapping) else None
        if back is not None and isinstance(card.value, Mapping):
            other = Key(f"{card.key.text}_{BACK}", back.key.span)
            if other.text in cards or card.value.get(SIDES) is not None:
                path = f"/cards/{card.key.text}/{BACK}"
                findings.append(diagnose("not-a-side", back.key.span, path, say="back", side=other.text))
            names = (Key(card.key.text, other.span), other)
            both = Mapping(tuple(Entry(name, Scalar(1, other.span)) for name in names), other.span)
            rest = tuple(entry for entry in card.value.entries if entry.key.text not in {BACK, SIDES})
            front = Mapping((*rest, Entry(Key(SIDES, other.span), both)), card.value.span)
            cards[card.key.text] = Entry(card.key, front)
            cards[other.text] = Entry(other, _back(back, families.own))
    for thing in (*cards.values(),):
        sides = entries_of(thing.value.get(SIDES) if isinstance(thing.value, Mapping) else None)
        two_sided = any(side.key.text == thing.key.text for side in sides)
        for side in sides:
            name, none = side.key.text, Entry(Key("count", side.key.span), Scalar(0, side.key.span))
            card = cards.get(name, Entry(side.key, Mapping((none,), side.key.span)))
            if name != thing.key.text and isinstance(card.value, Mapping):
                count = card.value.get("count")
                wrongs = {
                    "twice": card.value.get(SIDE_OF) is not None,
                    "copies": not isinstance(count, Scalar) or count.value != 0,
                    "sides": card.value.get(SIDES) is not None,
                }
                if (wrong := next((say for say, holds in wrongs.items() if holds), None)) is not None:
                    path = f"/cards/{thing.key.text}/{SIDES}/{name}"
                    findings.append(diagnose("not-a-side", side.key.span, path, say=wrong, side=name))
                cards[name] = Entry(card.key, _as_side(card.value, thing, two_sided=two_sided))
    return Mapping(tuple(cards.values()), whole.span), tuple(findings)


def _in_full(back: Entry) -> Mapping:
    """Return a back as the mapping of a card. A back that is just a name means a card of that family."""
    if isinstance(back.value, Mapping):
        return back.value
    return Mapping((Entry(Key("family", back.value.span), back.value),), back.value.span)


def _back(entry: Entry, families: Node | None) -> Mapping:
    """Return the card for a back. Without a label, it gets the name of its first family as label."""
    back = put(_in_full(entry), Entry(Key("count", entry.key.span), Scalar(0, entry.key.span)))
    family = back.get("family")
    family = family.items[0] if isinstance(family, Sequence) and family.items else family
    if back.entry("label") is not None or not isinstance(family, Scalar):
        return back
    name = str(family.value)
    label = below(families, (name, "label")) or Scalar(default_label(name)[0][1], family.span)
    return put(back, Entry(Key("label", family.span), label))


def _as_side(card: Mapping, thing: Entry, *, two_sided: bool) -> Mapping:
    """Return the card for a side of `thing`: it starts in the same zone, in a family unless `two_sided`."""
    name = Scalar(thing.key.text, thing.key.span)
    card = put(card, Entry(Key(SIDE_OF, name.span), name))
    begins = thing.value.entry("starts_in") if isinstance(thing.value, Mapping) else None
    card = card if begins is None else put(card, begins)
    if two_sided:
        return card
    family = card.get("family")
    others = family.items if isinstance(family, Sequence) else () if family is None else (family,)
    return put(card, Entry(Key("family", name.span), Sequence((*others, name), name.span)))
