"""The verbs: what a game can do, one module each, and the table in which the program finds them.

A new verb costs one module, one row of `_FLOW` and one case file under ``tests/verbs``.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

from draftengine.verbs import choose, clear, deal, draw, gather, give, move, pass_, repeat, score, shuffle

if TYPE_CHECKING:
    from collections.abc import Mapping

    from draftengine.cardset.reader import Reader
    from draftengine.verbs.verb import AnyVerb, Step

__all__ = ["VERBS", "read_step"]

_FLOW = (shuffle, deal, draw, choose, pass_, move, give, score, clear, gather, repeat)

VERBS: Mapping[str, AnyVerb] = MappingProxyType({module.VERB.name: module.VERB for module in _FLOW})
"""Every verb of the flow by its name, in the order of the reference."""


def read_step(reader: Reader) -> Step:
    """The step that stands in a mapping, whose place is that of its verb."""
    entry = next(entry for entry in reader.node.entries if entry.key.text in VERBS)
    step: Step = VERBS[entry.key.text].spec.read(reader, span=entry.key.span)
    return step
