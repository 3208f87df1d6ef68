"""Formats of numbers, shares and seats in texts and reports.

Texts count seats from 1, as the game does at the table; data (JSON, CSV, Parquet) counts them from 0.
"""

from __future__ import annotations

from draftengine.support.locale.catalogue import in_print

FEW_WINS = 0.02
"""Smallest change of a win rate that matters: two percentage points."""


def figure(value: float, sign: str = "") -> str:
    """Format a number with two decimals, unsigned if it rounds to zero; `sign` is ``+`` for differences."""
    return in_print(f"{value:{sign}.2f}") if round(value, 2) else "0.00"


def percent(share: float, places: int = 2, sign: str = "") -> str:
    """Format a share in percent: ``33.73 %``."""
    percentage = 100 * share
    return in_print(f"{percentage if round(percentage, places) else 0.0:{sign}.{places}f} %")


def percents(low: float, high: float, places: int = 2, sign: str = "") -> str:
    """Format an interval of shares in percent: ``32.10 to 34.44 %``."""
    return f"{percent(low, places, sign)[:-2]} to {percent(high, places, sign)}"


def rounded(count: int) -> int:
    """Round a number of games up to two significant digits."""
    step: int = 10 ** max(0, len(str(count)) - 2)
    return -(-count // step) * step


def about(count: int) -> str:
    """Format a number of games, rounded up: ``24,000``."""
    return f"{rounded(count):,}"


NOT_KNOWN = "not known yet"
"""Words in sentences for a question that the games have not answered yet."""


def seat_title(seat: int, name: str) -> str:
    """Return the title of a seat: ``Player 1``, or the name of an extra seat (see `Program.seat_name`)."""
    return f"Player {seat + 1}" if name == f"seat {seat}" else name.replace("_", " ").capitalize()


def join_list(names: list[str], word: str = "and") -> str:
    """Join names as in a sentence: ``a``, ``a and b``, ``a, b and c``."""
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} {word} {names[-1]}"
