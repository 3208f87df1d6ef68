"""Mutation run: plants small mistakes one by one; the tests of their area must find each.

``make mutation`` plants a random sample with a fixed seed in the areas on which everything else depends. Every worker
has a copy of the tree, in which it changes one place at a time. ``ARGS="--sample 400 --only language"`` asks for more
mistakes in one area. Survivors are listed: a better test kills them, or `docs/testing.md` gives the reason.

Tests that have found the most mistakes of an area run first, so that most mistakes are found within two seconds.
"""

from __future__ import annotations

import argparse
import ast
import compileall
import copy
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from py_compile import PycInvalidationMode
from queue import SimpleQueue
from random import Random
from typing import NamedTuple

ROOT = Path(__file__).parents[1]
PACKAGE = "src/draftengine"
PARTS = (
    "src", "tests", "cardsets", "learnt", "schemas", "examples", "docs", "pyproject.toml", "README.md", "CHANGELOG.md",
)  # fmt: skip
AREAS = {
    "rules": (
        "model/rules/*.py",
        (
            "tests/rules tests/cardset/test_schema.py::test_it_is_published tests/conformance tests/rulebook tests/api "
            "tests/tui"
        ),
    ),
    "language": ("model/language/*.py", "tests/language tests/cardset/checks tests/rules tests/cardset tests/natural"),
    "overlays": (
        (
            "model/loading/overlay.py model/selection/compatibility.py "
            "model/selection/document.py model/selection/game.py model/selection/inherited_errors.py "
            "model/selection/overlays.py model/selection/selection.py"
        ),
        (
            "tests/cardset/test_overlay.py tests/cardset/test_resolve.py tests/cardset/test_menus.py "
            "tests/cardset/test_house_rules.py tests/cardset/test_for_authors.py tests/api tests/conformance "
            "tests/corpus"
        ),
    ),
    "mistakes": (
        ("model/selection/all_errors.py model/selection/errors.py model/selection/parts.py"),
        "tests/cardset/test_at_once.py tests/corpus tests/diagnostics tests/cardset",
    ),
    "visibility": (
        "engine/observe.py engine/events.py engine/beliefs.py engine/observers.py",
        (
            "tests/engine/test_events.py tests/engine/test_memory.py tests/engine/test_watching.py "
            "tests/engine/test_moves.py::test_more_moves_than_anybody_can_list "
            "tests/engine/test_playthroughs.py tests/leaks"
        ),
    ),
    "saves": (
        "apps/play/save_format.py apps/play/save_one.py apps/play/journal.py",
        "tests/play/test_save.py tests/play/test_journal.py tests/play/test_session.py tests/cli/test_kept_games.py",
    ),
    "records": (
        "model/records/*.py",
        (
            "tests/cardset/test_schema.py tests/cardset/test_build.py tests/cardset/checks "
            "tests/rulebook/test_rulebooks.py::test_steps_that_are_alike_are_told_once "
            "tests/rulebook/test_rulebooks.py::test_what_happens_to_zones_alike_is_told_once "
            "tests/rulebook/test_rulebooks.py::test_what_differs_in_anything_else_is_told_by_itself"
        ),
    ),
    "engine": (
        "engine/game.py engine/plain.py engine/plan/base.py engine/kernel/*.py engine/instructions.py",
        "tests/verbs tests/conformance tests/engine/test_playthroughs.py tests/engine tests/perft tests/text",
    ),
    "legality": (
        "engine/moves.py engine/offer.py engine/choose.py",
        (
            "tests/engine/test_moves.py tests/engine/test_illegal_moves.py tests/verbs tests/conformance "
            "tests/engine/test_playthroughs.py tests/engine tests/perft"
        ),
    ),
    "server": (
        "apps/web/*.py apps/web/storage/[!p]*.py",
        (
            "tests/serve/test_protocol.py tests/serve/test_table.py tests/serve/test_here.py "
            "tests/serve/test_storage.py tests/serve/test_no_leaks.py tests/serve/test_pool.py "
            "tests/serve/test_edge.py tests/serve/test_life.py tests/serve/test_hostile.py "
            "tests/serve/test_liveness.py tests/serve/test_network.py tests/serve/test_afterwards.py "
            "tests/serve/test_catalogue.py tests/serve/test_uploads.py tests/serve/test_whole_games.py "
            "tests/serve/test_cuts.py tests/serve/test_kill.py"
        ),
    ),
    "statistics": (
        "studies/[crst]*/*.py",
        "tests/simulation/test_figures.py tests/simulation tests/tournaments/test_estimates.py",
    ),
    "editors": ("apps/lsp/*.py", "tests/lsp"),
    "specialiser": (
        "jit/[!_]*.py jit/llvm/[fi]*.py jit/llvm/operations.py jit/llvm/module.py",
        "tests/staging/test_written.py tests/staging/test_refusals.py tests/staging/test_text.py tests/staging",
    ),
}
"""The files of a area, and the tests that hold it."""
COMPARED = {
    ast.Eq: ast.NotEq, ast.NotEq: ast.Eq, ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt,
    ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is,
}  # fmt: skip
CALCULATED = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Add, ast.FloorDiv: ast.Mult, ast.Mod: ast.FloorDiv,
    ast.BitAnd: ast.BitOr, ast.BitOr: ast.BitAnd, ast.LShift: ast.RShift, ast.RShift: ast.LShift,
}  # fmt: skip
TIMEOUT = 600
FIRST = 25
"""Number of successful tests that run first."""
_FAILED = re.compile(r"^FAILED (\S+::.*?)(?: - .*)?$", re.MULTILINE)
_QUICK = "not leaks or planted or sushi_go-3p or sushi_draft-4p or sushi_battle or frozen_yogurt"
"""Of the tests that look for leaks, as many as find those of any kind."""


class Mutant(NamedTuple):
    area: str
    file: str
    line: int
    what: str
    text: str


# ── Making mutants ───────────────────────────────────────────────────────────────────────────────────────────────────


def changes(node):
    """Yield the mistakes possible at a node: a description, and the changed node."""
    yield from of_operators(node)
    yield from of_statements(node)


def of_operators(node):
    match node:
        case ast.Compare(ops=[op]) if type(op) in COMPARED:
            other = COMPARED[type(op)]()
            yield f"{name(op)} to {name(other)}", changed(node, ops=[other])
        case ast.BinOp(op=op) if type(op) in CALCULATED:
            other = CALCULATED[type(op)]()
            yield f"{name(op)} to {name(other)}", changed(node, op=other)
        case ast.BoolOp(op=op):
            other = ast.Or() if isinstance(op, ast.And) else ast.And()
            yield f"{name(op)} to {name(other)}", changed(node, op=other)
        case ast.UnaryOp(op=ast.Not()):
            yield "a lost not", node.operand


def of_statements(node):
    match node:
        case ast.Constant(value=bool()):
            yield f"{node.value} to {not node.value}", changed(node, value=not node.value)
        case ast.Constant(value=int()):
            yield f"{node.value} to {node.value + 1}", changed(node, value=node.value + 1)
        case ast.If() | ast.IfExp() | ast.While():
            yield "a condition turned round", changed(node, test=ast.UnaryOp(ast.Not(), node.test))
        case ast.Return(value=ast.expr() as value) if not (isinstance(value, ast.Constant) and value.value is None):
            yield "nothing returned", changed(node, value=ast.Constant(None))
        case ast.Expr(value=ast.Call()) | ast.AugAssign():
            yield "a lost statement", ast.Pass()
        case ast.Continue():
            yield "continue to break", ast.Break()


def name(op):
    return type(op).__name__


def changed(node, **fields):
    other = copy.copy(node)
    for field, value in fields.items():
        setattr(other, field, value)
    return other


def places(tree):
    """Yield the nodes at which mistakes can be planted.

    Left out is what the type checker covers: annotations, and keywords such as ``frozen`` in a class statement. So is
    the ``strict`` of `zip`, which states that something cannot happen.
    """
    waiting = [tree]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING":
            continue
        left_out = [getattr(node, field, None) for field in ("annotation", "returns")]
        keywords = getattr(node, "keywords", ())
        left_out += keywords if isinstance(node, ast.ClassDef) else [own for own in keywords if own.arg == "strict"]
        waiting += [child for child in ast.iter_child_nodes(node) if child not in left_out]
        yield node


class Put(ast.NodeTransformer):
    """Puts one node in the place of another."""

    def __init__(self, old, new):
        self.old, self.new = old, new

    def visit(self, node):
        return self.new if node is self.old else self.generic_visit(node)


def files_of(area):
    return sorted(file for pattern in AREAS[area][0].split() for file in (ROOT / PACKAGE).glob(pattern))


def mistakes(tree):
    """Return all possible mistakes of a file: node, description and changed node."""
    return [(node, what, new) for node in places(tree) for what, new in changes(node)]


def sample_of(area, size, chance):
    """Return a random sample of the mutants of an area, and the number of all."""
    every = [
        (file, number)
        for file in files_of(area)
        for number in range(len(mistakes(ast.parse(file.read_text(encoding="utf-8")))))
    ]
    return [mutant(area, *own) for own in chance.sample(every, min(size, len(every)))], len(every)


def mutant(area, file, number):
    """Return the mutant of a file with the mistake of this number."""
    tree = ast.parse(file.read_text(encoding="utf-8"))
    node, what, new = mistakes(tree)[number]
    line, mutated = node.lineno, Put(node, ast.copy_location(new, node)).visit(tree)
    text = ast.unparse(ast.fix_missing_locations(mutated))
    return Mutant(area, file.relative_to(ROOT).as_posix(), line, what, text)


# ── Trying them ──────────────────────────────────────────────────────────────────────────────────────────────────────


class Tests:
    """The tests of a area, those first that have found most so far."""

    def __init__(self, area, timeout):
        self.area, self.timeout = area, timeout
        self.finders = Counter()

    def run(self, folder):
        """Run the tests in a tree; return whether they pass, and their output. A timeout is a failure."""
        first = [name for name, _ in self.finders.most_common(FIRST)]
        asked = [*first, *AREAS[self.area][1].split(), *(["-k", _QUICK] if self.area == "visibility" else [])]
        command = [sys.executable, "-m", "pytest", "-x", "-q", "-n0", "-p", "no:cacheprovider", *asked]
        env = os.environ | {"PYTHONPATH": str(folder / "src"), "PYTHONDONTWRITEBYTECODE": "1"}
        try:
            found = subprocess.run(
                command, cwd=folder, env=env, capture_output=True, text=True, timeout=self.timeout, check=False
            )
        except subprocess.TimeoutExpired:
            return False, f"they did not end within {self.timeout} seconds"
        self.finders.update(_FAILED.findall(found.stdout))
        return found.returncode == 0, found.stdout + found.stderr


def copy_of_the_tree(folder):
    """Copy the tree to a folder and compile it; return the folder.

    Compiled files are checked by hash, because changes follow each other within the resolution of time stamps.
    """
    for part in PARTS:
        source = ROOT / part
        if source.is_dir():
            shutil.copytree(source, folder / part, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(source, folder / part)
    compileall.compile_dir(folder / "src", quiet=1, invalidation_mode=PycInvalidationMode.CHECKED_HASH)
    compileall.compile_dir(folder / "tests", quiet=1, invalidation_mode=PycInvalidationMode.CHECKED_HASH)
    return folder


def survives(mutant, tests, folder):
    """Return whether the tests of the area pass with a mistake; the file is restored afterwards."""
    file = folder / mutant.file
    original = file.read_text(encoding="utf-8")
    file.write_text(mutant.text, encoding="utf-8")
    try:
        return tests.run(folder)[0]
    finally:
        file.write_text(original, encoding="utf-8")


def main():
    parser = argparse.ArgumentParser(description="Plant mistakes, and see which the tests do not find.")
    parser.add_argument("--sample", type=int, default=100, help="so many of each area (default: 100)")
    parser.add_argument("--only", choices=AREAS, action="append", help="this area alone; may be repeated")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--seed", default="mutation")
    parser.add_argument("--timeout", type=float, default=TIMEOUT, help="seconds after which tests are red")
    asked = parser.parse_args()
    areas = asked.only or [*AREAS]
    with tempfile.TemporaryDirectory() as top:
        folders = SimpleQueue()
        for job in range(asked.jobs):
            folders.put(copy_of_the_tree(Path(top) / str(job)))
        with ThreadPoolExecutor(asked.jobs) as pool:
            weak = [area for area in areas if not is_strong(area, asked, folders, pool)]
    return f"fewer than nine of ten are found in {', '.join(weak)}" if weak else 0


def is_strong(area, asked, folders, pool):
    """Return whether the tests of an area find nine of ten mistakes; `folders` has the unused trees."""
    chosen, every = sample_of(area, asked.sample, Random(f"{asked.seed} {area}"))
    print(f"{area}: {len(chosen)} of {every} mistakes that can be made", flush=True)
    tests = Tests(area, asked.timeout)

    def tried(mutant):
        folder = folders.get()
        try:
            return survives(mutant, tests, folder)
        finally:
            folders.put(folder)

    first = folders.get()
    green, said = tests.run(first)
    folders.put(first)
    if not green:
        sys.exit(f"{said}\nwithout any mistake, the tests of {area} are red")
    left = 0
    for mutant, alive in zip(chosen, pool.map(tried, chosen), strict=True):
        if alive:
            left += 1
            print(f"survives: {mutant.file}:{mutant.line} {mutant.what}", flush=True)
    print(f"{area}: {len(chosen) - left} of {len(chosen)} found ({100 - 100 * left / len(chosen):.0f} %)", flush=True)
    return 10 * left <= len(chosen)


if __name__ == "__main__":
    sys.exit(main())
