"""Formula: the points are whatever the formula says, for what no other kind can say.

    balance: {kind: formula, points: 10 - abs(soup - bread)}

Everything a formula can name is allowed, also what the other seats have. Points below zero are a loss.
"""

from __future__ import annotations

from functools import reduce
from typing import TYPE_CHECKING

from msgspec import Struct

from draftengine.model.language.tree import (
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
from draftengine.model.rules.fields import formula
from draftengine.model.rules.kind import OneSeatKind, Progress, QuickReference
from draftengine.support.locale.catalogue import begun_small

if TYPE_CHECKING:
    from collections.abc import Sequence

    from draftengine.model.language.tree import Expr
    from draftengine.model.loading.reader import Reader
    from draftengine.model.records.values import Formula
    from draftengine.model.rules.kind import Constant, Phraser

PROPERTIES = {
    "points": formula("The points of the seat.", ["10 - abs(soup - bread)", "3 if soup == most(soup) else 0"])
}


class Spec(Struct, frozen=True):
    points: Formula


class Numbers(Struct, frozen=True):
    """Nothing is fixed beforehand."""


def read(reader: Reader) -> Spec:
    return Spec(points=reader.formula("points"))


def inputs(spec: Spec) -> tuple[Formula, ...]:
    return (spec.points,)


def constants(_spec: Spec) -> tuple[Formula, ...]:
    return ()


def resolve(_spec: Spec, _constant: Constant) -> Numbers:
    return Numbers()


def score(_numbers: Numbers, values: Sequence[int]) -> int:
    """Take the value as it is."""
    (points,) = values
    return int(points)


def explain(_numbers: Numbers, _values: Sequence[int], points: int) -> str:
    return f"by the formula: {points}"


def progress(_numbers: Numbers, values: Sequence[int]) -> Progress:
    """A formula counts whatever it likes: all that can be told are its points."""
    return Progress(values[0])


def sentence(spec: Spec, numbers: Numbers, speaker: Phraser) -> str:  # noqa: ARG001 (a formula has no numbers)
    return _said(spec.points.expr, speaker)


def _said(expr: Expr, speaker: Phraser) -> str:
    """Everything that gives points in a sentence of its own; what has none is worked out in one."""
    sentences: list[str] = []
    rest: list[Expr] = []
    terms = _terms(expr)
    for term in [term for term in terms if not isinstance(term, Number) or term.value] or terms:
        sentence_ = _natural(term, speaker)
        if sentence_ is None:
            rest.append(term)
        else:
            sentences.append(sentence_)
    if rest:
        sentences.append(
            speaker.phrase("formula", text=speaker.amount(reduce(lambda one, other: Binary("+", one, other), rest)))
        )
    return speaker.phrase("space").join(sentences)


def _terms(expr: Expr) -> list[Expr]:
    """What is added up."""
    match expr:
        case Binary("+", left, right):
            return [*_terms(left), *_terms(right)]
        case Binary("-", left, right) if _is_cost(right):
            return [*_terms(left), Unary("-", right)]
    return [expr]


def _is_cost(expr: Expr) -> bool:
    """Does it cost points for each of something, which can be said by itself."""
    match expr:
        case Name() | Call("cards", (Name(),) | (Name(), Name())):
            return True
        case Binary("*", Number(), Name() | Call() | Conditional() as factor) | Binary(
            "*", Name() | Call() as factor, Number()
        ):
            return _is_cost(factor)
        case Conditional(then, _, otherwise):
            return all(isinstance(branch, Number) or _is_cost(branch) for branch in (then, otherwise))
    return False


def _natural(expr: Expr, speaker: Phraser) -> str | None:  # noqa: PLR0911 (one for each pattern)
    """A sentence that a person would say; ``None`` if there is none."""
    value = speaker.constant(expr)
    if value is not None:
        return speaker.phrase("formula.number" if value else "formula.nothing", points=value)
    match expr:
        case Conditional(then, condition, otherwise):
            return _choice(then, condition, otherwise, speaker)
        case Unary("-", Conditional(then, condition, otherwise)):
            return _choice(Unary("-", then), condition, Unary("-", otherwise), speaker)
        case Unary("-", Binary("*", Number() as count, Conditional(then, condition, otherwise))):
            less = (Unary("-", Binary("*", count, branch)) for branch in (then, otherwise))
            return _choice(next(less), condition, next(less), speaker)
        case Unary("-", cost) if _is_cost(cost):
            points, what = _product(cost, speaker)
            return speaker.phrase("each.loss", of=speaker.noun_of(what[0]), points=points)
        case Binary("*"):
            points, what = _product(expr, speaker)
            return _times(points, what, speaker) if points > 0 else _cost(points, what, speaker)
        case Name() | Binary("//") | Call("min" | "kinds" | "cards"):
            return _each(1, expr, speaker)
        case Call("best_of"):
            return speaker.phrase("formula.best_of")
        case Comparison() | LogicalOp():
            return speaker.phrase("formula.if", condition=speaker.condition(expr), points=1)
    return None


def _cost(points: int, what: list[Expr], speaker: Phraser) -> str | None:
    """What each of something costs, or what one thing costs."""
    match what:
        case [cost] if _is_cost(cost):
            return _natural(Unary("-", Binary("*", Number(-points), cost)), speaker)
    return None


def _product(expr: Expr, speaker: Phraser) -> tuple[int, list[Expr]]:
    """The number in a product, and what it is taken times."""
    value = speaker.constant(expr)
    if value is not None:
        return value, []
    if isinstance(expr, Binary) and expr.op == "*":
        (one, some), (other, more) = _product(expr.left, speaker), _product(expr.right, speaker)
        return one * other, [*some, *more]
    return 1, [expr]


def _times(points: int, factors: list[Expr], speaker: Phraser) -> str | None:
    if len(factors) == 1:
        (factor,) = factors
        if isinstance(factor, Conditional):  # so that the condition comes first
            then, other = (Binary("*", Number(points), branch) for branch in (factor.then, factor.otherwise))
            return _choice(then, factor.condition, other, speaker)
        return _each(points, factor, speaker)
    for factor in factors:
        if isinstance(factor, Name) and factors.count(factor) == 1 and (noun := speaker.noun_of(factor)).sort == "card":
            rest = [other for other in factors if other is not factor]
            whole = reduce(
                lambda one, other: Binary("*", one, other), [*([Number(points)] if points > 1 else []), *rest]
            )
            if all(_natural(term, speaker) is not None for term in _terms(whole)):
                return speaker.phrase("on_cards", of=noun, text=begun_small(_said(whole, speaker)))
            return speaker.phrase("formula.each_card", of=noun, text=speaker.amount(whole))
    return None


def _each(points: int, expr: Expr, speaker: Phraser) -> str | None:
    match expr:
        case Binary("//", count, size) if isinstance(number := speaker.constant(size), int) and number > 1:
            noun = speaker.noun_of(count)
            if noun.sort != "phrase":
                return speaker.phrase("set", of=noun, size=number, points=points)
        case Name() | Call("kinds") | Call("cards", (Name(),) | (Name(), Name())):
            return speaker.phrase("each", of=speaker.noun_of(expr), points=points)
        case Call("min", several) if all(isinstance(name, Name) for name in several):
            pieces = [speaker.phrase("collection.part", of=speaker.noun_of(name)) for name in several]
            return speaker.phrase("collection", parts=speaker.join_list(pieces), points=points)
    return None if points == 1 else speaker.phrase("formula.times", points=points, text=speaker.inside(expr))


def _choice(then: Expr, condition: Expr, otherwise: Expr, speaker: Phraser) -> str:
    if speaker.constant(then) == 0 and complement(condition) is not None:  # nobody begins with what gives nothing
        then, condition, otherwise = otherwise, Unary("not", condition), then
    phrase, yes, no = speaker.condition(condition), speaker.constant(then), speaker.constant(otherwise)
    if yes is not None and no is not None:
        key = "formula.if" if no == 0 else "formula.either"
        if yes < 0:
            key = "formula.if_loss" if no == 0 else "formula.either_loss"
        return speaker.phrase(key, condition=phrase, points=abs(yes), other=no)
    rest = (
        "" if no == 0 else speaker.phrase("space") + speaker.phrase("formula.otherwise", text=_said(otherwise, speaker))
    )
    return speaker.phrase("formula.only_if", condition=phrase, text=_said(then, speaker)) + rest


def quick_reference(spec: Spec, _numbers: Numbers, speaker: Phraser) -> QuickReference:
    value = speaker.constant(spec.points.expr)
    return QuickReference(speaker.phrase("quick.formula"), () if value is None else (("", str(value)),))


def example_text(_numbers: Numbers, _values: Sequence[int], points: int, speaker: Phraser) -> str:
    return speaker.phrase("told.points", points=points)


def example_values(_numbers: Numbers) -> tuple[tuple[int, ...], ...]:
    return ()


KIND = OneSeatKind(
    name="formula",
    title="Points by a formula",
    properties=PROPERTIES,
    required=("points",),
    read=read,
    inputs=inputs,
    constants=constants,
    resolve=resolve,
    score=score,
    explain=explain,
    progress=progress,
    sentence=sentence,
    quick_reference=quick_reference,
    example_text=example_text,
    example_values=example_values,
)
