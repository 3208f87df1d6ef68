"""What stands in a rulebook, part by part, from the card set and the engine alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from draftengine.api.edition import imprint_said
from draftengine.api.phrasing.card_rules import CardRules
from draftengine.api.phrasing.examples import SEATS, ExampleTable, worked
from draftengine.api.phrasing.phraser import CardSetPhraser
from draftengine.api.phrasing.sentences import (
    ability_said,
    amounts_of,
    card_said,
    modifier_said,
    numbers_of,
    starts_said,
    trigger_said,
    winner_said,
)
from draftengine.api.phrasing.series import series_name, series_of
from draftengine.render.rulebook.book import Book, Box, Boxed, Example, Paragraph, Part, Picture, Rule, Steps, Table
from draftengine.render.rulebook.flow_chart import picture
from draftengine.render.rulebook.layouts import layouts_said
from draftengine.render.rulebook.menus import dishes_in, dishes_said, menus_said
from draftengine.render.rulebook.steps import steps_said
from draftengine.support.locale.catalogue import abridged, plain, signed

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from draftengine.api.phrasing.examples import ExampleRow
    from draftengine.api.ruleset import Ruleset
    from draftengine.model.cardset import records as m
    from draftengine.model.verbs.verb import Step
    from draftengine.render.rulebook.book import Block

_FEW = 3
"""So many titles are named in the head of a line."""


def book_of(rules: Ruleset, language: str = "en", players: int | None = None) -> Book:
    """The rulebook of a card set under a selection; for one number of players, if it is given.

    Raises `SelectionError` if so many cannot play.
    """
    fewest, most = rules.players
    possible = [count for count in range(fewest, most + 1) if not rules.objections(rules.selection.variants, count)]
    counts = [players] if players is not None else possible
    speech = CardSetPhraser(rules.model, language, counts).by_name()
    table_size = players or min(possible, key=lambda count: (abs(count - SEATS), count))
    example = worked(rules.game(table_size), speech)
    return _Writer(rules, speech, example).book()


def aid_of(rules: Ruleset, language: str = "en", players: int | None = None) -> Book:
    """What players look up while they play, on one page: a turn, what cards score, who wins.

    Raises `SelectionError` if so many cannot play.
    """
    fewest, most = rules.players
    possible = [count for count in range(fewest, most + 1) if not rules.objections(rules.selection.variants, count)]
    speech = CardSetPhraser(rules.model, language, possible if players is None else [players]).by_name()
    rules.game(players or possible[0])
    return _Writer(rules, speech, ExampleTable((), (), (), chips=False)).aid()


class _Writer:
    """Writes the parts; everything it knows is given."""

    def __init__(self, rules: Ruleset, speech: CardSetPhraser, example: ExampleTable) -> None:
        self.rules, self.speech, self.example = rules, speech, example
        self.model = rules.model
        self.phrase = speech.phrase
        self.reading = CardRules(rules, speech)

    def book(self) -> Book:
        parts = [
            self.aim(), self.box(), self.set_up(), self.round(), self.special(), self.scoring(), self.events(),
            self.end(), self.menus(), self.others(), self.variants(), self.questions(), self.assumed(), self.quick(),
        ]  # fmt: skip
        scoring = next(index for index, part in enumerate(parts) if part.title == self.phrase("h.scoring"))
        parts.insert(scoring, self.words())
        return self._bound(self.speech.text(self.model.about.text), parts)

    def aid(self) -> Book:
        """One page: a turn, the cards with what they score, what happens during play, who wins."""
        wins = Part(self.phrase("h.end"), (Paragraph(winner_said(self.speech)),))
        parts = [self.round(), self.scores(), self.special(), self.events(), wins]
        parts.append(self.words())
        return replace(self._bound(self.phrase("h.aid"), parts), short=True)

    def _bound(self, about: str, parts: Sequence[Part]) -> Book:
        """A book of the parts that have something to say."""
        counts = self.speech.counts
        minutes, age = self.model.about.minutes, self.model.about.age
        facts = [
            (str(counts[0]) if len(counts) == 1 else f"{counts[0]}–{counts[-1]}", self.phrase("facts.players")),
            *([(str(minutes), self.phrase("facts.minutes"))] if minutes else []),
            *([(f"{age}+", self.phrase("facts.age"))] if age else []),
            (str(self.cards), self.phrase("facts.cards")),
        ]
        cards = [*self.model.cards]
        sign = max(
            cards,
            key=lambda card: (sum(card.family == other.family for other in cards if card.family), bool(card.icon)),
        )
        return Book(
            language=self.speech.catalogue.language,
            title=self.speech.text(self.model.title),
            about=about,
            facts=tuple(facts),
            sign=sign.id,
            parts=tuple(part for part in parts if part.blocks),
            edition_line=imprint_said(self.rules, self.speech),
            none=self.phrase("none"),
            names=tuple((card.id, self.speech.card_name(card.id)) for card in self.model.cards),
        )

    @property
    def cards(self) -> int:
        return sum(card.count for card in self.model.cards)

    def aim(self) -> Part:
        text = self.speech.joined(
            [self.phrase("aim.rounds", rounds=self.model.rounds), self.phrase(f"winner.{self.model.winner.order}")]
        )
        chosen = [self.speech.text(variant.title) for variant in self.model.variants if variant.id in self.model.active]
        with_ = (
            [Paragraph(self.phrase("lead", text=self.speech.join_list(chosen)), self.phrase("h.chosen"))]
            if chosen
            else []
        )
        return Part(self.phrase("h.aim"), (Paragraph(text), *with_))

    def box(self) -> Part:
        block = Box(tuple(self._boxed_cards(cards) for cards in series_of(self.model.cards)))
        model = self.model
        also = [
            *(
                self.phrase("box.chips", count=len(chip.values), label=self.speech.text(chip.label))
                for chip in model.chips
            ),
            *(self.speech.text(marker.label) for marker in model.markers if marker.start == "nobody"),
            *(
                self.phrase("box.token", label=self.speech.text(token.label), value=token.value)
                for token in model.tokens
            ),
            *(self.speech.text(counter.label) for counter in model.counters if counter.die is not None),
        ]
        more = [Paragraph(self.phrase("box.also", list=self.speech.join_list(also)))] if also else []
        return Part(self.phrase("h.box"), (block, *more))

    def _boxed_cards(self, cards: Sequence[m.Card]) -> Boxed:
        card, copies = cards[0], cards[0].count
        notes = [*numbers_of(card, self.speech), *self._amounts(card)] if len(cards) == 1 else []
        notes += [self.phrase("box.each", copies=copies)] if len(cards) > 1 and copies > 1 else []
        text = self.speech.join_list(notes, "comma")
        return Boxed(card.id, series_name(cards, self.speech), copies * len(cards), text)

    def _amounts(self, card: m.Card) -> list[str]:
        """What a card adds, if no rule says card by card what that is worth."""
        counted = {name for rule in self.model.scoring for name in self._counted_by_card(rule)}
        adds = tuple((name, number) for name, number in card.adds if name not in counted)
        return amounts_of(replace(card, adds=adds), self.speech)

    def _counted_by_card(self, rule: m.Rule) -> list[str]:
        return [formula.text for formula in rule.spec.inputs()] if self.reading.cards_adding_to(rule) else []

    def set_up(self) -> Part:
        after = [*layouts_said(self.speech), *starts_said(self.speech)]
        if not self.model.tokens:
            after.append(self.phrase("box.paper"))
        blocks = self._around([*self.left_in_the_box()], self.model.setup, after)
        rows = list(self.by_players())
        table = Table((self.phrase("players"), *map(str, self.speech.counts)), tuple(rows), self.phrase("by_players"))
        return Part(self.phrase("h.setup"), (*blocks, *([table] if rows else [])))

    def _around(self, before: Sequence[str], steps: Sequence[Step], after: Sequence[str]) -> tuple[Block, ...]:
        """Steps with what is said before and behind them: one paragraph, unless some of them are repeated."""
        if any(step.within for step in steps):
            parts = (self._around(before, (), ()), self._around((), (), after))
            return (*parts[0], Steps(steps_said(steps, self.speech)), *parts[1])
        sentences = [*before, *map(self.speech.step, steps), *after]
        return (Paragraph(self.speech.joined(sentences)),) if sentences else ()

    def _copies(self, card: m.Card) -> list[int]:
        """How many of a card are played with, for each number of players."""
        counts = dict(card.counts)
        return [counts.get(count, 0) if counts else card.count for count in self.speech.counts]

    def left_in_the_box(self) -> Iterator[str]:
        """The cards that nobody plays with; where that depends on the number of players, the table says it."""
        copies = [(card, self._copies(card)) for card in self.model.cards]
        if any(len(set(numbers)) > 1 for _, numbers in copies):
            yield self.phrase("box.out.by_players")
        out = [
            (card, card.count - numbers[0])
            for card, numbers in copies
            if len(set(numbers)) == 1 and numbers[0] < card.count
        ]
        if out:
            cards = [f"{left} × {self.speech.card_name(card.id)}" for card, left in out]
            yield self.phrase("box.out", list=self.speech.join_list(cards))

    def by_players(self) -> Iterator[tuple[str, ...]]:
        """What depends on the number of players, with a number for each."""
        for card in self.model.cards:
            copies = self._copies(card)
            if len(set(copies)) > 1:
                yield (self.speech.card_name(card.id), *map(str, copies))
        deals = [step for step in self.model.round if step.verb == "deal" and getattr(step, "to", "") == "hand"]
        if len(deals) != 1:
            return
        dealt = self.speech.numbers(getattr(deals[0], "cards", None))
        if None in dealt:
            return
        yield (self.phrase("dealt"), *map(str, dealt))
        loop = next((step for step in self.model.round if step.within), None)
        until_empty = getattr(loop, "until_empty", None) == "hand" and getattr(loop, "at_most", None) is None
        if until_empty and not self._moving():
            yield (self.phrase("turns"), *map(str, dealt))
        others = [step for step in self.model.round if step.verb in {"deal", "draw"} and step is not deals[0]]
        whole = [sum(column) for column in zip(*map(self._copies, self.model.cards), strict=True)]
        if len(set(whole)) > 1 or others or self._returns():
            return
        if all(card.starts_in == "deck" for card in self.model.cards):
            left = [
                whole[0] - self.model.rounds * players * (number or 0)
                for players, number in zip(self.speech.counts, dealt, strict=True)
            ]
            yield (self.phrase("left_over", count=whole[0]), *map(str, left))

    def _moving(self) -> bool:
        loop = next(step for step in self.model.round if step.within)
        return [step.verb for step in loop.within] not in (["choose", "pass"], ["choose"])

    def _returns(self) -> bool:
        return any(step.verb in {"gather", "move"} for step in self.model.round)

    def round(self) -> Part:
        svg, caption = picture(self.speech)
        drawn = [Picture(svg, caption)] if svg else []
        return Part(self.phrase("h.round"), (*drawn, Steps(steps_said(self.model.round, self.speech))))

    def _in_order(self, steps: Sequence[Step]) -> Iterator[Step]:
        """The steps as they are read: what is repeated, and then that it is."""
        for step in steps:
            yield from self._in_order(step.within)
            yield step

    def special(self) -> Part:
        rules = list(self._special())
        return Part(self.phrase("h.special", count=len(rules)), tuple(rules))

    def _special(self) -> Iterator[Rule]:
        speech = self.speech
        for modifier in self.model.modifiers:
            yield self._boxed(speech.card_name(modifier.card), (modifier.card,), modifier_said(modifier, speech))
        for ability in self.model.abilities:
            yield self._boxed(speech.card_name(ability.card), (ability.card,), ability_said(ability, speech))
        faces: dict[str, list[m.Card]] = {}
        for card in self.model.cards:
            if card.forms or card.on_play:
                written = "" if card.forms else speech.own_text(card.text)
                text = written or speech.joined([*card_said(card, speech)])
                yield self._boxed(speech.card_name(card.id), (card.id,), text)
            if card.face:
                faces.setdefault(card.face, []).append(card)
        for cards in faces.values():
            yield self._boxed(self._names(cards), tuple(card.id for card in cards), self.phrase("card.face"))
        kept = [card for card in self.model.cards if card.keep]
        if kept and any(step.verb == "clear" for step in self._in_order(self.model.round)):
            kept_names = [name.strip("„”「」") for name in speech.kept()]
            title = speech.join_list([name[:1].upper() + name[1:] for name in kept_names])
            yield self._boxed(title, tuple(card.id for card in kept)[:1], self.phrase("card.kept"))

    def _names(self, cards: Sequence[m.Card]) -> str:
        families = {card.family[0] if card.family else card.id for card in cards}
        if len(families) == 1 and cards[0].family:
            name = self.speech.family(families.pop()).form("name").strip("„”「」")
            return name[:1].upper() + name[1:]
        return self.speech.join_list([self.speech.card_name(card.id) for card in cards])

    def _boxed(self, title: str, cards: tuple[str, ...], text: str) -> Rule:
        return Rule(title, cards, text, boxed=True)

    def scoring(self) -> Part:
        blocks: list[Block] = []
        if self.example.rows:
            blocks.append(Paragraph(self.phrase("examples", count=len(self.example.tables))))
        for rule in self.model.scoring:
            lead = self._moment(rule)
            examples = tuple(self._example(row) for row in self.example.of(rule.id))
            text = self.speech.rule(rule)
            blocks.append(Rule(self.reading.title(rule), self.reading.heads(rule), text, lead, examples))
        return Part(self.phrase("h.scoring"), tuple(blocks))

    def words(self) -> Part:
        """What the definitions mean that other parts call by their names."""
        definitions = [(f"{name[:1].upper()}{name[1:]}", text) for name, text in self.speech.called()]
        return Part(self.phrase("h.words"), tuple(Rule(name, (), text) for name, text in definitions))

    def _moment(self, rule: m.Rule) -> str:
        """When a rule is scored, if it is not each round."""
        if rule.at == "round":
            return ""
        return self.phrase("at.game") if rule.at == "game" else self.phrase("at", label=rule.at)

    def _example(self, row: ExampleRow) -> Example:
        names = self.phrase("names").split("|")
        who = ", ".join(names[seat % len(names)] for seat in row.seats)
        points = signed(row.points)
        return Example(
            who, row.cards, row.text, self.phrase("each_of", points=points) if len(row.seats) > 1 else points
        )

    def events(self) -> Part:
        labelled = [
            (self.speech.text(trigger.label), trigger_said(trigger, self.speech)) for trigger in self.model.triggers
        ]
        blocks = [
            Paragraph(text, self.phrase("lead", text=f"{label[:1].upper()}{label[1:]}")) for label, text in labelled
        ]
        return Part(self.phrase("h.events"), tuple(blocks))

    def end(self) -> Part:
        before = [self.phrase("end.rounds", rounds=self.model.rounds)]
        blocks = self._around(before, self.model.finish, [winner_said(self.speech)])
        return Part(self.phrase("h.end"), (*blocks, *self.totals()))

    def totals(self) -> Iterator[Table]:
        if self.example.chips or not self.example.points:
            return
        names = self.phrase("names").split("|")[: len(self.example.tables)]
        rows = [(self.moment(moment), *map(signed, points)) for moment, points in self.example.points]
        total = [sum(column) for column in zip(*(points for _, points in self.example.points), strict=True)]
        rows.append((self.phrase("total"), *map(signed, total)))
        yield Table(("", *names), tuple(rows), self.phrase("examples.game"), total=True)

    def moment(self, moment: str) -> str:
        """What is scored at a moment: by its rules, if that is no litany."""
        rules = [rule for rule in self.model.scoring if rule.at == moment]
        if moment == "round":
            return self.phrase("this_round")
        if moment == "game" and len(rules) > _FEW:
            return self.phrase("at_the_end")
        return self.speech.join_list([self.reading.title(rule) for rule in rules], "comma")

    def menus(self) -> Part:
        return Part(self.phrase("h.menus"), tuple(menus_said(self.rules, self.speech)))

    def others(self) -> Part:
        return Part(self.phrase("menus.others"), tuple(dishes_said(self.rules, self.speech)))

    def variants(self) -> Part:
        dishes = dishes_in(self.rules)
        others = [
            variant for variant in self.model.variants if variant.id not in self.model.active and variant not in dishes
        ]
        blocks = [
            Paragraph(self.speech.text(variant.text), self.phrase("lead", text=self.speech.text(variant.title)))
            for variant in others
        ]
        return Part(self.phrase("h.variants"), tuple(blocks))

    def questions(self) -> Part:
        blocks = []
        for reading in self.model.readings:
            chosen = next(option for option in reading.options if option.id == reading.chosen)
            blocks.append(Paragraph(self.speech.text(chosen.text), self.speech.text(reading.question)))
        return Part(self.phrase("h.open"), tuple(blocks))

    def assumed(self) -> Part:
        texts = dict.fromkeys(
            self.speech.own_text(assumption.text) for assumption in self.model.assumptions if not assumption.variant
        )
        return Part(self.phrase("h.assumed"), tuple(Paragraph(text) for text in texts if text))

    def quick(self) -> Part:
        rows = [row for rule in self.model.scoring for row in self._in_a_line(rule)]
        helping = [modifier.card for modifier in self.model.modifiers] + [
            ability.card for ability in self.model.abilities
        ]
        rows += [(card, (self.speech.card_name(card), self.phrase("quick.nothing"), "0")) for card in helping]
        return Part(self.phrase("h.quick"), self._table(rows))

    def scores(self) -> Part:
        """What the cards score: a line for each rule that fits into one, and the others in sentences."""
        reading = self.reading
        long = [rule for rule in self.model.scoring if reading.counts_others(rule) or not reading.short(rule).cells]
        rows = [row for rule in self.model.scoring if rule not in long for row in self._in_a_line(rule)]
        rules = [
            Rule(self.reading.title(rule), self.reading.heads(rule), self.speech.rule(rule), self._moment(rule))
            for rule in long
        ]
        return Part(self.phrase("h.scoring"), (*self._table(rows), *rules))

    def _table(self, rows: Sequence[tuple[str, tuple[str, str, str]]]) -> tuple[Table, ...]:
        head = (self.phrase("quick.card"), self.phrase("quick.counts"), self.phrase("quick.points"))
        table = Table(head, tuple(row for _, row in rows), icons=tuple(icon for icon, _ in rows))
        return (table,) if rows else ()

    def _in_a_line(self, rule: m.Rule) -> Iterator[tuple[str, tuple[str, str, str]]]:
        short = self.reading.short(rule)
        adders = self.reading.cards_adding_to(rule)
        counts = plain(self.speech.rule(rule)) if self.reading.counts_others(rule) else short.counts
        text = self._when_scored(rule, counts)
        for card, amount in adders.items():
            each = int(short.cells[0][1].replace("−", "-"))
            yield card, (self.speech.card_name(card), text, signed(amount * each))
        if not adders:
            points = self.speech.join_list(abridged([value for _, value in short.cells]), "comma") or "–"
            yield self.reading.head(rule), (self.reading.title(rule), text, points)

    def _when_scored(self, rule: m.Rule, text: str) -> str:
        """What counts, with the moment at which it does."""
        if rule.at == "round":
            return text
        return (
            self.phrase("quick.end", text=text)
            if rule.at == "game"
            else self.phrase("quick.at", label=rule.at, text=text)
        )
