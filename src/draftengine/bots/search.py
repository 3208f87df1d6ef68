"""``search``: plays the rest of the game many times in its head, in worlds that it cannot tell from the real one."""

from __future__ import annotations

import time
from contextlib import suppress
from functools import lru_cache
from typing import TYPE_CHECKING, Protocol, cast

from draftengine.bots.endgame import solved
from draftengine.bots.opponents import Reader
from draftengine.bots.protocol import BotError, Budget, Considered, Decision
from draftengine.bots.readiness import learn_cards
from draftengine.bots.tables import at_hand
from draftengine.bots.trees import Aim, Trees
from draftengine.engine.chance import Stream
from draftengine.engine.game import start, waiting
from draftengine.engine.observe import observe
from draftengine.engine.redeal import Knowledge
from draftengine.engine.worth import SCALE
from draftengine.kernel import UnsupportedError, is_ready

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from draftengine.bots.learning import Learned
    from draftengine.bots.readiness import Told
    from draftengine.bots.trees import Model
    from draftengine.engine.flow.choose import Choice
    from draftengine.engine.moves import Move
    from draftengine.engine.observe import Observation
    from draftengine.engine.program import Program
    from draftengine.kernel.searcher import Searcher

_MOST = 20_000
_HORIZONS = ("both", "round", "game")

Counted = tuple[int, int]
"""How often a move was tried, and the margins it led to in all, in parts of a point."""


class Search(Protocol):
    """A search of one decision."""

    step: int
    """So many playouts between two looks at the clock."""

    def run(self, key: int, first: int, last: int) -> None:
        """The playouts `first` to `last - 1`."""
        ...

    def found(self) -> dict[Move, Counted]:
        """How often each move of the seat was tried, and with what margins."""
        ...


class SearchBot:
    """Looks ahead in many possible worlds (decoupled UCT)."""

    alone = False

    def __init__(self, exploration: float = 0.3, exact: int = 4, horizon: str = "both") -> None:
        """`exact`: rounds of two seats are solved from so many cards on; `horizon`: look to the end of what."""
        if horizon not in _HORIZONS:
            raise BotError(f"horizon is {', '.join(_HORIZONS[:-1])} or {_HORIZONS[-1]}, not “{horizon}”.")
        self.exploration = exploration
        self.exact = exact
        self.horizon = horizon

    def prepare(self, program: Program, told: Told) -> None:
        """Learn the cards, if nobody has before; and load the kernel, for which the first move would wait."""
        learn_cards(program, told)
        if is_ready():
            state = start(program, 0).state
            for seat in waiting(state)[:1]:
                self.decide(observe(state, seat), Stream(0), Budget(iterations=1))

    def decide(self, seen: Observation, stream: Stream, budget: Budget) -> Decision:
        """The move that was tried most often."""
        if seen.moves.total == 1:
            return Decision(seen.moves[0])
        began = time.perf_counter()
        knowledge = Knowledge.of(seen)
        certain = solved(seen, knowledge, self.exact, stream) if self.exact else None
        if certain is not None:
            return certain
        key = stream.word()
        for search in self.searches(seen, knowledge):
            with suppress(UnsupportedError):  # too much for the machine: the next finds the same
                return _searched(search, key, budget, began)
        raise AssertionError("the last search can play every game")

    def searches(self, seen: Observation, knowledge: Knowledge) -> Iterator[Search]:
        """The searches that find the same, the quickest first: with the batch kernel, if it can play this game."""
        known = at_hand(seen.program)
        aim = _aim(_ById(known), self.horizon, self.alone)
        models = _reader(_ById(known)).models(seen) if aim.by_models else ()
        searcher = _searcher(_ById(known), self.horizon, self.alone) if is_ready() else None
        if searcher is not None:
            with suppress(UnsupportedError):
                yield _Kernel(searcher, knowledge, seen, models, self)
        yield _Reference(Trees(knowledge, known.worth, aim, seen.seat, self.exploration, models))


class FlatBot(SearchBot):
    """Tries every move in many possible worlds, without looking further ahead (flat Monte Carlo)."""

    alone = True

    def __init__(self) -> None:
        super().__init__(exact=0)


def _searched(search: Search, key: int, budget: Budget, began: float) -> Decision:
    """What a search finds within the budget; the clock runs since `began`.

    It stops when the next step would end too late, if playouts go on to take as long as they did.
    """
    done, most, first = 0, budget.iterations or _MOST, time.perf_counter()
    while done < most:
        step = min(search.step, most - done)
        search.run(key, done, done + step)
        done += step
        now = time.perf_counter()
        next_ends = now + step * (now - first) / done - began
        if budget.milliseconds and 1000 * next_ends > budget.milliseconds:
            break
    return _decision(search.found(), done)


def _decision(found: dict[Move, Counted], done: int) -> Decision:
    considered = [
        Considered(move, margins / visits / SCALE, visits / done)
        for move in sorted(found)
        for visits, margins in [found[move]]
        if visits
    ]
    considered.sort(key=lambda own: (-own.weight, -own.value))
    return Decision(considered[0].move, tuple(considered), "margin", done)


class _Reference:
    """The trees of a search that is done in Python, without the batch kernel."""

    step = 1

    def __init__(self, trees: Trees) -> None:
        self.trees = trees

    def run(self, key: int, first: int, last: int) -> None:
        self.trees.run(key, first, last)

    def found(self) -> dict[Move, Counted]:
        children = self.trees.roots[self.trees.seat].children
        return {move: (node.visits, node.margins) for move, node in children.items()}


class _Kernel:
    """The trees of a search that the batch kernel keeps."""

    step = 32

    def __init__(
        self, searcher: Searcher, knowledge: Knowledge, seen: Observation, models: Sequence[Model], bot: SearchBot
    ) -> None:
        self.searcher = searcher
        self.seen = seen
        searcher.begin(knowledge, seen.seat, bot.exploration, models, alone=bot.alone)

    def run(self, key: int, first: int, last: int) -> None:
        self.searcher.run(key, first, last)

    def found(self) -> dict[Move, Counted]:
        choice = cast("Choice", self.seen.program.code[self.seen.decision])
        width, first = self.seen.program.width, choice.first_other
        moves = {_key_of(move, width, first): move for move in self.seen.moves}
        return {moves[own.key]: (own.visits, own.margins) for own in self.searcher.branches(self.seen.seat)}


def _key_of(move: Move, width: int, first_other: int) -> tuple[int, int, int, int]:
    """A move as the machine names it: own item, ability, its item, item for another seat."""
    own, ability, more, other = -1, -1, -1, -1
    for code in move:
        channel, item = divmod(code, width)
        if channel == 0:
            own = item
        elif channel < first_other:
            ability, more = channel - 1, item
        else:
            other = item
    return own, ability, more, other


class _ById:
    """What was learnt of a game, compared as the one object it is."""

    def __init__(self, known: Learned) -> None:
        self.known = known

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _ById) and other.known is self.known

    def __hash__(self) -> int:
        return id(self.known)


@lru_cache(32)
def _aim(known: _ById, horizon: str, alone: bool) -> Aim:  # noqa: FBT001 (cached)
    return Aim.of(known.known.worth.program, known.known.lead, horizon=horizon, alone=alone)


@lru_cache(32)
def _reader(known: _ById) -> Reader:
    return Reader(known.known.worth)


@lru_cache(8)
def _searcher(known: _ById, horizon: str, alone: bool) -> Searcher | None:  # noqa: FBT001 (cached)
    """The machine for a game; ``None`` if it cannot play it."""
    from draftengine.kernel.searcher import Searcher as Machine  # noqa: PLC0415 (imports Numba)

    aim, worth = _aim(known, horizon, alone), known.known.worth
    try:
        return Machine(worth.program, worth, near=aim.near, few=aim.few, by_margin=aim.by_margin, logistic=aim.logistic)
    except UnsupportedError:
        return None
