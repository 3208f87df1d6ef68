"""The program ``draftengine``: its commands, and the code around each command."""

from __future__ import annotations

import os
import sys
import warnings
from contextlib import nullcontext
from pkgutil import resolve_name
from types import MappingProxyType
from typing import Annotated

import typer

from draftengine import __version__
from draftengine.apps.cli.completion import asked_for, whole_files, whole_words
from draftengine.apps.cli.errors import SpokenGroup, guarded, heed_signals, status_of

COMMANDS: MappingProxyType[str, str] = MappingProxyType(
    {
        "play": "draftengine.apps.cli.play:play",
        "replay": "draftengine.apps.cli.saves:replay",
        "serve": "draftengine.apps.cli.serve:serve",
        "workshop": "draftengine.apps.cli.serve:workshop",
        "new": "draftengine.apps.cli.authoring:new",
        "validate": "draftengine.apps.cli.validate:validate",
        "upgrade": "draftengine.apps.cli.authoring:upgrade",
        "score": "draftengine.apps.cli.score:score",
        "show": "draftengine.apps.cli.show:show",
        "rules": "draftengine.apps.cli.printing:rules",
        "cards": "draftengine.apps.cli.printing:cards",
        "diff": "draftengine.apps.cli.show:diff",
        "simulate": "draftengine.apps.cli.simulate:simulate",
        "compare": "draftengine.apps.cli.balancing:compare",
        "tune": "draftengine.apps.cli.balancing:tune",
        "arena": "draftengine.apps.cli.bots:arena",
        "learn": "draftengine.apps.cli.bots:learn",
        "bots": "draftengine.apps.cli.bots:bots",
        "schema": "draftengine.apps.cli.show:schema",
        "lsp": "draftengine.apps.cli.serve:lsp",
        "explain": "draftengine.apps.cli.show:explain",
        "test": "draftengine.apps.cli.test:run_tests",
        "list": "draftengine.apps.cli.show:list_sets",
        "saves": "draftengine.apps.cli.saves:saves",
        "cache": "draftengine.apps.cli.saves:cache",
    }
)
"""Commands in the order of the help, with their functions.

Only the command that is called is imported.
"""


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"draftengine {__version__}")
        raise typer.Exit


def main(
    _: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version and leave.")
    ] = False,
) -> None:
    """Drafting games as data: play, check, score and test card sets written in YAML.

    \b
    Examples:
      draftengine play my_game.yaml              play against bots
      draftengine serve                          play in the browser, with friends
      draftengine new my_game                    begin a card set
      draftengine validate my_game.yaml          what is wrong with a card set
      draftengine list                           the card sets that come with draftengine
      draftengine COMMAND --help                 more about a command, with examples
    """


def program(asked: str = "") -> typer.Typer:
    """Return the program with all commands, or with only the command `asked`.

    Importing a command and reading its options takes time, so only the command that is called is loaded.
    """
    app = typer.Typer(
        cls=SpokenGroup,
        context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
        no_args_is_help=True,
        pretty_exceptions_enable=False,
        rich_markup_mode=None,
    )
    app.callback()(main)
    for name in [asked] if asked in COMMANDS else COMMANDS:
        app.command(name)(guarded(resolve_name(COMMANDS[name])))
    return app


def run() -> None:
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:  # the caller closed it
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: PTH123, SIM115 (it stays open)
        # A character that the terminal lacks, or that is invalid, becomes a question mark instead of an error.
        getattr(sys, name).reconfigure(errors="replace")
    if not (sys.stdout.isatty() or os.environ.get("PYTHONIOENCODING")):
        # Files and other programs get UTF-8, even if the terminal uses another encoding.
        sys.stdout.reconfigure(encoding="utf-8")  # type: ignore[union-attr]
    warnings.filterwarnings(
        "ignore", ".* plays without being compiled", UserWarning
    )  # commands say so in every language
    heed_signals()
    with whole_words(), whole_files() if "--install-completion" in sys.argv[1:2] else nullcontext():
        asked = asked_for() if "_DRAFTENGINE_COMPLETE" in os.environ else "".join(sys.argv[1:2])
        sys.exit(status_of(lambda: program(asked)(prog_name="draftengine")))
