"""What cards, modifiers, abilities and triggers do, in words made from what the card set declares."""

from __future__ import annotations

from typing import TYPE_CHECKING

from draftengine.rules.words import counted, listed, quantity

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from draftengine.cardset.model import Ability, Card, Effect, Modifier, Trigger
    from draftengine.play.names import Names
    from draftengine.records.values import Amount, Formula

_GOES = {
    "hand": "the card goes back into the hand",
    "place": "the card goes to the place of the card taken",
    "discard": "the card is discarded",
    "stays": "the card stays",
}


def of_card(card: Card, names: Names) -> Iterator[str]:
    """What a card may be played as, and what happens when it is played."""
    if card.forms is not None:
        condition = f", if {card.forms.when.text}" if card.forms.when else ""
        yield f"Is played as {listed([names.word(form) for form in card.forms.of], 'or')}{condition}."
    if card.adds:
        yield f"Counts as {listed([f'{number} {names.label(counter)}' for counter, number in card.adds])}."
    if card.on_play:
        yield f"When played: {_done(card.on_play, names)}."


def of_modifier(modifier: Modifier, names: Names) -> str:
    """What cards a card makes different, and how."""
    after = listed([names.word(card) for card in modifier.applies_to], "or")
    up_to = f"the next {modifier.capacity}" if modifier.capacity > 1 else "the next"
    changed = listed([f"{names.label(own.counter)} {own.formula.text}" for own in modifier.then])
    return f"{names.word(modifier.card)} makes {up_to} {after} count as {changed}."


def of_ability(ability: Ability, names: Names) -> str:
    """How many cards an ability takes, and what becomes of its own card."""
    when = "before" if ability.when == "before_reveal" else "after"
    often = "" if ability.per_turn == 1 else f", {ability.per_turn} times a turn"
    more = counted(ability.take, "more card")
    return f"With {names.word(ability.card)} take {more} {when} the reveal{often}; {_GOES[ability.returns_to]}."


def of_trigger(trigger: Trigger, names: Names) -> str:
    """When a trigger is looked at, for whom, and what happens."""
    when = "each reveal" if trigger.after == "reveal" else f"the scoring of {names.moment(trigger.after).lower()}"
    who = "the only seat with" if trigger.only == "single" else "each seat with"
    unless = f", unless {trigger.unless.text}" if trigger.unless else ""
    return f"After {when}, {who} {trigger.who.text}{unless}: {_done(trigger.do, names)}."


def _done(effects: Sequence[Effect], names: Names) -> str:
    return ", ".join(_EFFECTS[effect.kind](effect, names) for effect in effects)


def _changed(amounts: Sequence[Amount], names: Names) -> str:
    return ", ".join(f"{names.label(own.counter)} {_by(own.formula)}" for own in amounts)


def _by(formula: Formula) -> str:
    """``+2``, ``-1``, ``+(2 * players)``."""
    number = formula.text
    if number.removeprefix("-").isdecimal():
        return number if number.startswith("-") else f"+{number}"
    return f"+({number})"


def _points(effect: Effect, names: Names) -> str:
    assert effect.formula is not None, "points are a number"
    return quantity(names.called(effect.formula), "point")


def _become(effect: Effect, names: Names) -> str:
    return ", ".join(f"{names.label(own.counter)} becomes {own.formula.text}" for own in effect.amounts)


_EFFECTS: dict[str, Callable[[Effect, Names], str]] = {
    "points": _points,
    "take": lambda effect, names: f"takes {names.label(str(effect.target))}",
    "roll": lambda effect, names: f"rolls {names.label(str(effect.target))}",
    "add": lambda effect, names: _changed(effect.amounts, names),
    "set": _become,
    "chip": lambda effect, names: f"draws a chip of {names.label(str(effect.target))}",
    "discard": lambda effect, names: f"discards {names.word(str(effect.target))}",
}
