"""What the kernel was compared with the reference engine on: ``make kernel`` writes it when everything agreed."""

from __future__ import annotations

import ast
import hashlib
import json
from pathlib import Path

from draftengine.kernel import UnsupportedError
from draftengine.kernel.pack import Packed
from engine.configurations import EVERY

FILE = Path(__file__).parent / "compared.json"
SOURCE = Path(__file__).parents[2] / "src" / "draftengine"
SOURCES = (
    "kernel/**/*.py",
    "engine/chance.py",
    "engine/policies.py",
    "engine/preview.py",
    "engine/worth.py",
    "environments/batch.py",
    "environments/encoding.py",
)
"""The kernel, and what stands twice: there and here. What the engine itself does is frozen in traces of its games."""


def sources():
    """A hash of each file, in which blank lines, comments on lines of their own and docstrings have no part."""
    files = sorted({file for pattern in SOURCES for file in SOURCE.glob(pattern)})
    return {file.relative_to(SOURCE).as_posix(): _hash(_code(file.read_text(encoding="utf-8"))) for file in files}


def _code(text):
    texts = {
        line
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        for line in range(node.lineno, node.end_lineno + 1)
    }
    lines = [line.rstrip() for number, line in enumerate(text.splitlines(), 1) if number not in texts]
    return "\n".join(line for line in lines if line and not line.lstrip().startswith("#")).encode()


def memory_of(configuration):
    """A hash of what the machine is given to play a configuration."""
    try:
        return _hash(Packed(configuration.program, logged=True).rom.tobytes())
    except UnsupportedError as error:
        return str(error)


def _hash(data):
    return hashlib.sha256(data).hexdigest()[:16]


if __name__ == "__main__":
    found = {"sources": sources(), "games": {str(own): memory_of(own) for own in EVERY}}
    FILE.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
