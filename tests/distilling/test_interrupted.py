"""Learning that is interrupted: nothing is lost, and the network is that of an uninterrupted call."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

import draftengine as de
from draftengine.bots.net.kept import Setting
from draftengine.studies import distilling


@pytest.fixture
def games():
    return [de.load("sushi_go", players=players) for players in (2, 3)]


@pytest.fixture
def kept(monkeypatch):
    """Let learning be short, and return what it keeps in the cache."""
    entries = {}
    monkeypatch.setattr(distilling, "ITERATIONS", 20)
    monkeypatch.setattr(distilling, "levels_of", lambda game: [Setting(noise=game.players)])
    monkeypatch.setattr(distilling, "guides", lambda game: game.players == 2)
    monkeypatch.setattr(distilling, "keep", entries.__setitem__)
    monkeypatch.setattr(distilling, "content_of", entries.get)
    monkeypatch.setattr(distilling, "drop", lambda entry: entries.pop(entry, None))
    return entries


class Progress(list):
    """The progress that was reported. Learning is stopped at a report, given by its number."""

    def __init__(self, last=None):
        self.last = last

    def __call__(self, *report):
        self.append(report)
        if len(self) == self.last:
            raise KeyboardInterrupt


def test_learning_goes_on_where_it_was_stopped(games, kept, tmp_path):
    """Check that only a stopped measurement is made again, and that nothing is kept in the end."""
    whole = Progress()
    network = distilling.distil(games, tmp_path, 200, whole)
    assert kept == {}
    measured = whole.index(("levels", 0.25))
    again = []
    for stop in (3, 3, measured + 1 - 6):
        progress = Progress(stop)
        with pytest.raises(KeyboardInterrupt):
            distilling.distil(games, tmp_path, 200, progress)
        again += progress
        assert distilling.is_begun(games, 200)
        assert not distilling.is_begun(games, 201)
    progress = Progress()
    assert distilling.distil(games, tmp_path, 200, progress) == network
    assert [*again, *progress] == [*whole[: measured + 1], *whole[measured:]]
    assert not distilling.is_begun(games, 200)


def test_a_stopped_measurement_measures_nothing(games, monkeypatch):
    """Check that Ctrl-C among the games between levels stops the learning, and not only these games."""
    hold = distilling.hold
    monkeypatch.setattr(distilling, "hold", lambda match: replace(hold(match), interrupted=True))
    monkeypatch.setattr(distilling, "_text", lambda player: "table" if player.noise else "random")
    with pytest.raises(KeyboardInterrupt):
        distilling.odds(games[0], 4, Setting(noise=1), None)
