"""Rounds that can be solved: their conditions, remaining steps, and the keys and values of positions.

Positions with equal keys have equal values, so each key is solved once.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from draftengine.engine.choose import Choice, tableaus_lose_cards
from draftengine.engine.instructions import Deal, EndRound, Flip, MoveAll, Pass
from draftengine.engine.kernel.running import advance, settle
from draftengine.engine.kernel.scoring import by_rounds
from draftengine.engine.moves import choice_of
from draftengine.engine.plain import plan_of, record_of
from draftengine.model.cardset.records import TABLEAU
from draftengine.model.language.evaluate import references
from draftengine.model.language.tree import Call, parts

if TYPE_CHECKING:
    from draftengine.engine.moves import Move
    from draftengine.engine.program import Instruction, Program
    from draftengine.engine.state import GameState
    from draftengine.model.language.tree import Expr


class NotSolvableError(ValueError):
    """The error for a round whose rest is not a finite two-seat game of open cards. The message says why."""


SEATS = 2
_NEXT = ("following", "otherwise")
_PLAIN = {"points", "take"}
"""The kinds of effects that change no counter."""

Side = tuple[object, ...]
"""The part of a key about one seat: its counters and cards. Cards are sorted if order does not matter."""


class SolvableRound:
    """The rest of one round: the instructions that can still run, and the zones that they read.

    The constructor raises `NotSolvableError` if a seat would choose without knowing everything.
    """

    def __init__(self, state: GameState) -> None:
        self.program = program = state.program
        self.round = state.round
        self.chance = _chance(state)
        _known_to_both(state)
        ahead = _ahead(program, state.pc, state.round)
        choices = {index: step for index, step in ahead.items() if isinstance(step, Choice)}
        # A seat knows the other's cards if they are open, or if hands are passed on.
        passed = {step.zone for step in program.code if isinstance(step, Pass)}
        for choice in choices.values():
            source, target = program.zones[choice.source], program.zones[choice.target]
            if len(choice.sources) > 1:
                raise NotSolvableError("cards are chosen from several zones")
            if source.seen_by != "everyone" and choice.source not in passed:
                raise NotSolvableError(f"nobody else sees {source.id}, and it is not passed on")
            if target.seen_by != "everyone":
                raise NotSolvableError(f"cards are chosen for {target.id}, and not everybody sees them")
        if any(isinstance(step, Flip) and step.rolled for step in ahead.values()):
            raise NotSolvableError("dice are still rolled")
        self.ends = {
            index for index, step in ahead.items() if isinstance(step, EndRound) and not _last(program, self.round)
        }
        # The zones whose cards can still matter: sources of cards, and zones that formulas read. If formulas only count
        # cards in tableaus, the counters already contain the counts.
        steps = ahead.values()
        zones = {step.source for step in steps if isinstance(step, (Choice, Deal, MoveAll))}
        zones |= set(plan_of(program).counting) if program.cards_count_elsewhere else set()
        zones |= {step.zone for step in steps if isinstance(step, Pass)}
        read = {reference for meaning in program.meanings.values() for reference in references(meaning.expr)}
        zones |= {program.zone_index(zone) for what, zone in read if what == "cards"}
        zones -= {program.zone_index(TABLEAU)}
        self.zones = sorted(zones | {program.zone_index(zone) for what, zone in read if what == "among"})
        _plain_faces(state, self.zones)
        self.draws = {index: step for index, step in ahead.items() if isinstance(step, (Deal, MoveAll))}
        dealt = any(isinstance(step, Deal) for step in self.draws.values())
        self.ordered = {step.source for step in self.draws.values()} if dealt else set()
        """Zones other than layouts in which the order of cards may matter."""
        self.shared = [zone for zone in self.zones if program.zones[zone].per == "table"]
        self.own = [zone for zone in self.zones if program.zones[zone].per == "seat"]
        known = not (program.mixed or program.cards_count_elsewhere or tableaus_lose_cards(program))
        self.tables = -1 if known else program.zone_index(TABLEAU)
        """The index of the tableau zone if its cards matter, not only the counters; otherwise -1."""
        self.looks_back = any(step.offer for step in choices.values()) or any(
            _looks_back(meaning.expr) for meaning in program.meanings.values()
        )
        """True if the values that counters had at the previous choice can still matter."""
        self.choices_look_back = {index for index, step in choices.items() if _moves_look_back(program, step)}
        plain = not any(play.effects for play in program.plays) and all(
            program.effects[effect].kind in _PLAIN for watch in program.watches for effect in watch.effects
        )
        apart = (index for index, step in choices.items() if step.ordinary and step.discard not in self.shared)
        self.apart = set(apart) if plain else set()
        """Choices in which a move changes nothing about the other seat or the table, until triggers run."""

    def check(self, state: GameState) -> None:
        """Raise `ValueError` unless this is a position of the round, or `NotSolvableError` for hidden cards."""
        if state.program is not self.program or state.round != self.round or _chance(state) != self.chance:
            raise ValueError("this position is not of the same round")
        _known_to_both(state)

    # ── keys of positions ───────────────────────────────────────────────────────────────────────────────────────────

    def side(self, state: GameState, seat: int) -> Side:
        """Return the part of the key of a position that is about one seat: all that can still matter."""
        parts: list[object] = [state.words[seat]]
        parts += [self._cards(zone, state.zones[zone][seat]) for zone in self.own]
        if self.tables >= 0:
            # The order of play decides which form of a card a discard takes, and which modifier is used.
            table = state.zones[self.tables][seat]
            parts.append(tuple(sorted(table) if self.program.simple and not self.program.pieces_of_play else table))
        return tuple(parts)

    def table(self, state: GameState) -> tuple[object, ...]:
        """Return the part of the key of a position that is about no single seat.

        It covers the instruction, pending seats, turns, points, markers and shared zones.
        """
        return (
            state.pc,
            state.pending,
            tuple(state.turns),
            tuple(state.scores),
            tuple(state.markers),
            *(self._cards(zone, state.zones[zone][0]) for zone in self.shared),
            tuple(state.words_before_choice) if state.pc in self.choices_look_back else None,
        )

    def _cards(self, zone: int, cards: list[int]) -> tuple[int, ...]:
        return tuple(cards if zone in self.ordered or self.program.zones[zone].layout else sorted(cards))

    def side_after(self, state: GameState, seat: int, move: Move) -> Side:
        """Return the key of what matters about a seat after it alone has moved, in a choice of `apart`."""
        twin = state.clone()
        twin.pending, twin.chosen = (seat,), {seat: move}
        settle(twin, choice_of(twin), None)
        return self.side(twin, seat)

    # ── transitions ─────────────────────────────────────────────────────────────────────────────────────────────────

    def lay_down(self, state: GameState, moves: dict[int, Move]) -> bool:
        """Settle the moves and advance the state, in place, to the next choice. Return True if the round ends.

        The state stops before the next deal or, after the last round, when the end of the game has been scored. Raise
        `NotSolvableError` if chance or hidden cards decided something.
        """
        state.chosen = moves
        settle(state, choice_of(state), None)
        ended = advance(state, None, partial(self._ends, state))
        if _chance(state) != self.chance:
            raise NotSolvableError("chance decides something before the round is over")
        return ended

    def _ends(self, state: GameState, index: int) -> bool:
        """True if the round is over before the step at `index`.

        Raise `NotSolvableError` if the step draws unknown cards.
        """
        step = self.draws.get(index)
        if step is not None:
            zone = self.program.zones[step.source]
            unknown = zone.seen_by == "nobody" or (isinstance(step, Deal) and zone.seen_by != "everyone")
            if unknown and step.target in self.zones and any(state.zones[step.source]):
                raise NotSolvableError(f"cards come from {zone.id}, where nobody knows them, before the round is over")
        return index in self.ends


def _chance(state: GameState) -> tuple[int, ...]:
    """Return the keys and positions of the random streams. A position changes when a number is drawn."""
    return state.deal.key, state.deal.position, state.chance.key, state.chance.position


def _last(program: Program, number: int) -> bool:
    return number >= program.model.rounds


def _ahead(program: Program, start: int, number: int) -> dict[int, Instruction]:
    """Return the instructions that can still run, by index.

    The last is the one that ends the round or, in the last round, the game.
    """
    ahead: dict[int, Instruction] = {}
    waiting = [start]
    while waiting:
        index = waiting.pop()
        if index in ahead or index >= len(program.code):
            continue
        ahead[index] = step = program.code[index]
        if isinstance(step, EndRound):
            waiting += [step.following] if _last(program, number) else []
        else:
            waiting += [target for name in _NEXT if (target := getattr(step, name, -1)) >= 0]
    return ahead


# ── what a round must be to be solved ────────────────────────────────────────────────────────────────────────────────


def _known_to_both(state: GameState) -> None:
    if state.program.players != SEATS:
        raise NotSolvableError(f"{state.program.players} players: only rounds of two have one value")
    if not state.pending:
        raise NotSolvableError("nobody has to choose here")
    if any(state.down):
        raise NotSolvableError("cards lie face down")


def _plain_faces(state: GameState, zones: list[int]) -> None:
    """Raise `NotSolvableError` if a card shares its face with another, so that seats may confuse them."""
    program = state.program
    for zone in zones:
        for cards in state.zones[zone]:
            faces = [program.faces[program.face_of_play[card]] for card in cards if card >= 0]
            alike = [face for face in faces if program.faces.count(face) > 1]
            if alike:
                raise NotSolvableError(f"{alike[0]} in {program.zones[zone].id} may be one of several cards")


# ── zones and formulas that matter ───────────────────────────────────────────────────────────────────────────────────


def _moves_look_back(program: Program, choice: Choice) -> bool:
    """True if the moves of a choice depend on the values that counters had at the previous choice."""
    values = [choice.cards, *(way.cards for way in choice.actions)]
    values += [*(option.condition for option in program.options if option.condition)]
    meanings = map(program.meanings.get, values)
    return choice.offer or any(meaning is None or _looks_back(meaning.expr) for meaning in meanings)


def _looks_back(expr: Expr) -> bool:
    """True if a formula reads the values that counters had at the previous choice."""
    return (isinstance(expr, Call) and expr.function == "gained") or any(map(_looks_back, parts(expr)))


def margin(state: GameState) -> float:
    """Return the margin of seat 0 over seat 1, in points, at the end of a round or of the game.

    After earlier rounds, rules for the end of the game count as they do in searches
    (`draftengine.engine.kernel.scoring`). If the fewest points win, the margin is positive if seat 0 has fewer.
    """
    record, program = record_of(state), state.program
    mine, other = (by_rounds(record, plan_of(program), seat, state.over) for seat in range(2))
    # There is a single division, at the end, so that equal margins are equal floats.
    return program.direction * ((mine - other) / program.model.rounds)
