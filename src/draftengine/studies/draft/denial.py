"""Denied points: what a card that was taken would have been worth to the seat that gets the rest."""

from __future__ import annotations

from typing import TYPE_CHECKING

from draftengine.engine.public_state import PublicState, rises

if TYPE_CHECKING:
    from collections.abc import Sequence

    from draftengine.engine.choose import Choice
    from draftengine.engine.state import GameState


def denied(state: GameState, choice: Choice, receiver: int, gone: Sequence[int], rest: Sequence[int]) -> list[int]:
    """For each of the faces that are gone: the points that `receiver` would gain more with it than with the best left.

    A gain is the rise of the provisional score as the tables lie, in the best form that the card can take; 0 if
    something as good is left.
    """
    gains = _gains(state, choice.as_played(), receiver, [*gone, *rest])
    instead = max(gains[len(gone) :])
    return [max(0, gain - instead) for gain in gains[: len(gone)]]


def _gains(state: GameState, playing: Choice, seat: int, faces: Sequence[int]) -> list[int]:
    """What each face would give a seat at once; with the sign turned where the fewest points win."""
    forms = [_forms(state, seat, face) for face in faces]
    moves = [(option,) for form in forms for option in form]
    sign = state.program.direction
    values = iter([sign * value for value in rises(PublicState.of_state(state), playing, seat, moves)])
    return [max(next(values) for _ in form) for form in forms]


def _forms(state: GameState, seat: int, face: int) -> tuple[int, ...]:
    """The options that a card with a face offers to a seat as things stand."""
    program = state.program
    options = program.options_of[face]
    named = options[:-1] if len(options) > 1 else options
    allowed = [option for option in named if (when := program.options[option].condition) is None or when(state, seat)]
    return tuple(allowed) or options[-1:]
