"""Parts that the card-moving verbs share: which seats, how many cards, between which zones."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from draftengine.model import limits
from draftengine.model.records.record import FieldSpec, HolderOf, Record, SeatCondition, field
from draftengine.model.records.schema_fragments import name, record, ref
from draftengine.model.verbs.verb import Problem

if TYPE_CHECKING:
    from collections.abc import Iterator

    from draftengine.model.records.reader import Reader
    from draftengine.model.verbs.verb import Words, Zones


class Who(Record, frozen=True, kw_only=True):
    """The seats that a step is for, if not all players."""

    holder: Annotated[HolderOf | None, field("Holder", "The marker whose holder it is.", "starter")] = None
    formula: Annotated[SeatCondition | None, field("Who", "The players for which this holds.", "stars > 2")] = None

    @classmethod
    def path_to(cls, name: str) -> str:
        return "/holder" if name == "holder" else ""


def _read_who(reader: Reader, name: str) -> Who | None:
    if reader.has(name) and reader.word(name) != "everyone":
        holder = reader.at(name).optional_word("holder")
        return Who(holder=holder) if holder else Who(formula=reader.optional_formula(name))
    return None


_HOLDER = record({"holder": name("Holder", "The marker whose holder it is.", "starter")}, ["holder"])

WHO = field(
    "Who",
    "All players, the holder of a marker, or the players for which a formula holds.",
    {"holder": "starter"},
    "stars > 2",
    schema={**_HOLDER, "type": ["string", "object"], "minLength": 1, "maxLength": limits.FORMULA},
    read=_read_who,
    default="everyone",
)


def for_some(phrase: str, who: Who | None, words: Words) -> str:
    """Add the condition to the sentence of a step that is for some players only."""
    if who is None or who.formula is None:
        return phrase
    return words.phrase("step.if", condition=words.condition(who.formula.expr), text=phrase)


def names_of(names: tuple[str, ...], words: Words) -> str:
    """Return the names of cards and families, joined with “or”."""
    nouns = [words.family(name) if words.is_family(name) else words.card_noun(name) for name in names]
    return words.join_list([noun.form("name") for noun in nouns], "or")


def holder_of(who: Who | None) -> str | None:
    """Return the marker whose holder a step is for; None if it is for others."""
    return None if who is None else who.holder


def number_key(description: str) -> FieldSpec:
    """Declare the key of a number of cards."""
    return field("Cards", description, 7, "12 - players", {"2": 10, "3": 9}, schema=ref("by_players"))


def uncounted(names: tuple[str, ...], zones: Zones) -> Iterator[Problem]:
    """Yield a problem for each named zone that counts: the verb cannot change it."""
    for zone in names:
        if zone in zones and zones[zone].counts:
            yield Problem(zone, "counted")


def other_zone(source: str, target: str, zones: Zones) -> Iterator[Problem]:
    """Yield a problem if source and target are the same zone."""
    if source == target and source in zones:
        yield Problem(source, "to-itself")
