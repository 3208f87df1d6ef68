"""Turns golden cases into calls of the public engine API. It translates names; it never computes a rule.

Cards beyond the game (``a1``: "any card") become cards of an extended card set, so that they can be told apart.
"""

from __future__ import annotations

from conformance import anniversary, shared, sushi_draft
from conformance.shared import EDITIONS

__all__ = ["EDITIONS", "READING_FLAGS", "run"]

READING_FLAGS = {
    "O": {},
    "G": {"zero_counts": ("zero_icons", "zero_counts")},
    "S": {
        "zero_counts": ("zero_icons", "zero_counts"),
        "as_edition_O": ("two_player_puddings", "nobody_loses"),
        "G exception": ("two_player_puddings", "nobody_loses"),
    },
    "A": anniversary.READINGS,
    "D": sushi_draft.READINGS,
}
"""Other readings of ambiguous cases, as readings of the card set, by edition and by their flag, or else their text."""

_OWN = {"A": anniversary.KINDS, "D": sushi_draft.KINDS}


def run(case, readings=()):
    """What the engine makes of a case, under the keys of its ``expect``."""
    kinds = {**shared.KINDS, **_OWN.get(case["edition"], {})}
    return kinds[case["kind"]](case, readings)
