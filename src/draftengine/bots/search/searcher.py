"""The searcher: begins a search, runs playouts, and reads the results."""

from __future__ import annotations

import math
from array import array
from contextlib import suppress
from copy import copy
from typing import TYPE_CHECKING, cast

from draftengine.bots.search import playouts, prior, trees, worlds
from draftengine.bots.search.plan import Search, SearchPlan
from draftengine.engine.forms import KERNEL_MODULES, NativeForm, PythonForm
from draftengine.engine.kernel.expected_gain import SCALE
from draftengine.engine.plan.base import UnsupportedError
from draftengine.engine.state import MoveScratch, StateRecord
from draftengine.jit.llvm import Inline, Split
from draftengine.jit.records import FORMATS

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from draftengine.bots.net import SearchNetwork
    from draftengine.bots.search.objectives import Objective
    from draftengine.engine.choose import Choice
    from draftengine.engine.moves import Move, Moves
    from draftengine.engine.policies import Worth
    from draftengine.engine.program import Program
    from draftengine.engine.redeal import HiddenCards
    from draftengine.jit.records import Memory

FIRST_ROOM = 1 << 16
"""The initial capacity of the trees, in slots."""
_LONGEST = 45_000
"""The length in lines up to which LLVM optimises a module. There is a limit because a person waits.

Optimising a module of this length takes two to three seconds, and makes playouts several times as fast.
"""
_FAR = 1 << 60
_OF_A_DECISION = ("chances", "chip_holder", "copied", "filled", "now", "part", "reshuffled_zones")
"""The arrays that are replaced for each decision. The kernel borrows them."""
_BY_SLOT = ("visits", "available", "child", "further", "total", "margins", "noted", "opinion")
_POWERS = array("d", [math.exp(-distance / 64) for distance in range(1024)])
"""Powers of e that turn a network's outputs into weights of moves: 64 entries for an output of 1."""


class Searcher:
    """A runner of searches of a game, one after another, in CPython.

    It is unspecialised until `specialise` is called. Only one thread at a time may use it. A second thread needs a copy
    made by `another`. The constructor raises `UnsupportedError` if the kernel cannot play the game.
    """

    in_words = False
    step = 1
    """The number of playouts between two readings of the clock."""

    def __init__(
        self, program: Program, worth: Worth, network: SearchNetwork | None = None, *, laid_out: bool = False
    ) -> None:
        """Prepare the kernel.

        With `laid_out`, the searcher also accepts positions that no game reaches, but is slower.
        """
        self.plan = SearchPlan(program, network, laid_out=laid_out, in_words=self.in_words)
        self._text = PythonForm(playouts.run, self.plan, _RECORDS, text=(*KERNEL_MODULES, *_TEXT))
        self._worth = worth
        self._prepare()

    def _prepare(self) -> None:
        """Prepare the data that a searcher does not share: records, arrays and room for the trees."""
        self.game, self.known = self._text.records["state"], self._text.records["known"]
        self.search, self.options = self._text.records["search"], self._text.records["options"]
        self.options.worth = array("i", self._worth.worth)
        self.search.log = array("d", [0.0])
        self.search.powers = _POWERS
        self.search.weights = self.plan.network.weights if self.plan.by_network else array("i")
        self._logistic: Sequence[Sequence[int]] = ()
        self._make_room(FIRST_ROOM)

    def another(self) -> Searcher:
        """Return a searcher for another thread. Both find the same moves."""
        twin = copy(self)
        twin.part()
        return twin

    def part(self) -> None:
        """Replace the mutable data that a copied searcher still shares with the original."""
        self._text = self._text.another()
        self._prepare()

    def begin(
        self,
        knowledge: HiddenCards,
        seat: int,
        objective: Objective,
        exploration: float,
        models: Sequence[Sequence[int]],
    ) -> None:
        """Begin a new search for a seat. Its trees have only roots.

        `models` has the `draftengine.bots.search.objectives.OpponentMix` of every seat. It is empty if no seat plays by
        a model. Raise `UnsupportedError` for a position that no game can reach.
        """
        search, players = self.search, self.plan.program.players
        worlds.write(self.known, search, self.plan, knowledge)
        search.near, search.few = objective.near, objective.few
        search.by_margin, search.alone = int(objective.by_margin), int(objective.alone)
        if objective.logistic is not self._logistic:
            self._logistic = objective.logistic
            search.chances = array("q", [chance for curve in objective.logistic for chance in curve])
        search.exploration = round(exploration * SCALE)
        search.searcher, search.by_models = seat, int(bool(models))
        limits = [limit for model in models for limit in model]
        search.model[: len(limits)] = limits
        search.lowest[:] = [_FAR] * players
        search.highest[:] = [-_FAR] * players
        search.count, search.deepest = players, 0
        for name in _BY_SLOT:
            values = getattr(search, name)
            values[:players] = array(values.typecode, [0] * players)
        self._begun()

    def run(self, key: int, first: int, last: int) -> None:
        """Carry out the playouts `first` to `last - 1`, and enlarge the trees as needed."""
        search = self.search
        if len(search.log) <= last:
            search.log = array("d", [0.0, *map(math.log, range(1, 2 * last + 1))])
            self._lent("log")
        done = first
        while done < last:
            done = self._play(key, done, last)
            if done < last:
                self._make_room(2 * search.room)
                self._lent(*_BY_SLOT)

    def found(self, moves: Moves) -> dict[Move, tuple[int, int]]:
        """Return, for each move that was tried, the number of tries and the sum of margins."""
        tried = {}
        for move in moves if moves.few else self._begun_with((), moves):
            slot = self._slot(move)
            if slot and self.search.visits[slot]:
                tried[move] = self.search.visits[slot], self.search.margins[slot]
        return tried

    def _begun_with(self, codes: Move, moves: Moves) -> Iterator[Move]:
        """Yield the moves that begin with these codes and for which the tree has slots."""
        following = moves.next(codes)
        if following.whole:
            yield codes
        for code in following.codes:
            slot = self._slot((*codes, code))
            if slot and (self.search.visits[slot] or self.search.further[slot]):
                yield from self._begun_with((*codes, code), moves)

    def _slot(self, move: Move) -> int:
        """Return the slot of a move of the searching seat; 0 if the move has none."""
        # The slot in the first block, and in each further block (see `trees`).
        plan = self.plan
        choice = cast("Choice", plan.program.code[self.known.pc])
        first = 0
        further: list[int] = []
        for code in move:
            channel, item = divmod(code, plan.program.width)
            if channel == 0 and first == 0:
                first = item + 1
            elif channel == 0:
                further.append(choice.option_of(item))
            elif channel < choice.first_other:
                further.append(plan.first_further + (channel - 1) * plan.named + item)
            else:
                further.append(plan.first_other + (channel - choice.first_other) * plan.named + item)
        block: int = self.search.child[self.search.searcher]
        slot = block and block + first
        for place in further:
            block = slot and self.search.further[slot]
            slot = block and block + place
        return slot

    def _make_room(self, room: int) -> None:
        """Enlarge the arrays of the trees to `room` slots. Their contents are kept."""
        for name in _BY_SLOT:
            kind = FORMATS[Search.fields[name].kind]
            longer = array(kind, bytes(array(kind).itemsize * room))
            old = getattr(self.search, name)
            longer[: len(old)] = array(kind, old)
            setattr(self.search, name, longer)
        self.search.room = room

    # ── how the kernel runs ───────────────────────────────────────────────────────────────────────────────────────────

    def _begun(self) -> None:
        """Prepare the kernel for a new search. `known` and `search` have been filled."""

    def _lent(self, *names: str) -> None:
        """Bind the arrays with these names to the kernel again, because they were replaced."""

    def _play(self, key: int, first: int, last: int) -> int:
        """Carry out the playouts from `first` on. Return the first one without room in the trees, or `last`."""
        return self._text(key, first, last)

    def specialise(self) -> None:
        """Specialise the kernel to the game. From now on, the specialised form runs."""
        self._text.specialise(3)


class CompiledSearcher(Searcher):
    """A searcher whose kernel is specialised to the game and compiled by LLVM."""

    in_words = True
    step = 32

    def __init__(
        self,
        program: Program,
        worth: Worth,
        network: SearchNetwork | None = None,
        *,
        laid_out: bool = False,
        waiting: bool = True,
    ) -> None:
        """Compile the kernel. Without `waiting`, raise `UnsupportedError` if no machine code is stored."""
        super().__init__(program, worth, network, laid_out=laid_out)
        self._compiled = NativeForm(
            playouts.run,
            self.plan,
            _RECORDS,
            3,
            text=(*KERNEL_MODULES, *_TEXT),
            inline=lambda residual: Inline.NEVER if residual.text.name in _APART else Inline.ALWAYS,
            split=Split.COPY_IN_OUT,
            longest=_LONGEST,
            waiting=waiting,
        )
        self._connect()

    def part(self) -> None:
        super().part()
        self._compiled = self._compiled.another()
        self._connect()

    def _connect(self) -> None:
        """Connect the compiled kernel to the arrays of this searcher."""
        self._memory: Mapping[str, Memory] = self._compiled.memory
        self._memory["options"].bind_array("worth", self.options.worth)
        # Of each record, the fields that it stores in its own array of integers.
        self._copied = [
            (
                memory,
                record,
                [
                    name
                    for name, position in memory.layout.positions.items()
                    if position.field.way == "cells" and not position.field.borrowed and position.count
                    if name not in _OWN
                ],
            )
            for memory, record in ((self._memory["known"], self.known), (self._memory["search"], self.search))
        ]
        self._lent("log", "powers", "weights", *_BY_SLOT)

    def _begun(self) -> None:
        for memory, record, cells in self._copied:
            memory.take(record, cells)
        self._lent(*_OF_A_DECISION)

    def _lent(self, *names: str) -> None:
        memory = self._memory["search"]
        for name in names:
            memory.bind_array(name, getattr(self.search, name))
        memory.set("room", self.search.room)

    def _play(self, key: int, first: int, last: int) -> int:
        return self._compiled(key, first, last)


def searcher_of(program: Program, worth: Worth, network: SearchNetwork | None = None, *, compiled: bool) -> Searcher:
    """Return a searcher: compiled, if `compiled` and possible; otherwise specialised in Python.

    Raise `UnsupportedError` if the kernel cannot play the game.
    """
    if compiled:
        with suppress(UnsupportedError):
            return CompiledSearcher(program, worth, network)
    searcher = Searcher(program, worth, network)
    searcher.specialise()
    return searcher


_RECORDS = {"state": StateRecord, "view": StateRecord, "known": StateRecord, "search": Search, "options": MoveScratch}
_APART = (
    "compared_move", "credit", "evaluate", "evaluate_items", "evaluate_listed", "feed", "lay_world", "note",
    "random_move", "score", "select", "settle",
)  # fmt: skip
"""Long functions. They are not inlined; all others are."""


_TEXT = (worlds, prior, trees, playouts)
_OWN = (
    "at", "branch", "card", "hand", "layer_1", "layer_2", "layer_3", "log", "path", "play", "points", "policy", "prior",
)  # fmt: skip
"""Fields whose values mean nothing before a playout begins."""
