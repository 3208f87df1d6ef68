"""Scenarios made from games that were played."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from draftengine.apps.cli.errors import UsageError

if TYPE_CHECKING:
    from draftengine.api.game import Game
    from draftengine.api.replay import Recorded


def record(path: str, name: str, number: int | None) -> None:
    """Add a round of a game (by default the last finished) to a scenario file, new or not.

    Raises `UsageError`, and `OSError` if the file cannot be written.
    """
    from draftengine.api.scenario.recorded import NotRecordedError, recorded
    from draftengine.apps.cli.opening import in_words
    from draftengine.support.files import write_whole

    file = Path(path)
    if file.suffix not in {".yaml", ".yml"}:
        raise UsageError(f"--record writes to a scenario file, such as my_tests.yaml, not to {path}.")
    played = _played(name)
    game = played.game
    try:
        scenario = recorded(game, played.seed, played.end.moves, number)
    except NotRecordedError as error:
        raise UsageError(f"{name} cannot be made a scenario: {error}.") from None
    with in_words():
        text = _added(file, game, scenario)
    write_whole(file, text)
    without = "" if "moves" in scenario else ", without moves: they depend on cards drawn blind, chips or dice"
    sys.stderr.write(f"Added “{scenario['name']}” to {file}{without}.\n")


def _played(name: str) -> Recorded:
    """Return the game of a record or a save. Raises `UsageError`."""
    from draftengine.api.replay import RecordError
    from draftengine.apps.cli.replay import read_game
    from draftengine.apps.play.replay import opened
    from draftengine.apps.play.saved import SaveError

    label, text = read_game(name)
    try:
        return opened(text)
    except (RecordError, SaveError) as error:
        raise UsageError(f"{label}: {error} [{error.code}]") from None


def _added(file: Path, game: Game, scenario: dict[str, Any]) -> str:
    """Return the text of the file with the scenario added. Raises `UsageError` if none can be added."""
    import yaml

    from draftengine.api.scenario.suite import scenarios_in
    from draftengine.model.yaml.tree import Sequence

    def written(data: Any, indent: int) -> str:
        text: str = yaml.safe_dump(data, sort_keys=False, allow_unicode=True, width=110, default_flow_style=None)
        return "".join(f"{' ' * indent}{line}\n" for line in text.splitlines())

    if not file.exists():
        return f"cardset: {_name_of(game)}\ntests:\n{written([scenario], 2)}"
    text = file.read_text(encoding="utf-8").rstrip("\n") + "\n"
    tests = scenarios_in(str(file), text.encode()).entries[-1]
    if tests.key.text != "tests" or not isinstance(tests.value, Sequence) or not tests.value.items:
        raise UsageError(f"{file} must end with its tests, so that one can be added there.")
    first = tests.value.items[0].span.start
    line = text[text.rfind("\n", 0, first) + 1 : first]
    if not re.fullmatch(r" *- *", line):
        raise UsageError(f"The tests of {file} stand in brackets; write each on a line of its own that begins with -.")
    return text + written([scenario], line.index("-"))


def _name_of(game: Game) -> str:
    """Return the name of the card set in a scenario file that is in its folder."""
    from draftengine.model.library.library import shelf

    if game.id in shelf():
        return game.id
    return Path(next(name for asked, name, _ in game.ruleset.files if not asked)).name
