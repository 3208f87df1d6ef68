"""Every configuration of every card set that comes with draftengine: variants, players, and each reading by itself."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from draftengine.cardset.resolve import Selection, allowed, combinations
from draftengine.library import load_program, open_set, shelf

if TYPE_CHECKING:
    from collections.abc import Iterator

    from draftengine.engine.program import Program


class Configuration(NamedTuple):
    cardset: str
    players: int
    selection: Selection

    def __str__(self) -> str:
        chosen = [*self.selection.variants, *(f"{name}={option}" for name, option in self.selection.readings)]
        return "-".join([self.cardset, f"{self.players}p", *chosen])

    @property
    def program(self) -> Program:
        return _compiled(self)


@cache
def _compiled(configuration: Configuration) -> Program:
    document = open_set(configuration.cardset).document
    assert document is not None
    return load_program(document, configuration.selection, configuration.players)


def _all() -> Iterator[Configuration]:
    for cardset in shelf():
        document = open_set(cardset).document
        assert document is not None, f"{cardset} is not valid"
        fewest, most = document.players
        readings = [
            Selection(readings=((reading.id, option.id),))
            for reading in document.readings
            for option in reading.options
            if option.id != reading.default
        ]
        for players in range(fewest, most + 1):
            for selection in combinations(document, players):
                yield Configuration(cardset, players, selection)
            for selection in readings:
                if not allowed(document, (), players, selection):
                    yield Configuration(cardset, players, selection)


CONFIGURATIONS = tuple(_all())
