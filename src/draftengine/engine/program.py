"""The compiled game: what both executors run. Immutable; made by `draftengine.engine.compile`.

Indices stand for names here: a *card* is an index into `cards`, a *play* is a card as it lies in a tableau (a wild
card in each of its forms is a play of its own), an *option* is what a seat may name when it chooses (a face in a
form), a
*code* is an option or a place on one of the channels of a choice (see `draftengine.engine.moves`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from msgspec import Struct

from draftengine.engine.plain import InterpreterPlan
from draftengine.model.language.builtins import LYING
from draftengine.model.language.evaluate import references
from draftengine.model.verbs import score

if TYPE_CHECKING:
    from draftengine.engine.compile.formulas import Meaning
    from draftengine.engine.instruction import Instruction
    from draftengine.engine.state import GameState
    from draftengine.model.cardset.records import Ability, CardSet, Marker, Modifier, Rule, Trigger, Zone
    from draftengine.model.rules.kind import Award, OneSeatKind, RankedKind

Value = Callable[["GameState", int], int]
"""The value of a formula for a seat in a state (formulas about the table ignore the seat)."""


class CounterField(Struct, frozen=True):
    """Where a counter lies in a seat's packed word: ``(word >> shift & mask) - offset``."""

    name: str
    shift: int
    mask: int
    offset: int
    start: int
    shared: int = 0
    """So many seats have it together: whatever one of them does to it, it is done for all. 0: each has its own."""

    @property
    def one(self) -> int:
        return 1 << self.shift

    @property
    def field_mask(self) -> int:
        """The field's own bits in the word."""
        return self.mask << self.shift

    def read(self, word: int) -> int:
        """The counter's value in a packed word."""
        return (word >> self.shift & self.mask) - self.offset


class Play(Struct, frozen=True):
    """A card as it lies in a tableau."""

    name: str
    card: int
    increment: int
    """What it adds to the seat's packed word when no modifier is open."""
    modifiers: tuple[int, ...]
    """The `CounterField.field_mask` of the open-counters that apply to it, in order of use."""
    increments: tuple[int, ...]
    """The increment for every combination of modifiers in use (bit *i* = the *i*-th)."""
    stacks: bool
    """May several modifiers be used at once."""
    kept_increment: int
    """The part of `increment` for the counters that survive clearing with their cards only."""
    effects: tuple[int, ...] = ()
    """Indices into `Program.effects`, carried out when it is played."""
    opens_after_reveal: int = 0
    """What it adds to the packed word after the reveal: the places of a modifier that does not open at once."""

    def uses(self, word: int, bits: int) -> bool:
        """Is an open-counter among those that it uses up."""
        used = self.modifiers_used(word)
        return any(used >> index & 1 and modifier == bits for index, modifier in enumerate(self.modifiers))

    def increment_in(self, word: int) -> int:
        """What it adds to a seat's packed word, using up the open modifiers that apply to it."""
        return self.increments[self.modifiers_used(word)] if self.modifiers else self.increment

    def modifiers_used(self, word: int) -> int:
        """Which of its modifiers are open and therefore used (bit *i* = the *i*-th)."""
        used = 0
        for index, bits in enumerate(self.modifiers):
            if word & bits:
                used |= 1 << index
                if not self.stacks:
                    break
        return used


class Option(Struct, frozen=True):
    """What can be named in a choice: one face in one form."""

    name: str
    plays: tuple[tuple[int, int], ...]
    """(card, play) of every card with that face."""
    representative_play: int
    """The play to reckon with while it is not known which card it is."""
    condition: Value | None
    """When the form may be used; ``None`` = always."""


class CompiledAbility(Struct, frozen=True):
    """An ability, compiled."""

    model: Ability
    field: CounterField
    """The counter of the ability's cards in front of a seat."""
    card: int
    play: int
    """The card, and the play, that goes back when it is used."""
    pieces: tuple[int, ...] = ()
    """The plays as which the card can lie, those first that go back first; empty in a game without pieces."""


class Amount(Struct, frozen=True):
    """What an effect puts into a counter, or adds to it."""

    field: CounterField
    value: Value
    low: int
    high: int
    """The effect never brings the counter below or above these."""


class CompiledEffect(Struct, frozen=True):
    """A compiled effect."""

    kind: str
    target: int = -1
    """Marker, chip pile, or the card if it is one that is discarded, by kind; -1 if unused."""
    amounts: tuple[Amount, ...] = ()
    value: Value | None = None
    sides: int = 0
    order: tuple[tuple[int, ...], ...] = ()
    """By play: is it among those that are discarded first, and then next, and so on."""
    pieces: tuple[int, ...] = ()
    """The plays as which the card that is discarded can lie, in that order, if those are several."""


class CompiledTrigger(Struct, frozen=True):
    """A compiled trigger."""

    model: Trigger
    who: Value
    unless: Value | None
    effects: tuple[int, ...]
    by: Value | None = None
    """The seats that it concerns come in groups, those with the smallest value first."""
    in_steps: bool = False
    """Is each effect carried out for the whole group before the next; ``False`` where that makes no difference."""


class OneSeatRule(Struct, frozen=True):
    """A rule on one seat's values."""

    model: Rule
    numbers: OneSeatKind[int]
    """The rule with the numbers that hold for this player count."""
    inputs: tuple[Value, ...]
    when: Value | None
    copies: Value | None
    """How many of the card on which it stands a seat has, for each of which it scores; ``None`` if on no card."""
    reads: int
    """The bits of packed words (of any seats) that its points can depend on."""
    standing: Value
    """The points of a seat if it were scored now: none if the rule does not hold."""
    lasts: bool
    """What it would give now is mostly there still when later rounds are over."""
    points: Callable[[tuple[int, ...]], int]
    """The points for the values of its inputs; cached."""


class RankedRule(Struct, frozen=True):
    """A rule on the measures of all seats."""

    model: Rule
    numbers: RankedKind[int]
    measure: Value
    when: Value | None
    copies: Value | None
    """How many of the card on which it stands a seat has, for each of which it scores; ``None`` if on no card."""
    reads: int
    """The bits of packed words (of any seats) that its points can depend on."""
    standing: Value
    """The points of a seat if it were scored now, a chip as the mean of its pile: none if the rule does not hold."""
    lasts: bool
    """What it would give now is mostly there still when later rounds are over."""
    chip: int
    """The pile the winners draw from; -1 = points."""
    awards: Callable[[tuple[int, ...]], tuple[tuple[Award, ...], ...]]
    """What each seat is awarded for the measures; cached."""
    points: Callable[[tuple[int, ...]], tuple[int, ...]]
    """The points (or chips) of each seat for the measures; cached."""


CompiledRule = OneSeatRule | RankedRule


class Program(Struct, frozen=True, dict=True):
    """One card set, with its variants, for one number of players."""

    model: CardSet
    rules_hash: str
    players: int
    seats: int
    """Players and extra seats; extra seats come last."""
    ranked: int
    """The seats, from the first, that are scored and compared with each other."""
    all_players: tuple[int, ...]
    """The seats of the players."""
    cards: tuple[str, ...]
    deck: tuple[int, ...]
    """Every card of the box, by index, unshuffled."""
    initial_cards: tuple[tuple[int, tuple[int, ...]], ...]
    """The cards of the box by the zone in which they lie at first."""
    faces: tuple[str, ...]
    """The name of what each card looks like until it is played."""
    face_of: tuple[int, ...]
    """The first card that looks like each card."""
    face_named: Mapping[str, int]
    """The first card that looks like what a name says."""
    typical: tuple[int, ...]
    """For each card the one to reckon with while nobody knows which it is: in the middle of those that look like it."""
    copies: tuple[int, ...]
    """How many cards of the box look like each card, told once: 0 for all but the first that looks like that."""
    keep: tuple[bool, ...]
    """Which cards stay when tableaus are cleared."""
    kept_plays: frozenset[int]
    """The plays that stay when tableaus are cleared."""
    card_of: tuple[int, ...]
    """The card of each play."""
    counts_as: tuple[int, ...]
    """The card as which each play counts: of a wild card the one in whose form it lies."""
    face_of_play: tuple[int, ...]
    """What the card of each play looked like until it was played."""
    plays: tuple[Play, ...]
    increments: tuple[int, ...]
    """The increment of each play when no modifier is open."""
    pieces_of_play: tuple[tuple[int, ...], ...]
    """As what a play lies, by play and by the modifiers that are used on it: a play of its own, where that can leave.
    It is empty in a game without such pieces, and so is what follows (see `draftengine.engine.compile.pieces`)."""
    after_slot_used: tuple[tuple[int, ...], ...]
    """As what a modifier lies when one more card goes on it, by modifier and play; -1 if it takes none."""
    opened: tuple[tuple[int, ...], ...]
    """As what a modifier lies when it opens after the reveal, by modifier and play; -1 if that is not to come."""
    options: tuple[Option, ...]
    options_of: tuple[tuple[int, ...], ...]
    """The options that each card offers."""
    simple: bool
    """No wild cards and no shared faces: card, play and option indices are the same."""
    single: tuple[tuple[int], ...]
    """The move that takes one option and nothing else, by option."""
    width: int
    """How many codes a channel has: the larger of the numbers of options and of places."""
    fields: tuple[CounterField, ...]
    start_word: int
    keep_bits: int
    """The bits of a packed word that survive clearing."""
    keep_word: int
    """The start values of the fields that do not."""
    mixed: tuple[CounterField, ...]
    """Fields whose amount survives with the kept cards only."""
    zones: tuple[Zone, ...]
    tableau: int
    """The zone of the tableaus."""
    inspected_zones: frozenset[int]
    """The zones of which formulas ask which cards lie there."""
    cards_count_elsewhere: bool
    """Do cards count in other zones than the tableau, too, or leave it. No two look alike then, so that a play and its
    option have the same number."""
    added: tuple[tuple[int, ...], ...]
    """By zone and play: what a card adds to the packed word of its seat while it lies there; empty if none wander."""
    added_again: tuple[tuple[int, ...], ...]
    """What a card adds to those counters alone that clearing the tableaus resets."""
    covered_by: tuple[tuple[tuple[int, ...], ...], ...]
    """For each place of each zone: the places that cover it."""
    abilities: tuple[CompiledAbility, ...]
    effects: tuple[CompiledEffect, ...]
    watches: tuple[CompiledTrigger, ...]
    rules: tuple[CompiledRule, ...]
    provisional_rules: Callable[[int], tuple[Value, ...]]
    """What the rules would give (`OneSeatRule.standing`) that can depend on some bits of packed words; cached."""
    plays_read_by_rule: tuple[frozenset[int], ...]
    """The plays that each rule looks at."""
    modifier_of: Mapping[int, Modifier]
    """The modifier behind the `CounterField.field_mask` of an open-counter."""
    sources_of_points: tuple[str, ...]
    """Names of everything that gives points: the rules, then the triggers, then the cards with effects."""
    tie_breakers: tuple[tuple[bool, Value], ...]
    """What is compared among tied seats, in this order: does most win, and the measure."""
    can_win: tuple[bool, ...]
    markers: tuple[Marker, ...]
    chip_values: tuple[tuple[int, ...], ...]
    mean_chip_values: tuple[int, ...]
    """What a chip that is drawn blind from each pile is worth on average, in whole points."""
    code: tuple[Instruction, ...]
    steps: Mapping[str, tuple[int, int]]
    """The steps of the round and of the finish by their `id`: where each begins, and in how many repetitions."""
    turn_bound: int
    stops: bool
    """True if a game may end because it cannot go on (see `draftengine.engine.control.End`)."""
    meanings: Mapping[Value, Meaning]
    """The formula behind every function here."""

    @cached_property
    def plain(self) -> InterpreterPlan:
        """The plan of a game that is played as the kernel stands."""
        return InterpreterPlan(self)

    @cached_property
    def rules_at_end(self) -> tuple[int, ...]:
        """The rules that are scored after the last round."""
        labels = {step.label for step in self.model.finish if isinstance(step, score.ScoreStep)}
        return tuple(index for index, rule in enumerate(self.rules) if rule.model.at in labels)

    @cached_property
    def play_names(self) -> tuple[str, ...]:
        """The names of the plays."""
        return tuple([play.name for play in self.plays])

    @cached_property
    def play_named(self) -> Mapping[str, int]:
        """Every play by its name."""
        return {name: index for index, name in enumerate(self.play_names)}

    @cached_property
    def open_modifiers(self) -> tuple[tuple[Modifier, CounterField], ...]:
        """Every modifier, and the counter that says how much of it is still open."""
        fields = {field.field_mask: field for field in self.fields}
        return tuple((modifier, fields[bits]) for bits, modifier in self.modifier_of.items())

    @cached_property
    def asks_about_cards(self) -> bool:
        """Does a formula ask what a card has: that of `GameState.formula_card` or `GameState.formula_zone_card`."""
        asked = (name for own in self.meanings.values() for kind, name in references(own.expr) if kind == "name")
        return any(name.startswith(("its.", LYING)) for name in asked)

    @property
    def direction(self) -> int:
        """1 where most points win, -1 where the fewest do."""
        return 1 if self.model.winner.order == "most" else -1

    def open_places(self, zone: int, cards: Sequence[int], taken: Sequence[int] = ()) -> list[int]:
        """The places of a layout whose card can be taken, if the cards at `taken` were gone."""
        empty = {place for place, card in enumerate(cards) if card < 0}
        empty.update(taken)
        return [
            place
            for place, covers in enumerate(self.covered_by[zone])
            if place not in empty and (not covers or empty.issuperset(covers))
        ]

    def zone_index(self, name: str) -> int:
        """The index of a zone by its name."""
        return self._zone_named[name]

    @cached_property
    def _zone_named(self) -> Mapping[str, int]:
        return {zone.id: index for index, zone in enumerate(self.zones)}

    def card_index(self, name: str) -> int:
        """The index of a card by its id. Raises `KeyError` if there is none."""
        if name not in self.cards:
            raise KeyError(name)
        return self.cards.index(name)

    def seat_name(self, seat: int) -> str:
        """``seat 0`` or the id of an extra seat."""
        return f"seat {seat}" if seat < self.players else self.model.extra_seats[seat - self.players].id
