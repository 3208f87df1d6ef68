"""Games as bytes, from which later processes make them again without reading and checking files.

Bytes are unpickled, so they must come from this program, for example from the user's cache.
"""

from __future__ import annotations

import pickle

from draftengine.api.game import Checked, Game, Ruleset
from draftengine.engine.compile import compile_game
from draftengine.model.cardset.records import with_players
from draftengine.model.flow import flow_bounds, remember_bounds


def packed(game: Game) -> bytes:
    """Return a game as bytes. Raise `RecursionError` if its parts are nested too deeply."""
    rules = game.ruleset
    read = rules.document, rules.selection, rules.tree, rules.model
    return pickle.dumps((*read, game.fingerprint, game.players, flow_bounds(game.model, game.players)))


def unpacked(data: bytes) -> Game:
    """Return the game for the result of `packed`. Bytes from other versions can raise any exception."""
    document, selection, tree, model, fingerprint, players, bounds = pickle.loads(data)  # noqa: S301 (see above)
    remember_bounds(with_players(model, players), players, bounds)
    checked = Checked(tree, model, compile_game(model, players, fingerprint))
    return Ruleset(document, selection, checked).game(players)
