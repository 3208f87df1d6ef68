"""Sentences in several languages: a catalogue of patterns for each, and the few rules by which patterns are filled.

Whoever has something to say names a pattern and what belongs in it (`Catalogue.phrase`); only the catalogue knows words.
A new language costs one module and one row of `_MODULES`.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

from draftengine.support.locale import en, ja, pl

if TYPE_CHECKING:
    from collections.abc import Mapping

    from draftengine.support.locale.catalogue import Catalogue

__all__ = ["CATALOGUES", "spoken"]

_MODULES = (en, pl, ja)

CATALOGUES: Mapping[str, Catalogue] = MappingProxyType(
    {module.CATALOGUE.language: module.CATALOGUE for module in _MODULES}
)
"""Every catalogue by its language."""


def spoken(language: str) -> Catalogue:
    """The catalogue of a language (``pl-PL`` is ``pl``); the English one where there is none."""
    return CATALOGUES.get(language.split("-", maxsplit=1)[0], en.CATALOGUE)
