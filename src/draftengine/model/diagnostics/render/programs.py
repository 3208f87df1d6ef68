"""Renders findings for other programs, as JSON and as SARIF 2.1.0.

Code hosts and editors show the findings of a SARIF log next to the lines. Lines and columns count from 1, and columns
are in code points. The end of a place is the column after its last character.
"""

from __future__ import annotations

import json
from pathlib import PurePosixPath, PureWindowsPath
from string import ascii_letters, digits
from typing import TYPE_CHECKING, Any

from draftengine.model.diagnostics.catalog import catalogue
from draftengine.model.diagnostics.diagnostic import has_errors

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from draftengine.model.diagnostics.diagnostic import Diagnostic
    from draftengine.support.source import Span

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"

_SAFE = frozenset((ascii_letters + digits + "-._~/").encode())


def json_text(files: Iterable[tuple[str, Sequence[Diagnostic]]]) -> str:
    """Return one JSON document for all files, each given as a pair of its path and its findings.

    A file is valid if it has no errors.
    """
    document = {
        "files": [
            {"path": path, "valid": not has_errors(findings), "diagnostics": [*map(_finding, findings)]}
            for path, findings in files
        ]
    }
    # Characters are escaped, so that none can control a terminal.
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


def sarif_text(files: Iterable[tuple[str, Sequence[Diagnostic]]], *, root: str = "") -> str:
    """Return one SARIF log for all files, each given as a pair of its path and its findings.

    Paths below the folder `root` become relative to it, so that a log is the same on every machine.
    """
    findings = [finding for _, of_file in files for finding in of_file]
    codes = sorted({finding.code for finding in findings})
    run = {
        "tool": {"driver": {"name": "draftengine", "rules": [_rule(code) for code in codes]}},
        "columnKind": "unicodeCodePoints",
        "results": [_result(finding, codes, root) for finding in findings],
    }
    log = {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}
    return json.dumps(log, indent=2, ensure_ascii=True) + "\n"


def _rule(code: str) -> dict[str, Any]:
    entry = catalogue().get(code)
    if entry is None:
        return {"id": code}
    return {
        "id": code,
        "shortDescription": {"text": f"{entry.title}."},
        "fullDescription": {"text": str(entry.explanation)},
        "defaultConfiguration": {"level": entry.severity},
    }


def _result(finding: Diagnostic, codes: list[str], root: str) -> dict[str, Any]:
    result: dict[str, Any] = {
        "ruleId": finding.code,
        "ruleIndex": codes.index(finding.code),
        "level": finding.severity,
        "message": {"text": f"{finding.message} {finding.hint}".strip()},
        "locations": [{"physicalLocation": _location(finding.span, root)}],
    }
    if finding.related:
        result["relatedLocations"] = [
            {"physicalLocation": _location(related.span, root), "message": {"text": related.message}}
            for related in finding.related
        ]
    if finding.fix:
        by_file: dict[str, list[dict[str, Any]]] = {}
        for edit in finding.fix.edits:
            region = _location(edit.place, root)["region"]
            change = {"deletedRegion": region, "insertedContent": {"text": edit.new_text}}
            by_file.setdefault(edit.place.source.name, []).append(change)
        changes = [
            {"artifactLocation": _artifact(name, root), "replacements": replacements}
            for name, replacements in by_file.items()
        ]
        result["fixes"] = [{"artifactChanges": changes}]
    return result


def _location(span: Span, root: str) -> dict[str, Any]:
    line, column = span.position
    end_line, end_column = span.source.position(span.end)
    region = {"startLine": line, "startColumn": column, "endLine": end_line, "endColumn": end_column}
    return {"artifactLocation": _artifact(span.source.name, root), "region": region}


def _artifact(name: str, root: str) -> dict[str, str]:
    path = _posix(name)
    if root and path.is_relative_to(_posix(root)):
        path = path.relative_to(_posix(root))
    if path.is_absolute():
        return {"uri": f"file://{_quoted(str(path))}"}
    return {"uri": _quoted(str(path)), "uriBaseId": "%SRCROOT%"}


def _posix(name: str) -> PurePosixPath:
    """Return the path with slashes, even if it comes from Windows. A drive is then the first folder."""
    path = PureWindowsPath(name)
    return PurePosixPath("/" if path.drive else "", path.as_posix())


def _quoted(path: str) -> str:
    return "".join(chr(byte) if byte in _SAFE else f"%{byte:02X}" for byte in path.encode("utf-8", "surrogateescape"))
