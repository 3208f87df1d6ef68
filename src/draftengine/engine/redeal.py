"""Worlds: states that a seat cannot tell from the real one.

Everything that the seat does not know is dealt again. Worlds are made from an observation, never from a state, so
nothing hidden can leak. The seat may know the face of a card, but not which of several cards with that face it is. Any
other hidden place may hold each card that the rules allow there. For any two places, the sets of faces that they may
hold are disjoint, or one contains the other. So all arrangements are equally likely if the smallest set is dealt first,
and the cards left over join the next larger set.
"""

from __future__ import annotations

from collections import Counter
from functools import cached_property, lru_cache
from itertools import chain
from typing import TYPE_CHECKING

from msgspec import Struct

from draftengine.engine.beliefs import Beliefs
from draftengine.engine.chance import Stream
from draftengine.engine.choose import Choice, PlayAll
from draftengine.engine.instructions import Clear, Deal, Flip, Gather, MoveAll, Shuffle
from draftengine.engine.moves import asked_now
from draftengine.engine.state import GameState, initial_state
from draftengine.support.identity import by_identity

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from draftengine.engine.observe import Observation, ZoneView
    from draftengine.engine.program import Program

Run = tuple[int, int, int, int]
"""Adjacent places in one zone: (zone, owner, first place, place after the last one)."""

Faces = frozenset[int]
"""A set of faces. The first card that has a face represents the face."""

_GAMES = 32
"""The number of games in the cache of facts about rules."""

_MOST_DEALS = 1000
"""The number of deals after which no world is found that asks the same seats."""

UNDEALT = -1
"""A placeholder in a template for a card or chip that is still to be dealt."""


class ImpossibleError(ValueError):
    """The error if the cards in the box do not fit the hidden places, or no world asks the same seats.

    The first happens in some positions that are laid out by hand. The second can happen if only very few of all deals
    give the seats that are asked what they are asked for.
    """


class HiddenGroup(Struct, frozen=True):
    """Hidden places and a *pool*: the cards that a world deals to these places."""

    runs: tuple[Run, ...]
    """The places in the order in which they are filled."""
    pool: tuple[int, ...]
    """The cards to deal. Cards left over from earlier groups are appended to the pool."""
    into: int
    """The index of the group whose pool gets the cards left over.

    A group that uses all of its cards may name itself.
    """


class HiddenChips(Struct, frozen=True):
    """Chips of one pile that a seat does not know."""

    pile: int
    slots: tuple[tuple[int, int], ...]
    """Unknown chips as (seat, index among the chips of the seat)."""
    pool: tuple[int, ...]
    """The chips to deal. The chips left over form the pile."""


class HiddenCards(Struct, frozen=True, dict=True):
    """The knowledge of a seat about a state, prepared for dealing any number of worlds.

    A world is made from the template and a random stream, as follows. The stream gives the key of the deal stream,
    then that of the chance stream. Group by group, the pool is shuffled. Its first cards go to the places, and the
    others to the end of the pool of group `HiddenGroup.into`. Then `reshuffled_zones` are shuffled. Pile by pile,
    the hidden chips are shuffled and dealt; the chips left over form the pile, in ascending order.
    """

    template: GameState
    """A state with everything that is certain, and `UNDEALT` elsewhere. It must not be changed."""
    parts: tuple[HiddenGroup, ...]
    """The groups in the order of dealing; usually there is just one.

    The last group deals the cards that can lie anywhere.
    """
    reshuffled_zones: tuple[tuple[int, int], ...]
    """Zones to draw from, as (zone, owner), if the seat knows some of their cards but not the order."""
    chips: tuple[HiddenChips, ...]
    seen: Observation
    """The observation from which all other fields were derived."""

    @classmethod
    def of(cls, seen: Observation) -> HiddenCards:
        """Return the prepared knowledge for an observation. Raises `ImpossibleError`."""
        program = seen.program
        # First come all facts that are open; the dealer then adds the cards outside tableaus.
        template = initial_state(program, 0, 0, memory=False)
        template.zones[program.zone_index("tableau")] = [
            [program.play_named[name] for name in tableau] for tableau in seen.tableaus
        ]
        template.words = list(seen.words)
        template.words_before_choice = list(seen.state_before)
        template.scores = list(seen.scores)
        template.markers = list(seen.markers)
        template.round = seen.round
        template.turns = seen.turns
        template.pc = seen.decision
        template.pending = seen.pending
        template.chosen = {} if seen.committed is None else {seen.seat: seen.committed}
        template.over = sum(1 << seat for seat in seen.winners)
        try:
            dealer = _Dealer(seen, template, laid_out=False)
        except ImpossibleError:
            # In a position laid out by hand, a card may lie in a zone that it could never reach in a game.
            dealer = _Dealer(seen, template, laid_out=True)
        # Put known chips into the template. Chips of equal value are alike: the first one left in the pile stands for
        # any of them.
        piles, index = template.piles, {chip.id: pile for pile, chip in enumerate(program.model.chips)}
        slots: list[list[tuple[int, int]]] = [[] for _ in piles]
        for seat, held in enumerate(seen.chips):
            for place, (name, value) in enumerate(held):
                pile, chip = index[name], UNDEALT
                if value is None:
                    slots[pile].append((seat, place))
                else:
                    chip = next(left for left in piles[pile] if program.chip_values[pile][left] == value)
                    piles[pile].remove(chip)
                template.chips[seat].append((pile, chip))
        hidden = (HiddenChips(pile, tuple(places), tuple(piles[pile])) for pile, places in enumerate(slots) if places)
        return cls(template, dealer.parts, tuple(dealer.reshuffled_zones), tuple(hidden), seen)

    @cached_property
    def memory(self) -> Beliefs:
        """The beliefs of the seat, which are equal in all worlds. They must not be changed.

        They cover what the seat sees or remembers now. Layouts, and zones whose cards add to counters, are left out
        because their cards are open.
        """
        seen, program = self.seen, self.seen.program
        memory = Beliefs.empty(program)
        if seen.seat >= 0:
            for view in seen.zones:
                zone = program.zone_index(view.zone)
                if not (program.zones[zone].layout or program.zones[zone].counts):
                    known = {program.face_named[name]: copies for name, copies in view.cards}
                    memory.known_cards[seen.seat][zone][max(view.owner, 0)] = known
            memory.watched[seen.seat] = list(seen.watched)
            for zone, owner, trail in seen.trails:
                memory.trails[seen.seat][zone][owner] = trail
        return memory

    def world(self, stream: Stream, *, memory: bool = False) -> GameState:
        """Return a new state that the seat cannot tell from the real one.

        Cards that the seat remembers lie where it remembers them; all possible arrangements of the other cards have
        equal probability. Future random events do not depend on those of the real game, and the ledger is empty. With
        `memory`, the state includes the beliefs of this seat only. Without `memory`, playing on is faster.

        Everybody hears which seats are asked, so a world that asks other seats is dealt again. Raises
        `ImpossibleError` after many such worlds.
        """
        for _ in range(_MOST_DEALS):
            state = self._dealt(stream, memory=memory)
            if not state.pending or asked_now(state) == state.pending:
                return state
        message = f"none of {_MOST_DEALS} worlds asks the seats {self.seen.pending}"
        raise ImpossibleError(message)

    def _dealt(self, stream: Stream, *, memory: bool) -> GameState:
        """Return a new state with all hidden cards and chips dealt."""
        state = self.template.clone()
        state.deal, state.chance = Stream(stream.word()), Stream(stream.word())
        if memory:
            state.memory = self.memory.clone()
        pools = [list(part.pool) for part in self.parts]
        for part, pool in zip(self.parts, pools, strict=True):
            stream.shuffle(pool)
            pools[part.into] += pool[_lay(state.zones, part.runs, pool) :]
        for zone, owner in self.reshuffled_zones:
            stream.shuffle(state.zones[zone][owner])
        for hidden in self.chips:
            pool = list(hidden.pool)
            stream.shuffle(pool)
            for (seat, place), chip in zip(hidden.slots, pool, strict=False):
                state.chips[seat][place] = (hidden.pile, chip)
            state.piles[hidden.pile] = sorted(pool[len(hidden.slots) :])
        return state


# ── what is not ─────────────────────────────────────────────────────────────────────────────────────────────────────


class _Dealer:
    """A builder of the groups of a `HiddenCards`.

    It collects places by the faces that can lie in them, and the cards to deal. Cards that can lie in only one place
    are put there immediately.
    """

    def __init__(self, seen: Observation, template: GameState, *, laid_out: bool) -> None:
        self.seen = seen
        self.program = seen.program
        self.template = template
        self.rules = _rules(seen.program)
        self.single, self.every = self.rules.single, self.rules.every
        self.homes = {} if laid_out else self.rules.homes
        self.runs: dict[Faces, list[Run]] = {faces: [] for faces in (*self.single.values(), self.every)}
        self.reshuffled_zones: list[tuple[int, int]] = []
        for view in seen.zones:
            self._sort(view)
        if self.program.has_sides:
            # Turns and rolls are open, so the numbers follow from what the seat sees, remembers, and lists as unseen.
            program = seen.program
            left = Counter(program.card_of[program.play_named[name]] for tableau in seen.tableaus for name in tableau)
            for view in seen.zones:
                counts = program.zones[program.zone_index(view.zone)].counts
                for name, copies in view.cards:
                    left[program.card_of[program.play_named[name]] if counts else program.face_named[name]] += copies
            for name, copies in seen.unseen:
                left[program.face_named[name]] += copies
        else:
            left = self.rules.box.copy()
        for zone, lying in zip(self.program.zones, template.zones, strict=True):
            for play in chain.from_iterable(lying) if zone.counts else ():
                left[self.program.card_of[play]] -= 1
        self.pools: dict[Faces, list[int]] = {faces: [] for faces in self.runs}
        """The cards to deal, by set of faces.

        Cards that the seat sees are included even if the box should not have that many.
        """
        for card, face in enumerate(self.program.faces):
            self.pools[self.single[face]] += [card] * left[card]
        for faces in self.single.values():
            if self.runs[faces]:
                self.pools[faces] += [*faces] * (places_in(self.runs[faces]) - len(self.pools[faces]))
        self.parts = self._parts()

    def _sort(self, view: ZoneView) -> None:
        """Record, for each place of an owner's zone, which faces the card there can have."""
        zone, owner = self.program.zone_index(view.zone), max(view.owner, 0)
        if self.program.zones[zone].layout:
            index = {place.id: position for position, place in enumerate(self.program.zones[zone].layout)}
            self.template.zones[zone][0] = [UNDEALT] * len(index)
            self.template.down[zone] = [index[place] for place, name, _ in view.places if not name]
            for place, name, _ in view.places:
                if name:
                    self._place(self.single[name], zone, 0, index[place], index[place] + 1)
            for position in self.template.down[zone]:
                self._place(self.homes.get(zone, self.every), zone, 0, position, position + 1)
            return
        if self.program.zones[zone].counts:
            lying = [self.program.play_named[name] for name, copies in view.cards for _ in range(copies)]
            self.template.zones[zone][owner] = lying
            return
        self.template.zones[zone][owner] = [UNDEALT] * view.size
        for position, name in enumerate(view.order):
            self._place(self.single[name], zone, owner, position, position + 1)
        if view.order:
            return
        start = 0
        for name, copies in view.cards:
            self._place(self.single[name], zone, owner, start, start + copies)
            start += copies
        if start < view.size:
            self._place(self.homes.get(zone, self.every), zone, owner, start, view.size)
        if start and view.size > 1 and _will_be_drawn(self.program, self.seen.decision, zone):
            self.reshuffled_zones.append((zone, owner))

    def _place(self, faces: Faces, zone: int, owner: int, start: int, stop: int) -> None:
        """Record that each place of a run holds one of `faces`. If the previous run is adjacent, extend it."""
        runs = self.runs.setdefault(faces, [])
        if runs and runs[-1][:2] == (zone, owner) and runs[-1][3] == start:
            start = runs.pop()[2]
        runs.append((zone, owner, start, stop))

    def _parts(self) -> tuple[HiddenGroup, ...]:
        """Return the groups to deal, smallest sets of faces first. Raises `ImpossibleError`."""
        order, wider = _nested(tuple(self.runs))
        dealt: list[Faces] = []
        handed_on: Counter[Faces] = Counter()
        for faces in order:
            runs, pool = self.runs[faces], self.pools[faces]
            places = places_in(runs)
            spare = len(pool) + handed_on[faces] - places
            if spare < 0 or (spare and faces == self.every):
                raise ImpossibleError("what lies hidden is not what the box has left")
            if faces == self.every or handed_on[faces] or (places and len(set(pool)) > 1):
                dealt.append(faces)
                handed_on[wider[faces]] += spare
            else:
                _lay(self.template.zones, runs, pool)
                self.pools[wider[faces]] += pool[places:]
        index = {faces: number for number, faces in enumerate(dealt)}
        # A group without cards left over names itself if the wider set needs no dealing.
        return tuple(
            HiddenGroup(tuple(self.runs[faces]), tuple(self.pools[faces]), index.get(wider[faces], at))
            for at, faces in enumerate(dealt)
        )


@lru_cache(_GAMES)
def _nested(sets: tuple[Faces, ...]) -> tuple[list[Faces], Mapping[Faces, Faces]]:
    """Return the sets, smallest first, and for each the smallest larger set that contains it, or itself."""
    order = sorted(sets, key=len)
    return order, {faces: next((more for more in order if faces < more), faces) for faces in order}


def places_in(runs: Sequence[Run]) -> int:
    """Count the places of all runs."""
    return sum([stop - start for _, _, start, stop in runs])


def _lay(zones: Sequence[list[list[int]]], runs: Sequence[Run], cards: Sequence[int]) -> int:
    """Lay cards into the places of runs, from the first card on. Return the number of cards used."""
    laid = 0
    for zone, owner, start, stop in runs:
        end = laid + stop - start
        zones[zone][owner][start:stop] = cards[laid:end]
        laid = end
    return laid


# ── what the rules tell ─────────────────────────────────────────────────────────────────────────────────────────────


class _Rules:
    """Facts that follow from the rules of a game, regardless of what a seat sees."""

    def __init__(self, program: Program) -> None:
        self.single: Mapping[str, Faces] = {name: frozenset({face}) for name, face in program.face_named.items()}
        self.every: Faces = frozenset(program.face_of)
        self.homes = _homes(program)
        self.box = Counter(program.deck)


_rules = by_identity(_GAMES)(_Rules)


def _homes(program: Program) -> Mapping[int, Faces]:
    """Return, for each zone that some faces can never reach, the faces that can reach it.

    If some cards start apart from the others, some zones never contain both. Sets that overlap without one
    containing the other are left out, because dealing needs nested sets.
    """
    if len(program.initial_cards) == 1:
        return {}
    reached: list[set[int]] = [set() for _ in program.zones]
    for zone, cards in program.initial_cards:
        reached[zone].update(program.face_of[card] for card in cards)
    tableau, discard = program.zone_index("tableau"), program.zone_index("discard")
    ways = set[tuple[int, int]]()  # the zones between which a step may bring cards
    for step in program.code:
        if isinstance(step, (Deal, MoveAll, PlayAll)):
            ways.add((step.source, step.target))
        elif isinstance(step, Choice):
            # Cards of abilities go back, and effects discard.
            ways |= {(way.laying.source, way.laying.target) for way in step.actions}
            ways |= {(step.source, step.target), (tableau, step.source), (tableau, discard)}
        elif isinstance(step, Clear):
            ways.add((step.zone, discard))
        elif isinstance(step, Gather):
            ways.add((program.zone_index("deck"), step.target))
    flips = [step for step in program.code if isinstance(step, Flip)]
    for _ in program.zones:  # no path without cycles has more steps than there are zones
        for source, target in ways:
            reached[target] |= reached[source]
        for flip in flips:
            results = (flip.shows[flip.first[card] :][: flip.number[card]] for card in reached[flip.zone])
            reached[flip.zone] |= set(chain.from_iterable(results))
    return {
        zone: frozenset(faces)
        for zone, faces in enumerate(reached)
        if faces != set(program.face_of) and all(faces <= more or more <= faces or not faces & more for more in reached)
    }


@by_identity(8 * _GAMES)
def _will_be_drawn(program: Program, index: int, zone: int) -> bool:
    """True if cards may be drawn from the top of a zone, from step `index` on, before it is shuffled."""
    to_do, done = [(index, zone)], {(len(program.code), zone)}
    while to_do:
        here = index, zone = to_do.pop()
        if here in done or index >= len(program.code):
            continue
        done.add(here)
        step = program.code[index]
        if isinstance(step, Deal) and step.source == zone:
            return True
        if isinstance(step, Gather) or (isinstance(step, Shuffle) and step.zone == zone):
            continue
        if isinstance(step, MoveAll) and step.source == zone:
            zone = step.target
        to_do += [(getattr(step, name), zone) for name in ("following", "otherwise") if hasattr(step, name)]
    return False
