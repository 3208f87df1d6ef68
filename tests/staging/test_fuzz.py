"""Random programs of the dialect behave alike in every form.

The forms: unspecialised, specialised in CPython (as functions and as one), compiled (in memory, in registers, checked).
"""

from __future__ import annotations

from collections import Counter

import pytest

from conftest import NIGHTLY
from draftengine.jit.source_functions import SpecialisationError
from staging.programs import Forms, Maker, modules

BATCHES, BATCH = (200, 50) if NIGHTLY else (3, 12)
LEAST = 0.95
"""The least share of programs that must compile, rather than be refused."""
CAREFULLY = 10
"""One in this many programs is compiled with all optimisations of LLVM."""


@pytest.mark.parametrize("batch", range(BATCHES))
def test_every_form_does_the_same(batch):
    """Results, changed records and events, in order, agree in all forms."""
    done = Counter()
    for seed in range(batch * BATCH, (batch + 1) * BATCH):
        level = 2 if seed % CAREFULLY == 0 else 0
        with modules(*Maker(seed).texts()) as texts:
            try:
                forms = Forms(texts, flag=seed % 2 == 0, level=level)
            except SpecialisationError as refused:
                done[refused.reason] += 1
                continue
            assert forms.wrong() is None, f"program {seed}\n{forms.source()}"
            done["same"] += 1
    assert done["same"] >= LEAST * BATCH, done


def test_programs_hold_what_they_are_for():
    """Generated programs contain every construct, so that none goes untested."""
    source = "".join(text for seed in range(60) for _, text in Maker(seed).texts()[1:])
    wanted = [
        "dynamic_range(",
        "while ",
        "told(",
        " and ",
        "row(2)",
        "wrap(",
        "+= ",
        "fuzz_low.f",
        "TABLE['one']",
        "k=",
        "square_root(",
    ]
    assert [own for own in wanted if own not in source] == []
