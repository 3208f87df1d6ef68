"""Compilation of cards into plays and options.

A *play* is a card as it lies in a tableau. Its *increment* is what it adds to its seat's packed word of counters. An
*option* is a face in a form that a seat can name when it chooses.

A *piece* is a card that lies on a modifier, or a modifier with its remaining slots. If pieces can leave the tableau,
each piece is a separate play; `draftengine.model.cardset.pieces` says which pieces can exist.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from draftengine.engine.compile.formulas import FormulaNames, number_of, value_of
from draftengine.engine.program import Option, Play
from draftengine.model.cardset.effects import (
    amounts_as,
    amounts_in,
    amounts_of,
    cards_wander,
    modifiers_for,
    open_counter,
)
from draftengine.model.cardset.facts import card_numbers
from draftengine.model.cardset.pieces import CLOSED, Pieces
from draftengine.model.cardset.records import TABLEAU

if TYPE_CHECKING:
    from collections.abc import Sequence

    from draftengine.engine.compile.formulas import Fields, FormulaNames
    from draftengine.model.cardset.pieces import Piece
    from draftengine.model.cardset.records import Card, CardSet, Modifier


class UnpackedPlay(Struct, frozen=True):
    """A play before packing: the change of each counter, by name.

    Changes are packed after all formulas have assigned their fields.
    """

    name: str
    card: int
    amounts: dict[str, int]
    """Amounts that the play adds to the counters of its seat if no modifier changes them."""
    alone: dict[str, int]
    """The amounts that do not depend on the zone in which the card lies, by counter."""
    modifiers: tuple[Modifier, ...]
    effects: tuple[int, ...] = ()
    later: MappingProxyType[str, int] = MappingProxyType({})
    """Amounts that are added after the reveal."""
    form: str = ""
    """The card that the play counts as."""
    of: int = -1
    """For a piece, the play that the card was before it was laid on modifiers; -1 for other plays."""

    def counters(self) -> set[str]:
        """Return the counters that the play can change."""
        changed = {amount.counter for modifier in self.modifiers for amount in modifier.then}
        return {name for name, amount in self.amounts.items() if amount} | changed


def unpacked_plays(model: CardSet) -> list[UnpackedPlay]:
    """Return the plays of all cards: first every card as it is, then the forms of wild cards."""
    by_id = {card.id: card for card in model.cards}
    plain = [_unpacked(model, card.id, index, amounts_of(model, card), card) for index, card in enumerate(model.cards)]
    forms = []
    for index, card in enumerate(model.cards):
        for target in card.forms.of if card.forms else ():
            amounts = amounts_as(model, card, by_id[target])
            forms.append(_unpacked(model, f"{card.id}@{target}", index, amounts, by_id[target]))
    if cards_wander(model):
        return [replace(play, amounts=amounts_in(TABLEAU, play.alone)) for play in plain + forms]
    return plain + forms


def with_effects(
    unpacked: Sequence[UnpackedPlay], model: CardSet, effects: dict[str, tuple[int, ...]]
) -> list[UnpackedPlay]:
    """Return the plays with their effects.

    A wild card also has the effects of the card whose form it takes.
    """
    plays = []
    for play in unpacked:
        causes = dict.fromkeys((model.cards[play.card].id, play.form)) if play.of < 0 else ()
        plays.append(replace(play, effects=tuple(effect for cause in causes for effect in effects.get(cause, ()))))
    return plays


def added_in(
    model: CardSet, unpacked: list[UnpackedPlay], fields: Fields, *, cleared: bool = False
) -> tuple[tuple[int, ...], ...]:
    """Return, for each zone and play, the increment of a card while it lies there; 0 if it adds nothing.

    Counters of open slots change only in tableaus. With `cleared`, only the counters that clearing the tableaus resets
    are included.
    """
    given, opened = fields.given, {open_counter(modifier.id) for modifier in model.modifiers}
    return tuple(
        tuple(
            fields.pack(
                {
                    name: amount
                    for name, amount in amounts_in(zone.id, play.alone).items()
                    if name in given
                    and (zone.id == TABLEAU or name not in opened)
                    and not (cleared and fields.infos[name].keep == "all")
                }
            )
            if zone.counts
            else 0
            for play in unpacked
        )
        for zone in model.zones
    )


def _unpacked(model: CardSet, name: str, index: int, amounts: dict[str, int], form: Card) -> UnpackedPlay:
    late = {open_counter(modifier.id) for modifier in model.modifiers if modifier.opens == "after_reveal"}
    now = {counter: amount for counter, amount in amounts.items() if counter not in late}
    later = {counter: amount for counter, amount in amounts.items() if counter in late}
    return UnpackedPlay(name, index, now, now, modifiers_for(model, form), (), MappingProxyType(later), form.id)


def pack(play: UnpackedPlay, fields: Fields, names: FormulaNames) -> Play:
    """Return the play with its packed change of counters for every combination of open modifiers."""
    increments = []
    for used in range(1 << len(play.modifiers)):
        applied = [modifier for index, modifier in enumerate(play.modifiers) if used >> index & 1]
        amounts = modified(play, applied, names)
        for opened in (open_counter(modifier.id) for modifier in applied):
            amounts[opened] = amounts.get(opened, 0) - 1
        increments.append(fields.pack(amounts_in(TABLEAU, amounts)))
    bits = tuple(fields.field(open_counter(modifier.id)).field_mask for modifier in play.modifiers)
    stacks = all(modifier.stacks for modifier in play.modifiers)
    mixed = fields.pack_mixed(play.amounts)
    later = fields.pack(dict(play.later))
    return Play(play.name, play.card, increments[0], bits, tuple(increments), stacks, mixed, play.effects, later)


def modified(play: UnpackedPlay, used: Sequence[Modifier], names: FormulaNames) -> dict[str, int]:
    """Return the amounts that a play adds to counters when the modifiers `used` are used on it."""
    amounts = dict(play.alone)
    for change in (amount for modifier in used for amount in modifier.then):
        local = replace(names, local={"amount": amounts.get(change.counter, 0)})
        amounts[change.counter] = number_of(change.formula, local)
    return amounts


class CardOptions(Struct, frozen=True):
    """The options of a game; and for each card, its options, its face, and the typical card of that face."""

    options: tuple[Option, ...]
    of_card: tuple[tuple[int, ...], ...]
    face_of: tuple[int, ...]
    typical: tuple[int, ...]


def options_of(model: CardSet, unpacked: list[UnpackedPlay], names: FormulaNames) -> CardOptions:
    """Return the options: one for each face, then one for each form of a wild card.

    In `of_card`, the forms of a wild card precede the card itself. If seats can choose cards from zones in which
    cards add to counters, pieces are options, too, but `of_card` does not contain them.
    """
    pieces = [play for play in unpacked if play.of >= 0] if cards_wander(model) else []
    unpacked = [play for play in unpacked if play.of < 0]
    first: dict[str, int] = {}
    faces = [card.face or card.id for card in model.cards]
    for index, face in enumerate(faces):
        first.setdefault(face, index)
    typical: dict[str, int] = {}
    options: list[Option] = []
    for face in first:
        alike = [index for index, other in enumerate(faces) if other == face]
        # The typical card is the middle one of all copies, in the order of the card set.
        copies = [card for card in alike for _ in range(model.cards[card].count)] or alike
        typical[face] = copies[len(copies) // 2]
        options.append(Option(face, tuple((index, index) for index in alike), typical[face], None))
    where = {face: index for index, face in enumerate(first)}
    of_card = [[where[face]] for face in faces]
    for index in range(len(model.cards), len(unpacked)):
        play = unpacked[index]
        card = model.cards[play.card]
        target = play.form
        of_card[play.card].insert(-1, len(options))
        allowed = None
        if card.forms and card.forms.when:
            form = next(index for index, card in enumerate(model.cards) if card.id == target)
            played = model.cards[form]
            alias = {"card": played.copy_of or target, "family": played.family[0] if played.family else target}
            its = {f"its.{name}": numbers[form] for name, numbers in card_numbers(model.cards).items()}
            allowed = value_of(card.forms.when, replace(names, alias=alias, local={**names.local, **its}))
        options.append(Option(play.name, ((play.card, index),), index, allowed))
    for index, piece in enumerate(pieces, len(unpacked)):
        options.append(Option(piece.name, ((piece.card, index),), index, None))
    return CardOptions(
        tuple(options),
        tuple(map(tuple, of_card)),
        tuple(first[face] for face in faces),
        tuple(typical[face] for face in faces),
    )


_MANY = 1 << 16
"""A number above any capacity. A closed modifier sorts as if it had one slot fewer than this number."""


class PieceTables(Struct, frozen=True):
    """Tables that say into which other plays a play can turn in the tableau.

    Without pieces, all tables except `unpacked` are empty.
    """

    unpacked: tuple[UnpackedPlay, ...]
    """All plays: first the cards as they are played, then the pieces."""
    pieces_of_play: tuple[tuple[int, ...], ...] = ()
    """The play that results, by play and by the set of its modifiers that are used (bit *i*: the *i*-th)."""
    after_slot_used: tuple[tuple[int, ...], ...] = ()
    """The play that results when a slot is used, by modifier and play; -1 if the play has no such slot."""
    opened: tuple[tuple[int, ...], ...] = ()
    """The play that results when a closed modifier opens, by modifier and play; -1 if it is not closed."""
    least: tuple[tuple[int, int], ...] = ()
    """For each play, a sort key.

    Among plays whose cards have the same name, the one with the smallest key leaves first.
    """

    def in_order(self, admits: Sequence[int]) -> tuple[tuple[int, ...], ...]:
        """Return the plays that `admits` marks, in groups; all plays of a group leave before the next group.

        Each group has a flag for every play. If several cards with one name could leave, a fixed rule decides.
        A card without used modifiers leaves before a changed one, and a modifier without slots before one that
        has slots. Among equal cards, the card that was laid last leaves first.
        """
        if not (self.least and any(admits)):
            return (tuple(admits),)
        leaving = list(zip(self.least, admits, strict=True))
        kinds = sorted({least for least, leaves in leaving if leaves})
        return tuple(tuple(int(bool(leaves) and least == kind) for least, leaves in leaving) for kind in kinds)


def lying_of(model: CardSet, unpacked: list[UnpackedPlay], names: FormulaNames) -> PieceTables:
    """Return all plays of a game, including pieces, and the tables of plays that turn into others."""
    pieces = Pieces(model)
    if not pieces.leaving:
        return PieceTables(tuple(unpacked))
    by_id = {card.id: card for card in model.cards}
    ways = [pieces.of(model.cards[play.card], by_id[play.form]) for play in unpacked]
    if all(len(way) == 1 for way in ways):
        return PieceTables(tuple(unpacked))
    # When a card is laid, slots that open later are left out, if slots are recorded for each card.
    slots = {open_counter(modifier.id) for modifier in pieces.modifiers}
    plays = [
        replace(play, later=MappingProxyType({name: play.later[name] for name in play.later if name not in slots}))
        for play in unpacked
    ]
    number: dict[tuple[int, Piece], int] = {}
    for play_index, (play, way) in enumerate(zip(unpacked, ways, strict=True)):
        number[play_index, way[0]] = play_index
        for piece in way[1:]:
            number[play_index, piece] = len(plays)
            # The piece has its open slots, and the amounts after used modifiers.
            alone = modified(play, [modifier for modifier in play.modifiers if modifier.id in piece.used], names)
            alone |= {open_counter(name): max(left, 0) for name, left in piece.left}
            amounts = amounts_in(TABLEAU, alone) if cards_wander(model) else alone
            name = play.name + piece.name
            plays.append(UnpackedPlay(name, play.card, amounts, alone, (), form=play.form, of=play_index))
    by_content = {(play_index, piece.used, piece.left): index for (play_index, piece), index in number.items()}
    landing = []
    for play_index, (play, way) in enumerate(zip(unpacked, ways, strict=True)):
        as_laid = way[0]
        uses = [
            tuple(modifier.id for index, modifier in enumerate(play.modifiers) if bits >> index & 1)
            for bits in range(1 << len(play.modifiers))
        ]
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


def _with(
    by_content: dict[tuple[int, tuple[str, ...], tuple[tuple[str, int], ...]], int],
    play_index: int,
    piece: Piece,
    modifier: str,
    left: int,
) -> int:
    """Return the play that a piece becomes when one of its modifiers has `left` slots."""
    changed = tuple((name, left if name == modifier else old) for name, old in piece.left)
    return by_content[play_index, piece.used, changed]
