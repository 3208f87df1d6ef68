"""Where compiled code is kept: in a folder of its own for every version of the machine's source.

Numba notices a change of the file that a function stands in, not of the files it calls or takes constants from.
"""

from __future__ import annotations

import hashlib
import shutil
import sys
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numba

from draftengine import caches
from draftengine.engine import chance, worth

_config: Any = numba.config

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


@cache
def folder() -> Path:
    """The folder for the machine as it is now."""
    here = Path(__file__).parent
    source = hashlib.sha256(f"{numba.__version__} {sys.version}".encode())
    constants = [Path(module.__file__ or "") for module in (chance, worth)]
    for file in [
        *sorted((here / "machine").glob("*.py")),
        here / "memory.py",
        here / "accounting.py",
        *constants,
    ]:
        source.update(file.read_bytes())
    path = caches.folder() / f"kernel-{source.hexdigest()[:16]}"
    if not path.exists():  # so something is about to be added
        caches.trim()
    return path


def _own() -> list[Path]:
    """The parts of the folder that belong to this checkout: one for each folder of sources."""
    return [path for path in map(folder().joinpath, _names()) if path.is_dir()]


@cache
def _names() -> tuple[str, ...]:
    """What Numba calls the parts: after the folders of sources, by their paths."""
    package = Path(__file__).parents[1]
    sources = [package, *(path for path in package.rglob("*") if path.is_dir())]
    return tuple(f"{path.name}_{hashlib.sha1(str(path).encode()).hexdigest()}" for path in sources)  # noqa: S324 (its own)


@contextmanager
def kept_in(path: Path) -> Iterator[None]:
    """Functions that are declared meanwhile keep their code in this folder."""
    caches.used(path)
    before = _config.CACHE_DIR
    _config.CACHE_DIR = str(path)
    try:
        yield
    finally:
        _config.CACHE_DIR = before


def rebuilt(function: Callable[..., Any]) -> Callable[..., Any]:
    """A compiled function whose code is thrown away and made anew, if what was kept of it cannot be loaded.

    The machine itself raises nothing, so whatever is raised comes from loading it. What belongs to other checkouts is
    left alone.
    """

    def called(*arguments: Any) -> Any:
        try:
            return function(*arguments)
        except Exception:
            own = _own()
            if not any(any(path.rglob("*.nb*")) for path in own):
                raise
            for path in own:
                shutil.rmtree(path, ignore_errors=True)
            return function(*arguments)

    return called


def is_warm() -> bool:
    """Has the machine of this checkout been compiled before."""
    return any(any(path.glob("run.run_games*.nbc")) for path in _own())
