"""The plan of a search: everything known before it starts, in addition to the plan of its game."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from draftengine.engine.plan.base import cached_by_arguments
from draftengine.engine.plan.plan import Plan

if TYPE_CHECKING:
    from draftengine.engine.program import Program


class SearchPlan(Plan):
    """The plan of a game in which worlds are dealt and moves are looked up in trees.

    After the heap of a game come the cells that dealing a world needs. First are those of small zones and layouts,
    whose cards lie side by side until the world is complete; then the pools of cards and chips.
    """

    ends_with_rounds = True

    def __init__(self, program: Program, *, laid_out: bool = False, in_words: bool = True) -> None:
        """Make the plan; with `laid_out` also for composed positions that no game reaches."""
        self.laid_out = laid_out
        super().__init__(program, ["playout"] * program.players, stopping=True, in_words=in_words)

    # ── bounds of a flow that a composed position may break ─────────────────────────────────────────────────────────

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
        """Return the first cell of an owner's cards while a world is dealt; -1 if nothing reads them."""
        return self._cells.get((zone, owner), -1)

    @cached_property
    def first_pool(self) -> int:
        """The first cell of the pools."""
        self._cells  # noqa: B018 (computes the first pool)
        return self._first_pool

    @cached_property
    def world_size(self) -> int:
        """The number of cells that a world and its pools need.

        Cards that a pool hands on are in a wider pool, too. Nested pools are at most single faces, one for each zone,
        and all cards.
        """
        wider = 1 if len(self.program.initial_cards) == 1 else 1 + len(self.zones)
        return self.first_pool + len(self.program.deck) * (1 + wider) + sum(map(len, self.program.chip_values))

    # ── trees ───────────────────────────────────────────────────────────────────────────────────────────────────────

    @property
    def named(self) -> int:
        """The number of items that can be named in a lane of a move."""
        return self.program.width

    @cached_property
    def slots(self) -> int:
        """The slots of a node: one for no item for the seat itself, and one for each item."""
        return 1 + self.named

    @cached_property
    def first_further(self) -> int:
        """The first slot by abilities in a block of further picks; before it are those for the seat itself."""
        return self.named * any(self.max_own_picks(step) > 1 for step in self.items.choices)

    @cached_property
    def first_other(self) -> int:
        """The first slot for other seats in a block of further picks, after those by abilities."""
        return self.first_further + self.named * len(self.program.abilities)

    @cached_property
    def further_slots(self) -> int:
        """The number of slots in a block of further picks."""
        return self.first_other + self.named * max((len(step.also) for step in self.items.choices), default=0)

    @cached_property
    def most_behind(self) -> int:
        """The highest number of further picks in a move."""
        return max((self.picks_of(step) - (not step.offer) for step in self.items.choices), default=0)

    @cached_property
    def most_decisions(self) -> int:
        """The highest number of decisions of one player in a game."""
        return self.most_chosen // len(self.players)

    @cached_property
    def sizes(self) -> dict[str, int]:
        """The length of every dimension of the state and of a search."""
        sizes = super().sizes
        return {
            **sizes,
            "heap": self.world_size,
            "place": sizes["move"] + 1,
            "path": self.most_chosen,
            "model": len(self.players) * MODEL,
        }


MODEL = 5
"""Length of an `OpponentMix`."""
