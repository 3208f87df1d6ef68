"""Moves: what a seat commits to in one choice, as codes; which are legal; how they are written and read.

A move is a tuple of codes. ``code = channel * width + item``: the item is an option (what card, in which form) or,
when the choice is from a layout, a place. Channel 0 is the seat's own choice; then one channel for every ability (a
further card taken by using it); then one for every extra seat the chooser decides for. Codes stand in that order, so a
move says all: "soup, and bread with the ladle, and salt for the dummy".
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from draftengine.engine.flow.choose import Choice
    from draftengine.engine.program import Program
    from draftengine.engine.state import State

Move = tuple[int, ...]

ILLEGAL = {
    "game-over": "the game is over",
    "not-your-turn": "this seat has nothing to choose now",
    "malformed-move": "this is not a move",
    "unknown-card": "there is no such card or place",
    "card-not-in-hand": "the card is not there to take",
    "place-covered": "the card at this place cannot be taken",
    "form-not-allowed": "the card cannot be played in this form now",
    "too-few-cards": "more cards have to be chosen",
    "too-many-cards": "too many cards are chosen",
    "ability-not-available": "the ability cannot be used now",
    "wrong-seat": "cards cannot be chosen for this seat",
}
"""The closed list of reasons for refusing a move."""


class IllegalMoveError(ValueError):
    """A move that the rules refuse. `code` is a key of `ILLEGAL`; nothing was changed."""

    def __init__(self, code: str, detail: str = "") -> None:
        super().__init__(f"{ILLEGAL[code]}{': ' + detail if detail else ''}")
        self.code = code


def legal_moves(state: State, seat: int) -> tuple[Move, ...]:
    """All legal moves of a seat, each once, in ascending order; empty if it has nothing to choose.

    Identical cards are one move. The order of the cards within a move matters where cards can affect each other.
    """
    if seat not in state.pending:
        return ()
    choice = choice_of(state)
    stock = _available(state, choice, seat)
    if _takes_one(state, choice, seat) and stock:
        return tuple([(item,) for item in sorted(_items(state, choice, seat, set(stock)))])
    return tuple(sorted(set(_moves(state, choice, seat, stock))))


def check_move(state: State, seat: int, move: object) -> Move:
    """The move, if it is legal. Raises `IllegalMoveError` by name if it is not."""
    if state.over:
        raise IllegalMoveError("game-over")
    if not _is_int(seat) or seat not in state.pending:
        raise IllegalMoveError("not-your-turn")
    if not isinstance(move, (tuple, list)) or not all(_is_int(code) for code in move) or len(move) > 64:  # noqa: PLR2004
        raise IllegalMoveError("malformed-move")
    _Check(state, choice_of(state), seat).run(tuple(move))
    return tuple(move)


def choice_of(state: State) -> Choice:
    """The choice that a state with pending seats waits for."""
    return cast("Choice", state.program.code[state.pc])


def _is_int(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _available(state: State, choice: Choice, seat: int) -> list[int]:
    """The cards (or open places) a seat may take."""
    if choice.layout:
        return choice.open_places(state)
    return choice.cards_of(state, seat)


def _takes_one(state: State, choice: Choice, seat: int) -> bool:
    """Does a seat take one card and nothing else."""
    if choice.also or any(choice.uses(state, ability, seat) for ability in choice.abilities):
        return False
    return choice.count(state) == 1


def _items(state: State, choice: Choice, seat: int, cards: set[int]) -> set[int]:
    """What a seat may name of the cards (or places)."""
    if choice.layout or state.program.simple:
        return cards
    return {item for card in cards for item in choice.items_of(state, seat, card)}


def _moves(state: State, choice: Choice, seat: int, available: list[int]) -> Iterator[Move]:
    stock = tuple(sorted(available))
    for picks, rest in _own_picks(state, choice, seat, stock):
        for more, left in _ability_picks(state, choice, seat, picks, rest):
            yield from _picks_for_others(state, choice, seat, picks + more, left)


def _own_picks(
    state: State, choice: Choice, seat: int, stock: tuple[int, ...]
) -> Iterator[tuple[Move, tuple[int, ...]]]:
    count = min(choice.count(state), len(stock))
    yield from _sequences(state, choice, seat, stock, count, 0)


def _sequences(
    state: State, choice: Choice, seat: int, stock: tuple[int, ...], count: int, base: int
) -> Iterator[tuple[Move, tuple[int, ...]]]:
    if not count:
        yield (), stock
        return
    seen = set()
    for index, card in enumerate(stock):
        if card in seen:
            continue
        seen.add(card)
        rest = stock[:index] + stock[index + 1 :]
        for item in choice.items_of(state, seat, card):
            for more, left in _sequences(state, choice, seat, rest, count - 1, base):
                yield (base + item, *more), left


def _ability_picks(
    state: State, choice: Choice, seat: int, picks: Move, stock: tuple[int, ...]
) -> Iterator[tuple[Move, tuple[int, ...]]]:
    yield (), stock
    width = state.program.width
    for ability in choice.abilities:
        most = choice.uses(state, ability, seat)
        taken = state.program.abilities[ability].model.take
        for uses in range(1, most + 1):
            if uses * taken <= choice.left_for_ability(state, seat, stock, picks):
                wider = choice.uncovered(state, stock, picks)
                yield from _sequences(state, choice, seat, wider, uses * taken, (1 + ability) * width)


def _picks_for_others(state: State, choice: Choice, seat: int, picks: Move, stock: tuple[int, ...]) -> Iterator[Move]:
    parts = choice.parts_for_others(state, seat)
    if not parts:
        yield picks
        return
    yield from _others(state, choice, parts, picks, stock)


def _others(
    state: State, choice: Choice, parts: tuple[tuple[int, int, int], ...], picks: Move, stock: tuple[int, ...]
) -> Iterator[Move]:
    if not parts:
        yield picks
        return
    (channel, seat, cards), *more = parts
    count = min(cards, len(stock))
    for own, left in _sequences(state, choice, seat, stock, count, channel * state.program.width):
        yield from _others(state, choice, tuple(more), picks + own, left)


class _Check:
    """Checks one move against one choice, naming the first thing that is wrong."""

    def __init__(self, state: State, choice: Choice, seat: int) -> None:
        self.state = state
        self.choice = choice
        self.seat = seat
        self.stock = _available(state, choice, seat)

    def run(self, move: Move) -> None:
        width = self.state.program.width
        channels = [code // width for code in move]
        if any(code < 0 for code in move) or max(channels, default=0) >= self.choice.channels:
            raise IllegalMoveError("unknown-card")
        if channels != sorted(channels):
            raise IllegalMoveError("malformed-move")
        items = [code % width for code in move]
        own = channels.count(0)
        self._count(own, min(self.choice.count(self.state), len(self.stock)))
        self._take(items[:own], self.seat)
        self._abilities(channels, items)
        self._others(channels, items)

    def _count(self, found: int, wanted: int) -> None:
        if found < wanted:
            raise IllegalMoveError("too-few-cards")
        if found > wanted:
            raise IllegalMoveError("too-many-cards")

    def _take(self, items: list[int], seat: int) -> None:
        for item in items:
            card = self.choice.card_for(self.state, self.stock, item)
            if item not in self.choice.items_of(self.state, seat, card):
                raise IllegalMoveError("form-not-allowed", self.choice.item_name(self.state, item))
            self.stock.remove(card)

    def _abilities(self, channels: list[int], items: list[int]) -> None:
        kinds = 0
        for ability in range(self.choice.first_other - 1):
            picks = [item for channel, item in zip(channels, items, strict=True) if channel == 1 + ability]
            if picks:
                kinds += 1
                self._ability(ability, picks, tuple(items[: channels.count(0)]), kinds)

    def _ability(self, ability: int, picks: list[int], own: Move, kinds: int) -> None:
        choice, state = self.choice, self.state
        take = state.program.abilities[ability].model.take
        uses, odd = divmod(len(picks), take)
        name = state.program.abilities[ability].model.id
        if ability not in choice.abilities or kinds > 1 or uses > choice.uses(state, ability, self.seat):
            raise IllegalMoveError("ability-not-available", name)
        if odd:
            raise IllegalMoveError("too-few-cards", name)
        stock = tuple(self.stock)
        if len(picks) > choice.left_for_ability(state, self.seat, stock, own):
            raise IllegalMoveError("too-many-cards", name)
        self.stock = list(choice.uncovered(state, stock, own))
        self._take(picks, self.seat)

    def _others(self, channels: list[int], items: list[int]) -> None:
        parts = {channel: (seat, cards) for channel, seat, cards in self.choice.parts_for_others(self.state, self.seat)}
        first = self.choice.first_other
        if any(channel >= first and channel not in parts for channel in channels):
            raise IllegalMoveError("wrong-seat")
        for channel, (seat, cards) in parts.items():
            picks = [item for other, item in zip(channels, items, strict=True) if other == channel]
            self._count(len(picks), min(cards, len(self.stock)))
            self._take(picks, seat)


def describe(state: State, move: Move) -> dict[str, Any]:
    """A move in names: ``{"cards": [...], "with": {ability: [...]}, "for": {seat: [...]}}``, empty parts left out."""
    return choice_of(state).describe(state.program, move)


def name_of(program: Program, choice: Choice, item: int) -> str:
    """The name of an option or a place."""
    if choice.layout:
        return program.zones[choice.source].layout[item].id
    return program.options[item].name


def encode(
    state: State, seat: int, cards: Sequence[str], others: Mapping[str, Sequence[str]] = MappingProxyType({})
) -> Move:
    """The move that takes `cards` in that order; those beyond the seat's own choice are taken with the ability at hand.

    `others` names cards for extra seats. A card may be named by its option (``soup``, ``triple@soup``) or its place.
    Raises `IllegalMoveError` for names that mean nothing here; whether the move is legal is for `check_move` to say.
    """
    if seat not in state.pending:
        raise IllegalMoveError("game-over" if state.over else "not-your-turn")
    choice = choice_of(state)
    own = choice.count(state)
    if len(cards) > own and not choice.abilities:
        raise IllegalMoveError("too-many-cards")
    codes = [item_named(state.program, choice, name) for name in cards]
    if len(cards) > own:
        channel = (1 + _ability_at_hand(state, choice, seat)) * state.program.width
        codes[own:] = [channel + item for item in codes[own:]]
    for name, names in others.items():
        codes += [
            _channel_of(state, choice, name) * state.program.width + item_named(state.program, choice, own)
            for own in names
        ]
    return tuple(codes)


def _ability_at_hand(state: State, choice: Choice, seat: int) -> int:
    ready = (ability for ability in choice.abilities if choice.uses(state, ability, seat))
    return next(ready, choice.abilities[0])


def _channel_of(state: State, choice: Choice, name: str) -> int:
    for channel, (seat, _, _) in enumerate(choice.also, choice.first_other):
        if state.program.seat_name(seat) == name:
            return channel
    raise IllegalMoveError("wrong-seat", name)


def item_named(program: Program, choice: Choice, name: str) -> int:
    """The option or the place of a name. Raises `IllegalMoveError` if there is none."""
    for item in range(program.width):
        if item < choice.item_count(program) and name_of(program, choice, item) == name:
            return item
    raise IllegalMoveError("unknown-card", name)
