"""The reasons for a move in words, with the names that the caller has for things."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable

    from draftengine.api.game import Game
    from draftengine.bots.hints.hints import Hint
    from draftengine.bots.hints.reasons import Reason


class Names(Protocol):
    """What things are called where the words are shown."""

    @property
    def game(self) -> Game:
        """The game that is played."""
        ...

    def seat(self, seat: int) -> str:
        """A seat."""
        ...

    def card(self, name: str) -> str:
        """A card, or a card in a form."""
        ...

    def reason(self, name: str) -> str:
        """What gives points."""
        ...


def because(advice: Hint, names: Names, *, but: str = "") -> str:
    """The reasons as one sentence without its full stop; empty where the value alone speaks for the move."""
    parts = [_WORDS[reason.kind](reason, names) for reason in advice.reasons if reason.kind != but]
    return "; ".join(parts)


def _gains(reason: Reason, names: Names) -> str:
    if not reason.rule:
        return f"{_amount(reason)} at once"
    kinds = {rule.id: rule.kind for rule in names.game.model.scoring}
    label = names.reason(reason.rule)
    if kinds.get(reason.rule) in {"set", "collection"} and reason.amount > 0:
        return f"completes {label}: {_amount(reason)}"
    standing = " as things stand" if kinds.get(reason.rule) == "majority" else ""
    return f"{label}: {_amount(reason)}{standing}"


def _costs(reason: Reason, names: Names) -> str:
    return f"but {names.reason(reason.rule)}: {_amount(reason)}" if reason.rule else f"but {_amount(reason)} at once"


def _then(reason: Reason, names: Names) -> str:
    what = f"{names.reason(reason.rule)}: " if reason.rule else ""
    return f"{what}{_amount(reason)} once it is played"


def _prepares(reason: Reason, names: Names) -> str:
    cards = names.card(reason.card) if reason.more == 1 else f"{reason.more} {names.card(reason.card)}"
    where = f" ({names.reason(reason.rule)})" if reason.rule else " at once"
    return f"{cards} would then bring {_amount(reason)}{where}"


def _takes(reason: Reason, names: Names) -> str:
    what = _chips(reason.amount) if reason.chips else points(reason.amount)
    return f"costs {names.seat(reason.seat)} {what} as things stand ({names.reason(reason.rule)})"


def _denies(reason: Reason, names: Names) -> str:
    what = _chips(reason.amount) if reason.chips else points(reason.amount)
    return f"denies {names.seat(reason.seat)} {what}"


def _comes_back(reason: Reason, names: Names) -> str:  # noqa: ARG001 (a row of the table)
    if not reason.amount:
        return "does not come back this round"
    if reason.amount == 1:
        return "if left, it surely comes back"
    return f"if left, it comes back with a chance of {min(reason.amount, 0.99):.0%}"


def _later(reason: Reason, names: Names) -> str:  # noqa: ARG001 (as above)
    return f"less now, {reason.amount:.1f} more later"


_WORDS: dict[str, Callable[[Reason, Names], str]] = {
    "gains": _gains,
    "costs": _costs,
    "then": _then,
    "prepares": _prepares,
    "takes": _takes,
    "denies": _denies,
    "returns": _comes_back,
    "later": _later,
}


def _amount(reason: Reason) -> str:
    return f"{reason.amount:+.0f}" + ((" chip" if abs(reason.amount) == 1 else " chips") if reason.chips else "")


def _chips(number: float) -> str:
    return f"{number:.0f} chip{'' if number == 1 else 's'}"


def points(number: float, digits: int = 0) -> str:
    text = f"{number:.{digits}f}".removesuffix(".0")
    return f"{text} point{'' if text == '1' else 's'}"
