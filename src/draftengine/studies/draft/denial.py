"""Denied points: the value of taken cards for the seat that receives the rest of the hand."""

from __future__ import annotations

from typing import TYPE_CHECKING

from draftengine.engine.public_state import PublicState, rises

if TYPE_CHECKING:
    from collections.abc import Sequence

    from draftengine.engine.choose import Choice
    from draftengine.engine.state import GameState


def denied(state: GameState, choice: Choice, receiver: int, gone: Sequence[int], rest: Sequence[int]) -> list[int]:
    """Return for each face in `gone` the points denied to `receiver`.

    They are its gain with that face minus its gain with the best face in `rest`, at least 0. A gain is the rise of the
    provisional score in the current position, in the best form that the card can take.
    """
    gains = _gains(state, choice.as_played(), receiver, [*gone, *rest])
    instead = max(gains[len(gone) :])
    return [max(0, gain - instead) for gain in gains[: len(gone)]]


def _gains(state: GameState, playing: Choice, seat: int, faces: Sequence[int]) -> list[int]:
    """Return the immediate gain of a seat for each face, negated where the fewest points win."""
    forms = [_forms(state, seat, face) for face in faces]
    moves = [(option,) for form in forms for option in form]
    sign = state.program.direction
    values = iter([sign * value for value in rises(PublicState.of_state(state), playing, seat, moves)])
    return [max(next(values) for _ in form) for form in forms]


def _forms(state: GameState, seat: int, face: int) -> tuple[int, ...]:
    """Return the options in which a seat can play a card with this face in the current position."""
    program = state.program
    options = program.options_of[face]
    named = options[:-1] if len(options) > 1 else options
    allowed = [option for option in named if (when := program.options[option].condition) is None or when(state, seat)]
    return tuple(allowed) or options[-1:]
