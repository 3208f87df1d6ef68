"""From what is named on the command line to a card set and a compiled game, or to a problem in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from draftengine.cardset.resolve import allowed, parse_selection, resolve
from draftengine.cli.problems import RefusedError, UsageError
from draftengine.diagnostics.finding import has_errors
from draftengine.diagnostics.suggest import did_you_mean
from draftengine.library import CardSetError, NoSuchCardSetError, load_program, open_bytes, read_bytes

if TYPE_CHECKING:
    from collections.abc import Iterable

    from draftengine.cardset.resolve import Document, Selection
    from draftengine.diagnostics.finding import Diagnostic
    from draftengine.engine.program import Program

USUAL_PLAYERS = 3
"""How many play if nobody says so and the game allows it: enough that hands travel, few enough for one screen."""


def document_named(name: str) -> Document:
    """The card set of a name. Raises `UsageError` if there is none, `RefusedError` if it has errors."""
    return document_in(name, *bytes_named(name))


def bytes_named(name: str) -> tuple[str, bytes]:
    """The shown name and the bytes of what a name leads to. Raises `UsageError` if that is nothing."""
    try:
        return read_bytes(name)
    except NoSuchCardSetError as error:
        raise UsageError(no_such_card_set(error)) from None


def document_in(name: str, shown: str, data: bytes) -> Document:
    """The card set in what was read under a name. Raises `RefusedError` if it has errors."""
    opened = open_bytes(name, shown, data)
    if opened.document is None:
        raise RefusedError(opened.findings)
    return opened.document


def no_such_card_set(error: NoSuchCardSetError) -> str:
    """What to do about a name that is no card set."""
    if not error.known:
        return f"{error}."
    hint = did_you_mean(error.name, error.known) or f"There are {', '.join(error.known)}."
    return f"There is no card set or file “{error.name}”. {hint}"


def selection_of(document: Document, texts: Iterable[str] | None) -> Selection:
    """What was selected with ``--variant``. Raises `UsageError`, `RefusedError`."""
    try:
        selection = parse_selection(texts or ())
    except ValueError as error:
        raise UsageError(str(error)) from None
    _refuse(resolve(document, selection)[1])
    return selection


def program_of(document: Document, selection: Selection, players: int) -> Program:
    """The compiled game. Raises `UsageError` if so many can't play it, `RefusedError` if it has errors."""
    fewest, most = players_of(document, selection)
    if not fewest <= players <= most:
        span = f"{fewest}" if fewest == most else f"{fewest} to {most}"
        raise UsageError(f"This game is for {span} players, not {players}.")
    try:
        return load_program(document, selection, players)
    except CardSetError as error:
        _refuse(error.findings)
        raise


def players_of(document: Document, selection: Selection) -> tuple[int, int]:
    """The fewest and the most players under a selection."""
    model, findings = resolve(document, selection)
    if model is None:
        _refuse(findings)
        return document.players
    return model.min_players, model.max_players


def usual_players(document: Document, selection: Selection) -> int:
    """A number of players that suits a selection, near the usual one."""
    fewest, most = players_of(document, selection)
    counts = sorted(range(fewest, most + 1), key=lambda count: (abs(count - USUAL_PLAYERS), count))
    return next((count for count in counts if not allowed(document, selection.variants, count, selection)), counts[0])


def _refuse(findings: Iterable[Diagnostic]) -> None:
    """Raise what findings amount to: those about the command line are wrong usage."""
    findings = tuple(findings)
    if not has_errors(findings):
        return
    said = [own for own in findings if own.span.source.name == "selection" and own.severity == "error"]
    if said:
        raise UsageError(" ".join(part for own in said for part in (own.message, own.hint) if part))
    raise RefusedError(findings)
