"""Measure what the house rules of the gallery change: ``python benchmarks/house_rules.py [NAME...]``.

Each house rule is compared with the game that it extends, in pairs of games with equal seeds. On both sides the bot
`table` plays, which has learnt the rules of that side. Results go to ``tests/docs/gallery.json``, from which ``make
docs`` makes ``docs/gallery.md``. Without names, only house rules that have changed since are measured.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import draftengine as de
from draftengine.model.shelf import house_rules

FIGURES = Path(__file__).parents[1] / "tests" / "docs" / "gallery.json"
BOTS, SEED, GAMES, PLAYERS = "table", 24, 10_000, 4
FEWER = {"two_by_two": 1_000, "the_ladle": 1_000}
"""Numbers of games for slow rules, whose moves have several cards."""
FOR_TWO = {"brisk_duel"}


def pair(name: str) -> tuple[de.Game, de.Game]:
    """Return the game that a house rule extends, and the game with the house rule."""
    base = de.open_rules(name).document.files[1].asked
    players = 2 if name in FOR_TWO else PLAYERS
    return de.load(base, players=players), de.load(name, players=players)


def measured(name: str) -> dict[str, object]:
    """Compare a house rule with its base and return the part that the gallery shows."""
    games = pair(name)
    found = de.compare(*games, FEWER.get(name, GAMES), bots=BOTS, seed=SEED).to_dict()
    return {
        "rules": [own.fingerprint for own in games],
        "bots": BOTS,
        "seed": SEED,
        "players": found["players"],
        "games": found["games"],
        "sentences": found["summary"],
    }


def main() -> None:
    known = json.loads(FIGURES.read_text(encoding="utf-8")) if FIGURES.exists() else {}
    wanted = sys.argv[1:] or [
        name
        for name in house_rules()
        if name not in known or known[name]["rules"] != [own.fingerprint for own in pair(name)]
    ]
    for name in wanted:
        known[name] = measured(name)
        print(name, *known[name]["sentences"], sep="\n  ", flush=True)
        kept = {own: known[own] for own in sorted(house_rules()) if own in known}
        FIGURES.write_text(json.dumps(kept, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
