"""Opponents for people, by strength from 1 to 7; ``easy``, ``medium``, ``hard``, ``expert`` name four.

Strength 1 is one *step* above chance, and every other strength is a step above the one below. All players belong to one
family: a learnt network with less and less noise, then a search with more and more iterations. Which of these players
has a certain strength depends on the game. `draftengine.studies.distilling` measures this, and the file of the
network stores the result.

If even the best player of the family is weaker than a strength requires, it plays anyway. The last strength is the
search with all the time that it is given. Games without a network have four levels; a strength between two of them
plays like the one below.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, cast

from draftengine.bots.net.kept import opinion_of
from draftengine.bots.protocol import BotError, Budget, Decision
from draftengine.bots.search.bot import SearchBot
from draftengine.bots.simple import GreedyBot, NetworkBot, TableBot
from draftengine.engine.choose import Choice

if TYPE_CHECKING:
    from draftengine.bots.net.kept import Setting
    from draftengine.bots.protocol import Bot
    from draftengine.bots.worth.tables import Told
    from draftengine.engine.chance import Stream
    from draftengine.engine.observe import Observation
    from draftengine.engine.program import Program

STRENGTHS = 7
STEP = 3.35
"""The odds of a strength against a single player of the strength below.

Against n such players, it wins `STEP` / (`STEP` + n) of the games: 77 % with two seats, and 53 % with four.
"""
NAMED = MappingProxyType({"easy": 1, "medium": 3, "hard": 5, "expert": STRENGTHS})
"""The strengths that have names."""
PLAYOUTS = 100
"""The number of playouts of strength 5 in games without a network."""
_LONGEST = 50
"""The milliseconds for which players below the last strength may think.

Only budgets with a time limit are affected.
"""
_SLIP = 5
"""A beginner overlooks the best move in one out of this many choices, on average."""


class Level:
    """An opponent of measured strength, 1 to 7; each wins 77 % of the games against the one below."""

    def __init__(self, strength: int = 3) -> None:
        """Set the strength; ``easy`` is 1, ``medium`` 3, ``hard`` 5 and ``expert`` 7."""
        if not 1 <= strength <= STRENGTHS:
            raise BotError(f"strength is a whole number from 1 to {STRENGTHS}, not {strength}.")
        self.strength = strength

    def prepare(self, program: Program, progress: Told) -> None:
        """Prepare the player that has this strength in the game."""
        player = player_of(program, self.strength)
        if isinstance(player, SearchBot | TableBot):
            player.prepare(program, progress)

    def decide(self, seen: Observation, stream: Stream, budget: Budget) -> Decision:
        """Return the move of the player that has this strength in the game."""
        return player_of(seen.program, self.strength).decide(seen, stream, budget)


class Easy:
    """A beginner, who is one step above chance."""

    def decide(self, seen: Observation, stream: Stream, budget: Budget) -> Decision:
        """Return the move of the player that has this strength in the game. This player needs no preparation."""
        return player_of(seen.program, NAMED["easy"]).decide(seen, stream, budget)


class Medium(Level):
    """A player with some experience: knows what cards are worth later, too."""

    def __init__(self) -> None:
        super().__init__(NAMED["medium"])


class Hard(Level):
    """A good player: knows the game well."""

    def __init__(self) -> None:
        super().__init__(NAMED["hard"])


class Expert(SearchBot):
    """As strong as it gets in the time it has."""


def setting_of(program: Program, strength: int) -> Setting | None:
    """Return the learnt setting for a strength below the last in a game; ``None`` if there is none."""
    opinion = opinion_of(program)
    settings = opinion.kept.levels.get(program.players, ()) if opinion else ()
    return settings[min(strength, len(settings)) - 1] if settings else None


def player_of(program: Program, strength: int) -> Bot:
    """Return the player that has a strength in a game."""
    if strength == STRENGTHS:
        return Expert()
    setting = setting_of(program, strength)
    if setting is None:
        return (Beginner(), Experienced(), BriefSearch(PLAYOUTS))[(strength - 1) // 2]
    return BriefSearch(setting.iterations) if setting.iterations else NetworkBot(setting.noise)


class BriefSearch(SearchBot):
    """A search with a fixed number of iterations, and little time."""

    def __init__(self, iterations: int) -> None:
        super().__init__()
        self.iterations = iterations

    def decide(self, seen: Observation, stream: Stream, budget: Budget) -> Decision:
        """Return the best move that this number of iterations finds.

        If the budget limits the time, there may be fewer iterations.
        """
        return super().decide(seen, stream, Budget(self.iterations, min(budget.milliseconds, _LONGEST)))


class Beginner(GreedyBot):
    """A player who looks at immediate points, and sometimes overlooks the best card."""

    def __init__(self) -> None:
        super().__init__(aim="win")

    def decide(self, seen: Observation, stream: Stream, budget: Budget) -> Decision:
        """Return the best move, or now and then the second best."""
        decision = super().decide(seen, stream, budget)
        if stream.below(_SLIP) or len(decision.considered) == 1:
            return decision
        return Decision(decision.considered[1].move, decision.considered, decision.unit)


class Experienced(TableBot):
    """A player who knows what cards are worth later. If the worth table cannot value a move, it searches."""

    def __init__(self) -> None:
        self._ahead = BriefSearch(PLAYOUTS)

    def prepare(self, program: Program, progress: Told) -> None:
        """Prepare the search if a choice needs it, and learn the worth table if another choice needs that."""
        by_table = {_by_table(program, choice) for choice in _choices(program)}
        if False in by_table:
            self._ahead.prepare(program, progress)
        if True in by_table or not by_table:
            super().prepare(program, progress)

    def decide(self, seen: Observation, stream: Stream, budget: Budget) -> Decision:
        """Return the move of largest value. If the worth table cannot value the moves, search."""
        if _by_table(seen.program, cast("Choice", seen.program.code[seen.decision])):
            return super().decide(seen, stream, budget)
        return self._ahead.decide(seen, stream, budget)


def _choices(program: Program) -> list[Choice]:
    return [step for step in program.code if isinstance(step, Choice)]


def _by_table(program: Program, choice: Choice) -> bool:
    """True if a worth table can value the moves of a choice.

    It cannot value actions. It also cannot value cards that are put aside in a game with actions.
    """
    if choice.actions:
        return False
    choices = _choices(program)
    return all(choice.plays for choice in choices if not choice.actions) or not any(
        choice.actions for choice in choices
    )
