"""What all tests share: how many examples Hypothesis makes, and whether this is the nightly run.

``make nightly`` sets ``DRAFTENGINE_NIGHTLY``: tests do more of the same with it. Where a fixture comes too late (in the
cases of a parametrised test), write ``from conftest import NIGHTLY``.
"""

from __future__ import annotations

import gc
import os
import signal
from multiprocessing import context

import pytest
from hypothesis import settings

from draftengine.jit.llvm import machine

NIGHTLY = os.environ.get("DRAFTENGINE_NIGHTLY", "0") not in {"", "0"}

# By day the examples are the same everywhere, so that a failure is a change's own; by night they are new ones.
settings.register_profile("default", max_examples=20, deadline=None, derandomize=True)
settings.register_profile("nightly", max_examples=5000, deadline=None, print_blob=True)
settings.load_profile("nightly" if NIGHTLY else "default")

# A shell that starts the tests in the background lets them ignore Ctrl-C, and nohup that the terminal is closed; so
# would every program that they start.
signal.signal(signal.SIGINT, signal.default_int_handler)
if hasattr(signal, "SIGHUP"):
    signal.signal(signal.SIGHUP, signal.SIG_DFL)


@pytest.hookimpl(wrapper=True)
def pytest_collection():
    """Nothing is thrown away while tests are found, so nobody needs to look for it."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()


def pytest_collection_finish(session):
    """What was made until here stays: looking through it for garbage again and again would take a third of the time."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(100_000, 20, 20)


_compile = machine.load


@pytest.fixture(scope="session", autouse=True)
def _compile_as_it_stands():
    """By day LLVM improves nothing: that is nine tenths of compiling, and what it makes of our text is its own matter.

    What is kept of it has a key of its own, so nobody is given slow games afterwards.
    """
    with pytest.MonkeyPatch.context() as patch:
        if not NIGHTLY:
            patch.setattr(machine, "load", lambda source, **how: _compile(source, **how | {"level": 0}))
        yield


@pytest.fixture(scope="session", autouse=True)
def _forked():
    """By day what `multiprocessing` would start is forked off, as commands are."""
    from commands import forking, processes  # which ask whether this is the night

    with pytest.MonkeyPatch.context() as patch:
        if processes.can_be_forked():
            patch.setattr(context.SpawnProcess, "_Popen", staticmethod(forking.Spawned))
            patch.setattr(forking.Spawned, "place", staticmethod(processes.place))
        yield


@pytest.fixture
def improved(monkeypatch):
    """Here it is compiled as for people."""
    monkeypatch.setattr(machine, "load", _compile)


@pytest.fixture(scope="session")
def nightly() -> bool:
    """Whether this run may take its time."""
    return NIGHTLY
