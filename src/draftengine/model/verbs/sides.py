"""Roll and flip: things with several sides in a zone show another side.

    - roll: {zone: tray}
    - flip: {zone: market, of: recipe}

`roll` of a zone is read as a `flip` at random.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, ClassVar

from draftengine.model import limits
from draftengine.model.records.record import CardOrFamilyNames, DieName, ZoneName, field
from draftengine.model.records.schema_fragments import ID, Schema, ref
from draftengine.model.verbs.effects import Effect
from draftengine.model.verbs.places import for_each_copy
from draftengine.model.verbs.verb import Problem, Step, cards_meant

if TYPE_CHECKING:
    from collections.abc import Iterator

    from draftengine.model.records.reader import Reader
    from draftengine.model.verbs.verb import Words, Zones

_ALONE: Schema = {"pattern": ID, "maxLength": limits.NAME}
_OF = field("Of", "Only these cards, or cards of these families; all if left out.", "coin", schema=ref("names"))


class FlipStep(Step, frozen=True, kw_only=True):
    """Flip: all cards with two sides in a zone are turned over. Everybody must see the zone.

    - flip: market
    - flip: {zone: market, of: recipe}
    """

    verb = "flip"
    in_lists = True
    said = field("Flip", "Turn over the cards with two sides in a zone.", "market", {"zone": "market", "of": "recipe"})
    alone: ClassVar[Schema | None] = _ALONE

    zone: Annotated[ZoneName, field("Zone", "The zone with the cards.", "market")]
    of: Annotated[CardOrFamilyNames, _OF] = ()
    at_random: bool = False
    """True if each thing shows any of its sides, as in a roll."""

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

    With a zone, everything in it that has sides is thrown, and each thing shows one of its sides. Everybody must see
    the zone.

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
    """Yield a problem if things cannot be turned in a zone."""
    zone = zones.get(name or "")
    if zone is not None and (zone.layout or zone.counts):
        yield Problem(zone.id, "side-layout" if zone.layout else "side-counts", by=verb)
    elif zone is not None and zone.seen_by != "everyone":
        yield Problem(zone.id, "side-unseen", by=verb)


def _sentence(verb: str, step: FlipStep | RollStep, words: Words) -> str:
    """Return the sentence of a step that turns the things in a zone."""
    key = f"list.{verb}" if step.for_one else verb
    zone = words.zone(step.zone or "")
    if not step.of:
        return words.phrase(key, zone=zone)
    return words.phrase(f"{key}.some", zone=zone, cards=cards_meant(words.phrase("cards.all"), step.of, None, words))
