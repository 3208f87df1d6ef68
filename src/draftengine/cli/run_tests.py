"""``draftengine test``."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from draftengine.cli import options
from draftengine.cli.problems import FAILED, FINE, RefusedError, show_findings

if TYPE_CHECKING:
    from collections.abc import Iterable

    from draftengine.cardset.resolve import Document
    from draftengine.cardset.tree import Mapping
    from draftengine.diagnostics.finding import Diagnostic
    from draftengine.scenario.entries import Entry

    Outcome = tuple[Entry, tuple[Diagnostic, ...]]


def run_tests(
    paths: Annotated[
        list[str],
        typer.Argument(
            metavar="PATH...",
            help="Scenario files, or card sets with worked examples (files or ids), or - for standard input.",
            show_default=False,
        ),
    ],
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
    """
    found = [(path, _outcomes(path)) for path in paths]
    if as_json:
        sys.stdout.write(json.dumps({"files": [_data(path, outcomes) for path, outcomes in found]}) + "\n")
    else:
        for path, outcomes in found:
            _print(path, outcomes)
    return FAILED if any(findings for _, outcomes in found for _, findings in outcomes) else FINE


def _outcomes(path: str) -> list[Outcome]:
    """Every scenario of a file with what is wrong with it. Raises `UsageError`, `RefusedError`."""
    from draftengine.cli.opening import bytes_named, document_in
    from draftengine.library import loader
    from draftengine.scenario.entries import examine, examples_of, tests_of

    shown, data = bytes_named(path)
    root = _scenarios(shown, data)
    document = _cardset_of(root, path) if root is not None else document_in(path, shown, data)
    entries: Iterable[Entry] = tests_of(root, document) if root is not None else examples_of(document)
    programs = loader(document)
    return [(entry, examine(entry, programs)) for entry in entries]


def _scenarios(shown: str, data: bytes) -> Mapping | None:
    """The tree of a scenario file, or ``None`` if it is a card set. Raises `RefusedError`."""
    from draftengine.cardset.load import load, read_source
    from draftengine.cli.files import tree_in
    from draftengine.scenario.schema import scenario_file

    source, findings = read_source(data, shown)
    root = None if findings else load(source)[0]
    if root is None or root.get("tests") is None:
        return None
    return tree_in(shown, data, scenario_file)


def _cardset_of(root: Mapping, path: str) -> Document:
    """The card set that a scenario file names: a file beside it, or an id."""
    from draftengine.cardset.tree import Scalar
    from draftengine.cli.opening import document_named
    from draftengine.cli.problems import UsageError
    from draftengine.diagnostics.finding import Diagnostic

    node = root.get("cardset")
    assert isinstance(node, Scalar), "the schema asks for it"
    name = str(node.value)
    beside = Path(path).parent / name
    try:
        return document_named(str(beside) if beside.is_file() else name)
    except UsageError as error:
        raise RefusedError([Diagnostic("extends-unknown", "error", str(error), node.span, "/cardset")]) from None


def _data(path: str, outcomes: list[Outcome]) -> dict[str, Any]:
    return {
        "path": path,
        "passed": sum(not findings for _, findings in outcomes),
        "failed": sum(bool(findings) for _, findings in outcomes),
        "tests": [
            {"name": entry.name, "passed": not findings, "problems": [own.message for own in findings]}
            for entry, findings in outcomes
        ],
    }


def _print(path: str, outcomes: list[Outcome]) -> None:
    from draftengine.play.style import Style

    style = Style.of(sys.stdout)
    for entry, findings in outcomes:
        verdict = style.bad("failed") if findings else style.good("passed")
        sys.stdout.write(f"{verdict}  {style.safe(entry.name)}\n")
    sys.stdout.flush()
    show_findings(finding for _, findings in outcomes for finding in findings)
    failed = sum(bool(findings) for _, findings in outcomes)
    passed = len(outcomes) - failed
    sys.stdout.write(f"{style.safe(path)}: {passed} passed, {failed} failed\n")
