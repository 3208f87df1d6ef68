"""A client of the workshop that speaks the protocol of its page."""

from __future__ import annotations

import json
from contextlib import ExitStack
from itertools import count

from websockets.sync.client import connect

from serve.harness import LONGEST, PATIENT


class Writer:
    """One connection of a page: to the language server, or to the panes."""

    def __init__(self, address, shop, door, language="en"):
        url = f"{address.replace('http', 'ws', 1)}/api/workshop/{shop}/{door}?language={language}"
        self.left = ExitStack()
        self.socket = self.left.enter_context(connect(url, origin=address, max_size=1 << 24, **PATIENT))
        self.received = []
        self.numbers = count(1)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.left.close()

    def send(self, **message):
        self.socket.send(json.dumps({"v": 1, "jsonrpc": "2.0", **message}))

    def until(self, enough):
        """Return the next message for which `enough` is true; all are kept in `received`."""
        while True:
            self.received.append(self.socket.recv(timeout=LONGEST))
            message = json.loads(self.received[-1])
            if enough(message):
                return message

    def write(self, text, uri="workshop:/rules.yaml"):
        """Send a text to the language server, and return the findings about it."""
        version = next(self.numbers)
        document = {"uri": uri, "version": version, "text": text}
        self.send(method="textDocument/didOpen", params={"textDocument": document})
        return self.published(version)["diagnostics"]

    def published(self, version, partial=False):
        """Return the next message with all findings about a version of the text, or with its first errors."""

        def enough(message):
            about = message.get("params", {})
            return (about.get("version"), about.get("partial")) == (version, partial)

        return self.until(enough)["params"]

    def ask(self, method, **params):
        """Ask the language server, and return its answer."""
        number = next(self.numbers)
        self.send(id=number, method=f"textDocument/{method}", params={"textDocument": {"uri": ""}, **params})
        return self.until(lambda message: message.get("id") == number)

    def show(self, text, *panes, players=3, number=None):
        """Send a text to the panes, and return what each of them gets."""
        version = next(self.numbers)
        self.send(text=text, version=version, panes=panes, players=players, number=number)
        got = {}

        def enough(message):
            made = message["params"]
            if made.get("version") == version:
                got[made["pane"]] = made
            return {*panes} <= got.keys() or not {"refused", "quota"}.isdisjoint(got) or got["state"]["line"]

        self.until(enough)
        return got
