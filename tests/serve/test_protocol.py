"""Messages: every form is checked before anything looks at it."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from draftengine.apps.web import protocol
from draftengine.apps.web.errors import REASONS, RefusedError

PLAIN = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8)
ANYTHING = st.recursive(
    PLAIN, lambda own: st.lists(own, max_size=3) | st.dictionaries(st.text(max_size=5), own, max_size=3)
)
KINDS = st.sampled_from(["seat", "start", "choose", "withdraw", "ready", "replace", "hello", "sit", "reveal"])


@pytest.mark.parametrize(
    "text",
    ["", "x", "[]", "1", "null", "{}", '{"v": 2}', '{"v": true}', '{"v": 1.0}', '{"v": 1, "x": NaN}', "[" * 2000,
     b"[1]", '{"v": 1, "x": [[[[[[1]]]]]]}', '{"v": 1, "x": "' + "a" * protocol.LARGEST + '"}'],
)  # fmt: skip
def test_no_message(text):
    with pytest.raises(RefusedError) as error:
        protocol.read(text)
    assert error.value.code in {"bad-message", "bad-version"}


@given(message=st.fixed_dictionaries({"type": KINDS | ANYTHING}, optional=dict.fromkeys(
    ("key", "seat", "decision", "move", "to", "level", "name"), ANYTHING | st.just({"cards": ["a"]}) | st.just([1, 2]))
))  # fmt: skip
def test_whatever_is_sent_is_read_or_refused(message):
    """Nothing else happens: no other error, and no kind of entry that only the server makes."""
    found = read_or_refused(message)
    assert found in REASONS or found.kind in {"seat", "start", "choose", "withdraw", "ready", "replace"}


def read_or_refused(message):
    try:
        request = protocol.request_in(message, 0)
    except RefusedError as error:
        return error.code
    json.dumps(dict(request.data))
    return request


@pytest.mark.parametrize(
    ("name", "shown"), [(" Ada\n B ", "Ada B"), ("a\u202eb", "a b"), ("\x1b[31mx", "[31mx"), ("Zoë", "Zoë")]
)
def test_names_are_one_line_of_signs(name, shown):
    assert protocol.name_in({"name": name}) == shown


@pytest.mark.parametrize("name", ["", " ", "x" * 25, 7, None, "\u200b"])
def test_no_name(name):
    with pytest.raises(RefusedError):
        protocol.name_in({"name": name})
