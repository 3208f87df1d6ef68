"""Tracks: counters on which seats with equal values are in the order in which they came there."""

import random

import pytest

import draftengine as de
from draftengine.api.ruleset import rules_named
from draftengine.api.scenario import stated_counters
from draftengine.api.scenario.missing import missing_in_words
from draftengine.api.scenario.recorded import recorded
from draftengine.api.scenario.score_tables import Round, positions, score
from draftengine.render.rulebook import book_of
from draftengine.render.rulebook.formats import as_text
from text.forms import play_alike

GAME = """
format: 2
id: tracks
title: Tracks
version: 1.0.0
players: 2-4
rounds: 2
cards:
  "walk_{n}": {for: {n: 0-3}, count: 9, on_play: [{add: {way: "{n}", hill: "{n}"}}]}
counters:
  way: {max: 20, keep: true, track: last}
  hill: {max: 20, keep: true, track: first}
  seen: {min: 0, max: 9, keep: true}
markers: {crown: {start: first}}
round:
  - move: {from: everywhere, to: deck}
  - shuffle: deck
  - deal: {to: hand, cards: 3}
  - repeat: {times: 3, do: [{in_turn: {do: [{choose: {from: hand, to: tableau}}]}, id: walk}]}
  - set: {seen: place(way)}
  - {find: {name: next_up, of: others, most: hill}}
  - {add: {seen: "of(next_up, seen) // 2"}}
  - give: {crown: {most: hill, tie: nobody}}
  - score: round
  - {set: {way: 0}, who: place(way) == 1}
scoring:
  way: {majority: way, most: [6, 3, 1], at_least: 1}
  hill: {majority: hill, most: [4, 2], fewest: [-1], at_least: 1}
  crown: {points: "seen + (5 if holds(crown) else 0)"}
winner: {tie_breakers: [{most: hill}]}
examples:
  - name: numbers with the order of arrival
    players: 3
    counters: {way: [[7, 2], [7, 3], [3, 1]], hill: [[7, 2], [7, 3], 3]}
    expect: {points: {way: [3, 6, 1], hill: [4, 2, -1]}}
"""


def test_the_game_of_tracks_is_sound(path):
    assert de.check(path) == ()


@pytest.mark.parametrize("players", [2, 4])
def test_every_form_knows_the_same_order(path, players):
    play_alike(de.load(path, players=players).program, "tracks", 12)


def walked(path, *turns, **counters):
    """Return a game of three seats that have played these cards, turn by turn."""
    hands = [[turn[seat] for turn in turns] + ["walk_0"] * (3 - len(turns)) for seat in range(3)]
    state = de.load(path, players=3).set_up(de.Position(hands=hands, counters=counters))
    for turn in turns:
        for seat in range(3):
            state = state.commit(seat, turn[seat])
    return state


def points(state, rule):
    """Return the points that a rule would give now."""
    given = [0] * 3
    for line in state.explain():
        given[line.seat] += line.points if line.rule == rule else 0
    return given


def test_who_comes_to_the_same_space_later_or_first_is_ahead(path):
    state = walked(path, ["walk_2", "walk_2", "walk_1"])
    assert points(state, "way") == [3, 6, 1]
    assert points(state, "hill") == [4, 2, -1]
    state = walked(path, ["walk_2", "walk_1", "walk_1"], ["walk_0", "walk_1", "walk_1"])
    assert points(state, "way") == [1, 3, 6]  # the first stays, and others come to it one after the other
    assert points(state, "hill") == [4, 2, -1]


def test_arrivals_count_from_the_start_again(path):
    """Check that a seat that comes back to the start has arrived nowhere."""
    state = walked(path, ["walk_1", "walk_1", "walk_1"], ["walk_1", "walk_0", "walk_0"], ["walk_0", "walk_1", "walk_0"])
    fields = {field.name: field for field in state.game.program.fields}
    assert {name for name in fields if name.startswith("track:")} == {"track:way", "track:hill"}
    assert [seat["way"] for seat in state.counters] == [2, 0, 1]  # the second seat was ahead of the first on 2
    assert [seat["track:way"] for seat in state.counters] == [0, 0, 0]  # nobody else is on 1 now
    assert [seat["seen"] for seat in state.counters] == [2, 2, 4]  # places 2, 1 and 3, and half that of the one ahead


WALK = """
format: 2
id: walks
title: Walks
version: 1.0.0
players: 2-4
rounds: 1
cards:
  "to_{a}_{b}": {for: {a: 0-2, b: 0-2}, count: 30, on_play: [{set: {way: "{a}"}}, {set: {way: "{b}"}}]}
counters:
  way: {start: 1, max: 2, keep: true, track: last}
  seen: {min: 0, max: 9, keep: true}
round:
  - deal: {to: hand, cards: 40}
  - repeat:
      times: 40
      do:
        - {in_turn: {do: [{choose: {from: hand, to: tableau}}]}, id: walk}
        - set: {seen: place(way)}
  - score: round
scoring:
  way: {majority: way, most: [6, 3, 1]}
"""


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_order_stays_exact_however_often_seats_come_back(tmp_path, players):
    """Compare long walks with plain lists of the seats at each value, in the order of arrival."""
    path = tmp_path / "walks.yaml"
    path.write_text(WALK)
    draw = random.Random(players)
    hands = [[f"to_{draw.randrange(3)}_{draw.randrange(3)}" for _ in range(40)] for _ in range(players)]
    state = de.load(path, players=players).set_up(de.Position(hands=hands))
    there, now = {0: [], 1: [], 2: []}, [1] * players
    for turn in range(40):
        for seat in range(players):
            state = state.commit(seat, hands[seat][turn])
            for value in map(int, hands[seat][turn].split("_")[1:]):
                if value != now[seat]:
                    there[now[seat]] = [other for other in there[now[seat]] if other != seat]
                    there[value] += [seat] if value != 1 else []  # at the start there is no order
                    now[seat] = value
        arrivals = [there[value].index(seat) if value != 1 else 0 for seat, value in enumerate(now)]
        assert [counters["way"] for counters in state.counters] == now
        assert [counters["track:way"] for counters in state.counters] == arrivals
        standing = list(zip(now, arrivals, strict=True))
        if turn < 39:
            assert [counters["seen"] for counters in state.counters] == [
                1 + sum(other > each for other in standing) for each in standing
            ]


def test_every_form_ranks_seats_that_come_back(tmp_path):
    path = tmp_path / "walks.yaml"
    path.write_text(WALK.replace("40", "9"))
    play_alike(de.load(path, players=3).program, "walks", 6)


def test_nobody_hears_of_arrivals(path):
    state = walked(path, ["walk_2", "walk_2", "walk_1"])
    assert not any(":" in item.thing for seat in range(3) for item in state.view(0).belongings(seat))
    assert not any(":" in event.name for event in state.events if event.kind == "counter")
    assert all("/" not in line.text for line in state.explain())


@pytest.mark.parametrize(("language", "words"), [("en", "got there last is"), ("pl", "ostatni"), ("ja", "後から")])
def test_books_say_who_is_ahead(path, language, words):
    text = " ".join(as_text(book_of(rules_named(path, ()), language)).split())
    assert words in text
    assert "track:" not in text
    if language == "en":
        assert "if equal, whoever got there first is" in text


def test_books_explain_tracks_that_no_majority_ranks(tmp_path):
    path = tmp_path / "tracks.yaml"
    path.write_text(
        GAME.replace("  hill: {majority: hill, most: [4, 2], fewest: [-1], at_least: 1}\n", "").replace(
            ", hill: [4, 2, -1]", ""
        )
    )
    text = " ".join(as_text(book_of(rules_named(path, ()), "en")).split())
    assert "Hill Of players with equally many, the one who got there first is ahead." in text


@pytest.mark.parametrize(
    "change",
    [
        ("count: 9, on_play", "count: 9, adds: {way: 1}, on_play"),
        ("{from: hand, to: tableau}", "{from: hand, as: {go: {pay: {hill: 1}}, stay: {}}}"),
        ("seen: {min: 0", "seen: {track: last, die: 6, min: 0"),
        ("seen: {min: 0", "seen: {track: last, per: table, min: 0"),
    ],
    ids=["adds", "pay", "die", "table"],
)  # fmt: skip
def test_only_effects_move_seats_on_tracks(tmp_path, change):
    path = tmp_path / "tracks.yaml"
    assert change[0] in GAME
    path.write_text(GAME.replace(*change))
    assert "name-clash" in {finding.code for finding in de.check(path)}


def test_a_counter_without_a_track_has_no_order(tmp_path):
    path = tmp_path / "tracks.yaml"
    path.write_text(GAME.replace("track: last", "min: 0"))
    assert [finding.code for finding in de.check(path) if finding.severity == "error"] == ["example-invalid"]


def test_a_track_with_values_below_zero_has_an_order_at_its_end(tmp_path):
    """Check that seats that the lowest value stops stand there in the order of their arrival."""
    path = tmp_path / "walks.yaml"
    down = WALK.replace("{start: 1, max: 2", "{start: 0, min: -1, max: 2").replace(
        'set: {way: "{a}"}', "add: {way: -2}"
    )
    path.write_text(down.replace(', {set: {way: "{b}"}}', ""))
    state = de.load(path, players=3).set_up(de.Position(hands=[["to_0_0"] * 40] * 3))
    for seat in range(3):
        state = state.commit(seat, "to_0_0")
    assert [(seat["way"], seat["track:way"]) for seat in state.counters] == [(-1, 0), (-1, 1), (-1, 2)]


@pytest.mark.parametrize(
    ("tables", "expected"), [(["walk_2", "walk_2", "walk_2"], [0, 0, 0]), (["walk_2", "walk_2", "walk_1"], [3, 6, 1])]
)
def test_nobody_gets_anything_if_all_stand_on_one_space(tmp_path, tables, expected):
    path = tmp_path / "tracks.yaml"
    path.write_text(GAME.replace("most: [6, 3, 1], at_least: 1", "most: [6, 3, 1], nobody_if_all_equal: true"))
    assert points(walked(path, tables), "way") == expected
    play_alike(de.load(path, players=2).program, "tracks", 6)


def test_on_a_track_that_nothing_changes_all_are_tied(tmp_path):
    path = tmp_path / "tracks.yaml"
    path.write_text(
        GAME.replace(', hill: "{n}"', "")
        .replace(", hill: [[7, 2], [7, 3], 3]", "")
        .replace(", hill: [4, 2, -1]", "")
        .replace("place(way)}", "place(hill)}")
    )
    assert {finding.severity for finding in de.check(path)} == {"warning"}
    assert [seat["track:hill"] for seat in walked(path, ["walk_1", "walk_2", "walk_3"]).counters] == [0, 0, 0]


ARRIVALS = """
  - name: who came there first
    players: 3
    counters: {way: [[7, 20], [7, 30], 3]}
    expect: {counters: {way: [[7, 0], [7, 1], 3]}}
"""


def test_examples_compare_the_order_of_arrival(tmp_path):
    path = tmp_path / "tracks.yaml"
    path.write_text(GAME + ARRIVALS.removeprefix("\n"))
    assert de.check(path) == ()
    path.write_text(
        GAME
        + ARRIVALS.removeprefix("\n").replace(
            "expect: {counters: {way: [[7, 0], [7, 1]", "expect: {counters: {way: [[7, 1], 7"
        )
    )
    (finding,) = de.check(path)
    assert finding.code == "example-fails"


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (("counters: {way: [[7, 20], [7, 30], 3]}\n", "counters: {seen: [[7, 0]]}\n"), "seen is no track"),
        (("expect: {counters: {way", "expect: {counters: {seen"), "seen is no track"),
        (("counters: {way: [[7, 20], [7, 30], 3]}\n", "counters: {wya: [[7, 0], 3]}\n"), "wya"),
    ],
    ids=["position", "expected", "unknown"],
)  # fmt: skip
def test_messages_name_tracks_as_authors_do(tmp_path, change, message):
    path = tmp_path / "tracks.yaml"
    assert change[0] in ARRIVALS
    path.write_text(GAME + ARRIVALS.removeprefix("\n").replace(*change))
    (finding,) = de.check(path)
    assert message in finding.message
    assert "track:" not in f"{finding.message} {finding.hint}"


def test_findings_about_formulas_do_not_show_hidden_counters(tmp_path):
    path = tmp_path / "tracks.yaml"
    path.write_text(GAME.replace("most: [4, 2]", "most: [place(way), chosen(next_up)]"))
    findings = de.check(path)
    assert {"“way” cannot be used here.", "“next_up” cannot be used here."} <= {
        finding.message.split(" Its")[0] for finding in findings
    }
    assert not any(":" in finding.message for finding in findings)


def test_recorded_rounds_have_the_order_of_arrival(path):
    chance, state = random.Random(3), de.load(path, players=3).start(3)
    while not state.over:
        moves = state.view(state.waiting[0]).moves
        state = state.commit(state.waiting[0], moves[chance.randrange(len(moves))])
    scenario = recorded(state.game, 3, state.moves, 2)
    assert scenario["counters"]["hill"] == [[4, 0], [4, 1], [4, 2]]


def test_score_sheets_keep_the_order_of_arrival(path):
    """Check that a later round has it, too, unless it states other numbers."""
    game, tables = de.load(path, players=3), (("walk_1",), ("walk_2",), ("walk_1",))
    first = Round(tables, counters=stated_counters("way", [[7, 2], [7, 3], 3]))
    for counters, expected in (({}, [3, 6, 1]), ({"way": (7, 7, 8)}, [1, 1, 6])):
        *_, position = positions(game, [first, Round(tables, counters=counters)])
        assert points(game.lay_out(position), "way") == expected


def test_score_sheets_ask_for_tracks_by_their_names(tmp_path):
    path = tmp_path / "tracks.yaml"
    path.write_text(GAME.replace("winner:", "  rank: {points: 10 - place(way)}\nwinner:"))
    game = de.load(path, players=3)
    scores = score(game, [["walk_1"], [], []])
    assert missing_in_words(game, scores.missing, ["A", "B", "C"]) == [
        "The effects of Walk 1 are missing: enter Hill or Way."
    ]
