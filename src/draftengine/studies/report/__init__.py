"""Conclusions of studies in words. Each has its evidence, its certainty, and the numbers in it.

Beside them are the statistics and charts that all studies share.

At a terminal a conclusion is a sentence. In a report its first part is emphasised, with a mark for the certainty. Texts
count seats from 1, as the game does at the table; data (JSON, CSV, Parquet) counts them from 0.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from msgspec import Struct

from draftengine.support.locale import spoken
from draftengine.support.locale.catalogue import in_print
from draftengine.support.locale.phrases import decimal, in_language, said

if TYPE_CHECKING:
    from collections.abc import Iterable

    from draftengine.support.locale.catalogue import Catalogue
    from draftengine.support.locale.phrases import Phrase, Text

Sure = Literal["certain", "probably", "measured", "unknown", "care"]
"""The certainty of a conclusion.

``certain``: its interval supports it, even if all conclusions next to it are to hold together. ``probably``: only its
own interval supports it. ``measured``: a figure without a claim. ``unknown``: more games would decide. ``care``: a
warning about the figures.
"""


class Conclusion(Struct, frozen=True):
    """A conclusion of a study: a head and, if there is one, a text."""

    sure: Sure
    head: Text
    text: Text = ""
    """The evidence, or what is needed for an answer. It may continue the sentence of the head."""
    joint: Literal["colon", "semicolon", "space", "stop"] = "colon"
    """The punctuation between head and text in `sentence`; each language has its own signs."""
    figure: str = ""
    """The name of the figure in the report that shows the conclusion; empty if none does."""

    def sentence(self, words: Catalogue) -> str:
        """Return the conclusion (head and text) as one or two sentences in a language."""
        head, text = in_language(self.head, words), in_language(self.text, words)
        whole = words.phrase(f"study.joint.{self.joint}", head=head, text=text) if text else head
        return words.phrase("list.sentence", text=whole)


_ORDER: tuple[Sure, ...] = ("certain", "measured", "probably", "unknown", "care")


def ordered(statements: Iterable[Conclusion]) -> list[Conclusion]:
    """Sort conclusions by certainty, the most certain first and warnings last; others keep their order."""
    return sorted(statements, key=lambda statement: _ORDER.index(statement.sure))


FEW_WINS = 0.02
"""The smallest change of a win rate that matters: two percentage points."""


def figure(value: float, sign: str = "") -> str:
    """Format a number with two decimals, without a sign if it rounds to zero.

    `sign` is ``+`` for differences.
    """
    return in_print(f"{value:{sign}.2f}") if round(value, 2) else "0.00"


def percent(share: float, places: int = 2, sign: str = "") -> str:
    """Format a share in percent: ``33.73 %``."""
    percentage = 100 * share
    return in_print(f"{percentage if round(percentage, places) else 0.0:{sign}.{places}f} %")


def percents(low: float, high: float, places: int = 2, sign: str = "") -> str:
    """Format an interval of shares in percent: ``32.10 to 34.44 %``."""
    return f"{percent(low, places, sign)[:-2]} to {percent(high, places, sign)}"


def share(value: float, places: int = 2, sign: str = "") -> Phrase:
    """Return a share in percent as a phrase for a sentence."""
    return decimal(percent(value, places, sign))


def between(low: str, high: str) -> Phrase:
    """Return an interval as a phrase for a sentence: ``32.10 to 34.44``."""
    return said("range.to", low=decimal(low), high=decimal(high))


def shares(low: float, high: float, places: int = 2) -> Phrase:
    """Return an interval of shares in percent as a phrase for a sentence."""
    return between(percent(low, places)[:-2], percent(high, places))


def rounded(count: int) -> int:
    """Round a number of games up to two significant digits."""
    step: int = 10 ** max(0, len(str(count)) - 2)
    return -(-count // step) * step


def about(count: int) -> Phrase:
    """Return an estimated number of games or deals, rounded up, at least 10, as a phrase: ``24,000``."""
    return decimal(f"{rounded(max(10, count)):,}")


def seat_named(seat: int, name: str, bot: str = "") -> Text:
    """Return the title of a seat for a sentence, with its bot (see `seat_title`)."""
    title: Text = said("study.player", number=seat + 1) if name == f"seat {seat}" else seat_title(seat, name)
    return said("study.player.bot", player=title, bot=bot_named(bot)) if bot else title


def bot_named(bot: str) -> Text:
    """Return the name of a bot for a sentence. Options and other programs are the same in every language."""
    return said(f"level.{bot}") if f"level.{bot}" in spoken("en").patterns else bot


def seat_title(seat: int, name: str) -> str:
    """Return the title of a seat: ``Player 1``, or the name of an extra seat (see `Program.seat_name`)."""
    return f"Player {seat + 1}" if name == f"seat {seat}" else name.replace("_", " ").capitalize()
