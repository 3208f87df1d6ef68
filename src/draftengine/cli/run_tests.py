"""``draftengine test``."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Annotated, Any

import typer

from draftengine.cli import completing, options
from draftengine.cli.problems import FAILED, FINE, show_findings

if TYPE_CHECKING:
    from collections.abc import Sequence

    from draftengine.scenario.running import Outcome


def run_tests(
    paths: Annotated[
        list[str],
        typer.Argument(
            metavar="PATH...",
            autocompletion=completing.card_sets,
            help="Scenario files, or card sets with worked examples (files or ids), or - for standard input.",
            show_default=False,
        ),
    ],
    players: Annotated[
        int | None,
        typer.Option(
            "--players",
            "-p",
            metavar="N",
            min=1,
            help="How many players, where a test says nothing.",
            show_default=False,
        ),
    ] = None,
    variant: options.Variants = None,
    as_json: options.Json = False,
) -> int:
    """Run scenarios: positions, moves and what must come of them.

    A scenario file names its card set; of a card set the worked examples are run.

    \b
      cardset: my_game.yaml
      tests:
        - name: two soups are a set
          players: 2
          tables: [[soup, soup], []]
          expect: {points: {soup: [5, 0]}}

    \b
    Examples:
      draftengine test my_tests.yaml
      draftengine test my_game.yaml house_rules.yaml --json
      draftengine test my_game.yaml --variant two_rounds
    """
    from draftengine.cli.opening import in_words
    from draftengine.scenario.running import run_scenarios

    with in_words():
        found = [(path, run_scenarios(path, players=players, variants=variant or ())) for path in paths]
    if as_json:
        sys.stdout.write(json.dumps({"files": [_data(path, outcomes) for path, outcomes in found]}) + "\n")
    else:
        for path, outcomes in found:
            _print(path, outcomes)
    return FINE if all(own.passed for _, outcomes in found for own in outcomes) else FAILED


def _data(path: str, outcomes: Sequence[Outcome]) -> dict[str, Any]:
    return {
        "path": path,
        "passed": sum(own.passed for own in outcomes),
        "failed": sum(not own.passed for own in outcomes),
        "tests": [
            {"name": own.name, "passed": own.passed, "problems": [finding.message for finding in own.findings]}
            for own in outcomes
        ],
    }


def _print(path: str, outcomes: Sequence[Outcome]) -> None:
    from draftengine.play.style import Style

    style = Style.of(sys.stdout)
    for own in outcomes:
        verdict = style.good("passed") if own.passed else style.bad("failed")
        sys.stdout.write(f"{verdict}  {style.safe(own.name)}\n")
    sys.stdout.flush()
    show_findings(finding for own in outcomes for finding in own.findings)
    passed = sum(own.passed for own in outcomes)
    failed = len(outcomes) - passed
    sys.stdout.write(f"{style.safe(path)}: {passed} passed, {failed} failed\n")
