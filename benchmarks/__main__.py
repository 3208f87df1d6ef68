"""``make bench``: how fast the reference engine is, against the yardstick in the same run, and how fast commands start.

Every contender is measured between two runs of the yardstick; the median of the ratios is quoted. Results go to
standard output as a table, and as JSON to the file given as an argument.
"""

import json
import statistics
import subprocess
import sys
import time
from pathlib import Path

from draftengine.bots import Decider
from draftengine.cardset.resolve import Selection
from draftengine.engine.game import commit, start, waiting
from draftengine.engine.observe import observe
from draftengine.engine.playout import random_game
from draftengine.library import load_program, open_set

sys.path.insert(0, str(Path(__file__).parent))
import yardstick

ROUNDS = 5
SECONDS = 1.0
CARDSET = "sushi_go"
COMMANDS = {
    "draftengine --help": ["--help"],
    "draftengine validate": ["validate", str(Path(__file__).parent.parent / "cardsets" / "sushi_go.yaml")],
}


def rate(play):
    """Games a second: `play` plays game number n."""
    count, began = 0, time.perf_counter()
    while time.perf_counter() - began < SECONDS:
        play(count)
        count += 1
    return count / (time.perf_counter() - began)


def yardstick_rate():
    """Games a second of the yardstick, in batches as long as it likes them."""
    return rate(lambda _: yardstick.games(100)) * 100


def with_events(program, number):
    """A random game through the public API: observations, checked moves, events, explanations."""
    state = start(program, 1, game=number).state
    bots = [Decider.at("random", 1, seat, game=number) for seat in range(program.players)]
    while not state.over:
        for seat in waiting(state):
            state = commit(state, seat, bots[seat].decide(observe(state, seat))).state


def told(program, number):
    """A random game in place, with every event and explanation made."""
    events = []
    random_game(program, 1, number, tell=events.append)
    return events


def contenders():
    """Name and player of each engine measured."""
    document = open_set(CARDSET).document
    program = load_program(document, Selection(), 4)
    return {
        "reference engine, no events": lambda number: random_game(program, 1, number),
        "reference engine, events and explanations": lambda number: told(program, number),
        "public API: observations, values, events": lambda number: with_events(program, number),
    }


def measure():
    """Rates and ratios by contender."""
    table = {}
    for name, play in contenders().items():
        play(0)
        rates, ratios = [], []
        before = yardstick_rate()
        for _ in range(ROUNDS):
            own = rate(play)
            after = yardstick_rate()
            rates.append(own)
            ratios.append(own / ((before + after) / 2))
            before = after
        table[name] = {"games_per_second": statistics.median(rates), "ratio_to_yardstick": statistics.median(ratios)}
    return table


def startup():
    """Seconds of whole processes, the best of several."""
    found = {}
    for name, arguments in COMMANDS.items():
        times = []
        for _ in range(10):
            began = time.perf_counter()
            subprocess.run([sys.executable, "-m", "draftengine", *arguments], check=True, capture_output=True)
            times.append(time.perf_counter() - began)
        found[name] = {"best_seconds": min(times), "median_seconds": statistics.median(times)}
    return found


def main():
    """Measure, print, write."""
    results = {"yardstick_games_per_second": yardstick_rate(), "engines": measure(), "startup": startup()}
    print(f"yardstick (hand-written Python): {results['yardstick_games_per_second']:,.0f} games/s")
    for name, found in results["engines"].items():
        print(f"{name}: {found['games_per_second']:,.0f} games/s, {found['ratio_to_yardstick']:.2f} of the yardstick")
    for name, found in results["startup"].items():
        print(f"{name}: best {found['best_seconds']:.3f} s, median {found['median_seconds']:.3f} s")
    for path in sys.argv[1:]:
        Path(path).write_text(json.dumps(results, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
