"""Choice of the games to play: some of every kind, then more for goals that are not reached yet.

All limits count games and work, never seconds, so a file gets equal findings on every machine. Games that take much
work are played less often.
"""

from __future__ import annotations

from contextlib import suppress
from itertools import count, takewhile
from typing import TYPE_CHECKING, TypeVar

from msgspec import Struct

from draftengine.api.errors import SelectionError
from draftengine.api.game import Ruleset
from draftengine.engine.compilable import why_not_compiled
from draftengine.engine.moves import legal_moves
from draftengine.engine.policies import best_of, greedy_move, random_move
from draftengine.engine.public_state import PublicState, rises
from draftengine.model.library import CardSetError
from draftengine.model.selection import NOTHING_SELECTED, menus_in, single_selections
from draftengine.studies.playtest.counters import MOST_WORK, Counters

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Container, Iterable, Iterator, Sequence

    from draftengine.engine.chance import Stream
    from draftengine.engine.choose import Choice
    from draftengine.engine.moves import Move
    from draftengine.engine.policies import Policy
    from draftengine.engine.program import Program
    from draftengine.engine.state import GameState
    from draftengine.model.cardset.records import CardSet
    from draftengine.model.selection import Document, Selection

Item = TypeVar("Item")

BASE = 48, 16
"""The numbers of random and greedy games of the base game, shared among its numbers of players."""
VARIANT = 12, 0
"""The numbers of random and greedy games of each variant, with the usual number of players."""
KIND, ALL = 12_000, 300_000
"""Limits of work: `KIND` for the games of a table with one policy, `ALL` for all selections together."""
COUNTS, VARIANTS, MENUS = 6, 40, 8
"""The largest numbers of player counts, variants and menus that are played."""
COLLECTING, HOPING, TRIES = 60, 160, 240
"""Games to reach a goal: enough if seats collect its cards, enough if luck decides, and the most."""
_FIRST_COLLECTED, _FIRST_AGAIN = 10_000, 20_000


class Table(Struct):
    """A game for one selection of variants and one number of players, and the counters of its games."""

    counters: Counters
    program: Program
    steady: bool = True
    """True until a game takes more than `MOST_WORK`. After that, no more games are played."""

    def play(self, policies: Sequence[Policy], number: int, way: int = 0) -> int:
        """Play a game. Returns the work that it took."""
        work = self.counters.play(self.program, policies, number, way)
        self.steady = self.steady and work <= MOST_WORK
        return work

    def play_some(self, policies: Sequence[Policy], games: Sequence[int]) -> None:
        """Play the first deals with each policy in turn. The policy chooses for all seats.

        `games` has the number of deals for each policy; fewer are played if the games take much work.
        """
        for way, (policy, most) in enumerate(zip(policies, games, strict=True)):
            work = number = 0
            while self.steady and number < most and work < KIND:
                work += self.play([policy] * self.program.players, number, way)
                number += 1


class Played(Struct):
    """A selection of variants that was played, with its counters and a table for each number of players."""

    model: CardSet
    counters: Counters
    tables: list[Table]
    full: bool
    """True for the base game, played with every number of players."""

    @property
    def steady(self) -> list[Table]:
        """The tables at which no game took too much work."""
        return [table for table in self.tables if table.steady]


def play_all(document: Document) -> list[Played]:
    """Play the base game with every number of players, and each other selection with its usual number.

    A selection is in the result even if all its games were too long to be counted. If its games are also too large to
    compile, it has a table without games for every number of players, because the finding about this names them all.
    """
    played: list[Played] = []
    of_menus = {name for menu in menus_in(document.root).values() for name in menu}
    menus: list[Selection] = []
    others: list[Selection] = []
    for selection in single_selections(document):
        menu = len(selection.variants) > 1 and not of_menus.isdisjoint(selection.variants)
        (menus if menu else others).append(selection)
    selections = [*spread(others, VARIANTS), *spread(menus, MENUS)]
    for selection in selections:
        each = _play(document, selection) if sum(each.counters.work for each in played) < ALL else None
        played += [each] if each else []
    return played


def _play(document: Document, selection: Selection) -> Played | None:
    try:
        rules = Ruleset(document, selection)
    except (CardSetError, SelectionError):
        return None
    base = selection == NOTHING_SELECTED
    fewest, most = rules.players
    numbers = range(fewest, most + 1) if base else (rules.usual_players,)
    counters = Counters()
    tables: list[Table] = []
    counts = spread(numbers, COUNTS)
    wanted = [-(-games // len(counts)) for games in (BASE if base else VARIANT)]
    for players in counts:
        steady = all(table.steady for table in tables)  # games with more players are no shorter
        if not steady and not why_not_compiled(tables[-1].program):
            break
        with suppress(CardSetError, SelectionError):
            tables.append(Table(counters, rules.heard(players, counters.conditions.hear).program, steady))
            tables[-1].play_some((random_move, greedy_move), wanted)
    full = base and sum(table.steady for table in tables) == len(numbers)
    return Played(rules.model, counters, tables, full) if tables else None


def always(played: Played, holds: Callable[[Counters], bool]) -> bool:
    """True if `holds` is true of all games, also after more games that are played to win and to lose."""
    counters = played.counters
    for table in played.steady if holds(counters) else ():
        for number in range(_FIRST_AGAIN, _FIRST_AGAIN + HOPING // (2 * len(played.tables))):
            for way, policy in enumerate((greedy_move, worst_move)):
                if table.steady and holds(counters):
                    table.play([policy] * table.program.players, number, way)
    return holds(counters)


def spread(items: Sequence[Item], most: int) -> list[Item]:
    """Return `most` of the items, evenly from the first to the last; all of them if there are fewer."""
    count = min(len(items), most)
    return [items[index * (len(items) - 1) // max(count - 1, 1)] for index in range(count)]


def collect(table: Table, cards: Collection[int]) -> Iterator[int]:
    """Play games in which seats take all or some of `cards` if they can, try to win, or try to lose.

    In every second game, one seat plays like this and the others play at random. Yields the work of each game.
    """
    players = table.program.players
    for number in takewhile(lambda _: table.steady, count()):
        some = {card for place, card in enumerate(sorted(cards)) if number >> place % 6 & 1}
        policies = (collector(cards), collector(some)) if cards else (random_move, random_move)
        policy = (*policies, (greedy_move, worst_move)[number // 6 % 2])[number // 2 % 3]
        seats = [policy if number % 2 or seat == number % players else random_move for seat in range(players)]
        yield table.play(seats, _FIRST_COLLECTED + number)


def collector(cards: Container[int]) -> Policy:
    """Return a policy that takes as many of the given cards as it can."""

    def policy(state: GameState, choice: Choice, seat: int, stream: Stream) -> Move:
        def rate(moves: Iterable[Move]) -> list[float]:
            return [sum(card_taken(state, choice, code) in cards for code in move) for move in moves]

        return best_of(legal_moves(state, seat), rate, stream).move

    return policy


def worst_move(state: GameState, choice: Choice, seat: int, stream: Stream) -> Move:
    """Return the move that raises the seat's provisional score least."""
    public = PublicState.of_state(state)
    moves = legal_moves(state, seat)
    return best_of(moves, lambda some: [-rise for rise in rises(public, choice, seat, some)], stream).move


def card_taken(state: GameState, choice: Choice, code: int) -> int:
    """Return the card that one code of a move takes; -1 if it takes none, or a card that will not count."""
    program = state.program
    item = code % program.width
    if choice.layout:
        return state.zones[choice.source][0][item]
    way, option = choice.action_of_item(item) if choice.actions else (-1, item)
    if way >= 0 and not program.zones[choice.actions[way].laying.target].counts:
        return -1
    return program.plays[program.options[option].representative_play].card if option >= 0 else -1
