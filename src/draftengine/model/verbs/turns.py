"""Repeat, in_turn, score and end: the verbs that control the course of the game."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

from draftengine.model.language.tree import Binary, Number, Unary
from draftengine.model.records.record import Condition, FlowNumber, HolderOf, LabelName, SeatNumber, ZoneName, field
from draftengine.model.records.schema_fragments import ref
from draftengine.model.verbs.verb import Problem, Step, read_list, read_steps

if TYPE_CHECKING:
    from collections.abc import Iterator

    from draftengine.model.language.tree import Expr
    from draftengine.model.rules.kind import Phraser
    from draftengine.model.verbs.verb import Words, Zones


class RepeatStep(Step, frozen=True, kw_only=True):
    """Repeat: `do` is carried out several times, or until a condition holds. Each pass is a turn.

    - repeat: {until_empty: hand, do: [...]}
    - repeat: {until: most(points) >= 20, at_most: 12, do: [...]}

    Before play, the dry run must prove that the repeat ends: its number of turns is limited, or a zone only shrinks.
    """

    verb = "repeat"
    said = field("Repeat", "Carry out `do` several times. Each pass is a turn.", {"until_empty": "hand", "do": []})
    one_of = ("until_empty", "times", "until")

    until_empty: Annotated[
        ZoneName | None, field("Until empty", "The turns end when nobody has cards in this zone.", "hand")
    ] = None
    times: Annotated[FlowNumber | None, field("Times", "The number of turns.", 7)] = None
    until: Annotated[
        Condition | None, field("Until", "The turns end when this condition holds after a turn.", "turn == 5")
    ] = None
    at_most: Annotated[
        FlowNumber | None, field("At most", "The largest number of turns, even if nothing else ends them.", 12)
    ] = None
    do: Annotated[tuple[Step, ...], field("Do", "The steps of one turn.", schema=ref("steps"), read=read_steps)]

    @property
    def within(self) -> tuple[Step, ...]:
        return self.do

    def problems(self, zones: Zones) -> Iterator[Problem]:
        if self.until_empty in {"tableau", "discard"} and self.until_empty in zones:
            yield Problem(self.until_empty, "never-empty")

    def sentence(self, words: Words) -> str:
        phrase = _sentence(self, words)
        if self.at_most is None or self.until is not None:  # players ignore a bound beside `until`
            return phrase
        limit = words.cards(self.at_most)
        return phrase + words.phrase("space") + words.phrase("repeat.at_most", times=limit.numbers, count=limit.count)


def _sentence(step: RepeatStep, words: Words) -> str:
    if step.times is not None:
        times = words.cards(step.times)
        text = f"{times.numbers} ×" if times.single is None else words.phrase("repeat.count", count=times.single)
        return words.phrase("repeat.times", times=text)
    if step.until is not None:
        return words.phrase("repeat.until", condition=words.condition(step.until.expr))
    if step.until_empty == "hand":
        return words.phrase("repeat.hands")
    return words.phrase("repeat.empty", zone=words.zone(str(step.until_empty)), count=1)


class InTurnStep(Step, frozen=True, kw_only=True):
    """In turn: one player after the other carries out steps, and sees what the players before have done.

        - in_turn:
            by: bid
            do:
              - draw: {from: market, to: won, cards: 1}
              - move: {from: won, to: tableau, played: true}

    The players and their order are fixed when the step begins. The key `who` of the step says which players take part.
    The player with the smallest `by` comes first. Players with equal values follow in turn order, starting with the
    holder of `from`. With `back`, all players do it once more in reverse order, so the last player does it twice in a
    row.
    """

    verb = "in_turn"
    said = field(
        "In turn", "One player after the other carries out some steps.", {"do": [{"choose": {"from": "hand"}}]}
    )
    leads = True
    takes_who = True

    from_: Annotated[
        HolderOf | None, field("From", "The marker whose holder comes first. Default: seat 0 does.", "starter")
    ] = None
    by: Annotated[
        SeatNumber | None,
        field("By", "The number that decides the order: the smallest comes first, and ties go by seat.", "bid"),
    ] = None
    back: Annotated[bool, field("Back", "True if the players then do it once more, in reverse order.")] = False
    do: Annotated[
        tuple[Step, ...], field("Do", "The steps that each player carries out.", schema=ref("steps"), read=read_list)
    ]

    @property
    def within(self) -> tuple[Step, ...]:
        return self.do

    def sentence(self, words: Words) -> str:
        marker = None if self.from_ is None else words.marker(self.from_)
        by = [] if self.by is None else [order_said(self.by.expr, words)]
        phrases = [words.phrase("in_turn"), *by]
        if marker and by:
            phrases.append(words.phrase("in_turn.equal", marker=marker))
        elif marker:
            phrases = [words.phrase("in_turn.from", marker=marker)]
        if self.who is not None:
            phrases.append(words.phrase("in_turn.who", condition=words.condition(self.who.condition(self.span).expr)))
        if self.back:
            phrases.append(words.phrase("in_turn.back"))
        return words.phrase("space").join(phrases)


def order_said(expr: Expr, words: Phraser) -> str:
    """Phrase which seat comes first: that with the smallest value or, after a minus sign, the largest."""
    match expr:
        case Binary("-", Number(0), upside_down) | Unary("-", upside_down):
            return words.phrase("in_turn.by_highest", of=words.noun_of(upside_down))
        case Binary("-", Binary("-", Number(0), one), other):
            return words.phrase("in_turn.by_highest", of=words.noun_of(Binary("+", one, other)))
    return words.phrase("in_turn.by", of=words.noun_of(expr))


class ScoreStep(Step, frozen=True, kw_only=True):
    """Score: all rules whose `at` is the label are scored. Then the triggers of the label run.

    - score: round
    """

    verb = "score"
    bare = True

    label: Annotated[LabelName, field("Score", "Score every rule whose `at` is this label.", "round")]

    def sentence(self, words: Words) -> str:
        if self.label not in {"round", "game"}:
            return words.phrase("score", label=self.label.replace("_", " "))
        paid = f".{words.paid_in}" if words.paid_in and self.label == "round" else ""
        return words.phrase(f"score.{self.label}{paid}", list=words.money)


class EndStep(Step, frozen=True, kw_only=True):
    """End: the round or the game ends immediately, without the remaining steps of the round.

    - {end: game, when: "most(points) >= 20"}

    When a game ends, its `finish` is carried out and then the winners are determined.
    """

    verb = "end"
    bare = True

    what: Annotated[
        Literal["round", "game"], field("End", "The part that ends immediately: the round or the game.", "game")
    ]

    def sentence(self, words: Words) -> str:
        return words.phrase(f"end.{self.what}")
