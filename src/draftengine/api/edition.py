"""Whose game something printed shows, and what it was made from."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from draftengine.api.phrasing.phraser import CardSetPhraser
    from draftengine.api.ruleset import Ruleset

_HASH = 12
"""So many signs of the hash tell one set of rules from another."""


def imprint_said(rules: Ruleset, speech: CardSetPhraser) -> str:
    """What it was made from, and to whom names and editions belong."""
    made = speech.phrase(
        "made",
        title=speech.text(rules.model.title),
        version=rules.model.version,
        hash=rules.fingerprint[:_HASH],
    )
    return speech.joined([made, *owners_said(speech)])


def owners_said(speech: CardSetPhraser) -> tuple[str, ...]:
    """By whom the game is, if the card set says it, and that names and editions belong to their publishers."""
    by, note = maker_said(speech), speech.phrase("note")
    return (by, note) if by else (note,)


def maker_said(speech: CardSetPhraser) -> str:
    """Return by whom the game is; empty if the card set does not say it."""
    about = speech.model.about
    if about.author and about.publisher and about.year:
        return speech.phrase("published", author=about.author, publisher=about.publisher, year=about.year)
    return speech.phrase("game_by", author=about.author) if about.author else ""
