"""Payments: the cheapest one is found, all forms agree on it, and nobody pays what they don't have."""

import random
from itertools import pairwise

import pytest

import draftengine as de
from draftengine.api.labels import Labels
from draftengine.api.phrasing.payments import pays_said
from draftengine.api.ruleset import rules_named
from draftengine.render.rulebook import book_of
from draftengine.render.rulebook.formats import as_text
from draftengine.support.locale import LANGUAGES, spoken
from text.forms import play_alike

RAW, FINE = ("wood", "clay", "ore"), ("glass",)
GOODS = (*RAW, *FINE)
MAKES = {
    **{f"m_{good}": ([(good,)], 1) for good in GOODS},
    "m_wood_clay": ([("wood", "clay")], 1),
    "m_clay_ore": ([("clay", "ore")], 1),
    "m_any": ([RAW], 1),
    "m_twice": ([("ore",)], 2),
    "m_private": ([RAW], 1),
}
"""The goods and the number of units that each card makes."""

GAME = """
format: 2
id: bought
title: Bought
version: 1.0.0
players: 2-4
payments:
  build:
    goods: {raw: [wood, clay, ore], fine: [glass]}
    from:
      - {makes: self}
      - {makes: left, of: public, price: {raw: 1 if treaty > 0 else 2, fine: 3}, counter: coins}
      - {makes: right, of: public, price: {raw: 2, fine: 1 + treaty}, counter: coins}
cards:
  "m_{g}": {for: {g: [wood, clay, ore, glass]}, count: 5, family: public, makes: "{g}"}
  m_wood_clay: {count: 5, family: public, makes: [wood, clay]}
  m_clay_ore: {count: 5, family: public, makes: [clay, ore]}
  m_any: {count: 5, family: public, makes: [wood, clay, ore]}
  m_twice: {count: 5, family: public, makes: {ore: 2}}
  m_private: {count: 5, makes: [wood, clay, ore]}
  treaty: {count: 5}
HOUSES
counters:
  coins: {start: 6, min: 0, max: 60, keep: true}
setup: [{shuffle: deck}]
round:
  - deal: {to: hand, cards: 6}
  - repeat:
      until_empty: hand
      do:
        - choose:
            from: hand
            as: {build: {pay: {build: cost}, to: tableau}, sell: {to: discard, do: [{add: {coins: 3}}]}}
        - pass: {zone: hand, to: left}
  - score: game
scoring:
  coins: {each: coins, points: 1, at: game}
  houses: {each: houses, points: 3, at: game}
"""
HOUSES = {
    f"h_{w}{c}{o}{glass}": {"wood": w, "clay": c, "ore": o, "glass": glass}
    for w in range(3) for c in range(3) for o in range(2) for glass in range(2) if w + c + o + glass
}  # fmt: skip
LISTED = {name: ", ".join(f"{good}: {count}" for good, count in HOUSES[name].items() if count) for name in HOUSES}
COSTS = "\n".join(f"  {name}: {{cost: {{{cost}}}, adds: {{houses: 1}}}}" for name, cost in LISTED.items())
CHAPEL = "  chapel: {count: 2, cost: {wood: 5, coins: 1}, free_with: treaty, adds: {houses: 1}}"
GAME = GAME.replace("HOUSES", f"{COSTS}\n{CHAPEL}")

STOCK = """
format: 2
id: stocked
title: Stocked
version: 1.0.0
players: 2-3
payments:
  buy: {goods: [wood, clay, ore], from: [{makes: self}, {counters: same}, {counter: gold, stands_for: any}]}
cards:
  m_wood: {count: 4, makes: wood}
  m_wood_clay: {count: 4, makes: [wood, clay]}
  m_any: {count: 4, makes: [wood, clay, ore]}
HOUSES
counters:
  "{g}": {for: {g: [wood, clay, ore, gold]}, start: 2, min: 0, max: 9, keep: true}
zones: {market: {}}
setup: [{shuffle: deck}, {draw: {to: market, cards: 8}}]
round:
  - repeat:
      times: 6
      do:
        - in_turn:
            do:
              - choose:
                  from: market
                  as:
                    buy: {pay: {buy: cost}, to: tableau}
                    earn: {cards: 0, when: "cards(market, buy) == 0", do: [{add: {wood: 1, ore: 1, gold: 1}}]}
        - draw: {to: market, cards: 8 - cards(market)}
  - score: game
scoring:
  gold: {each: gold, points: 1, at: game}
  houses: {each: houses, points: 3, at: game}
""".replace("HOUSES", "\n".join(line for line in COSTS.splitlines() if "glass" not in line))


@pytest.fixture(scope="module")
def bought(tmp_path_factory):
    path = tmp_path_factory.mktemp("bought") / "bought.yaml"
    path.write_text(GAME)
    return path


@pytest.fixture(scope="module")
def stocked(tmp_path_factory):
    path = tmp_path_factory.mktemp("stocked") / "stocked.yaml"
    path.write_text(STOCK)
    return path


def test_the_games_are_sound(bought, stocked):
    assert de.check(bought) == de.check(stocked) == ()


def units_of(cards):
    """Return the units that cards make, each as the goods that it can be."""
    made = [MAKES[card] for card in cards if card in MAKES]
    return [goods for alternatives, count in made for goods in alternatives for _ in range(count)]


def spread(need, sources):
    """Return all ways to cover a need completely, as numbers of units by source, by trying everything."""
    reached = {(tuple(need.get(good, 0) for good in GOODS), (0,) * len(sources))}
    for number, units in enumerate(sources):
        for goods in units:
            more = set(reached)
            for rest, used in reached:
                for index, good in enumerate(GOODS):
                    if good in goods and rest[index]:
                        less = (*rest[:index], rest[index] - 1, *rest[index + 1 :])
                        more.add((less, (*used[:number], used[number] + 1, *used[number + 1 :])))
            reached = more
    return [used for rest, used in reached if not any(rest)]


def bought_from(need, tables, *, players=3, other_first=False):
    """Return the coins for both neighbours, by trying everything; ``None`` if the goods cannot be had.

    With `other_first`, the dearer one sells as much as possible or, at equal prices, the one on the right.
    """
    treaty = tables[0].count("treaty")
    prices = {"raw": (1 if treaty else 2, 2), "fine": (3, 1 + treaty)}
    coins = [0, 0]
    for group, goods in (("raw", RAW), ("fine", FINE)):
        mine, left, right = (
            [made for made in units_of(table) if set(made) <= set(goods)]
            for table in (tables[0], *([card for card in table if card != "m_private"] for table in tables[1:3]))
        )
        ways = spread({good: need[good] for good in goods}, [mine, left, right if players > 2 else []])
        if not ways:
            return None
        cost = prices[group]
        _, one, two = min(ways, key=lambda used: (used[1] * cost[0] + used[2] * cost[1], cost[0] > cost[1] or -used[1]))
        if other_first:
            _, one, two = max(ways, key=lambda used: (used[0], used[1] if cost[0] > cost[1] else used[2]))
        coins = [coins[0] + one * cost[0], coins[1] + two * cost[1]]
    return coins


@pytest.mark.parametrize("seed", range(12))
def test_the_cheapest_purchase_is_the_one_that_trying_everything_finds(bought, seed):
    """Check for random tables what is affordable, what it costs, and where the coins go."""
    rng = random.Random(seed)
    game = de.load(bought, players=3)
    kinds = [*MAKES, "treaty"]
    affordable = 0
    for _ in range(12):
        tables = [[rng.choice(kinds) for _ in range(rng.randint(0, 4))] for _ in range(3)]
        tables[2] = [card for card in tables[2] if (tables[0] + tables[1]).count(card) < 2]
        house, coins = rng.choice([*HOUSES]), rng.randint(0, 7)
        others = (
            ("treaty", "treaty") if tables[1].count("treaty") + tables[0].count("treaty") < 2 else ("m_ore", "m_ore")
        )
        state = game.set_up(
            de.Position(tables=tables, hands=[[house], [others[0]], [others[1]]], counters={"coins": (coins, 5, 5)})
        )
        wanted = bought_from(HOUSES[house], tables)
        moves = {str(move): move for move in state.view(0).moves}
        can = wanted is not None and sum(wanted) <= coins
        assert (f"{house}@build" in moves) == can, (tables, house, coins, wanted)
        other = bought_from(HOUSES[house], tables, other_first=True)
        shared = other is not None and other != wanted
        assert (f"{house}@build_other" in moves) == (shared and sum(other) <= coins), (tables, house, coins, other)
        if shared and sum(other) <= coins:
            pays = {whom: amount for _, amount, whom in state.view(0).pays(moves[f"{house}@build_other"])}
            assert [pays.get("left", 0), pays.get("right", 0)] == other, (tables, house)
        if can:
            affordable += 1
            pays = {whom: amount for _, amount, whom in state.view(0).pays(moves[f"{house}@build"])}
            assert [pays.get("left", 0), pays.get("right", 0)] == wanted, (tables, house)
            after = state
            for seat, move in enumerate((f"{house}@build", f"{others[0]}@sell", f"{others[1]}@sell")):
                after = after.commit(seat, move)
            assert [counters["coins"] for counters in after.counters] == [
                coins - sum(wanted), 5 + wanted[0] + 3, 5 + wanted[1] + 3,
            ]  # fmt: skip
    assert affordable


def test_a_move_can_say_what_is_bought_from_whom(bought):
    """Check that units name one of two ways to share a purchase, and that wrong numbers are refused."""
    game = de.load(bought, players=3)
    tables = [[], ["m_wood", "m_clay"], ["m_wood"]]
    hands = [["h_1100"], ["treaty"], ["treaty"]]
    state = game.set_up(de.Position(tables=tables, hands=hands, counters={"coins": (6, 0, 0)}))
    for name, paid in {
        "": [4, 0],
        "(left 2)": [4, 0],
        "(left 2, right 0)": [4, 0],
        "(right 1, left 1)": [2, 2],
    }.items():
        after = state.commit(0, f"h_1100@build{name}").commit(1, "treaty@sell").commit(2, "treaty@sell")
        assert [counters["coins"] - 3 for counters in after.counters[1:]] == paid
    for wrong in ("(left 1)", "(left 0)", "(left 3)", "(right 2)", "(left 2, right 1)"):
        with pytest.raises(de.IllegalMove):
            state.commit(0, f"h_1100@build{wrong}")


def test_with_two_players_both_neighbours_are_one_seat_that_sells_once(bought):
    game = de.load(bought, players=2)

    def open_to(house, theirs):
        position = de.Position(tables=[[], theirs], hands=[[house], ["treaty"]], counters={"coins": (20, 0)})
        return f"{house}@build" in map(str, game.set_up(position).view(0).moves)

    assert open_to("h_1000", ["m_wood"])
    assert not open_to("h_2000", ["m_wood"])


def test_a_card_is_free_for_whoever_has_the_card_it_names(bought):
    game = de.load(bought, players=3)
    for table, free in (["treaty"], True), (["m_wood"], False):
        position = de.Position(
            tables=[table, [], []], hands=[["chapel"]] + [["m_ore"]] * 2, counters={"coins": (0, 0, 0)}
        )
        view = game.set_up(position).view(0)
        moves = {str(move): move for move in view.moves}
        assert ("chapel@build" in moves) == free
        assert not free or view.pays(moves["chapel@build"]) == ()


@pytest.mark.parametrize("seed", range(6))
def test_own_makers_and_stocks_are_used_before_what_stands_for_all(stocked, seed):
    """Check that makers give the most, then the stocks in their order, and only then the wild counter."""
    rng = random.Random(seed)
    game = de.load(stocked, players=2)
    for _ in range(20):
        table = [rng.choice(["m_wood", "m_wood_clay", "m_any"]) for _ in range(rng.randint(0, 3))]
        have = {name: rng.randint(0, 2) for name in ("wood", "clay", "ore", "gold")}
        house = rng.choice([name for name in HOUSES if not HOUSES[name]["glass"]])
        counters = {name: (count, 0) for name, count in have.items()}
        zones = {"market": [[house]]}
        view = game.set_up(de.Position(tables=[table, []], zones=zones, counters=counters)).view(0)
        moves = {str(move): move for move in view.moves}
        stocks = [[(good,)] * have[good] for good in RAW]
        ways = spread(HOUSES[house], [units_of(table), *stocks, [RAW] * have["gold"]])
        assert (f"{house}@buy" in moves) == bool(ways), (table, have, house)
        if ways:
            paid = {counter: amount for counter, amount, _ in view.pays(moves[f"{house}@buy"])}
            assert [paid.get(name, 0) for name in (*RAW, "gold")] == list(max(ways)[1:]), (table, have, house)


ORDERS = {
    "what stands for some goods first": "{counter: gold, stands_for: [wood, ore]}, {makes: self}, {counters: same}",
    "what stands for all goods first": "{counter: gold, stands_for: goods}, {makes: self}, {counters: same}",
    "what stands for all goods in between": "{counters: same}, {counter: gold, stands_for: any}, {makes: self}",
    "no makers": "{counters: same}, {counter: gold, stands_for: [clay]}",
    "no stocks": "{makes: self}, {counter: gold, stands_for: any}",
}


@pytest.mark.parametrize("name", ORDERS)
def test_sources_are_used_in_the_order_of_the_list(tmp_path, name):
    """Check that random purchases use as much as possible of each source, one after another."""
    path = tmp_path / "ordered.yaml"
    before = "{makes: self}, {counters: same}, {counter: gold, stands_for: any}"
    assert before in STOCK
    text = STOCK.replace(before, ORDERS[name]).replace("[wood, clay, ore], from", "goods, from")
    path.write_text(text.replace("payments:", "lists: {goods: [wood, clay, ore]}\npayments:"))
    assert not [finding for finding in de.check(path) if finding.severity == "error"]
    game, rng = de.load(path, players=2), random.Random(1)
    for _ in range(40):
        table = [rng.choice(["m_wood", "m_wood_clay", "m_any"]) for _ in range(rng.randint(0, 3))]
        have = {counter: rng.randint(0, 2) for counter in (*(RAW if "same" in ORDERS[name] else ()), "gold")}
        house = rng.choice([name for name in HOUSES if not HOUSES[name]["glass"]])
        zones, counters = {"market": [[house]]}, {name: (count, 0) for name, count in have.items()}
        view = game.set_up(de.Position(tables=[table, []], zones=zones, counters=counters)).view(0)
        moves = {str(move): move for move in view.moves}
        units, names = [], []
        for source in ORDERS[name].split("}, {"):
            if "makes" in source:
                units, names = [*units, units_of(table)], [*names, ""]
            elif "same" in source:
                units, names = [*units, *([(good,)] * have[good] for good in RAW)], [*names, *RAW]
            else:
                stands_for = RAW if "any" in source or "goods" in source else [good for good in RAW if good in source]
                units, names = [*units, [tuple(stands_for)] * have["gold"]], [*names, "gold"]
        ways = spread(HOUSES[house], units)
        assert (f"{house}@buy" in moves) == bool(ways), (table, have, house)
        if ways:
            paid = {counter: amount for counter, amount, _ in view.pays(moves[f"{house}@buy"])}
            wanted = {name: amount for name, amount in zip(names, max(ways), strict=True) if name and amount}
            assert paid == wanted, (table, have, house)
    play_alike(game.program, "ordered", 6)


def test_every_form_pays_alike(bought, stocked):
    play_alike(de.load(bought, players=3).program, "paid", 12)
    play_alike(de.load(stocked, players=2).program, "paid", 12)


@pytest.mark.parametrize("seed", range(4))
def test_nobody_pays_more_than_they_have_and_coins_only_change_hands(bought, seed):
    """Check in whole games that no counter falls below 0, and that coins only come from sales."""
    rng = random.Random(seed)
    state = de.load(bought, players=4).start(seed)
    while not state.over:
        before, sold = sum(counters["coins"] for counters in state.counters), 0
        moves = [(seat, rng.choice([*state.view(seat).moves])) for seat in state.waiting]
        for seat, move in moves:
            pays = state.view(seat).pays(move)
            sold += 3 * str(move).endswith("@sell") - sum(amount for _, amount, whom in pays if not whom)
        for seat, move in moves:
            state = state.commit(seat, move)
        coins = [counters["coins"] for counters in state.counters]
        assert min(coins) >= 0
        assert sum(coins) == before + sold


def test_what_a_move_pays_is_said(bought):
    game = de.load(bought, players=3)
    speech = Labels(game.model).speech
    assert pays_said((("coins", 1, ""), ("coins", 2, "left")), speech) == "pays 1 coin, 2 coins to the left"
    assert pays_said((), speech) == ""
    assert pays_said((("coins", 2, "right"),), Labels(game.model, "pl").speech) == "zapłata: 2 Coins w prawo"


@pytest.mark.parametrize("language", ["en", "pl", "ja"])
def test_rulebooks_name_no_hidden_numbers(bought, stocked, language):
    for path in (bought, stocked):
        text = as_text(book_of(rules_named(path, ()), language))
        assert not [word for word in text.split() if ":" in word.rstrip(":")]


def test_rulebooks_explain_a_payment_once(bought):
    text = " ".join(as_text(book_of(rules_named(bought, ()), "en")).split())
    assert "pay what it costs (see “Build”) and put it in front of you" in text
    assert text.count("What the cards in front of you make is there for every payment") == 1
    assert "Chapel (costs 5 wood and 1 coin, free with Treaty, 1 house)" in text
    assert "M wood clay (makes 1 wood or 1 clay)" in text


MISTAKES = {
    "a good that no payment has": ("makes: {ore: 2}", "makes: «{or: 2}»"),
    "a cost in something that is no good": ("cost: {wood: 5, coins: 1}", "cost: {wood: 5, coin: «1»}"),
    "one good or another of two groups": ("makes: [clay, ore]}", "makes: «[clay, glass]»}"),
    "a good twice": ("{raw: [wood, clay, ore], fine: [glass]}", "«{raw: [wood, clay, ore, wood], fine: [glass]}»"),
    "the name of a family": (
        "build:\n    goods: {raw: [wood, clay, ore], fine: [glass]}",
        "public:\n    goods: «{raw: [wood, clay, ore], fine: [glass]}»",
    ),
    "a wild counter that does not exist": ("    from:", "    from:\n      - {counter: «gold», stands_for: any}"),
    "neighbours paid with something else": ("fine: 1 + treaty}, counter: coins", "fine: 1}, counter: «wood»"),
    "the same neighbour twice": ("{makes: right", "{makes: «left»"),
    "a source of nothing": ("{makes: self}", "«{of: public}»"),
    "a neighbour without a price": (
        "{makes: left, of: public, price: {raw: 1 if treaty > 0 else 2, fine: 3}, counter: coins}",
        "«{makes: left, of: public, counter: coins}»",
    ),
    "a counter that stands for what is no good": ("{makes: self}", "{counter: coins, stands_for: «rubber»}"),
    "a group of goods without a price": ("price: {raw: 2, fine: 1 + treaty}", "price: «{raw: 2}»"),
    "a price that depends on what it is paid with": ("price: {raw: 2, fine: 1 + treaty}", "price: «1 + coins»"),
    "another price beside a payment": ("pay: {build: cost}", "pay: «{build: cost, coins: 1}»"),
    "a payment for something else than a cost": ("pay: {build: cost}", "pay: «{build: coins}»"),
}  # fmt: skip
"""Changes that make the game wrong. The marks stand around the place to which the finding points."""


@pytest.mark.parametrize("name", MISTAKES)
def test_a_wrong_payment_is_found_at_its_place(tmp_path, name):
    old, new = MISTAKES[name]
    assert old in GAME
    marked = GAME.replace(old, new, 1)
    path = tmp_path / "wrong.yaml"
    path.write_text(marked.replace("«", "").replace("»", ""))
    findings = [finding for finding in de.check(path) if finding.code == "wrong-payment"]
    starts = {finding.span.start: finding for finding in findings}
    start = marked.index("«")
    assert start in starts, findings
    assert starts[start].span.end == marked.index("»") - 1
    assert all(len(starts[start].message_in(spoken(language))) > 10 for language in LANGUAGES)


def test_a_card_set_without_payments_has_no_costs(tmp_path):
    path = tmp_path / "none.yaml"
    path.write_text(GAME.replace(GAME[GAME.index("payments:") : GAME.index("cards:")], ""))
    assert [finding.code for finding in de.check(path)].count("wrong-payment") == 1


def test_too_many_goods_that_replace_each_other_are_refused(tmp_path):
    """Check that no card set can make the number of sets of goods large."""
    goods = [f"good_{number}" for number in range(12)]
    chained = "\n".join(f"  chain_{one}: {{count: 2, makes: [{one}, {other}]}}" for one, other in pairwise(goods))
    text = STOCK.replace("goods: [wood, clay, ore]", f"goods: [wood, clay, ore, {', '.join(goods)}]")
    path = tmp_path / "many.yaml"
    path.write_text(text.replace("cards:\n", f"cards:\n{chained}\n", 1))
    findings = [finding for finding in de.check(path) if finding.code == "wrong-payment"]
    assert [finding.text.id for finding in findings] == ["wrong-payment.many"]


def test_a_way_from_two_zones_names_the_other_first_seller_without_a_zone(bought, tmp_path):
    """Check that `build_other` is as short for a way from several zones as `build` is."""
    text = bought.read_text("utf-8")
    way, zones = "build: {", "zones: {side: {per: seat, seen_by: everyone}}\nround:\n  - deal: {to: side, cards: 1}\n"
    assert way in text
    path = tmp_path / "two_zones.yaml"
    path.write_text(text.replace(way, f"{way}from: [hand, side], ").replace("round:\n", zones))
    game = de.load(path, players=3)
    tables, hands = [[], ["m_wood", "m_clay"], ["m_wood"]], [["h_1100"], ["treaty"], ["treaty"]]
    state = game.set_up(
        de.Position(tables=tables, hands=hands, zones={"side": [[]] * 3}, counters={"coins": (6, 0, 0)})
    )
    assert {"h_1100@build_hand", "h_1100@build_hand_other"} <= {str(move) for move in state.view(0).moves}
    assert state.commit(0, "h_1100@build_other") == state.commit(0, "h_1100@build_hand_other")
    assert state.commit(0, "hand.h_1100@build_other") == state.commit(0, "h_1100@build_hand_other")
