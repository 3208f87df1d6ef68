"""Adapter from golden cases to the engine: it translates names and never computes a rule.

Unspecified cards of cases (``a1``: "any card") become distinct cards of an extended card set.
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
"""Readings of the card set for ambiguous cases, by edition and by the flag or text of the case."""

_OWN = {"A": anniversary.KINDS, "D": sushi_draft.KINDS}


def run(case, readings=()):
    """Return the engine's results for a case, under the keys of its ``expect``."""
    kinds = {**shared.KINDS, **_OWN.get(case["edition"], {})}
    return kinds[case["kind"]](case, readings)
