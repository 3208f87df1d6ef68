"""Names in scenarios that are not ids: a card with one of its sides up, such as ``lamp@back``.

In a zone where a certain side is always up, the name of a card means that side.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

if TYPE_CHECKING:
    from collections.abc import Collection

    from draftengine.api.game import Game
    from draftengine.api.records import Position


class CardNames:
    """The ids of the cards that names in a scenario mean."""

    def __init__(self, game: Game) -> None:
        things = [(card.side_of or card.id, card) for card in game.model.cards if card.side]
        self._sides = {f"{thing}@{card.side}": card.id for thing, card in things}
        self._thing = {card.id: thing for thing, card in things}
        self._up = {zone.id: zone.side for zone in game.model.zones if zone.side}

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
        """Return a name in a move with the id of the side that is up, if the seat can only take that one."""
        name = self.id_of(name)
        card, at, way = name.partition("@")
        if self.thing(card) != card or name in offered:
            return name
        sides = [side for side, thing in self._thing.items() if thing == card]
        heads = {each.partition("@")[0] for each in offered}
        return next((f"{side}{at}{way}" for side in sides if side in heads), name)

    def within(self, contents: Any, zone: str = "") -> Any:
        """Return the contents of a zone with ids: names in lists, or as the keys or values of a mapping."""
        if isinstance(contents, str):
            return self.id_of(contents, zone)
        if isinstance(contents, Mapping):
            return {self.id_of(name, zone): self.within(value, zone) for name, value in contents.items()}
        return tuple(self.within(each, zone) for each in contents) if isinstance(contents, list | tuple) else contents

    def of_position(self, position: Position) -> Position:
        """Return a position with ids for all names of cards."""
        return replace(
            position,
            tables=self.within(position.tables, "tableau"),
            hands=self.within(position.hands, "hand"),
            zones={zone: self.within(cards, zone) for zone, cards in position.zones.items()},
        )

    def of_expected(self, expected: Mapping[str, Any]) -> dict[str, Any]:
        """Return expectations with ids for all names of cards."""
        named = {key: self.within(value, zone) for key, zone in _LYING if (value := expected.get(key)) is not None}
        if (zones := expected.get("zones")) is not None:
            named["zones"] = {zone: self.within(cards, zone) for zone, cards in zones.items()}
        return {**expected, **named}


_LYING = (("tables", "tableau"), ("hands", "hand"))
"""Keys of expectations about the cards in a zone, with the name of the zone."""
