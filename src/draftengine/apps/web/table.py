"""A table: who sits there, what everybody has chosen, how the game stands. Pure: no clock, no chance, no disk.

A table is a fold over its entries. `Table.propose` says which entries a request makes, or refuses it and changes
nothing; whoever keeps tables writes those entries down, and only then gives them to `Table.apply`. So what was
acknowledged can be read again, and leads to the same table.

The choices of a turn are kept beside the game until everybody has chosen and the pause for taking back is over; the
entry ``reveal`` then makes them all at once.
"""

from __future__ import annotations

import json
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from msgspec import Struct, field

import draftengine as de
from draftengine.api.moves import Move, move_from
from draftengine.api.replay import Player, commitment, record_of
from draftengine.apps.web.errors import RefusedError
from draftengine.apps.web.tokens import fits

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

LEVELS = ("easy", "medium", "hard")
"""The bots that take seats."""
FREE, PERSON, BOT = "free", "person", "bot"
_CHANGES = frozenset({"withdraw", "replace", "seat"})
"""Requests that change something back, and could be made without end."""
_MOST_ENTRIES = 500
"""Entries between two reveals after which nothing is changed back, so that nobody fills the disk."""
BOT_NAMES = ("Pebble", "Willow", "Juniper", "Maple", "Clover", "Hazel", "Sorrel", "Bramble", "Fern", "Moss")

Entry = dict[str, Any]


class Seat(Struct):
    """A seat at a table."""

    kind: str = FREE
    name: str = ""
    level: str = "medium"
    """Of the bot that sits there, or plays on for a person."""
    token: str = ""
    """The hash of its token."""
    away: bool = False
    """Does a bot play on for the person."""
    open: bool = False
    """True if somebody may take the seat of this bot while it plays."""

    @property
    def by_bot(self) -> bool:
        """Does a bot choose here."""
        return self.kind == BOT or self.away


class Request(Struct, frozen=True):
    """What somebody asks of a table."""

    kind: str
    seat: int
    """Who asks: -1 is the server itself."""
    key: str = ""
    """The same request sent twice has the same key, and happens once."""
    data: Mapping[str, Any] = field(default_factory=dict)


@lru_cache(64)
def _game_in(rules: str, players: int) -> de.Game:
    """The game of the rules of a table; many tables play the same one. Raises what `de.rules_in_json` raises."""
    return de.rules_in_json(json.loads(rules)).game(players)


class Table:
    """A table, as its head and its entries say. Raises `RefusedError` (``other-rules``) where they cannot be played."""

    def __init__(self, table: str, head: Mapping[str, Any]) -> None:
        self.id = table
        self.head = head
        try:
            self.game = _game_in(json.dumps(head["rules"]), head["players"])
        except (de.CardSetError, de.SelectionError) as error:
            raise RefusedError("other-rules", f"This version of draftengine refuses the rules: {error}") from error
        if self.game.fingerprint != head["fingerprint"]:
            raise RefusedError("other-rules")
        self.seats = [Seat() for _ in range(self.game.players)]
        self.host_before = -1
        """The seat of the person who was the host and left; -1 if the host never changed."""
        self._passed_to = -1
        self.length = 0
        """How many entries there were."""
        self._settled = 0
        """The length at the last start or reveal."""
        self.number = 0
        """Which game is played; 0 before the first."""
        self.state: de.State | None = None
        self.decision = 0
        """How many reveals there were in this game."""
        self.parts: list[int] = []
        """How many events there were in this game before each reveal."""
        self.choices: dict[int, Move] = {}
        self.lost = 0
        """How many entries of this game were damaged where they were kept, and are gone."""
        self.seed = self.salt = ""
        self.unread: set[int] = set()
        """The people who have not yet put the score sheet of the last round away."""
        self.done: dict[tuple[int, str], int] = {}
        """The keys of requests that have happened, and how many entries there were then."""
        self._ahead: tuple[de.State, dict[int, Move], de.State] | None = None
        self._views: dict[int, tuple[de.State, de.View]] = {}
        self.shown: dict[tuple[int, str], tuple[de.State, dict[str, Any]]] = {}
        """What was made to be shown, by seat and language, and of which state: for `showing` alone."""

    @classmethod
    def of(cls, table: str, head: Mapping[str, Any], entries: tuple[Entry, ...]) -> Table:
        """A table that was kept. Raises `RefusedError` where this version would play it otherwise."""
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
        """Is a game going on."""
        return self.state is not None and not self.state.over

    @property
    def waiting(self) -> tuple[int, ...]:
        """The seats that have to choose now, those included that have and may take it back."""
        return self.state.waiting if self.state is not None else ()

    @property
    def complete(self) -> bool:
        """Has everybody chosen who has to."""
        return self.playing and all(seat in self.choices for seat in self.waiting)

    @property
    def people(self) -> list[int]:
        """Return the seats of people."""
        return [index for index, seat in enumerate(self.seats) if seat.kind == PERSON]

    @property
    def host(self) -> int:
        """Return the seat of the person who starts games: the first, or the one this was passed on to."""
        return self._passed_to if self._passed_to in self.people else next(iter(self.people), -1)

    @property
    def commitment(self) -> str:
        """What was published of the seed of this game."""
        return commitment(self.seed, self.salt) if self.number else ""

    def seats_of(self, tokens: Iterable[str]) -> list[int]:
        """Return the seats of tokens; those that fit no seat are left out. Every seat is compared."""
        return [
            index for token in tokens for index, seat in enumerate(self.seats) if seat.token and fits(token, seat.token)
        ]

    def seat_of(self, token: str) -> int:
        """The seat of a token. Raises `RefusedError`: ``wrong-token``. Every seat is compared, whichever it is."""
        matches = self.seats_of([token])
        if not matches:
            raise RefusedError("wrong-token")
        return matches[0]

    def view(self, seat: int) -> de.View:
        """What a seat may know of the game. Raises `RefusedError`: ``not-started``."""
        if self.state is None:
            raise RefusedError("not-started")
        known = self._views.get(seat)
        if known is None or known[0] is not self.state:
            known = self._views[seat] = (self.state, self.state.view(seat))
        return known[1]

    # ── What may happen ───────────────────────────────────────────────────────────────────────────────────────────

    def propose(self, request: Request) -> list[Entry]:
        """The entries that a request makes: none if it has happened before. Raises `RefusedError`."""
        if request.key and (request.seat, request.key) in self.done:
            return []
        if request.kind in _CHANGES and self.length - self._settled >= _MOST_ENTRIES:
            raise RefusedError("too-often")
        entry = getattr(self, f"_propose_{request.kind}")(request.seat, request.data)
        key = {"key": request.key, "by": request.seat} if request.key else {}
        return [{"kind": request.kind, **entry, **key}]

    def _propose_sit(self, _: int, data: Mapping[str, Any]) -> Entry:
        free = [index for index, seat in enumerate(self.seats) if seat.kind == FREE or seat.open]
        if not free and self.number:
            raise RefusedError("already-started")
        if data.get("seat", -1) >= 0:
            if data["seat"] not in free:
                raise RefusedError("seat-taken")
            free = [data["seat"]]
        if not free:
            raise RefusedError("table-full")
        return {"seat": free[0], "name": data["name"], "token": data["token"]}

    def _propose_seat(self, seat: int, data: Mapping[str, Any]) -> Entry:
        """Let the host give a seat to a bot, or free it; once games are played a bot stays until somebody comes."""
        self._only_host(seat)
        if data["seat"] == seat or data["seat"] >= len(self.seats):
            raise RefusedError("not-yours")
        if self.number and self.seats[data["seat"]].kind != BOT:
            raise RefusedError("already-started")
        return {"seat": data["seat"], "to": data["to"], "level": data["level"]}

    def _propose_start(self, seat: int, data: Mapping[str, Any]) -> Entry:
        self._only_host(seat)
        if self.playing:
            raise RefusedError("already-started")
        return {"seed": data["seed"], "salt": data["salt"]}

    def _propose_choose(self, seat: int, data: Mapping[str, Any]) -> Entry:
        view = self._to_choose(seat, data["decision"])
        try:
            move = move_from(data["move"])
        except de.IllegalMove as error:
            raise RefusedError("illegal-move", str(error)) from error
        if move not in view.moves:
            raise RefusedError("illegal-move")
        return {"seat": seat, "move": move.to_json()}

    def _propose_withdraw(self, seat: int, data: Mapping[str, Any]) -> Entry:
        self._to_choose(seat, data["decision"])
        if seat not in self.choices:
            raise RefusedError("nothing-to-take-back")
        return {"seat": seat}

    def _propose_reveal(self, _: int, data: Mapping[str, Any]) -> Entry:
        """Everybody's choice happens. It is known what it leads to, so that a later version can tell a difference."""
        if not self.complete or data["decision"] != self.decision:
            raise RefusedError("late")
        return {"leads": self._revealed().digest[:16]}

    def _propose_ready(self, seat: int, _: Mapping[str, Any]) -> Entry:
        if seat not in self.unread:
            raise RefusedError("late")
        return {"seat": seat}

    def _propose_replace(self, _: int, data: Mapping[str, Any]) -> Entry:
        """A bot plays on for a person. Whether it may is for the hub to say, which knows who is there."""
        seat = self.seats[data["seat"]] if data["seat"] < len(self.seats) else Seat()
        if seat.kind != PERSON or seat.away:
            raise RefusedError("not-yours")
        return {"seat": data["seat"]}

    def _propose_return(self, seat: int, _: Mapping[str, Any]) -> Entry:
        if not 0 <= seat < len(self.seats) or not self.seats[seat].away:
            raise RefusedError("not-yours")
        return {"seat": seat}

    def _propose_host(self, _: int, data: Mapping[str, Any]) -> Entry:
        """Make another person the host. When that is right is for the hub to say, which knows who is there."""
        if data["seat"] == self.host or data["seat"] not in self.people:
            raise RefusedError("not-yours")
        return {"seat": data["seat"]}

    def _only_host(self, seat: int) -> None:
        if seat < 0 or seat != self.host:
            raise RefusedError("not-the-host")

    def _to_choose(self, seat: int, decision: list[int]) -> de.View:
        """The view of a seat that may choose. Raises `RefusedError`."""
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
        """Let something happen that was written down."""
        getattr(self, f"_apply_{entry['kind']}")(entry)
        self.length += 1
        if entry["kind"] in {"start", "reveal"}:
            self._settled = self.length
        if "key" in entry:
            self.done[entry["by"], entry["key"]] = self.length

    def _apply_sit(self, entry: Entry) -> None:
        self.seats[entry["seat"]] = Seat(PERSON, entry["name"], token=entry["token"])

    def _apply_seat(self, entry: Entry) -> None:
        if self.number:
            self.seats[entry["seat"]].open = entry["to"] == FREE
            return
        self.seats[entry["seat"]] = Seat(entry["to"], level=entry["level"])
        self._name_bots()

    def _name_bots(self) -> None:
        """Every bot is called something that nobody else is called."""
        for seat in self.seats:
            if seat.kind == BOT and not seat.name:
                taken = {other.name for other in self.seats}
                seat.name = next(name for name in BOT_NAMES if name not in taken)

    def _apply_start(self, entry: Entry) -> None:
        for seat in self.seats:
            seat.kind = BOT if seat.kind == FREE else seat.kind
        self._name_bots()
        self.seed, self.salt = entry["seed"], entry["salt"]
        self.number += 1
        self.decision, self.parts, self.choices, self.unread, self.lost = 0, [], {}, set(), 0
        self.state = self.game.start(self.seed)

    def _apply_choose(self, entry: Entry) -> None:
        self.choices[entry["seat"]] = move_from(entry["move"])
        self.unread.discard(entry["seat"])

    def _apply_withdraw(self, entry: Entry) -> None:
        del self.choices[entry["seat"]]

    def _revealed(self) -> de.State:
        """The state that the choices lead to. It is asked for twice: to write down what it is, and to go there."""
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
            raise RefusedError("other-rules", "This table goes on otherwise under the rules of this version.")
        self.decision += 1
        self.parts.append(len(before.history))
        if self.state.over or self.state.round > before.round:
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

    def _apply_mend(self, entry: Entry) -> None:
        """Remember that entries were damaged where the table was kept: the game goes on from before them."""
        self.lost = entry["lost"]

    def record(self) -> dict[str, Any]:
        """The finished game as plain data: all that it takes to deal and play it again."""
        assert self.state is not None
        players = [Player(seat.name, seat.level if seat.kind == BOT else "") for seat in self.seats]
        return record_of(self.state, players, self.head["versions"], published=self.commitment, salt=self.salt)
