"""A compiled program becomes the read-only memory of the kernel: nothing but whole numbers in one array."""

from __future__ import annotations

from functools import cached_property, reduce
from operator import or_
from typing import TYPE_CHECKING, Any, cast

from draftengine.cardset.counters import counters_of
from draftengine.cardset.facts import seat_scope
from draftengine.engine.flow import cards, choose, control
from draftengine.engine.program import RankedRule
from draftengine.engine.prospect import rules_at_end
from draftengine.engine.worth import counters_of as counters_of_plays
from draftengine.engine.worth import size_of
from draftengine.kernel import memory as at
from draftengine.kernel.formulas import Expressions, UnsupportedError
from draftengine.kernel.pack_flow import PackedFlow
from draftengine.kernel.rom import Rom
from draftengine.language.check import check
from draftengine.language.evaluate import references
from draftengine.language.tree import Call, Compare, Logic, Name, Number

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from draftengine.cardset.model import Zone
    from draftengine.engine.program import Program


class Packed:
    """A program packed for the kernel. Raises `UnsupportedError` if the kernel cannot play it."""

    def __init__(self, program: Program, *, tracked: bool = False, logged: bool = False) -> None:
        self.program = program
        self.expressions = Expressions(program)
        self.rom_ = Rom()
        self.labels = list(dict.fromkeys(rule.model.at for rule in program.rules))
        self.labels += [
            own.model.after
            for own in program.watches
            if own.model.after != "reveal" and own.model.after not in self.labels
        ]
        self.tracked = tracked or self._needs_tableaus()
        self.card_bits = max((len(program.plays) - 1).bit_length(), 1)
        self._limits()
        self._zones()
        self._cards()
        self._effects()
        self._rules()
        self.flow = PackedFlow(self)
        self._scalars(logged=logged)
        self._expressions()
        self.rom = self.rom_.array()

    # ── limits ────────────────────────────────────────────────────────────────────────────────────────────────────────

    def _limits(self) -> None:
        program = self.program
        bits = sum(own.mask.bit_length() for own in program.fields)
        rows = 1 + sum(program.seats if zone.per == "seat" else 1 for zone in program.zones)
        sources = len(program.sources_of_points) + len(program.chip_values)
        for what, size, most in (
            ("seats", program.seats, at.MAX_SEATS),
            ("bits of counters", bits, 64),
            ("plays", len(program.plays), at.EMPTY),
            ("options", len(program.options), 256),
            ("zones and owners", rows, at.MAX_ROWS),
            ("places", sum(len(zone.layout) for zone in program.zones), at.MAX_PLACES),
            ("sources of points", sources, at.MAX_SOURCES),
            ("markers", len(program.markers), at.MAX_MARKERS),
            ("piles of chips", len(program.chip_values), at.MAX_PILES),
            ("chips", sum(map(len, program.chip_values)), at.MAX_CHIPS),
            ("cards", len(program.deck), 1000),
            ("turns in one another", sum(isinstance(own, control.StartTurns) for own in program.code), at.MAX_DEPTH),
            ("plays", program.turn_bound * program.seats * 8, at.MAX_LOGGED),
        ):
            if size > most:
                raise UnsupportedError(f"the kernel has room for {most} {what}, and this game has {size}")

    # ── zones and cards ───────────────────────────────────────────────────────────────────────────────────────────────

    def _zones(self) -> None:
        program, rom = self.program, self.rom_
        longest = len(program.deck) + max((len(zone.layout) for zone in program.zones), default=0)
        self.cells = 8 * (longest // 8 + 2)
        row, places = 0, 0
        zones: list[tuple[int, ...]] = []
        covers: list[int] = []
        for zone in program.zones:
            owners = program.seats if zone.per == "seat" else 1
            face_down = sum(int(place.face_down) << index for index, place in enumerate(zone.layout))
            zones.append((row, owners, places, len(zone.layout), face_down, len(covers)))
            covers += _covers(zone)
            row, places = row + owners, places + len(zone.layout)
        self.rows = row + 1
        rom.scalar(at.SCRATCH, row)
        rom.scalar(at.PLACE_COUNT, places)
        contents: list[list[int]] = [[] for _ in range(self.rows)]
        for (first, *_), zone in zip(zones, program.zones, strict=True):
            if zone.layout:
                contents[first] = [at.EMPTY] * len(zone.layout)
        for index, own in program.box:
            contents[zones[index][0]] = list(own)
        rom.table(at.ZONES, zones, at.ZONES_ROW)
        rom.table(at.COVERS, covers)
        self.start_cells: list[int] = []
        start_rows = []
        for lying in contents:
            start_rows.append((len(lying), (self.rows * self.cells + len(self.start_cells)) // 8))
            self.start_cells += lying + [0] * (-len(lying) % 8)
        rom.table(at.START_CARDS, start_rows, at.START_CARDS_ROW)

    def _cards(self) -> None:
        program, rom = self.program, self.rom_
        starts, offered = _listed(program.options_of)
        card_rows = []
        for card, own in enumerate(program.options_of):
            first, last = program.options[own[0]].plays, program.options[own[-1]].plays
            card_rows.append(
                (
                    starts[card],
                    len(own),
                    program.typical[card],
                    dict(first)[card],
                    own[-1],
                    dict(last)[card],
                    int(len(dict(last)) == 1),
                )
            )
        rom.table(at.CARDS, card_rows, at.CARDS_ROW)
        wild = sum(
            1 << card
            for card, own in enumerate(program.options_of)
            if len(own) > 1 or program.options[own[0]].allowed is not None
        )
        rom.scalar(at.WILD_CARDS, -1 if wild and len(program.cards) > at.WORD_BITS else wild)
        rom.table(at.OPTION_LISTS, offered)
        rom.table(at.COPIES, [program.deck.count(card) for card in range(len(program.cards))])
        rom.table(
            at.OPTIONS,
            [
                (self.expressions.number(own.allowed), own.shown, *self._at_least(own.allowed))
                for own in program.options
            ],
            at.OPTIONS_ROW,
        )
        rom.table(
            at.OPTION_PLAYS,
            [dict(own.plays).get(card, -1) for own in program.options for card in range(len(program.cards))],
        )
        self.effect_lists: list[int] = []
        rows, counters = [], counters_of_plays(program)
        for index, play in enumerate(program.plays):
            source = _place(program.sources_of_points, play.name)
            effects = (self._effect_list(play.effects), len(play.effects))
            rows.append((play.card, *effects, int(index in program.stays), source, *counters[index]))
        rom.table(at.PLAYS, rows, at.PLAYS_ROW)
        modifiers = tuple(dict.fromkeys(bits for play in program.plays for bits in play.modifiers))
        if len(modifiers) > at.MAX_MODIFIERS:
            raise UnsupportedError(f"the kernel has room for {at.MAX_MODIFIERS} modifiers")
        rom.table(at.MODIFIERS, modifiers or (0,))
        rom.table(at.INCREMENTS, [choose.rise(play, word) for word in _sums(modifiers) for play in program.plays])
        rom.table(at.MIXED, [play.mixed for play in program.plays])
        rom.scalar(at.MODIFIER_COUNT, len(modifiers))
        rom.scalar(at.PLAY_COUNT, len(program.plays))
        rom.table(at.WORTH, [0] * size_of(program))

    def _at_least(self, value: Any) -> tuple[int, int, int]:
        """Shift, mask and least value of a counter, if a formula says no more than that there is so much of it."""
        if value is not None:
            meaning = self.program.meanings[value]
            match meaning.expr:
                case Compare(op=">" | ">=" as op, left=Name(id=name), right=Number(value=least)):
                    field = self._field_named(meaning.names.alias.get(name, name))
                    if field is not None:
                        return field.shift, field.mask, least + field.bias + int(op == ">")
        return 0, 0, 0

    def _field_named(self, name: str) -> Any:
        """The counter of a name; None if it isn't one."""
        return next((own for own in self.program.fields if own.name == name), None)

    def _effect_list(self, effects: Sequence[int]) -> int:
        start = len(self.effect_lists)
        self.effect_lists += effects
        return start

    # ── effects and rules ─────────────────────────────────────────────────────────────────────────────────────────────

    def _effects(self) -> None:
        program, rom, number = self.program, self.rom_, self.expressions.number
        kinds = {
            "points": at.DO_POINTS,
            "take": at.DO_TAKE,
            "roll": at.DO_ROLL,
            "add": at.DO_ADD,
            "open": at.DO_ADD,
            "set": at.DO_SET,
            "chip": at.DO_CHIP,
            "discard": at.DO_DISCARD,
        }
        effects: list[tuple[int, ...]] = []
        amounts: list[tuple[int, ...]] = []
        for own in program.effects:
            effects.append(
                (
                    kinds[own.kind],
                    own.target,
                    self.expressions.amount(own.value),
                    own.sides,
                    len(amounts),
                    len(own.amounts),
                )
            )
            for more in own.amounts:
                field, by = more.field, -1 if own.kind == "roll" else number(more.value)
                amounts.append((field.shift, field.mask, field.bias, by, more.low, more.high))
        watches = []
        for watch in program.watches:
            label = at.REVEAL if watch.model.after == "reveal" else self.labels.index(watch.model.after)
            source = _place(program.sources_of_points, watch.model.id)
            watches.append(
                (
                    label,
                    int(watch.model.only == "single"),
                    number(watch.who),
                    number(watch.unless),
                    self._effect_list(watch.effects),
                    len(watch.effects),
                    source,
                    self._guard(watch.who) if watch.model.after == "reveal" else 0,
                )
            )
        rom.table(at.EFFECTS, effects, at.EFFECTS_ROW)
        rom.table(at.AMOUNTS, amounts, at.AMOUNTS_ROW)
        guards = [row[at.WATCH_GUARD] for row in watches if row[at.WATCH_LABEL] == at.REVEAL]
        rom.table(at.WATCHES, watches, at.WATCHES_ROW)
        rom.scalar(at.ALERT, int(not all(guards)))
        rom.scalar(at.ALERTS, reduce(or_, guards, 0))
        rom.table(at.EFFECT_LISTS, self.effect_lists)

    def _guard(self, who: Any) -> int:
        """The bits of a counter that has to rise for a trigger to happen; 0 if it does not need one."""
        wanted = [self.program.meanings[who].expr]
        while wanted:
            match wanted.pop():
                case Logic(op="and") as both:
                    wanted += [both.left, both.right]
                case Compare(op=">", left=Call(function="gained", arguments=(Name() as name,)), right=Number(value=0)):
                    return cast("int", self._field_named(name.id).bits)
        return 0

    def _rules(self) -> None:
        program, rom, number = self.program, self.rom_, self.expressions.number
        self.luts: list[int] = []
        self.inputs: list[tuple[int, ...]] = []
        rows = []
        for rule in program.rules:
            when = number(rule.when)
            if isinstance(rule, RankedRule):
                rows.append([*self._ranked(rule, when)])
                continue
            field = self._single_field(rule.inputs)
            if field is not None:
                rows.append([at.RULE_LUT, when, -1, field.shift, field.mask, self._lut(rule, field)])
            else:
                rows.append([at.RULE_TABLE, when, -1, len(self.inputs), len(rule.inputs)])
                self.inputs += self._ranges(rule)
        looked_at = [self._looked_at(rule) for rule in program.rules]
        rows = [[*row, *[0] * (at.RULE_BITS - len(row)), bits] for row, bits in zip(rows, looked_at, strict=True)]
        rom.table(at.RULES, rows, at.RULES_ROW)
        at_end = rules_at_end(program)
        rom.table(at.AT_END, [(rule, int(program.rules[rule].lasts)) for rule in at_end], at.AT_END_ROW)
        rom.scalar(at.AT_END_COUNT, len(at_end))
        rom.table(at.LUTS, self.luts)
        rom.table(at.RANKS, [0] * (at.RANKS_ROW * len(rows) if program.ranked <= at.FEW_SEATS else 0))
        rom.table(at.INPUTS, self.inputs, at.INPUTS_ROW)

    def _looked_at(self, rule: Any) -> int:
        """The bits of the counters that a rule depends on."""
        values = (rule.measure,) if isinstance(rule, RankedRule) else rule.inputs
        asked = [self.program.meanings[value] for value in (*values, rule.when) if value is not None]
        named = {name for own in asked for what, name in references(own.expr) if what in {"name", "gained"}}
        return reduce(or_, (own.bits for own in self.program.fields if own.name in named), 0)

    def _ranked(self, rule: RankedRule, when: int) -> tuple[int, ...]:
        field = self._single_field((rule.measure,))
        least = rule.kind.threshold(rule.numbers)
        if field is not None:
            return (at.RULE_RANKED_FIELD, when, rule.chip, field.shift, field.mask, field.bias, least)
        return (at.RULE_RANKED, when, rule.chip, self.expressions.number(rule.measure), 0, 0, least)

    def _single_field(self, values: Sequence[Any]) -> Any:
        """The counter that a rule looks at, if it looks at one alone."""
        if len(values) != 1:
            return None
        meaning = self.program.meanings[values[0]]
        named = references(meaning.expr)
        if len(named) != 1 or type(meaning.expr).__name__ != "Name":
            return None
        ((what, name),) = named
        return self._field_named(name) if what == "name" else None

    def is_plain(self, index: int) -> bool:
        """Does a rule look at one counter alone, whatever else is the case."""
        rule = self.program.rules[index]
        return not isinstance(rule, RankedRule) and rule.when is None and self._single_field(rule.inputs) is not None

    def _lut(self, rule: Any, field: Any) -> int:
        start = len(self.luts)
        self.luts += [rule.kind.score(rule.numbers, [raw - field.bias]) for raw in range(field.mask + 1)]
        return start

    def _ranges(self, rule: Any) -> list[tuple[int, ...]]:
        """The inputs of a rule with the range of their values, which make a key of limited size."""
        model, players = self.program.model, self.program.players
        scope = seat_scope(model, players, counters_of(model, players, any_table=True))
        rows: list[tuple[int, ...]] = []
        size = len(self.program.rules)
        for value in rule.inputs:
            checked = check(self.program.meanings[value].expr, scope)
            rows.append((self.expressions.number(value), checked.low, checked.high - checked.low + 1))
            size *= checked.high - checked.low + 1
        if size >= 1 << 60 or len(rows) > at.MAX_INPUTS:
            raise UnsupportedError(f"the rule {rule.model.id} looks at too much at once")
        return rows

    # ── the rest ──────────────────────────────────────────────────────────────────────────────────────────────────────

    def _scalars(self, *, logged: bool) -> None:
        program, rom = self.program, self.rom_
        starts = {"nobody": at.NOBODY, "first": 0, "random": at.AT_RANDOM}
        rom.table(at.MARKERS_START, [starts.get(own.start, own.start) for own in program.markers])  # type: ignore[arg-type]
        rom.table(at.PILES_START, [(len(values), *values) for values in program.chip_values], at.PILES_ROW)
        rom.table(at.MEAN_CHIPS, program.mean_chips)
        rom.table(
            at.TIES,
            [(int(most), self.expressions.number(measure)) for most, measure in program.tie_breakers],
            at.TIES_ROW,
        )
        rom.table(at.CAN_WIN, [int(wins) for wins in program.can_win])
        self.sources = (*program.sources_of_points, *(pile.id for pile in program.model.chips))
        for place, value in (
            (at.PLAYERS, program.players),
            (at.SEATS, program.seats),
            (at.RANKED, program.ranked),
            (at.ROUNDS, program.model.rounds),
            (at.CARD_BITS, self.card_bits),
            (at.CARD_LANES, sum(1 << shift for shift in range(0, at.WORD_BITS - self.card_bits + 1, self.card_bits))),
            (at.CELLS, self.cells),
            (at.ROW_COUNT, self.rows),
            (at.SOURCE_COUNT, len(self.sources)),
            (at.RULE_COUNT, len(program.rules)),
            (at.WATCH_COUNT, len(program.watches)),
            (at.TRACKED, int(self.tracked)),
            (at.NOTED, int(self.tracked or logged or any(play.effects for play in program.plays))),
            (at.SIMPLE, int(program.simple)),
            (at.MARKER_COUNT, len(program.markers)),
            (at.PILE_COUNT, len(program.chip_values)),
            (at.TABLEAU, program.zone_index("tableau")),
            (at.DISCARD, program.zone_index("discard")),
            (at.TIE_COUNT, len(program.tie_breakers)),
            (at.START_WORD, program.start_word),
            (at.KEEP_BITS, program.keep_bits),
            (at.KEEP_WORD, program.keep_word),
            (at.HAS_MIXED, int(bool(program.mixed))),
            (at.OPTION_COUNT, len(program.options)),
            (at.CARD_COUNT, len(program.cards)),
            (at.ZONE_COUNT, len(program.zones)),
            (at.LOGGED, int(logged)),
        ):
            rom.scalar(place, value)

    def _needs_tableaus(self) -> bool:
        """Does anything look at the cards in tableaus or on the discard pile, beyond what the counters say."""
        program = self.program
        piles = {program.zone_index("tableau"), program.zone_index("discard")}
        return (
            bool(program.mixed)
            or any(effect.kind == "discard" for effect in program.effects)
            or bool(self.counted_zones & {"tableau", "discard"})
            or any(isinstance(own, cards.Gather) and program.stays for own in program.code)
            or any(isinstance(own, cards.MoveAll) and {own.source, own.target} & piles for own in program.code)
            or any(isinstance(own, cards.Deal) and {own.source, own.target} & piles for own in program.code)
            or any(isinstance(own, cards.Shuffle) and own.zone in piles for own in program.code)
            or any(isinstance(own, cards.Pass) and own.zone in piles for own in program.code)
            or any(isinstance(own, choose.Choice) and own.source in piles for own in program.code)
            or any(isinstance(own, control.NextTurn) and own.zone in piles for own in program.code)
        )

    @cached_property
    def counted_zones(self) -> frozenset[str]:
        """The zones whose cards some formula counts."""
        asked = (references(meaning.expr) for meaning in self.program.meanings.values())
        return frozenset(name for found in asked for what, name in found if what == "cards")

    def _expressions(self) -> None:
        self.rom_.table(at.EXPRESSIONS, self.expressions.rows, at.EXPRESSIONS_ROW)
        self.rom_.table(at.OPERATIONS, self.expressions.operations, at.OPERATIONS_ROW)


def _covers(zone: Zone) -> list[int]:
    """For every eight places of a layout: the places that are covered, by which of the eight have a card."""
    names = {place.id: index for index, place in enumerate(zone.layout)}
    below = [0] * (-(-len(names) // 8) * 8)
    for index, place in enumerate(zone.layout):
        for cover in place.covered_by:
            below[names[cover]] |= 1 << index
    tables = []
    for first in range(0, len(below), 8):
        for there in range(at.COVERS_ROW):
            lying = (bits for place, bits in enumerate(below[first : first + 8]) if there >> place & 1)
            tables.append(reduce(or_, lying, 0))
    return tables


def _place(sources: Sequence[str], name: str) -> int:
    """Where a source of points stands; what gives none has no place of its own."""
    return sources.index(name) if name in sources else 0


def _sums(bits: Sequence[int]) -> list[int]:
    """Words with every combination of some bits."""
    return [sum(own for index, own in enumerate(bits) if chosen >> index & 1) for chosen in range(1 << len(bits))]


def _listed(lists: Iterable[Sequence[int]]) -> tuple[list[int], list[int]]:
    """Lists put one behind the other, and where each begins."""
    starts: list[int] = []
    together: list[int] = []
    for own in lists:
        starts.append(len(together))
        together += own
    return starts, together
