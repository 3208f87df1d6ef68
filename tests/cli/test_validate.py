"""``draftengine validate``: findings for people and for programs, and exit statuses."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from draftengine.apps.cli.main import COMMANDS

SOURCE = Path(__file__).parents[2] / "src"

MISTAKES = {
    "a typo in a key": (("count: 14, text: Two", "coutn: 14, text: Two"), "unknown-key", 8),
    "a rule about nothing": (("of: bread, points: 1", "of: braed, points: 1"), "unknown-name", 24),
    "a deck that runs out": (("cards: 5}", "cards: 10}"), "deck-runs-out", 14),
    "an example that fails": (("soup: [5, 0]", "soup: [6, 0]"), "example-fails", 37),
    "an example without sense": (("[soup]]", "[soop]]"), "example-invalid", 36),
    "a tab": (("rounds: 2", "rounds:\t2"), None, 6),
    "a key that stands twice": (("rounds: 2", "rounds: 2\nrounds: 3"), "duplicate-key", 7),
    "an overlay that patches nothing": (("hand_on: {pass", "hand_off: {pass"), None, 31),
}


def test_no_other_command_is_imported():
    """Check that a command imports neither others nor checks, which take longer than a kept answer."""
    code = (
        "import sys; from draftengine.apps.cli.main import program; program('validate')\n"
        "print(*(name for name in sys.modules if name.startswith('draftengine.')))"
    )
    process = subprocess.run(
        [sys.executable, "-c", code], check=True, capture_output=True, encoding="utf-8", cwd=SOURCE
    )
    loaded = set(process.stdout.split())
    commands = {where.partition(":")[0] for where in COMMANDS.values()}
    assert loaded & commands == {"draftengine.apps.cli.validate"}
    assert loaded.isdisjoint({"draftengine.model.library", "draftengine.model.checks", "draftengine.model.loading"})


def test_checking_imports_nothing_that_it_does_not_need():
    """Check that a valid card set is checked without importing schemas, bots or numpy."""
    code = (
        "import sys, atexit; from draftengine.apps.cli.main import run; sys.argv[1:] = ['validate', 'sushi_go']\n"
        "atexit.register(lambda: print(*sys.modules)); run()"
    )
    process = subprocess.run(
        [sys.executable, "-c", code], check=True, capture_output=True, encoding="utf-8", cwd=SOURCE
    )
    loaded = set(process.stdout.split())
    own = {name.split(".")[1] for name in loaded if name.startswith("draftengine.")}
    assert own.isdisjoint({"bots", "compiled", "searching", "simulation", "serve", "tui"}), own
    assert loaded.isdisjoint({"jsonschema", "numpy", "llvmlite", "multiprocessing", "asyncio", "rich"})


@pytest.mark.parametrize("cardset", ["sushi_go", "sushi_go_2014", "sushi_go_summary"])
def test_the_shelf_is_valid(draftengine, cardset):
    finished = draftengine("validate", cardset)
    assert (finished.status, finished.out, finished.err) == (0, f"{cardset}: no problems\n", "")


@pytest.mark.parametrize(("change", "code", "line"), MISTAKES.values(), ids=MISTAKES)
def test_mistakes_are_located(draftengine, soups, tmp_path, change, code, line):
    """Check file, line and column, a caret below the place, and the exit status of an error."""
    assert change[0] in soups
    (tmp_path / "soups.yaml").write_text(soups.replace(*change), encoding="utf-8")
    finished = draftengine("validate", "soups.yaml")
    assert finished.status == 1
    assert f"soups.yaml:{line}:" in finished.err
    assert code is None or f"error[{code}]" in finished.err
    assert "^" in finished.err
    assert finished.out.startswith("soups.yaml: 1 error")


def test_who_has_a_mistake_is_said(draftengine):
    """Check that a mistake in one variant or parameter value only is not blamed on the base game."""
    finished = draftengine("validate", str(Path(__file__).with_name("harvest.yaml")))
    assert finished.status == 0
    for said in (
        "harvest.yaml:38:5: warning[deck-runs-out]: With hand_size=40 and 2 players (and with 3): The deal needs 80",
        "harvest.yaml:47:5: warning[zone-misuse]: With the variant “all_at_once”: This move never moves a card",
    ):
        assert said in finished.err
    assert finished.err.count("warning[") == 2


def test_a_mistake_of_a_variant_alone_is_one(draftengine, soups, tmp_path):
    """Check that a variant that cannot be played is an error, and is named."""
    text = soups.replace("- {deal: {to: hand, cards: 5}}", "- {deal: {to: hand, cards: 5}, id: dealt}")
    text = text.replace("{hand_on: {pass: {to: right}}}", "{dealt: {deal: {cards: 30}}}")
    (tmp_path / "soups.yaml").write_text(text, encoding="utf-8")
    finished = draftengine("validate", "soups.yaml")
    assert finished.status == 1
    assert "With the variant “to_the_right” and 2 players (and with 3, 4): The deal needs" in finished.err
    for command in (["play", "--auto"], ["simulate", "-n", "2"], ["show"], ["rules"]):
        other = draftengine(command[0], "soups.yaml", *command[1:])
        assert (other.status, other.out) == (1, ""), command
        assert other.err == finished.err, command


def test_json(draftengine, soups, tmp_path):
    """Check that JSON is one document for all files, with the documented keys."""
    (tmp_path / "wrong.yaml").write_text(
        soups.replace("count: 14, text: Two", "coutn: 14, text: Two"), encoding="utf-8"
    )
    for way in (["--json"], ["--format", "json"]):
        finished = draftengine("validate", "wrong.yaml", "sushi_go", *way)
        assert finished.status == 1
        assert finished.err == ""
        wrong, right = finished.json["files"]
        assert (right["path"], right["valid"], right["diagnostics"]) == ("sushi_go", True, [])
        (found,) = wrong["diagnostics"]
        assert not wrong["valid"]
        assert {"code", "severity", "message", "line", "column", "path", "hint"} <= found.keys()
        assert (found["code"], found["line"], found["column"]) == ("unknown-key", 8, 10)


def test_sarif(draftengine, soups, tmp_path):
    (tmp_path / "wrong.yaml").write_text(
        soups.replace("count: 14, text: Two", "coutn: 14, text: Two"), encoding="utf-8"
    )
    finished = draftengine("validate", "wrong.yaml", "--format", "sarif")
    (run,) = finished.json["runs"]
    (result,) = run["results"]
    assert finished.status == 1
    assert result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == "wrong.yaml"


def test_standard_input(draftengine, soups):
    assert draftengine("validate", "-", stdin=soups).status == 0
    finished = draftengine("validate", "-", stdin=soups.replace("rounds: 2", "rounds: two"))
    assert finished.status == 1
    assert "<stdin>:6:9" in finished.err


@pytest.mark.parametrize(
    "content",
    [b"", b"\xff\xfe", b"\x00" * 10, b"[" * 5000, b"a: &a [*a]", b"{}", b"- 1", "é".encode("latin-1"), b"x" * 300_000],
    ids=["empty", "another encoding", "zeros", "deep", "an alias", "nothing in it", "a list", "latin-1", "too large"],
)
def test_hostile_files(draftengine, content):
    """Check that any bytes give an error with a place, never a traceback."""
    finished = draftengine("validate", "-", "--json", stdin=content)
    (file,) = finished.json["files"]
    assert finished.status == 1
    assert all(found["line"] >= 1 and found["column"] >= 1 for found in file["diagnostics"])
    assert file["diagnostics"]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="pipes with a name")
def test_a_pipe(draftengine, soups, tmp_path):
    """Check a pipe such as ``<(cat my_game.yaml)``, which can be read only once."""
    for command in ("validate", "test"):
        os.mkfifo(tmp_path / f"{command}.pipe")
        writer = threading.Thread(target=(tmp_path / f"{command}.pipe").write_text, args=(soups, "utf-8"))
        writer.start()
        finished = draftengine(command, f"{command}.pipe")
        writer.join()
        assert finished.status == 0, finished.err


def test_json_as_programs_write_it(draftengine):
    """Check that JSON from `show --json` is a card set, also with all characters escaped."""
    shown = draftengine("show", "sushi_go", "--json").out
    assert "🍤" in shown
    assert draftengine("validate", "-", stdin=shown).status == 0
    escaped = json.dumps(json.loads(shown))
    assert "\\ud83c\\udf64" in escaped
    assert draftengine("validate", "-", stdin=escaped).status == 0
    assert draftengine("show", "-", "--json", stdin=escaped).out == shown


def test_files_are_utf_8_wherever_they_are_written(draftengine):
    """Check that files are UTF-8 in any locale; a limited one shows question marks on its terminal only."""
    legacy = {"PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "LC_ALL": "C"}
    for form in ("--yaml", "--json"):
        assert draftengine("show", "sushi_go", form, **legacy).out == draftengine("show", "sushi_go", form).out


def test_a_file_that_is_not_there(draftengine):
    finished = draftengine("validate", "nowhere.yaml")
    assert finished.status == 2
    assert "nowhere.yaml" in finished.err


def test_no_colors_in_a_pipe(draftengine, soups):
    finished = draftengine("validate", "-", stdin=soups.replace("rounds: 2", "rounds: two"))
    assert "\x1b" not in finished.err


def test_every_code_is_explained(draftengine):
    """Check that `explain` lists the codes and explains each code of a finding."""
    listed = [line.split()[0] for line in draftengine("explain").out.splitlines()]
    assert "unknown-key" in listed
    data = draftengine("explain", "--json").json["codes"]
    assert [own["code"] for own in data] == listed
    assert draftengine("explain", listed[0], "--json").json == data[0]
    assert all(own["severity"] and own["title"] and own["explanation"] for own in data)
    explained = draftengine("explain", "unknown-key")
    assert explained.status == 0
    assert "Wrong:" in explained.out
    assert "Right:" in explained.out
    unknown = draftengine("explain", "unknown-kye")
    assert unknown.status == 2
    assert "unknown-key" in unknown.err


def test_the_published_schemas(draftengine):
    """Check that the schema files in the checkout are what the program prints."""
    for kind in ("cardset", "scenarios", "tables"):
        published = (Path(__file__).parents[2] / "schemas" / f"{kind}.schema.json").read_text(encoding="utf-8")
        assert draftengine("schema", kind).out == published, "make docs writes it again"
        assert json.loads(published)["title"]
