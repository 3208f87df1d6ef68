"""The limits of card sets, each stated once. `docs/limits.md` is made from this table.

A limit bounds the time and memory that a file can cost, and finds slips such as a text without its second quote. It
lies well above what games need. No limit forbids what another one allows: the longest text has few enough bytes.
"""

from __future__ import annotations

from typing import NamedTuple


class Limit(NamedTuple):
    """A limit, as the page and the messages state it."""

    section: str
    most: int
    what: str
    remedy: str
    """Advice for a file that needs more."""
    keys: str
    """The keys of a card set that hold what is limited, separated by spaces; ``*`` for any key."""


TABLE: list[Limit] = []
"""All limits, by section."""


def _limit(section: str, most: int, what: str, remedy: str, keys: str = "") -> int:
    TABLE.append(Limit(section, most, what, remedy, keys))
    return most


_SPLIT = "Put variants into files of their own, with include or extends."
_FILE = "The file"
FILE_BYTES = _limit(_FILE, 256 << 10, "bytes", _SPLIT)
VALUES = _limit(_FILE, 50_000, "keys and values", _SPLIT)
NESTING = _limit(_FILE, 32, "lists and mappings in each other", "Card sets need about 10; look for stray brackets.")
TEXT = _limit(_FILE, 4_000, "characters of a text", "Shorten it, or look for a quote that is not closed.", "*")
TEXT_BYTES = 4 * TEXT
"""Bytes of the longest text: UTF-8 needs at most four for a character."""
NAME = _limit(_FILE, 40, "characters of a name", "Choose a shorter one; a label says the rest.", "*")
NUMBER = _limit(_FILE, 1_000_000, "as a number", "Count in larger units, such as thousands.", "*")
INCLUDED = _limit(_FILE, 100, "included files", "Put several variants into one of them.", "include")
BASES = _limit(_FILE, 8, "files that extend each other", "Extend one of the first.", "extends")

_FORMULAS = "Formulas"
FORMULA = _limit(_FORMULAS, 2_000, "characters of a formula", "Name a part of it under define.", "*")
PARENTHESES = _limit(_FORMULAS, 64, "levels of a formula", "Name a part of it under define.")
DEFINITIONS = _limit(_FORMULAS, 200, "definitions", "Give one values to ask for, such as pair(a, b).", "define")
NODES = _limit(_FORMULAS, 5_000, "names and numbers, definitions written out", "Make it several rules or counters.")
COST = _limit(_FORMULAS, 50_000, "steps of calculating it once", "Make it several rules or counters.")

_BOX = "Cards and what else there is"
_FAMILY = "Declare cards that differ only in name or number as one with more copies, or write them with `for`."
CARDS = _limit(_BOX, 300, "kinds of cards", _FAMILY, "cards")
COPIES = _limit(_BOX, 500, "copies of a card", "Declare a second card of the same family.", "count")
COUNTERS = _limit(_BOX, 100, "counters", "Let cards that are only counted have no counter.", "counters")
FAMILIES = _limit(_BOX, 100, "families", "Count several cards with a formula such as soup + bread.", "families")
CARD_VALUES = _limit(_BOX, 100, "names of numbers that cards have", "Leave out those that need no label.")
MODIFIERS = _limit(_BOX, 20, "modifiers", "Let one modifier apply to a family.", "modifiers")
MODIFIERS_OF_A_CARD = _limit(_BOX, 6, "modifiers of one card", "Let some apply to other cards.")
PIECES = _limit(_BOX, 1_000, "ways in which cards lie on modifiers", "Let a modifier apply to fewer cards.")
ABILITIES = _limit(_BOX, 20, "abilities", "Let cards of a family share one.", "abilities")
ZONES = _limit(_BOX, 50, "zones beside the usual ones", "Let a zone be one of each seat.", "zones")
MARKERS = _limit(_BOX, 50, "markers", "Let a counter say what a seat has.", "markers")
CHIPS = _limit(_BOX, 50, "piles of chips", "Let chips be points of a rule.", "chips")
TOKENS = _limit(_BOX, 20, "tokens", "Leave out those that people can do without.", "tokens")
AMOUNT = _limit(_BOX, 100_000, "added to a counter by a card, or its start", "Count in larger units.", "*")
COUNTER_RANGE = _limit(_BOX, 1 << 20, "from the lowest to the highest value of a counter", "Give it min and max.")

_PLAY = "Play"
PLAYERS = _limit(_PLAY, 99, "players", "Let people play at several tables.", "players")
EXTRA_SEATS = _limit(_PLAY, 10, "extra seats", "Let one stand for several.", "extra_seats")
SEATS = PLAYERS + EXTRA_SEATS
_ROUNDS = (
    "Where there are more, let them be turns of one round: “rounds: 1”, and “repeat: {times: 300, do: […]}” around all "
    "steps, or “repeat: {until: …, at_most: 300, do: […]}”."
)
ROUNDS = _limit(_PLAY, 100, "rounds", _ROUNDS, "rounds at_most")
STEP = _limit(_PLAY, 1_000, "cards or turns of a step", "Say “all”, or repeat the step.", "*")
_FEWER = "Let this or another repeat have fewer turns, or the game fewer rounds."
TURNS = _limit(_PLAY, 20_000, "turns of a game", _FEWER)
STEPS = _limit(_PLAY, 100, "steps in a list", "Put steps that are alike into a repeat.", "setup round finish do")
WAYS = _limit(_PLAY, 60, "ways of a choice", "Let several be one with a range of cards.", "ways")
TRIGGERS = _limit(_PLAY, 100, "triggers", "Let one have several effects.", "triggers")
RULES = _limit(_PLAY, 200, "rules", "Write rules that are alike as one with `for`, or as a formula.", "scoring")
POINTS = _limit(_PLAY, 10_000_000, "points of a seat", "Use smaller amounts, or min() and max() around a formula.")

_CHOICES = "Choices and texts"
VARIANTS = _limit(_CHOICES, 100, "variants", _SPLIT, "variants")
MENUS = _limit(_CHOICES, 100, "menus", "Leave out those that differ little.", "menus")
READINGS = _limit(_CHOICES, 100, "readings", "Make an answer that nobody needs a rule.", "readings")
SOURCES = _limit(_CHOICES, 500, "sources", "Let several statements be one.", "sources")
EXAMPLES = _limit(_CHOICES, 500, "worked examples", "Put more into a file of scenarios.", "examples")

_SERVER = "Card sets that people upload to a server"
UPLOAD = _limit(_SERVER, 64 << 10, "bytes of a request", "Give the file to the person who runs the server.")
_FAST = "Games that are compiled; what has more is played, but slower"
WILD = _limit(_FAST, 62, "wild cards", "Let one of them have several copies.")
ALIKE = _limit(_FAST, 255, "cards that look alike", "Give some of them a look of their own.")


def remedy(key: str, most: int) -> str:
    """Return the remedy for a value under a key that exceeds a limit; empty if none is known."""
    fitting = (limit for limit in TABLE if limit.most == most and (key in limit.keys.split() or limit.keys == "*"))
    return next((limit.remedy for limit in fitting), "")
