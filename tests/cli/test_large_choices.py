"""Choices of many cards at once, as users see them: checked, played card by card, simulated."""

from __future__ import annotations

import pytest

from cli.conftest import know
from conftest import NIGHTLY
from engine.feasts import feast


@pytest.fixture
def write(tmp_path):
    """Write a card set to a file, and return its name."""

    def written(**sizes):
        (tmp_path / "feast.yaml").write_text(feast(**sizes), encoding="utf-8")
        return "feast.yaml"

    return written


def test_ten_of_twenty_is_valid(draftengine, write):
    assert draftengine("validate", write()).status == 0


def test_a_person_chooses_card_by_card(draftengine, write, caches, tmp_path):
    """Choose two of four cards one by one, then the remaining two; by night with a hint after the first.

    The hint takes seconds of search. By day, `tests/play/test_advice.py` tests hints for partly made choices.
    """
    game = write(copies=1, hand=4, choose=2)
    know(caches, tmp_path / game, 2)
    chosen = "1\nh\n2\n1\n2\n" if NIGHTLY else "1\n2\n1\n2\n"
    finished = draftengine("play", game, "-p", "2", "--seed", "1", "--level", "greedy", stdin=chosen)
    assert finished.status == 0
    assert "Hint" in finished.out or not NIGHTLY
    assert "Final score" in finished.out


@pytest.mark.parametrize("bot", ["random", "greedy"])
def test_ten_of_twenty_is_simulated(draftengine, write, bot):
    finished = draftengine("simulate", write(), "-p", "2", "-n", "3", "--seed", "1", "--bots", bot, "--json")
    assert finished.status == 0
    assert finished.json["games"] == 3
