"""Counts for all parts of a card set, taken while the reference engine plays its games.

Findings quote numbers of games, not of evaluations, because formulas cache their values. *Work* measures the length of
a game independently of the machine: its steps, decisions and conditions, weighted by their costs.

*Redeals* are positions with other luck: the cards that count are replaced by others from the box. If a rule gave no
points in any game, either points are impossible, or the luck for them is rare. If it gives points in a few redeals,
only luck was missing.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import TYPE_CHECKING

from draftengine.api.scenario.coverage import HeardConditions, place_of
from draftengine.engine.chance import Stream, key_of, root_of
from draftengine.engine.choose import Choice
from draftengine.engine.events import measures, points_of
from draftengine.engine.game import total
from draftengine.engine.instructions import Clear, Deal, EndRound, MoveAll, Pass, Score, StartRound
from draftengine.engine.kernel.running import advance, settle
from draftengine.engine.moves import choice_of
from draftengine.engine.plain import plan_of
from draftengine.engine.program import OneSeatRule, RankedRule
from draftengine.engine.state import initial_state
from draftengine.model.cardset.facts import steps_of
from draftengine.model.cardset.pieces import card_in
from draftengine.model.verbs.actions import NAMELESS

if TYPE_CHECKING:
    from collections.abc import Container, Hashable, Sequence

    from draftengine.engine.events import Event
    from draftengine.engine.policies import Policy
    from draftengine.engine.program import CompiledRule, Program
    from draftengine.engine.state import GameState
    from draftengine.model.verbs.verb import Step


Box = tuple[list[int], list[int]]

TIMES = 8
"""The number of redealt positions to evaluate each time that the rule is scored."""
OFTEN = 50
"""If redeals predict this number of scorings with points, it is not bad luck that games had none."""


class Redeals:
    """Counts of the evaluations of one rule in redealt positions."""

    def __init__(self, rule: str = "", cards: Container[int] = ()) -> None:
        self.rule, self.cards = rule, cards
        self.gave = self.differed = 0
        """The numbers of positions in which the rule gave points, and in which seats got different ones."""
        self.heard = HeardConditions()
        """The values that the rule's conditions had in redealt positions."""
        self._boxes: dict[int, Box] = {}

    def evaluate(self, state: GameState, rule: CompiledRule, conditions: HeardConditions, chance: Stream) -> None:
        """Evaluate the rule in some redealt positions. Values of `conditions` then go to `self.heard`."""
        players = state.program.players
        if players not in self._boxes:
            self._boxes[players] = box_of(state.program)
        conditions.swap(self.heard)
        for _ in range(TIMES):
            position = redealt(state, self._boxes[players], self.cards, chance)
            if rule.when is None or rule.when(position, 0):
                points = points_of(position, rule)[: state.program.ranked]
                self.gave += any(points)
                self.differed += len(set(points)) > 1
        conditions.swap(self.heard)


def only_luck_was_missing(times: int) -> bool:
    """True if some redealt positions gave points, but too few to expect points in games."""
    return 0 < times < OFTEN * TIMES


def box_of(program: Program) -> Box:
    """Return a play for each card in the box, without modifiers, as two lists: other plays and kept plays.

    Copies of a card with several forms get different forms, and dice show different sides.
    """
    modifiers = {modifier.card for modifier in program.model.modifiers}
    box: Box = [], []
    sides_of = {thing: [card for card, of in enumerate(program.thing_of) if of == thing] for thing in program.deck}
    for number, thing in enumerate(program.deck):
        sides = [card for card in sides_of[thing] if not program.model.cards[card].is_die]
        card = sides[number % len(sides)]
        if program.cards[card] not in modifiers:
            options = program.options_of[card]
            play = dict(program.options[options[number % len(options)]].plays)[card]
            box[play in program.kept_plays].append(play)
    return box


def redealt(state: GameState, box: Box, wanted: Container[int], chance: Stream) -> GameState:
    """Return a position in which all counting cards are drawn from the box again.

    `wanted` cards are drawn more often than others. Every seat has as many cards as before, and as many kept cards.
    """
    program, twin = state.program, state.clone()
    pools = [[*plays] for plays in box]
    exchanged = {play for plays in box for play in plays}
    for zone in plan_of(program).counting:
        added = program.added[zone] if program.cards_count_elsewhere else program.increments
        for seat, lying in enumerate(twin.zones[zone] if program.zones[zone].per == "seat" else ()):
            for place, play in enumerate(lying):
                if play in exchanged:
                    pool = pools[play in program.kept_plays]
                    one, other = chance.below(len(pool)), chance.below(len(pool))
                    drawn = one if program.card_of[pool[one]] in wanted else other
                    lying[place], pool[drawn] = pool[drawn], pool[-1]
                    pool.pop()
                    twin.words[seat] += added[lying[place]] - added[play]
    return twin


def key_of_way(step: Step, name: str) -> Hashable:
    """Return a key of an action that is equal in all variants: its step's place in the file, and its name."""
    return place_of(step.span), name


MOST_WORK = 15_000
"""The largest work of a game.

A longer game is not counted, and no more games of its selection are played.
"""
_DECISION = 6
_ROOT = root_of(1)


class Counters:
    """Counts of everything that happened in the games of one selection."""

    def __init__(self) -> None:
        self.conditions = HeardConditions()
        self.work = self.games = self.blank = self.lost = self.level = self.replayed = self.same = 0
        self.scored, self.met, self.gave, self.told_apart = (Counter[str]() for _ in range(4))
        """Counts by rule: scorings, scorings with its cards or with points, and games with unequal points."""
        self.inputs: dict[str, Counter[int]] = defaultdict(Counter)
        """Counts by rule: how often its formulas had each value, until the rule gave points."""
        self.ties: dict[str, Counter[str]] = defaultdict(Counter)
        """Counts by ranking rule, until it gave points: scorings with a prize split to 0, and other ties."""
        self.empty, self.lying, self.cleared = (Counter[str]() for _ in range(3))
        """Counts by label of a scoring step: scorings without cards, with cards, and after a full clearing."""
        self.uncleared = Counter[str]()
        """Counts by label of a scoring step: scorings with cards that a clearing would remove."""
        self.happened: dict[str, Counter[str]] = defaultdict(Counter)
        """Events by kind (``card laid taken modified ability-used``) and by name of the card or the like."""
        self.ways: Counter[Hashable] = Counter()
        """The number of times that each action was taken, by its `key_of_way`."""
        self.rounds, self.idle = Counter[int](), Counter[int]()
        """Counts by round: times played, and times played without a decision."""
        self.stayed = self.left = 0
        """Scorings after round 1 that may count cards again; rounds after 1 that began with none to clear."""
        self.ranks: dict[str, dict[str, list[int]]] = defaultdict(lambda: defaultdict(list))
        """The points that each ranking rule gave for each place: a list of all cases."""
        self.ran, self.acted = Counter[str](), Counter[str]()
        """Counts by JSON Pointer of a step: how often it ran, and how often the zone it takes from had cards."""
        self.began, self.began_with = Counter[str](), Counter[str]()
        """Counts by JSON Pointer of a step: games that ran it, and games in which its first run had cards."""
        self.deals: dict[tuple[int, int], list[int]] = {}
        self.redeals = Redeals()

    def play(self, program: Program, policies: Sequence[Policy], number: int, way: int = 0) -> int:
        """Play a deal to the end, count what happens, and return the work that it took.

        A game that takes too much work is stopped and not counted. Another `way` gives the policies other random
        numbers, so that they choose differently among equally good moves.
        """
        state = initial_state(program, _ROOT, number, memory=False)
        stream = Stream(key_of(_ROOT, number, "bot", way))
        watch = _Watch(self, state, Stream(key_of(_ROOT, number, "search", way)))
        advance(state, None, watch.step)
        while state.pending:
            choice = choice_of(state)
            state.chosen = {seat: policies[seat](state, choice, seat, stream) for seat in state.pending}
            watch.decided(len(state.pending))
            settle(state, choice, watch.tell)
            advance(state, None, watch.step)
        if state.over:
            watch.end(number)
        self.work += watch.work
        return watch.work


class _Watch:
    """Observer of one game that writes into the counters."""

    def __init__(self, counters: Counters, state: GameState, chance: Stream) -> None:
        self.counters, self.state, self.program, self.chance = counters, state, state.program, chance
        self.round = self.decisions = self._work = 0
        self.heard_before = counters.conditions.heard
        self.steps, self.path = dict(steps_of(self.program.model)), ""
        self.begun: dict[str, bool] = {}
        self.labels: set[str] = set()
        self.labels_before: set[str] = set()
        self.remains = False
        self.cleared = False
        self.points: dict[str, list[int]] = defaultdict(lambda: [0] * self.program.seats)

    @property
    def work(self) -> int:
        """The work of the game so far: its steps, decisions and conditions, weighted by their costs."""
        return self._work + (self.counters.conditions.heard - self.heard_before) // 2

    def step(self, index: int) -> bool:
        """Count a step before it is carried out. Returns True if the game takes too much work to go on."""
        self._work += 1
        step = self.program.code[index]
        if index in self.program.places:
            # Steps that neither move cards nor wait for choices always have an effect.
            self.path = path = self.program.places[index]
            zones, source = self.state.zones, -1
            if isinstance(step, Deal | MoveAll) or (isinstance(step, Choice) and not step.actions):
                source = step.source
            elif isinstance(step, Pass | Clear):
                source = step.zone
            self.counters.ran[path] += 1
            acts = source < 0 or any(zones[source])
            self.counters.acted[path] += acts
            self.begun.setdefault(path, acts)
            self.cleared |= isinstance(step, MoveAll | Clear) and acts and source in plan_of(self.program).counting
        if isinstance(step, Score):
            counters, label, gave = self.counters, step.label, False
            lying = {
                play for zone in plan_of(self.program).counting for plays in self.state.zones[zone] for play in plays
            }
            (counters.lying if lying else counters.empty)[label] += 1
            counters.cleared[label] += self.cleared and not lying
            counters.uncleared[label] += not lying <= self.program.kept_plays
            for number in step.rules:
                rule = self.program.rules[number]
                if counters.redeals.rule == rule.model.id:
                    counters.redeals.evaluate(self.state, rule, counters.conditions, self.chance)
                if rule.when is None or rule.when(self.state, 0):
                    gave |= self._rule(rule, met=not lying.isdisjoint(self.program.plays_read_by_rule[number]))
            counters.stayed += gave and self.remains and label in self.labels_before
            self.labels.add(label)
        elif isinstance(step, StartRound):
            self.round += 1
            self.decisions, self.cleared = 0, False
            self.labels_before |= self.labels
            self.labels = set()
        elif isinstance(step, EndRound):
            self.counters.rounds[self.round] += 1
            self.counters.idle[self.round] += not self.decisions
        return self.work > MOST_WORK

    def decided(self, seats: int) -> None:
        """Count a decision of `seats` seats, before their cards are revealed."""
        if not self.decisions:
            kept, tableaus = self.program.kept_plays, self.state.zones[self.program.tableau]
            self.remains = self.round > 1 and any(play not in kept for tableau in tableaus for play in tableau)
            self.counters.left += self.round > 1 and not self.remains
        self.decisions += seats
        self._work += _DECISION * seats

    def tell(self, event: Event) -> None:
        """Count an event that occurs while the moves of a choice are carried out."""
        if event.kind in {"revealed", "asked", "placed", "moved", "discarded"}:
            self.counters.ways[key_of_way(self.steps[self.path], NAMELESS)] += 1
            self.counters.happened["card"].update(map(card_in, event.cards))
            if event.kind in {"revealed", "moved", "discarded"}:
                kind = "laid" if event.kind == "revealed" else "taken"
                self.counters.happened[kind].update(map(card_in, event.cards))
        elif event.kind == "way":
            self.counters.ways[key_of_way(self.steps[self.path], event.name)] += 1
        elif event.kind in {"modified", "ability-used"}:
            self.counters.happened[event.kind][event.name] += 1

    def end(self, number: int) -> None:
        """Count the results of the finished game."""
        counters, program = self.counters, self.program
        for zone, owners in zip(program.zones, self.state.zones, strict=True):
            for item in {item for items in owners for item in items if item >= 0}:
                card = program.model.cards[program.card_of[item] if zone.counts else item]
                counters.happened["card"][card.id] += card.starts_in != zone.id
                counters.happened["laid"][card.id] += zone.counts
        scores = [total(self.state, seat) for seat in range(program.players)]
        counters.games += 1
        counters.began.update(self.begun.keys())
        counters.began_with.update(path for path, acts in self.begun.items() if acts)
        counters.blank += not any(scores)
        counters.lost += max(scores) <= 0
        counters.level += len(set(scores)) == 1
        for name, given in self.points.items():
            counters.told_apart[name] += len(set(given[: program.ranked])) > 1
        first = counters.deals.setdefault((program.players, number), scores)
        if first is not scores and (any(first) or any(scores)):
            counters.replayed += 1
            counters.same += first == scores

    def _rule(self, rule: CompiledRule, *, met: bool) -> bool:
        counters, name = self.counters, rule.model.id
        points = points_of(self.state, rule)
        self._work += len(points)
        counters.scored[name] += 1
        seats = range(self.program.ranked)
        counters.met[name] += met and (rule.copies is None or any(rule.copies(self.state, seat) for seat in seats))
        for seat, value in enumerate(points):
            self.points[name][seat] += value
        amounts = measures(self.state, rule) if isinstance(rule, RankedRule) else ()
        if isinstance(rule, RankedRule) and not counters.gave[name]:
            counters.inputs[name].update(amounts)
            awards = [award for won in rule.awards(amounts) for award in won]
            tied = max(amounts) >= rule.numbers.threshold and amounts.count(max(amounts)) > 1
            split = any(award.prize and not award.points for award in awards)
            counters.ties[name].update(["split"] if split else ["tied"] if tied and not awards else [])
        if isinstance(rule, RankedRule) and rule.chip < 0:
            most, *others = sorted(set(amounts), reverse=True)
            # With fewer than three different amounts, nothing is recorded.
            for amount, given in zip(amounts, points, strict=False) if others[1:] else ():
                gave = counters.ranks[name]
                gave["most" if amount == most else "fewest" if amount == others[-1] else "between"].append(given)
                if amounts.count(most) == amounts.count(others[0]) == 1 and amount in {most, others[0]}:
                    gave["first" if amount == most else "second"].append(given)
        elif isinstance(rule, OneSeatRule) and not counters.gave[name]:
            counters.inputs[name].update(value(self.state, seat) for value in rule.inputs for seat in seats)
        counters.gave[name] += any(points)
        return any(points)
