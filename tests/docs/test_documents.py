"""Documents are true: their files are valid, and their commands run and print what the pages show.

A block after ``<!-- file: NAME -->`` is written to a folder in which the commands of its document run. ``<!-- with:
ARGUMENTS; typing: ANSWERS -->`` adds arguments and input to the command of the next block.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
import venv
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest
import yaml

from commands import processes
from conftest import sample
from docs import findings_page, limits_page, rules_table
from docs.rules_table import STATEMENTS
from docs.snippets import anchor
from draftengine.api.scenario import scenario_file
from draftengine.model.diagnostics import catalogue
from draftengine.model.loading.short import in_long_form
from draftengine.model.schema import schema
from draftengine.model.schema.validate import validate
from draftengine.model.selection import open_document
from draftengine.model.yaml.load import load, read_source

ROOT = Path(__file__).parents[2]
DOCUMENTS = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]
_BLOCK = re.compile(r"(?:<!-- (?P<note>[^\n]*) -->\n)?```(?P<kind>\w*)\n(?P<text>.*?)^```$", re.DOTALL | re.MULTILINE)


ACTIVATE = "source .venv/bin/activate"
"""The command that README runs first, once in a terminal."""


class Block(NamedTuple):
    document: Path
    line: int
    kind: str
    note: str
    text: str

    def __str__(self):
        return f"{self.document.name}:{self.line}"


def blocks_of(document):
    text = document.read_text(encoding="utf-8")
    return [
        Block(document, text.count("\n", 0, found.start()) + 1, found["kind"], found["note"] or "", found["text"])
        for found in _BLOCK.finditer(text)
    ]


BLOCKS = [block for document in DOCUMENTS for block in blocks_of(document)]
CONSOLE = [block for block in BLOCKS if block.kind == "console"]
README = [block for block in CONSOLE if block.document.name == "README.md"]
TYPED = [*README, *sample([block for block in CONSOLE if block not in README], 6)]
"""The blocks that the tests type: by day all of README and a sample of the other documents."""
FROM_FILES = {"gallery.md", "recipes.md"}
"""Pages with files that `test_authors_pages` checks whole."""
YAML = [
    block
    for block in BLOCKS
    if block.kind == "yaml" and not block.note.startswith("file: tables") and block.document.name not in FROM_FILES
]


@pytest.fixture
def folder(tmp_path, request):
    """Return a folder with the files of the block's document."""
    for block in blocks_of(request.getfixturevalue("block").document):
        if block.note.startswith("file: "):
            (tmp_path / block.note.removeprefix("file: ")).write_text(block.text, encoding="utf-8")
    return tmp_path


def runs(block):
    """Yield the commands of a block, each with its expected output lines."""
    commands = []
    for line in block.text.splitlines():
        if line.startswith("$ "):
            commands.append((line.removeprefix("$ "), []))
        elif commands:
            commands[-1][1].append(line)
    return commands


def as_typed(command, note):
    """Return a command as typed into the shell; ``None`` if it sets up an environment or tests this one."""
    words = shlex.split(command, comments=True)
    if words[0] == "pip" or (words[0] == "make" and words[1] != "play"):
        return None
    found = re.search(r"with: ([^;]*)", note)
    more = found[1] if found else ""
    return f"{command} ARGS='{more}'" if words[0] == "make" else f"{command} {more}"


@pytest.fixture(scope="module")
def checkout(tmp_path_factory):
    """Return a checkout as set up by ``make play``: the program is installed only in it."""
    folder = tmp_path_factory.mktemp("checkout")
    for path in ROOT.iterdir():
        if not path.name.startswith("."):
            (folder / path.name).symlink_to(path)
    venv.create(folder / ".venv", with_pip=False, symlinks=True)
    processes.program(folder / ".venv" / "bin")
    (folder / ".venv" / ".installed").touch()
    return folder


@pytest.mark.skipif(os.name == "nt", reason="commands for a shell of POSIX")
@pytest.mark.parametrize("block", TYPED, ids=str)
def test_commands(block, folder, checkout):
    """Check that each command works as printed, in a checkout after README's first line.

    The lines below it appear in its output, in this order.
    """
    typed = re.search(r"typing: (.*)", block.note)
    for path in folder.iterdir():
        shutil.copy(path, checkout)
    path = os.pathsep.join(["/usr/bin", "/bin", *os.environ["PATH"].split(os.pathsep)])
    for command, expected in runs(block):
        line = as_typed(command, block.note)
        if line is None:
            continue
        process = subprocess.run(
            ["bash", "-c", line if line.startswith(("make", "source")) else f"{ACTIVATE}; {line}"],
            input="".join(f"{word}\n" for word in (*typed[1].split(), "q")) if typed else "",
            capture_output=True,
            encoding="utf-8",
            cwd=checkout,
            env={**os.environ, "PATH": path, "PYTHONPATH": str(ROOT / "src"), "COLUMNS": "80", "PYTHONUTF8": "1"},
            check=False,
        )
        output = iter((process.stderr + process.stdout).splitlines())
        unmet = [line for line in expected if line.strip() and not any(own.startswith(line.rstrip()) for own in output)]
        assert not unmet, process.stderr + process.stdout
        assert process.returncode <= (0 if line.startswith(("make", "source")) else 1), process.stderr


def test_the_command_is_reachable_before_it_is_used():
    """Check that README says how to reach the command before the first use of it."""
    commands = [
        command for block in blocks_of(ROOT / "README.md") if block.kind == "console" for command, _ in runs(block)
    ]
    assert ACTIVATE in commands
    first = next(place for place, command in enumerate(commands) if command.startswith("draftengine"))
    assert commands.index(ACTIVATE) < first
    assert all(command.split()[0] in {"make", "source"} for command in commands[:first])


@pytest.mark.parametrize("block", YAML, ids=str)
def test_yaml(block):
    """Check that whole card sets are valid, and that parts have the right shape."""
    data = yaml.safe_load(block.text)
    if "tests" in data:
        assert not validate(load(read_source(block.text.encode(), str(block))[0])[0], scenario_file)
        return
    text = block.text if "format" in data else f"format: 2\nid: part\nextends: another\n{block.text}"
    source, findings = read_source(text.encode(), str(block))
    assert not findings
    root, findings = load(source)
    assert not findings
    root = in_long_form(root)
    assert not validate(root), validate(root)
    if "format" in data and "extends" not in data:
        document, findings = open_document(text.encode(), str(block), lambda _: None)
        assert document is not None, findings


@pytest.mark.parametrize("block", [block for block in BLOCKS if block.kind == "python"], ids=str)
def test_python(block, tmp_path):
    """Check that Python programs run."""
    processes.run_python("-c", block.text, check=True, cwd=tmp_path)


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_links(document):
    """Check that links within the project lead to existing files and headings."""
    for target, heading in re.findall(r"\]\(([^)#:\s]*)(?:#([^)\s]+))?\)", document.read_text(encoding="utf-8")):
        other = document.parent / target if target else document
        assert other.exists(), target
        if heading and other.suffix == ".md":
            assert heading in headings_of(other), f"{target}#{heading}"


@cache
def headings_of(document):
    """Return the headings of a document, as links name them."""
    text = re.sub(r"^```.*?^```$", "", document.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE)
    return {anchor(own.strip()) for own in re.findall(r"^#+ (.*)$", text, re.MULTILINE)}


_SPAN = re.compile(r"`([^`\n]+)`")
_PATH = re.compile(r"[\w.*-]+(?:/[\w.*-]+)*/?")
_FILE = re.compile(r".*\.(?:c|css|h|js|json|lark|md|png|py|svg|toml|tsv|txt|ya?ml)")
_DEFINED_IN = re.compile(r"`([\w/]+\.py)`\s+\(((?:`[\w.]+`(?:,\s+)?)+)\)")
PLACES = [ROOT, ROOT / "src" / "draftengine", ROOT / "tests"]
"""Folders relative to which documents name files."""
OF_READERS = {".helix/languages.toml", "build/site", "dishes/soup.yaml"}
"""Files that readers have, or make with a command."""


def paths_in(text):
    """Return what looks like a path in the code spans of a document, outside of blocks of code."""
    spans = _SPAN.findall(re.sub(r"^```.*?^```$", "", text, flags=re.DOTALL | re.MULTILINE))
    paths = (span for span in spans if "/" in span and _PATH.fullmatch(span))
    return [path for path in paths if path.endswith("/") or _FILE.fullmatch(path) or is_in_a_known_folder(path)]


def is_in_a_known_folder(path):
    return any((place / path.partition("/")[0]).is_dir() for place in PLACES)


def exists(path):
    """True if a file or folder matches; ``NAME`` stands for any name."""
    return path in OF_READERS or any(any(place.glob(path.replace("NAME", "*"))) for place in PLACES)


def undefined_in(text):
    """Yield names that a document places in a module, ``module.py`` (``name``), but are not there."""
    for path, names in _DEFINED_IN.findall(text):
        source = next((place / path for place in PLACES if (place / path).is_file()), None)
        code = source.read_text(encoding="utf-8") if source else ""
        defined = set(re.findall(r"^\s*(?:async def|def|class) (\w+)", code, re.MULTILINE))
        for name in re.findall(r"[\w.]+", names):
            if not set(name.split(".")) <= defined:
                yield f"{path}: {name}"


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_paths(document):
    """Check that named files and folders exist, and that modules define the names ascribed to them."""
    text = document.read_text(encoding="utf-8")
    assert [path for path in paths_in(text) if not exists(path)] == []
    assert list(undefined_in(text)) == []


def test_wrong_paths_are_found():
    """Check that wrong paths are reported; formulas, addresses and JSON Pointers are no paths."""
    wrong = ["engine/gone.py", "gone/", "rules/*.lark", "docs/gone"]
    right = ["engine/game.py", "tests/docs/", "engine/*.py", "a // b", "/cards/x", "https://there/"]
    text = " ".join(f"`{path}`" for path in wrong + right)
    assert [path for path in paths_in(text) if not exists(path)] == wrong
    text = "`engine/game.py` (`commit`, `gone`) and `engine/gone.py` (`commit`)"
    assert list(undefined_in(text)) == ["engine/game.py: gone", "engine/gone.py: commit"]


def test_every_page_is_in_the_contents():
    """Check that the lists of links on the front page lead to every page exactly once."""
    listed = re.findall(
        r"^- \[[^\]]+\]\((\w+)\.md\)", (ROOT / "docs" / "index.md").read_text(encoding="utf-8"), re.MULTILINE
    )
    assert sorted(listed) == sorted(path.stem for path in (ROOT / "docs").glob("*.md") if path.stem != "index")


def test_the_command_reference():
    """Check that `docs/cli.md` equals the help texts."""
    process = subprocess.run(
        [sys.executable, str(ROOT / "tests" / "docs" / "reference.py")],
        capture_output=True,
        encoding="utf-8",
        env={**os.environ, "PYTHONPATH": str(ROOT / "src"), "PYTHONUTF8": "1"},
        check=True,
    )
    assert (ROOT / "docs" / "cli.md").read_text(encoding="utf-8") == process.stdout, "make docs writes it again"


def test_every_key_is_in_the_reference():
    """Check that the language reference names every key of a card set."""
    text = (ROOT / "docs" / "language.md").read_text(encoding="utf-8")
    missing = [key for key in schema()["properties"] if f"`{key}`" not in text and f"{key}:" not in text]
    assert not missing


def test_every_statement_of_the_rule_documents():
    """Check that `docs/rules.md` is current, and that each statement has its lines and cases."""
    found = rules_table.page()
    assert (ROOT / "docs" / "rules.md").read_text(encoding="utf-8") == found, "make docs writes it again"
    unsaid = [own for own, said in STATEMENTS.items() if not rules_table.places_for(own) and "no_rule" not in said]
    assert not unsaid
    unproved = [own for own, said in STATEMENTS.items() if not rules_table.cases_for(own) and "proved_by" not in said]
    assert not unproved
    assert all((ROOT / said["proved_by"]).is_file() for said in STATEMENTS.values() if "proved_by" in said)


def test_the_page_of_limits_is_current():
    """Check that `docs/limits.md` is made from the table of limits."""
    assert (ROOT / "docs" / "limits.md").read_text(encoding="utf-8") == limits_page.page(), "make docs writes it again"


def test_every_finding_has_a_page():
    """Check that `docs/findings.md` is current, and that each code has a heading."""
    text = (ROOT / "docs" / "findings.md").read_text(encoding="utf-8")
    assert text == findings_page.page(), "make docs writes it again"
    assert all(f"\n### {code}\n" in text for code in catalogue())


@pytest.mark.parametrize(("bot", "others"), [("table", "greedy"), ("greedy", "random")])
def test_figures_of_bots_are_the_measured_ones(bot, others):
    """Check that the page of bots says of Sushi Go! with four players what the page of figures has."""
    page, figures = [(ROOT / "docs" / name).read_text(encoding="utf-8") for name in ("bots.md", "bots_measured.md")]
    measured = float(re.search(rf"^\| sushi_go 4 \| `{bot}` > `{others}` \| ([\d.]+)", figures, re.MULTILINE)[1])
    stated = re.findall(rf"`{bot}`[^`]* wins (\d+) % against three of `{others}`", page)
    assert stated
    assert all(abs(measured - int(share)) <= 0.5 for share in stated)
