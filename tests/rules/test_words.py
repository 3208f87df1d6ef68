"""Helpers for words of explanations and rulebook sentences, in edge cases."""

from __future__ import annotations

import pytest

from draftengine.support.locale import phrases as words


@pytest.mark.parametrize(
    ("said", "expected"),
    [
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
