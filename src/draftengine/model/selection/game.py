"""From a document and a selection to a game, and to the hash of its rules.

The hash is computed from the file as its author wrote it, even if this is in an earlier format. This module also
rewrites files of earlier formats.
"""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, Any

from msgspec import Struct
from msgspec.structs import replace

from draftengine.model.diagnostics import has_errors, ordered
from draftengine.model.loading.build import build
from draftengine.model.loading.overlay_hints import explained
from draftengine.model.loading.texts import filled
from draftengine.model.schema.game import REQUIRED
from draftengine.model.schema.validate import validate
from draftengine.model.selection.compatibility import allowed, parameter_findings, reading_findings, single_selections
from draftengine.model.selection.document import Opener
from draftengine.model.selection.overlays import apply, in_order, with_menus
from draftengine.model.selection.selection import NOTHING_SELECTED, Selection
from draftengine.model.yaml.fixes import rewritten
from draftengine.model.yaml.load import load
from draftengine.model.yaml.tree import Mapping, plain, plain_shared
from draftengine.support.identity import by_identity
from draftengine.support.source import Source

if TYPE_CHECKING:
    from draftengine.model.cardset.records import CardSet
    from draftengine.model.selection.document import Document, Fetch
    from draftengine.model.selection.errors import Findings


def resolve(
    document: Document, selection: Selection = NOTHING_SELECTED, players: int | None = None
) -> tuple[CardSet | None, Findings]:
    """Return the game of a document with a selection, and the findings.

    The game is ``None`` if the selection or the game has errors. If `players` is given, the selected variants must also
    be allowed for this number of players.
    """
    unsuitable = resolve_tree(document, selection, players)[1] if players is not None else ()
    if has_errors(unsuitable):
        return None, unsuitable
    _, model, findings = resolved(document, selection)
    return model, findings


@by_identity(32)
def resolved(
    document: Document, selection: Selection = NOTHING_SELECTED
) -> tuple[Mapping | None, CardSet | None, Findings]:
    """Return the merged tree and the game of a document with a selection, and the findings.

    The tree and the game are ``None`` if they have errors. The last results are cached.
    """
    tree, findings = resolve_tree(document, selection)
    if tree is None:
        return None, None, findings
    model, more = model_of(document, selection, tree)
    return tree, model, ordered((*findings, *more))


def model_of(document: Document, selection: Selection, tree: Mapping) -> tuple[CardSet | None, Findings]:
    """Return the game of a merged tree (``None`` if it has errors), and the findings."""
    selection = with_menus(document, selection)
    model, findings = build(tree, in_order(document, selection.variants), dict(selection.readings))
    if has_errors(findings):
        return None, findings
    model, more = filled(model)
    return model, (*findings, *more)


def resolve_tree(
    document: Document, selection: Selection = NOTHING_SELECTED, players: int | None = None
) -> tuple[Mapping | None, Findings]:
    """Return the merged tree of a document with a selection (``None`` if it has errors), and the findings.

    The document is valid. So only the parts that the selection changes are validated again.
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


def all_findings(document: Document) -> Findings:
    """Return the findings of the game without a selection, with each variant, and with each option.

    Each finding occurs once.
    """
    findings = list(document.findings)
    for selection in single_selections(document):
        findings += resolve(document, selection)[1]
    return ordered(findings)


# ── the hash of the rules, and earlier formats ──


def fingerprint(document: Document, selection: Selection, tree: Mapping) -> str:
    """Return the hash of a selection's rules in their original format. `tree` is the merged tree."""
    if document.upgraded:
        tree = apply(as_written(document), with_menus(document, selection)).root
    return rules_hash(tree)


@by_identity(32)
def as_written(document: Document) -> Document:
    """Return the document with the tree in the format in which its author wrote it.

    Such a document cannot be played. It is needed because saves and records identify a game by the hash of its rules.
    """
    files = (*document.files, *document.parts)
    texts = {file.asked: (file.source.name, file.source.text.encode()) for file in files}
    root = Opener(texts.get, as_written=True).open("", *texts[""])
    assert root is not None, "it was opened before"
    return replace(document, root=root)


class RewrittenFile(Struct, frozen=True):
    """The source of a file in an earlier format, and its text in the present format."""

    source: Source
    text: str


def rewritten_files(data: bytes, name: str, fetch: Fetch) -> tuple[tuple[RewrittenFile, ...], Findings]:
    """Return the files of an earlier format, with their texts in the current one; and all findings.

    The files are the given one and those that it includes. If there are errors, some files may be missing from the
    result. In that case, no file should be overwritten.
    """
    opener = Opener(fetch)
    opener.open("", name, data)
    sources = {file.source for file in (*opener.files[:1], *opener.parts[opener.included :])}
    files = []
    for upgrade in (upgrade for upgrade in opener.upgrades if upgrade.source in sources):
        text = rewritten(upgrade.source, upgrade.written, upgrade.upgraded)
        root, _ = load(Source(upgrade.source.name, text))
        assert root is not None, "the text is still YAML"
        assert plain(root) == plain(upgrade.upgraded), "the text says what the tree says"
        files.append(RewrittenFile(upgrade.source, text))
    return tuple(files), ordered(opener.findings)


_NAMED = frozenset(
    {"cards", "counters", "modifiers", "abilities", "zones", "extra_seats", "markers", "chips"}
    | {"parameters", "triggers", "scoring", "adds", "then", "add", "set"}
)
"""Keys of mappings whose keys are names chosen by the author. The order of their entries matters."""

_PRINTED = frozenset({"label", "role", "call", "text", "title", "icon", "source", "assumed"})

_NOT_RULES = frozenset(
    {
        "tokens",
        "families",
        "values",
        "lists",
        "title",
        "version",
        "about",
        "assumed",
        "variants",
        "readings",
        "menus",
        "include",
        "sources",
        "examples",
    }
)


def document_json(root: Mapping) -> dict[str, Any]:
    """Return a merged tree as plain data for JSON."""
    data: dict[str, Any] = plain(root)
    return data


def rules_hash(root: Mapping) -> str:
    """Return the SHA-256 of the rules in a merged tree. Printed texts and layout do not change it."""
    rules = {key: _rules(key, value) for key, value in plain_shared(root).items() if key not in _NOT_RULES}
    text = json.dumps(rules, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode("ascii")).hexdigest()


def _rules(key: str, value: Any) -> Any:
    """Return a value without printed texts.

    Mappings whose keys are the author's names become lists of pairs, because their order must not change.
    """
    if isinstance(value, list):
        return [_rules("", item) for item in value]
    if not isinstance(value, dict):
        return value
    if key in _NAMED:
        return [[name, _rules("", item)] for name, item in value.items()]
    return {name: _rules(name, item) for name, item in value.items() if name not in _PRINTED}
