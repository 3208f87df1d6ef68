"""Plays pairs of games that differ in hidden cards alone, and checks that seats get equal bytes.

``PYTHONPATH=tests python -m serve.pairs --pairs 10000 --minutes 60`` cycles through all families until either limit or
Ctrl-C. `test_no_leaks.py` plays one pair of each family by day. A difference ends it with status 1 and prints the pair.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from itertools import count
from random import Random

from engine.configurations import FAMILIES
from leaks.canaries import game_of
from serve.test_no_leaks import pairs


def compare(game, family, number, counted):
    """Play one pair and count it; return whether both games sent equal bytes."""
    one, other, here, there = pairs(game, Random(f"{family}/{number}"))
    if one != other:
        frame = next(
            (at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other))
        )
        sys.stdout.write(f"{family}, pair {number}, frame {frame}:\n{one[frame:][:1]}\n{other[frame:][:1]}\n")
        return False
    counted["pairs"] += 1
    counted["frames"] += len(one)
    counted["bytes"] += sum(len(text.encode()) for text in one)
    counted["differ"] += any(state.describe() != world.describe() for state, world in zip(here, there, strict=True))
    return True


def main():
    """Play pairs as the command line says, and print the counts; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pairs", type=int, default=10_000)
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--first", type=int, default=0, help="the number of the first pair of each family")
    parser.add_argument("--family", choices=FAMILIES, action="append", help="only this one")
    given = parser.parse_args()
    end, same, counted = time.monotonic() + 60 * given.minutes, True, Counter()
    games = {own: game_of(FAMILIES[own][0]) for own in given.family or FAMILIES}
    each = ((family, number) for number in count(given.first) for family in games)
    try:
        while same and counted["pairs"] < given.pairs and time.monotonic() < end:
            family, number = next(each)
            same = compare(games[family], family, number, counted)
            if sys.stderr.isatty():
                sys.stderr.write(f"\r{counted['pairs']:,} of {given.pairs:,} pairs ")
    except KeyboardInterrupt:
        pass
    told = (
        f"{counted['pairs']:,} pairs of {len(games)} families, {counted['differ']:,} of them with something hidden "
        f"that differs: {counted['frames']:,} frames, {counted['bytes'] / 1e6:,.0f} MB"
    )
    sys.stdout.write(f"{told}, all the same.\n" if same else f"Before that {told} were the same.\n")
    return 0 if same else 1


if __name__ == "__main__":
    sys.exit(main())
