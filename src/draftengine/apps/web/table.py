"""A table: who sits there, what everybody has chosen, and the game. It uses no clock, chance or disk.

A table is the result of applying its *entries* one by one. `Table.propose` returns the entries for a request, or
refuses the request, and changes nothing. The caller writes the entries to disk and only then passes them to
`Table.apply`. So everything acknowledged can be read again, and leads to an equal table.

The choices of a turn are stored apart from the game until everybody has chosen and nobody can take a choice back any
more. Then the entry ``reveal`` carries out all of them together.
"""

from __future__ import annotations

import json
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from msgspec import Struct, field

import draftengine as de
from draftengine.api.moves import Move, move_from
from draftengine.api.replay import Player, commitment, record_of
from draftengine.api.score_sheets import sheets
from draftengine.apps.web import RefusedError
from draftengine.apps.web.storage.chain import fits
from draftengine.support.locale.phrases import said

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

LEVELS = ("easy", "medium", "hard")
"""The levels of bots that can take seats."""
FREE, PERSON, BOT = "free", "person", "bot"
_CHANGES = frozenset({"withdraw", "replace", "seat"})
"""Kinds of requests that only undo or replace something, so that people could repeat them without end."""
_MOST_ENTRIES = 500
"""The number of entries since the last start or reveal after which `_CHANGES` are refused."""
BOT_NAMES = ("Pebble", "Willow", "Juniper", "Maple", "Clover", "Hazel", "Sorrel", "Bramble", "Fern", "Moss")

Entry = dict[str, Any]


class Seat(Struct):
    """A seat at a table, with its person or bot."""

    kind: str = FREE
    name: str = ""
    level: str = "medium"
    """The level of the bot in this seat, or of the bot that plays for a person."""
    token: str = ""
    """The hash of the seat's token."""
    away: bool = False
    """True if a bot plays for the person, who is absent."""
    late: bool = False
    """True if the person has just taken the seat of a bot, which still chooses until the next reveal."""
    again: bool = False
    """True if the person wants another game."""
    wins: int = 0
    """The number of games that the person or bot in this seat has won at this table."""

    @property
    def by_bot(self) -> bool:
        """True if a bot chooses for this seat."""
        return self.kind == BOT or self.away or self.late


class Request(Struct, frozen=True):
    """A request to a table, such as to choose or to start a game."""

    kind: str
    seat: int
    """The seat that asks; -1 for the server itself."""
    key: str = ""
    """A key that identifies the request, so that it is carried out only once even if it is sent twice."""
    data: Mapping[str, Any] = field(default_factory=dict)


@lru_cache(64)
def _game_in(rules: str, players: int) -> de.Game:
    """Return the game with the rules of a table (cached). Raises the same errors as `de.rules_in_json`."""
    return de.rules_in_json(json.loads(rules)).game(players)


class Table:
    """A table with its seats and game. Raises `RefusedError` (``other-rules``) if it cannot be played."""

    def __init__(self, table: str, head: Mapping[str, Any]) -> None:
        self.id = table
        self.head = head
        try:
            self.game = _game_in(json.dumps(head["rules"]), head["players"])
        except (de.CardSetError, de.SelectionError) as error:
            refused = f"This version of draftengine refuses the rules: {error}"
            raise RefusedError("other-rules", english=refused) from error
        if self.game.fingerprint != head["fingerprint"]:
            raise RefusedError("other-rules")
        self.seats = [Seat() for _ in range(self.game.players)]
        self.host_before = -1
        """The seat of the previous host; -1 if the host never changed."""
        self.host_left = False
        """True if the previous host left, False if that person made somebody else the host."""
        self._passed_to = -1
        self.length = 0
        """The number of entries so far."""
        self._settled = 0
        """The number of entries at the last start or reveal."""
        self.number = 0
        """The number of the current game, from 1; 0 before the first."""
        self.state: de.State | None = None
        self.decision = 0
        """The number of reveals in this game."""
        self.parts: list[int] = []
        """The number of events in this game before each reveal."""
        self.choices: dict[int, Move] = {}
        self.sat: list[Player] = []
        """The players of the game that is over, because others may have their seats now; empty during a game."""
        self.same = self.repeats = False
        """True if the next game, or this one, repeats the deal of the previous one."""
        self.lost = 0
        """The number of entries of this game that storage has lost to damage."""
        self.seed = self.salt = ""
        self.unread: set[int] = set()
        """The people who have not yet closed the score sheet of the last round."""
        self.done: dict[tuple[int, str], int] = {}
        """The keys of requests that were carried out, with the number of entries afterwards."""
        self._ahead: tuple[de.State, dict[int, Move], de.State] | None = None
        self._views: dict[int, tuple[de.State, de.View]] = {}
        self.shown: dict[tuple[int, str], tuple[de.State, dict[str, Any]]] = {}
        """Cached data of messages with their state, by seat and language; only `showing` uses it."""

    @classmethod
    def of(cls, table: str, head: Mapping[str, Any], entries: tuple[Entry, ...]) -> Table:
        """Return a stored table. Raises `RefusedError` if this version of the program plays it differently."""
        restored = cls(table, head)
        for entry in entries:
            try:
                restored.apply(entry)
            except (de.IllegalMove, KeyError, IndexError, TypeError) as error:
                raise RefusedError("other-rules") from error
        return restored

    # ── What follows from it ──────────────────────────────────────────────────────────────────────────────────────

    @property
    def playing(self) -> bool:
        """True during a game."""
        return self.state is not None and not self.state.over

    @property
    def waiting(self) -> tuple[int, ...]:
        """The seats that have to choose now, including seats that have chosen and may take their choice back."""
        return self.state.waiting if self.state is not None else ()

    @property
    def over(self) -> bool:
        """True after a game and before the next one."""
        return self.state is not None and self.state.over

    @property
    def names(self) -> list[str]:
        """The names of the players of this game or, after it, of the game that is over."""
        return [sitter.name for sitter in (self.sat or self.seats)]

    @property
    def complete(self) -> bool:
        """True if everybody who has to choose has chosen."""
        return self.playing and all(seat in self.choices for seat in self.waiting)

    @property
    def people(self) -> list[int]:
        """The seats that people have taken."""
        return [index for index, seat in enumerate(self.seats) if seat.kind == PERSON]

    @property
    def host(self) -> int:
        """The seat of the person who starts games (the *host*): the first, or one made host; -1 if nobody."""
        return self._passed_to if self._passed_to in self.people else next(iter(self.people), -1)

    @property
    def commitment(self) -> str:
        """The hash of the seed and salt of this game, which players see before it; empty before the first."""
        return commitment(self.seed, self.salt) if self.number else ""

    def seats_of(self, tokens: Iterable[str]) -> list[int]:
        """Return the seats to which tokens belong. All seats are compared, so that the time reveals nothing."""
        return [
            index for token in tokens for index, seat in enumerate(self.seats) if seat.token and fits(token, seat.token)
        ]

    def seat_of(self, token: str) -> int:
        """Return the seat of a token, comparing all seats. Raises `RefusedError`: ``wrong-token``."""
        matches = self.seats_of([token])
        if not matches:
            raise RefusedError("wrong-token")
        return matches[0]

    def eyes(self, seat: int) -> int:
        """Return the seat from whose view the person in a seat sees the game. Mostly it is the same seat.

        While a bot still chooses for a person who came late, it is -1, a spectator.
        """
        return -1 if seat >= 0 and self.seats[seat].late else seat

    def view(self, seat: int) -> de.View:
        """Return what a seat may know of the game. Raises `RefusedError`: ``not-started``."""
        if self.state is None:
            raise RefusedError("not-started")
        known = self._views.get(seat)
        if known is None or known[0] is not self.state:
            known = self._views[seat] = (self.state, self.state.view(seat))
        return known[1]

    # ── What may happen ───────────────────────────────────────────────────────────────────────────────────────────

    def propose(self, request: Request) -> list[Entry]:
        """Return entries that carry out a request; none if that was done before. Raises `RefusedError`."""
        if request.key and (request.seat, request.key) in self.done:
            return []
        if request.kind in _CHANGES and self.length - self._settled >= _MOST_ENTRIES:
            raise RefusedError("too-often")
        entry = getattr(self, f"_propose_{request.kind}")(request.seat, request.data)
        key = {"key": request.key, "by": request.seat} if request.key else {}
        return [{"kind": request.kind, **entry, **key}]

    def _propose_sit(self, _: int, data: Mapping[str, Any]) -> Entry:
        kinds = {FREE, BOT} if self.number else {FREE}
        free = [index for index, seat in enumerate(self.seats) if seat.kind in kinds]
        if data.get("seat", -1) >= 0:
            if data["seat"] not in free:
                raise RefusedError("seat-taken")
            free = [data["seat"]]
        if not free:
            raise RefusedError("table-full")
        return {"seat": free[0], "name": data["name"], "token": data["token"]}

    def _propose_seat(self, seat: int, data: Mapping[str, Any]) -> Entry:
        """Return the entry with which the host gives a seat to a bot or frees it, but not during a game."""
        self._only_host(seat)
        if data["seat"] == seat or data["seat"] >= len(self.seats):
            raise RefusedError("not-yours")
        if self.playing:
            raise RefusedError("already-started")
        return {"seat": data["seat"], "to": data["to"], "level": data["level"]}

    def _propose_start(self, seat: int, data: Mapping[str, Any]) -> Entry:
        """Return the entry with which the host, or the server when all present want it, starts a game."""
        if seat >= 0 or not self.over:
            self._only_host(seat)
        if self.playing:
            raise RefusedError("already-started")
        return {"seed": data["seed"], "salt": data["salt"]}

    def _propose_again(self, seat: int, data: Mapping[str, Any]) -> Entry:
        """Return the entry that says if people at a screen want another game; the host may want the same deal."""
        if not self.over:
            raise RefusedError("not-over")
        return {"seats": data["seats"], "yes": data["yes"], "same": data["same"] and seat == self.host}

    def _propose_choose(self, seat: int, data: Mapping[str, Any]) -> Entry:
        view = self._to_choose(seat, data["decision"])
        try:
            move = move_from(data["move"])
        except de.IllegalMove as error:
            key = "detail.illegal.named" if error.detail else "detail.illegal"
            detail = said(key, reason=said(f"illegal.{error.code}"), name=error.detail)
            raise RefusedError("illegal-move", detail) from error
        if move not in view.moves:
            raise RefusedError("illegal-move")
        return {"seat": seat, "move": move.to_json()}

    def _propose_withdraw(self, seat: int, data: Mapping[str, Any]) -> Entry:
        self._to_choose(seat, data["decision"])
        if seat not in self.choices:
            raise RefusedError("nothing-to-take-back")
        return {"seat": seat}

    def _propose_reveal(self, _: int, data: Mapping[str, Any]) -> Entry:
        """Return the entry that reveals all choices, with a hash of the state after it.

        By the hash, a later version of the program that replays the game finds out if it computes another state.
        """
        if not self.complete or data["decision"] != self.decision:
            raise RefusedError("late")
        return {"leads": self._revealed().digest[:16]}

    def ends_pause(self, request: Request) -> bool:
        """True if a person alone with bots asks for the reveal now, after having read all results."""
        now = [self.number, self.decision]
        alone = self.people == [request.seat] and request.seat not in self.unread
        return self.complete and alone and request.data.get("decision", now) == now

    def _propose_ready(self, seat: int, _: Mapping[str, Any]) -> Entry:
        if seat not in self.unread:
            raise RefusedError("late")
        return {"seat": seat}

    def _propose_replace(self, _: int, data: Mapping[str, Any]) -> Entry:
        """Return the entry that lets a bot play for a person. The hub checks that the person is absent."""
        seat = self.seats[data["seat"]] if data["seat"] < len(self.seats) else Seat()
        if seat.kind != PERSON or seat.away:
            raise RefusedError("not-yours")
        return {"seat": data["seat"]}

    def _propose_return(self, seat: int, _: Mapping[str, Any]) -> Entry:
        if not 0 <= seat < len(self.seats) or not self.seats[seat].away:
            raise RefusedError("not-yours")
        return {"seat": seat}

    def _propose_host(self, seat: int, data: Mapping[str, Any]) -> Entry:
        """Return the entry that makes another person the host, if the host wants this or has left."""
        if seat >= 0:
            self._only_host(seat)
        if data["seat"] == self.host or data["seat"] not in self.people:
            raise RefusedError("not-yours")
        return {"seat": data["seat"], "left": seat < 0}

    def _only_host(self, seat: int) -> None:
        if seat < 0 or seat != self.host:
            raise RefusedError("not-the-host")

    def _to_choose(self, seat: int, decision: list[int]) -> de.View:
        """Return the view of a seat that may choose now. Raises `RefusedError` for other seats."""
        if self.state is None:
            raise RefusedError("not-started")
        if self.state.over:
            raise RefusedError("game-over")
        if decision != [self.number, self.decision]:
            raise RefusedError("late")
        if seat not in self.waiting:
            raise RefusedError("not-your-turn")
        return self.view(seat)

    # ── What has happened ─────────────────────────────────────────────────────────────────────────────────────────

    def apply(self, entry: Entry) -> None:
        """Apply an entry that was written to disk."""
        getattr(self, f"_apply_{entry['kind']}")(entry)
        self.length += 1
        if entry["kind"] in {"start", "reveal"}:
            self._settled = self.length
        if "key" in entry:
            self.done[entry["by"], entry["key"]] = self.length

    def _apply_sit(self, entry: Entry) -> None:
        level = self.seats[entry["seat"]].level
        self.seats[entry["seat"]] = Seat(PERSON, entry["name"], level, entry["token"], late=self.playing)

    def _apply_seat(self, entry: Entry) -> None:
        if self.playing:  # an earlier version: the host offered the seat of a bot, which now anybody can take
            return
        self.seats[entry["seat"]] = Seat(entry["to"], level=entry["level"])
        self._name_bots()

    def _name_bots(self) -> None:
        """Give every bot a name that nobody else has."""
        for seat in self.seats:
            if seat.kind == BOT and not seat.name:
                taken = {other.name for other in self.seats}
                seat.name = next(name for name in BOT_NAMES if name not in taken)

    def _apply_start(self, entry: Entry) -> None:
        for seat in self.seats:
            seat.kind = BOT if seat.kind == FREE else seat.kind
            seat.again = False
        self._name_bots()
        self.seed, self.salt = entry["seed"], entry["salt"]
        self.repeats, self.same = self.same, False
        self.number += 1
        self.decision, self.parts, self.choices, self.unread, self.lost = 0, [], {}, set(), 0
        self.sat = []
        self.state = self.game.start(self.seed)

    def _apply_again(self, entry: Entry) -> None:
        for seat in entry["seats"]:
            self.seats[seat].again = entry["yes"]
        if self.host in entry["seats"]:
            self.same = entry["yes"] and entry["same"]

    def _apply_choose(self, entry: Entry) -> None:
        self.choices[entry["seat"]] = move_from(entry["move"])
        self.unread.discard(entry["seat"])

    def _apply_withdraw(self, entry: Entry) -> None:
        del self.choices[entry["seat"]]

    def _revealed(self) -> de.State:
        """Return the state after the choices. It is cached, because `propose` and `apply` both need it."""
        assert self.state is not None
        begun, choices = self.state, dict(self.choices)
        if self._ahead is None or self._ahead[0] is not begun or self._ahead[1] != choices:
            state = begun
            for seat in self.waiting:
                state = state.commit(seat, choices[seat])
            self._ahead = (begun, choices, state)
        return self._ahead[2]

    def _apply_reveal(self, entry: Entry) -> None:
        assert self.state is not None
        before = self.state
        self.state, self.choices = self._revealed(), {}
        if self.state.digest[:16] != entry["leads"]:
            raise RefusedError("other-rules", said("detail.otherwise"))
        self.decision += 1
        self.parts.append(len(before.history))
        for seat in self.seats:
            seat.late = False
        if self.state.over:
            self.sat = [Player(seat.name, seat.level if seat.kind == BOT else "") for seat in self.seats]
            for index, seat in enumerate(self.seats):  # a deal that was known before counts for nobody
                seat.wins += index in self.state.result.winners and not self.repeats
        ended = self.state.round > before.round  # only rounds that gave points have a sheet
        ended = ended and any(sheet.round == before.round for sheet in sheets(self.game, self.state.history))
        if self.state.over or ended:
            self.unread = {index for index, seat in enumerate(self.seats) if seat.kind == PERSON and not seat.away}

    def _apply_ready(self, entry: Entry) -> None:
        self.unread.discard(entry["seat"])

    def _apply_replace(self, entry: Entry) -> None:
        self.seats[entry["seat"]].away = True
        self.unread.discard(entry["seat"])

    def _apply_return(self, entry: Entry) -> None:
        self.seats[entry["seat"]].away = False

    def _apply_host(self, entry: Entry) -> None:
        self.host_before, self._passed_to = self.host, entry["seat"]
        self.host_left = entry.get("left", True)

    def _apply_mend(self, entry: Entry) -> None:
        """Record that the storage lost entries to damage. The game goes on from the last undamaged one."""
        self.lost = entry["lost"]

    def record(self) -> dict[str, Any]:
        """Return the finished game as JSON data, with everything that is needed to replay it."""
        assert self.state is not None
        return record_of(self.state, self.sat, self.head["versions"], published=self.commitment, salt=self.salt)
