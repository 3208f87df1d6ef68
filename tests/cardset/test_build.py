"""Building the model from a valid tree, for every construct of the language."""

from __future__ import annotations

import pytest

from draftengine.model.cardset.records import text_in
from draftengine.model.loading.build import BUILT_IN_ZONES, build
from draftengine.model.records.reader import LayoutPlace
from draftengine.model.schema.validate import validate


@pytest.fixture(scope="module")
def model(harbour, tree):
    """Return the model of the test game."""
    built, findings = build(tree(harbour()))
    assert findings == ()
    return built


def named(records, name):
    """Return the record of that name."""
    return next(record for record in records if record.id == name)


def steps_of(steps):
    """Yield all steps, including nested ones."""
    return [own for step in steps for own in (step, *steps_of(step.within))]


def test_identity(model):
    """Check identity, players and rounds."""
    assert (model.id, text_in(model.title, "pl"), model.version) == ("harbour", "Port", "1.2.0")
    assert (model.min_players, model.max_players, model.rounds) == (2, 5, 3)
    assert (model.about.age, model.about.year, model.about.publisher) == (8, 2020, "")
    assert [citation.id for citation in model.citations] == ["H-1", "H-2"]


@pytest.mark.parametrize(("players", "expected"), [("3", (3, 3)), ("2-4", (2, 4)), ('"1-10"', (1, 10))])
def test_players(harbour, tree, players, expected):
    """Check a number of players, and a range of them."""
    built, _ = build(tree(harbour(("players: 2-5", f"players: {players}"))))
    assert (built.min_players, built.max_players) == expected


@pytest.mark.parametrize(
    ("change", "about", "variant"),
    [
        (("players: 2-5", "assumed: So we heard.\nplayers: 2-5"), "", ""),
        (("about: {age: 8", "about: {assumed: So we heard., age: 8"), "", ""),
        (("  spice: {count: 6}", "  spice: {count: 6, assumed: So we heard.}"), "Spice", ""),
        (("coins: {start: 2", "coins: {assumed: So we heard., start: 2"), "coins", ""),
        (("spice: {card: spice", "spice: {assumed: So we heard., card: spice"), "Spice", ""),
        (("crane: {card: crane", "crane: {assumed: So we heard., card: crane"), "Crane", ""),
        (("hold: {per: seat", "hold: {assumed: So we heard., per: seat"), "Hold", ""),
        (("label: Ghost ship", "assumed: So we heard., label: Ghost ship"), "Ghost ship", ""),
        (("flag: {start: first", "flag: {assumed: So we heard., start: first"), "Flag", ""),
        (("medals: {values", "medals: {assumed: So we heard., values"), "Medals", ""),
        (("  - shuffle: deck", "  - {shuffle: deck, assumed: So we heard.}"), "", ""),
        (("          id: pass_hands", "          id: pass_hands\n          assumed: So we heard."), "", ""),
        (("windfall: {after", "windfall: {assumed: So we heard., after"), "Windfall", ""),
        (("leaves: {majority", "leaves: {assumed: So we heard., majority"), "Leaves", ""),
        (("winner: {order: most", "winner: {assumed: So we heard., order: most"), "", ""),
        (("    title: Duel", "    title: Duel\n    assumed: So we heard."), "Duel", "duel"),
        (("{sack: {on_play: null}}", "{sack: {on_play: null, assumed: So we heard.}}"), "Sack", "calm"),
    ],
)
def test_assumptions(harbour, tree, change, about, variant):
    """Check that every part of the rules can say that it is assumed."""
    root = tree(harbour(change))
    assert validate(root) == ()
    (own,) = build(root)[0].assumptions
    assert (text_in(own.of), text_in(own.text), own.variant) == (about, "So we heard.", variant)


def test_labels(model):
    """Check that an id is the label of a thing without a label."""
    assert text_in(named(model.cards, "green_tea").label) == "Green tea"
    assert text_in(named(model.cards, "fish").label, "de") == "Fisch"
    assert text_in(named(model.variants, "duel").title) == "Duel"


def test_cards(model):
    """Check cards with every key, and with the defaults."""
    black, sack, joker = (named(model.cards, name) for name in ("black_tea", "sack", "joker"))
    assert (black.family, black.adds, black.keep) == (("tea", "dark"), (("leaves", 3),), True)
    assert (sack.face, sack.keep, sack.source) == ("bag", False, ())
    assert [own.verb for own in sack.on_play] == ["roll", "add", "points"]
    assert sack.on_play[0].counter == "weather"
    assert sack.on_play[1].amounts[0].counter == "coins"
    assert joker.forms.of == ("fish", "spice")
    assert joker.forms.when.text == "card > 0"


def test_components(model):
    """Check counters, modifiers, abilities, seats, markers, chips and parameters."""
    coins, weather = model.counters
    assert (coins.start, coins.min, coins.max, coins.keep, coins.die) == (2, 0, 20, True, None)
    assert (weather.keep, weather.die) == (None, 6)
    assert (model.modifiers[0].applies_to, model.modifiers[0].capacity, model.modifiers[0].stacks) == (
        ("tea",),
        1,
        False,
    )
    assert (model.modifiers[0].then[0].formula.text, model.modifiers[0].opens) == ("3 * amount", "at_once")
    assert (model.abilities[0].when, model.abilities[0].per_turn) == ("before_reveal", 1)
    assert [seat.wins for seat in model.extra_seats] == [False]
    assert [marker.start for marker in model.markers] == ["first", 1]
    assert model.chips[0].values == (3, 4, 5)
    assert (model.parameters[0].default, model.parameters[0].values) == (7, (6, 7, 8))


def test_zones(model):
    """Check that the four zones of every game come first, and that the rows of a pyramid cover each other."""
    assert [(zone.id, zone.per, zone.seen_by) for zone in model.zones[:4]] == list(BUILT_IN_ZONES)
    hold, quay = model.zones[4:]
    assert (hold.per, hold.seen_by, hold.layout) == ("seat", "nobody", ())
    assert (quay.per, quay.seen_by) == ("table", "everyone")
    assert quay.layout[1] == LayoutPlace("r1c2", face_down=False, covered_by=("r2c2", "r2c3"))
    assert quay.layout[4] == LayoutPlace("r2c3", face_down=True, covered_by=())


def test_a_narrowing_pyramid(harbour, tree):
    """Check places at the edges of a narrowing row, which have one covering place or none."""
    text = harbour(("[{cards: 2}, {cards: 3, face: down}]", "[{cards: 3}, {cards: 2}, {cards: 1}]"))
    quay = named(build(tree(text))[0].zones, "quay")
    assert [place.covered_by for place in quay.layout] == [("r2c1", "r2c2"), ("r2c2",), (), ("r3c1",), (), ()]


def test_explicit_covers(harbour, tree):
    """Check a layout whose covering places are listed explicitly."""
    quay = named(build(tree(harbour(("covers: pyramid", "covers: {r1c1: [r2c3]}"))))[0].zones, "quay")
    assert [place.covered_by for place in quay.layout] == [("r2c3",), (), (), (), ()]


def test_steps(model):
    """Check that every verb fills the fields of its step."""
    steps = {step.id or step.verb: step for step in steps_of((*model.setup, *model.round, *model.finish))}
    assert steps["shuffle"].zone == "deck"
    assert (steps["deal_hands"].from_, steps["deal_hands"].to, steps["deal_hands"].who) == ("deck", "hand", None)
    assert [(count, own.text) for count, own in steps["deal_hands"].cards.cases] == [(2, "9"), (3, "hand_size")]
    assert steps["deal"].cards is None
    assert steps["draw"].who.holder == "flag"
    choose = steps["choose_card"]
    assert (choose.from_, choose.to, choose.cards, choose.who) == ("hand", "tableau", None, None)
    assert [(own.seat, own.by, own.cards) for own in choose.also] == [("ghost", "flag", 1)]
    assert (steps["pass_hands"].zone, steps["pass_hands"].to) == ("hand", ("left",))
    give = steps["give"]
    assert (give.marker, give.to.order, give.to.measure.text, give.tie) == ("anchor", "most", "fish", "left")
    assert give.when.text == "turn > 1"
    assert (steps["repeat"].until_empty, steps["repeat"].times, steps["repeat"].until) == ("hand", None, None)
    assert (steps["move"].from_, steps["move"].to) == ("hold", "discard")
    assert (steps["clear"].zone, steps["gather"].zone) == ("tableau", "deck")
    assert [step.label for step in (*model.round, *model.finish) if step.verb == "score"] == ["round", "game"]


def test_other_directions(harbour, tree):
    """Check a list of directions by round, and a marker that is passed on."""
    text = harbour(
        ("pass: {zone: hand, to: left}", "pass: {to: [left, right]}"), ("to: {most: fish}, tie: left", "to: right")
    )
    steps = {step.verb: step for step in steps_of(build(tree(text))[0].round)}
    assert (steps["pass"].zone, steps["pass"].to) == ("hand", ("left", "right"))
    assert (steps["give"].to, steps["give"].tie) == ("right", "stays")


@pytest.mark.parametrize(
    ("end", "times", "until"),
    [("times: 3", "3", None), ("times: {2: 4}", "4", None), ("until: turn == 3", None, "turn == 3")],
)
def test_other_ends_of_turns(harbour, tree, end, times, until):
    """Check repeats that end after a number of times or on a condition."""
    repeat = build(tree(harbour(("until_empty: hand", end))))[0].round[2]
    assert repeat.until_empty is None
    assert (repeat.times.cases[0][1].text if repeat.times else None) == times
    assert (repeat.until.text if repeat.until else None) == until


def test_rules(model):
    """Check triggers, scoring and the winner."""
    (windfall,) = model.triggers
    assert (windfall.after, windfall.only, windfall.unless.text) == ("reveal", "single", "holds(flag)")
    assert [(rule.id, rule.kind, rule.at) for rule in model.scoring] == [
        ("fish", "set", "round"),
        ("leaves", "majority", "round"),
        ("dark", "each", "game"),
    ]
    assert model.scoring[2].when.text == "players > 2"
    assert [(own.order, own.measure.text) for own in model.winner.tie_breakers] == [
        ("most", "coins"),
        ("fewest", "fish"),
    ]


def test_overlays_are_described(harbour, tree):
    """Check that a model knows the variants and readings of its file, and those in force."""
    built, _ = build(tree(harbour()), ("calm",), {"second_place": "anyone"})
    assert built.active == ("calm",)
    duel = named(built.variants, "duel")
    assert (duel.needs.text, duel.requires, duel.group) == ("players == 2", ("calm",), None)
    assert named(built.variants, "storm").parameters[0].values == (1, 2, 3)
    (reading,) = built.readings
    assert (reading.default, reading.chosen) == ("no_leaves_no_place", "anyone")
    assert [option.id for option in reading.options] == ["no_leaves_no_place", "anyone"]


def test_formula_mistakes_are_all_found(harbour, tree):
    """Check that each invalid formula has a finding at its place."""
    text = harbour(("who: gained(leaves) > 0", "who: gained(leaves >"), ("when: turn > 1", "when: turn >"))
    _, findings = build(tree(text))
    assert [finding.code for finding in findings] == ["formula-syntax"] * 2
    assert [finding.path for finding in findings] == ["/round/2/repeat/do/3/when", "/triggers/windfall/who"]


@pytest.mark.parametrize(
    ("definitions", "expected"),
    [
        ("one: soup + two\n  two: one", [("one", "“one” is defined by itself.")]),
        ('"two(one)": one + 1\n  one: "two(soup)"', []),
        ('one: two + 1\n  two: "more(1)"\n  "more(x, y)": x + y', [("two", "“more” takes 2 values, not 1.")]),
    ],
)
def test_definitions_are_blamed_once(harbour, tree, definitions, expected):
    """Check that wrong definitions are reported once, where declared; a constant is no circle."""
    text = harbour(("counters:\n", f"define:\n  {definitions}\ncounters:\n"))
    _, findings = build(tree(text))
    assert [(finding.path.removeprefix("/define/"), finding.message) for finding in findings] == expected


def test_a_formula_that_yaml_took_apart_needs_quotes(harbour, tree):
    """Check the advice to quote a formula that YAML split at a comma within brackets."""
    _, torn = build(tree(harbour(("most: [6, 3]", "most: [min(6, players), 3]"))))
    assert ["quotes" in finding.hint for finding in torn] == [True, True]
    _, wrong = build(tree(harbour(("most: [6, 3]", "most: [6, (3]"))))
    assert ["quotes" in finding.hint for finding in wrong] == [False]
