"""Part 2 of the glossary names only what `src` declares."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "draftengine"
GLOSSARY = ROOT / "docs" / "glossary.md"
_HEADING = "## 2. Names in the code"
_NAME = re.compile(r"[A-Za-z_]\w*(\.\w+)?(\(\))?")


def assigned(statement):
    """Return the names that a statement declares as constants or fields, in branches too."""
    match statement:
        case ast.Assign(targets=targets):
            return {target.id for target in targets if isinstance(target, ast.Name)}
        case ast.AnnAssign(target=ast.Name(id=name)):
            return {name}
        case ast.If(body=body, orelse=orelse):
            return set().union(*map(assigned, [*body, *orelse]))
    return set()


def members_of(tree):
    """Return the methods and fields of a class, also those that its methods set on `self`."""
    names = set().union(*map(assigned, tree.body))
    names |= {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)}
    set_here = [node for node in ast.walk(tree) if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store)]
    return names | {node.attr for node in set_here if isinstance(node.value, ast.Name) and node.value.id == "self"}


@cache
def declared():
    """Return all names that are declared: modules, classes, functions, constants, and members of classes."""
    names, classes, bases = set(), {}, {}
    for path in SOURCE.rglob("*.py"):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        names |= {path.stem, *set().union(*map(assigned, tree.body))}
        names |= {node.name for node in tree.body if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)}
        for node in ast.walk(tree):
            if isinstance(node, ast.ClassDef):
                classes.setdefault(node.name, set()).update(members_of(node))
                bases.setdefault(node.name, set()).update(base.id for base in node.bases if isinstance(base, ast.Name))
    return names | set(classes) | set().union(*classes.values()), classes, bases


def has(owner, member):
    """True if a class, or one that it extends, declares a member."""
    _, classes, bases = declared()
    return owner in classes and (member in classes[owner] or any(has(base, member) for base in bases[owner]))


def is_declared(name):
    owner, _, member = name.removesuffix("()").partition(".")
    return has(owner, member) if member else owner in declared()[0]


def names_in(page):
    """Return the names in the first column of the tables of part 2, in their order."""
    rows = [line for line in page.partition(_HEADING)[2].splitlines() if line.startswith("| ")]
    return [name for row in rows for name in re.findall(r"`([^`]+)`", row.split("|")[1]) if _NAME.fullmatch(name)]


def test_every_name_of_the_glossary_is_in_the_code():
    names = names_in(GLOSSARY.read_text(encoding="utf-8"))
    assert len(names) > 100, "part 2 is no longer found"
    assert [name for name in names if not is_declared(name)] == []


@pytest.mark.parametrize("name", ["NoSuchName", "no_such_function()", "Play.no_such_field", "NoSuchClass.increments"])
def test_a_name_that_is_not_in_the_code_is_found(name):
    page = GLOSSARY.read_text(encoding="utf-8").replace("| `Transition` |", f"| `Transition`, `{name}` |")
    assert [name for name in names_in(page) if not is_declared(name)] == [name]


@pytest.mark.parametrize("name", ["IdentityKey", "field()", "Play.increments", "Search.near", "AnyPlan", "DYNAMIC"])
def test_names_of_every_kind_are_known(name):
    assert is_declared(name)
