"""Hints on how to write points as a scoring rule, and cards with a number (``soup x2``) as a list.

Every text that a hint proposes must be valid in a card set.
"""

from __future__ import annotations

import re
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from draftengine.model.diagnostics.suggest import write, written
from draftengine.model.language.builtins import BUILTINS, Aggregate, at_seat
from draftengine.model.language.parse import FormulaError, parse
from draftengine.model.language.tree import Call, Comparison, Expr, LogicalOp, Name, complement, parts, print_formula
from draftengine.model.records.reader import is_whole
from draftengine.model.records.schema_fragments import ZONE
from draftengine.model.rules import kind_named
from draftengine.model.schema.synonyms import key_meant
from draftengine.model.verbs import VERBS
from draftengine.model.verbs.give import WORDS
from draftengine.support.locale.phrases import said

if TYPE_CHECKING:
    from collections.abc import Mapping

    from draftengine.support.locale.phrases import Text

NOTHING: Mapping[str, Any] = MappingProxyType({})
MOMENTS = frozenset({"round", "game"})
"""The moments at which rules score in nearly every game."""
_OF_THE_TABLE = frozenset({"players", "seats", "round", "rounds", "turn"})
_RANKED = re.compile(r"(most|fewest)\s+(?:of\s+)?([a-z][a-z0-9_]*)")
_NAME = re.compile(r"[a-z][a-z0-9_]*")
_IN_QUOTES = re.compile(r"[,:#{}\[\]]")


def as_rule(name: str, value: Any) -> str:
    """Return the rule for `name` that an author probably meant by `value`; empty if there is none."""
    if isinstance(value, int) and not isinstance(value, bool):
        return f"{{each: {name}, points: {value}}}"
    if not isinstance(value, str):
        return ""
    if value in MOMENTS:
        return f"{{each: {name}, points: 1, at: {value}}}"
    if by_place := ranked(value):
        return f"{{{by_place}}}"
    return f"{{points: {_quoted(value)}}}" if _parsed(value) is not None else ""


def in_another_shape(path: tuple[str, ...], rule: Any) -> str:
    """Return a rule rewritten for another kind to which its points belong; empty if there is none."""
    if not isinstance(rule, dict) or rule.get("points") is None:
        return ""
    kind, points, size = kind_named(rule), rule["points"], rule.get("size")
    counted = rule.get(kind, rule.get("of", path[-1] if path[-1] != "scores" else path[-2]))
    rows = points if isinstance(points, list) else [points]
    by_place = next((key for key in ("most", "fewest") if not kind and isinstance(rule.get(key), str)), "")
    keys: dict[str, Any] = {}
    names = rule.get("kinds") if not kind else counted if kind == "collection" and points is rows else None
    if isinstance(names, list):
        kind, counted = ("each" if isinstance(points, list) else "table"), f"kinds({', '.join(map(str, names))})"
    match kind, counted:
        case "", _ if by_place:
            keys = {"majority": rule[by_place], by_place: rows}
        case "" | "each" | "set", str() if points is rows and len(rows) > 1 and all(map(is_whole, rows)):
            falls = points == sorted(points, reverse=True) and size is None
            keys = {"table": f"{counted} // {size}" if size else counted, "points": points}
            keys = {"majority": counted, "most": points} if falls else keys
        case "table", str() if is_whole(points):
            keys = {"each": counted, "points": points}
        case "set", list() if size is None and points is not rows:
            keys = {"collection": counted, "points": points}
        case "collection", str() if size is not None and points is not rows:
            keys = {"set": counted, "size": size, "points": points}
        case "majority", str() if "most" not in rule:
            keys = {"majority": counted, "most": rows, **{key: rule[key] for key in ("fewest",) if key in rule}}
    return ", ".join(f"{key}: {written(value)}" for key, value in keys.items())


def ranked(value: Any) -> str:
    """Return ``majority: soup, most: [5]`` for the text ``most soup``; empty for other values."""
    match = _RANKED.fullmatch(value) if isinstance(value, str) else None
    return f"majority: {match[2]}, {match[1]}: [5]" if match else ""


def of_key(path: tuple[str | int, ...], key: str, beside: Mapping[str, Any]) -> Text:
    """Return a hint for an unknown key that means points or a condition; empty if there is none."""
    value = beside[key]
    match path:
        case (*_, "cards", str(name)) if key_meant(key, {"scores"}) and not isinstance(value, dict):
            rule = as_rule(name, value)
            return write(f"scores: {rule}") if rule else ""
        case (*_, "cards", str(name)) if key == "points" and (rule := as_rule(name, value)):
            return said("hint.scores-by-rule", text=f"scoring: {{{name}: {rule}}}")
        case (*_, "scoring", str()) | (*_, "cards", str(), "scores"):
            return _of_rule(str(path[-1]), key, beside)
        case (*_, "on_play" | "do", int()) if key == "score" and value in MOMENTS:
            return said("hint.score-in-flow", text=f"score: {value}")
        case (*_, "as", str()) if key == "who" and isinstance(value, str) and value not in WORDS:
            return write(f"when: {f'holds({value})' if _NAME.fullmatch(value) else _quoted(value)}")
    return ""


def of_names(path: tuple[str | int, ...], text: str, beside: Mapping[str, Any] = MappingProxyType({})) -> Text:
    """Return a hint for a text where a name or a word is required; empty if there is none.

    There are hints for a condition, for a zone of another seat in a way, and for a text such as ``most soup`` that says
    who gets a marker. `beside` has all entries of the mapping with the text.
    """
    if path[-2:] == ("give", "to") and (match := _RANKED.fullmatch(text)):
        return write(f"{{{match[1]}: {match[2]}}}")
    if "." in text and re.fullmatch(ZONE, text) and (hint := _of_a_seat(path, text)):
        return hint
    expr = _parsed(text)
    if not isinstance(expr, Comparison | LogicalOp):
        return ""
    key = ""
    match path:
        case (*_, "as", str(), "of"):
            key = "when"
        case (*_, "choose" | "draw" | "move", "of") | (*_, "triggers", str(), "only"):
            key = "who"
    if isinstance(asked := beside.get(key), str):
        text = f"({asked}) and ({text})"
    return write(f"{key}: {_quoted(text)}") if key else ""


def _of_a_seat(path: tuple[str | int, ...], text: str) -> Text:
    """Return a hint for the zone of another seat, such as ``left.stash``, where none can be named."""
    seat, _, zone = text.partition(".")
    match path:
        case (*_, "as", str(), str(key)) | (*_, "as", str(), str(key), int()):
            return said("hint.way-of-a-seat", key=key)
        case (*_, "until_empty"):
            return write(f"until: {at_seat(seat, f'cards({zone})')} == 0")
        case (*_, "flip" | "roll" as verb) | (*_, "flip" | "roll" as verb, "zone"):
            return write(f"who: {seat}, {verb}: {{zone: {zone}}}")
    return said("hint.zone-of-a-seat") if any(part in VERBS for part in path) else ""


def _of_rule(name: str, key: str, rule: Mapping[str, Any]) -> Text:
    value = rule[key]
    if key == "score" and value in MOMENTS:
        return write(f"at: {value}")
    if not isinstance(value, str) or not key_meant(key, {"when"}):
        return ""
    expr = _parsed(value)
    if expr is None or not is_about_a_seat(expr):
        return ""
    return said("hint.when-of-table", text=f"{name}: {only_if(value, rule)}")


def only_if(condition: str, rule: Mapping[str, Any] = NOTHING) -> str:
    """Return a rule that scores like `rule`, but only for the seats that meet a condition."""
    points, of = rule.get("points"), rule.get("each")
    if not isinstance(points, int) or not isinstance(of, str):
        points = 3
    else:
        points = f"{points} * {of if _NAME.fullmatch(of) else f'({of})'}"
    return f"{{points: {_quoted(f'{points} if {condition} else 0')}}}"


def is_about_a_seat(expr: Expr) -> bool:
    """True if a formula reads a value of one seat, except within functions over all seats."""
    if isinstance(expr, Name):
        return expr.id not in _OF_THE_TABLE
    if isinstance(expr, Call) and isinstance(BUILTINS.get(expr.function), Aggregate):
        return False
    return any(map(is_about_a_seat, parts(expr)))


def _parsed(text: str) -> Expr | None:
    try:
        return parse(text)
    except FormulaError:
        return None


def _quoted(text: str) -> str:
    """Return a text as YAML within braces: in quotes if that is necessary."""
    return f'"{text}"' if _IN_QUOTES.search(text) else text


_COUNTED = re.compile(r"(\d+) *[x×*]? *([a-z][a-z0-9_]*)|([a-z][a-z0-9_]*) *[x×*] *(\d+)")
_CARD_NAME = re.compile(r"[a-z][a-z0-9_]*")
_FEW = 12
"""The largest number of cards that a hint writes as a list."""


INSTEAD = "hint.instead"
"""The key of the hint ``Write “{text}”.``. Its value `text` may replace the value in the file."""


def as_cards(text: str) -> Text:
    """Return a hint to write ``soup, soup`` for ``soup x2``; empty for texts of another form."""
    counted = _counted(text)
    if counted is None:
        return ""
    card, number = counted
    cards = each_card({card: number})
    return said(INSTEAD, text=cards) if cards else said("hint.as-often", card=card)


def each_card(counts: Mapping[str, int]) -> str:
    """Return the items of a list in which each card is repeated as often as its number says.

    Return an empty string if there are no cards or more than `_FEW`, or if some key is not a name.
    """
    if not all(map(_CARD_NAME.fullmatch, counts)) or not 0 < sum(counts.values()) <= _FEW:
        return ""
    return ", ".join(name for name, copies in counts.items() for _ in range(copies))


def instead_of_counts(value: object) -> Text:
    """Return a hint with the list to write for a mapping from cards to numbers; empty if there is none."""
    counts = (
        {str(card): number for card, number in value.items() if is_whole(number)} if isinstance(value, dict) else {}
    )
    cards = each_card(counts) if isinstance(value, dict) and len(counts) == len(value) else ""
    return said("hint.each-card", text=f"[{cards}]") if cards else ""


def each_by_itself(texts: list[str]) -> list[str]:
    """Return the texts, with ``soup x2`` replaced by two items ``soup``, but at most `_FEW` for one text."""
    cards = []
    for text in texts:
        card, number = _counted(text) or (text, 1)
        cards += [card] * number if number <= _FEW else [text]
    return cards


def _counted(text: str) -> tuple[str, int] | None:
    """Return the card and the number in a text such as ``soup x2``; ``None`` for other texts."""
    match = _COUNTED.fullmatch(text)
    return (match[2] or match[3], int(match[1] or match[4])) if match else None


def until_instead(condition: str) -> Text:
    """Return a hint to write the opposite condition as ``until`` for a ``while``; empty if there is none."""
    try:
        contrary = complement(parse(condition))
    except FormulaError:
        return ""
    return said("hint.until-instead", text=f"until: {print_formula(contrary)}") if contrary else ""
