"""Typical mistakes in formulas, with a message for each.

The mistakes form one table. The message comes from the first row that matches the text at the position where parsing
stopped. Tests replay the examples of every row.
"""

from __future__ import annotations

import re
from types import MappingProxyType
from typing import TYPE_CHECKING, Literal

from msgspec import Struct

from draftengine.model.diagnostics import hint_for
from draftengine.support.locale.phrases import said

if TYPE_CHECKING:
    from collections.abc import Mapping
    from collections.abc import Set as AbstractSet

    from draftengine.support.locale.phrases import Text, Value


class FormulaError(ValueError):
    """An error: a text is not a formula.

    The mistake is at ``[start, end)`` of the text. This range is empty if the mistake is at the end of the text. `say`
    is the key of the message in the catalogue. `text` says what is wrong, and `hint` says what to do.
    """

    def __init__(self, say: str, start: int, end: int, values: Mapping[str, Value], hint: Text = "") -> None:
        super().__init__(say, start, end, values, hint)
        self.text = said(f"formula-syntax.{say}", **values)
        self.hint = hint or hint_for("formula-syntax", say, values)
        self.start, self.end = start, end

    def __str__(self) -> str:
        return str(self.text)


class SyntaxMistake(Struct, frozen=True):
    """A row of the table: a mistake, and how to recognise it.

    `say` is the key of the message in the catalogue. In the message, ``{found}`` is the text that `at` matches.
    """

    say: str
    examples: tuple[str, ...]
    at: str
    """Regular expression for the text from the position where parsing stopped.

    If it has a group, the mistake is what this group matches.
    """
    before: str = ""
    """Regular expression for the end of the text before that position, without trailing spaces."""
    wants: Literal["anything", "value", "operator", "else"] = "anything"
    """The kind of token that the parser would have accepted."""


_OF_SEVERAL = ("min", "max", "kinds", "top", "over", "of", "cards", "highest", "lowest", "sum", "on_top")
"""The functions that can have several arguments."""

MISTAKES: tuple[SyntaxMistake, ...] = (
    SyntaxMistake("empty", ("", "  "), at=r"\Z", before=r"\A"),
    SyntaxMistake(
        "percentage", ("10% * soup", "soup + 5%", "max(20%, 1)"), at=r"[-+*/),]|\Z", before=r"[0-9]\s*%", wants="value"
    ),
    # Characters that no formula contains.
    SyntaxMistake(
        "text", ("'soup'", 'soup == "bread"', "“soup”", "`soup` + 1"), at="[\"'`\N{ACUTE ACCENT}\u2018-\u201f]"
    ),
    SyntaxMistake("decimal", ("1.5 * soup", "soup + .5", "2 * 0.25"), at=r"\.[0-9]+"),
    SyntaxMistake("dot", ("soup .count", "soup. count"), at=r"\."),
    SyntaxMistake("list", ("max[soup, bread]", "[1, 2]", "soup]"), at=r"[\[\]]"),
    SyntaxMistake("name-in-braces", ("{soup}", "2 * {soup} + 1"), at=r"\{\s*(\w+)\s*\}"),
    SyntaxMistake("brace", ("{soup", "soup}", "{2 * soup}"), at=r"[{}]"),
    SyntaxMistake("leading-equals", ("= 2 * soup", "== 3"), at=r"==?(?!=)", before=r"\A"),
    SyntaxMistake("reversed-comparison", ("soup =< 3", "soup => 3"), at=r"=[<>]"),
    SyntaxMistake("assignment", ("soup += 1", "soup -= 1", "soup *= 2", "soup := 3"), at=r":=|(?<=[-+*/%])="),
    SyntaxMistake("single-equals", ("players = 2", "soup = bread", "soup === 2"), at=r"=(?!=)"),
    SyntaxMistake("and-sign", ("soup > 1 && bread > 1", "a & b"), at=r"&+"),
    SyntaxMistake("or-sign", ("soup > 1 || bread > 1", "a | b"), at=r"\|+"),
    SyntaxMistake("not-sign", ("!(soup > 1)", "a and ! b", "~a"), at=r"!(?!=)|~"),
    SyntaxMistake("power-sign", ("soup ^ 2", "x^y"), at=r"\^"),
    SyntaxMistake("power", ("soup ** 2",), at=r"\*", before=r"\*"),
    SyntaxMistake("division", ("soup / 2", "soup ÷ 2", "(a + b)/2"), at=r"[/÷\u2215]"),
    SyntaxMistake("question-mark", ("soup > 1 ? 3 : 0", "soup : 3"), at=r"[?:]"),
    SyntaxMistake("comparison-sign", ("soup ≤ 3", "soup ≥ 3", "soup ≠ 3"), at=r"[≤≥≠]"),
    SyntaxMistake(
        "minus-sign", ("3 − soup", "3 – soup", "3 × soup", "3 · soup"), at=r"[\u2212\u2010-\u2015×·\u22c5\u2217]"
    ),
    SyntaxMistake(
        "character",
        ("soup; bread", "#soup", "soup$", "soup @ bread", "a \\ b", "🍲", "a\x00"),
        at=r"[^\w\s()+\-*/%<>=!,]",
    ),
    # Words and signs in the wrong place.
    SyntaxMistake("unequal", ("soup <> 2",), at=r">", before=r"<", wants="value"),
    SyntaxMistake(
        "chained",
        ("1 < soup < 5", "a == b == c", "1 < soup < 5 if a else b", "f(1 <= soup <= 5)"),
        at=r"[=!<>]=|[<>]",
        wants="operator",
    ),
    SyntaxMistake(
        "capital-word",
        ("a AND b", "a Or b", "a IF b else c", "a Not b"),
        at=r"(?!and|or|not|if|else)(?i:and|or|not|if|else)\b",
        wants="operator",
    ),
    SyntaxMistake("capital-not", ("NOT a", "a and Not b"), at=r"\w+", before=r"\b(?!not)(?i:not)", wants="operator"),
    SyntaxMistake(
        "operator-word",
        ("soup is 2", "soup in hand", "soup div 2", "soup mod 2", "a xor b"),
        at=r"(is|in|div|mod|xor)\b",
        wants="operator",
    ),
    SyntaxMistake(
        "condition-word",
        ("5 when soup > 2", "3 where soup", "3 unless soup"),
        at=r"(when|where|unless|provided)\b",
        wants="operator",
    ),
    SyntaxMistake("leading-if", ("if soup > 1 then 3 else 0", "2 + if a else b"), at=r"if\b", wants="value"),
    SyntaxMistake(
        "unit",
        ("5 points", "1 point", "6 pts", "2p", "5 cards", "5 each", "3 rounds"),
        at=r"(points?|pts?|p|cards?|each|rounds?)\s*\Z",
        before=r"\A[0-9]+",
        wants="operator",
    ),
    SyntaxMistake(
        "times-word",
        ("3 for each soup", "3 per soup", "2 x soup", "2 times soup"),
        at=r"(for each|for every|for|per|times|x)\b",
        wants="operator",
    ),
    SyntaxMistake(
        "no-else",
        ("3 if soup > 1", "(3 if soup) * 2", "3 if soup > 1, 0", "min(1 if a, 2)", "3 if soup bread", "3 if a if b"),
        at=r"\Z|[),]|\w+",
        wants="else",
    ),
    SyntaxMistake("lone-else", ("3 else 0", "(3 else 0)", "1 if a else 2 else 3"), at=r"else\b", wants="operator"),
    SyntaxMistake("not-inside", ("a == not b", "- not a", "2 + not b"), at=r"not\b", wants="value"),
    SyntaxMistake("comma", ("soup, bread", "(soup, bread)", "1 + (2, 3)"), at=r",", wants="operator"),
    SyntaxMistake("closing", ("soup)", "(soup + bread)) * 2", "max(1, 2))"), at=r"\)", wants="operator"),
    SyntaxMistake(
        "no-comma",
        ("min(soup bread)", "max(1, soup bread)", "top(2, herb card)", "min((a + b) c)"),
        at=r"\w+|\(",
        before=rf"\b({'|'.join(_OF_SEVERAL)})\s*\((?:[^()]|\([^()]*\))*(?:[^\W\d]\w*|(?<=\)))",
        wants="operator",
    ),
    SyntaxMistake(
        "no-operator",
        ("2 soup", "2soup", "soup bread", "2 (soup + bread)", "(a)(b)", "soup 2", "a not b", "a true", "1 2"),
        at=r"\w+|\(",
        wants="operator",
    ),
    SyntaxMistake(
        "unfinished",
        ("soup +", "soup and", "not", "3 if", "3 if soup else ", "max(", "max(soup,", "-", "2 * (", "soup <"),
        at=r"\Z",
        wants="value",
    ),
    SyntaxMistake(
        "no-value",
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

UNCLOSED = SyntaxMistake("unclosed", ("(soup + bread", "max(soup, bread", "2 * (a + (b - c)", "max(1, (2)"), at=r"\(")
"""The row for a parenthesis that is never closed. The message is about it, not the end of the text."""

FOREIGN: Mapping[str, str] = MappingProxyType(
    {
        **dict.fromkeys(("count", "len", "number"), "how-many"),
        **dict.fromkeys(("neighbour", "neighbor", "neighbours", "neighbors", "next", "previous"), "neighbour"),
        **{name: f"other-{name}" for name in ("floor", "if", "average", "maximum", "minimum")},
    }
)
"""Functions of other languages, each with the key of the message that names the right way to write it."""

_OTHERWISE = SyntaxMistake("otherwise", (), at=r"")


def explain(text: str, position: int, accepted: AbstractSet[str]) -> FormulaError:
    """Return the error for a text in which parsing stopped at `position`.

    `accepted` has the grammar's terminals that could follow. It is empty if the character cannot occur in formulas.
    """
    text = text.rstrip()
    position = min(position, len(text))
    wants = {"value": "NAME" in accepted, "else": "ELSE" in accepted, "operator": bool(accepted)}
    wanted = next((kind for kind, fits in wants.items() if fits), "anything")
    for row in MISTAKES:
        if (
            (row.wants in {"anything", wanted} or (row.wants == "operator" and wanted == "else"))
            and re.compile(row.at).match(text, position) is not None
            and re.search(rf"(?:{row.before})\s*\Z", text[:position]) is not None
        ):
            break
    else:
        row = _OTHERWISE
        if position == len(text):
            row, unclosed = UNCLOSED, [0]
            for offset, char in enumerate(text):
                if char == "(":
                    unclosed.append(offset)
                elif char == ")" and len(unclosed) > 1:
                    unclosed.pop()
            position = unclosed[-1]
    match = re.compile(row.at).match(text, position)
    start, end = match.span(match.lastindex or 0) if match else (position, position)
    return FormulaError(row.say, start, end, {"found": text[start:end]})
