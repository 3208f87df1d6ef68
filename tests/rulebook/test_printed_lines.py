"""Printed lines, read as a player would read them, score tables as the engine does.

The readers use words and signs only: no formulas, rules or ids of the card set.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from itertools import groupby
from pathlib import Path

import pytest

import draftengine as de
from cardsheets.drawn import faces_as_drawn
from conftest import NIGHTLY, sample
from draftengine.api.phrasing import CardSetPhraser
from draftengine.api.phrasing.sentences import begun
from draftengine.api.ruleset import rules_named
from draftengine.model.shelf import shelf
from draftengine.render.faces.content import Cells, Faces, PointsBadge, Sign
from draftengine.render.rulebook import Box, Rule, Table, aid_of, book_of

SETS = Path(__file__).parents[2] / "cardsets"
PLAYED = [
    ("sushi_go", ()),
    ("sushi_go_2014", ()),
    ("sushi_go_2014", ("zero_icons=zero_counts",)),
    ("sushi_go_summary", ()),
    ("sushi_go_summary", ("split_loss=rounded_down",)),
    ("anniversary", ()),
    ("anniversary", ("good_ol_pudding",)),
    ("anniversary", ("frozen_yogurt",)),
    ("anniversary", ("bubble_tea",)),
    ("sushi_draft", ()),
    ("sushi_draft", ("advanced_triple",)),
    ("sushi_draft", ("advanced_wasabi",)),
    ("anniversary", ("must_have_maki",)),
    ("anniversary", ("two_player_dummy",)),
    ("anniversary", ("sushi_golf",)),
    ("anniversary", ("mochi",)),
]
TABLES = 200 if NIGHTLY else 80

_SPAN = re.compile(r" \((\d+)(?:–(\d+))? players\)")
_NO_SCORES = {text[:8] for text in ("next nigiri", "on a later turn", "When you play", "roll your die")}
"""The first letters of lines that say what happens before cards are scored."""
_HALF = {"½": 0.5}
_HEADS = {"most": (1, 0), "fewest": (-1, 0), "second": (1, 1)}


def holds(text, players):
    """Return whether a line applies to this number of players, and the line without that condition."""
    span = _SPAN.search(text)
    if span is None:
        return True, text
    low, high = int(span[1]), int(span[2] or span[1])
    return low <= players <= high, text.replace(span[0], "")


def number(points):
    """Return a number of points or chips; a star means that the text of the card has a condition."""
    return int(points.replace("−", "-").removesuffix(" ○").removesuffix("*"))


def share(points, seats, notes):
    if "ties each get all of it" in notes:
        return points
    if "ties share, rounded down" in notes:
        return points // seats
    return (abs(points) // seats) * (1 if points > 0 else -1)


def places(measures, heads, points, notes):
    """Return the points of every seat by most and fewest."""
    given = [0] * len(measures)
    if "all equal: nothing" in notes and len(set(measures)) == 1:
        return given
    if any("only if not all" in note for note in notes) and len(set(measures)) == 1:
        return given
    needed = next((_HALF.get(note.split()[1]) or int(note.split()[1]) for note in notes if note[:5] == "needs"), None)
    for head, prize in zip(heads, points, strict=True):
        sign, place = _HEADS[head]
        ranked = sorted((seat for seat in range(len(measures)) if needed is None or measures[seat] >= needed),
                        key=lambda seat: -sign * measures[seat])  # fmt: skip
        groups = [list(group) for _, group in groupby(ranked, key=lambda seat: measures[seat])]
        if any(note.startswith("ties get nothing, the next") for note in notes):
            groups = [group for group in groups if len(group) == 1]
        elif "a tie for first place leaves no second place" in notes:
            groups = [slot for group in groups for slot in (group, *[[]] * (len(group) - 1))]
        for seat in groups[place] if place < len(groups) else ():
            given[seat] += share(prize, len(groups[place]), notes)
    return given


class Printed:
    """The rows of a quick reference and the box of its rulebook, in English."""

    def __init__(self, rows, box, players):
        self.players = players
        self.notes = {card.label: card.text for card in box.cards}
        self.rows = []
        for title, text, points in rows:
            meant, text_of_all = holds(text, players)
            if meant:
                self.rows.append((title, text_of_all, points))

    def score(self, tables, dice):
        """Return the score of every seat in each round, and at the end."""
        totals = {"round": [0] * len(tables), "end": [0] * len(tables)}
        for title, text, points in self.rows:
            if points == "–" or text[:8] in _NO_SCORES:
                continue
            moment = "end" if text.startswith("at the end: ") else "round"
            first, *notes = text.removeprefix("at the end: ").split("; ")
            for seat, gained in enumerate(self.of(title, first, notes, points, tables, dice)):
                totals[moment][seat] += gained
        return totals

    def of(self, title, text, notes, points, tables, dice):
        what, _, counts = text.rpartition(" – ")
        values = [number(value) for value in points.split(", ")]
        measures = dice if what == "pips on the mochi die" else [self.measure(what, title, table) for table in tables]
        if set(counts.split(", ")) <= _HEADS.keys():
            return places(measures, counts.split(", "), values, notes)
        if counts == "each":
            return [self.each(title, table) * values[0] for table in tables]
        if size := re.fullmatch(r"set of (\d+)", counts):
            return [measure // int(size[1]) * values[0] for measure in measures]
        if counts.endswith(" or more"):
            return [values[min(measure, len(values)) - 1] if measure else 0 for measure in measures]
        if counts.startswith("run of "):
            return [sum(values[run - 1] for run in self.runs(title, table)) for table in tables]
        raise AssertionError(counts)

    def measure(self, what, title, table):
        """Count what cards show, different kinds, or cards of the given title. Some count half."""
        if kinds := re.fullmatch(r"different kinds \((.*?)\)(?: \(a kind with cards (with .*) counts ½\))?", what):
            total = 0
            for kind in re.split(", | and ", kinds[1]):
                cards = [card for card in table if self.is_called(kind, card)]
                half = bool(kinds[2]) and any(card.endswith(kinds[2]) for card in cards)
                total += (0.5 if half else 1) if cards else 0
            return total
        if half := re.fullmatch(r".* \(each (.*) as .* counts ½\)", what):
            cards = [card for card in table if self.is_called(title, card)]
            return sum(0.5 if card.casefold().startswith(half[1]) else 1 for card in cards)
        if what:
            matches = [re.search(rf"(\d+) {what[:-3]}", self.notes[card]) for card in table]
            return sum(int(match[1]) for match in matches if match)
        return sum(self.is_called(title, card) for card in table)

    def is_called(self, title, card):
        name = card.partition(" as ")[2] or card
        counts_as = re.search(r"counts as (.*)", self.notes.get(card, ""))
        return title.casefold().removesuffix("s") in {name.casefold(), counts_as[1].casefold() if counts_as else ""}

    def each(self, title, table):
        """Count the cards of a name; those that lie on another card count by its factor."""
        (target, factor) = next(
            ((match[1], int(match[2])) for _, text, _ in self.rows if (match := re.match(r"next (.*) × (\d+)", text))),
            ("-", 1),
        )
        changing = next((row[0] for row in self.rows if row[1].startswith("next ")), "")
        waiting = total = 0
        for card in table:
            waiting += card == changing
            lies_on = waiting > 0 and target in card.casefold()
            waiting -= lies_on
            total += (card == title) * (factor if lies_on else 1)
        return total

    def runs(self, title, table):
        """Yield the lengths of the runs of numbers on cards of a name, the longest first."""
        left = Counter(int(card.split()[-1]) for card in table if card.startswith(title))
        while left:
            runs = [tuple(range(low, low + long)) for low in left for long in range(1, 9)]
            best = max((run for run in runs if all(left[value] for value in run)), key=len)
            left -= Counter(best)
            yield len(best)


def random_tables(game, draw):
    """Return possible final tables, by the ids of cards and by their names."""
    copies = [card.id for card in game.model.cards for _ in range(card.count) if card.forms is None]
    draw.shuffle(copies)
    size = draw.randint(1, min(12, len(copies) // game.seats))
    tables = [copies[seat * size : (seat + 1) * size] for seat in range(game.seats)]
    for card in game.model.cards:
        if card.forms is not None and draw.random() < 0.5:
            allowed = [form for form in card.forms.of if form in tables[0]]
            tables[0] += [f"{card.id}@{draw.choice(allowed)}"] if allowed else []
    names = [[game.labels.card(card) for card in table] for table in tables]
    return tables, names


def engine_scores(game, tables, **counters):
    """Return the points of every seat in each round, and at the end."""
    totals = {"round": [0] * game.seats, "end": [0] * game.seats}
    at = {rule.id: rule.at for rule in game.model.scoring}
    for line in game.lay_out(de.Position(tables=tables, round=game.model.rounds, counters=counters)).explain():
        totals["end" if at[line.rule] == "game" else "round"][line.seat] += line.points
    return totals


def scoring_table(book, heading="Points"):
    """Return the only table in a book that has a column for points."""
    return next(iter(scoring_tables(book, heading)))


def scoring_tables(book, heading):
    """Return the tables in a book with a column for points: none if no rule fits into a row."""
    blocks = (block for part in book.parts for block in part.blocks)
    return [block for block in blocks if isinstance(block, Table) and block.head[-1] == heading]


@pytest.mark.parametrize("printed", ["book", "aid"])
@pytest.mark.parametrize(("name", "variants"), PLAYED)
def test_printed_lines_score_as_the_engine_does(name, variants, printed):
    """Printed lines score as the engine does, for every number of players, in the book and in the aid."""
    rules = rules_named(SETS / f"{name}.yaml", variants)
    book = book_of(rules)
    (box,) = (block for part in book.parts for block in part.blocks if isinstance(block, Box))
    rows = scoring_table(book if printed == "book" else aid_of(rules)).rows
    draw = random.Random(f"{name} {variants}")
    for players in rules.possible_players:
        game, lines = rules.game(players), Printed(rows, box, players)
        for _ in range(TABLES // len(rules.possible_players)):
            tables, names = random_tables(game, draw)
            dice = [draw.randint(1, 6) for _ in tables]
            counters = {"mochi_die": dice} if "mochi" in variants else {}
            assert lines.score(names, dice) == engine_scores(game, tables, **counters), (players, names)


# ── Strips of cards ───────────────────────────────────────────────────────────────────────────────────────────────────


class Strips:
    """The strips of all cards for a number of players. They do not say how ties are resolved."""

    def __init__(self, faces, players):
        self.faces = {face.card: face for face in faces}
        self.players = players

    def score(self, tables):
        """Return the total of every seat; None if a tie decides."""
        totals = [self.alone(table) for table in tables]
        tables_of = {}
        for card, face in self.faces.items():
            for row in face.strip:
                if isinstance(row[-1], Cells):
                    tables_of.setdefault(row[-1].cells, set()).add(card)
        for cells, cards in tables_of.items():
            heads = [(holds(head, self.players), number(points)) for head, points in cells]
            cells_now = [(head, points) for (meant, head), points in heads if meant]
            measures = [sum(self.amount(card) for card in table if card in cards) for table in tables]
            if not cells_now or cells_now[0][0].casefold() == "taking the lead":
                continue
            if cells_now[0][0] in _HEADS:
                if len(set(measures)) < len(measures) or min(measures) == 0:
                    return None
                given = places(measures, *zip(*cells_now, strict=True), [])
            else:
                given = [cells_now[min(measure, len(cells_now)) - 1][1] if measure else 0 for measure in measures]
            totals = [total + more for total, more in zip(totals, given, strict=True)]
        return totals

    def amount(self, card):
        return next((amount for _, amount in self.faces[card].adds), 1)

    def alone(self, table):
        """Return what a seat's cards score by themselves: each, in sets, and on others."""
        total, waiting = 0, Counter()
        for card in table:
            for row in self.faces[card].strip:
                match row:
                    case (PointsBadge() as badge,):
                        on = self.on_another(card, waiting)
                        total += number((on or badge).text)
                    case (Sign(same, size), _, PointsBadge() as badge) if same == card and size > 1:
                        waiting[card] += 1
                        total += number(badge.text) if waiting[card] % size == 0 else 0
                    case (*_, PointsBadge(text)) if text.startswith("×"):
                        waiting[card] += 1
        return total

    def on_another(self, card, waiting):
        """Return the badge of a card that lies on another one, and use up one that waits."""
        for row in self.faces[card].strip:
            match row:
                case (Sign(under), Sign(over), _, PointsBadge() as badge) if over == card and waiting[under]:
                    waiting[under] -= 1
                    return badge
        return None


@pytest.mark.parametrize(
    ("name", "variants"),
    [(name, variants) for name, variants in PLAYED if name != "sushi_draft" and "mochi" not in variants],
)
def test_strips_score_as_the_engine_does(name, variants):
    """Strips score as the engine does where no tie decides; runs are explained in words."""
    rules = rules_named(SETS / f"{name}.yaml", variants)
    strips = faces_as_drawn(rules, "en")
    draw = random.Random(f"{name} {variants} strips")
    read = 0
    for players in rules.possible_players:
        game, lines = rules.game(players), Strips(strips, players)
        for _ in range(2 * TABLES):
            tables, _ = random_tables(game, draw)
            scored = None if "bubble_tea" in variants else lines.score(tables)
            if scored is not None:
                both = engine_scores(game, tables)
                assert scored == [sum(seat) for seat in zip(*both.values(), strict=True)], (players, tables)
                read += 1
    assert read >= 15 * TABLES // 200 or "bubble_tea" in variants


def amounts(part):
    """Return the numbers of a strip that no language changes."""
    match part:
        case PointsBadge(text):
            return [text]
        case Cells(cells):
            return [points for _, points in cells]
        case Sign(_, copies):
            return [copies]
    return []


@pytest.mark.parametrize("name", sample(shelf(), 8))
def test_numbers_are_the_same_in_every_language(name):
    """Drawn cards and quick references give the same points in Polish and Japanese as in English."""
    rules = rules_named(name)
    in_language = []
    for language in ("en", "pl", "ja"):
        on_cards = {
            face.card: [points for row in face.strip for part in row for points in amounts(part)]
            for face in faces_as_drawn(rules, language)
        }
        heading = CardSetPhraser(rules.model, language).phrase("quick.points")
        tables = scoring_tables(book_of(rules, language), heading)
        in_language.append((on_cards, [re.findall(r"−?\d+", row[-1]) for table in tables for row in table.rows]))
    assert in_language[1:] == in_language[:1] * 2


@pytest.mark.parametrize("language", ["en", "pl"])
def test_events_bring_the_points_that_are_printed(language):
    """Quick reference, aid and cards say how many points an event gives in a game."""
    rules = rules_named("anniversary")
    heading = CardSetPhraser(rules.model, language).phrase("quick.points")
    draw, gains = random.Random("events"), {}
    for seed in range(3):
        game = rules.game(3)
        state = game.start(seed)
        while not state.over:
            seat = state.waiting[0]
            state = state.commit(seat, draw.choice(state.view(seat).moves))
        labels = game.labels_in(language)
        for event in state.history:
            if event.kind == "points" and event.name in {trigger.id for trigger in game.model.triggers}:
                gains.setdefault(begun(labels.cause(event.name)), set()).add(event.amount)
    assert len(gains) == 1
    for book in (book_of(rules, language), aid_of(rules, language)):
        rows = scoring_table(book, heading).rows
        assert {row[0]: {number(row[-1])} for row in rows if row[0] in gains} == gains
    cells = [
        cell
        for face in faces_as_drawn(rules, language)
        for row in face.strip
        for part in row
        if isinstance(part, Cells)
        for cell in part.cells
        if cell[0] in gains
    ]
    assert len(cells) == 4
    assert all({number(points)} == gains[head] for head, points in cells)


def test_strips_show_no_rules_that_do_not_exist(tmp_path):
    """A set of a family is not drawn as copies of one card, nor a ranking of many cards as one of a few."""
    cards = "\n".join(
        f"  dish_{index}: {{count: 2, family: dish, icon: {sign}}}" for index, sign in enumerate("🍤🐟🥟🍣🥚🍙🦑")
    )
    path = tmp_path / "dishes.yaml"
    path.write_text(
        f"""format: 1
id: dishes
title: Dishes
version: 1.0.0
players: 2
rounds: 1
cards:
{cards}
  soup: {{count: 4, family: bowl}}
  rice: {{count: 4, family: bowl}}
round:
  - deal: {{to: hand, cards: 5}}
  - repeat: {{until_empty: hand, do: [choose: {{}}, pass: {{to: left}}]}}
  - score: round
scoring:
  dish: {{kind: majority, of: dish, most: [5]}}
  bowl: {{kind: set, of: bowl, size: 3, points: 4}}
winner: {{order: most}}
""",
        "utf-8",
    )
    rules = rules_named(path)
    strips = {face.card: face.strip for face in Faces(rules, CardSetPhraser(rules.model)).all()}
    assert not any(isinstance(piece, Sign) for row in strips["dish_0"] for piece in row)
    assert [(piece.card, piece.copies) for row in strips["soup"] for piece in row if isinstance(piece, Sign)] == [
        ("soup", 1), ("rice", 1),
    ]  # fmt: skip
    assert any(getattr(piece, "text", "") == "set of 3" for row in strips["soup"] for piece in row)


_BY_PLAYERS = """
format: 2
id: stall
title: Stall
version: 1.0.0
players: 2-4
rounds: 1
cards:
  soup: {count: 12}
  bread: {count: 12, adds: {flour: 2}}
  nut: {count: 12, adds: {flour: 1, hearts: -1}}
  jam: {count: 12}
  spoon: {count: 4}
counters: {flour: {}, hearts: {start: 3}}
modifiers: {spoon: {card: spoon, applies_to: bread, then: {flour: "amount + (3 if players > 2 else 1)"}}}
setup: [shuffle: deck]
round:
  - deal: {to: hand, cards: 7}
  - repeat: {until_empty: hand, do: [choose: {}, pass: {to: left}]}
  - score: round
scoring:
  soup: {each: soup, points: "1 if players > 2 else 4"}
  jam: {set: jam, size: "6 if players > 3 else 7", points: players}
  flour: {majority: flour, most: [0, "6 if players == 2 else 3"]}
  bakers: {each: flour, points: 2, when: most(soup) > 2 and players < 4}
  luck: {each: hearts, points: 1}
winner: {order: most}
"""


def test_what_depends_on_players_or_a_condition_is_printed_so(tmp_path):
    """Lines and strips say for whom and when rules hold, and no more than that."""
    path = tmp_path / "stall.yaml"
    path.write_text(_BY_PLAYERS, "utf-8")
    rules = rules_named(path)
    book = book_of(rules)
    rows = [(title, text.partition(";")[0], points) for title, text, points in scoring_table(book).rows]
    assert rows[:11] == [
        ("Soup", "each (2 players)", "4"),
        ("Soup", "each (3–4 players)", "1"),
        ("Jam", "set of 7 (2 players)", "2"),
        ("Jam", "set of 7 (3 players)", "3"),
        ("Jam", "set of 6 (4 players)", "4"),
        ("Flour", "most, second (2 players)", "0, 6"),
        ("Flour", "most, second (3–4 players)", "0, 3"),
        ("Bread", "each (2–3 players)", "4"),
        ("Nut", "each (2–3 players)", "2"),
        ("Luck", "hearts – each", "1"),
        ("Spoon", rows[10][1], "0"),
    ]
    assert rows[10][1].endswith(
        "as 3 more flour. Each spoon takes one. With two players: "
        + rows[10][1].partition(".")[0].replace("3", "1")
        + ". Each spoon takes one"
    )
    strips = {face.card: face.strip for face in Faces(rules, CardSetPhraser(rules.model)).all()}
    badges = {
        card: [piece.text for row in strips[card] for piece in row if isinstance(piece, PointsBadge)] for card in strips
    }
    assert badges == {"soup": ["4", "1"], "bread": ["4*"], "nut": ["2*"], "jam": ["2", "3", "4"], "spoon": []}
    assert not any(isinstance(piece, Sign) and piece.copies > 1 for row in strips["jam"] for piece in row)
    texts = [block.text for part in book.parts for block in part.blocks if isinstance(block, Rule)]
    assert any("The player with the most flour scores nothing, the second most **3**." in text for text in texts)
