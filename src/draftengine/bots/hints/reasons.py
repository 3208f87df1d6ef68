"""The reasons for and against moves: how each move changes the table, by rule and in words.

Nothing here depends on a particular game. Only changes that the seat can see are used. Points are those that the rules
would give if everything were scored now. The steps of the flow determine where the cards go. The caller provides the
names of seats, cards and rules.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Protocol, cast

from msgspec import Struct

from draftengine.api import turns as flow
from draftengine.engine.events import points_of
from draftengine.engine.program import RankedRule
from draftengine.engine.public_state import PublicState, forms_of, outcome, rises

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from draftengine.api.game import Game
    from draftengine.api.moves import Move as NamedMove
    from draftengine.engine.choose import Choice
    from draftengine.engine.moves import Move
    from draftengine.engine.observe import Observation
    from draftengine.engine.program import Program
    from draftengine.engine.state import GameState


class Reason(Struct, frozen=True):
    """A reason for a move, or something to know about it; `kind` defines the meaning of the other fields.

    * ``gains``, ``costs``: rule `rule` would give the seat `amount` more if everything were scored now. Without a
      rule, the cards give the amount immediately when they are played;
    * ``spares``: a ranking would now take `amount` less from the seat, which others can still change;
    * ``then``: a gain for playing the card later, which this choice only prepares;
    * ``takes``: as things are now, the other seat `seat` would lose `amount` under `rule`;
    * ``denies``: `seat`, which gets the cards that are left, could gain `amount` less from them;
    * ``returns``: if the card is left, it is still there in the next choice from these cards with probability `amount`;
    * ``prepares``: with `more` cards like `card` after it, `rule` would give `amount` more than without this move;
    * ``later``: the move is worth less now than another move, and `amount` more later.
    """

    kind: str
    amount: float = 0
    rule: str = ""
    seat: int = -1
    card: str = ""
    more: int = 0
    chips: bool = False
    """True if the amount is a number of chips."""


class Hint(Struct, frozen=True):
    """A move, the adviser's value for it (see `draftengine.bots.Decision.unit`), and the reasons for it."""

    move: NamedMove
    value: float
    reasons: tuple[Reason, ...]
    unit: str = "gain"


class MoveAnalysis:
    """The table as a seat sees it, and the changes that moves would make to it."""

    def __init__(self, seen: Observation) -> None:
        self.seen = seen
        self.program = seen.program
        self.public = PublicState.of_observation(seen)
        self.choice = cast("Choice", seen.program.code[seen.decision])
        self.playing = self.choice.as_played()
        self.prepares_only = flow.joins_later(seen)
        self.sign = seen.program.direction
        self.receiver = flow.receiver(seen)
        self.last_turn = flow.is_last_turn(seen)
        self.last_round = seen.round == seen.program.model.rounds

    def gain(self, move: Move) -> int:
        """Return how much the move raises the seat's provisional points, as bots count them."""
        return rises(self.public, self.choice, self.seen.seat, (move,))[0]

    def rises(self, move: Move, taken: Move) -> list[Reason]:
        """Return how much more each rule gives the seat after `move` than after `taken`, largest first."""
        choice = self.playing if self.prepares_only else self.choice
        points = self._points(choice, self.seen.seat, move)
        rise = _changes(self._points(choice, self.seen.seat, taken), points)
        chips, good = _chip_rules(self.program), "then" if self.prepares_only else "gains"
        ranked = {number for number, rule in enumerate(self.program.rules) if isinstance(rule, RankedRule)} - chips
        reasons = []
        for rule, amount in sorted(rise.items(), key=lambda item: (-self.sign * item[1], item[0])):
            kind = "costs" if amount * self.sign < 0 else good
            if kind == "gains" and rule in ranked and points[rule] * self.sign <= 0:
                kind = "spares"
            reasons.append(Reason(kind, amount, self._name(rule), chips=rule in chips))
        return [reason for reason in reasons if not self.prepares_only or reason.kind == "then"]

    def _name(self, rule: int) -> str:
        """Return the id of the rule with this index.

        It is empty for the index after the last rule, which stands for points that a move gives at once.
        """
        return self.program.rules[rule].model.id if rule < len(self.program.rules) else ""

    def takes(self, move: Move, taken: Move) -> list[Reason]:
        """Return the largest loss that the move causes to another seat that can win, as a list of at most one."""
        sides = [
            self.public.with_words(outcome(self.public, self.choice, self.seen.seat, made)[0]) for made in (taken, move)
        ]
        chips = _chip_rules(self.program)
        reasons = [
            Reason("takes", -self.sign * points, self._name(rule), seat, chips=rule in chips)
            for seat in range(self.program.ranked)
            if seat != self.seen.seat and self.program.can_win[seat]
            for rule, points in _changes(*(points_by_rule(side, seat) for side in sides)).items()
            if points * self.sign < 0
        ]
        return [max(reasons, key=lambda reason: reason.amount)] if reasons else []

    def denied(self, move: Move) -> list[Reason]:
        """Return how much more the receiver of the hand could gain with a taken card than with one left."""
        codes = [self.choice.option_of(code) for code in move if code < self.program.width]
        options = [code for code in codes if code >= 0]
        if self.receiver is None or not options or self.choice.offer:
            return []
        names = [self.program.faces[self.program.options[code].plays[0][0]] for code in options]
        rest = dict(flow.stock(self.seen))
        for name in names:
            rest[name] = rest.get(name, 1) - 1
        left = [name for name, count in rest.items() if count]
        if not left:
            return []
        for chips in (False, True):
            loss = self._best_of(names, chips=chips) - self._best_of(left, chips=chips)
            if loss > 0:
                return [Reason("denies", loss, seat=self.receiver, chips=chips)]
        return []

    def _best_of(self, names: Iterable[str], *, chips: bool) -> int:
        """Return the largest gain that the receiving seat can make with one of the cards, in points or chips."""
        assert self.receiver is not None
        seat, counted = self.receiver, _chip_rules(self.program)
        before = self._points(self.playing, seat, ())
        table, faces = cast("GameState", self.public), self.program.faces
        forms = [option for name in names for option in forms_of(table, seat, faces.index(name))]
        rises = [_changes(before, self._points(self.playing, seat, (option,))) for option in forms]
        return max(
            self.sign * sum(points for rule, points in rise.items() if (rule in counted) == chips) for rise in rises
        )

    def prepares(self, move: Move) -> list[Reason]:
        """Return the best gain that a further card brings only after this move, as a list of at most one.

        If no single card has such a gain, two more copies of the move's own card are tried.
        """
        if self.choice.layout or self.choice.actions or (not self.choice.plays and not self.prepares_only):
            return []
        if self.last_turn and self.last_round:
            return []
        # Unseen faces may still come, and so may further copies of cards in the zone to choose from.
        duplicates = {name for name, count in flow.stock(self.seen) if count > 1}
        to_come = sorted({name for name, _ in self.seen.unseen} | duplicates)
        table, faces = cast("GameState", self.public), self.program.faces
        later = [option for name in to_come for option in forms_of(table, self.seen.seat, faces.index(name))]
        reasons = [reason for option in later for reason in self._joined(move, (option,))]
        if not reasons and len(move) == 1:
            item = move[0] % self.program.width
            reasons = self._joined(move, (item, item))
        return [max(reasons, key=lambda reason: self.sign * reason.amount)] if reasons else []

    def _joined(self, move: Move, later: Move) -> list[Reason]:
        """Return the rules that give more for two moves together than for each alone, with the differences."""
        apart = Counter(self._rise(self.playing, move))
        apart.update(self._rise(self.playing, later))
        together = Counter(self._rise(self.playing, move + later))
        together.subtract(apart)
        chips, card = _chip_rules(self.program), self.program.options[later[0]].name
        return [
            Reason("prepares", points, self._name(rule), -1, card, len(later), chips=rule in chips)
            for rule, points in together.items()
            if points * self.sign > 0
            and (not self.last_turn or (rule < len(self.program.rules) and self.program.rules[rule].lasts))
        ]

    def comes_back(self, move: Move, taken: Move) -> list[Reason]:
        """Return the probability that the single card of a move will still be there at a later choice.

        The result is a list of at most one reason.
        """
        if taken or len(move) != 1 or move[0] >= self.program.width or self.choice.layout:
            return []
        option = self.choice.option_of(move[0])
        if option < 0:
            return []
        card = self.program.options[option].plays[0][0]
        chance = flow.chance_of_return(self.seen, self.program.faces[card])
        return [] if chance is None else [Reason("returns", chance)]

    def _rise(self, choice: Choice, move: Move, taken: Move = ()) -> dict[int, int]:
        """Return how `move` changes each rule's points, compared with `taken`. Unchanged rules are left out."""
        seat = self.seen.seat
        return _changes(self._points(choice, seat, taken), self._points(choice, seat, move))

    def _points(self, choice: Choice, seat: int, move: Move) -> list[int]:
        """Return the points of each rule for a seat after a move, then the points that the move gives at once."""
        words, at_once = outcome(self.public, choice, seat, move)
        return [*points_by_rule(self.public.with_words(words), seat), at_once]


def points_by_rule(public: PublicState, seat: int) -> list[int]:
    """Return the points that each rule would give the seat if everything were scored now."""
    seen = cast("GameState", public)
    return [
        points_of(seen, rule)[seat] if rule.when is None or rule.when(seen, 0) else 0 for rule in public.program.rules
    ]


def _changes(before: Sequence[int], after: Sequence[int]) -> dict[int, int]:
    pairs: Iterable[tuple[int, int]] = zip(before, after, strict=True)
    return {rule: later - now for rule, (now, later) in enumerate(pairs) if later != now}


def _chip_rules(program: Program) -> frozenset[int]:
    return frozenset(
        index for index, rule in enumerate(program.rules) if isinstance(rule, RankedRule) and rule.chip >= 0
    )


class Names(Protocol):
    """Protocol of the caller's names for things that hints mention."""

    @property
    def game(self) -> Game:
        """The game that is played."""
        ...

    def seat(self, seat: int) -> str:
        """Return the name of a seat."""
        ...

    def card(self, name: str) -> str:
        """Return the name of a card, or of a card in a form."""
        ...

    def reason(self, name: str) -> str:
        """Return the name of a rule or other source of points."""
        ...

    def say(self, key: str, /, **given: object) -> str:
        """Return a message of the catalogue, filled in."""
        ...

    def decimal(self, text: str) -> str:
        """Return a number in the decimal notation of the language."""
        ...


def because(advice: Hint, names: Names, *, but: str = "") -> str:
    """Return the reasons as a sentence without its full stop; empty if there are no reasons.

    Reasons of kind `but` are left out.
    """
    parts = []
    for reason in (reason for reason in advice.reasons if reason.kind != but):
        key, amount = reason.kind, names.decimal(f"{reason.amount:+.0f}")
        if reason.chips:
            amount = names.say("because.chips", amount=amount, count=int(reason.amount))
        if key in {"takes", "denies", "spares"}:
            amount = _total(reason, names)
        elif key == "later":
            amount = names.decimal(f"{reason.amount:.1f}")
        elif key == "returns" and reason.amount in {0, 1}:
            key = "returns.surely" if reason.amount else "returns.never"
        elif key == "gains":
            kind = next((rule.kind for rule in names.game.model.scoring if rule.id == reason.rule), "")
            key = "standing" if kind == "majority" else "rule" if reason.rule else "at_once"
            key = "completes" if kind == "set" and reason.amount > 0 else key
        elif not reason.rule and key in {"costs", "then", "prepares"}:
            key = f"{key}.at_once"
        parts.append(
            names.say(
                f"because.{key}",
                amount=amount,
                rule=names.reason(reason.rule) if reason.rule else "",
                seat=names.seat(reason.seat) if reason.seat >= 0 else "",
                cards=_followers(reason, names),
                percent=f"{min(reason.amount, 0.99):.0%}",
            )
        )
    return "; ".join(parts)


_TELLING = ("gains", "then", "spares", "prepares", "denies", "takes", "later")
"""Kinds of reasons for a move, the most convincing first."""
_GAINS = {"set": "completes", "majority": "leads", "formula": "leads"}
_OF_A_RULE = {"completes", "leads", "spares"}
"""Sentences that name the rule, with a variant for rules that have the name of a card of the move."""


def in_one_sentence(advice: Hint, cards: str, names: Names, otherwise: str = "hint.equal") -> str:
    """Return the most convincing reason for a move as a whole sentence, without percentages or margins.

    `otherwise` is the key of the sentence for a move without a reason.
    """
    telling = (reason for kind in _TELLING for reason in advice.reasons if reason.kind == kind)
    reason = next(telling, None)
    if reason is None:
        return names.say(otherwise, cards=cards)
    key, rule = reason.kind, names.reason(reason.rule) if reason.rule else ""
    taken = {pick.card for pick in advice.move.taken}
    if key == "gains":
        kinds = {rule.id: rule.kind for rule in names.game.model.scoring}
        key = _GAINS.get(kinds.get(reason.rule, ""), "sure")
    elif key == "prepares" and taken == {reason.card}:
        key = "prepares.same"
    # In a terminal, a picture and a space stand before the name of a card.
    if key in _OF_A_RULE and any(f" {names.card(card)}".endswith(f" {rule}") for card in taken):
        key = f"{key}.own"
    return names.say(
        f"hint.{key}",
        cards=cards,
        rule=rule,
        amount=_total(reason, names),
        seat=names.seat(reason.seat) if reason.seat >= 0 else "",
        more=_followers(reason, names),
        count=reason.more,
    )


def points_in_words(number: float, names: Names, digits: int = 0) -> str:
    """Return an amount of points: ``1 point``, ``2.4 points``."""
    text = f"{number:.{digits}f}".removesuffix(".0")
    if text.removeprefix("-").isdecimal():
        return names.say("points.n", n=int(text))
    return names.say("points.part", number=names.decimal(text))


def _followers(reason: Reason, names: Names) -> str:
    """Return the further cards that a reason requires after the move; empty if none."""
    if not reason.card:
        return ""
    return names.card(reason.card) if reason.more == 1 else f"{reason.more} {names.card(reason.card)}"


def _total(reason: Reason, names: Names) -> str:
    """Return an amount with its unit, points or chips. A loss that is avoided is given without its sign."""
    if reason.kind == "spares":
        return points_in_words(abs(reason.amount), names)
    if reason.chips:
        return names.say("standing.chips.n", count=round(reason.amount))
    return points_in_words(reason.amount, names)
