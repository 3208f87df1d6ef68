"""Replays of games: read from records or saved games, and shown turn by turn."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from draftengine.api.replay import Player, Recorded, read_record, record_of
from draftengine.apps.play import board
from draftengine.apps.play import review as reviews
from draftengine.apps.play import score_board as scoreboard
from draftengine.apps.play.board import EventNarrator, sentences
from draftengine.apps.play.labels import Names
from draftengine.apps.play.move_builder import MoveBuilder, sentence
from draftengine.apps.play.review import judge
from draftengine.apps.play.saved import from_text
from draftengine.apps.play.session import HUMAN
from draftengine.apps.play.table_view import TableView
from draftengine.apps.play.terminal_style import Style, padded, plain
from draftengine.bots.hints import Evaluator

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from draftengine.api.moves import Move
    from draftengine.api.replay import Decision
    from draftengine.api.view import View
    from draftengine.apps.play.session import Session

EVERYBODY = -1


def opened(text: str) -> Recorded:
    """Return the game in a record or a saved game. Raises `RecordError` and `SaveError`."""
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        data = None
    if isinstance(data, dict) and "made_from" in data:
        return read_record(data)
    session = from_text(text).session
    return Recorded(session.game, session.seed, players_of(session), session.moves)


def players_of(session: Session) -> tuple[Player, ...]:
    """Return the players by seat; people without a name have an empty one."""
    called = dict(zip(session.humans, session.names, strict=False))
    return tuple(Player(called.get(seat, ""), "" if who == HUMAN else who) for seat, who in enumerate(session.seats))


def record(session: Session, version: str) -> dict[str, Any]:
    """Return the record of a finished game. Players without a name are named by their seat."""
    players = [Player(player.name or _unnamed(seat), player.bot) for seat, player in enumerate(players_of(session))]
    return record_of(session.state, players, {"draftengine": version})


def _unnamed(seat: int) -> str:
    """Return the name of a nameless player in a record."""
    return f"Player {seat + 1}"


def names_for(recorded: Recorded, style: Style, *, levels: bool = True, language: str = "en") -> Names:
    """Return the names for a replay. Players are called by name or by seat, and a single person “you”.

    With `levels`, the titles of bots include their level.
    """
    sitters = [player.bot or HUMAN for player in recorded.players]
    usual = Names(recorded.game, sitters, style, levels=levels, language=language)
    titles = [
        usual.seat(seat)
        if player.name in {"", _unnamed(seat)}
        else usual.bot_title(player.name, player.bot)
        if player.bot
        else player.name
        for seat, player in enumerate(recorded.players)
    ]
    return Names(recorded.game, [HUMAN] * len(titles), style, titles, language=language)


# ── Told turn by turn ─────────────────────────────────────────────────────────────────────────────────────────────────


def retell(
    recorded: Recorded,
    names: Names,
    seat: int,
    show: Callable[[Sequence[str]], None],
    *,
    opinions: bool = False,
    busy: Callable[[str], None] = lambda _: None,
) -> None:
    """Show the whole game as a seat saw it (-1: a spectator), then the final scores and points over time.

    With `opinions`, a bot judges the choices that are shown; `busy` gets a line to show while the bot thinks.
    """
    teller = EventNarrator(names, seat, show, turns=seat == EVERYBODY, scored=scoreboard.reasons)
    start = 0
    for decision in recorded.decisions:
        events = decision.state.history
        teller.tell(events[start:])
        start = len(events)
        if seat in decision.choices:
            view = decision.state.view(seat)
            table, picking = TableView.of(view), MoveBuilder.of(view)
            lines = ["", board.heading(table, names), *board.table(table, names)]
            if view.stock and not picking.asked.places:
                cards = [names.copies(name, count) for name, count in view.stock]
                title = padded(names.style.bold(names.say("replay.hand")), names.seat_columns)
                lines += names.style.listed(cards, f"  {title}       ")
            taken = sentence(decision.choices[seat].taken, picking, names) or names.say("pick.nothing")
            show([*lines, f"  {names.say_of(seat, 'said.takes', cards=taken)}"])
        if opinions:
            count = len(recorded.decisions) - 1
            busy(f"  {names.say('replay.busy', number=decision.number + 1, count=count)}")
            for chooser, view, move in judged_in(recorded, decision, seat):
                show(["", *([] if chooser == seat else [f"  {names.style.bold(names.seat(chooser))}"])])
                show(reviews.opinion(Evaluator(view), move, names))
            busy("")
    if recorded.end.over:
        headline = names.style.headline(names.say("standing.final"))
        show(["", headline, *scoreboard.final(recorded.end.result, names), "", *growth(recorded, names, seat)])
    else:
        show(["", f"  {names.say('replay.stops')}"])


def judged_in(recorded: Recorded, decision: Decision, seat: int) -> list[tuple[int, View, Move]]:
    """Return (seat, view, move) for each choice of a decision that a bot may judge.

    These are choices of `seat`. If `seat` is -1, they are the choices of all seats, but only after the game. Forced
    moves are left out.
    """
    everybody = seat == EVERYBODY and recorded.end.over
    choices = [
        (chooser, decision.state.view(chooser), move)
        for chooser, move in decision.choices.items()
        if everybody or chooser == seat
    ]
    return [choice for choice in choices if choice[1].moves.total > 1]


# ── How points grew ───────────────────────────────────────────────────────────────────────────────────────────────────

_BARS, _PLAIN_BARS = "▁▂▃▄▅▆▇█", "0123456789"
_FEWEST_BARS = 8


def growth(recorded: Recorded, names: Names, seat: int) -> list[str]:
    """Return lines with the points over time as bars: of all seats, then by rule for one (-1: each) seat."""
    style, grown = names.style, recorded.growth
    seats = range(recorded.game.seats)
    totals = [(names.seat(owner), [sum(row[owner] for row in points.values()) for points in grown]) for owner in seats]
    lines = [style.bold(names.say("replay.growth")), *_pictures(totals, recorded, names)]
    rules = dict.fromkeys(rule for points in grown for rule in points)
    for owner in seats if seat == EVERYBODY else [seat]:
        every = [
            (names.reason(rule), [points[rule][owner] if rule in points else 0 for points in grown]) for rule in rules
        ]
        rows = [row for row in every if any(row[1])]
        lines += [
            "",
            style.bold(names.say("replay.growth.seat", who=names.seat(owner))),
            *_pictures(rows, recorded, names),
        ]
    return [f"  {line}" if line else "" for line in lines]


def _pictures(rows: Sequence[tuple[str, Sequence[int]]], recorded: Recorded, names: Names) -> list[str]:
    """Return a line for each row of numbers: its name, bars on a common scale, and its last number.

    There are gaps between the rounds.
    """
    if not rows:
        return []
    style = names.style
    wide = min(max(len(plain(title)) for title, _ in rows), style.columns // 3)
    room = max(_FEWEST_BARS, style.columns - wide - 14)
    rounds = [decision.state.round for decision in recorded.decisions]
    step = -(-len(rounds) // max(1, room - max(rounds)))
    places = [index for index in range(len(rounds)) if index % step == 0 or index == len(rounds) - 1]
    least, most = min(0, *(min(values) for _, values in rows)), max(1, *(max(values) for _, values in rows))
    bars = _BARS if style.unicode else _PLAIN_BARS
    lines = []
    for title, values in rows:
        drawn = ""
        for before, place in zip([places[0], *places], places, strict=False):
            drawn += " " if rounds[place] != rounds[before] else ""
            drawn += bars[(values[place] - least) * (len(bars) - 1) // (most - least)]
        lines.append(f"  {padded(title[:wide], wide)}  {style.accent(drawn)}  {values[-1]}")
    return lines


# ── As data ───────────────────────────────────────────────────────────────────────────────────────────────────────────

_OUTCOME = ("scores", "winners", "rounds", "rules")


def as_data(recorded: Recorded, names: Names, seat: int, *, opinions: bool = False) -> dict[str, Any]:
    """Return the game as JSON data, decision by decision, as a seat saw it (-1: as all seats saw it).

    Seats count from 0.
    """
    end, start = recorded.end, 0
    decisions = []
    for decision, points in zip(recorded.decisions, recorded.growth, strict=True):
        view, events = decision.state.view(seat), decision.state.history
        news = sentences(events[start:], seat, names, events[:start])
        start = len(events)
        choices = {chooser: move for chooser, move in decision.choices.items() if end.over or chooser == seat}
        judged = []
        for chooser, seen, move in judged_in(recorded, decision, seat) if opinions else ():
            given = Evaluator(seen)
            choice = judge(given, move)
            judged.append(
                {
                    "seat": chooser,
                    "unit": given.unit,
                    "cost": None if choice is None else round(choice.cost, 2),
                    "best": [{**hint.move.to_json(), "value": round(hint.value, 2)} for hint in given.hints()],
                }
            )
        decisions.append(
            {
                "number": decision.number,
                "round": view.round,
                "turn": view.turn,
                "waiting": list(decision.state.waiting),
                "told": news,
                "tableaus": [list(cards) for cards in view.tableaus],
                "scores": list(view.scores),
                "points": {rule: list(row) for rule, row in points.items()},
                **({"hand": dict(view.stock)} if seat >= 0 else {}),
                "choices": [{"seat": chooser, **move.to_json()} for chooser, move in choices.items()],
                **({"opinions": judged} if opinions else {}),
            }
        )
    result = end.record()
    return {
        "title": recorded.game.title,
        "cardset": recorded.game.id,
        "players": recorded.game.players,
        "variants": list(recorded.game.variants),
        "names": [names.seat(owner) for owner in range(recorded.game.seats)],
        "bots": [player.bot for player in recorded.players],
        "over": end.over,
        "seat": None if seat == EVERYBODY else seat,
        "decisions": decisions,
        **({"seed": recorded.seed, **{key: result[key] for key in _OUTCOME}} if end.over else {}),
    }
