"""Advice during a game, and the review of a finished one, with sentences for both.

An *adviser* is a bot that rates moves. A *review* finds the choices that lost most points. For it, the moves are played
again, and at each choice the adviser gets only the person's view at that moment. Ratings are shown as *bars*.
"""

from __future__ import annotations

from math import inf
from statistics import fmean
from time import thread_time
from typing import TYPE_CHECKING

from msgspec import Struct

from draftengine.api.labels import card_in
from draftengine.apps.play.move_builder import MoveBuilder, sentence
from draftengine.bots.hints import BARS, Evaluator, in_sentences
from draftengine.bots.hints.reasons import Hint, because, in_one_sentence, points_in_words

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from draftengine.api.moves import Move
    from draftengine.api.view import View
    from draftengine.apps.play.labels import Names
    from draftengine.apps.play.session import Session

MOST = 5
"""The largest number of choices that a review reports."""
COSTLY = 0.5
"""The smallest loss of points by a choice that a review reports as costly."""
_SPREAD = (5**0.5 - 1) / 2
"""The golden ratio. The first few of its multiples modulo 1 are already spread evenly."""


class ReviewedChoice(Struct, frozen=True):
    """A choice that a person made, and the adviser's rating of it."""

    view: View
    move: Move
    cost: float
    """The points by which the adviser rates the best move above this one."""
    lead: float
    """The points by which the adviser rates this move above the average of all moves."""
    unit: str
    better: Hint | None
    """The best move, if this one was costly and did not have all bars; otherwise ``None``."""


class GameReview(Struct, frozen=True):
    """A review of the choices of one seat in a game."""

    seat: int
    choices: int
    """The number of choices that the adviser judged; forced moves are not counted."""
    costly: tuple[ReviewedChoice, ...]
    """The costly choices, the costliest first."""
    best: ReviewedChoice | None
    """The choice that was furthest above the average of its alternatives; ``None`` if there is none."""
    left_out: int = 0
    """The number of choices that were not judged for lack of time."""

    @property
    def cost(self) -> float:
        """The total cost of the costly choices, in points."""
        return sum(choice.cost for choice in self.costly)


def review(
    session: Session, seat: int, progress: Callable[[float], None] = lambda _: None, seconds: float = inf
) -> GameReview:
    """Return the review of a seat's choices. `progress` gets the fraction that is done, from 0 to 1.

    After `seconds` of processor time no further choices are judged. The judged choices are spread over the game; their
    number depends on the machine.
    """
    choices, judged = list(choices_of(session, seat)), dict[int, ReviewedChoice | None]()
    ends = thread_time() + seconds
    for number in sorted(range(len(choices)), key=lambda number: number * _SPREAD % 1):
        if judged and thread_time() >= ends:
            break
        progress(len(judged) / len(choices))
        view, move = choices[number]
        judged[number] = judge(Evaluator(view), move)
    known = [choice for _, choice in sorted(judged.items()) if choice is not None]
    costly = sorted((choice for choice in known if choice.better is not None), key=lambda choice: -choice.cost)
    good = [choice for choice in known if choice.better is None and choice.lead > 0]
    best = max(good, key=lambda choice: choice.lead, default=None)
    return GameReview(seat, len(judged), tuple(costly), best, len(choices) - len(judged))


def choices_of(session: Session, seat: int) -> Iterator[tuple[View, Move]]:
    """Yield the view and the move of a seat at each choice between several moves."""
    state = session.game.start(session.seed)
    for chooser, move in session.state.moves:
        if chooser == seat:
            view = state.view(seat)
            if view.moves.total > 1:
                yield view, move
        state = state.commit(chooser, move)


def judge(opinion: Evaluator, move: Move) -> ReviewedChoice | None:
    """Return the adviser's rating of a move; ``None`` if the adviser did not consider the move."""
    values = opinion.values
    if move not in values:
        return None
    best = next(iter(values.values()))
    cost = max(0.0, best - values[move])
    costly = cost >= COSTLY and opinion.bars_of(move) < BARS
    better = opinion.hints(most=1)[0] if costly else None
    return ReviewedChoice(opinion.view, move, cost, values[move] - fmean(values.values()), opinion.unit, better)


_UNITS = {"gain", "margin"}
"""Units of ratings for which the message catalogue has words."""
_INDENT = 6


def hint(
    picking: MoveBuilder, advices: Sequence[Hint], names: Names, keys: Mapping[str, str] | None = None
) -> list[str]:
    """Return lines with the best ways to go on, each with the keys to type and its best reason.

    `keys` maps cards to the keys that choose them. Without `keys`, people type the numbers of the cards.
    """
    if not advices:
        return [f"  {names.say('advice.nothing')}"]
    numbers = {
        item.name: str(item.number) if keys is None else keys.get(card_in(item.name), "") for item in picking.items
    }
    typed = [", ".join(numbers[pick.card] for pick in picking.rest(advice.move)) or "Enter" for advice in advices]
    nothing = names.say("advice.nothing_more")
    cards = [sentence(picking.rest(advice.move), picking, names) or nothing for advice in advices]
    sentences, _ = in_sentences(picking.view, advices, cards, names)
    wide, style = max(4, *map(len, typed)), names.style
    lines = []
    for keys_typed, text in zip(typed, sentences, strict=True):
        lines += style.wrapped(text.split(), _INDENT, f"{style.accent(keys_typed.rjust(wide))}  ")
    return lines


def worth_of_items(opinion: Evaluator, taken: Move) -> dict[str, int]:
    """Return the rating in bars of each item that can be taken next, by its name in moves."""
    return {move.taken[-1].card: number for move, number in opinion.bars(taken).items() if move != taken}


def in_bars(number: int) -> str:
    """Return a rating in bars as characters; spaces if it is not known."""
    return f"{'▮' * number}{'▯' * (BARS - number)}" if number else " " * BARS


def opinion(given: Evaluator, move: Move, names: Names) -> list[str]:
    """Return lines with the adviser's best moves, then its rating of the move that was made."""
    style, advices = names.style, given.hints()
    ranks = [f"{number}." for number in range(1, len(advices) + 1)]
    picking = MoveBuilder.of(given.view)
    rests = [picking.rest(advice.move) for advice in advices]
    wide = max(4, *map(len, ranks))
    unit = advices[0].unit
    words = names.say(f"advice.unit.{unit}") if unit in _UNITS else unit
    none_returns = all(
        ("returns", 0) in {(reason.kind, reason.amount) for reason in advice.reasons} for advice in advices
    )
    lines = [f"  {style.bold(names.say('advice.opinion'))}{style.faint(f'  {words}')}"]
    for advice, rest, numbers in zip(advices, rests, ranks, strict=True):
        cards = sentence(rest, picking, names) or names.say("advice.nothing_more")
        digits = 0 if unit == "gain" else 1
        rounded = round(advice.value, digits)
        value = f"{rounded:+.{digits}f}" if rounded else f"{0:.{digits}f}"
        first = f"{style.accent(numbers.rjust(wide))}  {cards}  {style.bold(names.decimal(value))}  "
        why = because(advice, names, but="returns" if none_returns else "")
        lines += style.wrapped(style.typed(why).split(), _INDENT, first)
    if none_returns:
        lines += style.wrapped(names.say("advice.none_returns").split(), _INDENT, " " * _INDENT)
    choice, taken = judge(given, move), _sentence(given.view, move, names)
    if choice is None:
        text = names.say("advice.unconsidered", cards=taken)
    elif choice.better is not None:
        text = names.say("advice.worse", cards=taken, points=points_in_words(choice.cost, names, 1))
    else:
        text = names.say("advice.best_possible", cards=taken)
    return [*(line.rstrip() for line in lines), *style.wrapped(text.split(), _INDENT, "  ")]


# ── looking back ────────────────────────────────────────────────────────────────────────────────────────────────────


def looking_back(review: GameReview, names: Names) -> list[str]:
    """Return lines about a seat's costliest choices, each with a better move and reasons, and a summary."""
    style = names.style
    lines = [] if names.is_you(review.seat) else ["", f"  {style.bold(names.seat(review.seat))}"]
    for judged in review.costly[:MOST]:
        assert judged.better is not None
        taken, better = (_sentence(judged.view, move, names) for move in (judged.move, judged.better.move))
        lost = style.bad(points_in_words(judged.cost, names, 1))
        first = f"  {style.bold(moment(judged.view, names).capitalize())}  {lost}: "
        lines += style.wrapped(names.say("advice.instead", better=better, taken=taken).split(), _INDENT, first)
        if why := style.typed(because(judged.better, names, but="returns")):
            lines += style.wrapped(why.split(), _INDENT, " " * _INDENT)
    return [*lines, *style.wrapped(" ".join(where_lost(review, names)).split(), 2, "  ")]


def where_lost(review: GameReview, names: Names) -> list[str]:
    """Return sentences about lost points, choices not judged, the costliest choice and the best one."""
    given = {"who": names.seat(review.seat), "choices": review.choices}
    left_out = [names.say("advice.left_out", count=review.left_out)] if review.left_out else []
    if not review.costly:
        texts = [names.say("advice.lost_nothing", **given), *left_out]
    else:
        points, worst = points_in_words(review.cost, names), review.costly[0]
        assert worst.better is not None
        taken, better = (_sentence(worst.view, move, names) for move in (worst.move, worst.better.move))
        why = in_one_sentence(worst.better, better, names)
        texts = [names.say("advice.lost", points=points, many=len(review.costly), **given), *left_out]
        texts.append(names.say("advice.lost.most", moment=moment(worst.view, names), taken=taken, why=why))
    if (best := review.best) is not None:
        when, card = moment(best.view, names), _sentence(best.view, best.move, names)
        better = points_in_words(best.lead, names, 1)
        texts.append(names.say_of(review.seat, "advice.best", moment=when, card=card, points=better))
    return texts


def moment(view: View, names: Names) -> str:
    """Return the round and turn of a view in words: ``round 2, turn 5``."""
    parts = [names.say("advice.round", number=view.round)] if names.game.model.rounds > 1 else []
    parts += [names.say("now.turn.open", number=view.turn)] if view.turn else []
    return names.style.comma.join(parts) or names.say("advice.game")


def _sentence(view: View, move: Move, names: Names) -> str:
    return sentence(move.taken, MoveBuilder.of(view), names) or names.say("pick.none")
