"""A slow, plain implementation of searching and learning, with which the kernel is compared.

The reference engine plays states, nodes are objects, and moves are tuples. Nothing is packed or specialised.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, cast

from msgspec import Struct

from bots.quick import place_of
from draftengine.bots.worth.learning import _KEY, Sums
from draftengine.engine.chance import GOLDEN, MASK, Stream, key_of, mix
from draftengine.engine.game import total
from draftengine.engine.instructions import EndRound
from draftengine.engine.kernel.expected_gain import SCALE
from draftengine.engine.kernel.running import advance, settle
from draftengine.engine.kernel.scoring import by_rounds
from draftengine.engine.moves import choice_of, legal_moves
from draftengine.engine.plain import plan_of, record_of
from draftengine.engine.plan.base import EXPLORE, STRANGERS
from draftengine.engine.policies import LOGISTIC_SIZE, by_table, greedy_move, random_move, shortlist, values_of
from draftengine.engine.public_state import PublicState, outcome, shown_play
from draftengine.engine.state import initial_state
from engine.provisional import standing

if TYPE_CHECKING:
    from collections.abc import Sequence

    from draftengine.bots.search.objectives import Objective, OpponentMix
    from draftengine.engine.choose import Choice
    from draftengine.engine.moves import Move
    from draftengine.engine.policies import Policy, Worth
    from draftengine.engine.redeal import HiddenCards
    from draftengine.engine.state import GameState


def forecasts(state: GameState, scale: int) -> list[int]:
    """Return the total of every seat, in parts of a point, at the end of a round or of the game."""
    g, plan = record_of(state), plan_of(state.program)
    return [scale * by_rounds(g, plan, seat, state.over) // plan.rounds for seat in plan.seats]


def advance_in_round(state: GameState) -> bool:
    """Advance until seats have to choose; return True if a round or the game ends first.

    The last round ends with the game.
    """
    code, rounds = state.program.code, state.program.model.rounds
    return advance(state, None, lambda at: isinstance(code[at], EndRound) and state.round < rounds)


# ── searches ─────────────────────────────────────────────────────────────────────────────────────────────────────────


class Node:
    """A move of a seat, in its place after the moves that led to it."""

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
        self,
        knowledge: HiddenCards,
        worth: Worth,
        objective: Objective,
        seat: int,
        exploration: float,
        models: Sequence[OpponentMix],
    ) -> None:
        """Start a search. `models` has, by seat, how it plays in playouts; only some objectives need it."""
        program = worth.program
        self.knowledge = knowledge
        self.objective = objective
        self.seat = seat
        self.models = models
        self.exploration = round(exploration * SCALE)
        self.roots = [Node() for _ in range(program.players)]
        self.lowest = [1 << 60] * program.players
        self.highest = [-(1 << 60)] * program.players
        self.worth = worth
        self._slower = 2 if objective.by_models else 1
        self._playout = by_table(worth, explore=EXPLORE)
        self._sign = program.direction

    def run(self, key: int, first: int, last: int) -> None:
        """Run the playouts `first` to `last - 1`, each with its own stream."""
        for number in range(first, last):
            self._play(number, Stream(mix((key + number * GOLDEN) & MASK)))

    def _play(self, number: int, stream: Stream) -> None:
        state = self.knowledge.world(stream)
        alone, near = self.objective.alone, number < self.objective.near
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
            settle(state, choice, None)
            ended = self._advance(state, near=near)
        self._credit(state, paths, near=near)

    def _policy(self, seat: int, number: int, stream: Stream) -> Policy | None:
        """Return the policy of a seat in this playout; ``None`` if its tree decides, then the worth table."""
        if seat == self.seat:
            return None
        if not self.objective.by_models:
            return self._playout if self.objective.alone else None
        model = self.models[seat]
        draw = stream.below(model.random)
        if draw < (model.late if number >= self.objective.few else model.early):
            return None
        if draw < model.table:
            return self._playout
        return greedy_move if draw < model.greedy else random_move

    def _advance(self, state: GameState, *, near: bool) -> bool:
        """Advance to the next choice; return True if the part of the game that the playout covers is over."""
        if near:
            return advance_in_round(state)
        advance(state, None)
        return state.over

    def _select(self, node: Node, state: GameState, choice: Choice, seat: int) -> tuple[Move, Node]:
        """Return an unvisited move, or the one of the largest upper bound.

        Only the best moves by table are considered, more of them the oftener a node is visited (progressive widening:
        Coulom 2007). With several opponents, which leave fewer playouts for each choice, half as many more are.
        """
        public = PublicState.of_state(state)
        moves = shortlist(legal_moves(state, seat), lambda some: values_of(public, choice, seat, some, self.worth))
        values = values_of(public, choice, seat, moves, self.worth)
        wide = 1 + math.isqrt(node.visits) // self._slower
        first = seat * len(moves) // len(self.roots) if self._is_bid(choice, state, seat) else 0
        turned = [*range(first, len(moves)), *range(first)]
        order = sorted(turned, key=lambda number: -values[number])[:wide]
        children = [node.children.setdefault(moves[number], Node()) for number in order]
        for child in children:
            child.available += 1
        fresh = next((place for place, child in enumerate(children) if not child.visits), -1)
        place = fresh if fresh >= 0 else self._best(children, seat)
        return moves[order[place]], children[place]

    @staticmethod
    def _is_bid(choice: Choice, state: GameState, seat: int) -> bool:
        """True if bids are tried in an order that differs by seat: otherwise all seats would always bid alike."""
        return bool(choice.actions) and not any(way.cards(state, seat) for way in choice.actions)

    def _best(self, children: Sequence[Node], seat: int) -> int:
        """Return the move of the best upper bound of mean utility, scaled by the range that the seat has seen."""
        low, span = self.lowest[seat], self.highest[seat] - self.lowest[seat]
        weight = self.exploration / SCALE
        bounds = [
            ((child.total / child.visits - low) / span if span > 0 else 0.0)
            + weight * math.sqrt(math.log(child.available) / child.visits)
            for child in children
        ]
        return bounds.index(max(bounds))

    def _credit(self, state: GameState, paths: Sequence[Sequence[Node]], *, near: bool) -> None:
        """Add the result of a finished playout to every node that it passed."""
        values = [self._sign * own for own in forecasts(state, SCALE)][: len(paths)]
        for seat, path in enumerate(paths):
            others = values[:seat] + values[seat + 1 :]
            margin = values[seat] - max(others) if others else values[seat]
            utility = margin
            if not self.objective.by_margin:
                place = max(0, min(LOGISTIC_SIZE - 1, margin // SCALE + LOGISTIC_SIZE // 2))
                utility = self.objective.logistic[not near][place]
            self.lowest[seat], self.highest[seat] = min(self.lowest[seat], utility), max(self.highest[seat], utility)
            self.roots[seat].visits += 1
            for node in path:
                node.visits += 1
                node.total += utility
                node.margins += margin


# ── lessons ──────────────────────────────────────────────────────────────────────────────────────────────────────────


def by_reference(worth: Worth, games: range) -> Sums:
    """Play games with the reference engine and return their sums for the table."""
    in_round, in_game, met, lead = Sums.none(len(worth.values))
    for number in games:
        game = _Game(worth, number)
        for own in game.play():
            in_round[own.place] += own.in_round
            in_game[own.place] += own.in_game
            met[own.place] += 1
        lead += _lead(game.state)
    return Sums(in_round, in_game, met, lead)


def _lead(state: GameState) -> int:
    """Return how far the best player is ahead of the next."""
    totals = sorted(state.program.direction * total(state, seat) for seat in range(state.program.players))
    return totals[-1] - totals[-2] if len(totals) > 1 else 0


class _Choice(Struct):
    """A choice of a game, and what the seat gained after it."""

    seat: int
    place: int
    """Index in the worth table."""
    before: int
    """Margin of the seat that was expected when it chose."""
    in_round: int = 0
    """Gain from the choice to the end of the round."""
    in_game: int = 0
    """Gain from the choice to the end of the game."""


class _Game:
    """A game that notes every choice."""

    def __init__(self, worth: Worth, game: int) -> None:
        self.worth = worth
        self.state = initial_state(worth.program, _KEY, game, memory=False)
        self.stream = Stream(key_of(_KEY, game, "bot"))
        table = by_table(worth, explore=EXPLORE)
        self.policies = [table if self.stream.below(STRANGERS) else greedy_move for _ in self.state.program.all_players]
        self.choices: list[_Choice] = []
        self.closed = 0
        """Number of choices made in rounds that are over."""

    def play(self) -> list[_Choice]:
        """Play the game and return all its choices, each with what the seat gained after it."""
        state = self.state
        if advance_in_round(state):
            self._close()
        while state.pending:
            choice, chosen = choice_of(state), {}
            for seat in state.pending:
                policy = self.policies[seat]
                chosen[seat] = policy(state, choice, seat, self.stream)
                if policy is not greedy_move:
                    self._note(choice, seat, chosen[seat])
            state.chosen = chosen
            settle(state, choice, None)
            while advance_in_round(state):
                self._close()
                if state.over:
                    break
                state.pc = _begin_next(state)
        totals = [SCALE * total(state, seat) for seat in state.program.all_players]
        for own in self.choices:
            own.in_game = self._gained(own, totals)
        return self.choices

    def _note(self, choice: Choice, seat: int, move: Move) -> None:
        state = self.state
        width = state.program.width
        items = [code % width for code in move if code // width < choice.first_other]
        public = PublicState.of_state(state)
        play = shown_play(public, choice, items[0]) if items else -1
        if play < 0:
            return
        aside = not (choice.taken_by(move)[0].laying if choice.actions else choice).plays
        place = place_of(self.worth, (state.round, state.turn), play, state.words[seat], aside=aside)
        words, at_once = outcome(public, choice, seat, move)
        points = at_once + standing(public.with_words(words), seat)
        totals = [SCALE * total(state, player) for player in range(state.program.players)]
        self.choices.append(_Choice(seat, place, _ahead(totals, seat) + SCALE * points))

    def _close(self) -> None:
        totals = forecasts(self.state, SCALE)[: self.state.program.players]
        for own in self.choices[self.closed :]:
            own.in_round = self._gained(own, totals)
        self.closed = len(self.choices)

    def _gained(self, own: _Choice, totals: Sequence[int]) -> int:
        return self.state.program.direction * (_ahead(totals, own.seat) - own.before)


def _ahead(totals: Sequence[int], seat: int) -> int:
    """Return how far a seat is ahead of the average of the others."""
    others = len(totals) - 1
    return totals[seat] - (sum(totals) - totals[seat]) // others if others else totals[seat]


def _begin_next(state: GameState) -> int:
    """Return the instruction after the end of a round that is not the last."""
    step = cast("EndRound", state.program.code[state.pc])
    return step.otherwise
