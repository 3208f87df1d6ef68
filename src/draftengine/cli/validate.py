"""``draftengine validate``."""

from __future__ import annotations

import sys
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from draftengine.cli import completing
from draftengine.cli.problems import FAILED, FINE, show_findings

if TYPE_CHECKING:
    from draftengine.diagnostics.finding import Diagnostic

    Checked = list[tuple[str, tuple[Diagnostic, ...]]]


class Format(StrEnum):
    TEXT = "text"
    JSON = "json"
    SARIF = "sarif"


def validate(
    paths: Annotated[
        list[str],
        typer.Argument(
            metavar="PATH...",
            autocompletion=completing.card_sets,
            help="Card sets: files, ids, or - for standard input.",
            show_default=False,
        ),
    ],
    form: Annotated[Format, typer.Option("--format", help="How the findings are written.")] = Format.TEXT,
    as_json: Annotated[bool, typer.Option("--json", help="The same as --format json.")] = False,
) -> int:
    """Say what is wrong with card sets, where, and what to do.

    Checks the text, the structure, every name and formula, the game itself for every number of players, variant and
    reading, the extremes of parameters, and the worked examples. Of a very large card set a warning says what was left
    out; that is checked when it is played. The exit status is 1 if there are errors; warnings alone leave it 0.

    \b
    Examples:
      draftengine validate my_game.yaml
      draftengine validate cardsets/*.yaml --format sarif > findings.sarif
      cat my_game.yaml | draftengine validate - --json
    """
    from draftengine.diagnostics.finding import has_errors

    checked = [(path, _findings(path)) for path in paths]
    _write(checked, Format.JSON if as_json else form)
    return FAILED if any(has_errors(findings) for _, findings in checked) else FINE


def _findings(path: str) -> tuple[Diagnostic, ...]:
    """Everything found about one card set. Raises `UsageError` if there is none."""
    from draftengine.cli.opening import in_words
    from draftengine.scenario.checking import check

    with in_words():
        return check(path)


def _write(checked: Checked, form: Format) -> None:
    if form is Format.JSON:
        from draftengine.diagnostics.render import json

        sys.stdout.write(json.render(checked))
    elif form is Format.SARIF:
        from pathlib import Path

        from draftengine.diagnostics.render import sarif

        sys.stdout.write(sarif.render(checked, root=str(Path.cwd())))
    else:
        show_findings(finding for _, findings in checked for finding in findings)
        for path, findings in checked:
            sys.stdout.write(f"{_shown(path)}: {_summary(findings)}\n")


def _shown(path: str) -> str:
    from draftengine.diagnostics.render.text import escaped

    return "<stdin>" if path == "-" else escaped(path)


def _summary(findings: tuple[Diagnostic, ...]) -> str:
    counts = {kind: sum(finding.severity == kind for finding in findings) for kind in ("error", "warning")}
    said = [f"{count} {kind}{'s' if count > 1 else ''}" for kind, count in counts.items() if count]
    return ", ".join(said) or "no problems"
