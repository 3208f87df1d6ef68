"""A small game for formulas: meanings of names, over states that map names to values by seat."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from draftengine.model.language.builtins import LYING
from draftengine.model.language.environment import NameInfo, Scope
from written import cases_in

State = Mapping[str, tuple[int, ...]]
"""Values by seat; one value for the whole table. Keys can be names such as ``gained(soup)``."""


def cards_in(state: State, zone: str) -> list[dict[str, tuple[int, ...]]]:
    """Return the values of each card in a zone."""
    start = f"in({zone}, "
    known = {name.removeprefix(start)[:-1]: own for name, own in state.items() if name.startswith(start)}
    prefixes, count = ("its.", LYING), max(map(len, known.values()))
    return [
        {f"{prefix}{name}": (own[at],) for prefix in prefixes for name, own in known.items()} for at in range(count)
    ]


@dataclass(frozen=True)
class World:
    """An environment over a `State`."""

    seat_count: int
    fixed: Mapping[str, int] = field(default_factory=dict)

    @property
    def player_count(self) -> int:
        return self.seat_count

    def constant(self, name: str) -> int | None:
        return self.fixed.get(name)

    def value(self, name: str) -> Callable[[State, int], int]:
        return lambda state, seat: state[name][seat if len(state[name]) > 1 else 0]

    def gained(self, counter: str) -> Callable[[State, int], int]:
        return self.value(f"gained({counter})")

    def holds(self, marker: str) -> Callable[[State, int], int]:
        return lambda state, seat: bool(state[f"holds({marker})"][seat])

    def cards(self, zone: str) -> Callable[[State, int], int]:
        return self.value(f"cards({zone})")

    def among(self, zone: str, what: str) -> Callable[[State, int], list[int]]:
        return lambda state, _: [*state[f"in({zone}, {what.removeprefix('its.')})"]]

    def each(self, zone: str, value: Callable[[State, int], int]) -> Callable[[State, int], list[int]]:
        def each(state: State, seat: int) -> list[int]:
            return [value({**state, **own}, seat) for own in cards_in(state, zone)]

        return each

    def best_of(self, what: str) -> Callable[[State, int], int]:
        return self.value(f"best_of({what})")


NAMES = {
    **{name: NameInfo("counter", 0, 10, per_seat=True) for name in ("soup", "bread", "tempura", "nigiri")},
    "die": NameInfo("counter", 1, 6, per_seat=True),
    "points": NameInfo("counter", -50, 100, per_seat=True),
    "players": NameInfo("fact", 2, 5, per_seat=False),
    "seats": NameInfo("fact", 2, 5, per_seat=False),
    "round": NameInfo("fact", 1, 3, per_seat=False),
    "rounds": NameInfo("fact", 3, 3, per_seat=False),
    "bonus": NameInfo("parameter", 7, 7, per_seat=False),
    **{name: NameInfo("counter", 0, 10, per_seat=True) for name in ("android", "order", "nothing", "trueish", "max")},
    "trophy": NameInfo("marker", 0, 1, per_seat=True),
    "hand": NameInfo("zone", 0, 12, per_seat=True),
    "deck": NameInfo("zone", 0, 60, per_seat=False, hidden=True),
    "market": NameInfo("zone", 0, 60, per_seat=False),
    "its.cost": NameInfo("fact", 0, 9, per_seat=False),
    "its.dish": NameInfo("fact", 0, 1, per_seat=False),
    "cards": NameInfo("scores", -9, 20, per_seat=True),
}


def scope(*, seat: bool = True, min_seats: int = 2) -> Scope:
    """Return the names of the game."""
    return Scope(NAMES, seat=seat, max_seats=5, min_seats=min_seats)


def cases(name: str) -> list[dict[str, Any]]:
    """Return the cases of a data file beside this module."""
    loaded = cases_in(Path(__file__).with_name(name))
    assert isinstance(loaded, list)
    return loaded
