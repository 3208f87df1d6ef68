"""Facts for the checks of a game with a number of players: its formulas, and positions in its file."""

from __future__ import annotations

import re
from functools import cached_property, lru_cache, partial
from typing import TYPE_CHECKING

from msgspec import Struct

from draftengine.model.cardset.effects import named_by_zone
from draftengine.model.cardset.facts import constant_scope, flow_scope, seat_scope, steps_of, table_scope
from draftengine.model.flow import flow_bounds
from draftengine.model.flow.counters import CounterBounds
from draftengine.model.language.check import check
from draftengine.model.language.evaluate import references
from draftengine.model.records import formulas_in
from draftengine.model.verbs import EFFECTS
from draftengine.model.verbs.actions import depends_on_seat
from draftengine.model.verbs.choose import ChooseStep
from draftengine.model.verbs.turns import DoStep, InTurnStep
from draftengine.support.identity import by_identity
from draftengine.support.source import Span

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from draftengine.model.cardset.facts import CounterInfo
    from draftengine.model.cardset.records import CardSet
    from draftengine.model.flow import FlowBounds
    from draftengine.model.language.check import CheckResult
    from draftengine.model.language.environment import Scope
    from draftengine.model.records import Wanted, Where
    from draftengine.model.records.reader import Formula
    from draftengine.model.verbs.verb import Step


class CheckContext(Struct, frozen=True, dict=True):
    """Facts about a game with a number of players, each computed when it is first used."""

    model: CardSet
    players: int

    def checked(self, formula: Formula) -> CheckResult:
        """Return the properties of a formula about one seat, such as type and range. Results are cached."""
        known = self._checked.get(id(formula))
        if known is None:
            known = self._checked[id(formula)] = check(formula.expr, self.seat)
        return known

    @cached_property
    def _checked(self) -> dict[int, CheckResult]:
        return {}

    @cached_property
    def plan(self) -> FlowBounds:
        return flow_bounds(self.model, self.players)

    @cached_property
    def counters(self) -> tuple[CounterInfo, ...]:
        return self.bounds.counters()

    @cached_property
    def bounds(self) -> CounterBounds:
        return CounterBounds(self.model, self.players, self.plan)

    @cached_property
    def most(self) -> dict[str, int]:
        """The largest value of each counter."""
        return {counter.id: counter.high for counter in self.counters}

    @cached_property
    def seat(self) -> Scope:
        return seat_scope(self.model, self.players, self.counters)

    @cached_property
    def whole(self) -> Scope:
        return table_scope(self.model, self.players, self.counters)

    @cached_property
    def flow(self) -> Scope:
        return flow_scope(self.model, self.players)

    @cached_property
    def constant(self) -> Scope:
        return constant_scope(self.model, self.players)


_REACH = 4000
"""The number of characters of a declaration in which a word is searched for."""


@lru_cache(1 << 12)
def word_in(span: Span, word: str) -> Span:
    """Return the span of `word` in the declaration that starts at `span`.

    If the word is not there, because an overlay stated it, return `span` itself.
    """
    text = span.source.text
    block, begin = text[span.start : span.end], span.start
    if not text.startswith("{", span.start):
        # The text after the key, up to the next line that is not indented deeper, with spaces instead of comments.
        lead = text[text.rfind("\n", 0, span.start) + 1 : span.start]
        indent = len(lead) - ("-" in lead) if not lead.strip(" -") else len(lead) - len(lead.lstrip(" "))
        first, *others = text[span.end : span.end + _REACH].split("\n")
        lines = [first]
        for line in others:
            if line.strip() and not line.lstrip().startswith("#") and (len(line) - len(line.lstrip(" "))) <= indent:
                break
            lines.append(line)
        begin = span.end
        block = "\n".join(re.sub(r" #.*", lambda comment: " " * len(comment[0]), line) for line in lines)
    match = re.search(rf"(?<![\w@-]){re.escape(word)}(?![\w@])", block)
    if not word or match is None:
        return span
    start = begin + match.start()
    return Span(span.source, start, start + len(word))


# ── Formulas ──────────────────────────────────────────────────────────────────────────────────────────────────────────


class FormulaUse(Struct, frozen=True):
    """A formula, where it is, and which names and type are expected there."""

    formula: Formula
    path: str
    where: Where
    """The scope, which decides the names that the formula can use."""
    wanted: Wanted | None
    """The expected type; ``None`` if it may be a number or a condition."""
    local: tuple[str, ...] = ()
    """Names that exist only in this formula, such as ``amount``."""
    players: int | None = None
    """The number of players for which the formula is used; ``None`` for all numbers."""


def uses_of(model: CardSet) -> Iterator[FormulaUse]:
    """Yield all formulas of a game, in the order of the sections of the file."""
    for card in model.cards:
        if card.forms and card.forms.when:
            yield FormulaUse(card.forms.when, f"/cards/{card.id}/forms/when", "seat", "bool", local=("card", "family"))
        yield from _effect_formulas(f"/cards/{card.id}/on_play", card.on_play)
    for modifier in model.modifiers:
        for change in modifier.then:
            path = f"/modifiers/{modifier.id}/then/{change.counter}"
            yield FormulaUse(change.formula, path, "constant", "int", local=("amount",))
    for payment in model.payments:
        yield from (
            FormulaUse(formula, place, reads.where, reads.wanted)
            for formula, place, reads, _ in formulas_in(payment, f"/payments/{payment.id}")
        )
    zones = {zone.id: zone for zone in model.zones}
    constants = dict.fromkeys(("players", "seats", "rounds", *(parameter.id for parameter in model.parameters)), 0)
    for path, step in steps_of(model):
        about_seats = partial(depends_on_seat, step, zones=zones, constant=constants.get)
        yield from _formulas(path.rpartition("/")[0], step, about_seats)
        for way in step.as_ if isinstance(step, ChooseStep) else ():
            yield from _effect_formulas(f"{path}/as/{way.id}/do", way.do)
        if isinstance(step, InTurnStep | DoStep):
            yield from _effect_formulas(f"{path}{step.path_within}", step.do)
    for trigger in model.triggers:
        path = trigger.path
        yield FormulaUse(trigger.who, f"{path}/who", "seat", "bool")
        if trigger.unless is not None:
            yield FormulaUse(trigger.unless, f"{path}/unless", "seat", "bool")
        if trigger.by is not None:
            yield FormulaUse(trigger.by, f"{path}/by", "seat", "int")
        yield from _effect_formulas(f"{path}/do", trigger.do)
    yield from scoring_formulas(model)


@by_identity(8)
def families_asked(model: CardSet) -> frozenset[str]:
    """Return the families, but not those of all cards, that formulas ask for."""
    asked = {name.rpartition(".")[2] for use in uses_of(model) for _, name in references(use.formula.expr)}
    families = [{*card.family} for card in model.cards if card.count or card.side_of]
    return frozenset(asked & (set[str]().union(*families) - set[str].intersection(*families)))


def scoring_formulas(model: CardSet) -> Iterator[FormulaUse]:
    """Yield the formulas on which points and winners depend."""
    for rule in model.scoring:
        if rule.when is not None:
            yield FormulaUse(rule.when, f"{rule.path}/when", "table", "bool")
        for formula in rule.spec.inputs():
            yield FormulaUse(formula, rule.path, "seat", "int")
        for formula in rule.spec.constants():
            yield FormulaUse(formula, rule.path, "constant", None)
    if model.wins:
        yield FormulaUse(model.wins, "/wins", "seat", "bool")
    for index, breaker in enumerate(model.winner.tie_breakers):
        path = f"/winner/tie_breakers/{index}/{'holder' if breaker.holder else breaker.order}"
        yield FormulaUse(breaker.measure, path, "seat", "int")


def name_in_file(name: str, span: Span) -> str:
    """Return the name as the file declares it, without the ending for a certain card or copy of a zone."""
    declared = span.source.text[span.start : span.end].strip("\"'")
    return declared if name.startswith(f"{declared}_") else name


def names_in(formula: Formula) -> frozenset[str]:
    """Return every name that a formula reads."""
    return frozenset(name for _, name in references(formula.expr))


def counter_names(model: CardSet) -> dict[str, str]:
    """Return the names of everything that can be counted, each with ``card``, ``family`` or ``counter``."""
    names = {card.id: "card" for card in model.cards}
    for family in (family for card in model.cards for family in card.family):
        names.setdefault(family, "family")
    wild = [f"{card.id}@{form}" for card in model.cards if card.forms for form in card.forms.of]
    added = [*wild, *(counter for card in model.cards for counter, _ in card.amounts)]
    changed = [change.counter for modifier in model.modifiers for change in modifier.then]
    for name in (*added, *changed, *(counter.id for counter in model.counters)):
        names.setdefault(name, "counter")
    return names | {f"{zone}.{name}": "counter" for zone, name in named_by_zone(model)}


def _effect_formulas(path: str, effects: tuple[Step, ...]) -> Iterator[FormulaUse]:
    for index, effect in enumerate(effects):
        if effect.verb in EFFECTS:
            yield from _formulas(f"{path}/{index}", effect)


def _formulas(path: str, step: Step, about_seats: Callable[[Formula], bool] = lambda _: False) -> Iterator[FormulaUse]:
    """Yield the formulas of a step.

    In a step list, `when` is about the seat that carries it out. `about_seats` tells whether a number of cards is about
    a seat.
    """
    for formula, place, reads, players in formulas_in(step, path):
        of_a_seat = step.for_one if formula is step.when else reads.where == "flow" and about_seats(formula)
        where = "seat" if of_a_seat else reads.where
        yield FormulaUse(formula, place, where, reads.wanted, players=players)
