"""``search``: plays the rest of the game many times in its head, in worlds that it cannot tell from the real one."""

from __future__ import annotations

import time
from contextlib import suppress
from functools import lru_cache
from typing import TYPE_CHECKING, Protocol

from draftengine.bots.endgame import solved
from draftengine.bots.opponents import Reader
from draftengine.bots.protocol import BotError, Budget, Considered, Decision
from draftengine.bots.readiness import COMPILING, learn_cards
from draftengine.bots.tables import at_hand
from draftengine.bots.trees import Aim, Trees
from draftengine.compiled.limits import UnsupportedError, can_compile
from draftengine.engine.redeal import Knowledge
from draftengine.engine.worth import SCALE
from draftengine.identity import ById

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from draftengine.bots.learning import Learned
    from draftengine.bots.readiness import Told
    from draftengine.bots.trees import Model
    from draftengine.engine.chance import Stream
    from draftengine.engine.moves import Move
    from draftengine.engine.observe import Observation
    from draftengine.engine.program import Program
    from draftengine.searching.searcher import Searcher

_MOST = 20_000
_WORTH_COMPILING = 1_000
"""So many playouts without take about as long as compiling."""
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
        """Learn the cards, if nobody has before; and compile the game, for which the first move would wait."""
        learn_cards(program, told)
        told(COMPILING, 0.0)
        _compiler(ById(at_hand(program))).compile()

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
        in_no_hurry = 0 if budget.milliseconds else budget.iterations or _MOST
        for search in self.searches(seen, knowledge, in_no_hurry):
            with suppress(UnsupportedError):  # too much for machine words: the next one finds the same
                return _searched(search, key, budget, began)
        raise AssertionError("the last search can play every game")

    def searches(self, seen: Observation, knowledge: Knowledge, playouts: int = 0) -> Iterator[Search]:
        """The searches that find the same, the quickest first: by the text, if that can be.

        `playouts`: so many are to come, however long it takes, so that the text may be made ready for them.
        """
        known = at_hand(seen.program)
        aim = _aim(ById(known), self.horizon, self.alone)
        models = _reader(ById(known)).models(seen) if aim.by_models else ()
        compiler = _compiler(ById(known))
        if compiler.is_worth_while(playouts):
            compiler.compile()
        if compiler.searcher is not None:
            with suppress(UnsupportedError):
                yield _OfTheText(compiler.searcher, knowledge, seen, aim, models, self)
        yield _Reference(Trees(knowledge, known.worth, aim, seen.seat, self.exploration, models), compiler)


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
    """The trees of a search that is done in Python."""

    step = 1

    def __init__(self, trees: Trees, compiler: _Compiler) -> None:
        self.trees = trees
        self.compiler = compiler

    def run(self, key: int, first: int, last: int) -> None:
        self.compiler.without += last - first
        self.trees.run(key, first, last)

    def found(self) -> dict[Move, Counted]:
        children = self.trees.roots[self.trees.seat].children
        return {move: (node.visits, node.margins) for move, node in children.items()}


class _OfTheText:
    """Playouts by the text."""

    def __init__(
        self,
        searcher: Searcher,
        knowledge: Knowledge,
        seen: Observation,
        aim: Aim,
        models: Sequence[Model],
        bot: SearchBot,
    ) -> None:
        self.step = searcher.step
        self.searcher = searcher
        self.seen = seen
        searcher.begin(knowledge, seen.seat, aim, bot.exploration, models)

    def run(self, key: int, first: int, last: int) -> None:
        self.searcher.run(key, first, last)

    def found(self) -> dict[Move, Counted]:
        return self.searcher.found(self.seen.moves)


class _Compiler:
    """Specialises the search of a game, and compiles it if it can be, once that is worth while."""

    def __init__(self, known: Learned) -> None:
        self.known = known
        self.searcher: Searcher | None = None
        self.without = 0
        """So many playouts were made without."""
        self._tried = False

    def is_worth_while(self, playouts: int) -> bool:
        """Do so many more playouts without take as long as that."""
        return playouts > 0 and self.without + playouts >= _WORTH_COMPILING

    def compile(self) -> None:
        """Do it, if the text can search the game."""
        if not self._tried:
            self._tried = True
            from draftengine.searching.searcher import searcher_of  # noqa: PLC0415 (few need it)

            with suppress(UnsupportedError):
                self.searcher = searcher_of(self.known.worth.program, self.known.worth, compiled=can_compile())


@lru_cache(32)
def _aim(known: ById[Learned], horizon: str, alone: bool) -> Aim:  # noqa: FBT001 (cached)
    return Aim.of(known.own.worth.program, known.own.lead, horizon=horizon, alone=alone)


@lru_cache(32)
def _reader(known: ById[Learned]) -> Reader:
    return Reader(known.own.worth)


@lru_cache(8)
def _compiler(known: ById[Learned]) -> _Compiler:
    return _Compiler(known.own)
