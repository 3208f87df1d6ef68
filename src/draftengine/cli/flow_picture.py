"""The flow of a game as a picture of lines: what happens before, in and after each round."""

from __future__ import annotations

from typing import TYPE_CHECKING

from draftengine.cardset.model import text_in

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from draftengine.cardset.model import ByPlayers, CardSet, Step


def picture(model: CardSet) -> list[str]:
    """The lines of the picture, each with the citations of its step."""
    rounds = "The round" if model.rounds == 1 else f"Each of {model.rounds} rounds"
    parts = (("Before the first round", model.setup), (rounds, model.round), ("At the end", model.finish))
    lines: list[str] = []
    for title, steps in parts:
        if steps:
            lines += [title, *_steps(steps, "  ", model)]
    return [*lines, _winner(model)]


def _steps(steps: Sequence[Step], margin: str, model: CardSet) -> Iterator[str]:
    for step in steps:
        cited = f"  [{', '.join(step.source)}]" if step.source else ""
        condition = f"if {step.when.text}: " if step.when else ""
        if step.verb == "repeat":
            yield f"{margin}┌ {condition}repeat {_until(step)}{cited}"
            yield from _steps(step.body, f"{margin}│ ", model)
            yield f"{margin}└"
        else:
            yield f"{margin}{condition}{_VERBS[step.verb](step, model)}{cited}"


def _until(step: Step) -> str:
    if step.times is not None:
        return f"{_number(step.times)} times"
    if step.until is not None:
        return f"until {step.until.text}"
    return f"until every {step.zone} is empty"


def _number(cards: ByPlayers | None) -> str:
    """``7``, or ``10/9/8 (2/3/4 players)``."""
    if cards is None:
        return "1"
    numbers = "/".join(formula.text for _, formula in cards.cases)
    players = "/".join(str(count) for count, _ in cards.cases if count is not None)
    return f"{numbers} ({players} players)" if players else numbers


def _cards(step: Step) -> str:
    number = _number(step.cards)
    return f"{number} card" if number == "1" else f"{number} cards"


def _choose(step: Step, model: CardSet) -> str:
    who = "everybody" if step.who is None else f"the holder of the {_marker(step.who, model)}"
    others = "".join(
        f", and the holder of the {_marker(also.by, model)} {also.cards} for the {also.seat}" for also in step.also
    )
    return f"{who} chooses {_cards(step)} from {step.from_} to {step.to}{others}"


def _marker(name: str, model: CardSet) -> str:
    return next((text_in(marker.label) for marker in model.markers if marker.id == name), name)


def _give(step: Step, model: CardSet) -> str:
    to = {"left": "to the left", "right": "to the right", "nobody": "to nobody"}.get(str(step.give_to))
    measure = step.measure.text if step.measure else ""
    return f"the {_marker(str(step.marker), model)} goes {to or f'to the seat with {step.give_to} {measure}'}"


_VERBS: dict[str, Callable[[Step, CardSet], str]] = {
    "shuffle": lambda step, _: f"shuffle the {step.zone}",
    "deal": lambda step, _: f"deal {_cards(step)} to {step.to}",
    "draw": lambda step, _: f"draw {_cards(step)} from {step.from_} to {step.to}",
    "choose": _choose,
    "pass": lambda step, _: f"pass the {step.zone} to the {' / '.join(step.directions)}",
    "move": lambda step, _: f"move the {step.from_} to {step.to}",
    "give": _give,
    "score": lambda step, _: f"score: {step.label}",
    "clear": lambda step, _: f"clear the {step.zone}",
    "gather": lambda step, _: f"gather all cards in the {step.zone}",
}


def _winner(model: CardSet) -> str:
    breakers = "".join(f", then {own.order} {own.measure.text}" for own in model.winner.tie_breakers)
    return f"Who has {model.winner.order} points wins{breakers}"
