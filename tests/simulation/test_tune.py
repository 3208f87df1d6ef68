"""Tuning finds the value that exact enumeration finds, and claims no more than its intervals support."""

from fractions import Fraction
from itertools import permutations
from math import inf, sqrt
from pathlib import Path
from pickle import dumps, loads
from random import Random

import pytest

import draftengine as de
from conftest import NIGHTLY
from draftengine.api.ruleset import load
from draftengine.studies.report.moments import (
    BEST_AT,
    ERROR,
    MOST_GAMES,
    Estimate,
    Moments,
    games_for,
    half_width,
    parts_of,
    sums_of,
)
from draftengine.studies.runner import InProcessExecutor, Progress
from draftengine.studies.runner.playing import Task, play_chunk
from draftengine.studies.tune import LOOK, Trials, Tried, Tuned
from draftengine.studies.tune.report import rows, sentences
from draftengine.studies.tune.targets import (
    TARGET_KINDS,
    CandidateError,
    Figure,
    Number,
    Target,
    TargetError,
    games_with,
    number_named,
    phrases,
    target_of,
    usual_values,
    values_in,
)

COINS = str(Path(__file__).parent / "coins.yaml")
"""A game for two with two coins and two stones; a coin scores 2, and the first player gets a gift."""

GIFT, POINTS = Number("gift", 0, (0, 1, 2, 3)), Number("scoring.coin.points", 2)


@pytest.fixture(scope="module")
def coins():
    return load(COINS)


def exactly(gift, coin=2):
    """Return every exact figure of the game with a gift, from all 24 orders of four cards."""
    tops, bottoms = dict.fromkeys(TARGET_KINDS, Fraction(0)), dict.fromkeys(TARGET_KINDS, Fraction(1))
    decks = list(permutations("ccss"))
    bottoms["margin"] = bottoms["share"] = Fraction(0)
    for first, second, *_ in decks:
        own, other = (coin * (first == "c") + gift, coin * (second == "c"))
        share = Fraction(own > other) + Fraction(own == other, 2)
        tops["score"] += Fraction(own + other, 2)
        tops["score_of"] += own
        tops["winning"] += max(own, other)
        tops["wins"] += 100 * share
        tops["shared"] += 100 * (own == other)
        tops["points"] += Fraction(gift, 2)
        tops["margin"] += abs(own - other)
        bottoms["margin"] += own != other
        tops["share"] += 100 * (0 if own == other else gift if own > other else -gift)
        bottoms["share"] += abs(own - other)
    count = {kind: bottoms[kind] if kind in {"margin", "share"} else len(decks) for kind in tops}
    found = {kind: float(tops[kind] / count[kind]) for kind in tops}
    return found | {"advantage": abs(found["wins"] - 50)}


def asked(game, parameter, text, values=None, seed="tuned"):
    """Return trials that have not been played yet."""
    number = number_named(game.ruleset, parameter)
    others, _ = games_with(game, number, values or usual_values(number))
    tasks = [
        Task(own, ("random",) * game.players, seed, 0, 0, "reference", rows=True) for own in (game, *others.values())
    ]
    return Trials(tasks[0], dict(zip(others, tasks[1:], strict=True)), number.now, target_of(text, game.program))


@pytest.mark.parametrize("text", ["seat advantage near 17 ± 12", "share of the gift near 20 % ± 15"])
def test_the_best_value_is_the_one_that_counting_finds(coins, text):
    """A gift of 1 is best: 16.7 points above an even share of wins, and a fifth of the margin."""
    found = asked(coins, "gift", text).play(4000)
    assert [own.value for own in found.reached] == [1]
    assert found.best.value == 1
    assert found.settled
    assert found.games < 4000
    assert sentences(found, GIFT, coins.program)[0].startswith("With gift = 1, ")


@pytest.fixture(scope="module")
def games(coins):
    """Return the rows of equal games without a gift, with one of 1, and with one of 3."""
    forms = {gift: coins.ruleset.game() if not gift else load(COINS, variants=[f"gift={gift}"]) for gift in (0, 1, 3)}
    return {
        gift: play_chunk(Task(game, ("random", "random"), 5, 0, LOOK, "reference", rows=True)).rows
        for gift, game in forms.items()
    }


@pytest.mark.parametrize("text", list(TARGET_KINDS))
def test_every_figure_is_what_counting_finds(coins, games, text):
    """Each interval contains the exact value, and so do the intervals of changes."""
    figure = {"wins": Figure("wins", "0"), "score_of": Figure("score_of", "0")}.get(text, Figure(text, "bonus"))
    for gift in (1, 3):
        sums = sums_of(*(parts_of(coins.program, figure, games[own]) for own in (gift, 0)))
        found, exact = Moments(coins.program, figure, LOOK, sums, ERROR), exactly(gift)[text]
        assert found.estimate().low <= exact <= found.estimate().high
        assert exact - 100 / sqrt(LOOK) < found.estimate().value < exact + 100 / sqrt(LOOK)
        if found.change() is not None:
            assert found.change().low <= exact - exactly(0)[text] <= found.change().high


def test_what_does_not_depend_on_chance_is_known_nearly_exactly(coins, games):
    """A figure without chance is known almost exactly, not quite: unseen games might differ."""
    figure = Figure("points", "bonus")
    sums = sums_of(parts_of(coins.program, figure, games[3]), parts_of(coins.program, figure, games[0]))
    found = Moments(coins.program, figure, LOOK, sums, ERROR).estimate()
    assert found.value == 1.5
    assert 1.48 < found.low < 1.5 < found.high < 1.52


def test_the_same_games_tell_a_change_better_than_two_samples(coins):
    """In equal games a gift changes a score by exactly itself, so paired games leave little doubt."""
    found = asked(coins, "gift", "score of player 1 at least 99").play(LOOK)
    for own in found.tried:
        assert [own.change.low, own.change.value, own.change.high] == pytest.approx(3 * [own.value], abs=0.05)
        assert own.estimate.high - own.estimate.low > 0.1


def test_a_number_of_the_file_is_tuned_by_its_path(coins):
    """A number of the file is named by its path: a coin of 6 gives an average score of 3."""
    found = asked(coins, "scoring.coin.points", "score near 3 ± 0.2", [2, 4, 6, 8]).play(4000)
    assert found.best.value == 6
    assert found.now == 2


def test_out_of_reach_is_said(coins):
    found = asked(coins, "gift", "score at least 10").play(LOOK)
    said = sentences(found, GIFT, coins.program)
    assert said[0].startswith(
        "No value of gift that was tried (0 to 3) brings the average score to at least 10; the near"
    )
    assert "the nearest is 3, with 2.5" in said[0]
    assert len(said) == 1, "there are no other values that it can have"
    assert found.best is None
    free = asked(coins, "scoring.coin.points", "score at least 10", [1, 3]).play(LOOK)
    said = sentences(free, POINTS, coins.program)
    assert said[1] == "It is the largest that was tried. Try larger ones: --values 5-13/2."
    nothing = asked(coins, "gift", "score of player 2 near 5", [0, 3]).play(LOOK)
    assert sentences(nothing, GIFT, coins.program)[1].startswith("With this number of games, no difference")


def test_a_target_between_two_values_is_said_to_lie_there(coins):
    between = asked(coins, "gift", "points of bonus between 0.6 and 0.9").play(LOOK)
    said = sentences(between, GIFT, coins.program)
    assert said[1].startswith("The target lies between 1 and 2. Try a wider target: with")
    wide = asked(coins, "scoring.coin.points", "score near 3 ± 0.3", [2, 9]).play(LOOK)
    assert "Try values between them: --values 3-8." in sentences(wide, POINTS, coins.program)[1]


def test_what_is_not_known_yet_says_how_many_games_would_tell(coins):
    """An unknown result states the number of games that would be needed."""
    few = asked(coins, "gift", "seat advantage between 14 and 20", [1])
    found = few.play(LOOK)
    assert not found.reached
    said = sentences(found, GIFT, coins.program)
    assert ". It can only be 1, with" in said[0]
    assert said[1].endswith("more games would tell.")
    assert LOOK < found.games_needed < 200_000


def test_before_the_first_look_nothing_is_claimed(coins):
    """Before the first look, no value has a verdict or an interval."""
    found = asked(coins, "gift", "points of bonus near 9", [1, 2]).play(LOOK // 5)
    said = sentences(found, GIFT, coins.program)
    assert ": there were too few games. At least 500 are needed with each value." in said[0]
    assert said[1:] == [f"About {LOOK - LOOK // 5} more games would tell."]
    assert {str(row[2]) for row in rows(found)} == {"nothing known"}
    assert asked(coins, "gift", "points of bonus near 9", [1, 2]).play(LOOK).unknown == []


def test_no_number_of_games_is_promised_for_a_figure_at_the_end_of_a_target(coins):
    tried = Tried(0, LOOK, Estimate(1.0, 0.9, 1.1), "unknown", None, MOST_GAMES)
    target = Target(Figure("points", "coin"), 1.0, inf)
    said = sentences(Tuned(target, 0, [tried], LOOK, 1.0, interrupted=False), GIFT, coins.program)
    assert said[-1] == "Perhaps no number of games can settle 0: the figure lies right at the edge of the target."


def test_of_several_values_the_nearest_or_the_one_that_changes_least_is_best(coins):
    assert asked(coins, "gift", "points of bonus near 1.1 ± 0.8", [1, 2]).play(LOOK).best.value == 2
    found = asked(coins, "gift", "points of bonus at least 0.2", [1, 2, 3]).play(LOOK)
    assert [own.value for own in found.reached] == [1, 2, 3]
    assert found.best.value == 1
    said = sentences(found, GIFT, coins.program)
    assert said[1] == "2 (1.00) and 3 (1.50) reach the target, too; 1 changes least."
    kept = asked(coins, "gift", "points of bonus at most 0.6", [0, 1]).play(LOOK)
    sentence = "The present value already reaches the target, so nothing has to change."
    assert sentence in sentences(kept, GIFT, coins.program)[0]


def test_what_cannot_be_the_best_is_not_asked_any_further(coins):
    """Values that cannot be best any more are not played further, even if they may meet the target."""
    found = asked(coins, "gift", "seat advantage near 17 ± 12").play(4000)
    assert [own.value for own in found.unknown] == [0, 2]
    assert found.games == LOOK
    said = sentences(found, GIFT, coins.program)
    assert said[1:] == [
        "It is not known yet whether 0 and 2 would reach the target, too; 1 is nearer to it in any case."
    ]
    found = asked(coins, "gift", "seat advantage between 5 and 34", [1, 2]).play(4000)
    assert (found.best.value, [own.value for own in found.unknown], found.games) == (1, [2], LOOK)
    near = asked(coins, "gift", "seat advantage at least 16", [1, 2, 3]).play(3 * LOOK)
    assert (near.best.value, near.settled) == (2, False), "1 would change less, and may be there"


@pytest.mark.parametrize(
    ("low", "high", "settled"),
    [(11, 13, True), (10.9, 13, False), (7, 9, True), (7, 9.1, False), (9.5, 10.5, False)],
)
def test_a_value_is_the_best_if_no_other_can_be_nearer_to_the_aim(low, high, settled):
    """The best value is 1 off the aim; an undecided one must be as far off, on either side."""
    best = Tried(1, LOOK, Estimate(11.0, 10.8, 11.2), "reaches", None, 0)
    other = Tried(2, LOOK, Estimate((low + high) / 2, low, high), "unknown", None, 2 * LOOK)
    target = Target(Figure("points", "coin"), 8.0, 12.0, 10.0)
    assert Tuned(target, 0, [best, other], LOOK, 1.0, interrupted=False).settled is settled


@pytest.mark.parametrize(("value", "settled"), [(3, True), (-1, True), (2, False), (0, False)])
def test_without_an_aim_only_a_value_that_changes_less_could_be_better(value, settled):
    """The present value is 1 and the best one 3; a value that changes as much is no better."""
    best = Tried(3, LOOK, Estimate(11.0, 10.8, 11.2), "reaches", None, 0)
    other = Tried(value, LOOK, Estimate(9.0, 7.0, 11.0), "unknown", None, 2 * LOOK)
    target = Target(Figure("points", "coin"), 8.0, inf)
    assert Tuned(target, 1, [best, other], LOOK, 1.0, interrupted=False).settled is settled


# ── How the games are played ──


def counted(tuning):
    return [(own.games, own.sums, own.done) for own in tuning.counts]


QUESTION = ("gift", "seat advantage near 17 ± 8")


def test_in_parts_it_is_the_same_as_at_once(coins):
    """Trials played in parts give the counts of trials played at once."""
    once, parts = asked(coins, *QUESTION, [0, 1, 3]), asked(coins, *QUESTION, [0, 1, 3])
    once.play(1300)
    for games in (1, 400, 733, 1300):
        parts.play(games)
    assert counted(parts) == counted(once)
    assert {own.games for own in once.counts} == {LOOK, 1300}, "some are done early, and play no more"


class ByMail(InProcessExecutor):
    """Runs jobs in this process, but pickles arguments and results as several processes would."""

    def submit(self, fn, /, *args, **kwargs):
        sent = loads(dumps((args, kwargs)))  # noqa: S301 (our own)
        return super().submit(lambda: loads(dumps(fn(*sent[0], **sent[1]))))  # noqa: S301 (our own)


def test_jobs_change_nothing(coins, monkeypatch):
    alone, together = asked(coins, *QUESTION, [0, 1]), asked(coins, *QUESTION, [0, 1])
    found = alone.play(600)
    if not NIGHTLY:
        monkeypatch.setattr("draftengine.studies.runner.open_executor", lambda *_: ByMail())
    assert found.tried == together.play(600, jobs=2).tried
    assert counted(alone) == counted(together)


def test_the_more_values_are_tried_the_wider_is_each_interval(coins):
    """All intervals hold together, so each of several values needs a wider one from the same games."""
    (alone,) = asked(coins, *QUESTION, [1]).play(LOOK).tried
    together = asked(coins, *QUESTION, [0, 1, 2, 3]).play(LOOK).tried[1]
    assert together.value == 1
    assert together.estimate.value == alone.estimate.value
    assert together.estimate.low < alone.estimate.low
    assert together.estimate.high > alone.estimate.high


def test_an_interruption_loses_nothing(coins):
    """After an interruption counts are kept, and continuing gives the result of an uninterrupted run."""
    tuning, whole = asked(coins, *QUESTION, [1]), asked(coins, *QUESTION, [1])

    def stop(progress: Progress) -> None:
        if progress.games >= 200:
            raise KeyboardInterrupt

    found = tuning.play(700, tell=stop)
    assert found.interrupted
    assert 200 <= found.games < 700
    assert tuning.play(700).tried == whole.play(700).tried


# ── The intervals ──


def runs_that_miss(half, runs, looks=40, games=500):
    """Return the share of runs of normal noise whose mean lies outside at any look, every `games` games."""
    chance, missed = Random(24), 0
    for _ in range(runs):
        total, seen, outside = 0.0, 0, False
        for _ in range(looks):
            total += chance.gauss(0, sqrt(games))
            seen += games
            outside = outside or abs(total / seen) > half(seen)
        missed += outside
    return missed / runs


def test_the_intervals_hold_at_every_look_together():
    """Over 40 looks, at most one run in twenty is ever outside; intervals for one look miss far more."""
    runs = 20_000 if NIGHTLY else 400
    assert runs_that_miss(lambda games: half_width(games, ERROR), runs) <= ERROR
    assert runs_that_miss(lambda games: 1.96 / sqrt(games), runs) > 4 * ERROR


def test_the_intervals_hold_for_real_figures(coins):
    """For other seeds, intervals practically always contain the exact figures."""
    exact = {gift: exactly(gift)["advantage"] for gift in range(4)}
    missed = 0
    for seed in range(200 if NIGHTLY else 2):
        tuning = asked(coins, "gift", "seat advantage at most 1000", [1, 2], seed=seed)
        tuning.target = Target(tuning.target.figure, 400, 401)
        for games in (200, LOOK):
            found = tuning.play(games)
            missed += any(not own.estimate.low <= exact[own.value] <= own.estimate.high for own in found.tried)
    assert missed <= (10 if NIGHTLY else 0)


def test_intervals_are_nearly_as_narrow_as_for_one_look():
    """Intervals for any look are less than 1.6 times as wide as for one look, at the usual end."""
    assert 1 < half_width(BEST_AT, ERROR) * sqrt(BEST_AT) / 1.96 < 1.6
    games = games_for(3.0, 0.1, ERROR)
    assert 3 * half_width(games, ERROR) <= 0.1 < 3 * half_width(games - 1, ERROR)
    assert games_for(1.0, 1e-9, ERROR) == MOST_GAMES


def test_what_never_happened_may_still_happen(coins):
    """With an odd gift no victory is shared; several hundred games make that likely, not certain."""
    tuning = asked(coins, "gift", "shared victories at most 0.1", [1])
    tuning.play(LOOK)
    estimate = tuning.moments(0).estimate()
    assert estimate.value == estimate.low == 0.0
    assert 0.3 < estimate.high < 5


def test_without_a_game_that_counts_nothing_is_known(coins):
    """A share of the margin is unknown without a game that has one winner."""
    sums = [0] * 14
    assert Moments(coins.program, Figure("share", "coin"), 600, sums, ERROR).estimate() == Estimate(0.0, -inf, inf)


# ── What people write ──


@pytest.mark.parametrize(
    ("text", "low", "high", "aim"),
    [
        ("score near 40", 38, 42, 40),
        ("Score is about 40 points", 38, 42, 40),
        ("margin = 5 ± 0.5", 4.5, 5.5, 5),
        ("margin near 5 +- 1", 4, 6, 5),
        ("seat advantage within 2 points", -inf, 2, None),
        ("seat advantage <= 2 percentage points", -inf, 2, None),
        ("shared victories at most 5%", -inf, 5, None),
        ("winning score at least 50", 50, inf, None),
        ("wins of player 2 between 48 and 52 %", 48, 52, None),
        ("wins of player 1 near 50", 48, 52, 50),
        ("share of bonus near 20 %", 18, 22, 20),
        ("share of the gift near 20 percent", 18, 22, 20),
        ("points of coin ≥ 1", 1, inf, None),
        ("score near -40", -42, -38, -40),
        ("scores near 40", 38, 42, 40),
        ("the average score is 40", 38, 42, 40),
        ("seat advantage below 2", -inf, 2, None),
        ("bonus a fifth of the winner's margin", 18, 22, 20),
        ("the gift makes at least 25 % of the margin", 25, inf, None),
    ],
)
def test_targets_are_read_as_they_are_meant(coins, text, low, high, aim):
    found = target_of(text, coins.program)
    assert (found.low, found.high, found.aim) == (low, high, aim)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("score", "does not say where a figure should lie"),
        ("scoer near 40", "Did you mean “score”?"),
        ("share of bonsu near 20", "Did you mean “share of bonus”?"),
        ("wins of player 3 near 20", "Did you mean “wins of player 2”?"),
        ("happiness near 4", "There are “score”, “score of player PLAYER”"),
        ("score near 0", "say how near is near enough"),
        ("score between 5 and 4", "name the smaller number first"),
        ("score near 40 ± 0", "say how near is near enough"),
        ("", "does not say where"),
    ],
)
def test_a_target_that_makes_no_sense_says_what_would(coins, text, said):
    with pytest.raises(TargetError, match=r".") as caught:
        target_of(text, coins.program)
    assert said in str(caught.value)


def test_every_figure_that_is_offered_can_be_asked_for(coins):
    for phrase, figure in phrases(coins.program):
        assert target_of(f"{phrase} near 1 ± 1", coins.program).figure == figure
        assert figure.title(coins.program)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("gfit", "Did you mean “gift”?"),
        ("cards.coin.cuont", "Did you mean “cards.coin.count”?"),
        ("zzz", "There are, among others, gift, "),
        ("scoring.bonus.points", "is gift if holds(lead) else 0, which is not a single number"),
    ],
)
def test_a_number_that_is_not_there_says_which_are(coins, name, said):
    with pytest.raises(CandidateError) as caught:
        number_named(coins.ruleset, name)
    assert said in str(caught.value)


def test_numbers_are_named_by_paths(coins):
    assert number_named(coins.ruleset, "/cards/coin/count").now == 2
    assert number_named(coins.ruleset, "rounds").name == "rounds"
    assert number_named(coins.ruleset, "gift").values == (0, 1, 2, 3)


def test_values_are_ranges_steps_and_lists():
    assert values_in("3") == [3]
    assert values_in("1-3, 7,-2..0") == [-2, -1, 0, 1, 2, 3, 7]
    assert values_in("10-20/5") == [10, 15, 20]
    for text in ("3-1", "a", "1-1000", "1-5/0", ""):
        with pytest.raises(CandidateError):
            values_in(text)
    with pytest.raises(CandidateError, match="such as 1-1000/42"):
        values_in("1-1000")


@pytest.mark.parametrize(
    ("name", "values"),
    [("gift", [0, 1, 2, 3]), ("scoring.coin.points", [0, 1, 2, 3, 4, 5]), ("rounds", [0, 1, 2, 3, 4])],
)
def test_the_usual_values_are_those_around_what_is(coins, name, values):
    assert usual_values(number_named(coins.ruleset, name)) == values


def test_values_that_cannot_be_played_say_why(coins):
    games, refused = games_with(coins, number_named(coins.ruleset, "rounds"), [0, 1, 2])
    assert list(games) == [1, 2]
    assert {value: str(reason) for value, reason in refused.items()} == {
        0: "“rounds” is 0; it must be at least 1. For example “rounds: 3”."
    }
    with pytest.raises(CandidateError, match="None of these values can be played"):
        games_with(coins, number_named(coins.ruleset, "cards.coin.count"), [-1])


def test_the_public_function_answers_as_the_command_does(coins):
    found = de.tune(coins, "gift", "points of bonus near 1", games=LOOK, bots="random", seed=3)
    assert found.best == 2
    assert found.sentences[0].startswith("With gift = 2, the score of a player from The gift is 1.00")
    assert found.to_dict()["reached"] == [2]
    assert repr(found) == "<Tuning of gift of coins>"
    for wrong in (("gfit", "score near 4"), ("gift", "scoer near 4")):
        with pytest.raises(de.WrongArgumentError, match="Did you mean"):
            de.tune(coins, *wrong)
    with pytest.raises(de.WrongArgumentError, match="At most 25 values"):
        de.tune(coins, "gift", "score near 4", range(100))


def test_a_table_has_a_line_for_every_value(coins):
    found = asked(coins, "gift", "points of bonus near 1").play(LOOK)
    assert tuple(map(str, rows(found)[0])) == ("0 (now)", "0.00", "0.00 to 0.00", "", "500", "misses it")
    assert tuple(map(str, rows(found)[2])) == ("2", "1.00", "0.99 to 1.01", "+1.00 ± 0.01", "500", "reaches it")
