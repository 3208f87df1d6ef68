"""Completions in unfinished text: where in its structure the cursor is, and which texts fit there."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from draftengine.api.scenario import scenario_file
from draftengine.apps.lsp.texts import declared, plain_path
from draftengine.model.checks.names import FACTS
from draftengine.model.diagnostics.suggest import written
from draftengine.model.language.builtins import BUILTINS
from draftengine.model.loading.repeating import ANY, NOT_WRITTEN_OUT
from draftengine.model.loading.upgrade import FORMAT, format_of
from draftengine.model.rules import FORMULA, KIND_KEYS
from draftengine.model.schema import FOR, schema, schema_1
from draftengine.model.shelf import shipped

if TYPE_CHECKING:
    from collections.abc import Iterator

    Shape = dict[str, Any]
    from draftengine.apps.lsp.texts import DocumentInfo, Name

_KEY = re.compile(r"(?P<lead>[ -]*?)(?P<key>[\w.-]+|\"[^\"]*\"|'[^']*'):(?=\s|$)")
_WORD = re.compile(r"[\w]*$")


class Cursor(Struct, frozen=True):
    """The place of a cursor within the mappings and lists of a text.

    `path` leads to the mapping or list that contains the cursor. `key` is the key whose value is being written, or
    ``None`` if a key itself is being written. `kinds` are the kinds of the rules around the cursor, by path.
    """

    path: tuple[str, ...]
    key: str | None
    word: str
    """The part before the cursor of the word that is being typed."""
    present: frozenset[str]
    """The keys that the mapping already has, on other lines or in the same braces."""
    kinds: dict[tuple[str, ...], str]

    @property
    def whole_path(self) -> tuple[str, ...]:
        return (*self.path, self.key) if self.key is not None else self.path


def cursor(text: str, offset: int) -> Cursor:
    """Return the place within mappings and lists of a cursor at an offset."""
    *before, line = text[:offset].split("\n")
    word = _WORD.search(line)
    after = text[offset:].split("\n")[1:]
    indent = _indent(line)
    path = _block(before, indent)
    inner, key, keys = _Flow(line).at_end()
    present = keys if inner or not line.strip() or key is not None else frozenset()
    full = (*path, *inner)
    if not inner and "{" not in line:
        beside: set[str] = set()
        for lines in (reversed(before), after):
            for other in lines:
                if not other.strip() or other.lstrip().startswith("#"):
                    continue
                depth = _indent(other)
                if depth < indent:
                    break
                match = _KEY.match(other)
                if depth == indent and match:
                    beside.add(match["key"].strip("\"'"))
        present = frozenset(beside)
    if full[-1:] != ("scores",) and full[-2:-1] != ("scoring",):
        kinds = {}
    else:
        block = re.search(rf"^( *){re.escape(full[-1])}:[^\n]*\n((?:\1 +[^\n]*\n?)*)", text, re.MULTILINE)
        named = _KIND.search(line if inner else block[2] if block else "")
        kinds = {full: named[1]} if named else {}
    return Cursor(full, key, word.group() if word else "", present, kinds)


def _indent(line: str) -> int:
    """Return the indentation of a line. Hyphens of list items count as indentation."""
    return len(line) - len(line.lstrip(" -"))


def _block(before: list[str], indent: int) -> tuple[str, ...]:
    """Return the keys of the mappings that enclose a line with this indentation."""
    path: list[str] = []
    level = indent
    for line in reversed(before):
        match = _KEY.match(line)
        if match is None:
            continue
        depth = _indent(line)
        dash = line.lstrip(" ").startswith("-")
        outer = len(line) - len(line.lstrip(" "))
        if depth < level:
            path.append(match["key"].strip("\"'"))
            level = depth
        if dash and level == depth:  # the item around the cursor; those above it are its equals
            path.append("0")
            level = outer + 1
    return tuple(reversed(path))


_TOKEN = re.compile(r"\"[^\"]*\"?|(?<![\w])'[^']*'?|(?:^|(?<=\s))#.*|[{}\[\],]|:(?=\s|$)|[^\"{}\[\],:#]+|.")


class _Flow:
    """Parser of the braces and brackets before the cursor in its line."""

    def __init__(self, line: str) -> None:
        self.stack: list[tuple[str, str | None]] = []
        """The open brackets, each with the key that it belongs to."""
        self.keys: list[set[str]] = [set()]
        self.key: str | None = None
        self.token = ""
        for token in _TOKEN.finditer(line):
            self.read(token.group())

    def read(self, token: str) -> None:
        """Process the next token of the line."""
        name = self.token.strip(" -\"'")
        match token:
            case "{" | "[":
                self.stack.append((token, self.key))
                self.keys.append(set())
                self.key, self.token = None, ""
            case "}" | "]":
                if self.stack:
                    self.key = self.stack.pop()[1]
                    self.keys.pop()
                self.token = ""
            case "," if self.stack:
                self.key, self.token = None, ""
            case ":" if name and self.key is None:
                self.key, self.token = name, ""
                self.keys[-1].add(name)
            case _:
                self.token += token

    def at_end(self) -> tuple[tuple[str, ...], str | None, frozenset[str]]:
        """Return the keys around the end of the line, the key of the value there, and all keys in its braces."""
        inner: list[str] = []
        for opened, outer in self.stack:
            inner += [outer] if outer is not None else []
            inner += ["0"] if opened == "[" else []
        if self.stack and self.stack[-1][0] == "[":
            return tuple(inner[:-1]), "0", frozenset()
        return tuple(inner), self.key, frozenset(self.keys[-1])


_KIND = re.compile(rf"(?:^ *|[{{,] *)(?:kind: *(?=\w)|(?=\w+:))({'|'.join((*KIND_KEYS, FORMULA))})\b", re.MULTILINE)
"""The pattern of a key that names the kind of a rule. In format 1, the kind is a value instead."""


_FORMULAS = frozenset({"formula", "by_players"})


_scenarios = cache(scenario_file)


class Place:
    """A place in the structure of a text, with the parts of the JSON Schema that apply there."""

    may_repeat = False
    """True if the key ``for``, which repeats an entry for several names, is allowed here."""

    def __init__(self, root: Shape, parts: list[Shape], kind: str = "") -> None:
        self._root = root
        self.names: set[str] = set()
        self.parts: list[Shape] = []
        for part in parts:
            self._open(part, kind)

    def _open(self, part: Shape, kind: str) -> None:
        """Add a part of the schema, all parts that it refers to, and the branch for rules of this kind."""
        if "$ref" in part:
            name = part["$ref"].rpartition("/")[2]
            self.names.add(name.removesuffix("_change"))
            self._open(self._root["$defs"][name], kind)
        self.parts.append(part)
        for branch in ("allOf", "anyOf", "oneOf"):
            for option in part.get(branch, ()):
                self._open(option, kind)
        if "then" in part:
            asked = part.get("if", {})
            stated = asked.get("properties", {}).get("kind", {}).get("const")  # in format 1
            wanted = stated or next((key for key in asked.get("required", ()) if key in KIND_KEYS), None)
            if not kind or wanted == kind or (wanted is None and "not" not in asked):
                self._open(part["then"], kind)

    @property
    def keys(self) -> dict[str, Shape]:
        """The keys that may be written here, each with its part of the schema."""
        shapes: dict[str, Shape] = {}
        for part in self.parts:
            for key, value in part.get("properties", {}).items():
                shapes.setdefault(key, value if isinstance(value, dict) else {})
        return shapes | ({"for": FOR} if self.may_repeat else {})

    @property
    def values(self) -> list[str]:
        """The values that may be written here, if the schema lists them; otherwise empty."""
        values: list[str] = []
        for part in self.parts:
            values += [str(value) for value in part.get("enum", ()) if value is not None]
            if "boolean" in _types(part):
                values += ["true", "false"]
        return [] if self.takes_formula else list(dict.fromkeys(values))

    @property
    def takes_formula(self) -> bool:
        return bool(self.names & _FORMULAS) or any({"integer", "string"} <= _types(part) for part in self.parts)

    @property
    def description(self) -> str:
        """The schema's description of this place; empty if there is none."""
        return next((part["description"] for part in self.parts if part.get("description")), "")

    def below(self, key: str, kind: str) -> Place:
        """Return the place inside this one under a key. For the items of a list, the key is any number."""
        known = [part.get("properties", {}).get(key) for part in self.parts]
        if not any(isinstance(part, dict) for part in known):
            known = [
                part["items"] if isinstance(part.get("items"), dict) else part.get("additionalProperties")
                for part in self.parts
            ]
        return Place(self._root, [part for part in known if isinstance(part, dict)], kind)


def _types(part: Shape) -> set[str]:
    kinds = part.get("type", ())
    return {kinds} if isinstance(kinds, str) else set(kinds)


def place(path: tuple[str, ...], kinds: dict[tuple[str, ...], str], known: DocumentInfo) -> Place:
    """Return the place at the end of a path. `kinds` are the kinds of the rules around it, by path."""
    tree = known.last_tree
    extends = "extends:" in known.source.text if tree is None else tree.get("extends") is not None
    earlier = tree is not None and format_of(tree) < FORMAT
    root = _scenarios() if known.is_scenarios else schema_1() if earlier else schema()
    first = root if known.is_scenarios else root["$defs"]["extension" if extends else "game"]
    here = Place(root, [first])
    for index, key in enumerate(path, 1):
        here = here.below(key, kinds.get(path[:index], ""))
    written_out = not known.is_scenarios and not earlier and path[:1] and path[0] not in NOT_WRITTEN_OUT
    here.may_repeat = bool(written_out) and path[-1] != "changes" and "for" not in path
    return here


_SECTIONS = {
    "card": ("cards",), "applies_to": ("cards", "family"), "family": ("family",), "forms": ("cards",),
    "from": ("zones",), "to": ("zones",), "zone": ("zones",), "shuffle": ("zones",), "gather": ("zones",),
    "clear": ("zones",), "starts_in": ("zones",), "until_empty": ("zones",), "marker": ("markers",),
    "chip": ("chips",), "roll": ("counters",), "flip": ("zones",), "sides": ("cards",), "back": ("family",),
    "tables": ("cards",), "hands": ("cards",), "moves": ("cards",),
}  # fmt: skip
"""For each key whose value is a name, the sections of a card set that declare such names."""

_ZONES = ("deck", "hand", "tableau", "discard")
_OF_VARIANTS = frozenset({"excludes", "requires", "builds_on", "variants"})
_AMOUNTS = frozenset({"adds", "then", "add", "set"})


class CompletionItem(Struct, frozen=True):
    """One suggested completion. A `snippet` with gaps to fill, if there is one, is inserted for `text`."""

    text: str
    kind: str
    detail: str = ""
    about: str = ""
    snippet: str = ""


def offers(known: DocumentInfo, offset: int) -> list[CompletionItem]:
    """Return all suggested completions at an offset, each once; none in a comment."""
    text = known.source.text
    line = text[text.rfind("\n", 0, offset) + 1 : offset]
    if any(token.group().startswith("#") for token in _TOKEN.finditer(line)):
        return []
    where = cursor(text, offset)
    candidates = _values(known, where) if where.key is not None else _keys(known, where)
    return list({offer.text: offer for offer in candidates}.values())


def _keys(known: DocumentInfo, where: Cursor) -> Iterator[CompletionItem]:
    here = place(where.path, where.kinds, known)
    for key, shape in here.keys.items():
        if key not in where.present:
            yield CompletionItem(key, "key", shape.get("title", ""), shape.get("description", ""))
    names = _names(known)
    last = where.path[-1] if where.path else ""
    if last in _AMOUNTS:
        yield from (_named(name) for name in names if name.declares in {"counters", "adds"})
    elif len(plain_path(where.path)) == 1:
        spaces = {"scoring": "rule", "modifiers": "modifier", "abilities": "ability", "triggers": "trigger"}
        spaces |= {"variants": "variant", "readings": "reading", "steps": "step"}
        wanted = spaces.get(last)
        for name in names:
            if (name.declares == last or (wanted and name.space == wanted)) and name.text not in where.present:
                yield _named(name)
    elif last == "points" and "expect" in where.path:
        yield from (_named(name) for name in names if name.space == "rule")
    elif "tables" in where.path:
        yield from (_named(name) for name in names if name.declares == "cards")


def _values(known: DocumentInfo, where: Cursor) -> Iterator[CompletionItem]:
    path = where.whole_path
    keys = [part for part in path if not part.isdecimal()]
    last = keys[-1] if keys else ""
    names = _names(known)
    if last in {"extends", "cardset"}:
        yield from (CompletionItem(name, "file", "card set") for name in shipped())
        return
    if last in _OF_VARIANTS:
        yield from (_named(name) for name in names if name.space == "variant")
        return
    if last == "source":
        yield from (_named(name) for name in names if name.space == "statement")
        return
    if "for" in keys[-2:]:
        yield from (_named(name) for name in names if name.declares in {"lists", "family"})
        yield CompletionItem(ANY, "value")
        return
    if last == "per" and "counters" in keys:
        yield from (CompletionItem(word, "value") for word in ("seat", "table", "card"))
        yield from (_named(name) for name in names if name.declares in {"zones", "family"})
        return
    here = place(path, where.kinds, known)
    shapes = schema()["$defs"]
    kinds = [*KIND_KEYS, FORMULA] if "rule" in here.names else []
    for kind in kinds or here.names & {"card"}:
        shape = shapes[f"rule_{kind}" if kinds else kind]
        needed = *shape["required"], *shape.get("then", {}).get("required", ())
        values = {key: shape["properties"][key]["examples"][0] for key in needed}
        if kinds:  # the kind's key is what is counted, and a formula has no other key than its points
            values |= {kind: [last] if isinstance(values[kind], list) else last} if kind in values else {}
            values |= {"points": f"2 * {last}"} if kind == FORMULA else {}
        gaps = (f"{key}: ${{{at}:{written(value)}}}" for at, (key, value) in enumerate(values.items(), 1))
        about = shape["properties"].get(kind, {}).get("description", shape.get("description", ""))
        yield CompletionItem(kind, "key", shape["title"], about, f"{{{', '.join(gaps)}}}")
    yield from (CompletionItem(value, "value") for value in here.values)
    sections = _SECTIONS.get(last)
    if sections and not here.takes_formula:
        yield from (_named(name) for name in names if name.declares in sections)
        yield from (CompletionItem(zone, "zones", "zone") for zone in _ZONES if "zones" in sections)
        if here.names & {"zone_name", "zone_names"}:  # also zones of other seats, such as `left.stash`
            seats = ("left", "right", *(name.text for name in names if name.declares == "markers"))
            yield from (CompletionItem(f"{seat}.", "value", "seat") for seat in seats)
    elif here.takes_formula or last in _AMOUNTS or "name" in here.names or "names" in here.names:
        yield from (_named(name) for name in names if name.space == "shared")
        yield from (CompletionItem(fact, "fact", "fact") for fact in sorted(FACTS))
        yield from (
            CompletionItem(function.name, "function", function.signature, function.doc)
            for function in BUILTINS.values()
        )


def _names(known: DocumentInfo) -> list[Name]:
    """Return the declarations of all names: those of the game, and those in the unfinished text."""
    names: dict[tuple[str, str], Name] = {}
    for tree in (known.merged, known.last_tree):
        if tree is not None:
            names |= declared(tree)
    return list(names.values())


def _named(name: Name) -> CompletionItem:
    return CompletionItem(name.text, name.declares, name.declares.removesuffix("s") if name.declares else name.space)
