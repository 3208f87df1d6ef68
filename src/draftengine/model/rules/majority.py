"""Rule kind *majority*: prizes for the seats that have the most, the fewest, or both.

`most` and `fewest` list the prizes of the first place, the second place and so on. The rule ranks all seats by one
number, such as the number of soups.

    soup: {majority: soup, most: [6, 3], fewest: [-6], tie: split}      # 5, 3, 3, 0 soups: 6, 1, 1, -6

* `tie`: with `split`, tied seats share the points of their place, and each share is rounded toward zero, so a split
  loss never grows. With `split_down`, each share is rounded down instead (-6 for four seats is -2 each). With `full`,
  each of them gets all the points. With `nobody`, none of them gets any. With `next`, the tied seats drop out. The
  place then goes to the seat with the next number that only one seat has.
* `tie_takes_places`: a tie uses up as many places as it has seats, so two seats tied for first leave no second place.
  If false, the seats with the next lower number get the next place. A `next` tie never uses up a place.
* `at_least`: a seat with a lower number is not ranked at all, neither for most nor for fewest, so it wins nothing and
  loses nothing. With the default 0, a seat that has none is ranked, too: it can be second, and usually has the fewest.
  Seats with numbers below zero are only ranked with a lower `at_least`.
* `nobody_if_all_equal`: when all seats, ranked or not, have the same number, nobody gets anything.
* A place with the prize 0 is used up, but nobody gets it. A seat may win a place for most and one for fewest at once.
* `chip`: the winners draw chips blind from that pile instead of getting points. If no prize is given, `most` is [1].
* `unit`: for display only, the measure is divided by this number: with `unit: 2`, 5 is shown as 2.5.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import groupby
from typing import TYPE_CHECKING, Annotated, Any, Literal
from unicodedata import numeric

from msgspec.structs import replace

from draftengine.model.records import field
from draftengine.model.rules.kind import (
    CONSTANT,
    NAMED_PLACES,
    Award,
    Count,
    N,
    Progress,
    QuickReference,
    Rank,
    RankedKind,
    UnusableNumberError,
    count,
    number,
    numbers,
    ordinal,
    rule_kind,
    switch,
    word,
)
from draftengine.support.locale.catalogue import signed
from draftengine.support.locale.phrases import said

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from draftengine.model.records.reader import Formula
    from draftengine.model.rules.kind import Phraser
    from draftengine.support.locale.catalogue import Noun
    from draftengine.support.locale.phrases import Phrase

Tie = Literal["split", "split_down", "full", "nobody", "next"]
Order = Literal["most", "fewest"]

TIE = {
    "split": "tied seats divide what the place is worth and drop the remainder",
    "split_down": "tied seats divide what the place is worth, each share rounded down",
    "full": "each tied seat gets what the place is worth in full",
    "nobody": "nobody gets the place",
    "next": "tied seats drop out, and the place goes to the next number that one seat holds alone",
}


@rule_kind("majority", "Points for the seats with most or fewest")
class Majority(RankedKind[N], frozen=True, kw_only=True):
    one_of = ("most", "fewest", "chip")

    of: Annotated[Count, count("The number that is compared between the seats.", "soup", "kinds(soup, bread)")]
    most: Annotated[
        tuple[N, ...],
        CONSTANT,
        numbers("Places by most", "The prizes for the most, the second most and so on.", [6, 3], [6], longest=20),
    ] = ()
    fewest: Annotated[
        tuple[N, ...],
        CONSTANT,
        numbers(
            "Places by fewest",
            "The prizes for the fewest, the second fewest and so on.",
            [-6],
            ["-2 * players"],
            longest=20,
        ),
    ] = ()
    tie: Annotated[Tie, word(TIE, "Ties", "The prize of seats that are tied for a place.")] = "split"
    tie_takes_places: Annotated[bool, field("A tie takes places", "A tie uses up as many places as it has seats.")] = (
        True
    )
    at_least: Annotated[
        N | None,
        CONSTANT,
        number("At least", "The lowest number that is ranked, for most and for fewest.", 1, default=0),
    ] = None
    nobody_if_all_equal: Annotated[
        N | None,
        CONSTANT,
        switch("Nobody if all are equal", "If all seats have the same number, nobody gets anything.", "players == 2"),
    ] = None
    chip: Annotated[
        str | None,
        field(
            "Chip pile",
            "Winners draw chips from this pile instead of getting points.",
            "soup_chips",
            schema={"type": "string", "minLength": 1},
        ),
    ] = None
    unit: Annotated[
        int,
        field(
            "Unit",
            "The amount that is printed as 1: with 2, the number 5 is shown as 2½.",
            2,
            schema={"type": "integer", "minimum": 1},
        ),
    ] = 1

    of_track: bool = False
    """True if each measure combines a value with the order of arrival at it. Then only the value is shown."""

    def shown(self, measure: int) -> str:
        """Return the measure as printed for players."""
        return in_units(measure // self.unit, 1) if self.of_track else in_units(measure, self.unit)

    def resolve(self, constant: Any) -> Majority[int]:
        resolved: Any = super().resolve(constant)
        one_chip = self.chip is not None and not self.most and not self.fewest
        nobody = bool(resolved.nobody_if_all_equal)
        return replace(resolved, nobody_if_all_equal=nobody, most=(1,) if one_chip else resolved.most)

    def of_a_track(self: Majority[int], places: int) -> Majority[int]:
        """Return the rule for measures that combine a value with the order of arrival.

        Such a measure is the value times `places`, plus a number below `places` for the order.
        """
        return replace(self, at_least=self.threshold * places, unit=self.unit * places, of_track=True)

    def check(self: Majority[Formula], resolved: Majority[int]) -> None:
        for formula, prize in zip((*self.most, *self.fewest), (*resolved.most, *resolved.fewest), strict=True):
            if self.chip is not None and prize < 0:
                raise UnusableNumberError(formula, "chips", prize)

    @property
    def threshold(self: Majority[int]) -> int:
        return self.at_least or 0

    @property
    def pile(self) -> str | None:
        return self.chip

    def prizes(self) -> tuple[Any, ...]:
        return (*self.most, *self.fewest)

    @property
    def splits(self) -> bool:
        """True if tied seats share the prize of their place."""
        return self.tie in {"split", "split_down"}

    # ── the ranking ─────────────────────────────────────────────────────────────────────────────────────────────────

    def rank(self: Majority[int], measures: Sequence[int]) -> list[tuple[Award, ...]]:
        if self.nobody_if_all_equal and len(set(measures)) == 1:
            return [()] * len(measures)
        most, fewest = self._awards("most", measures), self._awards("fewest", measures)
        return [tuple(awards[seat] for awards in (most, fewest) if seat in awards) for seat in range(len(measures))]

    def _awards(self: Majority[int], order: Order, measures: Sequence[int]) -> dict[int, Award]:
        """Return the award of each seat that wins a place for the most or for the fewest."""
        prizes = self.most if order == "most" else self.fewest
        ranked = [seat for seat, measure in enumerate(measures) if measure >= self.threshold]
        ranked.sort(key=lambda seat: measures[seat], reverse=order == "most")
        awards: dict[int, Award] = {}
        place = 1
        for _, group in groupby(ranked, key=lambda seat: measures[seat]):
            seats = list(group)
            if len(seats) > 1 and self.tie == "next":
                continue  # the tied seats drop out, and the place can still be won by others
            if place > len(prizes):
                break
            prize = prizes[place - 1]
            if prize and (len(seats) == 1 or self.tie != "nobody"):
                share = prize
                if self.splits:  # `split` rounds toward zero, `split_down` rounds down
                    down = self.tie == "split_down" or prize > 0
                    share = prize // len(seats) if down else -(-prize // len(seats))
                award = Award(order, place, len(seats), prize, share)
                awards.update(dict.fromkeys(seats, award))
            place += len(seats) if self.tie_takes_places else 1
        return awards

    # ── explanations ────────────────────────────────────────────────────────────────────────────────────────────────

    def explain(self: Majority[int], measure: int, awards: tuple[Award, ...]) -> Phrase:
        amount = self.shown(measure)
        won = []
        for award in awards:
            # The place of the award in words, such as “second fewest, tied by 3 seats”.
            key = f"why.{award.order}"
            place = (
                said(f"{key}.first") if award.place == 1 else said(key, ordinal=ordinal(award.place), count=award.place)
            )
            if self.tie == "next":
                place = said("why.alone", place=place)
            elif award.shared_by != 1:
                place = said("why.tied", place=place, seats=award.shared_by)
            # The way in which the points are calculated: ``6``, ``6 / 2 = 3``, ``-6 / 4 = -1, remainder dropped``.
            points = said("why.chips", count=award.points) if self.chip is not None else str(award.points)
            if award.shared_by != 1 and self.splits:
                rounded = ".dropped" if self.tie == "split" else ".down"
                key = f"why.share{rounded if award.prize % award.shared_by else ''}"
                points = said(key, prize=str(award.prize), seats=award.shared_by, points=points)
            won.append(said("why.place", amount=amount, place=place, points=points))
        if won:
            return won[0] if len(won) == 1 else said("why.places", first=won[0], second=won[1])
        if measure < self.threshold:
            return said("why.unranked", amount=amount, least=self.shown(self.threshold))
        return said("why.nothing", amount=amount)

    def progress(self, measure: int, awards: tuple[Award, ...]) -> Progress:
        """Return the measure, and the places that a seat with it would win if the rule were scored now."""
        ranks = tuple(Rank(award.order, award.place, award.shared_by > 1) for award in awards)
        return Progress(measure, count=self.shown(measure), ranks=ranks)

    # ── sentences ───────────────────────────────────────────────────────────────────────────────────────────────────

    def sentence(self, numbers: Majority[int], phraser: Phraser) -> str:
        of, _ = phraser.measure(self.of)
        sentences = [*numbers._phrase_places(phraser, of)]
        # Special cases: too few to be ranked, ties, and nothing for some seats.
        most, fewest = _without_empty_end(numbers.most), _without_empty_end(numbers.fewest)
        prizes = (*most, *fewest)
        if numbers.threshold > 0:
            key = "majority.without" if numbers.threshold in {1, numbers.unit} else "majority.fewer"
            key += "" if fewest else "_most"
            sentences.append(phraser.phrase(key, of=of, least=in_units(numbers.threshold, numbers.unit)))
        ahead = phraser.ahead_on(self.of)
        if ahead:
            sentences.append(phraser.phrase(f"track.{ahead}"))
        elif prizes and not self.splits:
            sentences.append(phraser.phrase(f"tie.{self.tie}"))
        elif prizes and self.chip is not None:
            sentences.append(phraser.phrase("tie.chips"))
        elif prizes:
            loss, gain = min(prizes) < 0, max(prizes) > 0
            sentences.append(phraser.phrase(f"tie.{self.tie}{('_both' if gain else '_loss') if loss else ''}"))
        if len(most) > 1 and self.tie != "next" and not ahead:
            left_out = "tie.no_second" if len(most) == 2 else "tie.no_places"  # noqa: PLR2004 (first and second)
            sentences.append(phraser.phrase(left_out if self.tie_takes_places else "tie.second"))
        if numbers.threshold == 0 and of.sort in {"card", "counter"} and (fewest or len(most) > 1):
            sentences.append(phraser.phrase("majority.none_counts"))
        if numbers.nobody_if_all_equal:
            sentences.append(phraser.phrase("majority.all_equal"))
        return phraser.phrase("space").join(sentences)

    def _phrase_places(self: Majority[int], phraser: Phraser, of: Noun) -> Iterator[str]:
        most, fewest = _without_empty_end(self.most), _without_empty_end(self.fewest)
        if len(most) == len(fewest) == 1:
            first, last = (self._phrase_prize(prize, phraser) for prize in (*most, *fewest))
            yield phraser.phrase("majority.both", of=of, first=first, last=last)
            return
        for order, prizes in (("most", most), ("fewest", fewest)):
            if prizes:
                phrases = [self._phrase_prize(prize, phraser, later=at > 0) for at, prize in enumerate(prizes)]
                for place, prize in enumerate(phrases[1:], start=2):
                    phrases[place - 1] = phraser.phrase(
                        f"majority.next_{order}", place=_ordinal(place, phraser), prize=prize
                    )
                yield phraser.phrase(f"majority.{order}", of=of, prizes=phraser.join_list(phrases, "comma"))

    def _phrase_prize(self, prize: int, phraser: Phraser, *, later: bool = False) -> str:
        if self.chip is not None:
            return phraser.phrase("prize.chips", count=prize, pile=phraser.thing(self.chip))
        if not prize:
            return phraser.phrase("prize.next_nothing" if later else "prize.nothing")
        key = "prize.loss" if prize < 0 else "prize.next" if later else "prize.points"
        return phraser.phrase(key, points=abs(prize))

    def exception_sentence(self, usual: Majority[int], other: Majority[int], phraser: Phraser, when: str) -> str | None:
        """Return a sentence about one difference: no prizes for fewest, none if all are equal, or others."""
        if not any(other.fewest) and any(usual.fewest) and other.most == usual.most:
            lost = any(prize < 0 for prize in usual.fewest)
            return phraser.phrase("majority.nobody_loses" if lost else "majority.no_fewest", when=when)
        same_places = (other.most, other.fewest) == (usual.most, usual.fewest)
        if other.nobody_if_all_equal and not usual.nobody_if_all_equal and same_places:
            return phraser.when_that(when, phraser.phrase("majority.all_equal"))
        if replace(other, most=usual.most, fewest=usual.fewest) == usual:
            places = phraser.phrase("space").join(other._phrase_places(phraser, phraser.measure(self.of)[0]))
            return phraser.when_that(when, places)
        return None

    def quick_reference(self, numbers: Majority[int], phraser: Phraser) -> QuickReference:
        cells = []
        for order, prizes in (("most", numbers.most), ("fewest", numbers.fewest)):
            for place, prize in enumerate(_without_empty_end(prizes), start=1):
                head = phraser.phrase(f"quick.{order}")
                if place > 1:
                    head = phraser.phrase("quick.place", place=_ordinal(place, phraser))
                cells.append((head, signed(prize) if self.chip is None else f"{prize} ○"))
        counts = phraser.join_list([head for head, _ in cells], "comma")
        # In a few words each: the effect of a tie, and the seats that get nothing.
        ahead = phraser.ahead_on(self.of)
        tie = f"quick.track.{ahead}" if ahead else f"quick.tie.{self.tie}"
        notes = [phraser.phrase("quick.tie.chips" if self.chip and self.splits and not ahead else tie)]
        places = len(_without_empty_end(numbers.most))
        if places > 1 and self.tie != "next" and not ahead:
            left_out = "no_second" if places == 2 else "no_places"  # noqa: PLR2004 (first and second)
            notes.append(phraser.phrase(f"quick.{left_out if self.tie_takes_places else 'second'}"))
        if numbers.threshold > 0:
            unit = max(self.unit, phraser.measure(self.of)[1])
            notes.append(phraser.phrase("quick.least", least=in_units(numbers.threshold, unit)))
        if numbers.nobody_if_all_equal:
            notes.append(phraser.phrase("quick.all_equal"))
        return QuickReference(counts, tuple(cells), notes=tuple(notes))

    def example_text(self, measure: int, awards: tuple[Award, ...], phraser: Phraser) -> str:
        unit = max(self.unit, phraser.measure(self.of)[1])
        count = phraser.phrase("told.count", count=in_units(measure, unit))
        if not awards:
            return phraser.phrase("told.unplaced", count=count)
        first = "alone" if self.tie == "next" else 1  # others may have more, and tie
        places = [(award.order, first if award.place == 1 else min(award.place, 3)) for award in awards]
        parts = [phraser.phrase(f"place.{order}.{place}") for order, place in places]
        parts += [
            phraser.phrase("told.share", prize=signed(award.prize), seats=award.shared_by)
            for award in awards
            if award.shared_by > 1 and self.splits
        ]
        return phraser.phrase("told.placed", count=count, place=phraser.join_list(parts, "comma"))

    def example_values(self: Majority[int]) -> tuple[tuple[int, ...], ...]:
        """Return the measures of four seats; two of them are tied."""
        if self.fewest:
            return ((4, 3, 0, 0),) if self.most else ((4, 3, 1, 1),)
        return ((2, 2, 1, 0),) if self.tie == "next" else ((5, 3, 2, 3),)


_FRACTIONS = {Fraction(numeric(sign)).limit_denominator(9): sign for sign in "½⅓⅔¼¾⅕⅖⅗⅘"}
"""The fractions for which there is a single character, such as ½, with that character."""


def in_units(measure: int, unit: int) -> str:
    """Return a measure as printed: 5 is ``5`` with unit 1, ``2½`` with unit 2, and ``5/7`` with unit 7."""
    value = Fraction(measure, unit)
    whole, part = divmod(abs(value), 1)
    if part and part not in _FRACTIONS:
        return str(value)
    return f"{'-' if value < 0 else ''}{whole or ('' if part else 0)}{_FRACTIONS.get(part, '')}"


def _without_empty_end(prizes: Sequence[int]) -> Sequence[int]:
    """Return the prizes without the zeros at the end."""
    used = max((place for place, prize in enumerate(prizes, start=1) if prize), default=0)
    return prizes[:used]


def _ordinal(place: int, phraser: Phraser) -> str:
    return phraser.phrase(f"ordinal.{place}") if place <= NAMED_PLACES else phraser.phrase("ordinal", place=place)
