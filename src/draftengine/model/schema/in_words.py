"""Turns schema errors into findings in words, with one function for each keyword of JSON Schema."""

from __future__ import annotations

import re
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, cast
from unicodedata import normalize

from msgspec.structs import replace

from draftengine.model import limits
from draftengine.model.diagnostics import Edit, Fix, Related
from draftengine.model.diagnostics.suggest import closest, did_you_mean, possible, some_of, write, written
from draftengine.model.loading.overlay import APPEND
from draftengine.model.records.reader import is_whole
from draftengine.model.records.schema_fragments import (
    ADDRESSES,
    BASE,
    ID,
    LANGUAGE,
    MOVED,
    PART,
    PATTERNS,
    PLACE,
    PLAY,
    PLAYER_COUNT,
    PLAYERS,
    SIGN,
    SLOT,
    VERSION,
)
from draftengine.model.rules import KIND_KEYS, RULE_KINDS, kind_named
from draftengine.model.schema import as_rules, belonging, synonyms
from draftengine.model.schema.as_rules import INSTEAD, as_cards, instead_of_counts
from draftengine.model.schema.type_errors import as_list_of_cards, as_number, entry_keys, wrong_type
from draftengine.model.verbs import VERBS
from draftengine.model.yaml.fixes import indented, renamed, replaced, with_entry
from draftengine.model.yaml.scalars import as_version
from draftengine.model.yaml.tree import Mapping, plain
from draftengine.support.locale.phrases import Phrase, either, quoted, said
from draftengine.support.source import Span

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from collections.abc import Mapping as Table

    from draftengine.model.schema.place import Place, Problem
    from draftengine.support.locale.phrases import Text


def problems_of(place: Place) -> Iterator[Problem]:
    """Yield the problems to report for a schema error."""
    problems = _KEYWORDS.get(str(place.error.validator))
    if problems is None:  # a keyword that the schema does not use today: the message is that of jsonschema
        yield place.problem("not-allowed-value", place.error.message)
    else:
        yield from problems(place)


def _type(place: Place) -> Iterator[Problem]:
    """Yield the problem to report for a value of the wrong type.

    If ``null`` is required, the key itself is wrong: rules of this kind cannot have it.
    """
    if place.asked != "null":
        yield from wrong_type(place)
        return
    key, rule = str(place.path[-1]), str(place.path[-2])
    message = said("unknown-key.it", place=quoted([rule])[0], key=key)
    kinds = [kind.name for kind in RULE_KINDS.values() if key in kind.properties]
    known = {key for kind in RULE_KINDS.values() for key in kind.properties}
    hint: Text = said("hint.only-kinds", kinds=some_of(kinds)) if kinds else did_you_mean(key, known)
    fix = None if kinds else renamed(place.head, key, known)
    yield place.problem("unknown-key", message, hint, span=place.head, fix=fix)


def _unknown_keys(place: Place) -> Iterator[Problem]:
    known = place.schema["properties"]
    if {*known} == {APPEND} and not entry_keys(place).isdisjoint(place.value):
        from jsonschema.exceptions import ValidationError  # noqa: PLC0415 (it takes longer to import than to use)

        # The mapping should be a list, and is not an `append` either.
        shape, value = place.schema, place.value
        wanted = ValidationError("", validator="type", validator_value=shape["type"], instance=value, schema=shape)
        yield from wrong_type(replace(place, error=wanted))
        return
    strange = {key: item for key, item in place.value.items() if key not in known}
    first, *others = strange
    if elsewhere := belonging.of_keys(place.path, strange):
        message = said("unknown-key.several", place=place.name, keys=quoted(strange))
        related = tuple(Related(said("finding.is-here", name=other), place.key_span(other)) for other in others)
        yield place.problem("unknown-key", message, elsewhere, at=first, related=related)
        return
    if as_rule := belonging.of_rule(place.path, place.value, strange):
        message, fix = (
            said("unknown-key.it", place=place.name, key=first),
            renamed(place.key_span(first), first, KIND_KEYS),
        )
        yield place.problem("unknown-key", message, as_rule, at=first, key="points", fix=fix)
        return
    for_one = not {"on_play", "triggers", "in_turn", "as"}.isdisjoint(place.path)  # a list of steps of one seat
    outside = {verb for verb, step in VERBS.items() if for_one and not step.in_lists}
    free = [key for key in known if key not in place.value and key not in outside]
    taken: dict[str, str] = {}
    for key in strange:
        yield _unknown_key(place, key, free, taken)


def _unknown_key(place: Place, key: str, free: list[str], taken: dict[str, str]) -> Problem:
    """Return the problem to report for an unknown key.

    `free` has the keys that are allowed here but absent. `taken` maps keys that the author probably meant by other
    unknown keys to these unknown keys.
    """
    span = place.key_span(key)
    if spaces := len(key) - len(key.lstrip()):
        ordinary = Edit(Span(span.source, span.start, span.start + spaces), " " * spaces)
        message = said("unknown-key.spaces", key=key.lstrip())
        hint: Text = said("unknown-key.spaces.hint")
        return place.problem("unknown-key", message, hint, at=key, fix=Fix((ordinary,), certain=False))
    alias = synonyms.key_meant(key, free)
    meant = alias or closest(key, free) or synonyms.first_word_meant(key, free)
    message = said("unknown-key.it", place=place.name, key=key)
    if meant and taken.setdefault(meant, key) != key:
        hint = said("hint.means-too", key=taken[meant], meant=meant)
        return place.problem("unknown-key", message, hint, at=key, key=meant)
    if place.around is not None and key in place.counters:
        change = write(f"add: {{{key}: {written(place.value[key])}}}")
        return place.problem("unknown-key", message, change, at=key, key="add")
    if score := as_rules.of_key(place.path, key, place.value):
        return place.problem("unknown-key", message, score, at=key)
    advice = "" if alias else belonging.of_key(place.path, key, place.value[key], place.value)
    known, needed = place.schema["properties"], place.schema.get("required", ())
    missing = (name for name in needed if name not in place.value and isinstance(known.get(name), dict))
    if needs := next((name for name in missing if key in known[name].get("properties", ())), None):
        hint = write(f"{needs}: {{{key}: {written(place.value[key])}}}")
        return place.problem("unknown-key", message, hint, at=key, key=needs)
    fix = replaced(span, key, alias, certain=key in synonyms.SURE) if alias else renamed(span, key, free)
    if owner := _owner_beside(place, key):
        hint, fix = owner
    elif advice and not (fix and fix.certain):
        fix, hint = None, advice
        text = str(advice["text"]) if isinstance(advice, Phrase) and advice.id == "hint.write" else ""
        meant = meant or text.partition(":")[0]
    else:
        hint = _key_hint(place, key, meant, free)
    return place.problem("unknown-key", message, hint, at=key, key=meant or "", fix=fix)


def _owner_beside(place: Place, key: str) -> tuple[Text, Fix | None] | None:
    """Return a hint and a fix if a key should be in a neighbouring mapping; None otherwise."""
    for name, value in place.value.items():
        described = place.schema["properties"].get(name)
        keys = described.get("properties", {}) if isinstance(described, dict) else {}
        if isinstance(value, dict) and key in keys and not value.get(key):
            entry = cast("Mapping", place.node).entry(key)
            inside = cast("Mapping", place.node).get(name)
            in_braces = inside is not None and inside.span.source.text.startswith("{", inside.span.start)
            if entry is None or in_braces:
                return said("hint.within-braces", key=key, name=name), None
            fix = None if key in value else indented([entry])
            return said("hint.indent-further", keys=quoted([key]), count=1, name=name), fix
    return None


def _key_hint(place: Place, key: str, meant: str | None, free: list[str]) -> Text:
    if meant:
        return said("hint.did-you-mean", meant=meant)
    kind, kinds = kind_named(place.value), [other.name for other in RULE_KINDS.values() if key in other.properties]
    if key in KIND_KEYS and kind:
        return said("hint.format-2") if kind == key else said("hint.one-kind", kinds=either(quoted([kind, key])))
    if kinds and kind:
        return said("hint.only-kinds", kinds=some_of(kinds))
    known = place.schema["properties"]
    words = (key, place.value[key]) if isinstance(place.value[key], str) else (key,)
    for word in words:
        for name in free:
            if isinstance(known[name], dict) and word in known[name].get("enum", ()):
                return write(f"{name}: {word}")
    return possible(free or known)


def _missing_keys(place: Place) -> Iterator[Problem]:
    for key in (key for key in place.asked if key not in place.value):
        message = said("required-key.lacking", place=place.name, key=key)
        kind = RULE_KINDS.get(kind_named(place.value))
        described = {**(kind.properties if kind else {}), **place.schema.get("properties", {})}.get(key, {})
        examples = [written(example) for example in described.get("examples", ())]
        node = place.node
        fix = with_entry(node, key, examples[0]) if place.path and examples and isinstance(node, Mapping) else None
        hint: Text = as_list_of_cards(place)
        beside = place.beside.entry(key) if place.beside else None
        if beside and any(isinstance(part, int) for part in place.path[-2:-1]):  # where keys are no names
            hint = said("hint.indent-further", keys=quoted([key]), count=1, name=place.path[-1])
            fix = indented([beside])
        elif not hint and "enum" in described:
            hint = said("hint.add-one-of", names=some_of(described["enum"]))
        elif not hint and key == "scoring" and not place.path:
            hint = said("hint.add-scoring")
        elif not hint:
            hint = said("hint.add-example", text=f"{key}: {examples[0]}") if examples else said("hint.add", key=key)
        yield place.problem("required-key", message, hint, span=place.head, key=key, fix=fix, missing=(key,))


def _choice(place: Place) -> Iterator[Problem]:
    words = [str(word) for word in place.asked if word is not None]
    if place.is_key:
        key = place.value
        fix = renamed(place.key_span(key), key, words)
        hint: Text = did_you_mean(key, words) or possible(words)
        yield place.problem("unknown-key", said("unknown-key.it", place=place.name, key=key), hint, at=key, fix=fix)
        return
    message = said("not-allowed-value.it", place=place.name, value=place.shown)
    alias = synonyms.word_meant(str(place.value), words)
    fix = renamed(place.node.span, str(place.value), words)
    if alias:
        fix = replaced(place.node.span, str(place.value), alias, certain=False)
        hint = said("hint.did-you-mean", meant=alias)
    elif "left" in words and " if " in str(place.value):
        hint = said("hint.directions")
    elif condition := as_rules.of_names(place.path, str(place.value), plain(place.beside) if place.beside else {}):
        hint = condition
    else:
        hint = did_you_mean(str(place.value), words) or possible(words)
    yield place.problem("not-allowed-value", message, hint, fix=fix)


def _format(place: Place) -> Iterator[Problem]:
    if is_whole(place.value) and place.value > place.asked:
        message = said("unsupported-format.it", format=place.value)
        yield place.problem("unsupported-format", message, said("hint.reads-format", format=place.asked))
    elif is_whole(place.value):
        message = said("not-allowed-value.format", format=place.value)
        yield place.problem("not-allowed-value", message, write(f"format: {place.asked}"))


def _range(place: Place) -> Iterator[Problem]:
    bound = "at-least" if place.error.validator == "minimum" else "at-most"
    message = said(f"out-of-range.{bound}", place=place.name, value=place.shown, bound=place.asked)
    examples = belonging.examples_of(place.schema) if isinstance(place.path[-1], str) else ()
    hint = limits.remedy(place.key, place.asked) if bound == "at-most" else ""
    hint = hint or next((said("hint.example", text=f"{place.key}: {example}") for example in examples), "")
    yield place.problem("out-of-range", message, hint)


def _length(place: Place) -> Iterator[Problem]:
    keyword, size = str(place.error.validator), len(place.value)
    what = "characters" if keyword.endswith("Length") else "entries"
    say = f"most-{what}" if keyword.startswith("max") else f"fewest-{what}" if size else "empty"
    name = said("place.key", name=f"{place.value[:20]}…") if place.is_key else place.name
    message = said(f"wrong-length.{say}", place=name, size=size, bound=place.asked)
    if keyword.startswith("max") and place.path[-1:] == ("as",):
        yield place.problem("wrong-length", message, said("hint.two-choices"))
        return
    hint = limits.remedy(place.key, place.asked) if keyword.startswith("max") else ""
    yield place.problem("wrong-length", message, hint, **_at_key(place))


def _at_key(place: Place) -> dict[str, Any]:
    return {"at": place.value} if place.is_key else {}


_NOT_NAMES: Table[str, str] = MappingProxyType(
    {PLAYERS: "wrong-form", PLAYER_COUNT: "wrong-form", VERSION: "wrong-form", ADDRESSES: "wrong-form"}
    | {SIGN: "wrong-form"}
    | {BASE: "extends-name", PART: "include-unknown"}
)
"""The codes of findings for patterns of texts that are not names."""


def _pattern(place: Place) -> Iterator[Problem]:
    message = said("finding.not-in-form", value=place.shown, wanted=said(PATTERNS.get(place.asked, PATTERNS[ID])))
    code = _NOT_NAMES.get(place.asked, "bad-name")
    counts = plain(place.node) if place.is_key and place.asked == PLACE else None
    hint = instead_of_counts(counts) or _in_its_form(place)
    meant = str(hint["text"]) if isinstance(hint, Phrase) and hint.id == INSTEAD and code == "bad-name" else ""
    span = place.key_span(place.value) if place.is_key else place.node.span
    fix = replaced(span, place.value, meant, certain=False) if meant else None
    yield place.problem(code, message, hint, fix=fix, **_at_key(place))


def _in_its_form(place: Place) -> Text:
    """Return a hint on how to write a text that does not match its pattern; empty if there is none."""
    text, pattern = place.value, place.asked
    if pattern == LANGUAGE:
        language = f"{place.path[-1]}: {{en: {{one: …, other: …}}}}" if text in synonyms.PLURAL_FORMS else ""
        short = synonyms.LANGUAGES.get(text.lower())
        return said("hint.language-first", text=language) if language else write(short) if short else ""
    if pattern in _FORMS:
        return _FORMS[pattern](text)
    if condition := as_rules.of_names(place.path, text):
        return condition
    several = re.split(r"\s*[,/&+]\s*|\s+(?:and\s+)?", text)
    moment = _MOMENT.fullmatch(text.strip().lower())
    if moment and place.path[-1:] and place.path[-1] in _OF_MOMENTS:
        return said(INSTEAD, text=moment[1])
    if (
        "array" in place.schema.get("type", ())
        and len(several) > 1
        and all(re.search(pattern, part) for part in several)
    ):
        return said("hint.list-or-one", text=f"[{', '.join(several)}]", name="_".join(several))
    return _repaired(text, pattern) if pattern not in _NOT_NAMES or pattern == BASE else ""


_LATIN = str.maketrans({"ł": "l", "ø": "o", "æ": "ae", "œ": "oe", "đ": "d"})
"""Letters that Unicode normalisation does not replace by Latin letters, with their replacements."""
_MOMENT = re.compile(
    r"(?:(?:at|after|on)\s+)?(?:the\s+)?(?:end\s+(?:of\s+)?)?(?:(?:the|each|every)\s+)?(round|game|reveal|turn)(?:\s+end)?"
)
"""A common phrase for a moment that every game has, such as “end of the round”."""
_OF_MOMENTS = frozenset({"at", "after", "score"})
"""Keys whose value is a moment."""


def _as_base(text: str) -> Text:
    name = text.replace("\\", "/").rpartition("/")[2]
    if name != text and re.search(BASE, name):
        return said("hint.same-folder", name=name)
    return _repaired(text, BASE)


def _repaired(name: str, pattern: str) -> Text:
    apart = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name)
    latin = normalize("NFKD", apart.casefold().translate(_LATIN)).encode("ascii", "ignore").decode()
    plainer = re.sub(r"[^a-z0-9]+", "_", latin).strip("_")
    plainer = re.sub(r"^(\d+)_*(.+)$", r"\2_\1", plainer)
    return said(INSTEAD, text=plainer) if re.search(pattern, plainer) and plainer != name else ""


_FORMS: Table[str, Callable[[str], Text]] = MappingProxyType(
    {
        VERSION: as_version,
        PLAYERS: belonging.as_range,
        PLAYER_COUNT: lambda text: write(number[0]) if (number := re.search(r"\d+", text)) else "",
        SLOT: as_number,
        PLAY: as_cards,
        MOVED: lambda text: as_cards(text) or _repaired(text, MOVED),
        ADDRESSES: lambda text: write(f"https://{text}") if re.fullmatch(r"[\w.-]+\.\w+(/\S*)?", text) else "",
        BASE: _as_base,
    }
)
"""For each pattern, the function that returns a hint for a text that does not match the pattern."""


def _built_in(place: Place) -> Iterator[Problem]:
    message = said("reserved-name.it", name=place.value)
    yield place.problem("reserved-name", message, said("reserved-name.it.hint"), **_at_key(place))


def _one_of(place: Place) -> Iterator[Problem]:
    if not isinstance(place.value, dict):
        return
    keys = [branch["required"][0] for branch in place.asked]
    present = [key for key in place.value if key in keys]
    is_step = place.schema.get("title") == "Step"
    thing = said("place.step") if is_step else place.name
    if not present:
        message = said("one-verb.none", place=thing, keys=some_of(keys))
        yield place.problem("one-verb", message, span=place.head)
        return
    *_, first, last = present
    message = said("one-verb.both", place=thing, first=first, last=last)
    related = (Related(said("finding.is-here", name=first), place.key_span(first)),)
    hint, fix = _owner_beside(place, last) or (said("hint.two-steps" if is_step else "hint.keep-one"), None)
    yield place.problem("one-verb", message, hint, at=last, related=related, fix=fix)


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
"""For each keyword of JSON Schema, the function that yields the problems of its errors."""
