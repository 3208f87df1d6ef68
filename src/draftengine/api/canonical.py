"""The canonical description of a state: all its content, by name.

The description does not depend on how the engine packs a state, or how it numbers cards, steps and moves. So the hash
of the description stays valid in traces and saved games. Where the order of cards has no meaning, they are sorted as in
the card set. A zone that no seat sees is listed from its top card down, a tableau in the order of play.
"""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, Any, cast

from draftengine.api.moves import named
from draftengine.engine.moves import choice_of
from draftengine.engine.observe import to_json as observation_to_json
from draftengine.model.cardset.effects import (
    IN_TURN_COUNTER,
    hidden_counters,
    later_lists,
    open_counter,
    order_counters,
)
from draftengine.support.identity import by_identity

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from draftengine.engine.choose import Choice
    from draftengine.engine.observe import Observation
    from draftengine.engine.program import Program
    from draftengine.engine.state import GameState
    from draftengine.model.cardset.records import CardSet


def describe(state: GameState) -> dict[str, Any]:
    """Return a whole state as plain data.

    Beliefs (what each seat knows about hidden cards) are left out, because the moves so far determine them.
    """
    program = state.program
    return {
        "round": state.round,
        "turns": list(state.turns),
        "step": choice_of(state).name if state.pending else None,
        "waiting": [seat for seat in state.pending if seat not in state.chosen],
        "committed": {
            str(seat): named(program, choice_of(state), move).to_json() for seat, move in sorted(state.chosen.items())
        },
        "zones": {zone.id: _zone(state, index) for index, zone in enumerate(program.zones)},
        "counters": _counters(program, state.words),
        "counters_before": _counters(program, state.words_before_choice),
        "scores": list(state.scores),
        "points": [
            {"rule": program.sources_of_points[source], "round": number, "points": list(points)}
            for source, number, points in state.ledger
        ],
        "markers": _markers(program, state.markers),
        "chips": [
            [[program.model.chips[pile].id, program.chip_values[pile][chip]] for pile, chip in seat_chips]
            for seat_chips in state.chips
        ],
        "chips_left": {
            pile.id: [program.chip_values[index][chip] for chip in state.piles[index]]
            for index, pile in enumerate(program.model.chips)
        },
        "chance": {
            "deal": [f"{state.deal.key:016x}", state.deal.position],
            "chance": [f"{state.chance.key:016x}", state.chance.position],
        },
        "winners": list(state.winners),
    }


def digest(state: GameState) -> str:
    """Return the SHA-256 of the canonical description, in hexadecimal."""
    text = json.dumps(describe(state), sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def _zone(state: GameState, index: int) -> Any:
    """Return the cards of a zone: one list for a shared zone, a list per owner, or a mapping for a layout."""
    program, zone = state.program, state.program.zones[index]
    if zone.layout:
        down = state.down[index]
        return {
            place.id: {"card": program.cards[card], "face_down": position in down}
            for position, (place, card) in enumerate(zip(zone.layout, state.zones[index][0], strict=True))
            if card >= 0
        }

    def in_order(cards: list[int]) -> Iterable[int]:
        if index == program.tableau:
            return cards
        return reversed(cards) if zone.seen_by == "nobody" else sorted(cards)

    piles = [[program.plays[card].name for card in in_order(cards)] for cards in state.zones[index]]
    return piles if zone.per == "seat" else piles[0]


def _counters(program: Program, words: list[int]) -> list[dict[str, int]]:
    """Return, for each seat, the values of the counters that a description includes.

    These are the declared counters, the counters that cards add to, the unused slots of modifiers, and the step lists
    that wait to be carried out.
    """
    names = _counted(program.model)
    fields = [field for field in program.fields if field.name in names]
    return [{field.name: field.read(word) for field in fields} for word in words]


@by_identity(64)
def _counted(model: CardSet) -> frozenset[str]:
    declared = {counter.id for counter in model.counters}
    added = {name for card in model.cards for name, _ in card.amounts}
    waiting = {later.counter for later in later_lists(model)} | {IN_TURN_COUNTER, *order_counters(model)}
    slots = {open_counter(modifier.id) for modifier in model.modifiers}
    return frozenset(declared | added | waiting | slots | {*hidden_counters(model)})


def _markers(program: Program, holders: Sequence[int]) -> dict[str, int | None]:
    return {marker.id: None if holder < 0 else holder for marker, holder in zip(program.markers, holders, strict=True)}


def describe_seen(seen: Observation) -> dict[str, Any]:
    """Return, as plain data, everything that a seat may know except its moves."""
    program = seen.program
    data = observation_to_json(seen)
    for key in ("pending", "committed", "moves"):
        del data[key]
    choice = cast("Choice", program.code[seen.decision]) if seen.pending else None
    committed = named(program, choice, seen.committed) if choice and seen.committed is not None else None
    return {
        **data,
        "turns": list(seen.turns),
        "step": choice.name if choice else None,
        "choosing": list(seen.pending),
        "markers": _markers(program, seen.markers),
        "committed": committed.to_json() if committed else None,
    }
