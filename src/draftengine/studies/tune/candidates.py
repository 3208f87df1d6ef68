"""Candidates of a tuning: the values of a number to try, and the game with each of them."""

from __future__ import annotations

import re
from math import ceil
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from draftengine.api.errors import SelectionError, WrongArgumentError
from draftengine.api.ruleset import Ruleset
from draftengine.model.diagnostics.suggest import did_you_mean
from draftengine.model.library.library import CardSetError
from draftengine.model.selection import numbers_of, values_of
from draftengine.studies.runner.task import Task
from draftengine.studies.tune.targets import target_of
from draftengine.studies.tune.tune import MOST_VALUES, Trials

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from draftengine.api.game import Game
    from draftengine.studies.runner.engines import PreparedEngine
    from draftengine.studies.tune.targets import Target

_PIECE = re.compile(r"(-?\d{1,9})(?:\s*(?:-|\.\.)\s*(-?\d{1,9})(?:\s*/\s*(\d{1,9}))?)?")
_STEPS = 5
"""Default number of values to try on either side of the present one."""
_FEWEST = 3
_SHOWN = 6


class CandidateError(WrongArgumentError):
    """Error for a number or values that do not exist or make no sense."""


class Number(Struct, frozen=True):
    """Number of a card set that can be changed."""

    name: str
    """Name of a parameter, or the path of another number."""
    now: int
    values: tuple[int, ...] = ()
    """Values that a parameter allows; empty for any."""


def number_named(rules: Ruleset, name: str) -> Number:
    """Find a number by name: a parameter, or a path with dots or as a JSON Pointer.

    Raises `CandidateError` if there is none.
    """
    parameters = {parameter.id: parameter for parameter in rules.model.parameters}
    wanted = name.strip("/").replace("/", ".") if name.startswith("/") else name.strip()
    if wanted in parameters:
        return Number(wanted, parameters[wanted].default, parameters[wanted].values)
    numbers, values = numbers_of(rules.tree), values_of(rules.tree)
    if wanted in numbers:
        return Number(wanted, numbers[wanted])
    if wanted in values:
        raise CandidateError(
            f"{wanted} is {values[wanted]}, which is no number by itself. Let a formula use a parameter, and tune that."
        )
    known = [*parameters, *numbers]
    examples = ", ".join(known[:: max(1, len(known) // _SHOWN)][:_SHOWN])
    hint = did_you_mean(wanted, known) or f"There are, among others, {examples}."
    raise CandidateError(f"There is no number “{wanted}” in this card set. {hint}")


def values_in(text: str) -> list[int]:
    """Parse values such as ``1-10``, ``10-50/5`` or ``2,4,6`` and return them in ascending order.

    Raises `CandidateError`.
    """
    values: set[int] = set()
    for piece in text.split(","):
        match = _PIECE.fullmatch(piece.strip())
        if match is None:
            raise CandidateError(f"“{piece.strip()}” is no value: write 3, 1-10 or 10-50/5, or several with commas.")
        first, last, step = (int(group) if group else None for group in match.groups())
        assert first is not None, "the pattern begins with it"
        values |= set(_range(first, first if last is None else last, 1 if step is None else step, piece.strip()))
    return _few(values)


def _range(first: int, last: int, step: int, text: str) -> range:
    if last < first or step < 1:
        raise CandidateError(f"There is nothing in “{text}”: the smaller number comes first, and steps are 1 or more.")
    if (last - first) // step >= MOST_VALUES:
        raise CandidateError(_too_many(f"{first}-{last}/{ceil((last - first) / (MOST_VALUES - 1))}"))
    return range(first, last + 1, step)


def _too_many(instead: str) -> str:
    return f"At most {MOST_VALUES} values can be tried at once. Try them in steps first, such as {instead}."


def _few(values: Iterable[int]) -> list[int]:
    distinct = sorted(set(values))
    if len(distinct) > MOST_VALUES:
        raise CandidateError(
            _too_many(f"{distinct[0]}-{distinct[-1]}/{ceil((distinct[-1] - distinct[0]) / (MOST_VALUES - 1))}")
        )
    return distinct


def usual_values(number: Number) -> list[int]:
    """Return the values to try by default: those that the number allows, or some around the present one."""
    if number.values:
        return _few(number.values)
    span = max(_FEWEST, abs(number.now))
    step = ceil(span / _STEPS)
    around = (number.now + step * place for place in range(-_STEPS, _STEPS + 1))
    return sorted(value for value in around if abs(value - number.now) <= span and (value >= 0) >= (number.now >= 0))


class TuningTarget(Struct, frozen=True):
    """Question of a tuning: which value of a number brings a figure to a target."""

    game: Game
    number: Number
    target: Target
    games: dict[int, Game]
    """Game with each value to try."""
    refused: dict[int, str]
    """Reasons why other values cannot be played."""

    def trials(self, bots: tuple[str, ...], seed: int | str, ready: Sequence[PreparedEngine]) -> Trials:
        """Return the trials that answer the question.

        `ready` has the prepared engine of the present game first, then one for each entry of `games`.
        """
        now, *tasks = (
            Task(game, bots, seed, 0, 0, ways.engine, rows=True, table=ways.table)
            for game, ways in zip((self.game, *self.games.values()), ready, strict=True)
        )
        return Trials(now, dict(zip(self.games, tasks, strict=True)), self.number.now, self.target)


def question(game: Game, parameter: str, target: str, values: Sequence[int] = ()) -> TuningTarget:
    """Parse the question: a number, a target, and the values to try.

    Raises `CandidateError` and `TargetError`.
    """
    number = number_named(game.ruleset, parameter)
    wanted = target_of(target, game.program)
    games, refused = games_with(game, number, _few(values) if values else usual_values(number))
    return TuningTarget(game, number, wanted, games, refused)


def games_with(game: Game, number: Number, values: Iterable[int]) -> tuple[dict[int, Game], dict[int, str]]:
    """Return the game with each playable value, and the reasons why the others cannot be played.

    Raises `CandidateError` if none can.
    """
    games: dict[int, Game] = {}
    refused: dict[int, str] = {}
    rules = game.ruleset
    for value in values:
        selection = replace(rules.selection, parameters=(*rules.selection.parameters, (number.name, value)))
        try:
            games[value] = game if value == number.now else Ruleset(rules.document, selection).game(game.players)
        except (SelectionError, CardSetError) as error:
            refused[value] = _first_of(error)
    if not games:
        raise CandidateError(f"None of these values can be played. {next(iter(refused.values()), '')}".strip())
    return games, refused


def _first_of(error: SelectionError | CardSetError) -> str:
    """Return the first problem of an error as one sentence."""
    if isinstance(error, CardSetError):
        return next(finding.message for finding in error.findings if finding.severity == "error")
    return str(error)
