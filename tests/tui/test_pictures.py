"""The text of the screen at three sizes equals golden files; ``DRAFTENGINE_WRITE=1`` rewrites them.

Review changed files before committing them. They have no colours; `test_pen.py` tests those.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

import draftengine as de
from draftengine.apps.play.score_book import Scorebook
from tui.harness import keeping, recorded, run, sitting, watching

FOLDER = Path(__file__).parent / "pictures"
SIZES = ((80, 24), (120, 36), (160, 45))
SCENES = {
    "choose": ("sushi_go", 4, (), ["1", "enter", "2", "enter", "3", "enter"]),
    "chosen": ("sushi_go", 4, (), ["1", "enter", "2", "enter", "3", "enter", "4"]),
    "sheet": ("sushi_go", 5, (), [*["1", "enter"] * 7, "down", "space"]),
    "layout": ("anniversary", 2, ("sushi_battle",), ["1", "enter", "1", "enter", "1"]),
    "eight": ("party_cutthroat", 8, (), ["1", "enter", "1", "enter"]),
    "help": ("sushi_draft", 3, (), ["?"]),
}
TOGETHER = [(name, size) for name in SCENES for size in SIZES if size == SIZES[0] or name in {"choose", "sheet"}]


@pytest.mark.parametrize(
    ("name", "size"), TOGETHER, ids=lambda own: own if isinstance(own, str) else "x".join(map(str, own))
)
def test_it_looks_as_it_did(name, size):
    """Every screen equals its file, at every size."""
    _compare(name, size, run(_shown(name, size)))


def _compare(name, size, shown):
    path = FOLDER / f"{name}-{size[0]}x{size[1]}.txt"
    before = path.read_text(encoding="utf-8") if path.exists() else ""
    if shown != before and os.environ.get("DRAFTENGINE_WRITE"):
        FOLDER.mkdir(exist_ok=True)
        path.write_text(shown, encoding="utf-8")
    assert shown == before


OTHERS = ("replay", "hands", "points", "scores", "cover")
"""Screens besides the table; all at the smallest size, and the first and fourth at all sizes."""


@pytest.mark.parametrize(
    ("name", "size"),
    [(name, size) for name in OTHERS for size in SIZES if size == SIZES[0] or name in {"replay", "scores"}],
    ids=lambda own: own if isinstance(own, str) else "x".join(map(str, own)),
)
def test_other_screens_look_as_they_did(name, size):
    _compare(name, size, run(_others(name, size)))


async def _others(name, size):
    if name == "cover":
        seats = ["human", "human", "greedy"]
        async with sitting(de.load("sushi_go", players=3), seats, size=size, people=("Ada", "Ben")) as table:
            await table.press("enter", "1", "enter")
            return table.screen + "\n"
    if name == "scores":
        book = Scorebook(de.load("sushi_go", players=3), ["Ada", "Ben", "Chloé"])
        async with keeping(book, size) as table:
            await table.press("1", "1", "0", "9", "tab", "4", "4", "6")
            return table.screen + "\n"
    async with watching(recorded("sushi_go", 3), 0 if name == "replay" else -1, size) as film:
        await film.press(*["right"] * 5, *(["p"] if name == "points" else []))
        return film.screen + "\n"


async def _shown(name, size):
    cardset, players, variants, keys = SCENES[name]
    game = de.load(cardset, players=players, variants=variants)
    async with sitting(game, size=size, people=("Ada",)) as table:
        await table.press(*keys)
        return table.screen + "\n"
