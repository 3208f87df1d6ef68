"""Functions that send events to the event sink, if there is one. They change nothing else."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from draftengine.engine.events import Event
from draftengine.engine.explain import arithmetic, cards_behind, in_english
from draftengine.engine.program import RankedRule

if TYPE_CHECKING:
    from collections.abc import Sequence

    from draftengine.engine.choose import Action
    from draftengine.engine.program import CompiledAbility, CompiledRule, CounterField
    from draftengine.engine.state import GameState

Source: TypeAlias = tuple[str, ...]
"""The rulebook sources that the card set gives (see `Event.source`)."""


def reached(state: GameState, what: str, number: int) -> None:
    """Report that a game, a round or a turn begins or ends."""
    if state.tell is not None:
        state.tell(Event(what, amount=number))


def stopped(state: GameState, why: str) -> None:
    """Report that a game ends because it cannot go on."""
    if state.tell is not None:
        state.tell(Event("stopped", name=why))


def over(state: GameState, totals: Sequence[int]) -> None:
    """Report the end of a game: all chips face up, then the winners."""
    if state.tell is None:
        return
    for seat, held in enumerate(state.chips):
        for pile, number in held:
            name = state.program.model.chips[pile].id
            state.tell(Event("chip", seat, name=name, amount=state.program.chip_values[pile][number]))
    for seat in state.winners:
        state.tell(Event("game-over", seat, amount=totals[seat]))


def points(state: GameState, seat: int, cause: str, amount: int, source: Source) -> None:
    """Report that an effect gave a seat points."""
    if state.tell is not None and amount:
        state.tell(Event("points", seat, name=cause, amount=amount, source=source))


def scored(state: GameState, rule: CompiledRule, given: Sequence[int]) -> None:
    """Report the points or chips that a rule gave each seat, with cards and arithmetic."""
    if state.tell is None:
        return
    kind = "awarded" if isinstance(rule, RankedRule) and rule.chip >= 0 else "points"
    name, source = rule.model.id, rule.model.source
    for seat, (why, cards) in enumerate(zip(arithmetic(state, rule), cards_behind(state, rule), strict=True)):
        text = in_english(why)
        if given[seat] or text:
            state.tell(Event(kind, seat, cards, name=name, amount=given[seat], text=text, source=source, why=why))


def marker(state: GameState, marker: int, taker: int, source: Source) -> None:
    """Report that a marker is about to come to a seat."""
    holder = state.markers[marker]
    if state.tell is not None and taker != holder:
        state.tell(Event("marker", taker, name=state.program.markers[marker].id, other=holder, source=source))


def chip(state: GameState, pile: int, seat: int, cause: str, source: Source) -> None:
    """Report that a seat drew a chip: the last one that it holds."""
    if state.tell is not None:
        name = state.program.model.chips[pile].id
        value = state.program.chip_values[pile][state.chips[seat][-1][1]]
        state.tell(Event("chip", seat, seen_by=1 << seat, name=name, amount=value, text=cause, source=source, count=1))


def discarded(state: GameState, seat: int, play: int, source: Source) -> None:
    """Report that a card left a tableau for the discard."""
    if state.tell is not None:
        state.tell(Event("discarded", seat, (state.program.plays[play].name,), source=source))


def counter(state: GameState, kind: str, seat: int, field: CounterField, source: Source) -> None:
    """Report that a counter changed, or that a die was rolled."""
    if state.tell is not None:
        state.tell(Event(kind, seat, name=field.name, amount=field.read(state.words[seat]), source=source))


def cleared(state: GameState, zone: int) -> None:
    """Report that a zone that counts is about to be cleared, except for kept plays."""
    program = state.program
    if state.tell is None:
        return
    for seat, tableau in enumerate(state.zones[zone]):
        stay = tuple([program.plays[play].name for play in tableau if play in program.kept_plays])
        if tableau:
            state.tell(Event("cleared", seat, stay, count=len(tableau) - len(stay)))


def modified(state: GameState, seat: int, play: int) -> None:
    """Report the open modifiers that a play is about to use up."""
    what = state.program.plays[play]
    if state.tell is None:
        return
    used = what.modifiers_used(state.words[seat])
    for index, bits in enumerate(what.modifiers):
        if used >> index & 1:
            modifier = state.program.modifier_of[bits]
            state.tell(Event("modified", seat, (what.name,), name=modifier.id, source=modifier.source))


def way(state: GameState, seat: int, taken: Action) -> None:
    """Report the action that a seat takes, if it has a name."""
    if state.tell is not None and taken.name:
        state.tell(Event("way", seat, name=taken.name, source=taken.source))


def ability_used(state: GameState, seat: int, use: CompiledAbility) -> None:
    """Report that an ability was used and its card went to its zone."""
    if state.tell is not None:
        name, zone = state.program.cards[use.card], use.model.returns_to
        state.tell(Event("ability-used", seat, (name,), name=use.model.id, zone=zone, source=use.model.source))
