"""``draftengine diff``."""

from __future__ import annotations

import json
import sys
from itertools import groupby
from textwrap import wrap
from typing import TYPE_CHECKING, Annotated

import typer

from draftengine.apps.cli import completion as completing
from draftengine.apps.cli import options

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from draftengine.api.facts.differences import Difference
    from draftengine.api.ruleset import Ruleset

_TITLES = {
    "box": "In the box",
    "set-up": "Set-up",
    "round": "A round",
    "cards": "Cards with a rule of their own",
    "scoring": "Scoring",
    "events": "During play",
    "end": "End of the game",
    "variants": "Variants",
    "questions": "Open questions",
}
_WIDTH = 100
_UNTOLD = "not the same, and no sentence tells how"
_OTHER = Annotated[
    str,
    typer.Argument(metavar="OTHER", autocompletion=completing.card_sets, help="The other one.", show_default=False),
]


def diff(
    cardset: options.CardSet, other: _OTHER, variant: options.Variants = None, as_json: options.Json = False
) -> None:
    """Say what differs between two card sets, in the words of the game.

    What is only called otherwise is told once, with the card; a rule that means the same is no difference.
    `--variant` goes for both.

    \b
    Examples:
      draftengine diff my_game.yaml my_house_rule.yaml
      draftengine diff my_game.yaml my_house_rule.yaml --json
    """
    from draftengine.api.facts.differences import differences
    from draftengine.api.phrasing.phraser import CardSetPhraser
    from draftengine.apps.cli.opening import rules_of

    both = rules_of(cardset, variant), rules_of(other, variant)
    changes = differences(CardSetPhraser(both[0].model), CardSetPhraser(both[1].model))
    if as_json:
        data = {"sets": [_named(rules) for rules in both], "differences": [_plain(change) for change in changes]}
        sys.stdout.write(json.dumps(data, ensure_ascii=False) + "\n")
        return
    sys.stdout.write("\n".join(_lines(both, changes)) + "\n")


def _named(rules: Ruleset) -> dict[str, str]:
    return {"id": rules.model.id, "version": rules.model.version, "rules": rules.fingerprint}


def _plain(change: Difference) -> dict[str, str]:
    return {"part": change.part, "about": change.about, "before": change.before, "after": change.after}


def _lines(both: Sequence[Ruleset], changes: Sequence[Difference]) -> Iterator[str]:
    first, second = (f"{rules.game().title} {rules.model.version}" for rules in both)
    if not changes:
        alike = both[0].fingerprint == both[1].fingerprint
        yield f"{first} and {second} are {'played alike' if alike else _UNTOLD}."
        return
    yield f"− {first}"
    yield f"+ {second}"
    for part, group in groupby(changes, key=lambda change: change.part):
        yield ""
        yield _TITLES[part]
        yield from _both(group)


def _both(changes: Iterable[Difference]) -> Iterator[str]:
    for change in changes:
        yield f"  {change.about}"
        both = (("−", change.before), ("+", change.after))
        for sign, text in both if change.before != change.after else (("=", change.after), ("≠", _UNTOLD)):
            if text:
                yield from wrap(text, _WIDTH, initial_indent=f"    {sign} ", subsequent_indent="      ")


def told(old: Ruleset, new: Ruleset) -> Iterator[str]:
    """Yield the differences between two versions of a card set, without headings of parts."""
    from draftengine.api.facts.differences import differences
    from draftengine.api.phrasing.phraser import CardSetPhraser

    yield from _both(differences(CardSetPhraser(old.model), CardSetPhraser(new.model)))
