"""The reasons for a move in words, with the names that the caller gives to things."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable

    from draftengine.api.game import Game
    from draftengine.bots.hints.hints import Hint
    from draftengine.bots.hints.reasons import Reason


class Names(Protocol):
    """Protocol of a caller's names for the things that hints mention."""

    @property
    def game(self) -> Game:
        """The game that is played."""
        ...

    def seat(self, seat: int) -> str:
        """Return the name of a seat."""
        ...

    def card(self, name: str) -> str:
        """Return the name of a card, or of a card in a form."""
        ...

    def reason(self, name: str) -> str:
        """Return the name of a rule that gives points."""
        ...

    def say(self, key: str, /, **given: object) -> str:
        """Fill in a message of the catalogue."""
        ...

    def decimal(self, text: str) -> str:
        """Return a number with the decimal sign of the language."""
        ...


def because(advice: Hint, names: Names, *, but: str = "") -> str:
    """Return the reasons as a sentence without a full stop; empty if there are none."""
    parts = [_WORDS[reason.kind](reason, names) for reason in advice.reasons if reason.kind != but]
    return "; ".join(parts)


def points_in_words(number: float, names: Names, digits: int = 0) -> str:
    """Return a number of points: ``1 point``, ``2.4 points``."""
    text = f"{number:.{digits}f}".removesuffix(".0")
    if text.removeprefix("-").isdecimal():
        return names.say("points.n", n=int(text))
    return names.say("points.part", number=names.decimal(text))


def _gains(reason: Reason, names: Names) -> str:
    if not reason.rule:
        return names.say("because.at_once", amount=_amount(reason, names))
    kinds = {rule.id: rule.kind for rule in names.game.model.scoring}
    completes = kinds.get(reason.rule) in {"set", "collection"} and reason.amount > 0
    key = "completes" if completes else "standing" if kinds.get(reason.rule) == "majority" else "rule"
    return _of_rule(f"because.{key}", reason, names)


def _of_rule(key: str, reason: Reason, names: Names) -> str:
    """Return the text for the gain from a rule or, without a rule, for the gain at once."""
    if not reason.rule:
        return names.say(f"{key}.at_once", amount=_amount(reason, names))
    return names.say(key, rule=names.reason(reason.rule), amount=_amount(reason, names))


def _prepares(reason: Reason, names: Names) -> str:
    cards = names.card(reason.card) if reason.more == 1 else f"{reason.more} {names.card(reason.card)}"
    given = {"cards": cards, "amount": _amount(reason, names)}
    if not reason.rule:
        return names.say("because.prepares.at_once", **given)
    return names.say("because.prepares", rule=names.reason(reason.rule), **given)


def _takes(reason: Reason, names: Names) -> str:
    rule = names.reason(reason.rule)
    return names.say("because.takes", seat=names.seat(reason.seat), amount=_total(reason, names), rule=rule)


def _denies(reason: Reason, names: Names) -> str:
    return names.say("because.denies", seat=names.seat(reason.seat), amount=_total(reason, names))


def _comes_back(reason: Reason, names: Names) -> str:
    if not reason.amount:
        return names.say("because.returns.never")
    if reason.amount == 1:
        return names.say("because.returns.surely")
    return names.say("because.returns", percent=f"{min(reason.amount, 0.99):.0%}")


def _later(reason: Reason, names: Names) -> str:
    return names.say("because.later", amount=names.decimal(f"{reason.amount:.1f}"))


_WORDS: dict[str, Callable[[Reason, Names], str]] = {
    "gains": _gains,
    "costs": partial(_of_rule, "because.costs"),
    "then": partial(_of_rule, "because.then"),
    "prepares": _prepares,
    "takes": _takes,
    "denies": _denies,
    "returns": _comes_back,
    "later": _later,
}


def _amount(reason: Reason, names: Names) -> str:
    """Return a gain with its sign; of points the number alone."""
    amount = f"{reason.amount:+.0f}"
    return names.say("because.chips", amount=amount, count=int(reason.amount)) if reason.chips else amount


def _total(reason: Reason, names: Names) -> str:
    """Return points or chips."""
    if reason.chips:
        return names.say("standing.chips.n", count=round(reason.amount))
    return points_in_words(reason.amount, names)
