"""Findings about values of the wrong type, and hints on how and where to write these values."""

from __future__ import annotations

import re
from itertools import chain, takewhile
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from draftengine.model.diagnostics import Edit, Fix, hint_for
from draftengine.model.diagnostics.suggest import closest, digits, write, written
from draftengine.model.language.parse import FormulaError, parse
from draftengine.model.language.tree import Name
from draftengine.model.loading.steps import STEP_KEYS
from draftengine.model.records.schema_fragments import ID, MOVED, OF_PLAYERS, PATTERNS, PLAY, PLAYERS
from draftengine.model.rules import KIND_KEYS, RULE_KINDS
from draftengine.model.schema import belonging, synonyms
from draftengine.model.schema.as_rules import each_by_itself, instead_of_counts
from draftengine.model.verbs import VERBS
from draftengine.model.yaml.fixes import as_item, indented, replaced
from draftengine.model.yaml.scalars import RANGE, as_version
from draftengine.model.yaml.tree import Mapping, Scalar
from draftengine.support.locale.phrases import either, quoted, said

if TYPE_CHECKING:
    from collections.abc import Iterator
    from collections.abc import Mapping as Table

    from draftengine.model.schema.place import Place, Problem
    from draftengine.model.yaml.tree import Entry
    from draftengine.support.locale.phrases import Phrase, Text

_TOGETHER: Table[frozenset[str], str] = MappingProxyType(
    {
        frozenset({"integer", "string"}): "type.formula",
        frozenset({"integer", "string", "boolean"}): "type.formula",
        frozenset({"integer", "string", "object"}): "type.formula-or-table",
        frozenset({"string", "array"}): "type.names",
        frozenset({"string", "object"}): "type.text-or-mapping",
    }
)
"""Keys of messages for sets of types that have a common name, such as “a formula”."""


def _wanted(kinds: list[str]) -> Phrase:
    together = _TOGETHER.get(frozenset(kinds))
    return said(together) if together else either(said(f"type.{kind}") for kind in kinds)


def wrong_type(place: Place) -> Iterator[Problem]:
    """Yield the problem to report for a value whose type the schema does not allow."""
    kinds = place.asked if isinstance(place.asked, list) else [place.asked]
    if set(place.schema.get("properties", ())) == {"append"}:
        kinds = [kind for kind in kinds if kind != "object"]
    kinds = [kind for kind in kinds if kind != "null"]
    if place.value is None:
        yield _empty(place, kinds)
        return
    if kinds == ["object"] and (stray := _beside_empty(place)):
        empty, entries = stray
        if entries[0] is place.entry:  # only the first of these entries reports the problem
            above, keys = empty.key.text, quoted(entry.key.text for entry in entries)
            message = said("wrong-type.beside-empty", name=above, keys=keys, count=len(keys))
            hint: Text = said("hint.indent-further", keys=keys, count=len(keys), name=above)
            yield place.problem("wrong-type", message, hint, span=entries[0].key.span, fix=indented(entries))
        return
    around = place.around if kinds[0] == "array" else None
    items = around.items if around is not None else ()
    texts = [item.value for item in items if isinstance(item, Scalar) and isinstance(item.value, str)]
    if around is not None and texts and len(texts) == len(items):
        if place.path[-1] == 0:  # only the first item reports the problem
            owner = place.path[-2]
            message = said("wrong-type.list-of-lists", name=owner)
            hint = said("hint.list-for-each", text=f"{owner}: [{written(each_by_itself(texts))}, …]")
            yield place.problem("wrong-type", message, hint, span=around.span)
        return
    wanted = said(PATTERNS[PLAYERS]) if place.schema.get("pattern") == PLAYERS else _wanted(kinds)
    wanted = said("type.copies") if _counts_copies(place) else wanted
    message = said("wrong-type.it", place=place.name, wanted=wanted, value=place.shown)
    several = isinstance(place.value, list) or "array" in kinds
    if several and (meant := belonging.other_key(place.path, place.value)):
        hint = said("hint.did-you-mean", meant=f"{meant}: {written(place.value)}")
        fix = replaced(place.head, str(place.path[-1]), meant, certain=False)
        yield place.problem("wrong-type", message, hint, key=meant, fix=fix)
        return
    hint = next((hint for hint in _type_hints(place, kinds, place.value) if hint), "")
    yield place.problem("wrong-type", message, hint, fix=_in_another_form(place, kinds))


def _empty(place: Place, kinds: list[str]) -> Problem:
    """Return the problem to report for a key without a value, with the entries that may belong below it."""
    message = said("wrong-type.empty", place=place.name, wanted=_wanted(kinds))
    below = {*place.schema.get("properties", ())}
    if not below.isdisjoint(KIND_KEYS):
        below |= {key for kind in RULE_KINDS.values() for key in kind.properties}
    siblings = place.beside.entries if place.beside else ()
    takes = tuple(entry for entry in siblings if entry.key.text in below)
    named = "object" in kinds and not below  # the keys below are names that the author chooses
    if named and place.entry in siblings:
        takes = siblings[siblings.index(place.entry) + 1 :]
    span = place.node.span
    why = "only-overlays-remove" if span.start < span.end else "after-colon" if place.entry else "after-hyphen"
    if span.start == span.end and re.compile("[ \t]+#").match(span.source.text, span.start):
        why = "comment"
    hint = said(f"hint.{why}")
    return place.problem("wrong-type", message, hint, span=place.head, takes=takes, only_next=named)


def _in_another_form(place: Place, kinds: list[str]) -> Fix | None:
    """Return the fix that turns a value into a number, text or list; None if more must be changed."""
    span, value = place.node.span, place.value
    text = span.source.text[span.start : span.end]
    digits_only = isinstance(value, str) and re.fullmatch(r"-?(0|[1-9]\d*)", value) is not None
    if digits_only and "integer" in kinds and "string" not in kinds:
        return Fix((Edit(span, value),), certain=True)
    only_texts = "string" in kinds and {"integer", "boolean"}.isdisjoint(kinds)
    if only_texts and isinstance(value, int) and place.path != ("version",) and _will_do_as_text(place):
        return Fix((Edit(span, f'"{text}"'),), certain=True)
    if kinds != ["array"]:
        return None
    in_brackets = Fix((Edit(span, f"[{text}]"),), certain=False)
    on_a_line = place.path and "\n" not in text
    return _as_item(place) or (in_brackets if on_a_line and _can_be_an_entry(place) else None)


def _beside_empty(place: Place) -> tuple[Entry, list[Entry]] | None:
    """Return an empty entry, and the entries after it that may belong below it.

    Return None unless the entry of `place` is one of the entries after it.
    """
    known = {*place.schema.get("properties", ())}
    if not known.isdisjoint(KIND_KEYS):
        known |= {key for kind in RULE_KINDS.values() for key in kind.properties}
    entries = place.beside.entries if place.beside is not None and place.in_changes else ()
    for index, entry in enumerate(entries):
        if (
            entry.key.text in known
            or not isinstance(entry.value, Scalar)
            or entry.value.span.start < entry.value.span.end
        ):
            continue
        following = list(takewhile(lambda other: other.key.text in known, entries[index + 1 :]))
        if any(other is place.entry for other in following):
            return entry, following
    return None


def _will_do_as_text(place: Place) -> bool:
    """True if the value would match the required pattern if it were a text."""
    return re.search(place.schema.get("pattern", ""), str(place.shown)) is not None


def _can_be_an_entry(place: Place) -> bool:
    """True if the value would be right as an item of the required list."""
    entries = _entries(place)
    if "type" not in entries:
        return True
    if isinstance(place.value, dict):
        return "object" in entries["type"] and not belonging.by_seat(place.value)
    several = isinstance(place.value, str) and re.search(r"[\s,;]|\d/\d|^\d+-\d+$", place.value)
    if isinstance(place.value, str) and belonging.is_name(place.value):
        # If the examples of the list are numbers, only a word for a number is right.
        examples = [example for example in place.schema.get("examples", ()) if isinstance(example, list)]
        if examples and all(isinstance(item, int) for item in examples[0]):
            return digits(place.value) is not None
    if isinstance(place.value, int) and _is_of_seats(place):
        return False
    return ("integer" if isinstance(place.value, int) else "string") in entries["type"] and not several


def _is_of_seats(place: Place) -> bool:
    """True if the required list must have one value for each seat."""
    return "expect" in place.path and place.path[-1] != "winners"


def _entries(place: Place) -> dict[str, Any]:
    """Return the shape of the items of the required list."""
    return _resolved(place.schema.get("items", {}))


def entry_keys(place: Place) -> set[str]:
    """Return the keys that items of the required list can have."""
    return {*_entries(place).get("properties", ())}


def _resolved(described: Any) -> dict[str, Any]:
    """Return the shape to which a part of the schema refers, or the part itself if it has no reference.

    The result is empty if the reference is one of format 1.
    """
    shapes: dict[str, dict[str, Any]] = belonging.shapes()
    return shapes.get(described["$ref"].rpartition("/")[2], {}) if "$ref" in described else described


def _as_item(place: Place) -> Fix | None:
    """Return the fix that adds a missing hyphen before the keys of a list item; None if it does not fit."""
    if not isinstance(place.node, Mapping) or not place.value:
        return None
    entries = _entries(place)
    verbs = [verb for verb in entries.get("oneOf", ()) if verb["required"][0] in place.value]
    fits = {*place.value} <= {*entries.get("properties", ())} and len(verbs) <= 1
    return as_item(place.node.entries) if fits else None


def _as_entry(place: Place) -> Text:
    """Return the hint ``[{most: soup}]`` for a text such as ``most soup``; empty if that is not valid."""
    key, _, rest = place.value.partition(" ") if isinstance(place.value, str) else ("", "", "")
    described = _resolved(_entries(place).get("properties", {}).get(key, {}))
    fits = belonging.is_name(rest) and _takes(described, rest)
    return write(f"{place.path[-1]}: [{{{key}: {rest}}}]") if fits else ""


def _as_lists(place: Place) -> Text:
    """Return the hint ``[[fern, fern], [moss]]`` for ``fern fern, moss``; empty if that is not valid."""
    if not isinstance(place.value, str) or "array" not in _entries(place).get("type", ()):
        return ""
    several = [part.split() for part in place.value.split(",")]
    names = all(map(belonging.is_name, chain.from_iterable(several)))
    return write(f"{place.path[-1]}: {written(several)}") if names else ""


def as_list_of_cards(place: Place) -> Text:
    """Return the hint ``[fern, fern]`` for a mapping such as ``{fern: 2}``; empty if that is not valid."""
    return instead_of_counts(place.value) if _entries(place).get("pattern") in {PLAY, MOVED} else ""


def _type_hints(place: Place, kinds: list[str], value: Any) -> Iterator[Text]:
    """Yield hints for a value of the wrong type, the best one first. Some may be empty."""
    if "string" in kinds and isinstance(value, dict) and {*value} == {"holder"}:
        yield write(f"{place.path[-1]}: {value['holder']}")
    if place.path == ("version",):
        yield as_version(str(value))
    if place.schema.get("pattern") == PLAYERS:
        yield belonging.as_players(value)
    yield from _scalar_hints(place, kinds, value)
    yield belonging.of_value(place.path, value, new=not place.in_changes) if "object" in kinds else ""
    yield belonging.of_needs(place.path, value)
    yield belonging.of_several(place.path, kinds, value)
    if set(kinds) == {"array", "object"} and isinstance(value, str) and "," in value:
        yield write(f"[{value}]")
    if kinds == ["string"] and isinstance(value, list) and "pattern" not in place.schema:
        yield said("hint.one-text", text=", ".join(map(str, value)))
    if kinds == ["object"]:
        yield _as_mapping(place, value)
        if isinstance(value, list):
            yield said("hint.lines-without-hyphen" if has_hyphens(place) else "hint.lines-without-brackets")
    if kinds == ["array"] and place.path:
        if isinstance(value, int) and _is_of_seats(place):
            yield said("hint.what-each-has", text=f"{place.path[-1]}: [{value}, 0]")
        item = _as_item(place)
        hyphen = "hint.hyphen-and-indent" if item and item.edits[1:] else "hint.hyphen"
        yield said(hyphen, name=next(iter(value))) if item else ""
        steps = [*value] if isinstance(value, dict) and {*value} <= entry_keys(place) else []
        yield said("hint.hyphen-each", names=quoted(steps)) if {*steps} <= {*VERBS} and steps[1:] else ""
        yield _as_entry(place) or _as_lists(place) or as_list_of_cards(place)
        yield belonging.as_list(str(place.path[-1]), value, whole=_can_be_an_entry(place))
        text = next(
            (written(example) for example in place.schema.get("examples", ()) if isinstance(example, list)),
            "…",
        )
        yield said("hint.example", text=f"{place.path[-1]}: {text}") if text != "…" else ""
        described = _entries(place).get("properties", {}).items()
        examples = (
            f"{key}: {example}"
            for key, each in described
            if key not in STEP_KEYS
            for example in belonging.examples_of(each)
        )
        first = next(examples, "")
        yield said("hint.example", text=f"{place.path[-1]}: [{{{first}}}]") if first else ""
        yield said("hint.in-brackets")


def has_hyphens(place: Place) -> bool:
    """True if the value is a list with each item on its own line."""
    return isinstance(place.value, list) and place.node.span.source.text.startswith("-", place.node.span.start)


def _scalar_hints(place: Place, kinds: list[str], value: Any) -> Iterator[Text]:
    """Yield hints for a value where a number, a text or a truth value is required. Some may be empty."""
    if "string" in kinds and isinstance(value, int) and "integer" not in kinds:
        amount = synonyms.key_meant(str(place.path[-1]), {"cards"}) if place.path else None
        yield write(f"{amount}: {value}") if amount else ""
        will_do = _will_do_as_text(place)
        yield (
            said("hint.in-quotes", text=place.shown)
            if will_do
            else said("hint.write-plain", text=said(PATTERNS.get(place.schema["pattern"], PATTERNS[ID])))
        )
    if "integer" in kinds and isinstance(value, str):
        yield said("hint.one-number") if RANGE.fullmatch(value) else ""
        yield said("hint.without-quotes", text=value) if re.fullmatch(r"-?\d+", value) else ""
        yield _of_players(value) if _counts_copies(place) else ""
    yield as_number(value) if "integer" in kinds and "string" not in kinds else ""
    if (
        place.path[-1:]
        and place.path[-1] in synonyms.NOTHING
        and isinstance(value, list)
        and value
        and place.in_changes
    ):
        yield said("hint.taken-away", text=f"{written(value[0])}: null")
    if kinds == ["boolean"]:
        in_quotes = isinstance(value, str) and value in {"true", "false"}
        yield said("hint.without-quotes", text=value) if in_quotes else said("hint.true-or-false")
    if isinstance(value, str) and value.lower() in synonyms.NOTHING and len(place.path) > 1 and "object" in kinds:
        gone = said("hint.taken-away", text=f"{place.path[-1]}: null")
        yield gone if place.in_changes else said("hint.leave-out")


def _counts_copies(place: Place) -> bool:
    """True if the value should be a number of copies, which can be a formula of ``players``."""
    return any(re.search(OF_PLAYERS, str(example)) for example in place.schema.get("examples", ()))


def _of_players(text: str) -> Text:
    """Return a hint on how to write a number of copies as a formula; empty for other texts."""
    meant = [
        word for word in _WORDS.findall(text) if word.lower() in {"players", "seats"} or closest(word, ("players",))
    ]
    numbers = re.findall(r"\d+", text)
    formula = re.sub(rf"\b{meant[0]}\b", "players", text) if len(meant) == 1 else text
    try:
        parsed = parse(formula)
    except FormulaError:
        return said("hint.did-you-mean", meant=f"{numbers[0]} * players") if meant and len(numbers) == 1 else ""
    if formula != text:
        return said("hint.did-you-mean", meant=formula)
    return "" if isinstance(parsed, Name) else hint_for("formula-syntax", "copies", {})


_WORDS = re.compile(r"[^\W\d]\w*")
_ALONE = re.compile(r"(-?(?:0|[1-9]\d*))[^\d*]+")
"""A number followed by a unit, a comma or a remark."""


def as_number(value: Any) -> Text:
    """Return a hint on how to write a value as a number; empty if there is none."""
    if isinstance(value, list) and len(value) == 1 and isinstance(value[0], int):
        return said("hint.without-brackets", text=str(value[0]))
    if not isinstance(value, str) or RANGE.fullmatch(value) or re.fullmatch(r"-?\d+", value):
        return ""
    if alone := _ALONE.fullmatch(value):
        return said("hint.number-alone", text=alone[1])
    number = digits(value)
    return said("hint.number-in-digits") if number is None else said("hint.in-digits", number=number)


def _as_mapping(place: Place, value: Any) -> Text:
    """Return a hint to write the value under a key for which it is valid, or an example of a mapping."""
    keys = place.schema.get("properties", {})
    name = f"{place.path[-1]}: " if isinstance(place.path[-1], str) else ""
    if isinstance(value, list) and len(value) == 1 and isinstance(value[0], str):
        (value,) = value
    for key, shape in keys.items():
        if isinstance(shape, dict) and isinstance(value, str) and (word := _word_of(value, shape)):
            return write(f"{name}{{{key}: {word}}}")
    needed = place.schema.get("required", ())
    if len(needed) == 1 and _takes(keys[needed[0]], value) and (text := written(value)) != "…":
        return write(f"{name}{{{needed[0]}: {text}}}")
    if not needed and isinstance(value, str) and "text" in keys and " " in value:
        return write(f"{name}{{text: …}}")
    if has_hyphens(place):
        return ""
    example = next(iter(place.schema.get("examples", ())), None)
    if isinstance(example, dict):
        ways = [way["required"][0] for way in place.schema.get("oneOf", ())]
        alike = [way for way in ways if any(type(one) is type(value) for one in belonging.examples_of(keys[way]))]
        if len(alike) == 1:
            example = {alike[0]: value} | {key: example[key] for key in needed}
        text = ", ".join(f"{key}: {written(item)}" for key, item in example.items())
        return said("hint.example", text=f"{name}{{{text}}}") if text else ""
    candidates = (key for key, shape in keys.items() if belonging.examples_of(shape) and key not in STEP_KEYS)
    first = "" if name else next(candidates, "")
    return said("hint.example", text=f"{{{first}: {belonging.examples_of(keys[first])[0]}}}") if first else ""


def _word_of(text: str, described: Any) -> str | None:
    """Return the value of a key that some word of the text is, or is a synonym of; None if there is none."""
    possible = [choice for choice in described.get("then", described).get("enum", ()) if isinstance(choice, str)]
    words = [*text.split(), *re.split(r"[\s_-]+", text)]
    return next((choice for word in words for choice in possible if choice == word), None) or next(
        (meant for word in words if (meant := synonyms.word_meant(word, possible))), None
    )


def _takes(described: Any, value: Any) -> bool:
    """True if a key accepts values of this type."""
    kind = {int: "integer", str: "string", list: "array", dict: "object", bool: "boolean"}[type(value)]
    return kind in described.get("type", ())
