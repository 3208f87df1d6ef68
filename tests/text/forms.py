"""The forms in which the text plays, behind one face."""

from draftengine.bots.tables import at_hand
from draftengine.compiled.options import Options
from draftengine.compiled.plan import Plan
from draftengine.compiled.player import Player
from draftengine.compiled.playing import play_games
from draftengine.compiled.state import Game
from draftengine.compiled.tally import Sums
from draftengine.compiled.worth import by_decision
from draftengine.simulation.playing import add
from draftengine.staging.layout import layout


def compiled(program, policies):
    """Through LLVM."""
    return Player(program, policies, logged=True, worth=_worth(program, policies))


class AsItStands:
    """Unspecialised, in CPython."""

    def __init__(self, program, policies):
        self.plan = Plan(program, policies, logged=True)
        self.shape = self.plan.shape
        self.options = layout(Options, self.plan.sizes).fresh()
        worth = _worth(program, policies)
        self.options.worth = by_decision(worth) if worth else []

    def play(self, root, first, last, *, rows):
        columns = self.shape.seats * (1 + self.shape.sources) + 1
        sums = layout(Sums, {}).fresh()
        sums.tally, sums.rows = [0] * self.shape.size, [0] * columns * (last - first)
        game, view = (layout(Game, self.plan.sizes).fresh() for _ in range(2))
        play_games(game, view, sums, self.options, self.plan, root, first, last, int(rows))
        starts = range(0, len(sums.rows), columns)
        return add(sums.tally, [0] * self.shape.size), [sums.rows[at : at + columns] for at in starts]


def _worth(program, policies):
    return at_hand(program).worth if "table" in policies else None
