"""The card sets that can be played: those that are served, and those that people bring; and what they mean."""

from __future__ import annotations

from collections import OrderedDict
from functools import lru_cache
from hashlib import sha256
from typing import TYPE_CHECKING, Any

import draftengine as de
from draftengine.api.facts import facts_of
from draftengine.api.phrasing.phraser import CardSetPhraser
from draftengine.api.ruleset import rules_in
from draftengine.apps.web.errors import RefusedError
from draftengine.apps.web.messages import language_for, rules_shown
from draftengine.model.library.library import open_bytes
from draftengine.model.selection import open_document

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from draftengine.model.selection import Document

Source = tuple[tuple[str, str, str], ...]
"""The texts of a card set and of what it extends: how each was asked for, its name, what it says."""
_MOST_GAMES = 64
"""Selections that a process keeps ready."""
_MOST_BROUGHT = 32
"""Card sets of people that are kept ready; a table has the text of its own."""
_MOST_TOLD = 5
"""Findings about a card set that are told at once."""
_FROM_THE_SHELF = "-"
"""A name for card sets without a file: what they extend comes from those of the package, never from a path."""


class Catalogue:
    """The texts of card sets by name: the rules are worked out elsewhere. Raises what `de.open_rules` raises."""

    def __init__(self, names: Iterable[str], brought: bool = True) -> None:  # noqa: FBT001, FBT002 (a switch of the command)
        self.may_be_brought = brought
        """Whether people may bring card sets of their own."""
        self._served: dict[str, Source] = {}
        self._brought: OrderedDict[str, Source] = OrderedDict()
        for name in names:
            rules = de.open_rules(name)
            self._served.setdefault(rules.model.id, _source(rules))

    @property
    def served(self) -> list[tuple[str, Source]]:
        """Every card set of the server, by name."""
        return list(self._served.items())

    def source(self, name: str) -> Source:
        """The texts of a card set. Raises `RefusedError`: ``no-such-set``."""
        found = self._served.get(name) or self._brought.get(name)
        if found is None:
            raise RefusedError("no-such-set")
        return found

    def keep(self, name: str, source: Source) -> None:
        """Keep a card set that somebody brought, and those before it up to a limit."""
        self._brought[name] = source
        if len(self._brought) > _MOST_BROUGHT:
            self._brought.popitem(last=False)

    def name_for(self, text: str) -> tuple[str, bool]:
        """The name of a text that somebody brings, and whether it is kept. Raises `RefusedError`: ``no-uploads``."""
        if not self.may_be_brought:
            raise RefusedError("no-uploads")
        name = f"brought-{sha256(text.encode('utf-8', 'replace')).hexdigest()}"
        return name, name in self._brought


def _source(rules: de.Ruleset) -> Source:
    return tuple((file["asked"], file["name"], file["text"]) for file in rules.to_json()["cardset"])


@lru_cache(32)
def _opened(source: Source) -> Document:
    """A card set that was found sound before."""
    by_name = {asked: (name, text.encode()) for asked, name, text in source}
    name, text = by_name[""]
    document, findings = open_document(text, name, by_name.get)
    if document is None:
        raise RefusedError("wrong-card-set", _told(findings))
    return document


@lru_cache(_MOST_GAMES)
def _rules(source: Source, variants: tuple[str, ...] = ()) -> de.Ruleset:
    return rules_in(_opened(source), variants)


def bring(text: str) -> tuple[Source, dict[str, Any]]:
    """The texts of a card set that somebody brought, with those that it extends; and its game as a table keeps it.

    Raises `RefusedError`: ``wrong-card-set`` with what is wrong and where.
    """
    opened = open_bytes(_FROM_THE_SHELF, "your card set", text.encode("utf-8", "replace"))
    if opened.document is None:
        raise RefusedError("wrong-card-set", _told(opened.findings))
    try:
        rules = rules_in(opened.document, ())
        game = rules.game()
    except de.CardSetError as error:
        raise RefusedError("wrong-card-set", _told(error.findings)) from error
    except de.SelectionError as error:
        raise RefusedError("wrong-card-set", str(error)) from error
    return _source(rules), head_of(game)


def entry(name: str, source: Source, language: str = "en") -> dict[str, Any]:
    """A card set with its variants, for the lobby; its texts in a language, if it has that."""
    rules = _rules(source)
    model, game = rules.model, rules.game()
    labels = game.labels_in(language_for(game, language))
    shown = rules_shown(game, labels.language)
    counted = [card for card in model.cards if card.count]
    facts = facts_of(rules, CardSetPhraser(model, labels.language, rules.possible_players))
    return {
        "id": name,
        "title": labels.title,
        "languages": shown["languages"],
        "text": labels.text(model.about.text),
        "players": list(rules.players),
        "usual": rules.usual_players,
        "rounds": model.rounds,
        "minutes": model.about.minutes,
        "patterns": shown["patterns"],
        "drawn": {card.id: shown["drawn"][card.id] for card in counted[:: max(1, len(counted) // 3)][:3]},
        "variants": [
            {"id": variant.id, "title": variant.title, "text": variant.text, "group": variant.group}
            for variant in facts.variants
        ],
        "allowances": rules.allowances,
        "menus": [
            {"title": name.replace("_", " ").capitalize(), "variants": list(own)} for name, own in rules.menus.items()
        ],
        "played": list(rules.selection.variants),
        "readings": [
            {
                "id": question.id,
                "question": question.text,
                "reason": question.reason,
                "usual": question.chosen,
                "options": [{"id": name, "text": text} for name, text in question.options],
            }
            for question in facts.questions
        ],
    }


def problems(source: Source, variants: Sequence[str], players: int) -> dict[str, Any]:
    """Why a selection cannot be played, and for each variant why it could not be chosen beside the others."""
    rules = _rules(source)
    known = {own.id: own for own in rules.model.variants}
    readings = {f"{own.id}={option.id}" for own in rules.model.readings for option in own.options}
    if not set(variants) <= known.keys() | readings:
        raise RefusedError("cannot-be-played")
    variants = [own for own in variants if own in known]
    fewest, most = rules.players
    count = min(max(players, fewest), most)
    return {
        "now": list(rules.objections(variants, count)),
        "beside": {
            own.id: list(rules.objections(_with(variants, own, known, rules.allowances), count))
            for own in rules.model.variants
            if own.id not in variants
        },
    }


def head(source: Source, variants: Sequence[str], players: int) -> dict[str, Any]:
    """What a table keeps of the rules of a selection. Raises `RefusedError`: ``cannot-be-played``."""
    return head_of(game_of(source, tuple(variants), players))


def head_of(game: de.Game) -> dict[str, Any]:
    """What a table keeps of a game."""
    return {"rules": game.ruleset.to_json(), "players": game.players, "fingerprint": game.fingerprint}


def game_of(source: Source, variants: tuple[str, ...], players: int) -> de.Game:
    """The game of a selection. Raises `RefusedError`: ``cannot-be-played``."""
    try:
        rules = _rules(source, variants)
        declared = {own.id for own in rules.model.parameters}
        if any(own not in declared for own, _ in rules.selection.parameters):  # a number of the file by its path
            raise RefusedError("cannot-be-played")
        return rules.game(players)
    except (de.CardSetError, de.SelectionError) as error:
        raise RefusedError("cannot-be-played", str(error)) from error


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
