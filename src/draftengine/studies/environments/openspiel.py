"""Games for OpenSpiel: importing this module registers ``python_draftengine``.

``pyspiel.load_game("python_draftengine", {"cardset": ..., "players": 3, "variants": "one,another"})`` loads a game.
Seats choose simultaneously, action by action (see `draftengine.studies.environments.table`). *Done* is the only
action of a seat that has nothing to choose or has chosen already. A game has one chance node, at which the next game
under ``seed`` is dealt. Utilities are the ``win`` returns (see
`draftengine.studies.environments.table.Table.returns`).
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import numpy as np
import pyspiel

from draftengine.engine.events import to_json, view
from draftengine.studies.environments.table import Encoder, GameSequence, Table, program_named

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from numpy.typing import NDArray

    from draftengine.engine.events import Event

_PARAMETERS = {"cardset": "", "players": 2, "variants": "", "seed": 0}
_MOST_PLAYERS = 100
_MOST_CODES = 64
"""The largest number of codes (integers for cards) assumed in a move, to limit the length of a game."""

_TYPE = pyspiel.GameType(
    short_name="python_draftengine",
    long_name="Drafting games of draftengine",
    dynamics=pyspiel.GameType.Dynamics.SIMULTANEOUS,
    chance_mode=pyspiel.GameType.ChanceMode.SAMPLED_STOCHASTIC,
    information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.ZERO_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=_MOST_PLAYERS,
    min_num_players=1,
    provides_information_state_string=True,
    provides_information_state_tensor=False,
    provides_observation_string=True,
    provides_observation_tensor=True,
    parameter_specification=_PARAMETERS,
    default_loadable=False,
)


class DraftGame(pyspiel.Game):  # type: ignore[misc] # pyspiel has no types
    """Game of a card set for a number of players.

    The constructor raises `NoSuchCardSetError`, `CardSetError` and `SelectionError`.
    """

    def __init__(self, params: Mapping[str, Any] | None = None) -> None:
        given = {**_PARAMETERS, **(params or {})}
        variants = [text for text in str(given["variants"]).split(",") if text]
        program = program_named(str(given["cardset"]), int(given["players"]), variants)
        self.encoder = Encoder(program)
        self.deals = GameSequence(int(given["seed"]))
        info = pyspiel.GameInfo(
            num_distinct_actions=self.encoder.done + 1,
            max_chance_outcomes=1,
            num_players=program.players,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=(program.turn_bound + program.model.rounds) * _MOST_CODES,
        )
        super().__init__(_TYPE, info, given)

    def new_initial_state(self) -> DraftState:
        """Return a game that is not dealt yet."""
        return DraftState(self)

    def make_py_observer(self, kind: Any = None, params: Mapping[str, Any] | None = None) -> Observer:
        """Return an observer, with perfect recall if `kind` asks for it. Raises `ValueError` for parameters."""
        if params:
            raise ValueError("there are no parameters of observations")
        return Observer(self.encoder, recalls=kind is not None and kind.perfect_recall)


class DraftState(pyspiel.State):  # type: ignore[misc] # as above
    """The state of a game in progress, or of a game that is not dealt yet."""

    def __init__(self, game: DraftGame) -> None:
        super().__init__(game)
        self.table: Table | None = None
        self.recalled: list[list[str]] = [[] for _ in range(game.encoder.program.players)]
        """Lines by player, in order: its actions, the events it saw, and the changes of its vector."""
        self._last: list[NDArray[np.float32]] = [np.zeros(game.encoder.length, np.float32) for _ in self.recalled]

    def current_player(self) -> int:
        """Return the identifier for chance before the deal, for all players in the game, or for its end."""
        if self.table is None:
            return int(pyspiel.PlayerId.CHANCE)
        return int(pyspiel.PlayerId.TERMINAL if self.table.over else pyspiel.PlayerId.SIMULTANEOUS)

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return the only outcome of the deal. Each time it is drawn, a different game is dealt."""
        return [(0, 1.0)]

    def _legal_actions(self, player: int) -> list[int]:
        return [] if self.table is None or self.table.over else self.table.legal(player)

    def _apply_action(self, action: int) -> None:  # noqa: ARG002 (there is one outcome)
        game = self.get_game()
        self.table = Table.dealt(game.encoder, *game.deals.next(None))
        self._recall()

    def _apply_actions(self, actions: Sequence[int]) -> None:
        assert self.table is not None
        for player, action in enumerate(actions):
            self.table.check(player, action)
        for player, action in enumerate(actions):
            self.recalled[player].append(self.table.encoder.names[action])
        happened: list[Event] = []
        for player in self.table.waiting():
            self.table.act(player, actions[player], happened.append)
        self._recall(happened)

    def _recall(self, happened: Iterable[Event] = ()) -> None:
        assert self.table is not None
        for player, (lines, last) in enumerate(zip(self.recalled, self._last, strict=True)):
            lines.extend(json.dumps(to_json(view(event, player))) for event in happened)
            vector = self.table.vector(player)
            lines.append(" ".join(f"{entry}={vector[entry]:g}" for entry in np.flatnonzero(vector != last)))
            self._last[player] = vector

    def _action_to_string(self, player: int, action: int) -> str:
        return "deal" if player == pyspiel.PlayerId.CHANCE else str(self.get_game().encoder.names[action])

    def is_terminal(self) -> bool:
        """True if the game is over."""
        return self.table is not None and self.table.over

    def returns(self) -> list[float]:
        """Return the ``win`` returns of all players; 0 before the game is over."""
        return self.table.returns("win") if self.table is not None and self.table.over else [0.0] * len(self.recalled)

    def __str__(self) -> str:
        if self.table is None:
            return "not dealt"
        return json.dumps([self.table.state.to_json(), sorted(self.table.taken.items())])

    def vector(self, player: int) -> NDArray[np.float32]:
        """Return what a player may know now, as a vector."""
        return self._last[player]


class Observer:
    """Gives what a player may know, as a vector and as text; with perfect recall, only as text."""

    def __init__(self, encoder: Encoder, *, recalls: bool) -> None:
        self._names = [
            f"{part.name}[{entry}]" if part.length > 1 else part.name
            for part in encoder.parts()
            for entry in range(part.length)
        ]
        self._recalls = recalls
        self.tensor = None if recalls else np.zeros(encoder.length, np.float32)
        self.dict = {} if self.tensor is None else {"observation": self.tensor}

    def set_from(self, state: DraftState, player: int) -> None:
        """Write the player's vector into `tensor`."""
        if self.tensor is not None:
            self.tensor[:] = state.vector(player)

    def string_from(self, state: DraftState, player: int) -> str:
        """Return the player's knowledge as text: its history if `recall`, otherwise the nonzero entries."""
        if self._recalls:
            return "\n".join([f"seat {player}", *state.recalled[player]])
        vector = state.vector(player)
        return " ".join(f"{self._names[entry]}={vector[entry]:g}" for entry in np.flatnonzero(vector))


pyspiel.register_game(_TYPE, DraftGame)
