"""Everything that is wrong with a text at once.

A check stops where what follows could not be trusted, so an author would mend one mistake only to be told of the next.
Here each mistake is got out of the way in a copy of the text: as its fix says if it has one, else by leaving out the
part in which it stands. The copy is checked again. What is found there is told at its place in the text as it was
written, unless it could follow from what was left out.
"""

from __future__ import annotations

import re
from types import MappingProxyType
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from draftengine.cardset.load import load
from draftengine.cardset.tree import Mapping, Scalar, Sequence
from draftengine.cardset.validate import SCENARIOS
from draftengine.diagnostics.finding import Diagnostic, Edit, Fix, ordered
from draftengine.source import Source, Span

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from draftengine.cardset.resolve.complaints import Findings
    from draftengine.cardset.tree import Node

_ROUNDS = 12
"""So often a copy is checked at most; each check but the last is short, because it ends at a mistake."""

_WORDS = re.compile(r"[a-z][a-z0-9_]*")
_SPACE = re.compile(r"[\s:]*")
_QUOTED = re.compile("“([^”]*)”")

_OF_THE_WHOLE = frozenset(
    {"deck-runs-out", "endless-turns", "layout-too-small", "layout-too-large", "zone-misuse", "rule-never-scores"}
    | {"counter-unlimited", "points-unlimited", "place-never-given", "never-shuffled", "step-lost", "cards-left"}
)
"""What is found by following the whole game, so that it says nothing of one that was cut down."""

_OF_A_PART = frozenset({"required-key", "one-verb", "wrong-length"})
"""What a part lacks, which says nothing once something was left out of it."""

_OF_RULES = frozenset(
    {"scoring", "triggers", "modifiers", "examples", "variants", "readings", "sources", "about", "winner", "wins"}
    | {"families", "tokens", "menus", "define"}
)
"""Sections of which something may be left out without another course of the game."""

_PLAIN = MappingProxyType(
    {"format": "1", "id": "game", "title": "Game", "version": "1.0.0", "players": "2-4", "rounds": "1"}
    | {"winner": "{order: most}"}
)
"""Top-level keys that every game has, with values that are right."""


class Look(Struct, frozen=True):
    """What one check of a text finds, which may end at a mistake."""

    findings: Findings
    opened: bool
    """It came as far as the game itself."""

    @property
    def in_the_way(self) -> tuple[Diagnostic, ...]:
        """The mistakes behind which others may wait."""
        errors = (own for own in self.findings if own.severity == "error")
        return tuple(own for own in errors if not (self.opened and own.code in _LATE))


def all_at_once(source: Source, look: Look, again: Callable[[str], Look]) -> Findings:
    """What is wrong with `source`: what a first `look` found, and what is found when that is out of the way."""
    if any(own.path == SCENARIOS for own in look.findings):
        return look.findings
    told = [own for own in look.findings if own.severity == "error"]
    aside = [own for own in look.findings if own.severity != "error"]
    draft = _Draft(source)
    for _ in range(_ROUNDS):
        errors = [own for own in look.in_the_way if own.span.source.name == source.name]
        if not draft.without(errors):
            break
        look = again(draft.text)
        new = [own for own in look.findings if own.span.source.name == source.name and draft.stands_by_itself(own)]
        known = [
            (own.span.position[0], own.code, _is_certain(own)) for own in told if own.span.source.name == source.name
        ]
        placed = [own for own in map(draft.placed, new) if not _is_known(own, known)]
        told += [own for own in placed if own.severity == "error"]
        if not look.in_the_way:
            # Only now do warnings say anything: a mistake makes much seem wrong that is right.
            aside = [own for own in placed if own.severity != "error"]
    return ordered([*told, *aside])


def _is_known(own: Diagnostic, known: list[tuple[int, str, bool]]) -> bool:
    """Does the line of a finding say nothing new, because it is wrong already."""
    line = own.span.position[0]
    return any(line == other and (code == own.code or not certain) for other, code, certain in known)


def _is_certain(own: Diagnostic) -> bool:
    """Is it known what was meant, so that its line says something else besides."""
    return own.fix is not None and own.fix.certain


_NEEDED = frozenset({*_PLAIN, "extends", "cards", "round", "scoring"})
"""Top-level keys that cannot be left out."""

_NEEDLESS = frozenset({"unknown-key", "duplicate-key", "overlay-patches-nothing"})
"""Mistakes of something that is not asked for, so nothing has to stand instead."""

_LATE = (
    _OF_THE_WHOLE
    | {"out-of-range", "division-by-zero", "too-costly", "unusable-number"}
    | {"example-fails", "example-invalid"}
)
"""Mistakes behind which nothing waits."""


class _Draft:
    """A text with edits that get mistakes out of the way. Edits are kept by their places in the text as written."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.edits: list[_Replaced] = []
        self.text = source.text
        self.root, _ = load(source)
        self.left_out: set[str] = set()
        """The words in what was left out."""
        self.whole = True
        """The course of the game is still what its author meant."""
        self.certain = True
        """Nothing but certain fixes was made."""
        self._tried: set[tuple[int, int, str]] = set()
        self._gone: dict[tuple[str, ...], list[int]] = {}
        """The numbers of the items that were left out of lists, by the path of the list."""

    # ── Making edits ──

    def without(self, errors: list[Diagnostic]) -> bool:
        """Get mistakes that were found in the present text out of the way; ``False`` if nothing can be done."""
        places = {(own.span.start, own.span.end, own.code): own for own in errors}
        made = [own for error in places.values() for own in self._edits_for(error)]
        placed = [_Replaced(self._back(own.start), self._back(own.end, end=True), own.text) for own in made]
        self.edits = _merged([*placed, *self.edits])
        self.text = _applied(self.source.text, self.edits)
        self.root, _ = load(Source(self.source.name, self.text))
        return bool(made)

    def _edits_for(self, error: Diagnostic) -> list[_Replaced]:
        """The mildest way to get a mistake out of the way that has not been tried, in places of the present text."""
        fix = self._untried(error)
        if fix is not None and self.stands_by_itself(error):
            self.certain &= fix.certain
            return [_Replaced(own.place.start, own.place.end, own.new_text) for own in fix.edits]
        self.certain = False
        if self.root is None:
            self.whole = False
            start, end = self._line(error.span.start)
            self._note(start, end)
            return [_Replaced(start, end, "")]
        if error.code == "required-key" and not error.path:
            return self._required(error)
        chain = list(_around(self.root, error.span.start))
        if error.code in _OF_A_PART:
            # It stands at the first key of what lacks something, so that what lacks it is the part around that.
            chain = chain[: max(1, error.path.count("/"))]
        return self._leave_out(chain, needless=error.code in _NEEDLESS) if chain else []

    def _untried(self, error: Diagnostic) -> Fix | None:
        """The fix of a mistake, unless it was made before and has not helped."""
        fix = error.fix
        if fix is None or any(own.place.source.name != self.source.name for own in fix.edits):
            return None
        places = {(self._back(own.place.start), self._back(own.place.end), own.new_text) for own in fix.edits}
        new = not places & self._tried
        self._tried |= places
        return fix if new else None

    def _required(self, error: Diagnostic) -> list[_Replaced]:
        """A key of the whole game that is missing, at the end of the text."""
        self.whole = False
        end = len(self.text)
        missing = [key for key in _PLAIN if f"“{key}”" in error.message]
        return [_Replaced(end, end, f"\n{key}: {_PLAIN[key]}\n") for key in missing]

    def _leave_out(self, chain: list[_Part], *, needless: bool) -> list[_Replaced]:
        """The innermost of the parts around a mistake, or a plain value instead of it."""
        part, section = chain[-1], chain[0].key
        if len(chain) == 1 and part.key in _NEEDED and not needless:
            return self._plain(part)
        in_a_card = section == "cards" and len(chain) > 2 and part.key != "count"  # noqa: PLR2004 (section, card, key)
        self.whole &= needless or section in _OF_RULES or in_a_card
        self.left_out |= {own.key for own in chain[1:2]}
        written = part.value.span
        place = self._back(written.start), self._back(written.end), "1"
        if part.key and isinstance(part.value, Scalar) and not needless and place not in self._tried:
            self._tried.add(place)
            self._note(written.start, written.end)
            return [_Replaced(written.start, written.end, "1")]
        while len(chain) > 1 and (self._is_ours(chain[-1]) or _size(chain[-1].parent) == 1):
            chain.pop()
        if len(chain) == 1 and chain[0].key in _NEEDED:
            return self._plain(chain[0])
        self._forget(chain)
        part = chain[-1]
        # A key of the language says nothing of what is left out, unlike a name of the author's.
        self._note(part.value.span.start if len(chain) > 2 else part.start, part.end)  # noqa: PLR2004
        return [_Replaced(*_with_comma(self.text, part), "")]

    def _plain(self, part: _Part) -> list[_Replaced]:
        """A value that is right instead of what a key of the whole game says."""
        plain, written = _PLAIN.get(part.key), part.value.span
        if plain is None or self.text[written.start : written.end] == plain:
            return []
        self.whole = False
        return [_Replaced(written.start, written.end, plain)]

    def _is_ours(self, part: _Part) -> bool:
        """Is this only in the present text."""
        return self._back(part.start) >= self._back(part.end, end=True)

    def _named_thing(self, offset: int) -> str:
        """The text of the card, rule, step … that an offset lies in."""
        chain = list(_around(self.root, offset))[:2] if self.root is not None else []
        return self.text[chain[-1].start : chain[-1].end] if chain else ""

    def _note(self, start: int, end: int) -> None:
        self.left_out |= set(_WORDS.findall(self.text[start:end]))

    def _forget(self, chain: list[_Part]) -> None:
        """Remember that an item of a list is gone, so that those behind it keep their numbers."""
        if isinstance(chain[-1].parent, Sequence):
            *outer, index = self._numbered([own.key for own in chain])
            self._gone.setdefault(tuple(outer), []).append(int(index))

    def _numbered(self, keys: list[str]) -> list[str]:
        """A path of the present text with the numbers of items as they were written."""
        found: list[str] = []
        for key in keys:
            number = int(key) if key.isdigit() else 0
            for gone in sorted(self._gone.get(tuple(found), ())):
                number += gone <= number
            found.append(str(number) if key.isdigit() else key)
        return found

    def _line(self, offset: int) -> tuple[int, int]:
        """The line of an offset, without its end."""
        start = self.text.rfind("\n", 0, offset) + 1
        end = self.text.find("\n", offset)
        return start, len(self.text) if end < 0 else end

    # ── Places in the text as it was written ──

    def placed(self, finding: Diagnostic) -> Diagnostic:
        """A finding about the present text, at its places in the text as it was written."""
        related = tuple(replace(own, span=self._span(own.span)) for own in finding.related)
        fix = finding.fix and self._fix(finding.fix)
        path = "/".join(self._numbered(finding.path.split("/")[1:]))
        return replace(finding, span=self._span(finding.span), path=path and f"/{path}", related=related, fix=fix)

    def stands_by_itself(self, finding: Diagnostic) -> bool:
        """Could a finding about the present text have been made without what was left out of it."""
        if finding.severity == "note" or self._is_written_here(finding.span.start):
            return False
        if finding.code in _OF_THE_WHOLE and not self.whole:
            return False
        if finding.code in _OF_A_PART and self._is_cut_down(finding.span.start):
            return False
        about = _QUOTED.findall(finding.message)
        if finding.severity == "warning":
            about.append(self._named_thing(finding.span.start))
        return self.left_out.isdisjoint(_WORDS.findall(" ".join(about)))

    def _is_cut_down(self, offset: int) -> bool:
        """Was anything left out of the innermost part that an offset of the present text lies in."""
        chain = list(_around(self.root, offset)) if self.root is not None else []
        if not chain:
            return False
        behind = _SPACE.match(self.text, chain[-1].end)
        start, end = self._back(chain[-1].start), self._back(behind.end() if behind else chain[-1].end, end=True)
        return any(start <= own.start and own.end <= end for own in self.edits if own.end > own.start)

    def _fix(self, fix: Fix) -> Fix | None:
        """A fix in the text as it was written; it is not certain if it builds on something that is not."""
        edits = tuple(Edit(self._span(own.place), own.new_text) for own in fix.edits)
        kept = all(_text_at(new.place) == _text_at(own.place) for own, new in zip(fix.edits, edits, strict=True))
        return Fix(edits, certain=fix.certain and self.certain) if kept else None

    def _span(self, span: Span) -> Span:
        if span.source.name != self.source.name:
            return span
        return Span(self.source, self._back(span.start), self._back(span.end, end=True))

    def _is_written_here(self, offset: int) -> bool:
        """Does an offset of the present text lie in what an edit put there."""
        shift = 0
        for own in self.edits:
            if own.start + shift <= offset < own.start + shift + len(own.text):
                return True
            shift += len(own.text) - (own.end - own.start)
        return False

    def _back(self, offset: int, *, end: bool = False) -> int:
        """Where an offset of the present text lies in the text as it was written."""
        shift = 0
        for own in self.edits:
            start = own.start + shift
            if offset < start or (offset == start and end):
                break
            if offset < start + len(own.text):
                return own.end if end else own.start
            shift += len(own.text) - (own.end - own.start)
        return min(max(offset - shift, 0), len(self.source.text))


class _Replaced(Struct, frozen=True, order=True):
    """What stands in a stretch of a text instead."""

    start: int
    end: int
    text: str


class _Part(Struct, frozen=True):
    """An entry of a mapping or an item of a list."""

    start: int
    end: int
    key: str
    """Of an item its number."""
    value: Node
    parent: Node


def _around(root: Mapping, offset: int) -> Iterator[_Part]:
    """The entries and items that an offset lies in, from the outside in."""
    node: Node = root
    while True:
        part = next((own for own in _parts(node) if own.start <= offset < max(own.end, own.start + 1)), None)
        if part is None:
            return
        yield part
        if offset < part.value.span.start:
            return
        node = part.value


def _parts(node: Node) -> Iterator[_Part]:
    if isinstance(node, Mapping):
        for entry in node.entries:
            end = max(entry.value.span.end, entry.key.span.end)
            yield _Part(entry.key.span.start, end, entry.key.text, entry.value, node)
    elif isinstance(node, Sequence):
        for index, item in enumerate(node.items):
            yield _Part(item.span.start, item.span.end, str(index), item, node)


def _size(node: Node) -> int:
    return len(node.entries if isinstance(node, Mapping) else node.items if isinstance(node, Sequence) else ())


def _with_comma(text: str, part: _Part) -> tuple[int, int]:
    """What has to go with a part: the comma behind it, its hyphen, the rest of its lines."""
    start, end = part.start, part.end
    behind = re.match(r"[ \n]*,", text[end:])
    if behind:
        return start, end + behind.end()
    line = text.rfind("\n", 0, start) + 1
    lead = re.fullmatch(r" *(- +)*", text[line:start])
    if lead and "-" in lead[0] and isinstance(part.parent, Sequence):
        start = line + lead[0].rindex("-")
    return start, end


def _merged(edits: list[_Replaced]) -> list[_Replaced]:
    """Edits by their places. Of those that overlap the one that replaces most stays, and of those the first."""
    kept: list[_Replaced] = []
    for own in sorted(dict.fromkeys(edits), key=lambda own: own.start - own.end):
        if all(own.end <= other.start or other.end <= own.start for other in kept):
            kept.append(own)
    return sorted(kept)


def _applied(text: str, edits: list[_Replaced]) -> str:
    for own in reversed(edits):
        text = text[: own.start] + own.text + text[own.end :]
    return text


def _text_at(place: Span) -> str:
    return place.source.text[place.start : place.end]
