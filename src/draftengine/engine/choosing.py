"""Queries about a choice of an interpreted game: the cards, options and actions that a seat has now."""

from __future__ import annotations

from typing import TYPE_CHECKING

from draftengine.engine.kernel import choices, wild_cards
from draftengine.engine.plain import plan_of, record_of

if TYPE_CHECKING:
    from draftengine.engine.choose import Choice
    from draftengine.engine.state import GameState


def own_count(state: GameState, choice: Choice, seat: int) -> int:
    """Return the number of cards that a seat takes for itself."""
    return wild_cards.own_count(record_of(state), plan_of(state.program), choice, seat)


def uses_of(state: GameState, choice: Choice, ability: int, seat: int) -> int:
    """Return the number of times that a seat can use an ability now."""
    return choices.uses(record_of(state), plan_of(state.program), choice, ability, seat)


def open_ways(state: GameState, choice: Choice, seat: int) -> list[tuple[int, int]]:
    """Return the actions that a seat can take now, each with its number of cards."""
    record, plan = record_of(state), plan_of(state.program)
    return [
        (index, choices.cards_taken(record, plan, choice, way, seat))
        for index, way in enumerate(choice.actions)
        if choices.way_is_open(record, plan, choice, way, seat)
    ]


def items_by(state: GameState, choice: Choice, seat: int, card: int, way: int) -> tuple[int, ...]:
    """Return the items that name a card for an action; none if the action does not accept the card."""
    chosen = choice.actions[way]
    if not choices.can_go(record_of(state), plan_of(state.program), chosen, seat, card):
        return ()
    base = way * choice.items_per_action
    return tuple([base + option for option in items_of(state, chosen.laying, seat, card)])


def items_of(state: GameState, choice: Choice, seat: int, card: int) -> tuple[int, ...]:
    """Return the options that a seat has for a card now.

    In a layout, return just `card`, which is a place.

    A wild card without an allowed form is played as itself if too few other cards can be played.
    """
    program = state.program
    if choice.layout or program.simple or choice.as_they_lie:
        return (card,)
    if not choice.plays:
        return program.options_of[card][-1:]
    record, plan = record_of(state), plan_of(program)
    if card not in plan.wild:
        return program.options_of[card]
    *named, bare = program.options_of[card]
    allowed = tuple(
        [option for option in named if wild_cards.is_allowed(record, plan, program.options[option].condition, seat)]
    )
    if allowed or wild_cards.is_stuck(plan, wild_cards.cannot_be_played(record, plan, choice, seat), card):
        return allowed
    return (bare,)
