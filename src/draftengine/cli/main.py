"""The program ``draftengine``: its commands and what it does before and after them."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from draftengine import __version__
from draftengine.cli.arena import arena
from draftengine.cli.bots import bots
from draftengine.cli.compare import compare
from draftengine.cli.explain import explain
from draftengine.cli.list_sets import list_sets
from draftengine.cli.play import play
from draftengine.cli.problems import guarded
from draftengine.cli.run_tests import run_tests
from draftengine.cli.schema import schema
from draftengine.cli.score import score
from draftengine.cli.show import show
from draftengine.cli.simulate import simulate
from draftengine.cli.validate import validate

app = typer.Typer(
    add_completion=False,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"draftengine {__version__}")
        raise typer.Exit


@app.callback()
def main(
    _: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version and leave.")
    ] = False,
) -> None:
    """Drafting games as data: play, check, score and test card sets written in YAML.

    \b
    Examples:
      draftengine play my_game.yaml              play against bots
      draftengine validate my_game.yaml          what is wrong with a card set
      draftengine list                           the card sets that come with draftengine
      draftengine COMMAND --help                 more about a command, with examples
    """


for command in (play, validate, score, show, simulate, compare, arena, bots, schema, explain):
    app.command()(guarded(command))
app.command("test")(guarded(run_tests))
app.command("list")(guarded(list_sets))


def run() -> None:
    """Run the program."""
    for stream in (sys.stdout, sys.stderr):
        # A character that the terminal lacks becomes a question mark, not a crash.
        stream.reconfigure(errors="replace")  # type: ignore[union-attr]
    app(prog_name="draftengine")
