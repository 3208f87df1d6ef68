"""The golden cases of the anniversary edition: its names, and the kinds of cases that only it has."""

from __future__ import annotations

from collections import Counter
from itertools import count

from conformance import shared
from draftengine.engine.chance import Stream
from draftengine.engine.game import Transition, commit, result, start, total, waiting
from draftengine.engine.moves import IllegalMove, choice_of, encode
from draftengine.engine.observe import observe
from draftengine.engine.position import Position, lay_out, leaders, proof, score_label, set_up

DESSERTS = {
    "frozen_yogurt": ("yogurt_",),
    "bubble_tea": ("bubble_tea_",),
    "good_ol_pudding": ("good_ol_pudding",),
    "mochi": ("mochi",),
}
RULES = {"strawberry_end": "strawberry"}
FILLERS = ("tempura", "sashimi", "wasabi")
READINGS = {
    "all_equal_exempt": ("all_strawberries_equal", "nobody"),
    "import most pudding (symbols) from G": ("tied_winners", "desserts"),
    "only the cubes in the bowl can be returned: floor at 0": ("debts", "nothing_left"),
    "dummy never takes the squishy": ("dummy_ranked", "ignored"),
    "r4c1 is flipped at the moment r5c2 leaves, then covered by the chopsticks (face up but covered)": (
        "battle_chopsticks",
        "turned_up",
    ),
}
"""Other readings by their flag, or else by their text."""


def dessert_for(cards):
    """Return the dessert variant that has these cards, as a tuple of none or one."""
    for name, prefixes in DESSERTS.items():
        if any(card.startswith(prefixes) for card in cards):
            return (name,)
    return ()


def cards_in(tables):
    return [card for table in tables for card in table]


def game_of(case, *, desserts=(), **more):
    return shared.game_of({**case, "variants": list(dict.fromkeys([*case["variants"], *desserts]))}, **more)


def setup(case, readings):
    given = case["given"]
    if given["ask"] == "deck":
        game = game_of(case, players=2)
        deck = Counter(game.cards[card] for card in game.deck)
        strawberries = [card.id for card in game.model.cards if "strawberry_pudding" in card.family]
        deck["strawberry_pudding"] = sum(deck.pop(card) for card in strawberries)
        return {"deck": dict(deck), "total": len(game.deck)}
    if given["ask"] == "dessert_swap":
        (size,) = {len(game_of(case, players=3, desserts=(name,)).deck) for name in DESSERTS}
        return {"total": size}
    if given["ask"] == "values":
        return values(case)
    return shared.setup(case, readings)


def values(case):
    two, more = (game_of(case, players=players) for players in (2, 4))
    tokens = {token.id: token.value for token in two.model.tokens}
    tea = game_of(case, players=2, desserts=("bubble_tea",))
    runs = [f"bubble_tea_{number}" for number in range(1, 6)]
    model = two.model
    return {
        "light_cube": tokens["light_cube"],
        "dark_cube": tokens["dark_cube"],
        "trophy_points": trophy_turn(two, [[1], []], [0, 0], None)["points"][0],
        "run_table": [
            points(lay_out(tea, Position(tables=(runs[:length], ()))), "bubble_tea")[0] for length in range(1, 6)
        ],
        "strawberry_least": points(lay_out(more, strawberries([3, 2, 2, 1])), "strawberry")[3],
        "strawberry_least_2p": points(lay_out(two, strawberries([3, 2])), "strawberry")[1],
        "players": f"{model.min_players}-{model.max_players}",
        "age": f"{model.about.age}+",
        "rounds": model.rounds,
    }


def strawberries(symbols):
    return Position(counters={"strawberries": tuple(symbols)})


def points(state, rule):
    """Return the points of one rule, by seat."""
    given = [0] * state.program.seats
    for label in ("round", "game"):
        for line in proof(state, label):
            if line.rule == rule:
                given[line.seat] += line.points
    return given


def score(case, readings):
    given, category = case["given"], case["category"]
    if "table" in given:
        return {"points": synthetic_runs(case)}
    desserts = (category,) if category in DESSERTS else dessert_for(cards_in(given.get("tableaus", ())))
    seats = max(case["players"], 2)  # a single table is scored beside an empty one
    game = game_of(case, players=seats, desserts=desserts, readings=readings, tables=given.get("tableaus", ()))
    tables = tuple(given.get("tableaus", ()))
    counters = {"mochi_die": tuple(given["dice"])} if "dice" in given else {}
    state = lay_out(game, Position(tables=tables, counters=counters))
    return {"points": points(state, RULES.get(category, category))[: case["players"]]}


def synthetic_runs(case):
    """Return the points of runs under another table of points."""
    changes = f"scoring: {{bubble_tea: {{points: {case['given']['table']}}}}}"
    game = shared.changed(
        "A", case["players"], ("bubble_tea",), f"variants: {{bubble_tea: {{changes: {{{changes}}}}}}}"
    )
    return points(lay_out(game, Position(tables=tuple(case["given"]["tableaus"]))), "bubble_tea")


# ── the trophy
# ────────────────────────────────────────────────────────────────────────────────────────────────────────────────────


def trophy(case, readings):
    given = case["given"]
    game = game_of(case, readings=readings)
    symbols = list(given.get("symbols", [0] * game.seats))
    holder = given.get("holder")
    gained = [0] * game.seats
    holders, per_turn = [], []
    for turn in given["turns"]:
        after = trophy_turn(game, turn, symbols, holder)
        symbols, holder = after["symbols"], after["holder"]
        gained = [own + more for own, more in zip(gained, after["points"], strict=True)]
        holders.append(holder)
        per_turn.append(after["points"])
    return {"symbols": symbols, "holder": holder, "points": gained, "holders": holders, "points_per_turn": per_turn}


def trophy_turn(game, turn, symbols, holder):
    """Play one turn in which seats play strawberry puddings or none."""
    cards = [[f"strawberry_{number}" for number in own] or [FILLERS[0]] for own in turn]
    players = game.players
    hands = [list(own) + [FILLERS[1]] * (3 - len(own)) for own in cards[:players]]
    others = {}
    if game.seats > players:
        hands[0].append(cards[players][0])
        others = {"dummy": [cards[players][0]]}
    position = Position(
        tables=tuple(("chopsticks",) if len(own) > 1 else () for own in cards),
        hands=tuple(map(tuple, hands)),
        counters={"strawberries": tuple(symbols)},
        markers={"squishy": holder},
    )
    state = set_up(game, position).state
    for seat in waiting(state):
        state = commit(state, seat, encode(state, seat, cards[seat], others if seat == 0 else {})).state
    names = [marker.id for marker in game.markers]
    held = state.markers[names.index("squishy")]
    return {
        "symbols": counter(state, "strawberries"),
        "holder": None if held < 0 else held,
        "points": list(state.scores),
    }


def counter(state, name):
    own = next(field for field in state.program.fields if field.name == name)
    return [own.read(word) for word in state.words]


# ── dice, boat, totals
# ────────────────────────────────────────────────────────────────────────────────────────────────────────────────────


def mochi_rolls(case, readings):
    game = game_of(case, desserts=("mochi",), readings=readings)
    dice = [1] * game.seats
    for turn in case["given"]["turns"]:
        cards = [["mochi"] * len(own) or [FILLERS[0]] for own in turn]
        position = Position(
            tables=tuple(("chopsticks",) if len(own) > 1 else () for own in cards),
            hands=tuple((*own, *[FILLERS[1]] * 3) for own in cards),
            counters={"mochi_die": tuple(dice)},
        )
        state = set_up(game, position).state
        state.chance = chance_for([number for own in turn for number in own])
        for seat in waiting(state):
            state = commit(state, seat, encode(state, seat, cards[seat])).state
        dice = counter(state, "mochi_die")
    state = lay_out(game, Position(counters={"mochi_die": tuple(dice)}))
    return {"dice": dice, "points": points(state, "mochi")}


def chance_for(rolls):
    """Return a stream from which a die gives these rolls."""
    for key in count():
        stream = Stream(key)
        if [1 + stream.below(6) for _ in rolls] == rolls:
            return Stream(key)
    raise AssertionError


def marker(state, name):
    names = [own.id for own in state.program.markers]
    return state.markers[names.index(name)]


def end_round(game, position):
    """Let all seats play their last card, a worthless one; return the state in the next round."""
    state = set_up(game, position).state
    while state.round == position.round:
        for seat in waiting(state):
            state = commit(state, seat, observe(state, seat).moves[0]).state
    return state


def boat(case, readings):
    given = case["given"]
    hands = (("chopsticks",),) * case["players"]
    position = Position(hands=hands, scores=tuple(given["totals"]), markers={"boat": given["holder"]})
    return {"holder": marker(end_round(game_of(case, readings=readings), position), "boat")}


def battle_starter(case, readings):
    given = case["given"]
    game = game_of(case, readings=readings)
    if "points" not in given:
        state = start(game, 1).state
        return {"next_starter": marker(state, "starter")}
    position = Position(
        zones={"display": {"r1c1": "chopsticks"}},
        scores=tuple(given["points"]),
        markers={"starter": given["starter"], "mover": given["starter"]},
        round=given["after_round"],
    )
    state = end_round(game, position)
    assert marker(state, "mover") == marker(state, "starter")
    return {"next_starter": marker(state, "starter")}


def end_of(given):
    """Return the variants of the dessert, its cards in front of each seat, and its counters."""
    if "dice" in given:
        return ("mochi",), (), {"mochi_die": tuple(given["dice"])}
    for dessert, card in (("bubble_tea", "bubble_tea"), ("frozen_yogurt", "yogurt")):
        if dessert in given:
            return (dessert,), tuple(tuple(f"{card}_{number}" for number in own) for own in given[dessert]), {}
    if "good_ol_pudding" in given:
        return ("good_ol_pudding",), tuple(("good_ol_pudding",) * count for count in given["good_ol_pudding"]), {}
    return (), (), {"strawberries": tuple(given["strawberry"])} if "strawberry" in given else {}


def game_total(case, readings):
    given = case["given"]
    desserts, tables, counters = end_of(given)
    game = game_of(case, desserts=desserts, readings=readings, tables=tables)
    scores = [sum(own) for own in zip(*given["round_points"], strict=True)]
    trophies = given.get("trophy_points", [0] * game.seats)
    before = Position(
        tables=tables,
        counters=counters,
        scores=tuple(score + more for score, more in zip(scores, trophies, strict=True)),
        round=game.model.rounds,
    )
    state = lay_out(game, before)
    after = score_label(state, "game")
    totals = [total(after, seat) for seat in range(game.seats)]
    gained = [late - early for late, early in zip(totals, state.scores, strict=True)]
    return {"end_points": gained, "total": totals, "winners": list(leaders(after))}


def winner(case, readings):
    given = case["given"]
    counters = {"strawberries": tuple(given["strawberry"])} if "strawberry" in given else {}
    state = lay_out(game_of(case, readings=readings), Position(scores=tuple(given["totals"]), counters=counters))
    return {"winners": list(leaders(state))}


def carry_over(case, _readings):
    """Return the cards that stay for the next round; several desserts take one game each."""
    tables = case["given"]["tableaus"]
    desserts = [name for name in DESSERTS if dessert_for([c for c in cards_in(tables) if c.startswith(DESSERTS[name])])]
    kept = [[] for _ in tables]
    for name in desserts or [None]:
        game = game_of(case, desserts=(name,) if name else ())
        known = [
            [card for card in table if card in game.cards and game.deck.count(game.cards.index(card))]
            for table in tables
        ]
        position = Position(tables=tuple(map(tuple, known)), hands=(("chopsticks",),) * game.players)
        for seat, stays in enumerate(shared.tables_of(end_round(game, position))):
            kept[seat] += [card for card in stays if card not in kept[seat]]
    order = [{card: index for index, card in enumerate(table)} for table in tables]
    return {"kept": [sorted(own, key=order[seat].get) for seat, own in enumerate(kept)]}


def pick_and_pass(case, readings):
    """Play a round and return its results, with the points of the trophy apart."""
    table, sizes, number = shared.played(case, game_of(case, readings=readings))
    trophies = leads(table.state)
    rounds = result(table.state).rounds[number - 1]
    held = marker(table.state, "squishy")
    found = {rule: list(own) for rule, own in result(table.state).rules.items()}
    return {
        "tableaus": table.tables,
        "hands_after": table.passed(),
        "hand_sizes": sizes,
        "points": {**found, "total": [own - more for own, more in zip(rounds, trophies, strict=True)]},
        "round_points": list(rounds),
        "symbols": counter(table.state, "strawberries"),
        "holder": None if held < 0 else held,
        "trophy_points": list(trophies),
    }


# ── piles and battle
# ────────────────────────────────────────────────────────────────────────────────────────────────────────────────────


def personal_piles(case, readings):
    given = case["given"]
    game = game_of(case, readings=readings)
    pile = game.zone_index("pile")
    zones = {"pile": tuple(map(tuple, given["piles"]))} if "piles" in given else {}
    position = Position(hands=tuple(map(tuple, given.get("hands", ()))), zones=zones)
    table = shared.Table(set_up(game, position).state)
    picks = iter(given.get("picks", ()))
    sizes, piles = [], []
    while table.state.round == 1:
        sizes.append(len(shared.hands(table.state)[0]))
        turn = next(picks, None)
        if turn is None:
            turn = [
                [game.options[code].name for code in observe(table.state, seat).moves[0]]
                for seat in waiting(table.state)
            ]
        table.choose([(shared.cards_of(own), {}) for own in turn])
        piles.append(len(table.state.zones[pile][0]) if table.state.round == 1 else 0)
    return {
        "tableaus": table.tables,
        "hand_sizes": sizes,
        "pile_after_turn": piles,
        "turns": len(sizes),
        "hands_after": [[], []],
        "piles_after": [[], []],
        "round_points": shared.round_points(table.state),
    }


def leads(state):
    return result(state).rules.get("lead", (0,) * state.program.seats)


def battle_turn(state, take):
    """Play the first card, and then the cards that an ability takes, if there are any."""
    (seat,) = waiting(state)
    first = commit(state, seat, encode(state, seat, take[:1]))
    offered = waiting(first.state) and choice_of(first.state).offer
    if not offered:
        if take[1:]:
            raise IllegalMove("ability-not-available")
        return first
    second = commit(first.state, seat, encode(first.state, seat, take[1:]))
    return Transition(second.state, (*first.events, *second.events))


def battle(case, readings):
    given = case["given"]
    game = game_of(case, readings=readings)
    places = [place.id for place in game.zones[game.zone_index("display")].layout]
    deck = given.get("deck", [FILLERS[0]] * len(places))
    lying = {place: card for place, card in zip(places, deck, strict=True) if place not in given.get("removed", ())}
    position = Position(
        tables=tuple(map(tuple, given.get("tableaus", ()))),
        zones={"display": lying},
        markers={"mover": 0, "starter": 0},
    )
    state, flipped, sizes = set_up(game, position).state, [], []
    tables = shared.tables_of(state)
    for turn in given.get("turns", ()):
        try:
            turned = battle_turn(state, turn["take"])
        except IllegalMove:
            return {"legal": False}
        flipped.append(sorted(event.name for event in turned.events if event.kind == "flipped"))
        tables = shared.follow(shared.tables_of(state), turned.events)
        sizes = [len(own) for own in tables]
        state = turned.state
    over = state.round > 1
    view = next(view for view in observe(state, 0).zones if view.zone == "display")
    return {
        "legal": True,
        "flipped": flipped,
        "tableaus": tables,
        "tableau_sizes": sizes,
        "round_over": over,
        "round_points": shared.round_points(state) if over else None,
        "available": sorted(place for place, _, takeable in view.places if takeable),
        "hidden": sorted(place for place, face, _ in view.places if not face),
        "on_table": len(view.places),
        "next_to_move": marker(state, "mover"),
    }


KINDS = {
    "setup": setup,
    "score": score,
    "trophy": trophy,
    "mochi_rolls": mochi_rolls,
    "boat": boat,
    "battle": battle,
    "battle_starter": battle_starter,
    "carry_over": carry_over,
    "game_total": game_total,
    "personal_piles": personal_piles,
    "pick_and_pass": pick_and_pass,
    "winner": winner,
}
