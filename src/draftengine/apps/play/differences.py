"""Differences between two card sets in readable form: parts, things, and lines that begin with a sign."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from msgspec import Struct

from draftengine.api.facts import Things
from draftengine.api.facts.differences import differences
from draftengine.support.locale import spoken

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from draftengine.api.facts.differences import Difference
    from draftengine.api.game import Ruleset

_TITLES = {
    "box": "h.box",
    "set-up": "h.setup",
    "round": "h.round",
    "cards": "h.special",
    "scoring": "h.scoring",
    "events": "h.events",
    "end": "h.end",
    "variants": "h.variants",
    "questions": "command.diff.questions",
}
"""Messages with the names of the parts of a card set."""
_ON_THE_BOX = frozenset({"age", "author", "minutes", "players", "publisher", "rounds", "year"})
"""Things that are printed on the box and are not part of the rules."""


class ChangedThing(Struct, frozen=True):
    """A thing that differs. Each line is a pair: a sign and a text.

    − marks a text of the old card set, + one of the new, = one of both; ≠ marks a difference without words.
    """

    about: str
    lines: tuple[tuple[str, str], ...]


def changes_between(old: Ruleset, new: Ruleset, language: str = "en") -> Sequence[Difference]:
    """Return the differences between two card sets in the words of a language."""
    return differences(Things(old.labels_in(language)), Things(new.labels_in(language)))


def in_parts(changes: Iterable[Difference], language: str = "en") -> Iterator[tuple[str, list[ChangedThing]]]:
    """Yield the title of each part that differs, with the things that differ in it."""
    words = spoken(language)
    for part, group in groupby(changes, key=lambda change: change.part):
        things = []
        for change in group:
            on_the_box = part == "box" and change.about in _ON_THE_BOX
            about = words.phrase(f"command.diff.{change.about}") if on_the_box else change.about
            if change.about == part:
                about = words.phrase("command.diff.steps")
            pairs = (("−", change.before), ("+", change.after))
            if change.before == change.after:
                pairs = (("=", change.after), ("≠", words.phrase("command.diff.untold")))
            things.append(ChangedThing(about, tuple(pair for pair in pairs if pair[1])))
        yield words.phrase(_TITLES[part], count=2), things
