"""Whole evenings at a real table, entered, saved and opened again, have the points of the played game."""

from __future__ import annotations

from random import Random

import pytest

from conftest import NIGHTLY
from draftengine.api.scenario.score_tables import read_sheet
from draftengine.apps.cli.opening import tables_in
from draftengine.apps.play.score_board import standing_lines
from draftengine.apps.play.score_book import CARD, CHIPS, COUNTER, MARKER, POINTS, ScorableItem, Scorebook, names_for
from draftengine.apps.play.terminal_style import Style
from play.evenings import evening

EVENINGS, BATCH = (1000 if NIGHTLY else 8), 4
NAMES = ("", "  ", "Ada", "Łucja", "🍣", '"', "a\x00\x1bb", "\ud800x", "one\u2028two", "- [no: {", "null", "x" * 99)


def enter(book, real, chance):
    """Enter an evening as people do: cards by seat, then what lies beside them; with some taken back."""
    for number, lying in enumerate(real.rounds):
        assert not number or book.begin_round()
        for seat, table in enumerate(lying.tables):
            with book.together():
                for name in table:
                    book.add(number, seat, ScorableItem(0, CARD, name))
            if chance.random() < 0.1 and table:
                assert book.take_last(number, seat)
                assert book.undo()
            if lying.points:
                book.add(number, seat, ScorableItem(0, POINTS, "+1"), lying.points[seat])
        enter_beside(book, number, lying)
    last = len(real.rounds) - 1
    as_points = real.game.id == "sushi_draft" and chance.random() < 0.5
    for seat in range(real.game.players if real.game.model.chips else 0):
        if as_points:
            book.add(last, seat, ScorableItem(0, POINTS, "+1"), real.chips[seat])
        else:
            book.put(last, seat, ScorableItem(0, CHIPS, CHIPS), real.chips[seat])


def enter_beside(book, number, lying):
    """Enter the counters and markers that differ from what the book already holds."""
    for name, values in lying.counters.items():
        thing = ScorableItem(0, COUNTER, name)
        for seat, value in enumerate(values):
            if not seat or book.count(number, seat, thing) != value:
                book.put(number, seat, thing, value)
    for name, holder in lying.markers.items():
        marker = ScorableItem(0, MARKER, name)
        for seat in range(book.game.seats):
            if (holder == seat) != book.count(number, seat, marker):
                (book.add if holder == seat else book.take_away)(number, seat, marker)


def opened(path, game):
    """Return the sheet that the scorekeeper loads from a file."""
    kept = read_sheet(tables_in(str(path)))
    again = Scorebook(game, kept.names, kept.variants, path)
    again.take_over(kept.rounds)
    return again


@pytest.mark.parametrize("first", range(0, EVENINGS, BATCH))
def test_evenings_are_kept_and_right(tmp_path, first):
    """Every shipped set, with variants and with or without names, is scored correctly after reloading."""
    for seed in range(first, first + BATCH):
        real, chance = evening(seed), Random(seed)
        names = [chance.choice(NAMES) for _ in range(real.game.players)] if seed % 3 else [""] * real.game.players
        path = tmp_path / f"{seed}.json"
        book = Scorebook(real.game, names, real.game.variants)
        enter(book, real, chance)
        book.path = path
        book.changed()
        again = opened(path, real.game)
        assert again.rounds == book.rounds, seed
        assert again.names == book.names, seed
        reckoned = again.reckoned()
        assert (reckoned.scores, reckoned.winners, reckoned.over) == (real.scores, real.winners, True), (
            seed,
            reckoned.missing,
        )
        pages = [page.total(real.game.seats) for page in reckoned.pages]
        assert tuple(map(sum, zip(*pages, strict=True))) == reckoned.scores, seed
        assert [_after(again, number) for number in range(len(real.rounds) - 1)] == real.after, seed
        words = "\n".join(standing_lines(reckoned, names_for(again.game, again.names, Style())))
        assert "Nobody" not in words
        assert "ahead by ." not in words


def _after(book, number):
    """Return the points after a round."""
    before = Scorebook(book.game, book.names)
    before.take_over(book.rounds[: number + 1])
    return before.reckoned().scores
