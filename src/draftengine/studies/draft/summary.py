"""What the counts of drafts say: what is taken first, what comes back, what is denied, what choices lose."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from draftengine.engine.accounting import MOST_TURNS
from draftengine.engine.cards import Pass
from draftengine.engine.choose import Choice
from draftengine.engine.kernel.worth_tables import SCALE
from draftengine.model.cardset.facts import all_steps
from draftengine.model.verbs import choose
from draftengine.studies.draft import tally as at
from draftengine.studies.draft.preference import share, strengths
from draftengine.studies.report.statistics import Interval, card_label, deviation, of_mean, wilson

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from draftengine.engine.program import Program
    from draftengine.studies.draft.tally import DraftLayout


class DraftTurn(Struct, frozen=True, omit_defaults=True):
    """A kind of card in a turn of the round: copies, in all games and for all seats together."""

    turn: int
    seen: int
    taken: int
    passed: int | None = None
    """``None`` here and below where cards are not passed on."""
    back: int | None = None
    """So many of those passed were there when the seat that passed them next saw these cards."""
    wheel: float | None = None
    """The share of those passed that were still there."""
    denied: float | None = None
    """Points that the next seat would have gained more with a copy that was taken than with what it got instead."""


class DraftCard(Struct, frozen=True, omit_defaults=True):
    """A kind of card: copies, in all games and for all seats together."""

    label: str
    rating: float
    """The natural logarithm of its strength (see `preference`); 0 = average."""
    preferred: float
    """With what chance it is taken before an average card that is seen together with it."""
    seen: int
    taken: int
    rate: float
    """The part of the copies seen that is taken."""
    aside: int
    """Copies put aside: for another seat, or to choose from again later."""
    pick: float | None = None
    """The turn in which it is taken, on average; ``None`` if it never is."""
    pick_ci95: Interval | None = None
    passed: int | None = None
    """``None`` here and below where cards are not passed on."""
    wheel: float | None = None
    """The part of the copies passed on that comes back."""
    wheel_ci95: Interval | None = None
    denied: float | None = None
    """Points by which taking a copy sets the next seat back, on average."""
    by_turn: list[DraftTurn] = []


class MeanRegret(Struct, frozen=True):
    """What choices lost."""

    decisions: int
    """So many were judged."""
    mean: float
    """Points for each."""
    ci95: Interval


class Regret(Struct, frozen=True):
    """What the adviser thinks that choices lost, in points of its own kind: margins for a bot that looks ahead."""

    adviser: str
    all: MeanRegret
    by_turn: dict[int, MeanRegret]
    by_seat: dict[int, MeanRegret]


class DraftSummary(Struct, frozen=True, omit_defaults=True):
    """How games are drafted."""

    games: int
    """So many were looked at."""
    choices: int
    passes: bool
    """Are cards passed on."""
    cards: dict[str, DraftCard]
    """What is taken first comes first."""
    regret: Regret | None = None
    """``None`` if nobody was asked, or the adviser gives no values."""
    bids: bool = False
    """Are ways chosen without a card, which are not counted."""


def summarise_draft(program: Program, shape: DraftLayout, tally: Sequence[int], adviser: str = "") -> DraftSummary:
    """What a tally says. Cards that nobody saw are left out."""
    passes = hands_go_round(program)
    ratings = strengths(_duels(shape, tally))
    cards = {}
    for kind in sorted(range(len(shape.faces)), key=lambda face: (-ratings[face], face)):
        turns = _turns(shape, tally, kind)
        if any(row[at.SEEN] for row in turns.values()):
            name = program.faces[shape.faces[kind]]
            cards[name] = _card(card_label(program, name), ratings[kind], turns, passes=passes)
    regret = _regret(shape, tally, adviser)
    known = regret if regret.all.decisions else None
    choices = [step for step in all_steps(program.model) if isinstance(step, choose.ChooseStep)]
    bids = any(way.takes_none for step in choices for way in step.as_)
    return DraftSummary(tally[at.GAMES], tally[at.CHOICES], passes, cards, known, bids)


def hands_go_round(program: Program) -> bool:
    """Is a zone that seats choose from passed on."""
    zones = {step.source for step in program.code if isinstance(step, Choice)}
    return any(isinstance(step, Pass) and step.zone in zones for step in program.code)


def _duels(shape: DraftLayout, tally: Sequence[int]) -> list[Sequence[int]]:
    kinds = len(shape.faces)
    return [tally[shape.duel(kind, 0) : shape.duel(kind, 0) + kinds] for kind in range(kinds)]


def _turns(shape: DraftLayout, tally: Sequence[int], kind: int) -> dict[int, Sequence[int]]:
    """The columns of a kind of card by turn, where there is anything."""
    rows = {turn: tally[shape.card(kind, turn) : shape.card(kind, turn) + at.COLUMNS] for turn in range(MOST_TURNS)}
    return {turn: row for turn, row in rows.items() if any(row)}


def _card(label: str, rating: float, turns: dict[int, Sequence[int]], *, passes: bool) -> DraftCard:
    total = [sum(column) for column in zip(*turns.values(), strict=True)]
    seen, taken, passed = total[at.SEEN], total[at.TAKEN], total[at.PASSED]
    sums = sum(turn * row[at.TAKEN] for turn, row in turns.items())
    squares = sum(turn * turn * row[at.TAKEN] for turn, row in turns.items())
    pick = sums / taken if taken else None
    wheel = _part(total[at.BACK], passed) if passes else None
    return DraftCard(
        label=label,
        rating=rating,
        preferred=share(rating),
        seen=seen,
        taken=taken,
        rate=taken / max(seen, 1),
        aside=total[at.ASIDE],
        pick=pick,
        pick_ci95=None if pick is None else of_mean(pick, deviation(sums, squares, taken), taken),
        passed=passed if passes else None,
        wheel=wheel,
        wheel_ci95=None if wheel is None else wilson(wheel, passed),
        denied=_part(total[at.DENIED], total[at.DENIALS]) if passes else None,
        by_turn=[_turn(turn, row, passes=passes) for turn, row in turns.items()],
    )


def _turn(turn: int, row: Sequence[int], *, passes: bool) -> DraftTurn:
    if not passes:
        return DraftTurn(turn, row[at.SEEN], row[at.TAKEN])
    passed, back = row[at.PASSED], row[at.BACK]
    denied = _part(row[at.DENIED], row[at.DENIALS])
    return DraftTurn(turn, row[at.SEEN], row[at.TAKEN], passed, back, _part(back, passed), denied)


def _part(part: int, of: int) -> float | None:
    return part / of if of else None


def _regret(shape: DraftLayout, tally: Sequence[int], adviser: str) -> Regret:
    cells = {
        (seat, turn): tally[shape.choice(seat, turn) : shape.choice(seat, turn) + at.JUDGED_COLUMNS]
        for seat in range(shape.players)
        for turn in range(MOST_TURNS)
    }
    turns = {turn: [row for (_, cell_turn), row in cells.items() if cell_turn == turn] for turn in range(MOST_TURNS)}
    seats = {seat: [row for (cell_seat, _), row in cells.items() if cell_seat == seat] for seat in range(shape.players)}
    return Regret(adviser, _lost(cells.values()), _known(turns), _known(seats))


def _known(rows: dict[int, list[Sequence[int]]]) -> dict[int, MeanRegret]:
    losses = {key: _lost(group) for key, group in rows.items()}
    return {key: lost for key, lost in losses.items() if lost.decisions}


def _lost(rows: Iterable[Sequence[int]]) -> MeanRegret:
    count, points, squares = (sum(column) for column in zip(*rows, strict=True))
    mean = points / SCALE / max(count, 1)
    return MeanRegret(count, mean, of_mean(mean, deviation(points, squares, count) / SCALE, count))
