"""A tree against the schema: every mistake in words, at the very place, once."""

from __future__ import annotations

import re
from functools import cache
from itertools import islice
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, cast

from msgspec import Struct
from msgspec.structs import replace

from draftengine.cardset import belonging
from draftengine.cardset.overlay import pointer
from draftengine.cardset.schema import PATTERNS, REQUIRED, schema
from draftengine.cardset.shape import Shape
from draftengine.cardset.tree import Entry, Mapping, Node, Scalar, Sequence, plain
from draftengine.cardset.yaml_scalar import ONE_NUMBER, RANGE, as_version
from draftengine.diagnostics.finding import Diagnostic, Edit, Fix, Related, ordered
from draftengine.diagnostics.fixes import renamed, replaced, with_entry
from draftengine.diagnostics.suggest import closest, did_you_mean
from draftengine.records.numbers import is_whole
from draftengine.records.pieces import ADDRESSES, BASE, PART, PLAYER_COUNT, PLAYERS, VERSION
from draftengine.rules import KINDS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from collections.abc import Mapping as Table

    from jsonschema.exceptions import ValidationError

    from draftengine.source import Span

SCENARIOS = "/cardset"
"""The key by which a file of scenarios is told, in which nothing else is wrong: it is no card set."""

MAX_ERRORS = 500
"""So many complaints of the schema are looked at."""

_MANY = 12
"""No hint lists more names than this."""


def validate(root: Mapping, shape: Callable[[], dict[str, Any]] = schema) -> tuple[Diagnostic, ...]:
    """What a schema has against a file: that of card sets against one (or a merged one), or another against its own."""
    if shape is schema and (own := root.entry("cardset")) is not None and root.get("cards") is None:
        message = "This file holds scenarios about a card set; it is none itself."
        hint = "Run it with “draftengine test”."
        return (Diagnostic("unknown-key", "error", message, own.key.span, SCENARIOS, hint),)
    data = plain(root)
    if _shape(shape).matches(data):
        return ordered(_upside_down(root))
    errors = islice(_validator(shape).iter_errors(data), MAX_ERRORS)
    found = [problem for error in errors for problem in _problems(_Place.of(root, error))]
    newer = [problem.finding for problem in found if problem.finding.code == "unsupported-format"]
    if newer:
        return tuple(newer)
    causes = list(_root_causes(found))
    return ordered([*(_told_together(causes) if shape is schema else map(_finding, causes)), *_upside_down(root)])


@cache
def _shape(shape: Callable[[], dict[str, Any]]) -> Shape:
    """The quick test of a schema, made once."""
    return Shape(shape())


@cache
def _validator(shape: Callable[[], dict[str, Any]]) -> Any:
    """The validator of a schema, made once. Only whole numbers without a point are integers."""
    from jsonschema import Draft202012Validator  # noqa: PLC0415 (it takes longer to import than to use)
    from jsonschema.validators import extend  # noqa: PLC0415

    checker = Draft202012Validator.TYPE_CHECKER.redefine("integer", lambda _, value: is_whole(value))
    return cast("Any", extend)(Draft202012Validator, type_checker=checker)(shape())


def _upside_down(root: Mapping) -> Iterator[Diagnostic]:
    node = root.get("players")
    if isinstance(node, Scalar) and isinstance(node.value, str) and re.fullmatch(r"\d{1,2}-\d{1,2}", node.value):
        fewest, most = map(int, node.value.split("-"))
        if fewest > most:
            hint = f"Write “{most}-{fewest}”."
            yield Diagnostic("out-of-range", "error", f"“{node.value}” is upside down.", node.span, "/players", hint)


# ── One complaint and its place ───────────────────────────────────────────────────────────────────────────────────────


class _Problem(Struct, frozen=True):
    """A finding with what decides whether another one makes it superfluous."""

    finding: Diagnostic
    keyword: str
    where: tuple[str | int, ...]
    key: str = ""
    """The key that is missing, or the one that an unknown key may have meant."""


class _Place(Struct, frozen=True):
    """A complaint of the schema and the node that it is about."""

    error: ValidationError
    path: tuple[str | int, ...]
    node: Node
    entry: Entry | None
    """The entry whose value the node is; ``None`` for the root and in lists."""

    @classmethod
    def of(cls, root: Mapping, error: ValidationError) -> _Place:
        node: Node = root
        entry: Entry | None = None
        path = tuple(error.absolute_path)
        for part in path:
            if isinstance(node, Mapping):
                entry = node.entry(str(part))
                node = entry.value if entry else node
            elif isinstance(node, Sequence):
                entry, node = None, node.items[int(part)]
        return cls(error, path, node, entry)

    @property
    def value(self) -> Any:
        return self.error.instance

    @property
    def asked(self) -> Any:
        """What the schema's keyword asks for."""
        return self.error.validator_value

    @property
    def schema(self) -> Any:
        """The part of the schema that complains."""
        return self.error.schema

    @property
    def is_key(self) -> bool:
        """Whether the complaint is about a key of the node, not about its value."""
        return "propertyNames" in self.error.absolute_schema_path

    @property
    def name(self) -> str:
        """How the node is called in a sentence."""
        if not self.path:
            return "the file"
        if isinstance(self.path[-1], str):
            return f"“{self.path[-1]}”"
        owner = next((part for part in reversed(self.path) if isinstance(part, str)), "")
        return f"entry {self.path[-1] + 1} of “{owner}”"

    @property
    def head(self) -> Span:
        """Where a mapping is introduced: its key, or its first key in a list."""
        if self.entry is not None:
            return self.entry.key.span
        if isinstance(self.node, Mapping) and self.node.entries:
            return self.node.entries[0].key.span
        return self.node.span

    def key_span(self, name: str) -> Span:
        entry = self.node.entry(name) if isinstance(self.node, Mapping) else None
        return entry.key.span if entry else self.node.span

    def problem(self, code: str, message: str, hint: str = "", **more: Any) -> _Problem:
        """A problem with the node, or with one key in it (`at`)."""
        at, span = more.pop("at", None), more.pop("span", None)
        path = (*self.path, at) if at is not None else self.path
        place = span or (self.key_span(at) if at is not None else self.node.span)
        related = more.pop("related", ())
        text = message[:1].upper() + message[1:]
        fix = more.pop("fix", None)
        finding = Diagnostic(code, "error", text, place, pointer(tuple(map(str, path))), hint, related, fix)
        return _Problem(finding, str(self.error.validator), self.path, **more)


def _problems(place: _Place) -> Iterator[_Problem]:
    translate = _KEYWORDS.get(str(place.error.validator), _other)
    yield from translate(place)


def _root_causes(problems: list[_Problem]) -> Iterator[_Problem]:
    """Without the problems that another one at the same place brings about."""
    mistyped = {problem.where for problem in problems if problem.keyword == "type"}
    unknown: dict[tuple[str | int, ...], set[str]] = {}
    for problem in problems:
        if problem.keyword == "additionalProperties":
            unknown.setdefault(problem.where, set()).add(problem.key)
    for problem in problems:
        if problem.where in mistyped and problem.keyword != "type":
            continue
        if problem.keyword == "oneOf" and problem.where in unknown:
            continue
        if problem.keyword == "required" and problem.key in unknown.get(problem.where, ()):
            continue
        yield problem


def _finding(problem: _Problem) -> Diagnostic:
    return problem.finding


def _told_together(problems: list[_Problem]) -> Iterator[Diagnostic]:
    """The findings; if a file has just begun, what it lacks is one of them."""
    lacking = {own.key: own for own in problems if own.keyword == "required" and not own.where}
    begun = len(lacking) >= _JUST_BEGUN
    for problem in problems:
        if not (begun and problem.keyword == "required" and not problem.where):
            yield problem.finding
    if begun:
        keys = sorted(lacking, key=[*REQUIRED, "scoring"].index)
        message = f"The file has no {_listed((f'“{key}”' for key in keys), 'and')} yet."
        first = lacking[keys[0]].finding
        yield replace(first, message=message, hint=_BEGINNING, fix=None)


_JUST_BEGUN = 3
"""A file in which so many keys are missing is not wrong in so many ways: it is not finished."""
_BEGINNING = "“draftengine new” writes a file that has all that a card set needs."


# ── In words ──────────────────────────────────────────────────────────────────────────────────────────────────────────

_TYPES: Table[str, str] = MappingProxyType(
    {
        "integer": "a whole number",
        "string": "a text",
        "boolean": "true or false",
        "array": "a list",
        "object": "a mapping (keys with values)",
    }
)

_FORMULA = ({"integer", "string"}, {"integer", "string", "boolean"})


def _listed(words: Iterable[object], last: str = "or") -> str:
    """``a``, ``a or b``, ``a, b or c``; long lists are cut short."""
    texts = [str(word) for word in words]
    if len(texts) > _MANY:
        return ", ".join(texts[:_MANY]) + ", …"
    return f" {last} ".join([", ".join(texts[:-1]), texts[-1]] if len(texts) > 1 else texts)


def _shown(value: Any) -> str:
    """A value in a sentence."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return f"“{value}”" if len(value) <= 60 else "a long text"  # noqa: PLR2004 (a line's worth)
    if isinstance(value, int):
        return str(value) if abs(value) < 10**12 else "a huge number"
    return "a list" if isinstance(value, list) else "a mapping"


def _wanted(kinds: list[str]) -> str:
    if set(kinds) in _FORMULA:
        return "a number or a formula"
    if set(kinds) == {"integer", "string", "object"}:
        return "a number, a formula or a table by number of players"
    if set(kinds) == {"string", "array"}:
        return "one name or a list of them"
    if set(kinds) == {"string", "object"}:
        return "a text or a mapping"
    return _listed([_TYPES[kind] for kind in kinds])


def _type(place: _Place) -> Iterator[_Problem]:
    kinds = place.asked if isinstance(place.asked, list) else [place.asked]
    if set(place.schema.get("properties", ())) == {"append"}:
        kinds = [kind for kind in kinds if kind != "object"]
    kinds = [kind for kind in kinds if kind != "null"]
    if place.value is None:
        written = place.node.span.start < place.node.span.end
        hint = "Only overlays remove keys with null." if written else "Write a value after the colon."
        message = f"{place.name} is empty; it must be {_wanted(kinds)}."
        yield place.problem("wrong-type", message, hint, span=place.head)
        return
    message = f"{place.name} must be {_wanted(kinds)}, not {_shown(place.value)}."
    hint = next(filter(None, _type_hints(place, kinds, place.value)), "")
    fix = _without_quotes(place, kinds) or _in_quotes(place, kinds) or _in_brackets(place, kinds)
    yield place.problem("wrong-type", message, hint, fix=fix)


def _without_quotes(place: _Place, kinds: list[str]) -> Fix | None:
    """The number in a text, where a number is needed and no text will do."""
    value = place.value
    if "string" in kinds or "integer" not in kinds or not isinstance(value, str):
        return None
    if not re.fullmatch(r"-?(0|[1-9]\d*)", value):
        return None
    return Fix((Edit(place.node.span, value),), certain=True)


def _in_quotes(place: _Place, kinds: list[str]) -> Fix | None:
    """What was read as a number or a truth value, as a text, where only a text will do."""
    if "string" not in kinds or {"integer", "boolean"} & {*kinds} or not isinstance(place.value, int):
        return None
    if place.path == ("version",) or "each" in place.path:
        return None
    span = place.node.span
    return Fix((Edit(span, f'"{span.source.text[span.start : span.end]}"'),), certain=True)


def _in_brackets(place: _Place, kinds: list[str]) -> Fix | None:
    """A single value as a list, where only a list will do."""
    span = place.node.span
    text = span.source.text[span.start : span.end]
    if kinds != ["array"] or not place.path or "\n" in text or not _can_be_an_entry(place):
        return None
    return Fix((Edit(span, f"[{text}]"),), certain=False)


def _can_be_an_entry(place: _Place) -> bool:
    """Could a value stand in the list that is wanted there; a mapping cannot where that is of numbers or names."""
    entries = place.schema.get("items", {})
    entries = schema()["$defs"][entries["$ref"].rpartition("/")[2]] if "$ref" in entries else entries
    return not isinstance(place.value, dict) or "type" not in entries or "object" in entries["type"]


def _type_hints(place: _Place, kinds: list[str], value: Any) -> Iterator[str]:
    """Advice for a value of the wrong type, the most fitting first."""
    if place.path == ("version",):
        yield as_version(str(value))
    if "integer" in kinds and isinstance(value, str) and RANGE.fullmatch(value):
        yield ONE_NUMBER
    if "string" in kinds and isinstance(value, int) and "each" in place.path:
        yield f"Numbers come in a series: “series: {{{place.path[place.path.index('each') + 1]}: 1-9}}”."
    if "string" in kinds and isinstance(value, int):
        yield f'Write it in quotes: "{_shown(value)}".'
    if "integer" in kinds and isinstance(value, str) and re.fullmatch(r"-?\d+", value):
        yield f"Write it without quotes: {value}."
    yield _as_number(value) if "integer" in kinds and "string" not in kinds else ""
    yield belonging.of_value(place.path, value) if "object" in kinds else ""
    if "object" in kinds and isinstance(value, list):
        yield "Write “name: …” on each line, without a hyphen."
    if kinds == ["object"]:
        yield _as_mapping(place, value)
    if kinds == ["array"] and place.path:
        form = belonging.as_list if _can_be_an_entry(place) else belonging.by_players
        yield form(str(place.path[-1]), value)
        yield "Write the entries in square brackets: [a, b], or below each other, each with a hyphen."


_IN_WORDS: Table[str, int] = MappingProxyType(
    {"one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10}
)


def _as_number(value: Any) -> str:
    """How to write what was meant as a number."""
    if isinstance(value, list) and len(value) == 1 and isinstance(value[0], int):
        return f"Write it without brackets: {value[0]}."
    if not isinstance(value, str) or RANGE.fullmatch(value) or re.fullmatch(r"-?\d+", value):
        return ""
    number = _IN_WORDS.get(value.lower())
    return "Write a number in digits." if number is None else f"Write it in digits: {number}."


def _as_mapping(place: _Place, value: Any) -> str:
    """How a mapping is written: with the value as that of the key that can have it, or with an example."""
    for key, own in place.schema.get("properties", {}).items():
        if isinstance(own, dict) and value in own.get("enum", ()):
            return f"Write “{place.path[-1]}: {{{key}: {value}}}”."
    example = next(iter(place.schema.get("examples", ())), None)
    if not isinstance(example, dict):
        return ""
    shown = ", ".join(f"{key}: {own}" for key, own in example.items() if isinstance(own, str | int))
    return f"For example “{place.path[-1]}: {{{shown}}}”." if shown else ""


_ALSO_CALLED: Table[str, tuple[str, ...]] = MappingProxyType(
    {"scenarios": ("tests", "examples"), "tests": ("examples",), "examples": ("tests",)}
)
"""Keys that go by another name in another kind of file."""


def _unknown_keys(place: _Place) -> Iterator[_Problem]:
    known = place.schema["properties"]
    for key in (key for key in place.value if key not in known):
        free = [own for own in known if own not in place.value]
        alias = next((own for own in _ALSO_CALLED.get(key, ()) if own in free), None)
        meant = alias or closest(key, free)
        message = f"{place.name} can't have the key “{key}”."
        span = place.key_span(key)
        fix = replaced(span, key, alias, certain=True) if alias else renamed(span, key, free)
        own = "" if alias else belonging.of_key(place.path, key, place.value[key])
        if own and not (fix and fix.certain):
            fix, hint = None, own
        else:
            hint = _key_hint(place, key, meant, known)
        yield place.problem("unknown-key", message, hint, at=key, key=meant or "", fix=fix)


def _key_hint(place: _Place, key: str, meant: str | None, known: Iterable[str]) -> str:
    if meant:
        return f"Did you mean “{meant}”?"
    kinds = [kind.name for kind in KINDS.values() if key in kind.properties]
    if kinds and "kind" in place.value:
        return f"Only rules of the kind {_listed(kinds)} have it."
    return f"Possible: {_listed([own for own in known if own not in place.value] or known)}."


def _missing_keys(place: _Place) -> Iterator[_Problem]:
    for key in (key for key in place.asked if key not in place.value):
        message = f"{place.name} has no “{key}”."
        described = place.schema.get("properties", {}).get(key, {})
        shown = _examples(described)
        node = place.node
        fix = with_entry(node, key, str(shown[0])) if place.path and shown and isinstance(node, Mapping) else None
        yield place.problem("required-key", message, _add(key, described), span=place.head, key=key, fix=fix)


def _add(key: str, described: Any) -> str:
    """How to add a key, with the possible values or an example that fits on a line."""
    if "enum" in described:
        return f"Add it: {_listed(described['enum'])}."
    shown = _examples(described)
    return f"Add it, for example “{key}: {shown[0]}”." if shown else f"Add “{key}”."


def _examples(described: Any) -> list[str | int]:
    """The examples of a key that fit on a line."""
    return [own for own in described.get("examples", ()) if isinstance(own, str | int)]


def _choice(place: _Place) -> Iterator[_Problem]:
    words = [str(word) for word in place.asked if word is not None]
    message = f"{place.name} can't be {_shown(place.value)}."
    hint = did_you_mean(str(place.value), words) or f"Possible: {_listed(words)}."
    fix = renamed(place.node.span, str(place.value), words)
    yield place.problem("not-allowed-value", message, hint, fix=fix)


def _format(place: _Place) -> Iterator[_Problem]:
    if is_whole(place.value) and place.value > place.asked:
        message = f"This file has the format {place.value} and needs a newer draftengine."
        yield place.problem("unsupported-format", message, f"This draftengine reads format {place.asked}.")
    elif is_whole(place.value):
        yield place.problem(
            "not-allowed-value", f"There is no format {place.value}.", f"Write “format: {place.asked}”."
        )


def _range(place: _Place) -> Iterator[_Problem]:
    bound = "at least" if place.error.validator == "minimum" else "at most"
    message = f"{place.name} is {_shown(place.value)}; it must be {bound} {place.asked}."
    yield place.problem("out-of-range", message)


def _length(place: _Place) -> Iterator[_Problem]:
    keyword, size = str(place.error.validator), len(place.value)
    what = "character" if keyword.endswith("Length") else "entry"
    plural = {"character": "characters", "entry": "entries"}[what]
    name = f"the key “{place.value[:20]}…”" if place.is_key else place.name
    if keyword.startswith("max"):
        message = f"{name} has {size} {plural}; there may be {place.asked} at most."
    elif size:
        message = f"{name} has {size} {plural}; at least {place.asked} are needed."
    else:
        message = f"{name} is empty."
    yield place.problem("wrong-length", message, **_at_key(place))


def _at_key(place: _Place) -> dict[str, Any]:
    return {"at": place.value} if place.is_key else {}


_NOT_NAMES: Table[str, str] = MappingProxyType(
    {PLAYERS: "wrong-form", PLAYER_COUNT: "wrong-form", VERSION: "wrong-form", ADDRESSES: "wrong-form"}
    | {BASE: "extends-name", PART: "include-unknown"}
)
"""The codes of texts that are no names of ours."""


def _pattern(place: _Place) -> Iterator[_Problem]:
    message = f"{_shown(place.value)} is not {PATTERNS[place.asked]}."
    code = _NOT_NAMES.get(place.asked, "bad-name")
    hint = as_version(place.value) if place.asked == VERSION else ""
    hint = belonging.as_range(place.value) if place.asked == PLAYERS else hint
    hint = _repaired(place.value, place.asked) if code in {"bad-name", "extends-name"} else hint
    yield place.problem(code, message, hint, **_at_key(place))


def _repaired(name: str, pattern: str) -> str:
    plainer = re.sub(r"[^a-z0-9]+", "_", name.casefold()).strip("_")
    return f"Write “{plainer}”." if re.search(pattern, plainer) and plainer != name else ""


def _built_in(place: _Place) -> Iterator[_Problem]:
    message = f"“{place.value}” is there in every game and can't be declared again."
    yield place.problem("reserved-name", message, "Choose another name.", **_at_key(place))


def _one_of(place: _Place) -> Iterator[_Problem]:
    if not isinstance(place.value, dict):
        return
    keys = [own["required"][0] for own in place.asked]
    present = [key for key in place.value if key in keys]
    thing = "a step" if place.schema.get("title") == "Step" else place.name
    if not present:
        message = f"{thing} needs one of {_listed(keys)}."
        yield place.problem("one-verb", message, span=place.head)
        return
    *_, first, last = present
    message = f"{thing} can't have both “{first}” and “{last}”."
    hint = "Make them two steps, each with a hyphen." if thing == "a step" else "Keep one of them."
    related = (Related(f"“{first}” is here", place.key_span(first)),)
    yield place.problem("one-verb", message, hint, at=last, related=related)


def _other(place: _Place) -> Iterator[_Problem]:
    """A keyword that the schema does not use today; better its own words than none."""
    yield place.problem("not-allowed-value", place.error.message)


_KEYWORDS: Table[str, Callable[[_Place], Iterator[_Problem]]] = MappingProxyType(
    {
        "type": _type,
        "additionalProperties": _unknown_keys,
        "required": _missing_keys,
        "enum": _choice,
        "const": _format,
        "minimum": _range,
        "maximum": _range,
        "minLength": _length,
        "maxLength": _length,
        "minItems": _length,
        "maxItems": _length,
        "minProperties": _length,
        "maxProperties": _length,
        "pattern": _pattern,
        "not": _built_in,
        "oneOf": _one_of,
    }
)
"""How each keyword of the schema complains."""
