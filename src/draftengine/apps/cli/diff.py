"""``draftengine diff``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from draftengine.apps.cli import options
from draftengine.apps.cli.errors import phrase

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from draftengine.api.facts.differences import Difference
    from draftengine.api.ruleset import Ruleset
    from draftengine.apps.play.differences import ChangedThing


def diff(
    cardset: options.CardSet,
    other: options.Other,
    variant: options.Variants = None,
    language: options.Language = "en",
    as_json: options.Json = False,
) -> None:
    """Say what differs between two card sets, in the words of the game.

    What only has another name is mentioned once, with the card; a rule that means the same is no difference.
    `--variant` goes for both.

    \b
    Examples:
      draftengine diff my_game.yaml my_house_rule.yaml
      draftengine diff my_game.yaml my_house_rule.yaml --json
    """
    from draftengine.apps.cli.console import print_json, print_lines
    from draftengine.apps.cli.opening import rules_of
    from draftengine.apps.play.differences import changes_between

    both = rules_of(cardset, variant), rules_of(other, variant)
    changes = changes_between(*both, language)
    if as_json:
        sets = [{"id": rules.model.id, "version": rules.model.version, "rules": rules.fingerprint} for rules in both]
        data = {
            "sets": sets,
            "differences": [
                {"part": change.part, "about": change.about, "before": change.before, "after": change.after}
                for change in changes
            ],
        }
        print_json(data, ascii_only=False)
        return
    print_lines(_lines(both, changes, language))


def _lines(both: Sequence[Ruleset], changes: Sequence[Difference], language: str) -> Iterator[str]:
    from draftengine.apps.play.differences import in_parts

    first, second = (f"{rules.labels_in(language).title} {rules.model.version}" for rules in both)
    if not changes:
        alike = both[0].fingerprint == both[1].fingerprint
        yield phrase(f"command.diff.{'alike' if alike else 'not_alike'}", first=first, second=second)
        return
    yield f"− {first}"
    yield f"+ {second}"
    for title, things in in_parts(changes, language):
        yield from ("", title, *_told(things))


def _told(things: Iterable[ChangedThing]) -> Iterator[str]:
    from draftengine.apps.play.terminal_style import MAX_COLUMNS, Style

    style = Style(columns=MAX_COLUMNS)
    for thing in things:
        yield f"  {thing.about}"
        for sign, text in thing.lines:
            if text:
                yield from style.wrapped(text, 6, f"    {sign} ")


def told(old: Ruleset, new: Ruleset) -> Iterator[str]:
    """Yield the differences between two versions of a card set, without headings of parts."""
    from draftengine.apps.play.differences import changes_between, in_parts

    for _, things in in_parts(changes_between(old, new)):
        yield from _told(things)
