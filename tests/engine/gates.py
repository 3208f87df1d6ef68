"""Gates: assertions that must hold at every step of a game. A failing gate says what is wrong."""

from __future__ import annotations

import json
import pickle
import re
from collections import Counter
from functools import lru_cache
from typing import TYPE_CHECKING

import msgspec

from draftengine.engine.beliefs import Beliefs
from draftengine.engine.chance import Stream
from draftengine.engine.choose import tableaus_lose_cards
from draftengine.engine.events import EVERYONE, view
from draftengine.engine.events import to_json as event_json
from draftengine.engine.game import commit, result, start, total, waiting
from draftengine.engine.instructions import MoveAll, Pass
from draftengine.engine.moves import check_move, choice_of, legal_moves
from draftengine.engine.observe import observe
from draftengine.engine.observe import to_json as observation_json
from draftengine.engine.policies import any_move, play_by, random_move
from draftengine.engine.state import GameState
from draftengine.model.cardset.effects import all_effects, leaving, modifiers_for
from draftengine.model.cardset.pieces import Pieces
from draftengine.model.flow.counters import counters_of
from draftengine.model.verbs.effects import Changing
from draftengine.support.identity import IdentityKey
from engine.restoring import restore

if TYPE_CHECKING:
    from collections.abc import Iterator

    from draftengine.engine.events import Event
    from draftengine.engine.instructions import CounterField
    from draftengine.engine.moves import Move
    from draftengine.engine.program import Program
    from draftengine.model.cardset.records import CardSet

Step = tuple["GameState", int, "Move", "GameState", "tuple[Event, ...]"]
"""State, seat, move, following state, and the events between the states."""


def steps(program: Program, seed: int) -> Iterator[Step]:
    """Yield the steps of a random game: state before, seat, move, state after, and events."""
    stream = Stream(seed)
    turned = start(program, seed)
    yield turned.state, -1, (), turned.state, turned.events
    state = turned.state
    while not state.over:
        seat = waiting(state)[0]
        move = any_move(state, seat, stream)
        turned = commit(state, seat, move)
        yield state, seat, move, turned.state, turned.events
        state = turned.state


def cards_are_conserved(state: GameState) -> None:
    """Assert that all zones together hold exactly the cards of the box, and dice regardless of their side."""
    program = state.program
    found: list[int] = []
    for zone, owners in enumerate(state.zones):
        for cards in owners:
            counts = program.zones[zone].counts
            found += [program.plays[card].card if counts else card for card in cards if card >= 0]
    assert sorted(program.thing_of[card] for card in found) == sorted(program.deck), "cards were lost or made"


def counters_count(state: GameState) -> None:
    """Assert that packed counters of cards equal a recount of all zones that count."""
    program = state.program
    lying = {
        zone.id: [Counter(name for play in cards for name in _named(program, play)) for cards in state.zones[at]]
        for at, zone in enumerate(program.zones)
        if zone.counts
    }
    for field, zones, members in _counters_of_cards(IdentityKey(program)):
        for seat, word in enumerate(state.words):
            recount = sum(lying[zone][seat][own] for zone in zones or lying for own in members)
            assert field.read(word) == recount, f"{field.name} of seat {seat} is miscounted"


@lru_cache(maxsize=64)
def _counters_of_cards(program: IdentityKey[Program]) -> list[tuple[CounterField, tuple[str, ...], frozenset[str]]]:
    """Return each counter of cards or a family, with its zones and its cards.

    No zones means all zones that count.
    """
    cards = program.own.model.cards
    fields = {field.name: field for field in program.own.fields}
    zones = [zone.id for zone in program.own.zones if zone.counts]
    return [
        (fields[counted], where, frozenset(own.id for own in cards if name == own.id or name in own.family))
        for name in dict.fromkeys(name for card in cards for name in (card.id, *card.family))
        for counted, where in [(name, ()), *((f"{zone}.{name}", (zone,)) for zone in zones)]
        if counted in fields
    ]


def counters_keep_bounds(state: GameState) -> None:
    """Assert that counters which only effects change stay within their declared bounds."""
    program = state.program
    added = {name for card in program.model.cards for name, _ in card.adds}
    fields = {field.name: field for field in program.fields}
    for own in program.model.counters:
        if own.id in fields and own.id not in added and own.die is None:
            for word in state.words:
                value = fields[own.id].read(word)
                assert own.min is None or value >= min(own.min, own.start), f"{own.id} is too low"
                assert own.max is None or value <= max(own.max, own.start), f"{own.id} is too high"


def _named(program: Program, play: int) -> list[str]:
    """Return the cards that a play counts as: a wild card as itself and as its form."""
    return re.split("[-^]", program.plays[play].name)[0].split("@")


def pieces_add_up(state: GameState) -> None:
    """Assert that counters of pieces equal a recount of pieces on modifiers and of free slots.

    The recount reads only the names of pieces, and computes the results of modifiers by itself.
    """
    program, model = state.program, state.program.model
    told = _told_by_pieces(IdentityKey(program))
    for field in program.fields:
        if field.name in told:
            for seat, word in enumerate(state.words):
                recount = told[field.name]
                for zone, own in enumerate(program.zones):
                    if own.counts:
                        names = [program.plays[play].name for play in state.zones[zone][seat]]
                        recount += sum(_added(model, name, field.name, own.id) for name in names)
                assert field.read(word) == recount, f"{field.name} of seat {seat} is not what its pieces add"


@lru_cache(maxsize=64)
def _told_by_pieces(program: IdentityKey[Program]) -> dict[str, int]:
    """Return the counters that depend only on pieces, with their start values.

    No effect and no clearing of cards changes them.
    """
    if not program.own.pieces_of_play:
        return {}
    model = program.own.model
    changed = {own.counter for effect in all_effects(model) if isinstance(effect, Changing) for own in effect.amounts}
    dice = {own.id for own in model.counters if own.die is not None}
    can_leave, by_pieces = set(leaving(model)), {own.id for own in Pieces(model).modifiers}
    stays = any(card.keep for card in model.cards)
    found = {}
    for info in counters_of(model, program.own.players):
        modifier = info.id.removeprefix("modifier:")
        raising = [own for own in model.modifiers if any(change.counter == info.id for change in own.then)]
        changing = {card.id for own in raising for card in model.cards if own in modifiers_for(model, card)}
        forms = {card.id for card in model.cards if card.forms and changing & set(card.forms.of)}
        if info.kind == "modifier":
            usable = modifier in by_pieces
        else:
            usable = info.kind == "amount" and not {".", "@"} & set(info.id) and changing | forms <= can_leave
        if usable and not (info.id in changed | dice or (stays and info.keep == "none")):
            found[info.id] = info.start
    return found


def _added(model: CardSet, name: str, counter: str, zone: str) -> int:
    """Return what a piece in a zone adds to a counter, from the name of the piece."""
    what, *left = name.split("-")
    what, *used = what.split("^")
    cards = [next(card for card in model.cards if card.id == own) for own in what.split("@")]
    if counter.startswith("modifier:"):
        carried = [own for own in model.modifiers if own.card in {card.id for card in cards}]
        told = [own for own in carried if own.id in {each.id for each in Pieces(model).modifiers}]
        as_laid = ["closed" if own.opens == "after_reveal" else str(own.capacity) for own in told]
        takes = dict(zip([own.id for own in told], left or as_laid, strict=True))
        own = takes.get(counter.removeprefix("modifier:"), "0")
        return 0 if zone != "tableau" or own == "closed" else int(own)
    amount = sum(dict(card.adds).get(counter, 0) for card in cards)
    for modifier in model.modifiers:
        for change in modifier.then if modifier.id in used else ():
            if change.counter == counter:
                amount = eval(change.formula.text, {"amount": amount})  # noqa: S307 (the file is of the tests)
    return amount


def play_randomly(state: GameState, stream: Stream) -> GameState:
    """Play a state to the end, in place, with random moves of all seats."""
    return play_by(state, (random_move,) * state.program.players, stream)


def moves_are_sound(state: GameState) -> None:
    """Assert that each waiting seat has legal moves, sorted and distinct, and that each is accepted."""
    for seat in waiting(state):
        moves = legal_moves(state, seat)
        assert moves, f"seat {seat} has no move"
        assert list(moves) == sorted(set(moves)), "moves are not sorted, or not unique"
        for move in moves:
            assert check_move(state, seat, move) == move


def hands_are_even(state: GameState) -> None:
    """Assert that hands are equally large where all seats choose from hands that are passed on.

    Games whose tableaus lose cards by effects and come back into hands are exempt.
    """
    choice = choice_of(state)
    passes = state.program.code[choice.following]
    back = any(isinstance(own, MoveAll) and own.target == choice.source for own in state.program.code)
    if back and tableaus_lose_cards(state.program):
        return
    if choice.ordinary and choice.keeps_even and isinstance(passes, Pass) and passes.zone == choice.source:
        hands = state.zones[choice.source][: state.program.players]
        assert len({len(hand) for hand in hands}) == 1, "hands differ in size"


def points_are_explained(state: GameState, story: list[Event]) -> None:
    """Assert that points in events, by rule and by round, add up to the score of every seat."""
    found = result(state)
    seats = range(state.program.seats)
    chips = Counter({seat: total(state, seat) - state.scores[seat] for seat in seats})
    told = Counter(dict.fromkeys(seats, 0))
    for event in story:
        if event.kind == "points":
            told[event.seat] += event.amount
    for seat in seats:
        assert told[seat] == state.scores[seat], f"told points of seat {seat}"
        assert sum(points[seat] for points in found.rules.values()) == found.scores[seat], f"points by rule of {seat}"
        assert sum(row[seat] for row in found.rounds) + chips[seat] == found.scores[seat], f"points by round of {seat}"


def winners_are_right(state: GameState) -> None:
    """Assert that all winners have the best score among the seats that can win.

    Where `wins` may have ended the game, points need not decide.
    """
    sign = 1 if state.program.model.winner.order == "most" else -1
    scores = [sign * total(state, seat) for seat in range(state.program.seats)]
    best = max(score for seat, score in enumerate(scores) if state.program.can_win[seat])
    assert state.winners
    assert all(state.program.can_win[seat] for seat in state.winners), "a winner who cannot win"
    if state.program.model.wins is None:
        assert all(scores[seat] == best for seat in state.winners), "a wrong winner"


def story_keeps_secrets(events: tuple[Event, ...], program: Program) -> None:
    """Assert that seats which may not see the cards of an event do not get their names."""
    for event in events:
        if event.seen_by != EVERYONE:
            for seat in range(-1, program.players):
                if seat < 0 or not event.seen_by >> seat & 1:
                    seen = view(event, seat)
                    assert not seen.cards, f"seat {seat} is told {seen.cards}"
                    assert event.kind != "chip" or not seen.amount, f"seat {seat} is told the value of a chip"


def turns_are_bounded(state: GameState, turns: int) -> None:
    """Assert that the game ends within the number of turns computed when it was loaded."""
    assert turns <= state.program.turn_bound, f"{turns} turns, and at most {state.program.turn_bound} were foreseen"


def survives_the_journey(state: GameState) -> GameState:
    """Assert that a state survives writing and reading, and copying; return the state that was read."""
    restored = restore(state.program, msgspec.json.decode(msgspec.json.encode(state.to_json())))
    expected = parts_of(state)
    assert parts_of(restored) == expected, "lost on the way to text and back"
    assert parts_of(state.clone()) == expected, "lost in copying"
    return restored


NO_PART = {"formula_card", "formula_zone_card", "pending_points", "tell"}
"""Fields that are set only while formulas are evaluated or something happens."""


def parts_of(state: GameState) -> dict[str, object]:
    """Return all parts of a state as values that can be compared."""
    parts = {name: getattr(state, name) for name in GameState.__slots__ if name not in NO_PART}
    parts["program"] = id(state.program)
    parts |= {name: (parts[name].key, parts[name].position) for name in ("deal", "chance")}
    parts["memory"] = state.memory and [getattr(state.memory, name) for name in Beliefs.__slots__]
    return parts


def fingerprint(state: GameState) -> bytes:
    """Return a hashable form of a state, without the seen choices, which grow and take long to write."""
    return pickle.dumps(parts_of(state) | {"memory": state.memory and state.memory.known_cards})


def is_seen_alike(state: GameState, other: GameState) -> None:
    """Assert that every seat sees two equal states alike."""
    for seat in range(-1, state.program.players):
        assert observe(state, seat) == observe(other, seat), f"seat {seat} sees something else"


def observation_of(state: GameState, seat: int) -> str:
    """Return the observation of a seat as text."""
    return json.dumps(observation_json(observe(state, seat)), sort_keys=True)


def story_for(events: tuple[Event, ...], seat: int) -> str:
    """Return the events that a seat sees as text."""
    return json.dumps([event_json(view(event, seat)) for event in events], sort_keys=True)
