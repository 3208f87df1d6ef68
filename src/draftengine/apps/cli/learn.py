"""``draftengine learn``."""

from __future__ import annotations

import sys
import time
from contextlib import suppress
from typing import TYPE_CHECKING

from draftengine.apps.cli import options
from draftengine.apps.cli.errors import FINE, UsageError, needing, phrase

if TYPE_CHECKING:
    from collections.abc import Sequence

    from draftengine.api.ruleset import Ruleset


def learn(
    cardset: options.CardSet,
    players: options.LearnPlayers = "",
    variant: options.Variants = None,
    positions: options.Positions = 60_000,
    to: options.LearnFolder = None,
    quiet: options.Quiet = False,
) -> int:
    """Teach opponents a card set: a network learns what the search thinks of moves.

    The bots medium, hard and expert are better with it. The search plays games with itself, which takes minutes, then
    the network learns from them, and the noise of the levels is found by playing. Needs NumPy. The same card set gives
    the same network. It is kept in the cache, where bots find it by the rules; other numbers of players and rules with
    the same cards use it, too.

    \b
    Examples:
      draftengine learn my_game.yaml --players 2
      draftengine learn my_game.yaml --players 2-5 --variant high_stakes --positions 40000
    """
    from draftengine.apps.cli.opening import in_words, rules_of
    from draftengine.apps.cli.preparing import ProgressLine, bar, span
    from draftengine.support.caches import folder

    with needing("learn", "fast"):
        from draftengine.studies.distilling.distil import distil
    rules = rules_of(cardset, variant)
    with in_words():
        games = [rules.game(number) for number in _numbers(players, rules)]
    line, began = ProgressLine(quiet=quiet), time.monotonic()

    def tell(what: str, share: float) -> None:
        key = "command.learn.levels" if what == "levels" else "command.learn.players"
        line.say(f"{bar(share)} {share:4.0%}  {phrase(key, players=what)}  {span(time.monotonic() - began)}")

    kept = distil(games, to or folder(), positions, tell)
    line.clear()
    for number in kept.players:
        levels = ", ".join(f"{level} {noise:g}" for level, noise in kept.noise[number].items())
        sys.stdout.write(f"{phrase('command.learn.done', players=number, levels=levels)}\n")
    return FINE


def _numbers(text: str, rules: Ruleset) -> Sequence[int]:
    """Return the numbers of players in a text such as ``2`` or ``2-5``; all if it is empty.

    Raises `UsageError`.
    """
    fewest, most = rules.players
    first, _, last = text.partition("-")
    wanted = range(0)
    with suppress(ValueError):
        wanted = range(int(first or fewest), int(last or first or most) + 1)
    numbers = [number for number in rules.possible_players if number in wanted]
    if not numbers:
        raise UsageError(phrase("command.learn.number", players=text))
    return numbers
