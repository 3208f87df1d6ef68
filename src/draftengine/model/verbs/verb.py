"""The contract of a verb: everything the program knows about something that can be done, in one value.

A verb is one module. It declares its frozen `Spec`, from which its part of the JSON Schema and its reader are made, and
holds what can be wrong with it, what it does to the numbers of cards in each zone, and its sentence for people. What it
does to a game stands in `draftengine.engine`, which finds it by the `Spec`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Generic, Protocol, Self, TypeVar

from msgspec import Struct

from draftengine.model.records.record import (
    Condition,
    Field,
    FieldSpec,
    Name,
    Printed,
    Record,
    Sources,
    field,
    fields_of,
    object_schema,
)
from draftengine.model.records.schema_fragments import described
from draftengine.model.records.schema_fragments import one_of as exactly_one
from draftengine.model.rules.kind import Phraser
from draftengine.support.source import Span

if TYPE_CHECKING:
    from draftengine.model.cardset.records import Zone
    from draftengine.model.flow import DryRun, Position
    from draftengine.model.language.tree import Expr
    from draftengine.model.loading.reader import Reader
    from draftengine.model.records.schema_fragments import Schema
    from draftengine.model.records.values import ByPlayerCount, Texts
    from draftengine.model.verbs.actions import Way
    from draftengine.support.locale.catalogue import Noun

Problem = tuple[str, str, str]
"""The zone, what is wrong with it here, and what to do."""

Zones = Mapping[str, "Zone"]


class Cards(Struct, frozen=True):
    """A number of cards as it is said, perhaps another one for each number of players."""

    numbers: str
    """``7``, ``10, 9, 8 or 7``."""
    text: str
    """The number with its noun: ``7 cards``, ``as many cards as …``."""
    players: str
    """For how many players they are, in parentheses; empty if the number is always the same."""
    count: int
    """A number by which words around it are chosen."""
    single: int | None
    """The number, if there is but one and it is known."""
    apart: tuple[str, str] | None = None
    """Of a number that is worked out: ``cards`` at its place, and ``as many as …`` behind the clause."""

    @property
    def given(self) -> dict[str, str]:
        """What belongs in a sentence that has a place for cards, and one behind that for which players they are."""
        cards, behind = self.apart or (self.text, self.players)
        return {"cards": cards, "players": behind}


class Words(Phraser, Protocol):
    """Phrases sentences about steps, with the labels of one card set."""

    @property
    def rounds(self) -> int:
        """The number of rounds."""

    def thing(self, name: str) -> str:
        """Return the noun for a marker, counter, zone or chip pile."""

    def alternatives(self, items: Sequence[str]) -> str:
        """Join several things: one of them is taken."""

    def seat(self, name: str) -> str:
        """Return the noun for an extra seat."""

    def counter(self, name: str) -> Noun:
        """Return the noun for what a counter counts."""

    def card_noun(self, name: str) -> Noun:
        """Return the noun for a card."""

    def zone(self, name: str) -> str:
        """Return the label of a zone for the middle of a sentence."""

    def sets_aside(self, zone: str) -> bool:
        """True if it is one of several zones in which players put cards aside."""

    def in_the_open(self, zone: str) -> bool:
        """True if everybody sees the cards of the zone."""

    def is_hidden(self, zone: str) -> bool:
        """Return whether nobody may look at what lies there."""

    def is_layout(self, zone: str) -> bool:
        """True if the zone is a layout with places."""

    def of_each(self, zone: str) -> bool:
        """True if every seat has such a zone."""

    def kept(self) -> Sequence[str]:
        """Return the noun for the cards that stay when the table is cleared."""

    def family(self, name: str) -> Noun:
        """Return the noun for the cards of a family."""

    def is_family(self, name: str) -> bool:
        """True if it names a family, not a card."""

    def effects(self, steps: Sequence[Step]) -> str:
        """Phrase effects as a list in the middle of a sentence."""

    def way(self, way: Way) -> str:
        """Return the label of a way."""

    def own_text(self, texts: Texts) -> str:
        """Return a text of the card set, if it has one in this language."""

    def cards(self, cases: ByPlayerCount | None) -> Cards:
        """Phrase a number of cards; 1 if none is given."""

    def filled_up(self, cases: ByPlayerCount | None, zone: str) -> Cards | None:
        """Return the size to which a zone is filled up, for a number such as ``3 - cards(market)``; else None."""

    def is_all(self, cases: ByPlayerCount | None, zone: str) -> bool:
        """True if a number of cards is that of all cards in a zone: ``cards(pile)``."""

    def marker(self, name: str) -> Noun:
        """Return what a marker is called, and its holder."""

    def holder(self, expr: Expr) -> Noun | None:
        """Return the marker whose holder a formula asks for, if it asks nothing else."""


class Step(Record, frozen=True, kw_only=True):
    """Something that is done: a step of the flow, or one of the effects of a card or a trigger."""

    separate: ClassVar[bool] = True
    verb: ClassVar[str]
    bare: ClassVar[bool] = False
    """True if its argument follows the verb directly, without a key."""

    id: Annotated[Name | None, field("Id", "A name by which variants can change the step.", "pass_hands")] = None
    when: Annotated[Condition | None, field("When", "Only if this holds.", "round > 1")] = None
    text: Printed = ()
    source: Sources = ()
    span: Span
    for_one: bool = False
    """True if it is part of a list that one seat carries out alone."""

    @classmethod
    def read(cls, reader: Reader, **given: Any) -> Self:
        values: dict[str, Any] = {}
        for declared in fields_of(cls):
            if declared.attribute in Step.__struct_fields__:
                values[declared.attribute] = declared.read(reader)
            elif cls.bare:
                values[declared.attribute] = declared.read(reader, cls.verb)
            else:
                values[declared.attribute] = declared.read(reader.at(cls.verb))
        return cls(**given, **values)

    @classmethod
    def path_to(cls, name: str) -> str:
        if name in Step.__struct_fields__:
            return f"/{name}"
        return f"/{cls.verb}" if cls.bare else f"/{cls.verb}/{name}"

    def is_for_each(self, zones: Zones) -> bool:  # noqa: ARG002 (some steps are, by their zones)
        """True if its numbers of cards may differ between the seats it is for."""
        return False

    @property
    def within(self) -> tuple[Step, ...]:
        """The steps of which it consists."""
        return ()

    @property
    def branches(self) -> tuple[tuple[str, tuple[Step, ...]], ...]:
        """The lists of which one is carried out, by what they are called."""
        return ()


S = TypeVar("S", bound=Step)


def _no_problem(_step: Step, _zones: Zones) -> Iterator[Problem]:
    yield from ()


def _nothing_moves(_step: Step, _run: DryRun, positions: list[Position]) -> list[Position]:
    return positions


class Verb(Struct, Generic[S], frozen=True, kw_only=True):
    """A verb, in the table in which the program finds it."""

    spec: type[S]
    said: FieldSpec | None = None
    """The text that an editor shows at the verb; None if that of its only argument serves."""
    alone: Schema | None = None
    """JSON Schema of a text that may be written instead of a mapping, if one may."""
    one_of: tuple[str, ...] = ()
    """Exactly one of these keys must be there."""
    problems: Callable[[S, Zones], Iterator[Problem]] = _no_problem
    """Zones that the step cannot be about."""
    count_cards: Callable[[S, DryRun, list[Position]], list[Position]] = _nothing_moves
    """From the positions before a step of the flow to those that can follow, and what that comes to."""
    sentence: Callable[[S, Words], str]
    leads: bool = False
    """True if its sentence comes before those of the steps within it."""

    @property
    def name(self) -> str:
        return self.spec.verb

    @property
    def arguments(self) -> tuple[Field, ...]:
        """Return the JSON Schema of what the verb takes."""
        return tuple(field for field in fields_of(self.spec) if field.attribute not in Step.__struct_fields__)

    def schema(self) -> Schema:
        """Return the JSON Schema of the argument behind the verb."""
        if self.said is None:
            return self.arguments[0].schema()
        schema = object_schema(self.arguments) | (exactly_one(self.one_of) if self.one_of else {})
        if self.alone is not None:
            schema |= {"type": ["string", "object"], **self.alone}
        return described(schema, self.said.title, self.said.description, *self.said.examples)


AnyVerb = Verb[Any]
