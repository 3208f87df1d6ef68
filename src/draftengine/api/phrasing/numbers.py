"""Computed numbers in words, and long definitions by their names.

On a page that explains definitions, `by_name` returns the phraser to use, and `called` then returns the explanations.
"""

from __future__ import annotations

import re
from copy import copy
from types import MappingProxyType
from typing import TYPE_CHECKING

from draftengine.api.phrasing.counted import (
    AT_SEATS,
    EACH,
    IS_OF_EACH,
    OF_OTHERS,
    OVER_SEATS,
    TWICE,
    NounPhraser,
    alike,
    as_noun,
    has_subject,
    names_in,
    of_this,
    renamed,
)
from draftengine.api.phrasing.vocabulary import series_name, series_of
from draftengine.model.language.builtins import HAS, LYING
from draftengine.model.language.evaluate import references
from draftengine.model.language.macros import as_number, is_condition
from draftengine.model.language.tree import Binary, Call, Comparison, Conditional, LogicalOp, Name, Number, Unary, parts
from draftengine.model.rules.majority import Majority
from draftengine.support.locale.catalogue import Noun, signed

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from typing import Self

    from draftengine.api.phrasing.counted import Person
    from draftengine.model.cardset.payments import PaymentRecord
    from draftengine.model.cardset.records import Define
    from draftengine.model.language.tree import Expr

_LONG = 5
"""The number of parts with which a formula becomes too hard to follow within a sentence."""
_HEAD = ("op", "function")
"""Fields of a formula's node that are compared as texts, because they are not nodes."""


class DefinitionPhraser(NounPhraser):
    """Phrases long definitions by their names, for a page that explains these names (see `by_name`)."""

    defined: Mapping[Expr, tuple[str, str]] = MappingProxyType({})
    """Id and zone copy (or ``""``) of each long definition without parameters, by its formula."""
    with_parameters: tuple[Define, ...] = ()
    """Long definitions with parameters. A formula that matches one is phrased by its name and arguments."""
    met: dict[str, None] | None = None
    """Ids of the definitions and families mentioned so far, in order; ``None`` if no page explains them."""

    def by_name(self) -> Self:
        """Return a phraser that mentions long definitions by name, for a page that also shows `called`."""
        phraser = copy(self)
        phraser.met = {}
        long = []  # those that have a name, or would make a sentence hard to follow
        for one in self.model.definitions:
            expr = one.formula.expr
            if one.label or one.text or isinstance(expr, LogicalOp) or chooses(expr) or _size(expr) >= _LONG:
                long.append(one)
        phraser.defined = {
            expr: (one.id, place)
            for one in long
            if not one.parameters
            for expr, place in self.at_places(one.formula.expr)
        }
        phraser.with_parameters = tuple(
            one
            for one in long
            if one.parameters and all(("name", name) in references(one.formula.expr) for name in one.parameters)
        )
        return phraser

    def at_places(self, expr: Expr) -> Iterator[tuple[Expr, str]]:
        """Yield (formula, zone): the definition about any copy of a zone (``""``), and about each single copy."""
        yield expr, ""
        for zone, _, places in self.model.copied:
            about_any = self.about_any(expr, zone)
            if not about_any == expr:  # noqa: SIM201 (trees know only ==)
                yield about_any, ""
                for copy, (place, _) in enumerate(places.copies, start=1):
                    here = {zone: place, **{counter: f"{counter}_{copy}" for counter in places.counters}}
                    yield renamed(about_any, here), place

    def about_any(self, expr: Expr, zone: str) -> Expr:
        """Return a formula about the first copy of a zone, such as ``market_1``, as one about any copy."""
        counters = next((places.counters for name, _, places in self.model.copied if name == zone), ())
        return renamed(expr, {f"{name}_1": name for name in (zone, *counters)})

    def family(self, name: str) -> Noun:
        """Return the noun for a family, and add the family to `met` unless the noun lists its cards."""
        noun = super().family(name)
        if noun.sort == "card":
            self._note(name)
        return noun

    def note_families(self, text: str, exprs: Iterable[Expr]) -> None:
        """Add to `met` the families in formulas that an author's text mentions by name."""
        for name in sorted({name for expr in exprs for _, name in references(expr) if self.is_family(name)}):
            forms = [form.strip("„”「」").casefold() for form in super().family(name).forms.values()]
            # The end of a word may be inflected: *górników* for *górnicy*.
            if any(all(word[: max(4, len(word) - 2)] in text.casefold() for word in form.split()) for form in forms):
                self._note(name)

    def _note(self, name: str) -> None:
        if self.met is not None:
            self.met[name] = None

    def payment(self, name: str) -> str:
        """Return the name of a payment, and add it to `met`."""
        self._note(name)
        return next(self.text(payment.label) for payment in self.model.payments if payment.id == name)

    def is_defined(self, expr: Expr) -> bool:
        """True if a name stands for this formula on the page. The name is then added to `met`."""
        return self.name_of(expr, None) is not None

    def name_of(self, expr: Expr, person: Person | None) -> str | None:
        """Return the name that stands for a formula about “you”, and add it to `met`; ``None`` without a name."""
        if person is not None or not (self.defined or self.with_parameters):
            return None  # hashing a tree takes as long as phrasing it
        if (known := self.defined.get(expr)) is not None:
            name, place = known
            self._note(name)
            return self._defined_as(name, [self.zone(place).form("one")] if place else [])
        for definition in self.with_parameters:
            values: dict[str, Expr] = {}
            if _matches(definition.formula.expr, expr, definition.parameters, values):
                self._note(definition.id)
                return self._defined_as(definition.id, [self._argument(values[name]) for name in definition.parameters])
        return None

    def _defined_as(self, name: str, arguments: list[str]) -> str:
        name = self.phrase("defined", name=self._definition_name(name))
        return self.phrase("defined.with", name=name, list="; ".join(arguments)) if arguments else name

    def _definition_name(self, name: str) -> str:
        """Return the label of a definition or, without a label, its id with spaces for underscores."""
        label = next(one.label for one in self.model.definitions if one.id == name)
        return self.text(label) if label else name.replace("_", " ")

    def _argument(self, expr: Expr) -> str:
        """Return the phrase for an argument of a definition: a zone, a condition or a number."""
        if isinstance(expr, Name) and any(zone.id == expr.id for zone in self.model.zones):
            return self.zone(expr.id).form("one")
        return self.condition(expr) if is_condition(expr) else self.amount(expr)

    def paid_with(self, payment: PaymentRecord) -> str:
        """Return sentences that say where the goods for a payment can come from."""
        raise NotImplementedError

    def called(self) -> list[tuple[str, str]]:
        """Return (name, meaning) for everything in `met`: definitions in the order of the file, then families.

        Last come the tracks that no rule of the kind ``majority`` ranks.
        """
        meanings: dict[str, tuple[str, str]] = {}
        met = self.met or {}
        definitions = {definition.id: definition for definition in self.model.definitions}
        payments = {payment.id: payment for payment in self.model.payments}
        paid = [(self.payment(name), self.paid_with(payments[name])) for name in [*met] if name in payments]
        while waiting := [name for name in met if name in definitions and name not in meanings]:
            meanings |= {name: self._meaning(definitions[name]) for name in waiting}  # it may use further names
        listed = [meanings[name] for name in definitions if name in meanings]
        listed += paid
        for family in [name for name in met if name not in {**definitions, **payments} and not self.is_evident(name)]:
            cards = series_of([card for card in self.model.cards if family in card.family])
            names = list(dict.fromkeys(series_name(series, self) for series in cards))
            if [name.casefold() for name in names] != [self.text(self._families.get(family, ())).casefold()]:
                text = self.phrase("list.sentence", text=self.join_list(names, "comma"))
                listed.append((self.plural(self.family(family)), text))
        ranked = [rule.spec.of.expr for rule in self.model.scoring if isinstance(rule.spec, Majority)]
        tracks = [counter for counter in self.model.counters if counter.track and Name(counter.id) not in ranked]
        return [
            *listed,
            *((self.counter(track.id).form("name"), self.phrase(f"track.{track.track}")) for track in tracks),
        ]

    def _meaning(self, definition: Define) -> tuple[str, str]:
        """Return the name of a definition with its parameters, and a sentence about its meaning."""
        expr = definition.formula.expr
        for zone, *_ in self.model.copied:
            expr = self.about_any(expr, zone)
        inner = copy(self)
        inner.defined = {defined: known for defined, known in self.defined.items() if known[0] != definition.id}
        written = re.findall(r"\w+", definition.formula.text)
        inner.with_parameters = tuple(other for other in self.with_parameters if other.id in written)
        inner.parameters = frozenset(definition.parameters)
        name = self._definition_name(definition.id)
        if definition.parameters:
            name = f"{name} ({'; '.join(definition.parameters)})"
        if text := self.own_text(definition.text):
            return name, text
        about_a_card = any(kind == "name" and read.startswith("its.") for kind, read in references(expr))
        whose = ".of_a_card" if about_a_card else ""
        if is_condition(expr):
            return name, self.phrase(f"defined.condition{whose}", condition=inner.condition(expr))
        return name, self.phrase(f"defined.number{whose}", text=inner.amount(expr))


def _matches(pattern: Expr, expr: Expr, parameters: Sequence[str], values: dict[str, Expr]) -> bool:
    """True if a formula equals a definition for some arguments, which are added to `values` by parameter."""
    if isinstance(pattern, Name) and pattern.id in parameters:
        return values.setdefault(pattern.id, expr) == expr
    below, given = parts(pattern), parts(expr)
    if not below:
        return pattern == expr
    return (
        type(pattern) is type(expr)
        and [getattr(pattern, name, "") for name in _HEAD] == [getattr(expr, name, "") for name in _HEAD]
        and len(below) == len(given)
        and all(_matches(part, other, parameters, values) for part, other in zip(below, given, strict=True))
    )


def chooses(expr: Expr) -> bool:
    """True if the phrase for a number ends with two alternatives: “…, otherwise …”."""
    match expr:
        case Conditional():
            return True
        case Binary("+", _, right):
            return chooses(right)
    return False


def _size(expr: Expr) -> int:
    """Return the number of parts that a phrase has to mention; a call with a list of names is one part."""
    if isinstance(expr, Call) and all(isinstance(argument, Name | Number) for argument in expr.arguments):
        return 1
    return 1 + sum(map(_size, parts(expr)))


class NumberPhraser(DefinitionPhraser):
    """Phrases formulas whose value is a number."""

    # ── Numbers ───────────────────────────────────────────────────────────────────────────────────────────────────────

    def amount(self, expr: Expr, person: Person | None = None) -> str:
        """Return a phrase for the value of a formula, for the middle of a sentence about “you” or `person`."""
        value = self.constant(expr)
        if value is not None:
            return signed(value)
        if (name := self.name_of(expr, None)) is not None:
            theirs = person is not None and self.is_of_a_seat(expr)
            key = "expr.defined_of" if theirs else "expr.defined"
            return self.phrase(key, name=name, whose=person.whose if person else "")
        expr = self.alone(expr)
        text: str | None = None
        match expr:
            case Name(name) if self.sort_asked(name) is not None:
                return self.amount(as_number(Comparison(">", expr, Number(0))), person)
            case Comparison() | LogicalOp() | Unary("not"):
                return self.amount(as_number(expr), person)
            case Name(name) if self.has(f"fact.{name}"):
                text = self.phrase(f"fact.{name}")
            case Name(name) if self.is_shared(name):
                noun = self.noun_of(expr)
                alike = noun.form("one") == noun.form("other")  # the label has no plural, as for a value
                text = self.phrase("expr.shared.value" if alike else "expr.shared", of=noun)
            case Name(name):
                nobodys = self.is_nobodys(expr) and name not in self.parameters
                text = self._number_said(self.noun_of(expr), None if nobodys else person)
            case Call():
                text = self._called(expr, person)
            case Conditional(then, condition, otherwise):
                by_value = self._by_value(expr, person)
                if by_value is not None:
                    return by_value
                then_, other = self.amount(then, person), self.amount(otherwise, person)
                text = self.phrase("expr.choice", then=then_, condition=self.condition(condition, person), other=other)
            case Binary():
                text = self._place(expr, person) or self._by_rounds(expr) or self._worked_out(expr, person)
            case Unary("-", operand):
                text = self.phrase("expr.minus", text=self.inside(operand, person))
        return text or self.phrase("expr.written", text=self.written(expr))

    def _number_said(self, noun: Noun, person: Person | None) -> str:
        if person is None:
            return self.phrase("expr.count", of=noun)
        return self.phrase("expr.count_of", of=noun, whose=person.whose)

    def inside(self, expr: Expr, person: Person | None = None) -> str:
        """Return the phrase for a number inside another phrase, in parentheses where it would be ambiguous."""
        text = self.amount(expr, person)
        loose = (
            chooses(expr)
            or (isinstance(expr, Name) and self.sort_asked(expr.id))
            or (isinstance(expr, Binary) and expr.op in {"+", "-"} and self._place(expr, person) is None)
        )
        return text if not loose or self._is_short(expr) else self.phrase("expr.inside", text=text)

    def beside(self, expr: Expr, person: Person | None) -> str:
        """Return the phrase for a number next to another number, as in a sum or comparison.

        The phrase is in parentheses if its last words could otherwise refer to both numbers.
        """
        text = self.amount(expr, person)
        # The largest or smallest of several numbers that are not all names ends with a list.
        numbers = expr.arguments if isinstance(expr, Call) and expr.function in {"max", "min"} else ()
        listed = numbers and not all(isinstance(number, Name) for number in numbers)
        listed = listed and sum(isinstance(number, Number) for number in numbers) != 1
        loose = isinstance(expr, Conditional) or listed
        return self.phrase("expr.inside", text=text) if loose and not self._is_short(expr) else text

    def _is_short(self, expr: Expr) -> bool:
        """True if the phrase for a number is a constant, a list by round, or a name, and does not compute it."""
        return (
            self.constant(expr) is not None or self._by_rounds(expr) is not None or self.name_of(expr, None) is not None
        )

    def _by_rounds(self, expr: Expr) -> str | None:
        """Return a phrase with the value in each round; ``None`` if the value depends on more than the round."""
        if ("name", "round") not in references(expr):
            return None
        values = [self.value_of(expr, round=round_number) for round_number in range(1, self.rounds + 1)]
        numbers = [signed(value) for value in values if value is not None]
        if not values or len(numbers) < len(values):
            return None
        listed = self.join_list([str(round_number) for round_number in range(1, len(values) + 1)])
        in_rounds = self.phrase("rounds", count=len(values), list=listed)
        return self.phrase("expr.by_round", numbers=self.join_list(numbers, "or"), rounds=in_rounds)

    def _by_value(self, expr: Conditional, person: Person | None) -> str | None:
        """Return a phrase for a number that depends on the values of one formula, otherwise ``None``.

        An example is ``8 if x == 0 else 5 if x == 1 else 0``.
        """
        of: Expr | None = None
        cases: list[tuple[str, str]] = []
        rest: Expr = expr
        while True:
            match rest:
                case Conditional(then, Comparison("==", subject, Number(value)), otherwise) if (
                    of is None or of == subject
                ):
                    cases.append((self.amount(then, person), signed(value)))
                    of, rest = subject, otherwise
                case _:
                    break
        if of is None or len(cases) == 1:
            return None
        numbers, values = (self.join_list(list(column), "or") for column in zip(*cases, strict=True))
        text, other = self.amount(of, person), self.amount(rest, person)
        return self.phrase("expr.by_value", numbers=numbers, values=values, text=text, other=other)

    def _worked_out(self, expr: Binary, person: Person | None) -> str | None:
        left, right = expr.left, expr.right
        count, size = self.constant(left), self.constant(right)
        if expr.op == "*" and (count is not None or size is not None):
            factor, other = (count, right) if count is not None else (size, left)
            text = self.inside(other, person)
            return self.phrase("expr.twice" if factor == TWICE else "expr.times", count=factor, text=text)
        if expr.op == "*" and left == right:
            return self.phrase("expr.square", text=self.inside(left, person))
        if expr.op == "//" and isinstance(left, Name) and size is not None and not self.is_nobodys(left):
            return self.phrase("expr.groups", of=self.noun_of(left), count=size) if person is None else None
        if expr.op == "-" and right == Call("gained", (left,)) and person is None:
            return self.phrase("expr.before", of=self.noun_of(left))
        if expr.op == "-" and (sign := self._sign(left, right, person)) is not None:
            return sign
        key = {"+": "sum", "-": "difference", "*": "product", "//": "quotient", "%": "rest"}[expr.op]
        if expr.op == "+":
            sides = self.beside(left, person), self.beside(right, person)
        elif expr.op == "-" and isinstance(left, Binary) and left.op == "+":
            sides = self.beside(left, person), self.inside(right, person)
        else:
            sides = self.inside(left, person), self.inside(right, person)
        return self.phrase(f"expr.{key}", left=sides[0], right=sides[1])

    def _place(self, expr: Expr, person: Person | None) -> str | None:
        """Return the phrase for an expanded macro ``place(x)``; ``None`` for other formulas."""
        match expr:
            case Binary("+", Number(1), Call("others_with", (Comparison(">", x, Call("my", (same,))),))) if x == same:
                if person is not None:
                    return None
                counted = isinstance(x, Name) and not self.is_nobodys(x)
                return self.phrase("expr.place", of=self.noun_of(x) if counted else as_noun(self.amount(x), "phrase"))
        return None

    def _sign(self, left: Expr, right: Expr, person: Person | None) -> str | None:
        """Return the phrase for ``(a > b) - (a < b)``; ``None`` for other differences."""
        match left, right:
            case (
                Conditional(Number(1), Comparison(">", a, b) as more, Number(0)),
                Conditional(Number(1), Comparison("<", c, d) as fewer, Number(0)),
            ) if a == c and b == d:
                yes, no = self.condition(more, person), self.condition(fewer, person)
                return self.phrase("expr.sign", condition=yes, other=no)
        return None

    def _called(self, expr: Call, person: Person | None) -> str | None:  # noqa: PLR0911 (one for each pattern)
        function, arguments = expr.function, expr.arguments
        if function in OF_OTHERS:
            return self.amount(arguments[-1], self.person_asked(expr, person))
        if function in OVER_SEATS:
            (argument,) = arguments
            if isinstance(argument, Name) and not self.is_nobodys(argument):
                return self.phrase(f"expr.{function}", of=self.noun_of(argument))
            theirs = self.amount(argument, self.person_of("they", persons=2))
            return self.phrase(f"expr.{function}", of=as_noun(theirs, "phrase"))
        if function in AT_SEATS:
            of_them = self._says_who(arguments[0])
            text = self.condition(arguments[0], self.person_of("who" if of_them else "they", persons=2))
            return self.phrase(f"expr.{function}.who" if of_them else f"expr.{function}", text=text)
        if function in {"max", "min"}:
            return self._extreme(expr, person)
        match expr:
            case Call("top", (_, Binary(right=Name(name)), *_), written="sum") if counters := self.on_cards(name):
                key = "expr.on_cards" if person is None else "expr.on_cards_of"
                return self.phrase(key, of=counters, whose=person.whose if person else "")
            case Call("top", (_, Binary(right=value), *_), written="sum"):
                key = "expr.sum_on" if person is None else "expr.sum_on_of"
                return self.phrase(key, text=self.amount(value, person), whose=person.whose if person else "")
            case Call("top", (_, Binary(right=Conditional(Number(1), condition, Number(0))), *_), written="cards"):
                key = "expr.cards_on" if person is None else "expr.cards_on_of"
                return self.phrase(key, text=self.condition(condition, person), whose=person.whose if person else "")
            case Call("top"):
                noun = self.over_cards(expr)
                return self._top(expr, person) if noun is None else self._number_said(noun, person)
            case Call("abs", (Binary("-", left, right),)):
                return self.phrase("expr.apart", left=self.amount(left, person), right=self.amount(right, person))
            case Call("abs", (argument,)):
                return self.phrase("expr.abs", text=self.amount(argument, person))
        return self._counted(expr, person)

    def _says_who(self, condition: Expr) -> bool:
        """True if a condition is a single statement about players, so that it can follow “who”."""
        subject = condition.left if isinstance(condition, Comparison) else None
        return has_subject(condition) and not (isinstance(subject, Name) and self.noun_of(subject).sort == "value")

    def _counted(self, expr: Call, person: Person | None) -> str | None:  # noqa: PLR0911 (one for each pattern)
        match expr:
            case Call("kinds"):
                alike = self.family_of(names_in(expr)) is not None
                of = {"of": self.noun_of(expr)} if alike else {"names": self.names_of(expr)}
                return self.phrase("expr.count" if alike else "expr.kinds", **of)
            case Call("gained", (argument,)):
                return self.phrase("expr.gained", of=self.noun_of(argument))
            case Call("cards", (Name(zone), Name() as what)):
                key = "expr.lying_each" if _is_each(what) else "expr.lying"
                return self.phrase(key, of=self.noun_of(what), zone=self._zone_of(zone, person))
            case Call("cards", (Name(zone), condition)):
                text = self.condition(of_this(condition), person)
                mine = person is None or not self.of_each(zone)
                key = self.zone_key("expr.lying_if", zone) if mine else "expr.lying_if"
                return self.phrase(key, condition=text, zone=self._zone_of(zone, person))
            case Call("sum", (Name(zone), what)):
                number, there = self._of_cards(of_this(what), Number(0), zone, person)
                return self.phrase("expr.sum_of", number=number, zone=there)
            case Call("on_top", (Name(zone), what)):
                number, there = self._of_cards(of_this(what), Number(0), zone, person)
                return self.phrase("expr.on_top", number=number, zone=there)
            case Call("highest" | "lowest", (Name(zone), what, otherwise)):
                number, there = self._of_cards(of_this(what), otherwise, zone, person)
                other = self.amount(otherwise, person)
                return self.phrase(f"expr.{expr.function}", number=number, zone=there, other=other)
            case Call("cards", (Name(zone),)):
                if person is None or not self.of_each(zone):
                    return self.phrase(self.zone_key("expr.cards", zone), zone=self.zone(zone))
                return self.phrase(self.zone_key("expr.cards_of", zone), zone=self.zone(zone), whose=person.whose)
            case Call("best_of"):
                return self.phrase("expr.best_of")
        return None

    def _of_cards(self, expr: Expr, otherwise: Expr, zone: str, person: Person | None) -> tuple[str, Noun]:
        """Return the phrase for the number that each card of a zone contributes, and the noun for those cards."""
        there = self._zone_of(zone, person)
        if isinstance(expr, Conditional) and expr.otherwise == otherwise:
            key = "expr.among_each" if _is_each(expr.condition) else "expr.among"
            condition = self.condition(expr.condition, person)
            there = Noun("phrase", self.catalogue.forms_of(key, zone=there, condition=condition))
            expr = expr.then
        if isinstance(expr, Name) and expr.id.startswith((HAS, LYING)):
            return self.value_name(expr.id.partition(".")[2]), there
        return self.amount(expr, person), there

    def _zone_of(self, zone: str, person: Person | None) -> Noun:
        """Return the phrase for a zone, with its owner if that is another person."""
        if person is None or not self.of_each(zone):
            return self.zone(zone)
        key = self.zone_key("expr.zone_of", zone)
        return Noun("phrase", self.catalogue.forms_of(key, zone=self.zone(zone), whose=person.whose))

    def _extreme(self, expr: Call, person: Person | None) -> str:
        """Return the phrase for ``max`` or ``min``: the largest or smallest number, or a number with a limit."""
        largest = expr.function == "max"
        if person is None and all(
            isinstance(argument, Name) and not self.is_nobodys(argument) for argument in expr.arguments
        ):
            key = "expr.largest" if largest else "expr.smallest"
            cards = all(self.noun_of(argument).sort == "card" for argument in expr.arguments)
            return self.phrase(f"{key}.card" if cards else key, names=self.names_of(expr))
        limits = [argument for argument in expr.arguments if self.constant(argument) is not None]
        rest = [argument for argument in expr.arguments if argument not in limits]
        if len(limits) == 1 and len(rest) == 1:
            key = "expr.no_less" if largest else "expr.no_more"
            return self.phrase(key, text=self.inside(rest[0], person), count=self.constant(limits[0]))
        listed = self.join_list([self.amount(argument, person) for argument in expr.arguments])
        return self.phrase("expr.largest_of" if largest else "expr.smallest_of", list=listed)

    def _top(self, expr: Call, person: Person | None) -> str:  # noqa: PLR0911 (one for each pattern)
        first, *values = expr.arguments
        count = self.constant(first)
        if (of_places := self._of_places(values)) is not None:
            shared_expr, zone = of_places
            all_count = count is not None and count >= len(values)
            if (places := self.places_with(expr)) is not None:
                return self.phrase("expr.places_with", condition=self.condition(places[0]), zone=zone)
            text = self.amount(shared_expr)
            if count == 1:
                return self.phrase("expr.largest_place", text=text, zone=zone)
            each = self.phrase("expr.each_place", text=text, zone=zone)
            return each if all_count else self.phrase("expr.top_each", count=self.amount(first, person), text=each)
        if count == 1 and len(values) > 1:
            return self._extreme(Call("max", tuple(values)), person)
        whole = count is not None and count >= len(values)
        shared = alike(values)
        if shared is not None:
            names = self.join_list([self.named(name).form("name") for name in shared[1]])
            # Of a family of families, “each by itself” would mean its cards.
            family = None if any(map(self.is_family, shared[1])) else self.family_of(shared[1])
            text = self.amount(shared[0], person)
            each = self.phrase("expr.each_of", names=names if family is None else family.form("name"), text=text)
            return each if whole else self.phrase("expr.top_each", count=self.amount(first, person), text=each)
        listed = self.join_list([self.amount(value, person) for value in values])
        if whole:
            return self.phrase("expr.all", list=listed)
        return self.phrase("expr.top", count=self.amount(first, person), list=listed)

    def places_with(self, expr: Call) -> tuple[Expr, Noun] | None:
        """Return a condition and the noun for a zone, if a sum counts the zone's copies that fulfil it."""
        count, *values = expr.arguments
        match self._of_places(values):
            case (Conditional(Number(1), condition, Number(0)), zone) if (self.constant(count) or 0) >= len(values):
                return condition, zone
        return None

    def _of_places(self, values: Sequence[Expr]) -> tuple[Expr, Noun] | None:
        """Return the formula about any copy of a zone, and the noun for the zone, from values for each copy.

        Returns ``None`` if the values are not the same formula about each copy.
        """
        for zone, _, places in self.model.copied:
            if not 1 < len(values) == len(places.copies):
                continue
            at_any = {
                renamed(value, {f"{name}_{place}": name for name in (zone, *places.counters)})
                for place, value in enumerate(map(self.if_there, values), start=1)
            }
            if len(at_any) == 1 and values[0] not in at_any:
                return at_any.pop(), self.zone(zone)
        return None


def _is_each(expr: Expr) -> bool:
    """True if a name or condition stands for each of several cards or families (see `EACH`)."""
    match expr:
        case Name(name):
            return name.removeprefix(HAS) == EACH
        case Comparison(">", Name(name), Number(0)):
            return name == IS_OF_EACH
    return False
