"""Resolving a document and a selection to a game."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from draftengine.model.diagnostics.diagnostic import has_errors, ordered
from draftengine.model.loading.build import build
from draftengine.model.loading.overlay import explained
from draftengine.model.loading.texts import filled
from draftengine.model.schema import REQUIRED
from draftengine.model.schema.validate import validate
from draftengine.model.selection.compatibility import allowed, parameter_findings, reading_findings, single_selections
from draftengine.model.selection.earlier_formats import as_written
from draftengine.model.selection.overlays import apply, in_order, with_menus
from draftengine.model.selection.rules_hash import rules_hash
from draftengine.model.selection.selection import NOTHING_SELECTED, Selection
from draftengine.model.yaml.tree import Mapping
from draftengine.support.identity import IdentityKey

if TYPE_CHECKING:
    from draftengine.model.cardset.records import CardSet
    from draftengine.model.selection.document import Document
    from draftengine.model.selection.errors import Findings


def resolve(
    document: Document, selection: Selection = NOTHING_SELECTED, players: int | None = None
) -> tuple[CardSet | None, Findings]:
    """Return the game of a document under a selection, and the findings.

    The game is ``None`` if the selection or the resulting game has errors. With `players`, the variants must also suit
    that number.
    """
    unsuitable = resolve_tree(document, selection, players)[1] if players is not None else ()
    if has_errors(unsuitable):
        return None, unsuitable
    _, model, findings = resolved(document, selection)
    return model, findings


def resolved(
    document: Document, selection: Selection = NOTHING_SELECTED
) -> tuple[Mapping | None, CardSet | None, Findings]:
    """Return the merged tree and the game of a document under a selection, and the findings.

    Tree and game are ``None`` if they have errors. The last results are cached.
    """
    return _resolved(IdentityKey(document), selection)


@lru_cache(32)
def _resolved(document: IdentityKey[Document], selection: Selection) -> tuple[Mapping | None, CardSet | None, Findings]:
    tree, findings = resolve_tree(document.own, selection)
    if tree is None:
        return None, None, findings
    model, more = model_of(document.own, selection, tree)
    return tree, model, ordered((*findings, *more))


def model_of(document: Document, selection: Selection, tree: Mapping) -> tuple[CardSet | None, Findings]:
    """Return the game that the merged tree of a selection describes; ``None`` if it has errors."""
    selection = with_menus(document, selection)
    model, findings = build(tree, in_order(document, selection.variants), dict(selection.readings))
    if has_errors(findings):
        return None, findings
    model, more = filled(model)
    return model, (*findings, *more)


def resolve_tree(
    document: Document, selection: Selection = NOTHING_SELECTED, players: int | None = None
) -> tuple[Mapping | None, Findings]:
    """Return the merged tree of a document under a selection, or ``None``, and the findings.

    The document itself is valid, so only what the selection changes is validated again.
    """
    selection = with_menus(document, selection)
    findings = [
        *reading_findings(document, selection),
        *allowed(document, selection.variants, players, selection),
        *parameter_findings(document, selection),
    ]
    if findings:
        return None, ordered(findings)
    applied = apply(document, selection)
    root, problems = applied.root, [*applied.findings]
    if root is not document.root:
        before = {id(entry) for entry in document.root.entries}
        kept = {*REQUIRED, "scoring"}
        entries = [entry for entry in root.entries if entry.key.text in kept or id(entry) not in before]
        problems += explained(validate(Mapping(tuple(entries), root.span)), root, applied.writes)
    return (None if has_errors(problems) else root), ordered(problems)


def fingerprint(document: Document, selection: Selection, tree: Mapping) -> str:
    """Return the hash of the rules of a selection, whose merged tree is given, as their author wrote them."""
    if document.upgraded:
        tree = apply(as_written(IdentityKey(document)), with_menus(document, selection)).root
    return rules_hash(tree)


def all_findings(document: Document) -> Findings:
    """Return the findings of the base game, of each variant and of each option, each finding once."""
    findings = list(document.findings)
    for selection in single_selections(document):
        findings += resolve(document, selection)[1]
    return ordered(findings)
