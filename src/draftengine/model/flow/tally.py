"""The counts that a dry run collects, and its results: bounds for each round and for the whole game."""

from __future__ import annotations

from operator import add, sub
from typing import TYPE_CHECKING

from msgspec import Struct, field
from msgspec.structs import replace

from draftengine.model import limits
from draftengine.model.diagnostics import reworded
from draftengine.model.flow.positions import most

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from draftengine.model.cardset.effects import EffectList
    from draftengine.model.diagnostics import Diagnostic
    from draftengine.model.flow.key import FlowKey
    from draftengine.model.flow.positions import Count, Position
    from draftengine.model.verbs.verb import Step
    from draftengine.support.source import Span


class RoundBounds(Struct, frozen=True):
    """The bounds of one round: the largest possible values, but for `left` the smallest one."""

    number: int
    dealt: tuple[tuple[str, int], ...]
    """For each zone, the number of cards that are dealt or drawn into it, for all seats together."""
    turns: int
    hands: tuple[tuple[int, ...], ...]
    """For each turn, the number of cards in each seat's hand when the turn begins."""
    left: int
    """The smallest number of cards in the deck after the round."""


class Stop(Struct, frozen=True):
    """A step at which a dry run ends the game, because the step may be impossible or may repeat forever."""

    finding: Diagnostic
    turns: int = 0
    """For a repeat, the number of turns before it stops; 0 for a deal, which stops when cards run out."""
    short: bool = False
    """True for a deal that does not stop, but deals the cards that are there."""

    @property
    def warning(self) -> Diagnostic:
        return (
            self.finding if self.short else reworded(self.finding, "stopped", doubt=self.finding.text, turns=self.turns)
        )


class FlowBounds(Struct, frozen=True):
    """The result of a dry run: proved bounds of a game for a number of players, and findings."""

    players: int
    seats: int
    turns: int
    """The most turns that a game can have."""
    rounds: tuple[RoundBounds, ...]
    sizes: tuple[tuple[str, tuple[int, ...]], ...]
    """For each zone, the most cards there at any time, by owner. A shared zone has one owner."""
    at_end: tuple[tuple[str, int], ...]
    """For each zone, the most cards of one owner at the end of the game; empty if that is not known."""
    plays: int
    """The most cards that are laid into one tableau between two clearings."""
    plays_in_game: int
    """The most cards that are laid into one tableau in a whole game."""
    clearings: int
    """The largest number of times that tableaus are cleared."""
    reveals: int
    """The largest number of times that cards are revealed, which are the moments of ``reveal`` triggers."""
    choices: int
    """The largest number of times that a seat chooses an action."""
    scored: tuple[tuple[str, int], ...]
    """For each label, the largest number of times that it is scored."""
    moments: tuple[tuple[str, int], ...]
    """For each named step, and for ``turn``, the largest number of times that it ends."""
    work: int
    """The work of the dry run: the number of piles of cards, added up over all positions after all steps."""
    recirculates: bool
    """True if a card that has left a tableau can be played again."""
    stops: tuple[tuple[int, Stop], ...]
    """The steps at which the game may end early, each with its index in `all_steps`."""
    findings: tuple[Diagnostic, ...]
    idle: tuple[Diagnostic, ...]
    """Findings about steps that never move a card. They are reported if all numbers of players have them."""
    repeats: tuple[tuple[int, int, int], ...]
    """For each repeat: its index in `all_steps`, the last turn in which a card moved, and the most turns."""

    def times(self, listed: EffectList, plays: int) -> int:
        """Return the largest number of times that an effect list runs for a seat that plays `plays` cards."""
        moment, known = listed.moment, {"play": plays, "way": self.choices, "reveal": self.reveals}
        times = (
            known[moment] if moment in known else dict(self.scored).get(moment, 0) + dict(self.moments).get(moment, 0)
        )
        return times * (self.players if listed.of_others else 1)

    def moved(self, places: Mapping[Span, Span]) -> FlowBounds:
        """Return these bounds with the findings at other positions in the file: `places` maps old to new ones."""

        def at_its_place(finding: Diagnostic) -> Diagnostic:
            return replace(finding, span=places[finding.span])

        return replace(
            self,
            stops=tuple((step, replace(stop, finding=at_its_place(stop.finding))) for step, stop in self.stops),
            findings=tuple(map(at_its_place, self.findings)),
            idle=tuple(map(at_its_place, self.idle)),
        )

    @property
    def complete(self) -> bool:
        """True if the flow was followed to its end. Otherwise, the bounds hold only for the first part."""
        return not any(finding.severity == "error" for finding in self.findings)


class Snapshot(Struct, frozen=True):
    """The counts of a dry run at one moment."""

    numbers: tuple[int, ...]
    scored: dict[str, int]
    moments: dict[str, int]
    dealt: dict[str, int]
    uses: dict[int, tuple[int, int]]
    hands: int


class TurnStart(Struct, frozen=True):
    """The counts of a dry run at the beginning of a turn or round."""

    laid: dict[tuple[object, ...], tuple[int, ...]]
    """For each position, by its key: the cards each seat laid since the last clearing, then in the game."""
    tally: Snapshot

    def laid_since(self, last: TurnStart) -> list[int]:
        """Return the largest rise of each number in `laid` since `last`, over all positions.

        Both must have the same position keys.
        """
        rises = [map(sub, laid, last.laid[key]) for key, laid in self.laid.items()]
        return [max(rise) for rise in zip(*rises, strict=True)]


class _Round(Struct):
    number: int
    dealt: dict[str, int] = field(default_factory=dict)
    turns: int = 0
    hands: list[tuple[int, ...]] = field(default_factory=list)


class _Use(Struct):
    """A step, with the number of times that it was carried out and the total of the cards that it moved."""

    step: Step
    times: int = 0
    cards: int = 0


class Tally:
    """Counts what happens in one dry run."""

    def __init__(self, game: FlowKey) -> None:
        self.game = game
        self.turns = self.clearings = self.reveals = self.choices = self.moved = 0
        self.scored: dict[str, int] = {}
        self.moments: dict[str, int] = {}
        self.now = _Round(1)
        self.rounds: list[RoundBounds] = []
        self.largest = [[0] * (1 if zone.per == "table" else game.seats) for zone in game.zones]
        """For each zone, the largest number of cards so far, by owner."""
        self.at_end: list[int] = []
        """For each zone, the largest number of cards of one owner when the game ends."""
        self.most_laid = self.most_in_game = 0
        self.uses: dict[int, _Use] = {}
        self.repeats: dict[int, tuple[int, int]] = {}
        """For each repeat, by identity: the last turn in which a card moved, and the most turns."""

    def begin(self, number: int) -> None:
        """Begin to count a round. Deals in the setup count for the first round."""
        self.now = _Round(number) if number > 1 else self.now

    def end_round(self, left: int) -> None:
        now = self.now
        self.rounds.append(RoundBounds(now.number, tuple(now.dealt.items()), now.turns, tuple(now.hands), left))

    def turn(self, hands: Iterable[Sequence[Count]]) -> None:
        """Count a turn. `hands` yields the hand sizes of all seats for each position."""
        self.turns += 1
        self.now.turns += 1
        self.now.hands.append(tuple(map(max, *(map(most, hand) for hand in hands), [0] * self.game.seats)))

    def score(self, name: str) -> None:
        self.scored[name] = self.scored.get(name, 0) + 1

    def moment(self, name: str) -> None:
        self.moments[name] = self.moments.get(name, 0) + 1

    def deal(self, zone: str, cards: int) -> None:
        self.now.dealt[zone] = self.now.dealt.get(zone, 0) + cards

    def use(self, step: Step, cards: Count) -> None:
        """Count a step that has moved cards."""
        use = self.uses.get(id(step))
        if use is None:
            use = self.uses[id(step)] = _Use(step)
        use.times += 1
        use.cards += most(cards)
        self.moved += most(cards)

    def lay(self, position: Position, seat: int, cards: Count, left: Count) -> None:
        """Count cards that a seat lays. Abilities may add some of the `left` cards."""
        there = most(left)
        more = min(self.game.extra_plays, there)
        moment = min(self.game.extra_for_a_moment, there - more)
        laid = most(cards) + more
        position.laid[seat] += laid
        position.laid_in_game[seat] += laid
        self.laid(position.laid[seat] + moment, position.laid_in_game[seat] + moment)

    def laid(self, now: int, in_game: int) -> None:
        """Raise the maxima of cards laid in a tableau: since a clearing (`now`), and in a game."""
        self.most_laid = max(self.most_laid, now)
        self.most_in_game = max(self.most_in_game, in_game)

    def note(self, positions: list[Position], zones: Iterable[int]) -> None:
        """Raise the maxima of zone sizes to the sizes that these zones have in the positions."""
        for zone in zones:
            sizes = self.largest[zone]
            for position in positions:
                cells = position.zones[zone]
                if cells != sizes:
                    for index, cell in enumerate(cells):
                        cards = cell if isinstance(cell, int) else cell.high
                        if cards > sizes[index]:  # noqa: PLR1730 (`max` takes three times as long)
                            sizes[index] = cards

    def note_end(self, positions: list[Position]) -> None:
        """Store the largest sizes of all zones in the last positions of the game."""
        zones = [
            [most(cell) for position in positions for cell in position.zones[zone]] for zone in range(len(self.largest))
        ]
        self.at_end = [max(cells, default=0) for cells in zones]

    def repeated(self, step: Step, active: int, turns: int) -> None:
        """Record a repeat: the last turn in which a card moved, and the number of its turns."""
        before, most_turns = self.repeats.get(id(step), (0, 0))
        self.repeats[id(step)] = max(active, before), max(turns, most_turns)

    def tally(self) -> Snapshot:
        """Return a copy of the counts."""
        uses = {key: (use.times, use.cards) for key, use in self.uses.items()}
        numbers = (self.turns, self.now.turns, self.clearings, self.reveals, self.choices)
        return Snapshot(numbers, dict(self.scored), dict(self.moments), dict(self.now.dealt), uses, len(self.now.hands))

    def begun(self, positions: Iterable[Position]) -> TurnStart:
        """Return the counts at the beginning of a turn or round, which begins in these positions."""
        return TurnStart(
            {position.key(): (*position.laid, *position.laid_in_game) for position in positions}, self.tally()
        )

    def skip_rounds(self, left: int, before: Snapshot, positions: list[Position], laid: Sequence[int]) -> int:
        """Count up to `left` more rounds like the last one, within `limits.TURNS`, and return their number."""
        turns = self.now.turns
        times = min(left, (limits.TURNS - self.turns) // turns) if turns else left
        self.skip(times, before, positions, laid)
        last = self.rounds[-1]
        self.rounds += [replace(last, number=last.number + more) for more in range(1, times + 1)]
        return times

    def skip(self, times: int, before: Snapshot, positions: list[Position], laid: Sequence[int]) -> None:
        """Add the counts since `before` another `times` times. Each time, the seats lay `laid` cards."""
        now = self.tally()
        rises = [times * (late - early) for early, late in zip(before.numbers, now.numbers, strict=True)]
        self.turns += rises[0]
        self.now.turns += rises[1]
        self.clearings += rises[2]
        self.reveals += rises[3]
        self.choices += rises[4]
        named = ((self.scored, before.scored), (self.moments, before.moments), (self.now.dealt, before.dealt))
        for counts, early in named:
            for name in counts:
                counts[name] += times * (counts[name] - early.get(name, 0))
        for key, use in self.uses.items():
            early_times, early_cards = before.uses.get(key, (0, 0))
            use.times += times * (use.times - early_times)
            use.cards += times * (use.cards - early_cards)
        self.now.hands += self.now.hands[before.hands :] * times
        more = [times * max(0, cards) for cards in laid]
        moment = self.game.extra_for_a_moment if any(more) else 0
        for position in positions:
            position.laid = [*map(add, position.laid, more[: self.game.seats])]
            position.laid_in_game = [*map(add, position.laid_in_game, more[self.game.seats :])]
            self.laid(max(position.laid) + moment, max(position.laid_in_game) + moment)
