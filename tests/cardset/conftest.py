"""The card set that tests of this folder change, and helpers that open it."""

from __future__ import annotations

from pathlib import Path

import pytest

from draftengine.model.selection import open_document
from draftengine.model.yaml.load import load, read_source

HARBOUR = Path(__file__).with_name("harbour.yaml").read_text("utf-8")


def tree_of(text, name="harbour.yaml"):
    """Return the tree of a text, which must be YAML."""
    root, findings = load(read_source(text.encode(), name)[0])
    assert root is not None, findings
    return root


def changed(*changes, text=HARBOUR):
    """Return the text with parts replaced; every old part must occur."""
    for old, new in changes:
        assert old in text, old
        text = text.replace(old, new, 1)
    return text


@pytest.fixture(scope="session")
def harbour():
    """Return the text of the card set, changed: ``harbour(("count: 20", "count: 21"))``."""
    return changed


@pytest.fixture(scope="session")
def tree():
    """Return the function from a text to its tree."""
    return tree_of


@pytest.fixture(scope="session")
def opened():
    """Return document and findings of a text; `files` are those that `extends` can name."""

    def open_text(text=HARBOUR, **files):
        known = {"harbour": HARBOUR, **files}

        def fetch(name):
            stem = name.removesuffix(".yaml")
            return (f"{stem}.yaml", known[stem].encode()) if stem in known else None

        return open_document(text.encode(), "game.yaml", fetch)

    return open_text
