"""Opening of the card sets and games that are named on the command line; errors become messages."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from draftengine.api.errors import SelectionError
from draftengine.api.ruleset import rules_in
from draftengine.apps.cli.errors import RefusedError, UsageError
from draftengine.model.diagnostics.diagnostic import has_errors
from draftengine.model.library.library import CardSetError, NoSuchCardSetError, open_bytes, read_bytes, shipped

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from draftengine.api.game import Game
    from draftengine.api.ruleset import Ruleset
    from draftengine.model.selection import Document


def document_named(name: str) -> Document:
    """Return a card set by name. Raises `UsageError` if there is none, `RefusedError` if it has errors."""
    with in_words():
        return document_in(name, *read_bytes(name))


def document_in(name: str, label: str, data: bytes) -> Document:
    """Return the card set in data read under a name. Raises `RefusedError` with what ``validate`` finds.

    Card sets of the package are known to be right and are not checked again.
    """
    opened = open_bytes(name, label, data)
    if opened.document is None or name not in shipped():
        from draftengine.api.scenario.suite import check_rules

        findings = check_rules(opened)
        if has_errors(findings):
            raise RefusedError(findings)
    assert opened.document is not None, "without errors there is a document"
    return opened.document


@contextmanager
def in_words() -> Iterator[None]:
    """Turn errors of card sets and selections into errors of the command line.

    Raises `UsageError` for the command line, `RefusedError` for the contents of a file.
    """
    try:
        yield
    except NoSuchCardSetError as error:
        raise UsageError(str(error)) from None
    except SelectionError as error:
        raise UsageError(str(error)) from None
    except CardSetError as error:
        raise RefusedError(error.findings) from None


def rules_of(name: str, variants: Iterable[str] | None) -> Ruleset:
    """Return the rules of a card set with these variants. Raises `UsageError`, `RefusedError`."""
    document = document_named(name)
    with in_words():
        return rules_in(document, variants or ())


def game_named(name: str, variants: Iterable[str] | None, players: int | None, *, at_least: int = 1) -> Game:
    """Return the game of a card set; without `players`, for the usual number, at least `at_least`.

    Raises `UsageError`, `RefusedError`.
    """
    rules = rules_of(name, variants)
    with in_words():
        return rules.game(players or max(rules.usual_players, at_least))
