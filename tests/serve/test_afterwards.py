"""After a game: replays show what a seat saw, and score sheets agree with the engine."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import pytest
from jsonschema import Draft202012Validator, ValidationError

import draftengine as de
from draftengine.api.scenario.missing import Round
from draftengine.apps.web import RefusedError
from draftengine.apps.web.catalogue import Catalogue
from draftengine.apps.web.work import frames, sheet_for
from serve.harness import BOT, Page, ask, made, person, serving


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    with serving(tmp_path_factory.mktemp("tables") / "t.sqlite", Catalogue(["sushi_go"])) as own:
        yield own


@pytest.fixture(scope="module")
def played(address):
    """Return the id of a finished game, and what its first seat's page was shown, by decision."""
    table, tokens = made(address, "sushi_go", [person(), BOT])
    page = Page(address, table, tokens[0])
    page.ask("start")
    page.play(Random(5))
    lost = page.ask("lost")["lost"]
    assert lost[0].startswith("You gave ")
    assert 1 <= len(lost) <= 3
    page.close()
    shown = {}
    for frame in map(json.loads, page.frames):
        if frame["type"] == "table" and frame.get("game") and not frame["game"]["chosen"]:
            shown[frame["decision"][1]] = frame["game"]
    return json.loads(ask(address, "/api/games")[1])[0]["id"], shown


@pytest.mark.web
def test_a_replay_shows_what_was_seen(address, played):
    """From the person's seat, every frame has the hand and the table that its page had shown."""
    name, shown = played
    found = json.loads(ask(address, f"/api/games/{name}/replay?seat=0")[1])
    assert len(found["frames"]) == len(shown)
    for number, frame in enumerate(found["frames"]):
        for key in ("hand", "seats", "scores", "coming", "options"):
            assert frame["game"].get(key) == shown[number].get(key), key
    assert found["frames"][-1]["game"]["over"]
    assert all(frame["game"]["chosen"] for frame in found["frames"][:-1])


def test_the_record_has_its_schema(address, played):
    schema = json.loads((Path(__file__).parents[2] / "schemas" / "game.schema.json").read_text("utf-8"))
    record = json.loads(ask(address, f"/api/games/{played[0]}")[1])
    Draft202012Validator(schema).validate(record)
    with pytest.raises(ValidationError):
        Draft202012Validator(schema).validate({**record, "moves": [{"seat": 0}]})


def test_a_spectator_sees_no_hand(address, played):
    found = json.loads(ask(address, f"/api/games/{played[0]}/replay?seat=-1")[1])
    assert all(frame["game"]["hand"] == [] for frame in found["frames"])


def test_a_bot_says_what_it_thinks(address, played):
    found = json.loads(ask(address, f"/api/games/{played[0]}/replay?seat=0&at=2")[1])
    assert found["hints"][0]["sentence"]
    assert ask(address, f"/api/games/{played[0]}/replay?seat=0&at=999")[0] == 400
    assert ask(address, f"/api/games/{played[0]}/replay?seat=9")[0] == 400


def test_another_deal_is_refused(address, played):
    """A record whose moves do not fit its seed is refused."""
    record = json.loads(ask(address, f"/api/games/{played[0]}")[1])
    with pytest.raises(RefusedError):
        frames({**record, "seed": "another"}, 0, "en")


def test_a_sheet_says_what_the_engine_says():
    """A sheet filled in round by round has the scores and winners of the played game."""
    game = de.load("sushi_go", players=2)
    state, chance = game.start(3), Random(3)
    rounds, kept = [], [[], []]
    while not state.over:
        before = state
        for seat in state.waiting:
            state = state.commit(seat, chance.choice(list(state.view(seat).moves)))
        if state.over or state.round > before.round:
            last = [[*own] for own in before.tableaus]
            for event in state.events:
                if event.kind == "revealed":
                    last[event.seat] += event.cards
                if event.kind == "ability-used":
                    last[event.seat].remove("chopsticks")
            rounds.append([[card for card in own if card not in kept[seat]] for seat, own in enumerate(last)])
            pudding = [own.count("pudding") for own in last]
            rounds[-1] = [
                [card for card in own if card != "pudding"] + ["pudding"] * (pudding[seat] - len(kept[seat]))
                for seat, own in enumerate(last)
            ]
            kept = [["pudding"] * count for count in pudding]
    found = sheet_for(game, ["Ada", "Ben"], [Round(tuple(map(tuple, own))) for own in rounds])
    assert found["game"]["scores"] == list(state.result.scores)
    assert found["game"]["winners"] == list(state.result.winners)


def test_a_sheet_remembers_what_stays(tmp_path):
    """Kept counters and markers appear in each round's sheet, and extra points are added."""
    path = tmp_path / "coins.yaml"
    path.write_text(COINS, "utf-8")
    game = de.load(path, players=2)
    first = Round(((), ()), {"crown": 1}, {"coins": (5, 3)}, (0, 2))
    found = sheet_for(game, ["Ada", "Ben"], [first, Round(((), ()))])
    assert found["lying"][1] == {"markers": {"crown": 1}, "counters": {"coins": [5, 3]}}
    assert found["game"]["scores"] == [5, 3 + 2]


COINS = """
format: 1
id: coins
title: Coins
version: 1.0.0
players: 2
rounds: 2
cards: {fish: {count: 20, on_play: [{add: {coins: 1}}]}}
counters: {coins: {start: 3, keep: true, min: 0, max: 99}}
markers: {crown: {start: first}}
round:
  - deal: {to: hand, cards: 3}
  - repeat: {until_empty: hand, do: [choose: {}]}
  - score: round
  - clear: tableau
finish:
  - score: game
scoring: {coins: {kind: each, at: game, of: coins, points: 1}}
winner: {order: most, tie_breakers: [{holder: crown}]}
"""


def test_nobody_has_won_before_chips_are_known():
    """A game with a chip of unknown value has no winner; once entered, it scores in a sheet for the end."""
    game, names = de.load("sushi_draft", players=3), ["Ada", "Ben", "Cleo"]
    rounds = [Round((("ikura", "ikura"), ("ebi",), ()), chips=(None, 3)), *[Round(((), (), ()))] * 2]
    found = sheet_for(game, names, rounds)
    assert (found["over"], found["game"]["winners"]) == (True, [])
    assert found["missing"] == [
        "Nobody has won yet.",
        "Ada has 1 chip, worth 3 to 5 points: enter what they are worth.",
    ]
    found = sheet_for(game, names, [*rounds[:2], Round(((), (), ()), chips=(5,))])
    assert (found["missing"], found["game"]) == ([], {"scores": [5, 3, 0], "winners": [0]})
    assert [(own["round"], own["end"]) for own in found["sheet"]] == [(1, False), (2, False), (3, False), (4, True)]


def test_a_sheet_over_the_wire(address):
    status, body = ask(
        address,
        "/api/score",
        {
            "set": "sushi_go",
            "variants": [],
            "names": ["Ada", "Ben"],
            "rounds": [[["tempura", "tempura"], ["dumpling"]]],
        },
    )
    assert (status, json.loads(body)["game"]["scores"]) == (200, [5, 1])
    wrong = [{"tables": [[], []], own: value} for own, value in (
        ("points", [1.5]), ("points", [True]), ("chips", [1, 2, 3]), ("chips", ["1"]),
        ("counters", {"nothing": [1, 2]}), ("markers", {"nothing": 0}), ("x", 1),
    )]  # fmt: skip
    for rounds in ([], [[["nothing"], []]], [[["tempura"]]], "x", [[[], []]] * 9, *([own] for own in wrong)):
        asked = {"set": "sushi_go", "variants": [], "names": ["Ada", "Ben"], "rounds": rounds}
        assert ask(address, "/api/score", asked)[0] == 400
