"""Encoding of any game as numbers: a fixed list of actions, and a documented observation vector.

A move is a tuple of codes (see `draftengine.engine.moves`), and there may be very many moves. So an *action* is one
code, and a seat builds its move action by action. The action *done* comes last in the list: it ends a move that could
go on. If every move has one code, an action is a whole move.

Seats are numbered relative to the observing seat: 0 is the seat itself, 1 the next player and so on; extra seats come
last. A vector is computed only from an `Observation`, so it contains nothing that the seat may not know.

This module makes plain lists; `draftengine.studies.environments.table` makes arrays of them.
"""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from itertools import product
from typing import TYPE_CHECKING, NamedTuple

from draftengine.engine.choose import Choice
from draftengine.model import limits
from draftengine.model.cardset.pieces import card_in

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from draftengine.engine.moves import Move, Moves
    from draftengine.engine.observe import Cards, Observation, ZoneView
    from draftengine.engine.program import Program

Bounds = tuple[float, float]

DONE = "done"
ALTERNATIVES = " or "
"""Separates the names of an action, if it has several."""


class Part(NamedTuple):
    """A range of entries in the observation vector, with a name and a description."""

    name: str
    start: int
    length: int
    meaning: str


class Subject(NamedTuple):
    """The thing that a part of the vector describes, as numbers, for engines that write vectors directly."""

    kind: str
    """The kind of the part (see `draftengine.engine.kernel.showing.PARTS`)."""
    about: int = 0
    """The index of the zone or marker."""
    place: int = 0
    """The seat, relative to the observing one; extra seats come last."""


class _Now(NamedTuple):
    """The arguments of the functions that compute the entries of one part."""

    seen: Observation
    order: tuple[int, ...]
    """All seats, beginning with the observing one; extra seats come last."""
    taken: Move
    """The codes that the player has chosen so far."""
    subject: Subject

    @property
    def seat(self) -> int:
        """The seat that the part is about."""
        return self.order[self.subject.place]


class _Section(NamedTuple):
    """One part of the vector: its entries, its subject, and the function that computes the entries."""

    name: str
    meaning: str
    entries: dict[str, Bounds]
    """The bounds of each entry, by the name of the entry within the part."""
    subject: Subject
    read: Callable[[_Now], Iterable[float]]


class Encoding:
    """The encoding of one game's actions and observations as numbers."""

    def __init__(self, program: Program) -> None:
        self.program = program
        choices = [step for step in program.code if isinstance(step, Choice)]
        # Every code that a move can have, with its names in the choices that allow it.
        names: dict[int, list[str]] = {}
        for choice in choices:
            channels = {} if choice.offer else {0: ""}
            channels |= {1 + ability: f" with {program.abilities[ability].model.id}" for ability in choice.abilities}
            for channel, (seat, _, _) in enumerate(choice.also, choice.first_other):
                channels[channel] = f" for {program.seat_name(seat)}"
            items: Iterable[int] = range(choice.item_count(program))
            if not (choice.layout or choice.plays or choice.actions):
                # Cards that are not played have no forms, so each card has one option.
                items = sorted({options[-1] for options in program.options_of})
            for channel, item in product(channels, items):
                name = f"{choice.item_name(program, item)}{channels[channel]}"
                of_code = names.setdefault(channel * program.width + item, [])
                if name not in of_code:
                    of_code.append(name)
        self.codes: tuple[int, ...] = tuple(sorted(names))
        """The codes of all actions except *done*, in ascending order."""
        self.names: tuple[str, ...] = (*(ALTERNATIVES.join(names[code]) for code in self.codes), DONE)
        """The names of all actions. One that means several things has several names. *Done* is the last."""
        self.done = len(self.codes)
        """The action that ends a move which could go on; the only action of a seat without a choice."""
        self.actions = {code: action for action, code in enumerate(self.codes)}
        """For each code, the index of its action."""
        self._sections = tuple(section for section in _sections(program, self) if section.entries)
        self.bounds = tuple(pair for section in self._sections for pair in section.entries.values())
        """For every entry of the vector, its lowest and highest value."""
        players, extra = range(program.players), range(program.players, program.seats)
        self._orders = tuple((*players[seat:], *players[:seat], *extra) for seat in players)
        """For each player, all seats in the order of `_Now.order`."""

    def __reduce__(self) -> tuple[type[Encoding], tuple[Program]]:
        """Return only the program for pickling, because the functions that read the parts cannot be pickled."""
        return type(self), (self.program,)

    @property
    def length(self) -> int:
        """The number of entries in a vector."""
        return len(self.bounds)

    def parts(self) -> list[Part]:
        """Return the parts of the vector in order."""
        parts, start = [], 0
        for section in self._sections:
            parts.append(Part(section.name, start, len(section.entries), section.meaning))
            start += len(section.entries)
        return parts

    def subjects(self) -> list[Subject]:
        """Return what each part of the vector describes, in the order of `parts`."""
        return [section.subject for section in self._sections]

    def entries(self) -> list[str]:
        """Return a name for every entry. Names do not depend on the cards or seats of other games."""
        return [
            # The index of an extra seat depends on the number of players, so its entries have its own name.
            f"{section.name}{f' {_label(self.program, place)}' if place >= self.program.players else ''}:{label}"
            for section in self._sections
            for place in [section.subject.place]
            for label in section.entries
        ]

    def values(self, seen: Observation, taken: Move = ()) -> list[float]:
        """Return an observation as a vector. `taken` has the codes that the player has already chosen."""
        order = self._orders[seen.seat]
        values: list[float] = []
        for section in self._sections:
            values += section.read(_Now(seen, order, taken, section.subject))
        return values

    def legal(self, moves: Moves, taken: Move = ()) -> list[int]:
        """Return the actions that continue `taken` towards one of `moves`, in ascending order.

        *Done* is added if `taken` is a whole move, or if no action continues it.
        """
        codes, whole = moves.next(taken)
        actions = [self.actions[code] for code in codes]
        return [*actions, self.done] if not actions or whole else actions

    def counts(self, taken: Move) -> list[int]:
        """Return how often each action occurs in a move, in the order of `codes`."""
        counts = [0] * self.done
        for code in taken:
            counts[self.actions[code]] += 1
        return counts


# ── Observations ──────────────────────────────────────────────────────────────────────────────────────────────────────


def _seat(program: Program, place: int) -> str:
    """Return a name for the seat at a place of the relative order."""
    if place >= program.players:
        return f"`{program.seat_name(place)}`"
    return ("the own seat", "the next player")[place] if place < 2 else f"the player {place} seats on"  # noqa: PLR2004


def _label(program: Program, place: int) -> str:
    """Return a label for a place of the relative order: its number, or the name of an extra seat."""
    return str(place) if place < program.players else program.seat_name(place)


def _sections(program: Program, encoding: Encoding) -> Iterator[_Section]:
    rounds: dict[str, Bounds] = {"": (0, program.model.rounds)}
    turns: dict[str, Bounds] = {"": (0, program.turn_bound)}
    yield _Section("round", "the round, from 1", rounds, Subject("round"), lambda now: (now.seen.round,))
    meaning = "the turn of the round, from 1; 0 outside turns"
    yield _Section("turn", meaning, turns, Subject("turn"), lambda now: (now.seen.turn,))
    choices = [place for place, step in enumerate(program.code) if isinstance(step, Choice)]
    yield _Section(
        "choice",
        "which choice of the turn it is, one of them 1; all 0 when the game is over",
        {str(number): (0, 1) for number in range(len(choices))},
        Subject("choice"),
        lambda now: [float(bool(now.seen.pending) and now.seen.decision == place) for place in choices],
    )
    yield _Section(
        "choosing",
        "1 for every player who has to choose, from the own seat on",
        {str(place): (0, 1) for place in range(program.players)},
        Subject("choosing"),
        lambda now: [float(seat in now.seen.pending) for seat in now.order[: program.players]],
    )
    yield _Section(
        "taken",
        f"the own move so far: how often each of {_listed(encoding.names[:-1])}",
        {name: (0, len(program.deck)) for name in encoding.names[:-1]},
        Subject("taken"),
        lambda now: encoding.counts(now.taken),
    )
    yield from _zones(program)
    yield from _table(program)
    yield from _chips(program)


def _zones(program: Program) -> Iterator[_Section]:
    """Yield the parts for zones other than tableaus: their sizes, and the cards that the seat knows."""
    faces = _faces(program)
    count = _counter(faces)
    # An observation has no views of tableaus, whose cards are in the counters.
    sizes = [0 if zone.id == "tableau" else program.seats if zone.per == "seat" else 1 for zone in program.zones]
    firsts = [sum(sizes[:index]) for index in range(len(sizes))]

    def view(now: _Now) -> ZoneView:
        zone = now.subject.about
        return now.seen.zones[firsts[zone] + (now.seat if program.zones[zone].per == "seat" else 0)]

    for index, zone in enumerate(program.zones):
        for place in range(sizes[index]):
            name, whose = zone.id, f"`{zone.id}`"
            if zone.per == "seat":
                name, whose = f"{name}.{place}", f"{whose} of {_seat(program, place)}"
            size: dict[str, Bounds] = {"": (0, len(program.deck))}
            subject = Subject("size", index, place)
            yield _Section(f"{name}.size", f"cards in {whose}", size, subject, lambda now: (view(now).size,))
            if zone.layout:
                yield _layout(program, index, name, view)
            else:
                meaning = f"cards that are certainly in {whose}: {_listed(faces)}"
                subject = Subject("cards", index, place)
                yield _Section(f"{name}.cards", meaning, _copies(faces), subject, lambda now: count(view(now).cards))


def _counter(faces: Iterable[str]) -> Callable[[Cards], list[float]]:
    """Return a function that takes cards by name, and returns the number of copies of each face."""
    columns = {face: column for column, face in enumerate(faces)}

    def count(cards: Cards) -> list[float]:
        values = [0.0] * len(columns)
        for face, copies in cards:  # the form of a wild card shows in the counters
            values[columns[card_in(face)]] += copies
        return values

    return count


def _layout(program: Program, index: int, name: str, view: Callable[[_Now], ZoneView]) -> _Section:
    """Return the part for a layout. Every place has a flag for “face down” and a flag for each face.

    The flags of an empty place are all 0.
    """
    faces = ["", *_faces(program)]
    zone = program.zones[index]
    places = [place.id for place in zone.layout]
    columns = {face: column for column, face in enumerate(faces)}

    def read(now: _Now) -> Iterable[float]:
        values = [0.0] * (len(places) * len(faces))
        lying = {place: face for place, face, _ in view(now).places}
        for row, place in enumerate(places):
            if place in lying:
                values[row * len(faces) + columns[lying[place]]] = 1
        return values

    meaning = (
        f"for each place of `{zone.id}` ({_listed(places)}) {len(faces)} entries, one of them 1 if a card is there: "
        f"face down, {_listed(faces[1:])}"
    )
    flags: dict[str, Bounds] = {f"{place} {face}": (0, 1) for place in places for face in faces}
    return _Section(f"{name}.places", meaning, flags, Subject("places", index), read)


def _table(program: Program) -> Iterator[_Section]:
    """Yield the parts for counters, points, unseen cards, and markers."""
    fields = [(field.shift, field.mask, field.offset) for field in program.fields]

    @lru_cache(1024)  # every player sees the words of all seats
    def unpack(word: int) -> list[float]:
        return [float((word >> shift & mask) - bias) for shift, mask, bias in fields]

    for place in range(program.seats):
        yield _Section(
            f"counters.{place}",
            f"counters of {_seat(program, place)}: {_listed([field.name for field in program.fields])}",
            {field.name: (-field.offset, field.mask - field.offset) for field in program.fields},
            Subject("counters", place=place),
            lambda now: unpack(now.seen.words[now.seat]),
        )
    yield _Section(
        "scores",
        "points of each seat without chips, from the own seat on",
        {_label(program, place): (-limits.POINTS, limits.POINTS) for place in range(program.seats)},
        Subject("scores"),
        lambda now: [now.seen.scores[seat] for seat in now.order],
    )
    faces = _faces(program)
    count = _counter(faces)
    meaning = f"cards of the box that the seat cannot place: {_listed(faces)}"
    yield _Section("unseen", meaning, _copies(faces), Subject("unseen"), lambda now: count(now.seen.unseen))
    for index, marker in enumerate(program.markers):
        yield _Section(
            f"marker.{marker.id}",
            f"who has the marker `{marker.id}`, one of them 1: nobody, or each seat from the own one on",
            dict.fromkeys(("", *(_label(program, place) for place in range(program.seats))), (0, 1)),
            Subject("marker", index),
            lambda now: [float(now.seen.markers[now.subject.about] == seat) for seat in (-1, *now.order)],
        )


def _chips(program: Program) -> Iterator[_Section]:
    """Yield the parts for chips: how many are left, and each seat's number of chips and known worth."""
    piles = [pile.id for pile in program.model.chips]
    amounts: dict[str, Bounds] = {
        pile: (0, len(values)) for pile, values in zip(piles, program.chip_values, strict=True)
    }
    worth: dict[str, Bounds] = {
        pile: (-most, most)
        for pile, most in zip(piles, (sum(map(abs, values)) for values in program.chip_values), strict=True)
    }

    def of_pile(now: _Now, pile: str) -> list[int | None]:
        return [value for held, value in now.seen.chips[now.seat] if held == pile]

    meaning = f"chips left of {_listed(piles)}"
    yield _Section("chips.left", meaning, amounts, Subject("chips_left"), lambda now: now.seen.chips_left)
    for place in range(program.seats):
        whose = _seat(program, place)
        yield _Section(
            f"chips.{place}",
            f"chips of {whose}: {_listed(piles)}",
            amounts,
            Subject("chips", place=place),
            lambda now: [len(of_pile(now, pile)) for pile in piles],
        )
        yield _Section(
            f"chips.{place}.worth",
            f"what is known of the worth of the chips of {whose}: {_listed(piles)}",
            worth,
            Subject("chips_worth", place=place),
            lambda now: [sum(value or 0 for value in of_pile(now, pile)) for pile in piles],
        )


def _faces(program: Program) -> Counter[str]:
    """Return the number of copies of each face in the box, in the order of the card set."""
    return Counter({program.faces[face]: program.copies[face] for face in sorted(set(program.face_of))})


def _copies(faces: Counter[str]) -> dict[str, Bounds]:
    return {face: (0, copies) for face, copies in faces.items()}


def _listed(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)
