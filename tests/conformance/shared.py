"""Helpers for the golden cases of all editions.

Unspecified cards of cases (``a1``: "any card") become distinct cards of an extended card set.
"""

from __future__ import annotations

from collections import Counter
from functools import lru_cache

from compiled import load_program
from draftengine.engine.game import commit, result, start, total, waiting
from draftengine.engine.moves import IllegalMove, encode, legal_moves
from draftengine.engine.policies import random_game
from draftengine.engine.position import Position, lay_out, leaders, proof, score_label, set_up
from draftengine.model.library import open_set
from draftengine.model.selection import Selection, allowed, open_document
from draftengine.model.shelf import fetcher

EDITIONS = {
    "O": "sushi_go",
    "G": "sushi_go_2014",
    "S": "sushi_go_summary",
    "A": "anniversary",
    "D": "sushi_draft",
}


def tables_of(state):
    """Return the names of the plays in each tableau, oldest first."""
    program = state.program
    return [[program.plays[play].name for play in own] for own in state.zones[program.tableau]]


def follow(tables, events):
    """Update `tables` in place by the events, up to the first clearing."""
    for event in events:
        if event.kind == "cleared":
            break
        if event.kind == "revealed" and event.zone == "tableau":
            tables[event.seat] += event.cards
        if event.kind == "asked" and event.other >= 0:
            remove_last(tables[event.seat], event.name)
            tables[event.seat] += event.cards
        if event.kind == "discarded":
            remove_last(tables[event.seat], event.cards[0])
        if event.kind == "ability-used" and event.zone != "stays":
            tables[event.seat].remove(event.cards[0])
    return tables


def remove_last(table, card):
    """Remove the latest play of a card in its form."""
    index = next(at for at in reversed(range(len(table))) if table[at] == card)
    del table[index]


def seats_range(players):
    """Return ``"2-5"`` or ``4`` as a list of player counts."""
    low, _, high = str(players).partition("-")
    return list(range(int(low), int(high or low) + 1))


@lru_cache
def document(edition, extra=()):
    """Return the document of an edition, with stand-in cards added."""
    if not extra:
        return open_set(EDITIONS[edition]).document
    cards = ", ".join(f"{name}: {{count: 1}}" for name in extra)
    return extended(edition, f"cards: {{{cards}}}")


@lru_cache
def program(edition, players, variants=(), readings=(), extra=()):
    """Return the program of an edition, with stand-in cards added."""
    return load_program(document(edition, extra), Selection(tuple(variants), tuple(readings)), players)


def changed(edition, players, variants, text):
    """Return the program of an edition that is changed by `text`."""
    return load_program(extended(edition, text), Selection(tuple(variants)), players)


def game_of(case, players=None, readings=(), extra=(), tables=()):
    """Return the program that a case plays. The dummy is an extra seat of a two-player game.

    If `tables` has more copies of a card than the box, the game gets a larger box.
    """
    variants = tuple(case["variants"])
    seats = players if players is not None else case["players"]
    if "two_player_dummy" in variants:
        seats = 2
    game = program(case["edition"], seats, variants, tuple(readings), tuple(extra))
    copies = {card: max(Counter(table)[card] for table in tables) for card in cards_on(tables)}
    scarce = {card: number for card, number in copies.items() if number > game.deck.count(game.card_index(card))}
    return with_more(case["edition"], seats, variants, tuple(readings), tuple(scarce.items())) if scarce else game


def cards_on(tables):
    return {card for table in tables for card in table if "@" not in card}


@lru_cache
def with_more(edition, players, variants, readings, copies):
    """Return the program with more copies of some cards, which may be declared in a variant."""
    text = "".join(f"  {card}: {{count: {number}}}\n" for card, number in copies)
    base = document(edition)
    own = base.root.get("cards")
    if all(own.get(card) for card, _ in copies):
        return load_program(extended(edition, f"cards:\n{text}"), Selection(variants, readings), players)
    inner = "".join(f"        {card}: {{count: {number}}}\n" for card, number in copies)
    variant = next(name for name in variants if base.root.get("variants").get(name).get("changes").get("cards"))
    changes = f"variants:\n  {variant}:\n    changes:\n      cards:\n{inner}"
    return load_program(extended(edition, changes), Selection(variants, readings), players)


def extended(edition, text):
    whole = f"format: 1\nid: extended\nextends: {EDITIONS[edition]}\n{text}\n"
    found, findings = open_document(whole.encode(), "extended.yaml", fetcher("-"))
    assert found is not None, findings
    return found


# ── setup
# ───────────────────────────────────────────────────────────────────────────────────────────────────────────────


def setup(case, _readings):
    ask = case["given"]["ask"]
    if ask == "hand_size":
        return {"hand_size": {players: hand_size(game_of(case, players)) for players in seats_range(case["players"])}}
    if ask == "deck":
        game = game_of(case, seats_range(case["players"])[0])
        return {"deck": dict(Counter(game.cards[card] for card in game.deck)), "total": len(game.deck)}
    if ask == "undealt":
        return {"undealt": {players: undealt(game_of(case, players)) for players in seats_range(case["players"])}}
    if ask == "undealt_variant":
        return {"undealt": undealt(game_of(case))}
    if ask == "seats":
        return {"max_players": document(case["edition"]).players[1]}
    model = game_of(case, seats_range(case["players"])[0]).model
    return {
        "players": f"{model.min_players}-{model.max_players}",
        "age": f"{model.about.age}+",
        "minutes": model.about.minutes,
        "rounds": model.rounds,
    }


def hand_size(game):
    (size,) = {len(hand) for hand in hands(start(game, 1).state)}
    return size


def undealt(game):
    state = random_game(game, 1)
    return len(state.zones[game.zone_index("deck")][0])


def hands(state):
    return state.zones[state.program.zone_index("hand")][: state.program.players]


# ── passing
# ─────────────────────────────────────────────────────────────────────────────────────────────────────────────


def pass_rule(case, _readings):
    right = case["given"]["direction"] == "right"
    variants = tuple(case["variants"]) or (("pass_both_ways",) if right else ())
    game = program(case["edition"], case["players"], variants)
    state = set_up(game, Position(round=2 if right else 1)).state
    origins = [list(range(case["players"]))]
    recipients = []
    while len(origins) < case["given"].get("turns", 2):
        events, state = play_any(state)
        to = {event.other: event.seat for event in events if event.kind == "passed"}
        recipients.append([to[seat] for seat in range(case["players"])])
        holds = [0] * case["players"]
        for giver, receiver in to.items():
            holds[receiver] = origins[-1][giver]
        origins.append(holds)
    return {"recipient": recipients[0], "origin_by_turn": origins}


def play_any(state):
    """Let each waiting seat make its first legal move; return the events and the state."""
    events = []
    for seat in waiting(state):
        turned = commit(state, seat, legal_moves(state, seat)[0])
        state = turned.state
        events += turned.events
    return events, state


def pass_schedule(case, readings):
    state = start(game_of(case, readings=readings), 1).state
    directions = {}
    while not state.over:
        number = state.round
        events, state = play_any(state)
        for event in events:
            if event.kind == "passed":
                directions[number] = "left" if event.amount == 1 else "right"
    return {"directions": [directions[number] for number in sorted(directions)]}


# ── scoring
# ─────────────────────────────────────────────────────────────────────────────────────────────────────────────


def points_by_rule(state, label):
    points = {}
    for line in proof(state, label):
        points.setdefault(line.rule, [0] * state.program.seats)[line.seat] += line.points
    return points


def score(case, readings):
    game = game_of(case, readings=readings)
    state = lay_out(game, Position(tables=tuple(case["given"]["tableaus"])))
    points = {**points_by_rule(state, "round"), **points_by_rule(state, "game")}
    return {"points": points.get(case["category"], [0] * game.seats)}


def round_total(case, readings):
    game = game_of(case, readings=readings)
    state = lay_out(game, Position(tables=tuple(map(tuple, case["given"]["tableaus"]))))
    return {**points_by_rule(state, "round"), "total": list(score_label(state, "round").scores)}


def carry_over(case, _readings):
    game = game_of(case)
    position = Position(tables=tuple(map(tuple, case["given"]["tableaus"])), hands=(("tempura",),) * case["players"])
    state = set_up(game, position).state
    _, state = play_any(state)
    assert state.round == 2
    return {"kept": tables_of(state)}


def game_total(case, readings):
    game = game_of(case, readings=readings)
    given = case["given"]
    if "rounds" in given:
        return from_tableaus(game, given["rounds"])
    scores = [sum(own) for own in zip(*given["round_points"], strict=True)]
    return {**end_of_game(game, scores, [{"pudding": count} for count in given["pudding"]]), **given}


def from_tableaus(game, rounds):
    points = []
    kept = [[] for _ in range(game.seats)]
    for tableaus in rounds:
        state = lay_out(game, Position(tables=tuple(map(tuple, tableaus))))
        points.append(list(score_label(state, "round").scores))
        for seat, cards in enumerate(tableaus):
            kept[seat] += [card for card in cards if game.model.cards[game.card_index(card)].keep]
    scores = [sum(own) for own in zip(*points, strict=True)]
    pudding = [cards.count("pudding") for cards in kept]
    return {"round_points": points, "pudding": pudding, **end_of_game(game, scores, kept)}


def end_of_game(game, scores, tables):
    before = lay_out(game, Position(tables=tuple(tables), scores=tuple(scores), round=game.model.rounds))
    after = score_label(before, "game")
    totals = [total(after, seat) for seat in range(game.seats)]
    gained = [late - early for late, early in zip(totals, scores, strict=True)]
    return {"end_points": gained, "total": totals, "winners": list(leaders(after))}


def winner(case, _readings):
    given = case["given"]
    tables = tuple({"pudding": count} for count in given.get("pudding", ()))
    state = lay_out(game_of(case), Position(tables=tables, scores=tuple(given["totals"])))
    return {"winners": list(leaders(state))}


# ── turns
# ───────────────────────────────────────────────────────────────────────────────────────────────────────────────


class Table:
    """A game under way, followed from choice to choice."""

    def __init__(self, state):
        self.state = state
        self.tables = tables_of(state)
        self.events = []

    def choose(self, choices):
        """Carry out a turn. ``choices`` has, by seat, the cards taken and those for other seats."""
        later = {}
        self.events = []
        for seat in waiting(self.state):
            cards, others = choices[seat]
            cards = list(cards)
            own, later[seat] = self.now_and_later(seat, cards)
            self.commit(seat, own, others)
        while waiting(self.state) and self.is_offer():
            for seat in waiting(self.state):
                self.commit(seat, later.get(seat, []), {})
                later[seat] = []
        if any(later.values()):
            raise IllegalMove("too-many-cards")

    def now_and_later(self, seat, cards):
        two_now = any(len(move) > 1 for move in legal_moves(self.state, seat)) or self.takes_with_ability()
        return (cards, []) if two_now else (cards[:1], cards[1:])

    def takes_with_ability(self):
        return all(ability.model.when == "before_reveal" for ability in self.state.program.abilities)

    def is_offer(self):
        return all(() in legal_moves(self.state, seat) for seat in waiting(self.state))

    def commit(self, seat, cards, others):
        before = tables_of(self.state)
        turned = commit(self.state, seat, encode(self.state, seat, cards, others))
        if turned.events:
            self.tables = follow(before, turned.events)
        self.events += turned.events
        self.state = turned.state

    def passed(self):
        """Return the cards that every player holds after the hands were passed, sorted."""
        held = {event.seat: list(event.cards) for event in self.events if event.kind == "passed"}
        return [sorted(held.get(seat, [])) for seat in range(self.state.program.players)]


def cards_of(pick):
    return [pick] if isinstance(pick, str) else list(pick)


def chopsticks_turn(case, readings):
    given = case["given"]
    game = game_of(case, readings=readings)
    others = case["players"] - 1
    position = Position(
        tables=(tuple(given["tableau"]), *((),) * others),
        hands=(tuple(given["hand"]), *(("tempura",) * len(given["hand"]),) * others),
    )
    table = Table(set_up(game, position).state)
    try:
        table.choose([(given["picks"], {}), *[(["tempura"], {})] * others])
    except IllegalMove:
        return {"legal": False}
    state = lay_out(game, Position(tables=tuple(map(tuple, table.tables))))
    passed = table.passed()[1]
    return {
        "legal": True,
        "tableau": table.tables[0],
        "passed": passed,
        "passed_size": len(passed),
        "nigiri_points": points_by_rule(state, "round")["nigiri"][0],
    }


def played(case, game):
    """Play the turns of a case; return the table, the sizes of hands at each choice, and the round."""
    given = case["given"]
    number = 2 if given["direction"] == "right" else 1
    table = Table(set_up(game, Position(hands=tuple(map(tuple, given["hands"])), round=number)).state)
    sizes = []
    for picks in given["picks"]:
        sizes.append([len(hand) for hand in hands(table.state)])
        table.choose([(cards_of(pick), {}) for pick in picks])
    return table, sizes, number


def pick_and_pass(case, readings):
    table, sizes, number = played(case, game_of(case, readings=readings))
    found = result(table.state)
    round_points = list(found.rounds[number - 1])
    return {
        "tableaus": table.tables,
        "hands_after": table.passed(),
        "hand_sizes": sizes,
        "points": {**{rule: list(points) for rule, points in found.rules.items()}, "total": round_points},
        "round_points": round_points,
    }


def dummy(case, readings):
    given = case["given"]
    if "hands" not in given:
        return dummy_schedule(case)
    known = program(case["edition"], 2).cards
    piles = [*given["hands"], given["pile"]]
    extra = sorted({card for cards in piles for card in cards} - set(known))
    game = game_of(case, readings=readings, extra=extra)
    position = Position(
        hands=tuple(map(tuple, given["hands"])),
        zones={"pile": (tuple(given["pile"]),)},
        markers={"controller": given["first_controller"]},
    )
    table = Table(set_up(game, position).state)
    controllers, sizes, pile = [], [], []
    for picks in given["picks"]:
        controllers.append(controller(table.state))
        sizes.append([len(hand) for hand in hands(table.state)])
        pile = [game.cards[card] for card in reversed(table.state.zones[game.zone_index("pile")][0])]
        table.choose(
            [
                (cards_of(own), {"dummy": [picks["dummy"]]} if seat == controllers[-1] else {})
                for seat, own in enumerate(picks["own"])
            ]
        )
    return {
        "tableaus": table.tables,
        "hands_after": table.passed(),
        "pile_after": pile,
        "controllers": controllers,
        "hands_at_choice": sizes,
        "round_points": round_points(table.state),
    }


def round_points(state):
    """Return the points that rules gave in the first round, without those of triggers."""
    found = result(state)
    rows = [found.rules[trigger.id] for trigger in state.program.model.triggers if trigger.id in found.rules]
    return [points - sum(row[seat] for row in rows) for seat, points in enumerate(found.rounds[0])]


def controller(state):
    return state.markers[[own.id for own in state.program.markers].index("controller")]


def dummy_schedule(case):
    game = game_of(case)
    position = Position(markers={"controller": case["given"]["first_controller"]})
    state = set_up(game, position).state
    controllers = []
    while state.round == 1:
        controllers.append(controller(state))
        left = [len(hand) for hand in hands(state)]
        chosen = sum(len(legal_moves(state, seat)[0]) for seat in waiting(state))
        _, state = play_any(state)
    return {"controllers": controllers, "hands_end": [0, 0] if sum(left) == chosen else left}


def timing(case, _readings):
    game = game_of(case)
    position = Position(
        tables=(("chopsticks",), *((),) * (case["players"] - 1)), hands=(("tempura", "sashimi"),) * case["players"]
    )
    state = set_up(game, position).state
    if any(len(move) > 1 for move in legal_moves(state, 0)):
        return {"second_card_chosen": "before_reveal"}
    _, state = play_any(state)
    offered = state.turn == 1 and () in legal_moves(state, 0)
    return {"second_card_chosen": "after_reveal" if offered else "never"}


def variant_compat(case, _readings):
    findings = allowed(document(case["edition"]), tuple(case["given"]["combine"]), case["players"])
    return {"allowed": not findings}


KINDS = {
    "setup": setup,
    "pass_rule": pass_rule,
    "pass_schedule": pass_schedule,
    "score": score,
    "round_total": round_total,
    "carry_over": carry_over,
    "game_total": game_total,
    "winner": winner,
    "chopsticks_turn": chopsticks_turn,
    "pick_and_pass": pick_and_pass,
    "dummy": dummy,
    "timing": timing,
    "variant_compat": variant_compat,
}
