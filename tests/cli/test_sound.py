"""``draftengine validate`` remembers what it found, and is never wrong because of that."""

import json
from pathlib import Path

import pytest

from draftengine.apps.cli import validate as sound
from draftengine.apps.cli.validate import validate
from draftengine.model.shelf import read_bytes
from draftengine.support import caches

RIGHT = "format: 1\nid: fresh\ntitle: Fresh bread\nversion: 1.0.0\nextends: soups\ncards: {bread: {count: 19}}\n"
WRONG = "format: 1\nid: fresh\ntitle: Fresh bread\nversion: 1.0.0\nextends: soups\ncards: {bread: {count: many}}\n"


@pytest.fixture
def file(tmp_path, monkeypatch, soups):
    """Return a card set that extends another beside it, with an empty cache folder."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "kept"))
    (tmp_path / "soups.yaml").write_text(soups, encoding="utf-8")
    path = tmp_path / "right.yaml"
    path.write_text(RIGHT, encoding="utf-8")
    return path


@pytest.fixture
def checks(monkeypatch):
    """Count how often a card set is really checked."""
    found = []
    whole = sound.findings_in

    def counted(name, shown, data, *, play):
        found.append(name)
        return whole(name, shown, data, play=play)

    monkeypatch.setattr(sound, "findings_in", counted)
    return found


def test_what_was_found_sound_is_not_checked_again(file, checks, capsys):
    for _ in range(3):
        assert validate([str(file)]) == 0
        assert capsys.readouterr().out == f"{file}: no problems\n"
    assert checks == [str(file)]


def test_what_was_found_sound_may_yet_have_to_be_played(file, checks):
    for play in (False, False, True, True, False):
        assert validate([str(file)], play=play) == 0
    assert checks == [str(file)] * 2


def test_another_text_is_checked(file, checks):
    assert validate([str(file)]) == 0
    file.write_text(WRONG, encoding="utf-8")
    assert validate([str(file)]) == 1
    assert validate([str(file)]) == 1, "findings are told every time"
    assert len(checks) == 3


MISSPELT = RIGHT.replace("count: 19", "cuont: 19")


@pytest.mark.parametrize("below", ["soups.yaml", "right.yaml"])
def test_findings_of_an_unchanged_text_are_not_looked_for_again(file, capsys, monkeypatch, below):
    """Findings with related places and fixes come from the cache as they were, also those in other files."""
    file.write_text(MISSPELT, encoding="utf-8")
    base = file.parent / below
    base.write_text(base.read_text(encoding="utf-8").replace("title: S", "titel: S"), encoding="utf-8")
    assert validate([str(file)]) == 1
    first = capsys.readouterr()
    assert "cuont" in first.err
    label, data = read_bytes(str(file))
    findings = sound.findings_in(str(file), label, data)
    monkeypatch.setattr("draftengine.api.scenario.suite.check_opened", None)
    again = sound.findings_in(str(file), label, data)
    assert again == findings
    assert any(finding.fix for finding in again)
    assert validate([str(file)]) == 1
    assert capsys.readouterr() == first


def test_findings_of_a_copy_name_the_copy(file, capsys):
    file.write_text(MISSPELT, encoding="utf-8")
    copy = file.parent / "copy.yaml"
    copy.write_text(MISSPELT, encoding="utf-8")
    assert validate([str(file), str(copy)]) == 1
    assert "copy.yaml:6:" in capsys.readouterr().err


def test_what_it_extends_is_part_of_it(file, checks):
    assert validate([str(file)]) == 0
    below = file.parent / "soups.yaml"
    below.write_text(below.read_text(encoding="utf-8").replace("cards: 5", "cards: 50"), encoding="utf-8")
    assert validate([str(file)]) == 1
    below.unlink()
    assert validate([str(file)]) == 1
    assert len(checks) == 3


@pytest.mark.skipif(not Path("/proc/self/mem").exists(), reason="a file that even root cannot read")
@pytest.mark.parametrize("before", [True, False], ids=["found-right-before", "never-checked"])
def test_what_it_extends_cannot_be_read(file, before, capsys):
    if before:
        assert validate([str(file)]) == 0
    below = file.parent / "soups.yaml"
    below.unlink()
    below.symlink_to("/proc/self/mem")
    assert validate([str(file)]) == 1
    printed = capsys.readouterr().err
    assert "right.yaml:5:10" in printed
    assert "soups.yaml cannot be read" in printed


def test_another_draftengine_checks_for_itself(file, checks, monkeypatch):
    assert validate([str(file)]) == 0
    monkeypatch.setattr(sound, "__version__", "another one")
    assert validate([str(file)]) == 0
    assert len(checks) == 2


def test_the_program_is_known_by_its_modules_too(tmp_path, monkeypatch):
    monkeypatch.setattr(caches, "_PACKAGE", tmp_path)
    module = tmp_path / "rule.py"
    module.write_text("1", encoding="utf-8")
    caches.program_key.cache_clear()
    before = caches.program_key("1.0")
    module.write_text("12", encoding="utf-8")
    caches.program_key.cache_clear()
    assert caches.program_key("1.0") != before


def test_a_parent_that_cannot_be_read_is_a_finding_only_while_it_cannot(file, capsys, monkeypatch):
    usual = Path.open

    def refusing(path, *args, **settings):
        if path.name == "soups.yaml":
            raise PermissionError(13, "Permission denied")
        return usual(path, *args, **settings)

    for _ in range(2):
        with monkeypatch.context() as patch:
            patch.setattr(Path, "open", refusing)
            for _ in range(2):
                assert validate([str(file)]) == 1
                printed = "".join(capsys.readouterr())
                assert "right.yaml:5:10" in printed
                assert "Permission denied" in printed
        assert validate([str(file)]) == 0
        capsys.readouterr()


def test_another_python_is_another_program(monkeypatch):
    before = caches.program_key("1.0")
    monkeypatch.setattr(caches.sys, "version", "another Python")
    caches.program_key.cache_clear()
    try:
        assert caches.program_key("1.0") != before
    finally:
        caches.program_key.cache_clear()


@pytest.mark.parametrize(
    "damage", ["", "[]", "{}", "null", "\x00", "[" * 100_000, '{"program": 1, "sets": 2}'], ids=range(7)
)
def test_a_damaged_file_is_none(file, checks, damage):
    assert validate([str(file)]) == 0
    sound._file().write_text(damage, encoding="utf-8")
    assert validate([str(file)]) == 0
    assert validate([str(file)]) == 0
    assert len(checks) == 2


def test_what_was_changed_by_hand_is_not_believed(file, checks):
    assert validate([str(file)]) == 0
    file.write_text(WRONG, encoding="utf-8")
    kept = json.loads(sound._file().read_bytes())
    kept["sets"][sound._digest(WRONG.encode())] = {}
    sound._file().write_text(json.dumps(kept), encoding="utf-8")
    assert validate([str(file)]) == 1


def test_it_is_forgotten_in_time(file, monkeypatch):
    monkeypatch.setattr(sound, "MOST", 2)
    for count in (17, 18, 19):
        file.write_text(RIGHT.replace("19", str(count)), encoding="utf-8")
        assert validate([str(file)]) == 0
    assert not sound.is_sound(str(file), RIGHT.replace("19", "17").encode())
    assert sound.is_sound(str(file), RIGHT.encode())


def test_where_nothing_can_be_kept_it_is_checked_again(file, checks, monkeypatch):
    monkeypatch.setattr(sound, "_file", lambda: file.parent / "no folder" / "checked-1.json")
    assert validate([str(file)]) == 0
    assert validate([str(file)]) == 0
    assert len(checks) == 2
