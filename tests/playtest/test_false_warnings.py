"""Findings about random legal games hold in more games with other luck; a few at most are false."""

import pytest

from conftest import NIGHTLY
from playtest.legal import false_findings, legal_games

GAMES = 200 if NIGHTLY else 2
MORE = 5 if NIGHTLY else 2
"""The factor by which more games are played to confirm what some games have shown."""
ALLOWED = 5
"""The most false findings about 200 games."""


@pytest.mark.night
def test_few_findings_about_random_games_are_false():
    checked = [false_findings(document, MORE) for document in legal_games(GAMES)]
    false = [finding.message for _, unconfirmed in checked for finding in unconfirmed]
    assert any(findings for findings, _ in checked)
    assert len(false) <= ALLOWED * GAMES / 200, false
