"""Verbs *deal* and *draw*: cards go to seats, to a shared zone, or to the places of a layout."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Self

from msgspec.structs import replace

from draftengine.model.language.tree import Number
from draftengine.model.records import CardOrFamilyNames, FlowNumber, SeatCondition, ZoneFrom, ZoneTo, field
from draftengine.model.verbs.places import OF_CARDS, SUCH_CARDS, for_each_copy, up_to
from draftengine.model.verbs.seats import FROM_ZONE, TO_ZONE, through_other_seats
from draftengine.model.verbs.verb import (
    Problem,
    Step,
    by_way,
    cards_meant,
    for_some,
    holder_of,
    number_key,
    other_zone,
    uncounted,
)
from draftengine.support.locale.catalogue import as_clause

if TYPE_CHECKING:
    from collections.abc import Iterator

    from draftengine.model.records.reader import Reader
    from draftengine.model.verbs.verb import Words, Zones


class Dealing(Step, frozen=True, kw_only=True):
    """Base class of `deal` and `draw`."""

    takes_who = True

    from_: Annotated[ZoneFrom, FROM_ZONE] = "deck"
    to: Annotated[ZoneTo, TO_ZONE] = "hand"
    cards: Annotated[
        FlowNumber | None,
        number_key("The number of cards for each seat or for the shared zone. Default: 1; a layout is filled."),
    ] = None

    @classmethod
    def read(cls, reader: Reader, **given: Any) -> Self:
        step = super().read(reader, **given)
        holds = reader.short.board.places_of(step.to).holds
        if holds is None:
            return step
        if step.cards is None:
            return replace(step, cards=up_to(holds, step.to, step.span))
        if any(isinstance(count.expr, Number) and count.expr.value > holds for _, count in step.cards.cases):
            reader.at(cls.verb).report("zone-misuse", "cards", say="holds-fewer", zone=step.to, holds=holds)
        return step

    def spread(self, reader: Reader) -> tuple[Step, ...]:
        steps, places = for_each_copy(self, ("from_", "to"), reader), reader.short.board.places_of(self.to)
        if places.holds is not None and not reader.at(self.verb).has("cards"):
            steps = tuple(replace(step, cards=up_to(places.holds, step.to, self.span)) for step in steps)
        if self.verb == DealStep.verb and self.who is not None:
            return steps  # some players would carry out a list, and lists do not deal
        return tuple(part for step in steps for part in step.brings(reader))

    def brings(self, reader: Reader) -> tuple[Step, ...]:
        """Return the steps that replace this one, if cards count in a zone or it is another seat's."""
        return through_other_seats(self, reader) or by_way(self, reader)

    of: CardOrFamilyNames = ()
    """The only cards or families that the step deals or draws; empty for any card."""
    such: SeatCondition | None = None
    """A condition that each card must meet; ``None`` if there is none."""
    in_order: bool = False
    """True if all cards move at once and keep their order. Drawn one by one, they are turned over."""

    def is_for_each(self, zones: Zones) -> bool:
        """True if each seat may draw another number of cards: a `draw` into zones of seats, but not a layout."""
        target = zones.get(self.to)
        if self.verb == DealStep.verb or target is None or target.layout:
            return False
        return self.for_one or target.per == "seat"

    def problems(self, zones: Zones) -> Iterator[Problem]:
        # Elsewhere, cards for a zone where they count arrive there with a second step (see `by_way`).
        limited = self.verb == DealStep.verb and self.who is not None
        yield from uncounted((self.from_,), zones)
        if limited and self.to in zones and zones[self.to].counts:
            yield Problem(self.to, "dealt-to-some")
        yield from other_zone(self.from_, self.to, zones)
        source, target = zones.get(self.from_), zones.get(self.to)
        if source is not None and target is not None and source.per == "seat" and target.per == "table":
            yield Problem(source.id, "no-seat", target=target.id)
        if source is not None and source.layout:
            yield Problem(source.id, "layout-dealt")


class DealStep(Dealing, frozen=True, kw_only=True):
    """Deal: cards go to each seat, to a marker's holder, to a shared zone or to the places of a layout.

    A game in which there can be too few cards is refused before play.

        - deal: {to: hand, cards: {2: 10, 3: 9}}
    """

    verb = "deal"
    said = field(
        "Deal",
        "Deal cards to each seat, to a shared zone or into a layout. Too few cards are an error, which is found "
        "before play.",
        {"to": "hand", "cards": 7},
    )

    def sentence(self, words: Words) -> str:
        cards, marker = words.cards(self.cards), holder_of(self.who)
        if words.has_copies(self.to):
            return _into_copies(self, words)
        key = "deal.hand" if self.to == "hand" else "deal" if words.of_each(self.to) else "deal.table"
        if self.to == "tableau":
            key = "deal.tableau"
        elif words.is_layout(self.to) and self.cards is None:
            key = "deal.fill"
        elif words.is_hidden(self.to) and marker is None:
            key += ".down"
        given: dict[str, object] = {"cards": cards.text, "players": cards.players, "zone": words.zone(self.to)}
        if marker is not None and words.of_each(self.to):
            given["marker"] = words.marker(marker)
            key += ".who"
        phrase = words.phrase(key, **given)
        phrase = phrase if self.from_ == "deck" else words.phrase("deal.from", text=phrase, zone=words.zone(self.from_))
        return for_some(phrase, self.who, words)


class DrawStep(Dealing, frozen=True, kw_only=True):
    """Draw: like `deal`, but if too few cards are left, seats get fewer. The number may differ by seat.

    - draw: {from: pile, to: hand, cards: 1}
    - draw: {to: hand, cards: 5 - cards(hand)}
    - draw: {from: market, of: soup, to: hand}
    """

    verb = "draw"
    in_lists = True
    said = field(
        "Draw",
        "Like `deal`, but too few cards are no error, and the number may differ by seat.",
        {"to": "hand", "cards": 1},
    )

    of: Annotated[CardOrFamilyNames, OF_CARDS] = ()
    such: Annotated[SeatCondition | None, SUCH_CARDS] = None

    @classmethod
    def path_to(cls, name: str) -> str:
        return super().path_to("of" if name == "such" else name)

    def problems(self, zones: Zones) -> Iterator[Problem]:
        yield from super().problems(zones)
        source, target = zones.get(self.from_), zones.get(self.to)
        if not (self.of or self.such) or source is None or target is None:
            return
        if self.such is not None and target.per == "table":
            yield Problem(target.id, "such-for-nobody")
        if source.seen_by != "everyone":
            yield Problem(source.id, "draw-would-tell")
        elif target.layout:
            yield Problem(target.id, "picked-to-layout")

    def sentence(self, words: Words) -> str:
        if words.has_copies(self.to):
            return _into_copies(self, words)
        cards = words.cards(self.cards)
        given = {**cards.given, "zone": words.zone(self.from_)}
        if words.is_all(self.cards, self.from_):
            given |= {"cards": words.phrase("cards.all"), "players": ""}
        if self.of or self.such:
            text = given["cards"] if self.cards else words.phrase("cards.all")
            given["cards"] = cards_meant(str(text), self.of, self.such, words)
        filled = words.filled_up(self.cards, self.to)
        if filled is not None and self.who is None and not words.is_layout(self.to):
            full = "draw.up_to.hand" if self.to == "hand" else "draw.if_empty" if filled.single == 1 else "draw.up_to"
            key = f"list.{full}" if self.for_one else full
            return words.phrase(
                key, to=words.zone(self.to), zone=given["zone"], cards=filled.text, players=filled.players
            )
        if self.for_one:
            return words.phrase("list.draw.hand" if self.to == "hand" else "list.draw", to=words.zone(self.to), **given)
        marker = holder_of(self.who)
        if marker is not None:
            key = "draw.who" if self.to == "hand" else "draw.who.zone"
            return words.phrase(key, marker=words.marker(marker), to=words.zone(self.to), **given)
        if words.is_layout(self.to):
            return words.phrase("draw.fill" if self.cards is None else "draw.table", to=words.zone(self.to), **given)
        key = "draw.own" if words.of_each(self.from_) else "draw"
        if self.to != "hand":
            each = words.of_each(self.to) and (self.who is None or self.who.formula is None)
            key = "draw.each" if each else "draw.table"
        phrase = words.phrase(key, to=words.zone(self.to), **given)
        return for_some(phrase, self.who, words)


def _into_copies(step: Dealing, words: Words) -> str:
    """Return the sentence of a step that brings cards to every copy of a zone."""
    filled = words.filled_up(step.cards, step.to)
    cards = filled or words.cards(step.cards)
    key = "draw.copies" if filled is None else "draw.fill" if filled.single == 1 else "draw.copies.up_to"
    given = {"zone": words.zone(step.from_), "to": words.zone(step.to), "cards": cards.text, "players": cards.players}
    text = for_some(words.phrase(key, **given), step.who, words)
    return as_clause(text) if step.for_one else text
