"""The records of payments, which are ways to pay for cards, and the keys of cards for payments."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, ClassVar, Literal, Self

from msgspec.structs import replace

from draftengine.model import limits
from draftengine.model.language.macros import ANY_CARD, EACH_LYING, expand
from draftengine.model.language.tree import Name
from draftengine.model.records import (
    CardOrFamilyNames,
    FieldSpec,
    Label,
    NamedRecord,
    Record,
    SeatAmounts,
    Sources,
    field,
)
from draftengine.model.records.reader import Amount, Formula
from draftengine.model.records.schema_fragments import ID, leaves, list_of, map_of, ref, whole

if TYPE_CHECKING:
    from draftengine.model.records.reader import Reader

ANY_GOODS = ":"
"""The name of the only group of goods, if the file names no groups."""
_UNITS = whole(1, limits.COST_OF_CARD)
_NAMED = {"pattern": ID, "maxLength": limits.NAME}
_GROUP = list_of(ref("name"), limits.GOODS)


def goods_made(reader: Reader, name: str = "makes") -> tuple[tuple[tuple[str, ...], int], ...]:
    """Return the goods that a card makes, each with a number, or one unit of any of several goods."""
    if words := reader.words(name):
        return ((words, 1),)
    return tuple(((good,), count) for good, count in reader.numbers(name))


COST = field(
    "Cost",
    "The price of the card in goods and counters, which ways with `pay: {PAYMENT: cost}` ask for.",
    {"wood": 2, "coins": 1},
    schema=map_of(ID, whole(0, limits.COST_OF_CARD), 20, 1),
    read=lambda reader, name: tuple(cost for cost in reader.numbers(name) if cost[1]),
)
MAKES = field(
    "Makes",
    "The goods that the card makes for each payment: one, several with numbers, or one or the other of a list.",
    "wood",
    ["wood", "clay"],
    {"wood": 2},
    schema={
        **_NAMED,
        **list_of(ref("name"), 10, 2),
        **map_of(ID, _UNITS, 10, 1),
        "type": ["string", "array", "object"],
    },
    read=goods_made,
)
FREE_WITH = field(
    "Free with",
    "Cards or families; the card costs nothing for a seat that has one of them.",
    "mill",
    schema=ref("names"),
)


ANY = "any"
"""The value of `stands_for` for all goods."""


class SourceRecord(Record, frozen=True, kw_only=True):
    """A source of goods: cards that make them, or counters that are goods or stand for goods."""

    makes: Annotated[
        Literal["self", "left", "right"] | None,
        field("Makes", "The seat whose cards make the goods: the one that pays, or a neighbour that sells.", "left"),
    ] = None
    of: Annotated[
        CardOrFamilyNames,
        field("Of", "The cards or families whose goods count. Default: all.", "quarry", schema=ref("names")),
    ] = ()
    price: Annotated[
        SeatAmounts,
        field(
            "Price",
            "A neighbour's price of one unit: a formula about the seat that buys, or one for each group of goods.",
            2,
            {"raw": 2, "fine": "1 if market > 0 else 2"},
            schema=leaves()["formula"] | map_of(ID, ref("formula"), 10, 1) | {"type": ["integer", "string", "object"]},
            read=lambda reader, name: (
                reader.amounts(name)
                or ((Amount(ANY_GOODS, reader.formula(name), reader.span),) if reader.has(name) else ())
            ),
        ),
    ] = ()
    counters: Annotated[
        Literal["same"] | None, field("Counters", "same: the counters that have the names of goods.", "same")
    ] = None
    counter: Annotated[
        str | None,
        field("Counter", "The counter with which a neighbour is paid, or that stands for goods.", "coins", "gold"),
    ] = None
    stands_for: Annotated[
        tuple[str, ...],
        field(
            "Stands for", "The goods that the counter pays for, one unit with one of it.", "any", schema=ref("names")
        ),
    ] = ()


class PaymentRecord(NamedRecord, frozen=True, kw_only=True):
    """A way to pay for cards that have a `cost`."""

    said: ClassVar[FieldSpec] = field(
        "Payment", "The sources of the goods that cards cost.", {"goods": ["wood", "clay"], "from": [{"makes": "self"}]}
    )

    label: Label = ()
    goods: Annotated[
        tuple[tuple[str, tuple[str, ...]], ...],
        field(
            "Goods",
            "The goods that cards cost and make: a list, the name of one of `lists`, or groups with their own prices.",
            ["wood", "clay"],
            {"raw": ["wood", "clay"], "fine": "glass"},
            schema={**_NAMED, **_GROUP, **map_of(ID, ref("names"), 10, 1), "type": ["string", "array", "object"]},
            read=lambda reader, name: (
                tuple((entry.key.text, reader.at(name).words(entry.key.text)) for entry in reader.at(name).node.entries)
                or ((ANY_GOODS, reader.words(name)),)
            ),
        ),
    ]
    from_: Annotated[
        tuple[SourceRecord, ...],
        field(
            "From",
            "The sources of goods, in the order of their use. Of two neighbours in a row, the cheaper is first.",
            [{"counters": "same"}],
        ),
    ]
    source: Sources = ()
    payable: tuple[Formula, ...] = ()
    """The condition that a seat can pay: first for the card in question, then for each card in a zone."""

    @classmethod
    def declared(cls, name: str, reader: Reader) -> Self:
        record = super().declared(name, reader)
        payable = (expand(Name(name), reader.short.about(card)) for card in (ANY_CARD, EACH_LYING))
        return replace(record, payable=tuple(Formula(name, expr, record.span) for expr in payable))

    @property
    def all_goods(self) -> tuple[str, ...]:
        """The goods of all groups, in order."""
        return tuple(good for _, group in self.goods for good in group)
