"""The memory map of the batch kernel: where things lie in its flat arrays of 64-bit integers.

`rom` holds the packed program (read only): scalars at fixed places, then tables. A table's first index stands at the
place with the table's name, its rows are as long as the constant with the table's name and ``_ROW`` says, and the
columns are listed there. `ram` holds a game in progress, for at most `MAX_SEATS` seats. Packed counter words and keys
are unsigned 64-bit numbers, kept in the same arrays bit by bit.
"""

from itertools import count as _count

from draftengine.engine.worth import LOGISTIC_SIZE

MAX_SEATS = 12
"""A ranking's key has four bits for every seat."""
SEAT_STRIDE = 16

WORD_BITS = 64

# ── rom: scalars ──────────────────────────────────────────────────────────────────────────────────────────────────────

_places = _count()
PLAYERS = next(_places)
SEATS = next(_places)
RANKED = next(_places)
ROUNDS = next(_places)
CARD_BITS = next(_places)
"""Bits for a card in a hand that is packed into one word."""
CARD_LANES = next(_places)
"""The lowest bit of each card in such a word."""
CELLS = next(_places)
"""Cells of each row of cards: a multiple of 8."""
ROW_COUNT = next(_places)
SOURCE_COUNT = next(_places)
"""Sources of points: rules, triggers, cards with effects, and then a pile of chips each."""
RULE_COUNT = next(_places)
WATCH_COUNT = next(_places)
ALERT = next(_places)
"""Is there a trigger that may happen after any reveal, whatever was laid down."""
ALERTS = next(_places)
"""The bits of the counters one of which has to change for any other trigger to happen after a reveal."""
TRACKED = next(_places)
"""Are the cards in tableaus and discards kept, or only what they add to the counters."""
NOTED = next(_places)
"""Is anything to be written down of a play beyond the counters: where its card lies, a log, effects to carry out."""
SIMPLE = next(_places)
PLACE_COUNT = next(_places)
MARKER_COUNT = next(_places)
PILE_COUNT = next(_places)
TABLEAU = next(_places)
DISCARD = next(_places)
MOST_WINS = next(_places)
TIE_COUNT = next(_places)
START_WORD = next(_places)
KEEP_BITS = next(_places)
KEEP_WORD = next(_places)
MODIFIER_COUNT = next(_places)
PLAY_COUNT = next(_places)
HAS_MIXED = next(_places)
OPTION_COUNT = next(_places)
CARD_COUNT = next(_places)
WILD_CARDS = next(_places)
"""The cards that have several forms, or one that is not always allowed, as bits; every bit if there are too many."""
SCRATCH = next(_places)
"""A row of cards that belongs to no zone."""
ZONE_COUNT = next(_places)
LOGGED = next(_places)
"""Is every play logged with its seat and turn."""

# ── rom: tables ───────────────────────────────────────────────────────────────────────────────────────────────────────

CODE = next(_places)
CODE_ROW = 8  # op, following, then by op
PLAYS = next(_places)
PLAYS_ROW = 8
PLAY_CARD, PLAY_EFFECTS, PLAY_EFFECT_COUNT, PLAY_STAYS, PLAY_SOURCE = 0, 1, 2, 3, 4
PLAY_SHIFT, PLAY_MASK, PLAY_BIAS = 5, 6, 7
"""The counter that tells the rows of its worth apart."""
MODIFIERS = next(_places)
INCREMENTS = next(_places)
"""What each play adds to a word, for every combination of open modifiers (bit *i* = the *i*-th of `MODIFIERS`)."""
MIXED = next(_places)
"""What each play that stays brings back to a word that was cleared."""
EFFECT_LISTS = next(_places)
EFFECTS = next(_places)
EFFECTS_ROW = 6
EFFECT_KIND, EFFECT_TARGET, EFFECT_VALUE, EFFECT_SIDES, EFFECT_AMOUNTS, EFFECT_AMOUNT_COUNT = range(6)
AMOUNTS = next(_places)
AMOUNTS_ROW = 6  # shift, mask, bias, expression, lowest, highest
WATCHES = next(_places)
WATCHES_ROW = 8
WATCH_LABEL, WATCH_SINGLE, WATCH_WHO, WATCH_UNLESS = 0, 1, 2, 3
WATCH_EFFECTS, WATCH_EFFECT_COUNT, WATCH_SOURCE, WATCH_GUARD = 4, 5, 6, 7
RULES = next(_places)
RULES_ROW = 8
RULE_KIND, RULE_WHEN, RULE_CHIP, RULE_A, RULE_B, RULE_C, RULE_D, RULE_BITS = range(8)
"""The last: the bits of the counters that it depends on."""
INPUTS = next(_places)
INPUTS_ROW = 3  # expression, lowest value, how many values
LUTS = next(_places)
RANKS = next(_places)
RANKS_ROW = 1 << 11
FEW_SEATS = 4
"""Points by rank, for so few seats that all orders fit into a table; 0 = unknown, else 1 more than where they lie."""
RULE_LISTS = next(_places)
"""Rules by label; those that look at one counter alone (`RULE_LUT`) without a condition come first."""
EXPRESSIONS = next(_places)
EXPRESSIONS_ROW = 3  # first operation, behind the last, register of the value
OPERATIONS = next(_places)
OPERATIONS_ROW = 5  # operation, register, operands
ZONES = next(_places)
ZONES_ROW = 6
ZONE_ROW, ZONE_OWNERS, ZONE_PLACES, ZONE_PLACE_COUNT, ZONE_FACE_DOWN, ZONE_COVERS = range(6)
"""The first row, how many, the number of the first place of a layout among all, how many it has, those that are dealt
face down as bits, and where in `COVERS` its tables begin."""
START_CARDS = next(_places)
START_CARDS_ROW = 2
"""How many cards lie in each row at first, and the word where they begin behind the last row of `cells`."""
COVERS = next(_places)
COVERS_ROW = 1 << 8
"""A table for every eight places of a layout: the places that are covered, by which of the eight have a card."""
OPTIONS = next(_places)
OPTIONS_ROW = 5
OPTION_ALLOWED, OPTION_SHOWN, OPTION_SHIFT, OPTION_MASK, OPTION_LEAST = range(5)
"""If `OPTION_MASK` isn't 0, it is allowed where this counter is at least so much; else where an expression says so."""
OPTION_PLAYS = next(_places)
CARDS = next(_places)
CARDS_ROW = 7
CARD_OPTIONS, CARD_OPTION_COUNT, CARD_TYPICAL, CARD_AT_PLACE, CARD_LAST, CARD_PLAY, CARD_ALONE = range(7)
"""Its options, the card that it is taken for while only its face is known, the play that it becomes from a layout and,
by its last option, from a hand; does that option mean no other card."""
OPTION_LISTS = next(_places)
ABILITIES = next(_places)
ABILITIES_ROW = 9
ABILITY_SHIFT, ABILITY_MASK, ABILITY_BIAS, ABILITY_CARD, ABILITY_PLAY = 0, 1, 2, 3, 4
ABILITY_TAKE, ABILITY_PER_TURN, ABILITY_RETURNS, ABILITY_TURNS_UP = 5, 6, 7, 8
CHOICES = next(_places)
CHOICES_ROW = 18
CHOICE_SOURCE, CHOICE_TARGET, CHOICE_CARDS, CHOICE_MARKER, CHOICE_OFFER, CHOICE_LAYOUT = 0, 1, 2, 3, 4, 5
CHOICE_ORDINARY, CHOICE_FIRST_OTHER, CHOICE_KEEPS_EVEN, CHOICE_ABILITIES, CHOICE_ABILITY_COUNT = 6, 7, 8, 9, 10
CHOICE_ALSO, CHOICE_ALSO_COUNT, CHOICE_CYCLE, CHOICE_TO_TABLEAU, CHOICE_READY = 11, 12, 13, 14, 15
CHOICE_FOLLOWING, CHOICE_PLAIN = 16, 17
ABILITY_LISTS = next(_places)
ALSO = next(_places)
ALSO_ROW = 3  # extra seat, marker, cards
DIRECTIONS = next(_places)
"""Of a pass in each round, from round 0 (which is never played)."""
MARKERS_START = next(_places)
PILES_START = next(_places)
PILES_ROW = 65  # how many chips, and their values
MEAN_CHIPS = next(_places)
"""What a chip drawn blind from each pile is worth on average."""
TIES = next(_places)
TIES_ROW = 2  # most, expression
CAN_WIN = next(_places)
COPIES = next(_places)
WORTH = next(_places)
"""As in `draftengine.engine.worth`."""
AT_END = next(_places)
"""The rules that are scored after the last round."""
AT_END_ROW = 2  # rule, lasts
AT_END_COUNT = next(_places)
MEMO = next(_places)
"""Points by key, hashed: pairs (key, where they lie), key -1 for none. This and what is `KNOWN` grow with use."""
MEMO_MASK = next(_places)
KNOWN = next(_places)
HEAD = next(_places)
"""So many places come before the tables."""

# Instructions.
(
    OP_START_GAME, OP_START_ROUND, OP_END_ROUND, OP_START_TURNS, OP_JUMP, OP_UNLESS, OP_END_GAME, OP_SHUFFLE, OP_CLEAR,
    OP_GATHER, OP_SCORE, OP_TURNS, OP_NEXT_TURN, OP_GIVE, OP_DEAL, OP_PASS, OP_MOVE_ALL, OP_CHOOSE,
) = range(18)  # fmt: skip
FIRST_OF_TURNS = OP_NEXT_TURN
"""From here on they are the steps of turns."""

OF_HANDS, IN_WORDS, ON_A_LAYOUT = range(3)
"""What turns that are played at once (`OP_TURNS`) are: a choice and a pass, other steps with hands, or of a layout."""

# Operations of expressions.
(
    EX_NUMBER, EX_FIELD, EX_HAS, EX_GAINED, EX_POINTS, EX_ROUND, EX_TURN, EX_HOLDS, EX_CARDS, EX_NEGATE, EX_NOT, EX_ADD,
    EX_SUBTRACT, EX_TIMES, EX_QUOTIENT, EX_REMAINDER, EX_EQUAL, EX_UNEQUAL, EX_LESS, EX_AT_MOST, EX_MORE,
    EX_AT_LEAST, EX_AND, EX_OR, EX_CHOICE, EX_MIN, EX_MAX, EX_ABS, EX_POSITIVE, EX_MOST, EX_FEWEST, EX_TOTAL,
    EX_OTHERS_MOST, EX_OTHERS_FEWEST, EX_OTHERS_TOTAL, EX_LEADS,
) = range(36)  # fmt: skip

# Kinds of rules.
RULE_LUT, RULE_TABLE, RULE_RANKED, RULE_RANKED_FIELD = range(4)

# Effects.
DO_POINTS, DO_TAKE, DO_ROLL, DO_ADD, DO_SET, DO_CHIP, DO_DISCARD = range(7)

# What becomes of the card of an ability.
TO_HAND, TO_PLACE, TO_DISCARD, STAYS = range(4)

# To whom a marker goes.
GIVE_LEFT, GIVE_RIGHT, GIVE_NOBODY, GIVE_STAYS, GIVE_MOST, GIVE_FEWEST = range(6)

NUMBER = 1 << 40
"""An expression from here on is a number, and this much too large."""
NOBODY, AT_RANDOM = -1, -2
EMPTY = 255
"""No card at a place of a layout."""
REVEAL = -1
"""The label of triggers after a reveal."""

# ── ram ───────────────────────────────────────────────────────────────────────────────────────────────────────────────

MAX_MARKERS, MAX_DEPTH, MAX_CHIPS, MAX_PILES, MAX_ROWS, MAX_PLACES = 16, 8, 64, 32, 128, 64
MAX_REGISTERS, MAX_CODES, MAX_SOURCES, MAX_PLACED, MAX_INPUTS = 96, 31, 160, 255, 32
MAX_MODIFIERS = 6
MAX_LOGGED = 1 << 14
MAX_CANDIDATES = 8192
MAX_PATH, MAX_TOUCHED, MAX_DEALS, MAX_SLOTS = 256, 1 << 16, 64, 2048


DEALS_ROW = 8
DEAL_KIND, DEAL_FROM, DEAL_COPY, DEAL_SIZE, DEAL_SLOTS, DEAL_SLOT_COUNT, DEAL_INTO, DEAL_COUNT_NOW = range(8)
DEAL_PILE = DEAL_INTO
"""What is dealt to make a world: where in `cells` the pool and its working copy lie, how many it has, where in
`DEALT_TO` the places to fill are listed, and the deal that gets what is left over; for chips, the pile."""
DEAL_CARDS, DEAL_STIR, DEAL_CHIPS = range(3)


MODELS_ROW = 5
MODEL_EARLY, MODEL_LATE, MODEL_TABLE, MODEL_GREEDY, MODEL_RANDOM = range(MODELS_ROW)
"""How a seat plays in playouts: limits of a draw (`draftengine.bots.trees.Model`)."""


def _laid_out(*sizes: int) -> list[int]:
    """The first index of each part, and behind the last the size of all."""
    starts = [0]
    for size in sizes:
        starts.append(starts[-1] + size)
    return starts


IMAGE_SIZE = 4 * SEAT_STRIDE + MAX_MARKERS + SEAT_STRIDE + 2 + MAX_DEPTH + 6 + MAX_INPUTS + 2 * SEAT_STRIDE
IMAGE_SIZE += SEAT_STRIDE * MAX_CHIPS + MAX_PILES * PILES_ROW + 2 * MAX_ROWS + MAX_PLACES
"""The first parts of what follows, as far as they are the state of a game; worlds of a search begin as a copy."""

(
    WORDS, BEFORE, GUESS, SCORES, MARKERS, POLICIES, ROUND, DEPTH, TURNS, DEAL, CHANCE, BOT, WINNERS, TRAP_RULE,
    TRAP_COUNT, TRAP_VALUES, OUT, CHIP_COUNTS, CHIPS, PILES, COUNTS, SLOTS, DOWN, REGISTERS, MOVES, POINTS, PLACED,
    STOCK, ALLOWED, CANDIDATES, HANDS, HAND_SIZES, HELD, GATHERED, STANDINGS, LOG_COUNT, LOG, MODE, START,
    ROUND_LOG, IMAGE_CELLS, IMAGE, DEAL_COUNT, DEALS, DEALT_TO, STOP_AT_ROUND, NEAR, FEW,
    BY_MARGIN, BY_MODELS, EXPLORATION, NODE, PATH_LENGTH, PATH, LOWEST, HIGHEST, LOGISTIC, TOUCHED_COUNT, TOUCHED,
    TREE_COUNT, TREE_ROOM, SEARCHER, CHILDREN, KEYS, VALUES, ORDER, ALONE, LEAD, LYING, MODELS, RAM_SIZE,
) = _laid_out(
    SEAT_STRIDE, SEAT_STRIDE, SEAT_STRIDE, SEAT_STRIDE, MAX_MARKERS, SEAT_STRIDE, 1, 1, MAX_DEPTH, 1, 1, 1, 1, 1, 1,
    MAX_INPUTS, SEAT_STRIDE, SEAT_STRIDE, SEAT_STRIDE * MAX_CHIPS, MAX_PILES * PILES_ROW, MAX_ROWS, MAX_ROWS,
    MAX_PLACES, MAX_REGISTERS * SEAT_STRIDE, SEAT_STRIDE * (MAX_CODES + 1) * 2, MAX_SOURCES * SEAT_STRIDE, 2 *
    (MAX_PLACED + 1), 1024, 256, MAX_CANDIDATES * 4, SEAT_STRIDE, SEAT_STRIDE, 1, MAX_SOURCES * SEAT_STRIDE,
    MAX_SOURCES, 1, MAX_LOGGED, 1, 1, 1, 1, IMAGE_SIZE, 1, MAX_DEALS * DEALS_ROW, MAX_SLOTS, 1, 1, 1, 1, 1, 1,
    SEAT_STRIDE, SEAT_STRIDE, SEAT_STRIDE * MAX_PATH, SEAT_STRIDE, SEAT_STRIDE, 2 * LOGISTIC_SIZE, 1, MAX_TOUCHED, 1, 1,
    1, MAX_CANDIDATES, MAX_CANDIDATES, MAX_CANDIDATES, MAX_CANDIDATES, 1, 1, MAX_PLACES, MODELS_ROW * SEAT_STRIDE,
)  # fmt: skip
MOVES_ROW = (MAX_CODES + 1) * 2
"""A move: how many codes, unused, then pairs of channel and item."""

RANDOM, GREEDY, TABLE, PLAYOUT, SEARCH = range(5)
"""Policies. In playouts, the table's move or sometimes any; in searches, the tree's, then a playout."""

PLAYING, LEARNING, SEARCHING = range(3)
"""Modes. Behind `RAM_SIZE` lies when learning what was learnt: sums and counts for every entry of `WORTH`; when
searching the tree: rows of `TREE_ROW`."""

TREE_ROW = 8
TREE_KEY, TREE_CHILD, TREE_NEXT, TREE_VISITS, TREE_TOTAL, TREE_MARGIN, TREE_AVAILABLE = range(7)
"""A move of a seat: its key, its first child, the next move beside it, how often it was played and could have been."""

# How a stretch of games ended.
FINISHED, UNKNOWN_POINTS, TOO_MUCH, ROUND_OVER = range(4)
