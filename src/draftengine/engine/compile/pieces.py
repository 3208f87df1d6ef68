"""Cards that lie on modifiers, and modifiers by what they still take, are plays of their own where they can leave.

How a card can lie, `draftengine.model.cardset.pieces` says.
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
"""More than a modifier takes; one that is still closed counts as if it took nearly so many."""


class PieceTables(Struct, frozen=True):
    """What plays become; every table is empty in a game without pieces."""

    unpacked: tuple[UnpackedPlay, ...]
    """All plays: as cards are played, and behind them the pieces."""
    pieces_of_play: tuple[tuple[int, ...], ...] = ()
    """As what a play lies, by play and by the modifiers that are used on it (bit *i* = the *i*-th of the play)."""
    after_slot_used: tuple[tuple[int, ...], ...] = ()
    """As what a modifier lies when one more card goes on it, by modifier and play; -1 if it takes none."""
    opened: tuple[tuple[int, ...], ...] = ()
    """As what a modifier lies when it opens after the reveal, by modifier and play; -1 if that is not to come."""
    least: tuple[tuple[int, int], ...] = ()
    """What tells, by play, which of several cards of a name leaves first: the smallest."""

    def in_order(self, admits: Sequence[int]) -> tuple[tuple[int, ...], ...]:
        """Of the plays that can leave, by play, those that leave first, and so on.

        Nobody is asked which of several cards it is. So one on which no modifier was used goes before one that changed,
        and a modifier that takes nothing any more before one that does; of those that are equal the last laid.
        """
        if not (self.least and any(admits)):
            return (tuple(admits),)
        leaving = list(zip(self.least, admits, strict=True))
        kinds = sorted({own for own, leaves in leaving if leaves})
        return tuple(tuple(int(bool(leaves) and own == kind) for own, leaves in leaving) for kind in kinds)


def lying_of(model: CardSet, unpacked: list[UnpackedPlay], names: FormulaNames) -> PieceTables:
    """All plays of a game, and what becomes of them."""
    pieces = Pieces(model)
    if not pieces.leaving:
        return PieceTables(tuple(unpacked))
    by_id = {card.id: card for card in model.cards}
    ways = [pieces.of(model.cards[own.card], by_id[own.form]) for own in unpacked]
    if all(len(own) == 1 for own in ways):
        return PieceTables(tuple(unpacked))
    found = [_as_laid(own, pieces) for own in unpacked]
    number: dict[tuple[int, Piece], int] = {}
    for at, (play, own) in enumerate(zip(unpacked, ways, strict=True)):
        number[at, own[0]] = at
        for piece in own[1:]:
            number[at, piece] = len(found)
            found.append(_unpacked(model, play, at, piece, names))
    by_content = {(at, own.used, own.left): index for (at, own), index in number.items()}
    landing = []
    for at, (play, own) in enumerate(zip(unpacked, ways, strict=True)):
        as_laid = own[0]
        uses = [_used(play, bits) for bits in range(1 << len(play.modifiers))]
        landing.append(tuple(by_content.get((at, used, as_laid.left), at) for used in uses))
    lying = [(at, piece) for (at, piece), _ in sorted(number.items(), key=lambda own: own[1])]
    narrowed, opened = [], []
    for modifier in model.modifiers:
        narrower, opening = [], []
        for at, piece in lying:
            left = dict(piece.left).get(modifier.id, 0)
            narrower.append(_with(by_content, at, piece, modifier.id, left - 1) if left > 0 else -1)
            opening.append(_with(by_content, at, piece, modifier.id, modifier.capacity) if left == CLOSED else -1)
        narrowed.append(tuple(narrower))
        opened.append(tuple(opening))
    behind = [(index,) for index in range(len(unpacked), len(found))]
    least = tuple((len(piece.used), sum(left % _MANY for _, left in piece.left)) for _, piece in lying)
    return PieceTables(tuple(found), (*landing, *behind), tuple(narrowed), tuple(opened), least)


def _as_laid(play: UnpackedPlay, pieces: Pieces) -> UnpackedPlay:
    """A play; what a modifier opens later of which it is told card by card is no longer said by how many come."""
    told = {open_counter(own.id) for own in pieces.modifiers}
    later = MappingProxyType({name: amount for name, amount in play.later.items() if name not in told})
    return replace(play, later=later)


def _used(play: UnpackedPlay, bits: int) -> tuple[str, ...]:
    return tuple(own.id for at, own in enumerate(play.modifiers) if bits >> at & 1)


def _with(
    by_content: dict[tuple[int, tuple[str, ...], tuple[tuple[str, int], ...]], int],
    at: int,
    piece: Piece,
    modifier: str,
    left: int,
) -> int:
    """The play of a card that lies like a piece but for what one modifier takes."""
    changed = tuple((name, left if name == modifier else own) for name, own in piece.left)
    return by_content[at, piece.used, changed]


def _unpacked(model: CardSet, play: UnpackedPlay, at: int, piece: Piece, names: FormulaNames) -> UnpackedPlay:
    """What a card adds that lies like this: what modifiers made of it, and the places that are open on itself."""
    alone = modified(play, [own for own in play.modifiers if own.id in piece.used], names)
    alone |= {open_counter(name): max(left, 0) for name, left in piece.left}
    amounts = amounts_in(TABLEAU, alone) if cards_wander(model) else alone
    return UnpackedPlay(play.name + piece.name, play.card, amounts, alone, (), form=play.form, of=at)
