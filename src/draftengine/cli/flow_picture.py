"""The flow of a game as a picture of lines: what happens before, in and after each round."""

from __future__ import annotations

from typing import TYPE_CHECKING

from draftengine.cardset.facts import constant_facts
from draftengine.language.evaluate import constant_value

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from draftengine.cardset.model import CardSet, Step
    from draftengine.play.names import Names
    from draftengine.records.values import ByPlayers, Formula


def picture(names: Names) -> list[str]:
    """The lines of the picture, each with the citations of its step."""
    model = names.game.model
    rounds = "The round" if model.rounds == 1 else f"Each of {model.rounds} rounds"
    parts = (("Before the first round", model.setup), (rounds, model.round), ("At the end", model.finish))
    lines: list[str] = []
    for title, steps in parts:
        if steps:
            lines += [title, *_steps(steps, "  ", names)]
    return [*lines, _winner(names)]


def _steps(steps: Sequence[Step], margin: str, names: Names) -> Iterator[str]:
    for step in steps:
        cited = f"  [{', '.join(step.source)}]" if step.source else ""
        condition = f"if {step.when.text}: " if step.when else ""
        if step.verb == "repeat":
            yield f"{margin}┌ {condition}repeat {_until(step, names)}{cited}"
            yield from _steps(step.body, f"{margin}│ ", names)
            yield f"{margin}└"
        else:
            yield f"{margin}{condition}{_VERBS[step.verb](step, names)}{cited}"


def _until(step: Step, names: Names) -> str:
    if step.times is not None:
        return f"{_number(step.times, names.game.model)} times"
    if step.until is not None:
        return f"until {step.until.text}"
    return f"until every {_called(step.zone, names)} is empty"


def _number(cards: ByPlayers | None, model: CardSet) -> str:
    """``7``, or ``10/9/8 (2/3/4 players)``."""
    if cards is None:
        return "1"
    numbers = "/".join(_value(formula, model) for _, formula in cards.cases)
    players = "/".join(str(count) for count, _ in cards.cases if count is not None)
    return f"{numbers} ({players} players)" if players else numbers


def _value(formula: Formula, model: CardSet) -> str:
    """A formula, or the number that it is for every number of players."""
    scopes = [constant_facts(model, count) for count in range(model.min_players, model.max_players + 1)]
    found = {constant_value(formula.expr, facts) for facts in scopes}
    return str(*found) if len(found) == 1 and None not in found else formula.text


def _cards(step: Step, names: Names) -> str:
    number = _number(step.cards, names.game.model)
    return f"{number} card" if number == "1" else f"{number} cards"


def _choose(step: Step, names: Names) -> str:
    who = "everybody" if step.who is None else f"the holder of the {names.label(step.who)}"
    others = "".join(
        f", and the holder of the {names.label(also.by)} {also.cards} for the {also.seat}" for also in step.also
    )
    return f"{who} chooses {_cards(step, names)} {_way(step, names)}{others}"


def _way(step: Step, names: Names) -> str:
    return f"from {_called(step.from_, names)} to {_called(step.to, names)}"


def _called(zone: str | None, names: Names) -> str:
    """A zone by its label, if it has one of its own."""
    label = names.label(str(zone))
    return str(zone) if label.lower() == zone else label


def _deal(step: Step, names: Names) -> str:
    source = "" if step.from_ in {None, "deck"} else f" from {_called(step.from_, names)}"
    return f"deal {_cards(step, names)}{source} to {_called(step.to, names)}"


def _give(step: Step, names: Names) -> str:
    marker = names.label(str(step.marker))
    to = {"left": "to the left", "right": "to the right", "nobody": "to nobody"}.get(str(step.give_to))
    if to is not None or step.measure is None:
        return f"the {marker} goes {to}"
    tie = "" if step.tie == "stays" else f"; in a tie {_TIES[step.tie]}"
    return f"the {marker} goes to the seat with {step.give_to} {names.called(step.measure)}{tie}"


_TIES = {"left": "to the next seat on the left", "right": "to the next seat on the right", "nobody": "to nobody"}

_VERBS: dict[str, Callable[[Step, Names], str]] = {
    "shuffle": lambda step, names: f"shuffle the {_called(step.zone, names)}",
    "deal": _deal,
    "draw": lambda step, names: f"draw {_cards(step, names)} {_way(step, names)}",
    "choose": _choose,
    "pass": lambda step, names: f"pass the {_called(step.zone, names)} to the {' / '.join(step.directions)}",
    "move": lambda step, names: f"move the {_called(step.from_, names)} to {_called(step.to, names)}",
    "give": _give,
    "score": lambda step, _: f"score: {step.label}",
    "clear": lambda step, names: f"clear the {_called(step.zone, names)}",
    "gather": lambda step, names: f"gather all cards in the {_called(step.zone, names)}",
}


def _winner(names: Names) -> str:
    winner = names.game.model.winner
    breakers = "".join(f", then {own.order} {names.called(own.measure)}" for own in winner.tie_breakers)
    return f"Who has {winner.order} points wins{breakers}"
