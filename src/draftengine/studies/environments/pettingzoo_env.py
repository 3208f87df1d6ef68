"""PettingZoo environments of games: `parallel_env` (all seats at once) and `env` (one by one).

Agents are ``seat_0``, ``seat_1``, ... An observation is ``{"observation": vector, "action_mask": mask}``; actions and
vector are those of `draftengine.studies.environments.table`. Rewards come at the end of the game.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv, ParallelEnv
from pettingzoo.utils import wrappers

from draftengine.engine.chance import Stream, key_of, root_of
from draftengine.studies.environments.table import REWARDS, Encoder, GameSequence, Table, program_named

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from draftengine.engine.program import Program

Seen = dict[str, Any]

ILLEGAL = ("raise", "random", "noop", "end")
"""Treatments of an illegal action: raise an error, take a random legal action, or take none.

In the sequential environment, it can also end the game.
"""
ILLEGAL_REWARD = -1
"""Reward for an illegal action in the sequential environment, which ends the game."""


def parallel_env(
    cardset: str,
    players: int,
    variants: Iterable[str] = (),
    seed: int | None = None,
    *,
    reward: str = "win",
    illegal: str = "raise",
) -> Parallel:
    """Return an environment in which all seats act at once.

    *Done* is the only action of a seat that has nothing to choose or has already chosen. `reward` is ``win``,
    ``margin`` or ``points``. `illegal` says what happens after an illegal action: ``raise`` raises an error, ``random``
    takes a legal action instead, and ``noop`` takes none, so that the seat has to choose again. Raises `ValueError` for
    other values, `NoSuchCardSetError`, `CardSetError` and `SelectionError`.
    """
    return Parallel(program_named(cardset, players, variants), seed, reward, illegal)


def env(
    cardset: str,
    players: int,
    variants: Iterable[str] = (),
    seed: int | None = None,
    *,
    reward: str = "win",
    illegal: str = "end",
) -> AECEnv[str, Seen, int]:
    """Return an environment in which only seats that must choose act, one after the other.

    A seat does not see what the others have chosen. With `illegal` ``end``, an illegal action ends the game.
    `parallel_env` describes the other values of `illegal`, `reward` and the exceptions.
    """
    return sequential(program_named(cardset, players, variants), seed, reward, illegal)


def sequential(program: Program, seed: int | None, reward: str, illegal: str = "end") -> AECEnv[str, Seen, int]:
    """Return the environment that `env` describes, for a game that is already a program."""
    raw: AECEnv[str, Seen, int] = Sequential(program, seed, reward, illegal)
    if illegal == "end":
        raw = wrappers.TerminateIllegalWrapper(raw, illegal_reward=ILLEGAL_REWARD)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(raw))


class _Common:
    """The part that the parallel and the sequential environment share."""

    def _set_up(self, program: Program, seed: int | None, reward: str, illegal: str, known: Sequence[str]) -> None:
        if reward not in REWARDS:
            raise ValueError(f"there is no reward {reward!r}, only {', '.join(REWARDS)}")
        if illegal not in known:
            raise ValueError(f"illegal is {', '.join(known)}, not {illegal!r}")
        self._illegal = illegal
        self.program = program
        self.encoder = Encoder(program)
        self.render_mode = None
        self.possible_agents = [f"seat_{seat}" for seat in range(program.players)]
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self._deals = GameSequence(seed)
        self._reward = reward
        self._observation_spaces = {
            agent: spaces.Dict(
                {
                    "observation": spaces.Box(self.encoder.low, self.encoder.high, dtype=np.float32),
                    "action_mask": spaces.Box(0, 1, (self.encoder.done + 1,), dtype=np.int8),
                }
            )
            for agent in self.possible_agents
        }
        self._action_spaces = {agent: spaces.Discrete(self.encoder.done + 1) for agent in self.possible_agents}

    def observation_space(self, agent: str) -> spaces.Dict:
        """Return the observation space of an agent. The spaces are equal, but each has its own random stream."""
        return self._observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        """Return the action space of an agent. The spaces are equal, but each has its own random stream."""
        return self._action_spaces[agent]

    def _deal(self, seed: int | None) -> None:
        root, number = self._deals.next(seed)
        self.table = Table.dealt(self.encoder, root, number)
        self._chance = Stream(key_of(root_of(root), number, "bot"))

    def _legal(self, seat: int, action: int) -> int | None:
        """Return the action that a seat takes; ``None`` if it takes none.

        Raises `ValueError` if illegal actions are errors.
        """
        legal = self.table.legal(seat)
        if action in legal or self._illegal not in {"random", "noop"}:
            self.table.check(seat, action)
            return action
        return legal[self._chance.below(len(legal))] if self._illegal == "random" else None

    def observe(self, agent: str) -> Seen:
        """Return the observation vector and the action mask of an agent."""
        seat = self._seats[agent]
        return {"observation": self.table.vector(seat), "action_mask": self.table.mask(seat)}

    def _returns(self) -> dict[str, float]:
        return dict(zip(self.possible_agents, self.table.returns(self._reward), strict=True))

    def render(self) -> None:
        """Draw nothing: ``draftengine play`` shows games."""

    def close(self) -> None:
        """Satisfy PettingZoo, which requires the method. There is nothing to close."""


class Parallel(_Common, ParallelEnv[str, Seen, int]):  # type: ignore[misc] # PettingZoo has no types
    """PettingZoo environment in which all seats act at once."""

    metadata = {"name": "draftengine_v0", "render_modes": []}  # noqa: RUF012 (PettingZoo's own convention)

    def __init__(self, program: Program, seed: int | None, reward: str, illegal: str = "raise") -> None:
        self._set_up(program, seed, reward, illegal, ILLEGAL[:-1])

    def reset(
        self,
        seed: int | None = None,
        options: dict[str, Any] | None = None,  # noqa: ARG002 (there are none)
    ) -> tuple[dict[str, Seen], dict[str, dict[str, Any]]]:
        """Deal the first game of `seed` or, without a seed, the next game."""
        self._deal(seed)
        self.agents = self.possible_agents[:]
        return {agent: self.observe(agent) for agent in self.agents}, {agent: {} for agent in self.agents}

    def step(
        self, actions: dict[str, int]
    ) -> tuple[dict[str, Seen], dict[str, float], dict[str, bool], dict[str, bool], dict[str, dict[str, Any]]]:
        """Take one action of every agent.

        If illegal actions are errors, raise `ValueError` and change nothing.
        """
        agents, table = self.agents, self.table
        taken = [self._legal(seat, int(actions[agent])) for seat, agent in enumerate(agents)]
        for seat in table.waiting():
            if (action := taken[seat]) is not None:
                table.act(seat, action)
        over = table.over
        rewards = self._returns() if over else dict.fromkeys(agents, 0.0)
        if over:
            self.agents = []
        return (
            {agent: self.observe(agent) for agent in agents},
            rewards,
            dict.fromkeys(agents, over),
            dict.fromkeys(agents, False),
            {agent: {} for agent in agents},
        )


class Sequential(_Common, AECEnv[str, Seen, int]):  # type: ignore[misc] # as above
    """PettingZoo environment in which one seat acts after the other."""

    metadata = {"name": "draftengine_v0", "render_modes": [], "is_parallelizable": False}  # noqa: RUF012 (as above)

    def __init__(self, program: Program, seed: int | None, reward: str, illegal: str = "end") -> None:
        super().__init__()
        self._set_up(program, seed, reward, illegal, ILLEGAL)

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:  # noqa: ARG002 (none)
        """Deal a game to all agents: the first game of `seed` or, without a seed, the next game."""
        self._deal(seed)
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self._first_waiting()

    def _first_waiting(self) -> str:
        waiting = self.table.waiting()
        return self.possible_agents[waiting[0] if waiting else 0]

    def step(self, action: int | None) -> None:
        """Take one action of the selected agent; it must be ``None`` if the game is over for the agent."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        assert action is not None
        legal = self._legal(self._seats[agent], int(action))
        if legal is not None:
            self.table.act(self._seats[agent], legal)
        if self.table.over:
            self.rewards = self._returns()
            self.terminations = dict.fromkeys(self.agents, True)
        self.agent_selection = self._first_waiting()
        self._accumulate_rewards()
        self._deads_step_first()
