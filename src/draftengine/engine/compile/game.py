"""Compilation of a whole card set: this module puts the parts together."""

from __future__ import annotations

import copyreg
from types import MappingProxyType
from typing import TYPE_CHECKING

from draftengine.engine.choose import Choice
from draftengine.engine.compile.flow import Assembler
from draftengine.engine.compile.formulas import Fields, FormulaNames, count_of
from draftengine.engine.compile.plays import added_in, lying_of, options_of, pack, unpacked_plays, with_effects
from draftengine.engine.compile.rules import (
    Effects,
    abilities_of,
    compile_rule,
    mean_chip,
    plays_behind,
    standings_of,
    watches_of,
)
from draftengine.engine.program import Program
from draftengine.model.cardset.effects import cards_wander, later_lists, open_counter
from draftengine.model.cardset.facts import reads_best_of
from draftengine.model.cardset.facts import seats as seats_of
from draftengine.model.cardset.records import TABLEAU, with_players
from draftengine.model.flow import flow_bounds
from draftengine.model.language.evaluate import references
from draftengine.model.verbs.effects import PointsStep

if TYPE_CHECKING:
    from collections.abc import Callable

    from draftengine.engine.compile.formulas import Heard
    from draftengine.model.cardset.records import CardSet
    from draftengine.model.records.zone import Zone


def compile_game(model: CardSet, players: int, rules_hash: str = "", heard: Heard | None = None) -> Program:
    """Compile a checked card set for a number of players. `heard` is called for every condition.

    The order matters. Compiling a formula assigns fields to the counters that it reads, and increments are packed last.
    Thus counters that nothing reads cost nothing.
    """
    model = with_players(model, players)
    fields = Fields.of(model, players)
    names = FormulaNames(model, players, fields, heard=heard)
    lying = lying_of(model, unpacked_plays(model), names)
    effects = Effects(model, names, lying)
    later = later_lists(model)
    lists = {step_list.id: step_list for step_list in later if step_list.cause == "card"}
    on_play = {card.id: effects.of_list(card.on_play, lists.get(card.id)) for card in model.cards if card.on_play}
    unpacked = with_effects(lying.unpacked, model, on_play)
    options = options_of(model, unpacked, names)
    # Rules that read `best_of` need the rules of cards, so they are compiled last.
    order = sorted(model.scoring, key=reads_best_of)
    compiled = {rule.id: compile_rule(rule, names, model) for rule in order}
    rules = tuple(compiled[rule.id] for rule in model.scoring)
    watches = watches_of(model, names, effects, later)
    abilities = abilities_of(model, names, effects)
    tie_breakers = tuple(
        (tie_breaker.order == "most", count_of(tie_breaker.measure, names)) for tie_breaker in model.winner.tie_breakers
    )
    assembler = Assembler(model, names, effects, options, later)
    code = assembler.game()
    acts = tuple(assembler.lists.acts)
    risen = {name for meaning in names.meanings.values() for what, name in references(meaning.expr) if what == "gained"}
    opening = {effects.lying(modifier.card) for modifier in model.modifiers if modifier.opens == "after_reveal"}
    modifiers = [fields.field(open_counter(modifier.id)) for modifier in model.modifiers]
    plays = tuple(pack(play, fields, names) for play in unpacked)
    wander = cards_wander(model)
    choices = [step for step in code if isinstance(step, Choice)]
    places = max((len(zone.layout) for zone in model.zones), default=0)
    kept, gone = fields.kept("all"), [*fields.kept("none"), *fields.kept("mixed")]
    return Program(
        model=model,
        rules_hash=rules_hash,
        players=players,
        seats=seats_of(model, players),
        ranked=names.seat_count,
        all_players=tuple(range(players)),
        cards=tuple(card.id for card in model.cards),
        deck=tuple(index for index, card in enumerate(model.cards) for _ in range(card.count)),
        initial_cards=_box(model),
        faces=tuple(card.face or card.id for card in model.cards),
        face_of=options.face_of,
        face_named=MappingProxyType(
            {card.face or card.id: face for card, face in zip(model.cards, options.face_of, strict=True)}
        ),
        typical=options.typical,
        copies=tuple(
            sum(card.count for card, card_face in zip(model.cards, options.face_of, strict=True) if card_face == face)
            for face in range(len(model.cards))
        ),
        keep=tuple(card.keep for card in model.cards),
        kept_plays=frozenset(index for index, play in enumerate(plays) if model.cards[play.card].keep),
        card_of=tuple(play.card for play in plays),
        counts_as=tuple([card.id for card in model.cards].index(play.form) for play in unpacked),
        face_of_play=tuple(options.face_of[play.card] for play in plays),
        plays=plays,
        increments=tuple(play.increment for play in plays),
        pieces_of_play=lying.pieces_of_play,
        after_slot_used=lying.after_slot_used,
        opened=lying.opened,
        options=options.options,
        options_of=options.of_card,
        simple=assembler.simple,
        single=tuple((option,) for option in range(len(options.options))),
        width=max(len(options.options), places, *(len(choice.actions) * choice.items_per_action for choice in choices)),
        fields=tuple(fields.given.values()),
        gains=tuple(fields.field(name) for name in sorted(risen - opening)),
        start_word=fields.start_word,
        keep_bits=sum(field.field_mask for field in kept),
        keep_word=sum((field.start + field.offset) << field.shift for field in gone),
        mixed=tuple(fields.kept("mixed")),
        zones=model.zones,
        tableau=next(index for index, zone in enumerate(model.zones) if zone.id == TABLEAU),
        inspected_zones=frozenset(
            index
            for index, zone in enumerate(model.zones)
            if any(("among", zone.id) in references(meaning.expr) for meaning in names.meanings.values())
        ),
        cards_count_elsewhere=wander,
        added=added_in(model, unpacked, fields) if wander else (),
        added_again=added_in(model, unpacked, fields, cleared=True) if wander else (),
        covered_by=tuple(_covers(zone) for zone in model.zones),
        abilities=abilities,
        effects=tuple(effects.all),
        watches=(*watches, *acts),
        rules=rules,
        provisional_rules=standings_of(rules),
        plays_read_by_rule=tuple(plays_behind(rule, unpacked, model) for rule in model.scoring),
        modifier_of=MappingProxyType(
            {field.field_mask: modifier for field, modifier in zip(modifiers, model.modifiers, strict=True)}
        ),
        sources_of_points=(
            *(rule.id for rule in model.scoring),
            *(trigger.id for trigger in model.triggers if any(isinstance(effect, PointsStep) for effect in trigger.do)),
            *_with_points([(play.name, play.effects) for play in unpacked], effects),
            *_with_points([(way.name, way.effects) for choice in choices for way in choice.actions], effects),
            *_with_points([(act.model.id, act.effects) for act in acts], effects),
        ),
        tie_breakers=tie_breakers,
        can_win=(*(True for _ in range(players)), *(seat.wins for seat in model.extra_seats)),
        markers=model.markers,
        chip_values=tuple(pile.values for pile in model.chips),
        mean_chip_values=tuple(map(mean_chip, model.chips)),
        code=code,
        steps=MappingProxyType(assembler.begins),
        places=MappingProxyType(assembler.places),
        turn_bound=flow_bounds(model, players).turns,
        stops=bool(flow_bounds(model, players).stops),
        meanings=MappingProxyType(names.meanings),
    )


def _with_points(lists: list[tuple[str, tuple[int, ...]]], effects: Effects) -> dict[str, None]:
    """Return the names of those lists of effects that give points, each once."""
    return dict.fromkeys(
        name for name, effect_list in lists if any(effects.all[effect].kind == "points" for effect in effect_list)
    )


def _again(program: Program) -> tuple[Callable[..., Program], tuple[CardSet, int, str]]:
    """Return how to rebuild a program for pickling: compiled formulas cannot be stored."""
    return compile_game, (program.model, program.players, program.rules_hash)


copyreg.pickle(Program, _again)


def _covers(zone: Zone) -> tuple[tuple[int, ...], ...]:
    index = {place.id: number for number, place in enumerate(zone.layout)}
    return tuple(tuple(index[cover] for cover in place.covered_by) for place in zone.layout)


def _box(model: CardSet) -> tuple[tuple[int, tuple[int, ...]], ...]:
    """Return the zones that hold cards before the game, with their cards."""
    zones = [zone.id for zone in model.zones]
    return tuple(
        (
            index,
            tuple(
                number for number, card in enumerate(model.cards) if card.starts_in == zone for _ in range(card.count)
            ),
        )
        for index, zone in enumerate(zones)
        if any(card.starts_in == zone for card in model.cards)
    )
