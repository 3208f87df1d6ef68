"""The golden cases of Sushi Draft: its names, and the kinds of cases that only it has."""

from __future__ import annotations

from conformance import shared
from draftengine.engine.events import measures
from draftengine.engine.game import commit, result, total, waiting
from draftengine.engine.moves import encode, legal_moves
from draftengine.engine.position import Position, lay_out, leaders, proof, set_up

TYPES = ("ikura", "ebi", "maguro", "tamago", "kappa")
READINGS = {
    "a web preview (boardgamewikia) says left/right/left; another review (gamescape-north) says left; "
    "not in the seed": ("passing", "by_round"),
}
"""Other readings by their text."""

VARIANTS = {"advanced": ("advanced_triple", "advanced_wasabi")}


def game_of(case, **more):
    variants = [name for own in case["variants"] for name in VARIANTS.get(own, (own,))]
    return shared.game_of({**case, "variants": variants}, **more)


def setup(case, readings):
    if case["given"]["ask"] == "chips":
        chips = {own.id.removesuffix("_chips"): list(own.values) for own in game_of(case, players=3).model.chips}
        return {"chips": chips, "count": sum(map(len, chips.values())), "sum": sum(map(sum, chips.values()))}
    if case["given"]["ask"] == "undealt":
        sizes = {}
        for players in shared.seats_range(case["players"]):
            state = set_up(game_of(case, players=players), Position()).state
            sizes[players] = len(state.zones[state.program.zone_index("deck")][0])
        return {"undealt": sizes}
    return shared.setup(case, readings)


def single_winner(state, rule):
    """Return the seat that wins the chip of a rule in the current position, or ``None``."""
    chips = {line.seat: line.points for line in proof(state, "round") if line.rule == rule}
    winners = [seat for seat, number in chips.items() if number]
    assert len(winners) <= 1
    return winners[0] if winners else None


def awards(state):
    return {rule: single_winner(state, rule) for rule in (*TYPES, "dessert")}


def single_most(case, readings):
    """Return the winner for given counts of one kind; a half stands for a triple that counts half."""
    game = game_of({**case, "variants": ["advanced_triple"]}, readings=readings)
    tables = []
    for number in case["given"]["counts"]:
        cards = ["ikura"] * min(int(number), 5) + ["ikura_w"] * (int(number) - 5)
        tables.append((*cards, *["triple@ikura"] * int(number % 1 * 2)))
    return {"winner": single_winner(lay_out(game, Position(tables=tuple(tables))), "ikura")}


def draft_round(case, readings):
    game = game_of(case, readings=readings)
    state = lay_out(game, Position(tables=tuple(map(tuple, case["given"]["tableaus"]))))
    active = game.model.active
    counts = {rule: scaled(state, rule, halves="advanced_triple" in active) for rule in TYPES}
    return {**awards(state), "counts": counts, "types": scaled(state, "dessert", halves="advanced_wasabi" in active)}


def scaled(state, rule, *, halves):
    """Return the measures of a rule in cards or kinds; with `halves` the rule itself counts in halves."""
    compiled = next(own for own in state.program.rules if own.model.id == rule)
    return [measure / (2 if halves else 1) for measure in measures(state, compiled)]


def triple_legal(case, readings):
    game = game_of(case, readings=readings)
    others = case["players"] - 1
    hands = (("triple", "kappa"), *(("ebi", "ebi"),) * others)
    state = set_up(game, Position(tables=(tuple(case["given"]["tableau"]), *((),) * others), hands=hands)).state
    options = [game.options[code].name for (code,) in legal_moves(state, 0)]
    return {"legal_types": sorted(name.partition("@")[2] for name in options if "@" in name)}


def draft_game(case, readings):
    state = lay_out(game_of(case, readings=readings), Position())
    piles = state.program.chip_values
    where = {value: (pile, values.index(value)) for pile, values in enumerate(piles) for value in values}
    for seat, value in (chip for won in case["given"]["chips"] for chip in won):
        state.chips[seat].append(where[value])
    return {"total": [total(state, seat) for seat in range(state.program.seats)], "winners": list(leaders(state))}


def draft_flow(case, readings):
    given = case["given"]
    named = {card.partition("@")[0] for hand in given["hands"] for card in hand}
    extra = sorted(named - set(game_of(case).cards))
    game = game_of(case, readings=readings, extra=extra)
    state = set_up(game, Position(hands=tuple(map(tuple, given["hands"])))).state
    sizes, passed = [], []
    for turn in given["turns"]:
        sizes.append([len(hand) for hand in shared.hands(state)])
        before, events, state = choose(state, turn["play"])
        tables = shared.follow(before, events)
        if "keep" in turn:
            _, events, state = choose(state, turn["keep"])
            given_on = {event.seat: event.count for event in events if event.kind == "passed"}
            passed.append([given_on[seat] for seat in range(game.players)])
        else:
            left = {event.seat: list(event.cards) for event in events if event.kind == "moved" and event.zone == "deck"}
            won = {event.seat for event in events if event.kind == "chip"}
    lying = lay_out(game, Position(tables=tuple(map(tuple, tables))))
    found = awards(lying)
    assert {seat for seat in found.values() if seat is not None} == won
    assert sum(map(len, state.chips)) == len([seat for seat in found.values() if seat is not None])
    return {
        "tableaus": tables,
        "leftover": [left.get(seat, []) for seat in range(game.players)],
        "hand_sizes": sizes,
        "passed_sizes": passed,
        "awards": found,
    }


def choose(state, cards):
    """Let each seat take one card; return the tableaus before, the events and the state after."""
    before, events = shared.tables_of(state), []
    for seat in waiting(state):
        turned = commit(state, seat, encode(state, seat, [cards[seat]]))
        state, events = turned.state, [*events, *turned.events]
    return before, events, state


def carry_over(case, _readings):
    """Return the cards that lie in tableaus when the next round begins."""
    given = case["given"]
    players = max(case["players"], 3)
    tables = (*map(tuple, given["tableaus"]), *((),) * (players - case["players"]))
    state = set_up(game_of(case, players=players), Position(tables=tables)).state
    while state.round == 1:
        for seat in waiting(state):
            state = commit(state, seat, legal_moves(state, seat)[0]).state
    assert result(state).scores
    return {"kept": shared.tables_of(state)[: case["players"]]}


KINDS = {
    "setup": setup,
    "carry_over": carry_over,
    "draft_single_most": single_most,
    "draft_round": draft_round,
    "draft_triple_legal": triple_legal,
    "draft_game": draft_game,
    "draft_flow": draft_flow,
}
