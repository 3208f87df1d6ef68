"""Lists all formulas of a card set, each with its expected type and the names that it can use."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from msgspec import Struct

from draftengine.model.cardset.effects import named_by_zone
from draftengine.model.cardset.facts import steps_of
from draftengine.model.language.evaluate import references
from draftengine.model.records.record import formulas_in
from draftengine.model.verbs import EFFECTS
from draftengine.model.verbs.actions import depends_on_seat
from draftengine.model.verbs.choose import ChooseStep
from draftengine.model.verbs.group import DoStep
from draftengine.model.verbs.turns import InTurnStep

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from draftengine.model.cardset.records import CardSet
    from draftengine.model.records.record import Wanted, Where
    from draftengine.model.records.values import Formula
    from draftengine.model.verbs.verb import Step


class FormulaUse(Struct, frozen=True):
    """A formula, with its place and what is expected of it there."""

    formula: Formula
    path: str
    where: Where
    """The scope of the names that it can use."""
    wanted: Wanted | None
    """The expected type; ``None`` if it may be a number or a condition."""
    local: tuple[str, ...] = ()
    """Names that are defined only in this formula, such as ``amount``."""
    players: int | None = None
    """The only number of players with which it is used; ``None`` for all."""


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
    yield from _step_formulas(model)
    for trigger in model.triggers:
        path = trigger.path
        yield FormulaUse(trigger.who, f"{path}/who", "seat", "bool")
        if trigger.unless is not None:
            yield FormulaUse(trigger.unless, f"{path}/unless", "seat", "bool")
        if trigger.by is not None:
            yield FormulaUse(trigger.by, f"{path}/by", "seat", "int")
        yield from _effect_formulas(f"{path}/do", trigger.do)
    yield from _scoring_formulas(model)


def _scoring_formulas(model: CardSet) -> Iterator[FormulaUse]:
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


def names_in(formula: Formula) -> frozenset[str]:
    """Return every name that a formula reads."""
    return frozenset(name for _, name in references(formula.expr))


def counter_names(model: CardSet) -> dict[str, str]:
    """Return the names of all things that counters count, each with ``card``, ``family`` or ``counter``."""
    names = {card.id: "card" for card in model.cards}
    for family in (family for card in model.cards for family in card.family):
        names.setdefault(family, "family")
    wild = [f"{card.id}@{form}" for card in model.cards if card.forms for form in card.forms.of]
    added = [*wild, *(counter for card in model.cards for counter, _ in card.adds)]
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

    In the list of one seat, the condition is about that seat. `about_seats` is true for numbers that are about a seat.
    """
    for formula, place, reads, players in formulas_in(step, path):
        of_a_seat = step.for_one if formula is step.when else reads.where == "flow" and about_seats(formula)
        where = "seat" if of_a_seat else reads.where
        yield FormulaUse(formula, place, where, reads.wanted, players=players)


def _step_formulas(model: CardSet) -> Iterator[FormulaUse]:
    zones = {zone.id: zone for zone in model.zones}
    constants = dict.fromkeys(("players", "seats", "rounds", *(parameter.id for parameter in model.parameters)), 0)
    for path, step in steps_of(model):
        about_seats = partial(depends_on_seat, step, zones=zones, constant=constants.get)
        yield from _formulas(path.rpartition("/")[0], step, about_seats)
        if isinstance(step, ChooseStep):
            for way in step.as_:
                yield from _effect_formulas(f"{path}/as/{way.id}/do", way.do)
        if isinstance(step, InTurnStep | DoStep):
            yield from _effect_formulas(f"{path}{step.path_within}", step.do)
