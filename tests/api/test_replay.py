"""Records of games: reading one gives what was written, and changed ones are refused."""

from __future__ import annotations

import copy
import json

import pytest

import draftengine as de
from draftengine.api.replay import Player, Recorded, RecordError, _checksum, commitment, read_record, record_of


def played(game, seed):
    """Play a game to its end, taking the first and the last legal move in turn."""
    state, number = game.start(seed), 0
    while not state.over:
        seat = state.waiting[-1]
        state = state.commit(seat, state.view(seat).moves[-(number % 2)])
        number += 1
    return state


GAMES = {
    "several rounds": ("sushi_go", 3, ()),
    "cards put aside, chips": ("sushi_draft", 3, ()),
    "a layout, one after the other": ("anniversary", 2, ("sushi_battle",)),
    "an extra seat": ("sushi_go_2014", 2, ("two_player_dummy",)),
}


@pytest.fixture(scope="module", params=GAMES.values(), ids=GAMES)
def state(request):
    name, players, variants = request.param
    return played(de.load(name, players, variants), "seed")


@pytest.fixture(scope="module")
def record():
    state = played(de.load("sushi_go", 2), "seed")
    return record_of(
        state,
        [Player("Ada", ""), Player("Ben", "greedy")],
        {"draftengine": "0"},
        published=commitment("seed", "s"),
        salt="s",
    )


def test_a_record_leads_to_its_game_again(state):
    """Check that a record, written and read as JSON, gives the states of its game, decision by decision."""
    players = [Player(f"P{seat}", "") for seat in range(state.game.players)]
    found = read_record(json.loads(json.dumps(record_of(state, players, {}))))
    assert found.end == state
    assert found.players == tuple(players)
    assert [own.number for own in found.decisions] == list(range(len(found.decisions)))
    assert [move for own in found.decisions for move in own.choices.items()] == [*map(tuple, state.moves)]
    for own in found.decisions[:-1]:
        assert not own.state.committed
        assert set(own.choices) == set(own.state.waiting)


def test_points_by_rule_add_up(state):
    """Check that points by rule add up to scores plus standing points, and at the end to the scores."""
    found = Recorded(state.game, "seed", (), state.moves)
    for own, points in zip(found.decisions, found.growth, strict=True):
        view = own.state.view(-1)
        for seat in range(state.game.seats):
            expected = state.result.scores[seat] if view.over else view.scores[seat] + view.standing(seat)
            assert sum(row[seat] for row in points.values()) == expected


def changes(record):
    """Yield changed records, and True if the rules alone refuse the change, without a checksum."""
    for path, value, known in (
        (("moves", 0, "cards"), record["moves"][2]["cards"], True),
        (("moves",), record["moves"][:-2], True),
        (("scores", 0), 99, True),
        (("rules", "maki", 0), -1, True),
        (("winners",), [0, 1], True),
        (("seed",), "another", True),
        (("salt",), "another", True),
        (("fingerprint",), "0" * 64, True),
        (("made_from", "variants"), ["no_such_variant"], True),
        (("made_from", "cardset", 0, "text"), "format: 1\n", True),
        (("players",), 3, True),
        (("moves", 0, "seat"), 7, True),
        (("format",), 2, True),
        (("seats", 0, "name"), "Eve", False),
        (("title",), "Another game", False),
    ):
        changed = at = copy.deepcopy(record)
        for part in path[:-1]:
            at = at[part]
        at[path[-1]] = value
        yield changed, known


def test_changes_are_refused(record):
    """Check that the checksum refuses each change; without it, or with a new one, the rules refuse some."""
    read_record(record)
    for changed, known in changes(record):
        with pytest.raises(RecordError):
            read_record(changed)
        without = {key: value for key, value in changed.items() if key != "checksum"}
        for other in (without, {**without, "checksum": _checksum(without)}):
            if known:
                with pytest.raises(RecordError) as refused:
                    read_record(other)
                assert str(refused.value).endswith(".")
            else:
                assert read_record(other)


@pytest.mark.parametrize("wrong", [None, [], {}, "text", {"made_from": {}}, {"made_from": {}, "format": 1}])
def test_what_is_no_record_is_refused(wrong):
    with pytest.raises(RecordError) as refused:
        read_record(wrong)
    assert refused.value.code in {"not-a-record", "other-version"}


def test_nothing_may_be_missing_and_nothing_more_be_there(record):
    for key in record:
        if key != "checksum":
            with pytest.raises(RecordError):
                read_record({own: value for own, value in record.items() if own not in {key, "checksum"}})
    with pytest.raises(RecordError, match="more"):
        read_record({**record, "more": 1})


def test_of_a_game_that_goes_on_nobody_sees_another_hand():
    """Check that the record of an unfinished game hides other hands and pending moves.

    A single person sees the game from their seat; several people see only open cards.
    """
    game = de.load("sushi_go", 3)
    state = game.start(1)
    state = state.commit(0, state.view(0).moves[0])
    person, bot = Player("", ""), Player("", "greedy")
    found = Recorded(game, 1, (person, bot, bot), state.moves)
    assert found.viewers == (-1, 0)
    assert found.decisions[-1].choices == {}
    assert found.end.committed == {}
    assert Recorded(game, 1, (person, person, bot), state.moves).viewers == (-1,)
    assert Recorded(game, 1, (bot, bot, bot), played(game, 1).moves).viewers == (-1, 0, 1, 2)
