"""Packed numbers: of several words if the layout says so, and equal in every form."""

from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from draftengine.jit.llvm import Split, machine
from draftengine.jit.llvm import module as to_llvm
from draftengine.jit.llvm.module import Entry
from draftengine.jit.python_backend import whole
from draftengine.jit.records import joined, layout, words_of
from draftengine.jit.source_functions import SpecialisationError
from draftengine.jit.specializer import DYNAMIC, Specialiser
from staging import packed_text
from staging.memories import differences, write_into

WORDS = (2, 3)
SEATS = st.lists(st.integers(0, (1 << 116) - 1), min_size=2, max_size=2)


def layout_of(words):
    return layout(packed_text.Packs, {"seat": 2, "field": 3, "packed": words})


def residual_of(text):
    specialiser = Specialiser([packed_text])
    return specialiser.program, specialiser.function(text, [DYNAMIC] * text.__code__.co_argcount)


@cache
def in_python():
    return whole(*residual_of(packed_text.work))[0]


@cache
def code_of(words, checked, split):
    program, residual = residual_of(packed_text.work)
    entry = Entry("work", residual, split)
    return machine.load(to_llvm.emit(program, [entry], [layout_of(words)], checked=checked), level=1)


def begun(made, seats):
    made.word, made.was, made.shift = seats[:], [0, 0], [own for own, _ in packed_text.FIELDS]
    return made


@settings(max_examples=60, deadline=None)
@given(seats=SEATS, rise=st.integers(0, len(packed_text.RISES) - 1), value=st.integers(0, 63))
def test_every_form_does_the_same(seats, rise, value):
    plain = begun(layout_of(2).fresh(), seats)
    wanted = packed_text.work(plain, rise, value)
    once = begun(layout_of(2).fresh(), seats)
    assert in_python()(once, rise, value) == wanted
    assert (once.word, once.sum) == (plain.word, plain.sum)
    for words in WORDS:
        for checked, split in ((False, Split.COPY_IN_OUT), (True, Split.IN_MEMORY)):
            memory = layout_of(words).memory()
            write_into(memory, begun(layout_of(words).fresh(), seats))
            assert code_of(words, checked, split)["work"](memory, rise, value) == wanted
            assert differences(memory, plain) == {}


def test_a_difference_in_a_high_word_is_told():
    memory = layout_of(2).memory()
    made = begun(layout_of(2).fresh(), [0, 1 << 100])
    assert differences(memory, made)["word"] == ([0, 1 << 100], [0, 0])


@given(st.integers(-(1 << 127), (1 << 127) - 1))
def test_a_number_is_its_words(value):
    assert joined(words_of(value, 2)) == value


def test_one_word_is_an_ordinary_number():
    assert layout_of(1).split_size == 5 * 8
    assert layout_of(2).split_size == 9 * 8


def test_a_packed_number_is_no_word():
    """A packed number is refused where one word is needed, not truncated."""
    with pytest.raises(SpecialisationError, match="a packed number where one word is wanted"):
        to_llvm.emit(*_wrong(), [layout_of(2)])


def _wrong():
    program, residual = residual_of(packed_text.too_wide)
    return program, [Entry("wrong", residual)]
