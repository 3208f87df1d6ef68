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

from draftengine.rules.fragments import described, flag, formula, number, numbers, word
from draftengine.rules.kind import Award, Progress, RankedKind, UnusableNumberError
from draftengine.rules.words import counted, listed, measured, ordinal, quantity

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from draftengine.cardset.reader import Reader
    from draftengine.records.values import Formula
    from draftengine.rules.kind import Constant, NameOf

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
    shown = in_units(measure, numbers.unit)
    if awards:
        return "; ".join(f"{shown} is {_standing(award, numbers)}: {_arithmetic(award, numbers)}" for award in awards)
    if measure < numbers.at_least:
        return f"{shown} is not ranked, at least {in_units(numbers.at_least, numbers.unit)} needed"
    return f"{shown} gets nothing"


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


def sentence(spec: Spec, name_of: NameOf) -> str:
    name = measured(name_of(spec.of))
    places = [
        _places_sentence(order, name, prizes, spec.chip) for order, prizes in _printed_places(spec, name_of) if prizes
    ]
    return " ".join([*places, f"Ties: {TIE[spec.tie]}.", *_exceptions(spec, name_of)])


def _printed_places(spec: Spec, name_of: NameOf) -> list[tuple[str, list[str]]]:
    most = ["1"] if _one_chip(spec) else [name_of(prize) for prize in spec.most]
    return [("most", most), ("fewest", [name_of(prize) for prize in spec.fewest])]


def _places_sentence(order: str, name: str, prizes: Sequence[str], pile: str | None) -> str:
    noun, pile_ = ("point", "") if pile is None else ("chip", f" from {pile}")
    verb = "scores" if pile is None else "draws"
    first, *others = [quantity(prize, noun) + pile_ for prize in prizes]
    rest = [f"the {ordinal(place)} {order} {prize}" for place, prize in enumerate(others, start=2)]
    return listed([f"Whoever has the {order} {name} {verb} {first}", *rest]) + "."


def _exceptions(spec: Spec, name_of: NameOf) -> Iterator[str]:
    if max(len(spec.most), len(spec.fewest)) > 1 and spec.tie != "next":
        yield _tied_places(spec)
    if spec.at_least is not None and spec.at_least.text != "0":
        yield f"Whoever has fewer than {_least(spec.at_least, spec.unit, name_of)} is not ranked."
    if spec.nobody_if_all_equal is not None and spec.nobody_if_all_equal.text not in {"false", "0"}:
        text = name_of(spec.nobody_if_all_equal)
        only = "" if text in {"true", "1"} else f" (only if {text})"
        yield f"If all have the same number, nobody gets anything{only}."


def _least(least: Formula, unit: int, name_of: NameOf) -> str:
    return in_units(int(least.text), unit) if least.text.isdecimal() else name_of(least)


def _tied_places(spec: Spec) -> str:
    if spec.tie_takes_places:
        return "A tie takes as many places as it has seats: two tied for first leave no second place."
    return "After a tie the next number takes the next place."


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
)
