"""Checks a tree against the schema. Each mistake is reported once, in words and with its position."""

from __future__ import annotations

import re
from functools import cache
from itertools import islice
from typing import TYPE_CHECKING, Any, cast

from msgspec.structs import replace

from draftengine.model.diagnostics import Diagnostic, Edit, Fix, Related, diagnose, ordered
from draftengine.model.diagnostics.suggest import closest, write
from draftengine.model.loading.overlay import pointer
from draftengine.model.loading.repeating import with_letters
from draftengine.model.records.reader import is_whole
from draftengine.model.records.schema_fragments import BASE, PATTERNS
from draftengine.model.rules import COMMON_KEYS
from draftengine.model.schema import as_rules, belonging, schema, schema_1, synonyms
from draftengine.model.schema.in_words import problems_of
from draftengine.model.schema.matcher import SchemaMatcher
from draftengine.model.schema.place import Place, Problem
from draftengine.model.yaml.fixes import at_the_margin, indented, replaced
from draftengine.model.yaml.tree import Entry, Mapping, Node, Scalar, entries_of, plain, plain_shared
from draftengine.support.locale.phrases import quoted, said

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

SCENARIOS = "/cardset"
"""The path of the key that shows that a file is not a card set, but a file of scenarios."""

MAX_ERRORS = 500
"""The largest number of schema errors that are turned into findings."""


def validate(root: Mapping, shape: Callable[[], dict[str, Any]] = schema) -> tuple[Diagnostic, ...]:
    """Return the findings about a tree that does not match a schema; empty if it matches.

    The tree is one file, or a merged card set. The default schema is that of card sets.
    """
    is_set = shape in {schema, schema_1}
    if is_set and (entry := root.entry("cardset")) is not None and root.get("cards") is None:
        return (diagnose("unknown-key", entry.key.span, SCENARIOS, say="scenarios"),)
    data = plain_shared(root)
    if not _shape(shape).matches(data):
        root = with_letters(root)
        data = plain_shared(root)
    if _shape(shape).matches(data):
        return ordered(_upside_down(root))
    if is_set and (without := _without_extends(root)):
        return without
    errors = islice(_validator(shape).iter_errors(data), MAX_ERRORS)
    problems = [problem for error in errors for problem in problems_of(Place.of(root, error))]
    if is_set:
        problems = list(_in_another_shape(_at_the_margin(problems, root), root))
    newer = [problem.diagnostic for problem in problems if problem.diagnostic.code == "unsupported-format"]
    if newer:
        return tuple(newer)
    causes = list(_root_causes(problems))
    lacking = {problem.key: problem for problem in causes if problem.keyword == "required" and not problem.where}
    if is_set and len(lacking) >= _JUST_BEGUN:  # many keys of the file are missing, so one finding names all of them
        keys = sorted(lacking, key=_OF_A_GAME.index)
        text, hint = said("required-key.not-yet", keys=quoted(keys)), said("required-key.not-yet.hint")
        first = lacking[keys[0]]
        begun = replace(first.diagnostic, text=text, advice=hint, fix=None, missing=tuple(keys))
        causes = [problem for problem in causes if problem.keyword != "required" or problem.where]
        causes.append(replace(first, diagnostic=begun))
    return ordered([*(problem.diagnostic for problem in causes), *_upside_down(root)])


def _without_extends(root: Mapping) -> tuple[Diagnostic, ...]:
    """Return the finding that a file lacks `extends`, if it only has changes; empty for other files."""
    whole = root.entry("players") is not None and root.entry("round") is not None
    if whole or root.get("extends") is not None:
        return ()
    known = belonging.shapes()["game"]["properties"]
    for entry in root.entries:
        name, named = entry.key.text, isinstance(entry.value, Scalar) and isinstance(entry.value.value, str)
        meant = closest(name, ["extends"]) or synonyms.key_meant(name, ["extends"])
        if meant and named and name not in known:
            fix = replaced(entry.key.span, name, "extends", certain=False)
            return (diagnose("unknown-key", entry.key.span, f"/{name}", say="without-extends", fix=fix, key=name),)
    steps = root.entry("steps")
    if steps is None:
        return ()
    related = (Related(said("finding.steps-by-id"), steps.key.span),)
    return (diagnose("required-key", root.entries[0].key.span, related=related, name=said(PATTERNS[BASE])),)


@cache
def _shape(shape: Callable[[], dict[str, Any]]) -> SchemaMatcher:
    """Return the matcher of a schema. It is made only once."""
    return SchemaMatcher(shape())


@cache
def _validator(shape: Callable[[], dict[str, Any]]) -> Any:
    """Return the jsonschema validator of a schema. It is made only once.

    It does not accept numbers with a decimal point as integers. It skips parts that the quick matcher accepts, because
    only a few of hundreds of cards have mistakes.
    """
    from jsonschema import Draft202012Validator  # noqa: PLC0415 (it takes longer to import than to use)
    from jsonschema.validators import extend  # noqa: PLC0415

    at_once, defined = _shape(shape), Draft202012Validator.VALIDATORS["$ref"]

    def reference(validator: Any, address: str, value: Any, around: Any) -> Any:
        return () if at_once.reference(address)(value) else defined(validator, address, value, around)

    checker = Draft202012Validator.TYPE_CHECKER.redefine("integer", lambda _, value: is_whole(value))
    return cast("Any", extend)(Draft202012Validator, {"$ref": reference}, type_checker=checker)(shape())


def _upside_down(root: Mapping) -> Iterator[Diagnostic]:
    """Yield a finding for each range of players, such as ``5-2``, that begins with the larger number.

    The game and each of its readings may have a range.
    """
    readings = ((f"/readings/{entry.key.text}", entry.value) for entry in entries_of(root.get("readings")))
    for path, owner in (("", root), *readings):
        node = owner.get("players") if isinstance(owner, Mapping) else None
        if isinstance(node, Scalar) and isinstance(node.value, str) and re.fullmatch(r"\d{1,2}-\d{1,2}", node.value):
            fewest, most = map(int, node.value.split("-"))
            if fewest > most:
                yield diagnose(
                    "out-of-range",
                    node.span,
                    f"{path}/players",
                    say="upside-down",
                    value=node.value,
                    most=most,
                    fewest=fewest,
                )


def _with_what_is_below(problems: list[Problem]) -> Iterator[Problem]:
    """Yield the problems, but merge those about an empty entry and about entries that belong below it."""
    places = []
    for problem in problems:
        around = problem.where if problem.keyword == "additionalProperties" else problem.where[:-1]
        places.append((around, problem.diagnostic.path.rpartition("/")[2]))
    wrong = set(places)
    below: dict[tuple[str | int, ...], list[Entry]] = {}
    for empty in (problem for problem in problems if problem.takes):
        below[empty.where] = []
        for entry in empty.takes:
            if (empty.where[:-1], entry.key.text) in wrong:
                below[empty.where].append(entry)
            elif empty.only_next:
                break
    merged = {(where[:-1], entry.key.text) for where, entries in below.items() for entry in entries}
    for problem, place in zip(problems, places, strict=True):
        if entries := below.get(problem.where) if problem.takes else None:
            keys = quoted(entry.key.text for entry in entries)
            hint = said("hint.indent-further", keys=keys, count=len(keys), name=str(problem.where[-1]))
            yield replace(problem, diagnostic=replace(problem.diagnostic, advice=hint, fix=indented(entries)))
        elif place not in merged:
            yield problem


def _at_the_margin(problems: list[Problem], root: Mapping) -> list[Problem]:
    """Return the problems, but merge those about a top-level key that is inside another key.

    If such a key is empty, the entries after it belong to it.
    """
    for around, inside in ((entry.key.text, entries_of(entry.value)) for entry in root.entries):
        for index, entry in enumerate(inside):
            key, value = entry.key.text, plain(entry.value)
            if root.entry(key) is not None or not belonging.is_section(key, value):
                continue
            moved = inside[index:] if value is None else (entry,)
            paths = tuple(f"{pointer((around, other.key.text))}/" for other in moved)
            rest = [problem for problem in problems if not f"{problem.diagnostic.path}/".startswith(paths)]
            if len(problems) - len(rest) <= (value is None):
                continue
            # If the entry is not empty, moving it would make the later entries part of it.
            fix = at_the_margin(entry) if value is None or index + 1 == len(inside) else None
            span, path = entry.key.span, paths[0][:-1]
            finding = diagnose("unknown-key", span, path, say="moved", fix=fix, key=key, around=around)
            missing = ("required", (), key)
            problems = [problem for problem in rest if (problem.keyword, problem.where, problem.key) != missing]
            problems.append(Problem(finding, "additionalProperties", (around,)))
    return problems


_OF_SHAPE = frozenset({"unknown-key", "wrong-type", "required-key", "one-verb"})
"""Codes of the findings that arise if a rule is written in the way of another kind."""


def _in_another_shape(problems: list[Problem], root: Mapping) -> Iterator[Problem]:
    """Yield the problems, but merge those about a rule that would be valid with another kind."""
    by_rule: dict[tuple[str, ...], list[Problem]] = {}
    for problem in problems:
        where = tuple(map(str, problem.where))
        ends = (at for at in range(2, len(where) + 1) if where[at - 1] == "scores" or where[at - 2] == "scoring")
        by_rule.setdefault(where[: next(ends, 0)], []).append(problem)
    for path, those in by_rule.items():
        rule: Node | None = root
        for part in path:
            rule = rule.get(part) if isinstance(rule, Mapping) else None
        findings = [problem.diagnostic for problem in those]
        renamed = any(finding.code == "unknown-key" and finding.fix is not None for finding in findings)
        of_shape = path and not renamed and {finding.code for finding in findings} <= _OF_SHAPE
        meant = as_rules.in_another_shape(path, plain(rule)) if of_shape and rule is not None else ""
        if not meant or not isinstance(rule, Mapping):
            yield from those
            continue
        first = min(those, key=lambda problem: problem.diagnostic.span.start)
        kept = [entry for entry in rule.entries if entry.key.text in COMMON_KEYS]
        texts = [rule.span.source.text[entry.key.span.start : entry.value.span.end] for entry in kept]
        edit = Edit(rule.span, f"{{{', '.join((meant, *texts))}}}")
        fix = Fix((edit,), certain=False) if "\n" not in edit.new_text else None
        yield replace(first, diagnostic=replace(first.diagnostic, advice=write(meant), fix=fix))


def _root_causes(problems: list[Problem]) -> Iterator[Problem]:
    """Yield the problems, except consequences of another problem with the same or the enclosing node."""
    problems = list(_with_what_is_below(problems))
    mistyped = {problem.where for problem in problems if problem.keyword == "type"}
    around = {where[:-1] for where in mistyped}
    lacking = {(problem.where[:-1], problem.key) for problem in problems if problem.keyword == "required"}
    unknown: dict[tuple[str | int, ...], set[str]] = {}
    for problem in problems:
        if problem.keyword == "additionalProperties":
            unknown.setdefault(problem.where, set()).add(problem.key)
        elif problem.keyword == "type" and problem.key:
            unknown.setdefault(problem.where[:-1], set()).add(problem.key)
    for problem in problems:
        if problem.where in mistyped and problem.keyword != "type":
            continue
        if problem.keyword == "oneOf" and (problem.where in unknown or problem.where in around):
            continue
        # The key that one verb lacks is in the same mapping as the verb: it only has to be indented.
        if problem.keyword == "oneOf" and any((problem.where, name) in lacking for name in problem.diagnostic.names):
            continue
        if problem.keyword == "required" and problem.key in unknown.get(problem.where, ()):
            continue
        yield problem


_JUST_BEGUN = 3
"""The number of missing keys from which on a file counts as only begun."""
_OF_A_GAME = ("format", "id", "title", "version", "players", "rounds", "cards", "round", "winner", "scoring")
"""The required keys of games in any format, in the usual order."""
