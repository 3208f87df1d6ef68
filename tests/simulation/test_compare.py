"""Comparisons find known differences, and none between equal games."""

from html.parser import HTMLParser
from math import sqrt
from statistics import fmean

import pytest

from conftest import NIGHTLY
from draftengine.api.ruleset import load
from draftengine.studies.compare import FEWEST_GAMES, ComparisonResult, Effect, PairTask, compare, quantities
from draftengine.studies.compare.report import about_marks, games_needed, precision_needed, report, sentences
from draftengine.studies.public import called
from draftengine.studies.report.charts import Study
from draftengine.studies.report.moments import paired_ratios, sums_of
from draftengine.studies.report.statistics import summarise
from draftengine.studies.runner import Work
from draftengine.studies.runner.playing import Task
from draftengine.studies.simulation import simulate


def form_of(cardset, players, games, bots=("random",), variants=(), seed="compared"):
    seats = tuple(bots[seat % len(bots)] for seat in range(players))
    return Task(load(cardset, players, variants), seats, seed, 0, games, "reference", logged=True, rows=True)


def effects_of(found, kind):
    return {own.name: own for own in found.effects if own.kind == kind}


def test_fewest_points_win_turns_the_order_round():
    """If the fewest points win, the policy that plays best for points wins least (ledger A-45)."""
    bots = ("greedy", "random")
    found = compare(
        PairTask(form_of("anniversary", 2, 100, bots), form_of("anniversary", 2, 100, bots, ["sushi_golf"])),
        precision=1e-9,
    )
    wins = effects_of(found, "win")
    assert wins["0"].certain
    assert str(about_marks(found)[0]).startswith("* = certain")
    assert wins["0"].difference < -0.2
    assert wins["1"].difference > 0.2
    # The games are equal except for the winner, so no points differ.
    assert all(own.difference == 0 for own in found.effects if own.kind in {"score", "rule"})
    assert "Player 2 wins more often" in sentences(found, "plain", "golf")[0]


def test_second_place_after_a_tie():
    """The summary awards a second place even if the first is tied, so maki gives more (O-17 and S-11)."""
    one, two = form_of("sushi_go", 5, 300), form_of("sushi_go_summary", 5, 300)
    found = compare(PairTask(one, two), precision=1e-9)
    maki = effects_of(found, "rule")["maki"]
    assert maki.certain
    assert maki.difference > 0.1
    assert any(line.startswith("Maki gives more") for line in sentences(found, "a", "b"))


def test_nothing_differs_from_itself():
    found = compare(PairTask(form_of("sushi_go", 3, 100), form_of("sushi_go", 3, 100)), precision=1e-9)
    assert not any(own.difference or own.certain for own in found.effects)
    assert sentences(found, "a", "b") == ["No difference between a and b was found in 100 games."]
    assert not any("*" in str(line) for line in about_marks(found)), "no mark stands there to be explained"


@pytest.mark.parametrize("name", ["sushi_go", "sushi_golf"])
def test_it_agrees_with_simulations_of_the_same_games(name):
    """Every figure of a side is that of a simulation, also the margin, which only some games have."""
    variants = [[], ["sushi_golf"]] if name == "sushi_golf" else [[], []]
    cardset = "anniversary" if variants[1] else name
    forms = [form_of(cardset, 3, 120, variants=chosen) for chosen in variants]
    compared = compare(PairTask(*forms), precision=1e-9)
    for side, task in zip("ab", forms, strict=True):
        played = simulate(task)
        summary = summarise(task.game.program, task.bots, played.tally, logged=True)
        expected = {
            **{("win", f"{seat.seat}"): seat.win_rate for seat in summary.seats},
            **{("score", f"{seat.seat}"): seat.mean for seat in summary.seats},
            **{("rule", rule): each.mean for rule, each in summary.rules.items()},
            **{("card", card): each.win_rate for card, each in summary.cards.items()},
            ("average", ""): fmean(seat.mean for seat in summary.seats),
            ("margin", ""): summary.margin,
            ("shared", ""): summary.shared,
        }
        values = {(effect.kind, effect.name): getattr(effect, side) for effect in compared.effects}
        assert {key: values[key] for key in expected if key in values} == pytest.approx(expected)
        assert summary.shared, "there are games without a single winner"


def test_the_interval_of_the_margin_is_that_of_a_ratio():
    """Two games of three have a single winner in A, all three in B; worked out by hand (the delta method)."""
    sums = sums_of([([5, 5, 2], [1, 1, 1])], [([4, 6, 0], [1, 1, 0])])
    now, tried, sd = paired_ratios(sums, 3)
    assert (now, tried) == (5, 4)
    each = [(5 - 4) - 1.5 * (4 - 5), (5 - 4) - 1.5 * (6 - 5), 2 - 4]
    assert sd == pytest.approx(sqrt(sum(value * value for value in each) / 2))
    assert paired_ratios(sums_of([([4, 6, 0], [1, 1, 0])], [([4, 6, 0], [1, 1, 0])]), 3) == (5, 5, 0)
    assert paired_ratios(sums_of([([0], [0])], [([0], [0])]), 1) == (0, 0, 0), "nobody won alone"
    _, _, sd = paired_ratios(sums_of([([5, 7], [1, 1])], [([2, 9], [-1, 1])]), 2)
    assert sd == pytest.approx(sqrt(2)), "a ratio to 0 varies by nothing"


def test_it_stops_when_it_knows_enough(monkeypatch):
    """A comparison stops at the first check whose intervals are narrow enough."""
    fewest, precision = (FEWEST_GAMES, 0.05) if NIGHTLY else (FEWEST_GAMES // 4, 0.1)
    monkeypatch.setattr("draftengine.studies.compare.FEWEST_GAMES", fewest)
    pair = PairTask(form_of("sushi_go", 2, 50_000), form_of("sushi_go", 2, 50_000, variants=["pass_both_ways"]))
    found = compare(pair, precision=precision)
    assert found.precise
    assert fewest <= found.games < 50_000
    assert found.games % fewest == 0
    wins = effects_of(found, "win")
    assert all((own.ci95[1] - own.ci95[0]) / 2 <= precision for own in wins.values())


def test_chunks_end_where_it_is_asked_whether_that_is_enough():
    """Chunks end where precision is checked, so that a seed always stops after the same number of games."""
    work = Work(5, 2500, "reference", lambda task: task, lambda first, last: (first, last), stretch=1000)
    assert [work.end(*own) for own in ((5, 300), (905, 300), (1005, 5000), (2405, 300))] == [305, 1000, 2000, 2500]


def compared(games, *effects):
    """Return a comparison with these effects, each with the half width of its interval."""
    made = [
        Effect(kind, name, label, a, b, b - a, (b - a - half, b - a + half), certain=certain)
        for kind, name, label, a, b, half, certain in effects
    ]
    return ComparisonResult(games, made, True, 1.0, False, [], [])


AVERAGE = ("average", "", "All together", 30.0, 30.1, 0.2, False)


def test_a_wide_interval_says_that_nothing_is_known_yet():
    """A wide interval is reported as not known yet, with the number of games that would tell (finding A3)."""
    found = compared(500, ("win", "0", "Player 1", 0.32, 0.36, 0.06, False), AVERAGE)
    said = sentences(found, "a", "b")[-1]
    assert said.startswith("Who wins: not known yet. About ")
    assert said.endswith("whether any player wins 2 percentage points more or less often.")
    needed = games_needed(found)
    # Correcting for two effects widens intervals 1.14 times; their whole width is to be two points.
    assert needed == pytest.approx(500 * (2 * 1.1436 * 0.06 / 0.02) ** 2, rel=0.001)
    assert f"About {24_000:,} more games" in said
    assert precision_needed(found) == 0.8


def test_after_so_many_games_it_is_known():
    """After the number of games that was named, the interval is narrow enough for a statement."""
    few = compared(500, ("win", "0", "Player 1", 0.32, 0.36, 0.06, False), AVERAGE)
    half = 0.06 * (500 / games_needed(few)) ** 0.5
    for difference in (0, 0.9 * half, 1.1 * half):
        many = compared(games_needed(few), ("win", "0", "Player 1", 0.32, 0.32 + difference, half, False), AVERAGE)
        assert sentences(many, "a", "b")[0].startswith("Who wins does not change much")
        assert games_needed(many) == 0


def test_how_much_may_change_although_nothing_is_certain():
    """The stated bound covers every interval, widened to hold for all of them together."""
    found = compared(9000, ("win", "0", "Player 1", 0.5, 0.502, 0.005, False), AVERAGE)
    said = sentences(found, "a", "b")[0]
    assert (
        said == "Who wins does not change much: no player’s share of wins changes by more than 0.77 percentage points."
    )


def test_what_never_happened_may_still_happen():
    """Few games that all end alike prove little: after 60, up to one in twenty may still differ."""
    alike = ("win", "0", "Player 1", 0.5, 0.5, 0.0, False)
    assert "About 240 more games" in sentences(compared(60, alike, AVERAGE), "a", "b")[-1]
    assert "more than 0.50 percentage points" in sentences(compared(600, alike, AVERAGE), "a", "b")[0]


@pytest.mark.parametrize(
    ("effect", "said"),
    [
        ((30.0, 22.0, 0.4, True), "Scores fall from 30.00 with a to 22.00 with b (−8.00)."),
        (
            (30.0, 30.1, 0.2, False),
            "Scores stay about the same: 30.00 and 30.10 points on average, at most 0.33 apart.",
        ),
        (
            (30.0, 30.9, 1.0, False),
            "Scores: not known yet (30.00 → 30.90 on average). About 6,400 more games would tell",
        ),
    ],
)
def test_scores_are_said_to_change_stay_or_not_to_be_known(effect, said):
    found = compared(500, ("win", "0", "Player 1", 0.5, 0.5, 0.001, False), ("average", "", "All", *effect))
    assert sentences(found, "a", "b")[1].startswith(said)


@pytest.mark.parametrize(
    ("game", "by_round", "said"),
    [
        ((13.8, 9.2, 0.2, True), (4.6, 4.6, 0.02, False), "(−4.60 per game; about the same per round, 4.60 → 4.60)."),
        (
            (13.8, 9.0, 0.2, True),
            (4.6, 4.5, 0.2, False),
            "(−4.80 per game; 4.60 → 4.50 per round, which is not a certain difference).",
        ),
        ((13.8, 8.0, 0.2, True), (4.6, 4.0, 0.1, True), "(−5.80 per game; also less per round, 4.60 → 4.00)."),
        ((13.8, 11.0, 0.2, True), (4.6, 5.5, 0.1, True), "(−2.80 per game; but more per round, 4.60 → 5.50)."),
        (
            (13.8, 13.8, 0.2, False),
            (4.6, 6.9, 0.1, True),
            "gives more per round: 4.60 → 6.90; the difference per game is not certain.",
        ),
    ],
)
def test_where_rounds_differ_rules_are_told_by_round_too(game, by_round, said):
    found = compared(
        500, ("win", "0", "Player 1", 0.5, 0.5, 0.001, False), AVERAGE,
        ("rule", "nigiri", "Nigiri", *game), ("round", "nigiri", "Nigiri", *by_round),
    )  # fmt: skip
    told = sentences(found, "a", "b")[2]
    assert told.startswith("Nigiri gives ")
    assert told.endswith(said)


def test_points_by_round(tmp_path):
    """A game of two rounds has two thirds of the points, but equal points for each round."""
    short = tmp_path / "short.yaml"
    short.write_text("format: 1\nid: short\nextends: sushi_go\nversion: 1.0.0\nrounds: 2\n", encoding="utf-8")
    found = compare(PairTask(form_of("sushi_go", 3, 60), form_of(str(short), 3, 60)), precision=1e-9)
    rules, rounds = effects_of(found, "rule"), effects_of(found, "round")
    assert set(rules) - set(rounds) == {"pudding"}
    for name, own in rounds.items():
        assert own.a == pytest.approx(rules[name].a / 3)
        assert own.b == pytest.approx(rules[name].b / 2)
        assert own.difference == pytest.approx(own.b - own.a)
    pace = effects_of(found, "pace")[""]
    assert (pace.a, pace.b) == pytest.approx([sum(getattr(own, side) for own in rounds.values()) for side in "ab"])
    # The first two rounds are dealt alike, so their maki points are strongly correlated.
    assert rounds["maki"].half < rules["maki"].half
    assert not effects_of(compare(PairTask(form_of("sushi_go", 3, 9), form_of("sushi_go", 3, 9)), precision=1), "round")


@pytest.mark.parametrize("early", ["rounds: {until: most(points) >= 40, at_most: 8}", "rounds: 2\nwins: tempura >= 6"])
def test_games_that_may_be_over_early_are_not_told_by_round(tmp_path, early):
    """Games with an unknown number of rounds have no figures for each round."""
    path = tmp_path / "early.yaml"
    shuffled = "steps: {deal_hands: {before: [{gather: deck}, {shuffle: deck}]}}"
    path.write_text(f"format: 1\nid: early\nextends: sushi_go\nversion: 1.0.0\n{early}\n{shuffled}\n", encoding="utf-8")
    one, two = form_of("sushi_go", 2, 3), form_of(str(path), 2, 3)
    assert not [own for own in quantities(one.game.program, two.game.program) if own.kind in {"round", "pace"}]


@pytest.mark.night
def test_jobs_change_nothing():
    pair = PairTask(form_of("sushi_go", 2, 50), form_of("sushi_go_summary", 2, 50))
    assert compare(pair, precision=1e-9).effects == compare(pair, precision=1e-9, jobs=2).effects


def test_rules_and_seats_that_only_one_form_has():
    """A dummy seat and another dessert exist in one form only, and are 0 in the other."""
    pair = PairTask(
        form_of("anniversary", 2, 60, variants=["mochi"]), form_of("anniversary", 2, 60, variants=["two_player_dummy"])
    )
    found = compare(pair, precision=1e-9)
    rules, wins = effects_of(found, "rule"), effects_of(found, "win")
    assert rules["mochi"].b == 0
    assert rules["strawberry"].a == 0
    assert wins["2"].a == 0


class _Page(HTMLParser):
    def __init__(self):
        super().__init__()
        self.tags = []
        self.links = []
        self.empty = 0
        """The number of table headings without a word, which screen readers would announce."""

    def handle_endtag(self, tag):
        self.empty += tag == "th" and self.tags[-1] == "th" and not self.text
        self.text = ""

    def handle_data(self, data):
        self.text = data

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.text = ""
        self.links += [value for name, value in attrs if name in {"src", "href"}]


def test_rules_that_give_chips_are_listed_once():
    """Chips give their points under their pile, so the rule that draws them has no line of its own."""
    compared = compare(PairTask(form_of("sushi_draft", 3, 20), form_of("sushi_draft", 3, 20)), precision=1)
    labels = [effect.label for effect in compared.effects if effect.kind == "rule"]
    assert labels == ["Ikura", "Ebi", "Maguro", "Tamago", "Kappa", "Dessert"]


@pytest.mark.parametrize(
    ("language", "names"),
    [
        ("en", ("Sushi Go! 10th Anniversary Edition", "Mochi")),
        ("pl", ("Sushi Go! Edycja na dziesięciolecie", "Mochi")),
    ],
)
def test_forms_of_a_game_are_called_by_title_and_variant(language, names):
    plain, other = load("anniversary", 3), load("anniversary", 3, ["mochi"])
    assert called(plain, other, language) == names


def test_the_report_stands_alone():
    found = compare(PairTask(form_of("sushi_go", 2, 60), form_of("sushi_go_summary", 2, 60)), precision=1e-9)
    page = _Page()
    changes = (("<u>", "", "<script>"),)
    page.feed(report(Study("<u> against b & c", "<u>", 7, "<u>"), ("<u>", "b & c"), ("table",), changes, found))
    assert page.tags.count("figure") == 4
    assert not page.empty
    assert page.links
    assert all(own.startswith("#") for own in page.links)
    assert not {"script", "u", "link", "img"} & set(page.tags)


def test_engines_change_nothing():
    from msgspec.structs import replace

    pair = PairTask(form_of("sushi_go", 3, 80), form_of("sushi_go_summary", 3, 80))
    quick = PairTask(replace(pair.a, engine="compiled"), replace(pair.b, engine="compiled"))
    assert compare(pair, precision=1e-9).effects == compare(quick, precision=1e-9).effects
