"""Policies: how seats choose in playouts. They look at the state itself; opponents of people are bots.

A policy is a function of the state, the choice, the seat and a stream of chance, so that a playout is one too. The
text of `draftengine.engine.plan` follows the same policies, draw by draw.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING

from draftengine.engine.moves import legal_moves
from draftengine.engine.plan.shortlist import any_of, best_of
from draftengine.engine.public_state import PublicState, rises

if TYPE_CHECKING:
    from draftengine.engine.chance import Stream
    from draftengine.engine.choose import Choice
    from draftengine.engine.moves import Move
    from draftengine.engine.state import GameState

Policy = Callable[["GameState", "Choice", int, "Stream"], "Move"]


def any_move(state: GameState, seat: int, stream: Stream) -> Move:
    """Return a uniformly random legal move."""
    return any_of(legal_moves(state, seat), stream)


def random_move(state: GameState, choice: Choice, seat: int, stream: Stream) -> Move:
    """Draw a move: each physical card (or open place) is equally likely, then each of its forms.

    With actions, first each open action is equally likely, then the cards that can take it. If an ability is ready and
    enough cards are left for it, the first such ability is used once with probability one half.
    """
    if choice.actions:
        return _random_way(state, choice, seat, stream)
    stock = choice.open_places(state) if choice.layout else choice.cards_of(state, seat)
    picks = _draw(state, choice, seat, stock, min(choice.count(state, seat), len(stock)), stream)
    if picks is None:
        return any_move(state, seat, stream)
    move = picks + _ability_cards(state, choice, seat, picks, stock, stream)
    for channel, other, cards in choice.parts_for_others(state, seat):
        for_other = _draw(state, choice, other, stock, min(cards, len(stock)), stream)
        if for_other is None:
            return any_move(state, seat, stream)
        move += tuple(channel * state.program.width + item for item in for_other)
    return move


def _random_way(state: GameState, choice: Choice, seat: int, stream: Stream) -> Move:
    ways = choice.open_ways(state, seat)
    way, count = ways[stream.below(len(ways))] if len(ways) > 1 else ways[0]
    if not count:
        return (choice.cardless_item(way),)
    stock = choice.cards_for(state, seat, way)
    picks = _draw(state, choice.actions[way].laying, seat, stock, count, stream)
    assert picks is not None, "every card that can go a way can be named"
    return tuple([way * choice.items_per_action + option for option in picks])


def _draw(state: GameState, choice: Choice, seat: int, stock: list[int], count: int, stream: Stream) -> Move | None:
    """Draw cards with their forms, in place, from the stock; ``None`` if no remaining card can be taken."""
    picks: list[int] = []
    for _ in range(count):
        if state.program.simple or choice.layout:
            picks.append(stock.pop(stream.below(len(stock))))
            continue
        items = [choice.items_of(state, seat, card) for card in stock]
        places = [place for place, item in enumerate(items) if item]
        if not places:
            return None
        place = places[stream.below(len(places))]
        del stock[place]
        forms = items[place]
        picks.append(forms[stream.below(len(forms))] if len(forms) > 1 else forms[0])
    return tuple(picks)


def _ability_cards(state: GameState, choice: Choice, seat: int, picks: Move, stock: list[int], stream: Stream) -> Move:
    """Return the codes of further cards taken with an ability, by a coin; removes them from the stock."""
    ability = ready_ability(state, choice, seat, tuple(stock), picks)
    if ability < 0 or not stream.below(2):
        return ()
    take = state.program.abilities[ability].model.take
    wider = list(choice.uncovered(state, tuple(stock), picks))
    more = _draw(state, choice, seat, wider, take, stream)
    if more is None:
        return ()
    stock[:] = wider
    return tuple((1 + ability) * state.program.width + item for item in more)


def ready_ability(state: GameState, choice: Choice, seat: int, stock: tuple[int, ...], picks: Move) -> int:
    """Return the first ability that the seat may use after its picks with enough cards left; -1 if none."""
    for ability in choice.abilities:
        if (
            choice.uses(state, ability, seat)
            and choice.left_for_ability(state, seat, stock, picks) >= state.program.abilities[ability].model.take
        ):
            return ability
    return -1


def greedy_move(state: GameState, choice: Choice, seat: int, stream: Stream) -> Move:
    """Return the move with the largest rise of the provisional score; ties are broken at random."""
    public = PublicState.of_state(state)
    return best_of(legal_moves(state, seat), lambda some: rises(public, choice, seat, some), stream).move


POLICIES: Mapping[str, Policy] = MappingProxyType({"random": random_move, "greedy": greedy_move})
"""The policies by name; bots of these names follow them."""
