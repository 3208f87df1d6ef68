"""Node counts by an independent program for the other card sets, from their statements alone.

It visits every joint sequence, as `perft.by_hand` does for the first editions.
"""

from __future__ import annotations

from itertools import combinations, product
from typing import TYPE_CHECKING, NamedTuple

from oracle import naive_anniversary, naive_draft, naive_menus, naive_ohanami, naive_party, naive_tides
from perft import by_hand, by_hand_donuts

if TYPE_CHECKING:
    from collections.abc import Iterator

Cards = tuple[str, ...]
Action = tuple[Cards, Cards]
"""The cards that a seat takes for itself, and those for the dummy."""


class Position(NamedTuple):
    """All cards, points and markers before a choice."""

    hands: tuple[Cards, ...]
    tables: tuple[Cards, ...]
    """Cards by seat in order of play; those of a dummy come last."""
    points: tuple[int, ...]
    """Points given during play."""
    piles: tuple[Cards, ...] = ()
    """Draw piles by player, or one for all; the first card is on top."""
    display: tuple[tuple[str, str], ...] = ()
    """Pairs of place and card."""
    kept: tuple[Cards, ...] = ()
    rows: tuple[tuple[Cards, ...], ...] = ()
    """Rows of cards by seat."""
    holder: int = -1
    """The holder of the squishy; -1 for nobody."""
    mover: int = 0
    """The seat whose turn it is, or that controls the dummy."""
    step: int = 0
    """The number of choices already made in the turn, where it has several."""
    turn: int = 1


def without(cards: Cards, *gone: str) -> Cards:
    left = list(cards)
    for card in gone:
        left.remove(card)
    return tuple(left)


def passed(hands: tuple[Cards, ...]) -> tuple[Cards, ...]:
    """Pass every hand to the left, which is to the next seat."""
    return (hands[-1], *hands[:-1])


def replaced(cards: tuple[Cards, ...], seat: int, own: Cards) -> tuple[Cards, ...]:
    return (*cards[:seat], own, *cards[seat + 1 :])


class PickAndPass:
    """All choose, reveal and pass to the left (A-06, A-07): the tenth anniversary edition and the menus."""

    def __init__(self, scorer, edition, *, last: bool, chopsticks: bool) -> None:
        self.scorer, self.edition, self.last, self.chopsticks = scorer, edition, last, chopsticks

    def choices(self, position: Position) -> list[list[Action]]:
        """Return the actions of each seat."""
        picks = [self.picks(hand, table) for hand, table in zip(position.hands, position.tables, strict=False)]
        return [[(own, ()) for own in one] for one in picks]

    def picks(self, hand: Cards, table: Cards) -> list[Cards]:
        """Return picks: one card, or two with chopsticks, in both orders where they differ (A-14, A-15)."""
        single = [(card,) for card in sorted(set(hand))]
        if not self.chopsticks or "chopsticks" not in table:
            return single
        pairs = sorted({tuple(sorted(pair)) for pair in combinations(hand, 2)})
        both = [(other, one) for one, other in pairs if by_hand.order_counts(one, other)]
        return single + pairs + both

    def after(self, position: Position, joint: tuple[Action, ...]) -> Position:
        hands, tables = list(position.hands), list(position.tables)
        for seat, (own, other) in enumerate(joint):
            hands[seat] = without(hands[seat], *own, *other)
            tables[seat] += own
            if other:
                tables[-1] += other
            if len(own) > 1:
                tables[seat] = without(tables[seat], "chopsticks")
                hands[seat] += ("chopsticks",)
        shown = position._replace(hands=tuple(hands), tables=self.revealed(tuple(tables), joint))
        return self.turn_over(trophy(position.tables, shown))

    def revealed(self, tables: tuple[Cards, ...], joint: tuple[Action, ...]) -> tuple[Cards, ...]:
        """Return the position after the reveal: soups that several seats play in one turn are lost."""
        serving = [seat for seat, (own, _) in enumerate(joint) if "miso_soup" in own]
        if len(serving) < 2:
            return tables
        return tuple(table[:-1] if seat in serving else table for seat, table in enumerate(tables))

    def turn_over(self, position: Position) -> Position:
        return position._replace(hands=passed(position.hands))

    def is_over(self, position: Position) -> bool:
        return not any(position.hands)

    def scores(self, position: Position) -> tuple[int, ...]:
        tables = [list(table) for table in position.tables]
        given = self.scorer.score_round(tables, self.edition)
        if self.last:
            given |= self.scorer.score_game(tables, self.edition)
        return tuple(map(sum, zip(position.points, *given.values(), strict=True)))

    def key(self, position: Position) -> object:
        """Return what identifies a position: cards without their order, worth of tables, and kept cards."""
        return position._replace(
            hands=tuple(tuple(sorted(hand)) for hand in position.hands),
            tables=tuple((tuple(sorted(table)), by_hand.worth(table)) for table in position.tables),
            kept=tuple(tuple(sorted(own)) for own in position.kept),
            turn=0,
        )

    def following(self, position: Position) -> Iterator[Position]:
        for joint in product(*self.choices(position)):
            yield self.after(position, joint)


def strawberries(table: Cards) -> int:
    return sum(int(card[-1]) for card in table if card.startswith("strawberry_"))


def trophy(before: tuple[Cards, ...], position: Position) -> Position:
    """Give squishy and 2 points to the new sole leader in strawberries who played some (A-08 to A-11)."""
    counts = [strawberries(table) for table in position.tables]
    leading = [seat for seat, own in enumerate(counts) if own > strawberries(before[seat]) and own == max(counts)]
    if len(leading) != 1 or leading[0] == position.holder:
        return position
    points = tuple(own + 2 * (seat == leading[0]) for seat, own in enumerate(position.points))
    return position._replace(holder=leading[0], points=points)


class DrawPiles(PickAndPass):
    """Each seat draws from its own pile after every pass, while it has cards (A-46, A-47)."""

    def turn_over(self, position: Position) -> Position:
        hands = passed(position.hands)
        hands = tuple(hand + pile[:1] for hand, pile in zip(hands, position.piles, strict=True))
        return position._replace(hands=hands, piles=tuple(pile[1:] for pile in position.piles))


class Dummy(PickAndPass):
    """The seat that controls the dummy draws its top card, and chooses a card for it as well (A-54)."""

    def choices(self, position: Position) -> list[list[Action]]:
        own = []
        for seat, hand in enumerate(position.hands):
            picks = self.picks(hand, position.tables[seat])
            if seat != position.mover:
                own.append([(cards, ()) for cards in picks])
                continue
            pairs = [(cards, without(hand, *cards)) for cards in picks if len(hand) > len(cards) or len(cards) == 1]
            own.append(
                [(cards, (other,) if other else ()) for cards, left in pairs for other in sorted(set(left)) or [""]]
            )
        return own

    def turn_over(self, position: Position) -> Position:
        position = position._replace(hands=passed(position.hands), mover=1 - position.mover)
        return self.drawn(position)

    @staticmethod
    def drawn(position: Position) -> Position:
        """Draw the dummy's top card, if any, before the controller chooses; not when the round is over."""
        if not any(position.hands):
            return position
        (pile,) = position.piles
        hands = replaced(position.hands, position.mover, position.hands[position.mover] + pile[:1])
        return position._replace(hands=hands, piles=(pile[1:],))


class Battle(PickAndPass):
    """Seats take uncovered cards in turn; chopsticks take a second one and lie in its place (A-50, A-51)."""

    def free(self, position: Position) -> list[str]:
        """Return the uncovered places. A card is covered by those at the next row and column."""
        lying = {place for place, _ in position.display}
        return [place for place in sorted(lying) if lying.isdisjoint(covering(place))]

    def choices(self, position: Position) -> list[list[Action]]:
        taking = [((place,), ()) for place in self.free(position)]
        return [[((), ()), *taking] if position.step else taking]

    def after(self, position: Position, joint: tuple[Action, ...]) -> Position:
        ((own, _),) = joint
        display, seat, before = dict(position.display), position.mover, position.tables
        for place in own:
            table = before[seat] + (display.pop(place),)
            if position.step:
                table = without(table, "chopsticks")
                display[place] = "chopsticks"
            position = position._replace(tables=replaced(before, seat, table))
        position = trophy(before, position._replace(display=tuple(sorted(display.items()))))
        if not position.step and "chopsticks" in before[seat] and display:
            return position._replace(step=1)
        return position._replace(step=0, mover=1 - seat)

    def is_over(self, position: Position) -> bool:
        return not position.display


def covering(place: str) -> set[str]:
    row, column = map(int, place[1:].split("c"))
    return {f"r{row + 1}c{column}", f"r{row + 1}c{column + 1}"}


class KeepOne(PickAndPass):
    """Seats play a card, keep one and pass the rest, four times, then play a last one (D-05 to D-09)."""

    def choices(self, position: Position) -> list[list[Action]]:
        seats = [seat for seat, hand in enumerate(position.hands) if hand]
        return [[((card,), (str(seat),)) for card in self.cards(position, seat)] for seat in seats]

    def cards(self, position: Position, seat: int) -> list[str]:
        """Return the card, or a triple as each kind that lies in the tableau (D-10)."""
        found = sorted(set(position.hands[seat]))
        if position.step or "triple" not in found:
            return found
        kinds = sorted({naive_draft.kind_of(card) for card in position.tables[seat]})
        return [card for card in found if card != "triple"] + [f"triple@{kind}" for kind in kinds]

    def after(self, position: Position, joint: tuple[Action, ...]) -> Position:
        for (card,), (number,) in joint:
            seat = int(number)
            hand = without(position.hands[seat], card.partition("@")[0])
            position = position._replace(hands=replaced(position.hands, seat, hand))
            if position.step:
                position = position._replace(kept=replaced(position.kept, seat, (card,)))
            else:
                position = position._replace(tables=replaced(position.tables, seat, position.tables[seat] + (card,)))
        return self.next_choice(position)

    def next_choice(self, position: Position) -> Position:
        """Move on to the next choice of any seat, or to the end of the round."""
        if position.turn > 4:
            return position._replace(hands=((),) * len(position.hands), turn=6)
        if not position.step:
            position = position._replace(step=1)
            if any(position.hands):
                return position
        hands = tuple(hand + own for hand, own in zip(passed(position.hands), position.kept, strict=True))
        position = position._replace(hands=hands, kept=((),) * len(hands), step=0, turn=position.turn + 1)
        return position if any(hands) else position._replace(turn=6)

    def is_over(self, position: Position) -> bool:
        return position.turn > 5


class Kingdoms(PickAndPass):
    """Seats draft and score; between rounds one card of a kingdom becomes a relic and one is removed.

    Relics are in `Position.piles`, removed cards in `Position.kept`.
    """

    def choices(self, position: Position) -> list[list[Action]]:
        places = position.tables if position.step else position.hands
        return [[((card,), ()) for card in sorted(own)] for own in places]

    def after(self, position: Position, joint: tuple[Action, ...]) -> Position:
        taken = [card for ((card,), _) in joint]
        if position.step:
            tables = tuple(without(own, card) for own, card in zip(position.tables, taken, strict=True))
            there = position.piles if position.step == 1 else position.kept
            there = tuple((*own, card) for own, card in zip(there, taken, strict=True))
            position = position._replace(tables=tables, step=position.step + 1)
            return position._replace(piles=there) if position.step == 2 else position._replace(kept=there)
        hands = passed(tuple(without(own, card) for own, card in zip(position.hands, taken, strict=True)))
        tables = tuple((*own, card) for own, card in zip(position.tables, taken, strict=True))
        position = position._replace(hands=hands, tables=tables)
        if any(hands):
            return position
        return position._replace(points=self.scored(position), step=1)

    def scored(self, position: Position) -> tuple[int, ...]:
        kingdoms = [[*table, *relics] for table, relics in zip(position.tables, position.piles, strict=True)]
        given = self.scorer.score_round(kingdoms, self.edition)
        return tuple(map(sum, zip(*given.values(), strict=True)))

    def is_over(self, position: Position) -> bool:
        return position.step == (1 if self.last else 3)

    def scores(self, position: Position) -> tuple[int, ...]:
        return position.points

    def key(self, position: Position) -> object:
        places = (position.hands, position.tables, position.piles, position.kept)
        return *(tuple(tuple(sorted(own)) for own in place) for place in places), position.points, position.step


class Rows(PickAndPass):
    """Seats put two cards aside, one after the other; each then goes to an end of a row, or away."""

    def choices(self, position: Position) -> list[list[Action]]:
        if position.step < 2:
            return [[((card,), ()) for card in sorted(own)] for own in position.hands]
        found = [
            [((card, where), ()) for card in sorted(own) for where in self.places(card, rows)]
            for own, rows in zip(position.kept, position.rows, strict=True)
        ]
        assert all(found)
        return found

    @staticmethod
    def places(card: str, rows: tuple[Cards, ...]) -> list[str]:
        """Return the rows that a card extends, and the option to put it away."""
        own, found = _printed(card), ["away"]
        for at, row in enumerate(rows):
            numbers = sorted(map(_printed, row))
            if not numbers or not numbers[0] < own < numbers[-1]:
                found.append(str(at))
        return found

    def after(self, position: Position, joint: tuple[Action, ...]) -> Position:
        taken = [own for own, _ in joint]
        if position.step < 2:
            hands = tuple(without(own, card) for own, (card,) in zip(position.hands, taken, strict=True))
            kept = tuple((*own, card) for own, (card,) in zip(position.kept, taken, strict=True))
            return position._replace(hands=hands, kept=kept, step=position.step + 1)
        kept = tuple(without(own, card) for own, (card, _) in zip(position.kept, taken, strict=True))
        rows = tuple(
            tuple((*row, card) if where == str(at) else row for at, row in enumerate(own))
            for own, (card, where) in zip(position.rows, taken, strict=True)
        )
        position = position._replace(kept=kept, rows=rows)
        if any(kept):
            return position
        to_the_left = self.edition.round != 2
        hands = passed(position.hands) if to_the_left else (*position.hands[1:], position.hands[0])
        return position._replace(hands=hands, step=0)

    def is_over(self, position: Position) -> bool:
        return not any(position.hands) and not any(position.kept)

    def scores(self, position: Position) -> tuple[int, ...]:
        gardens = [[card for row in rows for card in row] for rows in position.rows]
        return tuple(map(sum, zip(*self.scorer.score_round(gardens, self.edition).values(), strict=True)))

    def key(self, position: Position) -> object:
        rows = tuple(tuple(tuple(sorted(row)) for row in own) for own in position.rows)
        places = (position.hands, position.kept)
        return *(tuple(tuple(sorted(own)) for own in place) for place in places), rows, position.step


def _printed(card: str) -> int:
    return int(card.split("_")[1])


class Menus(PickAndPass):
    """The party game: soups, uramaki races and special orders. The vectors do not use the menu card."""

    def picks(self, hand: Cards, table: Cards) -> list[Cards]:
        """Return picks; a special order copies any card of the tableau, or nothing if it is empty."""
        copied = {card.split("@")[-1] for card in table} - {"special_order", "chopsticks"}
        forms = {card: [f"{card}@{own}" for own in copied] if card == "special_order" else [card] for card in hand}
        named = tuple((forms[card] or [card])[0] for card in hand)
        found = super().picks(named, table)
        more = [(form,) for own in forms.values() for form in own[1:]]
        return found + more

    def after(self, position: Position, joint: tuple[Action, ...]) -> Position:
        bare = tuple(tuple(card.split("@")[0] for card in own) for own, _ in joint)
        hands = list(position.hands)
        for seat, (own, _) in enumerate(joint):
            hands[seat] = (*without(hands[seat], *bare[seat]), *own)
        return self.raced(super().after(position._replace(hands=tuple(hands)), joint))

    def revealed(self, tables: tuple[Cards, ...], joint: tuple[Action, ...]) -> tuple[Cards, ...]:
        """Return the position after the reveal; a copy of a soup counts as a soup."""
        as_copied = tuple((tuple(naive_menus.lying(list(own))), other) for own, other in joint)
        return super().revealed(tables, as_copied)

    def raced(self, position: Position) -> Position:
        """Give the next places to seats with ten icons, most icons first, and discard their uramaki."""
        points, tables, served = list(position.points), list(position.tables), position.mover
        icons = [sum(int(card[-1]) for card in table if "uramaki_" in card) for table in tables]
        for most in sorted({own for own in icons if own >= 10}, reverse=True):
            winners = [seat for seat, own in enumerate(icons) if own == most]
            for seat in winners:
                points[seat] += (8, 5, 2, *[0] * 20)[served]
                tables[seat] = tuple(card for card in tables[seat] if "uramaki_" not in card)
            served += 1
        return position._replace(points=tuple(points), tables=tuple(tables), mover=served)

    def scores(self, position: Position) -> tuple[int, ...]:
        self.edition.dice[:] = [position.mover]
        return super().scores(position)


def game_of(cardset: str, variants: list[str], number: int) -> PickAndPass:
    """Return the game of a vector, in the round of this number."""
    last = number == 3
    if cardset.startswith("party_"):
        return PickAndPass(naive_party, naive_party.Edition(cardset[6:]), last=last, chopsticks=False)
    if cardset == "sushi_go_party":
        edition = naive_menus.Edition(tuple(variants))
        return Menus(naive_menus, edition, last=last, chopsticks="chopsticks" in variants)
    if cardset == "ohanami":
        return Rows(naive_ohanami, naive_ohanami.Edition(number), last=last, chopsticks=False)
    if cardset == "tides_of_time":
        return Kingdoms(naive_tides, naive_tides.Edition(), last=last, chopsticks=False)
    if cardset == "sushi_draft":
        edition = naive_draft.Edition("advanced_triple" in variants, "advanced_wasabi" in variants)
        return KeepOne(naive_draft, edition, last=last, chopsticks=False)
    forms = {"personal_draw_piles": DrawPiles, "two_player_dummy": Dummy, "sushi_battle": Battle}
    form = next((forms[name] for name in variants if name in forms), PickAndPass)
    dessert = next((name for name in variants if name in naive_anniversary.DESSERTS), "strawberry")
    edition = naive_anniversary.Edition(dessert, "must_have_maki" in variants)
    return form(naive_anniversary, edition, last=last, chopsticks=True)


def count(vector: dict) -> dict[str, object]:
    """Return the figures of a vector of one of these card sets."""
    if vector["cardset"] == "go_nuts_for_donuts":
        return by_hand_donuts.count(vector)
    game = game_of(vector["cardset"], vector.get("variants", []), vector.get("round", 3))
    hands = tuple(map(tuple, vector.get("hands", [])))
    seats = vector["players"] + ("two_player_dummy" in vector.get("variants", []))
    tables = tuple(map(tuple, vector.get("tables", [[]] * seats)))
    zones = vector.get("zones", {})
    piles = zones.get("pile", [])
    start = Position(
        hands,
        tables,
        (0,) * seats,
        piles=tuple(map(tuple, piles if isinstance(game, DrawPiles) else zones.get("relics", [piles]))),
        display=tuple(sorted(zones.get("display", {}).items())),
        kept=((),) * len(hands),
        rows=tuple(zip(*(map(tuple, zones[own]) for own in ("first_row", "second_row", "third_row")), strict=True))
        if vector["cardset"] == "ohanami"
        else (),
    )
    if isinstance(game, Dummy):
        start = game.drawn(start)
    return by_hand.walked(start, game.following, game.is_over, game.scores, game.key)
