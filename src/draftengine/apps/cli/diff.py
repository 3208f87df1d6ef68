"""``draftengine diff``."""

from __future__ import annotations

import json
import sys
from itertools import groupby
from typing import TYPE_CHECKING

from draftengine.apps.cli import options
from draftengine.apps.cli.errors import phrase

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from draftengine.api.facts.differences import Difference
    from draftengine.api.ruleset import Ruleset

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
"""Messages that name the parts of a card set."""
_ON_THE_BOX = frozenset({"age", "author", "minutes", "players", "publisher", "rounds", "year"})
"""Differences that are about something on the box rather than about a thing of the game."""


def diff(
    cardset: options.CardSet,
    other: options.Other,
    variant: options.Variants = None,
    language: options.Language = "en",
    as_json: options.Json = False,
) -> None:
    """Say what differs between two card sets, in the words of the game.

    What is only called otherwise is told once, with the card; a rule that means the same is no difference.
    `--variant` goes for both.

    \b
    Examples:
      draftengine diff my_game.yaml my_house_rule.yaml
      draftengine diff my_game.yaml my_house_rule.yaml --json
    """
    from draftengine.apps.cli.opening import rules_of

    both = rules_of(cardset, variant), rules_of(other, variant)
    changes = _changes(*both, language)
    if as_json:
        sets = [{"id": rules.model.id, "version": rules.model.version, "rules": rules.fingerprint} for rules in both]
        data = {"sets": sets, "differences": [_plain(change) for change in changes]}
        sys.stdout.write(json.dumps(data, ensure_ascii=False) + "\n")
        return
    sys.stdout.write("\n".join(_lines(both, changes, language)) + "\n")


def _changes(old: Ruleset, new: Ruleset, language: str) -> Sequence[Difference]:
    from draftengine.api.facts.differences import differences
    from draftengine.api.phrasing.phraser import CardSetPhraser

    return differences(CardSetPhraser(old.model, language), CardSetPhraser(new.model, language))


def _plain(change: Difference) -> dict[str, str]:
    return {"part": change.part, "about": change.about, "before": change.before, "after": change.after}


def _lines(both: Sequence[Ruleset], changes: Sequence[Difference], language: str) -> Iterator[str]:
    first, second = (f"{rules.labels_in(language).title} {rules.model.version}" for rules in both)
    if not changes:
        alike = both[0].fingerprint == both[1].fingerprint
        yield phrase(f"command.diff.{'alike' if alike else 'not_alike'}", first=first, second=second)
        return
    yield f"− {first}"
    yield f"+ {second}"
    for part, group in groupby(changes, key=lambda change: change.part):
        yield ""
        yield phrase(_TITLES[part], count=2)
        yield from _both(group)


def _both(changes: Iterable[Difference]) -> Iterator[str]:
    from draftengine.apps.play.terminal_style import MAX_COLUMNS, Style

    style, untold = Style(columns=MAX_COLUMNS), phrase("command.diff.untold")
    for change in changes:
        on_the_box = change.part == "box" and change.about in _ON_THE_BOX
        yield f"  {phrase(f'command.diff.{change.about}') if on_the_box else change.about}"
        both = (("−", change.before), ("+", change.after))
        for sign, text in both if change.before != change.after else (("=", change.after), ("≠", untold)):
            if text:
                yield from style.wrapped(text, 6, f"    {sign} ")


def told(old: Ruleset, new: Ruleset) -> Iterator[str]:
    """Yield the differences between two versions of a card set, without headings of parts."""
    yield from _both(_changes(old, new, "en"))
