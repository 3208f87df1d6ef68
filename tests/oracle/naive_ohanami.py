"""Independent scorer of Ohanami, written from its rules alone: a garden is a list of cards."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Edition:
    """Placeholder: the game has one edition. Each round scores more colours than the one before."""

    round: int = 3


def number(garden: list[str], colour: str) -> int:
    """Count the cards of a colour."""
    return len([card for card in garden if card.startswith(colour)])


def blossoms(cards: int) -> int:
    """Score one point for the first, two for the second, and so on up to the fifteenth."""
    return sum(range(1, min(cards, 15) + 1))


def score_round(tables: list[list[str]], edition: Edition) -> dict[str, list[int]]:
    """Return the points of each colour, by seat."""
    return {
        "water": [3 * number(own, "blue") for own in tables],
        "plants": [4 * number(own, "green") if edition.round > 1 else 0 for own in tables],
        "stones": [7 * number(own, "grey") if edition.round == 3 else 0 for own in tables],
        "blossoms": [blossoms(number(own, "pink")) if edition.round == 3 else 0 for own in tables],
    }


def score_game(_tables: list[list[str]], _edition: Edition) -> dict[str, list[int]]:
    """Return no points: only rounds score."""
    return {}
