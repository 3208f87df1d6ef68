"""Conditions in words. `FormulaPhraser` phrases formulas whose value is true or false."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from draftengine.api.phrasing.counted import (
    AT_SEATS,
    NUMBERS,
    OF_OTHERS,
    OVER_SEATS,
    TWICE,
    first_name,
    has_subject,
    of_this,
)
from draftengine.api.phrasing.numbers import NumberPhraser
from draftengine.model.cardset.facts import all_steps
from draftengine.model.language.builtins import LYING
from draftengine.model.language.macros import NAMED
from draftengine.model.language.tree import (
    TURNED,
    Binary,
    Call,
    Comparison,
    Conditional,
    LogicalOp,
    Name,
    Number,
    Unary,
    complement,
)

if TYPE_CHECKING:
    from draftengine.api.phrasing.counted import Person
    from draftengine.model.language.tree import Expr
    from draftengine.support.locale.catalogue import Noun

_SEVERAL = 5
"""An example of a large number of persons, to select the plural that languages use for large numbers."""
_SIGNS = {"==": "eq", "!=": "ne", "<": "lt", "<=": "le", ">": "gt", ">=": "ge"}
_THAN = {"==": "equal", "!=": "unequal", ">": "more", "<": "fewer", ">=": "not_fewer", "<=": "not_more"}
_IS = {(">=", 1), ("==", 1), ("!=", 0)}
_SORTED = _IS | {("<=", 0), ("==", 0), ("!=", 1)}
"""Comparisons that tell 1 from 0, for a value that is 1 for cards of one kind and 0 for others."""
_ANY = {(">=", 1): True, ("!=", 0): True, ("==", 0): False, ("<=", 0): False}
"""Comparisons with 0 or 1 about existence: True for “there are some”, False for “there are none”."""
_AGAINST_OTHERS = {
    ("==", "most"): "most",
    (">=", "most"): "most",
    ("==", "fewest"): "fewest",
    ("<=", "fewest"): "fewest",
    (">=", "others_most"): "most",
    (">", "others_most"): "alone_most",
    ("<=", "others_fewest"): "fewest",
    ("<", "others_fewest"): "alone_fewest",
}


class FormulaPhraser(NumberPhraser):
    """Puts formulas of a card set into words."""

    # ── Conditions ────────────────────────────────────────────────────────────────────────────────────────────────────

    def condition(self, expr: Expr, person: Person | None = None) -> str:  # noqa: PLR0911 (one for each pattern)
        """Return a condition as a clause for the middle of a sentence, about “you” or about `person`."""
        if (known := self._named(expr, person)) is not None:
            return known
        match expr:
            case LogicalOp():
                return self._joined(expr, person)
            case Unary("not", operand):
                if (name := self.name_of(operand, person)) is not None:
                    return self.phrase("cond.defined_not", name=name)
                turned = negated(operand)
                match turned:
                    case Unary("not", Call("holds") as operand):
                        return self.say_of(person, "holds_not", marker=self.marker(first_name(operand)))
                    case Unary("not", operand):
                        return self.phrase("cond.not", text=self.condition(operand, person))
                return self.condition(turned, person)
            case Call("holds"):
                return self.say_of(person, "holds", marker=self.marker(first_name(expr)))
            case Call(function) if function in OF_OTHERS:
                return self.condition(expr.arguments[-1], self.person_asked(expr, person))
            case Comparison(op, Name(counter), Number(0)) if counter.startswith(NAMED):
                key = "cond.chosen" if op == ">" else "cond.chosen_not"
                return self.phrase(key, name=self.zone(counter.removeprefix(NAMED)))
            case Comparison():
                return self._compared(expr, person)
            case Name():
                return str(self._has(expr, ">=", 1, person))
            case Conditional(then, when, otherwise):
                cases = LogicalOp("and", when, then), LogicalOp("and", negated(when), otherwise)
                return self._joined(LogicalOp("or", *cases), person)
        return self.written(expr)

    def _named(self, expr: Expr, person: Person | None) -> str | None:
        """Return the clause for a condition with a name (a definition, or being able to pay), else ``None``."""
        if (name := self.name_of(expr, person)) is not None:
            return self.phrase("cond.defined", name=name)
        for payment in self.model.payments if person is None else ():
            if expr in [formula.expr for formula in payment.payable]:
                return self.phrase("cond.payable", name=self.payment(payment.id))
        return None

    def _joined(self, expr: LogicalOp, person: Person | None, where: str = "") -> str:
        """Return the clause for two conditions joined by “and” or “or”.

        In nested conditions, words such as “either” show which parts belong together. `where` is ``.inside`` for a
        nested one.
        """
        phrases = []
        for part in (expr.left, expr.right):
            condition, whose = self._asked_of(part, person)
            if isinstance(condition, LogicalOp) and condition.op != expr.op and self.name_of(condition, whose) is None:
                phrases.append(self._joined(condition, whose, ".inside"))
            else:
                phrases.append(self.condition(condition, whose))
        mixed = ".mixed" if self._is_mixed(expr, person) and (expr.op == "or" or not where) else ""
        return self.phrase(f"cond.{expr.op}{where}{mixed}", left=phrases[0], right=phrases[1])

    def _is_mixed(self, expr: LogicalOp, person: Person | None) -> bool:
        """True if a condition has both “and” and “or”, so that words must show which parts belong together."""
        asked = [self._asked_of(part, person) for part in (expr.left, expr.right)]
        return any(
            inner.op != expr.op or self._is_mixed(inner, whose)
            for inner, whose in asked
            if isinstance(inner, LogicalOp) and self.name_of(inner, whose) is None
        )

    def _asked_of(self, expr: Expr, person: Person | None) -> tuple[Expr, Person | None]:
        """Return the condition inside calls such as ``left(x)``, and the person whom it is about."""
        match expr:
            case Call(function, arguments) if function in OF_OTHERS and self.name_of(expr, person) is None:
                return self._asked_of(arguments[-1], self.person_asked(expr, person))
        return expr, person

    def _compared(self, expr: Comparison, person: Person | None) -> str:
        left, right = self.alone(expr.left), self.alone(expr.right)
        op: str = expr.op
        if self.constant(left) is not None:
            left, op, right = right, TURNED[op], left
        count = self.constant(right)
        phrase = (
            self._against_others(left, op, right, person)
            if count is None
            else self._against_number(left, op, count, person)
        )
        if phrase is not None:
            return phrase
        how = self.phrase(f"cmp.{_SIGNS[op]}")
        return self.phrase("cond.compare", left=self.beside(left, person), how=how, right=self.beside(right, person))

    def _against_number(self, left: Expr, op: str, count: int, person: Person | None) -> str | None:  # noqa: PLR0911 (one for each pattern)
        if op in {">", "<"}:
            op, count = f"{op}=", count + (1 if op == ">" else -1)
        match left:
            case Name(name) if (sort := self.sort_asked(name)) is not None and (op, count) in _SORTED:
                of_this = "its" if name.startswith("its.") else "lying"
                return self.phrase(f"cond.{of_this}_sort{'' if (op, count) in _IS else '_not'}", of=self.named(sort))
            case Name("round"):
                by_rounds = self.model.wins is None and not any(step.verb == "end" for step in all_steps(self.model))
                if op == "<=" and count == self.rounds - 1 and by_rounds:  # a number that is known before the game
                    return self.phrase("cond.not_last_round")
                if op == "<=":
                    return self.phrase("cond.before_round", count=count + 1)
                keys = {"==": "cond.round", ">=": "cond.from_round", "!=": "cond.not_round"}
                return self.phrase(keys[op], count=count) if op in keys else None
            case Name("players" | "seats") if op in NUMBERS:
                return self.phrase(f"cond.players_{NUMBERS[op]}", count=count)
            case Name() if self.is_shared(left.id):
                die = any(counter.id == left.id and counter.die for counter in self.model.counters)
                noun = replace(self.noun_of(left), sort="value") if die else self.noun_of(left)
                return self._has_noun(noun, op, count, self.person_of("card" if noun.sort == "on_card" else "table"))
            case Name() if not self.is_nobodys(left):
                return self._has(left, op, count, person)
            case Call():
                return self._call_against_number(left, op, count, person)
            case Conditional() if op == ">=" and count > 0 and self.name_of(left, None) is None:
                return self._chosen(left, count, person)
            case Binary("%", dividend, size) if op in {"==", "!="}:
                return self._divided(dividend, self.constant(size), count if op == "==" else -1 - count, person)
        return None

    def _chosen(self, expr: Conditional, least: int, person: Person | None) -> str | None:
        """Return a clause saying that a number such as ``x if condition else 0`` is at least `least`.

        Returns ``None`` for other numbers. `least` is above 0.
        """
        if expr.otherwise == Number(0):
            condition, amount = expr.condition, expr.then
        elif expr.then == Number(0):
            condition, amount = negated(expr.condition), expr.otherwise
        else:
            return None
        return self.condition(LogicalOp("and", condition, Comparison(">=", amount, Number(least))), person)

    def _has(self, name: Name, op: str, count: int, person: Person | None) -> str | None:
        return self._has_noun(self.noun_of(name), op, count, person)

    def _has_noun(self, noun: Noun, op: str, count: int, person: Person | None) -> str | None:
        if (op, count) in {("==", 0), ("<=", 0)}:
            return self.say_of(person, "none", of=noun)
        if (op, count) == ("!=", 0):
            op, count = ">=", 1
        if (op, count) == (">=", 1) and noun.sort == "counter" and noun.form("one") == noun.form("other"):
            return self.say_of(person, "any", of=noun)  # the label has no singular
        return self.say_of(person, NUMBERS[op], of=noun, count=count) if op in NUMBERS else None

    def _call_against_number(self, left: Call, op: str, count: int, person: Person | None) -> str | None:  # noqa: PLR0911 (one for each pattern)
        if (noun := self.over_cards(left)) is not None:
            return self._has_noun(noun, op, count, person)
        if left.function in OF_OTHERS:
            return self._against_number(left.arguments[-1], op, count, self.person_asked(left, person))
        if left.function in AT_SEATS:
            return self._at_seats(left, op, count)
        if left.function in OVER_SEATS:
            (argument,) = left.arguments
            if not isinstance(argument, Name) or self.is_nobodys(argument):
                return None
            others = "others" if left.function.startswith("others") else "seats"
            if left.function.endswith("total"):
                return self._has(argument, op, count, self.person_of(f"{others}_all", persons=2))
            if op not in {">=", "<="}:
                return None
            one_is_enough = op == (">=" if left.function.endswith("most") else "<=")
            who = self.person_of(f"{others}_some" if one_is_enough else f"{others}_each")
            return self._has(argument, op, count, who)
        if left.function == "cards":
            return self._in_zone(left, op, count, person)
        no_kinds = (op, count) in {("==", 0), ("<=", 0)}
        if left.function == "kinds" and (no_kinds or (op in {"==", ">="} and count == len(left.arguments))):
            return self.say_of(person, "no_kinds" if no_kinds else "all_kinds", names=self.names_of(left))
        if left.function == "kinds" and op in NUMBERS:
            return self.say_of(person, NUMBERS[op], of=self.noun_of(left), count=count)
        some = _ANY.get((op, count))
        if left.function == "gained" and some is not None:
            return self.say_of(person, "gained" if some else "gained_not", of=self.noun_of(left.arguments[0]))
        if left.function == "top" and some is not None and (places := self.places_with(left)) is not None:
            key = "cond.places_some" if some else "cond.places_none"
            return self.phrase(key, condition=self.condition(places[0]), zone=places[1])
        return None

    def _in_zone(self, expr: Call, op: str, count: int, person: Person | None) -> str | None:
        match expr.arguments:
            case (Name(zone),):
                if (op, count) in {("==", 0), ("<=", 0)}:
                    return self.say_of(person, self.zone_key("empty", zone), zone=self.zone(zone))
                if (op, count) == ("!=", 0):
                    op, count = ">=", 1
                key = self.zone_key(f"lying_{NUMBERS[op]}", zone) if op in NUMBERS else ""
                return self.say_of(person, key, zone=self.zone(zone), count=count) if key else None
            case (Name(zone), what) if person is None:
                none = (op, count) in {("==", 0), ("<=", 0)}
                op, count = (">=", 1) if (op, count) == ("!=", 0) else (op, count)
                if not none and op not in NUMBERS:
                    return None
                key = "none" if none else NUMBERS[op]
                if isinstance(what, Name):
                    return self.phrase(f"cond.kind_{key}", of=self.noun_of(what), zone=self.zone(zone), count=count)
                condition = self.condition(of_this(what))
                return self.phrase(f"cond.such_{key}", condition=condition, zone=self.zone(zone), count=count)
        return None

    def _divided(self, expr: Expr, size: int | None, rest: int, person: Person | None) -> str | None:
        """Return a clause saying that `expr` divided by `size` leaves `rest`; ``None`` if no words fit.

        A negative `rest` means “not”: -1 - r stands for all remainders other than r.
        """
        text = self.amount(expr, person)
        if size == TWICE and rest in {0, 1, -1, -2}:
            return self.phrase("cond.even" if rest in {0, -2} else "cond.odd", text=text)
        if size and rest in {0, -1}:
            return self.phrase("cond.divisible" if rest == 0 else "cond.not_divisible", text=text, count=size)
        return None

    def _at_seats(self, expr: Call, op: str, count: int) -> str | None:
        """Return a clause that compares with `count` the number of seats for which a condition holds."""
        others = "others" if expr.function == "others_with" else "seats"
        (what,) = expr.arguments
        some, none = (op, count) in {(">=", 1), ("!=", 0)}, (op, count) in {("==", 0), ("<=", 0)}
        if (some or none) and has_subject(what):
            return self.condition(what, self.person_of(f"{others}_{'some' if some else 'none'}"))
        if op not in NUMBERS:
            return None
        if has_subject(what):
            persons = 1 if count == 1 else _SEVERAL
            return self.condition(what, self.person_of(f"{others}_{NUMBERS[op]}", persons, count=count))
        text = self.condition(what, self.person_of("they", persons=2))
        key = "none" if none else NUMBERS[op]
        return self.phrase(f"cond.{others}_{key}", text=text, count=count)

    def _against_others(self, left: Expr, op: str, right: Expr, person: Person | None) -> str | None:
        if isinstance(left, Call) and isinstance(right, Call) and (left.function, right.function) == ("most", "fewest"):
            return self.phrase("cond.differ", of=self.noun_of(right.arguments[0])) if op in {">", "!="} else None
        if op == ">" and right == Call("gained", (left,)) and person is None:
            return self.phrase("cond.had", of=self.noun_of(left))
        key = _AGAINST_OTHERS.get((op, right.function)) if isinstance(right, Call) else None
        if key is not None and isinstance(right, Call) and right.arguments[0] == left:
            return self.say_of(person, key, of=self.noun_of(left))
        return self._between(left, op, right, person)

    def _between(self, left: Expr, op: str, right: Expr, person: Person | None) -> str | None:
        """Return a clause that compares an amount of one person with that of another person or of a card."""
        one, other = self.owned(left, person), self.owned(right, person)
        if one is None:
            return None if other is None else self._between(right, TURNED[op], left, person)
        noun = self.noun_of(one[0])
        if other is not None and one[0] == other[0] and one[1] != other[1]:
            if one[1] is not None and other[1] is None and person is None:
                return self._between(right, TURNED[op], left, person)
            whom = self.phrase("person.you") if other[1] is None else other[1].who
            that = self.phrase("person.yours") if other[1] is None else self.phrase("person.that", who=other[1].who)
            return self.say_of(one[1], _THAN[op], of=noun, whom=whom, that=that)
        of_a_card = isinstance(right, Name) and right.id.startswith(("its.", LYING))
        if (other is not None and one[1] == other[1]) or of_a_card:
            that = self.amount(right, one[1])
            return self.say_of(one[1], f"{_THAN[op]}_of", of=noun, than=self.noun_of(right), that=that)
        return None

    def such_players(self, expr: Expr) -> str:
        """Return a condition about players as a relative clause: “who have two soups”."""
        of_them = self._says_who(expr)
        text = self.condition(expr, self.person_of("who" if of_them else "they", persons=2))
        return self.phrase("cond.true_for_them.who" if of_them else "cond.true_for_them", text=text)

    def amount_of_player(self, expr: Expr) -> str:
        """Return the phrase for a formula's value, for one of several players that the sentence has mentioned."""
        return self.amount(expr, self.person_of("found"))

    def holder(self, expr: Expr) -> Noun | None:
        """Return the noun for the marker whose holder this formula ranks first; otherwise ``None``."""
        if isinstance(expr, Conditional) and isinstance(expr.condition, Call) and expr.condition.function == "holds":
            return self.marker(first_name(expr.condition))
        return self.marker(first_name(expr)) if isinstance(expr, Call) and expr.function == "holds" else None


def negated(expr: Expr) -> Expr:
    """Return the opposite of a condition: ``x < 2`` for ``x >= 2``, or ``not`` without a simpler form."""
    return complement(expr) or Unary("not", expr)
