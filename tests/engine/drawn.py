"""Generated card sets: small games of every mechanism, drawn by Hypothesis."""

import json
from contextlib import suppress

from hypothesis import strategies as st

from compiled import load_program
from draftengine.model.library import CardSetError
from draftengine.model.selection import NOTHING_SELECTED, open_document

CARDS = ("soup", "bread", "salad", "spice", "ladle", "cake")
EFFECTS = (
    {"points": 1},
    {"points": "gained(icons)"},
    {"points": "cards(hand) - luck"},
    {"roll": "luck"},
    {"add": {"stars": "round"}},
    {"set": {"stars": "luck // 2 + turn % 2"}},
    {"discard": "soup"},
    {"discard": {"of": ["bread", "salad"], "cards": 2}},
)
LISTS = (
    (
        {"draw": {"to": "tray", "cards": "1 + max(icons, 0)"}},
        {"choose": {"from": "tray", "to": "tableau"}},
        {"move": {"from": "tray", "to": "deck"}},
        {"shuffle": "deck"},
    ),
    ({"choose": {"from": "discard", "to": "tableau"}}, {"points": 1, "when": "icons > 0"}),
    ({"roll": "luck"}, {"choose": {"from": "hand", "to": "discard"}}, {"points": "luck"}),
    (
        {"do": [{"add": {"stars": 1}}, {"draw": {"to": "tray"}}], "when": "stars < 3", "else": [{"points": -1}]},
        {"move": {"from": "tray", "to": "hand"}},
    ),
    ({"points": "luck"}, {"who": "others", "add": {"stars": -1}}, {"who": "left", "draw": {"to": "hand"}}),
    (
        {"who": "others", "do": [{"draw": {"to": "tray"}}, {"choose": {"from": "tray", "to": "tableau"}}]},
        {"who": "icons > 1", "when": "stars > 1", "points": 1, "else": [{"who": "right", "choose": {"to": "discard"}}]},
    ),
    ({"move": {"from": "discard", "of": "soup", "cards": 1, "to": "tableau", "played": True}},),
    (
        {"move": {"from": "tableau", "of": "bread", "to": "discard"}},
        {"move": {"from": ["tray", "hand"], "to": "discard"}},
    ),
    (
        {"choose": {"from": "hand", "to": "left.shelf"}},
        {"choose": {"from": "right.shelf", "to": "tableau", "cards": "0-1"}},
        {"choose": {"name": "rival", "of": "others", "cards": "0-1"}},
        {"move": {"from": "rival.shelf", "of": ["soup", "bread"], "cards": 1, "to": "left.tray"}},
        {"who": "rival", "points": 1},
    ),
    (
        {"find": {"name": "rival", "of": "everyone", "most": "icons"}},
        {"move": {"from": "hand", "to": "tray"}},
        {"move": {"from": "rival.hand", "to": "shelf"}},
        {"choose": {"from": "tray", "to": "rival.shelf", "cards": "min(2, icons)"}},
        {"draw": {"to": "right.tableau"}},
    ),
)
"""Step lists of cards: groups, steps for others, zones of other seats, and moves of some cards."""


@st.composite
def card_sets(draw, *, kinds=()):
    """Draw the text of a card set. Most are valid; those that cannot be played are refused when loaded.

    `kinds` limits the kinds of rounds, for example to `SIDED`: dice, or cards with two sides.
    """
    names = CARDS[: draw(st.integers(3, 6))]
    cards = {name: _card(draw) for name in names}
    cards[names[0]]["has"] = {"weight": 2}
    data = {
        "format": 2,
        "id": "drawn",
        "title": "Drawn",
        "version": "1.0.0",
        "players": "2-6",
        "rounds": draw(st.integers(1, 3)),
        "cards": cards,
        "counters": {"icons": {"label": "icons"}, "luck": {"die": 6, "start": 1}, "stars": {"min": 0, "max": 5}},
        "setup": [{"shuffle": "deck"}],
        "round": [],
        "finish": [{"score": "game"}],
        "scoring": {f"rule_{number}": _rule(draw, names) for number in range(draw(st.integers(1, 5)))},
        "winner": {"order": draw(st.sampled_from(["most", "fewest"])), "tie_breakers": [{"most": names[0]}]},
    }
    data["counters"]["stars"]["per"] = draw(st.sampled_from(["seat", "seat", "table"]))
    flow = _flow(draw, data, kinds or KINDS)
    data["counters"] |= flow.pop("counters", {})
    cards |= flow.pop("cards", {})
    if draw(st.integers(0, 3)) == 0:
        data["wins"] = draw(st.sampled_from(["points > 7", "stars == 5", "icons > 4 and alone(icons > 4)"]))
    data |= flow
    plain = "relics" in data.get("zones", {}) or cards.keys() & {"die", "lamp", "tower"}
    if draw(st.booleans()):
        data["modifiers"] = {"spicy": _modifier(draw, names)}
    if draw(st.booleans()):
        data["abilities"] = {"more": _ability(draw, names, "place" if "display" in data.get("zones", {}) else "hand")}
    if draw(st.booleans()):
        data.setdefault("markers", {})["spoon"] = {"start": draw(st.sampled_from(["nobody", "first", "random"]))}
        data.setdefault("triggers", {})["lead"] = _trigger(draw, names, sorted(data["markers"]))
    if draw(st.booleans()):
        data["chips"] = {"coins": {"values": draw(st.lists(st.integers(-1, 5), min_size=1, max_size=9))}}
        data["scoring"]["coined"] = {"majority": draw(st.sampled_from(names)), "chip": "coins"}
    if draw(st.booleans()):
        cards["stew"] = {
            "count": 3,
            "forms": {"of": list(names[:2]), "when": draw(st.sampled_from(["card > 0", "true"]))},
        }
    if draw(st.booleans()):
        scoring = draw(st.lists(st.sampled_from(names), min_size=1, max_size=3, unique=True))
        cards |= {name: cards[name] | {"scores": _rule(draw, names)} for name in scoring}
        data["scoring"]["best"] = {"points": "best_of(cards)"}
    if draw(st.integers(0, 3)) == 0 and not plain and "(discard, " not in json.dumps(data):
        cards[names[0]]["face"] = cards[names[1]]["face"] = "covered"
    if "extra_seats" not in data:
        _lists(draw, data, names)
    _on_cards(draw, data, names)
    return json.dumps(data)


def _lists(draw, data, names):
    """Give some of the cards step lists."""
    if draw(st.integers(0, 2)) == 0:
        data.setdefault("zones", {})["tray"] = {"per": "seat", "seen_by": "owner"}
        data["zones"]["shelf"] = {"per": "seat", "seen_by": "everyone"}
        for name in draw(st.lists(st.sampled_from(names), min_size=1, max_size=2, unique=True)):
            data["cards"][name]["on_play"] = draw(st.sampled_from(LISTS))
            data["cards"][name]["order"] = draw(st.integers(0, 1))


def _on_cards(draw, data, names):
    """Give some of the cards triggers, and some single cards counters of their own."""
    if draw(st.integers(0, 2)) == 0:
        trigger = {"after": draw(st.sampled_from(["reveal", "turn", "round"])), "do": draw(st.sampled_from(OF_COPIES))}
        trigger |= draw(st.sampled_from([{}, {"who": "stars > 1 or its(weight) > 0"}, {"only": "single"}]))
        data["cards"][draw(st.sampled_from(names))]["triggers"] = [trigger]
    if draw(st.integers(0, 2)) == 0:
        for name in ("inn", "bar"):
            card = {"count": 1, "family": "house", "on_play": draw(st.sampled_from(ON_HOUSES))}
            data["cards"][name] = card | {"keep": draw(st.booleans()), "scores": {"points": "its(guests)"}}
        after, do = draw(st.sampled_from(["reveal", "turn"])), draw(st.sampled_from(ON_HOUSES))
        data["cards"]["inn"]["triggers"] = [{"after": after, "who": "points > 0", "do": do}]
        data["counters"]["guests"] = {"per": draw(st.sampled_from(["house", "card"])), "min": 0, "max": 9}
        data["scoring"]["guests"] = {"points": draw(st.sampled_from(["sum({}, guests)", "cards({}, its(guests) > 1)"]))}
        data["scoring"]["guests"]["points"] = data["scoring"]["guests"]["points"].format("tableau")


OF_COPIES = ([{"points": 1}], [{"add": {"stars": "1 + round"}}, {"points": "gained(icons)"}])
"""Lists of triggers on cards with several copies."""
ON_HOUSES = ([{"add": {"guests": 1}}], [{"set": {"guests": "1 + icons"}}, {"points": "its(guests)"}])
"""Lists of single cards with a counter."""


def programs_of(text, players):
    """Yield the programs of a card set for those numbers of players that it can be played by."""
    document, _ = open_document(text.encode(), "drawn.yaml", lambda _: None)
    if document is not None:
        for count in players:
            with suppress(CardSetError):
                yield load_program(document, NOTHING_SELECTED, count)


def _card(draw):
    card = {"count": draw(st.integers(4, 12))}
    if draw(st.booleans()):
        card["family"] = draw(st.sampled_from(["hot", "cold"]))
    if draw(st.booleans()):
        card["adds"] = {"icons": draw(st.integers(-2, 3))}
        card["has"] = {"weight": draw(st.integers(-1, 3))}
    if draw(st.integers(0, 3)) == 0:
        card["keep"] = True
    if draw(st.integers(0, 4)) == 0:
        card["on_play"] = draw(st.lists(st.sampled_from([*EFFECTS, {"points": "cards(hand)"}]), min_size=1, max_size=2))
    return card


def _flow(draw, data, kinds):
    """Draw a round of one of several kinds of games, and add what it needs to the card set."""
    turns = draw(st.sampled_from(kinds))
    deals, loop, more = turns(draw)
    if draw(st.integers(0, 3)) == 0:
        more.setdefault("markers", {})["crown"] = {"start": "nobody"}
        measure = draw(st.sampled_from(["points", "icons", "luck - stars", "1 if holds(crown) else 0"]))
        to = {draw(st.sampled_from(["most", "fewest"])): measure}
        if draw(st.integers(0, 2)) == 0:
            to = {"next": "icons > 1 and turn < 3", "else": draw(st.sampled_from(["nobody", "stays", "self"]))}
        deals.append({"give": {"marker": "crown", "to": to, "tie": draw(st.sampled_from(["stays", "nobody", "left"]))}})
    if draw(st.integers(0, 4)) == 0:
        when = draw(st.sampled_from(["most(points) > 4", "total(icons) > 3", "round == 2 and turn == 2"]))
        loop["do"] = [*loop["do"], {"end": draw(st.sampled_from(["round", "game"])), "when": when}]
    if draw(st.integers(0, 3)) == 0:
        loop["do"] = [*loop["do"], draw(st.sampled_from(TOGETHER))]
    anew = [
        draw(st.sampled_from([{"gather": "deck"}, {"move": {"from": "everywhere", "to": "deck"}}])),
        {"shuffle": "deck"},
    ]
    clear = [{"clear": "tableau"}] if draw(st.booleans()) else anew
    clear = more.pop("after_scoring", []) + clear
    if draw(st.integers(0, 3)) == 0:
        loop["at_most"] = draw(st.sampled_from([2, "1 + round"]))
    return more | {"round": [*deals, {"repeat": loop}, {"score": "round"}, *clear]}


TOGETHER = (
    {"add": {"stars": 1}},
    {"add": {"stars": 2}, "who": "icons > 1"},
    {"do": [{"draw": {"to": "hand"}}, {"choose": {"to": "discard"}}], "who": "stars > 1 and cards(hand) > 0"},
    {"do": [{"roll": "luck"}, {"points": 1, "when": "luck > 3"}], "who": "everyone", "when": "round == 1"},
    {"do": [{"draw": {"to": "discard"}}], "when": "cards(deck) > 9", "else": [{"points": 1, "who": "icons < 2"}]},
)
"""Steps that all seats or some carry out together."""

CHOOSE = {"choose": {"from": "hand", "to": "tableau"}}
TWO = {"choose": {"from": "hand", "to": "tableau", "cards": 2}}


def _pass(draw):
    return {"pass": {"zone": "hand", "to": draw(st.sampled_from(["left", "right", ["left", "right"]]))}}


def _hands(draw):
    return {"deal": {"to": "hand", "cards": draw(st.integers(2, 4))}}


def _passing(draw):
    """Draw turns in which seats choose a card, or two, and pass their hands."""
    turn = [draw(st.sampled_from([CHOOSE, CHOOSE, CHOOSE, TWO])), _pass(draw)]
    if draw(st.integers(0, 3)) == 0:
        who = draw(st.sampled_from([{}, {"who": "gained(icons) > 0"}, {"who": "cards(hand) < most(cards(hand))"}]))
        numbers = [1, 1, "3 - cards(hand)", "gained(icons)", "most(cards(hand)) - left(cards(hand))"]
        cards = draw(st.sampled_from(numbers))
        turn.append({"draw": {"to": "hand", "cards": cards}, "when": "turn < 2", **who})
    return [_hands(draw)], {"until_empty": "hand", "do": turn}, {}


def _piles(draw):
    """Draw a turn in which all seats draw from a pile, before or after the choice."""
    per = draw(st.sampled_from(["seat", "table"]))
    draw_one = {"draw": {"from": "pile", "to": "hand", "cards": draw(st.integers(1, 2))}}
    turn = draw(st.permutations([CHOOSE, _pass(draw), draw_one]))
    deals = [_hands(draw), {"deal": {"to": "pile", "cards": draw(st.integers(1, 4))}}]
    return deals, {"until_empty": "hand", "do": turn}, {"zones": {"pile": {"per": per, "seen_by": "nobody"}}}


def _controlled(draw):
    """Draw a turn with an extra seat, for which the holder of a marker chooses."""
    also = [{"seat": "dummy", "by": "cook", "cards": draw(st.integers(1, 2))}]
    turn = [
        {"draw": {"from": "pile", "to": "hand", "cards": 1}, "who": "cook"},
        {"choose": {"from": "hand", "to": "tableau", "also": also}},
        _pass(draw),
        {"give": {"marker": "cook", "to": draw(st.sampled_from(["left", "right"]))}},
    ]
    deals = [_hands(draw), {"deal": {"to": "pile", "cards": draw(st.integers(1, 4))}}]
    more = {
        "extra_seats": {"dummy": {"wins": False, "ranked": draw(st.booleans())}},
        "zones": {"pile": {"per": "table", "seen_by": "nobody"}},
        "markers": {"cook": {"start": "first"}},
    }
    return deals, {"until_empty": "hand", "do": turn}, more


def _kept(draw):
    """Draw turns in which seats keep a card while the rest of the hand is passed."""
    turn = [CHOOSE, {"choose": {"from": "hand", "to": "kept"}}, _pass(draw), {"move": {"from": "kept", "to": "hand"}}]
    ends = [{"until_empty": "hand"}, {"times": 2}, {"until": "turn == 2"}, {"until": "most(cards(hand)) < 2"}]
    loop = {**draw(st.sampled_from(ends)), "do": turn}
    return [_hands(draw)], loop, {"zones": {"kept": {"per": "seat", "seen_by": "owner"}}}


def _wandering(draw):
    """Draw a turn in which cards leave the tableau: to count elsewhere, be chosen again, or be hidden."""
    deals, loop, _ = _passing(draw)
    ways = [
        {"choose": {"from": "tableau", "to": "relics"}},
        {"choose": {"from": "relics", "to": "removed", "cards": 2}},
        {"choose": {"from": "relics", "to": "tableau"}},
        {"move": {"from": "tableau", "to": "hand"}},
        {"move": {"from": "removed", "to": "relics"}},
        {"choose": {"from": "hand", "to": "relics"}},
        {"clear": "relics"},
    ]
    after = draw(st.lists(st.sampled_from(ways), min_size=1, max_size=5))
    zones = {
        "relics": {"per": "seat", "counts": True},
        "removed": {"per": "seat", "seen_by": draw(st.sampled_from(["owner", "nobody"]))},
    }
    return deals, loop, {"zones": zones, "after_scoring": after}


WAYS = (
    {"to": "discard", "do": [{"add": {"stars": 2}}]},
    {"pay": {"stars": 1}, "do": [{"points": 2}]},
    {"pay": {"stars": "turn"}, "of": ["bread", "soup"]},
    {"when": "stars > others_most(stars)", "to": "removed", "do": [{"points": "gained(stars)"}]},
    {"of": "salad", "cards": 2, "do": [{"set": {"stars": "soup"}}, {"points": "stars"}]},
    {"cards": 0, "do": [{"roll": "luck"}, {"add": {"stars": 1}}]},
    {"cards": 0, "pay": {"stars": 2}, "do": [{"points": "luck"}]},
    {"to": "relics"},
    {"to": "discard", "do": [{"choose": {"from": "hand", "of": ["soup", "bread"], "to": "discard"}}]},
    {"cards": 0, "do": [{"add": {"stars": 1}}, {"draw": {"to": "hand", "cards": 1}}, {"choose": {"as": {"lay": {}}}}]},
)


def _going(draw):
    """Draw a turn whose choice has several actions, some of them without cards."""
    named = draw(st.lists(st.sampled_from(WAYS), min_size=1, max_size=4, unique_by=str))
    always = draw(st.sampled_from([{}, {"to": "discard"}, {"cards": draw(st.integers(0, 1))}, {"cards": "0-1"}]))
    ways = {f"way_{number}": way for number, way in enumerate([*named, always])}
    turn = [{"choose": {"from": "hand", "as": ways}}, _pass(draw)]
    if any(way.get("cards") in {0, "0-1"} for way in ways.values()):
        turn.append({"draw": {"from": "hand", "to": "removed", "cards": 1}})
    zones = {"removed": {"per": "seat", "seen_by": draw(st.sampled_from(["owner", "nobody"]))}}
    if {"to": "relics"} in named:
        zones["relics"] = {"per": "seat", "counts": True}
    return [_hands(draw)], {"until_empty": "hand", "do": turn}, {"zones": zones}


def _rows(draw):
    """Draw turns in which seats, one by one, lay cards into one of several rows or take a whole row."""
    limit = draw(st.sampled_from([{}, {"holds": 2}, {"fits": "closed == 0"}]))
    take = {"take": "row", "to": "tableau", "do": [{"set": {"closed": 1}}]}
    ways = draw(st.sampled_from([{"take": take, "keep": {"to": "discard"}}, {"take": take, "wait": {"cards": 0}}]))
    lay = draw(st.sampled_from([{"to": "row"}, {"as": ways}, {"as": ways}]))
    turn = [
        draw(st.sampled_from([{"draw": {"to": "row", "cards": 1}}, {"draw": {"to": "row_1", "cards": 2}}])),
        {"in_turn": {"do": [{"choose": {"from": "hand", **lay}}]}},
        draw(st.sampled_from([{"set": {"closed": 0}}, {"move": {"from": "row", "to": "discard"}}])),
    ]
    copies = draw(st.sampled_from([2, 3, "players"]))
    more = {
        "zones": {"row": {"copies": copies, "seen_by": "everyone", **limit}},
        "counters": {"closed": {"per": "row", "max": 1}},
    }
    return [_hands(draw)], {"times": draw(st.integers(1, 3)), "do": turn}, more


def _in_turn(draw):
    """Draw turns of several steps, one seat after the other, with lists that ways and triggers start."""
    ways = {"lay": {}, "wait": {"cards": 0, "do": draw(st.sampled_from(IN_TURN))}, "sell": {"to": "discard"}}
    ways["sell"] |= draw(st.sampled_from([{}, {"when": "icons > 0"}, {"do": draw(st.sampled_from(IN_TURN))}]))
    steps = [CHOOSE, {"choose": {"from": "hand", "to": "discard"}}, {"choose": {"from": "hand", "as": ways}}]
    others = [*map(draw, [st.sampled_from(IN_TURN)] * 2), [{"draw": {"to": "hand"}, "when": "stars < 2"}]]
    do = [step for number in draw(st.lists(st.integers(0, 2), min_size=1, max_size=3)) for step in (steps[number],)]
    do[draw(st.integers(0, len(do))) :] += draw(st.sampled_from([[], [], *others]))
    order = draw(st.sampled_from([{}, {}, {"by": "0 - icons"}, {"back": True}]))
    turn = [{"in_turn": {"do": do, **order}, **draw(st.sampled_from([{}, {}, {"who": "stars < 2 or turn < 2"}]))}]
    turn += draw(st.sampled_from([[], [CHOOSE], [_pass(draw)]]))
    after = draw(st.sampled_from(["reveal", "reveal", "turn"]))
    who = draw(st.sampled_from([{}, {"who": "gained(soup) > 0"}, {"who": "icons > others_most(icons)"}]))
    more = {"triggers": {"echo": {"after": after, **who, "do": draw(st.sampled_from(IN_TURN))}}}
    return [_hands(draw)], {"times": draw(st.integers(1, 3)), "do": turn}, more


IN_TURN = (
    [{"draw": {"to": "hand"}}],
    [{"draw": {"to": "hand"}}, {"choose": {"from": "hand", "to": "discard"}}],
    [{"points": 1}, {"choose": {"from": "hand", "to": "tableau"}}],
    [{"add": {"stars": 1}}, {"who": "others", "draw": {"to": "hand"}}],
    [{"who": "left", "choose": {"from": "hand", "to": "discard"}}, {"points": "cards(hand)"}],
    [{"choose": {"from": "hand", "as": {"eat": {"do": [{"draw": {"to": "hand"}}]}, "keep": {"cards": 0}}}}],
)
"""Lists of a seat in its turn."""


def _rolled(draw):
    """Draw turns in which seats roll dice, take some of what they show, and pass the others."""
    sword = draw(st.sampled_from([{}, {"adds": {"icons": 2}}, {"on_play": [{"points": "luck"}]}, {"keep": True}]))
    crest = {"has": {"weight": draw(st.integers(0, 3))}, **draw(st.sampled_from([{}, {"family": "hot"}]))}
    die = {"count": draw(st.integers(6, 20)), "starts_in": "bag", "sides": {"sword": 3, "shield": 2, "crest": 1}}
    cards = {"die": die, "sword": sword, "crest": crest}
    if draw(st.booleans()):
        cards["coin"] = {"count": 6, "starts_in": "bag", "sides": {"heads": 1, "tails": 1}}
    rolls = [{"zone": "tub"}, {"zone": "tub", "of": draw(st.sampled_from(["die", "shield", "crest"]))}]
    again = [
        {"choose": {"from": "tub", "to": "aside", "cards": "0-2"}},
        {"roll": {"zone": "aside"}},
        {"move": {"from": "aside", "to": "tub"}},
    ]
    take = [
        {},
        {"of": ["shield", "crest"]},
        {"as": {"lay": {}, "drop": {"to": "discard", "do": [{"add": {"stars": 1}}]}}},
    ]
    choice = {"choose": {"from": "tub", "to": "tableau", **draw(st.sampled_from(take))}}
    back = {"move": {"from": "tub", "of": "crest", "to": "bag"}, "who": "everyone"}
    leave = draw(st.sampled_from([{"pass": {"zone": "tub", "to": "left"}}, back]))
    turn = [{"roll": rolls[0]}, *draw(st.sampled_from([[], again, [{"roll": rolls[1]}]])), choice, leave]
    deals = [{"shuffle": "bag"}, {"draw": {"from": "bag", "to": "tub", "cards": draw(st.integers(1, 3))}}]
    zones = {
        "bag": {"seen_by": "nobody"},
        **{name: {"per": "seat", "seen_by": "everyone"} for name in ("tub", "aside")},
    }
    return deals, {"times": draw(st.integers(1, 3)), "do": turn}, {"zones": zones, "cards": cards}


def _turned(draw):
    """Draw turns in which seats take cards with two sides, and turn some of them over."""
    backs = [
        {},
        {"adds": {"stars": 1, "icons": 1}},
        {"scores": {"points": "lamp"}},
        {"on_play": [{"points": 1}]},
        "cold",
    ]
    lamp = {"count": draw(st.integers(6, 12)), "back": draw(st.sampled_from(backs)), "has": {"weight": 1}}
    lamp |= draw(st.sampled_from([{}, {"scores": {"points": "cold - lamp"}}, {"adds": {"icons": 2}}, {"keep": True}]))
    flip = [{"flip": "stall"}, {"flip": {"zone": "stall", "of": "lamp"}, "when": "turn % 2 == 1"}]
    turn_over = [
        {"choose": {"from": "tableau", "to": "aside", "cards": "0-1", **draw(st.sampled_from([{}, {"of": "lamp"}]))}},
        {"flip": "aside"},
        {"move": {"from": "aside", "to": "tableau"}},
    ]
    fetch = [{"choose": {"from": "stall", "to": draw(st.sampled_from(["tableau", "hand"]))}}]
    turn = [
        {"draw": {"to": "stall", "cards": draw(st.integers(1, 3))}},
        draw(st.sampled_from(flip)),
        {"in_turn": {"do": draw(st.sampled_from([fetch, [*fetch, *turn_over], turn_over]))}},
        CHOOSE,
        *draw(st.sampled_from([[], turn_over, [{"move": {"from": "stall", "to": "discard"}}]])),
    ]
    zones = {"stall": {"seen_by": "everyone"}, "aside": {"per": "seat", "seen_by": "everyone"}}
    return [_hands(draw)], {"times": draw(st.integers(1, 3)), "do": turn}, {"zones": zones, "cards": {"lamp": lamp}}


def _laid_out(draw):
    """Draw a turn in which one seat after the other takes an uncovered card of a layout."""
    rows = [{"cards": 1}, {"cards": 2, "face": draw(st.sampled_from(["up", "down"]))}, {"cards": 3}]
    cards = draw(st.integers(3, 6))
    turn = [
        {"choose": {"from": "display", "to": "tableau"}, "who": "mover"},
        {"give": {"marker": "mover", "to": draw(st.sampled_from(["left", "right"]))}},
    ]
    more = {
        "zones": {"display": {"per": "table", "layout": {"rows": rows, "covers": "pyramid"}}},
        "markers": {"mover": {"start": draw(st.sampled_from(["first", "random"]))}},
    }
    if draw(st.booleans()):
        turn.insert(1, {"draw": {"to": "display", **draw(st.sampled_from([{}, {"cards": 1}]))}})
        return [{"deal": {"to": "display", "cards": cards}}], {"times": draw(st.integers(2, 7)), "do": turn}, more
    return [{"deal": {"to": "display", "cards": cards}}], {"until_empty": "display", "do": turn}, more


def _paying(draw):
    """Draw turns in which seats build, paying with goods of their own and of neighbours, or sell."""
    goods = ["wood", "clay", "ore"]
    build = {"goods": draw(st.sampled_from([goods, {"soft": goods[:2], "hard": goods[2:]}]))}
    made = [*goods, goods[:2], {"clay": 2}, *([goods, goods[1:]] if build["goods"] is goods else [])]
    makes = draw(st.lists(st.sampled_from(made), min_size=2, max_size=4))
    family = draw(st.sampled_from([{}, {"family": "public"}]))
    cards = {f"yard_{at}": {"count": 6, "makes": made, **family} for at, made in enumerate(makes)}
    costs = st.dictionaries(st.sampled_from([*goods, "coins"]), st.integers(1, 3), min_size=1, max_size=3)
    cards["tower"] = {"count": 8, "cost": draw(costs), "adds": {"icons": 2}}
    cards["bridge"] = {"count": 6, "cost": draw(costs), **draw(st.sampled_from([{}, {"free_with": "tower"}]))}
    price = draw(st.sampled_from([1, 2, "2 - (tower > 0)", "1 + round"]))
    seats = draw(st.sampled_from([[], ["left"], ["right", "left"]])) if family else []
    sources = [{"makes": seat, "of": "public", "price": price, "counter": "coins"} for seat in seats]
    counters = {"coins": {"start": draw(st.integers(0, 6)), "min": 0, "max": 40, "keep": draw(st.booleans())}}
    for name in draw(st.sampled_from([[], ["gold"], ["wood"], ["wood", "gold"]])):
        counters[name] = {"start": draw(st.integers(0, 2)), "min": 0, "max": 9}
    sources = draw(st.permutations([{"counters": "same"}, *sources]))
    if "gold" in counters:
        gold = {"counter": "gold", "stands_for": draw(st.sampled_from(["any", *goods]))}
        sources.insert(draw(st.integers(0, 2)) if build["goods"] is goods else len(sources), gold)
    build |= {"from": [{"makes": "self"}, *sources]}
    ways = {
        "build": {"pay": {"build": "cost"}, "to": "tableau"},
        "sell": {"to": "discard", "do": [{"add": {"coins": 2}}]},
    }
    choice = {"choose": {"from": "hand", "as": ways}}
    affordable = {"points": 1, "who": "cards(tableau, build) > 1"}
    turn = draw(st.sampled_from([[choice], [affordable, choice], [{"in_turn": {"do": [choice]}}]]))
    more = {"payments": {"build": build}}
    more |= {"cards": cards, "counters": counters}
    return [_hands(draw)], {"until_empty": "hand", "do": [*turn, _pass(draw)]}, more


SIDED, PAYING = [_rolled, _turned], [_paying]
"""The kinds of rounds with dice or cards of two sides, and those with payments."""
KINDS = [
    _passing,
    _passing,
    _piles,
    _controlled,
    _kept,
    _laid_out,
    _wandering,
    _going,
    _rows,
    _in_turn,
    *SIDED,
    *PAYING,
]


def _formula(draw, names):
    one, two = draw(st.sampled_from(names)), draw(st.sampled_from(names))
    patterns = (
        "{0}", "{0}", "{0} + 2 * {1}", "max({0}, {1})", "kinds({0}, {1})", "{0} - others_most({1})", "abs({0} - {1})",
        "{0} if {1} > 1 else 0", "total({0}) - {1}", "{0} + luck", "stars * {1}",
        "icons + cards(tableau)", "{0} // 2 + {1} % 2", "min({0}, 3) * round", "-{0}",
        "left({0}) - right({1})", "others_with({0} > my({0}))", "max(left({0}), right({0} + {1}))",
        "cards(discard, {0}) + cards(tableau, {1})", "highest(discard, weight, 9) - {0}",
        "lowest(tableau, weight, {1})",
    )  # fmt: skip
    return draw(st.sampled_from(patterns)).format(one, two)


def _rule(draw, names):
    number = st.integers(-4, 9)
    kind = draw(st.sampled_from(["each", "set", "table", "majority", "majority", "runs", "collection", "points"]))
    of = _formula(draw, names)
    rule = {kind: of, "at": draw(st.sampled_from(["round", "game"]))}
    if kind == "each":
        rule |= {"points": draw(number)}
    elif kind == "set":
        rule |= {"size": draw(st.integers(1, 3)), "points": draw(number)}
    elif kind == "table":
        beyond = draw(st.sampled_from(["last", "repeat", "nothing"]))
        rule |= {"points": draw(st.lists(number, min_size=1, max_size=5)), "beyond": beyond}
    elif kind == "runs":
        rule |= {kind: list(names[:3]), "points": draw(st.lists(number, min_size=3, max_size=3))}
    elif kind == "collection":
        rule |= {kind: list(names[:3]), "points": draw(number)}
    elif kind == "majority":
        rule |= {
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
        "opens": draw(st.sampled_from(["at_once", "after_reveal"])),
    }


def _ability(draw, names, back):
    when = draw(st.sampled_from(["before_reveal", "after_reveal"]))
    return {
        "card": names[-2],
        "take": draw(st.integers(1, 2)),
        "when": when,
        "per_turn": draw(st.integers(1, 2)),
        "returns_to": draw(st.sampled_from([back, "discard", "stays"])),
    }


def _trigger(draw, names, markers):
    name = draw(st.sampled_from(names))
    return {
        "after": draw(st.sampled_from(["reveal", "round"])),
        "who": draw(
            st.sampled_from(
                [
                    f"gained({name}) > 0",
                    f"{name} == most({name})",
                    f"{name} > others_most({name})",
                    f"gained({name}) > 0 and {name} == most({name})",
                    f"cards(hand) == 1 or gained({name}) > 0 and cards(deck) > 9",
                    f"cards(tableau) > {name} + 1",
                    f"{name} > left({name}) and {name} > right({name})",
                    f"others_with({name} >= my({name})) == 0",
                    f"highest(tableau, weight, 0) > others_most(lowest(tableau, weight, {name}))",
                    f"of({markers[0]}, {name}) > 0 or {name} > 1",
                ]
            )
        ),
        "only": draw(st.sampled_from(["single", "each"])),
        "unless": "holds(spoon)",
        "do": [
            {"take": draw(st.sampled_from(markers))},
            {"points": draw(st.sampled_from(["2", name, "-1"]))},
            *draw(st.sampled_from([[], [], [{"draw": {"to": "hand", "cards": 1}}, {"choose": {"to": "discard"}}]])),
        ],
    }


# ── several piles ───────────────────────────────────────────────────────────────────────────────────────────────────

SIGHTS = ("owner", "nobody", "everyone")
STORES = ("store", "attic", "cellar")
SIZES = (3, 5, 9)
"""Numbers of copies: few enough that a pile runs out, and enough that some cards stay."""


@st.composite
def several_piles(draw):
    """Draw the text of a card set with several piles, zones of limited sight, and a set-up that deals."""
    names = CARDS[: draw(st.integers(4, 6))]
    stores = STORES[: draw(st.integers(1, 3))]
    cards = {name: {"count": draw(st.sampled_from(SIZES)), "adds": {"icons": 1}} for name in names}
    for at, name in enumerate(names[1:]):  # the first one lies in the deck, so that it is never empty
        if at < len(stores) or draw(st.booleans()):
            cards[name]["starts_in"] = stores[at % len(stores)]
    cards[names[0]]["count"] = 60
    if draw(st.integers(0, 2)) == 0:
        first, second = draw(st.permutations(names))[:2]
        cards[first]["face"] = cards[second]["face"] = "covered"
    extra = draw(st.booleans())
    zones = {
        store: {"per": "table", "seen_by": draw(st.sampled_from(["nobody", "nobody", "everyone"]))} for store in stores
    }
    zones |= {name: {"per": "seat", "seen_by": draw(st.sampled_from(SIGHTS))} for name in ("under", "vault")}
    zones["middle"] = {"per": "table", "seen_by": draw(st.sampled_from(["everyone", "nobody"]))}
    piles = ("deck", *stores)
    data = {
        "format": 2,
        "id": "drawn",
        "title": "Drawn",
        "version": "1.0.0",
        "players": "2-4",
        "rounds": draw(st.integers(1, 2)),
        "cards": cards,
        "counters": {"icons": {"label": "icons"}},
        "zones": zones,
        "setup": [{"shuffle": pile} for pile in piles] + _set_up(draw, piles),
        "round": _round_of_piles(draw, draw(st.sampled_from([piles, stores])), extra=extra),
        "scoring": {"icons": {"each": "icons", "points": 1}},
        "winner": {"order": "most"},
    }
    if extra:
        data["extra_seats"] = {"dummy": {"wins": False, "ranked": False}}
        data["markers"] = {"cook": {"start": "first"}}
    return json.dumps(data)


def _set_up(draw, piles):
    """Draw steps that move cards to zones before the first round."""
    steps = []
    for _ in range(draw(st.integers(1, 2))):
        pile = draw(st.sampled_from(piles))
        open_cards = [{"draw": {"from": pile, "to": "hand", "cards": 1}}, {"move": {"from": "hand", "to": "tableau"}}]
        steps += draw(
            st.sampled_from(
                [
                    open_cards,
                    open_cards,
                    open_cards,
                    [{"draw": {"from": pile, "to": "under", "cards": 1}}],
                    [{"draw": {"from": pile, "to": "middle", "cards": 2}}],
                    [{"draw": {"from": pile, "to": "vault", "cards": 1}}, {"move": {"from": "vault", "to": "under"}}],
                    [{"draw": {"from": pile, "to": "deck" if pile != "deck" else "middle", "cards": 1}}],
                ]
            )
        )
    return steps


def _round_of_piles(draw, piles, *, extra):
    """Draw a round: draws from some piles, a choice, and cards moved to zones that not all seats see."""
    deals = [{"draw": {"from": draw(st.sampled_from(piles)), "to": "hand", "cards": draw(st.integers(1, 3))}}]
    deals += [{"draw": {"from": pile, "to": "hand", "cards": 1}} for pile in piles if draw(st.booleans())]
    ways = {"lay": {}, "put": {"to": "under"}, "throw": {"to": "discard"}}
    also = {"also": [{"seat": "dummy", "by": "cook", "cards": 1}]} if extra else {}
    choose = draw(
        st.sampled_from(
            [
                {"from": "hand", "to": "tableau", **also},
                {"from": "hand", "to": "under", **also},
                {"from": "hand", "to": "vault"},
                {"from": "hand", "as": ways},
                {"from": "hand", "as": ways},
            ]
        )
    )
    turn = [{"choose": choose}, *([_pass(draw)] if draw(st.booleans()) else [])]
    turn += draw(
        st.lists(
            st.sampled_from(
                [
                    {"draw": {"from": draw(st.sampled_from(piles)), "to": "under", "cards": 1}},
                    {"draw": {"from": draw(st.sampled_from(piles)), "to": "middle", "cards": 1}},
                    {"move": {"from": "under", "to": "vault"}},
                    {"move": {"from": "middle", "to": "discard"}},
                    {"pass": {"zone": "under", "to": "left"}},
                ]
            ),
            max_size=2,
            unique_by=str,
        )
    )
    ends = draw(
        st.lists(
            st.sampled_from(
                [
                    {"move": {"from": "under", "to": "tableau"}},
                    {"move": {"from": "under", "to": "middle"}},
                    {"move": {"from": "hand", "to": "discard"}},
                    {"choose": {"from": "under", "to": "vault"}},
                    {"move": {"from": "vault", "to": "hand"}},
                    {"clear": "tableau"},
                ]
            ),
            max_size=2,
            unique_by=str,
        )
    )
    return [*deals, {"repeat": {"times": draw(st.integers(1, 3)), "do": turn}}, {"score": "round"}, *ends]
