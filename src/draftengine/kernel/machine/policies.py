"""Policies, as in `draftengine.engine.policies`: the same draws from the same stream, the same move."""

from __future__ import annotations

from typing import TYPE_CHECKING

from draftengine.engine.worth import EXPLORE, SCALE
from draftengine.kernel.machine.chance import below
from draftengine.kernel.machine.choosing import (
    choice_row,
    item_of,
    items_of,
    list_items,
    open_places,
    rise,
    uncovered,
    uses,
)
from draftengine.kernel.machine.expressions import value_of
from draftengine.kernel.machine.jit import compiled, in_short, inlined, int64, uint64
from draftengine.kernel.machine.learning import note_choice, place_of_worth
from draftengine.kernel.machine.rows import slot_of
from draftengine.kernel.machine.scoring import standing
from draftengine.kernel.machine.tree import select
from draftengine.kernel.memory import (
    ABILITIES,
    ABILITIES_ROW,
    ABILITY_LISTS,
    ABILITY_PLAY,
    ABILITY_RETURNS,
    ABILITY_TAKE,
    ALLOWED,
    ALSO,
    ALSO_ROW,
    BOT,
    CANDIDATES,
    CARD_COUNT,
    CARD_FACE,
    CARD_OPTION_COUNT,
    CARD_OPTIONS,
    CARDS,
    CARDS_ROW,
    CELLS,
    CHOICE_ABILITIES,
    CHOICE_ABILITY_COUNT,
    CHOICE_ALSO,
    CHOICE_ALSO_COUNT,
    CHOICE_CARDS,
    CHOICE_FIRST_OTHER,
    CHOICE_LAYOUT,
    CHOICE_OFFER,
    CHOICE_SOURCE,
    CHOICE_TO_TABLEAU,
    COUNTS,
    DOWN,
    EMPTY,
    FINISHED,
    GREEDY,
    GUESS,
    INCREMENTS,
    LEARNING,
    MARKERS,
    MAX_CANDIDATES,
    MODE,
    MOST_WINS,
    MOVES,
    MOVES_ROW,
    NODE,
    OPTION_COUNT,
    OPTION_LISTS,
    OPTION_PLAYS,
    OPTION_SHOWN,
    OPTIONS,
    OPTIONS_ROW,
    PLAYOUT,
    POLICIES,
    RANDOM,
    RULE_COUNT,
    SEARCH,
    SEATS,
    SIMPLE,
    STAYS,
    STOCK,
    TOO_MUCH,
    UNKNOWN_POINTS,
    VALUES,
    WORDS,
    WORTH,
    ZONE_PLACE_COUNT,
    ZONE_PLACES,
    ZONES,
    ZONES_ROW,
)  # fmt: skip

if TYPE_CHECKING:
    from draftengine.kernel.machine.jit import Memory, Number


ITSELF, LAST_OPTION, LISTED = range(3)
"""How cards are named in a move: by themselves, by their last option, or by any that `list_items` found."""


@compiled
def decide(rom: Memory, ram: Memory, cells: Memory, choice: Number, seat: Number) -> Number:
    """The move of a seat, to `MOVES`; how that ended."""
    if ram[POLICIES + seat] == RANDOM:
        _random(rom, ram, cells, choice, seat)
        return FINISHED
    return _compare(rom, ram, cells, choice, seat)


@inlined
def _name(ram: Memory, move: Number, channel: Number, item: Number) -> None:
    """One more code of a move."""
    count = ram[move]
    ram[move + 2 + 2 * count], ram[move + 3 + 2 * count] = channel, item
    ram[move] = count + 1


@compiled
def _stock(rom: Memory, ram: Memory, cells: Memory, choice: Number, seat: Number) -> Number:
    """List what a seat can take from, to `STOCK`: the cards of its hand, or the open places; how many."""
    row = choice_row(rom, choice)
    source = rom[row + CHOICE_SOURCE]
    if rom[row + CHOICE_LAYOUT] == 1:
        return open_places(rom, ram, source, STOCK)
    slot = slot_of(rom, ram, source, seat)
    start = slot * rom[CELLS]
    for place in range(ram[COUNTS + slot]):
        ram[STOCK + place] = int64(cells[start + place])
    return ram[COUNTS + slot]


@inlined
def _remove(ram: Memory, place: Number, count: Number) -> Number:
    for at in range(STOCK + place, STOCK + count - 1):
        ram[at] = ram[at + 1]
    return count - 1


@compiled
def left_for_ability(rom: Memory, ram: Memory, choice: Number, seat: Number, stock: Number) -> Number:
    """Cards for an ability: not those that the seat has to choose for others."""
    row = choice_row(rom, choice)
    for number in range(rom[row + CHOICE_ALSO_COUNT]):
        other = rom[ALSO] + (rom[row + CHOICE_ALSO] + number) * ALSO_ROW
        if ram[MARKERS + rom[other + 1]] == seat:
            stock -= rom[other + 2]
    return stock


@inlined
def _last_option(rom: Memory, card: Number) -> Number:
    """The last option of a card: its only one, or a wild card's bare face."""
    row = rom[CARDS] + card * CARDS_ROW
    return rom[rom[OPTION_LISTS] + rom[row + CARD_OPTIONS] + rom[row + CARD_OPTION_COUNT] - 1]


@inlined
def _some_wild(rom: Memory, ram: Memory, stock: Number) -> Number:
    found = False
    for place in range(stock):
        found |= rom[rom[CARDS] + ram[STOCK + place] * CARDS_ROW + CARD_OPTION_COUNT] > 1
    return found


# ── at random ─────────────────────────────────────────────────────────────────────────────────────────────────────────


@compiled
def _draw(rom: Memory, ram: Memory, move: Number, channel: Number, stock: Number, named: Number) -> Number:
    """Take a card of the stock at random, and its form; what is left of the stock, or -1 if no card can be taken."""
    if named != LISTED:
        place = below(ram, BOT, stock)
        item = ram[STOCK + place]
        _name(ram, move, channel, item if named == ITSELF else _last_option(rom, item))
        return _remove(ram, place, stock)
    takeable = 0
    for place in range(stock):
        takeable += items_of(rom, ram, ram[STOCK + place]) > 0
    if takeable == 0:
        return -1
    which = below(ram, BOT, takeable)
    place = 0
    while True:
        if items_of(rom, ram, ram[STOCK + place]) > 0:
            if which == 0:
                break
            which -= 1
        place += 1
    card = ram[STOCK + place]
    forms = items_of(rom, ram, card)
    form = below(ram, BOT, forms) if forms > 1 else 0
    _name(ram, move, channel, item_of(rom, ram, card, form))
    return _remove(ram, place, stock)


@compiled
def _random(rom: Memory, ram: Memory, cells: Memory, choice: Number, seat: Number) -> None:
    in_short()
    row = choice_row(rom, choice)
    layout = rom[row + CHOICE_LAYOUT] == 1
    move = MOVES + seat * MOVES_ROW
    ram[move] = 0
    stock = _stock(rom, ram, cells, choice, seat)
    named = ITSELF
    if rom[SIMPLE] == 0 and not layout:
        named = LAST_OPTION
        if rom[row + CHOICE_TO_TABLEAU] == 1 and _some_wild(rom, ram, stock):
            named = LISTED
            list_items(rom, ram, cells, choice, seat)
    taken = -1
    if rom[row + CHOICE_OFFER] == 0:
        count = min(value_of(rom, ram, cells, rom[row + CHOICE_CARDS], 0), stock)
        for _ in range(count):
            stock = _draw(rom, ram, move, 0, stock, named)
        if layout and ram[move] > 0:
            taken = ram[move + 3]
    stock = _random_ability(rom, ram, cells, choice, seat, stock, taken, named)
    first_other = rom[row + CHOICE_FIRST_OTHER]
    for number in range(rom[row + CHOICE_ALSO_COUNT]):
        other = rom[ALSO] + (rom[row + CHOICE_ALSO] + number) * ALSO_ROW
        if ram[MARKERS + rom[other + 1]] == seat:
            for _ in range(min(rom[other + 2], stock)):
                stock = _draw(rom, ram, move, first_other + number, stock, named)


@inlined
def _random_ability(
    rom: Memory, ram: Memory, cells: Memory, choice: Number, seat: Number, stock: Number, taken: Number, named: Number
) -> Number:
    """With probability one half, the first ability that is ready; what is left of the stock."""
    row = choice_row(rom, choice)
    layout = rom[row + CHOICE_LAYOUT] == 1
    move = MOVES + seat * MOVES_ROW
    for number in range(rom[row + CHOICE_ABILITY_COUNT]):
        ability = rom[rom[ABILITY_LISTS] + rom[row + CHOICE_ABILITIES] + number]
        if uses(rom, ram, choice, ability, seat) <= 0:
            continue
        wider = uncovered(rom, ram, rom[row + CHOICE_SOURCE], taken, STOCK) if layout else stock
        take = rom[rom[ABILITIES] + ability * ABILITIES_ROW + ABILITY_TAKE]
        if left_for_ability(rom, ram, choice, seat, wider) < take:
            if layout:
                _without(rom, ram, cells, choice, seat, taken)
            continue
        if below(ram, BOT, 2) == 0:
            if layout:
                return _without(rom, ram, cells, choice, seat, taken)
            return stock
        codes = ram[move]
        for _ in range(take):
            wider = _draw(rom, ram, move, 1 + ability, wider, named)
            if wider < 0:
                ram[move] = codes
                return stock
        return wider
    return stock


@compiled
def _without(rom: Memory, ram: Memory, cells: Memory, choice: Number, seat: Number, taken: Number) -> Number:
    """The open places without the one that was taken."""
    stock = _stock(rom, ram, cells, choice, seat)
    for place in range(stock):
        if ram[STOCK + place] == taken:
            return _remove(ram, place, stock)
    return stock


# ── by value ──────────────────────────────────────────────────────────────────────────────────────────────────────────


@compiled
def _compare(rom: Memory, ram: Memory, cells: Memory, choice: Number, seat: Number) -> Number:
    """A move by its value, by the tree, or any. Moves are numbered as `legal_moves` sorts them."""
    in_short()
    count = _list_moves(rom, ram, cells, choice, seat)
    if count < 0:
        return TOO_MUCH
    policy, chosen = ram[POLICIES + seat], -1
    if policy == SEARCH and ram[NODE + seat] >= 0:
        if not _evaluate(rom, ram, cells, choice, seat, count, 1):
            return UNKNOWN_POINTS
        chosen = select(ram, seat, count)
    if chosen < 0 and policy >= PLAYOUT and below(ram, BOT, EXPLORE) == 0:
        chosen = below(ram, BOT, count)
    if chosen < 0:
        if not _evaluate(rom, ram, cells, choice, seat, count, policy != GREEDY):
            return UNKNOWN_POINTS
        chosen = _any_best(ram, count)
    at = CANDIDATES + 4 * chosen
    if ram[MODE] == LEARNING and policy != GREEDY and not _note(rom, ram, cells, choice, seat, at):
        return UNKNOWN_POINTS
    _write_move(rom, ram, choice, seat, at)
    return FINISHED


@compiled
def _evaluate(
    rom: Memory, ram: Memory, cells: Memory, choice: Number, seat: Number, count: Number, by_table: Number
) -> Number:
    """The provisional score after every move, by table with what its cards are worth beyond, to `VALUES`.

    False: the points of a rule are not known yet.
    """
    in_short()
    sign = 1 if rom[MOST_WINS] == 1 else -1
    for number in range(count):
        at = CANDIDATES + 4 * number
        _guess(rom, ram, cells, choice, seat, at)
        value = standing(rom, ram, cells, rom[RULE_COUNT], GUESS, seat)
        if value == -(1 << 40):
            return False
        if by_table:
            value = sign * SCALE * value + _worth(rom, ram, cells, choice, seat, at)
        ram[VALUES + number] = value
    return True


@inlined
def _any_best(ram: Memory, count: Number) -> Number:
    """A move of largest value; of equal ones any."""
    best, ties = -(1 << 60), 0
    for number in range(count):
        if ram[VALUES + number] > best:
            best, ties = ram[VALUES + number], 0
        ties += ram[VALUES + number] == best
    which, found = below(ram, BOT, ties), 0
    for number in range(count):
        if ram[VALUES + number] == best:
            if which == 0:
                found = number
            which -= 1
    return found


@inlined
def _worth(rom: Memory, ram: Memory, cells: Memory, choice: Number, seat: Number, candidate: Number) -> Number:
    """As `draftengine.engine.worth.worth_of`."""
    row = choice_row(rom, choice)
    aside, found = 1 - rom[row + CHOICE_TO_TABLEAU], 0
    own, ability, more = ram[candidate], ram[candidate + 1], ram[candidate + 2]
    for item in (own, more):
        play = _shown(rom, ram, cells, row, item) if item >= 0 else -1
        if play >= 0:
            found += rom[rom[WORTH] + place_of_worth(rom, ram, play, seat, aside)]
    if ability >= 0:
        ability_row = rom[ABILITIES] + ability * ABILITIES_ROW
        if rom[ability_row + ABILITY_RETURNS] != STAYS:
            found -= rom[rom[WORTH] + place_of_worth(rom, ram, rom[ability_row + ABILITY_PLAY], seat, 0)]
    return found


@inlined
def _note(rom: Memory, ram: Memory, cells: Memory, choice: Number, seat: Number, candidate: Number) -> Number:
    """Write down the first card that a seat takes for itself, for learning. False: points are not known yet."""
    row = choice_row(rom, choice)
    item = ram[candidate] if ram[candidate] >= 0 else ram[candidate + 2]
    play = _shown(rom, ram, cells, row, item) if item >= 0 else -1
    if play < 0:
        return True
    _guess(rom, ram, cells, choice, seat, candidate)
    value = standing(rom, ram, cells, rom[RULE_COUNT], GUESS, seat)
    if value == -(1 << 40):
        return False
    aside = 1 - rom[row + CHOICE_TO_TABLEAU]
    note_choice(rom, ram, seat, place_of_worth(rom, ram, play, seat, aside), value)
    return True


@inlined
def _write_move(rom: Memory, ram: Memory, choice: Number, seat: Number, chosen: Number) -> None:
    row = choice_row(rom, choice)
    move = MOVES + seat * MOVES_ROW
    ram[move] = 0
    own, ability, more, other = ram[chosen], ram[chosen + 1], ram[chosen + 2], ram[chosen + 3]
    if own >= 0:
        _name(ram, move, 0, own)
    if ability >= 0:
        _name(ram, move, 1 + ability, more)
    if other >= 0:
        _name(ram, move, rom[row + CHOICE_FIRST_OTHER], other)


@inlined
def _list_moves(rom: Memory, ram: Memory, cells: Memory, choice: Number, seat: Number) -> Number:
    """All moves as (own item, ability, its item, item for another seat), -1 for none; how many, -1 for too many."""
    row = choice_row(rom, choice)
    layout = rom[row + CHOICE_LAYOUT] == 1
    if rom[SIMPLE] == 0 and not layout:
        list_items(rom, ram, cells, choice, seat)
    stock = _stock(rom, ram, cells, choice, seat)
    found = 0
    if rom[row + CHOICE_OFFER] == 1:
        return _moves_with(rom, ram, cells, choice, seat, -1, found)
    for item in range(_item_count(rom, choice)):
        stock = _stock(rom, ram, cells, choice, seat)
        if _has(rom, ram, item, stock, layout):
            found = _moves_with(rom, ram, cells, choice, seat, item, found)
            if found < 0:
                break
    return found


@inlined
def _item_count(rom: Memory, choice: Number) -> Number:
    """How many options or places there are to name."""
    row = choice_row(rom, choice)
    if rom[row + CHOICE_LAYOUT] == 1:
        return rom[rom[ZONES] + rom[row + CHOICE_SOURCE] * ZONES_ROW + ZONE_PLACE_COUNT]
    return rom[OPTION_COUNT]


@compiled
def _find(rom: Memory, ram: Memory, item: Number, stock: Number, layout: Number) -> Number:
    """The first place in the stock with what an item means; -1 if there is none."""
    for place in range(stock):
        card = ram[STOCK + place]
        if layout or rom[SIMPLE] == 1:
            if card == item:
                return place
        elif ram[ALLOWED + item] == 1 and rom[rom[OPTION_PLAYS] + item * rom[CARD_COUNT] + card] >= 0:
            return place
    return -1


@inlined
def _has(rom: Memory, ram: Memory, item: Number, stock: Number, layout: Number) -> Number:
    return _find(rom, ram, item, stock, layout) >= 0


@compiled
def _take_out(rom: Memory, ram: Memory, item: Number, stock: Number, layout: Number) -> Number:
    return _remove(ram, _find(rom, ram, item, stock, layout), stock)


@compiled
def _add(ram: Memory, found: Number, own: Number, ability: Number, more: Number, other: Number) -> Number:
    if found >= MAX_CANDIDATES or found < 0:
        return -1
    at = CANDIDATES + 4 * found
    ram[at], ram[at + 1], ram[at + 2], ram[at + 3] = own, ability, more, other
    return found + 1


@compiled
def _moves_with(
    rom: Memory, ram: Memory, cells: Memory, choice: Number, seat: Number, own: Number, found: Number
) -> Number:
    """The moves that begin with an own item, in order: codes of abilities come before those of other seats."""
    in_short()
    row = choice_row(rom, choice)
    layout = rom[row + CHOICE_LAYOUT] == 1
    for_other = False
    for number in range(rom[row + CHOICE_ALSO_COUNT]):
        for_other |= ram[MARKERS + rom[rom[ALSO] + (rom[row + CHOICE_ALSO] + number) * ALSO_ROW + 1]] == seat
    if not for_other:
        found = _add(ram, found, own, -1, -1, -1)
    for number in range(rom[row + CHOICE_ABILITY_COUNT]):
        ability = rom[rom[ABILITY_LISTS] + rom[row + CHOICE_ABILITIES] + number]
        if uses(rom, ram, choice, ability, seat) <= 0:
            continue
        wider = _after_own(rom, ram, cells, choice, seat, own, layout)
        if left_for_ability(rom, ram, choice, seat, wider) < 1:
            continue
        for item in range(_item_count(rom, choice)):
            if not _has(rom, ram, item, wider, layout):
                continue
            if for_other:
                rest = _take_out(rom, ram, item, wider, layout)
                found = _moves_for_other(rom, ram, choice, own, ability, item, rest, found, layout)
                wider = _after_own(rom, ram, cells, choice, seat, own, layout)
            else:
                found = _add(ram, found, own, ability, item, -1)
    if for_other:
        rest = _stock(rom, ram, cells, choice, seat)
        if own >= 0:
            rest = _take_out(rom, ram, own, rest, layout)
        found = _moves_for_other(rom, ram, choice, own, -1, -1, rest, found, layout)
    return found


@compiled
def _after_own(
    rom: Memory, ram: Memory, cells: Memory, choice: Number, seat: Number, own: Number, layout: Number
) -> Number:
    """What an ability may take after the seat's own pick, to `STOCK`; how many."""
    if layout:
        return uncovered(rom, ram, rom[choice_row(rom, choice) + CHOICE_SOURCE], own, STOCK)
    stock = _stock(rom, ram, cells, choice, seat)
    return _take_out(rom, ram, own, stock, layout) if own >= 0 else stock


@compiled
def _moves_for_other(
    rom: Memory,
    ram: Memory,
    choice: Number,
    own: Number,
    ability: Number,
    more: Number,
    stock: Number,
    found: Number,
    layout: Number,
) -> Number:
    if stock == 0:
        return _add(ram, found, own, ability, more, -1)
    for item in range(_item_count(rom, choice)):
        if _has(rom, ram, item, stock, layout):
            found = _add(ram, found, own, ability, more, item)
    return found


@inlined
def _guess(rom: Memory, ram: Memory, cells: Memory, choice: Number, seat: Number, candidate: Number) -> None:
    """The counters of all seats if this move were laid down alone, as far as the seat can tell, to `GUESS`."""
    row = choice_row(rom, choice)
    for other in range(rom[SEATS]):
        ram[GUESS + other] = ram[WORDS + other]
    if rom[row + CHOICE_TO_TABLEAU] == 0:
        return
    own, ability, more, for_other = ram[candidate], ram[candidate + 1], ram[candidate + 2], ram[candidate + 3]
    if own >= 0:
        _guess_play(rom, ram, cells, row, seat, own)
    if ability >= 0:
        ability_row = rom[ABILITIES] + ability * ABILITIES_ROW
        if rom[ability_row + ABILITY_RETURNS] != STAYS:
            ram[GUESS + seat] -= rom[rom[INCREMENTS] + rom[ability_row + ABILITY_PLAY]]
        _guess_play(rom, ram, cells, row, seat, more)
    if for_other >= 0:
        receiver = rom[rom[ALSO] + rom[row + CHOICE_ALSO] * ALSO_ROW]
        _guess_play(rom, ram, cells, row, receiver, for_other)


@compiled
def _guess_play(rom: Memory, ram: Memory, cells: Memory, row: Number, seat: Number, item: Number) -> None:
    play = _shown(rom, ram, cells, row, item)
    if play >= 0:
        word = uint64(ram[GUESS + seat])
        ram[GUESS + seat] = int64(word + rise(rom, play, word))


@inlined
def _shown(rom: Memory, ram: Memory, cells: Memory, row: Number, item: Number) -> Number:
    """The play that an item looks like; -1 for a card that lies face down."""
    if rom[row + CHOICE_LAYOUT] == 0:
        return rom[rom[OPTIONS] + item * OPTIONS_ROW + OPTION_SHOWN]
    zone = rom[row + CHOICE_SOURCE]
    if uint64(ram[DOWN + rom[rom[ZONES] + zone * ZONES_ROW + ZONE_PLACES]]) >> uint64(item) & uint64(1) != uint64(0):
        return -1
    card = cells[slot_of(rom, ram, zone, 0) * rom[CELLS] + item]
    return -1 if card == EMPTY else rom[rom[CARDS] + int64(card) * CARDS_ROW + CARD_FACE]
