"""The schema of a place in a card set: the keys and values that are possible there."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from draftengine.api.scenario.scenario import scenario_file
from draftengine.model.schema import schema

if TYPE_CHECKING:
    from collections.abc import Iterator

    Shape = dict[str, Any]

_FORMULAS = frozenset({"formula", "by_players"})


@cache
def _card_sets() -> Shape:
    return schema()


@cache
def _scenarios() -> Shape:
    return scenario_file()


class Place:
    """Place with its parts of the schema; `names` are the names of their definitions."""

    def __init__(self, root: Shape, parts: list[Shape], kind: str = "") -> None:
        self._root = root
        self.names: set[str] = set()
        self.parts: list[Shape] = []
        for part in parts:
            self._open(part, kind)

    def _open(self, part: Shape, kind: str) -> None:
        """Add a part with all that it refers to, and with the branch for the kind of rule at this place."""
        if "$ref" in part:
            name = part["$ref"].rpartition("/")[2]
            self.names.add(name.removesuffix("_change"))
            self._open(self._root["$defs"][name], kind)
        self.parts.append(part)
        for branch in ("allOf", "anyOf", "oneOf"):
            for option in part.get(branch, ()):
                self._open(option, kind)
        if "then" in part:
            wanted = part.get("if", {}).get("properties", {}).get("kind", {}).get("const")
            unsaid = "not" in part.get("if", {})
            if not kind or wanted == kind or (wanted is None and not unsaid):
                self._open(part["then"], kind)

    @property
    def keys(self) -> dict[str, Shape]:
        """The possible keys with their parts of the schema."""
        shapes: dict[str, Shape] = {}
        for part in self.parts:
            for key, value in part.get("properties", {}).items():
                shape = value if isinstance(value, dict) else {}
                if key not in shapes or (shape.get("description") and not shapes[key].get("description")):
                    shapes[key] = shape
        return shapes

    @property
    def values(self) -> list[str]:
        """The possible values, if there are only a few."""
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
        """The description of the place itself."""
        return next((part["description"] for part in self.parts if part.get("description")), "")

    def below(self, key: str, kind: str) -> Place:
        """Return the place under a key, or in a list, where the key is any number."""
        return Place(self._root, list(self._below(key)), kind)

    def _below(self, key: str) -> Iterator[Shape]:
        known = [
            part["properties"][key] for part in self.parts if isinstance(part.get("properties", {}).get(key), dict)
        ]
        if known:
            yield from known
            return
        for part in self.parts:
            if isinstance(part.get("items"), dict):
                yield part["items"]
            elif isinstance(part.get("additionalProperties"), dict):
                yield part["additionalProperties"]


def _types(part: Shape) -> set[str]:
    kinds = part.get("type", ())
    return {kinds} if isinstance(kinds, str) else set(kinds)


def place(path: tuple[str, ...], kinds: dict[tuple[str, ...], str], *, extends: bool, scenarios: bool) -> Place:
    """Return the place at the end of a path; `kinds` are the values of ``kind`` by path."""
    root = _scenarios() if scenarios else _card_sets()
    first = root if scenarios else root["$defs"]["extension" if extends else "game"]
    here = Place(root, [first])
    for index, key in enumerate(path, 1):
        here = here.below(key, kinds.get(path[:index], ""))
    return here
