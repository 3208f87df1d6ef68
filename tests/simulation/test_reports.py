"""Reports and sentences of simulations: no claim is stronger than its interval, and all is legible."""

import re
from html.parser import HTMLParser
from math import sqrt
from statistics import fmean

import pytest

from draftengine.api.ruleset import load
from draftengine.engine.accounting import sources_of
from draftengine.studies import simulation
from draftengine.studies.report import (
    Conclusion,
    about,
    figure,
    ordered,
    percent,
    percents,
    rounded,
    seat_title,
)
from draftengine.studies.report.charts import (
    Axis,
    Bar,
    Point,
    Span,
    Study,
    columns,
    graded,
    page,
    rows,
    stacked,
    tinted,
)
from draftengine.studies.report.statistics import CardSummary, CardTurn, RuleSummary, SeatSummary, Summary, wilson
from draftengine.studies.runner.playing import ReferencePlayer
from draftengine.studies.simulation import Leads, Places
from draftengine.studies.simulation.report import report
from draftengine.studies.simulation.words import conclusions, sentences


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
        # One rule makes more than all others together, even at the lower end of an interval corrected for both.
        ([("Maki", 0.72, 0.05), ("Nigiri", 0.28, 0.05)], "Maki makes most of the difference: 72 % (66 to 78 %) of"),
        ([("Maki", 0.54, 0.05), ("Nigiri", 0.3, 0.05)], "Maki makes more of the difference than any other rule: 54 %"),
        (
            [("Maki", 0.4, 0.1), ("Nigiri", 0.35, 0.1)],
            "It is not known yet which rule makes most of the winner’s",
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
        (
            EVEN,
            "Nobody has much of an advantage: no player’s share of wins differs from an even share by more than",
        ),
        (
            [seat(0, 0.53, 0.1), seat(1, 0.47, 0.1)],
            "Who wins more often is not known yet. About 130,000 more games would",
        ),
        (
            [seat(0, 0.61, 0.03), seat(1, 0.39, 0.03)],
            "Player 1 (greedy, 61.0 %) wins more than an even share of the games; Player 2 (greedy, 39.0 %) wins less",
        ),
    ],
)
def test_who_wins_is_said_as_far_as_its_interval_goes(seats, said):
    found = sentences(summary([rule("Maki", 1.0, 0.1)], seats))
    assert any(line.startswith(said) for line in found), found


def test_what_is_sure_comes_first():
    said = [Conclusion(own, own) for own in ("care", "unknown", "probably", "certain", "measured")]
    assert [own.head for own in ordered(said)] == ["certain", "measured", "probably", "unknown", "care"]


def test_what_only_its_own_interval_carries_is_probable():
    """An interval that excludes an even share only uncorrected is called probable, with the games needed."""
    seats = [seat(0, 0.52, 0.018), seat(1, 0.5, 0.018), seat(2, 0.48, 0.03)]
    even = 1 / 3
    shifted = [seat(own.seat, own.win_rate - 0.5 + even, own.win_rate_ci95[1] - own.win_rate) for own in seats]
    found = conclusions(summary([rule("Maki", 1.0, 0.1)], shifted))
    (probable,) = [own for own in found if own.sure == "probably"]
    assert str(probable.head) == "Player 1 (greedy) probably wins a little more than an even share of the games"
    # Corrected for three, the interval is 1.2214 times as wide: 1000 * ((1.2214 * 0.018 / 0.02) ** 2 - 1) = 208.
    assert "about 210 more games would make it certain" in str(probable.text)
    assert not [own for own in found if own.sure == "certain" and own.figure == "seats"]


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


@pytest.mark.parametrize(
    ("worths", "head"),
    [
        ([(1.5, 0.3), (-0.4, 0.2)], "A copy of Card 0 is worth most, one of Card 1 least"),
        ([(1.5, 0.3), (-0.1, 0.2)], "A copy of Card 0 is worth most"),
        ([(0.2, 0.19), (-0.1, 0.2)], ""),  # not when corrected for both cards
        ([(0.05, 0.01), (-0.05, 0.01)], ""),  # certain, but too small to matter
    ],
)
def test_what_a_card_is_worth_is_said_as_far_as_its_interval_goes(worths, head):
    cards = {
        f"card_{at}": CardSummary(f"Card {at}", 500, 0.5, (0.4, 0.6), 30.0, [], value, (value - half, value + half))
        for at, (value, half) in enumerate(worths)
    }
    page = _Page(report(STUDY, 2, summary([rule("Maki", 1.0, 0.1)], EVEN, cards)))
    assert {"id": "worth", "aria-labelledby": "worth-t"}.items() <= page.all("figure")[-2].items()
    assert ("A copy of" in page.text) == bool(head)
    assert (head or "No card is certainly worth more than the others") in page.text


STUDY = Study("Soups <&>", "Soups 1.0.0", 7, "draftengine simulate soups.yaml --seed 7")


def told(places=None):
    turns = [CardTurn(1, 400, 0.7, 31.0), CardTurn(2, 400, 0.52, 31.0), CardTurn(3, 12, 0.9, 31.0)]
    cards = {"soup": CardSummary("Soup", 812, 0.61, wilson(0.61, 812), 31.0, turns)}
    rules = [rule("Maki", 0.72, 0.05), rule("Salad", 0.28, 0.05)]
    return _Page(report(STUDY, 2, summary(rules, EVEN, cards), places))


def by_place():
    """Return two games of two players, whose winner is ahead by the first rule, with a loss for the last."""
    found = Places(load("sushi_go", players=2).program)
    found.sources, found.points = ["Maki", "Salad"], {"Maki": [0, 0], "Salad": [0, 0]}
    found.add(0, [[12, 3, 0b01, 9, 5, 3, -2], [2, 8, 0b10, 2, 6, 0, 2]])
    return found


def test_the_first_thing_says_what_was_found():
    """Conclusions precede all figures, each with its certainty, and link to their figure."""
    found = told()
    place = next(index for index, (_, attrs) in enumerate(found.found) if attrs.get("class") == "finds")
    assert [tag for tag, _ in found.found[:place] if tag in {"table", "figure"}] == []
    assert "Certain" in found.text
    assert "Maki makes most of the difference. 72 %" in found.text
    links = {attrs["href"] for attrs in found.all("a")}
    names = {f"#{attrs['id']}" for _, attrs in found.found if attrs.get("id")}
    assert {"#margin", "#seats", "#cards", "#validity"} <= links
    assert links <= names


def test_whose_figures_these_are_is_said():
    """A report names its bots with their strategies, the rules, and the command that repeats it."""
    text = told().text
    assert "Take careMind who played: greedy looks only at the points that a move brings at once." in text
    assert "greedy: the move that gains most at once." in text
    assert "draftengine simulate soups.yaml --seed 7" in text
    assert "Soups <&>" in text


def test_every_figure_is_a_table_or_says_in_words_what_it_shows():
    """Figures are accessible tables or have a text alternative, and decoration is hidden."""
    found = told(by_place())
    plots = [attrs for attrs in found.all("table") if attrs.get("class", "").startswith("plot")]
    assert len(plots) == 5  # margin, places, seats, cards, turns
    assert {attrs["role"] for attrs in plots} == {"table"}
    scores = [attrs["aria-label"] for attrs in found.all("svg") if "aria-label" in attrs]
    assert scores[0].startswith("Scores of Winner: 8 to 12, half of them between 8 and 12.")
    assert len(scores) == 2
    hidden = [attrs for _, attrs in found.found if "style" in attrs and attrs.get("aria-hidden") != "true"]
    assert all(re.fullmatch(r"(left|width|height|;|:|[\d.%-])+", attrs["style"]) for attrs in hidden)
    assert "Maki 7.5, Salad 2.5" in found.text
    assert "Soup" in found.text


def test_what_winners_have_is_told_by_place():
    """Points by rule are listed from the winner to the last, with typical scores."""
    found = by_place()
    assert (found.means("Maki"), found.means("Salad")) == ([7.5, 3.5], [2.5, -1.0])
    assert found.scores == [{12: 1, 8: 1}, {3: 1, 2: 1}]
    text = told(found).text
    assert "A typical game is won with 8 points; the last has 2" in text
    assert "The winner and the last differ most in Maki" in text


def test_the_rule_that_sets_places_apart_is_the_one_with_the_largest_difference():
    """The difference between winner and last counts, whichever of them has more, and not the points alone."""
    places = by_place()
    places.points = {"Maki": [20, 18], "Salad": [2, 16]}
    assert "The winner and the last differ most in Salad" in told(places).text
    places.points = {"Maki": [20, 18], "Salad": [2, 3]}
    assert "The winner and the last differ most in Maki" in told(places).text


def test_rules_are_listed_by_their_points():
    places = by_place()
    places.points = {"Maki": [2, 4], "Salad": [20, 16]}
    assert "Salad 10.0, Maki 1.0" in told(places).text


@pytest.mark.parametrize("change", [{"games": 0}, {"seats": 1}])
def test_without_another_place_nothing_is_said_of_places(change):
    """A single seat is ahead of nobody, and no games have no places."""
    places = by_place()
    for name, value in change.items():
        setattr(places, name, value)
    text = told(places).text
    assert "differ most" not in text
    assert "A typical game" not in text


def test_pictures_of_scores_have_the_same_axes():
    """All histograms of scores share their axes, so that they can be compared."""
    panels = re.findall(r'</i></div><div class="ax".*?</div>', report(STUDY, 2, summary([], EVEN)))
    assert len(panels) == 2
    assert panels[0].partition("ax")[2] == panels[1].partition("ax")[2]
    assert ">60<" in panels[0]


def test_rows_share_an_axis_and_a_line_at_nothing():
    drawn = rows(
        [Point("a", 1.5, (1.0, 2.0), "up"), Point("b", 0.1, (-0.2, 0.4))], Axis("t", sign="+"), ("Rule", "Points")
    )
    assert re.findall(r'<span style="[^"]*">([^<]*)</span>', drawn) == ["0.0", "+0.5", "+1.0", "+1.5", "+2.0"]
    zero = re.search(r'class="g z" style="left:([\d.]+)%"', drawn)[1]
    assert f'left:{zero}%">0.0<' in drawn
    assert re.findall(r'<tr role="row" class="(\w+)"', drawn) == ["up", "none"]
    assert "<b>+0.10</b> <small>−0.20 to +0.40</small>" in drawn


def test_a_change_is_drawn_from_where_it_was():
    drawn = rows([Point("a", 3.0, None, "down", before=5.0)], Axis("t", None), ("", ""))
    was, now = (float(re.search(rf'class="{kind}" style="left:([\d.]+)%"', drawn)[1]) for kind in ("da", "dot"))
    assert was > now
    assert 'class="g z"' not in drawn


def test_where_it_was_and_where_it_is_look_different_also_if_nothing_is_certain():
    """Old and new values have different marks, ring and dot, even if no difference is certain."""
    style = page("Comparison", "Two games", [], "")
    assert re.search(r"\.none \.dot\{background:var\(--pa\)", style)
    assert re.search(r"\.none \.da\+\.dot\{background:var\(--no\)", style)


def test_parts_below_zero_lie_left_of_it():
    drawn = stacked([Bar("x", (3.0, -1.0))], ["a", "b"], Axis("t", places=0), ("Place", "Total"))
    places = [
        tuple(map(float, own)) for own in re.findall(r'class="sb[^"]*" style="left:([\d.]+)%;width:([\d.]+)%', drawn)
    ]
    assert places[1][0] + places[1][1] == pytest.approx(places[0][0], abs=0.02)
    assert "<b>2</b>" in drawn
    assert "a 3, b −1" in drawn


def test_all_text_of_a_picture_is_text_of_the_page():
    """Pictures have no text inside, since it would shrink with the screen."""
    assert "<text" not in columns({1: 2, 3: 4}, "a") + rows([Point("a", 1, (0, 2))], Axis("t"), ("", ""))


def test_only_what_is_certain_is_coloured():
    found = told()
    shades = [attrs.get("class") for attrs in found.all("td") if "title" in attrs]
    assert len(shades) == 2  # twelve plays are too few
    assert shades[0].startswith("more")
    assert shades[1] is None
    assert tinted(0.3, (0.2, 0.4), 0.25, 0.1) == ""
    assert tinted(0.3, (0.26, 0.34), 0.25, 0.1) == "more2"
    assert tinted(0.1, (0.05, 0.2), 0.25, 0.1) == "less3"
    assert [graded(value, 0, 9) for value in (0, 1, 5, 9)] == ["", "more1", "more2", "more3"]


def test_a_page_for_the_dark_for_paper_and_for_small_screens():
    whole = page("kind", "t", ["*7* games"], "")
    assert "prefers-color-scheme:dark" in whole
    assert "@media print" in whole
    assert "@media (max-width" in whole
    assert "width=device-width, initial-scale=1" in whole
    assert "<b>7</b> games" in whole
    assert not re.findall(r"https?:|<script|url\(|@import", whole)


def test_an_axis_has_round_marks():
    assert Span(-1.2, 3.4).ticks() == [-1.0, 0.0, 1.0, 2.0, 3.0]
    assert Span(0, 0).ticks() == [0.0]
    assert Span(19.5, 60.5).ticks() == [20, 30, 40, 50, 60]


def test_how_numbers_are_written():
    assert percent(0.33729) == "33.73 %"
    assert percent(-0.00001, sign="+") == "+0.00 %"
    assert percents(0.321, 0.3444) == "32.10 to 34.44 %"
    assert figure(-0.001) == "0.00"
    assert (figure(-1.5), percents(-0.011, 0.2, 0)) == ("−1.50", "−1 to 20 %")
    assert tuple(map(str, (about(23_451), about(7), about(100)))) == ("24,000", "10", "100")
    assert rounded(101) == 110
    assert (seat_title(0, "seat 0"), seat_title(2, "dummy")) == ("Player 1", "Dummy")


def rows_of(game, games):
    """Return the rows of games of random players."""
    return ReferencePlayer(game.program, ("random",) * game.players, logged=False).play(7, 0, games, rows=True)[1]


def test_the_error_of_a_part_of_the_margin_is_that_of_leaving_games_out():
    """The error of a share of the margin by the delta method agrees with the jackknife."""
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
    """The variance of margins uses only the first games, regardless of how games are divided."""
    game = load("sushi_go", players=2)
    monkeypatch.setattr(simulation, "SAMPLED", 30)
    alone, together = Leads(game.program), Leads(game.program)
    rows = rows_of(game, 50)
    alone.add(0, rows[:30])
    for first in range(0, 50, 7):
        together.add(first, rows[first : first + 7])
    assert vars(alone) == vars(together)
    assert alone.games > 0
