"""Write ``docs/cli.md`` from the help texts of the commands.

``python tests/docs/reference.py > docs/cli.md``
"""

from __future__ import annotations

import os
import sys

HEAD = """\
# Commands

Made by `make docs` from the help texts.

| exit status | meaning |
|---|---|
| 0 | fine |
| 1 | the input has errors, a check failed, the machine refused something, or a signal to stop left nothing to tell |
| 2 | wrong usage |
| 70 | a bug in draftengine, and where; `DRAFTENGINE_DEBUG=1` shows how it came there |
| 130 | interrupted; of many games, those that were finished are told |
| 141 | nobody read the output to its end |

A card set is named by its file, or by the id of one that comes with draftengine; `-` is standard input. `--json` prints
one JSON document on standard output and nothing else; findings for people go to standard error. Colours are for
terminals, and `NO_COLOR` turns them off. Files are written whole or not at all; saved games are in
`$XDG_DATA_HOME/draftengine/saves` (usually below `~/.local/share`), sheets of the scorekeeper in `scores` beside it.

Seats count from 1 in everything that people read: games, tables, reports. In JSON, in the rows of `--out` and in card
sets they count from 0.

## Completion

`draftengine --install-completion` teaches your shell (bash, zsh or fish) to complete commands, options, card sets,
their variants and readings, and bots when you press Tab, from the next terminal on. `draftengine --show-completion`
prints the script instead. To choose the shell by name, or for a file of your own:

```bash
eval "$(_DRAFTENGINE_COMPLETE=source_bash draftengine)"       # in ~/.bashrc
eval "$(_DRAFTENGINE_COMPLETE=source_zsh draftengine)"        # in ~/.zshrc, after compinit
_DRAFTENGINE_COMPLETE=source_fish draftengine | source        # in ~/.config/fish/config.fish
```
"""


def pages():
    """Yield every command with its help text, the program itself first."""
    os.environ |= {"COLUMNS": "100", "NO_COLOR": "1"}
    from typer.main import get_command

    from draftengine.apps.cli.main import program

    whole = get_command(program())
    context = whole.make_context("draftengine", [], resilient_parsing=True)
    yield "draftengine", whole.get_help(context)
    for name, command in whole.commands.items():
        own = command.make_context(name, [], parent=context, resilient_parsing=True)
        yield f"draftengine {name}", command.get_help(own)


def reference() -> str:
    """Return the page of commands as Markdown."""
    parts = (f"\n## {name}\n\n```text\n{text.rstrip()}\n```\n" for name, text in pages())
    return HEAD + "".join(parts)


if __name__ == "__main__":
    sys.stdout.write(reference())
