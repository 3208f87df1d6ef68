"""The memory map of tables that are played side by side: how the machine knows them, and what it makes of them.

A table is a row of several arrays. `kept` has what has to be kept of the machine's `ram` between two decisions, and
what the seats have named so far; `cells` the cards, as for a single game; `known` which cards lie where, as far as
somebody may know, counted by *column*: a face of the box, in the order of the card set. The *plan* (read only) says
where things lie in these rows, what every action is, and what every part of an observation vector shows.
"""

from itertools import count as _count

from draftengine.kernel.memory import MAX_ROWS, RAM_SIZE

# ── the plan: scalars, then where its tables begin ────────────────────────────────────────────────────────────────────

_places = _count()
GAMES = next(_places)
"""How many tables there are: so many games lie between two games of a table."""
COLUMNS = next(_places)
DONE = next(_places)
"""The action that ends a move, and the last one."""
LENGTH = next(_places)
"""Entries of a vector."""
REWARD = next(_places)
MOST_POINTS = next(_places)
"""What the type of the entries can hold."""
KEPT_ROW, CELLS_ROW, KNOWN_ROW = next(_places), next(_places), next(_places)
"""How long the row of a table is in each array (`CELLS_ROW` in bytes)."""
NAMED, NAMED_ROW = next(_places), next(_places)
"""Where in `kept` the moves begin: for each player how many actions it has taken for its move, and which."""
EVENTFUL = next(_places)
"""Can anything happen after cards were laid down."""
GONE = next(_places)
"""Where in `known` the cards in tableaus are counted."""
KEPT_COUNT = next(_places)
KEPT_PLACES = next(_places)
"""The places of the machine's `ram` that are kept; their values stand in `kept` behind the first `KEPT_HEAD`."""
SHOWN = next(_places)
"""Where in `known` the cards of each row of the machine's cells are counted; -1 where nobody looks at them."""
REMEMBERED = next(_places)
"""Where in `known` stands what each player remembers of them, one player after the other; -1 where that is nothing."""
SIGHTS = next(_places)
"""Who sees each zone."""
COLUMN_OF_CARD = next(_places)
COLUMN_OF_PLAY = next(_places)
COLUMN_OF_OPTION = next(_places)
COPIES_BY_COLUMN = next(_places)
WIDTH = next(_places)
"""So many codes a channel has."""
CHANNELS, ITEMS = next(_places), next(_places)
"""The channel and the item of every action."""
ACTIONS = next(_places)
"""The action of every code; -1 for none."""
FIELDS, FIELD_COUNT = next(_places), next(_places)
FIELDS_ROW = 3  # shift, mask, bias
PARTS, PART_COUNT = next(_places), next(_places)
PARTS_ROW = 5  # kind, what it is about, the seat from the own one on, the first entry, how many
PLAN_HEAD = next(_places)

BY_ALL, BY_OWNER, BY_NOBODY = range(3)
"""Who sees a zone."""
EVERYBODY = -1
"""All seats, as bits."""

KINDS = (
    "round", "turn", "choice", "choosing", "taken", "size", "cards", "places", "counters", "scores", "unseen", "marker",
    "chips_left", "chips", "chips_worth",
)  # fmt: skip
"""What a part of a vector can show."""
(
    SHOWS_ROUND, SHOWS_TURN, SHOWS_CHOICE, SHOWS_CHOOSING, SHOWS_TAKEN, SHOWS_SIZE, SHOWS_CARDS, SHOWS_PLACES,
    SHOWS_COUNTERS, SHOWS_SCORES, SHOWS_UNSEEN, SHOWS_MARKER, SHOWS_CHIPS_LEFT, SHOWS_CHIPS, SHOWS_CHIPS_WORTH,
) = range(len(KINDS))  # fmt: skip

REWARDS = ("win", "margin", "points")
"""What a game can be worth at its end (see `draftengine.environments.stepping.Table.returns`)."""
BY_WIN, BY_MARGIN, BY_POINTS = range(len(REWARDS))

# ── kept ──────────────────────────────────────────────────────────────────────────────────────────────────────────────

STAGE, GAME, AT, CHOICE, PENDING, READY, CHANGED, KEPT_HEAD = range(8)
"""What a table waits for; its game; where the program goes on, and which choice waits; the seats that have to choose,
and those whose move is whole, as bits; what is new for the seats."""

TO_DEAL, TO_GO_ON, TO_CHOOSE = range(3)
"""Stages: the game is to be dealt; its flow is to go on; seats have to choose."""
NOTHING, A_MOVE, EVERYTHING = range(3)
"""What is new: nothing, the moves that are being made, or anything."""

# ── ram, behind what single games need ────────────────────────────────────────────────────────────────────────────────

STALE = RAM_SIZE
"""By row of cells: have its cards changed since they were counted; then the same for tableaus."""
STALE_TABLEAUS = STALE + MAX_ROWS
LEFT = STALE_TABLEAUS + 1
"""By column: what a seat cannot place."""
MOST_COLUMNS = 256
TABLES_ROOM = LEFT + MOST_COLUMNS - RAM_SIZE

# How stepping ended, beside the ways in which games end.
NO_CHOICE = 16
