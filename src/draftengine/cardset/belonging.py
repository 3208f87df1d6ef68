"""Where something belongs that stands at a wrong level, or in a wrong form, as it would have to be written."""

from __future__ import annotations

import re
from functools import cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from draftengine.cardset.schema import schema
from draftengine.rules import KINDS
from draftengine.verbs import EFFECTS, VERBS

if TYPE_CHECKING:
    from collections.abc import Iterable

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
"""The sections of a card set that are written by name, with what the schema calls an entry of each."""
_EVERYWHERE = frozenset({"label", "source", "assumed", "text", "title"})
_BESIDE_A_VERB = frozenset({"id", "when", "source", "assumed"})
_LONGEST = 60
"""No value that is longer is shown in a hint."""


def written(value: Any) -> str:
    """A value as it could stand on a line; ``…`` if it is too long for a hint."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list):
        text = f"[{', '.join(map(written, value))}]"
    elif isinstance(value, dict):
        text = f"{{{', '.join(f'{key}: {written(own)}' for key, own in value.items())}}}"
    else:
        text = str(value)
    return text if len(text) <= _LONGEST else "…"


@cache
def _shapes() -> dict[str, Any]:
    """The shapes of all parts of a card set, which are only read."""
    shapes: dict[str, Any] = schema()["$defs"]
    return shapes


def of_key(path: tuple[str | int, ...], key: str, value: Any) -> str:
    """What to write instead of a key that this part of a card set cannot have; empty if that cannot be told."""
    game = _shapes()["game"]["properties"]
    shown = written(value)
    if not path:
        return _of_top_level(key, value)
    match path:
        case ("variants", _) if key in {*game, "steps"}:
            hint = f"Write “changes: {{{key}: {shown}}}”."
        case ("scoring", _) if key == "players" and isinstance(value, int):
            hint = f"Write “when: players == {value}”."
        case (_, _, "expect") if isinstance(value, list):
            hint = f"Write “points: {{{key}: {shown}}}”."
        case ("setup" | "round" | "finish", *_, int()) if key in EFFECTS:
            hint = f"That happens to players, one after the other: write “in_turn: {{do: [{{{key}: {shown}}}]}}”."
        case (*_, verb) if verb in VERBS and key in _BESIDE_A_VERB:
            hint = f"It stands beside the verb: “- {verb}: {{…}}”, and below it “{key}: {shown}”."
        case _ if key in game and isinstance(value, dict | list):
            hint = f"“{key}” is a key of the whole file: write it without indentation."
        case ("cards", name) if any(key in kind.properties for kind in KINDS.values()):
            hint = f"What a card scores is a rule: scoring: {{{name}: {{kind: …, {key}: {shown}}}}}."
        case _:
            hint = ""
    return hint


def _of_top_level(key: str, value: Any) -> str:
    if isinstance(value, dict):
        whole = [section for section in _SECTIONS if _fits(section, value)]
        if "kind" in value:
            whole = ["scoring"]
        return f"Write “{whole[0]}: {{{key}: {written(value)}}}”." if whole else ""
    section = next((own for own in _SECTIONS if key in _keys_of(own) - _EVERYWHERE), None)
    return f"“{key}” is said of each name: {section}: {{NAME: {{{key}: {written(value)}}}}}." if section else ""


def _fits(section: str, value: dict[str, Any]) -> bool:
    """Could this be an entry of that section."""
    needed = _shapes()[_SECTIONS[section]].get("required", ())
    return bool(value) and bool(needed) and value.keys() <= _keys_of(section) and value.keys() >= {*needed}


def _keys_of(section: str) -> set[str]:
    return set(_shapes()[_SECTIONS[section]]["properties"])


def of_value(path: tuple[str | int, ...], value: Any) -> str:
    """How a value is written that stands where an entry with keys belongs; empty if that cannot be told."""
    name, shown = path[-1] if path else "", written(value)
    if isinstance(value, list) and len(path) == 1 and all(isinstance(own, dict) and len(own) == 1 for own in value):
        first = next(iter(value[0]), "name") if value else "name"
        return f"Write “{first}: …” on a line of its own, without a hyphen."
    if len(path) == 2 and path[0] == "cards" and isinstance(value, int):  # noqa: PLR2004 (section, name)
        return f"Write “{name}: {{count: {shown}}}”."
    if len(path) == 2 and path[0] == "scoring":  # noqa: PLR2004 (the same)
        return f"Say which key of the rule that is: “{name}: {{{_for_rule(value)}: {shown}}}”."
    if len(path) == 3 and path[-1] in {"adds", "has", "then"} and isinstance(value, int | str):  # noqa: PLR2004
        return f"Say of which counter: “{name}: {{NAME: {shown}}}”."
    return ""


def _for_rule(value: Any) -> str:
    return "most" if isinstance(value, list) else "points"


def as_list(name: str, value: Any) -> str:
    """A single value as the list that is wanted."""
    shown = written(value)
    return f"Write “{name}: [{shown}]”." if shown != "…" else ""


def by_players(name: str, value: dict[str, Any]) -> str:
    """How a list says what depends on the number of players; empty if that is not what was meant."""
    if not all(key == "default" or key.isdecimal() for key in value):
        return ""
    return f"What depends on the players is a formula in the list, such as “{name}: [3 if players == 2 else 6]”."


def as_range(text: str) -> str:
    """A number of players in words as it is written."""
    numbers: Iterable[str] = re.findall(r"\d+", text)
    return f"Write “{'-'.join(numbers)}”." if 1 <= len(list(numbers)) <= 2 else ""  # noqa: PLR2004 (fewest, most)
