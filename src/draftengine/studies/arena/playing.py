"""Playing of units, in worker processes.

Bots get observations; their time is measured but never limited here.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from msgspec import Struct

from draftengine.bots import SeatedBot
from draftengine.bots.worth.tables import adopt
from draftengine.engine.chance import Stream, key_of, root_of
from draftengine.engine.game import total
from draftengine.engine.observe import observe
from draftengine.engine.playout import play_by
from draftengine.engine.state import initial_state
from draftengine.studies.arena.deals import Ended, Unit
from draftengine.studies.arena.think_time import Thinking

if TYPE_CHECKING:
    from draftengine.api.game import Game
    from draftengine.engine.choose import Choice
    from draftengine.engine.moves import Move
    from draftengine.engine.policies import Policy
    from draftengine.engine.program import Program
    from draftengine.engine.state import GameState
    from draftengine.studies.arena.deals import Pairing


class ArenaError(ValueError):
    """Error for a tournament that cannot be played; the message names the bot and what it did."""


class Match(Struct, frozen=True):
    """The units `first` to `last - 1` of a tournament: every pairing of a deal, then the next deal."""

    game: Game
    bots: tuple[str, ...]
    """Bots as they are written for a seat."""
    pairings: tuple[Pairing, ...]
    seed: int | str
    first: int
    last: int
    table: bytes = b""
    """Worth table (see `bots.worth.tables`), which workers adopt instead of learning their own."""

    @property
    def seats(self) -> int:
        """Number of seats with players, without extra seats."""
        return self.game.players


class PlayedUnit(Struct, frozen=True):
    unit: Unit
    think_time: dict[int, Thinking]
    """Thinking times of the two bots, by their place in `Match.bots`."""


class Stretch(Struct, frozen=True):
    """Units of a match that one worker has played."""

    first: int
    last: int
    units: list[PlayedUnit]
    seconds: float
    """Time spent playing, in seconds, without preparation."""


def play_stretch(match: Match) -> Stretch:
    """Play the units of a match in order. Adopts the match's worth table first."""
    program = match.game.program
    adopt(program, match.table)
    began = time.perf_counter()
    units = [play_unit(program, match, number) for number in range(match.first, match.last)]
    return Stretch(match.first, match.last, units, time.perf_counter() - began)


def play_unit(program: Program, match: Match, number: int) -> PlayedUnit:
    """Play all games of the unit with this number.

    All games of the unit have equal cards; each bot has its own random stream at each seat of each game.
    """
    deal, place = divmod(number, len(match.pairings))
    pairing, root, seats = match.pairings[place], root_of(match.seed), range(match.seats)
    thinking = {bot: Thinking() for bot in (pairing.challenger, pairing.opponent)}
    games = []
    for challenged in seats:
        policies = []
        for seat in seats:
            bot = pairing.bot_at(seat, challenged)
            key = key_of(root, deal, "bot", challenged * match.seats + seat)
            policies.append(seated(match.bots[bot], key, thinking[bot]))
        state = play_by(initial_state(program, root, deal, memory=True), policies, Stream(0))
        games.append(ended(state))
    return PlayedUnit(Unit(deal, pairing, tuple(games)), thinking)


def seated(text: str, key: int, thinking: Thinking) -> Policy:
    """Return a policy for the bot written as `text`, which sees only what its seat may know.

    The policy notes the time of each decision in `thinking`. It raises `ArenaError` for an illegal move.
    """
    decider = SeatedBot.of(text, key)

    def choose(state: GameState, _choice: Choice, seat: int, _stream: Stream) -> Move:
        seen = observe(state, seat)
        began = time.perf_counter()
        decision = decider.decide(seen)
        spent = time.perf_counter() - began
        if decision.move not in seen.moves:
            raise ArenaError(f"The bot “{text}” made a move that is not legal: {decision.move}.")
        if seen.moves.total > 1:
            thinking.note(spent, decision.iterations)
        return decision.move

    return choose


def ended(state: GameState) -> Ended:
    """Return the result of a finished game, without extra seats."""
    program = state.program
    return Ended(tuple(program.direction * total(state, seat) for seat in range(program.players)), state.winners)
