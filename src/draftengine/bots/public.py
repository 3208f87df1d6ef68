"""Bots for programs above the engine: they are given a view, and answer with moves by name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from draftengine.api.arguments import checked_count, checked_kind, checked_seed
from draftengine.api.errors import WrongArgumentError
from draftengine.api.view import View
from draftengine.bots.hints.hints import Evaluator
from draftengine.bots.hints.phrases import because
from draftengine.bots.protocol import Budget
from draftengine.bots.seats import SeatedBot, prepare
from draftengine.engine.chance import key_of, root_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from draftengine.api.game import Game
    from draftengine.api.labels import Labels
    from draftengine.api.moves import Move
    from draftengine.bots.worth.ready import Told


class Weighed(Struct, frozen=True):
    """What a bot thinks of one legal move."""

    move: Move
    value: float
    """Points: see `Advice.unit`."""
    weight: float
    """The share of its thoughts that the bot gave to this move: 0 to 1."""


class Advice(Struct, frozen=True):
    """The move that a bot would make, and why."""

    move: Move
    considered: tuple[Weighed, ...]
    """The legal moves that the bot has thought of, best first; empty if it compares none."""
    unit: str
    """What the values are: ``gain`` (points at once) or ``margin`` (expected own points less the best opponent's)."""
    iterations: int
    """How far the bot got."""


class PublicBot:
    """A bot as a seat is written: ``table``, ``search:iterations=500``. Made by `bot`."""

    def __init__(self, text: str) -> None:
        self.text = text
        decider = SeatedBot.of(text, 0)
        self._bot, self._usual = decider.bot, decider.budget

    def __repr__(self) -> str:
        return f"<bot {self.text}>"

    def prepare(self, game: Game, progress: Told = lambda *_: None) -> None:
        """Do what the bot has to do once before its first game; `progress` hears what that is, and how far it is."""
        prepare([self.text], game.program, progress)

    def decide(self, view: View, seed: int | str = 0, *, iterations: int = 0, milliseconds: int = 0) -> Advice:
        """The bot's decision for a seat that has to choose. Raises `WrongArgumentError` if it has not.

        With a budget of iterations the decision depends on the view and the seed alone. Without a budget it is the
        bot's own.
        """
        if not checked_kind(view, View, "State.view").moves:
            raise WrongArgumentError(f"seat {view.seat} has nothing to choose now")
        checked_seed(seed)
        checked_count("the number of iterations", iterations, 0)
        checked_count("the number of milliseconds", milliseconds, 0)
        budget = Budget(iterations, milliseconds) if iterations or milliseconds else self._usual
        decision = SeatedBot(self._bot, key_of(root_of(seed), 0, "bot", view.seat), budget).decide(view.seen)
        considered = tuple(Weighed(view.name(each.move), each.value, each.weight) for each in decision.considered)
        return Advice(view.name(decision.move), considered, decision.unit, decision.iterations)


class HintInWords(Struct, frozen=True):
    """One of the best moves, and why it is good."""

    move: Move
    value: float
    """What it is worth: see `Advice.unit`."""
    unit: str
    text: str
    """The reasons, as a sentence without its full stop."""


class _Called(Struct, frozen=True):
    """What things are called in the words of hints."""

    game: Game
    labels: Labels
    seats: tuple[str, ...]

    def seat(self, seat: int) -> str:
        return self.seats[seat] if seat < len(self.seats) else self.say("seat.player", number=seat + 1)

    def card(self, name: str) -> str:
        return self.labels.card(name)

    def reason(self, name: str) -> str:
        return self.labels.rule(name)

    def say(self, key: str, /, **given: object) -> str:
        return self.labels.speech.phrase(key, **given)

    def decimal(self, text: str) -> str:
        return self.labels.speech.catalogue.decimal(text)


def hints(view: View, seats: Sequence[str] = (), labels: Labels | None = None) -> tuple[HintInWords, ...]:
    """The best moves of a seat that has to choose, best first, with what speaks for each.

    `seats` are the names of the seats. The same view always gets the same hints. Raises `WrongArgumentError` if the
    seat has nothing to choose.
    """
    if not checked_kind(view, View, "State.view").moves:
        raise WrongArgumentError(f"seat {view.seat} has nothing to choose now")
    names = _Called(view.game, labels or view.game.labels, tuple(seats))
    return tuple(
        HintInWords(hint.move, hint.value, hint.unit, because(hint, names)) for hint in Evaluator(view).hints()
    )


def bot(text: str) -> PublicBot:
    """A bot by its name and options, written as for ``--seat``: ``bot("search:iterations=500")``. Raises `BotError`."""
    return PublicBot(text)
