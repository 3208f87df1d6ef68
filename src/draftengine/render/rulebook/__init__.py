"""The printed rulebook as data: parts made of blocks, from the card set and the engine alone.

`formats` writes it as text, Markdown and HTML. Texts use the marks of `draftengine.support.locale.catalogue`.
"""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from draftengine.api.facts import Facts
from draftengine.api.facts.box import imprint_said
from draftengine.api.facts.choices import menus_of
from draftengine.api.phrasing import CardSetPhraser
from draftengine.api.phrasing.examples import SEATS, worked
from draftengine.api.phrasing.sentences import begun, wins_said
from draftengine.model.cardset.effects import gives_points
from draftengine.render.rulebook.picture import picture as flow_chart
from draftengine.support.locale.catalogue import abridged, as_note, signed

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from draftengine.api.facts import Fact, Line
    from draftengine.api.facts.box import Boxed
    from draftengine.api.facts.steps import StepList
    from draftengine.api.game import Ruleset
    from draftengine.api.phrasing.examples import ExampleRow


class Paragraph(Struct, frozen=True):
    text: str
    lead: str = ""
    """Emphasised words before the text."""


class Steps(Struct, frozen=True):
    """A numbered list."""

    items: tuple[str, ...]


class Table(Struct, frozen=True):
    """A table. Its first column has the names of the rows."""

    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    title: str = ""
    icons: tuple[str, ...] = ()
    """A card for each row. The icon of the card precedes the name of the row."""
    texts: bool = False
    """True if the cells are texts, not numbers."""


class Picture(Struct, frozen=True):
    """A drawing, and a description of the drawing."""

    svg: str
    said: str


class Box(Struct, frozen=True):
    """The cards in the box."""

    cards: tuple[Boxed, ...]


class Example(Struct, frozen=True):
    """A row of a worked example: cards and the points that they score."""

    who: str
    cards: tuple[str, ...]
    words: str
    """The cards in words."""
    text: str
    points: str


class Rule(Struct, frozen=True):
    """A rule in words, or a card with its special rule in words."""

    title: str
    cards: tuple[str, ...]
    """Cards whose icons are printed next to the rule."""
    text: str
    lead: str = ""
    examples: tuple[Example, ...] = ()
    boxed: bool = False


Block = Paragraph | Steps | Table | Picture | Box | Rule


class Part(Struct, frozen=True):
    title: str
    blocks: tuple[Block, ...]


class Book(Struct, frozen=True):
    """A rulebook."""

    language: str
    title: str
    about: str
    facts: tuple[str, ...]
    """Phrases that are on the box, such as the number of players. Their numbers are bold."""
    sign: str
    """The card whose icon is on the cover; empty for a game without cards."""
    parts: tuple[Part, ...]
    edition_line: str
    names: tuple[tuple[str, str], ...]
    """The names of the cards, as pairs of a card's id and its name."""
    short: bool = False
    """True if it is a one-page player aid."""


def book_of(rules: Ruleset, language: str = "en", players: int | None = None) -> Book:
    """Return the rulebook of a card set under a selection; if `players` is given, only for that number.

    Raise `SelectionError` if that number of players is not possible.
    """
    speech = CardSetPhraser(rules.model, language, _counts(rules, players)).by_name()
    table_size = players or min(speech.counts, key=lambda count: (abs(count - SEATS), count))
    return _Writer(rules, speech, worked(rules.game(table_size), speech), table_size).book()


def aid_of(rules: Ruleset, language: str = "en", players: int | None = None) -> Book:
    """Return the player aid, a page for looking things up: a turn, the scores of cards, and who wins.

    Raise `SelectionError` if that number of players is not possible.
    """
    speech = CardSetPhraser(rules.model, language, _counts(rules, players)).by_name()
    return _Writer(rules, speech, (), 0).aid()


def _counts(rules: Ruleset, players: int | None) -> list[int]:
    return [*rules.possible_players] if players is None else [players]


_ROW = 80
"""The largest number of English characters with which a rule stands in a row of a quick reference."""
_FEW = 3
"""The largest number of rules that do not fit into a quick reference and are named there."""


class _Writer:
    """Writes the parts of a book."""

    def __init__(self, rules: Ruleset, speech: CardSetPhraser, examples: Sequence[ExampleRow], seats: int) -> None:
        """Begin a book with examples for a number of seats."""
        self.rules, self.speech, self.examples, self.seats = rules, speech, examples, seats
        self.model = rules.model
        self.phrase = speech.phrase
        self.facts = Facts(rules, speech)

    def book(self) -> Book:
        parts = [
            self.aim(), self.box(), self.set_up(), self.round(), self.special(self.facts.special), self.scoring(),
            self.events(self.facts.events), self.end(), *self.menus(), self.variants(), self.questions(),
            self.assumed(), self.quick(),
        ]  # fmt: skip
        scoring = next(index for index, part in enumerate(parts) if part.title == self.phrase("h.scoring"))
        parts.insert(scoring, self.words())
        return self._bound(self.speech.text(self.model.about.text), parts)

    def aid(self) -> Book:
        """Return a one-page book: a turn, the scores of cards, the events during play, and who wins."""
        special, events = (  # those that say more than their lines do
            [fact for fact in facts if not any(line.text in {fact.plain, as_note(fact.text)} for line in fact.lines)]
            for facts in (self.facts.special, self.facts.events)
        )
        wins = Part(self.phrase("h.end"), (Paragraph(self.facts.wins),))
        parts = [self.round(), self.scores(), self.special(special), self.events(events), wins, self.words()]
        return replace(self._bound(self.phrase("h.aid"), parts), short=True)

    def _bound(self, about: str, parts: Sequence[Part]) -> Book:
        """Return a book of those `parts` that are not empty."""
        counts = self.speech.counts
        minutes, age = self.model.about.minutes, self.model.about.age
        players = self.speech.range(counts[0], counts[-1])
        facts = [
            self.phrase("facts.players", players=players, count=counts[-1]),
            *([self.phrase("facts.minutes", count=minutes)] if minutes else []),
            *([self.phrase("facts.age", age=age)] if age else []),
            *(self.phrase(f"facts.{what}", count=count) for what, count in self.things if count),
        ]
        cards = [*self.model.cards]
        sign = max(
            cards,
            key=lambda card: (sum(card.family == other.family for other in cards if card.family), bool(card.icon)),
            default=None,
        )
        return Book(
            language=self.speech.catalogue.language,
            title=self.speech.text(self.model.title),
            about=about,
            facts=tuple(facts),
            sign=sign.id if sign else "",
            parts=tuple(part for part in parts if part.blocks),
            edition_line=imprint_said(self.rules, self.speech),
            names=tuple((card.id, self.speech.card_name(card.id)) for card in self.model.cards),
        )

    @property
    def things(self) -> tuple[tuple[str, int], ...]:
        """The components in the box: pairs of a name, ``cards`` or ``dice``, and a number."""
        dice = sum(card.count for card in self.model.cards if card.is_die)
        return ("cards", sum(card.count for card in self.model.cards) - dice), ("dice", dice)

    def aim(self) -> Part:
        by_points = gives_points(self.model)
        best = self.phrase(f"winner.{self.model.winner.order}") if by_points else wins_said(self.speech)
        text = self.speech.joined([self.facts.rounds, *([best] if best else [])])
        chosen = [self.speech.text(variant.title) for variant in self.model.variants if variant.id in self.model.active]
        with_ = (
            [Paragraph(self.phrase("list.sentence", text=self.speech.join_list(chosen)), self.phrase("h.chosen"))]
            if chosen
            else []
        )
        return Part(self.phrase("h.aim"), (Paragraph(text), *with_))

    def box(self) -> Part:
        pieces = [text for _, text in self.facts.pieces]
        also = [Paragraph(self.phrase("box.also", list=self.speech.join_list(pieces)))] if pieces else []
        rows = tuple(row for card in self.facts.box for row in card.values)
        head = (self.phrase("quick.card"), self.phrase("box.values.head"))
        values = [Table(head, rows, self.phrase("box.values"), texts=True)] if rows else []
        return Part(self.phrase("h.box"), (*([Box(self.facts.box)] if self.facts.box else []), *also, *values))

    def set_up(self) -> Part:
        facts = self.facts.set_up
        blocks = self._around(facts.before, self.facts.setup_steps, facts.after)
        rows = tuple((label, *map(str, numbers)) for label, numbers in facts.by_players)
        table = Table((self.phrase("players"), *map(str, self.speech.counts)), rows, self.phrase("by_players"))
        return Part(self.phrase("h.setup"), (*blocks, *([table] if rows else [])))

    def _around(self, before: Sequence[str], steps: StepList, after: Sequence[str]) -> tuple[Block, ...]:
        """Return the blocks for steps and the texts around them: one paragraph, unless some steps repeat."""
        texts = [[*before], [*after]] if steps.repeats else [[*before, *steps.lines, *after]]
        blocks: list[Block] = [Paragraph(self.speech.joined(sentences)) for sentences in texts if sentences]
        if steps.repeats:
            blocks.insert(bool(before), Steps(steps.lines))
        return tuple(blocks)

    def round(self) -> Part:
        svg = flow_chart(self.facts.flow)
        drawn = [Picture(svg, self.facts.flow.words)] if svg else []
        return Part(self.phrase("h.round"), (*drawn, Steps(self.facts.round_steps)))

    def special(self, facts: Sequence[Fact]) -> Part:
        rules = [Rule(fact.title, fact.icons, fact.text, boxed=True) for fact in facts]
        return Part(self.phrase("h.special", count=len(rules)), tuple(rules))

    def scoring(self) -> Part:
        sections = self.facts.sections
        at_end = len(sections) > 1 and all(fact.at == "game" for fact in sections)
        blocks: list[Block] = [Paragraph(self.phrase("scoring.at_end"))] if at_end else []
        if self.examples:
            blocks.append(Paragraph(self.phrase("examples", count=self.seats)))
        for fact in sections:
            rows: list[Example] = []
            for row in self.examples:
                if row.rule == fact.id:
                    people = self.phrase("names").split("|")
                    others = [self.speech.text(seat.label) for seat in self.model.extra_seats]
                    names = [*(people[seat % len(people)] for seat in range(self.seats)), *others]
                    who = self.speech.join_list([names[seat] for seat in row.seats], "comma")
                    runs = [(name, len([*alike])) for name, alike in groupby(map(self.speech.card_name, row.cards))]
                    cards = [name if copies == 1 else f"{copies} × {name}" for name, copies in runs]
                    words = self.speech.join_list(cards, "comma") if cards else self.phrase("none")
                    points = self.phrase("told.chips", count=row.points) if row.chips else signed(row.points)
                    points = self.phrase("each_of", points=points) if len(row.seats) > 1 else points
                    rows.append(Example(who, row.cards, words, row.text, points))
            examples = tuple(rows)
            moment = "" if at_end else fact.moment
            blocks.append(Rule(fact.title, fact.icons, fact.text, moment, examples))
        return Part(self.phrase("h.scoring"), tuple(blocks))

    def words(self) -> Part:
        """Return the part that defines the names used in other parts."""
        return Part(self.phrase("h.words"), tuple(Rule(begun(name), (), text) for name, text in self.speech.called()))

    def events(self, facts: Sequence[Fact]) -> Part:
        blocks = [Paragraph(fact.text, self.phrase("lead", text=fact.title)) for fact in facts]
        return Part(self.phrase("h.events"), tuple(blocks))

    def end(self) -> Part:
        before = [self.facts.ends]
        blocks = self._around(before, self.facts.finish_steps, [self.facts.wins])
        return Part(self.phrase("h.end"), blocks)

    def menus(self) -> Iterator[Part]:
        """Yield a part on what menus consist of, and a part on variants of menus that are not in play."""
        menus = menus_of(self.rules, self.speech)
        if not menus.groups:
            return
        kinds = Table((self.phrase("menus.number"), self.phrase("menus.choice")), menus.groups, texts=True)
        head = self.phrase("menus.menu"), self.phrase("menus.dishes")
        named = [Table(head, menus.named, self.phrase("menus.named"), texts=True)] if menus.named else []
        yield Part(self.phrase("h.menus"), (Paragraph(self.phrase("menus.about")), kinds, *named))
        dishes = [
            Rule(dish.title, (), dish.text, self.phrase("lead", text=dish.cards) if dish.cards else "")
            for dish in menus.others
        ]
        yield Part(self.phrase("menus.others"), tuple(dishes))

    def variants(self) -> Part:
        offered = [variant for variant in self.facts.variants if variant.offered and not variant.is_dish]
        blocks = [
            Paragraph(variant.text, self.phrase("lead", text=variant.title + variant.span)) for variant in offered
        ]
        if offered:
            exclusions = (Paragraph(text) for text in self.facts.exclusions)
            blocks = [Paragraph(self.phrase("variants.about")), *blocks, *exclusions]
        return Part(self.phrase("h.variants"), tuple(blocks))

    def questions(self) -> Part:
        blocks = [Paragraph(question.answer, question.text) for question in self.facts.questions if question.raised]
        return Part(self.phrase("h.open"), tuple(blocks))

    def assumed(self) -> Part:
        texts = [assumption.text for assumption in self.facts.assumed if not assumption.variant]
        return Part(self.phrase("h.assumed"), tuple(map(Paragraph, texts)))

    def quick(self) -> Part:
        """Return a table with a row for each rule. Those too long for a row share the last one."""
        see_rule = self.phrase("quick.formula")
        formulas = {line: fact for fact in self.facts.sections for line in fact.lines if line.counts == see_rule}
        # The same rules are short in every language.
        english = CardSetPhraser(self.model, "en", self.speech.counts).by_name()
        sections = self.facts.sections if self.speech.language == "en" else Facts(self.rules, english).sections
        short = {fact.id for fact in sections if len(fact.text) <= _ROW}
        texts = {line: as_note(fact.text) for line, fact in formulas.items() if fact.id in short}
        rows = [
            replace(line, text=line.text.replace(see_rule, texts.get(line, see_rule)))
            for line in self.facts.lines
            if line in texts or line not in formulas
        ]
        left = [line for line in self.facts.lines if line in formulas and line not in texts]
        if left and rows:
            titles = list(dict.fromkeys(line.title for line in left))
            title = self.speech.join_list(titles, "comma") if len(titles) <= _FEW else self.phrase("quick.rest")
            rows.append(
                replace(left[0], title=title, text=see_rule, icon=left[0].icon if len(left) == 1 else "", cells=())
            )
        return Part(self.phrase("h.quick"), self._table(rows))

    def scores(self) -> Part:
        """Return the scores of cards: a table row for each rule that fits into a row, texts for other rules."""
        see_rule = self.phrase("quick.formula")
        long = [
            fact
            for fact in self.facts.sections
            if fact.counts_others or not all(line.cells and line.counts != see_rule for line in fact.lines)
        ]
        lines = [line for line in self.facts.lines if not any(line in fact.lines for fact in long)]
        rules = [Rule(fact.title, fact.icons, fact.text, fact.moment) for fact in long]
        return Part(self.phrase("h.scoring"), (*self._table(lines), *rules))

    def _table(self, lines: Sequence[Line]) -> tuple[Block, ...]:
        """Return a table of rules, and what ○ means if the table has it; nothing if there are no rules."""
        head = (self.phrase("quick.card"), self.phrase("quick.counts"), self.phrase("quick.points"))
        rows = [(line.title, line.text, self.speech.join_list(abridged(line.points), "comma") or "–") for line in lines]
        chips = any(value.endswith("○") for line in lines for value in line.points)
        notes = [Paragraph(self.phrase("quick.chip"))] if chips else []
        return (Table(head, tuple(rows), icons=tuple(line.icon for line in lines)), *notes) if rows else ()
