"""Figures of studies: golden pages and sentences, and statistics that were worked out by hand."""

from math import inf, sqrt
from statistics import fmean, stdev
from types import SimpleNamespace

import pytest

from draftengine.api.ruleset import load
from draftengine.engine import accounting as at
from draftengine.engine.forms import GameRunner
from draftengine.studies import simulation
from draftengine.studies.report.moments import (
    MOST_GAMES,
    Estimate,
    GameColumns,
    Moments,
    games_for,
    half_width,
    parts_of,
    sums_of,
    unit_of,
)
from draftengine.studies.report.statistics import (
    Z,
    card_label,
    deviation,
    independent,
    of_mean,
    rule_labels,
    summarise,
    widened,
    widening,
    wilson,
)
from draftengine.studies.runner import engines
from draftengine.studies.runner.playing import ReferencePlayer
from draftengine.studies.simulation import SAMPLED_FOR_WORTH, Leads, Places, Worths
from draftengine.studies.simulation.rows import cells_of, columns_of
from draftengine.studies.tune.targets import CandidateError, Figure, Number, usual_values
from simulation.golden_pages import PAGES, game, path_of

# ── Golden pages ──────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("name", PAGES)
def test_pages_and_sentences_are_those_of_the_golden_files(name):
    """``PYTHONPATH=src:tests python -m simulation.golden_pages`` writes the files again."""
    assert PAGES[name]() == path_of(name).read_text(encoding="utf-8").splitlines()


# ── Intervals ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_intervals_by_hand():
    assert wilson(0.25, 40) == pytest.approx((0.141871, 0.401940), abs=1e-6)
    assert wilson(0, 10) == pytest.approx((0, 0.277533), abs=1e-6)
    assert wilson(0.5, 0) == (0, 1)
    assert of_mean(3, 2, 16) == pytest.approx((3 - Z / 2, 3 + Z / 2))
    assert of_mean(3, 2, 0) == (3, 3)
    assert (deviation(12, 50, 4), deviation(5, 25, 1)) == (pytest.approx(sqrt(14 / 3)), 0)
    assert deviation(*(sum(value**power for value in (1, 2, 4, 9)) for power in (1, 2)), 4) == stdev([1, 2, 4, 9])
    assert (independent(50, 10, 4), independent(30, 10, 4)) == (40, 30)


def test_more_intervals_are_wider():
    """Nineteen intervals hold together if each has an error of 5/19 percent."""
    assert widening(1) == widening(0) == 1
    assert widening(19) == pytest.approx(1.534613, abs=1e-6)
    assert widened(3, (2, 5), 19) == pytest.approx((3 - 1.534613, 3 + 2 * 1.534613), abs=1e-5)


def test_confidence_sequences_have_the_widths_of_their_theorem():
    """The widths are those of Theorem 2.2 of the source, computed by another program."""
    assert half_width(100, 0.05) == pytest.approx(0.669439, abs=1e-6)
    assert half_width(5000, 0.05) == pytest.approx(0.042924, abs=1e-6)
    assert half_width(20_000, 0.01) == pytest.approx(0.025833, abs=1e-6)
    assert half_width(0, 0.05) == inf


def test_enough_games_are_the_fewest_that_are_enough():
    games = games_for(2.0, 0.05, 0.05)
    assert 2 * half_width(games, 0.05) <= 0.05 < 2 * half_width(games - 1, 0.05)
    assert games_for(2.0, 1e-9, 0.05) == MOST_GAMES
    assert games_for(0.0, 0.5, 0.05) == 1


@pytest.mark.parametrize(
    ("low", "high", "within", "outside"),
    [(2, 4, True, False), (1, 3, False, False), (3, 5, False, False), (5, 6, False, True), (0, 1, False, True)],
)
def test_an_estimate_lies_within_bounds_or_outside(low, high, within, outside):
    estimate = Estimate((low + high) / 2, low, high)
    assert (estimate.within(2, 4), estimate.outside(2, 4)) == (within, outside)


# ── Games by hand ─────────────────────────────────────────────────────────────────────────────────────────────────────

SOUPS = game("soup", "bread", "soup")
"""A game of three seats in which two things give the points of soup."""
FIRST = [10, 7, 9, 0b001, 4, 2, 5, 5, 4, 3, 1, 1, 1]
SHARED = [8, 8, 3, 0b011, 3, 3, 1, 5, 5, 2, 0, 0, 0]
SECOND = [2, 6, 5, 0b010, 1, 2, 3, 1, 4, 1, 0, 0, 1]
ROWS = [FIRST, SHARED, SECOND]
"""Three games: the first seat wins by 1 over the third, two share, the second wins by 1."""
WHOLE, HALF = at.SHARES, at.SHARES // 2


def test_games_become_columns():
    games = GameColumns(SOUPS, ROWS)
    assert [games.wins(seat) for seat in range(3)] == [[WHOLE, HALF, 0], [0, HALF, WHOLE], [0, 0, 0]]
    assert (games.score(), games.winning(), games.shared()) == ([26, 19, 13], [10, 8, 6], [0, 1, 0])
    assert (games.points("soup"), games.points("bread"), games.points("tea")) == ([14, 7, 7], [12, 12, 6], [0, 0, 0])
    assert games.margin() == ([1, 0, 1], [1, 0, 1])
    assert games.share("soup") == ([-1, 0, -2], [1, 0, 1])
    assert games.share("bread") == ([2, 0, 3], [1, 0, 1])


def test_where_the_fewest_points_win_the_lead_is_what_the_winner_has_less():
    fewest = SimpleNamespace(**vars(SOUPS) | {"direction": -1})
    games = GameColumns(fewest, [[*FIRST[:3], 0b010, *FIRST[4:]]])
    assert games.margin() == ([2], [1])
    assert games.share("soup") == ([3], [2])


@pytest.mark.parametrize(
    ("kind", "of", "value", "unit"),
    [
        ("score", "", 58 / 9, 1 / 3), ("score_of", "1", 7, 1), ("winning", "", 8, 1), ("margin", "", 1, 1),
        ("wins", "1", 50, 100 / WHOLE), ("shared", "", 100 / 3, 100), ("points", "bread", 30 / 9, 1 / 3),
        ("share", "soup", -150, 100), ("advantage", "", 100 / 3, 100 / WHOLE),
    ],
)  # fmt: skip
def test_figures_and_their_intervals_by_hand(kind, of, value, unit):
    """An interval is the width of the sequence times the deviation of the linearised ratio."""
    figure = Figure(kind, of)
    parts = parts_of(SOUPS, figure, ROWS)
    moments = Moments(SOUPS, figure, 3, sums_of(parts, parts), 0.05)
    estimate = moments.estimate()
    assert estimate.value == pytest.approx(value)
    assert unit_of(SOUPS, figure) == pytest.approx(unit)
    top, bottom = parts[0]
    ratio, scale = sum(top) / sum(bottom), fmean(bottom)
    varied = sum(((one - ratio * other) / scale) ** 2 for one, other in zip(top, bottom, strict=True))
    more = WHOLE if kind in {"wins", "advantage"} else 1 if kind == "shared" else max(1, abs(sum(top)) / 3)
    half = half_width(3, 0.05 / len(parts)) * sqrt((varied + (more / scale) ** 2) / 2) * unit
    if kind == "advantage":
        assert (estimate.low, estimate.high) == pytest.approx((0, 400 / 3)), "a third seat may win all of them"
    elif figure.shares:
        assert (estimate.low, estimate.high) == (max(0, value - half), min(100, value + half))
    else:
        assert (estimate.low, estimate.high) == pytest.approx((value - half, value + half))
    assert moments.deviation() >= sqrt(varied / 2) * unit - 1e-9
    assert (moments.change() is None) == (kind == "advantage")
    if kind not in {"advantage", "margin", "share"}:
        assert moments.change().value == 0


def test_a_change_is_the_difference_of_paired_games():
    """Scores of three seats together rise by 3, 0 and 6 points: the deviation is that of the rises."""
    figure, now = Figure("score"), [[13, 7, 9, *FIRST[3:]], SHARED, [4, 8, 7, *SECOND[3:]]]
    tried, present = parts_of(SOUPS, figure, now), parts_of(SOUPS, figure, ROWS)
    change = Moments(SOUPS, figure, 3, sums_of(tried, present), 0.05).change()
    half = half_width(3, 0.05) * sqrt((0 + 9 + 9 + (67 / 3) ** 2) / 2) / 3
    assert (change.value, change.low, change.high) == pytest.approx((1, 1 - half, 1 + half))


def test_places_and_leads_of_games_by_hand():
    places, leads = Places(SOUPS), Leads(SOUPS)
    for result in (places, leads):
        result.add(0, ROWS[:1])
        result.add(1, ROWS[1:])
    assert places.means("soup") == pytest.approx([(5 + 3 + 2) / 3, (6 + 3 + 4) / 3, (3 + 1 + 1) / 3])
    assert places.scores == [{10: 1, 8: 1, 6: 1}, {9: 1, 8: 1, 5: 1}, {7: 1, 3: 1, 2: 1}]
    assert (leads.games, leads.margins, leads.squares, leads.own["soup"]) == (2, 2, 2, (5, -3))
    assert leads.error("soup", -1.5, 8) == pytest.approx(sqrt((5 - 9 + 4.5) / 8))
    assert (leads.error("soup", 0.5, 0), Leads(SOUPS).error("soup", 0.5, 8)) == (None, None)


@pytest.mark.parametrize(("seats", "row", "games"), [(1, [7, 0b1, 7], 0), (2, [7, 4, 0b01, 7, 4], 1)])
def test_leads_are_those_over_a_second_seat(seats, row, games):
    """A player alone leads nobody; of two, one does."""
    leads = Leads(game("soup", seats=seats))
    leads.add(0, [row])
    assert leads.games == games


def test_where_the_fewest_points_win_the_second_has_next_to_the_fewest():
    fewest = SimpleNamespace(**vars(SOUPS) | {"direction": -1})
    leads = Leads(fewest)
    leads.add(0, [[*SECOND[:3], 0b001, *SECOND[4:]], [7, 0, 9, 0b010, *FIRST[4:]]])
    assert (leads.games, leads.margins, leads.squares) == (2, (5 - 2) + (7 - 0), 3**2 + 7**2)


def test_rows_of_files_by_hand():
    """A second source of a name gets a number; winners are listed by seat."""
    columns = columns_of(SOUPS)
    assert columns[:5] == ["game", "total_0", "total_1", "total_2", "winners"]
    assert columns[5:] == [f"{name}_{seat}" for name in ("soup", "bread", "soup_2") for seat in range(3)]
    cells = cells_of(3, 7, [[*FIRST, 99], [*SHARED, 99]], len(columns))
    assert cells[0] == [7, 10, 7, 9, "0", *FIRST[4:]]
    assert cells[1][:5] == [8, 8, 8, 3, "0 1"]


def test_a_summary_of_a_tally_by_hand():
    shape = at.TallyLayout.of(SOUPS, logged=False)
    tally = [0] * shape.size
    tally[at.GAMES], tally[at.DECISIVE], tally[at.MARGIN] = 10, 8, 20
    tally[at.TIED], tally[at.SHARED], tally[at.STOPPED], tally[at.DIGEST] = 3, 2, 1, -1
    row = shape.by_seat + at.SEAT_COLUMNS
    tally[row + at.TOTAL], tally[row + at.SQUARES], tally[row + at.WON] = 60, 400, 3 * WHOLE + HALF
    for source, (points, times, lead) in enumerate([(30, 9, 5), (20, 5, 10), (6, 3, 5)]):
        first = shape.by_source + source * at.SOURCE_COLUMNS * 3 + 1
        tally[first + at.POINTS * 3], tally[first + at.TIMES * 3] = points, times
        tally[shape.margins + source] = lead
    tally[shape.histograms + at.BINS + 5 - at.LOWEST] = 4
    result = summarise(SOUPS, ["table"] * 3, tally)
    assert (result.games, result.margin, result.tied, result.shared, result.stopped) == (10, 2.5, 0.3, 0.2, 0.1)
    assert (result.digest, result.histograms) == ("f" * 16, [{}, {5: 4}, {}])
    seat = result.seats[1]
    assert (seat.wins, seat.win_rate, seat.mean, seat.title) == (3.5, 0.35, 6, "Player 2 (table)")
    assert (seat.sd, seat.win_rate_ci95) == (sqrt(40 / 9), wilson(0.35, 10))
    assert seat.ci95 == of_mean(6, sqrt(40 / 9), 10)
    soup, bread = result.rules["soup"], result.rules["bread"]
    assert (soup.mean, soup.by_seat, soup.scored) == (pytest.approx(36 / 30), [0, 3.6, 0], pytest.approx(12 / 30))
    assert (soup.margin, soup.margin_share, soup.margin_share_ci95) == (10 / 8, 0.5, None)
    assert (bread.margin_share, bread.label) == (0.5, "Bread")
    assert summarise(SOUPS, [], [0] * shape.size).margin == 0
    tally[at.DECISIVE] = 1
    assert summarise(SOUPS, [], tally).margin == 20


@pytest.mark.parametrize("count", [0, 1])
def test_shares_of_few_games_are_of_these_games(count):
    """One game is enough for shares, and none has shares of 0."""
    tally = [0] * at.TallyLayout.of(SOUPS, logged=False).size
    tally[at.GAMES] = tally[at.TIED] = tally[at.SHARED] = tally[at.STOPPED] = count
    result = summarise(SOUPS, [], tally)
    assert (result.tied, result.shared, result.stopped) == (count, count, count)


def test_the_interval_of_worths_has_the_quantile_of_its_groups():
    """The table of Student's t at 97.5 percent gives it for the degrees of freedom."""
    quantiles = {23: 2.069, 24: 2.064, 25: 2.060}
    assert quantiles[simulation.GROUPS - 1] == simulation._T


def test_intervals_of_shares_and_worths_come_from_the_first_games():
    """Three copies were played in turn 1 and one in turn 2, and won one game and a half."""
    program = game("soup", seats=2)
    program.plays = [SimpleNamespace(name="soup")]
    shape = at.TallyLayout.of(program, logged=True)
    tally = [0] * shape.size
    tally[at.GAMES], tally[at.DECISIVE], tally[at.MARGIN], tally[shape.margins] = 10, 8, 20, 5
    for turn, columns in ((1, [3, WHOLE, 30]), (2, [1, HALF, 14])):
        place = shape.by_play + turn * at.PLAY_COLUMNS
        tally[place : place + at.PLAY_COLUMNS] = columns
    errors = SimpleNamespace(error=lambda name, share, decisive: share * decisive / 20 if name == "soup" else None)
    worths = SimpleNamespace(found=lambda: [(1.5, 1.0, 2.0)])
    result = summarise(program, [], tally, errors, logged=True, worths=worths)
    assert result.rules["soup"].margin_share_ci95 == pytest.approx((0.25 - Z * 0.1, 0.25 + Z * 0.1))
    card = result.cards["soup"]
    assert (card.taken, card.win_rate, card.mean, card.worth, card.worth_ci95) == (4, 0.375, 11, 1.5, (1.0, 2.0))
    assert [(turn.turn, turn.taken, turn.mean) for turn in card.by_turn] == [(1, 3, 10), (2, 1, 14)]
    assert card.win_rate_ci95 == wilson(0.375, 4)
    card = summarise(program, [], tally, logged=True).cards["soup"]
    assert (card.worth, card.worth_ci95) == (None, None)


def test_cards_are_named_by_their_labels_and_forms():
    labelled = SimpleNamespace(id="soup", label=()), SimpleNamespace(id="hot_pot", label=())
    program = game("soup")
    program.model.cards, program.plays = labelled, [SimpleNamespace(name="hot_pot@soup")]
    assert card_label(program, "hot_pot@soup") == "Hot pot as Soup"
    assert rule_labels(program) == {"hot_pot@soup": "Hot pot as Soup", "soup": "Soup"}


def test_the_worth_of_cards_is_exact_where_points_are_a_sum():
    """Soup brings 3 points and bread 1: they are worth that less the mean of all plays."""
    program = game("soup", seats=2)
    program.plays = ["soup", "bread"]
    worths = Worths(program)
    rows = []
    for number in range(200):
        one, other = (number % 3, 3 - number % 3), (number % 2, 3 - number % 2)
        rows.append([3 * one[0] + one[1], 3 * other[0] + other[1], 0b01, 0, 0, one[0], other[0], one[1], other[1]])
    worths.add(0, rows[:120])
    worths.add(120, rows[120:])
    worths.add(SAMPLED_FOR_WORTH, rows[:1])  # beyond the sample
    (soup, soup_low, soup_high), (bread, *_) = worths.found()
    assert soup - bread == pytest.approx(2, abs=1e-6)
    assert soup_low <= soup <= soup_high
    share = worths.played[0] / sum(worths.played)
    assert share * soup + (1 - share) * bread == pytest.approx(0, abs=1e-9)
    assert worths.played == [sum(row[5] + row[6] for row in rows), sum(row[7] + row[8] for row in rows)]


@pytest.mark.parametrize("logged", [True, False])
def test_the_reference_player_counts_as_the_kernel_does(logged):
    """Bots that are policies are played by the kernel, so nothing else compares the two counts."""
    program, bots = load("sushi_go", 2).program, ("random", "greedy")
    reference = ReferencePlayer(program, bots, logged=logged).play(7, 3, 6, rows=True, copies=logged)
    kernel = GameRunner(program, bots, logged=logged, compiled=False).play(7, 3, 6, rows=True, copies=logged)
    assert reference == kernel


def test_too_many_values_are_tried_in_steps():
    with pytest.raises(CandidateError, match=r"At most 25 values .* such as 1-49/2"):
        usual_values(Number("cards.soup.count", 1, tuple(range(1, 50))))


# ── Preparation ───────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.fixture
def slow(monkeypatch):
    """Let a game take 0.1 s for each bot named, advice 0.5 s, and the machine have 6 cores; nobody learns."""
    monkeypatch.setattr(engines, "seconds_of", lambda _, bots: 0.1 * len(set(bots)))
    monkeypatch.setattr(engines, "seconds_of_advice", lambda _, adviser: 0.5 * len(adviser))
    monkeypatch.setattr(engines, "usable", lambda: 6)
    monkeypatch.setattr(engines, "work_of", lambda _: 0)
    monkeypatch.setattr(engines, "learners", lambda bots: [bot for bot in bots if bot == "pupil"])
    monkeypatch.setattr(engines, "is_learned", lambda _: False)
    monkeypatch.setattr(engines, "encoded", lambda _: b"table")
    monkeypatch.setattr(engines, "why_not_compiled", lambda _, bots: "too slow" if "slow" in bots else "")


def test_the_duration_of_games_is_estimated_by_choices_and_playouts(monkeypatch):
    """A searching bot makes 20 playouts for each of 8 choices; each costs half a game of two seats."""
    monkeypatch.setattr(engines, "flow_bounds", lambda _, players: SimpleNamespace(turns=7 if players == 2 else 0))
    monkeypatch.setattr(engines, "playouts_of", lambda name, _program: 20 if name == "search" else 0)
    program = SimpleNamespace(model=None, players=2)
    assert engines.choices_of(program) == 8
    playout = 1e-4 * 2 * 8 / 2
    searching = 8 * (5e-4 + 20 * playout)
    assert engines.seconds_of(program, ["random", "search"]) == pytest.approx(8 * 3e-6 + searching)
    assert engines.seconds_of(program, ["greedy"]) == pytest.approx(8 * 2e-5)
    assert engines.seconds_of_advice(program, "search") == pytest.approx(20 * 2 * 8 * 1e-4)


@pytest.mark.usefixtures("slow")
def test_processes_are_started_as_far_as_they_are_worth_it():
    notes, learned = [], []
    reporter = engines.PreparationProgress(notes.append, lambda bots, _: learned.append(bots))
    form = SimpleNamespace(program=SimpleNamespace(players=2))

    def jobs(games, bots=("a", "a"), wanted="reference", given=None):
        return engines.to_simulate(wanted, form, bots, games, given, reporter)[:2]

    assert jobs(5) == ("reference", 1)
    assert jobs(25) == ("reference", 2)
    assert jobs(25, ("a", "b")) == ("reference", 5)
    assert jobs(1000) == ("reference", 6)
    assert jobs(1000, given=2) == ("reference", 2)
    assert jobs(100_000, wanted="auto") == ("compiled", 6)
    assert jobs(5000, wanted="compiled") == ("compiled", 2)
    assert jobs(engines.FEW, wanted="auto") == ("reference", 6 if engines.FEW > 60 else int(engines.FEW / 10))
    assert jobs(100_000, ("slow", "a"), "auto") == ("reference", 6)
    assert list(map(str, notes)) == ["Playing without compiling, which is slower: too slow."]
    assert not learned
    assert jobs(1, ("pupil", "a")) == ("reference", 6)
    assert learned == [("pupil", "a")]
    for wanted, bots, message in (("compiled", ("slow",), "too slow"), ("fast", ("a",), "There is no engine “fast”")):
        with pytest.raises(engines.EngineError, match=message):
            jobs(1, bots, wanted)


@pytest.mark.usefixtures("slow")
def test_tournaments_and_studies_of_drafts_are_prepared():
    reporter = engines.silently()._replace(learn=lambda *_: None)
    form = SimpleNamespace(program=SimpleNamespace(players=3))
    assert engines.to_meet(form, ["a", "b"], 20, None, reporter) == ("reference", 4, b"")
    assert engines.to_meet(form, ["a", "b", "pupil"], 15, None, reporter) == ("reference", 4, b"table")
    look = SimpleNamespace(game=form, bots=["a", "a"], games=15, adviser="", decisions=4)
    assert engines.to_judge(look, None, reporter) == ("reference", 1, b"")
    look.adviser = "xy"
    assert engines.to_judge(look, None, reporter) == ("reference", 5, b"")
    look.adviser = "pupil"
    assert engines.to_judge(look, 3, reporter) == ("reference", 3, b"table")
