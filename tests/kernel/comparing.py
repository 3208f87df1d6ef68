"""What the machine's memory holds after a game, in the terms of a state."""

from draftengine.engine.chance import GOLDEN, MASK, Stream, key_of, root_of
from draftengine.engine.flow.control import total
from draftengine.engine.playout import game_by
from draftengine.engine.policies import POLICIES
from draftengine.kernel import memory as at


def by_reference(program, policies, seed, game):
    """The end of a game by the reference engine, as plain data, and its stream of choices."""
    state = game_by(program, [POLICIES[name] for name in policies], seed, game)
    points = {}
    for source, _, row in state.ledger:
        points[source] = [sum(pair) for pair in zip(points.get(source, [0] * program.seats), row, strict=True)]
    return {
        "scores": [total(state, seat) for seat in range(program.seats)],
        "winners": list(state.winners),
        "words": state.words,
        "before": state.before,
        "markers": state.markers,
        "chips": [[list(chip) for chip in own] for own in state.chips],
        "piles": state.piles,
        "round": state.round,
        "points": {program.sources_of_points[source]: row for source, row in points.items() if any(row)},
        "zones": {zone.id: own for zone, own in zip(program.zones, state.zones, strict=True)},
        "down": [sorted(own) for own in state.down],
        "deal": state.deal.position,
        "chance": state.chance.position,
    }


def by_machine(player, seed, game):
    """The same by the batch kernel."""
    root = root_of(seed)
    player.play(root, game, game + 1)
    program, ram = player.program, player.ram.tolist()
    seats = range(program.seats)
    chips = [
        [
            [chip >> 32, chip & 0xFFFFFFFF]
            for chip in ram[at.CHIPS + seat * at.MAX_CHIPS :][: ram[at.CHIP_COUNTS + seat]]
        ]
        for seat in seats
    ]
    rows = (
        (name, [ram[at.POINTS + source * at.SEAT_STRIDE + seat] for seat in seats])
        for source, name in enumerate(program.sources_of_points)
    )
    zones = _zones(player, ram)
    return {
        "scores": ram[at.SCORES :][: program.seats],
        "winners": [seat for seat in seats if ram[at.WINNERS] >> seat & 1],
        "words": [word & MASK for word in ram[at.WORDS :][: program.seats]],
        "before": [word & MASK for word in ram[at.BEFORE :][: program.seats]],
        "markers": ram[at.MARKERS :][: len(program.markers)],
        "chips": chips,
        "piles": [
            ram[at.PILES + pile * at.PILES_ROW + 1 :][: ram[at.PILES + pile * at.PILES_ROW]]
            for pile in range(len(program.chip_values))
        ],
        "round": ram[at.ROUND],
        "points": {name: row for name, row in rows if any(row)},
        "zones": zones,
        "down": _down(program, ram),
        "deal": _position(ram[at.DEAL], root, game, "deal"),
        "chance": _position(ram[at.CHANCE], root, game, "chance"),
    }


def _zones(player, ram):
    program, row, found = player.program, 0, {}
    for zone in program.zones:
        owners = []
        for _ in range(program.seats if zone.per == "seat" else 1):
            slot = ram[at.SLOTS + row]
            size = len(zone.layout) or ram[at.COUNTS + slot]
            start = slot * player.packed.cells
            cards = player.cells[start : start + size].tolist()
            owners.append([-1 if zone.layout and card == at.EMPTY else card for card in cards])
            row += 1
        found[zone.id] = owners
    return found


def _down(program, ram):
    first, found = 0, []
    for zone in program.zones:
        found.append([place for place in range(len(zone.layout)) if ram[at.DOWN + first] >> place & 1])
        first += len(zone.layout)
    return found


def _position(word, root, game, purpose):
    """How many words of a stream were used."""
    used = (word - Stream(key_of(root, game, purpose)).key) % (1 << 64)
    return used * pow(GOLDEN, -1, 1 << 64) % (1 << 64)
