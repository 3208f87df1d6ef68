"""All findings about a card set, with its worked examples included."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from msgspec.structs import replace

from draftengine.api.ruleset import games_of
from draftengine.api.scenario.files import problems_of
from draftengine.model.diagnostics.diagnostic import has_errors, ordered
from draftengine.model.diagnostics.suppressed import without_allowed
from draftengine.model.library.library import examine, name_in, open_bytes, open_text, read_bytes
from draftengine.model.loading.series import with_series
from draftengine.model.selection.all_errors import CheckPass, all_at_once
from draftengine.model.yaml.load import load, read_source
from draftengine.model.yaml.tree import Mapping, Sequence

if TYPE_CHECKING:
    from collections.abc import Iterable
    from os import PathLike

    from draftengine.model.diagnostics.diagnostic import Diagnostic
    from draftengine.model.library.library import LibraryEntry
    from draftengine.model.yaml.tree import Node
    from draftengine.support.source import Span


def check(name: str | PathLike[str]) -> tuple[Diagnostic, ...]:
    """Return the findings about a card set: errors and warnings, with their places.

    The card set is named as for `draftengine.load`. The base game, each variant and each option of each reading are
    checked; if there is no error, the worked examples are run. Raises `NoSuchCardSetError`.
    """
    text = name_in(name)
    return check_bytes(text, *read_bytes(text))


def check_bytes(name: str, label: str, data: bytes) -> tuple[Diagnostic, ...]:
    """Return the findings about `data` as the text of card set `name`, shown as `label`."""
    return check_opened(open_bytes(name, label, data))


def check_opened(opened: LibraryEntry) -> tuple[Diagnostic, ...]:
    """Return all findings about an opened card set that can be found at once."""
    return _found(opened, examples=True)


def check_rules(opened: LibraryEntry) -> tuple[Diagnostic, ...]:
    """Return the findings about a card set without running its worked examples.

    A game whose examples fail can still be played.
    """
    return _found(opened, examples=False)


def _found(opened: LibraryEntry, *, examples: bool) -> tuple[Diagnostic, ...]:
    first = _look(opened, examples=examples)
    source, unreadable = read_source(opened.data, opened.name)
    if unreadable or not first.in_the_way:
        return first.findings

    def again(text: str) -> CheckPass:
        return _look(open_text(opened.name, text.encode("utf-8", "surrogatepass"), opened.fetch), examples=False)

    return _without_doubtful(all_at_once(source, first, again))


def _look(opened: LibraryEntry, *, examples: bool) -> CheckPass:
    if opened.document is None:
        root, _ = load(read_source(opened.data, opened.name)[0])
        findings = opened.findings if root is None else _each_series_once(opened.findings, with_series(root)[0])
        return CheckPass(ordered(findings), opened=False)
    problems = examine(opened.document)
    if examples and not has_errors(problems):
        problems = ordered([*problems, *problems_of(opened.document, games_of(opened.document))])
    remaining = tuple(without_allowed(problems, opened.document.files[0].source))
    return CheckPass(ordered(_each_series_once(_without_doubtful(remaining), opened.document.root)), opened=True)


def _each_series_once(findings: Iterable[Diagnostic], root: Mapping) -> list[Diagnostic]:
    """Merge the findings about members of a series, which share one entry of the file."""
    alike: dict[object, list[Diagnostic]] = {}
    before: Counter[object] = Counter()
    for finding in findings:
        key = finding.code, finding.span
        number = before[key, finding.path]
        before[key, finding.path] += 1
        alike.setdefault((key, _written_at(finding.path, root), number), []).append(finding)
    return [_of_all(*group) for group in alike.values()]


def _written_at(path: str, root: Mapping) -> tuple[Span | str, ...]:
    """Return the places in the file of the keys of a JSON Pointer.

    Names that are expanded from one entry have equal places.
    """
    node: Node | None = root
    places: list[Span | str] = []
    for part in path.split("/")[1:]:
        name = part.replace("~1", "/").replace("~0", "~")
        entry = node.entry(name) if isinstance(node, Mapping) else None
        if entry is not None:
            node = entry.value
        elif isinstance(node, Sequence) and name.isdecimal() and int(name) < len(node.items):
            node = node.items[int(name)]
        else:
            node = None
        places.append(entry.key.span if entry is not None else part)
    return tuple(places)


def _of_all(first: Diagnostic, *others: Diagnostic) -> Diagnostic:
    """Return the first finding, with the number of other members it applies to in its message."""
    if not others:
        return first
    of = "another one" if len(others) == 1 else f"{len(others)} others"
    return replace(first, message=f"{first.message.removesuffix('.')}, and of {of} the same is true.")


def _without_doubtful(findings: tuple[Diagnostic, ...]) -> tuple[Diagnostic, ...]:
    """Return the findings without `allows-nothing` if there are errors.

    Errors can prevent the warning that a comment allows, so the comment may only seem unused.
    """
    errors = has_errors(findings)
    return tuple(finding for finding in findings if finding.code != "allows-nothing" or not errors)
