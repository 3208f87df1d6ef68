"""Compilation of the flow into a list of instructions. Each has the index of the next instruction."""

from __future__ import annotations

from functools import partial, singledispatchmethod
from itertools import accumulate, chain
from typing import TYPE_CHECKING, Literal, cast

from msgspec.structs import replace

from draftengine.engine.choose import Action, Choice, PlayAll
from draftengine.engine.compile.formulas import FormulaNames, case_of, compared, count_of, for_players, made, value_of
from draftengine.engine.compile.step_lists import Code, Lists, names_of
from draftengine.engine.instructions import (
    Clear,
    Deal,
    End,
    EndGame,
    EndRound,
    Flip,
    Gather,
    Give,
    Jump,
    MoveAll,
    NextTurn,
    Pass,
    Score,
    Shuffle,
    StartGame,
    StartRound,
    StartTurns,
)
from draftengine.model.cardset.facts import all_steps, has_label, sides_after, steps_of
from draftengine.model.cardset.records import DECK, TABLEAU
from draftengine.model.flow import flow_bounds
from draftengine.model.language.macros import as_number
from draftengine.model.language.payments import NEIGHBOURS
from draftengine.model.language.tree import Binary, BooleanLiteral, Call, Comparison, Name, Number
from draftengine.model.verbs.actions import NAMELESS, Way, any_differs
from draftengine.model.verbs.choose import ChooseStep
from draftengine.model.verbs.dealing import DealStep, DrawStep
from draftengine.model.verbs.effects import AddStep
from draftengine.model.verbs.give import GiveStep, Ranked
from draftengine.model.verbs.piles import ClearStep, FlipStep, GatherStep, MoveStep, PassStep, ShuffleStep
from draftengine.model.verbs.turns import DoStep, EndStep, InTurnStep, RepeatStep, ScoreStep
from draftengine.model.verbs.who import Who

if TYPE_CHECKING:
    from draftengine.engine.compile.plays import CardOptions
    from draftengine.engine.compile.rules import Effects
    from draftengine.engine.instructions import Value
    from draftengine.engine.program import Instruction
    from draftengine.model.cardset.effects import DeferredSteps
    from draftengine.model.cardset.records import CardSet
    from draftengine.model.language.tree import Expr
    from draftengine.model.records.reader import ByPlayerCount
    from draftengine.model.verbs.dealing import Dealing
    from draftengine.model.verbs.verb import Step


_ALL = 1 << 10
"""A number larger than the number of cards in any box."""


class Assembler:
    """A compiler for the steps of a game, in order. The end of a loop is filled in after its contents."""

    def __init__(
        self,
        model: CardSet,
        names: FormulaNames,
        effects: Effects,
        options: CardOptions,
        later: tuple[DeferredSteps, ...],
    ) -> None:
        self.simple = all(forms == (index,) for index, forms in enumerate(options.of_card))
        self.effects = effects
        self.options = len(options.options)
        self.model = model
        self.names = names
        self.code = Code()
        self.lists = Lists(model, names, effects, later, self.code, self._carry_out)
        self.zones = {zone.id: index for index, zone in enumerate(model.zones)}
        self.by_name = self.lists.by_name
        self.markers = self.lists.markers
        self.extra = {seat.id: names.players + index for index, seat in enumerate(model.extra_seats)}
        self.ends: list[tuple[int, Literal["round", "game", "win"], Literal["", "turns", "cards"]]] = []
        """Indices of instructions that end a round or game, with the kind of end and its cause (see `End`)."""
        stops = flow_bounds(model, names.players).stops
        steps = tuple(all_steps(model)) if stops else ()
        self.stops = {id(steps[place]): stop for place, stop in stops}
        """For each step (by Python's `id`) at which a game may stop, the cause (see `draftengine.model.flow`)."""
        self.depth = 0
        """The number of repeats around the step that is being compiled."""
        self.begins: dict[str, tuple[int, int]] = {}
        """For each step with an id: its first instruction, and the number of repeats around it."""
        self.places: dict[int, str] = {}
        """The JSON Pointers of steps, by their first instructions (see `Program.places`)."""
        self.pointers = {id(step): path for path, step in steps_of(model)}

    def game(self) -> tuple[Instruction, ...]:
        """Compile setup, rounds and finish, and return all instructions."""
        self.code.append(StartGame)
        self._section("setup", self.model.setup)
        again = len(self.code)
        self.code.append(StartRound)
        self._section("round", self.model.round)
        over: dict[str, int] = {"round": len(self.code), "game": len(self.code) + 1}
        self.code.append(lambda following: EndRound(again, following))
        self._section("finish", self.model.finish)
        over["win"] = len(self.code)
        for slot, what, stops in self.ends:
            self.code.instructions[slot] = End(over[what], stops)
        most, wins = self.model.winner.order == "most", self.model.wins
        won = value_of(wins, self.names) if wins else None
        self.code.append(lambda following: EndGame(most, won, following))
        return cast("tuple[Instruction, ...]", tuple(self.code.instructions))

    def _section(self, name: str, steps: tuple[Step, ...]) -> None:
        self.code.path.append(name)
        self._steps(steps)
        self.code.path.pop()

    def _steps(self, steps: tuple[Step, ...]) -> None:
        for step, name in zip(steps, names_of(steps), strict=True):
            self.code.path.append(name)
            if step.id and self.code.path[0] != "setup":
                self.begins[step.id] = len(self.code), self.depth
            if step.when is None or self.lists.group is not None:
                self._step(step)
            elif isinstance(step, DoStep) and step.otherwise is not None:
                when = value_of(step.when, self.names)
                self.code.either(when, partial(self._step, step), partial(self._step, step.otherwise))
            else:
                self.code.only_if(value_of(step.when, self.names), partial(self._step, step))
            self.code.path.pop()

    def _step(self, step: Step) -> None:
        self.places[len(self.code)] = self.pointers[id(step)]
        self._compile(step)
        if step.id in self.lists.moments:
            self.lists.moment(step.id)
        if not isinstance(step, RepeatStep | EndStep | ShuffleStep) or step.id in self.lists.moments:
            self._end_if_won()

    def _carry_out(self, step: Step) -> None:
        """Append the instructions of a step for some seats, and end the game if it wins."""
        if isinstance(step, ChooseStep):
            self.places[len(self.code)] = self.pointers[id(step)]
        self._compile(step)
        if not self.lists.in_list:  # else what started the list ends the game
            self._end_if_won()

    def _end_if_won(self) -> None:
        """Append an instruction that ends the game if a seat has won. A game cannot end during its set-up."""
        if self.model.wins and self.code.path[0] != "setup":
            wins = self.model.wins
            won = replace(wins, expr=Comparison(">", Call("seats_with", (wins.expr,)), Number(0)))
            self.code.only_if(value_of(won, self.names), lambda: self.ends.append((self.code.reserve(), "win", "")))

    @singledispatchmethod
    def _compile(self, step: Step) -> None:
        """Append the instructions of a step, by its verb."""
        raise NotImplementedError(step.verb)

    def _stop_if(self, condition: Expr, step: Step, why: Literal["turns", "cards"]) -> None:
        """Append an instruction that ends the game, for the reason `why`, if `condition` holds."""
        what: Literal["game", "win"] = "win" if self.code.path[0] == "finish" else "game"
        self.code.only_if(
            value_of(made(condition, step.span), self.names), lambda: self.ends.append((self.code.reserve(), what, why))
        )

    @_compile.register(ShuffleStep)
    def _(self, step: ShuffleStep) -> None:
        self.code.append(lambda following: Shuffle(self.zones[step.zone], following))

    @_compile.register(DealStep)
    @_compile.register(DrawStep)
    def _(self, step: Dealing) -> None:
        places = next(zone for zone in self.model.zones if zone.id == step.to).layout
        only = step.of
        every = sum(card.count for card in self.model.cards) if only or step.such else 1
        cards = for_players(step.cards, self.names, len(places) or every)
        admits = tuple(int(not {card.id, *card.family}.isdisjoint(only)) for card in self.model.cards) if only else ()
        if step.such is not None:
            admits = (1,) * len(self.model.cards)
        such = value_of(step.such, self.names) if step.such else None
        source, target = self.zones[step.from_], self.zones[step.to]
        marker, who, exact = self._holder(step.who), self._who(step.who), isinstance(step, DealStep)
        if id(step) in self.stops:
            exact = self.by_name[step.from_].per == "table" and not self.stops[id(step)].short
        if id(step) in self.stops and exact:  # the game ends if the shared zone has too few cards
            formula = case_of(step.cards, self.names)
            number = Number(len(places) or 1) if formula is None else as_number(formula.expr)
            owners: Expr = Number(1 if self.by_name[step.to].per == "table" else self.names.players)
            if step.who is not None and self.by_name[step.to].per == "seat":
                owners = Call("seats_with", (step.who.condition(step.span).expr,))
            missing = Comparison(">", Binary("*", number, owners), Call("cards", (Name(step.from_),)))
            self._stop_if(missing, step, "cards")
        shared = self.by_name[step.to].per == "table"
        by_seat = self._differs(step, step.cards)
        made_of = partial(
            Deal,
            source,
            target,
            cards,
            marker,
            exact,
            who=who,
            admits=admits,
            such=such,
            by_seat=by_seat,
            in_order=step.in_order,
        )
        if self.lists.group is None and shared and step.who is not None and step.who.formula is not None:
            met = self.lists.anybody(step.who.formula.expr, step.who.formula.span)
            self.code.only_if(met, lambda: self.code.append(lambda following: made_of(following=following)))
        else:
            self.code.append(lambda following: made_of(following=following))

    def _differs(self, step: Step, cards: ByPlayerCount | None) -> bool:
        """True if the seats that take part in a step may have different numbers of cards for it."""
        return any_differs(step, cards, self.by_name, self.names.constant)

    def _holder(self, who: Who | None) -> int:
        return -1 if who is None or who.holder is None else self.markers[who.holder]

    def _who(self, who: Who | None) -> Value | None:
        if self.lists.group is not None:
            return value_of(made(self.lists.group, self.lists.cause.span), self.names)
        return None if who is None or who.formula is None else value_of(who.formula, self.names)

    @_compile.register(PassStep)
    def _(self, step: PassStep) -> None:
        steps = tuple(1 if direction == "left" else -1 for direction in step.to)
        self.code.append(lambda following: Pass(self.zones[step.zone], steps, following))

    @_compile.register(MoveStep)
    def _(self, step: MoveStep) -> None:
        if not step.played:
            source, target, everybody = self.zones[step.from_], self.zones[step.to], self._who(None)
            self.code.append(lambda following: MoveAll(source, target, following, everybody))
            return
        # Playing a whole zone is compiled as a choice of all its cards, which no seat is asked for.
        who = Who(formula=made(BooleanLiteral(value=True), step.span))
        chosen = ChooseStep(from_=step.from_, to=step.to, who=who, source=step.source, span=step.span)
        cards = value_of(made(Number(_ALL), step.span), self.names)
        laying = replace(self._choice(chosen, (), 0, offer=False), cards=cards, asked=False, reveals=False)
        slot = len(self.code)
        self.code.append(lambda following: PlayAll(laying, following, following))
        if not self.lists.in_list:
            self.lists.behind(slot, self.lists.started_by((), plays=True), reveals=True)

    @_compile.register(FlipStep)
    def _(self, step: FlipStep) -> None:
        results = sides_after(step, self.model.cards)
        number, distinct = tuple(map(len, results)), tuple(dict.fromkeys(results))  # all sides of a die share one row
        start = dict(zip(distinct, accumulate(map(len, distinct), initial=0), strict=False))
        first, shows = tuple(start[row] for row in results), tuple(chain.from_iterable(distinct))
        zone, who = self.zones[step.zone], self._who(None)
        self.code.append(lambda following: Flip(zone, first, number, shows, step.at_random, following, who))

    @_compile.register(ClearStep)
    def _(self, step: ClearStep) -> None:
        self.code.append(lambda following: Clear(self.zones[step.zone], self.zones["discard"], following))

    @_compile.register(GatherStep)
    def _(self, step: GatherStep) -> None:
        target = self.zones[step.zone]
        home = tuple(target if card.starts_in == DECK else self.zones[card.starts_in] for card in self.model.cards)
        piles: dict[int, list[int]] = {target: []}
        for index, card in enumerate(self.model.cards):
            piles.setdefault(home[index], []).extend([index] * card.count)
        filled = tuple((zone, tuple(cards)) for zone, cards in piles.items())
        others = (self.zones[zone.id] for zone in self.model.zones if zone.counts and zone.id != TABLEAU)
        counting = (self.zones[TABLEAU], *others)
        self.code.append(lambda following: Gather(target, filled, home, counting, following))

    @_compile.register(ScoreStep)
    def _(self, step: ScoreStep) -> None:
        rules = tuple(index for index, rule in enumerate(self.model.scoring) if rule.at == step.label)
        self.code.append(lambda following: Score(step.label, rules, following))
        self.lists.of_triggers(step.label)

    @_compile.register(GiveStep)
    def _(self, step: GiveStep) -> None:
        marker, to = self.markers[step.marker], step.to
        if isinstance(to, Ranked):
            order = to.order
            measure = (value_of if order == "next" else compared)(to.measure, self.names)
            self.code.append(lambda following: Give(marker, order, measure, step.otherwise, step.source, following))
        else:
            self.code.append(lambda following: Give(marker, to, None, step.tie, step.source, following))

    @_compile.register(RepeatStep)
    def _(self, step: RepeatStep) -> None:
        zone = self.zones[step.until_empty] if step.until_empty else -1
        places = zone >= 0 and bool(self.model.zones[zone].layout)
        times = for_players(step.times, self.names, 0) if step.times else None
        until = value_of(step.until, self.names) if step.until else None
        at_most = for_players(step.at_most, self.names, 0) if step.at_most else None
        depth = self.depth
        self.code.append(lambda following: StartTurns(depth, following))
        slot = self.code.reserve()
        self.depth += 1
        if id(step) in self.stops:
            self._stop_if(Comparison(">", Name("turn"), Number(self.stops[id(step)].turns)), step, "turns")
        self._steps(step.do)
        self.depth -= 1
        if "turn" in self.lists.moments and not self.depth and not has_label(self.model, "turn"):
            self.lists.moment("turn")
            self._end_if_won()
        self.code.append(lambda _: Jump(slot))
        self.code.instructions[slot] = NextTurn(
            -1 if places else zone, zone if places else -1, times, until, at_most, depth, slot + 1, len(self.code)
        )

    @_compile.register(ChooseStep)
    def _(self, step: ChooseStep) -> None:
        if not step.as_ and self._differs(step, step.cards):
            step = replace(step, as_=(Way(id=NAMELESS, span=step.span),))
        plays = self.lists.plays(step)
        started = [] if self.lists.in_list else self.lists.started_by(self.lists.of_ways(step), plays=plays)
        early = self._abilities(step, "before_reveal")
        slot = len(self.code)
        self.code.append(lambda following: self._choice(step, early, following, offer=False))
        behind = bool(started) or (plays and not self.lists.in_list and bool(self.lists.waits_for("reveal")))
        if behind:
            self.lists.behind(slot, started, reveals=plays)
        elif self.lists.in_list:
            self.lists.carry_out_lists(self.lists.of_ways(step))
        late = self._abilities(step, "after_reveal")
        if late:
            self.code.path.append("offer")
            slot = len(self.code)
            self.code.append(lambda following: self._choice(step, late, following, offer=True))
            if behind:
                self.lists.behind(slot, started, reveals=plays)
            self.code.path.pop()

    def _abilities(self, step: ChooseStep, when: str) -> tuple[int, ...]:
        shared = any(self.by_name[zone].per == "table" and not self.by_name[zone].layout for zone in step.sources)
        if self.lists.in_list or shared or not step.plays(self.by_name):
            return ()
        return tuple(index for index, ability in enumerate(self.model.abilities) if ability.when == when)

    def _choice(self, step: ChooseStep, abilities: tuple[int, ...], following: int, *, offer: bool) -> Choice:
        if step.as_:
            abilities = ()
        source = next(zone for zone in self.model.zones if zone.id == step.from_)
        also = tuple((self.extra[extra.seat], self.markers[extra.by], extra.cards) for extra in step.also)
        return Choice(
            name=".".join(self.code.path),
            source=self.zones[source.id],
            target=self.zones[step.to],
            plays=step.plays(self.by_name),
            public=self.by_name[step.to].counts,
            tableau=self.zones[TABLEAU],
            discard=self.zones["discard"],
            cards=for_players(step.cards, self.names, 1),
            marker=self._holder(step.who),
            who=self._who(step.who),
            also=() if offer else also,
            abilities=abilities,
            offer=offer,
            layout=bool(source.layout),
            ordinary=not (offer or also or step.who or source.layout or self.lists.later or self.lists.group)
            and source.per == "seat"
            and step.to == TABLEAU
            and step.plays(self.by_name)
            and step.cards is None
            and not step.as_
            and self.simple,
            first_other=2 + max(abilities, default=-1),
            keeps_even=all(
                self.model.abilities[index].returns_to == "hand" and self.model.abilities[index].take == 1
                for index in abilities
            ),
            source_ids=step.source,
            following=following,
            otherwise=following,
            actions=() if offer else tuple(self._way(step, way) for way in step.as_),
            items_per_action=self.options + 1 if step.as_ else 1,
            in_list=self.lists.in_list,
            reveals=not self.lists.in_list,
            as_they_lie=source.counts,
        )

    def _way(self, step: ChooseStep, way: Way) -> Action:
        alone = replace(
            step,
            as_=(),
            from_=way.from_ or step.from_,
            to=way.to or step.to,
            cards=way.cards or step.cards,
            source=way.source or step.source,
        )
        paying = () if way.paying is None else (way.paying,)
        handed = [(NEIGHBOURS[seat], AddStep(amounts=(amount,), span=way.span)) for seat, amount in way.handed]
        # A form of a wild card can also take the actions of the card that it stands for.
        lying = self.effects.lying_as(way.of)
        return Action(
            name=way.id,
            laying=replace(self._choice(alone, (), 0, offer=False), asked=False),
            cards=for_players(alone.cards, self.names, 1),
            when=value_of(way.open_if, self.names) if way.open_if else None,
            admits=tuple(not way.of or bool(lies) for lies in lying),
            price=tuple(
                (self.names.fields.field(payment.counter), count_of(payment.formula, self.names)) for payment in way.pay
            ),
            paying=self.effects.collect(paying),
            handed=tuple((distance, self.effects.collect((step,))[0]) for distance, step in handed),
            bought=tuple((seat, value_of(units, self.names)) for seat, units in way.bought),
            other_first=way.other_first,
            entry=way.part_of if way.from_ is not None and way.id != way.part_of else None,
            effects=self.effects.of_list(
                way.do, next((step_list for step_list in self.lists.later if step_list.is_of(way)), None)
            ),
            ask=-1 if way.ask is None else [card.id for card in self.model.cards].index(way.ask),
            give=self.effects.plays.in_order(self.effects.lying_as({way.give} if way.give else set())),
            depends_on_card=way.asks,
            needs_all_cards=way.exactly,
            source=way.source or step.source,
        )

    @_compile.register(EndStep)
    def _(self, step: EndStep) -> None:
        self.ends.append((self.code.reserve(), step.what, ""))

    @_compile.register(InTurnStep)
    def _(self, step: InTurnStep) -> None:
        self.lists.in_turn(step)

    @_compile.register(DoStep)
    def _(self, step: DoStep) -> None:
        if step.who is None:
            self._steps(step.do)
        else:
            self.lists.together(step)
