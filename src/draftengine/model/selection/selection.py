"""Selections of variants, readings and parameters, and how they are written."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from msgspec import Struct

if TYPE_CHECKING:
    from collections.abc import Iterable

_NUMBER = re.compile(r"[+-]?[0-9]{1,9}")


class Selection(Struct, frozen=True):
    """Chosen variants, options of readings and values of parameters."""

    variants: tuple[str, ...] = ()
    readings: tuple[tuple[str, str], ...] = ()
    parameters: tuple[tuple[str, int], ...] = ()
    """Values by parameter, or by the path of any other number of the file (see `number_paths`)."""


NOTHING_SELECTED = Selection()


def parse_selection(texts: Iterable[str]) -> Selection:
    """Return the selection of texts such as ``NAME``, ``NAME:parameter=3`` and ``READING=option``.

    Parameters (``parameter=3``) and other numbers (``cards.soup.count=3``) are allowed too. Several names may be in one
    text, separated by commas. The last one counts where two contradict each other. Raises `ValueError` for any other
    text.
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
            key, value = (_named(part.strip(), text) for part in setting.partition("=")[::2])
            if _NUMBER.fullmatch(value):
                parameters[key] = int(value)
            elif colon:
                raise ValueError(f"“{value}” in “{text}” is not a whole number.")
            else:
                readings[key] = value
    return Selection(tuple(variants), tuple(readings.items()), tuple(parameters.items()))


def _named(part: str, text: str) -> str:
    """Return a part of a selection; raises `ValueError` if it is empty."""
    if not part:
        raise ValueError(f"“{text}” is not of the form NAME, NAME:PARAMETER=NUMBER or NAME=VALUE.")
    return part
