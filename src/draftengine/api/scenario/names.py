"""Names in scenarios that are not ids: a card with one of its sides up, such as ``lamp@back``.

In a zone where a certain side is always up, the name of a card means that side. If every copy of a card has a counter
of its own, ``club`` means any copy, and ``club:3`` one with this number.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from draftengine.api.game import Game
    from draftengine.api.records import Position


class CardNames:
    """The ids of the cards that names in a scenario mean."""

    def __init__(self, game: Game) -> None:
        things = [(card.side_of or card.id, card) for card in game.model.cards if card.side]
        self._sides = {f"{thing}@{card.side}": card.id for thing, card in things}
        self._thing = {card.id: thing for thing, card in things}
        self._up = {zone.id: zone.side for zone in game.model.zones if zone.side}
        copies = [card for card in game.model.cards if card.copy_of]
        self._thing |= {card.id: card.copy_of for card in copies}
        self._free = {base: [card.id for card in copies if card.copy_of == base] for base in self._thing.values()}
        self._counters = {counter.card: counter.id for counter in reversed(game.model.counters) if counter.card}

    def id_of(self, name: str, zone: str = "") -> str:
        """Return the id of the card that a name means, in a zone if one is given."""
        head, at, rest = name.partition("@")
        if at and head in self._thing:
            side, further, way = rest.partition("@")
            known = self._sides.get(f"{self._thing[head]}@{side}")
            return name if known is None else f"{known}{further}{way}"
        return self._sides.get(f"{self._thing.get(head, head)}@{self._up.get(zone, '')}", name)

    def thing(self, card: str) -> str:
        """Return the id of the card with all sides for the id of one of them."""
        return self._thing.get(card, card)

    def lying(self, name: str, offered: Collection[str]) -> str:
        """Return a name in a move with the id of the side or copy that the seat can take."""
        name = self.id_of(name)
        card, at, way = name.partition("@")
        if self.thing(card) != card or name in offered:
            return name
        sides = [side for side, thing in self._thing.items() if thing == card]
        heads = {each.partition("@")[0] for each in offered}
        return next((f"{side}{at}{way}" for side in sides if side in heads), name)

    def in_a_move(self, names: Iterable[str], offered: Collection[str]) -> tuple[str, ...]:
        """Return the names in a move with ids. Each copy of a card is taken once."""
        left, ids = [*offered], list[str]()
        for name in names:
            ids.append(self.lying(name, left))
            if self._free.get(self.thing(ids[-1].partition("@")[0])):
                left = [other for other in left if other.partition("@")[0] != ids[-1].partition("@")[0]]
        return tuple(ids)

    def as_written(self, expected: Iterable[str], names: list[str], counters: Mapping[str, int]) -> list[str]:
        """Return names of cards in play as an expectation names them: by the copy, its number or its card."""
        listed = [*expected]

        def written(name: str) -> str:
            base = self.thing(name)
            if base == name or name in listed or name not in self._counters:
                return name
            with_number = any(other.startswith(f"{base}:") for other in listed)
            return f"{base}:{counters[self._counters[name]]}" if with_number else base

        return [*map(written, names)]

    def _taken(self, contents: Any, counters: dict[str, tuple[int, ...]]) -> Any:
        """Return contents with the id of another copy for each name of a card with counters.

        The numbers after the names go into `counters`.
        """
        if isinstance(contents, Mapping) and any(self._free.get(name.partition(":")[0]) for name in contents):
            return self._taken([name for name, copies in contents.items() for _ in range(copies)], counters)
        if isinstance(contents, Mapping):
            return {key: self._taken(value, counters) for key, value in contents.items()}
        if isinstance(contents, list | tuple):
            return tuple(self._taken(each, counters) for each in contents)
        base, _, number = contents.partition(":") if isinstance(contents, str) else ("", "", "")
        if not (free := self._free.get(base)):
            return contents
        card = free.pop(0) if free[1:] else free[0]  # the same one twice is more than the box has
        if number:
            counters[self._counters[card]] = (int(number),)
        return card

    def within(self, contents: Any, zone: str = "") -> Any:
        """Return the contents of a zone with ids: names in lists, or as the keys or values of a mapping."""
        if isinstance(contents, str):
            return self.id_of(contents, zone)
        if isinstance(contents, Mapping):
            return {self.id_of(name, zone): self.within(value, zone) for name, value in contents.items()}
        return tuple(self.within(each, zone) for each in contents) if isinstance(contents, list | tuple) else contents

    def of_position(self, position: Position) -> Position:
        """Return a position with ids for all names of cards."""
        counters = {**position.counters}
        return replace(
            position,
            tables=self._taken(self.within(position.tables, "tableau"), counters),
            hands=self._taken(self.within(position.hands, "hand"), counters),
            zones={zone: self._taken(self.within(cards, zone), counters) for zone, cards in position.zones.items()},
            counters=counters,
        )

    def of_expected(self, expected: Mapping[str, Any]) -> dict[str, Any]:
        """Return expectations with ids for all names of cards."""
        named = {key: self.within(value, zone) for key, zone in _LYING if (value := expected.get(key)) is not None}
        if (zones := expected.get("zones")) is not None:
            named["zones"] = {zone: self.within(cards, zone) for zone, cards in zones.items()}
        return {**expected, **named}


_LYING = (("tables", "tableau"), ("hands", "hand"))
"""Keys of expectations about the cards in a zone, with the name of the zone."""
