"""``draftengine serve``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from draftengine.apps.cli import completion as completing

if TYPE_CHECKING:
    from draftengine.apps.web.storage.interface import Storage


def serve(
    cardsets: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[CARDSET...]",
            autocompletion=completing.card_sets,
            help="The card sets that can be played: files, or ids of those that come with draftengine (all of those).",
            show_default=False,
        ),
    ] = None,
    host: Annotated[str, typer.Option(metavar="NAME", help="The address to listen on.")] = "127.0.0.1",
    lan: Annotated[bool, typer.Option("--lan", help="Let everybody in your network play.")] = False,
    port: Annotated[int, typer.Option(metavar="N", min=0, max=65535, help="0 takes any free one.")] = 8000,
    data: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE.sqlite", help="Where tables are kept (usually beside your saved games).", show_default=False
        ),
    ] = None,
    database: Annotated[
        str | None,
        typer.Option(
            metavar="URL",
            envvar="DRAFTENGINE_DATABASE",
            show_envvar=True,
            help="Keep tables in PostgreSQL instead, for several servers: postgresql+psycopg://user@host/name.",
            show_default=False,
        ),
    ] = None,
    uploads: Annotated[
        bool, typer.Option("--uploads/--no-uploads", help="Let people bring card sets of their own.")
    ] = True,
    public: Annotated[
        list[str] | None,
        typer.Option(
            metavar="URL", help="The address by which a proxy is asked: https://play.example.", show_default=False
        ),
    ] = None,
    pause: Annotated[
        float, typer.Option(metavar="S", min=0, max=60, help="Seconds to take the last choice back.")
    ] = 1.5,
    connections: Annotated[
        int, typer.Option(metavar="N", min=1, help="Tables that one address may look at, each of its pages counted.")
    ] = 200,
    keep_days: Annotated[
        float,
        typer.Option(metavar="N", min=0.01, help="Days after its last move for which a table without an end is kept."),
    ] = 30,
    check: Annotated[bool, typer.Option("--check", help="Look for damage in what is kept, and serve nothing.")] = False,
    clean: Annotated[
        bool, typer.Option("--clean", help="Remove what has had its time, give its room back, and serve nothing.")
    ] = False,
) -> None:
    """Tables in the browser: play with friends by a link, or against bots.

    Everything that was acknowledged is on the disk: stop the server at any moment and start it again.

    \b
    Examples:
      draftengine serve
      draftengine serve my_game.yaml --lan
      draftengine serve --port 9000 --data games.sqlite --public https://play.example
      draftengine serve --database postgresql+psycopg://draftengine@db.example/tables
      draftengine serve --check --data games.sqlite
    """
    from draftengine.apps.cli.errors import UsageError
    from draftengine.apps.cli.opening import in_words
    from draftengine.support.optional import needed_for

    try:
        from draftengine.apps.web.catalogue import Catalogue
        from draftengine.apps.web.hub import Settings
        from draftengine.apps.web.server import serve as run
        from draftengine.apps.web.storage.interface import DAY
    except ImportError:
        raise UsageError(needed_for("tables in the browser", "web")) from None
    from draftengine.model.library.library import shelf

    if data is not None and database is not None:
        raise UsageError("Tables are kept in one place: name a file (--data) or a database (--database).")
    if check or clean:
        storage = _in_database(database) if database is not None else _in_file(data, new=False)
        _look_after(storage, check, clean, keep_days * DAY)
        return
    with in_words():
        catalogue = Catalogue(cardsets or list(shelf()), uploads)
    everywhere = "0.0.0.0"  # noqa: S104 (where --lan listens)
    storage = _in_database(database) if database is not None else _in_file(data)
    try:
        run(
            catalogue,
            storage,
            everywhere if lan else host,
            port,
            public or (),
            Settings(pause=pause, connections=connections, keep=keep_days * DAY),
        )
    except OSError as error:
        raise UsageError(f"Cannot listen on {host}:{port}: {error.strerror or error}") from None


def _look_after(storage: Storage, check: bool, clean: bool, keep: float) -> None:
    """Clean or check the stored tables, as asked. Exits with status 1 if there is damage."""
    import sys
    import time

    from draftengine.apps.cli.errors import UsageError
    from draftengine.apps.web.errors import RefusedError

    faults: list[str] = []
    try:
        if clean:
            removed = sum(iter(lambda: storage.clean(time.time(), keep), 0))
            storage.shrink()
            sys.stdout.write(f"Removed {removed} table{'' if removed == 1 else 's'}.\n")
        if check:
            faults = list(storage.check())
            sys.stdout.write("\n".join(faults or ["Nothing is damaged."]) + "\n")
        storage.close()
    except (RefusedError, OSError) as error:
        raise UsageError(f"What is kept cannot be looked after now: {error}") from None
    if faults:
        raise typer.Exit(1)


def _in_file(data: Path | None, new: bool = True) -> Storage:
    """Open the storage in a file. Raises `OSError` if it cannot be used; then no new file is left behind."""
    from sqlite3 import Error

    from draftengine.apps.cli.errors import UsageError
    from draftengine.apps.play.journal import usual_folder
    from draftengine.support.optional import needed_for

    try:
        from draftengine.apps.web.storage.sqlite import SqliteStorage
    except ImportError:
        raise UsageError(needed_for("tables in the browser", "web")) from None
    path = data or usual_folder().parent / "tables.sqlite"
    if not new and not path.exists():
        raise OSError(0, "There is no such file. Name another one with --data", str(path))
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    new = not path.exists()
    try:
        return SqliteStorage(path)
    except (Error, ValueError) as error:
        if new:
            path.unlink(missing_ok=True)
        reason = f"{str(error).removesuffix('.')}. Name another file with --data"
        raise OSError(0, reason, str(path)) from None


def _in_database(url: str) -> Storage:
    from draftengine.apps.cli.errors import UsageError
    from draftengine.support.optional import needed_for

    if not url.startswith("postgresql+psycopg://"):
        raise UsageError("The address of a database begins with postgresql+psycopg://.")
    try:
        from draftengine.apps.web.storage.postgres import PostgresStorage

        return PostgresStorage(url)
    except ImportError:
        raise UsageError(needed_for("tables in PostgreSQL", "postgres")) from None
    except ValueError as error:
        raise UsageError(f"The database cannot be used: {error}") from None
