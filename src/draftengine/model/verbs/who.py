"""The key `who`, which names the seats that carry out a step. Every step may have it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

from draftengine.model.language.macros import OTHERS, PLAYERS, Naming
from draftengine.model.language.tree import BooleanLiteral, Call, Comparison, LogicalOp, Name, Number
from draftengine.model.records import HolderOf, Record, SeatCondition, field
from draftengine.model.records.reader import Formula
from draftengine.model.records.schema_fragments import ref
from draftengine.support.source import Source, Span

if TYPE_CHECKING:
    from draftengine.model.language.macros import Board
    from draftengine.model.language.tree import Expr
    from draftengine.model.records.reader import Reader

EVERYONE = "everyone"
Beside = Literal["others", "left", "right"]
_BESIDE: tuple[Beside, ...] = ("others", "left", "right")
"""The values of `who` for seats other than the one that carries out a step list."""


class Who(Record, frozen=True, kw_only=True):
    """The seats that carry out a step: a marker's holder, all players, or those who meet a condition.

    In a step list, they may also be all other seats, or one neighbour of the seat that carries out the list. Or they
    are the player whom a name from a step means.
    """

    holder: Annotated[HolderOf | None, field("Holder", "The marker whose holder carries out the step.", "starter")] = (
        None
    )
    formula: Annotated[
        SeatCondition | None, field("Who", "The condition that players must meet to carry out the step.", "stars > 2")
    ] = None
    beside: Beside | None = None
    named: Naming | None = None
    """The name that a step gives to the player who carries out the step."""
    players: int = 0
    """The largest number of players, if the seat is that of a marker or name."""

    @classmethod
    def path_to(cls, name: str) -> str:  # noqa: ARG003 (both stand for the same key)
        return ""

    @property
    def is_everyone(self) -> bool:
        """True if all players carry out the step."""
        return self == Who()

    @property
    def is_one(self) -> bool:
        """True if at most one seat carries out the step."""
        return self.holder is not None or self.named is not None or self.beside in {"left", "right"}

    @property
    def seen_from_one(self) -> str:
        """The word or name whose meaning depends on the seat of a step list; empty if there is none."""
        return self.beside or (self.named.name if self.named else "")

    def condition(self, span: Span) -> Formula:
        """Return a condition that holds for exactly the seats that carry out the step."""
        if self.holder is not None:
            return Formula(f"holds({self.holder})", Call("holds", (Name(self.holder),)), span)
        if word := self.seen_from_one:  # an error outside a step list, which is reported elsewhere
            return Formula(word, Name(word), span)
        return self.formula or Formula("true", BooleanLiteral(value=True), span)

    def is_there(self) -> Expr | None:
        """Return the condition, at the acting seat, that a single seat is meant; ``None`` if it always is."""
        if self.named is not None:
            return Comparison(">", Name(self.named.counter), Number(0))
        if self.holder is None:
            return None
        return _at_one([Call("holds", (Name(self.holder),))] * max(1, self.players))

    def among(self, acting: Expr, span: Span) -> Formula:
        """Return `condition` for a step in a step list. `acting` holds only for the seat whose list it is."""
        if self.named is not None:  # the acting seat is as far to the right as the name is to its left
            first = int(self.named.of == OTHERS)
            means = [self.named.is_it(Number(number)) for number in range(1, 1 + self.players - first)]
            acts: list[Expr] = [LogicalOp("and", acting, it) for it in means]
            return Formula(self.named.name, _at_one(acts, first), span)
        match self.beside:
            case None:
                return self.condition(span)
            case "others":
                at_another = Comparison(">", Call("others_with", (acting,)), Number(0))
                return Formula("others", at_another, span)
            case side:  # the acting seat is to the right of its left neighbour
                return Formula(side, Call("right" if side == "left" else "left", (acting,)), span)


def _at_one(conditions: list[Expr], first: int = 0) -> Expr:
    """Return the condition that one of several conditions holds, each one seat further to the right.

    The first of them is evaluated `first` seats to the right.
    """
    result: Expr = conditions[-1]
    for condition in conditions[-2::-1]:
        result = LogicalOp("or", condition, Call("right", (result,)))
    return Call("right", (result,)) if first else result


def read_who(reader: Reader, name: str) -> Who | None:
    """Return the seats under a key; ``None`` if it is missing."""
    if not reader.has(name):
        return None
    word = reader.word(name)
    who = who_named(word, reader.short.board)
    if who is not None:
        return who
    if reader.short.board.naming(word) is not None:
        reader.report("unknown-name", name, say="not-who", name=word)
        return Who()
    return Who() if word == EVERYONE else Who(formula=reader.optional_formula(name))


def who_named(word: str, board: Board) -> Who | None:
    """Return the seats that a marker, `others`, a neighbour or the name of a player means, or ``None``."""
    if word in board.markers:
        return Who(holder=word, players=board.players)
    for beside in _BESIDE:
        if word == beside:
            return Who(beside=beside)
    naming = board.naming(word)
    return Who(named=naming, players=board.players) if naming and naming.of in PLAYERS else None


EVERYBODY = Who().condition(Span(Source("", ""), 0, 0))
"""The condition of steps that all players carry out: it always holds."""

SEATS = field(
    "Who",
    "The seats that carry out the step: everyone, the holder of a marker, or the players who meet a condition. In a "
    "list also others, left or right, as seen from the seat that carries out the list, or the name of a player.",
    "starter",
    "stars > 2",
    schema=ref("formula"),
    default=EVERYONE,
)
