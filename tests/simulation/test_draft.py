"""Studies of drafts: counts by hand and by brute force, known strengths, regret, and every card set."""

from collections import Counter
from itertools import pairwise
from math import exp, isclose, log
from random import Random

import pytest
from msgspec.structs import replace

from compiled import load_program
from conftest import sample
from draftengine.api.ruleset import load
from draftengine.bots import Decision, ScoredMove, SeatedBot
from draftengine.engine.chance import Stream, key_of, root_of
from draftengine.engine.game import commit, start
from draftengine.engine.moves import choice_of, encode, legal_moves
from draftengine.engine.observe import observe
from draftengine.engine.policies import POLICIES, game_by
from draftengine.engine.public_state import PublicState, outcome
from draftengine.engine.state import initial_state
from draftengine.model.library import open_set
from draftengine.model.selection import Selection, open_document
from draftengine.studies import draft as at
from draftengine.studies.draft import Collector, DraftLayout, merge
from draftengine.studies.draft.report import judgements, section, table_rows
from draftengine.studies.draft.summary import (
    DraftTask,
    Sample,
    draft,
    judge,
    play_drafts,
    points_lost,
    share,
    strengths,
    summarise_draft,
)
from draftengine.studies.report.statistics import summarise_cards
from draftengine.studies.runner.playing import Task
from draftengine.studies.simulation import simulate
from engine import gates
from engine.configurations import ONE_OF_EACH
from engine.provisional import standing

SEED = "drafted"

KITCHEN = """
format: 1
id: kitchen
title: Kitchen
version: 1.0.0
players: 2-3
rounds: 1
cards:
  soup: {count: 3}
  bread: {count: 3}
  salad: {count: 3}
  tea: {count: 3}
setup: []
round:
  - {deal: {to: hand, cards: 4}}
  - repeat:
      until_empty: hand
      do:
        - {choose: {from: hand, to: tableau}}
        - {pass: {zone: hand, to: left}}
  - {score: round}
  - {clear: tableau}
scoring:
  soup: {kind: each, of: soup, points: 5}
  bread: {kind: each, of: bread, points: 3}
  salad: {kind: each, of: salad, points: 1}
winner: {order: most}
examples:
  - {name: one, tables: [[soup], []], expect: {points: {soup: [5, 0]}}}
"""
"""A card set without shuffling: seats get the cards from the end of the box."""


def kitchen(players=2):
    document, problems = open_document(KITCHEN.encode(), "kitchen.yaml", lambda _: None)
    assert document is not None, problems
    return load_program(document, Selection(), players)


def by_order(names):
    """Return a policy that takes the first of these cards that it holds."""

    def policy(state, choice, seat, stream):
        held = {state.program.cards[card] for card in state.zones[choice.source][seat]}
        return encode(state, seat, [next(name for name in names if name in held)])

    return policy


def walked(program, policies, game=0, sample=None):
    collector = Collector(program, DraftLayout.of(program))
    root = root_of(SEED)
    state = initial_state(program, root, game, memory=sample is not None)
    collector.walk(state, policies, Stream(key_of(root, game, "bot")), sample)
    return collector, state


def columns(collector, column):
    """Return the contents of a column as {(card, turn): number}, without zeros."""
    program, shape = collector.program, collector.shape
    return {
        (program.faces[face], turn): collector.tally[shape.card(kind, turn) + column]
        for kind, face in enumerate(shape.faces)
        for turn in range(20)
        if collector.tally[shape.card(kind, turn) + column]
    }


def task_of(cardset="sushi_go", players=3, bots=("random",), variants=(), *, games=30, **more):
    seats = tuple(bots[seat % len(bots)] for seat in range(players))
    return DraftTask(load(cardset, players, variants), seats, SEED, games, **more)


def summary_of(task):
    program = task.game.program
    return summarise_draft(program, DraftLayout.of(program), draft(task).tally, task.adviser)


def test_a_game_counted_by_hand():
    """Counts of a whole game equal those by hand; both seats take the card that gives most."""
    found, _ = walked(kitchen(), [by_order(["soup", "bread", "salad", "tea"])] * 2)
    assert found.tally[at.GAMES] == 1
    assert found.tally[at.CHOICES] == 8
    # Turn 1: seat 0 {tea 3, salad 1} takes salad, passes three teas; seat 1 takes bread, passes {salad 2, bread 1}.
    # Turn 2: seat 0 takes bread and passes {salad 2}; seat 1 takes tea and passes {tea 2}.
    # Turn 3: seat 0 has {tea 2}, seat 1 {salad 2}; each takes one and passes the other.
    assert columns(found, at.SEEN) == {
        ("tea", 1): 3, ("salad", 1): 3, ("bread", 1): 2,
        ("tea", 2): 3, ("salad", 2): 2, ("bread", 2): 1,
        ("tea", 3): 2, ("salad", 3): 2,
        ("tea", 4): 1, ("salad", 4): 1,
    }  # fmt: skip
    assert columns(found, at.TAKEN) == {
        ("salad", 1): 1, ("bread", 1): 1, ("bread", 2): 1, ("tea", 2): 1,
        ("tea", 3): 1, ("salad", 3): 1, ("tea", 4): 1, ("salad", 4): 1,
    }  # fmt: skip
    assert columns(found, at.PASSED) == {
        ("tea", 1): 3, ("salad", 1): 2, ("bread", 1): 1,
        ("tea", 2): 2, ("salad", 2): 2,
        ("tea", 3): 1, ("salad", 3): 1,
    }  # fmt: skip
    # After two turns each seat has its cards again: seat 0 two of its three teas, seat 1 its salads.
    assert columns(found, at.BACK) == {("tea", 1): 2, ("salad", 1): 2, ("tea", 2): 1, ("salad", 2): 1}
    # Salad would have been a point more than tea to seat 1; another bread was left to seat 0. In turn 2 bread would
    # have been two points more than the salads that are left; tea is never worth anything.
    assert columns(found, at.DENIED) == {("salad", 1): 1, ("bread", 2): 2}
    assert sum(columns(found, at.DENIALS).values()) == 6
    assert not columns(found, at.ADDED)
    assert not columns(found, at.ASIDE)
    names = [found.program.faces[face] for face in found.shape.faces]
    duels = {
        (one, two): found.tally[found.shape.duel(names.index(one), names.index(two))]
        for one in names
        for two in names
        if found.tally[found.shape.duel(names.index(one), names.index(two))]
    }
    assert duels == {("salad", "tea"): 3, ("bread", "salad"): 4}


def test_what_a_summary_says_of_it():
    found, _ = walked(kitchen(), [by_order(["soup", "bread", "salad", "tea"])] * 2)
    told = summarise_draft(found.program, found.shape, found.tally)
    assert list(told.cards) == ["bread", "salad", "tea"]  # soup is never seen
    bread, salad, tea = told.cards.values()
    assert (bread.seen, bread.taken, bread.pick, bread.wheel, bread.denied) == (3, 2, 1.5, 0, 1)
    assert (salad.seen, salad.taken, salad.pick, salad.passed) == (8, 3, 8 / 3, 5)
    assert [own.wheel for own in tea.by_turn] == [2 / 3, 0.5, 0, None]
    assert bread.preferred > salad.preferred > tea.preferred
    assert told.regret is None


@pytest.mark.parametrize("bots", ["random", "greedy"])
@pytest.mark.parametrize("cardset", ["sushi_go", "anniversary", "sushi_draft", "party_first_meal"])
def test_the_games_are_those_of_the_simulation(cardset, bots):
    document = open_set(cardset).document
    program = load_program(document, Selection(), 4)
    for game in range(4):
        policies = [POLICIES[bots]] * 4
        _, state = walked(program, policies, game)
        assert state.digest() == game_by(program, policies, SEED, game).digest()


def test_every_card_seen_is_taken_or_passed_and_then_seen():
    """Without abilities or further deals, seen cards are taken or passed, and passed ones are seen next."""
    found, _ = walked(kitchen(3), [POLICIES["random"]] * 3)
    seen, taken, passed = (Counter(columns(found, column)) for column in (at.SEEN, at.TAKEN, at.PASSED))
    assert seen == taken + passed
    assert {(name, turn - 1): count for (name, turn), count in seen.items() if turn > 1} == passed
    assert sum(taken.values()) == found.tally[at.CHOICES] == 12


@pytest.mark.parametrize("configuration", sample(ONE_OF_EACH, 10), ids=str)
def test_every_card_set(configuration):
    """In every card set, cards seen or added are taken, put aside, passed on, or stay."""
    program = configuration.program
    greedy = (POLICIES["random"], POLICIES["greedy"])
    seats = [greedy[seat % 2] for seat in range(program.players)]
    games = (walked(program, seats, game)[0] for game in range(20))
    found = next(own for own in games if columns(own, at.TAKEN))  # in games with bids, few choices are about cards
    told = summarise_draft(program, found.shape, found.tally)
    seen, added, taken, aside, passed, back = (
        Counter(columns(found, column)) for column in (at.SEEN, at.ADDED, at.TAKEN, at.ASIDE, at.PASSED, at.BACK)
    )
    if told.passes:
        left = seen + added
        left.subtract(taken + aside + passed)
        assert min(left.values()) >= 0
        assert all(back[place] <= passed[place] for place in back)
    else:
        assert not passed + added + back
        assert taken <= seen
        assert all(card.passed is card.wheel is card.denied is None for card in told.cards.values())
    assert all(card.seen and 0 < card.preferred < 1 for card in told.cards.values())
    said = table_rows(told)
    assert len(said) == 1 + len(told.cards)
    assert ("Comes back" in map(str, said[0])) == told.passes
    assert "<h2>Draft</h2>" in section(told, 1, [])


def wheels_by_hand(program, game, moves_of):
    """Count the passed cards, and those that are still there when their seat gets the hand again."""
    state = start(program, SEED, game=game).state
    hands = []
    while not state.over:
        face = [Counter(program.cards[card] for card in own) for own in state.zones[program.zone_index("hand")]]
        taken = [moves_of(state, seat) for seat in range(program.players)]
        hands.append((state.round, state.turn, face, [program.options[move[0]].name for move in taken]))
        for seat, move in enumerate(taken):
            state = commit(state, seat, move).state
    passed, back = Counter(), Counter()
    for index, (number, turn, held, taken) in enumerate(hands):
        later = index + program.players
        for seat in range(program.players):
            rest = held[seat] - Counter([taken[seat]])
            there = hands[later][2][seat] if later < len(hands) and hands[later][0] == number else Counter()
            for name, count in rest.items():
                passed[name, turn] += count
                back[name, turn] += min(count, there[name])
    return passed, +back


@pytest.mark.parametrize("players", [2, 3])
def test_wheel_odds_are_those_of_a_brute_force_count(players):
    """Wheel odds equal the share of cards that remain after as many turns as there are players."""
    program = load_program(open_set("sushi_go").document, Selection(variants=()), players)

    def first(state, seat):
        """Return a move without an ability that depends only on turn and seat."""
        return [move for move in legal_moves(state, seat) if len(move) == 1][(state.turn + seat) % 2 - 1]

    found, _ = walked(program, [lambda state, choice, seat, stream: first(state, seat)] * players)
    passed, back = wheels_by_hand(program, 0, first)
    assert columns(found, at.PASSED) == passed
    assert columns(found, at.BACK) == back
    assert sum(back.values()) > 20
    told = summarise_draft(program, found.shape, found.tally)
    for name, card in told.cards.items():
        for own in card.by_turn:
            if own.passed:
                assert own.wheel == back[name, own.turn] / passed[name, own.turn]


def test_what_is_denied_is_what_the_next_seat_would_gain():
    """Denied points equal the next seat's gains, computed from states after the reveal."""
    program = load_program(open_set("sushi_go").document, Selection(), 3)

    def last(state, seat):
        return [move for move in legal_moves(state, seat) if len(move) == 1][-1]

    found, _ = walked(program, [lambda state, choice, seat, stream: last(state, seat)] * 3)
    hand, expected = program.zone_index("hand"), Counter()
    state = start(program, SEED).state
    while not state.over:
        turn, number = state.turn, state.round
        taken = [last(state, seat) for seat in range(3)]
        for seat, move in enumerate(taken):
            state = commit(state, seat, move).state
        if state.over or state.round != number:
            continue
        public = PublicState.of_state(state)
        for seat, move in enumerate(taken):
            neighbour = (seat + 1) % 3
            moves = [move, *((card,) for card in state.zones[hand][neighbour])]
            words = [outcome(public, choice_of(state), neighbour, own)[0] for own in moves]
            own, *rest = (standing(public.with_words(after), neighbour) for after in words)
            expected[program.cards[move[0]], turn] += max(0, own - max(rest))
    assert columns(found, at.DENIED) == +expected
    assert sum(expected.values()) > 20


def test_cards_put_back_by_an_ability_are_passed_on():
    task = task_of(players=2, games=20)
    found = play_drafts(replace(task, last=20))
    program = task.game.program
    shape = DraftLayout.of(program)
    kinds = {program.faces[face]: kind for kind, face in enumerate(shape.faces)}
    added = {
        name: sum(found.tally[shape.card(kind, turn) + at.ADDED] for turn in range(20)) for name, kind in kinds.items()
    }
    assert added.pop("chopsticks") > 10
    assert not any(added.values())


def test_cards_chosen_for_others_and_cards_kept_are_put_aside():
    dummy = summary_of(task_of("sushi_go_2014", 2, variants=["two_player_dummy"], games=3))
    assert sum(card.aside for card in dummy.cards.values()) > 0
    kept = summary_of(task_of("sushi_draft", 4, games=3))
    # Three games, four turns a round in which all four keep a card; the fifth turn keeps none.
    rounds = task_of("sushi_draft", 4).game.program.model.rounds
    assert sum(card.aside for card in kept.cards.values()) == 3 * rounds * 4 * 4
    assert {own.turn for card in kept.cards.values() for own in card.by_turn} == {1, 2, 3, 4, 5}


def test_random_players_prefer_nothing():
    """Random players have no preferences, regardless of the number of copies."""
    found = summary_of(task_of(players=4, games=150))
    assert all(abs(card.preferred - 0.5) < 0.04 for card in found.cards.values())


# ── Strengths ───────────────────────────────────────────────────────────────────────────────────────────────────────


def test_known_strengths_are_found():
    """Strengths are recovered from the expected numbers of wins."""
    known = [0.1, 0.5, 1, 2, 7]
    won = [[0 if one is two else 1e6 * one / (one + two) for two in known] for one in known]
    found = strengths(won)
    for one, two in pairwise(range(5)):
        assert isclose(found[two] - found[one], log(known[two] / known[one]), abs_tol=1e-3)
    assert isclose(sum(map(share, found)), 2.5)


def test_known_strengths_are_found_from_choices():
    """Strengths are recovered from random choices, made in proportion to strength from hands of any size."""
    known, random = [0.3, 0.6, 1, 2, 4], Random(7)
    won = [[0] * 5 for _ in known]
    for _ in range(20_000):
        hand = random.sample(range(5), random.randint(2, 5))
        taken = random.choices(hand, [known[card] for card in hand])[0]
        for other in hand:
            won[taken][other] += other != taken
    found = strengths(won)
    for one, two in pairwise(range(5)):
        assert isclose(exp(found[two] - found[one]), known[two] / known[one], rel_tol=0.08)


def test_a_card_is_called_dead_when_enough_copies_say_so():
    """A card that is nearly always left is dead, and one that is nearly always taken no choice."""
    summary = summary_of(task_of(games=5))
    names = [*summary.cards]
    assert [str(phrase) for phrase in judgements(summary)] == ["No card is dead, and none is always taken."]

    def judged(preferred, seen):
        card = replace(summary.cards[names[0]], label="Soy sauce", preferred=preferred, seen=seen)
        return str(judgements(replace(summary, cards={**summary.cards, names[0]: card}))[0])

    assert judged(0.05, 1000) == "Soy sauce is a dead card: in 19 of 20 choices an average card is taken before it."
    assert judged(0.97, 1000) == "Soy sauce is hardly a choice: in 19 of 20 choices it is taken before an average card."
    assert judged(0.05, 20) == "Soy sauce may be dead or hardly a choice: more games would tell."


def test_what_is_always_taken_first_has_a_strength():
    found = strengths([[0, 50, 50], [0, 0, 50], [0, 0, 0]])
    assert 0.9 < share(found[0]) < 1
    assert isclose(share(found[1]), 0.5, abs_tol=1e-6)
    assert isclose(found[0], -found[2], abs_tol=1e-6)
    assert strengths([[0, 0], [0, 0]]) == pytest.approx([0, 0])


# ── Regret ──────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_an_adviser_regrets_nothing_of_its_own():
    own = summary_of(task_of(bots=("greedy",), adviser="greedy", decisions=50)).regret
    assert own.all.decisions == 50
    assert own.all.mean == 0
    assert sum(lost.decisions for lost in own.by_turn.values()) == 50
    assert sum(lost.decisions for lost in own.by_seat.values()) == 50


@pytest.mark.parametrize(
    ("cardset", "players", "variants"),
    [
        ("anniversary", 2, ["sushi_battle"]),
        ("sushi_go_2014", 2, ["two_player_dummy"]),
        ("sushi_draft", 4, []),
        ("party_first_meal", 3, []),
    ],
)
def test_other_flows_are_judged_too(cardset, players, variants):
    """Regret is computed for layouts, cards for others, kept cards, and cards with effects."""
    found = summary_of(
        task_of(cardset, players, ("greedy", "random"), variants, games=12, adviser="greedy", decisions=120)
    )
    assert found.regret.all.decisions == 120
    assert found.regret.by_seat[0].mean == 0
    assert found.regret.all.mean > 0


def test_what_an_equilibrium_never_plays_has_its_price():
    """The last cards of two seats are solved, and moves outside the equilibrium cost what they lose."""
    program = load_program(open_set("sushi_go").document, Selection(), 2)
    lost = []
    for seed in range(12):
        states = (state for state, *_ in gates.steps(program, seed))
        hand = program.zone_index("hand")
        state = next(own for own in states if len(own.pending) == 2 and len(own.zones[hand][0]) == 3)
        decision = SeatedBot.at("search:iterations=1:exact=4", seed=1, seat=0).decide(observe(state, 0))
        values = {own.move: own.value for own in decision.considered}
        assert set(values) == set(legal_moves(state, 0))
        best = decision.considered[0].move
        lost += [points_lost(decision, best, move) for move in legal_moves(state, 0)]
        assert lost[-1] == pytest.approx(values[best] - values[legal_moves(state, 0)[-1]])
    assert None not in lost
    assert max(lost) > 1


def test_random_choices_are_regretted():
    found = summary_of(task_of(bots=("greedy", "random"), players=2, adviser="greedy", decisions=80)).regret
    assert found.by_seat[0].mean == 0
    assert found.by_seat[1].mean > 0
    assert found.all.ci95[0] > 0
    together = sum(lost.mean * lost.decisions for lost in found.by_turn.values())
    assert isclose(together, found.all.mean * 80)


def test_an_adviser_without_values():
    assert summary_of(task_of(adviser="random", decisions=10, games=5)).regret is None


class Dreamer:
    """A bot that gives each move a random value, and likes the best of them."""

    def decide(self, seen, stream, budget):
        values = {cards: stream.below(1000) / 100 for cards in dict.fromkeys(tuple(sorted(own)) for own in seen.moves)}
        considered = [ScoredMove(move, values[tuple(sorted(move))]) for move in seen.moves]
        found = sorted(considered, key=lambda own: -own.value)
        return Decision(found[0].move, tuple(found), "margin")


def test_luck_of_an_adviser_is_no_regret():
    """An adviser with random values finds no regret in random choices: another one judges its best move."""
    program = load_program(open_set("sushi_go").document, Selection(), 3)
    shape = DraftLayout.of(program)
    tally = [0] * shape.size
    for game in range(40):
        sample = Sample(8, Stream(game))
        walked(program, [POLICIES["random"]] * 3, game, sample)
        keys = [key_of(7, game, "search", which) for which in range(6)]
        advisers = [
            (SeatedBot(Dreamer(), one), SeatedBot(Dreamer(), two))
            for one, two in zip(keys[::2], keys[1::2], strict=True)
        ]
        judge(sample, advisers, tally, shape)
    found = summarise_draft(program, shape, tally, "dreamer").regret.all
    assert found.decisions == 320
    assert found.ci95[0] < 0 < found.ci95[1]


def test_values_of_an_adviser():
    """Lost points are known for moves that the adviser considered, even without visits, in any order."""
    decision = Decision((1,), (ScoredMove((1,), 2.5, 0.9), ScoredMove((2, 3), 3.0, 0.1), ScoredMove((5,), 1.0, 0.0)))
    assert points_lost(decision, (1,), (1,)) == 0
    assert points_lost(decision, (1,), (3, 2)) == -0.5
    assert points_lost(decision, (1,), (5,)) == 1.5
    assert points_lost(decision, (1,), (4,)) is None
    assert points_lost(Decision((1,)), (1,), (1,)) is None


def test_as_many_choices_as_were_asked_for():
    task = task_of(games=7, adviser="greedy", decisions=10)
    assert [task.sample_of(game) for game in range(7)] == [2, 2, 2, 1, 1, 1, 1]
    assert sum(replace(task, games=40).sample_of(game) for game in range(40)) == 10


# ── Chunks ──────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_chunks_can_be_merged_in_any_order():
    task = task_of(games=12, bots=("greedy", "random"), adviser="greedy", decisions=20)
    whole = play_drafts(replace(task, last=12)).tally
    chunks = [play_drafts(replace(task, first=first, last=last)).tally for first, last in ((7, 12), (0, 3), (3, 7))]
    assert merge(merge(chunks[0], chunks[1]), chunks[2]) == whole
    assert draft(task).tally == whole


def test_jobs_change_nothing():
    task = task_of(games=50, bots=("random",), adviser="greedy", decisions=20)
    assert draft(task, jobs=2).tally == draft(task, jobs=1).tally


def test_it_looks_at_the_games_that_are_simulated():
    """Studies of drafts look at the games of simulations, even for bots that are no policies."""
    task = task_of(bots=("easy", "random", "greedy"), games=3)
    played = simulate(Task(task.game, task.bots, SEED, 0, 3, "reference", logged=True))
    cards = summarise_cards(task.game.program, played.tally)
    told = summary_of(task).cards
    assert {name: card.taken for name, card in told.items()} == {name: card.taken for name, card in cards.items()}
