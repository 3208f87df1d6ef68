"""Merges overlays (the changes of `extends`, variants and readings) into the tree of a card set.

Mappings are merged, lists and scalars replace the old value, ``null`` removes it, and ``{append: […]}`` adds to a list.
The key `steps` changes steps by their id, at any depth, and inserts steps before or after them. Every node of the
result keeps its position, so that later findings refer to the right file.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec import Struct, field
from msgspec.structs import replace

from draftengine.model.diagnostics import Diagnostic, Related, diagnose
from draftengine.model.diagnostics.suggest import closest, did_you_mean, is_slip, may_be_slip, possible
from draftengine.model.loading.overlay_hints import is_unwritten, is_whole_entry, where_it_is
from draftengine.model.loading.sides import BACK, with_change_of_back, with_counts_of_sides
from draftengine.model.loading.steps import FLOW, INSIDE, spelt_out, step_id, steps_in, verbs_in
from draftengine.model.records.reader import is_whole
from draftengine.model.rules import COMMON_KEYS, KIND_KEYS, kind_named, likely_kind
from draftengine.model.verbs import VERBS
from draftengine.model.yaml.fixes import renamed, without_line
from draftengine.model.yaml.tree import Entry, Mapping, Node, Scalar, Sequence, below, entries_of, plain, put
from draftengine.support.locale.phrases import either, quoted, said

if TYPE_CHECKING:
    from collections.abc import Iterator

    from draftengine.model.diagnostics import Fix
    from draftengine.support.locale.phrases import Text
    from draftengine.support.source import Span

Path = tuple[str, ...]

_KEPT = frozenset({"pass", "clear"})
"""Verbs that a game hardly does without: removing the last such step is probably a mistake."""

_DIRECTIONS = ("pass", "to")
"""The last keys of a path to the directions of a `pass`, which repeat after the last direction."""

APPEND = "append"
"""The key with which a change adds to a list instead of replacing it."""

IDENTITY = frozenset({"format", "id", "title", "version", "extends"})
"""Keys that identify a file. A file with `extends` may repeat the values that the extended file has."""


PLAYERS = ("players",)
"""The path of the number of players."""


class OverlayWrite(Struct, frozen=True):
    """One change by an overlay: the path of a key that it sets or removes, and its span in the overlay."""

    path: Path
    span: Span
    removes: bool
    gone: frozenset[str] = frozenset()
    """The names that the old value has and the new value has not."""
    rise: int = 0
    """The amount by which a number becomes larger."""
    step: Mapping | None = None
    """The step that is removed; ``None`` otherwise."""


class MergeResult(Struct, frozen=True):
    """A changed tree, the mistakes in the change, and the keys that it has set or removed."""

    root: Mapping
    findings: tuple[Diagnostic, ...]
    writes: tuple[OverlayWrite, ...]


def merge(base: Mapping, change: Mapping, prefix: str = "", restated: frozenset[str] = frozenset()) -> MergeResult:
    """Apply `change` to `base`, and return the result.

    `prefix` is the JSON Pointer of the change itself. The change may repeat the values of the top-level keys in
    `restated`.
    """
    merger = _Merger(prefix, restated, base, change)
    root = merger.mapping(base, _without(change, "steps"), ())
    patches = change.get("steps")
    if isinstance(patches, Mapping):
        root = merger.steps(root, patches)
    merger.look_for_lost_steps(base, root)
    return MergeResult(with_counts_of_sides(root), tuple(merger.findings), tuple(merger.writes))


def collide(one: Path, other: Path) -> bool:
    """True if two paths are equal, or one of them leads to a part of the other's node."""
    shorter = min(len(one), len(other))
    return one[:shorter] == other[:shorter]


def same(one: Node, other: Node) -> bool:
    """True if two nodes have equal values (``true`` and ``1`` are different)."""
    return repr(plain(one)) == repr(plain(other))


def pointer(path: Path) -> str:
    """Return a path as a JSON Pointer."""
    return "".join("/" + part.replace("~", "~0").replace("/", "~1") for part in path)


def _without(base: Mapping, name: str) -> Mapping:
    if base.entry(name) is None:
        return base
    return Mapping(tuple(entry for entry in base.entries if entry.key.text != name), base.span)


def _appended(node: Node) -> Sequence | None:
    """Return the list that a change appends; ``None`` if the change replaces the old value."""
    if isinstance(node, Mapping) and [entry.key.text for entry in node.entries] == [APPEND]:
        more = node.entries[0].value
        return more if isinstance(more, Sequence) else None
    return None


def names_in(node: Node) -> Iterator[str]:
    """Yield every key and every text in a part of a card set, because each may be a name."""
    if isinstance(node, Mapping):
        for entry in node.entries:
            yield entry.key.text
            yield from names_in(entry.value)
    elif isinstance(node, Sequence):
        for item in node.items:
            yield from names_in(item)
    elif isinstance(node.value, str):
        yield node.value


def _is_null(node: Node) -> bool:
    return isinstance(node, Scalar) and node.value is None


def _is_by_number(node: Node) -> bool:
    """True if the node is a table by number of players. It replaces a mapping of any other sort."""
    entries = entries_of(node)
    return bool(entries) and all(entry.key.text.isdecimal() for entry in entries)


def inside_overlay(path: Path) -> bool:
    """True if `path` is in the changes of a variant or reading, where a ``null`` is not applied yet."""
    return (path[:1] == ("variants",) and path[2:3] == ("changes",)) or (
        path[:1] == ("readings",) and path[4:5] == ("changes",)
    )


def _writes_of_new(entry: Entry, path: Path) -> Iterator[OverlayWrite]:
    """Yield the changes for a new entry: one for the entry or, for a section, one for each name in it.

    Therefore, several overlays may add different names to a section. If the entry is in the changes of a variant or
    reading, there is a change for each of its parts.
    """
    if isinstance(entry.value, Mapping) and entry.value.entries and (len(path) == 1 or inside_overlay(path)):
        for part in entry.value.entries:
            yield from _writes_of_new(part, (*path, part.key.text))
    else:
        yield OverlayWrite(path, entry.key.span, removes=False)


def _turns(node: Node) -> list[Any]:
    """Return the shortest list of directions that gives the same order when it is repeated."""
    ways = [item.value for item in (node.items if isinstance(node, Sequence) else (node,)) if isinstance(item, Scalar)]
    lengths = (length for length in range(1, len(ways)) if len(ways) % length == 0)
    return next((ways[:length] for length in lengths if ways[:length] * (len(ways) // length) == ways), ways)


class _Merger(Struct):
    prefix: str
    restated: frozenset[str]
    base: Mapping
    """The tree that is changed."""
    change: Mapping
    """The whole tree of changes."""
    findings: list[Diagnostic] = field(default_factory=list)
    writes: list[OverlayWrite] = field(default_factory=list)
    shown: Path | None = None
    """The path of the change to a step in the overlay, while it is applied. Findings report this path."""
    applied: Path = ()
    """The path of the step to which the change is applied."""

    def mapping(self, base: Mapping, change: Mapping, path: Path) -> Mapping:
        """Return `base` with all entries of `change` applied."""
        if not change.entries and path:
            self._changes_nothing(path, change.span, change.span, None)
        before, start = base, len(self.findings)
        for entry in change.entries:
            base = self._entry(base, entry, (*path, entry.key.text))
        # Tables by number of players and short spellings say all, so some of their values may stay the same.
        by_number = _is_by_number(change)
        # The author wrote no such key, but a short spelling that implies it (see `short`).
        implied = any(entry.key.span == entry.value.span for entry in change.entries)
        unchanged = (by_number or implied) and same(before, base)
        if implied or (by_number and not unchanged):
            kept = [finding for finding in self.findings[start:] if finding.code != "overlay-changes-nothing"]
            self.findings[start:] = kept
        if implied and unchanged:
            self._changes_nothing(path, change.span, before.span, None)
        return base

    def _entry(self, base: Mapping, entry: Entry, path: Path) -> Mapping:
        old = base.entry(entry.key.text)
        if old is None:
            return self._on_front(base, entry, path) or self._add(base, entry, path)
        if _is_null(entry.value):
            gone = frozenset({entry.key.text, *names_in(old.value)})
            self.writes.append(OverlayWrite(path, entry.key.span, removes=True, gone=gone))
            return _without(base, entry.key.text)
        more = _appended(entry.value)
        if more is not None and not isinstance(old.value, Mapping):
            self.writes.append(OverlayWrite((*path, f"{APPEND} {more.span.start}"), entry.key.span, removes=False))
            items = old.value.items if isinstance(old.value, Sequence) else (old.value,)
            return put(base, Entry(old.key, Sequence((*items, *more.items), old.value.span)))
        alike = _is_by_number(old.value) == _is_by_number(entry.value)
        if isinstance(old.value, Mapping) and isinstance(entry.value, Mapping) and alike:
            of_rule = path[-1] == "scores" or path[-2:-1] == ("scoring",)
            kind, changed = kind_named(_keys(old.value)) if of_rule else "", entries_of(entry.value)
            stated_keys = {other.key.text for other in changed if not _is_null(other.value)}
            removed = kind in {other.key.text for other in changed} - stated_keys
            if of_rule and (kind_named(stated_keys) not in {"", kind} or (kind and removed)):
                # The kind changes, so the rule keeps only the keys that rules of every kind have.
                kept = Mapping(
                    tuple(other for other in old.value.entries if other.key.text in COMMON_KEYS), entry.key.span
                )
                changes = entries_of(entry.value)
                stated = tuple(other for other in changes if kept.get(other.key.text) or not _is_null(other.value))
                gone = frozenset(names_in(old.value)) - frozenset(names_in(entry.value))
                self.writes.append(OverlayWrite(path, entry.key.span, removes=False, gone=gone))
                return put(base, Entry(entry.key, self.mapping(kept, Mapping(stated, entry.value.span), path)))
            return put(base, Entry(old.key, self.mapping(old.value, entry.value, path)))
        gone = frozenset(names_in(old.value)) - frozenset(names_in(entry.value))
        before, now = (node.value if isinstance(node, Scalar) else None for node in (old.value, entry.value))
        rise = now - before if is_whole(before) and is_whole(now) else 0
        span = entry.value.span if rise or path == PLAYERS else entry.key.span
        self.writes.append(OverlayWrite(path, span, removes=False, gone=gone, rise=rise))
        equal = same(old.value, entry.value) or (path[-2:] == _DIRECTIONS and _turns(old.value) == _turns(entry.value))
        if equal and (path[0] not in self.restated or len(path) > 1):
            fix = without_line(entry.key.span, entry.value.span)
            self._changes_nothing(path, entry.value.span, old.value.span, fix)
        return base if equal else put(base, entry)

    def _on_front(self, base: Mapping, entry: Entry, path: Path) -> Mapping | None:
        """Return the cards after a change to the back of a card; ``None`` if the entry is no such change."""
        changed = with_change_of_back(base, entry) if path == ("cards", entry.key.text) else None
        if changed is None or below(self.base, ("cards", changed[1].key.text, BACK)) is None:  # new in this change
            return None
        cards, change = changed
        front = ("cards", change.key.text)
        self.shown, self.applied = path, (*front, BACK)
        cards = self._entry(cards, change, front)
        self.shown = None
        return cards

    def _add(self, base: Mapping, entry: Entry, path: Path) -> Mapping:
        if _is_null(entry.value) and not inside_overlay(path):
            self._patches_nothing(path, entry, base)
            return base
        if _changes_a_rule(path, entry.value):
            self._no_such_rule(path, entry, base)
            return base
        self.writes += _writes_of_new(entry, path)
        self._nearly_known(base, entry, path)
        return put(base, Entry(entry.key, self._fresh(entry.value, path)))

    def _nearly_known(self, base: Mapping, entry: Entry, path: Path) -> None:
        """Warn about a new entry without a label whose name is similar to that of an existing entry."""
        if len(path) != 2 or not is_whole_entry(path[0], entry.value):  # noqa: PLR2004 (a section and a name)
            return
        name, known = path[-1], [other.key.text for other in base.entries]
        near = any(other[0] == name[0] and may_be_slip(name, other) for other in known)
        meant = closest(name, known) if near and below(entry.value, ("label",)) is None else None
        if meant is None or meant[0] != name[0] or not is_slip(name, meant, known):
            return
        span, fix = entry.key.span, renamed(entry.key.span, name, known)
        place = self._pointer(path)
        self.findings.append(diagnose("nearly-known-name", span, place, fix=fix, name=name, meant=meant))

    def _fresh(self, node: Node, path: Path) -> Node:
        """Return a node for an overlay to add where there was none.

        A mapping with `append` becomes its list. Each ``null`` is dropped and reported.
        """
        if not isinstance(node, Mapping) or inside_overlay(path):
            return node
        more = _appended(node)
        if more is not None:
            return more
        entries = []
        for entry in node.entries:
            place = (*path, entry.key.text)
            if _is_null(entry.value) and not inside_overlay(place):
                self._patches_nothing(place, entry, Mapping((), node.span))
            else:
                entries.append(Entry(entry.key, self._fresh(entry.value, place)))
        return Mapping(tuple(entries), node.span)

    # Steps

    def steps(self, root: Mapping, patches: Mapping) -> Mapping:
        """Return `root` with the changes that `patches` makes to steps, by their ids."""
        known = tuple(name for step in steps_in(root) if (name := step_id(step)) is not None)
        for patch in patches.entries:
            name, span = patch.key.text, patch.key.span
            if name not in known:
                code, place = "overlay-patches-nothing", self.prefix + pointer(("steps", name))
                verb = next((entry.key.text for entry in entries_of(patch.value) if entry.key.text in VERBS), None)
                alike = [
                    known_id for step in steps_in(root) if step.entry(verb or name) and (known_id := step_id(step))
                ]
                likely = alike if verb else known
                if verb and known and not alike:
                    hint: Text = said("hint.no-such-step", verb=verb, name=name)
                else:
                    others = possible(alike or known) if known else said("hint.give-step-id")
                    hint = did_you_mean(name, likely) or others
                fix = renamed(span, name, likely)
                self.findings.append(diagnose(code, span, place, say="step", hint=hint, fix=fix, name=name))
                continue
            for section in root.entries:
                if section.key.text in FLOW and isinstance(section.value, Sequence):
                    changed = self._patched(section.value, patch, (section.key.text,))
                    root = put(root, Entry(section.key, changed))
        return root

    def _patched(self, steps: Sequence, patch: Entry, path: Path) -> Sequence:
        items: list[Node] = []
        for index, step in enumerate(steps.items):
            place = (*path, str(index))
            if not isinstance(step, Mapping):
                items.append(step)
            elif step_id(step) != patch.key.text:
                changed = step
                for inside in INSIDE:  # the patch may be for a step within this one
                    inner = below(changed, inside)
                    if isinstance(inner, Sequence):
                        changed = _put_below(changed, inside, self._patched(inner, patch, (*place, *inside)))
                items.append(changed)
            elif _is_null(patch.value):
                gone = frozenset({patch.key.text, *names_in(step)})
                self.writes.append(OverlayWrite(place, patch.key.span, removes=True, gone=gone, step=step))
            else:
                items += [*self._beside(patch, "before", place), self._patch(step, patch, place)]
                items += self._beside(patch, "after", place)
        return Sequence(tuple(items), steps.span)

    def _beside(self, patch: Entry, key: str, path: Path) -> tuple[Node, ...]:
        """Return the steps that a change inserts ``before`` or ``after`` a step; `key` says which."""
        entry = patch.value.entry(key) if isinstance(patch.value, Mapping) else None
        if entry is None or not isinstance(entry.value, Sequence):
            return ()
        self.writes.append(OverlayWrite((*path, f"{key} {entry.key.span.start}"), entry.key.span, removes=False))
        return entry.value.items

    def _patch(self, step: Mapping, patch: Entry, path: Path) -> Mapping:
        if not isinstance(patch.value, Mapping):
            return step
        change = _without(_without(patch.value, "before"), "after")
        if not change.entries and patch.value.entries:
            return step
        self.shown, self.applied = ("steps", patch.key.text), path
        changed = self.mapping(step, spelt_out(step, change), path)
        self.shown = None
        return changed

    # Findings

    def look_for_lost_steps(self, before: Mapping, after: Mapping) -> None:
        """Warn if the change removes the last step of a verb in `_KEPT`."""
        if all(before.get(section) is after.get(section) for section in FLOW):
            return
        lost = verbs_in(before) & _KEPT - verbs_in(after)
        removing = [write for write in self.writes if write.removes and write.path[0] in FLOW]
        for verb, place in ((verb, write) for verb in sorted(lost) for write in removing if verb in write.gone):
            path = self.prefix + pointer(place.path[:1])
            self.findings.append(diagnose("step-lost", place.span, path, say=verb, verb=verb))

    def _pointer(self, path: Path) -> str:
        if self.shown is not None:
            path = (*self.shown, *path[len(self.applied) :])
        return self.prefix + pointer(path)

    def _no_such_rule(self, path: Path, entry: Entry, base: Mapping) -> None:
        """Report a change to a rule that does not exist.

        If a new card, family or counter has the name of the rule, the author meant a new rule and left out some keys.
        """
        name, code = entry.key.text, "overlay-patches-nothing"
        sections = ("cards", "families", "counters")
        if any(below(self.change, (section, name)) and not below(self.base, (section, name)) for section in sections):
            # The keys that the new rule still needs, as they are named in the format of the file.
            stated = plain(entry.value)
            kind = likely_kind({key: value for key, value in stated.items() if key not in {"of", "kind"}})
            key = f"of: {name}" if "kind" in stated else f"kind: {kind}" if "of" in stated else f"{kind}: {name}"
            hint = said("hint.add", key=key)
            span, place = entry.key.span, self._pointer(path)
            self.findings.append(diagnose(code, span, place, say="new", hint=hint, name=name))
            return
        kinds = said("hint.kind-of-rule", kinds=either(quoted(KIND_KEYS)))
        where = where_it_is(self.base, path, entry.key.span)
        self._patches_nothing(path, entry, base, say="rule", hint=where or kinds)

    def _patches_nothing(
        self, path: Path, entry: Entry, base: Mapping, say: str = "name", hint: Text | None = None
    ) -> None:
        name = entry.key.text
        known = [other.key.text for other in base.entries]
        span = entry.key.span
        if _is_null(entry.value) and is_unwritten(span):
            say, hint = "empty", hint or said("hint.write-value")
        hint = did_you_mean(name, known) or hint or said("hint.delete-line")
        # If no name is similar, nothing else can be meant: the line changes something that does not exist.
        gone = None if say == "empty" else without_line(span, entry.value.span)
        fix = renamed(span, name, known) if closest(name, known) else gone and replace(gone, certain=True)
        place = self._pointer(path)
        self.findings.append(diagnose("overlay-patches-nothing", span, place, say=say, hint=hint, fix=fix, name=name))

    def _changes_nothing(self, path: Path, span: Span, old: Span, fix: Fix | None) -> None:
        related = () if span == old else (Related(said("finding.set-here"), old),)
        place = self._pointer(path)
        self.findings.append(diagnose("overlay-changes-nothing", span, place, related=related, fix=fix, place=path[-1]))


def _changes_a_rule(path: Path, node: Node) -> bool:
    """True if a mapping can only be a change to a rule: it has no kind and no formula for the points."""
    if inside_overlay(path) or path[:-1] != ("scoring",) or not isinstance(node, Mapping):
        return False
    keys, kind, points = _keys(node), below(node, ("kind",)), below(node, ("points",))
    if kind is not None:  # in a tree of format 1
        return "of" not in keys and isinstance(kind, Scalar) and kind.value in KIND_KEYS
    formula = isinstance(points, Scalar) and isinstance(points.value, str) and keys <= {*COMMON_KEYS, "points"}
    return not (formula or kind_named(keys))


def _keys(node: Mapping) -> set[str]:
    return {entry.key.text for entry in node.entries}


def _put_below(node: Mapping, path: Path, value: Node) -> Mapping:
    """Return a mapping in which the node at `path`, which must exist, is replaced by `value`."""
    entry = node.entry(path[0])
    assert entry is not None, "the path is there"
    inner = value if len(path) == 1 else _put_below(entry.value, path[1:], value)  # type: ignore[arg-type]
    return put(node, Entry(entry.key, inner))
