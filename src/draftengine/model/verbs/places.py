"""Zones that exist in several copies: a step that names such a zone becomes steps for the copies.

A step such as ``draw: {to: row}`` becomes one step for each copy of ``row``. A choice whose target is ``row`` gets an
action for each copy. An action with ``take: row`` becomes one action for each copy.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, TypeVar

from msgspec.structs import replace

from draftengine.model.language.macros import ANY_CARD, CARD_NUMBER, EACH_LYING, UNKNOWN, as_condition, expand
from draftengine.model.language.tree import Binary, Call, Comparison, LogicalOp, Name, Number, nodes_in
from draftengine.model.records import field
from draftengine.model.records.reader import ByPlayerCount, Formula
from draftengine.model.records.schema_fragments import ID, ref
from draftengine.model.yaml.tree import Sequence

if TYPE_CHECKING:
    from draftengine.model.language.tree import Expr
    from draftengine.model.records.reader import Reader, Texts
    from draftengine.model.verbs.verb import Step
    from draftengine.support.source import Span


AStep = TypeVar("AStep", bound="Step")


def for_each_copy(step: AStep, names: tuple[str, ...], reader: Reader) -> tuple[AStep, ...]:
    """Return a step for each copy of the zones in the fields `names`; the step itself if none has copies.

    If several zones have copies, the first step uses the first copy of each, and so on. A zone that exists only once is
    used in each step. The condition of each new step is only that there are enough players for its copy.
    """
    board = reader.short.board
    if any(board.naming_of_place(getattr(step, name)) for name in names):
        return for_each_named(step, names, reader)
    zones = {name: getattr(step, name) for name in names}
    longest = max(zones.values(), key=lambda zone: len(board.copies(zone)))
    steps = []
    for number, _ in enumerate(board.copies(longest)):
        here = {
            name: copies[number % len(copies)] if (copies := board.copies(zone)) else zone
            for name, zone in zones.items()
        }
        steps.append(replace(step, when=_with(None, board.there(longest, number + 1), step.span), **here))
    return tuple(steps) or (step,)


def for_each_named(step: AStep, names: tuple[str, ...], reader: Reader) -> tuple[AStep, ...]:
    """Return a step for each copy of a zone that a name in the fields `names` can mean.

    The condition of each step is only that the name means its copy. Without such a name, return the step itself.
    """
    board = reader.short.board
    naming = next((given for name in names if (given := board.naming_of_place(getattr(step, name)))), None)
    if naming is None:
        return (step,)
    steps = []
    for candidate in board.candidates(naming.of):
        here = {name: candidate.id for name in names if getattr(step, name) == naming.name}
        if not here.keys() >= {*names} and candidate.id in {getattr(step, name) for name in names}:
            continue  # two names may stand for the same place; then nothing moves
        one = replace(step, when=Formula(naming.name, naming.is_it(candidate.number), step.span), **here)
        steps += [
            other if other is one else replace(other, when=both(one.when, other.when, step.span))
            for other in for_each_named(one, names, reader)
        ]
    return tuple(steps)


def _with(when: Formula | None, more: Expr | None, span: Span) -> Formula | None:
    """Return the condition that both `when` and `more` hold. None stands for no condition."""
    if more is None:
        return when
    if when is None:
        return Formula("copies", more, span)
    return replace(when, expr=LogicalOp("and", more, when.expr))


def cards_of(reader: Reader, name: str) -> tuple[str, ...]:
    """Return the cards and families listed under a key; none if the value is a condition or a given name."""
    if _is_condition(reader, name):
        return ()
    reader.report_twice(name)
    return reader.words(name)


def _is_condition(reader: Reader, name: str) -> bool:
    """True if the value under a key is a condition about each card, or a name that a step gives to a card."""
    words, listed = reader.words(name), isinstance(reader.node.get(name), Sequence)
    if len(words) != 1:
        return False
    naming = reader.short.board.naming(words[0])
    if naming is not None and naming.is_card:
        return True
    return not listed and (words[0] in reader.short.defined or not re.fullmatch(ID, words[0]))


def _condition_of(reader: Reader, card: str) -> Formula | None:
    """Return the condition that `of` states for each card; ``None`` if it lists cards and families."""
    if not _is_condition(reader, "of"):
        return None
    word = reader.word("of")
    naming = reader.short.board.naming(word)
    if naming is not None:
        return Formula(word, naming.is_it(Name(f"{UNKNOWN[card]}{CARD_NUMBER}")), reader.span)
    mistakes = len(reader.findings)
    such = reader.about(card).condition_about_card("of")
    if is_about(card, such.expr) or len(reader.findings) > mistakes:
        return such
    reader.report("bad-name", "of", say="not-of-a-card", text=word)
    return None


OF_CARDS = field(
    "Of",
    "Only these cards (or cards of these families), or those for which a condition about its(…) holds; all if there is "
    "no number. From a pile that all see.",
    "soup",
    ["soup"],
    "its(value) > 3",
    schema=ref("cards_meant"),
    read=cards_of,
)
SUCH_CARDS = field("", "", read=lambda reader, _: _condition_of(reader, EACH_LYING))
SUCH_TO_CHOOSE = field("", "", read=lambda reader, _: _condition_of(reader, ANY_CARD))


def up_to(holds: int, zone: str, span: Span) -> ByPlayerCount:
    """Return a number of cards: as many as a zone lacks to have `holds` cards."""
    expr = Binary("-", Number(holds), cards_in(zone))
    return ByPlayerCount(((None, Formula(f"{holds} - cards({zone})", expr, span)),), span)


def all_of(zone: str, span: Span) -> ByPlayerCount:
    """Return a number of cards: as many as there are in a zone."""
    return ByPlayerCount(((None, Formula(f"cards({zone})", cards_in(zone), span)),), span)


def cards_in(zone: str) -> Expr:
    """Return the formula for the number of cards in a zone."""
    return Call("cards", (Name(zone),))


def limits_of(zone: str, number: Expr, reader: Reader, span: Span) -> tuple[Formula | None, Formula | None]:
    """Return the conditions for putting `number` cards into a zone: about the card, and about the seat.

    The zone may be a copy of another one, which then has the condition that there are enough players for it.
    """
    board = reader.short.board
    base, copy = board.copy_of(zone)
    places, short = board.places_of(base), reader.about(ANY_CARD).short
    such: Expr | None = None
    conditions = [board.there(base, copy)] if copy else []
    if places.fits is not None:
        fits = as_condition(expand(places.fits, short.at(base, copy) if copy else short), reader.short)
        such = fits if is_about(ANY_CARD, fits) else None
        conditions.append(None if such else fits)
    if places.holds is not None:
        if isinstance(number, Number):
            room = Comparison("<", cards_in(zone), Number(places.holds - number.value + 1))
        else:
            room = Comparison("<=", Binary("+", cards_in(zone), number), Number(places.holds))
        conditions.append(room)
    when: Formula | None = None
    for condition in conditions:
        when = _with(when, condition, span)
    return _with(None, such, span), when


def is_about(card: str, expr: Expr) -> bool:
    """True if a formula reads values of a card that is not known yet: `card` is a key of `UNKNOWN`."""
    return any(isinstance(node, Name) and node.id.startswith(UNKNOWN[card]) for node in nodes_in(expr))


def both(one: Formula | None, other: Formula | None, span: Span) -> Formula | None:
    """Return the condition that both formulas hold. None stands for no condition."""
    return _with(other, None if one is None else one.expr, span)


def numbered_label(label: Texts, number: int) -> Texts:
    """Return the label of a zone's copy in every language: the label of the zone, then the copy's number."""
    return tuple((language, f"{text} {number}") for language, text in label)
