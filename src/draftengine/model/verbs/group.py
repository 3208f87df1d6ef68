"""Groups of steps (`do`) that are carried out together.

    - who: coins == 0
      do: [{add: {coins: 2}}, {draw: {to: hand}}]
    - when: cards(deck) > 0
      do: [{draw: {to: market}}]
      else: [{end: game}]

The players whom `who` names carry out the list together: all of them do one step before they go on to the next. In the
flow, without `who`, the steps are for the table. `when` is evaluated once, before the first step. If it does not hold,
the steps of `else` are carried out instead.

The reader adds a group around a step that needs one. An effect in the flow needs one, because ``{add: {coins: 2}}`` is
for all players. A step with `else` needs one, too. So does a step with `who` if it is in a step list, or if its verb
does not handle `who`.

In a step list, `when` is about the seat that carries out the list. The seats that `who` names then do the steps:

    - {who: others, choose: {from: hand, to: discard}}
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Self

from msgspec.structs import replace

from draftengine.model.records.record import field
from draftengine.model.records.schema_fragments import ref
from draftengine.model.verbs.verb import Step, read_steps
from draftengine.model.verbs.who import Who

if TYPE_CHECKING:
    from draftengine.model.records.reader import Reader
    from draftengine.model.verbs.verb import Words

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
    """The group that is carried out if `when` does not hold."""
    unwritten: bool = False
    """True if the group is not in the file: the reader added it around a step of the file."""
    short_for: Step | None = None
    """The step in the file that this group replaces. The sentence of that step is used for the group."""
    instead: bool = False
    """True if this group is the `else` of another group."""

    @classmethod
    def read(cls, reader: Reader, **given: Any) -> Self:
        group = super().read(reader, **given)
        return replace(
            group, do=read_steps(reader, cls.verb, for_one=group.for_seats), otherwise=_otherwise(reader, group)
        )

    @classmethod
    def around(cls, step: Step, reader: Reader, parts: tuple[Step, ...]) -> Step:
        if isinstance(step, DoStep):
            return step
        if len(parts) > 1:
            return cls._of_parts(step, reader, parts)
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

    @classmethod
    def _of_parts(cls, step: Step, reader: Reader, parts: tuple[Step, ...]) -> Self:
        """Return a group of `parts`, the steps that replace `step`. The group has the sentence of `step`."""
        group = cls(
            do=tuple(
                replace(part, id=None, text=(), source=(), who=None, when=None if part.when is step.when else part.when)
                for part in parts
            ),
            **{key: getattr(step, key) for key in ("id", "who", "when", "text", "source", "span", "for_one")},
            unwritten=True,
            short_for=step,
        )
        if group.for_seats:
            group = replace(group, do=tuple(replace(part, for_one=True) for part in group.do))
        return replace(group, otherwise=_otherwise(reader, group))

    @property
    def for_seats(self) -> bool:
        """True if seats carry out the steps within, each for itself."""
        return self.for_one or self.who is not None

    @property
    def is_nothing_but_steps(self) -> bool:
        """True if the group only contains steps, so that they mean the same without it."""
        return not (self.who or self.when or self.otherwise or self.text or self.id or self.unwritten)

    @property
    def within(self) -> tuple[Step, ...]:
        return self.do if self.otherwise is None else (*self.do, self.otherwise)

    @property
    def listed(self) -> tuple[Step, ...]:
        has_one_sentence = self.for_one or (self.unwritten and self.otherwise is None)
        return () if has_one_sentence else self.do

    @property
    def listed_after(self) -> tuple[Step, ...]:
        return () if self.otherwise is None or not self.listed else (self.otherwise,)

    def told(self, text: str, words: Words) -> str:
        whole = super().told(text, words)
        if self.otherwise is None or not self.for_one:
            return whole
        return words.phrase("do.or_else", text=whole, other=_in_a_list(self.otherwise.do, self.who, words))

    def sentence(self, words: Words) -> str:
        if self.short_for is not None:
            return self.short_for.sentence(words)
        if self.for_one:
            text = _in_a_list(self.do, self.who, words)
            other = None if self.otherwise is None else _in_a_list(self.otherwise.do, self.who, words)
            return text if other is None else words.phrase("do.or_else", text=text, other=other)
        effects = words.effects(self.do)
        if self.instead or self.who is None:
            return words.phrase("do.else" if self.instead else "do")
        given: dict[str, object] = {"text": effects}
        if self.who.holder is not None:
            return words.phrase("do.holder" if self.listed else "do.for", marker=words.marker(self.who.holder), **given)
        condition = None if self.who.formula is None else words.condition(self.who.formula.expr)
        if not self.listed:
            text = effects if condition is None else words.phrase("list.if", condition=condition, text=effects)
            return words.phrase("do.each", text=text)
        only = [] if condition is None else [words.phrase("in_turn.who", condition=condition)]
        return words.phrase("space").join([words.phrase("do.all"), *only])


def _in_a_list(steps: tuple[Step, ...], who: Who | None, words: Words) -> str:
    """Phrase the steps of a group in a step list, and the seats that they are for."""
    effects = words.effects(steps)
    if who is None:
        return effects
    if who.holder is not None:
        return words.phrase("list.for", text=effects, marker=words.marker(who.holder))
    if who.formula is not None:
        effects = words.phrase("list.if", condition=words.condition(who.formula.expr), text=effects)
    return words.phrase(f"list.for.{who.beside or 'everyone'}", text=effects)


def _otherwise(reader: Reader, group: DoStep) -> DoStep | None:
    """Return the group of the steps under `else`, for the same seats as the group; None without `else`."""
    entry = reader.node.entry(ELSE)
    if entry is None:
        return None
    steps = read_steps(reader, ELSE, for_one=group.for_seats)
    return DoStep(do=steps, span=entry.key.span, for_one=group.for_seats, instead=True)
