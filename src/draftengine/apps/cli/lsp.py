"""``draftengine lsp``."""

from __future__ import annotations

import os

from draftengine.apps.cli import options
from draftengine.apps.cli.errors import needing


def lsp(
    stdio: options.Stdio = True,
    play: options.PlayPaused = True,
) -> None:
    """Serve an editor: a language server for card sets on standard input and output.

    Editors start it themselves (see docs/editors.md). They show findings while you type, what a rule means and what a
    value is after extends; they complete keys, cards, counters and functions, go to where a name is declared, rename
    it, and mend what a finding says.

    \b
    Examples:
      draftengine lsp
    """
    with needing("the language server", "lsp"):
        from draftengine.apps.lsp.server import start
    del stdio
    # The server closes its streams, so it gets copies.
    start(open(os.dup(0), "rb"), open(os.dup(1), "wb"), play=play)  # noqa: PTH123, SIM115
