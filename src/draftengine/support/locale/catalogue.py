"""The messages of a language, and the rules for filling them: plural forms, lists, nouns.

A *message* is a text, or several named *forms* of a text. A text has fields in braces:

- ``{points}`` is the value with this name;
- ``{points|one:point|other:points}`` chooses a form by the number, which replaces ``#`` in it. Forms have their CLDR
  names; ``other`` replaces missing ones;
- ``{of.other}`` is a form of a noun (``one``, ``other``, ``name``, or another of the language), and ``{of#size}`` the
  form that is used with a number;
- ``{^of.other}`` begins with a capital letter.

``**`` encloses bold text. ``⟦`` and ``⟧`` enclose a row of small boxes, which are separated by ``‖``: for example, the
points for one card, two cards and so on. `plain` turns both into ordinary text.
"""

from __future__ import annotations

import re
from functools import cached_property, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from msgspec import Struct
from msgspec.json import Decoder
from msgspec.structs import replace

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

Sort = Literal["card", "counter", "value", "sum", "shared", "on_card", "on_cards", "phrase", "marker", "role"]
"""The kind of thing that a noun names, which decides how sentences use the noun.

- ``card``: the cards with a name;
- ``counter``: an amount that a seat has;
- ``value``: a number set for a seat (a bid, a die);
- ``sum``: the sum of a number on a seat's cards;
- ``shared``: an amount that the table has;
- ``on_card``: an amount on the card in question, and ``on_cards`` on every card;
- ``phrase``: the result of a formula;
- ``marker``: an object that one seat holds;
- ``role``: a part that one seat plays.
"""

Message = str | dict[str, str]

_MANY, _FIRST = 8, 3

_FIELD = re.compile(r"\{(?P<up>\^?)(?P<name>\w+)(?:\.(?P<form>\w+)|#(?P<number>\w+)|\|(?P<choices>[^{}]*))?\}")
_NAME = re.compile(r"(\{\^?\w+)")
IDEOGRAPHS = "\u2e80"
"""The first character of scripts without spaces."""
_ROW = re.compile("⟦([^⟧]*)⟧")
_WORD = re.compile(r"[^\W\d_]+")
_OF_RULES = ("conditions", "effects", "formulas", "rules", "steps")
"""The subjects (files) of messages whose sentences name counters."""


class Noun(Struct, frozen=True):
    """The name of something, in the forms of one language."""

    sort: Sort
    forms: Mapping[str, str]
    """The text of each form. At least ``other``, which replaces missing forms."""

    def form(self, name: str) -> str:
        """Return one form: ``one``, ``few``, ``other``, ``name`` (for a list), ``acc`` (accusative)."""
        return self.forms.get(name) or self.forms["other"]


class Catalogue(Struct, frozen=True, dict=True):
    """A language: the settings of ``language.json``, and its messages."""

    language: str
    title: str
    """The name of the language in that language."""
    forms: tuple[str, ...]
    """The CLDR names of its plural forms for whole numbers. A label without plural forms is the first."""
    plurals: dict[str, str]
    """The CLDR rules of the plural forms except ``other``. Babel would take 15 ms to read its own."""
    comma: str
    last: dict[str, str]
    """Words before the last item of a list: ``and``, ``or``."""
    nouns: dict[str, dict[str, str]]
    """Patterns that make the forms of a noun from a label, by kind of noun (``card``, ``thing``)."""
    point: str = "."
    """The decimal sign."""
    thousands: str = ","
    """The sign between groups of three digits."""
    small: bool = False
    """True if labels begin with a small letter within a sentence."""
    suffix: str = ""
    """The ending that is removed from a label to make the ``{stem}`` in a pattern of `nouns`."""
    dice: dict[str, str] = {}
    """Words for cards, and for each the word that stands in its place in a game without cards."""
    another: dict[str, str] = {}
    """Words about the reader, and for each the word for another player in its place."""

    @cached_property
    def patterns(self) -> Mapping[str, Message]:
        """All messages by id. They are read at first use, in less than a millisecond."""
        files = sorted(Path(__file__).with_name(self.language).glob("*.json"))
        subjects = [file.read_bytes() for file in files if file.stem != "language"]
        return {key: text for subject in subjects for key, text in _decode(subject).items()}

    @cached_property
    def of_dice(self) -> Catalogue:
        """The language for a game that has dice instead of cards."""
        return self._with(self.dice)

    @cached_property
    def of_another(self) -> Catalogue:
        """The language for sentences about another player than the reader."""
        return self._with(self.another)

    def _with(self, words: Mapping[str, str]) -> Catalogue:
        """Return the language with some words, or groups of words, replaced by others."""
        longest = sorted(words, key=len, reverse=True)
        pattern = re.compile("|".join(word if word >= IDEOGRAPHS else rf"\b{word}\b" for word in longest))

        def changed(text: str) -> str:
            pieces = _NAME.split(text)  # at odd places the names of fields, which stay
            pieces[::2] = [pattern.sub(lambda match: words[match[0]], piece) for piece in pieces[::2]]
            return "".join(pieces)

        nouns = {
            sort: {form: changed(text) for form, text in patterns.items()} for sort, patterns in self.nouns.items()
        }
        catalogue = replace(self, nouns=nouns, suffix=changed(self.suffix))
        catalogue.__dict__["patterns"] = {
            key: changed(message)
            if isinstance(message, str)
            else {form: changed(text) for form, text in message.items()}
            for key, message in self.patterns.items()
        }
        return catalogue

    @cached_property
    def words(self) -> frozenset[str]:
        """The words in sentences about rules and steps, in lower case. A name that equals one gets quotes."""
        files = [Path(__file__).with_name(self.language) / f"{subject}.json" for subject in _OF_RULES]
        messages = [message for file in files for message in _decode(file.read_bytes()).values()]
        texts = [text for message in messages for text in ([message] if isinstance(message, str) else message.values())]
        return frozenset(word.lower() for text in texts for word in _WORD.findall(_FIELD.sub(" ", text)))

    @cached_property
    def plural_form(self) -> Callable[[int], str]:
        """The function from a whole number to the CLDR name of its form: ``one`` for 1 in English."""
        from babel.plural import PluralRule  # noqa: PLC0415 (many commands need none)

        return lru_cache(maxsize=1000)(PluralRule(self.plurals))

    def phrase(self, key: str, /, **given: object) -> str:
        """Return a message filled in. Raise `KeyError` if the catalogue lacks it, which tests prevent.

        If `of` is a noun, the message ``KEY.SORT`` is preferred to ``KEY``; values and shared amounts also count as
        counters. If `marker` is a role, ``KEY.role`` is preferred to all others.
        """
        text = self._message(key, given)
        assert isinstance(text, str)
        return _FIELD.sub(lambda match: self._filled(match, given), text)

    def forms_of(self, key: str, /, **given: object) -> dict[str, str]:
        """Return every form of a message, filled in; a text is the form ``other``."""
        message = self._message(key, given)
        forms = {"other": message} if isinstance(message, str) else message
        return {name: _FIELD.sub(lambda match: self._filled(match, given), text) for name, text in forms.items()}

    def _message(self, key: str, given: Mapping[str, object]) -> Message:
        noun, marker = given.get("of"), given.get("marker")
        sort = noun.sort if isinstance(noun, Noun) else ""
        keys = [f"{key}.role"] if isinstance(marker, Noun) and marker.sort == "role" else []
        amounts = {"value", "sum", "shared", "on_card", "on_cards"}
        keys += [f"{key}.{sort}", *([f"{key}.value"] if sort == "sum" else [])]
        keys += [f"{key}.counter"] if sort in amounts else []
        return (
            next((self.patterns[special] for special in keys if special in self.patterns), None) or self.patterns[key]
        )

    def _filled(self, match: re.Match[str], given: Mapping[str, object]) -> str:
        value = given[match["name"]]
        if match["choices"] is not None:
            assert isinstance(value, int)
            forms = dict(form.split(":", maxsplit=1) for form in match["choices"].split("|"))
            form = self.plural_form(value)
            text = forms.get(form, forms.get("other", "")).replace("#", signed(value))
        elif isinstance(value, Noun):
            number = given[match["number"]] if match["number"] else None
            text = value.form(self.plural_form(number) if isinstance(number, int) else match["form"] or "one")
        else:
            text = signed(value) if isinstance(value, int) else str(value)
        return text[:1].upper() + text[1:] if match["up"] else text

    def noun(self, sort: Sort, label: str, given: Mapping[str, str], *, proper: bool = False) -> Noun:
        """Return the noun for a label. `given` has its plural forms from the card set, by CLDR name.

        A `proper` name keeps its capital letter within a sentence.
        """
        spell = _common if self.small and not proper else str
        base = spell(given.get(self.forms[0], label))
        words = {form: spell(given[form]) if form in given else base for form in self.forms}
        inflected = f"{sort}.inflected" if len(given) > 1 else sort
        forms = self.nouns.get(inflected) or self.nouns["card" if sort == "card" else "thing"]
        stem = base.removesuffix(self.suffix)
        return Noun(sort, {name: text.format(stem=stem, **words) for name, text in forms.items()})

    def decimal(self, text: str) -> str:
        """Return a number as text, with a real minus sign and the signs of the language."""
        return in_print(text).translate({ord(","): self.thousands, ord("."): self.point})

    def join_list(self, items: Sequence[str], word: str = "and") -> str:
        """Return items as a list in words: ``a``, ``a and b``, ``a, b and c``."""
        return self.last[word].join([self.comma.join(items[:-1]), items[-1]] if len(items) > 1 else items)


_decode = Decoder(dict[str, Message]).decode


def signed(number: int) -> str:
    """Return a number for print, with a real minus sign."""
    return f"−{-number}" if number < 0 else str(number)


def in_print(text: str) -> str:
    """Return arithmetic with printed signs in place of typed ones: ``−3``, ``2 × 5 − 1``."""
    return _TYPED.sub(lambda match: {"-": "−", "x": "×"}[match[0]], text)


_TYPED = re.compile(r"(?<![\w.)])-(?=[\d¼-¾⅓-⅘])|(?<=\d )[x-](?= \d)")
"""A minus sign before a number, and an operator between two numbers."""


def abridged(items: Sequence[str]) -> list[str]:
    """Return a very long list without its middle items, for a line that has no room for all of them."""
    return [*items[:_FIRST], "…", items[-1]] if len(items) > _MANY else [*items]


def row(cells: Sequence[tuple[str, str]]) -> str:
    """Return a row of small boxes from pairs (counted thing, points)."""
    return f"⟦{'‖'.join(f'{head} → {value}' for head, value in cells)}⟧"


def marked_list(items: Sequence[str]) -> str:
    """Return items as a part of a sentence, marked so that `list_in` can print them as a list."""
    return f"⁅{'¦'.join(items)}⁆"


def list_in(text: str) -> tuple[str, tuple[str, ...], str]:
    """Return the text before a marked list, its items, and the sentences after it; each may be empty."""
    before, mark, rest = text.partition("⁅")
    items, _, behind = rest.partition("⁆")
    return before.rstrip(), tuple(items.split("¦")) if mark else (), behind.lstrip(".。 ")


def without_lists(text: str, join: Callable[[Sequence[str]], str]) -> str:
    """Return a text in which marked lists (see `marked_list`) are joined into the sentence by `join`."""
    return _LIST.sub(lambda match: join(match[1].split("¦")), text)


_LIST = re.compile("⁅([^⁅⁆]*)⁆")


def rows_in_words(text: str) -> str:
    """Return a sentence with rows of boxes written as text. Bold marks stay."""
    comma, stop = ("、", "。") if "：" in text or "。" in text else (", ", ".")
    return _ROW.sub(lambda match: match[1].replace("‖", comma) + stop, text)


def begun_small(text: str) -> str:
    """Return a sentence or label with a small first letter. Words in capitals are not changed."""
    return text[:1].lower() + text[1:] if text[1:2].islower() else text


def _common(label: str) -> str:
    """Return a label as it stands within a sentence. A name such as ``Apple Pie`` keeps its capitals."""
    return label if any(word[:1].isupper() for word in label.split()[1:]) else begun_small(label)


_STOP = re.compile(r"[.!?] |。")
"""The end of a sentence that another sentence follows."""


def as_clause(text: str) -> str:
    """Return a single sentence as a part of another: with a small first letter, and no full stop."""
    bare = text.rstrip(".。")
    return text if _STOP.search(bare) else f"a{bare[1:]}" if bare.startswith("A ") else begun_small(bare)


def as_note(text: str) -> str:
    """Return a sentence as a note in parentheses has it: a small first letter, no full stop, no marks."""
    return begun_small(plain(text)).rstrip(".。")


def plain(text: str) -> str:
    """Return a sentence without its marks, for screens that show only text."""
    return rows_in_words(text).replace("**", "")
