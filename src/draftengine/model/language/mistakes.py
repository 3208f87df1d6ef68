"""Typical mistakes in formulas, and the advice for each.

The mistakes are one table. The first row that fits the place where reading stopped gives the message. Tests replay the
examples of every row.
"""

from __future__ import annotations

import re
from types import MappingProxyType
from typing import TYPE_CHECKING, Literal

from msgspec import Struct

from draftengine.model.language.error import FormulaError

if TYPE_CHECKING:
    from collections.abc import Mapping
    from collections.abc import Set as AbstractSet


class SyntaxMistake(Struct, frozen=True):
    """A row of the table. In `message` and `hint`, ``{found}`` is the offending text."""

    message: str
    hint: str
    examples: tuple[str, ...]
    at: str
    """Regular expression of the text at which reading stopped."""
    before: str = ""
    """Regular expression of the text that ends there, spaces aside."""
    wants: Literal["anything", "value", "operator", "else"] = "anything"
    """The kind of token that the parser would accept there."""


_OPERATORS = "Operators are + - * // %, == != < <= > >=, and, or, not, and A if C else B."

MISTAKES: tuple[SyntaxMistake, ...] = (
    SyntaxMistake(
        "The formula is empty.",
        "Write a number, a name or a calculation such as 2 * soup.",
        ("", "  "),
        at=r"\Z",
        before=r"\A",
    ),
    SyntaxMistake(
        "Formulas have no percentages.",
        "Multiply and divide: 10 * soup // 100. (% is the rest of a division.)",
        ("10% * soup", "soup + 5%", "max(20%, 1)"),
        at=r"[-+*/),]|\Z",
        before=r"[0-9]\s*%",
        wants="value",
    ),
    # Characters that no formula has.
    SyntaxMistake(
        "Formulas have no texts.",
        "Names stand without quotes.",
        ("'soup'", 'soup == "bread"', "“soup”", "`soup` + 1"),
        at="[\"'`\N{ACUTE ACCENT}\u2018-\u201f]",
    ),
    SyntaxMistake(
        "Formulas know whole numbers only.",
        "Multiply first and divide with // afterwards: 3 * soup // 2.",
        ("1.5 * soup", "soup + .5", "2 * 0.25"),
        at=r"\.[0-9]+",
    ),
    SyntaxMistake(
        "Only what lies in a zone that counts has a name with a dot.",
        "A counter is always the one of the seat in question: write soup, not soup.count.",
        ("soup .count", "soup. count"),
        at=r"\.",
    ),
    SyntaxMistake(
        "Formulas have no lists.",
        "Functions take their arguments in round brackets: max(soup, bread).",
        ("max[soup, bread]", "[1, 2]", "soup]"),
        at=r"[\[\]]",
    ),
    SyntaxMistake(
        "In formulas names stand without braces.",
        "Write soup; only texts quote numbers in braces.",
        ("{soup}", "2 * {soup}", "soup}"),
        at=r"[{}]",
    ),
    SyntaxMistake(
        "A formula does not begin with =.",
        "Leave it out.",
        ("= 2 * soup", "== 3"),
        at=r"==?(?!=)",
        before=r"\A",
    ),
    SyntaxMistake(
        "“{found}” is no comparison.",
        "Write <= or >=.",
        ("soup =< 3", "soup => 3"),
        at=r"=[<>]",
    ),
    SyntaxMistake(
        "Formulas change nothing.",
        "A formula only says a value; what it is added to is said by the rule.",
        ("soup += 1", "soup -= 1", "soup *= 2", "soup := 3"),
        at=r":=|(?<=[-+*/%])=",
    ),
    SyntaxMistake(
        "A single = compares nothing.",
        "Write == to ask whether two values are equal.",
        ("players = 2", "soup = bread", "soup === 2"),
        at=r"=(?!=)",
    ),
    SyntaxMistake("“{found}” is no operator.", "Write and.", ("soup > 1 && bread > 1", "a & b"), at=r"&+"),
    SyntaxMistake("“{found}” is no operator.", "Write or.", ("soup > 1 || bread > 1", "a | b"), at=r"\|+"),
    SyntaxMistake("“{found}” is no operator.", "Write not.", ("!(soup > 1)", "a and ! b", "~a"), at=r"!(?!=)|~"),
    SyntaxMistake("There is no power operator.", "Multiply: soup * soup.", ("soup ^ 2", "x^y"), at=r"\^"),
    SyntaxMistake("There is no power operator.", "Multiply: soup * soup.", ("soup ** 2",), at=r"\*", before=r"\*"),
    SyntaxMistake(
        "“{found}” would not give a whole number.",
        "Write //, which rounds down.",
        ("soup / 2", "soup ÷ 2", "(a + b)/2"),
        at=r"[/÷\u2215]",
    ),
    SyntaxMistake(
        "“{found}” is no choice.",
        "Write A if C else B.",
        ("soup > 1 ? 3 : 0", "soup : 3"),
        at=r"[?:]",
    ),
    SyntaxMistake(
        "“{found}” can't be read.",
        "Write <=, >= or !=.",
        ("soup ≤ 3", "soup ≥ 3", "soup ≠ 3"),
        at=r"[≤≥≠]",
    ),
    SyntaxMistake(
        "“{found}” can't be read.",
        "Write - for minus and * for times.",
        ("3 − soup", "3 – soup", "3 × soup", "3 · soup"),
        at=r"[\u2212\u2010-\u2015×·\u22c5\u2217]",
    ),
    SyntaxMistake(
        "“{found}” has no meaning in formulas.",
        _OPERATORS,
        ("soup; bread", "#soup", "soup$", "soup @ bread", "a \\ b", "🍲", "a\x00"),
        at=r"[^\w\s()+\-*/%<>=!,]",
    ),
    # Words and signs in the wrong place.
    SyntaxMistake(
        "“{found}” is no operator.",
        "Write != for unequal.",
        ("soup <> 2",),
        at=r">",
        before=r"<",
        wants="value",
    ),
    SyntaxMistake(
        "Comparisons can't be chained.",
        "Join two with and: 1 < soup and soup < 5.",
        ("1 < soup < 5", "a == b == c", "1 < soup < 5 if a else b", "f(1 <= soup <= 5)"),
        at=r"[=!<>]=|[<>]",
        wants="operator",
    ),
    SyntaxMistake(
        "“{found}” is written in small letters.",
        "Write and, or, not, if, else.",
        ("a AND b", "a Or b", "a IF b else c", "a Not b"),
        at=r"(?!and|or|not|if|else)(?i:and|or|not|if|else)\b",
        wants="operator",
    ),
    SyntaxMistake(
        "not is written in small letters.",
        "Write not before “{found}”.",
        ("NOT a", "a and Not b"),
        at=r"\w+",
        before=r"\b(?!not)(?i:not)",
        wants="operator",
    ),
    SyntaxMistake(
        "“{found}” is no operator.",
        _OPERATORS,
        ("soup is 2", "soup in hand", "soup div 2", "soup mod 2", "a xor b"),
        at=r"(is|in|div|mod|xor)\b",
        wants="operator",
    ),
    SyntaxMistake(
        "A choice starts with the value, not with if.",
        "Write A if C else B.",
        ("if soup > 1 then 3 else 0", "2 + if a else b"),
        at=r"if\b",
        wants="value",
    ),
    SyntaxMistake(
        "A number has no unit.",
        "Write the number alone.",
        ("5 points", "1 point", "6 pts", "2p", "5 cards", "5 each", "3 rounds"),
        at=r"(points?|pts?|p|cards?|each|rounds?)\s*\Z",
        before=r"\A[0-9]+",
        wants="operator",
    ),
    SyntaxMistake(
        "“{found}” is no operator.",
        "Write * to multiply: 3 * soup.",
        ("3 for each soup", "3 per soup", "2 x soup", "2 times soup"),
        at=r"(for each|for every|for|per|times|x)\b",
        wants="operator",
    ),
    SyntaxMistake(
        "The else of a choice is missing.",
        "Write A if C else B; 0 is a fine B.",
        ("3 if soup > 1", "(3 if soup) * 2", "3 if soup > 1, 0", "min(1 if a, 2)", "3 if soup bread", "3 if a if b"),
        at=r"\Z|[),]|\w+",
        wants="else",
    ),
    SyntaxMistake(
        "This else has no if.",
        "Write A if C else B.",
        ("3 else 0", "(3 else 0)", "1 if a else 2 else 3"),
        at=r"else\b",
        wants="operator",
    ),
    SyntaxMistake(
        "not needs parentheses here.",
        "Write (not x) behind another operator.",
        ("a == not b", "- not a", "2 + not b"),
        at=r"not\b",
        wants="value",
    ),
    SyntaxMistake(
        "There is no comma outside a function's arguments.",
        "Functions take their arguments in parentheses: max(soup, bread).",
        ("soup, bread", "(soup, bread)", "1 + (2, 3)"),
        at=r",",
        wants="operator",
    ),
    SyntaxMistake(
        "This parenthesis closes nothing.",
        "Remove it, or open one before.",
        ("soup)", "(soup + bread)) * 2", "max(1, 2))"),
        at=r"\)",
        wants="operator",
    ),
    SyntaxMistake(
        "An operator is missing before “{found}”.",
        "Write “*” to multiply, “and” or “or” to join conditions.",
        ("2 soup", "2soup", "soup bread", "2 (soup + bread)", "(a)(b)", "soup 2", "a not b", "a true", "1 2"),
        at=r"\w+|\(",
        wants="operator",
    ),
    SyntaxMistake(
        "The formula ends where a value should follow.",
        "Finish it, or remove the last operator.",
        ("soup +", "soup and", "not", "3 if", "3 if soup else ", "max(", "max(soup,", "-", "2 * (", "soup <"),
        at=r"\Z",
        wants="value",
    ),
    SyntaxMistake(
        "A value is missing before “{found}”.",
        _OPERATORS,
        (
            "()",
            "soup + * 2",
            "max(, 1)",
            "max(1, )",
            "+ soup",
            "soup++",
            "and b",
            "else",
            "a and or b",
            "* 2",
            "a < < b",
        ),
        at=r"\w+|//|[=!<>]=|[-+*/%<>),]",
        wants="value",
    ),
)

UNCLOSED = SyntaxMistake(
    "This parenthesis is never closed.",
    "Add a ) where the inner part ends.",
    ("(soup + bread", "max(soup, bread", "2 * (a + (b - c)", "max(1, (2)"),
    at=r"\(",
)
"""Row for an open parenthesis: reading stops at the end, but the message is placed at the parenthesis."""

_OF_EACH = "A name is already how many there are: write soup."
_OF_NEIGHBOURS = "Write left(soup) or right(soup) for what a neighbour has."
NO_FUNCTIONS: Mapping[str, str] = MappingProxyType(
    {
        "count": _OF_EACH,
        "len": _OF_EACH,
        "number": _OF_EACH,
        "floor": "Division by // rounds down by itself.",
        "if": "Write A if C else B, for example 5 if soup > 0 else 0.",
        "neighbour": _OF_NEIGHBOURS,
        "neighbor": _OF_NEIGHBOURS,
        "neighbours": _OF_NEIGHBOURS,
        "neighbors": _OF_NEIGHBOURS,
        "next": _OF_NEIGHBOURS,
        "previous": _OF_NEIGHBOURS,
        "average": "Formulas know whole numbers only: total(x) // seats.",
        "maximum": "Did you mean “max”?",
        "minimum": "Did you mean “min”?",
    }
)
"""Functions of other programs, with what to write here."""
OF_SEATS: Mapping[str, str] = MappingProxyType(
    {
        "max": "Write most(x) for the most that any seat has of x, or max(a, b, …).",
        "min": "Write fewest(x) for the least that any seat has of x, or min(a, b, …).",
    }
)
"""Functions of several values that, with a single one, were meant for all seats."""
NO_ZONES: Mapping[str, str] = MappingProxyType(
    {"sum": "Write + between what you add; total(x) adds up x over all seats."},
)
"""Functions of a zone that mean something else in other programs, with what to write for that."""

_OTHERWISE = SyntaxMistake("The formula can't be understood from here on.", _OPERATORS, (), at=r"")


def explain(text: str, position: int, accepted: AbstractSet[str]) -> FormulaError:
    """Return the error for a text whose reading stopped at `position`.

    `accepted` has the terminals that could follow; it is empty if no formula has the character there.
    """
    text = text.rstrip()
    position = min(position, len(text))
    wants = _wanted(accepted)
    row = next((row for row in MISTAKES if _fits(row, text, position, wants)), None)
    if row is None and position == len(text):
        row, position = UNCLOSED, _last_open(text)
    row = row or _OTHERWISE
    match = re.compile(row.at).match(text, position)
    end = match.end() if match else position
    values = {"found": text[position:end]}
    return FormulaError(row.message.format_map(values), row.hint.format_map(values), position, end)


def _wanted(accepted: AbstractSet[str]) -> str:
    if not accepted:
        return "anything"
    if "NAME" in accepted:
        return "value"
    return "else" if "ELSE" in accepted else "operator"


def _fits(row: SyntaxMistake, text: str, position: int, wants: str) -> bool:
    return (
        (row.wants in {"anything", wants} or (row.wants == "operator" and wants == "else"))
        and re.compile(row.at).match(text, position) is not None
        and re.search(rf"(?:{row.before})\s*\Z", text[:position]) is not None
    )


def _last_open(text: str) -> int:
    """Return the offset of the innermost unclosed parenthesis; 0 if there is none."""
    open_: list[int] = []
    for offset, char in enumerate(text):
        if char == "(":
            open_.append(offset)
        elif char == ")" and open_:
            open_.pop()
    return open_[-1] if open_ else 0
