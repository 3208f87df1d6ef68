"""The shape of the source: imports point one way, the core is pure, and no game is known to the program."""

from __future__ import annotations

import ast
import os
import re
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "src"

LAYERS = "Imports point down the pipeline"
PUBLIC = "What stands on the public interface does not reach around it"
FRONT = "A front end is given games, states and views by name"
CIRCULAR = "Imports point one way inside of every room, too"
STAGING = "The specialiser knows no game: it stands on files alone"
PURE = "The core knows no screen, clock, chance, process or network"

PLANTED = [
    pytest.param("source.py", "import draftengine.model.diagnostics", LAYERS, id="source uses diagnostics"),
    pytest.param("language/__init__.py", "import draftengine.model.rules", LAYERS, id="language uses rules"),
    pytest.param("records/__init__.py", "import draftengine.model.rules", LAYERS, id="records use rules"),
    pytest.param("verbs/__init__.py", "import draftengine.model.loading.reader", LAYERS, id="verbs use card sets"),
    pytest.param("rules/__init__.py", "import draftengine.model.cardset.records", LAYERS, id="rules use card sets"),
    pytest.param("cardset/__init__.py", "import draftengine.engine", LAYERS, id="card sets use the engine"),
    pytest.param("engine/__init__.py", "import draftengine.apps.terminal", LAYERS, id="the engine uses play"),
    pytest.param("bots/__init__.py", "import draftengine.apps.cli", LAYERS, id="bots use the command line"),
    pytest.param("engine/__init__.py", "def f():\n    import draftengine.bots", LAYERS, id="late, in a function"),
    pytest.param("annex/__init__.py", "", LAYERS, id="a room without a place"),
    pytest.param("staging/__init__.py", "import draftengine.model.diagnostics", LAYERS, id="staging uses diagnostics"),
    pytest.param("staging/__init__.py", "import draftengine.support.source", STAGING, id="staging reads card sets"),
    pytest.param("scenario/__init__.py", "import draftengine.engine.state", PUBLIC, id="scenarios reach around it"),
    pytest.param("cli/score.py", "import draftengine.engine.players", PUBLIC, id="commands reach around it"),
    pytest.param("play/board.py", "import draftengine.engine.observe", FRONT, id="the table looks into the engine"),
    pytest.param(
        "play/names.py", "import draftengine.model.cardset.records", FRONT, id="the table looks into card sets"
    ),
    pytest.param("source.py", "import os", PURE, id="source asks the system"),
    pytest.param("language/__init__.py", "import time", PURE, id="language reads a clock"),
    pytest.param("rules/__init__.py", "from random import shuffle", PURE, id="rules throw dice"),
    pytest.param("cardset/__init__.py", "import socket", PURE, id="card sets call the network"),
    pytest.param("engine/__init__.py", "import typer", PURE, id="the engine talks to people"),
]

CIRCLES = [
    pytest.param(
        "play/saved.py", "import draftengine.apps.play.save_format", "play", ".saved -> .save", id="two modules"
    ),
    pytest.param(
        *("engine/text/zones.py", "def f():\n    import draftengine.engine.cards", "engine", ".text -> .flow"),
        id="two folders, late, in a function",
    ),
]

LAYER = re.compile(r'^    "([^"]*)",$', re.MULTILINE)

GAME_WORD = re.compile(
    "chopstick|dumpling|edamame|gyoza|ikura|maki(?!ng)|mochi|nigiri|pudding|sashimi|sushi|tamago|tempura|wasabi",
    re.IGNORECASE,
)


def check_imports(source: Path) -> subprocess.CompletedProcess[str]:
    """Hold the package in the folder `source` against the contracts in ``pyproject.toml``."""
    return subprocess.run(
        [
            *(sys.executable, "-c", "from importlinter.cli import lint_imports_command as run; run()"),
            *("--config", str(ROOT / "pyproject.toml"), "--no-logo", "--no-cache"),
        ],
        cwd=source,
        env=os.environ | {"PYTHONPATH": str(source)},
        capture_output=True,
        text=True,
        check=False,
    )


def game_words(text: str) -> list[str]:
    """The lines of `text` that know a game, with their numbers."""
    return [f"{number}: {line}" for number, line in enumerate(text.splitlines(), 1) if GAME_WORD.search(line)]


def test_contracts_hold():
    """Every contract is kept by the package as it is."""
    found = check_imports(SOURCE)
    assert found.returncode == 0, found.stdout + found.stderr
    assert f"{LAYERS} KEPT" in found.stdout
    assert f"{CIRCULAR} KEPT" in found.stdout
    assert f"{PURE} KEPT" in found.stdout


@pytest.fixture(scope="module")
def broken(tmp_path_factory):
    """What is said of each contract when everything that is forbidden has been planted in a copy of the package."""
    folder = tmp_path_factory.mktemp("planted")
    package = folder / "draftengine"
    shutil.copytree(SOURCE / "draftengine", package, ignore=shutil.ignore_patterns("__pycache__"))
    for where, line, _ in (own.values[:3] for own in (*PLANTED, *CIRCLES)):
        planted = package / where
        planted.parent.mkdir(exist_ok=True)
        before = planted.read_text(encoding="utf-8") if planted.exists() else ""
        planted.write_text(f"{before}\n\n{line}\n", encoding="utf-8")
    found = check_imports(folder)
    assert found.returncode == 1, found.stdout + found.stderr
    parts = re.split(r"\n([^\n]+)\n---+\n", found.stdout.partition("Broken contracts")[2])
    return dict(zip(parts[1::2], parts[2::2], strict=True))


@pytest.mark.parametrize(("where", "line", "contract"), PLANTED)
def test_a_forbidden_import_is_caught(broken, where, line, contract):
    """A contract that lets a planted import pass would guard nothing: each is named, by module and line."""
    module = "draftengine." + where.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
    if line:
        imported = re.search(r"(?:import|from) ([\w.]+)", line)[1]
        assert re.search(rf"{re.escape(module)} -> {re.escape(imported)} \(l\.\d+\)", broken[contract])
    else:
        assert f"- {module}\n" in broken[contract]


@pytest.mark.parametrize(("where", "line", "room", "circle"), CIRCLES)
def test_a_circle_inside_a_room_is_caught(broken, where, line, room, circle):
    """Modules of a room, and its folders, import each other in one direction only, also late, in a function."""
    _, found, rest = broken[CIRCULAR].partition(f"No cycles are allowed in draftengine.{room}.\n")
    assert found
    assert f"- {circle} (1 import)" in rest.partition("No cycles")[0]


def test_no_game_in_the_source():
    """A game is data: nothing under ``src`` names a card of one, be it in an example or a docstring."""
    files = [path for path in sorted(SOURCE.rglob("*")) if path.is_file() and "__pycache__" not in path.parts]
    assert files
    assert [path for path in files if GAME_WORD.search(path.name)] == []
    found = [f"{path.relative_to(ROOT)}:{line}" for path in files for line in game_words(path.read_text("utf-8"))]
    assert not found, "\n".join(found)


CLASS = re.compile(r"^class ([A-Za-z]\w*)", re.MULTILINE)
OF_EACH_MODULE = {"Numbers", "Spec"}
"""Every rule kind and every verb, which is a module, has its own."""


def twice_in_a_room(package: Path) -> list[str]:
    """The public classes of which a room has two with one name."""
    found = Counter(
        f"{path.relative_to(package).parts[0]}: {name}"
        for path in sorted(package.glob("*/**/*.py"))
        for name in CLASS.findall(path.read_text("utf-8"))
        if name not in OF_EACH_MODULE
    )
    return [name for name, times in found.items() if times > 1]


def test_a_name_means_one_thing_in_a_room():
    """Whoever reads a room meets one class of a name there."""
    assert twice_in_a_room(SOURCE / "draftengine") == []


def test_a_name_that_means_two_things_is_found(tmp_path):
    """Also in folders of a room; the like names of two rooms may stay."""
    for where in ["one/first.py", "one/inner/second.py", "two/third.py"]:
        (tmp_path / where).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / where).write_text("class Same:\n    pass\n\n\nclass _Same:\n    pass\n")
    assert twice_in_a_room(tmp_path) == ["one: Same"]


LEANING = re.compile(r"The same(?:[,.:]| (?:as|at|by|for|from|in|inside|of|up|where|with|without)\b)")


def leaning(text: str) -> list[str]:
    """The docstrings of a module, and strings below its names, that are understood only after what stands before."""
    nodes = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Expr)]
    strings = [(node.lineno, node.value.value) for node in nodes if isinstance(node.value, ast.Constant)]
    return [f"{line}: {own}" for line, own in strings if isinstance(own, str) and LEANING.match(own)]


def test_every_docstring_can_be_read_alone():
    """“The same for one of them” says nothing to whoever reads only that; “The same request …” does."""
    files = sorted(SOURCE.rglob("*.py"))
    found = [f"{path.relative_to(ROOT)}:{line}" for path in files for line in leaning(path.read_text("utf-8"))]
    assert not found, "\n".join(found)


@pytest.mark.parametrize("said", ["The same.", "The same, as a key does it.", "The same in one of them."])
def test_a_docstring_that_leans_on_another_is_found(said):
    """Below a name, in a function, and in a class."""
    assert leaning(f'"""{said}"""') == [f"1: {said}"]
    assert leaning(f'A = 1\n"""{said}"""') == [f"2: {said}"]
    assert leaning(f'class A:\n    def f():\n        """{said}"""') == [f"3: {said}"]


@pytest.mark.parametrize("said", ["The same request has the same key.", "Nothing but the same in other words."])
def test_a_docstring_that_says_something_may_speak_of_the_same(said):
    """What stands behind “the same” may be the content."""
    assert leaning(f'"""{said}"""') == []


@pytest.mark.parametrize("text", ["/cards/maki_1/count", "SUSHI_GO", "two Puddings", "openWasabi", "x = 'maki'"])
def test_a_game_word_is_found(text):
    """Game words are found in any case and within names."""
    assert game_words(f"first\n{text}") == [f"2: {text}"]


@pytest.mark.parametrize("text", ["making a game", "remaking it", "makings"])
def test_other_words_are_not_game_words(text):
    """English words that only look alike may stay."""
    assert game_words(text) == []


def test_the_picture_of_the_house_is_that_of_the_contract():
    """`docs/architecture.md` shows every room, each on its floor."""
    contract = (ROOT / "pyproject.toml").read_text("utf-8").partition("layers = [")[2].partition("]")[0]
    floors = [set(re.findall(r"[a-z]\w*", own)) for own in LAYER.findall(contract)][1:]
    picture = (ROOT / "docs/architecture.md").read_text("utf-8").partition("```text\n")[2].partition("```")[0]
    lines = [own.partition("│")[2] for own in picture.splitlines() if "│" in own]
    rooms = set().union(*floors)
    assert [set(re.split(r"\s{3,}", own.strip())) & rooms for own in lines] == floors
