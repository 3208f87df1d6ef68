"""Searching: one tree for every seat, of its own moves, through many worlds.

Decoupled UCT: every seat chooses by its own statistics, all at once (Tak, Lanctot & Winands, "Monte Carlo Tree Search
Variants for Simultaneous Move Games", 2014). The trees are open-loop: a node stands for the moves that led to it in
whatever world, so what counts is how often a move could have been chosen (Cowling, Powley & Whitehouse, "Information
Set Monte Carlo Tree Search", 2012). Compiled, `draftengine.searching` does the same.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from msgspec import Struct

from draftengine.engine.chance import GOLDEN, MASK, Stream, mix
from draftengine.engine.flow.instruction import advance
from draftengine.engine.moves import choice_of, legal_moves
from draftengine.engine.policies import greedy_move, random_move
from draftengine.engine.preview import Glance
from draftengine.engine.prospect import advance_in_round, only_points_last, prospects
from draftengine.engine.shortlist import shortlist
from draftengine.engine.worth import EXPLORE, LOGISTIC_SIZE, SCALE, by_table, values_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from draftengine.engine.flow.choose import Choice
    from draftengine.engine.moves import Move
    from draftengine.engine.policies import Policy
    from draftengine.engine.program import Program
    from draftengine.engine.redeal import Knowledge
    from draftengine.engine.state import State
    from draftengine.engine.worth import Worth

MANY = 1 << 40
"""More playouts than any search has."""

FEW = 100
"""With several opponents so many playouts say little about what is far away, and about what the others do."""


class Model(NamedTuple):
    """How one of several opponents plays in playouts: what a draw says that is smaller than each limit."""

    early: int
    """By its tree, in the first playouts (see `Aim.few`)."""
    late: int
    """By its tree, in those that follow."""
    table: int
    greedy: int
    random: int
    """Draws are all smaller than this."""


_ONE = 1 << 20
_TWO = 2


class Aim(Struct, frozen=True):
    """What a search strives for."""

    near: int
    """So many playouts end with the round; those that follow end with the game."""
    few: int
    """In so many playouts several opponents follow their trees less often than in those that follow."""
    by_models: bool
    """Opponents play by models of them; otherwise by their trees or, if only the seat itself has one, by the table."""
    by_margin: bool
    """Look at the margin itself, otherwise at the chance to win: a logistic function of the margin."""
    logistic: tuple[tuple[int, ...], tuple[int, ...]]
    """That function at the end of a round and at the end of the game: by margin in points, from
    ``-LOGISTIC_SIZE / 2``."""
    alone: bool = False
    """Only the seat that searches has a tree, of one move: flat Monte Carlo."""

    @classmethod
    def of(cls, program: Program, lead: float, *, horizon: str = "both", alone: bool = False) -> Aim:
        """The aim for a number of players; `lead` is how far winners usually are ahead, in points.

        Against one opponent every point counts, and what is near is enough. Among several, what counts is to be first:
        at the end of a round that is less certain than at the end of the game. So far ahead a few playouts see nothing
        but chance, and many see what the end of a round does not tell, if it does not tell all.
        """
        two = program.players <= _TWO
        near = {"round": MANY, "game": 0, "both": MANY if two or only_points_last(program) else FEW}[horizon]
        wide, narrow = (_chances(width * max(lead, 1.0)) for width in (2, 1))
        models = not alone and not two
        return cls(near=near, few=FEW, by_models=models, by_margin=two, logistic=(wide, narrow), alone=alone)

    def utility(self, margin: int, *, near: bool) -> int:
        """What a margin is worth to the search, in parts of a point."""
        if self.by_margin:
            return margin
        return self.logistic[not near][max(0, min(LOGISTIC_SIZE - 1, margin // SCALE + LOGISTIC_SIZE // 2))]


def _chances(width: float) -> tuple[int, ...]:
    """The chance to win by margin."""
    return tuple(
        int(_ONE / (1 + math.exp(max(min(-margin / width, 40.0), -40.0))))
        for margin in range(-LOGISTIC_SIZE // 2, LOGISTIC_SIZE // 2)
    )


class Node:
    """A move of a seat, after the moves that led to it."""

    __slots__ = ("available", "children", "margins", "total", "visits")

    def __init__(self) -> None:
        self.children: dict[Move, Node] = {}
        self.visits = 0
        self.total = 0
        self.margins = 0
        self.available = 0


class Trees:
    """A search in progress."""

    def __init__(
        self, knowledge: Knowledge, worth: Worth, aim: Aim, seat: int, exploration: float, models: Sequence[Model]
    ) -> None:
        """`models`: by seat, how it plays in playouts; needed where `aim` asks for them."""
        program = worth.program
        self.knowledge = knowledge
        self.aim = aim
        self.seat = seat
        self.models = models
        self.exploration = round(exploration * SCALE)
        self.roots = [Node() for _ in range(program.players)]
        self.lowest = [1 << 60] * program.players
        self.highest = [-(1 << 60)] * program.players
        self.worth = worth
        self._slower = 2 if aim.by_models else 1
        self._playout = by_table(worth, explore=EXPLORE)
        self._sign = program.direction

    def run(self, key: int, first: int, last: int) -> None:
        """The playouts `first` to `last - 1`, each with a stream of its own."""
        for number in range(first, last):
            self._play(number, Stream(mix((key + number * GOLDEN) & MASK)))

    def _play(self, number: int, stream: Stream) -> None:
        state = self.knowledge.world(stream)
        alone, near = self.aim.alone, number < self.aim.near
        policies = [self._policy(seat, number, stream) for seat in range(len(self.roots))]
        nodes = [None if policy else root for policy, root in zip(policies, self.roots, strict=True)]
        paths: list[list[Node]] = [[] for _ in nodes]
        ended = False
        while not ended:
            choice, chosen = choice_of(state), {}
            for seat in state.pending:
                node = nodes[seat]
                if node is None:
                    chosen[seat] = (policies[seat] or self._playout)(state, choice, seat, stream)
                else:
                    chosen[seat], child = self._select(node, state, choice, seat)
                    paths[seat].append(child)
                    nodes[seat] = child if child.visits and not alone else None
            state.chosen = chosen
            state.pc = choice.settle(state, None)
            ended = self._advance(state, near=near)
        self._credit(state, paths, near=near)

    def _policy(self, seat: int, number: int, stream: Stream) -> Policy | None:
        """What a seat plays by in this playout; ``None``: by its tree, and by the table behind it."""
        if seat == self.seat:
            return None
        if not self.aim.by_models:
            return self._playout if self.aim.alone else None
        model = self.models[seat]
        draw = stream.below(model.random)
        if draw < (model.late if number >= self.aim.few else model.early):
            return None
        if draw < model.table:
            return self._playout
        return greedy_move if draw < model.greedy else random_move

    def _advance(self, state: State, *, near: bool) -> bool:
        """Go on to the next choice; True if what the playout looks at is over."""
        if near:
            return advance_in_round(state)
        advance(state, None)
        return state.over

    def _select(self, node: Node, state: State, choice: Choice, seat: int) -> tuple[Move, Node]:
        """One that was never played, or the one of largest upper bound.

        Only the best by table are looked at, and the more the oftener a node is visited (progressive widening:
        Coulom 2007); with several opponents, which leave fewer playouts for each choice, half as many more.
        """
        glance = Glance.of_state(state)
        moves = shortlist(legal_moves(state, seat), lambda some: values_of(glance, choice, seat, some, self.worth))
        values = values_of(glance, choice, seat, moves, self.worth)
        wide = 1 + math.isqrt(node.visits) // self._slower
        order = sorted(range(len(moves)), key=lambda number: -values[number])[:wide]
        children = [node.children.setdefault(moves[number], Node()) for number in order]
        for child in children:
            child.available += 1
        fresh = next((place for place, child in enumerate(children) if not child.visits), -1)
        place = fresh if fresh >= 0 else self._best(children, seat)
        return moves[order[place]], children[place]

    def _best(self, children: Sequence[Node], seat: int) -> int:
        """Upper confidence bounds of the mean utility, as a part of the range of utilities that the seat has seen."""
        low, span = self.lowest[seat], self.highest[seat] - self.lowest[seat]
        weight = self.exploration / SCALE
        bounds = [
            ((child.total / child.visits - low) / span if span > 0 else 0.0)
            + weight * math.sqrt(math.log(child.available) / child.visits)
            for child in children
        ]
        return bounds.index(max(bounds))

    def _credit(self, state: State, paths: Sequence[Sequence[Node]], *, near: bool) -> None:
        """Counts a playout that is over in every node that it passed."""
        values = [self._sign * own for own in prospects(state, SCALE)][: len(paths)]
        for seat, path in enumerate(paths):
            others = values[:seat] + values[seat + 1 :]
            margin = values[seat] - max(others) if others else values[seat]
            utility = self.aim.utility(margin, near=near)
            self.lowest[seat], self.highest[seat] = min(self.lowest[seat], utility), max(self.highest[seat], utility)
            self.roots[seat].visits += 1
            for node in path:
                node.visits += 1
                node.total += utility
                node.margins += margin
