"""Can every variant be played: its needs, what it requires and excludes, its parameters."""

from __future__ import annotations

from typing import TYPE_CHECKING

from draftengine.cardset.checks.place import inside, word_in
from draftengine.cardset.facts import constant, constant_scope
from draftengine.diagnostics.finding import Diagnostic
from draftengine.language.check import NameInfo, Scope
from draftengine.language.check import check as check_formula

if TYPE_CHECKING:
    from collections.abc import Iterator

    from draftengine.cardset.model import CardSet, Formula, Parameter, VariantInfo


def check(model: CardSet) -> Iterator[Diagnostic]:
    """Variants that nobody can play, and parameters outside their own values."""
    for parameter in model.parameters:
        yield from _default(parameter, f"/parameters/{parameter.id}")
    for variant in model.variants:
        yield from _needs(model, variant)
        yield from _contradictions(model, variant)
        for parameter in variant.parameters:
            if variant.id not in model.active:
                yield from _default(parameter, f"/variants/{variant.id}/parameters/{parameter.id}")


def allowed_players(model: CardSet) -> tuple[int, ...]:
    """The numbers of players for which every active variant's needs hold."""
    active = [variant.needs for variant in model.variants if variant.id in model.active and variant.needs]
    counts = range(model.min_players, model.max_players + 1)
    return tuple(count for count in counts if all(constant(needs, model, count) for needs in active))


def _needs(model: CardSet, variant: VariantInfo) -> Iterator[Diagnostic]:
    if variant.needs is None:
        return
    path = f"/variants/{variant.id}/needs"
    mistakes = list(_mistakes(model, variant, variant.needs, path))
    yield from mistakes
    parameters = {parameter.id: parameter.default for parameter in variant.parameters}
    counts = range(model.min_players, model.max_players + 1)
    if not mistakes and not any(constant(variant.needs, model, count, **parameters) for count in counts):
        message = f"No number of players meets what the variant “{variant.id}” needs."
        hint = f"The game is for {_range(model)} players."
        yield Diagnostic("needs-never-met", "error", message, variant.needs.span, path, hint)


def _mistakes(model: CardSet, variant: VariantInfo, needs: Formula, path: str) -> Iterator[Diagnostic]:
    scope = constant_scope(model, model.max_players)
    own = {own.id: NameInfo("parameter", own.default, own.default, per_seat=False) for own in variant.parameters}
    checked = check_formula(needs.expr, Scope({**scope.names, **own}, seat=False, max_seats=scope.max_seats))
    for mistake in checked.mistakes:
        span = inside(needs, mistake.start, mistake.end)
        yield Diagnostic(mistake.code, "error", mistake.message, span, path, mistake.hint)
    if not checked.mistakes and checked.type != "bool":
        message, hint = "Here should be a condition, not a number.", "Write for example players >= 3."
        yield Diagnostic("wrong-type", "error", message, needs.span, path, hint)


def _range(model: CardSet) -> str:
    few, many = model.min_players, model.max_players
    return f"{few}" if few == many else f"{few} to {many}"


def _contradictions(model: CardSet, variant: VariantInfo) -> Iterator[Diagnostic]:
    others = {other.id: other for other in model.variants}
    for name in dict.fromkeys(variant.requires):
        other = others.get(name)
        if other is not None and _exclude(variant, other):
            message = f"The variant “{variant.id}” requires “{name}”, which cannot be played with it."
            hint = "Remove it from requires, or from excludes and the common group."
            span = word_in(variant.span, name)
            yield Diagnostic("variant-contradiction", "error", message, span, f"/variants/{variant.id}/requires", hint)


def _exclude(one: VariantInfo, other: VariantInfo) -> bool:
    same_group = one.group is not None and one.group == other.group
    return one.id == other.id or other.id in one.excludes or one.id in other.excludes or same_group


def _default(parameter: Parameter, path: str) -> Iterator[Diagnostic]:
    if parameter.values and parameter.default not in parameter.values:
        values = ", ".join(map(str, parameter.values))
        message = f"The default {parameter.default} of “{parameter.id}” is not among its values."
        span = word_in(parameter.span, str(parameter.default))
        yield Diagnostic("parameter-default", "error", message, span, f"{path}/default", f"Choose one of {values}.")
