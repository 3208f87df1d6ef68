"""Hints for entries that are in the wrong place, or written in the wrong form.

They say where the entry belongs and how to write it.
"""

from __future__ import annotations

import re
from collections import Counter
from functools import cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from draftengine.model import limits
from draftengine.model.diagnostics.suggest import closest, digits, is_slip, some_of, write, written
from draftengine.model.loading.steps import FLOW, STEP_KEYS
from draftengine.model.records.reader import is_whole
from draftengine.model.rules import FORMULA, KIND_KEYS, RULE_KINDS, kind_named
from draftengine.model.schema import as_rules, schema
from draftengine.model.schema.matcher import SchemaMatcher
from draftengine.model.schema.synonyms import NOTHING, key_meant
from draftengine.model.verbs import EFFECTS, VERBS
from draftengine.model.verbs.effects import DiscardStep
from draftengine.support.locale.phrases import quoted, said

if TYPE_CHECKING:
    from collections.abc import Mapping

    from draftengine.support.locale.phrases import Text

_SECTIONS = MappingProxyType(
    {
        "cards": "card",
        "counters": "counter",
        "modifiers": "modifier",
        "abilities": "ability",
        "zones": "zone",
        "markers": "marker",
        "chips": "chips",
        "triggers": "trigger",
        "variants": "variant",
    }
)
"""Sections whose entries have names, each with the name of the shape of its entries."""
_EVERYWHERE = frozenset({"label", "source", "assumed", "text", "title"})
_AMOUNTS = frozenset({"adds", "has", "then", "add", "set"})
"""Keys whose values are mappings from counters to numbers."""
_NAME = re.compile(r"[a-z][a-z0-9_]*")
_NUMBER = r"-?[0-9]+"
_NUMBERS = re.compile(rf"{_NUMBER}(\s*[,;/|]\s*{_NUMBER}|\s+{_NUMBER})+")


def examples_of(described: Any) -> list[str | int]:
    """Return the examples of a key that are a single number or string."""
    return [example for example in described.get("examples", ()) if isinstance(example, str | int)]


@cache
def shapes() -> dict[str, Any]:
    """Return the shapes of all parts of a card set, by name. Callers must not change the result."""
    definitions: dict[str, Any] = schema()["$defs"]
    return definitions


def of_key(path: tuple[str | int, ...], key: str, value: Any, beside: Mapping[str, Any]) -> Text:
    """Return a hint for a key that is not allowed in this mapping; empty if there is none."""
    if not path:
        return _of_top_level(key, value, beside)
    if path[0] in FLOW and isinstance(path[-1], int):
        step = shapes()["step"]["properties"]
        owners = [verb for verb in VERBS if key in step.get(verb, {}).get("properties", ())]
        if len(owners) == 1:
            text = f"{owners[0]}: {{{key}: {written(value)}}}"
            return said("hint.belongs-to", key=key, owner=owners[0], text=text)
    if path[0] in FLOW and path[-1] in VERBS:
        step = shapes()["step"]["properties"]
        owners = [verb for verb in VERBS if {*beside} <= {*step.get(verb, {}).get("properties", ())}]
        if len(owners) == 1:
            text = f"{owners[0]}: {written(beside)}"
            return said("hint.belongs-to", key=key, owner=owners[0], text=text)
    if key == "while" and isinstance(value, str):
        return as_rules.until_instead(value)
    if path[0] == "modifiers" and "card" in beside and "then" not in beside and isinstance(value, int | str):
        return write(f"then: {{{key}: {written(value)}}}")
    return _of_section(path, key, value) or _of_elsewhere(path, key, value)


def _of_section(path: tuple[str | int, ...], key: str, value: Any) -> Text:
    """Return a hint for a key at a wrong level of a section; empty if there is none."""
    text = written(value)
    match path:
        case ("variants", _, *inner):
            changes = not inner and key in {*shapes()["game"]["properties"], "steps"}
            hint = write(f"changes: {{{key}: {text}}}") if changes else ""
            return said("hint.builds-on", text=f"builds_on: [{text}]") if key == "extends" else hint
        case ("scoring", _) if key == "players" and isinstance(value, int):
            return write(f"when: players == {value}")
        case ("triggers", _) if key in EFFECTS:
            return write(f"do: [{{{key}: {text}}}]")
        case ("examples", _) if key == "cards" and isinstance(value, list):
            return said("hint.tables-or-hands", tables=f"tables: [{text}]", hands=f"hands: [{text}]")
        case ("examples",) if isinstance(value, dict):
            return said("hint.example-hyphen", text=f"- name: {key}")
    return ""


def _of_elsewhere(path: tuple[str | int, ...], key: str, value: Any) -> Text:
    text = written(value)
    match path:
        case (_, _, "expect") if isinstance(value, int | list):
            return _of_expectation(key, value)
        case (*_, verb) if verb in VERBS and key in STEP_KEYS:
            return said("hint.beside-verb", verb=f"- {verb}: {{…}}", text=f"{key}: {text}")
        case (section, *_) if section in FLOW and key == DiscardStep.verb and isinstance(value, str):
            return said("hint.clear-discards", text=f"clear: {value}")  # in format 1, the flow has no `discard`
        case _ if key in shapes()["game"]["properties"] and isinstance(value, dict | list):
            of_a_card = path[:1] == ("cards",) and key == "scoring"
            return said("hint.key-of-file-or-scores" if of_a_card else "hint.key-of-file", key=key)
        case ("cards", name) if any(key in kind.properties for kind in RULE_KINDS.values()):
            return said("hint.scores-by-rule", text=f"scoring: {{{name}: {{…: {name}, {key}: {text}}}}}")
    return ""


def _of_expectation(key: str, value: int | list[Any]) -> Text:
    text = written(value)
    if isinstance(value, int):
        known = shapes()["example"]["properties"]["expect"]["properties"]
        return "" if closest(key, known) else said("hint.what-each-gets", text=f"points: {{{key}: [{text}, 0]}}")
    if key == "scores":
        return said("hint.total", text=f"total: {text}")
    return write(f"points: {{{key}: {text}}}")


def _of_top_level(key: str, value: Any, beside: Mapping[str, Any]) -> Text:
    if key == "changes" and isinstance(value, dict):
        parts = tuple(said("quoted", name=f"{name}: {written(what)}") for name, what in value.items())
        return said("hint.write-without-it", parts=parts)
    if key in NOTHING and "extends" in beside:
        return said("hint.null-in-place")
    if isinstance(value, dict):
        whole = ["scoring"] if kind_named(value) else []
        for name, shape in _SECTIONS.items() if value and not whole else ():
            needed = shapes()[shape].get("required", ())
            if needed and {*needed} <= value.keys() <= _keys_of(name):
                whole.append(name)
        return write(f"{whole[0]}: {{{key}: {written(value)}}}") if whole else ""
    for single in ("about", "winner"):
        if key in shapes()[single]["properties"] and single not in beside:
            return write(f"{single}: {{{key}: {written(value)}}}")
    section = next((section for section in _SECTIONS if key in _keys_of(section) - _EVERYWHERE), None)
    if section is None:
        return ""
    return said("hint.said-of-each", key=key, text=f"{section}: {{NAME: {{{key}: {written(value)}}}}}")


def _keys_of(section: str) -> set[str]:
    return set(shapes()[_SECTIONS[section]]["properties"])


def is_section(name: str, value: Any) -> bool:
    """True if there is a top-level key with this name, and the value is valid for it."""
    known = shapes()["extension"]["properties"]
    return name in known and SchemaMatcher({"$defs": shapes(), **known[name]}).matches(value)


def of_keys(path: tuple[str | int, ...], strange: Mapping[str, Any]) -> Text:
    """Return a hint if unknown keys together belong under another key; empty otherwise."""
    if path[-1:] != ("expect",) or len(strange) == 1 or not all(isinstance(item, list) for item in strange.values()):
        return ""
    return write(f"points: {written(dict(strange))}")


def of_rule(path: tuple[str | int, ...], rule: dict[str, Any], strange: Mapping[str, Any]) -> Text:
    """Return a hint for a rule without a kind, or whose kind is not a key; empty for any other rule."""
    of_kinds = {"kind", "of", *(key for kind in RULE_KINDS.values() for key in kind.properties)}
    is_rule = path[-1:] == ("scores",) or path[-2:-1] == ("scoring",)
    stated = next((key for key in strange if key_meant(key, {"kind"}) or key == "kind"), None)
    if not is_rule or kind_named(rule):
        return ""
    if by_place := next(filter(None, map(as_rules.ranked, strange.values())), ""):
        return write(by_place)
    if stated is None and of_kinds.isdisjoint(strange):
        return ""
    if slip := next((key for key in strange if closest(key, KIND_KEYS)), None):
        meant = closest(slip, KIND_KEYS)
        whole = written({meant if key == slip else key: rule[key] for key in rule})
        return write(f"{path[-1]}: {whole}" if whole != "…" else f"{meant}: {written(rule[slip])}")
    name = str(path[-1] if path[-2:-1] == ("scoring",) else path[-2])
    rest = {key: value for key, value in rule.items() if key not in {"of", stated}}
    if stated is not None and rule[stated] in RULE_KINDS:
        kinds = [rule[stated]]
    else:
        fits = {kind: SchemaMatcher({"$defs": shapes(), **shapes()[f"rule_{kind}"]}).matches for kind in KIND_KEYS}
        kinds = [kind for kind in KIND_KEYS if fits[kind]({kind: rule.get("of", name), **rest})]
    if len(kinds) != 1:
        return said("hint.kind-of-rule", kinds=some_of(kinds or KIND_KEYS))
    (kind,) = kinds
    return write(f"{path[-1]}: {written(rest if kind == FORMULA else {kind: rule.get('of', name), **rest})}")


def of_value(path: tuple[str | int, ...], value: Any, *, new: bool) -> Text:
    """Return a hint for a value where a mapping is required; empty if there is none.

    If the entry is `new`, and not a change to an existing one, the hint includes all keys that it needs.
    """
    name, text = path[-1] if path else "", written(value)
    hint: Text
    if isinstance(value, list):
        hint = _of_list(path, value)
    elif isinstance(name, int):
        step = _as_step(value) if isinstance(value, str) else ""
        hint = step and write(step)
    elif name in _AMOUNTS and isinstance(value, int | str):
        named = isinstance(value, str) and name != "then" and _NAME.fullmatch(value)
        if named:
            hint = said("hint.how-many", text=f"{name}: {{{value}: 1}}")
        else:
            hint = said("hint.which-counter", text=f"{name}: {{NAME: {text}}}")
    else:
        hint = _of_entry(path, value)
    if hint or len(path) != 2:  # noqa: PLR2004 (section, name)
        return hint
    if path[0] == "scoring" and isinstance(value, str) and not is_name(value):
        rule = as_rules.as_rule(str(name), value) if _kind_in(value) == _UNKNOWN else ""
        if rule:
            return write(f"{name}: {rule}")
        return said("hint.rule-keys", text=f"{name}: {{{_kind_in(value)}: {name}, …}}")
    if path[0] == "scoring" and new:
        return write(f"{name}: {{{_kind_for(value)}: {name}, {_for_rule(value)}: {text}}}")
    if path[0] == "scoring":
        return said("hint.which-key-of-rule", text=f"{name}: {{{_for_rule(value)}: {text}}}")
    return write(f"{name}: {{count: {text}}}") if path[0] == "cards" and isinstance(value, int) else ""


def _of_entry(path: tuple[str | int, ...], value: Any) -> Text:
    """Return a hint for a single value where a step's change, a parameter, reading or rule is required."""
    match path:
        case ("steps", name):
            return said("hint.which-key-of-step", text=f"{name}: {{…: {written(value)}}}")
        case (*_, "parameters" | "readings" as section, name) if isinstance(value, _DEFAULTS[section]):
            return write(f"{name}: {{default: {value}}}")
        case (*_, name, "sides" | "faces") if is_whole(value) and value > 1:
            return said("hint.die-with-numbers", text=f"counters: {{{name}: {{die: {value}}}}}")
        case ("counters", name) if isinstance(value, int):
            return write(f"{name}: {{start: {value}}}")
        case ("cards", str(name), "scores") if rule := as_rules.as_rule(name, value):
            return write(f"scores: {rule}")
    return ""


_DEFAULTS = MappingProxyType({"parameters": int, "readings": str})
"""The Python types of default values, by section."""


def _of_list(path: tuple[str | int, ...], value: list[Any]) -> Text:
    """Return a hint for a list of names or of mappings with one key, where a mapping is required."""
    name = path[-1] if path else ""
    if value and all(isinstance(item, dict) and len(item) == 1 for item in value):
        if len(path) == 1:
            return said("hint.own-line", text=f"{next(iter(value[0]))}: …")
        return write(f"{name}: {written({key: inner for item in value for key, inner in item.items()})}")
    if name in {"sides", "faces"} and _all_names(value):
        return write(f"{name}: {written(Counter(value))}")
    if name in _AMOUNTS - {"then"} and _all_names(value):
        return said("hint.how-many", text=f"{name}: {{{', '.join(f'{item}: 1' for item in value)}}}")
    if len(path) == 1 and name in _SECTIONS and _all_names(value):
        return write(f"{name}: {{{value[0]}: {{…}}}}")
    return ""


def _for_rule(value: Any) -> str:
    return "most" if _kind_for(value) == "majority" else "points"


def _kind_for(value: Any) -> str:
    """Return the kind of rule that a value suggests.

    Decreasing numbers suggest a ranking with prizes, and other numbers a table. A single value suggests points for each
    card.
    """
    if not isinstance(value, list):
        return "each"
    numbers = all(isinstance(item, int) for item in value)
    return "table" if numbers and value != sorted(value, reverse=True) else "majority"


def _kind_in(text: str) -> str:
    """Return the kind of rule whose name is a word of the text; `_UNKNOWN` if there is none."""
    return next((kind for word in text.split() for kind in KIND_KEYS if kind in {word, word.rstrip("s")}), _UNKNOWN)


_UNKNOWN = "…"
"""The text that hints have in place of an unknown kind of rule."""


def is_name(value: str) -> bool:
    """True if the text is a name and nothing else."""
    return _NAME.fullmatch(value) is not None


def _all_names(value: list[Any]) -> bool:
    return bool(value) and all(isinstance(item, str) and is_name(item) for item in value)


def _as_step(text: str) -> str:
    """Return the step that a text such as ``shuffle deck`` means; empty if it does not begin with a verb."""
    verb, *rest = text.split() or [""]
    examples = shapes()["step"]["properties"].get(verb, {}).get("examples", ()) if verb in VERBS else ()
    if not examples:
        return ""
    return f"{verb}: {rest[-1] if rest and isinstance(examples[0], str) else written(examples[0])}"


def other_key(path: tuple[str | int, ...], value: Any) -> str | None:
    """Return a similar top-level key for which the value is valid; None if there is none."""
    game = shapes()["game"]["properties"]
    if not path or path[-1] not in game or not isinstance(value, int | str | list):
        return None
    meant = closest(str(path[-1]), [key for key in game if is_section(key, value)])
    return meant if meant and is_slip(str(path[-1]), meant, game) else None


def of_needs(path: tuple[str | int, ...], value: Any) -> Text:
    """Return a hint if `needs` contains names of variants instead of a condition; empty otherwise."""
    named = path[-1:] == ("needs",) and isinstance(value, list) and _all_names(value)
    return said("hint.requires", text=f"requires: {written(value)}") if named else ""


def of_several(path: tuple[str | int, ...], kinds: list[str], value: Any) -> Text:
    """Return a hint for a list or mapping where a number, formula, name or text is required."""
    formula = {*kinds} >= {"integer", "string"}
    if isinstance(value, dict) and formula and value and all(key.isdecimal() for key in value):
        return said("hint.formula-by-players")
    if isinstance(value, dict) and "string" in kinds and len(value) == 1:
        (only,) = value.values()
        return write(f"{path[-1]}: {only}") if isinstance(only, str) else ""
    if not isinstance(value, list) or not value or not path:
        return ""
    if len(value) == 1 and isinstance(value[0], int | str) and "string" in kinds:
        return said("hint.without-brackets", text=written(value[0]))
    if all(isinstance(item, int) for item in value):
        return _of_numbers(path[-1], value, kinds)
    return _of_texts(path, value, kinds) if all(isinstance(item, str) for item in value) else ""


def _of_numbers(name: str | int, value: list[int], kinds: list[str]) -> Text:
    if name in {"cards", "count"} and "object" in kinds:
        by_number = ", ".join(f"{players}: {number}" for players, number in enumerate(value, 2))
        return said("hint.by-number", text=f"{name}: {{{by_number}}}")
    if name == "points" and "integer" not in kinds:
        return said("hint.which-rule", text=f"points: {{NAME: {written(value)}}}")
    return said("hint.single-number", text=f"{name}: {value[0]}") if "integer" in kinds else ""


def _of_texts(path: tuple[str | int, ...], value: list[str], kinds: list[str]) -> Text:
    name = path[-1]
    if kinds == ["string"] and _all_names(value):
        return _for_each_zone(path, value)
    if name in {*KIND_KEYS, "of"} and _all_names(value):
        return said("hint.count-together", text=f"{name}: {' + '.join(value)}")
    if name == "label" and len(value) == 2:  # noqa: PLR2004 (one, several)
        return said("hint.plural-forms", text=f"label: {{en: {{one: {value[0]}, other: {value[1]}}}}}")
    return said("hint.one-text", text=", ".join(value)) if {*kinds} == {"string", "object"} else ""


def _for_each_zone(path: tuple[str | int, ...], zones: list[str]) -> Text:
    """Return a hint for a step with several zones where it takes one; empty for anything but zones."""
    verb, name = path[-2:] if path[-1] in {"from", "to", "zone"} else (path[-1], "")
    if verb == "choose":
        return write(f"as: {{{', '.join(f'{zone}: {{{name}: {zone}}}' for zone in zones)}}}")
    is_way = path[-3:-2] == ("as",)  # its name may be that of a verb
    if is_way or verb not in VERBS or verb in {"in_turn", "give"}:  # these name players
        return ""
    return said(
        "hint.step-each",
        names=quoted(f"{verb}: {{{name}: {zone}, …}}" if name else f"{verb}: {zone}" for zone in zones),
    )


def as_list(name: str, value: Any, *, whole: bool) -> Text:
    """Return a hint to write a value as a list. `whole` is true if the value can be the only item."""
    if isinstance(value, dict) and value and all(key == "default" or key.isdecimal() for key in value):
        # The keys may mean places, numbers of cards or numbers of players.
        from_one = [*value] == [str(number) for number in range(1, len(value) + 1)]
        text = written([*value.values()]) if from_one else "[3 if players == 2 else 6]"
        return said("hint.list-from-one" if from_one else "hint.formula-in-list", text=f"{name}: {text}")
    if isinstance(value, dict) and value and not whole and all(isinstance(item, int) for item in value.values()):
        return write(f"{name}: {written([*value.values()])}")
    if isinstance(value, dict) and by_seat(value):
        return said("hint.seats-in-order", text=f"{name}: {written([*value.values()])}")
    if isinstance(value, str) and (hint := _text_as_list(name, value)):
        return hint
    if isinstance(value, str) and (ends := re.fullmatch(r"(\d{1,3})-(\d{1,3})", value)):
        numbers = [*range(int(ends[1]), int(ends[2]) + 1)]
        value, whole = (numbers, True) if 0 < len(numbers) <= _FEW else (value, False)
        return write(f"{name}: {written(value)}") if whole else ""
    text = written((digits(value) or value) if isinstance(value, str) else value)
    return write(f"{name}: [{text}]") if whole and text != "…" else ""


def _text_as_list(name: str, text: str) -> Text:
    """Return a hint if a text should be a list of numbers, names or steps; empty otherwise."""
    if _NUMBERS.fullmatch(text):
        return write(f"{name}: [{', '.join(re.findall(_NUMBER, text))}]")
    if step := _as_step(text):
        return write(f"{name}: [{{{step}}}]")
    names = re.split(r"\s*,\s*|\s+", text)
    return write(f"{name}: [{', '.join(names)}]") if _all_names(names) and len(names) > 1 else ""


_FEW = 12
"""The largest number of values in a range such as ``1-9`` that a hint writes as a list."""


def by_seat(value: dict[str, Any]) -> bool:
    """True if all values of a mapping are lists, so that its keys may be seats."""
    return len(value) > 1 and all(isinstance(item, list) for item in value.values())


def as_range(text: str) -> Text:
    """Return a hint for numbers of players that are written as words; empty for other texts."""
    numbers = re.findall(r"\d+", re.sub(r"[a-z]+", lambda word: str(digits(word[0]) or word[0]), text.lower()))
    if len(numbers) == 1 and text.strip().endswith("+"):
        return said("hint.at-most-too", text=f"{numbers[0]}-{int(numbers[0]) + 3}")
    if number := digits(text):
        return said("hint.in-digits", number=number)
    counts = sorted(min(max(int(number), 1), limits.PLAYERS) for number in numbers)
    return write("-".join(map(str, dict.fromkeys((counts[0], counts[-1]))))) if counts else ""


def as_players(value: Any) -> Text:
    """Return a hint for numbers of players written as a list or mapping; empty for other values."""
    numbers = [*value.values()] if isinstance(value, dict) else value
    if not isinstance(numbers, list) or not numbers or not all(isinstance(number, int) for number in numbers):
        return ""
    return (
        write(f"{min(numbers)}-{max(numbers)}") if len(numbers) > 1 else said("hint.write-plain", text=str(numbers[0]))
    )
