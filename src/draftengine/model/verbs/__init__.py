"""The verbs, one module each, and the tables in which the program looks them up.

A new verb costs one module, one row of `_FLOW` or `_EFFECTS`, and one case file under ``tests/verbs``.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

from draftengine.model.verbs import (
    add,
    chip,
    choose,
    clear,
    deal,
    discard,
    draw,
    end,
    gather,
    give,
    in_turn,
    move,
    pass_,
    points,
    repeat,
    roll,
    score,
    set_,
    shuffle,
    take,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from draftengine.model.loading.reader import Reader
    from draftengine.model.verbs.verb import AnyVerb, Step

__all__ = ["EFFECTS", "FLOW_VERBS", "LIST_VERBS", "VERBS", "read_step"]

_FLOW = (shuffle, deal, draw, choose, pass_, move, give, score, clear, gather, repeat, in_turn, end)
_EFFECTS = (points, take, roll, add, set_, chip, discard)
_IN_LISTS = (draw, choose, move, shuffle, give)

FLOW_VERBS: Mapping[str, AnyVerb] = MappingProxyType({module.VERB.name: module.VERB for module in _FLOW})
"""Verbs of the table's steps, in setup, rounds and finish; in the order of the reference."""

EFFECTS: Mapping[str, AnyVerb] = MappingProxyType({module.VERB.name: module.VERB for module in _EFFECTS})
"""Effects of a played card or a trigger on a seat; in the order of the reference."""

LIST_VERBS: Mapping[str, AnyVerb] = MappingProxyType(
    {**EFFECTS, **{module.VERB.name: module.VERB for module in _IN_LISTS}}
)
"""Verbs of a step list: effects on its seat, and what that seat does at the table."""

VERBS: Mapping[str, AnyVerb] = MappingProxyType({**FLOW_VERBS, **EFFECTS})


def read_step(reader: Reader, *, for_one: bool = False) -> Step:
    """Read the step of a mapping; its span is that of the verb."""
    entry = next(entry for entry in reader.node.entries if entry.key.text in VERBS)
    step: Step = VERBS[entry.key.text].spec.read(reader, span=entry.key.span, for_one=for_one)
    return step
