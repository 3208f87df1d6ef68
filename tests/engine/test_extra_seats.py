"""Extra seats: a ranked one is compared with the players, another one is ignored."""

from __future__ import annotations

import pytest

from compiled import load_program
from draftengine.engine.game import commit, result, waiting
from draftengine.engine.moves import encode
from draftengine.engine.policies import random_game
from draftengine.engine.position import Position, lay_out, proof, score_label, set_up
from draftengine.model.selection import Selection, open_document

GAME = """
format: 1
id: kitchen
title: Kitchen
version: 1.0.0
players: 2
rounds: 1
cards:
  soup: {count: 20}
  bread: {count: 20}
markers:
  ladle: {}
  cook: {start: first}
extra_seats:
  guest: {wins: false, ranked: RANKED}
  ghost: {wins: false}
setup:
  - shuffle: deck
round:
  - deal: {to: hand, cards: 6}
  - repeat:
      until_empty: hand
      do:
        - choose:
            from: hand
            to: tableau
            also: [{seat: guest, by: cook, cards: 1}, {seat: ghost, by: cook, cards: 1}]
        - pass: {zone: hand, to: left}
        - give: {marker: cook, to: left}
  - score: round
triggers:
  most_soup:
    after: reveal
    who: gained(soup) > 0 and soup == most(soup)
    only: single
    do: [{take: ladle}, {points: 1}]
scoring:
  most: {kind: majority, of: soup, most: [6, 3], at_least: 1}
  pairs: {kind: set, of: soup, size: 2, points: 5}
  seats: {kind: formula, points: 100 * seats + 10 * total(soup) + others_most(soup)}
winner: {order: most}
"""


def kitchen(*, ranked):
    text = GAME.replace("RANKED", str(ranked).lower())
    document, findings = open_document(text.encode(), "kitchen.yaml", lambda _: None)
    assert not findings, findings
    return load_program(document, Selection(), 2)


TABLES = {"players": (("soup",), ("soup", "soup")), "guest": ("soup",) * 4, "ghost": ("soup", "soup", "soup")}
"""The guest has most soup, then the ghost, then a player."""


def scored(program):
    """Return points by rule and seat name, and totals."""
    extra = [seat.id for seat in program.model.extra_seats]
    names = [*range(program.players), *extra]
    state = lay_out(program, Position(tables=(*TABLES["players"], *(TABLES[name] for name in extra))))
    rules = {}
    for line in proof(state, "round"):
        rules.setdefault(line.rule, {})[names[line.seat]] = line.points
    return rules, dict(zip(names, score_label(state, "round").scores, strict=True))


@pytest.mark.parametrize(
    ("ranked", "most", "pairs", "seats"),
    [
        pytest.param(
            True,
            {0: 0, 1: 0, "guest": 6, "ghost": 3},
            {0: 0, 1: 5, "guest": 10, "ghost": 5},
            {0: 504, 1: 504, "guest": 503, "ghost": 504},
            id="ranked",
        ),
        pytest.param(
            False,
            {0: 0, 1: 3, "guest": 0, "ghost": 6},
            {0: 0, 1: 5, "guest": 0, "ghost": 5},
            {0: 363, 1: 363, "guest": 0, "ghost": 362},
            id="passed-by",
        ),
    ],
)
def test_scoring(ranked, most, pairs, seats):
    """Check that explained points equal those that are computed quickly."""
    rules, total = scored(kitchen(ranked=ranked))
    assert rules == {"most": most, "pairs": pairs, "seats": seats}
    assert total == {seat: most[seat] + pairs[seat] + seats[seat] for seat in most}


def test_seats_that_are_passed_by_come_last():
    assert [seat.id for seat in kitchen(ranked=False).model.extra_seats] == ["ghost", "guest"]
    assert [seat.id for seat in kitchen(ranked=True).model.extra_seats] == ["guest", "ghost"]


@pytest.mark.parametrize(("ranked", "taken"), [(True, True), (False, False)], ids=["ranked", "passed-by"])
def test_triggers(ranked, taken):
    program = kitchen(ranked=ranked)
    guest = [program.seat_name(seat) for seat in range(program.seats)].index("guest")
    state = set_up(program, Position(hands=(("bread", "soup", "bread", "bread"), ("bread",) * 4))).state
    others = {"guest": ["soup"], "ghost": ["bread"]}
    for seat in waiting(state):
        state = commit(state, seat, encode(state, seat, ["bread"], others if seat == 0 else {})).state
    held = state.markers[[marker.id for marker in program.markers].index("ladle")]
    assert (held == guest, state.scores[guest]) == (taken, int(taken))


@pytest.mark.parametrize("ranked", [True, False], ids=["ranked", "passed-by"])
def test_games_are_the_same_told_and_quiet(ranked):
    program = kitchen(ranked=ranked)
    guest = [program.seat_name(seat) for seat in range(program.seats)].index("guest")
    for game in range(20):
        quiet, told = random_game(program, 3, game), random_game(program, 3, game, tell=[].append)
        assert quiet.digest() == told.digest()
        assert ranked or result(quiet).scores[guest] == 0


DRAWN_BY_WHOEVER_HOLDS_IT = """
format: 1
id: larder
title: Larder
version: 1.0.0
players: 2
rounds: 1
cards: {soup: {count: 20}}
markers: {cook: {start: first}}
extra_seats: {ghost: {}}
setup: [{shuffle: deck}]
round:
  - deal: {to: hand, cards: 4}
  - repeat:
      times: 4
      do:
        - draw: {to: hand, cards: 1, who: {holder: cook}}
        - choose: {from: hand, to: tableau, who: {holder: cook}}
        LAST
  - score: round
triggers:
  handed_on: {after: reveal, who: gained(soup) == 0 and not holds(cook), only: each, do: [{take: cook}]}
scoring: {soups: {kind: each, of: soup, points: 1}}
winner: {order: most}
"""


def larder(last):
    text = DRAWN_BY_WHOEVER_HOLDS_IT.replace("LAST", last)
    document, findings = open_document(text.encode(), "larder.yaml", lambda _: None)
    assert document is not None, findings
    return document


def test_nobody_chooses_where_an_extra_seat_holds_the_marker():
    """Check a marker that the ghost gets with the first card and keeps: no seat draws from then on."""
    state = random_game(load_program(larder(""), Selection(), 2), 1, 0)
    assert state.markers == [2]
    assert [sum(map(len, state.zones[state.program.zone_index(zone)])) for zone in ("hand", "tableau")] == [8, 1]


def test_from_an_extra_seat_the_marker_goes_on_to_a_player():
    state = random_game(load_program(larder("- give: {marker: cook, to: left}"), Selection(), 2), 1, 0)
    assert [len(own) for own in state.zones[state.program.tableau]] == [1, 3, 0]
