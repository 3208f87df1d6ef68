"""Runs of scenario files and of the worked examples of card sets."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from draftengine.api.ruleset import games_of
from draftengine.api.scenario.coverage import Coverage
from draftengine.api.scenario.files import examine, examples_of, tests_of
from draftengine.api.scenario.schema import scenario_file
from draftengine.model.diagnostics.diagnostic import Diagnostic, has_errors
from draftengine.model.library.library import (
    CardSetError,
    NoSuchCardSetError,
    name_in,
    open_bytes,
    open_set,
    read_bytes,
)
from draftengine.model.schema.validate import validate
from draftengine.model.yaml.load import FileKind, elsewhere, load, read_source
from draftengine.model.yaml.tree import Scalar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from os import PathLike

    from draftengine.api.scenario.run import Difference
    from draftengine.model.library.library import LibraryEntry
    from draftengine.model.selection import Document
    from draftengine.model.yaml.tree import Mapping


class Outcome(Struct, frozen=True):
    """The outcome of one scenario."""

    name: str
    findings: tuple[Diagnostic, ...]
    """Unmet expectations and mistakes, with their places."""
    differences: tuple[Difference, ...] = ()
    """Unmet expectations, with the engine's reasons."""

    @property
    def passed(self) -> bool:
        """True if nothing failed. Examples inherited from another card set may fail."""
        return not has_errors(self.findings)


def run_scenarios(
    name: str | PathLike[str],
    *,
    players: int | None = None,
    variants: Iterable[str] = (),
    covered: dict[str, Coverage] | None = None,
) -> tuple[Outcome, ...]:
    """Run the scenarios of a file, or the worked examples of a card set.

    The file or card set is named by path, id or ``-``. `players` is the default number of players, and `variants` are
    added to those of each scenario. `covered` collects coverage by the file of the card set. Raises
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
    """Run the scenarios in `data` as `run_scenarios` runs those of file `text`, shown as `label`."""
    root = _scenarios(label, data)
    if root is None:
        document = _sound(open_bytes(text, label, data))
        entries = examples_of(document, players, variants)
    else:
        document = _cardset_of(root, text)
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
"""Keys that show that a file is a scenario file. The last is a common mistake for the second."""


def _scenarios(label: str, data: bytes) -> Mapping | None:
    """Return the tree of a scenario file; ``None`` for a card set. Raises `CardSetError`."""
    source, findings = read_source(data, label)
    root = None
    if not findings:
        root, findings = load(source, _TO_BE_TESTED)
    if any(finding.code in {"empty-file", "not-a-mapping"} for finding in findings):
        raise CardSetError(findings)
    is_one = root is not None and any(root.get(key) is not None for key in _MARKS)
    return scenarios_in(label, data) if is_one else None


def scenarios_in(label: str, data: bytes) -> Mapping:
    """Return the tree of a scenario file. Raises `CardSetError`."""
    return tree_in(label, data, scenario_file, _TO_BE_TESTED)


_TO_BE_TESTED = FileKind(
    name="What can be tested",
    empty="A scenario file begins with cardset and tests; a card set has examples.",
    first_line="cardset: my_game.yaml",
)


def tree_in(label: str, data: bytes, shape: Callable[[], dict[str, Any]], kind: FileKind) -> Mapping:
    """Return the tree of a file, which must fit a schema. Raises `CardSetError`."""
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


def _cardset_of(root: Mapping, path: str) -> Document:
    """Return the card set that a scenario file names: a file beside it, or an id.

    Raises `CardSetError`.
    """
    node = root.get("cardset")
    assert isinstance(node, Scalar), "the schema asks for it"
    name = str(node.value)
    beside = Path(path).parent / name
    try:
        return _sound(open_set(str(beside) if beside.is_file() else name))
    except NoSuchCardSetError as error:
        raise CardSetError([Diagnostic("extends-unknown", "error", str(error), node.span, "/cardset")]) from None
