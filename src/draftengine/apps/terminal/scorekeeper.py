"""The scorekeeper line by line: it asks for each player's cards, and prints score sheets with reasons."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from msgspec import Struct

from draftengine.api.errors import WrongPositionError
from draftengine.api.scenario.missing import Missing, missing_in_words, problem_in_words
from draftengine.apps.play import score_book
from draftengine.apps.play.help_texts import in_words
from draftengine.apps.play.score_board import sheet_lines, standing_lines
from draftengine.apps.play.score_book import CARD, CHIPS, COUNTER, POINTS, ScorableItem, label_of
from draftengine.apps.play.terminal_style import padded
from draftengine.support.text import width_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from draftengine.apps.play.labels import Names

_COPIES = re.compile(r"([1-9]\d?)(?:[x×*]\s*|\s*[x×*]?\s+(?=\D))")
"""The pattern of a number of copies before a name, such as ``2 soup``. No box has more than 99 copies."""
_VALUE = re.compile(r"(.+?)\s*=\s*(-?\d+)")
_KEYS = (
    ("help.lines.back.keys", "help.lines.back"),
    ("u", "help.sheet.undo"),
    ("help.lines.name.keys", "help.lines.name"),
    ("help.lines.value.keys", "help.lines.value"),
    ("+3, -1", "help.lines.points"),
    ("help.lines.cards_list.keys", "help.lines.cards_list"),
    ("s", "help.lines.sheet"),
    ("q", "help.sheet.quit"),
)


class LeftError(Exception):
    """Raised when people leave the scorekeeper; `input_ended` is True if the input ended."""

    def __init__(self, *, input_ended: bool) -> None:
        super().__init__()
        self.input_ended = input_ended


class Scorekeeper(Struct):
    """Asks for the cards of each player, round by round."""

    book: score_book.Scorebook
    names: Names
    ask: Callable[[str], str | None]
    show: Callable[[Sequence[str]], None]
    """A function that prints lines, which may be wider than the screen."""

    def run(self) -> None:
        """Ask until the game is over. Raises `LeftError` if people leave earlier."""
        book, rounds = self.book, self.book.game.model.rounds
        self._list()
        for number in range(len(book.rounds) - 1, rounds):
            if number == len(book.rounds):
                book.begin_round()
            title = "now.game" if rounds == 1 else "now.round" if book.game.model.last_round else "now.round.open"
            self.show(["", self.names.style.headline(self.names.say(title, number=number + 1, rounds=rounds))])
            seat = 0
            while seat < self.book.game.seats:
                text = self._asked(number, seat)
                if text == "b" or self.names.is_word(text, "back"):
                    seat = max(0, seat - 1)
                elif not text:
                    seat += 1
                elif self._lay(number, seat, text):
                    laid = score_book.lying_before(book, number, seat, self.names) or [self.names.say("sheet.nothing")]
                    self.show(self.names.style.listed(laid, f"    {self.names.seat(seat)}: "))
                    seat += 1
            self._sheet(number)
            if book.reckoned().over:
                # Ask for the worth of chips that the sheet does not state. Enter leaves it open.
                for seat in [chips.seat for chips in self.book.reckoned().missing.chips]:
                    while asked := [chips for chips in self.book.reckoned().missing.chips if chips.seat == seat]:
                        words = missing_in_words(
                            self.book.game, Missing(tuple(asked)), self.names.seats, self.names.labels
                        )
                        text = (self.ask(self.names.style.typed(f"{words[0]} ")) or "").strip()
                        if not text:
                            break
                        if not self._command(text, number, seat):
                            self._lay(number, seat, f"{self.names.say('sheet.chips')} = {text}")
                break
        reckoned = book.reckoned()
        end = sheet_lines(reckoned.end, self.names) if reckoned.end else []
        self.show(["", self.names.style.headline(self.names.say("standing.final")), *end])
        self.show(standing_lines(reckoned, self.names))

    def _asked(self, number: int, seat: int) -> str:
        """Return the line that was typed for the cards of a player. Commands typed before are carried out."""
        while True:
            laid = score_book.lying_before(self.book, number, seat, self.names)
            so_far = f" [{', '.join(laid)}]" if laid else ""
            text = self.ask(self.names.style.typed(f"{self.names.seat(seat)}{so_far}: "))
            if text is None:
                raise LeftError(input_ended=True)
            text = text.strip()
            if not self._command(text, number, seat):
                return text

    def _command(self, text: str, number: int, seat: int) -> bool:
        word, _, rest = text.partition(" ")
        word = word.casefold()
        if word in {"q", "quit", "exit"} and not rest:
            raise LeftError(input_ended=False)
        if text in {"u", "undo"}:
            key = "sheet.taken_back" if self.book.undo() else "said.nothing_back"
            self.show([f"  {self.names.say(key)}"])
        elif text in {"?", "h", "help"}:
            cards = [
                self.names.word(thing.name) for thing in score_book.things_of(self.book.game) if thing.kind == CARD
            ]
            example = f"2 {cards[0]}, {cards[-1]}"
            known = [(example, self.names.say("help.lines.cards")), *in_words(_KEYS, self.names)]
            wide = max(width_of(keys) for keys, _ in known)
            self.show([f"  {padded(keys, wide)}  {self.names.style.typed(words)}" for keys, words in known])
        elif self.names.is_word(text, "cards"):
            self._list()
        elif text == "s":
            self._sheet(number)
        elif self.names.is_word(word, "name") and rest:
            self.book.rename(seat, rest)
            self.names = score_book.names_for(self.book.game, self.book.names, self.names.style, self.names.language)
        else:
            return False
        return True

    def _list(self) -> None:
        style, things = self.names.style, score_book.things_of(self.book.game)
        known = [f"{thing.number} {label_of(thing, self.names)}" for thing in things if thing.kind != POINTS]
        self.show(
            [
                *style.listed(known, f"  {style.bold(self.names.say('sheet.cards'))}  "),
                style.faint(f"  {self.names.say('sheet.help')}"),
            ]
        )

    def _lay(self, number: int, seat: int, text: str) -> bool:
        """Replace the cards of a player by the typed ones. If that is impossible, show why, and return False."""
        # A line is split at commas; at spaces if all words are numbers.
        only_numbers = all(word.isdecimal() for word in text.split())
        parts = text.split() if only_numbers else [part.strip() for part in text.split(",") if part.strip()]
        try:
            values = [self._value(match) for part in parts if (match := _VALUE.fullmatch(part))]
            wanted = [self._meant(part) for part in parts if not _VALUE.fullmatch(part)]
            with self.book.together():
                for thing, value in values:
                    self.book.put(number, seat, thing, value)
                if any(thing.kind == CARD for thing, _ in wanted):
                    self.book.clear(number, seat)
                for thing, copies in wanted:
                    self.book.add(number, seat, thing, copies)
        except ValueError as error:
            text = str(error)
            if isinstance(error, WrongPositionError):
                text = problem_in_words(error, self.names.labels)
            self.show([f"  {self.names.style.safe(text)}"])
            return False
        return True

    def _value(self, match: re.Match[str]) -> tuple[ScorableItem, int]:
        """Return a counter or pile of chips, with the value that was typed for it. Raises `ValueError`."""
        counters = [counter for counter in score_book.things_of(self.book.game) if counter.kind in {COUNTER, CHIPS}]
        if not counters:
            raise ValueError(self.names.say("sheet.no_values"))
        known = self.names.join_list([label_of(counter, self.names) for counter in counters])
        return score_book.thing_named(match[1], counters, self.names, "sheet.unknown.value", known=known), int(match[2])

    def _meant(self, text: str) -> tuple[ScorableItem, int]:
        """Return the item and the number of copies that a part of the line means. Raises `ValueError`."""
        if re.fullmatch(r"[+-]\d+", text):
            return ScorableItem(0, POINTS, text), 1
        things, match = score_book.things_of(self.book.game), _COPIES.match(text)
        if text.isdecimal() and 0 < int(text) <= len(things):
            return things[int(text) - 1], 1
        name, copies = (text[match.end() :], int(match[1])) if match else (text, 1)
        return score_book.thing_named(name, things, self.names, "sheet.unknown.card"), copies

    def _sheet(self, number: int) -> None:
        reckoned = self.book.reckoned()
        self.show(sheet_lines(reckoned.sheets[number], self.names))
        self.show(["", *standing_lines(reckoned, self.names)])
