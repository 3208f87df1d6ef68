"""Finds slips in rules: signs, orders and names that contradict the rest of the rule."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from msgspec.structs import astuple

from draftengine.model import limits
from draftengine.model.cardset.facts import ranked_seats, steps_of
from draftengine.model.checks.context import names_in, word_in
from draftengine.model.diagnostics import Diagnostic, Related, diagnose, with_others
from draftengine.model.language.evaluate import references
from draftengine.model.language.tree import Binary, Call, LogicalOp, Name, Number, nodes_in, operands, parts
from draftengine.model.loading.texts import numbers_of, rules_about
from draftengine.model.records.reader import Formula
from draftengine.model.rules.sets import Collection
from draftengine.model.verbs.choose import ChooseStep
from draftengine.model.verbs.dealing import DrawStep
from draftengine.model.verbs.turns import InTurnStep
from draftengine.support.locale.phrases import quoted, said

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from draftengine.model.cardset.records import CardSet, Rule
    from draftengine.model.checks.context import FormulaUse
    from draftengine.model.language.tree import Expr
    from draftengine.model.loading.texts import Numbers
    from draftengine.support.source import Source

_SHOWN = 4
"""The largest number of further repeated rules whose positions a finding lists."""
_RANKED = ("most", "fewest")
_FEWEST_NUMBERS = 3
"""The smallest number of points in a list whose order is examined."""
_REWARDS = frozenset({"set", "collection", "runs", "majority"})
"""Kinds of rules for which a seat must do something difficult, so that a loss would be odd."""
_OF_DIFFERENT = frozenset({"kinds", "max", "min"})
"""Functions in which a repeated argument makes no difference."""


def check_slips(model: CardSet, uses: Iterable[FormulaUse]) -> Iterator[Diagnostic]:
    """Yield findings about slips of the author that are no errors in themselves.

    Slips are numbers with an odd sign or in an odd order, and repeated rules, arguments and conditions. So are rules
    that do not count the cards after which they are named, and formulas that read a number of rounds that is not fixed.
    Finally, more seats may carry out a step than the author means.
    """
    rules: dict[object, Rule] = {}
    twins: dict[Source, list[tuple[Rule, Rule]]] = {}
    for rule in model.scoring:
        same = rules.setdefault(_meaning((rule.kind, rule.at, rule.when, rule.card, *astuple(rule.spec))), rule)
        if same is not rule:
            twins.setdefault(rule.span.source, []).append((rule, same))
    for (rule, same), *others in twins.values():  # one finding for all rules of a file that repeat another rule
        places = [*dict.fromkeys(other.span for other, _ in others if other.span != rule.span)][:_SHOWN]
        more = (Related(said("finding.and-this-rule"), place) for place in places)
        related = (Related(said("finding.the-other-rule"), same.span), *more)
        finding = diagnose("rule-twice", rule.span, rule.path, related=related, rule=rule.id, other=same.id)
        yield with_others(finding, len(others))
    for rule in model.scoring:
        yield from _of_numbers(model, rule)
        yield from _of_name(model, rule)
        parts_of_set = rule.spec.of if isinstance(rule.spec, Collection) else ()
        for index, part in enumerate(parts_of_set):
            if any(part.expr == earlier.expr for earlier in parts_of_set[:index]):
                yield diagnose("argument-twice", part.span, rule.path, text=part.text, function=rule.spec.name)
    for use in uses:
        yield from _repeated(use, use.formula.expr)
        named = (node for node in nodes_in(use.formula.expr) if isinstance(node, Name) and node.id == "rounds")
        if model.until and model.rounds == limits.ROUNDS and (node := next(named, None)):
            place = use.formula.inside(node.start, node.end)
            yield diagnose("rounds-unlimited", place, use.path, rounds=model.rounds)
    winner = model.winner
    if winner.order != "most" and model.wins is None and not model.active:
        # The fewest points win, although a rule rewards collections or majorities.
        of_file = (rule for rule in model.scoring if rule.span.source is winner.span.source)
        rewarding = (rule for rule in of_file if max(_rewards(rule, numbers_of(model, rule)), default=0) > 0)
        if (first := next(rewarding, None)) is not None:
            yield diagnose("fewest-wins", word_in(winner.span, "fewest"), "/winner/order", rule=first.id)
    yield from _of_several_seats(model)


def _of_several_seats(model: CardSet) -> Iterator[Diagnostic]:
    """Yield findings about steps that more seats carry out than the author probably means.

    In a turn of one seat, a choice may be for all seats that meet a condition, although it should be for that seat
    only. If each seat draws all cards with a name, the first seat leaves none for the others.
    """
    of_the_table = {counter.id for counter in model.counters if counter.per == "table"}
    of_seats = {zone.id for zone in model.zones if zone.per == "seat"}
    for path, step in steps_of(model):
        match step:
            case InTurnStep():
                for group in step.do:
                    asked = group.who.formula if group.who is not None and group.when is None else None
                    chooses = any(isinstance(inner, ChooseStep) for inner in group.within)
                    if asked is not None and chooses and of_the_table.isdisjoint(names_in(asked)):
                        yield diagnose("who-every-turn", asked.span, f"{path}/do", condition=asked.text)
            case DrawStep(of=(_, *_), cards=None, for_one=False) if step.who is None or not step.who.is_one:
                one_by_name = step.in_order and step.who is not None  # such as the seat that has a certain card
                if step.to in of_seats and step.from_ not in of_seats and not one_by_name:
                    yield diagnose("first-takes-all", step.span, path, list=", ".join(step.of), zone=step.from_)


def _meaning(value: object) -> object:
    """Return the value with trees in place of formulas, so that texts and positions are not compared."""
    if isinstance(value, tuple):
        return tuple(map(_meaning, value))
    return value.expr if isinstance(value, Formula) else value


def _of_numbers(model: CardSet, rule: Rule) -> Iterator[Diagnostic]:
    """Yield findings about odd numbers in a rule, each once for all numbers of players together."""
    seats = ranked_seats(model, model.max_players)
    for key in _RANKED:
        places: Sequence[Formula] = getattr(rule.spec, key, ())
        if len(places) > seats:
            span, path = places[seats].span, f"{rule.path}/{key}/{seats}"
            yield diagnose("place-never-given", span, path, rule=rule.id, places=len(places), seats=seats)
    reported = set()
    by_players = numbers_of(model, rule)
    for players, numbers in by_players.items():
        for finding in (
            *_of_places(rule, numbers, ranked_seats(model, players)),
            *_of_points(model, rule, numbers.get("points", ())),
        ):
            if finding.path not in reported:
                reported.add(finding.path)
                yield finding
    # A loss on a card that does something when it is played is the price of that.
    prices = {f"/cards/{card.id}/scores" for card in model.cards if card.on_play}
    match (_rewards(rule, by_players), getattr(rule.spec, "fewest", ())):
        case ((number,), ()) if number < 0 and not model.active and rule.path not in prices:  # nor are several losses
            say, place = ("loss-of-most" if rule.kind == "majority" else "loss"), next(iter(rule.spec.constants()))
            yield diagnose(
                "odd-sign", place.span, rule.path, say=say, severity="note", rule=rule.id, number=str(number)
            )


def _rewards(rule: Rule, by_players: Numbers) -> tuple[int, ...]:
    """Return the points of a rule that rewards something difficult; empty for any other kind of rule."""
    numbers: dict[str, tuple[int, ...]] = next(iter(by_players.values()), {})
    return numbers.get("most" if rule.kind == "majority" else "points", ()) if rule.kind in _REWARDS else ()


def _of_places(rule: Rule, numbers: dict[str, tuple[int, ...]], seats: int) -> Iterator[Diagnostic]:
    """Yield findings about odd prizes of places in a ranking of `seats` seats."""
    for key in _RANKED:
        points = numbers.get(key, ())[:seats]
        places: Sequence[Formula] = getattr(rule.spec, key, ())
        path = f"{rule.path}/{key}"
        if points and min(points) < 0 < max(points):
            yield _odd_sign(rule, path, key, points.index(min(points)), points)
        elif any(0 < abs(earlier) < abs(later) for earlier, later in pairwise(points)):
            best = _listed(sorted(points, key=abs, reverse=True))
            yield diagnose("second-beats-first", places[0].span, path, say="certain", rule=rule.id, key=key, best=best)
    if all(min(numbers.get(key) or (0,)) > 0 for key in _RANKED):
        paid, span = numbers["fewest"][0], getattr(rule.spec, "fewest")[0].span  # noqa: B009 (of one kind alone)
        path, loss = f"{rule.path}/fewest", str(-paid)
        yield diagnose("fewest-rewarded", span, path, say="certain", rule=rule.id, points=paid, loss=loss)


def _of_points(model: CardSet, rule: Rule, points: Sequence[int]) -> Iterator[Diagnostic]:
    """Yield findings about odd signs and orders in a list of points for one card, two cards and so on."""
    path = f"{rule.path}/points"
    for index, number in enumerate(points if len(points) >= _FEWEST_NUMBERS and sorted(points) != list(points) else ()):
        turned = (*points[:index], -number, *points[index + 1 :])
        rises = all(earlier < later for earlier, later in pairwise(turned))
        between = min(points[index - 1], *points[index + 1 : index + 2] or (0,)) > 0
        if number < 0 < index and (rises or between):
            yield _odd_sign(rule, path, "points", index, points)
    falling = all(number >= after for number, after in pairwise(points)) and len(set(points)) > 1
    names = {name for formula in rule.spec.inputs() for _, name in references(formula.expr)}
    cards = {name for card in model.cards for name in (card.id, *card.family)}
    if len(points) >= _FEWEST_NUMBERS and falling and points[0] > 0 and names <= cards:
        span = getattr(rule.spec, "points")[0].span  # noqa: B009 (a list has them)
        yield diagnose("points-fall", span, path, rule=rule.id, best=_listed(sorted(points)))
    for index, (before, number) in enumerate(pairwise(points), start=1):
        others = (*points[:index], *points[index + 1 :])
        rising = all(earlier < later for earlier, later in pairwise(others))
        if rising and 0 <= number < before < others[-1] and len(others) >= _FEWEST_NUMBERS:
            span, place = getattr(rule.spec, "points")[index].span, f"{path}/{index}"  # noqa: B009 (a list has them)
            yield diagnose("points-fall", span, place, say="dip", rule=rule.id, points=number, before=before)


def _odd_sign(rule: Rule, path: str, key: str, index: int, points: Sequence[int]) -> Diagnostic:
    best = _listed([*points[:index], -points[index], *points[index + 1 :]])
    span = getattr(rule.spec, key)[index].span
    return diagnose("odd-sign", span, f"{path}/{index}", rule=rule.id, number=str(points[index]), best=best)


def _of_name(model: CardSet, rule: Rule) -> Iterator[Diagnostic]:
    """Yield a finding if a rule has the name of a card or family, but counts other cards."""
    words = {rule.id, *rule.id.split("_")}
    words |= {word.removesuffix("s") for word in words}
    cards = [card for card in model.cards if not words.isdisjoint((card.id, *card.family))]
    busy = {thing.card for things in (model.modifiers, model.abilities) for thing in things}
    names = {name for card in model.cards for name in (card.id, *card.family)}
    counted = {name for formula in rule.spec.inputs() for _, name in references(formula.expr)} & names
    if not cards or not counted or rule.when is not None or rule.path.startswith("/cards/"):
        return
    if not any(rule in rules_about(model, card) or card.on_play or card.id in busy for card in cards):
        span, others = next(iter(rule.spec.inputs())).span, quoted(sorted(counted))
        meant = next(name for name in (cards[0].id, *cards[0].family) if name in words)
        yield diagnose("rule-counts-others", span, rule.path, rule=rule.id, others=others, meant=meant)


def _repeated(use: FormulaUse, expr: Expr) -> Iterator[Diagnostic]:
    """Yield findings about repeated arguments of functions in which a repetition changes nothing."""
    if isinstance(expr, Call) and expr.function in _OF_DIFFERENT:
        first: dict[str, Expr] = {}
        for argument in expr.arguments:
            text = use.formula.text[argument.start : argument.end]
            # The arguments that a definition brings have the place of its call, so their starts are equal.
            if first.setdefault(text, argument).start < argument.start:
                span = use.formula.inside(argument.start, argument.end)
                yield diagnose("argument-twice", span, use.path, text=text, function=expr.function)
    joins = isinstance(expr, LogicalOp) or (isinstance(expr, Binary) and expr.op == "+")
    joined = list(operands(expr, expr.op)) if isinstance(expr, LogicalOp | Binary) and joins else []
    counted: list[Expr] = []
    for part in joined:
        match part:
            case Binary("*", Number(), other) | Binary("*", other, Number()):
                counted.append(other)
            case _:
                counted.append(part)
    for index, part in enumerate(counted):
        if part in counted[:index] and not isinstance(part, Number):
            span, text = use.formula.inside(part.start, part.end), use.formula.text[part.start : part.end]
            say = "condition" if isinstance(expr, LogicalOp) else "sum"
            if not joined[counted.index(part)].end:  # it was not written: a trigger asks for the card that it is on
                say = "of_card"
            yield diagnose("argument-twice", span, use.path, say=say, text=text)
    for part in joined or parts(expr):
        yield from _repeated(use, part)


def _listed(numbers: Sequence[int]) -> str:
    return ", ".join(map(str, numbers))
