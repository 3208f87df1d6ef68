"""Points for each card and each rule, for each number of players.

If the points of a rule depend on the number of players, one `Line` covers all numbers with the same points. A rule
about amounts that cards add has one line for each of these cards. Players can score a table with these lines alone.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from msgspec.structs import replace

from draftengine.api.facts.things import Fact, Line
from draftengine.api.phrasing.sentences import (
    begun,
    card_said,
    factor_of,
    target_said,
)
from draftengine.api.phrasing.vocabulary import name_of_all, numbers_of, runs_of, series_name, series_of
from draftengine.model.cardset.effects import without_groups
from draftengine.model.cardset.facts import all_steps, constant
from draftengine.model.cardset.pieces import card_in
from draftengine.model.language.evaluate import references
from draftengine.model.language.tree import BooleanLiteral
from draftengine.model.verbs.effects import PointsStep
from draftengine.support.locale.catalogue import as_note, signed

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from draftengine.api.facts.things import Things
    from draftengine.api.game import Ruleset
    from draftengine.api.phrasing import CardSetPhraser
    from draftengine.model.cardset.records import Card, Rule, Trigger
    from draftengine.model.language.tree import Expr
    from draftengine.model.rules.kind import QuickReference

_MOST_SIGNS = 5
_NOTHING = (("", "0"),)


def scoring_facts(rules: Ruleset, things: Things) -> tuple[Fact, ...]:
    """Return a fact for each scoring rule, with the cards that it counts and lines for quick reference."""
    usual, speech = rules.usual_players, things.speech
    game = rules.game(usual if usual in speech.counts else speech.counts[0])
    changing = {modifier.card for modifier in rules.model.modifiers}
    facts = []
    for rule, fact, behind in zip(game.model.scoring, things.rules, game.program.plays_read_by_rule, strict=True):
        plays = {card_in(game.program.plays[play].name) for play in behind}
        facts.append(_RuleReader(speech, rule, fact, frozenset(plays - changing or plays)).fact())
    return tuple(facts)


class _RuleReader:
    """Adds to the fact about a scoring rule the cards that it counts and its lines for a quick reference."""

    def __init__(self, speech: CardSetPhraser, rule: Rule, stated: Fact, cards: frozenset[str]) -> None:
        self.model, self.speech, self.own, self.stated, self.cards = speech.model, speech, rule, stated, cards
        self.counts_others = bool(rule.card) and not cards <= {rule.card}

    def fact(self) -> Fact:
        rule = self.own
        by_sign: dict[str, str] = {}
        for card in self.model.cards:
            if card.id in self.cards and card.forms is None:
                by_sign.setdefault(card.icon or card.id, card.id)
        signs = tuple(by_sign.values()) if len(by_sign) <= _MOST_SIGNS else ()
        named = [
            card.id
            for card in self.model.cards
            if card.id == rule.card or (card.id in self.cards and (card.id == rule.id or card.label == rule.label))
        ]
        icons = tuple(named[:1]) or signs
        families = {card.family or (card.id,) for card in self.model.cards if card.id in icons}
        return replace(
            self.stated,
            icons=icons,
            signs=signs,
            cards=self.cards,
            lines=tuple(self._lines(self.stated.title, icons[0] if len(families) == 1 else "")),
            counts_others=self.counts_others,
        )

    def _lines(self, title: str, icon: str) -> Iterator[Line]:
        """Yield a line for each group of numbers of players with the same points and condition.

        If the rule scores amounts that cards add, each of these cards has its own lines.
        """
        groups: dict[tuple[QuickReference, Expr | None], list[int]] = {}
        for count in self.speech.counts:
            left = None if self.own.when is None else self.speech.left_of(self.own.when.expr, count)
            if not left == BooleanLiteral(value=False):  # noqa: SIM201 (trees know only ==)
                numbers = self.own.spec.resolve(partial(constant, model=self.model, players=count))
                reference = self.own.spec.quick_reference(numbers, self.speech.about_rule(self.own))
                groups.setdefault((reference, None if left == BooleanLiteral(value=True) else left), []).append(count)
        amounts = self._amounts()
        for (reference, condition), players in groups.items():
            line = self._line(title, icon, reference, condition, players)
            if amounts:
                each = int(reference.cells[0][1].replace("−", "-"))
                for card, amount in amounts.items():
                    cells, title = (("", signed(amount * each)),), self.speech.card_name(card)
                    yield replace(line, title=title, cells=cells, icon=card, card=card)
            else:
                yield line

    def _line(
        self, title: str, icon: str, reference: QuickReference, condition: Expr | None, players: Sequence[int]
    ) -> Line:
        speech = self.speech
        span, copies = speech.span(players), reference.copies
        when = "" if condition is None else speech.phrase("way.if", condition=speech.condition(condition))
        if self.counts_others:
            text, span = self.stated.plain, ""
        else:
            counts, inputs = reference.counts, self.own.spec.inputs()
            if len(inputs) == 1 and self.own.kind != "formula" and not self._amounts():
                noun, unit = speech.measure(inputs[0])
                copies = copies if noun.sort == "card" else 0
                forms = {begun(form).casefold() for form in noun.forms.values()}
                if unit > 1 or (noun.sort != "card" and title.casefold() not in forms):
                    counts = speech.phrase("quick.of", of=noun, text=counts)
            text = speech.phrase("quick.separator").join([counts + span, *reference.notes, *filter(None, [when])])
        if self.own.at != "round":
            key = "quick.end" if self.own.at == "game" else "quick.at"
            text = speech.phrase(key, text=text, label=self.own.at)
        return Line(
            title=title,
            text=text,
            cells=reference.cells,
            players=tuple(players),
            span=span,
            condition=when,
            counts=reference.counts,
            icon=icon,
            copies=copies,
        )

    def _amounts(self) -> dict[str, int]:
        """Return the amount that each card adds to the scored counter; empty if the rule scores no counter."""
        formulas = self.own.spec.inputs()
        if self.own.kind != "each" or len(formulas) != 1 or not self.speech.cards_adding_to(formulas[0]):
            return {}
        return self.speech.by_card(formulas[0])


def sections_of(facts: Sequence[Fact], speech: CardSetPhraser) -> Iterator[Fact]:
    """Yield facts. Facts that differ only in the number or name in their titles are joined into one."""
    for run in runs_of(facts, lambda fact: (fact.title, fact.text, fact.moment, "|" * len(fact.lines)), speech.varying):
        first, last = run[0], run[-1]
        if first is last:
            yield first
            continue
        titles = [fact.title for fact in run]
        more = ""
        if first.text != last.text and (numbers := numbers_of(titles)):
            more = speech.phrase("steps.same.up_to", second=numbers[1], last=numbers[-1])
        elif first.text != last.text:
            more = speech.phrase("steps.same.for", list=speech.join_list(titles[1:], "comma"))
        title = name_of_all(titles, speech)
        lines = [replace(line, title=title) for line in first.lines]
        for index, line in enumerate(lines):
            cells = list(dict.fromkeys(cell for fact in run for cell in fact.lines[index].cells))
            lines[index] = replace(line, cells=tuple(cells))
        yield replace(first, title=title, text=speech.joined([first.text, more]), lines=tuple(lines))


# ── Cards with a rule of their own, and what happens during play ──────────────────────────────────────────────────────


def special_facts(things: Things, scoring: Sequence[Fact]) -> Iterator[Fact]:
    """Yield a fact for each card that does more than score, such as a modifier, wild card or kept card."""
    speech = things.speech
    scored = frozenset[str]().union(*(fact.cards for fact in scoring))
    for modifier, fact in zip(speech.model.modifiers, things.modifiers, strict=True):
        factor, counts = factor_of(modifier), as_note(fact.text)
        if factor is not None:
            target = speech.join_list([target_said(name, speech) for name in modifier.applies_to], "or")
            counts = speech.phrase("quick.next", target=target, factor=factor)
        yield _special(modifier.card, fact, counts, speech, scored)
    for ability, fact in zip(speech.model.abilities, things.abilities, strict=True):
        counts = speech.phrase(
            f"quick.ability.{ability.returns_to}", more=speech.phrase("ability.more", count=ability.take)
        )
        yield _special(ability.card, fact, counts, speech, scored)
    yield from _of_series(speech, scored)
    yield from _told_by_text(speech, scoring, scored)
    # Cards with the same face look alike until they are played.
    faces: dict[str, list[Card]] = {}
    for card in speech.model.cards:
        if card.face:
            faces.setdefault(card.face, []).append(card)
    for face, cards in faces.items():
        families = {card.family[0] if card.family else card.id for card in cards}
        if len(families) == 1 and cards[0].family:
            title = begun(speech.family(families.pop()).form("name"))
        else:
            title = speech.join_list([speech.card_name(card.id) for card in cards])
        names = tuple(card.id for card in cards)
        yield Fact(id=face, title=title, text=speech.phrase("card.face"), icons=names, cards=frozenset(names))
    kept = tuple(card.id for card in speech.model.cards if card.keep)
    if kept and any(step.verb == "clear" for step in all_steps(speech.model)):
        title = speech.join_list([*map(begun, speech.kept())])
        yield Fact(id="keep", title=title, text=speech.phrase("card.kept"), icons=kept[:1], cards=frozenset(kept))


def _of_series(speech: CardSetPhraser, scored: frozenset[str]) -> Iterator[Fact]:
    """Yield a fact for each wild card and card with an effect when played, or for a series of these.

    If all series of a family have the same text, there is one fact with the name of the family.
    """
    groups: list[tuple[str, list[Card]]] = []
    for series in series_of([card for card in speech.model.cards if card.forms or card.on_play]):
        texts: dict[str, list[Card]] = {}
        for card in series:
            written = "" if card.forms else speech.own_text(card.text)
            texts.setdefault(written or speech.joined([*card_said(card, speech)]), []).append(card)
        groups += texts.items()
    for text, first in groups:
        same = [card for other, more in groups if other == text for card in more]
        family = speech.family_of([card.id for card in same]) if len(same) > len(first) else None
        cards = same if family else [card for card in same if card.span == first[0].span]
        if cards[0] is not first[0]:
            continue
        title = begun(speech.plural(family)) if family else series_name(cards, speech)
        counts = speech.phrase("quick.form") if cards[0].forms else as_note(text)
        stated = Fact(id=cards[0].id, title=title, text=text, source=cards[0].source)
        fact = _special(cards[0].id, stated, counts, speech, scored)
        yield replace(fact, title=title, lines=tuple(replace(line, title=title) for line in fact.lines))


def _special(card: str, stated: Fact, counts: str, speech: CardSetPhraser, scored: frozenset[str]) -> Fact:
    """Return `stated` as a fact about one card, with a single line whose text is `counts`."""
    title = speech.card_name(card)
    line = Line(
        title=title,
        text=counts,
        cells=() if card in scored else _NOTHING,
        players=tuple(speech.counts),
        counts=counts,
        icon=card,
        card=card,
    )
    return replace(stated, title=title, icons=(card,), cards=frozenset({card}), lines=(line,))


def _told_by_text(speech: CardSetPhraser, scoring: Sequence[Fact], scored: frozenset[str]) -> Iterator[Fact]:
    """Yield a fact for each card that is explained only by the text that its author wrote.

    Examples are a card that wins ties, and a card that counts like the cards of another family.
    """
    covered = {modifier.card for modifier in speech.model.modifiers}
    covered |= {ability.card for ability in speech.model.abilities}
    copies = {card.id: card.count for card in speech.model.cards}
    families: dict[tuple[str, ...], set[str]] = {}
    for card in speech.model.cards:
        families.setdefault(card.family[:1] or (card.id,), set()).add(card.id)
    for rule, fact in zip(speech.model.scoring, scoring, strict=True):
        if not fact.counts_others:
            cards = {*fact.icons} if rule.kind == "formula" else fact.cards  # a formula may count cards of all kinds
            parts = [(members & cards, members <= cards) for members in families.values()]
            usual, _ = max(parts, key=lambda part: sum(copies[card] for card in part[0]), default=(set[str](), True))
            covered.update(*(part for part, whole in parts if whole or part == usual))
    for card in speech.model.cards:
        text = speech.own_text(card.text)
        if text and card.id not in covered and not (card.forms or card.on_play or card.scores or card.face):
            stated = Fact(id=card.id, title=speech.card_name(card.id), text=text, written=True, source=card.source)
            yield _special(card.id, stated, as_note(text), speech, scored)


def event_facts(things: Things) -> Iterator[Fact]:
    """Yield a fact for each trigger, with a line if it gives points. Equal triggers share one fact."""
    speech = things.speech
    card_at = {card.id: card.span for card in speech.model.cards}
    entries: dict[object, list[tuple[Trigger, Fact]]] = {}
    for trigger, fact in zip(speech.model.triggers, things.triggers, strict=True):
        key = (card_at[trigger.card], fact.text) if trigger.card else trigger.id
        entries.setdefault(key, []).append((trigger, fact))
    for equal in entries.values():
        trigger, fact = equal[0]
        title = begun(name_of_all([other.title for _, other in equal], speech))
        gains = [step.amount.expr for step in without_groups(trigger.do) if isinstance(step, PointsStep)]
        points = [value for gain in gains if (value := speech.constant(gain)) is not None]
        cells = ((title, signed(sum(points))),) if len(points) == len(gains) else ()
        names = {name for _, name in references(trigger.who.expr)}
        cards = frozenset(card.id for card in speech.model.cards if names & {card.id, *card.family, *dict(card.adds)})
        icon = next((card.id for card in speech.model.cards if card.id in cards), "")
        lines = (Line(title=title, text=fact.plain, cells=cells, players=tuple(speech.counts), icon=icon),)
        yield replace(fact, title=title, cards=cards, lines=lines if gains else ())
