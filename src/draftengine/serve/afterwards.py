"""After the game: a finished game seen again from any seat, and score sheets for cards on a real table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import draftengine as de
from draftengine.api.replay import RecordError, read_record
from draftengine.serve.protocol import VERSION
from draftengine.serve.refused import RefusedError
from draftengine.serve.showing import rules_shown, story_shown, table_shown
from draftengine.serve.table import BOT, PERSON, Seat, Table

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


class Replay:
    """A finished game, decision by decision. Raises `RefusedError` (``other-rules``) where it cannot be dealt again."""

    def __init__(self, record: Mapping[str, Any]) -> None:
        try:
            self.recorded = read_record(record)
        except RecordError as error:
            raise RefusedError("other-rules", str(error)) from error
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
            Seat(BOT if own["bot"] else PERSON, own["name"], own["bot"] or "medium") for own in record["seats"]
        ]

    def frames(self, seat: int) -> dict[str, Any]:
        """What a seat (-1: a spectator) saw at every decision, and what it chose."""
        self._check(seat)
        table, found = self.table, []
        for own in self.recorded.decisions:
            table.state, table.decision, table.length, table.choices = own.state, own.number, own.number, own.choices
            shown = table_shown(table, seat, range(table.game.players), 0)
            found.append({**shown, "points": list(own.state.view(-1).scores)})
        return {"rules": rules_shown(table.game), "frames": found, "story": story_shown(table, seat, 0)}

    def hints(self, seat: int, number: int) -> list[dict[str, Any]]:
        """What a bot thinks of the choice that a seat had, by what the seat knew then."""
        self._check(seat)
        decisions = self.recorded.decisions
        state = decisions[number].state if 0 <= number < len(decisions) else None
        if state is not None and seat in state.waiting:
            names = [own.name for own in self.table.seats]
            return [{"move": own.move.to_json(), "text": own.text} for own in de.hints(state.view(seat), names)]
        raise RefusedError("not-your-turn")

    def _check(self, seat: int) -> None:
        if not -1 <= seat < self.table.game.players:
            raise RefusedError("bad-message")


def sheet_for(game: de.Game, names: Sequence[str], rounds: Sequence[Sequence[Sequence[str]]]) -> dict[str, Any]:
    """The points of cards that lie on a real table, round by round, as a page shows sheets.

    Cards that stay between rounds need to be named once. Raises `RefusedError`: ``cannot-be-played``.
    """
    keep = {card.id for card in game.model.cards if card.keep}
    kept: list[list[str]] = [[] for _ in range(game.seats)]
    scores, shown = [0] * game.seats, []
    winners: tuple[int, ...] = ()
    for number, tables in enumerate(rounds, 1):
        lying = [[*before, *own] for before, own in zip(kept, tables, strict=True)]
        last = number == game.model.rounds
        try:
            found = de.score(game, lying, scores=scores, round=number)
        except de.WrongPositionError as error:
            raise RefusedError("cannot-be-played", str(error)) from error
        moments = [own for own in game.moments if last or own in game.moments_of_rounds]
        rows: dict[str, dict[str, Any]] = {}
        for moment, line in found.lines:
            if moment in moments:
                row = rows.setdefault(line.rule, _row(game, line.rule))
                row["points"][line.seat] += line.points
                row["lines"].append(
                    {"seat": line.seat, "cards": list(line.cards), "text": line.text, "is": line.points}
                )
        scores = [before + sum(found.moments[moment][seat] for moment in moments) for seat, before in enumerate(scores)]
        winners = found.winners if last else ()
        shown.append({"round": number, "rows": list(rows.values())})
        kept = [[card for card in own if card.partition("@")[0] in keep] for own in lying]
    return {
        "v": VERSION,
        "rules": rules_shown(game),
        "seats": [{"name": name} for name in names],
        "sheet": shown,
        "game": {"scores": scores, "winners": list(winners)},
    }


def _row(game: de.Game, rule: str) -> dict[str, Any]:
    chips = rule in game.chip_rules
    return {"rule": rule, "label": game.labels.rule(rule), "points": [0] * game.seats, "lines": [], "chips": chips}
