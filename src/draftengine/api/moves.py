"""Moves by name: what a seat commits to in one choice, and the seat's legal moves as a lazy sequence."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from reprlib import repr as brief
from typing import TYPE_CHECKING, Any, cast, overload

from msgspec import Struct

from draftengine.engine.moves import IllegalMove, choice_of, encode, items_named, name_of

if TYPE_CHECKING:
    from draftengine.engine.choose import Choice
    from draftengine.engine.moves import Move as Codes
    from draftengine.engine.moves import Moves as EngineMoves
    from draftengine.engine.program import Program
    from draftengine.engine.state import GameState

Named = tuple[tuple[str, tuple[str, ...]], ...]
"""Pairs (name, cards): an ability and the cards it takes, or an extra seat and the cards it gets."""


class PickedCard(Struct, frozen=True):
    """One card that a move takes."""

    card: str
    """The name of the card; in a layout, the name of the place."""
    ability: str = ""
    """The id of the ability that takes the card; empty if the seat takes it without an ability."""
    other: str = ""
    """The id of the extra seat that gets the card; empty if the seat that moves gets it."""


class Move(Struct, frozen=True):
    """A seat's commitment in one choice, by card names (``soup``, ``triple@soup``) or places (``r1c2``).

    The order of the cards matters if cards can affect each other.
    """

    cards: tuple[str, ...] = ()
    """Cards that the seat takes for itself, without abilities."""
    abilities: Named = ()
    """Cards that the seat takes with abilities, as (ability, cards)."""
    others: Named = ()
    """Cards that the seat chooses for extra seats, as (extra seat, cards)."""

    @property
    def taken(self) -> tuple[PickedCard, ...]:
        """The cards one by one: those taken without ability, then those with abilities, then for extra seats.

        If `Moves.next` returned this move, the last card is the one that it added.
        """
        plain = [PickedCard(card) for card in self.cards]
        more = [PickedCard(card, ability=name) for name, cards in self.abilities for card in cards]
        given = [PickedCard(card, other=name) for name, cards in self.others for card in cards]
        return (*plain, *more, *given)

    def __str__(self) -> str:
        parts = [" + ".join(self.cards)] if self.cards else []
        parts += [f"{' + '.join(cards)} with {ability}" for ability, cards in self.abilities]
        parts += [f"{' + '.join(cards)} for {seat}" for seat, cards in self.others]
        return ", ".join(parts) or "nothing"

    def to_json(self) -> dict[str, Any]:
        """Return the move as plain data, which `move_from` reads."""
        data: dict[str, Any] = {"cards": list(self.cards)}
        if self.abilities:
            data["with"] = {name: list(cards) for name, cards in self.abilities}
        if self.others:
            data["for"] = {name: list(cards) for name, cards in self.others}
        return data


Written = Move | str | Sequence[str] | Mapping[str, Any]
"""A move as callers may write it: a card, several cards, or a mapping like that of `Move.to_json`.

If there are more cards than the seat takes for itself, the available ability takes the rest.
"""


def move_from(data: Written) -> Move:
    """Return the move that a mapping, a list of cards or one card describes.

    Raises `IllegalMove` (``malformed-move``) for anything else.
    """
    if isinstance(data, Move):
        return data
    if isinstance(data, str):
        return Move((data,))
    if isinstance(data, Mapping):
        if data.keys() <= {"cards", "with", "for"}:
            return Move(_cards(data.get("cards", ())), _named(data.get("with", {})), _named(data.get("for", {})))
    elif isinstance(data, Sequence):
        return Move(_cards(data))
    raise IllegalMove("malformed-move")


def _cards(data: object) -> tuple[str, ...]:
    if isinstance(data, str):
        return (data,)
    if not isinstance(data, Sequence) or not all(isinstance(card, str) for card in data):
        raise IllegalMove("malformed-move")
    return tuple(cast("Sequence[str]", data))


def _named(data: object) -> Named:
    if not isinstance(data, Mapping) or not all(isinstance(name, str) for name in data):
        raise IllegalMove("malformed-move")
    return tuple((name, _cards(cards)) for name, cards in data.items())


def pairs(moves: object) -> Iterator[tuple[int, Written]]:
    """Yield (seat, move) pairs from an iterable of such pairs. Raises `IllegalMove` for anything else."""
    if not isinstance(moves, Iterable):
        raise IllegalMove("malformed-move", f"moves are listed as pairs of a seat and a move, not {brief(moves)}")
    for pair in moves:
        if not isinstance(pair, (tuple, list)) or len(pair) != 2:  # noqa: PLR2004 (a seat and a move)
            raise IllegalMove("malformed-move", f"a pair of a seat and a move is expected, not {brief(pair)}")
        yield pair[0], pair[1]


def named(program: Program, choice: Choice, codes: Codes) -> Move:
    """Return the move, by names, that the engine's codes stand for in a choice."""
    described = choice.describe(program, codes)
    return Move(
        tuple(described["cards"]),
        tuple((name, tuple(cards)) for name, cards in described.get("with", {}).items()),
        tuple((name, tuple(cards)) for name, cards in described.get("for", {}).items()),
    )


def spelled(program: Program, choice: Choice, move: Move) -> Codes:
    """Return the engine codes of a move that states the ability or extra seat for each card.

    Raises `IllegalMove` for names that are not among the options of the choice.
    """
    abilities = {program.abilities[index].model.id: 1 + index for index in choice.abilities}
    seats = {program.seat_name(seat): channel for channel, (seat, _, _) in enumerate(choice.also, choice.first_other)}
    parts = [(0, move.cards)]
    for names, channels, code in (
        (move.abilities, abilities, "ability-not-available"),
        (move.others, seats, "wrong-seat"),
    ):
        for name, cards in names:
            if name not in channels:
                raise IllegalMove(code, name)
            parts.append((channels[name], cards))
    return tuple(
        channel * program.width + item for channel, cards in parts for item in items_named(program, choice, cards)
    )


def codes_of(state: GameState, seat: int, move: Move) -> Codes:
    """Return the engine codes of a move of a seat.

    If the move names no ability and has more cards than the seat takes for itself, the available ability takes the
    rest. Raises `IllegalMove` for names that are not among the options of this choice.
    """
    if seat in state.pending and (move.abilities or move.others):
        return spelled(state.program, choice_of(state), move)
    return encode(state, seat, move.cards)


class Moves(Sequence[Move]):
    """The legal moves of a seat, by name: a lazy sequence of any size.

    `total` is their exact number; `len` raises `OverflowError` if that is larger than an index can be. Membership
    tests, indexing and `next` do not list all moves. ``in`` accepts every form of move that `State.commit` accepts.
    """

    def __init__(self, program: Program, choice: Choice | None, codes: EngineMoves) -> None:
        self._program = program
        self._choice = choice
        self._codes = codes

    def __reduce__(self) -> tuple[Any, ...]:
        step = None if self._choice is None else self._program.code.index(self._choice)
        return _moves_of, (self._program, step, self._codes)

    def _named(self, codes: Codes) -> Move:
        assert self._choice is not None, "there are moves only in a choice"
        return named(self._program, self._choice, codes)

    def _spelled(self, move: Move) -> Codes | None:
        """Return the engine codes of a move; ``None`` if its names are not among the options of this choice."""
        if self._choice is None:
            return None
        try:
            return spelled(self._program, self._choice, move)
        except IllegalMove:
            return None

    @property
    def total(self) -> int:
        """The exact number of moves."""
        return self._codes.total

    @property
    def names(self) -> tuple[str, ...]:
        """The names of all cards or places that any move takes, in the order of the card set or of the layout."""
        if self._choice is None:
            return ()
        items = sorted({code % self._program.width for code in self._codes.codes})
        return tuple(name_of(self._program, self._choice, item) for item in items)

    def next(self, chosen: Written = ()) -> tuple[Move, ...]:
        """Return every legal extension of `chosen` by one card, to build a large move card by card.

        If this sequence contains `chosen`, it is a complete move, and may still be extendable. Raises `IllegalMove` for
        something that is not a move.
        """
        codes = self._spelled(move_from(chosen))
        if codes is None:
            return ()
        return tuple(self._named((*codes, code)) for code in self._codes.next(codes).codes)

    def __len__(self) -> int:
        return len(self._codes)

    def __bool__(self) -> bool:
        return bool(self._codes)

    def __contains__(self, move: object) -> bool:
        try:
            meant = move_from(cast("Written", move))
        except IllegalMove:
            return False
        if self and not isinstance(move, Move) and not meant.abilities and not meant.others:
            # Cards beyond the seat's own are taken with the available ability.
            assert self._choice is not None, "there are moves only in a choice"
            width = self._program.width
            own_count = sum(code < width for code in self._codes[0])
            channels = {code // width for code in self._codes.codes}
            ability = next((index for index in self._choice.abilities if 1 + index in channels), None)
            if ability is not None and len(meant.cards) > own_count:
                name = self._program.abilities[ability].model.id
                meant = Move(meant.cards[:own_count], ((name, meant.cards[own_count:]),))
        codes = self._spelled(meant)
        return codes is not None and codes in self._codes

    @overload
    def __getitem__(self, index: int) -> Move: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Move]: ...
    def __getitem__(self, index: int | slice) -> Move | Sequence[Move]:
        if isinstance(index, slice):
            return tuple(self._named(codes) for codes in self._codes[index])
        return self._named(self._codes[index])

    def __iter__(self) -> Iterator[Move]:
        return map(self._named, self._codes)

    def __eq__(self, other: object) -> bool:
        return self._codes == other._codes if isinstance(other, Moves) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._codes)

    def __repr__(self) -> str:
        return f"<{self.total} legal moves>"


def _moves_of(program: Program, step: int | None, codes: EngineMoves) -> Moves:
    """Restore pickled legal moves from their program, the index of the choice in it, and engine codes."""
    return Moves(program, None if step is None else cast("Choice", program.code[step]), codes)
