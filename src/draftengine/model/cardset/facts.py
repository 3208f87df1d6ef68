"""Facts about a card set: its seats, constants, steps, and the names that formulas can use.

A *scope* lists the names that a formula may use, each with its range. There are four scopes: for formulas about a seat,
formulas about the table, numbers in steps, and constants.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Literal

from msgspec import Struct
from msgspec.structs import replace

from draftengine.model import limits
from draftengine.model.cardset.records import DECK, DISCARD, HAND, TABLEAU
from draftengine.model.language.builtins import HAS, LYING
from draftengine.model.language.check import check
from draftengine.model.language.environment import NameInfo, Scope
from draftengine.model.language.evaluate import constant_value, functions_in, references
from draftengine.model.language.macros import CARD_NUMBER
from draftengine.model.language.tree import MAX_INT, Call, Name, Number
from draftengine.model.records import referenced_names
from draftengine.model.rules.kind import RankedKind
from draftengine.model.verbs import EFFECTS
from draftengine.model.verbs.dealing import Dealing
from draftengine.model.verbs.piles import MoveStep
from draftengine.model.verbs.turns import DoStep
from draftengine.support.identity import IdentityKey, by_identity

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from draftengine.model.cardset.records import Card, CardSet, Rule
    from draftengine.model.records.reader import Formula
    from draftengine.model.verbs.piles import FlipStep
    from draftengine.model.verbs.verb import Step

__all__ = [
    "Constants",
    "all_names",
    "all_steps",
    "card_points",
    "constant",
    "constant_facts",
    "constant_scope",
    "constants",
    "flow_scope",
    "has_label",
    "most_points",
    "ranked_seats",
    "reads_best_of",
    "scoring_cards",
    "seat_scope",
    "seats",
    "table_scope",
]

_ITS = "*its."
"""The prefix of names that read an attribute of each card in a zone."""
CounterKind = Literal["card", "family", "amount", "name", "modifier", "list"]
CounterKeep = Literal["all", "none", "mixed"]


class CounterInfo(Struct, frozen=True):
    """A counter that every seat has, with proved bounds."""

    id: str
    kind: CounterKind
    """The origin of the counter. No formula can name a ``modifier`` or a ``list``.

    ``modifier`` counts the cards that can still be played on a modifier (``modifier:ID``). ``list`` counts the step
    lists that a seat has still to carry out (``list:CARD``), and orders the seats that act in turn (``list:turn``).
    ``name`` is the meaning of a name that steps give (``name:NAME``); formulas use only the name.
    """
    low: int
    high: int
    keep: CounterKeep
    """The part of the value that clearing leaves; ``mixed`` is what cards with `keep` have added."""
    start: int
    bounded: bool = True
    """False if effects change the counter and no bound can be proved. Such a card set is refused."""
    together: int = MAX_INT
    """The largest total over all seats. A card lies in front of only one seat at a time."""


def seats(model: CardSet, players: int) -> int:
    """Return the number of seats: of players and extra seats."""
    return players + len(model.extra_seats)


def ranked_seats(model: CardSet, players: int) -> int:
    """Return the number of seats that rankings compare: of players and ranked extra seats.

    These are the first seats.
    """
    return players + sum(seat.ranked for seat in model.extra_seats)


def constants(model: CardSet, players: int) -> dict[str, int]:
    """Return the values that never change in a game: all parameters, `players`, `seats` and `rounds`."""
    return {
        **{parameter.id: parameter.default for parameter in model.parameters},
        "players": players,
        "seats": ranked_seats(model, players),
        "rounds": model.rounds_with(players),
    }


def constant(formula: Formula, model: CardSet, players: int, **local: int) -> int:
    """Return the value of a constant formula. `local` gives further names and their values."""
    if isinstance(formula.expr, Number):
        return formula.expr.value
    value = constant_value(formula.expr, constant_facts(model, players, **local))
    assert value is not None
    return int(value)


def constant_facts(model: CardSet, players: int, **local: int) -> Constants:
    """Return the names whose values are known before a game with this number of players."""
    return Constants({**constants(model, players), **local}, ranked_seats(model, players), players)


class Constants(Struct, frozen=True):
    known: Mapping[str, int]
    seat_count: int
    player_count: int

    def constant(self, name: str) -> int | None:
        return self.known.get(name)


def has_label(model: CardSet, name: str) -> bool:
    """True if a `score` step has this label."""
    return any(name in referenced_names(step, "label") for step in all_steps(model))


def steps_of_round(model: CardSet) -> tuple[Step, ...]:
    """Return the steps of a round, without the last one if it only ends the game by the condition `until`."""
    return model.round[:-1] if model.until else model.round


def all_steps(model: CardSet) -> Iterator[Step]:
    """Yield every step that is no effect, including inner steps and steps of cards and triggers."""
    return (step for _, step in steps_of(model))


def zones_of_dice(model: CardSet) -> frozenset[str]:
    """Return the zones into which dice can come, but no cards."""
    moves = {(TABLEAU, HAND), (TABLEAU, DISCARD)}  # by abilities and effects
    for step in all_steps(model):
        source = getattr(step, "from_", getattr(step, "zone", ""))
        ways = [(way.from_ or source, way.to or "") for way in getattr(step, "as_", ())]
        targets = getattr(step, "targets", (getattr(step, "to", DISCARD),))
        moves |= {*ways, *((source, target) for target in targets)}
        if step.verb == "gather":
            moves.add((DECK, source))

    def reached(*, dice: bool) -> set[str]:
        zones = {card.starts_in for card in model.cards if card.count and card.is_die == dice}
        while more := {target for source, target in moves if source in zones} - zones:
            zones |= more
        return zones

    return frozenset(reached(dice=True) - reached(dice=False))


@by_identity(8)
def steps_of(model: CardSet) -> tuple[tuple[str, Step], ...]:
    """Return every step of the game that is no effect, with its JSON Pointer; outer before inner steps.

    The steps of the flow come first, then the steps of cards, then of triggers.
    """

    def below(path: str, steps: Iterable[Step]) -> Iterator[tuple[str, Step]]:
        for index, step in enumerate(steps):
            place = f"{path}/{index}/{step.verb}"
            if step.verb not in EFFECTS:
                yield place, step
                yield from below(f"{place}{step.path_within}", step.within)
                for name, branch in step.branches:
                    yield from below(f"{place}/as/{name}/do", branch)

    lists = [(f"/{part}", getattr(model, part)) for part in ("setup", "round", "finish")]
    lists += [(f"/cards/{card.id}/on_play", card.on_play) for card in model.cards if card.on_play]
    lists += [(f"{trigger.path}/do", trigger.do) for trigger in model.triggers]
    return tuple(step for path, steps in lists for step in below(path, steps))


@by_identity(8)
def zones_in_order(model: CardSet) -> frozenset[str]:
    """Return the zones that everybody sees and from which steps take some cards, those on top first."""
    orderly = {zone.id for zone in model.zones if zone.seen_by == "everyone" and not (zone.counts or zone.layout)}
    taken = set()
    for whole in all_steps(model):
        step = whole.of_other_seats if isinstance(whole, DoStep) else whole
        if isinstance(step, Dealing | MoveStep) and not (step.of or step.such):
            if isinstance(step, MoveStep) and step.cards is None:
                continue  # it takes all
            number = None if step.cards is None or len(step.cards.cases) > 1 else step.cards.cases[0][1].expr
            if not number == Call("cards", (Name(step.from_),)):  # noqa: SIM201 (trees know only ==)
                taken.add(step.from_)
    return frozenset(zone for zone in orderly & taken if ":" not in zone)  # no hidden ones


# ── Scopes ────────────────────────────────────────────────────────────────────────────────────────────────────────────


def constant_scope(model: CardSet, players: int, **local: tuple[int, int]) -> Scope:
    """Return the scope of constant formulas. `local` adds further names with their ranges."""
    return _scope(_constant_names(model, players) | _local_names(local), model, players)


def flow_scope(model: CardSet, players: int) -> Scope:
    """Return the scope of numbers in steps: zones, `round`, `turn` and constants, but no counters."""
    return _scope(_zone_names(model) | _turn_names(model) | _constant_names(model, players), model, players)


def table_scope(model: CardSet, players: int, counters: tuple[CounterInfo, ...]) -> Scope:
    """Return the scope of formulas about the table. Only functions over all seats may read counters in it."""
    return _scope(_all_names(model, players, counters), model, players)


def seat_scope(model: CardSet, players: int, counters: tuple[CounterInfo, ...], **local: tuple[int, int]) -> Scope:
    """Return the scope of formulas about one seat. `local` adds further names with their ranges."""
    return _scope(_all_names(model, players, counters) | _local_names(local), model, players, seat=True)


def all_names(model: CardSet, players: int, counters: tuple[CounterInfo, ...]) -> frozenset[str]:
    """Return every name that a formula of the game can use."""
    return frozenset(_all_names(model, players, counters))


def _scope(names: dict[str, NameInfo], model: CardSet, players: int, *, seat: bool = False) -> Scope:
    count = ranked_seats(model, players)
    return Scope(names, seat=seat, max_seats=count, min_seats=count)


def _all_names(model: CardSet, players: int, counters: tuple[CounterInfo, ...]) -> dict[str, NameInfo]:
    return _all_names_of(IdentityKey(model), players, IdentityKey(counters))


@lru_cache(4)
def _all_names_of(
    known: IdentityKey[CardSet], players: int, counted: IdentityKey[tuple[CounterInfo, ...]]
) -> dict[str, NameInfo]:
    """Return the names of a game with their ranges. Cached, because most scopes use all names."""
    model, counters = known.own, counted.own
    shared = {counter.id for counter in model.counters if counter.per == "table"}
    names = {
        **{marker.id: NameInfo("marker", 0, 1, per_seat=True) for marker in model.markers},
        **_zone_names(model),
        **{
            counter.id: NameInfo(
                "counter", counter.low, counter.high, counter.id not in shared, together=counter.together
            )
            for counter in counters
            if counter.kind not in {"modifier", "list"}
        },
        "points": NameInfo("fact", -limits.POINTS, limits.POINTS, per_seat=True),
        **names_of_cards(model.cards),
        "seat": NameInfo("fact", 0, players - 1, per_seat=True),
        **_turn_names(model),
        **_constant_names(model, players),
    }
    scoring = tuple(scoring_cards(model))
    if not scoring or not any(reads_best_of(rule) for rule in model.scoring):
        return names | dict.fromkeys(["cards"] if scoring else [], NameInfo("scores", 0, 0, per_seat=True))
    scope = _scope(names, model, players, seat=True)
    most = max(most_points(rule, model, players, scope) for rule in scoring)
    return names | {"cards": NameInfo("scores", -most, most, per_seat=True)}


def reads_best_of(rule: Rule) -> bool:
    """True if a rule calls `best_of`, which reads the points of the cards that score."""
    formulas = [formula.expr for formula in (*rule.spec.inputs(), rule.when) if formula is not None]
    return any("best_of" in functions_in(expr) for expr in formulas)


@by_identity(4)
def card_points(model: CardSet) -> tuple[Rule, dict[str, int]] | None:
    """Return the rule that adds up a number for each card in the tableau, and this number for every card.

    The number depends only on the card, so players can be shown it with the card. Return ``None`` without such a rule.
    """
    for rule in model.scoring:
        match [formula.expr for formula in rule.spec.inputs()]:
            case [Call("sum", (Name("tableau"), each))] if rule.kind == "formula" and rule.when is None:
                names = {name for _, name in references(each)}
                if all(name.startswith(_ITS) for name in names):
                    points = {}
                    for card in model.cards:
                        numbers = numbers_of(card)
                        known = {name: numbers.get(name.removeprefix(_ITS), 0) for name in names}
                        facts = constant_facts(model, model.min_players, **known)
                        points[card.id] = constant_value(each, facts) or 0
                    return rule, points
    return None


def scoring_cards(model: CardSet) -> Iterator[Rule]:
    """Yield the rules of cards that `best_of` compares: those that give points and do not call `best_of`."""
    return (rule for rule in model.scoring if rule.card and rule.spec.pile is None and not reads_best_of(rule))


def most_points(rule: Rule, model: CardSet, players: int, scope: Scope) -> int:
    """Return an upper bound of the points that a rule gives or takes for one copy of its card.

    In a ranking, a seat gets at most one prize for most and one for fewest. A rule of any other kind scores at most its
    largest constant for each counted card, and once more if there is none.
    """
    if isinstance(rule.spec, RankedKind):
        return 2 * max([1, *(abs(constant(formula, model, players)) for formula in rule.spec.prizes())])
    numbers = [abs(constant(formula, model, players)) for formula in rule.spec.constants()]
    bounds = [check(formula.expr, scope) for formula in rule.spec.inputs()]
    return (sum(max(abs(bound.low), abs(bound.high)) for bound in bounds) + 1) * max(1, *numbers, 1)


@by_identity(4)
def names_of_cards(cards: tuple[Card, ...]) -> dict[str, NameInfo]:
    """Return the names that read attributes of cards, such as ``its.cost``, with their ranges.

    Each attribute has three names: one for the current card, one for each card in a zone, and one for the cards in a
    zone that have it.
    """
    numbers: dict[str, list[int]] = {}
    for attributes in _numbers_of_all(cards):
        for name, number in attributes.items():
            numbers.setdefault(name, []).append(number)
    which = NameInfo("fact", 1, max(len(cards), 1), per_seat=False)
    infos = dict.fromkeys((f"{LYING}{CARD_NUMBER}", f"its.{CARD_NUMBER}"), which)
    for name, values in numbers.items():
        others = [0] * (len(values) < len(cards))
        info = NameInfo("fact", min(values + others), max(values + others), per_seat=False)
        infos.update(dict.fromkeys((f"its.{name}", LYING + name, HAS + name), info))
    return infos


def numbers_of(card: Card) -> dict[str, int]:
    """Return the attributes of a card: its `has`, `adds` and `dues`, and 1 for its id and each family."""
    return {**dict.fromkeys(card.family, 1), card.id: 1, **dict(card.adds), **dict(card.has), **dict(card.dues)}


def card_has(model: CardSet, name: str) -> tuple[int | None, ...]:
    """Return the value of an attribute for each card; ``None`` for cards without it."""
    return tuple(numbers.get(name) for numbers in _numbers_of_all(model.cards))


@by_identity(4)
def _numbers_of_all(cards: tuple[Card, ...]) -> tuple[dict[str, int], ...]:
    return tuple(map(numbers_of, cards))


@by_identity(4)
def card_numbers(cards: tuple[Card, ...]) -> dict[str, tuple[int, ...]]:
    """Return all attributes by name, each with one value for each card; 0 for cards without it."""
    numbers: dict[str, list[int]] = {}
    for index, attributes in enumerate(_numbers_of_all(cards)):
        for name, number in attributes.items():
            numbers.setdefault(name, [0] * len(cards))[index] = number
    first: dict[str, int] = {}  # copies of a card have the same number
    numbers[CARD_NUMBER] = [first.setdefault(card.copy_of or card.id, index) for index, card in enumerate(cards, 1)]
    return {name: tuple(values) for name, values in numbers.items()}


@by_identity(16)
def shown_by(cards: tuple[Card, ...]) -> dict[str, tuple[Card, ...]]:
    """Return, for each card that is not a side of another, the cards it can show: itself and its sides."""
    named = {card.id: card for card in cards}
    return {
        card.id: (card, *(named[side] for side, _ in card.sides if side != card.id))
        for card in cards
        if not card.side_of
    }


@by_identity(16)
def with_most_copies(cards: tuple[Card, ...]) -> tuple[Card, ...]:
    """Return the cards with their largest possible numbers of copies: all dice may show the same side."""
    if not any(card.sides for card in cards):
        return cards
    counts = {card.id: card.count for card in cards}
    return tuple(replace(card, count=counts[card.side_of]) if card.side_of else card for card in cards)


def sides_after(step: FlipStep, cards: tuple[Card, ...]) -> tuple[tuple[int, ...], ...]:
    """Return, for each card, the indices of the cards that it may show after a step, or none.

    In a roll, a side occurs as often as the die has it. A step with `side` turns all cards that have this side and show
    another. Otherwise, only cards with exactly two sides are turned over.
    """
    index = {card.id: number for number, card in enumerate(cards)}
    sides = {card.id: card.sides for card in cards}
    results = []
    for card in cards:
        upward = sides.get(card.side_of or card.id, ())
        if step.of and {card.id, *card.family}.isdisjoint(step.of):
            upward = ()
        elif step.side is not None:
            those = [(side, 1) for side, _ in upward if step.side in {side, cards[index[side]].side}]
            upward = tuple(those) if those and those[0][0] != card.id else ()
        elif not step.at_random:
            two = len(upward) == len({card.id} | dict(upward).keys()) == 2  # noqa: PLR2004 (front and back)
            upward = tuple((side, 1) for side, _ in upward if two and side != card.id)
        results.append(tuple(index[side] for side, number in upward for _ in range(number)))
    return tuple(results)


def _constant_names(model: CardSet, players: int) -> dict[str, NameInfo]:
    parameters = {parameter.id for parameter in model.parameters}
    return {
        name: NameInfo("parameter" if name in parameters else "fact", value, value, per_seat=False)
        for name, value in constants(model, players).items()
    }


def _turn_names(model: CardSet) -> dict[str, NameInfo]:
    return {
        "round": NameInfo("fact", 0, model.rounds, per_seat=False),
        "turn": NameInfo("fact", 0, limits.TURNS, per_seat=False),
    }


def _zone_names(model: CardSet) -> dict[str, NameInfo]:
    """Return the names of the zones, with what is known about them.

    A zone is hidden if some seat may not know its cards, for instance because several cards have the same face.
    """
    cards = sum(card.count for card in model.cards)
    faces = any(card.face for card in model.cards)
    names = {}
    for zone in model.zones:
        covered = any(place.face_down for place in zone.layout)
        hidden = zone.seen_by != "everyone" or (faces and not zone.counts) or covered
        ordered = not (zone.counts or zone.layout)
        names[zone.id] = NameInfo("zone", 0, cards, per_seat=zone.per == "seat", hidden=hidden, ordered=ordered)
    return names


def _local_names(local: Mapping[str, tuple[int, int]]) -> dict[str, NameInfo]:
    return {name: NameInfo("counter", low, high, per_seat=False) for name, (low, high) in local.items()}
