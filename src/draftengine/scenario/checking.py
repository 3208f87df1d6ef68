"""Everything that is wrong with a card set, its worked examples included."""

from __future__ import annotations

from typing import TYPE_CHECKING

from draftengine.api.ruleset import games_of
from draftengine.diagnostics.finding import has_errors, ordered
from draftengine.library import examine, open_set
from draftengine.scenario.entries import problems_of

if TYPE_CHECKING:
    from os import PathLike

    from draftengine.diagnostics.finding import Diagnostic


def check(name: str | PathLike[str]) -> tuple[Diagnostic, ...]:
    """The findings about a card set, which is named as for `draftengine.load`: errors and warnings, with their places.

    The base game is checked, each of its variants and each answer of its readings; if there is no error, its worked
    examples are run. Raises `NoSuchCardSetError`.
    """
    opened = open_set(name)
    if opened.document is None:
        return opened.findings
    found = examine(opened.document)
    return found if has_errors(found) else ordered([*found, *problems_of(opened.document, games_of(opened.document))])
