"""``draftengine explain``."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from draftengine.cli import completing
from draftengine.cli.problems import UsageError


def explain(
    code: Annotated[
        str | None,
        typer.Argument(
            metavar="CODE",
            autocompletion=completing.codes,
            help="The code of a finding; without one, all are listed.",
            show_default=False,
        ),
    ] = None,
) -> None:
    """Explain a code that validate reports, with examples.

    \b
    Examples:
      draftengine explain unknown-key
      draftengine explain
    """
    from draftengine.diagnostics.catalogue import CATALOGUE
    from draftengine.diagnostics.suggest import did_you_mean

    if code is None:
        wide = max(map(len, CATALOGUE))
        for name, entry in CATALOGUE.items():
            sys.stdout.write(f"{name:<{wide}}  {entry.title}\n")
        return
    if code not in CATALOGUE:
        raise UsageError(
            f"There is no code “{code}”. {did_you_mean(code, CATALOGUE) or 'draftengine explain lists them.'}"
        )
    entry = CATALOGUE[code]
    sys.stdout.write(f"{entry.severity}[{code}]: {entry.title}\n\n{entry.explanation}\n")
    for title, text in (("Wrong", entry.bad), ("Right", entry.good)):
        if text:
            indented = "".join(f"    {line}\n" for line in text.rstrip("\n").split("\n"))
            sys.stdout.write(f"\n{title}:\n\n{indented}")
