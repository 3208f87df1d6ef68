"""What a language is to the sentence generator: its plural forms, its lists, and its patterns.

A pattern holds fields in braces:

- ``{points}`` is what was given under that name;
- ``{points|point|points}`` chooses by the number given: one form for each plural form of the language, in which
  ``#`` is the number;
- ``{of.many}`` is a form of a noun (``one``, ``many``, ``name``; whatever forms the language has), ``{of#size}`` the form
  that goes with a number;
- ``{^of.many}`` begins with a capital letter.

``**`` stands around what is printed bold. A row of small boxes, such as the points by number, stands between ``⟦`` and
``⟧``, its boxes divided by ``‖``; `plain` makes ordinary text of both.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Literal

from msgspec import Struct

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

Sort = Literal["card", "counter", "value", "shared", "phrase"]
"""What a noun stands for: cards of a name, how much of something a seat has, a number that is set for a seat (a bid, a
die), how much of something the table has, or something that a formula works out."""

Forms = tuple[tuple[str, str], ...]
"""Forms of a label as pairs (CLDR name of the plural form, text)."""

_MANY, _FIRST = 8, 3

_FIELD = re.compile(r"\{(?P<up>\^?)(?P<name>\w+)(?:\.(?P<form>\w+)|#(?P<number>\w+)|\|(?P<choices>[^{}]*))?\}")
_ROW = re.compile("⟦([^⟧]*)⟧")


class Noun(Struct, frozen=True):
    """What something is called, in the forms of one language."""

    sort: Sort
    forms: Mapping[str, str]
    """At least ``one``, ``many`` and ``name`` (as it stands in a list)."""


class Catalogue(Struct, frozen=True):
    """A language."""

    language: str
    title: str
    """What its speakers call it."""
    plurals: tuple[str, ...]
    """Its plural forms, in the order in which patterns give them."""
    plural: Callable[[int], int]
    """The place of the form that goes with a number."""
    noun: Callable[[Sort, str, Mapping[str, str]], Noun]
    """The noun of a sort, with a label, and with the plural forms that the card set gives."""
    comma: str
    last: Mapping[str, str]
    """What stands before the last of several: ``and``, ``or``."""
    patterns: Mapping[str, str]

    def phrase(self, key: str, /, **given: object) -> str:
        """A pattern filled in. With a noun `of`, the pattern ``KEY.SORT`` goes before ``KEY``; values and what is shared are counters, too.

        Raises `KeyError` for a pattern that the catalogue lacks, which tests see to.
        """
        noun = given.get("of")
        sort = noun.sort if isinstance(noun, Noun) else ""
        keys = [f"{key}.{sort}", *([f"{key}.counter"] if sort in {"value", "shared"} else []), key]
        pattern = next((self.patterns[candidate] for candidate in keys if candidate in self.patterns), None)
        if pattern is None:
            raise KeyError(key)
        return _FIELD.sub(lambda match: self._filled(match, given), pattern)

    def _filled(self, match: re.Match[str], given: Mapping[str, object]) -> str:
        value = given[match["name"]]
        if match["choices"] is not None:
            assert isinstance(value, int)
            text = match["choices"].split("|")[self.plural(value)].replace("#", signed(value))
        elif isinstance(value, Noun):
            number = given[match["number"]] if match["number"] else None
            form = self.plurals[self.plural(number)] if isinstance(number, int) else match["form"] or "one"
            text = value.forms.get(form) or value.forms["many"]
        else:
            text = signed(value) if isinstance(value, int) else str(value)
        return text[:1].upper() + text[1:] if match["up"] else text

    def join_list(self, items: Sequence[str], word: str = "and") -> str:
        """``a``, ``a and b``, ``a, b and c``."""
        return self.last[word].join([self.comma.join(items[:-1]), items[-1]] if len(items) > 1 else items)


def signed(number: int) -> str:
    """A number in print, with a real minus sign."""
    return f"−{-number}" if number < 0 else str(number)


def in_print(text: str) -> str:
    """Arithmetic with the signs of print in place of those of a keyboard: ``−3``, ``2 × 5 − 1``."""
    return _TYPED.sub(lambda match: {"-": "−", "x": "×"}[match[0]], text)


_TYPED = re.compile(r"(?<![\w.)])-(?=\d)|(?<=\d )[x-](?= \d)")
"""A minus sign before a number, and what stands between two numbers."""


def abridged(items: Sequence[str]) -> list[str]:
    """The first and the last of very many, for a line in which there is no room for all."""
    return [*items[:_FIRST], "…", items[-1]] if len(items) > _MANY else [*items]


def row(cells: Sequence[tuple[str, str]]) -> str:
    """A row of small boxes: what is counted, and what it gives."""
    return f"⟦{'‖'.join(f'{head} → {value}' for head, value in cells)}⟧"


def marked_list(items: Sequence[str]) -> str:
    """Things of which one is taken, in the middle of a sentence that is set as a list (see `list_in`)."""
    return f"⁅{'¦'.join(items)}⁆"


def list_in(text: str) -> tuple[str, tuple[str, ...], str]:
    """What stands before a marked list, what is in it, and the sentences behind it; there may be none."""
    before, mark, rest = text.partition("⁅")
    items, _, behind = rest.partition("⁆")
    return before.rstrip(), tuple(items.split("¦")) if mark else (), behind.lstrip(".。 ")


def without_lists(text: str, join: Callable[[Sequence[str]], str]) -> str:
    """Return a text whose marked lists (see `marked_list`) stand within the sentence, joined by `join`."""
    return _LIST.sub(lambda match: join(match[1].split("¦")), text)


_LIST = re.compile("⁅([^⁅⁆]*)⁆")


def rows_in_words(text: str) -> str:
    """A sentence whose rows of boxes are set as text; what is bold stays marked."""
    return _ROW.sub(lambda match: match[1].replace("‖", ", ") + ".", text)


def begun_small(text: str) -> str:
    """A sentence or a label in the middle of a sentence; what is written in capitals stays so."""
    return text[:1].lower() + text[1:] if text[1:2].islower() else text


def plain(text: str) -> str:
    """A sentence without its marks, for screens that show text alone."""
    return rows_in_words(text).replace("**", "")
