"""Proofs of bounds for the counters of a game.

No counter of any seat is ever below `low` or above `high`, at any moment of any game. The bounds follow from the copies
of each card, the most cards in one tableau (see `draftengine.model.flow`), and the number of times that each effect can
happen. They determine the sizes of the engine's bit fields.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from draftengine.model import limits
from draftengine.model.cardset.effects import (
    IN_TURN_COUNTER,
    all_effects,
    amounts_alone,
    amounts_of,
    as_another,
    cards_wander,
    condition_counters,
    discarded,
    effect_lists,
    hidden_counters,
    is_by_seats,
    later_lists,
    leaving,
    modifiers_for,
    named_by_zone,
    order_counters,
)
from draftengine.model.cardset.facts import (
    CounterInfo,
    CounterKeep,
    CounterKind,
    all_steps,
    constant,
    ranked_seats,
    seat_scope,
    seats,
    with_most_copies,
)
from draftengine.model.flow import flow_bounds
from draftengine.model.language.check import check
from draftengine.model.language.evaluate import references
from draftengine.model.language.macros import NAMED, TRACK
from draftengine.model.language.tree import MAX_INT
from draftengine.model.verbs.choose import ChooseStep
from draftengine.model.verbs.effects import Changing, SetStep
from draftengine.model.verbs.naming import FindStep
from draftengine.model.verbs.turns import DoStep, InTurnStep
from draftengine.support.identity import by_identity

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from draftengine.model.cardset.records import Card, CardSet, Counter, Modifier
    from draftengine.model.flow import FlowBounds
    from draftengine.model.verbs.verb import Step

_FAR = 1 << 15
"""The bound of counters for which no bound can be proved. Checks refuse such a counter."""


def counters_of(
    model: CardSet, players: int, known_plan: FlowBounds | None = None, *, any_table: bool = False
) -> tuple[CounterInfo, ...]:
    """Return all counters of a game: of cards, families, amounts, and open slots of modifiers.

    `known_plan` is the result of the dry run, if there is one already. With `any_table`, the bounds also hold if all
    cards of the box lie before one seat. No game may reach such a table, but people may ask what it would score.
    """
    return CounterBounds(model, players, known_plan or flow_bounds(model, players), any_table=any_table).counters()


class _Share(Struct, frozen=True):
    """The smallest and largest amount that one copy of a card can add to a counter.

    `plain_low` and `plain_high` leave out what modifiers add; `low` and `high` include it.
    """

    card: Card
    plain_low: int
    plain_high: int
    low: int
    high: int

    def mirrored(self) -> _Share:
        return _Share(self.card, -self.plain_high, -self.plain_low, -self.high, -self.low)


class CounterBounds:
    """Computes the bounds of all counters of one game."""

    def __init__(self, model: CardSet, players: int, own_plan: FlowBounds, *, any_table: bool = False) -> None:
        self.model = model
        self.players = players
        most = with_most_copies(model.cards)
        self.cards = {card.id: card for card in most}
        self.formed = {form for card in model.cards if card.forms for form in card.forms.of}
        self.declared = {counter.id: counter for counter in model.counters}
        total = sum(card.count for card in model.cards)
        self.plan = own_plan
        self.plays = own_plan.plays if own_plan.complete else total
        self.plays_in_game = own_plan.plays_in_game if own_plan.complete else total * model.rounds
        asked = (
            own_plan.choices
            if any(way.ask for step in all_steps(model) if isinstance(step, ChooseStep) for way in step.as_)
            else 0
        )
        self.plays, self.plays_in_game = self.plays + asked, self.plays_in_game + asked
        self.wander = cards_wander(model)
        if any_table or self.wander:
            self.plays, self.plays_in_game = max(self.plays, total), max(self.plays_in_game, total)
        self._opening = {modifier.card for modifier in model.modifiers}
        self._known_amounts: dict[str, dict[str, int]] = {}
        self._known_modifiers: dict[str, tuple[Modifier, ...]] = {}
        self._known_extremes: dict[tuple[tuple[str, ...], tuple[int, ...]], dict[str, tuple[int, int]]] = {}
        self._known_changes: dict[tuple[int, int], int] = {}
        self._known_infos: dict[tuple[int, ...], CounterInfo] = {}
        self._modified_counters = {change.counter for modifier in model.modifiers for change in modifier.then}
        self.shares: dict[str, list[_Share]] = {}
        for card in most:
            for counter, share in self._shares_of(card).items():
                self.shares.setdefault(counter, []).append(share)
        self.leaving = {*discarded(model), *(ability.card for ability in model.abilities)}
        """The cards that can leave a tableau before it is cleared, because of effects or abilities."""
        forms = ((card.id, card.forms.of) for card in model.cards if card.forms)
        self.leaving |= {card for card, of in forms if not self.leaving.isdisjoint(of)}
        if self.wander:
            self.leaving = set(self.cards)
        self.modified = set(leaving(model)) if model.modifiers else set[str]()
        """The cards that can leave a tableau and take what modifiers added to them."""
        self.changed = dict.fromkeys(
            amount.counter for effect in _changing(all_effects(self.model)) for amount in effect.amounts
        )
        bounded = {counter.id for counter in model.counters if counter.min is not None and counter.max is not None}
        self._unknown = {name for name in self.changed.keys() - bounded if not name.startswith((NAMED, TRACK))}

    def counters(self) -> tuple[CounterInfo, ...]:
        infos = [self._info(name, kind) for name, kind in self._kinds().items()]
        # The engine needs further counters to remember waiting step lists.
        lists = later_lists(self.model)
        infos += [CounterInfo(later.counter, "list", 0, later.copies, "all", 0) for later in lists]
        infos += [CounterInfo(name, "list", 0, self.players, "all", 0) for name in order_counters(self.model)]
        groups = (step for step in all_steps(self.model) if isinstance(step, DoStep))
        most = max((len(step.do) for step in groups if step.passes), default=0)
        infos += [CounterInfo(name, "list", 0, max(most, 2), "all", 0) for name in condition_counters(self.model)]
        by_seats = [step for step in all_steps(self.model) if is_by_seats(step)]
        if by_seats:
            passes = 1 + any(isinstance(step, InTurnStep) and step.back for step in by_seats)
            infos.append(CounterInfo(IN_TURN_COUNTER, "list", 0, passes * self.players, "all", 0))
        for zone, name in named_by_zone(self.model) if self.wander else ():
            # Every card is in one zone at a time.
            shares = self.shares[name]
            high = _fill([(share.high, share.card.count) for share in shares], self.plays)
            low = -_fill([(-share.low, share.card.count) for share in shares], self.plays)
            infos.append(CounterInfo(f"{zone}.{name}", "amount", low, high, _keep(shares, None), 0))
        return tuple(infos)

    def _kinds(self) -> dict[str, CounterKind]:
        kinds: dict[str, CounterKind] = {}
        kinds.update(dict.fromkeys(self.cards, "card"))
        for family in (family for card in self.model.cards for family in card.family):
            kinds.setdefault(family, "family")
        for name in (*self.shares, *self.declared, *self.changed, *hidden_counters(self.model)):
            kind: CounterKind = "name" if name.startswith((NAMED, TRACK)) else "amount"
            kinds.setdefault(name, "modifier" if name.startswith("modifier:") else kind)
        return kinds

    # ── what cards add ────────────────────────────────────────────────────────────────────────────────────────────────

    def _shares_of(self, card: Card) -> dict[str, _Share]:
        """Return, for each counter, the amounts that a card can add in any of its forms."""
        if not card.forms and not self._modifiers(card) and card.id not in self._opening:
            return _plain_shares(card)
        plains: dict[str, list[int]] = {}
        modified: dict[str, list[int]] = {}
        # For each form of the card, the amounts without modifiers, and their extremes with modifiers.
        bare = self._amounts(card)
        plays = [(bare, self._modified(bare, card))]
        for form in (self.cards[name] for name in (card.forms.of if card.forms else ()) if name in self.cards):
            both = as_another(card.id, bare, form.id, self._amounts(form))
            plays.append((both, self._modified(both, form)))
        for plain, changed in plays:
            for counter, amount in plain.items():
                plains.setdefault(counter, []).append(amount)
            for counter, extremes in changed.items():
                plains.setdefault(counter, [])
                modified.setdefault(counter, []).extend(extremes)
        shares: dict[str, _Share] = {}
        for counter, added in plains.items():
            amounts = added if len(added) == len(plays) else [*added, 0]
            low, high, others = min(amounts), max(amounts), modified.get(counter, ())
            shares[counter] = _Share(card, low, high, min((low, *others)), max((high, *others)))
        return shares

    def _amounts(self, card: Card) -> dict[str, int]:
        if card.id not in self._known_amounts:
            self._known_amounts[card.id] = amounts_of(self.model, card)
        return self._known_amounts[card.id]

    def _modifiers(self, card: Card) -> tuple[Modifier, ...]:
        """Return the modifiers that apply to a card."""
        if not self._opening:
            return ()
        if card.id not in self._known_modifiers:
            self._known_modifiers[card.id] = modifiers_for(self.model, card)[: limits.MODIFIERS_OF_A_CARD]
        return self._known_modifiers[card.id]

    def _modified(self, plain: dict[str, int], form: Card) -> dict[str, tuple[int, int]]:
        """Return the smallest and largest value of each amount over all combinations of modifiers.

        The result is cached by the amounts that modifiers change, because many cards have equal amounts.
        """
        modifiers = self._modifiers(form)
        if not modifiers:
            return {}
        before = {change.counter: plain.get(change.counter, 0) for modifier in modifiers for change in modifier.then}
        key = tuple(modifier.id for modifier in modifiers), tuple(before.values())
        if key not in self._known_extremes:
            stack = all(modifier.stacks for modifier in modifiers)
            reached: list[tuple[dict[str, int], int]] = [(before, 0)]
            for amounts, used in reached:
                if stack or amounts is before:
                    for index, modifier in enumerate(modifiers[used:], used + 1):
                        changed = dict(amounts)
                        for change in modifier.then:
                            known = id(change.formula), changed[change.counter]
                            if known not in self._known_changes:
                                value = constant(change.formula, self.model, self.players, amount=known[1])
                                self._known_changes[known] = value
                            changed[change.counter] = self._known_changes[known]
                        reached.append((changed, index))
            ends = [amounts for amounts, _ in reached[1:]]
            self._known_extremes[key] = {
                name: (min(end[name] for end in ends), max(end[name] for end in ends)) for name in before
            }
        return self._known_extremes[key]

    # ── bounds ────────────────────────────────────────────────────────────────────────────────────────────────────────

    def _info(self, name: str, kind: CounterKind) -> CounterInfo:
        shares = self.shares.get(name, [])
        declared = self.declared.get(name)
        if len(shares) > 1 or declared or name in self.changed or name in self._modified_counters:
            return self._info_of(name, kind, shares, declared)
        # Hundreds of counters have only one card that adds to them. Most of these cards are alike.
        key: tuple[int, ...] = ()
        for share in shares:
            leaves = share.card.id in self.leaving
            key = (share.card.count, share.card.keep, leaves, share.plain_low, share.plain_high, share.low, share.high)
        if key not in self._known_infos:
            self._known_infos[key] = self._info_of(name, kind, shares, declared)
        known = self._known_infos[key]
        return replace(known, id=name, kind=kind)

    def _info_of(self, name: str, kind: CounterKind, shares: list[_Share], declared: Counter | None) -> CounterInfo:
        kept_like = self.declared.get(name.removeprefix(TRACK))  # the order on a track stays as long as its values
        keep = "all" if name.startswith(NAMED) else _keep(shares, kept_like)
        range_ = self._range(name, declared)
        start = declared.start if declared else 0
        if range_ is None:
            return CounterInfo(name, kind, -_FAR, _FAR, keep, start, bounded=False)
        mirrored = [share.mirrored() for share in shares]
        low = range_[0] - self._most(name, mirrored, keep) - self._lost_late(name, shares, keep)
        high = range_[1] + self._most(name, shares, keep) + self._lost_late(name, mirrored, keep)
        steady = declared is None and name not in self.changed and name not in self._modified_counters
        together = sum(max(0, share.high) * share.card.count for share in shares) if steady else MAX_INT
        return CounterInfo(name, kind, low, high, keep, start, together=together)

    def _lost_late(self, name: str, shares: list[_Share], keep: CounterKeep) -> int:
        """Return the most that a counter can lose when cards leave after it has been cleared or set."""
        leaving = [share for share in shares if share.card.id in self.leaving]
        declared = self.declared.get(name)
        if not (name in self.changed or (declared and declared.die)):
            leaving = [share for share in leaving if share.card.keep and keep == "none"]
        lost = []
        for share in leaving:
            # A card takes what modifiers added only if such cards can leave with it.
            forms = share.card.forms.of if share.card.forms else ()
            most = share.high if self.modified & {share.card.id, *forms} else share.plain_high
            lost.append((most, share.card.count))
        return _fill(lost, self.plays_in_game)

    def _most(self, name: str, shares: list[_Share], keep: CounterKeep) -> int:
        """Return the most that cards can add to a counter at any moment of a game."""
        stays = [share for share in shares if share.card.keep]
        goes = [share for share in shares if not share.card.keep]
        if keep == "all" and goes:
            if self.plan.recirculates or self.wander or not self.plan.complete:
                return (self.plan.clearings + 1) * _fill(
                    [(share.high, share.card.count) for share in shares], self.plays
                )
            return _fill([(share.high, share.card.count) for share in shares], self.plays_in_game)
        if keep != "none" and stays:
            most = _fill([(share.high, share.card.count) for share in stays], self.plays_in_game)
            return most + _fill([(share.high, share.card.count) for share in goes], self.plays)
        modifiers = [each for each in self.model.modifiers if any(change.counter == name for change in each.then)]
        adding = {share.card.id for share in shares} if modifiers else set[str]()
        # Each use needs a modifier that was laid since the clearing, unless its card may get there in other ways.
        openers = [self.cards.get(name) for name in {modifier.card for modifier in modifiers}]
        cards = [
            card
            for card in openers
            if card and not (card.keep or card.id in adding or card.id in self.formed or card.id in self.leaving)
        ]
        if not modifiers or len(cards) < len(openers):
            return _fill([(share.high, share.card.count) for share in shares], self.plays)
        capacity = max(modifier.capacity for modifier in modifiers)
        plain = [(share.plain_high, share.card.count) for share in shares]
        bonus = [(share.high - share.plain_high, share.card.count) for share in shares]
        return max(
            _fill(plain, self.plays - laid) + _fill(bonus, min(laid * capacity, self.plays - laid))
            for laid in range(min(sum(card.count for card in cards), self.plays) + 1)
        )

    def most_of_sum(self, names: Mapping[str, int]) -> int:
        """Return the largest sum of several counters at one seat, each times its factor (which is positive).

        Only cards may add to these counters, and none may subtract. The size of a tableau limits the sum.
        """
        sums: dict[str, _Share] = {}
        for name, factor in names.items():
            for share in self.shares.get(name, ()):
                high = factor * share.high + (sums[share.card.id].high if share.card.id in sums else 0)
                sums[share.card.id] = _Share(share.card, high, high, high, high)
        shares = [*sums.values()]
        return self._most("", shares, _keep(shares, None))

    # ── effects ───────────────────────────────────────────────────────────────────────────────────────────────────────

    def _range(self, name: str, declared: Counter | None) -> tuple[int, int] | None:
        """Return the range of a counter without the cards' share: its start, and changes by dice and effects.

        The result is None if the range is too wide, or if a formula of an effect reads a counter whose bounds depend on
        such formulas.
        """
        if name.startswith(TRACK):
            return 0, ranked_seats(self.model, self.players)
        if name.startswith(NAMED):
            finds = (effect for effect in all_effects(self.model) if isinstance(effect, FindStep))
            return 0, max(find.last for find in finds if name in {amount.counter for amount in find.amounts})
        values = [declared.start if declared else 0]
        if declared and declared.die is not None:
            values += [1, declared.die]
        if name not in self.changed:
            return min(values), max(values)
        if declared and declared.min is not None and declared.max is not None:
            return min(*values, declared.min), max(*values, declared.max)
        # The range follows from the formulas of effects, and from how often they happen to a seat.
        names = {other: kind for other, kind in self._kinds().items() if other not in self._unknown}
        scope = seat_scope(self.model, self.players, tuple(self._info(other, kind) for other, kind in names.items()))
        again = sum(ability.take * ability.per_turn for ability in self.model.abilities)
        plays = self.plays_in_game + again * self.plan.reveals
        everybody = seats(self.model, self.players) if declared and declared.per == "table" else 1
        fall = rise = 0
        for listed, effect in (
            (those, each) for those in effect_lists(self.model) for each in _changing(those.effects)
        ):
            for amount in (amount for amount in effect.amounts if amount.counter == name):
                if self._unknown & {reference for _, reference in references(amount.formula.expr)}:
                    return None
                checked = check(amount.formula.expr, scope)
                if isinstance(effect, SetStep):
                    values += [declared.within(end) if declared else end for end in (checked.low, checked.high)]
                else:
                    times = everybody * self.plan.times(listed, plays)
                    fall += times * min(0, checked.low)
                    rise += times * max(0, checked.high)
        low, high = min(values) + fall, max(values) + rise
        if declared and declared.min is not None:
            low = max(low, min(*values, declared.min))
        if declared and declared.max is not None:
            high = min(high, max(*values, declared.max))
        return (low, high) if high - low <= _FAR else None


@by_identity(1 << 10)
def _plain_shares(card: Card) -> dict[str, _Share]:
    """Return the amounts that a card can add to each counter, without forms and modifiers."""
    return {counter: _Share(card, *[amount] * 4) for counter, amount in amounts_alone(card).items()}


def _changing(effects: Iterable[Step]) -> Iterator[Changing]:
    return (effect for effect in effects if isinstance(effect, Changing))


def _keep(shares: list[_Share], declared: Counter | None) -> CounterKeep:
    """Return the part of a counter that clearing leaves: as declared, or what cards with `keep` added."""
    if declared is not None and declared.keep is not None:
        return "all" if declared.keep else "none"
    stays = {share.card.keep for share in shares}
    if not stays:
        return "none"
    return "mixed" if len(stays) > 1 else "all" if True in stays else "none"


def _fill(amounts: Iterable[tuple[int, int]], room: int) -> int:
    """Return the largest sum of at most `room` amounts, chosen from pairs (amount, number of copies)."""
    total = 0
    for amount, copies in sorted(amounts, reverse=True):
        if amount <= 0 or room <= 0:
            break
        taken = min(copies, room)
        total += amount * taken
        room -= taken
    return total
