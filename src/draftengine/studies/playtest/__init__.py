"""Playing a card set some hundred times to find what is odd about it: lint by playing.

`counters` watches games, `games` says which are played, `goals` what they should reach, `findings` what they show as a
whole; `lint` puts that together, and `kept` keeps it.
"""

from draftengine.studies.playtest.lint import playtest

__all__ = ["playtest"]
