"""``search``: plays out the game many times, in worlds that its seat cannot tell from the real one."""

from __future__ import annotations

import time
from contextlib import closing, contextmanager, nullcontext, suppress
from functools import lru_cache
from math import inf
from threading import Lock
from typing import TYPE_CHECKING

from draftengine.bots.exact import solved
from draftengine.bots.net import SearchNetwork
from draftengine.bots.net.kept import opinion_of
from draftengine.bots.protocol import BotError, Budget, Decision, ScoredMove
from draftengine.bots.search.objectives import Objective, OpponentModel
from draftengine.bots.worth.tables import COMPILING, at_hand, learn_cards
from draftengine.engine.kernel.expected_gain import SCALE
from draftengine.engine.plan.base import UnsupportedError, can_compile
from draftengine.engine.redeal import HiddenCards
from draftengine.support.identity import IdentityKey
from draftengine.support.locale.phrases import either, said

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator
    from contextlib import AbstractContextManager

    from draftengine.bots.net.kept import Opinion
    from draftengine.bots.search.searcher import Searcher
    from draftengine.bots.worth.learning import Learned
    from draftengine.bots.worth.tables import Told
    from draftengine.engine.chance import Stream
    from draftengine.engine.observe import Observation
    from draftengine.engine.program import Program

_MOST = 20_000
_WORTH_COMPILING, _WORTH_SPECIALISING = 0.5, 2.0
"""The processor seconds of unspecialised searches before the kernel is compiled or specialised.

Compiling takes longer, but other processes find the machine code in the cache. Without a compiler, the kernel is
specialised, which is not stored.
"""
_MOST_FREE = 4
"""The largest number of idle searchers that are kept for a game. Each has some megabytes of trees."""
_HORIZONS = ("both", "round", "game")
_PRIORS = ("network", "table")

Counted = tuple[int, int]
"""The number of tries of a move, and the sum of its margins, in units of 1 / `SCALE` points."""


class SearchBot:
    """Looks ahead in many possible worlds (decoupled UCT)."""

    alone = False

    def __init__(self, exploration: float = 0.3, exact: int = 0, horizon: str = "both", prior: str = "network") -> None:
        """Set the options of the search.

        `prior`: with ``network``, trees prefer the moves that a learnt network prefers, if one helps them; with
        ``table``, they try moves in the order of the worth table. `exact`: rounds of two seats are solved when no hand
        has more than this number of cards; 0: never. `horizon`: playouts end with the ``round`` or the ``game``;
        ``both`` lets the numbers of players and of playouts decide.
        """
        if horizon not in _HORIZONS:
            raise BotError(said("bot.choice", key="horizon", names=either(_HORIZONS), value=horizon))
        if prior not in _PRIORS:
            raise BotError(said("bot.choice", key="prior", names=either(_PRIORS), value=prior))
        self._by_network = prior == _PRIORS[0] and not self.alone
        self.exploration = exploration
        self.exact = exact
        self.horizon = horizon

    def prepare(self, program: Program, progress: Told) -> None:
        """Learn the worth table of the game, unless there is one, and compile the game.

        So the first move is not delayed.
        """
        learn_cards(program, progress)
        progress(COMPILING, 0.0)
        self._texts_for(at_hand(program)).compile()

    def _texts_for(self, known: Learned) -> _Texts:
        opinion = opinion_of(known.worth.program) if self._by_network else None
        guide = IdentityKey(opinion) if opinion and opinion.guides_search else None
        with _looking:
            return _texts(IdentityKey(known), guide)

    def decide(self, seen: Observation, stream: Stream, budget: Budget) -> Decision:
        """Return the move that was tried most often or, if the position can be solved, an equilibrium's move."""
        if seen.moves.total == 1:
            return Decision(seen.moves[0])
        began = time.perf_counter()
        knowledge = HiddenCards.of(seen)
        certain = solved(seen, knowledge, self.exact, stream) if self.exact else None
        if certain is not None:
            return certain
        key = stream.word()
        with closing(self.searches(seen, knowledge, hurried=bool(budget.milliseconds))) as searches:
            for searcher, deadline in searches:
                # If numbers are too large for machine words, the next searcher finds the same moves.
                with suppress(UnsupportedError):
                    done = _run(searcher, key, budget, began, deadline)
                    if not done:
                        continue
                    tried = searcher.found(seen.moves)
                    considered = [
                        ScoredMove(move, margins / visits / SCALE, visits / done)
                        for move in sorted(tried)
                        for visits, margins in [tried[move]]
                        if visits
                    ]
                    considered.sort(key=lambda each: (-each.weight, -each.value))
                    return Decision(considered[0].move, tuple(considered), "margin", done)
        raise AssertionError("the last search can play every game")

    def searches(
        self, seen: Observation, knowledge: HiddenCards, *, hurried: bool = False
    ) -> Generator[tuple[Searcher, float], None, None]:
        """Yield searchers that are ready to begin, each with its deadline (see `_Texts.searchers`).

        All find the same moves. Only the caller may use a searcher, until it requests the next one or closes the
        generator. If the search is not `hurried`, the kernel may be compiled for it.
        """
        known = at_hand(seen.program)
        objective = _objective(IdentityKey(known), self.horizon, self.alone)
        models = _reader(IdentityKey(known)).models(seen) if objective.by_models else ()
        for lease, deadline in self._texts_for(known).searchers(hurried=hurried):
            with lease as searcher, suppress(UnsupportedError):
                searcher.begin(knowledge, seen.seat, objective, self.exploration, models)
                yield searcher, deadline


class FlatBot(SearchBot):
    """Tries every move in many possible worlds, without looking further ahead (flat Monte Carlo)."""

    alone = True

    def __init__(self) -> None:
        super().__init__()


def _run(searcher: Searcher, key: int, budget: Budget, began: float, deadline: float) -> int:
    """Search within the budget, whose clock started at `began`. Return the number of playouts.

    The search stops if the next step, judging by the mean time of a step, would end too late. If it reaches the
    `deadline` of its searcher, it returns 0.
    """
    done, most, first = 0, budget.iterations or _MOST, time.perf_counter()
    while done < most:
        if time.thread_time() >= deadline:
            return 0
        step = min(searcher.step, most - done)
        searcher.run(key, done, done + step)
        done += step
        now = time.perf_counter()
        next_ends = now + step * (now - first) / done - began
        if budget.milliseconds and 1000 * next_ends > budget.milliseconds:
            break
    return done


class _Lent:
    """A searcher, and its copies for threads that search at the same time."""

    def __init__(self, first: Searcher) -> None:
        self._first = first
        self._free = [first]

    @contextmanager
    def lease(self) -> Iterator[Searcher]:
        """Yield a searcher that no other thread gets before the end of the block."""
        try:
            searcher = self._free.pop()  # atomic, so no two threads get the same searcher
        except IndexError:
            searcher = self._first.another()
        try:
            yield searcher
        finally:
            if len(self._free) < _MOST_FREE:
                self._free.append(searcher)


class _Texts:
    """The kernel that searches a game. It is unspecialised at first, and compiled when that saves time."""

    def __init__(self, known: IdentityKey[Learned], opinion: IdentityKey[Opinion] | None) -> None:
        self.known = known.own
        self.network = SearchNetwork(opinion.own.fitted, opinion.own.inputs) if opinion else None
        self._spent = 0.0
        """The processor seconds that searches without a time limit have taken on the unspecialised kernel."""
        self._making = Lock()
        self._ready = self._looked = False
        self._quick: _Lent | None = None
        self._usual: _Lent | None = None

    def compile(self) -> None:
        """Specialise and compile the kernel now. Other threads that need the result wait."""
        from draftengine.bots.search.searcher import searcher_of  # noqa: PLC0415 (rarely needed)

        with self._making:
            if not self._ready:
                worth = self.known.worth
                self._quick = _Lent(searcher_of(worth.program, worth, self.network, compiled=can_compile()))
                self._ready, self._usual = True, None

    def searchers(self, *, hurried: bool) -> Iterator[tuple[AbstractContextManager[Searcher], float]]:
        """Yield leases of searchers, the quickest first. The last one also accepts positions laid out by hand.

        Each comes with a deadline in `time.thread_time`: from then on, compiling the kernel saves time, and the next
        searcher is compiled. A `hurried` search does not wait for that, so its searchers have no deadline.
        """
        from draftengine.bots.search.searcher import Searcher  # noqa: PLC0415 (rarely needed)

        worth = _WORTH_COMPILING if can_compile() else _WORTH_SPECIALISING
        began = time.thread_time()
        deadline = inf if hurried else began + worth - self._spent
        if began >= deadline:
            self.compile()
        self._look()
        if not self._ready:
            lent = self._usual
            if lent is None:  # two threads may each make one at the same time, which is harmless
                lent = self._usual = _Lent(Searcher(self.known.worth.program, self.known.worth, self.network))
            try:
                yield lent.lease(), deadline
            finally:
                self._spent += 0.0 if hurried else time.thread_time() - began
        if time.thread_time() >= deadline:
            self.compile()
        if self._quick:
            yield self._quick.lease(), inf
        yield nullcontext(Searcher(self.known.worth.program, self.known.worth, self.network, laid_out=True)), inf

    def _look(self) -> None:
        """Load the machine code if any process has compiled it before, which takes a few milliseconds."""
        from draftengine.bots.search.searcher import CompiledSearcher  # noqa: PLC0415 (rarely needed)

        if not (self._ready or self._looked) and can_compile() and self._making.acquire(blocking=False):
            self._looked, worth = True, self.known.worth
            try:
                with suppress(UnsupportedError):
                    self._quick = _Lent(CompiledSearcher(worth.program, worth, self.network, waiting=False))
                    self._ready, self._usual = True, None
            finally:
                self._making.release()


@lru_cache(32)
def _objective(known: IdentityKey[Learned], horizon: str, alone: bool) -> Objective:
    return Objective.of(known.own.worth.program, known.own.lead, horizon=horizon, alone=alone)


@lru_cache(32)
def _reader(known: IdentityKey[Learned]) -> OpponentModel:
    return OpponentModel(known.own.worth)


_looking = Lock()
"""The lock of the cache of `_texts`. Without it, two threads could compile the same game at once."""


_texts = lru_cache(8)(_Texts)
