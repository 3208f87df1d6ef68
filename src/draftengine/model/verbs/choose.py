"""Verb *choose*: all seats, or some, choose cards in secret at the same time.

Then all show their choice.

In some zones, such as the tableau, cards add to counters. Cards are *played* if they go to such a zone from another.
With `also`, the holder of a marker also chooses for an extra seat.

    - choose: {from: hand, to: tableau}
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Annotated, Any, Self

from msgspec.structs import replace

from draftengine.model.language.tree import Comparison, Conditional, Name, Number
from draftengine.model.records import (
    CardOrFamilyNames,
    ExtraSeatName,
    FlowNumber,
    HolderOf,
    Record,
    SeatCondition,
    ZoneFrom,
    ZoneTo,
    field,
)
from draftengine.model.records.reader import Formula
from draftengine.model.records.schema_fragments import ref, whole
from draftengine.model.verbs.action_phrases import range_said, sentence_of_ways
from draftengine.model.verbs.actions import (
    MOST,
    NAMELESS,
    ONLY,
    TAKE,
    WAYS,
    Range,
    Way,
    label_said,
    no_cards,
    range_of_cards,
    read_entry,
    sources,
    written_out,
)
from draftengine.model.verbs.naming import checked, naming_effect, none_of, refuse_beside
from draftengine.model.verbs.piles import on_from_the_way
from draftengine.model.verbs.places import (
    SUCH_TO_CHOOSE,
    both,
    cards_in,
    cards_of,
    for_each_named,
    limits_of,
    numbered_label,
)
from draftengine.model.verbs.seats import TO_ZONE, through_other_seats
from draftengine.model.verbs.verb import (
    ON_THE_WAY,
    SIDE_UP,
    Problem,
    Step,
    cards_meant,
    for_some,
    holder_of,
    number_key,
)
from draftengine.model.yaml.tree import Scalar
from draftengine.support.locale.phrases import said

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from draftengine.model.language.tree import Expr
    from draftengine.model.records.reader import Reader, Texts, Zone
    from draftengine.model.verbs.verb import Words, Zones


HAND = "hand"
_NOT_NAMED = frozenset({"from", "to", "as", "take", "also"})
"""Keys that a choice of cards may have, but a choice with `name` may not."""
_ABOUT_CARDS = ("from", "to", "of", "cards")
"""Keys that make a choice one of cards, so that all its actions take cards."""


class Also(Record, frozen=True, kw_only=True):
    """The key `also`: the holder of marker `by` also chooses `cards` (a number) for the extra seat `seat`."""

    seat: Annotated[ExtraSeatName, field("Seat", "The extra seat.", "dummy")]
    by: Annotated[HolderOf, field("By", "The marker whose holder chooses for the extra seat.", "controller")]
    cards: Annotated[int, field("Cards", "The number of cards.", 1, schema=whole(1, 10))] = 1


class ChooseStep(Step, frozen=True, kw_only=True):
    verb = "choose"
    takes_who = True
    in_lists = True
    said = field(
        "Choose",
        "All seats choose at the same time and in secret. If all see the target zone, the cards are revealed together.",
        {"from": "hand", "to": "tableau"},
    )

    from_: Annotated[
        ZoneFrom,
        field(
            "From",
            "The zone or zones that cards are chosen from; in a list also that of another seat: left.stash.",
            "deck",
            ["row", "hand"],
            "left.stash",
            schema=ref("zone_names"),
            read=lambda reader, _: next((place for place, *_ in sources(reader)), HAND),
        ),
    ] = HAND
    to: Annotated[ZoneTo, TO_ZONE] = "tableau"
    cards: Annotated[
        FlowNumber | None,
        number_key(
            "The number of cards: a number, a formula that may differ by seat, or a range such as 0-2. Default: 1."
        ),
    ] = None
    of: Annotated[
        CardOrFamilyNames,
        field(
            "Of",
            "Only these cards, or cards of these families, can be chosen, or those for which a condition about its(…) "
            "or card holds.",
            "tree",
            ["tree"],
            "its(cost) < 3",
            schema=ref("cards_meant"),
            read=cards_of,
        ),
    ] = ()
    such: Annotated[SeatCondition | None, SUCH_TO_CHOOSE] = None
    take: Annotated[str | None, TAKE] = None
    side: Annotated[str | None, SIDE_UP] = None
    name: Annotated[
        str | None,
        field(
            "Name",
            "The name for what is chosen instead of cards: a copy of the zone in `of`, or a player.",
            "goal",
            schema=ref("name"),
            read=lambda reader, name: reader.optional_word(name),
        ),
    ] = None
    also: Annotated[tuple[Also, ...], field("Also", "Extra seats for which the holder of a marker chooses.")] = ()
    as_: Annotated[tuple[Way, ...], WAYS] = ()
    between: Range | None = None
    """The lowest and highest number of cards; ``None`` without a range, or if the choice has actions."""
    holds: int | None = None
    """The number of cards for which the zone `to` has room; ``None`` if it has no limit."""
    named_of: str = ""
    """For a choice with `name`: the zone whose copies can be named, or ``others`` or ``everyone``."""

    @classmethod
    def read(cls, reader: Reader, **given: Any) -> Self:
        spec, between = super().read(reader, **given), range_of_cards(reader.at(cls.verb))
        if spec.name is not None:
            _, of = checked(reader.at(cls.verb), chosen=True)
            counts = [formula.text for _, formula in spec.cards.cases] if spec.cards else ["1"]
            one = between == (0, 1) or (between is None and counts == ["1"])
            refuse_beside("name", _NOT_NAMED, reader.at(cls.verb))
            if not one:
                place = said("quoted", name=cls.verb)
                reader.at(cls.verb).report("one-verb", "cards", say="one-name", place=place)
            naming = tuple(_naming_ways(spec, of, reader.at(cls.verb), optional=between == (0, 1)))
            return replace(spec, as_=naming, of=(), such=None, cards=None, named_of=of)
        _check_numbers(reader.at(cls.verb))
        about_cards = not reader.at(cls.verb).keys.isdisjoint(_ABOUT_CARDS)
        entries: tuple[Way, ...] = ()
        for way in spec.as_:
            if not (about_cards or way.names_cards):
                entries = (*entries, replace(way, cards=no_cards(way.span)))
                continue
            # The action has the range and the cards of the choice if it states none itself.
            one = way.cards is not None and all(formula.text in {"0", "1"} for _, formula in way.cards.cases)
            exactly = way.exactly and not one  # it makes no difference for at most one card
            range_ = way.between if way.cards or way.between else between
            such = None if way.takes_none else both(spec.such, way.such, way.span)
            entries = (*entries, replace(way, exactly=exactly, between=range_, of=way.of or spec.of, such=such))
        if spec.take:
            entries = tuple(replace(way, implied=True) for way in read_entry("", reader.at(cls.verb)))
            spec = replace(spec, from_=HAND, take=None)
        only: dict[str, Any] = {"of": spec.of, "such": spec.such}
        places = [*sources(reader.at(cls.verb))]
        if places[1:]:
            each = entries or (Way(id="", span=spec.span, between=between, implied=True, **only),)
            entries = tuple(
                one for way in each for one in _from_each(way, [(zone, label) for zone, label, _ in places])
            )
        elif not reader.at(cls.verb).has("from"):  # some zone in which cards count as they do in the others
            spec = replace(spec, from_=next((way.from_ for way in entries if way.from_), spec.from_))
        if not entries and reader.short.board.copies(spec.to):
            targets = reader.short.board.copies(spec.to)
            low, high = between or (1, 1)
            several = (max(low, 1), high) if high > 1 else None
            entries = tuple(
                Way(id=place, to=place, span=spec.span, between=several, implied=True, **only) for place in targets
            )
            if low == 0:
                none = next(written_out(Way(id=ONLY, span=spec.span, implied=True), (0, high)))
                entries = (*entries, replace(none, between=None))
            spec = replace(spec, to=targets[0])
        elif not entries and (between or spec.of or spec.such or spec.to in dict(reader.short.board.limited)):
            name = ONLY if between else NAMELESS
            entries = (Way(id=name, span=spec.span, between=between, implied=True, **only),)
        spec = replace(spec, such=None, holds=reader.short.board.places_of(spec.to).holds)  # ways have the condition
        if between:
            spec = replace(spec, cards=None, between=between if [way.id for way in entries] == [ONLY] else None)
        ways = (written_out(entry, entry.between) if entry.between else (entry,) for entry in entries)
        limited = tuple(_limited(way, spec, reader) for several in ways for way in several)
        if all(way.id in {ONLY, NAMELESS} for way in entries):  # a next step turns all cards (see `spread`)
            return replace(spec, as_=limited)
        turned = tuple(_turned(way, spec, reader) for way in limited)
        return replace(spec, as_=turned, side=None)

    @property
    def is_plain(self) -> bool:
        """True if players see no list of actions: the choice only has a range, or limits the cards to choose."""
        return bool(self.between) or [way.id for way in self.as_] == [NAMELESS]

    @property
    def sources(self) -> tuple[str, ...]:
        """The zones that cards are chosen from, each once."""
        taking = [way.from_ or self.from_ for way in self.as_ if not way.takes_none]
        return tuple(dict.fromkeys(taking)) or (self.from_,)

    @property
    def can_be_refused(self) -> bool:
        return any(way.takes_none and not way.effects and way.open_if is None for way in self.as_)

    def is_for_each(self, zones: Zones) -> bool:
        """True if each seat may choose another number of cards: not from a layout, and not with `also`."""
        source = zones.get(self.from_)
        return source is not None and not source.layout and not self.also

    @property
    def branches(self) -> tuple[tuple[str, tuple[Step, ...]], ...]:
        return tuple((way.id, way.do) for way in self.as_)

    def plays(self, zones: Zones) -> bool:
        """True if the choice plays cards: at least one target is a zone where cards begin to add to counters."""
        return any(self.plays_into(target, zones) for target in self.targets)

    def plays_into(self, target: str, zones: Zones) -> bool:
        """True if cards that go to this zone are played, because they begin to add to counters there."""
        source, zone = zones.get(self.from_), zones.get(target)
        return zone is not None and zone.counts and not (source is not None and source.counts)

    @property
    def targets(self) -> tuple[str, ...]:
        """The zones to which cards can go, each once."""
        return tuple(dict.fromkeys(way.to or self.to for way in self.as_)) if self.as_ else (self.to,)

    def problems(self, zones: Zones) -> Iterator[Problem]:
        sources = [zone for name in self.sources if (zone := zones.get(name)) is not None]
        for source in sources:
            if source.per == "table" and not source.layout and not self.for_one:
                yield Problem(source.id, "shared-pile")
            if source.layout and not self.for_one and holder_of(self.who) is None:
                yield Problem(source.id, "all-at-once")
            if source.counts != sources[0].counts:
                yield Problem(source.id, "counts-beside", other=sources[0].id)
        ways = [(way.from_ or self.from_, way.to or self.to) for way in self.as_ if not way.takes_none]
        for start, target in dict.fromkeys(ways if self.as_ else ((self.from_, self.to),)):
            end = zones.get(target)
            if start == target and end is not None:
                yield Problem(start, "to-itself")
            elif end is not None and (end.layout or end.id == "deck"):
                yield Problem(end.id, "no-target")
        if self.as_:
            for name in self.sources:
                yield from _problems_of_ways(self, zones.get(name))

    def spread(self, reader: Reader) -> tuple[Step, ...]:
        steps = for_each_named(self, ("from_", "to"), reader)
        if self.side is None:
            return tuple(part for step in steps for part in step.brings(reader))
        common = {key: getattr(self, key) for key in Step.__struct_fields__}
        played = self.to in reader.short.counting and self.from_ not in reader.short.counting
        turned = on_from_the_way(self.to, self.side, reader, played=played, **common)
        aside = (replace(step, to=ON_THE_WAY).brings(reader) for step in steps)
        return tuple(part for parts in aside for part in (*parts, *turned))

    def brings(self, reader: Reader) -> tuple[Step, ...]:
        """Return the steps that replace this one, which may name the zone of another seat."""
        return through_other_seats(self, reader) or (self,)

    def sentence(self, words: Words) -> str:
        if holder_of(self.who):
            words = words.of_another()
        if self.as_ and not self.is_plain:
            return sentence_of_ways(self, words)
        phrase, when = self._plain_sentence(words), next((way.when for way in self.as_ if way.when), None)
        if when is not None:  # no card may go there, or there is no room
            key = "list.if" if self.for_one else "step.if"
            phrase = words.phrase(key, condition=words.condition(when.expr), text=phrase)
        if self.holds is not None and self.between and self.between[1] > 1:
            room = words.condition(Comparison("<=", cards_in(self.to), Number(self.holds)))
            phrase = words.phrase("list.room" if self.for_one else "choose.room", condition=room, text=phrase)
        return for_some(phrase, self.who, words)

    def _plain_sentence(self, words: Words) -> str:
        """Return the sentence without the condition and without the players who choose."""
        cards = range_said(self.between, words) if self.between else words.cards(self.cards)
        given = {**cards.given, "count": cards.count, "zone": words.zone(self.from_)}
        such = next((way.such for way in self.as_ if way.such), None)
        if self.of or such:
            given["cards"] = cards_meant(str(given["cards"]), self.of, such, words)
        if self.for_one:
            return words.phrase(_key_of("list.choose", self.to), target=words.zone(self.to), **given)
        marker = holder_of(self.who)
        if marker is not None:
            given["zone"] = words.zone(self.from_, theirs=True)
            given |= {"marker": words.marker(marker), "target": words.zone(self.to)}
            phrases = [words.phrase(_key_of("choose.who", self.to), **given)]
        elif self.from_ != "hand":
            phrases = [words.phrase(_key_of("choose.table", self.to), target=words.zone(self.to), **given)]
        elif words.in_the_open(self.to) or words.sets_aside(self.to):
            key = _key_of("choose.hand", self.to)
            if key == "choose.hand.zone" and words.of_each(self.to):
                key = "choose.hand.own"
            phrases = [words.phrase(key, target=words.zone(self.to), **given)]
        else:
            phrases = [words.phrase("choose.aside", target=words.zone(self.to), **given)]
        key = "choose.also.hand" if self.from_ == "hand" else "choose.also"
        for also in self.also:
            other = words.phrase("cards", count=also.cards)
            phrases.append(words.phrase(key, marker=words.marker(also.by), cards=other, seat=words.seat(also.seat)))
        if marker is None and self.from_ == "hand" and words.in_the_open(self.to):
            phrases.append(words.phrase("choose.reveal"))
        return words.phrase("space").join(phrases)


def _check_numbers(choice: Reader) -> None:
    """Report numbers of cards from a zone with copies if they are no plain numbers (see `from_copies`)."""
    for part in [way for _, way in choice.each("as")] or [choice]:
        source, number = (part if part.has(key) else choice for key in ("from", "cards"))
        (zone, *others), cards = source.words("from") or (HAND,), number.node.get("cards")
        plain = isinstance(cards, Scalar) and re.fullmatch(r"\d+(-\d+)?", str(cards.value))
        if cards is not None and choice.short.board.copies(zone) and not (others or plain):
            number.report("zone-misuse", "cards", say="number-of-copies", zone=zone)


def _limited(way: Way, step: ChooseStep, reader: Reader) -> Way:
    """Return the action, open only to cards that fit into its zone, and while there is room for them."""
    if way.takes_none:
        return way
    number: Expr = Number(1)
    stated = way.cards or step.cards
    for players, formula in stated.cases if stated else ():
        here = Comparison("==", Name("players"), Number(players or 0))
        number = Conditional(formula.expr, here, number) if players else formula.expr
    such, when = limits_of(way.to or step.to, number, reader, way.span)
    return replace(way, such=both(such, way.such, way.span), when=both(when, way.when, way.span))


def _turned(way: Way, step: ChooseStep, reader: Reader) -> Way:
    """Return an action whose cards are turned before they arrive, if it or its choice has a `side`."""
    side, to = way.side or step.side, way.to or step.to
    if side is None or way.takes_none:
        return way
    played = to in reader.short.counting and step.from_ not in reader.short.counting
    turned = on_from_the_way(to, side, reader, played=played, span=way.span, for_one=True)
    return replace(way, side=side, to=ON_THE_WAY, lands=to, do=(*turned, *way.do))


def _from_each(way: Way, places: Sequence[tuple[str, Texts]]) -> Iterator[Way]:
    """Yield the action once for each place, or as it is if it takes no card or has a place of its own."""
    if way.takes_none or way.from_:
        yield way
        return
    for zone, label in places:
        name = zone if way.id in {"", ONLY} else f"{way.id}_{zone}"
        usual = next(iter(dict(label).values()))
        texts = tuple((tag, f"{text} ({dict(label).get(tag, usual)})") for tag, text in way.label) or label
        yield replace(way, id=name, from_=zone, label=texts, part_of=way.id)


def _naming_ways(step: ChooseStep, of: str, reader: Reader, *, optional: bool) -> Iterator[Way]:
    """Yield an action for each zone or player to name; with `optional`, also one that names nothing.

    Only copies of a zone can have a condition, `when`, which no author writes (see `loading.from_copies`).
    """
    board = reader.short.board
    name, zone = str(step.name), board.places_of(of).label
    for candidate in board.candidates(of):
        there, distance = candidate.there, candidate.distance
        such = reader.at_place(of, candidate.place).optional_formula("when") if candidate.place else None
        player = label_said("way.left" if distance else "seat.you", count=distance)
        yield Way(
            id=candidate.id,
            label=numbered_label(zone, candidate.place) if candidate.place else player,
            when=both(None if there is None else Formula("players", there, step.span), such, step.span),
            cards=no_cards(step.span),
            do=(naming_effect(name, of, candidate.number, step.span),),
            span=step.span,
        )
    if optional:
        nothing = (naming_effect(name, of, Number(0), step.span),)
        label = label_said("way.nothing")
        yield Way(id=none_of(name), label=label, cards=no_cards(step.span), do=nothing, span=step.span)


def _problems_of_ways(step: ChooseStep, source: Zone | None) -> Iterator[Problem]:
    names = [way.id for way in step.as_]
    for name in dict.fromkeys(name for name in names if names.count(name) > 1):
        yield Problem(step.from_, "same-ways", name=name)
    if any(way.between and way.between[1] > MOST for way in step.as_):
        yield Problem(step.from_, "long-range", most=MOST)
    kind = "ways" if not step.is_plain else "range" if step.between else "some"
    if source is not None and source.layout:
        yield Problem(source.id, f"layout-{kind}")
    if step.also:
        yield Problem(step.from_, f"extra-seat-{kind}")
    several = {way.entry for way in step.as_ if way.is_about_a_card and not way.takes_one(step.cards)}
    for entry in sorted(several):
        yield Problem(step.from_, "no-single-card" if entry else "no-single-card.of", way=entry)
    for way in () if step.is_plain else step.as_:
        if (way.ask is None) != (way.give is None):
            yield Problem(step.from_, "ask-and-give", way=way.id)
        elif way.ask is not None and source is not None and (source.per == "table" or source.counts):
            yield Problem(source.id, "not-asked")


def _key_of(key: str, zone: str) -> str:
    """Return the message key for cards that go to this zone."""
    return key if zone == "tableau" else f"{key}.{zone}" if zone in {"hand", "discard"} else f"{key}.zone"
