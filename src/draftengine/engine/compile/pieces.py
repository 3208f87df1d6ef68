"""Pieces as plays of their own, in games where they can leave.

A *piece* is a card that lies on a modifier, or a modifier with its remaining slots. `draftengine.model.cardset.pieces`
says which pieces there can be.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from draftengine.engine.compile.plays import UnpackedPlay, modified
from draftengine.model.cardset.amounts import amounts_in, open_counter
from draftengine.model.cardset.effects import cards_wander
from draftengine.model.cardset.pieces import CLOSED, Pieces
from draftengine.model.cardset.records import TABLEAU

if TYPE_CHECKING:
    from collections.abc import Sequence

    from draftengine.engine.compile.formulas import FormulaNames
    from draftengine.model.cardset.pieces import Piece
    from draftengine.model.cardset.records import CardSet


_MANY = 1 << 16
"""Number above any capacity; a closed modifier sorts as if it had one slot fewer than this."""


class PieceTables(Struct, frozen=True):
    """The plays that plays become. All tables except `unpacked` are empty in a game without pieces."""

    unpacked: tuple[UnpackedPlay, ...]
    """All plays: first the cards as they are played, then the pieces."""
    pieces_of_play: tuple[tuple[int, ...], ...] = ()
    """Play that a play becomes, by play and by the modifiers used on it (bit *i* = its *i*-th)."""
    after_slot_used: tuple[tuple[int, ...], ...] = ()
    """Play that results when a slot is used up, by modifier and play; -1 if the play has no such slot."""
    opened: tuple[tuple[int, ...], ...] = ()
    """Play that results when a closed modifier opens, by modifier and play; -1 if it is not closed."""
    least: tuple[tuple[int, int], ...] = ()
    """Key of each play for leaving: among cards of one name, the smallest key leaves first."""

    def in_order(self, admits: Sequence[int]) -> tuple[tuple[int, ...], ...]:
        """Return the plays that can leave in groups, first group first; each group is a flag by play.

        No seat is asked which of several equal cards leaves. A card without used modifiers leaves before a changed one,
        and a modifier without slots before one that has some. Among equals the last one laid leaves.
        """
        if not (self.least and any(admits)):
            return (tuple(admits),)
        leaving = list(zip(self.least, admits, strict=True))
        kinds = sorted({least for least, leaves in leaving if leaves})
        return tuple(tuple(int(bool(leaves) and least == kind) for least, leaves in leaving) for kind in kinds)


def lying_of(model: CardSet, unpacked: list[UnpackedPlay], names: FormulaNames) -> PieceTables:
    """Return all plays of a game, pieces included, and the tables of what they become."""
    pieces = Pieces(model)
    if not pieces.leaving:
        return PieceTables(tuple(unpacked))
    by_id = {card.id: card for card in model.cards}
    ways = [pieces.of(model.cards[play.card], by_id[play.form]) for play in unpacked]
    if all(len(way) == 1 for way in ways):
        return PieceTables(tuple(unpacked))
    plays = [_as_laid(play, pieces) for play in unpacked]
    number: dict[tuple[int, Piece], int] = {}
    for play_index, (play, way) in enumerate(zip(unpacked, ways, strict=True)):
        number[play_index, way[0]] = play_index
        for piece in way[1:]:
            number[play_index, piece] = len(plays)
            plays.append(_unpacked(model, play, play_index, piece, names))
    by_content = {(play_index, piece.used, piece.left): index for (play_index, piece), index in number.items()}
    landing = []
    for play_index, (play, way) in enumerate(zip(unpacked, ways, strict=True)):
        as_laid = way[0]
        uses = [_used(play, bits) for bits in range(1 << len(play.modifiers))]
        landing.append(tuple(by_content.get((play_index, used, as_laid.left), play_index) for used in uses))
    lying = [(play_index, piece) for (play_index, piece), _ in sorted(number.items(), key=lambda item: item[1])]
    narrowed, opened = [], []
    for modifier in model.modifiers:
        narrower, opening = [], []
        for play_index, piece in lying:
            left = dict(piece.left).get(modifier.id, 0)
            narrower.append(_with(by_content, play_index, piece, modifier.id, left - 1) if left > 0 else -1)
            opening.append(
                _with(by_content, play_index, piece, modifier.id, modifier.capacity) if left == CLOSED else -1
            )
        narrowed.append(tuple(narrower))
        opened.append(tuple(opening))
    behind = [(index,) for index in range(len(unpacked), len(plays))]
    least = tuple((len(piece.used), sum(left % _MANY for _, left in piece.left)) for _, piece in lying)
    return PieceTables(tuple(plays), (*landing, *behind), tuple(narrowed), tuple(opened), least)


def _as_laid(play: UnpackedPlay, pieces: Pieces) -> UnpackedPlay:
    """Return a play without the later slots of modifiers whose slots are kept card by card."""
    open_counters = {open_counter(modifier.id) for modifier in pieces.modifiers}
    later = MappingProxyType({name: amount for name, amount in play.later.items() if name not in open_counters})
    return replace(play, later=later)


def _used(play: UnpackedPlay, bits: int) -> tuple[str, ...]:
    return tuple(modifier.id for index, modifier in enumerate(play.modifiers) if bits >> index & 1)


def _with(
    by_content: dict[tuple[int, tuple[str, ...], tuple[tuple[str, int], ...]], int],
    play_index: int,
    piece: Piece,
    modifier: str,
    left: int,
) -> int:
    """Return the play of a piece after the remaining slots of one modifier have become `left`."""
    changed = tuple((name, left if name == modifier else old) for name, old in piece.left)
    return by_content[play_index, piece.used, changed]


def _unpacked(model: CardSet, play: UnpackedPlay, play_index: int, piece: Piece, names: FormulaNames) -> UnpackedPlay:
    """Return the play of a piece: its amounts as changed by used modifiers, and its own open slots."""
    alone = modified(play, [modifier for modifier in play.modifiers if modifier.id in piece.used], names)
    alone |= {open_counter(name): max(left, 0) for name, left in piece.left}
    amounts = amounts_in(TABLEAU, alone) if cards_wander(model) else alone
    return UnpackedPlay(play.name + piece.name, play.card, amounts, alone, (), form=play.form, of=play_index)
