"""Playtest: plays a card set a few hundred times and reports what is odd about it.

`counters` counts what happens in games, and `games` chooses the games to play. `goals` lists what games should reach.
`lint` judges each selection as a whole, calls the other modules, and caches the findings on disk.
"""

from draftengine.studies.playtest.lint import playtest

__all__ = ["playtest"]
