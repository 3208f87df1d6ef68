"""Loading of YAML: a strict part of it is read from the parser's events and checked.

Aliases, anchors, tags, merge keys, second documents and duplicate keys are refused. So is all that YAML 1.1 and 1.2
read differently. Limits on size, depth, and the number and length of values apply before anything grows.

PyYAML has two parsers. The one in C is fast; the one in Python has more precise errors, and the two disagree about a
few texts. The result of the fast one is only used if it finds no mistake and nothing that they disagree about. Every
other text is read again by the precise one. So the result is equal with and without the fast parser.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import yaml

from draftengine.model.yaml.builder import Builder, FileKind
from draftengine.model.yaml.checks import EnoughError
from draftengine.model.yaml.decode import MAX_FINDINGS, check_text, read_source
from draftengine.model.yaml.scalars import MAX_DIGITS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from draftengine.model.diagnostics.diagnostic import Diagnostic
    from draftengine.model.yaml.tree import Mapping
    from draftengine.support.source import Source

__all__ = [
    "CARD_SET",
    "MAX_DIGITS",
    "MAX_FINDINGS",
    "FileKind",
    "elsewhere",
    "load",
    "read_source",
]

_FAST: Any = yaml.CSafeLoader if yaml.__with_libyaml__ else None
_PRECISE: Any = yaml.SafeLoader
CARD_SET = FileKind("card-set", "format: 2")


def load(source: Source, kind: FileKind = CARD_SET) -> tuple[Mapping | None, tuple[Diagnostic, ...]]:
    """Return the tree, and the findings in the order of their places; ``None`` if there is no usable tree.

    Several mistakes are found at once; only one in YAML's own syntax ends the search. Mistakes in single keys and
    values keep the tree usable (see `elsewhere`). Any text is allowed: a bad one is refused after limited work, and
    nothing is raised.
    """
    findings = check_text(source)
    if findings:
        return None, findings
    # The two parsers disagree about where tabs are allowed.
    builder = _read(source, _FAST, kind) if _FAST and "\t" not in source.text else None
    if builder is None or not builder.can_be_trusted:
        builder = _read(source, _PRECISE, kind)
    return builder.result()


def elsewhere(later: Iterable[Diagnostic], findings: Iterable[Diagnostic]) -> Iterator[Diagnostic]:
    """Yield the findings of a later check that are not consequences of earlier findings.

    Left out are lines with a finding, where the text is not what its author meant. Also left out are duplicate keys,
    and missing keys that a duplicate was meant to be.
    """
    known = [*findings]
    lines = {finding.span.position[0] for finding in known}
    twice = [finding for finding in known if finding.code == "duplicate-key"]
    paths = {finding.path for finding in twice}
    meant = {edit.new_text for finding in twice if finding.fix for edit in finding.fix.edits}
    for finding in later:
        if meant.isdisjoint(finding.missing) and finding.path not in paths and finding.span.position[0] not in lines:
            yield finding


def _read(source: Source, loader: Any, kind: FileKind) -> Builder:
    builder = Builder(source, kind)
    try:
        for event in yaml.parse(source.text, Loader=loader):
            builder.take(event)
        builder.finish()
    except EnoughError:
        pass
    except yaml.MarkedYAMLError as error:
        builder.syntax_error(error)
    except (yaml.YAMLError, ValueError, OverflowError):
        # PyYAML converts the digits of "\Uffffffff" and of long version numbers without a check.
        builder.number_error()
    return builder
