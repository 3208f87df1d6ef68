"""Finds all mistakes in a text at once.

A check stops where later results would be unreliable. An author would then correct one mistake, and only then learn of
the next. Therefore, this module removes each mistake from a copy of the text: by its fix or, if it has none, by leaving
out the part around it. Then it checks the copy again. New findings are reported at their positions in the original
text, unless the parts that were left out could have caused them.
"""

from __future__ import annotations

import re
from types import MappingProxyType
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from draftengine.model.diagnostics import Diagnostic, Edit, Fix, ordered
from draftengine.model.loading.macros import NAMING
from draftengine.model.loading.repeating import FOR
from draftengine.model.loading.steps import FLOW
from draftengine.model.schema.validate import SCENARIOS
from draftengine.model.selection.parts import Replaced, TextEdits, around, size, with_comma
from draftengine.model.yaml.load import load
from draftengine.model.yaml.tree import Mapping, Scalar, Sequence
from draftengine.support.source import Source

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from draftengine.model.diagnostics import Diagnostic
    from draftengine.model.selection.errors import Findings
    from draftengine.model.selection.parts import Part

OF_THE_WHOLE = frozenset(
    {"deck-runs-out", "endless-turns", "layout-too-small", "layout-too-large", "zone-misuse", "rule-never-scores"}
    | {
        "counter-unlimited",
        "points-unlimited",
        "place-never-given",
        "never-shuffled",
        "score-left-out",
        "step-lost",
        "cards-left",
    }
    | {"useless-tie-breaker", "condition-always-false", "condition-always-true", "idle-round", "idle-step"}
    | {"scores-nothing", "way-never-used", "not-a-side", "never-changes", "wrong-payment"}
)
"""Codes of findings about the whole game. They are unreliable if parts of the text were left out."""

OF_A_PART = frozenset(
    {"required-key", "one-verb", "wrong-length", "zone-misuse", "misplaced-step", "overlay-changes-nothing"}
)
"""Codes of findings about a whole part of the text. They are unreliable if the part was changed."""

_ROUNDS = 12
"""The largest number of copies to check. Most checks are short, because they stop at a mistake."""

_LONGEST_LINE = 50_000
"""A text with a longer line is checked only once, because reading copies of it can take seconds."""

_LIMITS = {"too-deep", "too-many-values", "text-too-long"}
"""Codes of findings after which the rest of a text is not read."""

_LATE = (
    OF_THE_WHOLE
    | {"out-of-range", "division-by-zero", "too-costly", "unusable-number"}
    | {"example-fails", "example-invalid"}
)
"""Codes of mistakes that hide no other mistakes, provided that the game could be made."""


class CheckPass(Struct, frozen=True):
    """The findings of one check of a text, which may have stopped at a mistake."""

    findings: Findings
    opened: bool
    """True if the text could be read far enough to make a game."""

    @property
    def in_the_way(self) -> tuple[Diagnostic, ...]:
        """The mistakes that may hide other mistakes."""
        errors = (finding for finding in self.findings if finding.severity == "error")
        return tuple(error for error in errors if not (self.opened and error.code in _LATE))


def all_at_once(source: Source, look: CheckPass, again: Callable[[str], CheckPass]) -> Findings:
    """Return the findings of the first check, `look`, and of `again`, which checks corrected copies."""
    if any(finding.path == SCENARIOS or finding.code in _LIMITS for finding in look.findings):
        return look.findings
    if len(max(source.text.splitlines(), key=len, default="")) > _LONGEST_LINE:
        return look.findings
    reported = [finding for finding in look.findings if finding.severity == "error"]
    aside = [finding for finding in look.findings if finding.severity != "error"]
    draft = PatchedText(source)
    for _ in range(_ROUNDS):
        errors = [error for error in look.in_the_way if error.span.source.name == source.name]
        if not draft.without(errors):
            break
        look = again(draft.text)
        new = [
            finding
            for finding in look.findings
            if finding.span.source.name == source.name and draft.stands_by_itself(finding)
        ]
        known = _Known([finding for finding in reported if finding.span.source.name == source.name], draft)
        placed = [finding for finding in map(draft.placed, new) if not known.makes_superfluous(finding)]
        reported += [finding for finding in placed if finding.severity == "error"]
        reported = [finding for finding in reported if not any(_continues(finding, other) for other in reported)]
        if not look.in_the_way:
            # Warnings are reliable only if there are no errors, because an error can make correct things look wrong.
            # Even now, a parameter may seem unused because the formula that reads it was left out.
            aside = [
                finding
                for finding in placed
                if finding.severity != "error"
                and not (finding.code == "never-used" and finding.path.startswith("/parameters/"))
            ]
    return ordered([*reported, *aside])


def _continues(finding: Diagnostic, other: Diagnostic) -> bool:
    """True if a finding is about a key after a list, and `other` says that the list must be a mapping."""
    if (finding.code, other.code) != ("key-among-items", "wrong-type"):
        return False
    text, listed, key = other.span.source.text, other.span, finding.span
    aligned = listed.position[1] == key.position[1] and text.startswith("- ", listed.start)
    return aligned and listed.end <= key.start and not text[listed.end : key.start].strip()


class _Known:
    """The findings reported so far. They are indexed, so that superfluous new findings are found quickly."""

    def __init__(self, reported: list[Diagnostic], draft: PatchedText) -> None:
        self._draft = draft
        self._related = {(finding.code, place.span) for finding in reported for place in finding.related}
        self._lines = {key for finding in reported for key in self._keys(finding, draft.line_of(finding))}
        self._parts = {key for finding in reported for key in self._keys(finding, draft.part_of(finding))}
        self._renamed = [
            part
            for finding in reported
            if finding.code == "overlay-patches-nothing" and finding.fix is not None and not finding.fix.certain
            if (part := draft.entry_of(finding)) is not None
        ]
        """The entries that change something unknown, where the program only guesses what the author meant."""

    def _keys(self, finding: Diagnostic, place: int | None) -> Iterator[tuple[str | None, int | None]]:
        """Yield the keys of a finding: (code, place) and, if it has no certain fix, also (``None``, place)."""
        yield finding.code, place
        if finding.code != "duplicate-key" and not (finding.fix is not None and finding.fix.certain):
            yield None, place

    def makes_superfluous(self, finding: Diagnostic) -> bool:
        """True if a reported finding makes this finding superfluous.

        A reported finding in the same part makes the new finding superfluous if it has the same code or no certain fix.
        For codes in `OF_A_PART`, it must be on the same line. So does one with the same code that lists this position
        as related. Findings about a change to something unknown are also superfluous, because the author may mean
        something else.
        """
        if any(part.start <= finding.span.start < part.end for part in self._renamed):
            return True
        by_line = finding.code in OF_A_PART
        place = self._draft.line_of(finding) if by_line else self._draft.part_of(finding)
        known = self._lines if by_line else self._parts
        is_known = place is not None and ((finding.code, place) in known or (None, place) in known)
        return is_known or (finding.code, finding.span) in self._related


# ── a copy with its mistakes removed ──

_WORDS = re.compile(r"[a-z][a-z0-9_]*")
_SPACE = re.compile(r"[\s:]*")
_INDENT = re.compile(r"(?P<space> *)(?P<text>(?P<dash>- )?.*)")
_OF_A_BLOCK = frozenset({"bad-indent", "key-among-items", "list-among-keys"})
"""Codes of findings about a misplaced line. The lines next to it and below it are then wrong, too."""

_OF_RULES = frozenset(
    {"scoring", "triggers", "modifiers", "examples", "variants", "readings", "sources", "about", "winner", "wins"}
    | {"families", "tokens", "values", "menus", "define"}
)
"""Sections whose entries can be left out without any effect on the steps of the game."""

_PLAIN = MappingProxyType(
    {"format": "2", "id": "game", "title": "Game", "version": "1.0.0", "players": "2-4", "rounds": "1"}
    | {"winner": "{order: most}"}
)
"""Valid values for top-level keys that every game has, as text."""


_DECISIVE = frozenset({"count", "keep", "starts_in", "sides", "back"})
"""Keys of cards that decide how many cards are in which zone, or which cards can be turned over."""

_NEEDED = frozenset({*_PLAIN, "extends", "cards", "round", "scoring"})
"""Top-level keys that must stay in a copy, because nothing can be checked without them."""

_REPEATED = frozenset({"each", "series"})
"""Keys that repeat an entry in files of format 1, if their value is a mapping."""

_NEEDLESS = frozenset({"unknown-key", "duplicate-key", "overlay-patches-nothing"})
"""Codes of findings about keys that are not needed. Such a key is removed without a replacement."""


class PatchedText(TextEdits):
    """A copy of a text, with edits that remove mistakes."""

    def __init__(self, source: Source) -> None:
        super().__init__(source)
        self.root, _ = load(source)
        self._written = self.root
        self.left_out: set[str] = set()
        """The words in the parts that were left out."""
        self.whole = True
        """True if no edit has changed the steps of the game."""
        self.certain = True
        """True if all edits so far were fixes that are certain."""
        self._tried: set[tuple[int, int, str]] = set()
        """The edits that were tried so far, as (start, end, new text) in the original text."""
        self._gone: dict[tuple[str, ...], list[int]] = {}
        """For the path of each list, the indices of the items that were left out."""

    # ── Making edits ──

    def without(self, errors: list[Diagnostic]) -> bool:
        """Edit the text so that it no longer has these mistakes. Return False if no edit is left to try."""
        places = {(error.span.start, error.span.end, error.code): error for error in errors}
        fixed = {error: self._fixes_for(error) for error in places.values()}
        made = [edit for edits in fixed.values() for edit in edits]
        if not made or self.root is not None:  # what cannot be read yet may be readable after the fixes
            made += [edit for error, edits in fixed.items() if not edits for edit in self._cuts_for(error)]
        self.edit(made)
        self.root, _ = load(Source(self.source.name, self.text))
        return bool(made)

    def _fixes_for(self, error: Diagnostic) -> list[Replaced]:
        """Return the edits of a mistake's fix that were not tried yet, at positions in the current text."""
        fix = error.fix
        if fix is not None and all(edit.place.source.name == self.source.name for edit in fix.edits):
            places = {(self.back(edit.place.start), self.back(edit.place.end), edit.new_text) for edit in fix.edits}
            new = not places & self._tried
            self._tried |= places
            if new and self.stands_by_itself(error):
                self.certain &= fix.certain
                chain = self._about(error)
                self.whole &= fix.certain or not chain or chain[0].key in _OF_RULES
                return [Replaced(edit.place.start, edit.place.end, edit.new_text) for edit in fix.edits]
        return []

    def _cuts_for(self, error: Diagnostic) -> list[Replaced]:
        """Return untried edits that cut out a mistake and as little else as possible.

        Their positions are in the current text.
        """
        self.certain = False
        if self.root is None:
            self.whole = False
            start, end = self._lines(error.span.start, beside=error.code in _OF_A_BLOCK)
            self._note(start, end)
            return [Replaced(start, end, "")]
        if error.code == "required-key" and not error.path:
            self.whole = False
            end = len(self.text)
            return [Replaced(end, end, f"\n{key}: {_PLAIN[key]}\n") for key in _PLAIN if key in error.missing]
        chain = self._about(error)
        if error.code == "formula-syntax" and chain and not isinstance(chain[-1].value, Scalar):
            # The mistake is reported after the formula, which ends too early.
            chain = list(around(self.root, len(self.text[: error.span.start].rstrip()) - 1))
        while any(part.key == FOR or (part.key in _REPEATED and isinstance(part.value, Mapping)) for part in chain[1:]):
            chain.pop()  # leave out the whole entry, because letters in it have no meaning without these keys
        if len(chain) > 1 and chain[-1].key == "name" and chain[-2].key in NAMING:
            chain.pop()  # without the name, the rest of the step would be about cards
        return self._leave_out(chain, needless=error.code in _NEEDLESS) if chain else []

    def _leave_out(self, chain: list[Part], *, needless: bool) -> list[Replaced]:
        """Return an edit that replaces the innermost part around a mistake by ``1`` or removes a part.

        `chain` has the parts around the mistake, outermost first. `needless` is true if the innermost part is not
        needed.
        """
        part, section = chain[-1], chain[0].key
        if len(chain) == 1 and part.key in _NEEDED and not needless:
            return self._plain(part)
        in_a_card = section == "cards" and len(chain) > 2 and chain[2].key not in _DECISIVE  # noqa: PLR2004 (card, key)
        # A superfluous key may have been meant for something else: another card, another step.
        harmless = needless and isinstance(part.value, Scalar) and section not in FLOW
        self.whole &= harmless or section in _OF_RULES or in_a_card
        self.left_out |= {outer.key for outer in chain[1:2]}
        written = part.value.span
        place = self.back(written.start), self.back(written.end), "1"
        has_value = isinstance(part.value, Scalar) and written.end > written.start
        if part.key and has_value and not needless and place not in self._tried:
            self._tried.add(place)
            self._note(written.start, written.end)
            return [Replaced(written.start, written.end, "1")]
        # If a part was inserted by an edit, or is the only part of another part, the part around it is removed.
        while len(chain) > 1 and (
            self.back(chain[-1].start) >= self.back(chain[-1].end, end=True) or size(chain[-1].parent) == 1
        ):
            chain.pop()
        if len(chain) == 1 and chain[0].key in _NEEDED:
            return self._plain(chain[0])
        # Remember that an item of a list is gone, because later findings need the original indices of other items.
        if isinstance(chain[-1].parent, Sequence):
            *outer, index = self._numbered([part.key for part in chain])
            self._gone.setdefault(tuple(outer), []).append(int(index))
        part = chain[-1]
        # Only names that the author chose are noted as left out, not keys of the language.
        self._note(part.value.span.start if len(chain) > 2 else part.start, part.end)  # noqa: PLR2004
        return [Replaced(*with_comma(self.text, part), "")]

    def _plain(self, part: Part) -> list[Replaced]:
        """Return the edit that gives a top-level key a valid value, or no edit if there is no such value."""
        plain, written = _PLAIN.get(part.key), part.value.span
        if plain is None or self.text[written.start : written.end] == plain:
            return []
        self.whole = False
        return [Replaced(written.start, written.end, plain)]

    def _note(self, start: int, end: int) -> None:
        self.left_out |= set(_WORDS.findall(self.text[start:end]))

    def _numbered(self, keys: list[str]) -> list[str]:
        """Return a path in the current text, with list indices changed to those in the original text."""
        numbered: list[str] = []
        for key in keys:
            if not key.isdigit():
                numbered.append(key)
                continue
            number = int(key)
            for gone in sorted(self._gone.get(tuple(numbered), ())):
                number += gone <= number
            numbered.append(str(number))
        return numbered

    def _lines(self, offset: int, *, beside: bool) -> tuple[int, int]:
        """Return the range of the line at an offset, and of the lines that belong to it.

        These are the more deeply indented lines below it and, with `beside`, similar lines next to it. The last newline
        is left out.
        """
        start, end = self.text.rfind("\n", 0, offset) + 1, self.text.find("\n", offset)
        end = position = len(self.text) if end < 0 else end
        first = _INDENT.match(self.text, start)
        while first and (line := _INDENT.match(self.text, position + 1)) and position < len(self.text):
            deeper = len(line["space"]) - len(first["space"])
            like = beside and bool(line["dash"]) == bool(first["dash"])
            if line["text"] and (deeper < 0 or (deeper == 0 and not like)):
                break
            position = line.end()
            end = position if line["text"] else end
        return start, end

    # ── Places in the text as it was written ──

    def placed(self, finding: Diagnostic) -> Diagnostic:
        """Return a finding about the current text, with its positions changed to those in the original text.

        Its fix is certain only if all edits so far were certain. The fix is dropped if it would replace other text in
        the original.
        """
        related = tuple(replace(note, span=self.span(note.span)) for note in finding.related)
        path = "/".join(self._numbered(finding.path.split("/")[1:]))
        fix, old = None, finding.fix.edits if finding.fix else ()
        new = tuple(Edit(self.span(edit.place), edit.new_text) for edit in old)
        texts = [[edit.place.source.text[edit.place.start : edit.place.end] for edit in edits] for edits in (old, new)]
        if finding.fix and texts[0] == texts[1]:
            fix = Fix(new, certain=finding.fix.certain and self.certain)
        return replace(finding, span=self.span(finding.span), path=path and f"/{path}", related=related, fix=fix)

    def line_of(self, finding: Diagnostic) -> int:
        """Return the number of the line where a finding is."""
        return finding.span.position[0]

    def part_of(self, finding: Diagnostic) -> int | None:
        """Return the start of the innermost part around a finding, or its line if the text has no parts."""
        if self._written is None:
            return self.line_of(finding)
        return max((part.start for part in around(self._written, finding.span.start)), default=None)

    def entry_of(self, finding: Diagnostic) -> Part | None:
        """Return the entry whose key a finding is at; ``None`` if there is none."""
        parts = around(self._written, finding.span.start) if self._written is not None else ()
        return next((part for part in reversed([*parts]) if part.start == finding.span.start), None)

    def stands_by_itself(self, finding: Diagnostic) -> bool:
        """True if a finding about the current text cannot be caused by parts that were left out."""
        # These findings are about the check of the copy, not about the text.
        span, aside = finding.span, finding.severity == "note" or finding.code == "not-all-checked"
        blank = not self.text[span.start : span.end].strip()
        if (
            aside
            or self.is_written_here(span.start)
            or (blank and self._is_cut(self._end_before(span.start), span.end))
        ):
            return False
        of_the_whole = finding.code in OF_THE_WHOLE or (finding.code == "unknown-score-label" and finding.fix is None)
        if of_the_whole and not self.whole:
            return False
        if finding.code == "required-key" and not finding.path and not self.certain:
            return False  # such as the scoring, which is needless beside a rule on a card
        around_it = list(around(self.root, span.start)) if self.root is not None else []
        empty = bool(around_it) and around_it[-1].value.span.start == around_it[-1].value.span.end
        chain = self._about(finding)
        if chain and (empty or finding.code in OF_A_PART):
            part = chain[-1]  # the first key of an item of a list may have been left out
            start = self._end_before(part.start) if isinstance(part.parent, Sequence) else part.start
            if self._is_cut(start, part.end):
                return False
        about = [*finding.names]
        if finding.code == "formula-syntax":  # such as a counter of cards whose place was left out
            about.append(self.text[span.start : span.end])
        if finding.severity == "warning":
            about += [self.text[part.start : part.end] for part in around_it[:2][-1:]]
        if finding.code == "never-used" and not self.certain and _WORDS.findall(self.source.text).count(about[0]) > 1:
            return False  # other uses may have been left out
        return self.left_out.isdisjoint(_WORDS.findall(" ".join(about)))

    def _about(self, finding: Diagnostic) -> list[Part]:
        """Return the parts of the current text that contain the subject of a finding, outermost first."""
        chain = list(around(self.root, finding.span.start)) if self.root is not None else []
        # Such a finding is placed at the first key of the part that it is about.
        whole = finding.code in OF_A_PART or (finding.code == "wrong-type" and bool(finding.path))
        return chain[: max(1, finding.path.count("/"))] if whole else chain

    def _end_before(self, offset: int) -> int:
        """Return the end of the last word before an offset."""
        return len(self.text[:offset].rstrip())

    def _is_cut(self, start: int, end: int) -> bool:
        """True if an edit has left out text within a range of the current text, or in the space after it."""
        space = _SPACE.match(self.text, end)
        end = space.end() if space else end
        start, end = self.back(start), self.back(end, end=True) if end < len(self.text) else len(self.source.text)
        return any(start <= edit.start and edit.end <= end for edit in self.edits if edit.end > edit.start)
