"""Imprint of printed matter: the game's maker, and the card set it was printed from."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from draftengine.api.phrasing.phraser import CardSetPhraser
    from draftengine.api.ruleset import Ruleset

_HASH = 12
"""Digits of the hash that are printed to tell one set of rules from another."""


def imprint_said(rules: Ruleset, speech: CardSetPhraser) -> str:
    """Return the imprint: title, version and hash of the card set, then the owners of the game."""
    made = speech.phrase(
        "made",
        title=speech.text(rules.model.title),
        version=rules.model.version,
        hash=rules.fingerprint[:_HASH],
    )
    return speech.joined([made, *owners_said(speech)])


def owners_said(speech: CardSetPhraser) -> tuple[str, ...]:
    """Return the maker, if the card set names one, and a note about the rights of publishers."""
    by, note = maker_said(speech), speech.phrase("note")
    return (by, note) if by else (note,)


def maker_said(speech: CardSetPhraser) -> str:
    """Return the sentence about author and publisher; empty if the card set names no author."""
    about = speech.model.about
    if about.author and about.publisher and about.year:
        return speech.phrase("published", author=about.author, publisher=about.publisher, year=about.year)
    return speech.phrase("game_by", author=about.author) if about.author else ""
