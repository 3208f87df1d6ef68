"""``make learnt``: teach networks the shipped rules that have none, or whose rules have changed.

With names of card sets, only theirs. Finished networks stay if the run is interrupted. A number of players takes one to
three minutes.
"""

from __future__ import annotations

import sys
from functools import partial
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from bots.shipped import rules_without_network, stale_networks
from draftengine.apps.cli.preparing import ProgressLine, bar
from draftengine.bots.worth import tables
from draftengine.studies.distilling.distil import distil


def main() -> None:
    for file in stale_networks():
        file.unlink()
    wanted = [games for games in rules_without_network() if not sys.argv[1:] or games[0].id in sys.argv[1:]]
    line = ProgressLine()
    for number, games in enumerate(wanted):
        head = f"{number} of {len(wanted)}: {' '.join((games[0].id, *games[0].variants))}"
        kept = distil(games, tables.SHIPPED, tell=partial(show, line, head))
        line.clear()
        sys.stderr.write(f"{kept.name}: {kept.noise}\n")


def show(line, head, what, share):
    line.say(f"{bar(share)} {head}, {what}")


if __name__ == "__main__":
    main()
