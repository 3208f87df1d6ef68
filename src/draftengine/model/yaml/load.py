"""From YAML to the tree: a strict part of YAML, read from the parser's events and checked before anything is built.

Aliases, anchors, tags, merge keys, second documents and doubled keys are refused, and so is whatever YAML 1.1 and 1.2
read differently. There are limits on size, depth, number of values, texts and numbers; they hold before anything grows.

PyYAML has two parsers. The one in C is fast, but the one in Python complains more precisely, and of a few texts they
disagree. So the fast one is trusted only with a text in which it finds nothing wrong and nothing they disagree about;
every other text is read again by the other one. What comes out is the same with and without the fast parser.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import yaml

from draftengine.model.yaml.builder import MAX_DEPTH, MAX_VALUES, Builder, FileKind
from draftengine.model.yaml.checks import MAX_SCALAR_BYTES, EnoughError
from draftengine.model.yaml.decode import MAX_BYTES, MAX_FINDINGS, check_text, read_source
from draftengine.model.yaml.yaml_scalar import MAX_DIGITS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from draftengine.model.diagnostics.diagnostic import Diagnostic
    from draftengine.model.yaml.tree import Mapping
    from draftengine.support.source import Source

__all__ = [
    "CARD_SET",
    "MAX_BYTES",
    "MAX_DEPTH",
    "MAX_DIGITS",
    "MAX_FINDINGS",
    "MAX_SCALAR_BYTES",
    "MAX_VALUES",
    "FileKind",
    "elsewhere",
    "load",
    "read_source",
]

_FAST: Any = yaml.CSafeLoader if yaml.__with_libyaml__ else None
_PRECISE: Any = yaml.SafeLoader
CARD_SET = FileKind("A card set", "A card set begins with format, id and title.", "format: 1")


def load(source: Source, kind: FileKind = CARD_SET) -> tuple[Mapping | None, tuple[Diagnostic, ...]]:
    """The document as a tree, and findings in the order of their places; ``None`` if there is no tree to go on with.

    As many mistakes are found at once as can be; one against YAML's own syntax ends the search. Mistakes about single
    keys and values leave the tree whole (see `elsewhere`). Any text may come in: a bad one is refused after limited
    work, and nothing is raised.
    """
    findings = check_text(source)
    if findings:
        return None, findings
    # The two parsers do not agree on where tabs may stand.
    builder = _read(source, _FAST, kind) if _FAST and "\t" not in source.text else None
    if builder is None or not builder.can_be_trusted:
        builder = _read(source, _PRECISE, kind)
    return builder.result()


def elsewhere(later: Iterable[Diagnostic], findings: Iterable[Diagnostic]) -> Iterator[Diagnostic]:
    """What a later check has against a tree, without what it says of lines that have findings already.

    What stands there is not what anybody meant, so nothing more can be said of it. Neither can it of a key that stands
    twice, nor is a key missing that one of them was meant to be.
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
        # PyYAML turns the digits of "\Uffffffff" and of long version numbers into numbers without a look at them.
        builder.number_error()
    return builder
