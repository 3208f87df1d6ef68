"""The scorekeeper line by line: says whose cards are asked for, reads what is typed, prints the sheets with reasons."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from msgspec import Struct

from draftengine.api.errors import WrongPositionError
from draftengine.apps.play.move_builder import alike
from draftengine.apps.play.score_board import sheet_lines, standing_lines
from draftengine.apps.play.score_book import (
    CARD,
    COUNTER,
    POINTS,
    ScorableItem,
    label_of,
    lying_before,
    names_for,
    things_of,
)
from draftengine.apps.play.terminal_style import padded
from draftengine.model.diagnostics.render.text import width_of
from draftengine.support.locale.english_lists import join_list

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from draftengine.apps.play.labels import Names
    from draftengine.apps.play.score_book import Scorebook

_COPIES = re.compile(r"(\d+)\s*[x×*]?\s+(?=\D)|(\d+)[x×*]\s*")
_VALUE = re.compile(r"(.+?)\s*=\s*(-?\d+)")
_KEYS = (
    ("back", "to the player before, whose cards are asked for again"),
    ("u", "takes the last change back"),
    ("name ADA", "what the player is called"),
    ("NAME = 5", "a counter’s value; what is kept stays so from round to round"),
    ("+3, -1", "points that no card shows, also between cards"),
    ("cards", "everything that can lie there, with its numbers"),
    ("s", "the sheet of this round, with the reasons"),
    ("q", "leave; everything is kept"),
)


class LeftError(Exception):
    """Nobody goes on; `input_ended` if there was nobody left to ask."""

    def __init__(self, *, input_ended: bool) -> None:
        super().__init__()
        self.input_ended = input_ended


class Scorekeeper(Struct):
    """Asks for every player's cards, round by round."""

    book: Scorebook
    names: Names
    ask: Callable[[str], str | None]
    show: Callable[[Sequence[str]], None]
    """Takes lines, which may be too long for the screen."""

    def run(self) -> None:
        """Ask until the game is over. Raises `LeftError` if somebody leaves before."""
        book, rounds = self.book, self.book.game.model.rounds
        self._list()
        for number in range(len(book.rounds) - 1, rounds):
            if number == len(book.rounds):
                book.begin_round()
            self.show(["", self.names.style.headline(f"Round {number + 1} of {rounds}" if rounds > 1 else "The game")])
            self._one_round(number)
            self._sheet(number)
        reckoned = book.reckoned()
        self.show(["", self.names.style.headline("Final score"), *standing_lines(reckoned, self.names)])

    def _one_round(self, number: int) -> None:
        seat = 0
        while seat < self.book.game.seats:
            text = self._asked(number, seat)
            if text.casefold() in {"back", "b"}:
                seat = max(0, seat - 1)
                continue
            if not text:
                seat += 1
                continue
            try:
                self._lay(number, seat, text)
            except (ValueError, WrongPositionError) as error:
                self.show([f"  {self.names.style.safe(str(error))}"])
                continue
            seat += 1
            laid = lying_before(self.book, number, seat - 1, self.names)
            self.show(self.names.style.listed(laid or ["nothing"], f"    {self.names.seat(seat - 1)}: "))

    def _asked(self, number: int, seat: int) -> str:
        """What somebody says of the cards of a player, after every command has been carried out."""
        while True:
            laid = lying_before(self.book, number, seat, self.names)
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
            self.show(["  Taken back." if self.book.undo() else "  There is nothing to take back."])
        elif text in {"?", "h", "help"}:
            self.show(self._help())
        elif text == "cards":
            self._list()
        elif text == "s":
            self._sheet(number)
        elif word == "name" and rest:
            self.book.rename(seat, rest[:40])
            self.names = names_for(self.book, self.names.style)
        else:
            return False
        return True

    def _help(self) -> list[str]:
        """What can be typed, with cards of this game for an example."""
        cards = [self._word(thing) for thing in things_of(self.book.game) if thing.kind == CARD]
        example = f"2 {cards[0]}, {cards[-1]}"
        known = ((example, "the player’s cards in the order of play, by name or number; Enter for none"), *_KEYS)
        wide = max(width_of(keys) for keys, _ in known)
        return [f"  {padded(keys, wide)}  {self.names.style.typed(words)}" for keys, words in known]

    def _list(self) -> None:
        style, things = self.names.style, things_of(self.book.game)
        known = [f"{thing.number} {label_of(thing, self.names)}" for thing in things if thing.kind != POINTS]
        self.show([*style.listed(known, f"  {style.bold('Cards')}  "), style.faint("  ? shows what can be typed.")])

    def _lay(self, number: int, seat: int, text: str) -> None:
        """Lay what was typed before a player, in place of the cards that lay there. Raises `ValueError`."""
        parts = _parts(text)
        values = [self._value(match) for part in parts if (match := _VALUE.fullmatch(part))]
        wanted = [self._meant(part) for part in parts if not _VALUE.fullmatch(part)]
        with self.book.together():
            for thing, value in values:
                self.book.put(number, seat, thing, value)
            if any(thing.kind == CARD for thing, _ in wanted):
                self.book.clear(number, seat)
            for thing, copies in wanted:
                self.book.add(number, seat, thing, copies)

    def _value(self, match: re.Match[str]) -> tuple[ScorableItem, int]:
        """The counter that is given a value. Raises `ValueError`."""
        counters = [counter for counter in things_of(self.book.game) if counter.kind == COUNTER]
        matches = alike(match[1], [(counter, (label_of(counter, self.names), counter.name)) for counter in counters])
        if len(matches) == 1:
            return matches[0], int(match[2])
        if not counters:
            raise ValueError("Nothing in this game has a value of its own; cards and points are typed without “=”.")
        known = join_list([label_of(counter, self.names) for counter in matches or counters], "or")
        raise ValueError(f"“{match[1]}” could be {known}." if matches else f"What has a value here: {known}.")

    def _meant(self, text: str) -> tuple[ScorableItem, int]:
        """What a part of the line means, and how many. Raises `ValueError`."""
        if re.fullmatch(r"[+-]\d+", text):
            return ScorableItem(0, POINTS, text), 1
        things = things_of(self.book.game)
        if text.isdecimal():
            matches = [thing for thing in things if thing.number == int(text)]
            copies = 1
        else:
            match = _COPIES.match(text)
            copies = int(match[1] or match[2]) if match else 1
            rest = text[match.end() :] if match else text
            known = [(thing, (label_of(thing, self.names), self._word(thing), thing.name)) for thing in things]
            matches = alike(rest, known)
        if len(matches) == 1 and 0 < copies <= 100:  # noqa: PLR2004 (more than any box holds)
            return matches[0], copies
        if matches:
            raise ValueError(
                f"“{text}” could be {join_list([label_of(thing, self.names) for thing in matches], 'or')}."
            )
        raise ValueError(f"There is no “{text}” here; “cards” lists what there is.")

    def _word(self, thing: ScorableItem) -> str:
        return self.names.word(thing.name)

    def _sheet(self, number: int) -> None:
        reckoned = self.book.reckoned()
        self.show(sheet_lines(reckoned.sheets[number], self.names))
        self.show(["", *standing_lines(reckoned, self.names)])


def _parts(text: str) -> list[str]:
    """A line cut at commas and plus signs between words; at spaces if every word is a number."""
    if all(word.isdecimal() for word in text.split()):
        return text.split()
    return [part.strip() for part in text.split(",") if part.strip()]
