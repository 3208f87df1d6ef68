"""Helpers for words of explanations and rulebook sentences, in edge cases."""

from __future__ import annotations

import pytest

from draftengine.support.locale import english_lists as words


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        (words.counted(0, "set"), "0 sets"),
        (words.counted(1, "set"), "1 set"),
        (words.counted(-1, "set"), "-1 set"),
        (words.counted(2, "set"), "2 sets"),
        (words.ordinal(1), "first"),
        (words.ordinal(10), "tenth"),
        (words.ordinal(11), "11th"),
        (words.join_list([]), ""),
        (words.join_list(["a"]), "a"),
        (words.join_list(["a", "b"]), "a and b"),
        (words.join_list(["a", "b", "c"], "or"), "a, b or c"),
        (words.times(1, 5), "5"),
        (words.times(0, 5), "0 x 5 = 0"),
        (words.times(2, 5), "2 x 5 = 10"),
        (words.summed([8]), "8"),
        (words.summed([8, 1]), "8 + 1"),
        (words.summed([8, -1]), "8 - 1"),
        (words.summed([-8, 0]), "-8 + 0"),
    ],
)
def test_words(said, expected):
    assert said == expected
