"""The limits of card sets. Each is stated once here, and `docs/limits.md` is made from this table.

A limit bounds the time and memory that a file can cost, and finds slips such as a text without its second quote. It is
well above what games need. The limits agree with each other: for example, the longest text is never too long in bytes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from draftengine.support.locale.phrases import said

if TYPE_CHECKING:
    from draftengine.support.locale.phrases import Phrase, Text


class Limit(NamedTuple):
    """A limit, with the words for the documentation and for messages about it."""

    section: str
    most: int
    what: str
    remedy: Phrase
    """Advice for an author whose file needs more than the limit."""
    keys: str
    """The keys in a card set whose values are limited, separated by spaces; ``*`` stands for any key."""


TABLE: list[Limit] = []
"""All limits, in the order of their sections."""


def _limit(section: str, most: int, what: str, remedy: str, keys: str = "") -> int:
    TABLE.append(Limit(section, most, what, said(f"limit.{remedy}"), keys))
    return most


_FILE = "The file"
FILE_BYTES = _limit(_FILE, 256 << 10, "bytes", "split")
VALUES = _limit(_FILE, 50_000, "keys and values", "split")
NESTING = _limit(_FILE, 32, "lists and mappings in each other", "nesting")
TEXT = _limit(_FILE, 4_000, "characters of a text", "text", "*")
TEXT_BYTES = 4 * TEXT
"""The largest number of bytes of a text: UTF-8 has at most four for each character."""
NAME = _limit(_FILE, 40, "characters of a name", "name", "*")
NUMBER = _limit(_FILE, 1_000_000, "as a number", "number", "*")
INCLUDED = _limit(_FILE, 100, "included files", "included", "include")
BASES = _limit(_FILE, 8, "files that extend each other", "bases", "extends")

_FORMULAS = "Formulas"
FORMULA = _limit(_FORMULAS, 2_000, "characters of a formula", "formula", "*")
PARENTHESES = _limit(_FORMULAS, 64, "levels of a formula", "formula")
DEFINITIONS = _limit(_FORMULAS, 200, "definitions", "definitions", "define")
NODES = _limit(_FORMULAS, 5_000, "names and numbers, definitions written out", "nodes")
COST = _limit(_FORMULAS, 50_000, "steps of calculating it once", "nodes")

_BOX = "Cards and what else there is"
CARDS = _limit(_BOX, 300, "kinds of cards", "cards", "cards")
COPIES = _limit(_BOX, 500, "copies of a card", "copies", "count")
COUNTERS = _limit(_BOX, 100, "counters", "counters", "counters")
FAMILIES = _limit(_BOX, 100, "families", "families", "families")
CARD_VALUES = _limit(_BOX, 100, "names of numbers that cards have", "card-values")
PAYMENTS = _limit(_BOX, 10, "payments", "payments", "payments")
GOODS = _limit(_BOX, 20, "goods of a group", "goods", "goods")
ALTERNATIVES = _limit(_BOX, 5, "goods that cards make one or the other", "alternatives")
COST_OF_CARD = _limit(_BOX, 100, "units of a good that a card costs or makes", "cost-of-card")
MODIFIERS = _limit(_BOX, 20, "modifiers", "modifiers", "modifiers")
MODIFIERS_OF_A_CARD = _limit(_BOX, 6, "modifiers of one card", "modifiers-of-a-card")
PIECES = _limit(_BOX, 1_000, "ways in which cards lie on modifiers", "pieces")
ABILITIES = _limit(_BOX, 20, "abilities", "abilities", "abilities")
ZONES = _limit(_BOX, 50, "zones beside the usual ones", "zones", "zones")
MARKERS = _limit(_BOX, 50, "markers", "markers", "markers")
CHIPS = _limit(_BOX, 50, "piles of chips", "chips", "chips")
TOKENS = _limit(_BOX, 20, "tokens", "tokens", "tokens")
AMOUNT = _limit(_BOX, 100_000, "added to a counter by a card, or its start", "amount", "*")
COUNTER_RANGE = _limit(_BOX, 1 << 20, "from the lowest to the highest value of a counter", "counter-range")

_PLAY = "Play"
PLAYERS = _limit(_PLAY, 99, "players", "players", "players")
EXTRA_SEATS = _limit(_PLAY, 10, "extra seats", "extra-seats", "extra_seats")
SEATS = PLAYERS + EXTRA_SEATS
ROUNDS = _limit(_PLAY, 100, "rounds", "rounds", "rounds at_most")
STEP = _limit(_PLAY, 1_000, "cards or turns of a step", "step", "*")
TURNS = _limit(_PLAY, 20_000, "turns of a game", "turns")
STEPS = _limit(_PLAY, 100, "steps in a list", "steps", "setup round finish do")
WAYS = _limit(_PLAY, 60, "ways of a choice", "ways", "ways")
TRIGGERS = _limit(_PLAY, 100, "triggers", "triggers", "triggers")
RULES = _limit(_PLAY, 200, "rules", "rules", "scoring")
POINTS = _limit(_PLAY, 10_000_000, "points of a seat", "points")

_CHOICES = "Choices and texts"
VARIANTS = _limit(_CHOICES, 100, "variants", "split", "variants")
MENUS = _limit(_CHOICES, 100, "menus", "menus", "menus")
READINGS = _limit(_CHOICES, 100, "readings", "readings", "readings")
SOURCES = _limit(_CHOICES, 500, "sources", "sources", "sources")
EXAMPLES = _limit(_CHOICES, 500, "worked examples", "examples", "examples")

_SERVER = "Card sets that people upload to a server"
UPLOAD = _limit(_SERVER, 64 << 10, "bytes of a request", "upload")
_FAST = "Games that are compiled; what has more is played, but slower"
WILD = _limit(_FAST, 62, "wild cards", "wild")
ALIKE = _limit(_FAST, 255, "cards that look alike", "alike")


def remedy(key: str, most: int) -> Text:
    """Return the advice for a value of `key` that exceeds the limit `most`; empty if there is none."""
    fitting = (limit for limit in TABLE if limit.most == most and (key in limit.keys.split() or limit.keys == "*"))
    return next((limit.remedy for limit in fitting), "")
