"""Findings as JSON for other programs.

Lines and columns count from 1, columns in code points; the end is the column after the last one.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from draftengine.model.diagnostics.diagnostic import has_errors

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from draftengine.model.diagnostics.diagnostic import Diagnostic, Edit, Fix, Related
    from draftengine.support.source import Span


def render(files: Iterable[tuple[str, Sequence[Diagnostic]]]) -> str:
    """One JSON document for all files, each given as its path and its findings. A file is valid if it has no errors."""
    document = {"files": [_file(path, findings) for path, findings in files]}
    # Escaped, so that no character in it can steer a terminal.
    return json.dumps(document, indent=2, ensure_ascii=True) + "\n"


def _file(path: str, findings: Sequence[Diagnostic]) -> dict[str, Any]:
    return {
        "path": path,
        "valid": not has_errors(findings),
        "diagnostics": [
            {
                "code": finding.code,
                "severity": finding.severity,
                "message": finding.message,
                **_region(finding.span),
                "path": finding.path,
                "hint": finding.hint,
                "related": [_related(related) for related in finding.related],
                "fix": _fix(finding.fix),
            }
            for finding in findings
        ],
    }


def _related(related: Related) -> dict[str, Any]:
    return {"message": related.message, "file": related.span.source.name, **_region(related.span)}


def _fix(fix: Fix | None) -> dict[str, Any] | None:
    return None if fix is None else {"certain": fix.certain, "edits": [_edit(edit) for edit in fix.edits]}


def _edit(edit: Edit) -> dict[str, Any]:
    return {"file": edit.place.source.name, **_region(edit.place), "new_text": edit.new_text}


def _region(span: Span) -> dict[str, int]:
    line, column = span.position
    end_line, end_column = span.source.position(span.end)
    return {"line": line, "column": column, "end_line": end_line, "end_column": end_column}
