"""Measure how well somebody plays who always takes the card with the most bars.

Usage: ``python benchmarks/bars.py --games 300 --set sushi_go --players 3``. The others are medium bots. Seats change
from game to game, and between equal bars chance decides.
"""

from __future__ import annotations

import argparse
from random import Random
from statistics import mean, stdev

import draftengine as de

OTHERS = de.bot("medium")


def by_bars(view, chance):
    """Return a move whose every card had the most bars."""
    taken = de.Move()
    while True:
        bars = de.bars(view, taken)
        best = chance.choice([move for move, number in bars.items() if number == max(bars.values())])
        if best == taken:
            return best
        taken = best


def share(game, number):
    """Play a game and return the part of its win that belongs to the bars."""
    chance, mine, state = Random(number), number % game.players, game.start(number)
    while not state.over:
        for seat in state.waiting:
            view = state.view(seat)
            move = by_bars(view, chance) if seat == mine else OTHERS.decide(view, seed=number).move
            state = state.commit(seat, move)
    winners = state.result.winners
    return (mine in winners) / len(winners)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=300)
    parser.add_argument("--set", default="sushi_go")
    parser.add_argument("--players", type=int, default=3)
    asked = parser.parse_args()
    game = de.load(asked.set, players=asked.players)
    OTHERS.prepare(game)
    shares = [share(game, number) for number in range(asked.games)]
    half = 1.96 * stdev(shares) / len(shares) ** 0.5
    print(
        f"{asked.set}, {asked.players} players, {asked.games} games: the bars win {100 * mean(shares):.1f} % "
        f"± {100 * half:.1f} %; as strong as medium would be {100 / asked.players:.1f} %"
    )


if __name__ == "__main__":
    main()
