"""The server: answers to requests of editors, from what is known of the open texts."""

from __future__ import annotations

import asyncio
import logging
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

from lsprotocol import types
from pygls.exceptions import JsonRpcException
from pygls.lsp.server import LanguageServer
from pygls.uris import from_fs_path, to_fs_path

from draftengine import __version__
from draftengine.apps.lsp.completion import offers
from draftengine.apps.lsp.hover import hover
from draftengine.apps.lsp.names import at_path, declared, locate, name_at, names_in, plain_path
from draftengine.apps.lsp.positions import offset_of, range_of
from draftengine.apps.lsp.texts import OpenDocuments
from draftengine.model.diagnostics.diagnostic import ordered
from draftengine.model.library.library import shipped
from draftengine.model.yaml.load import load
from draftengine.model.yaml.tree import Mapping, Sequence
from draftengine.support.source import Source, Span

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from draftengine.apps.lsp.names import Name
    from draftengine.apps.lsp.texts import DocumentInfo
    from draftengine.model.diagnostics.diagnostic import Diagnostic, Fix
    from draftengine.model.yaml.tree import Node

PAUSE = 0.1
"""The time without a keystroke after which a text is checked, in seconds."""
PLAY_PAUSE = 0.5
"""The further time until a text is played, in seconds."""

_KINDS = {
    "key": types.CompletionItemKind.Property,
    "value": types.CompletionItemKind.Value,
    "function": types.CompletionItemKind.Function,
    "fact": types.CompletionItemKind.Constant,
    "file": types.CompletionItemKind.File,
    "cards": types.CompletionItemKind.Class,
}
_SEVERITIES = {
    "error": types.DiagnosticSeverity.Error,
    "warning": types.DiagnosticSeverity.Warning,
    "note": types.DiagnosticSeverity.Information,
}


class _Server:
    """Handlers of requests and notifications; the constructor registers them."""

    def __init__(self, *, play: bool) -> None:
        self.texts = OpenDocuments()
        self.waiting: dict[str, asyncio.TimerHandle] = {}
        self.play = play
        self.playing: dict[str, asyncio.Task[None]] = {}
        self.io = LanguageServer("draftengine", __version__)
        kinds = [types.CodeActionKind.QuickFix, types.CodeActionKind.SourceFixAll]
        triggers = types.CompletionOptions(trigger_characters=[" ", "{", "[", "("])
        self._answer(types.TEXT_DOCUMENT_HOVER, self.hover)
        self._answer(types.TEXT_DOCUMENT_COMPLETION, self.complete, triggers)
        self._answer(types.TEXT_DOCUMENT_DEFINITION, self.definition)
        self._answer(types.TEXT_DOCUMENT_REFERENCES, self.references)
        self._answer(types.TEXT_DOCUMENT_RENAME, self.rename, types.RenameOptions(prepare_provider=True))
        self._answer(types.TEXT_DOCUMENT_PREPARE_RENAME, self.prepare_rename)
        self._answer(types.TEXT_DOCUMENT_DOCUMENT_SYMBOL, self.symbols)
        self._answer(types.TEXT_DOCUMENT_CODE_ACTION, self.actions, types.CodeActionOptions(code_action_kinds=kinds))
        self._heed(types.TEXT_DOCUMENT_DID_OPEN, self.opened)
        self._heed(types.TEXT_DOCUMENT_DID_CHANGE, self.changed)
        self._heed(types.TEXT_DOCUMENT_DID_CLOSE, self.closed)

    def _answer(self, name: str, answer: Callable[[Any], Any], options: Any = None) -> None:
        """Register the handler of a request. The library sets attributes on it, which methods do not allow."""

        def run(params: Any) -> Any:
            return answer(params)

        self.io.feature(name, options)(run)

    def _heed(self, name: str, heed: Callable[[Any], None]) -> None:
        """Register the handler of a notification, run in the event loop."""

        async def run(params: Any) -> None:
            heed(params)

        self.io.feature(name)(run)

    @property
    def encoding(self) -> str:
        """The unit in which characters are counted, as agreed with the editor."""
        encoding = self.io.workspace.position_encoding
        return str(getattr(encoding, "value", encoding) or "utf-16")

    # ── Texts and findings ────────────────────────────────────────────────────────────────────────────────────────────

    def opened(self, params: types.DidOpenTextDocumentParams) -> None:
        self._look(params.text_document.uri)

    def changed(self, params: types.DidChangeTextDocumentParams) -> None:
        """Schedule a check for when nothing has been typed for a moment."""
        uri = params.text_document.uri
        if uri in self.waiting:
            self.waiting.pop(uri).cancel()
        self.waiting[uri] = asyncio.get_running_loop().call_later(PAUSE, partial(self._look, uri))

    def closed(self, params: types.DidCloseTextDocumentParams) -> None:
        uri = params.text_document.uri
        if uri in self.waiting:
            self.waiting.pop(uri).cancel()
        if uri in self.playing:
            self.playing.pop(uri).cancel()
        self.texts.close(_path(uri))
        self.io.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, []))

    def _look(self, uri: str) -> None:
        """Check a text, and others that may build on it, and send the findings."""
        self.waiting.pop(uri, None)
        known = self.texts.put(_path(uri), self.io.workspace.get_text_document(uri).source)
        self._send(uri, known)
        for other in self.texts.others(known.path):
            self._send(_uri(other.path), other)

    def _send(self, uri: str, known: DocumentInfo) -> None:
        self._publish(uri, known)
        if uri in self.playing:
            self.playing.pop(uri).cancel()
        if self.play:
            self.playing[uri] = asyncio.get_running_loop().create_task(self.play_later(uri, known))

    async def play_later(self, uri: str, known: DocumentInfo) -> None:
        """Play a text that has not changed for a moment, in a thread, and send these findings, too."""
        await asyncio.sleep(PLAY_PAUSE)
        shown_by_games = await asyncio.to_thread(known.play)
        if shown_by_games and self.texts.known.get(known.path) is known:
            known.findings = ordered((*known.findings, *shown_by_games))
            self._publish(uri, known)

    def _publish(self, uri: str, known: DocumentInfo) -> None:
        diagnostics = [self._shown(known, finding) for finding in known.findings]
        self.io.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, diagnostics))

    def _shown(self, known: DocumentInfo, finding: Diagnostic) -> types.Diagnostic:
        """Convert a finding; one in another file is shown at the line that leads there."""
        span, where = finding.span, ""
        if span.source.name != known.path:
            where = f"{Path(span.source.name).name}:{span.position[0]}: "
            entry = known.tree.entry("extends") if known.tree else None
            entry = entry or (known.tree.entry("cardset") if known.tree else None)
            span = entry.value.span if entry else Span(known.source, 0, 0)
        return types.Diagnostic(
            range=range_of(span, self.encoding),
            message=f"{where}{finding.message} {finding.hint}".strip(),
            severity=_SEVERITIES[finding.severity],
            code=finding.code,
            source="draftengine",
            related_information=[
                types.DiagnosticRelatedInformation(self._location(note.span), note.message) for note in finding.related
            ],
        )

    def _location(self, span: Span) -> types.Location:
        return types.Location(_uri(span.source.name), range_of(span, self.encoding))

    def _known(self, uri: str) -> DocumentInfo:
        """Return what is known of a text in its present state."""
        path = _path(uri)
        text = self.io.workspace.get_text_document(uri).source
        known = self.texts.known.get(path)
        if known is not None and known.source.text == text:
            return known
        return self.texts.put(path, text)

    def _at(self, params: Any) -> tuple[DocumentInfo, int]:
        known = self._known(params.text_document.uri)
        return known, offset_of(known.source, params.position, self.encoding)

    # ── Answers ───────────────────────────────────────────────────────────────────────────────────────────────────────

    def hover(self, params: types.HoverParams) -> types.Hover | None:
        text, span = hover(*self._at(params))
        if not text:
            return None
        content = types.MarkupContent(types.MarkupKind.Markdown, text)
        return types.Hover(content, range_of(span, self.encoding) if span else None)

    def complete(self, params: types.CompletionParams) -> types.CompletionList:
        items = [
            types.CompletionItem(
                label=offer.text,
                kind=_KINDS.get(offer.kind, types.CompletionItemKind.Variable),
                detail=offer.detail or None,
                documentation=offer.about or None,
                insert_text=f"{offer.text}: " if offer.kind == "key" else offer.text,
            )
            for offer in offers(*self._at(params))
        ]
        return types.CompletionList(is_incomplete=False, items=items)

    def definition(self, params: types.DefinitionParams) -> list[types.Location]:
        known, offset = self._at(params)
        return [self._location(span) for span in _definitions(known, offset)]

    def references(self, params: types.ReferenceParams) -> list[types.Location]:
        known, offset = self._at(params)
        name = name_at(known.tree, offset) if known.tree else None
        return [self._location(use.span) for use in self._meant(known, name)] if name else []

    def prepare_rename(self, params: types.PrepareRenameParams) -> types.Range | None:
        known, offset = self._at(params)
        name = name_at(known.tree, offset) if known.tree else None
        if name is None or known.merged is None or (name.space, name.text) not in declared(known.merged):
            return None
        return range_of(name.span, self.encoding)

    def rename(self, params: types.RenameParams) -> types.WorkspaceEdit | None:
        """Return the edits in this file and in those that it extends. Refuses names of our own card sets."""
        known, offset = self._at(params)
        name = name_at(known.tree, offset) if known.tree else None
        home = declared(known.merged).get((name.space, name.text)) if name and known.merged else None
        if name is None or home is None:
            return None
        new = params.new_name
        if not new.replace("_", "a").isalnum() or not new.islower() or not new[0].isalpha():
            _refuse(f"“{new}” is no name: small letters, digits and underscores, with a letter first.")
        if _is_shipped(home.span.source.name):
            _refuse(f"“{name.text}” is declared in {Path(home.span.source.name).name}, which comes with draftengine.")
        if known.merged is not None and (name.space, new) in declared(known.merged):
            _refuse(f"There is a “{new}” already.")
        changes: dict[str, list[types.TextEdit]] = {}
        for use in self._meant(known, name):
            edit = types.TextEdit(range_of(use.span, self.encoding), new)
            changes.setdefault(_uri(use.span.source.name), []).append(edit)
        return types.WorkspaceEdit(changes=changes)

    def _meant(self, known: DocumentInfo, name: Name) -> Iterator[Name]:
        """Yield all places of a name, in this file and in the author's files that it extends."""
        trees = [known.tree] if known.tree else []
        for file in known.document.files[1:] if known.document else ():
            if not _is_shipped(file.source.name):
                tree = load(Source(file.source.name, file.source.text))[0]
                trees += [tree] if tree else []
        for tree in trees:
            yield from (other for other in names_in(tree) if (other.space, other.text) == (name.space, name.text))

    def symbols(self, params: types.DocumentSymbolParams) -> list[types.DocumentSymbol]:
        known = self._known(params.text_document.uri)
        return list(self._symbols(known.tree, 2)) if known.tree else []

    def _symbols(self, node: Node, depth: int) -> Iterator[types.DocumentSymbol]:
        if not isinstance(node, Mapping):
            return
        for entry in node.entries:
            key = entry.key.span
            whole = Span(key.source, key.start, max(key.end, entry.value.span.end))
            below = list(self._symbols(entry.value, depth - 1)) if depth > 1 else []
            many = isinstance(entry.value, Mapping | Sequence)
            yield types.DocumentSymbol(
                name=entry.key.text or "?",
                kind=types.SymbolKind.Namespace if many and depth > 1 else types.SymbolKind.Field,
                range=range_of(whole, self.encoding),
                selection_range=range_of(key, self.encoding),
                children=below,
            )

    def actions(self, params: types.CodeActionParams) -> list[types.CodeAction]:
        """Return the fixes of the findings in a range, and one action for all certain fixes."""
        known = self._known(params.text_document.uri)
        actions = []
        for finding in known.findings:
            diagnostic = self._shown(known, finding)
            if finding.fix is not None and _meets(diagnostic.range, params.range):
                actions.append(
                    types.CodeAction(
                        title=_title(finding.fix),
                        kind=types.CodeActionKind.QuickFix,
                        diagnostics=[diagnostic],
                        is_preferred=finding.fix.certain,
                        edit=self._edit([finding.fix]),
                    )
                )
        certain = [finding.fix for finding in known.findings if finding.fix is not None and finding.fix.certain]
        if len(certain) > 1:
            title = "Mend everything that is certain"
            kind = types.CodeActionKind.SourceFixAll
            actions.append(types.CodeAction(title=title, kind=kind, edit=self._edit(certain)))
        return actions

    def _edit(self, fixes: list[Fix]) -> types.WorkspaceEdit:
        changes: dict[str, list[types.TextEdit]] = {}
        for each in dict.fromkeys(edit for fix in fixes for edit in fix.edits):
            edit = types.TextEdit(range_of(each.place, self.encoding), each.new_text)
            changes.setdefault(_uri(each.place.source.name), []).append(edit)
        return types.WorkspaceEdit(changes=changes)


def _definitions(known: DocumentInfo, offset: int) -> Iterator[Span]:
    """Yield where the thing at an offset is declared: the extended key, or the declaration of the name."""
    if known.tree is None:
        return
    path, _, on_key = locate(known.tree, offset)
    if path[-1:] in {("extends",), ("cardset",)} and known.document is not None:
        files = known.document.files
        target = files[1] if path[-1] == "extends" and len(files) > 1 else files[0]
        yield Span(target.source, 0, 0)
        return
    if on_key and known.base is not None:
        key, _ = at_path(known.base, plain_path(path))
        if key is not None:
            yield key
            return
    name = name_at(known.tree, offset)
    home = declared(known.merged).get((name.space, name.text)) if name and known.merged else None
    if home is None and on_key and known.merged is not None:
        key, _ = at_path(known.merged, plain_path(path))
        if key is not None:
            yield key
    elif home is not None:
        yield home.span


def _title(fix: Fix) -> str:
    first = fix.edits[0]
    old = first.place.source.text[first.place.start : first.place.end].strip()
    return f"Write “{first.new_text}” instead of “{old}”" if first.new_text else f"Take out “{old}”"


def _meets(one: types.Range, other: types.Range) -> bool:
    return _key(one.start) <= _key(other.end) and _key(other.start) <= _key(one.end)


def _key(place: types.Position) -> tuple[int, int]:
    return place.line, place.character


def _is_shipped(name: str) -> bool:
    return Path(name).resolve() in {path.resolve() for path in shipped().values()}


def _refuse(message: str) -> None:
    raise JsonRpcException(message, code=types.LSPErrorCodes.RequestFailed)


def _path(uri: str) -> str:
    return to_fs_path(uri) or uri


def _uri(name: str) -> str:
    return from_fs_path(str(Path(name).resolve())) or name


def start(asked: BinaryIO, answered: BinaryIO, *, play: bool = True) -> None:
    """Serve the editor on these streams until it ends the session; they are closed at the end.

    With `play`, texts that do not change for a moment are played, too.
    """
    # Refusals are answers, not errors, so they are not logged.
    logging.getLogger("pygls.protocol.json_rpc").addFilter(
        lambda record: not (record.exc_info and isinstance(record.exc_info[1], JsonRpcException))
    )
    _Server(play=play).io.start_io(asked, answered)
