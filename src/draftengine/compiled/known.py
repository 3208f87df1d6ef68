"""What is known beforehand is computed once: methods that remember what they gave as long as their object lives."""

from __future__ import annotations

from functools import wraps
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

P = ParamSpec("P")
T = TypeVar("T")
Self = TypeVar("Self")


def once(method: Callable[Concatenate[Self, P], T]) -> Callable[Concatenate[Self, P], T]:
    """A method that computes its value for the same arguments once. The arguments can be looked up by."""
    place = f"_once_{method.__name__}"

    @wraps(method)
    def remembering(own: Self, /, *args: P.args, **more: P.kwargs) -> T:
        found: dict[Any, T] = own.__dict__.setdefault(place, {})
        if args not in found:
            found[args] = method(own, *args, **more)
        return found[args]

    return remembering
