"""Replays of finished games from any seat, and score sheets for cards on a real table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import draftengine as de
from draftengine.api.replay import RecordError, read_record
from draftengine.api.scenario.missing import Round, missing_in_words, problem_in_words
from draftengine.api.scenario.score_tables import counters_of, markers_of, score_rounds
from draftengine.apps.web.errors import RefusedError
from draftengine.apps.web.messages import hints_shown, language_for, rules_shown, sheets_shown, story_shown, table_shown
from draftengine.apps.web.protocol import VERSION
from draftengine.apps.web.table import BOT, PERSON, Seat, Table

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


class Replay:
    """Finished game by decisions. Raises `RefusedError` (``other-rules``) if it cannot be replayed."""

    def __init__(self, record: Mapping[str, Any]) -> None:
        try:
            self.recorded = read_record(record)
        except RecordError as error:
            raise RefusedError("other-rules", english=str(error)) from error
        head = {
            "versions": record["versions"],
            "rules": record["made_from"],
            "players": record["players"],
            "fingerprint": record["fingerprint"],
            "hints": True,
            "effects": True,
            "memory": True,
        }
        self.table = Table("", head)
        self.table.number, self.table.seed, self.table.salt = 1, record["seed"], record["salt"]
        self.table.seats = [
            Seat(BOT if seat["bot"] else PERSON, seat["name"], seat["bot"] or "medium") for seat in record["seats"]
        ]

    def frames(self, seat: int, language: str = "en") -> dict[str, Any]:
        """Return what a seat (-1: a spectator) saw at each decision, with what was chosen."""
        self._check(seat)
        table, frames = self.table, []
        table.parts = [len(decision.state.history) for decision in self.recorded.decisions[:-1]]
        for decision in self.recorded.decisions:
            table.state, table.decision, table.length, table.choices = (
                decision.state,
                decision.number,
                decision.number,
                decision.choices,
            )
            frame = table_shown(table, seat, range(table.game.players), 0, language)
            frames.append({**frame, "points": list(decision.state.view(-1).scores)})
        story = story_shown(table, seat, 0, language)
        return {"rules": rules_shown(table.game, language_for(table.game, language)), "frames": frames, "story": story}

    def hints(self, seat: int, number: int, language: str = "en") -> list[dict[str, Any]]:
        """Return a bot's opinion of a seat's choice, from what the seat knew then. Raises `RefusedError`."""
        self._check(seat)
        decisions = self.recorded.decisions
        state = decisions[number].state if 0 <= number < len(decisions) else None
        if state is not None and seat in state.waiting:
            names = [sitter.name for sitter in self.table.seats]
            return hints_shown(state.view(seat), names, language)
        raise RefusedError("not-your-turn")

    def _check(self, seat: int) -> None:
        if not -1 <= seat < self.table.game.players:
            raise RefusedError("bad-message")


def sheet_for(game: de.Game, names: Sequence[str], rounds: Sequence[Round], language: str = "en") -> dict[str, Any]:
    """Return the points of real tables for a page. Raises `RefusedError`: ``cannot-be-played``."""
    labels = game.labels_in(language_for(game, language))
    try:
        reckoned = score_rounds(game, rounds)
    except de.WrongPositionError as error:
        raise RefusedError("cannot-be-played", problem_in_words(error, labels)) from error
    return {
        "v": VERSION,
        "rules": rules_shown(game, labels.language),
        "seats": [{"name": name} for name in names],
        "sheet": [{**state, "end": state["round"] > len(rounds)} for state in sheets_shown(reckoned.pages, language)],
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
