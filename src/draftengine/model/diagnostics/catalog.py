"""Every code, with its explanation and examples.

A phase that makes findings has a table of its codes in `codes`, and the table a place in `TABLES`.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

from draftengine.model.diagnostics.codes import examples, game, language, structure, yaml
from draftengine.model.diagnostics.entry import Entry

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

__all__ = ["CATALOGUE", "TABLES", "Entry", "merged"]

TABLES: tuple[tuple[Entry, ...], ...] = (yaml.TABLE, structure.TABLE, game.TABLE, language.TABLE, examples.TABLE)


def merged(tables: Iterable[Iterable[Entry]]) -> Mapping[str, Entry]:
    """The entries by code. Raises `ValueError` if two of them have the same code."""
    entries: dict[str, Entry] = {}
    for entry in (entry for table in tables for entry in table):
        if entry.code in entries:
            raise ValueError(f"the code {entry.code} stands in the catalogue twice")
        entries[entry.code] = entry
    return MappingProxyType(entries)


CATALOGUE = merged(TABLES)
