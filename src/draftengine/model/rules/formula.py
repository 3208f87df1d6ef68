"""Rule kind *formula*: a formula computes the points. It serves rules that no other kind can express.

    balance: {points: 10 - abs(soup - bread)}

The formula may use every name, and may read values of other seats. Negative points are a loss.
"""

from __future__ import annotations

from collections import Counter
from functools import partial, reduce
from typing import TYPE_CHECKING, Annotated

from draftengine.model.language.evaluate import references
from draftengine.model.language.macros import NAMED
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
from draftengine.model.rules.kind import Count, N, OneSeatKind, Progress, QuickReference, count, rule_kind
from draftengine.support.locale.catalogue import begun_small
from draftengine.support.locale.phrases import said

if TYPE_CHECKING:
    from collections.abc import Sequence

    from draftengine.model.language.tree import Expr
    from draftengine.model.rules.kind import Phraser
    from draftengine.support.locale.phrases import Phrase


@rule_kind("formula", "Points by a formula")
class Formula(OneSeatKind[N], frozen=True, kw_only=True):
    points: Annotated[
        Count, count("The points of the seat.", "10 - abs(soup - bread)", "3 if soup == most(soup) else 0")
    ]

    def score(self, values: Sequence[int]) -> int:
        return int(values[0])

    def explain(self, _values: Sequence[int], points: int) -> Phrase:
        return said("why.formula", points=str(points))

    def progress(self, values: Sequence[int]) -> Progress:
        """Return the points themselves as the progress, because a formula has no set to complete."""
        return Progress(values[0])

    def sentence(self, _numbers: object, phraser: Phraser) -> str:
        return phrase_sum(self.points.expr, phraser)

    def quick_reference(self, _numbers: object, phraser: Phraser) -> QuickReference:
        value = phraser.constant(self.points.expr)
        return QuickReference(phraser.phrase("quick.formula"), () if value is None else (("", str(value)),))

    def example_text(self, _values: Sequence[int], _points: int, _phraser: Phraser) -> str:
        return ""


def phrase_sum(expr: Expr, phraser: Phraser) -> str:
    """Return a sentence for each term of a sum that can be put naturally, then one for all other terms."""
    terms = summands(expr)
    terms = [term for term in terms if not isinstance(term, Number) or term.value] or terms
    # A sentence said twice would not be added up by its reader.
    terms = [term if times == 1 else Binary("*", Number(times), term) for term, times in Counter(terms).items()]
    # Terms with a definition on the page join the last sentence, which names them. A name alone would not say enough.
    sentences = [None if len(terms) > 1 and phraser.is_defined(term) else phrase_term(term, phraser) for term in terms]
    rest = [term for term, sentence in zip(terms, sentences, strict=True) if sentence is None]
    natural = [sentence for sentence in sentences if sentence is not None]
    if rest:
        natural.append(phraser.phrase("formula", text=phraser.amount(reduce(partial(Binary, "+"), rest))))
    return phraser.phrase("space").join(natural)


def summands(expr: Expr) -> list[Expr]:
    """Return the terms of a sum; a cost that is subtracted becomes a negative term."""
    match expr:
        case Binary("+", left, right):
            return [*summands(left), *summands(right)]
        case Binary("-", left, right) if is_cost(right):
            return [*summands(left), Unary("-", right)]
    return [expr]


def is_cost(expr: Expr) -> bool:
    """True if a subtracted term such as ``2 * soup`` can be worded as "You lose 2 points for each soup"."""
    match expr:
        case Name() | Call("cards", (Name(),) | (Name(), Name())):
            return True
        case Binary("*", Number(), Name() | Call() | Conditional() as part) | Binary(
            "*", Name() | Call() as part, Number()
        ):
            return is_cost(part)
        case Conditional(then, _, otherwise):
            return all(isinstance(part, Number) or is_cost(part) for part in (then, otherwise))
    return False


def phrase_term(expr: Expr, phraser: Phraser) -> str | None:  # noqa: PLR0911 (one case for each pattern)
    """Return a natural sentence for a term of a sum; ``None`` if there is none."""
    value = phraser.constant(expr)
    if value is not None:
        return phraser.phrase("formula.number" if value else "formula.nothing", points=value)
    match expr:
        case Conditional(then, condition, otherwise):
            return phrase_choice(then, condition, otherwise, phraser)
        case Unary("-", Conditional(then, condition, otherwise)):
            return phrase_choice(Unary("-", then), condition, Unary("-", otherwise), phraser)
        case Unary("-", Binary("*", Number() as count, Conditional(then, condition, otherwise))):
            less = (Unary("-", Binary("*", count, part)) for part in (then, otherwise))
            return phrase_choice(next(less), condition, next(less), phraser)
        case Unary("-", part) if is_cost(part):
            points, what = factors_of(part, phraser)
            return phraser.phrase("each.loss", of=phraser.noun_of(what[0]), points=points)
        case Binary("*"):
            points, what = factors_of(expr, phraser)
            if points > 0:
                return phrase_product(points, what, phraser)
            if len(what) == 1 and is_cost(what[0]):
                return phrase_term(Unary("-", Binary("*", Number(-points), what[0])), phraser)
            return None
        case Name() | Binary("//") | Call("min" | "kinds" | "cards"):
            return phrase_each(1, expr, phraser)
        case Call("best_of"):
            return phraser.phrase("formula.best_of")
        case Comparison() | LogicalOp():
            return phraser.phrase("formula.if", condition=phraser.condition(expr), points=1)
    return None


def factors_of(expr: Expr, phraser: Phraser) -> tuple[int, list[Expr]]:
    """Return the constant factor of a product, and all other factors."""
    value = phraser.constant(expr)
    if value is not None:
        return value, []
    if isinstance(expr, Binary) and expr.op == "*":
        (one, some), (other, more) = factors_of(expr.left, phraser), factors_of(expr.right, phraser)
        return one * other, [*some, *more]
    return 1, [expr]


def phrase_product(points: int, factors: list[Expr], phraser: Phraser) -> str | None:
    """Return a sentence for `points` times factors. A card among them becomes "on each of these cards"."""
    if len(factors) == 1:
        (factor,) = factors
        if isinstance(factor, Conditional):  # so that the condition comes first
            then, other = (Binary("*", Number(points), part) for part in (factor.then, factor.otherwise))
            return phrase_choice(then, factor.condition, other, phraser)
        return phrase_each(points, factor, phraser)
    for part in factors:
        if isinstance(part, Name) and factors.count(part) == 1 and (noun := phraser.noun_of(part)).sort == "card":
            rest = [Number(points)] * (points > 1) + [other for other in factors if other is not part]
            whole = reduce(partial(Binary, "*"), rest)
            if all(phrase_term(term, phraser) is not None for term in summands(whole)):
                return phraser.phrase("on_cards", of=noun, text=begun_small(phrase_sum(whole, phraser)))
            return phraser.phrase("formula.each_card", of=noun, text=phraser.amount(whole))
    return None


def phrase_each(points: int, expr: Expr, phraser: Phraser) -> str | None:
    """Return a sentence about points for each card, set of equal cards or set of different cards.

    For another formula, return a phrase such as "2 × …", or None if `points` is 1.
    """
    match expr:
        case Binary("//", part, size) if isinstance(number := phraser.constant(size), int) and number > 1:
            noun = phraser.noun_of(part)
            if noun.sort != "phrase":
                return phraser.phrase("set", of=noun, size=number, points=points)
        case Name() | Call("kinds") | Call("cards", (Name(),) | (Name(), Name())):
            return phraser.phrase("each", of=phraser.noun_of(expr), points=points)
        case Call("min", several) if all(isinstance(part, Name) for part in several):
            pieces = [phraser.phrase("collection.part", of=phraser.noun_of(part)) for part in several]
            return phraser.phrase("collection", parts=phraser.join_list(pieces), points=points)
    return None if points == 1 else phraser.phrase("formula.times", points=points, text=phraser.inside(expr))


def phrase_choice(then: Expr, condition: Expr, otherwise: Expr, phraser: Phraser) -> str | None:
    """Return sentences for points that depend on a condition, and for the points if it does not hold.

    Return ``None`` if the condition compares what the player has named: the rulebook describes each named place
    instead.
    """
    if any(name.startswith(NAMED) for _, name in references(condition)) and isinstance(condition, Comparison):
        return None
    if phraser.constant(then) == 0 and complement(condition) is not None:  # the part that gives points comes first
        then, condition, otherwise = otherwise, Unary("not", condition), then
    clause, yes, no = phraser.condition(condition), phraser.constant(then), phraser.constant(otherwise)
    if yes is not None and no is not None:
        key = "formula.if" if no == 0 else "formula.either"
        if yes < 0:
            key = "formula.if_loss" if no == 0 else "formula.either_loss"
        return phraser.phrase(key, condition=clause, points=abs(yes), other=no)
    rest = (
        ""
        if no == 0
        else phraser.phrase("space") + phraser.phrase("formula.otherwise", text=phrase_sum(otherwise, phraser))
    )
    return phraser.phrase("formula.only_if", condition=clause, text=phrase_sum(then, phraser)) + rest
