"""By day nothing is compiled: the kernel is the one that was compared with the reference engine, on the same games."""

from __future__ import annotations

import json

import pytest

from engine.configurations import ENTERING, EVERY
from kernel import compared

KEPT = json.loads(compared.FILE.read_text(encoding="utf-8"))
AGAIN = "since the kernel was compared with the reference engine last: `make kernel` compares them again"


def changes(found, kept):
    """The names under which something else is found than is kept."""
    return sorted(name for name in {*found, *kept} if found.get(name) != kept.get(name))


def test_the_kernel_is_the_one_that_was_compared():
    assert not changes(compared.sources(), KEPT["sources"]), f"these have changed {AGAIN}"


def test_it_is_given_what_it_was_compared_on():
    found = {str(own): compared.memory_of(own) for own in ENTERING}
    kept = {name: own for name, own in KEPT["games"].items() if name in found}
    assert not changes(found, kept), f"these are packed otherwise {AGAIN}"


def test_nothing_is_left_out():
    assert {*KEPT["games"]} == {*map(str, EVERY)}


@pytest.mark.parametrize("changed", ["x = 2", "x = 1\ny = 1", ""])
def test_a_change_is_found(monkeypatch, tmp_path, changed):
    """Of what is carried out, not of comments."""
    (tmp_path / "kernel").mkdir()
    file = tmp_path / "kernel" / "machine.py"
    monkeypatch.setattr(compared, "SOURCE", tmp_path)
    file.write_text("x = 1")
    before = compared.sources()
    file.write_text("# the same\n\nx = 1")
    assert compared.sources() == before
    file.write_text(changed)
    assert changes(compared.sources(), before) == ["kernel/machine.py"]
