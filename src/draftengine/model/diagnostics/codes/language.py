"""The codes of formulas."""

from __future__ import annotations

from draftengine.model.diagnostics.entry import Entry


def _rule(points: str) -> str:
    return f"scoring:\n  soup: {{kind: formula, points: {points}}}\n"


TABLE: tuple[Entry, ...] = (
    Entry(
        "formula-syntax",
        "This is no formula",
        "A formula is made of numbers, names, + - * // %, comparisons, and, or, not, `A if B else C` and functions.",
        _rule("soup times 2"),
        _rule("soup * 2"),
    ),
    Entry(
        "unknown-name",
        "A formula uses a name that means nothing here",
        "Names stand for cards, families, counters, zones, markers, parameters and facts such as players and round; "
        "which of them a formula may use depends on where it stands.",
        _rule("2 * soops"),
        _rule("2 * soup"),
    ),
    Entry(
        "wrong-arguments",
        "A function is called with the wrong number or kind of things",
        "Each function takes certain arguments: min and max two or more numbers, abs just one.",
        _rule("min(soup)"),
        _rule("min(soup, 3)"),
    ),
    Entry(
        "seat-needed",
        "It is not said whose",
        "This formula is about the whole table, and a counter belongs to a seat: say which seats with a function such "
        "as total, most or fewest.",
        "round:\n  - {deal: {to: hand, cards: soup}}\n",
        "round:\n  - {deal: {to: hand, cards: 7}}\n",
    ),
    Entry(
        "hidden-cards",
        "A formula asks what lies in a hidden zone",
        "What a formula gives can be told from the game: whoever must not see the cards of a zone would learn of them. "
        "cards(zone) counts all cards of any zone; a name, highest and lowest are for zones that everybody sees.",
        _rule("cards(hand, soup)"),
        _rule("cards(discard, soup)"),
    ),
    Entry(
        "division-by-zero",
        "A formula may divide by zero",
        "The divisor can be 0, so the formula has no value then. Only divisors that are never 0 are allowed.",
        _rule("10 // soup"),
        _rule("10 // max(1, soup)"),
    ),
    Entry(
        "too-costly",
        "A formula takes too many steps",
        "The cost of every formula is known before it runs, and this one is above what a game allows.",
    ),
)
