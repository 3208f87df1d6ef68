"""From an idea to a checked file: ``new``, ``validate --fix`` and ``validate --watch``."""

from __future__ import annotations

import os
import subprocess
import threading
import time

import pytest
import yaml

from commands import processes
from conftest import NIGHTLY
from draftengine.model.shelf import shipped

HOUSE_RULE = """\
# A house rule
format: 1
id: house
extends: sushi_go
title: At home
version: 1.0.0
cards:
  menu: null      # of an older version
  chopsticks: {count: "8"}
scoring:
  dumpling: {points: [1, 3, 6, 10, 16]}
  sashmi: {points: 12}
  maki: {of: maki_icon + gaind(tempura)}
  tempura: {of: maki_4}
"""


EXTENDED = sorted(shipped()) if NIGHTLY else ["sushi_go", "tides_of_time"]


@pytest.mark.parametrize("flags", [(), ("--players", "1-12"), *(("--extends", name) for name in EXTENDED)])
def test_new_files_are_valid(draftengine, tmp_path, flags):
    """Check that `new` writes a valid file with a passing scenario and the published schema."""
    made = draftengine("new", "orchard", *flags)
    assert made.status == 0, made.err
    checked = draftengine("validate", "orchard.yaml")
    assert checked.out == "orchard.yaml: no problems\n", checked.err
    assert draftengine("test", "orchard_tests.yaml").status == 0
    text = (tmp_path / "orchard.yaml").read_text(encoding="utf-8")
    assert text.startswith("# yaml-language-server: $schema=cardset.schema.json\n")
    assert (tmp_path / "cardset.schema.json").read_text(encoding="utf-8") == draftengine("schema").out
    assert yaml.safe_load(text)["id"] == "orchard"


def test_new_overwrites_nothing(draftengine, tmp_path):
    (tmp_path / "mine_tests.yaml").write_text("mine", encoding="utf-8")
    refused = draftengine("new", "mine")
    assert refused.status == 2
    assert "already exists" in refused.err
    assert not (tmp_path / "mine.yaml").exists()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("new", "My Game"), "my_game"),
        (("new", "mine", "--extends", "sushi_goo"), "Did you mean “sushi_go”?"),
        (("new", "mine", "--players", "many"), "2-5"),
        (("new", "mine", "--players", "9-3"), "Write “3-9”."),
        (("validate", "-", "--fix"), "--fix needs a file"),
        (("validate", "sushi_go", "--watch"), "--watch needs a file"),
    ],
)
def test_what_makes_no_sense_is_said(draftengine, words, said):
    refused = draftengine(*words)
    assert refused.status == 2
    assert said in refused.err


def test_what_is_certain_is_mended(draftengine, tmp_path):
    """Check that --fix mends slips, quotes and lines without effect; doubtful places stay."""
    file = tmp_path / "house.yaml"
    file.write_text(HOUSE_RULE, encoding="utf-8")
    mended = draftengine("validate", "house.yaml", "--fix")
    assert mended.status == 1, "maki_4 could be any of three"
    text = file.read_text(encoding="utf-8")
    assert text == HOUSE_RULE.replace("  menu: null      # of an older version\n", "").replace('"8"', "8").replace(
        "sashmi:", "sashimi:"
    ).replace("maki_icon +", "maki_icons +").replace("gaind", "gained")
    assert "“gaind” is now “gained”" in mended.err
    assert "maki_4" in mended.err
    before = file.stat().st_mtime_ns
    draftengine("validate", "house.yaml", "--fix")
    assert file.stat().st_mtime_ns == before, "nothing to mend, nothing written"


@pytest.mark.skipif(os.name == "nt", reason="waits for lines of a process that is interrupted")
@pytest.mark.night
def test_watching(tmp_path, environment):
    """Check that `--watch` checks every save, simulates changed rules, and names the bots."""
    file = tmp_path / "house.yaml"
    good = HOUSE_RULE.partition("cards:")[0] + "cards:\n  chopsticks: {count: 8}\n"
    file.write_text(good, encoding="utf-8")
    process = processes.start(
        *("validate", "house.yaml", "--watch"),
        cwd=tmp_path,
        env={**environment, "PYTHONUNBUFFERED": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
    )
    lines = []
    reader = threading.Thread(target=lambda: lines.extend(iter(process.stdout.readline, "")))
    reader.start()

    def wait_for(part):
        for _ in range(600):
            if any(part in line for line in lines):
                return
            time.sleep(0.1)
        pytest.fail(f"{part} was not said: {lines}")

    try:
        wait_for("Watching")
        file.write_text(good.replace("chopsticks", "chopstiks").replace("count", "cuont"), encoding="utf-8")
        wait_for("house.yaml: 1 error")
        file.write_text(good + "scoring:\n  tempura: {points: 9}\n", encoding="utf-8")
        wait_for("+ Each set of 2 tempura scores 9 points.")
        wait_for("In 200 games of 3 greedy bots with the same seeds")
        wait_for("Tempura gives more: ")
        wait_for("Mind who played: greedy looks only at the points that a move brings at once.")
        if NIGHTLY:
            file.write_text(good + "scoring:\n  tempura: {points: 9 if players > 2 else 8}\n", encoding="utf-8")
            wait_for("In 200 games of 2 greedy bots with the same seeds")
        assert not any("No difference" in line for line in lines), "an exception is played where it holds"
    finally:
        process.terminate()
        reader.join()
        process.wait()
        process.stdout.close()
