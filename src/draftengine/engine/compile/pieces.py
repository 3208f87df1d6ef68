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
        kinds = sorted({least for least, leaves in leaving if leaves})
        return tuple(tuple(int(bool(leaves) and least == kind) for least, leaves in leaving) for kind in kinds)


def lying_of(model: CardSet, unpacked: list[UnpackedPlay], names: FormulaNames) -> PieceTables:
    """All plays of a game, and what becomes of them."""
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
    """A play; what a modifier opens later of which it is told card by card is no longer said by how many come."""
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
    """The play of a card that lies like a piece but for what one modifier takes."""
    changed = tuple((name, left if name == modifier else old) for name, old in piece.left)
    return by_content[play_index, piece.used, changed]


def _unpacked(model: CardSet, play: UnpackedPlay, play_index: int, piece: Piece, names: FormulaNames) -> UnpackedPlay:
    """What a card adds that lies like this: what modifiers made of it, and the places that are open on itself."""
    alone = modified(play, [modifier for modifier in play.modifiers if modifier.id in piece.used], names)
    alone |= {open_counter(name): max(left, 0) for name, left in piece.left}
    amounts = amounts_in(TABLEAU, alone) if cards_wander(model) else alone
    return UnpackedPlay(play.name + piece.name, play.card, amounts, alone, (), form=play.form, of=play_index)
