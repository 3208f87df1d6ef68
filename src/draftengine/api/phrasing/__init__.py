"""Card sets, formulas and events in words, as a person at the table would say them.

`CardSetPhraser` makes the sentences about rules and steps, in one language, for some numbers of players. Rule kinds and
verbs decide what a sentence says, and a catalogue contains its words (`draftengine.support.locale`). Here is what
several of them need. `sentences` is about cards, modifiers, abilities and triggers, and `events` about events.
`vocabulary` names things, and each module from there to `conditions` phrases more kinds of formulas.

A sentence calls the player for whom a formula is evaluated “you”. Anyone else in the formula (a neighbour, the holder
of a marker, any other player) is a `Person`. Functions with an argument `person` make a phrase about that person, or
about “you” if it is ``None``. A formula that no pattern fits is written with mathematical signs and labels.
"""

from __future__ import annotations

from copy import copy
from functools import partial
from typing import TYPE_CHECKING

from msgspec.structs import replace

from draftengine.api.phrasing.conditions import FormulaPhraser
from draftengine.api.phrasing.payments import payment_said
from draftengine.api.phrasing.sentences import of_neighbours
from draftengine.model.cardset.facts import constant, constant_facts
from draftengine.model.language.evaluate import constant_value, references
from draftengine.model.language.tree import Binary, BooleanLiteral, Call, LogicalOp, Name
from draftengine.model.verbs.verb import Cards
from draftengine.support.locale.catalogue import begun_small, list_in, marked_list, without_lists

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Self

    from draftengine.model.cardset.payments import PaymentRecord
    from draftengine.model.cardset.records import Rule
    from draftengine.model.language.tree import Expr
    from draftengine.model.records import NamedRecord
    from draftengine.model.records.reader import ByPlayerCount, Formula
    from draftengine.model.rules.kind import RuleSpec
    from draftengine.model.verbs.verb import Step
    from draftengine.support.locale.catalogue import Catalogue


_LONG_LIST, _LONG_TEXT = 4, 240
"""The smallest number of items, and of characters, with which alternatives are printed as a list."""


class CardSetPhraser(FormulaPhraser):
    """Phrases the content of a card set, for the numbers of players in `counts`, by default all."""

    sets_lists = False
    """True if long alternatives get marks, with which a page can print them as a list."""

    # ── Steps ─────────────────────────────────────────────────────────────────────────────────────────────────────────

    def step(self, step: Step) -> str:
        """Return the sentence about a step, with its condition and with marks for bold print."""
        phrase = self._phrase(step)
        return self.phrase("list.sentence", text=phrase[:1].upper() + phrase[1:]) if step.for_one else phrase

    def _phrase(self, step: Step) -> str:
        phrase = self.without_condition(step)
        if step.when is None or self.constant(step.when.expr):
            return phrase
        return self.phrase(
            "list.if" if step.for_one else "step.if", condition=self.condition(step.when.expr), text=phrase
        )

    def without_condition(self, step: Step) -> str:
        """Return the sentence about a step, without the step's condition.

        The author's text for the step in this language, if there is one, takes the place of the sentence.
        """
        text = self.own_text(step.text)
        words = self.about(getattr(step, "from_", getattr(step, "zone", "")))
        return step.told(text, words) if text else step.sentence(words)

    def about(self, zone: str) -> Self:
        """Return a phraser for sentences about a zone. It says “dice” for “cards” if only dice can lie there."""
        return self._of_dice() if zone in self.zones_of_dice else self

    def about_rule(self, rule: Rule) -> Self:
        """Return a phraser for sentences about a rule. It says “dice” for “cards” if only dice count."""
        names = {name for formula in rule.spec.inputs() for kind, name in references(formula.expr) if kind == "name"}
        return self._of_dice() if names and all(map(self.is_of_dice, names)) else self

    def _of_dice(self) -> Self:
        return self._speaking(self.catalogue.of_dice)

    def of_another(self) -> Self:
        """Return a phraser for sentences about another player than the reader."""
        return self._speaking(self.catalogue.of_another)

    def _speaking(self, catalogue: Catalogue) -> Self:
        phraser = copy(self)
        phraser.catalogue = catalogue
        return phraser

    def listed(self, step: Step) -> tuple[Step, ...]:
        """Return the inner steps that need their own sentences; none if the author's text covers the step."""
        return () if self.own_text(step.text) else step.listed

    def listing(self) -> Self:
        """Return a phraser for a page that can print long alternatives as lists."""
        phraser = copy(self)
        phraser.sets_lists = True
        return phraser

    def alternatives(self, items: Sequence[str]) -> str:
        """Return alternatives joined by “or”; if they are long, as a list. A list never contains another list."""
        phrases = [self._without_list(item) for item in items]
        if self.sets_lists and (len(phrases) >= _LONG_LIST or sum(map(len, phrases)) >= _LONG_TEXT):
            return marked_list(phrases)
        return self.join_list(phrases, "or")

    def _without_list(self, text: str) -> str:
        return without_lists(text, lambda items: self.join_list(items, "or"))

    def effects(self, steps: Sequence[Step]) -> str:
        """Return the effects of steps as an enumeration for the middle of a sentence."""
        phrases = [self._phrase(step) for step in steps]
        if sum(list_in(phrase)[1] != () for phrase in phrases) > 1:  # only one of them can be set as a list
            phrases = [self._without_list(phrase) for phrase in phrases]
        return self.join_list(phrases)

    def paid_with(self, payment: PaymentRecord) -> str:
        return payment_said(payment, self)

    def way(self, way: NamedRecord) -> str:
        """Return the label of an action or, if it has none, the label of the zone with the same id."""
        return self.text(way.label) or self.thing(way.id)

    # ── Numbers ───────────────────────────────────────────────────────────────────────────────────────────────────────

    def cards(self, cases: ByPlayerCount | None) -> Cards:
        """Return the phrases for a number of cards, by number of players. Without `cases`, the number is 1."""
        if cases is None:
            return self._known(1)
        amounts = {count: self._cards_for(cases, count) for count in self.counts}
        values = set(amounts.values())
        if None in values:
            return self._by_round(cases)
        if len(values) == 1:
            return self._known(int(values.pop() or 0))
        groups: dict[int, list[int]] = {}
        for players, amount in amounts.items():
            groups.setdefault(int(amount or 0), []).append(players)
        numbers = self.join_list([str(number) for number in groups], "or")
        last = list(groups)[-1]
        span = self.for_players(list(groups.values()))
        return Cards(numbers, self.phrase("cards.each", numbers=numbers, count=last), span, max(2, last), None)

    def for_players(self, groups: Sequence[Sequence[int]]) -> str:
        """Return numbers of players in brackets, such as ``(2–3 or 5 players)``. Each group is one item."""
        return self.phrase("cards.players", players=self.join_list([self._span(group) for group in groups], "or"))

    def _span(self, counts: Sequence[int]) -> str:
        """Return ``2``, ``2–3``, or ``2/5`` for numbers of players that are not consecutive."""
        if counts[-1] - counts[0] == len(counts) - 1:
            return self.range(counts[0], counts[-1])
        return "/".join(map(str, counts))

    def span(self, counts: Sequence[int]) -> str:
        """Return numbers of players in brackets; empty if they are all that this phraser covers."""
        return "" if len(counts) == len(self.counts) else self.for_players([counts])

    def _by_round(self, cases: ByPlayerCount) -> Cards:
        """Return the phrases for a number of cards that differs by round, or that only a formula can express."""
        rounds = range(1, self.rounds + 1)
        groups: dict[tuple[int | None, ...], list[int]] = {}
        for players in self.counts:
            groups.setdefault(
                tuple(self._cards_for(cases, players, round=round_number) for round_number in rounds), []
            ).append(players)
        if () in groups or any(None in amounts for amounts in groups):
            by_text: dict[str, list[int]] = {}
            for players in self.counts:
                formula = _case(cases, players)
                if formula is not None:
                    by_text.setdefault(self.amount(formula.expr), []).append(players)
            text = next(iter(by_text), "")
            if len(by_text) != 1:
                ranges = [self.phrase("cards.players", players=self._span(counts)) for counts in by_text.values()]
                text = self.join_list([f"{case}{span}" for case, span in zip(by_text, ranges, strict=True)], "or")
            apart = self.phrase("cards.some", text=text), self.phrase("cards.behind", text=text)
            return Cards(text, self.phrase("cards.of", text=text), "", 2, None, apart)
        phrases = []
        for amounts, counts in groups.items():
            numbers = self.join_list([str(number) for number in amounts])
            spans = self.phrase("cards.players", players=self._span(counts)) if len(groups) > 1 else ""
            phrases.append(f"{numbers}{spans}")
        listed = self.join_list([str(round_number) for round_number in rounds])
        in_rounds = self.phrase("rounds", count=self.rounds, list=listed)
        numbers, last = self.join_list(phrases, "or"), int([*groups][-1][-1] or 0)
        return Cards(numbers, self.phrase("cards.rounds", numbers=numbers, count=last, rounds=in_rounds), "", 2, None)

    def _known(self, count: int) -> Cards:
        return Cards(str(count), self.phrase("cards", count=count), "", count, count)

    def filled_up(self, cases: ByPlayerCount | None, zone: str) -> Cards | None:
        """Return the number of cards to which a step fills a zone: 3 for ``3 - cards(market)``.

        Returns ``None`` for any other formula.
        """
        if cases is None or len(cases.cases) > 1:
            return None
        formula = cases.cases[0][1]
        match formula.expr:
            case Binary("-", whole, Call("cards", (Name(name),))) if name == zone:
                return self.cards(replace(cases, cases=((None, replace(formula, expr=whole)),)))
        return None

    def is_all(self, cases: ByPlayerCount | None, zone: str) -> bool:
        """True if a number of cards is all the cards in a zone: the formula ``cards(zone)``."""
        if cases is None or len(cases.cases) > 1:
            return False
        match cases.cases[0][1].expr:
            case Call("cards", (Name(name),)):
                return name == zone
        return False

    def numbers(self, cases: ByPlayerCount | None) -> list[int | None]:
        """Return a number of cards for each number of players; ``None`` where it is not constant."""
        return [1 if cases is None else self._cards_for(cases, count) for count in self.counts]

    def _cards_for(self, cases: ByPlayerCount, players: int, **local: int) -> int | None:
        formula = _case(cases, players)
        value = None if formula is None else constant_value(formula.expr, constant_facts(self.model, players, **local))
        return None if value is None else int(value)

    # ── Rules ─────────────────────────────────────────────────────────────────────────────────────────────────────────

    def rule(self, rule: Rule) -> str:
        """Return sentences about a scoring rule, with marks (see `draftengine.support.locale.catalogue`)."""
        card = next((card for card in self.model.cards if card.id == rule.card), None)
        written = self.own_text(rule.text) or (self.own_text(card.text) if card is not None else "")
        text = written
        if not text:
            # The sentence that fits most numbers of players, then sentences about the exceptions.
            alike: dict[RuleSpec[int], list[int]] = {}
            for players in self.counts:
                numbers = rule.spec.resolve(partial(constant, model=self.model, players=players))
                alike.setdefault(numbers, []).append(players)
            (usual, _), *others = sorted(alike.items(), key=lambda item: (-len(item[1]), item[1]))
            words = self.about_rule(rule)
            sentences = [rule.spec.sentence(usual, words)]
            for numbers, allowed in others:
                when = self.when(allowed)
                short = rule.spec.exception_sentence(usual, numbers, words, when)
                sentences.append(short or self.when_that(when, rule.spec.sentence(numbers, words)))
            text = self.joined(sentences)
        if written:
            self.note_families(written, [formula.expr for formula in rule.spec.inputs()])
        if card is not None and not written:
            key = "on_card" if card.count == 1 else "on_cards"
            text = self.phrase(key, of=self.card_noun(card.id), text=begun_small(text))
        groups: dict[Expr, list[int]] = {}
        for count in self.counts:
            if rule.when is not None:
                groups.setdefault(self.left_of(rule.when.expr, count), []).append(count)
        conditions = []
        for expr, counts in groups.items():
            if not expr == BooleanLiteral(value=True):  # noqa: SIM201 (trees know only ==)
                key = "only_if" if len(groups) == 1 else "only_if.when"
                never = expr == BooleanLiteral(value=False)
                given = {} if never else {"condition": self.condition(expr)}
                conditions.append(self.phrase(f"{key}.never" if never else key, when=self.when(counts), **given))
        return self.joined([text, *conditions, of_neighbours(rule.spec.inputs(), self)])

    def by_players(self, text: Callable[[Self], str]) -> str:
        """Return the text that holds for most numbers of players, then the texts for the others.

        `text` makes the text with a phraser that covers just one number of players.
        """
        groups: dict[str, list[int]] = {}
        for count in self.counts:
            phraser = copy(self)
            phraser.counts = (count,)
            groups.setdefault(text(phraser), []).append(count)
        (usual, _), *others = sorted(groups.items(), key=lambda item: (-len(item[1]), item[1]))
        return self.joined([usual, *(self.when_that(self.when(counts), other) for other, counts in others)])

    def when_that(self, when: str, text: str) -> str:
        """Return the sentence `text` preceded by `when`, a condition about the number of players."""
        return self.phrase("when.that", when=when, text=begun_small(text))

    def when(self, counts: Sequence[int]) -> str:
        """Return a condition about the number of players: ``with two players``."""
        if len(counts) == 1:
            return self.phrase("when", text=self.number(counts[0]), players=counts[0])
        return self.phrase("when.several", list=self.join_list([self.number(count) for count in counts], "or"))

    def left_of(self, expr: Expr, players: int) -> Expr:
        """Return what remains of a condition when the number of players is known, possibly just true or false."""
        value = constant_value(expr, constant_facts(self.model, players))
        if value is not None:
            return BooleanLiteral(value=bool(value))
        if isinstance(expr, LogicalOp):
            left, right = self.left_of(expr.left, players), self.left_of(expr.right, players)
            decides = BooleanLiteral(value=expr.op == "or")
            if decides in {left, right}:
                return decides
            if isinstance(left, BooleanLiteral):
                return right
            return left if isinstance(right, BooleanLiteral) else LogicalOp(expr.op, left, right)
        return expr


def _case(cases: ByPlayerCount, players: int) -> Formula | None:
    """Return the formula that applies to a number of players; ``None`` if no case covers this number."""
    return dict(cases.cases).get(players) or dict(cases.cases).get(None)
