"""Restoring a state from its JSON form, to prove that the form is complete."""

from __future__ import annotations

import msgspec

from draftengine.engine.beliefs import Beliefs, HandHistory, ObservedPicks
from draftengine.engine.chance import Stream
from draftengine.engine.instructions import most_depth
from draftengine.engine.state import GameState, reset_scratch


def restore(program, data):
    """Restore a state from the result of `GameState.to_json`."""
    state = object.__new__(GameState)
    state.program = program
    state.formula_card = state.formula_zone_card = 0
    reset_scratch(state)
    for name in ("scores", "markers", "zones", "down", "piles"):
        setattr(state, name, [list(map(as_list, own)) if isinstance(own, list) else own for own in data[name]])
    state.words, state.words_before_choice = ([int(word) for word in data[name]] for name in ("words", "before"))
    state.chips = [[tuple(chip) for chip in own] for own in data["chips"]]
    state.round, state.pc = data["round"], data["pc"]
    state.pending, state.over = tuple(data["pending"]), sum(1 << seat for seat in data["winners"])
    state.outer = [0] * most_depth(program.code)
    state.turns = data["turns"]
    state.stopped = data.get("stopped", 0)
    state.chosen = {int(seat): tuple(move) for seat, move in data["chosen"].items()}
    state.deal, state.chance = (Stream(int(key), at) for key, at in (data["deal"], data["chance"]))
    state.ledger = [(source, number, tuple(points)) for source, number, points in data["ledger"]]
    state.memory = None if data["memory"] is None else remembered(data["memory"], data["choices"])
    return state


def as_list(own):
    return list(own) if isinstance(own, list) else own


def remembered(known, choices):
    return Beliefs(
        [[[dict(map(tuple, own)) for own in zone] for zone in viewer] for viewer in known],
        msgspec.convert(choices["watched"], list[list[ObservedPicks]]),
        msgspec.convert(choices["trails"], list[list[list[HandHistory]]]),
    )
