"""In turn: one player after the other carries out steps, and each sees what was done before.

    - in_turn:
        by: bid
        do:
          - draw: {from: market, to: won, cards: 1}
          - move: {from: won, to: tableau, played: true}

Players and order are fixed when the step begins. Those for whom `who` holds take part. The smallest `by` comes first;
equal ones follow from the holder of `from` to the left.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, ClassVar

from draftengine.model.language.tree import Binary, Number, Unary
from draftengine.model.records.record import HolderOf, SeatCondition, SeatNumber, field
from draftengine.model.records.schema_fragments import list_of, ref
from draftengine.model.verbs.verb import Step, Verb

if TYPE_CHECKING:
    from draftengine.model.flow import DryRun, Position
    from draftengine.model.language.tree import Expr
    from draftengine.model.rules.kind import Phraser
    from draftengine.model.verbs.verb import Words


class InTurnStep(Step, frozen=True, kw_only=True):
    verb: ClassVar[str] = "in_turn"

    from_: Annotated[HolderOf | None, field("From", "The marker whose holder begins; else seat 0.", "starter")] = None
    by: Annotated[SeatNumber | None, field("By", "The smallest comes first; equal ones by seat.", "bid")] = None
    who: Annotated[SeatCondition | None, field("Who", "Only players for which this holds.", "bid > 0")] = None
    do: Annotated[
        tuple[Step, ...],
        field(
            "Do",
            "What each of them does.",
            schema=list_of(ref("list_step"), 40),
            read=lambda reader, name: reader.steps(name, for_one=True),
        ),
    ]

    @property
    def within(self) -> tuple[Step, ...]:
        return self.do


def count_cards(step: InTurnStep, run: DryRun, positions: list[Position]) -> list[Position]:
    run.counts.choices += 1
    ordered = step.by is not None or step.from_ is not None
    return run.lists.run_in_turn(step.do, positions, perhaps=step.who is not None, ordered=ordered)


def sentence(step: InTurnStep, words: Words) -> str:
    marker = None if step.from_ is None else words.marker(step.from_)
    by = [] if step.by is None else [order_said(step.by.expr, words)]
    phrases = [words.phrase("in_turn"), *by]
    if marker and by:
        phrases.append(words.phrase("in_turn.equal", marker=marker))
    elif marker:
        phrases = [words.phrase("in_turn.from", marker=marker)]
    if step.who is not None:
        phrases.append(words.phrase("in_turn.who", condition=words.condition(step.who.expr)))
    return words.phrase("space").join(phrases)


def order_said(expr: Expr, words: Phraser) -> str:
    """Phrase which seat comes first: that with the smallest value, or the largest if it is negated."""
    match expr:
        case Binary("-", Number(0), upside_down) | Unary("-", upside_down):
            return words.phrase("in_turn.by_highest", of=words.noun_of(upside_down))
        case Binary("-", Binary("-", Number(0), one), other):
            return words.phrase("in_turn.by_highest", of=words.noun_of(Binary("+", one, other)))
    return words.phrase("in_turn.by", of=words.noun_of(expr))


VERB = Verb(
    spec=InTurnStep,
    said=field("In turn", "One player after the other does some things.", {"do": [{"choose": {"from": "hand"}}]}),
    count_cards=count_cards,
    sentence=sentence,
    leads=True,
)
