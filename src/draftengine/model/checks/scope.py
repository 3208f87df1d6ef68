"""How much of a card set is checked: everything, unless variants, answers and numbers of players multiply to too much.

What is left out here is checked when somebody wants to play it, so nothing that is wrong is ever played.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from draftengine.model.diagnostics.catalog import diagnose
from draftengine.model.yaml.tree import Mapping, Scalar, Sequence

if TYPE_CHECKING:
    from collections.abc import Iterable

    from draftengine.model.diagnostics.diagnostic import Diagnostic
    from draftengine.model.yaml.tree import Node

BUDGET = 1_100_000
"""So many units of work are spent on one card set. A unit is less than a microsecond."""
_TO_BUILD, _TO_READ, _TO_CHECK = 6, 2, 3
"""Units for each key and value of a card set: to make the game of a selection from what it plays by, and from the rest;
and to check it for a number of players."""
EXAMPLES_BUDGET, _TO_COMPILE, _EXAMPLES = 500_000, 40, 10
"""Units for all worked examples, units for each key and value to compile a game for them; so many are always run."""
_LETTERS = 16
"""So many characters of a formula are as much work as a key."""
_UNCHECKED = frozenset({"about", "examples", "sources", "variants", "readings", "title"})


class Extent(Struct, frozen=True):
    """What is checked."""

    selections: int
    """So many selections of variants and answers, the base game first."""
    base_whole: bool
    """The base game with every number of players, not with the fewest and the most only."""
    others_whole: bool
    """All other selections with every number of players, not with the fewest and the most only."""
    findings: tuple[Diagnostic, ...] = ()
    """What says so, if that is not everything."""


EVERYTHING = Extent(0, base_whole=True, others_whole=True)


def affordable(root: Mapping) -> int:
    """Of so many selections of a card set the games can be made."""
    return max(1, BUDGET // _to_build(root))


def extent_of(root: Mapping, players: tuple[int, int], followed: Iterable[int], selections: int) -> Extent:
    """What is checked of a card set with so many selections.

    `followed` is how much there is to follow with the most players in each flow that is unlike the others (see `Plan`),
    that of the base game first. No more of them are asked for than there is time for.
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
    checked = f"the base game{_others(most, selections)} with the fewest and the most players"
    return Extent(most, base_whole=False, others_whole=False, findings=_told(root, selections, counts, checked))


def _to_build(root: Mapping) -> int:
    size = _played_by(root)
    return _TO_BUILD * size + _TO_READ * (_size(root) - size)


def most_examples(root: Mapping) -> int:
    """Of so many different games worked examples are run."""
    return max(_EXAMPLES, EXAMPLES_BUDGET // (_TO_COMPILE * _played_by(root)))


def _played_by(root: Mapping) -> int:
    """The size of what a game is played by; a wild card for any card, or a family, is as much as a list of all."""
    cards = root.get("cards")
    entries = cards.entries if isinstance(cards, Mapping) else ()
    names = frozenset(entry.key.text for entry in entries)
    wild = sum(_is_for_many(entry.value, names) for entry in entries)
    written = sum(_size(entry.value) for entry in root.entries if entry.key.text not in _UNCHECKED)
    return written + wild * len(entries)


def _is_for_many(card: Node, cards: frozenset[str]) -> bool:
    """Is this a wild card for any card, or for those of a family."""
    forms = card.get("forms") if isinstance(card, Mapping) else None
    of = forms.get("of") if isinstance(forms, Mapping) else None
    named = of.items if isinstance(of, Sequence) else (of,) if of is not None else ()
    return any(isinstance(name, Scalar) and name.value not in cards for name in named)


def _size(node: Node) -> int:
    """How many keys and values there are, long texts counted by their length."""
    if isinstance(node, Mapping):
        return 1 + sum(_size(entry.value) for entry in node.entries)
    if isinstance(node, Sequence):
        return 1 + sum(map(_size, node.items))
    return 1 + len(str(node.value)) // _LETTERS


def _others(most: int, selections: int) -> str:
    if most == selections:
        return " and all variants and answers" if selections > 1 else ""
    return f" and the first {most - 1} variants and answers" if most > 1 else ""


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
