"""A round of a played game as a scenario: the position before it, every choice, and the outcome.

The scenario is run before it is returned. If blind draws or dice lead to another outcome, a simpler scenario is
returned, which only scores the tables at the end of the round.
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any

from msgspec import Struct, field

from draftengine.api.errors import IllegalMove
from draftengine.api.scenario import NOBODY, ScenarioError, read, with_arrivals
from draftengine.api.scenario.run import check, play, tables_after, tables_of
from draftengine.support.locale.phrases import ReasonedError, said

if TYPE_CHECKING:
    from collections.abc import Iterable

    from draftengine.api.game import Game
    from draftengine.api.moves import Written
    from draftengine.api.records import Event
    from draftengine.api.state import State

Data = dict[str, Any]
_LAID_OUT = frozenset({"deck", "hand", "tableau"})
"""Zones that a scenario does not list under ``zones``.

Hands and tableaus have keys of their own, and the deck is all cards that are not listed.
"""


class NotRecordedError(ReasonedError, ValueError):
    """Error for a game or round that cannot be written as a scenario."""


class _Entry(Struct):
    """One choice with the moves of all seats, including the offers to use abilities that follow it."""

    before: State
    cards: dict[int, list[str]] = field(default_factory=dict)
    others: dict[int, dict[str, list[str]]] = field(default_factory=dict)
    events: list[Event] = field(default_factory=list)
    tables: list[list[str]] = field(default_factory=list)
    after: State | None = None


def recorded(game: Game, seed: int | str, moves: Iterable[tuple[int, Written]], number: int | None = None) -> Data:
    """Return round `number` of a game as a scenario that passes, by default the last finished round.

    `moves` are all (seat, move) pairs of the game. Raises `NotRecordedError`.
    """
    entries: list[_Entry] = []
    try:
        state = game.start(seed)
        for seat, written in moves:
            asked = state.asked
            if not entries or (not state.committed and not (asked is not None and asked.offer)):
                entries.append(_Entry(state))
            entry = entries[-1]
            after = state.commit(seat, written)
            move = after.moves[-1][1]
            taken = [*move.cards, *(card for _, cards in move.abilities for card in cards)]
            entry.cards.setdefault(seat, []).extend(taken)
            for other, cards in move.others:
                entry.others.setdefault(seat, {})[other] = list(cards)
            entry.events += after.events
            entry.tables = tables_after(state, seat, written, after)
            entry.after = state = after
        if state.committed:  # others have yet to choose
            entries.pop()
    except IllegalMove as error:
        raise NotRecordedError(said("record.otherwise", error=str(error))) from None
    ends = {entry.before.round: entry.after for entry in entries}
    finished = [
        round_number for round_number, end in ends.items() if end is not None and (end.over or end.round > round_number)
    ]
    if number is None and not finished:
        raise NotRecordedError(said("record.no-round"))
    wanted = finished[-1] if number is None else number
    if wanted not in finished:
        raise NotRecordedError(said("record.unfinished", round=wanted))
    chosen = [entry for entry in entries if entry.before.round == wanted]
    given, rules = _given(game, chosen), {rule.id for rule in game.model.scoring}
    points = {name: gained for name, gained in given.items() if name in rules}
    as_it_lay = {"round": chosen[0].before.round, "tables": chosen[-1].tables, "expect": {"points": points}}
    selection = game.ruleset.selection
    variants = [*game.variants, *(f"{name}={value}" for name, value in selection.readings)]
    common: Data = {"name": f"round {wanted} of a game with the seed {seed}", "players": game.players}
    common |= {"variants": variants} if variants else {}
    common |= {"set": dict(selection.parameters)} if selection.parameters else {}
    for data in (_with_moves(game, chosen), as_it_lay):
        with suppress(ScenarioError):
            scenario = read({**common, **data}, default_players=1)
            if not check(game, scenario, play(game, scenario)):
                return {**common, **data}
    raise NotRecordedError(said("record.chance", round=wanted))


def _with_moves(game: Game, entries: list[_Entry]) -> Data:
    """Return a scenario with the position before the round, all its moves, and the outcome to expect."""
    first, last = entries[0], entries[-1]
    assert last.after is not None, "the round is finished"
    expect: Data = {"points": _given(game, entries), "tables": last.tables}
    if last.after.over:
        expect |= {"total": list(last.after.totals), "winners": list(last.after.leaders)}
    moves: list[list[Any]] = [[None] * game.players for _ in entries]
    for turn, entry in zip(moves, entries, strict=True):
        for seat, cards in entry.cards.items():
            others = entry.others.get(seat)
            turn[seat] = {"cards": cards, "for": others} if others else cards[0] if len(cards) == 1 else cards
    state = first.before  # everything that is the same in a new game is left out
    described = state.describe()
    data: Data = {"round": state.round} if state.round > 1 else {}
    if any(described["zones"]["tableau"]):
        data["tables"] = tables_of(state)
    data["hands"] = described["zones"]["hand"]
    zones = {}
    for name, contents in described["zones"].items():
        if name not in _LAID_OUT and (any(contents) if isinstance(contents, list) else contents):
            by_place = isinstance(contents, dict)
            zones[name] = {place: lying["card"] for place, lying in contents.items()} if by_place else contents
    data |= {"zones": zones} if zones else {}
    data |= {"scores": list(state.points)} if any(state.points) else {}
    usual = play(game, read({"players": game.players, **data, "moves": [], "expect": {}}, default_players=1)).state
    markers = {
        name: NOBODY if holder is None else holder
        for name, holder in described["markers"].items()
        if holder != usual.describe()["markers"][name]
    }
    names = [name for name in (state.counters[0] if state.counters else {}) if ":" not in name]
    values = {name: (with_arrivals(name, state.counters), with_arrivals(name, usual.counters)) for name in names}
    counters = {name: counted for name, (counted, usually) in values.items() if counted != usually}
    data |= ({"markers": markers} if markers else {}) | ({"counters": counters} if counters else {})
    return {**data, "moves": moves, "expect": expect}


def _given(game: Game, entries: list[_Entry]) -> dict[str, list[int]]:
    """Return the points that each source of points gave in the round, by seat."""
    points: dict[str, list[int]] = {}
    for event in (event for entry in entries for event in entry.events if event.kind == "points"):
        points.setdefault(event.name, [0] * game.seats)[event.seat] += event.amount
    return {name: points[name] for name in game.sources_of_points if name in points}
