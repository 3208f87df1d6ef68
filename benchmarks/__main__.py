"""``make bench``: measure the engines against yardsticks written by hand, in one run.

Each contender is measured between two runs of its yardstick. The median of the ratios is reported, because machines are
shared and noisy. Results go to standard output as a table, and as JSON to the file given as an argument. With
``--write`` the table in docs/performance.md is replaced.
"""

import argparse
import json
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from functools import partial
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
import numpy as np
import yardstick
from msgspec.structs import replace

from draftengine.api.ruleset import load
from draftengine.bots import SeatedBot
from draftengine.engine.game import commit, start, waiting
from draftengine.engine.observe import observe
from draftengine.engine.policies import game_by, random_game, random_move
from draftengine.studies.environments.batch import batch_env, random_actions
from draftengine.studies.environments.pettingzoo_env import parallel_env
from draftengine.studies.runner.playing import Task, play_chunk, player_of
from draftengine.studies.simulation import simulate

HERE = Path(__file__).parent
PAGE = HERE.parent / "docs" / "performance.md"
ROUNDS = 5
SECONDS = 1.0
COMMANDS = {
    "draftengine --help": ["--help"],
    "draftengine validate": ["validate", str(HERE.parent / "cardsets" / "sushi_go.yaml")],
}
NUMBERS = (1_000, 10_000, 100_000, 1_000_000, 10_000_000)
FORMS = (
    ("sushi_go", 2, ()), ("sushi_go", 3, ()), ("sushi_go", 5, ()), ("sushi_go", 4, ("pass_both_ways",)),
    ("sushi_go_2014", 4, ()), ("sushi_go_2014", 2, ("two_player_dummy",)), ("sushi_go_summary", 4, ()),
    ("anniversary", 4, ()), ("anniversary", 4, ("frozen_yogurt",)), ("anniversary", 4, ("bubble_tea",)),
    ("anniversary", 4, ("good_ol_pudding",)), ("anniversary", 4, ("mochi",)), ("anniversary", 4, ("pass_both_ways",)),
    ("anniversary", 2, ("personal_draw_piles",)), ("anniversary", 2, ("two_player_dummy",)),
    ("anniversary", 2, ("sushi_battle",)), ("sushi_draft", 4, ()), ("sushi_draft", 3, ()), ("sushi_draft", 5, ()),
    ("party_cutthroat", 5, ()), ("party_first_meal", 4, ()), ("sushi_go_party", 4, ()),
    ("sushi_go_party", 4, ("sushi_go",)), ("sushi_go_party", 4, ("party_sampler",)), ("tides_of_time", 2, ()),
    ("ohanami", 4, ()), ("go_nuts_for_donuts", 4, ()), ("coloretto", 4, ()), ("six_nimmt", 4, ()),
    ("medieval_academy", 4, ()), ("nidavellir", 4, ()), ("point_salad", 4, ()),
)  # fmt: skip
"""All shipped games, with the variants and menus that change the steps of a turn."""
WAITED = (
    ("sushi_go", 2), ("sushi_go", 4), ("sushi_draft", 4), ("sushi_go_party", 4), ("tides_of_time", 2), ("ohanami", 4),
    ("go_nuts_for_donuts", 4), ("coloretto", 4), ("six_nimmt", 4), ("medieval_academy", 4), ("nidavellir", 4),
    ("point_salad", 4),
)  # fmt: skip
LEVELS = ("easy", "medium", "hard")
SEARCHED = (("sushi_go", 2, ()), ("sushi_go", 4, ()), ("anniversary", 4, ("mochi",)), ("anniversary", 4, ()))
ITERATIONS = (100, 1_000)
UNTIL_COMPILED = 10_000
"""Number of playouts for which a search is compiled first."""
BY_HAND = {("sushi_go", 4, ()): "yardstick.c", ("sushi_draft", 4, ()): "yardstick_draft.c"}
"""Games with a yardstick in C, and its file."""


def rate(play, clock=time.perf_counter):
    """Return the games a second of `play`, which is called with the number of each game."""
    count, began = 0, clock()
    while clock() - began < SECONDS:
        play(count)
        count += 1
    return count / (clock() - began)


def against(yard, contender):
    """Return the median rate of a contender, and the median of its ratios to its yardstick.

    The yardstick is measured before and after each run of the contender.
    """
    rates, ratios = [], []
    before = yard()
    for _ in range(ROUNDS):
        own = contender()
        after = yard()
        rates.append(own)
        ratios.append(own / ((before + after) / 2))
        before = after
    return {"games_per_second": statistics.median(rates), "ratio": statistics.median(ratios)}


# ── the reference engine and the yardstick in Python ─────────────────────────────────────────────────────────────────


def python_yardstick():
    """Return the games a second of the yardstick in Python, in batches of 100."""
    return rate(lambda _: yardstick.games(100)) * 100


def with_events(program, number):
    """Play a random game by the public API: observations, checked moves, events, explanations."""
    state = start(program, 1, game=number).state
    bots = [SeatedBot.at("random", 1, seat, game=number) for seat in range(program.players)]
    while not state.over:
        for seat in waiting(state):
            state = commit(state, seat, bots[seat].decide(observe(state, seat)).move).state


def told(program, number):
    """Play a random game in place and return all its events, with explanations."""
    events = []
    random_game(program, 1, number, tell=events.append)
    return events


def specialised(cardset, players):
    """Return a function that measures the kernel specialised in Python, with the counts of a simulation."""
    program = load(cardset, players).program
    player = player_of(program, ("random",) * players, "reference", logged=False)
    player.play(1, 0, 100, rows=False)  # specialise before measuring
    return lambda: 100 * rate(lambda number: player.play(1, 100 * number, 100 * (number + 1), rows=False))


def in_python():
    """Measure the reference engine and the specialised Python text against the yardstick in Python."""
    program = load("sushi_go", 4).program
    contenders = {
        "reference engine, no events": lambda number: random_game(program, 1, number),
        "reference engine, events and explanations": lambda number: told(program, number),
        "public API: observations, values, events": lambda number: with_events(program, number),
    }
    found = {}
    for name, play in contenders.items():
        play(0)
        found[name] = against(python_yardstick, lambda play=play: rate(play))
    found["without compiling: sushi_go, 4 players"] = against(python_yardstick, specialised("sushi_go", 4))
    return found


# ── compiled games and the yardsticks in C ───────────────────────────────────────────────────────────────────────────


class Yardstick:
    """Yardstick in C, compiled by the constructor."""

    def __init__(self, compiler, folder, name):
        self.program = Path(folder) / Path(name).stem
        subprocess.run([compiler, "-O3", "-march=native", "-o", str(self.program), str(HERE / name)], check=True)

    def per_second(self, games=600_000):
        """Return the games a second of processor time of one process."""
        command = [self.program, str(games), "1"]
        return float(subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()[0])

    def together(self, processes, games):
        """Return the games a second of elapsed time of several processes together."""
        began = time.perf_counter()
        running = [subprocess.Popen([self.program, str(games), "1"], stdout=subprocess.PIPE) for _ in range(processes)]
        for own in running:
            own.communicate()
        return games * processes / (time.perf_counter() - began)


def yardsticks(folder):
    """Compile the yardsticks in C and return them by game; none without a compiler."""
    compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    return {} if compiler is None else {own: Yardstick(compiler, folder, name) for own, name in BY_HAND.items()}


def task_of(cardset, players, variants=(), games=500_000, bots=("random",), engine="compiled"):
    seats = tuple(bots[seat % len(bots)] for seat in range(players))
    return Task(load(cardset, players, variants), seats, 1, 0, games, engine)


def processor_seconds(task):
    """Return the processor time for playing the games of a task."""
    began = time.process_time()
    play_chunk(task)
    return time.process_time() - began


def per_second(task):
    """Return the games a second of processor time for a task."""
    return (task.last - task.first) / processor_seconds(task)


def decisions(task):
    """Return the mean number of choices of all seats in a random game."""
    count = 0

    def counted(state, choice, seat, stream):
        nonlocal count
        count += 1
        return random_move(state, choice, seat, stream)

    program = task.game.program
    for game in range(50):
        game_by(program, [counted] * program.players, 1, game)
    return count / 50


def compiled(by_hand):
    """Measure all editions by decision against the first yardstick, and against their own if there is one.

    The seconds for compiling are measured too.
    """
    first = next(iter(by_hand))
    base, found = task_of(*first), {}
    play_chunk(task_of(*first, games=1, bots=("greedy",)))  # load LLVM before measuring
    for form in (first, *FORMS):
        task = task_of(*form, games=1_000)
        compiling = processor_seconds(replace(task, last=1))
        task = replace(task, last=min(200_000, round(SECONDS * per_second(task))))
        own = against(by_hand[first].per_second, lambda task=task: per_second(task))
        found[name_of(*form)] = {
            "games_per_second": own["games_per_second"],
            "per_decision": own["ratio"] * decisions(task) / decisions(base),
            "compiling_seconds": compiling,
            "without_compiling": without_compiling(form),
        }
        if form in by_hand:
            ratio = against(by_hand[form].per_second, lambda task=task: per_second(task))["ratio"]
            found[name_of(*form)]["ratio"] = ratio
    return found


def without_compiling(form):
    """Return the games a second of processor time without LLVM."""
    task = task_of(*form, games=1_000, engine="reference")
    play_chunk(replace(task, last=50))
    return per_second(task)


def name_of(cardset, players, variants):
    """Return the name of a form for the tables."""
    return ", ".join([cardset, f"{players} players", *variants])


def policies():
    """Measure the games a second of bots that compare moves."""
    found = {}
    for bot, games in (("greedy", 30_000), ("table", 60_000)):
        task = task_of("sushi_go", 4, games=games, bots=(bot,))
        play_chunk(replace(task, last=100))
        found[f"sushi_go, 4 players, {bot}"] = per_second(task)
    return found


def searches():
    """Measure the playouts a second of processor time in whole decisions at the start of a game."""
    found = {}
    for form in SEARCHED:
        seen = observe(start(load(*form).program, 1).state, 0)
        SeatedBot.at(f"search:iterations={UNTIL_COMPILED}", 1, 0).decide(seen)
        for iterations in ITERATIONS:
            bot = SeatedBot.at(f"search:iterations={iterations}", 1, 0)
            decided = [rate(lambda _, bot=bot, seen=seen: bot.decide(seen), time.process_time) for _ in range(ROUNDS)]
            found[f"{name_of(*form)}, {iterations:,} a decision"] = iterations * statistics.median(decided)
    return found


def by_number():
    """Measure the games a second by the number of games in one simulation."""
    return {games: simulate(task_of("sushi_go", 4, games=games)).per_second for games in NUMBERS}


def scaling(yardstick):
    """Measure the gain of a second process in whole runs, after one run that starts the processes."""
    task = task_of("sushi_go", 4, games=6_000_000)
    simulate(task_of("sushi_go", 4, games=400_000), jobs=2)
    compiled_gain = [simulate(task, jobs=2).per_second / simulate(task, jobs=1).per_second for _ in range(3)]
    c_gain = [yardstick.together(2, 4_000_000) / yardstick.together(1, 4_000_000) for _ in range(3)]
    return {"compiled": statistics.median(compiled_gain), "C": statistics.median(c_gain)}


# ── environments ─────────────────────────────────────────────────────────────────────────────────────────────────────

TABLES, MANY = 1024, 4096
BATCHES = (
    ("batch", {}, None, True),
    ("batch that draws the actions", {}, None, False),
    ("batch that draws the actions, `uint8`", {"dtype": "uint8"}, None, False),
    ("batch that draws the actions, against `random`", {}, "random", False),
    ("batch that draws the actions, `uint8`, against `random`", {"dtype": "uint8"}, "random", False),
    ("batch that draws the actions, against `table`", {}, "table", False),
)
"""Name and options of a batch, the bot in all seats but one, and True if NumPy chooses the actions."""


def environments():
    """Measure games of random legal actions in batches against single environments.

    One thread is measured by processor time. Two threads are measured by the clock, beside one.
    """
    found, chance = {}, np.random.default_rng(1)
    for players in (2, 4):
        name, single = f"{players} players", parallel_env("sushi_go", players, seed=1)
        one_by_one = lambda it=single: rate(lambda _: play_parallel(it, chance), time.process_time)  # noqa: E731
        found[f"{name}, `parallel_env`"] = {"games_per_second": one_by_one()}
        for what, options, bot, chosen in BATCHES:
            opponents = dict.fromkeys(range(1, players), bot) if bot else {}
            tables = batch_env("sushi_go", players, TABLES, seed=1, opponents=opponents, **options)
            play = partial(play_batch, tables, chance if chosen else None, time.process_time)
            tables.reset()
            play()
            found[f"{name}, {what}"] = against(one_by_one, play)
        wide = [batch_env("sushi_go", players, MANY, seed=1, threads=number) for number in (1, 2)]
        for tables in wide:
            tables.reset()
        rates = [[play_batch(tables, None, time.perf_counter) for tables in wide] for _ in range(ROUNDS)]
        for number, each in enumerate(zip(*rates, strict=True), 1):
            what = f"{name}, {MANY:,} games by the clock, {number} thread{'s' * (number > 1)}"
            found[what] = {"games_per_second": statistics.median(each)}
    return found


def play_parallel(table, chance):
    """Play a random game in a single environment."""
    seen, _ = table.reset()
    while table.agents:
        actions = {agent: chance.choice(np.flatnonzero(own["action_mask"])) for agent, own in seen.items()}
        seen, *_ = table.step(actions)


def play_batch(tables, chance, clock):
    """Return the games a second of a batch. Without `chance`, it draws the actions itself."""
    games, began = 0, clock()
    while (now := clock()) - began < SECONDS:
        games += int(tables.step(random_actions(tables.masks, chance) if chance else None).over.sum())
    return games / (now - began)


# ── starting ─────────────────────────────────────────────────────────────────────────────────────────────────────────

FIRST_GAMES = """
import time
began = time.perf_counter()
from draftengine.jit.llvm import machine
machine.host()
imported = time.perf_counter()
from draftengine.api.ruleset import load
from draftengine.engine.forms import GameRunner
program = load("sushi_go", 4).program
ready = time.perf_counter()
GameRunner(program, ["random"] * 4).play(1, 0, 1, rows=False)
print(imported - began, time.perf_counter() - ready)
"""


def first_use():
    """Return the seconds for loading LLVM, compiling a game, and loading it from the cache.

    Two processes are measured, the second with the cache of the first.
    """
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "XDG_CACHE_HOME": folder}
        times = [
            [float(part) for part in subprocess.run(
                [sys.executable, "-c", FIRST_GAMES], env=environment, check=True, capture_output=True, text=True
            ).stdout.split()]
            for _ in range(2)
        ]  # fmt: skip
    return {"load_llvm": times[1][0], "compile": times[0][1], "from_cache": times[1][1]}


FIRST_DECISION = """
import sys, time
from draftengine.api.ruleset import load
from draftengine.bots import SeatedBot
from draftengine.engine.game import start, waiting
from draftengine.engine.observe import observe
name, players, bot = sys.argv[1:]
state = start(load(name, int(players)).program, 1).state
seat = waiting(state)[0]
seen = observe(state, seat)
began = time.process_time()
SeatedBot.at(bot, seed=1, seat=seat).decide(seen)
print(time.process_time() - began)
"""


def waits():
    """Measure the processor seconds until a command or a bot has done what it does once, by game.

    Each is measured in a process of its own, after another process has filled the cache.
    """
    by_game = {}
    with tempfile.TemporaryDirectory() as folder:
        run = partial(
            subprocess.run, env={**os.environ, "XDG_CACHE_HOME": folder}, check=True, capture_output=True, text=True
        )
        for name, players in WAITED:
            seconds = by_game[f"{name}, {players} players"] = {}
            command = [sys.executable, "-m", "draftengine", "simulate", name, "-p", str(players), "-n", "1000"]
            for _ in range(2):
                before = resource.getrusage(resource.RUSAGE_CHILDREN)
                run(command)
                after = resource.getrusage(resource.RUSAGE_CHILDREN)
                seconds["simulate"] = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
            for bot in LEVELS:
                for _ in range(2):
                    seconds[bot] = float(run([sys.executable, "-c", FIRST_DECISION, name, str(players), bot]).stdout)
    return by_game


def startup():
    """Measure the seconds of whole commands, from start to exit."""
    found = {}
    for name, arguments in COMMANDS.items():
        times = []
        for _ in range(10):
            began = time.perf_counter()
            subprocess.run([sys.executable, "-m", "draftengine", *arguments], check=True, capture_output=True)
            times.append(time.perf_counter() - began)
        found[name] = {"best_seconds": min(times), "median_seconds": statistics.median(times)}
    return found


# ── what is printed ──────────────────────────────────────────────────────────────────────────────────────────────────


def table(results):
    """Return the results as Markdown tables."""
    lines = []
    if "compiled" in results:
        lines += [
            "| random games, compiled | a second | per decision of C by hand | compiling, s | a second in CPython |",
            "|---|---|---|---|---|",
        ]
    for name, own in results.get("compiled", {}).items():
        ratio = f"{own['per_decision']:.{2 if own['per_decision'] > 0.1 else 3}f}"
        if own.get("ratio", own["per_decision"]) != own["per_decision"]:
            ratio += f" (of C for this game: {own['ratio']:.2f})"
        speed, without = f"{own['games_per_second']:,.0f}", f"{own['without_compiling']:,.0f}"
        lines.append(f"| {name} | {speed} | {ratio} | {own['compiling_seconds']:.2f} | {without} |")
    lines += ["", "| what | games a second | ratio |", "|---|---|---|"]
    for name, own in results["python"].items():
        lines.append(f"| {name} | {own['games_per_second']:,.0f} | {own['ratio']:.2f} of Python by hand |")
    for name, speed in results.get("policies", {}).items():
        lines.append(f"| compiled: {name} | {speed:,.0f} | |")
    for name, own in results.get("environments", {}).items():
        ratio = f"{own['ratio']:.0f} × `parallel_env`" if "ratio" in own else ""
        lines.append(f"| environment: sushi_go, {name} | {own['games_per_second']:,.0f} | {ratio} |")
    lines += looking_ahead(results.get("searches", {}))
    lines += ["", "| what | seconds |", "|---|---|"]
    lines += [f"| `{name}` | {own['median_seconds']:.3f} |" for name, own in results["startup"].items()]
    if "first_use" in results:
        first = results["first_use"]
        lines += [
            f"| loading LLVM | {first['load_llvm']:.2f} |",
            f"| specialising and compiling sushi_go for 4, once | {first['compile']:.2f} |",
            f"| loading it from its cache | {first['from_cache']:.2f} |",
        ]
    lines += ["", "| seconds of the processor | `simulate -n 1000` | first decision of `easy` | `medium` | `hard` |"]
    lines += ["|---|---|---|---|---|"]
    for name, measured in results["waits"].items():
        lines.append(f"| {name} | {' | '.join(f'{seconds:.2f}' for seconds in measured.values())} |")
    if "by_number" in results:
        speeds = [f"{speed:,.0f} ({games:,})" for games, speed in results["by_number"].items()]
        lines += ["", f"Compiled games a second by how many are played in one go: {', '.join(speeds)}."]
    if "scaling" in results:
        gain = results["scaling"]
        lines += ["", f"A second process: {gain['compiled']:.2f} times as many (C by hand: {gain['C']:.2f} times)."]
    return "\n".join(lines)


def looking_ahead(found):
    """Return the table of searches, or no lines if they were not measured."""
    head = ["", "| looking ahead | playouts a second |", "|---|---|"] if found else []
    return head + [f"| {name} | {speed:,.0f} |" for name, speed in found.items()]


def main():
    """Measure everything, print the table, and write the files that were asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("json", nargs="?", type=Path, help="a file for all figures")
    parser.add_argument("--write", action="store_true", help="write the table in docs/performance.md again")
    asked = parser.parse_args()
    results = {"python": in_python(), "startup": startup(), "waits": waits(), "environments": environments()}
    with tempfile.TemporaryDirectory() as folder:
        os.environ["XDG_CACHE_HOME"] = folder  # an empty cache, so that compiling is measured
        by_hand = yardsticks(folder)
        if by_hand:
            results |= {"compiled": compiled(by_hand), "by_number": by_number()}
            results |= {"policies": policies(), "scaling": scaling(next(iter(by_hand.values())))}
            results |= {"searches": searches(), "first_use": first_use()}
        else:
            print("No C compiler here: compiled games are not measured.", file=sys.stderr)
    print(table(results))
    if asked.json:
        asked.json.write_text(json.dumps(results, indent=2) + "\n", encoding="utf-8")
    if asked.write:
        head, mark, rest = PAGE.read_text(encoding="utf-8").partition("<!-- measured -->\n")
        _, end, tail = rest.partition("<!-- end -->")
        PAGE.write_text(head + mark + table(results) + "\n" + end + tail, encoding="utf-8")


if __name__ == "__main__":
    main()
