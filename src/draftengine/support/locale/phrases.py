"""Phrases as data, which do not depend on a language; lists, sentences and sums in English."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from draftengine.support.locale import spoken

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from draftengine.support.locale.catalogue import Catalogue


class Phrase(Struct, frozen=True):
    """A message of the catalogue with its values.

    With the id ``and`` or ``or``, it is a list of its values. With ``decimal``, it is a number as text.
    """

    id: str
    given: tuple[tuple[str, int | str | Phrase | tuple[str | Phrase, ...]], ...] = ()
    """The value of each field: a number, a text, a phrase, or a list of texts and phrases."""

    def __str__(self) -> str:
        return self.within(spoken("en"))

    def within(self, catalogue: Catalogue) -> str:
        """Return the phrase in a language."""
        if self.id in catalogue.last:
            return str(_filled(self["items"], catalogue, self.id))
        if self.id == "decimal":
            return catalogue.decimal(str(self["number"]))
        return catalogue.phrase(self.id, **{name: _filled(value, catalogue) for name, value in self.given})

    def __getitem__(self, name: str) -> int | str | Phrase | tuple[str | Phrase, ...]:
        """Return the value of a field."""
        return dict(self.given)[name]


def _filled(value: Value, catalogue: Catalogue, last: str = "and") -> int | str:
    """Return a field's value in a language. Several values become a list with `last` before the last."""
    if isinstance(value, tuple):
        return catalogue.join_list([in_language(item, catalogue) for item in value], last)
    return value if isinstance(value, int) else in_language(value, catalogue)


Text = Phrase | str
"""A phrase, or a text that is the same in every language; an empty text stands for nothing."""
Value = int | str | Phrase | tuple[str | Phrase, ...]


class ReasonedError(Exception):
    """An error whose `reason` is available in every language. The message is the reason in English.

    `names` are the names and options that the reason is about.
    """

    def __init__(self, reason: Text, *names: str) -> None:
        super().__init__(str(reason))
        self.reason = reason
        self.names = names


def said(key: str, /, **given: Value) -> Phrase:
    """Return the phrase of the message `key`, with these values for its fields."""
    return Phrase(key, tuple(given.items()))


def decimal(number: str) -> Phrase:
    """Return a number as a phrase, which each language writes with its signs for decimals and thousands."""
    return said("decimal", number=number)


def either(items: Iterable[str | Phrase]) -> Phrase:
    """Return the phrase ``a, b or c``."""
    return said("or", items=tuple(items))


def quoted(names: Iterable[str]) -> tuple[Phrase, ...]:
    """Return each name as a phrase in quotes."""
    return tuple(said("quoted", name=name) for name in names)


def in_language(text: Phrase | str, catalogue: Catalogue) -> str:
    """Return a phrase in a language. A text is returned unchanged."""
    return text if isinstance(text, str) else text.within(catalogue)


def join_list(items: Sequence[str], last: str = "and") -> str:
    """Return a list in words: ``a``, ``a and b``, ``a, b and c``."""
    return f" {last} ".join([", ".join(items[:-1]), items[-1]] if len(items) > 1 else items)


def sentence(text: object) -> str:
    """Return a message as a sentence, such as ``The box is empty.`` for ``the box is empty``."""
    return f"{str(text)[:1].upper()}{str(text)[1:]}."


def times(count: int, points: int) -> str:
    """Return a product: ``2 x 5 = 10``; only the points if the count is 1."""
    return f"{points}" if count == 1 else f"{count} x {points} = {count * points}"


def summed(terms: Sequence[int]) -> str:
    """Return a sum: ``8 + 1``, ``8 - 1``."""
    return str(terms[0]) + "".join(f" {'-' if term < 0 else '+'} {abs(term)}" for term in terms[1:])
