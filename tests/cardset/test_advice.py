"""Advice in findings is right: a file changed as advised is accepted."""

from __future__ import annotations

import pytest

import draftengine as de
from draftengine.api.scenario.suite import check_bytes

GAME = """
format: 2
id: base
title: Base
version: 1.0.0
players: 2-4
rounds: 2
cards:
  soup: {count: 20}
  bread: {count: 20}
  cake: {count: 20, family: sweet}
setup:
  - shuffle: deck
round:
  - deal: {to: hand, cards: 5}
  - repeat:
      times: 5
      do:
        - choose: {from: hand, to: tableau}
        - pass: {zone: hand, to: left}
  - draw: {from: discard, of: soup, to: hand}
  - score: round
  - clear: tableau
scoring:
  soup: {each: soup, points: 2}
  bread: {set: bread, size: 3, points: 9}
  sweet: {each: sweet, points: 1}
winner: {order: most}
examples:
  - name: two soups
    players: 2
    tables: [[soup, soup], []]
    expect: {points: {sweet: [0, 0]}}
  - name: one is played
    players: 2
    hands: [[soup, soup, cake], [bread]]
    moves: [[soup, bread]]
    expect: {tables: [[soup], [bread]]}
"""

SOUP = "soup: {each: soup, points: 2}"
DRAW, DRAWN = "draw: {from: discard, of: soup, to: hand}", "draw: {from: discard, to: hand}"
CHOOSE = "choose: {from: hand, to: tableau}"
CAKE = "cake: {count: 20, family: sweet}"
ON_CAKE = "cake: {count: 20, family: sweet, "
DEAL, DEALT = "deal: {to: hand, cards: 5}", "deal: {to: hand, cards: {2: soup + 1, 3: 4, 4: 5}}"

# Columns: the old text, its replacement, the advice, and the text after following it.
CASES = [
    (SOUP, "soup: most soup", "soup: {majority: soup, most: [5]}", "<>"),
    (SOUP, "soup: {scores: most soup}", "majority: soup, most: [5]", "soup: {<>}"),
    (SOUP, "soup: 2 * soup + 1", "soup: {points: 2 * soup + 1}", "<>"),
    (SOUP, "soup: max(soup, bread)", 'soup: {points: "max(soup, bread)"}', "<>"),
    (CAKE, ON_CAKE + "scores: most cake}", "scores: {majority: cake, most: [5]}", ON_CAKE + "<>}"),
    (CAKE, ON_CAKE + "scores: fewest cake}", "scores: {majority: cake, fewest: [5]}", ON_CAKE + "<>}"),
    (CAKE, ON_CAKE + "scores: 3}", "scores: {each: cake, points: 3}", ON_CAKE + "<>}"),
    (CAKE, ON_CAKE + "scores: round}", "scores: {each: cake, points: 1, at: round}", ON_CAKE + "<>}"),
    (CAKE, ON_CAKE + "scores: soup}", "scores: {points: soup}", ON_CAKE + "<>}"),
    (CAKE, ON_CAKE + "score: round}", "scores: {each: cake, points: 1, at: round}", ON_CAKE + "<>}"),
    (CAKE, ON_CAKE + "score: 3}", "scores: {each: cake, points: 3}", ON_CAKE + "<>}"),
    (SOUP, SOUP[:-1] + ", score: round}", "at: round", SOUP[:-1] + ", <>}"),
    (SOUP, SOUP[:-1] + ", if: round == 2}", "when", SOUP[:-1] + ", <>: round == 2}"),
    (SOUP, SOUP[:-1] + ", if: soup > 2}", "soup: {points: 2 * soup if soup > 2 else 0}", "<>"),
    (SOUP, SOUP[:-1] + ", condition: cake > 1}", "soup: {points: 2 * soup if cake > 1 else 0}", "<>"),
    (SOUP, SOUP[:-1] + ", when: soup > 2}", "soup: {points: 3 if soup > 2 else 0}", "<>"),
    (CAKE, ON_CAKE + "on_play: [{score: round}]}", "points: 3", ON_CAKE + "on_play: [{<>}]}"),
    (DEAL, DEALT, "Write draw", DEALT.replace("deal", "draw")),
    ("[[soup, soup], []]", "[[soup x2], []]", "soup, soup", "[[<>], []]"),
    ("[[soup, soup], []]", "[[2x soup, bread], []]", "soup, soup", "[[<>, bread], []]"),
    ("[[soup, soup], []]", "[soup x2, bread]", "tables: [[soup, soup, bread], …]", "[[soup, soup, bread], []]"),
    ("[soup, soup, cake]", "[soup*2, cake]", "soup, soup", "[<>, cake]"),
    ("[soup, soup, cake]", "{soup: 2, cake: 1}", "[soup, soup, cake]", "<>"),
    ("[[soup, bread]]", "[[soup x1, bread]]", "soup", "[[<>, bread]]"),
    (DRAW, DRAW.replace("of: soup", "of: soup > 2"), "who: soup > 2", f"{DRAWN}\n    <>"),
    (CHOOSE, CHOOSE[:-1] + ", as: {a: {of: cake > 2}}}", "when: cake > 2", CHOOSE[:-1] + ", as: {a: {<>}}}"),
]  # fmt: skip


def found_in(text):
    return [own for own in check_bytes("game.yaml", "game.yaml", text.encode()) if own.severity == "error"]


def test_the_game_is_right():
    assert found_in(GAME) == []


MANY = """\
rounds: 1
round:
  - repeat:
      until: most(points) >= 50
      at_most: 30
      do:
        - {gather: deck}
        - {shuffle: deck}
        - deal: {to: hand, cards: 5}
"""


def test_more_rounds_than_there_can_be_are_turns():
    """Check the advice for too many rounds: a round that repeats its turns."""
    (finding,) = found_in(GAME.replace("rounds: 2", "rounds: {until: most(points) >= 50, at_most: 130}"))
    assert (finding.code, "“repeat: {until: …, at_most: 300, do: […]}”" in finding.hint) == ("out-of-range", True)
    head, _, rest = GAME.partition("rounds: 2\n")
    components, _, steps = rest.partition("round:\n  - deal: {to: hand, cards: 5}\n")
    inner, _, rules = steps.partition("scoring:\n")
    turns = "".join(f"      {line}\n" for line in inner.splitlines())
    assert found_in(f"{head}{MANY}{turns}{components}scoring:\n{rules}") == []


@pytest.mark.parametrize(("there", "wrong", "advised", "then"), CASES, ids=[own[1] for own in CASES])
def test_what_is_advised_is_accepted(there, wrong, advised, then):
    """Check that one finding gives the advice, and that a file changed accordingly has no findings."""
    assert there in GAME
    (finding,) = found_in(GAME.replace(there, wrong, 1))
    assert advised in finding.hint
    after = found_in(GAME.replace(there, then.replace("<>", advised), 1))
    assert [own for own in after if own.code != "example-fails"] == []  # the mended game may play differently


@pytest.mark.parametrize(
    ("old", "new", "hint"),
    [
        ("times: 5", "times: 2", "let seats take more cards before"),
        ("deal: {to: hand, cards: 5}", "deal: {to: hand, cards: 2}", "let seats take more cards before"),
        ("bread: {count: 20}", "bread: {count: 2}", "or add cards"),
    ],
)
def test_what_a_rule_lacks_is_named(old, new, hint):
    """Check that cards are asked for only if there are too few, and otherwise the steps that take them."""
    text = GAME.replace("  - draw: {from: discard, of: soup, to: hand}\n", "")
    assert old in text
    findings = check_bytes("game.yaml", "game.yaml", text.replace(old, new).encode())
    (never,) = [finding for finding in findings if finding.code == "rule-never-scores"]
    assert hint in never.hint


@pytest.mark.parametrize(
    ("cards", "expected"),
    [
        ("cake: {count: 20, family: sweet, on_play: [{points: 0}]}", 1),
        ("cake: {count: 20, family: sweet, on_play: [{points: soup // 40}]}", 1),
        ("cake: {count: 20, family: sweet, on_play: [{points: soup // 2}]}", 0),
        ("'cake_{k}': {for: {k: 0-2}, count: 20, family: sweet, on_play: [{points: '{k}'}]}", 0),
    ],
)
def test_points_that_are_always_nothing(cards, expected):
    """Check that an effect which gives 0 is found, unless another card of the same entry gives more."""
    text = GAME.replace("cake: {count: 20, family: sweet}", cards).partition("examples:")[0]
    findings = check_bytes("game.yaml", "game.yaml", text.encode())
    assert not any(finding.severity == "error" for finding in findings), findings
    assert [finding.code for finding in findings].count("effect-does-nothing") == expected


HOUSES = """format: 2
id: houses
title: Houses
version: 1.0.0
players: 2
cards: {hut: {count: 20}, map: {count: 20}}
setup: [{shuffle: deck}]
round:
  - deal: {to: hand, cards: 4}
  - in_turn: {do: [{choose: {name: rival, of: others}}, {add: {coins: 1}, who: everyone}]}
  - choose:
      from: hand
      as:
        look: {when: cards(hand) > 0, do: [{add: {coins: 1}}]}
        build: {to: tableau}
  - score: round
counters: {coins: {max: 99}}
scoring: {hut: {each: hut, points: 1}}
"""


@pytest.mark.parametrize(
    ("old", "new", "code", "at", "hint"),
    [
        (
            "{choose: {name: rival, of: others}}, {add: {coins: 1}, who: everyone",
            "{find: {name: rival, of: tableau}}, {add: {coins: 1}, who: rival",
            *("unknown-name", "rival}]", "among others or everyone"),
        ),
        (
            "  - score: round",
            "  - {add: {coins: 1}, who: rival}\n  - score: round",
            "misplaced-step",
            "add: {coins: 1}, who: rival}\n",
            "Write it in a list",
        ),
        ("scoring: {hut: {each: hut, points: 1}}\n", "", "required-key", "format", "nothing in the file gives points"),
        (
            *("deal: {to: hand, cards: 4}", "draw: {from: [deck, discard], to: hand}", "wrong-type", "[deck, discard]"),
            "Write a step for each: “draw: {from: deck, …}” and “draw: {from: discard, …}”.",
        ),
        (
            *("deal: {to: hand, cards: 4}", "deal: {to: [hand, tableau], cards: 4}", "wrong-type", "[hand, tableau]"),
            "Write a step for each: “deal: {to: hand, …}” and “deal: {to: tableau, …}”.",
        ),
        (
            *("[{shuffle: deck}]", "[{shuffle: [deck, discard]}]", "wrong-type", "[deck, discard]"),
            "Write a step for each: “shuffle: deck” and “shuffle: discard”.",
        ),
        (
            *("look: {when: cards(hand) > 0, do: [{add: {coins: 1}}]}", "look: {do: [{discard: left.hand}]}"),
            *("bad-name", "left.hand", "Only choose, move and draw can name a zone of another seat"),
        ),
        (
            *("{shuffle: deck}", "{choose: {to: [hand, tableau]}}", "wrong-type", "[hand, tableau]"),
            "Write “as: {hand: {to: hand}, tableau: {to: tableau}}”.",
        ),
    ],
)
def test_advice_is_given_where_the_mistake_is(tmp_path, old, new, code, at, hint):
    """Check place and hint of mistakes in a way, in `who` and in a file without rules."""
    text = HOUSES.replace(old, new)
    (tmp_path / "houses.yaml").write_text(text)
    (finding,) = [finding for finding in de.check(tmp_path / "houses.yaml") if finding.severity == "error"]
    assert (finding.code, finding.span.start) == (code, text.index(at))
    assert hint in finding.hint


def test_a_list_of_zones_has_none_of_another_seat():
    """A message about such a zone does not say that it is unknown."""
    text = HOUSES.replace("from: hand", "from: [hand, left.hand]")
    findings = check_bytes("-", "houses.yaml", text.encode())
    finding = next(finding for finding in findings if finding.code == "unknown-zone")
    assert finding.message == "“left.hand” is a zone of another seat, and none can be named here."
    assert "Write “from: left.hand” alone" in finding.hint


def test_a_way_with_the_name_of_a_verb_is_no_step():
    """A way has one destination. It is not advised to write steps in its place."""
    text = HOUSES.replace("look: {when: cards(hand) > 0, do: [{add: {coins: 1}}]}", "draw: {to: [hand, tableau]}")
    findings = check_bytes("-", "houses.yaml", text.encode())
    assert [finding.hint for finding in findings if finding.code == "wrong-type"] == [""]
