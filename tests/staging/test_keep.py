"""The cache of object code: found again, and rebuilt if damaged, foreign or for another processor."""

from __future__ import annotations

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest

from draftengine.jit.llvm import machine
from draftengine.jit.llvm import module as to_llvm
from draftengine.jit.records import layout
from draftengine.jit.specializer import DYNAMIC, Specialiser
from draftengine.support import caches
from staging.programs import RECORDS, SIZES, modules

CODE = b"machine code" * 1000
HEAD = "from __future__ import annotations\nfrom fuzz_records import *\n"
KEY = machine.key_of("a text", "a processor")


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Return the cache folder of this user."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    return tmp_path / "draftengine"


def test_it_is_found_again(folder):
    """Code is found under its key only, and is listed among the caches."""
    assert machine.kept_code(KEY) is None
    machine.keep_code(KEY, CODE)
    assert machine.kept_code(KEY) == CODE
    assert machine.kept_code(machine.key_of("another text", "a processor")) is None
    assert [own.kind for own in caches.kept()] == ["compiled code"]


@pytest.mark.parametrize("link", [b"", b"x", b"[]", b"0", b"{}", b'{"code": "", "entries": 1}'])
def test_a_damaged_link_finds_nothing(monkeypatch, link):
    """Check that the code for a name is absent if its link is no mapping with a key and entries."""
    monkeypatch.setattr(machine, "kept_code", lambda _: link)
    assert machine.known("a game") is None


def test_keys_keep_parts_apart():
    """Different lists of parts have different keys, even if they join to equal text."""
    assert machine.key_of("ab", "c") != machine.key_of("a", "bc")
    assert machine.key_of("a") != machine.key_of("a", "")


def cut(content):
    return content[:-1]


def changed(content):
    return content[:-7] + bytes([content[-7] ^ 1]) + content[-6:]


def longer(content):
    return content + b"x"


def emptied(content):
    return b""


def of_another_format(content):
    return content.replace(b"cache 1", b"cache 0", 1)


def of_somebody_else(content):
    return b"\x7fELF" + content


@pytest.mark.parametrize("spoil", [cut, changed, longer, emptied, of_another_format, of_somebody_else])
def test_what_is_spoilt_is_taken_for_none(folder, spoil):
    """Damaged code counts as missing and is replaced, and other files are not touched."""
    other = machine.key_of("other")
    machine.keep_code(KEY, CODE)
    machine.keep_code(other, CODE)
    stranger = folder / "code-of-a-stranger"
    stranger.write_text("mine")
    path = folder / f"code-{KEY}"
    path.write_bytes(spoil(path.read_bytes()))
    assert machine.kept_code(KEY) is None
    machine.keep_code(KEY, CODE)
    assert machine.kept_code(KEY) == machine.kept_code(other) == CODE
    assert stranger.read_text() == "mine"


def test_every_cut_is_seen(folder):
    """A file cut at any length counts as missing."""
    machine.keep_code(KEY, CODE[:40])
    path = folder / f"code-{KEY}"
    whole = path.read_bytes()
    for length in range(len(whole)):
        path.write_bytes(whole[:length])
        assert machine.kept_code(KEY) is None


def test_under_another_name(folder):
    """A file renamed to another key is not accepted as that key's code."""
    machine.keep_code(KEY, CODE)
    other = machine.key_of("other")
    (folder / f"code-{KEY}").rename(folder / f"code-{other}")
    assert machine.kept_code(other) is None


def test_a_folder_in_its_place(folder):
    """Code that cannot be read or written is not kept, without an error."""
    (folder / f"code-{KEY}").mkdir(parents=True)
    machine.keep_code(KEY, CODE)
    assert machine.kept_code(KEY) is None


def test_many_writers_at_once(folder):
    """Readers find a whole file or none, while threads write it."""
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda _: machine.keep_code(KEY, CODE), range(40)))
        seen = set(
            pool.map(
                lambda number: (
                    machine.keep_code(KEY, CODE) or machine.kept_code(KEY) if number % 2 else machine.kept_code(KEY)
                ),
                range(80),
            )
        )
    assert seen == {CODE}
    assert [path.name for path in folder.iterdir()] == [f"code-{KEY}"]


WRITER = """
import sys
from draftengine.jit.llvm import machine
for _ in range(30):
    machine.keep_code(sys.argv[1], b"machine code" * 1000)
    assert machine.kept_code(sys.argv[1]) == b"machine code" * 1000
"""


def test_many_processes_at_once(folder):
    """Readers find a whole file or none, while processes write it."""
    started = [subprocess.Popen([sys.executable, "-c", WRITER, KEY], env=os.environ) for _ in range(3)]
    assert [own.wait(60) for own in started] == [0, 0, 0]
    assert machine.kept_code(KEY) == CODE


def test_the_oldest_goes_first(folder, monkeypatch):
    """The oldest code is removed once the cache exceeds its limit."""
    monkeypatch.setattr(caches.trim, "__defaults__", (3 * len(CODE),))
    keys = [machine.key_of(str(number)) for number in range(5)]
    for age, key in enumerate(keys):
        machine.keep_code(key, CODE)
        os.utime(folder / f"code-{key}", (age, age))
    machine.keep_code(KEY, CODE)
    assert [key for key in [*keys, KEY] if machine.kept_code(key)] == [keys[4], KEY]


@pytest.mark.skipif(os.name == "nt", reason="modes of POSIX")
def test_what_others_could_write_is_not_loaded(folder):
    """A folder that others could write to is made private, and its code is removed."""
    machine.keep_code(KEY, CODE)
    folder.chmod(0o777)
    assert machine.kept_code(KEY) is None
    assert folder.stat().st_mode & 0o077 == 0


@pytest.fixture
def source():
    text = HEAD + "def f(g: Game) -> int:\n    return g.a + 5\n"
    with modules(("fuzz_records", RECORDS), ("fuzz_case", text)) as (records, case):
        specialiser = Specialiser([case])
        residual = specialiser.function(case.f, [DYNAMIC])
        game = layout(records.Game, SIZES)
        return to_llvm.emit(specialiser.program, [to_llvm.Entry("f", residual)], [game]), game


def test_compiled_once(folder, source, monkeypatch):
    """Kept code is not compiled again, unless it is damaged."""
    emitted, game = source
    compiled, calls = machine.compiled, []
    monkeypatch.setattr(machine, "compiled", lambda *given, **more: calls.append(given) or compiled(*given, **more))
    for _ in range(2):
        assert machine.load(emitted, kept=True)["f"](game.memory()) == 5
    assert len(calls) == 1
    (path,) = folder.iterdir()
    path.write_bytes(path.read_bytes()[:-1])
    assert machine.load(emitted, kept=True)["f"](game.memory()) == 5
    assert len(calls) == 2


@pytest.mark.parametrize("level", [0, 1])
def test_for_another_processor(folder, source, monkeypatch, level):
    """Code for another processor has another key, at each level of optimisation."""
    emitted, _ = source
    machine.load(emitted, kept=True)
    monkeypatch.setattr(machine, "host", lambda: "another processor")
    machine.load(emitted, kept=True, level=level)
    assert len(list(folder.iterdir())) == 2


def test_long_texts_are_not_improved(source, monkeypatch):
    """Long source is not optimised; callers can lower the limit on its lines."""
    emitted, game = source
    compiled, levels = machine.compiled, []
    monkeypatch.setattr(
        machine, "compiled", lambda text, level, **how: levels.append(level) or compiled(text, 0, **how)
    )
    lines = emitted.text.count("\n")
    for longest in (machine.LONG, lines, lines - 1):
        assert machine.load(emitted, longest=longest)["f"](game.memory()) == 5
    assert levels == [2, 2, 0]


EMITTER = """
import hashlib
from staging.programs import Maker, modules, layout, SIZES, DYNAMIC, Specialiser, to_llvm
with modules(*Maker(7).texts()) as (records, low, high):
    specialiser = Specialiser([records, low, high])
    root = specialiser.function(high.root, [DYNAMIC, DYNAMIC, records.Plan(True), 2, DYNAMIC])
    layouts = [layout(records.Game, SIZES), layout(records.Other, SIZES)]
    emitted = to_llvm.emit(specialiser.program, [to_llvm.Entry("root", root)], layouts, checked=True)
    print(hashlib.sha256(emitted.text.encode()).hexdigest())
"""


def test_a_program_has_one_key():
    """Emitted source does not depend on the order of sets, which differs between processes."""
    path = os.pathsep.join(sys.path)
    seen = {
        subprocess.run(
            [sys.executable, "-c", EMITTER],
            env=os.environ | {"PYTHONHASHSEED": seed, "PYTHONPATH": path},
            check=True,
            capture_output=True,
        ).stdout
        for seed in ("1", "2", "3")
    }
    assert len(seen) == 1


def test_kept_nowhere_without_being_asked(folder, source):
    """Without a request nothing is written."""
    machine.load(source[0])
    assert not folder.exists()
