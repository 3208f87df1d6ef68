"""The wheel, installed away from any checkout: complete, and able to play, score, check and print.

It is built and unpacked without a network. It uses the installed packages of the tests, but not the checkout.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import venv
import zipfile
from pathlib import Path

import pytest
import typer

ROOT = Path(__file__).parents[1]
FOLDERS = {
    "src/draftengine": "draftengine",
    "cardsets": "draftengine/cardsets",
    "learnt": "draftengine/learnt",
    "schemas": "draftengine/schemas",
}
"""Folders that go into a wheel, and where they are in it."""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """Build the wheel and return it."""
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    (file,) = folder.glob("*.whl")
    return file


@pytest.fixture(scope="module")
def installed(wheel, tmp_path_factory):
    """Return a function that runs an installed command without the checkout, and returns its output."""
    folder = tmp_path_factory.mktemp("elsewhere")
    venv.create(folder / "venv")
    python = folder / "venv" / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    where = "import sysconfig; print(sysconfig.get_path('purelib'))"
    site = Path(subprocess.run([python, "-c", where], capture_output=True, text=True, check=True).stdout.strip())
    zipfile.ZipFile(wheel).extractall(site)
    (site / "dependencies.pth").write_text(str(Path(typer.__file__).parents[1]), encoding="utf-8")
    env = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    env |= {"XDG_CACHE_HOME": str(folder), "XDG_DATA_HOME": str(folder), "NO_COLOR": "1"}

    def run(*arguments, stdin=""):
        done = subprocess.run(
            [python, *arguments], cwd=folder, env=env, input=stdin, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    return run


def test_everything_is_in_it(wheel):
    """Check that the wheel has every file that the program needs, and no other."""
    expected = {
        f"{target}/{file.relative_to(ROOT / source).as_posix()}"
        for source, target in FOLDERS.items()
        for file in (ROOT / source).rglob("*")
        if file.is_file() and "__pycache__" not in file.parts
    }
    found = {name for name in zipfile.ZipFile(wheel).namelist() if ".dist-info/" not in name}
    assert found == expected
    assert {"draftengine/cardsets/sushi_go.yaml", "draftengine/schemas/cardset.schema.json"} < found


def test_it_is_not_the_checkout(installed):
    place = installed("-c", "import draftengine; print(draftengine.__file__)")
    assert not Path(place.strip()).is_relative_to(ROOT)
    assert "site-packages" in place


def test_its_commands_work(installed):
    """Check that a game can be played, tables scored, card sets listed and checked, and schemas printed."""

    def command(*arguments, stdin=""):
        return json.loads(installed("-m", "draftengine", *arguments, stdin=stdin))

    house_rules = {file.stem for file in (ROOT / "cardsets" / "house").glob("*.yaml")}
    games = {file.stem for room in ("", "more") for file in (ROOT / "cardsets" / room).glob("*.yaml")}
    assert {own["id"] for own in command("list", "--json")} == games
    assert {own["id"]: own["extends"] for own in command("list", "--house", "--json")}.keys() == house_rules
    played = command("play", "sushi_go", "--players", "2", "--seed", "1", "--auto", "--json")
    assert len(played["scores"]) == 2
    tables = '{"tables": [["tempura", "tempura"], ["sashimi"]]}'
    assert command("score", "sushi_go", "--input", "-", "--json", stdin=tables)["total"] == [5, 0]
    assert command("validate", "anniversary", "--json")["files"][0]["valid"]
    assert command("schema") == json.loads((ROOT / "schemas" / "cardset.schema.json").read_text(encoding="utf-8"))


def test_what_bots_have_learnt_comes_along(installed):
    """Check that the shipped worth tables are in the wheel, so no shipped game has to be learnt."""
    program = "import draftengine as de; from draftengine.bots.worth.tables import is_learned as known"
    print_it = (
        "print([known(de.load(own, players=2).program) for own in ('sushi_go', 'anniversary', 'party_cutthroat')])"
    )
    assert installed("-c", f"{program}; {print_it}").strip() == "[True, True, True]"


def test_the_command_has_a_name(wheel):
    file = zipfile.ZipFile(wheel)
    (points,) = [name for name in file.namelist() if name.endswith("entry_points.txt")]
    assert "draftengine = draftengine.__main__:start" in file.read(points).decode()
