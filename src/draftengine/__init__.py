"""draftengine: a rules engine for drafting games in which a game is data.

```python
import draftengine as de

game = de.load("my_game.yaml", players=4)
state = game.start(seed=7)
while not state.over:
    for seat in state.waiting:
        view = state.view(seat)
        state = state.commit(seat, view.moves[0])
print(state.result.scores)
```

`__all__` lists the public interface; changes of it are announced one minor version ahead.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

if TYPE_CHECKING:
    from draftengine.api.errors import NotInGameError as NotInGameError
    from draftengine.api.errors import SelectionError as SelectionError
    from draftengine.api.errors import WrongArgumentError as WrongArgumentError
    from draftengine.api.game import Game as Game
    from draftengine.api.game import Ruleset as Ruleset
    from draftengine.api.groups import Group as Group
    from draftengine.api.groups import MoveGain as Brought
    from draftengine.api.labels import Labels as Labels
    from draftengine.api.moves import Move as Move
    from draftengine.api.moves import Moves as Moves
    from draftengine.api.ruleset import load as load
    from draftengine.api.ruleset import rules_in_json as rules_in_json
    from draftengine.api.ruleset import rules_named as open_rules
    from draftengine.api.scenario.score_tables import SheetScores as Scored
    from draftengine.api.scenario.score_tables import score as score
    from draftengine.api.scenario.suite import Outcome as Outcome
    from draftengine.api.scenario.suite import check as check
    from draftengine.api.scenario.suite import run_scenarios as run_scenarios
    from draftengine.api.state import State as State
    from draftengine.api.view import SeatItem as Belonging
    from draftengine.api.view import View as View
    from draftengine.bots.protocol import BotError as BotError
    from draftengine.bots.public import Advice as Advice
    from draftengine.bots.public import HintInWords as Hint
    from draftengine.bots.public import bars as bars
    from draftengine.bots.public import bot as bot
    from draftengine.bots.public import hints as hints
    from draftengine.engine.events import Event as Event
    from draftengine.engine.events import Line as Line
    from draftengine.engine.game import Result as Result
    from draftengine.engine.moves import IllegalMove as IllegalMove
    from draftengine.engine.position import Position as Position
    from draftengine.engine.position import WrongPositionError as WrongPositionError
    from draftengine.model.diagnostics import Diagnostic as Finding
    from draftengine.model.library import CardSetError as CardSetError
    from draftengine.model.shelf import NoSuchCardSetError as NoSuchCardSetError
    from draftengine.studies.arena import ArenaError as ArenaError
    from draftengine.studies.environments import envs as envs
    from draftengine.studies.public import Comparison as Comparison
    from draftengine.studies.public import Simulation as Simulation
    from draftengine.studies.public import Tournament as Tournament
    from draftengine.studies.public import Tuning as Tuning
    from draftengine.studies.public import arena as arena
    from draftengine.studies.public import compare as compare
    from draftengine.studies.public import simulate as simulate
    from draftengine.studies.public import tune as tune

_PLACES = {
    "Advice": "bots.public:Advice",
    "ArenaError": "studies.arena:ArenaError",
    "BotError": "bots.protocol:BotError",
    "Brought": "api.groups:MoveGain",
    "CardSetError": "model.library:CardSetError",
    "Comparison": "studies.public:Comparison",
    "Event": "engine.events:Event",
    "Finding": "model.diagnostics:Diagnostic",
    "Game": "api.game:Game",
    "Belonging": "api.view:SeatItem",
    "Group": "api.groups:Group",
    "Hint": "bots.public:HintInWords",
    "IllegalMove": "engine.moves:IllegalMove",
    "Labels": "api.labels:Labels",
    "Line": "engine.events:Line",
    "Move": "api.moves:Move",
    "Moves": "api.moves:Moves",
    "NoSuchCardSetError": "model.shelf:NoSuchCardSetError",
    "NotInGameError": "api.errors:NotInGameError",
    "Outcome": "api.scenario.suite:Outcome",
    "Position": "engine.position:Position",
    "Result": "engine.game:Result",
    "Ruleset": "api.game:Ruleset",
    "Scored": "api.scenario.score_tables:SheetScores",
    "SelectionError": "api.errors:SelectionError",
    "Simulation": "studies.public:Simulation",
    "State": "api.state:State",
    "Tournament": "studies.public:Tournament",
    "Tuning": "studies.public:Tuning",
    "View": "api.view:View",
    "WrongArgumentError": "api.errors:WrongArgumentError",
    "WrongPositionError": "engine.position:WrongPositionError",
    "arena": "studies.public:arena",
    "bars": "bots.public:bars",
    "bot": "bots.public:bot",
    "check": "api.scenario.suite:check",
    "compare": "studies.public:compare",
    "envs": "studies.environments.envs:",
    "hints": "bots.public:hints",
    "load": "api.ruleset:load",
    "open_rules": "api.ruleset:rules_named",
    "rules_in_json": "api.ruleset:rules_in_json",
    "run_scenarios": "api.scenario.suite:run_scenarios",
    "score": "api.scenario.score_tables:score",
    "simulate": "studies.public:simulate",
    "tune": "studies.public:tune",
}
"""Modules and attributes behind the public names.

Each is imported on first access, so that commands start quickly.
"""

__all__ = [
    "Advice",
    "ArenaError",
    "Belonging",
    "BotError",
    "Brought",
    "CardSetError",
    "Comparison",
    "Event",
    "Finding",
    "Game",
    "Group",
    "Hint",
    "IllegalMove",
    "Labels",
    "Line",
    "Move",
    "Moves",
    "NoSuchCardSetError",
    "NotInGameError",
    "Outcome",
    "Position",
    "Result",
    "Ruleset",
    "Scored",
    "SelectionError",
    "Simulation",
    "State",
    "Tournament",
    "Tuning",
    "View",
    "WrongArgumentError",
    "WrongPositionError",
    "arena",
    "bars",
    "bot",
    "check",
    "compare",
    "envs",
    "hints",
    "load",
    "open_rules",
    "rules_in_json",
    "run_scenarios",
    "score",
    "simulate",
    "tune",
]


def __getattr__(name: str) -> Any:
    if name not in _PLACES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    place, _, attribute = _PLACES[name].partition(":")
    module = import_module(f"{__name__}.{place}")
    return getattr(module, attribute) if attribute else module


def __dir__() -> list[str]:
    return sorted([*globals(), *_PLACES])
