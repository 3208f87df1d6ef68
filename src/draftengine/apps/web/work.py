"""Tasks for the processes of the pool: bots, hints, replays and score sheets.

Arguments and results are small. Rules are sent as texts, and a process caches the rules that it read last. Tasks for
uploaded card sets are in `catalogue`.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import islice
from time import process_time
from typing import TYPE_CHECKING, Any

from resvg_py import svg_to_bytes

import draftengine as de
from draftengine.api.replay import RecordError, read_record
from draftengine.api.scenario.missing import Round, missing_in_words, problem_in_words
from draftengine.api.scenario.score_tables import counters_of, markers_of, score_rounds
from draftengine.apps.play.labels import Names
from draftengine.apps.play.review import review, where_lost
from draftengine.apps.play.session import HUMAN, Session
from draftengine.apps.play.terminal_style import Style
from draftengine.apps.web import RefusedError
from draftengine.apps.web import messages as showing
from draftengine.apps.web.catalogue import game_of
from draftengine.apps.web.protocol import VERSION, rounds_in
from draftengine.apps.web.table import BOT, PERSON, Seat, Table
from draftengine.bots.catalogue import IN_PLAY
from draftengine.render.faces.small import Deck, invitation
from draftengine.render.rulebook import book_of
from draftengine.render.rulebook.formats import as_html
from draftengine.support.locale.phrases import said

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from draftengine.api.replay import Recorded
    from draftengine.apps.web.catalogue import Source


def sheet_for(game: de.Game, names: Sequence[str], rounds: Sequence[Round], language: str = "en") -> dict[str, Any]:
    """Return the points of the cards on real tables, as data for a page.

    Raises `RefusedError`: ``cannot-be-played``.
    """
    labels = game.labels_in(showing.language_for(game, language))
    try:
        reckoned = score_rounds(game, rounds)
    except de.WrongPositionError as error:
        raise RefusedError("cannot-be-played", problem_in_words(error, labels)) from error
    return {
        "v": VERSION,
        "rules": showing.rules_shown(game, labels.language),
        "seats": [{"name": name} for name in names],
        "sheet": [
            {**state, "end": state["round"] > len(rounds)} for state in showing.sheets_shown(reckoned.pages, language)
        ],
        "missing": missing_in_words(game, reckoned.missing, names, labels, over=reckoned.over),
        "over": reckoned.over,
        "chips": bool(game.model.chips),
        "lying": [
            {
                "markers": {name: own.view(-1).markers[name] for name in markers_of(game)},
                "counters": {name: [values[name] for values in own.counters] for name in counters_of(game)},
            }
            for own in reckoned.states
        ],
        "game": {"scores": list(reckoned.scores), "winners": list(reckoned.winners)},
    }


_LONGEST = 0.2
"""The time limit in seconds for one step of a game on the server, for which everybody has to wait."""
_MOST_TRIED = 20
_LOOKING_BACK = 4.0
"""The processor time in seconds for the review of a game: enough for all choices of most games."""


@lru_cache(64)
def bot_for(level: str, game: de.Game) -> Any:
    """Return a bot that is prepared for a game."""
    made = de.bot(level)
    made.prepare(game)
    return made


def prepare(level: str, game: de.Game) -> None:
    """Let a bot learn a game, and compile the game. The results are stored on disk for all processes."""
    bot_for(level, game)


def decisions(views: Mapping[int, tuple[str, de.View]], chance: str) -> dict[int, de.Move]:
    """Return the moves of bots by seat. `views` has the level and view of each bot's seat.

    Bots have as much time as in the command ``play``. `chance` is the seed of their random choices.
    """
    time = IN_PLAY.milliseconds
    return {
        seat: bot_for(level, view.game).decide(view, chance, milliseconds=time).move
        for seat, (level, view) in views.items()
    }


def simple(view: de.View) -> de.Move:
    """Return a simple move: among the first legal moves, the one that gives most points immediately."""
    try:
        moves = list(islice(view.moves, _MOST_TRIED))
        gained = [own.points for own in view.brings(moves)]
        best = min if view.game.model.winner.order == "fewest" else max
        return moves[gained.index(best(gained))]
    except Exception:  # noqa: BLE001 (the game goes on)
        return view.moves[0]


def lost(
    game: de.Game, seed: str, moves: Sequence[tuple[int, de.Move]], seat: int, names: Sequence[str], language: str
) -> list[str]:
    """Return sentences about where a seat lost points in a finished game."""
    people = [HUMAN] * game.players
    called = Names(game, people, Style(pictures=False), names, language=showing.language_for(game, language))
    called.seats = (*called.seats[:seat], called.say("seat.you"), *called.seats[seat + 1 :])
    return where_lost(review(Session.replay(game, people, seed, moves), seat, seconds=_LOOKING_BACK), called)


_ALL_ON = {"hints": True, "effects": True, "memory": True}


def _replayed(record: Mapping[str, Any], seat: int) -> tuple[Recorded, Table]:
    """Return a finished game that may be shown from a seat's view, and a table that shows it.

    Raises `RefusedError`: ``other-rules`` if the game cannot be replayed, ``bad-message`` if it has no such seat.
    """
    try:
        recorded = read_record(record)
    except RecordError as error:
        raise RefusedError("other-rules", english=str(error)) from error
    if not -1 <= seat < recorded.game.players:
        raise RefusedError("bad-message")
    head = {key: record[key] for key in ("versions", "players", "fingerprint")}
    table = Table("", {**head, "rules": record["made_from"], **_ALL_ON})
    table.number, table.seed, table.salt = 1, record["seed"], record["salt"]
    table.seats = [Seat(BOT if sat["bot"] else PERSON, sat["name"], sat["bot"] or "medium") for sat in record["seats"]]
    return recorded, table


def frames(record: Mapping[str, Any], seat: int, language: str) -> dict[str, Any]:
    """Return, for each decision of a finished game, the table as a seat (-1: a spectator) saw it."""
    recorded, table = _replayed(record, seat)
    table.parts = [len(decision.state.history) for decision in recorded.decisions[:-1]]
    pages = []
    for decision in recorded.decisions:
        table.state, table.choices = decision.state, decision.choices
        table.decision = table.length = decision.number
        frame = showing.table_shown(table, seat, range(table.game.players), 0, language)
        pages.append({**frame, "points": list(decision.state.view(-1).scores)})
    rules = showing.rules_shown(table.game, showing.language_for(table.game, language))
    return {"rules": rules, "frames": pages, "story": showing.story_shown(table, seat, 0, language)}


def opinion(record: Mapping[str, Any], seat: int, at: int, language: str = "en") -> list[dict[str, Any]]:
    """Return a bot's opinion of a seat's move at decision `at`, from its view. Raises `RefusedError`."""
    recorded, table = _replayed(record, seat)
    state = recorded.decisions[at].state if 0 <= at < len(recorded.decisions) else None
    if state is None or seat not in state.waiting:
        raise RefusedError("not-your-turn")
    return showing.hints_shown(state.view(seat), [sitter.name for sitter in table.seats], language)


def sheet(
    source: Source, variants: Sequence[str], names: Sequence[str], data: Mapping[str, Any], language: str
) -> dict[str, Any]:
    """Return the points of cards on a real table."""
    game = game_of(source, tuple(variants), len(names), language)
    return sheet_for(game, names, rounds_in(data, game.seats, game.model.rounds), language)


def rulebook(game: de.Game, language: str) -> str:
    """Return the rulebook of a game as a page."""
    rules = game.ruleset
    book = book_of(rules, language, game.players)
    return as_html(book, Deck(rules.model, dict(book.names)))


def picture(game: de.Game, title: str, text: str) -> bytes:
    """Return the picture of an invitation as PNG."""
    labels = game.labels_in(showing.language_for(game, "en"))
    deck = Deck(game.model, {card.id: labels.card(card.id) for card in game.model.cards})
    return bytes(svg_to_bytes(svg_string=invitation(deck, title, text, showing.samples(game.model))))


def tried(head: Mapping[str, Any]) -> None:
    """Play the start of a game as the server would. Raises `RefusedError` if one step takes too long."""
    began = process_time()
    table = Table("", {**head, **_ALL_ON})
    table.number = 1
    _quick("begin", began, 25 * _LONGEST)
    began = process_time()
    table.state = table.game.start("")
    while not table.state.over and table.decision < _MOST_TRIED:
        for seat in range(-1, table.game.players):
            showing.story_shown(table, seat, 0)
            showing.table_shown(table, seat, (), 0)
            _quick("show", began)
            began = process_time()
        for seat in table.waiting:
            view = table.view(seat)
            move = simple(view)
            showing.options_shown(view, {"cards": []})
            _quick("moves", began)
            began = process_time()
            table.state = table.state.commit(seat, move)
            _quick("choice", began)
            began = process_time()
        table.decision += 1


def _quick(step: str, began: float, longest: float = _LONGEST) -> None:
    took = process_time() - began
    if took > longest:
        detail = said("detail.waits", what=said(f"detail.waits.{step}"), seconds=f"{took:.1f}")
        raise RefusedError("takes-too-long", detail)


def ready() -> None:
    """Import the modules that bots and hints need, which takes longer than a choice."""
    de.bot("hard").prepare  # noqa: B018 (only for its imports)
    de.hints.__doc__  # noqa: B018 (only for its imports)
