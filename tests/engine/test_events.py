"""Events: the part that each seat sees of one, and their form as plain data."""

from __future__ import annotations

import pytest

import draftengine as de
from draftengine.engine.events import EVERYONE, Event, to_json, view

DEALT = Event("dealt", 1, ("soup", "cake"), seen_by=0b010, zone="hand", count=2)
DRAWN = Event("chip", 2, seen_by=0b100, name="desserts", amount=7, count=1, text="pudding")
MOVED = Event("moved", 2, ("soup",), seen_by=0b001, zone="hand", other=0, amount=3, count=1)


@pytest.mark.parametrize("event", [DEALT, DRAWN, MOVED], ids=lambda event: event.kind)
def test_who_is_told(event):
    """Check that seats that see an event get all of it; others miss its cards, text and chip value."""
    for seat in range(-1, 4):
        told = view(event, seat)
        if seat >= 0 and event.seen_by & 1 << seat:
            assert told is event
            continue
        assert (told.cards, told.text, told.seen_by) == ((), "", 0)
        assert (told.kind, told.seat, told.zone, told.other) == (event.kind, event.seat, event.zone, event.other)
        assert (told.name, told.count) == (event.name, event.count)
        assert told.amount == (0 if event.kind == "chip" else event.amount)


def test_who_laid_a_card_before_another_seat():
    """Check that a card laid before another seat has the seat that laid it as `other`."""
    state = de.load("sushi_go_2014", 2, ["two_player_dummy"]).start(7)
    for seat in state.waiting:
        state = state.commit(seat, state.view(seat).moves[0])
    assert [(own.seat, own.other) for own in state.events if own.kind == "revealed"] == [(0, -1), (2, 0), (1, -1)]


def test_what_everybody_sees():
    shown = Event("revealed", 0, ("soup",), zone="tableau")
    assert shown.seen_by == EVERYONE
    assert all(view(shown, seat) is shown for seat in range(-1, 8))


def test_what_is_left_out():
    """Check the defaults of an event: no seats, no cards, no numbers, no texts."""
    plain = Event("shuffled")
    assert (plain.seat, plain.other, plain.amount, plain.count) == (-1, -1, 0, 0)
    assert (plain.cards, plain.zone, plain.name, plain.text, plain.source) == ((), "", "", "", ())


@pytest.mark.parametrize(
    ("event", "expected"),
    [
        (Event("game-over"), {"kind": "game-over"}),
        (DEALT, {"kind": "dealt", "seat": 1, "cards": ["soup", "cake"], "zone": "hand", "count": 2}),
        (DRAWN, {"kind": "chip", "seat": 2, "name": "desserts", "text": "pudding", "amount": 7, "count": 1}),
        (MOVED, {"kind": "moved", "seat": 2, "other": 0, "cards": ["soup"], "zone": "hand", "count": 1}),
        (
            Event("points", 0, ("soup",), name="soups", amount=0, text="0", source=("R-1",)),
            {
                "kind": "points",
                "seat": 0,
                "cards": ["soup"],
                "name": "soups",
                "amount": 0,
                "text": "0",
                "source": ["R-1"],
            },
        ),
        (Event("turn-started", amount=2), {"kind": "turn-started", "amount": 2}),
    ],
    ids=lambda own: own.kind if isinstance(own, Event) else "",
)
def test_as_plain_data(event, expected):
    """Check that empty fields and amounts without meaning are omitted, while seat 0 and amount 0 are kept."""
    assert to_json(event) == expected
