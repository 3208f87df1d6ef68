"""Node counts by an independent program for Go Nuts for Donuts, written from its statements alone."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, NamedTuple

from oracle import naive_donuts
from perft import by_hand

if TYPE_CHECKING:
    from collections.abc import Iterator

Cards = tuple[str, ...]
LISTS = ("chocolate_frosted", "double_chocolate", "eclair")
"""Donuts with an effect, in the order in which effects of several are carried out."""


class Position(NamedTuple):
    """The cards of all zones before a choice."""

    row: Cards
    """Cards by place; empty text for an empty place."""
    deck: Cards
    """Cards of the deck; the first is on top."""
    discard: Cards
    tables: tuple[Cards, ...]
    bids: tuple[int, ...]
    left: tuple[int, ...] = ()
    """Seats that still have to be settled, the one that chooses a donut first."""
    owed: Cards = ()
    """Donuts whose effects the first of these seats still has to carry out."""
    over: bool = False


def settled(position: Position) -> Position:
    """Settle places in order, up to the next choice from the discards (D-03, D-04)."""
    while position.left:
        seat = position.left[0]
        place = position.bids[seat]
        donut = position.row[place : place + 1]
        position = done(took(position._replace(row=emptied(position.row, place)), seat, donut))
        if position.owed:
            return position
        position = position._replace(left=position.left[1:])
    return next_turn(position)


def done(position: Position) -> Position:
    """Carry out the effects that a seat owes, up to the next choice from the discards."""
    seat = position.left[0]
    while position.owed:
        first, *others = sorted(position.owed, key=LISTS.index)
        if first != "eclair":
            number = LISTS.index(first) + 1
            drawn, deck = position.deck[:number], position.deck[number:]
            position = took(position._replace(deck=deck, owed=tuple(others)), seat, drawn)
        elif position.discard:
            break
        else:
            position = position._replace(owed=tuple(others))
    return position


def chosen(position: Position, card: str) -> Position:
    """Give a seat a donut from the discards."""
    at = position.discard.index(card)
    discard = position.discard[:at] + position.discard[at + 1 :]
    owed = tuple(sorted(position.owed, key=LISTS.index)[1:])
    position = done(took(position._replace(discard=discard, owed=owed), position.left[0], (card,)))
    return position if position.owed else settled(position._replace(left=position.left[1:]))


def emptied(row: Cards, place: int) -> Cards:
    return (*row[:place], "", *row[place + 1 :])


def took(position: Position, seat: int, cards: Cards) -> Position:
    """Give a seat donuts, and add their effects to those it owes."""
    cards = tuple(card for card in cards if card)
    tables = tuple(own + cards if at == seat else own for at, own in enumerate(position.tables))
    return position._replace(tables=tables, owed=position.owed + tuple(card for card in cards if card in LISTS))


def next_turn(position: Position) -> Position:
    """Discard donuts that several seats chose, and refill the row if the deck can fill all of it."""
    row, discard, deck = list(position.row), position.discard, position.deck
    for place in range(len(row)):
        if position.bids.count(place) > 1 and row[place]:
            discard += (row[place],)
            row[place] = ""
    if len(deck) < len(row):
        return position._replace(row=tuple(row), discard=discard, over=True)
    for place in range(len(row)):
        if not row[place]:
            row[place], deck = deck[0], deck[1:]
    return position._replace(row=tuple(row), discard=discard, deck=deck)


def following(position: Position) -> Iterator[Position]:
    """Yield the position after each combination of bids, or after a choice from the discards."""
    if position.left:
        yield from (chosen(position, card) for card in sorted(set(position.discard)))
        return
    for bids in product(range(len(position.row)), repeat=len(position.tables)):
        alone = [seat for seat, own in enumerate(bids) if bids.count(own) == 1]
        yield settled(position._replace(bids=bids, left=tuple(sorted(alone, key=bids.__getitem__))))


def key(position: Position) -> object:
    """Return what identifies a position: the order of deck, discards, tables and effects owed is ignored."""
    piles = tuple(tuple(sorted(own)) for own in (position.deck, position.discard, position.owed))
    return position.row, piles, tuple(tuple(sorted(own)) for own in position.tables), position.bids, position.left


def scores(position: Position) -> tuple[int, ...]:
    """Return the points at the end."""
    tables = [list(table) for table in position.tables]
    return tuple(map(sum, zip(*naive_donuts.score_game(tables, naive_donuts.Edition()).values(), strict=True)))


def count(vector: dict) -> dict[str, object]:
    """Return the figures of a vector of Go Nuts for Donuts."""
    players, zones = vector["players"], vector["zones"]
    row = tuple(zones[f"place_{place}"][0] for place in range(1, players + 2))
    tables = tuple(map(tuple, vector.get("tables", [[]] * players)))
    start = Position(row, tuple(zones["deck"]), tuple(zones["discard"]), tables, (0,) * players)
    return by_hand.walked(start, following, lambda own: own.over, scores, key)
