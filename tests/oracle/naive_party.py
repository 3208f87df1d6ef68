"""Independent scorer of two menus of Sushi Go Party, written from the statements in their files alone.

A tableau is a list of names in order of play.
"""

from __future__ import annotations

from dataclasses import dataclass

from oracle import naive
from oracle.naive import nigiri, sashimi, tempura

FRUIT = {
    "two_melons": ("melons", "melons"),
    "two_oranges": ("oranges", "oranges"),
    "two_pineapples": ("pineapples", "pineapples"),
    "melon_orange": ("melons", "oranges"),
    "orange_pineapple": ("oranges", "pineapples"),
    "pineapple_melon": ("pineapples", "melons"),
}
SHAPES = ("onigiri_circle", "onigiri_triangle", "onigiri_square", "onigiri_rectangle")
SHAPE_POINTS = (0, 1, 4, 9, 16)
FRUIT_POINTS = (-2, 0, 1, 3, 6, 10)


@dataclass(frozen=True)
class Edition:
    """The menu that is played."""

    menu: str = "first_meal"


# ── My first meal ─────────────────────────────────────────────────────────────────────────────────────────────────────


def maki(tables: list[list[str]]) -> list[int]:
    """Give 6 for most icons and 3 for second most, in full to all who tie; none without a roll."""
    icons = [sum(naive.ICONS.get(card, 0) for card in table) for table in tables]
    ranked = sorted(set(icons) - {0}, reverse=True)
    prizes = dict(zip(ranked, (6, 3), strict=False))
    return [prizes.get(own, 0) for own in icons]


def tea(table: list[str]) -> int:
    """Score a point for each tea and each card of the largest kind; all nigiri are one kind, so are maki."""
    kinds = [card.split("_")[0] for card in table]
    return table.count("tea") * max(map(kinds.count, kinds), default=0)


def first_meal(tables: list[list[str]]) -> dict[str, list[int]]:
    return {
        "maki": maki(tables),
        "tempura": [tempura(table) for table in tables],
        "sashimi": [sashimi(table) for table in tables],
        "nigiri": [nigiri(table) for table in tables],
        "miso_soup": [3 * table.count("miso_soup") for table in tables],
        "tea": [tea(table) for table in tables],
    }


# ── Cutthroat ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def temaki(tables: list[list[str]]) -> list[int]:
    """Give 4 to the most and -4 to the fewest, in full; no loss for two players, 0 if all are equal."""
    counts = [table.count("temaki") for table in tables]
    if len(set(counts)) == 1:
        return [0] * len(tables)
    loss = 4 if len(tables) > 2 else 0
    return [4 * (own == max(counts)) - loss * (own == min(counts)) for own in counts]


def eel(table: list[str]) -> int:
    """Score -3 for one, 7 for two or more."""
    return {0: 0, 1: -3}.get(table.count("eel"), 7)


def tofu(table: list[str]) -> int:
    """Score 2 for one, 6 for two, and nothing for more."""
    return {1: 2, 2: 6}.get(table.count("tofu"), 0)


def onigiri(table: list[str], copy: int) -> int:
    """Score the first and the second set of different shapes."""
    return SHAPE_POINTS[sum(table.count(shape) >= copy for shape in SHAPES)]


def soy_sauce(tables: list[list[str]]) -> list[int]:
    """Score 4 for each soy sauce of the seats with most kinds of cards, tied or not."""
    kinds = [len({"fruit" if card in FRUIT else card.split("_")[0] for card in table}) for table in tables]
    return [4 * table.count("soy_sauce") * (own == max(kinds)) for table, own in zip(tables, kinds, strict=True)]


def fruit(table: list[str], kind: str) -> int:
    """Score each kind of fruit by its number."""
    found = sum(FRUIT[card].count(kind) for card in table if card in FRUIT)
    return FRUIT_POINTS[min(found, 5)]


def cutthroat(tables: list[list[str]]) -> dict[str, list[int]]:
    return {
        "temaki": temaki(tables),
        "nigiri": [nigiri(table) for table in tables],
        "eel": [eel(table) for table in tables],
        "tofu": [tofu(table) for table in tables],
        "onigiri": [onigiri(table, 1) for table in tables],
        "second_onigiri": [onigiri(table, 2) for table in tables],
        "soy_sauce": soy_sauce(tables),
    }


# ── Both ──────────────────────────────────────────────────────────────────────────────────────────────────────────────


def score_round(tables: list[list[str]], edition: Edition) -> dict[str, list[int]]:
    """Return the points of every rule of the menu after each round, by seat."""
    return first_meal(tables) if edition.menu == "first_meal" else cutthroat(tables)


def score_game(tables: list[list[str]], edition: Edition) -> dict[str, list[int]]:
    """Return the points of the menu's dessert after the last round, by seat."""
    if edition.menu == "first_meal":
        return {"ice_cream": [table.count("ice_cream") // 4 * 12 for table in tables]}
    return {kind: [fruit(table, kind) for table in tables] for kind in ("melons", "oranges", "pineapples")}
