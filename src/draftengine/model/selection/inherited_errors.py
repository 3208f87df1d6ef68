"""Moves findings from extended files to the lines in the author's file that caused them."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

from msgspec.structs import replace

from draftengine.model.diagnostics import Diagnostic, Edit, Fix, Related, diagnose, has_errors, under
from draftengine.model.loading.overlay import (
    IDENTITY,
    PLAYERS,
    OverlayWrite,
    inside_overlay,
    merge,
    names_in,
    pointer,
    same,
)
from draftengine.model.loading.steps import FLOW
from draftengine.model.selection.errors import SELECTION
from draftengine.model.yaml.load import load
from draftengine.model.yaml.tree import Mapping, Scalar, below, entries_of
from draftengine.model.yaml.tree import Sequence as List
from draftengine.support.locale.phrases import quoted, said
from draftengine.support.source import Span

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from draftengine.model.diagnostics import Severity
    from draftengine.model.loading.overlay import Path
    from draftengine.model.selection.document import Document
    from draftengine.model.yaml.tree import Node
    from draftengine.support.locale.phrases import Phrase, Value

_FOLLOWING = frozenset({"deck-runs-out", "missing-player-count"})
"""Codes of findings that a changed number of players, rounds or cards can cause."""
_HARMLESS = frozenset(
    {"text-quotes-nothing", "condition-always-false", "condition-always-true", "overlay-changes-nothing"}
)
"""Codes of findings that are dropped in extended files: they do no harm there."""
_ASKING = ("rounds", "players", "cards")
"""The keys that can cause a lack of cards if a variant changes them."""
_NEVER_NEEDED = IDENTITY | {"examples", "about", "sources"}
"""Top-level keys to whose values nothing else in the game refers."""
_PRINTED = frozenset({"label", "text", "icon", "title", "source"})
"""Keys of printed texts. A change to one is taken as the cause of a finding only if there is no other."""
_SHOWN = 4
"""The largest number of related positions in a finding about something that is removed but needed."""
_NAMED_SECTIONS = frozenset(
    {"cards", "counters", "families", "values", "modifiers", "abilities", "zones", "extra_seats", "markers", "chips"}
    | {"payments", "triggers", "scoring", "variants", "readings", "parameters"}
)


def relocate_to_author(
    document: Document, findings: Sequence[Diagnostic], of_parent: Callable[[Document], frozenset[object]]
) -> Iterator[Diagnostic]:
    """Yield the findings. Those in extended files are moved to the author's file, which must be the cause.

    All findings about something that the author removes become one finding at the line that removes it. `of_parent`
    returns the keys of the findings that the extended file has without the author's changes.
    """
    inherited = document.inherited_errors
    needed: dict[OverlayWrite, list[Diagnostic]] = {}
    foreign = [finding for finding in findings if finding.span.source in inherited]
    known = of_parent(document) if foreign else frozenset()
    clashes = {
        name
        for finding in findings
        if finding.code == "name-clash" and finding.span.source not in inherited
        for name in finding.names
    }
    yield from _settled(document, [finding for finding in foreign if place_key(finding) not in known])
    # A finding about variants that a check has selected has no place in the file; it gets that of the last variant.
    placed = (
        replace(finding, span=finding.related[-1].span, related=finding.related[:-1])
        if finding.span.source.name == SELECTION and finding.related
        else finding
        for finding in findings
    )
    for finding in placed:
        if finding.code in _FOLLOWING and (asking := _asking_variant(document, finding)):
            related = (Related(said("finding.that-is-here"), finding.span), *finding.related)
            yield replace(finding, span=asking[0], path=pointer(asking[1]), related=related, fix=None)
        elif document.extends is None or finding.span.source not in inherited or place_key(finding) in known:
            yield finding
        elif finding.code in _HARMLESS:
            continue
        elif finding.code == "name-clash" and not clashes.isdisjoint(finding.names):
            continue  # this is reported where the author gave the name to something else
        elif finding.code == "name-clash" and (
            mine := [note for note in finding.related if note.span.source not in inherited]
        ):
            there = tuple(replace(note, span=finding.span) for note in mine)
            yield replace(finding, span=mine[0].span, related=there, fix=None)
        elif (change := _change_of(document, finding)) is not None:
            yield _moved_to(change.span, pointer(change.path), finding)
        elif (loss := _loss_of(document, finding) or _loss_in_variant(document, finding)) is None:
            shortage = _shortage(document, finding.code) if finding.code in _FOLLOWING else None
            want = shortage or _likely(document, finding)
            place = (want.span, pointer(want.path)) if want else (document.extends, "/extends")
            yield _moved_to(*place, finding)
        else:
            needed.setdefault(loss, []).append(finding)
    for loss, others in needed.items():
        if loss.removes or len(others) > 1:
            yield _incomplete(document, loss, others)
        else:
            finding = others[0]  # about something that was replaced: it is moved to the line that replaces it
            moved = _moved_to(loss.span, pointer(loss.path), finding)
            missing = loss.gone.intersection(finding.names)
            goes = _removable(document.root, finding)
            removal = quoted([_written(goes)] if goes else [])
            yield (replace(moved, advice=_advice(loss, [finding], removal)[1]) if missing else moved)


def place_key(finding: Diagnostic) -> object:
    """Return a key that is equal for equal findings, whether their file is checked alone or extended."""
    return finding.code, finding.span.source.name, finding.span.start, finding.span.end


def _loss_of(document: Document, finding: Diagnostic) -> OverlayWrite | None:
    """Return the author's change that removes or replaces the subject of a finding, or ``None``.

    The first candidates are changes that remove names in the finding, then changes that replace such names. Next are
    removals of the step that scored the rule of the finding, and changes that remove other names at the finding's
    path. Last are new lists of steps for a whole section of the flow.
    """
    names = set(finding.names)
    about = set(names_in(_node_at(document.root, finding.path)))
    needed = [loss for loss in document.writes if loss.path[0] not in _NEVER_NEEDED]
    ways = (
        (loss for loss in document.writes if loss.removes and _name(loss) in names),
        (loss for loss in needed if loss.gone & names),
        (loss for loss in document.writes if _score_step(loss, [finding])),
        (loss for loss in needed if loss.gone & about),
        (loss for loss in document.writes if loss.gone and loss.path[0] in FLOW and len(loss.path) == 1),
    )
    return next(chain.from_iterable(ways), None)


def _change_of(document: Document, finding: Diagnostic) -> OverlayWrite | None:
    """Return the author's change to something that a finding is about or names, or ``None``.

    Return ``None`` also if a change removes or replaces a name in the finding, or the step that scored its rule: such a
    change explains it better.
    """
    path, names, writes = tuple(finding.path.split("/")[1:]), set(finding.names), document.writes
    if len(path) < 2 or any(write.gone & names or _score_step(write, [finding]) for write in writes):  # noqa: PLR2004
        return None  # a path has at least a section and a name
    about = [write for write in writes if write.path[: len(path)] == path and (write.path != path or not write.removes)]
    return _cause(about) or _cause([write for write in writes if not names.isdisjoint(write.path[1:2])])


def _likely(document: Document, finding: Diagnostic) -> OverlayWrite | None:
    """Return the author's change to a name at a finding's path, a change to the flow, or the only change."""
    needed = [write for write in document.writes if write.path[0] not in _NEVER_NEEDED]
    about = set(names_in(_node_at(document.root, finding.path)))
    named = [write for write in needed if not about.isdisjoint(write.path[1:2])]
    return _cause(named or [write for write in needed if write.path[0] in FLOW] or needed[: len(needed) == 1])


def _cause(writes: list[OverlayWrite]) -> OverlayWrite | None:
    """Return the first change to more than printed texts or, if there is none, the first change."""
    return min(writes, key=lambda write: write.path[-1] in _PRINTED, default=None)


def _settled(document: Document, findings: Sequence[Diagnostic]) -> Iterator[Diagnostic]:
    """Yield a finding for each inherited variant or reading that no longer makes a difference.

    It is at the author's line that already makes the same change.
    """
    reported = set()
    for finding in findings:
        section, name, *within = (*finding.path.split("/")[1:], "")
        here = [note.span for note in finding.related if note.span.source not in document.inherited_errors]
        inside = finding.code == "overlay-changes-nothing" and inside_overlay((section, name, *within))
        if not inside or not here or (section, name) in reported:
            continue
        reported.add((section, name))
        choice = below(document.root, (section, name))
        options = below(choice, ("options",))
        nodes = [choice] if options is None else [option.value for option in entries_of(options)]
        changes = [change for node in nodes if isinstance(change := below(node, ("changes",)), Mapping)]
        if all(same(merge(document.root, change).root, document.root) for change in changes):
            edits, text = tuple(_additions(document, [(section, name)])), _written((section, name))
            yield diagnose(
                finding.code,
                here[0],
                finding.path.partition("/changes")[2],
                say=section.removesuffix("s"),
                related=(Related(said("finding.that-is-here"), finding.span),),
                fix=Fix(edits, certain=False) if edits else None,
                name=name,
                text=text,
            )


def _loss_in_variant(document: Document, finding: Diagnostic) -> OverlayWrite | None:
    """Return the change in a variant of the author that removes a name in the finding, or ``None``."""
    named = set(finding.names)
    for variant, changes in _changes_of(document, named):
        for section in changes.entries:
            for gone in entries_of(section.value):
                absent = isinstance(gone.value, Scalar) and gone.value.value is None
                if absent and gone.key.text in named and gone.key.span.source not in document.inherited_errors:
                    path = ("variants", variant, "changes", section.key.text, gone.key.text)
                    return OverlayWrite(path, gone.key.span, removes=True, gone=frozenset({gone.key.text}))
    return None


def _changes_of(document: Document, names: set[str]) -> Iterator[tuple[str, Mapping]]:
    """Yield the variants with these names, each with its changes."""
    variants = document.root.get("variants")
    for variant in entries_of(variants):
        changes = (
            variant.value.get("changes") if variant.key.text in names and isinstance(variant.value, Mapping) else None
        )
        if isinstance(changes, Mapping):
            yield variant.key.text, changes


def _asking_variant(document: Document, finding: Diagnostic) -> tuple[Span, Path] | None:
    """Return the position and path in a variant of the author that causes a lack of cards, or ``None``.

    Variants whose changes contain the finding are left out.
    """
    for variant, changes in _changes_of(document, set(finding.names)):
        extent, span = changes.span, finding.span
        if extent.source in document.inherited_errors or (
            extent.source is span.source and extent.start <= span.start < extent.end
        ):
            continue
        for key in _ASKING:
            entry = changes.entry(key)
            if entry is not None and entry.key.span.source not in document.inherited_errors:
                place = entry.value.span if isinstance(entry.value, Scalar) else entry.key.span
                return place, ("variants", variant, "changes", key)
    return None


def _shortage(document: Document, code: str) -> OverlayWrite | None:
    """Return the author's change that causes a lack of cards: more rounds, fewer cards, or other players.

    If the file lacks a number for some number of players, only a change of the players can be the cause.
    """
    more = (loss for loss in document.writes if loss.path == ("rounds",) and loss.rise > 0)
    fewer = (loss for loss in document.writes if loss.path[0] == "cards" and (loss.rise < 0 or loss.removes))
    others = (loss for loss in document.writes if loss.path == PLAYERS)
    return next(others if code == "missing-player-count" else chain(more, fewer, others), None)


def _node_at(root: Mapping, path: str) -> Node:
    """Return the node at a JSON Pointer; if there is none, the innermost node around it."""
    node: Node = root
    for part in path.split("/")[1:]:
        below = node.get(part) if isinstance(node, Mapping) else None
        if isinstance(node, List) and part.isdigit() and int(part) < len(node.items):
            below = node.items[int(part)]
        node = below or node
    return node


def _name(loss: OverlayWrite) -> str:
    """Return the name that a change removes, as the author wrote it."""
    span = loss.span
    return span.source.text[span.start : span.end].strip("'\"")


def _moved_to(place: Span, path: str, finding: Diagnostic) -> Diagnostic:
    related = (Related(said("finding.that-is-here"), finding.span), *finding.related)
    text = under(finding.text, said("condition.changes"))
    return replace(finding, text=text, span=place, path=path, related=related, fix=None)


def _incomplete(document: Document, loss: OverlayWrite, findings: list[Diagnostic]) -> Diagnostic:
    """Return one finding about an incomplete removal or replacement, at the author's line.

    It names everything that must be removed as well.
    """
    scored = _score_step(loss, findings)
    others = [] if scored else list(dict.fromkeys(_removable(document.root, finding) for finding in findings))
    parts = [other for other in others if other is not None]
    related = tuple(Related(finding.text, finding.span) for finding in findings[:_SHOWN])
    severity: Severity = "error" if has_errors(findings) else "warning"
    missing, hint = _advice(loss, findings, quoted(map(_written, parts)))
    if scored:
        hint = said("hint.keep-score", text=scored)
    if parts and None in others:
        hint = said("hint.both", first=hint, second=said("hint.lists-anew"))
    in_variant = inside_overlay(loss.path)
    if in_variant and parts:
        hint = said("hint.both", first=hint, second=said("hint.in-changes-of", name=loss.path[1]))
    whole = loss.removes and parts and None not in others and not in_variant
    fix = Fix(tuple(_additions(document, parts)), certain=True) if whole else None
    return diagnose(
        "removal-incomplete",
        loss.span,
        pointer(loss.path),
        say="removed" if loss.removes else "replaced",
        hint=hint,
        severity=severity,
        related=related,
        fix=fix,
        name=_name(loss),
        places=len(findings),
        needed=_what_stood_there(missing),
        count=max(1, len(missing)),
    )


def _score_step(loss: OverlayWrite, findings: list[Diagnostic]) -> str:
    """Return the removed `score` step without which rules never score; empty if that is not the cause.

    Removing the rules instead would not help: one rule after another would turn out never to score.
    """
    label = loss.step.get("score") if loss.step else None
    scores = isinstance(label, Scalar) and all(finding.code == "rule-never-scores" for finding in findings)
    return f"score: {label.value}" if isinstance(label, Scalar) and scores else ""


def _what_stood_there(names: list[str]) -> Value:
    """Return the replaced names in quotes; without names, a phrase such as “what was there”."""
    return quoted(names) or said("finding.what-stood-there")


def _advice(loss: OverlayWrite, findings: list[Diagnostic], removals: tuple[Phrase, ...]) -> tuple[list[str], Phrase]:
    """Return the replaced names that are still needed, and a hint on what to do."""
    if loss.removes:
        return [], said("hint.write-too", removals=removals) if removals else said("hint.change-too")
    missing = sorted({name for finding in findings for name in finding.names} & loss.gone)
    named = _what_stood_there(missing)
    if loss.path[0] in FLOW and len(loss.path) == 1:
        step = missing[0] if missing else "ID"
        text = f"steps: {{{step}: {{…}}}}"
        return missing, said("hint.replaces-all-steps", section=loss.path[0], text=text, named=named)
    if removals:
        return missing, said("hint.keep-or-write-too", named=named, removals=removals)
    return missing, said("hint.keep-or-change-too", named=named)


def _removable(root: Mapping, finding: Diagnostic) -> Path | None:
    """Return the path of an entry whose removal (``null``) ends the finding; ``None`` if there is none."""
    parts, span = tuple(finding.path.split("/")[1:]), finding.span
    if finding.code == "unknown-variant" and parts[-1:] and parts[-1].isdigit():
        around = _node_at(root, pointer(parts[:-1]))
        return parts[:-1] if isinstance(around, List) and len(around.items) == 1 else None
    for section in ("variants", "readings"):
        node = root.get(section)
        for entry in entries_of(node):
            extent = entry.value.span
            if extent.source is span.source and extent.start <= span.start < extent.end:
                return section, entry.key.text
    if parts[:1] and parts[0] in _NAMED_SECTIONS and len(parts) > 1:
        return parts[:2]
    if parts[:2] == ("winner", "tie_breakers"):
        listed = below(root, parts[:2])
        return parts[:2] if isinstance(listed, List) and len(listed.items) == 1 else None
    # The innermost step on the path that has an id.
    step = None
    inner: Node | None = root
    for part in parts:
        if isinstance(inner, Mapping):
            inner = inner.get(part)
        elif isinstance(inner, List) and part.isdigit() and int(part) < len(inner.items):
            inner = inner.items[int(part)]
            name = inner.get("id") if isinstance(inner, Mapping) else None
            step = str(getattr(name, "value", "")) or step
    return ("steps", step) if step else None


def _written(path: Path) -> str:
    """Return YAML that removes the entry at a path: ``scoring: {bread: null}``."""
    *outer, last = path
    text = f"{last}: null"
    for part in reversed(outer):
        text = f"{part}: {{{text}}}"
    return text


def _additions(document: Document, paths: list[Path]) -> Iterator[Edit]:
    """Yield edits that add ``key: null`` to the author's file for the inherited entries at these paths.

    An entry is added at the end of a ``{…}`` or at the beginning of a block. New sections are added at the end of the
    file.
    """
    source = document.files[0].source
    root, _ = load(source)
    new: dict[str, list[str]] = {}
    for section_name, *rest in paths:
        section, text = root.get(section_name) if root is not None else None, _written(tuple(rest))
        if not isinstance(section, Mapping) or not section.entries:
            new.setdefault(section_name, []).append(text)
        elif section.get(rest[0]) is not None:
            continue
        elif source.text[section.span.start] == "{":
            end = section.span.end - 1
            yield Edit(Span(source, end, end), f", {text}")
        else:
            first = section.entries[0].key.span
            yield Edit(Span(source, first.start, first.start), f"{text}\n{' ' * (first.position[1] - 1)}")
    lines = [line for section, texts in new.items() for line in (f"{section}:", *(f"  {text}" for text in texts))]
    if lines:
        end = len(source.text)
        before = "" if source.text.endswith("\n") else "\n"
        yield Edit(Span(source, end, end), before + "\n".join(lines) + "\n")
