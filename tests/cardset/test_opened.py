"""Opening a card set twice gives one object, unless a file that it is made of has changed."""

from pathlib import Path

import pytest

from draftengine.api.scenario.suite import check_first, check_rules
from draftengine.model import flow, library
from draftengine.model.diagnostics import has_errors
from draftengine.model.library import open_set, open_text
from draftengine.model.selection import document
from draftengine.model.shelf import fetcher, shipped


@pytest.fixture
def files(tmp_path):
    """Write a card set and one that extends it; return both paths, the extending one first."""
    base = tmp_path / "inn.yaml"
    base.write_text(Path(shipped()["sushi_go"]).read_text())
    own = tmp_path / "own.yaml"
    own.write_text("format: 1\nid: own\nversion: 1.0.0\ntitle: Own\nextends: inn\n")
    return own, base


def test_it_is_opened_once(files):
    assert open_set(files[0]).document is open_set(files[0]).document is not None


@pytest.mark.parametrize("which", [0, 1], ids=["itself", "what it extends"])
def test_what_was_changed_is_opened_anew(files, which):
    before = open_set(files[0]).document
    files[which].write_text(files[which].read_text() + "# changed\n")
    after = open_set(files[0]).document
    assert after is not before
    assert after.files[which].source.text.endswith("# changed\n")


def test_what_it_extends_may_come_and_go(files):
    text = files[1].read_text()
    files[1].unlink()
    assert [own.code for own in open_set(files[0]).findings] == ["extends-unknown"]
    files[1].write_text(text)
    assert open_set(files[0]).findings == ()


def test_what_is_asked_later_does_not_hide_a_change(files):
    """Check that a later fetch of an extended file does not hide that it changed since it was opened."""
    before = open_set(files[0])
    files[1].write_text(files[1].read_text() + "# changed\n")
    before.fetch("inn")
    assert open_set(files[0]).document is not before.document


def test_another_number_repeats_no_dry_run():
    """Check that an edit of points plays no flow again, and reads no file again that the text extends."""
    text = "format: 1\nid: mine\nextends: sushi_go\nscoring: {bonus: {kind: each, of: pudding, points: %d}}\n"

    def edited(points):
        return check_rules(open_text("mine.yaml", (text % points).encode(), fetcher("-")))

    assert not has_errors(edited(1))
    before = flow._plan.cache_info().misses, document._inherited.cache_info().misses
    assert not has_errors(edited(2))
    assert (flow._plan.cache_info().misses, document._inherited.cache_info().misses) == before


def test_the_first_errors_follow_a_changed_flow_once():
    """Check that the first errors of a text need one dry run, with the most players."""
    text = "format: 2\nid: mine\nextends: sushi_go\nrounds: %d\n"
    opened = [open_text("mine.yaml", (text % rounds).encode(), fetcher("-")) for rounds in (1, 2)]
    assert not check_first(opened[0])
    before = flow._plan.cache_info().misses
    assert not check_first(opened[1])
    assert flow._plan.cache_info().misses == before + 1


def test_errors_of_a_house_rule_check_its_base_once(monkeypatch):
    """Check that what is known of the extended game is kept while the text that extends it is wrong."""
    checked = []
    monkeypatch.setattr(library, "examine", lambda document: checked.append(document) or ())
    text = "format: 2\nid: mine\nextends: sushi_go_2014\nrounds: 9\nversion: %s\n"
    for version in ("1.0.0", "1.0.1"):
        assert check_first(open_text("mine.yaml", (text % version).encode(), fetcher("-")))
    assert len(checked) == 1
