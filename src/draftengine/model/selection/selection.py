"""Which variants, readings and parameters are played, and how they are written."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from msgspec import Struct

if TYPE_CHECKING:
    from collections.abc import Iterable

_NUMBER = re.compile(r"[+-]?[0-9]{1,9}")


class Selection(Struct, frozen=True):
    """Which variants, which options of readings, and which values of parameters."""

    variants: tuple[str, ...] = ()
    readings: tuple[tuple[str, str], ...] = ()
    parameters: tuple[tuple[str, int], ...] = ()
    """By name, or any other number of the file by its path (see `numbers`)."""


NOTHING_SELECTED = Selection()


def parse_selection(texts: Iterable[str]) -> Selection:
    """A selection from ``NAME``, ``NAME:parameter=3``, ``READING=option``, ``parameter=3`` and ``cards.soup.count=3``.

    Several names may stand in one text, with commas. The last one counts where two contradict each other. Raises
    `ValueError` for a text that is none of these.
    """
    variants: dict[str, None] = {}
    readings: dict[str, str] = {}
    parameters: dict[str, int] = {}
    for text in texts:
        name, colon, rest = (part.strip() for part in text.partition(":"))
        if colon:
            variants[_named(name, text)] = None
        elif "=" not in name:
            variants |= dict.fromkeys(_named(part.strip(), text) for part in name.split(","))
        for setting in rest.split(",") if colon else [name] if "=" in name else []:
            key, value = _setting(setting, text)
            if _NUMBER.fullmatch(value):
                parameters[key] = int(value)
            elif colon:
                raise ValueError(f"“{value}” in “{text}” is not a whole number.")
            else:
                readings[key] = value
    return Selection(tuple(variants), tuple(readings.items()), tuple(parameters.items()))


def _setting(setting: str, text: str) -> tuple[str, str]:
    key, _, value = (part.strip() for part in setting.partition("="))
    return _named(key, text), _named(value, text)


def _named(part: str, text: str) -> str:
    """A part of a selection that can't be left out."""
    if not part:
        raise ValueError(f"“{text}” is not of the form NAME, NAME:PARAMETER=NUMBER or NAME=VALUE.")
    return part
