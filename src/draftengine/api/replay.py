"""Finished games: the *record* of a game as plain data, and its replay, decision by decision.

A record holds the outcome of a game, and everything needed to deal and play the game again. Records from outside are
not trusted: the replay must lead to the same outcome.
"""

from __future__ import annotations

import hashlib
import json
from functools import cached_property
from typing import TYPE_CHECKING, Annotated, Any, Literal

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType, field

from draftengine.api.errors import IllegalMove, SelectionError
from draftengine.api.ruleset import rules_in_json
from draftengine.model.library import CardSetError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from draftengine.api.game import Game
    from draftengine.api.moves import Move, Written
    from draftengine.api.state import State

FORMAT = 1


class RecordError(ValueError):
    """Error for a record that cannot be used. `code` is the reason, and the message explains it.

    Codes are ``not-a-record``, ``other-version`` (of the record format), ``changed-record`` and ``other-rules``.
    """

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


# ── The record ────────────────────────────────────────────────────────────────────────────────────────────────────────

_Whole = Annotated[int, Meta(ge=0)]
_Points = list[int]


class Player(Struct, frozen=True, forbid_unknown_fields=True):
    """The person or bot in a seat."""

    name: Annotated[str, Meta(max_length=80)]
    bot: Annotated[str, Meta(description="The bot that sat there; empty for a person.")]


class _File(Struct, frozen=True, forbid_unknown_fields=True):
    asked: str
    name: str
    text: str


class _MadeFrom(Struct, frozen=True, forbid_unknown_fields=True):
    cardset: list[_File]
    variants: list[str]
    readings: dict[str, str]
    parameters: dict[str, int]


class _Move(Struct, frozen=True, forbid_unknown_fields=True):
    seat: _Whole
    cards: Annotated[list[str], Meta(description="What the seat took for itself.")]
    by: Annotated[dict[str, list[str]], Meta(description="What it took by abilities.")] = field(
        name="with", default_factory=dict
    )
    to: Annotated[dict[str, list[str]], Meta(description="What it chose for extra seats.")] = field(
        name="for", default_factory=dict
    )


class Record(Struct, frozen=True, forbid_unknown_fields=True):
    """The structure of a record, as plain data. `schema` returns it as a JSON Schema."""

    format: Literal[1]
    versions: Annotated[dict[str, str | int], Meta(description="The versions that played it.")]
    made_from: Annotated[
        _MadeFrom, Meta(description="The card set with what it extends, as texts, and what was selected of it.")
    ]
    fingerprint: Annotated[str, Meta(description="The hash of the rules.")]
    title: str
    seats: list[Player]
    commitment: Annotated[
        str,
        Meta(description="SHA-256 of “seed:salt”, which was shown before the first card; empty where nothing was."),
    ]
    salt: str
    seed: str | int
    scores: _Points
    winners: list[_Whole]
    rounds: Annotated[list[_Points], Meta(description="Points by round and seat.")]
    rules: Annotated[dict[str, _Points], Meta(description="Points by rule and seat.")]
    cardset: str
    players: Annotated[int, Meta(ge=1)]
    variants: list[str]
    hash: str
    moves: list[_Move]
    checksum: Annotated[
        str | UnsetType,
        Meta(description="SHA-256 of all the rest, as JSON with sorted keys and no spaces: tells changes by mistake."),
    ] = UNSET


def schema() -> dict[str, Any]:
    """Return the JSON Schema of records."""
    _, definitions = msgspec.json.schema_components([Record], ref_template="#/$defs/{name}")
    record = definitions.pop("Record")
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": "https://draftengine.dev/schema/game-1.json",
        **record,
        "title": "A finished game",
        "description": "All that it takes to deal and play a game of draftengine again, and what came of it. "
        "Seats count from 0.",
        "$defs": {name: {**what, "title": name.strip("_")} for name, what in definitions.items()},
    }


def record_of(
    state: State, players: Iterable[Player], versions: Mapping[str, str | int], *, published: str = "", salt: str = ""
) -> dict[str, Any]:
    """Return the record of a finished game.

    `published` is the hash of seed and salt (see `commitment`) that players saw before the first card, and `salt` is
    that salt.
    """
    data = {
        "format": FORMAT,
        "versions": dict(versions),
        "made_from": state.game.ruleset.to_json(),
        "fingerprint": state.game.fingerprint,
        "title": state.game.title,
        "seats": [{"name": player.name, "bot": player.bot} for player in players],
        "commitment": published,
        "salt": salt,
        **state.record(),
    }
    return {**data, "checksum": _checksum(data)}


def commitment(seed: str, salt: str) -> str:
    """Return a hash of a seed and a salt, which players see before the game.

    After the game, anyone who knows seed and salt can check that the seed was fixed before.
    """
    return hashlib.sha256(f"{seed}:{salt}".encode()).hexdigest()


def _checksum(data: Mapping[str, Any]) -> str:
    rest = {key: value for key, value in data.items() if key != "checksum"}
    canonical = json.dumps(rest, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(canonical.encode("utf-8", "surrogatepass")).hexdigest()


def read_record(data: object) -> Recorded:
    """Return the game that a record contains.

    Raises `RecordError` if the record was changed, or if this version of the program plays the game differently.
    """
    if not isinstance(data, dict) or "made_from" not in data:
        raise RecordError("not-a-record", "This is no record of a game.")
    if data.get("format") != FORMAT:
        message = f"This record has form {data.get('format')}, and this version of draftengine reads form {FORMAT}."
        raise RecordError("other-version", message)
    try:
        record = msgspec.convert(data, Record)
    except msgspec.ValidationError as error:
        raise RecordError("not-a-record", f"This is no record of a game: {error}.") from None
    if record.checksum is not UNSET and record.checksum != _checksum(data):
        raise RecordError("changed-record", "The record was changed after it was written: its checksum is another.")
    if record.commitment and record.commitment != commitment(str(record.seed), record.salt):
        raise RecordError("changed-record", "The record was changed: its seed is not the one that was promised.")
    try:
        game = rules_in_json(data["made_from"]).game(record.players)
    except (CardSetError, SelectionError) as error:
        message = f"This version of draftengine refuses the rules of the record: {error}"
        raise RecordError("other-rules", message) from error
    except LookupError:
        raise RecordError("not-a-record", "This is no record of a game: its card set is incomplete.") from None
    if game.fingerprint != record.fingerprint:
        message = "The record belongs to other rules than those that this version of draftengine makes of its card set."
        raise RecordError("other-rules", message)
    if len(record.seats) != game.players:
        raise RecordError("changed-record", f"The record names {len(record.seats)} of {game.players} players.")
    recorded = Recorded(
        game,
        record.seed,
        tuple(record.seats),
        [(move["seat"], {key: move[key] for key in ("cards", "with", "for") if key in move}) for move in data["moves"]],
    )
    # The moves, played again, must lead to the outcome in the record.
    certain = record.checksum is not UNSET
    code, why = ("other-rules", "") if certain else ("changed-record", " It was changed, or belongs to other rules.")
    try:
        end = recorded.end
    except RecordError as error:
        raise RecordError(code, f"{error}{why}") from error
    if not end.over:
        raise RecordError(code, f"The record ends before the game does.{why}")
    again = end.record()
    wrong = [key for key, value in again.items() if key != "moves" and data[key] != value]
    if wrong:
        raise RecordError(code, f"The record says otherwise than its moves: {', '.join(wrong)}.{why}")
    return recorded


# ── The game again ────────────────────────────────────────────────────────────────────────────────────────────────────


class Decision(Struct, frozen=True):
    """One decision of a game, with the state before it and the moves of the seats; or the end of the game."""

    number: int
    """The index of the decision, from 0."""
    state: State
    """The state before any seat had chosen."""
    choices: dict[int, Move]
    """The move of each seat that chose. Empty at the end, and at the last decision of an unfinished game."""


class Recorded:
    """A recorded game. `moves` has (seat, move) pairs, with moves in the form of `Move.to_json`."""

    def __init__(
        self, game: Game, seed: int | str, players: tuple[Player, ...], moves: Sequence[tuple[int, Written]]
    ) -> None:
        self.game = game
        self.seed = seed
        self.players = players
        self._moves = moves

    @cached_property
    def decisions(self) -> tuple[Decision, ...]:
        """Every decision in order, and the end of the game. Raises `RecordError` if a move is illegal."""
        begun = state = self.game.start(self.seed)
        chosen: dict[int, Move] = {}
        decisions: list[Decision] = []
        for number, (seat, move) in enumerate(self._moves, 1):
            try:
                state = state.commit(seat, move)
            except IllegalMove as error:
                raise RecordError("changed-record", f"Move {number} of the record is refused: {error}.") from error
            chosen[seat] = state.moves[-1][1]
            if not state.committed:
                decisions.append(Decision(len(decisions), begun, chosen))
                begun, chosen = state, {}
        return (*decisions, Decision(len(decisions), begun, {}))

    @property
    def end(self) -> State:
        """The state after the last decision. Commitments that wait for other seats are left out."""
        return self.decisions[-1].state

    @property
    def viewers(self) -> tuple[int, ...]:
        """Seats from whose view the game may be shown; -1 is a spectator.

        A finished game may be shown from every seat. An unfinished game may be continued, so only a spectator's view of
        it may be shown. If just one person plays, that person's view may be shown as well.
        """
        if self.end.over:
            return tuple(range(-1, self.game.players))
        people = [seat for seat, player in enumerate(self.players) if not player.bot]
        return (-1, *people) if len(people) == 1 else (-1,)

    @cached_property
    def growth(self) -> tuple[dict[str, tuple[int, ...]], ...]:
        """For each decision, points by rule and seat: those so far plus those that scoring would give then.

        A seat's points add up to `View.scores` plus `View.standing`; after the last decision, to `State.result`.
        """
        grown: list[dict[str, tuple[int, ...]]] = []
        for state in (decision.state for decision in self.decisions):
            if state.over:
                grown.append(dict(state.result.rules))
                continue
            seats, view = range(state.game.seats), state.view(-1)
            given = [(event.name, event.seat, event.amount) for event in state.history if event.kind == "points"]
            given += [(rule, seat, more) for seat in seats for rule, more in view.standing_by_rule(seat).items()]
            by_rule: dict[str, list[int]] = {}
            for rule, seat, amount in given:
                by_rule.setdefault(rule, [0] * len(seats))[seat] += amount
            grown.append({rule: tuple(points) for rule, points in by_rule.items()})
        return tuple(grown)
