"""What the kernel has no room for it refuses, with the reason; nothing is played wrongly."""

import json

import pytest

from draftengine.cardset.resolve import NOTHING_SELECTED, open_document
from draftengine.kernel import UnsupportedError
from draftengine.kernel.pack import Packed
from draftengine.library import load_program
from draftengine.simulate.playing import why_not_kernel

pytestmark = pytest.mark.xdist_group("kernel")


def game(players, *, hand=4, chosen=1, cards=3, **more):
    names = [f"dish_{number}" for number in range(cards)]
    data = {
        "format": 1,
        "id": "crowd",
        "title": "Crowd",
        "version": "1.0.0",
        "players": f"2-{players}",
        "rounds": 1,
        "cards": {name: {"count": -(-players * hand // cards)} for name in names},
        "setup": [{"shuffle": "deck"}],
        "round": [
            {"deal": {"to": "hand", "cards": hand}},
            {"repeat": {"until_empty": "hand", "do": [{"choose": {"from": "hand", "to": "tableau", "cards": chosen}}]}},
            {"score": "round"},
            {"clear": "tableau"},
        ],
        "scoring": {name: {"kind": "each", "of": name, "points": 1} for name in names},
        "winner": {"order": "most"},
        **more,
    }
    document, findings = open_document(json.dumps(data).encode(), "crowd.yaml", lambda _: None)
    assert document is not None, findings
    return load_program(document, NOTHING_SELECTED, players)


@pytest.mark.parametrize(
    ("program", "reason"),
    [
        (lambda: game(13, hand=2), "seats"),
        (lambda: game(2, hand=40, cards=40), "bits"),
        (lambda: game(2, hand=40, chosen=40), "chosen at once"),
    ],
    ids=["seats", "bits", "codes"],
)
def test_too_much(program, reason):
    with pytest.raises(UnsupportedError, match=reason):
        Packed(program())


def test_bots_that_are_no_policies():
    assert "search" in why_not_kernel(game(2), ("search", "random"))


def test_enough():
    assert why_not_kernel(game(4), ("random",) * 4) == ""
