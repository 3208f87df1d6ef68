"""Nouns for the things that formulas count, and persons for the seats that formulas are about.

The noun for a sum over several cards comes from the part of the formula that is equal for all of them.
"""

from __future__ import annotations

from abc import abstractmethod
from functools import partial
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from draftengine.api.phrasing.vocabulary import Vocabulary
from draftengine.model.cardset.facts import constant_facts
from draftengine.model.cardset.pieces import card_in
from draftengine.model.cardset.records import forms_in
from draftengine.model.language.builtins import HAS, LYING
from draftengine.model.language.evaluate import constant_value, references
from draftengine.model.language.macros import NAMED, PLAYERS, TRACK, copies_of_card
from draftengine.model.language.tree import (
    Binary,
    Call,
    Comparison,
    Conditional,
    LogicalOp,
    Name,
    Number,
    Unary,
    parts,
    with_parts,
)
from draftengine.model.rules.majority import in_units
from draftengine.support.locale.catalogue import Noun, begun_small, signed

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence

    from draftengine.model.cardset.records import CardSet
    from draftengine.model.language.tree import Expr
    from draftengine.model.records.reader import Formula
    from draftengine.support.locale.catalogue import Sort

THIS = "*this."
"""The prefix of a name in place of ``its.``, in a formula that is evaluated for each card of a zone."""
OF_ITS = "*of."
"""A prefix of a family's name.

With it, the name means the cards in the same member of the family (such as a suit) as the card in question.
"""
EACH = "each."
"""A name in place of a card's id, in a formula that holds for each of several cards."""
IS_OF_EACH = f"{LYING}{EACH}"
"""A name for the value of a card in a zone that is 1 if the card is of the kind `EACH`, otherwise 0."""


def factors(values: Sequence[Expr]) -> dict[str, int] | None:
    """Return the factor of each name in a sum such as ``2 * a + b``; ``None`` for any other formula.

    `values` are the terms of the sum.
    """
    multiples = {}
    for value in values:
        match value:
            case Name(name):
                multiples[name] = 1
            case Binary("*", Name(name), Number(factor)) | Binary("*", Number(factor), Name(name)):
                multiples[name] = factor
            case _:
                return None
    return multiples


def alike(values: Sequence[Expr]) -> tuple[Expr, list[str]] | None:
    """Return a formula with `EACH` for the one card in which `values` differ, and the card of each value.

    Returns ``None`` if the values differ in anything else, or if they are single names.
    """
    if len(values) <= 1:
        return None
    names = [sorted({name for kind, name in references(value) if kind == "name"}) for value in values]
    common = set.intersection(*map(set, names))
    apart = [[name for name in group if name not in common] for group in names]
    if any(len(rest) != 1 for rest in apart):
        return None
    asked = [rest[0] for rest in apart]
    renamed = [_renamed(value, partial(_exchanged, card)) for value, card in zip(values, asked, strict=True)]
    cards = [name.removeprefix(HAS).removeprefix(LYING) for name in asked]
    plain = isinstance(values[0], Name)
    return (renamed[0], cards) if all(expr == renamed[0] for expr in renamed) and not plain else None


def _exchanged(card: str, name: str) -> str:
    if name != card:
        return name
    return IS_OF_EACH if name.startswith(LYING) else EACH


def of_this(expr: Expr) -> Expr:
    """Return a formula about each card of a zone, with the prefix `THIS` in place of ``its.``."""
    return _renamed(expr, lambda name: f"{THIS}{name.removeprefix('its.')}" if name.startswith("its.") else name)


def by_member(values: Sequence[Expr]) -> dict[str, Expr] | None:
    """Return the factors ``x`` of values such as ``x * its.soup``, by card or family (here ``soup``).

    Returns ``None`` if any value has another form.
    """
    exprs = {}
    for value in values:
        match value:
            case Binary("*", asked, Name(its)) if its.startswith("its."):
                exprs[its.removeprefix("its.")] = asked
            case Binary("*", Name(its), asked) if its.startswith("its."):
                exprs[its.removeprefix("its.")] = asked
            case _:
                return None
    return exprs


def of_its(exprs: Mapping[str, Expr], family: str) -> Expr | None:
    """Return the common formula of a family's members, with `OF_ITS` and the family for the member.

    `exprs` has the formula of each member. Returns ``None`` if the formulas differ in more than the member.
    """
    renamed = [_renamed(expr, partial(_in_place_of, member, family)) for member, expr in exprs.items()]
    return renamed[0] if all(expr == renamed[0] for expr in renamed) else None


def _in_place_of(member: str, family: str, name: str) -> str:
    zone, dot, rest = name.rpartition(".")
    return f"{zone}{dot}{OF_ITS}{family}" if rest == member else name


def renamed(expr: Expr, names: Mapping[str, str]) -> Expr:
    """Return the formula with some names replaced by others."""
    return _renamed(expr, lambda name: names.get(name, name))


def _renamed(expr: Expr, name_for: Callable[[str], str]) -> Expr:
    """Return the formula with each name replaced by `name_for` of it."""
    if isinstance(expr, Name):
        return Name(name_for(expr.id))
    return with_parts(expr, [_renamed(part, name_for) for part in parts(expr)])


TWICE = 2
NUMBERS = {"==": "exactly", ">=": "at_least", "<=": "at_most"}
OF_OTHERS = frozenset({"left", "right", "of", "my"})
AT_SEATS = frozenset({"seats_with", "others_with"})
OVER_SEATS = frozenset({"most", "fewest", "total", "others_most", "others_fewest", "others_total"})


class Person(Struct, frozen=True):
    """A player other than “you”, several players, a card or the table, in a clause about a formula."""

    who: str
    """The person as the subject: “your left neighbour”."""
    whose: str
    """The person as the owner of something: “of your left neighbour”."""
    behind: str = ""
    """Words after the verb, in languages that need them."""
    persons: int = 1
    """The number of persons, which selects singular or plural."""


_OF_FORM = {"card": "expr.of_its_name", "family": "expr.of_its_family"}
"""For each name that only the condition of a wild card can use, the catalogue's pattern for a noun.

The noun means cards that are like the form in which the wild card would be played. In ways and choices, ``card`` means
cards like the one that is chosen.
"""


class NounPhraser(Vocabulary):
    """Finds nouns and persons for formulas. `counts` are the numbers of players that sentences hold for."""

    parameters: frozenset[str] = frozenset()
    """The parameters of the definition that is being explained."""

    def __init__(self, model: CardSet, language: str = "en", counts: Sequence[int] = ()) -> None:
        super().__init__(model, language)
        self.counts = tuple(counts) or tuple(range(model.min_players, model.max_players + 1))

    @property
    def rounds(self) -> int:
        """The number of rounds; 0 if it is uncertain, or differs between the numbers of players."""
        numbers = {self.model.rounds_with(players) for players in self.counts}
        return self.model.last_round and (numbers.pop() if len(numbers) == 1 else 0)

    def constant(self, expr: Expr) -> int | None:
        """Return the value of a formula if it is equal for all numbers in `counts`, otherwise ``None``."""
        return self.value_of(expr)

    def at(self, expr: Expr, players: int, **local: int) -> int | None:
        """Return the value of a formula if it is constant with this number of players, otherwise ``None``."""
        return constant_value(expr, constant_facts(self.model, players, **local))

    def value_of(self, expr: Expr, **local: int) -> int | None:
        common: int | None = None
        for count in self.counts:  # most formulas are not constant even with the first number of players
            value = self.at(expr, count, **local)
            if value is None or common not in {None, value}:
                return None
            common = value
        return None if common is None else int(common)

    def settled(self, expr: Expr) -> Expr:
        """Return the formula with constants for the parts that have one value for all numbers in `counts`."""
        value = self.constant(expr)
        if value is not None:
            return Number(value)
        if isinstance(expr, Conditional) and (holds := self.constant(expr.condition)) is not None:
            return self.settled(expr.then if holds else expr.otherwise)
        return with_parts(expr, [self.settled(part) for part in parts(expr)])

    @abstractmethod
    def condition(self, expr: Expr, person: Person | None = None) -> str:
        """Return a condition as a clause for the middle of a sentence, about `person` or “you”."""

    @abstractmethod
    def amount(self, expr: Expr, person: Person | None = None) -> str:
        """Return the value of a formula as a phrase within a sentence."""

    # ── What is counted ───────────────────────────────────────────────────────────────────────────────────────────────

    def noun(self, formula: Formula) -> Noun:
        """Return the noun for the things that a formula of the card set counts."""
        return self.noun_of(formula.expr)

    def measure(self, formula: Formula) -> tuple[Noun, int]:
        """Return the noun for the things that a ranking compares, and the number of units that each counts.

        In ``2 * soup - thin@soup`` soup counts two units, and thin soup counts one. The number is then 2.
        """
        match formula.expr:
            case Binary("-", Binary("*", Number(unit), whole), part) if unit > 1 and self._is_part(part, whole):
                share = in_units(unit - 1, unit)
                family = self.family_of(names_in(part)) if isinstance(part, Call) else None
                key = "measure.kinds" if is_kinds(part) else "measure.part"
                note = self.phrase(key, of=family or self.noun_of(part), share=share)
                noun = self.noun_of(whole)
                return replace(noun, forms={form: self.joined([text, note]) for form, text in noun.forms.items()}), unit
        return self.noun(formula), 1

    def ahead_on(self, formula: Formula) -> str:
        """Return who is ahead on a space of a track: ``first`` or ``last``, in the order of arrival.

        It is empty for a formula that is not the value of a track.
        """
        named = formula.expr.id if isinstance(formula.expr, Name) else ""
        return next((counter.track or "" for counter in self.model.counters if counter.id == named), "")

    def _is_part(self, part: Expr, whole: Expr) -> bool:
        """True if everything that `part` counts is also counted by `whole`."""
        match part, whole:
            case Name(), Name():
                card = part.id.partition("@")[2] or part.id
                return card == whole.id or card in self._members.get(whole.id, ())
            case Call("kinds", some), Call("kinds", others):
                return len(some) == len(others) and all(map(self._is_part, some, others))
        return False

    def noun_of(self, expr: Expr) -> Noun:
        """Return the noun for the things that a parsed formula counts."""
        expr = self.alone(expr)
        if isinstance(expr, Name) and expr.id in self.parameters:
            return as_noun(self.phrase("defined", name=expr.id), "phrase")
        if isinstance(expr, Name):
            return self.named(expr.id)
        if is_kinds(expr) and isinstance(expr, Call):
            family = self.family_of(names_in(expr))
            forms = (
                self.catalogue.forms_of("expr.kinds_family", of=family)
                if family is not None
                else self.catalogue.forms_of("expr.kinds_noun", names=self.names_of(expr))
            )
            return Noun("counter", forms)
        match expr:
            case Call("cards", (Name(zone),)):
                key = self.zone_key("expr.cards_noun", zone)
                return Noun("card", self.catalogue.forms_of(key, zone=self.zone(zone)))
            case Call("cards", (Name(zone), Name() as what)) if what.id.startswith(HAS):
                return self._there(self.named(what.id), zone)
        return self.over_cards(expr) or as_noun(self.amount(expr), "phrase")

    def _there(self, noun: Noun, zone: str) -> Noun:
        """Return a noun for the things that `noun` means, but only those in a zone."""
        there = {key: self.phrase("expr.there", text=text, zone=self.zone(zone)) for key, text in noun.forms.items()}
        return replace(noun, forms=there)

    def over_cards(self, expr: Expr) -> Noun | None:
        """Return the noun for a sum over cards (a family, a printed number or kinds of cards), or ``None``."""
        match expr:
            case Call("top", (whole, *values)) if 1 < len(values) <= (self.constant(whole) or 0):
                names = {value.id for value in values if isinstance(value, Name)}
                family = self.family_of(names) if len(names) == len(values) else None
                if (noun := family or self._printed(values)) is not None:
                    return noun
                text, cards = alike(values) or (None, [])
                match text:
                    case Conditional(Number(1), Comparison(op, Name(name), Number(count)), Number(0)) if name == EACH:
                        if op in {">", "<"}:
                            op, count = f"{op}=", count + (1 if op == ">" else -1)  # type: ignore[assignment]
                        key = NUMBERS.get(op)
                        of = self._these(cards)
                        if count == 0 and op in {"==", "<="}:
                            return as_noun(self.phrase("expr.kinds_none", of=of), "phrase")
                        return as_noun(self.phrase(f"expr.kinds_{key}", of=of, count=count), "counter") if key else None
                return None
        return None

    def by_card(self, formula: Formula) -> dict[str, int]:
        """Return the amount that each card adds to the value, also for sums of numbers printed on cards."""
        match formula.expr:
            case Call("top", (whole, *values)) if 1 < len(values) <= (self.constant(whole) or 0):
                return (factors(values) or {}) if self._printed(values) else {}
        return super().by_card(formula)

    def _printed(self, values: Sequence[Expr]) -> Noun | None:
        """Return the noun for a sum of numbers that are printed on cards; ``None`` for other sums."""
        numbers = factors(values) or {}
        cards = [dict(card.has) for card in self.model.cards if card.id in numbers]
        wanted = [numbers[card.id] for card in self.model.cards if card.id in numbers]
        for name in {name: None for has in cards for name in has}:
            if [has.get(name, 0) for has in cards] == wanted:
                of = self._these(numbers)
                # Only a number with a plural counts something: “3 stars”, but “the sum of the costs is 3”.
                label = next((value.label for value in self.model.values if value.id == name), ())
                things = forms_in(label) or forms_in(label, self.language)
                number = begun_small(forms_in(label, self.language).get("other", "")) or self.value_name(name)
                forms = self.catalogue.forms_of(
                    "expr.printed" if things else "expr.printed.value", number=number, of=of
                )
                return Noun("counter" if things else "sum", forms)
        return None

    def _these(self, cards: Collection[str]) -> Noun:
        """Return the noun for some cards: their family if they form one, otherwise their names."""
        names = self.join_list([self.card_noun(card).form("name") for card in cards])
        return self.family_of(cards) or as_noun(names, "phrase")

    def alone(self, expr: Expr) -> Expr:  # noqa: PLR0911 (one for each kind)
        """Return a simpler formula for the same sentence, or the formula itself if there is none.

        Simpler formulas exist for ``1 * x``, a sum of one value, and a sum that only reads the family of a card. From
        the value of a track, the order of arrival is removed. A choice between the meanings of a name becomes a formula
        about that name.
        """
        if expr == copies_of_card([zone.id for zone in self.model.zones if zone.counts]):
            return Name("card")
        match expr:
            case Binary("+", Binary("*", Name() as value, Number()), arrival) if any(
                name.startswith(TRACK) for _, name in references(arrival)
            ):
                return value
            case Conditional(then, Comparison("==", Name(counter), Number(1))) if counter.startswith(NAMED):
                name = counter.removeprefix(NAMED)
                if self.given[name] in PLAYERS:
                    inner = then.arguments[0] if isinstance(then, Call) and self.given[name] == PLAYERS[0] else then
                    match then:
                        case Call("right", (Call("left", (asked,)),)):  # so that `my` asks the seat itself
                            inner = asked
                    return Call("of", (Name(name), inner))
                return renamed(then, {f"{self.given[name]}_1": name})
            case Binary("*", Number(1), only) | Binary("*", only, Number(1)):
                return self.alone(only)
            case Call("top", (count, only)) if (self.constant(count) or 0) > 0:
                return self.alone(only)
            case Call("top", (count, *values)) if len(values) <= (self.constant(count) or 0):
                exprs = by_member(values)  # a formula that all members of a family share, times their values
                family = (
                    next((candidate for candidate in self._members if self._consists_of(candidate) == set(exprs)), None)
                    if exprs
                    else None
                )
                return (of_its(exprs, family) if exprs and family else None) or expr
        return expr

    def _consists_of(self, family: str) -> set[str]:
        """Return the members of a family: its sub-families, and its cards that are in none of them."""
        below = {member.id for member in self.model.families if family in member.family}
        cards = {card.id for card in self.model.cards if family in card.family and below.isdisjoint(card.family)}
        return below | cards

    def named(self, name: str) -> Noun:  # noqa: PLR0911 (one for each kind of name)
        if card_in(name) in self._cards:
            return self.card_noun(name)
        if name in self._members:
            return self.family(name)
        if name == "points":
            return Noun("counter", self.catalogue.forms_of("expr.points"))
        if name.startswith(HAS):
            what = name.removeprefix(HAS)
            is_kind = what in self._cards or what in self._members or what.startswith(OF_ITS)
            return self.named(what) if is_kind else as_noun(self.value_name(what), "phrase")
        if name.startswith(OF_ITS):
            family = name.removeprefix(OF_ITS)
            of = self._noun("card", self._families.get(family, ()), family)
            members = self._consists_of(family)
            key = "expr.of_its_name" if members and members <= {*self._cards} else "expr.of_its"
            return Noun("card", self.catalogue.forms_of(key, of=of))
        if name in _OF_FORM:
            return Noun("card", self.catalogue.forms_of(_OF_FORM[name]))
        if name in {EACH, IS_OF_EACH}:
            return as_noun(self.phrase("expr.each_number"), "phrase")
        if name.startswith(("its.", LYING, THIS)):
            key = "expr.this" if name.startswith(THIS) else "expr.lying_its" if name.startswith(LYING) else "expr.its"
            return as_noun(self.phrase(key, name=self.value_name(name.partition(".")[2])), "phrase")
        zone, dot, rest = name.partition(".")
        if dot:
            return self._there(self.named(rest), zone)
        return self.counter(name)

    def sort_asked(self, name: str) -> str | None:
        """Return ``soup`` for a name such as ``its.soup`` if that is a card or family; otherwise ``None``.

        The value of such a name is 1 for cards of that kind, and 0 for others.
        """
        sort = name.partition(".")[2] if name.startswith(("its.", LYING)) else ""
        return sort if sort in self._cards or sort in self._members else None

    def names_of(self, expr: Expr) -> str:
        assert isinstance(expr, Call)
        return self.join_list([self.noun_of(argument).form("name") for argument in expr.arguments])

    # ── Who it is asked of ────────────────────────────────────────────────────────────────────────────────────────────

    def person_of(self, key: str, persons: int = 1, **given: object) -> Person:
        return Person(**self.catalogue.forms_of(f"person.{key}", **given), persons=persons)

    def person_asked(self, expr: Call, person: Person | None) -> Person | None:
        """Return the person that ``left(x)``, ``right(x)`` or ``of(marker, x)`` is about; ``None`` for “you”."""
        if expr.function == "my":
            return None
        if expr.function == "of":
            return self.person_of("of", marker=self.marker(first_name(expr)))
        if person is None:
            return self.person_of("other" if self.counts == (2,) else expr.function)
        return self.person_of(f"{expr.function}_of", who=person.who, whose=person.whose)

    def owned(self, expr: Expr, person: Person | None) -> tuple[Name, Person | None] | None:
        """Return (name, owner) if a formula only reads one counter or count of a seat, otherwise ``None``."""
        if isinstance(expr, Name) and not self.is_nobodys(expr):
            return expr, person
        if isinstance(expr, Call) and expr.function in OF_OTHERS:
            return self.owned(expr.arguments[-1], self.person_asked(expr, person))
        return None

    def is_nobodys(self, expr: Name) -> bool:
        """True if a name means a number that belongs to a card or to the table, not to a seat."""
        of_card = expr.id.startswith(("its.", LYING, THIS)) or expr.id == EACH
        return of_card or expr.id in self.parameters or self.has(f"fact.{expr.id}") or self.is_shared(expr.id)

    def is_of_a_seat(self, expr: Expr) -> bool:
        """True if the value of a formula can differ between seats, because it reads something that a seat has."""
        zones = {zone.id for zone in self.model.zones}
        names = [name for _, name in references(expr) if not name.startswith((HAS, LYING))]
        return any(self.of_each(name) if name in zones else not self.is_nobodys(Name(name)) for name in names)

    def if_there(self, expr: Expr) -> Expr:
        """Return ``x`` for ``x if players >= n else 0``, a number about a zone's copy; else `expr` itself."""
        match expr:
            case Conditional(there, Comparison(">=", Name("players"), Number()), Number(0)):
                return there
        return expr

    def say_of(self, person: Person | None, key: str, **given: object) -> str:
        """Return the catalogue's pattern `key` as a clause about “you”, or about `person`."""
        if person is None:
            return self.phrase(f"cond.{key}", **given)
        pronouns = {"who": person.who, "whose": person.whose, "behind": person.behind, "persons": person.persons}
        return self.phrase(f"other.{key}", **pronouns, **given)

    def zone_key(self, key: str, zone: str) -> str:
        return f"{key}_hand" if zone == "hand" else f"{key}_front" if zone == "tableau" else key

    # ── In signs ──────────────────────────────────────────────────────────────────────────────────────────────────────

    def written(self, expr: Expr) -> str:  # noqa: PLR0911 (one for each kind of node)
        """Return a formula in mathematical signs, with labels for names."""
        match expr:
            case Number():
                return signed(expr.value)
            case Name():
                return self.noun_of(expr).form("name")
            case Call():
                return f"{expr.function}({', '.join(self.written(argument) for argument in expr.arguments)})"
            case Unary():
                return f"{'−' if expr.op == '-' else expr.op + ' '}{self._in_parentheses(expr.operand)}"
            case Conditional():
                then, other = self._in_parentheses(expr.then), self._in_parentheses(expr.otherwise)
                return f"{then} ({self.condition(expr.condition)}) / {other}"
            case Binary() | Comparison() | LogicalOp():
                sign = {"*": "×", "-": "−", "//": "÷"}.get(expr.op, expr.op)
                return f"{self._in_parentheses(expr.left)} {sign} {self._in_parentheses(expr.right)}"
        return str(expr.value).lower()

    def _in_parentheses(self, expr: Expr) -> str:
        text = self.written(expr)
        return text if isinstance(expr, Number | Name | Call) else f"({text})"


def as_noun(text: str, sort: Sort) -> Noun:
    """Return a noun whose singular and plural are both `text`."""
    return Noun(sort, {"other": text})


def first_name(expr: Call) -> str:
    first = expr.arguments[0]
    assert isinstance(first, Name)
    return first.id


def is_kinds(expr: Expr) -> bool:
    return isinstance(expr, Call) and expr.function == "kinds"


def names_in(expr: Call) -> set[str]:
    return {argument.id for argument in expr.arguments if isinstance(argument, Name)}


def has_subject(expr: Expr) -> bool:
    """True if a condition is a single statement about one player, so that “no player” can be its subject."""
    match expr:
        case Comparison(_, Name(), Number() | Call("my", (Name(),))) | Comparison(_, Call("gained"), Number()):
            return True
        case Call("holds"):
            return True
    return False
