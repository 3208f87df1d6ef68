"""Cards to print: the choice of cards, the number of copies, and the texts around the cards.

`layout` places them on sheets of paper, as SVG and HTML, and `pdf` writes them as PDF.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from draftengine.api.facts import Things
from draftengine.api.facts.box import imprint_said, owners_said
from draftengine.api.facts.differences import differences
from draftengine.api.phrasing import CardSetPhraser
from draftengine.api.phrasing.sentences import sides_of
from draftengine.model.cardset.facts import with_most_copies
from draftengine.render.faces.content import Cells, Faces, PointsBadge, speech_for
from draftengine.render.faces.elements import CardFooter
from draftengine.render.faces.full import Printer
from draftengine.render.faces.text_card import TextCard, TextRow, back, back_pattern, dealt, notice
from draftengine.render.rulebook import Paragraph, Rule, Table, aid_of
from draftengine.render.sheets.layout import Sheet, SheetMargins, Sheets, laid_out, mirrored
from draftengine.render.svg import el
from draftengine.support.locale.catalogue import plain

if TYPE_CHECKING:
    from collections.abc import Iterator

    from draftengine.api.game import Ruleset
    from draftengine.model.cardset.records import Card
    from draftengine.render.faces.content import Face, Piece
    from draftengine.render.rulebook import Part
    from draftengine.render.sheets.layout import Paper

_ABOUT = {
    **{name: f"command.diff.{name}" for name in ("players", "rounds", "age", "minutes", "author", "publisher", "year")},
    "round": "h.round",
    "set-up": "h.setup",
    "end": "h.end",
}
"""Message keys for subjects of differences that have no label of their own."""
_LONGEST = 15
"""The largest number of characters of a version on a card."""


def sheets_of(  # noqa: PLR0913 (options of printing)
    rules: Ruleset,
    paper: Paper,
    language: str = "en",
    players: int | None = None,
    *,
    over: Ruleset | None = None,
    backs: bool = False,
    one_each: bool = False,
    aid: bool = False,
) -> Sheets:
    """Return the cards of a card set on sheets: all copies in the box or, with `one_each`, one copy.

    With `aid`, there is also a player aid for each player. `over` are the rules that the card set extends: the sheets
    then have only new and changed cards, and a card that lists the changes. `players` limits copies and numbers to
    that number of players. Raise `SelectionError` if that number is not possible.
    """
    return _Writer(rules, language, players, over).sheets(paper, backs=backs, one_each=one_each, aid=aid)


class _Writer:
    def __init__(self, rules: Ruleset, language: str, players: int | None, over: Ruleset | None) -> None:
        counts = [players] if players is not None else [*rules.possible_players]
        self.rules, self.over, self.model = rules, over, rules.model
        self.speech = CardSetPhraser(rules.model, language, counts)
        self.phrase = self.speech.phrase
        self.title = self.speech.text(self.model.title)
        self.players, self.counts = players, _counts(rules, players)
        earlier = [older for older in (rules.plain, rules.base) if older is not None]
        self.faces = Faces(rules, self.speech, earlier)
        names = {card.id: self.speech.card_name(card.id) for card in self.model.cards}
        self.printer = Printer(self.model, names, self.phrase("space") + self.phrase("face.more"))
        self.drawn: dict[str, str] = {}
        self.called: dict[str, str] = {}

    def sheets(self, paper: Paper, *, backs: bool, one_each: bool, aid: bool) -> Sheets:
        if self.over is None:
            fronts = [name for face in self.faces.all() for name in self._copies(face, self.counts.get(face.card, 0))]
        else:
            fronts = list(self._added(self.over))
        known = [] if self.over is None else [(die.count, die.sides) for die in _dice_in(self.over, self.players)]
        if dice := [die for die in _dice_in(self.rules, self.players) if (die.count, die.sides) not in known]:
            labels = [f"{die.count} × {self.speech.card_name(die.id)}" for die in dice]
            rows = tuple(TextRow(name, sides_of(die, self.speech)) for name, die in zip(labels, dice, strict=True))
            lead = self.phrase("cards.dice")
            fronts += self._notices("dice", dealt(TextCard(self.title, lead, rows), len(rows)), lead)
        if aid:
            book = aid_of(self.rules, self.speech.language, self.players)
            rows = tuple(row for part in book.parts for row in _in_rows(part))
            cards = dealt(TextCard(self.title, book.about, rows), len(rows))
            for _ in range(self.speech.counts[-1]):
                fronts += self._notices("aid", cards, book.about)
        fronts = list(dict.fromkeys(fronts)) if one_each else fronts
        pages = laid_out(fronts)
        sheets = []
        notes = owners_said(self.speech)
        for index, names in enumerate(pages, start=1):
            number = self.phrase("cards.sheet", at=index, count=len(pages))
            title = f"{self.title} {self.model.version[:_LONGEST]}"
            sheets.append(Sheet(names, SheetMargins(title, self.phrase("cards.print"), number, notes)))
            if backs:
                behind = SheetMargins(title, self.phrase("cards.backs"), number, notes)
                sheets.append(Sheet(mirrored(names, "-back"), behind))
        if backs:
            self.drawn["-back"] = back(self.title, self.model.version[:_LONGEST])
            self.called["-back"] = self.phrase("cards.backs")
        weave = back_pattern() if backs else ""
        return Sheets(
            title=f"{self.title} {self.model.version}",
            language=self.speech.catalogue.language,
            paper=paper,
            definitions=self.printer.definitions() + (el("defs", weave) if weave else ""),
            cards=self.drawn,
            called=self.called,
            sheets=tuple(sheets),
            edition_line=imprint_said(self.rules, self.speech),
        )

    def _notices(self, name: str, cards: list[TextCard], called: str) -> Iterator[str]:
        """Draw the cards that one text fills, and yield their names. If there are several, they are numbered."""
        for index, card in enumerate(cards, start=1):
            number = f"{index} / {len(cards)}" if len(cards) > 1 else ""
            self.drawn[f"-{name}-{index}"] = notice(card, self._foot(number))
            self.called[f"-{name}-{index}"] = called
            yield f"-{name}-{index}"

    def _added(self, over: Ruleset) -> Iterator[str]:
        """Yield the cards that the rules `over` lack or have in another form, and the card of changes."""
        older = Faces(over, speech_for(over, self.speech), [base for base in (over.base,) if base])
        before = {face.card: face for face in older.all()}
        counts = _counts(over, self.players)
        names = []
        for face in self.faces.all():
            copies = self.counts.get(face.card, 0)
            old = before.get(face.card)
            if old == face:
                names += list(self._copies(face, copies - counts.get(face.card, 0)))
            else:  # numbers that the old face does not have get a ring; without an old face, none does
                known = {_plain(part) for part in _parts(old or face)}
                numbers = (part for part in _parts(face) if isinstance(part, tuple | PointsBadge))
                new = frozenset(number for number in numbers if _plain(number) not in known)
                names += list(self._copies(face, copies, new))
        # The card of changes says last what printed cards show, too.
        old_things, now = (Things(rules.labels_in(self.speech.language)) for rules in (over, self.rules))
        on_cards = {fact.title for fact in self.faces.facts.scoring if fact.cards and fact.cards <= self.drawn.keys()}
        changed = [change for change in differences(old_things, now) if change.before or change.after]
        repeated = [change for change in changed if change.part == "scoring" and change.about in on_cards]
        rest = [change for change in changed if change not in repeated]
        rows = []
        for change in (*rest, *repeated):
            key = _ABOUT.get(change.about)
            about = self.phrase(key) if key else change.about
            printed = f" × {change.about}"  # for cards in the box, the texts are just numbers
            old_text, text = (part.removesuffix(printed) for part in (change.before, change.after))
            rows.append(TextRow(about[:1].upper() + about[1:], before=old_text, after=text))
        lead = self.phrase("cards.over", title=old_things.speech.text(over.model.title))
        yield from names
        cards = dealt(TextCard(self.title, lead, tuple(rows)), len(rest)) if rows else []
        yield from self._notices("changes", cards, self.title)

    def _copies(self, face: Face, copies: int, new: frozenset[Piece | tuple[str, str]] = frozenset()) -> Iterator[str]:
        if copies <= 0:
            return
        left = f"×{self.counts[face.card]}" + (f" · {self.phrase('cards.kept')}" if face.kept else "")
        self.drawn[face.card] = self.printer.card(face, self._foot(left), new)
        self.called[face.card] = face.name
        yield from [face.card] * copies

    def _foot(self, left: str) -> CardFooter:
        return CardFooter(left, self.title, self.model.version[:_LONGEST], house=self.over is not None)


def _in_rows(part: Part) -> Iterator[TextRow]:
    """Yield the rows of a part of a player aid, without the steps of a round."""
    for block in part.blocks:
        match block:
            case Table():
                for card, counts, points in block.rows:
                    yield TextRow(card, counts, after="" if points in {"0", "–"} else points)  # without a heading
            case Rule() if not block.boxed:  # a card that has a rule of its own shows it itself
                yield TextRow(block.title, plain(f"{block.lead} {block.text}".strip()))
            case Paragraph():
                yield TextRow(block.lead or part.title, plain(block.text))


def _counts(rules: Ruleset, players: int | None) -> dict[str, int]:
    """Return the number of printed copies of each card: for `players`, or of all in the box.

    Dice are not printed. The two sides of a card are printed as two cards.
    """
    dice = {die.id for die in _dice_in(rules, players)}
    cards = with_most_copies(_cards_in(rules, players))
    return {card.id: 0 if {card.id, card.side_of} & dice else card.count for card in cards}


def _cards_in(rules: Ruleset, players: int | None) -> tuple[Card, ...]:
    return (rules.model if players is None else rules.game(players).model).cards


def _dice_in(rules: Ruleset, players: int | None) -> list[Card]:
    """Return the dice that are used with this number of players or, for ``None``, all in the box."""
    return [card for card in _cards_in(rules, players) if card.is_die and card.count]


def _parts(face: Face) -> Iterator[Piece | tuple[str, str]]:
    """Yield the pieces on the strip of a face; of a table, its cells."""
    for row in face.strip:
        for piece in row:
            yield from piece.cells if isinstance(piece, Cells) else (piece,)


def _plain(part: Piece | tuple[str, str]) -> Piece | tuple[str, str]:
    """Return a part in the form in which cards are compared: in a table cell, “4+” is equal to “4”."""
    return (part[0].rstrip("+"), part[1]) if isinstance(part, tuple) else part
