"""What is said of extras works where it is said, and is said in one place."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

from draftengine.support import optional as extras

ROOT = Path(__file__).parents[1]
KNOWN = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]


def test_from_a_checkout_and_from_a_package(tmp_path, monkeypatch):
    """The package is on no index that a checkout could come from; what is installed knows its extras by its name."""
    assert extras.how_to_install("fast") == "pip install '.[fast]'"
    monkeypatch.setattr(extras, "_CHECKOUT", tmp_path)
    assert extras.how_to_install("fast") == "pip install 'draftengine[fast]'"


def test_what_is_missing_is_said_in_one_sentence():
    """With the command, which can be copied to the end of the line, and with what needs nothing."""
    assert extras.needed_for("ratings", "rating") == "For ratings, install the extra rating: pip install '.[rating]'"
    assert extras.needed_for("a PDF", "pdf", "HTML needs nothing").endswith("'.[pdf]' (HTML needs nothing)")


def test_only_extras_that_there_are():
    sources = [path for path in (ROOT / "src").rglob("*.py") if path.name != "optional.py"]
    documents = [ROOT / "README.md", *(ROOT / "docs").glob("*.md"), *(ROOT / "examples").glob("*.py")]
    texts = {path: path.read_text(encoding="utf-8") for path in (*sources, *documents)}
    asked = {name for text in texts.values() for name in re.findall(r"how_to_install\(\W*(\w+)", text)}
    asked |= {name for text in texts.values() for name in re.findall(r'needed_for\(\s*"[^"]*", "(\w+)"', text)}
    said = {name for text in texts.values() for name in re.findall(r"'\.\[(\w+)\]'", text)}
    assert asked
    assert said
    assert asked | said <= set(KNOWN)
    assert not [path for path, text in texts.items() if "pip install 'draftengine[" in text]
