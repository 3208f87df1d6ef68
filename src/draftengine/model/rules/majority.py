"""Majority: places by who has most, who has fewest, or both.

`most` and `fewest` list what the first, second, ... place gets. Ledger O-16 to O-19, O-28 to O-32, S-11, S-16, A-21,
A-26, D-11 to D-14, D-17, D-18, Q5 to Q7, Q37.

    soup: {kind: majority, of: soup, most: [6, 3], fewest: [-6], tie: split}      # 5, 3, 3, 0 soups: 6, 1, 1, -6

* `tie`: tied seats `split` the points of their place, the remainder dropped (toward zero, so a split loss never grows);
  `split_down` rounds each share down instead (-6 for four seats is -2 each); they get the points in `full` each; get
  nothing (`nobody`); or drop out, and the place goes to the `next` number that one seat holds alone.
* `tie_takes_places`: a tie uses up as many places as it has seats, so two seats tied for first leave no second place.
  When false, the next lower number always gets the next place. A `next` tie never uses up a place.
* `at_least`: a seat with less is not ranked at all, neither for most nor for fewest; it wins nothing and loses nothing.
  The default 0 ranks seats that have none (who has none can be second, and usually has fewest). It leaves out numbers
  below zero; give a lower `at_least` to rank them.
* `nobody_if_all_equal`: when all seats, ranked or not, have the same number, nobody gets anything.
* A place worth 0 is used up, but nobody gets it. A seat may be placed for most and for fewest at once.
* `chip`: the places are worth blind draws from that pile instead of points; with no place written, `most` is then [1].
* `unit`: the measure counts parts of this size, only for display: with `unit: 2`, 5 is shown as 2.5.
"""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from functools import partial
from itertools import groupby
from typing import TYPE_CHECKING, Literal, cast

from msgspec import Struct
from msgspec.structs import replace

from draftengine.model.rules.fields import described, flag, formula, number, numbers, word
from draftengine.model.rules.kind import Award, Progress, QuickReference, RankedKind, UnusableNumberError
from draftengine.support.locale.catalogue import signed
from draftengine.support.locale.english_lists import counted, ordinal

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from draftengine.model.loading.reader import Reader
    from draftengine.model.records.values import Formula
    from draftengine.model.rules.kind import Constant, Phraser
    from draftengine.support.locale.catalogue import Noun

Tie = Literal["split", "split_down", "full", "nobody", "next"]
Order = Literal["most", "fewest"]

TIE = {
    "split": "tied seats divide what the place is worth and drop the remainder",
    "split_down": "tied seats divide what the place is worth, each share rounded down",
    "full": "each tied seat gets what the place is worth in full",
    "nobody": "nobody gets the place",
    "next": "tied seats drop out, and the place goes to the next number that one seat holds alone",
}

PROPERTIES = {
    "of": formula("What is compared between the seats.", ["soup", "kinds(soup, bread)"]),
    "most": numbers("Places by most", "What first, second, ... most get.", [[6, 3], [6]], longest=20),
    "fewest": numbers("Places by fewest", "What fewest, second fewest, ... get.", [[-6], ["-2 * players"]], longest=20),
    "tie": word(TIE, "split", "Ties", "What happens when seats are tied for a place."),
    "tie_takes_places": flag("A tie takes places", "A tie uses up as many places as it has seats.", default=True),
    "at_least": number("At least", "A seat with less is not ranked, neither for most nor for fewest.", [1], default=0),
    "nobody_if_all_equal": described(
        {"type": ["boolean", "integer", "string"], "minLength": 1},
        "Nobody if all are equal",
        "When all seats have the same number, nobody gets anything. True, false, or a formula of players, parameters.",
        [True, "players == 2"],
        default=False,
    ),
    "chip": described(
        {"type": "string", "minLength": 1}, "Chip pile", "Draw chips of this pile instead of points.", ["soup_chips"]
    ),
    "unit": described(
        {"type": "integer", "minimum": 1},
        "Unit",
        "How many of the measure are one in print: with 2, a measure of 5 is shown as 2.5.",
        [2],
        default=1,
    ),
}


class Spec(Struct, frozen=True):
    of: Formula
    most: tuple[Formula, ...]
    fewest: tuple[Formula, ...]
    tie: Tie
    tie_takes_places: bool
    at_least: Formula | None
    nobody_if_all_equal: Formula | None
    chip: str | None
    unit: int


class Numbers(Struct, frozen=True):
    most: tuple[int, ...]
    fewest: tuple[int, ...]
    tie: Tie
    tie_takes_places: bool
    at_least: int
    nobody_if_all_equal: bool
    chips: bool
    unit: int


def read(reader: Reader) -> Spec:
    return Spec(
        of=reader.formula("of"),
        most=reader.formulas("most"),
        fewest=reader.formulas("fewest"),
        tie=cast("Tie", reader.word("tie", "split")),
        tie_takes_places=reader.flag("tie_takes_places", default=True),
        at_least=reader.optional_formula("at_least"),
        nobody_if_all_equal=reader.optional_formula("nobody_if_all_equal"),
        chip=reader.optional_word("chip"),
        unit=reader.int("unit", 1),
    )


def inputs(spec: Spec) -> tuple[Formula, ...]:
    return (spec.of,)


def constants(spec: Spec) -> tuple[Formula, ...]:
    single = (spec.at_least, spec.nobody_if_all_equal)
    return (*spec.most, *spec.fewest, *(formula for formula in single if formula is not None))


def resolve(spec: Spec, constant: Constant) -> Numbers:
    prize = partial(_prize, constant=constant, chips=spec.chip is not None)
    return Numbers(
        most=(1,) if _one_chip(spec) else tuple(map(prize, spec.most)),
        fewest=tuple(map(prize, spec.fewest)),
        tie=spec.tie,
        tie_takes_places=spec.tie_takes_places,
        at_least=0 if spec.at_least is None else constant(spec.at_least),
        nobody_if_all_equal=spec.nobody_if_all_equal is not None and bool(constant(spec.nobody_if_all_equal)),
        chips=spec.chip is not None,
        unit=spec.unit,
    )


def _prize(formula: Formula, constant: Constant, *, chips: bool) -> int:
    prize = constant(formula)
    if chips and prize < 0:
        raise UnusableNumberError(formula, f"Nobody can draw {prize} chips.")
    return prize


def _one_chip(spec: Spec) -> bool:
    """A chip rule without places: the most get one chip."""
    return spec.chip is not None and not spec.most and not spec.fewest


def chip(spec: Spec) -> str | None:
    return spec.chip


def rank(numbers: Numbers, measures: Sequence[int]) -> list[tuple[Award, ...]]:
    """Rank by most and by fewest; a seat may have an award of each."""
    if numbers.nobody_if_all_equal and len(set(measures)) == 1:
        return [()] * len(measures)
    most = _awards("most", numbers.most, numbers, measures)
    fewest = _awards("fewest", numbers.fewest, numbers, measures)
    return [tuple(awards[seat] for awards in (most, fewest) if seat in awards) for seat in range(len(measures))]


def threshold(numbers: Numbers) -> int:
    return numbers.at_least


def _awards(order: Order, prizes: Sequence[int], numbers: Numbers, measures: Sequence[int]) -> Mapping[int, Award]:
    """The awards of one direction by seat."""
    awards: dict[int, Award] = {}
    for place, seats in _places(order, numbers, measures):
        if place > len(prizes):
            break
        prize = prizes[place - 1]
        if prize and (len(seats) == 1 or numbers.tie != "nobody"):
            award = Award(order, place, len(seats), prize, _share(prize, len(seats), numbers.tie))
            awards.update(dict.fromkeys(seats, award))
    return awards


def _places(order: Order, numbers: Numbers, measures: Sequence[int]) -> Iterator[tuple[int, list[int]]]:
    """The places in order with the seats that hold them."""
    ranked = [seat for seat, measure in enumerate(measures) if measure >= numbers.at_least]
    ranked.sort(key=lambda seat: measures[seat], reverse=order == "most")
    place = 1
    for _, group in groupby(ranked, key=lambda seat: measures[seat]):
        seats = list(group)
        if len(seats) > 1 and numbers.tie == "next":
            continue
        yield place, seats
        place += len(seats) if numbers.tie_takes_places else 1


def _share(prize: int, seats: int, tie: Tie) -> int:
    """One seat's part of a place; `split` drops the remainder toward zero."""
    if not _is_split(tie):
        return prize
    return prize // seats if tie == "split_down" or prize > 0 else -(-prize // seats)


def _is_split(tie: Tie) -> bool:
    return tie in {"split", "split_down"}


def explain(numbers: Numbers, measure: int, awards: tuple[Award, ...]) -> str:
    amount = in_units(measure, numbers.unit)
    if awards:
        return "; ".join(f"{amount} is {_standing(award, numbers)}: {_arithmetic(award, numbers)}" for award in awards)
    if measure < numbers.at_least:
        return f"{amount} is not ranked, at least {in_units(numbers.at_least, numbers.unit)} needed"
    return f"{amount} gets nothing"


def in_units(measure: int, unit: int) -> str:
    """A measure in print: 5 is ``5``, with unit 2 ``2.5``, with unit 3 ``5/3``."""
    value = Fraction(measure, unit)
    if value.denominator == 1 or 1000 % value.denominator:
        return str(value)
    return f"{Decimal(value.numerator) / value.denominator:f}"


def _standing(award: Award, numbers: Numbers) -> str:
    """``the most``, ``second fewest, tied by 3 seats``."""
    rank_ = f"the {award.order}" if award.place == 1 else f"{ordinal(award.place)} {award.order}"
    if numbers.tie == "next":
        return f"{rank_} held by one seat alone"
    return rank_ if award.shared_by == 1 else f"{rank_}, tied by {award.shared_by} seats"


def _arithmetic(award: Award, numbers: Numbers) -> str:
    """``6``, ``6 / 2 = 3``, ``-6 / 4 = -1, remainder dropped``."""
    total = counted(award.points, "chip") if numbers.chips else str(award.points)
    if award.shared_by == 1 or not _is_split(numbers.tie):
        return total
    how = "remainder dropped" if numbers.tie == "split" else "rounded down"
    rounded = f", {how}" if award.prize % award.shared_by else ""
    return f"{award.prize} / {award.shared_by} = {total}{rounded}"


def progress(numbers: Numbers, measure: int, awards: tuple[Award, ...]) -> Progress:
    """The measure, and the places that it would have now."""
    places = [f"{_place(award)}{' (shared)' if award.shared_by > 1 else ''}" for award in awards]
    return Progress(measure, text=" · ".join([in_units(measure, numbers.unit), *places]))


def _place(award: Award) -> str:
    return award.order if award.place == 1 else f"{ordinal(award.place)} {award.order}"


def sentence(spec: Spec, numbers: Numbers, speaker: Phraser) -> str:
    of = speaker.noun(spec.of)
    return speaker.phrase("space").join(
        [*_places_said(spec, numbers, speaker, of), *_exceptions(spec, numbers, speaker, of)]
    )


def _places_said(spec: Spec, numbers: Numbers, speaker: Phraser, of: Noun) -> Iterator[str]:
    most, fewest = _given(numbers.most), _given(numbers.fewest)
    if len(most) == len(fewest) == 1:
        first, last = (_prize_said(spec, prize, speaker) for prize in (*most, *fewest))
        yield speaker.phrase("majority.both", of=of, first=first, last=last)
        return
    for order, prizes in (("most", most), ("fewest", fewest)):
        if prizes:
            phrases = [_prize_said(spec, prize, speaker, later=index > 0) for index, prize in enumerate(prizes)]
            rest = [
                speaker.phrase(f"majority.next_{order}", place=_ordinal(place, speaker), prize=phrase)
                for place, phrase in enumerate(phrases[1:], start=2)
            ]
            yield speaker.phrase(f"majority.{order}", of=of, prizes=speaker.join_list([phrases[0], *rest], "comma"))


def _given(prizes: Sequence[int]) -> Sequence[int]:
    """The places without those at the end that are worth nothing."""
    return prizes if not prizes or prizes[-1] else _given(prizes[:-1])


def _ordinal(place: int, speaker: Phraser) -> str:
    return speaker.phrase(f"ordinal.{place}") if place <= _NAMED else speaker.phrase("ordinal", place=place)


_NAMED = 8
"""Places up to this one have a word."""


def _prize_said(spec: Spec, prize: int, speaker: Phraser, *, later: bool = False) -> str:
    if spec.chip is not None:
        return speaker.phrase("prize.chips", count=prize, pile=speaker.pile(spec.chip))
    key = "prize.loss" if prize < 0 else "prize.next" if later else "prize.points"
    return speaker.phrase(key, points=abs(prize))


def _exceptions(spec: Spec, numbers: Numbers, speaker: Phraser, of: Noun) -> Iterator[str]:
    least = numbers.at_least
    if least > 0:
        key = "majority.without" if least == numbers.unit else "majority.fewer"
        key += "" if _given(numbers.fewest) else "_most"
        yield speaker.phrase(key, of=of, least=in_units(least, numbers.unit))
    most, fewest = _given(numbers.most), _given(numbers.fewest)
    if most or fewest:
        loss = any(prize < 0 for prize in (*most, *fewest))
        gain = any(prize > 0 for prize in (*most, *fewest))
        key = (
            f"tie.{numbers.tie}"
            if not _is_split(numbers.tie) or not loss
            else f"tie.{numbers.tie}_{'both' if gain else 'loss'}"
        )
        yield speaker.phrase("tie.chips" if spec.chip and _is_split(numbers.tie) else key)
    if len(most) > 1 and numbers.tie != "next":
        left_out = "tie.no_second" if len(most) == 2 else "tie.no_places"  # noqa: PLR2004 (first and second)
        yield speaker.phrase(left_out if numbers.tie_takes_places else "tie.second")
    if numbers.nobody_if_all_equal:
        yield speaker.phrase("majority.all_equal")


def exception_sentence(spec: Spec, main: Numbers, other: Numbers, speaker: Phraser, when: str) -> str | None:
    """With some numbers of players there are no places of one order, or a tie of all is treated otherwise."""
    if not any(other.fewest) and any(main.fewest) and other.most == main.most:
        lost = any(prize < 0 for prize in main.fewest)
        return speaker.phrase("majority.nobody_loses" if lost else "majority.no_fewest", when=when)
    if (
        other.nobody_if_all_equal
        and not main.nobody_if_all_equal
        and (other.most, other.fewest) == (main.most, main.fewest)
    ):
        return speaker.when_that(when, speaker.phrase("majority.all_equal"))
    if replace(other, most=main.most, fewest=main.fewest) == main:
        text = speaker.phrase("space").join(_places_said(spec, other, speaker, speaker.noun(spec.of)))
        return speaker.when_that(when, text)
    return None


def quick_reference(spec: Spec, numbers: Numbers, speaker: Phraser) -> QuickReference:
    cells = []
    for order, prizes in (("most", _given(numbers.most)), ("fewest", _given(numbers.fewest))):
        for place, prize in enumerate(prizes, start=1):
            head = (
                speaker.phrase(f"quick.{order}")
                if place == 1
                else speaker.phrase("quick.place", place=_ordinal(place, speaker))
            )
            cells.append((head, signed(prize) if spec.chip is None else f"{prize} ○"))
    return QuickReference(speaker.join_list([head for head, _ in cells], "comma"), tuple(cells))


def example_text(numbers: Numbers, measure: int, awards: tuple[Award, ...], speaker: Phraser) -> str:
    count = speaker.phrase("told.count", count=in_units(measure, numbers.unit))
    if not awards:
        return speaker.phrase("told.unplaced", count=count)
    places = [speaker.phrase(f"place.{award.order}.{min(award.place, 3)}") for award in awards]
    shares = [
        speaker.phrase("told.share", prize=signed(award.prize), seats=award.shared_by)
        for award in awards
        if award.shared_by > 1 and _is_split(numbers.tie)
    ]
    return speaker.phrase("told.placed", count=count, place=speaker.join_list([*places, *shares], "comma"))


def example_values(numbers: Numbers) -> tuple[tuple[int, ...], ...]:
    """The measures of four seats: a first, a tie, and a last without anything."""
    if numbers.fewest and not numbers.most:
        return ((4, 3, 1, 1),)
    if numbers.fewest:
        return ((4, 3, 0, 0),)
    return ((2, 2, 1, 0),) if numbers.tie == "next" else ((5, 3, 2, 3),)


KIND = RankedKind(
    name="majority",
    title="Points for those with most or fewest",
    properties=PROPERTIES,
    required=("of",),
    one_of=("most", "fewest", "chip"),
    read=read,
    inputs=inputs,
    constants=constants,
    resolve=resolve,
    rank=rank,
    threshold=threshold,
    chip=chip,
    explain=explain,
    progress=progress,
    sentence=sentence,
    quick_reference=quick_reference,
    example_text=example_text,
    example_values=example_values,
    exception_sentence=exception_sentence,
)
