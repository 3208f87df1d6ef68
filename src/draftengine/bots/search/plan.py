"""The record of a search, and the *search plan*: a game's plan with what a search needs in addition."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from draftengine.engine.plan import Plan
from draftengine.engine.plan.base import cached_by_arguments
from draftengine.jit.records import Record, array, number

if TYPE_CHECKING:
    from draftengine.bots.net import InputPart, SearchNetwork
    from draftengine.engine.program import Program


class SearchPlan(Plan):
    """The plan of a game in which worlds are dealt and trees hold moves.

    The cells that are needed to deal a world follow the game's own cells of `StateRecord.card_array`. First come the
    cells of small zones and layouts, in which cards lie side by side until the world is complete. Then come the pools
    of cards and chips.
    """

    ends_with_rounds = True
    begins_with_deals = False

    def __init__(
        self,
        program: Program,
        network: SearchNetwork | None = None,
        *,
        laid_out: bool = False,
        in_words: bool = True,
    ) -> None:
        """Make the plan. With `laid_out`, it also covers positions laid out by hand that no game reaches."""
        self.by_network = network is not None
        """True if trees prefer the moves that a network prefers."""
        self._network = network
        self.laid_out = laid_out
        super().__init__(program, ["playout"] * program.players, actors=range(program.players), in_words=in_words)
        self.identity = (*self.identity, laid_out, network.sizes if network else ())

    # ── bounds that a position laid out by hand may break ───────────────────────────────────────────────────────────

    @cached_by_arguments
    def capacity(self, zone: int) -> int:
        return len(self.program.deck) if self.laid_out else super().capacity(zone)

    def has_equal_sizes(self, zone: int) -> bool:
        return not self.laid_out and super().has_equal_sizes(zone)

    @cached_by_arguments
    def irrelevant_cards(self, zone: int) -> int:
        return 0 if self.laid_out else super().irrelevant_cards(zone)

    @property
    def most_chosen(self) -> int:
        more = len(self.program.deck) * len(self.choices) * len(self.players) if self.laid_out else 0
        return super().most_chosen + more

    # ── worlds ──────────────────────────────────────────────────────────────────────────────────────────────────────

    @cached_property
    def _cells(self) -> dict[tuple[int, int], int]:
        self._heaps  # noqa: B018 (computes where the heap ends)
        starts: dict[tuple[int, int], int] = {}
        start = self.heap_size
        for zone in self.zones:
            places = len(self.program.zones[zone].layout)
            for owner in self.owners(zone):
                if self.is_heap(zone):
                    starts[zone, owner] = self.first(zone, owner)
                elif places or self.is_lanes(zone):
                    starts[zone, owner] = start
                    start += places or self.capacity(zone)
        self._first_pool = start
        return starts

    @cached_by_arguments
    def cells(self, zone: int, owner: int) -> int:
        """Return the index at which an owner's cards begin while a world is dealt; -1 if nothing reads them."""
        return self._cells.get((zone, owner), -1)

    @cached_property
    def first_pool(self) -> int:
        """The index in `StateRecord.card_array` at which the pools of cards to deal begin."""
        self._cells  # noqa: B018 (computes the first pool)
        return self._first_pool

    @cached_property
    def world_size(self) -> int:
        """The number of cells that a world and its pools need.

        A pool holds the cards of a set of faces. Cards left over from it join the pool of a larger set that contains
        its faces, and need room there, too. Such a chain has at most one pool for a single face, one for each zone,
        and one for all faces.
        """
        wider = 1 if len(self.program.initial_cards) == 1 else 1 + len(self.zones)
        return self.first_pool + len(self.program.deck) * (1 + wider) + sum(map(len, self.program.chip_values))

    # ── trees ───────────────────────────────────────────────────────────────────────────────────────────────────────

    @property
    def named(self) -> int:
        """The number of items that one card of a move can be."""
        return self.program.width

    @cached_property
    def slots(self) -> int:
        """The number of slots in a node's block: one for each item, and one for taking nothing oneself."""
        return 1 + self.named

    @cached_property
    def first_further(self) -> int:
        """The first slot for cards that abilities take, in a block of further picks. Own cards precede it."""
        return self.named * any(self.max_own_picks(step) > 1 for step in self.items.choices)

    @cached_property
    def first_other(self) -> int:
        """The first slot for cards of other seats, in a block of further picks. Cards of abilities precede it."""
        return self.first_further + self.named * len(self.program.abilities)

    @cached_property
    def further_slots(self) -> int:
        """The number of slots in a block of further picks."""
        return self.first_other + self.named * max((len(step.also) for step in self.items.choices), default=0)

    @cached_property
    def most_behind(self) -> int:
        """The largest number of cards that one move can take after its first card."""
        return max((self.picks_of(step) - (not step.offer) for step in self.items.choices), default=0)

    @cached_property
    def most_decisions(self) -> int:
        """The largest number of decisions that one player makes in a game."""
        return self.most_chosen // len(self.players)

    @property
    def network(self) -> SearchNetwork:
        """The network of the game, which must have one."""
        assert self._network is not None
        return self._network

    def seat_at(self, seat: int, place: int) -> int:
        """Return the seat that is `place` seats after a player. If `place` is an extra seat, return it."""
        return (seat + place) % len(self.players) if place < len(self.players) else place

    def owner_at(self, part: InputPart, seat: int) -> int:
        """Return the owner of the zone that a part of the network's inputs shows to a seat."""
        return self.seat_at(seat, part.place) if self.program.zones[part.about].per == "seat" else 0

    @cached_property
    def sizes(self) -> dict[str, int]:
        """The length of every dimension of the state and of a search."""
        sizes = super().sizes
        layers = self.network.sizes if self.by_network else (0, 0, 0)
        return {
            **sizes,
            "heap": self.world_size,
            "place": sizes["move"] + 1,
            "path": self.most_chosen,
            "model": len(self.players) * MODEL,
            "layer_1": layers[0],
            "layer_2": layers[1],
            "layer_3": layers[2],
        }


MODEL = 5
"""The length of an `OpponentMix`."""


class Search(Record):
    """A search for one decision: its objective, the source of its worlds, and the trees of all seats.

    The first slots of the trees are the roots, one for each player.
    """

    searcher: int = number("The seat that searches.")
    alone: int = number("1 if only the searching seat has a tree, of one move.")
    near: int = number("The number of early playouts that end with the round; later ones end with the game.")
    few: int = number("The number of early playouts in which opponents follow their trees less often.")
    by_models: int = number("1 if opponents play by models.")
    by_margin: int = number("1 to maximise the margin itself, 0 for the chance to win.")
    exploration: int = number("The weight of rarely tried moves, in parts of `draftengine.engine.policies.SCALE`.")
    model: list[int] = array(
        "i64", "model", "The limits of `draftengine.bots.search.objectives.OpponentMix`, by player."
    )
    chances: list[int] = array(
        "i64", "", "The chance to win by margin: at the end of a round, then of the game.", borrowed=True
    )
    log: list[float] = array(
        "f64", "", "The natural logarithm of each whole number; that of 0 is not used.", borrowed=True
    )

    copies: int = number("The number of runs of cells that are equal in every world.")
    copied: list[int] = array(
        "i64", "", "First cell and length of each run that is equal in every world.", borrowed=True
    )
    parts: int = number("The number of parts to deal.")
    part: list[int] = array(
        "i64",
        "",
        "By part: first cell of the pool, numbers of its cards and of runs to fill, and the part that gets the rest.",
        borrowed=True,
    )
    now: list[int] = array("i64", "", "The present number of cards in the pool of each part.", borrowed=True)
    filled: list[int] = array(
        "i64",
        "",
        "First cell (-1 if nothing reads it) and length of each run that parts fill.",
        borrowed=True,
    )
    stirs: int = number("The number of zones that are shuffled before a world is played.")
    reshuffled_zones: list[int] = array(
        "i64", "", "First cell and number of cards of each zone that is shuffled.", borrowed=True
    )
    hidden: list[int] = array("i64", "pile", "The number of chips of a pile that the seat does not know.")
    chip_pool: list[int] = array("i64", "pile", "The first cell of the unknown chips of a pile.")
    chip_holder: list[int] = array(
        "i64", "", "The holders of unknown chips, pile by pile, with -1 after each pile.", borrowed=True
    )

    node: list[int] = array("i64", "player", "The node of each player in its tree; -1 after it has left the tree.")
    length: list[int] = array("i64", "player", "The number of moves that each player has made in its tree.")
    path: list[int] = array("i64", "path", "The slots of the moves that each player has made in its tree.")
    branch: list[int] = array("i64", "place", "The slots of the compared moves, the best first.")
    lowest: list[int] = array("i64", "player", "The lowest utility that each player has seen.")
    highest: list[int] = array("i64", "player", "The highest utility that each player has seen.")

    weights: list[int] = array("i32", "", "The weights of a network (see `SearchNetwork`).", borrowed=True)
    powers: list[float] = array("f64", "", "The weight of a move, by its distance from the best move.", borrowed=True)
    layer_1: list[int] = array("i64", "layer_1", "The first layer of the network.")
    layer_2: list[int] = array("i64", "layer_2", "The second layer of the network.")
    layer_3: list[int] = array("i64", "layer_3", "The outputs of the network.")
    prior: list[float] = array("f64", "place", "The weights of the compared moves.")
    noted: list[int] = array(
        "i32", "", "The first entry of the network's opinion, by slot; 0 = none yet.", borrowed=True
    )
    opinion: list[int] = array("i32", "", "The values of outputs, from `noted` on.", borrowed=True)

    count: int = number("The number of slots in use.")
    room: int = number("The number of slots that the arrays have room for.")
    deepest: int = number("The number of moves of the longest path.")
    visits: list[int] = array("i32", "", "The number of times that a move was tried, by slot.", borrowed=True)
    available: list[int] = array("i32", "", "The number of times that a move was available, by slot.", borrowed=True)
    child: list[int] = array("i32", "", "The first slot of the moves below a slot; 0 = none yet.", borrowed=True)
    further: list[int] = array(
        "i32", "", "The first slot of the moves that take one more card, by slot; 0 = none yet.", borrowed=True
    )
    total: list[int] = array("i64", "", "The sum of the utilities of a move, by slot.", borrowed=True)
    margins: list[int] = array(
        "i64", "", "The sum of the margins of a move, in parts of a point, by slot.", borrowed=True
    )
