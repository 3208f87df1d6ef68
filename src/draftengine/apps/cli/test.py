"""``draftengine test``."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Annotated, Any

import typer

from draftengine.apps.cli import completion as completing
from draftengine.apps.cli import options
from draftengine.apps.cli.errors import FAILED, FINE, UsageError, show_findings

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from draftengine.api.scenario.coverage import Coverage, Item
    from draftengine.api.scenario.run import Difference
    from draftengine.api.scenario.suite import Outcome


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
    coverage: Annotated[
        bool,
        typer.Option(
            "--coverage", help="Say which rules, cards, conditions and variants no scenario reaches, and where."
        ),
    ] = False,
    played: Annotated[
        str,
        typer.Option(
            "--record",
            metavar="GAME",
            autocompletion=completing.saved_games,
            help="First add a round of a game that was played to the scenario file: a game of saves, or a file of one.",
            show_default=False,
        ),
    ] = "",
    number: Annotated[
        int | None,
        typer.Option(
            "--round", metavar="N", min=1, help="With --record: which round; by default the last finished one."
        ),
    ] = None,
    as_json: options.Json = False,
) -> int:
    """Run scenarios: positions, moves and what must come of them.

    With --record, a game of play or serve becomes a scenario: where a round began, every choice, and what came of it.

    A scenario file names its card set; of a card set the worked examples are run. Where points come otherwise than
    expected, both stand side by side with the reasons of the rules.

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
      draftengine test my_game.yaml my_tests.yaml --coverage
      draftengine test my_tests.yaml --record my_game-1 --round 2
    """
    from draftengine.api.scenario.suite import run_scenarios
    from draftengine.apps.cli.opening import in_words

    if number is not None and not played:
        raise UsageError("--round goes with --record.")
    if played:
        from draftengine.apps.cli.recording import record

        if len(paths) > 1:
            raise UsageError("--record adds to one scenario file; name one.")
        record(paths[0], played, number)
    covered: dict[str, Coverage] | None = {} if coverage else None
    with in_words():
        results = [
            (path, run_scenarios(path, players=players, variants=variant or (), covered=covered)) for path in paths
        ]
    if as_json:
        data: dict[str, Any] = {"files": [_data(path, outcomes) for path, outcomes in results]}
        if covered is not None:
            data["coverage"] = [_covered_data(each) for each in covered.values()]
        sys.stdout.write(json.dumps(data) + "\n")
    else:
        for path, outcomes in results:
            _print(path, outcomes)
        for each in (covered or {}).values():
            sys.stdout.write("\n".join(_covered_lines(each)) + "\n")
    return FINE if all(outcome.passed for _, outcomes in results for outcome in outcomes) else FAILED


def _data(path: str, outcomes: Sequence[Outcome]) -> dict[str, Any]:
    return {
        "path": path,
        "passed": sum(outcome.passed for outcome in outcomes),
        "failed": sum(not outcome.passed for outcome in outcomes),
        "tests": [
            {
                "name": outcome.name,
                "passed": outcome.passed,
                "problems": [finding.message for finding in outcome.findings],
                "differences": [_difference_data(difference) for difference in outcome.differences],
            }
            for outcome in outcomes
        ],
    }


def _print(path: str, outcomes: Sequence[Outcome]) -> None:
    from draftengine.apps.play.terminal_style import Style

    style = Style.of(sys.stdout)
    for outcome in outcomes:
        verdict = style.bad("failed") if not outcome.passed else "differs" if outcome.findings else style.good("passed")
        sys.stdout.write(f"{verdict}  {style.safe(outcome.name)}\n")
        for line in _side_by_side(outcome.differences):
            sys.stdout.write(f"{style.safe(line)}\n")
    sys.stdout.flush()
    show_findings(finding for outcome in outcomes for finding in outcome.findings)
    failed = sum(not outcome.passed for outcome in outcomes)
    differ = sum(outcome.passed and bool(outcome.findings) for outcome in outcomes)
    more = f", {differ} not as in the game that it extends" if differ else ""
    sys.stdout.write(f"{style.safe(path)}: {len(outcomes) - failed - differ} passed, {failed} failed{more}\n")


def _side_by_side(differences: Sequence[Difference]) -> Iterator[str]:
    """Yield the expected and the given points of each seat side by side, with reasons."""
    for difference in differences:
        if not difference.why:
            continue
        yield f"        {difference.what:<22} expected   given"
        seats = max(len(difference.expected), len(difference.found))
        for seat, reasons in enumerate(difference.why[:seats]):
            wanted, given = (
                f"{values[seat]}" if seat < len(values) else "–" for values in (difference.expected, difference.found)
            )
            mark = "≠" if wanted != given else " "
            yield f"          {f'Player {seat + 1}':<20} {wanted:>8} {mark} {given:>5}   {'; '.join(reasons)}".rstrip()


def _difference_data(difference: Difference) -> dict[str, Any]:
    return {
        "what": difference.what,
        "expected": difference.expected,
        "given": difference.found,
        **({"why": [list(reasons) for reasons in difference.why]} if difference.why else {}),
    }


_CALLED = {"rule": "Rules", "card": "Cards", "condition": "Conditions", "variant": "Variants"}


def _covered_lines(covered: Coverage) -> Iterator[str]:
    from draftengine.api.scenario.coverage import summary
    from draftengine.apps.play.terminal_style import Style

    style, items = Style.of(sys.stdout), covered.items()
    name = covered.document.files[0].source.name
    by = "1 scenario reaches" if covered.scenarios == 1 else f"{covered.scenarios} scenarios reach"
    yield style.safe(f"What {by} of {name}:")
    for kind, (reached, count) in summary(items).items():
        yield f"  {_CALLED[kind]:<11} {reached:>3} of {count}"
    missing = [item for item in items if not item.reached]
    visible = [item for item in missing if covered.is_own(item)]
    for item in sorted(visible, key=lambda item: item.span.start):
        line, column = item.span.position
        yield style.safe(f"{name}:{line}:{column}: {_said(item)}")
    others = len(missing) - len(visible)
    if others:
        yield f"  and {others} more in what it extends (--json lists them)"


def _said(item: Item) -> str:
    return (
        f"“{item.name}” {item.missing}" if item.kind == "condition" else f"the {item.kind} {item.name} {item.missing}"
    )


def _covered_data(covered: Coverage) -> dict[str, Any]:
    return {
        "path": covered.document.files[0].source.name,
        "scenarios": covered.scenarios,
        "items": [
            {
                "kind": item.kind,
                "name": item.name,
                "file": item.span.source.name,
                "line": item.span.position[0],
                "column": item.span.position[1],
                "reached": item.reached,
                "missing": item.missing or None,
            }
            for item in covered.items()
        ],
    }
