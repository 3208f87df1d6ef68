"""``draftengine workshop``."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import typer

from draftengine.apps.cli import options
from draftengine.apps.cli.errors import UsageError, needing
from draftengine.apps.cli.serve import storage_in_file

if TYPE_CHECKING:
    pass

_PORTS = range(8010, 8030)
"""The ports that are tried, so that several files can be written at once."""


def workshop(
    file: options.WorkshopFile,
    port: options.WorkshopPort = None,
    browser: options.Browser = True,
) -> None:
    """Write a game in the browser: what is wrong, what changes, rulebook, cards and balance, as you type.

    The file is the only place where the text is kept; it is saved a second after each change. A file that does not
    exist is begun: you are asked what it changes.

    \b
    Examples:
      draftengine workshop my_house_rule.yaml
      draftengine workshop my_game.yaml --port 9000 --no-browser
    """
    from draftengine.apps.cli.new import new
    from draftengine.apps.cli.opening import in_words
    from draftengine.model.library.catalog import offered

    with needing("the workshop", "web,lsp"):
        from draftengine.apps.web.catalogue import Catalogue
        from draftengine.apps.web.server import serve as run
        from draftengine.apps.workshop.drafts import LocalFile
        from draftengine.apps.workshop.routes import Workshop
    if not file.exists():
        typer.echo(f"{file} is a new game. It can change one of these: {', '.join(offered())}.")
        extends = typer.prompt("Which one (nothing for a game of its own)", default="", show_default=False)
        new(str(file), extends=extends.strip())
    local = LocalFile(file)

    def ready(address: str) -> None:
        import webbrowser

        page = f"{address}/workshop/{local.id}"
        sys.stdout.write(f"{page}\n")
        sys.stdout.flush()
        if browser:
            webbrowser.open(page)

    with in_words():
        catalogue = Catalogue(offered())
    storage = storage_in_file(None)
    for tried in _PORTS if port is None else [port]:
        try:
            run(
                catalogue,
                storage,
                "127.0.0.1",
                tried,
                workshop=lambda site: Workshop(site, local).routes(),
                ready=ready,
            )
        except OSError as error:
            failed = f"Cannot listen on 127.0.0.1:{tried}: {error.strerror or error}"
        else:
            return
    raise UsageError(failed)
