"""Records: declared once, as Python objects and in memory."""

from __future__ import annotations

from array import array as c_array

import pytest

from draftengine.jit.records import Record, array, fields, layout, number, signed
from staging.memories import differences, write_into


class Small(Record):
    round: int = number("The round, from 1.")
    weight: float = number("How much.", "f64")
    score: list[int] = fields("seat", "Points by seat.")
    shares: list[float] = fields("seat", "Shares by seat.", "f64")
    flags: list[int] = array("u8", "place", "Flags.")
    depths: list[int] = array("i8", "place", "Depths.")
    counts: list[int] = array("i32", "place", "Counts.")
    sums: list[int] = array("i64", "place", "Sums.")
    means: list[float] = array("f64", "place", "Means.")
    table: list[int] = array("i32", "", "Somebody else's numbers.", borrowed=True)


class Large(Small):
    more: int = number("One more number.")


LAYOUT = layout(Small, {"seat": 3, "place": 5})
EDGES = {
    "round": -(1 << 63),
    "weight": -0.125,
    "score": [1, -2, (1 << 63) - 1],
    "shares": [0.5, 1e300, -1.0],
    "flags": [0, 1, 127, 128, 255],
    "depths": [0, 1, -1, 127, -128],
    "counts": [0, -1, (1 << 31) - 1, -(1 << 31), 5],
    "sums": [0, -1, (1 << 63) - 1, -(1 << 63), 5],
    "means": [0.0, 0.1, -5.5, 1e-300, 2.0],
}


def filled():
    made = LAYOUT.fresh()
    for name, value in EDGES.items():
        setattr(made, name, value)
    made.table = [1, -2]
    return made


def test_a_fresh_object():
    """A fresh object has zeros and lists of its own, and rejects other attributes."""
    one, two = LAYOUT.fresh(), LAYOUT.fresh()
    assert isinstance(one, Small)
    assert (one.round, one.weight, one.score, one.flags, one.table) == (0, 0.0, [0, 0, 0], [0] * 5, [])
    one.score[0] = 1
    assert two.score == [0, 0, 0]
    with pytest.raises(AttributeError):
        one.rounds = 3


def test_a_declaration_keeps_what_it_says():
    """Fields keep their documentation, and a record can include the fields of another one."""
    assert Small.fields["score"].doc == "Points by seat."
    assert list(Large.fields) == [*Small.fields, "more"]
    made = layout(Large, {"seat": 2, "place": 1}).fresh()
    assert (made.more, made.round, made.score) == (0, 0, [0, 0])


def test_to_memory_and_back():
    """Every field holds its lowest and highest number in memory."""
    memory = LAYOUT.memory()
    write_into(memory, filled())
    assert {name: memory.get(name) for name in EDGES} == EDGES


def test_each_field_has_its_own_place():
    """Writing one field changes no other."""
    for name, value in EDGES.items():
        memory = LAYOUT.memory()
        memory.set(name, value)
        fresh = LAYOUT.fresh()
        setattr(fresh, name, value)
        assert differences(memory, fresh) == {}


def test_differences():
    """Differences are reported with both values; words may be larger in Python."""
    memory, made = LAYOUT.memory(), filled()
    write_into(memory, made)
    assert differences(memory, made) == {"table": ([1, -2], [])}
    memory.bind_array("table", c_array("i", [1, -2]))
    made.round += 1 << 64
    assert differences(memory, made) == {}
    made.score[1] = 7
    assert differences(memory, made) == {"score": ([1, 7, (1 << 63) - 1], [1, -2, (1 << 63) - 1])}


def test_numpy_looks_at_the_same_cells():
    """NumPy arrays are views of a record's own cells and of borrowed ones."""
    numpy = pytest.importorskip("numpy")
    memory = LAYOUT.memory()
    for name in EDGES:
        view = numpy.asarray(memory.view(name))
        view[:] = 3
        assert (
            numpy.asarray(memory.get(name)).tolist() == numpy.full(len(view), 3)[: len(view)].tolist()
            or memory.get(name) == 3
        )
    lent = numpy.arange(4, dtype=numpy.int32)
    memory.bind_array("table", lent)
    lent[2] = 77
    assert memory.get("table") == [0, 1, 77, 3]


@pytest.mark.parametrize(
    ("name", "buffer"),
    [
        ("table", c_array("q", [1])),
        ("table", c_array("f", [1.0])),
        ("table", b"1234"),
        ("table", memoryview(c_array("i", [1, 2, 3, 4]))[::2]),
        ("sums", c_array("q", [1])),
    ],
    ids=["of another size", "of another kind", "not to be written to", "with gaps", "nothing to be lent"],
)
def test_what_cannot_be_lent(name, buffer):
    """Only arrays of the declared type and size can be borrowed."""
    with pytest.raises(ValueError, match=f"{name} cannot borrow cells"):
        LAYOUT.memory().bind_array(name, buffer)


def test_wrong_numbers_of_places():
    """A row keeps its length, and dimensions must have a size."""
    with pytest.raises(ValueError, match="score has 3 places, not 2"):
        LAYOUT.memory().set("score", [1, 2])
    with pytest.raises(ValueError, match=r"Small.score: how many places has 'seat'\?"):
        layout(Small, {})


@pytest.mark.parametrize(("word", "number_"), [(0, 0), ((1 << 64) - 1, -1), (1 << 63, -(1 << 63)), (-1, -1)])
def test_words_with_a_sign(word, number_):
    assert signed(word) == number_
