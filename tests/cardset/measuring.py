"""How much memory a process needs to validate files."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = """
import resource, sys
from draftengine.scenario.checking import check
for path in sys.argv[1:]:
    check(path)
    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""
UNIT = 1 if sys.platform == "darwin" else 1024


def memory_of(texts, folder):
    """The most bytes that a process of its own has taken after validating a tiny file, and then all the texts."""
    pytest.importorskip("resource")
    paths = [folder / f"{number}.yaml" for number in range(len(texts) + 1)]
    for path, text in zip(paths, ["a: 1\n", *texts], strict=True):
        path.write_text(text, encoding="utf-8")
    command = [sys.executable, "-c", PROGRAM, *map(str, paths)]
    environment = os.environ | {"PYTHONPATH": str(Path(__file__).parents[2] / "src")}
    done = subprocess.run(command, capture_output=True, check=True, text=True, env=environment)
    sizes = [UNIT * int(line) for line in done.stdout.split()]
    return sizes[0], sizes[-1]
