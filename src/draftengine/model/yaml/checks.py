"""Reports YAML that card sets may not contain, while a text is read."""

from __future__ import annotations

import re
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, cast

from msgspec.structs import replace

from draftengine.model import limits
from draftengine.model.diagnostics import Diagnostic, Related, diagnose
from draftengine.model.diagnostics.suggest import write
from draftengine.model.yaml.fixes import aligned, spaced, with_colon, without_tabs
from draftengine.model.yaml.scalars import ESCAPE, FORBIDDEN, ScalarError, is_forbidden, resolve, shortened
from draftengine.model.yaml.syntax_errors import (
    MISSING_SPACE,
    QUOTES_NEEDED,
    TEXT_IN_QUOTES,
    UNKNOWN,
    ParserError,
    colon_without_space,
    is_open,
    is_sentence,
    is_torn,
    recognise,
)
from draftengine.model.yaml.tree import OpenMapping, OpenSequence, Scalar
from draftengine.support.locale.phrases import said
from draftengine.support.source import Source, Span

if TYPE_CHECKING:
    from collections.abc import Callable

    import yaml

    from draftengine.model.diagnostics import Fix
    from draftengine.support.locale.phrases import Text

MAX_FINDINGS = 100
"""The largest number of mistakes that are reported."""
FIXES: MappingProxyType[str, Callable[[Span], Fix | None]] = MappingProxyType(
    {"bad-indent": aligned, "missing-colon": with_colon, "missing-space": spaced, "tab": without_tabs}
)
"""For each code, the function that makes the fix for such a mistake."""
_EQUALS = re.compile(r"([a-z_]+) *= *(\w+)")
_LETTERS = frozenset("nNyY")
"""Letters that may be keys: no program reads a key of a single letter as a truth value."""


class EnoughError(Exception):
    """An error: reading stops, because a limit is reached."""


class Reading:
    """The state of reading one text: the nodes that have begun but not ended, and the findings so far."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.text = source.text
        self.findings: list[Diagnostic] = []
        self.frames: list[OpenSequence | OpenMapping] = []
        self._torn = 0
        """The end of the last part of a text that YAML has wrongly split at its commas; 0 if there is none."""

    @property
    def frame(self) -> OpenSequence | OpenMapping | None:
        """The innermost node that has begun but not ended; ``None`` at the top."""
        return self.frames[-1] if self.frames else None

    # ── Checks ──

    def is_disputed(
        self, frame: OpenSequence | OpenMapping | None, event: yaml.ScalarEvent, place: tuple[int, int]
    ) -> bool:
        """True if the two parsers of PyYAML may read this value differently."""
        if event.style in {"|", ">"}:
            return not re.compile(r"[|>][-+0-9]*(?=\s)").match(self.text, place[0])
        return bool(frame and frame.flow and event.implicit[0] and "?" in event.value)

    def check_properties(self, event: yaml.NodeEvent, tag: str | None) -> None:
        start = offset(event.start_mark)
        if event.anchor is not None:
            position = self.text.find(f"&{event.anchor}", start)
            place = (start, start) if position < 0 else (position, position + 1 + len(event.anchor))
            self.report("anchor", place, text=shortened(self.text[slice(*place)]))
        if tag is not None:
            written = re.compile(r"!<[^>\s]*>|![^\s,\[\]{}]*").search(self.text, start)
            place = written.span() if written else (start, start)
            self.report("tag", place, text=shortened(self.text[slice(*place)]))

    def check_characters(self, event: yaml.ScalarEvent, place: tuple[int, int]) -> None:
        """Report an escape sequence for a character that card sets may not contain."""
        if event.style == '"' and FORBIDDEN.search(event.value):
            start, end = next(
                (code.span() for code in ESCAPE.finditer(self.text, *place) if is_forbidden(code[0])), place
            )
            self.report("bad-escape", (start, end), "forbidden", text=self.text[start:end])

    def check_length(self, event: yaml.ScalarEvent, place: tuple[int, int]) -> None:
        if len(event.value.encode("utf-8", "surrogatepass")) > limits.TEXT_BYTES:
            self.report("text-too-long", place, most=limits.TEXT_BYTES // 1024)

    def check_glued(
        self, frame: OpenSequence | OpenMapping | None, event: yaml.ScalarEvent, place: tuple[int, int]
    ) -> None:
        """Report `key:value`, which YAML reads as one text, and keys in braces that have no value."""
        if not (isinstance(frame, OpenMapping) and frame.key and frame.key.text and event.implicit[0]):
            return
        between = self.text[frame.key.span.end : place[0]]
        if frame.flow and not event.value and not between:
            key = frame.key
            before = frame.entries
            glued = colon_without_space(self.text, key.span.start)
            if glued and glued[1] < key.span.end:
                self.report_glued(glued)
            elif self._torn and self.text[self._torn : key.span.start].strip() == ",":
                self._torn = key.span.end  # this is another piece of a text that has been reported
            else:
                hint = said("missing-value.it.hint")
                if is_torn(key.text, self.text[: key.span.start], "") or (before and is_open(before[-1].value)):
                    hint = QUOTES_NEEDED
                elif equals := _EQUALS.fullmatch(key.text):
                    hint = write(f"{equals[1]}: {equals[2]}")
                elif before and (is_sentence(before[-1].value) or not re.fullmatch(r"[\w-]+", key.text)):
                    hint = TEXT_IN_QUOTES
                last = before[-1].value if before else None
                goes_on = key.text.isdecimal() and isinstance(last, Scalar) and isinstance(last.value, int)
                if hint in {QUOTES_NEEDED, TEXT_IN_QUOTES} or goes_on:
                    self._torn = key.span.end
                self.report("missing-value", (key.span.start, key.span.end), hint=hint, key=shortened(key.text))
        elif not frame.flow and "\n" in between and MISSING_SPACE.match(event.value):
            self.report_glued(cast("tuple[int, int]", colon_without_space(self.text, place[0])))

    def report_glued(self, place: tuple[int, int]) -> None:
        self.report("missing-space", place)

    # ── Places and findings ──

    def place_of(self, event: yaml.Event) -> tuple[int, int]:
        start, end = offset(event.start_mark), offset(event.end_mark)
        if getattr(event, "style", None) in {"|", ">"}:
            end = start + len(self.text[start:end].rstrip())
        return start, end

    def place_of_nothing(self, frame: OpenSequence | OpenMapping | None, event: yaml.ScalarEvent) -> tuple[int, int]:
        """Return where an empty value would be: after the colon of its key or, without a colon, after the key."""
        start = offset(event.start_mark)
        if isinstance(frame, OpenMapping) and frame.key:
            colon = re.compile(r"\s*:").match(self.text, frame.key.span.end)
            start = colon.end() if colon else frame.key.span.end
        return start, start

    def span(self, place: tuple[int, int]) -> Span:
        return Span(self.source, *place)

    def report(
        self,
        code: str,
        place: tuple[int, int],
        say: str = "it",
        *,
        hint: Text | None = None,
        related: tuple[Related, ...] = (),
        fix: Fix | None = None,
        **values: Any,
    ) -> None:
        if any(frame.is_key for frame in self.frames):
            return
        path = self.frame.inner_path() if self.frame else ""
        if len(self.findings) == MAX_FINDINGS:
            code, say, hint, related, fix = "too-many-findings", "it", None, (), None
            values = {"most": MAX_FINDINGS}
        span = self.span(place)
        fix = FIXES[code](span) if code in FIXES else fix
        finding = diagnose(code, span, path, say=say, hint=hint, severity="error", related=related, fix=fix, **values)
        self.findings.append(replace(finding, names=(self.text[slice(*place)],)))
        if len(self.findings) > MAX_FINDINGS:
            raise EnoughError

    def stop(self, code: str, place: tuple[int, int], **values: Any) -> None:
        self.report(code, place, **values)
        raise EnoughError

    def report_syntax(self, trouble: ParserError) -> None:
        """Report the mistake at which the parser stopped, unless its line has been reported already."""
        mistake, (start, end) = recognise(trouble)
        line = self.source.position(trouble.at if mistake.code == UNKNOWN else start)[0]
        known = [finding.code for finding in self.findings if finding.span.position[0] == line]
        if "missing-colon" in known:  # the next colon on the line only seems to be within a text
            known.append("colon-in-text")
        if known and mistake.code in {UNKNOWN, *known}:
            return
        related: tuple[Related, ...] = ()
        if mistake.opened and trouble.brackets:
            opened = trouble.brackets[-1]
            related = (Related(said("finding.opened-here"), Span(self.source, opened, opened + 1)),)
        end = min(end, len(self.text))
        span = Span(self.source, min(start, end), end)
        fix = FIXES[mistake.code](span) if mistake.code in FIXES else None
        self.findings.append(diagnose(mistake.code, span, self.path(), say=mistake.say, related=related, fix=fix))

    # ── Keys ──

    def key_text(self, event: yaml.ScalarEvent, place: tuple[int, int]) -> str | None:
        """Return the text of a key. If the key cannot be used, report it and return ``None``."""
        self.check_length(event, place)
        if not event.implicit[0]:
            return event.value
        if event.value == "<<":
            self.report("merge-key", place)
            return None
        if re.match(r"[\w-]+:[\[{\"']", event.value):
            self.report_glued((place[0] + event.value.index(":"), place[0] + event.value.index(":") + 1))
            return None
        if bracket := re.match(r"([\w-]+) +[\[{]", event.value):
            example = {"{": "{…}", "[": "[…]"}[bracket[0][-1]]
            hint, position = write(f"{bracket[1]}: {example}"), place[0] + bracket.end() - 1
            self.report("missing-colon", (position, position + 1), "bracket", hint=hint)
            return None
        value = event.value if event.value in _LETTERS else resolve(event.value)
        in_quotes = said("hint.quote-it", text=shortened(event.value))
        if isinstance(value, ScalarError):
            moment = event.value.lower() == "on" and self.path().startswith("/triggers/")
            hint = said("hint.triggers-after") if moment else in_quotes
            self.report(value.code, place, value.say, hint=hint, text=value.text)
        elif not event.value:
            self.report("missing-key", place)
        elif value is None or isinstance(value, bool):
            self.report("key-not-text", place, hint=in_quotes, text=shortened(event.value))
        else:
            return str(value)
        return None

    def path(self) -> str:
        """Return the JSON Pointer of the value that is being read.

        For an item of a list, return the pointer of the list, because the item may not exist.
        """
        frame = self.frame
        return frame.inner_path() if isinstance(frame, OpenMapping) else frame.path if frame else ""


def offset(mark: Any) -> int:
    """Return the offset in the text for a position of PyYAML."""
    return cast("int", mark.index)
