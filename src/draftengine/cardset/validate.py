"""A tree against the schema: every mistake in words, at the very place, once."""

from __future__ import annotations

import re
from functools import cache
from itertools import islice
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, cast

from msgspec import Struct
from msgspec.structs import replace

from draftengine.cardset import belonging, synonyms
from draftengine.cardset.overlay import STEP_KEYS, inside_overlay, pointer
from draftengine.cardset.schema import PATTERNS, REQUIRED, schema
from draftengine.cardset.shape import Shape
from draftengine.cardset.tree import Entry, Mapping, Node, Scalar, Sequence, plain
from draftengine.cardset.yaml_scalar import ONE_NUMBER, RANGE, as_version
from draftengine.diagnostics.finding import Diagnostic, Edit, Fix, Related, ordered
from draftengine.diagnostics.fixes import as_item, at_the_margin, indented, renamed, replaced, with_entry
from draftengine.diagnostics.suggest import closest, did_you_mean, digits
from draftengine.records.numbers import is_whole
from draftengine.records.pieces import ADDRESSES, BASE, LANGUAGE, PART, PLAY, PLAYER_COUNT, PLAYERS, SIGN, SLOT, VERSION
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
    if shape is schema and (without := _without_extends(root)):
        return without
    errors = islice(_validator(shape).iter_errors(data), MAX_ERRORS)
    found = [problem for error in errors for problem in _problems(_Place.of(root, error))]
    if shape is schema:
        found = _at_the_margin(found, root)
    newer = [problem.finding for problem in found if problem.finding.code == "unsupported-format"]
    if newer:
        return tuple(newer)
    causes = list(_root_causes(found))
    return ordered([*(_told_together(causes) if shape is schema else map(_finding, causes)), *_upside_down(root)])


def _without_extends(root: Mapping) -> tuple[Diagnostic, ...]:
    """What is said of a file that only says what differs, and not from what; nothing of any other."""
    if root.get("extends") is not None or sum(root.entry(key) is None for key in REQUIRED) < _JUST_BEGUN:
        return ()
    known = schema()["$defs"]["game"]["properties"]
    for own in root.entries:
        name, named = own.key.text, isinstance(own.value, Scalar) and isinstance(own.value.value, str)
        meant = closest(name, ["extends"]) or synonyms.key_meant(name, ["extends"])
        if meant and named and name not in known:
            message = f"The file can't have the key “{name}”."
            fix = replaced(own.key.span, name, "extends", certain=False)
            hint = "Did you mean “extends”?"
            return (Diagnostic("unknown-key", "error", message, own.key.span, f"/{name}", hint, (), fix),)
    steps = root.entry("steps")
    if steps is None:
        return ()
    message = "This file says what differs, but not from which game: it has no “extends”."
    hint = f"Add it, with {PATTERNS[BASE]}."
    related = (Related("only what extends a game changes steps by their id", steps.key.span),)
    return (Diagnostic("required-key", "error", message, root.entries[0].key.span, "", hint, related),)


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
    """The key that is missing, or the one that another key may have meant."""
    takes: tuple[Entry, ...] = ()
    """What stands beside an entry that is empty, and could belong below it."""


class _Place(Struct, frozen=True):
    """A complaint of the schema and the node that it is about."""

    error: ValidationError
    path: tuple[str | int, ...]
    node: Node
    entry: Entry | None
    """The entry whose value the node is; ``None`` for the root and in lists."""
    beside: Mapping | None = None
    """What that entry stands in."""
    in_changes: bool = False
    """Whether it stands in what changes a game, where null takes something away."""

    @classmethod
    def of(cls, root: Mapping, error: ValidationError) -> _Place:
        node: Node = root
        entry: Entry | None = None
        beside: Mapping | None = None
        path = tuple(error.absolute_path)
        for part in path:
            if isinstance(node, Mapping):
                entry, beside = node.entry(str(part)), node
                node = entry.value if entry else node
            elif isinstance(node, Sequence):
                entry, beside, node = None, None, node.items[int(part)]
        names = tuple(map(str, path))
        return cls(error, path, node, entry, beside, root.get("extends") is not None or inside_overlay(names))

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
        fix, missing = more.pop("fix", None), more.pop("missing", ())
        finding = Diagnostic(code, "error", text, place, pointer(tuple(map(str, path))), hint, related, fix, missing)
        return _Problem(finding, str(self.error.validator), self.path, **more)


def _problems(place: _Place) -> Iterator[_Problem]:
    translate = _KEYWORDS.get(str(place.error.validator), _other)
    yield from translate(place)


def _with_what_is_below(problems: list[_Problem]) -> Iterator[_Problem]:
    """The problems; what stands beside an empty entry and belongs below it is told with the entry, once."""
    empty = {own.where[:-1]: own for own in problems if own.takes}
    strays: dict[tuple[str | int, ...], list[Entry]] = {}
    rest = []
    for problem in problems:
        of_key = problem.keyword == "additionalProperties"
        above = empty.get(problem.where if of_key else problem.where[:-1])
        name = problem.finding.path.rpartition("/")[2]
        entry = next((own for own in above.takes if own.key.text == name), None) if above else None
        if above is None or entry is None:
            rest.append(problem)
        else:
            strays.setdefault(above.where, []).append(entry)
    for problem in rest:
        if problem.takes and (below := strays.get(problem.where)):
            below = sorted(dict.fromkeys(below), key=lambda own: own.key.span.start)
            named = _listed((f"“{own.key.text}”" for own in below), "and")
            verb = "belong" if len(below) > 1 else "belongs"
            hint = f"{named} {verb} below “{problem.where[-1]}”: indent further."
            yield replace(problem, finding=replace(problem.finding, hint=hint, fix=indented(below)))
        else:
            yield problem


def _at_the_margin(problems: list[_Problem], root: Mapping) -> list[_Problem]:
    """The problems; of a key of the whole file that stands inside another one only that it does."""
    for around in root.entries:
        inside = around.value.entries if isinstance(around.value, Mapping) else ()
        for at, own in enumerate(inside):
            if root.entry(own.key.text) is None and belonging.is_section(own.key.text, plain(own.value)):
                problems = _moved(problems, around.key.text, inside[at:])
    return problems


def _moved(problems: list[_Problem], around: str, entries: tuple[Entry, ...]) -> list[_Problem]:
    """The same for the first of some entries; if it is empty, what belongs to it stands behind it."""
    own = entries[0]
    empty = plain(own.value) is None
    paths = tuple(f"{pointer((around, other.key.text))}/" for other in (entries if empty else entries[:1]))
    rest = [problem for problem in problems if not f"{problem.finding.path}/".startswith(paths)]
    if len(problems) - len(rest) <= empty:
        return problems
    message = f"“{own.key.text}” stands inside “{around}”, and is a key of the whole file."
    hint = "Move it to the margin: write it without indentation."
    # What stands behind one that is not empty would come to stand in it.
    fix = at_the_margin(own) if empty or len(entries) == 1 else None
    told = Diagnostic("unknown-key", "error", message, own.key.span, paths[0][:-1], hint, (), fix)
    missing = ("required", (), own.key.text)
    rest = [problem for problem in rest if (problem.keyword, problem.where, problem.key) != missing]
    return [*rest, _Problem(told, "additionalProperties", (around,))]


def _root_causes(problems: list[_Problem]) -> Iterator[_Problem]:
    """Without the problems that another one at the same place brings about."""
    problems = list(_with_what_is_below(problems))
    mistyped = {problem.where for problem in problems if problem.keyword == "type"}
    unknown: dict[tuple[str | int, ...], set[str]] = {}
    for problem in problems:
        if problem.keyword == "additionalProperties":
            unknown.setdefault(problem.where, set()).add(problem.key)
        elif problem.keyword == "type" and problem.key:
            unknown.setdefault(problem.where[:-1], set()).add(problem.key)
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
        yield replace(first, message=message, hint=_BEGINNING, fix=None, missing=tuple(keys))


_JUST_BEGUN = 3
"""A file in which so many keys are missing is not wrong in so many ways: it is not finished."""
_BEGINNING = "“draftengine new” writes a file with all that a card set needs; one that changes a game has “extends”."


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
    if kinds == ["null"]:
        yield from _unknown_keys(_above(place))
        return
    kinds = [kind for kind in kinds if kind != "null"]
    if place.value is None:
        written = place.node.span.start < place.node.span.end
        hint = "Only overlays remove keys with null." if written else "Write a value after the colon."
        message = f"{place.name} is empty; it must be {_wanted(kinds)}."
        below = {*place.schema.get("properties", ())}
        below |= {key for kind in KINDS.values() for key in kind.properties} if "kind" in below else set()
        takes = tuple(own for own in (place.beside.entries if place.beside else ()) if own.key.text in below)
        yield place.problem("wrong-type", message, hint, span=place.head, takes=takes)
        return
    wanted = PATTERNS[PLAYERS] if place.schema.get("pattern") == PLAYERS else _wanted(kinds)
    message = f"{place.name} must be {wanted}, not {_shown(place.value)}."
    several = isinstance(place.value, list) or "array" in kinds
    if several and (meant := belonging.other_key(place.path, place.value)):
        hint = f"Did you mean “{meant}: {belonging.written(place.value)}”?"
        fix = replaced(place.head, str(place.path[-1]), meant, certain=False)
        yield place.problem("wrong-type", message, hint, key=meant, fix=fix)
        return
    hint = next(filter(None, _type_hints(place, kinds, place.value)), "")
    fix = _without_quotes(place, kinds) or _in_quotes(place, kinds) or _in_brackets(place, kinds)
    fix = fix or (_as_item(place) if kinds == ["array"] else None)
    yield place.problem("wrong-type", message, hint, fix=fix)


def _above(place: _Place) -> _Place:
    """The change to a rule in which a key stands that its kind does not have, and null would take away."""
    from jsonschema.exceptions import ValidationError  # noqa: PLC0415 (as above)

    rule = cast("Mapping", place.beside)
    value = {key: own for key, own in plain(rule).items() if own is not None}
    shape = schema()["$defs"][f"rule_{value['kind']}_change"]
    error = ValidationError("", validator="additionalProperties", instance=value, schema=shape)
    return replace(place, error=error, path=place.path[:-1], node=rule, entry=None, beside=None)


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
    if place.path == ("version",) or "each" in place.path or not _will_do_as_text(place):
        return None
    span = place.node.span
    return Fix((Edit(span, f'"{span.source.text[span.start : span.end]}"'),), certain=True)


def _will_do_as_text(place: _Place) -> bool:
    """Has a value the form that is asked of a text there."""
    return re.search(place.schema.get("pattern", ""), _shown(place.value)) is not None


def _in_brackets(place: _Place, kinds: list[str]) -> Fix | None:
    """A single value as a list, where only a list will do."""
    span = place.node.span
    text = span.source.text[span.start : span.end]
    if kinds != ["array"] or not place.path or "\n" in text or not _can_be_an_entry(place):
        return None
    return Fix((Edit(span, f"[{text}]"),), certain=False)


def _can_be_an_entry(place: _Place) -> bool:
    """Could a value stand in the list that is wanted there; a mapping cannot where that is of numbers or names."""
    entries = _entries(place)
    if "type" not in entries:
        return True
    if isinstance(place.value, dict):
        return "object" in entries["type"] and not belonging.by_seat(place.value)
    several = isinstance(place.value, str) and re.search(r"[\s,]|^\d+-\d+$", place.value)
    return ("integer" if isinstance(place.value, int) else "string") in entries["type"] and not several


def _entries(place: _Place) -> dict[str, Any]:
    """What is asked of the entries of the list that is wanted there."""
    entries: dict[str, Any] = place.schema.get("items", {})
    return schema()["$defs"][entries["$ref"].rpartition("/")[2]] if "$ref" in entries else entries


def _as_item(place: _Place) -> Fix | None:
    """The keys of an entry with the hyphen that was forgotten before it, where they stand on lines of their own."""
    if not isinstance(place.node, Mapping) or not place.value:
        return None
    entries = _entries(place)
    verbs = [own for own in entries.get("oneOf", ()) if own["required"][0] in place.value]
    fits = {*place.value} <= {*entries.get("properties", ())} and len(verbs) <= 1
    return as_item(place.node.entries) if fits else None


def _type_hints(place: _Place, kinds: list[str], value: Any) -> Iterator[str]:
    """Advice for a value of the wrong type, the most fitting first."""
    if place.path == ("version",):
        yield as_version(str(value))
    if place.schema.get("pattern") == PLAYERS:
        yield belonging.as_players(value)
    yield from _scalar_hints(place, kinds, value)
    yield belonging.of_value(place.path, value) if "object" in kinds else ""
    yield belonging.of_several(place.path, kinds, value)
    if kinds == ["object"]:
        yield _as_mapping(place, value)
        without = "a hyphen" if _has_hyphens(place) else "brackets"
        yield f"Write “name: …” on each line, without {without}." if isinstance(value, list) else ""
    if kinds == ["array"] and place.path:
        yield f"Put a hyphen before “{next(iter(value))}”, and indent what follows." if _as_item(place) else ""
        yield belonging.as_list(str(place.path[-1]), value, whole=_can_be_an_entry(place))
        shown = next((belonging.written(own) for own in place.schema.get("examples", ()) if isinstance(own, list)), "…")
        yield f"For example “{place.path[-1]}: {shown}”." if shown != "…" else ""
        yield "Write the entries in square brackets: [a, b], or below each other, each with a hyphen."


def _has_hyphens(place: _Place) -> bool:
    """Is it a list with each entry on a line of its own."""
    return isinstance(place.value, list) and place.node.span.source.text.startswith("-", place.node.span.start)


def _scalar_hints(place: _Place, kinds: list[str], value: Any) -> Iterator[str]:
    """How a number, a text or a truth value is written that something else can be meant for."""
    if "string" in kinds and isinstance(value, int) and "each" in place.path:
        yield f"Numbers come in a series: “series: {{{place.path[place.path.index('each') + 1]}: 1-9}}”."
    if "string" in kinds and isinstance(value, int) and "integer" not in kinds:
        will_do = _will_do_as_text(place)
        yield f'Write it in quotes: "{_shown(value)}".' if will_do else f"Write {PATTERNS[place.schema['pattern']]}."
    if "integer" in kinds and isinstance(value, str):
        yield ONE_NUMBER if RANGE.fullmatch(value) else ""
        yield f"Write it without quotes: {value}." if re.fullmatch(r"-?\d+", value) else ""
    yield _as_number(value) if "integer" in kinds and "string" not in kinds else ""
    yield "Write true or false." if kinds == ["boolean"] else ""
    if isinstance(value, str) and value.lower() in synonyms.NOTHING and len(place.path) > 1 and "object" in kinds:
        gone = f"What is taken away is written “{place.path[-1]}: null”."
        yield gone if place.in_changes else "Leave it out: what there is none of is not written."


def _as_number(value: Any) -> str:
    """How to write what was meant as a number."""
    if isinstance(value, list) and len(value) == 1 and isinstance(value[0], int):
        return f"Write it without brackets: {value[0]}."
    if not isinstance(value, str) or RANGE.fullmatch(value) or re.fullmatch(r"-?\d+", value):
        return ""
    number = digits(value)
    return "Write a number in digits." if number is None else f"Write it in digits: {number}."


def _as_mapping(place: _Place, value: Any) -> str:
    """How a mapping is written: with the value as that of the key that can have it, or with an example."""
    keys = place.schema.get("properties", {})
    name = f"{place.path[-1]}: " if isinstance(place.path[-1], str) else ""
    if isinstance(value, list) and len(value) == 1 and isinstance(value[0], str):
        (value,) = value
    for key, own in keys.items():
        if isinstance(own, dict) and isinstance(value, str) and value in own.get("then", own).get("enum", ()):
            return f"Write “{name}{{{key}: {value}}}”."
    needed = place.schema.get("required", ())
    if len(needed) == 1 and _takes(keys[needed[0]], value) and (shown := belonging.written(value)) != "…":
        return f"Write “{name}{{{needed[0]}: {shown}}}”."
    if not needed and isinstance(value, str) and "text" in keys and " " in value:
        return f"Write “{name}{{text: …}}”."
    if _has_hyphens(place):
        return ""
    example = next(iter(place.schema.get("examples", ())), None)
    if isinstance(example, dict):
        shown = ", ".join(f"{key}: {own}" for key, own in example.items() if isinstance(own, str | int))
        return f"For example “{name}{{{shown}}}”." if shown else ""
    told = (key for key, own in keys.items() if _examples(own) and key not in STEP_KEYS)
    first = "" if name else next(told, "")
    return f"For example “{{{first}: {_examples(keys[first])[0]}}}”." if first else ""


def _takes(described: Any, value: Any) -> bool:
    """Is a key for values of this type."""
    kind = {int: "integer", str: "string", list: "array", dict: "object", bool: "boolean"}[type(value)]
    return kind in described.get("type", ())


def _unknown_keys(place: _Place) -> Iterator[_Problem]:
    known = place.schema["properties"]
    if by_players := belonging.of_all(place.path, place.value):
        message = f"{place.name} can't be said by number of players."
        # As if it were of the wrong type: nothing else is to be said of it.
        yield replace(place.problem("wrong-type", message, by_players), keyword="type")
        return
    free = [own for own in known if own not in place.value]
    taken: dict[str, str] = {}
    for key in (key for key in place.value if key not in known):
        alias = synonyms.key_meant(key, free)
        meant = alias or closest(key, free)
        message = f"{place.name} can't have the key “{key}”."
        span = place.key_span(key)
        if meant and taken.setdefault(meant, key) != key:
            hint = f"“{taken[meant]}” means “{meant}” too: keep one of them."
            yield place.problem("unknown-key", message, hint, at=key, key=meant)
            continue
        fix = replaced(span, key, alias, certain=key in synonyms.SURE) if alias else renamed(span, key, free)
        own = "" if alias else belonging.of_key(place.path, key, place.value[key], place.value)
        if own and not (fix and fix.certain):
            fix, hint = None, own
        else:
            hint = _key_hint(place, key, meant, free)
        yield place.problem("unknown-key", message, hint, at=key, key=meant or "", fix=fix)


def _key_hint(place: _Place, key: str, meant: str | None, free: list[str]) -> str:
    if meant:
        return f"Did you mean “{meant}”?"
    kinds = [kind.name for kind in KINDS.values() if key in kind.properties]
    if kinds and "kind" in place.value:
        return f"Only rules of the kind {_listed(kinds)} have it."
    known = place.schema["properties"]
    owner = next((own for own in free if isinstance(known[own], dict) and key in known[own].get("enum", ())), None)
    return f"Write “{owner}: {key}”." if owner else f"Possible: {_listed(free or known)}."


def _missing_keys(place: _Place) -> Iterator[_Problem]:
    for key in (key for key in place.asked if key not in place.value):
        message = f"{place.name} has no “{key}”."
        described = place.schema.get("properties", {}).get(key, {})
        shown = _examples(described)
        node = place.node
        fix = with_entry(node, key, str(shown[0])) if place.path and shown and isinstance(node, Mapping) else None
        hint = (_kind_meant(place.value) if key == "kind" else "") or _add(key, described)
        yield place.problem("required-key", message, hint, span=place.head, key=key, fix=fix, missing=(key,))


def _kind_meant(rule: Table[str, Any]) -> str:
    """How the kind of a rule is said, where it stands as a key, or under another one."""
    for key, value in rule.items():
        if key in KINDS:
            return f"Write “kind: {key}”, and beside it what else the rule says."
        if isinstance(value, str) and value in KINDS and synonyms.key_meant(key, {"kind"}):
            return f"Write “kind: {value}” instead of “{key}: {value}”."
    return f"Add it: {_listed(KINDS)}."


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
    if place.is_key:
        key = place.value
        fix = renamed(place.key_span(key), key, words)
        hint = did_you_mean(key, words) or f"Possible: {_listed(words)}."
        yield place.problem("unknown-key", f"{place.name} can't have the key “{key}”.", hint, at=key, fix=fix)
        return
    message = f"{place.name} can't be {_shown(place.value)}."
    alias = synonyms.word_meant(str(place.value), words)
    fix = renamed(place.node.span, str(place.value), words)
    if alias:
        fix = replaced(place.node.span, str(place.value), alias, certain=False)
        hint = f"Did you mean “{alias}”?"
    elif "left" in words and " if " in str(place.value):
        hint = "Directions are a list by round: [left, right]."
    else:
        hint = did_you_mean(str(place.value), words) or f"Possible: {_listed(words)}."
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
    | {SIGN: "wrong-form"}
    | {BASE: "extends-name", PART: "include-unknown"}
)
"""The codes of texts that are no names of ours."""


def _pattern(place: _Place) -> Iterator[_Problem]:
    message = f"{_shown(place.value)} is not {PATTERNS[place.asked]}."
    code = _NOT_NAMES.get(place.asked, "bad-name")
    hint = _in_its_form(place)
    written = re.fullmatch(r"Write “([a-z][a-z0-9_]*)”\.", hint) if code == "bad-name" else None
    span = place.key_span(place.value) if place.is_key else place.node.span
    fix = replaced(span, place.value, written[1], certain=False) if written else None
    yield place.problem(code, message, hint, fix=fix, **_at_key(place))


def _in_its_form(place: _Place) -> str:
    """How a text that has not the form that it needs is written."""
    text, pattern = place.value, place.asked
    if pattern == LANGUAGE:
        return _as_language(place)
    if pattern in _FORMS:
        return _FORMS[pattern](text)
    return _repaired(text, pattern) if pattern not in _NOT_NAMES or pattern == BASE else ""


def _as_count(text: str) -> str:
    number = re.search(r"\d+", text)
    return f"Write “{number[0]}”." if number else ""


def _as_cards(text: str) -> str:
    counted = re.fullmatch(r"(\d+) *x? *([a-z][a-z0-9_]*)", text)
    return f"Write “{{{counted[2]}: {counted[1]}}}” instead of the list, or each card by itself." if counted else ""


def _as_base(text: str) -> str:
    name = text.replace("\\", "/").rpartition("/")[2]
    if name != text and re.search(BASE, name):
        return f"Write “{name}”, and put the file in the same folder."
    return _repaired(text, BASE)


def _as_language(place: _Place) -> str:
    if place.value in synonyms.PLURAL_FORMS:
        return f"Say first in which language: “{place.path[-1]}: {{en: {{one: …, other: …}}}}”."
    short = synonyms.LANGUAGES.get(place.value.lower())
    return f"Write “{short}”." if short else ""


def _repaired(name: str, pattern: str) -> str:
    plainer = re.sub(r"[^a-z0-9]+", "_", name.casefold()).strip("_")
    plainer = re.sub(r"^(\d+)_*(.+)$", r"\2_\1", plainer)
    return f"Write “{plainer}”." if re.search(pattern, plainer) and plainer != name else ""


_FORMS: Table[str, Callable[[str], str]] = MappingProxyType(
    {
        VERSION: as_version,
        PLAYERS: belonging.as_range,
        PLAYER_COUNT: _as_count,
        SLOT: _as_number,
        PLAY: _as_cards,
        BASE: _as_base,
    }
)
"""How a text of each form is written."""


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
