"""``make bench-levels``: measure levels against their neighbours, and agents against levels.

Each *duel* is a pairing on duplicate deals, as in ``bots.py``. The figures of all duels are in ``levels.json``, with
the rules and the network that played. A run measures what is missing there, so it can be interrupted and resumed. The
most played games come first. Times are of the processor: other programs on the machine do not count.

    python benchmarks/levels.py [--only PATTERN] [--deals N] [--minutes N] [--agent COMMAND] [--write]
    python benchmarks/levels.py --game CARDSET --store FILE [...]

``--only`` takes duels whose line contains the pattern, such as "sushi_go 4", "outsider" or "level 5". ``--agent`` adds
a program that speaks the protocol of docs/bots.md. ``--write`` writes the tables in docs/bots_measured.md again, from
all figures. ``--game`` measures a card set, also one that is not shipped, and ``--store`` keeps its figures elsewhere.
"""

import argparse
import json
import shlex
import sys
import time
import zlib
from pathlib import Path
from types import SimpleNamespace
from typing import NamedTuple

import msgspec

import draftengine as de
from bots import PLAIN, write
from draftengine.bots.catalogue import prepare
from draftengine.bots.levels import NAMED, STRENGTHS, setting_of
from draftengine.bots.net.kept import opinion_of
from draftengine.bots.outsiders import admit
from draftengine.model.shelf import shelf
from draftengine.studies import arena
from draftengine.studies.arena import Match, Pairing, hold
from draftengine.studies.arena.estimates import findings_of
from draftengine.studies.distilling import Effort

ROOT = Path(__file__).parent.parent
STORE = Path(__file__).with_name("levels.json")
SEED = "levels measured"
DEALS = 40
OFTEN_PLAYED = ("sushi_go", "anniversary", "sushi_draft", "sushi_go_2014", "tides_of_time", "party_first_meal")
"""The games that are measured first; all others follow in the order of their names."""
EXPERIENCED = "medium > table"
"""The duel of `medium` with the worth table, which played at this level before there were networks."""
LONG = 40_000_000
"""The largest `Effort` of a decision of the strongest level, which takes about 70 milliseconds."""
AGENTS = {
    "random": "random",
    "greedy": "greedy",
    "plain search, 60 playouts": PLAIN,
    "examples/agent.py": admit(f"cmd:{shlex.join([sys.executable, str(ROOT / 'examples' / 'agent.py')])}"),
}
"""Agents from outside, and two bots that anybody can write, for comparison."""
FIELD = (("sushi_go", 2), ("sushi_go", 4), ("anniversary", 2))
"""The games in which agents meet levels."""


class Duel(NamedTuple):
    """A bot against copies of another one."""

    table: str
    """The table to which it belongs: ``level`` or ``outsider``."""
    game: de.Game
    name: str
    """The row or column of the table: a strength, or an agent and the level that it meets."""
    bot: str
    against: str

    @property
    def key(self):
        """Everything on which the figures depend, without the number of deals."""
        opinion = opinion_of(self.game.program)
        network = zlib.crc32(msgspec.msgpack.encode(opinion.kept.network)) if opinion else 0
        plays = [each if each in AGENTS.values() else player(self.game, each) for each in (self.bot, self.against)]
        names = {text: name for name, text in AGENTS.items()}
        plays = [names.get(each, each) for each in plays]
        guides = bool(opinion and opinion.guides_search)
        return [self.game.fingerprint, self.game.players, network, guides, self.table, self.name, *plays]

    def __str__(self):
        return f"{self.game.id} {self.game.players}: {self.table} {self.name}"


def player(game, level):
    """Return what plays at a level of a game; a text that is no number is a bot itself."""
    if not level.isdecimal():
        return level
    setting = setting_of(game.program, int(level))
    if setting is None:
        return f"level:strength={level}"
    return f"search:iterations={setting.iterations}" if setting.iterations else f"network:noise={setting.noise:g}"


def duels(names=()):
    """Yield all duels, those of levels before those of agents, the most played games first.

    With `names`, only those in these games.
    """
    names = names or [*OFTEN_PLAYED, *sorted({*shelf()} - {*OFTEN_PLAYED})]
    games = []
    for name in names:
        rules = de.open_rules(name)
        seats = [*rules.possible_players]
        games += [rules.game(players) for players in dict.fromkeys([seats[0], 4]) if players in seats]
    for game in games:
        below, known = "random", []
        for strength in range(1, STRENGTHS):
            setting = setting_of(game.program, strength)
            if setting is not None and setting not in known:
                known.append(setting)
                yield Duel("level", game, str(strength), str(strength), below)
                below = str(strength)
        strongest = min(1000, Effort(game.program).iterations_for(LONG))
        yield Duel("level", game, str(STRENGTHS), f"expert:iterations={strongest}", below)
        yield Duel("level", game, EXPERIENCED, str(NAMED["medium"]), "table")
    for name, players in (each for each in FIELD if each[0] in names):
        game = de.load(name, players=players)
        for agent, text in AGENTS.items():
            for level in ("easy", "medium", "hard"):
                yield Duel("outsider", game, f"{agent} > {level}", text, str(NAMED[level]))


def measure(duel, deals):
    """Play a duel; its figures."""
    bots = tuple(f"level:strength={each}" if each.isdecimal() else each for each in (duel.bot, duel.against))
    prepare(bots, duel.game.program, lambda _what, _share: None)
    hold(Match(duel.game, bots, (Pairing(0, 1),), "warm", 0, 1))  # what a process prepares once is no thinking
    figures = findings_of(hold(Match(duel.game, bots, (Pairing(0, 1),), SEED, 0, deals)), SEED)
    share, pace = figures.met(0, 1).share, figures.paces[0]
    return {
        "key": duel.key, "game": duel.game.id, "players": duel.game.players, "table": duel.table, "name": duel.name,
        "deals": deals, "share": share.mean, "ci95": [*share.ci95], "p50_ms": pace.p50_ms, "p95_ms": pace.p95_ms,
    }  # fmt: skip


# ── the tables of docs/bots_measured.md ──────────────────────────────────────────────────────────────────────────────


def share_of(figures):
    low, high = figures["ci95"]
    return f"{100 * figures['share']:.0f} ({100 * low:.0f} to {100 * high:.0f})"


def level_table(results):
    """Return the shares and times of all levels as Markdown, a row for each game."""
    strengths = [str(strength) for strength in range(1, STRENGTHS + 1)]
    names = {str(strength): f" `{name}`" for name, strength in NAMED.items()}
    columns = [*(each + names.get(each, "") for each in strengths), "`medium` > `table`", "deals"]
    rows = [f"| game | {' | '.join(columns)} |", "|---" * (1 + len(columns)) + "|"]
    for game in dict.fromkeys((each["game"], each["players"]) for each in results):
        of_game = {each["name"]: each for each in results if (each["game"], each["players"]) == game}
        cells = [
            f"{share_of(figures)}<br>{figures['key'][-2]}, {figures['p95_ms']:.1f} ms" if figures else ""
            for figures in map(of_game.get, strengths)
        ]
        cells.append(share_of(of_game[EXPERIENCED]) if EXPERIENCED in of_game else "")
        deals = min(each["deals"] for each in of_game.values())
        rows.append(f"| `{game[0]}` {game[1]} | {' | '.join(cells)} | {deals} |")
    return "\n".join(rows)


def outsider_table(results):
    """Return how agents do against levels as Markdown, a row for each game and agent."""
    levels = ("easy", "medium", "hard")
    rows = [f"| game | agent | {' | '.join(f'> `{each}`' for each in levels)} | ms: p50 | deals |", "|---" * 7 + "|"]
    for game in dict.fromkeys((each["game"], each["players"]) for each in results):
        of_game = {each["name"]: each for each in results if (each["game"], each["players"]) == game}
        for agent in AGENTS:
            met = [of_game.get(f"{agent} > {level}") for level in levels]
            if any(met):
                cells = [share_of(figures) if figures else "" for figures in met]
                some = next(filter(None, met))
                times = f"{some['p50_ms']:.2f} | {some['deals']}"
                rows.append(f"| `{game[0]}` {game[1]} | {agent} | {' | '.join(cells)} | {times} |")
    return "\n".join(rows)


def main():
    """Measure what is missing, keep it, and write the tables that were asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="", help="duels whose line contains this")
    parser.add_argument("--deals", type=int, default=DEALS, help="so many for every duel")
    parser.add_argument("--minutes", type=float, default=1e6, help="begin no duel after this time")
    parser.add_argument("--agent", action="append", default=[], help="the command of another agent")
    parser.add_argument("--write", action="store_true", help="write the tables in docs/bots_measured.md again")
    parser.add_argument("--game", action="append", help="a card set, instead of those that are shipped")
    parser.add_argument("--store", type=Path, default=STORE, help="where figures are kept")
    asked = parser.parse_args()
    if asked.game and (asked.store == STORE or asked.write):
        parser.error("--game needs a --store, and no --write: the figures of other games would be lost")
    AGENTS.update({command: admit(f"cmd:{command}") for command in asked.agent})
    arena.time = SimpleNamespace(perf_counter=time.thread_time)
    kept = json.loads(asked.store.read_text(encoding="utf-8")) if asked.store.exists() else []
    known, wanted, began = {str(each["key"]): each for each in kept}, list(duels(asked.game)), time.monotonic()
    for duel in wanted:
        before = known.get(str(duel.key))
        if asked.only not in str(duel) or (before and before["deals"] >= asked.deals):
            continue
        if time.monotonic() - began > 60 * asked.minutes:
            break
        figures = known[str(duel.key)] = measure(duel, asked.deals)
        print(f"{duel}: {share_of(figures)}, {figures['p95_ms']:.2f} ms", flush=True)
        current = [known[str(each.key)] for each in wanted if str(each.key) in known]
        asked.store.write_text("[\n" + ",\n".join(json.dumps(each) for each in current) + "\n]\n", encoding="utf-8")
    if asked.write:
        current = [known[str(each.key)] for each in wanted if str(each.key) in known]
        write("levels", level_table([each for each in current if each["table"] == "level"]))
        write("outsiders", outsider_table([each for each in current if each["table"] == "outsider"]))


if __name__ == "__main__":
    main()
