"""The server process, which answers requests of editors over standard streams and sends findings."""

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
from draftengine.apps.lsp.answers import ANSWERS, Answers
from draftengine.apps.lsp.texts import OpenDocuments
from draftengine.model.diagnostics import ordered

if TYPE_CHECKING:
    from collections.abc import Callable

    from draftengine.apps.lsp.texts import DocumentInfo

PAUSE = 0.1
"""The time in seconds without a keystroke after which a text is checked."""
PLAY_PAUSE = 0.5
"""The additional time in seconds without a keystroke after which test games are played."""

_OPTIONS = {
    types.TEXT_DOCUMENT_COMPLETION: types.CompletionOptions(trigger_characters=[" ", "{", "[", "("]),
    types.TEXT_DOCUMENT_RENAME: types.RenameOptions(prepare_provider=True),
    types.TEXT_DOCUMENT_CODE_ACTION: types.CodeActionOptions(
        code_action_kinds=[types.CodeActionKind.QuickFix, types.CodeActionKind.SourceFixAll]
    ),
}


class _Server:
    """Registers, when it is made, the functions that handle requests and notifications of an editor."""

    def __init__(self, *, play: bool) -> None:
        self.texts = OpenDocuments()
        self.waiting: dict[str, asyncio.TimerHandle] = {}
        self.play = play
        self.playing: dict[str, asyncio.Task[None]] = {}
        self.language = "en"
        """The language of the editor, for findings and their fixes."""
        self.io = LanguageServer("draftengine", __version__)
        for name, answer in ANSWERS.items():
            self._answer(name, answer, _OPTIONS.get(name))
        self._heed(types.INITIALIZE, self.begun)
        self._heed(types.TEXT_DOCUMENT_DID_OPEN, self.opened)
        self._heed(types.TEXT_DOCUMENT_DID_CHANGE, self.changed)
        self._heed(types.TEXT_DOCUMENT_DID_CLOSE, self.closed)

    def _answer(self, name: str, answer: Callable[[Answers, Any], Any], options: Any) -> None:
        """Register a function that answers a request, after waiting for the check of the present text."""

        def run(params: Any) -> Any:
            path = _path(params.text_document.uri)
            text = self.io.workspace.get_text_document(params.text_document.uri).source
            known = self.texts.known.get(path)
            if known is None or known.source.text != text:
                known = self.texts.put(path, text)
            return answer(self._about(known), params)

        self.io.feature(name, options)(run)

    def _heed(self, name: str, heed: Callable[[Any], None]) -> None:
        """Register a function that handles a notification, run in the event loop."""

        async def run(params: Any) -> None:
            heed(params)

        self.io.feature(name)(run)

    @property
    def encoding(self) -> str:
        """The encoding in whose units characters are counted, as agreed with the editor."""
        encoding = self.io.workspace.position_encoding
        return str(getattr(encoding, "value", encoding) or "utf-16")

    # ── Texts and findings ────────────────────────────────────────────────────────────────────────────────────────────

    def begun(self, params: types.InitializeParams) -> None:
        self.language = params.locale or "en"

    def opened(self, params: types.DidOpenTextDocumentParams) -> None:
        self._look(params.text_document.uri)

    def changed(self, params: types.DidChangeTextDocumentParams) -> None:
        """Schedule a check of a changed text, to run when nothing has been typed for a moment."""
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
        """Check a text, and the open texts that may extend it, and send the findings of each."""
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
        """Play test games with a text that nobody has changed for a moment, and send findings from them.

        The games run in a thread.
        """
        await asyncio.sleep(PLAY_PAUSE)
        shown_by_games = await asyncio.to_thread(known.play)
        if shown_by_games and self.texts.known.get(known.path) is known:
            known.findings = ordered((*known.findings, *shown_by_games))
            self._publish(uri, known)

    def _publish(self, uri: str, known: DocumentInfo) -> None:
        diagnostics = self._about(known).diagnostics()
        self.io.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, diagnostics))

    def _about(self, known: DocumentInfo) -> Answers:
        return Answers(known, self.encoding, _uri, self.language)


def _path(uri: str) -> str:
    return to_fs_path(uri) or uri


def _uri(name: str) -> str:
    return from_fs_path(str(Path(name).resolve())) or name


def start(asked: BinaryIO, answered: BinaryIO, *, play: bool = True) -> None:
    """Serve an editor on these streams until it ends the session, then close both streams.

    With `play`, test games are played with texts that nobody has changed for a moment.
    """
    # Refusals are answers, not errors, so they are not logged.
    logging.getLogger("pygls.protocol.json_rpc").addFilter(
        lambda record: not (record.exc_info and isinstance(record.exc_info[1], JsonRpcException))
    )
    _Server(play=play).io.start_io(asked, answered)
