"""Make events of what happens, for the event sink. Nothing here asks anybody, or changes anything."""

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
"""Where the rules say it: the source that the card set gives (see `Event.source`)."""


def reached(state: GameState, what: str, number: int) -> None:
    """A game, a round or a turn begins or ends."""
    if state.tell is not None:
        state.tell(Event(what, amount=number))


def stopped(state: GameState, why: str) -> None:
    """Tell that a game ends because it cannot go on."""
    if state.tell is not None:
        state.tell(Event("stopped", name=why))


def over(state: GameState, totals: Sequence[int]) -> None:
    """A game is over: the chips are shown, and who has won."""
    if state.tell is None:
        return
    for seat, held in enumerate(state.chips):
        for pile, number in held:
            name = state.program.model.chips[pile].id
            state.tell(Event("chip", seat, name=name, amount=state.program.chip_values[pile][number]))
    for seat in state.winners:
        state.tell(Event("game-over", seat, amount=totals[seat]))


def points(state: GameState, seat: int, cause: str, amount: int, source: Source) -> None:
    """An effect gave a seat points."""
    if state.tell is not None and amount:
        state.tell(Event("points", seat, name=cause, amount=amount, source=source))


def scored(state: GameState, rule: CompiledRule, given: Sequence[int]) -> None:
    """A rule gave every seat points, or a number of chips, with the cards and the arithmetic behind it."""
    if state.tell is None:
        return
    kind = "awarded" if isinstance(rule, RankedRule) and rule.chip >= 0 else "points"
    name, source = rule.model.id, rule.model.source
    for seat, (why, cards) in enumerate(zip(arithmetic(state, rule), cards_behind(state, rule), strict=True)):
        text = in_english(why)
        if given[seat] or text:
            state.tell(Event(kind, seat, cards, name=name, amount=given[seat], text=text, source=source, why=why))


def marker(state: GameState, marker: int, taker: int, source: Source) -> None:
    """A marker is about to come to a seat."""
    holder = state.markers[marker]
    if state.tell is not None and taker != holder:
        state.tell(Event("marker", taker, name=state.program.markers[marker].id, other=holder, source=source))


def chip(state: GameState, pile: int, seat: int, cause: str, source: Source) -> None:
    """A seat drew a chip, its last one."""
    if state.tell is not None:
        name = state.program.model.chips[pile].id
        value = state.program.chip_values[pile][state.chips[seat][-1][1]]
        state.tell(Event("chip", seat, seen_by=1 << seat, name=name, amount=value, text=cause, source=source, count=1))


def discarded(state: GameState, seat: int, play: int, source: Source) -> None:
    """A card left a tableau for the discards."""
    if state.tell is not None:
        state.tell(Event("discarded", seat, (state.program.plays[play].name,), source=source))


def counter(state: GameState, kind: str, seat: int, field: CounterField, source: Source) -> None:
    """A counter changed, or a die was rolled."""
    if state.tell is not None:
        state.tell(Event(kind, seat, name=field.name, amount=field.read(state.words[seat]), source=source))


def cleared(state: GameState, zone: int) -> None:
    """What lies in a zone that counts is about to go, but for what stays."""
    program = state.program
    if state.tell is None:
        return
    for seat, tableau in enumerate(state.zones[zone]):
        stay = tuple([program.plays[play].name for play in tableau if play in program.kept_plays])
        if tableau:
            state.tell(Event("cleared", seat, stay, count=len(tableau) - len(stay)))


def modified(state: GameState, seat: int, play: int) -> None:
    """A play is about to use up open modifiers."""
    what = state.program.plays[play]
    if state.tell is None:
        return
    used = what.modifiers_used(state.words[seat])
    for index, bits in enumerate(what.modifiers):
        if used >> index & 1:
            modifier = state.program.modifier_of[bits]
            state.tell(Event("modified", seat, (what.name,), name=modifier.id, source=modifier.source))


def way(state: GameState, seat: int, taken: Action) -> None:
    """A seat goes a way; one without a name is no news."""
    if state.tell is not None and taken.name:
        state.tell(Event("way", seat, name=taken.name, source=taken.source))


def ability_used(state: GameState, seat: int, use: CompiledAbility) -> None:
    """The card of an ability went where such cards go."""
    if state.tell is not None:
        name, zone = state.program.cards[use.card], use.model.returns_to
        state.tell(Event("ability-used", seat, (name,), name=use.model.id, zone=zone, source=use.model.source))
