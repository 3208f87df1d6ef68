"""Limits the work of checking a card set that has many selections and numbers of players.

Games that are not checked at first are checked before they are played, so no game with an error is ever played.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from draftengine.model.diagnostics import diagnose
from draftengine.model.yaml.tree import Mapping, Scalar, Sequence, below, entries_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from draftengine.model.diagnostics import Diagnostic
    from draftengine.model.yaml.tree import Node

BUDGET = 1_100_000
"""The units of work that may be spent on checking one card set. A unit is less than a microsecond."""
_TO_BUILD, _TO_READ, _TO_CHECK = 6, 2, 3
"""Units of work for each key and value: to build a game, to read the file, and to check a game.

The last of these is needed for each number of players.
"""
EXAMPLES_BUDGET, _TO_COMPILE, _EXAMPLES = 500_000, 40, 10
"""Units of work for all worked examples; units to compile a key or value; examples that always run."""
_LETTERS = 16
"""The number of characters of a formula that count as one key."""
_UNCHECKED = frozenset({"about", "examples", "lists", "sources", "variants", "readings", "title"})


class Extent(Struct, frozen=True):
    """The part of a card set that is checked: a number of selections, and numbers of players."""

    selections: int
    """The number of selections of variants and options that are checked. The first is the base game."""
    base_whole: bool
    """True if the base game is checked with all numbers of players, not only the fewest and the most."""
    others_whole: bool
    """True if all other selections are checked with all numbers of players, not only fewest and most."""
    findings: tuple[Diagnostic, ...] = ()
    """A finding that says what is not checked; empty if everything is checked."""
    most_only: bool = False
    """True if all games are checked with the largest number of players only."""


EVERYTHING = Extent(0, base_whole=True, others_whole=True)


def affordable(root: Mapping) -> int:
    """Return the number of selections for which the budget suffices to build a game."""
    return max(1, BUDGET // _to_build(root))


def extent_of(root: Mapping, players: tuple[int, int], followed: Iterable[int], selections: int) -> Extent:
    """Return how much of a card set is checked. `selections` is the number of its selections.

    `followed` yields the work of the dry run for each different flow, beginning with the base game (see
    `dry_run_work`). It is read only as far as the budget allows.
    """
    build, check = _to_build(root), _TO_CHECK * _played_by(root)
    counts = players[1] - players[0] + 1
    few = min(counts, 2)
    flows = base = 0
    for flow in followed:
        base = base or flow
        flows += flow
        if few * flows > BUDGET:
            break
    if selections * (build + counts * check) + counts * flows <= BUDGET:
        return Extent(selections, base_whole=True, others_whole=True)
    if selections * (build + few * check) + counts * (check + base) + few * (flows - base) <= BUDGET:
        checked = "all variants and answers with the fewest and the most players, and the base game with any number"
        return Extent(
            selections, base_whole=True, others_whole=False, findings=_told(root, selections, counts, checked)
        )
    most = min(selections, max(1, (BUDGET - few * flows) // (build + few * check)))
    others = ""
    if selections > 1 and most > 1:
        others = f" and {'all' if most == selections else f'the first {most - 1}'} variants and answers"
    checked = f"the base game{others} with the fewest and the most players"
    return Extent(most, base_whole=False, others_whole=False, findings=_told(root, selections, counts, checked))


def _to_build(root: Mapping) -> int:
    size = _played_by(root)
    return _TO_BUILD * size + _TO_READ * (_size(root) - size)


def most_examples(root: Mapping) -> int:
    """Return the number of different games for which worked examples are run."""
    return max(_EXAMPLES, EXAMPLES_BUDGET // (_TO_COMPILE * _played_by(root)))


def _played_by(root: Mapping) -> int:
    """Return the size of the rules: the number of keys and values in the parts that matter to play.

    A wild card for any card, or for a family, counts as a list of all cards.
    """
    cards = root.get("cards")
    entries = entries_of(cards)
    names = frozenset(entry.key.text for entry in entries)
    wild = 0
    for entry in entries:
        of = below(entry.value, ("forms", "of"))
        forms = of.items if isinstance(of, Sequence) else (of,) if of is not None else ()
        wild += any(isinstance(name, Scalar) and name.value not in names for name in forms)
    written = sum(_size(entry.value) for entry in root.entries if entry.key.text not in _UNCHECKED)
    return written + wild * len(entries)


def _size(node: Node) -> int:
    """Return the number of keys and values in a node. Long texts count several times."""
    if isinstance(node, Mapping):
        return 1 + sum(_size(entry.value) for entry in node.entries)
    if isinstance(node, Sequence):
        return 1 + sum(map(_size, node.items))
    return 1 + len(str(node.value)) // _LETTERS


def _told(root: Mapping, selections: int, counts: int, checked: str) -> tuple[Diagnostic, ...]:
    keys = ("variants", "readings", "parameters") if selections > 1 else ()
    entry = next(entry for entry in map(root.entry, (*keys, "players")) if entry is not None)
    games = f"{selections} games, with its variants and answers, each" if selections > 1 else "a game"
    return (
        diagnose(
            "not-all-checked",
            entry.key.span,
            f"/{entry.key.text}",
            say="games",
            games=games,
            counts=counts,
            checked=checked,
        ),
    )
