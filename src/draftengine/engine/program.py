"""A game compiled for the engine. It is immutable and made by `draftengine.engine.compile`.

Indices stand for names. A *card* is an index into `Program.cards`. A *play* is a card as it lies in a tableau; each
form of a wild card is a separate play. An *option* is what a seat can name when it chooses: a face in a form. A *code*
is an option or a place on one channel of a choice (see `draftengine.engine.moves`).
"""

from __future__ import annotations

from collections import Counter
from functools import cached_property
from typing import TYPE_CHECKING, Protocol

from msgspec import Struct

from draftengine.model.cardset.facts import with_most_copies, zones_in_order
from draftengine.model.flow import flow_bounds
from draftengine.model.language.bounds import name_in
from draftengine.model.language.builtins import LYING
from draftengine.model.language.evaluate import references
from draftengine.model.language.tree import Call, nodes_in
from draftengine.model.verbs.turns import ScoreStep

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from draftengine.engine.compile.formulas import Meaning
    from draftengine.engine.instructions import CounterField, Value
    from draftengine.model.cardset.records import Ability, CardSet, Marker, Modifier, Rule, Trigger
    from draftengine.model.records.reader import Zone
    from draftengine.model.rules.kind import Award, OneSeatKind, RankedKind


class Play(Struct, frozen=True):
    """A card as it lies in a tableau."""

    name: str
    card: int
    increment: int
    """The change of the seat's packed word if no modifier is open."""
    modifiers: tuple[int, ...]
    """For each modifier that changes this play, in order of use, the mask of its open-slot counter."""
    increments: tuple[int, ...]
    """The increment for every combination of used modifiers (bit *i* is the *i*-th of `modifiers`)."""
    stacks: bool
    """True if several modifiers can be used on this play at once."""
    kept_increment: int
    """The part of `increment` that survives the clearing of tableaus only if the card itself stays."""
    effects: tuple[int, ...] = ()
    """Indices into `Program.effects`. These effects are carried out when the card is played."""
    opens_after_reveal: int = 0
    """The increment that is added after the reveal: slots of a modifier that does not open at once."""

    def uses(self, word: int, bits: int) -> bool:
        """True if the play uses a slot of a modifier. `bits` is the mask of the counter of its open slots."""
        used = self.modifiers_used(word)
        return any(used >> index & 1 and modifier == bits for index, modifier in enumerate(self.modifiers))

    def increment_in(self, word: int) -> int:
        """Return what the play adds to a packed word, including the effect of the open modifiers that it uses."""
        return self.increments[self.modifiers_used(word)] if self.modifiers else self.increment

    def modifiers_used(self, word: int) -> int:
        """Return which modifiers of the play are open and so are used (bit *i* represents the *i*-th)."""
        used = 0
        for index, bits in enumerate(self.modifiers):
            if word & bits:
                used |= 1 << index
                if not self.stacks:
                    break
        return used


class Option(Struct, frozen=True):
    """Something that a seat can name in a choice: a face, or a form of a wild card."""

    name: str
    plays: tuple[tuple[int, int], ...]
    """The cards with the option's face, each with the play that it becomes in this form: (card, play)."""
    representative_play: int
    """The play that is assumed while the card is unknown."""
    condition: Value | None
    """The condition under which the form can be used; ``None`` = always."""


class CompiledAbility(Struct, frozen=True):
    """An ability of the card set, compiled."""

    model: Ability
    field: CounterField
    """The counter for the ability's cards in front of a seat."""
    card: int
    play: int
    """The play of the ability's card.

    Using the ability removes the card from its seat, unless `returns_to` is ``stays``.
    """
    pieces: tuple[int, ...] = ()
    """All plays that the card can be in a tableau, in the order of leaving; empty without pieces."""


class Amount(Struct, frozen=True):
    """An amount that an effect adds to a counter, or the new value of the counter."""

    field: CounterField
    value: Value
    low: int
    high: int
    """The upper bound. The effect never moves the counter below `low` or above `high`."""


class CompiledEffect(Struct, frozen=True):
    """An effect of the card set, compiled."""

    kind: str
    target: int = -1
    """The marker, chip pile or discarded card, depending on `kind`; -1 if unused."""
    amounts: tuple[Amount, ...] = ()
    value: Value | None = None
    sides: int = 0
    order: tuple[tuple[int, ...], ...] = ()
    """Plays to discard, in groups; the first group is used up first. Each group has a flag for every play."""
    pieces: tuple[int, ...] = ()
    """All plays that the discarded card can be, in the order of leaving; empty without pieces."""


class CompiledTrigger(Struct, frozen=True):
    """A trigger of the card set, compiled."""

    model: Trigger
    who: Value
    unless: Value | None
    effects: tuple[int, ...]
    by: Value | None = None
    """The value that groups the affected seats. The group with the smallest value comes first."""
    in_steps: bool = False
    """True if each effect is applied to the whole group of seats before the next effect.

    False if the order makes no difference.
    """


class ScoredRule(Struct, frozen=True):
    """The fields that both kinds of compiled scoring rules have."""

    model: Rule
    when: Value | None
    copies: Value | None
    """The number of copies of the rule's card that a seat has; each copy scores. ``None`` without a card."""
    reads: int
    """The bits that the points can depend on, in the packed word of any seat."""
    standing: Value
    """The points that a seat would get now; 0 if it lacks the rule's card.

    A chip counts as the mean of its pile.
    """
    lasts: bool
    """True if most of the points, or most of a lead in points, are likely to remain after later rounds."""


class OneSeatRule(ScoredRule, frozen=True):
    """A compiled rule that scores each seat by the seat's own values."""

    numbers: OneSeatKind[int]
    """The rule's definition, with its numbers evaluated for this number of players."""
    inputs: tuple[Value, ...]
    points: Callable[[tuple[int, ...]], int]
    """A function from the values of the inputs to points; cached."""


class RankedRule(ScoredRule, frozen=True):
    """A compiled rule that compares a measure of all seats."""

    numbers: RankedKind[int]
    measure: Value
    chip: int
    """The pile from which winners draw chips; -1 if they get points."""
    awards: Callable[[tuple[int, ...]], tuple[tuple[Award, ...], ...]]
    """A function from the measures of all seats to the awards of each seat; cached."""
    points: Callable[[tuple[int, ...]], tuple[int, ...]]
    """A function from the measures of all seats to the points (or chips) of each seat; cached."""


CompiledRule = OneSeatRule | RankedRule


class Instruction(Protocol):
    """One step of the compiled flow. `draftengine.engine.kernel.running` maps its type to a function.

    If a condition decides what follows, `otherwise` is the alternative step.
    """

    @property
    def following(self) -> int:
        """The index of the step that comes next."""


class Program(Struct, frozen=True, dict=True):
    """A card set with its selection for one number of players, compiled."""

    model: CardSet
    rules_hash: str
    players: int
    seats: int
    """The number of players and extra seats; extra seats come last."""
    ranked: int
    """The number of seats that are scored and compared. These seats come first."""
    all_players: tuple[int, ...]
    """The seats of the players."""
    face_of: tuple[int, ...]
    """For each card, the first card with the same face."""
    typical: tuple[int, ...]
    """For each card, the card assumed while it is unknown: the middle one of all copies with its face."""
    card_of: tuple[int, ...]
    """The card of each play."""
    counts_as: tuple[int, ...]
    """For each play, the card that it counts as: for a form of a wild card, the card of the form."""
    face_of_play: tuple[int, ...]
    """For each play, the first card with the same face as the play's card."""
    plays: tuple[Play, ...]
    increments: tuple[int, ...]
    """The increment of each play if no modifier is open."""
    pieces_of_play: tuple[tuple[int, ...], ...]
    """The play that results in the tableau, by play and by the modifiers used on it (as bits).

    Only pieces that can leave are separate plays. Without such pieces this table is empty, and so are `after_slot_used`
    and `opened` (see `draftengine.engine.compile.plays`).
    """
    after_slot_used: tuple[tuple[int, ...], ...]
    """The play that a modifier becomes when one of its slots is used, by modifier and play; -1 if none."""
    opened: tuple[tuple[int, ...], ...]
    """The play that a modifier becomes when it opens after the reveal, by modifier and play; -1 if none."""
    options: tuple[Option, ...]
    options_of: tuple[tuple[int, ...], ...]
    """For each card, the options under which it can be taken; the option without a form comes last."""
    simple: bool
    """True if card, play and option have equal indices, because no card is wild and no face is shared."""
    single: tuple[tuple[int], ...]
    """For each option, the move that takes one card under this option and nothing else."""
    width: int
    """The number of codes in a channel: the largest number of options, places, or items of actions."""
    fields: tuple[CounterField, ...]
    gains: tuple[CounterField, ...]
    """The counters for which a formula reads the rise since the last choice, as fields of the packed word."""
    start_word: int
    keep_bits: int
    """The bits of a packed word that keep their values when tableaus are cleared."""
    keep_word: int
    """A packed word with the start values of the counters that clearing the tableaus resets."""
    mixed: tuple[CounterField, ...]
    """Counters that keep only what kept cards added, when tableaus are cleared."""
    zones: tuple[Zone, ...]
    tableau: int
    """The zone of the tableaus."""
    cards_count_elsewhere: bool
    """True if cards also add to counters outside the tableau, or if cards can leave the tableau.

    Each face then has one card, so that a play and its option have the same index.
    """
    added: tuple[tuple[int, ...], ...]
    """For each zone and play, what a card adds to its seat's packed word while it lies in the zone.

    Empty unless `cards_count_elsewhere`.
    """
    added_again: tuple[tuple[int, ...], ...]
    """The part of `added` for those counters that clearing the tableaus resets."""
    abilities: tuple[CompiledAbility, ...]
    effects: tuple[CompiledEffect, ...]
    watches: tuple[CompiledTrigger, ...]
    rules: tuple[CompiledRule, ...]
    provisional_rules: Callable[[int], tuple[Value, ...]]
    """A cached function from changed bits of packed words to the `standing` of the rules that they affect."""
    plays_read_by_rule: tuple[frozenset[int], ...]
    """For each rule, the plays that can change the values that the rule reads."""
    modifier_of: Mapping[int, Modifier]
    """Each modifier, by the `CounterField.field_mask` of its open-slot counter."""
    sources_of_points: tuple[str, ...]
    """Names of everything that gives points: rules, then triggers, then cards, actions and steps of lists."""
    tie_breakers: tuple[tuple[bool, Value], ...]
    """The measures that are compared among tied seats, in order. The flag is true if the larger one wins."""
    markers: tuple[Marker, ...]
    chip_values: tuple[tuple[int, ...], ...]
    mean_chip_values: tuple[int, ...]
    """The mean value of a chip in each pile, in whole points."""
    code: tuple[Instruction, ...]
    steps: Mapping[str, tuple[int, int]]
    """Each step with an `id` in round or finish, as (first instruction, number of repeats around it)."""
    places: Mapping[int, str]
    """The JSON Pointer of each step, by the step's first instruction (after those for its condition)."""
    meanings: Mapping[Value, Meaning]
    """The formula of each compiled function in the program."""

    @cached_property
    def cards(self) -> tuple[str, ...]:
        """The id of each card."""
        return tuple([card.id for card in self.model.cards])

    @cached_property
    def deck(self) -> tuple[int, ...]:
        """Every card of the box, unshuffled; a card occurs once for each copy."""
        return tuple([index for index, card in enumerate(self.model.cards) for _ in range(card.count)])

    @cached_property
    def initial_cards(self) -> tuple[tuple[int, tuple[int, ...]], ...]:
        """The zones that have cards before the game, with these cards."""
        held = {
            index: tuple([card for card in self.deck if self.model.cards[card].starts_in == zone.id])
            for index, zone in enumerate(self.zones)
        }
        return tuple([(zone, cards) for zone, cards in held.items() if cards])

    @cached_property
    def faces(self) -> tuple[str, ...]:
        """For each card, the name of its face."""
        return tuple([card.face or card.id for card in self.model.cards])

    @cached_property
    def face_named(self) -> Mapping[str, int]:
        """For each name of a face, the first card with that face."""
        return dict(zip(self.faces, self.face_of, strict=True))

    @cached_property
    def copies(self) -> tuple[int, ...]:
        """For the first card with each face, the most cards that can ever have this face; 0 for other cards."""
        counted = Counter[int]()
        for card, most in enumerate(with_most_copies(self.model.cards)):
            counted[self.face_of[card]] += most.count
        return tuple([counted[face] for face in range(len(self.faces))])

    @cached_property
    def thing_of(self) -> tuple[int, ...]:
        """For each card, the card that the box contains: the die for a side of a die, otherwise the card."""
        numbers = {card.id: index for index, card in enumerate(self.model.cards)}
        return tuple([numbers[card.side_of or card.id] for card in self.model.cards])

    @cached_property
    def has_sides(self) -> bool:
        """True if cards or dice have several sides, so that the number of copies of a card can change."""
        return any(card.sides for card in self.model.cards)

    @cached_property
    def kept_plays(self) -> frozenset[int]:
        """The plays that stay when tableaus are cleared."""
        return frozenset([index for index, play in enumerate(self.plays) if self.model.cards[play.card].keep])

    @cached_property
    def inspected_zones(self) -> frozenset[int]:
        """The zones whose cards are read one by one by formulas."""
        inspected = {
            name for meaning in self.meanings.values() for kind, name in references(meaning.expr) if kind == "among"
        }
        return frozenset([index for index, zone in enumerate(self.zones) if zone.id in inspected])

    @cached_property
    def ordered_zones(self) -> frozenset[int]:
        """The open zones whose order matters: their top cards are drawn, or formulas read them."""
        calls = (node for meaning in self.meanings.values() for node in nodes_in(meaning.expr))
        read = {name_in(call) for call in calls if isinstance(call, Call) and call.function == "on_top"}
        read |= zones_in_order(self.model)
        return frozenset([index for index, zone in enumerate(self.zones) if zone.id in read])

    @cached_property
    def covered_by(self) -> tuple[tuple[tuple[int, ...], ...], ...]:
        """For each zone, by place if it is a layout: the places that cover the place."""
        numbers = [{place.id: number for number, place in enumerate(zone.layout)} for zone in self.zones]
        return tuple(
            [
                tuple([tuple([number[cover] for cover in place.covered_by]) for place in zone.layout])
                for zone, number in zip(self.zones, numbers, strict=True)
            ]
        )

    @cached_property
    def can_win(self) -> tuple[bool, ...]:
        return (*[True] * self.players, *[seat.wins for seat in self.model.extra_seats])

    @property
    def turn_bound(self) -> int:
        """A number of turns that no game exceeds."""
        return flow_bounds(self.model, self.players).turns

    @cached_property
    def stops(self) -> bool:
        """True if a game may end because it cannot go on (see `draftengine.engine.instructions.End`)."""
        return bool(flow_bounds(self.model, self.players).stops)

    @cached_property
    def counting(self) -> tuple[int, ...]:
        """Zones whose cards add to counters."""
        return tuple(zone for zone, spec in enumerate(self.zones) if spec.counts)

    @cached_property
    def rules_at_end(self) -> tuple[int, ...]:
        """Rules that are scored after the last round."""
        labels = {step.label for step in self.model.finish if isinstance(step, ScoreStep)}
        return tuple(index for index, rule in enumerate(self.rules) if rule.model.at in labels)

    @cached_property
    def play_names(self) -> tuple[str, ...]:
        return tuple([play.name for play in self.plays])

    @cached_property
    def play_named(self) -> Mapping[str, int]:
        """The index of each play, by its name."""
        return {name: index for index, name in enumerate(self.play_names)}

    @cached_property
    def open_modifiers(self) -> tuple[tuple[Modifier, CounterField], ...]:
        """Every modifier, with the counter of its open slots."""
        fields = {field.field_mask: field for field in self.fields}
        return tuple((modifier, fields[bits]) for bits, modifier in self.modifier_of.items())

    @cached_property
    def asks_about_cards(self) -> bool:
        """True if a formula reads a value of the current card.

        That card is `GameState.formula_card` or `GameState.formula_zone_card`.
        """
        asked = (
            name for meaning in self.meanings.values() for kind, name in references(meaning.expr) if kind == "name"
        )
        return any(name.startswith(("its.", LYING)) for name in asked)

    @property
    def direction(self) -> int:
        """1 if the most points win, -1 if the fewest win."""
        return 1 if self.model.winner.order == "most" else -1

    def open_places(self, zone: int, cards: Sequence[int], taken: Sequence[int] = ()) -> list[int]:
        """Return the places of a layout whose cards can be taken after the cards at `taken` are gone."""
        empty = {place for place, card in enumerate(cards) if card < 0}
        empty.update(taken)
        return [
            place
            for place, covers in enumerate(self.covered_by[zone])
            if place not in empty and (not covers or empty.issuperset(covers))
        ]

    def zone_index(self, name: str) -> int:
        """Return the index of a zone. Raises `KeyError` for an unknown name."""
        return self._zone_named[name]

    @cached_property
    def _zone_named(self) -> Mapping[str, int]:
        return {zone.id: index for index, zone in enumerate(self.zones)}

    def card_index(self, name: str) -> int:
        """Return the index of the card with this id. Raises `KeyError` for an unknown id."""
        if name not in self.cards:
            raise KeyError(name)
        return self.cards.index(name)

    def seat_name(self, seat: int) -> str:
        """Return ``seat 0`` for a player, counted from 0, or the id of an extra seat."""
        return f"seat {seat}" if seat < self.players else self.model.extra_seats[seat - self.players].id
