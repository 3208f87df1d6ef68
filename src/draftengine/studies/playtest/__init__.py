"""Playtest: plays a card set a few hundred times and reports what is odd about it.

`counters` counts what happens in games, and `games` chooses the games to play. `goals` lists what games should reach.
`lint` judges a selection as a whole, combines all this, and caches the result on disk.
"""

from draftengine.studies.playtest.lint import playtest

__all__ = ["playtest"]
