"""What the table says to the person who has to choose, and which keys it offers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from draftengine.apps.play.move_builder import sentence, what_for
from draftengine.apps.play.table_view import CARD_KEYS
from draftengine.apps.tui.lines import joined
from draftengine.support.locale.english_lists import join_list

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.text import Text

    from draftengine.api.state import State
    from draftengine.apps.play.labels import Names
    from draftengine.apps.tui.choosing import Choosing
    from draftengine.apps.tui.styles import Pen

KeyWord = tuple[str, str, str]
"""What is shown of a key, what it does in a word, and the key."""
_SHORT_WORDS = {"on the way": "way", "scores": "sums"}
"""Words of the key line for where there is little room."""

OVER = "s the sheet · r looks back at your choices · q leaves"


def prompt(choosing: Choosing, names: Names, pen: Pen) -> list[Text]:
    """What is chosen so far and what is still to do; a few sentences, the first the most important."""
    words = sentence(choosing.picking.taken.taken, choosing.picking, names)
    if choosing.no_choice:
        return [pen.plain(f"The only choice: {words or 'no card'}."), pen.muted("Enter goes on")]
    offered = _ability_offered(choosing, names, pen)
    if choosing.settled and words:
        verb = "choose" if choosing.start.without_cards else "play"
        how = joined(pen.muted("Enter now · u undo"), *(joined(pen.muted(" · "), offer) for offer in offered))
        return [joined(pen.good("✓ "), pen.plain(f"You {verb} {words}.")), how]
    if choosing.settled and choosing.start.complete:
        return [pen.plain("You may use an ability."), *offered, pen.muted("Enter for none")]
    so_far = [pen.plain(f"{words}, and: ")] if words else []
    return [joined(*so_far, pen.bold(_todo(choosing, names))), *offered]


def _todo(choosing: Choosing, names: Names) -> str:
    """What is still to be chosen."""
    picking, asked = choosing.picking, choosing.picking.asked
    receiver, ability = picking.receiver(), picking.ability()
    missing = asked.cards - len(picking.taken.cards)
    if receiver:
        return f"Now a card for {names.extra_seat(receiver)}."
    if choosing.more:
        return f"{names.label(ability)}: take another card." if ability else "Choose two cards."
    if choosing.start.without_cards:
        return "Choose."
    if asked.target != "tableau":
        purpose, where = what_for(asked.target, names)
        return f"Choose a card{purpose}{f' ({where})' if where else ''}."
    if missing > 1:
        return f"Choose {missing} cards."
    return "Take a card that nothing lies on." if asked.places else "Choose a card."


def _ability_offered(choosing: Choosing, names: Names, pen: Pen) -> list[Text]:
    ability = choosing.ability()
    if not ability or choosing.more:
        return []
    return [pen.muted(f"{names.label(ability)}: t takes {'one more' if choosing.is_empty else 'another'} card")]


def waiting(state: State, done: int, people: Sequence[int], names: Names, pen: Pen) -> Text:
    """Whom everybody waits for; `done` is a seat whose choice is on its way to the disk."""
    seats = [seat for seat in state.waiting if seat != done]
    if not seats:
        return pen.plain("Your choice is brought to the disk …")
    who = join_list([names.inside(seat) for seat in seats])
    if any(seat in people for seat in seats):
        return pen.plain(f"Waiting for {who}.")
    return pen.plain(f"{who} {'are' if len(seats) > 1 else 'is'} thinking …")


def keys(choosing: Choosing | None, cards: int, *, coming: bool) -> list[KeyWord]:
    """What can be done now."""
    key_words: list[KeyWord] = []
    if choosing is not None:
        keyed = CARD_KEYS[:cards]
        if keyed:
            key_words.append((f"{keyed[0]}–{keyed[-1]}" if len(keyed) > 1 else keyed, "choose", "go"))
        if choosing.ability():
            key_words.append(("t", "two", "t"))
        key_words += [] if choosing.is_empty else [("u", "undo", "u")]
        key_words.append(("h", "hint", "h"))
    key_words += [("w", "why", "w"), ("s", "scores", "s")]
    key_words += [("o", "on the way", "o")] if coming else []
    return [*key_words, ("l", "log", "l"), ("?", "help", "?"), ("q", "quit", "q")]


def shortened(key_words: Sequence[KeyWord]) -> list[KeyWord]:
    """Keys with shorter words, for a narrow screen."""
    return [(label, _SHORT_WORDS.get(words, words), key) for label, words, key in key_words]


def cover(seat: int, state: State, people: Sequence[int], names: Names, pen: Pen) -> list[Text]:
    """What stands on the screen between two people: nothing of anybody's hand."""
    name = names.seat(seat)
    done = [other for other in state.committed if other in people]
    order = []
    for other in people:
        word = "✓" if other in done else "now" if other == seat else "later"
        order.append(f"{pen.mark(other)} {names.seat(other)} {word}")
    lines = [joined(pen.accent(f"{pen.mark(seat)}   "), pen.bold(f"Pass the screen to {name}")), pen.text()]
    if done:
        before = names.seat(done[-1])
        lines += [pen.plain(f"{before} has chosen."), pen.muted("Nothing here tells which card."), pen.text()]
    lines.append(joined(pen.focus("Enter"), pen.plain(f"   I am {name}: show my hand")))
    if done:
        lines.append(joined(pen.focus("u"), pen.plain(f"   {names.seat(done[-1])} chooses again")))
    return [*lines, pen.text(), pen.muted("      ".join(order))]
