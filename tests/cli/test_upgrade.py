"""``upgrade``: files of format 1 in format 2."""

from __future__ import annotations

import pytest

OLD = """\
format: 1     # as it was
id: bay
title: Bay
version: 1.0.0
players: 2-4
rounds: 1
cards: {fish: {count: 20}}
round: [{deal: {to: hand, cards: 3}}, {choose: {from: hand, to: tableau}}, {score: round}]
scoring: {fish: {kind: each, of: fish, points: 2}}
winner: {order: most}
include: [more/crab.yaml]
"""
PART = "variants: {crab: {title: Crab, changes: {scoring: {fish: {kind: set, size: 2}}}}}\n"
NEW = OLD.replace("format: 1", "format: 2").replace("kind: each, of", "each")
NEW_PART = "variants: {crab: {title: Crab, changes: {scoring: {fish: {set: fish, size: 2, points: 2}}}}}\n"


@pytest.fixture
def bay(tmp_path):
    """Return the path of a card set of format 1 that includes another file."""
    (tmp_path / "more").mkdir()
    (tmp_path / "more" / "crab.yaml").write_text(PART, encoding="utf-8")
    (tmp_path / "bay.yaml").write_text(OLD, encoding="utf-8")
    return tmp_path / "bay.yaml"


def texts(bay):
    return bay.read_text("utf-8"), (bay.parent / "more" / "crab.yaml").read_text("utf-8")


def test_files_are_rewritten_with_what_they_include(draftengine, bay):
    """Check the texts and the output, and that a second time nothing is left to do."""
    done = draftengine("upgrade", "bay.yaml")
    assert done.status == 0
    assert done.out == "bay.yaml: rewritten in format 2\nmore/crab.yaml: rewritten in format 2\n"
    assert texts(bay) == (NEW, NEW_PART)
    assert draftengine("upgrade", "bay.yaml").out == "Nothing to do: all files have format 2.\n"
    assert draftengine("upgrade", "bay.yaml", "--check").status == 0


def test_changes_are_shown_and_nothing_is_written(draftengine, bay):
    """Check ``--check``, ``--stdout`` and ``--json``."""
    done = draftengine("upgrade", "bay.yaml", "--check")
    assert done.status == 1
    assert "-format: 1     # as it was\n+format: 2     # as it was\n" in done.out
    assert draftengine("upgrade", "bay.yaml", "--stdout").out == NEW
    listed = draftengine("upgrade", "bay.yaml", "--json", "--check").json
    assert [file["path"] for file in listed["files"]] == ["bay.yaml", "more/crab.yaml"]
    assert texts(bay) == (OLD, PART)


def test_mistakes_are_told_and_stay(draftengine, bay):
    bay.write_text(OLD.replace("kind: each", "kind: eech"), encoding="utf-8")
    done = draftengine("upgrade", "bay.yaml")
    assert done.status == 1
    assert "“kind” can't be “eech”" in done.err
    assert texts(bay)[1] == PART
