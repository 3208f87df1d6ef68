"""Choices of several cards from a zone with copies become two choices for each card: copy, then card.

    - choose: {as: {buy: {from: market, cards: 1-2, to: hand}, pass: {}}}

becomes

    - choose: {as: {buy_1: {do: […]}, buy_2: {do: […]}, pass: {}}}

with these two steps for each card, in which ``one:market`` is the name of the copy:

    - {choose: {name: one:market, of: market, when: cards(market) > 0}}
    - {choose: {from: one:market, to: hand}}

So the cards of a way may come from different copies, and formulas see all cards where they lie.
"""

from __future__ import annotations

import re
from operator import is_
from typing import TYPE_CHECKING

from msgspec import Struct

from draftengine.model.cardset.records import TABLEAU, text_in
from draftengine.model.records import default_label
from draftengine.model.records.reader import Reader
from draftengine.model.yaml.tree import Entry, Key, Mapping, Node, Scalar, Sequence, below, entries_of, with_values

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from draftengine.model.records.reader import Texts
    from draftengine.support.locale.catalogue import Catalogue
    from draftengine.support.source import Span

_INHERITED = frozenset({"from", "to", "side", "of", "cards"})
"""Keys of a choice that also hold for its ways."""
_REPLACED = frozenset({*_INHERITED, "when", "do", "exactly"})
_LISTS = frozenset({"in_turn", "as", "cards", "triggers"})
"""Keys with lists of one seat below them."""
_RANGE = re.compile(r"(\d+)(?:-(\d+))?")
_NAMES = re.compile(r"[a-z][a-z0-9_]*")
_WORDS = re.compile(r"[\w.]+")
_OTHERWISE = frozenset({"take", "name", "also"})
"""Keys of choices and ways that take cards in another manner."""


def with_choice_of_copy(root: Mapping) -> Mapping:
    """Return the tree of a game in which no choice has a zone with copies as its source."""
    zones = Reader(root, "").at("zones")
    copied = frozenset(entry.key.text for entry in zones.node.entries if below(entry.value, ("copies",)) is not None)
    if not copied:
        return root
    return _Writer(copied, zones).mapping(root)


class _Writer(Struct):
    copied: frozenset[str]
    """The names of the zones that have copies."""
    zones: Reader
    """The section with all zones."""

    def mapping(self, node: Mapping, *, listed: bool = False) -> Mapping:
        """Return a part of the tree with all its choices rewritten.

        With `listed`, it is within a list of one seat.
        """
        of_some = {"do", "else"} if node.entry("who") and node.entry("do") else set()
        parts = (self._part(entry.value, listed=listed or entry.key.text in _LISTS | of_some) for entry in node.entries)
        return with_values(node, tuple(map(Entry, (entry.key for entry in node.entries), parts)))

    def _part(self, node: Node, *, listed: bool) -> Node:
        if isinstance(node, Mapping):
            return self.mapping(node, listed=listed)
        if not isinstance(node, Sequence):
            return node
        items = tuple(self._step(self._part(item, listed=listed), listed=listed) for item in node.items)
        return node if all(map(is_, items, node.items)) else Sequence(items, node.span)

    def _step(self, step: Node, *, listed: bool) -> Node:
        chosen = step.entry("choose") if isinstance(step, Mapping) else None
        if not isinstance(step, Mapping) or chosen is None or not isinstance(chosen.value, Mapping):
            return step
        choice, key = chosen.value, chosen.key
        if any(entry.key.text in _OTHERWISE for entry in choice.entries):
            return step
        ways = choice.entry("as")
        if ways is None:
            made = tuple(self._ways(Entry(Key("take", key.span), choice), ()))
            if made[0].value is choice:
                return step
            inside = Entry(Key("as", key.span), Mapping(made, choice.span))
            whole = Entry(key, Mapping((inside,), choice.span))
            if len(made) == 1 and (only := below(made[0].value, ("do",))) is not None:
                whole = Entry(Key("do", key.span), only)
        else:
            common = tuple(entry for entry in choice.entries if entry.key.text in _INHERITED)
            made = tuple(way for entry in entries_of(ways.value) for way in self._ways(entry, common))
            if all(map(is_, made, entries_of(ways.value))):
                return step
            rest = (entry for entry in choice.entries if entry is not ways)
            source = choice.get("from")
            rest = (entry for entry in rest if entry.value is not source or not self._is_copied(source))
            whole = Entry(key, Mapping((*rest, Entry(ways.key, Mapping(made, ways.value.span))), choice.span))
        entries = [whole if entry is chosen else entry for entry in step.entries]
        if whole.key.text == "do" and step.entry("who") is None and not listed:  # then each seat names a copy
            entries.append(Entry(Key("who", key.span), Scalar("everyone", key.span)))
        return Mapping(tuple(entries), step.span)

    def _is_copied(self, source: Node | None) -> bool:
        return isinstance(source, Scalar) and source.value in self.copied

    def _ways(self, way: Entry, common: tuple[Entry, ...]) -> Iterator[Entry]:
        """Yield the ways that replace one, for each number of cards. They choose each card and its copy."""
        stated = {entry.key.text: entry.value for entry in (*common, *entries_of(way.value))}
        source, cards, of = (stated.get(key) for key in ("from", "cards", "of"))
        number = _RANGE.fullmatch(str(cards.value) if isinstance(cards, Scalar) else "1" if cards is None else "")
        such = of.items if isinstance(of, Sequence) else () if of is None else (of,)
        names = [str(name.value) for name in such if isinstance(name, Scalar) and _NAMES.fullmatch(str(name.value))]
        understood = number is not None and len(names) == len(such) and _OTHERWISE.isdisjoint(stated)
        if not (self._is_copied(source) and isinstance(source, Scalar) and understood and number):
            yield way
            return
        zone, span = str(source.value), source.span
        low, high = int(number[1]), int(number[2] or number[1])
        target = str(to.value) if isinstance(to := stated.get("to"), Scalar) else TABLEAU
        fits, room = (below(self.zones.node, (target, key)) for key in ("fits", "holds"))
        fitting = str(fits.value) if isinstance(fits, Scalar) else ""
        # If one card is taken, there is a way for each copy. `card` asks about one card, too; it has no meaning for
        # each card that lies in a zone.
        if low == high == 1 or "card" in _WORDS.findall(fitting):
            yield way
            return
        here = _fitting(zone, names, fitting)
        some, exact = f"over({zone}, {here})", isinstance(flag := stated.get("exactly"), Scalar) and flag.value is True

        def mapping(**entries: Node | str | int) -> Mapping:
            values = ((key, Scalar(it, span) if isinstance(it, str | int) else it) for key, it in entries.items())
            return Mapping(tuple(Entry(Key(key.strip("_"), span), value) for key, value in values), span)

        name = f"one:{zone}"
        place = mapping(choose=mapping(name=name, of=zone, when=f"{here} > 0"))
        arguments = {key: stated[key] for key in ("of", "to", "side") if key in stated}
        card = mapping(choose=mapping(from_=name, **arguments))
        both = mapping(do=Sequence((place, card), span), when=f"{some} > 0")
        kept = tuple(entry for entry in entries_of(way.value) if entry.key.text not in _REPLACED)
        when, does = stated.get("when"), stated.get("do")
        for count in range(low, high + 1):
            needed = f"{some} >= {count if exact or count > low else min(count, 1)}"
            needed += f" and cards({target}) + {count} <= {room.value}" if count and isinstance(room, Scalar) else ""
            condition = f"({when.value}) and ({needed})" if isinstance(when, Scalar) else needed
            text = self._text(zone, target, count, span)
            group = (mapping(do=Sequence((both,) * count, span), text=text),) if count else ()
            steps = Sequence((*group, *(does.items if isinstance(does, Sequence) else ())), span)
            made = mapping(cards=0, when=condition, do=steps)
            named = Key(way.key.text if low == high else f"{way.key.text}_{count}", way.key.span)
            label = () if low == high else (self._label(way, count, span),)
            others = (entry for entry in kept if not label or entry.key.text != "label")
            yield Entry(named, Mapping((*others, *label, *made.entries), span))

    def _label(self, way: Entry, count: int, span: Span) -> Entry:
        """Return the label of a way for a certain number of cards: “Buy: 2 cards”."""
        stated = Reader(way.value, "").texts("label") if isinstance(way.value, Mapping) else ()
        texts = stated or default_label(way.key.text)
        label = _in_languages(lambda words: f"{_said(texts, words)}: {_cards(words, count)}", span)
        return Entry(Key("label", span), label)

    def _text(self, zone: str, target: str, count: int, span: Span) -> Mapping:
        """Return a clause for some choices in every language: “choose 2 cards from any places of “Row” and …”."""
        key = f"copies.to_{target}" if target in {"tableau", "hand"} else "copies.to_zone"

        def clause(words: Catalogue) -> str:
            zones = (_said(self.zones.at(name).texts("label") or default_label(name), words) for name in (zone, target))
            here, there = zones
            text = words.phrase("copies.choose", cards=_cards(words, count), zone=here)
            return words.phrase(key, text=text, zone=there, count=count)

        return _in_languages(clause, span)


def _fitting(zone: str, names: list[str], fits: str) -> str:
    """Return the formula for the number of cards in a copy with one of the names, and that fit."""
    if not fits and not names[1:]:
        return f"cards({', '.join((zone, *names))})"
    conditions = [each for each in (" or ".join(f"its({name})" for name in names), fits) if each]
    return f"cards({zone}, {' and '.join(f'({each})' for each in conditions)})"


def _said(texts: Texts, words: Catalogue) -> str:
    return text_in(texts, words.language)


def _cards(words: Catalogue, count: int) -> str:
    return words.phrase("cards" if count else "cards.none", count=count)


def _in_languages(say: Callable[[Catalogue], str], span: Span) -> Mapping:
    """Return a text in every language as part of the tree."""
    from draftengine.support.locale import LANGUAGES, spoken  # noqa: PLC0415 (the words are loaded only for such games)

    return Mapping(tuple(Entry(Key(tag, span), Scalar(say(spoken(tag)), span)) for tag in LANGUAGES), span)
