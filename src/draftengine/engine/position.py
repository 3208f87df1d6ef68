"""Positions: games that start from cards as they lie, for scenarios, scoring sheets and analysis."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from draftengine.engine.chance import root_of
from draftengine.engine.effects import score_rules
from draftengine.engine.explain import Line, lines
from draftengine.engine.flow.choose import Choice, rise
from draftengine.engine.flow.control import StartTurns, winners
from draftengine.engine.flow.instruction import WAIT, advance
from draftengine.engine.game import Turned
from draftengine.engine.state import State, fresh

if TYPE_CHECKING:
    from draftengine.engine.events import Event
    from draftengine.engine.program import Program

Table = Sequence[str] | Mapping[str, int]
"""A tableau: plays in the order of play, or copies by name where the order doesn't matter."""


class UnknownNameError(ValueError):
    """A position names a card, zone, marker or place that the game does not have. `name` is that name."""

    def __init__(self, name: str, known: Sequence[str]) -> None:
        super().__init__(f"there is no {name!r} in this game")
        self.name = name
        self.known = tuple(known)


@dataclass(frozen=True, slots=True)
class Position:
    """What lies where. Whatever is left out is as after the deal."""

    tables: tuple[Table, ...] = ()
    hands: tuple[tuple[str, ...], ...] = ()
    zones: Mapping[str, tuple[tuple[str, ...], ...]] = field(default_factory=dict)
    """Contents of other zones, by owner; a shared zone has one. For a pile the first card is the top one."""
    markers: Mapping[str, int | None] = field(default_factory=dict)
    counters: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    """Counters set by hand, by seat (a die)."""
    scores: tuple[int, ...] = ()
    round: int = 1


def entries(table: Table) -> tuple[str, ...]:
    """The plays of a table in the order of play."""
    if isinstance(table, Mapping):
        return tuple(name for name, copies in table.items() for _ in range(copies))
    return tuple(table)


def lay_out(program: Program, position: Position, *, seed: int | str = 0) -> State:
    """A state with the position on the table, nobody choosing yet. Raises `UnknownNameError`."""
    state = fresh(program, root_of(seed), 0, memory=True)
    _run_to_turns(state)
    _place(state, position)
    return state


def set_up(program: Program, position: Position, *, seed: int | str = 0) -> Turned:
    """The first decision of a turn that starts from the position. Raises `UnknownNameError`."""
    state = lay_out(program, position, seed=seed)
    events: list[Event] = []
    advance(state, events.append)
    return Turned(state, tuple(events))


def _run_to_turns(state: State) -> None:
    """Run the deal of the first round, up to the first turn."""
    code = state.program.code
    at = 0
    while not isinstance(code[at], (StartTurns, Choice)):
        following = code[at].run(state, None)
        if following == WAIT:
            break
        at = following
    state.pc = at


def _place(state: State, position: Position) -> None:
    program = state.program
    state.round = position.round
    for zone, contents in {**position.zones, **({"hand": position.hands} if position.hands else {})}.items():
        _fill(state, zone, contents)
    for seat, table in enumerate(position.tables):
        put_on_table(state, seat, table)
    for name, values in position.counters.items():
        _set_counter(state, name, values)
    names = [marker.id for marker in program.markers]
    for name, holder in position.markers.items():
        if name not in names:
            raise UnknownNameError(name, names)
        state.markers[names.index(name)] = -1 if holder is None else holder
    for seat, score in enumerate(position.scores):
        state.scores[seat] = score
    state.before = state.words[:]
    _take_from_deck(state)


def _card(program: Program, name: str) -> int:
    if name not in program.cards:
        raise UnknownNameError(name, program.cards)
    return program.card_index(name)


def _fill(state: State, zone: str, contents: Sequence[Sequence[str]]) -> None:
    program = state.program
    names = [own.id for own in program.zones]
    if zone not in names:
        raise UnknownNameError(zone, names)
    index = names.index(zone)
    for owner, cards in enumerate(contents):
        found = [_card(program, card) for card in cards]
        places = len(program.zones[index].layout)
        if places:
            state.zones[index][owner] = (found + [-1] * places)[:places]
        else:
            state.zones[index][owner] = found[::-1] if program.zones[index].seen_by == "nobody" else found


def put_on_table(state: State, seat: int, table: Table) -> None:
    """Lay cards before a seat one after the other, as if they had been played in that order."""
    program = state.program
    tableau = state.zones[program.zone_index("tableau")][seat]
    plays = [play.name for play in program.plays]
    for name in entries(table):
        if name not in plays:
            raise UnknownNameError(name, plays)
        play = plays.index(name)
        tableau.append(play)
        state.words[seat] += rise(program.plays[play], state.words[seat])


def _set_counter(state: State, name: str, values: Sequence[int]) -> None:
    names = {own.name: own for own in state.program.fields}
    if name not in names:
        raise UnknownNameError(name, tuple(names))
    own = names[name]
    for seat, value in enumerate(values):
        word = state.words[seat]
        state.words[seat] = word + ((value - own.read(word)) << own.shift)


def _take_from_deck(state: State) -> None:
    """The deck is what the box holds beside the cards on the table (as far as it holds them)."""
    program = state.program
    left = list(program.deck)
    state.deal.shuffle(left)
    tableau = program.zone_index("tableau")
    for zone, owners in enumerate(state.zones):
        if zone == program.zone_index("deck"):
            continue
        for cards in owners:
            for card in cards:
                own = program.plays[card].card if zone == tableau else card
                if own in left:
                    left.remove(own)
    state.zones[program.zone_index("deck")][0] = left


def proof(state: State, label: str) -> tuple[Line, ...]:
    """Every line of points that the rules of a label (``round``, ``game``) would give now, with its reasons."""
    found: list[Line] = []
    for rule in state.program.rules:
        if rule.model.at == label and (rule.when is None or rule.when(state, 0)):
            found += lines(state, rule)
    return tuple(found)


def score_label(state: State, label: str) -> State:
    """The state after the rules of a label were scored."""
    after = state.clone()
    score_rules(after, [index for index, rule in enumerate(after.program.rules) if rule.model.at == label], None)
    return after


def labels(program: Program) -> tuple[str, ...]:
    """The labels that the flow scores, in order."""
    return tuple(dict.fromkeys(rule.model.at for rule in program.rules))


def leaders(state: State) -> tuple[int, ...]:
    """The seats that would win if the game ended now."""
    return winners(state, most=state.program.model.winner.order == "most")
