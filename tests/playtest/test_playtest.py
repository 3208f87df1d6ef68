"""Checks that play games: small card sets with one semantic mistake each, and sound ones."""

import pytest
import yaml

from conftest import NIGHTLY
from draftengine.api.scenario.suite import check_opened
from draftengine.model.diagnostics import table
from draftengine.model.library import open_set, open_text
from draftengine.model.shelf import fetcher, shelf
from draftengine.studies import playtest as package
from draftengine.studies.playtest import clearly_more, counters, games, goals, playtest
from draftengine.support.files import write_whole
from written import TWO_DISHES, says

FEAST = "\nscoring: {feast: {points: 5 if soup > 15 else 0}}\n"


@pytest.fixture(autouse=True)
def _kept_here(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))


def opened(text, base=""):
    return open_text("game.yaml", text.encode(), lambda _: ("base.yaml", base.encode()) if base else None)


def shown(text, base=""):
    """Return the findings from playing, including those that static checks would report."""
    entry = opened(text, base)
    assert entry.document is not None, entry.findings
    return playtest(entry.document)


def changed(part):
    """Return the small game with `part` merged: rules are added, other keys are replaced."""
    game, change = says(TWO_DISHES), says(part)
    game["scoring"] |= change.pop("scoring", {})
    game["scoring"] = {name: rule for name, rule in game["scoring"].items() if rule}
    return yaml.safe_dump(game | change, sort_keys=False)


def codes(text, base=""):
    return {finding.code for finding in shown(text, base)}


EXAMPLES = [entry for entry in table("playing") if entry.code != "not-compiled"]  # its games are long: see below


@pytest.mark.parametrize("entry", EXAMPLES, ids=[entry.code for entry in EXAMPLES])
def test_examples_of_the_catalogue(entry):
    """The bad example has its finding, with cause and remedy; the good one, by day every second, has none."""
    findings = [finding for finding in shown(changed(entry.bad)) if finding.code == entry.code]
    assert findings
    assert all(finding.hint and finding.severity == entry.severity for finding in findings)
    if NIGHTLY or EXAMPLES.index(entry) % 2 == 0:
        assert codes(changed(entry.good)) == set()


def test_what_is_known_of_several_rules_is_told_once():
    """Check that playing repeats no rule that a known finding names beside its first rule."""
    game = says(changed("winner: {order: most}"))
    game["scoring"] |= {"more": {"points": "soup"}}
    game["round"] = [*game["round"][:2], {"end": "round"}, *game["round"][2:]]
    entry = opened(yaml.safe_dump(game, sort_keys=False))
    known = check_opened(entry)
    assert [finding.code for finding in known] == ["rule-never-scores"]
    assert known[0].related[1:]
    assert "rule-never-scored" in {finding.code for finding in playtest(entry.document)}
    assert "rule-never-scored" not in {finding.code for finding in playtest(entry.document, known)}


MANY = """
round:
  - deal: {to: hand, cards: 40}
  - choose: {from: hand, to: tableau, cards: 38}
  - score: round
  - gather: deck
  - shuffle: deck
cards: {bread: {count: 80}, soup: {count: 80}, salad: {count: 80}, tea: {count: 80}}
"""


DICE = """
cards:
  soup: {count: 30, starts_in: bag, sides: {ladle: 2, lid: 1}}
  bread: {count: 80}
zones: {bag: {seen_by: nobody}, tray: {per: seat, seen_by: everyone}}
round:
  - shuffle: bag
  - draw: {from: bag, to: tray, cards: 5}
  - repeat: {until_empty: tray, do: [{roll: {zone: tray}}, {choose: {from: tray, to: tableau}}]}
  - score: round
  - clear: tableau
  - move: {from: discard, to: bag}
"""


def test_dice_are_played_as_their_sides():
    """A die that is played with any of its sides is not reported, and a card that is never dealt is."""
    findings = [finding for finding in shown(changed(DICE)) if finding.code == "card-never-played"]
    assert [finding.names[0] for finding in findings] == ["bread"]


def test_a_game_that_will_not_be_compiled():
    """A note says with which numbers of players, and why; a game that fits has none."""
    assert "not-compiled" not in codes(TWO_DISHES)
    (note,) = [finding for finding in shown(changed(MANY)) if finding.code == "not-compiled"]
    assert note.severity == "note"
    assert note.span.source.text[note.span.start : note.span.end] == "id"
    assert note.message == (
        "With 2, 3 and 4 players this game will not be compiled: "
        "moves with that many cards do not fit into a machine word."
    )


@pytest.mark.parametrize("name", sorted(shelf()) if NIGHTLY else ["sushi_go", "sushi_go_2014", "ohanami"])
def test_nothing_is_said_of_games_without_mistakes(name):
    entry = open_set(name)
    findings = playtest(entry.document, check_opened(entry))
    assert [finding for finding in findings if finding.severity != "note"] == []


def test_causes_are_told():
    (never,) = shown(changed(FEAST))
    assert "“soup” was 0 to 5" in never.message
    late = "finish: [{score: game}]\nscoring: {last: {each: bread, points: 1, at: game}}\n"
    assert "all cards had been cleared" in " ".join(finding.message for finding in shown(changed(late)))


@pytest.mark.parametrize(("who", "expected"), [("soup > 0", {"condition-always-false"}), ("points > 0", set())])
def test_a_condition_for_who_acts_is_heard(who, expected):
    """Check that the condition at `who` of a single effect is heard: nothing lies there after `clear`."""
    assert codes(TWO_DISHES.replace("\nscoring:", f"\n  - {{points: 1, who: {who}}}\nscoring:")) == expected


@pytest.mark.parametrize(
    "step",
    [
        "{do: [{points: 1, when: WHEN}, {points: 2}], who: everyone}",
        "{do: [{points: 1}, {do: [{points: 2}], when: WHEN}], who: everyone}",
        "{in_turn: {do: [{points: 1, when: WHEN}, {points: 2}]}}",
    ],
)
def test_a_condition_in_a_list_is_heard(step):
    """Check that the condition of a step in a list is heard, of a group and of a single effect."""
    for when, expected in (("soup > 15", {"condition-always-false"}), ("soup > 2", set())):
        text = TWO_DISHES.replace("  - clear", f"  - {step.replace('WHEN', when)}\n  - clear")
        assert codes(text) == expected


def test_a_condition_in_the_list_of_a_card_is_heard():
    steps = "[{points: 1, when: bread > WHEN}, {discard: soup}]"
    for when, expected in ((15, {"condition-always-false"}), (2, set())):
        text = TWO_DISHES.replace("soup: {count: 20", "soup: {count: 20, on_play: " + steps.replace("WHEN", str(when)))
        text = text.replace("  soup: {set: soup, size: 2, points: 5}", "  soup: {each: bread, points: 1}")
        assert codes(text) == expected


PRICE = """
counters: {coins: {start: 2, min: 0}}
round:
  - deal: {to: hand, cards: 5}
  - repeat:
      until_empty: hand
      do:
        - choose:
            from: hand
            as: {build: {to: tableau, pay: {coins: PRICE}}, sell: {to: discard, do: [{add: {coins: 1}}]}}
        - pass: {zone: hand, to: left}
  - score: round
  - clear: tableau
"""


def test_a_price_that_nobody_can_pay_is_the_cause_of_what_follows():
    """Only the price is to blame for empty tables: `clear` and the rules are in order."""
    (certain,) = check_opened(opened(changed(PRICE.replace("PRICE", "13"))))
    assert (certain.code, certain.severity) == ("way-never-used", "error")
    assert certain.message.endswith("it costs 13, and “coins” is never more than 12.")
    assert check_opened(opened(changed(PRICE.replace("PRICE", "12")))) == ()
    (rarely,) = shown(changed(PRICE.replace("PRICE", "12")))
    assert "did anybody take the way “build”, which costs coins: 12" in rarely.message
    assert codes(changed(PRICE.replace("PRICE", "1"))) == set()


def test_actions_of_one_name_are_judged_each_by_itself():
    """Check that an action that nobody can take is found although another choice has one of the same name."""
    step = "        - choose: {from: hand, as: {keep: {to: tableauMANY}, drop: {to: discard}}}\n"
    both = step.replace("MANY", "") + step.replace("MANY", ", cards: 6, exactly: true")
    text = TWO_DISHES.replace("        - choose: {from: hand, to: tableau}\n", both).replace("cards: 5", "cards: 6")
    (never,) = [finding for finding in shown(text) if finding.code == "way-never-used"]
    assert never.span.position[0] == text[: text.index("exactly")].count("\n") + 1


def test_a_choice_before_the_first_cards_come_is_found():
    """Check that a zone is found that is empty at the first choice of each game, but has cards later."""
    turn = "        - choose: {from: market, to: tableau}\n        - draw: {to: market, cards: 3}\n"
    text = TWO_DISHES.replace("        - choose", turn + "        - choose").replace("rounds: 2", "rounds: 1")
    text += "zones: {market: {per: seat, seen_by: everyone}}\n"
    (early,) = [finding for finding in shown(text) if finding.code == "idle-step"]
    assert early.text.id == "idle-step.first"
    assert "idle-step" not in codes(text.replace(turn, "".join(reversed(turn.splitlines(keepends=True)))))


def test_where_nothing_is_ever_played_no_clearing_is_to_blame():
    part = PRICE.replace("PRICE", "1").replace("tableau, pay", "discard, pay").replace("  - clear: tableau\n", "")
    (never,) = shown(changed(part))
    assert never.code == "scores-nothing"
    assert "nobody ever played one" in never.message


def test_a_card_that_is_gone_scores_nothing():
    """The rule of a card needs that card; the other cards that it counts are no help."""
    cards = "{soup: {count: 20, scores: {set: bread, size: 2, points: 5, at: game}}, bread: {count: 20, keep: true}}"
    part = f"cards: {cards}\nfinish: [{{score: game}}]\nscoring: {{soup: null, bread: null}}\n"
    (never,) = [finding for finding in shown(changed(part)) if finding.code == "rule-never-scored"]
    assert "its cards were played, but were gone" in never.message


def test_cards_are_not_gone_if_a_rule_counts_none():
    """Check a rule about a number that only the sides of a die have, which nothing rolls."""
    die = "cards: {die: {count: 20, sides: {soup: 1, roll: 1}}, soup: {has: {worth: 2}}, roll: {}, tea: {count: 20}}"
    rules = 'scoring: {soup: null, bread: null, worth: {points: "sum(tableau, worth)"}, tea: {each: tea, points: 1}}'
    assert "rule-never-scored" not in codes(changed(f"{die}\n{rules}"))


@pytest.mark.parametrize(
    ("rule", "cause"),
    [
        ("most: [1]", "tied seats split a prize that is too small"),
        ("most: [6], tie: nobody", "the seats were always tied"),
        ("most: [6], nobody_if_all_equal: true", "the seats were always tied"),
        ("most: [6], at_least: 6", "the largest number that it counted was 5"),
    ],
)
def test_a_majority_that_gives_nothing_names_the_cause(rule, cause):
    """Everybody has five soups, so prizes that ties cannot share are never given."""
    part = f"cards: {{soup: {{count: 40}}}}\nscoring: {{soup: {{majority: soup, {rule}}}, bread: null}}\n"
    (never,) = [finding for finding in shown(changed(part)) if finding.code == "rule-never-scored"]
    assert cause in never.message


@pytest.mark.parametrize(("card", "expected"), [("soup", []), ("tea", ["way-never-used"])])
def test_a_choice_among_certain_cards_is_judged_by_what_is_chosen(card, expected):
    """Check that a choice with `of` is found only if none of these cards ever lies there."""
    text = TWO_DISHES.replace(
        "  - score: round", f"  - choose: {{from: tableau, of: {card}, to: discard}}\n  - score: round"
    )
    text = text.replace("  soup: {count: 20}", "  soup: {count: 20}\n  tea: {count: 1, starts_in: box}")
    findings = shown(f"{text}zones: {{box: {{seen_by: nobody}}}}\n")
    ways = [finding for finding in findings if finding.code == "way-never-used"]
    assert [finding.code for finding in ways] == expected
    assert all("anybody choose a card here" in finding.message for finding in ways)


@pytest.mark.parametrize(("count", "expected"), [(5, set()), (9, {"condition-always-false"})])
def test_what_came_near_may_yet_happen(count, expected):
    """A limit that was nearly reached gives no finding: few tableaus hold five soups."""
    assert codes(changed(f"scoring: {{feast: {{points: 5 if soup > {count} else 0}}}}")) == expected


@pytest.mark.parametrize(("least", "expected"), [(4, set()), (5, {"condition-always-false"})])
def test_what_has_to_be_exceeded_is_nearly_reached_one_above(least, expected):
    """Some seat had four cards: five are near, and six are not."""
    cards = "cards: {soup: {count: 20}, bread: {count: 20}, tea: {count: 6}}\n"
    assert codes(changed(f"{cards}scoring: {{feast: {{points: 5 if tea > {least} else 0}}}}\n")) == expected


@pytest.mark.parametrize(("bound", "expected"), [(5, set()), (11, {"condition-always-false"})])
def test_points_may_come_several_at_once(bound, expected):
    """Few games have three points in the first round; more could have had six."""
    text = TWO_DISHES.replace("bread: {count: 20}", "bread: {count: 200}\n  tea: {count: 1}")
    text = text[: text.index("  soup: {set")] + "  tea: {each: tea, points: 3}\nwinner: {order: most}\n"
    end = f"        - {{end: game, when: most(points) > {bound}}}\n        - pass"
    assert codes(text.replace("        - pass", end)) == expected


FEW = "cards: {{soup: {{count: 20}}, bread: {{count: {bread}}}, salad: {{count: 2}}, tea: {{count: {tea}}}}}\n"
"""Few cards of a large box are ever in one hand."""


@pytest.mark.parametrize(
    ("bread", "tea", "feast"),
    [
        (160, 1, "{points: 5 if salad > 0 and tea > 0 else 0}"),
        (160, 1, "{collection: [salad, tea], points: 5}"),
        (240, 3, "{set: tea, size: 3, points: 5}"),
        (130, 4, "{set: tea, size: 4, points: 5}"),
    ],
)
def test_of_what_only_luck_was_missing_nothing_is_said(bread, tea, feast):
    """No game shows it, but positions with other cards do, or the numbers just before."""
    assert codes(changed(FEW.format(bread=bread, tea=tea) + f"scoring: {{feast: {feast}}}\n")) == set()


def test_of_cards_that_rarely_lie_nothing_is_said(monkeypatch):
    """A game that seldom ends amid a round may yet end with the cards of the rule."""
    monkeypatch.setattr(goals, "only_luck_was_missing", lambda _: False)
    text = TWO_DISHES.replace("        - pass", "        - {end: game, when: total(soup) > 11}\n        - pass")
    text = text.replace("bread: {c", "salad: {count: 20, keep: true}\n  tea: {count: 3}\n  bread: {c")
    text = text.replace("winner:", "  feast: {each: tea, points: 5, at: game}\nfinish: [{score: game}]\nwinner:")
    assert codes(text) == set()
    assert codes(text.replace("> 11", "> 30")) == {"condition-always-false", "rule-never-scored"}


def test_a_condition_that_always_holds_is_no_reason_to_score_nothing():
    part = "scoring: {feast: {set: soup, size: 7, points: 5, when: round < 9}}\n"
    assert codes(changed(part)) == {"condition-always-true", "rule-never-scored"}


def test_what_a_game_may_end_before_is_not_called_unreached():
    """Steps after an end on a condition are unreached only if the condition always holds."""
    ends = "        - {{end: game, when: total(soup) {}}}\n        - pass"
    assert codes(TWO_DISHES.replace("        - pass", ends.format("> 0"))) == {"every-game-blank"}
    assert "idle-step" in codes(TWO_DISHES.replace("        - pass", ends.format(">= 0")))


def test_deals_without_points_do_not_show_that_choices_do_not_matter():
    cards = "cards: {soup: {count: 150}, bread: {count: 400}, tea: {count: 1}}\n"
    assert codes(changed(cards + "scoring: {soup: null, bread: null, tea: {each: tea, points: 1}}\n")) == set()


def test_means_differ_by_more_than_luck():
    assert clearly_more([5] * 10, [4] * 10)
    assert not clearly_more([0, 9], [0, 8])


def test_where_games_are_too_long_to_tell_a_note_names_what_was_not_judged(monkeypatch):
    """A finding rests on enough games, or there is none: then no further games are played."""
    monkeypatch.setattr(goals, "WORK", 1000)
    monkeypatch.setattr(goals, "collect", None)
    (note,) = shown(changed(FEAST))
    assert (note.code, note.severity) == ("not-all-checked", "note")
    assert note.message == "Games played: 66. More would take too long."
    (place,) = [other.span for other in note.related]
    assert place.source.text[place.start : place.end] == "soup > 15"
    assert shown(changed(FEAST)) == (note,)


HOUSE = "format: 2\nid: house\nextends: sushi_go\n"


def on_the_shelf(text):
    document = open_text("house.yaml", (HOUSE + text).encode(), fetcher("-")).document
    return [finding.code for finding in playtest(document)]


@pytest.mark.parametrize(
    "rule",
    [
        "cards: {tea: {count: 8, label: Tea}}\nscoring: {tea: {label: Tea, points: 1 if tea < 3 else 0}}\n",
        "scoring: {calm: {label: Calm, points: 0 if tempura > 5 else 2}}\n",
    ],
)
def test_a_rule_that_collected_cards_tell_apart_makes_a_difference(rule):
    """Games in which seats collect its cards come before the finding that everybody gets the same."""
    assert on_the_shelf(rule) == []


def test_a_rule_that_no_game_tells_apart_makes_no_difference():
    same = "scoring: {calm: {label: Calm, points: 3 if round < 3 else 1}}\n"
    assert on_the_shelf(same) == ["rule-no-difference"]


def test_of_long_games_as_many_are_played_as_the_work_allows():
    """Games of this length cannot be played often enough for luck, but often enough for a finding."""
    trigger = "{after: reveal, who: CONDITION, do: [{points: 2}]}"
    text = "markers: {crown: {start: nobody}}\ntriggers:\n"
    text += f"  one: {trigger.replace('CONDITION', 'holds(crown)')}\n"
    text += f"  two: {trigger.replace('CONDITION', 'points > 300')}\n"
    assert on_the_shelf(text) == ["condition-always-false"] * 2


def test_a_series_is_told_once():
    """Cards of one entry that nobody ever plays have one finding, which counts the others."""
    text = TWO_DISHES.replace("20}", "20, starts_in: attic}").replace("deal: {", "deal: {from: attic, ")
    text = text.replace("shuffle: deck", "shuffle: attic").replace(
        "setup:", '  "tea{n}": {for: {n: 1-12}, count: 1}\nsetup:'
    )
    (never,) = shown(text + "zones: {attic: {per: table, seen_by: nobody}}\n")
    assert never.code == "card-never-played"
    assert never.message.endswith("The same applies to 11 others.")


def test_what_an_example_reaches_is_meant():
    example = "examples: [{name: a feast, players: 2, tables: [{soup: 16}, {}], expect: {points: {feast: [5, 0]}}}]\n"
    assert codes(changed(FEAST)) == {"condition-always-false"}
    assert codes(changed(FEAST + example)) == set()


def test_a_comment_with_a_reason_allows_a_finding():
    allow = "  # allow condition-always-false: a joke\n"
    text = TWO_DISHES.replace("winner:", f"{allow}  feast: {{points: 5 if soup * bread > 6 else 0}}\nwinner:")
    assert shown(text) == ()
    assert {finding.code for finding in check_opened(opened(text))} == set()
    (idle,) = shown(text.replace("> 6", "> 1"))
    assert idle.code == "allows-nothing"


def test_what_a_base_gives_alone_is_not_said():
    base = changed(FEAST)
    house = "format: 1\nid: house\nextends: base\ntitle: House\nversion: 1.0.0\n"
    assert codes(base) == {"condition-always-false"}
    assert codes(house, base) == set()
    (finding,) = shown(house + "scoring: {bread: {most: [3, 6]}}\n", base)
    assert finding.code == "second-beats-first"
    assert finding.span.source.name == "game.yaml"


def test_variants_are_played_alone():
    variant = """
    variants:
      feast:
        title: Feast
        changes: {scoring: {feast: {points: 5 if soup > 15 else 0}}}
      lasting:
        title: Lasting
        changes: {round: [{deal: {to: hand, cards: 1}}, {choose: {from: hand, to: tableau}}, {score: round}]}
    """
    messages = {finding.code: finding.message for finding in shown(changed(variant))}
    assert messages.keys() == {"condition-always-false", "cards-stay"}
    assert messages["cards-stay"].startswith("With the variant “lasting”: ")


def test_the_same_games_are_played_each_time(monkeypatch):
    first = shown(changed(FEAST))
    monkeypatch.setattr(package, "cached", lambda _: None)
    assert shown(changed(FEAST)) == first


def test_the_same_text_is_played_once(monkeypatch):
    first = shown(changed(FEAST))
    monkeypatch.setattr(package, "play_all", None)
    assert shown(changed(FEAST)) == first


def test_damaged_files_are_none():
    first = shown(changed(FEAST))
    document = opened(changed(FEAST)).document
    assert package.cached(document) == first
    for damage in ("", "[[1]]", "{}", "\x00"):
        write_whole(package._path(document), damage)
        assert package.cached(document) is None


def test_long_games_are_left_alone(monkeypatch):
    """A game that takes too much work is stopped; a note says that nothing was played."""
    monkeypatch.setattr(counters, "MOST_WORK", 50)
    monkeypatch.setattr(games, "MOST_WORK", 50)
    (note,) = shown(changed(FEAST))
    assert note.severity == "note"
    assert note.message == "No games were played: they are too long for this check."
    compiled = {finding.code: finding.message for finding in shown(changed(MANY))}
    assert compiled.keys() == {"not-all-checked", "not-compiled"}
    assert compiled["not-compiled"].startswith("With 2, 3 and 4 players")


@pytest.mark.parametrize("lists", ["most: [1, 2, 3]", "fewest: [-6, 3]", "fewest: [1, 2], most: [3]"])
def test_rankings_of_every_form_are_played(lists):
    """Rankings are played in every form, including those without the list that a finding would be about."""
    text = changed(f"scoring: {{bread: {{majority: bread, {lists}}}}}")
    assert codes(text) <= {"second-beats-first", "fewest-rewarded"}


DISCARDED = """
format: 2
id: race
title: Race
version: 1.0.0
players: 3
rounds: 2
counters: {gold: {max: 9}}
cards: {fig: {count: 40}}
setup: [{shuffle: deck}]
round:
  - deal: {to: hand, cards: 6}
  - CHOICE
  - move: {from: hand, to: discard}
  - score: round
  - gather: deck
  - shuffle: deck
scoring: {fig: {each: fig, points: 1}}
winner: {order: most}
"""
DIG = "{choose: {from: hand, as: {dig: {to: discard, do: [{add: {gold: 1}}]}, rest: {to: discard}}}}"


@pytest.mark.parametrize("choice", [DIG, f"{{in_turn: {{do: [{DIG}]}}}}"], ids=["together", "in turn"])
def test_actions_of_a_choice_in_turn_are_seen(choice):
    """Check that a round to which no action brings a card is found blank, in turn as together."""
    assert "every-game-blank" in codes(DISCARDED.replace("CHOICE", choice))
