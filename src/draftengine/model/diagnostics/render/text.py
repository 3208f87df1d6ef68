"""Renders findings for people: the place, the line, and a mark under it.

two.yaml:3:3: error[unknown-key]: There is no key “coutn” here.
  |
3 |   coutn: 14
  |   ^^^^^
  = hint: Did you mean “count”?
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from draftengine.support.locale import spoken
from draftengine.support.locale.phrases import in_language
from draftengine.support.text import escaped, width_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from draftengine.model.diagnostics.diagnostic import Diagnostic, Severity
    from draftengine.support.locale.catalogue import Catalogue
    from draftengine.support.source import Span

    Paint = Callable[[str, str], str]

MAX_WIDTH = 100
"""The largest number of terminal columns for a line of the file."""

_BEFORE = 40
"""If a line is cut, the number of columns before the mark."""

_CUT = "…"

_COLOURS: dict[Severity, str] = {"error": "31", "warning": "33", "note": "36"}


def render(findings: Iterable[Diagnostic], *, color: bool = False, language: str = "en") -> str:
    """Return the findings in the given order, with an empty line between them; empty if there are none."""
    paint, words = _paint if color else _plain, spoken(language)
    return "\n".join("".join(f"{line}\n" for line in _lines(finding, paint, words)) for finding in findings)


def _lines(finding: Diagnostic, paint: Paint, words: Catalogue) -> Iterator[str]:
    spans = (finding.span, *(related.span for related in finding.related))
    margin = max(len(str(span.position[0])) for span in spans)
    colour = _COLOURS[finding.severity]
    title = paint(f"{words.phrase(f'severity.{finding.severity}')}[{escaped(finding.code)}]", f"1;{colour}")
    yield f"{_place(finding.span)}: {title}: {paint(escaped(finding.message_in(words)), '1')}"
    yield from _snippet(finding.span, margin, colour, paint)
    for related in finding.related:
        yield f"{' ' * margin} {paint('=', '34')} {_place(related.span)}: {escaped(in_language(related.text, words))}"
        yield from _snippet(related.span, margin, "34", paint)
    if finding.advice:
        title = paint(words.phrase("severity.hint"), "1;36")
        yield f"{' ' * margin} {paint('=', '34')} {title}: {escaped(finding.hint_in(words))}"


def _place(span: Span) -> str:
    line, column = span.position
    return f"{escaped(span.source.name)}:{line}:{column}"


def _snippet(span: Span, margin: int, colour: str, paint: Paint) -> Iterator[str]:
    """Yield the line with the span, and a mark under the span. Yield nothing if the file is empty."""
    if not span.source.text:
        return
    number, column = span.position
    line = span.source.line(number)
    before, marked, after = _parts(line, column - 1, column - 1 + span.end - span.start)
    yield f"{' ' * margin} {paint('|', '34')}"
    yield f"{paint(f'{number:>{margin}} |', '34')} {before}{marked}{after}".rstrip()
    mark = paint("^" * max(1, width_of(marked)), f"1;{colour}")
    yield f"{' ' * margin} {paint('|', '34')} {' ' * width_of(before)}{mark}"


def _parts(line: str, start: int, end: int) -> tuple[str, str, str]:
    """Return the text of a line before, in and after ``[start, end)``, escaped and cut to `MAX_WIDTH`."""
    if len(line) <= MAX_WIDTH and width_of(escaped(line)) <= MAX_WIDTH:
        return escaped(line[:start]), escaped(line[start:end]), escaped(line[end:])
    text = line[max(0, start - MAX_WIDTH) : start]
    pieces = _with_room(text[::-1], _BEFORE)
    before = (_CUT if len(pieces) < len(text) else "") + "".join(reversed(pieces))
    marked = _start_of(line[start:end], MAX_WIDTH - width_of(before))
    after = _start_of(line[end : end + MAX_WIDTH], MAX_WIDTH - width_of(before + marked))
    return before, marked, "" if marked.endswith(_CUT) else after


def _start_of(text: str, width: int) -> str:
    """Return the beginning of a text, escaped, that fits into a number of columns."""
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


def _paint(text: str, colour: str) -> str:
    return f"\x1b[{colour}m{text}\x1b[0m"


def _plain(text: str, _colour: str) -> str:
    return text
