"""Conclusions about a game as a whole: how long it lasts, and whether knowing it pays."""

from __future__ import annotations

from statistics import mean, median_low, stdev
from typing import TYPE_CHECKING

from draftengine.engine.plan.base import can_compile
from draftengine.studies.report.conclusions import Conclusion, bot_named, share
from draftengine.studies.report.statistics import of_mean
from draftengine.studies.runner.playing import Task, is_policy, play_chunk
from draftengine.studies.simulation.rows import choices_of
from draftengine.support.locale.phrases import said

if TYPE_CHECKING:
    from draftengine.api.game import Game

_WATCHED = 20
"""The number of games whose choices are counted."""
_AGAINST, _SLOWLY = 2_000, 200
"""The numbers of games against players who take any card: compiled, and otherwise."""
_LITTLE = 0.05
"""The share of wins beyond the usual one below which knowing a game hardly pays."""
_KNOWS, _TAKES_ANY = "greedy", "random"


def course_of(game: Game, bot: str, seed: int | str) -> list[Conclusion]:
    """Return conclusions about the length of games, and about the wins of a bot that knows the game.

    A bot that is no policy would take too long, and one that takes any card knows nothing. Another stands in for them.
    """
    knows = bot if is_policy(bot) and bot != _TAKES_ANY else _KNOWS
    counts, rounds = [[0] * game.players for _ in range(_WATCHED)], 0
    for row in choices_of(game, (_KNOWS,) * game.players, seed, 0, _WATCHED):
        counts[row.game][row.seat] += 1
        rounds = max(rounds, row.round)
    by_player = [count for seats in counts for count in seats]
    low, high = min(by_player), max(by_player)
    head = said("study.length.same")
    if len(set(map(sum, counts))) > 1:
        head = said("study.length.differs")
        text = said("study.length.differs.text", low=low, high=high, usual=median_low(by_player))
    elif low == high:
        text = said("study.length.same.text", choices=low, rounds=rounds)
    else:  # the seats differ: only the sum is the same in every game
        text = said("study.length.same.together", choices=sum(counts[0]), rounds=rounds)
    length = Conclusion("measured", head, text)
    if game.players == 1:
        return [length]
    # The bot's wins among players who take any card are compared with the wins of such a player in the same seat and
    # the same deals, because seats may differ.
    seat, any_card = 0, (_TAKES_ANY,) * game.players
    usual = _wins(game, any_card, seed, seat)
    if mean(usual) > 1 - _LITTLE:  # who wins anyway can gain nothing
        seat = game.players - 1
        usual = _wins(game, any_card, seed, seat)
    wins = _wins(game, (*any_card[:seat], knows, *any_card[seat + 1 :]), seed, seat)
    gains = [with_it - without for with_it, without in zip(wins, usual, strict=True)]
    least, most = of_mean(mean(gains), stdev(gains), len(gains))
    pays, little = least > _LITTLE, most < _LITTLE
    text = said(
        "study.knowing.text",
        bot=bot_named(knows),
        share=share(mean(wins), 0),
        others=game.players - 1,
        usual=share(mean(usual), 0),
    )
    head = said(f"study.knowing.{'pays' if pays else 'little' if little else 'unknown'}")
    return [length, Conclusion("certain" if pays or little else "unknown", head, text)]


def _wins(game: Game, bots: tuple[str, ...], seed: int | str, seat: int) -> list[float]:
    """Return the share of the victory that a seat has in each game."""
    games = _AGAINST if can_compile() else _SLOWLY
    rows = play_chunk(Task(game, bots, seed, 0, games, "compiled", rows=True)).rows
    winners = [row[game.program.seats] for row in rows]
    return [(won >> seat & 1) / won.bit_count() for won in winners]
