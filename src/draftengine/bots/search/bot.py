"""``search``: plays the rest of the game many times in its head, in worlds that it cannot tell from the real one."""

from __future__ import annotations

import time
from contextlib import closing, contextmanager, nullcontext, suppress
from functools import lru_cache
from threading import Lock
from typing import TYPE_CHECKING

from draftengine.bots.exact.endgame import solved
from draftengine.bots.protocol import BotError, Budget, Decision, ScoredMove
from draftengine.bots.search.objectives import Objective
from draftengine.bots.search.opponents import OpponentModel
from draftengine.bots.worth.ready import COMPILING, learn_cards
from draftengine.bots.worth.tables import at_hand
from draftengine.engine.kernel.worth_tables import SCALE
from draftengine.engine.plan.limits import UnsupportedError, can_compile
from draftengine.engine.redeal import HiddenCards
from draftengine.support.identity import IdentityKey

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator
    from contextlib import AbstractContextManager

    from draftengine.bots.search.searcher import Searcher
    from draftengine.bots.worth.learning import Learned
    from draftengine.bots.worth.ready import Told
    from draftengine.engine.chance import Stream
    from draftengine.engine.moves import Move
    from draftengine.engine.observe import Observation
    from draftengine.engine.program import Program

_MOST = 20_000
_WORTH_COMPILING = 300
"""So many playouts without take about as long as compiling."""
_MOST_FREE = 4
"""So many searchers of a game are kept that nobody uses: each has some megabytes of trees."""
_HORIZONS = ("both", "round", "game")

Counted = tuple[int, int]
"""How often a move was tried, and the margins it led to in all, in parts of a point."""


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

    def prepare(self, program: Program, progress: Told) -> None:
        """Learn the cards, if nobody has before; and compile the game, for which the first move would wait."""
        learn_cards(program, progress)
        progress(COMPILING, 0.0)
        _texts(IdentityKey(at_hand(program))).compile()

    def decide(self, seen: Observation, stream: Stream, budget: Budget) -> Decision:
        """The move that was tried most often."""
        if seen.moves.total == 1:
            return Decision(seen.moves[0])
        began = time.perf_counter()
        knowledge = HiddenCards.of(seen)
        certain = solved(seen, knowledge, self.exact, stream) if self.exact else None
        if certain is not None:
            return certain
        key = stream.word()
        in_no_hurry = 0 if budget.milliseconds else budget.iterations or _MOST
        with closing(self.searches(seen, knowledge, in_no_hurry)) as searches:
            for searcher in searches:
                with suppress(UnsupportedError):  # too much for machine words: the next one finds the same
                    return _searched(searcher, seen, key, budget, began)
        raise AssertionError("the last search can play every game")

    def searches(self, seen: Observation, knowledge: HiddenCards, playouts: int = 0) -> Generator[Searcher, None, None]:
        """The searches that find the same, the quickest first, each about to begin.

        Each is the caller's own until the next one is asked for, or the generator is closed. `playouts`: so many are to
        come, however long it takes, so that the kernel may be made ready for them.
        """
        known = at_hand(seen.program)
        objective = _objective(IdentityKey(known), self.horizon, self.alone)
        models = _reader(IdentityKey(known)).models(seen) if objective.by_models else ()
        for lease in _texts(IdentityKey(known)).searchers(playouts):
            with lease as searcher, suppress(UnsupportedError):
                searcher.begin(knowledge, seen.seat, objective, self.exploration, models)
                yield searcher


class FlatBot(SearchBot):
    """Tries every move in many possible worlds, without looking further ahead (flat Monte Carlo)."""

    alone = True

    def __init__(self) -> None:
        super().__init__(exact=0)


def _searched(searcher: Searcher, seen: Observation, key: int, budget: Budget, began: float) -> Decision:
    """What a search finds within the budget; the clock runs since `began`.

    It stops when the next step would end too late, if playouts go on to take as long as they did.
    """
    done, most, first = 0, budget.iterations or _MOST, time.perf_counter()
    while done < most:
        step = min(searcher.step, most - done)
        searcher.run(key, done, done + step)
        done += step
        now = time.perf_counter()
        next_ends = now + step * (now - first) / done - began
        if budget.milliseconds and 1000 * next_ends > budget.milliseconds:
            break
    return _decision(searcher.found(seen.moves), done)


def _decision(tried: dict[Move, Counted], done: int) -> Decision:
    considered = [
        ScoredMove(move, margins / visits / SCALE, visits / done)
        for move in sorted(tried)
        for visits, margins in [tried[move]]
        if visits
    ]
    considered.sort(key=lambda each: (-each.weight, -each.value))
    return Decision(considered[0].move, tuple(considered), "margin", done)


class _Lent:
    """A searcher, and others like it for as many threads as search at once."""

    def __init__(self, first: Searcher) -> None:
        self._first = first
        self._free = [first]

    @contextmanager
    def lease(self) -> Iterator[Searcher]:
        """A searcher that nobody else gets until the end of the block."""
        try:
            searcher = self._free.pop()  # no two threads get the same
        except IndexError:
            searcher = self._first.another()
        try:
            yield searcher
        finally:
            if len(self._free) < _MOST_FREE:
                self._free.append(searcher)


class _Texts:
    """The kernel that searches a game: as it stands, until it is worth while to specialise it and to compile it."""

    def __init__(self, known: Learned) -> None:
        self.known = known
        self.asked = 0
        """So many playouts were asked for before that."""
        self._making = Lock()
        self._ready = False
        self._quick: _Lent | None = None
        self._usual: _Lent | None = None

    def compile(self) -> None:
        """Do that now; other threads that want the same wait for it."""
        from draftengine.bots.search.searcher import searcher_of  # noqa: PLC0415 (few need it)

        with self._making:
            if not self._ready:
                worth = self.known.worth
                self._quick = _Lent(searcher_of(worth.program, worth, compiled=can_compile()))
                self._ready, self._usual = True, None

    def searchers(self, playouts: int) -> Iterator[AbstractContextManager[Searcher]]:
        """What searches, for so many playouts that nobody waits for; then what does so at positions of no game, too.

        Who does not wait for what is compiled meanwhile searches as the kernel stands, and finds the same.
        """
        from draftengine.bots.search.searcher import Searcher  # noqa: PLC0415 (few need it)

        self.asked += playouts
        if playouts and self.asked >= _WORTH_COMPILING:
            self.compile()
        lent = self._quick or self._usual
        if lent is None:  # two threads that come at once make one each
            lent = self._usual = _Lent(Searcher(self.known.worth.program, self.known.worth))
        yield lent.lease()
        yield nullcontext(Searcher(self.known.worth.program, self.known.worth, laid_out=True))


@lru_cache(32)
def _objective(known: IdentityKey[Learned], horizon: str, alone: bool) -> Objective:
    return Objective.of(known.own.worth.program, known.own.lead, horizon=horizon, alone=alone)


@lru_cache(32)
def _reader(known: IdentityKey[Learned]) -> OpponentModel:
    return OpponentModel(known.own.worth)


@lru_cache(8)
def _texts(known: IdentityKey[Learned]) -> _Texts:
    return _Texts(known.own)
