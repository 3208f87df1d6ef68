"""``make learnt``: teach networks the shipped rules that have none and can borrow none.

One network learns all selections of a card set that have the same aim. Networks of rules that have changed are
replaced. With names of card sets, only theirs. With ``--levels``, networks stay, and only their levels are found anew.
Finished networks stay if the run is interrupted. A number of players takes a few minutes.
"""

from __future__ import annotations

import sys
from functools import partial
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from bots.shipped import games_of, lacks_network, stale_networks, taught_together
from draftengine.apps.cli.preparing import ProgressLine, bar
from draftengine.bots.net.kept import networks_in, store
from draftengine.bots.worth import tables
from draftengine.studies.distilling import distil, with_levels


def main() -> None:
    asked = {*sys.argv[1:]} - {"--levels"}
    for file in stale_networks():
        file.unlink()
    again = [*networks_in(tables.SHIPPED)] if "--levels" in sys.argv else []
    work = [(games_of(kept.cardset, kept.selected), kept) for kept in again]
    work = work or [(games, None) for games in taught_together()]
    work = [each for each in work if not asked or each[0][0].id in asked]
    line = ProgressLine()
    for number, (games, kept) in enumerate(work):
        if kept is None and not lacks_network(games):
            continue  # they can borrow the network of rules that were learnt just now
        tell = partial(show, line, f"{number} of {len(work)}: {' '.join((games[0].id, *games[0].variants))}")
        made = with_levels(games, kept, tell) if kept else distil(games, tables.SHIPPED, tell=tell)
        store(made, tables.SHIPPED)
        line.clear()
        sys.stderr.write(f"{made.name}: {made.levels}\n")


def show(line, head, what, share):
    line.say(f"{bar(share)} {head}, {what}")


if __name__ == "__main__":
    main()
