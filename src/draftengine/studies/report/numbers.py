"""How numbers, shares and seats are written for people, the same wherever they are read.

People count seats from 1, as the game does at the table; programs (JSON, CSV, Parquet) count them from 0.
"""

from __future__ import annotations

from draftengine.support.locale.catalogue import in_print

FEW_WINS = 0.02
"""To win so much more or less often (two percentage points) is worth knowing of; less is not."""


def figure(value: float, sign: str = "") -> str:
    """A number in print, with `sign` ``+`` for differences; never a negative nothing."""
    return in_print(f"{value:{sign}.2f}") if round(value, 2) else "0.00"


def percent(share: float, places: int = 2, sign: str = "") -> str:
    """A part of a whole: ``33.73 %``."""
    percentage = 100 * share
    return in_print(f"{percentage if round(percentage, places) else 0.0:{sign}.{places}f} %")


def percents(low: float, high: float, places: int = 2, sign: str = "") -> str:
    """An interval of shares: ``32.10 to 34.44 %``."""
    return f"{percent(low, places, sign)[:-2]} to {percent(high, places, sign)}"


def rounded(count: int) -> int:
    """A number of games in round figures, never too few."""
    step: int = 10 ** max(0, len(str(count)) - 2)
    return -(-count // step) * step


def about(count: int) -> str:
    """So many games in print: ``24,000``."""
    return f"{rounded(count):,}"


NOT_KNOWN = "not known yet"
"""What sentences say of a question to which there is no answer yet."""


def seat_title(seat: int, name: str) -> str:
    """What people call a seat: ``Player 1``, or the name of a seat that nobody plays (see `Program.seat_name`)."""
    return f"Player {seat + 1}" if name == f"seat {seat}" else name.replace("_", " ").capitalize()


def join_list(names: list[str], word: str = "and") -> str:
    """``a``, ``a and b``, ``a, b and c``."""
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} {word} {names[-1]}"
