"""Names of cards, seats and rules in the form in which a screen shows them."""

from __future__ import annotations

from collections import Counter
from functools import cached_property
from typing import TYPE_CHECKING

from msgspec.structs import replace

from draftengine.api.facts import Things
from draftengine.api.labels import card_in
from draftengine.api.phrasing.payments import pays_said
from draftengine.api.phrasing.sentences import numbers_of
from draftengine.apps.play.session import HUMAN
from draftengine.support.text import width_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from draftengine.api.game import Game
    from draftengine.api.records import Event
    from draftengine.api.score_sheets import Entry
    from draftengine.apps.play.terminal_style import Style
    from draftengine.model.records.reader import Formula, Texts


_SHORT = 6
"""The largest width of a short seat title, in columns."""


class Names:
    """Names of one game, safe to print on a terminal, with pictures if the terminal has them."""

    def __init__(
        self,
        game: Game,
        seats: Sequence[str],
        style: Style,
        people: Sequence[str] = (),
        *,
        levels: bool = True,
        language: str = "en",
    ) -> None:
        """Prepare the names of a game. `seats` has ``human`` or a bot by seat, `people` the names of people.

        With `levels`, the titles of bots include their level.
        """
        self.game = game
        self.language = language
        self.labels = game.labels if language == "en" else game.labels_in(language)
        self.style = replace(style, comma=self.labels.speech.catalogue.comma)
        self._levels = levels
        titles, called, alone = [], iter(people), list(seats).count(HUMAN) == 1
        for seat, who in enumerate(seats, 1):
            numbered = self.say("seat.player", number=seat)
            if who != HUMAN:
                titles.append(self.bot_title(numbered, who))
            else:
                usual = self.say("seat.you") if alone else numbered
                titles.append(self.style.safe(next(called, "")).strip() or usual)
        self.seats = (*titles, *(self.extra_seat(extra.id) for extra in game.model.extra_seats))
        """The titles of the seats, extra seats last."""

    @property
    def cites(self) -> bool:
        """True if rulebook passages are printed: on English screens, because the passages are in English."""
        return self.language == "en"

    @cached_property
    def things(self) -> Things:
        """The facts about the things of the game."""
        return Things(self.labels)

    def _shown(self, text: str, name: str = "") -> str:
        """Return a text of the card set in printable characters; `name` if none of them can be shown."""
        return self.style.safe(text).strip() or name

    def bot_title(self, name: str, bot: str) -> str:
        """Return the title of a bot, with its level if levels are shown."""
        level = bot.partition(":")[0]
        if self.labels.speech.has(f"level.{level}"):
            level = self.say(f"level.{level}")
        return self.say("seat.bot", name=name, level=self.style.safe(level)) if self._levels else name

    def say(self, key: str, /, **given: object) -> str:
        """Return a message of the catalogue, in characters that the terminal can show."""
        return self.style.typed(self.labels.speech.phrase(key, **given))

    def why(self, given: Event | Entry) -> str:
        """Return the calculation of some points, in the language of the screen."""
        return given.why.within(self.labels.speech.catalogue) if given.why is not None else given.text

    def decimal(self, text: str) -> str:
        """Return a number with the minus sign and separators of the language, if the terminal has them."""
        return self.style.typed(self.labels.speech.catalogue.decimal(text))

    def say_of(self, seat: int, key: str, /, **given: object) -> str:
        """Return a message about a seat; the person at the screen is addressed as “you”."""
        return self.say(f"{key}.you", **given) if self.is_you(seat) else self.say(key, who=self.seat(seat), **given)

    def is_word(self, text: str, word: str) -> bool:
        """True if `text` is this command, in English or in the language of the screen."""
        return text.casefold() in {word, self.say(f"help.word.{word}").casefold()}

    def is_you(self, seat: int) -> bool:
        """True if this screen addresses the seat as “you”."""
        return self.seat(seat) == self.say("seat.you")

    def join_list(self, items: Sequence[str], word: str = "and") -> str:
        """Return the items as a list in a sentence, such as “a, b and c”."""
        return self.style.typed(self.labels.speech.join_list(items, word))

    @property
    def seat_columns(self) -> int:
        """The width of the longest seat title, in columns."""
        return max(map(width_of, self.seats))

    def seat(self, seat: int) -> str:
        return self.seats[seat] if 0 <= seat < len(self.seats) else self.say("seat.nobody")

    def extra_seat(self, name: str) -> str:
        """Return the title of an extra seat, given by its id."""
        return self._shown(self.labels.seat(name), name)

    def inside(self, seat: int) -> str:
        """Return the title of a seat for the middle of a sentence."""
        return self.say("seat.you.within") if self.is_you(seat) else self.seat(seat)

    def heads(self, columns: int) -> list[str]:
        """Return the seat titles for the columns of a table, shortened if they are wider than `columns`."""
        if sum(width_of(title) + 2 for title in self.seats) <= columns:
            return list(self.seats)
        players = self.game.players
        return [
            title
            if width_of(title) <= _SHORT
            else self.say("seat.short", number=seat)
            if seat <= players
            else title[:_SHORT]
            for seat, title in enumerate(self.seats, 1)
        ]

    def card(self, name: str) -> str:
        """Return the name and picture of a card, a face, or a card in a form (``triple@soup``)."""
        return f"{self.style.icon(self.labels.icon(name))}{self.word(name)}"

    def word(self, name: str) -> str:
        """Return the name of a card, a face, or a card in a form, without its picture."""
        return self._shown(self.labels.card(name), name)

    def has(self, name: str) -> str:
        """Return the numbers on a card, such as its price; empty if there are none or the name has them."""
        card = next((card for card in self.game.model.cards if card.id == card_in(name)), None)
        return self.style.safe(self.style.comma.join(numbers_of(card, self.labels.speech))) if card is not None else ""

    def pays(self, pays: Iterable[tuple[str, int, str]]) -> str:
        """Return what a move pays, such as “pays 2 to the left”; empty if it pays nothing."""
        return self.style.typed(pays_said(pays, self.labels.speech))

    def cards(self, names: Iterable[str]) -> list[str]:
        """Return each different card once, in order of appearance; two copies are ``2× Soup``."""
        return [self.copies(name, count) for name, count in Counter(names).items()]

    def words(self, names: Iterable[str]) -> list[str]:
        """Return each different card once, like `cards`, but without pictures."""
        return [self.copies_of(self.word(name), count) for name, count in Counter(names).items()]

    def copies(self, name: str, count: int) -> str:
        return self.copies_of(self.card(name), count)

    def copies_of(self, card: str, count: int) -> str:
        """Return the text of a card; it begins with ``2×`` if there are two."""
        return (self.style.typed(f"{count}× ") if count > 1 else "") + card

    def label(self, name: str) -> str:
        """Return the name of a counter, modifier, ability, zone, marker, chip pile or card."""
        return self._shown(self.labels.thing(name), name)

    def zone(self, name: str) -> str:
        """Return the name of a zone for the middle of a sentence."""
        return self._shown(self.labels.speech.zone(name).form("one"), name)

    def reason(self, name: str) -> str:
        """Return the name of a rule or another source of points."""
        return self._shown(self.labels.rule(name), name)

    def at_once(self, name: str) -> str:
        """Return the name of a trigger or card that gives points or chips immediately."""
        return self._shown(self.labels.cause(name), name)

    def moment(self, label: str) -> str:
        """Return the name of the moment at which rules with this label score."""
        return self._shown(self.labels.moment(label), label)

    def called(self, formula: Formula) -> str:
        """Return the phrase for a formula within a sentence."""
        return self.style.safe(self.labels.called(formula))

    def many(self, formula: Formula) -> str:
        """Return the plural of the noun for the things that a formula counts."""
        return self.style.safe(self.labels.speech.noun(formula).form("other"))

    def text(self, texts: Texts) -> str:
        """Return a text of the card set; empty if there is none."""
        return self._shown(self.labels.text(texts))
