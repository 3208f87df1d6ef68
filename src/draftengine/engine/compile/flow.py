"""The steps of the flow become a list of instructions that know which one follows."""

from __future__ import annotations

from collections import Counter
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar, Literal, cast

from msgspec import Struct
from msgspec.structs import replace

from draftengine.cardset.facts import has_label
from draftengine.cardset.lists import IN_TURN_COUNTER, TURN_COUNTER
from draftengine.cardset.model import Trigger
from draftengine.engine.compile.lists import anybody, both, less, made, owes, whose_turn
from draftengine.engine.compile.values import FormulaNames, count_of, for_players, value_of
from draftengine.engine.flow.cards import Clear, Deal, Gather, MoveAll, Pass, Shuffle
from draftengine.engine.flow.choose import Choice, PlayAll, Way
from draftengine.engine.flow.control import (
    End,
    EndGame,
    EndRound,
    Give,
    Jump,
    LineUp,
    NextTurn,
    Score,
    StartGame,
    StartRound,
    StartTurns,
    Unless,
)
from draftengine.engine.program import TABLEAU, CompiledRule, Watch
from draftengine.language.tree import Call, Compare, Number, Truth
from draftengine.verbs import (
    EFFECTS,
    choose,
    clear,
    deal,
    draw,
    end,
    gather,
    give,
    in_turn,
    move,
    pass_,
    repeat,
    score,
    shuffle,
    ways,
)
from draftengine.verbs.apart import any_differs
from draftengine.verbs.moving import Who

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from draftengine.cardset.lists import Later
    from draftengine.cardset.model import CardSet
    from draftengine.engine.compile.plays import CardOptions
    from draftengine.engine.compile.rules import Effects
    from draftengine.engine.flow.instruction import Instruction
    from draftengine.engine.program import Value
    from draftengine.language.tree import Expr
    from draftengine.records.values import ByPlayers, Formula
    from draftengine.source import Span
    from draftengine.verbs.deal import Dealing
    from draftengine.verbs.verb import Step


_ALL = 1 << 10
"""More cards than there are in any box."""


def names_of(steps: Sequence[Step]) -> tuple[str, ...]:
    """A name for every step of a list: its `id`, or its verb, numbered from the second one on (``choose-2``)."""
    found: list[str] = []
    verbs: Counter[str] = Counter()
    for step in steps:
        verbs[step.verb] += 1
        number = verbs[step.verb]
        found.append(step.id or (step.verb if number == 1 else f"{step.verb}-{number}"))
    return tuple(found)


class Cause(Struct, frozen=True):
    """What a list comes from: a card, or a step of the flow."""

    id: str
    source: tuple[str, ...]
    span: Span


class Assembler:
    """Compiles the flow, one instruction after the other; some are only written when their targets are known."""

    def __init__(
        self,
        model: CardSet,
        names: FormulaNames,
        rules: tuple[CompiledRule, ...],
        effects: Effects,
        options: CardOptions,
        later: tuple[Later, ...],
    ) -> None:
        self.simple = all(own == (index,) for index, own in enumerate(options.of_card))
        self.effects = effects
        self.later = later
        """The lists that wait behind the choices that start them."""
        self.acts: list[Watch] = []
        """What happens to seats among the steps of such lists, each waiting for a moment of its own."""
        self.group: Expr | None = None
        """In a list, the condition that says for which seats the steps are that are being compiled."""
        self.in_list = False
        """Do the steps that are being compiled stand in the list of a card."""
        self.cause = Cause("", (), model.winner.span)
        """What the list comes from."""
        self.options = len(options.options)
        self.rules = rules
        self.model = model
        self.names = names
        self.code: list[Instruction | None] = []
        self.zones = {zone.id: index for index, zone in enumerate(model.zones)}
        self.by_name = {zone.id: zone for zone in model.zones}
        self.markers = {marker.id: index for index, marker in enumerate(model.markers)}
        self.extra = {seat.id: names.players + index for index, seat in enumerate(model.extra_seats)}
        self.moments = {trigger.after for trigger in model.triggers}
        self.ends: list[tuple[int, Literal["round", "game", "win"]]] = []
        """The places of steps that end something, until it is known where that goes on."""
        self.depth = 0
        """In how many repetitions the step stands that is being compiled."""
        self.begins: dict[str, tuple[int, int]] = {}
        """Where a position can begin, see `Program.steps`."""
        self.path: list[str] = []
        """The names of the step that is being compiled and of those around it."""

    def game(self) -> tuple[Instruction, ...]:
        """The whole game: setup, rounds, finish."""
        self._append(StartGame)
        self._section("setup", self.model.setup)
        again = len(self.code)
        self._append(StartRound)
        self._section("round", self.model.round)
        over: dict[str, int] = {"round": len(self.code), "game": len(self.code) + 1}
        self._append(lambda following: EndRound(again, following))
        self._section("finish", self.model.finish)
        over["win"] = len(self.code)
        for slot, what in self.ends:
            self.code[slot] = End(over[what])
        most, wins = self.model.winner.order == "most", self.model.wins
        won = value_of(wins, self.names) if wins else None
        self._append(lambda following: EndGame(most, won, following))
        return cast("tuple[Instruction, ...]", tuple(self.code))

    def _append(self, make: Callable[[int], Instruction]) -> None:
        self.code.append(make(len(self.code) + 1))

    def _reserve(self) -> int:
        self.code.append(None)
        return len(self.code) - 1

    def _section(self, name: str, steps: tuple[Step, ...]) -> None:
        self.path.append(name)
        self._steps(steps)
        self.path.pop()

    def _steps(self, steps: tuple[Step, ...]) -> None:
        for step, name in zip(steps, names_of(steps), strict=True):
            self.path.append(name)
            if step.id and self.path[0] != "setup":
                self.begins[step.id] = len(self.code), self.depth
            if step.when is None or self.group is not None:
                self._step(step)
            else:
                self._only_if(value_of(step.when, self.names), partial(self._step, step))
            self.path.pop()

    def _only_if(self, when: Value, compile_it: Callable[[], None]) -> None:
        slot = self._reserve()
        compile_it()
        self.code[slot] = Unless(when, slot + 1, len(self.code))

    def _listed(self, step: Step) -> None:
        """Compile a step of a list, for those seats of the group for which the condition of the step holds."""
        group = self.group
        self.group = both(group, step.when.expr if step.when else None)
        if self._is_for_all(step):
            assert self.group is not None
            self._only_if(self._anybody(self.group, step.span), partial(self._BY_VERB[type(step)], self, step))
        elif step.verb in EFFECTS:
            self._act(self.effects.collect((step,)), step.span)
        else:
            self._BY_VERB[type(step)](self, step)
        self.group = group

    def _is_for_all(self, step: Step) -> bool:
        """Is a step of a list carried out once for the whole group, because it moves no cards of a seat."""
        match step:
            case shuffle.Spec() | give.Spec():
                return True
            case draw.Spec():
                return step.when is not None and self.by_name[step.to].per == "table"
            case move.Spec():
                return step.when is not None and self.by_name[step.from_].per == "table"
            case _:
                return False

    def _act(self, effects: tuple[int, ...], span: Span) -> None:
        """Compile what happens to the seats of a group: as a trigger that waits for this moment of the list."""
        assert self.group is not None
        moment = f"list:{len(self.acts)}"
        who = made(self.group, span)
        trigger = Trigger(id=self.cause.id, after=moment, who=who, do=(), source=self.cause.source, span=span)
        self.acts.append(Watch(trigger, value_of(who, self.names), None, effects, None, in_steps=True))
        self._moment(moment)

    def _lists_behind(self, slot: int, started: Sequence[Later], *, reveals: bool) -> None:
        """Compile the lists that the choice at `slot` starts; behind them come the triggers of the reveal."""
        self._lists(started)
        choice = cast("Choice | PlayAll", self.code[slot])
        if reveals and "reveal" in self.moments:
            self._moment("reveal")
        self.code[slot] = replace(choice, otherwise=len(self.code))
        if isinstance(choice, Choice):
            self.code[slot] = replace(choice, otherwise=len(self.code), reveals=False)

    def _lists(self, started: Sequence[Later]) -> None:
        """Compile lists: the first one that somebody owes is carried out, until nobody owes any."""
        first = len(self.code)
        for own in started:
            self._only_if(self._anybody(owes(own), own.span), partial(self._list, own, first))

    def _started_by(self, begun: Sequence[Later], *, plays: bool) -> list[Later]:
        """The lists that can be owed where some are begun or cards are played, those included that such lists start."""
        found = list(begun) + ([own for own in self.later if own.cause == "card"] if plays else [])
        for own in found:
            choices = [step for step in own.steps if isinstance(step, choose.Spec)]
            found += [more for step in choices for more in self._of_ways(step) if more not in found]
            if any(map(self._plays, choices)) or any(isinstance(step, move.Spec) and step.played for step in own.steps):
                found += [more for more in self.later if more.cause == "card" and more not in found]
        return self._in_order(found)

    def _in_order(self, lists: Sequence[Later]) -> list[Later]:
        return [own for own in self.later if own in lists]

    def _of_ways(self, step: choose.Spec) -> list[Later]:
        """The lists that ways of a choice start."""
        return [own for own in self.later if any(own.is_of(way) for way in step.as_)]

    def _plays(self, step: choose.Spec) -> bool:
        """Can cards be played by a choice, also what others are asked for."""
        return step.plays(self.by_name) or any(way.ask for way in step.as_)

    def _list(self, own: Later, first: int) -> None:
        """Compile one list, for all who owe it or for one of them after the other; then it goes on at `first`."""
        outer = self.group, self.cause
        self.cause, self.in_list = Cause(own.id, own.source, own.span), True
        self.path.append(own.id)
        if own.in_turn:
            who, field = value_of(made(owes(own), own.span), self.names), self.names.fields.field(TURN_COUNTER)
            by = count_of(own.by, self.names) if own.by else None
            first_of_all = self.markers[self.model.turn_order.marker] if self.model.turn_order else -1
            self._append(lambda following: LineUp(who, by, first_of_all, field, following))
            turn = self._anybody(whose_turn(TURN_COUNTER), own.span)
            self._only_if(turn, partial(self._one_turn, own, len(self.code)))
        else:
            self._group(own.steps, owes(own), ((own.counter, 1),))
        self.path.pop()
        (self.group, self.cause), self.in_list = outer, False
        self._append(lambda _: Jump(first))

    def _one_turn(self, own: Later, again: int) -> None:
        self._group(own.steps, whose_turn(TURN_COUNTER), ((own.counter, 1), (TURN_COUNTER, None)))
        self._append(lambda _: Jump(again))

    def _in_turn(self, step: in_turn.Spec) -> None:
        """Compile steps of one player after the other: all get numbers, and the one with the highest is next."""
        outer = self.cause
        self.cause = Cause(step.id or step.verb, step.source, step.span)
        who = value_of(step.who or made(Truth(value=True), step.span), self.names)
        by = count_of(step.by, self.names) if step.by else None
        marker, field = -1 if step.from_ is None else self.markers[step.from_], self.names.fields.field(IN_TURN_COUNTER)
        self._append(lambda following: LineUp(who, by, marker, field, following))
        again = len(self.code)
        turn = whose_turn(IN_TURN_COUNTER)

        def once() -> None:
            self._group(step.do, turn, ((IN_TURN_COUNTER, None),))
            self._append(lambda _: Jump(again))

        self._only_if(self._anybody(turn, step.span), once)
        self.cause = outer

    def _group(self, steps: tuple[Step, ...], who: Expr, settled: Sequence[tuple[str, int | None]]) -> None:
        """Compile the steps of a list for the seats `who`; the counters in `settled` then fall by a number, or to 0."""
        self.group = who
        for step, name in zip(steps, names_of(steps), strict=True):
            self.path.append(name)
            self._listed(step)
            self.path.pop()
        span = self.cause.span
        self._act(tuple(self.effects.shift(name, made(less(name, by), span)) for name, by in settled), span)
        self.group = None

    def _anybody(self, condition: Expr, span: Span) -> Value:
        return value_of(made(anybody(condition), span), self.names)

    def _step(self, step: Step) -> None:
        self._BY_VERB[type(step)](self, step)
        if step.id in self.moments:
            self._moment(step.id)
        if self.model.wins and isinstance(step, choose.Spec | score.Spec):
            self._win_at_once(self.model.wins)

    def _win_at_once(self, wins: Formula) -> None:
        """Compile the end of the game for the case that somebody has won already."""
        anybody = Compare(">", Call("seats_with", (wins.expr,)), Number(0))
        slot = self._reserve()
        self.ends.append((self._reserve(), "win"))
        self.code[slot] = Unless(value_of(replace(wins, expr=anybody), self.names), slot + 1, len(self.code))

    def _moment(self, name: str) -> None:
        """Compile a moment for which triggers wait: a scoring without rules, and the lists that they start."""
        self._append(lambda following: Score(name, (), following))
        self._lists_of_triggers(name)

    def _lists_of_triggers(self, moment: str) -> None:
        """Compile the lists that are started by triggers which wait for a moment."""
        begun = self._waits_for(moment)
        if begun:
            self._lists(self._started_by(begun, plays=False))

    def _waits_for(self, moment: str) -> list[Later]:
        """The lists of triggers that wait for a moment."""
        waiting = {own.id for own in self.model.triggers if own.after == moment}
        return [own for own in self.later if own.cause == "trigger" and own.id in waiting]

    def _shuffle(self, step: shuffle.Spec) -> None:
        self._append(lambda following: Shuffle(self.zones[step.zone], following))

    def _deal(self, step: Dealing) -> None:
        places = next(zone for zone in self.model.zones if zone.id == step.to).layout
        only = step.of
        every = sum(card.count for card in self.model.cards) if only else 1
        cards = for_players(step.cards, self.names, len(places) or every)
        admits = tuple(int(not {card.id, *card.family}.isdisjoint(only)) for card in self.model.cards) if only else ()
        source, target = self.zones[step.from_], self.zones[step.to]
        marker, who, exact = self._holder(step.who), self._who(step.who), isinstance(step, deal.Spec)
        shared = self.by_name[step.to].per == "table"
        by_seat = self._differs(step, step.cards)
        made_of = partial(Deal, source, target, cards, marker, exact, who=who, admits=admits, by_seat=by_seat)
        if self.group is None and shared and step.who is not None and step.who.formula is not None:
            met = self._anybody(step.who.formula.expr, step.who.formula.span)
            self._only_if(met, lambda: self._append(lambda following: made_of(following=following)))
        else:
            self._append(lambda following: made_of(following=following))

    def _differs(self, step: Step, cards: ByPlayers | None) -> bool:
        """Is a number of cards about each of those whom a step is for."""
        return any_differs(step, cards, self.by_name, self.names.constant)

    def _holder(self, who: Who | None) -> int:
        return -1 if who is None or who.holder is None else self.markers[who.holder]

    def _who(self, who: Who | None) -> Value | None:
        if self.group is not None:
            return value_of(made(self.group, self.cause.span), self.names)
        return None if who is None or who.formula is None else value_of(who.formula, self.names)

    def _pass(self, step: pass_.Spec) -> None:
        steps = tuple(1 if direction == "left" else -1 for direction in step.to)
        self._append(lambda following: Pass(self.zones[step.zone], steps, following))

    def _move(self, step: move.Spec) -> None:
        if step.played:
            self._play_all(step)
            return
        source, target, who = self.zones[step.from_], self.zones[step.to], self._who(None)
        self._append(lambda following: MoveAll(source, target, following, who))

    def _play_all(self, step: move.Spec) -> None:
        """Compile the playing of a whole zone, as a choice of all its cards for which nobody is asked."""
        who = Who(formula=made(Truth(value=True), step.span))
        chosen = choose.Spec(from_=step.from_, to=step.to, who=who, source=step.source, span=step.span)
        cards = value_of(made(Number(_ALL), step.span), self.names)
        laying = replace(self._choice(chosen, (), 0, offer=False), cards=cards, asked=False, reveals=False)
        slot = len(self.code)
        self._append(lambda following: PlayAll(laying, following, following))
        if not self.in_list:
            self._lists_behind(slot, self._started_by((), plays=True), reveals=True)

    def _clear(self, step: clear.Spec) -> None:
        self._append(lambda following: Clear(self.zones[step.zone], self.zones["discard"], following))

    def _gather(self, step: gather.Spec) -> None:
        self._append(lambda following: Gather(self.zones[step.zone], self._counting(), following))

    def _counting(self) -> tuple[int, ...]:
        """The tableaus, and the other zones that count behind them."""
        others = (self.zones[own.id] for own in self.model.zones if own.counts and own.id != TABLEAU)
        return (self.zones[TABLEAU], *others)

    def _score(self, step: score.Spec) -> None:
        rules = tuple(index for index, rule in enumerate(self.model.scoring) if rule.at == step.label)
        self._append(lambda following: Score(step.label, rules, following))
        self._lists_of_triggers(step.label)

    def _give(self, step: give.Spec) -> None:
        marker, to = self.markers[step.marker], step.to
        if isinstance(to, give.Ranked):
            order = to.order
            measure = value_of(to.measure, self.names) if order == "next" else count_of(to.measure, self.names)
            self._append(lambda following: Give(marker, order, measure, step.otherwise, step.source, following))
        else:
            self._append(lambda following: Give(marker, to, None, step.tie, step.source, following))

    def _repeat(self, step: repeat.Spec) -> None:
        zone = self.zones[step.until_empty] if step.until_empty else -1
        places = zone >= 0 and bool(self.model.zones[zone].layout)
        times = for_players(step.times, self.names, 0) if step.times else None
        until = value_of(step.until, self.names) if step.until else None
        at_most = for_players(step.at_most, self.names, 0) if step.at_most else None
        depth = self.depth
        self._append(lambda following: StartTurns(depth, following))
        slot = self._reserve()
        self.depth += 1
        self._steps(step.do)
        self.depth -= 1
        if "turn" in self.moments and not self.depth and not has_label(self.model, "turn"):
            self._moment("turn")
        self._append(lambda _: Jump(slot))
        self.code[slot] = NextTurn(
            -1 if places else zone, zone if places else -1, times, until, at_most, depth, slot + 1, len(self.code)
        )

    def _choose(self, step: choose.Spec) -> None:
        if not step.as_ and self._differs(step, step.cards):
            step = replace(step, as_=(ways.Way(id=ways.NAMELESS, span=step.span),))
        plays = self._plays(step)
        started = [] if self.in_list else self._started_by(self._of_ways(step), plays=plays)
        early = self._abilities(step, "before_reveal")
        slot = len(self.code)
        self._append(lambda following: self._choice(step, early, following, offer=False))
        behind = bool(started) or (plays and not self.in_list and bool(self._waits_for("reveal")))
        if behind:
            self._lists_behind(slot, started, reveals=plays)
        late = self._abilities(step, "after_reveal")
        if late:
            self.path.append("offer")
            slot = len(self.code)
            self._append(lambda following: self._choice(step, late, following, offer=True))
            if behind:
                self._lists_behind(slot, started, reveals=plays)
            self.path.pop()

    def _abilities(self, step: choose.Spec, when: str) -> tuple[int, ...]:
        shared = self.by_name[step.from_].per == "table" and not self.by_name[step.from_].layout
        if self.in_list or shared or not step.plays(self.by_name):
            return ()
        return tuple(index for index, ability in enumerate(self.model.abilities) if ability.when == when)

    def _choice(self, step: choose.Spec, abilities: tuple[int, ...], following: int, *, offer: bool) -> Choice:
        if step.as_:
            abilities = ()
        source = next(zone for zone in self.model.zones if zone.id == step.from_)
        also = tuple((self.extra[own.seat], self.markers[own.by], own.cards) for own in step.also)
        return Choice(
            name=".".join(self.path),
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
            ordinary=not (offer or also or step.who or source.layout or self.later or self.group)
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
            ways=() if offer else tuple(self._way(step, way) for way in step.as_),
            stride=self.options + 1 if step.as_ else 1,
            in_list=self.in_list,
            reveals=not self.in_list,
            as_they_lie=source.counts,
        )

    def _way(self, step: choose.Spec, way: ways.Way) -> Way:
        alone = replace(
            step, as_=(), to=way.to or step.to, cards=way.cards or step.cards, source=way.source or step.source
        )
        paying = () if way.paying is None else (way.paying,)
        return Way(
            name=way.id,
            laying=replace(self._choice(alone, (), 0, offer=False), asked=False),
            cards=for_players(alone.cards, self.names, 1),
            when=value_of(way.when, self.names) if way.when else None,
            admits=self._admitted(way),
            price=tuple((self.names.fields.field(own.counter), count_of(own.formula, self.names)) for own in way.pay),
            paying=self.effects.collect(paying),
            effects=self.effects.of_list(way.do, next((own for own in self.later if own.is_of(way)), None)),
            ask=-1 if way.ask is None else [card.id for card in self.model.cards].index(way.ask),
            give=self.effects.plays.in_order(self.effects.lying_as({way.give} if way.give else set())),
            asks=way.asks,
            whole=way.exactly,
            source=way.source or step.source,
        )

    def _admitted(self, way: ways.Way) -> tuple[bool, ...]:
        """Which cards can go a way, by play: a wild card in a form goes the ways of that card, too."""
        lying = self.effects.lying_as(way.of)
        return tuple(not way.of or bool(own) for own in lying)

    def _end(self, step: end.Spec) -> None:
        self.ends.append((self._reserve(), step.what))

    _BY_VERB: ClassVar[dict[type[Step], Callable[[Assembler, Any], None]]] = {
        shuffle.Spec: _shuffle,
        deal.Spec: _deal,
        draw.Spec: _deal,
        choose.Spec: _choose,
        pass_.Spec: _pass,
        move.Spec: _move,
        give.Spec: _give,
        score.Spec: _score,
        clear.Spec: _clear,
        gather.Spec: _gather,
        repeat.Spec: _repeat,
        in_turn.Spec: _in_turn,
        end.Spec: _end,
    }
