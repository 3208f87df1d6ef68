"""Actions: when they are allowed, their order, who learns of them, and agreement of all forms."""

import pytest
import yaml

import draftengine as de
from draftengine.engine.chance import root_of
from draftengine.studies.runner.playing import ReferencePlayer
from text.forms import as_it_stands, compiled, play_alike

GAME = """
format: 1
id: market
title: Market
version: 1.0.0
players: 2-3
rounds: 2
cards:
  hut: {count: 12}
  house: {count: 12, family: stone, on_play: [{points: coins}]}
  castle: {count: 12, family: stone}
counters:
  coins: {start: 2, keep: true, min: 0, max: 60}
  bid: {min: 0, max: 2}
zones:
  chest: {per: seat, seen_by: owner}
setup:
  - shuffle: deck
round:
  - deal: {to: hand, cards: 5}
  - choose:
      as:
        low: {cards: 0}
        high: {cards: 0, pay: {coins: 2}, do: [{set: {bid: 2}}]}
  - repeat:
      until_empty: hand
      do:
        - choose:
            as:
              build: {of: stone, pay: {coins: 2}, do: [{add: {coins: 1}}]}
              settle: {of: hut, when: hut < 2}
              pair: {of: castle, cards: 2, when: coins > others_most(coins), to: chest}
              sell: {to: discard, do: [{add: {coins: 3}}, {points: 1 if coins > 4 else 0}]}
        - pass: {zone: hand, to: left}
  - score: round
  - clear: tableau
triggers:
  crowd: {after: reveal, who: gained(hut) > 0, do: [{points: 1}]}
scoring:
  stones: {kind: each, of: stone, points: 3}
  bids: {kind: majority, of: bid, most: [4], tie: nobody}
winner: {order: most}
"""


@pytest.fixture
def game(tmp_path):
    """Return the market for this number of players."""
    (tmp_path / "market.yaml").write_text(GAME)
    return lambda players: de.load(tmp_path / "market.yaml", players=players)


def dealt(game, *hands, bids=("low", "low"), coins=None):
    """Return the first turn with these hands, after these bids."""
    counters = {"coins": coins} if coins else {}
    state = game.set_up(de.Position(hands=hands, counters=counters))
    for seat, bid in enumerate(bids):
        state = state.commit(seat, bid)
    return state


def moves(state, seat):
    """Return the names of the legal moves."""
    return {" + ".join(move.cards) for move in state.view(seat).moves}


def of_each(state, counter):
    """Return a counter of every seat."""
    return [own[counter] for own in state.counters]


def after(state, *chosen):
    """Return the state after all seats choose."""
    for seat, move in enumerate(chosen):
        state = state.commit(seat, move)
    return state


def test_what_is_open(game):
    """Check that an action needs its condition, its price and a card; one for two may take one."""
    state = dealt(game(2), ("hut", "house", "castle"), ("castle", "hut", "castle"), coins=(1, 4))
    assert moves(state, 0) == {"hut@settle", "hut@sell", "house@sell", "castle@sell"}
    assert moves(state, 1) == {
        "castle@build", "hut@settle", "castle@pair + castle@pair", "castle@sell", "hut@sell",
    }  # fmt: skip
    alone = dealt(game(2), ("castle",), ("hut",), coins=(3, 2))
    assert moves(alone, 0) == {"castle@build", "castle@pair", "castle@sell"}


@pytest.mark.parametrize(
    ("move", "code"),
    [
        ("house@build", "way-not-open"),
        ("hut@build", "way-not-open"),
        ("hut", "unknown-card"),
        ("low", "unknown-card"),
        ("build", "way-not-open"),
        (["hut@sell", "house@sell"], "too-many-cards"),
        (["hut@sell", "house@build"], "malformed-move"),
        ([], "too-few-cards"),
        ("castle@sell", "card-not-in-hand"),
    ],
)
def test_refusals(game, move, code):
    """Check that each move that is not allowed is refused by name."""
    state = dealt(game(2), ("hut", "house"), ("hut", "hut"), coins=(1, 1))
    assert move not in state.view(0).moves
    with pytest.raises(de.IllegalMove) as refused:
        state.commit(0, move)
    assert refused.value.code == code


def test_the_order_of_things(game):
    """Check the order: all pay, all play cards, then effects of actions, of cards, and triggers.

    `gained` counts from before the choice.
    """
    state = dealt(game(2), ("house", "hut"), ("hut", "hut"), coins=(2, 5))
    state = after(state, "house@build", "hut@settle")
    assert of_each(state, "coins") == [1, 5]
    assert state.points == (1, 1)  # the house gives as many points as coins are left then; the hut calls the crowd
    told = [(own.kind, own.seat, own.name) for own in state.history if own.kind in {"way", "revealed", "counter"}]
    assert told[-6:] == [
        ("way", 0, "build"), ("counter", 0, "coins"), ("way", 1, "settle"),
        ("revealed", 0, ""), ("revealed", 1, ""), ("counter", 0, "coins"),
    ]  # fmt: skip


def test_points_of_ways(game):
    """Check that points from an action are listed under its name."""
    state = after(dealt(game(2), ("hut", "hut"), ("hut", "hut"), coins=(2, 4)), "hut@sell", "hut@sell")
    assert state.points == (1, 1)
    assert state.result.rules == {"sell": (1, 1)}


def test_who_is_told(game):
    """Check that all seats learn the action, but only the owner sees cards put into its chest."""
    state = dealt(game(2), ("castle", "castle", "hut"), ("hut", "hut", "hut"), coins=(5, 2))
    state = after(state, ["castle@pair", "castle@pair"], "hut@sell")
    for seat, cards in ((0, ("castle", "castle")), (1, ())):
        told = [own for own in state.story(seat) if own.kind == "placed" and own.zone == "chest"]
        assert [(own.cards, own.count) for own in told] == [(cards, 2)]
        assert [own.name for own in state.story(seat) if own.kind == "way"][-2:] == ["pair", "sell"]


def test_a_way_without_cards_moves_none(game):
    """Check that an action without cards moves none, but is paid for."""
    state = dealt(game(2), ("hut", "hut"), ("hut", "hut"), bids=("high", "low"))
    assert of_each(state, "coins") == [0, 2]
    assert of_each(state, "bid") == [2, 0]
    assert [len(own) for own in state.describe()["zones"]["hand"]] == [2, 2]


@pytest.mark.parametrize("players", [2, 3])
def test_every_form_plays_the_same(game, players):
    """Check that all forms agree at random; greedy and table policies only with moves of one card."""
    program = game(players).program
    names = ["random"] * players
    reference = ReferencePlayer(program, names, logged=True).play(root_of("ways"), 0, 40, rows=True)
    assert as_it_stands(program, names).play(root_of("ways"), 0, 40, rows=True) == reference
    if players == 2:
        assert compiled(program, names).play(root_of("ways"), 0, 40, rows=True) == reference


@pytest.mark.parametrize("bot", ["random", "greedy", pytest.param("medium", marks=pytest.mark.night)])
def test_bots(game, bot):
    """Check that bots play the game to its end."""
    state, number = game(3).start(seed=1), 0
    while not state.over:
        for seat in state.waiting:
            state = state.commit(seat, de.bot(bot).decide(state.view(seat), seed=number, iterations=3).move)
            number += 1
    assert len(state.result.scores) == 3


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"hut": {}}, "name-clash"),
        ({"sell": {"of": "huts"}, "keep": {}}, "unknown-card"),
        ({"sell": {"to": "chests"}}, "unknown-zone"),
        ({"sell": {"pay": {"hut": 1}}, "keep": {}}, "name-clash"),
        ({"sell": {"pay": {"gold": 1}}, "keep": {}}, "unknown-counter"),
        ({"sell": {"when": "coin > 1"}, "keep": {}}, "unknown-name"),
        ({"sell": {"do": [{"take": "boat"}]}}, "unknown-marker"),
        ({"sell": {"two": 2}}, "unknown-key"),
        ({"sell": {"cards": "2-0"}}, "formula-syntax"),
        ({"sell": {"cards": "2-2"}}, "formula-syntax"),
    ],
)
def test_what_is_wrong(tmp_path, change, code):
    """Check that mistakes are found at their places."""
    text = yaml.safe_load(GAME)
    text["round"][2]["repeat"]["do"][0]["choose"]["as"] = change
    (tmp_path / "wrong.yaml").write_text(yaml.safe_dump(text, sort_keys=False))
    found = [own for own in de.check(tmp_path / "wrong.yaml") if own.severity == "error"]
    assert [own.code for own in found][:1] == [code]
    assert found[0].path.startswith("/round/2/repeat/do/0/choose")


def test_a_hand_need_not_shrink(tmp_path):
    """Check the warning for turns until a hand is empty: a seat that cannot pay keeps its cards."""
    text = yaml.safe_load(GAME)
    text["round"][2]["repeat"]["do"][0]["choose"]["as"] = {"build": {"pay": {"coins": 2}}}
    (tmp_path / "closed.yaml").write_text(yaml.safe_dump(text, sort_keys=False))
    found = [(own.code, own.path) for own in de.check(tmp_path / "closed.yaml") if own.code == "endless-turns"]
    assert found == [("endless-turns", "/round/2/repeat")]


def test_looks_alike(tmp_path):
    """Check that an action must not distinguish cards with a common face."""
    text = yaml.safe_load(GAME)
    for card in ("hut", "castle"):
        text["cards"][card]["face"] = "covered"
    (tmp_path / "wrong.yaml").write_text(yaml.safe_dump(text, sort_keys=False))
    assert "face-given-away" in {own.code for own in de.check(tmp_path / "wrong.yaml")}


COSTS = """
format: 1
id: costs
title: Costs
version: 1.0.0
players: 2-3
rounds: 1
cards:
  "b{n}": {series: {n: 1-6}, count: 8, family: building, has: {cost: "{n}"}, adds: {worth: "{n}"}}
counters:
  coins: {start: 3, min: 0, max: 60}
setup:
  - shuffle: deck
round:
  - deal: {to: hand, cards: 5}
  - repeat:
      until_empty: hand
      do:
        - choose:
            as:
              build: {pay: {coins: its(cost)}, do: [{points: its(cost) // 3}]}
              cheap: {when: its(cost) <= 2 and coins < 2}
              sell: {to: discard, do: [{add: {coins: 2 + its(worth) // 4}}]}
        - pass: {zone: hand, to: left}
  - score: round
scoring:
  worth: {kind: each, of: worth, points: 2}
winner: {order: most}
"""


@pytest.fixture
def costs(tmp_path):
    """Return the game of costs for this number of players."""
    (tmp_path / "costs.yaml").write_text(COSTS)
    return lambda players: de.load(tmp_path / "costs.yaml", players=players)


def test_ways_about_their_card(costs):
    """Check that a card's values decide whether its action is allowed, its price and its effects."""
    start = de.Position(hands=(("b1", "b3", "b5"), ("b2", "b6", "b4")), counters={"coins": (3, 1)})
    state = costs(2).set_up(start)
    assert moves(state, 0) == {"b1@build", "b3@build", "b1@sell", "b3@sell", "b5@sell"}
    assert moves(state, 1) == {"b2@cheap", "b2@sell", "b4@sell", "b6@sell"}
    with pytest.raises(de.IllegalMove) as refused:
        state.commit(0, "b5@build")
    assert refused.value.code == "form-not-allowed"
    state = after(state, "b3@build", "b4@sell")
    assert (of_each(state, "coins"), state.points) == ([0, 4], (1, 0))


def test_every_form_plays_ways_about_their_card_the_same(costs):
    """Check that all forms read the values of cards alike, also with policies that compare moves."""
    for names in (["random"] * 2, ["greedy"] * 2):
        program = costs(2).program
        reference = ReferencePlayer(program, names, logged=True).play(root_of("costs"), 0, 10, rows=True)
        assert as_it_stands(program, names).play(root_of("costs"), 0, 10, rows=True) == reference
    assert compiled(program, names).play(root_of("costs"), 0, 10, rows=True) == reference


@pytest.mark.parametrize(
    ("way", "code"),
    [
        ({"cards": 0, "pay": {"coins": "its(cost)"}}, "zone-misuse"),
        ({"cards": 2, "do": [{"points": "its(cost)"}]}, "zone-misuse"),
        ({"pay": {"coins": "its(price)"}}, "formula-syntax"),
    ],
)
def test_what_is_wrong_about_a_card(tmp_path, way, code):
    """Check that an action about its card must take exactly one, and use values that cards have."""
    text = yaml.safe_load(COSTS)
    text["round"][1]["repeat"]["do"][0]["choose"]["as"]["build"] = way
    (tmp_path / "wrong.yaml").write_text(yaml.safe_dump(text, sort_keys=False))
    assert code in {own.code for own in de.check(tmp_path / "wrong.yaml")}


RACE = """
format: 2
id: race
title: Race
version: 1.0.0
players: 3
rounds: 1
counters: {gold: {max: 9}}
wins: gold >= 2
cards: {fig: {count: 40}}
setup: [{shuffle: deck}]
round:
  - deal: {to: hand, cards: 6}
  - repeat: {times: 5, do: [TURN]}
  - move: {from: hand, to: tableau}
  - score: round
scoring: {fig: {each: fig, points: 1}}
winner: {order: most}
"""
DIG = "choose: {from: hand, as: {dig: {to: discard, do: [{add: {gold: 1}}]}, rest: {to: tableau}}}"


@pytest.mark.parametrize(
    ("turn", "winners"),
    [(f"{{{DIG}}}", (0, 2)), (f"{{in_turn: {{do: [{{{DIG}}}, {{points: 1}}]}}}}", (0,))],
    ids=["together", "in turn"],
)
def test_the_choice_that_wins_ends_the_game(tmp_path, turn, winners):
    """Check that a game ends with the choice that meets `wins`, in turn before the next seat chooses."""
    file = tmp_path / "race.yaml"
    file.write_text(RACE.replace("TURN", turn))
    game = de.load(file)
    state = game.start("race")
    for _ in range(2):
        for seat, way in enumerate(("dig", "rest", "dig")):
            if not state.over:
                state = state.commit(seat, f"fig@{way}")
    assert state.over
    assert state.result.winners == winners
    play_alike(game.program, "race", 40)


CROWNED = """
format: 2
id: crowned
title: Crowned
version: 1.0.0
players: 2
rounds: 3
wins: WINS
markers: {crown: {start: nobody}}
zones: {row: {per: seat, seen_by: everyone}}
cards: {fig: {count: 40}}
setup: [{shuffle: deck}]
round:
  - deal: {to: hand, cards: 3}
  - draw: {to: row, cards: 1}
  - STEP
  - choose: {from: hand, to: tableau}
  - score: round
scoring: {fig: {each: fig, points: 1}}
"""


@pytest.mark.parametrize(
    ("step", "wins", "winners"),
    [
        ("give: {marker: crown, to: {most: seat}}", "holds(crown)", (1,)),
        ("in_turn: {do: [{give: {marker: crown, to: {most: seat}}}, {choose: {}}]}", "holds(crown)", (1,)),
        ("move: {from: row, to: tableau}", "fig >= 1", (0, 1)),
        ("move: {from: row, to: tableau, played: true}", "fig >= 1", (0, 1)),
    ],
    ids=["give", "in turn", "move", "played"],
)
def test_a_step_that_wins_ends_the_game(tmp_path, step, wins, winners):
    """Check that `wins` is read after steps that nobody chooses, before anybody chooses again."""
    file = tmp_path / "crowned.yaml"
    file.write_text(CROWNED.replace("STEP", step).replace("WINS", wins))
    game = de.load(file)
    state = game.start("crowned")
    assert state.over
    assert state.result.winners == winners
    play_alike(game.program, "crowned", 5)


AT_DAWN = "triggers: {{dawn: {{after: {}, do: [{{add: {{gold: 1}}}}]}}}}\n"


@pytest.mark.parametrize(
    ("turn", "more", "round_turns"),
    [
        ("{choose: {}}, {add: {gold: 1}}, {choose: {}}", "", 3),
        ("{choose: {}}, {choose: {}}", AT_DAWN.format("turn"), 4),
        (
            "{id: dusk, pass: {zone: hand, to: left}}, {choose: {}}",
            "triggers: {dawn: {after: dusk, do: [{add: {gold: 1}}]}}\n",
            1,
        ),
    ],
    ids=["an effect", "the end of a turn", "a step"],
)
def test_what_else_wins_ends_the_game(tmp_path, turn, more, round_turns):
    """Check that effects and triggers that meet `wins` end the game before anybody chooses again."""
    file = tmp_path / "race.yaml"
    file.write_text(more + RACE.replace("TURN", turn))
    game = de.load(file)
    state, choices = game.start("race"), 0
    while not state.over:
        choices += 1
        for seat in state.waiting:
            state = state.commit(seat, "fig")
    assert choices == round_turns
    assert state.result.winners == (0, 1, 2)
    play_alike(game.program, "race", 20)
