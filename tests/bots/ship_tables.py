"""``make tables``: learn the shipped worth tables that are missing or whose rules have changed.

With ``--anew`` learn all of them; with names of card sets, only theirs. Finished tables stay if the run is interrupted.
A table takes a second or two with llvmlite, half a minute without.
"""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from bots.shipped import missing, needless
from draftengine.apps.cli.preparing import ProgressLine, span
from draftengine.bots.worth import learning, tables
from draftengine.bots.worth.tables import decode, encode


def write(program) -> int:
    """Learn a table and write it in one step; return its size in bytes."""
    data = encode(learning.learn(program))
    kept = decode(data)
    assert kept is not None
    file = tables.SHIPPED / tables.name_of(kept)
    fresh = file.with_name(f"{file.name}.{os.getpid()}")
    fresh.write_bytes(data)
    fresh.replace(file)
    return len(data)


def main() -> None:
    tables.SHIPPED.mkdir(exist_ok=True)
    for file in needless(everything="--anew" in sys.argv[1:]):
        file.unlink()
    named = [name for name in sys.argv[1:] if not name.startswith("-")]
    wanted = [own for own in missing() if not named or own.cardset in named]
    line, began = ProgressLine(), time.monotonic()
    for done, configuration in enumerate(wanted):
        left = f", {span((len(wanted) - done) * (time.monotonic() - began) / done)} left" if done else ""
        line.say(f"{done} of {len(wanted)} tables{left}: {configuration} ")
        size = write(configuration.program)
        if not line.visible:
            sys.stderr.write(f"{done + 1} of {len(wanted)}: {configuration}, {size:,} bytes\n")
    line.clear()
    sizes = [file.stat().st_size for file in tables.SHIPPED.glob(f"*{tables.SUFFIX}")]
    sys.stdout.write(f"{len(wanted)} tables learnt; there are {len(sizes)} of {sum(sizes):,} bytes in all\n")


if __name__ == "__main__":
    main()
