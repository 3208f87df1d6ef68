"""``draftengine explain``."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from draftengine.apps.cli import completion as completing
from draftengine.apps.cli import options
from draftengine.apps.cli.errors import UsageError


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
    as_json: options.Json = False,
) -> None:
    """Explain a code that validate reports, with examples.

    \b
    Examples:
      draftengine explain unknown-key
      draftengine explain --json
    """
    from draftengine.model.diagnostics.catalog import catalogue
    from draftengine.model.diagnostics.suggest import did_you_mean

    if code is not None and code not in catalogue():
        raise UsageError(
            f"There is no code “{code}”. {did_you_mean(code, catalogue()) or 'draftengine explain lists them.'}"
        )
    if as_json:
        import json

        data = _data(code) if code else {"codes": [_data(name) for name in catalogue()]}
        sys.stdout.write(json.dumps(data) + "\n")
    elif code is None:
        wide = max(map(len, catalogue()))
        for name, entry in catalogue().items():
            sys.stdout.write(f"{name:<{wide}}  {entry.title}\n")
    else:
        _print(code)


def _data(code: str) -> dict[str, str]:
    """Return an entry of the catalogue as JSON data."""
    from draftengine.model.diagnostics.catalog import catalogue

    entry = catalogue()[code]
    return {
        "code": code,
        "severity": entry.severity,
        "title": entry.title,
        "explanation": entry.explanation,
        "wrong": entry.bad,
        "right": entry.good,
    }


def _print(code: str) -> None:
    """Print an entry of the catalogue for people."""
    from draftengine.model.diagnostics.catalog import catalogue

    entry = catalogue()[code]
    sys.stdout.write(f"{entry.severity}[{code}]: {entry.title}\n\n{entry.explanation}\n")
    for title, text in (("Wrong", entry.bad), ("Right", entry.good)):
        if text:
            indented = "".join(f"    {line}\n" for line in text.rstrip("\n").split("\n"))
            sys.stdout.write(f"\n{title}:\n\n{indented}")
