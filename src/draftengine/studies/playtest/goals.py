"""Goals that the games of a playtest should reach: every rule, condition, card, modifier and ability."""

from __future__ import annotations

import re
from collections import Counter
from itertools import chain, islice
from typing import TYPE_CHECKING

from msgspec import Struct

from draftengine.api.ruleset import games_of
from draftengine.api.scenario.coverage import Condition, Coverage, conditions_of, place_of
from draftengine.api.scenario.files import examine, examples_of
from draftengine.engine.program import OneSeatRule
from draftengine.model.cardset.facts import steps_of
from draftengine.model.checks.context import names_in
from draftengine.model.diagnostics import diagnose, with_others
from draftengine.model.language.tree import Comparison, Conditional, Number, parts
from draftengine.model.verbs.actions import NAMELESS
from draftengine.model.verbs.choose import ChooseStep
from draftengine.model.verbs.turns import EndStep
from draftengine.studies.playtest.counters import Counters, Redeals, key_of_way, only_luck_was_missing
from draftengine.studies.playtest.games import COLLECTING, HOPING, TRIES, collect, spread
from draftengine.support.locale.phrases import either, said

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Sequence

    from draftengine.engine.program import Program
    from draftengine.model.cardset.records import Ability, Card, CardSet, Modifier, Rule
    from draftengine.model.diagnostics import Diagnostic
    from draftengine.model.language.tree import Expr
    from draftengine.model.selection import Document
    from draftengine.model.verbs.actions import Way
    from draftengine.model.verbs.verb import Step
    from draftengine.studies.playtest.games import Played
    from draftengine.support.locale.phrases import Text
    from draftengine.support.source import Span

LOOKS, LOOK, WORK = 12, 40_000, 200_000
"""Limits of extra games for missed goals: goals, work for one of them, and work for all of them."""
TOGETHER = 400_000
"""The limit of the work of all games, including those before the search for missed goals."""
SURE = 10
"""The number of chances without an event after which it counts as one that never happens."""
RARE = 0.02
"""The share of cases up to which a value counts as rare. More games may go beyond a rare value."""
_LUMPS = 2
"""The factor by which a few more games may exceed the highest points so far."""
_STEPS = re.compile(r"/(setup|round|finish)/|/(do|on_play)/")


class Goal(Struct, frozen=True):
    """A goal that games should reach, and the finding if they do not."""

    key: tuple[str, Hashable]
    span: Span
    path: str
    reached: Callable[[Sequence[Counters]], bool]
    cards: Callable[[Program], set[int]]
    """The function that returns the cards which help to reach the goal."""
    finding: Callable[[Sequence[Played]], Diagnostic | None]
    """The function that returns the finding for a missed goal; ``None`` if another finding says the cause."""


def unreached(document: Document, played: Sequence[Played], search: Search) -> Iterator[Diagnostic]:
    """Yield a finding for each goal in the author's files that neither games nor examples reach."""
    goals: dict[tuple[str, Hashable], Goal] = {}
    played_by_key: dict[tuple[str, Hashable], dict[int, Played]] = {}
    for each in played:
        for goal in goals_of(each):
            if goal.span.source not in document.inherited_errors:
                goals.setdefault(goal.key, goal)
                played_by_key.setdefault(goal.key, {})[id(each)] = each  # the members of a series may have one key
    owners = {key: [*selections.values()] for key, selections in played_by_key.items()}
    missing = [goal for goal in goals.values() if not goal.reached([each.counters for each in owners[goal.key]])]
    examples = Counters()  # what the author's worked examples reach
    if missing:
        covered = Coverage(document)
        games = games_of(document, covered.conditions.hear)
        for entry in examples_of(document):
            if not entry.base:
                covered.add(examine(entry, games))
        examples.conditions = covered.conditions
        examples.gave.update(covered.scored)
        examples.happened["card"].update(covered.played)
    alike: dict[tuple[str, Hashable], list[Goal]] = {}
    for goal in missing:  # the members of a series have one place
        alike.setdefault((goal.key[0], place_of(goal.span)), []).append(goal)
    explained, idle = set[str](), False
    for number, (goal, *others) in enumerate(alike.values()):
        if not is_explained(goal, explained, idle=idle):
            counters = [examples, *(each.counters for each in owners[goal.key])]
            judged = goal.reached(counters) or (number < LOOKS and search.is_enough(goal, owners[goal.key], counters))
            search.missed += [] if judged else [goal]
            if not judged or goal.reached(counters):
                continue
            finding = goal.finding(owners[goal.key])
            if finding is not None:
                idle |= finding.code in {"idle-step", "way-never-used"}
                yield with_others(finding, sum(not other.reached(counters) for other in others))
                if finding.code == "condition-always-true" and finding.path.endswith("/when"):
                    continue  # it explains nothing
        explained |= {each.path for each in (goal, *others)}


def is_explained(goal: Goal, explained: Collection[str], *, idle: bool) -> bool:
    """True if an earlier missed goal already explains this one.

    Conditions come first, because they explain why the rule around them gives nothing, or why a step is not carried
    out. A step that does nothing explains the steps after it.
    """
    kind = goal.key[0]
    return (kind in {"rule", "difference", "way"} and goal.path in explained) or (
        kind == "step" and (idle or any(goal.path.startswith(f"{path}/") for path in explained))
    )


class Search:
    """Games that are likely to reach goals that earlier games have missed."""

    def __init__(self, played: Iterable[Played]) -> None:
        self.left = min(WORK, TOGETHER - sum(each.counters.work for each in played))
        self.done: dict[Hashable, Redeals] = {}
        """The redeals of each search that was made: a second one would play the same games again."""
        self.missed: list[Goal] = []
        """The goals for which too little work was left to play enough games."""

    def is_enough(self, goal: Goal, owners: Sequence[Played], counters: Sequence[Counters]) -> bool:
        """Play games until one reaches the goal. Returns False if too few can be played to tell.

        If games are short, more are played. If they are long, luck gets fewer games, so that half of the work is left
        for other goals. There are never fewer games than for goals that need certain cards.
        """
        tables, model = spread(owners[0].steady, 2), owners[0].model
        rules = [rule.id for rule in model.scoring if f"{goal.path}/".startswith(f"{rule.path}/")]
        cards = [goal.cards(table.program) for table in tables]
        search, played = (id(owners[0]), *map(frozenset, cards), *rules), owners[0].counters
        most = self.left * played.games // played.work
        if search in self.done:
            played.redeals = self.done[search]
            return True
        if most < COLLECTING or not tables:
            return False
        played.redeals = Redeals(rules[0], cards[0]) if rules else Redeals()
        enough = COLLECTING if cards[0] else min(HOPING, max(COLLECTING, most // 2))
        games = [collect(table, some) for table, some in zip(tables, cards, strict=True)]
        spent = number = 0
        for work in islice(chain.from_iterable(zip(*games, strict=False)), TRIES):
            spent, number = spent + work, number + 1
            if goal.reached(counters):
                break
            if number >= enough and spent >= LOOK:
                self.done[search] = played.redeals
                break
        self.left -= spent
        return number >= enough or goal.reached(counters)


def goals_of(played: Played) -> Iterator[Goal]:
    """Yield the goals of a selection, in an order that puts causes before consequences."""
    model = played.model
    dealt = {table.program.cards[card] for table in played.tables for card in table.program.deck}
    for card in model.cards:
        if card.id in dealt:
            path = f"/cards/{card.id}"
            sides = (side for side, _ in card.sides)
            yield event_goal("card-never-played", "card", card, path, card.starts_in, card.id, *sides)
    for modifier in model.modifiers:
        path, others = f"/modifiers/{modifier.id}", either(modifier.applies_to)
        yield event_goal("modifier-never-used", "modified", modifier, path, others, modifier.card, *modifier.applies_to)
    for ability in model.abilities:
        path = f"/abilities/{ability.id}"
        yield event_goal("ability-never-used", "ability-used", ability, path, f"{ability.take + 1}", ability.card)
    for condition in conditions_of(model):
        if not depends_on_what_is_fixed(condition, played):
            yield condition_goal(condition)
    steps = list(steps_of(model))
    yield from (way_goal(path, step, way) for path, step in steps if isinstance(step, ChooseStep) for way in step.as_)
    places = {path for table in played.tables for path in table.program.places.values()}
    yield from (step_goal(path, step) for path, step in steps if path in places)
    for rule in model.scoring:
        yield rule_goal(rule, model)
        yield difference_goal(rule, model)


def depends_on_what_is_fixed(condition: Condition, played: Played) -> bool:
    """True if a condition depends on parameters or the number of players, which the games did not vary."""
    names = names_in(condition.use.formula)
    parameters = {parameter.id for parameter in played.model.parameters}
    return not names.isdisjoint(parameters) or (not played.full and not names.isdisjoint({"players", "seats"}))


def games_in(played: Sequence[Played]) -> int:
    return sum(each.counters.games for each in played)


def _named(*names: str) -> Callable[[Program], set[int]]:
    """Return a function that finds the cards with these names, families or counters in a program."""

    def cards(program: Program) -> set[int]:
        bits = sum(field.field_mask for field in program.fields if field.name in names)
        return {
            play.card
            for play in program.plays
            if program.cards[play.card] in names
            or not set(program.model.cards[play.card].family).isdisjoint(names)
            or any(name in names for name, _ in program.model.cards[play.card].adds)
            or play.increment & bits
        }

    return cards


def event_goal(code: str, event: str, thing: Card | Modifier | Ability, path: str, others: Text, *cards: str) -> Goal:
    """Return a goal that is reached once `event` happens to `thing`. The first of `cards` is its card."""

    def reached(counters: Sequence[Counters]) -> bool:
        names = cards if event == "card" else (thing.id,)  # a die is played as one of its sides
        return any(seen.happened[event][name] for seen in counters for name in names)

    def finding(played: Sequence[Played]) -> Diagnostic | None:
        counters = [each.counters for each in played]
        if event != "card" and not any(seen.happened["card"][cards[0]] for seen in counters):
            return None
        return diagnose(code, thing.span, path, name=thing.id, card=cards[0], others=others, games=games_in(played))

    return Goal((event, thing.id), thing.span, path, reached, _named(*cards), finding)


def way_goal(path: str, step: ChooseStep, way: Way) -> Goal:
    key, place = key_of_way(step, way.id), path if way.id == NAMELESS else f"{path}/as/{way.id}"

    def finding(played: Sequence[Played]) -> Diagnostic | None:
        if sum(each.counters.acted[path] for each in played) < SURE:
            return None
        price = ", ".join(f"{amount.counter}: {amount.formula.text}" for amount in way.pay)
        say, games = "of" if way.id == NAMELESS else "price" if price else "it", games_in(played)
        return diagnose(
            "way-never-used", way.span, place, say=say, way=way.id, price=price, zone=step.from_, games=games
        )

    def reached(counters: Sequence[Counters]) -> bool:
        return any(seen.ways[key] for seen in counters)

    return Goal(("way", key), way.span, place, reached, _named(*way.of), finding)


def condition_goal(condition: Condition) -> Goal:
    def finding(played: Sequence[Played]) -> Diagnostic | None:
        values = {bool(value) for each in played for value in each.counters.conditions.held(condition)}
        in_steps = _STEPS.search(condition.use.path) is not None
        if in_steps and False not in values:
            return None  # a condition that always holds may be there for safety
        if True in values and any(condition.expr is case for case in _last_cases(condition.use.formula.expr)):
            return None  # authors often write out the condition of the last case, though it is implied
        by_luck = played[0].counters.redeals.heard.held(condition)[True not in values]
        if _is_near(condition.expr, condition, played) or only_luck_was_missing(by_luck):
            return None
        code = "never-asked" if not values else "always-true" if True in values else "always-false"
        formula = condition.use.formula
        tested: dict[str, set[int]] = {}
        for part in _comparisons(condition.expr):
            if not isinstance(part.left, Number):
                heard = tested.setdefault(formula.text[part.left.start : part.left.end], set())
                heard.update(value for each in played for value in each.counters.conditions.values(formula, part.left))
        ranges = [
            said("condition.was", text=text, low=min(heard), high=max(heard)) for text, heard in tested.items() if heard
        ]
        place = condition.span, condition.use.path
        compared = said("condition.compared", ranges=tuple(ranges)) if ranges else ""
        text, games = condition.text, games_in(played)
        return diagnose(f"condition-{code}", *place, condition=text, values=compared, games=games)

    def reached(counters: Sequence[Counters]) -> bool:
        values = {bool(value) for seen in counters for value in seen.conditions.held(condition)}
        return values == {True, False}

    key, names = ("condition", place_of(condition.span)), names_in(condition.use.formula)
    return Goal(key, condition.span, condition.use.path.removesuffix("/when"), reached, _named(*names), finding)


_BEYOND = {">": 1, "<": -1}
"""For an operator, the number to add to a bound to satisfy the comparison; 0 for other operators."""


def _is_near(expr: Expr, condition: Condition, played: Sequence[Played]) -> bool:
    """True if a comparison with a constant almost held in a few games, so more games may make it hold.

    A value is near if it is at most 1 away. Points often rise by more than 1 at a time, so for them half of the bound
    is near.
    """
    if not isinstance(expr, Comparison) or not isinstance(expr.right, Number):
        return False
    values: Counter[int] = Counter()
    for each in played:
        values += each.counters.conditions.values(condition.use.formula, expr.left)
    bound = expr.right.value + _BEYOND.get(expr.op, 0)
    most = max(values, default=0)
    if "points" in names_in(condition.use.formula) and 0 < most < bound <= _LUMPS * most and _thins_out(values):
        return True
    near = [values[value] for value in (min(values), most) if abs(value - bound) <= 1] if values else []
    return 0 < min(near, default=0) <= RARE * values.total()


def _comparisons(expr: Expr) -> Iterator[Comparison]:
    if isinstance(expr, Comparison):
        yield expr
    for part in parts(expr):
        yield from _comparisons(part)


def _last_cases(expr: Expr) -> Iterator[Expr]:
    """Yield the last condition of each chain of `else … if`."""
    if isinstance(expr, Conditional) and isinstance(expr.otherwise, Conditional):
        last = expr.otherwise
        if not isinstance(last.otherwise, Conditional):
            yield last.condition
    for part in parts(expr):
        yield from _last_cases(part)


def step_goal(path: str, step: Step) -> Goal:
    """Return a goal that is reached once a step is carried out and has found the cards it needs."""

    def finding(played: Sequence[Played]) -> Diagnostic | None:
        counters, steps = [each.counters for each in played], dict(steps_of(played[0].model))
        acted = {path for seen in counters for path, times in seen.acted.items() if times}
        if not any(isinstance(steps[path], ChooseStep) for path in acted):
            return None  # then whole rounds do nothing, which is another finding
        ran = any(seen.ran[path] for seen in counters)
        if not ran and _ends_by_luck(step, played):
            return None
        zone = getattr(step, "zone", "") or getattr(step, "from_", "")
        return diagnose(
            "idle-step", step.span, path, say="empty" if ran else "unreached",
            verb=step.verb, zone=zone, games=games_in(played),
        )  # fmt: skip

    def reached(counters: Sequence[Counters]) -> bool:
        return any(seen.acted[path] for seen in counters)

    return Goal(("step", place_of(step.span)), step.span, path, reached, lambda _: set(), finding)


def _ends_by_luck(_: object, played: Sequence[Played]) -> bool:
    """True if games or rounds ended early on a condition that did not always hold."""
    ends = {
        f"{path.removesuffix('/end')}/when" for path, step in steps_of(played[0].model) if isinstance(step, EndStep)
    }
    conditions = [condition for condition in conditions_of(played[0].model) if condition.use.path in ends]
    return any(len(each.counters.conditions.held(condition)) > 1 for condition in conditions for each in played)


def rule_goal(rule: Rule, model: CardSet) -> Goal:
    """Return a goal that is reached once the rule has given points to a seat."""

    def finding(played: Sequence[Played]) -> Diagnostic | None:
        program = played[0].tables[0].program
        names = {rule.card} if rule.card else {program.cards[card] for card in cards(program)}
        counters = [each.counters for each in played]
        lying = any(seen.lying[rule.at] for seen in counters)
        if not any(seen.scored[rule.id] for seen in counters):
            asked = rule.when is not None and (lying or any(seen.empty[rule.at] for seen in counters))
            say = None if asked else "unreached"
        elif not lying or (names and not any(seen.happened["laid"][card] for seen in counters for card in names)):
            say = None
        elif any(seen.met[rule.id] for seen in counters):
            ties = sum((seen.ties[rule.id] for seen in counters), Counter[str]())
            say = next((cause for cause, _ in ties.most_common(1)), "poor")
        else:
            taken = any(seen.happened["taken"][card] for seen in counters for card in names)
            say = "gone" if names and not taken else None
        by_luck = only_luck_was_missing(played[0].counters.redeals.gave)
        if not by_luck:  # the cards that lie there and are not kept might have been cards of the rule
            label = rule.at
            scored = sum(seen.lying[label] + seen.empty[label] for seen in counters)
            uncleared = sum(seen.uncleared[label] for seen in counters)
            by_luck = 0 < sum(seen.scored[rule.id] for seen in counters) < SURE or 0 < uncleared <= RARE * scored
        may_come = {"poor": _next_may_give, "unreached": _ends_by_luck}.get(say or "")
        if say is None or by_luck or (may_come is not None and may_come(rule, played)):
            return None  # more games may bring more
        most = max(_inputs(rule, played), default=0)
        place, games = (rule.span, rule.path), games_in(played)
        return diagnose("rule-never-scored", *place, say=say, rule=rule.id, label=rule.at, most=most, games=games)

    def reached(counters: Sequence[Counters]) -> bool:
        return any(seen.gave[rule.id] for seen in counters)

    cards = _read_by(rule, model)
    return Goal(("rule", rule.id), rule.span, rule.path, reached, cards, finding)


def difference_goal(rule: Rule, model: CardSet) -> Goal:
    """Return a goal that is missed if a rule gives points, but never gives seats different points."""

    def finding(played: Sequence[Played]) -> Diagnostic | None:
        counters = [each.counters for each in played]
        lying = any(seen.lying[rule.at] for seen in counters)
        by_luck = only_luck_was_missing(counters[0].redeals.differed)
        if by_luck or not lying or sum(seen.gave[rule.id] for seen in counters) < SURE:
            return None
        return diagnose("rule-no-difference", rule.span, rule.path, rule=rule.id, games=games_in(played))

    def reached(counters: Sequence[Counters]) -> bool:
        return any(seen.told_apart[rule.id] for seen in counters) or not any(seen.gave[rule.id] for seen in counters)

    return Goal(("difference", rule.id), rule.span, rule.path, reached, _read_by(rule, model), finding)


def _read_by(rule: Rule, model: CardSet) -> Callable[[Program], set[int]]:
    """Return a function that finds the cards which a rule counts."""

    def cards(program: Program) -> set[int]:
        behind = program.plays_read_by_rule[model.scoring.index(rule)]
        return {program.plays[play].card for play in behind}

    return cards


def _thins_out(counts: Counter[int]) -> bool:
    """True if the value after the largest is rare.

    The next value is expected to be rarer than the largest by the factor between the largest and the value before it.
    """
    *_, before, most = (0, *sorted(counts))
    return counts[most] ** 2 < SURE * counts[before]


def _inputs(rule: Rule, played: Sequence[Played]) -> Counter[int]:
    return sum((each.counters.inputs[rule.id] for each in played), Counter[int]())


def _next_may_give(rule: Rule, played: Sequence[Played]) -> bool:
    """True if a rule would give points if a counted number were one higher than it ever was in the games.

    The games may just have missed that number.
    """
    compiled = next(each for each in played[0].tables[0].program.rules if each.model.id == rule.id)
    counts = _inputs(rule, played)
    if not counts or not isinstance(compiled, OneSeatRule) or len(compiled.inputs) > 1:
        return False
    return compiled.points((max(counts) + 1,)) != 0 and _thins_out(counts)
