"""Reads payments, and the costs and goods of cards.

    payments:
      build:
        goods: [wood, clay]
        from: [{makes: self}, {makes: left, of: quarry, price: 2, counter: coins}]
    cards:
      clay_pit: {family: quarry, makes: [wood, clay], cost: {coins: 1}}
      temple: {cost: {wood: 1, clay: 2}, free_with: altar}

Cards get hidden attributes, which the formulas of payments read (see `draftengine.model.language.payments`).
"""

from __future__ import annotations

from functools import lru_cache
from itertools import chain, combinations
from typing import TYPE_CHECKING

from msgspec.structs import replace

from draftengine.model import limits
from draftengine.model.cardset.payments import ANY, ANY_GOODS, PaymentRecord, goods_made
from draftengine.model.language.evaluate import references
from draftengine.model.language.macros import Definition
from draftengine.model.language.payments import GoodsPart, Payment, Source, on_the_card

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from draftengine.model.cardset.records import Card
    from draftengine.model.language.macros import MacroScope
    from draftengine.model.records.reader import Reader
    from draftengine.support.identity import IdentityKey

_REMEMBERED = 1 << 10
_KEYS = ("cost", "makes", "free_with")
"""The keys of cards that have a meaning only if the game has payments."""


def with_payments(reader: Reader, families: Mapping[str, tuple[str, ...]]) -> MacroScope:
    """Return the macros of a reader, extended by the payments. Mistakes are added to its findings.

    In formulas, the name of a payment becomes the condition that the seat can pay for a card. `families` lists the
    families of each card.
    """
    short, cards = reader.short, [*reader.each("cards")]
    needing = [(key, card) for key in _KEYS for _, card in cards if card.has(key)]
    if not reader.has("payments"):
        for key, card in needing[:1]:
            card.report("wrong-payment", key, say="none")
        return short
    counters = {
        name
        for name, counter in reader.each("counters")
        if counter.word("per", "seat") == "seat" and not (counter.has("die") or counter.has("track"))
    }
    counters |= {name for _, card in cards for name, _ in card.numbers("adds")}
    records = [(PaymentRecord.declared(name, inner), inner) for name, inner in reader.each("payments")]
    goods = {good for record, _ in records for good in record.all_goods}
    for _, card in cards:
        for good in sorted({good for alternatives, _ in goods_made(card) for good in alternatives} - goods):
            card.report("wrong-payment", "makes", say="makes", good=good)
    payments: dict[str, Payment] = {}
    has, defined = {name: dict(numbers) for name, numbers in short.has.items()}, dict(short.defined)
    for record, inner in records:
        if record.id in {*counters, *goods, *has, *short.members, *short.defined}:
            inner.report("wrong-payment", "goods", say="name", name=record.id)
        payment = payments[record.id] = _payment(record, inner, [card for _, card in cards], counters)
        known: set[str] = set()
        for name, card in cards:
            free_with = [other for other in card.words("free_with") if other in {*short.has, *short.members}]
            costs = dict(payment.costs(card.numbers("cost"), free_with))
            has[name] |= costs
            known |= {*costs, *dict(payment.supplies((name, *families[name]), goods_made(card)))}
        payments[record.id] = replace(payment, known=frozenset(known))
        defined[record.id] = Definition((), payments[record.id].due(on_the_card).payable, bare=True)
    return replace(short, payments=payments, has=has, defined=defined)


def _payment(record: PaymentRecord, inner: Reader, cards: Sequence[Reader], counters: set[str]) -> Payment:
    """Return a payment. Report mistakes in it, and goods that cards cost but the payment does not have."""
    goods, free = record.all_goods, counters - {*record.all_goods}
    if len({*goods}) < len(goods):
        inner.report("wrong-payment", "goods", say="twice")
    others: dict[str, None] = {}
    for card in cards:
        for good, _ in card.numbers("cost"):
            if good in free:
                others[good] = None
            elif good not in goods:
                card.at("cost").report("wrong-payment", good, say="cost", good=good, payment=record.id)
    return Payment(
        id=record.id,
        parts=tuple(_parts(record, inner, cards)),
        others=tuple(others),
        sources=tuple(_sources(record, inner, counters)),
        free_with=tuple(dict.fromkeys(chain.from_iterable(card.words("free_with") for card in cards))),
    )


def _parts(record: PaymentRecord, inner: Reader, cards: Sequence[Reader]) -> Iterator[GoodsPart]:
    """Yield the goods of a payment in parts, so that no source joins goods of two parts."""
    group_of = {good: group for group, goods in record.goods for good in goods}
    parts: dict[str, tuple[str, ...]] = {good: (good,) for good in group_of}
    joining = [(card, "makes", goods) for card in cards for goods, _ in goods_made(card)]
    last = record.from_[-1:]
    joining += [
        (entry, "stands_for", tuple(group_of) if ANY in source.stands_for else source.stands_for)
        for source, entry in zip(record.from_, inner.items("from"), strict=True)
        if not (last == (source,) and {ANY} == {*source.stands_for})
    ]
    for where, key, alternatives in joining:
        named = [good for good in alternatives if good in group_of]
        if len({group_of[good] for good in named}) > 1:
            where.report("wrong-payment", key, say="groups", payment=record.id)
        joined = tuple(dict.fromkeys(chain.from_iterable(parts[good] for good in named)))
        parts |= dict.fromkeys(joined, joined)
    for goods in dict.fromkeys(parts.values()):
        if len(goods) > limits.ALTERNATIVES:
            listed = ", ".join(goods)
            inner.report("wrong-payment", "goods", say="many", goods=listed, most=limits.ALTERNATIVES)
        else:
            sets = chain.from_iterable(combinations(goods, size) for size in range(1, len(goods) + 1))
            yield GoodsPart(group_of[goods[0]], goods, tuple(sets))


def _sources(record: PaymentRecord, inner: Reader, counters: set[str]) -> Iterator[Source]:
    """Yield the sources of a payment. `counters` are those that each seat has and can pay from."""
    goods, before = record.all_goods, list[tuple[object, ...]]()
    paid = {*goods, *(source.counter or "" for source in record.from_)}
    for stated, entry in zip(record.from_, inner.items("from"), strict=True):
        kind = stated.makes or ("counters" if stated.counters else "stands_for")
        needed, optional = _KEYS_OF[kind]
        wrong = sorted((needed - entry.keys) | (entry.keys - needed - optional))
        same = (stated.makes, stated.counters, None if stated.makes else stated.counter)
        prices = {amount.counter: amount.formula.expr for amount in stated.price}
        known = {group: prices.get(group, prices.get(ANY_GOODS)) for group, _ in record.goods if prices}
        if wrong:
            entry.report("wrong-payment", wrong[0], say="source")
            continue
        for group in sorted(group for group, price in known.items() if price is None):
            entry.report("wrong-payment", "price", say="price", group=group)
        priced = tuple((group, price) for group, price in known.items() if price is not None)
        for name in sorted(paid & {name for _, price in priced for _, name in references(price)}):
            entry.report("wrong-payment", "price", say="reads", name=name)
        for good in sorted({*stated.stands_for} - {*goods, ANY}):
            entry.report("wrong-payment", "stands_for", say="makes", good=good)
        if stated.counter and stated.counter not in counters - {*goods}:
            entry.report("wrong-payment", "counter", say="counter", name=stated.counter)
        if same in before:
            entry.report(
                "wrong-payment", "makes" if stated.makes else "counters" if stated.counters else "counter", say="seat"
            )
        elif len(priced) == len(known):
            yield Source(
                maker=stated.makes or "",
                of=stated.of,
                counter=stated.counter or "",
                prices=priced,
                stocked=tuple(good for good in goods if good in counters) if stated.counters else (),
                stands_for=goods if ANY in stated.stands_for else stated.stands_for,
            )
        before.append(same)


_SELLER = frozenset({"makes", "price", "counter"}), frozenset({"of"})
_KEYS_OF: Mapping[str, tuple[frozenset[str], frozenset[str]]] = {
    "self": (frozenset({"makes"}), frozenset({"of"})),
    "left": _SELLER,
    "right": _SELLER,
    "counters": (frozenset({"counters"}), frozenset()),
    "stands_for": (frozenset({"counter", "stands_for"}), frozenset()),
}
"""The keys that each kind of source needs, and the ones that it may have."""


@lru_cache(_REMEMBERED)
def paid_for(card: IdentityKey[Card], payments: tuple[Payment, ...]) -> Card:
    """Return a card with the hidden attributes that payments read."""
    old, names = card.own, (card.own.id, *card.own.family)
    costs = dict(chain.from_iterable(payment.costs(old.cost, old.free_with) for payment in payments))
    supplies = dict(chain.from_iterable(payment.supplies(names, old.makes) for payment in payments))
    return replace(old, dues=tuple(costs.items()), supplies=tuple(supplies.items()))
