"""Several mistakes in one file: one check finds all, and reports no consequences of them."""

from __future__ import annotations

import re

import pytest

import draftengine as de
from draftengine.api.scenario.suite import check_bytes
from draftengine.model.yaml.fixes import certain_edits, edited

GAME = """format: 2
id: inn
title: Inn
version: 1.0.0
players: 2-4
rounds: 2
cards:
  soup: {count: 24, family: warm}
  roast:
    count: 24
    family: warm
  spice: {count: 6}
modifiers:
  hot: {card: spice, applies_to: warm, then: {heat: 2}}
round:
  - shuffle: deck
  - deal: {to: hand, cards: 5}
  - repeat:
      until_empty: hand
      do:
        - choose: {from: hand, to: tableau}
        - {pass: {zone: hand, to: left}, id: pass_hands}
  - score: round
  - clear: tableau
scoring:
  soups: {set: soup, size: 2, points: 5}
  warmth: {each: warm, points: 1}
  heat: {each: heat, points: 1}
winner: {order: most}
variants:
  back: {title: Back, changes: {steps: {pass_hands: {pass: {to: right}}}}}
"""


def told(*changes):
    """Return the codes and line keys of the findings of the changed game, and the findings."""
    text = GAME
    for old, new in changes:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    found = check_bytes("-", "inn.yaml", text.encode())
    return [(own.code, own.span.source.line(own.span.position[0]).strip().split(":")[0]) for own in found], found


def test_the_game_is_fine():
    assert told() == ([], ())


UNKNOWN = (("warm, points: 1}", "warm, points: 1, zork: 1}"), ("count: 6}", "count: 6, zork: 1}"))


@pytest.mark.parametrize(
    "tab", [("  heat: {each", "\theat: {each"), ("  roast:", "\troast:"), ("  - deal", "\t- deal")]
)
@pytest.mark.parametrize("key", ["each: warm", "size: 2", "count: 6", "score: round"])
def test_a_duplicate_key_and_a_tab_hide_no_unknown_key(tab, key):
    """Unknown keys are reported beside one that occurs twice, even if a tab stops the reading."""
    twice = (key, f"{key}, {key}" if key != "score: round" else f"{key}\n    {key}")
    text = GAME
    for old, new in (tab, twice, *UNKNOWN):
        text = text.replace(old, new)
    codes = [finding.code for finding in check_bytes("-", "inn.yaml", text.encode())]
    assert sorted(codes) == ["duplicate-key", "tab", "unknown-key", "unknown-key"]


def test_what_was_left_out_is_not_missed():
    """Check that an example without its broken name or expectation is not reported as incomplete."""
    example = """examples:
  - name: no
    tables: [[soup]]
    expect: {scores: [0]}
"""
    codes, _ = told(("winner: {order: most}\n", f"winner: {{order: most}}\n{example}"))
    assert codes == [("ambiguous-word", "- name"), ("unknown-key", "expect")]


def test_a_series_of_cards_is_told_once():
    """Check that a missing key of a series is reported once, not for each of its nine cards."""
    series = """  "roll_{n}": {for: {n: 1-9}, count: 1}
"""
    codes, (one,) = told(("modifiers:\n", f"{series}modifiers:\n"))
    assert codes == [("card-does-nothing", '"roll_{n}"')]
    assert one.message == "Nothing in the game uses the card “roll_1”. The same applies to 8 others."


def test_two_of_a_series_are_told_once_and_like_names_of_others_are_not():
    """Check that both cards of a series share a finding, while separate cards with similar names do not."""
    series = """  "roll_{n}": {for: {n: 1-2}, count: 1}
  bun_1: {count: 1}
  bun_2: {count: 1}
"""
    _, found = told(("modifiers:\n", f"{series}modifiers:\n"))
    assert [own.message for own in found] == [
        "Nothing in the game uses the card “roll_1”. The same applies to another one.",
        "Nothing in the game uses the card “bun_1”.",
        "Nothing in the game uses the card “bun_2”.",
    ]


def test_what_keeps_a_series_from_being_read_is_told_once():
    """Check that a wrong key in a series of twelve cards is reported once."""
    series = """  "roll_{n}": {for: {n: 8-19}, count: 1, labl: Roll}
"""
    _, found = told(("modifiers:\n", f"{series}modifiers:\n"))
    (one,) = (own for own in found if own.severity == "error")
    assert one.code == "unknown-key"
    assert one.message.endswith("can't have the key “labl”. The same applies to 11 others.")


def test_a_series_of_ways_that_cannot_be_written_out_leaves_no_empty_choice():
    ways = """- choose:
            as:
              "bid_{m}": {for: {n: 1-3}, cards: 0}
"""
    codes, _ = told(("- choose: {from: hand, to: tableau}\n", ways))
    assert codes == [("bad-for", '"bid_{m}"')]


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        (
            [("{count: 24, family: warm}", "{coun: 24, family: warm}"), ("set: soup,", "set: sooup,")],
            [("unknown-key", "soup"), ("unknown-name", "soups")],
        ),
        (  # unlike any key: the card is left out, and is not reported as missing
            [("  roast:\n    count: 24", "  roast:\n    many: 24"), ("each: warm,", "each: warm, sort: 3,")],
            [("required-key", "roast"), ("unknown-key", "many"), ("unknown-key", "warmth")],
        ),
        (
            [
                ("points: 5}", "points: 5 +}"),
                ("to: left}", "to: wherever}"),
                ("to: hand, cards: 5", "to: hnd, cards: 5"),
            ],
            [("unknown-zone", "- deal"), ("not-allowed-value", "- {pass"), ("formula-syntax", "soups")],
        ),
        (  # two in one entry
            [("{card: spice, applies_to: warm, then: {heat: 2}", "{card: spise, applies_to: warm, then: {heat: 2 +}")],
            [("unknown-card", "hot"), ("formula-syntax", "hot")],
        ),
        (  # two in one step
            [("{to: hand, cards: 5}", "{to: hnd, cards: 5 * (2}")],
            [("unknown-zone", "- deal"), ("formula-syntax", "- deal")],
        ),
        (
            [("size: 2", "size: two"), ("round:\n", "round:\n  - muddle: deck\n")],
            [("unknown-key", "- muddle"), ("unknown-name", "soups")],
        ),
        (  # the variant is valid: only its step is missing for now
            [("{zone: hand, to: left}", "{zone: nowhere_at_all, to: left}"), ("each: heat", "each: cold")],
            [("unknown-zone", "- {pass"), ("unknown-name", "heat")],
        ),
        (  # the shortened game runs out of cards, which is no mistake of its author
            [
                ("spice: {count: 6}", "spice: {count: many}"),
                ("{count: 24, family: warm}", "{count: several, family: warm}"),
            ],
            [("wrong-type", "soup"), ("wrong-type", "spice")],
        ),
    ],
)
def test_each_is_told(changes, expected):
    assert told(*changes)[0] == expected


def test_a_step_that_was_left_out_makes_no_condition_impossible():
    """Without the broken repeat nobody would ever have a soup, so conditions on soups have no findings."""
    feast = "each: warm, points: 1", "points: warm if round > 3 - soup else 0"
    codes, _ = told(("until_empty", "turns"), feast)
    assert codes == [("unknown-key", "turns")]


def test_paths_are_those_of_the_file():
    """Check that leaving out an item of a list does not renumber those after it."""
    _, found = told(("- shuffle: deck", "- 5"), ("- clear: tableau", "- clear: tabelau"))
    assert [own.path for own in found] == ["/round/0", "/round/4/clear"]


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        (  # all words after “round:” are its value
            [("round:\n", "round: later\n"), ("rounds: 2", "rounds: two")],
            [("wrong-type", "rounds"), ("bad-indent", "- shuffle")],
        ),
        ([("scoring:\n", ""), ("rounds: 2", "rounds: two")], [("wrong-type", "rounds"), ("key-among-items", "soups")]),
        (  # only the key, not the items after it
            [("- shuffle: deck\n", "- shuffle: deck\n  hand: 5\n"), ("- clear: tableau", "- clear: tabelau")],
            [("key-among-items", "hand"), ("unknown-zone", "- clear")],
        ),
    ],
)
def test_lines_that_stand_wrong_together_are_told_once(changes, expected):
    assert [own for own in told(*changes)[0] if own[0] != "required-key"] == expected


@pytest.mark.parametrize(
    ("old", "new"),
    [("{card: spice, applies_to: warm", "{card: spice, applies_to warm"), ("{title: Back, ", "{title: Back: ")],
)
def test_what_lost_its_only_line_is_not_called_empty(old, new):
    assert len(told((old, new))[0]) == 1


def test_tabs_and_missing_spaces_are_mended():
    """Check that indentation by tabs is one finding with a certain fix, beside all others."""
    wrong = GAME.replace("family: warm}\n", "famly: warm}\n", 1).replace("rounds: 2", "rounds:2")
    found = check_bytes("-", "inn.yaml", wrong.replace("  ", "\t").encode())
    assert [own.code for own in found] == ["missing-space", "tab", "unknown-key"]
    assert edited(found[0].span.source.text, certain_edits(found, "inn.yaml")) == GAME


def test_where_every_entry_is_wrong_nothing_is_called_empty():
    """Check that a mapping whose entries are all wrong is not reported as empty, nor its names as unused."""
    ways = "as: {soup: {to: tableau, when: far}, roast: {to: discard}}"
    found, _ = told(
        ("choose: {from: hand, to: tableau}", f"choose: {{from: hand, {ways}}}"),
        ("rounds: 2", "rounds: 2\ndefine: {far: late > 2}\ncounters: {late: {}}"),
    )
    assert [code for code, _ in found] == ["name-clash", "name-clash"]


@pytest.mark.parametrize(
    ("way", "codes"),
    [
        ("heat: {to: tableau}", []),
        ("heat: {to: tableau, do: [{points: 1}]}", ["name-clash"]),
        ("spice: {to: tableau}", ["name-clash"]),
    ],
)
def test_a_way_may_have_the_name_of_a_rule_unless_both_give_points(way, codes):
    """Check that an action may share a rule's name unless both give points, which are shown by name."""
    found, _ = told(("choose: {from: hand, to: tableau}", f"choose: {{from: hand, as: {{{way}}}}}"))
    assert [code for code, _ in found] == codes


@pytest.mark.parametrize(
    ("old", "new", "hint"),
    [
        ("players: 2-4", "players: 2 to 4", "Write “2-4”."),
        ("rounds: 2", "rounds: 2\ncount: 20", "Write “count” for each name: cards: {NAME: {count: 20}}."),
        ("rounds: 2", "rounds: 2\nsalt: {count: 6}", "Write “cards: {salt: {count: 6}}”."),
        ("rounds: 2", "rounds: 2\nsalty: {each: soup, points: 1}", "Write “scoring: {salty: "),
        ("spice: {count: 6}", "spice: 6", "Write “spice: {count: 6}”."),
        ("spice: {count: 6}", "spice: {count: 6, points: 2}", "What a card scores is a rule: scoring: {spice: {"),
        ("spice: {count: 6}", "spice: {count: 6, adds: 2}", "Say which counter: “adds: {NAME: 2}”."),
        (
            "soups: {set: soup, size: 2, points: 5}",
            "soups: [5, 3]",
            "Write “soups: {majority: soups, most: [5, 3]}”.",
        ),
        (
            "soups: {set: soup, size: 2, points: 5}",
            "soups: [1, 3]",
            "Write “soups: {table: soups, points: [1, 3]}”.",
        ),
        ("{each: warm, points: 1}", "{majority: warm, most: 6}", "Write “most: [6]”."),
        (
            "{each: warm, points: 1}",
            "{majority: warm, most: {2: [3], default: [6]}}",
            "A value that depends on the players is a formula in the list, such as “most: [3 if players == 2 else 6]”.",
        ),
        (
            "{each: warm, points: 1}",
            "{majority: warm, most: {first: 6}}",
            "Write “most: [6]”.",
        ),
        ("points: 5}", "points: 5, players: 3}", "Write “when: players == 3”."),
        ("changes: {steps: {pass_hands: {pass: {to: right}}}}", "rounds: 1", "Write “changes: {rounds: 1}”."),
        ("winner: {order: most}", "winner: most", "Write “winner: {order: most}”."),
        ("- shuffle: deck", "- {shuffle: deck, scoring: [soup]}", "“scoring” is a key of the whole file"),
        ("  soup: {", "  hot soup: {", "Write “hot_soup”."),
        ("winner: {order: most}", "winner: most_points", "Write “winner: {order: most}”."),
        ("rounds: 2", "round_count: 2", "Did you mean “rounds”?"),
        ("rounds: 2", "rounds: 2\ncounters: {coin: 0}", "Write “coin: {start: 0}”."),
        ("count: 6}", "count: 6, effect: [{points: 1}]}", "Did you mean “on_play”?"),
        ("- deal: {to: hand, cards: 5}", "- draw_count: 5", "Did you mean “draw”?"),
        (
            "- deal: {to: hand, cards: 5}",
            "- deal: {to: hand, cards: 5}\n  - draw 1",
            "Write “draw: {to: hand, cards: 1}”.",
        ),
        ("zone: hand, to: left", "direction: left", "Did you mean “to”?"),
        ("points: 5}", "points: 5 when soup > 2}", "Write A if C else B, for example 5 if soup > 2 else 0."),
        (
            "winner: {order: most}",
            "winner: {order: most}\nexamples: [{name: one, tables: [[warm], []], expect: {total: [0, 1]}}]",
            "“warm” is a family: name a card of it, such as soup.",
        ),
        (
            "to: left}, id: pass_hands}",
            "to: left, id: pass_hands}}",
            "Write it next to the verb: “- pass: {…}”, and below it “id: pass_hands”.",
        ),
        (
            "winner: {order: most}",
            "winner: {order: most}\nexamples: [{name: one, tables: [[], []], expect: {scores: [0, 1]}}]",
            "Write “total: [0, 1]”: it counts the points so far and those at the end.",
        ),
    ],
)
def test_wrong_ideas_are_answered_with_what_to_write(old, new, hint):
    _, found = told((old, new))
    assert hint in found[0].hint, [(own.message, own.hint) for own in found]
    assert found[0].severity == "error"


def test_an_unknown_function_in_an_effect_is_a_finding(tmp_path):
    """Check that the names of effects are checked before the flow reads the bounds of counters."""
    path = tmp_path / "ranks.yaml"
    path.write_text("""
format: 2
id: ranks
title: Ranks
version: 1.0.0
players: 2-4
rounds: 1
cards: {soup: {count: 20, on_play: [{add: {joust: 4 - rank(joust)}}]}}
counters: {joust: {max: 9}}
setup: [{shuffle: deck}]
round: [{deal: {to: hand, cards: 3}}, {repeat: {until: most(joust) > 2, do: [{choose: {}}]}}, {score: round}]
scoring: {joust: {points: joust}}
winner: {order: most}
""")
    assert {finding.code for finding in de.check(path)} == {"unknown-name"}


def test_a_section_whose_only_entry_is_unfinished_is_not_taken_for_a_removal():
    """The last line, cut off in the middle of typing, has one error; its empty section is none."""
    text = "format: 2\nid: tea\nextends: sushi_go\ntitle: Tea\nversion: 1.0.0\nscoring:\n  tea: {each: te"
    findings = check_bytes("-", "tea.yaml", text.encode())
    assert [finding.code for finding in findings] == ["unclosed-bracket"]


def test_a_wrong_rule_on_a_card_does_not_make_scoring_necessary():
    """Check that nobody must write a section `scoring` where the rule of a card has a mistake."""
    text = GAME.replace("family: warm}", "scores: {set: soup, size: 2, points: 5}}").replace("    family: warm\n", "")
    text = re.sub(r"(?ms)^modifiers:.*?(?=^round:)|^  - score: round\n|^scoring:.*?(?=^winner:)", "", text)
    assert [finding.code for finding in check_bytes("-", "inn.yaml", text.encode())] == ["unknown-score-label"]


def test_a_counter_is_no_verb_but_can_be_added_to():
    change = ("count: 6}", "count: 6, on_play: [{coins: 1}]}"), ("rounds: 2", "rounds: 2\ncounters: {coins: {}}")
    _, findings = told(*change)
    assert "Write “add: {coins: 1}”." in [finding.hint for finding in findings]


def test_a_name_with_a_hyphen_is_one_name():
    text = (
        GAME.replace("warm}", "warm_dish}")
        .replace("family: warm\n", "family: warm_dish\n")
        .replace("warm,", "warm-dish,")
    )
    findings = check_bytes("-", "inn.yaml", text.replace("applies_to: warm-dish", "applies_to: warm_dish").encode())
    assert [(finding.code, finding.hint) for finding in findings] == [("unknown-name", "Did you mean “warm_dish”?")]


HOUSE = "format: 2\nid: evening\nextends: sushi_go\ntitle: Evening\nversion: 1.0.0\n"


@pytest.mark.parametrize(
    ("change", "hints"),
    [
        ("steps: {deal: {deal: {cards: 8}}}", ["Possible: deal_hands."]),
        ("steps: {pass: {pass: {to: right}}}", ["Possible: pass_hands."]),
        ("scoring: {double_pudding: {points: 2}}", ["Did you mean “pudding”?"]),
        ("cards: {nonsense: null}", ["Delete this line."]),
    ],
)
def test_a_change_to_nothing_has_one_answer(change, hints):
    """Only the guess is reported, not mistakes that the change would have as one of the guessed thing."""
    findings = check_bytes("-", "evening.yaml", f"{HOUSE}{change}\n".encode())
    assert [finding.hint for finding in findings] == hints


def test_a_wrong_name_is_mended_wherever_a_formula_has_it(tmp_path):
    path, wrong = tmp_path / "inn.yaml", GAME.replace("each: heat, points: 1", "points: heaat * 2 + heaat")
    findings = check_bytes(str(path), str(path), wrong.encode())
    assert [finding.code for finding in findings] == ["unknown-name"]
    assert "heat * 2 + heat}" in edited(wrong, certain_edits(findings, str(path)))


def test_a_list_among_mappings_is_one_mistake():
    """The key after an item with a needless hyphen is right."""
    codes, (one,) = told(("  soup: {", "  - soup: {"))
    assert codes == [("wrong-type", "- soup")]
    assert one.hint == "Write “soup: …” on a line of its own, without a hyphen."


def test_more_players_are_no_matter_of_cards():
    """A missing number for seven players is reported at the players, not at a changed card."""
    text = f"{HOUSE}players: 2-7\ncards: {{dumpling: {{count: 12}}}}\n"
    findings = check_bytes("-", "evening.yaml", text.encode())
    assert [(finding.code, finding.path) for finding in findings] == [("missing-player-count", "/players")]


@pytest.mark.parametrize(
    ("change", "code"),
    [
        (("to: tableau", "to: kept"), "idle-round"),
        (("- score", "- {choose: {from: hand, to: tableau}}\n  - score"), "idle-step"),
    ],
)
def test_a_repeat_that_never_begins(change, code):
    """If nobody chooses a card, the empty zone explains all else that never happens."""
    codes, findings = told(
        ("round:\n", "zones: {kept: {per: seat}}\nround:\n"), ("until_empty: hand", "until_empty: kept"), change
    )
    assert (code, "until_empty") in codes
    assert code == "idle-step" or len(findings) == 1


def test_a_removed_score_step_is_to_be_kept():
    """The advice is not to remove one rule after another."""
    findings = check_bytes("-", "evening.yaml", f"{HOUSE}steps: {{score_round: null}}\n".encode())
    hint = "Keep a step “score: round” while these cards are there; it may have another place or a condition."
    assert [finding.hint for finding in findings] == [hint]


@pytest.mark.parametrize(
    ("old", "new", "hint"),
    [
        ("each: warm, points: 1", "points: min(soup roast)", "Separate the arguments of the function by commas."),
        ("each: warm, points: 1", "each: warm, points: 1, when: round", "Write “at: round”."),
        (
            "{pass: {zone: hand, to: left}, id: pass_hands}",
            "{choose: {from: hand, to: tableau}, id: again}",
            "No step with “pass” has an id: give one the id “pass_hands”, or delete this line.",
        ),
        (
            "roast:\n",
            "roast:\n    text: Sets of {size}.\n",
            "It can quote, for example, {soups.size}.",
        ),
    ],
)
def test_a_hint_says_what_was_meant(old, new, hint):
    _, findings = told((old, new))
    assert hint in [finding.hint for finding in findings]
