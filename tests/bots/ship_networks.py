"""``make learnt``: teach networks the shipped rules that have none and can borrow none.

One network learns all selections of a card set that have the same aim. Networks of rules that have changed are
replaced. With names of card sets, only theirs. With ``--levels``, networks stay, and only their levels are found anew.
In the end it is measured which games' searches their networks help, where that is not known.
What is finished stays if the run is interrupted. A number of players takes a few minutes.
"""

from __future__ import annotations

import sys
from functools import partial
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from msgspec.structs import replace

from bots.shipped import games_of, games_taught, lacks_network, stale_networks, taught_together, unguided
from draftengine.apps.cli.preparing import ProgressLine, bar
from draftengine.bots.net.kept import networks_in, opinion_of, store
from draftengine.bots.worth import tables
from draftengine.bots.worth.tables import selected_in
from draftengine.studies.distilling import distil, with_guide, with_levels


def main() -> None:
    asked = {*sys.argv[1:]} - {"--levels"}
    for file in stale_networks():
        file.unlink()
    line = ProgressLine()
    teach = [games for games in taught_together() if not asked or games[0].id in asked]
    for number, games in enumerate(teach):
        if lacks_network(games):  # otherwise they can borrow the network of rules that were learnt just now
            tell = partial(show, line, f"{number} of {len(teach)}: {' '.join((games[0].id, *games[0].variants))}")
            made = distil(games, tables.SHIPPED, tell=tell)
            line.clear()
            sys.stderr.write(f"{made.name}: {made.levels}\n")
    for kept in networks_in(tables.SHIPPED):
        if ("--levels" in sys.argv or not kept.levels) and (not asked or kept.cardset in asked):
            games = [game for each in kept.taught for game in games_taught(kept, each)]
            made = with_levels(games, replace(kept, levels={}, guides={}), partial(show, line, kept.name))
            store(made, tables.SHIPPED)
            line.clear()
            sys.stderr.write(f"{made.name}: {made.levels}\n")
    for each in unguided():
        if not asked or each.cardset in asked:
            games = games_of(each.cardset, selected_in(each.program))
            (game,) = (game for game in games if game.players == each.players)
            kept = with_guide(game, opinion_of(each.program).kept)
            store(kept, tables.SHIPPED)
            sys.stderr.write(f"{each}: {kept.guides_search(each.program)}\n")


def show(line, head, what, share):
    line.say(f"{bar(share)} {head}, {what}")


if __name__ == "__main__":
    main()
