"""Tests quickly whether a document matches a schema.

The package jsonschema gives the best explanations, but importing it takes longer than everything else that `validate`
does. So files are first tested here, and jsonschema is used only for a file that does not match. This module knows only
the keywords that our schemas use. The tests compare its answers with those of jsonschema.
"""

from __future__ import annotations

import re
from types import NoneType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

    Schema = dict[str, Any]
    Test = Callable[[Any], bool]

_TYPES: dict[str, type] = {
    "integer": int,
    "string": str,
    "boolean": bool,
    "null": NoneType,
    "array": list,
    "object": dict,
}
"""Python types by JSON type. Types must be exactly equal, so `True` is not an integer."""

_REMEMBERED = 1 << 13
"""The largest number of mappings that the cache of matches holds."""

_SAYS_NOTHING = frozenset({"$defs", "$id", "$schema", "default", "description", "examples", "title"})


class SchemaMatcher:
    """Tests values against one schema. The test for a definition is made when it is first needed."""

    def __init__(self, schema: Schema) -> None:
        self._definitions: dict[str, Schema] = schema.get("$defs", {})
        self._made: dict[str, Test] = {}
        self._matched: dict[tuple[str, int], Any] = {}
        """A cache of mappings that match a definition. The games of a document share most mappings."""
        self.matches = self._test(schema)
        """Returns True if a value of plain data matches the schema."""

    def _test(self, schema: Schema | bool) -> Test:  # noqa: FBT001 (JSON Schema has `true` and `false`)
        if isinstance(schema, bool):
            return lambda _: schema
        tests = [
            _KEYWORDS[keyword](self, asked, schema)
            for keyword, asked in schema.items()
            if keyword not in {"then", "else", "additionalProperties"} and keyword not in _SAYS_NOTHING
        ]
        if "additionalProperties" in schema:
            known, others = frozenset(schema.get("properties", ())), self._test(schema["additionalProperties"])
            tests.append(
                _for(
                    dict,
                    lambda value: (
                        known.issuperset(value) or all(others(value[key]) for key in value if key not in known)
                    ),
                )
            )
        if len(tests) == 1:
            return tests[0]

        def test(value: Any) -> bool:
            for check in tests:  # noqa: SIM110
                if not check(value):
                    return False
            return True

        return test

    def reference(self, address: str) -> Test:
        """Return the test for a definition of the schema."""
        name = address.removeprefix("#/$defs/")

        def test(value: Any) -> bool:
            if name not in self._made:
                self._made[name] = self._test(self._definitions[name])
            if type(value) is not dict:
                return self._made[name](value)
            key = name, id(value)
            if self._matched.get(key) is value:
                return True
            result = self._made[name](value)
            if result:
                if len(self._matched) == _REMEMBERED:
                    self._matched.clear()
                self._matched[key] = value
            return result

        return test

    def condition(self, schema: Schema) -> Test:
        """Return a test that applies ``then`` or ``else``, depending on ``if``."""
        condition = self._test(schema["if"])
        then, otherwise = (self._test(schema.get(key, True)) for key in ("then", "else"))
        return lambda value: then(value) if condition(value) else otherwise(value)

    def properties(self, asked: dict[str, Schema]) -> Test:
        """Return a test that applies to each key with a schema the test of its schema."""
        tests = {key: self._test(schema) for key, schema in asked.items()}

        def test(value: Any) -> bool:
            if isinstance(value, dict):
                for key, item in value.items():
                    if key in tests and not tests[key](item):
                        return False
            return True

        return test

    def each(self, asked: Schema, part: Callable[[Any], Any], kind: type) -> Test:
        """Return a test that applies a schema to all items of a list, or to all keys of a mapping."""
        test = self._test(asked)
        return _for(kind, lambda value: all(test(item) for item in part(value)))

    def some(self, asked: list[Schema], enough: Callable[[int], bool]) -> Test:
        """Return a test that passes if `enough` accepts the number of schemas that a value matches."""
        tests = [self._test(schema) for schema in asked]
        return lambda value: enough(sum(test(value) for test in tests))


def _for(kind: type, test: Test) -> Test:
    """Return a test that applies `test` to values of one type. All other values pass."""
    return lambda value: type(value) is not kind or test(value)


def _same(value: Any, other: Any) -> bool:
    """True if two values are equal in JSON, where 1 and true differ."""
    return bool(value == other) and isinstance(value, bool) == isinstance(other, bool)


def _type(_: SchemaMatcher, asked: str | list[str], __: Schema) -> Test:
    kinds = frozenset(_TYPES[name] for name in ([asked] if isinstance(asked, str) else asked))
    return lambda value: type(value) in kinds


def _pattern(_: SchemaMatcher, asked: str, __: Schema) -> Test:
    search = re.compile(asked).search
    return _for(str, lambda value: search(value) is not None)


_KEYWORDS: dict[str, Callable[[SchemaMatcher, Any, Schema], Test]] = {
    "$ref": lambda shape, asked, _: shape.reference(asked),
    "if": lambda shape, _, schema: shape.condition(schema),
    "properties": lambda shape, asked, _: shape.properties(asked),
    "allOf": lambda shape, asked, _: shape.some(asked, lambda count: count == len(asked)),
    "anyOf": lambda shape, asked, _: shape.some(asked, lambda count: count > 0),
    "oneOf": lambda shape, asked, _: shape.some(asked, lambda count: count == 1),
    "not": lambda shape, asked, _: shape.some([asked], lambda count: count == 0),
    "items": lambda shape, asked, _: shape.each(asked, list, list),
    "propertyNames": lambda shape, asked, _: shape.each(asked, list, dict),
    "type": _type,
    "enum": lambda _, asked, __: lambda value: any(_same(value, allowed) for allowed in asked),
    "const": lambda _, asked, __: lambda value: _same(value, asked),
    "pattern": _pattern,
    "required": lambda _, asked, __: _for(dict, lambda value: all(key in value for key in asked)),
    "minimum": lambda _, asked, __: _for(int, lambda value: value >= asked),
    "maximum": lambda _, asked, __: _for(int, lambda value: value <= asked),
    "minLength": lambda _, asked, __: _for(str, lambda value: len(value) >= asked),
    "maxLength": lambda _, asked, __: _for(str, lambda value: len(value) <= asked),
    "minItems": lambda _, asked, __: _for(list, lambda value: len(value) >= asked),
    "maxItems": lambda _, asked, __: _for(list, lambda value: len(value) <= asked),
    "minProperties": lambda _, asked, __: _for(dict, lambda value: len(value) >= asked),
    "maxProperties": lambda _, asked, __: _for(dict, lambda value: len(value) <= asked),
}
