"""Verbs *repeat*, *in_turn*, *do*, *score* and *end*, which control the course of the game.

A `do` is a group of steps that are carried out together:

    - who: coins == 0
      do: [{add: {coins: 2}}, {draw: {to: hand}}]
    - when: cards(deck) > 0
      do: [{draw: {to: market}}]
      else: [{end: game}]

The players whom `who` names carry out the list together: all of them do one step before they go on to the next. Without
`who`, a group in the flow has no particular seats. `when` is evaluated once, before the first step. If it does not
hold, the steps of `else` are carried out instead.

The reader adds a group around a step that needs one. An effect in the flow needs one, because ``{add: {coins: 2}}`` is
for all players. A step with `else` needs one, too. So does a step with `who` if it is in a step list, or if its verb
does not handle `who`.

A *step list* belongs to a card, an action or a trigger, and one seat carries it out. There, `when` is about that seat.
The seats that `who` names then do the steps:

    - {who: others, choose: {from: hand, to: discard}}
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Literal, Self

from msgspec import Struct
from msgspec.structs import replace

from draftengine.model.diagnostics import diagnose
from draftengine.model.language.bounds import UNKNOWN, bounds
from draftengine.model.language.evaluate import references
from draftengine.model.language.tree import Binary, Call, Comparison, Conditional, Name, Number, Unary
from draftengine.model.records import Condition, FlowNumber, HolderOf, LabelName, SeatNumber, ZoneName, field
from draftengine.model.records.reader import Formula
from draftengine.model.records.schema_fragments import ref
from draftengine.model.verbs.verb import Problem, Step, read_list, read_steps, with_side
from draftengine.model.verbs.who import Who
from draftengine.support.locale.catalogue import as_clause

if TYPE_CHECKING:
    from collections.abc import Iterator

    from draftengine.model.language.environment import Range
    from draftengine.model.language.tree import Expr
    from draftengine.model.records.reader import ByPlayerCount, Reader
    from draftengine.model.rules.kind import Phraser
    from draftengine.model.verbs.verb import Words, Zones


ELSE = "else"


class DoStep(Step, frozen=True, kw_only=True):
    verb = "do"
    bare = True
    leads = True
    takes_who = True
    in_lists = True
    path_within = ""

    do: Annotated[
        tuple[Step, ...],
        field(
            "Do",
            "Several steps that are carried out together.",
            [{"add": {"coins": 2}}, {"draw": {"to": "hand"}}],
            schema=ref("steps"),
            read=lambda _reader, _name: (),
        ),
    ]
    otherwise: DoStep | None = None
    """The group under `else`, which is carried out if `when` does not hold; ``None`` without `else`."""
    unwritten: bool = False
    """True if the file has no `do` here: the reader added the group around a step."""
    short_for: Step | None = None
    """The step in the file that this group replaces. The rulebook describes the step, not the group."""
    of_other_seats: Step | None = None
    """The step that this group replaces because it names the zone of another seat, but without that seat."""
    instead: bool = False
    """True if this group is the `else` of another group."""
    passes: Formula | None = None
    """For the passes of a repeat in a step list, the number that is carried out; ``None`` if all are.

    It is read once, before the first pass.
    """

    @classmethod
    def read(cls, reader: Reader, **given: Any) -> Self:
        group = super().read(reader, **given)
        steps = read_steps(reader, cls.verb, for_one=group.for_seats)
        return replace(group, do=steps, otherwise=_otherwise(reader, group))

    @classmethod
    def around(cls, step: Step, reader: Reader, parts: tuple[Step, ...]) -> Step:
        if isinstance(step, DoStep):
            return step
        if len(parts) > 1:  # the steps that replace `step`; the group has its sentence
            whole = cls(
                do=tuple(
                    replace(
                        part, id=None, text=(), source=(), who=None, when=None if part.when is step.when else part.when
                    )
                    for part in parts
                ),
                **{key: getattr(step, key) for key in ("id", "who", "when", "text", "source", "span", "for_one")},
                unwritten=True,
                short_for=step,
            )
            if whole.for_seats:
                whole = replace(whole, do=tuple(replace(part, for_one=True) for part in whole.do))
            return replace(whole, otherwise=_otherwise(reader, whole))
        (step,) = parts
        alone = replace(step, who=None) if step.who == Who() and not step.for_one else step
        whom = alone.who is not None and (step.for_one or not step.takes_who)
        by_seats = whom or (step.is_effect and not step.for_one)
        if not by_seats and not reader.has(ELSE):
            return alone
        group = cls(
            do=(replace(alone, id=None, when=None, text=(), source=(), for_one=step.for_one or by_seats),),
            **{key: getattr(step, key) for key in ("id", "when", "text", "source", "span", "for_one")},
            who=(step.who or Who()) if by_seats else None,
            unwritten=True,
        )
        if by_seats:
            group = replace(group, do=(replace(group.do[0], who=None),))
        return replace(group, otherwise=_otherwise(reader, group))

    @property
    def for_seats(self) -> bool:
        """True if each of several seats carries out the steps within, or one seat does in a step list."""
        return self.for_one or self.who is not None

    @property
    def is_nothing_but_steps(self) -> bool:
        """True if the steps within mean the same without the group: it has no condition, text or seats."""
        return not (self.who or self.when or self.otherwise or self.text or self.id or self.unwritten)

    @property
    def within(self) -> tuple[Step, ...]:
        return self.do if self.otherwise is None else (*self.do, self.otherwise)

    @property
    def listed(self) -> tuple[Step, ...]:
        has_one_sentence = self.for_one or (self.unwritten and self.otherwise is None)
        return () if has_one_sentence else self._said

    @property
    def _said(self) -> tuple[Step, ...]:
        """The steps as the rulebook describes them: those in the file, without the keys of the group."""
        if self.short_for is None:
            return self.do
        return (replace(self.short_for, id=None, who=None, when=None, text=(), source=(), for_one=self.for_seats),)

    @property
    def listed_after(self) -> tuple[Step, ...]:
        return () if self.otherwise is None or not self.listed else (self.otherwise,)

    def told(self, text: str, words: Words) -> str:
        whole = super().told(text, words)
        if self.otherwise is None or not self.for_one:
            return whole
        return words.phrase("do.or_else", text=whole, other=_in_a_list(self.otherwise.do, self.who, words))

    def sentence(self, words: Words) -> str:
        text = self._sentence(words)
        return words.phrase("do.else", text=text) if self.instead else text

    def _sentence(self, words: Words) -> str:
        """Return the sentence of the group, without the word that says that it is done instead of another."""
        short = self.short_for
        # Cards that the step brings may be turned by the steps that replace it.
        turned = (step for step in self.do if short and short.verb != step.verb and hasattr(step, "side"))
        side = next((step.side for step in turned if step.side), None)
        if short and not self.otherwise and (self.who is None or (short.takes_who and not self.for_one)):
            return with_side(short.sentence(words), side, words)
        if self.for_one:
            text = with_side(_in_a_list(self._said, self.who, words), side, words)
            other = None if self.otherwise is None else _in_a_list(self.otherwise.do, self.who, words)
            return text if other is None else words.phrase("do.or_else", text=text, other=other)
        if self.who is None:
            return words.phrase("do")
        if self.who.holder is not None:
            text = words.of_another().effects(self._said)
            key = "do.holder" if self.listed else "do.for"
            return words.phrase(key, marker=words.marker(self.who.holder), text=text)
        condition = None if self.who.formula is None else words.condition(self.who.formula.expr)
        if not self.listed:
            effects = words.effects(self._said)
            text = effects if condition is None else words.phrase("list.if", condition=condition, text=effects)
            return words.phrase("do.each", text=text)
        only = [] if condition is None else [words.phrase("in_turn.who", condition=condition)]
        return words.phrase("space").join([words.phrase("do.all"), *only])


def _in_a_list(steps: tuple[Step, ...], who: Who | None, words: Words) -> str:
    """Return the phrase for a group in a step list: its steps, and the seats that carry them out."""
    effects = words.effects(steps)
    if who is None:
        return effects
    of_another = words.of_another().effects(steps)
    if who.holder is not None:
        return words.phrase("list.for", text=of_another, marker=words.marker(who.holder))
    if who.named is not None:
        return words.phrase("list.for.named", text=of_another, name=words.zone(who.named.name))
    if who.beside:
        return words.phrase(f"list.for.{who.beside}", text=of_another)
    if who.formula is not None:
        effects = words.phrase("list.if", condition=words.condition(who.formula.expr), text=effects)
    return words.phrase("list.for.everyone", text=effects)


def _otherwise(reader: Reader, group: DoStep) -> DoStep | None:
    """Return a group with the steps under `else`; None without `else`. The same seats carry it out."""
    entry = reader.node.entry(ELSE)
    if entry is None:
        return None
    steps = read_steps(reader, ELSE, for_one=group.for_seats)
    who = None if group.for_one else group.who  # in a list, it is part of its group
    return DoStep(do=steps, who=who, span=entry.key.span, for_one=group.for_one, instead=True)


PASSES, MOST_PASSES = 10, 100
"""The number of passes of a repeat in a step list, without a stated number and at most.

Each pass is compiled, so there are few unless the file asks for more.
"""


class _AnyPlayers(Struct, frozen=True):
    """The facts about formulas that hold for every number of players up to `player_count`."""

    player_count: int

    @property
    def seat_count(self) -> int:
        return self.player_count

    def range_of(self, _function: str, name: str, _seat: int) -> Range:
        return (1, self.player_count) if name == "players" else UNKNOWN


def _by_players(cases: ByPlayerCount) -> Expr:
    """Return a number for each number of players as one formula."""
    *others, (_, last) = cases.cases
    expr = last.expr
    for players, formula in others:
        expr = Conditional(formula.expr, Comparison("==", Name("players"), Number(players or 0)), expr)
    return expr


class RepeatStep(Step, frozen=True, kw_only=True):
    """Repeat: `do` is carried out several times, or until a condition holds. Each pass is a turn.

    - repeat: {until_empty: hand, do: [...]}
    - repeat: {until: most(points) >= 20, at_most: 12, do: [...]}

    In a step list, it is about the seat that carries out the list, and its passes are no turns.

    Before play, a dry run of the game must prove that the repeat ends, because turns are limited or a zone only
    shrinks.
    """

    verb = "repeat"
    said = field("Repeat", "Carry out `do` several times. Each pass is a turn.", {"until_empty": "hand", "do": []})
    one_of = ("until_empty", "times", "until")
    in_lists = True

    until_empty: Annotated[
        ZoneName | None, field("Until empty", "The turns end when nobody has cards in this zone.", "hand")
    ] = None
    times: Annotated[FlowNumber | None, field("Times", "The number of turns.", 7)] = None
    until: Annotated[
        Condition | None,
        field("Until", "The turns end when this condition holds. It is asked before every turn.", "turn == 5"),
    ] = None
    at_most: Annotated[
        FlowNumber | None, field("At most", "The largest number of turns, even if nothing else ends them.", 12)
    ] = None
    do: Annotated[
        tuple[Step, ...],
        field("Do", "The steps of one turn.", schema=ref("steps"), read=lambda _reader, _name: ()),
    ]

    @classmethod
    def read(cls, reader: Reader, **given: Any) -> Self:
        spec = super().read(reader, **given)
        for_one = spec.for_one or spec.who is not None  # see `spread`
        return replace(spec, do=read_steps(reader.at(cls.verb), "do", for_one=for_one))

    @property
    def within(self) -> tuple[Step, ...]:
        return self.do

    def spread(self, reader: Reader) -> tuple[Step, ...]:
        """Return a group with the passes of a repeat in a step list, each for the seats that still go on."""
        if not self.for_one and self.who is not None:
            (group,) = replace(self, for_one=True).spread(reader)
            return (replace(group, for_one=False),)
        if not self.for_one:
            return (self,)
        count, most = self._passes(reader)
        passes = []
        for number in range(most):
            goes_on: Expr | None = None
            if self.until is not None:
                goes_on = Unary("not", self.until.expr)
            elif self.until_empty is not None:
                goes_on = Comparison(">", Call("cards", (Name(self.until_empty),)), Number(0))
            steps = tuple(replace(step, id=None) for step in self.do) if number else self.do
            when = None if goes_on is None else Formula("repeat", goes_on, self.span)
            passes.append(DoStep(do=steps, when=when, span=self.span, for_one=True))
        common: dict[str, Any] = {key: getattr(self, key) for key in Step.__struct_fields__}
        if count is not None:
            begins = Formula("repeat", Comparison(">", count, Number(0)), self.span)
            read = Formula("repeat", Call("min", (Number(most), count)), self.span)
            passes = [DoStep(do=tuple(passes), passes=read, when=begins, span=self.span, for_one=True)]
        return (DoStep(do=tuple(passes), unwritten=True, short_for=self, **common),)

    def _passes(self, reader: Reader) -> tuple[Expr | None, int]:
        """Return the number of passes if it may differ, then the most passes. Report a missing limit."""
        limits = [cases for cases in (self.times, self.at_most) if cases is not None]
        numbers = [_by_players(cases) for cases in limits]
        count = Call("min", tuple(numbers)) if len(numbers) > 1 else numbers[0] if numbers else None
        most = MOST_PASSES + 1 if count is None else bounds(count, _AnyPlayers(reader.short.board.players))[1]
        if most <= MOST_PASSES:
            return (None if isinstance(count, Number) and most else count), max(most, 1)
        known = count is not None and all(name == "players" for _, name in references(count))
        path = f"{reader.path}/{self.verb}"
        reader.findings.append(
            diagnose("endless-turns", limits[0].span, path, say="too-many-passes", most=MOST_PASSES)
            if known
            else diagnose("endless-turns", self.span, path, say="passes", severity="warning", turns=PASSES)
        )
        return count, PASSES

    def problems(self, zones: Zones) -> Iterator[Problem]:
        if self.until_empty in {"tableau", "discard"} and self.until_empty in zones:
            yield Problem(self.until_empty, "never-empty")

    def sentence(self, words: Words) -> str:
        if self.for_one:
            how = as_clause(self._how_often(words))
            if self.times is None and any(step.can_be_refused for step in self.do):
                how = words.phrase("list.repeat.may_stop" if len(self.do) == 1 else "list.repeat.goes_on", how=how)
            return words.phrase("list.repeat", text=words.effects(self.do), how=how)
        return self._how_often(words)

    def _how_often(self, words: Words) -> str:
        if self.times is not None:
            times = words.cards(self.times)
            text = f"{times.numbers} ×" if times.single is None else words.phrase("repeat.count", count=times.single)
            phrase = words.phrase("repeat.times", times=text)
        elif self.until is not None:
            phrase = words.phrase("repeat.until", condition=words.condition(self.until.expr))
        elif self.until_empty == "hand" and not self.for_one:
            phrase = words.phrase("repeat.hands")
        else:
            phrase = words.phrase("repeat.empty", zone=words.zone(str(self.until_empty)), count=1)
        if self.at_most is None or self.until is not None:  # players ignore a bound beside `until`
            return phrase
        limit = words.cards(self.at_most)
        return phrase + words.phrase("space") + words.phrase("repeat.at_most", times=limit.numbers, count=limit.count)


class InTurnStep(Step, frozen=True, kw_only=True):
    """In turn: one player after the other carries out the steps, knowing what earlier players have done.

        - in_turn:
            by: bid
            do:
              - draw: {from: market, to: won, cards: 1}
              - move: {from: won, to: tableau, played: true}

    The players and their order are fixed when the step begins. The key `who` of the step says which players take part.
    The player with the smallest value of `by` comes first. Players with equal values follow in turn order, starting
    with the holder of `from`. With `back`, all players carry out the steps once more in reverse order. So the last
    player has two turns in a row.
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
    """Return the phrase that says who comes first: the smallest value or, after a minus sign, the largest."""
    match expr:
        case Binary("-", Number(0), upside_down) | Unary("-", upside_down):
            return words.phrase("in_turn.by_highest", of=words.noun_of(upside_down))
        case Binary("-", Binary("-", Number(0), one), other):
            return words.phrase("in_turn.by_highest", of=words.noun_of(Binary("+", one, other)))
    return words.phrase("in_turn.by", of=words.noun_of(expr))


class ScoreStep(Step, frozen=True, kw_only=True):
    """Score: all rules whose `at` is this label are scored. Then the triggers with this label run.

    - score: round
    """

    verb = "score"
    bare = True

    label: Annotated[LabelName, field("Score", "Score every rule whose `at` is this label.", "round")]

    def sentence(self, words: Words) -> str:
        if self.label not in {"round", "game"}:
            return words.phrase("score", label=self.label.replace("_", " "))
        paid = f".{words.paid_in}" if words.paid_in and self.label == "round" else ""
        if self.label == "round" and not paid and words.rounds != 1:
            return words.phrase("score.round.more")
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
