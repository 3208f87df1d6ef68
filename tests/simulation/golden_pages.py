"""Pages, tables and sentences of all studies, made of figures that were invented by hand.

No game is played. Every certainty, section and branch of the texts occurs in some page, so that the golden files hold
what people read. ``PYTHONPATH=src:tests python -m simulation.golden_pages`` writes them again: read the difference.
"""

from __future__ import annotations

import re
from math import inf
from pathlib import Path
from types import SimpleNamespace

from draftengine.studies.arena import report as arena_words
from draftengine.studies.arena.estimates import Cell, Duel, Estimate, Findings, Meeting, Pace, Rating
from draftengine.studies.arena.sprt import Verdict
from draftengine.studies.compare import ComparisonResult, Effect
from draftengine.studies.compare import report as compare_words
from draftengine.studies.draft import report as draft_words
from draftengine.studies.draft.summary import DraftCard, DraftSummary, DraftTurn, MeanRegret, Regret
from draftengine.studies.report.charts import Study
from draftengine.studies.report.moments import MOST_GAMES
from draftengine.studies.report.moments import Estimate as Known
from draftengine.studies.report.statistics import CardSummary, CardTurn, RuleSummary, SeatSummary, Summary
from draftengine.studies.simulation import Places
from draftengine.studies.simulation import report as simulation_words
from draftengine.studies.simulation.words import sentences as of_simulation
from draftengine.studies.simulation.words import who_played
from draftengine.studies.tune import Tried, Tuned
from draftengine.studies.tune import report as tune_words
from draftengine.studies.tune.targets import Figure, Number, Target

FOLDER = Path(__file__).parent / "golden"


def around(value, half):
    return value - half, value + half


def game(*sources, seats=3, names=()):
    """Return what texts need of a program: seats, and sources of points."""
    chips, labelled = (), [SimpleNamespace(id=name, label=()) for name in sources]
    model = SimpleNamespace(chips=chips, triggers=(), scoring=labelled, cards=())
    return SimpleNamespace(
        seats=seats,
        players=seats - len(names),
        direction=1,
        sources_of_points=sources,
        model=model,
        plays=(),
        rules=(),
        code=(),
        seat_name=lambda seat: f"seat {seat}" if seat < seats - len(names) else names[seat - seats],
    )


# ── Simulations ───────────────────────────────────────────────────────────────────────────────────────────────────────


def seat(number, rate, half, bot, name=""):
    return SeatSummary(
        number,
        name or f"seat {number}",
        bot,
        12_000 * rate,
        rate,
        around(rate, half),
        31.254 + number,
        5.5 + number,
        around(31.254 + number, 0.1),
    )


def rule(label, mean, share, half):
    by_seat = [mean + 0.25, mean, mean - 0.25]
    return RuleSummary(label, mean, by_seat, 0.625, 6.54 * share, share, half and around(share, half))


def card(label, rate, worth=None, *, taken=800, turns=((1, 400), (2, 340), (3, 60))):
    by_turn = [CardTurn(turn, count, rate + 0.02 * turn, 30.5 + turn) for turn, count in turns]
    value, half = worth or (None, 0)
    ends = None if value is None else around(value, half)
    return CardSummary(label, taken, rate, around(rate, 0.04), 32.125, by_turn, value, ends)


def places():
    """Return three games of three seats: totals, winners as bits, points of each rule by seat."""
    sums = Places(game("soup", "bread", "tea", "ice"))
    soup, bread, nothing = [9, 5, 4], [3, -2, 3], [0, 0, 0]
    sums.add(0, [[12, 3, 7, 0b001, *soup, *bread, *nothing, *nothing]])
    sums.add(
        1,
        [
            [2, 8, 6, 0b010, 2, 6, 6, 0, 2, 0, *nothing, *nothing],
            [5, 5, 1, 0b011, 5, 3, 1, 0, 2, 0, *nothing, *nothing],
        ],
    )
    return sums


SIMULATION = Study("Soups <&>", "Soups 1.0.0, rules 0123", 7, "draftengine simulate soups.yaml")


def summary(rules, seats, cards=(), *, games=12_000, **more):
    return Summary(
        games,
        seats,
        {each.label.lower(): each for each in rules},
        6.54,
        0.0521,
        0.0131,
        {each.label.lower(): each for each in cards},
        [{20: 5, 30: 10, 31: 2}, {25: 8, 60: 2}, {18: 1}][: len(seats)],
        "0123456789abcdef",
        **more,
    )


CLEAR = summary(
    [
        rule("Soup", 9.5, 0.62, 0.02),
        rule("Bread", 14.25, 0.28, 0.02),
        rule("Tea", 2.5, 0.1, 0.01),
        rule("Ice", 0, 0, 0),
    ],
    [seat(0, 0.45, 0.01, "greedy"), seat(1, 0.33, 0.01, "random"), seat(2, 0.22, 0.01, "greedy")],
    [
        card("Soup", 0.45, (1.5, 0.2)),
        card("Tea", 0.21, (-0.75, 0.2)),
        card("Ice", 0.33, (0.05, 0.01)),
        card("Wine", 0.34, taken=20, turns=((1, 20),)),
    ],
    stopped=0.0021,
)
"""A summary in which everything is certain; weak bots played."""
OPEN = summary(
    [rule("Soup", 9.5, 0.36, 0.1), rule("Bread", 4.5, 0.34, 0.1), rule("Tea", 2.5, 0.3, 0.1)],
    [seat(0, 0.545, 0.04, "expert"), seat(1, 0.455, 0.04, "table"), seat(2, 0.0, 0.001, "", "dummy")],
    [card("Soup", 0.5, turns=((1, 100), (2, 700))), card("Tea", 0.5, turns=((1, 400), (2, 400)))],
    games=400,
)
"""A summary in which little is certain; an extra seat does not win."""
EVEN = summary(
    [rule("Soup", 9.5, 0.52, 0.01), rule("Bread", 4.5, 0.48, 0.01)],
    [seat(0, 0.5, 0.004, "table"), seat(1, 0.5, 0.004, "table")],
)
LEADING = summary(
    [rule("Soup", 9.5, 0.45, 0.03), rule("Bread", 4.5, 0.3, 0.03), rule("Tea", 4.5, 0.25, 0.03)],
    [seat(0, 0.37, 0.034, "table"), seat(1, 0.31, 0.034, "table"), seat(2, 0.32, 0.034, "table")],
)


# ── Comparisons ───────────────────────────────────────────────────────────────────────────────────────────────────────


def effect(kind, name, a, b, half, *, certain=False):
    label = name and f"Player {int(name) + 1}" if name.isdigit() else name.capitalize() or kind.capitalize()
    return Effect(kind, name, label, a, b, b - a, around(b - a, half), certain)


def compared(*effects, games=4000):
    return ComparisonResult(
        games, list(effects), precise=False, per_second=1.0, interrupted=False, tally_a=[], tally_b=[]
    )


CHANGED = compared(
    effect("win", "0", 0.3512, 0.4088, 0.011, certain=True),
    effect("win", "1", 0.3288, 0.2912, 0.011, certain=True),
    effect("win", "2", 0.32, 0.3, 0.03),
    effect("score", "0", 31.5, 33.75, 0.2, certain=True),
    effect("score", "1", 31.5, 31.4, 0.2),
    effect("average", "", 31.5, 32.625, 0.15, certain=True),
    effect("pace", "", 10.5, 8.25, 0.1, certain=True),
    effect("rule", "soup", 9.5, 12.25, 0.1, certain=True),
    effect("rule", "bread", 4.5, 4.6, 0.3),
    effect("rule", "tea", 4.5, 3.5, 0.1, certain=True),
    effect("rule", "wine", 6, 5, 0.1, certain=True),
    effect("round", "soup", 3.1, 4.1, 0.1, certain=True),
    effect("round", "bread", 1.5, 1.25, 0.02, certain=True),
    effect("round", "tea", 1.5, 1.501, 0.001),
    effect("round", "wine", 2, 1.9, 0.3),
    effect("margin", "", 5.5, 4.25, 0.2, certain=True),
    effect("shared", "", 0.012, 0.045, 0.004, certain=True),
    effect("card", "soup", 0.31, 0.44, 0.05, certain=True),
    effect("card", "tea", 0.3, 0.29, 0.05),
)
UNKNOWN = compared(
    effect("win", "0", 0.35, 0.36, 0.03),
    effect("win", "1", 0.65, 0.64, 0.03),
    effect("score", "0", 30, 31, 0.1, certain=True),
    effect("average", "", 31.5, 31.9, 0.9),
    effect("rule", "soup", 9.5, 9.6, 0.4),
    games=300,
)
ALIKE = compared(
    effect("win", "0", 0.5, 0.5004, 0.002),
    effect("win", "1", 0.5, 0.4996, 0.002),
    effect("average", "", 31.5, 31.6, 0.05),
)
COMPARISON = (
    Study("Soups <&>: more soup", "Soups 0123; Soups 4567", 7, "draftengine compare soups.yaml"),
    ("plain", "more soup"),
    ("table", "greedy"),
    (("Cards", "14 soups", "20 soups <&>"), ("Rules", "", "tea")),
)


# ── Tunings ───────────────────────────────────────────────────────────────────────────────────────────────────────────

SCORE, WINS = Target(Figure("score"), 38, 42, 40), Target(Figure("wins", "0"), -inf, 35)
NUMBER = Number("cards.soup.count", 4)


def tried(value, estimate, half, verdict, *, change=None, needed=0, games=12_000):
    change = change and Known(change, *around(change, 0.25))
    return Tried(value, games, Known(estimate, *around(estimate, half)), verdict, change, needed)


def tuned(*candidates, target=SCORE, games=12_000):
    return Tuned(target, 4, list(candidates), games, 1.0, interrupted=False)


TUNED = {
    "found": tuned(
        tried(2, 37, 0.5, "misses", change=-2.5),
        tried(3, 39, 0.5, "reaches", change=-0.5),
        tried(4, 39.5, 0.5, "reaches", change=0.0),
        tried(5, 40.125, 0.5, "reaches", change=0.625),
        tried(6, 41.9, 0.5, "unknown", change=2.4, needed=20_000),
    ),
    "as it is": tuned(tried(4, 40, 0.5, "reaches"), tried(5, 41.75, 0.5, "unknown", needed=MOST_GAMES)),
    "least change": tuned(
        tried(3, 30.5, 0.5, "reaches"),
        tried(5, 32, 0.5, "reaches"),
        tried(9, 34.5, 1, "unknown", needed=50_000),
        target=WINS,
    ),
    "nothing yet": tuned(
        tried(3, 39, inf, "unknown", needed=500, games=40),
        tried(4, 39, inf, "unknown", needed=500, games=40),
        games=40,
    ),
    "open": tuned(
        tried(3, 37.9, 0.5, "unknown", needed=90_000),
        tried(4, 42, 0.5, "unknown", needed=MOST_GAMES),
        tried(5, 45, 0.5, "misses"),
    ),
    "between": tuned(tried(2, 30, 0.5, "misses"), tried(6, 50, 0.5, "misses")),
    "the one between": tuned(tried(2, 30, 0.5, "misses"), tried(4, 43, 0.5, "misses"), tried(6, 50, 0.5, "misses")),
    "a wider target": tuned(tried(2, 37, 0.5, "misses"), tried(3, 45, 0.5, "misses")),
    "beyond": tuned(tried(2, 30, 0.5, "misses"), tried(4, 32, 0.5, "misses")),
    "no difference": tuned(tried(2, 30, 0.5, "misses"), tried(4, 30.2, 0.5, "misses")),
    "only one": tuned(tried(4, 30, 0.5, "misses")),
}


def of_tunings():
    program, lines = game("soup", names=("dummy",)), []
    for title, result in TUNED.items():
        lines += ["", f"# {title}", *tune_words.sentences(result, NUMBER, program)]
        lines += [" | ".join(map(str, row)) for row in tune_words.rows(result)]
    lines += ["", *map(str, tune_words.notes(TUNED["found"], program, ["table", "table"]))]
    uneven = tuned(tried(4, 3, 0.5, "reaches"), target=Target(Figure("advantage"), -inf, 4))
    lines += tune_words.sentences(uneven, NUMBER, program)
    lines += map(str, tune_words.notes(uneven, program, ["greedy", "random"]))
    return [*lines, "", str(tune_words.data(TUNED["found"], NUMBER, program, {9: "too few cards"}))]


# ── Drafts ────────────────────────────────────────────────────────────────────────────────────────────────────────────


def drafted(label, rating, preferred, *turns, aside=0):
    seen, taken, passed, back = (sum(turn[at] for turn in turns) for at in range(1, 5))
    by_turn = [
        DraftTurn(number, saw, took, went, came, came / went if went else None, 0.25 * number)
        for number, saw, took, went, came in turns
    ]
    pick = sum(turn[0] * turn[2] for turn in turns) / taken if taken else None
    return DraftCard(
        label,
        rating,
        preferred,
        seen,
        taken,
        taken / seen,
        aside,
        pick,
        pick and around(pick, 0.1),
        passed,
        back / passed if passed else None,
        None,
        0.75,
        by_turn,
    )


def lost(decisions, mean):
    return MeanRegret(decisions, mean, around(mean, 0.1))


DRAFT = DraftSummary(
    500,
    4500,
    True,
    {
        "soup": drafted("Soup", 1.25, 0.777, (1, 300, 200, 100, 30), (2, 120, 30, 90, 9), (3, 20, 4, 16, 0)),
        "a_very_long_name": drafted(
            "A very long name of a card", 0, 0.5, (1, 60, 29, 31, 1), (2, 31, 31, 0, 0), aside=12
        ),
        "tea": drafted("Tea", -2, 0.119, (1, 40, 0, 40, 20)),
    },
    Regret("expert", lost(1500, 0.42), {1: lost(700, 0.6), 2: lost(800, 0.3)}, {0: lost(700, 0.4), 1: lost(800, 0.45)}),
    bids=True,
)
SOLITARY = DraftSummary(
    40,
    80,
    False,
    {"soup": DraftCard("Soup", 0.5, 0.62, 80, 40, 0.5, 0, 1.5, (1.4, 1.6), by_turn=[DraftTurn(1, 80, 40)])},
)


# ── Tournaments ───────────────────────────────────────────────────────────────────────────────────────────────────────


def cell(share, margin, half=0.03):
    return Cell(Estimate(share, 0.3, 200, around(share, half)), Estimate(margin, 4.0, 200, around(margin, 0.5)))


def duel(one, two, mean, *, certain=False, units=200, bound=0.2, needed=900, to_tell=2500):
    return Duel(one, two, Estimate(mean, 0.3, units, around(mean, 0.04)), certain, needed, bound, to_tell)


def findings(bots, meetings, duels, *, ratings=(), why="", verdict=None, seats=3):
    paces = [Pace(1200, 0.5, 1.25, 40.0, 0.0), Pace(1200, 20.5, 31.25, 140.0, 812.5), Pace(900, 1, 2, 3, 0.0)]
    return Findings(
        seats,
        bots,
        200,
        3600,
        [Meeting(*meeting) for meeting in meetings],
        duels,
        list(ratings),
        why,
        paces[: len(bots)],
        verdict,
        12.5,
        interrupted=False,
    )


BEST = findings(
    ("expert", "table", "greedy"),
    [
        (0, 1, cell(0.45, 2.5)),
        (0, 2, cell(0.61, 9.25)),
        (1, 0, cell(0.25, -1.5)),
        (1, 2, cell(0.35, 0.25)),
        (2, 0, cell(0.1, -9)),
        (2, 1, cell(0.3, -0.5)),
        (0, 0, cell(0.335, 0.1)),
    ],
    [duel(0, 1, 0.2, certain=True), duel(0, 2, 0.51, certain=True), duel(1, 2, 0.05)],
    ratings=[Rating(28.125, 0.5, (27.5, 28.75)), Rating(25, 0.5, (24, 26)), Rating(21.875, 0.5, (21, 22.75))],
)
DOUBT = findings(
    ("table", "expert:ms=5", "greedy"),
    [
        (0, 1, cell(0.34, 0)),
        (1, 0, cell(0.33, 0)),
        (0, 2, cell(0.33, 0)),
        (2, 0, cell(0.34, 0)),
        (1, 2, cell(0.38, 2)),
        (2, 1, cell(0.35, -2)),
        (1, 1, cell(0.5, 0, 0.01)),
    ],
    [duel(0, 1, 0.01, units=5), duel(0, 2, -0.004, bound=0.015), duel(1, 2, 0.03)],
    why="OpenSkill is not installed",
)
NOBODY = findings(
    ("table", "expert", "greedy"),
    [],
    [duel(0, 1, 0.2, certain=True), duel(1, 2, 0.2, certain=True), duel(0, 2, -0.2, certain=True)],
)
PAIRS = (10, 30, 60, 70, 30)
TESTED = {
    decided: findings(
        ("expert", "greedy"),
        [(0, 1, cell(0.6, 2.5)), (1, 0, cell(0.4, -2.5))],
        [duel(0, 1, 0.2)],
        seats=2,
        verdict=Verdict(0, 10, llr, 2.94, decided, 200, 12.5, (1.5, 23.5), pairs),
    )
    for decided, llr, pairs in (("better", 3.01, PAIRS), ("not better", -2.99, PAIRS), ("", 0.5, ()))
}
HELD = Study("Soups <&>", "Soups 1.0.0", 7, "draftengine arena soups.yaml")


def of_tournaments():
    lines = []
    for result in (BEST, DOUBT, NOBODY, findings(("table",), [(0, 0, cell(0.33, 0))], []), *TESTED.values()):
        lines += [*arena_words.sentences(result), *arena_words.tables(result), ""]
    return lines


# ── Files ─────────────────────────────────────────────────────────────────────────────────────────────────────────────


def lines_of(page):
    """Return the lines of a page without its style sheet; rows, figures and headings begin lines."""
    text = re.sub(r"<style>.*?</style>", "", page, flags=re.DOTALL)
    return re.sub(r"(?=<(?:tr|figure|h\d|p|section|li|dt|table|svg)\b)", "\n", text).splitlines()


PAGES = {
    "simulation_clear": lambda: lines_of(
        simulation_words.report(
            SIMULATION, 3, CLEAR, places(), draft_words.section(DRAFT, 12_000, ["Player 1", "Player 2"])
        )
    ),
    "simulation_open": lambda: lines_of(
        simulation_words.report(SIMULATION, 3, OPEN, None, draft_words.section(SOLITARY, 40, ["Player 1"]))
    ),
    "comparison_changed": lambda: lines_of(compare_words.report(*COMPARISON, CHANGED)),
    "comparison_unknown": lambda: lines_of(compare_words.report(*COMPARISON, UNKNOWN)),
    "tournament_best": lambda: lines_of(arena_words.report(HELD, BEST)),
    "tournament_test": lambda: lines_of(arena_words.report(HELD, TESTED["better"])),
    "words": lambda: [
        *(line for result in (CLEAR, OPEN, EVEN, LEADING) for line in (*of_simulation(result), "")),
        who_played(["greedy", "table", "greedy", "nobody"]),
        *(line for each in (CHANGED, UNKNOWN, ALIKE) for line in (*compare_words.sentences(each, "A", "B"), "")),
        *(" | ".join(map(str, compare_words.row(each))) for each in CHANGED.effects),
        *(line for each in (CHANGED, UNKNOWN, ALIKE) for line in map(str, compare_words.about_marks(each))),
        str([(compare_words.games_needed(each), compare_words.precision_needed(each)) for each in (CHANGED, UNKNOWN)]),
        "",
        *(" | ".join(map(str, row)) for drafts in (DRAFT, SOLITARY) for row in draft_words.table_rows(drafts)),
        *map(str, draft_words.sentences(DRAFT.regret)),
    ],
    "tunings": of_tunings,
    "tournaments": of_tournaments,
}


def path_of(name):
    return FOLDER / f"{name}.txt"


if __name__ == "__main__":
    for name, lines in PAGES.items():
        path_of(name).write_text("\n".join(lines()) + "\n", encoding="utf-8")
