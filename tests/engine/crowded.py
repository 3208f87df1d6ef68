"""Games of unusual size: large hands, or more cards than a word has bits, some of them wild."""

import json

from compiled import load_program
from draftengine.model.selection import NOTHING_SELECTED, open_document

WILD = {"stew": {"count": 9, "forms": {"of": ["dish_0", "dish_2"], "when": "card > 0"}}}
SHARED = {f"secret_{number}": {"count": 9, "face": "secret"} for number in range(2)}


def crowded(hand, cards, more=None, **parts):
    """Return a game of two with hands of `hand` cards and `cards` kinds of cards, some of them wild."""
    names = [f"dish_{number}" for number in range(cards)]
    text = json.dumps(
        {
            "format": 1,
            "id": "crowded",
            "title": "Crowded",
            "version": "1.0.0",
            "players": "2",
            "rounds": 2,
            "cards": {name: {"count": 2 + 160 // cards} for name in names} | (more or {}),
            "setup": [{"shuffle": "deck"}],
            "round": [
                {"deal": {"to": "hand", "cards": hand}},
                {
                    "repeat": {
                        "until_empty": "hand",
                        "do": [{"choose": {"from": "hand", "to": "tableau"}}, {"pass": {"zone": "hand", "to": "left"}}],
                    }
                },
                {"score": "round"},
                {"clear": "tableau"},
            ],
            "scoring": {name: {"kind": "table", "of": name, "points": [1, 4, 2]} for name in names[:3]},
            "winner": {"order": "most"},
            "abilities": {
                "more": {"card": names[1], "take": 1, "when": "before_reveal", "per_turn": 1, "returns_to": "hand"}
            },
        }
        | parts
    )
    document, findings = open_document(text.encode(), "crowded.yaml", lambda _: None)
    assert document is not None, findings
    return load_program(document, NOTHING_SELECTED, 2)
