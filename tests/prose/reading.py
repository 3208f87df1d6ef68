"""Reads the prose and the names of files, without the syntax around them.

A *source* is a file, or the subject of a commit. Its *passages* are docstrings, comments, paragraphs of pages, and
strings of the program that are messages. Every file is parsed once; rules see sources only. Code within prose is no
prose: blocks, tables and headings are left out, and a span of code counts as one word.
"""

from __future__ import annotations

import ast
import gc
import inspect
import re
import subprocess
from collections import Counter
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

MODULE, CLASS, FUNCTION, PROPERTY, TEST, ATTRIBUTE = "module", "class", "function", "property", "test", "attribute"
DOCSTRINGS = frozenset({MODULE, CLASS, FUNCTION, PROPERTY, TEST, ATTRIBUTE})
COMMENT, PAGE, MESSAGE, COMMIT = "comment", "page", "message", "commit"

PACKAGE = "src/draftengine"
ROOTS = (PACKAGE, "tests", "docs", "benchmarks", "examples", "README.md", "CONTRIBUTING.md", "CHANGELOG.md")
COMMITS = "commits"

GENERATED = frozenset(
    f"docs/{page}.md" for page in ("cli", "findings", "gallery", "keys", "limits", "recipes", "rules")
)
"""Pages that `make docs` generates: their texts are read in the program."""

FIRST_COMMIT = "Move the tree into nine packages"
"""Subject of the commit after which commit subjects are read."""

VAGUE_NAMES = frozenset({"own", "found", "told", "said", "shown", "g"})

LEAVES = frozenset({ast.Name, ast.Constant, ast.Load, ast.Store})
"""The most frequent classes of nodes; they have no children to visit."""

CODE_SPAN = re.compile(r"(`+)(.+?)\1", re.DOTALL)
LINK = re.compile(r"!?\[([^\]]*)\]\([^)\s]*\)")
ITEM = re.compile(r"(?:[-*+•]|\d+[.)])\s+")
NO_PROSE = ("|", "#", "<", ":::", ">>>", "---")
TRAILING_COMMENT = re.compile(r"""(?:[^#"']|"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*')*#(.*)""")
PRAGMA = re.compile(r"!|\s*(?:noqa|type:|fmt:|ruff:|pragma|mypy:)")


class Passage(NamedTuple):
    """A piece of prose, and the line on which it begins."""

    line: int
    kind: str
    text: str


class Named(NamedTuple):
    """A name, and the line on which it is bound."""

    line: int
    name: str


@dataclass
class Source:
    """The prose and the names of a file, or of a commit."""

    path: str
    unit: str
    """The package, folder or page whose numbers its findings belong to."""

    lines: int = 0
    passages: list[Passage] = field(default_factory=list)
    vague: list[Named] = field(default_factory=list)
    """Variables with one of the vague names."""

    functions: list[Named] = field(default_factory=list)
    """Private functions of at most 8 lines that the file uses once."""

    @cached_property
    def folded(self) -> str:
        """Return all passages in lower case, with one space between words, for a quick test."""
        return " ".join(" ".join(passage.text for passage in self.passages).lower().split())

    @property
    def group(self) -> str:
        """Return the package of the unit: `model` for `model.flow`."""
        return self.unit.partition(".")[0]


def read_tree(root: Path) -> list[Source]:
    """Return the sources below `root`: files in the order of their paths, then commits."""
    files = []
    for name in ROOTS:
        place = root / name
        files += sorted(place.rglob("*")) if place.is_dir() else [place] if place.exists() else []
    sources = []
    collects = gc.isenabled()
    # Syntax trees are many small objects without cycles: collecting garbage would double the time.
    gc.disable()
    try:
        for file in files:
            path = file.relative_to(root).as_posix()
            if file.suffix == ".py":
                sources.append(read_module(path, file.read_text(encoding="utf-8")))
            elif file.suffix == ".md" and path not in GENERATED and not path.startswith("tests/"):
                sources.append(read_page(path, file.read_text(encoding="utf-8")))
    finally:
        if collects:
            gc.enable()
    return sources + read_commits(root)


def unit_of(path: str) -> str:
    """Return the unit of a file: `model.flow`, `tests.serve`, `docs`, `README.md`."""
    parts = PurePosixPath(path).parts
    if path.startswith(PACKAGE + "/"):
        return ".".join(parts[2:-1][:2]) or parts[1]
    return ".".join(parts[:-1][:2]) if parts[0] == "tests" else parts[0]


def root_of(unit: str) -> str:
    """Return the root that a unit is read from; `commits` for commits."""
    group = unit.partition(".")[0]
    return next((name for name in (*ROOTS, COMMITS) if name in {unit, group}), PACKAGE)


def present_roots(root: Path) -> set[str]:
    """Return the roots that can be read below `root`; an archive of the source lacks some."""
    present = {name for name in ROOTS if (root / name).exists()}
    return present | {COMMITS} if subjects_since_moves(root) is not None else present


# ── Commits ──────────────────────────────────────────────────────────────────────────────────────────────────────────


def read_commits(root: Path) -> list[Source]:
    """Return a source for each commit after the moves."""
    return [
        Source(commit, COMMITS, passages=[Passage(1, COMMIT, subject)])
        for commit, subject in subjects_since_moves(root) or []
    ]


def subjects_since_moves(root: Path) -> list[tuple[str, str]] | None:
    """Return (hash, subject) of commits after the moves, newest first; None without the history."""
    if not (root / ".git").exists():
        return None
    commits = git_log(root, "--fixed-strings", "--grep", FIRST_COMMIT)
    moves = [commit for commit, subject in commits if subject == FIRST_COMMIT]
    return git_log(root, "--no-merges", f"{moves[-1]}..HEAD") if moves else None


def git_log(root: Path, *arguments: str) -> list[tuple[str, str]]:
    """Return (hash, subject) of commits; none where git is missing or refuses."""
    try:
        log = subprocess.run(
            ["git", "-C", str(root), "log", "--format=%h %s", *arguments], capture_output=True, check=True
        ).stdout.decode(errors="replace")
    except (OSError, subprocess.CalledProcessError):
        return []
    return [(commit, subject) for commit, _, subject in (line.partition(" ") for line in log.splitlines())]


# ── Pages and paragraphs ─────────────────────────────────────────────────────────────────────────────────────────────


def read_page(path: str, text: str) -> Source:
    """Return the source of a page in Markdown, with a passage for each paragraph."""
    passages = [Passage(line, PAGE, paragraph) for line, paragraph in paragraphs(text)]
    return Source(path, unit_of(path), text.count("\n"), passages)


def paragraphs(text: str) -> Iterator[tuple[int, str]]:
    """Yield (line, paragraph) of docstrings and pages; items of lists are paragraphs. Lines count from 1."""
    block: list[str] = []
    start = 0
    in_fence = in_list = in_form = False
    for number, line in enumerate(text.split("\n"), start=1):
        words = line.strip()
        is_fence = words.startswith(("```", "~~~"))
        item = ITEM.match(words)
        is_code = not block and not in_list and not item and line.startswith("    ")
        if is_fence or in_fence or in_form or not words or is_code or words.startswith(NO_PROSE) or words == "\b":
            if block:
                yield start, "\n".join(block)
                block = []
            in_fence ^= is_fence
            # A backspace in a help text keeps the lines of a block apart, up to the next empty line.
            in_form = bool(words) and (in_form or words == "\b")
            continue
        if item:
            if block:
                yield start, "\n".join(block)
                block = []
            in_list = True
            words = words[item.end() :]
        elif not block and not line.startswith(" "):
            in_list = False
        if not block:
            start = number
        block.append(words.removeprefix("> "))
    if block:
        yield start, "\n".join(block)


def plain(text: str) -> str:
    """Return prose on as many lines, with `Code` for spans of code and no targets of links."""
    text = CODE_SPAN.sub(lambda span: "Code" + "\n" * span[0].count("\n"), text)
    return LINK.sub(r"\1", text)


# ── Modules ──────────────────────────────────────────────────────────────────────────────────────────────────────────


def read_module(path: str, text: str) -> Source:
    """Return the source of a module in Python, with all passages and names in the order of lines."""
    lines = text.splitlines()
    source = Source(path, unit_of(path), len(lines))
    reader = ModuleReader(source)
    reader.visit(ast.parse(text))
    source.passages += comments(lines, reader.string_lines)
    source.passages.sort(key=lambda passage: passage.line)
    source.vague.sort()
    source.functions.sort()
    return source


class ModuleReader:
    """Collects docstrings, messages and names of one syntax tree, in no order."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.string_lines: set[int] = set()
        """Lines within multi-line strings, where a hash begins no comment."""

        self.keeps_messages = source.path.startswith(PACKAGE)
        self.fields: set[ast.AST] = set()
        """Targets in the body of a class: attributes, not variables."""

        self.small_functions: list[Named] = []
        self.uses: Counter[str] = Counter()

    def visit(self, tree: ast.Module) -> None:
        """Visit all nodes of the tree."""
        self.read_body(tree.body, MODULE)
        stack: list[ast.AST] = [tree]
        # A visitor of the standard library takes three times as long.
        readers: dict[type[ast.AST], Callable[[Any], None]] = {
            ast.ClassDef: self.read_class,
            ast.FunctionDef: self.read_function,
            ast.AsyncFunctionDef: self.read_function,
            ast.Name: self.read_name,
            ast.Attribute: self.read_attribute,
            ast.arg: self.read_argument,
            ast.ExceptHandler: self.read_capture,
            ast.MatchAs: self.read_capture,
            ast.MatchStar: self.read_capture,
            ast.Constant: self.read_constant,
            ast.JoinedStr: self.read_string,
            ast.Expr: self.read_expression,
        }
        while stack:
            node = stack.pop()
            kind = type(node)
            reader = readers.get(kind)
            if reader is not None:
                reader(node)
            if kind in LEAVES:
                continue
            for value in vars(node).values():
                if isinstance(value, ast.AST):
                    stack.append(value)
                elif isinstance(value, list):
                    stack += [child for child in value if isinstance(child, ast.AST)]
        self.source.functions += [named for named in self.small_functions if self.uses[named.name] == 1]

    def read_body(self, body: Sequence[ast.stmt], kind: str) -> None:
        """Collect the docstring of a body, and those below its attributes."""
        for index, statement in enumerate(body):
            text = string_of(statement)
            if text is not None:
                passage = Passage(statement.lineno, ATTRIBUTE if index else kind, inspect.cleandoc(text))
                self.source.passages.append(passage)

    def read_class(self, node: ast.ClassDef) -> None:
        """Collect the docstrings of a class, and mark its targets as attributes."""
        self.read_body(node.body, CLASS)
        for statement in node.body:
            if isinstance(statement, ast.AnnAssign):
                self.fields.add(statement.target)
            elif isinstance(statement, ast.Assign):
                self.fields.update(statement.targets)

    def read_function(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        """Collect the docstring of a function, and note small private functions."""
        decorators = {last_name(decorator) for decorator in node.decorator_list}
        if node.name.startswith("test_") or "fixture" in decorators:
            kind = TEST
        elif decorators & {"property", "cached_property"}:
            kind = PROPERTY
        else:
            kind = FUNCTION
        self.read_body(node.body, kind)
        is_private = node.name.startswith("_") and not node.name.startswith("__")
        if is_private and (node.end_lineno or node.lineno) - node.lineno < 8:
            self.small_functions.append(Named(node.lineno, node.name))

    def read_name(self, node: ast.Name) -> None:
        """Count a use of a private name, or note a vague variable."""
        if node.id[0] == "_":
            self.uses[node.id] += 1
        elif node.id in VAGUE_NAMES and isinstance(node.ctx, ast.Store) and node not in self.fields:
            self.source.vague.append(Named(node.lineno, node.id))

    def read_attribute(self, node: ast.Attribute) -> None:
        """Count a use of a private attribute."""
        if node.attr[0] == "_":
            self.uses[node.attr] += 1

    def read_argument(self, node: ast.arg) -> None:
        """Note a vague parameter."""
        if node.arg in VAGUE_NAMES:
            self.source.vague.append(Named(node.lineno, node.arg))

    def read_capture(self, node: ast.ExceptHandler | ast.MatchAs | ast.MatchStar) -> None:
        """Note a vague name bound by an exception handler or a pattern."""
        if node.name in VAGUE_NAMES:
            self.source.vague.append(Named(node.lineno, node.name))

    def read_constant(self, node: ast.Constant) -> None:
        """Note a string of several words, which may be a message."""
        if isinstance(node.value, str):
            self.read_string(node)
            if self.keeps_messages and " " in node.value.strip():
                self.source.passages.append(Passage(node.lineno, MESSAGE, node.value))

    def read_string(self, node: ast.expr) -> None:
        """Note the lines of a string."""
        if node.end_lineno is not None and node.end_lineno > node.lineno:
            self.string_lines.update(range(node.lineno, node.end_lineno + 1))

    def read_expression(self, node: ast.Expr) -> None:
        """Note the lines of a docstring, so that it is not read as a message."""
        if string_of(node) is not None:
            self.read_string(node.value)
            del node.value


def string_of(statement: ast.stmt) -> str | None:
    """Return the string that a statement consists of, or None."""
    if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant):
        value = statement.value.value
        return value if isinstance(value, str) else None
    return None


def last_name(decorator: ast.expr) -> str:
    """Return the last name of a decorator: `fixture` for `pytest.fixture(scope="module")`."""
    if isinstance(decorator, ast.Call):
        decorator = decorator.func
    if isinstance(decorator, ast.Attribute):
        return decorator.attr
    return decorator.id if isinstance(decorator, ast.Name) else ""


def comments(lines: Sequence[str], string_lines: set[int]) -> Iterator[Passage]:
    """Yield the comments of a module. Adjacent lines are one comment; each comment after code is its own."""
    block: list[str] = []
    start = column = 0
    for number, line in enumerate([*lines, ""], start=1):
        code = line.lstrip()
        is_comment = code.startswith("#") and number not in string_lines
        indent = len(line) - len(code)
        if block and not (is_comment and indent == column):
            yield from as_passages(start, block)
            block = []
        if is_comment:
            if not block:
                start, column = number, indent
            block.append(code[1:])
        elif "#" in line and number not in string_lines and (match := TRAILING_COMMENT.match(line)):
            yield from as_passages(number, [match[1]])


def as_passages(start: int, block: Sequence[str]) -> Iterator[Passage]:
    """Yield the paragraphs of a comment that begins on line `start`; lines for tools separate them."""
    text = "\n".join("" if PRAGMA.match(line) else line.removeprefix(" ") for line in block)
    for line, paragraph in paragraphs(text):
        yield Passage(start + line - 1, COMMENT, paragraph)
