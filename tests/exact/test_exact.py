"""Exact values of rounds, compared with naive recursion, values by hand, and properties of equilibria."""

from __future__ import annotations

import random
import sys
from functools import cache
from itertools import chain
from operator import mul
from pathlib import Path

import pytest

import draftengine as de
from compiled import load_program
from conftest import NIGHTLY
from draftengine.bots import exact
from draftengine.bots.exact import (
    MissingExtraError,
    NotSolvableError,
    RoundSolver,
    best_response,
    exploitability,
    losses,
    matrix,
    solve,
)
from draftengine.bots.exact.matrix import Equilibrium, equilibrium, game_value, undominated
from draftengine.bots.exact.solvable import SolvableRound
from draftengine.engine.game import commit, result, start
from draftengine.engine.moves import describe, legal_moves
from draftengine.engine.position import Position, set_up
from draftengine.model.library import open_set
from draftengine.model.selection import open_document, parse_selection
from written import cases_in

CLOSE = 1e-9
LAST_ROUND = 3
PUZZLES = cases_in(Path(__file__).parent / "puzzles.yaml")


@cache
def program_of(cardset, *variants, players=2):
    return load_program(open_set(cardset).document, parse_selection(variants), players)


def position(seed, cards, tables=2, *, cardset="sushi_go", round_number=LAST_ROUND):
    """Return a position with hands and tables of these sizes, dealt from a shuffled box."""
    program = program_of(cardset)
    box = [program.cards[card] for card in program.deck]
    random.Random(seed).shuffle(box)
    dealt = iter(box)
    return Position(
        hands=tuple(tuple(next(dealt) for _ in range(cards)) for _ in range(2)),
        tables=tuple(tuple(next(dealt) for _ in range(tables)) for _ in range(2)),
        round=round_number,
    )


def state_of(where, cardset="sushi_go", *variants):
    return set_up(program_of(cardset, *variants), where).state


# ── The naive recursion ──────────────────────────────────────────────────────────────────────────────────────────────


def programme_value(rows):
    """Return the value of a matrix game by a linear programme of the column seat, shifted to be positive.

    If one seat has no choice, the other takes what is best.
    """
    if len(rows) == 1 or len(rows[0]) == 1:
        return max(map(min, rows))
    linprog = pytest.importorskip("scipy.optimize").linprog
    shift = 1 - min(map(min, rows))
    positive = [[entry + shift for entry in row] for row in rows]
    found = linprog([-1] * len(rows[0]), A_ub=positive, b_ub=[1] * len(rows), method="highs")
    return -1 / found.fun - shift


def naive_end(state, start_round):
    """Return the margin after a round of the base game; puddings count by the share of rounds played."""
    own, other = result(state).scores
    if state.over:
        return own - other
    pudding, tableaus = state.program.card_index("pudding"), state.zones[state.program.zone_index("tableau")]
    puddings = [cards.count(pudding) for cards in tableaus]
    lead = (puddings[0] > puddings[1]) - (puddings[0] < puddings[1])
    return own - other + start_round / LAST_ROUND * 6 * lead


def naive_value(state, start_round):
    """Return the value by walking every joint sequence, with a linear programme at each choice."""
    if state.over or state.round != start_round:
        return naive_end(state, start_round)
    own, other = (legal_moves(state, seat) or [None] for seat in range(2))
    return programme_value([[naive_value(both(state, one, two), start_round) for two in other] for one in own])


def both(state, *moves):
    """Return the state after a move of each seat; None for a seat without a choice."""
    for seat, move in enumerate(moves):
        if move is not None:
            state = commit(state, seat, move).state
    return state


EVERY_CASE = [
    *((seed, 2, 2, "sushi_go", 1 + seed % LAST_ROUND) for seed in range(126)),
    *((seed, 3, 1, "sushi_go", 1 + seed % LAST_ROUND) for seed in range(200, 270)),
    *((seed, 4, 0, "sushi_go", LAST_ROUND) for seed in range(300, 304)),
    *((seed, 2, 3, "anniversary", LAST_ROUND) for seed in range(400, 415)),
    *((seed, 3, 1, "anniversary", LAST_ROUND) for seed in range(415, 420)),
    *((seed, 2, 4, "sushi_go_summary", LAST_ROUND) for seed in range(500, 530)),
]
"""Seed, cards in each hand, cards on each table, card set, round."""
CASES = EVERY_CASE if NIGHTLY else EVERY_CASE[::3]


def state_of_case(case):
    """Return the position of a case, without memory, which does not affect points."""
    seed, cards, tables, cardset, round_number = case
    state = state_of(position(seed, cards, tables, cardset=cardset, round_number=round_number), cardset)
    state.memory = None
    return state


@cache
def naive_of_case(case):
    return naive_value(state_of_case(case), case[-1])


def difference(case):
    return abs(solve(state_of_case(case)).value - naive_of_case(case))


def test_solver_is_the_naive_recursion():
    """Check the solver on 200 positions of the base game and some of others, by day on a third.

    The other games have triggers, and further choices after the reveal.
    """
    assert sum(case[3] == "sushi_go" for case in EVERY_CASE) == 200
    assert max(map(difference, CASES)) < CLOSE


def test_cases_need_mixing_and_abilities():
    """Check that some positions need mixed strategies, and some have pairs of cards to take."""
    states = list(map(state_of_case, EVERY_CASE))
    assert sum(0 < solve(state).strategies[0][0] < 1 for state in states) > 3
    assert sum(any(len(move) == 2 for move in legal_moves(state, 0)) for state in states) > 3
    offers = [state for state in states if state.program.model.id == "sushi_go_summary" and solve(state).states > 6]
    assert len(offers) > 3


def in_pure_moves(rows):
    return Equilibrium(max(map(min, rows)), (1.0,) * len(rows), (1.0,) * len(rows[0]))


def only_hands(solvable, state, seat):
    return tuple(tuple(sorted(state.zones[zone][seat])) for zone in solvable.own)


PLANTED = {
    "nobody mixes": (matrix, "_mixed", in_pure_moves),
    "counters make no difference": (SolvableRound, "side", only_hands),
    "rounds to come are nothing": (exact, "margin", lambda state: state.scores[0] - state.scores[1]),
}


@pytest.mark.parametrize(("owner", "attribute", "wrong"), PLANTED.values(), ids=PLANTED)
def test_planted_mistakes_are_found(monkeypatch, owner, attribute, wrong):
    """Check that the comparison finds solvers that do not mix, confuse positions, or forget later rounds."""
    monkeypatch.setattr(owner, attribute, wrong)
    assert max(map(difference, CASES[: len(CASES) // 2])) > 0.1


# ── What equilibria must be ──────────────────────────────────────────────────────────────────────────────────────────

SEEDS = range(500, 530 if NIGHTLY else 512)
SOME = [position(seed, 2 + seed % 3, 2, round_number=1 + seed % LAST_ROUND) for seed in SEEDS]
FEW = SOME[: 10 if NIGHTLY else 4]


@pytest.mark.parametrize("where", SOME, ids=range(len(SOME)))
def test_strategies_are_equilibria(where):
    """Check that no move gains against the other strategy, and the own strategy loses nothing."""
    found = solve(state_of(where))
    for seat in range(2):
        own = found.strategies[seat]
        lost = losses(found, seat)
        assert sum(own) == pytest.approx(1)
        assert min(own) >= 0
        assert min(lost) > -CLOSE
        assert sum(map(mul, own, lost)) == pytest.approx(0, abs=CLOSE)


@pytest.mark.parametrize("where", SOME[:10], ids=range(10))
def test_nothing_gains_against_equilibria(where):
    """Check that an equilibrium played to the end of the round gives away nothing.

    A best response gets exactly its value.
    """
    state = state_of(where)
    known = RoundSolver(state)

    def equilibrium(now, seat):
        found = known.solution(now)
        return dict(zip(found.moves[seat], found.strategies[seat], strict=True))

    value = known.solution(state).value
    for seat in range(2):
        assert best_response(state, equilibrium, seat) == pytest.approx(value, abs=CLOSE)
    assert exploitability(state, equilibrium) == pytest.approx(0, abs=CLOSE)


def uniform(state, seat):
    moves = legal_moves(state, seat)
    return dict.fromkeys(moves, 1 / len(moves))


@pytest.mark.parametrize("where", FEW, ids=range(len(FEW)))
def test_uniform_play_can_be_exploited(where):
    """Check that uniform play gains at most the value, and loses some over all positions."""
    state = state_of(where)
    value = solve(state).value
    low, high = (best_response(state, uniform, seat) for seat in range(2))
    assert low <= value + CLOSE
    assert high >= value - CLOSE
    assert exploitability(state, uniform) == pytest.approx((high - low) / 2)
    assert exploitability(state, uniform) > -CLOSE


def test_uniform_play_gives_something_away():
    assert sum(exploitability(state_of(where), uniform) for where in SOME) / len(SOME) > 0.5


def naive_response(state, start_round, policy, seat):
    """Return the value of the best response to a policy, by walking every joint sequence."""
    if state.over or state.round != start_round:
        return naive_end(state, start_round)
    best = min if seat == 0 else max
    own = policy(state, seat)
    return best(
        sum(
            weight
            * naive_response(commit(commit(state, seat, move).state, 1 - seat, answer).state, start_round, policy, seat)
            for move, weight in own.items()
        )
        for answer in legal_moves(state, 1 - seat)
    )


def lopsided(state, seat):
    """Play the first moves more often than later ones."""
    moves = legal_moves(state, seat)
    total = len(moves) * (len(moves) + 1) / 2
    return {move: (len(moves) - index) / total for index, move in enumerate(moves)}


@pytest.mark.parametrize("seat", [0, 1])
def test_best_response_is_the_naive_one(seat):
    for where in SOME[: 6 if NIGHTLY else 3]:
        state = state_of(where)
        naive = naive_response(state, where.round, lopsided, seat)
        assert best_response(state, lopsided, seat) == pytest.approx(naive, abs=CLOSE)


@pytest.mark.parametrize("cardset", ["sushi_go", "anniversary"])
def test_symmetric_positions_are_worth_nothing(cardset):
    for seed in range(600, 612):
        dealt = position(seed, 3 + seed % 2, 2, cardset=cardset)
        same = Position(hands=dealt.hands[:1] * 2, tables=dealt.tables[:1] * 2, round=dealt.round)
        assert solve(state_of(same, cardset)).value == pytest.approx(0, abs=CLOSE)


def test_seats_may_be_exchanged():
    for where in SOME:
        exchanged = Position(hands=where.hands[::-1], tables=where.tables[::-1], round=where.round)
        assert solve(state_of(exchanged)).value == pytest.approx(-solve(state_of(where)).value, abs=CLOSE)


# ── Puzzles ──────────────────────────────────────────────────────────────────────────────────────────────────────────


def puzzle_state(puzzle):
    where = Position(
        hands=tuple(map(tuple, puzzle.get("hands", ()))),
        tables=tuple(map(tuple, puzzle["tables"])),
        zones=puzzle.get("zones", {}),
        markers=puzzle.get("markers", {}),
        round=puzzle.get("round", LAST_ROUND),
    )
    return state_of(where, puzzle.get("cardset", "sushi_go"), *puzzle.get("variants", ()))


def taken(state, move):
    told = describe(state, move)
    return sorted(chain(told["cards"], *told.get("with", {}).values()))


@pytest.mark.parametrize("puzzle", PUZZLES, ids=lambda puzzle: puzzle["id"])
def test_puzzle(puzzle):
    state = puzzle_state(puzzle)
    found = solve(state)
    assert found.value == pytest.approx(puzzle["value"], abs=CLOSE)
    for seat, best in enumerate(puzzle["best"]):
        if best is not None:
            lost = zip(found.moves[seat], losses(found, seat), strict=True)
            good = [taken(state, move) for move, points in lost if points < CLOSE]
            assert sorted(map(sorted, best)) == sorted(map(list, set(map(tuple, good))))
    lost = {tuple(taken(state, move)): points for move, points in zip(found.moves[0], losses(found, 0), strict=True)}
    for move, points in puzzle.get("loses", {}).items():
        assert lost[move,] == pytest.approx(points, abs=CLOSE)


# ── The interface ────────────────────────────────────────────────────────────────────────────────────────────────────


def test_solution_is_in_order_of_legal_moves():
    """Check that the matrix has rows in the order of legal moves, and values of the following positions."""
    state = state_of(position(2, 3, 2))
    found = solve(state)
    assert found.moves == (tuple(legal_moves(state, 0)), tuple(legal_moves(state, 1)))
    for row, one in enumerate(found.moves[0]):
        for column, two in enumerate(found.moves[1]):
            after = commit(commit(state, 0, one).state, 1, two).state
            assert found.matrix[row][column] == pytest.approx(solve(after).value, abs=CLOSE)


def test_given_state_stays_as_it_is():
    """Check that the state is unchanged, and pending commitments are ignored."""
    state = state_of(position(3, 3, 2))
    committed = commit(state, 0, legal_moves(state, 0)[-1]).state
    before = committed.digest()
    assert solve(committed) == solve(state)
    best_response(committed, uniform, 0)
    assert committed.digest() == before


def test_only_one_seat_chooses():
    """Check that a seat without a choice has the empty move."""
    state = puzzle_state(PUZZLES[-1])
    found = solve(state)
    assert found.moves[1] == ((),)
    assert found.strategies[1] == (1.0,)
    assert losses(found, 1) == (0,)
    assert exploitability(state, uniform) > 0


def test_other_values_of_the_end():
    state = state_of(position(4, 3, 2))
    assert solve(state, value=lambda _: 7).value == 7
    won = solve(state, value=lambda end: (0 in end.winners) - (1 in end.winners)).value
    assert -1 <= won <= 1


def test_end_is_before_the_next_deal():
    """Check that the end comes before the next deal: the round is scored, hands and tables are empty."""
    asked = []
    solve(state_of(position(5, 2, 0, round_number=1)), value=lambda end: asked.append(end) or 0)
    assert asked
    for end in asked:
        assert end.round == 1
        assert end.ledger
        assert not any(end.zones[end.program.zone_index("hand")])


def test_policies_may_make_observations():
    """Check that a policy gets a state with memory, so that it can ask bots."""
    remembered = []

    def asking(state, seat):
        remembered.append(state.memory is not None)
        return uniform(state, seat)

    best_response(state_of(position(6, 2, 2)), asking, 1)
    assert remembered
    assert all(remembered)


NO_POLICIES = {
    "nothing": lambda _moves: {},
    "no legal move": lambda _moves: {(99,): 1.0},
    "too much": lambda moves: dict.fromkeys(moves, 1.0),
}


@pytest.mark.parametrize("weights", NO_POLICIES.values(), ids=NO_POLICIES)
def test_policies_that_are_none_are_refused(weights):
    where = Position(hands=(("tempura", "sashimi"), ("tempura", "sashimi")), tables=((), ()), round=LAST_ROUND)
    with pytest.raises(ValueError, match="no probabilities"):
        best_response(state_of(where), lambda state, seat: weights(legal_moves(state, seat)), 0)


def test_round_knows_its_round():
    known = RoundSolver(state_of(position(8, 2, 2)))
    with pytest.raises(ValueError, match="not of the same round"):
        known.solution(state_of(position(8, 2, 2, round_number=1)))


# ── What cannot be solved ────────────────────────────────────────────────────────────────────────────────────────────

SMALL_SET = """
format: 1
id: small
title: Small
version: 1.0.0
players: 2
rounds: 1
cards: {soup: {count: 6}, bread: {count: 6}}
zones: {kept: {per: seat, seen_by: owner}}
setup:
  - {shuffle: deck}
round:
  - {deal: {to: hand, cards: 3}}
  - repeat:
      until_empty: hand
      do:
        - choose: {from: hand, to: TARGET}
        STEP
  - {score: round}
scoring: {soup: {kind: each, of: soup, points: 1}, bread: {kind: each, of: bread, points: 2}}
winner: {order: most}
"""


def small_set(target, step=""):
    """Return the first choice of a small game in which cards move and then something happens."""
    text = SMALL_SET.replace("TARGET", target).replace("STEP", step)
    document, findings = open_document(text.encode(), "small.yaml", lambda _: None)
    assert document is not None, findings
    return start(load_program(document, parse_selection(()), 2), 1).state


def finished():
    state = state_of(position(1, 1))
    for seat in range(2):
        state = commit(state, seat, legal_moves(state, seat)[0]).state
    return state


def dessert(variant, card):
    where = Position(hands=((card, "tempura"), ("sashimi", "sashimi")), tables=((), ()), round=LAST_ROUND)
    return state_of(where, "anniversary", variant)


def opening(cardset, *variants, players=2):
    return start(program_of(cardset, *variants, players=players), 1).state


UNSOLVABLE = {
    "three players": (lambda: opening("sushi_go", players=3), "3 players"),
    "the game is over": (finished, "nobody has to choose"),
    "draw piles": (lambda: opening("anniversary", "personal_draw_piles"), "cards come from pile"),
    "an extra seat draws": (lambda: opening("anniversary", "two_player_dummy"), "cards come from pile"),
    "dice": (lambda: dessert("mochi", "mochi"), "chance decides"),
    "face down": (lambda: opening("anniversary", "sushi_battle"), "face down"),
    "cards that look alike": (lambda: dessert("frozen_yogurt", "yogurt_2"), "frozen_yogurt in hand may be"),
    "too many positions": (lambda: opening("sushi_go"), "more than 50 positions"),
    "hands that stay": (lambda: small_set("tableau"), "not passed on"),
    "cards kept unseen": (lambda: small_set("kept", "- pass: {zone: hand, to: left}"), "not everybody sees"),
}


@pytest.mark.parametrize(("make", "why"), UNSOLVABLE.values(), ids=UNSOLVABLE)
def test_unsolvable(make, why):
    with pytest.raises(NotSolvableError, match=why):
        solve(make(), limit=50)


def test_solvable_beside_them():
    """Check that only the refused feature prevents solving: games without it are solved."""
    assert solve(dessert("mochi", "dumpling")).states
    assert solve(dessert("frozen_yogurt", "dumpling")).states
    assert solve(small_set("tableau", "- pass: {zone: hand, to: left}")).states


# ── Matrix games ─────────────────────────────────────────────────────────────────────────────────────────────────────

MATCHING = [[0, 2, -1], [-1, 0, 1], [1, -1, 0]]
"""Rock, paper, scissors, with more for one of the ways to win."""


def test_matrix_games_are_their_programmes():
    """Check values and optimal strategies of small games with whole payoffs."""
    source = random.Random(1)
    for _ in range(60):
        rows, columns = source.randint(1, 5), source.randint(1, 5)
        entries = [[source.randint(-6, 6) for _ in range(columns)] for _ in range(rows)]
        value, found = programme_value(entries), equilibrium(entries)
        assert found.value == pytest.approx(value, abs=CLOSE)
        assert game_value(entries) == pytest.approx(value, abs=CLOSE)
        for column in zip(*entries, strict=True):
            assert sum(map(mul, found.rows, column)) >= value - CLOSE
        for row in entries:
            assert sum(map(mul, found.columns, row)) <= value + CLOSE


def test_dominated_moves_are_struck_out():
    assert undominated([[0, 2, 2], [2, 0, 1], [-1, 0, 0]]) == ([0, 1], [0, 1])
    assert undominated([[1, 1], [1, 1]]) == ([0], [0])
    assert undominated(MATCHING) == ([0, 1, 2], [0, 1, 2])


def test_without_scipy(monkeypatch):
    """Check that pure and two-by-two games are solved without scipy; others say what to install."""
    monkeypatch.setitem(sys.modules, "scipy.optimize", None)
    assert game_value([[3, 1], [4, 2]]) == 2
    assert game_value([[2, 0, 2], [0, 2, 2]]) == 1
    with pytest.raises(MissingExtraError, match=r"\.\[exact\]"):
        game_value(MATCHING)


def test_wild_cards_that_lie_in_a_form_are_told_apart():
    """Check jokers in different forms: the best choice is worth 7 to one seat and 4 to the other."""
    game = de.load(Path(__file__).parents[1] / "natural/jokers.yaml", players=2)
    upper = (("joker@red", "blue"), ("green", "joker@blue"))
    state = game.set_up(de.Position(round=2, hands=((), ()), zones={"upper": upper}, at="tidy"))
    assert solve(state.position, limit=1000).value == pytest.approx(7 - 4)
