"""One dry run: it follows the flow of a game with the numbers of cards only (see the package)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NoReturn

from draftengine.model import limits
from draftengine.model.diagnostics import diagnose, ordered
from draftengine.model.flow.formulas import FlowFormulas
from draftengine.model.flow.merging import MAX_FOLLOWED, Merger
from draftengine.model.flow.pending import PendingLists
from draftengine.model.flow.positions import Position, between, distinct, fewest, most
from draftengine.model.flow.tally import FlowBounds, Stop, Tally
from draftengine.model.records import referenced_names
from draftengine.model.verbs.choose import ChooseStep
from draftengine.model.verbs.piles import ClearStep, GatherStep
from draftengine.model.verbs.turns import DoStep
from draftengine.support.locale.phrases import said

if TYPE_CHECKING:
    from collections.abc import Sequence

    from draftengine.model.diagnostics import Diagnostic
    from draftengine.model.flow.key import FlowKey
    from draftengine.model.flow.positions import Count
    from draftengine.model.flow.tally import Snapshot, TurnStart
    from draftengine.model.records.reader import ByPlayerCount, Formula, Zone
    from draftengine.model.verbs.verb import Step
    from draftengine.model.verbs.who import Who
    from draftengine.support.locale.phrases import Text

_NOBODY = -1

Counting = Mapping[type["Step"], Callable[[Any, "DryRun", list[Position]], list[Position]]]
"""For each class of step, a function that returns the positions after the step.

It may change the positions that it is called with. Steps that move no cards have no function.
"""


FEWEST_TURNS, _MOST_TURNS = 10, 200
"""The fewest and the most turns that are followed in a repeat without a proof that it ends."""
_USUAL_ROUNDS = 20
"""The largest number of rounds by which the limit of turns is divided: more rounds are rarely played."""


class _StopError(Exception):
    """Ends the run because of an error, which is among the findings."""


class TooLongError(Exception):
    """An error: too many turns. The flow is followed again, with fewer turns in unproved repeats."""


class UnprovedError(Exception):
    """An error: a step may be impossible. The flow is followed again with a `Stop` at this step."""

    def __init__(self, step: int, stop: Stop) -> None:
        super().__init__(str(stop.finding.text))
        self.step, self.stop = step, stop


class DryRun:
    """A dry run. Each step turns a list of possible positions into the list of positions after the step."""

    def __init__(self, game: FlowKey, counting: Counting, stops: Mapping[int, Stop] = MappingProxyType({})) -> None:
        self.game = game
        self.counting = counting
        self.stops = stops
        self.places = {id(step): place for place, step in enumerate(game.steps)}
        self.players = game.players
        self.seats = game.seats
        self.zones: tuple[Zone, ...] = game.zones
        self.zone_named = {zone.id: zone for zone in game.zones}
        self.extra = {seat: game.players + index for index, seat in enumerate(game.extra_seats)}
        self.counts = Tally(game)
        self.apart = Merger(game)
        self.zone_index, self.markers = self.apart.zones, self.apart.markers
        self.numbers = FlowFormulas(self)
        self.lists = PendingLists(self)
        self.supply_zones = tuple(self.zone_index[zone] for zone in game.supply_zones)
        self.late = any(ability.when == "after_reveal" for ability in game.abilities)
        self.touched: dict[int, list[int]] = {}
        self.round = self.turn = 0
        self.in_round = False
        self.unproven: dict[int, int] = {}
        """The current repeats without a proved bound, outermost first, each with the `work` before it.

        The keys here and in the next dictionaries are indices of steps in `FlowKey.steps`.
        """
        self.unlimited: set[int] = set()
        """The current repeats without a given number of turns, also if their condition reads ``turn``."""
        self.limited: dict[int, int] = {}
        """The repeats so far that may end before their given number of turns, with this number."""
        self.termination: dict[int, tuple[tuple[frozenset[int], int], ...]] = {}
        """A cache for `most_turns`: by repeat, the zones that only shrink, and the number of cards at its end."""
        self.ended: dict[str, list[Position]] = {"round": [], "game": []}
        """The positions in which the round or the game has ended before its last step."""
        self.findings: list[Diagnostic] = []
        self.idle: list[Diagnostic] = []

    # ── the game ──────────────────────────────────────────────────────────────────────────────────────────────────────

    def run(self) -> FlowBounds:
        for ability in self.game.abilities:
            if ability.take < 1 or ability.per_turn < 1:
                self.findings.append(diagnose("endless-turns", ability.span, say="ability", ability=ability.id))
        try:
            positions = self.run_all(self.game.setup, self._start())
            before: list[Position] = []
            last: TurnStart | None = None
            number = 1
            while number <= self.game.rounds and positions:
                self.round = number
                self.counts.begin(number)
                if self.apart.exhausted and not self.game.rounds_differ:
                    positions = self.apart.widen(positions, before)
                    before = [position.copy() for position in positions]
                now = self.counts.begun(positions)
                self.in_round = True
                positions = self.run_all(self.game.round, positions)
                self.in_round = False
                positions = distinct(positions + self.ended["round"])
                self.ended["round"] = []
                deck = self.zone_index["deck"]
                left_over = (fewest(position.zones[deck][0]) for position in positions + self.ended["game"])
                self.counts.end_round(min(left_over))
                alike = last is not None and now.laid.keys() == last.laid.keys()
                if last is not None and alike and not self.game.rounds_differ:
                    left, after = self.game.rounds - number, [*positions, *self.ended["game"]]
                    number += self.counts.skip_rounds(left, now.tally, after, now.laid_since(last))
                last = now
                number += 1
            last_ones = self.run_all(self.game.finish, distinct(positions + self.ended["game"]))
            self.counts.note_end([*last_ones, *self.ended["game"]])
        except _StopError:
            pass
        else:
            self._check_uses()
        return self._plan()

    def end(self, step: Step, what: str, positions: list[Position]) -> None:
        """End the round or the game (`what`) in these positions. Outside a round, report an error and stop."""
        if not self.in_round:
            self.refuse("misplaced-step", step, "no-end")
        self.ended[what] = self.apart.limit(self.ended[what] + positions)

    def _start(self) -> list[Position]:
        zones: list[list[Count]] = [[0] * len(owners) for owners in self.counts.largest]
        for owners, cards in zip(zones, self.game.start, strict=True):
            owners[0] = cards
        nothing = [0] * self.seats
        position = Position(zones, [_NOBODY] * len(self.markers), nothing[:], nothing[:])
        position.lists = self.lists.most
        for index, marker in enumerate(self.game.markers):
            holders = range(self.players) if marker.start == "random" else (_NOBODY,)
            if marker.start == "first" or (isinstance(marker.start, int) and marker.start < self.seats):
                holders = (0 if marker.start == "first" else marker.start,)
            position.hold(index, frozenset(holders))
        start = [position]
        self.counts.note(start, range(len(zones)))
        return start

    def _plan(self) -> FlowBounds:
        counts = self.counts
        return FlowBounds(
            players=self.players,
            seats=self.seats,
            turns=counts.turns,
            rounds=tuple(counts.rounds),
            sizes=tuple((zone.id, tuple(sizes)) for zone, sizes in zip(self.zones, counts.largest, strict=True)),
            at_end=tuple((zone.id, most) for zone, most in zip(self.zones, counts.at_end, strict=False)),
            plays=counts.most_laid,
            plays_in_game=counts.most_in_game,
            clearings=counts.clearings,
            reveals=counts.reveals,
            choices=counts.choices,
            scored=tuple(counts.scored.items()),
            moments=tuple(counts.moments.items()),
            work=self.apart.work,
            recirculates=self.game.recirculates,
            stops=tuple(sorted(self.stops.items())),
            findings=ordered([*self.findings, *(stop.warning for stop in self.stops.values())]),
            idle=ordered(self.idle),
            repeats=tuple((self.places[step], *turns) for step, turns in counts.repeats.items()),
        )

    # ── steps ─────────────────────────────────────────────────────────────────────────────────────────────────────────

    def run_all(self, steps: tuple[Step, ...], positions: list[Position]) -> list[Position]:
        for step in steps:
            if not positions:
                break
            positions = self.apart.split(step, positions)
            if step.when is None:
                positions = self._step(step, positions)
                continue
            taken: list[Position] = []
            skipped: list[Position] = []
            for position in positions:
                holds = self.numbers.truth(step.when, position)
                if holds is None:
                    taken.append(position.copy())
                    skipped.append(position)
                else:
                    (taken if holds else skipped).append(position)
            after = self._step(step, taken) if taken else []
            if isinstance(step, DoStep) and step.otherwise is not None and skipped:
                skipped = self._step(step.otherwise, skipped)
            positions = self.apart.limit(after + skipped)
        return positions

    def _step(self, step: Step, positions: list[Position]) -> list[Position]:
        count = self.counting.get(type(step))
        after = count(step, self, positions) if count is not None else positions
        if step.id:
            after = self.moment(step.id, after)
        if id(step) not in self.touched:
            every = isinstance(step, GatherStep | ClearStep)
            self.touched[id(step)] = [
                zone for name, zone in self.zone_index.items() if every or name in referenced_names(step, "zone")
            ]
        if self.lists.all and self.lists.seat is None and self.lists.brings_back(step):
            after = self.lists.back(after)
        self.counts.note(after, self.touched[id(step)])
        self.apart.follow(after)
        for endless, before in self.unproven.items():
            if self.apart.work - before > MAX_FOLLOWED:
                self.doubt_turns(self.game.steps[endless])
        if self.apart.work > 4 * MAX_FOLLOWED:
            self._shorten()
            self.refuse("endless-turns", step, "too-many-steps")
        return self.apart.limit(after)

    def moment(self, name: str, positions: list[Position]) -> list[Position]:
        """Run the triggers for the end of a named step or of a turn."""
        if name == "turn" and not self.game.turn_is_moment:
            return positions
        self.counts.moment(name)
        return self.triggered(name, positions)

    def triggered(self, moment: str, positions: list[Position]) -> list[Position]:
        """Run the triggers of a moment. Any seats may thereby take markers and carry out step lists."""
        if moment in self.game.takable or (moment == "reveal" and "play" in self.game.takable):
            at_once = ("play", "reveal") if moment == "reveal" else (moment,)
            for marker in sorted({name for when in at_once for name in self.game.takable.get(when, ())}):
                index, anybody = self.markers[marker], frozenset(range(self.seats))
                for position in positions:
                    position.hold(index, position.holders(index) | anybody)
            positions = self.apart.limit(positions)
        for steps in self.game.lists_after.get(moment, ()):
            positions = self.lists.of_triggers(steps, positions)
        return positions

    # ── turns ─────────────────────────────────────────────────────────────────────────────────────────────────────────

    def count_turn(self, step: Step, positions: list[Position]) -> None:
        """Count a turn that begins in these positions."""
        self.turn += 1
        hand = self.zone_index["hand"]
        self.counts.turn(position.zones[hand] for position in positions)
        self._limit_turns(step)

    def begin_unlimited(self, step: Step, *, by_turn: bool) -> None:
        """Begin a repeat without a given number of turns. With `by_turn`, its condition may limit the turns."""
        self.unlimited.add(self.places[id(step)])
        if not by_turn:
            self.unproven[self.places[id(step)]] = self.apart.work

    def end_unlimited(self, step: Step) -> None:
        self.unlimited.discard(self.places[id(step)])
        self.unproven.pop(self.places[id(step)], None)

    def between_turns(self, positions: list[Position]) -> list[Position]:
        """Merge positions between two turns. Within a turn, fewer may be merged."""
        return self.apart.tighten(self.apart.limit(positions, share=4))

    def skip(self, step: Step, times: int, before: Snapshot, positions: list[Position], laid: Sequence[int]) -> None:
        """Count `times` more turns like the last one, which began with `before` and laid `laid` cards."""
        self.turn += times
        self.counts.skip(times, before, positions, laid)
        self._limit_turns(step)

    def _limit_turns(self, step: Step) -> None:
        unlimited = self.places[id(step)] in self.unlimited and 2 * self.turn > limits.STEP
        if self.counts.turns > (limits.STEP if unlimited else limits.TURNS):
            self._shorten()
            if unlimited:
                self.doubt_turns(step)
            for place, limit in self.limited.items():
                other = self.game.steps[place]
                if self.stop_at(other) is None:
                    self.doubt(
                        "endless-turns", other, "may-be-too-many", min(limit, self._stop_after), most=limits.TURNS
                    )
            self.refuse("endless-turns", step, "too-many-turns", most=limits.TURNS)

    def doubt_turns(self, step: Step, *, circle: bool = False, endless: bool = False) -> NoReturn:
        """Raise an error because a repeat may never end. If it surely never ends (`endless`), refuse the file."""
        say = "circle" if circle else "goes-on"
        if endless:
            self.refuse("endless-turns", step, say, turn=self.turn)
        self.doubt("endless-turns", step, say, self._stop_after, turn=self.turn)

    @property
    def _stop_after(self) -> int:
        """The largest number of turns that are followed in a repeat that is not proved to end."""
        return max(FEWEST_TURNS, min(_MOST_TURNS, limits.STEP // min(self.game.rounds, _USUAL_ROUNDS)))

    def doubt(self, code: str, step: Step, say: str, turns: int = 0, **values: Any) -> NoReturn:
        """Raise an error because a step may be impossible. The flow is then followed again and stops there."""
        finding = diagnose(code, step.span, say=say, severity="warning", where=self.location(), **values)
        raise UnprovedError(self.places[id(step)], Stop(finding, turns, short=say.startswith("short")))

    def stop_at(self, step: Step) -> Stop | None:
        """Return the stop at a step; None if the run does not stop there."""
        return self.stops.get(self.places[id(step)]) if self.stops else None

    def stop(self, positions: list[Position]) -> None:
        """End the game in these positions, because a step is impossible there."""
        self.ended["game"] = self.apart.limit(self.ended["game"] + positions)

    def _shorten(self) -> None:
        """Raise `TooLongError` if the dry run can be repeated with fewer turns in unproved repeats."""
        if any(stop.turns > 2 * FEWEST_TURNS for stop in self.stops.values()):
            raise TooLongError

    # ── what steps need ───────────────────────────────────────────────────────────────────────────────────────────────

    def location(self) -> Text:
        return said("finding.in-round", round=self.round) if self.round else ""

    def refuse(
        self, code: str, at: Step | Formula | ByPlayerCount, say: str = "it", hint: Text | None = None, **values: Any
    ) -> NoReturn:
        self.findings.append(diagnose(code, at.span, say=say, hint=hint, where=self.location(), **values))
        raise _StopError

    def seats_of(self, who: Who | None, position: Position) -> Sequence[int]:
        """Return the players who may carry out a step; none if an extra seat holds the marker in `who`."""
        if self.lists.seat is not None:
            return (self.lists.seat,)
        if who is None or who.holder is None:
            return range(self.players)
        holder = self.holder(who.holder, position)
        return (holder,) if holder in range(self.players) else ()

    def maybe(self, who: Who | None, cards: Count) -> Count:
        """Return the number of cards; as a range from 0 if a seat may not meet the condition in `who`."""
        return cards if who is None or who.formula is None else between(0, most(cards))

    def holder(self, marker: str, position: Position) -> int:
        (holder,) = position.holders(self.markers[marker])
        return holder

    def _check_uses(self) -> None:
        """Report choices from zones that are always empty, and steps that never move cards.

        The passes of a repeat in a list are one step in the file.
        """
        uses = [(use, referenced_names(use.step, "zone", "from")) for use in self.counts.uses.values()]
        moving = {(use.step.span, zones) for use, zones in uses if use.cards}
        for step, zones in ((use.step, zones) for use, zones in uses if (use.step.span, zones) not in moving):
            for zone in (zone for zone in zones - self.game.uncertain_zones if ":" not in zone):
                if isinstance(step, ChooseStep):
                    hint = said("hint.takes-none", zone=zone) if step.as_ and not step.is_plain else None
                    self.idle.append(diagnose("zone-misuse", step.span, say="nobody", zone=zone, hint=hint))
                else:
                    idle = diagnose("zone-misuse", step.span, say="idle", severity="warning", verb=step.verb, zone=zone)
                    self.idle.append(idle)
