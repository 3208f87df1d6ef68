"""The *public state*, from which the immediate gain of a move is estimated.

It contains only what every seat may know.
"""

from __future__ import annotations

from functools import reduce
from operator import or_, xor
from typing import TYPE_CHECKING, cast

from msgspec import Struct
from msgspec.structs import replace

from draftengine.engine.kernel.expected_gain import expect_of_move, play_of
from draftengine.engine.plain import number_of, plan_of, record_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from draftengine.engine.choose import Choice
    from draftengine.engine.instructions import Value
    from draftengine.engine.moves import Move
    from draftengine.engine.observe import Observation
    from draftengine.engine.program import Program
    from draftengine.engine.state import GameState


class PublicState(Struct):
    """The parts of a state that rules read, and the open faces of layouts. Every seat may know them."""

    program: Program
    words: list[int]
    words_before_choice: list[int]
    scores: list[int]
    markers: list[int]
    round: int
    turn: int
    zones: list[list[list[int]]]
    faces: list[list[int]]
    """For each layout and place, the card assumed there (see `Program.typical`); -1 = face down or empty."""
    formula_card: int = 0
    formula_zone_card: int = 0
    tell: None = None
    """The callback for events: none, because moves are only tried."""

    @classmethod
    def of_observation(cls, seen: Observation) -> PublicState:
        """Build the public state from an observation."""
        program, words = seen.program, list(seen.words)
        lying = {(view.zone, place): name for view in seen.zones for place, name, _ in view.places}
        names = [[lying.get((zone.id, place.id), "") for place in zone.layout] for zone in program.zones]
        faces = [[program.typical[program.face_named[name]] if name else -1 for name in row] for row in names]
        # The zones have the right sizes. They contain the real cards only if formulas read these cards.
        views, zones = iter(seen.zones), []  # the views are in the order of zones and owners
        for index, zone in enumerate(program.zones):
            if index == program.tableau:
                looked_into, named = index in program.inspected_zones or program.pieces_of_play, program.play_named
                tableaus = seen.tableaus
                zones.append([[named[name] for name in each] if looked_into else [0] * len(each) for each in tableaus])
                continue
            zone_views = [next(views) for _ in range(program.seats if zone.per == "seat" else 1)]
            named = program.play_named if zone.counts else program.face_named
            if index in program.inspected_zones:
                zones.append(
                    [[named[name] for name, copies in view.cards for _ in range(copies)] for view in zone_views]
                )
            else:
                zones.append([[0] * view.size for view in zone_views])
        return cls(
            seen.program,
            words,
            words,
            list(seen.scores),
            list(seen.markers),
            seen.round,
            seen.turn,
            zones,
            faces,
        )

    @classmethod
    def of_state(cls, state: GameState) -> PublicState:
        """Build the public state from a state. Both share their lists, except the packed words."""
        words, typical = state.words[:], state.program.typical
        faces = [
            [typical[card] if card >= 0 and place not in down else -1 for place, card in enumerate(owners[0])]
            if zone.layout
            else []
            for zone, owners, down in zip(state.program.zones, state.zones, state.down, strict=True)
        ]
        return cls(
            state.program, words, words, state.scores, state.markers, state.round, state.turn, state.zones, faces
        )

    def with_words(self, words: list[int]) -> PublicState:
        """Return a copy with other packed words. Everything else is shared."""
        return replace(self, words=words)


def outcome(public: PublicState, choice: Choice, seat: int, move: Move) -> tuple[list[int], int]:
    """Return all packed words after one move with its expected effects, and the points of the move."""
    after = public.with_words(public.words[:])
    return after.words, _lay_alone(after, choice, seat, move)


def _lay_alone(after: PublicState, choice: Choice, seat: int, move: Move) -> int:
    """Change the packed words as one move would. Return the points that the move gives immediately."""
    program = after.program
    if choice.plays or choice.actions or program.cards_count_elsewhere:
        return expect_of_move(record_of(cast("GameState", after)), plan_of(program), choice, seat, number_of(move))
    return 0


def shown_play(public: PublicState, choice: Choice, item: int) -> int:
    """Return the play that an item's card is assumed to become; -1 for no card, or a face-down card."""
    taken = (item + 1) % choice.items_per_action if choice.actions else item + 1
    return play_of(record_of(cast("GameState", public)), plan_of(public.program), choice, taken)


def forms_of(state: GameState, seat: int, card: int) -> tuple[int, ...]:
    """Return the options in which a seat can now play a card, or another card with the same face."""
    options = state.program.options_of[card]
    named = options[:-1] if len(options) > 1 else options
    conditions = [(option, state.program.options[option].condition) for option in named]
    return tuple(option for option, when in conditions if when is None or when(state, seat)) or options[-1:]


def rises(public: PublicState, choice: Choice, seat: int, moves: Iterable[Move]) -> list[int]:
    """Compute how much each move raises the provisional score of the seat.

    Only rules that read changed bits of the packed words are evaluated.
    """
    twin = public.with_words(public.words)
    before, after = cast("GameState", public), cast("GameState", twin)
    now: dict[Value, int] = {}
    result = []
    for move in moves:
        twin.words = public.words[:]
        rise = _lay_alone(twin, choice, seat, move)
        bits: int = reduce(or_, map(xor, public.words, twin.words))
        for points in public.program.provisional_rules(bits):
            if points not in now:
                now[points] = points(before, seat)
            rise += points(after, seat) - now[points]
        result.append(rise)
    return result


def gains(seen: Observation, moves: Iterable[Move] | None = None) -> list[int]:
    """Compute how much each given move, or each legal one, raises the provisional score of the seat."""
    choice = cast("Choice", seen.program.code[seen.decision])
    return rises(PublicState.of_observation(seen), choice, seen.seat, seen.moves if moves is None else moves)
