"""Rulebook sentences for the actions of a choice: the name, condition, cost and effects of each."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from msgspec import Struct
from msgspec.structs import replace

from draftengine.model.language.builtins import BUILTINS, ZoneAggregate
from draftengine.model.language.tree import Call, Comparison, Name, Number, parts
from draftengine.model.records import NameReference, Record, fields_of
from draftengine.model.records.reader import Amount, ByPlayerCount, Formula
from draftengine.model.verbs.actions import numbered
from draftengine.model.verbs.naming import none_of, what_is_named
from draftengine.model.verbs.places import both
from draftengine.model.verbs.verb import Cards, for_some, holder_of, names_of, with_side
from draftengine.support.locale.catalogue import as_clause

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from draftengine.model.language.tree import Expr
    from draftengine.model.verbs.actions import Range, Way
    from draftengine.model.verbs.choose import ChooseStep
    from draftengine.model.verbs.verb import Words
    from draftengine.support.source import Span


_APART = frozenset({"id", "label", "source"})
"""Fields that are ignored when two records are compared."""


class RecordDifference(Struct, frozen=True):
    """The zones and numbers in which one record differs from the first of several similar records."""

    zones: tuple[tuple[str, str], ...] = ()
    """Pairs of zones at the same position: the zone in the first record, and the zone in the other one."""
    numbers: tuple[tuple[int, int], ...] = ()
    """Pairs of numbers at the same position in ``==`` comparisons: in the first record and in the other."""


def differing(first: Record, other: Record) -> RecordDifference | None:
    """Return the difference of two records; ``None`` if they differ in more than zones and numbers.

    Each zone in one record must correspond to a single zone in the other.
    """
    comparison = _Comparison()
    if not comparison.records(first, other):
        return None
    instead = dict(comparison.zones)
    if not len(comparison.zones) == len(instead) == len({*instead.values()}):
        return None
    if any(instead.get(a, a) != b for a, b in comparison.names):
        return None
    zones, numbers = (
        tuple((a, b) for a, b in sorted(pairs) if a != b) for pairs in (comparison.zones, comparison.numbers)
    )
    return RecordDifference(zones, numbers)  # type: ignore[arg-type]


class _Comparison:
    """Compares two records, and collects the zones, names and numbers at the same position that differ."""

    def __init__(self) -> None:
        self.zones: set[tuple[str, str]] = set()
        self.names: set[tuple[str, str]] = set()
        self.numbers: set[tuple[int, int]] = set()

    def records(self, first: Record, other: Record) -> bool:
        return type(first) is type(other) and all(
            self._values(getattr(first, field.attribute), getattr(other, field.attribute), field.meaning)
            for field in fields_of(type(first))
            if field.attribute not in _APART
        )

    def _values(self, first: Any, other: Any, meaning: object) -> bool:
        if type(first) is not type(other):
            return False
        match first:
            case Record():
                same = self.records(first, other)
            case Formula():
                same = self._trees(first.expr, other.expr)
            case ByPlayerCount():
                same = self._values(first.cases, other.cases, meaning)
            case Amount():
                same = first.counter == other.counter and self._trees(first.formula.expr, other.formula.expr)
            case tuple():
                pairs = zip(first, other, strict=False)
                same = len(first) == len(other) and all(self._values(one, its, meaning) for one, its in pairs)
            case str() if isinstance(meaning, NameReference) and meaning.kind == "zone":
                self.zones.add((first, other))
                same = True
            case _:
                same = first == other
        return same

    def _trees(self, first: Expr, other: Expr, *, compared: bool = False) -> bool:
        if type(first) is not type(other):
            return False
        if isinstance(first, Name) and isinstance(other, Name):
            self.names.add((first.id, other.id))
            return True
        if compared and isinstance(first, Number) and isinstance(other, Number):
            self.numbers.add((first.value, other.value))
            return True
        ours, theirs = parts(first), parts(other)
        if not ours:
            return first == other
        equal = isinstance(first, Comparison) and first.op == "=="
        aggregate = isinstance(first, Call) and isinstance(BUILTINS.get(first.function), ZoneAggregate)
        if aggregate and isinstance(ours[0], Name) and isinstance(theirs[0], Name):
            self.zones.add((ours[0].id, theirs[0].id))
        return (
            getattr(first, "op", getattr(first, "function", "")) == getattr(other, "op", getattr(other, "function", ""))
            and len(ours) == len(theirs)
            and all(self._trees(one, its, compared=equal) for one, its in zip(ours, theirs, strict=True))
        )


_NUMBER = re.compile(r"\d+")
_FEW = 3
"""The largest number of similar actions that are phrased one by one."""


def sentence_of_ways(step: ChooseStep, words: Words) -> str:
    """Return a sentence that says who chooses, followed by the list of actions."""
    if step.name is not None:
        marker = holder_of(step.who)
        key = "list.choose.name" if step.for_one else "choose.name.who" if marker else "choose.name"
        key += ".or_none" if any(way.id == none_of(step.name) for way in step.as_) else ""
        held = {"marker": words.marker(marker)} if marker else {}
        phrase = words.phrase(key, name=words.zone(step.name), text=what_is_named(step.named_of, words), **held)
        return for_some(phrase, step.who, words)
    open_ = [
        way
        for way in _entries(step.as_)
        if _depends(way, words) or way.open_if is None or words.constant(way.open_if.expr)
    ]
    numbers = [_number_said(step, way, words) for way in open_]
    alone = len(step.sources) > 1 or all(number.single == 0 for number in numbers)
    cards = words.cards(step.cards)
    given: dict[str, Any] = {**cards.given, "count": cards.count, "zone": words.zone(step.from_)}
    if step.cards is None and all(number.apart or not number.single for number in numbers):
        # Each action has its own number of cards.
        given |= {"cards": words.phrase("cards.many"), "players": "", "count": 2}
    marker = holder_of(step.who)
    if marker is not None:
        given |= {"marker": words.marker(marker), "zone": words.zone(step.from_, theirs=True)}
    key = "ways" + (".who" if marker else "") + (".alone" if alone else "")
    if step.for_one:
        key = f"list.{key}"
    asking = dict.fromkeys(way.give for way in open_ if way.ask)
    # Actions are grouped by the entry of the file from which they were expanded.
    by_entry: dict[tuple[Span, bool], list[Way]] = {}
    for way in open_:
        if not way.ask:
            by_entry.setdefault((way.span, way.takes_none), []).append(way)
    ways = [line for group in _like(list(by_entry.values())) for line in _ways_said(step, group, words)]
    ways += [_asking_said([way for way in open_ if way.ask and way.give == card], words) for card in asking]
    if all(_depends(way, words) or way.pay for way in open_):
        ways.append(words.phrase("way.none"))
    phrase = words.phrase(key, ways=words.alternatives(ways), **given)
    return for_some(phrase, step.who, words)


def _entries(ways: Sequence[Way]) -> Iterator[Way]:
    """Yield the actions to phrase: one for each entry. Its condition `such` is that of taking a card."""
    by_id = {way.id: way for way in ways}
    for way in ways:
        if way.other_first:
            continue
        if way.between is None:
            yield way
        elif way.id == numbered(way.part_of, way.between[0]):
            yield replace(way, such=by_id[numbered(way.part_of, way.between[0] or 1)].such)


def _depends(way: Way, words: Words) -> bool:
    """True if the condition of an action is not constant, so that only play can decide it."""
    return way.open_if is not None and words.constant(way.open_if.expr) is None


def range_said(between: Range, words: Words) -> Cards:
    """Return the phrase for a range such as “2 to 4 cards”."""
    low, high = between
    key = "cards.between" if low else "cards.one_or_none" if high == 1 else "cards.up_to"
    text = words.phrase(key, low=low, high=high, count=high)
    return Cards(words.phrase("range", low=low, high=high), text, "", high, None)


def _number_said(step: ChooseStep, way: Way, words: Words) -> Cards:
    """Return the phrases for the number of cards with which an action is taken, which may be a range."""
    return range_said(way.between, words) if way.between else words.cards(way.cards or step.cards)


def _like(groups: Iterable[list[Way]]) -> Iterator[list[Way]]:
    """Yield the groups, but join neighbouring groups of one action if their actions differ only in zones."""
    run: list[Way] = []
    for group in groups:
        if len(group) == 1 and run and _goes_elsewhere(run[0], group[0]):
            run += group
            continue
        if run:
            yield run
        run = group if len(group) == 1 else []
        if not run:
            yield group
    if run:
        yield run


def _goes_elsewhere(first: Way, way: Way) -> bool:
    """True if two actions differ only in zones."""
    difference = None if first.text or way.between else differing(first, way)
    return difference is not None and bool(difference.zones) and not difference.numbers


def _ways_said(step: ChooseStep, ways: Sequence[Way], words: Words) -> list[str]:
    """Return the phrases for a group of actions.

    The actions of a small group have a phrase each. A larger group has one phrase: the first action and a list of the
    others, if these differ only in zones or have their own names. Otherwise, the phrase has the first and the last
    action.
    """
    if len(ways) >= _FEW and not ways[0].line and _goes_elsewhere(ways[0], ways[-1]):
        return [_way_said(step, ways[0], words, likewise=ways[1:])]
    if len(ways) >= _FEW and len({_NUMBER.sub("", way.id) for way in ways}) > 1:
        names = [words.phrase("way.bare", name=_name_of(way, words)) for way in ways[1:]]
        text = words.phrase("way.same", text=way_does(step, ways[0], words), list=words.join_list(names))
        return [words.phrase("way", name=_name_of(ways[0], words), list=text)]
    if len(ways) <= _FEW:
        return [_way_said(step, way, words) for way in ways]
    first, last = (_way_said(step, way, words) for way in (ways[0], ways[-1]))
    return [words.phrase("way.series", first=first, last=last)]


def _asking_said(ways: Sequence[Way], words: Words) -> str:
    """Return the phrase for asking other players for a card. With several actions, it may be any card."""
    give = words.card_noun(ways[0].give or "")
    if len(ways) > 1:
        return words.phrase("way.ask.any", give=give)
    return words.phrase("way.ask", of=words.card_noun(ways[0].ask or ""), give=give)


def _way_said(step: ChooseStep, way: Way, words: Words, likewise: Sequence[Way] = ()) -> str:
    """Return the phrase for an action: its name and, in parentheses, the author's text or a description.

    The description says when the action is open, what it costs and what it does. Then follow the actions in `likewise`,
    each with the zones in which it differs from this action.
    """
    if printed := words.own_text(way.text):
        return words.phrase("way", name=_name_of(way, words), list=as_clause(printed))
    text = way_does(step, way, words)
    if likewise:
        others = []
        for other in likewise:
            difference = differing(way, other) or RecordDifference()
            zones = words.join_list([words.zone(zone).form("one") for _, zone in difference.zones])
            others.append(words.phrase("way.same.with", name=_name_of(other, words), zones=zones))
        text = words.phrase("way.same", text=text, list=words.join_list(others))
    return words.phrase("way" if text else "way.bare", name=_name_of(way, words), list=text)


def way_does(step: ChooseStep, way: Way, words: Words) -> str:
    """Return the phrase for an action's condition, cost and effects; empty if it has none of them."""
    if way.ask:
        return _asking_said([way], words)
    cards, phrases = _number_said(step, way, words), []
    if way.payment is not None:
        name, zone = way.payment
        key = "way.pay.zone" if zone else "way.pay.cost"
        phrases.append(words.phrase(key, name=words.payment(name), zone=words.zone(zone or step.from_)))
    for price in () if way.payment else way.pay:
        amount = words.constant(price.formula.expr)
        if amount == 0:
            continue
        text = words.amount(price.formula.expr) if amount is None else str(amount)
        phrases.append(
            words.phrase("way.pay" if amount is not None else "way.pay.as", of=words.counter(price.counter), text=text)
        )
    if cards.single != 0 and len(step.sources) > 1:
        start = words.zone(way.from_ or step.from_)
        phrases.insert(0, words.phrase("way.from", cards=cards.text, zone=start))
    if cards.single != 0:
        what = names_of(way.of, words)
        target = way.lands or way.to or step.to
        key = "way.play" if target == "tableau" else "way.put"
        given = {"cards": what, "count": cards.count, "zone": words.zone(target)}
        phrases.append(with_side(words.phrase(f"{key}.of" if way.of else key, **given), way.side, words))
    when, steps = both(way.such, way.stated_when if way.payment else way.when, way.span), way.do
    if way.lands:
        steps = steps[2:]
    if way.line:
        when, steps = way.stated_when, way.do[len(way.line) :]
        target = way.to or step.to
        key = "way.line.play" if target == "tableau" else "way.line"
        phrases.append(words.phrase(key, zone=words.zone(target)))
    if steps:
        phrases.append(words.effects(steps))
    text = words.join_list(phrases) if phrases else ""
    if way.between or way.exactly or (way.cards is not None and cards.single not in {0, 1}):
        text = words.phrase("way.range.exactly" if way.exactly else "way.range", cards=cards.text, list=text)
    if when is not None and words.constant(when.expr) is None:
        text = words.phrase("way.if.do" if phrases else "way.if", condition=words.condition(when.expr), list=text)
    return text


def _name_of(way: Way, words: Words) -> str:
    """Return the label of an action. If the action is part of a range, its number of cards is left out."""
    if not way.between:
        return words.way(way)
    return words.way(way).rpartition(": ")[0] or words.way(replace(way, id=way.part_of, label=()))
