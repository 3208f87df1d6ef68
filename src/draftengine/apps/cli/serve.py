"""Commands that start servers: ``serve`` for tables, ``workshop`` to write rules, ``lsp`` for editors."""

from __future__ import annotations

import contextlib
import errno
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from draftengine.apps.cli import options
from draftengine.apps.cli.errors import UsageError, needing, phrase
from draftengine.support.locale.phrases import said

if TYPE_CHECKING:
    from collections.abc import Iterable

    from starlette.routing import BaseRoute

    from draftengine.apps.web.app import Routes
    from draftengine.apps.web.catalogue import Catalogue
    from draftengine.apps.web.storage.database import DatabaseStorage


def serve(
    cardsets: options.Cardsets = None,
    host: options.Host = "127.0.0.1",
    lan: options.Lan = False,
    port: options.Port = 8000,
    data: options.Data = None,
    database: options.Database = None,
    uploads: options.Uploads = True,
    workshop: options.Workshop = False,
    public: options.Public = None,
    pause: options.Pause = 1.5,
    connections: options.Connections = 200,
    keep_days: options.KeepDays = 30,
    check: options.Check = False,
    clean: options.Clean = False,
) -> None:
    """Serve tables in the browser: play with friends by a link, or against bots.

    Every acknowledged move is on the disk, so you can stop the server at any moment and start it again.

    \b
    Examples:
      draftengine serve
      draftengine serve my_game.yaml --lan
      draftengine serve --workshop
      draftengine serve --port 9000 --data games.sqlite --public https://play.example
      draftengine serve --database postgresql+psycopg://draftengine@db.example/tables
      draftengine serve --check --data games.sqlite
    """
    from draftengine.apps.cli.opening import in_words
    from draftengine.model.shelf import offered

    with needing("tables", "web"):
        from draftengine.apps.web.catalogue import Catalogue
        from draftengine.apps.web.hub import Settings
        from draftengine.apps.web.server import serve as run
        from draftengine.apps.web.storage.chain import DAY
    if workshop and not uploads:
        raise UsageError(phrase("command.serve.uploads"))
    if data is not None and database is not None:
        raise UsageError(phrase("command.serve.one_place"))
    if check or clean:
        storage = _in_database(database) if database is not None else storage_in_file(data, new=False)
        _look_after(storage, check, clean, keep_days * DAY)
        return
    with in_words():
        catalogue = Catalogue(cardsets or offered(), uploads)
    everywhere = "0.0.0.0"  # noqa: S104 (where --lan listens)
    storage = _in_database(database) if database is not None else storage_in_file(data)
    try:
        run(
            catalogue,
            storage,
            everywhere if lan else host,
            port,
            public or (),
            Settings(pause=pause, connections=connections, keep=keep_days * DAY),
            _workshop if workshop else None,
        )
    except OSError as error:
        raise UsageError(_deaf(host, port, error)) from None


def _deaf(host: str, port: int, error: OSError) -> str:
    taken = error.errno == errno.EADDRINUSE
    reason = phrase("command.serve.taken") if taken else error.strerror or error
    return phrase("command.serve.deaf", address=f"{host}:{port}", error=reason)


def _workshop(site: Routes) -> Iterable[BaseRoute]:
    """Return the routes of the workshop. Raises `UsageError` if the language server is not installed."""
    with needing("workshop", "lsp"):
        from draftengine.apps.workshop.routes import Workshop
    return Workshop(site).routes()


def _look_after(storage: DatabaseStorage, check: bool, clean: bool, keep: float) -> None:
    """Remove old tables with `clean`, and check all with `check`. Exits with status 1 if there is damage."""
    import time

    from draftengine.apps.web import RefusedError

    faults: list[str] = []
    try:
        if clean:
            removed = sum(iter(lambda: storage.clean(time.time(), keep), 0))
            storage.shrink()
            sys.stdout.write(f"{phrase('command.serve.removed', count=removed)}\n")
        if check:
            faults = list(storage.check())
            sys.stdout.write("\n".join(faults or [phrase("command.serve.sound")]) + "\n")
        storage.close()
    except (RefusedError, OSError) as error:
        raise UsageError(phrase("command.serve.busy", error=error)) from None
    if faults:
        raise typer.Exit(1)


def storage_in_file(data: Path | None, new: bool = True, another: str = "command.serve.another") -> DatabaseStorage:
    """Open the storage of tables in a file. Raises `OSError`, and leaves no new file, if that fails.

    `another` is a message that gives the reason and says how to name another file.
    """
    from sqlite3 import Error

    from draftengine.apps.play.journal import usual_folder
    from draftengine.apps.web.storage.engines import SqliteStorage

    path = data or usual_folder().parent / "tables.sqlite"
    if not new and not path.exists():
        raise OSError(0, phrase("command.serve.no_file"), str(path))
    new = not path.exists()
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        return SqliteStorage(path)
    except (OSError, Error, ValueError) as error:
        if new:
            with contextlib.suppress(OSError):
                path.unlink()
        reason = (isinstance(error, OSError) and error.strerror) or str(error).removesuffix(".")
        raise OSError(0, phrase(another, error=reason, variable="XDG_DATA_HOME"), str(path)) from None


def _in_database(url: str) -> DatabaseStorage:
    if not url.startswith("postgresql+psycopg://"):
        raise UsageError(phrase("command.serve.address", start="postgresql+psycopg://"))
    with needing("postgres", "postgres"):
        from draftengine.apps.web.storage.engines import PostgresStorage

        try:
            return PostgresStorage(url)
        except ValueError as error:
            raise UsageError(phrase("command.serve.database", error=error)) from None


_PORTS = range(8010, 8030)
"""The ports to try in turn. With several, people can open a workshop for several files at a time."""


def workshop(
    file: options.WorkshopFile,
    extends: options.WorkshopExtends = "",
    port: options.WorkshopPort = None,
    browser: options.Browser = True,
    language: options.Language = "en",
) -> None:
    """Write a game in the browser, with its mistakes, changes, rulebook, cards and balance as you type.

    The text is saved in the file a second after each change. The browser also keeps versions of it. If the file does
    not exist, it is made. Without --extends, this command then asks in the terminal which game it changes.

    \b
    Examples:
      draftengine workshop my_house_rule.yaml
      draftengine workshop my_house_rule.yaml --extends my_game.yaml
      draftengine workshop my_game.yaml --port 9000 --no-browser
    """
    from draftengine.apps.cli.opening import in_words
    from draftengine.model.shelf import offered

    with needing("workshop", "web,lsp"):
        from draftengine.apps.web.catalogue import Catalogue
        from draftengine.apps.web.server import serve as run
        from draftengine.apps.workshop.routes import LocalFile, Workshop
    with in_words():
        catalogue = Catalogue(offered())
    if not file.exists():
        _begin(file, extends, catalogue, language)
    local = LocalFile(file, _secret())

    def ready(address: str) -> None:
        import webbrowser

        page = f"{address}/workshop/{local.id}"
        sys.stdout.write(f"{page}\n")
        sys.stdout.flush()
        if browser:
            webbrowser.open(page)

    storage = storage_in_file(None, another="command.workshop.another")
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
            failed = _deaf("127.0.0.1", tried, error)
        else:
            return
    raise UsageError(failed)


def _begin(file: Path, extends: str, catalogue: Catalogue, language: str) -> None:
    """Write the first version of a file in the workshop. At a terminal, ask which game it changes."""
    from draftengine.apps.cli.authoring import new
    from draftengine.apps.workshop.work import beginning
    from draftengine.support.files import write_whole

    names = [name for name, _ in catalogue.served]
    if not extends and sys.stdin.isatty():
        typer.echo(phrase("command.workshop.new", file=file, names=", ".join(names)))
        extends = typer.prompt(phrase("command.workshop.which"), default="", show_default=False).strip()
    if extends == file.stem:
        raise UsageError(said("extends-id.it", name=extends))
    if extends in names:
        write_whole(file, beginning(extends, catalogue.source(extends), language, file.stem))
    else:
        new(str(file), extends=extends)


def _secret() -> str:
    """Return the secret of this user, from which the addresses of files in the workshop are made.

    It is kept on disk. If that is impossible, the secret is new each time, and so are the addresses.
    """
    from draftengine.apps.play.journal import usual_folder
    from draftengine.apps.web.storage.chain import new_token
    from draftengine.support.files import replacing

    try:
        path = usual_folder().parent / "workshop.secret"
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        if path.exists() and not path.read_text():
            path.unlink()
        with contextlib.suppress(FileExistsError), replacing(path, new=True) as file:
            Path(file.name).chmod(0o600)
            file.write(new_token().encode())
        return path.read_text()
    except (OSError, RuntimeError):
        return new_token()


def lsp(stdio: options.Stdio = True, play: options.PlayPaused = True) -> None:
    """Run the language server for card sets on standard input and output.

    Editors start it themselves (see docs/editors.md). They then show findings while you type, the meaning of a rule,
    and the value of a key after `extends`. They complete keys, cards, counters and functions, go to the declaration of
    a name, rename it, and apply fixes.

    \b
    Examples:
      draftengine lsp
    """
    with needing("lsp", "lsp"):
        from draftengine.apps.lsp.server import start
    del stdio
    # The server closes its streams, so it gets copies.
    start(open(os.dup(0), "rb"), open(os.dup(1), "wb"), play=play)  # noqa: PTH123, SIM115
