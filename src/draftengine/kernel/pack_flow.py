"""The flow of a game as the kernel reads it: instructions, choices and what turns can be played the quick way."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from draftengine.cardset.counters import counters_of
from draftengine.cardset.facts import seat_scope
from draftengine.cardset.flow import plan
from draftengine.engine.effects import Score
from draftengine.engine.flow import cards, choose, control
from draftengine.engine.program import RankedRule
from draftengine.kernel import memory as at
from draftengine.kernel.formulas import UnsupportedError
from draftengine.language.builtins import BUILTINS, Aggregate
from draftengine.language.check import check
from draftengine.language.evaluate import references
from draftengine.language.tree import Call, Number, parts

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from draftengine.engine.flow.instruction import Instruction
    from draftengine.kernel.pack import Packed


class PackedFlow:
    """The instructions of a program. Raises `UnsupportedError` if the kernel cannot carry them out."""

    def __init__(self, packed: Packed) -> None:
        """Write the tables to the memory that is being packed; its rules come before."""
        self.packed = packed
        self.program = packed.program
        self.expressions = packed.expressions
        self.choices: list[tuple[int, ...]] = []
        self.ability_lists: list[int] = []
        self.also: list[tuple[int, ...]] = []
        self.directions: list[int] = []
        self.rule_lists: list[int] = []
        self.greedy_fits = True
        """Can moves be compared: they are of one card, and perhaps one more for an ability or another seat."""
        self.most_codes = 0
        """So many codes a move has at most."""
        pack: dict[type, Callable[[Any], tuple[int, ...]]] = {
            control.StartGame: lambda _: (at.OP_START_GAME,),
            control.StartRound: lambda _: (at.OP_START_ROUND,),
            control.EndRound: lambda own: (at.OP_END_ROUND, own.again),
            control.StartTurns: lambda _: (at.OP_START_TURNS,),
            control.NextTurn: self._next_turn,
            control.Jump: lambda _: (at.OP_JUMP,),
            control.Unless: lambda own: (at.OP_UNLESS, self.expressions.number(own.when), self._beyond_jumps(own.skip)),
            control.Give: self._give,
            control.EndGame: self._end_game,
            cards.Shuffle: lambda own: (at.OP_SHUFFLE, own.zone, self._looked_at(own)),
            cards.Deal: lambda own: (
                at.OP_DEAL, own.source, own.target, self.expressions.amount(own.cards), own.marker
            ),
            cards.Pass: self._pass,
            cards.MoveAll: lambda own: (at.OP_MOVE_ALL, own.source, own.target),
            cards.Clear: lambda _: (at.OP_CLEAR,),
            cards.Gather: lambda own: (at.OP_GATHER, own.target, int(self._is_as_at_first(own))),
            choose.Choice: self._choose,
            Score: self._score,
        }  # fmt: skip
        rows = []
        for instruction in self.program.code:
            kind, *columns = pack[type(instruction)](instruction)
            rows.append((kind, self._beyond_jumps(instruction.following), *columns))  # type: ignore[attr-defined]
        self._join_turns(rows)
        packed.rom_.table(at.CODE, rows, at.CODE_ROW)
        packed.rom_.table(at.CHOICES, self.choices, at.CHOICES_ROW)
        packed.rom_.table(at.ABILITY_LISTS, self.ability_lists)
        packed.rom_.table(at.ALSO, self.also, at.ALSO_ROW)
        packed.rom_.table(at.RULE_LISTS, self.rule_lists)
        packed.rom_.table(at.DIRECTIONS, self.directions)
        self._abilities()

    def _is_as_at_first(self, own: cards.Gather) -> bool:
        """Does a zone hold after gathering what it held at first, in the same order."""
        program = self.program
        everything = tuple(sorted(program.deck))
        return not program.stays and program.box == ((own.target, everything),)

    def _looked_at(self, own: cards.Shuffle) -> int:
        """How many cards of a pile, from its top, can matter after it was shuffled and before it is made anew."""
        program, everything = self.program, len(self.program.deck)
        kinds = [type(step) for step in program.code]
        begin, end = kinds.index(control.StartRound), kinds.index(control.EndRound)
        here = program.code.index(own)
        touching = {place: step for place, step in enumerate(program.code) if own.zone in _zones_moved(step)}
        deals = {place: step for place, step in touching.items() if isinstance(step, cards.Deal)}
        anew = [place for place, step in touching.items() if isinstance(step, cards.Gather) and begin < place < here]
        in_turns = [
            range(place, step.done) for place, step in enumerate(program.code) if isinstance(step, control.NextTurn)
        ]
        if (
            self.packed.tracked
            or len(touching) > len(deals) + len(anew) + 1
            or not all(max(begin, here) < place < end and step.source == own.zone for place, step in deals.items())
            or any(place in turns for turns in in_turns for place in deals)
            or not (here < begin or anew)
        ):
            return everything
        drawn = 0
        for step in deals.values():
            number = program.meanings[step.cards].expr
            if not isinstance(number, Number):
                return everything
            drawn += number.value * (program.players if program.zones[step.target].per == "seat" else 1)
        return drawn if here > begin else drawn * program.model.rounds

    def _beyond_jumps(self, place: int) -> int:
        """Where the flow goes on, if nothing but jumps come first."""
        while place < len(self.program.code) and isinstance(self.program.code[place], control.Jump):
            place = self.program.code[place].following  # type: ignore[attr-defined]
        return place

    def _join_turns(self, rows: list[tuple[int, ...]]) -> None:
        """Where turns move nothing but hands or the cards of a layout, their start plays them all, if it can."""
        for place, own in enumerate(self.program.code):
            if not isinstance(own, control.StartTurns):
                continue
            turn = self.program.code[place + 1]
            assert isinstance(turn, control.NextTurn), "turns begin by asking whether there is one more"
            steps = self.program.code[place + 2 : turn.done - 1]
            choices = [(index, step) for index, step in enumerate(steps) if isinstance(step, choose.Choice)]
            kind = self._kind_of_turns(turn, steps)
            if choices and kind is not None:
                index, choice = choices[0]
                number, done = rows[place + 2 + index][2], self._beyond_jumps(turn.done)
                rows[place] = (at.OP_TURNS, place + 1, number, done, kind, place + 2)
                if kind == at.OF_HANDS:
                    self._deal_into(place, choice, rows)

    def _kind_of_turns(self, turn: control.NextTurn, steps: Sequence[Instruction]) -> int | None:
        """Of which kind turns are that can be played at once; ``None`` if they cannot."""
        choices = [step for step in steps if isinstance(step, choose.Choice)]
        if turn.layout >= 0:
            return at.ON_A_LAYOUT if all(self._takes_from(step, turn.layout) for step in steps) else None
        if len(choices) != 1 or choices[0].source != turn.zone or self._is_counted(turn.zone):
            return None
        if choices[0].cycle is not None:
            return at.OF_HANDS
        return at.IN_WORDS if self._moves_hands(choices[0], steps) else None

    def _takes_from(self, step: Instruction, layout: int) -> bool:
        """Does a step only take a card from a layout, or hand a marker on."""
        if isinstance(step, choose.Choice):
            return step.source == layout and self._is_plain_choice(step)
        return isinstance(step, control.Give) and step.measure is None

    def _is_counted(self, zone: int) -> bool:
        return self.program.zones[zone].id in self.packed.counted_zones

    def _moves_hands(self, choice: choose.Choice, steps: Sequence[Instruction]) -> bool:
        """Do these steps only fill, pass on and play from hands, which always fit into words."""
        program, hand = self.program, choice.source
        sizes = dict(plan(program.model, program.players).sizes)[program.zones[hand].id]
        return (
            self._is_plain_choice(choice)
            and choice.marker < 0
            and choice.target == choice.tableau
            and not any(option.allowed for option in program.options)
            and all(self._moves_hand(step, hand) for step in steps)
            and max(sizes) * self.packed.card_bits < at.WORD_BITS
        )

    def _moves_hand(self, step: Instruction, hand: int) -> bool:
        match step:
            case cards.Deal():
                return step.target == hand != step.source and self._is_number(step.cards)
            case cards.Pass():
                return step.zone == hand
            case control.Give():
                return step.measure is None
            case _:
                return isinstance(step, choose.Choice)

    def _deal_into(self, place: int, choice: choose.Choice, rows: list[tuple[int, ...]]) -> None:
        """A deal of these hands just before, to all players from one pile, need not lay the cards down first."""
        own = self.program.code[place - 1]
        if (
            isinstance(own, cards.Deal)
            and own.target == choice.source
            and own.following == place
            and own.marker < 0
            and self.program.zones[own.source].per == "table"
            and not self.program.zones[own.source].layout
        ):
            rows[place - 1] = (*rows[place - 1], rows[place][2] + 1)

    def _next_turn(self, own: control.NextTurn) -> tuple[int, ...]:
        number = self.expressions.number
        return (
            at.OP_NEXT_TURN,
            own.zone,
            own.layout,
            self.expressions.amount(own.times),
            number(own.until),
            self._beyond_jumps(own.done),
        )

    def _give(self, own: control.Give) -> tuple[int, ...]:
        names = {
            "left": at.GIVE_LEFT,
            "right": at.GIVE_RIGHT,
            "nobody": at.GIVE_NOBODY,
            "stays": at.GIVE_STAYS,
            "most": at.GIVE_MOST,
            "fewest": at.GIVE_FEWEST,
        }
        return (at.OP_GIVE, own.marker, names[own.to], self.expressions.number(own.measure), names[own.tie])

    def _end_game(self, own: control.EndGame) -> tuple[int, ...]:
        self.packed.rom_.scalar(at.MOST_WINS, int(own.most))
        return (at.OP_END_GAME,)

    def _pass(self, own: cards.Pass) -> tuple[int, ...]:
        return (at.OP_PASS, own.zone, self._directions(own))

    def _directions(self, own: cards.Pass) -> int:
        start = len(self.directions)
        rounds = range(self.program.model.rounds + 1)
        self.directions += [own.steps[(number - 1) % len(own.steps)] for number in rounds]
        return start

    def _score(self, own: Score) -> tuple[int, ...]:
        start = len(self.rule_lists)
        plain = [index for index in own.rules if self.packed.is_plain(index)]
        self.rule_lists += plain + [index for index in own.rules if index not in plain]
        label = self.packed.labels.index(own.label) if own.label in self.packed.labels else len(self.packed.labels)
        together = int(self._looks_at_points(own.rules))
        return (at.OP_SCORE, start, len(own.rules), label, together, 0 if together else len(plain))

    def _looks_at_points(self, rules: Sequence[int]) -> bool:
        """Does a rule look at points, so that the order of giving them would matter."""
        values = [
            value
            for rule in (self.program.rules[index] for index in rules)
            for value in (*((rule.measure,) if isinstance(rule, RankedRule) else rule.inputs), rule.when)
            if value is not None
        ]
        return any(("name", "points") in references(self.program.meanings[value].expr) for value in values)

    def _choose(self, own: choose.Choice) -> tuple[int, ...]:
        program = self.program
        uses = [program.abilities[index] for index in own.abilities]
        wild = any(option.allowed for option in program.options)
        single = self._is_one(own.cards)
        if (wild and (own.also or not single)) or (own.layout and not single):
            raise UnsupportedError("a choice is of several cards at once")
        self._has_room_for(own)
        self.greedy_fits &= single and len(own.also) <= 1 and all(cards == 1 for _, _, cards in own.also)
        self.greedy_fits &= all(use.model.take == 1 and use.model.per_turn == 1 for use in uses)
        for use in uses:
            if use.field.bias:
                raise UnsupportedError("the cards of an ability can be fewer than none")
        first_ability, first_also = len(self.ability_lists), len(self.also)
        self.ability_lists += own.abilities
        self.also += own.also
        ready = own.ready_bits(program)
        self.choices.append(
            (
                own.source,
                own.target,
                self.expressions.amount(own.cards),
                own.marker,
                int(own.offer),
                int(own.layout),
                int(own.ordinary),
                own.first_other,
                int(own.keeps_even),
                first_ability,
                len(own.abilities),
                first_also,
                len(own.also),
                self._directions(own.cycle) if own.cycle else -1,
                int(own.target == own.tableau),
                ready,
                own.following,
                int(self._is_plain_choice(own)),
            )
        )
        return (at.OP_CHOOSE, len(self.choices) - 1)

    def _has_room_for(self, own: choose.Choice) -> None:
        """Do the codes of every move fit, and what all seats lay down. Raises `UnsupportedError`."""
        program = self.program
        scope = seat_scope(program.model, program.players, counters_of(program.model, program.players))
        codes = check(program.meanings[own.cards].expr, scope).high + sum(cards for _, _, cards in own.also)
        uses = [program.abilities[index].model for index in own.abilities]
        codes += max((use.take * use.per_turn for use in uses), default=0)
        if codes > at.MAX_CODES or codes * program.players > at.MAX_PLACED:
            raise UnsupportedError("too many cards are chosen at once")
        self.most_codes = max(self.most_codes, codes)

    def _is_plain_choice(self, own: choose.Choice) -> bool:
        """Does a seat take one card, and perhaps one more with an ability whose card goes back where that came from."""
        uses = [self.program.abilities[index].model for index in own.abilities]
        return (
            not (own.offer and not own.layout)
            and not (own.layout and (own.also or own.marker < 0 or own.target != own.tableau))
            and self._is_one(own.cards)
            and len(uses) <= 1
            and all(use.take == 1 and use.returns_to == ("place" if own.layout else "hand") for use in uses)
            and not any(self._looks_at_others(option.allowed) for option in self.program.options)
        )

    def _looks_at_others(self, value: Any) -> bool:
        """Does a formula depend on what other seats have, so that it matters who has laid down already."""
        if value is None:
            return False
        asked = [self.program.meanings[value].expr]
        while asked:
            expr = asked.pop()
            if isinstance(expr, Call) and isinstance(BUILTINS[expr.function], Aggregate):
                return True
            if isinstance(expr, Call) and expr.function in {"holds", "cards"}:
                return True
            asked += parts(expr)
        return False

    def _is_one(self, value: Any) -> bool:
        return getattr(self.program.meanings[value].expr, "value", None) == 1

    def _is_number(self, value: Any) -> bool:
        return isinstance(self.program.meanings[value].expr, Number)

    def _abilities(self) -> None:
        to = {"hand": at.TO_HAND, "place": at.TO_PLACE, "discard": at.TO_DISCARD, "stays": at.STAYS}
        self.packed.rom_.table(
            at.ABILITIES,
            [
                (
                    own.field.shift, own.field.mask, own.field.bias, own.card, own.play, own.model.take,
                    own.model.per_turn, to[own.model.returns_to], int(own.model.turns_up),
                )
                for own in self.program.abilities
            ],
            at.ABILITIES_ROW,
        )  # fmt: skip


def _zones_moved(step: Instruction) -> set[int]:
    """The zones whose cards an instruction moves, brings together or shuffles."""
    if isinstance(step, control.NextTurn):
        return set()
    named = (getattr(step, name, None) for name in ("source", "target", "zone"))
    return {zone for zone in named if isinstance(zone, int)}
