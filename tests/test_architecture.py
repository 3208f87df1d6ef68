"""The shape of the source: imports point one way, the core is pure, and no game is known.

Two files hold the contracts: ``pyproject.toml`` counts imports for types, ``tests/runtime_imports.toml`` does not.
"""

from __future__ import annotations

import ast
import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections import Counter
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "src"
WITH_TYPES = ROOT / "pyproject.toml"
AT_RUN_TIME = ROOT / "tests" / "runtime_imports.toml"

PACKAGES = ["apps", "studies", "render", "bots", "api", "engine", "model", "jit", "support"]
"""Packages in the order of the contract, top layer first."""

PLANTED = {
    WITH_TYPES: [
        # Packages.
        ("support/source.py", "import draftengine.jit", "packages"),
        ("jit/__init__.py", "import draftengine.model", "packages"),
        ("model/__init__.py", "import draftengine.engine", "packages"),
        ("engine/game.py", "import draftengine.api", "packages"),
        ("api/game.py", "import draftengine.bots", "packages"),
        ("bots/__init__.py", "import draftengine.render.svg", "packages"),
        ("render/__init__.py", "import draftengine.studies.public", "packages"),
        ("studies/__init__.py", "import draftengine.apps.cli", "packages"),
        ("engine/moves.py", "def f():\n    import draftengine.bots.catalogue", "packages"),
        ("engine/events.py", "if TYPE_CHECKING:\n    from draftengine.api.state import State", "packages"),
        ("annex/__init__.py", "", "packages"),
        # The model.
        ("model/diagnostics/suggest.py", "import draftengine.model.yaml.tree", "model"),
        ("model/yaml/tree.py", "import draftengine.model.language.tree", "model"),
        ("model/language/environment.py", "import draftengine.model.records.reader", "model"),
        ("model/records/reader.py", "import draftengine.model.rules", "model"),
        ("model/rules/kind.py", "import draftengine.model.verbs", "model"),
        ("model/verbs/dealing.py", "import draftengine.model.cardset.facts", "model"),
        ("model/cardset/pieces.py", "import draftengine.model.flow", "model"),
        ("model/flow/tally.py", "import draftengine.model.loading.texts", "model"),
        ("model/loading/texts.py", "import draftengine.model.schema.validate", "model"),
        ("model/schema/validate.py", "import draftengine.model.checks", "model"),
        ("model/checks/names.py", "import draftengine.model.selection.overlays", "model"),
        ("model/selection/menus.py", "import draftengine.model.library", "model"),
        ("model/cardset/amounts.py", "if TYPE_CHECKING:\n    from draftengine.model.flow import Plan", "model"),
        ("model/annex.py", "", "model"),
        # The programs for people.
        ("apps/play/board.py", "import draftengine.apps.terminal", "apps"),
        ("apps/web/hub.py", "import draftengine.apps.cli.errors", "apps"),
        ("apps/tui/app.py", "import draftengine.apps.web.table", "apps"),
        ("apps/play/journal.py", "import draftengine.engine.observe", "front-ends"),
        ("apps/web/table.py", "import draftengine.jit", "front-ends"),
        ("apps/tui/hand.py", "if TYPE_CHECKING:\n    from draftengine.engine.state import State", "front-ends"),
        # The specialiser.
        ("jit/specializer.py", "import draftengine.support.source", "jit"),
        ("jit/python_backend.py", "import draftengine.support.processes", "jit"),
        # The pure core.
        ("support/source.py", "import os", "pure"),
        ("support/locale/catalogue.py", "import datetime", "pure"),
        ("model/language/check.py", "import time", "pure"),
        ("model/rules/sets.py", "from random import shuffle", "pure"),
        ("model/cardset/facts.py", "import socket", "pure"),
        ("model/library.py", "import urllib", "pure"),
        ("engine/chance.py", "import secrets", "pure"),
        ("engine/forms.py", "import subprocess", "pure"),
        ("bots/search/playouts.py", "import time", "pure"),
        ("bots/exact/__init__.py", "import multiprocessing", "pure"),
        ("render/faces/full.py", "import typer", "pure"),
        ("render/svg.py", "import sys", "pure"),
    ],
    AT_RUN_TIME: [],
}
"""For each file of contracts: a module, a forbidden import, and the contract that it breaks.

With an empty import, planting the module alone breaks the contract, because no layer lists it.
"""

CYCLES = [
    ("apps/play/saved.py", "import draftengine.apps.play.journal", "apps.play", ".saved -> .journal"),
    ("studies/report/moments.py", "import draftengine.studies.simulation.words", "studies", ".report -> .simulation"),
    ("engine/plan/zones.py", "def f():\n    import draftengine.engine.kernel.zones", "engine", ".plan -> .kernel"),
]
"""A module, an import that closes a cycle there, the package, and the edge that makes the cycle."""

GAME_WORD = re.compile(
    "chopstick|dumpling|edamame|gyoza|ikura|maki(?!ng)|mochi|nigiri|pudding|sashimi|sushi|tamago|tempura|wasabi",
    re.IGNORECASE,
)


def check_imports(contracts: Path, source: Path) -> subprocess.CompletedProcess[str]:
    """Check the package in the folder `source` against the file `contracts`."""
    return subprocess.run(
        [
            *(sys.executable, "-c", "from importlinter.cli import lint_imports_command as run; run()"),
            *("--no-logo", "--no-cache", str(contracts)),
        ],
        cwd=source,
        env=os.environ | {"PYTHONPATH": str(source)},
        capture_output=True,
        text=True,
        check=False,
    )


def settings(contracts: Path) -> dict:
    return tomllib.loads(contracts.read_text("utf-8"))["tool"]["importlinter"]


def contracts_in(contracts: Path) -> dict[str, dict]:
    """Return the contracts of a file by id."""
    return {contract["id"]: contract for contract in settings(contracts)["contracts"]}


def game_words(text: str) -> list[str]:
    """Return the lines of `text` that contain a word of a known game, with their numbers."""
    return [f"{number}: {line}" for number, line in enumerate(text.splitlines(), 1) if GAME_WORD.search(line)]


@pytest.mark.parametrize("contracts", [WITH_TYPES, AT_RUN_TIME], ids=lambda path: path.stem)
def test_contracts_hold(contracts):
    """Check that the package keeps every contract."""
    result = check_imports(contracts, SOURCE)
    assert result.returncode == 0, result.stdout + result.stderr
    for contract in contracts_in(contracts).values():
        assert f"{contract['name']} KEPT" in result.stdout


def plant(package: Path, where: str, line: str) -> None:
    """Append a line to a module of a copy of the package."""
    path = package / where
    path.parent.mkdir(exist_ok=True)
    before = path.read_text(encoding="utf-8") if path.exists() else ""
    path.write_text(f"{before}\n\n{line}\n", encoding="utf-8")


@pytest.fixture(scope="module")
def broken(tmp_path_factory):
    """Return the report on each contract after all forbidden imports were planted in a copy."""
    folder = tmp_path_factory.mktemp("planted")
    package = folder / "draftengine"
    shutil.copytree(SOURCE / "draftengine", package, ignore=shutil.ignore_patterns("__pycache__"))
    for where, line, *_ in (*PLANTED[WITH_TYPES], *PLANTED[AT_RUN_TIME], *CYCLES):
        plant(package, where, line)
    reports = {}
    for contracts in PLANTED:
        result = check_imports(contracts, folder)
        assert result.returncode == 1, result.stdout + result.stderr
        names = {contract["name"]: key for key, contract in contracts_in(contracts).items()}
        parts = re.split(r"\n([^\n]+)\n---+\n", result.stdout.partition("Broken contracts")[2])
        reports |= {(contracts, names[name]): text for name, text in zip(parts[1::2], parts[2::2], strict=True)}
    return reports


@pytest.mark.parametrize(
    ("contracts", "where", "line", "contract"),
    [
        pytest.param(contracts, *case, id=f"{contracts.stem} {case[0]} {case[1]}")
        for contracts, cases in PLANTED.items()
        for case in cases
    ],
)
def test_a_forbidden_import_is_caught(broken, contracts, where, line, contract):
    """Check that each planted import is reported, by module and line.

    A contract that lets one pass guards nothing.
    """
    module = "draftengine." + where.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
    report = re.sub(r"\s+", " ", broken[contracts, contract])
    if line:
        imported = re.search(r"(?:import|from) (draftengine[\w.]*|\w+)", line)[1]
        assert re.search(rf"\b{re.escape(module)} -> {re.escape(imported)} \([^)]*l\.\d+", report)
    else:
        assert f"- {module} " in report


@pytest.mark.parametrize(("where", "line", "package", "edge"), CYCLES)
def test_a_cycle_is_caught(broken, where, line, package, edge):
    """Check that modules and packages import siblings in one direction only, also late, in a function."""
    _, name, report = broken[AT_RUN_TIME, "cycles"].partition(f"No cycles are allowed in draftengine.{package}.\n")
    assert name
    assert f"- {edge} (" in report.partition("No cycles")[0]


def test_every_contract_was_seen_to_fail():
    """Check that every contract has a planted import, and both files report unmatched exceptions."""
    for contracts, cases in PLANTED.items():
        seen = {case[2] for case in cases} | ({"cycles"} if contracts == AT_RUN_TIME else set())
        assert set(contracts_in(contracts)) == seen
        for contract in contracts_in(contracts).values():
            assert contract.get("unmatched_ignore_imports_alerting", "error") == "error"
    assert settings(WITH_TYPES)["exclude_type_checking_imports"] is False
    assert settings(AT_RUN_TIME)["exclude_type_checking_imports"] is True


def test_a_stale_exception_is_caught(tmp_path):
    """Check that an exception for an import that is gone is an error, so the list can only shrink."""
    contracts = tmp_path / "contracts.toml"
    entry = "draftengine.api.phrasing.events -> draftengine.apps.web.hub"
    text = AT_RUN_TIME.read_text("utf-8").replace("ignore_imports = [", f'ignore_imports = [\n    "{entry}",', 1)
    contracts.write_text(text, encoding="utf-8")
    result = check_imports(contracts, SOURCE)
    assert result.returncode == 1
    assert entry in re.sub(r"\s+", " ", result.stdout)


def test_the_specialiser_may_use_files_and_caches_only():
    """Check that all other modules of `support`, new ones included, are forbidden to the specialiser."""
    modules = {path.stem for path in (SOURCE / "draftengine" / "support").iterdir() if not path.name.startswith("__")}
    forbidden = contracts_in(WITH_TYPES)["jit"]["forbidden_modules"]
    assert {name.rpartition(".")[2] for name in forbidden} == modules - {"files", "caches"}


def test_the_top_of_the_package():
    """Check that the package contains nine packages and the public names, nothing else."""
    entries = {path.name for path in (SOURCE / "draftengine").iterdir()} - {"__pycache__"}
    assert entries == {*PACKAGES, "__init__.py", "__main__.py", "py.typed"}
    assert contracts_in(WITH_TYPES)["packages"]["layers"] == ["(__main__)", *PACKAGES]


def test_no_game_in_the_source():
    """Check that nothing under ``src`` names a card of a game, not even in an example or a docstring."""
    files = [path for path in sorted(SOURCE.rglob("*")) if path.is_file() and "__pycache__" not in path.parts]
    assert files
    assert [path for path in files if GAME_WORD.search(path.name)] == []
    found = [f"{path.relative_to(ROOT)}:{line}" for path in files for line in game_words(path.read_text("utf-8"))]
    assert not found, "\n".join(found)


CLASS = re.compile(r"^class ([A-Za-z]\w*)", re.MULTILINE)
OF_EACH_MODULE = {"Numbers", "Spec"}
"""Names that each rule kind and each verb defines in its own module."""


def duplicates(package: Path) -> list[str]:
    """Return the public class names that occur twice in a subpackage, or among modules beside them."""
    counts = Counter(
        f"{'/'.join(path.relative_to(package).parent.parts[:2])}: {name}"
        for path in sorted(package.glob("*/**/*.py"))
        for name in CLASS.findall(path.read_text("utf-8"))
        if name not in OF_EACH_MODULE
    )
    return [name for name, times in counts.items() if times > 1]


def test_a_name_means_one_thing_in_a_subpackage():
    """Check that no two public classes of a subpackage have one name."""
    assert duplicates(SOURCE / "draftengine") == []


def test_a_name_that_means_two_things_is_found(tmp_path):
    """Check that duplicates are found in deeper folders too, and that two subpackages may share a name."""
    for where in ["one/two/first.py", "one/two/inner/second.py", "one/three/third.py"]:
        (tmp_path / where).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / where).write_text("class Same:\n    pass\n\n\nclass _Same:\n    pass\n")
    assert duplicates(tmp_path) == ["one/two: Same"]


LEANING = re.compile(r"The same(?:[,.:]| (?:as|at|by|for|from|in|inside|of|up|where|with|without)\b)")


def leaning(text: str) -> list[str]:
    """Return the docstrings of a module that make sense only after the text before them."""
    nodes = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Expr)]
    strings = [(node.lineno, node.value.value) for node in nodes if isinstance(node.value, ast.Constant)]
    return [f"{line}: {own}" for line, own in strings if isinstance(own, str) and LEANING.match(own)]


def test_every_docstring_can_be_read_alone():
    """Check that no docstring leans on another: “The same for one of them” alone says nothing."""
    files = sorted(SOURCE.rglob("*.py"))
    found = [f"{path.relative_to(ROOT)}:{line}" for path in files for line in leaning(path.read_text("utf-8"))]
    assert not found, "\n".join(found)


@pytest.mark.parametrize("said", ["The same.", "The same, as a key does it.", "The same in one of them."])
def test_a_docstring_that_leans_on_another_is_found(said):
    """Check that leaning docstrings are found below a name, in a function, and in a class."""
    assert leaning(f'"""{said}"""') == [f"1: {said}"]
    assert leaning(f'A = 1\n"""{said}"""') == [f"2: {said}"]
    assert leaning(f'class A:\n    def f():\n        """{said}"""') == [f"3: {said}"]


@pytest.mark.parametrize("said", ["The same request has the same key.", "Nothing but the same in other words."])
def test_a_docstring_that_says_something_may_speak_of_the_same(said):
    """Check that “the same” followed by content is accepted."""
    assert leaning(f'"""{said}"""') == []


@pytest.mark.parametrize("text", ["/cards/maki_1/count", "SUSHI_GO", "two Puddings", "openWasabi", "x = 'maki'"])
def test_a_game_word_is_found(text):
    """Check that game words are found in any case and within names."""
    assert game_words(f"first\n{text}") == [f"2: {text}"]


@pytest.mark.parametrize("text", ["making a game", "remaking it", "makings"])
def test_other_words_are_not_game_words(text):
    """Check that English words that only resemble game words are accepted."""
    assert game_words(text) == []


def test_the_picture_shows_the_packages_of_the_contract():
    """Check that `docs/pictures/packages.svg` shows every package with its subpackages, in contract order."""
    picture = (ROOT / "docs" / "pictures" / "packages.svg").read_text("utf-8")
    packages: dict[str, set[str]] = {}
    for kind, text in re.findall(r'class="(name|parts)"[^>]*>([^<]+)<', picture):
        if kind == "name":
            package = packages.setdefault(text, set())
        else:
            package.update(text.split(" · "))
    assert list(packages) == PACKAGES
    for name, parts in packages.items():
        folders = (SOURCE / "draftengine" / name).glob("*/__init__.py")
        assert parts == {path.parent.name for path in folders}


def test_the_guide_names_the_packages_of_the_contract():
    """Check that `docs/architecture.md` has a row for every package, in contract order, and the picture."""
    text = (ROOT / "docs" / "architecture.md").read_text("utf-8")
    assert re.findall(r"^\| \*\*`(\w+)`\*\* \|", text, re.MULTILINE) == PACKAGES
    assert "](pictures/packages.svg)" in text
