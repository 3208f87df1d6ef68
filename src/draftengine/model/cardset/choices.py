"""Choices of players before a game: parameters, variants and readings (interpretations of a rule)."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Annotated, ClassVar, Self

from msgspec.structs import replace

from draftengine.model.records import FieldSpec, Label, NamedRecord, Record, Sources, default_label, field
from draftengine.model.records.reader import Formula, Reader, Texts, once
from draftengine.model.records.schema_fragments import ID, list_of, map_of, player_counts, ref
from draftengine.support.source import Span

if TYPE_CHECKING:
    from collections.abc import Mapping


class Parameter(NamedRecord, frozen=True, kw_only=True):
    said: ClassVar[FieldSpec] = field("Parameter", "A named number for formulas.", {"default": 9, "values": [7, 8, 9]})

    default: Annotated[int, field("Default", "The value if nobody sets another one.", 9)]
    values: Annotated[tuple[int, ...], field("Values", "The values that the parameter can have.", [7, 8, 9])] = ()
    """The allowed values; empty if any value is allowed."""
    label: Label = ()


def read_parameters(reader: Reader) -> tuple[Parameter, ...]:
    """Return the parameters that a game or a variant declares."""
    return tuple(once(Parameter.declared, name, parameter) for name, parameter in reader.each("parameters"))


PARAMETERS = field(
    "Parameters",
    "Named numbers for formulas.",
    {"hand_size": {"default": 9}},
    schema=map_of(ID, ref("parameter"), 50),
    read=lambda reader, _: read_parameters(reader),
)
"""The key `parameters`, which a game and a variant can have."""


def _variants(title: str, description: str) -> FieldSpec:
    """Declare a field that holds a list of names of variants."""
    return field(title, description, ["other"], schema=list_of(ref("name"), 50, 0))


class VariantInfo(Record, frozen=True, kw_only=True):
    """The description of a variant: all its keys, except the changes that it makes to the card set.

    `draftengine.model.loading.overlay` applies the changes.
    """

    id: str
    title: Annotated[Texts, field("Title", "The name of the variant.", "Pass both ways")]
    text: Annotated[Texts, field("Text", "The rule of the variant, as a rulebook would print it.")] = ()
    needs: Annotated[
        Formula | None,
        field(
            "Needs", "The condition for the variant to be played. It can use players and parameters.", "players == 2"
        ),
    ] = None
    group: Annotated[
        str | None, field("Group", "The group of the variant. At most one variant of a group is played.", "variant")
    ] = None
    excludes: Annotated[tuple[str, ...], _variants("Excludes", "Variants that cannot be played together with it.")] = ()
    requires: Annotated[tuple[str, ...], _variants("Requires", "Variants that must be played, too.")] = ()
    builds_on: Annotated[
        tuple[str, ...],
        _variants("Builds on", "Variants that are applied before this one, which may change their changes."),
    ] = ()
    parameters: Annotated[tuple[Parameter, ...], PARAMETERS] = ()
    source: Sources = ()
    span: Span

    @classmethod
    def declared(cls, name: str, reader: Reader) -> Self:
        """Read the variant with this name. Without a title in the file, the title is made from the name."""
        variant = cls.read(reader, id=name)
        return variant if variant.title else replace(variant, title=default_label(name))


class ReadingOption(Record, frozen=True, kw_only=True):
    id: str
    text: Annotated[Texts, field("Text", "The answer in words.", "At least one icon is needed.")]


class ReadingInfo(Record, frozen=True, kw_only=True):
    id: str
    question: Annotated[Texts, field("Question", "The question that the rulebook leaves open.")]
    default: Annotated[
        str, field("Default", "The option that is played if nobody chooses one.", "literal", read=Reader.word)
    ]
    options: Annotated[
        tuple[ReadingOption, ...],
        field(
            "Options",
            "The possible answers.",
            schema=map_of(ID, {}, 20, 1),
            read=lambda reader, name: tuple(ReadingOption.read(each, id=key) for key, each in reader.each(name)),
        ),
    ]
    reason: Annotated[Texts, field("Reason", "The reason for the default.")] = ()
    variants: Annotated[
        tuple[str, ...], _variants("Variants", "The question matters only if one of these variants is played.")
    ] = ()
    """The variants that raise the question: at least one must be active. If empty, it is always open."""
    players: Annotated[
        tuple[int, int] | None,
        field(
            "Players",
            "The question matters only with these numbers of players.",
            2,
            "3-5",
            schema=player_counts(),
            read=Reader.range,
        ),
    ] = None
    source: Sources = ()
    chosen: str
    span: Span


def read_variants(reader: Reader) -> tuple[VariantInfo, ...]:
    """Return all variants of a file, active or not."""
    return tuple(once(VariantInfo.declared, name, variant) for name, variant in reader.each("variants"))


def read_readings(reader: Reader, chosen: Mapping[str, str] = MappingProxyType({})) -> tuple[ReadingInfo, ...]:
    """Return all readings of a file, each with the option that is in force."""
    readings = (once(_by_default, name, reading) for name, reading in reader.each("readings"))
    return tuple(
        replace(reading, chosen=option) if (option := chosen.get(reading.id)) else reading for reading in readings
    )


def _by_default(name: str, reader: Reader) -> ReadingInfo:
    return ReadingInfo.read(reader, id=name, chosen=reader.word("default"))
