"""Formulas read aloud: conditions and numbers as a person at the table would say them.

Everything is said to the player for whom a formula is asked. What it asks of others (a neighbour, the holder of a
marker, any other player) is said of a `Person`. What has no pattern is set in signs, with labels for names.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from draftengine.api.vocabulary import Vocabulary
from draftengine.cardset.facts import constant_facts
from draftengine.language.evaluate import constant_value, references
from draftengine.language.tree import (
    Binary,
    Call,
    Compare,
    Conditional,
    Logic,
    Name,
    Number,
    Unary,
    parts,
)
from draftengine.wording.catalogue import Noun, signed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from draftengine.cardset.model import CardSet
    from draftengine.language.tree import Expr
    from draftengine.records.values import Formula

_TWICE = 2
_SIGNS = {"==": "eq", "!=": "ne", "<": "lt", "<=": "le", ">": "gt", ">=": "ge"}
_TURNED = {"==": "==", "!=": "!=", "<": ">", "<=": ">=", ">": "<", ">=": "<="}
_NEGATED = {"==": "!=", "!=": "==", "<": ">=", "<=": ">", ">": "<=", ">=": "<"}
_NUMBERS = {"==": "exactly", ">=": "at_least", "<=": "at_most"}
_THAN = {"==": "equal", "!=": "unequal", ">": "more", "<": "fewer", ">=": "not_fewer", "<=": "not_more"}
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
_OF_OTHERS = frozenset({"left", "right", "of", "my"})
_AT_SEATS = frozenset({"seats_with", "others_with"})
_OVER_SEATS = frozenset({"most", "fewest", "total", "others_most", "others_fewest", "others_total"})
_EACH = "each."
"""In what is said once for several cards: how many of one of them a seat has."""


class Person(Struct, frozen=True):
    """Somebody of whom a formula asks something."""

    who: str
    """As the one who has it."""
    whose: str
    """As the one whose it is."""
    behind: str
    """What stands behind the verb, in languages that need it."""
    persons: int = 1
    """One, or several."""


class Aloud(Vocabulary):
    """The formulas of a card set in words. `counts` are the numbers of players that are spoken of."""

    def __init__(self, model: CardSet, language: str = "en", counts: Sequence[int] = ()) -> None:
        super().__init__(model, language)
        self.counts = tuple(counts) or tuple(range(model.min_players, model.max_players + 1))

    def constant(self, expr: Expr) -> int | None:
        """The value of what is the same in every game that is spoken of."""
        return self._value(expr)

    def _value(self, expr: Expr, **local: int) -> int | None:
        found = {constant_value(expr, constant_facts(self.model, count, **local)) for count in self.counts}
        value = found.pop() if len(found) == 1 else None
        return None if value is None else int(value)

    # ── What is counted ───────────────────────────────────────────────────────────────────────────────────────────────

    def noun(self, formula: Formula) -> Noun:
        """What a formula counts."""
        return self.noun_of(formula.expr)

    def noun_of(self, expr: Expr) -> Noun:
        """What a part of a formula counts."""
        if isinstance(expr, Name):
            return self._named(expr.id)
        if _is_kinds(expr) and isinstance(expr, Call):
            family = self.family_of(_names_in(expr))
            text = (
                self.say("expr.kinds_family", of=family)
                if family is not None
                else self.say("expr.kinds_noun", names=self._names(expr))
            )
            return Noun("counter", {"one": text, "few": text, "many": text, "acc": text, "name": text})
        return _phrase(self.amount(expr))

    def _named(self, name: str) -> Noun:  # noqa: PLR0911 (one for each kind of name)
        if name.partition("@")[0] in self._cards:
            return self.card_noun(name)
        if name in self._members:
            return self.family(name)
        if name == "points":
            forms = self.say("expr.points").split("|")
            names = dict(zip(self.catalogue.plurals, forms, strict=True))
            return Noun("counter", {"acc": forms[0], "many": forms[-1], **names, "name": forms[-1]})
        if name.startswith("its."):
            return _phrase(self.say("expr.its", name=name.removeprefix("its.").replace("_", " ")))
        if name == _EACH:
            return _phrase(self.say("expr.each_number"))
        zone, dot, own = name.partition(".")
        if dot:
            noun = self._named(own)
            there = {key: self.say("expr.there", text=text, zone=self.zone(zone)) for key, text in noun.forms.items()}
            return replace(noun, forms=there)
        return self.counter(name)

    def _names(self, expr: Expr) -> str:
        assert isinstance(expr, Call)
        return self.listed([self.noun_of(own).forms["name"] for own in expr.arguments])

    # ── Who it is asked of ────────────────────────────────────────────────────────────────────────────────────────────

    def _person(self, key: str, persons: int = 1, **given: object) -> Person:
        who, whose, behind = self.say(f"person.{key}", **given).split("|")
        return Person(who, whose, behind, persons)

    def _asked(self, expr: Call, person: Person | None) -> Person | None:
        """Of whom the value of ``left(x)``, ``right(x)``, ``of(marker, x)`` or ``my(x)`` is asked; ``None``: of you."""
        if expr.function == "my":
            return None
        if expr.function == "of":
            return self._person("of", marker=self.thing(_first_name(expr)))
        if person is None:
            return self._person(expr.function)
        return self._person(f"{expr.function}_of", who=person.who, whose=person.whose)

    def _owned(self, expr: Expr, person: Person | None) -> tuple[Name, Person | None] | None:
        """A number that somebody has, and who that is."""
        if isinstance(expr, Name) and not self._is_nobodys(expr):
            return expr, person
        if isinstance(expr, Call) and expr.function in _OF_OTHERS:
            return self._owned(expr.arguments[-1], self._asked(expr, person))
        return None

    def _is_nobodys(self, expr: Name) -> bool:
        """Is it a number of a card or of the table."""
        return expr.id.startswith("its.") or expr.id == _EACH or self.has(f"fact.{expr.id}") or self._is_shared(expr.id)

    def _is_shared(self, name: str) -> bool:
        return any(own.id == name and own.per == "table" for own in self.model.counters)

    def _say_of(self, person: Person | None, key: str, **given: object) -> str:
        """A condition about you or about somebody else."""
        if person is None:
            return self.say(f"cond.{key}", **given)
        own = {"who": person.who, "whose": person.whose, "behind": person.behind, "persons": person.persons}
        return self.say(f"other.{key}", **own, **given)

    # ── Conditions ────────────────────────────────────────────────────────────────────────────────────────────────────

    def condition(self, expr: Expr, person: Person | None = None) -> str:  # noqa: PLR0911 (one for each pattern)
        """A condition about the seat that is spoken to, or about another one, in the middle of a sentence."""
        match expr:
            case Logic():
                left, right = self.condition(expr.left, person), self.condition(expr.right, person)
                return self.say(f"cond.{expr.op}", left=left, right=right)
            case Unary("not", operand):
                return self._negated(operand, person)
            case Call("holds"):
                return self._say_of(person, "holds", marker=self.thing(_first_name(expr)))
            case Call(function) if function in _OF_OTHERS:
                return self.condition(expr.arguments[-1], self._asked(expr, person))
            case Compare():
                return self._compared(expr, person)
            case Name():
                return self._say_of(person, "at_least", of=self.noun_of(expr), count=1)
        return self.written(expr)

    def _negated(self, expr: Expr, person: Person | None) -> str:
        match expr:
            case Compare(op, left, right):
                return self.condition(Compare(_NEGATED[op], left, right), person)  # type: ignore[arg-type]
            case Unary("not", operand):
                return self.condition(operand, person)
            case Call("holds"):
                return self._say_of(person, "holds_not", marker=self.thing(_first_name(expr)))
        return self.say("cond.not", text=self.condition(expr, person))

    def _compared(self, expr: Compare, person: Person | None) -> str:
        left, right = expr.left, expr.right
        op: str = expr.op
        if self.constant(left) is not None:
            left, op, right = right, _TURNED[op], left
        count = self.constant(right)
        said = (
            self._against_others(left, op, right, person)
            if count is None
            else self._against_number(left, op, count, person)
        )
        if said is not None:
            return said
        how = self.say(f"cmp.{_SIGNS[op]}")
        return self.say("cond.compare", left=self.amount(left, person), how=how, right=self.amount(right, person))

    def _against_number(self, left: Expr, op: str, count: int, person: Person | None) -> str | None:
        if op in {">", "<"}:
            op, count = f"{op}=", count + (1 if op == ">" else -1)
        match left:
            case Name("round"):
                return self._about_rounds(op, count)
            case Name() if not self._is_nobodys(left):
                return self._has(left, op, count, person)
            case Call():
                return self._call_against_number(left, op, count, person)
            case Binary("%", own, size) if op in {"==", "!="}:
                return self._divided(own, self.constant(size), count if op == "==" else -1 - count, person)
        return None

    def _about_rounds(self, op: str, count: int) -> str | None:
        if op == "<=":
            return self.say("cond.before_round", count=count + 1)
        keys = {"==": "cond.round", ">=": "cond.from_round", "!=": "cond.not_round"}
        return self.say(keys[op], count=count) if op in keys else None

    def _has(self, own: Name, op: str, count: int, person: Person | None) -> str | None:
        noun = self.noun_of(own)
        if (op, count) in {("==", 0), ("<=", 0)}:
            return self._say_of(person, "none", of=noun)
        if (op, count) == ("!=", 0):
            op, count = ">=", 1
        return self._say_of(person, _NUMBERS[op], of=noun, count=count) if op in _NUMBERS else None

    def _call_against_number(self, left: Call, op: str, count: int, person: Person | None) -> str | None:  # noqa: PLR0911 (one for each pattern)
        if left.function in _OF_OTHERS:
            return self._against_number(left.arguments[-1], op, count, self._asked(left, person))
        if left.function in _AT_SEATS:
            return self._at_seats(left, op, count)
        if left.function in _OVER_SEATS:
            return self._over_against_number(left, op, count)
        if left.function == "cards" and len(left.arguments) == 1:
            return self._lying(_first_name(left), op, count, person)
        if left.function == "kinds" and op in {"==", ">="} and count == len(left.arguments):
            return self._say_of(person, "all_kinds", names=self._names(left))
        if left.function == "kinds" and op in _NUMBERS:
            return self._say_of(person, _NUMBERS[op], of=self.noun_of(left), count=count)
        if left.function == "gained" and (op, count) in {(">=", 1), ("!=", 0)}:
            return self._say_of(person, "gained", of=self.noun_of(left.arguments[0]))
        if left.function == "gained" and (op, count) in {("<=", 0), ("==", 0)}:
            return self._say_of(person, "gained_not", of=self.noun_of(left.arguments[0]))
        return None

    def _lying(self, zone: str, op: str, count: int, person: Person | None) -> str | None:
        """How many cards lie in a zone."""
        if (op, count) in {("==", 0), ("<=", 0)}:
            return self._say_of(person, self._zone_key("empty", zone), zone=self.zone(zone))
        if (op, count) == ("!=", 0):
            op, count = ">=", 1
        key = self._zone_key(f"lying_{_NUMBERS[op]}", zone) if op in _NUMBERS else ""
        return self._say_of(person, key, zone=self.zone(zone), count=count) if key else None

    def _zone_key(self, key: str, zone: str) -> str:
        return f"{key}_hand" if zone == "hand" else f"{key}_front" if zone == "tableau" else key

    def _divided(self, own: Expr, size: int | None, rest: int, person: Person | None) -> str | None:
        """What a number leaves when it is divided; below zero where it is not so (−1 for a rest of 0)."""
        text = self.amount(own, person)
        if size == _TWICE and rest in {0, 1, -1, -2}:
            return self.say("cond.even" if rest in {0, -2} else "cond.odd", text=text)
        if size and rest in {0, -1}:
            return self.say("cond.divisible" if rest == 0 else "cond.not_divisible", text=text, count=size)
        return None

    def _at_seats(self, expr: Call, op: str, count: int) -> str | None:
        """At how many seats something holds, in as plain words as can be."""
        others = "others" if expr.function == "others_with" else "seats"
        (what,) = expr.arguments
        some, none = (op, count) in {(">=", 1), ("!=", 0)}, (op, count) in {("==", 0), ("<=", 0)}
        if (some or none) and _has_subject(what):
            return self.condition(what, self._person(f"{others}_{'some' if some else 'none'}"))
        if op not in _NUMBERS:
            return None
        text = self.condition(what, self._person("they", persons=2))
        key = "none" if none else _NUMBERS[op]
        return self.say(f"cond.{others}_{key}", text=text, count=count)

    def _over_against_number(self, left: Call, op: str, count: int) -> str | None:
        """The largest, the smallest, or the sum of what all players (or all others) have."""
        (own,) = left.arguments
        if not isinstance(own, Name) or self._is_nobodys(own):
            return None
        others = "others" if left.function.startswith("others") else "seats"
        if left.function.endswith("total"):
            return self._has(own, op, count, self._person(f"{others}_all", persons=2))
        if op not in {">=", "<="}:
            return None
        some = op == (">=" if left.function.endswith("most") else "<=")
        return self._has(own, op, count, self._person(f"{others}_some" if some else f"{others}_each"))

    def _against_others(self, left: Expr, op: str, right: Expr, person: Person | None) -> str | None:
        if isinstance(left, Call) and isinstance(right, Call) and (left.function, right.function) == ("most", "fewest"):
            return self.say("cond.differ", of=self.noun_of(right.arguments[0])) if op in {">", "!="} else None
        key = _AGAINST_OTHERS.get((op, right.function)) if isinstance(right, Call) else None
        if key is not None and isinstance(right, Call) and right.arguments[0] == left:
            return self._say_of(person, key, of=self.noun_of(left))
        return self._between(left, op, right, person)

    def _between(self, left: Expr, op: str, right: Expr, person: Person | None) -> str | None:
        """Two numbers that somebody has, or one and a number of a card."""
        one, other = self._owned(left, person), self._owned(right, person)
        if one is None:
            return None if other is None else self._between(right, _TURNED[op], left, person)
        noun = self.noun_of(one[0])
        if other is not None and one[0] == other[0] and one[1] != other[1]:
            if one[1] is not None and other[1] is None and person is None:
                return self._between(right, _TURNED[op], left, person)
            whom = self.say("person.you") if other[1] is None else other[1].who
            that = self.say("person.yours") if other[1] is None else self.say("person.that", who=other[1].who)
            return self._say_of(one[1], _THAN[op], of=noun, whom=whom, that=that)
        if (other is not None and one[1] == other[1]) or (isinstance(right, Name) and right.id.startswith("its.")):
            return self._say_of(one[1], f"{_THAN[op]}_of", of=noun, than=self.noun_of(right))
        return None

    # ── Numbers ───────────────────────────────────────────────────────────────────────────────────────────────────────

    def amount(self, expr: Expr, person: Person | None = None) -> str:
        """A number that a formula works out, in the middle of a sentence."""
        value = self.constant(expr)
        if value is not None:
            return signed(value)
        match expr:
            case Name():
                return self._number_of(expr, person)
            case Call():
                said = self._called(expr, person)
            case Conditional(then, condition, otherwise):
                then_, other = self.amount(then, person), self.amount(otherwise, person)
                said = self.say("expr.choice", then=then_, condition=self.condition(condition, person), other=other)
            case Binary():
                said = self._by_rounds(expr) or self._worked_out(expr, person)
            case Unary("-", operand):
                said = self.say("expr.minus", text=self._inside(operand, person))
            case _:
                said = None
        return said or self.say("expr.written", text=self.written(expr))

    def _number_of(self, own: Name, person: Person | None) -> str:
        if self.has(f"fact.{own.id}"):
            return self.say(f"fact.{own.id}")
        noun = self.noun_of(own)
        if self._is_shared(own.id):
            return self.say("expr.shared", of=noun)
        if person is None or self._is_nobodys(own):
            return self.say("expr.count", of=noun)
        return self.say("expr.count_of", of=noun, whose=person.whose)

    def _inside(self, expr: Expr, person: Person | None) -> str:
        """A number as a part of another one, in parentheses if it has parts that could be taken for the other's."""
        text = self.amount(expr, person)
        loose = isinstance(expr, Conditional) or (isinstance(expr, Binary) and expr.op in {"+", "-"})
        bare = not loose or self.constant(expr) is not None or self._by_rounds(expr) is not None
        return text if bare else self.say("expr.inside", text=text)

    def _by_rounds(self, expr: Expr) -> str | None:
        """What only the round decides, with its number for each round."""
        if ("name", "round") not in references(expr):
            return None
        found = [self._value(expr, round=at) for at in range(1, self.model.rounds + 1)]
        numbers = [signed(own) for own in found if own is not None]
        if len(numbers) < len(found):
            return None
        listed = self.listed([str(at) for at in range(1, len(found) + 1)])
        in_rounds = self.say("rounds", count=len(found), list=listed)
        return self.say("expr.by_round", numbers=self.listed(numbers, "or"), rounds=in_rounds)

    def _worked_out(self, expr: Binary, person: Person | None) -> str | None:
        left, right = expr.left, expr.right
        count, size = self.constant(left), self.constant(right)
        if expr.op == "*" and (count is not None or size is not None):
            factor, other = (count, right) if count is not None else (size, left)
            text = self._inside(other, person)
            return self.say("expr.twice" if factor == _TWICE else "expr.times", count=factor, text=text)
        if expr.op == "*" and left == right:
            return self.say("expr.square", text=self._inside(left, person))
        if expr.op == "//" and isinstance(left, Name) and size is not None and not self._is_nobodys(left):
            return self.say("expr.groups", of=self.noun_of(left), count=size) if person is None else None
        if expr.op == "-" and (sign := self._sign(left, right, person)) is not None:
            return sign
        key = {"+": "sum", "-": "difference", "*": "product", "//": "quotient", "%": "rest"}[expr.op]
        if expr.op == "+":
            said = self.amount(left, person), self.amount(right, person)
        else:
            said = self._inside(left, person), self._inside(right, person)
        return self.say(f"expr.{key}", left=said[0], right=said[1])

    def _sign(self, left: Expr, right: Expr, person: Person | None) -> str | None:
        """``(a > b) - (a < b)``."""
        match left, right:
            case (
                Conditional(Number(1), Compare(">", a, b) as more, Number(0)),
                Conditional(Number(1), Compare("<", c, d) as fewer, Number(0)),
            ) if a == c and b == d:
                yes, no = self.condition(more, person), self.condition(fewer, person)
                return self.say("expr.sign", condition=yes, other=no)
        return None

    def _called(self, expr: Call, person: Person | None) -> str | None:  # noqa: PLR0911 (one for each pattern)
        function, arguments = expr.function, expr.arguments
        if function in _OF_OTHERS:
            return self.amount(arguments[-1], self._asked(expr, person))
        if function in _OVER_SEATS:
            return self._over_seats(expr)
        if function in _AT_SEATS:
            text = self.condition(arguments[0], self._person("they", persons=2))
            return self.say(f"expr.{function}", text=text)
        if function in {"max", "min"}:
            return self._extreme(expr, person)
        match expr:
            case Call("top"):
                return self._top(expr, person)
            case Call("abs", (Binary("-", left, right),)):
                return self.say("expr.apart", left=self.amount(left, person), right=self.amount(right, person))
            case Call("abs", (own,)):
                return self.say("expr.abs", text=self.amount(own, person))
        return self._counted(expr, person)

    def _counted(self, expr: Call, person: Person | None) -> str | None:  # noqa: PLR0911 (one for each pattern)
        match expr:
            case Call("kinds"):
                return self._kinds(expr)
            case Call("gained", (own,)):
                return self.say("expr.gained", of=self.noun_of(own))
            case Call("cards", (Name(zone), Name() as what)):
                return self.say("expr.lying", of=self.noun_of(Name(what.id.removeprefix("its."))), zone=self.zone(zone))
            case Call("highest" | "lowest", (Name(zone), Name() as what, otherwise)):
                number = what.id.removeprefix("its.").replace("_", " ")
                other = self.amount(otherwise, person)
                return self.say(f"expr.{expr.function}", number=number, zone=self.zone(zone), other=other)
            case Call("cards", (Name(zone),)):
                return self.say(self._zone_key("expr.cards", zone), zone=self.zone(zone))
            case Call("best_of"):
                return self.say("expr.best_of")
        return None

    def _kinds(self, expr: Call) -> str:
        family = self.family_of(_names_in(expr))
        if family is not None:
            return self.say("expr.count", of=self.noun_of(expr))
        return self.say("expr.kinds", names=self._names(expr))

    def _over_seats(self, expr: Call) -> str:
        (own,) = expr.arguments
        if isinstance(own, Name) and not self._is_nobodys(own):
            return self.say(f"expr.{expr.function}", of=self.noun_of(own))
        return self.say(f"expr.{expr.function}", of=_phrase(self.amount(own, self._person("they", persons=2))))

    def _extreme(self, expr: Call, person: Person | None) -> str:
        """The largest or smallest of several, or a number with a limit."""
        largest = expr.function == "max"
        if person is None and all(isinstance(own, Name) and not self._is_nobodys(own) for own in expr.arguments):
            return self.say("expr.largest" if largest else "expr.smallest", names=self._names(expr))
        limits = [own for own in expr.arguments if self.constant(own) is not None]
        rest = [own for own in expr.arguments if own not in limits]
        if len(limits) == 1 and len(rest) == 1:
            key = "expr.no_less" if largest else "expr.no_more"
            return self.say(key, text=self._inside(rest[0], person), count=self.constant(limits[0]))
        listed = self.listed([self.amount(own, person) for own in expr.arguments])
        return self.say("expr.largest_of" if largest else "expr.smallest_of", list=listed)

    def _top(self, expr: Call, person: Person | None) -> str:
        first, *values = expr.arguments
        count = self.constant(first)
        if count == 1 and len(values) > 1:
            return self._extreme(Call("max", tuple(values)), person)
        whole = count is not None and count >= len(values)
        alike = _alike(values)
        if alike is not None:
            names = self.listed([self._named(name).forms["name"] for name in alike[1]])
            family = self.family_of(alike[1])
            text = self.amount(alike[0], person)
            each = self.say("expr.each_of", names=names if family is None else family.forms["name"], text=text)
            return each if whole else self.say("expr.top_each", count=self.amount(first, person), text=each)
        listed = self.listed([self.amount(own, person) for own in values])
        if whole:
            return self.say("expr.all", list=listed)
        return self.say("expr.top", count=self.amount(first, person), list=listed)

    # ── In signs ──────────────────────────────────────────────────────────────────────────────────────────────────────

    def written(self, expr: Expr) -> str:  # noqa: PLR0911 (one for each kind of node)
        """A formula with labels for names, in signs."""
        match expr:
            case Number():
                return signed(expr.value)
            case Name():
                return self.noun_of(expr).forms["name"]
            case Call():
                return f"{expr.function}({', '.join(self.written(own) for own in expr.arguments)})"
            case Unary():
                return f"{'−' if expr.op == '-' else expr.op + ' '}{self._in_parentheses(expr.operand)}"
            case Conditional():
                then, other = self._in_parentheses(expr.then), self._in_parentheses(expr.otherwise)
                return f"{then} ({self.condition(expr.condition)}) / {other}"
            case Binary() | Compare() | Logic():
                sign = {"*": "×", "-": "−", "//": "÷"}.get(expr.op, expr.op)
                return f"{self._in_parentheses(expr.left)} {sign} {self._in_parentheses(expr.right)}"
        return str(expr.value).lower()

    def _in_parentheses(self, expr: Expr) -> str:
        text = self.written(expr)
        return text if isinstance(expr, Number | Name | Call) else f"({text})"

    def holder(self, expr: Expr) -> str | None:
        """The marker whose holder has most of what a formula says, if it says nothing else."""
        if isinstance(expr, Conditional) and isinstance(expr.condition, Call) and expr.condition.function == "holds":
            return self.thing(_first_name(expr.condition))
        return self.thing(_first_name(expr)) if isinstance(expr, Call) and expr.function == "holds" else None


def _phrase(text: str) -> Noun:
    return Noun("phrase", {"one": text, "few": text, "many": text, "acc": text, "name": text})


def _first_name(expr: Call) -> str:
    first = expr.arguments[0]
    assert isinstance(first, Name)
    return first.id


def _is_kinds(expr: Expr) -> bool:
    return isinstance(expr, Call) and expr.function == "kinds"


def _names_in(expr: Call) -> set[str]:
    return {own.id for own in expr.arguments if isinstance(own, Name)}


def _has_subject(expr: Expr) -> bool:
    """Does a condition say one thing of one player, so that it can be said of no player at all."""
    match expr:
        case Compare(_, Name(), Number() | Call("my", (Name(),))) | Compare(_, Call("gained"), Number()):
            return True
        case Call("holds"):
            return True
    return False


def _alike(values: Sequence[Expr]) -> tuple[Expr, list[str]] | None:
    """What is said of several cards in the same words: with a name that stands for each, and the cards."""
    if len(values) <= 1:
        return None
    names = [sorted({name for kind, name in references(own) if kind == "name"}) for own in values]
    common = set.intersection(*map(set, names))
    apart = [[own for own in found if own not in common] for found in names]
    if any(len(own) != 1 for own in apart):
        return None
    cards = [own[0] for own in apart]
    said = [_renamed(own, card) for own, card in zip(values, cards, strict=True)]
    plain = isinstance(values[0], Name)
    return (said[0], cards) if all(own == said[0] for own in said) and not plain else None


def _renamed(expr: Expr, card: str) -> Expr:  # noqa: PLR0911 (one for each kind of node)
    """The same with another name for the number of a card."""
    match expr:
        case Name(name):
            return Name(_EACH) if name == card else expr
        case Unary():
            return Unary(expr.op, _renamed(expr.operand, card))
        case Binary():
            return Binary(expr.op, _renamed(expr.left, card), _renamed(expr.right, card))
        case Compare():
            return Compare(expr.op, _renamed(expr.left, card), _renamed(expr.right, card))
        case Logic():
            return Logic(expr.op, _renamed(expr.left, card), _renamed(expr.right, card))
        case Conditional():
            then, condition, other = (_renamed(own, card) for own in parts(expr))
            return Conditional(then, condition, other)
        case Call():
            return Call(expr.function, tuple(_renamed(own, card) for own in expr.arguments))
    return expr
