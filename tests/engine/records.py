"""Comparing a game on the record of the kernel with the same game on the state of single games."""

from __future__ import annotations

from draftengine.engine.chance import GOLDEN, MASK
from draftengine.engine.kernel.zones import chip_at
from draftengine.engine.plan.base import NOTHING


def at(stream):
    """Return the kernel's position in a random stream that stands where this one does."""
    return (stream.key + stream.position * GOLDEN) & MASK


def cards_of(game, plan, zone, owner):
    """Return the cards of an owner, wherever the kernel stores them."""
    if plan.program.zones[zone].layout:
        first, lying = plan.first_place(zone), game.lying[plan.layout(zone)]
        count = len(plan.program.zones[zone].layout)
        return [game.row[first + place] if lying >> place & 1 else -1 for place in range(count)]
    size = game.size[plan.size_index(zone, owner)]
    if plan.is_lanes(zone):
        return [game.hand[plan.hand(zone, owner)] >> number * plan.bits & plan.mask for number in range(size)]
    return game.card_array[plan.first(zone, owner) : plan.first(zone, owner) + size]


def compare_gauges(game, plan, zone, owner, cards):
    """Assert that the gauges of an owner's zone say what its cards say."""
    for index, function, numbers in plan.kept_gauges(zone, owner):
        values = [NOTHING[function], *(numbers[card] for card in cards)]
        assert game.gauge[index] == (values[-1] if function == "on_top" else GATHER[function](values))


GATHER = {"cards": sum, "sum": sum, "highest": max, "lowest": min}


def compare(game, plan, state):
    """Assert that a game of the kernel equals this state in every field that it stores."""
    program = plan.program
    assert (game.pc, game.round, game.turn) == (state.pc, state.round, state.turn)
    assert game.outer == state.outer
    assert (game.words, game.scores, game.markers) == (state.words, state.scores, state.markers)
    if plan.reads_previous_words:
        assert game.words_before_choice == state.words_before_choice
    for zone in plan.zones:
        for owner in plan.owners(zone):
            if plan.is_lanes(zone) or plan.is_heap(zone) or program.zones[zone].layout:
                assert cards_of(game, plan, zone, owner) == state.zones[zone][owner]
            if plan.is_stored(zone):
                assert game.size[plan.size_index(zone, owner)] == len(state.zones[zone][owner])
            if plan.keeps_gauges(zone):
                compare_gauges(game, plan, zone, owner, state.zones[zone][owner])
        if program.zones[zone].layout:
            assert game.down[plan.layout(zone)] == sum(1 << place for place in state.down[zone])
    for seat, chips in enumerate(state.chips):
        assert game.bonus[seat] == sum(program.chip_values[pile][chip] for pile, chip in chips)
    for pile, chips in enumerate(state.piles):
        assert game.left[pile] == len(chips)
        for number, chip in enumerate(chips):
            assert chip_at(game, plan, pile, number) == program.chip_values[pile][chip]
    assert (game.deal, game.chance) == (at(state.deal), at(state.chance))
