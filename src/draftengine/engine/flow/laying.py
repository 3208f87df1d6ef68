"""What one seat takes is laid down, and the cards of its abilities go back: a move, code by code."""

from __future__ import annotations

from typing import TYPE_CHECKING

from draftengine.engine import seeing, telling
from draftengine.engine.events import EVERYONE
from draftengine.engine.text.layouts import turn_up
from draftengine.engine.text.plain import record_of
from draftengine.engine.text.plays import lay

if TYPE_CHECKING:
    from draftengine.engine.flow.choose import Choice
    from draftengine.engine.moves import Move
    from draftengine.engine.state import State


def lay_down(state: State, choice: Choice, seat: int, move: Move) -> None:
    """Lay down what a seat takes, and put back the cards of abilities."""
    laid: dict[int, list[str]] = {}
    used: dict[int, int] = {}
    place = -1
    for code in move:
        channel, place = divmod(code, state.program.width)
        receiver = seat
        if channel >= choice.first_other and choice.also:
            receiver = choice.also[channel - choice.first_other][0]
        elif channel:
            used[channel - 1] = used.get(channel - 1, 0) + 1
            _pick_up(state, choice, seat, channel - 1, used[channel - 1])
        laid.setdefault(receiver, []).append(_lay_card(state, choice, seat, receiver, place))
    for ability, cards in used.items():
        if state.program.abilities[ability].model.turns_up:
            turn_up(record_of(state), state.program.plain, choice.source)
        for _ in range(-(-cards // state.program.abilities[ability].model.take)):
            give_back(state, choice, seat, ability, place)
    seeing.revealed(state, choice, seat, laid)


def _pick_up(state: State, choice: Choice, seat: int, ability: int, taken: int) -> None:
    """The ability's card leaves the tableau when its first further card is taken."""
    use = state.program.abilities[ability]
    if (taken - 1) % use.model.take or use.model.returns_to == "stays":
        return
    state.zones[choice.tableau][seat].remove(use.play)
    state.words[seat] -= state.program.plays[use.play].increment


def _lay_card(state: State, choice: Choice, seat: int, receiver: int, item: int) -> str:
    """One card comes to where it is taken to; its name."""
    program = state.program
    card, play = _take(state, choice, seat, item)
    if program.wander:
        between = program.rise_between(choice.source, choice.target, card)
        state.words[receiver if choice.plays else seat] += between
    seeing.laid(state, choice, seat, receiver, card)
    if choice.plays and not program.wander:
        lay(record_of(state), program.plain, receiver, play)
        return program.plays[play].name
    shared = program.zones[choice.target].per == "table"
    state.zones[choice.target][0 if shared else receiver].append(card)
    if choice.plays:
        state.placed.append((receiver, play))
        return program.plays[play].name
    return program.faces[card]


def _take(state: State, choice: Choice, seat: int, item: int) -> tuple[int, int]:
    """Remove the card an item means from its zone; the card and the play it becomes."""
    program = state.program
    if choice.layout:
        cards = state.zones[choice.source][0]
        card, cards[item] = cards[item], -1
        return card, dict(program.options[program.options_of[card][0]].plays)[card]
    hand = choice.held(state, seat)
    if program.simple:
        hand.remove(item)
        return item, item
    plays = dict(program.options[item].plays)
    card = next(held for held in hand if held in plays)
    hand.remove(card)
    return card, plays[card]


def give_back(state: State, choice: Choice, seat: int, ability: int, place: int) -> None:
    """The card of an ability that was used goes where it goes."""
    use = state.program.abilities[ability]
    if use.model.returns_to == "hand":
        state.zones[choice.source][seat].append(use.card)
        seeing.remember_coming(state, (choice.source, choice.owner(state, seat)), use.card, EVERYONE)
    elif use.model.returns_to == "place":
        state.zones[choice.source][0][place] = use.card
    elif use.model.returns_to == "discard":
        state.zones[choice.discard][0].append(use.card)
    telling.ability_used(state, seat, use)
