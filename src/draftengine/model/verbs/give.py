"""*Give*: a marker goes to a neighbour, to nobody, or to the seat with most or fewest of something.

- give: {starter: left}
- give: {starter: {most: soup, tie: nobody}}
- give: {spoon: {next: soup > 2, else: nobody}}
- give: {starter: last}

The receiver can be the holder of another marker: in the last example, the holder of the marker ``last`` gets
``starter``. In a step list, ``self`` is the seat that carries it out. Before they are read, these spellings become the
long form, ``{marker: starter, to: {most: soup}, tie: left}``.

With `next`, the other players are checked one after the other, starting left of the holder (at seat 0 if nobody holds
it). The first player who meets the condition gets the marker. If no player does, `else` says who gets it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal, cast, get_args

from draftengine.model.diagnostics.suggest import did_you_mean, possible, write
from draftengine.model.language.macros import as_number
from draftengine.model.language.tree import Call, Name
from draftengine.model.records import MarkerName, Record, SeatCondition, SeatNumber, field, schema_of
from draftengine.model.records.reader import Formula
from draftengine.model.records.schema_fragments import ID, one_of
from draftengine.model.verbs.effects import TakeStep
from draftengine.model.verbs.verb import Step
from draftengine.model.verbs.who import EVERYONE, Beside
from draftengine.support.locale.phrases import said

if TYPE_CHECKING:
    from draftengine.model.records.reader import Reader
    from draftengine.model.verbs.verb import Words
    from draftengine.model.yaml.tree import Scalar

Way = Literal["left", "right", "nobody", "self"]
Tie = Literal["stays", "left", "right", "nobody"]

NOBODY = -1


class Ranked(Record, frozen=True, kw_only=True):
    """The seat with the most or fewest of something, or the next seat that meets a condition.

    Exactly one of `most`, `fewest` and `next` is given.
    """

    most: Annotated[SeatNumber | None, field("Most", "The seat with the highest value.", "soup")] = None
    fewest: Annotated[SeatNumber | None, field("Fewest", "The seat with the lowest value.", "soup")] = None

    next: Annotated[
        SeatCondition | None, field("Next", "The first seat to the left that meets this condition.", "soup > 2")
    ] = None
    else_: Annotated[
        Literal["nobody", "stays", "self"],
        field(
            "Else",
            "The result if no seat meets `next`. nobody: nobody holds the marker; stays or self: it stays where it is.",
        ),
    ] = "stays"

    @property
    def order(self) -> Literal["most", "fewest", "next"]:
        return "next" if self.next is not None else "most" if self.most is not None else "fewest"

    @property
    def measure(self) -> Formula:
        """The formula whose values are compared, or the condition of `next`."""
        return next(formula for formula in (self.next, self.most, self.fewest) if formula is not None)


def _read_to(reader: Reader, name: str) -> Way | Ranked:
    word = reader.optional_word(name)
    if word is None:
        return Ranked.read(reader.at(name))
    marker, ways, markers = reader.word("marker"), get_args(Way), reader.short.board.markers
    if word in ways:
        return cast("Way", word)
    if marker in ways and word in markers:
        swapped = write(f"give: {{{word}: {marker}}}")
        reader.report("unknown-marker", "marker", say="it", hint=swapped, kind=said("thing.marker"), name=marker)
        return "nobody"
    if word == marker in markers:
        given = said("quoted", name=marker)
        reader.report("not-allowed-value", name, say="it", hint=possible(ways), place=given, value=given)
        return "nobody"
    if word not in markers:
        hint = did_you_mean(word, (*ways, *markers))
        reader.report("unknown-marker", name, say="it", hint=hint, kind=said("thing.marker"), name=word)
        return "nobody"
    holder = Formula(
        f"holds({word})", as_number(Call("holds", (Name(word),))), cast("Scalar", reader.node.get(name)).span
    )
    return Ranked(most=holder)


_RANKED = schema_of(Ranked)


class GiveStep(Step, frozen=True, kw_only=True):
    verb = "give"
    in_lists = True
    said = field("Give", "Give a marker.", {"marker": "starter", "to": "left"})

    marker: Annotated[MarkerName, field("Marker", "The marker that is given.", "starter")]
    to: Annotated[
        Way | Ranked,
        field(
            "To",
            "The receiver: left, right, nobody, self (the seat that carries out the list), the holder of another "
            "marker, the seat with most or fewest of something, or the next seat that meets a condition.",
            "left",
            {"most": "soup"},
            schema={
                **_RANKED,
                "type": ["string", "object"],
                "if": {"type": "string"},
                "then": {"pattern": ID},
                "else": one_of({order: _RANKED["properties"][order] for order in ("most", "fewest", "next")}),
            },
            read=_read_to,
        ),
    ]
    tie: Annotated[Tie, field("Tie", "The receiver if seats tie.")] = "stays"

    def spread(self, reader: Reader) -> tuple[Step, ...]:  # noqa: ARG002 (nothing else decides it)
        if self.to != "self":
            return (self,)
        return (TakeStep(marker=self.marker, **{key: getattr(self, key) for key in Step.__struct_fields__}),)

    @property
    def otherwise(self) -> Tie:
        """The word that says where the marker goes if no single seat is selected."""
        if isinstance(self.to, Ranked) and self.to.order == "next":
            return "nobody" if self.to.else_ == "nobody" else "stays"
        return self.tie

    def sentence(self, words: Words) -> str:
        marker = words.marker(self.marker)
        if not isinstance(self.to, Ranked):
            phrase, otherwise = words.phrase(f"give.{self.to}", marker=marker), ""
        elif self.to.order == "next":
            phrase = words.phrase("give.next", marker=marker, condition=words.condition(self.to.measure.expr))
            otherwise = f"give.next_{self.otherwise}"
        else:
            holder = words.holder(self.to.measure.expr) if self.to.order == "most" else None
            if holder is not None:
                phrase, tied = words.phrase("give.holder", marker=marker, other=holder), "give.none"
            else:
                of = words.noun(self.to.measure)
                phrase, tied = words.phrase(f"give.{self.to.order}", of=of, marker=marker), "give.tie"
            otherwise = f"{tied}_{self.tie}" if self.tie != "stays" else ""
        if otherwise:
            phrase += words.phrase("space") + words.phrase(otherwise, marker=marker)
        return phrase[:1].lower() + phrase[1:].rstrip(".。") if self.for_one else phrase


KEYS = frozenset(GiveStep.__struct_fields__) - frozenset(Step.__struct_fields__)
"""The keys of the long form, without those that every step has."""
WORDS = KEYS | {*get_args(Way)} | {EVERYONE, *get_args(Beside)}
"""Words with a fixed meaning as receiver of a marker or under `who`. No marker may have such a name."""
