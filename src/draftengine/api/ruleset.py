"""Rulesets: a card set with the variants, readings and parameters selected for it."""

from __future__ import annotations

from functools import cache, cached_property, lru_cache, partial, reduce
from pathlib import PurePath
from reprlib import repr as brief
from typing import TYPE_CHECKING, Any

from draftengine.api.errors import SelectionError, join_list
from draftengine.api.game import Game
from draftengine.api.labels import Labels
from draftengine.engine.compile import compile_game
from draftengine.model.checks import run as run_checks
from draftengine.model.diagnostics.diagnostic import has_errors
from draftengine.model.library.library import CardSetError, open_set
from draftengine.model.records.values import is_whole
from draftengine.model.selection import (
    NOTHING_SELECTED,
    Selection,
    allowances_in,
    allowed,
    fingerprint,
    menus_in,
    open_document,
    parse_selection,
    resolved,
    with_menus,
)
from draftengine.support.locale.phrases import Phrase, said

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from os import PathLike

    from draftengine.engine.compile.formulas import Heard
    from draftengine.engine.program import Program
    from draftengine.model.cardset.records import CardSet
    from draftengine.model.diagnostics.diagnostic import Diagnostic
    from draftengine.model.selection import Document
    from draftengine.model.yaml.tree import Mapping as Tree
    from draftengine.support.locale.phrases import Text

USUAL_PLAYERS = 3
"""The default number of players: enough that hands travel, few enough for one screen."""

Files = tuple[tuple[str, str, bytes], ...]
"""A card set and the files it extends, as (name asked for, name to show, text).

The card set itself is asked for as ``""``.
"""


class Ruleset:
    """A card set under a selection, for any number of players. Games are compiled on demand and kept.

    The constructor raises `SelectionError` if the selection cannot be played, and `CardSetError` if the resulting rules
    have errors.
    """

    def __init__(self, document: Document, selection: Selection = NOTHING_SELECTED) -> None:
        self.document = document
        self.selection = selection = with_menus(document, selection)
        self._games: dict[int, Game] = {}
        self._labels: dict[str, Labels] = {}
        self.tree: Tree
        """The YAML tree with all overlays of the selection applied."""
        self.model: CardSet
        """The card set that was read from the tree, without errors."""
        tree, model, findings = resolved(document, selection)
        _refuse(findings)
        assert tree is not None, "without errors there is a tree"
        assert model is not None, "without errors there is a model"
        self.tree, self.model = tree, model

    def __reduce__(self) -> tuple[Any, ...]:
        return reopened, (self.files, self.selection)

    @cached_property
    def fingerprint(self) -> str:
        """The hash of the rules: of everything that affects play, without labels."""
        return fingerprint(self.document, self.selection, self.tree)

    @property
    def players(self) -> tuple[int, int]:
        """The lowest and the highest number of players."""
        return self.model.min_players, self.model.max_players

    @property
    def usual_players(self) -> int:
        """The number of players nearest to `USUAL_PLAYERS` that can play the selection."""
        fewest, most = self.players
        counts = sorted(range(fewest, most + 1), key=lambda count: (abs(count - USUAL_PLAYERS), count))
        return next((count for count in counts if not self._objections(count)), counts[0])

    @cached_property
    def possible_players(self) -> tuple[int, ...]:
        """Numbers of players that can play the selection."""
        fewest, most = self.players
        return tuple(count for count in range(fewest, most + 1) if not self.objections(self.selection.variants, count))

    @property
    def menus(self) -> dict[str, tuple[str, ...]]:
        """Variants of each named menu."""
        return menus_in(self.document.root)

    @property
    def allowances(self) -> dict[str, int]:
        """The number of variants of a group that may be played together, where it is not one."""
        return allowances_in(self.document.root)

    def _objections(self, players: int) -> tuple[Diagnostic, ...]:
        return tuple(allowed(self.document, self.selection.variants, players, self.selection))

    def objections(self, variants: Iterable[str], players: int, language: str = "en") -> tuple[str, ...]:
        """Return sentences for players that say why this number of them cannot play with these variants."""
        findings = allowed(self.document, tuple(variants), players, self.selection)
        refusals = [finding.text for finding in findings if finding.severity == "error"]
        return tuple(_objection(phrase, players, self.labels_in(language)) for phrase in refusals)

    def labels_in(self, language: str) -> Labels:
        """Return what things are called in a language."""
        if language not in self._labels:
            self._labels[language] = Labels(self.model, language)
        return self._labels[language]

    def game(self, players: int | None = None) -> Game:
        """Return the game for a number of players, by default `usual_players`.

        Raises `SelectionError` if that number cannot play, `CardSetError` if the game has errors with that number.
        """
        count = self.usual_players if players is None else players
        if not is_whole(count):
            raise SelectionError(f"players is a whole number, such as {self.usual_players}, not {brief(count)}.")
        if count not in self._games:
            self._games[count] = Game(self, self._compiled(count))
        return self._games[count]

    def heard(self, players: int, heard: Heard) -> Game:
        """Return a game in which `heard` is called with every condition that is evaluated.

        Raises as `game` does.
        """
        return Game(self, self._compiled(players, heard))

    def _compiled(self, players: int, heard: Heard | None = None) -> Program:
        fewest, most = self.players
        if not fewest <= players <= most:
            span = f"{fewest}" if fewest == most else said("range.to", low=fewest, high=most)
            raise SelectionError(said("selection.players", range=span, players=players), "players")
        _refuse(self._objections(players))
        _refuse(run_checks(self.model, (players,)))
        return compile_game(self.model, players, self.fingerprint, heard)

    @property
    def plain(self) -> Ruleset | None:
        """This card set with nothing selected; ``None`` if nothing is selected here."""
        return Ruleset(self.document) if self.selection != NOTHING_SELECTED else None

    @property
    def base(self) -> Ruleset | None:
        """The card set that this one extends, unchanged; ``None`` if it extends nothing."""
        files = self.files[1:] if self.document.extends is not None else ()
        return reopened((("", *files[0][1:]), *files[1:]), NOTHING_SELECTED) if files else None

    @property
    def files(self) -> Files:
        """Texts from which the rules were read."""
        read = (*self.document.files, *self.document.parts)
        return tuple((file.asked, file.source.name, file.source.text.encode()) for file in read)

    def to_json(self) -> dict[str, Any]:
        """Return the rules as plain data: the texts of their files, and the selection.

        Directories are left out, so the data says nothing about the machine. `rules_in_json` reads it.
        """
        return {
            "cardset": [
                {"asked": asked, "name": PurePath(name).name, "text": text.decode()} for asked, name, text in self.files
            ],
            "variants": list(self.selection.variants),
            "readings": dict(self.selection.readings),
            "parameters": dict(self.selection.parameters),
        }


def _refuse(findings: Iterable[Diagnostic]) -> None:
    """Raise an error if findings include errors: `SelectionError` if any is about the selection.

    Other errors raise `CardSetError`.
    """
    problems = tuple(findings)
    if not has_errors(problems):
        return
    refusals = [
        finding for finding in problems if finding.span.source.name == "selection" and finding.severity == "error"
    ]
    if refusals:
        names = [name for finding in refusals for name in finding.names]
        parts = (part for finding in refusals for part in (finding.text, finding.advice) if part)
        reason = reduce(lambda first, second: said("hint.both", first=first, second=second), parts)
        raise SelectionError(reason, *names)
    raise CardSetError(problems)


def _objection(phrase: Text, players: int, labels: Labels) -> str:
    """Return the sentence of a finding about a selection, with titles in place of ids."""
    key = f"objection.{phrase.id}" if isinstance(phrase, Phrase) else ""
    if isinstance(phrase, str) or not labels.speech.has(key):
        return labels.speech.phrase("objection.other", players=players)
    given = {
        name: labels.variant(str(value))
        if name in {"one", "other", "variant", "name"}
        else str(value).replace("_", " ")
        if name == "group"
        else value
        for name, value in phrase.given
    }
    return labels.speech.phrase(key, **given)


@lru_cache(32)
def reopened(files: Files, selection: Selection) -> Ruleset:
    """Return the rules for `Ruleset.files` and a selection, from another process or a saved game.

    Raises as `Ruleset` does.
    """
    by_name = {asked: (name, text) for asked, name, text in files}
    name, text = by_name[""]
    document, findings = open_document(text, name, by_name.get)
    if document is None:
        raise CardSetError(findings)
    return Ruleset(document, selection)


def rules_in_json(data: Mapping[str, Any]) -> Ruleset:
    """Return the rules that `Ruleset.to_json` wrote.

    Raises `CardSetError` and `SelectionError` if this version refuses them, and `KeyError`, `TypeError` or
    `AttributeError` for data of another form.
    """
    files = tuple((file["asked"], file["name"], file["text"].encode()) for file in data["cardset"])
    selection = Selection(tuple(data["variants"]), tuple(data["readings"].items()), tuple(data["parameters"].items()))
    return reopened(files, selection)


def as_typed(selection: Selection) -> list[str]:
    """Return a selection as values of ``--variant``."""
    settings = (*selection.readings, *selection.parameters)
    return [*selection.variants, *(f"{name}={value}" for name, value in settings)]


def games_of(document: Document, heard: Heard | None = None) -> Callable[[Selection, int], Game]:
    """Return a function from selection and number of players to a game, which is compiled once.

    `heard` is called with every condition that is evaluated (see `Ruleset.heard`).
    """
    rules = cache(partial(Ruleset, document))
    if heard is None:
        return lambda selection, players: rules(selection).game(players)
    return cache(lambda selection, players: rules(selection).heard(players, heard))


def rules_named(name: str | PathLike[str], variants: str | Iterable[str] = ()) -> Ruleset:
    """Return the rules of a card set, named by path, by id, or ``-`` for standard input.

    `variants` are written as for ``--variant``: ``NAME``, ``NAME:PARAMETER=3``, ``READING=OPTION``. Raises
    `NoSuchCardSetError`, `CardSetError` and `SelectionError`.
    """
    opened = open_set(name)
    if opened.document is None:
        raise CardSetError(opened.findings)
    return rules_in(opened.document, variants)


def rules_in(document: Document, variants: str | Iterable[str] = ()) -> Ruleset:
    """Return the rules of an opened card set. Raises `CardSetError` and `SelectionError`."""
    try:
        selection = parse_selection(_texts(variants))
    except ValueError as error:
        raise SelectionError(str(error)) from None
    return Ruleset(document, selection)


def load(
    name: str | PathLike[str],
    players: int | None = None,
    variants: str | Iterable[str] = (),
    menu: str | Iterable[str] = (),
) -> Game:
    """Return a game, ready to be started: `load("my_game.yaml", players=4, variants=["two_rounds"])`.

    Name the card set by path, by the id of one in the package, or by ``-`` for standard input. `variants` are one or
    several, written as for ``--variant``. `menu` is the name of a menu, or the variants of one. Without `players`,
    `Ruleset.usual_players` is used.

    Raises `NoSuchCardSetError`, `SelectionError`, and `CardSetError`, whose `findings` say what is wrong and where.
    """
    return rules_named(name, (*_texts(variants), *_texts(menu))).game(players)


def _texts(given: str | Iterable[str]) -> tuple[str, ...]:
    """Return one text or several as a tuple. Raises `SelectionError` for anything else."""
    texts = (given,) if isinstance(given, str) else join_list(given)
    if not isinstance(texts, tuple) or not all(isinstance(text, str) for text in texts):
        raise SelectionError(f"variants are texts, as after --variant, or one text; not {brief(given)}.")
    return texts
