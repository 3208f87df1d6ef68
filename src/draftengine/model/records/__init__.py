"""The base class of the records of a card set. Each record is declared only once.

Its struct, its JSON Schema and its reader are derived from its fields.

    class Spec(Step, frozen=True):
        marker: Annotated[MarkerName, field("Marker", "What is given.", "starter")]
        tie: Annotated[Tie, field("Tie", "Who gets it on a tie.")] = "stays"

A field that is declared with `field` has a key in the file: its name without an underscore at the end. Its type decides
which values are allowed and how they are read. For a name or formula, it also decides what this can refer to. A field
without a default is required. Values that are not in the file, such as the record's position, have no `field`.
"""

from __future__ import annotations

from functools import cache
from inspect import get_annotations
from types import NoneType, UnionType
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal, Self, Union, get_args, get_origin

from msgspec import NODEFAULT, Struct
from msgspec.structs import replace

from draftengine.model import limits
from draftengine.model.language.macros import as_condition
from draftengine.model.records.reader import Amount, ByPlayerCount, Formula, Reader, Texts
from draftengine.model.records.schema_fragments import (
    ASSUMED,
    ID,
    LABEL,
    SOURCE,
    TEXT,
    described,
    list_of,
    map_of,
    record,
    ref,
    whole,
)
from draftengine.support.identity import by_identity
from draftengine.support.source import Span  # noqa: TC001 (a Struct reads its annotations)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from draftengine.model.records.schema_fragments import Schema


Where = Literal["seat", "table", "flow", "constant"]
"""The kinds of scopes. A scope decides which names a formula can use."""
Wanted = Literal["int", "bool"]


_REMEMBERED = 1 << 12
"""The size of the cache of values in records. A large card set has fewer steps."""


class Record(Struct, frozen=True, kw_only=True, rename=lambda name: name.removesuffix("_")):
    """Base class of all records. Fields that are declared with `field` have keys in the file."""

    separate: ClassVar[bool] = False
    """True if `walk` leaves out records of this class within others, because they are checked separately."""

    @classmethod
    def read(cls, reader: Reader, **given: Any) -> Self:
        """Read the record from its mapping. `given` has the values of fields that are not in the file."""
        if "span" in cls.__struct_fields__:
            given["span"] = reader.span
        return cls(**given, **{field.attribute: field.read(reader) for field in fields_of(cls)})

    @classmethod
    def path_to(cls, name: str) -> str:
        """Return the JSON Pointer from the record to the value of a field."""
        return f"/{name}"


class NamedRecord(Record, frozen=True, kw_only=True):
    """A record whose id is chosen by the author of the card set."""

    said: ClassVar[FieldSpec]
    """The texts that an editor shows for the id."""

    id: str
    label: Texts
    span: Span

    @classmethod
    def declared(cls, name: str, reader: Reader) -> Self:
        """Read the record with this name. Without a label in the file, the label is made from the name."""
        record = cls.read(reader, id=name)
        return record if record.label else replace(record, label=default_label(name))


def default_label(name: str) -> Texts:
    """Return the label for a name without a label: ``green_tea`` becomes ``Green tea``."""
    text = name.replace("_", " ")
    return (("", text[:1].upper() + text[1:]),)


class FieldSpec(Struct, frozen=True):
    """The declaration of a key: texts for editors, and what differs from the type of the field.

    A field without a title has no key: its value is read from the key of another field.
    """

    title: str
    description: str
    examples: tuple[object, ...]
    schema: Schema | None
    read: Callable[[Reader, str], Any] | None
    more: Schema


def field(
    title: str,
    description: str,
    *examples: object,
    schema: Schema | None = None,
    read: Callable[[Reader, str], Any] | None = None,
    **more: object,
) -> FieldSpec:
    """Declare a key. `schema` and `read` replace those of the field's type; `more` is added to the schema."""
    return FieldSpec(title, description, examples, schema, read, more)


Role = Literal["", "from", "to", "asked", "taken"]
"""The uses of a name: cards leave or enter the zone, the holder decides, or a seat takes the marker.

The role is empty if that does not matter.
"""
ROLES = get_args(Role)


def key_of(fragment: Schema) -> FieldSpec:
    """Declare a key with this JSON Schema, which includes the texts for editors."""
    schema = {name: value for name, value in fragment.items() if name not in {"title", "description", "examples"}}
    return FieldSpec(fragment["title"], fragment["description"], tuple(fragment["examples"]), schema, None, {})


class NameReference(Struct, frozen=True):
    """Annotation of a type: the value is the name of a card, zone, marker and so on, as `kind` says."""

    kind: str
    role: Role = ""


class FormulaScope(Struct, frozen=True):
    """Annotation of a type: the value is a formula with a scope (`where`) and a required type (`wanted`)."""

    where: Where
    wanted: Wanted


Name = str
ZoneName = Annotated[str, NameReference("zone")]
ZoneFrom = Annotated[str, NameReference("zone", "from")]
"""The name of a zone from which cards go."""
ZoneTo = Annotated[str, NameReference("zone", "to")]
"""The name of a zone to which cards go."""
MarkerName = Annotated[str, NameReference("marker")]
MarkerTaken = Annotated[str, NameReference("marker", "taken")]
ExtraSeatName = Annotated[str, NameReference("extra seat")]
DieName = Annotated[str, NameReference("die")]
PileName = Annotated[str, NameReference("chip pile")]
CardName = Annotated[str, NameReference("card")]
CardOrFamilyNames = Annotated[tuple[str, ...], NameReference("card or family")]
LabelName = Annotated[str, NameReference("label")]
"""The name of a label of `score` steps."""
HolderOf = Annotated[str, NameReference("marker", "asked")]
"""The name of a marker whose holder decides something."""
Condition = Annotated[Formula, FormulaScope("table", "bool")]
"""A condition about the whole table."""
SeatNumber = Annotated[Formula, FormulaScope("seat", "int")]
SeatCondition = Annotated[Formula, FormulaScope("seat", "bool")]
"""A condition about one seat."""
FlowNumber = Annotated[ByPlayerCount, FormulaScope("flow", "int")]
"""A number that is known before play, possibly by number of players."""
SeatAmounts = Annotated[tuple[Amount, ...], FormulaScope("seat", "int")]

Label = Annotated[Texts, key_of(LABEL)]
Printed = Annotated[Texts, key_of(TEXT)]
Sources = Annotated[tuple[str, ...], key_of(SOURCE)]
"""Citations of the rulebook, on which a rule or other entry is based."""


_ZONES = tuple(NameReference("zone", role) for role in ROLES)
"""The annotations of fields that name zones. In a step about a copy, such a name means the copy."""


class _Kind(Struct, frozen=True):
    """The JSON Schema of the values of a type, and a function that reads them."""

    schema: Schema
    read: Callable[[Reader, str], Any]


_KINDS: dict[Any, _Kind] = {
    str: _Kind(ref("name"), Reader.optional_word),
    int: _Kind(whole(), Reader.optional_int),
    bool: _Kind({"type": "boolean"}, lambda reader, name: reader.flag(name) if reader.has(name) else None),
    Formula: _Kind(ref("formula"), Reader.optional_formula),
    ByPlayerCount: _Kind(ref("by_players"), Reader.by_players),
    Texts: _Kind(ref("text"), Reader.texts),
    tuple[tuple[str, int], ...]: _Kind(map_of(ID, whole(-limits.AMOUNT, limits.AMOUNT), 20), Reader.numbers),
    tuple[int, ...]: _Kind(list_of(whole(), 100), Reader.ints),
    tuple[str, ...]: _Kind(ref("names"), Reader.words),
    tuple[Amount, ...]: _Kind(ref("amounts"), Reader.amounts),
}


class Field(Struct, frozen=True):
    """A field of a record that has a key in the file."""

    attribute: str
    key: str
    required: bool
    default: object
    said: FieldSpec
    kind: _Kind
    meaning: NameReference | FormulaScope | None

    def schema(self) -> Schema:
        """Return the JSON Schema of the field, with the texts for editors.

        Without a declared example, the schema has one that differs from the default.
        """
        wording, schema, default = self.said, self.kind.schema, self.default

        other: tuple[object, ...] = ()
        if isinstance(default, int):
            other = (not default,) if isinstance(default, bool) else (max(default, 1),)
        more = {"default": default, **wording.more} if default or other else wording.more
        examples = wording.examples or schema.get("enum") or other
        return described(schema, wording.title, wording.description, *examples, **more)

    def read(self, reader: Reader, name: str = "") -> Any:
        """Read the value of the field from a mapping, under the key `name` or else the field's own key."""
        value = self.kind.read(reader, name or self.key)
        if isinstance(value, Formula) and isinstance(self.meaning, FormulaScope) and self.meaning.wanted == "bool":
            value = replace(value, expr=as_condition(value.expr, reader.short))
        if self.meaning in _ZONES:
            value = reader.short.here.get(value, value)
        return self.default if value is None else value


@cache
def fields_of(kind: type[Record]) -> tuple[Field, ...]:
    """Return the fields of a record class that have keys.

    Inherited fields come first. The order of a field that is declared again follows its last declaration.
    """
    types = _types_of(kind)
    keys = dict(zip(kind.__struct_fields__, kind.__struct_encode_fields__, strict=True))
    defaults = dict(zip(reversed(kind.__struct_fields__), reversed(kind.__struct_defaults__), strict=False))
    fields = []
    for name, declared in types.items():
        of_type, extras = declared, list[Any]()
        while get_origin(of_type) in {Annotated, Union, UnionType}:
            if get_origin(of_type) is Annotated:
                extras += of_type.__metadata__
                of_type = of_type.__origin__
            else:  # the first type of a union, such as that of an optional field
                of_type = next(part for part in get_args(of_type) if part is not NoneType)
        wording = next((extra for extra in extras if isinstance(extra, FieldSpec)), None)
        meaning = next((extra for extra in extras if isinstance(extra, NameReference | FormulaScope)), None)
        if name in keys and wording is not None:
            required = (default := defaults.get(name, NODEFAULT)) is NODEFAULT
            of_kind = _kind(of_type, wording)
            usual = None if required else default
            fields.append(Field(name, keys[name], required, usual, wording, of_kind, meaning))
    return tuple(fields)


def schema_of(kind: type[Record]) -> Schema:
    """Return the JSON Schema of a class of records."""
    return object_schema(fields_of(kind))


def definition_schema(kind: type[NamedRecord]) -> Schema:
    """Return the JSON Schema of a named record, with the texts for editors.

    If the record can have the key `source`, it can also have `assumed`.
    """
    schema, wording = schema_of(kind), kind.said
    if "source" in schema["properties"]:
        schema["properties"]["assumed"] = ASSUMED
    return described(schema, wording.title, wording.description, *wording.examples)


def object_schema(members: Iterable[Field]) -> Schema:
    """Return the JSON Schema of a mapping with exactly these fields."""
    fields = tuple(each for each in members if each.said.title)
    return record({each.key: each.schema() for each in fields}, [each.key for each in fields if each.required])


def walk(record: Record, path: str = "") -> Iterator[tuple[Field, Any, str]]:
    """Yield the values in a record and in the records within it, as (field, value, JSON Pointer)."""
    for field, value, place in _leaves(record):
        yield field, value, path + place


@by_identity(_REMEMBERED)
def _leaves(record: Record) -> tuple[tuple[Field, Any, str], ...]:
    """Return the values in one record, with JSON Pointers that begin at the record."""
    return tuple(_leaves_in(record, ""))


def _leaves_in(record: Record, path: str) -> Iterator[tuple[Field, Any, str]]:
    for field in fields_of(type(record)):
        value = getattr(record, field.attribute)
        parts = value if isinstance(value, tuple) else (value,)
        if value is None or not parts:
            continue
        place = path + record.path_to(field.key)
        if not isinstance(parts[0], Record):
            yield field, value, place
        elif not parts[0].separate:
            for part in parts:
                yield from _leaves_in(part, f"{place}/{part.id}" if isinstance(part, NamedRecord) else place)


@by_identity(_REMEMBERED)
def references_in(record: Record) -> tuple[tuple[NameReference, str], ...]:
    """Return every name that a record contains as a reference, as (kind and role, name)."""
    return tuple(
        (field.meaning, name)
        for field, value, _ in walk(record)
        if isinstance(field.meaning, NameReference)
        for name in (value if isinstance(value, tuple) else (value,))
    )


def referenced_names(record: Record, kind: str, *roles: str) -> frozenset[str]:
    """Return the names of one kind in a record. With `roles`, only the names with one of these roles."""
    return frozenset(
        name for names, name in references_in(record) if names.kind == kind and names.role in (roles or ROLES)
    )


def formulas_in(record: Record, path: str) -> Iterator[tuple[Formula, str, FormulaScope, int | None]]:
    """Yield each formula in a record, as (formula, JSON Pointer, scope, number of players).

    The number of players is None if the formula applies to all.
    """
    for field, value, place in walk(record, path):
        if not isinstance(field.meaning, FormulaScope):
            continue
        if isinstance(value, Formula):
            yield value, place, field.meaning, None
        elif isinstance(value, ByPlayerCount):
            for players, formula in value.cases:
                yield formula, place if players is None else f"{place}/{players}", field.meaning, players
        else:
            for amount in value:
                is_hidden = ":" in amount.counter
                yield amount.formula, place if is_hidden else f"{place}/{amount.counter}", field.meaning, None


@cache
def _types_of(kind: type[Record]) -> dict[str, Any]:
    """Return the types of all fields, inherited fields first. Cached: annotations are slow to evaluate."""
    base = kind.__base__
    inherited = _types_of(base) if base is not None and issubclass(base, Record) else {}
    annotations = get_annotations(kind, eval_str=True)
    return {name: declared for name, declared in inherited.items() if name not in annotations} | annotations


def _kind(kind: Any, wording: FieldSpec) -> _Kind:
    """Return the schema and the reader of a field: those that it declares, or else those of its type."""
    if wording.schema is not None and wording.read is not None:
        return _Kind(wording.schema, wording.read)
    if get_origin(kind) is Literal:
        usual = _Kind({"enum": list(get_args(kind))}, _KINDS[str].read)
    elif kind in _KINDS:
        usual = _KINDS[kind]
    elif get_origin(kind) is tuple:
        (item, _) = get_args(kind)
        usual = _Kind(list_of(schema_of(item), 10), lambda reader, name: tuple(map(item.read, reader.items(name))))
    else:
        usual = _Kind(schema_of(kind), lambda reader, name: kind.read(reader.at(name)) if reader.has(name) else None)
    return _Kind(wording.schema or usual.schema, wording.read or usual.read)
