"""Choices as rows: the cards that were offered, those that were taken, and those on the table.

The games are those of a simulation with the same bots and seed. They are played by the reference engine.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from draftengine.api.moves import named
from draftengine.engine.chance import Stream, key_of, root_of
from draftengine.engine.observe import observe
from draftengine.engine.policies import play_by
from draftengine.engine.state import initial_state
from draftengine.studies.runner.playing import needs_memory, policies_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from draftengine.api.game import Game
    from draftengine.engine.choose import Choice
    from draftengine.engine.moves import Move
    from draftengine.engine.program import Program
    from draftengine.engine.state import GameState


class ChoiceRow(NamedTuple):
    """One choice of one seat. Cards are names with a space between them, in alphabetical order."""

    game: int
    round: int
    turn: int
    seat: int
    bot: str
    offered: str
    """Cards from which the seat took some."""
    move: str
    """Cards that it took, and how."""
    tableau: str
    """Cards in front of the seat before its choice."""


TEXTS = ("bot", "offered", "move", "tableau")
"""Columns that hold texts."""


def choices_of(game: Game, bots: Sequence[str], seed: int | str, first: int, last: int) -> Iterator[ChoiceRow]:
    """Yield the choices of the games `first` to `last - 1` of a seed, in the order of play."""
    for number in range(first, last):
        yield from _choices_in(game.program, bots, root_of(seed), number)


def _choices_in(program: Program, bots: Sequence[str], root: int, number: int) -> list[ChoiceRow]:
    state = initial_state(program, root, number, memory=needs_memory(bots))
    rows: list[ChoiceRow] = []

    def note(choice: Choice, chosen: Mapping[int, Move]) -> None:
        for seat, move in sorted(chosen.items()):
            offered, tableau = _offered(state, choice, seat), _names(state, state.zones[program.tableau][seat])
            taken = str(named(program, choice, move))
            rows.append(ChoiceRow(number, state.round, state.turn, seat, bots[seat], offered, taken, tableau))

    play_by(state, policies_of(program, bots, root, number), Stream(key_of(root, number, "bot")), note=note)
    return rows


def _offered(state: GameState, choice: Choice, seat: int) -> str:
    """Return the cards of the zone that a choice takes from; of a layout, those that lie open."""
    zone = state.program.zones[choice.source]
    if zone.layout:
        views = (view for view in observe(state, seat).zones if view.zone == zone.id)
        return " ".join(sorted(name for view in views for _, name, _ in view.places if name))
    return _names(state, state.zones[choice.source][seat if zone.per == "seat" else 0])


def _names(state: GameState, cards: Sequence[int]) -> str:
    return " ".join(sorted(state.program.plays[card].name for card in cards))
