"""Bots for programs above the engine: they take a view and return moves by name."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from msgspec import Struct

from draftengine.api.errors import WrongArgumentError, checked_count, checked_kind, checked_seed
from draftengine.api.moves import move_from
from draftengine.api.view import View
from draftengine.bots.catalogue import SeatedBot, prepare
from draftengine.bots.hints import Evaluator, in_sentences
from draftengine.bots.hints.reasons import because
from draftengine.bots.protocol import Budget
from draftengine.engine.chance import key_of, root_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from draftengine.api.game import Game
    from draftengine.api.labels import Labels
    from draftengine.api.moves import Move, Written
    from draftengine.bots.worth.tables import Told


class Weighed(Struct, frozen=True):
    """A bot's opinion of one legal move, by name."""

    move: Move
    value: float
    """The value in the unit of `Advice.unit`."""
    weight: float
    """The share of iterations that the bot spent on this move, from 0 to 1."""


class Advice(Struct, frozen=True):
    """The move that a bot would make, and the moves with which it was compared."""

    move: Move
    considered: tuple[Weighed, ...]
    """Moves that the bot compared, best first; empty if the bot compares none."""
    unit: str
    """The unit of the values in `considered`.

    ``gain`` is immediate points; ``margin`` is the expected difference to the best opponent, in points.
    """
    iterations: int
    """The number of completed iterations."""


class PublicBot:
    """A bot, named as in the option ``--seat``: ``table``, ``search:iterations=500``. Made by `bot`."""

    def __init__(self, text: str) -> None:
        self.text = text
        decider = SeatedBot.of(text, 0)
        self._bot, self._usual = decider.bot, decider.budget

    def __repr__(self) -> str:
        return f"<bot {self.text}>"

    def prepare(self, game: Game, progress: Told = lambda *_: None) -> None:
        """Prepare the bot for its first game.

        `progress` gets the name of the current task and the share of it that is completed.
        """
        prepare([self.text], game.program, progress)

    def decide(self, view: View, seed: int | str = 0, *, iterations: int = 0, milliseconds: int = 0) -> Advice:
        """Return the bot's decision for a seat. Raise `WrongArgumentError` if the seat has nothing to choose.

        If the budget is a number of iterations, the decision depends only on the view and the seed. Without a budget,
        the bot uses its default.
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
    """The value of the move in the unit of `Advice.unit`."""
    unit: str
    text: str
    """The reasons, as a sentence without its full stop."""
    sentence: str
    """A sentence with the most convincing reason, or saying that another move is about as good."""
    equal: bool = False
    """True if the sentence says that another move is about as good."""


class _Called(Struct, frozen=True):
    """The names of the things that hints mention."""

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
    """Return the best moves of a seat, best first, each with the reasons for it.

    `seats` are the names of the seats. Equal views get equal hints. Raise `WrongArgumentError` if the seat has nothing
    to choose.
    """
    if not checked_kind(view, View, "State.view").moves:
        raise WrongArgumentError(f"seat {view.seat} has nothing to choose now")
    names = _Called(view.game, labels or view.game.labels, tuple(seats))
    best = Evaluator(view).hints()
    nothing, join_list = names.say("advice.nothing_more"), names.labels.speech.catalogue.join_list
    lying = {place: face for zone in view.zones for place, face, _ in zone.places}
    cards = []
    for hint in best:
        taken = Counter(names.card(lying.get(pick.card, pick.card)) for pick in hint.move.taken)
        parts = [f"{count}× {card}" if count > 1 else card for card, count in taken.items()]
        cards.append(join_list(parts) or nothing)
    sentences, equal = in_sentences(view, best, cards, names)
    return tuple(
        HintInWords(hint.move, hint.value, hint.unit, because(hint, names), sentence, equal=equal and place == 0)
        for place, (hint, sentence) in enumerate(zip(best, sentences, strict=True))
    )


def bars(view: View, picked: Written = ()) -> dict[Move, int]:
    """Return the number of bars, 1 to 5, for each move that adds a card to `picked`.

    More bars mean a better move; the numbers agree with `hints`.

    If the picked cards are a legal move themselves, the result includes that move. Raise `IllegalMove` for names that
    are not among the options, and `WrongArgumentError` if the seat has nothing to choose.
    """
    if not checked_kind(view, View, "State.view").moves:
        raise WrongArgumentError(f"seat {view.seat} has nothing to choose now")
    return Evaluator(view).bars(move_from(picked))


def bot(text: str) -> PublicBot:
    """Return a bot, named as in the option ``--seat``: ``bot("search:iterations=500")``. Raise `BotError`."""
    return PublicBot(text)
