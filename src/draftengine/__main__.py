"""``draftengine``, and ``python -m draftengine``."""

import gc
import sys

_SELDOM = 100_000
"""So many new objects between two searches for garbage."""


def start() -> None:
    """Run the program.

    Nearly all that a short command makes lives to its end: searching it for garbage, on the way and once more when
    Python leaves, took a fifth of the time.
    """
    gc.set_threshold(_SELDOM)
    from draftengine.apps.cli.main import run

    try:
        run()
    finally:
        if "duckdb" not in sys.modules:  # which complains about whatever is not collected
            gc.freeze()


if __name__ == "__main__":
    start()
