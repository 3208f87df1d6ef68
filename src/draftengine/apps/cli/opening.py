"""From what is named on the command line to a card set and a game, or to a problem in words."""

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
    """The card set of a name. Raises `UsageError` if there is none, `RefusedError` if it has errors."""
    with in_words():
        return document_in(name, *read_bytes(name))


def document_in(name: str, label: str, data: bytes) -> Document:
    """The card set in what was read under a name. Raises `RefusedError` with what ``validate`` finds in its rules.

    Card sets that come with the package are known to be sound, and are not checked again.
    """
    opened = open_bytes(name, label, data)
    if opened.document is None or name not in shipped():
        from draftengine.api.scenario.checks import check_rules

        findings = check_rules(opened)
        if has_errors(findings):
            raise RefusedError(findings)
    assert opened.document is not None, "without errors there is a document"
    return opened.document


@contextmanager
def in_words() -> Iterator[None]:
    """What is wrong with a card set or with what was selected of it becomes a problem in words.

    Raises `UsageError` for what is wrong on the command line, `RefusedError` for what is wrong in a file.
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
    """The rules of a card set with what was selected by ``--variant``. Raises `UsageError`, `RefusedError`."""
    document = document_named(name)
    with in_words():
        return rules_in(document, variants or ())


def game_named(name: str, variants: Iterable[str] | None, players: int | None, *, at_least: int = 1) -> Game:
    """The game of a card set for so many players (as many as is usual, and not fewer than `at_least`).

    Raises `UsageError`, `RefusedError`.
    """
    rules = rules_of(name, variants)
    with in_words():
        return rules.game(players or max(rules.usual_players, at_least))
