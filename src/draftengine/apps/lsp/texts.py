"""Texts that are open in an editor, with findings, trees and rules."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from draftengine.api.errors import SelectionError
from draftengine.api.labels import Labels
from draftengine.api.ruleset import rules_in
from draftengine.api.scenario.suite import check_opened, run_bytes
from draftengine.model.diagnostics.diagnostic import has_errors
from draftengine.model.library.library import CardSetError, NoSuchCardSetError, fetcher, open_text
from draftengine.model.selection import open_document
from draftengine.model.yaml.load import load_last, read_source
from draftengine.model.yaml.tree import Mapping, Scalar
from draftengine.studies.playtest import playtest
from draftengine.support.source import Source

if TYPE_CHECKING:
    from collections.abc import Callable

    from draftengine.model.diagnostics.diagnostic import Diagnostic
    from draftengine.model.library.library import LibraryEntry
    from draftengine.model.selection import Document

    Check = Callable[[LibraryEntry], tuple[Diagnostic, ...]]


class DocumentInfo(Struct):
    """Everything known about one text."""

    path: str
    source: Source
    tree: Mapping | None
    """The tree of the present text; ``None`` while the text is not valid YAML."""
    findings: tuple[Diagnostic, ...]
    document: Document | None
    """The card set with everything that it extends, in its last version without errors."""
    labels: Labels | None
    """The labels in the last version without errors."""
    last_tree: Mapping | None
    """The last tree that could be read."""

    base: Mapping | None = None
    """The tree of the game that the text extends."""
    opened: LibraryEntry | None = None
    """The present text as a card set; ``None`` for scenarios."""

    @property
    def is_scenarios(self) -> bool:
        """True if this is a file of scenarios, not a card set."""
        return self.last_tree is not None and self.last_tree.get("cardset") is not None

    @property
    def merged(self) -> Mapping | None:
        """The tree of the card set with everything that it extends, if there is one; else of the text alone."""
        return self.document.root if self.document else self.last_tree

    def play(self) -> tuple[Diagnostic, ...]:
        """Return the findings of a few hundred games; none if the text has errors."""
        if self.is_scenarios or self.tree is None or self.document is None or has_errors(self.findings):
            return ()
        return playtest(self.document, self.findings)


def from_disk(path: str, wanted: str) -> tuple[str, bytes] | None:
    """Return name and bytes of a file that the file at `path` extends: from its folder, or shipped.

    Raises `NoSuchCardSetError` if it cannot be read.
    """
    file = fetcher(path)(wanted)
    return (str(Path(file[0]).resolve()), file[1]) if file else None


class OpenDocuments:
    """Open texts by path.

    Files that they extend are taken from the editor if they are open there, else from `read`. Scenario files are run
    only if they are on disk, beside the card sets that they name.
    """

    def __init__(self, read: Callable[[str, str], tuple[str, bytes] | None] = from_disk) -> None:
        self._read = read
        self.known: dict[str, DocumentInfo] = {}
        self._open: dict[str, str] = {}

    def put(self, path: str, text: str, check: Check = check_opened) -> DocumentInfo:
        """Return what is known of a text that was opened or changed, with the findings of `check`."""
        self._open[path] = text
        before = self.known.get(path)
        source = Source(path, text)
        data = text.encode("utf-8", "surrogatepass")
        read, unreadable = read_source(data, path)
        tree = None if unreadable else load_last(read)[0]
        known = DocumentInfo(path, source, tree, (), None, None, tree or (before.last_tree if before else None))
        if known.is_scenarios and self._read is from_disk:
            try:
                outcomes = run_bytes(path, path, data)
                known.findings = tuple(finding for outcome in outcomes for finding in outcome.findings)
            except CardSetError as error:
                known.findings = error.findings
            except NoSuchCardSetError:
                known.findings = ()
            node, file = known.last_tree.get("cardset") if known.last_tree else None, None
            if isinstance(node, Scalar):
                with suppress(NoSuchCardSetError):
                    file = self._fetch(path, str(node.value))
            if file is not None:
                document, _ = open_document(file[1], file[0], lambda wanted: self._fetch(file[0], wanted))
                self._keep(known, document)
        else:
            known.opened = open_text(path, data, lambda wanted: self._fetch(path, wanted))
            known.findings = check(known.opened)
            self._keep(known, known.opened.document)
        if before is not None and known.document is None:
            known.document = before.document
        if before is not None and known.labels is None:
            known.labels = before.labels
        self.known[path] = known
        return known

    def close(self, path: str) -> None:
        """Forget a text that was closed."""
        self._open.pop(path, None)
        self.known.pop(path, None)

    def others(self, path: str) -> list[DocumentInfo]:
        """Check again the other open texts that extend, or may extend, the text at `path`."""
        waiting = [
            other
            for other in self.known.values()
            if other.path != path
            and (other.document is None or any(file.source.name == path for file in other.document.files))
        ]
        return [self.put(other.path, other.source.text) for other in waiting]

    def _fetch(self, path: str, wanted: str) -> tuple[str, bytes] | None:
        name = wanted if wanted.endswith((".yaml", ".yml")) else f"{wanted}.yaml"
        near = str(Path(path).parent / name)
        if near in self._open:
            return near, self._open[near].encode()
        return self._read(path, wanted)

    def _keep(self, known: DocumentInfo, document: Document | None) -> None:
        known.document = document
        if document is None:
            return
        if len(document.files) > 1:
            asked = document.files[1].asked
            file = self._fetch(document.files[0].source.name, asked)
            base = open_document(file[1], file[0], lambda wanted: self._fetch(file[0], wanted))[0] if file else None
            known.base = base.root if base else None
        try:
            known.labels = Labels(rules_in(document).model)
        except (CardSetError, SelectionError):
            known.labels = None
