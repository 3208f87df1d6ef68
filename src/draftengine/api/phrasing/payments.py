"""Sentences about payments: the price of cards, the goods that they produce, and sources of goods."""

from __future__ import annotations

from typing import TYPE_CHECKING

from draftengine.model.cardset.payments import ANY, ANY_GOODS
from draftengine.model.language.payments import NEIGHBOURS
from draftengine.model.verbs.verb import names_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from draftengine.api.phrasing import CardSetPhraser
    from draftengine.model.cardset.payments import PaymentRecord
    from draftengine.model.cardset.records import Card


def paid_said(card: Card, speech: CardSetPhraser) -> Iterator[str]:
    """Yield phrases about the price of a card, the cards that make it free, and goods that it produces."""
    if card.cost:
        yield speech.phrase("card.cost", list=speech.join_list([_units(*part, speech) for part in card.cost]))
    if card.free_with:
        yield speech.phrase("card.free_with", list=speech.alternatives([*map(speech.thing, card.free_with)]))
    if card.makes:
        made = [speech.alternatives([_units(good, count, speech) for good in goods]) for goods, count in card.makes]
        yield speech.phrase("card.makes", list=speech.join_list(made))


def _units(good: str, count: int, speech: CardSetPhraser) -> str:
    is_counter = any(counter.id == good for counter in speech.model.counters)
    return speech.units(speech.counter(good) if is_counter else speech.value(good), count)


def pays_said(pays: Iterable[tuple[str, int, str]], speech: CardSetPhraser) -> str:
    """Return a sentence about the payments of a move, as `View.pays` lists them; empty if there are none."""
    parts = [
        speech.phrase(f"pays.{seat}", of=speech.counter(counter), amount=amount)
        if seat
        else speech.units(speech.counter(counter), amount)
        for counter, amount, seat in pays
    ]
    return speech.phrase("pays", list=speech.join_list(parts, "comma")) if parts else ""


def payment_said(payment: PaymentRecord, speech: CardSetPhraser) -> str:
    """Return sentences about the sources of the goods for a payment, in the order of their use."""
    model, goods, groups = speech.model, payment.all_goods, dict(payment.goods)
    sentences, before = list[str](), ""
    for source in payment.from_:
        cards = names_of(source.of, speech)
        if source.makes == "self" and any(card.makes for card in model.cards):
            sentences.append(speech.phrase("payment.makes" + (".of" if source.of else ""), cards=cards))
        elif source.makes in NEIGHBOURS:
            prices = []
            for amount in source.price:
                price = speech.phrase(
                    "payment.price", text=speech.amount(amount.formula.expr), of=speech.counter(source.counter or "")
                )
                of_goods = speech.join_list([speech.value_name(good) for good in groups.get(amount.counter, ())])
                prices.append(
                    price
                    if amount.counter == ANY_GOODS
                    else speech.phrase("payment.price.of", price=price, goods=of_goods)
                )
            key = f"payment.seller.{source.makes}" + (".of" if source.of else "")
            sentences.append(speech.phrase(key, cards=cards, list=speech.join_list(prices)))
            if before in NEIGHBOURS:
                sentences.append(speech.phrase(f"payment.first.{before}"))
        elif source.counters:
            stocked = [speech.counter(counter.id).form("other") for counter in model.counters if counter.id in goods]
            key = "payment.stock" if sentences else "payment.stock.first"
            sentences += [speech.phrase(key, list=speech.join_list(stocked))] if stocked else []
        elif source.stands_for:
            named = speech.join_list([speech.value_name(good) for good in source.stands_for])
            key = "payment.wild" if ANY in source.stands_for else "payment.wild.of"
            sentences.append(speech.phrase(key, of=speech.counter(source.counter or ""), goods=named))
        before = source.makes or ""
    if any(card.free_with for card in model.cards):
        sentences.append(speech.phrase("payment.free"))
    return speech.joined(sentences)
