"""Machine code is found again by a name that is known before anything is specialised."""

from __future__ import annotations

import pytest

from bots.quick import program_of
from conftest import NIGHTLY
from draftengine.engine import forms, specialising
from draftengine.engine.forms import GameRunner, name_of
from draftengine.engine.plan import Plan
from draftengine.jit.llvm import machine
from draftengine.support import caches

POLICIES = ["random", "random"]


@pytest.fixture
def folder(monkeypatch, tmp_path):
    """Let code be kept in an empty folder."""
    monkeypatch.setattr(caches, "folder", lambda: tmp_path)
    return tmp_path


@pytest.fixture
def specialised(monkeypatch):
    """Return a list that grows whenever a function is specialised."""
    made, real = [], specialising.source_of
    monkeypatch.setattr(specialising, "source_of", lambda *given: made.append(1) or real(*given))
    return made


def played(policies=POLICIES, cardset="sushi_go"):
    return GameRunner(program_of(cardset, 2), policies).play(1, 0, 5, rows=False)


def test_it_is_specialised_once(folder, specialised):
    expected = played()
    assert played() == expected
    assert len(specialised) == 1
    assert played(["random", "greedy"]) != expected
    assert len(specialised) == 2


@pytest.mark.parametrize("lost", ["code", "link", "both"])
def test_what_is_lost_is_made_again(folder, specialised, lost):
    """Check that code is made again if it or the link to it is missing or damaged."""
    expected = played()
    link, code = sorted(folder.iterdir(), key=lambda file: file.stat().st_size)
    for file in (link, code) if lost == "both" else [link] if lost == "link" else [code]:
        file.write_bytes(file.read_bytes()[:-1] + b"!")
    assert played() == expected
    assert len(specialised) == 2


def test_other_games_plans_and_code_have_other_names(monkeypatch):
    def name(cardset="sushi_go", policies=POLICIES, **more):
        return name_of(forms.play_games, Plan(program_of(cardset, 2), policies, **more), ["state"], 5)

    names = [name(), name("sushi_go_2014"), name(policies=["random", "table"]), name(logged=True), name(actors=[0])]
    assert len({*names}) == len(names)
    assert name() == names[0]
    before = machine._key_of_name(names[0])
    monkeypatch.setattr(machine, "package_hash", lambda: "other code")
    assert machine._key_of_name(names[0]) != before


def test_no_later_run_finds_the_code_of_tests(folder, specialised, request):
    """Check that code which was not optimised, as by day, is not found by a run that optimises."""
    played()
    request.getfixturevalue("improved")
    played()
    assert len(specialised) == 1 + (not NIGHTLY)
