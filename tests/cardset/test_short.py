"""Short spellings: each plays as its long form does."""

from __future__ import annotations

import pytest

import draftengine as de
from draftengine.api.ruleset import rules_named
from draftengine.engine.chance import root_of
from draftengine.model.selection import open_document, resolve
from draftengine.render.rulebook import book_of
from draftengine.render.rulebook.formats import as_text
from draftengine.studies.runner.playing import ReferencePlayer
from text.forms import play_alike
from written import TWO_DISHES

LONG = """
format: 2
id: spellings
title: Spellings
version: 1.0.0
players: 2-4
rounds: {until: most(points) >= 20, at_most: 100}
markers: {starter: {start: random}, cup: {}}
cards:
  soup: {count: {2: 8, 3: 12, 4: 16}}
  tea: {count: 12, family: drink, adds: {stars: 2}}
  spice: {count: 6}
  ladle: {count: 4}
  crown: {count: 1}
counters: {bid: {max: 9}}
modifiers: {spice: {card: spice, label: Spice, applies_to: drink, then: {stars: 3 * amount}}}
abilities: {ladle: {card: ladle, label: Ladle, returns_to: hand}}
round:
  - move: {from: everywhere, to: deck}
  - shuffle: deck
  - deal: {to: hand, cards: 4}
  - choose: {as: {more: {cards: 0, do: [{add: {bid: 1}}]}, less: {cards: 0}}}
  - give: {marker: cup, to: {most: bid}, tie: left}
  - repeat: {until_empty: hand, do: [{choose: {from: hand}}, {pass: {to: [left, right]}}]}
  - in_turn: {do: [{take: cup, when: crown > 0}]}
  - give: {marker: starter, to: {most: holds(cup)}}
  - score: round
scoring: {stars: {each: stars, points: 1}, cup: {points: 3 if holds(cup) else 0}}
"""
SPELLINGS = {
    "rounds: {until: most(points) >= 20, at_most: 100}": "rounds: {until: most(points) >= 20}",
    "soup: {count: {2: 8, 3: 12, 4: 16}}": "soup: {count: 4 * players}",
    "spice: {count: 6}": "spice: {count: 6, modifier: {applies_to: drink, then: {stars: 3 * amount}}, label: Spice}",
    "ladle: {count: 4}": "ladle: {count: 4, ability: {returns_to: hand}, label: Ladle}",
    "modifiers: {spice: {card: spice, label: Spice, applies_to: drink, then: {stars: 3 * amount}}}": "",
    "abilities: {ladle: {card: ladle, label: Ladle, returns_to: hand}}": "",
    "crown: {count: 1}": "crown: {}",
    "give: {marker: cup, to: {most: bid}, tie: left}": "give: {cup: {most: bid, tie: left}}",
    "{take: cup, when: crown > 0}": "{give: {cup: self}, when: crown > 0}",
    "give: {marker: starter, to: {most: holds(cup)}}": "give: {starter: cup}",
}


def short():
    text = LONG
    for long, spelling in SPELLINGS.items():
        assert long in text
        text = text.replace(long, spelling)
    return text


@pytest.fixture(scope="module")
def games(tmp_path_factory):
    """Return the game in both spellings."""
    folder = tmp_path_factory.mktemp("short")
    paths = [folder / "long.yaml", folder / "short.yaml"]
    for path, text in zip(paths, (LONG, short()), strict=True):
        path.write_text(text)
    return paths


@pytest.mark.parametrize("players", [2, 4])
def test_short_spellings_play_as_the_long_ones(games, players):
    programs = [de.load(path, players=players).program for path in games]
    seats = ["random"] * players
    long, brief = (
        ReferencePlayer(program, seats, logged=True).play(root_of("short"), 0, 6, rows=True) for program in programs
    )
    assert brief == long


def test_short_spellings_are_played_alike_in_every_form(games):
    play_alike(de.load(games[1], players=3).program, "short", 4)


@pytest.mark.parametrize("language", ["en", "pl", "ja"])
def test_rounds_without_a_bound_print_none(games, language):
    """Check that nobody reads of a hundred rounds where only a condition ends the game."""
    games[1].with_name("rounds.yaml").write_text(short().replace("each: stars, points: 1", "points: stars + 2 * round"))
    text = as_text(book_of(rules_named(games[1].with_name("rounds.yaml"), ()), language))
    assert "100" not in text
    assert "…" in text  # the direction of passing goes on by turns
    assert de.load(games[1], players=2).start(1).view(0).round == 1


@pytest.mark.parametrize("count", ["soup * players", "players - 9", "400 * players", "players +", "players >= 3"])
def test_copies_that_no_number_of_players_gives(count):
    text = TWO_DISHES.replace("soup: {count: 20}", f"soup: {{count: {count}}}")
    document, findings = open_document(text.encode(), "two.yaml", lambda _: None)
    assert document is not None, findings
    model, findings = resolve(document)
    assert model is None
    assert [finding.code for finding in findings] == ["formula-syntax"]
    place = findings[0].span
    assert place.source.text[place.start : place.end] == count


@pytest.mark.parametrize(
    "change",
    [
        ("crown: {count: 1}", "give: {count: 1}", "crown > 0", "give > 0"),
        ("bid: {max: 9}", "bid: {max: 9}, give: {max: 9}"),
        ("less: {cards: 0}", "give: {cards: 0}"),
        ("cup: {}", "cup: {}, give: {start: first}"),
    ],
    ids=["card", "counter", "way", "marker"],
)
def test_only_steps_are_spelt_in_short(change):
    """Check that other things may be called like the step `give`."""
    text = LONG
    for old, new in zip(change[::2], change[1::2], strict=True):
        assert old in text
        text = text.replace(old, new)
    document, findings = open_document(text.encode(), "give.yaml", lambda _: None)
    assert document is not None, findings
    assert [finding for finding in resolve(document)[1] if finding.severity == "error"] == []


def test_a_tie_may_stand_beside_the_marker(games, tmp_path):
    beside = tmp_path / "beside.yaml"
    beside.write_text(short().replace("{cup: {most: bid, tie: left}}", "{cup: {most: bid}, tie: left}"))
    both = [
        ReferencePlayer(de.load(path, players=3).program, ["random"] * 3, logged=True).play(
            root_of("tie"), 0, 3, rows=True
        )
        for path in (games[0], beside)
    ]
    assert both[0] == both[1]


@pytest.mark.parametrize("section", ["modifiers", "abilities"])
def test_one_name_has_one_modifier_and_one_ability(section):
    name = {"modifiers": "spice", "abilities": "ladle"}[section]
    (entry,) = (line for line in LONG.splitlines() if line.startswith(f"{section}:"))
    text = short().replace("round:\n", f"{entry}\nround:\n")
    document, _ = open_document(text.encode(), "twice.yaml", lambda _: None)
    assert [(finding.code, finding.names) for finding in resolve(document)[1] if finding.severity == "error"] == [
        ("duplicate-key", (name, section))
    ]


PLACED = TWO_DISHES.replace("{set: soup, size: 2, points: 5}", "{points: 4 - place(soup)}")


@pytest.mark.parametrize("of", ["most(y)", "fewest(y)", "left(y)", "others_with(y > 1)"])
def test_a_definition_does_not_ask_for_a_place_at_other_seats(of):
    text = PLACED.replace("4 - place(soup)", "f(place(soup))").replace(
        "scoring:", f'define: {{"f(y)": {of}}}\nscoring:'
    )
    document, findings = open_document(text.encode(), "two.yaml", lambda _: None)
    assert document is not None, findings
    assert [finding.code for finding in resolve(document)[1] if finding.severity == "error"] == ["formula-syntax"]


def test_an_author_s_own_my_changes_no_place(tmp_path):
    points = []
    for number, define in enumerate(("", 'define: {"my(y)": 2 * y}\n')):
        path = tmp_path / f"{number}.yaml"
        path.write_text(PLACED.replace("scoring:", f"{define}scoring:"))
        state = de.load(path, players=2).set_up(de.Position(hands=[["soup"]] * 2, tables=[["soup"], ["soup"] * 4]))
        points.append(state.commit(0, "soup").commit(1, "soup").scored("round").points)
    assert points[0] == points[1] != (0, 0)


def test_place_alone_and_played_in_every_form(tmp_path):
    """Check that these functions work in steps and rules, plain and compiled alike."""
    path = tmp_path / "places.yaml"
    steps = """
        - {points: 4 - place(soup), who: place(soup) <= 3 and soup > 0}
        - {points: 2 * played(bread), who: alone(played(bread) > 0)}
        - pass: {zone: hand, to: left}"""
    path.write_text(TWO_DISHES.replace("\n        - pass: {zone: hand, to: left}", steps))
    assert de.check(path) == ()
    game = de.load(path, players=3)
    play_alike(game.program, "places", 6)
    hands = [["soup", "soup"], ["bread", "bread"], ["soup", "soup"]]
    state = game.set_up(de.Position(hands=hands, tables=[["soup"], [], []]))
    for seat, hand in enumerate(hands):
        state = state.commit(seat, hand[0])
    assert state.points == (3, 2, 2)


@pytest.mark.parametrize(
    ("language", "words"), [("en", "your place in the ranking by"), ("pl", "miejsce"), ("ja", "順位")]
)
def test_a_place_has_words_of_its_own(tmp_path, language, words):
    path = tmp_path / "places.yaml"
    path.write_text(TWO_DISHES.replace("{set: soup, size: 2, points: 5}", "{points: 4 - place(soup)}"))
    text = " ".join(as_text(book_of(rules_named(path, ()), language)).split())
    assert words in text
    assert "1 plus" not in text


@pytest.mark.parametrize(("to", "meant"), [("lefft", "left"), ("cupp", "cup"), ("crown", "")])
def test_a_marker_goes_only_to_whom_there_is(to, meant):
    text = short().replace("give: {starter: cup}", f"give: {{starter: {to}}}")
    document, _ = open_document(text.encode(), "short.yaml", lambda _: None)
    (finding,) = resolve(document)[1]
    assert finding.code == "unknown-marker"
    assert finding.span.source.text[finding.span.start : finding.span.end] == to
    assert f"“{meant}”" in str(finding.hint) or not meant


@pytest.mark.parametrize(
    ("give", "code", "hint"),
    [
        ("{left: starter}", "unknown-marker", "Write “give: {starter: left}”."),
        ("{starter: starter}", "not-allowed-value", "Possible: left, right, nobody or self."),
        ("{starter: most stars}", "bad-name", "Write “{most: stars}”."),
    ],
)
def test_a_hint_says_who_gets_a_marker(tmp_path, give, code, hint):
    path = tmp_path / "short.yaml"
    path.write_text(short().replace("give: {starter: cup}", f"give: {give}"))
    errors = [finding for finding in de.check(path) if finding.severity == "error"]
    assert [(finding.code, finding.hint) for finding in errors] == [(code, hint)]


def test_a_change_says_the_copies_of_a_new_card():
    """Check that a slip of the pen in a house rule makes no new card."""
    house = "format: 2\nid: house\nextends: two_dishes\ncards: {{{}: {{label: Broth}}}}\n"
    base = {"two_dishes": ("two_dishes.yaml", TWO_DISHES.encode())}
    document, findings = open_document(house.format("soop").encode(), "house.yaml", base.get)
    assert document is None
    assert [finding.code for finding in findings] == ["required-key"]
    document, _ = open_document(house.format("soup").encode(), "house.yaml", base.get)
    assert document is not None


@pytest.mark.parametrize(
    ("rounds", "points", "says"),
    [
        ("{until: place(soup) > 1}", "4", [("place(soup)", "“place”")]),
        ("{until: alone(soup > 1)}", "4", [("alone(soup > 1)", "“alone”")]),
        ("{until: played(soup) > 1}", "4", [("played(soup)", "“played”")]),
        ("2", "place(soop)", [("soop", "“soop”")]),
        ("2", "place(soup, bread)", [("place(soup, bread)", "“place”")]),
        ("2", "played(bid)", [("bid", "“played”")]),
        ("2", "played(soup + 1)", [("soup + 1", "“played”")]),
    ],
)
def test_findings_name_the_function_that_was_written(rounds, points, says, tmp_path):
    """Check that nobody reads of the functions for which `place`, `alone` and `played` stand."""
    text = TWO_DISHES.replace("{set: soup, size: 2, points: 5}", f"{{points: '{points}'}}")
    text = text.replace("rounds: 2", f"rounds: {rounds}\ncounters: {{bid: {{max: 9}}}}")
    path = tmp_path / "two.yaml"
    path.write_text(text)
    errors = [finding for finding in de.check(path) if finding.severity == "error"]
    assert [finding.span.source.text[finding.span.start : finding.span.end] for finding in errors] == [
        place for place, _ in says
    ]
    for finding, (_, word) in zip(errors, says, strict=True):
        assert word in str(finding.text)


@pytest.mark.parametrize(
    ("give", "codes"),
    [
        ("{starter: right}", []),
        ("{starter: {most: bread}}", []),
        ("{cup: left}", []),
        ("{starter: left}", ["overlay-changes-nothing"]),
    ],
)
@pytest.mark.parametrize("where", ["steps: {}", "variants: {{other: {{title: Other, changes: {{steps: {}}}}}}}"])
def test_a_change_of_a_step_may_be_short(where, give, codes, tmp_path):
    """Check that a change says all of `give`, so that what stays the same in it is no finding."""
    base = TWO_DISHES.replace("rounds: 2", "rounds: 2\nmarkers: {starter: {start: random}, cup: {start: random}}")
    base = base.replace("  - score: round", "  - give: {starter: left}\n    id: turn\n  - score: round")
    base = base.replace("{set: soup, size: 2, points: 5}", "{points: soup + holds(starter) + holds(cup)}")
    (tmp_path / "two_dishes.yaml").write_text(base)
    changed = where.format(f"{{turn: {{give: {give}}}}}")
    house = tmp_path / "house.yaml"
    house.write_text(f"format: 2\nid: house\nextends: two_dishes\ntitle: House\nversion: 1.0.0\n{changed}\n")
    assert [finding.code for finding in de.check(house)] == codes


@pytest.mark.parametrize(
    ("count", "meant"),
    [
        ("5 * playerss", "“5 * players”"),
        ("4 * seats", "“4 * players”"),
        ("4 * Players + 1", "“4 * players + 1”"),
        ("4 per player", "“4 * players”"),
        ("4 * soup", "Other names are not known before the game"),
        ("twelve", "12"),
        ("2-4", "one number"),
    ],
)
def test_copies_are_a_formula_of_players(count, meant, tmp_path):
    """Check that a slip of the pen in a number of copies is reported as one."""
    path = tmp_path / "copies.yaml"
    path.write_text(TWO_DISHES.replace("soup: {count: 20}", f"soup: {{count: {count}}}"))
    (finding,) = de.check(path)
    assert finding.code == "wrong-type"
    assert meant in str(finding.hint)


@pytest.mark.parametrize("name", ["left", "self", "to", "others", "everyone", "tie"])
def test_no_marker_is_called_like_a_word_of_give(name, tmp_path):
    path = tmp_path / "named.yaml"
    path.write_text(LONG.replace("cup", name))
    assert ("taken-name", name) in [(finding.code, finding.names[0]) for finding in de.check(path) if finding.names]


@pytest.mark.parametrize(
    ("tie", "sentence"), [("left", "it goes to the left."), ("nobody", "nobody gets it."), ("stays", "")]
)
def test_the_rulebook_says_who_gets_a_marker_if_nobody_holds_the_other(tmp_path, tie, sentence):
    path = tmp_path / "cup.yaml"
    path.write_text(short().replace("give: {starter: cup}", f"give: {{starter: cup, tie: {tie}}}"))
    text = " ".join(as_text(book_of(rules_named(path, ()), "en")).split())
    assert (
        f"“Starter” goes to whoever holds “Cup”. {'If there is no such player, ' if sentence else ''}{sentence}" in text
    )
    assert ("no such player" in text) is bool(sentence)


@pytest.mark.parametrize("step", ["take: cup", "give: {cup: self}", "take: cup, who: everyone", "do: [{take: cup}]"])
@pytest.mark.parametrize("where", ["{}", "repeat: {{times: 2, do: [{{{}}}]}}"])
def test_nobody_takes_a_marker_where_all_act(step, where, tmp_path):
    """Check that the flow says who takes a marker, because all seats would take it one after the other."""
    path = tmp_path / "taken.yaml"
    path.write_text(LONG.replace("  - score: round", f"  - {{{where.format(step)}}}\n  - score: round"))
    (finding,) = (finding for finding in de.check(path) if finding.severity == "error")
    assert (finding.code, finding.names) == ("misplaced-step", ("cup",))
    assert finding.span.source.text[finding.span.start : finding.span.end] in {"take", "give"}


def test_what_only_a_variant_uses_is_no_mistake(tmp_path):
    """A card without copies and an unread name are no findings if a variant has or reads them."""
    path = tmp_path / "orchard.yaml"
    path.write_text(
        """
format: 2
id: orchard
title: Orchard
version: 0.1.0
players: 2-3
rounds: 2
families: {fruit: {}}
cards: {apple: {count: 40, family: fruit}, fig: {count: 0, family: fruit}}
setup: [shuffle: deck]
round:
  - deal: {to: hand, cards: 4}
  - repeat: {until_empty: hand, do: [choose: {}, pass: {to: left}]}
  - score: round
  - clear: tableau
scoring: {fruit: {points: fruit // 2}}
winner: {order: most}
variants: {figs: {title: Figs, changes: {cards: {fig: {count: 5}}}}}
""",
        "utf-8",
    )
    assert [finding.code for finding in de.check(path)] == []
