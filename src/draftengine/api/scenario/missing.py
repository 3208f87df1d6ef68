"""A round of a score sheet, and the facts that a sheet has to state before there can be a winner.

A *score sheet* states the cards on a real table, which the engine scores.
"""

from __future__ import annotations

from collections import Counter
from itertools import zip_longest
from math import inf
from types import MappingProxyType
from typing import TYPE_CHECKING

from msgspec import Struct

from draftengine.api.errors import WrongPositionError
from draftengine.api.records import Position, entries
from draftengine.engine.position import misplaced_forms
from draftengine.engine.program import RankedRule
from draftengine.model.cardset.effects import all_effects, cards_wander, discarded, waits, without_groups
from draftengine.model.cardset.pieces import as_played
from draftengine.model.records import referenced_names
from draftengine.model.verbs.effects import Changing, ChipStep, PointsStep, TakeStep
from draftengine.model.verbs.piles import RollStep
from draftengine.support.locale.phrases import said, sentence

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from draftengine.api.game import Game
    from draftengine.api.labels import Labels
    from draftengine.api.records import Line, Table
    from draftengine.model.verbs.verb import Step


class Round(Struct, frozen=True):
    """The cards in front of each seat at the end of a round, and other facts that the sheet states.

    A card that stays for later rounds is listed only in its first round.
    """

    tables: tuple[Table, ...]
    markers: Mapping[str, int | None] = MappingProxyType({})
    counters: Mapping[str, tuple[int, ...]] = MappingProxyType({})
    points: tuple[int, ...] = ()
    """Points by seat that cards do not show, because effects of cards and triggers gave them."""
    chips: tuple[int | None, ...] = ()
    """The total value of each seat's chips so far; ``None`` if the sheet does not state it in this round."""


class Chips(Struct, frozen=True):
    """A seat's chips, whose total value the sheet does not state or states wrongly."""

    seat: int
    number: int | None
    """The number of chips; ``None`` if it is unknown, because effects may have drawn some."""
    lowest: int
    highest: int
    worth: int | None
    """The total value that the sheet states; ``None`` if it states none."""


class Missing(Struct, frozen=True):
    """Facts that a sheet leaves out or states wrongly. As a condition, it is true if there are any.

    With such facts, no winner is computed.
    """

    chips: tuple[Chips, ...] = ()
    unplayed: tuple[str, ...] = ()
    """Ids of cards with effects when played, if the sheet does not state the results of these effects."""
    unknown: tuple[str, ...] = ()
    """Ids of triggers at scoring that have effects later, if the sheet does not state the results."""
    impossible: tuple[WrongPositionError, ...] = ()
    """Errors for values and cards that cannot occur together."""

    def __bool__(self) -> bool:
        return bool(self.chips or self.unplayed or self.unknown or self.impossible)


_POINTS = "points"


def chips_missing(
    game: Game, lines: Iterable[Line], worth: Sequence[int | None], rounds: Iterable[Round]
) -> tuple[Chips, ...]:
    """Return the chips of seats for which the sheet states no total value, or an impossible one.

    `lines` has the points from all rules. If only chips give points, other points on the sheet are taken as the value
    of the chips.
    """
    piles, effects = game.model.chips, list(all_effects(game.model))
    at_once = any(isinstance(effect, ChipStep) for effect in effects)
    only_chips = len(game.chip_rules) == len(game.model.scoring)
    only_chips = only_chips and not any(isinstance(effect, ChipStep | PointsStep) for effect in effects)
    others = (*map(sum, zip_longest(*(one.points for one in rounds), fillvalue=0)), *[0] * game.seats)
    pile_of = {rule.model.id: rule.chip for rule in game.program.rules if isinstance(rule, RankedRule)}
    left = [len(pile.values) for pile in piles]
    drawn: list[Counter[int]] = [Counter() for _ in range(game.seats)]
    for line in lines:
        if line.rule in game.chip_rules:
            pile = pile_of[line.rule]
            number = min(line.points, left[pile])
            left[pile] -= number
            drawn[line.seat][pile] += number
    missing = []
    for seat in range(game.players):
        held = [(sorted(piles[pile].values), count) for pile, count in drawn[seat].items()]
        lowest = sum(sum(values[:count]) for values, count in held)
        highest = sum(sum(values[::-1][:count]) for values, count in held)
        total, claimed = drawn[seat].total(), worth[seat]
        if claimed is None and only_chips and total:
            claimed = others[seat] or None
        if (total or at_once) if claimed is None else not (at_once or lowest <= claimed <= highest):
            missing.append(Chips(seat, None if at_once else total, lowest, highest, claimed))
    return tuple(missing)


def unplayed(game: Game, rounds: Sequence[Round]) -> tuple[str, ...]:
    """Return the cards with effects when played, if neither their round nor a later one states a result."""
    entered: set[str] = set()
    cards: set[str] = set()
    for one in reversed(rounds):
        entered |= _entered(one)
        there = {part for table in one.tables for name in table for part in as_played(name).split("@")}
        changes = {card.id: _changes(game, card.on_play) for card in game.model.cards if card.id in there}
        cards |= {card for card, changed in changes.items() if changed and not changed & entered}
    return tuple(card.id for card in game.model.cards if card.id in cards)


def unknown(game: Game, rounds: Sequence[Round], moments: Iterable[str]) -> tuple[str, ...]:
    """Return the triggers at these moments whose later steps have results that the sheet does not state.

    Points have to be stated in each round with the moment, counters and markers in the last round.
    """
    at_last = _entered(rounds[-1]) - {_POINTS} if rounds else set()
    stated = [_entered(one) | at_last for one in rounds]
    causes = []
    for trigger in game.model.triggers:
        changed = _changes(game, waits(trigger.do)) if trigger.after in moments else set()
        of_each = trigger.after in game.moments_of_rounds
        if changed and not all(changed & entered for entered in (stated if of_each else stated[-1:])):
            causes.append(trigger.id)
    return tuple(causes)


def _entered(one: Round) -> set[str]:
    """Return the ids of the counters and markers that a round states, and ``points`` if it states points."""
    return {*one.counters, *one.markers, *([_POINTS] if one.points else [])}


def _changes(game: Game, steps: tuple[Step, ...]) -> set[str]:
    """Return the ids of counters and markers that steps change, and ``points``, if scores depend on them."""
    names: set[str] = set()
    for effect in without_groups(steps):
        if isinstance(effect, Changing):
            names |= {amount.counter for amount in effect.shown}
        elif isinstance(effect, RollStep | TakeStep):
            names |= referenced_names(effect, "die") | referenced_names(effect, "marker")
        elif isinstance(effect, PointsStep):
            names.add(_POINTS)
    return names & {_POINTS, *(name for _, name in game.deciding)}


def impossible(game: Game, position: Position) -> Iterator[WrongPositionError]:
    """Yield an error for each impossible counter value or wild card, and each zone that the sheet lacks."""
    for zone in game.deciding_zones:
        if zone not in position.zones:
            yield WrongPositionError(said("position.zone", zone=zone), ("tables",))
    for counter in game.model.counters:
        changing = [effect for effect in all_effects(game.model) if isinstance(effect, Changing)]
        changed = any(amount.counter == counter.id for effect in changing for amount in effect.amounts)
        if any(name == counter.id for card in game.model.cards for name, _ in card.adds) or (counter.die and changed):
            lowest, highest = -inf, inf
        elif counter.die is not None:
            lowest, highest = 1, counter.die
        else:
            lowest = -inf if counter.min is None else counter.min
            highest = inf if counter.max is None else counter.max
        for seat, value in enumerate(position.counters.get(counter.id, ())):
            if not lowest <= value <= highest and value != counter.start:
                key, bound = ("least", lowest) if value < lowest else ("most", highest)
                problem = said(f"position.counter.{key}", thing=counter.id, value=value, bound=int(bound))
                yield WrongPositionError(problem, ("counters", counter.id, seat))
    forms = {form for card in game.model.cards if card.forms for form in card.forms.of}
    takes_back = any(ability.card in forms for ability in game.model.abilities)
    if not forms or takes_back or discarded(game.model) or cards_wander(game.model):
        return  # the card after which a wild card was played may have left
    for seat, at in misplaced_forms(game.program, position.tables):
        name = entries(position.tables[seat])[at]
        key = "position.form.other" if "@" in name else "position.form.none"
        yield WrongPositionError(said(key, card=name, player=seat + 1, place=at + 1), ("tables", seat, at))


def problem_in_words(error: WrongPositionError, labels: Labels) -> str:
    """Return a sentence that says why a position is impossible, in the language of `labels`."""
    if error.phrase is None:
        return sentence(error)
    named = {"card": labels.card, "thing": labels.thing}
    given = {name: named[name](str(value)) if name in named else value for name, value in error.phrase.given}
    return labels.speech.phrase(error.phrase.id, **given)


def missing_in_words(
    game: Game, missing: Missing, titles: Sequence[str], labels: Labels | None = None, *, over: bool = False
) -> list[str]:
    """Return sentences that ask for the facts that are missing, in the language of `labels`.

    `titles` has the titles of the seats. If the game is `over`, the first sentence says that nobody has won.
    """
    labels = labels or game.labels
    say, speech = labels.speech.phrase, labels.speech
    words = [say("missing.nobody")] if over and missing else []
    words += (problem_in_words(error, labels) for error in missing.impossible)
    for chips in missing.chips:
        kind = ".maybe" if chips.number is None else "" if chips.number else ".none"
        worth = say("points.n", n=chips.highest)
        worth = say("missing.range", low=chips.lowest, high=worth) if chips.lowest < chips.highest else worth
        needed = say("missing.enter") if chips.worth is None else say("missing.says", worth=chips.worth)
        words.append(
            say(f"missing.chips{kind}", who=titles[chips.seat], count=chips.number, worth=worth, needed=needed)
        )
    causes = [(labels.card(card.id), card.on_play) for card in game.model.cards if card.id in missing.unplayed]
    triggers = [trigger for trigger in game.model.triggers if trigger.id in missing.unknown]
    for cause, steps in [*causes, *((labels.cause(trigger.id), waits(trigger.do)) for trigger in triggers)]:
        names = sorted(_changes(game, steps))
        changes = [say("missing.points") if name == _POINTS else labels.thing(name) for name in names]
        words.append(say("missing.effects", cause=cause, changes=speech.join_list(changes, "or")))
    return words
