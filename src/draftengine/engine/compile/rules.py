"""Compilation of scoring rules, triggers, effects and abilities into functions and tables."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache, singledispatchmethod
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from draftengine.engine.compile.formulas import FormulaNames, compared, count_of, made, number_of, track_of, value_of
from draftengine.engine.program import Amount, CompiledAbility, CompiledEffect, CompiledTrigger, OneSeatRule, RankedRule
from draftengine.model.cardset.effects import at_once, cards_wander, open_counter
from draftengine.model.cardset.facts import reads_best_of, scoring_cards, seats
from draftengine.model.cardset.records import TABLEAU, Trigger
from draftengine.model.language.evaluate import compares_seats, references
from draftengine.model.language.macros import ARRIVALS, TRACK, Track
from draftengine.model.language.parse import parse
from draftengine.model.language.tree import Binary, Name, Number
from draftengine.model.records import formulas_in, referenced_names
from draftengine.model.records.reader import Formula
from draftengine.model.rules.kind import OneSeatKind, RankedKind
from draftengine.model.rules.majority import Majority
from draftengine.model.verbs.effects import Changing, ChipStep, DiscardStep, PointsStep, TakeStep
from draftengine.model.verbs.naming import FindStep
from draftengine.model.verbs.piles import RollStep

if TYPE_CHECKING:
    from draftengine.engine.compile.plays import PieceTables, UnpackedPlay
    from draftengine.engine.instructions import Value
    from draftengine.engine.program import CompiledRule
    from draftengine.model.cardset.effects import DeferredSteps
    from draftengine.model.cardset.records import CardSet, ChipPile, Modifier, Rule
    from draftengine.model.rules.kind import Award
    from draftengine.model.verbs.verb import Step

_REMEMBERED = 1 << 16
_TWO = 2

Awards = Callable[[tuple[int, ...]], "tuple[tuple[Award, ...], ...]"]
Points = Callable[[tuple[int, ...]], tuple[int, ...]]


def compile_rule(rule: Rule, names: FormulaNames, model: CardSet) -> CompiledRule:
    """Compile a scoring rule for this number of players."""
    numbers = rule.spec.resolve(lambda formula: number_of(formula, names))
    formulas = rule.spec.inputs()
    when = value_of(rule.when, names) if rule.when else None
    inputs = tuple(count_of(formula, names) for formula in formulas)
    copies = value_of(_copies(rule), names) if rule.card else None
    behind = rules_behind(rule, model)
    read = [formula for other in behind for formula in formulas_of(other)]
    counters = {name for formula in read for _, name in references(formula.expr)} & names.fields.given.keys()
    reads = sum(names.fields.given[name].field_mask for name in counters)
    if isinstance(numbers, OneSeatKind):
        scored = _scored(rule, numbers, names)

        def score(state: Any, seat: int) -> int:
            return scored(tuple([value(state, seat) for value in inputs]))

        each_card = _for_each(score, copies, rule, when, names)
        ranked = any(not isinstance(each.spec, OneSeatKind) for each in behind)
        standing, lasts = _if_scored(each_card, when, names), _lasts(read, names, ranked=ranked)
        return OneSeatRule(rule, when, copies, reads, standing, lasts, numbers, inputs, scored)
    assert isinstance(numbers, RankedKind)
    track = track_of(formulas[0], model)
    measure, ranked_seats = compared(formulas[0], names), range(names.seat_count)
    if isinstance(numbers, Majority) and track is not None:
        numbers = numbers.of_a_track(ARRIVALS)
        if numbers.nobody_if_all_equal:
            measure = count_of(replace(formulas[0], expr=track.measure_unless_equal), names)
    pile = rule.spec.pile
    chip = [candidate.id for candidate in model.chips].index(pile) if pile else -1
    awards, points = _ranking(numbers)
    worth = mean_chip(model.chips[chip]) if pile else 1

    def rank(state: Any, seat: int) -> int:
        return worth * points(tuple([measure(state, other) for other in ranked_seats]))[seat]

    standing = _if_scored(_for_each(rank, copies, rule, when, names), when, names)
    lasts = _lasts(read, names, ranked=True)
    return RankedRule(rule, when, copies, reads, standing, lasts, numbers, measure, chip, awards, points)


def formulas_of(rule: Rule) -> list[Formula]:
    """Return all formulas that a rule reads, including the formula for the number of copies of its card."""
    formulas = [*rule.spec.inputs()]
    formulas += [rule.when] if rule.when else []
    return [*formulas, _copies(rule)] if rule.card else formulas


def rules_behind(rule: Rule, model: CardSet) -> list[Rule]:
    """Return a rule and, if it reads `best_of`, the rules of all cards that `best_of` compares."""
    return [rule, *scoring_cards(model)] if reads_best_of(rule) else [rule]


def _copies(rule: Rule) -> Formula:
    return Formula(rule.card, Name(rule.card), rule.span)


def _for_each(value: Value, copies: Value | None, rule: Rule, when: Value | None, names: FormulaNames) -> Value:
    """Return the function that multiplies points by the number of copies of a rule's card.

    `value` returns the points for one copy. If `best_of` compares the card, its points are added to
    `names.scoring`.
    """
    if copies is None:
        return value
    if rule in scoring_cards(names.model):
        names.scoring.append((_if_scored(value, when, names), copies))
    return lambda state, seat: value(state, seat) * copies(state, seat)


def _lasts(formulas: Sequence[Formula], names: FormulaNames, *, ranked: bool) -> bool:
    """True if most points that a rule would give now are likely to remain after later rounds.

    Points for a seat's own cards remain. Those of rankings, comparisons and held markers may not, but with several
    opponents they are assumed to, because that made search stronger in every card set tried. Points for dice are lost
    at the next roll.
    """
    used = {reference for formula in formulas for reference in references(formula.expr)}
    dice = {counter.id for counter in names.model.counters if counter.die is not None}
    if any(name in dice for _, name in used):
        return False
    lead = (
        ranked or any(what == "holds" for what, _ in used) or any(compares_seats(formula.expr) for formula in formulas)
    )
    return not lead or names.players > _TWO


def mean_chip(pile: ChipPile) -> int:
    """Return the mean value of a pile's chips, rounded to whole points (.5 up)."""
    count = len(pile.values)
    return (2 * sum(pile.values) + count) // (2 * count)


def _scored(rule: Rule, numbers: OneSeatKind[int], names: FormulaNames) -> Callable[[tuple[int, ...]], int]:
    """Return the function from a rule's input values to points. A single counter is limited to its bound."""
    read, most = [formula.expr for formula in rule.spec.inputs()], None
    if not rule.card and len(read) == 1 and isinstance(read[0], Name):
        info = names.fields.infos.get(read[0].id)
        most = info.high if info else None

    @lru_cache(_REMEMBERED)
    def points(values: tuple[int, ...]) -> int:
        return numbers.score(list(values) if most is None else [min(values[0], most)])

    return points


def _if_scored(value: Value, when: Value | None, names: FormulaNames) -> Value:
    """Return a function like `value` that gives 0 to seats that are not ranked, and where `when` is false."""
    ranked = names.seat_count
    if when is not None:
        return lambda state, seat: value(state, seat) if seat < ranked and when(state, 0) else 0
    if ranked < seats(names.model, names.players):
        return lambda state, seat: value(state, seat) if seat < ranked else 0
    return value


def _ranking(numbers: RankedKind[int]) -> tuple[Awards, Points]:
    """Return two functions. From the measures of all seats, they compute each seat's awards and points.

    Seats with equal measures get equal awards, so awards are cached by sorted measures.
    """

    @lru_cache(_REMEMBERED)
    def by_measure(ordered: tuple[int, ...]) -> dict[int, tuple[Award, ...]]:
        return dict(zip(ordered, numbers.rank(ordered), strict=True))

    def awards(measures: tuple[int, ...]) -> tuple[tuple[Award, ...], ...]:
        awarded = by_measure(tuple(sorted(measures)))
        return tuple([awarded[measure] for measure in measures])

    @lru_cache(_REMEMBERED)
    def points(measures: tuple[int, ...]) -> tuple[int, ...]:
        return tuple([sum([award.points for award in received]) for received in awards(measures)])

    return awards, points


def standings_of(rules: tuple[CompiledRule, ...]) -> Callable[[int], tuple[Value, ...]]:
    """Return a function from changed bits of packed words to the `standing` of each rule that reads them."""

    @lru_cache(_REMEMBERED)
    def standings(bits: int) -> tuple[Value, ...]:
        return tuple([rule.standing for rule in rules if rule.reads & bits])

    return standings


def plays_behind(rules: Iterable[Rule], unpacked: list[UnpackedPlay], model: CardSet) -> Iterator[frozenset[int]]:
    """Yield for each rule the plays that can change a counter that it reads, with their modifiers."""
    changed = [play.counters() for play in unpacked]
    for rule in rules:
        counters: set[str] = set()
        for formula in (
            candidate
            for each in rules_behind(rule, model)
            for candidate in formulas_of(each)
            if candidate is not each.when
        ):
            counters |= {name for what, name in references(formula.expr) if what in {"name", "counter", "gained"}}
        changing = {index for index, names in enumerate(changed) if not counters.isdisjoint(names)}
        modifying = {
            modifier.card
            for index in changing
            for modifier in unpacked[index].modifiers
            if counters & {amount.counter for amount in modifier.then}
        }
        yield frozenset(
            index
            for index, play in enumerate(unpacked)
            if index in changing or unpacked[play.of if play.of >= 0 else index].name in modifying
        )


class Effects:
    """A compiler for effects, which collects all of them in one list.

    Everything else refers to an effect by its index in the list.
    """

    def __init__(self, model: CardSet, names: FormulaNames, plays: PieceTables) -> None:
        self.model = model
        self.names = names
        self.plays = plays
        self.all: list[CompiledEffect] = []

    def collect(self, effects: tuple[Step, ...]) -> tuple[int, ...]:
        """Compile effects and return their indices."""
        numbers = []
        for effect in effects:
            numbers.append(len(self.all))
            self.all.append(self._compile(effect))
            # For each track that the effect changes, the arrivals of all seats after the change.
            amounts = effect.amounts if isinstance(effect, Changing) else ()
            if tracks := [amount for amount in amounts if amount.counter.startswith(TRACK)]:
                ranks = [Track(amount.counter.removeprefix(TRACK), "").rank for amount in tracks]
                changed = zip(tracks, ranks, strict=True)
                arrivals = [self._amount(each.counter, replace(each.formula, expr=rank)) for each, rank in changed]
                numbers.append(len(self.all))
                self.all.append(CompiledEffect("rank", amounts=tuple(arrivals)))
        return tuple(numbers)

    def of_list(self, steps: tuple[Step, ...], later: DeferredSteps | None) -> tuple[int, ...]:
        """Compile the effects that a step list carries out immediately, and return their indices.

        If the list has other steps, which wait, the last effect records that the seat owes the list.
        """
        owed = () if later is None else (self.shift(later.counter, made(Number(1), later.span)),)
        return (*self.collect(at_once(steps)), *owed)

    def shift(self, counter: str, by: Formula) -> int:
        """Compile a change of a hidden counter, which sends no event. Return its index."""
        self.all.append(CompiledEffect("open", amounts=(self._amount(counter, by),)))
        return len(self.all) - 1

    @singledispatchmethod
    def _compile(self, effect: Step) -> CompiledEffect:
        """Compile one effect, by its verb."""
        raise NotImplementedError(effect.verb)

    @_compile.register(PointsStep)
    def _(self, effect: PointsStep) -> CompiledEffect:
        return CompiledEffect(effect.verb, value=count_of(effect.amount, self.names))

    @_compile.register(TakeStep)
    def _(self, effect: TakeStep) -> CompiledEffect:
        return CompiledEffect(effect.verb, _index(self.model.markers, effect.marker))

    @_compile.register(ChipStep)
    def _(self, effect: ChipStep) -> CompiledEffect:
        return CompiledEffect(effect.verb, _index(self.model.chips, effect.pile))

    @_compile.register(DiscardStep)
    def _(self, effect: DiscardStep) -> CompiledEffect:
        box = sum(card.count for card in self.model.cards)
        cards = effect.cards or Formula(str(box), Number(box), effect.span)
        admits = self.lying_as(effect.of)
        order = self.plays.in_order(admits)
        certain: dict[str, Any] = {}  # the discarded card and its counter, if both are certain
        targets = [index for index, card in enumerate(self.model.cards) if (card.id,) == effect.of]
        if targets:
            pieces = self.pieces_in_order(admits)
            several = len({self.plays.unpacked[piece].card for piece in pieces}) > 1
            returning = {ability.card for ability in self.model.abilities if ability.returns_to != "stays"}
            # Which of several pieces leaves depends on earlier discards.
            if len(pieces) <= 1 or not (several or effect.of[0] in returning):
                amounts = (self._amount(self.lying(effect.of[0])),)
                certain = {"target": targets[0], "pieces": pieces, "amounts": amounts}
        return CompiledEffect(effect.verb, value=count_of(cards, self.names), order=order, **certain)

    def pieces_in_order(self, admits: tuple[int, ...]) -> tuple[int, ...]:
        """Return the plays that can leave, in the order of leaving; empty in a game without pieces."""
        if not self.plays.pieces_of_play:
            return ()
        return tuple(play for leaving in self.plays.in_order(admits) for play, leaves in enumerate(leaving) if leaves)

    def lying(self, card: str) -> str:
        """Return the name of the counter for copies of a card in the tableau."""
        return f"{TABLEAU}.{card}" if cards_wander(self.model) else card

    def lying_as(self, names: Iterable[str]) -> tuple[int, ...]:
        """Return a flag for each play: 1 if it is a card with one of these names or families, otherwise 0.

        A form of a wild card also matches if the wild card itself does.
        """
        by_id, wanted = {card.id: card for card in self.model.cards}, set(names)
        wild = [(card, by_id[form]) for card in self.model.cards if card.forms for form in card.forms.of]
        lying = [(card,) for card in self.model.cards] + wild
        matches = [int(any(not wanted.isdisjoint({card.id, *card.family}) for card in cards)) for cards in lying]
        return (*matches, *(matches[play.of] for play in self.plays.unpacked[len(matches) :]))

    @_compile.register(RollStep)
    def _(self, effect: RollStep) -> CompiledEffect:
        die = self.model.counters[_index(self.model.counters, effect.counter)]
        return CompiledEffect(effect.verb, amounts=(self._amount(die.id),), sides=die.die or 1)

    @_compile.register(Changing)
    def _(self, effect: Changing) -> CompiledEffect:
        return CompiledEffect(
            effect.verb, amounts=tuple(self._amount(amount.counter, amount.formula) for amount in effect.amounts)
        )

    @_compile.register(FindStep)
    def _(self, effect: FindStep) -> CompiledEffect:
        """Compile a step that stores a value under a name, as a change of a hidden counter without an event."""
        changes = []
        for amount in effect.amounts:
            by = Binary("-", amount.formula.expr, Name(amount.counter))
            changes.append(self._amount(amount.counter, replace(amount.formula, expr=by)))
        return CompiledEffect("open", amounts=tuple(changes))

    def open(self, modifier: Modifier) -> int:
        """Compile the effect that opens the cards of a modifier after they are laid. Return its index."""
        if self.is_told(modifier):
            self.all.append(CompiledEffect("unfold", _index(self.model.modifiers, modifier.id)))
            return len(self.all) - 1
        places = _formula(f"{modifier.capacity} * gained({self.lying(modifier.card)})", modifier)
        self.all.append(CompiledEffect("open", amounts=(self._amount(open_counter(modifier.id), places),)))
        return len(self.all) - 1

    def is_told(self, modifier: Modifier) -> bool:
        """True if each card of a modifier must record its number of unused slots, because pieces show it."""
        index = _index(self.model.modifiers, modifier.id)
        return bool(self.plays.opened) and max(self.plays.opened[index]) >= 0

    def _amount(self, counter: str, formula: Formula | None = None) -> Amount:
        """Return the amount by which an effect changes a counter, limited by declared bounds and field width.

        Without a formula the amount is 0, because the effect rolls a die.
        """
        field = self.names.fields.field(counter)
        value: Value = count_of(formula, self.names) if formula else lambda _state, _seat: 0
        declared = next((candidate for candidate in self.model.counters if candidate.id == counter), None)
        info = self.names.fields.infos[counter]
        ends = (
            (info.low, info.high)
            if info.kind in {"modifier", "list", "name"}
            else (-field.offset, field.mask - field.offset)
        )
        low, high = (declared.within(end) if declared else end for end in ends)
        return Amount(field, value, low, high)


def _index(things: Sequence[Any], name: str) -> int:
    return next(index for index, thing in enumerate(things) if thing.id == name)


def watches_of(
    model: CardSet, names: FormulaNames, effects: Effects, later: Sequence[DeferredSteps]
) -> tuple[CompiledTrigger, ...]:
    """Return the triggers of the card set, then a trigger for each modifier that opens after the reveal."""
    lists = {step_list.id: step_list for step_list in later if step_list.cause == "trigger"}
    triggers = tuple(
        CompiledTrigger(
            trigger,
            value_of(trigger.who, names),
            value_of(trigger.unless, names) if trigger.unless else None,
            effects.of_list(trigger.do, lists.get(trigger.id)),
            count_of(trigger.by, names) if trigger.by else None,
            looks_around(at_once(trigger.do), model),
        )
        for trigger in model.triggers
    )
    opening = []
    for modifier in model.modifiers:
        if modifier.opens == "after_reveal":
            card = effects.lying(modifier.card)
            who = _formula(f"{card} > 0" if effects.is_told(modifier) else f"gained({card}) > 0", modifier)
            trigger = Trigger(
                id=modifier.id, after="reveal", who=who, do=(), source=modifier.source, span=modifier.span
            )
            opening.append(CompiledTrigger(trigger, value_of(who, names), None, (effects.open(modifier),)))
    return (*triggers, *opening)


def looks_around(effects: tuple[Step, ...], model: CardSet) -> bool:
    """True if an effect compares seats, or reads a shared counter or a marker that these effects take."""
    formulas = [formula.expr for effect in effects for formula, *_ in formulas_in(effect, "")]
    taken = {("holds", marker) for effect in effects for marker in referenced_names(effect, "marker", "taken")}
    shared = {counter.id for counter in model.counters if counter.per == "table"}
    read = {name for expr in formulas for _, name in references(expr)}
    return bool(shared & read) or any(compares_seats(expr) or taken & references(expr) for expr in formulas)


def _formula(text: str, about: Modifier) -> Formula:
    return Formula(text, parse(text), about.span)


def abilities_of(model: CardSet, names: FormulaNames, effects: Effects) -> tuple[CompiledAbility, ...]:
    """Compile the abilities, each with the counter for its cards."""
    index = {card.id: number for number, card in enumerate(model.cards)}
    uses = []
    for ability in model.abilities:
        card = index[ability.card]
        admits = tuple(int(card in (number, play.of)) for number, play in enumerate(effects.plays.unpacked))
        pieces = effects.pieces_in_order(admits)
        uses.append(CompiledAbility(ability, names.fields.field(effects.lying(ability.card)), card, card, pieces))
    return tuple(uses)
