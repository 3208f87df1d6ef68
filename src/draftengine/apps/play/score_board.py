"""Score sheets as lines of text: the reasons for points, and the points of all seats."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from msgspec import Struct

from draftengine.api.phrasing.sentences import wins_said
from draftengine.api.records import Event
from draftengine.api.scenario.missing import missing_in_words
from draftengine.api.scenario.score_tables import SheetScores
from draftengine.api.score_sheets import is_idle
from draftengine.apps.play.table_view import decided_by
from draftengine.apps.play.terminal_style import cut, padded, plain
from draftengine.support.locale.catalogue import plain as without_marks
from draftengine.support.text import width_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from draftengine.api.game import Game
    from draftengine.api.records import Line, Result
    from draftengine.api.scenario.score_tables import GameScores
    from draftengine.api.score_sheets import Entry, Sheet
    from draftengine.apps.play.labels import Names
    from draftengine.apps.play.table_view import Decision


class Scoring(Struct, frozen=True):
    """Points and chips that were given at one moment of a round."""

    round: int
    label: str
    """The label of the rules that gave them (see `Rule.at`); empty for points from effects in a round."""
    events: tuple[Event, ...]


def scorings(story: Iterable[Event], game: Game) -> list[Scoring]:
    """Return the events that gave or cost points or chips, grouped by round and label, in order."""
    labels = {rule.id: rule.at for rule in game.model.scoring}
    groups: dict[tuple[int, str], list[Event]] = {}
    number = 0
    for event in story:
        if event.kind == "round-started":
            number = event.amount
        elif event.kind in {"points", "awarded"}:
            groups.setdefault((number, labels.get(event.name, "") if event.text else ""), []).append(event)
    return [Scoring(*key, tuple(events)) for key, events in groups.items()]


def summary(events: Iterable[Event], names: Names) -> list[str]:
    """Return the points of a scoring in short: a line for each rule and seat, then the sums."""
    style, given_to = names.style, defaultdict[str, list[Event]](list)
    for event in events:
        given_to[event.name].append(event)
    idle = {rule for rule, some in given_to.items() if is_idle(names.game, rule, (event.amount for event in some))}
    events = [event for rule, some in given_to.items() for event in some if rule not in idle]
    rules = [names.reason(event.name) for event in events]
    given = [(rule, event) for rule, event in zip(rules, events, strict=True) if event.amount]
    # Columns: rule, seat, points, arithmetic. Rules get separate lines if that is too wide.
    wide = max((width_of(rule) for rule, _ in given), default=0)
    beside = wide + names.seat_columns + _ARITHMETIC <= style.columns
    lines: list[str] = []
    last = ""
    for rule, event in given:
        title = rule if rule != last else ""
        last = rule
        if not beside and title:
            lines.append(f"  {style.bold(title)}")
        first = f"  {padded(style.bold(title), wide)}  " if beside else "    "
        first += f"{padded(names.seat(event.seat), names.seat_columns)}  {_given(event.kind, event.amount, names)}  "
        total = _number(event.kind, event.amount, names)  # shown in its own column, so cut off the arithmetic
        why = names.why(event) or names.say("standing.at_once")
        lines += _set_below(why.removesuffix(f": {total}").removesuffix(f"：{total}"), first, names)
    if without := [rule for rule in dict.fromkeys(rules) if rule not in {other for other, _ in given}]:
        nothing = names.say("standing.nothing_for", rules=names.join_list(without, "comma"))
        lines += style.wrapped(nothing.split(), 4, "  ")
    points = [(rule, event) for rule, event in given if event.kind == "points"]
    if len({rule for rule, _ in points}) > 1:
        sums = [sum(event.amount for _, event in points if event.seat == seat) for seat in range(names.game.seats)]
        texts = [style.bold(f"{names.seat(seat)} {style.number(amount)}") for seat, amount in enumerate(sums)]
        lines += style.listed(texts, f"  {names.say('standing.together')}  ")
    return lines


_ARITHMETIC = 36
"""The approximate number of columns that points and their calculation need."""


def _given(kind: str, amount: int, names: Names) -> str:
    """Return an amount of points or chips in colour, padded to the width of its column."""
    if kind == "awarded":
        text = padded(_number(kind, amount, names), width_of(_number(kind, 0, names)))
        return names.style.accent(text) if amount else names.style.faint(text)
    text = f"{names.style.number(amount):>4}"
    if amount > 0:
        return names.style.good(text)
    return names.style.bad(text) if amount < 0 else names.style.faint(text)


def _number(kind: str, amount: int, names: Names) -> str:
    """Return points as a number, or chips as a number with a word. `kind` is the kind of the event."""
    return names.say("standing.chips.n", count=amount) if kind == "awarded" else str(amount)


def _set_below(text: str, first: str, names: Names) -> list[str]:
    """Return a calculation after the text `first`, as lines that begin below each other if there is room."""
    style = names.style
    wide = width_of(plain(first))
    indent = wide if wide <= style.columns * 2 // 3 else 6
    return style.wrapped([style.faint(word) for word in style.arithmetic(text).split()], indent, first)


def proof(scoring: Scoring, names: Names) -> list[str]:
    """Return a scoring with its reasons: a title, then calculation, cards and citations by rule and seat.

    The title is the moment: ``Round 2``, ``End of the game``, ``Round 2, at once``.
    """
    if scoring.label in {"round", ""}:
        number = names.say("standing.round", number=scoring.round) if names.game.model.rounds > 1 else ""
        parts = [number, "" if scoring.label else names.say("standing.at_once")]
        title = ", ".join(filter(None, parts)) or names.moment("round")
    else:
        title = names.moment(scoring.label)
    return [names.style.headline(title, "─"), *reasons(scoring.events, names)]


def reasons(events: Iterable[Event], names: Names) -> list[str]:
    """Return lines with the reasons for points or chips: by rule its citations, then seats and cards."""
    style = names.style
    blocks: dict[str, list[Event]] = {}
    for event in events:
        blocks.setdefault(event.name, []).append(event)
    lines = []
    for rule, block in blocks.items():
        source = block[0].source
        cited = f"  [{', '.join(source)}]" if source and names.cites else ""
        lines.append(f"  {style.bold(names.reason(rule))}{style.faint(style.safe(cited))}")
        for event in block:
            seat = padded(names.seat(event.seat), names.seat_columns)
            first = f"    {seat}  {_given(event.kind, event.amount, names)}  "
            lines += _set_below(names.why(event), first, names)
            wide = width_of(plain(first))
            indent = " " * (wide if wide <= style.columns // 2 else 6)
            lines += style.listed(names.cards(event.cards), indent) if event.cards else []
    return lines


def proof_lines(lines: Iterable[Line], names: Names) -> list[str]:
    """Return the same lines as `reasons`, for lines of points from a score sheet."""
    return reasons((_given_by(line.rule, line, names) for line in lines), names)


def sheet_lines(sheet: Sheet, names: Names) -> list[str]:
    """Return a score sheet as lines with reasons. Entries with neither points nor cards are left out."""
    given = [(row.rule, entry) for row in sheet.rows for entry in row.entries if entry.points or entry.cards]
    return reasons((_given_by(rule, entry, names) for rule, entry in given), names)


def _given_by(rule: str, given: Line | Entry, names: Names) -> Event:
    """Return an event for the points or chips that a rule gave."""
    kind = "awarded" if rule in names.game.chip_rules else "points"
    source = next((own.source for own in names.game.model.scoring if own.id == rule), ())
    return Event(
        kind, given.seat, given.cards, name=rule, amount=given.points, text=given.text, why=given.why, source=source
    )


def standing_lines(reckoned: GameScores, names: Names) -> list[str]:
    """Return lines with the points by round and in total, then the winner or what is missing to name one."""
    seats = names.game.seats
    rows = [(names.say("standing.round", number=sheet.round), sheet.total(seats)) for sheet in reckoned.sheets]
    rows += [(names.say("standing.end"), reckoned.end.total(seats))] if reckoned.end else []
    lines = grid("", [*rows, (names.say("total"), reckoned.scores)], names)
    outcome = outcome_lines(reckoned, names)
    return [*lines, "", *outcome] if outcome else lines


def outcome_lines(found: GameScores | SheetScores, names: Names) -> list[str]:
    """Return lines that name the winner, or the facts that are missing to name one."""
    if found.winners:
        scores = found.total if isinstance(found, SheetScores) else found.scores
        return [f"  {names.style.bold(verdict(found.winners, scores, names))}"]
    words = missing_words(found, names)
    return [line for sentence in words for line in names.style.wrapped(sentence.split(), 4, "  ")]


def missing_words(found: GameScores | SheetScores, names: Names) -> list[str]:
    """Return sentences about facts that the sheet lacks to decide the game, and about wrong ones."""
    over = isinstance(found, SheetScores) or found.over
    words = missing_in_words(names.game, found.missing, names.seats, names.labels, over=over)
    return [names.style.safe(sentence) for sentence in words]


def final(result: Result, names: Names) -> list[str]:
    """Return the final points by round and by rule, the totals, and the winner."""
    model = names.game.model
    last = model.rounds
    rows = [
        (names.say("standing.round", number=number) if number <= last else names.say("standing.end"), row)
        for number, row in enumerate(result.rounds, 1)
    ]
    rows = rows if any(any(row) for _, row in rows) else []
    chips = [row for name, row in result.rules.items() if name in {pile.id for pile in model.chips}]
    if chips:
        rows.append((names.say("standing.chips"), tuple(map(sum, zip(*chips, strict=True)))))
    by_name: dict[str, list[Sequence[int]]] = {}  # copies of a card that are told apart have rules of one name
    for rule, row in result.rules.items():
        if not is_idle(names.game, rule, row):
            by_name.setdefault(names.reason(rule), []).append(row)
    rules = [(name, tuple(map(sum, zip(*rows_of_name, strict=True)))) for name, rows_of_name in by_name.items()]
    totals = grid("", [*rows, (names.say("total"), result.scores)], names)
    lines = [*totals, "", *grid(names.say("standing.by_rule"), rules, names)]
    lines += ["", f"  {names.style.bold(verdict(result.winners, result.scores, names))}"]
    if decided_by(result.winners, result.scores, names.game) == "wins":
        lines += names.style.wrapped(names.style.safe(without_marks(wins_said(names.labels.speech))), 2, "  ")
    return lines


def verdict(winners: Sequence[int], scores: Sequence[int], names: Names) -> str:
    """Return a sentence that names the winners and says what decided."""
    by = _BY[decided_by(winners, scores, names.game)]
    texts = [
        names.label(breaker.holder)
        if breaker.holder
        else names.say(f"standing.by.{breaker.order}", things=names.many(breaker.measure))
        for breaker in names.game.model.winner.tie_breakers
    ]
    given = {"points": names.say("points.n", n=scores[winners[0]]), "list": names.join_list(texts)}
    if len(winners) > 1:
        who = names.join_list([names.seat(seat) for seat in winners])
        return names.say(f"standing.shared{by}", who=who, **given)
    return names.say_of(winners[0], f"standing.won{by}", **given)


_BY: dict[Decision, str] = {"points": "", "tie_breakers": ".ahead", "wins": ".only", "unknown": ".only"}
"""The last parts of keys of messages about winners, by the reason why they won."""


def lead(scores: Sequence[int], names: Names) -> str:
    """Return a sentence that says who leads and by how many points, during the game."""
    model = names.game.model
    fewest = model.winner.order == "fewest"
    totals = list(scores[: names.game.players])
    best = min(totals) if fewest else max(totals)
    first = [seat for seat, points in enumerate(totals) if points == best]
    if len(first) == len(totals):
        return names.say("standing.chips_later" if model.chips else "standing.level")
    if len(first) > 1:
        return names.say("standing.lead.level", who=names.join_list([names.seat(seat) for seat in first]))
    others = [points for points in totals if points != best]
    ahead = abs(best - (min if fewest else max)(others))
    return names.say_of(first[0], "standing.lead", points=names.say("points.n", n=ahead))


def grid(title: str, rows: Sequence[tuple[str, Sequence[int]]], names: Names) -> list[str]:
    """Return a table of numbers as lines: a row for each pair, a column for each seat, the totals bold."""
    room = names.style.columns - 2
    wide = max([width_of(title), *(width_of(name) for name, _ in rows)])
    heads = names.heads(room - wide)
    columns = [max(5, width_of(head)) + 2 for head in heads]
    if wide + sum(columns) > room:
        columns = [max(3, width_of(head)) + 1 for head in heads]
        wide = max(6, room - sum(columns))
    lines = [f"  {padded(title, wide)}{''.join(map(_right, heads, columns))}"]
    for name, row in rows:
        numbers = map(_right, map(names.style.number, row), columns)
        line = f"  {padded(cut(name, wide, names.style), wide)}{''.join(numbers)}"
        lines.append(names.style.bold(line) if name == names.say("total") else line)
    return lines


def _right(text: str, columns: int) -> str:
    return " " * (columns - width_of(text)) + text
