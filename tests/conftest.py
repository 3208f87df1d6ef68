"""Settings shared by all tests: the number of Hypothesis examples, and whether the run is nightly.

``make nightly`` sets ``DRAFTENGINE_NIGHTLY``, and tests then do more of the same work. Where a fixture comes too late
(in the cases of a parametrised test), write ``from conftest import NIGHTLY``. Tests marked as ``night`` run then only.
For a test of one thing in many games or sizes, `sample` selects the cases of the day.
"""

from __future__ import annotations

import gc
import os
import signal
from multiprocessing import context

import pytest
from hypothesis import settings

from draftengine.engine import specialising
from draftengine.engine.forms import name_of
from draftengine.jit.llvm import machine
from draftengine.support import caches

NIGHTLY = os.environ.get("DRAFTENGINE_NIGHTLY", "0") not in {"", "0"}


def sample(cases, by_day, rest=None):
    """Return all cases by night, and by day this number: the first, the last, and some between.

    With `rest`, a mark, the other cases stay and get the mark.
    """
    cases = list(cases)
    if NIGHTLY or by_day >= len(cases):
        return cases
    chosen = {at * (len(cases) - 1) // max(1, by_day - 1) for at in range(by_day)}
    if rest is None:
        return [case for at, case in enumerate(cases) if at in chosen]
    return [case if at in chosen else pytest.param(case, marks=rest) for at, case in enumerate(cases)]


# By day the examples are fixed, so a failure comes from the change at hand; by night they are new.
settings.register_profile("default", max_examples=12, deadline=None, derandomize=True)
settings.register_profile("nightly", max_examples=5000, deadline=None, print_blob=True)
settings.load_profile("nightly" if NIGHTLY else "default")

# A shell that starts the tests in the background makes them ignore Ctrl-C; nohup does the same for a closed
# terminal. Every program that the tests start would inherit both.
signal.signal(signal.SIGINT, signal.default_int_handler)
if hasattr(signal, "SIGHUP"):
    signal.signal(signal.SIGHUP, signal.SIG_DFL)


# What a developer has taught bots must not change how they play in tests. Only compiled code stays from run to run.
if (home := caches.folder().parent).name != (TESTS := "draftengine-tests"):  # otherwise this is a process of a run
    os.environ["XDG_CACHE_HOME"] = str(home / TESTS)
    for entry in caches.kept():
        if entry.kind != caches.CACHE_KINDS["code"]:
            entry.path.unlink(missing_ok=True)


@pytest.hookimpl(wrapper=True)
def pytest_collection():
    """Switch garbage collection off while tests are collected: nothing becomes garbage then."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()


def pytest_collection_modifyitems(config, items):
    """Leave out by day what is marked as ``night``."""
    if not NIGHTLY:
        late = [item for item in items if item.get_closest_marker("night")]
        config.hook.pytest_deselected(items=late)
        items[:] = [item for item in items if not item.get_closest_marker("night")]


def pytest_collection_finish(session):
    """Freeze all objects made so far: scanning them at each collection would take a third of the time."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(1_000_000, 20, 20)


def pytest_sessionfinish():
    """Freeze what is left after one last collection, because pytest makes five more."""
    gc.collect()
    gc.freeze()


_compile, _known = machine.load, machine.known
_AS_IT_STANDS = "not optimised\n"
"""The beginning of the names of code that tests compile by day. So no later run gets slow games."""


def _compiled_as_it_stands(source, *, name="", **how):
    return _compile(source, **how | {"level": 0}, name=name and _AS_IT_STANDS + name)


@pytest.fixture(scope="session", autouse=True)
def _compile_as_it_stands():
    """Compile without LLVM's optimisations by day.

    They take nine tenths of compiling and are not under test.
    """
    with pytest.MonkeyPatch.context() as patch:
        if not NIGHTLY:
            patch.setattr(machine, "load", _compiled_as_it_stands)
            patch.setattr(machine, "known", lambda name: _known(_AS_IT_STANDS + name))
        yield


@pytest.fixture(scope="session", autouse=True)
def _specialise_once():
    """Specialise a game in Python once by day, although several tests do.

    It takes as long as dozens of games.
    """
    specialise, known = specialising.in_python, {}

    def once(function, plan, records, numbers, text):
        name = name_of(function, plan, map(str, text), records, numbers)
        if name not in known:
            known[name] = specialise(function, plan, records, numbers, text)
        return known[name]

    with pytest.MonkeyPatch.context() as patch:
        if not NIGHTLY:
            patch.setattr(specialising, "in_python", once)
        yield


@pytest.fixture(scope="session", autouse=True)
def _forked():
    """Fork the processes of `multiprocessing` by day, as the tests fork commands."""
    from commands import forking, processes  # they ask whether this is the nightly run

    with pytest.MonkeyPatch.context() as patch:
        if processes.can_be_forked():
            patch.setattr(context.SpawnProcess, "_Popen", staticmethod(forking.Spawned))
            patch.setattr(forking.Spawned, "place", staticmethod(processes.place))
        yield


@pytest.fixture
def improved(monkeypatch):
    """Compile with optimisations, as for users."""
    monkeypatch.setattr(machine, "load", _compile)
    monkeypatch.setattr(machine, "known", _known)


@pytest.fixture(scope="session")
def nightly() -> bool:
    """True if this is the nightly run, which may take long."""
    return NIGHTLY
