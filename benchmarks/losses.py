"""Losses of bots to an equilibrium, in rounds of two seats that are solved from a few cards on.

Positions come from games that ``table`` plays against itself: one of every round, at each number of cards in `CARDS`.
The loss of a choice is the number of points that it brings less than the equilibrium, if the other seat plays the
equilibrium.
"""

from statistics import mean, stdev
from typing import NamedTuple

from draftengine.api.ruleset import load
from draftengine.bots.catalogue import SeatedBot, prepare
from draftengine.bots.exact import losses, solve
from draftengine.engine.game import commit, start, waiting
from draftengine.engine.observe import observe

CARDSET, PLAYERS = "sushi_go", 2
SEED = "losses"
GAMES = 20
BOTS = ("random", "greedy", "table", *(f"search:iterations={count}:exact=0" for count in (100, 1000, 10_000)))
WANTED = {(BOTS[4], 4): 0.10, (BOTS[4], 5): 0.35}
"""Maximum loss of a bot, in points, by bot and number of cards left."""
CARDS = (4, 5, 6)


class Lost(NamedTuple):
    """Mean loss of a bot for each choice, in points, with a number of cards left."""

    bot: str
    cards: int
    mean: float
    error: float
    """Half of the 95 percent interval of the mean, by game."""
    best: float
    """Part of the choices that lose nothing."""

    @property
    def verdict(self):
        wanted = WANTED.get((self.bot, self.cards))
        if wanted is None:
            return ""
        if self.mean <= wanted:
            return "passed"
        return "FAILED" if self.mean - self.error > wanted else "open"

    def __str__(self):
        wanted = WANTED.get((self.bot, self.cards))
        limit = f"  at most {wanted:.2f}: {self.verdict}" if wanted else ""
        return (
            f"{self.bot:<32} {self.cards} cards left: loses {self.mean:.2f} ± {self.error:.2f} points, nothing in "
            f"{100 * self.best:.0f} %{limit}"
        )


def measured():
    """Measure the loss of every bot for each number of cards left."""
    program = load(CARDSET, PLAYERS).program
    prepare(BOTS, program, lambda _what, _share: None)
    games = [list(_positions(program, number)) for number in range(GAMES)]
    for cards in CARDS:
        solved = [[(state, solve(state)) for state in found if _left(state) == cards] for found in games]
        for bot in BOTS:
            deciders = [SeatedBot.at(bot, SEED, seat) for seat in range(PLAYERS)]
            by_game = [[loss for own in found for loss in _losses(deciders, *own)] for found in solved]
            means = [mean(found) for found in by_game]
            every = [loss for found in by_game for loss in found]
            error = 1.96 * stdev(means) / len(means) ** 0.5
            yield Lost(bot, cards, mean(every), error, sum(loss < 1e-6 for loss in every) / len(every))


def _positions(program, number):
    """Yield the states of a game in which both seats must choose, at each number of cards in `CARDS`."""
    seats = [SeatedBot.at("table", SEED, seat, game=number) for seat in range(PLAYERS)]
    state = start(program, SEED, game=number).state
    while not state.over:
        if _left(state) in CARDS and len(waiting(state)) == PLAYERS:
            yield state
        seat = waiting(state)[0]
        state = commit(state, seat, seats[seat].decide(observe(state, seat)).move).state


def _left(state):
    return len(state.zones[state.program.zone_index("hand")][0])


def _losses(deciders, state, solution):
    for seat, decider in enumerate(deciders):
        move = decider.decide(observe(state, seat)).move
        yield losses(solution, seat)[solution.moves[seat].index(move)]


def table(found):
    """Return the losses as a Markdown table."""
    bots = list(dict.fromkeys(own.bot for own in found))
    by_key = {(own.bot, own.cards): own for own in found}
    rows = ["| bot | " + " | ".join(f"{cards} cards left" for cards in CARDS) + " |", "|---" * (1 + len(CARDS)) + "|"]
    for bot in bots:
        cells = []
        for cards in CARDS:
            own, wanted = by_key[bot, cards], WANTED.get((bot, cards))
            limit = f" (at most {wanted:.2f}: {own.verdict})" if wanted else ""
            cells.append(f"{own.mean:.2f} ± {own.error:.2f}{limit}")
        rows.append(f"| `{bot}` | " + " | ".join(cells) + " |")
    return "\n".join(rows)
