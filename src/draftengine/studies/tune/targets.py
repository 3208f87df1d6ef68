"""What a game can be tuned to: a figure of it, and where that figure should lie, as people write it.

``seat advantage at most 2``, ``score near 40``, ``share of soup near 20 % ± 3``, ``margin between 4 and 6``.
"""

from __future__ import annotations

import re
from math import inf
from typing import TYPE_CHECKING

from msgspec import Struct

from draftengine.api.errors import WrongArgumentError
from draftengine.engine.accounting import sources_of
from draftengine.model.diagnostics.suggest import did_you_mean
from draftengine.studies.report.numbers import FEW_WINS, figure, seat_title
from draftengine.studies.report.statistics import rule_labels

if TYPE_CHECKING:
    from collections.abc import Iterator

    from draftengine.engine.program import Program


class TargetError(WrongArgumentError):
    """A target that cannot be understood, or that this game has not; the message says what there is instead."""


class Kind(Struct, frozen=True):
    """A kind of figures."""

    phrase: str
    """What people write; ``PLAYER`` stands for the number of a player, ``RULE`` for the name of a rule."""
    meaning: str
    percent: bool = False
    """Is it a part of a whole, in percent."""
    shares: bool = False
    """Is what one game adds between nothing and one."""


TARGET_KINDS = {
    "score": Kind("score", "the points of a player in a game, on average"),
    "score_of": Kind("score of player PLAYER", "the points of one player, on average"),
    "winning": Kind("winning score", "the points of the winner, on average"),
    "margin": Kind("margin", "how far the winner is ahead, in games with one winner"),
    "advantage": Kind(
        "seat advantage",
        "by how much the wins of the seat furthest from an even share differ from it, in percentage points",
        percent=True,
        shares=True,
    ),
    "wins": Kind("wins of player PLAYER", "how often a player wins, in percent", percent=True, shares=True),
    "shared": Kind("shared victories", "how often a victory is shared, in percent", percent=True, shares=True),
    "points": Kind("points of RULE", "what a player gets of a rule in a game, on average"),
    "share": Kind("share of RULE", "what part of the winner's margin a rule makes, in percent", percent=True),
}
"""Every figure that a game can be tuned to."""

CONDITIONS = ("near X", "near X ± D", "at least X", "at most X", "between X and Y")
"""Where a figure can be asked to lie."""

NEAR_POINTS = 0.05
"""Points are near a number if they differ by no more than this part of it, unless somebody says otherwise."""
NEAR_PERCENT = 100 * FEW_WINS
"""Figures in percent are near a number if they differ by no more than so many percentage points."""


class Figure(Struct, frozen=True):
    """A figure of a game."""

    kind: str
    of: str = ""
    """The number of a player, from 0, or the name of a rule."""

    @property
    def percent(self) -> bool:
        return TARGET_KINDS[self.kind].percent

    @property
    def shares(self) -> bool:
        return TARGET_KINDS[self.kind].shares

    def title(self, program: Program) -> str:
        """What it is called in a sentence."""
        if self.kind in {"score_of", "wins"}:
            seat = int(self.of)
            who = seat_title(seat, program.seat_name(seat))
            return f"the score of {who}" if self.kind == "score_of" else f"the share of games that {who} wins"
        label = rule_labels(program).get(self.of, self.of)
        return {
            "score": "the average score",
            "winning": "the winner's score",
            "margin": "the winner's margin",
            "advantage": "the seat advantage",
            "shared": "the share of shared victories",
            "points": f"what a player gets of {label}",
            "share": f"the share of {label} in the winner's margin",
        }[self.kind]

    def shown(self, value: float) -> str:
        """A value of it in print."""
        return f"{figure(value)} %" if self.percent and self.kind != "advantage" else figure(value)


class Target(Struct, frozen=True):
    """Where a figure should lie: from `low` to `high`, and as near as can be to `aim`, if there is one."""

    figure: Figure
    low: float
    high: float
    aim: float | None = None

    @property
    def band(self) -> str:
        """Where it should lie, in words."""
        low, high = f"{self.low:g}", f"{self.high:g}"
        unit = " %" if self.figure.percent and self.figure.kind != "advantage" else ""
        if self.low == -inf:
            return f"at most {high}{unit}"
        if self.high == inf:
            return f"at least {low}{unit}"
        return f"between {low} and {high}{unit}"


_NUMBER = r"(-?\d+(?:\.\d+)?)\s*(?:%|percent|(?:percentage )?points?)?"
_FORMS = (
    (rf"(?:is )?(?:at least|above|over|>=|≥)\s*{_NUMBER}", "least"),
    (rf"(?:is )?(?:at most|below|under|within|<=|≤)\s*{_NUMBER}", "most"),
    (rf"(?:is )?between\s*{_NUMBER} and {_NUMBER}", "between"),
    (rf"(?:(?:is )?(?:near|about|around|=|≈)|is)\s*{_NUMBER}(?:\s*(?:±|\+/?-)\s*{_NUMBER})?", "near"),
)
_PARTS = {"half": 50, "a half": 50, "a third": 33.3, "a quarter": 25, "a fifth": 20, "a tenth": 10}
"""Parts of the winner's margin that people name by words, in percent."""
_SHARE = re.compile(
    r"(?:share of )?(.+?)(?: (?:is|makes))?( (?:at least|at most|near|about|around|above|below))? "
    rf"({'|'.join(_PARTS)}|\d+(?:\.\d+)? ?(?:%|percent)) of the (?:winner['’]s )?margin",
    re.IGNORECASE,
)
_OTHERWISE = {"scores": "score", "average score": "score", "points": "score", "winner's score": "winning score"}
"""Other names of figures."""


def target_of(text: str, program: Program) -> Target:
    """The target that somebody wrote, for a game. Raises `TargetError`."""
    phrase = _SHARE.sub(_share, " ".join(text.split()))
    for form, kind in _FORMS:
        match = re.fullmatch(rf"(.+?)\s*{form}", phrase, re.IGNORECASE)
        if match:
            name, *numbers = match.groups()
            return _target(_figure(name, program), kind, [float(number) for number in numbers if number is not None])
    raise TargetError(
        f"“{phrase}” does not say where a figure should lie. Write a figure and {' or '.join(CONDITIONS)}, such as "
        "“score near 40” or “seat advantage at most 2”."
    )


def _share(match: re.Match[str]) -> str:
    """What is said of a rule and the winner's margin, as figures are listed: “share of RULE near 20 %”."""
    rule, where, part = match.groups()
    return f"share of {rule}{where or ' near'} {_PARTS.get(part.casefold(), part)}"


def _target(figure: Figure, kind: str, numbers: list[float]) -> Target:
    first = numbers[0]
    if kind == "near":
        wide = numbers[1] if len(numbers) > 1 else NEAR_PERCENT if figure.percent else NEAR_POINTS * abs(first)
        if wide <= 0:
            raise TargetError("No figure lies exactly there: say how near is near enough, such as “near 40 ± 1”.")
        return Target(figure, first - wide, first + wide, first)
    if kind == "between":
        if numbers[1] <= first:
            raise TargetError(f"Nothing lies between {first:g} and {numbers[1]:g}: name the smaller number first.")
        return Target(figure, first, numbers[1])
    return Target(figure, first, inf) if kind == "least" else Target(figure, -inf, first)


def _figure(name: str, program: Program) -> Figure:
    """The figure of a name. Raises `TargetError`."""
    wanted = name.casefold().removeprefix("the ")
    wanted = _OTHERWISE.get(wanted, wanted)
    known = dict(phrases(program))
    labels = {label.casefold(): rule for rule, label in rule_labels(program).items() if rule in sources_of(program)}
    for kind in ("points", "share"):
        known |= {f"{kind} of {label}": Figure(kind, rule) for label, rule in labels.items()}
    if wanted in known:
        return known[wanted]
    hint = did_you_mean(wanted, known)
    listed = ", ".join(figure_kind.phrase for figure_kind in TARGET_KINDS.values())
    raise TargetError(f"There is no figure “{name}” in this game. {hint or f'There are: {listed}.'}")


def phrases(program: Program) -> Iterator[tuple[str, Figure]]:
    """Every figure of a game as it is written."""
    for kind, figure_kind in TARGET_KINDS.items():
        if "PLAYER" in figure_kind.phrase:
            for seat in range(program.players):
                yield figure_kind.phrase.replace("PLAYER", str(seat + 1)), Figure(kind, str(seat))
        elif "RULE" in figure_kind.phrase:
            for rule in dict.fromkeys(sources_of(program)):
                yield figure_kind.phrase.replace("RULE", rule), Figure(kind, rule)
        else:
            yield figure_kind.phrase, Figure(kind)
