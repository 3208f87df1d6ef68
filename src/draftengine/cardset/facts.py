"""What names in formulas stand for, by where the formula is: seat, table or constant scope."""

from __future__ import annotations

from typing import TYPE_CHECKING

from draftengine.language.check import NameInfo, Scope
from draftengine.language.evaluate import compile_formula

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from draftengine.cardset.counters import CounterInfo
    from draftengine.cardset.model import CardSet, Formula

__all__ = ["MAX_POINTS", "constant", "constant_scope", "constants", "flow_scope", "seat_scope", "seats", "table_scope"]

MAX_POINTS = 10_000_000
"""No seat's points are ever further from 0 (the checks refuse a game in which they could be)."""

_MAX_TURNS = 1000
_TABLE_FACTS = ("round", "turn")


def seats(model: CardSet, players: int) -> int:
    """Players and extra seats."""
    return players + len(model.extra_seats)


def constants(model: CardSet, players: int) -> dict[str, int]:
    """The facts that never change in a game."""
    return {
        **{parameter.id: parameter.default for parameter in model.parameters},
        "players": players,
        "seats": seats(model, players),
        "rounds": model.rounds,
    }


def constant(formula: Formula, model: CardSet, players: int, **local: int) -> int:
    """The value of a formula over facts that never change in a game, and over `local` names."""
    environment = _Constants({**constants(model, players), **local}, seats(model, players))
    return int(compile_formula(formula.expr, environment)(None, 0))


class NotConstantError(ValueError):
    """A formula that has to be constant depends on the game."""


class _Constants:
    """The environment of constant formulas."""

    def __init__(self, known: Mapping[str, int], seat_count: int) -> None:
        self.known = known
        self.seat_count = seat_count

    def constant(self, name: str) -> int | None:
        return self.known.get(name)

    def value(self, name: str) -> Callable[[None, int], int]:
        raise NotConstantError(name)

    gained = holds = cards = value


def constant_scope(model: CardSet, players: int, **local: tuple[int, int]) -> Scope:
    """The scope of numbers that stay the same all game; `local` names with their ranges."""
    return Scope(_constant_names(model, players, local), seat=False, max_seats=seats(model, players))


def flow_scope(model: CardSet, players: int) -> Scope:
    """The scope of numbers of the flow: what is the same for everyone and does not depend on play."""
    zones = {zone.id: _zone(model, zone.per == "seat") for zone in model.zones}
    names = {**zones, **_constant_names(model, players, {}), **_table_facts(model)}
    return Scope(names, seat=False, max_seats=seats(model, players))


def table_scope(model: CardSet, players: int, counters: tuple[CounterInfo, ...]) -> Scope:
    """The scope of formulas about the whole table; counters only inside functions over seats."""
    return Scope(_all_names(model, players, counters, {}), seat=False, max_seats=seats(model, players))


def seat_scope(
    model: CardSet, players: int, counters: tuple[CounterInfo, ...], **local: tuple[int, int]
) -> Scope:
    """The scope of formulas about one seat; `local` names with their ranges."""
    return Scope(_all_names(model, players, counters, local), seat=True, max_seats=seats(model, players))
