"""Compilation of a whole card set, by putting its compiled parts together."""

from __future__ import annotations

import copyreg
from types import MappingProxyType
from typing import TYPE_CHECKING

from draftengine.engine.choose import Choice
from draftengine.engine.compile.flow import Assembler
from draftengine.engine.compile.formulas import Fields, FormulaNames, compared
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
from draftengine.model.language.evaluate import references
from draftengine.model.verbs.effects import PointsStep

if TYPE_CHECKING:
    from collections.abc import Sequence

    from draftengine.engine.compile.formulas import Heard
    from draftengine.engine.compile.plays import UnpackedPlay
    from draftengine.engine.program import CompiledTrigger
    from draftengine.model.cardset.records import CardSet


def compile_game(model: CardSet, players: int, rules_hash: str = "", heard: Heard | None = None) -> Program:
    """Compile a checked card set for a number of players. `heard` is called with each evaluated condition.

    The order of the parts matters: compiling a formula assigns fields to the counters that it reads, so increments are
    packed last. Then counters that no formula reads cost nothing.
    """
    model = with_players(model, players)
    fields = Fields.of(model, players)
    names = FormulaNames(model, players, fields, heard=heard)

    lying = lying_of(model, unpacked_plays(model), names)
    effects = Effects(model, names, lying)
    later = later_lists(model)
    lists = {step_list.id: step_list for step_list in later if step_list.cause == "card"}
    on_play = {
        card.id: effects.of_list((*card.begins, *card.on_play), lists.get(card.id))
        for card in model.cards
        if card.begins or card.on_play
    }
    unpacked = with_effects(lying.unpacked, model, on_play)
    options = options_of(model, unpacked, names)

    # Rules that read `best_of` need the rules of cards, so they are compiled last.
    order = sorted(model.scoring, key=reads_best_of)
    compiled = {rule.id: compile_rule(rule, names, model) for rule in order}
    rules = tuple(compiled[rule.id] for rule in model.scoring)
    watches = watches_of(model, names, effects, later)
    abilities = abilities_of(model, names, effects)
    tie_breakers = tuple(
        (tie_breaker.order == "most", compared(tie_breaker.measure, names)) for tie_breaker in model.winner.tie_breakers
    )

    assembler = Assembler(model, names, effects, options, later)
    code = assembler.game()
    acts = tuple(assembler.lists.acts)
    choices = [step for step in code if isinstance(step, Choice)]

    # Every formula is compiled now, so all counters that something reads have a field.
    risen = {name for meaning in names.meanings.values() for what, name in references(meaning.expr) if what == "gained"}
    opening = {effects.lying(modifier.card) for modifier in model.modifiers if modifier.opens == "after_reveal"}
    modifiers = [fields.field(open_counter(modifier.id)) for modifier in model.modifiers]
    plays = tuple(pack(play, fields, names) for play in unpacked)
    wander = cards_wander(model)
    places = max((len(zone.layout) for zone in model.zones), default=0)
    kept, gone = fields.kept("all"), [*fields.kept("none"), *fields.kept("mixed")]
    return Program(
        model=model,
        rules_hash=rules_hash,
        players=players,
        seats=seats_of(model, players),
        ranked=names.seat_count,
        all_players=tuple(range(players)),
        face_of=options.face_of,
        typical=options.typical,
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
        cards_count_elsewhere=wander,
        added=added_in(model, unpacked, fields) if wander else (),
        added_again=added_in(model, unpacked, fields, cleared=True) if wander else (),
        abilities=abilities,
        effects=tuple(effects.all),
        watches=(*watches, *acts),
        rules=rules,
        provisional_rules=standings_of(rules),
        plays_read_by_rule=tuple(plays_behind(rule, unpacked, model) for rule in model.scoring),
        modifier_of=MappingProxyType(
            {field.field_mask: modifier for field, modifier in zip(modifiers, model.modifiers, strict=True)}
        ),
        sources_of_points=_sources_of_points(model, effects, unpacked, choices, acts),
        tie_breakers=tie_breakers,
        markers=model.markers,
        chip_values=tuple(pile.values for pile in model.chips),
        mean_chip_values=tuple(map(mean_chip, model.chips)),
        code=code,
        steps=MappingProxyType(assembler.begins),
        places=MappingProxyType(assembler.places),
        meanings=MappingProxyType(names.meanings),
    )


def _sources_of_points(
    model: CardSet,
    effects: Effects,
    plays: Sequence[UnpackedPlay],
    choices: Sequence[Choice],
    acts: Sequence[CompiledTrigger],
) -> tuple[str, ...]:
    """Return the names of everything that gives points: rules, triggers, cards, actions, and list steps."""
    lists = (
        [(play.name, play.effects) for play in plays],
        [(way.name, way.effects) for choice in choices for way in choice.actions],
        [(act.model.id, act.effects) for act in acts],
    )
    return (
        *(rule.id for rule in model.scoring),
        *(trigger.id for trigger in model.triggers if any(isinstance(effect, PointsStep) for effect in trigger.do)),
        *(
            name
            for named in lists
            for name in dict.fromkeys(
                name
                for name, carried_out in named
                if any(effects.all[effect].kind == "points" for effect in carried_out)
            )
        ),
    )


# Compiled formulas cannot be stored, so a pickled program is compiled again.
copyreg.pickle(Program, lambda program: (compile_game, (program.model, program.players, program.rules_hash)))
