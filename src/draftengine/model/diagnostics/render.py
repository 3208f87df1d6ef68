"""Renders findings as text for people, and as JSON and SARIF 2.1.0 for programs.

The text has the position, the line, and a mark under the wrong part:

two.yaml:3:3: error[unknown-key]: There is no key “coutn” here. | 3 |   coutn: 14 |   ^^^^^ = hint: Did you mean
“count”?

Code hosts and editors show the findings of a SARIF log next to the lines. Lines and columns count from 1, and columns
are in code points. The end of a span is the column after its last character.
"""

from __future__ import annotations

import json
from pathlib import PurePosixPath, PureWindowsPath
from string import ascii_letters, digits
from typing import TYPE_CHECKING, Any, TypeAlias

from draftengine.model.diagnostics import catalogue, has_errors
from draftengine.support.locale import spoken
from draftengine.support.locale.phrases import in_language
from draftengine.support.text import escaped, width_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from draftengine.model.diagnostics import Diagnostic, Severity
    from draftengine.support.source import Span


Paint: TypeAlias = "Callable[[str, str], str]"

MAX_WIDTH = 100
"""The largest number of terminal columns for a line of the file."""

_BEFORE = 40
"""The number of columns before the mark if a long line is cut."""

_CUT = "…"

_COLOURS: dict[Severity, str] = {"error": "31", "warning": "33", "note": "36"}


def render(findings: Iterable[Diagnostic], *, color: bool = False, language: str = "en") -> str:
    """Return the findings in the given order, with an empty line between them; empty if there are none."""
    words = spoken(language)

    def paint(text: str, colour: str) -> str:
        return f"\x1b[{colour}m{text}\x1b[0m" if color else text

    blocks = []
    for finding in findings:
        spans = (finding.span, *(related.span for related in finding.related))
        margin = max(len(str(span.position[0])) for span in spans)
        colour, below = _COLOURS[finding.severity], f"{' ' * margin} {paint('=', '34')}"
        title = paint(f"{words.phrase(f'severity.{finding.severity}')}[{escaped(finding.code)}]", f"1;{colour}")
        lines = [f"{_place(finding.span)}: {title}: {paint(escaped(finding.message_in(words)), '1')}"]
        lines += _snippet(finding.span, margin, colour, paint)
        for related in finding.related:
            lines.append(f"{below} {_place(related.span)}: {escaped(in_language(related.text, words))}")
            lines += _snippet(related.span, margin, "34", paint)
        if finding.advice:
            title = paint(words.phrase("severity.hint"), "1;36")
            lines.append(f"{below} {title}: {escaped(finding.hint_in(words))}")
        blocks.append("".join(f"{line}\n" for line in lines))
    return "\n".join(blocks)


def _place(span: Span) -> str:
    line, column = span.position
    return f"{escaped(span.source.name)}:{line}:{column}"


def _snippet(span: Span, margin: int, colour: str, paint: Paint) -> Iterator[str]:
    """Yield the line that contains a span, and a mark under the span. Yield nothing if the file is empty."""
    if not span.source.text:
        return
    number, column = span.position
    line = span.source.line(number)
    # The text of the line before, in and after the span, escaped and cut to `MAX_WIDTH`.
    start, end = column - 1, column - 1 + span.end - span.start
    if len(line) <= MAX_WIDTH and width_of(escaped(line)) <= MAX_WIDTH:
        before, marked, after = escaped(line[:start]), escaped(line[start:end]), escaped(line[end:])
    else:
        text = line[max(0, start - MAX_WIDTH) : start]
        pieces = _with_room(text[::-1], _BEFORE)
        before = (_CUT if len(pieces) < len(text) else "") + "".join(reversed(pieces))
        marked = _start_of(line[start:end], MAX_WIDTH - width_of(before))
        after = _start_of(line[end : end + MAX_WIDTH], MAX_WIDTH - width_of(before + marked))
        after = "" if marked.endswith(_CUT) else after
    yield f"{' ' * margin} {paint('|', '34')}"
    yield f"{paint(f'{number:>{margin}} |', '34')} {before}{marked}{after}".rstrip()
    mark = paint("^" * max(1, width_of(marked)), f"1;{colour}")
    yield f"{' ' * margin} {paint('|', '34')} {' ' * width_of(before)}{mark}"


def _start_of(text: str, width: int) -> str:
    """Return as much of the beginning of a text, escaped, as fits into a number of columns."""
    pieces = _with_room(text, width)
    return "".join(pieces) + (_CUT if len(pieces) < len(text) else "")


def _with_room(text: str, width: int) -> list[str]:
    pieces = []
    for char in text:
        piece = escaped(char)
        width -= width_of(piece)
        if width < 0:
            break
        pieces.append(piece)
    return pieces


# ── For programs ──────────────────────────────────────────────────────────────────────────────────────────────────────


SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"

_SAFE = frozenset((ascii_letters + digits + "-._~/").encode())


def json_text(files: Iterable[tuple[str, Sequence[Diagnostic]]]) -> str:
    """Return one JSON document for all files, each given as a pair of its path and its findings.

    A file is valid if it has no errors.
    """
    documents = []
    for path, findings in files:
        diagnostics = [
            {
                "code": finding.code,
                "severity": finding.severity,
                "message": finding.message,
                **_region(finding.span),
                "path": finding.path,
                "hint": finding.hint,
                "related": [{"message": note.message, **_file_place(note.span)} for note in finding.related],
                "fix": finding.fix
                and {
                    "certain": finding.fix.certain,
                    "edits": [{**_file_place(edit.place), "new_text": edit.new_text} for edit in finding.fix.edits],
                },
            }
            for finding in findings
        ]
        documents.append({"path": path, "valid": not has_errors(findings), "diagnostics": diagnostics})
    # Characters are escaped, so that none can control a terminal.
    return json.dumps({"files": documents}, indent=2, ensure_ascii=True) + "\n"


def _file_place(span: Span) -> dict[str, str | int]:
    return {"file": span.source.name, **_region(span)}


def _region(span: Span) -> dict[str, int]:
    line, column = span.position
    end_line, end_column = span.source.position(span.end)
    return {"line": line, "column": column, "end_line": end_line, "end_column": end_column}


def sarif_text(files: Iterable[tuple[str, Sequence[Diagnostic]]], *, root: str = "") -> str:
    """Return one SARIF log for all files, each given as a pair of its path and its findings.

    Paths in the folder `root` become relative to it, so that a log is the same on every machine.
    """
    findings = [finding for _, of_file in files for finding in of_file]
    codes = sorted({finding.code for finding in findings})
    rules = [
        {
            "id": code,
            "shortDescription": {"text": f"{entry.title}."},
            "fullDescription": {"text": str(entry.explanation)},
            "defaultConfiguration": {"level": entry.severity},
        }
        if (entry := catalogue().get(code))
        else {"id": code}
        for code in codes
    ]
    run = {
        "tool": {"driver": {"name": "draftengine", "rules": rules}},
        "columnKind": "unicodeCodePoints",
        "results": [_result(finding, codes, root) for finding in findings],
    }
    log = {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}
    return json.dumps(log, indent=2, ensure_ascii=True) + "\n"


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
    """Return the path with slashes, even if it is a Windows path. Its drive then becomes the first folder."""
    path = PureWindowsPath(name)
    return PurePosixPath("/" if path.drive else "", path.as_posix())


def _quoted(path: str) -> str:
    return "".join(chr(byte) if byte in _SAFE else f"%{byte:02X}" for byte in path.encode("utf-8", "surrogateescape"))
