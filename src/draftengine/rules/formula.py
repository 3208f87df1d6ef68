"""Formula: the points are whatever the formula says, for what no other kind can say.

    balance: {kind: formula, points: 10 - abs(soup - bread)}

Everything a formula can name is allowed, also what the other seats have. Points below zero are a loss.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from draftengine.language.tree import Binary, Call, Compare, Conditional, Logic, Name
from draftengine.rules.fragments import formula
from draftengine.rules.kind import OneSeatKind, Progress, Short

if TYPE_CHECKING:
    from collections.abc import Sequence

    from draftengine.cardset.reader import Reader
    from draftengine.language.tree import Expr
    from draftengine.records.values import Formula
    from draftengine.rules.kind import Constant, Speaker

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


def sentence(spec: Spec, numbers: Numbers, speaker: Speaker) -> str:  # noqa: ARG001 (a formula has no numbers)
    return _said(spec.points.expr, speaker)


def _said(expr: Expr, speaker: Speaker) -> str:  # noqa: PLR0911 (one for each pattern)
    value = speaker.constant(expr)
    if value is not None:
        return speaker.say("formula.number", points=value)
    match expr:
        case Conditional(then, condition, otherwise):
            return _choice(then, condition, otherwise, speaker)
        case Binary("*", left, right):
            factor, other = (left, right) if speaker.constant(left) is not None else (right, left)
            points = speaker.constant(factor)
            if points is not None and points > 0:
                return _each(points, other, speaker)
            return speaker.say("formula.product", left=speaker.amount(left), right=speaker.amount(right))
        case Name() | Binary("//"):
            return _each(1, expr, speaker)
        case Call("top"):
            return speaker.say("formula", text=speaker.amount(expr))
        case Call("best_of"):
            return speaker.say("formula.best_of")
        case Call("min", (left, right)):
            pair = [speaker.say("collection.part", of=speaker.noun_of(own)) for own in (left, right)]
            return speaker.say("collection", parts=speaker.listed(pair), points=1)
        case Compare() | Logic():
            return speaker.say("formula.if", condition=speaker.condition(expr), points=1)
    return speaker.say("formula", text=speaker.written(expr))


def _each(points: int, expr: Expr, speaker: Speaker) -> str:
    match expr:
        case Binary("//", own, size) if isinstance(number := speaker.constant(size), int) and number > 1:
            return speaker.say("set", of=speaker.noun_of(own), size=number, points=points)
        case Name() | Call("kinds"):
            return speaker.say("each", of=speaker.noun_of(expr), points=points)
    return speaker.say("formula.times", points=points, text=speaker.amount(expr))


def _choice(then: Expr, condition: Expr, otherwise: Expr, speaker: Speaker) -> str:
    said, yes, no = speaker.condition(condition), speaker.constant(then), speaker.constant(otherwise)
    if yes is not None and no is not None:
        key = "formula.if" if no == 0 else "formula.either"
        if yes < 0:
            key = "formula.if_loss" if no == 0 else "formula.either_loss"
        return speaker.say(key, condition=said, points=abs(yes), other=no)
    rest = "" if no == 0 else speaker.say("space") + speaker.say("formula.otherwise", text=_said(otherwise, speaker))
    return speaker.say("formula.only_if", condition=said, text=_said(then, speaker)) + rest


def short(spec: Spec, _numbers: Numbers, speaker: Speaker) -> Short:
    value = speaker.constant(spec.points.expr)
    return Short(speaker.say("quick.formula"), () if value is None else (("", str(value)),))


def told(_numbers: Numbers, _values: Sequence[int], points: int, speaker: Speaker) -> str:
    return speaker.say("told.points", points=points)


def shown(_numbers: Numbers) -> tuple[tuple[int, ...], ...]:
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
    short=short,
    told=told,
    shown=shown,
)
