"""Sentences in several languages: a catalogue of messages for each language, and rules to fill them.

A caller names a message and gives its values (`Catalogue.phrase`); only the catalogue contains words. A language is a
folder of JSON files, one for each subject, and an entry in `LANGUAGES`. Its file ``language.json`` defines how it joins
lists and inflects labels. All other files contain messages, one on a line.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

import msgspec

from draftengine.support.locale.catalogue import Catalogue

__all__ = ["LANGUAGES", "spoken"]

LANGUAGES = ("en", "pl", "ja")


def spoken(language: str) -> Catalogue:
    """Return the catalogue of a language (``pl-PL`` is ``pl``), or the English one if there is none."""
    tag = language.split("-", maxsplit=1)[0]
    return _catalogue(tag if tag in LANGUAGES else "en")


@cache
def _catalogue(language: str) -> Catalogue:
    folder = Path(__file__).with_name(language)
    return msgspec.json.decode((folder / "language.json").read_bytes(), type=Catalogue)
