"""Verbs *shuffle*, *move*, *clear*, *gather*, *pass*, *roll* and *flip*: they act on a whole zone.

Cards and dice with several sides show another side when they are rolled or turned over:

    - roll: {zone: tray}
    - flip: {zone: market, of: recipe}

`roll` of a zone is read as a `flip` with random sides.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal, Self

from msgspec.structs import replace

from draftengine.model import limits
from draftengine.model.records import (
    CardOrFamilyNames,
    DieName,
    FlowNumber,
    SeatCondition,
    ZoneFrom,
    ZoneName,
    ZoneTo,
    field,
)
from draftengine.model.records.schema_fragments import ID, Schema, ref
from draftengine.model.verbs.dealing import DrawStep
from draftengine.model.verbs.effects import DiscardStep, Effect
from draftengine.model.verbs.places import OF_CARDS, SUCH_CARDS, all_of, for_each_copy
from draftengine.model.verbs.seats import TO_ZONE, through_other_seats
from draftengine.model.verbs.verb import (
    ON_THE_WAY,
    SIDE_UP,
    Problem,
    Step,
    by_way,
    cards_meant,
    joined,
    number_key,
    other_zone,
    with_side,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from draftengine.model.records.reader import Reader
    from draftengine.model.verbs.verb import Words, Zones


class ShuffleStep(Step, frozen=True, kw_only=True):
    """Shuffle: the cards of a shared zone are put into a random order.

    - shuffle: deck
    """

    verb = "shuffle"
    in_lists = True
    bare = True

    zone: Annotated[ZoneName, field("Shuffle", "Shuffle a shared zone.", "deck")]

    def spread(self, reader: Reader) -> tuple[Step, ...]:
        return for_each_copy(self, ("zone",), reader)

    def problems(self, zones: Zones) -> Iterator[Problem]:
        return shared_only(self.zone, zones, "not-shuffled")

    def sentence(self, words: Words) -> str:
        return words.phrase("list.shuffle" if self.for_one else "shuffle", zone=words.zone(self.zone))


def shared_only(name: str, zones: Zones, of_seats: str = "not-of-seats") -> Iterator[Problem]:
    """Yield a problem unless the zone is a shared pile; `of_seats` is the one with a zone of each seat."""
    zone = zones.get(name)
    if zone is not None and (zone.per == "seat" or zone.layout):
        yield Problem(name, "not-a-layout" if zone.layout else of_seats)


class MoveStep(Step, frozen=True, kw_only=True):
    """Move: all cards of a zone go to another. From a zone of each seat, they go to the same seat's zone.

    The cards are played, so that they add to counters, only if `played` is true.

    - move: {from: kept, to: hand}
    - move: {from: won, to: tableau, played: true}
    """

    verb = "move"
    in_lists = True
    said = field("Move", "Move all cards of a zone to another.", {"from": "kept", "to": "hand"})

    from_: Annotated[
        ZoneFrom,
        field(
            "From",
            "The zone, or several zones, that the cards come from; everywhere: all cards except kept ones.",
            "deck",
            ["kept", "spent"],
            schema=ref("zone_names"),
            read=lambda reader, name: (reader.words(name) or ("",))[0],
        ),
    ]
    to: Annotated[ZoneTo, TO_ZONE]
    of: Annotated[CardOrFamilyNames, OF_CARDS] = ()
    such: Annotated[SeatCondition | None, SUCH_CARDS] = None
    cards: Annotated[FlowNumber | None, number_key("The number of cards. Default: all.")] = None
    played: Annotated[bool, field("Played", "True if the cards are played, as if their seats had chosen them.")] = False
    side: Annotated[str | None, SIDE_UP] = None
    sources: tuple[str, ...] = ()
    """All zones under `from`, if there are several; only in the step that the rulebook describes."""

    @classmethod
    def read(cls, reader: Reader, **given: Any) -> Self:
        step = super().read(reader, **given)
        reader.at(cls.verb).report_twice("from")
        sources = reader.at(cls.verb).words("from")
        return replace(step, sources=sources) if len(sources) > 1 else step

    def spread(self, reader: Reader) -> tuple[Step, ...]:
        names = self.sources or (self.from_,)
        steps = (replace(self, from_=reader.short.here.get(name, name), sources=()) for name in names)
        copies = (copy for step in steps for copy in for_each_copy(step, ("from_", "to"), reader))
        return tuple(moved for copy in copies for moved in copy.turned(reader))

    def turned(self, reader: Reader) -> tuple[Step, ...]:
        """Return the steps that replace this one. With `side`, the cards are turned before they arrive."""
        if self.side is None:
            return self.brings(reader)
        common: dict[str, Any] = {key: getattr(self, key) for key in Step.__struct_fields__}
        plain = replace(self, side=None)
        board = reader.short.board
        unseen = self.from_ in board.zones_of_seats and self.from_ not in board.open_zones
        is_apart = unseen or self.from_ in reader.short.counting or "." in self.from_
        if self.cards is None and self.such is None and not is_apart:
            return FlipStep(zone=self.from_, of=self.of, side=self.side, **common), *plain.brings(reader)
        first = replace(plain, to=ON_THE_WAY, played=False).brings(reader)
        return *first, *on_from_the_way(self.to, self.side, reader, played=self.played, **common)

    def brings(self, reader: Reader) -> tuple[Step, ...]:
        """Return the steps that replace this one, which may stand for a `gather`, a `discard` or a `draw`.

        If drawn cards go to a zone where they add to counters, a second step moves them there. A step that names the
        zone of another seat becomes several steps, too.
        """
        if steps := through_other_seats(self, reader):
            return steps
        common: dict[str, Any] = {key: getattr(self, key) for key in Step.__struct_fields__}
        if self.from_ == EVERYWHERE:
            return (GatherStep(zone=self.to, **common),)
        if self.of and (self.from_, self.to) == ("tableau", "discard"):
            number = None if self.cards is None else self.cards.cases[0][1]
            return (DiscardStep(of=self.of, cards=number, **common),)
        board = reader.short.board
        is_shared = self.to in board.all_shared
        to_seat = self.for_one and self.from_ in board.all_shared and not is_shared
        some = self.of or self.such or self.cards
        if not (some or to_seat):
            return (self,)
        number_of_cards = self.cards or (None if self.of or self.such else all_of(self.from_, self.span))
        from_seat = self.such is not None or self.from_ not in board.all_shared
        common |= {"of": self.of, "such": self.such, "cards": number_of_cards, "in_order": number_of_cards is None}
        drawn = DrawStep(from_=self.from_, to=self.to, **common)
        aside = is_shared and from_seat and (self.for_one or self.who is not None)
        return by_way(drawn, reader, always=aside, played=self.played)

    @classmethod
    def path_to(cls, name: str) -> str:
        return super().path_to("of" if name == "such" else name)

    def problems(self, zones: Zones) -> Iterator[Problem]:
        yield from other_zone(self.from_, self.to, zones)
        source, target = zones.get(self.from_), zones.get(self.to)
        if self.side is not None and target is not None and target.seen_by != "everyone":
            yield Problem(target.id, "side-unseen", by=f"side: {self.side}")
        if self.played and target is not None and not target.counts:
            yield Problem(target.id, "not-played")
        if self.played and source is not None and source.counts:
            yield Problem(source.id, "played-already")
        if source is not None and target is not None and source.per == "table" and target.per == "seat":
            yield Problem(target.id, "shared-to-seats", source=source.id)
        for zone in (source, target):
            if zone is not None and zone.layout:
                yield Problem(zone.id, "layout-moved")

    def sentence(self, words: Words) -> str:
        zone = joined([words.zone(name) for name in self.sources or (self.from_,)], words)
        if self.cards and self.sources:  # as many from each of these zones
            phrases = [replace(self, from_=name, sources=()).sentence(words) for name in self.sources]
            return words.join_list(phrases) if self.for_one else words.phrase("space").join(phrases)
        if self.of or self.such or self.cards:
            cards = words.cards(self.cards).text if self.cards else words.phrase("cards.all")
            if self.of or self.such:
                cards = cards_meant(cards, self.of, self.such, words)
            key = "list.move.some" if self.for_one else "move.some"
            return words.phrase(key, cards=cards, zone=zone, to=words.zone(self.to))
        if self.played and self.to == "tableau":
            return words.phrase("list.play" if self.for_one else "move.play", zone=zone)
        if self.for_one:
            key = f"list.move.{self.to}" if self.to in {"deck", "hand", "discard"} else "list.move"
            return words.phrase(key, zone=zone, to=words.zone(self.to))
        key = "move.kept" if words.of_each(self.from_) else "move.hand"
        key = key if self.to == "hand" else "move.deck" if self.to == "deck" else "move"
        key = "move.discard" if key == "move.deck" and self.from_ == "discard" else key
        return words.phrase(key, zone=zone, to=words.zone(self.to))


def on_from_the_way(to: str, side: str, reader: Reader, *, played: bool, **common: Any) -> tuple[Step, ...]:
    """Return the steps that turn the cards in `ON_THE_WAY` so that a side is up, and move them to a zone."""
    move = MoveStep(from_=ON_THE_WAY, to=to, played=played, side=side, **common)
    return FlipStep(zone=ON_THE_WAY, side=side, **common), *move.brings(reader)


EVERYWHERE = "everywhere"


class ClearStep(Step, frozen=True, kw_only=True):
    """Clear: the cards of a zone are discarded, except cards that are declared with `keep`.

    The zone must be one where cards add to counters, such as the tableau.

    - clear: tableau
    """

    verb = "clear"
    bare = True

    zone: Annotated[
        ZoneFrom,
        field(
            "Clear",
            "Discard the cards of the tableaus, or of another zone where cards count, except those with `keep`.",
            "tableau",
        ),
    ]

    def problems(self, zones: Zones) -> Iterator[Problem]:
        zone = zones.get(self.zone)
        if zone is not None and not zone.counts:
            yield Problem(self.zone, "not-cleared")

    def sentence(self, words: Words) -> str:
        if self.zone != "tableau":
            return words.phrase("clear", zone=words.zone(self.zone))
        kept = words.kept()
        return words.phrase("clear.kept", names=words.join_list(kept)) if kept else words.phrase("clear.tableau")


class GatherStep(Step, frozen=True, kw_only=True):
    """Gather: all cards return to where they began the game, but cards of the deck to the named zone.

    Cards that are declared with `keep` stay in a zone where cards add to counters.

    - gather: deck
    """

    verb = "gather"
    bare = True

    zone: Annotated[
        ZoneTo,
        field("Gather", "Return all cards to where they began. Those that began in the deck go to this zone.", "deck"),
    ]

    def problems(self, zones: Zones) -> Iterator[Problem]:
        return shared_only(self.zone, zones)

    def sentence(self, words: Words) -> str:
        return words.phrase("gather.apart" if words.begin_apart() else "gather", zone=words.zone(self.zone))


Direction = Literal["left", "right"]

_DIRECTIONS: Schema = {
    "type": ["string", "array"],
    "if": {"type": "string"},
    "then": {"enum": ["left", "right"]},
    "items": {"enum": ["left", "right"]},
    "minItems": 1,
    "maxItems": 20,
}


class PassStep(Step, frozen=True, kw_only=True):
    """Pass: every seat gives the cards of a zone to its neighbour; the direction may differ by round.

    - pass: {zone: hand, to: [left, right]}
    """

    verb = "pass"
    said = field("Pass", "Every seat passes the cards of a zone to its neighbour.", {"zone": "hand", "to": "left"})

    zone: Annotated[ZoneFrom, field("Zone", "The zone whose cards are passed.", "hand")] = "hand"
    to: Annotated[
        tuple[Direction, ...],
        field(
            "To",
            "left, right, or a list with a direction for each round.",
            "left",
            ["left", "right", "left"],
            schema=_DIRECTIONS,
            read=lambda reader, name: reader.words(name),
        ),
    ]
    """The direction in each round. After the last one, the list starts again."""

    def problems(self, zones: Zones) -> Iterator[Problem]:
        zone = zones.get(self.zone)
        if zone is not None and zone.per == "table":
            yield Problem(self.zone, "not-passed")
        if zone is not None and zone.counts:
            yield Problem(self.zone, "counted-passed")

    def sentence(self, words: Words) -> str:
        zone, ways = (
            words.zone(self.zone),
            [self.to[(number - 1) % len(self.to)] for number in range(1, (words.rounds or 2 * len(self.to)) + 1)],
        )
        if len(set(ways)) == 1:
            return words.phrase(f"pass.{ways[0]}", zone=zone)
        phrases = []
        for way in dict.fromkeys(ways):
            rounds = [str(number) for number, other in enumerate(ways, start=1) if other == way]
            rounds += [] if words.rounds else ["…"]
            phrases.append(
                words.phrase(
                    f"pass.way_{way}", rounds=words.phrase("rounds", count=len(rounds), list=words.join_list(rounds))
                )
            )
        return words.phrase("pass.rounds", zone=zone, ways=words.join_list(phrases, "comma"))


_ALONE: Schema = {"pattern": ID, "maxLength": limits.NAME}
_OF = field("Of", "Only these cards, or cards of these families; all if left out.", "coin", schema=ref("names"))


class FlipStep(Step, frozen=True, kw_only=True):
    """Flip: all cards with two sides in a zone are turned over. The zone must be visible to everybody.

    With `side`, all cards that have this side are turned so that it is up.

    - flip: market
    - flip: {zone: market, of: recipe}
    - flip: {zone: market, side: back}
    """

    verb = "flip"
    in_lists = True
    said = field("Flip", "Turn over the cards with two sides in a zone.", "market", {"zone": "market", "of": "recipe"})
    alone: ClassVar[Schema | None] = _ALONE

    zone: Annotated[ZoneName, field("Zone", "The zone with the cards.", "market")]
    of: Annotated[CardOrFamilyNames, _OF] = ()
    side: Annotated[str | None, SIDE_UP] = None
    at_random: bool = False
    """True if each card or die shows one of its sides at random, as in a roll."""

    @classmethod
    def meant_by(cls, word: str, reader: Reader) -> dict[str, Any]:
        return {"zone": reader.short.here.get(word, word)}

    def spread(self, reader: Reader) -> tuple[Step, ...]:
        return for_each_copy(self, ("zone",), reader)

    def problems(self, zones: Zones) -> Iterator[Problem]:
        return _problems("roll" if self.at_random else self.verb, self.zone, zones)

    def sentence(self, words: Words) -> str:
        return _sentence("roll" if self.at_random else self.verb, self, words)


class RollStep(Effect, frozen=True, kw_only=True):
    """Roll: the die of a counter is thrown, and its result becomes the value of the counter.

    With a zone, each card or die in it shows one of its sides at random. The zone must be visible to everybody.

    - roll: fortune
    - roll: {zone: tray, of: coin}
    """

    verb = "roll"
    said = field("Roll", "Roll the die of a counter, or the dice in a zone.", "fortune", {"zone": "tray"})
    alone: ClassVar[Schema | None] = _ALONE
    one_of = ("zone",)

    counter: Annotated[DieName, field("", "", read=lambda _reader, _name: None)] = ""
    zone: Annotated[ZoneName | None, field("Zone", "The zone with the dice.", "tray")] = None
    of: Annotated[CardOrFamilyNames, _OF] = ()

    @classmethod
    def meant_by(cls, word: str, reader: Reader) -> dict[str, Any]:  # noqa: ARG003 (the name says it all)
        return {"counter": word}

    def spread(self, reader: Reader) -> tuple[Step, ...]:
        if self.zone is None:
            return (self,)
        common = {key: getattr(self, key) for key in Step.__struct_fields__}
        return FlipStep(zone=self.zone, of=self.of, at_random=True, **common).spread(reader)

    def problems(self, zones: Zones) -> Iterator[Problem]:
        return _problems(self.verb, self.zone, zones)

    @classmethod
    def path_to(cls, name: str) -> str:
        return f"/{cls.verb}" if name == "counter" else super().path_to(name)

    def sentence(self, words: Words) -> str:
        if self.zone is not None:
            return _sentence(self.verb, self, words)
        return words.phrase("effect.roll", of=words.counter(self.counter))


def _problems(verb: str, name: str | None, zones: Zones) -> Iterator[Problem]:
    """Yield a problem if the cards or dice of a zone cannot be rolled or turned over."""
    zone = zones.get(name or "")
    if zone is not None and (zone.layout or zone.counts):
        yield Problem(zone.id, "side-layout" if zone.layout else "side-counts", by=verb)
    elif zone is not None and zone.seen_by != "everyone":
        yield Problem(zone.id, "side-unseen", by=verb)


def _sentence(verb: str, step: FlipStep | RollStep, words: Words) -> str:
    """Return the rulebook's sentence for a step that turns over cards, or rolls dice, in a zone."""
    key = f"list.{verb}" if step.for_one else verb
    zone, side = words.zone(step.zone or ""), step.side if isinstance(step, FlipStep) else None
    if not step.of:
        text = words.phrase(key, zone=zone)
    else:
        cards = cards_meant(words.phrase("cards.all"), step.of, None, words)
        text = words.phrase(f"{key}.some", zone=zone, cards=cards)
    return with_side(text, side, words)
