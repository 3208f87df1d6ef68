"""What the kernel has no room for it refuses, with the reason; nothing is played wrongly."""

import json

import pytest

from compiled import load_program
from draftengine.cardset.resolve import NOTHING_SELECTED, open_document
from draftengine.kernel import UnsupportedError
from draftengine.kernel.pack import Packed
from draftengine.kernel.player import Player
from kernel.comparing import by_machine, by_reference


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


@pytest.mark.kernel
@pytest.mark.xdist_group("kernel")
def test_rules_that_look_at_several_counters():
    """Points are remembered by rule, whatever other rules look at: the zeros of one are not the number of another."""
    names = ["dish_0", "dish_1", "dish_2"]
    scoring = {
        "row": {"kind": "runs", "of": names, "points": [0, 1, 0]},
        "best": {"kind": "each", "of": "max(dish_0, dish_0)", "points": 0},
        "pair": {"kind": "each", "of": "dish_1 * dish_2", "points": 3},
    }
    program = game(2, hand=4, scoring=scoring)
    player = Player(program, ["random", "random"], tracked=True)
    for number in range(60):
        assert by_machine(player, 1, number) == by_reference(program, ["random", "random"], 1, number)
