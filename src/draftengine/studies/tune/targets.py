"""Questions of tunings: the target of a figure, and the values of a number to try.

A *target* is a figure of a game and the range in which it should lie, as people write them. Examples: ``seat advantage
at most 2``, ``score near 40``, ``share of soup near 20 % ± 3``, ``margin between 4 and 6``.
"""

from __future__ import annotations

import re
from math import ceil, inf
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from draftengine.api.errors import SelectionError, WrongArgumentError
from draftengine.api.game import Ruleset
from draftengine.model.diagnostics.suggest import did_you_mean
from draftengine.model.library import CardSetError
from draftengine.model.selection import numbers_of, values_of
from draftengine.studies.report import FEW_WINS
from draftengine.studies.report.moments import TARGET_KINDS, Figure
from draftengine.studies.report.statistics import giving_points, rule_labels
from draftengine.studies.runner.playing import Task
from draftengine.studies.tune import MOST_VALUES, Trials
from draftengine.support.locale.phrases import ReasonedError, Text, decimal, either, quoted, said

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from draftengine.api.game import Game
    from draftengine.engine.program import Program
    from draftengine.studies.runner.engines import PreparedEngine
    from draftengine.support.locale.phrases import Phrase


class TargetError(ReasonedError, WrongArgumentError):
    """A target that cannot be parsed, or whose figure the game lacks. The reason says what exists."""


CONDITIONS = ("near X", "near X ± D", "at least X", "at most X", "between X and Y")
"""The conditions that a target can have."""

NEAR_POINTS = 0.05
"""Default tolerance of ``near`` for points, relative to the number."""
NEAR_PERCENT = 100 * FEW_WINS
"""Default tolerance of ``near`` for figures in percent, in percentage points."""


class Target(Struct, frozen=True):
    """A range from `low` to `high` in which a figure should be, if possible near its `aim`."""

    figure: Figure
    low: float
    high: float
    aim: float | None = None

    @property
    def band(self) -> Phrase:
        """The range in words."""
        unit = " %" if self.figure.percent and self.figure.kind != "advantage" else ""
        low, high = decimal(f"{self.low:g}"), decimal(f"{self.high:g}{unit}")
        if self.low == -inf:
            return said("study.at-most", high=high)
        if self.high == inf:
            return said("study.at-least", low=decimal(f"{self.low:g}{unit}"))
        return said("study.between", low=low, high=high)


_NUMBER = r"(-?\d+(?:\.\d+)?)\s*(?:%|percent|(?:percentage )?points?)?"
_FORMS = (
    (rf"(?:is )?(?:at least|above|over|>=|≥)\s*{_NUMBER}", "least"),
    (rf"(?:is )?(?:at most|below|under|within|<=|≤)\s*{_NUMBER}", "most"),
    (rf"(?:is )?between\s*{_NUMBER} and {_NUMBER}", "between"),
    (rf"(?:(?:is )?(?:near|about|around|=|≈)|is)\s*{_NUMBER}(?:\s*(?:±|\+/?-)\s*{_NUMBER})?", "near"),
)
_PARTS = {"half": 50, "a half": 50, "a third": 33.3, "a quarter": 25, "a fifth": 20, "a tenth": 10}
"""The value in percent of each word for a share."""
_SHARE = re.compile(
    r"(?:share of )?(.+?)(?: (?:is|makes))?( (?:at least|at most|near|about|around|above|below))? "
    rf"({'|'.join(_PARTS)}|\d+(?:\.\d+)? ?(?:%|percent)) of the (?:winner['’]s )?margin",
    re.IGNORECASE,
)
_OTHERWISE = {"scores": "score", "average score": "score", "points": "score", "winner's score": "winning score"}
"""Other words that people write for a figure, and the figure's usual name."""


def target_of(text: str, program: Program) -> Target:
    """Parse a target for a game. Raises `TargetError`."""
    phrase = _SHARE.sub(
        # Write a rule's part of the margin in the standard form: “share of RULE near 20 %”.
        lambda part: f"share of {part[1]}{part[2] or ' near'} {_PARTS.get(part[3].casefold(), part[3])}",
        " ".join(text.split()),
    )
    matches = ((re.fullmatch(rf"(.+?)\s*{form}", phrase, re.IGNORECASE), kind) for form, kind in _FORMS)
    match, kind = next((pair for pair in matches if pair[0]), (None, ""))
    if match is None:
        raise TargetError(said("target.no-place", text=phrase, conditions=either(quoted(CONDITIONS))))
    name, *written = match.groups()
    wanted = name.casefold().removeprefix("the ")
    wanted = _OTHERWISE.get(wanted, wanted)
    known = dict(phrases(program))
    labels = {label.casefold(): rule for rule, label in rule_labels(program).items() if rule in giving_points(program)}
    for sort in ("points", "share"):
        known |= {f"{sort} of {label}": Figure(sort, rule) for label, rule in labels.items()}
    if wanted not in known:
        listed = quoted(figure_kind.phrase for figure_kind in TARGET_KINDS.values())
        hint = did_you_mean(wanted, known) or said("command.there_are", names=listed)
        raise TargetError(said("target.no-figure", name=name, hint=hint))
    figure = known[wanted]
    first, *others = (float(number) for number in written if number is not None)
    if kind == "near":
        wide = others[0] if others else NEAR_PERCENT if figure.percent else NEAR_POINTS * abs(first)
        if wide <= 0:
            raise TargetError(said("target.exactly"))
        return Target(figure, first - wide, first + wide, first)
    if kind == "between":
        if others[0] <= first:
            raise TargetError(said("target.backwards", first=f"{first:g}", last=f"{others[0]:g}"))
        return Target(figure, first, others[0])
    return Target(figure, first, inf) if kind == "least" else Target(figure, -inf, first)


def phrases(program: Program) -> Iterator[tuple[str, Figure]]:
    """Yield every figure of a game, with the text that people write for it."""
    for kind, figure_kind in TARGET_KINDS.items():
        if "PLAYER" in figure_kind.phrase:
            for seat in range(program.players):
                yield figure_kind.phrase.replace("PLAYER", str(seat + 1)), Figure(kind, str(seat))
        elif "RULE" in figure_kind.phrase:
            for rule in dict.fromkeys(giving_points(program)):
                yield figure_kind.phrase.replace("RULE", rule), Figure(kind, rule)
        else:
            yield figure_kind.phrase, Figure(kind)


_PIECE = re.compile(r"(-?\d{1,9})(?:\s*(?:-|\.\.)\s*(-?\d{1,9})(?:\s*/\s*(\d{1,9}))?)?")
_STEPS = 5
"""The default number of values to try on each side of the present one."""
_FEWEST = 3
_SHOWN = 6


class CandidateError(ReasonedError, WrongArgumentError):
    """A number, or values for it, that do not exist or make no sense."""


class Number(Struct, frozen=True):
    """A number of a card set that can be changed."""

    name: str
    """The name of a parameter, or the path of another number."""
    now: int
    values: tuple[int, ...] = ()
    """The values that a parameter allows; empty if any value is allowed."""


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
        raise CandidateError(said("number.formula", name=wanted, text=str(values[wanted])))
    known = [*parameters, *numbers]
    examples = ", ".join(known[:: max(1, len(known) // _SHOWN)][:_SHOWN])
    hint = did_you_mean(wanted, known) or said("number.among", names=examples)
    raise CandidateError(said("number.unknown", name=wanted, hint=hint))


def values_in(text: str) -> list[int]:
    """Parse values such as ``1-10``, ``10-50/5`` or ``2,4,6`` and return them in ascending order.

    Raises `CandidateError`.
    """
    values: set[int] = set()
    for piece in text.split(","):
        match = _PIECE.fullmatch(piece.strip())
        if match is None:
            raise CandidateError(said("values.form", text=piece.strip()))
        first, last, step = int(match[1]), int(match[2] or match[1]), int(match[3] or 1)
        if last < first or step < 1:
            raise CandidateError(said("values.nothing", text=piece.strip()))
        if (last - first) // step >= MOST_VALUES:
            raise _too_many(first, last)
        values |= set(range(first, last + 1, step))
    return _few(values)


def _few(values: Iterable[int]) -> list[int]:
    distinct = sorted(set(values))
    if len(distinct) > MOST_VALUES:
        raise _too_many(distinct[0], distinct[-1])
    return distinct


def _too_many(first: int, last: int) -> CandidateError:
    steps = f"{first}-{last}/{ceil((last - first) / (MOST_VALUES - 1))}"
    return CandidateError(said("values.many", most=MOST_VALUES, steps=steps))


def usual_values(number: Number) -> list[int]:
    """Return the default values to try: those that the number allows, or some around the present value."""
    if number.values:
        return _few(number.values)
    span = max(_FEWEST, abs(number.now))
    step = ceil(span / _STEPS)
    around = (number.now + step * place for place in range(-_STEPS, _STEPS + 1))
    return sorted(value for value in around if abs(value - number.now) <= span and (value >= 0) >= (number.now >= 0))


class TuningTarget(Struct, frozen=True):
    """The task of a tuning: to find the value of a number that brings a figure of the game to a target."""

    game: Game
    number: Number
    target: Target
    games: dict[int, Game]
    """By value to try: the game in which the number has this value."""
    refused: dict[int, Text]
    """The values that cannot be played, each with the reason."""

    def trials(self, bots: tuple[str, ...], seed: int | str, ready: Sequence[PreparedEngine]) -> Trials:
        """Return the trials that answer the question.

        `ready` has the prepared engine of the present game, followed by one for each entry of `games`.
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


def games_with(game: Game, number: Number, values: Iterable[int]) -> tuple[dict[int, Game], dict[int, Text]]:
    """Return the game with each playable value, and by other value the reason why it cannot be played.

    Raises `CandidateError` if no value can be played.
    """
    games: dict[int, Game] = {}
    refused: dict[int, Text] = {}
    rules = game.ruleset
    for value in values:
        selection = replace(rules.selection, parameters=(*rules.selection.parameters, (number.name, value)))
        try:
            games[value] = game if value == number.now else Ruleset(rules.document, selection).game(game.players)
        except CardSetError as error:
            refused[value] = next(finding.text for finding in error.findings if finding.severity == "error")
        except SelectionError as error:
            refused[value] = error.reason
    if not games:
        raise CandidateError(said("values.none", reason=next(iter(refused.values()), "")))
    return games, refused
