"""Runs of scenario files and worked examples, and the complete check of a card set."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from draftengine.api.ruleset import games_of
from draftengine.api.scenario import scenario_file
from draftengine.api.scenario.coverage import Coverage
from draftengine.api.scenario.files import examine, examples_of, problems_of, tests_of
from draftengine.model.diagnostics import Diagnostic, has_errors, ordered, with_others, without_allowed
from draftengine.model.library import CardSetError, first_errors, open_bytes, open_set, open_text
from draftengine.model.library import examine as examine_set
from draftengine.model.schema.validate import validate
from draftengine.model.selection.all_errors import CheckPass, all_at_once
from draftengine.model.selection.document import spelt_out
from draftengine.model.shelf import NoSuchCardSetError, name_in, read_bytes
from draftengine.model.yaml.load import FileKind, elsewhere, load, load_last, read_source
from draftengine.model.yaml.tree import Mapping, Scalar, Sequence

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from os import PathLike

    from draftengine.api.scenario.run import Difference
    from draftengine.model.library import LibraryEntry
    from draftengine.model.selection import Document
    from draftengine.model.yaml.tree import Node
    from draftengine.support.source import Span


class Outcome(Struct, frozen=True):
    """The outcome of running one scenario."""

    name: str
    findings: tuple[Diagnostic, ...]
    """Mistakes in the scenario and unmet expectations, each with its place in the file."""
    differences: tuple[Difference, ...] = ()
    """Unmet expectations, with the engine's explanations."""

    @property
    def passed(self) -> bool:
        """True if the scenario has no errors. A failing example that is inherited counts as a warning."""
        return not has_errors(self.findings)


def run_scenarios(
    name: str | PathLike[str],
    *,
    players: int | None = None,
    variants: Iterable[str] = (),
    covered: dict[str, Coverage] | None = None,
) -> tuple[Outcome, ...]:
    """Run the scenarios of a file, or the worked examples of a card set.

    The file or card set is named by path, id or ``-``. `players` is the default number of players. `variants` are added
    to those of each scenario. `covered` collects the coverage of each card set, by file name. Raises
    `NoSuchCardSetError`, and `CardSetError` if the file or its card set has errors.
    """
    text = name_in(name)
    return run_bytes(text, *read_bytes(text), players=players, variants=variants, covered=covered)


def run_bytes(
    text: str,
    label: str,
    data: bytes,
    *,
    players: int | None = None,
    variants: Iterable[str] = (),
    covered: dict[str, Coverage] | None = None,
) -> tuple[Outcome, ...]:
    """Run the scenarios in `data`, the content of the file or card set that `text` names.

    `label` is the name of the file in messages. The other arguments are those of `run_scenarios`.
    """
    source, findings = read_source(data, label)
    root = None
    if not findings:
        root, findings = load(source, _TO_BE_TESTED)
    if any(finding.code in {"empty-file", "not-a-mapping"} for finding in findings):
        raise CardSetError(findings)
    is_one = root is not None and any(root.get(key) is not None for key in _MARKS)
    root = scenarios_in(label, data) if is_one else None
    if root is None:
        document = _sound(open_bytes(text, label, data))
        entries = examples_of(document, players, variants)
    else:
        node = root.get("cardset")
        assert isinstance(node, Scalar), "the schema asks for it"
        name = str(node.value)
        beside = Path(text).parent / name  # a file in the same folder comes before an id
        try:
            document = _sound(open_set(str(beside) if beside.is_file() else name))
        except NoSuchCardSetError as error:
            raise CardSetError([Diagnostic("extends-unknown", "error", str(error), node.span, "/cardset")]) from None
        entries = tests_of(root, document, players, variants)
    reached = None if covered is None else covered.setdefault(document.files[0].source.name, Coverage(document))
    games = games_of(document, reached.conditions.hear if reached else None)
    outcomes = []
    for entry in entries:
        examined = examine(entry, games)
        if reached is not None:
            reached.add(examined)
        outcomes.append(Outcome(entry.name, examined.findings, examined.differences))
    return tuple(outcomes)


_MARKS = ("cardset", "tests", "scenarios")
"""Keys by which a scenario file is recognised. ``scenarios`` is a common mistake for ``tests``."""


def scenarios_in(label: str, data: bytes) -> Mapping:
    """Return the YAML tree of a scenario file. Raises `CardSetError` if the file has errors."""
    return tree_in(label, data, scenario_file, _TO_BE_TESTED)


_TO_BE_TESTED = FileKind("scenarios", "cardset: my_game.yaml")


def tree_in(label: str, data: bytes, shape: Callable[[], dict[str, Any]], kind: FileKind) -> Mapping:
    """Return the YAML tree of a file that fits a schema. Raises `CardSetError` if it has errors."""
    source, findings = read_source(data, label)
    root = None
    if not findings:
        root, findings = load(source, kind)
    if root is None:
        raise CardSetError(findings)
    problems = (*findings, *elsewhere(validate(root, shape), findings))
    if has_errors(problems):
        raise CardSetError(problems)
    return root


def _sound(opened: LibraryEntry) -> Document:
    """Return the document of an opened card set. Raises `CardSetError` if it has errors."""
    if opened.document is None:
        raise CardSetError(opened.findings)
    return opened.document


def check(name: str | PathLike[str]) -> tuple[Diagnostic, ...]:
    """Return the findings about a card set: errors and warnings, with their places.

    The card set is named as for `draftengine.load`. The base game, each variant and each option of each reading are
    checked. If there is no error, the worked examples are run, too. Raises `NoSuchCardSetError`.
    """
    text = name_in(name)
    return check_bytes(text, *read_bytes(text))


def check_bytes(name: str, label: str, data: bytes) -> tuple[Diagnostic, ...]:
    """Return the findings about the card set `name` with the content `data`. `label` names it in messages."""
    return check_opened(open_bytes(name, label, data))


def check_rules(opened: LibraryEntry) -> tuple[Diagnostic, ...]:
    """Return the findings about a card set without running its worked examples.

    A game whose examples fail can still be played.
    """
    return check_opened(opened, examples=False)


def check_first(opened: LibraryEntry) -> tuple[Diagnostic, ...]:
    """Return errors in the text and the base game: the quick part of what `check_rules` finds."""
    if opened.document is not None:
        return first_errors(opened.document)
    return tuple(finding for finding in _look(opened, examples=False).findings if finding.severity == "error")


def check_opened(opened: LibraryEntry, *, examples: bool = True) -> tuple[Diagnostic, ...]:
    """Return all findings about an opened card set.

    If an error may hide others, a corrected copy of the text is checked as well. With `examples`, the worked examples
    of a card set without errors are run.
    """
    first = _look(opened, examples=examples)
    source, unreadable = read_source(opened.data, opened.name)
    if unreadable or not first.in_the_way:
        return first.findings

    def again(text: str) -> CheckPass:
        return _look(open_text(opened.name, text.encode("utf-8", "surrogatepass"), opened.fetch), examples=False)

    return _without_doubtful(all_at_once(source, first, again))


def _look(opened: LibraryEntry, *, examples: bool) -> CheckPass:
    if opened.document is None:
        root, _ = load_last(read_source(opened.data, opened.name)[0])
        findings = opened.findings if root is None else _each_series_once(opened.findings, spelt_out(root))
        return CheckPass(ordered(findings), opened=False)
    problems = examine_set(opened.document)
    if examples and not has_errors(problems):
        problems = ordered([*problems, *problems_of(opened.document, games_of(opened.document))])
    remaining = tuple(without_allowed(problems, opened.document.files[0].source))
    return CheckPass(ordered(_each_series_once(_without_doubtful(remaining), opened.document.root)), opened=True)


def _each_series_once(findings: Iterable[Diagnostic], root: Mapping) -> list[Diagnostic]:
    """Return the findings, without repeating one for each of the things that a single entry declares."""
    alike: dict[object, list[Diagnostic]] = {}
    before: Counter[object] = Counter()
    for finding in findings:
        key = finding.code, finding.span
        number = before[key, finding.path]
        before[key, finding.path] += 1
        # The places in the file of the keys of the path: equal for names that come from the same entry.
        node: Node | None = root
        places: list[Span | str] = []
        for part in finding.path.split("/")[1:]:
            name = part.replace("~1", "/").replace("~0", "~")
            entry = node.entry(name) if isinstance(node, Mapping) else None
            if entry is not None:
                node = entry.value
                places.append(entry.key.span)
            elif isinstance(node, Sequence) and name.isdecimal() and int(name) < len(node.items):
                node = node.items[int(name)]
                places.append(node.span)
            else:
                node = None
                places.append(part)
        alike.setdefault((key, tuple(places), number), []).append(finding)
    return [with_others(first, len(others)) for first, *others in alike.values()]


def _without_doubtful(findings: tuple[Diagnostic, ...]) -> tuple[Diagnostic, ...]:
    """Return the findings, but without those with the code `allows-nothing` if there are errors.

    Such a finding says that a comment allows a warning that does not exist. An error may merely hide the warning.
    """
    errors = has_errors(findings)
    return tuple(finding for finding in findings if finding.code != "allows-nothing" or not errors)
