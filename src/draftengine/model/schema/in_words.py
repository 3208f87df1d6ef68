"""Schema errors in words, by keyword of the schema."""

from __future__ import annotations

import re
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, cast
from unicodedata import normalize

from msgspec.structs import replace

from draftengine.model import limits
from draftengine.model.diagnostics.diagnostic import Related
from draftengine.model.diagnostics.suggest import closest, did_you_mean
from draftengine.model.loading.overlay import APPEND
from draftengine.model.records.schema_fragments import (
    ADDRESSES,
    BASE,
    LANGUAGE,
    MOVED,
    PART,
    PLACE,
    PLAY,
    PLAYER_COUNT,
    PLAYERS,
    SIGN,
    SLOT,
    VERSION,
)
from draftengine.model.records.values import is_whole
from draftengine.model.rules import RULE_KINDS
from draftengine.model.schema import PATTERNS, as_rules, belonging, schema, synonyms
from draftengine.model.schema.as_rules import Replacement, as_cards, instead_of_counts
from draftengine.model.schema.matcher import SchemaMatcher
from draftengine.model.schema.type_errors import as_list_of_cards, as_number, entry_keys, wrong_type
from draftengine.model.verbs import FLOW_VERBS, LIST_VERBS
from draftengine.model.yaml.fixes import indented, renamed, replaced, with_entry
from draftengine.model.yaml.scalars import as_version
from draftengine.model.yaml.tree import Mapping, plain
from draftengine.support.locale.english_lists import join_list

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from collections.abc import Mapping as Table

    from jsonschema.exceptions import ValidationError

    from draftengine.model.diagnostics.diagnostic import Fix
    from draftengine.model.schema.place import Place, Problem

_MANY = 12
"""The most names that a hint lists."""


def _some_of(words: Iterable[object], last: str = "or") -> str:
    """Return ``a``, ``a or b`` or ``a, b or c``; long lists are cut short."""
    texts = [str(word) for word in words]
    if len(texts) > _MANY:
        return ", ".join(texts[:_MANY]) + ", …"
    return join_list(texts, last)


def problems_of(place: Place) -> Iterator[Problem]:
    """Yield the problems that a schema error amounts to."""
    yield from _KEYWORDS.get(str(place.error.validator), _other)(place)


def _type(place: Place) -> Iterator[Problem]:
    return _unknown_keys(_above(place)) if place.asked == "null" else wrong_type(place)


def _above(place: Place) -> Place:
    """Return the place of the changed rule, for a key that its kind does not have.

    The schema expects ``null`` there; the error becomes one about an unknown key.
    """
    from jsonschema.exceptions import ValidationError  # noqa: PLC0415 (it takes longer to import than to use)

    rule = cast("Mapping", place.beside)
    value = {key: item for key, item in plain(rule).items() if item is not None}
    shape = schema()["$defs"][f"rule_{value['kind']}_change"]
    error = ValidationError("", validator="additionalProperties", instance=value, schema=shape)
    return replace(place, error=error, path=place.path[:-1], node=rule, entry=None, beside=None)


def _unknown_keys(place: Place) -> Iterator[Problem]:
    known = place.schema["properties"]
    if {*known} == {APPEND} and not entry_keys(place).isdisjoint(place.value):
        yield from wrong_type(replace(place, error=_as_type(place)))
        return
    if by_players := belonging.of_all(place.path, place.value):
        message = f"{place.name} can't be said by number of players."
        # Reported as a wrong type, which suppresses other problems of the value.
        yield replace(place.problem("wrong-type", message, by_players), keyword="type")
        return
    strange = {key: item for key, item in place.value.items() if key not in known}
    if elsewhere := belonging.of_keys(place.path, strange):
        message = f"{place.name} can't have the keys {join_list([f'“{key}”' for key in strange])}."
        first, *others = strange
        related = tuple(Related(f"“{other}” is here", place.key_span(other)) for other in others)
        yield place.problem("unknown-key", message, elsewhere, at=first, related=related)
        return
    free = [key for key in known if key not in place.value]
    taken: dict[str, str] = {}
    for key in strange:
        alias = synonyms.key_meant(key, free)
        meant = alias or closest(key, free)
        message = f"{place.name} can't have the key “{key}”."
        span = place.key_span(key)
        if meant and taken.setdefault(meant, key) != key:
            hint = f"“{taken[meant]}” means “{meant}” too: keep one of them."
            yield place.problem("unknown-key", message, hint, at=key, key=meant)
            continue
        if score := as_rules.of_key(place.path, key, place.value):
            yield place.problem("unknown-key", message, score, at=key)
            continue
        fix = replaced(span, key, alias, certain=key in synonyms.SURE) if alias else renamed(span, key, free)
        advice = "" if alias else belonging.of_key(place.path, key, place.value[key], place.value)
        if needs := _needed_around(place, key):
            hint = f"Write “{needs}: {{{key}: {belonging.written(place.value[key])}}}”."
            yield place.problem("unknown-key", message, hint, at=key, key=needs)
            continue
        if owner := _owner_beside(place, key):
            hint, fix = owner
        elif advice and not (fix and fix.certain):
            fix, hint = None, advice
        else:
            hint = _key_hint(place, key, meant, free)
        yield place.problem("unknown-key", message, hint, at=key, key=meant or "", fix=fix)


def _as_type(place: Place) -> ValidationError:
    """Return the error that a mapping should be a list, for a mapping that is not an `append` either."""
    from jsonschema.exceptions import ValidationError  # noqa: PLC0415 (as above)

    kinds = place.schema["type"]
    return ValidationError("", validator="type", validator_value=kinds, instance=place.value, schema=place.schema)


def _needed_around(place: Place, key: str) -> str | None:
    """Return the required key that is missing beside `key` and can contain it, or ``None``."""
    known, needed = place.schema["properties"], place.schema.get("required", ())
    missing = (name for name in needed if name not in place.value and isinstance(known.get(name), dict))
    return next((name for name in missing if key in known[name].get("properties", ())), None)


def _owner_beside(place: Place, key: str) -> tuple[str, Fix | None] | None:
    """Return a hint and a fix for a key that belongs in a mapping beside it, or ``None``."""
    for name, value in place.value.items():
        described = place.schema["properties"].get(name)
        keys = described.get("properties", {}) if isinstance(described, dict) else {}
        if isinstance(value, dict) and key in keys and key not in value:
            entry = cast("Mapping", place.node).entry(key)
            inside = cast("Mapping", place.node).get(name)
            in_braces = inside is not None and inside.span.source.text.startswith("{", inside.span.start)
            if entry is None or in_braces:
                return f"“{key}” belongs to “{name}”: write it within its braces.", None
            return f"“{key}” belongs below “{name}”: indent further.", indented([entry])
    return None


_OF_THE_FLOW: Table[str, str] = MappingProxyType(
    {
        "deal": "Write draw: it brings as many cards as there are.",
        "end": "“end” stands in the flow: set a counter here, and let the “when” of “end” ask for it.",
        "repeat": "“repeat” stands in the flow: let it hold the list, in an “in_turn” with a “who” for one player.",
    }
)
"""Hints for steps of the flow in a list of one seat."""


def _key_hint(place: Place, key: str, meant: str | None, free: list[str]) -> str:
    if meant:
        return f"Did you mean “{meant}”?"
    kinds = [kind.name for kind in RULE_KINDS.values() if key in kind.properties]
    if kinds and "kind" in place.value:
        return f"Only rules of the kind {_some_of(kinds)} have it."
    known = place.schema["properties"]
    if key in FLOW_VERBS and key not in LIST_VERBS and "choose" in known:
        return _OF_THE_FLOW.get(key, f"“{key}” stands in the flow, for all; here can stand what one player does.")
    words = (key, place.value[key]) if isinstance(place.value[key], str) else (key,)
    for word in words:
        for name in free:
            if isinstance(known[name], dict) and word in known[name].get("enum", ()):
                return f"Write “{name}: {word}”."
    return f"Possible: {_some_of(free or known)}."


def _missing_keys(place: Place) -> Iterator[Problem]:
    for key in (key for key in place.asked if key not in place.value):
        message = f"{place.name} has no “{key}”."
        described = place.schema.get("properties", {}).get(key, {})
        examples = belonging.examples_of(described)
        node = place.node
        fix = with_entry(node, key, str(examples[0])) if place.path and examples and isinstance(node, Mapping) else None
        hint = (_kind_meant(place.value) if key == "kind" else as_list_of_cards(place)) or _add(key, described)
        yield place.problem("required-key", message, hint, span=place.head, key=key, fix=fix, missing=(key,))


def _kind_meant(rule: Table[str, Any]) -> str:
    """Return a hint on how to write the kind of a rule."""
    for key, value in rule.items():
        if ranked := as_rules.ranked(value):
            return f"Write “{ranked}”."
        if key in RULE_KINDS:
            return f"Write “kind: {key}”, and beside it what else the rule says."
        if isinstance(value, str) and value in RULE_KINDS and synonyms.key_meant(key, {"kind"}):
            return f"Write “kind: {value}” instead of “{key}: {value}”."
    shapes = schema()["$defs"]
    fitting = [
        kind
        for kind in RULE_KINDS
        if SchemaMatcher({"$defs": shapes, **shapes[f"rule_{kind}"]}).matches({**rule, "kind": kind})
    ]
    if len(fitting) == 1:
        return f"Write “kind: {fitting[0]}”: such rules say {join_list([f'“{key}”' for key in rule])}."
    return f"Add it: {_some_of(fitting or RULE_KINDS)}."


def _add(key: str, described: Any) -> str:
    """Return a hint to add a key, with the possible values or an example that fits on a line."""
    if "enum" in described:
        return f"Add it: {_some_of(described['enum'])}."
    examples = belonging.examples_of(described)
    return f"Add it, for example “{key}: {examples[0]}”." if examples else f"Add “{key}”."


def _choice(place: Place) -> Iterator[Problem]:
    words = [str(word) for word in place.asked if word is not None]
    if place.is_key:
        key = place.value
        fix = renamed(place.key_span(key), key, words)
        hint = did_you_mean(key, words) or f"Possible: {_some_of(words)}."
        yield place.problem("unknown-key", f"{place.name} can't have the key “{key}”.", hint, at=key, fix=fix)
        return
    message = f"{place.name} can't be {place.shown}."
    alias = synonyms.word_meant(str(place.value), words)
    fix = renamed(place.node.span, str(place.value), words)
    if alias:
        fix = replaced(place.node.span, str(place.value), alias, certain=False)
        hint = f"Did you mean “{alias}”?"
    elif "left" in words and " if " in str(place.value):
        hint = "Directions are a list by round: [left, right]."
    else:
        hint = did_you_mean(str(place.value), words) or f"Possible: {_some_of(words)}."
    yield place.problem("not-allowed-value", message, hint, fix=fix)


def _format(place: Place) -> Iterator[Problem]:
    if is_whole(place.value) and place.value > place.asked:
        message = f"This file has the format {place.value} and needs a newer draftengine."
        yield place.problem("unsupported-format", message, f"This draftengine reads format {place.asked}.")
    elif is_whole(place.value):
        yield place.problem(
            "not-allowed-value", f"There is no format {place.value}.", f"Write “format: {place.asked}”."
        )


def _range(place: Place) -> Iterator[Problem]:
    bound = "at least" if place.error.validator == "minimum" else "at most"
    message = f"{place.name} is {place.shown}; it must be {bound} {place.asked}."
    yield place.problem("out-of-range", message, limits.remedy(place.key, place.asked) if bound == "at most" else "")


def _length(place: Place) -> Iterator[Problem]:
    keyword, size = str(place.error.validator), len(place.value)
    what = "character" if keyword.endswith("Length") else "entry"
    plural = {"character": "characters", "entry": "entries"}[what]
    name = f"the key “{place.value[:20]}…”" if place.is_key else place.name
    if keyword.startswith("max"):
        message = f"{name} has {size} {plural}; there may be {place.asked} at most."
        if place.path[-1:] == ("as",):
            yield place.problem("wrong-length", message, "Let two choices say a number: first the tens, then the ones.")
            return
    elif size:
        message = f"{name} has {size} {plural}; at least {place.asked} are needed."
    else:
        message = f"{name} is empty."
    hint = limits.remedy(place.key, place.asked) if keyword.startswith("max") else ""
    yield place.problem("wrong-length", message, hint, **_at_key(place))


def _at_key(place: Place) -> dict[str, Any]:
    return {"at": place.value} if place.is_key else {}


_NOT_NAMES: Table[str, str] = MappingProxyType(
    {PLAYERS: "wrong-form", PLAYER_COUNT: "wrong-form", VERSION: "wrong-form", ADDRESSES: "wrong-form"}
    | {SIGN: "wrong-form"}
    | {BASE: "extends-name", PART: "include-unknown"}
)
"""Codes for patterns of texts that are not names of a card set."""


def _pattern(place: Place) -> Iterator[Problem]:
    message = f"{place.shown} is not {PATTERNS[place.asked]}."
    code = _NOT_NAMES.get(place.asked, "bad-name")
    counts = plain(place.node) if place.is_key and place.asked == PLACE else None
    hint = instead_of_counts(counts) or _in_its_form(place)
    meant = hint.text if isinstance(hint, Replacement) and code == "bad-name" else ""
    span = place.key_span(place.value) if place.is_key else place.node.span
    fix = replaced(span, place.value, meant, certain=False) if meant else None
    yield place.problem(code, message, hint, fix=fix, **_at_key(place))


def _in_its_form(place: Place) -> str:
    """Return a hint on how to write a text that does not match its pattern; empty if unknown."""
    text, pattern = place.value, place.asked
    if pattern == LANGUAGE:
        return _as_language(place)
    if pattern in _FORMS:
        return _FORMS[pattern](text)
    if condition := as_rules.of_names(place.path, text):
        return condition
    several = re.split(r"\s*[,/&+]\s*|\s+(?:and\s+)?", text)
    moment = _MOMENT.fullmatch(text.strip().lower())
    if moment and place.path[-1:] and place.path[-1] in _OF_MOMENTS:
        return Replacement(moment[1])
    if (
        "array" in place.schema.get("type", ())
        and len(several) > 1
        and all(re.search(pattern, part) for part in several)
    ):
        return f"Write “[{', '.join(several)}]”, or “{'_'.join(several)}” if that is one."
    return _repaired(text, pattern) if pattern not in _NOT_NAMES or pattern == BASE else ""


_LATIN = str.maketrans({"ł": "l", "ø": "o", "æ": "ae", "œ": "oe", "đ": "d"})
"""Letters that normalisation does not reduce to a base letter."""
_MOMENT = re.compile(
    r"(?:(?:at|after|on)\s+)?(?:the\s+)?(?:end\s+(?:of\s+)?)?(?:(?:the|each|every)\s+)?(round|game|reveal|turn)(?:\s+end)?"
)
"""Common wordings of moments that every game has."""
_OF_MOMENTS = frozenset({"at", "after", "score"})
"""Keys whose value is a moment."""


def _as_count(text: str) -> str:
    number = re.search(r"\d+", text)
    return f"Write “{number[0]}”." if number else ""


def _as_base(text: str) -> str:
    name = text.replace("\\", "/").rpartition("/")[2]
    if name != text and re.search(BASE, name):
        return f"Write “{name}”, and put the file in the same folder."
    return _repaired(text, BASE)


def _as_address(text: str) -> str:
    return f"Write “https://{text}”." if re.fullmatch(r"[\w.-]+\.\w+(/\S*)?", text) else ""


def _as_language(place: Place) -> str:
    if place.value in synonyms.PLURAL_FORMS:
        return f"Say first in which language: “{place.path[-1]}: {{en: {{one: …, other: …}}}}”."
    short = synonyms.LANGUAGES.get(place.value.lower())
    return f"Write “{short}”." if short else ""


def _repaired(name: str, pattern: str) -> str:
    latin = normalize("NFKD", name.casefold().translate(_LATIN)).encode("ascii", "ignore").decode()
    plainer = re.sub(r"[^a-z0-9]+", "_", latin).strip("_")
    plainer = re.sub(r"^(\d+)_*(.+)$", r"\2_\1", plainer)
    return Replacement(plainer) if re.search(pattern, plainer) and plainer != name else ""


_FORMS: Table[str, Callable[[str], str]] = MappingProxyType(
    {
        VERSION: as_version,
        PLAYERS: belonging.as_range,
        PLAYER_COUNT: _as_count,
        SLOT: as_number,
        PLAY: as_cards,
        MOVED: lambda text: as_cards(text) or _repaired(text, MOVED),
        ADDRESSES: _as_address,
        BASE: _as_base,
    }
)
"""Function that makes the hint, by pattern of the text."""


def _built_in(place: Place) -> Iterator[Problem]:
    message = f"“{place.value}” is there in every game and can't be declared again."
    yield place.problem("reserved-name", message, "Choose another name.", **_at_key(place))


def _one_of(place: Place) -> Iterator[Problem]:
    if not isinstance(place.value, dict):
        return
    keys = [branch["required"][0] for branch in place.asked]
    present = [key for key in place.value if key in keys]
    thing = "a step" if place.schema.get("title") == "Step" else place.name
    if not present:
        message = f"{thing} needs one of {_some_of(keys)}."
        yield place.problem("one-verb", message, span=place.head)
        return
    *_, first, last = present
    message = f"{thing} can't have both “{first}” and “{last}”."
    hint = "Make them two steps, each with a hyphen." if thing == "a step" else "Keep one of them."
    related = (Related(f"“{first}” is here", place.key_span(first)),)
    yield place.problem("one-verb", message, hint, at=last, related=related)


def _other(place: Place) -> Iterator[Problem]:
    """Yield the schema's own message, for a keyword that the schema does not use today."""
    yield place.problem("not-allowed-value", place.error.message)


_KEYWORDS: Table[str, Callable[[Place], Iterator[Problem]]] = MappingProxyType(
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
"""Function that makes the problems, by keyword of the schema."""
