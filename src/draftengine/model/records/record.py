"""A record of a card set, declared once: its fields give the struct, the JSON Schema and the reader.

    class Spec(Step, frozen=True):
        marker: Annotated[MarkerName, key("Marker", "What is given.", "starter")]
        tie: Annotated[Tie, key("Tie", "Who gets it on a tie.")] = "stays"

A field with a `field` stands in the file under its own name, without a trailing underscore. Its type says what may
stand there and how it is read; the type of a name or a formula also says what it is looked up as. A field without a
default must be there. What is not in the file, such as the place of the record, has no `field`.
"""

from __future__ import annotations

from functools import cache, lru_cache
from inspect import get_annotations
from types import NoneType, UnionType
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal, Self, Union, get_args, get_origin

from msgspec import NODEFAULT, Struct
from msgspec.structs import replace

from draftengine.model.language.macros import as_condition
from draftengine.model.records.schema_fragments import (
    ASSUMED,
    LABEL,
    SOURCE,
    TEXT,
    described,
    list_of,
    record,
    ref,
    whole,
)
from draftengine.model.records.values import Amount, ByPlayerCount, Formula, Texts
from draftengine.support.identity import IdentityKey
from draftengine.support.source import Span

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from draftengine.model.loading.reader import Reader
    from draftengine.model.records.schema_fragments import Schema

Where = Literal["seat", "table", "flow", "constant"]
"""Which names a formula can use."""
Wanted = Literal["int", "bool"]


_REMEMBERED = 1 << 12
"""Of so many records it is remembered what stands in them; a large card set has fewer steps."""


class Record(Struct, frozen=True, kw_only=True, rename=lambda name: name.removesuffix("_")):
    """The base of records whose fields are declared with `field`."""

    separate: ClassVar[bool] = False
    """Is it looked at by itself, and not as a part of the record in which it stands."""

    @classmethod
    def read(cls, reader: Reader, **given: Any) -> Self:
        """The record from its mapping; `given` is what does not stand in the file, beside its place."""
        if "span" in cls.__struct_fields__:
            given["span"] = reader.span
        return cls(**given, **{field.attribute: field.read(reader) for field in fields_of(cls)})

    @classmethod
    def path_to(cls, name: str) -> str:
        """The JSON Pointer of a key from where the record stands."""
        return f"/{name}"


class NamedRecord(Record, frozen=True, kw_only=True):
    """A record that stands under a name of the card set's own."""

    said: ClassVar[FieldSpec]
    """What an editor shows at the name."""

    id: str
    label: Texts
    span: Span

    @classmethod
    def declared(cls, name: str, reader: Reader) -> Self:
        """The record of that name; without a label it is called by its name."""
        record = cls.read(reader, id=name)
        return record if record.label else replace(record, label=default_label(name))


def default_label(name: str) -> Texts:
    """What something without a label is called: ``green_tea`` is shown as ``Green tea``."""
    text = name.replace("_", " ")
    return (("", text[:1].upper() + text[1:]),)


class FieldSpec(Struct, frozen=True):
    """What an editor shows at a key, and what the field's type does not say about it."""

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
    """Declare a key; `schema` and `read` are given if the type does not tell them, and `more` is shown as it is."""
    return FieldSpec(title, description, examples, schema, read, more)


Role = Literal["", "from", "to", "asked", "taken"]
"""What a name is for, where that matters."""
ROLES = get_args(Role)


def key_of(fragment: Schema) -> FieldSpec:
    """Declare a key by its whole JSON Schema."""
    schema = {name: value for name, value in fragment.items() if name not in {"title", "description", "examples"}}
    return FieldSpec(fragment["title"], fragment["description"], tuple(fragment["examples"]), schema, None, {})


class NameReference(Struct, frozen=True):
    """The value names something of this kind."""

    kind: str
    role: Role = ""


class FormulaScope(Struct, frozen=True):
    """The value is a formula that can use certain names."""

    where: Where
    wanted: Wanted


Name = str
ZoneName = Annotated[str, NameReference("zone")]
ZoneFrom = Annotated[str, NameReference("zone", "from")]
"""The zone out of which cards go."""
ZoneTo = Annotated[str, NameReference("zone", "to")]
"""The zone into which cards go."""
MarkerName = Annotated[str, NameReference("marker")]
MarkerTaken = Annotated[str, NameReference("marker", "taken")]
ExtraSeatName = Annotated[str, NameReference("extra seat")]
DieName = Annotated[str, NameReference("die")]
PileName = Annotated[str, NameReference("chip pile")]
CardName = Annotated[str, NameReference("card")]
CardOrFamilyNames = Annotated[tuple[str, ...], NameReference("card or family")]
LabelName = Annotated[str, NameReference("label")]
"""The word of a score step."""
HolderOf = Annotated[str, NameReference("marker", "asked")]
"""A marker whose holder is asked for."""
Condition = Annotated[Formula, FormulaScope("table", "bool")]
"""A condition about the whole table."""
SeatNumber = Annotated[Formula, FormulaScope("seat", "int")]
SeatCondition = Annotated[Formula, FormulaScope("seat", "bool")]
"""A condition about one seat."""
FlowNumber = Annotated[ByPlayerCount, FormulaScope("flow", "int")]
"""A number that is known before play."""
SeatAmounts = Annotated[tuple[Amount, ...], FormulaScope("seat", "int")]

Label = Annotated[Texts, key_of(LABEL)]
Printed = Annotated[Texts, key_of(TEXT)]
Sources = Annotated[tuple[str, ...], key_of(SOURCE)]
"""The rulebook statements from which something comes."""


class _Kind(Struct, frozen=True):
    """What values of a type look like in a file, and how they are read."""

    schema: Schema
    read: Callable[[Reader, str], Any]


_KINDS: dict[Any, _Kind] = {
    str: _Kind(ref("name"), lambda reader, name: reader.optional_word(name)),
    int: _Kind(whole(), lambda reader, name: reader.optional_int(name)),
    bool: _Kind({"type": "boolean"}, lambda reader, name: reader.flag(name) if reader.has(name) else None),
    Formula: _Kind(ref("formula"), lambda reader, name: reader.optional_formula(name)),
    ByPlayerCount: _Kind(ref("by_players"), lambda reader, name: reader.by_players(name)),
    Texts: _Kind(ref("text"), lambda reader, name: reader.texts(name)),
    tuple[int, ...]: _Kind(list_of(whole(), 100), lambda reader, name: reader.ints(name)),
    tuple[str, ...]: _Kind(ref("names"), lambda reader, name: reader.words(name)),
    tuple[Amount, ...]: _Kind(ref("amounts"), lambda reader, name: reader.amounts(name)),
}


class Field(Struct, frozen=True):
    """A field that stands in the file."""

    attribute: str
    key: str
    required: bool
    default: object
    said: FieldSpec
    kind: _Kind
    meaning: NameReference | FormulaScope | None

    def schema(self) -> Schema:
        """Its JSON Schema, with what an editor shows."""
        wording, schema = self.said, self.kind.schema
        defaults = {"default": self.default} if self.default or isinstance(self.default, int) else {}
        examples = wording.examples or schema.get("enum") or self._other_value()
        return described(schema, wording.title, wording.description, *examples, **{**defaults, **wording.more})

    def _other_value(self) -> tuple[object, ...]:
        """An example of a number or a flag: what is not usual, or at least one."""
        if isinstance(self.default, bool):
            return (not self.default,)
        return (max(self.default, 1),) if isinstance(self.default, int) else ()

    def read(self, reader: Reader, name: str = "") -> Any:
        """Its value in a mapping, under its own key if no other is named."""
        value = self.kind.read(reader, name or self.key)
        if isinstance(value, Formula) and isinstance(self.meaning, FormulaScope) and self.meaning.wanted == "bool":
            value = replace(value, expr=as_condition(value.expr, reader.short))
        return self.default if value is None else value


@cache
def fields_of(kind: type[Record]) -> tuple[Field, ...]:
    """The fields that stand in the file, inherited ones first, in the order in which they are declared last."""
    types = _types_of(kind)
    keys = dict(zip(kind.__struct_fields__, kind.__struct_encode_fields__, strict=True))
    defaults = dict(zip(reversed(kind.__struct_fields__), reversed(kind.__struct_defaults__), strict=False))
    fields = (
        _field(name, keys[name], declared, defaults.get(name, NODEFAULT))
        for name, declared in types.items()
        if name in keys
    )
    return tuple(field for field in fields if field is not None)


def schema_of(kind: type[Record]) -> Schema:
    """The JSON Schema of a kind of record."""
    return object_schema(fields_of(kind))


def definition_schema(kind: type[NamedRecord]) -> Schema:
    """The JSON Schema of what a card set declares, with what an editor shows; where it may cite, it may also assume."""
    schema, wording = schema_of(kind), kind.said
    if "source" in schema["properties"]:
        schema["properties"]["assumed"] = ASSUMED
    return described(schema, wording.title, wording.description, *wording.examples)


def object_schema(members: Iterable[Field]) -> Schema:
    """The JSON Schema of a mapping with just these fields."""
    fields = tuple(members)
    return record({each.key: each.schema() for each in fields}, [each.key for each in fields if each.required])


def walk(record: Record, path: str = "") -> Iterator[tuple[Field, Any, str]]:
    """Everything that stands in a record and in its parts: field, value and JSON Pointer."""
    for field, value, place in _leaves(IdentityKey(record)):
        yield field, value, path + place


@lru_cache(_REMEMBERED)
def _leaves(record: IdentityKey[Record]) -> tuple[tuple[Field, Any, str], ...]:
    """All that stands in one record, looked for once."""
    return tuple(_leaves_in(record.own, ""))


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


def references_in(record: Record) -> Iterator[tuple[NameReference, str]]:
    """Every name that stands for something else, with what that is."""
    for field, value, _ in walk(record):
        if isinstance(field.meaning, NameReference):
            for name in value if isinstance(value, tuple) else (value,):
                yield field.meaning, name


def referenced_names(record: Record, kind: str, *roles: str) -> frozenset[str]:
    """The names of a kind, of those with one of some roles if these are given."""
    return frozenset(
        name for names, name in references_in(record) if names.kind == kind and names.role in (roles or ROLES)
    )


def formulas_in(record: Record, path: str) -> Iterator[tuple[Formula, str, FormulaScope, int | None]]:
    """Every formula with its JSON Pointer, what it can use, and the number of players for which it is (if for one)."""
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
                yield amount.formula, f"{place}/{amount.counter}", field.meaning, None


@cache
def _types_of(kind: type[Record]) -> dict[str, Any]:
    """The declared types, inherited ones first; each text is evaluated once, not again in every kind that inherits."""
    base = kind.__base__
    inherited = _types_of(base) if base is not None and issubclass(base, Record) else {}
    annotations = get_annotations(kind, eval_str=True)
    return {name: declared for name, declared in inherited.items() if name not in annotations} | annotations


def _field(name: str, key: str, declared: Any, default: object) -> Field | None:
    kind, extras = _bare(declared)
    wording = next((extra for extra in extras if isinstance(extra, FieldSpec)), None)
    if wording is None:
        return None
    meaning = next((extra for extra in extras if isinstance(extra, NameReference | FormulaScope)), None)
    required = default is NODEFAULT
    return Field(name, key, required, None if required else default, wording, _kind(kind, wording), meaning)


def _bare(declared: Any) -> tuple[Any, list[Any]]:
    """A type without ``Annotated`` and ``None`` (of several types the first), and what it was annotated with."""
    extras: list[Any] = []
    while True:
        if get_origin(declared) is Annotated:
            extras += declared.__metadata__
            declared = declared.__origin__
        elif get_origin(declared) in {Union, UnionType}:
            declared = next(part for part in get_args(declared) if part is not NoneType)
        else:
            return declared, extras


def _kind(kind: Any, wording: FieldSpec) -> _Kind:
    """How values of a field look and are read: as its key says, or else as its type does."""
    if wording.schema is not None and wording.read is not None:
        return _Kind(wording.schema, wording.read)
    usual = _usual(kind)
    return _Kind(wording.schema or usual.schema, wording.read or usual.read)


def _usual(kind: Any) -> _Kind:
    if get_origin(kind) is Literal:
        return _Kind({"enum": list(get_args(kind))}, _KINDS[str].read)
    if kind in _KINDS:
        return _KINDS[kind]
    if get_origin(kind) is tuple:
        (item, _) = get_args(kind)
        return _Kind(list_of(schema_of(item), 10), lambda reader, name: tuple(map(item.read, reader.items(name))))
    return _Kind(schema_of(kind), lambda reader, name: kind.read(reader.at(name)) if reader.has(name) else None)
