"""Functions that return rules and games from a card set's name, an opened card set, or plain data."""

from __future__ import annotations

from functools import cache, partial
from reprlib import repr as brief
from typing import TYPE_CHECKING, Any

from draftengine.api.errors import SelectionError, join_list
from draftengine.api.game import Game, Ruleset, reopened
from draftengine.model.library import CardSetError, open_set
from draftengine.model.selection import Selection, parse_selection

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from os import PathLike

    from draftengine.engine.compile.formulas import Heard
    from draftengine.model.selection import Document


def rules_in_json(data: Mapping[str, Any]) -> Ruleset:
    """Return the rules from data that `Ruleset.to_json` returned.

    Raises `CardSetError` and `SelectionError` if this version refuses them, and `KeyError`, `TypeError` or
    `AttributeError` for data of another form.
    """
    files = tuple((file["asked"], file["name"], file["text"].encode()) for file in data["cardset"])
    selection = Selection(tuple(data["variants"]), tuple(data["readings"].items()), tuple(data["parameters"].items()))
    return reopened(files, selection)


def as_typed(selection: Selection) -> list[str]:
    """Return a selection as the values that a user would type for the option ``--variant``."""
    settings = (*selection.readings, *selection.parameters)
    return [*selection.variants, *(f"{name}={value}" for name, value in settings)]


def games_of(document: Document, heard: Heard | None = None) -> Callable[[Selection, int], Game]:
    """Return a function that returns the game for a selection and a number of players.

    The function compiles each game once. Games call `heard` with every condition that they evaluate (see
    `Ruleset.heard`).
    """
    rules = cache(partial(Ruleset, document))
    if heard is None:
        return lambda selection, players: rules(selection).game(players)
    return cache(lambda selection, players: rules(selection).heard(players, heard))


def rules_named(name: str | PathLike[str], variants: str | Iterable[str] = ()) -> Ruleset:
    """Return the rules of a card set. `name` is a path, an id, or ``-`` for standard input.

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

    `name` is a path, the id of a card set in the package, or ``-`` for standard input. `variants` is one variant or
    several, written as for ``--variant``. `menu` is the name of a menu, or the variants in a menu. Without `players`,
    `Ruleset.usual_players` is used.

    Raises `NoSuchCardSetError`, `SelectionError`, and `CardSetError`, whose `findings` say what is wrong and where.
    """
    return rules_named(name, (*_texts(variants), *_texts(menu))).game(players)


def _texts(given: str | Iterable[str]) -> tuple[str, ...]:
    """Return a text, or an iterable of texts, as a tuple. Raises `SelectionError` for anything else."""
    texts = (given,) if isinstance(given, str) else join_list(given)
    if not isinstance(texts, tuple) or not all(isinstance(text, str) for text in texts):
        raise SelectionError(f"variants are texts, as after --variant, or one text; not {brief(given)}.")
    return texts
