"""Effects on one seat: points, take, add, set, chip and discard."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, ClassVar

from msgspec.structs import replace

from draftengine.model import limits
from draftengine.model.language.macros import as_number
from draftengine.model.language.tree import Binary, Call, Conditional, Name, Number, Unary
from draftengine.model.records import (
    CardOrFamilyNames,
    MarkerTaken,
    PileName,
    SeatAmounts,
    SeatNumber,
    field,
)
from draftengine.model.records.reader import Formula
from draftengine.model.records.schema_fragments import ID, Schema, ref
from draftengine.model.verbs.verb import Step, joined

if TYPE_CHECKING:
    from collections.abc import Callable

    from draftengine.model.language.macros import Track
    from draftengine.model.language.tree import Expr
    from draftengine.model.records.reader import Amount, Reader
    from draftengine.model.verbs.verb import Words
    from draftengine.support.locale.catalogue import Noun


class Effect(Step, frozen=True, kw_only=True):
    """Base class of the verbs in this module."""

    is_effect = True
    in_lists = True


class PointsStep(Effect, frozen=True, kw_only=True):
    """Points: the seat immediately gains or loses points.

    - points: 2
    """

    verb = "points"
    bare = True

    amount: Annotated[SeatNumber, field("Points", "The number of points that the seat gets.", 2)]

    def sentence(self, words: Words) -> str:
        value = words.constant(self.amount.expr)
        if value is None:
            return words.phrase("effect.points_of", text=words.amount(self.amount.expr))
        return words.phrase("effect.points" if value >= 0 else "effect.loss", points=abs(value))


class TakeStep(Effect, frozen=True, kw_only=True):
    """Take: the seat takes a marker from its holder.

    - take: trophy
    """

    verb = "take"
    bare = True

    marker: Annotated[MarkerTaken, field("Take", "The seat takes the marker.", "trophy")]

    def sentence(self, words: Words) -> str:
        return words.phrase("effect.take", marker=words.marker(self.marker))


class Changing(Effect, frozen=True, kw_only=True):
    """Base class of the effects that change counters: `add` and `set`."""

    bare = True

    amounts: SeatAmounts

    def spread(self, reader: Reader) -> tuple[Step, ...]:
        """Return this step with counters of zones that have copies replaced by the counters of the copies.

        In a step about one copy, the counter of this copy replaces it. In other steps, the counters of all copies do.
        """
        board, here, card = reader.short.board, reader.short.here, reader.short.card
        zones, on_cards = dict(board.counters), dict(board.on_cards)
        amounts: list[Amount] = []
        for amount in self.amounts:
            names = [amount.counter]
            if amount.counter in here:
                names = [here[amount.counter]]
            elif amount.counter in zones:
                copies = range(1, len(board.copies(zones[amount.counter])) + 1)
                names = [f"{amount.counter}_{copy}" for copy in copies]
            elif amount.counter in on_cards and not card:
                names = [board.on_card(amount.counter, other) for other in on_cards[amount.counter]]
            elif amount.counter in on_cards:
                names = [name] if (name := board.on_card(amount.counter, card)) else []
                if on_cards[amount.counter] and not names:
                    reader.report("misplaced-step", self.verb, say="on-card", counter=amount.counter)
                    continue
            amounts += [replace(amount, counter=name) for name in names]
            amounts += [self.arrives(track, amount) for track in board.tracks if track.name == amount.counter]
        return (replace(self, amounts=tuple(amounts)),)

    def arrives(self, track: Track, amount: Amount) -> Amount:
        """Return the amount by which a seat's order of arrival changes when its value on a track changes."""
        value, now = amount.formula.expr, Name(track.counter)
        if self.verb == AddStep.verb:
            expr: Expr = Binary("-", track.arrival(Binary("+", Name(track.name), value)), now)
        else:
            expr = track.arrival(value)
        return replace(amount, counter=track.counter, formula=replace(amount.formula, expr=expr))

    def listed_in(self, words: Words, phrase: Callable[[Amount, Noun, Words], str]) -> str:
        """Return the phrases for all amounts as a list. A counter that every card has gets one phrase for all."""
        phrases = []
        for amount in self.shown:
            counter, of_all = words.counter(amount.counter), words.on_cards(amount.counter)
            if of_all is not None and sum(other.span == amount.span for other in self.shown) > 1:
                counter = replace(of_all, sort="on_cards")
            phrases.append(phrase(amount, counter, words))
        return words.join_list(list(dict.fromkeys(phrases)))

    @property
    def shown(self) -> tuple[Amount, ...]:
        """The amounts of counters that players see."""
        return tuple(amount for amount in self.amounts if ":" not in amount.counter)


class AddStep(Changing, frozen=True, kw_only=True):
    """Add: formulas are added to counters of the seat, within the declared bounds.

    - add: {stars: 1}
    """

    verb = "add"

    amounts: Annotated[SeatAmounts, field("Add", "Add to counters.", {"stars": 1})]

    def sentence(self, words: Words) -> str:
        return self.listed_in(words, _added)


def _added(amount: Amount, counter: Noun, words: Words) -> str:
    match as_number(amount.formula.expr):
        case Conditional(Number() as then, condition, Number(0)):
            text = _added(replace(amount, formula=replace(amount.formula, expr=then)), counter, words)
            return words.phrase("effect.if", text=text, condition=words.condition(condition))
        case Unary("-", less) | Binary("-", Number(0), less) if words.constant(amount.formula.expr) is None:
            return words.phrase("effect.subtract", of=counter, text=words.amount(less))
    value = words.constant(amount.formula.expr)
    text = words.amount(amount.formula.expr) if value is None else str(abs(value))
    return words.phrase("effect.subtract" if value is not None and value < 0 else "effect.add", of=counter, text=text)


class SetStep(Changing, frozen=True, kw_only=True):
    """Set: counters of the seat get the values of formulas, within the declared bounds."""

    verb = "set"

    amounts: Annotated[SeatAmounts, field("Set", "Set counters.", {"stars": 0})]

    def sentence(self, words: Words) -> str:
        return self.listed_in(words, _set_one)


def _set_one(amount: Amount, counter: Noun, words: Words) -> str:
    """Return the phrase for a counter's new value.

    If it is the `max` or `min` of the old value and another one, the phrase says “raise to” or “lower to”.
    """
    key_, expr = "effect.set", amount.formula.expr
    if isinstance(expr, Call) and expr.function in {"max", "min"}:
        others = [part for part in expr.arguments if not (isinstance(part, Name) and part.id == amount.counter)]
        if len(others) == 1 and len(expr.arguments) > 1:
            key_, expr = "effect.raise" if expr.function == "max" else "effect.lower", others[0]
    return words.phrase(key_, of=counter, text=words.amount(expr))


class ChipStep(Effect, frozen=True, kw_only=True):
    """Chip: the seat draws a chip blind from a pile, if one is left.

    - chip: soup_chips
    """

    verb = "chip"
    bare = True

    pile: Annotated[PileName, field("Chip", "Draw a chip from this pile.", "soup_chips")]

    def sentence(self, words: Words) -> str:
        return words.phrase("effect.chip", pile=words.thing(self.pile))


class DiscardStep(Effect, frozen=True, kw_only=True):
    """Discard: cards leave the seat's tableau and no longer count. The card laid last leaves first.

    A *modifier* is a card that changes a later one. Unchanged cards leave before changed cards. If the tableau has
    fewer cards than the step names, all of them leave.

    - discard: soup                           # one of them
    - discard: {of: [soup, bread]}            # all of them
    - discard: {of: soup, cards: soups_now}
    """

    verb = "discard"
    said = field("Discard", "Discard one card, or several, from the seat's tableau.", "soup", {"of": "soup"})
    alone: ClassVar[Schema | None] = {"pattern": ID, "maxLength": limits.NAME}

    of: Annotated[
        CardOrFamilyNames, field("Of", "The cards, or families of cards, to discard.", "soup", schema=ref("names"))
    ]
    cards: Annotated[
        SeatNumber | None,
        field("Cards", "The largest number of cards to discard; those laid last leave first. Default: all.", 2),
    ] = None

    @classmethod
    def meant_by(cls, word: str, reader: Reader) -> dict[str, Any]:
        return {"of": (word,), "cards": Formula("1", Number(1), reader.span)}

    @classmethod
    def path_to(cls, name: str) -> str:
        return "/discard" if name == "of" else super().path_to(name)

    def admits(self, card: str, families: tuple[str, ...]) -> bool:
        """True if the step may discard a card, or a wild card that is played as that card."""
        return not {card, *families}.isdisjoint(self.of)

    def sentence(self, words: Words) -> str:
        nouns = [words.family(name) if words.is_family(name) else words.card_noun(name) for name in self.of]
        if self.cards is None:
            return words.join_list([words.phrase("effect.discard_all", of=noun) for noun in nouns])
        number = words.constant(self.cards.expr)
        if number == 1:
            return words.phrase("effect.discard", of=joined(nouns, words, "or"))
        how = "effect.discard_some" if number is None else "effect.discard_number"
        return words.phrase(how, of=joined(nouns, words, "or"), text=words.amount(self.cards.expr))
