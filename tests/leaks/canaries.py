"""Canaries: card sets in which every copy of a card is a card of its own, with a random name.

If a card set has fourteen copies of a card, its canary version has fourteen cards with one copy each. They have a
family with the name of the original card, so rules count as before. Everything that a seat learns can then be searched
for the names of cards that it cannot know. Unique values of chips serve as names too, and so does the seed.

Cards that rules name directly do not change: those of abilities and modifiers, wild cards and their forms.
"""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, NamedTuple

from msgspec import to_builtins
from msgspec.structs import replace

import draftengine as de
from draftengine.bots.hints import Evaluator
from draftengine.model.selection import document_json, resolve_tree
from engine.configurations import document_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from engine.configurations import Configuration

LABEL = re.compile(r"\bcanary_[0-9a-f]{12}")
ASKED = re.compile(r"(?<=_)canary_[0-9a-f]{12}")
"""A card in the name of an action. A seat that may ask for any card of the box learns nothing from it."""
ADVISERS = ("greedy", "table", "search:iterations=2")
"""Bots of every kind, which think of moves in different ways."""
_NOT_PLAYED = ("variants", "readings", "sources", "examples", "about", "include", "menus")
_SHOWN = ("label", "icon", "text")
"""Keys of a card that the screen shows besides its name, or instead of it."""
_IN_THE_OPEN = {"revealed", "flipped", "modified", "ability-used", "cleared", "discarded", "asked"}
"""Kinds of events about cards that lie open on the table before or after the event."""
_BETWEEN_ZONES = {"dealt", "passed", "moved", "placed"}
"""Kinds of events whose cards are seen by the seats that see the zone they come to.

No other kind of event earns knowledge.
"""


def canary(chance: Random) -> str:
    """Return a random unique name."""
    return f"canary_{chance.getrandbits(48):012x}"


def game_of(configuration: Configuration) -> de.Game:
    """Return a new game of a configuration with canaries; their names depend only on the configuration."""
    own = _made(configuration)
    return de.Game(own.ruleset, replace(own.program))


@cache
def _made(configuration: Configuration) -> de.Game:
    document = document_of(configuration.cardset)
    tree, findings = resolve_tree(document, configuration.selection, configuration.players)
    assert tree is not None, findings
    data = _without_sources({key: own for key, own in document_json(tree).items() if key not in _NOT_PLAYED})
    chance = Random(f"canaries of {configuration}")
    with TemporaryDirectory() as folder:
        path = Path(folder) / "canaries.yaml"
        # Pictures as they are: escaped, as pairs of surrogates, they are left to the slower of two parsers.
        text = json.dumps(with_canaries(data, chance, configuration.players), ensure_ascii=False)
        path.write_text(text, encoding="utf-8")
        return de.load(str(path), configuration.players)


def with_canaries(data: dict[str, Any], chance: Random, players: int) -> dict[str, Any]:
    """Return the card set with every card split into its copies, and with unique values of chips."""
    wild = {name for name, card in data["cards"].items() if "forms" in card}
    whole = wild | {*_named(data)} | {name for card in wild for name in data["cards"][card]["forms"]["of"]}
    cards = {}
    for name, card in data["cards"].items():
        if name in whole or not _copies(card["count"], players):
            cards[name] = card
            continue
        families = card.get("family", [])
        family = [*([families] if isinstance(families, str) else families), name]
        plain = {key: own for key, own in card.items() if key not in _SHOWN}
        for own in [canary(chance) for _ in range(_copies(card["count"], players))]:
            cards[own] = {**plain, "label": own, "count": 1, "family": family}
    values = iter(chance.sample(range(500, 1000, 25), 20))  # no sum of some is another
    chips = {
        name: {**pile, "values": sorted(next(values) for _ in pile["values"])}
        for name, pile in data.get("chips", {}).items()
    }
    return {**data, "id": "canaries", "cards": cards, **({"chips": chips} if chips else {})}


def _copies(count: int | dict[str, int], players: int) -> int:
    """Return the number of copies of a card for a number of players."""
    return count if isinstance(count, int) else count[str(players)]


def _named(value: Any) -> Iterator[str]:
    """Yield the cards that abilities, modifiers and effects name, where families are not allowed."""
    if isinstance(value, dict):
        yield from (value[key] for key in ("card", "discard", "give") if isinstance(value.get(key), str))
    for own in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from _named(own)


def _without_sources(value: Any) -> Any:
    """Return the tree without citations of the rule book, whose texts would be missing."""
    if isinstance(value, dict):
        return {key: _without_sources(own) for key, own in value.items() if key != "source"}
    return [_without_sources(own) for own in value] if isinstance(value, list) else value


# ── What a seat has earned ───────────────────────────────────────────────────────────────────────────────────────────


class Earned(NamedTuple):
    """Knowledge of a seat: cards that it has seen, cards whose faces it has seen, and values of chips."""

    cards: frozenset[str]
    faces: frozenset[str]
    chips: frozenset[int]


NOTHING_EARNED = Earned(frozenset(), frozenset(), frozenset())


def earned(before: Earned, state: de.State, seat: int, told: Mapping[str, Any] | None = None) -> Earned:
    """Return what a seat knows now: what it knew `before`, and the cards in zones that it sees.

    This does not use the engine's own record of who sees an event. `told` is the description of the state, if known.
    """
    told = told or state.describe()
    shown = [
        card
        for zone in state.game.model.zones
        for owner, cards in _owned(told["zones"][zone.id])
        if _sees(state.game, zone.id, owner, seat)
        for card in cards
    ]
    shown += [
        card for event in state.events if event.cards and _could_see(state.game, event, seat) for card in event.cards
    ]
    played = {card for tableau in told["zones"]["tableau"] for card in tableau}
    covered = {card.id for card in state.game.model.cards if card.face is not None} - played
    held = told["chips"] if state.over else [told["chips"][seat]] if seat >= 0 else []
    return Earned(
        before.cards | (set(shown) - covered) | played,
        before.faces | set(shown),
        before.chips | {value for own in held for _, value in own},
    )


def _owned(contents: Any) -> Iterator[tuple[int, list[str]]]:
    """Yield the cards of a zone by owner (-1 for the table), without those that lie face down."""
    if isinstance(contents, dict):
        yield -1, [place["card"] for place in contents.values() if not place["face_down"]]
    elif contents and isinstance(contents[0], list):
        yield from enumerate(contents)
    else:
        yield -1, contents


def _could_see(game: de.Game, event: de.Event, seat: int) -> bool:
    """True if a seat sees the cards of an event: in the zone they come to, or from which they are passed."""
    if event.kind not in _BETWEEN_ZONES:
        return event.kind in _IN_THE_OPEN
    owners = {event.seat, event.other} if event.kind == "passed" else {event.seat}
    return any(_sees(game, event.zone, owner, seat) for owner in owners)


def _sees(game: de.Game, zone: str, owner: int, seat: int) -> bool:
    """True if a seat sees the cards of a zone."""
    model = next(own for own in game.model.zones if own.id == zone)
    return model.seen_by == "everyone" or (model.seen_by == "owner" and owner == seat >= 0)


# ── What a seat learns ───────────────────────────────────────────────────────────────────────────────────────────────


def told(state: de.State, seat: int) -> dict[str, Any]:
    """Return everything that the Python interface gives a seat, in a fixed order."""
    view = state.view(seat)
    observation = {**view.observation, "counters": [_above_none(own) for own in view.observation["counters"]]}
    return {
        "observation": observation,
        "moves": [move.to_json() for move in view.moves],
        "committed": view.committed.to_json() if view.committed else None,
        "events": [_all_of(event) for event in view.events],
        "asked": to_builtins(view.asked),
        "shown": repr(view),
    }


def _above_none(counters: dict[str, int]) -> dict[str, int]:
    """Return the counters that are not 0. Names of counters are no secret: scoring cards have one each."""
    return {name: number for name, number in counters.items() if number}


def story(state: de.State, seat: int) -> list[Any]:
    """Return all events since the game began, as a seat sees them."""
    return [_all_of(event) for event in state.story(seat)]


def advised(view: de.View) -> dict[str, Any]:
    """Return hints with their reasons and bars for a choosing seat, and the decision of each adviser."""
    if view.seen.moves.total < 2:
        return {}
    opinion = Evaluator(view)
    hints = [to_builtins(own) for own in opinion.hints()]
    bars = [[to_builtins(move), number] for move, number in opinion.bars().items()]
    return {"hints": hints, "bars": bars, **{name: to_builtins(de.bot(name).decide(view)) for name in ADVISERS}}


def explained(state: de.State) -> list[Any]:
    """Return the explained points of every rule, which every player at the table may ask for."""
    return [to_builtins(line) for line in state.explain() if line.points or line.text or line.cards]


def _all_of(event: de.Event) -> list[Any]:
    """Return all fields of an event except `seen_by`."""
    return [to_builtins(getattr(event, name)) for name in event.__struct_fields__ if name != "seen_by"]


def play(game: de.Game, seed: str, chance: Random) -> Iterator[de.State]:
    """Yield the states of a random game, in which waiting seats commit in random order."""
    state = game.start(seed)
    yield state
    while not state.over:
        seat = chance.choice(state.waiting)
        moves = state.view(seat).moves
        state = state.commit(seat, moves[chance.randrange(len(moves))])
        yield state
