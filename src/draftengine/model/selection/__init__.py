"""From bytes to a game: a card set is opened as a document, which a selection then turns into a game.

This package reads no files: the caller provides the bytes for each name that `extends` or `include` states.
"""

from draftengine.model.selection.compatibility import (
    MAX_COMBINATIONS,
    allowed,
    combinations,
    extreme_selections,
    single_selections,
)
from draftengine.model.selection.document import Document, Fetch, File, open_document
from draftengine.model.selection.errors import Findings
from draftengine.model.selection.game import (
    all_findings,
    document_json,
    fingerprint,
    model_of,
    resolve,
    resolve_tree,
    resolved,
    rules_hash,
)
from draftengine.model.selection.overlays import allowances_in, menu_titles_in, menus_in, with_menus
from draftengine.model.selection.selection import NOTHING_SELECTED, Selection, numbers_of, parse_selection, values_of

__all__ = [
    "MAX_COMBINATIONS",
    "NOTHING_SELECTED",
    "Document",
    "Fetch",
    "File",
    "Findings",
    "Selection",
    "all_findings",
    "allowances_in",
    "allowed",
    "combinations",
    "document_json",
    "extreme_selections",
    "fingerprint",
    "menu_titles_in",
    "menus_in",
    "model_of",
    "numbers_of",
    "open_document",
    "parse_selection",
    "resolve",
    "resolve_tree",
    "resolved",
    "rules_hash",
    "single_selections",
    "values_of",
    "with_menus",
]
