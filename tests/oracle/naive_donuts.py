"""Independent scorer of Go Nuts for Donuts, written from the texts of its cards alone."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Edition:
    """Placeholder: the game has one edition."""


BY_NUMBER = {"boston_cream": (0, 0, 3, 10, 15, 25), "donut_holes": (0, 1, 3, 6, 10, 15)}
"""Points by the number of cards; more than five score as five."""


def score_round(_tables: list[list[str]], _edition: Edition) -> dict[str, list[int]]:
    """Return no points: rounds score nothing."""
    return {}


def score_game(tables: list[list[str]], _edition: Edition) -> dict[str, list[int]]:
    """Return the points of every rule, by seat."""
    plain = [table.count("plain") for table in tables]
    found = {
        "glazed": [2 * table.count("glazed") for table in tables],
        "powdered": [3 * table.count("powdered") for table in tables],
        "jelly": [table.count("jelly") // 2 * 5 for table in tables],
        "plain_each": plain,
        "most_plain": [3 if own == max(plain) > 0 else 0 for own in plain],
        "maple_bar": [3 * table.count("maple_bar") if len(set(table)) >= 7 else 0 for table in tables],
    }
    for card, values in BY_NUMBER.items():
        found[card] = [values[min(table.count(card), 5)] for table in tables]
    return found
