"""The card sets that are served: what people can choose in the lobby, and what it means."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import draftengine as de
from draftengine.serve.refused import RefusedError
from draftengine.serve.showing import rules_shown

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_MOST_GAMES = 64
"""Selections that are kept ready."""


class Catalogue:
    """Card sets by id, opened once. Raises what `de.open_rules` raises."""

    def __init__(self, names: Iterable[str]) -> None:
        self._names: dict[str, str] = {}
        self._opened: dict[str, de.Ruleset] = {}
        self._games: dict[tuple[str, tuple[str, ...], int], de.Game] = {}
        for name in names:
            rules = de.open_rules(name)
            self._names.setdefault(rules.model.id, name)
            self._opened.setdefault(rules.model.id, rules)

    def listed(self) -> list[dict[str, Any]]:
        """Every card set with its variants, for the lobby."""
        return [self._entry(name, rules) for name, rules in self._opened.items()]

    def _entry(self, name: str, rules: de.Ruleset) -> dict[str, Any]:
        model, game = rules.model, rules.game()
        labels = game.labels
        shown = rules_shown(game)
        counted = [card for card in model.cards if card.count]
        return {
            "id": name,
            "title": game.title,
            "text": labels.text(model.about.text),
            "players": list(rules.players),
            "usual": rules.usual_players,
            "rounds": model.rounds,
            "minutes": model.about.minutes,
            "patterns": shown["patterns"],
            "drawn": {card.id: shown["drawn"][card.id] for card in counted[:: max(1, len(counted) // 3)][:3]},
            "variants": [
                {
                    "id": own.id,
                    "title": labels.variant(own.id),
                    "text": labels.text(own.text),
                    "group": own.group or "",
                }
                for own in model.variants
            ],
        }

    def problems(self, name: str, variants: Sequence[str], players: int) -> dict[str, Any]:
        """Why a selection cannot be played, and for each variant why it could not be chosen beside the others."""
        rules = self._rules(name)
        known = {own.id: own for own in rules.model.variants}
        if not set(variants) <= known.keys():
            raise RefusedError("cannot-be-played")
        fewest, most = rules.players
        count = min(max(players, fewest), most)
        return {
            "now": list(rules.objections(variants, count)),
            "beside": {
                own.id: list(rules.objections(_with(variants, own, known), count))
                for own in rules.model.variants
                if own.id not in variants
            },
        }

    def game(self, name: str, variants: Sequence[str], players: int) -> de.Game:
        """The game of a selection. Raises `RefusedError`: ``no-such-set``, ``cannot-be-played``."""
        self._rules(name)
        key = (name, tuple(variants), players)
        if key not in self._games:
            if len(self._games) >= _MOST_GAMES:
                self._games.clear()
            self._games[key] = self._game(*key)
        return self._games[key]

    def _game(self, name: str, variants: Sequence[str], players: int) -> de.Game:
        try:
            rules = de.open_rules(self._names[name], variants)
            declared = {own.id for own in rules.model.parameters}
            if any(own not in declared for own, _ in rules.selection.parameters):  # a number of the file by its path
                raise RefusedError("cannot-be-played")
            return rules.game(players)
        except (de.CardSetError, de.SelectionError) as error:
            raise RefusedError("cannot-be-played", str(error)) from error

    def _rules(self, name: str) -> de.Ruleset:
        if name not in self._opened:
            raise RefusedError("no-such-set")
        return self._opened[name]


def _with(variants: Sequence[str], own: Any, known: dict[str, Any]) -> list[str]:
    """The variants with another one, which takes the place of the one in its group."""
    return [other for other in variants if not own.group or known[other].group != own.group] + [own.id]
