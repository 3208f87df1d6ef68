"""Moves: codes, legality, and conversion from and to names.

A *move* is everything that a seat commits to in one choice, as a tuple of codes. ``code = channel * width + item``. The
*item* is an option (a face in a form) or, if the choice is from a layout, a place.

*Channel* 0 has the cards that the seat takes for itself. Then follows one channel for each ability, with the further
cards that the ability takes, then one for each extra seat for which the player decides. Codes are in the order of their
channels: “soup, and bread with the ladle, and salt for the dummy”.
"""

from __future__ import annotations

import re
from collections import Counter
from operator import itemgetter
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, cast

from draftengine.engine.kernel import choices, wild_cards
from draftengine.engine.offer import Move, Moves, MoveSpace, PickGroup
from draftengine.engine.plain import plan_of, record_of
from draftengine.model.records.reader import is_whole
from draftengine.model.verbs.actions import ONLY, numbered
from draftengine.support.identity import IdentityKey, by_identity
from draftengine.support.locale import spoken

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from draftengine.engine.choose import Choice
    from draftengine.engine.offer import Way
    from draftengine.engine.program import Program
    from draftengine.engine.state import GameState


__all__ = [
    "ILLEGAL", "NO_MOVES", "IllegalMove", "Move", "Moves", "check_move", "choice_of", "describe", "encode",
    "item_named", "legal_moves", "name_of",
]  # fmt: skip

ILLEGAL = frozenset({
    "game-over", "not-your-turn", "malformed-move", "unknown-card", "card-not-in-hand", "place-covered",
    "form-not-allowed", "way-not-open", "too-few-cards", "too-many-cards", "ability-not-available", "wrong-seat",
})  # fmt: skip
"""All reasons for refusing a move. The message for a reason is the phrase ``illegal.CODE``."""


class IllegalMove(ValueError):  # noqa: N818 (a public name: a move that is illegal)
    """The error for a move that the rules refuse. Nothing was changed.

    `code` is one of `ILLEGAL`; `detail` names the wrong part of the move.
    """

    def __init__(self, code: str, detail: str = "") -> None:
        super().__init__(f"{spoken('en').phrase(f'illegal.{code}')}{f': {detail}' if detail else ''}")
        self.code = code
        self.detail = detail


NO_MOVES = Moves(MoveSpace(((),), (), ()))
"""The empty sequence of moves, for a seat that has nothing to choose."""


def legal_moves(state: GameState, seat: int) -> Moves:
    """Return the legal moves of a seat, each once, in ascending order; none if the seat is not pending.

    Equal cards count as one move. The order of the cards within a move matters if cards can affect each other. The
    moves are computed lazily and do not depend on later changes of the state.
    """
    if seat not in state.pending:
        return NO_MOVES
    choice = choice_of(state)
    if choice.actions:
        # Cards with the same items for every action belong to one kind. An action without cards is a kind by itself.
        opened, kinds = open_ways(state, choice, seat), Counter[tuple[tuple[int, ...], ...]]()
        for zone in choice.sources:
            ways_from = [(way, count * (choice.actions[way].laying.source == zone)) for way, count in opened]
            cards = next((choice.actions[way].laying.cards_of(state, seat) for way, count in ways_from if count), [])
            named = {
                card: tuple([items_by(state, choice, seat, card, way) if count else () for way, count in ways_from])
                for card in sorted(set(cards))
            }
            kinds.update([named[card] for card in sorted(cards)])
        if not all(count for _, count in opened):
            kinds[tuple([() if count else (choice.cardless_item(way),) for way, count in opened])] += 1
        ways = tuple([(PickGroup(0, column, count or 1),) for column, (_, count) in enumerate(opened)])
        return Moves(MoveSpace(tuple(zip(*kinds, strict=True)), tuple(kinds.values()), ways))
    stock = _available(state, choice, seat)
    more = choice.also or any(uses_of(state, choice, ability, seat) for ability in choice.abilities)
    if stock and not more and own_count(state, choice, seat) == 1:
        items = set(stock)
        if not (choice.layout or state.program.simple):
            items = {item for card in items for item in items_of(state, choice, seat, card)}
        return Moves(listed=tuple([(item,) for item in sorted(items)]))
    return Moves(_offer(state, choice, seat, stock))


def check_move(state: GameState, seat: int, move: object) -> Move:
    """Return the move as a tuple if it is legal. Raises `IllegalMove` otherwise."""
    if state.over:
        raise IllegalMove("game-over")
    if not is_whole(seat) or seat not in state.pending:
        raise IllegalMove("not-your-turn")
    longest = len(state.program.deck)
    if not isinstance(move, (tuple, list)) or len(move) > longest or not all(is_whole(code) for code in move):
        raise IllegalMove("malformed-move")
    _Check(state, choice_of(state), seat).run(tuple(move))
    return tuple(move)


def choice_of(state: GameState) -> Choice:
    """Return the choice that a state with pending seats waits for."""
    return cast("Choice", state.program.code[state.pc])


def _available(state: GameState, choice: Choice, seat: int) -> list[int]:
    """Return the cards or, in a layout, the open places that a seat may take."""
    if choice.layout:
        return choice.open_places(state)
    return choice.cards_of(state, seat)


def _offer(state: GameState, choice: Choice, seat: int, stock: list[int]) -> MoveSpace:
    """Return the moves of a choice without actions, as a move space. Cards with equal items form one kind."""
    ways = tuple(_ways(state, choice, seat, len(stock)))
    takers = (seat, *(other for _, other, _ in choice.parts_for_others(state, seat)))
    if choice.layout and any(part.wide for way in ways for part in way):
        # Abilities can take the places that the move uncovers.
        above = state.program.covered_by[choice.source]
        lying = [place for place, card in enumerate(state.zones[choice.source][0]) if card >= 0]
        covers = tuple([tuple([lying.index(cover) for cover in above[place] if cover in lying]) for place in lying])
        return MoveSpace(
            (tuple([(place,) for place in lying]),) * len(takers),
            tuple([int(place in stock) for place in lying]),
            ways,
            covers,
        )
    named = {card: tuple([items_of(state, choice, taker, card) for taker in takers]) for card in sorted(set(stock))}
    kinds = Counter([named[card] for card in sorted(stock)])
    return MoveSpace(tuple(zip(*kinds, strict=True)), tuple(kinds.values()), ways)


def _ways(state: GameState, choice: Choice, seat: int, stock: int) -> Iterator[Way]:
    """Yield the ways to move, as pick groups: without abilities, then for each ability and number of uses."""
    width = state.program.width
    count = min(own_count(state, choice, seat), stock)
    main, left = PickGroup(0, 0, count), stock - count
    others = [
        PickGroup(channel * width, column, cards)
        for column, (channel, _, cards) in enumerate(choice.parts_for_others(state, seat), 1)
    ]
    spare, shared = left, []
    for part in others:
        shared.append(part._replace(cards=min(part.cards, spare)))
        spare -= shared[-1].cards
    yield _whole(main, *shared)
    for ability in choice.abilities:
        taken = state.program.abilities[ability].model.take
        for uses in range(1, uses_of(state, choice, ability, seat) + 1):
            further = PickGroup((1 + ability) * width, 0, uses * taken, choice.layout)
            if choice.layout or sum(part.cards for part in (further, *others)) <= left:
                yield _whole(main, further, *(part._replace(wide=choice.layout) for part in others))


def _whole(*parts: PickGroup) -> Way:
    """Return the way to move that consists of these pick groups, without groups that take no card."""
    return tuple([part for part in parts if part.cards])


class _Check:
    """The check of one move in one choice. It raises an error for the first problem that it finds."""

    def __init__(self, state: GameState, choice: Choice, seat: int) -> None:
        self.state = state
        self.choice = choice
        self.seat = seat
        self.stock = _available(state, choice, seat)

    def run(self, move: Move) -> None:
        if self.choice.actions:
            self._way(move)
            return
        width = self.state.program.width
        channels = [code // width for code in move]
        if min(move, default=0) < 0 or max(channels, default=0) >= self.choice.channels:
            raise IllegalMove("unknown-card")
        if channels != sorted(channels):
            raise IllegalMove("malformed-move")
        items = [code % width for code in move]
        count = channels.count(0)
        self._count(count, min(own_count(self.state, self.choice, self.seat), len(self.stock)))
        self._take(items[:count], self.seat)
        if count < len(move):
            kinds = 0
            for ability in range(self.choice.first_other - 1):
                picks = [item for channel, item in zip(channels, items, strict=True) if channel == 1 + ability]
                if picks:
                    kinds += 1
                    self._ability(ability, picks, tuple(items[: channels.count(0)]), kinds)
        if self.choice.also:
            parts = {
                channel: (seat, cards) for channel, seat, cards in self.choice.parts_for_others(self.state, self.seat)
            }
            first = self.choice.first_other
            if any(channel >= first and channel not in parts for channel in channels):
                raise IllegalMove("wrong-seat")
            for channel, (seat, cards) in parts.items():
                picks = [item for other, item in zip(channels, items, strict=True) if other == channel]
                self._count(len(picks), min(cards, len(self.stock)))
                self._take(picks, seat)

    def _way(self, move: Move) -> None:
        """Check a move of a choice with actions: the action must be open and take its number of cards."""
        choice, state = self.choice, self.state
        if any(not 0 <= code < choice.item_count(state.program) for code in move):
            raise IllegalMove("unknown-card")
        if not move:
            raise IllegalMove("too-few-cards")
        ways = [choice.action_of_item(code)[0] for code in move]
        if len(set(ways)) > 1:
            raise IllegalMove("malformed-move")
        wanted = dict(open_ways(state, choice, self.seat)).get(ways[0])
        if wanted is None:
            raise IllegalMove("way-not-open", choice.actions[ways[0]].name)
        options = choice.taken_by(move)[1]
        self.stock = choice.actions[ways[0]].laying.cards_of(state, self.seat)
        self._count(len(options), wanted)
        if len(move) > max(len(options), 1):
            raise IllegalMove("malformed-move")
        for option in options:
            card = _card_for(state, choice, self.stock, option)
            if ways[0] * choice.items_per_action + option not in items_by(state, choice, self.seat, card, ways[0]):
                raise IllegalMove(
                    "form-not-allowed", choice.item_name(state.program, ways[0] * choice.items_per_action + option)
                )
            self.stock.remove(card)

    def _count(self, count: int, wanted: int) -> None:
        if count < wanted:
            raise IllegalMove("too-few-cards")
        if count > wanted:
            raise IllegalMove("too-many-cards")

    def _take(self, items: list[int], seat: int) -> None:
        for item in items:
            card = _card_for(self.state, self.choice, self.stock, item)
            if item not in items_of(self.state, self.choice, seat, card):
                raise IllegalMove("form-not-allowed", self.choice.item_name(self.state.program, item))
            self.stock.remove(card)

    def _ability(self, ability: int, picks: list[int], move: Move, kinds: int) -> None:
        choice, state = self.choice, self.state
        take = state.program.abilities[ability].model.take
        uses, odd = divmod(len(picks), take)
        name = state.program.abilities[ability].model.id
        if ability not in choice.abilities or kinds > 1 or uses > uses_of(state, choice, ability, self.seat):
            raise IllegalMove("ability-not-available", name)
        if odd:
            raise IllegalMove("too-few-cards", name)
        stock = tuple(self.stock)
        if len(picks) > choice.left_for_ability(state, self.seat, stock, move):
            raise IllegalMove("too-many-cards", name)
        self.stock = list(choice.uncovered(state, stock, move))
        self._take(picks, self.seat)


def _card_for(state: GameState, choice: Choice, stock: list[int], item: int) -> int:
    """Return the card in `stock` that an item names. Raises `IllegalMove` if there is none."""
    program = state.program
    if choice.layout:
        if item >= len(program.zones[choice.source].layout):
            raise IllegalMove("unknown-card")
        if item not in stock:
            raise IllegalMove("place-covered", program.zones[choice.source].layout[item].id)
        return item
    if item >= len(program.options):
        raise IllegalMove("unknown-card")
    cards = [item] if choice.as_they_lie else [card for card, _ in program.options[item].plays]
    for held in stock:
        if held in cards:
            return held
    raise IllegalMove("card-not-in-hand", program.options[item].name)


def describe(state: GameState, move: Move) -> dict[str, Any]:
    """Return a move in names: ``{"cards": [...], "with": {ability: [...]}, "for": {seat: [...]}}``.

    Entries without cards are left out.
    """
    return choice_of(state).describe(state.program, move)


def name_of(program: Program, choice: Choice, item: int) -> str:
    """Return the name of an item: an option, with its action if it has one, or a place."""
    return choice.item_name(program, item)


def encode(
    state: GameState, seat: int, cards: Sequence[str], others: Mapping[str, Sequence[str]] = MappingProxyType({})
) -> Move:
    """Return the move that takes `cards` in order.

    If there are more cards than the seat takes for itself, the ready ability takes the rest. `others` names cards by
    extra seat. A card is named by its option (``soup``, ``triple@soup``) or its place. Raises `IllegalMove` for unknown
    names; `check_move` decides whether the move is legal.
    """
    if seat not in state.pending:
        raise IllegalMove("game-over" if state.over else "not-your-turn")
    choice = choice_of(state)
    no_card = numbered(ONLY, 0)  # an action without a card whose number of cards is a range may be left unnamed
    if not cards and any(way.name == no_card for way in choice.actions):
        cards = (no_card,)
    cards = [_named_plainly(state, choice, seat, name) for name in cards]
    count = len(cards) if choice.actions else own_count(state, choice, seat)
    if len(cards) > count and not choice.abilities:
        raise IllegalMove("too-many-cards")
    codes = items_named(state.program, choice, cards)
    if len(cards) > count:
        ready = (ability for ability in choice.abilities if uses_of(state, choice, ability, seat))
        channel = (1 + next(ready, choice.abilities[0])) * state.program.width
        codes[count:] = [channel + item for item in codes[count:]]
    extra = [state.program.seat_name(seat) for seat, _, _ in choice.also]
    for name, names in others.items():
        if names and name not in extra:
            raise IllegalMove("wrong-seat", name)
        for card in names:
            channel = choice.first_other + extra.index(name)
            codes.append(channel * state.program.width + item_named(state.program, choice, card))
    return tuple(codes)


_BOUGHT = re.compile(r"(.+)\((.+)\)")


def _named_plainly(state: GameState, choice: Choice, seat: int, name: str) -> str:
    """Return the name of an item for a name that says more, or less.

    ``row_2.card@way`` names the place of the card. Without it, the action from the first place with such a card is
    meant. ``card@way(left 2, right 1)`` says how many units neighbours sell. Of two actions that differ only in who
    sells first, the one with these numbers is meant. Raises `IllegalMove` if there is none.
    """
    known = _items_by_name(state.program, IdentityKey(choice))
    if name in known or not choice.actions:
        return name
    zone, _, rest = name.rpartition(".")
    match = _BOUGHT.fullmatch(rest)
    rest, stated = (match[1], match[2].split(", ")) if match else (rest, ())
    units = {number for number in stated if not number.endswith(" 0")}
    given, at, ending = rest.rpartition("@")
    meant = []
    for card, stem in [(given, ending)] if at else [(rest, ""), ("", rest)]:
        for index, way in enumerate(choice.actions):
            plain = f"{card}@{way.name}" if card else way.name
            item, source = known.get(plain), state.program.zones[way.laying.source].id
            names = {way.name, way.entry, *((way.other_first, f"{way.entry}_other") if way.other_first else ())}
            if item is None or stem not in names or zone not in {"", source}:
                continue
            option = choice.option_of(item)
            if option >= 0:
                state.formula_card = state.program.options[option].plays[0][0]
            sold = Counter[str]()
            for whom, value in way.bought:
                sold[whom] += value(state, seat)
            if not match or units == {f"{whom} {number}" for whom, number in sold.items() if number}:
                held = set(way.laying.held(state, seat)) if option >= 0 else ()
                meant.append((any(item in items_by(state, choice, seat, lying, index) for lying in held), plain))
    if match and not meant:
        raise IllegalMove("way-not-open", name)
    return max(meant, key=itemgetter(0), default=(False, name))[1]


def items_named(program: Program, choice: Choice, names: Sequence[str]) -> list[int]:
    """Return the items with these names.

    If actions differ in their numbers of cards, the number of names selects one. An action that takes all cards of a
    place can be named by the place, too. Raises `IllegalMove` for an unknown
    name.
    """
    if not choice.actions:
        return [item_named(program, choice, name) for name in names]
    known = _items_by_name(program, IdentityKey(choice))
    items = []
    for name in names:
        meant = [name, numbered(name, len(names)), f"{name}@{numbered(ONLY, len(names))}"]
        place, _, way = name.partition("@")
        if way and place not in program.cards:  # such as ``row_2@take``: taking all cards of a place or line
            copies = [zone.id for zone in program.zones if zone.id == place]
            meant += [f"{way}_{place}", *(f"{way}_{copy.rpartition('_')[2]}" for copy in copies)]
        if known.keys().isdisjoint(meant):
            raise IllegalMove("unknown-card", name)
        items.append(next(known[candidate] for candidate in meant if candidate in known))
    return items


def item_named(program: Program, choice: Choice, name: str) -> int:
    """Return the item with a name. Raises `IllegalMove` if there is none."""
    item = _items_by_name(program, IdentityKey(choice)).get(name)
    if item is None:
        raise IllegalMove("unknown-card", name)
    return item


@by_identity(256)
def _items_by_name(program: Program, choice: IdentityKey[Choice]) -> Mapping[str, int]:
    """Return the items of a choice by name. Cached, because there can be thousands and each is looked up."""
    return {name_of(program, choice.own, item): item for item in range(choice.own.item_count(program))}


def own_count(state: GameState, choice: Choice, seat: int) -> int:
    """Return the number of cards that a seat takes for itself."""
    return wild_cards.own_count(record_of(state), plan_of(state.program), choice, seat)


def uses_of(state: GameState, choice: Choice, ability: int, seat: int) -> int:
    """Return the number of times that a seat can use an ability now."""
    return choices.uses(record_of(state), plan_of(state.program), choice, ability, seat)


def asked_now(state: GameState) -> tuple[int, ...]:
    """Return the players that the current choice asks, because they have something to take."""
    record, plan = record_of(state), plan_of(state.program)
    return tuple(seat for seat in plan.players if choices.has_choice(record, plan, choice_of(state), seat))


def open_ways(state: GameState, choice: Choice, seat: int) -> list[tuple[int, int]]:
    """Return the actions that a seat can take now, each with its number of cards."""
    record, plan = record_of(state), plan_of(state.program)
    return [
        (index, choices.cards_taken(record, plan, choice, way, seat))
        for index, way in enumerate(choice.actions)
        if choices.way_is_open(record, plan, choice, way, seat)
    ]


def items_by(state: GameState, choice: Choice, seat: int, card: int, way: int) -> tuple[int, ...]:
    """Return the items that name a card for an action; none if the action does not accept the card."""
    chosen = choice.actions[way]
    if not choices.can_go(record_of(state), plan_of(state.program), chosen, seat, card):
        return ()
    base = way * choice.items_per_action
    return tuple([base + option for option in items_of(state, chosen.laying, seat, card)])


def items_of(state: GameState, choice: Choice, seat: int, card: int) -> tuple[int, ...]:
    """Return the options that a seat has for a card now.

    In a layout, return just `card`, which is a place.

    A wild card without an allowed form is played as itself if too few other cards can be played.
    """
    program = state.program
    if choice.layout or program.simple or choice.as_they_lie:
        return (card,)
    if not choice.plays:
        return program.options_of[card][-1:]
    record, plan = record_of(state), plan_of(program)
    if card not in plan.wild:
        return program.options_of[card]
    *named, bare = program.options_of[card]
    allowed = tuple(
        [option for option in named if wild_cards.is_allowed(record, plan, program.options[option].condition, seat)]
    )
    if allowed or wild_cards.is_stuck(plan, wild_cards.cannot_be_played(record, plan, choice, seat), card):
        return allowed
    return (bare,)
