"""Bounds of counters: as tight as the cards allow, and never too tight."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from draftengine.model.cardset.effects import amounts_of, modifiers_for
from draftengine.model.cardset.facts import CounterInfo, constant, seat_scope, seats
from draftengine.model.flow.counters import counters_of
from draftengine.model.selection import open_document, resolve

if TYPE_CHECKING:
    from draftengine.model.cardset.records import CardSet

GAME = """
format: 1
id: game
title: Game
version: 1.0.0
players: 2-4
rounds: 3
cards:
  soup: {count: 9, family: [dish, hot]}
  bread: {count: 5, family: dish, adds: {crumbs: 2}}
  crumble: {count: 2, adds: {crumbs: 5}}
  diet: {count: 2, adds: {crumbs: -3}}
  spice: {count: 3}
  cake: {count: 4, keep: true, adds: {sugar: 2}}
  jam: {count: 4, adds: {sugar: 1}}
  filler: {count: 80}
  EXTRA
counters:
  MORE
  honey: {start: 1}
COMPONENTS
round:
  - deal: {to: hand, cards: 6}
  - repeat: {until_empty: hand, do: [{choose: {}}, {pass: {to: left}}]}
  - score: round
  - END
scoring:
  soup: {kind: each, of: soup, points: 1}
winner: {order: most}
"""
PLACES = {"EXTRA": "rare: {count: 0}", "MORE": "salt: {start: 2}", "COMPONENTS": "", "END": "clear: tableau"}


def model_of(**places: str) -> CardSet:
    text = GAME
    for name, part in (PLACES | places).items():
        text = text.replace(name, part)
    document, findings = open_document(text.encode(), "game.yaml", lambda _name: None)
    assert document is not None, findings
    model, findings = resolve(document)
    assert model is not None, findings
    return model


def infos(**places: str) -> dict[str, CounterInfo]:
    return {info.id: info for info in counters_of(model_of(**places), 3)}


def bounds(name: str, **places: str) -> tuple[int, int]:
    own = infos(**places)[name]
    return own.low, own.high


def test_every_counter_is_there():
    """Check that cards, families and amounts are each listed once, with their kind."""
    kinds = {name: info.kind for name, info in infos().items()}
    assert kinds == {
        **dict.fromkeys(["soup", "bread", "crumble", "diet", "spice", "cake", "jam", "filler", "rare"], "card"),
        **dict.fromkeys(["dish", "hot"], "family"),
        **dict.fromkeys(["crumbs", "sugar", "salt", "honey"], "amount"),
    }


@pytest.mark.parametrize(
    ("name", "low", "high", "keep", "start"),
    [
        pytest.param("soup", 0, 6, "none", 0, id="no more than a seat can play in a round"),
        pytest.param("bread", 0, 5, "none", 0, id="no more than there are"),
        pytest.param("rare", 0, 0, "none", 0, id="none in the deck"),
        pytest.param("cake", 0, 4, "all", 0, id="kept over all rounds"),
        pytest.param("dish", 0, 6, "none", 0, id="a family"),
        pytest.param("crumbs", -6, 18, "none", 0, id="the largest amounts first"),
        pytest.param("sugar", 0, 12, "mixed", 0, id="kept cards, and others of this round"),
        pytest.param("salt", 2, 2, "none", 2, id="a start that nothing changes"),
        pytest.param("honey", 1, 1, "none", 1, id="the same"),
    ],
)
def test_cards(name, low, high, keep, start):
    """Check that bounds follow from copies, amounts and the number of cards that can be played."""
    own = infos()[name]
    assert (own.low, own.high, own.keep, own.start) == (low, high, keep, start)


def test_modifiers_take_room():
    """Check that modifiers use up plays: a hand of six is three spices and three dishes at most."""
    hot = "modifiers: {hot: {card: spice, applies_to: dish, then: {crumbs: 3 * amount}}}"
    own = infos(COMPONENTS=hot)
    assert (own["modifier:hot"].kind, own["modifier:hot"].low, own["modifier:hot"].high) == ("modifier", 0, 3)
    assert 22 <= own["crumbs"].high <= 24  # two crumbles, breads and spices make 22; without spices it were 32
    assert infos(COMPONENTS=hot.replace("then", "capacity: 2, then"))["modifier:hot"].high == 6


def test_a_modifier_that_stays_counts_for_every_card():
    """Check that a modifier that stays may apply to every card: it may be from an earlier round."""
    hot = "modifiers: {hot: {card: cake, applies_to: dish, then: {crumbs: 3 * amount}}}"
    assert bounds("crumbs", COMPONENTS=hot)[1] == 5 * 6 + 5
    assert infos(COMPONENTS=hot)["modifier:hot"].keep == "all"


def test_stacked_modifiers():
    """Check that two modifiers on one card multiply."""
    both = """modifiers:
  hot: {card: spice, applies_to: bread, then: {crumbs: 3 * amount}, stacks: true}
  big: {card: jam, applies_to: bread, then: {crumbs: 2 * amount}, stacks: true}"""
    assert bounds("crumbs", COMPONENTS=both)[1] >= 2 * 12
    assert bounds("crumbs", COMPONENTS=both.replace(", stacks: true", ""))[1] < 36


def test_wild_cards_count_as_what_they_stand_for():
    """Check that a wild card counts as its form: a wild soup is a soup."""
    own = infos(EXTRA="wild: {count: 2, forms: {of: [bread, crumble]}}")
    assert own["bread"].high == 6
    assert own["wild"].high == 2
    assert own["crumbs"].high == 4 * 5 + 2 * 2


def test_counters_that_survive_clearing():
    """Check that kept amounts add up over the rounds, again and again if their cards return."""
    keep = "crumbs: {keep: true}\n  salt: {start: 2, keep: false}"
    assert bounds("crumbs", MORE=keep) == (-6, 10 + 10)
    assert infos(MORE=keep)["crumbs"].keep == "all"
    assert bounds("crumbs", MORE=keep, END="gather: deck") == (-4 * 6, 4 * 18)


def test_without_clearing():
    """Check that all rounds count where nothing is cleared."""
    assert bounds("soup", END="move: {from: hand, to: discard}") == (0, 9)


@pytest.mark.parametrize(
    ("counter", "effect", "expected"),
    [
        ("luck: {die: 6}", "roll: luck", (0, 6)),
        ("luck: {die: 6, start: 1}", "roll: luck", (1, 6)),
        ("luck: {min: -2, max: 9}", "add: {luck: 5 * soup}", (-2, 9)),
        ("luck: {min: 1, max: 9, start: 3}", "set: {luck: soup}", (1, 9)),
        ("luck: {min: 50}", "set: {luck: soup}", (0, 50)),
        ("luck: {max: 4}", "add: {luck: 2}", (-10_000, 4)),  # in format 1, without a lowest value
        ("luck: {min: 0}", "add: {luck: 0 - 2}", (0, 0)),
        ("luck: {start: 3}", "set: {luck: 2 * bread - 1}", (-1, 9)),
        ("luck: {start: 3, keep: true}", "add: {luck: 2}", (3, 3 + 2 * 18)),
        ("luck: {start: 3, keep: true}", "add: {luck: 0 - round}", (3 - 3 * 18, 3)),
    ],
)
def test_effects(counter, effect, expected):
    """Check dice, declared bounds, and bounds from formulas and the number of plays."""
    assert bounds("luck", MORE=counter, EXTRA=f"note: {{count: 3, on_play: [{{{effect}}}]}}") == expected


@pytest.mark.parametrize("effect", ["add: {luck: luck}", "set: {luck: points}", "add: {luck: 1000 * soup * soup}"])
def test_effects_without_bounds(effect):
    """Check that an amount without a provable bound is reported."""
    own = infos(MORE="luck: {min: 0}", EXTRA=f"note: {{count: 3, on_play: [{{{effect}}}]}}")
    assert not own["luck"].bounded
    assert own["soup"].bounded


def test_triggers_count_by_their_moments():
    """Check that a trigger after a score step counts once per round."""
    trigger = "triggers: {bonus: {after: round, who: soup > 0, do: [{add: {luck: 2}}]}}"
    assert bounds("luck", MORE="luck: {keep: true}", COMPONENTS=trigger) == (0, 6)


def test_what_leaves_after_a_reset():
    """Check that a kept card that is discarded after a reset may lower its counter below zero."""
    lose = "triggers: {lose: {after: round, who: soup > 0, do: [{discard: cake}]}}"
    assert bounds("sugar", MORE="sugar: {keep: false}", COMPONENTS=lose) == (-8, 10)


def test_scopes():
    """Check that formulas use the proved bounds."""
    model = model_of(COMPONENTS="extra_seats: {ghost: {}}\nparameters: {size: {default: 4}}")
    counters = counters_of(model, 2)
    names = seat_scope(model, 2, counters, amount=(1, 3)).names
    assert (names["crumbs"].low, names["crumbs"].high, names["crumbs"].per_seat) == (-6, 18, True)
    assert (names["amount"].low, names["amount"].high) == (1, 3)
    assert (names["seats"].low, names["players"].low, names["size"].low) == (3, 2, 4)
    assert names["hand"].kind == "zone"
    assert names["points"].per_seat
    assert seats(model, 2) == 3
    rule = model.scoring[0]
    assert constant(rule.spec.points, model, 2) == 1


AMOUNTS = ("soup", "bread", "crumble", "diet", "spice", "cake", "jam", "wild")
SHOWCASE = {
    "EXTRA": "wild: {count: 2, forms: {of: [bread, crumble]}}",
    "COMPONENTS": "modifiers: {hot: {card: spice, applies_to: dish, then: {crumbs: 3 * amount, heat: 1}}}",
    "MORE": "heat: {start: 1}",
}


@given(order=st.permutations([name for name in AMOUNTS for _ in range(9)]), form=st.sampled_from(["bread", "crumble"]))
def test_no_tableau_leaves_the_bounds(order, form):
    """Check that any six cards that a seat plays keep every counter within its bounds."""
    model = model_of(**SHOWCASE)
    known = {info.id: info for info in counters_of(model, 3)}
    cards = {card.id: card for card in model.cards}
    left = {card.id: card.count for card in model.cards}
    values = {name: info.start for name, info in known.items()}
    for name in _playable(order, left)[:6]:
        card, added = cards[name], amounts_of(model, cards[name])
        modifiers = modifiers_for(model, card)
        if card.forms:
            target = amounts_of(model, cards[form])
            added = {key: added.get(key, 0) + target.get(key, 0) for key in added | target}
            modifiers = modifiers_for(model, cards[form])
        for modifier in modifiers:
            if values[f"modifier:{modifier.id}"] > 0:
                values[f"modifier:{modifier.id}"] -= 1
                for own in modifier.then:
                    added[own.counter] = constant(own.formula, model, 3, amount=added.get(own.counter, 0))
        for counter, amount in added.items():
            values[counter] += amount
        assert all(info.low <= values[info.id] <= info.high for info in known.values())


def _playable(order: list[str], left: dict[str, int]) -> list[str]:
    """Return the cards in order, each at most as often as `left` has copies."""
    played = []
    for name in order:
        if left[name]:
            left[name] -= 1
            played.append(name)
    return played
