"""Results of a draft study: text for the terminal, and a section in the report of a simulation."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, NamedTuple

from msgspec.structs import replace

from draftengine.studies.report import between, charts, figure, percent
from draftengine.studies.report.charts import in_figures, say, worded
from draftengine.studies.report.statistics import card_label, wilson
from draftengine.support.locale.phrases import decimal, said

if TYPE_CHECKING:
    from collections.abc import Callable

    from draftengine.engine.program import Program
    from draftengine.studies.draft.summary import DraftCard, DraftSummary, DraftTurn, MeanRegret, Regret
    from draftengine.support.locale.phrases import Phrase, Text


class Column(NamedTuple):
    """A column in the tables of cards."""

    id: str
    text: Callable[[DraftCard], str]
    on_page: bool = False
    """True if the column is only on the HTML page, because a terminal is too narrow for it."""
    passes: bool = False
    """True if the column is about hands that are passed on."""

    @property
    def title(self) -> Phrase:
        """The title of the column, in any language."""
        return said(f"draft.column.{self.id}")


def number(value: float | None) -> str:
    """Format a number, or a dash for ``None``."""
    return "–" if value is None else figure(value)


def part(value: float | None) -> str:
    """Format a share in percent, or a dash for ``None``."""
    return "–" if value is None else percent(value, 1)


ASIDE = "aside"
COLUMNS = (
    Column("before", lambda card: percent(card.preferred, 1)),
    Column("turn", lambda card: number(card.pick)),
    Column("seen", lambda card: f"{card.seen:,}", on_page=True),
    Column("taken", lambda card: f"{card.taken:,}", on_page=True),
    Column("of-seen", lambda card: percent(card.rate, 1)),
    Column(ASIDE, lambda card: f"{card.aside:,}", on_page=True),
    Column("passed", lambda card: f"{card.passed:,}", on_page=True, passes=True),
    Column("back", lambda card: part(card.wheel), passes=True),
    Column("denies", lambda card: number(card.denied), passes=True),
)


def columns_of(summary: DraftSummary, *, on_page: bool) -> list[Column]:
    """Return the columns of a table. The column of cards put aside is included only if there are any."""
    aside = any(card.aside for card in summary.cards.values())
    return [
        column
        for column in COLUMNS
        if column.passes <= summary.passes and column.on_page <= on_page and (aside or column.id != ASIDE)
    ]


def table_rows(summary: DraftSummary) -> list[list[Text]]:
    """Return the head of a table and the figures of each card, in the order of `summary.cards`."""
    columns = columns_of(summary, on_page=False)
    head = said("draft.head", games=decimal(f"{summary.games:,}"))
    rows: list[list[Text]] = [[head, *(column.title for column in columns)]]
    rows += [[card.label[:22], *(decimal(column.text(card)) for column in columns)] for card in summary.cards.values()]
    return rows


def relabelled(summary: DraftSummary, program: Program, language: str) -> DraftSummary:
    """Return the summary with the labels of its cards in another language."""
    cards = {name: replace(card, label=card_label(program, name, language)) for name, card in summary.cards.items()}
    return replace(summary, cards=cards)


def sentences(regret: Regret) -> list[Phrase]:
    """Return sentences about the points that choices lost: in total, by turn, and by player."""
    low, high = map(figure, regret.all.ci95)
    return [
        said(
            "study.regret",
            points=decimal(figure(regret.all.mean)),
            interval=between(low, high),
            bot=regret.adviser,
            choices=decimal(f"{regret.all.decisions:,}"),
        ),
        said("study.regret.turns", each=_each(regret.by_turn)),
        said("study.regret.players", each=_each({seat + 1: lost for seat, lost in regret.by_seat.items()})),
    ]


DEAD, ALWAYS = 0.1, 0.9
"""Limits of `DraftCard.preferred`: below the first, a card is dead; above the second, it is no choice."""
_OUT_OF = 20
"""The number of choices that a sentence about a card speaks of."""


def judgements(summary: DraftSummary) -> list[Phrase]:
    """Return sentences about cards that are nearly always left or taken, certainly or perhaps."""
    odd = []
    for card in summary.cards.values():
        low, high = wilson(card.preferred, card.seen)
        if high < DEAD or low > ALWAYS:
            kind, part_of_all = ("dead", 1 - card.preferred) if high < DEAD else ("always", card.preferred)
            count = round(_OUT_OF * part_of_all)
            odd.append(said(f"draft.{kind}", card=card.label, count=count, of=_OUT_OF))
    unsure = tuple(card.label for card in summary.cards.values() if not DEAD <= card.preferred <= ALWAYS)
    return odd or [said("draft.unsure", cards=unsure) if unsure else said("draft.choices")]


def _each(lost: dict[int, MeanRegret]) -> str:
    return ", ".join(f"{number}: {figure(loss.mean)}" for number, loss in lost.items())


_FEW = 30
"""The smallest number of copies for which a figure is shown. With fewer, it is too uncertain."""


def section(summary: DraftSummary, of: int, seats: list[str]) -> str:
    """Return the section as HTML for a simulation of `of` games. `seats` are the names of the seats."""
    counts = {"choices": in_figures(f"{summary.choices:,}"), "games": in_figures(f"{summary.games:,}")}
    texts = [say("draft.first" if summary.games < of else "draft.all", of=in_figures(f"{of:,}"), **counts)]
    texts += [say("draft.passing")] if summary.passes else []
    texts += [worded(said("draft.bids"))] if summary.bids else []
    about = f"<p>{' '.join(texts)}</p>"
    columns = columns_of(summary, on_page=True)
    lines = [(card.label, *(column.text(card) for column in columns)) for card in summary.cards.values()]
    cards = charts.table([say("card"), *(worded(column.title) for column in columns)], lines)
    # The mean turns in which cards are taken, with their intervals.
    taken = [card for card in summary.cards.values() if card.pick is not None and card.taken >= _FEW]
    points = [charts.Point(card.label, card.pick or 0.0, card.pick_ci95 or (0.0, 0.0)) for card in taken]
    mean = sum((card.pick or 0.0) * card.taken for card in taken) / max(sum(card.taken for card in taken), 1)
    chart = charts.rows(points, charts.Axis(say("picks.axis"), mean, places=2), (say("card"), say("picks.turn")))
    picks = charts.framed("picks", say("picks.title"), say("picks.about"), chart)
    costs = ""
    if (regret := summary.regret) is not None:
        choices, lost_points = in_figures(f"{regret.all.decisions:,}"), in_figures(figure(regret.all.mean))
        text = escape(say("regret.about", bot=regret.adviser, choices=choices, points=lost_points))
        axis, unit = charts.Axis(say("regret.axis")), say("points")
        by_turn = [_line(say("turn", turn=turn), lost) for turn, lost in regret.by_turn.items()]
        by_seat = [_line(seats[seat], lost) for seat, lost in regret.by_seat.items()]
        turns = charts.rows(by_turn, axis, (say("regret.turn"), unit))
        costs = f"<h3>{say('regret')}</h3><p>{text}</p>{turns}{charts.rows(by_seat, axis, (say('seat'), unit))}"
    parts = f"{about}{cards}{picks}{_heats(summary)}{costs}"
    return f"<h2>{worded(said('draft.title'))}</h2>{parts}"


Value = tuple[float, str]
"""A number, and its text in a table cell."""


def _heats(summary: DraftSummary) -> str:
    def rate(turn: DraftTurn) -> Value | None:
        share = turn.taken / max(turn.seen, 1)
        return (share, percent(share, 0)) if turn.seen >= _FEW else None

    def wheel(turn: DraftTurn) -> Value | None:
        few = turn.wheel is None or (turn.passed or 0) < _FEW
        return None if few else (turn.wheel or 0.0, percent(turn.wheel or 0.0, 0))

    def denied(turn: DraftTurn) -> Value | None:
        few = turn.denied is None or turn.taken < _FEW
        return None if few else (turn.denied or 0.0, figure(turn.denied or 0.0))

    tables = [(say("heat.rate"), rate)]
    if summary.passes:
        tables.append((say("heat.back"), wheel))
        tables.append((say("heat.denied"), denied))
    return "".join(_heat(summary, title, value) for title, value in tables)


def _heat(summary: DraftSummary, title: str, value: Callable[[DraftTurn], Value | None]) -> str:
    """Return a table of a value by card and turn, shaded from the lowest to the highest."""
    cells = {
        name: {drafted.turn: (drafted, value(drafted)) for drafted in card.by_turn}
        for name, card in summary.cards.items()
    }
    turns = sorted({turn for row in cells.values() for turn in row})
    known = [rated[0] for row in cells.values() for _, rated in row.values() if rated is not None]
    if not known:
        return ""
    low, high = min(known), max(known)

    def cell(name: str, turn: int) -> charts.Cell:
        drafted, rated = cells[name].get(turn, (None, None))
        if drafted is None or rated is None:
            return charts.Cell("")
        counts = {"seen": in_figures(f"{drafted.seen:,}"), "taken": in_figures(f"{drafted.taken:,}")}
        key = "heat.cell" if drafted.passed is None else "heat.cell.passed"
        about = say(key, passed=in_figures(f"{drafted.passed or 0:,}"), **counts)
        return charts.Cell(rated[1], charts.graded(rated[0], low, high), about)

    lines = [(card.label, [cell(name, turn) for turn in turns]) for name, card in summary.cards.items()]
    return f"<h3>{title}</h3>{charts.shaded((say('card'), *(say('turn', turn=turn) for turn in turns)), lines)}"


def _line(name: str, lost: MeanRegret) -> charts.Point:
    return charts.Point(f"{name} ({lost.decisions:,})", lost.mean, lost.ci95)
