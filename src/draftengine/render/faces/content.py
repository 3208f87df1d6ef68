"""The content of a printed card: its name, its icon, the rule in signs, and the rule as a sentence.

Everything is derived from the rules. An author's text on a card is printed as long as it is true. If a rule has changed
but the text has not, sentences made from the rule replace the text.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from draftengine.api.facts import Facts
from draftengine.api.phrasing import CardSetPhraser
from draftengine.api.phrasing.sentences import ability_said, card_said, factor_of, modifier_said, numbers_said
from draftengine.model.cardset.facts import card_points, with_most_copies
from draftengine.support.locale.catalogue import signed

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from draftengine.api.facts import Cell, Line
    from draftengine.api.game import Ruleset
    from draftengine.model.cardset.records import Card, Modifier, Rule

_MOST_SIGNS = 6
_MOST_COPIES = 5
"""The largest set that is drawn as copies of its card."""
_STAR = "*"
_FEW = 2
"""The largest number of card families that a rule may count if it is printed on every card it counts."""
_ROW = re.compile("([:：]?) ?⟦[^⟧]*⟧")


class Sign(Struct, frozen=True):
    """The icon of a card, `copies` times."""

    card: str
    copies: int = 1


class PointsBadge(Struct, frozen=True):
    """A badge with a gain: points, or points for each counted thing."""

    text: str


class Arrow(Struct, frozen=True):
    """An arrow in a rule in signs: who has the signs before it gets the gain after it."""


class Words(Struct, frozen=True):
    text: str


class Cells(Struct, frozen=True):
    """A table with one row, as pairs of a heading and points."""

    cells: tuple[tuple[str, str], ...]


Piece = Sign | PointsBadge | Arrow | Words | Cells
Row = tuple[Piece, ...]


class Face(Struct, frozen=True):
    """The content of one printed card: name, icon, and its rules in signs and in words."""

    card: str
    name: str
    icon: str
    adds: tuple[tuple[str, int], ...]
    """The amounts that the card adds to counters, or the points that it scores by itself."""
    strip: tuple[Row, ...]
    """The rules that count the card, in signs; the most important first."""
    line: str
    kept: bool


class Faces:
    """The faces of a card set in one language.

    `earlier` has rules for which the author may have written the texts on cards: those of the extended card set, and
    those without the selected variants.
    """

    def __init__(self, rules: Ruleset, speech: CardSetPhraser, earlier: Sequence[Ruleset] = ()) -> None:
        self.model, self.speech = rules.model, speech
        self.facts = Facts(rules, speech)
        self._scoring = {fact.id: fact for fact in self.facts.scoring}
        self._earlier = [Faces(older, speech_for(older, speech)) for older in earlier]

    def all(self) -> tuple[Face, ...]:
        """Return the faces of all cards that have copies."""
        there = with_most_copies(self.model.cards)
        return tuple(self.face(card) for card in there if card.count)

    def face(self, card: Card) -> Face:
        strip = tuple(dict.fromkeys(row for row in self._rows(card) if row))
        scored = card_points(self.model)
        adds = card.adds or (((scored[0].id, scored[1][card.id]),) if scored is not None else ())
        written = self.speech.own_text(card.text)
        current = self.said(card)
        outdated = any(
            before.text == card.text and earlier.said(before) != current
            for earlier in self._earlier
            for before in earlier.model.cards
            if before.id == card.id
        )
        ended = {":": ".", "：": "。"}  # the table that ends such a sentence is in the strip
        if outdated or not written:
            text = _ROW.sub(lambda row: ended.get(row[1], ""), current).strip()
        else:
            notes: list[str] = []  # the meanings of stars
            players: dict[str, set[int]] = {}
            for rule in self._rules(card):
                for line in self._scoring[rule.id].lines:
                    if line.condition and line.card in {"", card.id}:
                        players.setdefault(line.condition, set()).update(line.players)
            for condition, counts in players.items():
                note = f"{_STAR} {condition}{self.speech.span(sorted(counts))}"
                notes.append(self.speech.phrase("list.sentence", text=note))
            text = self.speech.joined([written, *notes])
        return Face(
            card.id,
            self.speech.card_name(card.id),
            card.icon,
            adds,
            strip,
            self.speech.joined([numbers_said(card, self.speech), text]),
            card.keep,
        )

    # ── Without words ─────────────────────────────────────────────────────────────────────────────────────────────────

    def _rows(self, card: Card) -> Iterator[Row]:
        """Yield rows for a card: its forms, what it does, the rules that count it, and events about it."""
        if card.forms is not None:
            yield tuple(Sign(form) for form in card.forms.of[:_MOST_SIGNS])
        for modifier in self.model.modifiers:
            if modifier.card == card.id and (factor := factor_of(modifier)) is not None:
                signs = (Sign(target) for target in self._targets(modifier)[:_MOST_SIGNS])
                yield (*signs, Arrow(), PointsBadge(f"×{factor}"))
        for ability in self.model.abilities:
            if ability.card == card.id:
                key = f"face.{ability.returns_to}"
                goes = (Arrow(), Words(self.speech.phrase(key))) if self.speech.has(key) else ()
                take = Words(self.speech.phrase("face.take", count=ability.take))
                yield (PointsBadge(f"+{ability.take}"), take, *goes)
        for rule in self._rules(card):
            yield from self._scores(rule, card)
        about = (fact for fact in self.facts.events if card.id in fact.cards)
        yield from ((Cells(line.cells),) for fact in about for line in fact.lines if line.cells)

    def _rules(self, card: Card) -> list[Rule]:
        """Return the rules to print on a card. Rules that count few families come first.

        A rule that counts many families is in the rulebook only, unless the card has no other. A formula named after
        another card is left out if the card has other rules. A rule that belongs to one card is printed on that card
        only. A wild card has no rules.
        """
        if card.forms is not None:
            return []
        on_card = [rule for rule in self.model.scoring if rule.card == card.id]
        if on_card:
            return on_card
        counting = [rule for rule in self.model.scoring if not rule.card and card.id in self._scoring[rule.id].cards]
        counted = {rule: self._scoring[rule.id].cards for rule in counting}
        families = {other.id: other.family or (other.id,) for other in self.model.cards}
        spreads = {rule: len({families[name] for name in cards}) for rule, cards in counted.items()}
        most = max(_FEW, min(spreads.values(), default=0))
        kept = [rule for rule, spread in spreads.items() if spread <= most]
        others = {other.id for other in self.model.cards} - {card.id}
        mine = [rule for rule in kept if rule.kind != "formula" or rule.id not in others]
        kept = mine if mine or card.on_play else kept
        return sorted(kept, key=lambda rule: (rule.kind == "formula", spreads[rule]))

    def _scores(self, rule: Rule, card: Card) -> Iterator[Row]:
        fact = self._scoring[rule.id]
        # A star says that a condition, which only words can express, limits the points.
        lines = [
            replace(
                line, cells=tuple((head, f"{points}{_STAR if line.condition else ''}") for head, points in line.cells)
            )
            for line in fact.lines
            if line.cells and line.card in {"", card.id}
        ]
        if not lines:
            return
        headed = any(len(line.cells) > 1 or line.cells[0][0] for line in lines)
        signs = tuple(Sign(sign) for sign in fact.signs)
        if fact.counts_others:
            one_by_one = all(formula.text.isidentifier() for formula in rule.spec.inputs())
            signs = tuple(sign for sign in signs if one_by_one and sign.card != card.id)
        if headed:
            # A cell that is not valid for all numbers of players names those for which it is.
            players: dict[Cell, set[int]] = {}
            heads: dict[str, None] = {}
            for line in lines:
                for cell in line.cells:
                    players.setdefault(cell, set()).update(line.players)
                    heads[cell[0]] = None
            cells = [cell for head in heads for cell in players if cell[0] == head]
            merged = ((head + self.speech.span(sorted(players[head, points])), points) for head, points in cells)
            yield (*(signs if fact.counts_others or len(signs) > 1 else ()), Cells(tuple(merged)))
            return
        for line in lines:
            points = (Arrow(), PointsBadge(line.cells[0][1]))
            span = (Words(line.span.strip(" ()（）")),) if line.span else ()
            if fact.counts_others:
                yield (*signs, *points, *span) if signs else ()
            elif line.card:
                yield (points[1], *span)
                yield from ((*row, *span) for row in self._changed(card, line))
            elif rule.kind == "collection":
                yield (*signs, *points, *span)
            elif line.copies and fact.cards == {card.id} and line.copies <= _MOST_COPIES:
                yield (Sign(card.id, line.copies), *points, *span)
            elif line.copies:
                yield (Words(line.counts), *signs, *points, *span)

    def _changed(self, card: Card, line: Line) -> Iterator[Row]:
        """Yield what a card scores together with each modifier that applies to it.

        If such a score depends on the number of players, it is left to the text.
        """
        amounts = dict(card.adds)
        star = _STAR if line.condition else ""
        points = int(line.cells[0][1].replace("−", "-").removesuffix(star))
        each = {points // amount for amount in amounts.values() if amount}
        for modifier in self.model.modifiers:
            if card.id in self._targets(modifier) and len(modifier.then) == len(each) == 1:
                (then,) = modifier.then
                amount = amounts.get(then.counter, 0)
                values = {self.speech.at(then.formula.expr, players, amount=amount) for players in line.players}
                if len(values) == 1 and (value := values.pop()) is not None:
                    badge = PointsBadge(signed(int(value) * min(each)) + star)
                    yield (Sign(modifier.card), Sign(card.id), Arrow(), badge)

    def _targets(self, modifier: Modifier) -> list[str]:
        named = set(modifier.applies_to)
        return [card.id for card in self.model.cards if card.id in named or named & set(card.family)]

    # ── In words ──────────────────────────────────────────────────────────────────────────────────────────────────────

    def said(self, card: Card) -> str:
        """Return the sentences of the rules about a card, with tables as rows of boxes between ⟦ and ⟧."""
        speech = self.speech
        rules = self._rules(card)
        adding = len(card.adds) > 1 or (card.adds and not rules)
        special = list(card_said(card, speech)) if card.forms is not None or card.on_play or adding else []
        special += [modifier_said(modifier, speech) for modifier in self.model.modifiers if modifier.card == card.id]
        special += [ability_said(ability, speech) for ability in self.model.abilities if ability.card == card.id]
        scoring, before = [], ""
        for rule in rules:
            lead = speech.phrase("at.game") if rule.at == "game" and before != "game" else ""
            scoring.append(speech.joined([lead, speech.rule(rule)]))
            before = rule.at
        return speech.joined([*special, *scoring]).replace("**", "")


def speech_for(rules: Ruleset, like: CardSetPhraser) -> CardSetPhraser:
    """Return a phraser for other rules.

    It covers the same numbers of players, as far as these rules allow them.
    """
    fewest, most = rules.players
    return CardSetPhraser(rules.model, like.language, [count for count in like.counts if fewest <= count <= most])
