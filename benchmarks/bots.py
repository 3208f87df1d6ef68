"""``make bench-bots``: measure the strength of the bots against thresholds.

Every *gate* is a pairing on duplicate deals: the challenger plays each deal in every seat, against copies of another
bot. Intervals (95 percent) are by deal. A gate is passed if the measured win share reaches the threshold, and failed if
the whole interval lies below it. Otherwise it is open, and more deals are needed.

The thresholds were set for ``sushi_go``; for other card sets they are five percentage points lower. No number in the
bots was tuned for the other card sets, but these decided how bots value some things:

- ``mochi``: leads in a kept die don't last, and a roll is worth its middle side;
- ``frozen_yogurt``: a card that could be one of several counts as the middle one;
- ``anniversary``: a trigger counts as if the card were laid down alone;
- ``sushi_draft``: a chip counts as the mean of its pile, and playouts may end with the round if only points last.

They also showed that trees may widen slowly with several opponents.

The thresholds of searches with several opponents were set with a search whose playouts all end with the game. That
search (``horizon=game``) has gates of its own. A thousand playouts of the usual search are measured against a hundred
of both. At the end, the losses of bots to an equilibrium are measured (see ``losses.py``).

    python benchmarks/bots.py [--only PATTERN] [--deals N] [--json FILE] [--write]

``--only`` takes gates whose line contains the pattern, such as "sushi_go 4", "> table" or "losses"; ``--write`` writes
the tables in docs/bots_measured.md again.
"""

import argparse
import json
import sys
import time
from pathlib import Path
from typing import NamedTuple

import losses
from plain import PlainSearch

from draftengine.api.ruleset import load
from draftengine.bots.catalogue import prepare
from draftengine.bots.levels import STEP, STRENGTHS, setting_of
from draftengine.bots.outsiders import admit
from draftengine.studies.arena import Match, Pairing, hold
from draftengine.studies.arena.estimates import findings_of

PAGE = Path(__file__).parent.parent / "docs" / "bots_measured.md"
SEED = "gates"
LOSSES = "losses"
QUICK, LONG, CLOCKED = "search:iterations=100", "search:iterations=1000", "search:ms=90"
PLAIN = admit(PlainSearch())
"""An opponent that shares no code with the bots, because strength is not transitive."""
FAR, FAR_LONG = f"{QUICK}:horizon=game", f"{LONG}:horizon=game"
LADDER = (
    ("greedy", "random", {2: 74, 4: 67, 5: 56}),
    ("table", "random", {2: 91, 4: 90, 5: 85}),
    ("table", "greedy", {2: 82, 4: 85, 5: 84}),
    (QUICK, "random", {2: 99, 4: 91, 5: 85}),
    (QUICK, "table", {2: 95, 4: 58, 5: 30}),
    (LONG, "table", {2: 98, 4: 78, 5: 52}),
    (LONG, QUICK, {2: 75, 4: 48, 5: 33}),
    (FAR, "random", {4: 91, 5: 85}),
    (FAR, "table", {4: 58, 5: 30}),
    (FAR_LONG, "table", {4: 78, 5: 52}),
    (FAR_LONG, FAR, {4: 48, 5: 33}),
    (LONG, FAR, {4: 48, 5: 33}),
    (QUICK, PLAIN, {2: 90, 4: 55, 5: 45}),
)
"""Challenger, opponent, and the wanted win share in percent by number of players.

Some pairings are measured only with several opponents.
"""
TUNED = (("sushi_go", 2, ()), ("sushi_go", 4, ()), ("sushi_go", 5, ()))
DESSERTS = ((), ("frozen_yogurt",), ("bubble_tea",), ("good_ol_pudding",), ("mochi",))
OTHERS = (
    *(("anniversary", 2, dessert) for dessert in DESSERTS),
    *(("anniversary", 4, dessert) for dessert in DESSERTS),
    ("sushi_draft", 4, ()),
    ("party_first_meal", 2, ()),
    ("party_first_meal", 4, ()),
    ("party_cutthroat", 2, ()),
    ("party_cutthroat", 5, ()),
)
LOWER = 5
GAMES = {
    ("greedy", "random"): (1600, 4800),
    ("table", "random"): (6400, 1200),
    ("table", "greedy"): (1600, 1200),
    (QUICK, "random"): (400, 120),
    (QUICK, "table"): (600, 160),
    (LONG, "table"): (240, 160),
    (LONG, QUICK): (300, 160),
    (FAR, "random"): (400, 120),
    (FAR, "table"): (600, 160),
    (FAR_LONG, "table"): (240, 160),
    (FAR_LONG, FAR): (300, 160),
    (LONG, FAR): (300, 160),
    (QUICK, PLAIN): (40, 40),
}
"""Approximate number of games of a gate: for `TUNED` games, and for `OTHERS`."""
MORE_AT_TWO = {True: 2, False: 3}
"""Factor of the number of games at two seats, where games are quick."""
TIMED = 12
"""Games in which a bot thinks for 90 ms."""
LEVELLED = 240
"""Games of two neighbouring levels."""


class Gate(NamedTuple):
    """A pairing and what is wanted of it."""

    cardset: str
    players: int
    variants: tuple
    challenger: str
    opponent: str
    wanted: float
    """Percent; 0: only the times count."""
    deals: int

    @property
    def game(self):
        return " ".join([self.cardset, *self.variants, str(self.players)])

    def __str__(self):
        return f"{self.game}: {self.challenger} > {self.opponent}"


def gates(only, deals):
    """Return the gates whose line contains `only`, those of the tuned games first."""
    found = []
    for tuned, games in ((True, TUNED), (False, OTHERS)):
        for challenger, opponent, wanted in LADDER:
            usual = GAMES.get((challenger, opponent), GAMES["table", "greedy"])[not tuned]
            for cardset, players, variants in games:
                if players not in wanted:
                    continue
                count = usual * (MORE_AT_TWO[tuned] if players == 2 else 1) // players
                threshold = wanted[players] - (0 if tuned else LOWER)
                found.append(Gate(cardset, players, variants, challenger, opponent, threshold, deals or count))
    for cardset, players, variants in TUNED:
        found.append(Gate(cardset, players, variants, CLOCKED, "table", 0, deals or TIMED // players))
    levels = [gate for game in (*TUNED, *OTHERS) for gate in level_gates(*game, deals)]
    return [gate for gate in (*found, *levels) if only in str(gate)]


def level_gates(cardset, players, variants, deals):
    """Yield a gate for each level that differs from the one below: it is half a step stronger, at least."""
    program = load(cardset, players, variants).program
    settings = [setting_of(program, strength) for strength in range(1, STRENGTHS)]
    wanted = 100 / (1 + (players - 1) / STEP**0.5)
    below = "random"
    for strength, setting in enumerate(settings, 1):
        if setting is not None and setting not in settings[: strength - 1]:
            yield Gate(cardset, players, variants, str(strength), below, wanted, deals or LEVELLED // players)
            below = str(strength)


def measure(gate):
    """Play a gate; its figures."""
    game = load(gate.cardset, gate.players, gate.variants)
    bots = (gate.challenger, gate.opponent)
    prepare(bots, game.program, lambda _what, _share: None)
    match = Match(game, bots, (Pairing(0, 1),), SEED, 0, gate.deals)
    hold(Match(game, bots, (Pairing(0, 1),), "warm", 0, 1))  # what a process prepares once is no thinking
    began = time.perf_counter()
    found = findings_of(hold(match), SEED)
    cell, pace = found.met(0, 1), found.paces[0]
    share, (low, high) = 100 * cell.share.mean, (100 * end for end in cell.share.ci95)
    return {
        "gate": str(gate), "game": gate.game, "challenger": gate.challenger, "opponent": gate.opponent,
        "players": gate.players, "deals": gate.deals, "wanted": gate.wanted, "share": share, "ci95": [low, high],
        "margin": cell.margin.mean, "verdict": verdict(share, high, gate.wanted),
        "seconds": time.perf_counter() - began, "p50_ms": pace.p50_ms, "p95_ms": pace.p95_ms, "max_ms": pace.max_ms,
        "iterations": pace.iterations,
    }  # fmt: skip


def verdict(share, high, wanted):
    if not wanted:
        return ""
    if share >= wanted:
        return "passed"
    return "FAILED" if high < wanted else "open"


def line(found):
    wanted = f"{found['wanted']:.0f}" if found["wanted"] else "–"
    low, high = found["ci95"]
    return (
        f"{found['gate']:<68} {found['deals']:>5} deals  {found['share']:5.1f} ({low:.1f} to {high:.1f})  "
        f"wanted {wanted:>3}  {found['verdict']:<6}  ms {found['p50_ms']:.2f} {found['p95_ms']:.2f} "
        f"{found['max_ms']:.2f}  {found['iterations']:,.0f} iterations  {found['seconds']:.0f} s"
    )


# ── the tables of docs/bots_measured.md ──────────────────────────────────────────────────────────────────────────────


def tables(results):
    """Return the results as Markdown: shares by game, then times."""
    games = list(dict.fromkeys(own["game"] for own in results if own["wanted"]))
    rows = ["| game | gate | win share in % (95 %) | deals | wanted | |", "|---|---|---|---|---|---|"]
    for game in games:
        for own in results:
            if own["game"] == game and own["wanted"]:
                low, high = own["ci95"]
                rows.append(
                    f"| {game} | `{own['challenger']}` > `{own['opponent']}` | {own['share']:.1f} ({low:.1f} to "
                    f"{high:.1f}) | {own['deals']} | {own['wanted']:.0f} | {own['verdict']} |"
                )
    rows += ["", "| game | bot | ms for a move: p50 | p95 | longest | iterations |", "|---|---|---|---|---|---|"]
    for own in results:
        if own["game"] in {" ".join([name, str(players)]) for name, players, _ in TUNED} and is_timed(own):
            iterations = f"{own['iterations']:,.0f}" if own["iterations"] else "–"
            rows.append(
                f"| {own['game']} | `{own['challenger']}` | {own['p50_ms']:.2f} | {own['p95_ms']:.2f} | "
                f"{own['max_ms']:.1f} | {iterations} |"
            )
    return "\n".join(rows)


def is_timed(own):
    """True if a pairing is the one from which the times of its challenger are taken."""
    return (own["challenger"], own["opponent"]) in {
        ("greedy", "random"), ("table", "greedy"), (QUICK, "table"), (LONG, "table"), (CLOCKED, "table")
    }  # fmt: skip


def write(mark, table):
    """Put a table between a mark of the page and the next end."""
    head, mark, rest = PAGE.read_text(encoding="utf-8").partition(f"<!-- {mark} -->\n")
    _, end, tail = rest.partition("<!-- end -->")
    PAGE.write_text(head + mark + table + "\n" + end + tail, encoding="utf-8")


def main():
    """Measure the gates and losses, print them, and write the files that were asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="", help="gates whose line contains this")
    parser.add_argument("--deals", type=int, default=0, help="so many for every gate")
    parser.add_argument("--json", type=Path, help="a file for all figures")
    parser.add_argument("--write", action="store_true", help="write the tables in docs/bots_measured.md again")
    asked = parser.parse_args()
    results = []
    for gate in gates(asked.only, asked.deals):
        results.append(measure(gate))
        print(line(results[-1]), flush=True)
        if asked.json:
            asked.json.write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")
    lost = []
    for own in losses.measured() if asked.only in LOSSES else ():
        lost.append(own)
        print(own, flush=True)
    if asked.write and results:
        write("measured", tables(results))
    if asked.write and lost:
        write(LOSSES, losses.table(lost))
    failed = [own["gate"] for own in results if own["verdict"] == "FAILED"]
    failed += [str(own) for own in lost if own.verdict == "FAILED"]
    count = sum(bool(own["wanted"]) for own in results) + sum(bool(own.verdict) for own in lost)
    print(f"{len(failed)} of {count} gates failed.", *failed, sep="\n  ")
    sys.exit(bool(failed))


if __name__ == "__main__":
    main()
