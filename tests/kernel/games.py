"""Card sets that nobody wrote: small games of every mechanism, drawn by Hypothesis."""

import json

from hypothesis import strategies as st

CARDS = ("soup", "bread", "salad", "spice", "ladle", "cake")


@st.composite
def card_sets(draw):
    """The text of a card set. Most are valid; those that cannot be played are refused when they are loaded."""
    names = CARDS[: draw(st.integers(3, 6))]
    cards = {name: _card(draw) for name in names}
    data = {
        "format": 1,
        "id": "drawn",
        "title": "Drawn",
        "version": "1.0.0",
        "players": "2-6",
        "rounds": draw(st.integers(1, 3)),
        "cards": cards,
        "counters": {"icons": {"label": "icons"}},
        "setup": [{"shuffle": "deck"}],
        "round": _round(draw),
        "finish": [{"score": "game"}],
        "scoring": {f"rule_{number}": _rule(draw, names) for number in range(draw(st.integers(1, 5)))},
        "winner": {"order": draw(st.sampled_from(["most", "fewest"])), "tie_breakers": [{"most": names[0]}]},
    }
    if draw(st.booleans()):
        data["modifiers"] = {"spicy": _modifier(draw, names)}
    if draw(st.booleans()):
        data["abilities"] = {"more": _ability(draw, names)}
    if draw(st.booleans()):
        data["markers"] = {"spoon": {"start": draw(st.sampled_from(["nobody", "first", "random"]))}}
        data["triggers"] = {"lead": _trigger(draw, names)}
    if draw(st.booleans()):
        data["chips"] = {"coins": {"values": draw(st.lists(st.integers(-1, 5), min_size=1, max_size=9))}}
        data["scoring"]["coined"] = {"kind": "majority", "of": draw(st.sampled_from(names)), "chip": "coins"}
    if draw(st.booleans()):
        cards["stew"] = {
            "count": 3,
            "forms": {"of": list(names[:2]), "when": draw(st.sampled_from(["card > 0", "true"]))},
        }
    return json.dumps(data)


def _card(draw):
    card = {"count": draw(st.integers(4, 12))}
    if draw(st.booleans()):
        card["family"] = draw(st.sampled_from(["hot", "cold"]))
    if draw(st.booleans()):
        card["adds"] = {"icons": draw(st.integers(-2, 3))}
    if draw(st.integers(0, 3)) == 0:
        card["keep"] = True
    if draw(st.integers(0, 4)) == 0:
        card["on_play"] = [draw(st.sampled_from([{"points": 1}, {"points": "gained(icons)"}]))]
    return card


def _round(draw):
    choose = {"choose": {"from": "hand", "to": "tableau"}}
    pass_on = {"pass": {"zone": "hand", "to": draw(st.sampled_from(["left", "right", ["left", "right"]]))}}
    turn = [choose, pass_on]
    if draw(st.integers(0, 3)) == 0:
        turn.append({"draw": {"to": "hand", "cards": 1}, "when": "turn < 2"})
    clear = [{"clear": "tableau"}] if draw(st.booleans()) else [{"gather": "deck"}, {"shuffle": "deck"}]
    size = draw(st.integers(2, 3))
    return [
        {"deal": {"to": "hand", "cards": size}},
        {"repeat": {"until_empty": "hand", "do": turn}},
        {"score": "round"},
        *clear,
    ]


def _formula(draw, names):
    one, two = draw(st.sampled_from(names)), draw(st.sampled_from(names))
    patterns = (
        "{0}", "{0}", "{0} + 2 * {1}", "max({0}, {1})", "kinds({0}, {1})", "{0} - others_most({1})", "abs({0} - {1})",
        "{0} if {1} > 1 else 0", "total({0}) - {1}", "{0} // 2 + {1} % 2", "min({0}, 3) * round", "-{0}",
    )  # fmt: skip
    return draw(st.sampled_from(patterns)).format(one, two)


def _rule(draw, names):
    number = st.integers(-4, 9)
    kind = draw(st.sampled_from(["each", "set", "table", "majority", "majority", "runs", "collection", "formula"]))
    of = _formula(draw, names)
    rule = {"kind": kind, "at": draw(st.sampled_from(["round", "game"]))}
    if kind == "each":
        rule |= {"of": of, "points": draw(number)}
    elif kind == "set":
        rule |= {"of": of, "size": draw(st.integers(1, 3)), "points": draw(number)}
    elif kind == "table":
        beyond = draw(st.sampled_from(["last", "repeat", "nothing"]))
        rule |= {"of": of, "points": draw(st.lists(number, min_size=1, max_size=5)), "beyond": beyond}
    elif kind == "runs":
        rule |= {"of": list(names[:3]), "points": draw(st.lists(number, min_size=3, max_size=3))}
    elif kind == "collection":
        rule |= {"of": list(names[:3]), "points": draw(number)}
    elif kind == "formula":
        rule |= {"points": of}
    else:
        rule |= {
            "of": of,
            draw(st.sampled_from(["most", "fewest"])): draw(st.lists(number, min_size=1, max_size=3)),
            "tie": draw(st.sampled_from(["split", "full", "nobody", "next"])),
            "tie_takes_places": draw(st.booleans()),
            "at_least": draw(st.integers(-1, 2)),
            "nobody_if_all_equal": draw(st.booleans()),
        }
    if draw(st.integers(0, 4)) == 0:
        rule["when"] = f"most({names[0]}) > 1 or players > 2" if draw(st.booleans()) else "round != 2"
    return rule


def _modifier(draw, names):
    return {
        "card": names[-1],
        "applies_to": draw(st.sampled_from(names[:-1])),
        "then": {"icons": draw(st.sampled_from(["3 * amount", "amount + 1"]))},
        "capacity": draw(st.integers(1, 2)),
    }


def _ability(draw, names):
    when = draw(st.sampled_from(["before_reveal", "after_reveal"]))
    return {
        "card": names[-2],
        "take": draw(st.integers(1, 2)),
        "when": when,
        "per_turn": draw(st.integers(1, 2)),
        "returns_to": draw(st.sampled_from(["hand", "discard", "stays"])),
    }


def _trigger(draw, names):
    name = draw(st.sampled_from(names))
    return {
        "after": draw(st.sampled_from(["reveal", "round"])),
        "who": draw(
            st.sampled_from([f"gained({name}) > 0", f"{name} == most({name})", f"{name} > others_most({name})"])
        ),
        "only": draw(st.sampled_from(["single", "each"])),
        "unless": "holds(spoon)",
        "do": [{"take": "spoon"}, {"points": draw(st.sampled_from(["2", name, "-1"]))}],
    }
