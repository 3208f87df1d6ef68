"""Moves by name: what a seat commits to, and the legal ones as a lazy sequence."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, cast, overload

from msgspec import Struct

from draftengine.engine.moves import IllegalMoveError, choice_of, encode, item_named

if TYPE_CHECKING:
    from draftengine.engine.flow.choose import Choice
    from draftengine.engine.moves import Move as Codes
    from draftengine.engine.program import Program
    from draftengine.engine.state import State

Named = tuple[tuple[str, tuple[str, ...]], ...]
"""Cards by the name of an ability, or of a seat."""


class Move(Struct, frozen=True):
    """What a seat commits to in one choice, by the names of cards (``soup``, ``triple@soup``) or of places (``r1c2``).

    The order of the cards counts where cards can affect each other.
    """

    cards: tuple[str, ...] = ()
    """What the seat takes for itself."""
    abilities: Named = ()
    """What it takes beyond that by using an ability, as (ability, cards)."""
    others: Named = ()
    """What it chooses for extra seats, as (seat, cards)."""

    def __str__(self) -> str:
        parts = [" + ".join(self.cards)] if self.cards else []
        parts += [f"{' + '.join(cards)} with {ability}" for ability, cards in self.abilities]
        parts += [f"{' + '.join(cards)} for {seat}" for seat, cards in self.others]
        return ", ".join(parts) or "nothing"

    def to_json(self) -> dict[str, Any]:
        """The move as plain data; `move_from` reads it again."""
        data: dict[str, Any] = {"cards": list(self.cards)}
        if self.abilities:
            data["with"] = {name: list(cards) for name, cards in self.abilities}
        if self.others:
            data["for"] = {name: list(cards) for name, cards in self.others}
        return data


Written = Move | str | Sequence[str] | Mapping[str, Any]
"""A move as people may write it: one card, several cards (those beyond the seat's own are taken with the ability that
is ready), or a mapping as `Move.to_json` makes it."""


def move_from(data: Written) -> Move:
    """The move that is written as a mapping, a list of cards or one card.

    Raises `IllegalMoveError` (``malformed-move``) for anything else.
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
    raise IllegalMoveError("malformed-move")


def _cards(data: object) -> tuple[str, ...]:
    if isinstance(data, str):
        return (data,)
    if not isinstance(data, Sequence) or not all(isinstance(card, str) for card in data):
        raise IllegalMoveError("malformed-move")
    return tuple(cast("Sequence[str]", data))


def _named(data: object) -> Named:
    if not isinstance(data, Mapping) or not all(isinstance(name, str) for name in data):
        raise IllegalMoveError("malformed-move")
    return tuple((name, _cards(cards)) for name, cards in data.items())


def named(program: Program, choice: Choice, codes: Codes) -> Move:
    """The move that the engine's codes mean in a choice."""
    told = choice.describe(program, codes)
    return Move(
        tuple(told["cards"]),
        tuple((name, tuple(cards)) for name, cards in told.get("with", {}).items()),
        tuple((name, tuple(cards)) for name, cards in told.get("for", {}).items()),
    )


def codes_of(state: State, seat: int, move: Move) -> Codes:
    """The engine's codes for a move. Raises `IllegalMoveError` for names that mean nothing in this choice."""
    others = {name: tuple(cards) for name, cards in move.others}
    if not move.abilities:
        return encode(state, seat, move.cards, others)
    own = encode(state, seat, move.cards)
    choice, program = choice_of(state), state.program
    abilities = {program.abilities[index].model.id: index for index in choice.abilities}
    extra: list[int] = []
    for name, cards in move.abilities:
        if name not in abilities:
            raise IllegalMoveError("ability-not-available", name)
        first = (1 + abilities[name]) * program.width
        extra += [first + item_named(program, choice, card) for card in cards]
    for_others = encode(state, seat, (), others)
    return (*own, *extra, *for_others)


class Moves(Sequence[Move]):
    """The legal moves of a seat, by name: a sequence that makes a move when it is asked for."""

    def __init__(self, program: Program, choice: Choice | None, codes: Sequence[Codes]) -> None:
        self._program = program
        self._choice = choice
        self._codes = codes

    def _named(self, codes: Codes) -> Move:
        assert self._choice is not None, "whoever has moves has a choice"
        return named(self._program, self._choice, codes)

    def __len__(self) -> int:
        return len(self._codes)

    def __bool__(self) -> bool:
        return bool(self._codes)

    @overload
    def __getitem__(self, index: int) -> Move: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Move]: ...
    def __getitem__(self, index: int | slice) -> Move | Sequence[Move]:
        if isinstance(index, slice):
            return [self._named(codes) for codes in self._codes[index]]
        return self._named(self._codes[index])

    def __iter__(self) -> Iterator[Move]:
        return map(self._named, self._codes)

    def __repr__(self) -> str:
        return f"<{len(self._codes)} legal moves>" if self._codes else "<no legal moves>"
