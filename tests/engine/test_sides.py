"""Things with several sides: dice that are rolled, and cards that are turned over."""

import json
from collections import Counter
from contextlib import suppress
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import draftengine as de
from bots.quick import moments
from conftest import NIGHTLY
from draftengine.apps.play.help_texts import about_card
from draftengine.apps.play.labels import Names
from draftengine.apps.play.terminal_style import Style
from draftengine.engine.chance import Stream, root_of
from draftengine.engine.observe import observe
from draftengine.engine.plan.base import UnsupportedError
from draftengine.engine.redeal import HiddenCards
from draftengine.render.rulebook import book_of
from draftengine.render.rulebook.formats import as_text
from draftengine.studies.environments.table import NothingToChooseError
from draftengine.studies.runner.playing import ReferencePlayer
from engine import gates
from engine.drawn import programs_of
from engine.test_invariants import pass_all_gates
from engine.test_redeal import cannot_be_told_apart
from engine.worlds import another_world
from environments.test_batch import agree, play
from searching.test_worlds import hold_worlds
from text.forms import as_it_stands, play_alike

GAME = """
format: 2
id: tavern
title: Tavern
version: 1.0.0
players: 2-4
rounds: 3
dice:
  coin: {count: 6, starts_in: bag, faces: {heads: 1, tails: 1}}
  die: {count: 12, starts_in: bag, label: Great die, faces: {ale: 3, bread: 2, crown: 1}}
cards:
  lamp: {count: 9, back: {label: Lit lamp, adds: {light: 1}}}
  ale: {adds: {thirst: 2}}
  crown: {keep: true, has: {worth: 4}}
zones:
  bag: {seen_by: nobody}
  tray: {per: seat, seen_by: everyone}
  stall: {}
round:
  - shuffle: bag
  - shuffle: deck
  - draw: {from: bag, to: tray, cards: 3}
  - draw: {to: stall, cards: players}
  - {flip: stall, when: round == 2, id: light}
  - repeat:
      until_empty: tray
      do:
        - {roll: {zone: tray, of: [coin, die]}, id: throw}
        - choose: {from: tray, to: tableau}
  - in_turn: {do: [{choose: {from: stall, to: tableau}}]}
  - score: round
  - clear: tableau
  - move: {from: discard, of: [die, coin], to: bag}
  - {move: {from: everywhere, to: deck}, when: round == 2}
scoring:
  ale: {each: thirst, points: 1}
  bread: {set: bread, size: 2, points: 5}
  heads: {majority: heads, most: [3], tie: full}
  crown: {points: "sum(tableau, worth) + light"}
  dice: {points: die - coin}
"""


@st.composite
def games_with_sides(draw):
    """Draw the text of a game with dice and cards with two sides, in zones that all, some or no seats see."""
    weights = st.integers(1, 3)
    cards = {
        "soup": {"count": draw(st.integers(0, 8)), "adds": {"icons": 1}},
        "die": {"count": draw(st.integers(4, 14)), "sides": {"up": draw(weights), "down": draw(weights), "side": 1}},
        "up": {"adds": {"icons": draw(st.integers(-1, 2))}, "keep": draw(st.booleans())},
        "down": {"family": "low", "has": {"weight": 2}},
        "lamp": {"count": draw(st.integers(4, 12)), "sides": {"lamp": 1, "lit": 1}, "keep": draw(st.booleans())},
        "lit": {"family": "low"},
        "moon": {
            "count": draw(st.integers(2, 8)),
            "adds": {"icons": 1},
            "sides": {"day": {}, "dusk": {}, "night": "owl"},
        },
        "owl": {"count": 0, "family": "low", "has": {"weight": 3}, "keep": draw(st.booleans())},
    }
    if draw(st.booleans()):
        cards["up"]["on_play"] = [{"points": 1}]
    pile = draw(st.sampled_from(["deck", "bag"]))
    cards["die"]["starts_in"] = pile
    shared = draw(st.booleans())
    zones = {
        "bag": {"seen_by": "nobody"},
        "tray": {"per": "table" if shared else "seat", "seen_by": "everyone"},
        "kept": {"per": "seat", "seen_by": draw(st.sampled_from(["owner", "nobody"]))},
        "sky": {"side": draw(st.sampled_from(["night", "dusk", "lit"]))},
    }
    turns = [
        {"roll": {"zone": "tray"}},
        {"roll": {"zone": "tray", "of": "die"}},
        {"roll": {"zone": "tray", "of": ["low", "lamp"]}, "when": "turn > 1"},
        {"flip": "tray"},
        {"flip": {"zone": "tray", "of": "lit"}},
        {"draw": {"from": pile, "to": "hand"}},
        {"draw": {"from": "deck", "to": "tray"}},
        {"choose": {"from": "hand", "to": "tableau"}},
        {"choose": {"from": "hand", "to": "tray", "cards": 2}},
        {"flip": {"zone": "tray", "side": draw(st.sampled_from(["lit", "night", "up"]))}},
        {"choose": {"from": "hand", "to": "tableau", "side": draw(st.sampled_from(["lit", "dusk"]))}},
        {"choose": {"from": "hand", "to": "tableau", "as": {"lay": {"side": "night"}, "leave": {"to": "tray"}}}},
        {"draw": {"to": "sky", "cards": 2}},
        {
            "in_turn": {
                "do": [{"choose": {"to": "tableau", "as": {"top": {"from": "sky", "take": "top", "side": "day"}}}}]
            }
        },
        {"in_turn": {"do": [{"choose": {"from": "tableau", "cards": "0-1", "to": "tableau", "side": "dusk"}}]}},
        {"move": {"from": "tableau", "to": "tableau", "side": "night"}},
    ]
    if not shared:
        turns += [
            {"choose": {"from": "tray", "to": "tableau"}},
            {"choose": {"from": "tray", "to": "hand"}},
            {"move": {"from": "tray", "to": "kept"}},
            {"pass": {"zone": "tray", "to": "left"}},
            {"roll": {"zone": "tray"}, "who": "icons > 0"},
            {"in_turn": {"do": [{"choose": {"from": "tray", "to": "discard"}}, {"roll": {"zone": "tray"}}]}},
        ]
    else:
        turns += [
            {"in_turn": {"do": [{"choose": {"from": "tray", "to": "tableau"}}, {"flip": "tray"}]}},
            {"in_turn": {"do": [{"roll": {"zone": "tray"}}, {"choose": {"from": "tray", "to": "hand"}}]}},
        ]
    ends = [
        {"clear": "tableau"},
        {"move": {"from": "discard", "to": "bag"}},
        {"move": {"from": "tray", "to": draw(st.sampled_from(["bag", "discard"]))}},
        {"move": {"from": "everywhere", "to": "deck"}},
        {"shuffle": "bag"},
    ]
    return json.dumps(
        {
            "format": 2,
            "id": "sides",
            "title": "Sides",
            "version": "1.0.0",
            "players": "2-3",
            "rounds": draw(st.integers(1, 3)),
            "cards": cards,
            "zones": zones,
            "round": [
                {"shuffle": "deck"},
                {"shuffle": "bag"},
                {"draw": {"from": pile, "to": "hand", "cards": draw(st.integers(1, 4))}},
                {"draw": {"from": pile, "to": "tray", "cards": draw(st.integers(1, 4))}},
                {"repeat": {"times": 3, "do": draw(st.lists(st.sampled_from(turns), min_size=2, max_size=6))}},
                {"score": "round"},
                *draw(st.lists(st.sampled_from(ends), max_size=4)),
            ],
            "scoring": {
                "icons": {"each": "icons", "points": 1},
                "die": {"majority": draw(st.sampled_from(["die", "low", "lit"])), "most": [3]},
                "weight": {"points": "sum(tableau, weight) - cards(tray, side)"},
            },
        }
    )


many = settings(max_examples=1000 if NIGHTLY else 15, deadline=None, suppress_health_check=list(HealthCheck))


def test_the_game_is_sound(path):
    assert de.check(path) == ()


@pytest.mark.parametrize(
    ("cards", "says"),
    [
        ("die: {count: 4, sides: {bread: 1, lamp: 2}}", "“lamp” is a side, so there can be no copies of it alone."),
        ("cube: {count: 4, sides: {cut: 1, ale: 2}}", "“ale” is a side of two things."),
        (
            "cube: {count: 4, sides: {cut: 1, wedge: 2}}\n  wedge: {sides: {x: 1, y: 1}}",
            "so it cannot have sides itself.",
        ),
        ("cube: {count: 4, back: {keep: true}, sides: {cut: 1, chip: 2}}", "A card with a back has no other sides"),
        ("cube: {count: 4, sides: {cut: 1, chip: 2}}\n  chip: {count: 2}", "so there can be no copies of it alone."),
    ],
)
def test_wrong_sides_are_refused(path, tmp_path, cards, says):
    """Check that a side belongs to one thing, and has neither copies nor sides of its own."""
    name, _, rest = cards.partition(":")
    lines = [line for line in GAME.splitlines() if not line.startswith(f"  {name}:")]
    wrong = tmp_path / "wrong.yaml"
    wrong.write_text("\n".join(lines).replace("\ncards:\n", f"\ncards:\n  {name}:{rest}\n"))
    (finding,) = [finding for finding in de.check(wrong) if finding.severity == "error"]
    assert (finding.code, says in finding.message) == ("not-a-side", True)


def test_a_die_is_no_card_of_the_same_name(tmp_path):
    wrong = tmp_path / "wrong.yaml"
    wrong.write_text(GAME.replace("\ncards:\n", "\ncards:\n  die: {count: 2}\n"))
    (finding,) = de.check(wrong)
    assert (finding.code, finding.hint) == ("duplicate-key", "Rename the die or the card.")


def test_a_die_may_be_written_as_a_card(path, tmp_path):
    """Check that `sides` of a card with weights, as earlier files have them, give the same game."""
    early = tmp_path / "early.yaml"
    early.write_text(
        GAME.replace("dice:\n", "cards:\n").replace("\ncards:\n  lamp", "\n  lamp").replace("faces:", "sides:")
    )
    now, before = (de.load(each, players=2).program for each in (path, early))
    games = [
        ReferencePlayer(each, ["random"] * 2, logged=True).play(root_of("dice"), 0, 2, rows=True)
        for each in (now, before)
    ]
    assert games[0] == games[1]


NO_TURN = "not-a-side", "No such card has two sides, so there is nothing to turn over."


@pytest.mark.parametrize(
    ("old", "new", "code", "message", "hint"),
    [
        (
            *("crown: 1}}", "crwon: 1}}"),
            *("card-does-nothing", "Nothing in the game names the side “crwon”.", "Did you mean “crown”?"),
        ),
        (
            *("of: [coin, die]", "of: coin"),
            *("never-changes", "Nothing ever rolls “die”, so none of its sides ever shows."),
            "Write “roll: {zone: …}” with a zone where it lies.",
        ),
        (
            *("flip: {zone: stall, of: lamp}", "shuffle: stall"),
            *("never-changes", "Nothing ever turns “lamp” over, so its other side never shows."),
            "Write “flip: …” with a zone where it lies.",
        ),
        (
            *("back: {label: Lit lamp, adds: {light: 1}}", "adds: {light: 1}"),
            *(*NO_TURN, "Give the card a back, for example: lamp: {back: {label: Lit lamp}}"),
        ),
        (
            *("of: lamp}", "of: die}"),
            *(*NO_TURN, "To roll the dice in a zone, write “roll: {zone: stall}”."),
        ),
        (
            *("faces: {heads: 1, tails: 1}", "faces: 6"),
            *("wrong-type", "“faces” must be a mapping (keys with values), not 6."),
            "If the sides of the die are numbers, write “counters: {coin: {die: 6}}”.",
        ),
        (
            *("faces: {heads: 1, tails: 1}", "faces: true"),
            *("wrong-type", "“faces” must be a mapping (keys with values), not true."),
            "For example “faces: {heads: 1, tails: 1}”.",
        ),
        (
            *("faces: {heads: 1, tails: 1}", "faces: [heads, tails, heads]"),
            *("wrong-type", "“faces” must be a mapping (keys with values), not a list."),
            "Write “faces: {heads: 2, tails: 1}”.",
        ),
    ],
)
def test_slips_with_sides_have_a_hint(tmp_path, old, new, code, message, hint):
    """Check findings about sides that nothing shows, and steps that show none. There are no others."""
    game = GAME.replace("  heads: {majority: heads, most: [3], tie: full}\n", "")
    game = game.replace("flip: stall", "flip: {zone: stall, of: lamp}")
    wrong = tmp_path / "wrong.yaml"
    wrong.write_text(game.replace(old, new))
    (finding,) = de.check(wrong)
    assert (finding.code, finding.message, finding.hint) == (code, message, hint)


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        ("{zone: tray, of: [coin, die]}, id", "tray, id", "unknown-die"),
        ("zone: tray, of: [coin, die]", "zone: bag", "zone-misuse"),
    ],
)
def test_a_wrong_step_still_rolls(tmp_path, old, new, code):
    """Check that dice whose roll has a mistake are not also dice that nothing rolls."""
    wrong = tmp_path / "wrong.yaml"
    wrong.write_text(GAME.replace(old, new))
    assert {finding.code for finding in de.check(wrong)} == {code}


def test_a_back_is_another_card(path):
    """Check that a card lies with one side up, each side counts as a card of its own, and a flip turns it."""
    game = de.load(path, players=2)
    tables = [["lamp", "lamp_back"], []]
    assert game.lay_out(de.Position(tables=tables)).counters[0]["light"] == 1
    state = game.set_up(de.Position(zones={"stall": [["lamp", "lamp_back"]]}, round=2, at="light"))
    assert sorted(state.describe()["zones"]["stall"]) == ["lamp", "lamp_back"]
    assert [event.cards for event in state.events if event.kind == "turned"] == [("lamp", "lamp_back")]


CHANGES = {
    "heads: {label: Obverse}": ("heads", {"label": (("", "Obverse"),), "side_of": "coin", "count": 0}),
    "ale: {adds: {thirst: 3}}": ("ale", {"adds": (("thirst", 3),), "side_of": "die", "count": 0}),
    "lamp_back: {adds: {light: 2}}": ("lamp_back", {"adds": (("light", 2),), "label": (("", "Lit lamp"),)}),
    "lamp_back: {family: {append: [dim]}}": ("lamp_back", {"family": ("dim",), "side_of": "lamp"}),
    "candle_back: {adds: {light: 2}}": ("candle_back", {"family": ("dim",), "label": (("", "Dimmed"),)}),
    "candle_back: {label: Stub}": ("candle_back", {"family": ("dim",), "label": (("", "Stub"),), "count": 0}),
    "candle_back: {family: {append: [wax]}}": ("candle_back", {"family": ("dim", "wax"), "label": (("", "Dimmed"),)}),
    "die: {sides: {ale: null, cask: 2}}, cask: {adds: {thirst: 4}}, ale: {count: 3}": ("cask", {"side_of": "die"}),
}


@pytest.mark.parametrize("where", ["a variant", "an extending file"])
@pytest.mark.parametrize("change", CHANGES)
def test_an_overlay_changes_sides_as_it_changes_cards(tmp_path, change, where):
    """Check changes to the sides of dice and to backs, which say nothing about a number of copies."""
    text = GAME.replace("\ncards:", "\nfamilies: {dim: {label: Dimmed}}\ncards:\n  candle: {count: 4, back: dim}")
    text += "  dim: {each: dim, points: 1}\n"
    base = tmp_path / "base.yaml"
    if where == "a variant":
        base.write_text(f"{text}variants: {{own: {{title: Own, changes: {{cards: {{{change}}}}}}}}}\n")
        path, variants = base, ["own"]
    else:
        base.write_text(text)
        path, variants = tmp_path / "own.yaml", []
        path.write_text(f"format: 2\nid: own\ntitle: Own\nversion: 1.0.0\nextends: base.yaml\ncards: {{{change}}}\n")
    assert de.check(path) == ()
    name, expected = CHANGES[change]
    (card,) = (card for card in de.load(path, players=2, variants=variants).model.cards if card.id == name)
    assert {key: getattr(card, key) for key in expected} == expected


@pytest.mark.parametrize("extends", ["", "extends: base.yaml\n"])
@pytest.mark.parametrize("order", [1, -1])
def test_a_new_back_is_in_one_place(tmp_path, extends, order):
    """Check that a new card and a card called like its back are an error, in a change as in any file."""
    (tmp_path / "base.yaml").write_text(GAME)
    start, coin, rest = GAME.partition("  lamp:")
    if extends:
        start, coin, rest = f"format: 2\nid: own\ntitle: Own\nversion: 1.0.0\n{extends}cards:\n", "", ""
    cards = ["  lantern: {count: 2, back: dusk}\n", "  lantern_back: {label: Dusk}\n"][::order]
    (tmp_path / "wrong.yaml").write_text("".join((start, *cards, coin, rest)))
    errors = [finding.code for finding in de.check(tmp_path / "wrong.yaml") if finding.severity == "error"]
    assert "not-a-side" in errors


MOONS = """
format: 2
id: moons
title: Moons
version: 1.0.0
players: 2
cards:
  owl: {count: 0, family: bird, adds: {hoots: 2}, label: Owl}
  moon: {count: 6, adds: {light: 1}, sides: {day: {adds: {light: 3}, scores: {points: light}}, dusk: {}, night: owl}}
  star: {count: 4}
zones:
  sky: {copies: 2, holds: 2, side: night}
  pile: {}
setup: [{shuffle: deck}, {draw: {to: sky}}, {draw: {to: pile, cards: 5}}]
round:
  - in_turn:
      do:
        - choose:
            to: tableau
            as: {birds: {from: sky, cards: 1-2, of: bird}, first: {from: pile, take: top, side: dusk}}
        - {choose: {from: tableau, of: owl, cards: 0-1, to: tableau, side: day}, id: turn_over}
finish: [{score: game}]
scoring: {stars: {points: star - hoots + hoots}}
examples:
  - name: sides are counted and scored
    tables: [[moon@day, moon@night], [moon@dusk, moon@dusk]]
    expect: {total: [3, 0], tables: [{moon@day: 1, moon@night: 1}, [moon@dusk, moon@dusk]]}
  - name: birds from two places, one of which turns
    zones: {sky_1: [moon, star], sky_2: [moon], pile: [moon]}
    moves: [[[moon@birds, moon@birds], null], [moon, null]]
    expect: {tables: [[moon@night, moon@day], []], zones: {sky_1: [star], sky_2: []}}
  - name: the first card of a pile
    zones: {pile: [star, moon]}
    moves: [[first, null]]
    expect: {tables: [[moon@dusk], []], zones: {pile: [star]}}
"""


def test_sides_are_said_as_keys_or_as_cards(tmp_path):
    """Check three sides, a card that is a side, zones and steps with `side`, and names in examples."""
    path = tmp_path / "moons.yaml"
    path.write_text(MOONS)
    assert de.check(path) == ()
    model = de.load(path).model
    sides = {card.id: (card.family, card.adds, card.side) for card in model.cards if card.side}
    assert sides == {
        "moon": (("day",), (("light", 3),), "day"),
        "moon_dusk": (("dusk",), (("light", 1),), "dusk"),
        "moon_night": (("owl", "night", "bird"), (("hoots", 2),), "night"),
    }
    play_alike(de.load(path).program, "moons", 4)


def test_people_read_what_a_die_can_show(path):
    """Check the sentences about dice and sides: in the box, about a card, and about what was rolled."""
    game = de.load(path, players=2)
    book = as_text(book_of(game.ruleset, "en"))
    assert "12 × Great die (3 × Ale, 2 × Bread and 1 × Crown)" in book
    assert "9 cards · 18 dice" in book
    assert "9 × Lamp (other side: Lit lamp)" in book
    assert "a side of Great die" in "\n".join(about_card("ale", Names(game, ["human", "greedy"], Style())))
    events = game.set_up(de.Position(zones={"tray": [["die"], ["lamp"]]})).events
    assert [(event.kind, event.seat, event.zone, event.count) for event in events if event.kind == "thrown"] == [
        ("thrown", 0, "tray", 1)
    ]


def test_any_card_is_any_side(path, tmp_path):
    """Check that `any` means what dice show, and that a variant changes what a die has on its sides."""
    text = GAME.replace(
        "rounds: 3\n", "rounds: 3\nvariants: {royal: {title: R, changes: {cards: {die: {sides: {crown: 9}}}}}}\n"
    )
    text = text.replace("  lamp:", "  jester: {count: 3, forms: {of: any}}\n  lamp:")
    wild = tmp_path / "wild.yaml"
    wild.write_text(text + '  "has_{c}": {for: {c: any}, each: "{c}", points: 1}\n')
    game, royal = de.load(wild, players=2), de.load(wild, players=2, variants=["royal"])
    forms = ("ale", "bread", "crown", "heads", "lamp", "lamp_back", "tails")
    jester = next(card for card in game.model.cards if card.id == "jester")
    assert sorted(jester.forms.of) == [*forms]
    assert sorted(rule.id for rule in game.model.scoring if rule.id.startswith("has_")) == [
        f"has_{one}" for one in forms
    ]
    (die,) = [card for card in royal.model.cards if card.id == "die"]
    assert dict(die.sides) == {"ale": 3, "bread": 2, "crown": 9}


@many
@given(games_with_sides())
def test_all_gates_are_passed(text):
    """Check that no thing is lost or made, counters add up, and the game ends as soon as was foreseen."""
    for program in programs_of(text, (2, 3)):
        pass_all_gates(program, 1)


@many
@given(games_with_sides())
def test_a_seat_cannot_tell_a_world_from_the_real_one(text):
    for program in programs_of(text, (2, 3)):
        cannot_be_told_apart(program, Random(text), often=0.3)


@many
@given(games_with_sides())
def test_the_kernel_plays_the_same_games(text):
    for program in programs_of(text, (2,)):
        seats = ["random"] * program.players
        reference = ReferencePlayer(program, seats, logged=True).play(root_of(text), 0, 3, rows=True)
        assert as_it_stands(program, seats).play(root_of(text), 0, 3, rows=True) == reference


@many
@given(games_with_sides())
def test_a_search_deals_the_same_worlds(text):
    for program in programs_of(text, (2,)):
        chance = Random(text)
        positions = moments(program, chance.randrange(10**6))
        hold_worlds(program, chance.sample(positions, min(4, len(positions))))


def test_batches_show_the_same(monkeypatch):
    """Check observations, masks, rewards and ends of games with dice, bit for bit."""
    engine, played = play(monkeypatch, "as it stands"), Counter()

    @settings(max_examples=300 if NIGHTLY else 10, deadline=None, suppress_health_check=list(HealthCheck))
    @given(games_with_sides())
    def draw(text):
        for program in programs_of(text, (2, 3)):
            with suppress(UnsupportedError, NothingToChooseError):
                agree(program, engine=engine)
                played["games"] += 1

    draw()
    assert played["games"] > 5


@pytest.mark.parametrize("players", [2, 4])
def test_every_form_plays_the_same_games(path, players):
    play_alike(de.load(path, players=players).program, "sides", 12)


def test_what_is_hidden_changes_nothing(path):
    """Check that the dice in the bag, and what they show there, are no secret, but their order is."""
    program, chance = de.load(path, players=3).program, Random(1)
    for _, _, _, state, _ in gates.steps(program, 5):
        for seat in range(3):
            seen, other = observe(state, seat), observe(another_world(state, seat, chance), seat)
            assert seen == other
            one, two = HiddenCards.of(seen), HiddenCards.of(other)
            assert one.template.digest() == two.template.digest()
            assert one.parts == two.parts
            key = chance.getrandbits(64)
            assert one.world(Stream(key)).digest() == two.world(Stream(key)).digest()


def test_a_roll_keeps_the_things_and_draws_every_side_alike(path):
    """Check that each side comes up as often as the die has it, regardless of what the die showed."""
    game = de.load(path, players=2)
    cards, results = game.program.cards, Counter()
    for seed in range(1500):
        lying = ["die"] * 4 if seed % 2 else ["ale", "ale", "crown", "lamp"]
        state = game.set_up(de.Position(zones={"tray": [lying, ["heads"]]}), seed=seed)
        tray = Counter(state.describe()["zones"]["tray"][0])
        things = Counter(cards[game.program.thing_of[cards.index(card)]] for card in tray.elements())
        assert things == ({"die": 4} if seed % 2 else {"die": 3, "lamp": 1})
        if not seed % 2:
            assert tray["lamp"] == 1  # only certain things are rolled, and this one is not
        results += tray
    thrown = 4 * 750 + 3 * 750
    for side, share in {"ale": 3, "bread": 2, "crown": 1}.items():
        expected = thrown * share / 6
        assert abs(results[side] - expected) < 4 * (expected * (1 - share / 6)) ** 0.5, side


@pytest.mark.parametrize(
    ("old", "new", "message", "hint"),
    [
        ("night: owl", "night: owll", "There is no card “owll”.", "Did you mean “owl”?"),
        ("side: night", "side: nigth", "No card has a side called “nigth”.", "Did you mean “night”?"),
        ("side: day}, id", "side: dya}, id", "No card has a side called “dya”.", "Did you mean “day”?"),
        (
            *("star: {count: 4}", "star: {count: 4}\n  moon_dusk: {count: 1}"),
            *("“moon_dusk” is the name of another card, but this side", "Rename the other card, or the side."),
        ),
    ],
)
def test_wrong_names_of_sides_have_a_hint(tmp_path, old, new, message, hint):
    """Check a side that is no card, sides that no card has, and a side that is called like a card."""
    path = tmp_path / "wrong.yaml"
    path.write_text(MOONS.partition("examples:")[0].replace(old, new))
    finding = next(finding for finding in de.check(path) if finding.severity == "error")
    assert finding.message.startswith(message)
    assert finding.hint == hint


def test_cards_that_only_their_owner_sees_are_turned_as_they_arrive(tmp_path):
    """Check that `side` needs no source that everybody sees, and that others keep their sides."""
    path = tmp_path / "pits.yaml"
    text = MOONS.partition("examples:")[0].replace("  pile: {}", "  pile: {}\n  pit: {per: seat, seen_by: owner}")
    path.write_text(
        text.replace("finish:", "  - {draw: {to: pit}}\n  - {move: {from: pit, to: tableau, side: dusk}}\nfinish:")
    )
    assert [finding.message for finding in de.check(path) if finding.severity == "error"] == []
    game = de.load(path, players=2)
    play_alike(game.program, "pits", 2)
    state = game.set_up(
        de.Position(zones={"pit": [["moon"], []], "sky_1": [["star"]], "pile": [["star"]], "sky_2": [[]]})
    )
    while state.waiting:
        state = state.commit(state.waiting[0], state.view(state.waiting[0]).moves[0])
    assert "moon_dusk" in state.tableaus[0]
