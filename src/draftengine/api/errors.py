"""Errors for wrong arguments, names and selections, and the checks that raise them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from reprlib import repr as brief
from typing import TYPE_CHECKING, Any, TypeVar, cast

from draftengine.engine.moves import IllegalMove
from draftengine.engine.position import Position, UnknownNameError, WrongPositionError
from draftengine.model.diagnostics.suggest import did_you_mean
from draftengine.model.records.reader import is_whole
from draftengine.support.locale.phrases import ReasonedError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


__all__ = [
    "IllegalMove", "NotInGameError", "SelectionError", "UnknownNameError", "WrongArgumentError", "WrongPositionError",
]  # fmt: skip


class SelectionError(ReasonedError, ValueError):
    """Error for a selection (variants, answers to open questions) or number of players that does not work."""


class NotInGameError(LookupError):
    """Error for a seat, card, rule or moment that the game does not have. The message lists existing ones."""


class WrongArgumentError(TypeError, ValueError):
    """Error for an argument of a wrong type or value. The message says what the function accepts."""


T = TypeVar("T")


def checked_seed(seed: int | str) -> int | str:
    """Return the seed if it is a whole number or a text. Raises `WrongArgumentError` otherwise."""
    if not (is_whole(seed) or isinstance(seed, str)):
        raise WrongArgumentError(f"a seed is a whole number or a text, not {brief(seed)}")
    return seed


def checked_count(what: str, value: int, least: int = 1) -> int:
    """Return `value` if it is a whole number of at least `least`. Raises `WrongArgumentError` otherwise.

    `what` is the name of the value in the message.
    """
    if not is_whole(value) or value < least:
        raise WrongArgumentError(f"{what} is a whole number of at least {least}, not {brief(value)}")
    return value


def checked_share(what: str, value: object) -> float:
    """Return `value` if it is strictly between 0 and 1. Raises `WrongArgumentError` otherwise.

    `what` is the name of the value in the message.
    """
    if not (isinstance(value, (int, float)) and 0 < value < 1):
        raise WrongArgumentError(f"{what} is a number between 0 and 1, not {brief(value)}")
    return value


def checked_kind(value: T, kind: type[T], made_by: str) -> T:
    """Return `value` if it has type `kind`. Raises `WrongArgumentError` otherwise.

    The message names the function that makes such values (`made_by`).
    """
    if not isinstance(value, kind):
        raise WrongArgumentError(f"a {kind.__name__} is expected ({made_by} makes one), not {brief(value)}")
    return value


def checked_seat(seat: int, seats: int, *, spectator: bool = False) -> int:
    """Return `seat` if the game, which has `seats` seats, has it. Raises `NotInGameError` otherwise.

    With `spectator`, -1 is allowed, too.
    """
    if not is_whole(seat) or not (-1 if spectator else 0) <= seat < seats:
        others = ", and -1 for a spectator" if spectator else ""
        raise NotInGameError(f"there is no seat {brief(seat)}: seats are the whole numbers 0 to {seats - 1}{others}")
    return seat


def checked_name(what: str, name: object, known: Iterable[str]) -> str:
    """Return `name` if it is one of `known`. Raises `NotInGameError` otherwise.

    `what` says in the message what kind of name was expected, such as a card or a rule.
    """
    there = tuple(known)
    if not isinstance(name, str) or name not in there:
        hint = did_you_mean(name, there) if isinstance(name, str) else ""
        raise NotInGameError(f"the game has no {what} {brief(name)}. {hint or 'There are ' + ', '.join(there) + '.'}")
    return name


def join_list(value: Any) -> Any:
    """Return an iterable as a tuple. Texts, mappings and non-iterable values are returned unchanged."""
    return tuple(value) if isinstance(value, Iterable) and not isinstance(value, (str, bytes, Mapping)) else value


def each_listed(value: Any) -> Any:
    """Return an iterable as a tuple, and each iterable in it as a tuple, too.

    Mappings stay mappings, with iterable values as tuples. Texts and values that are not iterable stay unchanged.
    """
    if isinstance(value, Mapping):
        return {name: join_list(item) for name, item in value.items()}
    items = join_list(value)
    return tuple(map(join_list, items)) if isinstance(items, tuple) else items


def checked_position(position: Position, seats: int) -> Position:
    """Return a position if each of its fields has the right types. Raises `WrongPositionError` otherwise.

    The engine checks later whether the game has the named cards, zones, markers and counters.
    """
    if not isinstance(position, Position):
        raise WrongPositionError(f"a position is a draftengine.Position, not {brief(position)}")
    for what, (fits, form) in _FORMS.items():
        value = getattr(position, what)
        if not fits(value):
            raise WrongPositionError(f"{what} {form}, not {brief(value)}")
    for name, holder in position.markers.items():
        if not (holder is None or (is_whole(holder) and 0 <= holder < seats)):
            raise WrongPositionError(
                f"who has {name} is a seat from 0 to {seats - 1}, or None for nobody, not {brief(holder)}",
                ("markers", name),
            )
    return position


def _is_pile(value: object) -> bool:
    return _lists(value, lambda card: isinstance(card, str))


def _lists(value: object, fits: Callable[[object], bool]) -> bool:
    return isinstance(value, (list, tuple)) and all(map(fits, cast("Sequence[object]", value)))


def _maps(value: object, fits: Callable[[object], bool]) -> bool:
    """True if a value is a mapping from names to values that all pass the test `fits`."""
    return isinstance(value, Mapping) and all(isinstance(key, str) and fits(item) for key, item in value.items())


_FORMS: dict[str, tuple[Callable[[object], bool], str]] = {
    "tables": (
        lambda value: _lists(
            value, lambda table: _is_pile(table) or _maps(table, lambda copies: is_whole(copies) and copies >= 0)
        ),
        "has an entry for each seat: the names of its cards in the order of play, or how many copies of each there are",
    ),
    "hands": (lambda value: _lists(value, _is_pile), "has the cards of each seat by name"),
    "zones": (
        lambda value: _maps(
            value, lambda zone: _lists(zone, _is_pile) or _maps(zone, lambda card: isinstance(card, str))
        ),
        "has the cards of each zone, by owner or by place",
    ),
    "markers": (lambda value: _maps(value, lambda _: True), "says by name who has each marker"),
    "counters": (
        lambda value: _maps(value, lambda numbers: _lists(numbers, is_whole)),
        "has a whole number for each seat by name of the counter",
    ),
    "scores": (lambda value: _lists(value, is_whole), "has a whole number for each seat"),
    "round": (lambda value: is_whole(value) and value >= 1, "is a whole number of at least 1"),
}
"""For each field of a position: a test of its types, and words for messages that describe the types."""
