"""The batch kernel: compiled games played by the million, bit for bit as the reference engine plays them.

A program is packed into one array of whole numbers (`draftengine.kernel.pack`), and one machine, compiled once by Numba
and kept on disk, runs them all. Numba is an extra: nothing here imports it before a `draftengine.kernel.player.Player`
is made.
"""

from draftengine.kernel.formulas import UnsupportedError

__all__ = ["UnsupportedError", "is_installed", "is_ready"]


def is_installed() -> bool:
    """Are NumPy and Numba there."""
    from importlib.util import find_spec  # noqa: PLC0415 (only who asks needs it)

    return find_spec("numba") is not None and find_spec("numpy") is not None


def is_ready() -> bool:
    """Is it there, and compiled already."""
    if not is_installed():
        return False
    from draftengine.kernel.cache import is_warm  # noqa: PLC0415 (imports Numba)

    return is_warm()
