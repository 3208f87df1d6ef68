"""Messages: their form is checked before anything else uses them."""

from __future__ import annotations

import json
import random
import time
from contextlib import suppress
from math import log2

import pytest
from hypothesis import given
from hypothesis import strategies as st

from draftengine.apps.web import REASONS, RefusedError, protocol
from draftengine.apps.web.hub import Settings
from draftengine.apps.web.storage.chain import new_id, new_seed, new_token

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


@pytest.mark.parametrize(
    "part",
    [r'"key": "\ud800"', r'"\udfff": 1', r'"x": [{"y": "a\ud83dz"}]', r'"x": "\u0000"', r'"x": "\u001b[31m"',
     '"x": "\x7f"',     '"x": "\ud800"', '"x": 1e999', '"x": -1e999', '"x": Infinity',
     '"x": ' + "9" * 17, '"x": ' + "9" * 5000, '"v": 1',
     r'"x": 1, "\u0078": 2', '"x": ' + "[" * 7 + "]" * 7, '"x": [' + "[]," * 5000 + "[]]"],
)  # fmt: skip
def test_what_cannot_be_stored_or_shown_is_refused(part):
    """Texts that cannot be stored or shown, and repeated names, are refused with a sentence, at any depth."""
    with pytest.raises(RefusedError) as error:
        protocol.read(f'{{"v": 1, {part}}}', 1 << 16)
    assert error.value.code == "bad-message"
    str(error.value).encode()


@pytest.mark.parametrize("value", ["😀", "a\n\tb\r", "Zoë \u202e", 10**15, -1.5e-7, ["{[\\", '"]}']])
def test_what_is_read_is_what_was_sent(value):
    for escaped in (True, False):
        assert protocol.read(json.dumps({"v": 1, "x": value}, ensure_ascii=escaped))["x"] == value


@pytest.mark.parametrize(
    "text",
    ['"' + r"\"" * 32_700, '{"x":"' + r"\"" * 32_700, '"' * 65_000, "\\" * 65_000, "[" * 65_000, "{" * 65_000,
     '{"v":1,"x":[' + "{}," * 20_000 + "{}]}", '{"v":1,"x":[' + '"",' * 20_000 + '""]}', '{"v":1,"x":' + "9" * 65_000],
    ids=lambda text: text[:16],
)  # fmt: skip
def test_reading_takes_a_moment_whatever_is_sent(text):
    """The worst 64 KB are read or refused in milliseconds; the bound is generous for slow machines."""
    before = time.process_time()
    with suppress(RefusedError):
        protocol.read(text, 1 << 16)
    assert time.process_time() - before < 0.5


@given(message=st.fixed_dictionaries({"type": KINDS | ANYTHING}, optional=dict.fromkeys(
    ("key", "seat", "decision", "move", "to", "level", "name"), ANYTHING | st.just({"cards": ["a"]}) | st.just([1, 2]))
))  # fmt: skip
def test_whatever_is_sent_is_read_or_refused(message):
    """Any message is read or refused, and none becomes an entry that only the server may make."""
    found = read_or_refused(message)
    assert found in REASONS or found.kind in {"seat", "start", "choose", "withdraw", "ready", "replace"}


def read_or_refused(message):
    try:
        request = protocol.request_in(message, 0)
    except RefusedError as error:
        return error.code
    json.dumps(dict(request.data))
    return request


@pytest.mark.parametrize("kind", ["seat", "start", "choose", "withdraw", "ready", "replace"])
def test_a_message_asks_for_the_seat_of_its_connection(kind):
    """A seat, person or token named in a message does not change whose request it is."""
    named = dict.fromkeys(("seat", "by", "as", "from", "asks", "who", "player"), 2) | {"token": "Cy", "beside": ["Cy"]}
    needed = {"to": "bot", "decision": [1, 0], "move": {"cards": ["a"]}, "key": "k", "type": kind}
    request = protocol.request_in({**named, **needed}, 1)
    about = {
        "seat": {"seat", "to", "level"},
        "choose": {"decision", "move"},
        "withdraw": {"decision"},
        "ready": {"decision"},
        "replace": {"seat"},
    }
    assert (request.seat, request.data.keys()) == (1, about.get(kind, set()))


def bits(drawn):
    """Return the number of random bits in some draws, added over their positions."""
    return sum(log2(len({*place})) for place in zip(*drawn, strict=True))


@pytest.mark.parametrize(
    ("draw", "least"),
    [(new_token, 250), (lambda: new_seed()[0], 255), (lambda: new_seed()[1], 127), (new_id, 95)],
    ids=["token", "seed", "salt", "name of a table"],
)
def test_what_nobody_may_guess_is_drawn_anew(draw, least):
    """Secrets have enough random bits, are never repeated, and ignore a seeded generator."""
    drawn = []
    for _ in range(1000):
        random.seed(1)
        drawn.append(draw())
    assert len({*drawn}) == len(drawn)
    assert bits(drawn) >= least


def test_a_salt_says_nothing_of_its_seed():
    """Salts are drawn independently of their seeds, by the function that servers use."""
    assert not any(salt in seed for seed, salt in (new_seed() for _ in range(100)))
    assert Settings().seeds is new_seed


@pytest.mark.parametrize(
    ("name", "shown"), [(" Ada\n B ", "Ada B"), ("a\u202eb", "a b"), ("\x1b[31mx", "[31mx"), ("Zoë", "Zoë")]
)
def test_names_are_one_line_of_signs(name, shown):
    assert protocol.name_in({"name": name}) == shown


@pytest.mark.parametrize("name", ["", " ", "x" * 25, 7, None, "\u200b"])
def test_no_name(name):
    with pytest.raises(RefusedError):
        protocol.name_in({"name": name})
