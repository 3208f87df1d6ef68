"""Messages to the person who has to choose, and the keys that are offered."""

from __future__ import annotations

from typing import TYPE_CHECKING

from draftengine.apps.play.move_builder import for_target, sentence
from draftengine.apps.tui.lines import joined
from draftengine.apps.tui.scene import CARD_KEYS
from draftengine.model.diagnostics.render.text import width_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.text import Text

    from draftengine.api.state import State
    from draftengine.apps.play.labels import Names
    from draftengine.apps.tui.choosing import Choosing
    from draftengine.apps.tui.styles import Pen

KeyWord = tuple[str, str, str]
"""Text shown for a key, id of the message about it (``key.…``, empty if none), and the key itself."""
_SHORT = {"way", "scores"}
"""Keys that have a shorter text, for narrow screens."""


def prompt(choosing: Choosing, names: Names, pen: Pen) -> list[Text]:
    """Return what is chosen and what is still to do, as a few sentences, most important first."""
    words = sentence(choosing.picking.taken.taken, choosing.picking, names)
    if choosing.no_choice:
        return [
            pen.plain(names.say("said.only", cards=words or names.say("pick.none"))),
            pen.muted(pen.say("screen.only")),
        ]
    offered = _ability_offered(choosing, names, pen)
    if choosing.settled and words:
        key = "screen.chose" if choosing.start.without_cards else "screen.played"
        how = joined(pen.muted(pen.say("screen.now_or_undo")), *(joined(pen.muted(" · "), offer) for offer in offered))
        return [joined(pen.good("✓ "), pen.plain(names.say(key, cards=words))), how]
    if choosing.settled and choosing.start.complete:
        return [pen.plain(pen.say("screen.may_use")), *offered, pen.muted(pen.say("screen.none"))]
    so_far = [pen.plain(f"{names.say('ask.and', cards=words)} ")] if words else []
    return [joined(*so_far, pen.bold(_todo(choosing, names))), *offered]


def _todo(choosing: Choosing, names: Names) -> str:
    """Return the sentence about what is still to be chosen."""
    picking, asked = choosing.picking, choosing.picking.asked
    receiver, ability = picking.receiver(), picking.ability()
    missing = asked.cards - len(picking.taken.cards)
    if receiver:
        return names.say("choose.other", seat=names.extra_seat(receiver))
    if choosing.more:
        return names.say("choose.ability", ability=names.label(ability)) if ability else names.say("choose.two")
    if choosing.start.without_cards:
        return names.say("choose.way")
    if asked.target != "tableau":
        return names.say(for_target("choose.card", asked.target), where=names.label(asked.target))
    if missing > 1:
        return names.say("choose.cards", count=missing)
    return names.say("choose.open" if asked.places else "choose.card")


def _ability_offered(choosing: Choosing, names: Names, pen: Pen) -> list[Text]:
    ability = choosing.ability()
    if not ability or choosing.more:
        return []
    key = "screen.ability.first" if choosing.is_empty else "screen.ability"
    return [pen.muted(names.say(key, ability=names.label(ability)))]


def waiting(state: State, done: int, people: Sequence[int], names: Names, pen: Pen) -> Text:
    """Return whom everybody waits for; `done` is a seat whose choice is being written to disk."""
    seats = [seat for seat in state.waiting if seat != done]
    if not seats:
        return pen.plain(pen.say("screen.keeping"))
    who = names.join_list([names.inside(seat) for seat in seats])
    key = "screen.waiting" if any(seat in people for seat in seats) else "screen.bots"
    return pen.plain(names.say(key, who=who, count=len(seats)))


def keys(choosing: Choosing | None, cards: int, *, coming: bool) -> list[KeyWord]:
    """Return the keys that can be used now."""
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
    key_words += [("o", "way", "o")] if coming else []
    return [*key_words, ("l", "log", "l"), ("?", "help", "?"), ("q", "quit", "q")]


def in_words(key_words: Sequence[KeyWord], columns: int, pen: Pen) -> list[KeyWord]:
    """Return keys with their texts, shortened, or left out, where all do not fit."""

    def worded(key_words: Sequence[KeyWord]) -> list[KeyWord]:
        return [(keys, pen.say(f"key.{word}") if word else "", does) for keys, word, does in key_words]

    known = worded(key_words)
    if _too_wide(known, columns):
        known = worded([(keys, f"{word}.short" if word in _SHORT else word, does) for keys, word, does in key_words])
    for does in _LEFT_OUT_FIRST:
        if _too_wide(known, columns):
            known = [key for key in known if key[2] != does]
    return known


_LEFT_OUT_FIRST = ("l", "s", "w", "o")
"""Keys that the help names, too, so that narrow screens can leave them out."""


def _too_wide(known: Sequence[KeyWord], columns: int) -> bool:
    return 1 + sum(width_of(keys) + width_of(words) + 1 + 2 for keys, words, _ in known) - 2 > columns


def cover(seat: int, state: State, people: Sequence[int], names: Names, pen: Pen) -> list[Text]:
    """Return the screen between two people, which shows nothing of any hand."""
    name = names.seat(seat)
    done = [other for other in state.committed if other in people]
    order = []
    for other in people:
        word = "✓" if other in done else pen.say("cover.now" if other == seat else "cover.later")
        order.append(f"{pen.mark(other)} {names.seat(other)} {word}")
    lines = [joined(pen.accent(f"{pen.mark(seat)}   "), pen.bold(names.say("cover.pass", who=name))), pen.text()]
    if done:
        before = names.seat(done[-1])
        lines += [pen.plain(names.say("cover.chosen", who=before)), pen.muted(pen.say("cover.secret")), pen.text()]
    lines.append(joined(pen.focus("Enter"), pen.plain(f"   {names.say('cover.show', who=name)}")))
    if done:
        lines.append(joined(pen.focus("u"), pen.plain(f"   {names.say('cover.undo', who=names.seat(done[-1]))}")))
    return [*lines, pen.text(), pen.muted("      ".join(order))]
