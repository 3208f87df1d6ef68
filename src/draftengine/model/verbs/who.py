"""The seats that a step is for: `who`, a key that every step may have."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from draftengine.model.language.tree import BooleanLiteral, Call, Name
from draftengine.model.records.record import HolderOf, Record, SeatCondition, field
from draftengine.model.records.schema_fragments import ref
from draftengine.model.records.values import Formula
from draftengine.support.source import Source, Span

if TYPE_CHECKING:
    from draftengine.model.records.reader import Reader

EVERYONE = "everyone"


class Who(Record, frozen=True, kw_only=True):
    """The seats that a step is for: the holder of a marker, those that meet a condition, or all players."""

    holder: Annotated[HolderOf | None, field("Holder", "The marker whose holder it is.", "starter")] = None
    formula: Annotated[SeatCondition | None, field("Who", "The players for which this holds.", "stars > 2")] = None

    @classmethod
    def path_to(cls, name: str) -> str:  # noqa: ARG003 (both stand for the same key)
        return ""

    @property
    def is_everyone(self) -> bool:
        """True if the step is for all players."""
        return self.holder is None and self.formula is None

    def condition(self, span: Span) -> Formula:
        """Return the condition that a seat is one of them."""
        if self.holder is not None:
            return Formula(f"holds({self.holder})", Call("holds", (Name(self.holder),)), span)
        return self.formula or Formula("true", BooleanLiteral(value=True), span)


def read_who(reader: Reader, name: str) -> Who | None:
    """Return the seats under a key; ``None`` if it is missing."""
    if not reader.has(name):
        return None
    word = reader.word(name)
    if word in reader.short.board.markers:
        return Who(holder=word)
    return Who() if word == EVERYONE else Who(formula=reader.optional_formula(name))


EVERYBODY = Who().condition(Span(Source("", ""), 0, 0))
"""A condition that always holds."""

SEATS = field(
    "Who",
    "Whom it is for: everyone, the holder of a marker, or the players for whom a formula holds.",
    "starter",
    "stars > 2",
    schema=ref("formula"),
    default=EVERYONE,
)
