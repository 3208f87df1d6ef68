"""What is known of a game before it starts: where everything lies, who counts where, and what steps are about."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from draftengine.cardset.counters import counters_of
from draftengine.cardset.facts import card_numbers, flow_scope, reads_best_of, scoring_cards, seat_scope
from draftengine.cardset.flow import plan as plan_of_flow
from draftengine.compiled.items import Items
from draftengine.compiled.known import once
from draftengine.compiled.limits import UnsupportedError
from draftengine.compiled.sights import Sights
from draftengine.compiled.tables import Tables
from draftengine.compiled.views import Views
from draftengine.engine.accounting import Shape
from draftengine.engine.chance import PURPOSES, mix
from draftengine.engine.flow import cards, choose, control
from draftengine.engine.program import OneSeatRule, RankedRule
from draftengine.engine.prospect import rules_at_end
from draftengine.language.check import check
from draftengine.language.evaluate import bound, compares_seats, constant_value, references
from draftengine.language.tree import Call, Compare, Expr, Logic, Name, Number

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from draftengine.compiled.views import Numbers
    from draftengine.engine.compile.values import Names
    from draftengine.engine.flow.instruction import Instruction
    from draftengine.engine.program import Field, Program, Value, Watch

PURPOSE = {name: mix(own) for name, own in PURPOSES.items()}
"""What the streams of a game differ by."""
LANES = 63
"""So many bits of a word can hold cards."""
MOST_BITS = 63
"""So many bits of packed counters are one word."""
RANDOM, GREEDY, TABLE, PLAYOUT = range(4)
POLICIES = {"random": RANDOM, "greedy": GREEDY, "table": TABLE, "playout": PLAYOUT}
"""How seats choose; ``playout`` is ``table`` with exploring (see `draftengine.engine.worth.EXPLORE`)."""


class Plan:
    """A compiled card set, seen as the text needs it. Everything here is known before a game begins."""

    ends_with_rounds = False
    """Can play end where a round does (see `Game.near`)."""

    def __init__(
        self,
        program: Program,
        policies: Sequence[str],
        *,
        stopping: bool = False,
        logged: bool = False,
        learning: bool = False,
        numbers: Numbers | None = None,
    ) -> None:
        self.program = program
        self.policies = tuple(POLICIES[name] for name in policies)
        self.stopping = stopping
        self.logged = logged
        self.learning = learning
        self.numbers = numbers
        self.observed = numbers is not None
        """Is it followed what seats know of where cards lie."""
        self.endless = self.observed
        """Is the next game dealt when one is over."""
        self.rules_at_end = rules_at_end(program)
        self.tables = Tables(program, self.input_range, lambda value: self.field(*self._name_in(value)))
        self.flow = plan_of_flow(program.model, program.players)
        self.players, self.seats = range(program.players), range(program.seats)
        self.ranked = range(program.ranked)
        self.able = tuple(seat for seat in self.seats if program.can_win[seat])
        self.rounds = program.model.rounds
        self.zones = range(len(program.zones))
        self.discard = program.zone_index("discard")
        self.tableau = program.tableau
        self.counting = tuple(zone for zone, own in enumerate(program.zones) if own.counts)
        """The zones whose cards count."""
        self.markers, self.piles = range(len(program.markers)), range(len(program.chip_values))
        self.bits = max((max(len(program.cards), len(program.plays)) - 1).bit_length(), 1)
        self.mask = (1 << self.bits) - 1
        self.ones = sum(1 << self.bits * at for at in range(LANES // self.bits))
        self.all_choose_at_random = set(self.policies) == {RANDOM}
        self.sources = (*program.sources_of_points, *(pile.id for pile in program.model.chips))
        self.most_logged = self.flow.turns * program.seats * 4 + 64
        self.compares = any(own != RANDOM for own in self.policies)
        self._constants: dict[tuple[int, str], int | None] = {}
        self._fields = {own.name: own for own in program.fields}
        if max((own.shift + own.mask.bit_length() for own in program.fields), default=0) > MOST_BITS:
            raise UnsupportedError("the counters of a seat need more than one word")
        if any(isinstance(step, choose.Choice) and step.ways for step in program.code):
            if self.observed:
                raise UnsupportedError("there are ways to choose")
            if any(own.forms for own in program.model.cards):
                raise UnsupportedError("there are ways to choose, and wild cards")
        if program.wander and self.observed:
            raise UnsupportedError("cards leave zones that count, or lie in several")
        self.tables.check()
        if self.observed:
            self.views  # noqa: B018 (it refuses what cannot be shown)
        if self.compares:
            self.items  # noqa: B018 (it refuses what cannot be compared)

    # ── formulas ────────────────────────────────────────────────────────────────────────────────────────────────────

    def formula(self, value: Value | None) -> tuple[Names, Expr]:
        """What the names in a formula mean, and the formula."""
        assert value is not None
        meaning = self.program.meanings[value]
        return meaning.names, meaning.expr

    @once
    def asked(self, value: Value | None, seat: int) -> Expr:
        """A formula, which says of every ``my(x)`` which seat asks."""
        return bound(self.formula(value)[1], seat) if compares_seats(self.formula(value)[1]) else self.formula(value)[1]

    def number(self, expr: Expr) -> int:
        """The number that a node is."""
        assert isinstance(expr, Number)
        return expr.value

    def is_constant(self, names: Names, name: str) -> bool:
        """Does a name never change in a game."""
        return self._constant(names, name) is not None

    def constant(self, names: Names, name: str) -> int:
        """The value of such a name."""
        found = self._constant(names, name)
        assert found is not None
        return found

    def _constant(self, names: Names, name: str) -> int | None:
        key = id(names), name
        if key not in self._constants:
            self._constants[key] = names.constant(name)
        return self._constants[key]

    def field(self, names: Names, name: str) -> Field:
        """Where the counter of a name lies."""
        return self._fields[names.alias.get(name, name)]

    @once
    def marker(self, name: str) -> int:
        """The number of a marker."""
        return next(index for index, own in enumerate(self.program.markers) if own.id == name)

    @once
    def range_of(self, value: Value) -> tuple[int, int]:
        """The proved bounds of a formula."""
        program, (names, expr) = self.program, self.formula(value)
        known = constant_value(expr, names)
        if known is not None:
            return known, known
        scope = seat_scope(
            program.model,
            program.players,
            counters_of(program.model, program.players, any_table=True),
            **_locals(names),
        )
        found = check(expr, scope)
        if found.mistakes:
            found = check(expr, flow_scope(program.model, program.players))
        return int(found.low), int(found.high)

    def input_range(self, value: Value) -> tuple[int, int]:
        """The bounds of an input of a rule, also for what seats expect of a card that they cannot see."""
        if not self.tables.share_faces:
            return self.range_of(value)
        program, (names, expr) = self.program, self.formula(value)
        infos = {own.id: own for own in counters_of(program.model, program.players, any_table=True)}
        wide = {own.name: replace(infos[own.name], low=-own.bias, high=own.mask - own.bias) for own in program.fields}
        found = check(
            expr, seat_scope(program.model, program.players, tuple((infos | wide).values()), **_locals(names))
        )
        return int(found.low), int(found.high)

    def _name_in(self, value: Value) -> tuple[Names, str]:
        names, expr = self.formula(value)
        return names, name_of(expr)

    def always(self, value: Value) -> int | None:
        """The value of a formula that is the same in the whole game."""
        low, high = self.range_of(value)
        return low if low == high else None

    @cached_property
    def asks_gained(self) -> bool:
        """Does a formula ask how much a counter rose."""
        return any(what == "gained" for own in self.program.meanings.values() for what, _ in references(own.expr))

    @cached_property
    def looks_back(self) -> bool:
        """Does anything ask for the counters as they were when the last cards were chosen."""
        return self.asks_gained or any(isinstance(step, choose.Choice) and step.offer for step in self.program.code)

    @once
    def counts_points(self, rules: tuple[int, ...]) -> bool:
        """Does one of some rules look at points, so that they have to be given together."""
        return any(("name", "points") in references(self.formula(own)[1]) for own in self._read_by(rules))

    @cached_property
    def scoring_cards(self) -> tuple[int, ...]:
        """The rules of which `best_of` takes the most."""
        cards = tuple(scoring_cards(self.program.model))
        return tuple(index for index, own in enumerate(self.program.rules) if own.model in cards)

    def _read_by(self, rules: tuple[int, ...]) -> Iterator[Value]:
        asked = any(reads_best_of(self.program.rules[index].model) for index in rules)
        for index in (*rules, *(self.scoring_cards if asked else ())):
            rule = self.program.rules[index]
            yield from (rule.measure,) if isinstance(rule, RankedRule) else rule.inputs
            if rule.when is not None:
                yield rule.when

    # ── where cards lie ─────────────────────────────────────────────────────────────────────────────────────────────

    def owners(self, zone: int) -> range:
        """Who has cards of their own in a zone; a shared zone has the owner 0."""
        if self.program.zones[zone].per != "seat":
            return range(1)
        return self.players if self.is_even(zone) else self.seats

    def owner(self, zone: int, seat: int) -> int:
        """The owner of a seat's cards in a zone."""
        return seat if self.program.zones[zone].per == "seat" else 0

    def layout(self, zone: int) -> int:
        """The number of a zone with places among those that have some."""
        return [own for own in self.zones if self.program.zones[own].layout].index(zone)

    @once
    def is_kept(self, zone: int) -> bool:
        """Is it ever asked what lies in a zone. What only lies there needs no room."""
        if self.program.zones[zone].layout:
            return False
        if self.observed or any(
            ("cards", self.program.zones[zone].id) in references(own.expr) for own in self.program.meanings.values()
        ):
            return True
        if zone in self.counting:
            return self.program.wander or self._tableau_is_read
        for step in self.program.code:
            match step:
                case cards.Deal() | cards.MoveAll() | choose.Choice() if step.source == zone:
                    return True
                case cards.Pass() | cards.Shuffle() | control.NextTurn() if step.zone == zone:
                    return True
                case _:
                    pass
        return False

    @cached_property
    def _tableau_is_read(self) -> bool:
        program = self.program
        clears = any(isinstance(step, cards.Clear) for step in program.code)
        gathers = any(isinstance(step, cards.Gather) for step in program.code)
        return (
            bool(clears and self.is_kept(self.discard))
            or any(own.kind == "discard" for own in program.effects)
            or bool(gathers and program.stays)
            or bool((clears or gathers) and program.mixed)
        )

    @once
    def capacity(self, zone: int) -> int:
        """How many cards an owner can have there at most."""
        own = self.program.zones[zone]
        if zone == self.tableau:
            return len(self.program.deck)
        if own.per == "table":
            return len(self.program.deck)
        return min(max(dict(self.flow.sizes)[own.id], default=0) + 2, len(self.program.deck))

    @once
    def is_lanes(self, zone: int) -> bool:
        """Do the cards of an owner lie in one word."""
        small = self.capacity(zone) * self.bits <= LANES
        return self.is_kept(zone) and zone not in self.counting and self.program.zones[zone].per == "seat" and small

    @once
    def between(self, source: int, target: int) -> tuple[int, ...]:
        """What the counters of a seat rise by when a card goes from one of its zones to another, by card."""
        return tuple(self.program.rise_between(source, target, card) for card in range(len(self.program.cards)))

    @once
    def is_heap(self, zone: int) -> bool:
        """Are they a list of their own."""
        return self.is_kept(zone) and not self.is_lanes(zone)

    @cached_property
    def hands(self) -> list[tuple[int, int]]:
        """Every word of lanes: its zone and owner. Players choose from the copies that stand behind (see `stock`)."""
        lanes = [(zone, owner) for zone in self.zones if self.is_lanes(zone) for owner in self.owners(zone)]
        return lanes + [(~zone, seat) for zone in self.zones if self.is_lanes(zone) for seat in self.players]

    @once
    def hand(self, zone: int, owner: int) -> int:
        """Which word has the cards of an owner."""
        return self.hands.index((zone, owner))

    @cached_property
    def _heaps(self) -> dict[tuple[int, int], int]:
        found: dict[tuple[int, int], int] = {}
        at = 0
        for zone in self.zones:
            if self.is_heap(zone):
                for key in [(zone, owner) for owner in self.owners(zone)] + self._stocks(zone):
                    found[key] = at
                    at += self.capacity(zone)
        self.heap_size = at
        return found

    def _stocks(self, zone: int) -> list[tuple[int, int]]:
        return [(~zone, seat) for seat in self.players] if self.program.zones[zone].per == "seat" else []

    @once
    def first(self, zone: int, owner: int) -> int:
        """Where the list of an owner begins."""
        return self._heaps[zone, owner]

    def is_even(self, zone: int) -> bool:
        """Do all players always hold equally many cards there, and nobody else any."""
        return zone in self._even

    @cached_property
    def _even(self) -> frozenset[int]:
        even = frozenset(zone for zone in self.zones if self.is_lanes(zone))
        while True:
            found = frozenset(zone for zone in even if self._stays_even(zone, even))
            if found == even:
                return even
            even = found

    def _stays_even(self, zone: int, even: frozenset[int]) -> bool:
        """Does no step make a difference between players, if none does in the `even` zones."""
        shared = [own for own in self.zones if self.program.zones[own].per != "seat"]
        for step in self.program.code:
            match step:
                case cards.Deal() if zone in (step.source, step.target):
                    if step.marker >= 0 or step.who or not step.exact or step.source not in {*shared, *even}:
                        return False
                case cards.MoveAll() if zone == step.target and step.source not in even:
                    return False
                case choose.Choice() if step.ways and zone in (step.source, *(own.laying.target for own in step.ways)):
                    return False
                case choose.Choice() if zone in (step.source, step.target):
                    alike = not (step.marker >= 0 or step.who or step.also or step.layout)
                    if not alike or not step.keeps_even or step.source not in even:
                        return False
                    if not step.offer and self.always(step.cards) is None:
                        return False
                case _:
                    pass
        return True

    @cached_property
    def lots(self) -> list[tuple[int, int]]:
        """Every number of cards that is counted: its zone and owner."""
        found = [(zone, owner) for zone in self.zones if self.is_kept(zone) for owner in self._counted(zone)]
        return found + [key for zone in self.zones if self.is_kept(zone) for key in self._stocks(zone)]

    def _counted(self, zone: int) -> range:
        return range(1) if self.is_even(zone) else self.owners(zone)

    @once
    def lot(self, zone: int, owner: int) -> int:
        """Which number counts the cards of an owner: one for all, where all hold equally many."""
        return self.lots.index((zone, 0 if zone >= 0 and self.is_even(zone) else owner))

    @once
    def lots_of(self, zone: int) -> tuple[int, ...]:
        """The numbers that count the cards of a zone."""
        return tuple(dict.fromkeys(self.lot(zone, owner) for owner in self.owners(zone)))

    @once
    def unseen(self, zone: int) -> int:
        """How many cards of a pile cannot matter until it is made anew, and need no shuffling; 0 if that is unclear."""
        program = self.program
        deals = [step for step in program.code if isinstance(step, cards.Deal) and step.source == zone]
        moved = any(isinstance(step, cards.MoveAll) and zone in (step.source, step.target) for step in program.code)
        chosen = any(isinstance(step, choose.Choice) and step.source == zone for step in program.code)
        counted = any(what == "cards" for own in program.meanings.values() for what, _ in references(own.expr))
        drawn = [self.always(step.cards) for step in deals]
        nested = any(isinstance(step, (control.Unless, control.NextTurn)) for step in self._around(deals))
        if len(program.box) != 1 or moved or chosen or counted or nested or None in drawn:
            return 0
        if any(program.zones[step.source].per == "seat" or step.marker >= 0 or step.who for step in deals):
            return 0
        owners = [len(self.players) if program.zones[step.target].per == "seat" else 1 for step in deals]
        most = sum(count * own for count, own in zip(drawn, owners, strict=True) if count is not None)
        gathers = any(isinstance(step, cards.Gather) for step in program.code)
        return max(0, len(program.deck) - (most if gathers else most * self.rounds)) if not program.stays else 0

    def _around(self, deals: Sequence[cards.Deal]) -> Iterator[Instruction]:
        """The steps that repeat or skip one of some deals."""
        for at, step in enumerate(self.program.code):
            end = getattr(step, "skip", getattr(step, "done", -1))
            if any(inside in deals for inside in self.program.code[at:end]):
                yield step

    # ── steps and rules ─────────────────────────────────────────────────────────────────────────────────────────────

    def step(self, at: int) -> Any:
        """A step of the flow."""
        return self.program.code[at]

    def own_rule(self, index: int) -> OneSeatRule:
        """A rule on a seat's own values."""
        rule = self.program.rules[index]
        assert isinstance(rule, OneSeatRule)
        return rule

    def ranking(self, index: int) -> RankedRule:
        """A rule that compares seats."""
        rule = self.program.rules[index]
        assert isinstance(rule, RankedRule)
        return rule

    def gives_one_chip(self, index: int) -> bool:
        """Does a ranking never give more than one chip, to whomever."""
        rule = self.ranking(index)
        return rule.chip >= 0 and rule.copies is None and self.tables.most_given(index) <= 1

    # ── choices ─────────────────────────────────────────────────────────────────────────────────────────────────────

    @cached_property
    def choices(self) -> list[int]:
        """The steps at which games wait."""
        return [at for at, step in enumerate(self.program.code) if isinstance(step, choose.Choice)]

    @property
    def most_chosen(self) -> int:
        """How often players can choose in a game, all together."""
        return (self.flow.turns + 1) * len(self.choices) * len(self.players)

    @once
    def most_own(self, step: choose.Choice) -> int:
        """How many cards a seat can take for itself at most."""
        if step.offer:
            return 0
        if step.ways:
            return max(self.most_own(way.laying) for way in step.ways)
        room = len(self.program.zones[step.source].layout) or self.capacity(step.source)
        return max(0, min(self.range_of(step.cards)[1], room))

    @once
    def most_further(self, step: choose.Choice) -> int:
        """How many further cards an ability can bring at most."""
        uses = [self.program.abilities[own].model for own in step.abilities]
        return max((use.take * use.per_turn for use in uses), default=0)

    @cached_property
    def sights(self) -> Sights:
        """Where what seats know is counted."""
        return Sights(self)

    @cached_property
    def views(self) -> Views:
        """What is shown of games that are observed."""
        assert self.numbers is not None
        return Views(self, self.numbers)

    @cached_property
    def items(self) -> Items:
        """What players name in moves that are compared."""
        return Items(self)

    @cached_property
    def picks(self) -> int:
        """How many cards a seat can take in one choice, for itself and others."""
        steps = [step for step in self.program.code if isinstance(step, choose.Choice)]
        return max((self.picks_of(step) for step in steps), default=0)

    def picks_of(self, step: choose.Choice) -> int:
        """The same in one of them."""
        return self.most_own(step) + self.most_further(step) + sum(cards for _, _, cards in step.also)

    def own_pick(self, seat: int, number: int) -> int:
        """Where the `number`-th card that a seat takes for itself stands."""
        return seat * self.picks + number

    def further_pick(self, step: choose.Choice, seat: int, number: int) -> int:
        """The same for a further card by an ability."""
        return seat * self.picks + self.most_own(step) + number

    def pick_for(self, step: choose.Choice, seat: int, index: int, number: int) -> int:
        """The same for a card taken for the `index`-th of the seats that somebody chooses for."""
        before = sum(cards for _, _, cards in step.also[:index])
        return seat * self.picks + self.most_own(step) + self.most_further(step) + before + number

    def is_single(self, step: choose.Choice) -> bool:
        """Does everybody who chooses take exactly one card for itself."""
        return not step.offer and not step.ways and self.always(step.cards) == 1

    @once
    def numbers_of(self, name: str) -> tuple[int, ...]:
        """What the cards have of something, by card."""
        return card_numbers(self.program.model)[name]

    @once
    def admitted(self, way: choose.Way) -> tuple[int, ...]:
        """Which cards can go a way, by card."""
        return tuple(map(int, way.admits))

    @once
    def admits_all(self, way: choose.Way) -> bool:
        """Can every card go it, whatever it has."""
        return all(way.admits) and not way.asks

    @once
    def is_certain(self, step: choose.Choice) -> bool:
        """Does every player choose whenever one does, from equally many cards."""
        plain = step.marker < 0 and step.who is None and not step.layout and not step.offer and not step.ways
        return plain and self.is_even(step.source)

    def draws_places(self, step: choose.Choice) -> bool:
        """Does chance draw places of the hands, all at once (see `draftengine.engine.playout`)."""
        return step.ordinary and step.keeps_even and self.all_choose_at_random and not self.stopping

    @cached_property
    def by_fours(self) -> list[range]:
        """The players, four of whom share a word of chance."""
        return [self.players[at : at + 4] for at in range(0, len(self.players), 4)]

    @once
    def directions(self, steps: tuple[int, ...]) -> tuple[int, ...]:
        """Every direction in which cards are passed."""
        return tuple(sorted({steps[at % len(steps)] for at in range(self.rounds)}))

    @once
    def rounds_to_the_left(self, steps: tuple[int, ...]) -> int:
        """The rounds in which cards are passed to the left, as bits."""
        return sum(1 << number for number in range(1, self.rounds + 1) if steps[(number - 1) % len(steps)] == 1)

    @once
    def depth(self, at: int) -> int:
        """How many repetitions are around a step."""
        return sum(
            1
            for first, step in enumerate(self.program.code)
            if isinstance(step, control.StartTurns) and first < at < self._behind(first)
        )

    def _behind(self, first: int) -> int:
        turn = self.program.code[first + 1]
        assert isinstance(turn, control.NextTurn)
        return turn.done

    @cached_property
    def most_depth(self) -> int:
        """How many repetitions can be around another one."""
        return max((self.depth(at) for at in range(len(self.program.code))), default=0)

    def watches(self, moment: str) -> tuple[Watch, ...]:
        """The triggers of a moment."""
        return tuple(own for own in self.program.watches if own.model.after == moment)

    def first_place(self, zone: int) -> int:
        """Where the places of a layout begin."""
        return sum(len(own.layout) for own in self.program.zones[:zone])

    @once
    def is_short(self, pile: int) -> bool:
        """Are the chips of a pile the lanes of a word."""
        return len(self.program.chip_values[pile]) * self.chip_bits(pile) <= LANES

    @once
    def chip_bits(self, pile: int) -> int:
        """How many bits a lane of a short pile has."""
        return max((max(self.program.chip_values[pile], default=0) - self.lowest_chip(pile)).bit_length(), 1)

    @once
    def lowest_chip(self, pile: int) -> int:
        """What the chip of a pile that is worth least is worth."""
        return min(self.program.chip_values[pile], default=0)

    @once
    def first_chip(self, pile: int) -> int:
        """Where the chips of a pile begin that is not short."""
        return sum(len(self.program.chip_values[own]) for own in range(pile) if not self.is_short(own))

    @cached_property
    def stays(self) -> tuple[int, ...]:
        """Does a play stay when tableaus are cleared, by play."""
        return tuple(int(play in self.program.stays) for play in range(len(self.program.plays)))

    @cached_property
    def mixed(self) -> tuple[int, ...]:
        """What a play keeps of the counters when it stays."""
        return tuple(play.mixed for play in self.program.plays)

    @once
    def guard(self, watch: Watch) -> int:
        """The bits of a counter that has to rise for a trigger of a reveal to happen; 0 if there is none."""
        wanted = [self.formula(watch.who)[1]] if watch.model.after == "reveal" else []
        while wanted:
            match wanted.pop():
                case Logic(op="and") as both:
                    wanted += [both.left, both.right]
                case Compare(op=">", left=Call(function="gained", arguments=(Name() as name,)), right=Number(value=0)):
                    return next(own.bits for own in self.program.fields if own.name == name.id)
        return 0

    @cached_property
    def shape(self) -> Shape:
        """How large the tally of games is, and where its parts begin."""
        return Shape(len(self.seats), len(self.sources), len(self.program.plays) if self.logged else 0)

    @cached_property
    def with_effects(self) -> tuple[int, ...]:
        """The plays that do something when they are laid down."""
        return tuple(index for index, play in enumerate(self.program.plays) if play.effects)

    @once
    def first_like(self, step: choose.Choice) -> choose.Choice:
        """The first choice that offers the same: what is said about it is said once."""
        steps: list[choose.Choice] = [self.step(at) for at in self.choices]
        return next(own for own in steps if _offers(own) == _offers(step))

    def seen_as(self, seat: int, other: int) -> int:
        """What a seat is to a player that sees itself as player 0."""
        return (other - seat) % len(self.players) if other in self.players else other

    @once
    def seen_lots(self, step: choose.Choice, seat: int) -> tuple[tuple[int, int], ...]:
        """The zones and owners whose numbers of cards a player may need to know: its own, and what formulas count."""
        counted = {
            self.program.zone_index(zone)
            for own in self.program.meanings.values()
            for what, zone in references(own.expr)
            if what == "cards"
        }
        found = [(zone, owner) for zone, owner in self.lots if zone in counted]
        own = (step.source, 0 if self.is_even(step.source) else seat)
        return tuple(dict.fromkeys([*found, own]))

    def compared(self, step: choose.Choice) -> range:
        """The seats whose counters before have to be those of now while the moves of a choice are compared."""
        return self.seats if self.asks_gained and (step.plays or step.ways) else range(0)

    def touched(self, seat: int) -> tuple[int, ...]:
        """The seats whose counters a card that is laid down alone can change."""
        shared = any(own.shared for own in self.program.fields)
        return tuple(self.seats) if shared or self.items.by_triggers else (seat,)

    @cached_property
    def sizes(self) -> dict[str, int]:
        """How many there are in every dimension of the state."""
        self._heaps  # noqa: B018 (it finds out how many cards lie there)
        layouts = [own.layout for own in self.program.zones if own.layout]
        return {
            "depth": self.most_depth,
            "seat": len(self.seats),
            "player": len(self.players),
            "marker": len(self.markers),
            "hand": len(self.hands),
            "lot": len(self.lots),
            "layout": len(layouts),
            "pile": len(self.piles),
            "pick": len(self.players) * self.picks,
            "heap": self.heap_size,
            "row": sum(map(len, layouts)),
            "chip": self.first_chip(len(self.piles)),
            "points": len(self.sources) * len(self.seats),
            "log": self.most_logged if self.logged else 0,
            "move": self.items.most if self.compares else 0,
            "item": len(self.program.options) if self.compares else 0,
            "lesson": 3 * self.most_chosen if self.learning else 0,
            "rule": len(self.program.rules) if self.compares else 0,
            **self._sizes_of_views(),
        }

    def _sizes_of_views(self) -> dict[str, int]:
        """The same of what is there only where games are observed."""
        if not self.observed:
            return dict.fromkeys(("result", "shelf", "watched", "chips", "known", "kind", "image", "column"), 0)
        return {
            "result": len(self.seats),
            "shelf": len(self.sights.travelling),
            "watched": len(self.seats),
            "chips": len(self.piles) * len(self.seats),
            "known": self.sights.size,
            "kind": len(self.items.faces),
            "image": self.views.image_size,
            "column": self.sights.columns,
        }


def _locals(names: Names) -> dict[str, tuple[int, int]]:
    return {name: (value, value) for name, value in names.local.items()}


def name_of(expr: Expr) -> str:
    """The name that a formula is."""
    assert isinstance(expr, Name)
    return expr.id


def _offers(step: choose.Choice) -> tuple[object, ...]:
    """What a choice is but for its place in the flow."""
    offered = step.source, step.target, step.cards, step.also, step.abilities, step.offer, step.layout, step.marker
    return *offered, step.ways, step.who
