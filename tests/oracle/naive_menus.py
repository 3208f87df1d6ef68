"""Independent scorer of every menu of Sushi Go Party, written from the statements in its files alone.

A tableau is a list of names in order of play. A special order has the name of its copy after an @.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from oracle import naive
from oracle.naive_party import FRUIT, eel, fruit, onigiri, temaki, tofu

if TYPE_CHECKING:
    from random import Random

ROLLS = ("maki", "temaki", "uramaki")
APPETIZERS = ("tempura", "sashimi", "miso_soup", "tofu", "dumpling", "eel", "onigiri", "edamame")
SPECIALS = ("chopsticks", "spoon", "menu", "takeout_box", "soy_sauce", "tea", "wasabi", "special_order")
DESSERTS = ("pudding", "green_tea_ice_cream", "fruit")
DISHES = (*ROLLS, *APPETIZERS, *SPECIALS, *DESSERTS)
COLOURLESS = {"special_order", "takeout_box"}
NOT_FOR = {2: {"edamame", "spoon"}, 7: {"menu", "special_order"}, 8: {"menu", "special_order"}}
"""Dishes that are not used with this number of players."""


@dataclass(frozen=True)
class Edition:
    """The dishes on the menu."""

    menu: tuple[str, ...]
    dice: list[int] = field(default_factory=lambda: [0], compare=False)
    """The number of uramaki places given so far in this round, in a list of one."""


def random_menu(players: int, chance: Random) -> tuple[str, ...]:
    """Return a random menu that this number of players may choose."""
    groups = ((ROLLS, 1), (APPETIZERS, 3), (SPECIALS, 2), (DESSERTS, 1))
    left = [[own for own in dishes if own not in NOT_FOR.get(players, ())] for dishes, _ in groups]
    return tuple(name for own, (_, count) in zip(left, groups, strict=True) for name in chance.sample(own, count))


def lying(table: list[str]) -> list[str]:
    """Return the cards, with each special order replaced by its copy."""
    return [card.split("@")[-1] for card in table]


def kind(card: str) -> str:
    """Return the colour of a card."""
    if card in FRUIT:
        return "fruit"
    return card.partition("_")[0] if card.startswith(("nigiri", "maki", "uramaki", "onigiri")) else card


def prizes(tables: list[list[str]], icons: dict[str, int], points: tuple[int, ...]) -> list[int]:
    """Return the points of each table: most icons get the first prize, and all who tie get it in full."""
    counts = [sum(icons.get(card, 0) for card in table) for table in tables]
    found = []
    for own in counts:
        ahead = [other for other in counts if other > own]
        place = len(set(ahead))
        found.append(points[place] if own and place < len(points) else 0)
    return found


def maki(tables: list[list[str]]) -> dict[str, list[int]]:
    """Give 6 and 3 for most icons; with more than five players 6, 4 and 2."""
    return {"maki": prizes(tables, naive.ICONS, (6, 3) if len(tables) <= 5 else (6, 4, 2))}


def uramaki(tables: list[list[str]], served: int) -> dict[str, list[int]]:
    """Give the remaining places by most icons."""
    names = ("uramaki_left", "uramaki_left_after_one", "uramaki_left_after_two")
    icons = {"uramaki_3": 3, "uramaki_4": 4, "uramaki_5": 5}
    nothing = [0] * len(tables)
    won = prizes(tables, icons, (8, 5, 2)[served:])  # empty once three places are given
    return {name: won if at == served else nothing for at, name in enumerate(names)}


def edamame(tables: list[list[str]]) -> list[int]:
    """Score a point for each edamame and each opponent who has any, at most 4 opponents."""
    having = sum("edamame" in table for table in tables)
    return [table.count("edamame") * min(4, having - 1) for table in tables]


def soy_sauce(tables: list[list[str]]) -> list[int]:
    """Score 4 for each, if nobody has more colours."""
    colours = [len(set(map(kind, table)) - COLOURLESS) for table in tables]
    return [4 * table.count("soy_sauce") * (own == max(colours)) for table, own in zip(tables, colours, strict=True)]


def tea(table: list[str]) -> int:
    """Score for each tea a point for each card of the largest colour."""
    colours = [kind(card) for card in table if card not in COLOURLESS]
    return table.count("tea") * max(map(colours.count, colours), default=0)


def pudding(tables: list[list[str]]) -> list[int]:
    """Give 6 to the most and -6 to the fewest, in full; no loss for two players, 0 if all are equal."""
    counts = [table.count("pudding") for table in tables]
    if len(set(counts)) == 1:
        return [0] * len(tables)
    loss = 6 if len(tables) > 2 else 0
    return [6 * (own == max(counts)) - loss * (own == min(counts)) for own in counts]


def score_round(tables: list[list[str]], edition: Edition) -> dict[str, list[int]]:
    """Return the points of every rule of the menu after a round, by seat."""
    tables = [lying(table) for table in tables]
    by_seat = {
        "tempura": naive.tempura,
        "sashimi": naive.sashimi,
        "dumpling": naive.dumpling,
        "tofu": tofu,
        "eel": eel,
        "tea": tea,
        "miso_soup": lambda table: 3 * table.count("miso_soup"),
    }
    compared = {"temaki": temaki, "edamame": edamame, "soy_sauce": soy_sauce}
    found = {"nigiri": list(map(naive.nigiri, tables))}
    found |= {name: list(map(points, tables)) for name, points in by_seat.items() if name in edition.menu}
    found |= {name: points(tables) for name, points in compared.items() if name in edition.menu}
    if "takeout_box" in edition.menu:
        found["takeout"] = [0] * len(tables)  # only cards turned over during play count
    if "onigiri" in edition.menu:
        found["onigiri"] = [sum(onigiri(table, copy) for copy in range(1, 6)) for table in tables]
    if "maki" in edition.menu:
        found |= maki(tables)
    if "uramaki" in edition.menu:
        found |= uramaki(tables, edition.dice[0])
    return found


def score_game(tables: list[list[str]], edition: Edition) -> dict[str, list[int]]:
    """Return the points of the desserts after the last round, by seat."""
    tables = [lying(table) for table in tables]
    if "pudding" in edition.menu:
        return {"pudding": pudding(tables)}
    if "fruit" in edition.menu:
        return {name: [fruit(table, name) for table in tables] for name in ("melons", "oranges", "pineapples")}
    return {"green_tea_ice_cream": [table.count("green_tea_ice_cream") // 4 * 12 for table in tables]}
