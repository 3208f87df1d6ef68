"""``make bench-levels``, with few deals of one game."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
LEVELS = ROOT / "benchmarks" / "levels.py"
pytestmark = pytest.mark.skipif(not LEVELS.exists(), reason="an archive of the source has no benchmarks")


def measure(*arguments):
    command = [sys.executable, LEVELS, "--game", "sushi_go", "--deals", "2", *arguments]
    environment = os.environ | {"PYTHONPATH": str(ROOT / "src"), "PYTHONUTF8": "1"}
    return subprocess.run(command, capture_output=True, encoding="utf-8", env=environment, check=False)


def test_only_what_is_missing_is_measured(tmp_path):
    """Check that a second run goes on from the figures of the first one, and that the file has both."""
    store = tmp_path / "levels.json"
    first = measure("--store", store, "--only", "2: level 1")
    assert first.stdout.startswith("sushi_go 2: level 1: "), first.stderr
    before = json.loads(store.read_text(encoding="utf-8"))
    assert [(each["players"], each["name"], each["deals"]) for each in before] == [(2, "1", 2)]
    assert 0 <= before[0]["ci95"][0] <= before[0]["share"] <= before[0]["ci95"][1] <= 1
    second = measure("--store", store, "--only", "level 1")
    assert second.stdout.startswith("sushi_go 4: level 1: "), second.stderr
    assert len(second.stdout.splitlines()) == 1
    after = json.loads(store.read_text(encoding="utf-8"))
    assert after[0] == before[0]
    assert [each["players"] for each in after] == [2, 4]


@pytest.mark.parametrize("arguments", [(), ("--store", "levels.json", "--write")])
def test_one_game_replaces_no_figures_of_others(arguments):
    refused = measure(*arguments)
    assert refused.returncode == 2
    assert "the figures of other games would be lost" in refused.stderr
