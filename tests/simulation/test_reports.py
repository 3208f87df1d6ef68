"""Reports and sentences of simulations: what was found, no stronger than its interval, and legible for everybody."""

import re
from html.parser import HTMLParser
from math import sqrt
from statistics import fmean

import pytest

from draftengine.api.ruleset import load
from draftengine.simulation import leads as leads_module
from draftengine.simulation.charts import Point, Span, columns, graded, intervals, page, tinted
from draftengine.simulation.figures import about, figure, known_first, percent, percents, rounded, seat_title
from draftengine.simulation.leads import Leads
from draftengine.simulation.playing import ReferencePlayer, sources_of
from draftengine.simulation.report import report
from draftengine.simulation.statistics import CardSummary, CardTurn, RuleSummary, SeatSummary, Summary, wilson
from draftengine.simulation.words import sentences


def rule(label, share, half):
    return RuleSummary(label, 5.0, [5.0, 5.0], 0.5, 6 * share, share, (share - half, share + half))


def seat(number, rate, half, bot="greedy"):
    ends = (rate - half, rate + half)
    return SeatSummary(number, f"seat {number}", bot, 1000 * rate, rate, ends, 30.0, 5.0, (29.7, 30.3))


def summary(rules, seats, cards=None, games=1000):
    return Summary(
        games, seats, {own.label: own for own in rules}, 6.0, 0.05, 0.01, cards or {},
        [{20: 5, 30: 10}, {25: 8, 60: 2}][: len(seats)], "0" * 16,
    )  # fmt: skip


EVEN = [seat(0, 0.502, 0.003), seat(1, 0.498, 0.003)]


@pytest.mark.parametrize(
    ("rules", "said"),
    [
        # One rule makes more than all others together, also at the near end of an interval that holds for both.
        ([("Maki", 0.72, 0.05), ("Nigiri", 0.28, 0.05)], "Maki makes most of the difference: 72 % (66 to 78 %) of"),
        ([("Maki", 0.54, 0.05), ("Nigiri", 0.3, 0.05)], "Maki makes more of the difference than any other rule: 54 %"),
        (
            [("Maki", 0.4, 0.1), ("Nigiri", 0.35, 0.1)],
            "Which rule makes most of the winner’s margin of 6.0 points is not",
        ),
        (
            [("Maki", 0.41, 0.01), ("Nigiri", 0.4, 0.01)],
            "No single rule makes most of the winner’s margin of 6.0 points",
        ),
    ],
)
def test_what_decides_is_said_as_far_as_its_interval_goes(rules, said):
    assert any(line.startswith(said) for line in sentences(summary([rule(*own) for own in rules], EVEN)))


@pytest.mark.parametrize(
    ("seats", "said"),
    [
        (EVEN, "Nobody has much of an advantage: no player wins more or less often than even by over 0.5 points of"),
        (
            [seat(0, 0.53, 0.1), seat(1, 0.47, 0.1)],
            "Who wins more often is not known yet. About 130,000 more games would",
        ),
        (
            [seat(0, 0.61, 0.03), seat(1, 0.39, 0.03)],
            "Player 1 (greedy) (61.0 %) wins more often than even; Player 2 (greedy) (39.0 %) wins less often",
        ),
    ],
)
def test_who_wins_is_said_as_far_as_its_interval_goes(seats, said):
    found = sentences(summary([rule("Maki", 1.0, 0.1)], seats))
    assert any(line.startswith(said) for line in found), found


def test_what_was_found_comes_first():
    assert known_first(["a is not known yet", "b", "c is not known yet", "d"]) == [
        "b", "d", "a is not known yet", "c is not known yet",
    ]  # fmt: skip


class _Page(HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.found = []
        self.text = ""
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.found.append((tag, dict(attrs)))

    def handle_data(self, data):
        self.text += data

    def all(self, tag):
        return [attrs for own, attrs in self.found if own == tag]


def told():
    turns = [CardTurn(1, 400, 0.7, 31.0), CardTurn(2, 400, 0.52, 31.0), CardTurn(3, 12, 0.9, 31.0)]
    cards = {"soup": CardSummary("Soup", 812, 0.61, wilson(0.61, 812), 31.0, turns)}
    return _Page(report("Soups", "facts", summary([rule("Maki", 0.72, 0.05), rule("Salad", 0.28, 0.05)], EVEN, cards)))


def test_the_first_sentence_says_what_was_found():
    found = told()
    place = next(index for index, (tag, attrs) in enumerate(found.found) if attrs.get("class") == "found")
    assert [tag for tag, _ in found.found[:place]].count("table") == 0
    assert "Maki makes most of the difference: 72 %" in found.text


def test_every_picture_says_in_words_what_it_shows():
    pictures = told().all("svg")
    assert len(pictures) == 2 + 2 + 2  # who wins, rules, scores
    for attrs in pictures:
        assert attrs["role"] == "img"
        assert re.search(r"\d", attrs["aria-label"])
    scores = [own["aria-label"] for own in pictures if own["aria-label"].startswith("Scores of")]
    assert scores[0].startswith("Scores of Player 1 (greedy): 20 to 30, half of them between 20 and 30.")


def test_pictures_of_scores_have_the_same_axes():
    """Otherwise the same place in two pictures is another score."""
    axes = re.findall(r'<div class="axis".*?</div>', report("x", "y", summary([], EVEN)))
    assert axes[1] == axes[2]
    assert ">60<" in axes[1]


def test_a_picture_of_intervals_has_an_axis_and_a_line_at_nothing():
    drawn = intervals(
        [Point("a", 1.5, (1.0, 2.0)), Point("b", 0.1, (-0.2, 0.4), certain=False)], 0.0, title="t", sign="+"
    )
    assert re.findall(r"<i [^>]*>([^<]*)</i>", drawn) == ["0", "+0.5", "+1.0", "+1.5", "+2.0"]
    zero = re.search(r'class="middle" x1="([\d.]+)%"', drawn)[1]
    assert f'left:{zero}%">0<' in drawn
    assert drawn.count('class="unsure"') == 1
    assert "b: +0.10, interval -0.20 to +0.40" in drawn


def test_all_text_of_a_picture_is_text_of_the_page():
    """Text inside of a picture that shrinks with the screen is too small on a phone."""
    assert "<text" not in columns({1: 2, 3: 4}, "a") + intervals([Point("a", 1, (0, 2))], 0, title="t")


def test_only_what_is_certain_is_coloured():
    found = told()
    shades = [attrs.get("class") for attrs in found.all("td") if "title" in attrs]
    assert len(shades) == 2  # twelve plays say nothing
    assert shades[0].startswith("more")
    assert shades[1] is None
    assert tinted(0.3, (0.2, 0.4), 0.25, 0.1) == ""
    assert tinted(0.3, (0.26, 0.34), 0.25, 0.1) == "more2"
    assert tinted(0.1, (0.05, 0.2), 0.25, 0.1) == "less3"
    assert [graded(value, 0, 9) for value in (0, 1, 5, 9)] == ["", "more1", "more2", "more3"]


def test_a_page_for_the_dark_for_paper_and_for_small_screens():
    whole = page("t", "f", "")
    assert "prefers-color-scheme: dark" in whole
    assert "@media print" in whole
    assert "width=device-width, initial-scale=1" in whole


def test_an_axis_has_round_marks():
    assert Span(-1.2, 3.4).ticks() == [-1.0, 0.0, 1.0, 2.0, 3.0]
    assert Span(0, 0).ticks() == [0.0]
    assert Span(19.5, 60.5).ticks() == [20, 30, 40, 50, 60]


def test_how_numbers_are_written():
    assert percent(0.33729) == "33.73 %"
    assert percent(-0.00001, sign="+") == "+0.00 %"
    assert percents(0.321, 0.3444) == "32.10 to 34.44 %"
    assert figure(-0.001) == "0.00"
    assert (about(23_451), about(7), about(100)) == ("24,000", "7", "100")
    assert rounded(101) == 110
    assert (seat_title(0, "seat 0"), seat_title(2, "dummy")) == ("Player 1", "Dummy")


def rows_of(game, games):
    """The rows of games of players who take cards at random."""
    return ReferencePlayer(game.program, ("random",) * game.players, logged=False).play(7, 0, games, rows=True)[1]


def test_the_error_of_a_part_of_the_margin_is_that_of_leaving_games_out():
    """The delta method against the jackknife: both say how much the part would vary."""
    game = load("sushi_go", players=3)
    rows = rows_of(game, 400)
    leads = Leads(game.program)
    leads.add(0, rows)
    at = 4 + 3 * sources_of(game.program).index("maki")
    parts = []
    for row in rows:
        if row[3].bit_count() == 1:
            second, winner = sorted(range(3), key=lambda seat: (row[seat], row[3] >> seat & 1))[1:]
            parts.append((row[at + winner] - row[at + second], row[winner] - row[second]))
    whole = [sum(column) for column in zip(*parts, strict=True)]
    share = whole[0] / whole[1]
    without = [(whole[0] - lead) / (whole[1] - margin) for lead, margin in parts]
    mean = fmean(without)
    jackknife = sqrt((len(parts) - 1) / len(parts) * sum((own - mean) ** 2 for own in without))
    assert leads.games == len(parts)
    assert leads.error("maki", share, leads.games) == pytest.approx(jackknife, rel=0.03)
    assert leads.error("maki", share, 4 * leads.games) == pytest.approx(jackknife / 2, rel=0.03)


def test_only_the_first_games_tell_how_margins_vary(monkeypatch):
    """However the games were shared out, so that the same seed says the same."""
    game = load("sushi_go", players=2)
    monkeypatch.setattr(leads_module, "SAMPLED", 30)
    alone, together = Leads(game.program), Leads(game.program)
    rows = rows_of(game, 50)
    alone.add(0, rows[:30])
    for first in range(0, 50, 7):
        together.add(first, rows[first : first + 7])
    assert vars(alone) == vars(together)
    assert alone.games > 0
