"""The card sets that can be played: those that are served, and those that people bring; and what they mean."""

from __future__ import annotations

from functools import partial
from hashlib import sha256
from typing import TYPE_CHECKING, Any

import draftengine as de
from draftengine.api.ruleset import rules_in
from draftengine.apps.web.errors import RefusedError
from draftengine.apps.web.messages import language_for, rules_shown
from draftengine.model.library.library import open_bytes

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

_MOST_GAMES = 64
"""Selections that are kept ready."""
_MOST_BROUGHT = 32
"""Card sets of people that are kept ready; a table has the text of its own."""
_MOST_TOLD = 5
"""Findings about a card set that are told at once."""
_FROM_THE_SHELF = "-"
"""A name for card sets without a file: what they extend comes from those of the package, never from a path."""


class Catalogue:
    """Card sets by id, opened once. Raises what `de.open_rules` raises."""

    def __init__(self, names: Iterable[str], brought: bool = True) -> None:  # noqa: FBT001, FBT002 (a switch of the command)
        self.may_be_brought = brought
        """Whether people may bring card sets of their own."""
        self._served: list[str] = []
        self._openers: dict[str, Callable[[Sequence[str]], de.Ruleset]] = {}
        self._opened: dict[str, de.Ruleset] = {}
        self._brought: list[str] = []
        self._games: dict[tuple[str, tuple[str, ...], int], de.Game] = {}
        for name in names:
            rules = de.open_rules(name)
            if rules.model.id not in self._opened:
                self._served.append(rules.model.id)
                self._openers[rules.model.id] = partial(de.open_rules, name)
                self._opened[rules.model.id] = rules

    def listed(self, language: str = "en") -> list[dict[str, Any]]:
        """Every card set with its variants, for the lobby."""
        return [self.entry(name, language) for name in self._served]

    def bring(self, text: str) -> str:
        """The name of a card set that somebody brought as text.

        Raises `RefusedError`: ``no-uploads``, or ``wrong-card-set`` with what is wrong and where.
        """
        if not self.may_be_brought:
            raise RefusedError("no-uploads")
        name = f"brought-{sha256(text.encode('utf-8', 'replace')).hexdigest()}"
        if name not in self._opened:
            opened = open_bytes(_FROM_THE_SHELF, "your card set", text.encode("utf-8", "replace"))
            if opened.document is None:
                raise RefusedError("wrong-card-set", _told(opened.findings))
            opener = partial(rules_in, opened.document)
            try:
                rules = opener(())
                rules.game()
            except de.CardSetError as error:
                raise RefusedError("wrong-card-set", _told(error.findings)) from error
            except de.SelectionError as error:
                raise RefusedError("wrong-card-set", str(error)) from error
            self._openers[name], self._opened[name] = opener, rules
            self._brought.append(name)
            for old in self._brought[:-_MOST_BROUGHT]:
                del self._openers[old], self._opened[old]
            self._brought = self._brought[-_MOST_BROUGHT:]
        return name

    def entry(self, name: str, language: str = "en") -> dict[str, Any]:
        """A card set with its variants, for the lobby; its texts in a language, if it has that."""
        rules = self._rules(name)
        model, game = rules.model, rules.game()
        labels = game.labels_in(language_for(game, language))
        display = rules_shown(game, labels.language)
        counted = [card for card in model.cards if card.count]
        return {
            "id": name,
            "title": labels.title,
            "languages": display["languages"],
            "text": labels.text(model.about.text),
            "players": list(rules.players),
            "usual": rules.usual_players,
            "rounds": model.rounds,
            "minutes": model.about.minutes,
            "patterns": display["patterns"],
            "drawn": {card.id: display["drawn"][card.id] for card in counted[:: max(1, len(counted) // 3)][:3]},
            "variants": [
                {
                    "id": variant.id,
                    "title": labels.variant(variant.id),
                    "text": labels.text(variant.text),
                    "group": variant.group or "",
                }
                for variant in model.variants
            ],
            "allowances": rules.allowances,
            "menus": [
                {"title": name.replace("_", " ").capitalize(), "variants": list(menu)}
                for name, menu in rules.menus.items()
            ],
            "played": list(rules.selection.variants),
            "readings": [
                {
                    "id": reading.id,
                    "question": labels.text(reading.question),
                    "reason": labels.text(reading.reason),
                    "usual": reading.chosen,
                    "options": [{"id": option.id, "text": labels.text(option.text)} for option in reading.options],
                }
                for reading in model.readings
            ],
        }

    def problems(self, name: str, variants: Sequence[str], players: int) -> dict[str, Any]:
        """Why a selection cannot be played, and for each variant why it could not be chosen beside the others."""
        rules = self._rules(name)
        known = {variant.id: variant for variant in rules.model.variants}
        readings = {f"{reading.id}={option.id}" for reading in rules.model.readings for option in reading.options}
        if not set(variants) <= known.keys() | readings:
            raise RefusedError("cannot-be-played")
        variants = [variant for variant in variants if variant in known]
        fewest, most = rules.players
        count = min(max(players, fewest), most)
        return {
            "now": list(rules.objections(variants, count)),
            "beside": {
                variant.id: list(rules.objections(_with(variants, variant, known, rules.allowances), count))
                for variant in rules.model.variants
                if variant.id not in variants
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
            rules = self._openers[name](variants)
            declared = {parameter.id for parameter in rules.model.parameters}
            if any(
                parameter not in declared for parameter, _ in rules.selection.parameters
            ):  # a number of the file by its path
                raise RefusedError("cannot-be-played")
            return rules.game(players)
        except (de.CardSetError, de.SelectionError) as error:
            raise RefusedError("cannot-be-played", str(error)) from error

    def _rules(self, name: str) -> de.Ruleset:
        if name not in self._opened:
            raise RefusedError("no-such-set")
        return self._opened[name]


def _told(findings: Iterable[de.Finding]) -> str:
    """What is wrong with a card set, and in which lines."""
    wrong = [finding for finding in findings if finding.severity == "error"]
    lines = [f"Line {finding.span.position[0]}: {finding.message}" for finding in wrong[:_MOST_TOLD]]
    return "\n".join([*lines, *(["…"] if len(wrong) > _MOST_TOLD else [])])


def _with(variants: Sequence[str], variant: Any, known: dict[str, Any], allowances: dict[str, int]) -> list[str]:
    """The variants with another one; where its group has no more room, it takes the place of the first in it."""
    peers = [other for other in variants if variant.group and known[other].group == variant.group]
    gone = peers[:1] if len(peers) >= allowances.get(variant.group, 1) else []
    return [other for other in variants if other not in gone] + [variant.id]
