"""``draftengine test``."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from draftengine.apps.cli import options
from draftengine.apps.cli.console import print_json, print_lines
from draftengine.apps.cli.errors import FAILED, FINE, UsageError, phrase, show_findings, why_unusable
from draftengine.apps.cli.saves import read_game
from draftengine.apps.play.terminal_style import Style
from draftengine.support.locale.phrases import said

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from draftengine.api.game import Game
    from draftengine.api.scenario.coverage import Coverage
    from draftengine.api.scenario.suite import Outcome


def run_tests(
    paths: options.TestPaths,
    players: options.TestPlayers = None,
    variant: options.Variants = None,
    coverage: options.Coverage = False,
    played: options.Played = "",
    number: options.Number = None,
    as_json: options.Json = False,
) -> int:
    """Run scenarios: positions and moves, with the outcome they must have.

    A scenario file names its card set; given a card set, the command runs its worked examples. If points differ from
    what was expected, both are shown side by side, with the reasons of the rules. With --record, a round of a played
    game becomes a scenario: its beginning, every choice, and the outcome.

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
        raise UsageError(phrase("test.round"))
    if played:
        if len(paths) > 1:
            raise UsageError(phrase("test.one_file"))
        _record(paths[0], played, number)
    covered: dict[str, Coverage] | None = {} if coverage else None
    with in_words():
        results = [
            (path, run_scenarios(path, players=players, variants=variant or (), covered=covered)) for path in paths
        ]
    if as_json:
        data: dict[str, Any] = {"files": [_data(path, outcomes) for path, outcomes in results]}
        if covered is not None:
            data["coverage"] = [_covered_data(each) for each in covered.values()]
        print_json(data)
    else:
        for path, outcomes in results:
            _print(path, outcomes)
        for each in (covered or {}).values():
            print_lines(_covered_lines(each))
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
                "differences": [
                    {
                        "what": difference.what,
                        "expected": difference.expected,
                        "given": difference.found,
                        **({"why": [list(reasons) for reasons in difference.why]} if difference.why else {}),
                    }
                    for difference in outcome.differences
                ],
            }
            for outcome in outcomes
        ],
    }


def _print(path: str, outcomes: Sequence[Outcome]) -> None:

    style = Style.of(sys.stdout)
    for outcome in outcomes:
        if not outcome.passed:
            verdict = style.bad(phrase("test.failed"))
        else:
            verdict = phrase("test.differs") if outcome.findings else style.good(phrase("test.passed"))
        sys.stdout.write(f"{verdict}  {style.safe(outcome.name)}\n")
        for difference in outcome.differences:
            if difference.why:
                # The expected and the given points of each seat side by side, with reasons.
                head = f"        {difference.what:<22} {phrase('test.expected')}   {phrase('test.given')}"
                sys.stdout.write(f"{style.safe(head)}\n")
            both = difference.expected, difference.found
            for seat, reasons in enumerate(difference.why[: max(map(len, both))] if difference.why else ()):
                wanted, given = (f"{values[seat]}" if seat < len(values) else "–" for values in both)
                mark = "≠" if wanted != given else " "
                player = phrase("study.player", number=seat + 1)
                line = f"          {player:<20} {wanted:>8} {mark} {given:>5}   {'; '.join(reasons)}".rstrip()
                sys.stdout.write(f"{style.safe(line)}\n")
    sys.stdout.flush()
    show_findings(finding for outcome in outcomes for finding in outcome.findings)
    failed = sum(not outcome.passed for outcome in outcomes)
    differ = sum(outcome.passed and bool(outcome.findings) for outcome in outcomes)
    counts = {"passed": len(outcomes) - failed - differ, "failed": failed, "differ": differ}
    sys.stdout.write(f"{style.safe(path)}: {phrase('test.summary.differ' if differ else 'test.summary', **counts)}\n")


def _covered_lines(covered: Coverage) -> Iterator[str]:
    from draftengine.api.scenario.coverage import summary

    style, items = Style.of(sys.stdout), covered.items()
    name = covered.document.files[0].source.name
    yield style.safe(phrase("test.reached", count=covered.scenarios, file=name))
    for kind, (reached, count) in summary(items).items():
        yield f"  {phrase(f'test.{kind}'):<11} {phrase('test.of', reached=f'{reached:>3}', count=count)}"
    missing = [item for item in items if not item.reached]
    visible = [item for item in missing if covered.is_own(item)]
    for item in sorted(visible, key=lambda item: item.span.start):
        line, column = item.span.position
        missed = {"name": item.name, "missing": phrase(item.missing)}
        if item.kind == "condition":
            text = phrase("test.item.condition", kind="", **missed)
        else:
            text = phrase("test.item", kind=phrase(f"thing.{item.kind}"), **missed)
        yield style.safe(f"{name}:{line}:{column}: {text}")
    others = len(missing) - len(visible)
    if others:
        yield phrase("test.others", count=others)


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
                "missing": str(said(item.missing)) if item.missing else None,
            }
            for item in covered.items()
        ],
    }


# ── Scenarios made from games that were played ────────────────────────────────────────────────────────────────────────


def _record(path: str, name: str, number: int | None) -> None:
    """Add a round of a saved or recorded game, by default the last finished one, to a scenario file.

    The file may be new. Raises `UsageError`, and `OSError` if the file cannot be written.
    """
    from draftengine.api.replay import RecordError
    from draftengine.api.scenario.recorded import NotRecordedError, recorded
    from draftengine.apps.cli.opening import in_words
    from draftengine.apps.play.replay import opened
    from draftengine.apps.play.saved import SaveError
    from draftengine.support.files import write_whole

    file = Path(path)
    if file.suffix not in {".yaml", ".yml"}:
        raise UsageError(phrase("test.no_yaml", path=path))
    label, text = read_game(name)
    try:
        played = opened(text)
    except (RecordError, SaveError) as error:
        raise UsageError(phrase("command.unusable", name=label, text=why_unusable(error), code=error.code)) from None
    try:
        scenario = recorded(played.game, played.seed, played.end.moves, number)
    except NotRecordedError as error:
        raise UsageError(said("test.unrecorded", name=name, reason=error.reason)) from None
    with in_words():
        write_whole(file, _added(file, played.game, scenario))
    key = "test.added" if "moves" in scenario else "test.added.no_moves"
    sys.stderr.write(f"{phrase(key, name=scenario['name'], file=file)}\n")


def _added(file: Path, game: Game, scenario: dict[str, Any]) -> str:
    """Return the text of the file with the scenario added. Raises `UsageError` if none can be added."""
    import yaml

    from draftengine.api.scenario.suite import scenarios_in
    from draftengine.model.shelf import shelf
    from draftengine.model.yaml.tree import Sequence

    def written(data: Any, indent: int) -> str:
        text: str = yaml.safe_dump(data, sort_keys=False, allow_unicode=True, width=110, default_flow_style=None)
        return "".join(f"{' ' * indent}{line}\n" for line in text.splitlines())

    if not file.exists():
        # The file is to lie beside the card set.
        here = next(name for asked, name, _ in game.ruleset.files if not asked)
        return f"cardset: {game.id if game.id in shelf() else Path(here).name}\ntests:\n{written([scenario], 2)}"
    text = file.read_text(encoding="utf-8").rstrip("\n") + "\n"
    tests = scenarios_in(str(file), text.encode()).entries[-1]
    if tests.key.text != "tests" or not isinstance(tests.value, Sequence) or not tests.value.items:
        raise UsageError(phrase("test.not_last", file=file))
    first = tests.value.items[0].span.start
    line = text[text.rfind("\n", 0, first) + 1 : first]
    if not re.fullmatch(r" *- *", line):
        raise UsageError(phrase("test.brackets", file=file))
    return text + written([scenario], line.index("-"))
