"""A function called for each record of some rows, and arrays of small numbers."""

from array import array

import pytest

from draftengine.jit.llvm import machine
from draftengine.jit.llvm import module as to_llvm
from draftengine.jit.llvm.module import Entry
from draftengine.jit.records import layout
from draftengine.jit.specializer import DYNAMIC, Specialiser
from staging import rows_text

SIZES = {"pair": 2, "flag": 3}
ROWS = 5


def run(first, last, stop, *, vectors=False):
    """Run `add` over some rows; return the end, the sums and flags of all, and what they wrote."""
    specialiser = Specialiser([rows_text])
    residual = specialiser.function(rows_text.add, [DYNAMIC, DYNAMIC, DYNAMIC, DYNAMIC])
    row, shown = layout(rows_text.Row, SIZES), layout(rows_text.Shown, SIZES)
    source = to_llvm.emit(specialiser.program, [Entry("run", residual, rows=frozenset({"g"}))], [row, shown])
    code = machine.load(source, level=1, vectors=vectors)
    split, cells = (array("b", bytes(size * ROWS)) for size in (row.split_size, row.cells_size))
    wide, narrow = array("f", bytes(4 * ROWS)), array("h", bytes(2 * ROWS))
    memory = shown.memory()
    memory.bind_array("wide", wide)
    memory.bind_array("narrow", narrow)
    ended = code["run"].raw(split.buffer_info()[0], cells.buffer_info()[0], *memory.addresses, stop, first, last)
    words, flags = memoryview(split).cast("b").cast("q").tolist(), cells.tolist()
    each, bytes_ = row.split_size // 8, row.cells_size
    sums = [words[at * each : at * each + 3] for at in range(ROWS)]
    return ended, sums, [flags[at * bytes_ : at * bytes_ + 3] for at in range(ROWS)], wide.tolist(), narrow.tolist()


def as_it_stands(first, last, stop):
    """Run the source unspecialised, with the result of `run`."""
    shown, rows = layout(rows_text.Shown, SIZES).fresh(), [layout(rows_text.Row, SIZES).fresh() for _ in range(ROWS)]
    shown.wide, shown.narrow = array("f", bytes(4 * ROWS)), array("h", bytes(2 * ROWS))
    ended = next((at for at in range(first, last) if rows_text.add(rows[at], shown, stop, at)), last)
    sums = [[row.sum, *row.pair] for row in rows]
    return ended, sums, [row.flags for row in rows], shown.wide.tolist(), shown.narrow.tolist()


@pytest.mark.parametrize("vectors", [False, True])
@pytest.mark.parametrize(("first", "last", "stop"), [(0, ROWS, -1), (1, 4, -1), (0, ROWS, 2), (2, 2, 0)])
def test_rows(first, last, stop, vectors):
    """Rows of the range are visited up to the first that stops, each with its own record."""
    assert run(first, last, stop, vectors=vectors) == as_it_stands(first, last, stop)


def test_short_floats():
    """Short floats are rounded as in Python's arrays."""
    shown = run(1, 2, -1)[3]
    assert shown[1] != 1 / 3
    assert shown[1] == pytest.approx(1 / 3)


def test_what_does_not_fit():
    memory = layout(rows_text.Shown, SIZES).memory()
    for name, wrong in (("wide", array("i", [1])), ("wide", array("d", [1])), ("narrow", array("i", [1]))):
        with pytest.raises(ValueError, match="cannot borrow"):
            memory.bind_array(name, wrong)
