"""Measurement of the memory that a process needs to validate files."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = """
import sys
from pathlib import Path
from draftengine.api.scenario.suite import check
for path in sys.argv[1:]:
    check(path)
    print(*(line.split()[1] for line in Path("/proc/self/status").read_text().splitlines() if line[:6] == "VmHWM:"))
"""
UNIT = 1024
"""Bytes in a unit of Linux's peak memory for a process, which excludes the process that started it."""


def memory_of(texts, folder):
    """Validate a tiny file and then all texts in a new process; return its peak bytes after each."""
    if not Path("/proc/self/status").exists():
        pytest.skip("only Linux says how much memory a process has taken")
    paths = [folder / f"{number}.yaml" for number in range(len(texts) + 1)]
    for path, text in zip(paths, ["a: 1\n", *texts], strict=True):
        path.write_text(text, encoding="utf-8")
    command = [sys.executable, "-c", PROGRAM, *map(str, paths)]
    environment = os.environ | {"PYTHONPATH": str(Path(__file__).parents[2] / "src")}
    done = subprocess.run(command, capture_output=True, check=True, text=True, env=environment)
    sizes = [UNIT * int(line) for line in done.stdout.split()]
    return sizes[0], sizes[-1]
