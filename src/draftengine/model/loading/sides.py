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

from typing import TYPE_CHECKING, cast

from draftengine.model.diagnostics import diagnose
from draftengine.model.diagnostics.suggest import did_you_mean
from draftengine.model.records import default_label
from draftengine.model.records.reader import is_whole
from draftengine.model.yaml.tree import Entry, Key, Mapping, Scalar, Sequence, at_path, below, entries_of, put
from draftengine.support.identity import IdentityKey, by_identity
from draftengine.support.locale.phrases import said

if TYPE_CHECKING:
    from draftengine.model.diagnostics import Diagnostic
    from draftengine.model.records.reader import Reader
    from draftengine.model.yaml.tree import Node

SIDES = "sides"
BACK = "back"
SIDE_OF = "side_of"
FRONT = "front"
_OF_FAMILIES = frozenset({"label", "family"})
SIDE = "side"
"""The key for the name of a side in the card that the side becomes."""


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
            for side in entries_of(card.value.get(SIDES)):
                name = side.value.value if isinstance(side.value, Scalar) else None
                # A number is that of the faces with the card; a name is the card that the side is.
                side_card = name if isinstance(name, str) else side.key.text
                if isinstance(side.value, Scalar) and side_card != card.key.text:
                    names[side_card] = side.key
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
    if not isinstance(whole, Mapping) or not (sides_in(whole) or any(map(_named_sides, whole.entries))):
        return root
    cards, added, wrong = _with_sides(whole, IdentityKey(root.get("families")))
    findings += wrong
    if added:
        families = Mapping((*entries_of(root.get("families")), *added), root.span)
        root = put(root, Entry(Key("families", root.span), families))
    return put(root, Entry(Key("cards", whole.span), cards))


def _named_sides(card: Entry) -> tuple[Entry, ...]:
    """Return the sides of a card that are cards themselves; none for other cards, and for dice."""
    if (back := below(card.value, (BACK,))) is not None:
        return Entry(Key(FRONT, card.key.span), Mapping((), card.key.span)), Entry(Key(BACK, back.span), back)
    sides = entries_of(below(card.value, (SIDES,)))
    return () if all(isinstance(side.value, Scalar) and is_whole(side.value.value) for side in sides) else sides


def _only_sides(cards: dict[str, Entry], families: set[str], findings: list[Diagnostic]) -> dict[str, Mapping]:
    """Return the cards that others name as sides, by name. Mistakes in sides are added to `findings`."""
    alone: dict[str, Mapping] = {}
    for card in cards.values():
        for side in _named_sides(card):
            name = side.value.value if isinstance(side.value, Scalar) else ""
            other, kind = f"{card.key.text}_{side.key.text}", cards[str(name)].value if name in cards else None
            path = f"/cards/{card.key.text}"
            both = side.key.text == BACK and all(below(card.value, (key,)) is not None for key in (BACK, SIDES))
            taken = other in cards
            wrongs = {"mixed": is_whole(name), "back": both or (taken and side.key.text == BACK), "taken": taken}
            if isinstance(kind, Mapping):
                count, alone[str(name)] = kind.get("count"), kind
                wrongs["copies"] = not isinstance(count, Scalar) or count.value != 0
                wrongs["sides"] = any(kind.get(key) is not None for key in (SIDES, BACK))
            if (wrong := next((say for say, holds in wrongs.items() if holds), None)) is not None:
                named = other if wrong in {"back", "taken"} else str(name)
                findings.append(diagnose("not-a-side", side.value.span, path, say=wrong, side=named))
            elif name and name not in {*cards, *families} and below(card.value, (BACK,)) is None:
                hint = did_you_mean(str(name), cards) or None
                kind_of_name, named = said("thing.card"), str(name)
                finding = diagnose("unknown-card", side.value.span, path, hint=hint, kind=kind_of_name, name=named)
                findings.append(finding)
    return alone


def _shown(whole: Mapping, side: Entry, alone: dict[str, Mapping], families: Node | None, *, first: bool) -> Mapping:
    """Return the card for a side: it has the keys of the side or of the card that it is.

    It has those of the whole card, too, unless that has a `back`. A side without a label has that of its first family.
    """
    short = whole.entry(BACK) is not None
    named = () if isinstance(side.value, Mapping) else (side.value,)
    kind = alone.get(str(named[0].value)) if named and isinstance(named[0], Scalar) else None
    specific = side.value if isinstance(side.value, Mapping) else kind or Mapping((), side.value.span)
    common = whole.entries if first or not short else ()
    hidden = {SIDES, BACK, "family", *(() if first else ("label", "count"))}
    result = Mapping(tuple(entry for entry in common if entry.key.text not in hidden), whole.span)
    for entry in specific.entries:
        result = result if entry.key.text in {"count", "family"} and kind is specific else put(result, entry)
    mine = specific.get("family") if kind is None else None
    stated = [*named, *_listed(mine)]
    if not first and result.entry("label") is None and stated and isinstance(stated[0], Scalar):
        text = str(stated[0].value)
        label = below(families, (text, "label")) or Scalar(default_label(text)[0][1], stated[0].span)
        result = put(result, Entry(Key("label", stated[0].span), label))
    stated += _listed(whole.get("family")) if common else ()
    stated += [] if short else [Scalar(side.key.text, side.key.span)]
    if stated:
        result = put(result, Entry(Key("family", side.key.span), Sequence(tuple(stated), side.key.span)))
    return put(result, Entry(Key(SIDE, side.key.span), Scalar(side.key.text, side.key.span)))


@by_identity(64)
def _with_sides(
    root: Mapping, families: IdentityKey[Node | None]
) -> tuple[Mapping, tuple[Entry, ...], tuple[Diagnostic, ...]]:
    """Return all cards, the families that only sides have, and the mistakes in sides."""
    findings: list[Diagnostic] = []
    cards = {entry.key.text: entry for entry in root.entries}
    known = {family.key.text for family in entries_of(families.own)}
    used = (_listed(below(card.value, ("family",))) for card in root.entries)
    named = {str(name.value) for names in used for name in names if isinstance(name, Scalar)}
    alone = _only_sides(cards, known | named, findings)
    added = tuple(
        Entry(cards[name].key, Mapping(tuple(e for e in kind.entries if e.key.text in _OF_FAMILIES), kind.span))
        for name, kind in alone.items()
        if name not in known
    )
    in_all = Mapping((*entries_of(families.own), *added), root.span)
    for card in root.entries:
        if card.key.text in alone:
            del cards[card.key.text]
        sides = _named_sides(card)
        names = [Key(f"{card.key.text}_{side.key.text}", side.key.span) for side in sides]
        names[:1] = [Key(card.key.text, name.span) for name in names[:1]]
        for key, side in zip(names, sides, strict=True):
            first = key is names[0]
            result = _shown(cast("Mapping", card.value), side, alone, in_all, first=first)
            if first:
                all_sides = Mapping(tuple(Entry(each, Scalar(1, each.span)) for each in names), key.span)
                cards[card.key.text] = Entry(card.key, put(result, Entry(Key(SIDES, key.span), all_sides)))
            else:
                cards[key.text] = Entry(key, put(result, Entry(Key("count", key.span), Scalar(0, key.span))))
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
    return Mapping(tuple(cards.values()), root.span), added, tuple(findings)


def _in_full(back: Entry) -> Mapping:
    """Return a back as the mapping of a card. A back that is just a name means a card of that family."""
    if isinstance(back.value, Mapping):
        return back.value
    return Mapping((Entry(Key("family", back.value.span), back.value),), back.value.span)


def _as_side(card: Mapping, thing: Entry, *, two_sided: bool) -> Mapping:
    """Return the card for a side of `thing`: it starts in the same zone, in a family unless `two_sided`."""
    name = Scalar(thing.key.text, thing.key.span)
    card = put(card, Entry(Key(SIDE_OF, name.span), name))
    begins = thing.value.entry("starts_in") if isinstance(thing.value, Mapping) else None
    card = card if begins is None else put(card, begins)
    if two_sided:
        return card
    names = (*_listed(card.get("family")), name)
    return put(card, Entry(Key("family", name.span), Sequence(names, name.span)))


def _listed(names: Node | None) -> tuple[Node, ...]:
    """Return the nodes of one name or of a list of names."""
    return names.items if isinstance(names, Sequence) else () if names is None else (names,)
