"""Card sets to play on the server: its operator offers some, and people upload others."""

from __future__ import annotations

from collections import OrderedDict
from functools import lru_cache
from hashlib import sha256
from typing import TYPE_CHECKING, Any

import draftengine as de
from draftengine.api.facts import Facts
from draftengine.api.phrasing import CardSetPhraser
from draftengine.api.ruleset import rules_in
from draftengine.api.scenario.suite import check_rules
from draftengine.apps.web import RefusedError
from draftengine.apps.web.messages import language_for, rules_shown, samples
from draftengine.model.library import open_text
from draftengine.model.selection import open_document
from draftengine.model.shelf import fetcher
from draftengine.support.locale import spoken

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from draftengine.model.selection import Document, Fetch

Source = tuple[tuple[str, str, str], ...]
"""The texts of a card set and of those it extends, as (name in `extends`, file name, text)."""
_MOST_GAMES = 64
"""The number of selections whose rules a process keeps in memory."""
_MOST_BROUGHT = 64
"""The number of uploaded card sets that are kept. Tables have their own copies of the texts."""
_MOST_TOLD = 5
"""The largest number of errors of a card set in the text of a message."""
_FROM_THE_SHELF = "-"
"""The path to use for an uploaded card set. With it, `extends` finds shipped card sets, but no files."""


class Catalogue:
    """Texts of card sets by name. The constructor raises the same errors as `de.open_rules`."""

    def __init__(self, names: Iterable[str], brought: bool = True) -> None:  # noqa: FBT001, FBT002 (a switch of the command)
        self.may_be_brought = brought
        """True if people may upload card sets."""
        self._served: dict[str, Source] = {}
        self._brought: OrderedDict[str, Source] = OrderedDict()
        for name in names:
            rules = de.open_rules(name)
            self._served.setdefault(rules.model.id, _source(rules))

    @property
    def served(self) -> list[tuple[str, Source]]:
        """The names and texts of the card sets that the server offers."""
        return list(self._served.items())

    def source(self, name: str) -> Source:
        """Return the texts of a card set. Raises `RefusedError`: ``no-such-set``."""
        found = self._served.get(name) or self._brought.get(name)
        if found is None:
            raise RefusedError("no-such-set")
        return found

    def keep(self, name: str, source: Source) -> None:
        """Store an uploaded card set. If there are too many, the oldest one is dropped."""
        self._brought[name] = source
        if len(self._brought) > _MOST_BROUGHT:
            self._brought.popitem(last=False)

    def name_for(self, text: str, files: Source = ()) -> tuple[str, bool]:
        """Return the name for an uploaded text that may extend `files`, and True if it is stored already.

        Raises `RefusedError`: ``no-uploads``.
        """
        if not self.may_be_brought:
            raise RefusedError("no-uploads")
        name = f"brought-{sha256(repr((text, files) if files else text).encode('utf-8', 'replace')).hexdigest()}"
        return name, name in self._brought


def _source(rules: de.Ruleset) -> Source:
    return tuple((file["asked"], file["name"], file["text"]) for file in rules.to_json()["cardset"])


@lru_cache(32)
def _opened(source: Source) -> Document:
    """Return the card set with these texts, which were checked before.

    Raises `RefusedError` if they have errors nevertheless.
    """
    by_name = {asked: (name, text.encode()) for asked, name, text in source}
    name, text = by_name[""]
    document, findings = open_document(text, name, by_name.get)
    if document is None:
        raise _refusal(findings)
    return document


@lru_cache(_MOST_GAMES)
def _rules(source: Source, variants: tuple[str, ...] = ()) -> de.Ruleset:
    return rules_in(_opened(source), variants)


def reader_of(files: Source) -> Fetch:
    """Return a function that finds the files that a text may extend: `files` and shipped card sets."""
    known = {asked: (name, text.encode("utf-8", "replace")) for asked, name, text in files}
    shelf = fetcher(_FROM_THE_SHELF)
    return lambda wanted: known.get(wanted.removesuffix(".yaml").removesuffix(".yml")) or shelf(wanted)


def bring(text: str, language: str = "en", files: Source = ()) -> tuple[Source, dict[str, Any]]:
    """Check an uploaded card set. Return its texts, those of its bases, and the description of its game.

    Raises `RefusedError` (``wrong-card-set``) with the errors and their places, worded in `language`.
    """
    opened = open_text("your card set", text.encode("utf-8", "replace"), reader_of(files))
    if opened.document is None:
        raise _refusal(check_rules(opened), language)
    try:
        rules = rules_in(opened.document, ())
        game = rules.game()
    except de.CardSetError as error:
        raise _refusal(check_rules(opened), language) from error
    except de.SelectionError as error:
        raise RefusedError("wrong-card-set", english=str(error)) from error
    return _source(rules), head_of(game)


def entry(name: str, source: Source, language: str = "en") -> dict[str, Any]:
    """Return the description of a card set for the lobby, in `language` if the card set has it."""
    rules = _rules(source)
    model, game = rules.model, rules.game()
    labels = game.labels_in(language_for(game, language))
    shown = rules_shown(game, labels.language)
    facts = Facts(rules, CardSetPhraser(model, labels.language, rules.possible_players))
    applies_with = {reading.id: list(reading.variants) for reading in model.readings}
    return {
        "id": name,
        "title": labels.title,
        "languages": shown["languages"],
        "text": labels.text(model.about.text),
        "players": list(rules.players),
        "usual": rules.usual_players,
        "rounds": model.last_round,
        "minutes": model.about.minutes,
        "drawn": {card: shown["drawn"][card] for card in samples(model)},
        "variants": [
            {"id": variant.id, "title": variant.title, "text": variant.text, "group": variant.group}
            for variant in facts.variants
        ],
        "allowances": rules.allowances,
        "groups": {group.id: group.title for group in facts.groups},
        "menus": [{"title": menu.title, "variants": list(menu.variants)} for menu in facts.menus],
        "played": list(rules.selection.variants),
        "readings": [
            {
                "id": question.id,
                "question": question.text,
                "reason": question.reason,
                "usual": question.chosen,
                "with": applies_with[question.id],
                "players": list(question.players),
                "options": [{"id": name, "text": text} for name, text in question.options],
            }
            for question in facts.questions
            if question.raised or applies_with[question.id]
        ],
        "exclusions": list(facts.exclusions),
    }


def problems(source: Source, variants: Sequence[str], players: int, language: str = "en") -> dict[str, Any]:
    """Return why a selection cannot be played, and why each further variant cannot be added to it."""
    rules = _rules(source)
    known = {own.id: own for own in rules.model.variants}
    readings = {f"{own.id}={option.id}" for own in rules.model.readings for option in own.options}
    if not set(variants) <= known.keys() | readings:
        raise RefusedError("cannot-be-played")
    variants = [own for own in variants if own in known]
    fewest, most = rules.players
    count = min(max(players, fewest), most)
    beside = {}
    for variant in rules.model.variants:
        if variant.id not in variants:
            # In a full group, a variant takes the place of the first one.
            peers = [other for other in variants if variant.group and known[other].group == variant.group]
            gone = peers[:1] if len(peers) >= rules.allowances.get(variant.group or "", 1) else []
            chosen = [*(other for other in variants if other not in gone), variant.id]
            beside[variant.id] = list(rules.objections(chosen, count, language))
    return {"now": list(rules.objections(variants, count, language)), "beside": beside}


def head(source: Source, variants: Sequence[str], players: int, language: str = "en") -> dict[str, Any]:
    """Return the data that a table stores of a selection. Raises `RefusedError`: ``cannot-be-played``."""
    return head_of(game_of(source, tuple(variants), players, language))


def head_of(game: de.Game) -> dict[str, Any]:
    """Return the data that a table stores about its game: rules, number of players and fingerprint."""
    return {"rules": game.ruleset.to_json(), "players": game.players, "fingerprint": game.fingerprint}


def game_of(source: Source, variants: tuple[str, ...], players: int, language: str = "en") -> de.Game:
    """Return the game of a selection. Raises `RefusedError`: ``cannot-be-played``, with reasons."""
    why = ""
    try:
        rules = _rules(source, variants)
        why = " ".join(rules.objections(rules.selection.variants, players, language))
        declared = {own.id for own in rules.model.parameters}
        if any(own not in declared for own, _ in rules.selection.parameters):  # a path to a number in the file
            raise RefusedError("cannot-be-played")
        return rules.game(players)
    except (de.CardSetError, de.SelectionError) as error:
        raise RefusedError("cannot-be-played", why, english=str(error)) from error


def _refusal(findings: Iterable[de.Finding], language: str = "en") -> RefusedError:
    """Return the refusal of a card set, with its errors, places and hints."""
    words = spoken(language)
    errors = [
        {
            "line": finding.span.position[0],
            "column": finding.span.position[1],
            "message": finding.message_in(words),
            "hint": finding.hint_in(words),
        }
        for finding in findings
        if finding.severity == "error"
    ]
    lines = [words.phrase("detail.line", number=error["line"], text=error["message"]) for error in errors[:_MOST_TOLD]]
    text = "\n".join([*lines, *(["…"] if len(errors) > _MOST_TOLD else [])])
    return RefusedError("wrong-card-set", text, findings=errors)
