"""Conclusions about a game as a whole: how long it lasts, and whether knowing it pays."""

from __future__ import annotations

from collections import Counter
from statistics import median_low
from typing import TYPE_CHECKING

from draftengine.engine.plan.base import can_compile
from draftengine.studies.report.conclusions import Conclusion, bot_named, share
from draftengine.studies.report.statistics import summarise
from draftengine.studies.runner.playing import Task, is_policy, play_chunk
from draftengine.studies.simulation.rows import choices_of
from draftengine.support.locale.phrases import said

if TYPE_CHECKING:
    from draftengine.api.game import Game

_WATCHED = 20
"""The number of games whose choices are counted."""
_AGAINST, _SLOWLY = 1_000, 200
"""The numbers of games against players who take any card: compiled, and otherwise."""
_LITTLE = 0.05
"""The share of wins beyond an even one below which knowing a game hardly pays."""
_KNOWS, _TAKES_ANY = "greedy", "random"


def course_of(game: Game, bot: str, seed: int | str) -> list[Conclusion]:
    """Return conclusions about the length of games, and about the wins of a bot that knows the game.

    A bot that is no policy would take too long, and one that takes any card knows nothing. Another stands in for them.
    """
    knows = bot if is_policy(bot) and bot != _TAKES_ANY else _KNOWS
    return [_of_length(game, seed), *(_of_knowing(game, knows, seed) if game.players > 1 else ())]


def _of_length(game: Game, seed: int | str) -> Conclusion:
    """Return a conclusion about the choices that each player makes in a game."""
    choices, rounds = Counter[int](), dict[int, int]()
    for row in choices_of(game, (_KNOWS,) * game.players, seed, 0, _WATCHED):
        choices[row.game] += 1
        rounds[row.game] = row.round
    each = [round(count / game.players) for count in choices.values()] or [0]
    low, high = min(each), max(each)
    if low == high:
        text = said("study.length.same.text", choices=low, rounds=max(rounds.values(), default=0))
        return Conclusion("measured", said("study.length.same"), text)
    text = said("study.length.differs.text", low=low, high=high, usual=median_low(each))
    return Conclusion("measured", said("study.length.differs"), text)


def _of_knowing(game: Game, knows: str, seed: int | str) -> list[Conclusion]:
    """Return a conclusion about how often a bot in the first seat wins against players who take any card."""
    bots = (knows, *(_TAKES_ANY,) * (game.players - 1))
    games = _AGAINST if can_compile() else _SLOWLY
    played = play_chunk(Task(game, bots, seed, 0, games, "compiled"))
    first, even = summarise(game.program, bots, played.tally).seats[0], 1 / game.players
    low, high = first.win_rate_ci95
    pays, little = low > even + _LITTLE, high < even + _LITTLE
    text = said(
        "study.knowing.text",
        bot=bot_named(knows),
        share=share(first.win_rate, 0),
        others=game.players - 1,
        even=share(even, 0),
    )
    head = said(f"study.knowing.{'pays' if pays else 'little' if little else 'unknown'}")
    return [Conclusion("certain" if pays or little else "unknown", head, text)]
