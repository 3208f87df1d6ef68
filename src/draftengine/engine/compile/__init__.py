"""Compilation of a checked card set into a program: `compile_game` puts the compiled parts together."""

from __future__ import annotations

import copyreg
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

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
    from collections.abc import Iterator

    from draftengine.engine.compile.formulas import Heard
    from draftengine.model.cardset.records import CardSet


def compile_game(model: CardSet, players: int, rules_hash: str = "", heard: Heard | None = None) -> Program:
    """Compile a checked card set for a number of players. Games call `heard` with evaluated conditions."""
    parts = _Parts(with_players(model, players), players, heard)
    return Program(
        model=parts.model,
        rules_hash=rules_hash,
        players=players,
        seats=seats_of(parts.model, players),
        ranked=parts.names.seat_count,
        all_players=tuple(range(players)),
        **parts.cards(),
        **parts.counters(),
        **parts.scoring(),
        **parts.flow(),
    )


class _Parts:
    """The compiled parts of a game.

    Their order matters: compiling a formula assigns fields to the counters that it reads, so increments are packed
    last. Then counters that no formula reads cost nothing.
    """

    def __init__(self, model: CardSet, players: int, heard: Heard | None) -> None:
        self.model = model
        self.fields = Fields.of(model, players)
        self.names = FormulaNames(model, players, self.fields, heard=heard)

        self.lying = lying_of(model, unpacked_plays(model), self.names)
        self.effects = Effects(model, self.names, self.lying)
        later = later_lists(model)
        lists = {step_list.id: step_list for step_list in later if step_list.cause == "card"}
        on_play = {
            card.id: self.effects.of_list((*card.begins, *card.on_play), lists.get(card.id))
            for card in model.cards
            if card.begins or card.on_play
        }
        self.unpacked = with_effects(self.lying.unpacked, model, on_play)
        self.options = options_of(model, self.unpacked, self.names)

        # Rules that read `best_of` need the rules of cards, so they are compiled last.
        order = sorted(model.scoring, key=reads_best_of)
        compiled = {rule.id: compile_rule(rule, self.names, model) for rule in order}
        self.rules = tuple(compiled[rule.id] for rule in model.scoring)
        self.watches = watches_of(model, self.names, self.effects, later)
        self.abilities = abilities_of(model, self.names, self.effects)
        breakers = model.winner.tie_breakers
        self.tie_breakers = tuple((each.order == "most", compared(each.measure, self.names)) for each in breakers)

        self.assembler = Assembler(model, self.names, self.effects, self.options, later)
        self.code = self.assembler.game()
        self.acts = tuple(self.assembler.lists.acts)
        self.choices = [step for step in self.code if isinstance(step, Choice)]

        # Every formula is compiled now, so all counters that something reads have a field.
        self.opening = [self.fields.field(open_counter(modifier.id)) for modifier in model.modifiers]
        self.plays = tuple(pack(play, self.fields, self.names) for play in self.unpacked)

    def cards(self) -> dict[str, Any]:
        """Return the faces, plays and options of cards, and the number of options of a choice."""
        options, card_ids = self.options, [card.id for card in self.model.cards]
        places = max((len(zone.layout) for zone in self.model.zones), default=0)
        of_actions = (len(choice.actions) * choice.items_per_action for choice in self.choices)
        return {
            "face_of": options.face_of,
            "typical": options.typical,
            "card_of": tuple(play.card for play in self.plays),
            "counts_as": tuple(card_ids.index(play.form) for play in self.unpacked),
            "face_of_play": tuple(options.face_of[play.card] for play in self.plays),
            "plays": self.plays,
            "increments": tuple(play.increment for play in self.plays),
            "pieces_of_play": self.lying.pieces_of_play,
            "after_slot_used": self.lying.after_slot_used,
            "opened": self.lying.opened,
            "options": options.options,
            "options_of": options.of_card,
            "simple": self.assembler.simple,
            "single": tuple((option,) for option in range(len(options.options))),
            "width": max(len(options.options), places, *of_actions),
        }

    def counters(self) -> dict[str, Any]:
        """Return the layout of the packed words, what clearing keeps of them, and what cards add in each zone."""
        model, fields, names = self.model, self.fields, self.names
        meanings = names.meanings.values()
        risen = {name for meaning in meanings for what, name in references(meaning.expr) if what == "gained"}
        opening = {self.effects.lying(each.card) for each in model.modifiers if each.opens == "after_reveal"}
        kept, gone = fields.kept("all"), [*fields.kept("none"), *fields.kept("mixed")]
        wander = cards_wander(model)
        return {
            "fields": tuple(fields.given.values()),
            "gains": tuple(fields.field(name) for name in sorted(risen - opening)),
            "start_word": fields.start_word,
            "keep_bits": sum(field.field_mask for field in kept),
            "keep_word": sum((field.start + field.offset) << field.shift for field in gone),
            "mixed": tuple(fields.kept("mixed")),
            "zones": model.zones,
            "tableau": next(index for index, zone in enumerate(model.zones) if zone.id == TABLEAU),
            "cards_count_elsewhere": wander,
            "added": added_in(model, self.unpacked, fields) if wander else (),
            "added_again": added_in(model, self.unpacked, fields, cleared=True) if wander else (),
        }

    def scoring(self) -> dict[str, Any]:
        """Return everything that changes or compares points."""
        model, opened = self.model, zip(self.opening, self.model.modifiers, strict=True)
        return {
            "abilities": self.abilities,
            "effects": tuple(self.effects.all),
            "watches": (*self.watches, *self.acts),
            "rules": self.rules,
            "provisional_rules": standings_of(self.rules),
            "plays_read_by_rule": tuple(plays_behind(model.scoring, self.unpacked, model)),
            "modifier_of": MappingProxyType({field.field_mask: modifier for field, modifier in opened}),
            "sources_of_points": tuple(self.sources_of_points()),
            "tie_breakers": self.tie_breakers,
            "markers": model.markers,
            "chip_values": tuple(pile.values for pile in model.chips),
            "mean_chip_values": tuple(map(mean_chip, model.chips)),
        }

    def sources_of_points(self) -> Iterator[str]:
        """Yield the names of everything that gives points: rules, triggers, cards, actions, and list steps."""
        yield from (rule.id for rule in self.model.scoring)
        for trigger in self.model.triggers:
            if any(isinstance(effect, PointsStep) for effect in trigger.do):
                yield trigger.id
        for carried_out in (
            [(play.name, play.effects) for play in self.unpacked],
            [(way.name, way.effects) for choice in self.choices for way in choice.actions],
            [(act.model.id, act.effects) for act in self.acts],
        ):
            giving = (name for name, each in carried_out if any(self.effects.all[at].kind == "points" for at in each))
            yield from dict.fromkeys(giving)

    def flow(self) -> dict[str, Any]:
        """Return the instructions, with the index of each named step and the source of each instruction."""
        return {
            "code": self.code,
            "steps": MappingProxyType(self.assembler.begins),
            "places": MappingProxyType(self.assembler.places),
            "meanings": MappingProxyType(self.names.meanings),
        }


# Compiled formulas cannot be stored, so a pickled program is compiled again.
copyreg.pickle(Program, lambda program: (compile_game, (program.model, program.players, program.rules_hash)))
