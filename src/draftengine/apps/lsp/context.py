"""Position of a cursor in unfinished text: the keys around it, and the word before it."""

from __future__ import annotations

import re

from msgspec import Struct

_KEY = re.compile(r"(?P<lead>[ -]*?)(?P<key>[\w.-]+|\"[^\"]*\"|'[^']*'):(?=\s|$)")
_WORD = re.compile(r"[\w]*$")


class Cursor(Struct, frozen=True):
    """Position of a cursor.

    `path` leads to the mapping or list that contains it. `key` is the key whose value is being written, or ``None`` if
    a key is. `kinds` are the values of ``kind`` written around it, by path.
    """

    path: tuple[str, ...]
    key: str | None
    word: str
    """The part of a word before the cursor."""
    present: frozenset[str]
    """The keys that the mapping already has, on other lines or in the same braces."""
    kinds: dict[tuple[str, ...], str]

    @property
    def whole_path(self) -> tuple[str, ...]:
        return (*self.path, self.key) if self.key is not None else self.path


def cursor(text: str, offset: int) -> Cursor:
    """Return the position of the cursor at an offset."""
    start = text.rfind("\n", 0, offset) + 1
    line = text[start:offset]
    word = _WORD.search(line)
    before = text[:start].split("\n")[:-1] if start else []
    after = text[text.find("\n", offset) + 1 :].split("\n") if "\n" in text[offset:] else []
    path, indent = _block(before, _indent(line))
    inner, key, keys = _flow(line)
    present = keys if inner or not line.strip() or key is not None else frozenset()
    full = (*path, *inner)
    if not inner and "{" not in line:
        present = frozenset(_siblings(before, after, indent))
    return Cursor(full, key, word.group() if word else "", present, _kinds(text, path, inner, line))


def _indent(line: str) -> int:
    """Return the indentation of a line; hyphens count as indentation of what follows them."""
    return len(line) - len(line.lstrip(" -"))


def _block(before: list[str], indent: int) -> tuple[tuple[str, ...], int]:
    """Return the keys of the lines that enclose a line of this indentation."""
    path: list[str] = []
    level = indent
    for line in reversed(before):
        bare = line.strip()
        if not bare or bare.startswith("#") or level == 0:
            continue
        match = _KEY.match(line)
        if match is None:
            continue
        depth = _indent(line)
        dash = line.lstrip(" ").startswith("-")
        outer = len(line) - len(line.lstrip(" "))
        if depth < level:
            path.append(match["key"].strip("\"'"))
            level = depth
        if dash and outer < level <= depth:
            path.append("0")
            level = outer + (1 if depth != outer else 0)
    return tuple(reversed(path)), indent


_TOKEN = re.compile(r"\"[^\"]*\"?|(?<![\w])'[^']*'?|(?:^|(?<=\s))#.*|[{}\[\],]|:(?=\s|$)|[^\"{}\[\],:#]+|.")


class _Flow:
    """Parser of the braces and brackets of one line."""

    def __init__(self) -> None:
        self.stack: list[tuple[str, str | None]] = []
        """The open brackets, each with the key whose value it is."""
        self.keys: list[set[str]] = [set()]
        self.key: str | None = None
        self.token = ""

    def read(self, token: str) -> None:
        """Process the next token of the line."""
        act = {"{": self._open, "[": self._open, "}": self._close, "]": self._close, ",": self._comma, ":": self._colon}
        if token in act:
            act[token](token)
        else:
            self.token += token

    def _open(self, token: str) -> None:
        self.stack.append((token, self.key))
        self.keys.append(set())
        self.key, self.token = None, ""

    def _close(self, _: str) -> None:
        if self.stack:
            self.key = self.stack.pop()[1]
            self.keys.pop()
        self.token = ""

    def _comma(self, token: str) -> None:
        if self.stack:
            self.key, self.token = None, ""
        else:
            self.token += token

    def _colon(self, token: str) -> None:
        name = self.token.strip(" -\"'")
        if name and self.key is None:
            self.key, self.token = name, ""
            self.keys[-1].add(name)
        else:
            self.token += token


def _flow(line: str) -> tuple[tuple[str, ...], str | None, frozenset[str]]:
    """Return the enclosing keys, the key whose value is being written, and the other keys in the braces."""
    flow = _Flow()
    for token in _TOKEN.finditer(line):
        flow.read(token.group())
    inner: list[str] = []
    for opened, outer in flow.stack:
        inner += [outer] if outer is not None else []
        inner += ["0"] if opened == "[" else []
    if flow.stack and flow.stack[-1][0] == "[":
        return tuple(inner[:-1]), "0", frozenset()
    return tuple(inner), flow.key, frozenset(flow.keys[-1])


def _siblings(before: list[str], after: list[str], indent: int) -> set[str]:
    """Return the keys of the same block on other lines."""
    keys: set[str] = set()
    for lines in (reversed(before), after):
        for line in lines:
            if not line.strip() or line.lstrip().startswith("#"):
                continue
            depth = _indent(line)
            if depth < indent:
                break
            key = _KEY.match(line)
            if depth == indent and key:
                keys.add(key["key"].strip("\"'"))
    return keys


def _kinds(text: str, path: tuple[str, ...], inner: tuple[str, ...], line: str) -> dict[tuple[str, ...], str]:
    """Return the kinds of the rules around: in the same braces, or in the block of the rule."""
    kinds = {}
    written = re.search(r"\bkind: *(\w+)", line)
    if written and inner:
        kinds[*path, *inner] = written[1]
    elif len(path) >= 2 and path[-2] == "scoring":  # noqa: PLR2004 (a section and a name)
        block = re.search(rf"^( *){re.escape(path[-1])}:[^\n]*\n((?:\1 +[^\n]*\n?)*)", text, re.MULTILINE)
        match = re.search(r"\bkind: *(\w+)", block[2]) if block else None
        if match:
            kinds[path] = match[1]
    return kinds
