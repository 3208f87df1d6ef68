"""Findings as JSON for other programs.

Lines and columns count from 1, columns in code points; the end is the column after the last one.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from draftengine.model.diagnostics.diagnostic import has_errors

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from draftengine.model.diagnostics.diagnostic import Diagnostic
    from draftengine.support.source import Span


def render(files: Iterable[tuple[str, Sequence[Diagnostic]]]) -> str:
    """Return one JSON document for all files, each given as its path and its findings.

    A file is valid if it has no errors.
    """
    document = {
        "files": [
            {"path": path, "valid": not has_errors(findings), "diagnostics": [*map(_finding, findings)]}
            for path, findings in files
        ]
    }
    # Escaped, so that no character in it can steer a terminal.
    return json.dumps(document, indent=2, ensure_ascii=True) + "\n"


def _finding(finding: Diagnostic) -> dict[str, Any]:
    related = [{"message": note.message, **_place(note.span)} for note in finding.related]
    fix = finding.fix and {
        "certain": finding.fix.certain,
        "edits": [{**_place(edit.place), "new_text": edit.new_text} for edit in finding.fix.edits],
    }
    return {
        "code": finding.code,
        "severity": finding.severity,
        "message": finding.message,
        **_region(finding.span),
        "path": finding.path,
        "hint": finding.hint,
        "related": related,
        "fix": fix,
    }


def _place(span: Span) -> dict[str, str | int]:
    return {"file": span.source.name, **_region(span)}


def _region(span: Span) -> dict[str, int]:
    line, column = span.position
    end_line, end_column = span.source.position(span.end)
    return {"line": line, "column": column, "end_line": end_line, "end_column": end_column}
