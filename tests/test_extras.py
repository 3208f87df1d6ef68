"""Commands that install an extra: they work as printed, and one place in the source makes them."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from types import SimpleNamespace

import pytest

from draftengine.support import optional as extras

ROOT = Path(__file__).parents[1]
KNOWN = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]


@pytest.mark.parametrize(
    ("recorded", "command"),
    [
        (None, "pip install 'draftengine[fast]'"),
        (
            '{"url": "file:///home/ann/my%20games", "dir_info": {}}',
            "pip install 'draftengine[fast] @ file:///home/ann/my%20games'",
        ),
        (
            '{"url": "file:///home/ann/draftengine-1.whl", "archive_info": {}}',
            "pip install 'draftengine[fast] @ file:///home/ann/draftengine-1.whl'",
        ),
        (
            '{"url": "https://example.org/d.git", "vcs_info": {"vcs": "git", "commit_id": "1"}}',
            "pip install 'draftengine[fast] @ git+https://example.org/d.git'",
        ),
    ],
)
def test_extras_come_from_where_the_program_came(tmp_path, monkeypatch, recorded, command):
    """Check that extras install from where the program came: the package is on no index."""
    assert extras.how_to_install("fast") == "pip install '.[fast]'"
    monkeypatch.setattr(extras, "_CHECKOUT", tmp_path)
    monkeypatch.setattr("importlib.metadata.distribution", lambda _: SimpleNamespace(read_text=lambda _: recorded))
    assert extras.how_to_install("fast") == command


def test_install_page_lists_every_extra():
    text = (ROOT / "docs" / "install.md").read_text(encoding="utf-8")
    listed = re.findall(r"^\| `(\w+)` \|", text, re.MULTILINE)
    assert sorted(listed) == sorted(set(KNOWN) - {"docs", "dev"})
    everything = re.search(r"^\| `all` \| (.*) \|$", text, re.MULTILINE)[1]
    assert re.findall(r"`(\w+)`", everything) == re.search(r"\[(.*)\]", KNOWN["all"][0])[1].split(",")


def test_what_is_missing_is_said_in_one_sentence():
    """Check the sentence about a missing extra: the command to copy, and what works without it."""
    assert (
        str(extras.needed_for("ratings", "rating")) == "For ratings, install the extra rating: pip install '.[rating]'"
    )
    assert str(extras.needed_for("pdf", "pdf")).startswith("For a PDF (HTML and SVG need no extra), install")


def test_every_use_of_an_extra_has_a_name():
    """Check that no command that lacks an extra looks for a text that nobody wrote."""
    sources = [path.read_text(encoding="utf-8") for path in (ROOT / "src").rglob("*.py")]
    uses = {use for text in sources for use in re.findall(r'need(?:ing|ed_for)\(\s*"(\w+)"', text)}
    assert {"learn", "pdf", "ratings"} <= uses
    for use in uses:
        assert "install the extra fast" in str(extras.needed_for(use, "fast"))


def test_only_extras_that_there_are():
    sources = [path for path in (ROOT / "src").rglob("*.py") if path.name != "optional.py"]
    documents = [ROOT / "README.md", *(ROOT / "docs").glob("*.md"), *(ROOT / "examples").glob("*.py")]
    texts = {path: path.read_text(encoding="utf-8") for path in (*sources, *documents)}
    asked = {name for text in texts.values() for name in re.findall(r"how_to_install\(\W*(\w+)", text)}
    asked |= {name for text in texts.values() for name in re.findall(r'needed_for\(\s*"[^"]*", "(\w+)"', text)}
    named = {name for text in texts.values() for name in re.findall(r"'\.\[(\w+)\]'", text)}
    assert asked
    assert named
    assert asked | named <= set(KNOWN)
    assert not [path for path, text in texts.items() if "pip install 'draftengine[" in text]
