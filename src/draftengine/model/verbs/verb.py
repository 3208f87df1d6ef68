"""The contract of a verb: one class with most of what the program knows about one kind of step.

The fields of the class are the arguments of the verb. The JSON Schema and the reader are derived from them. Its methods
check a step, and describe it in sentences. Two other packages have a function for each class. The dry run
(`draftengine.model.flow`) works out how a step changes the number of cards in each zone. The engine
(`draftengine.engine`) carries out the step.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal, Protocol, Self

from msgspec import Struct
from msgspec.structs import replace

from draftengine.model.records import (
    Condition,
    Field,
    FieldSpec,
    Name,
    NamedRecord,
    Printed,
    Record,
    Sources,
    default_label,
    field,
    fields_of,
    object_schema,
)
from draftengine.model.records.schema_fragments import Schema, described, ref
from draftengine.model.records.schema_fragments import one_of as exactly_one
from draftengine.model.rules.kind import Phraser
from draftengine.model.verbs.who import SEATS, Who, read_who
from draftengine.support.locale.catalogue import as_clause
from draftengine.support.source import Span

if TYPE_CHECKING:
    from draftengine.model.language.tree import Expr
    from draftengine.model.records.reader import ByPlayerCount, Formula, Reader, Texts, Zone
    from draftengine.support.locale.catalogue import Noun


class Problem:
    """A zone that a step misuses, with the key of the message about it and the values for its text."""

    def __init__(self, zone: str, say: str, *, at: tuple[Span, str] | None = None, **values: Any) -> None:
        self.zone, self.say, self.values = zone, say, values
        self.at = at
        """A declaration inside the step and the word in it that is wrong; ``None`` for the zone in the step."""


Zones = Mapping[str, "Zone"]


class Cards(Struct, frozen=True):
    """A number of cards in words, which may depend on the number of players."""

    numbers: str
    """The number, or the number for each number of players: ``7``, ``10, 9, 8 or 7``."""
    text: str
    """The number with its noun: ``7 cards``, ``as many cards as …``."""
    players: str
    """The numbers of players to which `numbers` apply, in parentheses; empty if there is one number."""
    count: int
    """The number by which the words around it become singular or plural."""
    single: int | None
    """The number, if it is constant and the same for all numbers of players, otherwise ``None``."""
    apart: tuple[str, str] | None = None
    """For a computed number: the noun (``cards``), and the words for the end (``as many as …``)."""

    @property
    def given(self) -> dict[str, str]:
        """Two arguments for a phrase: ``cards``, and ``players``, which belongs at the end of the clause."""
        cards, players = self.apart or (self.text, self.players)
        return {"cards": cards, "players": players}


class Words(Phraser, Protocol):
    """Writes rulebook sentences about steps, with the labels of one card set."""

    @property
    def rounds(self) -> int:
        """The number of rounds; 0 if it is not certain before play."""

    @property
    def paid_in(self) -> Literal["", "tokens", "chips", "both"]:
        """The things that players get for points: tokens, chips or both; empty if points are written down."""

    @property
    def money(self) -> str:
        """The names of the tokens that represent points."""

    def alternatives(self, items: Sequence[str]) -> str:
        """Join phrases into alternatives: “a, b or c”."""

    def seat(self, name: str) -> str:
        """Return the noun for an extra seat."""

    def counter(self, name: str) -> Noun:
        """Return the noun for the things that a counter counts."""

    def on_cards(self, name: str) -> Noun | None:
        """Return the noun for a counter that every card has for itself; ``None`` for any other counter."""

    def payment(self, name: str) -> str:
        """Return the name of a payment, and note that the rulebook must explain it."""

    def card_noun(self, name: str) -> Noun:
        """Return the noun for a card."""

    def zone(self, name: str, *, theirs: bool = False) -> Noun:
        """Return the noun for a zone. With `theirs`, a hand belongs to the seat that the sentence is about."""

    def sets_aside(self, zone: str) -> bool:
        """True if this is one of several zones in which players put cards aside."""

    def in_the_open(self, zone: str) -> bool:
        """True if everybody sees the cards of the zone."""

    def is_hidden(self, zone: str) -> bool:
        """True if nobody may look at the cards of the zone."""

    def is_layout(self, zone: str) -> bool:
        """True if the zone is a layout with places."""

    def of_each(self, zone: str) -> bool:
        """True if every seat has its own zone of this name."""

    def has_copies(self, zone: str) -> bool:
        """True if there are several copies of the zone."""

    def is_named(self, name: str) -> bool:
        """True if a step gives this name to a place, card or player."""

    def about_any(self, expr: Expr, zone: str) -> Expr:
        """Return a formula about the first copy of a zone as a formula about any of its copies."""

    def such_players(self, expr: Expr) -> str:
        """Phrase a condition about players after their noun: “who have at least 2 soup”."""

    def amount_of_player(self, expr: Expr) -> str:
        """Return the phrase for the value of a formula for one of several players that the sentence mentions."""

    def kept(self) -> Sequence[str]:
        """Return the nouns for the cards that stay when tableaus are cleared."""

    def begin_apart(self) -> bool:
        """True if some cards begin the game in another zone than the deck."""

    def family(self, name: str) -> Noun:
        """Return the noun for the cards of a family."""

    def is_family(self, name: str) -> bool:
        """True if the name is that of a family, not of a card."""

    def effects(self, steps: Sequence[Step]) -> str:
        """Return a list of effects as part of a sentence."""

    def of_another(self) -> Words:
        """Return words for sentences about another player than the reader."""

    def way(self, way: NamedRecord) -> str:
        """Return the label of an action."""

    def own_text(self, texts: Texts) -> str:
        """Return the author's text in the language of these sentences; empty if there is none."""

    def cards(self, cases: ByPlayerCount | None) -> Cards:
        """Return the phrase for a number of cards; 1 if the number is None."""

    def filled_up(self, cases: ByPlayerCount | None, zone: str) -> Cards | None:
        """Return 3 for ``3 - cards(market)``: the number of cards to which it fills a zone, else None."""

    def is_all(self, cases: ByPlayerCount | None, zone: str) -> bool:
        """True if the number is always that of all cards in the zone, such as ``cards(pile)``."""

    def marker(self, name: str) -> Noun:
        """Return the noun for a marker; one of its forms is for the marker's holder."""

    def holder(self, expr: Expr) -> Noun | None:
        """Return the noun for a marker if the formula only tests which seat holds it, otherwise None."""


_BY_VERB: dict[str, type[Step]] = {}
"""The class of every verb, by name.

Each class adds itself when it is defined, so that steps can contain steps of every kind.
"""


class Step(Record, frozen=True, kw_only=True):
    """Base class of all verbs. An instance is a step of the flow, or an effect of a card or trigger."""

    separate: ClassVar[bool] = True
    verb: ClassVar[str]
    path_within: ClassVar[str] = "/do"
    """The JSON Pointer from a step in the file to the list of steps within it."""
    bare: ClassVar[bool] = False
    """True if the verb has a single argument, which follows it without a key: ``- shuffle: deck``."""
    said: ClassVar[FieldSpec | None] = None
    """The description that an editor shows for the verb; None if its only argument has one to show."""
    alone: ClassVar[Schema | None] = None
    """The JSON Schema of a string that the file may have in place of a mapping; None if it may not."""
    one_of: ClassVar[tuple[str, ...]] = ()
    """Keys that exclude each other. Exactly one of them is required."""
    leads: ClassVar[bool] = False
    """True if the step's sentence introduces a list of the sentences for the steps within it."""
    is_effect: ClassVar[bool] = False
    """True if the step changes only points, counters, markers, chips or the tableau of one seat."""
    in_lists: ClassVar[bool] = False
    """True if one seat can carry out the step alone, so that cards, actions and triggers may contain it."""
    takes_who: ClassVar[bool] = False
    """True if the verb itself handles `who`. Steps with other verbs are put into a group (see `DoStep`)."""

    id: Annotated[Name | None, field("Id", "A name by which variants can change the step.", "pass_hands")] = None
    who: Annotated[Who | None, replace(SEATS, read=read_who)] = None
    """The seats that carry out the step; ``None`` if the verb decides, which mostly means all players."""
    when: Annotated[Condition | None, field("When", "The condition for the step to be carried out.", "round > 1")] = (
        None
    )
    text: Printed = ()
    source: Sources = ()
    span: Span
    for_one: bool = False
    """True if one seat carries out the step alone, as part of a step list."""

    def __init_subclass__(cls, **declared: Any) -> None:
        super().__init_subclass__(**declared)
        if "verb" in cls.__dict__:
            _BY_VERB[cls.verb] = cls

    @classmethod
    def read(cls, reader: Reader, **given: Any) -> Self:
        word = None if cls.alone is None else reader.optional_word(cls.verb)
        values: dict[str, Any] = {} if word is None else cls.meant_by(word, reader)
        for declared in fields_of(cls):
            if declared.attribute in Step.__struct_fields__:
                values[declared.attribute] = declared.read(reader)
            elif cls.bare:
                values[declared.attribute] = declared.read(reader, cls.verb)
            elif word is None:
                values[declared.attribute] = declared.read(reader.at(cls.verb))
        return cls(**given, **values)

    @classmethod
    def meant_by(cls, word: str, reader: Reader) -> dict[str, Any]:
        """Return the arguments that a string means, if the file has it in place of a mapping (see `alone`)."""
        raise NotImplementedError

    @classmethod
    def path_to(cls, name: str) -> str:
        if name in Step.__struct_fields__:
            return f"/{name}"
        return f"/{cls.verb}" if cls.bare else f"/{cls.verb}/{name}"

    @classmethod
    def arguments(cls) -> tuple[Field, ...]:
        """Return the fields that only this verb has, without those that every step has."""
        return tuple(field for field in fields_of(cls) if field.attribute not in Step.__struct_fields__)

    @classmethod
    def schema(cls) -> Schema:
        """Return the JSON Schema of the value under the verb."""
        if cls.said is None:
            return cls.arguments()[0].schema()
        schema = object_schema(cls.arguments()) | (exactly_one(cls.one_of) if cls.one_of else {})
        if cls.alone is not None:
            schema |= {"type": ["string", "object"], **cls.alone}
        return described(schema, cls.said.title, cls.said.description, *cls.said.examples)

    def problems(self, zones: Zones) -> Iterator[Problem]:  # noqa: ARG002 (most verbs can use every zone)
        """Yield a problem for each zone that the step names but cannot use."""
        yield from ()

    def sentence(self, words: Words) -> str:
        """Return the sentence of the rulebook for this step."""
        raise NotImplementedError

    def told(self, text: str, words: Words) -> str:  # noqa: ARG002 (only groups say more)
        """Return the sentence of a step with an author's `text`. In a step list, it is only a clause."""
        return as_clause(text) if self.for_one else text

    def is_for_each(self, zones: Zones) -> bool:  # noqa: ARG002 (subclasses decide by the zones)
        """True if a different number of cards is possible for each seat that carries out the step."""
        return False

    @classmethod
    def around(cls, step: Step, reader: Reader, parts: tuple[Step, ...]) -> Step:  # noqa: ARG003 (only groups do)
        """Return the step that was read, or a group if its keys or several parts require one.

        `parts` are the steps that replace the step (see `spread`).
        """
        return step

    def spread(self, reader: Reader) -> tuple[Step, ...]:  # noqa: ARG002 (subclasses read what it is about)
        """Return the steps that replace this one and keep its common keys; by default, only the step itself."""
        return (self,)

    @property
    def is_nothing_but_steps(self) -> bool:
        """True if the steps within mean the same without this step around them."""
        return False

    @property
    def can_be_refused(self) -> bool:
        """True if the seat that carries out the step may always choose nothing, so that nothing happens."""
        return False

    @property
    def within(self) -> tuple[Step, ...]:
        """The steps that this step contains and carries out."""
        return ()

    @property
    def listed(self) -> tuple[Step, ...]:
        """The steps within that have their own sentences in the rulebook."""
        return self.within

    @property
    def listed_after(self) -> tuple[Step, ...]:
        """The steps whose sentences follow the sentence of this step."""
        return ()

    @property
    def branches(self) -> tuple[tuple[str, tuple[Step, ...]], ...]:
        """The alternative lists of steps, by name. A seat carries out one of them."""
        return ()


ON_THE_WAY = "list:taken"
"""A hidden zone of each seat for cards on their way from a shared zone to one where they count."""


def by_way(step: Step, reader: Reader, *, always: bool = False, **arguments: Any) -> tuple[Step, ...]:
    """Return the steps that bring cards to the zone of a step: itself, or two if the cards count there.

    The first of two steps brings the cards to `ON_THE_WAY`, and the second, a move with `arguments`, moves them on.
    With `always`, there are two steps for any zone.
    """
    arriving: Any = step
    if not always and arriving.to not in reader.short.counting:
        return (step,)
    common = {key: getattr(step, key) for key in Step.__struct_fields__}
    onward = verb_named("move")(from_=ON_THE_WAY, to=arriving.to, **common, **arguments)
    return replace(arriving, to=ON_THE_WAY), onward


def verb_named(name: str) -> Callable[..., Step]:
    """Return the class of a verb, for modules that may not import it."""
    return _BY_VERB[name]


SIDE_UP = field("Side", "The side that is up then. Default: cards stay as they lie.", "back", schema=ref("name"))
"""The key `side` of steps and actions."""


def with_sides_up(steps: tuple[Step, ...], reader: Reader) -> tuple[Step, ...]:
    """Return the steps, each followed by turning the cards in zones where a certain side is always up."""
    sides, flip = dict(reader.short.board.sides), _BY_VERB["flip"]
    if not sides:
        return steps
    turned: list[Step] = []
    for step in steps:
        turned.append(step)
        common = {key: getattr(step, key) for key in ("who", "when", "span", "for_one")}
        to: Any = getattr(step, "targets", (getattr(step, "to", None),))
        arriving: Any = flip
        turned += [arriving(zone=zone, side=sides[zone], **common) for zone in to if zone in sides]
    return tuple(turned)


def read_step(reader: Reader, *, for_one: bool = False) -> Step:
    """Read a step from a mapping. Its span is the verb's. Return a group if the step needs one."""
    entry = next(entry for entry in reader.node.entries if entry.key.text in _BY_VERB)
    step = _BY_VERB[entry.key.text].read(reader, span=entry.key.span, for_one=for_one)
    return _BY_VERB["do"].around(step, reader, with_sides_up(step.spread(reader), reader))


def read_steps(reader: Reader, key: str, *, for_one: bool = False) -> tuple[Step, ...]:
    """Read the list of steps under a key. `for_one` is true if one seat carries them out alone."""
    steps = (read_step(item, for_one=for_one) for item in reader.items(key))
    return tuple(step for read in steps for step in (read.within if read.is_nothing_but_steps else (read,)))


def read_list(reader: Reader, key: str) -> tuple[Step, ...]:
    """Read the list of steps under a key as a step list, which one seat carries out alone."""
    return read_steps(reader, key, for_one=True)


def with_else(steps: Iterable[Step]) -> Iterator[Step]:
    """Yield the steps that have lines in a list: each step, and then the group under its `else`."""
    return (part for step in steps for part in (step, *step.listed_after))


def for_some(phrase: str, who: Who | None, words: Words) -> str:
    """Return `phrase`, limited to the players who meet the condition of `who`, if it has one."""
    if who is None or who.formula is None:
        return phrase
    return words.phrase("step.if", condition=words.condition(who.formula.expr), text=phrase)


def joined(nouns: list[Noun], words: Words, last: str = "and") -> Noun:
    """Return one noun for several: “soup or bread”, or with “and” as the word before the last."""
    if len(nouns) == 1:
        return nouns[0]
    return type(nouns[0])(
        nouns[0].sort, {form: words.join_list([noun.form(form) for noun in nouns], last) for form in nouns[0].forms}
    )


def with_side(text: str, side: str | None, words: Words) -> str:
    """Return a sentence or clause about cards, with the side that is up then, if any."""
    if side is None:
        return text
    stop = text[-1] if text[-1:] in {".", "。"} else ""
    name = words.family(side).form("name") if words.is_family(side) else default_label(side)[0][1]
    return words.phrase("side.up", text=text.removesuffix(stop), side=name) + stop


def names_of(names: tuple[str, ...], words: Words) -> str:
    """Return the names of cards and families, joined with “or”."""
    nouns = [words.family(name) if words.is_family(name) else words.card_noun(name) for name in names]
    return words.join_list([noun.form("name") for noun in nouns], "or")


def cards_meant(cards: str, of: tuple[str, ...], such: Formula | None, words: Words) -> str:
    """Return the phrase for some cards: their number and names, or a condition, or the name from a step."""
    if such is not None and words.is_named(such.text):
        return words.phrase("cards.named", name=words.zone(such.text))
    if of or such is None:
        cards = words.phrase("cards.only", cards=cards, of=names_of(of, words))
    return words.phrase("cards.such", cards=cards, condition=words.condition(such.expr)) if such else cards


def holder_of(who: Who | None) -> str | None:
    """Return the marker whose holder carries out the step; None if other seats do."""
    return None if who is None else who.holder


def number_key(description: str) -> FieldSpec:
    """Declare a field that holds a number of cards."""
    return field("Cards", description, 7, "12 - players", {"2": 10, "3": 9}, schema=ref("by_players"))


def uncounted(names: tuple[str, ...], zones: Zones) -> Iterator[Problem]:
    """Yield a problem for each of these zones where cards add to counters: the verb cannot use such zones."""
    for zone in names:
        if zone in zones and zones[zone].counts:
            yield Problem(zone, "counted")


def other_zone(source: str, target: str, zones: Zones) -> Iterator[Problem]:
    """Yield a problem if a step would move cards from a zone to the same zone."""
    if source == target and source in zones:
        yield Problem(source, "to-itself")
