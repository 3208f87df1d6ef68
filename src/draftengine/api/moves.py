"""Moves by name: what a seat commits to, and the legal ones as a lazy sequence."""

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
"""Cards by the name of an ability, or of a seat."""


class PickedCard(Struct, frozen=True):
    """One card of a move."""

    card: str
    """The card, or the place."""
    ability: str = ""
    """The ability by which it is taken; empty for the seat's own choice."""
    other: str = ""
    """The extra seat that it is taken for; empty for the seat itself."""


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

    @property
    def taken(self) -> tuple[PickedCard, ...]:
        """Its cards one by one; of a move that goes on with another by one card, that card is the last."""
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
    """Moves with their seats. Raises `IllegalMove` (``malformed-move``) for anything else."""
    if not isinstance(moves, Iterable):
        raise IllegalMove("malformed-move", f"moves are listed as pairs of a seat and a move, not {brief(moves)}")
    for pair in moves:
        if not isinstance(pair, (tuple, list)) or len(pair) != 2:  # noqa: PLR2004 (a seat and a move)
            raise IllegalMove("malformed-move", f"a pair of a seat and a move is expected, not {brief(pair)}")
        yield pair[0], pair[1]


def named(program: Program, choice: Choice, codes: Codes) -> Move:
    """The move that the engine's codes mean in a choice."""
    described = choice.describe(program, codes)
    return Move(
        tuple(described["cards"]),
        tuple((name, tuple(cards)) for name, cards in described.get("with", {}).items()),
        tuple((name, tuple(cards)) for name, cards in described.get("for", {}).items()),
    )


def spelled(program: Program, choice: Choice, move: Move) -> Codes:
    """The engine's codes for a move that says what each card is taken with, and for whom.

    Raises `IllegalMove` for names that mean nothing in the choice.
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
    """The engine's codes for a move of a seat; cards beyond its own are taken with the ability that is ready.

    Raises `IllegalMove` for names that mean nothing in this choice.
    """
    if seat in state.pending and (move.abilities or move.others):
        return spelled(state.program, choice_of(state), move)
    return encode(state, seat, move.cards)


class Moves(Sequence[Move]):
    """The legal moves of a seat, by name: a lazy sequence, however many there are.

    `total` is their exact number; `len` raises `OverflowError` where that is larger than an index can be. Membership,
    indices and `next` list nothing. Whatever `State.commit` takes as a move can be looked for with ``in``.
    """

    def __init__(self, program: Program, choice: Choice | None, codes: EngineMoves) -> None:
        self._program = program
        self._choice = choice
        self._codes = codes

    def __reduce__(self) -> tuple[Any, ...]:
        step = None if self._choice is None else self._program.code.index(self._choice)
        return _moves_of, (self._program, step, self._codes)

    def _named(self, codes: Codes) -> Move:
        assert self._choice is not None, "whoever has moves has a choice"
        return named(self._program, self._choice, codes)

    def _spelled(self, move: Move) -> Codes | None:
        """The codes of a move; ``None`` if its names mean nothing here."""
        if self._choice is None:
            return None
        try:
            return spelled(self._program, self._choice, move)
        except IllegalMove:
            return None

    def _completed(self, cards: tuple[str, ...]) -> Move:
        """The move that takes cards, those beyond the seat's own with the ability that is ready."""
        assert self._choice is not None, "whoever has moves has a choice"
        width = self._program.width
        own_count = sum(code < width for code in self._codes[0])
        channels = {code // width for code in self._codes.codes}
        ready = (index for index in self._choice.abilities if 1 + index in channels)
        ability = next(ready, None)
        if ability is None or len(cards) <= own_count:
            return Move(cards)
        return Move(cards[:own_count], ((self._program.abilities[ability].model.id, cards[own_count:]),))

    @property
    def total(self) -> int:
        """How many there are."""
        return self._codes.total

    @property
    def names(self) -> tuple[str, ...]:
        """Every card or place that some move takes, in the order of the card set or of the layout."""
        if self._choice is None:
            return ()
        items = sorted({code % self._program.width for code in self._codes.codes})
        return tuple(name_of(self._program, self._choice, item) for item in items)

    def next(self, chosen: Written = ()) -> tuple[Move, ...]:
        """The moves that go on with what was chosen so far by one card, so that a large choice is made card by card.

        What was chosen is whole if it is one of the legal moves itself; it may be whole and go on. Raises `IllegalMove`
        for what is no move at all.
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
            meant = self._completed(meant.cards)
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
    """The moves that were sent to another process, in the choice that is this step of the program."""
    return Moves(program, None if step is None else cast("Choice", program.code[step]), codes)
