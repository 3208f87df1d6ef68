"""Tables of a batch that are played by the specialised game in CPython, without compiling."""

import numpy as np

from draftengine.bots.worth.tables import at_hand
from draftengine.engine.chance import root_of
from draftengine.engine.kernel.batch import step_table
from draftengine.engine.kernel.flow import TO_DEAL
from draftengine.engine.plan import Plan
from draftengine.engine.state import Arrays, MoveScratch, StateRecord
from draftengine.jit.records import layout
from draftengine.studies.environments.compiled_tables import numbers_of
from draftengine.studies.environments.table import NothingToChooseError


class AsItStands:
    """A slow replacement of `draftengine.studies.environments.compiled_tables.CompiledTables`."""

    engine = "compiled"

    def __init__(self, encoder, games, opponents, *, reward, dtype, threads):
        del threads
        players = range(encoder.program.players)
        actors = [seat for seat in players if seat not in opponents]
        policies = [opponents.get(seat, "random") for seat in players]
        self.plan = Plan(encoder.program, policies, actors=actors, numbers=numbers_of(encoder, reward, dtype))
        self.games = [layout(StateRecord, self.plan.sizes).fresh() for _ in range(games)]
        self.view = layout(StateRecord, self.plan.sizes).fresh()
        self.options = layout(MoveScratch, self.plan.sizes).fresh()
        if "table" in policies:
            self.options.worth = at_hand(encoder.program).worth.worth
        self.arrays = layout(Arrays, self.plan.sizes).fresh()
        self.vectors = np.zeros((games, len(actors), encoder.length), dtype=dtype)
        self.masks = np.zeros((games, len(actors), encoder.done + 1), dtype=np.int8)
        self.rewards = np.zeros((games, len(actors)), dtype=np.float32)
        self.over = np.zeros(games, dtype=np.bool_)
        self.actions = np.zeros((games, len(actors)), dtype=np.int64)
        self.arrays.wide = self.arrays.narrow = self.arrays.tiny = self.vectors.reshape(-1)
        # Elements of a memoryview are Python's integers, which can be shifted by any number of bits.
        self.arrays.mask = memoryview(self.masks.view(np.uint8).reshape(-1))
        self.arrays.action = memoryview(self.actions.reshape(-1))
        self.arrays.reward = self.rewards.reshape(-1)
        self.arrays.over = self.over.view(np.uint8)

    def deal(self, seed, first):
        for number, game in enumerate(self.games):
            game.root, game.games, game.game, game.pc = root_of(seed), len(self.games), first + number, TO_DEAL
        self.step(np.zeros(self.rewards.shape, dtype=np.int64))

    def latest(self):
        return max(game.game for game in self.games)

    def illegal(self, actions):
        legal = np.take_along_axis(self.masks, actions[..., None], axis=-1)
        return -1 if legal.all() else int(legal.argmin())

    def step(self, actions):
        self.actions[:] = -1 if actions is None else actions
        for table, game in enumerate(self.games):
            if step_table(game, self.view, self.options, self.arrays, self.plan, table):
                raise NothingToChooseError
